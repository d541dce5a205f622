"""Attila knowledge: what tokens, provinces and steps of influence are worth to one seat, in points beyond the others'.

A token is worth what its tribe pays, so the worth of a province is linear in the tokens that will survive there; a
step of influence is worth the change of the claims to what its tribe is expected to have.
"""

from libc.stdint cimport uint32_t

from sfida.cython_ext.attila.board cimport (
    PROVINCES, SEATS, TRIBES, Game, Tables, bit, present, token,
)
from sfida.cython_ext.attila.claims cimport Claims, against, find_claims
from sfida.cython_ext.attila.outlook cimport VIEWS, Outlook, margin_of, read_markers, weakest_of
from sfida.cython_ext.attila.weights cimport Weights
from sfida.cython_ext.bits cimport count_of, lowest


cdef struct Stakes:
    int seat
    double tokens[VIEWS][TRIBES]        # a token for certain, by view, weighted
    double provinces[VIEWS][TRIBES]     # the first token of a province
    double both_tokens[TRIBES]          # sum over the views
    double both_provinces[TRIBES]
    uint32_t known                      # provinces in `worth`: forget those whose tokens change
    double worth[PROVINCES]             # of a province as it is


cdef inline void find_stakes(const Tables* t, const Weights* w, const Outlook* o, int seat, Stakes* s) noexcept nogil:
    cdef int tribe, k
    s.seat = seat
    s.known = 0
    for tribe in range(TRIBES):
        s.both_tokens[tribe] = 0.0
        s.both_provinces[tribe] = 0.0
        for k in range(VIEWS):
            if o.weight[k] > 0.0:
                s.tokens[k][tribe] = o.weight[k] * against(t, w, o.claims[k][tribe].tokens, seat)
                s.provinces[k][tribe] = o.weight[k] * against(t, w, o.claims[k][tribe].provinces, seat)
            else:
                s.tokens[k][tribe] = 0.0
                s.provinces[k][tribe] = 0.0
            s.both_tokens[tribe] += s.tokens[k][tribe]
            s.both_provinces[tribe] += s.provinces[k][tribe]


cdef inline double province_worth(const Weights* w, const Outlook* o, const Stakes* s, uint32_t tokens,
                                  int count) noexcept nogil:
    """What the tokens of a province without peace promise."""
    cdef const double* early = w.stays[o.row[0]][count]
    cdef const double* late = w.stays[o.row[1]][count]
    cdef uint32_t here = present(tokens)
    cdef double sum = 0.0, x
    cdef int n, tribe, margin
    cdef bint tied
    cdef int least = weakest_of(tokens, &tied)
    while here:
        tribe = lowest(here) >> 2
        here &= here - 1
        n = (tokens >> (4 * tribe)) & 15
        margin = margin_of(n, least, tied)
        x = early[margin] * (n * s.tokens[0][tribe] + s.provinces[0][tribe])
        sum += x + late[margin] * (n * s.tokens[1][tribe] + s.provinces[1][tribe])
    return sum


cdef inline double token_worth(const Game* g, const Weights* w, const Outlook* o, Stakes* s, int tribe, int p,
                               int count) noexcept nogil:
    """What one more token in a province with `count` of them changes; where it starts a conflict, without cards."""
    if not (s.known >> p) & 1:
        s.worth[p] = province_worth(w, o, s, g.tokens[p], count) if count else 0.0
        s.known |= bit(p)
    return province_worth(w, o, s, g.tokens[p] + token(tribe), count + 1) - s.worth[p]


cdef inline double step_worth(const Game* g, const Tables* t, const Weights* w, const Outlook* o, int seat, int tribe,
                              int steps) noexcept nogil:
    """What steps of a marker change; the end of the game that the last space brings is left out."""
    cdef int markers[SEATS]
    cdef Claims c
    cdef double sum = 0.0
    cdef int k
    read_markers(g, t, tribe, markers)
    markers[seat] += steps
    if markers[seat] > t.last_space:
        markers[seat] = t.last_space
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            find_claims(t, w, o.used, o.row[k], markers, &c)
            sum += o.weight[k] * (
                o.tokens[k][tribe] * (against(t, w, c.tokens, seat) - against(t, w, o.claims[k][tribe].tokens, seat))
                + o.provinces[k][tribe] * (against(t, w, c.provinces, seat)
                                           - against(t, w, o.claims[k][tribe].provinces, seat)))
    return sum


cdef inline double best_steps(const Game* g, const Tables* t, const Weights* w, const Outlook* o, int seat,
                              double* each) noexcept nogil:
    """The best use of Influence 2; into `each` by tribe of the first step."""
    cdef double one[TRIBES]
    cdef double x, best = -1e9
    cdef int a, b
    for a in range(TRIBES):
        one[a] = step_worth(g, t, w, o, seat, a, 1) if count_of(g.influence[seat], a) < t.last_space else -1e9
    for a in range(TRIBES):
        each[a] = -1e9
        if one[a] < -1e8:
            continue
        each[a] = step_worth(g, t, w, o, seat, a, 2)
        for b in range(a + 1, TRIBES):
            x = one[a] + one[b]
            if x > each[a]:
                each[a] = x
        if each[a] > best:
            best = each[a]
    return best
