"""The Settlers of Zarahemla: setup, the dice, the robber, development cards, move effects (ZAR-3 to 7, 10, 11, 16)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.bits cimport LANES, ONES, count_of, covers, lane, popcount, rarely
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, BY_SHUFFLE, BY_STRIPS, C_DICE, C_DRAW_DEV, C_FIRST_PLAYER, C_LAYOUT, C_NUMBER, C_STATION, C_STOLEN_CARD,
    C_TERRAIN, C_TOKEN_START, COUNTERED, DICE, DISCARD, DRAW, FREE_ROADS, GAME_OVER, GIVEN, HARVEST, HIDEOUT,
    INIT_CHOOSE, INIT_ROAD, INIT_SETTLEMENT, LIAHONA, M_BANK_TRADE, M_CHOOSE_START, M_CITY, M_DISCARD, M_MOVE_ROBBER,
    M_PLAY_LIAHONA, M_PLAY_PROSPERITY, M_ROAD, M_SETTLE, M_STEAL_FROM, M_TAKE, M_TRADE_GIVE, M_TRADE_PICK, M_TRADE_WANT,
    MAIN, NOBODY, NOWHERE, PRE_ROLL, PROSPERITY, REJECTED, ROAD_BUILDING, ROBBER, SETUP_FIRST, SETUP_LAYOUT,
    SETUP_STATIONS, SETUP_TOKENS, SHORTAGE_NOBODY, SHORTAGE_TURN_ORDER, STEAL, STOLEN, TAKE, TEMPLE_BUILDING, WARRIOR,
    Game, Seat, can_go_on, card, cards_in, dev_card, put_city, put_road, put_settlement, test_victory, total, warriors
)
from sfida.cython_ext.zarahemla.hidden cimport draw_card, note_loss, note_proof, pay, receive, record_theft
from sfida.cython_ext.zarahemla.moves cimport (
    add_given, add_wanted, answer, bank_trade, deal, end_trade, next_answer, start_composing, victims
)
from sfida.cython_ext.zarahemla.tables cimport CARD_TYPES, N_MOVES, RESOURCES, SEATS, Tables


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


cdef inline void set_robber(Game* g, const Tables* t) noexcept nogil:
    """Put the robber on the hideout (ZAR-3.5)."""
    cdef int h
    for h in range(t.n_hexes):
        if (g.hex[h] & 7) == HIDEOUT:
            g.home = h
            g.robber = h


cdef inline void survey(Game* g, const Tables* t) noexcept nogil:
    """Find what each corner of the land yields, and where the robber may go (ZAR-7.5)."""
    cdef int c, i, h
    g.open = 0
    for h in range(t.n_hexes):
        if g.hex[h] >> 3 or t.robber_home:
            g.open |= <uint64_t> 1 << h
    for c in range(t.n_corners):
        g.site[c] = 0.0
        g.kinds[c] = 0
        g.plain[c] = 0
        for i in range(t.n_hexes_at[c]):
            h = g.hex[t.hex_at[c][i]]
            g.plain[c] += t.dots[h]
            g.site[c] += t.worth_of[h]
            if t.worth_of[h] > 0.0:
                g.kinds[c] |= 1 << (h & 7)


cdef inline void after_setup(Game* g, const Tables* t) noexcept nogil:
    """Continue with the next chance events of the setup, or with the placements."""
    g.step = 0
    if g.phase < SETUP_TOKENS:
        set_robber(g, t)
        g.phase = SETUP_TOKENS
        if t.token_mode != GIVEN:
            return
    if g.phase < SETUP_STATIONS:
        survey(g, t)
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
    """Set the state before the first event."""
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
    memcpy(g.near, t.next_to, sizeof(g.near))
    for i in range(t.n_hexes):
        g.hex[i] = t.given[i]
    for i in range(t.n_stations):
        g.station[i] = t.station_kind[i]
    g.phase = SETUP_LAYOUT
    if t.terrain_mode == GIVEN:
        after_setup(g, t)


cdef inline void lay_out(Game* g, const Tables* t, int code) noexcept nogil:
    """Lay the terrain given by a layout code (ZAR-3.1, 3.2)."""
    cdef int orientation = code % 3
    cdef int bits = code // 3
    cdef int strip, line, i, n, side, reverse
    for strip in range(5):
        # bits: side and reversal of the five; swap of the fours, then both bits of each; the same for the threes
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
    """Lay the tokens in a spiral from an outer hex (ZAR-3.3, 3.4)."""
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


cdef inline uint64_t bag_left(const Game* g, const Tables* t, int* base, int* size) noexcept nogil:
    """What remains in the current shuffle (terrains, numbers or stations): a count of five bits for each kind.

    `base` receives the code of the first kind, `size` the sum of the counts.
    """
    cdef int i, which = 0 if g.phase == SETUP_LAYOUT else 1 if g.phase == SETUP_TOKENS else 2
    cdef uint64_t left = t.bag[which]
    size[0] = t.bag_size[which]
    if which == 0:
        base[0] = C_TERRAIN
        for i in range(g.step):
            left -= <uint64_t> 1 << (5 * (g.hex[i] & 7))
        size[0] -= g.step
    elif which == 1:
        base[0] = C_NUMBER
        for i in range(g.step):
            if g.hex[i] >> 3:
                left -= <uint64_t> 1 << (5 * ((g.hex[i] >> 3) - 2))
                size[0] -= 1
    else:
        base[0] = C_STATION
        for i in range(g.step):
            left -= <uint64_t> 1 << (5 * g.station[i])
        size[0] -= g.step
    return left


cdef inline void shuffle_step(Game* g, const Tables* t, int k) noexcept nogil:
    """Give the next hex or station its kind (preset catan, ZAR-16)."""
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


cdef inline void begin_turn(Game* g, const Tables* t, int seat) noexcept nogil:
    """Begin a turn (ZAR-5.9) with its victory test (ZAR-14.3)."""
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
    """Begin the next pair of placements, the choice of the starting cards, or the first turn."""
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
    """Number of placed pairs and of completed turns."""
    if g.phase < INIT_SETTLEMENT:
        return 0
    if g.phase < INIT_CHOOSE:
        return g.step
    return t.n_order + (g.step if g.phase == INIT_CHOOSE else t.players + g.turns)


cdef inline void share_shortage(Game* g, const Tables* t, uint64_t* due) noexcept nogil:
    """Reduce the cards due from a roll where the bank has too few (ZAR-6.5, 6.6)."""
    cdef int r, i, _i, k, owed, have, got, left, seat
    for r in range(RESOURCES):
        owed = 0
        k = 0
        for i in range(t.players):
            got = count_of(due[i], r)
            owed += got
            k += got != 0
        have = count_of(g.bank, r)
        if owed <= have:
            continue
        left = have
        seat = g.on_turn
        for _i in range(t.players):
            got = count_of(due[seat], r)
            due[seat] -= card(r) * <uint64_t> got
            if t.shortage == SHORTAGE_TURN_ORDER:
                got = got if got < left else left
                left -= got
            elif k == 1 and t.shortage != SHORTAGE_NOBODY:
                got = got if got < have else have
            else:
                got = 0
            due[seat] += card(r) * <uint64_t> got
            seat = seat_after(seat, t.players)


cdef inline void produce(Game* g, const Tables* t, int dice) noexcept nogil:
    """Let every hex with the number yield, except under the robber (ZAR-6.1)."""
    cdef const uint64_t* row = g.prod[t.roll_slot[dice]]
    cdef uint64_t due[SEATS]
    cdef uint64_t sum = 0, corners, lost
    cdef int i, h = g.hex[g.robber]
    for i in range(t.players):
        due[i] = row[i]
        sum += due[i]
    if rarely((h >> 3) == dice):
        corners = t.hex_corners[g.robber]
        for i in range(t.players):
            lost = card(h & 7) * <uint64_t> (popcount(g.seat[i].settlements & corners)
                                             + 2 * popcount(g.seat[i].cities & corners))
            due[i] -= lost
            sum -= lost
    if rarely(not covers(g.bank, sum)):
        share_shortage(g, t, due)
        sum = 0
        for i in range(t.players):
            sum += due[i]
    for i in range(t.players):
        g.seat[i].hand += due[i]
    g.bank -= sum


cdef inline void take_start(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """Take one card for every resource hex at a first settlement (ZAR-4.7)."""
    cdef int i, h
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        if (h & 7) < RESOURCES and count_of(g.bank, h & 7):
            receive(g, seat, card(h & 7))


cdef inline void next_discard(Game* g, const Tables* t, int seat) noexcept nogil:
    """Ask the next seat clockwise, from `seat` on, with too many cards; then move the robber (ZAR-7.2, 7.3, 7.5).
