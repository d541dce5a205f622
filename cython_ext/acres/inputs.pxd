"""A Few Acres of Snow: the sparse inputs of learned evaluations (`parameters.py` says what each is)."""

from libc.stdint cimport uint16_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    BRITISH, FRENCH, GIVE_ZONE, SIEGE_LOSS, SIEGE_SETTLE, TRANSPORT, Game, Side, owned, points, raidable, site_bit
)
from sfida.cython_ext.acres.tables cimport (
    I_ACTIONS, I_AHEAD, I_BOUND, I_CAPTURED, I_CUBES, I_CYCLE, I_DEAD, I_DISCARD, I_DISCS, I_DISPLAY, I_FORT, I_FORTS,
    I_GOAL, I_HAND, I_HELD, I_LEAD, I_LOSER, I_MONEY, I_MOVER, I_OWNED, I_PHASE, I_POINTS, I_PREY, I_RESERVE, I_SHOWN,
    I_SIEGE, I_TOWN, I_TURN, I_TURNS, I_UNDRAWN, I_VERB, I_VILLAGE, KINDS, NEUTRALS, NONE, SEAT_INPUTS, SITES, SLOTS,
    Hold, Tables
)
from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.inputs cimport members, step_of
from sfida.cython_ext.state cimport EVERYBODY


cdef inline uint16_t* inputs_of_zone(const Hold* h, int first, uint64_t cards, uint16_t* out) noexcept nogil:
    """List the cards of a zone; copies of a type count from its first slot."""
    cdef uint64_t rest = cards & h.several, kind, bit
    cards ^= rest
    while rest:
        kind = h.of_type[h.type_of[lowest(rest)]]
        bit = kind & (0 - kind)
        cards |= (bit << popcount(rest & kind)) - bit
        rest &= ~kind
    return members(out, first, cards)


cdef inline int within(int n, int most) noexcept nogil:
    """The number within -most..most, counted from 1."""
    return 1 + most + max(-most, min(n, most))


cdef inline uint16_t* inputs_of_side(const Game* g, const Tables* t, int s, bint known, int base,
                                     uint16_t* out) noexcept nogil:
    """List the inputs of a side, and those of its hand if that is known."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = owned(p)
    out = step_of(out, base + I_TURN, g.on_turn == s, 1)
    out = step_of(out, base + I_MOVER, g.mover == s, 1)
    out = inputs_of_zone(h, base + I_OWNED, cards, out)
    if known:
        out = inputs_of_zone(h, base + I_HAND + SLOTS * (g.on_turn == s), p.hand, out)
    else:
        out = inputs_of_zone(h, base + I_SHOWN, p.known, out)
    out = inputs_of_zone(h, base + I_DISCARD, p.discard, out)
    out = inputs_of_zone(h, base + I_RESERVE, p.reserve, out)
    out = inputs_of_zone(h, base + I_BOUND, p.siege[0] | p.siege[1] | p.limbo, out)
    out = members(out, base + I_DEAD, cards & h.locations & ~p.usable)
    out = members(out, base + I_VILLAGE, p.sites & ~p.towns)
    out = members(out, base + I_TOWN, p.towns)
    out = members(out, base + I_FORT, g.forts & p.sites)
    out = members(out, base + I_PREY, raidable(g, t, s) & p.near)
    out = step_of(out, base + I_MONEY, p.money, 20)
    out = step_of(out, base + I_POINTS, points(g, t, s) // 3, 30)
    out = step_of(out, base + I_CAPTURED, t.cube_points * p.got_cubes + t.disc_points * p.got_discs, 15)
    out = step_of(out, base + I_CUBES, p.cubes, 20)
    out = step_of(out, base + I_DISCS, p.discs, 12)
    out = step_of(out, base + I_HELD, p.n_hand, 8)
    out = step_of(out, base + I_UNDRAWN, p.n_deck, 16)
    out = step_of(out, base + I_CYCLE, popcount(p.hand | p.deck | p.discard), 30)
    if g.target[s] != NONE and g.besieged & site_bit(g.target[s]):
        out = step_of(out, base + I_SIEGE, g.target[s] + 1, SITES)
        out = step_of(out, base + I_LEAD + 13 * ((g.on_turn == s) + 2 * ((h.victory >> g.target[s]) & 1)),
                      within(g.lead[s], 6), 13)
    return out


cdef inline int fill_inputs(const Game* g, const Tables* t, int viewer, uint16_t* out) noexcept nogil:
    """List the inputs that are 1, as far as `viewer` knows; returns their number."""
    cdef uint16_t* at = out
    cdef int s, base = 2 * SEAT_INPUTS
    for s in range(2):
        at = inputs_of_side(g, t, s, viewer == EVERYBODY or viewer == s, s * SEAT_INPUTS, at)
    at = step_of(at, base + I_PHASE, g.phase + 1, 21)
    at = step_of(at, base + I_ACTIONS, g.actions, 4)
    at = step_of(at, base + I_AHEAD, within(points(g, t, BRITISH) - points(g, t, FRENCH), 15), 31)
    at = step_of(at, base + I_TURNS, <int> min(g.turns, 1000) // 4, 40)
    for s in range(NEUTRALS):
        at = step_of(at, base + I_DISPLAY + 5 * s, g.display[s], 5)
    at = step_of(at, base + I_FORTS, g.forts_left, 8)
    if g.verb and TRANSPORT <= g.phase <= GIVE_ZONE:
        at = step_of(at, base + I_VERB, g.verb, KINDS)
        if g.site < SITES:
            at = step_of(at, base + I_GOAL, g.site + 1, SITES)
    if g.phase == SIEGE_SETTLE or g.phase == SIEGE_LOSS:
        at = step_of(at, base + I_LOSER + g.loser, 1, 1)
    return <int> (at - out)
