"""A Few Acres of Snow: legal moves (FAS-17.3). A first choice is listed only if the action can be completed."""

from libc.stdint cimport int16_t, uint32_t, uint64_t

from sfida.cython_ext.acres.board cimport (
    AMBUSH_LOSS, AMBUSH_RESPONSE, BRITISH, COINS, DISCARDS, FRENCH, FROM_HAND, FROM_RESERVE, FURS, GIVE_ZONE, GOVERN,
    K_ALLOW, K_ALSO, K_AMBUSH, K_BESIEGE, K_BLOCK, K_CONVERT, K_DEVELOP, K_DISCARD, K_DRAFT, K_DRAW, K_END, K_FORTIFY,
    K_GIVE, K_GOVERN, K_HOME, K_INTENDANT, K_LEADER, K_LEAVE, K_LOSE, K_MERCHANT, K_MONEY, K_PASS, K_PICK, K_PIRACY,
    K_PLACE, K_RAID, K_REINFORCE, K_RESERVE, K_RESOLVE, K_RETRIEVE, K_RETURN, K_SETTLE, K_SETTLER, K_SHOW, K_STOP,
    K_STRENGTH, K_TRADER, K_TRANSPORT, K_WITHDRAW, MAIN, MAX_LEGAL, ORDER, RAID_RESPONSE, RAIDERS, REFILL, SETTLER,
    SHIP, SIEGE_LOSS, SIEGE_SETTLE, SKIP_REFILL, STRENGTH, TRANSPORT, Game, Side, card_of, code, kind_of, one_each,
    place_of, points, raid_further, raid_ring, raidable, site_bit
)
from sfida.cython_ext.acres.tables cimport MODES, NEUTRALS, NONE, PURSES, Hold, Tables
from sfida.cython_ext.acres.turn cimport fighters, loss_choices
from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.state cimport move_t


cdef enum:
    FEW = 32                            # lists of more bundles are rare
    BY_CARD = 1 << 24                   # marks bundles of moves that differ in the card


cdef inline bint pair(uint64_t a, uint64_t b) noexcept nogil:
    """Whether there are two different cards, one of each set."""
    cdef uint64_t both = a | b
    return a != 0 and b != 0 and (both & (both - 1)) != 0


cdef struct Bundles:                    # a list of moves; those of a bundle differ only in the card or the last byte
    uint64_t differ[MAX_LEGAL]          # slots of their cards, one of each type; or the values of the last byte
    uint32_t base[MAX_LEGAL]            # their code, 0 for what differs, and BY_CARD
    int16_t upto[MAX_LEGAL]             # moves of the list up to the bundle's last one


cdef struct Listing:                    # functions that add moves to a list pass it on
    Bundles* list
    int size                            # number of bundles
    int n                               # number of moves


cdef inline uint64_t when(bint condition, uint64_t cards) noexcept nogil:
    """A set or nothing, without a branch."""
    return cards & (0 - <uint64_t> condition)


cdef inline uint64_t others(uint64_t cards, uint64_t more) noexcept nogil:
    """Those of some cards beside which there is one of `more`: no card serves twice."""
    return when(more != 0, cards & ~when(more & (more - 1) == 0, more))


cdef inline Listing put(Listing out, uint32_t base, uint64_t differ) noexcept nogil:
    """Add a bundle, if it has a move."""
    cdef int n = popcount(differ)
    out.n += n
    out.list.differ[out.size] = differ
    out.list.base[out.size] = base
    out.list.upto[out.size] = out.n
    out.size += n != 0
    return out


cdef inline Listing put_cards(Listing out, int kind, uint64_t cards, int place) noexcept nogil:
    """Add a move for every type among `cards`, which hold at most one copy of each."""
    return put(out, BY_CARD | code(kind, 0, place), cards)


cdef inline Listing put_places(Listing out, int kind, int card, uint64_t places) noexcept nogil:
    """Add a move for every site, seat or zone of a set."""
    return put(out, code(kind, card, 0), places)


cdef inline Listing put_one(Listing out, int kind) noexcept nogil:
    """Add a move without a card or a place."""
    return put_places(out, kind, 0, 1)


cdef inline Listing begun(Bundles* list) noexcept nogil:
    """An empty list."""
    cdef Listing out
    out.list = list
    out.size = 0
    out.n = 0
    return out


cdef inline bint differs_by_card(int kind) noexcept nogil:
    """Whether moves of a kind differ in the card, if they have one."""
    return (kind == K_FORTIFY or kind == K_REINFORCE or (kind >= K_AMBUSH and kind <= K_INTENDANT)
            or (kind >= K_TRANSPORT and kind <= K_ALSO) or kind == K_BLOCK or kind == K_LOSE or kind == K_GIVE
            or kind == K_RETURN or kind == K_PLACE or kind == K_PICK)


cdef inline Listing bundle_up(const move_t* moves, int n, const Hold* h, Bundles* list) noexcept nogil:
    """Put moves into a list by their codes, neighbours in one bundle where they fit."""
    cdef Listing out = begun(list)
    cdef uint64_t bits
    cdef int i, kind, last
    for i in range(n):
        kind = kind_of(moves[i])
        if differs_by_card(kind) and card_of(moves[i]) != NONE:
            bits = h.of_type[card_of(moves[i])]
            out = put_cards(out, kind, bits & (0 - bits), place_of(moves[i]))
        else:
            out = put_places(out, kind, card_of(moves[i]), site_bit(place_of(moves[i])))
        last = out.size - 2
        if last >= 0 and list.base[last] == list.base[last + 1] and list.differ[last] < list.differ[last + 1]:
            list.differ[last] |= list.differ[last + 1]
            list.upto[last] = out.n
            out.size -= 1
    return out


