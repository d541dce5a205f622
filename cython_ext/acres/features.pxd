"""A Few Acres of Snow knowledge: the features that only a learned evaluation reads, besides those of `knowledge`."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport Game, Hold, Side, Tables
from sfida.cython_ext.acres.odds cimport held_share, unseen
from sfida.cython_ext.acres.plans cimport turns_left
from sfida.cython_ext.acres.weights cimport F_CUBES, F_DISCS, F_FRENCH, F_HAND_FORCE, F_LEFT, Weights
from sfida.cython_ext.bits cimport lowest
from sfida.cython_ext.state cimport EVERYBODY


cdef inline int force_of(const Hold* h, uint64_t cards) noexcept nogil:
    """Strength of cards, all together."""
    cdef int sum = 0
    while cards:
        sum += h.strength[lowest(cards)]
        cards &= cards - 1
    return sum


cdef inline void fill_further(const Game* g, const Tables* t, const Weights* w, int s, int viewer,
                              double* x) noexcept nogil:
    """Of hands the viewer's own counts; of the other side what is known of it, and its share of what is not."""
    cdef const Side* me = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t sure = me.known, rest = unseen(me)
    cdef double share = 0.0
    if viewer == s or viewer == EVERYBODY:
        sure = me.hand
    else:
        share = held_share(me)
    x[F_FRENCH] = s
    x[F_LEFT] = turns_left(g, t, &w.k)
    x[F_CUBES] = me.cubes
    x[F_DISCS] = me.discs
    x[F_HAND_FORCE] = force_of(h, sure) + share * force_of(h, rest)
