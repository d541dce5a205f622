"""The Settlers of Zarahemla knowledge: what a seat can build next, how soon, and what its position is worth.

A seat's position is a row of features (ZAR-23.24); two sets of weights read them. `Weights.worth`, in points, values
what the seat's own moves lead to; `Weights.win` makes win shares of them. Hands of others count as far as everybody
knows them.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.bits cimport LANES, ONES, count_of, filled, lowest, popcount
from sfida.cython_ext.state cimport EVERYBODY
from sfida.cython_ext.zarahemla.board cimport (
    LIAHONA, NOBODY, NOWHERE, PROSPERITY, RESOURCES, ROAD_BUILDING, SEATS, TEMPLE_BUILDING, VICTORY_POINT,
    WARRIOR, Game, Seat, Tables, cards_in, total,
)
from sfida.cython_ext.zarahemla.cards cimport warriors
from sfida.cython_ext.zarahemla.income cimport (
    Means, dots_of, find_means, income_dots, robbed_dots, rolls_until, seen_hand,
)
from sfida.cython_ext.zarahemla.roads cimport can_go_on
from sfida.cython_ext.zarahemla.sites cimport Sites, corner_dots, find_sites
from sfida.cython_ext.zarahemla.weights cimport (
    FEATURES, F_ANY, F_ARMY, F_ARMY_LEAD, F_CARDS, F_CITY, F_CLOSE, F_HAND, F_INCOME, F_KINDS, F_OVER, F_PLAN, F_PLANS,
    F_POINTS, F_ROAD, F_ROAD_LEAD, F_ROBBED, F_SITE_NOW, F_SPECIAL, F_STEADY, F_TEMPLE, F_TEMPLE_LEAD, F_TURN, Weights,
)


cdef enum:
    MAX_PLANS = 6


cdef struct Plans:
    Means means
    int n
    uint64_t cost[MAX_PLANS]
    double worth[MAX_PLANS]             # in points


cdef struct Scene:                      # what the features of every seat share
    int viewer                          # seat whose secrets count; ONLOOKER: none; EVERYBODY: all
    int unseen                          # development cards in the deck and in hands that the viewer cannot see
    int hidden_points                   # victory point cards among them
    double left                         # share of the game that is left


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
    """Victory point cards that a seat holds, or is expected to hold."""
    if seat == scene.viewer or scene.viewer == EVERYBODY:
        return count_of(g.seat[seat].dev, VICTORY_POINT)
    if scene.unseen == 0:
        return 0.0
    return <double> cards_in(g.seat[seat].dev) * scene.hidden_points / scene.unseen


cdef inline double points_of(const Game* g, const Tables* t, const Scene* scene, int seat) noexcept nogil:
    return g.seat[seat].points + t.card_points * hidden_points_of(g, scene, seat)


cdef inline int top_of_others(const Game* g, const Tables* t, int seat, int what) noexcept nogil:
    """Longest road (0), most Warriors (1) or stones (2) of the other seats."""
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


cdef inline void find_plans(const Game* g, const Tables* t, const Scene* scene, int seat, const Sites* sites,
                            double upgrade, Plans* p) noexcept nogil:
    """City, settlement (with the roads it needs), card, temple, longest road: what each costs and is worth."""
    cdef const Seat* s = &g.seat[seat]
    cdef int k, n, other
    cdef double dot = 0.09 * (0.4 + scene.left)
    cdef double worth, best = -1.0
    p.n = 0
    if upgrade > 0.0 and s.n_cities < t.n_cities:
        add_plan(p, t.city_cost, 1.0 + dot * upgrade)
    if s.n_settlements < t.n_settlements:
        for k in range(3):
            worth = (1.0 + dot * sites.best[k]) / (1.0 + 0.4 * k)
            if sites.at[k] != NOWHERE and worth > best and s.n_roads + k <= t.n_roads:
                best = worth
                n = k
        if best > 0.0:
            add_plan(p, t.settlement_cost + t.road_cost * <uint64_t> n, 1.0 + dot * sites.best[n])
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


cdef inline void weigh_plans(const Weights* w, const Plans* p, uint64_t hand, double* best,
                             double* rest) noexcept nogil:
    """The plan best in worth and time, and the sum of the others."""
    cdef double v
    cdef int i
    best[0] = 0.0
    rest[0] = 0.0
    for i in range(p.n):
        v = p.worth[i] / (1.0 + rolls_until(&p.means, hand, p.cost[i]) / w.k.patience)
        rest[0] += v
        if v > best[0]:
            best[0] = v
    rest[0] -= best[0]


cdef inline int count_cards(uint64_t lanes) noexcept nogil:
    return <int> ((((lanes & LANES) * ONES) >> 32) & 0xFF)


cdef inline double hand_worth(const Weights* w, const Tables* t, const Plans* p, uint64_t hand) noexcept nogil:
    """Worth of a hand (lanes) in points."""
    cdef double best, rest
    cdef int n = count_cards(hand)
    weigh_plans(w, p, hand, &best, &rest)
    return (w.worth[F_PLAN] * best + w.worth[F_PLANS] * rest + w.worth[F_HAND] * at_most(n, t.discard_limit)
            + w.worth[F_OVER] * at_least(n - t.discard_limit, 0))


cdef inline double card_units(const Game* g, int seat) noexcept nogil:
    """Own development cards other than victory points, by what they are good for."""
    cdef uint64_t dev = g.seat[seat].dev
    return (count_of(dev, WARRIOR) + 1.3 * count_of(dev, PROSPERITY) + 1.2 * count_of(dev, 2)
            + 1.4 * count_of(dev, ROAD_BUILDING) + 2.0 * count_of(dev, TEMPLE_BUILDING) + 0.8 * count_of(dev, LIAHONA))


cdef inline double best_upgrade(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Dots of the best settlement to make a city."""
    cdef uint64_t mask = g.seat[seat].settlements
    cdef double dots, best = 0.0
    while mask:
        dots = corner_dots(g, t, lowest(mask))
        mask &= mask - 1
        best = dots if dots > best else best
    return best


