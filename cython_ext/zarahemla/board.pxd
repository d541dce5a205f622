"""The Settlers of Zarahemla: tables, the flat state, what every other part shares.

Five resource counts travel in one 64-bit word: lanes 0..4 of eight bits, and their total in bits 48..55, so that
one addition moves cards and keeps the public size of a hand. Seven counts of development cards use lanes 0..6 and
keep their total in lane 7. Sets of corners are one word; sets of edges a word and a byte.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport ONES, count_of, lane


cdef enum:
    MAX_HEXES = 19
    MAX_CORNERS = 54
    MAX_EDGES = 72
    MAX_STATIONS = 9
    SEATS = 4
    RESOURCES = 5
    CARD_TYPES = 7
    ROLLS = 10                          # dice totals that produce: 2..12 without 7
    MAX_THEFTS = 16                     # thefts not resolved for everybody (ZAR-17.5); more: FORGOTTEN
    UNWATCHED = 254                     # nobody will ask: in playouts
    FORGOTTEN = 255                     # hands are known by their sizes and the totals of ZAR-17.4 alone
    MAX_ORDER = 12                      # placements: three pairs of four seats
    MAX_LEGAL = 80                      # of a decision (ZAR-21.1)
    SIDE_BITS = 5                       # of a resource on a side of an offer: counts to 31

    WOOD = 0
    BRICK = 1
    WATER = 2
    WHEAT = 3
    STONE = 4
    HIDEOUT = 5
    BLANK = 7                           # terrain not laid yet
    NOBODY = 255
    EVERYBODY = 253                     # viewer who sees all hands: of a world in which nobody decides any more
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


cdef enum:                              # move codes (ZAR-15): base + argument; compared with the data when it is read
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
    N_MOVES = 338
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


cdef enum:                              # options with names
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


cdef struct Tables:                     # immutable after construction, shared by all states of a game
    # the map
    uint64_t hex_corners[MAX_HEXES]     # set
    uint64_t only_hex[MAX_HEXES]        # corners that touch no other hex
    uint64_t next_to[MAX_CORNERS]       # neighbour corners
    uint64_t edges_at[MAX_CORNERS]      # edges 0..63 that end at a corner
    uint8_t edges_at_high[MAX_CORNERS]  # edges 64..71
    uint8_t degree[MAX_CORNERS]
    uint8_t edge_at[MAX_CORNERS][3]
    uint8_t far_end[MAX_CORNERS][3]     # the other end of edge_at
    uint8_t n_hexes_at[MAX_CORNERS]
    uint8_t hex_at[MAX_CORNERS][3]
    uint8_t station_at[MAX_CORNERS]     # or NOWHERE
    uint8_t end_a[MAX_EDGES]
    uint8_t end_b[MAX_EDGES]
    uint64_t all_corners
    uint8_t n_hexes, n_corners, n_edges, n_stations
    uint8_t station_kind[MAX_STATIONS]  # printed; RESOURCES for any
    uint8_t station_bag[RESOURCES + 1]  # of station_mode = shuffle_types
    # the layouts: five strips of at most five hexes, two sides
    uint8_t strip_line[3][5][5]
    uint8_t strip_length[5]             # of each line
    uint8_t strip_side[5][2][5]         # strips in the order s5, s4a, s4b, s3a, s3b
    int n_layouts
    uint8_t terrain_bag[RESOURCES + 1]  # of terrain_mode = shuffle
    uint8_t number_bag[16]              # of token_mode = shuffle, by number
    uint8_t token[18]
    uint8_t n_tokens
    uint8_t outer[12]
    uint8_t inner[6]
    uint8_t n_outer, n_inner
    uint8_t center
    uint8_t given[MAX_HEXES]            # terrain | number << 3 of an explicit board
    # costs, counts
    uint64_t road_cost, settlement_cost, city_cost, card_cost, stone_cost
    uint64_t rate[64]                   # bank ratio by stations: bit per resource, 32 for any (ZAR-12)
    uint64_t deck                       # with total
    int cards_each                      # of each resource
    int n_settlements, n_cities, n_roads, n_stones
    int settlement_points, city_points, card_points
    int road_points, army_points, temple_points
    int road_minimum, army_minimum, temple_minimum
    uint8_t roll_slot[16]               # dice total -> row of `Game.prod`
    uint8_t dice36[36]
    uint8_t kind_of[N_MOVES]            # index of the move's base in the list of moves
    # options (ZAR-19)
    int players
    int target
    int discard_limit
    int max_turns
    int terrain_mode, token_mode, station_mode
    int first_player                    # seat, or -1: drawn
    int shortage
    int trade_mode
    int max_offers
    int max_side
    bint gifts                          # one side of an offer may be empty
    bint choose_start                   # initial_resources = choose
    bint numbered_site
    bint robber_home
    bint may_steal
    bint set_aside
    bint dev_same_turn
    bint harvest_partial
    bint temple_before_roll
    int n_order
    uint8_t order[MAX_ORDER]            # seats from the first, of each pair placed
    int last_pairs                      # initial_resources = last_placed: pairs from here on pay


cdef struct Seat:
    uint64_t hand                       # lanes and total
    uint64_t settlements                # set of corners
    uint64_t cities
    uint64_t reach                      # corners of own roads and buildings without another's building
    uint64_t roads                      # edges 0..63
    uint64_t front                      # edges 0..63 at a corner of `reach`, taken or not
    uint64_t dev                        # unplayed development cards: lanes and total in lane 7
    int64_t drift                       # net effect of the unresolved thefts, lanes added as signed numbers
    uint32_t played                     # development cards played, four bits a type
    uint8_t roads_high
    uint8_t front_high
    uint8_t n_roads
    uint8_t n_settlements
    uint8_t n_cities
    uint8_t length                      # longest trail of own roads
    uint8_t points                      # seen by all
    uint8_t stones
    uint8_t shown                       # points at the last own decision (ZAR-17.8)
    uint8_t stations                    # bit per resource, 32 for any
    uint8_t spare[2]


cdef struct Theft:                      # one that not everybody could see (ZAR-17.5)
    uint32_t low[SEATS]                 # lowest public balance of each hand until the next theft, six bits a lane
    uint32_t held                       # public balance of the victim's hand when it happened
    uint8_t thief
    uint8_t victim
    uint8_t card                        # secret of the two
    uint8_t may                         # the cards it may have been, as everybody can tell: a bit each


cdef struct Game:
    uint32_t prod[ROLLS][SEATS]         # cards each dice total gives each seat, six bits a resource
    Seat seat[SEATS]
    Theft theft[MAX_THEFTS]
    uint64_t low[SEATS]                 # like Theft.low since the last theft, lanes above 64
    uint64_t bank                       # lanes and total
    uint64_t deck                       # lanes and total
    uint64_t fresh                      # cards that the seat on turn bought this turn
    uint64_t blocked                    # corners with a building, or next to one
    uint64_t taken                      # edges 0..63 with a road
    uint32_t give[SEATS]                # what a seat offers, SIDE_BITS a resource
    uint32_t want[SEATS]
    uint16_t last                       # code of the last move + 1; 0 at the start
    uint16_t turns                      # player turns completed
    uint8_t hex[MAX_HEXES]              # terrain | number << 3
    uint8_t station[MAX_STATIONS]       # kind
    uint8_t taken_high
    uint8_t phase
    uint8_t on_turn
    uint8_t mover                       # seat that decides
    uint8_t robber
    uint8_t home                        # the hideout
    uint8_t dice                        # 0: not rolled
    uint8_t carded                      # a development card was played this turn
    uint8_t road_holder
    uint8_t army_holder
    uint8_t temple_holder
    uint8_t winner
    uint8_t step                        # chance events or placements done in the phase of the setup
    uint8_t left                        # cards or roads still to choose in the phase
    uint8_t floor                       # lowest resource that may be chosen next
    uint8_t n_thefts                    # or UNWATCHED or FORGOTTEN
    uint8_t viewer                      # 1 + seat whose view this copy is; 0: the true state
    uint8_t offers                      # openings this turn
    uint8_t answers                     # two bits a seat
    uint8_t corner                      # settlement just placed; the victim of a theft
    uint8_t first


# ---- small things -----------------------------------------------------------------------------------


cdef inline uint64_t card(int r) noexcept nogil:
    """One card of resource `r`, with its total."""
    return lane(r) | (<uint64_t> 1 << 48)


cdef inline int total(uint64_t cards) noexcept nogil:
    """Number of resource cards, also of a hand that is hidden."""
    return <int> ((cards >> 48) & 0xFF)


cdef inline int cards_in(uint64_t dev) noexcept nogil:
    """Number of development cards, also of hidden ones."""
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
    """Cards on one side of an offer."""
    return total(bundle(packed))


cdef inline uint64_t buildings(const Seat* s) noexcept nogil:
    return s.settlements | s.cities


cdef inline int next_seat(const Tables* t, int seat) noexcept nogil:
    """Left neighbour (ZAR-5.9)."""
    seat += 1
    return 0 if seat == t.players else seat


cdef inline int outstanding(const Game* g, const Tables* t, int seat, int r) noexcept nogil:
    """Cards of a resource in the hands of others, known to everybody who knows the own hand (ZAR-13.8)."""
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
