"""RisiKo! policy: priors, certain wins, playouts, and the games of the reference statistics.

A playout has no lists. By plan, a plan is made once per turn and after each conquest; noise is added to the worths,
so that playouts differ. At random, the distribution is that of the compact list with single throws (RIS-21.3): a
territory and a number, a pair, or the end. One call plays one decision, the decisions of a whole sequence of throws,
with the chance events that follow, or, where all moves are random, the turn up to its end.
"""

from libc.math cimport exp
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.flat_state cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.risiko.board cimport (
    ATTACK, CHANCE_ROLL, DESTROY, FORTIFY, GAME_OVER, K_ASSAULT, K_ATTACK, K_END_ATTACK, K_END_TRADE, K_END_TURN,
    K_FORTIFY, K_OCCUPY, K_PLACE, K_SAFE_ASSAULT, MAX_LEGAL, OCCUPY, PLACE, REGIONS_PLUS, SETUP_PLACE, TERRITORY_COUNT,
    TRADE, UNWATCHED, Game, amount_of, best_sets, bit, code_of, effective, is_front, is_luck, kind_of, origin_of,
    seat_of_color, set_worth, spare, target_of
)
from sfida.cython_ext.risiko.evaluation cimport (
    SILLY, Plan, Site, attack_worth, exposure, field_of, make_plan, max_of, occupy_worth, placed_worth, site_of,
    to_lift, trade_worth, weigh_moves
)
from sfida.cython_ext.risiko.features cimport Odds, win_chance
from sfida.cython_ext.risiko.moves cimport (
    at_most, most_dice, moves_of, protected_targets, roll, sample_chance, targets_of, throw_moves
)
from sfida.cython_ext.risiko.tables cimport CONTINENTS, MAX_DICE, TERRITORIES, Coefficients, Objective, Tables
from sfida.cython_ext.risiko.turn cimport (
    after_throw, apply_move, begin_attacks, begin_fortifying, finish_turn, place, shift_armies
)
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport EVERYBODY, move_t

# ---- priors of moves -----------------------------------------------------------------------------------------


cdef inline void soften(const double* worth, int n, const Coefficients* w, float* out) noexcept nogil:
    """Turn worths into probabilities; the temperature grows with the stakes, but small probabilities remain."""
    cdef double top = SILLY, low = -<double> SILLY, heat, sum = 0.0, x
    cdef int i
    for i in range(n):
        if worth[i] > top:
            top = worth[i]
        if SILLY < worth[i] < low:
            low = worth[i]
    heat = w.heat + w.spread * max_of(top - low, 0.0)
    for i in range(n):
        x = exp((worth[i] - top) / heat) + w.least
        out[i] = <float> x
        sum += x
    for i in range(n):
        out[i] = <float> (out[i] / sum)


