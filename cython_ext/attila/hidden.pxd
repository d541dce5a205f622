"""Attila: views and bids (part 6): what a seat cannot know, blanked out, and cards laid face down, taken back."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.attila.board cimport (
    COMMIT, GAME_OVER, LOG_DEAD, LOG_DRAW, M_COMMIT, M_COMMIT_HIDDEN, M_DONE, M_DRAW, M_DRAW_HIDDEN, NONE, SEATS,
    TRUE_GAME, UNSEEN, Game, Tables
)
from sfida.cython_ext.lanes cimport size_of, some_of, top_kind
from sfida.cython_ext.rng cimport Rng, mix64
from sfida.cython_ext.seats cimport seat_after

# ---- the last event ---------------------------------------------------------------------------------


cdef inline int seen_code(const Game* g, int seat) noexcept nogil:
    """Code of the last event as the seat saw it."""
    if g.doer == NONE or g.doer == seat or g.phase == GAME_OVER:
        return g.last
    if M_DRAW <= g.last < M_DRAW_HIDDEN:
        return M_DRAW_HIDDEN
    if M_COMMIT <= g.last < M_DONE:
        return M_COMMIT_HIDDEN
    return g.last


cdef inline uint64_t label_of(const Game* g, int seat) noexcept nogil:
    """The event itself, and the cards that it turned up."""
    cdef uint64_t label = seen_code(g, seat) + 1
    cdef int i
    if g.revealed:
        for i in range(SEATS):
            label = mix64(label, g.shown[i])
    return label


# ---- views ------------------------------------------------------------------------------------------


cdef inline uint64_t unseen_by(const Game* g, const Tables* t, int seat) noexcept nogil:
    """All cards that the seat does not see (D1)."""
    cdef uint64_t seen = g.hand[seat] + g.laid[seat] + g.discard + g.given
    cdef int i
    if t.open_commitments:
        for i in range(t.players):
            if i != seat:
                seen += g.laid[i]
    return t.all_cards - seen


cdef inline void blank_log(Game* g, int seat) noexcept nogil:
    """Others' draws without their tribes."""
    cdef int k = 0
    while k < g.log_n:
        if g.log[k] >> 6 == LOG_DEAD:
            k += 1
        elif g.log[k] >> 6 == LOG_DRAW and (g.log[k] >> 3 & 7) != seat:
            g.log[k] |= UNSEEN
        k += 1


cdef inline void deal_blindly(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Deal what the seat does not see, by the sizes alone; with `rng` NULL the first tribes first."""
    cdef uint64_t rest = unseen_by(g, t, seat)
    cdef int i
    for i in range(t.players):
        if i == seat:
            continue
        if not t.open_commitments:
            g.laid[i] = some_of(rest, size_of(g.laid[i]), rng)
            rest -= g.laid[i]
        g.hand[i] = some_of(rest, size_of(g.hand[i]), rng)
        rest -= g.hand[i]
    g.pile = rest


cdef inline void forget_order(Game* g, const Tables* t, int seat) noexcept nogil:
    """What the one who is laying cards may lay next follows from what lies there in this world."""
    if g.phase == COMMIT and g.mover != seat and not t.open_commitments:
        g.least = top_kind(g.laid[g.mover])


cdef inline void redact_position(Game* g, const Tables* t, int seat) noexcept nogil:
    """Overwrite what the seat cannot know."""
    g.world = TRUE_GAME
    if g.phase == GAME_OVER:
        return
    g.viewer = seat + 1
    g.last = seen_code(g, seat)
    if g.last == M_DRAW_HIDDEN or g.last == M_COMMIT_HIDDEN:
        g.doer = NONE
    deal_blindly(g, t, seat, NULL)
    forget_order(g, t, seat)
    blank_log(g, seat)


# ---- bids -------------------------------------------------------------------------------------------


cdef inline void take_back(Game* g, const Tables* t, int seat) noexcept nogil:
    """The others who have finished lay again as many cards as they had laid (ATT-6.5)."""
    cdef int i = g.active, stop = g.mover
    cdef bint begun = False
    if g.phase != COMMIT or t.open_commitments:
        return
    while i != stop:
        g.bound[i] = 1 + size_of(g.laid[i])
        if i != seat:
            g.hand[i] += g.laid[i]
            g.laid[i] = 0
            if not begun:
                g.mover = i
                g.least = 0
                begun = True
        i = seat_after(i, t.players)