`seat` NOBODY: start with the seat on turn.
    `seat` NOBODY: begin with the seat on turn.
    """
    cdef bint begin = seat == NOBODY
    if begin:
        seat = g.on_turn
    while begin or seat != g.on_turn:
        begin = False
        if total(g.seat[seat].hand) > t.discard_limit:
            g.phase = DISCARD
            g.mover = seat
            g.left = total(g.seat[seat].hand) >> 1
            g.floor = 0
            return
        seat = seat_after(seat, t.players)
    g.phase = ROBBER
    g.mover = g.on_turn


cdef inline void roll_is(Game* g, const Tables* t, int dice) noexcept nogil:
    """Apply a total of the dice, rolled or named by the Liahona."""
    g.dice = dice
    if dice == 7:
        next_discard(g, t, NOBODY)
    else:
        produce(g, t, dice)
        g.phase = MAIN


cdef inline void resume(Game* g) noexcept nogil:
    g.mover = g.on_turn
    g.phase = MAIN if g.dice else PRE_ROLL


cdef inline void steal(Game* g, const Tables* t, int r) noexcept nogil:
    """Move a stolen card, which only two seats see (ZAR-7.9)."""
    cdef int thief = g.on_turn, victim = g.corner
    record_theft(g, t, thief, victim, r)
    g.seat[victim].hand -= card(r)
    g.seat[thief].hand += card(r)
    resume(g)


cdef inline void spend(Game* g, int kind) noexcept nogil:
    """Play a development card (ZAR-10.12)."""
    cdef Seat* s = &g.seat[g.on_turn]
    s.dev -= dev_card(kind)
    s.played += <uint32_t> 1 << (4 * kind)
    g.carded = 1


cdef inline void lead(Game* g, uint8_t* holder, int mine, int theirs, int minimum, int points) noexcept nogil:
    """Update a special card, which only a strictly higher count takes over (ZAR-10.13, 11.2)."""
    cdef int seat = g.on_turn
    if mine < minimum or holder[0] == seat or (holder[0] != NOBODY and mine <= theirs):
        return
    if holder[0] != NOBODY:
        g.seat[holder[0]].points -= points
    g.seat[seat].points += points
    holder[0] = seat


cdef inline void place_stones(Game* g, const Tables* t, int n) noexcept nogil:
    """Place temple stones of the seat on turn (ZAR-11)."""
    cdef Seat* s = &g.seat[g.on_turn]
    if n > t.n_stones - s.stones:
        n = t.n_stones - s.stones
    s.stones += n
    lead(g, &g.temple_holder, s.stones, 0 if g.temple_holder == NOBODY else g.seat[g.temple_holder].stones,
         t.temple_minimum, t.temple_points)


cdef inline void play_warrior(Game* g, const Tables* t) noexcept nogil:
    cdef Seat* s = &g.seat[g.on_turn]
    spend(g, WARRIOR)
    lead(g, &g.army_holder, warriors(s), 0 if g.army_holder == NOBODY else warriors(&g.seat[g.army_holder]),
         t.army_minimum, t.army_points)
    if not test_victory(g, t):
        g.phase = ROBBER


cdef inline void collect(Game* g, const Tables* t, int r) noexcept nogil:
    """Give all cards of a resource in other hands to the seat on turn, openly (ZAR-10.7)."""
    cdef Seat* s = &g.seat[g.on_turn]
    cdef int i
    cdef uint64_t n
    for i in range(t.players):
        n = count_of(g.seat[i].hand, r)
        if i != g.on_turn and n:
            g.seat[i].hand -= card(r) * n
            s.hand += card(r) * n
            note_loss(g, i)
    # the seat now holds every card of the resource outside the bank
    note_proof(g, g.on_turn, lane(r) * <uint64_t> count_of(s.hand, r))


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


cdef inline int chance_outcomes(const Game* g, const Tables* t, move_t* out, uint32_t* weights) noexcept nogil:
    """Write every outcome of the coming event with its integer weight (ZAR-16); returns the count."""
    cdef int i, n = 0, base = 0
    cdef uint64_t cards, left
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
    left = bag_left(g, t, &base, &i)
    while left:
        if left & 31:
            out[n] = base
            weights[n] = left & 31
            n += 1
        left >>= 5
        base += 1
    return n


cdef inline move_t sample_chance(const Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """Draw one outcome by its weight."""
    cdef int k, base = 0
    cdef uint64_t left
    if g.phase == DICE:
        return C_DICE + t.dice36[rng_below(rng, 36)]
    if g.phase == STOLEN:
        return C_STOLEN_CARD + draw_card(g.seat[g.corner].hand, total(g.seat[g.corner].hand), rng)
    if g.phase == DRAW:
        return C_DRAW_DEV + draw_card(g.deck, cards_in(g.deck), rng)
    if g.phase == SETUP_FIRST:
        return C_FIRST_PLAYER + rng_below(rng, t.players)
    if g.phase == SETUP_LAYOUT and t.terrain_mode == BY_STRIPS:
        return C_LAYOUT + rng_below(rng, t.n_layouts)
    if g.phase == SETUP_TOKENS and t.token_mode == BY_STRIPS:
        return C_TOKEN_START + rng_below(rng, t.n_outer)
    left = bag_left(g, t, &base, &k)
    k = <int> rng_below(rng, <uint32_t> k)
    while k >= <int> (left & 31):
        k -= <int> (left & 31)
        left >>= 5
        base += 1
    return base
