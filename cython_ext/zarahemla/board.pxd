"""The Settlers of Zarahemla: the flat state, shared basics, pieces and roads on the map (ZAR-8, ZAR-9).

Five resource counts share one 64-bit word: lanes 0..4 of eight bits, and their total in bits 48..55, so that one
addition moves cards and updates the public size of a hand. Seven counts of development cards use lanes 0..6, with
their total in lane 7. A set of corners is one word; a set of edges is a word and a byte.

Every piece placed updates each seat's `reach` (corners where its network may continue), its `front` (edges at those
corners) and the length of its road. A new road can only lengthen the trails that use it; only a settlement between
two roads of another seat can shorten that seat's road.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport ONES, count_of, lane, lowest, popcount, rarely
from sfida.cython_ext.zarahemla.tables cimport MAX_CORNERS, MAX_HEXES, MAX_STATIONS, RESOURCES, ROLLS, SEATS, Tables


cdef enum:
    MAX_THEFTS = 16                     # recorded thefts that are not public (ZAR-17.5); with more: FORGOTTEN
    UNWATCHED = 254                     # in playouts: thefts are not recorded
    FORGOTTEN = 255                     # hands are known only by their sizes and the totals of ZAR-17.4
    MAX_LEGAL = 80                      # maximum number of moves of a decision (ZAR-21.1)
    SIDE_BITS = 5                       # bits per resource on a side of an offer: counts up to 31

    WOOD = 0
    BRICK = 1
    WATER = 2
    WHEAT = 3
    STONE = 4
    HIDEOUT = 5
    BLANK = 7                           # terrain not laid yet
    NOBODY = 255
    NOWHERE = 255
    UNSEEN = 0xDD                       # a stolen card that the viewer did not see

    WARRIOR = 0
    PROSPERITY = 1
    HARVEST = 2
    ROAD_BUILDING = 3
    TEMPLE_BUILDING = 4
    LIAHONA = 5
    VICTORY_POINT = 6


cdef enum:                              # phases (ZAR-5.5)
    SETUP_LAYOUT = 0
    SETUP_TOKENS = 1
    SETUP_STATIONS = 2                  # only with station_mode = shuffle_types
    SETUP_FIRST = 3
    INIT_SETTLEMENT = 4
    INIT_ROAD = 5
    INIT_CHOOSE = 6
    PRE_ROLL = 7
    DICE = 8
    DISCARD = 9
    ROBBER = 10
    STEAL = 11
    STOLEN = 12
    TAKE = 13
    FREE_ROADS = 14
    MAIN = 15
    DRAW = 16
    TRADE_COMPOSE = 17
    TRADE_RESPOND = 18
    TRADE_PICK = 19
    GAME_OVER = 20


cdef enum:                              # move codes (ZAR-15): base + argument; checked against the data on loading
    M_SETTLE = 0
    M_ROAD = 54
    M_CITY = 126
    M_CHOOSE_START = 180
    M_ROLL = 234
    M_END_TURN = 235
    M_BUY_DEV = 236
    M_TEMPLE_STONE = 237
    M_BANK_TRADE = 238
    M_PLAY_WARRIOR = 263
    M_PLAY_HARVEST = 264
    M_PLAY_ROAD_BUILDING = 265
    M_PLAY_TEMPLE_BUILDING = 266
    M_PLAY_PROSPERITY = 267
    M_PLAY_LIAHONA = 272
    M_TAKE = 283
    M_TAKE_STOP = 288
    M_DISCARD = 289
    M_MOVE_ROBBER = 294
    M_STEAL_FROM = 313
    M_STEAL_NOTHING = 317
    M_TRADE_OPEN = 318
    M_TRADE_GIVE = 319
    M_TRADE_WANT = 324
    M_TRADE_SUBMIT = 329
    M_TRADE_ACCEPT = 330
    M_TRADE_REJECT = 331
    M_TRADE_COUNTER = 332
    M_TRADE_PICK = 333
    M_TRADE_NO_DEAL = 337
    C_LAYOUT = 1000
    C_TOKEN_START = 13288
    C_FIRST_PLAYER = 13300
    C_DICE = 13304
    C_DRAW_DEV = 13315
    C_STOLEN_CARD = 13322
    C_TERRAIN = 13327
    C_NUMBER = 13333
    C_STATION = 13344
    C_END = 13350


cdef enum:                              # named options
    BY_STRIPS = 0                       # terrain_mode, token_mode and station_mode: as printed, shuffled, given
    BY_SHUFFLE = 1
    GIVEN = 2
    SHORTAGE_SINGLE_REST = 0
    SHORTAGE_NOBODY = 1
    SHORTAGE_TURN_ORDER = 2
    TRADE_NONE = 0
    TRADE_SIMPLE = 1
    TRADE_FULL = 2
    # answers to an offer
    NO_ANSWER = 0
    REJECTED = 1
    ACCEPTED = 2
    COUNTERED = 3


cdef struct Seat:
    uint64_t hand                       # lanes and total
    uint64_t settlements                # set of corners
    uint64_t cities
    uint64_t reach                      # corners of the seat's network without a building of another seat
    uint64_t roads                      # edges 0..63
    uint64_t front                      # edges 0..63 at a corner of `reach`, taken or not
    uint64_t dev                        # unplayed development cards: lanes and total in lane 7
    uint64_t dots                       # dots of the income in the lanes of the resources, ignoring the robber
    int64_t drift                       # net effect of the thefts that are not public, in signed lanes
    uint32_t played                     # played development cards, four bits per type
    uint8_t roads_high
    uint8_t front_high
    uint8_t n_roads
    uint8_t n_settlements
    uint8_t n_cities
    uint8_t length                      # longest trail of the seat's roads
    uint8_t points                      # public points
    uint8_t stones
    uint8_t shown                       # points at the seat's last decision (ZAR-17.8)
    uint8_t stations                    # one bit per resource, and 32 for a station of any resource
    uint8_t spare[2]


cdef struct Theft:                      # a theft that is not public (ZAR-17.5)
    uint32_t low[SEATS]                 # lowest public balance of each hand until the next theft, six bits per lane
    uint32_t held                       # public balance of the victim's hand at the time of the theft
    uint8_t thief
    uint8_t victim
    uint8_t card                        # known only to the two seats
    uint8_t may                         # cards possible by public information, one bit each


cdef struct Game:
    uint64_t prod[ROLLS][SEATS]         # cards, with their total, that each total of the dice yields for each seat
    Seat seat[SEATS]
    Theft theft[MAX_THEFTS]
    uint64_t low[SEATS]                 # like Theft.low, since the last theft; 64 is added to each lane
    uint64_t bank                       # lanes and total
    uint64_t deck                       # lanes and total
    uint64_t fresh                      # cards that the seat on turn bought in this turn
    uint64_t built                      # corners with a building
    uint64_t blocked                    # corners with a building or next to one
    uint64_t taken                      # edges 0..63 with a road
    uint64_t open                       # hexes that the robber may move to, if it is not there
    uint32_t give[SEATS]                # the seat's offer, SIDE_BITS per resource
    uint32_t want[SEATS]
    uint16_t last                       # code of the last move + 1; 0 at the start
    uint16_t turns                      # completed player turns
    uint8_t hex[MAX_HEXES]              # terrain | number << 3
    uint8_t station[MAX_STATIONS]       # kind
    uint8_t taken_high
    uint8_t phase
    uint8_t on_turn
    uint8_t mover                       # seat that decides
    uint8_t robber
    uint8_t home                        # the hideout
    uint8_t dice                        # total of the dice; 0: not rolled
    uint8_t carded                      # whether a development card was played in this turn
    uint8_t road_holder
    uint8_t army_holder
    uint8_t temple_holder
    uint8_t winner
    uint8_t step                        # completed chance events or placements of the setup phase
    uint8_t left                        # cards or roads still to be chosen in the phase
    uint8_t floor                       # lowest resource that may be chosen next
    uint8_t n_thefts                    # number of recorded thefts, or UNWATCHED or FORGOTTEN
    uint8_t viewer                      # 1 + viewing seat; 0: the true state
    uint8_t offers                      # offers opened in this turn
    uint8_t answers                     # two bits per seat
    uint8_t corner                      # the settlement just placed; the victim of a theft
    uint8_t first
    uint8_t kinds[MAX_CORNERS]          # resources that a corner yields, one bit each
    uint8_t plain[MAX_CORNERS]          # dots of a corner
    uint64_t near[MAX_CORNERS]          # corners at the other ends of the free edges of a corner
    double site[MAX_CORNERS]            # dots of a corner at their worth


cdef inline uint64_t card(int r) noexcept nogil:
    """One card of resource `r`, with its total."""
    return lane(r) | (<uint64_t> 1 << 48)


cdef inline int total(uint64_t cards) noexcept nogil:
    """Number of resource cards; also valid for a hidden hand."""
    return <int> ((cards >> 48) & 0xFF)


cdef inline int cards_in(uint64_t dev) noexcept nogil:
    """Number of development cards, including hidden ones."""
    return <int> (dev >> 56)


cdef inline uint64_t dev_card(int d) noexcept nogil:
    """One development card of type `d`, with its total."""
    return lane(d) | (<uint64_t> 1 << 56)


cdef inline uint64_t cards_word(counts) except? 0:
    """Lanes and total of five counts."""
    cdef inline uint64_t word = 0
    for r, n in enumerate(counts):
        if not 0 <= n <= 127:
            raise ValueError(f"a hand holds 0..127 cards of a resource, not {n}")
        word += card(r) * <uint64_t> n
    return word


cdef inline uint64_t dev_word(counts) except? 0:
    """Lanes and total of seven counts."""
    cdef inline uint64_t word = 0
    for d, n in enumerate(counts):
        word += dev_card(d) * <uint64_t> n
    return word


cdef inline unsigned int in_side(int r) noexcept nogil:
    """One card of resource `r` on a side of an offer."""
    return <unsigned int> 1 << (SIDE_BITS * r)


cdef inline int side_of(unsigned int packed, int r) noexcept nogil:
    """Cards of resource `r` on one side of an offer."""
    return <int> ((packed >> (SIDE_BITS * r)) & ((1 << SIDE_BITS) - 1))


cdef inline uint64_t bundle(unsigned int packed) noexcept nogil:
    """Lanes and total of counts packed in SIDE_BITS each."""
    cdef uint64_t lanes = 0
    cdef int r
    for r in range(RESOURCES):
        lanes |= <uint64_t> side_of(packed, r) << (8 * r)
    return lanes | ((((lanes * ONES) >> 32) & 0xFF) << 48)


cdef inline int side_size(unsigned int packed) noexcept nogil:
    """Number of cards on one side of an offer."""
    return total(bundle(packed))


cdef inline uint64_t buildings(const Seat* s) noexcept nogil:
    return s.settlements | s.cities


cdef inline int outstanding(const Game* g, const Tables* t, int seat, int r) noexcept nogil:
    """Number of cards of a resource in the other hands, deduced from the seat's own hand (ZAR-13.8)."""
    return t.cards_each - count_of(g.bank, r) - count_of(g.seat[seat].hand, r)


