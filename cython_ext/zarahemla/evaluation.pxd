"""The Settlers of Zarahemla evaluation: worth of positions, and of each move to its mover, in points.

Most moves are tried on a copy, and the mover's position is evaluated there; the effect of later draws, throws and
answers is estimated. An offer is worth making if it brings a purchase within reach and some seat can pay for it by
public information (ZAR-13, ZAR-23.21). At most MAX_DEALS offers are considered.
"""

from libc.math cimport exp
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from sfida.cython_ext.bits cimport LANES, ONES, TOPS, count_of, covers, filled, lane, lowest
from sfida.cython_ext.learned cimport MOST_ACTIVE, Net, net_shares, wide_shares
from sfida.cython_ext.state cimport ONLOOKER, move_t
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, DISCARD, FREE_ROADS, GAME_OVER, INIT_ROAD, INIT_SETTLEMENT, LIAHONA, M_BANK_TRADE, M_BUY_DEV, M_DISCARD,
    M_END_TURN, M_MOVE_ROBBER, M_PLAY_HARVEST, M_PLAY_LIAHONA, M_PLAY_PROSPERITY, M_PLAY_ROAD_BUILDING, M_PLAY_WARRIOR,
    M_ROAD, M_ROLL, M_SETTLE, M_STEAL_FROM, M_TAKE, M_TEMPLE_STONE, M_TRADE_ACCEPT, M_TRADE_COUNTER, M_TRADE_GIVE,
    M_TRADE_NO_DEAL, M_TRADE_OPEN, M_TRADE_PICK, M_TRADE_SUBMIT, M_TRADE_WANT, MAIN, NOBODY, NOWHERE, PRE_ROLL, ROBBER,
    STEAL, TAKE, TRADE_COMPOSE, Game, Seat, answer_of, buildings, bundle, card, in_side, outstanding, secret_points,
    side_of, side_size, total
)
from sfida.cython_ext.zarahemla.features cimport (
    Plans, Scene, Sites, add_further_plans, add_plan, at_least, best_upgrade, can_pay, count_cards, fill_features,
    fill_further, find_means, find_plans, find_sites, hand_worth, place_worth, points_of, roads_to_site, robbed_dots,
    room_at, seat_worth, seen_hand, set_scene, stake, sum_features, weigh_hand
)
from sfida.cython_ext.zarahemla.hidden cimport involved
from sfida.cython_ext.zarahemla.inputs cimport fill_inputs
from sfida.cython_ext.zarahemla.moves cimport legal_moves, robber_goals
from sfida.cython_ext.zarahemla.tables cimport (
    ALL_FEATURES, F_CARDS, F_POINTS, F_ROBBED, FEATURES, RESOURCES, SEATS, Coefficients, Tables
)
from sfida.cython_ext.zarahemla.turn cimport apply_move


cdef inline void evaluate_position(const Game* g, const Tables* t, const Coefficients* w, const Net* net, int viewer,
                                   double* win, double* score) noexcept nogil:
    """Compute win probabilities and points with future gains, from the knowledge of `viewer`."""
    cdef double x[SEATS * ALL_FEATURES]
    cdef double top = -1e300, sum = 0.0
    cdef uint16_t active[MOST_ACTIVE]
    cdef Plans p
    cdef Scene scene
    cdef int i
    set_scene(g, t, viewer, &scene)
    for i in range(t.players):
        fill_features(g, t, w, &scene, i, x + i * ALL_FEATURES, &p)
        score[i] = sum_features(w.worth, x + i * ALL_FEATURES)
    if net != NULL:
        for i in range(t.players):
            fill_further(g, t, &scene, i, x + i * ALL_FEATURES)
        if net.wide != NULL:
            i = fill_inputs(g, t, g.mover if viewer != ONLOOKER else -1, viewer, active)
            wide_shares(net.wide, x, active, i, g.on_turn, ~0U, win)
        else:
            net_shares(net, x, ~0U, win)
        return
    for i in range(t.players):
        win[i] = sum_features(w.win, x + i * ALL_FEATURES)
        top = win[i] if win[i] > top else top
    for i in range(t.players):
        win[i] = exp(win[i] - top)
        sum += win[i]
    for i in range(t.players):
        win[i] /= sum


cdef struct Targets:                    # worth of robbing each seat
    double threat[SEATS]                # worth of a dot taken from the seat
    double loot[SEATS]                  # worth of a card stolen from the seat, in points; 0 for an empty hand


cdef inline void find_targets(const Game* g, const Tables* t, const Coefficients* w, const Scene* scene, int seat,
                              const Plans* p, Targets* out) noexcept nogil:
    """Compute the worth of robbing: highest for the leader; a stolen card is worth its use in hand (ZAR-23.15)."""
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


