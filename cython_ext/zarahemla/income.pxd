"""The Settlers of Zarahemla knowledge: income in dots, what others can tell of a hand, the time until a purchase.

A dot is one chance in 36 (ZAR-1.6). Times are in rolls of the dice, by whomever.
"""

from libc.stdint cimport int64_t, uint64_t

from sfida.cython_ext.bits cimport LANES, MIDS, ONES, count_of, covers, popcount
from sfida.cython_ext.state cimport EVERYBODY
from sfida.cython_ext.zarahemla.board cimport (
    FORGOTTEN, NOWHERE, RESOURCES, ROLLS, UNWATCHED, Game, Tables, total,
)
from sfida.cython_ext.zarahemla.worlds cimport base_of, involved


cdef enum:
    NEVER = 60                          # rolls; whatever takes longer


cdef struct Means:                      # how a seat comes by cards
    double income[RESOURCES]            # cards a roll
    double share[RESOURCES]             # cards of choice the bank gives for one: 1 / rate
    uint64_t rate


cdef inline int dots_of(int number) noexcept nogil:
    """Chances out of 36 of a number token; 0 for none."""
    return 0 if number == 0 else number - 1 if number < 7 else 13 - number


cdef inline uint64_t income_dots(const Game* g, int seat) noexcept nogil:
    """Dots of a seat's income in the lanes of the resources, as if there were no robber; a city counts twice."""
    cdef uint64_t even = 0, odd = 0, row
    cdef int k
    for k in range(ROLLS):              # six bits a resource become twelve, in two words
        row = g.prod[k][seat]
        even += (row & <uint64_t> 0x3F03F03F) * <uint64_t> (k + 1 if k < 5 else 10 - k)
        odd += ((row >> 6) & <uint64_t> 0x3F03F) * <uint64_t> (k + 1 if k < 5 else 10 - k)
    return ((even & 0xFF) | ((odd & 0xFF) << 8) | (((even >> 12) & 0xFF) << 16) | (((odd >> 12) & 0xFF) << 24)
            | (((even >> 24) & 0xFF) << 32))


cdef inline int stake(const Game* g, const Tables* t, int seat, int h) noexcept nogil:
    """Cards a seat gets when hex `h` produces."""
    cdef uint64_t corners = t.hex_corners[h]
    return popcount(g.seat[seat].settlements & corners) + 2 * popcount(g.seat[seat].cities & corners)


cdef inline int robbed_dots(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Dots that the robber takes from a seat."""
    if g.robber == NOWHERE or not g.hex[g.robber] >> 3:
        return 0
    return dots_of(g.hex[g.robber] >> 3) * stake(g, t, seat, g.robber)


cdef inline uint64_t seen_hand(const Game* g, const Tables* t, int seat, int viewer) noexcept nogil:
    """The hand, lanes only, as the viewer may count it: the own one, and what everybody knows of the others.

    Where thefts are open it is what the hand would be without them; where too many are, an even share of all that is
    out.
    """
    cdef uint64_t b, lanes = 0
    cdef int r, n, out = 0, size
    if seat == viewer or viewer == EVERYBODY or g.n_thefts == 0 or g.n_thefts == UNWATCHED:
        return g.seat[seat].hand & LANES
    if g.n_thefts == FORGOTTEN:
        for r in range(t.players):
            out += total(g.seat[r].hand)
        size = total(g.seat[seat].hand)
        for r in range(RESOURCES):
            n = (t.cards_each - count_of(g.bank, r)) * size // (out if out else 1)
            lanes |= <uint64_t> n << (8 * r)
        return lanes
    if not involved(g, seat):
        return g.seat[seat].hand & LANES
    b = base_of(g, seat)
    for r in range(RESOURCES):
        n = count_of(b, r) - 64
        if n > 0:
            lanes |= <uint64_t> n << (8 * r)
    return lanes


cdef inline void find_means(const Game* g, const Tables* t, int seat, Means* m) noexcept nogil:
    """Income less most of what the robber takes, and the bank's rates."""
    cdef uint64_t dots = income_dots(g, seat)
    cdef int r, robbed = robbed_dots(g, t, seat)
    m.rate = t.rate[g.seat[seat].stations]
    for r in range(RESOURCES):
        m.income[r] = count_of(dots, r) / 36.0
        m.share[r] = 1.0 / count_of(m.rate, r)
    if robbed:                          # it will not stay for ever
        m.income[g.hex[g.robber] & 7] -= 0.6 * robbed / 36.0


cdef inline double surplus_of(double have, double share) noexcept nogil:
    """What is missing counts in full, what is over only at the bank's rate."""
    return have if have > 0.0 else have * share


cdef inline bint can_pay(uint64_t hand, uint64_t cost, uint64_t rate) noexcept nogil:
    """The hand, with the bank's help, pays the cost now."""
    cdef int r, n, lots = 0
    if covers(hand, cost):
        return True
    for r in range(RESOURCES):
        n = count_of(hand, r) - count_of(cost, r)
        lots += n if n < 0 else n // count_of(rate, r)
    return lots >= 0


cdef inline double rolls_until(const Means* m, uint64_t hand, uint64_t cost) noexcept nogil:
    """Rolls until hand and income, with the bank's help, pay the cost; 0: now; at most NEVER.

    What is missing after a time is a convex, falling function of it, so Newton's steps come from the left and end
    exactly.
    """
    cdef double lack[RESOURCES]
    cdef double time = 0.0, sum, slope, d
    cdef int r, _step
    if can_pay(hand, cost, m.rate):
        return 0.0
    for r in range(RESOURCES):
        lack[r] = count_of(cost, r) - count_of(hand, r)
    for _step in range(8):
        sum = 0.0
        slope = 0.0
        for r in range(RESOURCES):
            d = lack[r] - m.income[r] * time
            if d > 0.0:
                sum += d
                slope += m.income[r]
            else:
                sum += d * m.share[r]
                slope += m.income[r] * m.share[r]
        if sum <= 1e-6:
            break
        if slope * NEVER <= sum:
            return NEVER
        time += sum / slope
        if time >= NEVER:
            return NEVER
    return time if time > 0.7 else 0.7