cdef inline int kind_at(uint32_t base) noexcept nogil:
    """Kind of the moves of a bundle."""
    return kind_of(base & ~<uint32_t> BY_CARD)


cdef inline move_t move_in(uint32_t base, const Hold* h, int i) noexcept nogil:
    """The move of a bundle that differs from the others in slot or place i."""
    return base - BY_CARD + (h.type_of[i] << 8) if base & BY_CARD else base + i


cdef inline move_t nth_move(Listing found, const Hold* h, int k) noexcept nogil:
    """The k-th move of a list, from 0."""
    cdef const Bundles* list = found.list
    cdef int16_t at = 0, size = found.size, i
    if size <= FEW:
        for i in range(FEW):            # without branches: no processor foresees where a search ends
            at += (list.upto[i] <= <int16_t> k) & (i < size)
    else:
        while list.upto[at] <= k:
            at += 1
    return move_in(list.base[at], h, nth(list.differ[at], k + popcount(list.differ[at]) - list.upto[at]))


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
    cdef uint64_t hand = live(p), cards = hand & h.locations, busy = 0
    cdef uint64_t regain, aims, foes, settlers, growing, walls, open, bit, movers
    cdef int site, mode, modes = 0, many = 0
    if not cards:
        return out
    for mode in range(MODES):
        movers = hand & h.symbol[mode]
        modes |= (movers != 0) << mode
        many |= ((movers & (movers - 1)) != 0) << mode
    regain = p.sites & p.avail & h.locations
    aims = regain if p.cubes == 0 else regain | (t.all_sites & ~(p.sites | g.side[1 - s].sites))
    foes = g.side[1 - s].sites if sieges_allowed(g, t, s) else 0
    settlers = hand & h.settler
    growing = when(p.discs != 0, others(cards & p.sites & ~p.towns & t.valued, settlers))
    walls = when((p.money >= t.fortify_cost) & (g.forts_left != 0), one_each(h, p.hand & h.fort))
    open = when(walls != 0, cards & p.sites & ~g.forts)
    bit = cards
    while bit:
        site = lowest(bit)
        bit &= bit - 1
        # the modes that the other cards offer
        busy |= when(h.leads[(modes & ~h.modes[site]) | many][site] & (aims | foes) != 0, site_bit(site))
    cards = busy | growing | open
    while cards:
        site = lowest(cards)
        bit = cards & (0 - cards)
        cards ^= bit
        if bit & busy:
            out = put_links(g, t, s, site, hand ^ bit, settlers & ~bit, aims, foes, out)
        out = put_places(out, K_DEVELOP, 0, bit & growing)
        out = put_cards(out, K_FORTIFY, when(bit & open != 0, walls), site)
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


cdef inline uint64_t neutrals(const Game* g, const Hold* h, int purse) noexcept nogil:
    """Neutral cards that a side can draft with so much money."""
    cdef int types = 0, i
    for i in range(NEUTRALS):
        types |= (g.display[i] != 0) << i
    return h.neutral_set[types] & h.neutral_afford[purse]


cdef inline Listing put_actions(const Game* g, const Tables* t, int s, Listing out) noexcept nogil:
    """Add everything that costs an action."""
    cdef const Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t hand = live(p), each = one_each(h, p.hand), cards, some
    cdef uint64_t empire = each & h.empire
    cdef int purse = min(<int> p.money, PURSES - 1)
    out = put_one(out, K_PASS)
    out = put_expansion(g, t, s, out)
    if g.besieged:
        out = put_reinforcements(g, t, s, out, False)
    if empire:
        out = put_raids(g, t, s, out)
        cards = empire & h.ambush & ~when(p.money < h.native_pay, h.natives)
        out = put_cards(out, K_AMBUSH, cards, 0)
        out = put_cards(out, K_CONVERT, empire & h.convert, 0)
        out = put_cards(out, K_TRADER, when(hand & h.fur != 0, empire & h.trader), 0)
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
    out = put_cards(out, K_DRAFT, one_each(h, p.avail & h.afford[purse]), 0)
    out = put_cards(out, K_DRAFT, neutrals(g, h, purse), 0)
    out = put_cards(out, K_DISCARD, when(p.money >= t.discard_first, each), 0)
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


cdef inline Listing list_moves(const Game* g, const Tables* t, Bundles* list) noexcept nogil:
    """List every legal move of the mover."""
    cdef int phase = g.phase
    if phase == MAIN:
        return put_main(g, t, begun(list))
    if phase >= TRANSPORT and phase <= GOVERN:
        return put_step(g, t, begun(list))
    return put_answer(g, t, begun(list))


cdef inline int legal_moves(const Game* g, const Tables* t, move_t* out) noexcept nogil:
    """Write the code of every legal move of the mover; returns the count."""
    cdef Bundles list
    cdef Listing found = list_moves(g, t, &list)
    cdef uint64_t left
    cdef int i
    for i in range(found.size):
        left = list.differ[i]
        while left:
            out[0] = move_in(list.base[i], &t.hold[g.mover], lowest(left))
            out += 1
            left &= left - 1
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
