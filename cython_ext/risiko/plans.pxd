"""RisiKo! knowledge: what each territory is worth to a seat, in armies.

Worth counts what conquering it, or keeping it, brings: the objective, continents, an enemy's continents and objective,
an elimination. A march is a row of conquests by one stack.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.battle cimport forbids_elimination, protected_targets
from sfida.cython_ext.risiko.board cimport (
    CONTINENTS, TERRITORIES, Game, Tables, bit,
)
from sfida.cython_ext.risiko.goals cimport Goal, find_goal, holdable, likelihood, neighbours_of
from sfida.cython_ext.risiko.odds cimport Odds, price_of, win_chance
from sfida.cython_ext.risiko.weights cimport Weights


cdef enum:
    MARCH = 10                          # conquests of a march at most


cdef struct Plan:                       # of a seat
    int seat
    uint64_t protected                  # territories that no throw of this round may conquer (RIS-9.6)
    Goal goal
    double worth[TERRITORIES]           # of taking it, or of keeping what is owned
    double field[TERRITORIES]           # how much there is to gain near it


cdef inline double nearness(double steps) noexcept nogil:
    """Share of a whole that one more step is, with so many to go."""
    if steps < 1.0:
        steps = 1.0
    return 2.0 / (steps * (steps + 1.0))


cdef inline double hardness(const Goal* goal) noexcept nogil:
    """Steps to go, with those against stacks counting more."""
    return 0.5 * (goal.steps + goal.cost / 1.6)


cdef inline void add(Plan* p, uint64_t territories, double x) noexcept nogil:
    while territories:
        p.worth[lowest(territories)] += x
        territories &= territories - 1


cdef inline void add_goal(Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w) noexcept nogil:
    """The seat's own objective; points besides in a tournament (RIS-11.10)."""
    cdef uint64_t mask, far
    cdef double x, late = 0.0
    cdef int i
    if g.objective[p.seat] >= t.n_objectives:
        return
    find_goal(g, t, k, p.seat, g.objective[p.seat], &p.goal)
    x = hardness(&p.goal)
    add(p, p.goal.missing, w.k.step + w.k.goal * nearness(x))
    far = p.goal.missing & ~neighbours_of(t, g.own[p.seat])
    mask = far
    for i in range(3):                  # the way to what is out of reach
        mask = neighbours_of(t, mask) & ~far
        far |= mask
        add(p, mask & ~p.goal.missing & ~g.own[p.seat], w.way[i] * w.k.goal * nearness(x))
    add(p, p.goal.kept, w.k.keep * (w.k.step + w.k.goal * nearness(x + 1.0)))
    if t.points:
        if t.round_limit:
            late = <double> g.round / t.round_limit
        x = w.k.points * (0.3 + 2.0 * late * late * late)
        mask = t.objective[g.objective[p.seat]].need
        while mask:
            i = lowest(mask)
            mask &= mask - 1
            p.worth[i] += x * t.value[i]


cdef inline void add_continents(Plan* p, const Game* g, const Tables* t, const Weights* w) noexcept nogil:
    cdef uint64_t all, mine
    cdef int c, e, n, k
    cdef double x
    for c in range(CONTINENTS):
        all = t.continent[c]
        mine = all & g.own[p.seat]
        n = popcount(all & ~mine)
        x = w.k.bonus * t.bonus[c]
        if n == 0:
            add(p, mine, w.k.keep * x)
            continue
        add(p, all & ~mine, x * nearness(n))
        if mine:
            add(p, mine, 0.5 * w.k.keep * x * nearness(n + 1.0))
        for e in range(t.players):
            k = popcount(all & ~g.own[e])
            if e == p.seat or k > 2:
                continue
            x = w.k.deny * t.bonus[c]
            if k == 0:
                add(p, all, x)
            else:
                add(p, mine, x * nearness(k + 1.0))