cdef inline void find_priors(const Game* g, const Tables* t, const Odds* k, const Coefficients* w, const move_t* moves,
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


# ---- move features for learned priors, as the mover knows them --------------------------------------


cdef enum:                              # names: MOVE_FEATURES of the core, in this order
    M_ATTACK = M_OWN                    # kinds of moves: 1 or 0; this one: a single throw
    M_ASSAULT                           # an assault to the end
    M_SAFE                              # an assault with a reserve
    M_END_ATTACK
    M_END_TURN
    M_KEEP_CARDS
    M_CHANCE                            # probability that an attack conquers its territory in the end
    M_CARD                              # an attack that would earn the card of the turn
    M_WANTED                            # an attack on a territory of the objective
    M_WORTH                             # worth of an attacked territory in the mover's plan
    M_SHARE                             # fraction of the armies that can be placed or moved
    M_FRONT                             # armies placed on or moved to the border
    M_ATTACK_LATE                       # any attack, times the stage of the game
    M_CHANCE_LATE
    MOVE_WIDTH


cdef inline void list_attack(const Plan* p, const Game* g, const Odds* k, move_t move, double late,
                             double* x) noexcept nogil:
    cdef int target = target_of(move)
    if not (p.protected >> target) & 1:
        x[M_CHANCE] = win_chance(k, g.armies[origin_of(move)], g.armies[target])
    x[M_CARD] = g.conquests == 0
    x[M_WANTED] = (p.goal.missing >> target) & 1
    x[M_WORTH] = p.worth[target]
    x[M_ATTACK_LATE] = late
    x[M_CHANCE_LATE] = x[M_CHANCE] * late


cdef inline void features_of_moves(const Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                                   const move_t* moves, int n, double* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    cdef float prior[MAX_LEGAL]
    cdef Plan plan
    cdef double late = <double> g.round / t.round_limit if t.round_limit else g.round / (g.round + 10.0)
    cdef double* x
    cdef int i, kind
    for i in range(n):
        worth[i] = 0.0
        prior[i] = <float> 1.0 / n
    if g.phase >= SETUP_PLACE:
        make_plan(&plan, g, t, k, w, g.mover, g.mover)
        weigh_moves(&plan, g, t, k, w, moves, n, worth)
        soften(worth, n, w, prior)
    list_worth(worth, n, MOVE_WIDTH, out)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        x = out + i * MOVE_WIDTH
        kind = kind_of(moves[i])
        if kind == K_ATTACK or kind == K_ASSAULT or kind == K_SAFE_ASSAULT:
            x[M_ATTACK if kind == K_ATTACK else M_ASSAULT if kind == K_ASSAULT else M_SAFE] = 1.0
            list_attack(&plan, g, k, moves[i], late, x)
        elif kind == K_END_ATTACK:
            x[M_END_ATTACK] = 1.0
        elif kind == K_END_TURN:
            x[M_END_TURN] = 1.0
        elif kind == K_END_TRADE:
            x[M_KEEP_CARDS] = 1.0
        elif kind == K_PLACE:
            x[M_SHARE] = <double> amount_of(moves[i]) / max(1, g.left)
            x[M_FRONT] = (t.adjacent[target_of(moves[i])] & ~g.own[g.mover]) != 0
        elif kind == K_OCCUPY:
            x[M_SHARE] = <double> amount_of(moves[i]) / max(1, g.armies[g.origin])
        elif kind == K_FORTIFY:
            x[M_SHARE] = <double> amount_of(moves[i]) / max(1, g.armies[origin_of(moves[i])])
            x[M_FRONT] = (t.adjacent[target_of(moves[i])] & ~g.own[g.mover]) != 0


# ---- certain wins -----------------------------------------------------------------------------------


cdef inline bint fortify_wins(const Game* g, const Tables* t) noexcept nogil:
    """Whether a strategic move can give the last single army a second one."""
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
    """Whether the game is won, or certain to be won by placing or moving armies (RIS-10.6)."""
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
    """Index of a move that wins for certain, or -1; only placed or moved armies can, because conquests need luck."""
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
            if lift < least:            # otherwise the move that brings a win closest
                least = lift
                pick = i
    return pick


# ---- playouts by plan -------------------------------------------------------------------------------


cdef struct Mind:                       # plan of a playout, and the position that it was made for
    Plan plan
    int turn
    int conquests


cdef inline double blurred(const Coefficients* w, double x, Rng* rng) noexcept nogil:
    return x * (1.0 + w.noise * ((<int> rng_below(rng, 1024) - 512) / 512.0))


cdef inline void keep_plan(Mind* m, const Game* g, const Tables* t, const Odds* k,
                           const Coefficients* w) noexcept nogil:
    if m.turn != g.turns or m.conquests != g.conquests:
        make_plan(&m.plan, g, t, k, w, g.mover, EVERYBODY)
        m.turn = g.turns
        m.conquests = g.conquests


cdef inline void place_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                               Rng* rng) noexcept nogil:
    """Place all armies where they are worth most; also in the setup."""
    cdef const Plan* p = &m.plan
    cdef uint64_t mask = g.own[g.mover]
    cdef int i, pick, later = 3 + g.stock[g.mover] // 3 if g.phase == SETUP_PLACE else 0
    cdef int lift = to_lift(g, t, g.mover) if g.phase == PLACE else 0
    cdef double x, best = -1e9
    cdef Site site
    if lift and lift <= g.left:
        place(g, t, lowest(mask & ~g.many), 1)
        return
    pick = lowest(mask)
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if not t.adjacent[i] & ~g.own[p.seat]:
            continue
        site = site_of(p, g, t, i)
        x = blurred(w, placed_worth(p, g, t, k, w, &site, i, g.left, later), rng)
        if x > best:
            best = x
            pick = i
    place(g, t, pick, g.left)


cdef inline void attack_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k, const Coefficients* w,
                                Rng* rng) noexcept nogil:
    """Make the attack that is worth most, or none."""
    cdef uint64_t protected = protected_targets(g, t), mask = g.own[g.mover] & g.many, found
    cdef int f, x
    cdef double worth, exposed = 0.0, best = 0.0
    cdef bint known
    cdef move_t pick = 0
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        found = targets_of(g, t, f, protected)
        known = False
        while found:
            x = lowest(found)
            found &= found - 1
            if g.armies[f] <= g.armies[x]:
                continue
            if not known:
                known = True
                exposed = exposure(&m.plan, g, t, k, w, f)
            worth = attack_worth(&m.plan, g, t, k, w, f, x, K_ASSAULT, 0, exposed)
            if worth > best:
                worth = blurred(w, worth, rng)
            if worth > best:
                best = worth
                pick = code_of(K_ASSAULT, f, x, 0)
    if pick:
        apply_move(g, t, pick)
    else:
        begin_fortifying(g, t)


