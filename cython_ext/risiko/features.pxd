"""RisiKo! features: the odds of assaults, what objectives lack and what that costs, and the features from them.

The odds are exact, in tables made once for the options (RIS-7.5 to 7.8, 9.6, 11.4). Both sides throw the maximum.
Stacks beyond the tables are scaled down together. All of this reads only public data and the mover's own secrets;
playouts know the whole world that they play in.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.risiko.board cimport (
    DESTROY, JOKER, NOBODY, REGIONS_PLUS, SETUP_PLACE, TERRITORY_COUNT, TO_THE_END, TRADE, WITH_RESERVE, Game,
    effective, has_set, reinforcement, seat_of_color, whole_continents, worth
)
from sfida.cython_ext.risiko.moves cimport at_most, forbids_elimination, next_throw
from sfida.cython_ext.risiko.tables cimport (
    ALL_FEATURES, CONTINENTS, F_ALIVE, F_ALMOST, F_ARMIES, F_BONUS, F_CARDS, F_COUNT, F_DESTROY, F_DONE, F_FIRST,
    F_FRESH, F_FRONT, F_HUNTED, F_INCOME, F_LAND, F_LEAD, F_NEAR, F_POINTS, F_READY, F_RIVAL, F_ROUND, F_SET, F_STACK,
    F_THREAT, F_TURN, F_WHOLE, FEATURES, MAX_DICE, SEATS, SIXES, Objective, Tables
)
from sfida.cython_ext.state cimport EVERYBODY

# ---- odds of whole assaults -------------------------------------------------------------------------


cdef enum:
    STACK = 32                          # largest stack of the tables
    FORMS = 4                           # to the end, with a reserve; both against protected targets (RIS-9.6)
    SHIELDED = 2                        # added to the form against a protected territory


cdef struct Odds:
    float win[FORMS][STACK + 1][STACK + 1]      # probability of conquest, by armies of origin and target
    float lost[FORMS][STACK + 1][STACK + 1]     # expected losses of the attacker
    float slain[FORMS][STACK + 1][STACK + 1]    # expected losses of the defender
    float price[STACK + 1]              # expected losses of a large attacker against that many defenders
    double toll[STACK + 1]              # the same, and one army that stays there


cdef inline void fill_form(const Tables* t, Odds* k, int form) noexcept nogil:
    cdef int assault = WITH_RESERVE if form & 1 else TO_THE_END
    cdef int a, d, i, dice, m, both
    cdef double p, win, lost, slain
    for a in range(STACK + 1):
        k.win[form][a][0] = 1.0
    for d in range(1, STACK + 1):
        for a in range(2, STACK + 1):
            dice = next_throw(t, assault, a, d, form >= SHIELDED)
            if dice == 0:
                continue
            m = at_most(d, MAX_DICE)
            both = at_most(dice, m)
            win = 0.0
            lost = 0.0
            slain = 0.0
            for i in range(both + 1):
                p = <double> t.ways[dice][m][i] / t.throws[dice][m]
                win += p * k.win[form][a - both + i][d - i]
                lost += p * (both - i + k.lost[form][a - both + i][d - i])
                slain += p * (i + k.slain[form][a - both + i][d - i])
            k.win[form][a][d] = <float> win
            k.lost[form][a][d] = <float> lost
            k.slain[form][a][d] = <float> slain


cdef inline void fill_odds(const Tables* t, Odds* k) noexcept nogil:
    """Fill the tables from those of single throws."""
    cdef int d, i, m, form
    cdef double p, x, stay
    memset(k, 0, sizeof(Odds))
    for form in range(FORMS):
        fill_form(t, k, form)
    for d in range(1, STACK + 1):
        m = at_most(d, MAX_DICE)
        x = 0.0
        stay = 0.0
        for i in range(m + 1):
            p = <double> t.ways[MAX_DICE][m][i] / t.throws[MAX_DICE][m]
            x += p * (m - i)
            if i == 0:
                stay = p
            else:
                x += p * k.price[d - i]
        k.price[d] = <float> (x / (1.0 - stay))
    for d in range(STACK + 1):
        k.toll[d] = 1.0 + k.price[d]


cdef inline void fit_stacks(int* a, int* d) noexcept nogil:
    """Scale two stacks down to the size of the tables."""
    cdef int most = a[0] if a[0] > d[0] else d[0]
    if most > STACK:
        a[0] = a[0] * STACK // most
        d[0] = d[0] * STACK // most
        if d[0] == 0:
            d[0] = 1


cdef inline double win_chance(const Odds* k, int a, int d) noexcept nogil:
    """Probability that `a` armies conquer a territory with `d` when they fight to the end."""
    fit_stacks(&a, &d)
    return k.win[0][a][d]


cdef inline double chance_after(const Tables* t, const Odds* k, int form, int a, int d, int dice) noexcept nogil:
    """Probability that `a` armies conquer a territory with `d` by a throw of `dice` and then as the form says.

    With scaled stacks the first throw is treated like the others.
    """
    cdef int m = at_most(d, MAX_DICE), both = at_most(dice, m), i
    cdef double sum = 0.0
    if dice == 0 or a > STACK or d > STACK:
        fit_stacks(&a, &d)
        return k.win[form][a][d]
    for i in range(both + 1):
        sum += k.win[form][a - both + i][d - i] * t.ways[dice][m][i] / t.throws[dice][m]
    return sum


cdef inline double price_of(const Odds* k, int d) noexcept nogil:
    """Armies needed to conquer a territory with `d` armies: expected losses, and one that stays there."""
    if d <= STACK:
        return k.toll[d]
    return 1.0 + k.price[STACK] + (d - STACK) * (k.price[STACK] - k.price[STACK - 1])


# ---- objectives: missing parts, likelihood and cost (RIS-10, 16.4) -------------------


cdef struct Goal:                       # requirements of an objective for a seat
    uint64_t missing                    # territories of other seats that count for it
    uint64_t kept                       # own territories that count for it
    double steps                        # conquests, plus armies to add where armies count; 0: fulfilled
    double cost                         # armies needed for them, on average
    double done                         # completed share


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
    cdef int i
    for i in range(SIXES):
        found |= t.around[i][(territories >> 6 * i) & 63]
    return found


cdef inline double cheapest(const Game* g, const Tables* t, const Odds* k, int seat, int n) noexcept nogil:
    """Armies needed for any `n` territories of other seats, the weakest neighbours first."""
    cdef uint64_t mask = neighbours_of(t, g.own[seat]) & ~g.own[seat], sizes = 0
    cdef int i, some
    cdef double sum = 0.0
    while mask:                         # how many have 1, 2, ... and 5 armies or more, a byte each
        sizes += <uint64_t> 1 << 8 * at_most(g.armies[lowest(mask)], 5)
        mask &= mask - 1
    for i in range(1, 6):
        some = at_most(<int> ((sizes >> 8 * i) & 0xFF), n)
        n -= some
        sum += some * price_of(k, i)
    return sum + n * price_of(k, 3)     # beyond the neighbours


cdef inline uint64_t third_continents(const Game* g, const Tables* t, const Odds* k, int seat,
                                      const Objective* o) noexcept nogil:
    """The territories of the cheapest further continents."""
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
    """Compute what the objective still lacks if the seat holds it."""
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
    """Objectives that a seat may hold, by what `viewer` knows."""
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


# ---- available armies -----------------------------------------------------------------------------


cdef inline int best_set(const Game* g, const Tables* t, uint64_t hand, uint64_t own) noexcept nogil:
    """Armies for the best set of a hand; 0: it has none."""
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
    """Expected armies from sets at a seat's next turn."""
    cdef int n = popcount(g.hand[seat])
    if n < 3:
        return 0.0
    if knows_secrets(g, viewer, seat):
        return best_set(g, t, g.hand[seat], g.own[seat]) + (8.0 if n > 7 else 0.0)
    return (3.2 if n == 3 else 8.2 if n == 4 else 10.5) + (8.0 if n > 7 else 0.0)


