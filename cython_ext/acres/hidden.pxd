"""A Few Acres of Snow: views of a seat, and the worlds sampled for it (FAS-17.5).

A seat knows every card that the other side owns, and the part of its hand that was shown or taken openly. Only the
distribution of the other cards between hand and deck is hidden, so a view keeps them all in the word of the deck.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    GAME_OVER, GOVERN, K_DRAW, K_SHOW, TRANSPORT, Game, Side, card_of, code, kind_of, place_of, tidy_all
)
from sfida.cython_ext.acres.moves cimport Bundles, list_moves
from sfida.cython_ext.acres.tables cimport NONE, Hold, Tables
from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.rng cimport Rng, mix64, rng_below


cdef enum:
    TRIES = 1000000


cdef inline bint is_draw(uint32_t last) noexcept nogil:
    """Whether `last` is a draw whose card is known."""
    return last > 0 and kind_of(last - 1) == K_DRAW and card_of(last - 1) != NONE


cdef inline int drawer(const Game* g) noexcept nogil:
    """Seat that drew, if the last event was a draw."""
    return place_of(g.last - 1)


cdef inline uint32_t unseen_draw(const Game* g) noexcept nogil:
    """`last` of a draw as the other side sees it."""
    return code(K_DRAW, NONE, drawer(g)) + 1


cdef inline bint sees_last(const Game* g, int seat) noexcept nogil:
    """Whether the seat saw the last event: all but cards that only the other side drew (FAS-17.4)."""
    return g.phase == GAME_OVER or not is_draw(g.last) or drawer(g) == seat


cdef inline uint64_t label_of(const Game* g, int seat) noexcept nogil:
    """Label of the event; it includes the hand shown by a side without a fitting card (FAS-14.5, 14.8)."""
    if not sees_last(g, seat):
        return unseen_draw(g)
    if g.last and kind_of(g.last - 1) == K_SHOW:
        return mix64(g.last, g.side[1 - g.on_turn].known)
    return g.last


cdef inline void redact_position(Game* g, const Tables* t, int seat) noexcept nogil:
    """Overwrite what `seat` cannot know."""
    cdef Side* p = &g.side[1 - seat]
    if g.phase == GAME_OVER:
        return
    p.deck = (p.hand | p.deck) & ~p.known
    p.hand = p.known
    if is_draw(g.last) and drawer(g) != seat:
        g.last = unseen_draw(g)
    g.viewer = seat + 1


cdef inline void guess_hand(Side* p, const Hold* h, uint64_t pool, int n, Rng* rng) noexcept nogil:
    """Set the hand to the known cards and `n` of the pool, every set equally likely."""
    cdef uint64_t left = pool, some = 0, bit
    cdef int size = popcount(pool), i
    for i in range(n):
        bit = <uint64_t> 1 << nth(left, <int> rng_below(rng, <uint32_t> (size - i)))
        some |= bit
        left ^= bit
    p.hand = p.known | some
    p.deck = left
    tidy_all(p, h, pool)


cdef inline void determinize_position(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Replace the position by a world of `seat`, from the true position or from a view.

    In the middle of an action the other side must hold the cards that complete it; other hands are redrawn.
    """
    cdef Side* p = &g.side[1 - seat]
    cdef const Hold* h = &t.hold[1 - seat]
    cdef uint64_t pool = (p.hand | p.deck) & ~p.known, some
    cdef int n = p.n_hand - popcount(p.known), _try
    cdef Bundles scratch
    if g.phase == GAME_OVER:
        return
    g.viewer = 0
    for _try in range(TRIES):
        guess_hand(p, h, pool, n, rng)
        if g.mover == seat or g.phase < TRANSPORT or g.phase > GOVERN or list_moves(g, t, &scratch).n > 0:
            break
    if g.last and kind_of(g.last - 1) == K_DRAW and drawer(g) != seat and p.hand:
        some = p.hand & ~p.known
        if not some:
            some = p.hand
        some = <uint64_t> 1 << nth(some, <int> rng_below(rng, <uint32_t> popcount(some)))
        g.last = code(K_DRAW, h.type_of[lowest(some)], drawer(g)) + 1
