"""RisiKo! evaluation: win probabilities, and the worth in armies of territories to a seat and of moves to their mover.

The worth of a territory is what conquering or keeping it brings: the objective, continents, an enemy's continents
and objective, an elimination. A march is a sequence of conquests by one stack.

Only public data and the mover's own secrets are read, unless the plan was made for a world in which no further
decisions are made.
"""

from libc.math cimport exp
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.learned cimport MOST_ACTIVE, Net, net_shares, wide_shares
from sfida.cython_ext.risiko.board cimport (
    ATTACK, FORTIFY, K_ATTACK, K_END_ATTACK, K_END_TRADE, K_END_TURN, K_SAFE_ASSAULT, OCCUPY, PLACE, SETUP_PLACE,
    TERRITORY_COUNT, TRADE, Game, amount_of, bit, effective, kind_of, origin_of, set_worth, target_of
)
from sfida.cython_ext.risiko.features cimport (
    Goal, Odds, add_further, fill_features, find_goal, fit_stacks, holdable, likelihood, neighbours_of, price_of,
    win_chance
)
from sfida.cython_ext.risiko.inputs cimport fill_inputs
from sfida.cython_ext.risiko.moves cimport at_most, forbids_elimination, protected_targets
from sfida.cython_ext.risiko.tables cimport (
    ALL_FEATURES, CONTINENTS, F_POINTS, FEATURES, SEATS, TERRITORIES, Coefficients, Objective, Tables
)
from sfida.cython_ext.state cimport move_t

# ---- win probabilities -------------------------------------------------------------------------------------


cdef inline void evaluate_position(const Game* g, const Tables* t, const Odds* k, const Coefficients* w, const Net* net,
                                   int viewer, double* win, double* score) noexcept nogil:
    """Compute win probabilities, and territories or points, by what `viewer` may know."""
    cdef double x[SEATS][FEATURES]
    cdef double all[SEATS * ALL_FEATURES]
    cdef uint16_t active[MOST_ACTIVE]
    cdef double top = -1e300, sum = 0.0
    cdef int i, j
    for i in range(t.players):
        win[i] = 1.0 / t.players
        score[i] = 0.0
    if g.phase < SETUP_PLACE:
        return
    fill_features(g, t, k, viewer, x)
    for i in range(t.players):
        score[i] = 86.0 * x[i][F_POINTS] if t.points else popcount(g.own[i])
    if net != NULL:
        add_further(g, t, viewer, x, all)
        if net.wide != NULL:
            wide_shares(net.wide, all, active, fill_inputs(g, t, k, viewer, active), g.on_turn, g.alive, win)
        else:
            net_shares(net, all, g.alive, win)
        return
    for i in range(t.players):
        win[i] = 0.0
        if not (g.alive >> i) & 1:
            continue
        for j in range(FEATURES):
            win[i] += w.win[j] * x[i][j]
        top = win[i] if win[i] > top else top
    for i in range(t.players):
        win[i] = exp(win[i] - top) if (g.alive >> i) & 1 else 0.0
        sum += win[i]
    for i in range(t.players):
        win[i] /= sum


cdef inline double max_of(double a, double b) noexcept nogil:
    return a if a > b else b


# ---- plans of a seat ------------------------------------------------------------------------------------------


cdef enum:
    MARCH = 10                          # most conquests of a march
    SWEEPS = 3                          # of `field_of`


cdef struct Plan:                       # plan of a seat
    int seat
    uint64_t protected                  # territories that no throw of this round may conquer (RIS-9.6)
    Goal goal
    double worth[TERRITORIES]           # worth of taking a territory, or of keeping an own one
    double most                         # largest worth of an enemy neighbour


cdef inline double nearness(double steps) noexcept nogil:
    """Share of the whole objective that the next step is, by the number of steps to go."""
    if steps < 1.0:
        steps = 1.0
    return 2.0 / (steps * (steps + 1.0))


cdef inline double hardness(const Goal* goal) noexcept nogil:
    """Steps to go, weighted by the stacks to defeat."""
    return 0.5 * (goal.steps + goal.cost / 1.6)


cdef inline void add(Plan* p, uint64_t territories, double x) noexcept nogil:
    while territories:
        p.worth[lowest(territories)] += x
        territories &= territories - 1


