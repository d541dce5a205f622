"""Attila knowledge: which cards to lay in a conflict (ATT-6)."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.attila.board cimport TRIBES, Game, Tables, spread
from sfida.cython_ext.attila.conflict cimport eligible
from sfida.cython_ext.attila.outlook cimport Outlook
from sfida.cython_ext.attila.stakes cimport Stakes
from sfida.cython_ext.attila.weights cimport FIRSTS, SECONDS, Weights
from sfida.cython_ext.bits cimport count_of, lane
from sfida.cython_ext.lanes cimport size_of
from sfida.cython_ext.seats cimport seat_after


cdef inline double squashed(double x) noexcept nogil:
    """A sigmoid without exponentials."""
    return 0.5 + 0.5 * x / (1.0 + (x if x > 0.0 else -x))


cdef inline double doubt_of(const Game* g, const Tables* t, const Weights* w) noexcept nogil:
    """How unsure strengths are: cards of others that lie face down, and those expected of who comes later."""
    cdef double unknown = 0.0
    cdef int i
    for i in range(t.players):
        if i != g.mover and not t.open_commitments:
            unknown += size_of(g.laid[i])
    i = seat_after(g.mover, t.players)
    while i != g.active:
        unknown += w.k.rash
        i = seat_after(i, t.players)
    return w.k.doubt + w.k.unknown * unknown


cdef inline double conflict_worth(const Stakes* s, uint64_t tokens, uint64_t strength, double doubt) noexcept nogil:
    """What is expected to be left after a conflict of these strengths."""
    cdef double sum = 0.0, x, stay
    cdef int tribe, n, m, least = 127, other = 127
    for tribe in range(TRIBES):
        if count_of(tokens, tribe):
            m = count_of(strength, tribe)
            if m < least:
                other = least
                least = m
            elif m < other:
                other = m
    if other == 127:
        return 0.0                      # alone, it is the weakest (ATT-6.9)
    for tribe in range(TRIBES):
        n = count_of(tokens, tribe)
        if n:
            m = count_of(strength, tribe)
            x = (m - other if m == least else m - least) - 0.5
            stay = squashed(x / doubt)
            sum += stay * (n * s.both[FIRSTS + tribe] + s.both[SECONDS + tribe])
    return sum


cdef inline double price_of(const Game* g, const Tables* t, const Weights* w, const Outlook* o) noexcept nogil:
    """Points that a card laid costs its owner: the more, the longer he waits for new ones (part 11.9)."""
    cdef int turns = g.mover - g.active
    if turns < 0:
        turns += t.players
    if turns == 0:
        return w.k.price * o.pace
    return (w.k.price + w.k.wait * turns / (t.players - 1)) * o.pace


cdef inline uint64_t strengths(const Game* g, const Tables* t, uint64_t tokens) noexcept nogil:
    """What the mover knows of them without his further cards."""
    cdef uint64_t found = tokens + g.laid[g.mover]
    cdef int i
    if t.open_commitments:
        for i in range(t.players):
            if i != g.mover:
                found += g.laid[i]
    return found


cdef inline void weigh_commitments(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                                   const Stakes* s, double* best) noexcept nogil:
    """Worth of the best whole commitment by its next card, the last entry for no further one."""
    cdef int kinds[TRIBES]
    cdef int most[TRIBES]
    cdef int n[TRIBES]
    cdef int k, m = 0, set = eligible(g, g.mover), first
    cdef int need = g.bound[g.mover] - 1 - size_of(g.laid[g.mover]) if g.bound[g.mover] else -1
    cdef uint64_t tokens = spread(g.tokens[g.queue[0]]), strength = strengths(g, t, tokens), cards = 0
    cdef double doubt = doubt_of(g, t, w), price = price_of(g, t, w, o), x
    for k in range(TRIBES + 1):
        best[k] = -1e6
    for k in range(TRIBES):
        if (set >> k) & 1:
            kinds[m] = k
            most[m] = count_of(g.hand[g.mover], k)
            n[m] = 0
            m += 1
    while True:
        if need < 0 or size_of(cards) == need:
            x = conflict_worth(s, tokens, strength + cards, doubt) - price * size_of(cards)
            first = TRIBES
            for k in range(m):
                if n[k]:
                    first = kinds[k]
                    break
            if x > best[first]:
                best[first] = x
        k = 0
        while k < m:                    # the next multiset
            if n[k] < most[k]:
                n[k] += 1
                cards += lane(kinds[k])
                break
            cards -= lane(kinds[k]) * <uint64_t> n[k]
            n[k] = 0
            k += 1
        if k == m:
            return
