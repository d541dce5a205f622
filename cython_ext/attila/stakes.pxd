"""Attila knowledge: what tokens, provinces and steps of influence are worth to one seat, in points beyond the others'.

A token is worth what its tribe pays, so the worth of a province is linear in the tokens that will survive there; a
step of influence is worth the change of the claims to what its tribe is expected to have.
"""

from libc.stdint cimport uint32_t

from sfida.cython_ext.attila.board cimport SEATS, TRIBES, Game, Tables, token
from sfida.cython_ext.attila.claims cimport Claims, against, find_claims
from sfida.cython_ext.attila.outlook cimport VIEWS, Outlook, lose_chance, read_markers, weakest_of
from sfida.cython_ext.attila.weights cimport Weights
from sfida.cython_ext.bits cimport count_of


cdef struct Stakes:
    int seat
    double tokens[VIEWS][TRIBES]        # a token for certain, by view, weighted
    double provinces[VIEWS][TRIBES]     # the first token of a province
    double both_tokens[TRIBES]          # sum over the views
    double both_provinces[TRIBES]


cdef inline void find_stakes(const Tables* t, const Weights* w, const Outlook* o, int seat, Stakes* s) noexcept nogil:
    cdef int tribe, k
    s.seat = seat
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
    cdef double sum = 0.0, lost, x
    cdef double early = w.fight[o.row[0]][count], late = w.fight[o.row[1]][count]
    cdef int n, tribe = 0, least, ties, above
    weakest_of(tokens, &least, &ties, &above)
    while tokens:
        n = tokens & 15
        tokens >>= 4
        if n:
            lost = lose_chance(w, n, least, ties, above)
            x = (1.0 - early * lost) * (n * s.tokens[0][tribe] + s.provinces[0][tribe])
            sum += x + (1.0 - late * lost) * (n * s.tokens[1][tribe] + s.provinces[1][tribe])
        tribe += 1
    return sum


cdef inline double token_worth(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                               int tribe, int p, int count) noexcept nogil:
    """What one more token in a province with `count` of them changes; where it starts a conflict, without cards."""
    return (province_worth(w, o, s, g.tokens[p] + token(tribe), count + 1)
            - (province_worth(w, o, s, g.tokens[p], count) if count else 0.0))


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
