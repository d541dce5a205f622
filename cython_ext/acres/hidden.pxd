"""A Few Acres of Snow: what a seat sees, and the worlds sampled for it (FAS-17.5).

A seat knows every card that the other side owns, and of its hand the part that was shown or taken openly; which of
the others it holds is all that is hidden. A view therefore keeps them in one word, in the place of the deck.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    GAME_OVER, GOVERN, K_DRAW, K_SHOW, MAX_LEGAL, TRANSPORT, Game, Side, card_of, code, kind_of, place_of, tidy_all
)
from sfida.cython_ext.acres.moves cimport legal_moves
from sfida.cython_ext.acres.tables cimport NONE, Hold, Tables
from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.rng cimport Rng, mix64, rng_below
from sfida.cython_ext.state cimport move_t


cdef enum:
    TRIES = 1000000


cdef inline bint is_draw(uint32_t last) noexcept nogil:
    """A `last` of a draw whose card is known."""
    return last > 0 and kind_of(last - 1) == K_DRAW and card_of(last - 1) != NONE


cdef inline int drawer(const Game* g) noexcept nogil:
    """Who drew, if the last event was a draw."""
    return place_of(g.last - 1)


cdef inline uint32_t unseen_draw(const Game* g) noexcept nogil:
    """`last` of a draw as the other side sees it."""
    return code(K_DRAW, NONE, drawer(g)) + 1


cdef inline bint sees_last(const Game* g, int seat) noexcept nogil:
    """The last event was not a card that only the other side drew (FAS-17.4)."""
    return g.phase == GAME_OVER or not is_draw(g.last) or drawer(g) == seat


cdef inline uint64_t label_of(const Game* g, int seat) noexcept nogil:
    """The event itself, and the hand that a side without a fitting card has shown (FAS-14.5, 14.8)."""
    if not sees_last(g, seat):
        return unseen_draw(g)
    if g.last and kind_of(g.last - 1) == K_SHOW:
        return mix64(g.last, g.side[1 - g.on_turn].known)
    return g.last


cdef inline void redact_position(Game* g, const Tables* t, int seat) noexcept nogil:
    """Wipe what `seat` cannot know."""
    cdef Side* p = &g.side[1 - seat]
    if g.phase == GAME_OVER:
        return
    p.deck = (p.hand | p.deck) & ~p.known
    p.hand = p.known
    if is_draw(g.last) and drawer(g) != seat:
        g.last = unseen_draw(g)
    g.viewer = seat + 1


cdef inline void guess_hand(Side* p, const Hold* h, uint64_t pool, int n, Rng* rng) noexcept nogil:
    """The known cards and `n` of the pool, every set of them equally likely."""
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
    """Put one world of `seat` in place of the true one, or of a view's blanks.

    In the midst of an action the other side holds what completes it: hands that cannot are drawn again.
    """
    cdef Side* p = &g.side[1 - seat]
    cdef const Hold* h = &t.hold[1 - seat]
    cdef uint64_t pool = (p.hand | p.deck) & ~p.known, some
    cdef int n = p.n_hand - popcount(p.known), _try
    cdef move_t scratch[MAX_LEGAL]
    if g.phase == GAME_OVER:
        return
    g.viewer = 0
    for _try in range(TRIES):
        guess_hand(p, h, pool, n, rng)
        if g.mover == seat or g.phase < TRANSPORT or g.phase > GOVERN or legal_moves(g, t, scratch) > 0:
            break
    if g.last and kind_of(g.last - 1) == K_DRAW and drawer(g) != seat and p.hand:
        some = p.hand & ~p.known
        if not some:
            some = p.hand
        some = <uint64_t> 1 << nth(some, <int> rng_below(rng, <uint32_t> popcount(some)))
        g.last = code(K_DRAW, h.type_of[lowest(some)], drawer(g)) + 1
