"""A Few Acres of Snow: legal moves (FAS-17.3). A first choice is listed only if the action can be completed."""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    AMBUSH_LOSS, AMBUSH_RESPONSE, BRITISH, COINS, DISCARDS, FROM_HAND, FROM_RESERVE, FURS, GIVE_ZONE, GOVERN, K_ALLOW,
    K_ALSO, K_AMBUSH, K_BESIEGE, K_BLOCK, K_CONVERT, K_DEVELOP, K_DISCARD, K_DRAFT, K_DRAW, K_END, K_FORTIFY, K_GIVE,
    K_GOVERN, K_HOME, K_INTENDANT, K_LEADER, K_LEAVE, K_LOSE, K_MERCHANT, K_MONEY, K_PASS, K_PICK, K_PIRACY, K_PLACE,
    K_RAID, K_REINFORCE, K_RESERVE, K_RESOLVE, K_RETRIEVE, K_RETURN, K_SETTLE, K_SETTLER, K_SHOW, K_STOP, K_STRENGTH,
    K_TRADER, K_TRANSPORT, K_WITHDRAW, MAIN, ORDER, RAID_RESPONSE, RAIDERS, REFILL, SETTLER, SHIP, SIEGE_LOSS,
    SIEGE_SETTLE, SKIP_REFILL, STRENGTH, TRANSPORT, Game, Side, code, one_each, points, raid_further, raid_ring,
    raidable, site_bit
)
from sfida.cython_ext.acres.tables cimport MODES, NEUTRALS, NONE, PURSES, Hold, Tables
from sfida.cython_ext.acres.turn cimport fighters, loss_choices
from sfida.cython_ext.bits cimport lowest, popcount
from sfida.cython_ext.state cimport move_t


cdef inline bint pair(uint64_t a, uint64_t b) noexcept nogil:
    """Whether there are two different cards, one of each set."""
    cdef uint64_t both = a | b
    return a != 0 and b != 0 and (both & (both - 1)) != 0


cdef inline move_t* put_cards(move_t* out, const Hold* h, int kind, uint64_t cards, int place) noexcept nogil:
    """Add a move for every type among `cards`, which hold at most one copy of each."""
    while cards:
        out[0] = code(kind, h.type_of[lowest(cards)], place)
        out += 1
        cards &= cards - 1
    return out


cdef inline move_t* put_sites(move_t* out, int kind, int card, uint64_t sites) noexcept nogil:
    while sites:
        out[0] = code(kind, card, lowest(sites))
        out += 1
        sites &= sites - 1
    return out


cdef inline uint64_t live(const Side* p) noexcept nogil:
    """Cards in hand that the side may use (FAS-6)."""
    return p.hand & p.usable


cdef inline uint64_t from_floor(const Game* g, const Hold* h, uint64_t cards) noexcept nogil:
    """Cards of the type chosen last or of a later one."""
    return cards & h.onward[g.floor]


# ---- raids and their cards ------------------------------------------------------------------------------------------