cdef inline double robber_worth(const Game* g, const Tables* t, const Coefficients* w, int seat, const Targets* targets,
                                int h) noexcept nogil:
    """Worth in points of the robber on hex `h`, including the theft that follows."""
    cdef double sum = 0.0, loot = 0.0
    cdef int i, dots = t.dots[g.hex[h]]
    cdef uint64_t corners = t.hex_corners[h]
    for i in range(t.players):
        if not buildings(&g.seat[i]) & corners:
            continue
        if i == seat:
            sum += 3.0 * w.worth[F_ROBBED] * dots * stake(g, t, i, h) - 0.1    # not on an own hex if avoidable
        else:
            sum -= w.worth[F_ROBBED] * dots * stake(g, t, i, h) * targets.threat[i]
            if targets.loot[i] > loot:
                loot = targets.loot[i]
    return sum + loot


cdef inline double best_robbery(const Game* g, const Tables* t, const Coefficients* w, int seat,
                                const Targets* targets) noexcept nogil:
    """Gain of moving the robber, compared with leaving it."""
    cdef double v, best = -1e9, now = 0.0
    cdef uint64_t hexes = robber_goals(g)
    cdef int i, dots
    while hexes:
        v = robber_worth(g, t, w, seat, targets, lowest(hexes))
        hexes &= hexes - 1
        best = v if v > best else best
    if g.robber != NOWHERE:
        dots = t.dots[g.hex[g.robber]]
        for i in range(t.players):
            if i != seat:
                now -= w.worth[F_ROBBED] * dots * stake(g, t, i, g.robber) * targets.threat[i]
    return best - now


cdef inline uint64_t to_discard(const Coefficients* w, const Tables* t, const Plans* p, uint64_t hand, int n,
                                int floor) noexcept nogil:
    """The `n` cards with the least worth to the hand, chosen one by one; only lanes from `floor` on."""
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


cdef inline uint64_t best_take(const Game* g, const Tables* t, const Coefficients* w, const Plans* p, uint64_t hand,
                               int n, int floor, double* worth) noexcept nogil:
    """The best one or two cards of Bountiful Harvest, and the worth of the hand with them."""
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


cdef enum:
    MAX_DEALS = 8
    REFUSED = -10                       # gain, in points, of a deal with a leader near the target, or without the cards


cdef struct Deals:
    int n
    uint32_t give[MAX_DEALS]            # packed as in `Game`
    uint32_t want[MAX_DEALS]


cdef inline void plans_of(const Game* g, const Tables* t, const Coefficients* w, const Scene* scene, int seat,
                          Plans* p) noexcept nogil:
    """Compute the plans of a seat without its other features."""
    cdef Sites sites
    find_means(g, t, seat, &p.means)
    find_sites(g, t, w, seat, &sites)
    find_plans(g, t, scene, seat, &sites, best_upgrade(g, seat), p)


cdef inline bint can_have(const Game* g, const Tables* t, int seat, uint64_t cards) noexcept nogil:
    """Whether the seat may hold these cards, judged by public information."""
    if g.n_thefts and involved(g, seat):
        return total(g.seat[seat].hand) > 0
    return covers(seen_hand(g, t, seat, NOBODY), cards)


cdef inline void add_deal(unsigned int give, unsigned int want, Deals* d) noexcept nogil:
    cdef int i
    if d.n == MAX_DEALS:
        return
    for i in range(d.n):
        if d.give[i] == give and d.want[i] == want:
            return
    d.give[d.n] = give
    d.want[d.n] = want
    d.n += 1


cdef inline bint possible(const Game* g, const Tables* t, int seat, unsigned int give,
                          unsigned int want) noexcept nogil:
    """Whether the seat may make a counter-offer, and the seat on turn may hold the cards (ZAR-13)."""
    cdef int r
    if side_size(give) > t.max_side or side_size(want) > t.max_side:
        return False
    for r in range(RESOURCES):
        if side_of(want, r) > outstanding(g, t, seat, r):
            return False
    return can_have(g, t, g.on_turn, bundle(want))


cdef inline uint64_t lacks_few(uint64_t hand, uint64_t cost) noexcept nogil:
    """Resources (top bits of lanes) of one or two cards that a hand lacks for a cost; 0 if it lacks none or more."""
    cdef uint64_t lack, all
    hand &= LANES
    cost &= LANES
    lack = ~((hand | TOPS) - cost) & TOPS
    all = (lack >> 7) * 0xFF
    return 0 if count_cards((cost & all) - (hand & all)) > 2 else lack


cdef inline uint64_t has_more(uint64_t hand, uint64_t cost) noexcept nogil:
    """Resources (top bits of lanes) of which a hand holds more than a cost takes."""
    return ~(((cost & LANES) | TOPS) - (hand & LANES)) & TOPS


