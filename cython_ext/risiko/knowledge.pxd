"""RisiKo! knowledge: what the search asks for (win shares, priors, certain wins).

Odds of assaults are in `risiko_odds`, objectives in `risiko_goals`, the worth of territories in `risiko_plans`, that of
moves in `risiko_policy`, the policy of playouts in `risiko_informed`. All of it reads public data and the mover's own
secrets only; playouts know all of the world they play in.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.learned cimport Net, net_shares
from sfida.cython_ext.risiko.battle cimport forbids_elimination
from sfida.cython_ext.risiko.board cimport (
    CONTINENTS, DESTROY, FORTIFY, GAME_OVER, K_ASSAULT, K_ATTACK, K_SAFE_ASSAULT, PLACE, SEATS, SETUP_PLACE,
    TERRITORY_COUNT, TRADE, UNWATCHED, Game, Tables, kind_of, reinforcement, spare,
)
from sfida.cython_ext.risiko.features cimport fill_further
from sfida.cython_ext.risiko.goals cimport (
    Goal, armies_of_sets, cost_of, find_goal, fresh_armies, holdable, likelihood, shortfall,
)
from sfida.cython_ext.risiko.objectives cimport effective, worth
from sfida.cython_ext.risiko.odds cimport Odds, win_chance
from sfida.cython_ext.risiko.plans cimport Plan, make_plan
from sfida.cython_ext.risiko.policy cimport soften, to_lift, weigh_moves
from sfida.cython_ext.risiko.turn cimport apply_move
from sfida.cython_ext.risiko.weights cimport (
    ALL_FEATURES, FEATURES, F_ALMOST, F_ARMIES, F_BONUS, F_CARDS, F_DONE, F_FIRST, F_FRONT, F_INCOME, F_LAND, F_LEAD,
    F_NEAR, F_POINTS, F_READY, F_SET, F_STACK, F_THREAT, F_TURN, Weights,
)
from sfida.cython_ext.state cimport move_t


# ---- win shares -------------------------------------------------------------------------------------


cdef inline double turn_share(const Game* g, const Tables* t, int seat) noexcept nogil:
    """1 for the seat on turn, a little less for the next one, and so on down to 1 / players."""
    cdef int n = seat - g.on_turn
    return 1.0 - <double> (n + t.players if n < 0 else n) / t.players


cdef inline double falls(const Game* g, const Tables* t, const Odds* k, int seat, int i) noexcept nogil:
    """Chance that the strongest neighbour conquers an own territory if he tries, with some reinforcement."""
    cdef uint64_t mask = t.adjacent[i] & ~g.own[seat]
    cdef int n, most = 0
    while mask:
        n = g.armies[lowest(mask)]
        mask &= mask - 1
        if n > most:
            most = n
    return win_chance(k, most + 2, g.armies[i]) if most else 0.0


cdef inline void fill_land(const Game* g, const Tables* t, const Odds* k, int seat, double* x) noexcept nogil:
    """The features of territories, fronts and continents."""
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
    """The features of objectives, averaged over those that the seat may hold."""
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
    """The features of every seat; of those who are out all 0."""
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


cdef inline void add_further(const Game* g, const Tables* t, int viewer, double x[SEATS][FEATURES],
                             double* out) noexcept nogil:
    """All features of every seat, one after the other, from the first of them."""
    cdef int i
    memset(out, 0, t.players * ALL_FEATURES * sizeof(double))
    for i in range(t.players):
        memcpy(out + i * ALL_FEATURES, x[i], sizeof(x[i]))
    fill_further(g, t, viewer, out)


cdef inline void features_of_seats(const Game* g, const Tables* t, const Odds* k, int viewer,
                                   double* out) noexcept nogil:
    """All features of every seat, one after the other; all 0 as long as no territories are dealt."""
    cdef double x[SEATS][FEATURES]
    if g.phase < SETUP_PLACE:
        memset(out, 0, t.players * ALL_FEATURES * sizeof(double))
        return
    fill_features(g, t, k, viewer, x)
    add_further(g, t, viewer, x, out)


cdef inline void evaluate_position(const Game* g, const Tables* t, const Odds* k, const Weights* w, const Net* net,
                                   int viewer, double* win, double* score) noexcept nogil:
    """Win shares, and territories or points, by what `viewer` may know."""
    cdef double x[SEATS][FEATURES]
    cdef double all[SEATS * ALL_FEATURES]
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


# ---- moves ------------------------------------------------------------------------------------------


cdef inline void find_priors(const Game* g, const Tables* t, const Odds* k, const Weights* w, const move_t* moves,
                             int n, double* scratch, float* out) noexcept nogil:
    cdef Plan plan
    cdef int i
    if n == 1 or g.phase < SETUP_PLACE:
        for i in range(n):
            out[i] = <float> 1.0 / n
        return
    make_plan(&plan, g, t, k, w, g.mover, g.mover)
    weigh_moves(&plan, g, t, k, w, moves, n, scratch)
    soften(scratch, n, w, out)


# ---- certain wins -----------------------------------------------------------------------------------


cdef inline bint fortify_wins(const Game* g, const Tables* t) noexcept nogil:
    """A strategic move gives the last single army a second one."""
    cdef uint64_t own = g.own[g.on_turn], mask = own & ~g.many, near
    cdef int i
    if to_lift(g, t, g.on_turn) != 1:
        return False
    while mask:
        near = t.adjacent[lowest(mask)] & own & g.many
        mask &= mask - 1
        while near:
            i = lowest(near)
            near &= near - 1
            if g.armies[i] > 2 and spare(g, t, g.on_turn, i):
                return True
    return False


cdef inline bint is_won(const Game* g, const Tables* t, int seat) noexcept nogil:
    """The game is over and won, or what is missing can be placed or moved for certain (RIS-10.6)."""
    cdef int lift
    if g.phase == GAME_OVER:
        return g.winner == seat
    if g.on_turn != seat or not t.by_armies:
        return False
    if g.phase == PLACE or g.phase == TRADE:
        lift = to_lift(g, t, seat)
        if lift and lift <= g.left:
            return True
    return g.phase != TRADE and g.phase >= PLACE and g.phase <= FORTIFY and fortify_wins(g, t)


cdef inline int find_sure_win(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    """Index of a move that wins for certain, -1: none; only armies can do so, every conquest takes luck."""
    cdef Game twin
    cdef int i, kind, lift, least = 99, pick = -1
    if not t.by_armies or g.mover != g.on_turn or g.phase < TRADE or to_lift(g, t, g.mover) == 0:
        return -1
    for i in range(n):
        kind = kind_of(moves[i])
        if kind == K_ATTACK or kind == K_ASSAULT or kind == K_SAFE_ASSAULT:
            continue
        memcpy(&twin, g, sizeof(Game))
        twin.world = UNWATCHED
        apply_move(&twin, t, moves[i])
        if is_won(&twin, t, g.mover):
            lift = 0 if twin.phase == GAME_OVER else to_lift(&twin, t, g.mover)
            if lift < least:            # rather one that brings it nearer
                least = lift
                pick = i
    return pick
