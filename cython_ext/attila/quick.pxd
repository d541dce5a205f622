"""Attila: uniformly random play without lists, for playouts (part 9, uniform): every legal move equally likely."""

from libc.stdint cimport uint32_t

from sfida.cython_ext.attila.board cimport COMMIT, DOUBLE_TURN, END, EXCHANGE, GIVE, PLAY, Game, Tables, allowed, gain
from sfida.cython_ext.attila.conflict cimport eligible, lay
from sfida.cython_ext.attila.moves cimport has_tile, moves_of
from sfida.cython_ext.attila.turn cimport (
    advance, after_placing, apply_move, end_turn, play_card, put_token, stop_laying, use_tile
)
from sfida.cython_ext.bits cimport nth, popcount
from sfida.cython_ext.lanes cimport kinds_of
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline int any_move(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """One decision by the list."""
    cdef int n = moves_of(g, t, scratch)
    apply_move(g, t, scratch[0 if n == 1 else <int> rng_below(rng, <uint32_t> n)])
    return 1


cdef inline int card_at_random(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """Card, province, and influence or a second token."""
    cdef int held = kinds_of(g.hand[g.active]) & g.live, n = popcount(held), k
    cdef uint32_t mask
    if n == 0:
        return any_move(g, t, scratch, rng)
    k = <int> rng_below(rng, <uint32_t> (n + has_tile(g, EXCHANGE)))
    if k == n:
        use_tile(g, t, EXCHANGE)
        g.least = 0
        g.phase = GIVE
        return 1
    play_card(g, t, nth(held, k))
    mask = allowed(g, g.card_tribe)
    put_token(g, t, nth(mask, <int> rng_below(rng, <uint32_t> popcount(mask))))
    mask = allowed(g, g.card_tribe)
    n = popcount(mask)
    k = <int> rng_below(rng, <uint32_t> (n + 1)) if n else 0
    if k == n:
        advance(g, t, g.card_tribe, gain(g, t))
    else:
        put_token(g, t, nth(mask, k))
    after_placing(g, t)
    return 3


cdef inline int lay_at_random(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """All seats lay, as long as the conflict lasts and no tile is at hand."""
    cdef int kinds, n, k, moves = 0
    while g.phase == COMMIT:
        moves += 1
        if g.bound[g.mover] or (g.mover == g.active and not g.tile_used and g.tiles[g.active] & ~DOUBLE_TURN):
            return moves - 1 + any_move(g, t, scratch, rng)
        kinds = eligible(g, g.mover)
        n = popcount(kinds)
        k = <int> rng_below(rng, <uint32_t> (n + 1)) if n else 0
        if k == n:
            stop_laying(g, t)
        else:
            lay(g, t, nth(kinds, k))
    return moves


cdef inline int play_at_random(Game* g, const Tables* t, move_t* scratch, Rng* rng) noexcept nogil:
    """Play at random where a seat decides; returns the number of decisions."""
    if t.every_decision or t.open_commitments:
        return any_move(g, t, scratch, rng)
    if g.phase == PLAY:
        return card_at_random(g, t, scratch, rng)
    if g.phase == COMMIT:
        return lay_at_random(g, t, scratch, rng)
    if g.phase == END and (g.tile_used or g.tiles[g.active] == 0):
        end_turn(g, t)
        return 1
    return any_move(g, t, scratch, rng)
