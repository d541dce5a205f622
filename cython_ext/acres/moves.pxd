"""A Few Acres of Snow: legal moves (FAS-17.3). A first choice is listed only if the action can be completed."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    AMBUSH_LOSS, AMBUSH_RESPONSE, BRITISH, COINS, DISCARDS, FRENCH, FROM_HAND, FROM_RESERVE, FURS, GIVE_ZONE, GOVERN, K_ALLOW,
    K_ALSO, K_AMBUSH, K_BESIEGE, K_BLOCK, K_CONVERT, K_DEVELOP, K_DISCARD, K_DRAFT, K_DRAW, K_END, K_FORTIFY, K_GIVE,
    K_GOVERN, K_HOME, K_INTENDANT, K_LEADER, K_LEAVE, K_LOSE, K_MERCHANT, K_MONEY, K_PASS, K_PICK, K_PIRACY, K_PLACE,
    K_RAID, K_REINFORCE, K_RESERVE, K_RESOLVE, K_RETRIEVE, K_RETURN, K_SETTLE, K_SETTLER, K_SHOW, K_STOP, K_STRENGTH,
    K_TRADER, K_TRANSPORT, K_WITHDRAW, MAIN, ORDER, RAID_RESPONSE, RAIDERS, REFILL, SETTLER, SHIP, SIEGE_LOSS,
    SIEGE_SETTLE, SKIP_REFILL, STRENGTH, TRANSPORT, Game, Side, card_of, code, kind_of, one_each, place_of, points,
    raid_further, raid_ring, raidable, site_bit
)
from sfida.cython_ext.acres.tables cimport MODES, NEUTRALS, NONE, PURSES, Hold, Tables
from sfida.cython_ext.acres.turn cimport fighters, loss_choices
from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.state cimport move_t


cdef enum:
    MAX_BUNDLES = 384                   # at most 8 for a location card, and less than 96 others


cdef inline bint pair(uint64_t a, uint64_t b) noexcept nogil:
    """Whether there are two different cards, one of each set."""
    cdef uint64_t both = a | b
    return a != 0 and b != 0 and (both & (both - 1)) != 0


cdef struct Bundle:                     # moves that differ only in the card or only in the last byte
    uint64_t differ                     # slots of their cards, one of each type; or the values of the last byte
    uint32_t base                       # their code, 0 for what differs
    uint16_t by_card
    uint16_t upto                       # moves of the list up to its last one


cdef struct Listing:                    # a list of moves; functions that add to it pass it on
    Bundle* end                         # behind the last bundle
    int n                               # number of moves


cdef inline uint64_t others(uint64_t cards, uint64_t more) noexcept nogil:
    """Those of some cards beside which there is one of `more`: no card serves twice."""
    if more & (more - 1) == 0:
        cards &= ~more
    return cards if more else 0


cdef inline Listing put(Listing out, uint32_t base, bint by_card, uint64_t differ) noexcept nogil:
    """Add a bundle, if it has a move."""
    out.n += popcount(differ)
    out.end.differ = differ
    out.end.base = base
    out.end.by_card = by_card
    out.end.upto = out.n
    out.end += differ != 0
    return out


cdef inline Listing put_cards(Listing out, int kind, uint64_t cards, int place) noexcept nogil:
    """Add a move for every type among `cards`, which hold at most one copy of each."""
    return put(out, code(kind, 0, place), True, cards)


cdef inline Listing put_places(Listing out, int kind, int card, uint64_t places) noexcept nogil:
    """Add a move for every site, seat or zone of a set."""
    return put(out, code(kind, card, 0), False, places)


cdef inline Listing put_one(Listing out, int kind) noexcept nogil:
    """Add a move without a card or a place."""
    return put_places(out, kind, 0, 1)


cdef inline bint differs_by_card(int kind) noexcept nogil:
    """Whether moves of a kind differ in the card, if they have one."""
    return (kind == K_FORTIFY or kind == K_REINFORCE or (kind >= K_AMBUSH and kind <= K_INTENDANT)
            or (kind >= K_TRANSPORT and kind <= K_ALSO) or kind == K_BLOCK or kind == K_LOSE or kind == K_GIVE
            or kind == K_RETURN or kind == K_PLACE or kind == K_PICK)


cdef inline Listing bundle_up(const move_t* moves, int n, const Hold* h, Bundle* list) noexcept nogil:
    """Put moves into a list by their codes, neighbours in one bundle where they fit."""
    cdef Listing out, more
    cdef Bundle* last
    cdef uint64_t bits
    cdef int i, kind
    out.end = list
    out.n = 0
    for i in range(n):
        kind = kind_of(moves[i])
        if differs_by_card(kind) and card_of(moves[i]) != NONE:
            bits = h.of_type[card_of(moves[i])]
            more = put_cards(out, kind, bits & (0 - bits), place_of(moves[i]))
        else:
            more = put_places(out, kind, card_of(moves[i]), site_bit(place_of(moves[i])))
        last = out.end - 1
        if i and last.base == out.end.base and last.by_card == out.end.by_card and last.differ < out.end.differ:
            last.differ |= out.end.differ
            last.upto += 1
            more.end = out.end
        out = more
    return out


cdef inline move_t move_in(const Bundle* bundle, const Hold* h, int i) noexcept nogil:
    """The move of a bundle that differs from the others in slot or place i."""
    return bundle.base + (h.type_of[i] << 8 if bundle.by_card else i)


cdef inline move_t nth_move(const Bundle* bundle, const Hold* h, int k) noexcept nogil:
    """The k-th move of a list, from 0."""
    while k >= bundle.upto:
        bundle += 1
    return move_in(bundle, h, nth(bundle.differ, k + popcount(bundle.differ) - bundle.upto))


cdef inline uint64_t live(const Side* p) noexcept nogil:
    """Cards in hand that the side may use (FAS-6)."""
    return p.hand & p.usable


cdef inline uint64_t from_floor(const Game* g, const Hold* h, uint64_t cards) noexcept nogil:
    """Cards of the type chosen last or of a later one."""
    return cards & h.onward[g.floor]


# ---- raids and their cards ------------------------------------------------------------------------------------------


cdef inline int raid_force(const Hold* h, uint64_t cards, int money, bint true_raid) noexcept nogil:
    """Largest number of these cards in one raid; 0 if none of them may launch it."""
    cdef int natives = popcount(cards & h.natives)
    cdef uint64_t others = cards & (h.raid | h.raid_extra) & ~h.natives
    if natives * h.native_pay > money:
        natives = money // h.native_pay
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


cdef inline Listing put_raids(const Game* g, const Tables* t, int s, Listing out) noexcept nogil:
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = p.hand & (h.raid | h.raid_extra), seen = 0, ring = 0, targets
    cdef int force, _i
    if not cards & h.raid:
        return out
    force = raid_force(h, cards, p.money, False)
    if force == 0:
        return out
    targets = raidable(g, t, s)
    for _i in range(force + t.raid_bonus):
        ring = raid_ring(g, t, s, &seen, ring)
        if not ring:
            break
        out = put_places(out, K_RAID, 0, ring & targets)
    return out


# ---- the main list ----------------------------------------------------------------------------------


cdef inline bint sieges_allowed(const Game* g, const Tables* t, int s) noexcept nogil:
    """Whether the side may open a siege (FAS-10.6; option: the British wait)."""
    if g.target[s] != NONE:
        return False
    if t.siege_waits and s == BRITISH:
        return g.french_siege or points(g, t, BRITISH) >= t.siege_waits_points
    return True


cdef inline uint64_t besieging(const Game* g, const Tables* t, int s, uint64_t sites, uint64_t movers,
                               uint64_t rest) noexcept nogil:
    """Sites among `sites` whose siege the side can open with a card of `movers` and another of `rest`."""
    cdef uint64_t found = 0
    while sites:
        if pair(movers, rest & fighters(g, t, s, lowest(sites), False)):
            found |= sites & (0 - sites)
        sites &= sites - 1
    return found


cdef inline Listing put_links(const Game* g, const Tables* t, int s, int site, uint64_t rest, uint64_t settlers,
                              uint64_t aims, uint64_t foes, Listing out) noexcept nogil:
    """Add the sites that the card of `site` can settle or besiege with one of the other cards as transport."""
    cdef const Hold* h = &t.hold[s]
    cdef int mode, card = h.type_of[site]
    cdef uint64_t sites, movers
    for mode in range(MODES):
        sites = h.link[site][mode] & (aims | foes)
        movers = rest & h.symbol[mode]
        if not sites or not movers:
            continue
        if not pair(movers, settlers):
            sites &= ~(t.settler_sites & aims)
        out = put_places(out, K_SETTLE, card, sites & aims)
        out = put_places(out, K_BESIEGE, card, besieging(g, t, s, sites & foes, movers, rest))
    return out


cdef inline Listing put_expansion(const Game* g, const Tables* t, int s, Listing out) noexcept nogil:
    """Add settling, sieges, development and forts: the moves that begin with a location card."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t hand = live(p), cards = hand & h.locations
    cdef uint64_t regain, aims, foes, settlers, growing, walls = 0, open = 0, bit
    cdef int site, mode, modes = 0
    if not cards:
        return out
    for mode in range(MODES):
        modes |= (hand & h.symbol[mode] != 0) << mode
    regain = p.sites & p.avail & h.locations
    aims = regain if p.cubes == 0 else regain | (t.all_sites & ~(p.sites | g.side[1 - s].sites))
    foes = g.side[1 - s].sites if sieges_allowed(g, t, s) else 0
    settlers = hand & h.settler
    growing = others(cards & p.sites & ~p.towns & t.valued, settlers) if p.discs else 0
    if p.hand & h.fort and p.money >= t.fortify_cost and g.forts_left:
        walls = one_each(h, p.hand & h.fort)
        open = p.sites & ~g.forts
    while cards:
        site = lowest(cards)
        bit = cards & (0 - cards)
        cards ^= bit
        if h.leads[modes][site] & (aims | foes):
            out = put_links(g, t, s, site, hand ^ bit, settlers & ~bit, aims, foes, out)
        if bit & (growing | open):
            out = put_places(out, K_DEVELOP, 0, bit & growing)
            out = put_cards(out, K_FORTIFY, walls if bit & open else 0, site)
    return out


