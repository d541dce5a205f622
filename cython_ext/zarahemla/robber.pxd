"""The Settlers of Zarahemla knowledge: robber, theft, discards, and what the cards that take or name things bring."""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport LANES, count_of, lane
from sfida.cython_ext.zarahemla.board cimport (
    NOBODY, NOWHERE, RESOURCES, SEATS, Game, Tables, buildings, card, total,
)
from sfida.cython_ext.zarahemla.income cimport dots_of, seen_hand, stake
from sfida.cython_ext.zarahemla.plans cimport (
    Plans, Scene, at_least, count_cards, hand_worth, points_of,
)
from sfida.cython_ext.zarahemla.weights cimport F_ROBBED, Weights


cdef struct Targets:                    # what robbing each seat is worth
    double threat[SEATS]                # of a dot taken from it
    double loot[SEATS]                  # of a card stolen from it, in points; 0 from an empty hand


cdef inline void find_targets(const Game* g, const Tables* t, const Weights* w, const Scene* scene, int seat,
                              const Plans* p, Targets* out) noexcept nogil:
    """The leader is the best target; a stolen card counts for what it does to the own hand (ZAR-23.15)."""
    cdef double points[SEATS]
    cdef double mean = 0.0, gain, own
    cdef uint64_t hand = g.seat[seat].hand & LANES, theirs
    cdef int i, r, n
    for i in range(t.players):
        points[i] = points_of(g, t, scene, i)
        mean += points[i] / t.players
    own = hand_worth(w, t, p, hand)
    for i in range(t.players):
        out.threat[i] = 0.0
        out.loot[i] = 0.0
        if i == seat:
            continue
        out.threat[i] = at_least(0.3, 1.0 + 0.3 * (points[i] - mean)) / (t.players - 1)
        if points[i] >= t.target - 3:
            out.threat[i] *= 1.5
        if not total(g.seat[i].hand):
            continue
        theirs = seen_hand(g, t, i, seat)
        n = count_cards(theirs)
        gain = 0.0
        for r in range(RESOURCES):
            if count_of(theirs, r):
                gain += count_of(theirs, r) * (hand_worth(w, t, p, hand + lane(r)) - own)
        out.loot[i] = (gain / n if n else 0.05) + 0.08 * out.threat[i]


cdef inline double robber_worth(const Game* g, const Tables* t, const Weights* w, int seat, const Targets* targets,
                                int h) noexcept nogil:
    """Worth in points of the robber on hex `h`, with the theft that follows."""
    cdef double sum = 0.0, loot = 0.0
    cdef int i, dots = dots_of(g.hex[h] >> 3)
    cdef uint64_t corners = t.hex_corners[h]
    for i in range(t.players):
        if not buildings(&g.seat[i]) & corners:
            continue
        if i == seat:
            sum += 3.0 * w.worth[F_ROBBED] * dots * stake(g, t, i, h) - 0.1    # never on oneself where it can be helped
        else:
            sum -= w.worth[F_ROBBED] * dots * stake(g, t, i, h) * targets.threat[i]
            if targets.loot[i] > loot:
                loot = targets.loot[i]
    return sum + loot


cdef inline double best_robbery(const Game* g, const Tables* t, const Weights* w, int seat,
                                const Targets* targets) noexcept nogil:
    """What moving the robber gains over leaving it."""
    cdef double v, best = -1e9, now = 0.0
    cdef int h, i, dots
    for h in range(t.n_hexes):
        if h != g.robber and (g.hex[h] >> 3 or t.robber_home):
            v = robber_worth(g, t, w, seat, targets, h)
            best = v if v > best else best
    if g.robber != NOWHERE:
        dots = dots_of(g.hex[g.robber] >> 3)
        for i in range(t.players):
            if i != seat:
                now -= w.worth[F_ROBBED] * dots * stake(g, t, i, g.robber) * targets.threat[i]
    return best - now


cdef inline uint64_t to_discard(const Weights* w, const Tables* t, const Plans* p, uint64_t hand, int n,
                                int floor) noexcept nogil:
    """The `n` cards that the hand misses least, one after the other; lanes from `floor` on."""
    cdef uint64_t out = 0
    cdef double v, best
    cdef int _round, r, pick
    hand &= LANES
    for _round in range(n):
        best = -1e9
        pick = -1
        for r in range(floor, RESOURCES):
            if count_of(hand, r):
                v = hand_worth(w, t, p, hand - lane(r)) + 0.001 * count_of(hand, r)
                if v > best:
                    best = v
                    pick = r
        if pick < 0:
            break
        hand -= lane(pick)
        out += lane(pick)
    return out


cdef inline int first_of(uint64_t lanes) noexcept nogil:
    """Lowest lane that is not 0, or -1."""
    cdef int r
    for r in range(RESOURCES):
        if count_of(lanes, r):
            return r
    return -1


cdef inline uint64_t best_take(const Game* g, const Tables* t, const Weights* w, const Plans* p, uint64_t hand, int n,
                               int floor, double* worth) noexcept nogil:
    """The one or two cards of Bountiful Harvest that do most for the hand, and that hand's worth."""
    cdef uint64_t best = 0, take
    cdef int a, b
    cdef double v
    hand &= LANES
    worth[0] = -1e9
    for a in range(floor, RESOURCES):
        if not count_of(g.bank, a):
            continue
        for b in range(a, RESOURCES):
            if n == 1 and b != a:
                break
            take = lane(a) if n == 1 else lane(a) + lane(b)
            if n > 1 and count_of(g.bank, b) < count_of(take, b):
                continue
            v = hand_worth(w, t, p, hand + take)
            if v > worth[0]:
                worth[0] = v
                best = take
    return best
