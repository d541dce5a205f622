"""RisiKo!: the sparse inputs of learned evaluations (`parameters.py` says what each is)."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.inputs cimport members, step_of
from sfida.cython_ext.risiko.board cimport (
    DEFEND, DESTROY, OCCUPY, SETUP_PLACE, TERRITORY_COUNT, Game, effective, is_luck, reinforcement, worth
)
from sfida.cython_ext.risiko.features cimport Goal, Odds, best_set, find_goal, knows_secrets
from sfida.cython_ext.risiko.tables cimport (
    CONTINENTS, I_ALIVE, I_BALANCE, I_CARDS, I_CONQUESTS, I_COST, I_EXCLUDED, I_FORCE, I_FRONTS, I_HELD, I_HOLDERS,
    I_INCOME, I_KEEPS, I_LACKS, I_LAND, I_LEFT, I_MOVER, I_OBJECTIVE, I_ORIGIN, I_PHASE, I_POINTS, I_PREY, I_READY,
    I_ROUND, I_SET, I_SHOWN, I_SIZE, I_STEPS, I_STOCK, I_SYMBOLS, I_TARGET, SEAT_INPUTS, SYMBOLS, Tables
)


cdef inline int stack_class(int n) noexcept nogil:
    """Class of the armies on a territory, 0 to 6."""
    if n < 5:
        return n - 1 if n > 1 else 0
    return 4 if n < 7 else 5 if n < 10 else 6


cdef inline int lead_class(int n) noexcept nogil:
    """Class of the armies beyond those of an enemy, 0 to 5."""
    if n <= 0:
        return 0 if n < -5 else 1 if n < -2 else 2
    return 3 if n < 3 else 4 if n < 6 else 5


cdef inline uint16_t* inputs_of_stacks(const Game* g, int first, uint64_t territories, uint16_t* out) noexcept nogil:
    """List the class of the armies on each of the territories."""
    cdef int i
    while territories:
        i = lowest(territories)
        territories &= territories - 1
        out[0] = <uint16_t> (first + 7 * i + stack_class(g.armies[i]))
        out += 1
    return out


cdef inline uint16_t* inputs_of_fronts(const Game* g, const Tables* t, int seat, int base,
                                       uint16_t* out) noexcept nogil:
    """List the inputs of own territories with enemy neighbours."""
    cdef uint64_t mask = g.own[seat], enemies
    cdef int i, n, most, fronts = 0, ready = 0
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        enemies = t.adjacent[i] & ~g.own[seat]
        if not enemies:
            continue
        most = 0
        while enemies:
            n = g.armies[lowest(enemies)]
            enemies &= enemies - 1
            most = n if n > most else most
        n = g.armies[i]
        out[0] = <uint16_t> (base + I_BALANCE + 6 * i + lead_class(n - most))
        out += 1
        fronts += 1
        ready += n - 1
    out = step_of(out, base + I_FRONTS, fronts, 16)
    return step_of(out, base + I_READY, (ready + 1) // 2, 20)


cdef inline uint16_t* inputs_of_goal(const Game* g, const Tables* t, const Odds* k, int seat, int base,
                                     uint16_t* out) noexcept nogil:
    """List the inputs of the objective of a seat."""
    cdef Goal goal
    cdef int which = effective(g, t, seat, g.objective[seat]), type = t.objective[which].type, i, other
    find_goal(g, t, k, seat, which, &goal)
    out = step_of(out, base + I_OBJECTIVE + which, 1, 1)
    out = step_of(out, base + I_STEPS + 12 * which, 1 + <int> (goal.steps + 0.5), 12)
    out = step_of(out, base + I_COST, 1 + <int> (0.5 * goal.cost), 20)
    if type == TERRITORY_COUNT:
        return out
    out = inputs_of_stacks(g, base + I_LACKS, goal.missing, out)
    out = members(out, base + I_KEEPS, goal.kept)
    for i in range(1, t.players):
        other = seat + i if seat + i < t.players else seat + i - t.players
        out = step_of(out, base + (I_PREY if type == DESTROY else I_HOLDERS) + 8 * (i - 1),
                      popcount(goal.missing & g.own[other]), 8)
    if t.points:
        out = step_of(out, base + I_POINTS, worth(t, goal.kept) // 4, 22)
    return out


cdef inline uint16_t* inputs_of_seat(const Game* g, const Tables* t, const Odds* k, int seat, bint known, int base,
                                     uint16_t* out) noexcept nogil:
    """List the inputs of a seat, and those of its secrets if they are known."""
    cdef uint64_t own = g.own[seat], hand = g.hand[seat]
    cdef int i
    out = inputs_of_stacks(g, base + I_LAND, own, out)
    out = inputs_of_fronts(g, t, seat, base, out)
    for i in range(CONTINENTS):
        out = step_of(out, base + I_HELD + 12 * i, popcount(own & t.continent[i]), 12)
    out = step_of(out, base + I_SIZE, popcount(own), 24)
    out = step_of(out, base + I_FORCE, <int> (g.total[seat] + 4) // 5, 24)
    out = step_of(out, base + I_INCOME, reinforcement(g, t, seat), 20)
    out = step_of(out, base + I_STOCK, (g.stock[seat] + 2) // 3, 10)
    out = step_of(out, base + I_CARDS, popcount(hand), 8)
    if not known:
        return members(out, base + I_EXCLUDED, ~g.possible[seat] & ((<uint64_t> 1 << t.n_objectives) - 1))
    for i in range(SYMBOLS):
        out = step_of(out, base + I_SYMBOLS + 3 * i, popcount(hand & t.symbol[i]), 3)
    out = step_of(out, base + I_SHOWN, popcount(hand & own), 4)
    out = step_of(out, base + I_SET, best_set(g, t, hand, own) // 2, 8)
    if g.objective[seat] < t.n_objectives:      # hidden in a view
        out = inputs_of_goal(g, t, k, seat, base, out)
    return out


cdef inline int fill_inputs(const Game* g, const Tables* t, const Odds* k, int viewer,
                            uint16_t* out) noexcept nogil:
    """List the inputs that are 1, as far as `viewer` knows; returns their number, 0 before the deal."""
    cdef uint16_t* at = out
    cdef int i, seat, base
    cdef bint luck = is_luck(g.phase)
    if g.phase < SETUP_PLACE:
        return 0
    for i in range(t.players):
        seat = g.on_turn + i
        seat = seat - t.players if seat >= t.players else seat
        if not (g.alive >> seat) & 1:
            continue
        base = i * SEAT_INPUTS
        at = step_of(at, base + I_ALIVE, 1, 1)
        at = step_of(at, base + I_MOVER, seat == g.mover and not luck, 1)
        at = inputs_of_seat(g, t, k, seat, knows_secrets(g, viewer, seat), base, at)
    base = t.players * SEAT_INPUTS
    at = step_of(at, base + I_PHASE, g.phase + 1, 16)
    at = step_of(at, base + I_ROUND, g.round, 40)
    at = step_of(at, base + I_LEFT, g.left, 30)
    at = step_of(at, base + I_CONQUESTS, g.conquests, 4)
    if DEFEND <= g.phase <= OCCUPY:
        at = step_of(at, base + I_ORIGIN, g.origin + 1, 42)
        at = step_of(at, base + I_TARGET, g.target + 1, 42)
    return <int> (at - out)
