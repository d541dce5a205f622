"""A Few Acres of Snow: connections, raid distances, pieces on the map (FAS-2, 6, 12.3, 13)."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.acres.board cimport VALUE_BITS, Game, Hold, Side, Tables, site_bit
from sfida.cython_ext.acres.cards cimport into
from sfida.cython_ext.bits cimport lowest, popcount


cdef inline void retrace(Game* g, const Tables* t, int s) noexcept nogil:
    """Recompute what the side's sites are connected to.

    Homes end a chain whether or not they are controlled (R-3); sites under siege still pass it on.
    """
    cdef Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t own = p.sites, seen = h.home, front = h.home, around = 0, more, near = 0
    cdef int i
    while front:
        i = lowest(front)
        front &= front - 1
        around |= t.joined[i]
        more = t.joined[i] & own & ~seen
        seen |= more
        front |= more
    p.usable = h.empire | (seen & own & h.locations & ~g.besieged)
    front = h.home_reinforce & ~seen
    seen |= front
    while front:
        i = lowest(front)
        front &= front - 1
        around |= t.joined[i]
        more = t.joined[i] & own & ~seen
        seen |= more
        front |= more
    p.reach = seen | around
    front = own if t.raid_from_besieged else own & ~g.besieged
    while front:
        near |= t.raids[lowest(front)]
        front &= front - 1
    p.near = near


cdef inline uint64_t raid_ring(const Game* g, const Tables* t, int s, uint64_t* seen, uint64_t ring) noexcept nogil:
    """Sites one open connection beyond `ring`, the sites just reached; forts stop raids (FAS-13.7)."""
    cdef uint64_t found = 0, front = ring & ~g.forts
    if not seen[0]:                     # the first step
        found = g.side[s].near
        seen[0] = g.side[s].sites if t.raid_from_besieged else g.side[s].sites & ~g.besieged
    while front:
        found |= t.raids[lowest(front)]
        front &= front - 1
    found &= ~seen[0]
    seen[0] |= found
    return found


cdef inline int raid_cards(const Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Cards that the shortest raid of a site needs (FAS-13.2, 13.13)."""
    cdef uint64_t seen = 0
    cdef uint64_t ring = raid_ring(g, t, s, &seen, 0)
    cdef int n = 1
    while ring and not ring & site_bit(site):
        ring = raid_ring(g, t, s, &seen, ring)
        n += 1
    return max(1, n - t.raid_bonus)


cdef inline void trace_routes(const Game* g, const Tables* t, uint64_t starts, int site, uint64_t seen, int length,
                              int most, uint32_t* lengths) noexcept nogil:
    """Note the lengths of all routes back from a site to one of `starts` that pass no site twice and no fort."""
    cdef uint64_t front = t.raids[site] & ~seen & ~g.forts
    length += 1
    if t.raids[site] & ~seen & starts:
        lengths[0] |= <uint32_t> 1 << length
    if length >= most:
        return
    while front:
        trace_routes(g, t, starts, lowest(front), seen | front & (0 - front), length, most, lengths)
        front &= front - 1


cdef inline uint32_t raid_further(const Game* g, const Tables* t) noexcept nogil:
    """How many cards more the raid under way may be of, a bit each, where it may take any route (R-7).

    Both sides can tell: longer routes than the cards in hand and deck allow are left out.
    """
    cdef const Side* p = &g.side[g.on_turn]
    cdef const Hold* h = &t.hold[g.on_turn]
    cdef uint64_t starts = p.sites if t.raid_from_besieged else p.sites & ~g.besieged
    cdef uint32_t lengths = 0
    cdef int most = g.count + min(<int> p.n_hand, popcount((p.hand | p.deck) & (h.raid | h.raid_extra)))
    trace_routes(g, t, starts, g.site, site_bit(g.site), 0, most + t.raid_bonus, &lengths)
    if t.raid_bonus:                    # one card reaches one connection as well as two
        lengths = lengths >> 1 | lengths & 2
    return lengths >> g.count


cdef inline uint64_t raidable(const Game* g, const Tables* t, int s) noexcept nogil:
    """Enemy sites that may be raided at all (FAS-13.7, 13.13)."""
    cdef uint64_t sites = g.side[1 - s].sites & ~g.forts
    return sites if t.raid_besieged else sites & ~g.besieged


cdef inline int points(const Game* g, const Tables* t, int s) noexcept nogil:
    """Points of a side (FAS-16.5)."""
    cdef const Side* p = &g.side[s]
    cdef int sum = t.cube_points * p.got_cubes + t.disc_points * p.got_discs
    cdef int i, villages, towns
    for i in range(VALUE_BITS):
        villages = popcount(p.sites & ~p.towns & t.worth[i])
        towns = popcount(p.towns & t.worth[i])
        sum += (villages + t.town_factor * towns) << i
    return sum


cdef inline void settle_site(Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Place a cube and gain the location card, if there is one to gain (FAS-7.3 to 7.8)."""
    cdef Side* p = &g.side[s]
    cdef uint64_t bit = site_bit(site)
    if not p.sites & bit:
        p.sites |= bit
        p.cubes -= 1
        retrace(g, t, s)
    if p.avail & t.hold[s].locations & bit:
        p.avail ^= bit
        into(p, &t.hold[s], &p.discard, bit)


cdef inline void lose_site(Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Take the side's piece off a site; its fortification returns to the supply."""
    cdef uint64_t bit = site_bit(site)
    g.side[s].sites &= ~bit
    g.side[s].towns &= ~bit
    if g.forts & bit:
        g.forts ^= bit
        g.forts_left += 1
    retrace(g, t, s)