cdef inline int spare_in(const Game* g, uint64_t territories) noexcept nogil:
    """Number of armies there beyond one each."""
    cdef int sum = 0
    territories &= g.many
    while territories:
        sum += g.armies[lowest(territories)] - 1
        territories &= territories - 1
    return sum


cdef inline double fresh_armies(const Game* g, const Tables* t, int viewer, int seat) noexcept nogil:
    """Armies that a seat places in its next turn, or still in the current one."""
    if seat == g.on_turn and g.round:
        return g.left + (armies_of_sets(g, t, viewer, seat) if g.phase == TRADE else 0.0)
    return reinforcement(g, t, seat) + armies_of_sets(g, t, viewer, seat) + (g.stock[seat] >> 1)


cdef inline double shortfall(const Game* g, const Tables* t, const Odds* k, int seat, const Goal* goal,
                             bint anywhere) noexcept nogil:
    """Extra armies needed for the missing territories: each region of them is attacked by the stacks around it."""
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


# ---- features of the evaluation -----------------------------------------------------------------


cdef inline double turn_share(const Game* g, const Tables* t, int seat) noexcept nogil:
    """1 for the seat on turn, a little less for the next one, and so on down to 1 / players."""
    cdef int n = seat - g.on_turn
    return 1.0 - <double> (n + t.players if n < 0 else n) / t.players


