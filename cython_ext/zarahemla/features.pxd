"""The Settlers of Zarahemla features: income, corners, possible next purchases, and the features from them.

A dot is one chance in 36 (ZAR-1.6). Times are in rolls of the dice, by any seat. A seat's position is a row of
features (ZAR-23.24), read by two sets of weights: `Coefficients.worth`, in points, rates the effects of the seat's
own moves; `Coefficients.win` gives win probabilities. For hands of other seats, only their public part counts. The
features read only public data and the mover's own secrets.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport LANES, ONES, TOPS, count_of, covers, filled, lowest, popcount
from sfida.cython_ext.lanes cimport GATHER
from sfida.cython_ext.state cimport EVERYBODY
from sfida.cython_ext.zarahemla.board cimport (
    FORGOTTEN, LIAHONA, NOBODY, NOWHERE, PROSPERITY, ROAD_BUILDING, TEMPLE_BUILDING, UNWATCHED, VICTORY_POINT, WARRIOR,
    Game, Seat, can_go_on, cards_in, total, walls_of, warriors
)
from sfida.cython_ext.zarahemla.hidden cimport base_of, involved
from sfida.cython_ext.zarahemla.tables cimport (
    ALL_FEATURES, F_ANY, F_ARMY, F_ARMY_LEAD, F_CARDS, F_CITY, F_CLOSE, F_HAND, F_INCOME, F_KINDS, F_LEAD, F_LEFT,
    F_OVER, F_PLAN, F_PLANS, F_POINTS, F_ROAD, F_ROAD_LEAD, F_ROBBED, F_SITE_FAR, F_SITE_NEAR, F_SITE_NOW, F_SPECIAL,
    F_STEADY, F_TEMPLE, F_TEMPLE_LEAD, F_TURN, FEATURES, RESOURCES, Coefficients, Tables
)


cdef enum:
    NEVER = 60                          # in rolls; longer times are cut to this value


cdef struct Means:                      # rates at which a seat receives cards
    double income[RESOURCES]            # cards per roll
    uint64_t rate                       # these three as in `Tables`
    const double* share
    const uint32_t* part


cdef inline int stake(const Game* g, const Tables* t, int seat, int h) noexcept nogil:
    """Number of cards that a seat receives when hex `h` produces."""
    cdef uint64_t corners = t.hex_corners[h]
    return popcount(g.seat[seat].settlements & corners) + 2 * popcount(g.seat[seat].cities & corners)


cdef inline int robbed_dots(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Dots that the robber takes from a seat."""
    if g.robber == NOWHERE or not g.hex[g.robber] >> 3:
        return 0
    return t.dots[g.hex[g.robber]] * stake(g, t, seat, g.robber)


cdef inline uint64_t seen_hand(const Game* g, const Tables* t, int seat, int viewer) noexcept nogil:
    """The hand, lanes only, as the viewer counts it: the viewer's own hand exactly, other hands by their public part.

    With open thefts, the public part is the hand without them; with too many thefts, an even share of all cards in
    hands.
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
    """Compute the income, reduced by most of the robber's share, and the bank's rates."""
    cdef uint64_t dots = g.seat[seat].dots
    cdef int r, stations = g.seat[seat].stations, robbed = robbed_dots(g, t, seat)
    m.rate = t.rate[stations]
    m.share = t.share[stations]
    m.part = t.part[stations]
    for r in range(RESOURCES):
        m.income[r] = t.per_roll[count_of(dots, r)]
    if robbed:                          # the robber will move again
        m.income[g.hex[g.robber] & 7] -= 0.6 * robbed / 36.0


cdef inline int lots_of(int n, uint32_t part) noexcept nogil:
    """Cards of choice that the bank gives for `n` cards; a missing card counts as -1."""
    cdef int lots = <int> ((<uint32_t> n * part) >> 16)
    return n if n < 0 else lots


cdef inline bint can_pay(uint64_t hand, uint64_t cost, const uint32_t* part) noexcept nogil:
    """Whether the hand can pay the cost now, with bank trades if necessary; `part` by the seat's stations."""
    cdef int r, lots = 0
    if covers(hand, cost):
        return True
    for r in range(RESOURCES):
        lots += lots_of(count_of(hand, r) - count_of(cost, r), part[r])
    return lots >= 0


