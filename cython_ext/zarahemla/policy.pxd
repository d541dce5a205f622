"""The Settlers of Zarahemla policy: candidate moves of the search, priors, and playouts.

A playout move follows a few cheap rules: build pieces that score, save for the nearest purchase, otherwise buy cards
and stones; play Warriors when held; move the robber to the leader. Playouts make no offers.
"""

from libc.math cimport exp
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from sfida.cython_ext.bits cimport count_of, covers, lowest
from sfida.cython_ext.flat_state cimport M_OWN, list_priors, list_worth
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    DISCARD, FREE_ROADS, GAME_OVER, HARVEST, INIT_ROAD, INIT_SETTLEMENT, LIAHONA, M_BANK_TRADE, M_BUY_DEV,
    M_CHOOSE_START, M_CITY, M_DISCARD, M_END_TURN, M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA, M_PLAY_PROSPERITY,
    M_PLAY_ROAD_BUILDING, M_PLAY_TEMPLE_BUILDING, M_PLAY_WARRIOR, M_ROAD, M_ROLL, M_SETTLE, M_STEAL_FROM,
    M_STEAL_NOTHING, M_TAKE, M_TEMPLE_STONE, M_TRADE_ACCEPT, M_TRADE_COUNTER, M_TRADE_NO_DEAL, M_TRADE_OPEN,
    M_TRADE_PICK, M_TRADE_REJECT, MAIN, MAX_LEGAL, NOWHERE, PRE_ROLL, PROSPERITY, ROAD_BUILDING, ROBBER, STEAL, TAKE,
    TEMPLE_BUILDING, TRADE_COMPOSE, TRADE_RESPOND, WARRIOR, Game, Seat, buildings, bundle, can_go_on, cards_in,
    outstanding, secret_points, total, walls_of
)
from sfida.cython_ext.zarahemla.evaluation cimport (
    MAX_DEALS, Deals, find_deals, next_step, plan_offers, score_moves, some_counter, some_offer
)
from sfida.cython_ext.zarahemla.features cimport (
    Plans, at_least, can_pay, place_worth, robbed_dots, stake, top_of_others
)
from sfida.cython_ext.zarahemla.moves cimport robber_goals, stone_before_roll, victims
from sfida.cython_ext.zarahemla.tables cimport RESOURCES, Coefficients, Tables
from sfida.cython_ext.zarahemla.turn cimport apply_move


cdef inline int keep_sensible(const Game* g, const Tables* t, const Coefficients* w, move_t* moves,
                              int n) noexcept nogil:
    """Remove offers that no seat would make or accept from the legal moves (ZAR-13); returns the new count."""
    cdef Plans p
    cdef Deals d
    cdef int i, k, left = 0
    cdef int step[MAX_DEALS]
    cdef move_t kept[16]
    if g.phase == MAIN:
        if n < 2 or moves[n - 1] != M_TRADE_OPEN or some_offer(g, t, w, g.mover):
            return n
        return n - 1
    if g.phase == TRADE_RESPOND:
        if moves[n - 1] != M_TRADE_COUNTER or some_counter(g, t, w, g.mover):
            return n
        return n - 1
    if g.phase != TRADE_COMPOSE:
        return n
    plan_offers(g, t, w, g.mover, &p)
    find_deals(g, t, &p, g.mover, &d)
    for k in range(d.n):
        step[k] = next_step(g, g.mover, d.give[k], d.want[k])
    for i in range(n):
        for k in range(d.n):
            if step[k] == <int> moves[i]:
                kept[left] = moves[i]
                left += 1
                break
    if not left:
        return n
    for i in range(left):
        moves[i] = kept[i]
    return left


cdef inline void soften(double* worth, int n, double heat, float* out) noexcept nogil:
    """Turn worths into probabilities at a temperature, none below a thousandth of the largest."""
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


cdef inline void find_priors(const Game* g, const Tables* t, const Coefficients* w, const move_t* moves, int n,
                             float* out) noexcept nogil:
    cdef double worth[80]
    if n == 1:
        out[0] = 1.0
        return
    score_moves(g, t, w, moves, n, worth)
    soften(worth, n, w.place_heat if g.phase == INIT_SETTLEMENT or g.phase == INIT_ROAD else w.heat, out)


