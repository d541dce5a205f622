"""A Few Acres of Snow knowledge: siege arithmetic (FAS-10.7, 11.2, 11.3, 12).

What a side can still add to a siege is known exactly of one's own hand. Of the other side the cards that it owns are
known, and some of its hand: bounds are exact, expectations weigh each card by the chance that it is in hand.
"""

from libc.math cimport exp
from libc.stdint cimport uint64_t

from sfida.cython_ext.acres.board cimport Game, Hold, NONE, SHIP, Side, Tables, site_bit
from sfida.cython_ext.acres.sieges cimport strength_at
from sfida.cython_ext.acres.weights cimport Coefficients
from sfida.cython_ext.bits cimport lowest, popcount


cdef enum:
    STRONGEST = 8                       # strengths above count as this


cdef inline uint64_t able(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Cards with strength at a site, those that must be paid only if the money is there."""
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
    """Most strength that fighting cards add to a siege of `site` with so many actions, a Military Leader besides."""
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
    """Cards in hand or deck, no one but the owner knows where."""
    return (p.hand | p.deck) & ~p.known


cdef inline double held_share(const Side* p) noexcept nogil:
    """Chance that one of the unseen cards is in hand."""
    cdef int n = popcount(unseen(p))
    return (<double> p.n_hand - popcount(p.known)) / n if n else 0.0


cdef inline uint64_t callable(const Tables* t, const Side* p) noexcept nogil:
    """Cards of the reserve, if they can be paid for."""
    return p.reserve if p.money >= t.retrieve_cost * popcount(p.reserve) else 0


cdef inline int most_reply(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Bound on the strength that a side adds to a siege within one turn, whatever it holds.

    Money, a way to the site, control of a card's site or one more card each cost an action first.
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
    """Strength that a side may be expected to add to a siege within one turn, by what the other side knows."""
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
    """Strength of all cards outside sieges that could come into a siege of `site` in time."""
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
    """Chance that a siege is won whose besieger leaves it at `lead`, by the reply and the stocks' difference."""
    if lead <= -t.defender_wins:
        return k.odds_lost
    return k.odds_least + k.odds_span * logistic(k.odds_slope * (lead - reply - k.odds_attack) + k.odds_edge * edge)


cdef inline double defence_odds(const Tables* t, const Coefficients* k, double lead, double reply,
                                double edge) noexcept nogil:
    """Chance that a siege is repelled whose defender leaves it at `lead`."""
    if lead >= t.attacker_wins:
        return k.odds_lost
    return k.odds_least + k.odds_span * logistic(k.odds_slope * (k.odds_defence - lead - reply) + k.odds_edge * edge)


cdef inline bint cannot_strike_first(const Game* g, const Tables* t, int s) noexcept nogil:
    """Side `s` neither wins at the start of its next turn nor ends the game then."""
    cdef const Side* p = &g.side[s]
    cdef int captured = t.cube_points * p.got_cubes + t.disc_points * p.got_discs
    if g.target[s] != NONE and t.hold[s].victory & site_bit(g.target[s]) and g.lead[s] >= t.attacker_wins:
        return False
    if p.cubes == 0 or p.discs == 0 or g.turns + 3 >= t.max_turns or t.settling_wins:
        return False
    if t.check_after_sieges and g.target[s] != NONE and g.lead[s] >= t.attacker_wins:
        if p.cubes == 1:                # the last cube may go where the siege is won
            return False
        captured += t.disc_points if g.side[1 - s].towns & site_bit(g.target[s]) else t.cube_points
    return captured < t.capture_end


cdef inline bint decided(const Game* g, const Tables* t, int s, int lead) noexcept nogil:
    """The side on turn wins its siege of a victory site at `lead`, whatever the other side does (FAS-11.15)."""
    return (lead - most_reply(g, t, 1 - s, g.target[s], True) >= t.attacker_wins
            and cannot_strike_first(g, t, 1 - s))