cdef inline double falls(const Game* g, const Tables* t, const Odds* k, int seat, int i) noexcept nogil:
    """Probability that the strongest neighbour, somewhat reinforced, conquers an own territory if it tries."""
    cdef uint64_t mask = t.adjacent[i] & ~g.own[seat]
    cdef int n, most = 0
    while mask:
        n = g.armies[lowest(mask)]
        mask &= mask - 1
        if n > most:
            most = n
    return win_chance(k, most + 2, g.armies[i]) if most else 0.0


cdef inline void fill_land(const Game* g, const Tables* t, const Odds* k, int seat, double* x) noexcept nogil:
    """Fill the features of territories, fronts and continents."""
    cdef double fall[CONTINENTS]
    cdef uint64_t mask = g.own[seat], all
    cdef double f, near
    cdef int i, c, n, most = 0, front = 0, against = 0
    for c in range(CONTINENTS):
        fall[c] = 1.0
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        n = g.armies[i]
        if n > most:
            most = n
        if t.adjacent[i] & ~g.own[seat]:
            f = falls(g, t, k, seat, i)
            x[F_THREAT] += f
            front += n - 1
            for c in range(CONTINENTS):
                if (t.continent[c] >> i) & 1:
                    fall[c] *= 1.0 - 0.5 * f
    x[F_THREAT] /= 42.0
    x[F_STACK] = most
    mask = t.all_territories & ~g.own[seat]
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if t.adjacent[i] & g.own[seat]:
            against += g.armies[i]
    x[F_FRONT] = (front + 1.0) / (front + 0.5 * against + 2.0)
    for c in range(CONTINENTS):
        all = t.continent[c]
        n = popcount(all & ~g.own[seat])
        if n == 0:
            x[F_BONUS] += t.bonus[c] * fall[c] / 5.0
        else:
            near = t.bonus[c] / (5.0 * (1.0 + 0.5 * cost_of(g, k, all & ~g.own[seat])))
            if near > x[F_ALMOST]:
                x[F_ALMOST] = near


cdef inline void fill_goals(const Game* g, const Tables* t, const Odds* k, int viewer, int seat,
                            double* x) noexcept nogil:
    """Fill the features of objectives, averaged over those that the seat may hold."""
    cdef Goal goal
    cdef uint32_t among = holdable(g, t, viewer, seat)
    cdef double share = likelihood(t, among), part, fresh = fresh_armies(g, t, viewer, seat), need, ready
    cdef int which, type
    while among:
        which = lowest(among)
        among &= among - 1
        find_goal(g, t, k, seat, which, &goal)
        part = share * popcount(t.objective[which].cards)
        x[F_DONE] += part * goal.done
        type = t.objective[effective(g, t, seat, which)].type
        need = shortfall(g, t, k, seat, &goal, type == TERRITORY_COUNT)
        x[F_NEAR] += part * exp(-need / (fresh + 3.0))
        ready = 1.0 / (1.0 + exp((need - fresh + 0.1 * goal.cost) / (1.0 + 0.12 * goal.cost)))
        if type == DESTROY and forbids_elimination(t, g.round):
            ready = 0.0
        x[F_READY] += part * ready
        if t.points:
            x[F_POINTS] += part * worth(t, goal.kept) / 86.0
    x[F_FIRST] = x[F_READY] * turn_share(g, t, seat)


