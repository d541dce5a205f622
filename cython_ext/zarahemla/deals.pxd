"""The Settlers of Zarahemla knowledge: which offers are worth making, which ones worth taking (ZAR-13, ZAR-23.21).

An offer worth making brings a purchase within reach, and somebody can pay it as far as everybody knows. At most
MAX_DEALS are looked at.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport LANES, count_of, covers
from sfida.cython_ext.state cimport move_t
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, M_TRADE_ACCEPT, M_TRADE_COUNTER, M_TRADE_GIVE, M_TRADE_PICK, M_TRADE_REJECT, M_TRADE_SUBMIT,
    M_TRADE_WANT, NOBODY, RESOURCES, Game, Tables, answer_of, bundle, in_side, outstanding, side_of, side_size, total,
)
from sfida.cython_ext.zarahemla.income cimport find_means, income_dots, seen_hand
from sfida.cython_ext.zarahemla.worlds cimport involved
from sfida.cython_ext.zarahemla.plans cimport (
    Plans, Scene, best_upgrade, find_plans, hand_worth, points_of,
)
from sfida.cython_ext.zarahemla.sites cimport Sites, find_sites
from sfida.cython_ext.zarahemla.weights cimport Weights


cdef enum:
    MAX_DEALS = 8
    REFUSED = -10                       # gain of a deal that a leader near the target proposes, in points


cdef struct Deals:
    int n
    uint32_t give[MAX_DEALS]            # as in `Game`
    uint32_t want[MAX_DEALS]


cdef inline void plans_of(const Game* g, const Tables* t, const Weights* w, const Scene* scene, int seat,
                          Plans* p) noexcept nogil:
    """The plans of a seat without its other features."""
    cdef Sites sites
    find_means(g, t, seat, &p.means)
    find_sites(g, t, w, seat, income_dots(g, seat), &sites)
    find_plans(g, t, scene, seat, &sites, best_upgrade(g, t, seat), p)


cdef inline bint can_have(const Game* g, const Tables* t, int seat, uint64_t cards) noexcept nogil:
    """As far as everybody knows the seat may hold these cards."""
    if g.n_thefts and involved(g, seat):
        return total(g.seat[seat].hand) > 0
    return covers(seen_hand(g, t, seat, NOBODY), cards)


cdef inline bint some_partner(const Game* g, const Tables* t, int seat, uint64_t cards) noexcept nogil:
    cdef int i
    for i in range(t.players):
        if i != seat and (seat == g.on_turn or i == g.on_turn) and can_have(g, t, i, cards):
            return True
    return False


cdef inline void add_deal(const Game* g, const Tables* t, int seat, unsigned int give, unsigned int want,
                          Deals* d) noexcept nogil:
    cdef int i, r
    if d.n == MAX_DEALS or side_size(give) > t.max_side or side_size(want) > t.max_side:
        return
    for i in range(d.n):
        if d.give[i] == give and d.want[i] == want:
            return
    for r in range(RESOURCES):
        if side_of(want, r) > outstanding(g, t, seat, r):
            return
    if not some_partner(g, t, seat, bundle(want)):
        return
    d.give[d.n] = give
    d.want[d.n] = want
    d.n += 1


cdef inline void find_offers(const Game* g, const Tables* t, const Plans* p, int seat, Deals* d) noexcept nogil:
    """Offers that bring a plan within reach: one or two cards are missing and others are over."""
    cdef uint64_t hand = g.seat[seat].hand & LANES
    cdef int i, r, k, missing, lots
    cdef int lack[RESOURCES]
    d.n = 0
    for lots in range(1, 3):            # one for one first
        for i in range(p.n):
            missing = 0
            for r in range(RESOURCES):
                lack[r] = count_of(p.cost[i], r) - count_of(hand, r)
                missing += lack[r] if lack[r] > 0 else 0
            if missing == 0 or missing > 2:
                continue
            for r in range(RESOURCES):
                if -lack[r] < lots or (lots == 2 and count_of(p.means.rate, r) <= 2):
                    continue
                for k in range(RESOURCES):
                    if lack[k] > 0:
                        add_deal(g, t, seat, lots * in_side(r), in_side(k), d)


cdef inline void find_counters(const Game* g, const Tables* t, const Plans* p, int seat, Deals* d) noexcept nogil:
    """Counter-offers: what the seat on turn wants, for a card that the seat misses or for one card more."""
    cdef uint64_t hand = g.seat[seat].hand & LANES
    cdef unsigned int asked = g.want[g.on_turn], given = g.give[g.on_turn], give = 0
    cdef int i, r, missing
    cdef int lack[RESOURCES]
    d.n = 0
    if covers(hand, bundle(asked)):
        give = asked
    else:
        for r in range(RESOURCES):
            if side_of(asked, r) and count_of(hand, r) and not give:
                give = in_side(r)
    if not give:
        return
    for i in range(p.n):
        missing = 0
        for r in range(RESOURCES):
            lack[r] = count_of(p.cost[i], r) - count_of(hand, r)
            missing += lack[r] if lack[r] > 0 else 0
        if missing == 0 or missing > 2:
            continue
        for r in range(RESOURCES):
            if lack[r] > 0 and not side_of(give, r) and not side_of(given, r) and d.n < 3:
                add_deal(g, t, seat, give, in_side(r), d)
    for r in range(RESOURCES):
        if side_of(given, r) and not side_of(give, r) and d.n < 4:
            add_deal(g, t, seat, give, given + in_side(r), d)


cdef inline void find_deals(const Game* g, const Tables* t, const Plans* p, int seat, Deals* d) noexcept nogil:
    if seat == g.on_turn:
        find_offers(g, t, p, seat, d)
    else:
        find_counters(g, t, p, seat, d)


cdef inline bint starts(unsigned int given, unsigned int offer) noexcept nogil:
    """What is composed so far, in the order of the resources, can become the offer."""
    cdef int r, top = -1
    for r in range(RESOURCES):
        if side_of(given, r):
            top = r
    for r in range(RESOURCES):
        if side_of(given, r) > side_of(offer, r) or (r < top and side_of(given, r) != side_of(offer, r)):
            return False
    return True


cdef inline int next_step(const Game* g, int seat, unsigned int give, unsigned int want) noexcept nogil:
    """The move that goes on towards an offer, or -1 when the composition has left it."""
    cdef int r
    if not starts(g.give[seat], give) or not starts(g.want[seat], want):
        return -1
    for r in range(RESOURCES):
        if side_of(give, r) > side_of(g.give[seat], r):
            return -1 if g.want[seat] else M_TRADE_GIVE + r
    for r in range(RESOURCES):
        if side_of(want, r) > side_of(g.want[seat], r):
            return M_TRADE_WANT + r
    return M_TRADE_SUBMIT


# ---- what deals are worth ---------------------------------------------------------------------------


cdef inline double spite_for(const Game* g, const Tables* t, const Weights* w, const Scene* scene,
                             int partner) noexcept nogil:
    """How much a partner's gain counts against a deal; below 0: no deal with this one."""
    cdef double missing = t.target - points_of(g, t, scene, partner)
    if missing <= 2.0:
        return -1.0
    return w.k.spite / (t.players - 1) * (1.5 if missing <= 4.0 else 1.0)


