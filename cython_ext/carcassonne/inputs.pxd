"""Carcassonne: the sparse inputs of learned evaluations (`parameters.py` says what each is). All is public."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.carcassonne.board cimport (
    CITY, FIELD, HOLDERS, NOTHING, PHASE_DEPLOY, PHASE_PLACE, ROAD, Board, Feature, both, count_of, most, root_of,
    tiles_around
)
from sfida.cython_ext.carcassonne.evaluation cimport Outlook, up_to
from sfida.cython_ext.carcassonne.features cimport BEATEN, Gaps, standing_of, tiles_for
from sfida.cython_ext.carcassonne.tables cimport (
    CHANCES, I_CLAIMS, I_CLOSING, I_DRAWN, I_FARMERS, I_FARMS, I_FREE, I_GUARDS, I_HAND, I_JOINS, I_LEAD, I_LEFT,
    I_MERGERS, I_MONASTERIES, I_MONKS, I_NEEDS, I_PHASE, I_POINTS, I_POSTED, I_RIVER, I_SPOTS, I_STUCK, NEEDS, NONE,
    OPENINGS, SEAT_INPUTS, SEATS, SPANS, STAGES, STANDINGS, WORTHS, Tables
)
from sfida.cython_ext.carcassonne.turn cimport Farm, cities_beside
from sfida.cython_ext.inputs cimport put, step_of
from sfida.cython_ext.learned cimport MOST_ACTIVE


cdef enum:
    ROOM = 192                          # inputs that one open cell may add


cdef inline int span_of(int n) noexcept nogil:
    return n - 1 if n < 5 else 4 if n < 7 else 5


cdef inline int chance_step(int fits) noexcept nogil:
    return (fits >= 1) + (fits >= 2) + (fits >= 4) + (fits >= 8) + (fits >= 16)


cdef inline int stage_of(int left) noexcept nogil:
    return (left >= 4) + (left >= 8) + (left >= 14) + (left >= 25) + (left >= 41)


cdef inline int worth_step(int n) noexcept nogil:
    return (n >= 1) + (n >= 3) + (n >= 6)


cdef inline int lead_step(double lead) noexcept nogil:
    cdef double far = lead if lead > 0.0 else -lead
    cdef int step = (far >= 1.0) + (far >= 3.0) + (far >= 6.0) + (far >= 10.0) + (far >= 16.0) + (far >= 25.0)
    return 6 + step if lead > 0.0 else 6 - step


cdef inline int shape_of(const Feature* node) noexcept nogil:
    """Kind, span and open sides of a road or city."""
    return ((node.kind - ROAD) * SPANS + span_of(node.tiles + node.shields)) * OPENINGS + up_to(node.open, OPENINGS)


cdef inline int cities_of(const Farm* farm) noexcept nogil:
    """Number of cities that a farm borders."""
    return popcount(farm.done[0]) + popcount(farm.done[1]) + popcount(farm.open[0]) + popcount(farm.open[1])


cdef inline int guard_of(int kind, uint32_t followers, int seat, int span) noexcept nogil:
    """Kind, number of followers of the seat and of its strongest rival, and span."""
    cdef int rival = most(followers & ~(<uint32_t> 15 << (4 * seat)))
    return (((kind - FIELD) * 3 + up_to(count_of(followers, seat) - 1, 3)) * 3 + up_to(rival, 3)) * SPANS + span


cdef inline uint16_t* list_seats(const Board* b, const Tables* t, const Outlook* o, const Gaps* g, const int* base,
                                 uint16_t* out) noexcept nogil:
    """List the holdings of all seats, each from its entry in `base`."""
    cdef int posted[SEATS][4]
    cdef int stuck[SEATS]
    cdef const Feature* node
    cdef const Farm* farm
    cdef double rival
    cdef int i, k, seat, mine, standing, chance, open, cities, done, stage = stage_of(<int> o.left)
    for seat in range(t.players):
        stuck[seat] = 0
        for k in range(4):
            posted[seat][k] = 0
    for i in range(o.n_claims):
        node = &b.node[o.claim[i].root]
        chance = chance_step(g.fits[o.claim[i].root])
        open = up_to(node.open, OPENINGS)
        for seat in range(t.players):
            mine = count_of(node.followers, seat)
            if mine == 0:
                continue
            posted[seat][node.kind - FIELD] += mine
            stuck[seat] += mine if chance == 0 else 0
            standing = standing_of(node.followers, seat)
            out = put(out, base[seat] + I_CLAIMS + (shape_of(node) * STANDINGS + standing) * CHANCES + chance)
            if standing != BEATEN:
                k = ((node.kind - ROAD) * STAGES + stage) * OPENINGS + open
                out = put(out, base[seat] + I_CLOSING + k * CHANCES + chance)
            k = guard_of(node.kind, node.followers, seat, span_of(node.tiles + node.shields))
            out = put(out, base[seat] + I_GUARDS + k)
    for i in range(b.n_monks):
        seat = b.monk[i].seat
        chance = chance_step(g.monk[i])
        posted[seat][3] += 1
        stuck[seat] += chance == 0
        k = b.monk[i].around - 1
        out = put(out, base[seat] + I_MONASTERIES + k * CHANCES + chance)
        out = put(out, base[seat] + I_MONKS + k * STAGES + stage)
    for i in range(o.n_farms):
        farm = &o.farm[i]
        cities = cities_of(farm)
        done = popcount(farm.done[0]) + popcount(farm.done[1])
        for seat in range(t.players):
            mine = count_of(farm.followers, seat)
            if mine == 0:
                continue
            posted[seat][0] += mine
            standing = standing_of(farm.followers, seat)
            k = (standing * SPANS + up_to(done, SPANS)) * SPANS + up_to(cities - done, SPANS)
            out = put(out, base[seat] + I_FARMS + k)
            out = put(out, base[seat] + I_FARMERS + (standing * SPANS + up_to(cities, SPANS)) * STAGES + stage)
            out = put(out, base[seat] + I_GUARDS + guard_of(FIELD, farm.followers, seat, up_to(done, SPANS)))
    for seat in range(t.players):
        rival = -1e9
        for i in range(t.players):
            if i != seat and o.expected[i] > rival:
                rival = o.expected[i]
        out = put(out, base[seat] + I_LEAD + lead_step(o.expected[seat] - rival) * STAGES + stage)
        out = put(out, base[seat] + I_HAND + up_to(b.supply[seat], 8) * STAGES + stage)
        for k in range(4):
            out = step_of(out, base[seat] + I_POSTED + 5 * k, posted[seat][k], 5)
        out = step_of(out, base[seat] + I_STUCK, stuck[seat], 4)
        out = step_of(out, base[seat] + I_POINTS, b.score[seat] // 5, 24)
    return out


cdef inline uint16_t* list_join(uint16_t* out, const Tables* t, const int* base, int first, uint32_t one, int here,
                                uint32_t other, int there) noexcept nogil:
    """List what each seat would get from joining two features of a size each: from `first` of a seat's inputs."""
    cdef uint32_t holders = both(one, other) >> HOLDERS
    cdef int seat, own, after
    for seat in range(t.players):
        if count_of(one | other, seat) == 0:
            continue
        own = (here if (one >> (HOLDERS + seat)) & 1 else 0) + (there if (other >> (HOLDERS + seat)) & 1 else 0)
        after = 2 if not (holders >> seat) & 1 else 1 if holders & (holders - 1) else 0
        after = (after * WORTHS + worth_step(own)) * WORTHS + worth_step(here + there - own)
        out = put(out, base[seat] + first + after)
    return out