cdef inline double rolls_until(const Means* m, uint64_t hand, uint64_t cost) noexcept nogil:
    """Rolls until hand and income pay the cost, with bank trades if necessary; 0: now; at most NEVER.

    The missing amount is a convex, falling function of time, so Newton's method approaches the root from the left and
    ends there exactly.
    """
    cdef double lack[RESOURCES]
    cdef double time = 0.0, sum, slope, d, share
    cdef int r, n, _step, lots = 0
    if covers(hand, cost):
        return 0.0
    for r in range(RESOURCES):
        n = count_of(hand, r) - count_of(cost, r)
        lack[r] = -n
        lots += lots_of(n, m.part[r])
    if lots >= 0:
        return 0.0
    for _step in range(8):
        sum = 0.0
        slope = 0.0
        for r in range(RESOURCES):
            d = lack[r] - m.income[r] * time
            share = m.share[r]
            share = 1.0 if d > 0.0 else share       # of cards beyond the cost
            sum += d * share
            slope += m.income[r] * share
        if sum <= 1e-6:
            break
        if slope * NEVER <= sum:
            return NEVER
        time += sum / slope
        if time >= NEVER:
            return NEVER
    return time if time > 0.7 else 0.7


cdef struct Sites:                      # corners for the next settlement
    double best[3]                      # worth of the best corner by the roads that it needs: 0, 1, 2; 0: no corner
    int at[3]                           # its corner
    int count[3]


cdef inline uint64_t one_road_on(const Game* g, uint64_t start) noexcept nogil:
    """Corners at the other ends of free edges."""
    cdef uint64_t out = 0
    while start:
        out |= g.near[lowest(start)]
        start &= start - 1
    return out


cdef inline int kinds_without(uint64_t dots) noexcept nogil:
    """Resources without an income, one bit each."""
    cdef uint64_t all = LANES ^ TOPS
    cdef uint64_t some = (((dots & all) + all) | dots) & TOPS       # of any count below 256
    return 31 & ~<int> (((some >> 7) * GATHER) >> 56)


cdef inline double site_worth(const Game* g, const Tables* t, double variety, int c, uint64_t dots, int missing,
                              int stations) noexcept nogil:
    """Worth in dots of another settlement, for a seat with this income, which lacks `missing`, and these stations."""
    cdef double sum = g.site[c]
    cdef int i, h, r, n, kind
    if g.kinds[c] & missing:            # a resource without income so far (ZAR-23.4)
        sum = 0.0
        for i in range(t.n_hexes_at[c]):
            h = g.hex[t.hex_at[c][i]]
            sum += t.worth_of[h]
            r = 1 << (h & 7)
            if missing & r and t.worth_of[h] > 0.0:
                sum += variety
                missing &= ~r
    if t.station_at[c] != NOWHERE:
        kind = g.station[t.station_at[c]]
        if not (stations >> kind) & 1:
            if kind < RESOURCES:
                n = count_of(dots, kind)
                for i in range(t.n_hexes_at[c]):
                    h = g.hex[t.hex_at[c][i]]
                    if (h & 7) == kind:
                        n += t.dots[h]
                sum += 0.45 * n
            elif not stations:
                sum += 1.5
    return sum


cdef inline void best_site(const Game* g, const Tables* t, const Coefficients* w, uint64_t mask, const Seat* own,
                           int k, Sites* s) noexcept nogil:
    cdef double worth
    cdef int c, missing = kinds_without(own.dots)
    s.best[k] = 0.0
    s.at[k] = NOWHERE
    s.count[k] = popcount(mask)
    while mask:
        c = lowest(mask)
        mask &= mask - 1
        worth = site_worth(g, t, w.variety, c, own.dots, missing, own.stations)
        if worth > s.best[k]:
            s.best[k] = worth
            s.at[k] = c


cdef inline void find_sites(const Game* g, const Tables* t, const Coefficients* w, int seat,
                            Sites* s) noexcept nogil:
    """Find the best corners for a settlement that need no road, one road, or two roads."""
    cdef const Seat* own = &g.seat[seat]
    cdef uint64_t walls = walls_of(g, seat)
    cdef uint64_t one = one_road_on(g, own.reach) & ~own.reach & ~walls
    cdef uint64_t two = one_road_on(g, one) & ~one & ~own.reach & ~walls
    best_site(g, t, w, own.reach & ~g.blocked, own, 0, s)
    best_site(g, t, w, one & ~g.blocked, own, 1, s)
    best_site(g, t, w, two & ~g.blocked, own, 2, s)


cdef inline double room_at(const Game* g, const Tables* t, const Coefficients* w, int c, uint64_t mids, uint64_t dots,
                           int stations) noexcept nogil:
    """Worth of the best corner two roads away, over any of the middle corners."""
    cdef uint64_t blocked = g.blocked | t.next_to[c] | (<uint64_t> 1 << c)
    cdef uint64_t ends = one_road_on(g, mids & g.near[c]) & ~blocked
    cdef double worth, best = 0.0
    cdef int missing = kinds_without(dots)
    while ends:
        worth = site_worth(g, t, w.variety, lowest(ends), dots, missing, stations)
        ends &= ends - 1
        best = worth if worth > best else best
    return best


