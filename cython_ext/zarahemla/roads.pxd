"""The Settlers of Zarahemla: pieces on the map, where one may build, the longest road (ZAR-8, ZAR-9).

Each seat's `reach` (corners where its network may go on) and `front` (edges at such corners) are kept up to date by
every piece; so is the length of its road. A new road can only lengthen the trails that use it; only a settlement
between two roads of another seat can shorten that seat's.
"""

from libc.stdint cimport uint8_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount, rarely
from sfida.cython_ext.zarahemla.board cimport (
    NOBODY, NOWHERE, Game, Seat, Tables, buildings,
)


cdef extern from *:
    """
    typedef unsigned __int128 sf_edges;
    #define sf_join(low, high) ((sf_edges) (high) << 64 | (low))
    #define sf_one(e) ((sf_edges) 1 << (e))
    #define sf_has(s, e) ((int) ((s) >> (e)) & 1)
    #define sf_less(s, e) ((s) & ~((sf_edges) 1 << (e)))
    """
    ctypedef unsigned long long edges_t "sf_edges"      # a set of up to 128 edges
    edges_t join_edges "sf_join"(uint64_t low, uint8_t high) noexcept nogil
    bint has_edge "sf_has"(edges_t edges, int e) noexcept nogil
    edges_t less_edge "sf_less"(edges_t edges, int e) noexcept nogil


cdef inline uint64_t walls_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Corners where the roads of a seat end: buildings of others (ZAR-9.3)."""
    cdef uint64_t mask = 0
    cdef int i
    for i in range(t.players):
        if i != seat:
            mask |= buildings(&g.seat[i])
    return mask


cdef inline int grow(const Tables* t, edges_t free, int at, uint64_t walls) noexcept nogil:
    """Longest trail over free edges that starts at a corner (ZAR-9.1)."""
    cdef int i, e, n, best = 0
    if (walls >> at) & 1:
        return 0
    for i in range(t.degree[at]):
        e = t.edge_at[at][i]
        if has_edge(free, e):
            n = 1 + grow(t, less_edge(free, e), t.far_end[at][i], walls)
            if n > best:
                best = n
    return best


cdef inline int grow_both(const Tables* t, edges_t free, int at, int other, uint64_t walls) noexcept nogil:
    """Most edges that can be added to a trail at its two ends."""
    cdef int i, e, n
    cdef int best = grow(t, free, other, walls)
    if (walls >> at) & 1:
        return best
    for i in range(t.degree[at]):
        e = t.edge_at[at][i]
        if has_edge(free, e):
            n = 1 + grow_both(t, less_edge(free, e), t.far_end[at][i], other, walls)
            if n > best:
                best = n
    return best


cdef inline int trail_through(const Game* g, const Tables* t, int seat, int e) noexcept nogil:
    """Longest trail of a seat's roads that uses edge `e`, which is one of them."""
    cdef const Seat* s = &g.seat[seat]
    cdef edges_t free = less_edge(join_edges(s.roads, s.roads_high), e)
    return 1 + grow_both(t, free, t.end_a[e], t.end_b[e], walls_of(g, t, seat))


cdef inline int longest_trail(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Length of a seat's longest road, from nothing."""
    cdef const Seat* s = &g.seat[seat]
    cdef edges_t roads = join_edges(s.roads, s.roads_high)
    cdef uint64_t walls = walls_of(g, t, seat)
    cdef int e, n, best = 0
    for e in range(t.n_edges):
        if has_edge(roads, e):
            n = 1 + grow_both(t, less_edge(roads, e), t.end_a[e], t.end_b[e], walls)
            if n > best:
                best = n
    return best


cdef inline void award_road(Game* g, const Tables* t) noexcept nogil:
    """Who holds the Longest Road now (ZAR-9.10)."""
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
    """Some edge is free for a road of the seat (ZAR-8.3)."""
    cdef const Seat* s = &g.seat[seat]
    return (s.front & ~g.taken) != 0 or (s.front_high & ~g.taken_high) != 0


cdef inline void reach_corner(Seat* s, const Tables* t, int c) noexcept nogil:
    s.reach |= <uint64_t> 1 << c
    s.front |= t.edges_at[c]
    s.front_high |= t.edges_at_high[c]


cdef inline void put_road(Game* g, const Tables* t, int seat, int e) noexcept nogil:
    """A road on an edge: network, length, and who holds the card (ZAR-9.6)."""
    cdef Seat* s = &g.seat[seat]
    cdef int n, a = t.end_a[e], b = t.end_b[e]
    cdef uint64_t walls = walls_of(g, t, seat)
    if e < 64:
        s.roads |= <uint64_t> 1 << e
        g.taken |= <uint64_t> 1 << e
    else:
        s.roads_high |= 1 << (e - 64)
        g.taken_high |= 1 << (e - 64)
    s.n_roads += 1
    if not (walls >> a) & 1:
        reach_corner(s, t, a)
    if not (walls >> b) & 1:
        reach_corner(s, t, b)
    n = 1 + grow_both(t, less_edge(join_edges(s.roads, s.roads_high), e), a, b, walls)
    if n > s.length:
        s.length = n
        if n >= t.road_minimum:
            award_road(g, t)


cdef inline void cut_off(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """Another seat has built on a corner of this seat's network (ZAR-9.7)."""
    cdef Seat* s = &g.seat[seat]
    cdef uint64_t front = t.edges_at[c]
    cdef int i, e, far, high = t.edges_at_high[c]
    cdef int own = popcount(s.roads & front) + popcount(s.roads_high & high)
    s.reach &= ~(<uint64_t> 1 << c)
    for i in range(t.degree[c]):
        far = t.far_end[c][i]
        e = t.edge_at[c][i]
        if (s.reach >> far) & 1:        # still open from its other end
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
    """A building yields one card more from each of its hexes (ZAR-6.2)."""
    cdef int i, h, number
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        number = h >> 3
        if number:
            g.prod[t.roll_slot[number]][seat] += 1 << (6 * (h & 7))


cdef inline void put_settlement(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """A settlement on a corner: income, station, network of all seats (ZAR-8.4, 8.8)."""
    cdef Seat* s = &g.seat[seat]
    cdef uint64_t here = <uint64_t> 1 << c
    cdef int i
    s.settlements |= here
    s.n_settlements += 1
    s.points += t.settlement_points
    g.blocked |= here | t.next_to[c]
    reach_corner(s, t, c)
    add_income(g, t, seat, c)
    if t.station_at[c] != NOWHERE:
        s.stations |= 1 << g.station[t.station_at[c]]
    for i in range(t.players):
        if i != seat and rarely((g.seat[i].reach & here) != 0):
            cut_off(g, t, i, c)


cdef inline void put_city(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """A city instead of an own settlement (ZAR-8.5)."""
    cdef Seat* s = &g.seat[seat]
    cdef uint64_t here = <uint64_t> 1 << c
    s.settlements &= ~here
    s.cities |= here
    s.n_settlements -= 1
    s.n_cities += 1
    s.points += t.city_points - t.settlement_points
    add_income(g, t, seat, c)


cdef inline uint64_t sites(const Game* g, const Tables* t) noexcept nogil:
    """Corners for a first settlement (ZAR-4.4)."""
    cdef uint64_t mask = t.all_corners & ~g.blocked
    if t.numbered_site and g.home != NOWHERE:
        mask &= ~t.only_hex[g.home]
    return mask
