"""The Settlers of Zarahemla: the sparse inputs of learned evaluations (`parameters.py` says what each is)."""

from libc.stdint cimport uint16_t, uint64_t

from sfida.cython_ext.bits cimport LANES, count_of, popcount
from sfida.cython_ext.inputs cimport members, step_of
from sfida.cython_ext.state cimport EVERYBODY
from sfida.cython_ext.zarahemla.board cimport (
    DISCARD, FREE_ROADS, NOWHERE, TAKE, Game, Seat, cards_in, secret_points, total, walls_of, warriors
)
from sfida.cython_ext.zarahemla.features cimport one_road_on, robbed_dots
from sfida.cython_ext.zarahemla.tables cimport (
    CARD_TYPES, I_ARMY, I_BANK, I_CARDED, I_CARDS, I_CHOSEN, I_CITIES, I_DECK, I_DOTS, I_GROWN, I_HAND, I_HELD, I_MOVER,
    I_NEAR, I_PAVED, I_PHASE, I_POINTS, I_ROADS, I_ROBBED, I_ROBBER, I_ROLLED, I_SECRET, I_SETTLED, I_SITES, I_STATIONS,
    I_STONES, I_TOWNS, I_TRAIL, I_TURNS, I_YIELDS, RESOURCES, ROLLS, SEAT_INPUTS, Tables
)


cdef inline uint16_t* inputs_of_seat(const Game* g, const Tables* t, int seat, bint known, int base,
                                     uint16_t* out) noexcept nogil:
    """List the inputs of a seat, and those of its secrets if they are known."""
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t lanes
    cdef int r, k
    for r in range(RESOURCES):
        if known:
            out = step_of(out, base + I_HAND + 5 * r, count_of(s.hand, r), 5)
        out = step_of(out, base + I_DOTS + 12 * r, count_of(s.dots, r), 12)
    for k in range(ROLLS):
        lanes = g.prod[k][seat] & LANES
        if lanes:
            for r in range(RESOURCES):
                out = step_of(out, base + I_YIELDS + 3 * (RESOURCES * k + r), count_of(lanes, r), 3)
    out = step_of(out, base + I_CARDS, total(s.hand), 15)
    if known:
        for k in range(CARD_TYPES):
            out = step_of(out, base + I_SECRET + 3 * k, count_of(s.dev, k), 3)
    out = step_of(out, base + I_ARMY, warriors(s), 6)
    out = step_of(out, base + I_STONES, s.stones, 6)
    out = step_of(out, base + I_POINTS, s.points + (secret_points(g, t, seat) if known else 0), 16)
    out = step_of(out, base + I_ROADS, s.n_roads, 15)
    out = step_of(out, base + I_TRAIL, s.length, 15)
    out = step_of(out, base + I_TOWNS, s.n_settlements, 5)
    out = step_of(out, base + I_CITIES, s.n_cities, 4)
    out = members(out, base + I_STATIONS, s.stations & 63)
    if g.road_holder == seat:
        out = step_of(out, base + I_HELD, 1, 1)
    if g.army_holder == seat:
        out = step_of(out, base + I_HELD + 1, 1, 1)
    if g.temple_holder == seat:
        out = step_of(out, base + I_HELD + 2, 1, 1)
    out = step_of(out, base + I_SITES, popcount(s.reach & ~g.blocked), 6)
    out = step_of(out, base + I_NEAR, popcount(one_road_on(g, s.reach) & ~s.reach & ~walls_of(g, seat) & ~g.blocked), 8)
    out = members(out, base + I_SETTLED, s.settlements)
    out = members(out, base + I_GROWN, s.cities)
    out = members(out, base + I_PAVED, s.roads)
    out = members(out, base + I_PAVED + 64, s.roads_high)
    return step_of(out, base + I_ROBBED, robbed_dots(g, t, seat), 10)


cdef inline int fill_inputs(const Game* g, const Tables* t, int mover, int viewer, uint16_t* out) noexcept nogil:
    """List the inputs that are 1, as far as `viewer` knows; returns their number.

    `mover` is the seat that decides, or below 0.
    """
    cdef uint16_t* at = out
    cdef int i, seat, base, n
    for i in range(t.players):
        seat = g.on_turn + i
        seat = seat - t.players if seat >= t.players else seat
        base = i * SEAT_INPUTS
        at = inputs_of_seat(g, t, seat, viewer == EVERYBODY or viewer == seat, base, at)
        if seat == mover:
            at = step_of(at, base + I_MOVER, 1, 1)
    base = t.players * SEAT_INPUTS
    for i in range(RESOURCES):
        n = count_of(g.bank, i)
        if n <= 8:
            at = step_of(at, base + I_BANK + 6 * i, n + 1 if n < 4 else 5 if n < 6 else 6, 6)
    at = step_of(at, base + I_DECK, (cards_in(g.deck) + 1) // 2, 13)
    at = step_of(at, base + I_PHASE, g.phase + 1, 21)
    at = step_of(at, base + I_ROLLED, g.dice, 1)
    at = step_of(at, base + I_CARDED, g.carded, 1)
    if g.robber != NOWHERE:
        at = step_of(at, base + I_ROBBER, g.robber + 1, 19)
    if g.phase == DISCARD or g.phase == TAKE or g.phase == FREE_ROADS:
        at = step_of(at, base + I_CHOSEN, g.left, 4)
    at = step_of(at, base + I_TURNS, g.turns // 10, 20)
    return <int> (at - out)
