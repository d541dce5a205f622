"""The Settlers of Zarahemla: the legal moves, and trade with the bank and between players (ZAR-12, 13, 15).

An offer is composed card by card: first the given cards, then the wanted ones, each in the order of the resources.
`Game.give` and `Game.want` of the seat on turn are the offer, those of another seat its counter-offer.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport LANES, TOPS, count_of, covers, filled, lowest, nth, popcount
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, COUNTERED, DISCARD, FREE_ROADS, HARVEST, INIT_CHOOSE, INIT_ROAD, INIT_SETTLEMENT, LIAHONA, M_BANK_TRADE,
    M_BUY_DEV, M_CHOOSE_START, M_CITY, M_DISCARD, M_END_TURN, M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA,
    M_PLAY_PROSPERITY, M_PLAY_ROAD_BUILDING, M_PLAY_TEMPLE_BUILDING, M_PLAY_WARRIOR, M_ROAD, M_ROLL, M_SETTLE,
    M_STEAL_FROM, M_STEAL_NOTHING, M_TAKE, M_TAKE_STOP, M_TEMPLE_STONE, M_TRADE_ACCEPT, M_TRADE_COUNTER, M_TRADE_GIVE,
    M_TRADE_NO_DEAL, M_TRADE_OPEN, M_TRADE_PICK, M_TRADE_REJECT, M_TRADE_SUBMIT, M_TRADE_WANT, MAIN, NOWHERE, PRE_ROLL,
    PROSPERITY, ROAD_BUILDING, ROBBER, STEAL, TAKE, TEMPLE_BUILDING, TRADE_COMPOSE, TRADE_FULL, TRADE_NONE, TRADE_PICK,
    TRADE_RESPOND, WARRIOR, Game, Seat, answer_of, buildings, bundle, can_go_on, card, cards_in, edge_free, in_side,
    outstanding, side_of, side_size, total
)
from sfida.cython_ext.zarahemla.hidden cimport note_proof, pay, receive
from sfida.cython_ext.zarahemla.tables cimport RESOURCES, Tables


cdef enum:
    NO_RESOURCE = -1


cdef inline void bank_trade(Game* g, const Tables* t, int give, int get) noexcept nogil:
    cdef int lot = count_of(t.rate[g.seat[g.on_turn].stations], give)
    pay(g, g.on_turn, card(give) * <uint64_t> lot)
    receive(g, g.on_turn, card(get))


cdef inline bint can_want(const Game* g, const Tables* t, int seat, unsigned int given, int besides) noexcept nogil:
    """Whether some resource other than the given ones may be wanted (ZAR-13.9)."""
    cdef int r
    for r in range(RESOURCES):
        if r != besides and side_of(given, r) == 0 and outstanding(g, t, seat, r) > 0:
            return True
    return False


cdef inline int largest_partner(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Number of cards in the largest hand that the offer may address."""
    cdef int i, n, best = 0
    if seat != g.on_turn:
        return total(g.seat[g.on_turn].hand)
    for i in range(t.players):
        n = total(g.seat[i].hand)
        if i != seat and n > best:
            best = n
    return best