cdef inline uint16_t* list_gaps(const Board* b, const Tables* t, const Outlook* o, const Gaps* g, const int* base,
                                uint16_t* out, const uint16_t* end) noexcept nogil:
    """List what open cells may join, and the features without followers there."""
    cdef uint64_t seen[2]
    cdef uint64_t bit
    cdef const Feature* node
    cdef const Feature* other
    cdef const Farm* met[8]
    cdef int found[4]
    cdef int slot, d, k, i, n, root, first
    seen[0] = seen[1] = 0
    for slot in range(b.n_open):
        if out + ROOM > end:
            break
        n = 0
        for d in range(4):
            root = root_of(b, b.gap[slot].edge[d])
            if root == NOTHING:
                continue
            node = &b.node[root]
            if node.followers:
                for k in range(n if g.here[slot] else 0):
                    other = &b.node[found[k]]
                    if found[k] != root and other.kind == node.kind:
                        first = (node.kind - ROAD) * 3 + (g.here[slot] >= 2) + (g.here[slot] >= 4)
                        out = list_join(out, t, base, I_JOINS + first * 3 * WORTHS * WORTHS, node.followers,
                                        node.tiles + node.shields, other.followers, other.tiles + other.shields)
                found[n] = root
                n += 1
                continue
            bit = <uint64_t> 1 << (root & 63)
            if not seen[root >> 6] & bit:
                seen[root >> 6] |= bit
                k = shape_of(node) * CHANCES + chance_step(g.fits[root])
                out = put(out, t.players * SEAT_INPUTS + I_FREE + k)
        if o.n_farms < 2 or g.here[slot] == 0:
            continue
        n = 0
        for d in range(8):
            root = root_of(b, b.gap[slot].half[d])
            if b.node[root].followers == 0 or (n and met[n - 1].root == root):
                continue
            for i in range(o.n_farms):
                if o.farm[i].root == root:
                    break
            for k in range(n):
                if met[k].root == root:
                    break
            else:
                met[n] = &o.farm[i]
                for k in range(n):
                    out = list_join(out, t, base, I_MERGERS, met[n].followers, cities_of(met[n]), met[k].followers,
                                    cities_of(met[k]))
                n += 1
    return out