cdef inline double place_worth(const Game* g, const Tables* t, const Coefficients* w, int seat, int c) noexcept nogil:
    """Worth in dots of a first settlement: income, new resources and numbers, stations, room (ZAR-23.1 to 23.6)."""
    cdef const Seat* own = &g.seat[seat]
    cdef uint64_t after = own.dots
    cdef double sum = site_worth(g, t, w.first_variety, c, own.dots, kinds_without(own.dots), own.stations)
    cdef int i, h, r, number, pairs = 0
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        r = h & 7
        number = h >> 3
        if r >= RESOURCES or not number:
            continue
        after += <uint64_t> t.dots[h] << (8 * r)
        if not g.prod[t.roll_slot[number]][seat]:
            sum += w.numbers
        if r < 2:
            sum += w.scarce * t.dots[h]
    # resources that are spent together: wood with brick, wheat with stone
    pairs = (count_of(after, 0) > 0 and count_of(after, 1) > 0) + (count_of(after, 3) > 0 and count_of(after, 4) > 0)
    sum += 0.5 * pairs
    return sum + w.room * room_at(g, t, w, c, t.all_corners, after, own.stations)


cdef enum:
    MAX_PLANS = 6


cdef struct Plans:
    Means means
    int n
    uint64_t cost[MAX_PLANS]
    double worth[MAX_PLANS]             # in points


cdef struct Scene:                      # common input of the features of all seats
    int viewer                          # seat whose secrets are known; ONLOOKER: no secrets; EVERYBODY: all secrets
    int unseen                          # development cards in the deck and in hands that the viewer cannot see
    int hidden_points                   # victory point cards among them
    double left                         # remaining fraction of the game


cdef inline double at_least(double a, double b) noexcept nogil:
    return a if a > b else b


cdef inline double at_most(double a, double b) noexcept nogil:
    return a if a < b else b


cdef inline void set_scene(const Game* g, const Tables* t, int viewer, Scene* scene) noexcept nogil:
    cdef int i, top = 0
    scene.viewer = viewer
    scene.unseen = cards_in(g.deck)
    scene.hidden_points = count_of(t.deck, VICTORY_POINT)
    for i in range(t.players):
        if i == viewer:
            scene.hidden_points -= count_of(g.seat[i].dev, VICTORY_POINT)
        else:
            scene.unseen += cards_in(g.seat[i].dev)
        top = g.seat[i].points if g.seat[i].points > top else top
    scene.left = at_least(0.15, <double> (t.target - top) / t.target)


cdef inline double hidden_points_of(const Game* g, const Scene* scene, int seat) noexcept nogil:
    """Actual or expected number of victory point cards of a seat."""
    if seat == scene.viewer or scene.viewer == EVERYBODY:
        return count_of(g.seat[seat].dev, VICTORY_POINT)
    if scene.unseen == 0:
        return 0.0
    return <double> cards_in(g.seat[seat].dev) * scene.hidden_points / scene.unseen


cdef inline double points_of(const Game* g, const Tables* t, const Scene* scene, int seat) noexcept nogil:
    return g.seat[seat].points + t.card_points * hidden_points_of(g, scene, seat)


cdef inline int top_of_others(const Game* g, const Tables* t, int seat, int what) noexcept nogil:
    """Longest road (0), largest number of Warriors (1) or of stones (2) among the other seats."""
    cdef int i, n, best = 0
    for i in range(t.players):
        if i != seat:
            n = g.seat[i].length if what == 0 else warriors(&g.seat[i]) if what == 1 else g.seat[i].stones
            best = n if n > best else best
    return best


cdef inline void add_plan(Plans* p, uint64_t cost, double worth) noexcept nogil:
    p.cost[p.n] = cost
    p.worth[p.n] = worth
    p.n += 1


cdef inline double worth_of_dots(const Scene* scene, double dots) noexcept nogil:
    """Worth of a building with these dots."""
    return 1.0 + 0.09 * (0.4 + scene.left) * dots


cdef inline int roads_to_site(const Game* g, const Tables* t, const Scene* scene, int seat,
                              const Sites* sites) noexcept nogil:
    """Roads on the way to the site that is worth most; -1: there is no site."""
    cdef int k, n = -1
    cdef double worth, best = 0.0
    for k in range(3):
        worth = worth_of_dots(scene, sites.best[k]) / (1.0 + 0.4 * k)
        if sites.at[k] != NOWHERE and worth > best and g.seat[seat].n_roads + k <= t.n_roads:
            best = worth
            n = k
    return n