cdef inline int find_sure_win(const Game* g, const Tables* t, const move_t* moves, int n) noexcept nogil:
    """Index of a move that immediately wins the game for the seat on turn, or -1."""
    cdef Game twin
    cdef int i, code
    if g.mover != g.on_turn or g.phase < PRE_ROLL:
        return -1
    # one move brings at most three points: a settlement, and the Longest Road that it cuts
    if g.seat[g.on_turn].points + secret_points(g, t, g.on_turn) + t.settlement_points + t.road_points < t.target:
        return -1
    for i in range(n):
        code = <int> moves[i]
        if code == M_ROLL or code == M_END_TURN or code == M_BUY_DEV or code >= M_TRADE_OPEN:
            continue
        memcpy(&twin, g, sizeof(Game))
        apply_move(&twin, t, moves[i])
        if twin.phase == GAME_OVER and twin.winner == g.on_turn:
            return i
    return -1


cdef enum:                              # names: MOVE_FEATURES of the core, in this order
    M_SETTLES = M_OWN                   # kinds of moves: 1 or 0
    M_ROADS
    M_CITIES
    M_ENDS                              # ends the turn, or rolls the dice
    M_BUYS                              # buys a development card
    M_PLAYS                             # plays a development card
    M_BANKS                             # trades with the bank
    M_OFFERS                            # opens, composes or counters an offer
    M_DEALS                             # accepts an offer, or picks one
    M_DECLINES
    M_ROADS_LATE                        # the same features times the stage of the game
    M_CITIES_LATE
    M_BUYS_LATE
    M_BANKS_LATE
    M_DEALS_LATE
    MOVE_WIDTH


cdef inline double stage_of(const Game* g, const Tables* t) noexcept nogil:
    """The leader's public points as a fraction of the points that win."""
    cdef int i, top = 0
    for i in range(t.players):
        top = g.seat[i].points if g.seat[i].points > top else top
    return <double> top / t.target


cdef inline int column_of(int code) noexcept nogil:
    """The feature that is 1 for a move; -1: none."""
    if code < M_ROAD:
        return M_SETTLES
    if code < M_CITY:
        return M_ROADS
    if code < M_CHOOSE_START:
        return M_CITIES
    if code < M_ROLL:
        return -1
    if code <= M_END_TURN:
        return M_ENDS
    if code == M_BUY_DEV:
        return M_BUYS
    if code == M_TEMPLE_STONE or M_PLAY_WARRIOR <= code < M_TAKE:
        return M_PLAYS
    if M_BANK_TRADE <= code < M_PLAY_WARRIOR:
        return M_BANKS
    if code <= M_STEAL_NOTHING:
        return -1
    if code == M_TRADE_ACCEPT or M_TRADE_PICK <= code < M_TRADE_NO_DEAL:
        return M_DEALS
    if code == M_TRADE_REJECT or code == M_TRADE_NO_DEAL:
        return M_DECLINES
    return M_OFFERS


cdef inline void features_of_moves(const Game* g, const Tables* t, const Coefficients* w, const move_t* moves, int n,
                                   double* out) noexcept nogil:
    cdef double worth[MAX_LEGAL]
    cdef float prior[MAX_LEGAL]
    cdef double late = stage_of(g, t)
    cdef double* x
    cdef int i, column
    score_moves(g, t, w, moves, n, worth)
    list_worth(worth, n, MOVE_WIDTH, out)
    soften(worth, n, w.place_heat if g.phase == INIT_SETTLEMENT or g.phase == INIT_ROAD else w.heat, prior)
    list_priors(prior, n, late, MOVE_WIDTH, out)
    for i in range(n):
        x = out + i * MOVE_WIDTH
        column = column_of(<int> moves[i])
        if column >= 0:
            x[column] = 1.0
        x[M_ROADS_LATE] = x[M_ROADS] * late
        x[M_CITIES_LATE] = x[M_CITIES] * late
        x[M_BUYS_LATE] = x[M_BUYS] * late
        x[M_BANKS_LATE] = x[M_BANKS] * late
        x[M_DEALS_LATE] = x[M_DEALS] * late


cdef inline int best_corner(const Game* g, uint64_t mask) noexcept nogil:
    """The corner with the most dots in a non-empty set."""
    cdef int c, n, best = -1, pick = NOWHERE
    while mask:
        c = lowest(mask)
        mask &= mask - 1
        n = g.plain[c]
        if n > best:
            best = n
            pick = c
    return pick


