"""Attila: what the log of hands tells one seat (part 6).

A card that another seat drew is a slot: it came from a pile whose cards are known (D1, D4). Slots of one hand from one
pile of which the same is known are alike and make a group.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from sfida.cython_ext.attila.board cimport ALL_TRIBES, LOG, LOG_DRAW, LOG_LEAVE, UNSEEN, Game, Tables
from sfida.cython_ext.bits cimport count_of, lane
from sfida.cython_ext.lanes cimport size_of


cdef enum:
    PILES = 24                          # in a log: each has at least 24 cards, and each card is an entry
    GROUPS = 8                          # of a hand


cdef struct Event:
    uint16_t entry                      # in the log
    uint8_t kind
    uint8_t seat
    uint8_t what                        # tribe that left, pile drawn from, or mask


cdef struct Story:
    uint64_t need[PILES]                # cards of a pile that the seat has not drawn itself
    Event event[LOG]                    # of other seats
    int events
    int piles                           # number of the last one
    bint plain                          # one pile, no masks: every arrangement of the cards is equally likely
    bint sound                          # False: a world of another world, whose log does not tell enough


cdef struct Group:
    uint64_t cards                      # that its slots turned out to be, at the end
    uint8_t pile
    uint8_t mask                        # tribes that the slots can be
    uint8_t n


cdef struct Hand:
    Group group[GROUPS]
    int n


cdef inline void read_log(const Game* g, const Tables* t, int me, Story* s) noexcept nogil:
    """Which pile each draw was from, and what the piles owe to others."""
    cdef uint64_t discard = t.all_cards - g.base
    cdef int k = 0, pile = size_of(g.base), kind, seat, tribe
    cdef Event* e
    s.events = 0
    s.piles = 0
    s.plain = g.log_dumps == 0
    s.sound = True
    s.need[0] = g.base
    while k < g.log_n:
        kind = g.log[k] >> 6
        seat = g.log[k] >> 3 & 7
        tribe = g.log[k] & 7
        if kind == LOG_DRAW and pile == 0:
            s.piles += 1
            s.need[s.piles] = discard
            pile = size_of(discard)
            discard = 0
        e = &s.event[s.events]
        e.entry = k
        e.kind = kind
        e.seat = seat
        e.what = tribe
        if kind == LOG_DRAW:
            pile -= 1
            e.what = s.piles
            if seat == me and (tribe == UNSEEN or count_of(s.need[s.piles], tribe) == 0):
                s.sound = False
            elif seat == me:
                s.need[s.piles] -= lane(tribe)
        elif kind == LOG_LEAVE:
            discard += lane(tribe)
        else:
            k += 1
            e.what = g.log[k]
        s.events += seat != me
        k += 1
    if pile == 0 and g.pile:            # reshuffled, and nobody has drawn yet
        s.piles += 1
        s.need[s.piles] = discard
    if s.piles:
        s.plain = False


cdef inline void add_slot(Hand* h, int pile) noexcept nogil:
    """A card was drawn."""
    cdef Group* last
    if h.n:
        last = &h.group[h.n - 1]
        if last.pile == pile and last.mask == ALL_TRIBES:
            last.n += 1
            return
    if h.n < GROUPS:
        last = &h.group[h.n]
        last.pile = pile
        last.mask = ALL_TRIBES
        last.n = 1
        last.cards = 0
        h.n += 1


cdef inline bint narrow(Hand* h, int mask) noexcept nogil:
    """All cards in hand are of these tribes (D5); False if one cannot be."""
    cdef int k
    for k in range(h.n):
        h.group[k].mask &= mask
        if h.group[k].mask == 0:
            return False
    return True


cdef inline void drop_slot(Hand* h, int k) noexcept nogil:
    """A slot of a group has left; groups stay in the order of their draws."""
    h.group[k].n -= 1
    if h.group[k].n:
        return
    h.n -= 1
    while k < h.n:
        h.group[k] = h.group[k + 1]
        k += 1