cdef inline void find_plans(const Game* g, const Tables* t, const Scene* scene, int seat, const Sites* sites,
                            double upgrade, Plans* p) noexcept nogil:
    """Set costs and worths of the plans: city, settlement (with its roads), card, temple, longest road."""
    cdef const Seat* s = &g.seat[seat]
    cdef int n
    p.n = 0
    if upgrade > 0.0 and s.n_cities < t.n_cities:
        add_plan(p, t.city_cost, worth_of_dots(scene, upgrade))
    if s.n_settlements < t.n_settlements:
        n = roads_to_site(g, t, scene, seat, sites)
        if n >= 0:
            add_plan(p, t.settlement_cost + t.road_cost * <uint64_t> n, worth_of_dots(scene, sites.best[n]))
    add_further_plans(g, t, seat, p)


cdef inline void add_further_plans(const Game* g, const Tables* t, int seat, Plans* p) noexcept nogil:
    """Add the plans that no site counts for."""
    cdef const Seat* s = &g.seat[seat]
    cdef int n, other
    if cards_in(g.deck):
        add_plan(p, t.card_cost, 0.4)
    if s.stones < t.n_stones and g.temple_holder != seat:
        other = top_of_others(g, t, seat, 2) + 1
        n = (other if other > t.temple_minimum else t.temple_minimum) - s.stones
        if 0 < n <= 4:
            add_plan(p, t.stone_cost * <uint64_t> n, t.temple_points + (0.6 if g.temple_holder != NOBODY else 0.0))
    if g.road_holder != seat and s.n_roads < t.n_roads and can_go_on(g, seat):
        other = top_of_others(g, t, seat, 0) + 1
        n = (other if other > t.road_minimum else t.road_minimum) - s.length
        if 0 < n <= 4 and s.n_roads + n <= t.n_roads:
            add_plan(p, t.road_cost * <uint64_t> n, t.road_points * (0.95 if n < 3 else 0.75))


cdef inline void weigh_plans(const Coefficients* w, const Plans* p, uint64_t hand, double* best,
                             double* rest) noexcept nogil:
    """Find the worth of the best plan, discounted by its time, and the sum over the other plans."""
    cdef double v
    cdef int i
    best[0] = 0.0
    rest[0] = 0.0
    for i in range(p.n):
        v = p.worth[i] / (1.0 + rolls_until(&p.means, hand, p.cost[i]) / w.patience)
        rest[0] += v
        if v > best[0]:
            best[0] = v
    rest[0] -= best[0]


cdef inline int count_cards(uint64_t lanes) noexcept nogil:
    return <int> ((((lanes & LANES) * ONES) >> 32) & 0xFF)


cdef inline double hand_worth(const Coefficients* w, const Tables* t, const Plans* p, uint64_t hand) noexcept nogil:
    """Worth of a hand (lanes) in points."""
    cdef double best, rest
    cdef int n = count_cards(hand)
    weigh_plans(w, p, hand, &best, &rest)
    return (w.worth[F_PLAN] * best + w.worth[F_PLANS] * rest + w.worth[F_HAND] * at_most(n, t.discard_limit)
            + w.worth[F_OVER] * at_least(n - t.discard_limit, 0))


cdef inline double card_units(const Game* g, int seat) noexcept nogil:
    """Worth of the seat's development cards except victory points, in units of a card."""
    cdef uint64_t dev = g.seat[seat].dev
    return (count_of(dev, WARRIOR) + 1.3 * count_of(dev, PROSPERITY) + 1.2 * count_of(dev, 2)
            + 1.4 * count_of(dev, ROAD_BUILDING) + 2.0 * count_of(dev, TEMPLE_BUILDING) + 0.8 * count_of(dev, LIAHONA))


cdef inline double best_upgrade(const Game* g, int seat) noexcept nogil:
    """Dots of the best settlement to upgrade to a city."""
    cdef uint64_t mask = g.seat[seat].settlements
    cdef double dots, best = 0.0
    while mask:
        dots = g.site[lowest(mask)]
        mask &= mask - 1
        best = dots if dots > best else best
    return best


cdef inline double lead_of(int mine, int other, int least) noexcept nogil:
    return 0.0 if mine < least else at_least(-2.0, at_most(2.0, mine - other))


cdef inline void weigh_hand(const Coefficients* w, const Tables* t, const Plans* p, uint64_t hand, int n,
                            double* x) noexcept nogil:
    """Fill the features that depend on a hand (lanes) of `n` cards, and on the plans."""
    x[F_HAND] = at_most(n, t.discard_limit)
    x[F_OVER] = at_least(n - t.discard_limit, 0)
    weigh_plans(w, p, hand, &x[F_PLAN], &x[F_PLANS])


