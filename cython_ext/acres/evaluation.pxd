"""A Few Acres of Snow: siege arithmetic, a side's assessment of its position, and win probabilities.

The strength that a side can still add to a siege (FAS-10.7, 11.2, 11.3, 12) is known exactly for one's own hand. For
the other side, the cards that it owns and part of its hand are known: bounds are exact, expectations weight each card
by the chance that it is in hand. Only public data and the own hand are read.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport uint16_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    GOVERN, K_AMBUSH, K_BESIEGE, K_CONVERT, K_DEVELOP, K_DRAFT, K_FORTIFY, K_GOVERN, K_PLACE, K_RAID, K_RESERVE,
    K_SETTLE, MAIN, SHIP, Game, Side, owned, points, raid_ring, raidable, site_bit
)
from sfida.cython_ext.acres.inputs cimport fill_inputs
from sfida.cython_ext.acres.tables cimport (
    ALL_FEATURES, ALL_MODES, F_CAPTURED, F_CUBES, F_DEAD, F_DISCS, F_EXPOSED, F_FOOTHOLD, F_FORCE, F_FRENCH, F_GROWTH,
    F_GUARD, F_HAND_FORCE, F_HOME, F_LEFT, F_MONEY, F_POINTS, F_RACE, F_SETTLERS, F_SIEGE, F_SIZE, F_SUPPORT, F_TURN,
    F_WALLS, FEATURES, FORCE_BITS, MODES, NONE, PURSES, VALUE_BITS, Coefficients, Hold, Style, Tables
)
from sfida.cython_ext.acres.turn cimport defence_at, strength_at
from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.learned cimport MOST_ACTIVE, Net, net_shares, wide_shares
from sfida.cython_ext.state cimport EVERYBODY


cdef enum:
    ECONOMIC = 0                        # the strategy of the search


cdef enum:
    STRONGEST = 8                       # greater strengths count as this


cdef inline uint64_t able(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Cards with strength at a site; those that must be paid for only if the money is there."""
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = h.military
    if t.ship_siege & site_bit(site):
        cards |= h.symbol[SHIP]
    if defends:
        cards |= h.fort
    if h.paid and g.side[s].money < h.siege_pay[lowest(h.paid)]:
        cards &= ~h.paid
    return cards & g.side[s].usable