cdef inline int answer_of(const Game* g, int seat) noexcept nogil:
    return (g.answers >> (2 * seat)) & 3


cdef inline int secret_points(const Game* g, const Tables* t, int seat) noexcept nogil:
    return count_of(g.seat[seat].dev, VICTORY_POINT) * t.card_points


cdef inline bint test_victory(Game* g, const Tables* t) noexcept nogil:
    """End the game if the seat on turn has enough points, hidden ones included (ZAR-14.2)."""
    if g.seat[g.on_turn].points + secret_points(g, t, g.on_turn) < t.target:
        return False
    g.phase = GAME_OVER
    g.winner = g.on_turn
    return True


cdef inline int dots_of(int number) noexcept nogil:
    """Number of chances out of 36 for a number token; 0 for none."""
    cdef int far = number - 7 if number > 7 else 7 - number
    return 6 - far if far < 6 else 0


cdef inline double resource_worth(int r) noexcept nogil:
    """Worth of a dot of the resource (ZAR-23.24): wood 1.0, brick 1.15, water 0.85, wheat and stone 1.15."""
    return 1.0 if r == 0 else 0.85 if r == 2 else 1.15


cdef inline bint edge_free(const Game* g, int e) noexcept nogil:
    return not ((g.taken >> e) & 1 if e < 64 else (g.taken_high >> (e - 64)) & 1)