cdef inline void add_close_costs(const Game* g, const Tables* t, const Coefficients* w, int seat,
                                 Plans* p) noexcept nogil:
    """Add the costs of a city and of a settlement, with its roads, where the hand lacks one or two cards."""
    cdef const Seat* s = &g.seat[seat]
    cdef Scene scene
    cdef Sites sites
    cdef int n
    if s.n_cities < t.n_cities and lacks_few(s.hand, t.city_cost) and best_upgrade(g, seat) > 0.0:
        add_plan(p, t.city_cost, 0.0)
    if s.n_settlements < t.n_settlements and (
            lacks_few(s.hand, t.settlement_cost) | lacks_few(s.hand, t.settlement_cost + t.road_cost)
            | lacks_few(s.hand, t.settlement_cost + 2 * t.road_cost)):
        set_scene(g, t, seat, &scene)
        find_sites(g, t, w, seat, &sites)
        n = roads_to_site(g, t, &scene, seat, &sites)
        if n >= 0:
            add_plan(p, t.settlement_cost + t.road_cost * <uint64_t> n, 0.0)


cdef inline void plan_offers(const Game* g, const Tables* t, const Coefficients* w, int seat, Plans* p) noexcept nogil:
    """Find the plans that offers are made for, with their costs and the bank's rates only."""
    p.n = 0
    p.means.rate = t.rate[g.seat[seat].stations]
    add_close_costs(g, t, w, seat, p)
    add_further_plans(g, t, seat, p)