cdef inline uint64_t martial(const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Cards with strength at a site, usable or not."""
    cdef const Hold* h = &t.hold[s]
    return h.military | (h.symbol[SHIP] if t.ship_siege & site_bit(site) else 0) | (h.fort if defends else 0)


cdef inline int push(const Tables* t, int s, int site, uint64_t cards, int actions) noexcept nogil:
    """Most strength that fighting cards add to a siege of `site` in that many actions, including a Military Leader."""
    cdef int count[STRONGEST + 1]
    cdef int i, force, sum = 0
    if cards & t.hold[s].leader:
        sum = t.hold[s].strength[lowest(cards & t.hold[s].leader)]
        cards &= ~t.hold[s].leader
    for i in range(STRONGEST + 1):
        count[i] = 0
    while cards:
        count[min(<int> STRONGEST, strength_at(t, s, lowest(cards), site))] += 1
        cards &= cards - 1
    for i in range(STRONGEST):
        force = min(actions, count[STRONGEST - i])
        sum += force * (STRONGEST - i)
        actions -= force
    return sum


cdef inline uint64_t unseen(const Side* p) noexcept nogil:
    """Cards in hand or deck whose place only the owner knows."""
    return (p.hand | p.deck) & ~p.known


cdef inline double held_share(const Side* p) noexcept nogil:
    """Chance that an unseen card is in hand."""
    cdef int n = popcount(unseen(p))
    return (<double> p.n_hand - popcount(p.known)) / n if n else 0.0


cdef inline uint64_t callable(const Tables* t, const Side* p) noexcept nogil:
    """Cards of the reserve, if the side can pay for them."""
    return p.reserve if p.money >= t.retrieve_cost * popcount(p.reserve) else 0


cdef inline int most_reply(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Upper bound on the strength that a side adds to a siege within one turn, whatever it holds.

    Money, a way to the site, control of a card's site and one more card each cost an action first.
    """
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = p.hand | p.deck | p.limbo | p.reserve, fresh = p.discard
    cdef int most = 0
    if (h.home_support | h.intendant) & (cards | fresh):
        cards |= p.discard
        fresh |= p.avail | h.neutral
    if p.reach & site_bit(site):
        most = push(t, s, site, cards & able(g, t, s, site, defends), t.turn_actions)
    return max(most, push(t, s, site, (cards | fresh) & martial(t, s, site, defends), max(0, t.turn_actions - 1)))


cdef inline double likely_reply(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Expected strength that a side adds to a siege within one turn, by what the other side knows."""
    cdef const Side* p = &g.side[s]
    cdef uint64_t cards, sure = p.known | callable(t, p)
    cdef double sum, share
    cdef int most
    if not p.reach & site_bit(site):
        return 0.0
    cards = able(g, t, s, site, defends)
    most = push(t, s, site, (sure | unseen(p)) & cards, t.turn_actions)
    sum = push(t, s, site, sure & cards, t.turn_actions)
    share = held_share(p)
    cards &= unseen(p)
    while cards:
        sum += share * strength_at(t, s, lowest(cards), site)
        cards &= cards - 1
    return min(sum, <double> most)


cdef inline double stock(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Strength of all cards outside sieges that could reach a siege of `site` in time."""
    cdef const Side* p = &g.side[s]
    cdef uint64_t cards = (p.hand | p.deck | p.discard | p.reserve) & able(g, t, s, site, defends)
    cdef double sum = 0.0
    if not p.reach & site_bit(site):
        return 0.0
    while cards:
        sum += strength_at(t, s, lowest(cards), site)
        cards &= cards - 1
    return sum


cdef inline double logistic(double x) noexcept nogil:
    return 1.0 / (1.0 + exp(-x))


cdef inline double attack_odds(const Tables* t, const Coefficients* k, double lead, double reply,
                               double edge) noexcept nogil:
    """Chance that the besieger wins when it leaves a siege at `lead`, by the reply and the difference of the stocks."""
    if lead <= -t.defender_wins:
        return k.odds_lost
    return k.odds_least + k.odds_span * logistic(k.odds_slope * (lead - reply - k.odds_attack) + k.odds_edge * edge)


cdef inline double defence_odds(const Tables* t, const Coefficients* k, double lead, double reply,
                                double edge) noexcept nogil:
    """Chance that the defender repels a siege when it leaves it at `lead`."""
    if lead >= t.attacker_wins:
        return k.odds_lost
    return k.odds_least + k.odds_span * logistic(k.odds_slope * (k.odds_defence - lead - reply) + k.odds_edge * edge)


cdef inline bint cannot_strike_first(const Game* g, const Tables* t, int s) noexcept nogil:
    """Whether side `s` can neither win at the start of its next turn nor end the game then."""
    cdef const Side* p = &g.side[s]
    cdef int captured = t.cube_points * p.got_cubes + t.disc_points * p.got_discs
    if g.target[s] != NONE and t.hold[s].victory & site_bit(g.target[s]) and g.lead[s] >= t.attacker_wins:
        return False
    if p.cubes == 0 or p.discs == 0 or g.turns + 3 >= t.max_turns or t.settling_wins:
        return False
    if t.check_after_sieges and g.target[s] != NONE and g.lead[s] >= t.attacker_wins:
        if p.cubes == 1:                # the last cube may be placed where the siege is won
            return False
        captured += t.disc_points if g.side[1 - s].towns & site_bit(g.target[s]) else t.cube_points
    return captured < t.capture_end


cdef inline bint decided(const Game* g, const Tables* t, int s, int lead) noexcept nogil:
    """Whether the side on turn wins its siege of a victory site at `lead` whatever the other side does (FAS-11.15)."""
    return (lead - most_reply(g, t, 1 - s, g.target[s], True) >= t.attacker_wins
            and cannot_strike_first(g, t, 1 - s))


cdef struct Front:                      # a current siege, for one side
    int site                            # a site or NONE
    bint defends
    double stake                        # points between winning and losing it
    double reply                        # expected strength that the other side adds
    double edge                         # strength in stock, own minus the other side's


cdef struct Plan:
    int s
    const Style* style
    const Coefficients* k
    uint64_t keys                       # location cards that open a siege the strategy aims at
    uint64_t dead                       # useless own cards: of sites not held, or not worth a place in the deck
    double left                         # turns that the side can expect
    double late                         # 0..1: fraction of its worth that a card drafted now still yields
    double lead                         # points, own minus the other side's
    double threat                       # 0..1: how far the other side's arms exceed the own
    double share                        # chance that an unseen card of the other side is in its hand
    double money                        # worth of the money held
    uint64_t owned                      # own cards that are not available
    double ambush                       # gain of an ambush besides its costs
    double size                         # price of a draft for the size of the deck
    Front front[2]                      # by besieger


cdef inline double price_of(const Coefficients* k, const Style* style, int money) noexcept nogil:
    """Worth of money in points: first coins, saved coins and idle coins."""
    cdef double purse = style.purse
    cdef double first = min(money, k.money_first_coins), idle = max(0.0, money - purse)
    return k.money_first * first + k.money_saved * (money - first - idle) + k.money_idle * idle


cdef inline double worth_of_money(const Coefficients* k, const Style* style, int money) noexcept nogil:
    return style.coins[money] if 0 <= money < PURSES else price_of(k, style, money)


cdef inline int force_of(const Hold* h, uint64_t cards) noexcept nogil:
    """Total strength of cards."""
    cdef int sum = 0, k
    for k in range(FORCE_BITS):
        sum += popcount(cards & h.force[k]) << k
    return sum


cdef inline int arms(const Tables* t, int s, uint64_t cards) noexcept nogil:
    """Strength of the empire cards in this set."""
    return force_of(&t.hold[s], cards & t.hold[s].military & t.hold[s].empire)


cdef inline double turns_left(const Game* g, const Tables* t, const Coefficients* k) noexcept nogil:
    """Turns that each side can still expect, by the supplies."""
    cdef double left = k.turns_most
    cdef int i
    for i in range(2):
        left = min(left, k.turns_least + k.turns_a_piece * g.side[i].discs,
                   k.turns_least + k.turns_a_piece * g.side[i].cubes)
    return min(left, 0.5 * (t.max_turns - g.turns) + 0.5)      # each side has half of them


cdef inline double stake_of(const Game* g, const Tables* t, const Coefficients* w, int besieger,
                            int site) noexcept nogil:
    """Points between winning and losing a siege of a site, for both sides together."""
    cdef bint town = (g.side[1 - besieger].towns & site_bit(site)) != 0
    cdef int value = t.value[site]
    if t.hold[besieger].victory & site_bit(site):
        return w.victory
    return (value * (t.town_factor if town else 1) + (t.disc_points if town else t.cube_points)
            + w.stake_value * value + w.stake_base)


cdef inline void look_at_front(const Game* g, const Tables* t, const Coefficients* w, int s, int which,
                               Front* f) noexcept nogil:
    cdef int site = g.target[which]
    f.site = site
    if site == NONE:
        return
    f.defends = s != which
    f.stake = stake_of(g, t, w, which, site)
    f.reply = likely_reply(g, t, 1 - s, site, s == which)
    f.edge = stock(g, t, s, site, f.defends) - stock(g, t, 1 - s, site, s == which)


cdef inline double front_odds(const Tables* t, const Coefficients* k, const Front* f, double lead) noexcept nogil:
    """Chance that the side wins its part in a siege when it leaves the marker at `lead`."""
    if f.defends:
        return defence_odds(t, k, lead, f.reply, f.edge)
    return attack_odds(t, k, lead, f.reply, f.edge)


cdef inline double unblocked(const Side* foe, uint64_t blockers, double share) noexcept nogil:
    """Chance that the other side holds none of these cards."""
    cdef int _card
    cdef double chance = 1.0
    if foe.known & blockers:
        return 0.0
    for _card in range(popcount(unseen(foe) & blockers)):
        chance *= 1.0 - share
    return chance


cdef inline double ambush_gain(const Tables* t, const Coefficients* k, const Style* style, int d, const Side* foe,
                               double share) noexcept nogil:
    """Worth of an ambush of side `d` besides its costs."""
    cdef const Hold* h = &t.hold[d]
    cdef double free = unblocked(foe, h.block_ambush, share)
    cdef double none = 0.0 if foe.reserve & h.vulnerable else unblocked(foe, h.vulnerable, share)
    return style.ambush * free * (1.0 - none) * k.ambush_hit + k.ambush_blocked * (1.0 - free)


cdef inline bint plans_for(uint64_t kinds, int kind) noexcept nogil:
    return (kinds >> kind) & 1 != 0


cdef inline void make_plan(const Game* g, const Tables* t, const Coefficients* w, const Style* style, int s,
                           uint64_t kinds, Plan* p) noexcept nogil:
    """Assess the position as far as moves of these kinds (a bit each) are rated by it."""
    cdef const Side* me = &g.side[s]
    cdef const Side* foe = &g.side[1 - s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    cdef int mine, theirs, i
    cdef bint drafts = plans_for(kinds, K_DRAFT), settles = plans_for(kinds, K_SETTLE) or plans_for(kinds, K_PLACE)
    p.s = s
    p.style = style
    p.k = w
    p.dead = h.locations & ~me.sites
    p.keys = 0
    if style.aims & foe.sites:
        cards = (me.hand | me.reserve) & me.usable & h.locations
        while cards:
            i = lowest(cards)
            cards &= cards - 1
            if h.leads[ALL_MODES][i] & style.aims & foe.sites:
                p.keys |= site_bit(i)
    p.money = worth_of_money(w, style, me.money)
    p.front[0].site = NONE
    p.front[1].site = NONE
    if g.besieged:
        for i in range(2):
            look_at_front(g, t, w, s, i, &p.front[i])
    if drafts or settles or g.phase == GOVERN or kinds & (
            1 << K_FORTIFY | 1 << K_BESIEGE | 1 << K_RESERVE | 1 << K_GOVERN):
        p.left = turns_left(g, t, w)
        p.late = min(1.0, p.left / w.late_turns)
    if settles or plans_for(kinds, K_DEVELOP):
        p.lead = points(g, t, s) - points(g, t, 1 - s)
    if drafts or plans_for(kinds, K_FORTIFY):
        mine = arms(t, s, me.hand | me.deck | me.discard | me.reserve | me.siege[0] | me.siege[1])
        theirs = arms(t, 1 - s, foe.hand | foe.deck | foe.discard | foe.reserve | foe.siege[0] | foe.siege[1])
        p.threat = min(1.0, max(0.0, w.threat_slope * (theirs - mine) + w.threat_base))
    if kinds & (1 << K_RAID | 1 << K_AMBUSH | 1 << K_CONVERT):
        p.share = held_share(foe)
    if plans_for(kinds, K_AMBUSH):
        p.ambush = ambush_gain(t, w, style, 1 - s, foe, p.share)
    if drafts:
        p.owned = owned(me)
        p.size = w.draft_size * style.lean * max(0, popcount(p.owned & ~me.reserve) - w.draft_free)


cdef inline double raid_worth(const Game* g, const Tables* t, const Coefficients* k, int s, int site) noexcept nogil:
    """Worth of a raid on a site in points, including the other side's loss."""
    cdef double value = t.value[site]
    if g.side[1 - s].towns & site_bit(site):
        return t.disc_points + value * (t.town_factor - 1) + k.raid_base
    return t.cube_points + value + k.raid_base


cdef inline uint64_t raid_reach(const Game* g, const Tables* t, int s, int steps) noexcept nogil:
    """Enemy sites that a raid of that many connections can reach."""
    cdef uint64_t seen = 0, ring = 0, found = 0
    cdef int _step
    for _step in range(steps + t.raid_bonus):
        ring = raid_ring(g, t, s, &seen, ring)
        if not ring:
            break
        found |= ring
    return found & raidable(g, t, s)


cdef inline int raid_strength(const Tables* t, const Coefficients* k, int s, const Side* p) noexcept nogil:
    """Number of a side's cards for raids, up to a bound; 0 if none may launch one."""
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = p.hand | p.deck | p.discard | p.reserve
    if not cards & h.raid:
        return 0
    return min(k.raid_most, popcount(cards & (h.raid | h.raid_extra)))


cdef inline double siege_chance(const Game* g, const Tables* t, const Coefficients* w, int s, int card_site, int site,
                                uint64_t cards, int actions) noexcept nogil:
    """Chance to win a siege opened now with these cards of the own side, without the location card.

    The weakest card with the required transport is assumed to be spent on it.
    """
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t rest = cards & ~site_bit(card_site), movers = 0, fight, bit, best = 0
    cdef int mode, low = 100, force, lead
    for mode in range(MODES):
        if h.link[card_site][mode] & site_bit(site):
            movers = rest & h.symbol[mode] & g.side[s].usable
    fight = able(g, t, s, site, False)
    while movers:
        bit = movers & (0 - movers)
        movers ^= bit
        force = h.strength[lowest(bit)] if bit & fight else 0
        if bit & h.settler:
            force += w.settler_force  # settlers are needed afterwards
        if force < low:
            low = force
            best = bit
    if not best:
        return 0.0
    rest &= ~best & fight
    if not rest:
        return 0.0
    if not g.side[s].reach & site_bit(site):
        actions = 1
    lead = push(t, s, site, rest, actions) - defence_at(g, t, site)
    # a siege takes time: cards not yet in hand come later, but the defender answers first
    return attack_odds(t, w, lead, likely_reply(g, t, 1 - s, site, True),
                       stock(g, t, s, site, False) - stock(g, t, 1 - s, site, True))


cdef inline double siege_hope(const Game* g, const Tables* t, const Coefficients* c, int which,
                              int viewer) noexcept nogil:
    """Chance that the besieger wins a siege.

    The side on turn adds what it still can, as far as `viewer` knows; then the other side replies.
    """
    cdef int s = g.on_turn, site = g.target[which], lead = g.lead[which]
    cdef bint defends = s != which
    cdef const Side* me = &g.side[s]
    cdef double reply = likely_reply(g, t, 1 - s, site, not defends)
    cdef double edge = stock(g, t, s, site, defends) - stock(g, t, 1 - s, site, not defends)
    cdef double more = 0.0
    if g.phase <= MAIN or g.actions:
        if viewer == s or viewer == EVERYBODY:
            if me.reach & site_bit(site):
                more = push(t, s, site, (me.hand | callable(t, me)) & able(g, t, s, site, defends), g.actions)
        else:
            more = likely_reply(g, t, s, site, defends) * g.actions / t.turn_actions
    if defends:
        return 1.0 - defence_odds(t, c, lead - more, reply, edge)
    if g.lead[which] >= t.attacker_wins and decided(g, t, s, lead):
        return 1.0
    return attack_odds(t, c, lead + more, reply, edge)


cdef inline void fill_features(const Game* g, const Tables* t, const Coefficients* w, int s, int viewer,
                               double* x) noexcept nogil:
    """Fill the features of a side that the win probabilities read."""
    cdef const Side* me = &g.side[s]
    cdef const Side* foe = &g.side[1 - s]
    cdef const Hold* h = &t.hold[s]
    cdef const Style* style = &t.style[ECONOMIC][s]
    cdef const Coefficients* c = w
    cdef uint64_t deck = me.hand | me.deck | me.discard | me.limbo, cards, sites
    cdef int n = popcount(deck), k, steps, site
    cdef double late, hope, hand = c.share_hand
    x[F_POINTS] = points(g, t, s)
    late = 1.0 / (1.0 + c.share_late * turns_left(g, t, c))
    x[F_RACE] = x[F_POINTS] * late
    sites = me.sites & ~me.towns
    x[F_GROWTH] = 0.0
    for k in range(VALUE_BITS):
        x[F_GROWTH] += popcount(sites & t.worth[k]) << k
    x[F_GROWTH] *= 1.0 - late
    x[F_CAPTURED] = max(0.0, t.cube_points * me.got_cubes + t.disc_points * me.got_discs
                        - t.capture_end / c.share_captured)
    x[F_MONEY] = worth_of_money(c, style, me.money)
    cards = deck | me.reserve | me.siege[0] | me.siege[1]
    x[F_FORCE] = sqrt(arms(t, s, cards))
    x[F_GUARD] = min(c.share_guard, popcount(deck & (h.block_raid | h.block_ambush)) * hand / max(c.share_hand, n))
    x[F_DEAD] = popcount(deck & h.locations & ~me.sites)
    x[F_SIZE] = max(0, n - c.share_size)
    x[F_SETTLERS] = popcount(deck & h.settler & me.usable) * hand / max(c.share_hand, n)
    x[F_SUPPORT] = (deck & h.home_support) != 0
    x[F_WALLS] = popcount(g.forts & me.sites)
    x[F_EXPOSED] = 0.0
    steps = raid_strength(t, c, 1 - s, foe)
    if steps:
        sites = raid_reach(g, t, 1 - s, steps)
        while sites:
            x[F_EXPOSED] += raid_worth(g, t, c, 1 - s, lowest(sites))
            sites &= sites - 1
    sites = me.sites & me.usable & h.locations
    x[F_FOOTHOLD] = 0.0
    while sites:
        site = lowest(sites)
        sites &= sites - 1
        for k in range(MODES):
            if h.link[site][k] & h.victory & foe.sites:
                x[F_FOOTHOLD] = 1.0
    x[F_SIEGE] = 0.0
    x[F_HOME] = 0.0
    if g.target[s] != NONE and g.besieged & site_bit(g.target[s]):
        hope = siege_hope(g, t, c, s, viewer)
        if h.victory & site_bit(g.target[s]):
            x[F_HOME] = hope
        else:
            x[F_SIEGE] = hope * stake_of(g, t, w, s, g.target[s])
    x[F_TURN] = g.on_turn == s


cdef inline void fill_further(const Game* g, const Tables* t, const Coefficients* w, int s, int viewer,
                              double* x) noexcept nogil:
    """Fill the features of a hand: the viewer's own exactly, otherwise the known part and its share of the rest."""
    cdef const Side* me = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t sure = me.known, rest = unseen(me)
    cdef double share = 0.0
    if viewer == s or viewer == EVERYBODY:
        sure = me.hand
    else:
        share = held_share(me)
    x[F_FRENCH] = s
    x[F_LEFT] = turns_left(g, t, w)
    x[F_CUBES] = me.cubes
    x[F_DISCS] = me.discs
    x[F_HAND_FORCE] = force_of(h, sure) + share * force_of(h, rest)


cdef inline void evaluate_position(const Game* g, const Tables* t, const Coefficients* w, const Net* net, int viewer,
                                   double* win, double* score) noexcept nogil:
    """Compute win probabilities and expected points, by what `viewer` may know."""
    cdef double x[2][ALL_FEATURES]
    cdef uint16_t active[MOST_ACTIVE]
    cdef double sum = -w.french, hope
    cdef int i, s
    for s in range(2):
        fill_features(g, t, w, s, viewer, x[s])
        score[s] = x[s][F_POINTS] + x[s][F_SIEGE] + w.score_growth * x[s][F_GROWTH]
    if net != NULL:
        for s in range(2):
            fill_further(g, t, w, s, viewer, x[s])
        if net.wide != NULL:
            wide_shares(net.wide, &x[0][0], active, fill_inputs(g, t, viewer, active), 0, ~0U, win)
        else:
            net_shares(net, &x[0][0], ~0U, win)
        return
    for i in range(FEATURES):
        sum += w.win[i] * (x[0][i] - x[1][i])
    # a siege of a victory site counts by itself, by its chance of success
    if sum > w.share_range:
        sum = w.share_range
    elif sum < -w.share_range:
        sum = -w.share_range
    win[0] = logistic(sum)
    for s in range(2):
        hope = x[s][F_HOME]
        win[0] = win[0] * (1.0 - hope) + (1.0 - s) * hope
    win[1] = 1.0 - win[0]
