"""Carcassonne board: the flat state, and laying a tile.

Cells live on a torus of 4096 addresses, `(x + 90 * y + 2048) & 4095`. Two different cells get the same
address only when they are at least 90 steps apart; two cells of one board, its open cells and the
neighbours of its monasteries are at most 87 apart (84 tiles in a line), so the map is exact.
Features are sets of at most 190 nodes (273 segments minus one merged by each of 83 tiles). The table `root` names the
root of every node directly: joining two features rewrites it, so that looking up, which is far more frequent, is one
access.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.bits cimport popcount, rarely
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
    NOTHING = 192                       # the node beside a side without a tile: it adds nothing to a feature
    MAX_OPEN = 170
    PLACEMENT_WORDS = 11                # words of a set with a bit per placement, four per open cell
    MAX_FOLLOWERS = 35
    MAX_MONKS = 7
    STEP_Y = 90
    CELLS = 4096
    MIDDLE = 2048

    OPEN_BASE = 85                      # grid: 0 empty, 1..84 tile number + 1, 85 + slot open cell,
    RIVER_END = 255                     # 255 the cell at the open end of the river
    RIVER_SLOT = 170                    # its entry in `gap`: RIVER_END - OPEN_BASE

    HOLDERS = 24                        # first bit of the holders in `Feature.followers`

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


cdef struct Feature:                    # feature of a root; the first four numbers are also read as one, its `figures`
    uint8_t open                        # open sides of a city or road
    uint8_t shields
    uint8_t tiles                       # different tiles of a city or road (CAR-7.16, CAR-12.2)
    uint8_t kind
    uint32_t followers                  # four bits per seat; from HOLDERS on, a bit for each seat that has most


cdef struct Gap:                        # an open cell
    uint32_t place                      # (x + 128) << 16 | (y + 128) << 8
    uint8_t edge[4]                     # node of the neighbour's city or road at each side, or NOTHING
    # node of the neighbour's field at each half-edge, or NOTHING, also at the second half where both are the same field
    uint8_t half[8]


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
    # this part is always copied
    int16_t low                         # all cells in use are from this address to
    int16_t high                        # this one; beyond 0..4095 they go round the torus
    uint8_t root[NOTHING + 8]           # root of each node
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
    # this part is copied as far as it is used
    Feature node[NOTHING + 1]
    # a set per root, one bit each: tiles of a city or road (CAR-12.2); nodes of cities next to a field (CAR-10.11)
    uint64_t members[MAX_NODES][2]
    Gap gap[RIVER_SLOT + 1]             # open cells
    Tile tile[MAX_TILES]


cdef inline void copy_board(Board* to, const Board* b) noexcept nogil:
    """Copy what a position uses onto another one: a third of it all, in the middle of a game."""
    cdef int low = min(to.low, b.low), high = max(to.high, b.high), fields = MAX_NODES - b.n_fields
    if low < 0 or high >= CELLS:
        low = 0
        high = CELLS - 1
    memcpy(to.grid + low, b.grid + low, high - low + 1)
    memcpy(&to.low, &b.low, <const char*> b.node - <const char*> &b.low)
    memcpy(to.node, b.node, b.n_sets * sizeof(Feature))
    memcpy(to.node + fields, b.node + fields, b.n_fields * sizeof(Feature))
    memcpy(to.members, b.members, b.n_sets * sizeof(b.members[0]))
    memcpy(to.members + fields, b.members + fields, b.n_fields * sizeof(b.members[0]))
    memcpy(to.gap, b.gap, b.n_open * sizeof(Gap))
    to.gap[RIVER_SLOT] = b.gap[RIVER_SLOT]
    memcpy(to.tile, b.tile, b.n_tiles * sizeof(Tile))


cdef inline int x_of(move_t placement) noexcept nogil:
    return <int> ((placement >> 16) & 255) - 128


cdef inline int y_of(move_t placement) noexcept nogil:
    return <int> ((placement >> 8) & 255) - 128


cdef inline int cell_of(int x, int y) noexcept nogil:
    return (x + STEP_Y * y + MIDDLE) & (CELLS - 1)


cdef inline int step_x(int side) noexcept nogil:
    """Difference of x to the neighbour at a side (N, E, S, W)."""
    return 2 - side if side & 1 else 0


cdef inline int step_y(int side) noexcept nogil:
    return 0 if side & 1 else side - 1


cdef inline int cell_step(int side) noexcept nogil:
    """Address difference to the neighbour at a side."""
    return step_x(side) + STEP_Y * step_y(side)


cdef inline uint32_t place_of(int x, int y) noexcept nogil:
    """Cell as in a move code."""
    return (<uint32_t> (x + 128) << 16) | (<uint32_t> (y + 128) << 8)


cdef inline uint32_t figures(int open, int shields, int tiles) noexcept nogil:
    """The first numbers of a feature as one, which add up number by number; the fourth is left out."""
    return open | <uint32_t> shields << 8 | <uint32_t> tiles << 16


cdef inline uint32_t figures_of(const Feature* node) noexcept nogil:
    return (<const uint32_t*> node)[0]


cdef inline int tiles_around(const Board* b, int x, int y) noexcept nogil:
    """Number of occupied cells in the 3x3 block around a cell, including the cell."""
    cdef int dx, dy, c, n = 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            c = b.grid[cell_of(x + dx, y + dy)]
            n += c >= 1 and c <= MAX_TILES
    return n


cdef inline int root_of(const Board* b, int n) noexcept nogil:
    """Root of node `n`."""
    return b.root[n]


cdef inline int count_of(uint32_t followers, int seat) noexcept nogil:
    """Followers of one seat in a packed count."""
    return <int> (followers >> (4 * seat)) & 15


cdef inline int most(uint32_t followers) noexcept nogil:
    """Largest number of followers of one seat in a packed count."""
    cdef int best = 0
    cdef int k
    followers &= (<uint32_t> 1 << HOLDERS) - 1
    while followers:
        k = followers & 15
        if k > best:
            best = k
        followers >>= 4
    return best


cdef inline uint32_t both(uint32_t one, uint32_t other) noexcept nogil:
    """Packed counts of the followers of two features together."""
    cdef uint32_t sum
    cdef int best, seat
    if one == 0 or other == 0:
        return one | other
    sum = (one + other) & ((<uint32_t> 1 << HOLDERS) - 1)
    best = most(sum)
    for seat in range(SEATS):
        sum |= <uint32_t> (count_of(sum, seat) == best) << (HOLDERS + seat)
    return sum


cdef inline void join(Board* b, uint8_t* nodes, int seg, int other) noexcept nogil:
    """Connect segment `seg` of the tile being laid to the feature of node `other`."""
    cdef uint8_t r = b.root[other]
    cdef uint8_t mine = nodes[seg]
    cdef Feature* f
    cdef const Feature* g
    cdef int i
    if mine == NONE:
        nodes[seg] = r
        return
    mine = b.root[mine]
    if mine == r:
        return
    for i in range(MAX_NODES):          # compiled to vectors
        b.root[i] = mine if b.root[i] == r else b.root[i]
    f = &b.node[mine]
    g = &b.node[r]
    f.followers = both(f.followers, g.followers)
    f.open += g.open
    f.shields += g.shields
    for i in range(2):
        b.members[mine][i] |= b.members[r][i]
    f.tiles = popcount(b.members[mine][0]) + popcount(b.members[mine][1])


cdef inline void remove_open(Board* b, int slot) noexcept nogil:
    """Remove an open cell from the list; the last one moves into its slot."""
    cdef int last = b.n_open - 1
    cdef uint32_t p
    b.n_open = last
    if slot != last:
        p = b.gap[last].place
        b.gap[slot] = b.gap[last]
        b.code[slot] = b.code[last]
        b.grid[cell_of(x_of(p), y_of(p))] = OPEN_BASE + slot


cdef inline void clear_gap(Gap* gap) noexcept nogil:
    """Leave an open cell without neighbours."""
    memset(gap.edge, NOTHING, sizeof(gap.edge))
    memset(gap.half, NOTHING, sizeof(gap.half))


cdef inline int new_node(Board* b, int kind) noexcept nogil:
    """Make a feature without tiles."""
    cdef int n
    if kind == FIELD:
        b.n_fields += 1
        n = MAX_NODES - b.n_fields
    else:
        n = b.n_sets
        b.n_sets = n + 1
    b.root[n] = n
    memset(&b.node[n], 0, sizeof(Feature))
    b.node[n].kind = kind
    b.members[n][0] = b.members[n][1] = 0
    return n


cdef inline void lay(Board* b, const Tables* t, int face, int x, int y) noexcept nogil:
    """Put a tile on the board: merge features, update open cells, monasteries and the river end."""
    cdef const Face* f = &t.face[face]
    cdef Tile* me = &b.tile[b.n_tiles]
    cdef const Tile* other
    cdef Gap here
    cdef Gap* gap
    cdef int index = b.n_tiles
    cdef int cell = cell_of(x, y)
    cdef int address = x + STEP_Y * y + MIDDLE
    cdef int d, c, seg, kind, n, r, slot, at, e, k
    cdef uint8_t joined[8]
    cdef uint8_t* nodes = me.seg
    (<uint64_t*> nodes)[0] = <uint64_t> 0xFFFFFFFFFFFFFFFF
    (<uint64_t*> joined)[0] = 0
    me.x = x
    me.y = y
    me.face = face
    me.spare = 0
    b.n_tiles = index + 1
    b.low = min(b.low, address - STEP_Y)
    b.high = max(b.high, address + STEP_Y)

    slot = <int> b.grid[cell] - OPEN_BASE
    if slot >= 0:
        here = b.gap[slot]
        if slot != RIVER_SLOT:
            remove_open(b, slot)
        for d in range(4):
            if here.edge[d] & here.half[2 * d] == NOTHING:
                continue                # no tile: a node lacks one of the two bits of NOTHING
            if here.edge[d] != NOTHING:
                seg = f.edge_seg[d]
                joined[seg] += 1
                join(b, nodes, seg, here.edge[d])
            if here.half[2 * d] != NOTHING:
                join(b, nodes, f.half_seg[2 * d], here.half[2 * d])
            if here.half[2 * d + 1] != NOTHING:
                join(b, nodes, f.half_seg[2 * d + 1], here.half[2 * d + 1])
    b.grid[cell] = index + 1

    for seg in range(f.n_segs):
        kind = f.kind[seg]
        if kind > CITY:
            continue                    # river and monastery have no node
        if nodes[seg] == NONE:
            nodes[seg] = new_node(b, kind)
        if kind != FIELD:
            r = b.root[nodes[seg]]
            b.node[r].open += f.n_edges[seg] - 2 * joined[seg]
            b.node[r].shields += f.shields[seg]
            n = (b.members[r][index >> 6] >> (index & 63)) & 1
            b.node[r].tiles += 1 - n
            b.members[r][index >> 6] |= <uint64_t> 1 << (index & 63)
    for k in range(f.n_contacts):
        r = b.root[nodes[f.contact_field[k]]]
        n = b.root[nodes[f.contact_city[k]]]
        b.members[r][n >> 6] |= <uint64_t> 1 << (n & 63)

    for d in range(4):
        at = (cell + cell_step(d)) & (CELLS - 1)
        c = b.grid[at]
        if c >= 1 and c < OPEN_BASE:
            continue
        kind = f.side[d]
        e = d ^ 2
        slot = c - OPEN_BASE
        if rarely(kind == RIVER):
            b.river_code = 0
            clear_gap(&b.gap[RIVER_SLOT])
            if c >= OPEN_BASE and c < RIVER_END:
                b.river_code = b.code[slot]
                b.gap[RIVER_SLOT] = b.gap[slot]
                remove_open(b, slot)
            b.grid[at] = RIVER_END
            b.river_x = x + step_x(d)
            b.river_y = y + step_y(d)
            b.river_dir = d
            b.river_on = 1
            slot = RIVER_SLOT
            b.gap[slot].place = place_of(b.river_x, b.river_y)
        elif rarely(c == RIVER_END):
            b.river_code |= kind << (2 * e)
        else:
            if c == 0:
                slot = b.n_open
                b.n_open = slot + 1
                b.grid[at] = OPEN_BASE + slot
                b.gap[slot].place = place_of(x + step_x(d), y + step_y(d))
                clear_gap(&b.gap[slot])
                b.code[slot] = 0
            b.code[slot] |= kind << (2 * e)
        gap = &b.gap[slot]
        if kind == CITY or kind == ROAD:
            gap.edge[e] = nodes[f.edge_seg[d]]
        if kind != CITY:                # the half-edges of a side meet those of its neighbour in reverse
            gap.half[2 * e] = nodes[f.half_seg[2 * d + 1]]
            if kind != FIELD:
                gap.half[2 * e + 1] = nodes[f.half_seg[2 * d]]

    for n in range(b.n_monks):
        other = &b.tile[b.monk[n].tile]
        r = x - other.x
        c = y - other.y
        if r >= -1 and r <= 1 and c >= -1 and c <= 1:
            b.monk[n].around += 1


cdef inline void overwrite_joined(Board* b, int n, int fill) noexcept nogil:
    """Overwrite the figures of a node that is not a root."""
    if b.root[n] != n:
        memset(&b.node[n], fill, sizeof(Feature))
        memset(b.members[n], fill, sizeof(b.members[n]))


cdef inline void overwrite_unused(Board* b, int players, int fill) noexcept nogil:
    cdef int n
    for n in range(b.n_sets):
        overwrite_joined(b, n, fill)
    for n in range(MAX_NODES - b.n_fields, MAX_NODES):
        overwrite_joined(b, n, fill)
    n = MAX_NODES - b.n_fields - b.n_sets
    memset(&b.root[b.n_sets], fill, n)
    memset(&b.node[b.n_sets], fill, n * sizeof(Feature))
    memset(b.members[b.n_sets], fill, n * sizeof(b.members[0]))
    memset(b.gap + b.n_open, fill, (RIVER_SLOT - b.n_open) * sizeof(Gap))
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
        memset(&b.gap[RIVER_SLOT], fill, sizeof(Gap))