cdef inline double swap_gain(const Weights* w, const Tables* t, const Plans* p, uint64_t hand, uint64_t out,
                             uint64_t back) noexcept nogil:
    """What giving and getting cards changes in the worth of a hand; REFUSED if it lacks them."""
    if not covers(hand, out):
        return REFUSED
    hand &= LANES
    return hand_worth(w, t, p, hand - (out & LANES) + (back & LANES)) - hand_worth(w, t, p, hand)


cdef inline double deal_gain(const Game* g, const Tables* t, const Weights* w, const Scene* scene, int seat,
                             const Plans* p, int partner, unsigned int give, unsigned int want) noexcept nogil:
    """Worth of an exchange to a seat, less some of what it is worth to the partner."""
    cdef Plans other
    cdef double spite = spite_for(g, t, w, scene, partner)
    cdef double own, theirs
    if spite < 0.0 and give:
        return REFUSED
    own = swap_gain(w, t, p, seen_hand(g, t, seat, scene.viewer), bundle(give), bundle(want))
    if own <= 0.0 or not give:          # a gift is taken for what it is worth, whoever makes it
        return own
    plans_of(g, t, w, scene, partner, &other)
    theirs = swap_gain(w, t, &other, seen_hand(g, t, partner, scene.viewer), bundle(want), bundle(give))
    return own - (spite * theirs if theirs > 0.0 else 0.0)


cdef inline double offer_worth(const Game* g, const Tables* t, const Weights* w, const Scene* scene, int seat,
                               const Plans* p, const Plans* others, unsigned int give,
                               unsigned int want) noexcept nogil:
    """Worth of making an offer: the gain, if somebody is expected to accept."""
    cdef double own, theirs, spite, chance = 0.0, cost = 0.0
    cdef uint64_t out = bundle(give), back = bundle(want)
    cdef int i
    own = swap_gain(w, t, p, g.seat[seat].hand, out, back)
    if own <= w.k.deal:
        return 0.0
    for i in range(t.players):
        if i == seat or (seat != g.on_turn and i != g.on_turn) or not can_have(g, t, i, back):
            continue
        spite = spite_for(g, t, w, scene, i)
        if spite < 0.0:
            continue
        theirs = swap_gain(w, t, &others[i], seen_hand(g, t, i, NOBODY), back, out)
        if theirs == REFUSED:           # perhaps: a stolen card may be it
            if chance < 0.15:
                chance = 0.15
        elif theirs - spite * own > w.k.deal:
            chance = 0.9
            cost = spite * theirs
        elif chance < 0.1:
            chance = 0.1
    return chance * (own - cost)