cdef inline int road_target(const Game* g, const Tables* t, int seat, int e, uint64_t walls) noexcept nogil:
    """Dots that a road opens up: double at its far end, single one road further; 1 if it only adds length."""
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t ends
    cdef int k, far, n, best = 0
    for k in range(2):
        far = t.end_a[e] if k else t.end_b[e]
        if (s.reach >> far) & 1:
            continue
        if (walls >> far) & 1:
            continue
        if not (g.blocked >> far) & 1:
            n = 2 * g.plain[far] + 4
            best = n if n > best else best
        ends = g.near[far] & ~g.blocked & ~s.reach
        while ends:
            n = g.plain[lowest(ends)]
            ends &= ends - 1
            best = n if n > best else best
        best = best if best else 1
    return best


cdef inline move_t quick_road(const Game* g, const Tables* t, int seat, Rng* rng, int* worth) noexcept nogil:
    """The road that opens up the most dots."""
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t mask = s.front & ~g.taken, walls = walls_of(g, seat)
    cdef int high = s.front_high & ~g.taken_high
    cdef int e, n, best = -1, pick = 0
    while mask or high:
        if mask:
            e = lowest(mask)
            mask &= mask - 1
        else:
            e = 64 + lowest(high)
            high &= high - 1
        n = 4 * road_target(g, t, seat, e, walls) + <int> rng_below(rng, 4)
        if n > best:
            best = n
            pick = e
    worth[0] = best >> 2
    return M_ROAD + pick


cdef inline move_t swap_for(const Game* g, const Tables* t, uint64_t cost) noexcept nogil:
    """A bank trade towards a purchase that the hand can pay for with the bank's help, or 0."""
    cdef const Seat* s = &g.seat[g.on_turn]
    cdef uint64_t rate = t.rate[s.stations]
    cdef int r, n, give = -1, get = -1, most = 0
    if not can_pay(s.hand, cost, t.part[s.stations]):
        return 0
    for r in range(RESOURCES):
        n = count_of(s.hand, r) - count_of(cost, r)
        if n < 0:
            if count_of(g.bank, r):
                get = r
        elif n >= count_of(rate, r) and n > most:
            most = n
            give = r
    if give < 0 or get < 0:
        return 0
    return M_BANK_TRADE + 5 * give + get