cdef inline void add_goal(Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w) noexcept nogil:
    """Add the seat's own objective, and the points in a tournament (RIS-11.10)."""
    cdef uint64_t mask, far
    cdef double x, late = 0.0
    cdef int i
    if g.objective[p.seat] >= t.n_objectives:
        return
    find_goal(g, t, k, p.seat, g.objective[p.seat], &p.goal)
    x = hardness(&p.goal)
    add(p, p.goal.missing, w.step + w.goal * nearness(x))
    far = p.goal.missing & ~neighbours_of(t, g.own[p.seat])
    mask = far
    for i in range(3):                  # the way to distant targets
        mask = neighbours_of(t, mask) & ~far
        far |= mask
        add(p, mask & ~p.goal.missing & ~g.own[p.seat], w.way[i] * w.goal * nearness(x))
    add(p, p.goal.kept, w.keep * (w.step + w.goal * nearness(x + 1.0)))
    if t.points:
        if t.round_limit:
            late = <double> g.round / t.round_limit
        x = w.points * (0.3 + 2.0 * late * late * late)
        mask = t.objective[g.objective[p.seat]].need
        while mask:
            i = lowest(mask)
            mask &= mask - 1
            p.worth[i] += x * t.value[i]


cdef inline void add_continents(Plan* p, const Game* g, const Tables* t, const Coefficients* w) noexcept nogil:
    cdef uint64_t all, mine
    cdef int c, e, n, k
    cdef double x
    for c in range(CONTINENTS):
        all = t.continent[c]
        mine = all & g.own[p.seat]
        n = popcount(all & ~mine)
        x = w.bonus * t.bonus[c]
        if n == 0:
            add(p, mine, w.keep * x)
            continue
        add(p, all & ~mine, x * nearness(n))
        if mine:
            add(p, mine, 0.5 * w.keep * x * nearness(n + 1.0))
        for e in range(t.players):
            k = popcount(all & ~g.own[e])
            if e == p.seat or k > 2:
                continue
            x = w.deny * t.bonus[c]
            if k == 0:
                add(p, all, x)
            else:
                add(p, mine, x * nearness(k + 1.0))


cdef inline void add_enemies(Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                             int viewer) noexcept nogil:
    """Add what enemies need for their objectives, and the gain of their elimination (RIS-9.2)."""
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
            x = w.stop * w.goal * share * popcount(t.objective[which].cards) * nearness(x + 1.0)
            add(p, goal.kept, x)
            add(p, goal.missing & g.own[p.seat], x)
        n = popcount(g.own[e])
        if n < 5 and (n > 1 or not forbids_elimination(t, g.round)):
            add(p, g.own[e], (w.prize * popcount(g.hand[e]) + w.rival) * nearness(n))


cdef inline double best_worth(const Plan* p, uint64_t territories) noexcept nogil:
    cdef double x = 0.0, y
    while territories:
        y = p.worth[lowest(territories)]
        territories &= territories - 1
        x = y if y > x else x
    return x


cdef inline double passed_on(const Plan* p, const Game* g, const Tables* t, uint64_t territories,
                             int steps) noexcept nogil:
    """What own territories pass on so many steps far."""
    cdef double x = best_worth(p, neighbours_of(t, territories) & ~g.own[p.seat])
    cdef int _step
    for _step in range(steps):
        x *= 0.6
    return x


cdef inline double far_field(const Plan* p, const Game* g, const Tables* t, int i, double best) noexcept nogil:
    """`field_of` a territory whose own neighbours may pass on more than `best`; sweeps matter beyond three steps."""
    cdef uint64_t at[SWEEPS + 1]        # own territories at the next distance, by the sweeps that are left
    cdef uint64_t own = g.own[p.seat], ring = bit(i), seen = ring, mask, around, low
    cdef double top = 0.6 * p.most
    cdef int j, s, steps
    for steps in range(1, SWEEPS + 1):
        ring = neighbours_of(t, ring) & own & ~seen
        seen |= ring
        if not ring:
            return best
        best = max_of(best, passed_on(p, g, t, ring, steps))
        top *= 0.6
        if top <= best:
            return best
    memset(at, 0, sizeof(at))
    at[SWEEPS] = bit(i)
    steps = 0
    while True:
        steps += 1
        at[0] = 0
        for s in range(1, SWEEPS + 1):
            mask = at[s]
            at[s] = 0
            while mask:
                j = lowest(mask)
                mask &= mask - 1
                low = bit(j) - 1
                around = t.adjacent[j] & own
                at[s] |= around & low
                at[s - 1] |= around & ~low
        if steps <= SWEEPS:
            continue
        mask = at[0] | at[1] | at[2] | at[3]
        if not mask:
            return best
        best = max_of(best, passed_on(p, g, t, mask, steps))
        top *= 0.6
        if top <= best:
            return best