cdef inline void occupy_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k,
                                const Coefficients* w) noexcept nogil:
    cdef int most = spare(g, t, g.mover, g.origin), n = most
    cdef Site origin = site_of(&m.plan, g, t, g.origin), target = site_of(&m.plan, g, t, g.target)
    cdef double all = occupy_worth(&m.plan, g, t, k, w, &origin, &target, most)
    if occupy_worth(&m.plan, g, t, k, w, &origin, &target, 0) > all:
        n = 0
    if not shift_armies(g, t, g.origin, g.target, n):
        begin_attacks(g, t)


cdef inline void fortify_by_plan(const Mind* m, Game* g, const Tables* t, const Odds* k,
                                 const Coefficients* w) noexcept nogil:
    """Move the largest idle stack towards the field."""
    cdef const Plan* p = &m.plan
    cdef uint64_t own = g.own[g.mover], mask = own & g.many, found
    cdef int f, x, n, to = -1, origin = -1, most = 0
    cdef double best = 0.0, worth, field
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        if t.adjacent[f] & ~own:
            continue
        n = spare(g, t, g.mover, f)
        if n > most and t.adjacent[f] & own:
            most = n
            origin = f
    if origin >= 0:
        found = t.adjacent[origin] & own
        field = field_of(p, g, t, origin)
        while found:
            x = lowest(found)
            found &= found - 1
            worth = field_of(p, g, t, x) - field + (1.0 if t.adjacent[x] & ~own else 0.0)
            if worth > best:
                best = worth
                to = x
    if to < 0 or not shift_armies(g, t, origin, to, most):
        finish_turn(g, t)


cdef inline void trade_by_plan(Game* g, const Tables* t, const Coefficients* w, move_t* scratch) noexcept nogil:
    cdef int i, n = best_sets(g, t, scratch), pick = n - 1
    cdef double x, best = 0.0
    for i in range(n - 1):
        x = trade_worth(g, t, w, scratch[i])
        if x > best:
            best = x
            pick = i
    apply_move(g, t, scratch[pick])


cdef inline void play_by_plan(Mind* m, Game* g, const Tables* t, const Odds* k, const Coefficients* w, move_t* scratch,
                              Rng* rng) noexcept nogil:
    """Play one decision of a world in which no secrets need protection."""
    if g.phase == TRADE:
        trade_by_plan(g, t, w, scratch)
        return
    if g.phase < SETUP_PLACE or g.phase > FORTIFY:
        moves_of(g, t, True, scratch)
        apply_move(g, t, scratch[0])
        return
    keep_plan(m, g, t, k, w)
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        place_by_plan(m, g, t, k, w, rng)
    elif g.phase == ATTACK:
        attack_by_plan(m, g, t, k, w, rng)
    elif g.phase == OCCUPY:
        occupy_by_plan(m, g, t, k, w)
    elif g.phase == FORTIFY:
        fortify_by_plan(m, g, t, k, w)
    else:
        moves_of(g, t, True, scratch)
        apply_move(g, t, scratch[0])


# ---- playouts at random -----------------------------------------------------------------------------


cdef enum:
    LANE_WORDS = (TERRITORIES + 7) // 8

cdef extern from *:
    """
    #define RISIKO_EACH 0x0101010101010101ULL
    """
    const uint64_t EACH "RISIKO_EACH"   # one in each of eight lanes of a byte; a word's lanes sum to less than 128


