"""Carcassonne: set-up, the steps of a turn, and scoring (chapters 3, 4 and 7 to 11)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport lowest, popcount, rarely
from sfida.cython_ext.carcassonne.board cimport (
    FARM_FIRST_EDITION, FARM_PER_FARM, FIELD, HOLDERS, KIND_DEPLOY, KIND_DRAW, KIND_PLACE, KIND_SHIFT, LAKE_STACK,
    LAND_STACK, MAX_FOLLOWERS, MIDDLE, MONASTERY, NOTHING, PHASE_DEPLOY, PHASE_DRAW, PHASE_FIRST, PHASE_OVER,
    PHASE_PLACE, RIVER_STACK, ROAD, START_AFTER_LAKE, START_SHUFFLED, START_STACK, Board, both, lay, root_of,
    tiles_around, x_of, y_of
)
from sfida.cython_ext.carcassonne.moves cimport placeable, river_turn_of
from sfida.cython_ext.carcassonne.tables cimport NONE, SEATS, TYPE_WORDS, Face, Tables
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.state cimport move_t


cdef inline int completed_points(const Tables* t, int kind, int tiles, int shields) noexcept nogil:
    """Points of a completed road or city, by its tiles and shields (CAR-7.2, 7.7, 7.8, 7.9)."""
    if kind == ROAD:
        return tiles * t.road_tile
    if tiles == t.city2_size and t.city2_half:
        return tiles * t.city2_tile + shields * t.city2_shield
    return tiles * t.city_tile + shields * t.city_shield


cdef inline int completed_value(const Board* b, const Tables* t, int root) noexcept nogil:
    """Points of the completed road or city `root`."""
    return completed_points(t, b.node[root].kind, b.node[root].tiles, b.node[root].shields)


cdef inline int claimed_roots(const Board* b, uint8_t* roots) noexcept nogil:
    """Write each city and road with followers once; return their number (at most MAX_FOLLOWERS)."""
    cdef uint64_t seen[2]
    cdef int i, n, root, count = 0
    seen[0] = seen[1] = 0
    for i in range(b.n_followers):
        n = b.tile[b.follower[i].tile].seg[b.follower[i].seg]
        if n == NONE:
            continue
        root = root_of(b, n)
        if b.node[root].kind == FIELD or (seen[root >> 6] >> (root & 63)) & 1:
            continue
        seen[root >> 6] |= <uint64_t> 1 << (root & 63)
        roots[count] = root
        count += 1
    return count


cdef inline int open_value(const Board* b, const Tables* t, int root) noexcept nogil:
    """Points of an incomplete road or city at the end (CAR-10.4, 10.5, 10.6)."""
    if b.node[root].kind == ROAD:
        return b.node[root].tiles * t.road_tile_open
    return b.node[root].tiles * t.city_tile_open + b.node[root].shields * t.city_shield_open


cdef inline void return_follower(Board* b, int i) noexcept nogil:
    """Return follower `i` of the list to its owner (CAR-8.1)."""
    cdef int last = b.n_followers - 1
    b.supply[b.follower[i].seat] += 1
    b.n_followers = last
    b.follower[i] = b.follower[last]


cdef inline void pay_feature(Board* b, const Tables* t, int root) noexcept nogil:
    """Score a completed road or city with followers and return them (CAR-7.11, 7.12, 8.1)."""
    cdef uint32_t holders = b.node[root].followers >> HOLDERS
    cdef int points = completed_value(b, t, root)
    cdef int i, n
    while holders:
        b.score[lowest(holders)] += points
        holders &= holders - 1
    b.node[root].followers = 0
    i = 0
    while i < b.n_followers:
        n = b.tile[b.follower[i].tile].seg[b.follower[i].seg]
        if n != NONE and root_of(b, n) == root:
            return_follower(b, i)
        else:
            i += 1


cdef inline void score_completed(Board* b, const Tables* t) noexcept nogil:
    """Step 3 of the turn: score what the last tile completed (CAR-4.4, 7.1, 12.3, 12.4)."""
    cdef int last = b.n_tiles - 1
    cdef const Face* f = &t.face[b.tile[last].face]
    cdef int root, i, j
    for i in range(f.n_claims):
        root = root_of(b, b.tile[last].seg[f.claim[i]])
        if b.node[root].open == 0 and b.node[root].followers:
            pay_feature(b, t, root)
    i = 0
    while i < b.n_monks:
        if b.monk[i].around == 9:
            b.score[b.monk[i].seat] += t.monastery_full
            for j in range(b.n_followers):
                if (b.follower[j].tile == b.monk[i].tile
                        and b.tile[b.follower[j].tile].seg[b.follower[j].seg] == NONE):
                    return_follower(b, j)
                    break
            b.n_monks -= 1
            b.monk[i] = b.monk[b.n_monks]
        else:
            i += 1


cdef inline void count_incomplete(const Board* b, const Tables* t, int* points) noexcept nogil:
    """Add the points of incomplete roads, cities and monasteries per seat (CAR-10.3 to 10.8)."""
    cdef uint8_t roots[MAX_FOLLOWERS]
    cdef int i, value
    cdef uint32_t holders
    for i in range(claimed_roots(b, roots)):
        value = open_value(b, t, roots[i])
        holders = b.node[roots[i]].followers >> HOLDERS
        while holders:
            points[lowest(holders)] += value
            holders &= holders - 1
    for i in range(b.n_monks):
        points[b.monk[i].seat] += t.monastery_own_open + (b.monk[i].around - 1) * t.monastery_next_open


cdef struct Farm:
    uint32_t followers                  # a bit for each follower, like `Feature.followers`
    uint64_t done[2]                    # completed cities that it borders, one bit per city node
    uint64_t open[2]                    # incomplete cities that it borders
    int root


cdef inline void cities_beside(const Board* b, int field, uint64_t* done, uint64_t* open) noexcept nogil:
    """Set the cities next to a farm, completed and incomplete, one bit per city (CAR-10.11, 12.14)."""
    cdef uint64_t bits
    cdef int w, city
    for w in range(2):
        done[w] = open[w] = 0
    for w in range(2):
        bits = b.members[field][w]
        while bits:
            city = root_of(b, 64 * w + lowest(bits))
            bits &= bits - 1
            if b.node[city].open == 0:
                done[city >> 6] |= <uint64_t> 1 << (city & 63)
            else:
                open[city >> 6] |= <uint64_t> 1 << (city & 63)


cdef inline int collect_farms(const Board* b, Farm* farm) noexcept nogil:
    """Find the farms with farmers and the cities that they border (CAR-10.9, 10.11, 12.10, 12.14)."""
    cdef uint64_t farms[3]
    cdef int n_farms = 0
    cdef int i, n, root
    farms[0] = farms[1] = farms[2] = 0
    for i in range(b.n_followers):
        n = b.tile[b.follower[i].tile].seg[b.follower[i].seg]
        if n == NONE:
            continue
        root = root_of(b, n)
        if b.node[root].kind != FIELD or (farms[root >> 6] >> (root & 63)) & 1:
            continue
        farms[root >> 6] |= <uint64_t> 1 << (root & 63)
        farm[n_farms].root = root
        farm[n_farms].followers = b.node[root].followers
        cities_beside(b, root, farm[n_farms].done, farm[n_farms].open)
        n_farms += 1
    return n_farms


cdef inline void farm_points(const Tables* t, const Farm* farm, int n_farms, int rule,
                             int* points) noexcept nogil:
    """Add the farm points of each seat under one of the three rules (CAR-10.10 to 10.14, CAR-13.2)."""
    cdef uint64_t mine[SEATS][2]
    cdef uint64_t cities, bit
    cdef uint32_t packed, holders
    cdef int i, w, seat
    if rule == FARM_FIRST_EDITION:
        for w in range(2):
            cities = 0
            for i in range(n_farms):
                cities |= farm[i].done[w]
            while cities:
                bit = cities & (0 - cities)
                cities ^= bit
                packed = 0
                for i in range(n_farms):
                    if farm[i].done[w] & bit:
                        packed = both(packed, farm[i].followers)
                holders = packed >> HOLDERS
                while holders:
                    points[lowest(holders)] += t.first_edition_city
                    holders &= holders - 1
        return
    for seat in range(t.players):
        mine[seat][0] = mine[seat][1] = 0
    for i in range(n_farms):
        holders = farm[i].followers >> HOLDERS
        while holders:
            seat = lowest(holders)
            holders &= holders - 1
            if rule == FARM_PER_FARM:
                points[seat] += t.farm_city * (popcount(farm[i].done[0]) + popcount(farm[i].done[1]))
            else:
                mine[seat][0] |= farm[i].done[0]
                mine[seat][1] |= farm[i].done[1]
    if rule != FARM_PER_FARM:
        for seat in range(t.players):
            points[seat] += t.farm_city * (popcount(mine[seat][0]) + popcount(mine[seat][1]))


cdef inline void count_farms(const Board* b, const Tables* t, int rule, int* points) noexcept nogil:
    cdef Farm farm[36]
    cdef int n = collect_farms(b, farm)
    if n:
        farm_points(t, farm, n, rule, points)


cdef inline bint on_land(const Board* b) noexcept nogil:
    return b.n_left[RIVER_STACK] + b.n_left[LAKE_STACK] + b.n_left[START_STACK] == 0


cdef inline void choose_stack(Board* b, const Tables* t) noexcept nogil:
    """Choose the next stack (CAR-11.2, 11.7, 11.12; CAR-13.5)."""
    if on_land(b):
        b.stack = LAND_STACK
    elif b.n_left[RIVER_STACK]:
        b.stack = RIVER_STACK
    elif b.n_left[LAKE_STACK]:
        b.stack = LAKE_STACK
    elif b.n_left[START_STACK]:
        b.stack = START_STACK
    else:
        b.stack = LAND_STACK


cdef inline void start(Board* b, const Tables* t) noexcept nogil:
    """Set up the game (chapter 3; chapter 11 with the River)."""
    cdef int i
    cdef uint8_t* left = <uint8_t*> b.left
    memset(b, 0, sizeof(Board))
    b.low = b.high = MIDDLE
    b.root[NOTHING] = NOTHING
    b.node[NOTHING].open = 2            # takes off what a side with a tile adds to the open sides of a merger
    for i in range(t.players):
        b.supply[i] = t.supply
    for i in range(t.n_types):
        if t.face[i * 4].river_sides == 0:
            left[i] = t.copies[i]
        elif t.river and i != t.source_type:
            left[i] = t.copies[i]
    if not t.river:
        left[t.start_type] -= 1
        lay(b, t, t.start_type * 4 + t.start_rotation, 0, 0)
    else:
        if t.river_start != START_SHUFFLED:
            left[t.start_type] -= 1
        lay(b, t, t.source_type * 4 + t.source_rotation, 0, 0)
        b.river_dirs = 1 << b.river_dir
        b.n_left[LAKE_STACK] = 1
        if t.river_start == START_AFTER_LAKE:
            b.n_left[START_STACK] = 1
    for i in range(t.n_types):
        if (<const uint8_t*> t.stack_mask[RIVER_STACK])[i]:
            b.n_left[RIVER_STACK] += left[i]
        if (<const uint8_t*> t.stack_mask[LAND_STACK])[i]:
            b.n_left[LAND_STACK] += left[i]
    b.type = NONE
    if t.first_player < 0:
        b.phase = PHASE_FIRST
    else:
        b.phase = PHASE_DRAW
        b.seat = t.first_player
    choose_stack(b, t)


cdef inline int sample_type(const Board* b, const Tables* t, Rng* rng) noexcept nogil:
    """Draw a tile type with probability copies left / tiles left (CAR-5.1)."""
    cdef uint64_t ones = <uint64_t> 0x0101010101010101
    cdef uint64_t high = <uint64_t> 0x8080808080808080
    cdef uint64_t word, sums, hit
    cdef uint32_t k = rng_below(rng, b.n_left[b.stack])
    cdef uint32_t total
    cdef int w
    for w in range(TYPE_WORDS):
        word = b.left[w] & t.stack_mask[b.stack][w]
        if b.stack == START_STACK:
            word = t.stack_mask[b.stack][w] & ones
        sums = word * ones              # running sums of the eight counts, one byte each (all below 128)
        total = <uint32_t> (sums >> 56)
        if k < total:
            hit = ((sums | high) - (k + 1) * ones) & high
            return 8 * w + (lowest(hit) >> 3)
        k -= total
    return 0


cdef inline void take(Board* b, int type) noexcept nogil:
    """Remove a tile from its stack, into the hand or, if it cannot be placed, into the discard."""
    if b.stack != START_STACK:
        (<uint8_t*> b.left)[type] -= 1
    b.n_left[b.stack] -= 1
    b.type = type


cdef inline void finish(Board* b, const Tables* t) noexcept nogil:
    """Make the final count (chapter 10). Followers stay on the board, for the picture (CAR-10.15)."""
    cdef int points[SEATS]
    cdef int i
    for i in range(SEATS):
        points[i] = 0
    count_incomplete(b, t, points)
    count_farms(b, t, t.farm_scoring, points)
    for i in range(t.players):
        b.score_before_final[i] = b.score[i]
        b.score[i] += points[i]
    b.phase = PHASE_OVER
    b.type = NONE


cdef inline void discard(Board* b, const Tables* t) noexcept nogil:
    """Discard the tile in hand, which cannot be placed; the same seat draws again (CAR-5.9)."""
    b.discarded[b.type] += 1
    b.type = NONE
    b.phase = PHASE_DRAW
    choose_stack(b, t)
    if b.n_left[b.stack] == 0:
        finish(b, t)                    # CAR-12.6


cdef inline void end_turn(Board* b, const Tables* t) noexcept nogil:
    """Score, pass the turn on, or end the game when no tile is left (CAR-4.4, 4.5, 10.1)."""
    score_completed(b, t)
    b.type = NONE
    b.free_segs = 0
    b.seat = seat_after(b.seat, t.players)
    b.phase = PHASE_DRAW
    choose_stack(b, t)
    if b.n_left[b.stack] == 0:
        finish(b, t)


cdef inline void lay_in_hand(Board* b, const Tables* t, move_t move) noexcept nogil:
    """Lay the tile in hand, and turn the river if it continues (chapter 5, CAR-11.5)."""
    cdef int face = b.type * 4 + <int> (move & 3)
    cdef const Face* f = &t.face[face]
    cdef int turn
    if rarely(f.river_sides != 0):
        turn = river_turn_of(b, f)
        b.river_turn = turn
        b.river_on = 0
        if f.river_sides & (f.river_sides - 1):
            b.river_dirs |= 1 << ((b.river_dir + turn) & 3)
    lay(b, t, face, x_of(move), y_of(move))


cdef inline void put(Board* b, const Tables* t, move_t move) noexcept nogil:
    """Place the tile in hand and find the segments that may take a follower (chapters 5 and 6)."""
    cdef const Face* f = &t.face[b.type * 4 + <int> (move & 3)]
    cdef int seg
    cdef uint32_t free_segs = 0
    cdef const uint8_t* nodes
    lay_in_hand(b, t, move)
    if b.supply[b.seat]:
        nodes = b.tile[b.n_tiles - 1].seg
        for seg in range(f.n_segs):
            if nodes[seg] == NONE:
                free_segs |= (f.kind[seg] == MONASTERY) << seg
            elif b.node[root_of(b, nodes[seg])].followers == 0:
                free_segs |= (f.kind[seg] != FIELD or t.farmers) << seg
    b.free_segs = free_segs
    if free_segs:
        b.phase = PHASE_DEPLOY
    else:
        end_turn(b, t)


cdef inline void deploy(Board* b, const Tables* t, int seg) noexcept nogil:
    """Deploy a follower of the seat on turn on segment `seg` of the last tile (chapter 6)."""
    cdef int last = b.n_tiles - 1
    cdef int n = b.tile[last].seg[seg]
    cdef int k = b.n_followers
    b.supply[b.seat] -= 1
    b.follower[k].tile = last
    b.follower[k].seg = seg
    b.follower[k].seat = b.seat
    b.n_followers = k + 1
    if n != NONE:
        b.node[root_of(b, n)].followers = (<uint32_t> 1 << (4 * b.seat)) | (<uint32_t> 1 << (HOLDERS + b.seat))
        return
    b.monk[b.n_monks].tile = last
    b.monk[b.n_monks].seat = b.seat
    b.monk[b.n_monks].around = tiles_around(b, b.tile[last].x, b.tile[last].y)
    b.n_monks += 1


cdef inline void apply_move(Board* b, const Tables* t, move_t move) noexcept nogil:
    cdef int kind = <int> (move >> KIND_SHIFT)
    b.last_move = move
    if kind == KIND_PLACE:
        put(b, t, move)
    elif kind == KIND_DEPLOY:
        if move & 15:
            deploy(b, t, <int> (move & 15) - 1)
        end_turn(b, t)
    elif kind == KIND_DRAW:
        take(b, <int> (move & 255))
        if placeable(b, t, b.type):
            b.phase = PHASE_PLACE
        else:
            discard(b, t)
    else:
        b.seat = <uint8_t> (move & 15)
        b.phase = PHASE_DRAW


cdef inline void win_shares(const Board* b, const Tables* t, double* win, double* score) noexcept nogil:
    """Result of a finished game (CAR-10.16 to 10.18)."""
    cdef int i, best = -1, n = 0
    for i in range(t.players):
        score[i] = b.score[i]
        if b.score[i] > best:
            best = b.score[i]
    for i in range(t.players):
        n += b.score[i] == best
    for i in range(t.players):
        win[i] = 1.0 / n if b.score[i] == best else 0.0
