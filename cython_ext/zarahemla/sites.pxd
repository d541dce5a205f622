"""The Settlers of Zarahemla knowledge: what corners are worth, which ones a seat can reach, the first settlements."""

from libc.stdint cimport uint8_t, uint64_t

from sfida.cython_ext.bits cimport count_of, filled, lowest, popcount
from sfida.cython_ext.zarahemla.board cimport (
    NOWHERE, RESOURCES, Game, Seat, Tables, buildings,
)
from sfida.cython_ext.zarahemla.income cimport dots_of, income_dots
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef struct Sites:                      # for the next settlement
    double best[3]                      # worth of the best one by the roads it needs: 0, 1, 2; 0: none
    int at[3]                           # its corner
    int count[3]


cdef inline bint edge_free(const Game* g, int e) noexcept nogil:
    return not ((g.taken >> e) & 1 if e < 64 else (g.taken_high >> (e - 64)) & 1)


cdef inline uint64_t walls_for(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Corners with buildings of others."""
    cdef uint64_t mask = 0
    cdef int i
    for i in range(t.players):
        if i != seat:
            mask |= buildings(&g.seat[i])
    return mask


cdef inline uint64_t one_road_on(const Game* g, const Tables* t, uint64_t start) noexcept nogil:
    """Corners at the other end of a free edge."""
    cdef uint64_t out = 0
    cdef int c, i
    while start:
        c = lowest(start)
        start &= start - 1
        for i in range(t.degree[c]):
            if edge_free(g, t.edge_at[c][i]):
                out |= <uint64_t> 1 << t.far_end[c][i]
    return out


cdef inline double resource_worth(int r) noexcept nogil:
    """Of a dot of the resource (ZAR-23.24): wood 1.0, brick 1.15, water 0.85, wheat and stone 1.15."""
    return 1.0 if r == 0 else 0.85 if r == 2 else 1.15


cdef inline double corner_dots(const Game* g, const Tables* t, int c) noexcept nogil:
    """Dots of a corner, each at its resource's worth."""
    cdef double sum = 0.0
    cdef int i, h
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        if (h & 7) < RESOURCES:
            sum += dots_of(h >> 3) * resource_worth(h & 7)
    return sum


cdef inline double site_worth(const Game* g, const Tables* t, double variety, int c, uint64_t dots,
                              int stations) noexcept nogil:
    """Worth in dots of one more settlement for a seat with this income and these stations."""
    cdef double sum = 0.0, each
    cdef int i, h, r, kind
    cdef uint64_t after = dots
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        r = h & 7
        if r < RESOURCES and h >> 3:
            each = dots_of(h >> 3)
            sum += each * resource_worth(r)
            if not count_of(after, r):
                sum += variety          # a resource that was missing (ZAR-23.4)
            after += <uint64_t> dots_of(h >> 3) << (8 * r)
    if t.station_at[c] != NOWHERE:
        kind = g.station[t.station_at[c]]
        if not (stations >> kind) & 1:
            if kind < RESOURCES:
                sum += 0.45 * count_of(after, kind)
            elif not stations:
                sum += 1.5
    return sum


cdef inline void best_site(const Game* g, const Tables* t, const Weights* w, uint64_t mask, uint64_t dots,
                           int stations, int k, Sites* s) noexcept nogil:
    cdef double worth
    cdef int c
    s.best[k] = 0.0
    s.at[k] = NOWHERE
    s.count[k] = popcount(mask)
    while mask:
        c = lowest(mask)
        mask &= mask - 1
        worth = site_worth(g, t, w.k.variety, c, dots, stations)
        if worth > s.best[k]:
            s.best[k] = worth
            s.at[k] = c


cdef inline void find_sites(const Game* g, const Tables* t, const Weights* w, int seat, uint64_t dots,
                            Sites* s) noexcept nogil:
    """The best corners for a settlement that need no road, one road, two roads."""
    cdef const Seat* own = &g.seat[seat]
    cdef uint64_t walls = walls_for(g, t, seat)
    cdef uint64_t one = one_road_on(g, t, own.reach) & ~own.reach & ~walls
    cdef uint64_t two = one_road_on(g, t, one) & ~one & ~own.reach & ~walls
    best_site(g, t, w, own.reach & ~g.blocked, dots, own.stations, 0, s)
    best_site(g, t, w, one & ~g.blocked, dots, own.stations, 1, s)
    best_site(g, t, w, two & ~g.blocked, dots, own.stations, 2, s)


# ---- the first settlements (ZAR-4) ------------------------------------------------------------------


cdef inline double room_at(const Game* g, const Tables* t, const Weights* w, int c, int via, uint64_t dots,
                           int stations) noexcept nogil:
    """Worth of the best corner two roads away, over any edge of the corner or over edge `via` alone."""
    cdef uint64_t blocked = g.blocked | t.next_to[c] | (<uint64_t> 1 << c)
    cdef double worth, best = 0.0
    cdef int i, k, mid, far
    for i in range(t.degree[c]):
        if not edge_free(g, t.edge_at[c][i]) or (via != NOWHERE and t.edge_at[c][i] != via):
            continue
        mid = t.far_end[c][i]
        for k in range(t.degree[mid]):
            far = t.far_end[mid][k]
            if not (blocked >> far) & 1 and edge_free(g, t.edge_at[mid][k]):
                worth = site_worth(g, t, w.k.variety, far, dots, stations)
                if worth > best:
                    best = worth
    return best


cdef inline double place_worth(const Game* g, const Tables* t, const Weights* w, int seat, int c) noexcept nogil:
    """Worth in dots of a first settlement: income, new resources and numbers, stations, room (ZAR-23.1 to 23.6)."""
    cdef const Seat* own = &g.seat[seat]
    cdef uint64_t dots = income_dots(g, seat), after = dots
    cdef double sum = site_worth(g, t, w.k.first_variety, c, dots, own.stations)
    cdef int i, h, r, number, pairs = 0
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        r = h & 7
        number = h >> 3
        if r >= RESOURCES or not number:
            continue
        after += <uint64_t> dots_of(number) << (8 * r)
        if not g.prod[t.roll_slot[number]][seat]:
            sum += w.k.numbers
        if r < 2:
            sum += w.k.scarce * dots_of(number)
    # wood with brick, wheat with stone and water: what buys something together
    pairs = (count_of(after, 0) > 0 and count_of(after, 1) > 0) + (count_of(after, 3) > 0 and count_of(after, 4) > 0)
    sum += 0.5 * pairs
    return sum + w.k.room * room_at(g, t, w, c, NOWHERE, after, own.stations)
