"""Attila: legal moves and chance outcomes (parts 4 and 5).

The only hand read is that of the seat to move, so a list depends only on what this seat knows.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.attila.board cimport (
    ALL_TRIBES, COMMIT, DOUBLE_TURN, END, EXCHANGE, FIRST_PLAYER, FOLLOW, GIVE, INF_A, INFLUENCE_2, M_AT, M_CARD,
    M_COMMIT, M_DONE, M_DOUBLE, M_DRAW, M_DUMP, M_END_TURN, M_EXCHANGE, M_FIGHT, M_FIRST, M_GIVE, M_GIVEN, M_INFLUENCE,
    M_SCORE, M_SECOND, M_SKIP, M_STEP_A, M_STEP_B, M_TILE_INFLUENCE, ORDER, PLACE, PLAY, PRESCORE, Game, allowed,
    has_room
)
from sfida.cython_ext.attila.tables cimport TRIBES, Tables
from sfida.cython_ext.bits cimport count_of, lowest
from sfida.cython_ext.lanes cimport any_kind, kinds_of, masked, size_of
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t


cdef inline int eligible(const Game* g, int seat) noexcept nogil:
    """Tribes of which the seat may lay a card next (ATT-6.3), from `least` on."""
    return kinds_of(g.hand[seat]) & g.present & (ALL_TRIBES << g.least)


cdef inline int lay_kinds(const Game* g, int seat) noexcept nogil:
    """Tribes that the seat may lay next; a seat bound to a number must still be able to reach it."""
    cdef int found = eligible(g, seat), need, tribe, rest
    cdef uint64_t cards
    if not g.bound[seat]:
        return found
    need = g.bound[seat] - 1 - size_of(g.laid[seat])
    if need <= 0:
        return 0
    cards = masked(g.hand[seat], found)
    rest = found
    while rest:
        tribe = lowest(rest)
        rest &= rest - 1
        if size_of(cards >> (8 * tribe)) < need:
            found &= ~(1 << tribe)
    return found


cdef inline bint may_stop(const Game* g, int seat) noexcept nogil:
    return not g.bound[seat] or size_of(g.laid[seat]) + 1 >= g.bound[seat]


cdef inline int write_set(uint32_t mask, int first, int n, move_t* out) noexcept nogil:
    while mask:
        out[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


cdef inline bint has_tile(const Game* g, int tile) noexcept nogil:
    return not g.tile_used and (g.tiles[g.active] & tile) != 0


cdef inline bint may_exchange(const Game* g, const Tables* t) noexcept nogil:
    """Whether the tile Exchange may be used now (ATT-9.8)."""
    cdef int phase = g.phase
    if not has_tile(g, EXCHANGE) or g.hand[g.active] == 0:
        return False
    if phase == PLAY:
        return True
    if phase == END:
        return g.end_reasons == 0
    if phase == COMMIT:
        return g.mover == g.active and g.laid[g.mover] == 0 and not g.bound[g.mover]
    return t.every_decision and (phase == PLACE or phase == FOLLOW or phase == PRESCORE or phase == ORDER)


cdef inline bint may_step(const Game* g, const Tables* t) noexcept nogil:
    """Whether the tile Influence 2 may be used now."""
    cdef int phase = g.phase
    if not has_tile(g, INFLUENCE_2) or not has_room(g, t, g.active):
        return False
    if phase == END or phase == PRESCORE:
        return True
    if phase == COMMIT:
        return g.mover == g.active and g.laid[g.mover] == 0 and not g.bound[g.mover]
    return t.every_decision and (phase == PLAY or phase == PLACE or phase == FOLLOW or phase == ORDER)


cdef inline bint may_double(const Game* g) noexcept nogil:
    return has_tile(g, DOUBLE_TURN) and (kinds_of(g.hand[g.active]) & g.live) != 0


cdef inline int steps_below(const Game* g, const Tables* t) noexcept nogil:
    """Tribes whose marker is below the last space."""
    cdef int tribe, found = 0
    for tribe in range(TRIBES):
        found |= <int> (count_of(g.influence[g.active], tribe) < t.last_space) << tribe
    return found


cdef inline int second_steps(const Game* g, const Tables* t) noexcept nogil:
    return (steps_below(g, t) | 1 << g.first_tribe) & (ALL_TRIBES << g.first_tribe)


cdef inline int tile_moves(const Game* g, const Tables* t, int n, move_t* out) noexcept nogil:
    if g.tile_used or g.tiles[g.active] == 0:
        return n
    if g.phase == END and may_double(g):
        out[n] = M_DOUBLE
        n += 1
    if may_exchange(g, t):
        out[n] = M_EXCHANGE
        n += 1
    if may_step(g, t):
        out[n] = M_TILE_INFLUENCE
        n += 1
    return n


cdef inline int card_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write the live cards; without one the dead cards, or nothing by option (ATT-4.10)."""
    cdef int held = kinds_of(g.hand[g.active])
    if held & g.live:
        return write_set(held & g.live, M_CARD, 0, out)
    if t.skip_dead:
        out[0] = M_SKIP
        return 1
    return write_set(held, M_DUMP, 0, out)


cdef inline int moves_of(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write every legal move of the seat to move; returns the count."""
    cdef int n = 0, phase = g.phase
    if phase == PLAY:
        n = card_moves(g, t, out)
    elif phase == PLACE:
        n = write_set(allowed(g, g.card_tribe), M_AT, 0, out)
    elif phase == FOLLOW:
        n = write_set(allowed(g, g.card_tribe), M_SECOND, 0, out)
        out[n] = M_INFLUENCE
        n += 1
    elif phase == ORDER:
        out[0] = M_FIGHT + g.queue[0]
        out[1] = M_FIGHT + g.queue[1]
        n = 2
    elif phase == COMMIT:
        n = write_set(lay_kinds(g, g.mover), M_COMMIT, 0, out)
        if may_stop(g, g.mover):
            out[n] = M_DONE
            n += 1
        if g.mover != g.active:
            return n
    elif phase == PRESCORE:
        out[0] = M_SCORE
        n = 1
    elif phase == END:
        out[0] = M_END_TURN
        n = 1
    elif phase == GIVE:
        n = write_set(kinds_of(g.hand[g.active]) & (ALL_TRIBES << g.least), M_GIVE, 0, out)
        if g.given:
            out[n] = M_GIVEN
            n += 1
        return n
    elif phase == INF_A:
        return write_set(steps_below(g, t), M_STEP_A, 0, out)
    else:                               # INF_B
        return write_set(second_steps(g, t), M_STEP_B, 0, out)
    return tile_moves(g, t, n, out)


cdef inline int chance_outcomes(const Game* g, const Tables* t, move_t* out, uint32_t* weights) noexcept nogil:
    cdef int i, n = 0
    if g.phase == FIRST_PLAYER:
        for i in range(t.players):
            out[i] = M_FIRST + i
            weights[i] = 1
        return t.players
    for i in range(TRIBES):
        if count_of(g.pile, i):
            out[n] = M_DRAW + i
            weights[n] = count_of(g.pile, i)
            n += 1
    return n


cdef inline move_t sample_chance(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    if g.phase == FIRST_PLAYER:
        return M_FIRST + rng_below(rng, <uint32_t> t.players)
    return M_DRAW + any_kind(g.pile, rng)