cdef inline Listing put_reinforcements(const Game* g, const Tables* t, int s, Listing out, bint leaders) noexcept nogil:
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
                out = put_places(out, K_LEADER, 0, site_bit(w))
        else:
            cards = p.hand & fighters(g, t, s, g.target[w], s != w) & ~h.leader
            out = put_cards(out, K_REINFORCE, one_each(h, cards), w)
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


cdef inline uint64_t neutrals(const Game* g, const Tables* t, int s) noexcept nogil:
    """Neutral cards that the side can draft."""
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t found = 0
    cdef int i
    for i in range(NEUTRALS):
        found |= <uint64_t> ((g.display[i] != 0) & (h.neutral_cost[i] <= g.side[s].money)) << h.neutral_slot[i]
    return found


cdef inline Listing put_actions(const Game* g, const Tables* t, int s, Listing out) noexcept nogil:
    """Add everything that costs an action."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t hand = live(p), each = one_each(h, p.hand), cards, some
    cdef uint64_t empire = each & h.empire
    out = put_one(out, K_PASS)
    out = put_expansion(g, t, s, out)
    if g.besieged:
        out = put_reinforcements(g, t, s, out, False)
    if empire:
        out = put_raids(g, t, s, out)
        cards = empire & h.ambush
        if p.money < h.native_pay:
            cards &= ~h.natives
        out = put_cards(out, K_AMBUSH, cards, 0)
        out = put_cards(out, K_CONVERT, empire & h.convert, 0)
        out = put_cards(out, K_TRADER, empire & h.trader if hand & h.fur else 0, 0)
        if empire & h.governor:
            cards = governable(g, t, s) & ~h.governor
            out = put_cards(out, K_GOVERN, one_each(h, cards), 0)
        if empire & h.intendant and p.money >= t.intendant_cost:
            out = put_cards(out, K_INTENDANT, one_each(h, p.discard), 0)
    some = hand & h.coin
    out = put_cards(out, K_MONEY, some, 0)
    out = put_cards(out, K_MERCHANT, others(each & hand & h.symbol[SHIP], some), 0)
    if hand & h.piracy:
        out = put_cards(out, K_PIRACY, each & hand & h.symbol[SHIP] & ~h.piracy, 0)
    out = put_cards(out, K_DRAFT, one_each(h, p.avail & h.afford[min(<int> p.money, PURSES - 1)]), 0)
    out = put_cards(out, K_DRAFT, neutrals(g, t, s), 0)
    if p.money >= t.discard_first:
        out = put_cards(out, K_DISCARD, each, 0)
    return put_cards(out, K_RESERVE, one_each(h, reservable(g, t, s)), 0)


cdef inline bint may_retrieve(const Tables* t, const Side* p) noexcept nogil:
    return p.reserve != 0 and p.money >= t.retrieve_cost * popcount(p.reserve)


cdef inline bint may_draw_more(const Tables* t, const Hold* h, const Side* p) noexcept nogil:
    """Whether the side may play Home Support."""
    return p.hand & h.home_support != 0 and (p.n_deck != 0 or (t.home_reshuffles and p.discard != 0))


cdef inline bint only_ends(const Game* g, const Tables* t) noexcept nogil:
    """Whether nothing is left to the side on turn but to end its turn."""
    cdef const Side* p = &g.side[g.on_turn]
    return (g.phase == MAIN and g.actions == 0 and g.besieged == 0 and not t.may_skip_refill
            and not may_retrieve(t, p) and not may_draw_more(t, &t.hold[g.on_turn], p))


cdef inline Listing put_main(const Game* g, const Tables* t, Listing out) noexcept nogil:
    cdef int s = g.on_turn, w
    cdef const Side* p = &g.side[s]
    if g.actions:
        out = put_actions(g, t, s, out)
    else:
        out = put_places(out, K_END, 0, site_bit(REFILL) | (site_bit(SKIP_REFILL) if t.may_skip_refill else 0))
    if may_retrieve(t, p):
        out = put_one(out, K_RETRIEVE)
    if may_draw_more(t, &t.hold[s], p):
        out = put_one(out, K_HOME)
    if g.besieged:
        out = put_reinforcements(g, t, s, out, True)
        for w in range(2):
            if g.target[w] != NONE and (w == s or t.may_surrender):
                out = put_places(out, K_WITHDRAW, 0, site_bit(w))
    return out


# ---- further cards and answers ----------------------------------------------------------------------------------


cdef inline Listing put_step(const Game* g, const Tables* t, Listing out) noexcept nogil:
    """Add the next cards of the current action."""
    cdef int s = g.mover, phase = g.phase
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards = live(p), more = 0
    if phase == TRANSPORT:
        cards = one_each(h, cards & h.symbol[g.mode])
        if g.verb == K_BESIEGE:
            more = live(p) & fighters(g, t, s, g.site, False)
        elif t.settler_sites & site_bit(g.site):
            more = live(p) & h.settler
        else:
            return put_cards(out, K_TRANSPORT, cards, 0)
        return put_cards(out, K_TRANSPORT, others(cards, more), 0)
    if phase == SETTLER:
        return put_cards(out, K_SETTLER, one_each(h, cards & h.settler), 0)
    if phase == STRENGTH:
        return put_cards(out, K_STRENGTH, one_each(h, cards & fighters(g, t, s, g.site, False)), 0)
    if phase == RAIDERS:
        if g.need == 0:
            out = put_one(out, K_STOP)
        return put_cards(out, K_ALSO, raid_choices(g, t, s), 0)
    if g.count:
        out = put_one(out, K_STOP)
    if phase == COINS:
        cards &= h.coin
    elif phase == FURS:
        cards &= h.fur
    elif phase == DISCARDS:
        cards = p.hand if p.money >= t.discard_next else 0
    else:
        cards = governable(g, t, s)
    return put_cards(out, K_ALSO, one_each(h, from_floor(g, h, cards)), 0)


cdef inline Listing put_answer(const Game* g, const Tables* t, Listing out) noexcept nogil:
    """Add the other side's answers, and decisions about sieges."""
    cdef int s = g.mover, phase = g.phase, kind
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    cdef int n = out.n
    if phase == RAID_RESPONSE or phase == AMBUSH_RESPONSE:
        cards = p.hand & (h.block_raid if phase == RAID_RESPONSE else h.block_ambush)
        if phase == RAID_RESPONSE:
            cards |= live(p) & h.locations & site_bit(g.site)
        return put_cards(put_one(out, K_ALLOW), K_BLOCK, one_each(h, cards), 0)
    if phase == AMBUSH_LOSS or phase == GIVE_ZONE:
        cards = h.vulnerable if phase == AMBUSH_LOSS else h.wanted
        kind = K_LOSE if phase == AMBUSH_LOSS else K_GIVE
        out = put_cards(out, kind, one_each(h, p.hand & cards), FROM_HAND)
        out = put_cards(out, kind, one_each(h, p.reserve & cards), FROM_RESERVE)
        return put_one(out, K_SHOW) if out.n == n else out
    if phase == ORDER:
        return put_places(out, K_RESOLVE, 0, site_bit(BRITISH) | site_bit(FRENCH))
    if phase == SIEGE_LOSS:
        return put_cards(out, K_RETURN, loss_choices(g, t), 0)
    if phase == SIEGE_SETTLE:
        out = put_one(out, K_LEAVE)
        if t.settler_sites & site_bit(g.target[g.which]):
            return put_cards(out, K_PLACE, one_each(h, live(p) & h.settler), 0)
        return put_places(out, K_PLACE, NONE, 1)
    return put_cards(out, K_PICK, one_each(h, p.avail & h.empire), 0)    # PICK


cdef inline Listing list_moves(const Game* g, const Tables* t, Bundle* list) noexcept nogil:
    """Write every legal move of the mover."""
    cdef int phase = g.phase
    cdef Listing out
    out.end = list
    out.n = 0
    if phase == MAIN:
        return put_main(g, t, out)
    if phase >= TRANSPORT and phase <= GOVERN:
        return put_step(g, t, out)
    return put_answer(g, t, out)


cdef inline int legal_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write the code of every legal move of the mover; returns the count."""
    cdef Bundle list[MAX_BUNDLES]
    cdef Listing found = list_moves(g, t, list)
    cdef const Bundle* bundle = list
    cdef uint64_t left
    while bundle != found.end:
        left = bundle.differ
        while left:
            out[0] = move_in(bundle, &t.hold[g.mover], lowest(left))
            out += 1
            left &= left - 1
        bundle += 1
    return found.n


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
