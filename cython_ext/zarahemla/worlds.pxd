"""The Settlers of Zarahemla: the worlds that a seat thinks possible (ZAR-17.5).

The only cards that some seats do not see are the stolen ones. `Game.theft` keeps every theft that not everybody can
tell, with all that later events said about it in public. A *world* of a seat names a card for each of these thefts,
the seat's own ones as they were; its weight is the product of the chances that each theft took that card. The hands
follow. So one record serves every seat, and a world sampled for one seat holds what each other seat would know in
it.

The public balance of a hand is what it would be without these thefts; everybody can follow it. A hand is its balance
plus its share of the thefts, and never holds fewer than 0 cards: so the lowest balance since each theft is all that
the past says about them.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport LANES, MIDS, count_of, lane
from sfida.cython_ext.zarahemla.board cimport (
    DISCARD, MAX_THEFTS, NOBODY, RESOURCES, SEATS, TRADE_COMPOSE, Game, Tables, Theft, side_of,
)


cdef enum:
    MAX_WORLDS = 1024                   # in all steps together; a record with more is given up


cdef struct World:
    int64_t share[SEATS]                # what the thefts so far have added to each hand, lanes as signed numbers
    double weight


cdef struct Worlds:
    int n                               # thefts
    bint cut                            # there are too many worlds
    int begin[MAX_THEFTS + 2]           # worlds after `j` thefts: pool[begin[j]] .. pool[begin[j + 1] - 1]
    uint64_t low[MAX_THEFTS][SEATS]     # lanes above 64
    uint64_t held[MAX_THEFTS]
    uint8_t thief[MAX_THEFTS]
    uint8_t victim[MAX_THEFTS]
    uint8_t may[MAX_THEFTS]             # cards it may be, a bit each
    uint64_t base[SEATS]                # public balance of each hand now, lanes above 64
    World pool[MAX_WORLDS]


# ---- packing ----------------------------------------------------------------------------------------


cdef inline uint32_t squeeze(uint64_t lanes) noexcept nogil:
    """Balances, 64 added, as six bits each: they lie between -MAX_THEFTS and 24 + MAX_THEFTS."""
    cdef uint32_t packed = 0
    cdef int r
    for r in range(RESOURCES):
        packed |= <uint32_t> (count_of(lanes, r) - 44) << (6 * r)
    return packed


cdef inline uint64_t spread(uint32_t packed) noexcept nogil:
    cdef uint64_t lanes = 0
    cdef int r
    for r in range(RESOURCES):
        lanes |= <uint64_t> (((packed >> (6 * r)) & 63) + 44) << (8 * r)
    return lanes


# ---- worlds -----------------------------------------------------------------------------------------


cdef inline bint tracked(const Game* g) noexcept nogil:
    """Some thefts are open, and kept."""
    return g.n_thefts != 0 and g.n_thefts <= MAX_THEFTS


cdef inline uint64_t balance(const Game* g, int seat) noexcept nogil:
    """Public balance of a hand, 64 added to each lane."""
    return ((g.seat[seat].hand & LANES) - <uint64_t> g.seat[seat].drift + MIDS) & LANES


cdef inline bint involved(const Game* g, int seat) noexcept nogil:
    """Some unresolved theft changed this hand."""
    cdef int j
    if not tracked(g):
        return False
    for j in range(g.n_thefts):
        if g.theft[j].thief == seat or g.theft[j].victim == seat:
            return True
    return False


cdef inline bint is_veiled(const Game* g, int seat) noexcept nogil:
    """The hand is not in this copy, which is a seat's view."""
    return g.viewer and seat != g.viewer - 1 and (g.n_thefts > MAX_THEFTS or involved(g, seat))


cdef inline uint64_t base_of(const Game* g, int seat) noexcept nogil:
    """Public balance of a hand, 64 added, also in a view."""
    return <uint64_t> g.seat[seat].drift if is_veiled(g, seat) else balance(g, seat)