cdef inline int warriors(const Seat* s) noexcept nogil:
    return <int> (s.played & 15)


cdef inline uint64_t walls_of(const Game* g, int seat) noexcept nogil:
    """Corners where the roads of a seat end: buildings of other seats (ZAR-9.3)."""
    return g.built & ~buildings(&g.seat[seat])


cdef inline int far_from(const Tables* t, int e, int at) noexcept nogil:
    """The other end of an edge."""
    return t.end_a[e] + t.end_b[e] - at


cdef inline int grow(const Tables* t, uint64_t free, int high, int at, uint64_t walls) noexcept nogil:
    """Length of the longest trail over free edges, `high` from 64 on, from a corner (ZAR-9.1)."""
    cdef uint64_t here = free & t.edges_at[at]
    cdef int there = high & t.edges_at_high[at]
    cdef int e, n, best = 0
    if (walls >> at) & 1:
        return 0
    while here:
        e = lowest(here)
        n = 1 + grow(t, free & ~(here & (0 - here)), high, far_from(t, e, at), walls)
        here &= here - 1
        best = n if n > best else best
    while there:
        e = 64 + lowest(there)
        n = 1 + grow(t, free, high & ~(there & -there), far_from(t, e, at), walls)
        there &= there - 1
        best = n if n > best else best
    return best