cdef inline uint64_t on_offer(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Resources (top bits of lanes) of which a partner of the seat on turn may hold a card, by public information."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(t.players):
        if i != seat and total(g.seat[i].hand):
            found |= TOPS if g.n_thefts and involved(g, i) else filled(seen_hand(g, t, i, NOBODY))
    return found & filled(ONES * <uint64_t> t.cards_each - (g.bank & LANES) - (g.seat[seat].hand & LANES))


cdef inline void find_offers(const Game* g, const Tables* t, const Plans* p, int seat, Deals* d) noexcept nogil:
    """Find offers that bring a plan within reach: one or two cards are missing and others are spare."""
    cdef uint64_t hand = g.seat[seat].hand, wanted = on_offer(g, t, seat), spare, lack, want
    cdef int i, r, lots
    d.n = 0
    if not wanted:
        return
    for lots in range(1, 3 if t.max_side > 1 else 2):           # offers of one card before offers of two
        for i in range(p.n):
            lack = lacks_few(hand, p.cost[i]) & wanted
            spare = has_more(hand, p.cost[i]) if lack else 0
            while spare:
                r = lowest(spare) >> 3
                spare &= spare - 1
                if lots == 2 and (count_of(hand, r) - count_of(p.cost[i], r) < 2 or count_of(p.means.rate, r) <= 2):
                    continue
                want = lack
                while want:
                    add_deal(lots * in_side(r), in_side(lowest(want) >> 3), d)
                    want &= want - 1


cdef inline bint some_offer(const Game* g, const Tables* t, const Coefficients* w, int seat) noexcept nogil:
    """Whether `find_offers` finds any."""
    cdef uint64_t hand = g.seat[seat].hand, wanted = on_offer(g, t, seat)
    cdef Plans p
    cdef int i
    if not wanted:
        return False
    p.n = 0
    add_further_plans(g, t, seat, &p)
    for i in range(p.n):
        if lacks_few(hand, p.cost[i]) & wanted and has_more(hand, p.cost[i]):
            return True
    p.n = 0
    add_close_costs(g, t, w, seat, &p)
    for i in range(p.n):
        if lacks_few(hand, p.cost[i]) & wanted and has_more(hand, p.cost[i]):
            return True
    return False


cdef inline unsigned int to_counter(const Game* g, int seat) noexcept nogil:
    """Cards that the seat gives in a counter-offer: those wanted by the seat on turn, or one of them; 0: none."""
    cdef unsigned int asked = g.want[g.on_turn]
    cdef int r
    if covers(g.seat[seat].hand, bundle(asked)):
        return asked
    for r in range(RESOURCES):
        if side_of(asked, r) and count_of(g.seat[seat].hand, r):
            return in_side(r)
    return 0


cdef inline void find_counters(const Game* g, const Tables* t, const Plans* p, int seat, Deals* d) noexcept nogil:
    """Find counter-offers: the card wanted by the seat on turn, for a card that the seat lacks or for one more card."""
    cdef unsigned int given = g.give[g.on_turn], give = to_counter(g, seat)
    cdef uint64_t lack
    cdef int i, r
    d.n = 0
    if not give:
        return
    for i in range(p.n):
        lack = lacks_few(g.seat[seat].hand, p.cost[i])
        while lack:
            r = lowest(lack) >> 3
            lack &= lack - 1
            if not side_of(give, r) and not side_of(given, r) and d.n < 3 and possible(g, t, seat, give, in_side(r)):
                add_deal(give, in_side(r), d)
    for r in range(RESOURCES):
        if side_of(given, r) and not side_of(give, r) and d.n < 4 and possible(g, t, seat, give, given + in_side(r)):
            add_deal(give, given + in_side(r), d)


cdef inline bint some_counter(const Game* g, const Tables* t, const Coefficients* w, int seat) noexcept nogil:
    """Whether `find_counters` finds any."""
    cdef Plans p
    cdef Deals d
    p.n = 0
    find_counters(g, t, &p, seat, &d)
    if d.n or not to_counter(g, seat):
        return d.n != 0
    plan_offers(g, t, w, seat, &p)
    find_counters(g, t, &p, seat, &d)
    return d.n != 0


cdef inline void find_deals(const Game* g, const Tables* t, const Plans* p, int seat, Deals* d) noexcept nogil:
    if seat == g.on_turn:
        find_offers(g, t, p, seat, d)
    else:
        find_counters(g, t, p, seat, d)


cdef inline bint starts(unsigned int given, unsigned int offer) noexcept nogil:
    """Whether the composition so far, in the order of the resources, is the beginning of the offer."""
    cdef int r, top = -1
    for r in range(RESOURCES):
        if side_of(given, r):
            top = r
    for r in range(RESOURCES):
        if side_of(given, r) > side_of(offer, r) or (r < top and side_of(given, r) != side_of(offer, r)):
            return False
    return True


cdef inline int next_step(const Game* g, int seat, unsigned int give, unsigned int want) noexcept nogil:
    """The next move in composing an offer, or -1 if the composition has departed from the offer."""
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


cdef inline double spite_for(const Game* g, const Tables* t, const Coefficients* w, const Scene* scene,
                             int partner) noexcept nogil:
    """Weight of a partner's gain, subtracted from a deal; below 0: no deal with this partner."""
    cdef double missing = t.target - points_of(g, t, scene, partner)
    if missing <= 2.0:
        return -1.0
    return w.spite / (t.players - 1) * (1.5 if missing <= 4.0 else 1.0)


cdef inline double swap_gain(const Coefficients* w, const Tables* t, const Plans* p, uint64_t hand, double now,
                             uint64_t out, uint64_t back) noexcept nogil:
    """Change in the worth of a hand, now `now`, when cards are given and received; REFUSED if it lacks the cards."""
    if not covers(hand, out):
        return REFUSED
    return hand_worth(w, t, p, (hand & LANES) - (out & LANES) + (back & LANES)) - now


cdef inline double deal_gain(const Game* g, const Tables* t, const Coefficients* w, const Scene* scene, int seat,
                             const Plans* p, int partner, unsigned int give, unsigned int want) noexcept nogil:
    """Worth of an exchange to a seat, minus part of its worth to the partner."""
    cdef Plans other
    cdef double spite = spite_for(g, t, w, scene, partner)
    cdef double own, theirs
    cdef uint64_t hand
    if spite < 0.0 and give:
        return REFUSED
    hand = seen_hand(g, t, seat, scene.viewer)
    own = swap_gain(w, t, p, hand, hand_worth(w, t, p, hand), bundle(give), bundle(want))
    if own <= 0.0 or not give:          # a gift is judged by its worth to this seat alone
        return own
    plans_of(g, t, w, scene, partner, &other)
    hand = seen_hand(g, t, partner, scene.viewer)
    theirs = swap_gain(w, t, &other, hand, hand_worth(w, t, &other, hand), bundle(want), bundle(give))
    return own - (spite * theirs if theirs > 0.0 else 0.0)


cdef struct Partner:                    # a seat that offers are made to
    Plans plans
    double spite
    uint64_t hand                       # as the public knows it
    double now                          # its worth


cdef inline void find_partners(const Game* g, const Tables* t, const Coefficients* w, const Scene* scene, int seat,
                               Partner* partners) noexcept nogil:
    cdef Partner* one
    cdef int i
    for i in range(t.players):
        if i != seat and (seat == g.on_turn or i == g.on_turn):
            one = &partners[i]
            one.spite = spite_for(g, t, w, scene, i)
            if one.spite >= 0.0 and total(g.seat[i].hand):
                plans_of(g, t, w, scene, i, &one.plans)
                one.hand = seen_hand(g, t, i, NOBODY)
                one.now = hand_worth(w, t, &one.plans, one.hand)


cdef inline double offer_worth(const Game* g, const Tables* t, const Coefficients* w, int seat,
                               const Partner* partners, double own, unsigned int give,
                               unsigned int want) noexcept nogil:
    """Worth of making an offer, with this gain, if some seat is expected to accept."""
    cdef double theirs, spite, chance = 0.0, cost = 0.0
    cdef uint64_t out = bundle(give), back = bundle(want)
    cdef int i
    for i in range(t.players):
        if i == seat or (seat != g.on_turn and i != g.on_turn) or not can_have(g, t, i, back):
            continue
        spite = partners[i].spite
        if spite < 0.0:
            continue
        theirs = swap_gain(w, t, &partners[i].plans, partners[i].hand, partners[i].now, back, out)
        if theirs == REFUSED:           # a stolen card may be the required one
            if chance < 0.15:
                chance = 0.15
        elif theirs - spite * own > w.deal:
            chance = 0.9
            cost = spite * theirs
        elif chance < 0.1:
            chance = 0.1
    return chance * (own - cost)


cdef enum:
    WIN = 100                           # worth of a won game, in points


cdef struct Judge:                      # the seat that chooses a move
    int seat
    Scene scene
    Plans plans
    double x[FEATURES]                  # features of its position
    double base                         # current worth of it
    int points_of_others


cdef inline int others_points(const Game* g, const Tables* t, int seat) noexcept nogil:
    cdef int i, sum = 0
    for i in range(t.players):
        if i != seat:
            sum += g.seat[i].points
    return sum


cdef inline void set_judge(const Game* g, const Tables* t, const Coefficients* w, int seat, bint builds,
                           Judge* j) noexcept nogil:
    """Set the judge; its position only for choices in which the seat builds."""
    j.seat = seat
    set_scene(g, t, seat, &j.scene)
    if not builds:
        plans_of(g, t, w, &j.scene, seat, &j.plans)
        return
    fill_features(g, t, w, &j.scene, seat, j.x, &j.plans)
    j.base = sum_features(w.worth, j.x)
    j.points_of_others = others_points(g, t, seat)


cdef inline double change(const Game* after, const Tables* t, const Coefficients* w, const Judge* j) noexcept nogil:
    """Worth of a position for the judge, relative to the current position."""
    if after.phase == GAME_OVER:
        return WIN if after.winner == j.seat else -WIN
    return (seat_worth(after, t, w, &j.scene, j.seat) - j.base
            + w.rival * (j.points_of_others - others_points(after, t, j.seat)))


cdef inline double try_out(const Game* g, const Tables* t, const Coefficients* w, const Judge* j, Game* twin,
                           move_t move) noexcept nogil:
    memcpy(twin, g, sizeof(Game))
    apply_move(twin, t, move)
    return change(twin, t, w, j)


cdef inline double change_by_hand(const Tables* t, const Coefficients* w, const Judge* j,
                                  uint64_t hand) noexcept nogil:
    """Worth of a position that differs only in the judge's hand, relative to the current position."""
    cdef double x[FEATURES]
    memcpy(x, j.x, sizeof(x))
    weigh_hand(w, t, &j.plans, hand & LANES, total(hand), x)
    return sum_features(w.worth, x) - j.base


cdef inline double card_worth(const Coefficients* w, const Judge* j) noexcept nogil:
    """Expected worth of the next card drawn from the deck of development cards."""
    cdef double chance = <double> j.scene.hidden_points / j.scene.unseen if j.scene.unseen else 0.0
    return chance * w.worth[F_POINTS] + (1.0 - chance) * 1.1 * w.worth[F_CARDS]


cdef inline double two_roads_worth(const Game* g, const Tables* t, const Coefficients* w, const Judge* j,
                                   Game* twin) noexcept nogil:
    """Worth of Road Building: the best first road, then the best second one."""
    cdef Game second
    cdef move_t moves[80]
    cdef move_t pick
    cdef double v, best
    cdef int i, n, _step
    memcpy(twin, g, sizeof(Game))
    apply_move(twin, t, M_PLAY_ROAD_BUILDING)
    best = change(twin, t, w, j)
    for _step in range(2):
        if twin.phase == MAIN or twin.phase == PRE_ROLL or twin.phase == GAME_OVER:
            break
        n = legal_moves(twin, t, moves)
        best = -1e9
        pick = moves[0]
        for i in range(n):
            v = try_out(twin, t, w, j, &second, moves[i])
            if v > best:
                best = v
                pick = moves[i]
        apply_move(twin, t, pick)
    return best


cdef inline double collected_worth(const Game* g, const Tables* t, const Coefficients* w, const Judge* j, Game* twin,
                                   move_t move) noexcept nogil:
    """Worth of Prosperity, including the loss of the seats that give the cards."""
    cdef double v = try_out(g, t, w, j, twin, move)
    cdef int got = (<int> (twin.seat[j.seat].hand >> 48) & 0xFF) - (<int> (g.seat[j.seat].hand >> 48) & 0xFF)
    return v + 0.04 * got


cdef inline double average_roll(const Game* g, const Tables* t, const Coefficients* w, const Judge* j,
                                Game* twin) noexcept nogil:
    """Expected worth of rolling the dice, the baseline for a total named by the Liahona."""
    cdef double sum = 0.0
    cdef int dice
    for dice in range(2, 13):
        if dice != 7:
            memcpy(twin, g, sizeof(Game))
            twin.seat[j.seat].dev += <uint64_t> 1 << 56     # replaces the card that the move takes
            twin.seat[j.seat].dev += <uint64_t> 1 << (8 * LIAHONA)
            apply_move(twin, t, M_PLAY_LIAHONA + dice - 2)
            sum += (dice - 1 if dice < 7 else 13 - dice) / 36.0 * change(twin, t, w, j)
    return sum


cdef inline void weigh_offers(const Game* g, const Tables* t, const Coefficients* w, const Judge* j, Deals* d,
                              double* worth) noexcept nogil:
    """List the offers that the judge may make, with their worth."""
    cdef Partner partners[SEATS]
    cdef uint64_t hand = g.seat[j.seat].hand
    cdef double now
    cdef int i
    cdef bint any = False
    find_deals(g, t, &j.plans, j.seat, d)
    if d.n == 0:
        return
    now = hand_worth(w, t, &j.plans, hand & LANES)
    for i in range(d.n):
        worth[i] = swap_gain(w, t, &j.plans, hand, now, bundle(d.give[i]), bundle(d.want[i]))
        if worth[i] <= w.deal:
            worth[i] = 0.0
            continue
        if not any:
            find_partners(g, t, w, &j.scene, j.seat, partners)
            any = True
        worth[i] = offer_worth(g, t, w, j.seat, partners, worth[i], d.give[i], d.want[i])


cdef inline int choice_of(const Deals* d, const double* worth, int skip) noexcept nogil:
    """The best offer after the `skip` best ones, which were made already; -1: none."""
    cdef int i, _round, pick = -1
    cdef bint used[8]
    for i in range(8):
        used[i] = False
    for _round in range(skip + 1):
        pick = -1
        for i in range(d.n):
            if not used[i] and worth[i] > 0.0 and (pick < 0 or worth[i] > worth[pick]):
                pick = i
        if pick < 0:
            return -1
        used[pick] = True
    return pick


cdef inline double partner_gain(const Game* g, const Tables* t, const Coefficients* w, const Judge* j,
                                int seat) noexcept nogil:
    """Worth to the seat on turn of a deal with a seat that accepted, or that made a counter-offer."""
    if answer_of(g, seat) == ACCEPTED:
        return deal_gain(g, t, w, &j.scene, j.seat, &j.plans, seat, g.give[j.seat], g.want[j.seat])
    return deal_gain(g, t, w, &j.scene, j.seat, &j.plans, seat, g.want[seat], g.give[seat])


cdef inline uint64_t pay_with_bank(uint64_t hand, uint64_t cost, uint64_t rate) noexcept nogil:
    """The hand (lanes) after a purchase that it can pay for with the bank's help."""
    cdef int r, n, give, most
    hand &= LANES
    for r in range(RESOURCES):
        while count_of(hand, r) < count_of(cost, r):
            most = 0
            for n in range(RESOURCES):
                if count_of(hand, n) - count_of(cost, n) - count_of(rate, n) >= most:
                    most = count_of(hand, n) - count_of(cost, n) - count_of(rate, n)
                    give = n
            hand += lane(r) - lane(give) * <uint64_t> count_of(rate, give)
    return hand - (cost & LANES)


cdef inline double swap_worth(const Game* g, const Tables* t, const Coefficients* w, const Judge* j, int give,
                              int get) noexcept nogil:
    """Worth of a bank trade as the first step of the best purchase that it allows; below 0 if it allows none."""
    cdef uint64_t hand = g.seat[j.seat].hand & LANES
    cdef uint64_t rate = j.plans.means.rate
    cdef uint64_t after = hand - lane(give) * <uint64_t> count_of(rate, give) + lane(get)
    cdef double v, now = hand_worth(w, t, &j.plans, hand), best = -1.0
    cdef int i
    for i in range(j.plans.n):
        if count_of(hand, get) < count_of(j.plans.cost[i], get) and can_pay(after, j.plans.cost[i], j.plans.means.part):
            v = j.plans.worth[i] + hand_worth(w, t, &j.plans, pay_with_bank(after, j.plans.cost[i], rate)) - now
            best = v if v > best else best
    return best


cdef inline double turn_move(const Game* g, const Tables* t, const Coefficients* w, const Judge* j,
                             const Targets* targets, Game* twin, move_t move) noexcept nogil:
    """Worth of a move in the seat's own turn, relative to doing nothing."""
    cdef int code = <int> move
    cdef int give, get
    cdef double v
    cdef uint64_t hand = g.seat[j.seat].hand
    if code == M_ROLL or code == M_END_TURN:
        return 0.0
    if M_BANK_TRADE <= code < M_PLAY_WARRIOR:
        give = (code - M_BANK_TRADE) // RESOURCES
        get = (code - M_BANK_TRADE) % RESOURCES
        hand += card(get) - card(give) * <uint64_t> count_of(j.plans.means.rate, give)
        return at_least(swap_worth(g, t, w, j, give, get) - 0.01, change_by_hand(t, w, j, hand))
    if code == M_BUY_DEV:
        return change_by_hand(t, w, j, hand - t.card_cost) + card_worth(w, j)
    if code == M_PLAY_WARRIOR:
        v = try_out(g, t, w, j, twin, move)
        if twin.phase != GAME_OVER:
            v += best_robbery(g, t, w, j.seat, targets)
            if g.phase == PRE_ROLL and not robbed_dots(g, t, j.seat):
                return v - 1.0          # better after the dice, with more information (ZAR-23.14)
        return v
    if code == M_PLAY_HARVEST:
        best_take(g, t, w, &j.plans, hand, 2, 0, &v)
        v += try_out(g, t, w, j, twin, move) - hand_worth(w, t, &j.plans, hand & LANES) - 0.1
    elif code == M_PLAY_ROAD_BUILDING:
        v = two_roads_worth(g, t, w, j, twin)
        if v > WIN / 2:
            return v
    elif M_PLAY_PROSPERITY <= code < M_PLAY_PROSPERITY + RESOURCES:
        v = collected_worth(g, t, w, j, twin, move) - 0.1
    elif M_PLAY_LIAHONA <= code < M_PLAY_LIAHONA + 11:
        if code == M_PLAY_LIAHONA + 5:
            memcpy(twin, g, sizeof(Game))
            twin.seat[j.seat].dev -= (<uint64_t> 1 << 56) + (<uint64_t> 1 << (8 * LIAHONA))
            v = change(twin, t, w, j) + best_robbery(g, t, w, j.seat, targets)
        else:
            v = try_out(g, t, w, j, twin, move)
        return v - average_roll(g, t, w, j, twin) - 0.05
    elif code == M_TEMPLE_STONE:
        v = try_out(g, t, w, j, twin, move)
        if v > WIN / 2 or total(hand) > t.discard_limit:
            return v                    # before the dice only to win, or when a seven would cost the cards
    else:
        return try_out(g, t, w, j, twin, move)
    return v - 1.0 if g.phase == PRE_ROLL else v


cdef inline void score_trade(const Game* g, const Tables* t, const Coefficients* w, const Judge* j, const move_t* moves,
                             int n, double* out) noexcept nogil:
    """Fill the worth of offers, answers, and the choice among answers."""
    cdef Deals d
    cdef double worth[8]
    cdef int i, k, pick, code
    if g.phase == TRADE_COMPOSE:
        weigh_offers(g, t, w, j, &d, worth)
        for i in range(n):
            out[i] = -0.5
        for k in range(d.n):
            code = next_step(g, j.seat, d.give[k], d.want[k])
            for i in range(n):
                if <int> moves[i] == code and worth[k] > out[i]:
                    out[i] = worth[k]
        pick = choice_of(&d, worth, g.offers - 1 if j.seat == g.on_turn else 0)
        if pick >= 0:
            code = next_step(g, j.seat, d.give[pick], d.want[pick])
            for i in range(n):
                if <int> moves[i] == code:
                    out[i] += 0.5
        return
    for i in range(n):
        code = <int> moves[i]
        if code == M_TRADE_ACCEPT:
            out[i] = deal_gain(g, t, w, &j.scene, j.seat, &j.plans, g.on_turn, g.want[g.on_turn], g.give[g.on_turn])
            if g.want[g.on_turn]:
                out[i] -= w.deal
        elif code == M_TRADE_COUNTER:
            out[i] = -0.2
            weigh_offers(g, t, w, j, &d, worth)
            pick = choice_of(&d, worth, 0) if d.n else -1
            if pick >= 0:
                out[i] = 0.8 * worth[pick] - 0.5 * w.deal
        elif M_TRADE_PICK <= code < M_TRADE_NO_DEAL:
            out[i] = partner_gain(g, t, w, j, code - M_TRADE_PICK) - w.deal
        else:
            out[i] = 0.0


cdef inline int wins_by_itself(const Game* g, const Tables* t, const Coefficients* w, int depth,
                               int* budget) noexcept nogil:
    """First move of a sequence of builds, bank trades and cards that surely wins this turn, or -1."""
    cdef Game twin
    cdef move_t moves[80]
    cdef int i, n, code
    n = legal_moves(g, t, moves)
    for i in range(n):
        code = <int> moves[i]
        if code == M_ROLL or code == M_END_TURN or code == M_BUY_DEV or code == M_PLAY_HARVEST or (
                code >= M_PLAY_PROSPERITY):
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return -1
        memcpy(&twin, g, sizeof(Game))
        apply_move(&twin, t, moves[i])
        if twin.phase == GAME_OVER:
            return code
        if depth > 1 and (twin.phase == MAIN or twin.phase == PRE_ROLL or twin.phase == FREE_ROADS) and wins_by_itself(
                &twin, t, w, depth - 1, budget) >= 0:
            return code
    return -1


cdef inline int winning_move(const Game* g, const Tables* t, const Coefficients* w) noexcept nogil:
    """First move of a sure win in this turn, or -1; searched only near the target."""
    cdef int budget = 300, depth, code
    cdef int missing = t.target - g.seat[g.on_turn].points - secret_points(g, t, g.on_turn)
    if g.phase != MAIN and g.phase != PRE_ROLL or missing > 4:
        return -1
    for depth in range(1, 5):
        code = wins_by_itself(g, t, w, depth, &budget)
        if code >= 0 or budget < 0:
            return code
    return -1


cdef inline bint leads_to_robbery(const move_t* moves, int n) noexcept nogil:
    """Whether a card among the moves moves the robber."""
    cdef int i
    for i in range(n):
        if moves[i] == M_PLAY_WARRIOR or moves[i] == M_PLAY_LIAHONA + 5:
            return True
    return False


cdef inline void score_moves(const Game* g, const Tables* t, const Coefficients* w, const move_t* moves, int n,
                             double* out) noexcept nogil:
    """Worth of each move to the deciding seat: in points, or in dots for the first settlements and their roads."""
    cdef Judge j
    cdef Game twin
    cdef Targets targets
    cdef Deals d
    cdef double worth[8]
    cdef double v
    cdef uint64_t cards
    cdef int i, pick, seat = g.mover, phase = g.phase
    if phase == INIT_SETTLEMENT:
        for i in range(n):
            out[i] = place_worth(g, t, w, seat, <int> moves[i] - M_SETTLE)
        return
    if phase == INIT_ROAD:
        for i in range(n):
            pick = <int> moves[i] - M_ROAD
            out[i] = room_at(g, t, w, g.corner, (<uint64_t> 1 << t.end_a[pick]) | (<uint64_t> 1 << t.end_b[pick]), 0,
                             g.seat[seat].stations)
        return
    pick = winning_move(g, t, w)
    if pick >= 0:
        for i in range(n):
            out[i] = WIN if <int> moves[i] == pick else 0.0
        return
    set_judge(g, t, w, seat, phase < TRADE_COMPOSE and phase != DISCARD and phase != TAKE and phase != ROBBER
              and phase != STEAL, &j)
    if phase >= TRADE_COMPOSE:
        score_trade(g, t, w, &j, moves, n, out)
        return
    if phase == DISCARD or phase == TAKE:
        if phase == DISCARD:
            cards = to_discard(w, t, &j.plans, g.seat[seat].hand, g.left, g.floor)
            pick = M_DISCARD + first_of(cards)
        else:
            cards = best_take(g, t, w, &j.plans, g.seat[seat].hand, g.left, g.floor, &v)
            pick = M_TAKE + first_of(cards)
        for i in range(n):
            out[i] = 0.4 if <int> moves[i] == pick else 0.0
        return
    if phase == ROBBER or phase == STEAL or (phase <= MAIN and leads_to_robbery(moves, n)):
        find_targets(g, t, w, &j.scene, seat, &j.plans, &targets)
    for i in range(n):
        if phase == ROBBER:
            out[i] = robber_worth(g, t, w, seat, &targets, <int> moves[i] - M_MOVE_ROBBER)
        elif phase == STEAL:
            pick = <int> moves[i] - M_STEAL_FROM
            out[i] = targets.loot[pick] if pick < SEATS else -0.5
        elif moves[i] == M_TRADE_OPEN:
            out[i] = -0.5
            weigh_offers(g, t, w, &j, &d, worth)
            pick = choice_of(&d, worth, g.offers) if d.n else -1
            if pick >= 0:
                out[i] = worth[pick] - 0.02
        else:
            out[i] = turn_move(g, t, w, &j, &targets, &twin, moves[i])
