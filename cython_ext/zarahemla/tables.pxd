"""The Settlers of Zarahemla: what is fixed for a game, its tables and the weights of its knowledge."""

from libc.stdint cimport uint64_t, uint8_t


cdef enum:
    MAX_HEXES = 19
    MAX_CORNERS = 54
    MAX_EDGES = 72
    MAX_STATIONS = 9
    SEATS = 4
    RESOURCES = 5
    MAX_ORDER = 12                      # placements: three pairs of four seats
    N_MOVES = 338                       # codes of what players decide


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


cdef enum:
    F_POINTS = 0                        # seen by all, and the victory point cards held (others': expected)
    F_INCOME = 1                        # dots at their worth, times what is left of the game
    F_STEADY = 2                        # dots at their worth
    F_KINDS = 3                         # resources with an income
    F_SPECIAL = 4                       # dots of resources with their own station
    F_ANY = 5                           # 3:1 station
    F_SITE_NOW = 6                      # best corner for a settlement without, with one, with two roads: dots
    F_SITE_NEAR = 7
    F_SITE_FAR = 8
    F_ROAD = 9                          # segments of the road beyond two, five at most
    F_ROAD_LEAD = 10                    # over the longest of others, -2 to 2; from three segments on
    F_ARMY = 11                         # Warriors played, at most one more than the strongest other
    F_ARMY_LEAD = 12
    F_TEMPLE = 13                       # stones, at most one more than the most of another
    F_TEMPLE_LEAD = 14
    F_CARDS = 15                        # other development cards held
    F_HAND = 16                         # resource cards up to the limit of a seven
    F_OVER = 17                         # beyond it
    F_PLAN = 18                         # the purchase nearest in time and worth
    F_PLANS = 19                        # the others together
    F_CITY = 20                         # dots of the settlement best made a city
    F_ROBBED = 21                       # dots under the robber
    F_CLOSE = 22                        # how near the target: 0 from six points away, 1 at one point away
    F_TURN = 23                         # seats that roll before this one, of all
    FEATURES = 24                       # those that have weights
    F_LEAD = 24                         # points beyond the best rival's
    F_LEFT = 25                         # share of the game that is left, the same for all
    ALL_FEATURES = 26


cdef struct Knobs:                      # by name; meanings and values: engines/zarahemla/weights.py
    double patience
    double rival
    double heat
    double place_heat
    double deal
    double spite
    double variety
    double first_variety
    double numbers
    double room
    double scarce


cdef struct Weights:
    Knobs k
    double worth[FEATURES]              # points per unit of each feature
    double win[FEATURES]                # in the exponent of the win shares
