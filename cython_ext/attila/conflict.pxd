"""Attila: conflicts and peace (ATT-6, 7)."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.attila.board cimport (
    ALL_TRIBES, BY_PEACE, BY_TRIBE, COMMIT, NONE, SEATS, TRIBES, Game, Tables, bit, reached, spread
)
from sfida.cython_ext.attila.log cimport note_leaves
from sfida.cython_ext.bits cimport count_of, lane, lowest
from sfida.cython_ext.lanes cimport kinds_of, masked, size_of, top_kind
from sfida.cython_ext.seats cimport seat_after


cdef inline int eligible(const Game* g, int seat) noexcept nogil:
    """Tribes of which the seat may lay a card next (ATT-6.3), those before `least` left out."""
    return kinds_of(g.hand[seat]) & g.present & (ALL_TRIBES << g.least)


cdef inline bint is_bound(const Game* g, int seat) noexcept nogil:
    return g.bound[seat] != 0


cdef inline int lay_kinds(const Game* g, int seat) noexcept nogil:
    """Tribes that the seat may lay next; a seat bound to a number must still be able to reach it."""
    cdef int found = eligible(g, seat), need, tribe, rest
    cdef uint64_t cards
    if not g.bound[seat]:
        return found
    need = g.bound[seat] - 1 - size_of(g.laid[seat])
    if need <= 0:
        return 0
    cards = masked(g.hand[seat], found)
    rest = found
    while rest:
        tribe = lowest(rest)
        rest &= rest - 1
        if size_of(cards >> (8 * tribe)) < need:
            found &= ~(1 << tribe)
    return found


cdef inline bint may_stop(const Game* g, int seat) noexcept nogil:
    return not g.bound[seat] or size_of(g.laid[seat]) + 1 >= g.bound[seat]


cdef inline void begin_commitments(Game* g, const Tables* t) noexcept nogil:
    """The active player lays first (ATT-6.2)."""
    g.present = kinds_of(spread(g.tokens[g.queue[0]]))
    g.mover = g.active
    g.least = 0
    g.phase = COMMIT


cdef inline void lay(Game* g, const Tables* t, int tribe) noexcept nogil:
    g.hand[g.mover] -= lane(tribe)
    g.laid[g.mover] += lane(tribe)
    g.least = tribe


cdef inline bint pass_on(Game* g, const Tables* t) noexcept nogil:
    """The next seat lays; False after the last one."""
    g.mover = seat_after(g.mover, t.players)
    if g.mover == g.active:
        return False
    g.least = top_kind(g.laid[g.mover])     # only a seat whose bids were kept has laid something
    return True


cdef inline uint64_t weakest(uint64_t tokens, uint64_t strength) noexcept nogil:
    """The tokens of the tribes that lose (ATT-6.7 to 6.9)."""
    cdef uint64_t gone = 0
    cdef int tribe, n, least = 255
    for tribe in range(TRIBES):
        if count_of(tokens, tribe) == 0:
            continue
        n = count_of(strength, tribe)
        if n < least:
            least = n
            gone = 0
        if n == least:
            gone |= tokens & (lane(tribe) * 0xFF)
    return gone


cdef inline void turn_up(Game* g, const Tables* t, uint64_t* strength) noexcept nogil:
    """Everything laid is shown and discarded (ATT-6.5, 6.11)."""
    cdef int i
    for i in range(SEATS):
        g.shown[i] = g.laid[i]
        g.bound[i] = 0
        if g.laid[i]:
            strength[0] += g.laid[i]
            g.discard += g.laid[i]
            if not t.open_commitments:
                note_leaves(g, i, g.laid[i])
            g.laid[i] = 0


cdef inline bint fight(Game* g, const Tables* t) noexcept nogil:
    """Carry the first conflict of the queue out; whether its tile was the last one of a century."""
    cdef int p = g.queue[0], tribe, losers
    cdef uint64_t tokens = spread(g.tokens[p]), strength = tokens, gone
    cdef bint laid = g.peace_used < t.peace_tiles
    turn_up(g, t, &strength)
    gone = weakest(tokens, strength)
    losers = kinds_of(gone)
    g.shown_at = p
    g.shown_tokens = g.tokens[p]
    g.shown_gone = losers
    g.revealed = 1
    if t.box:
        g.box += gone
    else:
        g.supply += gone
    for tribe in range(TRIBES):
        if (losers >> tribe) & 1:
            g.tokens[p] &= ~(<uint32_t> 15 << (4 * tribe))
            g.where[tribe] &= ~bit(p)
            g.reach[tribe] = reached(g, t, tribe)
    g.pacified |= bit(p)
    if laid:
        g.peace_used += 1
        if g.peace_used == t.peace_tiles:
            g.end_reasons |= BY_PEACE
    if g.last_tribe != NONE and g.last_province == p:
        if not (losers >> g.last_tribe) & 1:
            g.end_reasons |= BY_TRIBE   # the last token stays (ATT-11.4)
        g.last_tribe = NONE
    g.queue[0] = g.queue[1]
    g.queued -= 1
    return laid and t.closes[g.peace_used] != 0
