"""A Few Acres of Snow knowledge: the features that only a learned evaluation reads, besides those of `knowledge`."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport Game, Hold, Side, Tables
from sfida.cython_ext.acres.odds cimport unseen
from sfida.cython_ext.acres.plans cimport turns_left
from sfida.cython_ext.acres.weights cimport (
    F_CUBES, F_DISCS, F_FRENCH, F_HAND_COINS, F_HAND_FORCE, F_INCOME, F_LEFT, F_NEARER, F_PURSE, F_RESERVE, Weights,
)
from sfida.cython_ext.bits cimport lowest, popcount


cdef enum:                              # viewers
    NOBODY = -1
    EVERYBODY = -2


cdef inline int sum_of(const unsigned char* each, uint64_t cards) noexcept nogil:
    cdef int sum = 0
    while cards:
        sum += each[lowest(cards)]
        cards &= cards - 1
    return sum


cdef inline void fill_further(const Game* g, const Tables* t, const Weights* w, int s, int viewer,
                              double* x) noexcept nogil:
    """Of hands the viewer's own counts; of the other side what is known of it, and its share of what is not."""
    cdef const Side* me = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t deck = me.hand | me.deck | me.discard | me.limbo, sure = me.known, rest = unseen(me)
    cdef int n = popcount(deck)
    cdef double share = 0.0
    if viewer == s or viewer == EVERYBODY:
        sure = me.hand
    elif rest:
        share = (<double> me.n_hand - popcount(me.known)) / popcount(rest)
    x[F_FRENCH] = s
    x[F_LEFT] = turns_left(g, t, &w.k)
    x[F_PURSE] = me.money
    x[F_CUBES] = me.cubes
    x[F_DISCS] = me.discs
    x[F_INCOME] = <double> sum_of(h.coins, deck) / (n if n else 1)
    x[F_HAND_COINS] = sum_of(h.coins, sure) + share * sum_of(h.coins, rest)
    x[F_HAND_FORCE] = sum_of(h.strength, sure) + share * sum_of(h.strength, rest)
    x[F_RESERVE] = popcount(me.reserve)
    x[F_NEARER] = popcount(me.hand | me.deck) / (n + 1.0)
