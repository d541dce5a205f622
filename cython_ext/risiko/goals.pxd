"""RisiKo! knowledge: what objectives still lack, how likely each is, and what it would cost (RIS-10, 16.4)."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.battle cimport at_most
from sfida.cython_ext.risiko.board cimport (
    CONTINENTS, DESTROY, JOKER, NOBODY, REGIONS_PLUS, TERRITORY_COUNT, TRADE, Game, Objective, Tables,
    reinforcement, seat_of_color,
)
from sfida.cython_ext.risiko.cards cimport has_set
from sfida.cython_ext.risiko.objectives cimport effective
from sfida.cython_ext.risiko.odds cimport Odds, price_of
from sfida.cython_ext.state cimport EVERYBODY


cdef struct Goal:                       # what an objective asks of a seat
    uint64_t missing                    # territories of others that count for it
    uint64_t kept                       # own ones
    double steps                        # conquests, and armies to lift where armies count; 0: fulfilled
    double cost                         # armies for them, on average
    double done                         # share that is there


cdef inline bint knows_secrets(const Game* g, int viewer, int seat) noexcept nogil:
    return viewer == EVERYBODY or viewer == seat


cdef inline double cost_of(const Game* g, const Odds* k, uint64_t territories) noexcept nogil:
    cdef double sum = 0.0
    while territories:
        sum += price_of(k, g.armies[lowest(territories)])
        territories &= territories - 1
    return sum


cdef inline uint64_t neighbours_of(const Tables* t, uint64_t territories) noexcept nogil:
    cdef uint64_t found = 0
    while territories:
        found |= t.adjacent[lowest(territories)]
        territories &= territories - 1
    return found


cdef inline double cheapest(const Game* g, const Tables* t, const Odds* k, int seat, int n) noexcept nogil:
    """Armies for any `n` territories of others, the weakest neighbours first."""
    cdef int size[6]
    cdef uint64_t mask = neighbours_of(t, g.own[seat]) & ~g.own[seat]
    cdef int i, some
    cdef double sum = 0.0
    for i in range(6):
        size[i] = 0
    while mask:
        size[at_most(g.armies[lowest(mask)], 5)] += 1
        mask &= mask - 1
    for i in range(1, 6):
        some = at_most(size[i], n)
        n -= some
        sum += some * price_of(k, i)
    return sum + n * price_of(k, 3)     # beyond the neighbours


cdef inline uint64_t third_continents(const Game* g, const Tables* t, const Odds* k, int seat,
                                      const Objective* o) noexcept nogil:
    """The territories of the further continents that cost least."""
    cdef uint64_t found = 0
    cdef double cost, best
    cdef int i, pick, taken = 0, _n
    for _n in range(o.extra):
        best = 1e9
        pick = -1
        for i in range(CONTINENTS):
            if (o.others >> i) & 1 and not (taken >> i) & 1:
                cost = cost_of(g, k, t.continent[i] & ~g.own[seat])
                if cost < best:
                    best = cost
                    pick = i
        if pick >= 0:
            taken |= 1 << pick
            found |= t.continent[pick]
    return found


cdef inline void find_goal(const Game* g, const Tables* t, const Odds* k, int seat, int which,
                           Goal* goal) noexcept nogil:
    """What the objective still lacks if the seat holds it."""
    cdef const Objective* o = &t.objective[effective(g, t, seat, which)]
    cdef uint64_t own = g.own[seat], need
    cdef int n, strong, lift
    if o.type == TERRITORY_COUNT:
        n = popcount(own)
        goal.missing = t.all_territories & ~own
        goal.kept = own
        strong = n
        if o.min_armies > 1:
            strong = popcount(own & g.many)
        goal.done = <double> at_most(strong + n, 2 * o.count) / (2 * o.count)
        lift = at_most(o.count, n) - strong if strong < o.count else 0
        if lift < 0:
            lift = 0
        n = o.count - n
        if n < 0:
            n = 0
        goal.steps = n + 0.5 * lift
        goal.cost = cheapest(g, t, k, seat, n) + lift + (n if o.min_armies > 1 else 0)
        return
    if o.type == DESTROY:
        n = seat_of_color(g, t, o.color)
        goal.missing = g.own[n]
        goal.kept = 0
        goal.steps = popcount(g.own[n])
        goal.done = 1.0 - goal.steps / 14.0 if goal.steps < 14.0 else 0.0
        goal.cost = cost_of(g, k, g.own[n])
        return
    need = o.need
    if o.type == REGIONS_PLUS:
        need |= third_continents(g, t, k, seat, o)
    goal.missing = need & ~own
    goal.kept = need & own
    n = popcount(goal.missing)
    goal.steps = n
    goal.done = 1.0 - <double> n / popcount(need) if need else 1.0
    goal.cost = cost_of(g, k, goal.missing)
    need = goal.missing & ~neighbours_of(t, own)
    goal.cost += 0.4 * popcount(need)   # the way there


cdef inline uint32_t holdable(const Game* g, const Tables* t, int viewer, int seat) noexcept nogil:
    """Objectives that a seat may hold for all that `viewer` knows."""
    cdef uint32_t found = g.possible[seat]
    cdef int mine
    if knows_secrets(g, viewer, seat) or (t.reveal and g.eliminated_by[seat] != NOBODY):
        return <uint32_t> 1 << g.objective[seat] if g.objective[seat] < t.n_objectives else found
    if 0 <= viewer < t.players and g.objective[viewer] < t.n_objectives:
        mine = g.objective[viewer]
        if popcount(t.objective[mine].cards) == 1:
            found &= ~(<uint32_t> 1 << mine)
    return found


cdef inline double likelihood(const Tables* t, uint32_t among) noexcept nogil:
    """1 / the number of cards of these objectives."""
    cdef int n = 0
    while among:
        n += popcount(t.objective[lowest(among)].cards)
        among &= among - 1
    return 1.0 / n if n else 0.0


# ---- means ------------------------------------------------------------------------------------------


cdef inline int best_set(const Game* g, const Tables* t, uint64_t hand, uint64_t own) noexcept nogil:
    """Armies for the best set of a hand; 0: it holds none."""
    cdef int i, n, some, best = 0, mixed = 0
    cdef uint64_t part
    cdef bint each = True
    if not has_set(t, hand):
        return 0
    for i in range(3):
        part = hand & t.symbol[i]
        n = popcount(part)
        some = popcount(part & own)
        each = each and n > 0
        mixed += some > 0
        if n > 2 and t.class_value[i] + t.card_bonus * at_most(some, 3) > best:
            best = t.class_value[i] + t.card_bonus * at_most(some, 3)
        if n > 1 and hand & t.symbol[JOKER] and t.class_value[4 + i] + t.card_bonus * at_most(some, 2) > best:
            best = t.class_value[4 + i] + t.card_bonus * at_most(some, 2)
    if each and t.class_value[3] + t.card_bonus * mixed > best:
        best = t.class_value[3] + t.card_bonus * mixed
    return best


cdef inline double armies_of_sets(const Game* g, const Tables* t, int viewer, int seat) noexcept nogil:
    """Armies that a seat may be expected to trade in at its next turn."""
    cdef int n = popcount(g.hand[seat])
    if n < 3:
        return 0.0
    if knows_secrets(g, viewer, seat):
        return best_set(g, t, g.hand[seat], g.own[seat]) + (8.0 if n > 7 else 0.0)
    return (3.2 if n == 3 else 8.2 if n == 4 else 10.5) + (8.0 if n > 7 else 0.0)


cdef inline int spare_in(const Game* g, uint64_t territories) noexcept nogil:
    """Armies there beyond one each."""
    cdef int sum = 0
    territories &= g.many
    while territories:
        sum += g.armies[lowest(territories)] - 1
        territories &= territories - 1
    return sum


cdef inline double fresh_armies(const Game* g, const Tables* t, int viewer, int seat) noexcept nogil:
    """Armies that a seat places in its next turn, or still in its present one."""
    if seat == g.on_turn and g.round:
        return g.left + (armies_of_sets(g, t, viewer, seat) if g.phase == TRADE else 0.0)
    return reinforcement(g, t, seat) + armies_of_sets(g, t, viewer, seat) + (g.stock[seat] >> 1)


cdef inline double shortfall(const Game* g, const Tables* t, const Odds* k, int seat, const Goal* goal,
                             bint anywhere) noexcept nogil:
    """Armies that must be added for what is missing: each region of it is attacked by the stacks around it."""
    cdef uint64_t left = goal.missing, region, grown, around
    cdef double sum = 0.0, x
    if anywhere:
        around = neighbours_of(t, ~g.own[seat] & t.all_territories) & g.own[seat]
        x = goal.cost - 0.9 * spare_in(g, around)
        return x if x > 0.0 else 0.0
    while left:
        region = left & (0 - left)
        while True:
            around = neighbours_of(t, region)
            grown = region | (around & left)
            if grown == region:
                break
            region = grown
        left &= ~region
        around &= g.own[seat]
        x = cost_of(g, k, region) + (0.0 if around else 4.0) - 0.9 * spare_in(g, around)
        if x > 0.0:
            sum += x
    return sum