cdef inline void place_at_random(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    cdef uint64_t own = g.own[g.mover]
    cdef int left = g.left
    cdef int amounts = at_most(left, 3)
    cdef int k = <int> rng_below(rng, <uint32_t> (popcount(own) * amounts))
    cdef int i = k // 3 if amounts == 3 else k >> (amounts - 1)     # without a division
    k -= i * amounts
    i = nth(own, i)
    place(g, t, i, 1 if k == 0 else left if k == amounts - 1 else (left + 1) >> 1)


cdef inline int find_lane(uint64_t word, int* x) noexcept nogil:
    """Number of the lane with unit `x` of the word; `x` becomes the number of the unit in its lane."""
    cdef uint64_t upto = word * EACH
    cdef int k = popcount((((<uint64_t> x[0] * EACH) | (EACH << 7)) - upto) & (EACH << 7))  # lanes that end before it
    x[0] -= <int> (((upto << 8) >> 8 * k) & 0xFF)
    return k


cdef inline int count_targets(uint64_t* lanes, uint64_t* sums, const Game* g, const Tables* t, uint64_t territories,
                              uint64_t protected, bint plain) noexcept nogil:
    """Renew the numbers of targets of own territories; returns by how much they grow altogether."""
    cdef uint64_t enemies = t.all_territories & ~g.own[g.on_turn]
    cdef uint64_t sum = sums[0]
    cdef int i, n, grown = 0
    while territories:
        i = lowest(territories)
        territories &= territories - 1
        n = popcount(t.adjacent[i] & enemies if plain else targets_of(g, t, i, protected))
        n = (n & -<int> ((g.many >> i) & 1)) - <int> ((lanes[i >> 3] >> 8 * (i & 7)) & 0xFF)
        lanes[i >> 3] += <uint64_t> n << 8 * (i & 7)
        sum += <uint64_t> n << 8 * (i >> 3)
        grown += n
    sums[0] = sum
    return grown


cdef inline void occupy_at_random(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    cdef int most = spare(g, t, g.on_turn, g.origin)
    cdef int k = <int> rng_below(rng, <uint32_t> (3 if most > 1 else 2))
    k = 0 if k == 0 else most if k == 2 or most == 1 else most >> 1
    if not shift_armies(g, t, g.origin, g.target, k):
        begin_attacks(g, t)


cdef inline int attack_at_random(Game* g, const Tables* t, bint on, Rng* rng) noexcept nogil:
    """Count the pairs by origin, draw one and throw, as long as attacks follow; returns the number of decisions.

    `on`: armies also move into conquered territories here, so that the pairs need not be counted again.
    """
    cdef uint64_t lanes[LANE_WORDS]     # pairs by origin
    cdef uint64_t sums = 0              # of the words, as lanes
    cdef uint64_t protected = protected_targets(g, t), found
    cdef bint plain = protected == 0 and not t.no_inferior_attack
    cdef int f, x, k, m, lost, conquests, decisions = 0, pairs
    memset(lanes, 0, sizeof(lanes))
    pairs = count_targets(lanes, &sums, g, t, g.own[g.on_turn] & g.many, protected, plain)
    while g.phase == ATTACK:
        x = 0
        if pairs:
            decisions += 1
            x = <int> rng_below(rng, <uint32_t> (pairs + 1))
        if x == pairs:
            begin_fortifying(g, t)
            break
        f = find_lane(sums, &x)
        f = 8 * f + find_lane(lanes[f], &x)
        found = t.adjacent[f] & ~g.own[g.on_turn] if plain else targets_of(g, t, f, protected)
        x = nth(found, x)
        k = at_most(g.armies[f] - 1, MAX_DICE) if plain else most_dice(g, t, f, x)
        m = at_most(g.armies[x], MAX_DICE)
        g.origin = f
        g.target = x
        g.attack_dice = k
        lost = roll(t, k, m, rng)
        conquests = g.conquests
        after_throw(g, t, at_most(k, m) - lost, lost)
        found = 0
        if g.conquests != conquests:
            if on and g.phase == OCCUPY:
                decisions += 1
                occupy_at_random(g, t, rng)
            found = (t.adjacent[x] | bit(x)) & g.own[g.on_turn]
            protected = protected_targets(g, t)
            plain = plain and protected == 0
        elif g.armies[f] < 2:
            found = bit(f)
        if not plain:
            found = g.own[g.on_turn]
        pairs += count_targets(lanes, &sums, g, t, found, protected, plain)
    return decisions


cdef inline void fortify_at_random(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """Draw a strategic move: per neighbour once with all spare armies, and once with half of them if that is less."""
    cdef uint64_t lanes[LANE_WORDS]     # moves by origin
    cdef uint64_t own = g.own[g.mover], mask = own & g.many
    cdef int f, pairs = 0, x, k, n
    memset(lanes, 0, sizeof(lanes))
    while mask:
        f = lowest(mask)
        mask &= mask - 1
        k = spare(g, t, g.mover, f)
        k = (popcount(t.adjacent[f] & own) << (k > 1)) & -(k > 0)
        lanes[f >> 3] |= <uint64_t> k << 8 * (f & 7)
        pairs += k
    x = <int> rng_below(rng, <uint32_t> (pairs + 1))
    if x == pairs:
        finish_turn(g, t)
        return
    n = 0
    while x >= <int> (lanes[n] * EACH >> 56):
        x -= <int> (lanes[n] * EACH >> 56)
        n += 1
    f = 8 * n + find_lane(lanes[n], &x)
    k = spare(g, t, g.mover, f)
    if k > 1:
        k = (k + 1) >> 1 if x & 1 else k
        x >>= 1
    if not shift_armies(g, t, f, nth(t.adjacent[f] & own, x), k):
        finish_turn(g, t)


cdef inline int play_at_random(Game* g, const Tables* t, bint on, move_t* scratch, Rng* rng) noexcept nogil:
    """Play at random where a seat decides; returns the number of decisions. `on`: continue through the turn."""
    cdef int n = 0
    if g.phase == SETUP_PLACE:          # the last batch is followed by the first turn
        place_at_random(g, t, rng)
        return 1
    if g.phase == PLACE:
        place_at_random(g, t, rng)
        n = 1
        while on and g.phase == PLACE:
            place_at_random(g, t, rng)
            n += 1
        if not on or g.phase != ATTACK:
            return n
    if g.phase == ATTACK:
        n += attack_at_random(g, t, on, rng)
        if not on or g.phase != FORTIFY:
            return n
    if g.phase == FORTIFY:
        fortify_at_random(g, t, rng)
    elif g.phase == OCCUPY:
        occupy_at_random(g, t, rng)
    else:
        apply_move(g, t, scratch[rng_below(rng, <uint32_t> moves_of(g, t, True, scratch))])
    return n + 1


# ---- greedy policy of the reference statistics (RIS-21.4) ---------------------------------------


cdef inline uint64_t needed(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Enemy territories that the seat's objective still lacks."""
    cdef const Objective* o = &t.objective[effective(g, t, seat, g.objective[seat])]
    cdef uint64_t own = g.own[seat], wanted = o.need
    cdef double share, best = -1.0
    cdef int i, pick = 0
    if o.type == TERRITORY_COUNT:
        return t.all_territories & ~own
    if o.type == DESTROY:
        return g.own[seat_of_color(g, t, o.color)]
    if o.type == REGIONS_PLUS:
        for i in range(CONTINENTS):
            if (o.others >> i) & 1:
                share = <double> popcount(own & t.continent[i]) / popcount(t.continent[i])
                if share > best:
                    best = share
                    pick = i
        wanted |= t.continent[pick]
    return wanted & ~own


cdef inline int best_front(const Game* g, const Tables* t, int seat) noexcept nogil:
    """The own territory of the best pair with an enemy neighbour."""
    cdef uint64_t mask = g.own[seat], found, wanted = needed(g, t, seat)
    cdef int i, k, score, best = -100000, pick = lowest(mask)
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        found = t.adjacent[i] & ~g.own[seat]
        while found:
            k = lowest(found)
            found &= found - 1
            score = 5 * <int> ((wanted >> k) & 1) + g.armies[i] - g.armies[k]
            if score > best:
                best = score
                pick = i
    return pick


cdef inline move_t greedy_place(const Game* g, const Tables* t) noexcept nogil:
    cdef const Objective* o = &t.objective[effective(g, t, g.mover, g.objective[g.mover])]
    cdef uint64_t own = g.own[g.mover], single = own & ~g.many
    if (o.type == TERRITORY_COUNT and o.min_armies == 2 and popcount(own) >= o.count
            and popcount(own & g.many) < o.count):
        return code_of(K_PLACE, 0, lowest(single), 1)
    return code_of(K_PLACE, 0, best_front(g, t, g.mover), g.left)


cdef inline move_t greedy_attack(const Game* g, const Tables* t) noexcept nogil:
    cdef uint64_t mask = g.own[g.mover] & g.many, found, wanted = needed(g, t, g.mover)
    cdef uint64_t protected = protected_targets(g, t)
    cdef int i, k, score, best = -100000
    cdef move_t pick = code_of(K_END_ATTACK, 0, 0, 0)
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        found = targets_of(g, t, i, protected)
        while found:
            k = lowest(found)
            found &= found - 1
            score = 5 * <int> ((wanted >> k) & 1) + g.armies[i] - g.armies[k]
            if g.armies[i] >= 4 and g.armies[i] - g.armies[k] >= 2 and score > best:
                best = score
                pick = code_of(K_ATTACK, i, k, most_dice(g, t, i, k))
    return pick


cdef inline move_t greedy_occupy(const Game* g, const Tables* t) noexcept nogil:
    cdef int most = spare(g, t, g.mover, g.origin)
    if is_front(g, t, g.mover, g.origin):
        most = most >> 1 if is_front(g, t, g.mover, g.target) else 0
    return code_of(K_OCCUPY, 0, 0, most)


cdef inline move_t greedy_fortify(const Game* g, const Tables* t) noexcept nogil:
    """The largest move from an inner territory towards the neighbour nearest to a front."""
    cdef uint64_t own = g.own[g.mover], mask = own & g.many, near = 0, found
    cdef int i, n, most = 0, pick = -1
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        n = spare(g, t, g.mover, i)
        if n > most and t.adjacent[i] & own and not is_front(g, t, g.mover, i):
            most = n
            pick = i
    if pick < 0:
        return code_of(K_END_TURN, 0, 0, 0)
    mask = own
    while mask:
        i = lowest(mask)
        mask &= mask - 1
        if is_front(g, t, g.mover, i):
            near |= bit(i)
    while near:                         # widen the front until it meets a neighbour
        found = near & t.adjacent[pick]
        if found:
            return code_of(K_FORTIFY, pick, lowest(found), most)
        mask = near
        found = near
        while mask:
            found |= t.adjacent[lowest(mask)] & own & ~bit(pick)
            mask &= mask - 1
        if found == near:
            break
        near = found
    return code_of(K_END_TURN, 0, 0, 0)


cdef inline move_t greedy_trade(const Game* g, const Tables* t, const move_t* sets, int n) noexcept nogil:
    """The best set; the last entry declines."""
    cdef int i, x, best = -1, pick = n - 1
    for i in range(n - 1):
        x = set_worth(g, t, <int> ((sets[i] >> 12) & 63), <int> ((sets[i] >> 6) & 63), <int> (sets[i] & 63))
        if x > best:
            best = x
            pick = i
    return sets[pick]


cdef inline move_t greedy_move(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    if g.phase == PLACE or g.phase == SETUP_PLACE:
        return greedy_place(g, t)
    if g.phase == ATTACK:
        return greedy_attack(g, t)
    if g.phase == OCCUPY:
        return greedy_occupy(g, t)
    if g.phase == FORTIFY:
        return greedy_fortify(g, t)
    return greedy_trade(g, t, moves, n) if g.phase == TRADE else moves[0]


# ---- whole games by the policies of the reference statistics, counted -------------------------------
# Lists are the compact ones with single throws. A defender's answer, always the maximum, counts as a decision.


cdef struct Tally:
    uint64_t decisions
    uint64_t throws
    uint64_t conquests
    uint64_t listed                     # sum of the lengths of the lists
    int longest                         # longest list
    int most_cards                      # most cards in a hand


cdef inline void reference_game(Game* g, const Tables* t, bint greedy, move_t* scratch, Tally* tally,
                                Rng* rng) noexcept nogil:
    """Play to the end. The caller makes the world one in which defenders do not choose their dice."""
    cdef int n, i, phase, target, owner
    cdef move_t move
    memset(tally, 0, sizeof(Tally))
    while g.phase != GAME_OVER:
        phase = g.phase
        if is_luck(phase):
            if phase == CHANCE_ROLL:
                tally.throws += 1
                if g.defence_dice > 1 and not t.forced_defence:
                    tally.decisions += 1
                    tally.listed += 1
                target = g.target
                owner = g.owner[target]
                apply_move(g, t, sample_chance(g, t, rng))
                tally.conquests += g.owner[target] != owner
                continue
            apply_move(g, t, sample_chance(g, t, rng))
            for i in range(t.players):
                if popcount(g.hand[i]) > tally.most_cards:
                    tally.most_cards = popcount(g.hand[i])
            continue
        n = throw_moves(g, t, scratch) if phase == ATTACK else moves_of(g, t, True, scratch)
        tally.decisions += 1
        tally.listed += n
        if n > tally.longest:
            tally.longest = n
        move = greedy_move(g, t, scratch, n) if greedy else scratch[rng_below(rng, <uint32_t> n)]
        apply_move(g, t, move)