cdef inline void fill_features(const Game* g, const Tables* t, const Odds* k, int viewer,
                               double x[SEATS][FEATURES]) noexcept nogil:
    """Fill the features of every seat; those of eliminated seats are 0."""
    cdef double income = 0.0, armies = 0.0, best, late = 1.0
    cdef int i, j
    memset(x, 0, sizeof(double) * SEATS * FEATURES)
    for i in range(t.players):
        if not (g.alive >> i) & 1:
            continue
        fill_goals(g, t, k, viewer, i, x[i])
        fill_land(g, t, k, i, x[i])
        x[i][F_INCOME] = reinforcement(g, t, i) + 0.5
        income += x[i][F_INCOME]
        x[i][F_ARMIES] = g.total[i] + (g.left if i == g.on_turn else 0) + g.stock[i]
        armies += x[i][F_ARMIES]
        x[i][F_LAND] = popcount(g.own[i]) / 42.0
        j = popcount(g.hand[i])
        x[i][F_CARDS] = j if j < 6 else 6
        x[i][F_SET] = armies_of_sets(g, t, viewer, i) / 10.0
        x[i][F_TURN] = turn_share(g, t, i)
    if t.round_limit:
        late = <double> g.round / t.round_limit
    for i in range(t.players):
        x[i][F_INCOME] /= income
        x[i][F_ARMIES] /= armies
        x[i][F_STACK] /= armies
        if t.points:
            best = 0.0
            for j in range(t.players):
                if j != i and x[j][F_POINTS] > best:
                    best = x[j][F_POINTS]
            x[i][F_LEAD] = (x[i][F_POINTS] - best) * late ** 6


# ---- features of learned evaluations only -----------------------------------------------------


cdef inline void note_objectives(const Game* g, const Tables* t, int viewer, int seat, double* out) noexcept nogil:
    """Fill the likelihood of each kind of objective, and of each target of a `destroy`."""
    cdef uint32_t among = holdable(g, t, viewer, seat)
    cdef double share = likelihood(t, among), part
    cdef int which, type
    while among:
        which = lowest(among)
        among &= among - 1
        part = share * popcount(t.objective[which].cards)
        which = effective(g, t, seat, which)
        type = t.objective[which].type
        if type == TERRITORY_COUNT:
            out[seat * ALL_FEATURES + F_COUNT] += part
        elif type == DESTROY:
            out[seat * ALL_FEATURES + F_DESTROY] += part
            out[seat_of_color(g, t, t.objective[which].color) * ALL_FEATURES + F_HUNTED] += part


cdef inline void fill_further(const Game* g, const Tables* t, int viewer, double* out) noexcept nogil:
    """Fill the further features of every seat, one after the other; the first ones are already there."""
    cdef double* x
    cdef double other
    cdef int i, j
    for i in range(t.players):
        if not (g.alive >> i) & 1:
            continue
        x = out + i * ALL_FEATURES
        note_objectives(g, t, viewer, i, out)
        x[F_FRESH] = fresh_armies(g, t, viewer, i)
        x[F_WHOLE] = whole_continents(g, t, i, ~<uint64_t> 0)
        x[F_ROUND] = g.round if g.round < 30 else 30
        x[F_ALIVE] = popcount(g.alive)
        for j in range(t.players):
            if j != i and (g.alive >> j) & 1:
                other = out[j * ALL_FEATURES + F_READY]
                x[F_RIVAL] = other if other > x[F_RIVAL] else x[F_RIVAL]


cdef inline void add_further(const Game* g, const Tables* t, int viewer, double x[SEATS][FEATURES],
                             double* out) noexcept nogil:
    """Fill all features of every seat, one after the other."""
    cdef int i
    memset(out, 0, t.players * ALL_FEATURES * sizeof(double))
    for i in range(t.players):
        memcpy(out + i * ALL_FEATURES, x[i], sizeof(x[i]))
    fill_further(g, t, viewer, out)


cdef inline void features_of_seats(const Game* g, const Tables* t, const Odds* k, int viewer,
                                   double* out) noexcept nogil:
    """Fill all features of every seat, one after the other; all 0 before the territories are dealt."""
    cdef double x[SEATS][FEATURES]
    if g.phase < SETUP_PLACE:
        memset(out, 0, t.players * ALL_FEATURES * sizeof(double))
        return
    fill_features(g, t, k, viewer, x)
    add_further(g, t, viewer, x, out)