cdef inline double field_of(const Plan* p, const Game* g, const Tables* t, int i) noexcept nogil:
    """Possible gain in the neighbourhood: all of the best enemy, or a share of what own territories pass on.

    They pass it on in sweeps by ascending numbers: a step down waits for the next sweep. The steps are followed
    backwards from `i`, as long as the best enemy of all could still matter.
    """
    cdef double best = best_worth(p, t.adjacent[i] & ~g.own[p.seat])
    return best if 0.6 * p.most <= best else far_field(p, g, t, i, best)


cdef inline void make_plan(Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w, int seat,
                           int viewer) noexcept nogil:
    cdef uint64_t own = g.own[seat], mask
    cdef int i
    p.seat = seat
    p.protected = protected_targets(g, t)
    p.goal.missing = 0
    p.goal.kept = 0
    p.goal.steps = 99.0
    p.goal.cost = 999.0
    for i in range(TERRITORIES):
        p.worth[i] = w.land
    mask = t.all_territories & ~own
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        p.worth[i] += w.link * (2 * popcount(t.adjacent[i] & own) - popcount(t.adjacent[i]))
    add_goal(p, g, t, k, w)
    add_continents(p, g, t, w)
    add_enemies(p, g, t, k, w, viewer)
    p.most = best_worth(p, neighbours_of(t, own) & ~own)


# ---- chances and dangers of a stack ----------------------------------------------------


cdef inline double march(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w, int i,
                         int armies) noexcept nogil:
    """Expected worth of the conquests of a stack of `armies` on an own or just conquered territory."""
    cdef uint64_t left = ~g.own[p.seat] & ~bit(i) & ~p.protected, mask
    cdef double sum = 0.0, alive = 1.0, x, best, chance, cost, steps = p.goal.steps
    cdef int j, pick = 0, _n
    if g.conquests == 0:
        sum = w.card * win_chance(k, armies, 1) if t.adjacent[i] & left else 0.0
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
            x = chance * p.worth[j] - w.army * (price_of(k, g.armies[j]) - 1.0)
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
                return sum + alive * w.goal
        left &= ~bit(pick)
        armies -= <int> (cost + 0.5)
        i = pick
    return sum


cdef inline int threat_to(const Plan* p, const Game* g, const Tables* t, int i) noexcept nogil:
    """Armies that may attack an own territory before the seat's next turn."""
    cdef uint64_t mask = t.adjacent[i] & ~g.own[p.seat]
    cdef int n, most = 0, more = 0
    while mask:
        n = g.armies[lowest(mask)]
        mask &= mask - 1
        if n > most:
            most = n
        more += n - 1
    return most + 3 + ((more - most) >> 3) if most else 0


cdef struct Site:                       # what a stack on an own territory finds there, whatever its size
    double worth
    double field
    int threat


cdef inline Site site_of(const Plan* p, const Game* g, const Tables* t, int i) noexcept nogil:
    cdef Site site
    site.worth = p.worth[i]
    site.field = field_of(p, g, t, i)
    site.threat = threat_to(p, g, t, i)
    return site


cdef inline double danger(const Odds* k, const Coefficients* w, int threat, int armies) noexcept nogil:
    """Probability that an own territory with that many armies falls before the seat's next turn."""
    return w.fear * win_chance(k, threat, armies) if threat else 0.0


# ---- worth of moves ---------------------------------------------------------------------------


cdef enum:
    SILLY = -1000000                    # worth of a pointless move: it hardly counts among the priors


# ---- placement of armies ----------------------------------------------------------------------------------


