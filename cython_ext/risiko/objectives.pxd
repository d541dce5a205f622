"""RisiKo!: objectives, victory, points (RIS-10, 11.7 to 11.11, 16.4, 17)."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.board cimport (
    CONTINENTS, DESTROY, GAME_OVER, NOBODY, REGIONS, TERRITORY_COUNT, UNWATCHED, Game, Objective, Tables, bit, order_of,
    seat_of_color,
)


cdef inline int held_territories(const Game* g, const Tables* t, int seat, int least) noexcept nogil:
    """Territories of a seat with at least `least` armies."""
    cdef uint64_t mask = g.own[seat]
    cdef int n = 0
    if least <= 1:
        return popcount(mask)
    if least == 2:
        return popcount(mask & g.many)
    while mask:
        n += g.armies[lowest(mask)] >= least
        mask &= mask - 1
    return n


cdef inline int whole_continents(const Game* g, const Tables* t, int seat, uint64_t among) noexcept nogil:
    cdef int i, n = 0
    for i in range(CONTINENTS):
        if (among >> i) & 1 and (g.own[seat] & t.continent[i]) == t.continent[i]:
            n += 1
    return n


cdef inline int effective(const Game* g, const Tables* t, int seat, int which) noexcept nogil:
    """The objective that counts for the seat: of a `destroy` that cannot be had any more the fall-back (RIS-10.5)."""
    cdef const Objective* o = &t.objective[which]
    cdef int victim
    if o.type != DESTROY:
        return which
    victim = seat_of_color(g, t, o.color)
    if victim == NOBODY or victim == seat:
        return o.fallback
    if g.eliminated_by[victim] == NOBODY or g.eliminated_by[victim] == seat:
        return which
    return o.fallback


cdef inline bint is_true(const Game* g, const Tables* t, int seat, int which) noexcept nogil:
    """The seat would have fulfilled this objective if it held it."""
    cdef const Objective* o
    if which >= t.n_objectives:         # hidden in a view
        return False
    which = effective(g, t, seat, which)
    o = &t.objective[which]
    if o.type == TERRITORY_COUNT:
        return held_territories(g, t, seat, o.min_armies) >= o.count
    if o.type == DESTROY:
        return g.eliminated_by[seat_of_color(g, t, o.color)] == seat
    if (g.own[seat] & o.need) != o.need:
        return False
    return o.type == REGIONS or whole_continents(g, t, seat, o.others) >= o.extra


cdef inline bint test_victory(Game* g, const Tables* t, uint32_t among) noexcept nogil:
    """Test the seat on turn (RIS-10.6): the game ends, or the true ones of these objectives are not its (RIS-16.4)."""
    cdef int seat = g.on_turn, i
    cdef uint32_t left
    i = g.objective[seat]
    if i < t.n_objectives and (among >> i) & 1 and is_true(g, t, seat, i):
        g.phase = GAME_OVER
        g.winner = seat
        return True
    if g.world < UNWATCHED:
        left = g.possible[seat] & among
        while left:
            i = lowest(left)
            left &= left - 1
            if is_true(g, t, seat, i):
                g.possible[seat] &= ~(<uint32_t> 1 << i)
    return False


# ---- results ----------------------------------------------------------------------------------------


cdef inline int worth(const Tables* t, uint64_t territories) noexcept nogil:
    """Sum of the values of territories."""
    cdef int sum = 0
    while territories:
        sum += t.value[lowest(territories)]
        territories &= territories - 1
    return sum


cdef inline int points_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Points of a seat at the end (RIS-11.10, 11.11)."""
    if seat == g.winner:
        return t.completed
    if g.objective[seat] >= t.n_objectives:
        return 0
    return worth(t, g.own[seat] & t.objective[g.objective[seat]].need)


cdef inline uint64_t standing(const Game* g, const Tables* t, int seat) noexcept nogil:
    """A number that is larger for the better rank at the end, equal for a shared one (RIS-17)."""
    cdef uint64_t key
    cdef bint lives = (g.alive >> seat) & 1
    if not t.rank_by_points:
        if g.winner != NOBODY:
            return seat == g.winner
        return lives
    key = <uint64_t> points_of(g, t, seat) + (<uint64_t> (seat == g.winner) << 40)
    if not t.rtu_ties:
        return key
    if not lives:
        return g.eliminated_round[seat]
    key = (key << 16) + <uint64_t> worth(t, g.own[seat] & ~t.objective[g.objective[seat]].need)
    return (key << 4) + <uint64_t> order_of(g, t, seat) + bit(20)
