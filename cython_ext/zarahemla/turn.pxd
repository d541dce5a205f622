"""The Settlers of Zarahemla: setup, the phases of a turn, the legal moves and what they do (ZAR-3, 4, 5, 15)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport LANES, count_of, covers, filled, lane, lowest
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, BLANK, BY_SHUFFLE, BY_STRIPS, CARD_TYPES, COUNTERED, C_DICE, C_DRAW_DEV, C_FIRST_PLAYER, C_LAYOUT,
    C_NUMBER, C_STATION, C_STOLEN_CARD, C_TERRAIN, C_TOKEN_START, DICE, DISCARD, DRAW, FREE_ROADS, GAME_OVER, GIVEN,
    HARVEST, HIDEOUT, INIT_CHOOSE, INIT_ROAD, INIT_SETTLEMENT, LIAHONA, MAIN, M_BANK_TRADE, M_BUY_DEV,
    M_CHOOSE_START, M_CITY, M_DISCARD, M_END_TURN, M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA,
    M_PLAY_PROSPERITY, M_PLAY_ROAD_BUILDING, M_PLAY_TEMPLE_BUILDING, M_PLAY_WARRIOR, M_ROAD, M_ROLL, M_SETTLE,
    M_STEAL_FROM, M_STEAL_NOTHING, M_TAKE, M_TAKE_STOP, M_TEMPLE_STONE, M_TRADE_ACCEPT, M_TRADE_COUNTER,
    M_TRADE_GIVE, M_TRADE_NO_DEAL, M_TRADE_OPEN, M_TRADE_PICK, M_TRADE_REJECT, M_TRADE_SUBMIT, M_TRADE_WANT, NOBODY,
    NOWHERE, N_MOVES, PRE_ROLL, PROSPERITY, REJECTED, RESOURCES, ROAD_BUILDING, ROBBER, SETUP_FIRST, SETUP_LAYOUT,
    SETUP_STATIONS, SETUP_TOKENS, STEAL, STOLEN, TAKE, TEMPLE_BUILDING, TRADE_COMPOSE, TRADE_NONE, TRADE_PICK,
    TRADE_RESPOND, VICTORY_POINT, WARRIOR, Game, Seat, Tables, card, cards_in, dev_card, test_victory, total,
)
from sfida.cython_ext.zarahemla.cards cimport (
    collect, next_discard, place_stones, play_warrior, resume, roll_is, spend, steal, take_start, victims,
)
from sfida.cython_ext.zarahemla.roads cimport can_go_on, put_city, put_road, put_settlement, sites
from sfida.cython_ext.zarahemla.thefts cimport pay, receive
from sfida.cython_ext.zarahemla.trade cimport (
    add_given, add_wanted, answer, answer_moves, bank_trade, bank_trades, can_compose, compose_moves, deal, end_trade,
    next_answer, pick_moves, start_composing,
)


cdef enum:
    NUMBERS = 11                        # totals of two dice


cdef enum:                              # kinds of moves, in the order of their codes
    K_SETTLE = 0
    K_ROAD = 1
    K_CITY = 2
    K_CHOOSE_START = 3
    K_ROLL = 4
    K_END_TURN = 5
    K_BUY_DEV = 6
    K_TEMPLE_STONE = 7
    K_BANK_TRADE = 8
    K_PLAY_WARRIOR = 9
    K_PLAY_HARVEST = 10
    K_PLAY_ROAD_BUILDING = 11
    K_PLAY_TEMPLE_BUILDING = 12
    K_PLAY_PROSPERITY = 13
    K_PLAY_LIAHONA = 14
    K_TAKE = 15
    K_TAKE_STOP = 16
    K_DISCARD = 17
    K_MOVE_ROBBER = 18
    K_STEAL_FROM = 19
    K_STEAL_NOTHING = 20
    K_TRADE_OPEN = 21
    K_TRADE_GIVE = 22
    K_TRADE_WANT = 23
    K_TRADE_SUBMIT = 24
    K_TRADE_ACCEPT = 25
    K_TRADE_REJECT = 26
    K_TRADE_COUNTER = 27
    K_TRADE_PICK = 28
    K_TRADE_NO_DEAL = 29


# ---- setup ------------------------------------------------------------------------------------------


cdef inline void set_robber(Game* g, const Tables* t) noexcept nogil:
    """The robber starts on the hideout (ZAR-3.5)."""
    cdef int h
    for h in range(t.n_hexes):
        if (g.hex[h] & 7) == HIDEOUT:
            g.home = h
            g.robber = h


cdef inline void after_setup(Game* g, const Tables* t) noexcept nogil:
    """Go to the next part of the setup that luck decides, or to the placements."""
    g.step = 0
    if g.phase < SETUP_TOKENS:
        set_robber(g, t)
        g.phase = SETUP_TOKENS
        if t.token_mode != GIVEN:
            return
    if g.phase < SETUP_STATIONS:
        g.phase = SETUP_STATIONS
        if t.station_mode == BY_SHUFFLE:
            return
    if g.phase < SETUP_FIRST:
        g.phase = SETUP_FIRST
        if t.first_player < 0:
            return
        g.first = t.first_player
    g.phase = INIT_SETTLEMENT
    g.on_turn = (g.first + t.order[0]) % t.players
    g.mover = g.on_turn


cdef inline void start(Game* g, const Tables* t) noexcept nogil:
    """The state before anything has happened."""
    cdef int i
    memset(g, 0, sizeof(Game))
    g.bank = card(0) * <uint64_t> t.cards_each
    for i in range(1, RESOURCES):
        g.bank += card(i) * <uint64_t> t.cards_each
    g.deck = t.deck
    g.road_holder = NOBODY
    g.army_holder = NOBODY
    g.temple_holder = NOBODY
    g.winner = NOBODY
    g.robber = NOWHERE
    g.home = NOWHERE
    for i in range(t.n_hexes):
        g.hex[i] = t.given[i]
    for i in range(t.n_stations):
        g.station[i] = t.station_kind[i]
    g.phase = SETUP_LAYOUT
    if t.terrain_mode == GIVEN:
        after_setup(g, t)


cdef inline void lay_out(Game* g, const Tables* t, int code) noexcept nogil:
    """Terrain of a layout code (ZAR-3.1, 3.2)."""
    cdef int orientation = code % 3
    cdef int bits = code // 3
    cdef int strip, line, i, n, side, reverse
    for strip in range(5):
        # bits: s5 side, reverse; swap of the fours; two bits each; swap of the threes; two bits each
        if strip == 0:
            line = 2
            side = bits & 1
            reverse = (bits >> 1) & 1
        elif strip < 3:
            line = 1 if (strip == 1) != ((bits >> 2) & 1) else 3
            side = (bits >> (2 * strip + 1)) & 1
            reverse = (bits >> (2 * strip + 2)) & 1
        else:
            line = 0 if (strip == 3) != ((bits >> 7) & 1) else 4
            side = (bits >> (2 * strip + 2)) & 1
            reverse = (bits >> (2 * strip + 3)) & 1
        n = t.strip_length[line]
        for i in range(n):
            g.hex[t.strip_line[orientation][line][i]] = t.strip_side[strip][side][n - 1 - i if reverse else i]
    after_setup(g, t)


cdef inline void lay_tokens(Game* g, const Tables* t, int start_at) noexcept nogil:
    """Tokens in a spiral from an outer hex (ZAR-3.3, 3.4)."""
    cdef int i, h, k = 0
    for i in range(t.n_outer + t.n_inner + 1):
        if i < t.n_outer:
            h = t.outer[(start_at + i) % t.n_outer]
        elif i < t.n_outer + t.n_inner:
            h = t.inner[(start_at // 2 + i - t.n_outer) % t.n_inner]
        else:
            h = t.center
        if (g.hex[h] & 7) != HIDEOUT:
            g.hex[h] |= t.token[k] << 3
            k += 1
    after_setup(g, t)


cdef inline int shuffle_range(const Game* g, int* base) noexcept nogil:
    """Kinds of the shuffle in hand, and the code of the first."""
    if g.phase == SETUP_LAYOUT:
        base[0] = C_TERRAIN
        return RESOURCES + 1
    if g.phase == SETUP_TOKENS:
        base[0] = C_NUMBER
        return NUMBERS
    base[0] = C_STATION
    return RESOURCES + 1


cdef inline int bag_left(const Game* g, const Tables* t, int* left) noexcept nogil:
    """How many of each kind the shuffle in hand still has: terrains, numbers or stations; return their sum.

    `left` has room for NUMBERS.
    """
    cdef int i, base, n = shuffle_range(g, &base), sum = 0
    for i in range(n):
        left[i] = (t.terrain_bag[i] if g.phase == SETUP_LAYOUT else
                   t.number_bag[i + 2] if g.phase == SETUP_TOKENS else t.station_bag[i])
        sum += left[i]
    if g.phase == SETUP_TOKENS:
        for i in range(t.n_hexes):
            if g.hex[i] >> 3:
                left[(g.hex[i] >> 3) - 2] -= 1
                sum -= 1
        return sum
    for i in range(g.step):
        left[g.hex[i] & 7 if g.phase == SETUP_LAYOUT else g.station[i]] -= 1
    return sum - g.step


cdef inline void shuffle_step(Game* g, const Tables* t, int k) noexcept nogil:
    """The next hex or station gets its kind (preset catan, ZAR-16)."""
    if g.phase == SETUP_LAYOUT:
        g.hex[g.step] = k
        g.step += 1
        if g.step == t.n_hexes:
            after_setup(g, t)
    elif g.phase == SETUP_TOKENS:
        if (g.hex[g.step] & 7) == HIDEOUT:
            g.step += 1
        g.hex[g.step] |= (k + 2) << 3
        g.step += 1
        if g.step < t.n_hexes and (g.hex[g.step] & 7) == HIDEOUT:
            g.step += 1
        if g.step == t.n_hexes:
            after_setup(g, t)
    else:
        g.station[g.step] = k
        g.step += 1
        if g.step == t.n_stations:
            after_setup(g, t)


# ---- placements and turns ---------------------------------------------------------------------------


cdef inline void begin_turn(Game* g, const Tables* t, int seat) noexcept nogil:
    """ZAR-5.9, and the victory test on entering a turn (ZAR-14.3)."""
    g.on_turn = seat
    g.mover = seat
    g.dice = 0
    g.carded = 0
    g.fresh = 0
    g.offers = 0
    g.left = 0
    g.floor = 0
    g.phase = PRE_ROLL
    test_victory(g, t)


cdef inline void end_turn(Game* g, const Tables* t) noexcept nogil:
    g.seat[g.on_turn].shown = g.seat[g.on_turn].points
    g.turns += 1
    if g.turns >= t.max_turns:
        g.phase = GAME_OVER             # a draw (ZAR-14.9)
        return
    begin_turn(g, t, seat_after(g.on_turn, t.players))


cdef inline void after_placement(Game* g, const Tables* t) noexcept nogil:
    """The next pair, the choice of the starting cards, or the first turn."""
    g.step += 1
    if g.step < t.n_order:
        g.on_turn = (g.first + t.order[g.step]) % t.players
        g.mover = g.on_turn
        g.phase = INIT_SETTLEMENT
        return
    g.step = 0
    if t.choose_start:
        g.on_turn = g.first
        g.mover = g.first
        g.phase = INIT_CHOOSE
    else:
        begin_turn(g, t, g.first)


cdef inline int turn_number(const Game* g, const Tables* t) noexcept nogil:
    """Pairs placed and turns completed."""
    if g.phase < INIT_SETTLEMENT:
        return 0
    if g.phase < INIT_CHOOSE:
        return g.step
    return t.n_order + (g.step if g.phase == INIT_CHOOSE else t.players + g.turns)


# ---- the legal moves --------------------------------------------------------------------------------


cdef inline int put_set(move_t* out, int n, uint64_t mask, int base) noexcept nogil:
    while mask:
        out[n] = base + lowest(mask)
        n += 1
        mask &= mask - 1
    return n


cdef inline int road_moves(const Game* g, const Seat* s, move_t* out, int n) noexcept nogil:
    n = put_set(out, n, s.front & ~g.taken, M_ROAD)
    return put_set(out, n, s.front_high & ~g.taken_high, M_ROAD + 64)


cdef inline bint can_place_stone(const Game* g, const Tables* t) noexcept nogil:
    """The seat on turn can pay for a temple stone and has one left (ZAR-11.1)."""
    cdef const Seat* s = &g.seat[g.on_turn]
    return covers(s.hand, t.stone_cost) and s.stones < t.n_stones


cdef inline bint stone_before_roll(const Game* g, const Tables* t) noexcept nogil:
    """A temple stone may be placed before the dice of the turn (ZAR-11.5)."""
    return t.temple_before_roll and can_place_stone(g, t)


cdef inline int card_moves(const Game* g, const Tables* t, move_t* out, int n) noexcept nogil:
    """Development cards that may be played now (ZAR-10)."""
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


cdef inline int main_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef const Seat* s = &g.seat[g.on_turn]
    cdef uint64_t hand = s.hand
    cdef int n = 0
    if covers(hand, t.road_cost):
        if s.n_settlements < t.n_settlements and covers(hand, t.settlement_cost):
            n = put_set(out, n, s.reach & ~g.blocked, M_SETTLE)
        if s.n_roads < t.n_roads:
            n = road_moves(g, s, out, n)
    if covers(hand, t.city_cost) and s.n_cities < t.n_cities:
        n = put_set(out, n, s.settlements, M_CITY)
    out[n] = M_END_TURN
    n += 1
    if covers(hand, t.card_cost) and cards_in(g.deck):
        out[n] = M_BUY_DEV
        n += 1
    if can_place_stone(g, t):
        out[n] = M_TEMPLE_STONE
        n += 1
    if covers_any(hand, t.rate[s.stations]):
        n += bank_trades(g, t, out + n)
    if not g.carded and s.dev:
        n = card_moves(g, t, out, n)
    if t.trade_mode != TRADE_NONE and g.offers < t.max_offers and can_compose(g, t, g.on_turn):
        out[n] = M_TRADE_OPEN
        n += 1
    return n


cdef inline bint covers_any(uint64_t have, uint64_t need) noexcept nogil:
    """Some lane of `have` is at least that of `need`."""
    return (((have & LANES) | <uint64_t> 0x8080808080) - need) & <uint64_t> 0x8080808080 != 0


cdef inline int discard_moves(const Game* g, move_t* out) noexcept nogil:
    """Card by card in the order of the resources (ZAR-7.4)."""
    cdef uint64_t hand = g.seat[g.mover].hand
    cdef int r, n = 0, above = 0
    for r in range(RESOURCES - 1, g.floor - 1, -1):
        above += count_of(hand, r)
        if count_of(hand, r) and above >= g.left:
            out[n] = M_DISCARD + r
            n += 1
    return n


cdef inline int take_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Cards of Bountiful Harvest in the order of the resources (ZAR-10.8)."""
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


