"""Carcassonne scoring: completed features (chapters 7 and 8) and the final count (chapter 10)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from sfida.cython_ext.carcassonne.board cimport (
    CITY, FARM_FIRST_EDITION, FARM_PER_FARM, FIELD, MAX_FOLLOWERS, MAX_NODES, NONE, ROAD, SEATS,
    Board, Face, Feature, Follower, Tables, ctz, find, popcount, root_of,
)


cdef inline int tiles_in(const Board* b, int root) noexcept nogil:
    """Number of different tiles of a city or road (CAR-7.16, CAR-12.2)."""
    return popcount(b.tiles_of[root][0]) + popcount(b.tiles_of[root][1])


cdef inline int count_of(uint32_t followers, int seat) noexcept nogil:
    """Followers of one seat in a packed count."""
    return <int> (followers >> (4 * seat)) & 15


cdef inline int most(uint32_t followers) noexcept nogil:
    """Largest number of followers of one seat in a packed count."""
    cdef int best = 0
    cdef int k
    while followers:
        k = followers & 15
        if k > best:
            best = k
        followers >>= 4
    return best


cdef inline int completed_points(const Tables* t, int kind, int tiles, int shields) noexcept nogil:
    """Points of a completed road or city of so many tiles and shields (CAR-7.2, 7.7, 7.8, 7.9)."""
    if kind == ROAD:
        return tiles * t.road_tile
    if tiles == t.city2_size and t.city2_half:
        return tiles * t.city2_tile + shields * t.city2_shield
    return tiles * t.city_tile + shields * t.city_shield


cdef inline int completed_value(const Board* b, const Tables* t, int root) noexcept nogil:
    """Points of the completed road or city `root`."""
    return completed_points(t, b.node[root].kind, tiles_in(b, root), b.node[root].shields)


cdef inline int claimed_roots(const Board* b, uint8_t* roots) noexcept nogil:
    """Write each city and road that holds followers, once; return their number (at most MAX_FOLLOWERS)."""
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
        return tiles_in(b, root) * t.road_tile_open
    return tiles_in(b, root) * t.city_tile_open + b.node[root].shields * t.city_shield_open


cdef inline void return_follower(Board* b, int i) noexcept nogil:
    """Give follower `i` of the list back to its owner (CAR-8.1)."""
    cdef int last = b.n_followers - 1
    b.supply[b.follower[i].seat] += 1
    b.n_followers = last
    b.follower[i] = b.follower[last]


cdef inline void pay_feature(Board* b, const Tables* t, int root) noexcept nogil:
    """Score a completed road or city with followers and return them (CAR-7.11, 7.12, 8.1)."""
    cdef uint32_t packed = b.node[root].followers
    cdef int best = most(packed)
    cdef int points = completed_value(b, t, root)
    cdef int seat, i, n
    for seat in range(t.players):
        if count_of(packed, seat) == best:
            b.score[seat] += points
    b.node[root].followers = 0
    i = 0
    while i < b.n_followers:
        n = b.tile[b.follower[i].tile].seg[b.follower[i].seg]
        if n != NONE and find(b, n) == root:
            return_follower(b, i)
        else:
            i += 1


cdef inline void score_completed(Board* b, const Tables* t) noexcept nogil:
    """Step 3 of the turn: score what the last tile completed (CAR-4.4, 7.1, 12.3, 12.4)."""
    cdef int last = b.n_tiles - 1
    cdef const Face* f = &t.face[b.tile[last].face]
    cdef int seg, root, i, j
    for seg in range(f.n_segs):
        if f.kind[seg] == CITY or f.kind[seg] == ROAD:
            root = find(b, b.tile[last].seg[seg])
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
    cdef int i, root, best, value, seat
    cdef uint32_t packed
    for i in range(claimed_roots(b, roots)):
        root = roots[i]
        packed = b.node[root].followers
        best = most(packed)
        value = open_value(b, t, root)
        for seat in range(t.players):
            if count_of(packed, seat) == best:
                points[seat] += value
    for i in range(b.n_monks):
        points[b.monk[i].seat] += t.monastery_own_open + (b.monk[i].around - 1) * t.monastery_next_open


cdef struct Farm:
    int root
    uint32_t followers
    uint64_t done[2]                    # bordering completed cities, a bit per city node
    uint64_t open[2]                    # bordering incomplete cities


cdef inline int collect_farms(const Board* b, const Tables* t, Farm* farm, bint with_open) noexcept nogil:
    """Find the farms that hold farmers and the cities they border (CAR-10.9, 10.11, 12.10, 12.14)."""
    cdef uint8_t number[MAX_NODES]
    cdef uint64_t farms[3]
    cdef int n_farms = 0
    cdef int i, k, n, root, city
    cdef const Face* f
    cdef const uint8_t* seg
    farms[0] = farms[1] = farms[2] = 0
    for i in range(b.n_followers):
        n = b.tile[b.follower[i].tile].seg[b.follower[i].seg]
        if n == NONE:
            continue
        root = root_of(b, n)
        if b.node[root].kind != FIELD or (farms[root >> 6] >> (root & 63)) & 1:
            continue
        farms[root >> 6] |= <uint64_t> 1 << (root & 63)
        number[root] = n_farms
        farm[n_farms].root = root
        farm[n_farms].followers = b.node[root].followers
        farm[n_farms].done[0] = farm[n_farms].done[1] = 0
        farm[n_farms].open[0] = farm[n_farms].open[1] = 0
        n_farms += 1
    if n_farms == 0:
        return 0
    for i in range(b.n_tiles):
        f = &t.face[b.tile[i].face]
        seg = b.tile[i].seg
        for k in range(f.n_contacts):
            root = root_of(b, seg[f.contact_field[k]])
            if not (farms[root >> 6] >> (root & 63)) & 1:
                continue
            city = root_of(b, seg[f.contact_city[k]])
            if b.node[city].open == 0:
                farm[number[root]].done[city >> 6] |= <uint64_t> 1 << (city & 63)
            elif with_open:
                farm[number[root]].open[city >> 6] |= <uint64_t> 1 << (city & 63)
    return n_farms


cdef inline void farm_points(const Tables* t, const Farm* farm, int n_farms, int rule,
                             int* points) noexcept nogil:
    """Add the farm points per seat under one of the three rules (CAR-10.10 to 10.14, CAR-13.2)."""
    cdef uint64_t mine[SEATS][2]
    cdef uint64_t cities, bit
    cdef uint32_t packed
    cdef int i, w, seat, best
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
                        packed += farm[i].followers
                best = most(packed)
                for seat in range(t.players):
                    if count_of(packed, seat) == best:
                        points[seat] += t.first_edition_city
        return
    for seat in range(t.players):
        mine[seat][0] = mine[seat][1] = 0
    for i in range(n_farms):
        packed = farm[i].followers
        best = most(packed)
        for seat in range(t.players):
            if count_of(packed, seat) == best:
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
    cdef int n = collect_farms(b, t, farm, False)
    if n:
        farm_points(t, farm, n, rule, points)
