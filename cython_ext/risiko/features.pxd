"""RisiKo! knowledge: the features that only a learned evaluation reads, besides those of `knowledge`."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.board cimport DESTROY, TERRITORY_COUNT, Game, Tables, seat_of_color
from sfida.cython_ext.risiko.goals cimport fresh_armies, holdable, likelihood
from sfida.cython_ext.risiko.objectives cimport effective, whole_continents
from sfida.cython_ext.risiko.weights cimport (
    ALL_FEATURES, F_ALIVE, F_COUNT, F_DESTROY, F_FRESH, F_HUNTED, F_READY, F_RIVAL,
    F_ROUND, F_WHOLE,
)


cdef inline void note_objectives(const Game* g, const Tables* t, int viewer, int seat, double* out) noexcept nogil:
    """How likely each kind of objective is, and who is to be destroyed."""
    cdef uint32_t among = holdable(g, t, viewer, seat)
    cdef double share = likelihood(t, among), part
    cdef int which, type
    while among:
        which = lowest(among)
        among &= among - 1
        part = share * popcount(t.objective[which].cards)
        which = effective(g, t, seat, which)
        type = t.objective[which].type
        if type == TERRITORY_COUNT:
            out[seat * ALL_FEATURES + F_COUNT] += part
        elif type == DESTROY:
            out[seat * ALL_FEATURES + F_DESTROY] += part
            out[seat_of_color(g, t, t.objective[which].color) * ALL_FEATURES + F_HUNTED] += part


cdef inline void fill_further(const Game* g, const Tables* t, int viewer, double* out) noexcept nogil:
    """Of every seat, one after the other; the others are there already."""
    cdef double* x
    cdef double other
    cdef int i, j
    for i in range(t.players):
        if not (g.alive >> i) & 1:
            continue
        x = out + i * ALL_FEATURES
        note_objectives(g, t, viewer, i, out)
        x[F_FRESH] = fresh_armies(g, t, viewer, i)
        x[F_WHOLE] = whole_continents(g, t, i, ~<uint64_t> 0)
        x[F_ROUND] = g.round if g.round < 30 else 30
        x[F_ALIVE] = popcount(g.alive)
        for j in range(t.players):
            if j != i and (g.alive >> j) & 1:
                other = out[j * ALL_FEATURES + F_READY]
                x[F_RIVAL] = other if other > x[F_RIVAL] else x[F_RIVAL]