cdef inline int legal_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write the legal moves of the seat to decide; return their count."""
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
        for h in range(t.n_hexes):
            if h != g.robber and (g.hex[h] >> 3 or t.robber_home):
                out[n] = M_MOVE_ROBBER + h
                n += 1
        return n
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
            if not ((g.taken >> h) & 1 if h < 64 else (g.taken_high >> (h - 64)) & 1):
                out[n] = M_ROAD + h
                n += 1
        return n
    if g.phase == INIT_CHOOSE:
        return put_set(out, 0, g.seat[g.mover].settlements, M_CHOOSE_START)
    return 0


# ---- what moves do ----------------------------------------------------------------------------------


cdef inline void build_road(Game* g, const Tables* t, int e) noexcept nogil:
    cdef int seat = g.on_turn
    if g.phase == MAIN:
        pay(g, seat, t.road_cost)
    put_road(g, t, seat, e)
    if g.phase == INIT_ROAD:
        after_placement(g, t)
        return
    if test_victory(g, t) or g.phase == MAIN:
        return
    g.left -= 1
    if g.left == 0 or g.seat[seat].n_roads >= t.n_roads or not can_go_on(g, seat):
        g.left = 0
        resume(g)


cdef inline void build_settlement(Game* g, const Tables* t, int c) noexcept nogil:
    cdef int seat = g.on_turn
    if g.phase == MAIN:
        pay(g, seat, t.settlement_cost)
        put_settlement(g, t, seat, c)
        test_victory(g, t)
        return
    put_settlement(g, t, seat, c)
    if not t.choose_start and g.step >= t.last_pairs:
        take_start(g, t, seat, c)
    g.corner = c
    g.phase = INIT_ROAD


cdef inline void choose_start(Game* g, const Tables* t, int c) noexcept nogil:
    take_start(g, t, g.mover, c)
    g.step += 1
    if g.step == t.players:
        begin_turn(g, t, g.first)
        return
    g.on_turn = seat_after(g.on_turn, t.players)
    g.mover = g.on_turn


cdef inline void take_card(Game* g, int r) noexcept nogil:
    receive(g, g.on_turn, card(r))
    g.floor = r
    g.left -= 1
    if g.left == 0 or not g.bank & LANES:
        g.left = 0
        g.floor = 0
        resume(g)


cdef inline void discard(Game* g, const Tables* t, int r) noexcept nogil:
    cdef int seat = g.mover
    pay(g, seat, card(r))
    g.floor = r
    g.left -= 1
    if g.left == 0:
        g.floor = 0
        next_discard(g, t, seat_after(seat, t.players))


cdef inline void move_robber(Game* g, const Tables* t, int h) noexcept nogil:
    g.robber = h
    if victims(g, t):
        g.phase = STEAL
    else:
        resume(g)


cdef inline void apply_chance(Game* g, const Tables* t, int code) noexcept nogil:
    cdef Seat* s
    if g.phase == DICE:
        roll_is(g, t, code - C_DICE + 2)
    elif g.phase == STOLEN:
        steal(g, t, code - C_STOLEN_CARD)
    elif g.phase == DRAW:
        s = &g.seat[g.on_turn]
        g.deck -= dev_card(code - C_DRAW_DEV)
        g.fresh += dev_card(code - C_DRAW_DEV)
        s.dev += dev_card(code - C_DRAW_DEV)
        g.phase = MAIN
        test_victory(g, t)
    elif code >= C_TERRAIN:
        shuffle_step(g, t, code - (C_STATION if code >= C_STATION else C_NUMBER if code >= C_NUMBER else C_TERRAIN))
    elif g.phase == SETUP_LAYOUT:
        lay_out(g, t, code - C_LAYOUT)
    elif g.phase == SETUP_TOKENS:
        lay_tokens(g, t, code - C_TOKEN_START)
    else:
        g.first = code - C_FIRST_PLAYER
        after_setup(g, t)


cdef inline void apply_move(Game* g, const Tables* t, move_t move) noexcept nogil:
    """Play a legal move or a chance outcome."""
    cdef int code = <int> move
    cdef int kind
    g.last = code + 1
    if code >= N_MOVES:
        apply_chance(g, t, code)
        return
    kind = t.kind_of[code]
    if kind == K_ROLL:
        g.phase = DICE
    elif kind == K_END_TURN:
        end_turn(g, t)
    elif kind == K_BANK_TRADE:
        bank_trade(g, t, (code - M_BANK_TRADE) // 5, (code - M_BANK_TRADE) % 5)
    elif kind == K_ROAD:
        build_road(g, t, code - M_ROAD)
    elif kind == K_MOVE_ROBBER:
        move_robber(g, t, code - M_MOVE_ROBBER)
    elif kind == K_STEAL_FROM:
        g.corner = code - M_STEAL_FROM
        g.phase = STOLEN
    elif kind == K_DISCARD:
        discard(g, t, code - M_DISCARD)
    elif kind == K_BUY_DEV:
        pay(g, g.on_turn, t.card_cost)
        g.phase = DRAW
    elif kind == K_SETTLE:
        build_settlement(g, t, code - M_SETTLE)
    elif kind == K_CITY:
        pay(g, g.on_turn, t.city_cost)
        put_city(g, t, g.on_turn, code - M_CITY)
        test_victory(g, t)
    elif kind == K_CHOOSE_START:
        choose_start(g, t, code - M_CHOOSE_START)
    elif kind == K_TEMPLE_STONE:
        pay(g, g.on_turn, t.stone_cost)
        place_stones(g, t, 1)
        test_victory(g, t)
    elif kind == K_PLAY_WARRIOR:
        play_warrior(g, t)
    elif kind == K_PLAY_HARVEST:
        spend(g, HARVEST)
        g.left = 2
        g.floor = 0
        g.phase = TAKE
    elif kind == K_PLAY_ROAD_BUILDING:
        spend(g, ROAD_BUILDING)
        g.left = 2
        g.phase = FREE_ROADS
    elif kind == K_PLAY_TEMPLE_BUILDING:
        spend(g, TEMPLE_BUILDING)
        place_stones(g, t, 2)
        test_victory(g, t)
    elif kind == K_PLAY_PROSPERITY:
        spend(g, PROSPERITY)
        collect(g, t, code - M_PLAY_PROSPERITY)
    elif kind == K_PLAY_LIAHONA:
        spend(g, LIAHONA)
        roll_is(g, t, code - M_PLAY_LIAHONA + 2)
    elif kind == K_TAKE:
        take_card(g, code - M_TAKE)
    elif kind == K_TAKE_STOP:
        g.left = 0
        g.floor = 0
        resume(g)
    elif kind == K_STEAL_NOTHING:
        resume(g)
    elif kind == K_TRADE_OPEN:
        g.offers += 1
        start_composing(g, g.on_turn)
    elif kind == K_TRADE_GIVE:
        add_given(g, code - M_TRADE_GIVE)
    elif kind == K_TRADE_WANT:
        add_wanted(g, code - M_TRADE_WANT)
    elif kind == K_TRADE_SUBMIT:
        if g.mover == g.on_turn:
            next_answer(g, t, seat_after(g.on_turn, t.players))
        else:
            answer(g, t, COUNTERED)
    elif kind == K_TRADE_ACCEPT:
        answer(g, t, ACCEPTED)
    elif kind == K_TRADE_REJECT:
        answer(g, t, REJECTED)
    elif kind == K_TRADE_COUNTER:
        start_composing(g, g.mover)
    elif kind == K_TRADE_PICK:
        deal(g, code - M_TRADE_PICK)
    else:
        end_trade(g)


# ---- chance -----------------------------------------------------------------------------------------


cdef inline int chance_outcomes(const Game* g, const Tables* t, move_t* out, uint32_t* weights) noexcept nogil:
    """Every outcome of the coming event with its integer weight (ZAR-16)."""
    cdef int i, n = 0, base = 0
    cdef int left[NUMBERS]
    cdef uint64_t cards
    if g.phase == DICE:
        for i in range(11):
            out[i] = C_DICE + i
            weights[i] = 6 - (i - 5 if i > 5 else 5 - i)
        return 11
    if g.phase == STOLEN or g.phase == DRAW:
        cards = g.seat[g.corner].hand if g.phase == STOLEN else g.deck
        for i in range(RESOURCES if g.phase == STOLEN else CARD_TYPES):
            if count_of(cards, i):
                out[n] = (C_STOLEN_CARD if g.phase == STOLEN else C_DRAW_DEV) + i
                weights[n] = count_of(cards, i)
                n += 1
        return n
    if (g.phase == SETUP_LAYOUT and t.terrain_mode == BY_STRIPS) or (
            g.phase == SETUP_TOKENS and t.token_mode == BY_STRIPS) or g.phase == SETUP_FIRST:
        base = C_LAYOUT if g.phase == SETUP_LAYOUT else C_TOKEN_START if g.phase == SETUP_TOKENS else C_FIRST_PLAYER
        n = t.n_layouts if g.phase == SETUP_LAYOUT else t.n_outer if g.phase == SETUP_TOKENS else t.players
        for i in range(n):
            out[i] = base + i
            weights[i] = 1
        return n
    bag_left(g, t, left)
    for i in range(shuffle_range(g, &base)):
        if left[i]:
            out[n] = base + i
            weights[n] = left[i]
            n += 1
    return n


cdef inline int pick_lane(uint64_t lanes, int n, Rng* rng) noexcept nogil:
    cdef int k = <int> rng_below(rng, <uint32_t> n)
    cdef int r = 0
    while k >= <int> (lanes & 0xFF):
        k -= <int> (lanes & 0xFF)
        lanes >>= 8
        r += 1
    return r


cdef inline move_t sample_chance(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """One outcome drawn by its weight."""
    cdef int i = 0, k, base = 0
    cdef int left[NUMBERS]
    if g.phase == DICE:
        return C_DICE + t.dice36[rng_below(rng, 36)]
    if g.phase == STOLEN:
        return C_STOLEN_CARD + pick_lane(g.seat[g.corner].hand, total(g.seat[g.corner].hand), rng)
    if g.phase == DRAW:
        return C_DRAW_DEV + pick_lane(g.deck, cards_in(g.deck), rng)
    if g.phase == SETUP_FIRST:
        return C_FIRST_PLAYER + rng_below(rng, t.players)
    if g.phase == SETUP_LAYOUT and t.terrain_mode == BY_STRIPS:
        return C_LAYOUT + rng_below(rng, t.n_layouts)
    if g.phase == SETUP_TOKENS and t.token_mode == BY_STRIPS:
        return C_TOKEN_START + rng_below(rng, t.n_outer)
    shuffle_range(g, &base)
    k = <int> rng_below(rng, <uint32_t> bag_left(g, t, left))
    while k >= left[i]:
        k -= left[i]
        i += 1
    return base + i