cdef inline bint counts_armies(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Whether the seat's objective requires more than one army on each territory."""
    return (t.by_armies >> g.objective[seat]) & 1 if g.objective[seat] < t.n_objectives else False


cdef inline int to_lift(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Number of territories that lack a second army for an otherwise complete objective (RIS-18.18); 0: none."""
    cdef const Objective* o
    cdef int n
    if g.objective[seat] >= t.n_objectives:
        return 0
    o = &t.objective[effective(g, t, seat, g.objective[seat])]
    if o.type != TERRITORY_COUNT or o.min_armies < 2 or popcount(g.own[seat]) < o.count:
        return 0
    n = o.count - popcount(g.own[seat] & g.many)
    return n if n > 0 else 0


cdef inline double placed_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                                const Site* site, int i, int n, int later) noexcept nogil:
    """Worth of `n` more armies on an own territory, when `later` more are still to come (setup)."""
    cdef int a = g.armies[i]
    cdef double x = 0.02 * n * site.field
    if site.threat == 0 or n == 0:
        return x
    x += march(p, g, t, k, w, i, a + n + later) - march(p, g, t, k, w, i, a + later)
    return x + site.worth * (danger(k, w, site.threat, a) - danger(k, w, site.threat, a + n))


cdef inline void weigh_places(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                              const move_t* moves, int n, double* out) noexcept nogil:
    """Fill the worth of placements: an amount counts with the best use of the remaining armies."""
    cdef double worth[TERRITORIES][5]
    cdef double first[5]
    cdef double second[5]
    cdef Site site
    cdef int who[5]
    cdef int amount[5]
    cdef int left = g.left, i, j, s, m, later = 0, lift = to_lift(g, t, p.seat)
    cdef uint64_t mask = g.own[p.seat], lifts = 0
    cdef bint armies_count = counts_armies(g, t, p.seat)
    if g.phase == SETUP_PLACE:
        later = 3 + g.stock[p.seat] // 3
    elif lift and lift <= left:
        lifts = mask & ~g.many
    amount[0] = 1
    amount[1] = (left + 1) >> 1
    amount[2] = left
    amount[3] = left - 1
    amount[4] = left - amount[1]
    for s in range(5):
        first[s] = 0.0
        second[s] = 0.0
        who[s] = -1
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        site = site_of(p, g, t, i)
        for s in range(5):
            if s and amount[s] == amount[0]:
                worth[i][s] = worth[i][0]
            else:
                worth[i][s] = placed_worth(p, g, t, k, w, &site, i, amount[s], later)
            if worth[i][s] > first[s]:
                second[s] = first[s]
                first[s] = worth[i][s]
                who[s] = i
            elif worth[i][s] > second[s]:
                second[s] = worth[i][s]
    for j in range(n):
        i = target_of(moves[j])
        m = amount_of(moves[j])
        if lifts:
            out[j] = w.goal if (lifts >> i) & 1 and m == 1 else 0.0
        elif not t.adjacent[i] & ~g.own[p.seat] and not (armies_count and g.armies[i] == 1):
            out[j] = SILLY
        elif m == left:
            out[j] = worth[i][2]
        elif m == 1:
            out[j] = worth[i][0] + (second[3] if who[3] == i else first[3])
        elif m == amount[1]:
            out[j] = worth[i][1] + (second[4] if who[4] == i else first[4])
        else:
            site = site_of(p, g, t, i)
            out[j] = placed_worth(p, g, t, k, w, &site, i, m, later)


# ---- attacks ----------------------------------------------------------------------------------------


cdef inline double prize_of(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w, int f,
                            int x) noexcept nogil:
    """Worth of a conquest, including possible continuations."""
    cdef double prize = p.worth[x] + (w.card if g.conquests == 0 else 0.0)
    cdef int after = g.armies[f] - <int> (price_of(k, g.armies[x]) + 0.5)
    if (p.goal.missing >> x) & 1 and p.goal.steps <= 1.0:
        return prize + w.goal
    if after >= 3:
        prize += w.ahead * at_most(after, 6) / 6.0 * field_of(p, g, t, x)
    return prize


cdef inline double assault_worth(const Odds* k, const Coefficients* w, int form, int a, int d, double prize,
                                 double exposed) noexcept nogil:
    """Worth of an assault; losing the stack leaves its territory exposed."""
    fit_stacks(&a, &d)
    return (k.win[form][a][d] * prize - w.army * k.lost[form][a][d] + w.slain * k.slain[form][a][d]
            - (1.0 - k.win[form][a][d]) * exposed)


cdef inline double throw_worth(const Tables* t, const Odds* k, const Coefficients* w, int a, int d, int dice,
                               double prize, double exposed) noexcept nogil:
    """Worth of one throw, and of the assault afterwards where that pays."""
    cdef int m = at_most(d, 3), both = at_most(dice, m), i
    cdef double sum = 0.0, x
    for i in range(both + 1):
        x = i * w.slain - (both - i) * w.army
        if d == i:
            x += prize
        else:
            x += max_of(0.0, assault_worth(k, w, 0, a - both + i, d - i, prize, exposed))
        sum += x * t.ways[dice][m][i] / t.throws[dice][m]
    return sum


cdef inline double exposure(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                            int f) noexcept nogil:
    """Worth of an own territory, times how much likelier it falls if its stack is lost."""
    cdef int threat = threat_to(p, g, t, f)
    return p.worth[f] * (danger(k, w, threat, 1) - danger(k, w, threat, g.armies[f]))


cdef inline double attack_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                                int f, int x, int kind, int dice, double exposed) noexcept nogil:
    """Worth of a throw or an assault; `exposed` is the `exposure` of the origin."""
    cdef double prize
    if (p.protected >> x) & 1:
        return SILLY
    if win_chance(k, g.armies[f], g.armies[x]) < w.hopeless and (
            p.goal.steps > 1.0 or not (p.goal.missing >> x) & 1):
        return SILLY
    prize = prize_of(p, g, t, k, w, f, x)
    if kind == K_ATTACK:
        return throw_worth(t, k, w, g.armies[f], g.armies[x], dice, prize, exposed)
    return assault_worth(k, w, kind == K_SAFE_ASSAULT, g.armies[f], g.armies[x], prize, exposed)


# ---- movements of armies --------------------------------------------------------------------------------------


cdef inline double stack_worth(const Odds* k, const Coefficients* w, const Site* site, int armies) noexcept nogil:
    """Worth of that many armies on an own territory: its safety and the field."""
    return 0.05 * at_most(armies, 40) * site.field - site.worth * danger(k, w, site.threat, armies)


cdef inline double occupy_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                                const Site* origin, const Site* target, int n) noexcept nogil:
    """Worth of moving `n` armies: the safety of both stacks, the better march and a share of the other."""
    cdef int f = g.origin, x = g.target, a = g.armies[g.origin] - n, b = g.armies[g.target] + n
    cdef double one = march(p, g, t, k, w, f, a), two = march(p, g, t, k, w, x, b)
    return (stack_worth(k, w, origin, a) + stack_worth(k, w, target, b)
            + (one + 0.4 * two if one > two else two + 0.4 * one))


cdef inline double fortify_worth(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                                 int f, int x, int n) noexcept nogil:
    cdef Site origin = site_of(p, g, t, f), target = site_of(p, g, t, x)
    return (stack_worth(k, w, &origin, g.armies[f] - n) + stack_worth(k, w, &target, g.armies[x] + n)
            - stack_worth(k, w, &origin, g.armies[f]) - stack_worth(k, w, &target, g.armies[x]))


cdef inline double trade_worth(const Game* g, const Tables* t, const Coefficients* w, move_t code) noexcept nogil:
    """Worth of a set: a poor one waits for a better one, unless the hand is large anyway."""
    cdef double x = set_worth(g, t, <int> ((code >> 12) & 63), <int> ((code >> 6) & 63), <int> (code & 63))
    return x - (w.patience if popcount(g.hand[g.on_turn]) < 5 else 0.0)


# ---- worth of a list of moves --------------------------------------------------------------------------------------


cdef inline void weigh_moves(const Plan* p, const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                             const move_t* moves, int n, double* out) noexcept nogil:
    """Fill the worth of every move of a list; an optional pass is worth 0."""
    cdef Site origin, target
    cdef double exposed = 0.0
    cdef int i, kind, last = -1
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        weigh_places(p, g, t, k, w, moves, n, out)
        return
    if g.phase == OCCUPY:
        origin = site_of(p, g, t, g.origin)
        target = site_of(p, g, t, g.target)
    for i in range(n):
        kind = kind_of(moves[i])
        out[i] = 0.0
        if kind == K_END_ATTACK or kind == K_END_TRADE or kind == K_END_TURN:
            continue
        if g.phase == ATTACK:
            if origin_of(moves[i]) != last:
                last = origin_of(moves[i])
                exposed = exposure(p, g, t, k, w, last)
            out[i] = attack_worth(p, g, t, k, w, last, target_of(moves[i]), kind, amount_of(moves[i]), exposed)
        elif g.phase == OCCUPY:
            out[i] = occupy_worth(p, g, t, k, w, &origin, &target, amount_of(moves[i]))
        elif g.phase == FORTIFY:
            out[i] = fortify_worth(p, g, t, k, w, origin_of(moves[i]), target_of(moves[i]), amount_of(moves[i]))
        elif g.phase == TRADE:
            out[i] = trade_worth(g, t, w, moves[i])
        else:
            out[i] = amount_of(moves[i])        # dice of the defender: more is better (RIS-14.9)