cdef inline move_t quick_card(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """A development card worth playing now, or 0."""
    cdef const Seat* s = &g.seat[g.on_turn]
    cdef uint64_t ready = s.dev if t.dev_same_turn else s.dev - g.fresh
    cdef int r, n, best = 2, pick = -1
    if count_of(ready, WARRIOR):
        if g.phase == MAIN or robbed_dots(g, t, g.on_turn):
            return M_PLAY_WARRIOR
    if not ready & <uint64_t> 0xFFFFFFFFFF00:
        return 0
    if g.phase == PRE_ROLL:
        if count_of(ready, LIAHONA):
            for r in range(2, 13):
                if r != 7:
                    n = total(g.prod[t.roll_slot[r]][g.on_turn])
                    if n > best:
                        best = n
                        pick = r
            if pick > 0:
                return M_PLAY_LIAHONA + pick - 2
        return 0
    if count_of(ready, TEMPLE_BUILDING) and s.stones < t.n_stones:
        return M_PLAY_TEMPLE_BUILDING
    if count_of(ready, ROAD_BUILDING) and s.n_roads < t.n_roads and can_go_on(g, g.on_turn):
        return M_PLAY_ROAD_BUILDING
    if count_of(ready, HARVEST) and total(g.bank) and rng_below(rng, 2):
        return M_PLAY_HARVEST
    if count_of(ready, PROSPERITY):
        best = 3
        for r in range(RESOURCES):
            n = outstanding(g, t, g.on_turn, r)
            if n > best:
                best = n
                pick = r
        if pick >= 0:
            return M_PLAY_PROSPERITY + pick
    return 0


cdef inline int stones_missing(const Game* g, const Tables* t) noexcept nogil:
    """Temple stones that the seat on turn needs to take the card or to stay ahead; 9: the card is safe."""
    cdef int seat = g.on_turn, other = top_of_others(g, t, seat, 2)
    if g.temple_holder == seat:
        return 1 if other >= g.seat[seat].stones - 1 else 9
    return (other + 1 if other >= t.temple_minimum else t.temple_minimum) - g.seat[seat].stones


cdef inline move_t quick_main(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    cdef int seat = g.on_turn
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t hand = s.hand, sites
    cdef int other, gap, worth, cards = total(hand)
    cdef bint city, settle, saving
    cdef move_t move
    if not g.carded and cards_in(s.dev) and s.dev != g.fresh:
        move = quick_card(g, t, rng)
        if move:
            return move
    if cards < 2:
        return M_END_TURN
    city = s.settlements != 0 and s.n_cities < t.n_cities
    if city and covers(hand, t.city_cost):
        return M_CITY + best_corner(g, s.settlements)
    sites = s.reach & ~g.blocked if s.n_settlements < t.n_settlements else 0
    settle = sites != 0
    if settle and covers(hand, t.settlement_cost):
        return M_SETTLE + best_corner(g, sites)
    if city:
        move = swap_for(g, t, t.city_cost)
        if move:
            return move
    if settle:
        move = swap_for(g, t, t.settlement_cost)
        if move:
            return move
    # one card short of a city: keep its wheat and stone, unless a seven threatens
    saving = city and cards <= t.discard_limit and count_of(hand, 4) + count_of(hand, 3) >= 4 and (
        count_of(hand, 4) <= 3 and count_of(hand, 3) <= 2)
    if covers(hand, t.stone_cost) and s.stones < t.n_stones and (not saving or count_of(hand, 4) > 3):
        gap = stones_missing(g, t)
        if gap <= 2 or (gap == 3 and rng_below(rng, 4)):
            return M_TEMPLE_STONE
    if covers(hand, t.road_cost) and s.n_roads < t.n_roads and can_go_on(g, seat) and (
            not settle or cards > t.discard_limit):
        move = quick_road(g, t, seat, rng, &worth)
        if worth > 1 and s.n_settlements < t.n_settlements:
            return move
        other = top_of_others(g, t, seat, 0)
        gap = (other + 1 if other >= t.road_minimum else t.road_minimum) - s.length
        if g.road_holder != seat and gap <= 2 or cards > t.discard_limit:
            return move
    if not saving and cards_in(g.deck):
        if covers(hand, t.card_cost):
            return M_BUY_DEV
        if cards > t.discard_limit - 1:
            move = swap_for(g, t, t.card_cost)
            if move:
                return move
    if cards > t.discard_limit and s.stones < t.n_stones and g.temple_holder != seat:
        move = swap_for(g, t, t.stone_cost)
        if move:
            return move
    return M_END_TURN


cdef inline move_t quick_robber(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """The hex where the robber hurts the leaders most, never one of the seat's own if avoidable."""
    cdef int h, i, score, best = -1000, pick = -1
    cdef uint64_t corners, hexes = robber_goals(g)
    while hexes:
        h = lowest(hexes)
        hexes &= hexes - 1
        corners = t.hex_corners[h]
        score = <int> rng_below(rng, 8)
        for i in range(t.players if g.built & corners else 0):
            if not buildings(&g.seat[i]) & corners:
                continue
            if i == g.on_turn:
                score -= 500
            else:
                score += stake(g, t, i, h) * t.dots[g.hex[h]] * (g.seat[i].points + 1) + (total(g.seat[i].hand) != 0)
        if score > best:
            best = score
            pick = h
    return M_MOVE_ROBBER + pick


cdef inline move_t quick_steal(const Game* g, const Tables* t) noexcept nogil:
    cdef int i, n, best = -1, pick = 0, mask = victims(g, t)
    for i in range(t.players):
        if (mask >> i) & 1:
            n = 3 * g.seat[i].points + total(g.seat[i].hand)
            if n > best:
                best = n
                pick = i
    return M_STEAL_FROM + pick


cdef inline uint64_t near_cost(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Cost of the purchase that the seat saves for."""
    cdef const Seat* s = &g.seat[seat]
    if s.settlements and s.n_cities < t.n_cities and count_of(s.hand, 4) + count_of(s.hand, 3) >= 2:
        return t.city_cost
    return t.settlement_cost if s.n_settlements < t.n_settlements else t.card_cost


cdef inline int quick_discard(const Game* g, const Tables* t) noexcept nogil:
    """First card to discard: the lowest of the cards least needed for the purchase that the seat saves for."""
    cdef int seat = g.mover, _card, r, n, best, pick, first = RESOURCES
    cdef int have[RESOURCES]
    cdef uint64_t cost = near_cost(g, t, seat)
    for r in range(RESOURCES):
        have[r] = count_of(g.seat[seat].hand, r)
    for _card in range(g.left):
        best = -100
        pick = -1
        for r in range(g.floor, RESOURCES):
            n = have[r] - 2 * count_of(cost, r) if have[r] <= count_of(cost, r) else have[r] - count_of(cost, r)
            if have[r] and n > best:
                best = n
                pick = r
        have[pick] -= 1
        first = pick if pick < first else first
    return first


cdef inline move_t quick_take(const Game* g, const Tables* t) noexcept nogil:
    """First card of Bountiful Harvest: the lowest of the most missing cards."""
    cdef uint64_t cost = near_cost(g, t, g.on_turn)
    cdef int i, r, n, best, pick, first = RESOURCES
    cdef int lack[RESOURCES]
    for r in range(RESOURCES):
        lack[r] = count_of(cost, r) - count_of(g.seat[g.on_turn].hand, r)
    for i in range(g.left):
        best = -1000
        pick = -1
        for r in range(g.floor, RESOURCES):
            n = lack[r]
            if count_of(g.bank, r) > i and n > best:
                best = n
                pick = r
        if pick < 0:
            break
        lack[pick] -= 1
        first = pick if pick < first else first
    return M_TAKE + first if first < RESOURCES else 0


cdef inline move_t quick_answer(const Game* g, const Tables* t) noexcept nogil:
    """Accept a card that the seat lacks for one that it holds twice; reject all offers of a seat close to winning."""
    cdef uint64_t hand = g.seat[g.mover].hand
    cdef uint64_t out = bundle(g.want[g.on_turn]), back = bundle(g.give[g.on_turn])
    cdef int r, need = 0, pain = 0
    if not g.want[g.on_turn]:
        return M_TRADE_ACCEPT
    if not covers(hand, out) or g.seat[g.on_turn].points >= t.target - 3:
        return M_TRADE_REJECT
    for r in range(RESOURCES):
        need += count_of(back, r) * (2 if not count_of(hand, r) else 1)
        pain += count_of(out, r) * (2 if count_of(hand, r) < 2 else 1)
    return M_TRADE_ACCEPT if need > pain else M_TRADE_REJECT


cdef inline move_t quick_move(const Game* g, const Tables* t, const Coefficients* w, const move_t* moves, int n,
                              Rng* rng) noexcept nogil:
    """Choose a sensible move quickly; `moves` is the list for phases in which any move will do."""
    cdef move_t move = 0, pick
    cdef int i, _draw, worth
    cdef double v, best = -1.0
    if g.phase == MAIN:
        return quick_main(g, t, rng)
    if g.phase == PRE_ROLL:
        if not g.carded and cards_in(g.seat[g.on_turn].dev):
            move = quick_card(g, t, rng)
        if not move and total(g.seat[g.on_turn].hand) > t.discard_limit and stone_before_roll(g, t) and (
                stones_missing(g, t) <= 2):
            return M_TEMPLE_STONE       # a seven would cost the cards
        return move if move else M_ROLL
    if g.phase == DISCARD:
        return M_DISCARD + quick_discard(g, t)
    if g.phase == ROBBER:
        return quick_robber(g, t, rng)
    if g.phase == STEAL:
        return quick_steal(g, t)
    if g.phase == FREE_ROADS:
        return quick_road(g, t, g.on_turn, rng, &worth)
    if g.phase == TAKE:
        pick = quick_take(g, t)
        for i in range(n):              # a nearly empty bank may lack the second card
            if moves[i] == pick:
                return pick
    elif g.phase == TRADE_RESPOND:
        return quick_answer(g, t)
    elif g.phase == INIT_SETTLEMENT:
        for _draw in range(8):
            pick = moves[rng_below(rng, n)]
            v = place_worth(g, t, w, g.mover, <int> pick - M_SETTLE)
            if v > best:
                best = v
                move = pick
    if move or (g.phase == INIT_SETTLEMENT and best >= 0.0):
        return move
    return moves[rng_below(rng, n)]