cdef inline int raid_force(const Hold* h, uint64_t cards, int money, bint true_raid) noexcept nogil:
    """Largest number of these cards in one raid; 0 if none of them may launch it."""
    cdef int natives = min(popcount(cards & h.natives), money // max(1, h.native_pay))
    cdef uint64_t others = cards & (h.raid | h.raid_extra) & ~h.natives
    if natives <= 0:
        natives = 0
        if not true_raid and not others & h.raid:
            return 0
    return natives + popcount(others)


cdef inline uint64_t raid_choices(const Game* g, const Tables* t, int s) noexcept nogil:
    """Cards that may be chosen next such that the raid can still be completed."""
    cdef uint32_t further = raid_further(g, t) & ~<uint32_t> 1 if t.any_route else <uint32_t> 1 << g.need, counts
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = from_floor(g, h, p.hand & (h.raid | h.raid_extra)), left = one_each(h, cards), found = 0
    cdef uint64_t bit, rest
    cdef int slot, pay, need
    cdef bint launched
    while left:
        slot = lowest(left)
        bit = left & (0 - left)
        left ^= bit
        pay = h.use_pay[slot]
        if pay > p.money:
            continue
        rest = (cards ^ bit) & h.onward[slot]
        launched = g.true_raid or (bit & h.raid) != 0
        counts = further
        while counts and not found & bit:
            need = lowest(counts)
            counts &= counts - 1
            if launched if need == 1 else raid_force(h, rest, p.money - pay, launched) >= need - 1:
                found |= bit
    return found


cdef inline move_t* put_raids(const Game* g, const Tables* t, int s, move_t* out) noexcept nogil:
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = p.hand & (h.raid | h.raid_extra), seen = 0, ring = 0
    cdef int force, _i
    if not cards & h.raid:
        return out
    force = raid_force(h, cards, p.money, False)
    if force == 0:
        return out
    for _i in range(force + t.raid_bonus):
        ring = raid_ring(g, t, s, &seen, ring)
        if not ring:
            break
        out = put_sites(out, K_RAID, 0, ring & raidable(g, t, s))
    return out


# ---- the main list ----------------------------------------------------------------------------------


cdef inline bint sieges_allowed(const Game* g, const Tables* t, int s) noexcept nogil:
    """Whether the side may open a siege (FAS-10.6; option: the British wait)."""
    if g.target[s] != NONE:
        return False
    if t.siege_waits and s == BRITISH:
        return g.french_siege or points(g, t, BRITISH) >= t.siege_waits_points
    return True


cdef inline move_t* put_expansion(const Game* g, const Tables* t, int s, move_t* out) noexcept nogil:
    """Add settling, sieges, development and forts: the moves that begin with a location card."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t hand = live(p), cards = hand & h.locations
    cdef uint64_t regain = p.sites & p.avail & h.locations
    cdef uint64_t aims = regain if p.cubes == 0 else regain | (t.all_sites & ~(p.sites | g.side[1 - s].sites))
    cdef uint64_t foes = g.side[1 - s].sites if sieges_allowed(g, t, s) else 0
    cdef uint64_t settlers = hand & h.settler
    cdef uint64_t grown = p.sites & ~p.towns & (t.worth[0] | t.worth[1] | t.worth[2]) if p.discs else 0
    cdef uint64_t walls = 0
    cdef uint64_t bit, movers, sites, rest
    cdef int site, mode, card
    if p.money >= t.fortify_cost and g.forts_left:
        walls = one_each(h, p.hand & h.fort)
    while cards:
        site = lowest(cards)
        bit = cards & (0 - cards)
        cards ^= bit
        card = h.type_of[site]
        rest = hand ^ bit
        for mode in range(MODES):
            sites = h.link[site][mode] & (aims | foes)
            if not sites:
                continue
            movers = rest & h.symbol[mode]
            if not movers:
                continue
            if not pair(movers, settlers & ~bit):
                sites &= ~(t.settler_sites & aims)
            out = put_sites(out, K_SETTLE, card, sites & aims)
            sites &= foes
            while sites:
                if pair(movers, rest & fighters(g, t, s, lowest(sites), False)):
                    out[0] = code(K_BESIEGE, card, lowest(sites))
                    out += 1
                sites &= sites - 1
        if bit & grown and settlers & ~bit:
            out[0] = code(K_DEVELOP, 0, site)
            out += 1
        if walls and bit & p.sites & ~g.forts:
            out = put_cards(out, h, K_FORTIFY, walls, site)
    return out


cdef inline move_t* put_reinforcements(const Game* g, const Tables* t, int s, move_t* out, bint leaders) noexcept nogil:
    """Add cards for the side's sieges: the Military Leader, or all others (FAS-12)."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    cdef int w
    for w in range(2):
        if g.target[w] == NONE or not p.reach & site_bit(g.target[w]):
            continue
        if leaders:
            if p.hand & h.leader:
                out[0] = code(K_LEADER, 0, w)
                out += 1
        else:
            cards = p.hand & fighters(g, t, s, g.target[w], s != w) & ~h.leader
            out = put_cards(out, h, K_REINFORCE, one_each(h, cards), w)
    return out


cdef inline uint64_t reservable(const Game* g, const Tables* t, int s) noexcept nogil:
    """Cards that may go to the reserve (FAS-15.7 and options)."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    if popcount(p.reserve) >= t.max_reserve:
        return 0
    if t.location_reserve:
        return p.hand
    if t.lost_location_reserve:
        return p.hand & (h.empire | ~p.sites)
    return p.hand & h.empire


cdef inline uint64_t governable(const Game* g, const Tables* t, int s) noexcept nogil:
    """Cards that a Governor may return (FAS-15.9; option: not those of initial sites that the side holds)."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    return p.hand & ~(h.start & p.sites) if t.governor_spares_start else p.hand


cdef inline move_t* put_neutral(const Game* g, const Tables* t, int s, move_t* out) noexcept nogil:
    cdef const Hold* h = &t.hold[s]
    cdef int i
    for i in range(NEUTRALS):
        if g.display[i] and h.neutral_cost[i] <= g.side[s].money:
            out[0] = code(K_DRAFT, h.type_of[lowest(h.neutral_type[i])], 0)
            out += 1
    return out


cdef inline move_t* put_actions(const Game* g, const Tables* t, int s, move_t* out) noexcept nogil:
    """Add everything that costs an action."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t hand = live(p), each = one_each(h, p.hand), cards, some
    cdef uint64_t empire = each & h.empire
    out[0] = code(K_PASS, 0, 0)
    out += 1
    out = put_expansion(g, t, s, out)
    if g.besieged:
        out = put_reinforcements(g, t, s, out, False)
    if empire:
        out = put_raids(g, t, s, out)
        cards = empire & h.ambush
        if p.money < h.native_pay:
            cards &= ~h.natives
        out = put_cards(out, h, K_AMBUSH, cards, 0)
        out = put_cards(out, h, K_CONVERT, empire & h.convert, 0)
        if hand & h.fur:
            out = put_cards(out, h, K_TRADER, empire & h.trader, 0)
        if empire & h.governor:
            cards = governable(g, t, s) & ~h.governor
            out = put_cards(out, h, K_GOVERN, one_each(h, cards), 0)
        if empire & h.intendant and p.money >= t.intendant_cost:
            out = put_cards(out, h, K_INTENDANT, one_each(h, p.discard), 0)
    some = hand & h.coin
    if some:
        out = put_cards(out, h, K_MONEY, some, 0)
        cards = each & hand & h.symbol[SHIP]
        if some & (some - 1) == 0:
            cards &= ~some              # the only coin cannot also be the ship
        out = put_cards(out, h, K_MERCHANT, cards, 0)
    if hand & h.piracy:
        out = put_cards(out, h, K_PIRACY, each & hand & h.symbol[SHIP] & ~h.piracy, 0)
    out = put_cards(out, h, K_DRAFT, one_each(h, p.avail & h.afford[min(<int> p.money, PURSES - 1)]), 0)
    out = put_neutral(g, t, s, out)
    if p.money >= t.discard_first:
        out = put_cards(out, h, K_DISCARD, each, 0)
    return put_cards(out, h, K_RESERVE, one_each(h, reservable(g, t, s)), 0)


cdef inline move_t* put_main(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    cdef int s = g.on_turn, w
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    if g.actions:
        out = put_actions(g, t, s, out)
    else:
        out[0] = code(K_END, 0, REFILL)
        out += 1
        if t.may_skip_refill:
            out[0] = code(K_END, 0, SKIP_REFILL)
            out += 1
    if p.reserve and p.money >= t.retrieve_cost * popcount(p.reserve):
        out[0] = code(K_RETRIEVE, 0, 0)
        out += 1
    if p.hand & h.home_support and (p.n_deck or (t.home_reshuffles and p.discard)):
        out[0] = code(K_HOME, 0, 0)
        out += 1
    if g.besieged:
        out = put_reinforcements(g, t, s, out, True)
        for w in range(2):
            if g.target[w] != NONE and (w == s or t.may_surrender):
                out[0] = code(K_WITHDRAW, 0, w)
                out += 1
    return out


# ---- further cards and answers ----------------------------------------------------------------------------------


cdef inline move_t* put_step(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Add the next cards of the current action."""
    cdef int s = g.mover, phase = g.phase
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = live(p), more = 0, left, bit, found = 0
    if phase == TRANSPORT:
        left = cards & h.symbol[g.mode]
        if g.verb == K_BESIEGE:
            more = cards & fighters(g, t, s, g.site, False)
        elif t.settler_sites & site_bit(g.site):
            more = cards & h.settler
        else:
            return put_cards(out, h, K_TRANSPORT, one_each(h, left), 0)
        left = one_each(h, left)
        while left:
            bit = left & (0 - left)
            left ^= bit
            if more & ~bit:
                found |= bit
        return put_cards(out, h, K_TRANSPORT, found, 0)
    if phase == SETTLER:
        return put_cards(out, h, K_SETTLER, one_each(h, cards & h.settler), 0)
    if phase == STRENGTH:
        return put_cards(out, h, K_STRENGTH, one_each(h, cards & fighters(g, t, s, g.site, False)), 0)
    if phase == RAIDERS:
        if g.need == 0:
            out[0] = code(K_STOP, 0, 0)
            out += 1
        return put_cards(out, h, K_ALSO, raid_choices(g, t, s), 0)
    if g.count:
        out[0] = code(K_STOP, 0, 0)
        out += 1
    if phase == COINS:
        cards &= h.coin
    elif phase == FURS:
        cards &= h.fur
    elif phase == DISCARDS:
        cards = p.hand if p.money >= t.discard_next else 0
    else:
        cards = governable(g, t, s)
    return put_cards(out, h, K_ALSO, one_each(h, from_floor(g, h, cards)), 0)


cdef inline move_t* put_answer(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Add the other side's answers, and decisions about sieges."""
    cdef int s = g.mover, phase = g.phase, kind
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    cdef move_t* first = out
    if phase == RAID_RESPONSE or phase == AMBUSH_RESPONSE:
        cards = p.hand & (h.block_raid if phase == RAID_RESPONSE else h.block_ambush)
        if phase == RAID_RESPONSE:
            cards |= live(p) & h.locations & site_bit(g.site)
        out[0] = code(K_ALLOW, 0, 0)
        return put_cards(out + 1, h, K_BLOCK, one_each(h, cards), 0)
    if phase == AMBUSH_LOSS or phase == GIVE_ZONE:
        cards = h.vulnerable if phase == AMBUSH_LOSS else h.wanted
        kind = K_LOSE if phase == AMBUSH_LOSS else K_GIVE
        out = put_cards(out, h, kind, one_each(h, p.hand & cards), FROM_HAND)
        out = put_cards(out, h, kind, one_each(h, p.reserve & cards), FROM_RESERVE)
        if out == first:
            out[0] = code(K_SHOW, 0, 0)
            out += 1
        return out
    if phase == ORDER:
        out[0] = code(K_RESOLVE, 0, 0)
        out[1] = code(K_RESOLVE, 0, 1)
        return out + 2
    if phase == SIEGE_LOSS:
        return put_cards(out, h, K_RETURN, loss_choices(g, t), 0)
    if phase == SIEGE_SETTLE:
        out[0] = code(K_LEAVE, 0, 0)
        out += 1
        if t.settler_sites & site_bit(g.target[g.which]):
            return put_cards(out, h, K_PLACE, one_each(h, live(p) & h.settler), 0)
        out[0] = code(K_PLACE, NONE, 0)
        return out + 1
    return put_cards(out, h, K_PICK, one_each(h, p.avail & h.empire), 0)    # PICK


cdef inline int legal_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write every legal move of the mover; returns the count."""
    cdef int phase = g.phase
    if phase == MAIN:
        return <int> (put_main(g, t, out) - out)
    if phase >= TRANSPORT and phase <= GOVERN:
        return <int> (put_step(g, t, out) - out)
    return <int> (put_answer(g, t, out) - out)


cdef inline int draws(const Game* g, const Tables* t, move_t* out, uint32_t* weights) noexcept nogil:
    """Write the types that may be drawn next, weighted by their copies in the deck (FAS-17.4); returns the count."""
    cdef const Hold* h = &t.hold[g.mover]
    cdef uint64_t deck = g.side[g.mover].deck, kind
    cdef int n = 0, card
    while deck:
        card = h.type_of[lowest(deck)]
        kind = deck & h.of_type[card]
        out[n] = code(K_DRAW, card, g.mover)
        weights[n] = popcount(kind)
        deck &= ~kind
        n += 1
    return n
