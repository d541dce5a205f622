"""The Settlers of Zarahemla knowledge: how good each move is for who makes it, in points.

Most moves are tried out on a copy and the mover's position is valued again; what is drawn, thrown or answered
afterwards is estimated. Only the mover's own secrets are read.
"""

from libc.math cimport exp
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from sfida.cython_ext.bits cimport LANES, count_of, lane
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, DISCARD, FREE_ROADS, GAME_OVER, INIT_ROAD, INIT_SETTLEMENT, LIAHONA, MAIN, M_BANK_TRADE, M_BUY_DEV,
    M_DISCARD, M_END_TURN, M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA, M_PLAY_PROSPERITY, M_PLAY_ROAD_BUILDING,
    M_PLAY_WARRIOR, M_ROAD, M_ROLL, M_SETTLE, M_STEAL_FROM, M_TAKE, M_TEMPLE_STONE, M_TRADE_ACCEPT, M_TRADE_COUNTER,
    M_TRADE_NO_DEAL, M_TRADE_OPEN, M_TRADE_PICK, M_TRADE_REJECT, PRE_ROLL, RESOURCES, ROBBER, SEATS, STEAL, TAKE,
    TRADE_COMPOSE, TRADE_PICK, TRADE_RESPOND, VICTORY_POINT, Game, Tables, answer_of, cards_in, secret_points,
    total,
)
from sfida.cython_ext.zarahemla.deals cimport (
    REFUSED, Deals, deal_gain, find_deals, next_step, offer_worth, plans_of,
)
from sfida.cython_ext.zarahemla.income cimport can_pay, robbed_dots
from sfida.cython_ext.zarahemla.plans cimport (
    Plans, Scene, at_least, fill_features, hand_worth, seat_worth, set_scene,
    sum_features,
)
from sfida.cython_ext.zarahemla.robber cimport (
    Targets, best_robbery, best_take, find_targets, first_of, robber_worth, to_discard,
)
from sfida.cython_ext.zarahemla.sites cimport place_worth, room_at
from sfida.cython_ext.zarahemla.weights cimport FEATURES, F_CARDS, F_POINTS, Weights
from sfida.cython_ext.zarahemla.turn cimport apply_move, legal_moves


cdef enum:
    WIN = 100                           # points that a won game counts as


cdef struct Judge:                      # a seat that weighs its moves
    int seat
    Scene scene
    Plans plans
    double base                         # worth of its position now
    int points_of_others


cdef inline int others_points(const Game* g, const Tables* t, int seat) noexcept nogil:
    cdef int i, sum = 0
    for i in range(t.players):
        if i != seat:
            sum += g.seat[i].points
    return sum


cdef inline void set_judge(const Game* g, const Tables* t, const Weights* w, int seat, Judge* j) noexcept nogil:
    cdef double x[FEATURES]
    j.seat = seat
    set_scene(g, t, seat, &j.scene)
    fill_features(g, t, w, &j.scene, seat, x, &j.plans)
    j.base = sum_features(w.worth, x)
    j.points_of_others = others_points(g, t, seat)


cdef inline double change(const Game* after, const Tables* t, const Weights* w, const Judge* j) noexcept nogil:
    """What a position is worth to the judge beyond the present one."""
    if after.phase == GAME_OVER:
        return WIN if after.winner == j.seat else -WIN
    return (seat_worth(after, t, w, &j.scene, j.seat) - j.base
            + w.k.rival * (j.points_of_others - others_points(after, t, j.seat)))


cdef inline double try_out(const Game* g, const Tables* t, const Weights* w, const Judge* j, Game* twin,
                           move_t move) noexcept nogil:
    memcpy(twin, g, sizeof(Game))
    apply_move(twin, t, move)
    return change(twin, t, w, j)


cdef inline double card_worth(const Weights* w, const Judge* j) noexcept nogil:
    """Expected worth of a development card that is drawn."""
    cdef double chance = <double> j.scene.hidden_points / j.scene.unseen if j.scene.unseen else 0.0
    return chance * w.worth[F_POINTS] + (1.0 - chance) * 1.1 * w.worth[F_CARDS]


cdef inline double two_roads_worth(const Game* g, const Tables* t, const Weights* w, const Judge* j,
                                   Game* twin) noexcept nogil:
    """Road Building: the best first road, then the best second one."""
    cdef Game second
    cdef move_t moves[80]
    cdef move_t pick
    cdef double v, best
    cdef int i, n, _step
    memcpy(twin, g, sizeof(Game))
    apply_move(twin, t, M_PLAY_ROAD_BUILDING)
    best = change(twin, t, w, j)
    for _step in range(2):
        if twin.phase == MAIN or twin.phase == PRE_ROLL or twin.phase == GAME_OVER:
            break
        n = legal_moves(twin, t, moves)
        best = -1e9
        pick = moves[0]
        for i in range(n):
            v = try_out(twin, t, w, j, &second, moves[i])
            if v > best:
                best = v
                pick = moves[i]
        apply_move(twin, t, pick)
    return best