cdef inline bint can_compose(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Whether an offer of the seat can be completed (ZAR-13.8); with gifts, any card suffices (ZAR-13.17)."""
    cdef int r
    if t.gifts:
        return total(g.seat[seat].hand) > 0 or (
            largest_partner(g, t, seat) > 0 and can_want(g, t, seat, 0, NO_RESOURCE))
    for r in range(RESOURCES):
        if count_of(g.seat[seat].hand, r) and can_want(g, t, seat, 0, r):
            return True
    return False


cdef inline int compose_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write the cards that may be added to the offer, and the move that completes it; returns the count."""
    cdef int seat = g.mover, r, n = 0, wanted = side_size(g.want[seat]), most
    if wanted == 0 and side_size(g.give[seat]) < t.max_side:
        for r in range(g.floor if g.give[seat] else 0, RESOURCES):
            if count_of(g.seat[seat].hand, r) > side_of(g.give[seat], r) and (
                    t.gifts or can_want(g, t, seat, g.give[seat], r)):
                out[n] = M_TRADE_GIVE + r
                n += 1
    if g.give[seat] or t.gifts:
        most = largest_partner(g, t, seat)
        if wanted < (t.max_side if t.max_side < most else most):
            for r in range(g.floor if wanted else 0, RESOURCES):
                if side_of(g.give[seat], r) == 0 and side_of(g.want[seat], r) < outstanding(g, t, seat, r):
                    out[n] = M_TRADE_WANT + r
                    n += 1
    if wanted or (t.gifts and g.give[seat]):
        out[n] = M_TRADE_SUBMIT
        n += 1
    return n


cdef inline void start_composing(Game* g, int seat) noexcept nogil:
    g.phase = TRADE_COMPOSE
    g.mover = seat
    g.floor = 0
    g.give[seat] = 0
    g.want[seat] = 0


cdef inline void add_given(Game* g, int r) noexcept nogil:
    """Add a card to give, which the offering seat thereby shows (ZAR-13.7)."""
    g.give[g.mover] += in_side(r)
    g.floor = r
    note_proof(g, g.mover, bundle(g.give[g.mover]))


cdef inline void add_wanted(Game* g, int r) noexcept nogil:
    g.want[g.mover] += in_side(r)
    g.floor = r


cdef inline void end_trade(Game* g) noexcept nogil:
    cdef int i
    for i in range(4):
        g.give[i] = 0
        g.want[i] = 0
    g.answers = 0
    g.floor = 0
    g.mover = g.on_turn
    g.phase = MAIN


cdef inline void next_answer(Game* g, const Tables* t, int seat) noexcept nogil:
    """Ask the next opponent with cards; after the last one the seat on turn picks (ZAR-13.10, 13.11).

    With gifts an empty hand is asked too (ZAR-13.17).
    """
    cdef int i
    g.floor = 0
    while seat != g.on_turn:
        if t.gifts or total(g.seat[seat].hand):
            g.phase = TRADE_RESPOND
            g.mover = seat
            return
        seat = seat_after(seat, t.players)
    for i in range(t.players):
        if answer_of(g, i) >= ACCEPTED:
            g.phase = TRADE_PICK
            g.mover = g.on_turn
            return
    end_trade(g)


cdef inline int answer_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef int seat = g.mover, n = 0
    if covers(g.seat[seat].hand, bundle(g.want[g.on_turn])):
        out[n] = M_TRADE_ACCEPT
        n += 1
    out[n] = M_TRADE_REJECT
    n += 1
    if t.trade_mode == TRADE_FULL and can_compose(g, t, seat):
        out[n] = M_TRADE_COUNTER
        n += 1
    return n


cdef inline void answer(Game* g, const Tables* t, int reply) noexcept nogil:
    """Record an answer; a counter-offer is already complete here."""
    cdef int seat = g.mover
    g.answers |= reply << (2 * seat)
    if reply == ACCEPTED:
        note_proof(g, seat, bundle(g.want[g.on_turn]))
    next_answer(g, t, seat_after(seat, t.players))


cdef inline int pick_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef int i, reply, n = 0
    for i in range(t.players):
        reply = answer_of(g, i)
        if reply == ACCEPTED or (reply == COUNTERED and covers(g.seat[g.on_turn].hand, bundle(g.want[i]))):
            out[n] = M_TRADE_PICK + i
            n += 1
    out[n] = M_TRADE_NO_DEAL
    return n + 1


cdef inline void deal(Game* g, int other) noexcept nogil:
    """Exchange the cards of the offer, or of the other seat's counter-offer (ZAR-13.12)."""
    cdef int seat = g.on_turn
    cdef uint64_t out, back
    if answer_of(g, other) == ACCEPTED:
        out = bundle(g.give[seat])
        back = bundle(g.want[seat])
    else:
        out = bundle(g.want[other])
        back = bundle(g.give[other])
        note_proof(g, seat, out)
    g.seat[seat].hand += back - out
    g.seat[other].hand += out - back
    end_trade(g)


cdef inline int put_set(move_t* out, int n, uint64_t mask, int base) noexcept nogil:
    while mask:
        out[n] = base + lowest(mask)
        n += 1
        mask &= mask - 1
    return n


cdef inline int road_moves(const Game* g, const Seat* s, move_t* out, int n) noexcept nogil:
    n = put_set(out, n, s.front & ~g.taken, M_ROAD)
    return put_set(out, n, s.front_high & ~g.taken_high, M_ROAD + 64)


cdef inline uint64_t sites(const Game* g, const Tables* t) noexcept nogil:
    """Corners for a first settlement (ZAR-4.4)."""
    cdef uint64_t mask = t.all_corners & ~g.blocked
    if t.numbered_site and g.home != NOWHERE:
        mask &= ~t.only_hex[g.home]
    return mask


cdef inline bint can_place_stone(const Game* g, const Tables* t) noexcept nogil:
    """Whether the seat on turn can pay for a temple stone and has one left (ZAR-11.1)."""
    cdef const Seat* s = &g.seat[g.on_turn]
    return s.stones < t.n_stones and covers(s.hand, t.stone_cost)


cdef inline bint stone_before_roll(const Game* g, const Tables* t) noexcept nogil:
    """Whether a temple stone may be placed before the dice of the turn (ZAR-11.5)."""
    return t.temple_before_roll and can_place_stone(g, t)


cdef inline int card_moves(const Game* g, const Tables* t, move_t* out, int n) noexcept nogil:
    """Add the development cards that may be played now (ZAR-10); returns the new count."""
    cdef const Seat* s = &g.seat[g.on_turn]
    cdef uint64_t ready = s.dev if t.dev_same_turn else s.dev - g.fresh
    cdef int r
    if count_of(ready, WARRIOR):
        out[n] = M_PLAY_WARRIOR
        n += 1
    if not ready & <uint64_t> 0xFFFFFFFFFF00:
        return n
    if count_of(ready, HARVEST) and g.bank & LANES:
        out[n] = M_PLAY_HARVEST
        n += 1
    if count_of(ready, ROAD_BUILDING) and s.n_roads < t.n_roads and can_go_on(g, g.on_turn):
        out[n] = M_PLAY_ROAD_BUILDING
        n += 1
    if count_of(ready, TEMPLE_BUILDING) and s.stones < t.n_stones:
        out[n] = M_PLAY_TEMPLE_BUILDING
        n += 1
    if count_of(ready, PROSPERITY):
        for r in range(RESOURCES):
            out[n] = M_PLAY_PROSPERITY + r
            n += 1
    if count_of(ready, LIAHONA) and g.phase == PRE_ROLL:
        for r in range(11):
            out[n] = M_PLAY_LIAHONA + r
            n += 1
    return n


cdef struct Choices:                    # moves of the main phase without cards and trade between players
    uint64_t sites                      # of settlements
    uint64_t roads
    uint64_t cities
    uint64_t give                       # resources of trades with the bank (ZAR-12.4), top bits of lanes
    uint64_t get
    int high                            # roads on edges from 64 on
    int buys                            # a development card: 1 or 0
    int stones                          # a temple stone


cdef inline void find_choices(const Game* g, const Tables* t, Choices* c) noexcept nogil:
    cdef const Seat* s = &g.seat[g.on_turn]
    cdef uint64_t hand = s.hand
    c.sites = c.roads = c.cities = c.get = 0
    c.high = 0
    if covers(hand, t.road_cost):
        if s.n_settlements < t.n_settlements and covers(hand, t.settlement_cost):
            c.sites = s.reach & ~g.blocked
        if s.n_roads < t.n_roads:
            c.roads = s.front & ~g.taken
            c.high = s.front_high & ~g.taken_high
    if s.n_cities < t.n_cities and covers(hand, t.city_cost):
        c.cities = s.settlements
    c.buys = covers(hand, t.card_cost) and cards_in(g.deck) > 0
    c.stones = can_place_stone(g, t)
    c.give = ((hand | TOPS) - t.rate[s.stations]) & TOPS
    if c.give:
        c.get = filled(g.bank)


cdef inline int count_choices(const Choices* c) noexcept nogil:
    """Number of moves, with the end of the turn."""
    cdef int n = 1 + popcount(c.sites) + popcount(c.roads) + popcount(c.high) + popcount(c.cities) + c.buys + c.stones
    return n + popcount(c.give) * popcount(c.get) - popcount(c.give & c.get) if c.give else n


cdef inline int list_choices(const Choices* c, move_t* out) noexcept nogil:
    cdef uint64_t give = c.give, get
    cdef int n
    n = put_set(out, 0, c.sites, M_SETTLE)
    n = put_set(out, n, c.roads, M_ROAD)
    n = put_set(out, n, c.high, M_ROAD + 64)
    n = put_set(out, n, c.cities, M_CITY)
    out[n] = M_END_TURN
    n += 1
    if c.buys:
        out[n] = M_BUY_DEV
        n += 1
    if c.stones:
        out[n] = M_TEMPLE_STONE
        n += 1
    while give:
        get = c.get & ~(give & (0 - give))
        while get:
            out[n] = M_BANK_TRADE + 5 * (lowest(give) >> 3) + (lowest(get) >> 3)
            n += 1
            get &= get - 1
        give &= give - 1
    return n


cdef inline move_t nth_choice(const Choices* c, int k) noexcept nogil:
    """Move `k` of the list, without the list."""
    cdef uint64_t give = c.give, get
    cdef int n = popcount(c.sites)
    if k < n:
        return M_SETTLE + nth(c.sites, k)
    k -= n
    n = popcount(c.roads)
    if k < n:
        return M_ROAD + nth(c.roads, k)
    k -= n
    n = popcount(c.high)
    if k < n:
        return M_ROAD + 64 + nth(c.high, k)
    k -= n
    n = popcount(c.cities)
    if k < n:
        return M_CITY + nth(c.cities, k)
    k -= n
    if k == 0:
        return M_END_TURN
    if k <= c.buys:
        return M_BUY_DEV
    k -= c.buys
    if k <= c.stones:
        return M_TEMPLE_STONE
    k -= c.stones + 1
    while True:
        get = c.get & ~(give & (0 - give))
        n = popcount(get)
        if k < n:
            return M_BANK_TRADE + 5 * (lowest(give) >> 3) + (nth(get, k) >> 3)
        k -= n
        give &= give - 1


cdef inline int further_moves(const Game* g, const Tables* t, move_t* out, int n) noexcept nogil:
    """Add cards and the opening of an offer to the list of choices; returns the new count."""
    if not g.carded and g.seat[g.on_turn].dev:
        n = card_moves(g, t, out, n)
    if t.trade_mode != TRADE_NONE and g.offers < t.max_offers and can_compose(g, t, g.on_turn):
        out[n] = M_TRADE_OPEN
        n += 1
    return n


cdef inline int main_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef Choices c
    find_choices(g, t, &c)
    return further_moves(g, t, out, list_choices(&c, out))


cdef inline int discard_moves(const Game* g, move_t* out) noexcept nogil:
    """Write the cards to discard, one by one in the order of the resources (ZAR-7.4); returns the count."""
    cdef uint64_t hand = g.seat[g.mover].hand
    cdef int r, n = 0, above = 0
    for r in range(RESOURCES - 1, g.floor - 1, -1):
        above += count_of(hand, r)
        if count_of(hand, r) and above >= g.left:
            out[n] = M_DISCARD + r
            n += 1
    return n


cdef inline int take_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write the cards of Bountiful Harvest in the order of the resources (ZAR-10.8); returns the count."""
    cdef int r, n = 0, above = 0
    for r in range(RESOURCES - 1, g.floor - 1, -1):
        above += count_of(g.bank, r)
        if count_of(g.bank, r) and (g.left == 1 or above >= 2 or total(g.bank) == 1 or t.harvest_partial):
            out[n] = M_TAKE + r
            n += 1
    if t.harvest_partial and g.left == 1:
        out[n] = M_TAKE_STOP
        n += 1
    return n


cdef inline uint64_t robber_goals(const Game* g) noexcept nogil:
    """Hexes that the robber may move to (ZAR-7.5)."""
    return g.open & ~(<uint64_t> 1 << (g.robber & 63))         # NOWHERE is no hex


cdef inline int victims(const Game* g, const Tables* t) noexcept nogil:
    """Seats that can be robbed at the robber's hex, one bit each (ZAR-7.7)."""
    cdef uint64_t corners = t.hex_corners[g.robber]
    cdef int i, mask = 0
    for i in range(t.players):
        if i != g.on_turn and (buildings(&g.seat[i]) & corners) and total(g.seat[i].hand):
            mask |= 1 << i
    return mask


cdef inline int legal_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write the legal moves of the deciding seat; return their count."""
    cdef int n = 0, i, h
    cdef uint64_t mask
    if g.phase == MAIN:
        return main_moves(g, t, out)
    if g.phase == PRE_ROLL:
        out[0] = M_ROLL
        n = 1
        if stone_before_roll(g, t):
            out[1] = M_TEMPLE_STONE
            n = 2
        if g.carded or not g.seat[g.on_turn].dev:
            return n
        return card_moves(g, t, out, n)
    if g.phase == ROBBER:
        return put_set(out, 0, robber_goals(g), M_MOVE_ROBBER)
    if g.phase == STEAL:
        mask = victims(g, t)
        n = put_set(out, 0, mask, M_STEAL_FROM)
        if t.may_steal:
            out[n] = M_STEAL_NOTHING
            n += 1
        return n
    if g.phase == DISCARD:
        return discard_moves(g, out)
    if g.phase == FREE_ROADS:
        return road_moves(g, &g.seat[g.on_turn], out, 0)
    if g.phase == TAKE:
        return take_moves(g, t, out)
    if g.phase == TRADE_COMPOSE:
        return compose_moves(g, t, out)
    if g.phase == TRADE_RESPOND:
        return answer_moves(g, t, out)
    if g.phase == TRADE_PICK:
        return pick_moves(g, t, out)
    if g.phase == INIT_SETTLEMENT:
        return put_set(out, 0, sites(g, t), M_SETTLE)
    if g.phase == INIT_ROAD:
        for i in range(t.degree[g.corner]):
            h = t.edge_at[g.corner][i]
            if edge_free(g, h):
                out[n] = M_ROAD + h
                n += 1
        return n
    if g.phase == INIT_CHOOSE:
        return put_set(out, 0, g.seat[g.mover].settlements, M_CHOOSE_START)
    return 0
