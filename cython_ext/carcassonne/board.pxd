"""Carcassonne board: the flat state, and laying a tile.

Cells live on a torus of 4096 addresses, `(x + 90 * y) & 4095`. Two different cells get the same
address only when they are at least 90 steps apart; two cells of one board, its open cells and the
neighbours of its monasteries are at most 87 apart (84 tiles in a line), so the map is exact.
Features are a union-find over at most 190 nodes: 273 segments minus one merged by each of 83 tiles.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport rarely
from sfida.cython_ext.carcassonne.tables cimport MAX_TILES, MAX_TYPES, NONE, SEATS, STACKS, TYPE_WORDS, Face, Tables
from sfida.cython_ext.state cimport move_t


cdef enum:
    # terrain of a side; the first three are also the two-bit codes of `Board.code`
    FIELD = 1
    ROAD = 2
    CITY = 3
    RIVER = 4
    # kind of a segment: CITY, ROAD, FIELD, RIVER or
    MONASTERY = 5

    MAX_NODES = 192
    MAX_SETS = 128                      # city and road nodes, from 0 (119 in the box); fields count down
    MAX_OPEN = 170
    MAX_FOLLOWERS = 35
    MAX_MONKS = 7
    STEP_Y = 90
    CELLS = 4096

    OPEN_BASE = 85                      # grid: 0 empty, 1..84 tile number + 1, 85 + slot open cell,
    RIVER_END = 255                     # 255 the cell at the open end of the river

    # stacks
    LAND_STACK = 0
    RIVER_STACK = 1
    LAKE_STACK = 2
    START_STACK = 3                     # option river_start_tile = after_lake

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


cdef struct Feature:                    # union-find node; figures hold at the root
    uint8_t parent
    uint8_t kind
    uint8_t open                        # open sides of a city or road
    uint8_t shields
    uint32_t followers                  # four bits per seat


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
    uint8_t code[MAX_OPEN + 6]          # requirement of the neighbours, two bits per side
    uint64_t left[TYPE_WORDS]       # copies left of each type, one byte each
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
    uint8_t stack                       # the stack of the next tile
    uint8_t n_left[STACKS]
    uint8_t free_segs                   # phase DEPLOY: one bit per segment that may take a follower
    uint8_t river_on                    # 1 while the river has an open end
    int8_t river_x                      # the cell at its open end
    int8_t river_y
    uint8_t river_dir                   # direction of flow into that cell, 0..3
    uint8_t river_code                  # requirement of that cell's other neighbours
    uint8_t river_turn                  # turn of the last river tile: 0 straight, 1 right, 3 left
    uint8_t river_dirs                  # directions of the river so far, one bit each


cdef inline int x_of(move_t placement) noexcept nogil:
    return <int> ((placement >> 16) & 255) - 128


cdef inline int y_of(move_t placement) noexcept nogil:
    return <int> ((placement >> 8) & 255) - 128


cdef inline int cell_of(int x, int y) noexcept nogil:
    return (x + STEP_Y * y) & (CELLS - 1)


cdef inline int cell_step(int side) noexcept nogil:
    """Address difference to the neighbour at a side (N, E, S, W)."""
    if side & 1:
        return 2 - side                 # E = 1: +1; W = 3: -1
    return STEP_Y * (side - 1)          # N = 0: -90; S = 2: +90


cdef inline int tiles_around(const Board* b, int x, int y) noexcept nogil:
    """Number of occupied cells in the 3x3 block around a cell, including the cell."""
    cdef int dx, dy, c, n = 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            c = b.grid[cell_of(x + dx, y + dy)]
            n += c >= 1 and c <= MAX_TILES
    return n


cdef inline int find(Board* b, int n) noexcept nogil:
    """Root of node `n`, halving the path."""
    cdef int p = b.node[n].parent
    while p != n:
        b.node[n].parent = b.node[p].parent
        n = b.node[n].parent
        p = b.node[n].parent
    return n


cdef inline int root_of(const Board* b, int n) noexcept nogil:
    """Root of node `n`, without changing the path."""
    while b.node[n].parent != n:
        n = b.node[n].parent
    return n


cdef inline void join(Board* b, uint8_t* nodes, int seg, int other) noexcept nogil:
    """Connect segment `seg` of the tile being laid to the feature of node `other`."""
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
    """Remove an open cell from the list; the last one moves into its slot."""
    cdef int last = b.n_open - 1
    cdef uint32_t p
    b.n_open = last
    if slot != last:
        p = b.place[last]
        b.place[slot] = p
        b.code[slot] = b.code[last]
        b.grid[cell_of(x_of(p), y_of(p))] = OPEN_BASE + slot


cdef inline void lay(Board* b, const Tables* t, int face, int x, int y) noexcept nogil:
    """Put a tile on the board: merge features, update open cells, monasteries and the river end."""
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
        elif rarely(kind == RIVER):
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
        elif rarely(c == RIVER_END):
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


cdef inline void overwrite_joined(Board* b, int n, int fill) noexcept nogil:
    """Overwrite everything but the parent of a node that is not a root."""
    cdef int parent = b.node[n].parent
    if parent == n:
        return
    memset(&b.node[n], fill, sizeof(Feature))
    b.node[n].parent = parent
    if n < b.n_sets:
        memset(b.tiles_of[n], fill, sizeof(b.tiles_of[n]))


cdef inline void overwrite_unused(Board* b, int players, int fill) noexcept nogil:
    cdef int n
    for n in range(b.n_sets):
        overwrite_joined(b, n, fill)
    for n in range(MAX_NODES - b.n_fields, MAX_NODES):
        overwrite_joined(b, n, fill)
    memset(&b.node[b.n_sets], fill, (MAX_NODES - b.n_fields - b.n_sets) * sizeof(Feature))
    memset(b.tiles_of[b.n_sets], fill, (MAX_SETS - b.n_sets) * sizeof(b.tiles_of[0]))
    memset(b.place + b.n_open, fill, sizeof(b.place) - b.n_open * sizeof(b.place[0]))
    memset(b.code + b.n_open, fill, sizeof(b.code) - b.n_open)
    memset(b.tile + b.n_tiles, fill, (MAX_TILES - b.n_tiles) * sizeof(Tile))
    memset(b.follower + b.n_followers, fill, (MAX_FOLLOWERS - b.n_followers) * sizeof(Follower))
    memset(b.monk + b.n_monks, fill, (MAX_MONKS - b.n_monks) * sizeof(Monk))
    if b.phase != PHASE_DEPLOY:
        b.free_segs = fill
    if b.phase != PHASE_OVER:
        memset(b.score_before_final, fill, players * sizeof(b.score_before_final[0]))
    if not b.river_on:
        b.river_x = <signed char> fill
        b.river_y = <signed char> fill
        b.river_dir = fill
        b.river_code = fill
        b.river_turn = fill
        b.river_dirs = fill