cdef inline uint16_t* list_spots(const Board* b, int base, uint16_t* out) noexcept nogil:
    """List the segments of the last tile that may take a follower."""
    cdef uint64_t done[2]
    cdef uint64_t open[2]
    cdef uint32_t mask = b.free_segs
    cdef int n, root, k
    while mask:
        n = b.tile[b.n_tiles - 1].seg[lowest(mask)]
        mask &= mask - 1
        root = root_of(b, n) if n != NONE else NOTHING
        if n == NONE:
            k = tiles_around(b, b.tile[b.n_tiles - 1].x, b.tile[b.n_tiles - 1].y)
            k = (3 * SPANS + (10 - k) // 2) * OPENINGS
        elif b.node[root].kind == FIELD:
            cities_beside(b, root, done, open)
            k = up_to(popcount(done[0]) + popcount(done[1]), SPANS) * OPENINGS
            k += up_to(popcount(open[0]) + popcount(open[1]), OPENINGS)
        else:
            k = SPANS * OPENINGS + shape_of(&b.node[root])
        out = put(out, base + I_SPOTS + k)
    return out


cdef inline int fill_inputs(const Board* b, const Tables* t, const Outlook* o, const Gaps* g,
                            uint16_t* out) noexcept nogil:
    """List the inputs that are 1, and return their number."""
    # neighbours of a gap as in `Board.code`, two bits per side: one city, two side by side, two opposite, three; the
    # same for roads; a city and a road on either side of it or opposite; four fields
    cdef uint8_t[NEEDS] needs = [0x03, 0x0F, 0x33, 0x3F, 0x02, 0x0A, 0x22, 0x2A, 0x0B, 0x0E, 0x23, 0x55]
    cdef int base[SEATS]
    cdef uint16_t* at = out
    cdef int i, left = <int> o.left, table = t.players * SEAT_INPUTS
    for i in range(t.players):
        base[i] = (i - b.seat if i >= b.seat else i - b.seat + t.players) * SEAT_INPUTS
    at = list_seats(b, t, o, g, base, at)
    for i in range(NEEDS):
        at = put(at, table + I_NEEDS + i * CHANCES + chance_step(tiles_for(g.stock, t.fitting[needs[i]])))
    if b.phase == PHASE_PLACE:
        at = put(at, table + I_DRAWN + b.type)
    elif b.phase == PHASE_DEPLOY:
        at = list_spots(b, table, at)
    at = step_of(at, table + I_LEFT, left if left <= 12 else 13 + (left - 13) // 5, 28)
    at = put(at, table + I_PHASE + b.phase)
    at = step_of(at, table + I_RIVER, b.river_on, 1)
    at = list_gaps(b, t, o, g, base, at, out + MOST_ACTIVE)
    return <int> (at - out)