cdef inline void fill_features(const Game* g, const Tables* t, const Coefficients* w, const Scene* scene, int seat,
                               double* x, Plans* p) noexcept nogil:
    """Fill the features of a seat, and its plans."""
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t dots = s.dots
    cdef uint64_t hand = seen_hand(g, t, seat, scene.viewer)
    cdef Sites sites
    cdef double weighted, hidden = hidden_points_of(g, scene, seat)
    cdef int r, n, other, army
    find_means(g, t, seat, &p.means)
    find_sites(g, t, w, seat, &sites)
    x[F_POINTS] = s.points + t.card_points * hidden
    weighted = (count_of(dots, 0) + 1.15 * (count_of(dots, 1) + count_of(dots, 3) + count_of(dots, 4))
                + 0.85 * count_of(dots, 2))
    x[F_STEADY] = weighted
    x[F_INCOME] = weighted * scene.left
    x[F_KINDS] = popcount(filled(dots))
    x[F_SPECIAL] = 0.0
    if s.stations & 31:
        for r in range(RESOURCES):
            if (s.stations >> r) & 1:
                x[F_SPECIAL] += count_of(dots, r)
    x[F_ANY] = (s.stations >> 5) & 1
    x[F_SITE_NOW] = sites.best[0] if s.n_settlements < t.n_settlements else 0.0
    x[F_SITE_NEAR] = sites.best[1] if s.n_settlements < t.n_settlements else 0.0
    x[F_SITE_FAR] = sites.best[2] if s.n_settlements < t.n_settlements else 0.0
    x[F_ROAD] = at_least(0.0, at_most(5.0, s.length - 2))
    x[F_ROAD_LEAD] = lead_of(s.length, top_of_others(g, t, seat, 0), 3)
    army = warriors(s)
    other = top_of_others(g, t, seat, 1)
    x[F_ARMY] = at_most(army, at_least(other + 1, t.army_minimum))
    x[F_ARMY_LEAD] = lead_of(army, other, 2)
    other = top_of_others(g, t, seat, 2)
    x[F_TEMPLE] = at_most(s.stones, at_least(other + 1, t.temple_minimum))
    x[F_TEMPLE_LEAD] = lead_of(s.stones, other, 2)
    x[F_CARDS] = card_units(g, seat) if seat == scene.viewer or scene.viewer == EVERYBODY else cards_in(s.dev) - hidden
    x[F_CITY] = best_upgrade(g, seat) if s.n_cities < t.n_cities else 0.0
    x[F_ROBBED] = robbed_dots(g, t, seat)
    x[F_CLOSE] = at_least(0.0, at_most(1.0, (6.0 - (t.target - x[F_POINTS])) / 5.0))
    n = seat - g.on_turn
    x[F_TURN] = <double> (n + t.players if n < 0 else n) / t.players
    find_plans(g, t, scene, seat, &sites, x[F_CITY], p)
    weigh_hand(w, t, p, hand, total(s.hand), x)


cdef inline double sum_features(const double* weights, const double* x) noexcept nogil:
    cdef double sum = 0.0
    cdef int k
    for k in range(FEATURES):
        sum += weights[k] * x[k]
    return sum


cdef inline double seat_worth(const Game* g, const Tables* t, const Coefficients* w, const Scene* scene,
                              int seat) noexcept nogil:
    """Worth of a seat's position in points."""
    cdef double x[FEATURES]
    cdef Plans p
    fill_features(g, t, w, scene, seat, x, &p)
    return sum_features(w.worth, x)


cdef inline void fill_further(const Game* g, const Tables* t, const Scene* scene, int seat, double* x) noexcept nogil:
    cdef double best = 0.0, other
    cdef int i
    for i in range(t.players):
        if i != seat:
            other = points_of(g, t, scene, i)
            best = other if other > best else best
    x[F_LEAD] = points_of(g, t, scene, seat) - best
    x[F_LEFT] = scene.left


cdef inline void features_of_seats(const Game* g, const Tables* t, const Coefficients* w, int viewer,
                                   double* out) noexcept nogil:
    """Fill all features of every seat in turn, as far as `viewer` knows them."""
    cdef Plans p
    cdef Scene scene
    cdef int i
    set_scene(g, t, viewer, &scene)
    for i in range(t.players):
        fill_features(g, t, w, &scene, i, out + i * ALL_FEATURES, &p)
        fill_further(g, t, &scene, i, out + i * ALL_FEATURES)