cdef inline void load_worlds(const Game* g, const Tables* t, int seat, Worlds* w) noexcept nogil:
    """The thefts as `seat` knows them; NOBODY: as the public does."""
    cdef int i, j
    cdef const Theft* theft
    w.n = g.n_thefts
    w.cut = False
    for i in range(SEATS):
        w.base[i] = base_of(g, i) if i < t.players else MIDS
    for j in range(w.n):
        theft = &g.theft[j]
        for i in range(SEATS):
            w.low[j][i] = g.low[i] if j == w.n - 1 else spread(theft.low[i])
        w.held[j] = spread(theft.held)
        w.thief[j] = theft.thief
        w.victim[j] = theft.victim
        w.may[j] = 1 << theft.card if seat == theft.thief or seat == theft.victim else theft.may


cdef inline bint could_be(const Worlds* w, int j, const int64_t* share) noexcept nogil:
    """No hand fell below 0 between theft `j` and the next."""
    cdef int i
    for i in range(SEATS):
        if ((w.low[j][i] + <uint64_t> share[i]) & MIDS) != MIDS:
            return False
    return True


cdef inline bint phase_allows(const Game* g, const Tables* t, const Worlds* w, int seat,
                              const int64_t* share) noexcept nogil:
    """The seat to decide is in the middle of a choice that it must be able to finish."""
    cdef int j = g.mover, r, s, n = 0
    cdef uint64_t hand
    cdef bint any_out
    if j == seat:
        return True
    if g.phase != DISCARD and not (g.phase == TRADE_COMPOSE and g.want[j] == 0 and not t.gifts):
        return True
    hand = w.base[j] + <uint64_t> share[j]
    if g.phase == DISCARD:
        for r in range(g.floor, RESOURCES):
            n += count_of(hand, r) - 64
        return n >= g.left
    for r in range(RESOURCES):
        if side_of(g.give[j], r) or (g.give[j] == 0 and count_of(hand, r) > 64):
            any_out = False
            for s in range(RESOURCES):
                if side_of(g.give[j], s) == 0 and s != r and (
                        t.cards_each - count_of(g.bank, s) - (count_of(hand, s) - 64) > 0):
                    any_out = True
            if any_out:
                return True
    return False


cdef inline bint take_from(const Worlds* w, int j, int r, const World* before, World* after) noexcept nogil:
    """Let theft `j` take card `r` in a world; whether it can have."""
    cdef int i, n
    if not (w.may[j] >> r) & 1:
        return False
    n = count_of(w.held[j] + <uint64_t> before.share[w.victim[j]], r) - 64
    if n <= 0:
        return False
    for i in range(SEATS):
        after.share[i] = before.share[i]
    after.share[w.victim[j]] -= <int64_t> lane(r)
    after.share[w.thief[j]] += <int64_t> lane(r)
    after.weight = before.weight * n
    return could_be(w, j, after.share)


cdef inline int find_world(const Worlds* w, int j, const World* one) noexcept nogil:
    """Place of the world with the same hands after `j` thefts, or -1."""
    cdef int k
    for k in range(w.begin[j], w.begin[j + 1]):
        if (w.pool[k].share[0] == one.share[0] and w.pool[k].share[1] == one.share[1]
                and w.pool[k].share[2] == one.share[2] and w.pool[k].share[3] == one.share[3]):
            return k
    return -1


cdef inline void fill_worlds(const Game* g, const Tables* t, int seat, int limit, Worlds* w) noexcept nogil:
    """All worlds of `seat`, or of the public (NOBODY), step by step; equal hands are one world.

    More than `limit` in all steps together are cut.
    """
    cdef World* now
    cdef World after
    cdef int j, k, r, same
    load_worlds(g, t, seat, w)
    memset(w.pool[0].share, 0, sizeof(w.pool[0].share))
    w.pool[0].weight = 1.0
    w.begin[0] = 0
    w.begin[1] = 1
    for j in range(w.n):
        w.begin[j + 2] = w.begin[j + 1]
        for k in range(w.begin[j], w.begin[j + 1]):
            now = &w.pool[k]
            for r in range(RESOURCES):
                if not take_from(w, j, r, now, &after):
                    continue
                if j == w.n - 1 and seat != NOBODY and not phase_allows(g, t, w, seat, after.share):
                    continue
                same = find_world(w, j + 1, &after)
                if same >= 0:
                    w.pool[same].weight += after.weight
                elif w.begin[j + 2] >= limit:
                    w.cut = True
                    return
                else:
                    w.pool[w.begin[j + 2]] = after
                    w.begin[j + 2] += 1