cdef inline int grow_both(const Tables* t, uint64_t free, int high, int at, int other, uint64_t walls) noexcept nogil:
    """Largest number of edges that can extend a trail at its two ends."""
    cdef uint64_t here = free & t.edges_at[at]
    cdef int there = high & t.edges_at_high[at]
    cdef int e, n, best = grow(t, free, high, other, walls)
    if (walls >> at) & 1:
        return best
    while here:
        e = lowest(here)
        n = 1 + grow_both(t, free & ~(here & (0 - here)), high, far_from(t, e, at), other, walls)
        here &= here - 1
        best = n if n > best else best
    while there:
        e = 64 + lowest(there)
        n = 1 + grow_both(t, free, high & ~(there & -there), far_from(t, e, at), other, walls)
        there &= there - 1
        best = n if n > best else best
    return best


cdef inline int trail_over(const Tables* t, const Seat* s, int e, uint64_t walls) noexcept nogil:
    """Length of the longest trail over one of a seat's roads."""
    cdef uint64_t free = s.roads
    cdef int high = s.roads_high
    if e < 64:
        free &= ~(<uint64_t> 1 << e)
    else:
        high &= ~(1 << (e - 64))
    return 1 + grow_both(t, free, high, t.end_a[e], t.end_b[e], walls)