cdef inline void add_enemies(Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w,
                             int viewer) noexcept nogil:
    """What enemies need for their objectives, and what their elimination brings (RIS-9.2)."""
    cdef Goal goal
    cdef uint32_t among
    cdef double share, x
    cdef int e, which, n
    for e in range(t.players):
        if e == p.seat or not (g.alive >> e) & 1:
            continue
        among = holdable(g, t, viewer, e)
        share = likelihood(t, among)
        while among:
            which = lowest(among)
            among &= among - 1
            find_goal(g, t, k, e, which, &goal)
            x = hardness(&goal)
            if x > 6.0:
                continue
            x = w.k.stop * w.k.goal * share * popcount(t.objective[which].cards) * nearness(x + 1.0)
            add(p, goal.kept, x)
            add(p, goal.missing & g.own[p.seat], x)
        n = popcount(g.own[e])
        if n < 5 and (n > 1 or not forbids_elimination(t, g.round)):
            add(p, g.own[e], (w.k.prize * popcount(g.hand[e]) + w.k.rival) * nearness(n))


cdef inline void spread_field(Plan* p, const Game* g, const Tables* t) noexcept nogil:
    """What lies around each territory: all of the best neighbour, and a share of what is farther off."""
    cdef uint64_t own = g.own[p.seat], mask
    cdef double x
    cdef int i, j, _sweep
    for i in range(TERRITORIES):
        mask = t.adjacent[i] & ~own
        x = 0.0
        while mask:
            j = lowest(mask)
            mask &= mask - 1
            if p.worth[j] > x:
                x = p.worth[j]
        p.field[i] = x
    for _sweep in range(3):
        for i in range(TERRITORIES):
            mask = t.adjacent[i] & own
            x = p.field[i]
            while mask:
                j = lowest(mask)
                mask &= mask - 1
                if 0.6 * p.field[j] > x:
                    x = 0.6 * p.field[j]
            p.field[i] = x


cdef inline void make_plan(Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int seat,
                           int viewer) noexcept nogil:
    cdef uint64_t own = g.own[seat]
    cdef int i, n
    p.seat = seat
    p.protected = protected_targets(g, t)
    p.goal.missing = 0
    p.goal.kept = 0
    p.goal.steps = 99.0
    p.goal.cost = 999.0
    for i in range(TERRITORIES):
        n = popcount(t.adjacent[i] & own)
        p.worth[i] = w.k.land + (0.0 if (own >> i) & 1 else w.k.link * (2 * n - popcount(t.adjacent[i])))
    add_goal(p, g, t, k, w)
    add_continents(p, g, t, w)
    add_enemies(p, g, t, k, w, viewer)
    spread_field(p, g, t)


# ---- stacks -----------------------------------------------------------------------------------------


cdef inline double march(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int i,
                         int armies) noexcept nogil:
    """Worth of what a stack of `armies` on an own territory, or one just taken, may be expected to conquer now."""
    cdef uint64_t left = ~g.own[p.seat] & ~bit(i) & ~p.protected, mask
    cdef double sum = 0.0, alive = 1.0, x, best, chance, cost, steps = p.goal.steps
    cdef int j, pick = 0, _n
    if g.conquests == 0:
        sum = w.k.card * win_chance(k, armies, 1) if t.adjacent[i] & left else 0.0
    for _n in range(MARCH):
        if armies < 3:
            break
        mask = t.adjacent[i] & left
        best = 0.0
        cost = 0.0
        while mask:
            j = lowest(mask)
            mask &= mask - 1
            if g.armies[j] >= armies:
                continue
            chance = win_chance(k, armies, g.armies[j])
            x = chance * p.worth[j] - w.k.army * (price_of(k, g.armies[j]) - 1.0)
            if x > best:
                best = x
                pick = j
        if best <= 0.0:
            break
        sum += alive * best
        alive *= win_chance(k, armies, g.armies[pick])
        cost = price_of(k, g.armies[pick])
        if (p.goal.missing >> pick) & 1:
            steps -= 1.0
            if steps <= 0.0:
                return sum + alive * w.k.goal
        left &= ~bit(pick)
        armies -= <int> (cost + 0.5)
        i = pick
    return sum


cdef inline double danger(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Weights* w, int i,
                          int armies) noexcept nogil:
    """Chance that an own territory with so many armies falls before the seat's next turn."""
    cdef uint64_t mask = t.adjacent[i] & ~g.own[p.seat]
    cdef int n, most = 0, more = 0
    while mask:
        n = g.armies[lowest(mask)]
        mask &= mask - 1
        if n > most:
            most = n
        more += n - 1
    if more == 0 and most == 0:
        return 0.0
    return w.k.fear * win_chance(k, most + 3 + ((more - most) >> 3), armies)
