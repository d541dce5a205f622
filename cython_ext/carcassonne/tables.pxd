"""Carcassonne: what is fixed for a game, its tables and the weights of its knowledge."""

from libc.stdint cimport uint64_t, uint8_t

from sfida.cython_ext.state cimport move_t


cdef enum:
    MAX_TYPES = 40                      # tile types, a multiple of 8
    TYPE_WORDS = 5                      # MAX_TYPES / 8
    MAX_TILES = 84
    STACKS = 4
    SEATS = 5


cdef struct Face:                       # one tile type in one rotation
    uint8_t side[4]                     # terrain of N, E, S, W
    uint8_t edge_seg[4]                 # segment of a city, road or river side, else NONE
    uint8_t half_seg[8]                 # field segment of each half-edge, else NONE
    uint8_t n_segs
    uint8_t kind[8]                     # kind of each segment
    uint8_t n_edges[8]                  # sides of a city or road segment
    uint8_t shields[8]
    uint8_t monastery                   # its segment, or NONE
    uint8_t n_contacts                  # field-city contacts
    uint8_t contact_field[8]
    uint8_t contact_city[8]
    uint8_t code                        # sides as two-bit codes, N lowest (0 for a river side)
    uint8_t river_sides                 # bit per side


cdef struct Tables:                     # immutable after construction, shared by all states of a game
    Face face[MAX_TYPES * 4]            # index type * 4 + rotation
    uint8_t fit[MAX_TYPES][256]         # rotations (bit mask) that fit an open cell's code
    move_t rotations[16][4]             # set bits of a mask, in order
    uint64_t stack_mask[STACKS][TYPE_WORDS]  # 0xFF in the byte of each type of the stack
    uint8_t copies[MAX_TYPES]
    uint8_t n_rotations[MAX_TYPES]
    int n_types
    int players
    int start_type
    int start_rotation
    int source_type
    int source_rotation
    int lake_type
    int supply
    # options (CAR-13)
    bint river
    int farm_scoring
    bint city2_half
    int uturn
    int river_start
    bint farmers
    int first_player                    # seat, or -1: drawn
    # points (chapters 7 and 10)
    int road_tile, city_tile, city_shield, city2_tile, city2_shield, city2_size
    int monastery_full, farm_city, first_edition_city
    int road_tile_open, city_tile_open, city_shield_open, monastery_own_open, monastery_next_open


cdef enum:
    HANDS = 8                           # followers in hand, and none; more are worth no more
    BLOCK = 10                          # cells around a monastery and its own, and none
    SIDES = 32                          # open sides of a feature; more count as the most


cdef struct Rates:                      # for one number of tiles to come
    double hand[HANDS]                  # followers in hand
    double monastery[BLOCK]             # by its occupied cells
    double city[SIDES]                  # an incomplete city, by open sides: for each tile and shield,
    double city_more[SIDES]             # and besides
    double small_city                   # one tile with one open side, besides
    double road_more[SIDES]             # an incomplete road, besides its tiles
    double farm_city[SIDES]             # chance that an incomplete city is completed


cdef struct Knobs:                      # by name; meanings and values: engines/carcassonne/weights.py
    double city_close
    double city_per_side
    double city_growth
    double road_growth
    double monk_fill
    double farm_open
    double hand
    double rival
    double spread
    double floor
    double place_heat
    double deploy_heat
    double claim


cdef struct Weights:
    Knobs k
    # made of them, by tiles to come
    Rates rates[MAX_TILES + 1]