cdef inline double lead_of(int mine, int other, int least) noexcept nogil:
    return 0.0 if mine < least else at_least(-2.0, at_most(2.0, mine - other))


cdef inline void fill_features(const Game* g, const Tables* t, const Weights* w, const Scene* scene, int seat,
                               double* x, Plans* p) noexcept nogil:
    """The features of a seat, and its plans."""
    cdef const Seat* s = &g.seat[seat]
    cdef uint64_t dots = income_dots(g, seat)
    cdef uint64_t hand = seen_hand(g, t, seat, scene.viewer)
    cdef Sites sites
    cdef double weighted, hidden = hidden_points_of(g, scene, seat)
    cdef int r, n, other, army
    find_means(g, t, seat, &p.means)
    find_sites(g, t, w, seat, dots, &sites)
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
    for r in range(3):
        x[F_SITE_NOW + r] = sites.best[r] if s.n_settlements < t.n_settlements else 0.0
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
    n = total(s.hand)
    x[F_HAND] = at_most(n, t.discard_limit)
    x[F_OVER] = at_least(n - t.discard_limit, 0)
    x[F_CITY] = best_upgrade(g, t, seat) if s.n_cities < t.n_cities else 0.0
    x[F_ROBBED] = robbed_dots(g, t, seat)
    x[F_CLOSE] = at_least(0.0, at_most(1.0, (6.0 - (t.target - x[F_POINTS])) / 5.0))
    n = seat - g.on_turn
    x[F_TURN] = <double> (n + t.players if n < 0 else n) / t.players
    find_plans(g, t, scene, seat, &sites, x[F_CITY], p)
    weigh_plans(w, p, hand, &x[F_PLAN], &x[F_PLANS])


cdef inline double sum_features(const double* weights, const double* x) noexcept nogil:
    cdef double sum = 0.0
    cdef int k
    for k in range(FEATURES):
        sum += weights[k] * x[k]
    return sum


cdef inline double seat_worth(const Game* g, const Tables* t, const Weights* w, const Scene* scene,
                              int seat) noexcept nogil:
    """Worth of a seat's position in points."""
    cdef double x[FEATURES]
    cdef Plans p
    fill_features(g, t, w, scene, seat, x, &p)
    return sum_features(w.worth, x)