cdef inline double collected_worth(const Game* g, const Tables* t, const Weights* w, const Judge* j, Game* twin,
                                   move_t move) noexcept nogil:
    """Prosperity: the cards are worth something to those who lose them."""
    cdef double v = try_out(g, t, w, j, twin, move)
    cdef int got = (<int> (twin.seat[j.seat].hand >> 48) & 0xFF) - (<int> (g.seat[j.seat].hand >> 48) & 0xFF)
    return v + 0.04 * got


cdef inline double average_roll(const Game* g, const Tables* t, const Weights* w, const Judge* j,
                                Game* twin) noexcept nogil:
    """What the dice are expected to bring, to compare with a total named by the Liahona."""
    cdef double sum = 0.0
    cdef int dice
    for dice in range(2, 13):
        if dice != 7:
            memcpy(twin, g, sizeof(Game))
            twin.seat[j.seat].dev += <uint64_t> 1 << 56     # in exchange for the card that the move takes
            twin.seat[j.seat].dev += <uint64_t> 1 << (8 * LIAHONA)
            apply_move(twin, t, M_PLAY_LIAHONA + dice - 2)
            sum += (dice - 1 if dice < 7 else 13 - dice) / 36.0 * change(twin, t, w, j)
    return sum


cdef inline void weigh_offers(const Game* g, const Tables* t, const Weights* w, const Judge* j, Deals* d,
                              double* worth) noexcept nogil:
    """The offers the judge may make, each with its worth."""
    cdef Plans others[SEATS]
    cdef int i
    find_deals(g, t, &j.plans, j.seat, d)
    if d.n == 0:
        return
    for i in range(t.players):
        if i != j.seat and (j.seat == g.on_turn or i == g.on_turn):
            plans_of(g, t, w, &j.scene, i, &others[i])
    for i in range(d.n):
        worth[i] = offer_worth(g, t, w, &j.scene, j.seat, &j.plans, others, d.give[i], d.want[i])


cdef inline int choice_of(const Deals* d, const double* worth, int skip) noexcept nogil:
    """The best offer after `skip` better ones, those made already; -1: none."""
    cdef int i, _round, pick = -1
    cdef bint used[8]
    for i in range(8):
        used[i] = False
    for _round in range(skip + 1):
        pick = -1
        for i in range(d.n):
            if not used[i] and worth[i] > 0.0 and (pick < 0 or worth[i] > worth[pick]):
                pick = i
        if pick < 0:
            return -1
        used[pick] = True
    return pick


cdef inline double partner_gain(const Game* g, const Tables* t, const Weights* w, const Judge* j,
                                int seat) noexcept nogil:
    """Worth to the seat on turn of a deal with who accepted or made a counter-offer."""
    if answer_of(g, seat) == ACCEPTED:
        return deal_gain(g, t, w, &j.scene, j.seat, &j.plans, seat, g.give[j.seat], g.want[j.seat])
    return deal_gain(g, t, w, &j.scene, j.seat, &j.plans, seat, g.want[seat], g.give[seat])


cdef inline uint64_t pay_with_bank(uint64_t hand, uint64_t cost, uint64_t rate) noexcept nogil:
    """The hand (lanes) left after a purchase that it can pay with the bank's help."""
    cdef int r, n, give, most
    hand &= LANES
    for r in range(RESOURCES):
        while count_of(hand, r) < count_of(cost, r):
            most = 0
            for n in range(RESOURCES):
                if count_of(hand, n) - count_of(cost, n) - count_of(rate, n) >= most:
                    most = count_of(hand, n) - count_of(cost, n) - count_of(rate, n)
                    give = n
            hand += lane(r) - lane(give) * <uint64_t> count_of(rate, give)
    return hand - (cost & LANES)


cdef inline double swap_worth(const Game* g, const Tables* t, const Weights* w, const Judge* j, int give,
                              int get) noexcept nogil:
    """A trade with the bank as the first step of the best purchase that it makes possible; below 0: of none."""
    cdef uint64_t hand = g.seat[j.seat].hand & LANES
    cdef uint64_t rate = j.plans.means.rate
    cdef uint64_t after = hand - lane(give) * <uint64_t> count_of(rate, give) + lane(get)
    cdef double v, now = hand_worth(w, t, &j.plans, hand), best = -1.0
    cdef int i
    for i in range(j.plans.n):
        if count_of(hand, get) < count_of(j.plans.cost[i], get) and can_pay(after, j.plans.cost[i], rate):
            v = j.plans.worth[i] + hand_worth(w, t, &j.plans, pay_with_bank(after, j.plans.cost[i], rate)) - now
            best = v if v > best else best
    return best