cdef inline int longest_trail(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Length of a seat's longest road, computed from scratch."""
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t walls = walls_of(g, seat), roads = s.roads
    cdef int n, best = 0, high = s.roads_high
    while roads:
        n = trail_over(t, s, lowest(roads), walls)
        roads &= roads - 1
        best = n if n > best else best
    while high:
        n = trail_over(t, s, 64 + lowest(high), walls)
        high &= high - 1
        best = n if n > best else best
    return best


cdef inline void award_road(Game* g, const Tables* t) noexcept nogil:
    """Set the holder of the Longest Road (ZAR-9.10)."""
    cdef int i, top = t.road_minimum - 1, alone = NOBODY, tied = 0
    cdef int holder = g.road_holder
    for i in range(t.players):
        if g.seat[i].length > top:
            top = g.seat[i].length
            alone = i
            tied = 0
        elif g.seat[i].length == top and alone != NOBODY:
            tied = 1
    if alone == NOBODY:
        i = NOBODY
    elif holder != NOBODY and g.seat[holder].length == top:
        return
    elif not tied:
        i = alone
    elif holder != NOBODY and not t.set_aside:
        return
    else:
        i = NOBODY
    if i == holder:
        return
    if holder != NOBODY:
        g.seat[holder].points -= t.road_points
    if i != NOBODY:
        g.seat[i].points += t.road_points
    g.road_holder = i


cdef inline bint can_go_on(const Game* g, int seat) noexcept nogil:
    """Whether some edge is free for a road of the seat (ZAR-8.3)."""
    cdef const Seat* s = &g.seat[seat]
    return (s.front & ~g.taken) != 0 or (s.front_high & ~g.taken_high) != 0


cdef inline void reach_corner(Seat* s, const Tables* t, int c) noexcept nogil:
    s.reach |= <uint64_t> 1 << c
    s.front |= t.edges_at[c]
    s.front_high |= t.edges_at_high[c]


cdef inline void put_road(Game* g, const Tables* t, int seat, int e) noexcept nogil:
    """Put a road on an edge: update network, length, and the holder of the card (ZAR-9.6)."""
    cdef Seat* s = &g.seat[seat]
    cdef int n, a = t.end_a[e], b = t.end_b[e]
    cdef uint64_t walls = walls_of(g, seat)
    if e < 64:
        s.roads |= <uint64_t> 1 << e
        g.taken |= <uint64_t> 1 << e
    else:
        s.roads_high |= 1 << (e - 64)
        g.taken_high |= 1 << (e - 64)
    g.near[a] &= ~(<uint64_t> 1 << b)
    g.near[b] &= ~(<uint64_t> 1 << a)
    s.n_roads += 1
    if not (walls >> a) & 1:
        reach_corner(s, t, a)
    if not (walls >> b) & 1:
        reach_corner(s, t, b)
    n = trail_over(t, s, e, walls)
    if n > s.length:
        s.length = n
        if n >= t.road_minimum:
            award_road(g, t)


cdef inline void cut_off(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """Update this seat's network after another seat built on one of its corners (ZAR-9.7)."""
    cdef Seat* s = &g.seat[seat]
    cdef uint64_t front = t.edges_at[c]
    cdef int i, e, far, high = t.edges_at_high[c]
    cdef int own = popcount(s.roads & front) + popcount(s.roads_high & high)
    s.reach &= ~(<uint64_t> 1 << c)
    for i in range(t.degree[c]):
        far = t.far_end[c][i]
        e = t.edge_at[c][i]
        if (s.reach >> far) & 1:        # still reached from the edge's other end
            if e < 64:
                front &= ~(<uint64_t> 1 << e)
            else:
                high &= ~(1 << (e - 64))
    s.front &= ~front
    s.front_high &= ~high
    if own >= 2:
        s.length = longest_trail(g, t, seat)
        award_road(g, t)


cdef inline void add_income(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """Add a building's yield: one more card from each of its hexes (ZAR-6.2)."""
    cdef int i, h, number
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        number = h >> 3
        if number:
            g.prod[t.roll_slot[number]][seat] += card(h & 7)
            g.seat[seat].dots += <uint64_t> t.dots[h] << (8 * (h & 7))


cdef inline void put_settlement(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """Put a settlement on a corner: update income, station, and the networks of all seats (ZAR-8.4, 8.8)."""
    cdef Seat* s = &g.seat[seat]
    cdef uint64_t here = <uint64_t> 1 << c
    cdef int i
    s.settlements |= here
    s.n_settlements += 1
    s.points += t.settlement_points
    g.built |= here
    g.blocked |= here | t.next_to[c]
    reach_corner(s, t, c)
    add_income(g, t, seat, c)
    if t.station_at[c] != NOWHERE:
        s.stations |= 1 << g.station[t.station_at[c]]
    for i in range(t.players):
        if i != seat and rarely((g.seat[i].reach & here) != 0):
            cut_off(g, t, i, c)


cdef inline void put_city(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """Replace a settlement of the seat by a city (ZAR-8.5)."""
    cdef Seat* s = &g.seat[seat]
    cdef uint64_t here = <uint64_t> 1 << c
    s.settlements &= ~here
    s.cities |= here
    s.n_settlements -= 1
    s.n_cities += 1
    s.points += t.city_points - t.settlement_points
    add_income(g, t, seat, c)


cdef inline void overwrite_unused(Game* g, int fill) noexcept nogil:
    cdef int n = g.n_thefts if g.n_thefts <= MAX_THEFTS else 0, stolen = g.last - 1 - C_STOLEN_CARD
    memset(&g.theft[n], fill, (MAX_THEFTS - n) * sizeof(Theft))
    if n:                               # `low` holds the balances since the last theft
        memset(g.theft[n - 1].low, fill, sizeof(g.theft[n - 1].low))
    else:
        memset(g.low, fill, sizeof(g.low))
    if g.phase > INIT_CHOOSE:
        g.step = fill
    if g.phase != DISCARD and g.phase != TAKE:
        if g.phase != FREE_ROADS:
            g.left = fill
        if g.phase != TRADE_COMPOSE:
            g.floor = fill
    if g.phase != INIT_ROAD and g.phase != STOLEN and not 0 <= stolen < RESOURCES:
        g.corner = fill
