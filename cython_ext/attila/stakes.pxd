"""Attila knowledge: what tokens, provinces and steps of influence are worth to one seat, in points beyond the others'.

A token is worth what its tribe pays, so the worth of a province is linear in the tokens that will survive there; a
step of influence is worth the change of the claims to what its tribe is expected to have.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memset

from sfida.cython_ext.attila.board cimport PROVINCES, SEATS, TRIBES, Game, Tables, bit, token
from sfida.cython_ext.attila.claims cimport Claims, against, find_claims, find_race
from sfida.cython_ext.attila.outlook cimport VIEWS, Outlook, read_markers
from sfida.cython_ext.attila.patterns cimport pattern_of
from sfida.cython_ext.attila.weights cimport FIRSTS, PAID, SECONDS, Race, Weights
from sfida.cython_ext.bits cimport count_of
from sfida.cython_ext.fours cimport add, beyond, dots


cdef struct Stakes:
    int seat
    double worth[VIEWS][PAID]           # of a token for certain, and of the first one of a province, by view, weighted
    double both[PAID]                   # sum over the views
    uint32_t known                      # provinces in `held`: forget those whose tokens change
    double held[PROVINCES]              # worth of a province as it is


cdef inline void find_stakes(const Tables* t, const Weights* w, const Outlook* o, int seat, Stakes* s) noexcept nogil:
    cdef double all[PAID]
    cdef int k, i
    s.seat = seat
    s.known = 0
    memset(s.worth, 0, sizeof(s.worth))
    memset(s.both, 0, sizeof(s.both))
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            memset(all, 0, sizeof(all))
            for i in range(t.players):
                add(all, o.claims[k][i], PAID)
            beyond(s.worth[k], o.weight[k], o.claims[k][seat], w.k.rival, all, t.players - 1, PAID)
            add(s.both, s.worth[k], PAID)


cdef inline double province_worth(const Weights* w, const Outlook* o, const Stakes* s, uint32_t tokens) noexcept nogil:
    """What the tokens of a province without peace promise."""
    cdef int pattern = pattern_of(&w.patterns, tokens)
    return dots(w.stay[o.row[0]][pattern], s.worth[0], w.stay[o.row[1]][pattern], s.worth[1], PAID)


cdef inline double token_worth(const Game* g, const Weights* w, const Outlook* o, Stakes* s, int tribe,
                               int p) noexcept nogil:
    """What one more token in a province changes; where it starts a conflict, without cards."""
    if not (s.known >> p) & 1:
        s.held[p] = province_worth(w, o, s, g.tokens[p])
        s.known |= bit(p)
    return province_worth(w, o, s, g.tokens[p] + token(tribe)) - s.held[p]


cdef inline double promise(const Stakes* s, int tribe) noexcept nogil:
    """What a token of a tribe is worth that nothing happens to."""
    cdef double second = s.both[SECONDS + tribe]
    return s.both[FIRSTS + tribe] + (second if second > 0.0 else 0.0)


cdef inline double pays(const Outlook* o, const Stakes* s, int view, int tribe, double first,
                        double second) noexcept nogil:
    """What it changes that a token and a province of a tribe are worth so much."""
    return (o.expected[view][FIRSTS + tribe] * (o.weight[view] * first - s.worth[view][FIRSTS + tribe])
            + o.expected[view][SECONDS + tribe] * (o.weight[view] * second - s.worth[view][SECONDS + tribe]))


cdef inline double step_worth(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                              int tribe, int steps) noexcept nogil:
    """What steps of a marker change; the end of the game that the last space brings is left out."""
    cdef int markers[SEATS]
    cdef Claims c
    cdef const Race* r
    cdef double sum = 0.0
    cdef int k, rival, seat = s.seat, mine = count_of(g.influence[seat], tribe) + steps
    if mine > t.last_space:
        mine = t.last_space
    if t.players == 2:
        rival = count_of(g.influence[1 - seat], tribe)
        for k in range(VIEWS):
            r = find_race(&w.races[o.used][o.row[k]], rival if seat else mine, mine if seat else rival)
            sum += pays(o, s, k, tribe, against(t, w, r.tokens, seat), against(t, w, r.provinces, seat))
        return sum
    read_markers(g, t, tribe, markers)
    markers[seat] = mine
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            find_claims(t, w, o.used, o.row[k], markers, &c)
            sum += pays(o, s, k, tribe, against(t, w, c.tokens, seat), against(t, w, c.provinces, seat))
    return sum


cdef inline double best_steps(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                              double* each) noexcept nogil:
    """The best use of Influence 2; into `each` by tribe of the first step."""
    cdef double one[TRIBES]
    cdef double x, best = -1e9
    cdef int a, b
    for a in range(TRIBES):
        one[a] = step_worth(g, t, w, o, s, a, 1) if count_of(g.influence[s.seat], a) < t.last_space else -1e9
    for a in range(TRIBES):
        each[a] = -1e9
        if one[a] < -1e8:
            continue
        each[a] = step_worth(g, t, w, o, s, a, 2)
        for b in range(a + 1, TRIBES):
            x = one[a] + one[b]
            if x > each[a]:
                each[a] = x
        if each[a] > best:
            best = each[a]
    return best