cdef inline double turn_move(const Game* g, const Tables* t, const Weights* w, const Judge* j, const Targets* targets,
                             Game* twin, move_t move) noexcept nogil:
    """Worth of a move of the own turn over doing nothing."""
    cdef int code = <int> move
    cdef double v
    cdef uint64_t hand = g.seat[j.seat].hand
    if code == M_ROLL or code == M_END_TURN:
        return 0.0
    if M_BANK_TRADE <= code < M_PLAY_WARRIOR:
        v = swap_worth(g, t, w, j, (code - M_BANK_TRADE) // RESOURCES, (code - M_BANK_TRADE) % RESOURCES) - 0.01
        return at_least(v, try_out(g, t, w, j, twin, move))
    if code == M_BUY_DEV:
        return try_out(g, t, w, j, twin, move) + card_worth(w, j)
    if code == M_PLAY_WARRIOR:
        v = try_out(g, t, w, j, twin, move)
        if twin.phase != GAME_OVER:
            v += best_robbery(g, t, w, j.seat, targets)
            if g.phase == PRE_ROLL and not robbed_dots(g, t, j.seat):
                return v - 1.0          # after the dice, with more to see (ZAR-23.14)
        return v
    if code == M_PLAY_HARVEST:
        best_take(g, t, w, &j.plans, hand, 2, 0, &v)
        v += try_out(g, t, w, j, twin, move) - hand_worth(w, t, &j.plans, hand & LANES) - 0.1
    elif code == M_PLAY_ROAD_BUILDING:
        v = two_roads_worth(g, t, w, j, twin)
        if v > WIN / 2:
            return v
    elif M_PLAY_PROSPERITY <= code < M_PLAY_PROSPERITY + RESOURCES:
        v = collected_worth(g, t, w, j, twin, move) - 0.1
    elif M_PLAY_LIAHONA <= code < M_PLAY_LIAHONA + 11:
        if code == M_PLAY_LIAHONA + 5:
            memcpy(twin, g, sizeof(Game))
            twin.seat[j.seat].dev -= (<uint64_t> 1 << 56) + (<uint64_t> 1 << (8 * LIAHONA))
            v = change(twin, t, w, j) + best_robbery(g, t, w, j.seat, targets)
        else:
            v = try_out(g, t, w, j, twin, move)
        return v - average_roll(g, t, w, j, twin) - 0.05
    elif code == M_TEMPLE_STONE:
        v = try_out(g, t, w, j, twin, move)
        if v > WIN / 2 or total(hand) > t.discard_limit:
            return v                    # before the dice only to win, or when a seven would cost the cards
    else:
        return try_out(g, t, w, j, twin, move)
    return v - 1.0 if g.phase == PRE_ROLL else v


cdef inline void score_trade(const Game* g, const Tables* t, const Weights* w, const Judge* j, const move_t* moves,
                             int n, double* out) noexcept nogil:
    """Offers, answers and the choice among them."""
    cdef Deals d
    cdef double worth[8]
    cdef int i, k, pick, code
    if g.phase == TRADE_COMPOSE:
        weigh_offers(g, t, w, j, &d, worth)
        for i in range(n):
            out[i] = -0.5
        for k in range(d.n):
            code = next_step(g, j.seat, d.give[k], d.want[k])
            for i in range(n):
                if <int> moves[i] == code and worth[k] > out[i]:
                    out[i] = worth[k]
        pick = choice_of(&d, worth, g.offers - 1 if j.seat == g.on_turn else 0)
        if pick >= 0:
            code = next_step(g, j.seat, d.give[pick], d.want[pick])
            for i in range(n):
                if <int> moves[i] == code:
                    out[i] += 0.5
        return
    for i in range(n):
        code = <int> moves[i]
        if code == M_TRADE_ACCEPT:
            out[i] = deal_gain(g, t, w, &j.scene, j.seat, &j.plans, g.on_turn, g.want[g.on_turn], g.give[g.on_turn])
            if g.want[g.on_turn]:
                out[i] -= w.k.deal
        elif code == M_TRADE_COUNTER:
            out[i] = -0.2
            weigh_offers(g, t, w, j, &d, worth)
            pick = choice_of(&d, worth, 0) if d.n else -1
            if pick >= 0:
                out[i] = 0.8 * worth[pick] - 0.5 * w.k.deal
        elif M_TRADE_PICK <= code < M_TRADE_NO_DEAL:
            out[i] = partner_gain(g, t, w, j, code - M_TRADE_PICK) - w.k.deal
        else:
            out[i] = 0.0


cdef inline int wins_by_itself(const Game* g, const Tables* t, const Weights* w, int depth, int* budget) noexcept nogil:
    """A move that starts a line of builds, bank trades and cards that wins this turn whatever is hidden, or -1."""
    cdef Game twin
    cdef move_t moves[80]
    cdef int i, n, code
    n = legal_moves(g, t, moves)
    for i in range(n):
        code = <int> moves[i]
        if code == M_ROLL or code == M_END_TURN or code == M_BUY_DEV or code == M_PLAY_HARVEST or (
                code >= M_PLAY_PROSPERITY):
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return -1
        memcpy(&twin, g, sizeof(Game))
        apply_move(&twin, t, moves[i])
        if twin.phase == GAME_OVER:
            return code
        if depth > 1 and (twin.phase == MAIN or twin.phase == PRE_ROLL or twin.phase == FREE_ROADS) and wins_by_itself(
                &twin, t, w, depth - 1, budget) >= 0:
            return code
    return -1


cdef inline int winning_move(const Game* g, const Tables* t, const Weights* w) noexcept nogil:
    """First move of a sure win in this turn, or -1; looked for when the target is near."""
    cdef int budget = 300, depth, code
    cdef int missing = t.target - g.seat[g.on_turn].points - secret_points(g, t, g.on_turn)
    if g.phase != MAIN and g.phase != PRE_ROLL or missing > 4:
        return -1
    for depth in range(1, 5):
        code = wins_by_itself(g, t, w, depth, &budget)
        if code >= 0 or budget < 0:
            return code
    return -1


cdef inline void score_moves(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                             double* out) noexcept nogil:
    """Worth in points of each move to the seat to decide; in dots for the first settlements and their roads."""
    cdef Judge j
    cdef Game twin
    cdef Targets targets
    cdef Deals d
    cdef double worth[8]
    cdef double v
    cdef uint64_t cards
    cdef int i, pick, seat = g.mover, phase = g.phase
    if phase == INIT_SETTLEMENT:
        for i in range(n):
            out[i] = place_worth(g, t, w, seat, <int> moves[i] - M_SETTLE)
        return
    if phase == INIT_ROAD:
        for i in range(n):
            out[i] = room_at(g, t, w, g.corner, <int> moves[i] - M_ROAD, 0, g.seat[seat].stations)
        return
    set_judge(g, t, w, seat, &j)
    if phase >= TRADE_COMPOSE:
        score_trade(g, t, w, &j, moves, n, out)
        return
    if phase == DISCARD or phase == TAKE:
        if phase == DISCARD:
            cards = to_discard(w, t, &j.plans, g.seat[seat].hand, g.left, g.floor)
            pick = M_DISCARD + first_of(cards)
        else:
            cards = best_take(g, t, w, &j.plans, g.seat[seat].hand, g.left, g.floor, &v)
            pick = M_TAKE + first_of(cards)
        for i in range(n):
            out[i] = 0.4 if <int> moves[i] == pick else 0.0
        return
    pick = winning_move(g, t, w)
    if pick >= 0:
        for i in range(n):
            out[i] = WIN if <int> moves[i] == pick else 0.0
        return
    if phase == MAIN or phase == PRE_ROLL or phase == ROBBER or phase == STEAL:
        find_targets(g, t, w, &j.scene, seat, &j.plans, &targets)
    for i in range(n):
        if phase == ROBBER:
            out[i] = robber_worth(g, t, w, seat, &targets, <int> moves[i] - M_MOVE_ROBBER)
        elif phase == STEAL:
            pick = <int> moves[i] - M_STEAL_FROM
            out[i] = targets.loot[pick] if pick < SEATS else -0.5
        elif moves[i] == M_TRADE_OPEN:
            out[i] = -0.5
            weigh_offers(g, t, w, &j, &d, worth)
            pick = choice_of(&d, worth, g.offers) if d.n else -1
            if pick >= 0:
                out[i] = worth[pick] - 0.02
        else:
            out[i] = turn_move(g, t, w, &j, &targets, &twin, moves[i])


cdef inline void soften(double* worth, int n, double heat, float* out) noexcept nogil:
    """Probabilities from worths at a temperature, none below a thousandth of the best."""
    cdef double top = worth[0], sum = 0.0, e
    cdef int i
    for i in range(1, n):
        top = worth[i] if worth[i] > top else top
    for i in range(n):
        e = exp(at_least((worth[i] - top) / heat, -6.9))
        worth[i] = e
        sum += e
    for i in range(n):
        out[i] = <float> (worth[i] / sum)
