"""Carcassonne board: tables of the tile faces, the flat state, laying a tile.

Cells live on a torus of 4096 addresses, `(x + 90 * y) & 4095`. Two different cells get the same
address only when they are at least 90 steps apart; two cells of one board, its open cells and the
neighbours of its monasteries are at most 87 apart (84 tiles in a line), so the map is exact.
Features are a union-find over at most 190 nodes: 273 segments less one merged by each of 83 tiles.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from sfida.cython_ext.state cimport move_t


cdef extern from *:
    """
    #define sf_popcount(x) __builtin_popcountll(x)
    #define sf_ctz(x) __builtin_ctzll(x)
    #define sf_unlikely(x) __builtin_expect(!!(x), 0)
    /* four 64-bit words at once: out[i] = rot[i] | here (lowered to what the target has) */
    typedef unsigned long long sf_v4 __attribute__((vector_size(32), aligned(8), may_alias));
    #define sf_store4(out, rot, here) (*(sf_v4*) (out) = *(const sf_v4*) (rot) | (unsigned long long) (here))
    """
    int popcount "sf_popcount"(uint64_t x) noexcept nogil
    int ctz "sf_ctz"(uint64_t x) noexcept nogil
    bint unlikely "sf_unlikely"(bint x) noexcept nogil
    void store4 "sf_store4"(move_t* out, const move_t* rot, move_t here) noexcept nogil


cdef enum:
    # terrain of a side; the first three are also the two-bit codes of `Board.code`
    FIELD = 1
    ROAD = 2
    CITY = 3
    RIVER = 4
    # kind of a segment: CITY, ROAD, FIELD, RIVER or
    MONASTERY = 5

    NONE = 0xFF                         # no segment, no node
    MAX_TYPES = 40                      # tile types, a multiple of 8
    TYPE_WORDS = 5                      # MAX_TYPES / 8
    MAX_TILES = 84
    MAX_NODES = 192
    MAX_SETS = 128                      # city and road nodes, from 0 (119 in the box); fields count down from the top
    MAX_OPEN = 170
    MAX_FOLLOWERS = 35
    MAX_MONKS = 7
    SEATS = 5
    STEP_Y = 90
    CELLS = 4096

    OPEN_BASE = 85                      # grid: 0 empty, 1..84 tile number + 1, 85 + slot open cell,
    RIVER_END = 255                     # 255 the cell the open river points at

    # stacks
    LAND_STACK = 0
    RIVER_STACK = 1
    LAKE_STACK = 2
    START_STACK = 3                     # option river_start_tile = after_lake
    STACKS = 4

    # phases
    PHASE_FIRST = 0
    PHASE_DRAW = 1
    PHASE_PLACE = 2
    PHASE_DEPLOY = 3
    PHASE_OVER = 4

    # options
    FARM_RULEBOOK = 0
    FARM_PER_FARM = 1
    FARM_FIRST_EDITION = 2
    UTURN_IMMEDIATE = 0
    UTURN_MONOTONE = 1
    UTURN_NONE = 2
    START_REMOVED = 0
    START_SHUFFLED = 1
    START_AFTER_LAKE = 2


cdef enum:                              # move codes: kind << KIND_SHIFT | parameters
    KIND_SHIFT = 56
    KIND_DRAW = 1
    KIND_PLACE = 2
    KIND_DEPLOY = 3
    KIND_FIRST = 4


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


cdef struct Feature:                    # union-find node; figures hold at the root
    uint8_t parent
    uint8_t kind
    uint8_t open                        # open sides of a city or road
    uint8_t shields
    uint32_t followers                  # four bits a seat


cdef struct Tile:
    uint8_t seg[8]                      # node of each segment, NONE for river and monastery
    int8_t x
    int8_t y
    uint8_t face                        # type * 4 + rotation
    uint8_t spare


cdef struct Follower:
    uint8_t tile
    uint8_t seg
    uint8_t seat


cdef struct Monk:
    uint8_t tile
    uint8_t seat
    uint8_t around                      # occupied cells of the 3x3 block


cdef struct Board:
    uint8_t grid[CELLS]
    Feature node[MAX_NODES]
    uint64_t tiles_of[MAX_SETS][2]      # set of tile numbers of a city or road root (CAR-12.2)
    uint32_t place[MAX_OPEN + 2]        # open cells as (x + 128) << 16 | (y + 128) << 8
    Tile tile[MAX_TILES]
    uint8_t code[MAX_OPEN + 6]          # what the neighbours demand, two bits a side
    uint64_t left[TYPE_WORDS]       # copies left of each type, a byte each
    move_t last_move
    int16_t score[SEATS]
    int16_t score_before_final[SEATS]
    Follower follower[MAX_FOLLOWERS]
    Monk monk[MAX_MONKS]
    uint8_t supply[SEATS]
    uint8_t discarded[MAX_TYPES]
    uint8_t n_tiles
    uint8_t n_open
    uint8_t n_sets                      # city and road nodes in use: 0 .. n_sets - 1
    uint8_t n_fields                    # field nodes in use: MAX_NODES - n_fields .. MAX_NODES - 1
    uint8_t n_followers
    uint8_t n_monks
    uint8_t phase
    uint8_t seat
    uint8_t type                        # tile in hand, or NONE
    uint8_t stack                       # the stack the next tile comes from
    uint8_t n_left[STACKS]
    uint8_t free_segs                   # phase DEPLOY: bit per segment that may take a follower
    uint8_t river_on                    # 1 while the river has an open end
    int8_t river_x                      # the cell it points at
    int8_t river_y
    uint8_t river_dir                   # direction of flow into that cell, 0..3
    uint8_t river_code                  # what its other neighbours demand
    uint8_t river_turn                  # of the last river tile: 0 straight, 1 right, 3 left
    uint8_t river_dirs                  # directions the river has had, bit each


cdef inline int cell_of(int x, int y) noexcept nogil:
    return (x + STEP_Y * y) & (CELLS - 1)


cdef inline int cell_step(int side) noexcept nogil:
    """Address difference to the neighbour at a side (N, E, S, W)."""
    if side & 1:
        return 2 - side                 # E = 1: +1; W = 3: -1
    return STEP_Y * (side - 1)          # N = 0: -90; S = 2: +90


cdef inline int find(Board* b, int n) noexcept nogil:
    """Root of node `n`, halving the path."""
    cdef int p = b.node[n].parent
    while p != n:
        b.node[n].parent = b.node[p].parent
        n = b.node[n].parent
        p = b.node[n].parent
    return n


cdef inline int root_of(const Board* b, int n) noexcept nogil:
    """Root of node `n`; changes nothing."""
    while b.node[n].parent != n:
        n = b.node[n].parent
    return n


cdef inline void join(Board* b, uint8_t* nodes, int seg, int other) noexcept nogil:
    """Connect segment `seg` of the tile being laid with the feature of node `other`."""
    cdef int r = find(b, other)
    cdef int mine = nodes[seg]
    if mine == NONE:
        nodes[seg] = r
        return
    mine = find(b, mine)
    if mine == r:
        return
    b.node[r].parent = mine
    b.node[mine].followers += b.node[r].followers
    if mine < MAX_SETS and b.node[mine].kind != FIELD:
        b.node[mine].open += b.node[r].open
        b.node[mine].shields += b.node[r].shields
        b.tiles_of[mine][0] |= b.tiles_of[r][0]
        b.tiles_of[mine][1] |= b.tiles_of[r][1]


cdef inline void remove_open(Board* b, int slot) noexcept nogil:
    """Take an open cell out of the list; the last one moves into its slot."""
    cdef int last = b.n_open - 1
    cdef uint32_t p
    b.n_open = last
    if slot != last:
        p = b.place[last]
        b.place[slot] = p
        b.code[slot] = b.code[last]
        b.grid[cell_of(<int> (p >> 16) - 128, <int> ((p >> 8) & 255) - 128)] = OPEN_BASE + slot


cdef inline void lay(Board* b, const Tables* t, int face, int x, int y) noexcept nogil:
    """Put a tile on the board: merge features, update open cells, monks and the river end."""
    cdef const Face* f = &t.face[face]
    cdef const Face* g
    cdef Tile* me = &b.tile[b.n_tiles]
    cdef Tile* other
    cdef int index = b.n_tiles
    cdef int cell = cell_of(x, y)
    cdef int d, c, seg, kind, n, r, slot, at, h
    cdef unsigned int who
    cdef uint8_t joined[8]
    cdef uint8_t* nodes = me.seg
    (<uint64_t*> nodes)[0] = <uint64_t> 0xFFFFFFFFFFFFFFFF
    (<uint64_t*> joined)[0] = 0
    me.x = x
    me.y = y
    me.face = face
    me.spare = 0
    b.n_tiles = index + 1

    slot = <int> b.grid[cell] - OPEN_BASE
    if slot >= 0 and slot < MAX_OPEN:
        remove_open(b, slot)
    b.grid[cell] = index + 1

    for d in range(4):
        at = (cell + cell_step(d)) & (CELLS - 1)
        c = b.grid[at]
        who = <unsigned int> c - 1
        kind = f.side[d]
        if who < MAX_TILES:
            other = &b.tile[who]
            g = &t.face[other.face]
            h = 2 * d
            if kind == FIELD:
                join(b, nodes, f.half_seg[h], other.seg[g.half_seg[h ^ 5]])
                continue
            if kind != RIVER:
                seg = f.edge_seg[d]
                joined[seg] += 1
                join(b, nodes, seg, other.seg[g.edge_seg[d ^ 2]])
                if kind == CITY:
                    continue
            join(b, nodes, f.half_seg[h], other.seg[g.half_seg[h ^ 5]])
            join(b, nodes, f.half_seg[h + 1], other.seg[g.half_seg[(h + 1) ^ 5]])
        elif unlikely(kind == RIVER):
            slot = c - OPEN_BASE
            b.river_code = 0
            if c >= OPEN_BASE and c < RIVER_END:
                b.river_code = b.code[slot]
                remove_open(b, slot)
            b.grid[at] = RIVER_END
            b.river_x = x + ((2 - d) if d & 1 else 0)
            b.river_y = y + (0 if d & 1 else d - 1)
            b.river_dir = d
            b.river_on = 1
        elif unlikely(c == RIVER_END):
            b.river_code |= kind << (2 * (d ^ 2))
        else:
            slot = c - OPEN_BASE
            if c == 0:
                slot = b.n_open
                b.n_open = slot + 1
                b.grid[at] = OPEN_BASE + slot
                b.place[slot] = ((<uint32_t> (x + 128 + ((2 - d) if d & 1 else 0)) << 16)
                                 | (<uint32_t> (y + 128 + (0 if d & 1 else d - 1)) << 8))
                b.code[slot] = 0
            b.code[slot] |= kind << (2 * (d ^ 2))

    for seg in range(f.n_segs):
        kind = f.kind[seg]
        n = nodes[seg]
        if kind == FIELD:
            if n == NONE:
                b.n_fields += 1
                n = MAX_NODES - b.n_fields
                nodes[seg] = n
                b.node[n].parent = n
                b.node[n].kind = FIELD
                b.node[n].open = 0
                b.node[n].shields = 0
                b.node[n].followers = 0
            continue
        if kind > CITY:
            continue                    # river and monastery have no node
        if n == NONE:
            n = b.n_sets
            b.n_sets = n + 1
            nodes[seg] = n
            b.node[n].parent = n
            b.node[n].kind = kind
            b.node[n].open = 0
            b.node[n].shields = 0
            b.node[n].followers = 0
            b.tiles_of[n][0] = 0
            b.tiles_of[n][1] = 0
            r = n
        else:
            r = find(b, n)
        b.node[r].open += f.n_edges[seg] - 2 * joined[seg]
        b.node[r].shields += f.shields[seg]
        b.tiles_of[r][index >> 6] |= <uint64_t> 1 << (index & 63)

    for n in range(b.n_monks):
        other = &b.tile[b.monk[n].tile]
        r = x - other.x
        c = y - other.y
        if r >= -1 and r <= 1 and c >= -1 and c <= 1:
            b.monk[n].around += 1


cdef inline int land_placements(const Board* b, const Tables* t, int type, move_t* out) noexcept nogil:
    """Write the legal placements of a land tile (up to 4 more words are scribbled); return their count."""
    cdef const uint8_t* fit = t.fit[type]
    cdef move_t base = (<move_t> KIND_PLACE << KIND_SHIFT) | (<move_t> type << 24)
    cdef move_t here
    cdef int i, m
    cdef int n = 0
    for i in range(b.n_open):
        m = fit[b.code[i]]
        here = base | b.place[i]
        store4(out + n, t.rotations[m], here)   # without branches: always write four, count what was real
        n += popcount(<uint64_t> m)
    return n


cdef inline int river_turn_of(const Board* b, const Face* f) noexcept nogil:
    """Turn a river tile would make at the open end: 0 straight or end, 1 right, 3 left."""
    cdef int back = b.river_dir ^ 2
    cdef int rest = f.river_sides & ~(1 << back)
    if rest == 0:
        return 0
    return (ctz(<uint64_t> rest) - b.river_dir) & 3


cdef inline bint river_fits(const Board* b, const Tables* t, int face) noexcept nogil:
    """CAR-11.4, 11.5, 11.8: may this river tile continue the river at its open end?"""
    cdef const Face* f = &t.face[face]
    cdef int back = b.river_dir ^ 2
    cdef int d, need, turn, out
    if not (f.river_sides >> back) & 1:
        return False
    for d in range(4):
        need = (b.river_code >> (2 * d)) & 3
        if need and f.side[d] != need:
            return False
    if f.river_sides & ~(1 << back):
        turn = river_turn_of(b, f)
        if t.uturn == UTURN_IMMEDIATE and turn != 0 and turn == b.river_turn:
            return False
        if t.uturn == UTURN_MONOTONE:
            out = (b.river_dir + turn) & 3
            if (b.river_dirs >> (out ^ 2)) & 1:
                return False
    return True


cdef inline int river_placements(const Board* b, const Tables* t, int type, move_t* out) noexcept nogil:
    cdef int k, n = 0
    cdef move_t base = ((<move_t> KIND_PLACE << KIND_SHIFT) | (<move_t> type << 24)
                        | (<move_t> (b.river_x + 128) << 16) | (<move_t> (b.river_y + 128) << 8))
    if not b.river_on:
        return 0
    for k in range(t.n_rotations[type]):
        if river_fits(b, t, type * 4 + k):
            out[n] = base | <move_t> k
            n += 1
    return n


cdef inline int placements(const Board* b, const Tables* t, int type, move_t* out) noexcept nogil:
    """Every legal placement of a tile type; `out` has room for four more."""
    if unlikely(t.face[type * 4].river_sides != 0):
        return river_placements(b, t, type, out)
    return land_placements(b, t, type, out)


cdef inline bint placeable(const Board* b, const Tables* t, int type) noexcept nogil:
    """Has the tile any legal placement (CAR-5.9)?"""
    cdef int i
    cdef const uint8_t* fit = t.fit[type]
    cdef move_t scratch[8]
    if unlikely(t.face[type * 4].river_sides != 0):
        return river_placements(b, t, type, scratch) > 0
    for i in range(b.n_open):
        if fit[b.code[i]]:
            return True
    return False
