"""A Few Acres of Snow: moving cards between zones, draws and reshuffles (FAS-5.7 to 5.10, 17.5)."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport Game, Hold, Side, Tables
from sfida.cython_ext.bits cimport lowest, popcount


cdef inline void tidy(Side* p, uint64_t slots) noexcept nogil:
    """Give the copies of the type at `slots` the places that their zones demand."""
    cdef uint64_t bit = slots & (0 - slots)
    cdef uint64_t unknown = p.hand & ~p.known & slots
    bit = settle_in(&p.avail, slots, bit)
    bit = settle_in(&p.discard, slots, bit)
    bit = settle_in(&p.reserve, slots, bit)
    bit = settle_in(&p.siege[0], slots, bit)
    bit = settle_in(&p.siege[1], slots, bit)
    bit = settle_in(&p.limbo, slots, bit)
    bit = settle_in(&p.known, slots, bit)
    p.hand = (p.hand & ~slots) | (p.known & slots)
    if unknown:
        p.hand |= (bit << popcount(unknown)) - bit
        bit <<= popcount(unknown)
    settle_in(&p.deck, slots, bit)


cdef inline uint64_t settle_in(uint64_t* zone, uint64_t slots, uint64_t bit) noexcept nogil:
    """Put a zone's copies from `bit` on; where the next zone begins."""
    cdef uint64_t mine = zone[0] & slots
    cdef int n
    if not mine:
        return bit
    n = popcount(mine)
    zone[0] = (zone[0] & ~slots) | ((bit << n) - bit)
    return bit << n


cdef inline void tidy_at(Side* p, const Hold* h, uint64_t bit) noexcept nogil:
    """Tidy the type of one slot, if it has copies."""
    if bit & h.several:
        tidy(p, h.of_type[h.type_of[lowest(bit)]])


cdef inline void tidy_all(Side* p, const Hold* h, uint64_t slots) noexcept nogil:
    """Tidy every type with a slot in `slots`."""
    cdef uint64_t several = slots & h.several, kind
    while several:
        kind = h.of_type[h.type_of[lowest(several)]]
        tidy(p, kind)
        several &= ~kind


cdef inline uint64_t one_each(const Hold* h, uint64_t zone) noexcept nogil:
    """The first copy of every type in a zone: copies in one zone lie side by side."""
    return zone & ~((zone << 1) & h.later)


cdef inline uint64_t from_hand(Side* p, const Hold* h, int card) noexcept nogil:
    """Take a copy of a type out of the hand, a known one first; its slot's bit."""
    cdef uint64_t mine = p.hand & h.of_type[card]
    cdef uint64_t bit = mine & (0 - mine)
    p.hand ^= bit
    p.known &= ~bit
    p.n_hand -= 1
    return bit


cdef inline void into(Side* p, const Hold* h, uint64_t* zone, uint64_t bit) noexcept nogil:
    """Put a card that is nowhere into a zone."""
    zone[0] |= bit
    tidy_at(p, h, bit)


cdef inline uint64_t out_of(const Hold* h, uint64_t* zone, int card) noexcept nogil:
    """Take a copy of a type out of an open zone; its slot's bit."""
    cdef uint64_t mine = zone[0] & h.of_type[card]
    cdef uint64_t bit = mine & (0 - mine)
    zone[0] ^= bit
    return bit


cdef inline void discard_from_hand(Side* p, const Hold* h, int card) noexcept nogil:
    into(p, h, &p.discard, from_hand(p, h, card))


cdef inline void into_hand(Side* p, const Hold* h, uint64_t bits) noexcept nogil:
    """Put cards into the hand that both sides see (FAS-17.5)."""
    p.hand |= bits
    p.known |= bits
    p.n_hand += popcount(bits)
    tidy_all(p, h, bits)


cdef inline uint64_t owned(const Side* p) noexcept nogil:
    """Every card of the side in any zone but the available ones."""
    return p.discard | p.reserve | p.siege[0] | p.siege[1] | p.limbo | p.hand | p.deck


cdef inline void send_home(Game* g, const Tables* t, int s, uint64_t bit) noexcept nogil:
    """Return a card that is nowhere to where it can be gained again (FAS-11.12, 15.9)."""
    cdef const Hold* h = &t.hold[s]
    if bit & h.neutral:
        g.display[t.neutral_of[h.type_of[lowest(bit)]] - 1] += 1
        tidy_at(&g.side[s], h, bit)
    else:
        into(&g.side[s], h, &g.side[s].avail, bit)


cdef inline void gain_neutral(Game* g, const Tables* t, int s, int kind) noexcept nogil:
    """One more neutral card on the side's discard pile."""
    cdef Side* p = &g.side[s]
    cdef uint64_t free = t.hold[s].neutral_type[kind] & ~owned(p)
    p.discard |= free & (0 - free)
    tidy(p, t.hold[s].neutral_type[kind])


# ---- deck -------------------------------------------------------------------------------------------


cdef inline void reshuffle(Side* p, const Hold* h) noexcept nogil:
    """The discard pile becomes the deck, which is empty: every card in hand is known (FAS-5.8, 17.5)."""
    cdef uint64_t moved = p.discard
    p.known = p.hand
    p.deck = moved
    p.n_deck = popcount(moved)
    p.discard = 0
    tidy_all(p, h, moved)


cdef inline void draw_bit(Side* p, const Hold* h, uint64_t bit, bint eager) noexcept nogil:
    """Move a card from the deck to the hand."""
    p.deck ^= bit
    p.hand |= bit
    p.n_hand += 1
    p.n_deck -= 1
    tidy_at(p, h, bit)
    if p.n_deck == 0:
        p.known = p.hand
        if eager and p.discard:
            reshuffle(p, h)
