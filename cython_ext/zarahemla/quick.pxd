"""The Settlers of Zarahemla knowledge: the policy of playouts, a handful of rules that look at little.

Build what scores, save for what is near, else buy cards and stones; Warriors when held; robber on the leader. Offers
are not made here.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport LANES, count_of, covers, from_sixes, lowest, popcount
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    DISCARD, FREE_ROADS, HARVEST, INIT_SETTLEMENT, LIAHONA, MAIN, M_BANK_TRADE, M_BUY_DEV, M_CITY, M_DISCARD,
    M_END_TURN, M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA, M_PLAY_PROSPERITY, M_PLAY_ROAD_BUILDING,
    M_PLAY_TEMPLE_BUILDING, M_PLAY_WARRIOR, M_ROAD, M_ROLL, M_SETTLE, M_STEAL_FROM, M_TAKE, M_TEMPLE_STONE,
    M_TRADE_ACCEPT, M_TRADE_PICK, M_TRADE_REJECT, NOWHERE, PRE_ROLL, PROSPERITY, RESOURCES, ROAD_BUILDING, ROBBER,
    STEAL, TAKE, TEMPLE_BUILDING, TRADE_PICK, TRADE_RESPOND, WARRIOR, Game, Seat, Tables, buildings, bundle, cards_in,
    outstanding, secret_points, total,
)
from sfida.cython_ext.zarahemla.cards cimport victims
from sfida.cython_ext.zarahemla.income cimport can_pay, dots_of, robbed_dots, stake
from sfida.cython_ext.zarahemla.plans cimport count_cards, top_of_others
from sfida.cython_ext.zarahemla.roads cimport can_go_on
from sfida.cython_ext.zarahemla.sites cimport edge_free, place_worth, walls_for
from sfida.cython_ext.zarahemla.turn cimport stone_before_roll
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef inline int plain_dots(const Game* g, const Tables* t, int c) noexcept nogil:
    cdef int i, sum = 0
    for i in range(t.n_hexes_at[c]):
        sum += dots_of(g.hex[t.hex_at[c][i]] >> 3)
    return sum


cdef inline int best_corner(const Game* g, const Tables* t, uint64_t mask) noexcept nogil:
    """The corner of a non-empty set with most dots."""
    cdef int c, n, best = -1, pick = NOWHERE
    while mask:
        c = lowest(mask)
        mask &= mask - 1
        n = plain_dots(g, t, c)
        if n > best:
            best = n
            pick = c
    return pick


cdef inline int road_target(const Game* g, const Tables* t, int seat, int e, uint64_t walls) noexcept nogil:
    """Dots that a road opens up: at its far end in full, one road on by half; 1 for length alone."""
    cdef const Seat* s = &g.seat[seat]
    cdef int k, i, far, on, n, best = 0
    for k in range(2):
        far = t.end_a[e] if k else t.end_b[e]
        if (s.reach >> far) & 1:
            continue
        if (walls >> far) & 1:
            continue
        if not (g.blocked >> far) & 1:
            n = 2 * plain_dots(g, t, far) + 4
            best = n if n > best else best
        for i in range(t.degree[far]):
            on = t.far_end[far][i]
            if not (g.blocked >> on) & 1 and not (s.reach >> on) & 1 and edge_free(g, t.edge_at[far][i]):
                n = plain_dots(g, t, on)
                best = n if n > best else best
        best = best if best else 1
    return best


cdef inline move_t quick_road(const Game* g, const Tables* t, int seat, Rng* rng, int* worth) noexcept nogil:
    """The road that opens up most."""
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t mask = s.front & ~g.taken, walls = walls_for(g, t, seat)
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
    """A trade with the bank on the way to a purchase that the hand can pay with the bank's help, or 0."""
    cdef const Seat* s = &g.seat[g.on_turn]
    cdef uint64_t rate = t.rate[s.stations]
    cdef int r, n, give = -1, get = -1, most = 0
    if not can_pay(s.hand, cost, rate):
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
                    n = count_cards(from_sixes(g.prod[t.roll_slot[r]][g.on_turn]))
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
    """Temple stones that the seat on turn needs to take its card, or to stay ahead; 9: none."""
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
        return M_CITY + best_corner(g, t, s.settlements)
    sites = s.reach & ~g.blocked if s.n_settlements < t.n_settlements else 0
    settle = sites != 0
    if settle and covers(hand, t.settlement_cost):
        return M_SETTLE + best_corner(g, t, sites)
    if city:
        move = swap_for(g, t, t.city_cost)
        if move:
            return move
    if settle:
        move = swap_for(g, t, t.settlement_cost)
        if move:
            return move
    # one card short of a city: do not spend its wheat or stone, unless a seven threatens
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
    """The hex where the robber hurts the leaders most, and never oneself."""
    cdef int h, i, n, score, best = -1000, pick = -1
    cdef uint64_t corners
    for h in range(t.n_hexes):
        if h == g.robber or not (g.hex[h] >> 3 or t.robber_home):
            continue
        corners = t.hex_corners[h]
        score = <int> rng_below(rng, 8)
        for i in range(t.players):
            n = popcount(g.seat[i].settlements & corners) + 2 * popcount(g.seat[i].cities & corners)
            if n:
                if i == g.on_turn:
                    score -= 500
                else:
                    score += n * dots_of(g.hex[h] >> 3) * (g.seat[i].points + 1) + (total(g.seat[i].hand) != 0)
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
    """What the seat saves for."""
    cdef const Seat* s = &g.seat[seat]
    if s.settlements and s.n_cities < t.n_cities and count_of(s.hand, 4) + count_of(s.hand, 3) >= 2:
        return t.city_cost
    return t.settlement_cost if s.n_settlements < t.n_settlements else t.card_cost


cdef inline int quick_discard(const Game* g, const Tables* t) noexcept nogil:
    """First of the cards to throw: of what is held most beyond what the seat saves for."""
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
    """Bountiful Harvest: what is missing most; of two the lower."""
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
    """Take a card one has not got for one held twice, but nothing from who is about to win."""
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


cdef inline move_t quick_move(const Game* g, const Tables* t, const Weights* w, const move_t* moves, int n,
                              Rng* rng) noexcept nogil:
    """What a sensible player would do in a hurry; `moves` serves where any of them will do."""
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
        for i in range(n):              # of a nearly empty bank the second card may be lacking
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
