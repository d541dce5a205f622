"""A Few Acres of Snow knowledge: what a side that is to decide thinks of its position.

Only public data and its own hand are read: of the other side's cards those it owns, and which of them are known to
be in hand.
"""

from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport BATEAU, MODES, NONE, SHIP, WAGON, Game, Hold, Side, Tables, site_bit
from sfida.cython_ext.acres.map cimport points, raid_ring, raidable
from sfida.cython_ext.acres.odds cimport able, attack_odds, defence_odds, held_share, likely_reply, push, stock, unseen
from sfida.cython_ext.acres.weights cimport Coefficients, Style, Weights
from sfida.cython_ext.bits cimport lowest, popcount


cdef struct Front:                      # a siege that runs, for one side
    int site                            # or NONE
    bint defends
    double stake                        # points between winning and losing it
    double reply                        # strength that the other side may be expected to add
    double edge                         # strength in stock, own less the other's


cdef struct Plan:
    int s
    const Style* style
    const Coefficients* k
    uint64_t keys                       # location cards that lead to a siege the strategy is about
    uint64_t dead                       # own cards that are no use: sites not held, or not worth a place in the deck
    double left                         # turns that the side may expect to have
    double late                         # 0..1: share of its worth that a card drafted now still brings
    double lead                         # points, own less the other's
    double threat                       # 0..1: how much stronger the other side is in arms
    double share                        # chance that an unseen card of the other side is in its hand
    double money                        # worth of the money held
    Front front[2]                      # by besieger


cdef inline double worth_of_money(const Coefficients* k, const Style* style, int money) noexcept nogil:
    """Points that money is worth: what is needed most, what is well saved, what is idle."""
    cdef double purse = style.k.purse
    cdef double first = min(money, k.money_first_coins), idle = max(0.0, money - purse)
    return k.money_first * first + k.money_saved * (money - first - idle) + k.money_idle * idle


cdef inline int arms(const Tables* t, int s, uint64_t cards) noexcept nogil:
    """Strength of the empire cards among these."""
    cdef const Hold* h = &t.hold[s]
    cdef int sum = 0
    cards &= h.military & h.empire
    while cards:
        sum += h.strength[lowest(cards)]
        cards &= cards - 1
    return sum


cdef inline double turns_left(const Game* g, const Tables* t, const Coefficients* k) noexcept nogil:
    """Turns that each side may still expect, by the supplies."""
    cdef double left = k.turns_most
    cdef int i
    for i in range(2):
        left = min(left, k.turns_least + k.turns_a_piece * g.side[i].discs,
                   k.turns_least + k.turns_a_piece * g.side[i].cubes)
    return min(left, 0.5 * (t.max_turns - g.turns) + 0.5)      # its half of them


cdef inline double stake_of(const Game* g, const Tables* t, const Weights* w, int besieger, int site) noexcept nogil:
    """Points between winning and losing a siege of a site, for both sides together."""
    cdef bint town = (g.side[1 - besieger].towns & site_bit(site)) != 0
    cdef int value = t.value[site]
    if t.hold[besieger].victory & site_bit(site):
        return w.victory
    return (value * (t.town_factor if town else 1) + (t.disc_points if town else t.cube_points)
            + w.k.stake_value * value + w.k.stake_base)


cdef inline void look_at_front(const Game* g, const Tables* t, const Weights* w, int s, int which,
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
    """Chance that the side gets its way in a siege when it leaves the marker at `lead`."""
    if f.defends:
        return defence_odds(t, k, lead, f.reply, f.edge)
    return attack_odds(t, k, lead, f.reply, f.edge)


cdef inline void make_plan(const Game* g, const Tables* t, const Weights* w, const Style* style, int s,
                           Plan* p) noexcept nogil:
    cdef const Side* me = &g.side[s]
    cdef const Side* foe = &g.side[1 - s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    cdef int mine, theirs, i
    p.s = s
    p.style = style
    p.k = &w.k
    p.dead = h.locations & ~me.sites
    p.keys = 0
    if style.aims & foe.sites:
        cards = (me.hand | me.reserve) & me.usable & h.locations
        while cards:
            i = lowest(cards)
            cards &= cards - 1
            if (h.link[i][BATEAU] | h.link[i][WAGON] | h.link[i][SHIP]) & style.aims & foe.sites:
                p.keys |= site_bit(i)
    p.left = turns_left(g, t, &w.k)
    p.late = min(1.0, p.left / w.k.late_turns)
    p.lead = points(g, t, s) - points(g, t, 1 - s)
    mine = arms(t, s, me.hand | me.deck | me.discard | me.reserve | me.siege[0] | me.siege[1])
    theirs = arms(t, 1 - s, foe.hand | foe.deck | foe.discard | foe.reserve | foe.siege[0] | foe.siege[1])
    p.threat = min(1.0, max(0.0, w.k.threat_slope * (theirs - mine) + w.k.threat_base))
    p.share = held_share(foe)
    p.money = worth_of_money(&w.k, style, me.money)
    p.front[0].site = NONE
    p.front[1].site = NONE
    if g.besieged:
        for i in range(2):
            look_at_front(g, t, w, s, i, &p.front[i])


cdef inline double unblocked(const Side* foe, uint64_t blockers, double share) noexcept nogil:
    """Chance that the other side holds none of these cards."""
    cdef int _card
    cdef double chance = 1.0
    if foe.known & blockers:
        return 0.0
    for _card in range(popcount(unseen(foe) & blockers)):
        chance *= 1.0 - share
    return chance


cdef inline double raid_worth(const Game* g, const Tables* t, const Coefficients* k, int s, int site) noexcept nogil:
    """Points that a raid of a site brings, the other side's loss included."""
    cdef double value = t.value[site]
    if g.side[1 - s].towns & site_bit(site):
        return t.disc_points + value * (t.town_factor - 1) + k.raid_base
    return t.cube_points + value + k.raid_base


cdef inline uint64_t raid_reach(const Game* g, const Tables* t, int s, int steps) noexcept nogil:
    """Enemy sites that a raid of so many connections could go to."""
    cdef uint64_t seen = 0, ring = 0, found = 0
    cdef int _step
    for _step in range(steps + t.raid_bonus):
        ring = raid_ring(g, t, s, &seen, ring)
        if not ring:
            break
        found |= ring
    return found & raidable(g, t, s)


cdef inline int raid_strength(const Tables* t, const Coefficients* k, int s, const Side* p) noexcept nogil:
    """Cards that a side owns for raids, up to a bound; 0 if none may launch one."""
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = p.hand | p.deck | p.discard | p.reserve
    if not cards & h.raid:
        return 0
    return min(k.raid_most, popcount(cards & (h.raid | h.raid_extra)))


cdef inline double siege_chance(const Game* g, const Tables* t, const Weights* w, int s, int card_site, int site,
                                uint64_t cards, int actions) noexcept nogil:
    """Chance to win a siege opened now, with these cards of the own side less the location card.

    The transport is taken to be the weakest card that offers it.
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
            force += w.k.settler_force  # settlers are wanted afterwards
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
    lead = push(t, s, site, rest, actions) - t.intrinsic - t.defence[site]
    if g.forts & site_bit(site):
        lead -= t.fort_defence
    # a siege lasts: what is not in hand yet comes later, but the defender answers first
    return attack_odds(t, &w.k, lead, likely_reply(g, t, 1 - s, site, True),
                       stock(g, t, s, site, False) - stock(g, t, 1 - s, site, True))
