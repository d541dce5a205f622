"""A Few Acres of Snow: the flat state, cards that change zones, and pieces on the map.

Each copy of a card that one side can own is a bit, its *slot*: slot i below 36 is the location card of site i, the
others are empire and neutral cards, with the copies of one type side by side. A zone of cards is one word, and words of
sites and of location cards can be compared directly. Copies of one type are interchangeable: `tidy` keeps them in a
fixed order, so that equal counts give equal words (see `Side`).
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.acres.tables cimport NEUTRALS, NONE, VALUE_BITS, Hold, Tables
from sfida.cython_ext.bits cimport lowest, popcount


cdef enum:
    MAX_LEGAL = 768
    TRAIL = 16                          # number of cards of an action that are recorded
    PLAYOUT_TURNS = 1000                # most turns of a playout of a game without a limit
    FIRST_TURNS = 2                     # the first turn of each side (FAS-5.3)
    GOVERNED = 2                        # most cards that a Governor returns (FAS-15.9)
    BRITISH = 0
    FRENCH = 1


cdef enum:                              # modes of transport
    BATEAU = 0
    WAGON = 1
    SHIP = 2


cdef enum:                              # last byte of a move that is neither a site nor a seat
    FROM_HAND = 0                       # K_LOSE, K_GIVE
    FROM_RESERVE = 1
    REFILL = 0                          # K_END
    SKIP_REFILL = 1


cdef enum:                              # phases (FAS-17.2)
    PICK = 0                            # the French choose their extra initial card (option)
    DEAL = 1                            # chance
    ORDER = 2
    SIEGE_SETTLE = 3
    SIEGE_LOSS = 4
    MAIN = 5
    TRANSPORT = 6
    SETTLER = 7
    STRENGTH = 8
    RAIDERS = 9
    COINS = 10
    FURS = 11
    DISCARDS = 12
    GOVERN = 13
    RAID_RESPONSE = 14
    AMBUSH_RESPONSE = 15
    AMBUSH_LOSS = 16
    GIVE_ZONE = 17
    HOME = 18                           # chance: draws of Home Support
    DRAW = 19                           # chance: draws at the end of a turn
    GAME_OVER = 20


cdef enum:                              # kinds of moves; a code is kind << 16 | card type << 8 | site, seat or zone
    K_PASS = 1
    K_END = 2
    K_SETTLE = 3
    K_DEVELOP = 4
    K_FORTIFY = 5
    K_BESIEGE = 6
    K_REINFORCE = 7
    K_LEADER = 8
    K_RAID = 9
    K_AMBUSH = 10
    K_CONVERT = 11
    K_MONEY = 12
    K_MERCHANT = 13
    K_TRADER = 14
    K_PIRACY = 15
    K_DRAFT = 16
    K_DISCARD = 17
    K_RESERVE = 18
    K_GOVERN = 19
    K_INTENDANT = 20
    K_RETRIEVE = 21
    K_HOME = 22
    K_WITHDRAW = 23
    K_TRANSPORT = 24
    K_SETTLER = 25
    K_STRENGTH = 26
    K_ALSO = 27                         # one more card of the action
    K_STOP = 28                         # no more cards
    K_BLOCK = 29
    K_ALLOW = 30
    K_LOSE = 31
    K_SHOW = 32
    K_GIVE = 33
    K_RETURN = 34                       # return the empire card lost in a siege
    K_RESOLVE = 35                      # resolve this won siege first
    K_PLACE = 36                        # place a cube after a siege, with a settler card or (type NONE) without
    K_LEAVE = 37                        # place no cube
    K_PICK = 38
    K_DRAW = 39                         # chance; type NONE: unseen


cdef enum:                              # reasons for the end (FAS-16.7)
    NO_REASON = 0
    BY_SIEGE = 1
    BY_SETTLING = 2
    BY_SUPPLY = 3
    BY_CAPTURE = 4
    BY_TURNS = 5


cdef struct Side:
    # Zones. Copies of a type take its slots in this order: available, discard, reserve, siege 0 and 1, in play,
    # known in hand, unknown in hand, deck. In the other seat's view `hand` is `known`, and `deck` has all unseen cards.
    uint64_t avail                      # location cards and own empire cards that can be gained
    uint64_t discard
    uint64_t reserve
    uint64_t siege[2]                   # by besieger
    uint64_t limbo                      # Home Support while it draws
    uint64_t known                      # part of the hand that both sides know (FAS-17.5)
    uint64_t hand
    uint64_t deck
    # Sites
    uint64_t sites                      # controlled
    uint64_t towns
    uint64_t usable                     # derived: slots of cards that the side may use (FAS-6)
    uint64_t reach                      # derived: sites that reinforcements can reach (FAS-12.3)
    uint64_t near                       # derived: sites one raid connection away (FAS-13.2)
    int16_t money
    uint8_t n_hand
    uint8_t n_deck
    uint8_t cubes                       # in supply
    uint8_t discs
    uint8_t got_cubes                   # captured
    uint8_t got_discs


cdef struct Game:
    Side side[2]
    uint64_t forts
    uint64_t besieged
    uint64_t pieces                     # pieces_of() at the end of the last turn; only without a limit of turns
    uint32_t last                       # code of the last move, + 1; 0: none
    uint32_t turns                      # completed turns of both sides
    uint16_t quiet                      # consecutive turns without a new or lost piece; without a limit of turns
    uint8_t phase
    uint8_t mover
    uint8_t on_turn
    uint8_t actions
    uint8_t forts_left
    uint8_t display[NEUTRALS]           # neutral cards that can be drafted
    uint8_t target[2]                   # site besieged by each side, or NONE
    int8_t lead[2]                      # the besieger's lead
    # The current action
    uint8_t verb                        # its kind, or 0; kept after the action is done
    uint8_t site
    uint8_t mode                        # required transport
    uint8_t need                        # cards still to be chosen or drawn
    uint8_t count                       # cards chosen so far
    uint8_t floor                       # slot: later cards are of this type or a later one; SLOTS: of any type
    uint8_t true_raid                   # whether a chosen card may launch a raid
    uint8_t french_siege                # the French have opened a siege (recorded where an option needs it)
    # The siege being resolved
    uint8_t which                       # besieger
    uint8_t loser
    uint8_t to_settle                   # the winner must still decide about a cube
    uint8_t to_lose                     # the loser must still return a card
    uint8_t lose_first                  # in a withdrawal the card is returned first (FAS-17.2)
    uint8_t at_start                    # resolved at the start of a turn
    uint8_t winner
    uint8_t reason
    uint8_t viewer                      # 1 + seat of this view; 0: a whole state
    # The last action, for its description
    uint8_t verb_by
    uint8_t reply                       # kind of the answer to it, or 0
    uint8_t reply_card
    uint8_t reply_zone
    uint8_t trail_n
    uint8_t trail[TRAIL]                # types of its cards in the order of play


cdef inline uint32_t code(int kind, int card, int place) noexcept nogil:
    return <uint32_t> (kind << 16 | card << 8 | place)


cdef inline int kind_of(uint64_t move) noexcept nogil:
    return <int> (move >> 16)


cdef inline int card_of(uint64_t move) noexcept nogil:
    return <int> (move >> 8) & 255


cdef inline int place_of(uint64_t move) noexcept nogil:
    return <int> move & 255


cdef inline uint64_t site_bit(int site) noexcept nogil:
    return <uint64_t> 1 << site


cdef inline void tidy(Side* p, uint64_t slots) noexcept nogil:
    """Order the copies of the type at `slots` by their zones."""
    cdef uint64_t bit = slots & (0 - slots)
    cdef uint64_t unknown = p.hand & ~p.known & slots
    bit = settle_in(&p.avail, slots, bit)
    bit = settle_in(&p.discard, slots, bit)
    bit = settle_in(&p.reserve, slots, bit)
    bit = settle_in(&p.siege[0], slots, bit)
    bit = settle_in(&p.siege[1], slots, bit)
    bit = settle_in(&p.limbo, slots, bit)
    bit = settle_in(&p.known, slots, bit)
    p.hand = (p.hand & ~slots) | (p.known & slots)
    if unknown:
        p.hand |= (bit << popcount(unknown)) - bit
        bit <<= popcount(unknown)
    settle_in(&p.deck, slots, bit)


cdef inline uint64_t settle_in(uint64_t* zone, uint64_t slots, uint64_t bit) noexcept nogil:
    """Assign a zone's copies to slots from `bit` on; returns where the next zone begins."""
    cdef uint64_t mine = zone[0] & slots
    cdef int n
    if not mine:
        return bit
    n = popcount(mine)
    zone[0] = (zone[0] & ~slots) | ((bit << n) - bit)
    return bit << n


cdef inline void tidy_at(Side* p, const Hold* h, uint64_t bit) noexcept nogil:
    """Tidy the type of one slot, if it has copies."""
    if bit & h.several:
        tidy(p, h.of_type[h.type_of[lowest(bit)]])


cdef inline void tidy_all(Side* p, const Hold* h, uint64_t slots) noexcept nogil:
    """Tidy every type with a slot in `slots`."""
    cdef uint64_t several = slots & h.several, kind
    while several:
        kind = h.of_type[h.type_of[lowest(several)]]
        tidy(p, kind)
        several &= ~kind


cdef inline uint64_t one_each(const Hold* h, uint64_t zone) noexcept nogil:
    """The first copy of every type in a zone; copies in one zone are adjacent."""
    return zone & ~((zone << 1) & h.later)


cdef inline uint64_t from_hand(Side* p, const Hold* h, int card) noexcept nogil:
    """Take a copy of a type out of the hand, a known one first; returns its slot's bit."""
    cdef uint64_t mine = p.hand & h.of_type[card]
    cdef uint64_t bit = mine & (0 - mine)
    p.hand ^= bit
    p.known &= ~bit
    p.n_hand -= 1
    return bit


cdef inline void into(Side* p, const Hold* h, uint64_t* zone, uint64_t bit) noexcept nogil:
    """Put a card that is in no zone into one."""
    zone[0] |= bit
    tidy_at(p, h, bit)


cdef inline uint64_t out_of(const Hold* h, uint64_t* zone, int card) noexcept nogil:
    """Take a copy of a type out of an open zone; returns its slot's bit."""
    cdef uint64_t mine = zone[0] & h.of_type[card]
    cdef uint64_t bit = mine & (0 - mine)
    zone[0] ^= bit
    return bit


cdef inline void discard_from_hand(Side* p, const Hold* h, int card) noexcept nogil:
    cdef uint64_t bit = from_hand(p, h, card)
    p.discard |= bit
    if bit & h.several and (p.reserve | p.siege[0] | p.siege[1] | p.limbo) & h.of_type[card]:
        tidy(p, h.of_type[card])        # copies in zones between the hand and the discard pile


cdef inline void into_hand(Side* p, const Hold* h, uint64_t bits) noexcept nogil:
    """Put cards openly into the hand (FAS-17.5)."""
    p.hand |= bits
    p.known |= bits
    p.n_hand += popcount(bits)
    tidy_all(p, h, bits)


cdef inline uint64_t owned(const Side* p) noexcept nogil:
    """All cards of the side except the available ones."""
    return p.discard | p.reserve | p.siege[0] | p.siege[1] | p.limbo | p.hand | p.deck


cdef inline void send_home(Game* g, const Tables* t, int s, uint64_t bit) noexcept nogil:
    """Make a card that is in no zone available again (FAS-11.12, 15.9)."""
    cdef const Hold* h = &t.hold[s]
    if bit & h.neutral:
        g.display[t.neutral_of[h.type_of[lowest(bit)]] - 1] += 1
        tidy_at(&g.side[s], h, bit)
    else:
        into(&g.side[s], h, &g.side[s].avail, bit)


cdef inline void gain_neutral(Game* g, const Tables* t, int s, int kind) noexcept nogil:
    """Put one more neutral card on the side's discard pile."""
    cdef Side* p = &g.side[s]
    cdef uint64_t free = t.hold[s].neutral_type[kind] & ~owned(p)
    p.discard |= free & (0 - free)
    tidy(p, t.hold[s].neutral_type[kind])


cdef inline void reshuffle(Side* p, const Hold* h) noexcept nogil:
    """Turn the discard pile into the empty deck: now every card in hand is known (FAS-5.8, 17.5)."""
    cdef uint64_t moved = p.discard
    p.known = p.hand
    p.deck = moved
    p.n_deck = popcount(moved)
    p.discard = 0
    tidy_all(p, h, moved)


cdef inline void draw_bit(Side* p, const Hold* h, uint64_t bit, bint eager) noexcept nogil:
    """Move a card from the deck to the hand."""
    bit = p.deck & h.of_type[h.type_of[lowest(bit)]]
    bit &= 0 - bit                      # the copy that keeps them in order
    p.deck ^= bit
    p.hand |= bit
    p.n_deck -= 1
    if p.n_deck == 0:
        p.known = p.hand
        if eager and p.discard:
            reshuffle(p, h)
    p.n_hand += 1


cdef inline void retrace(Game* g, const Tables* t, int s) noexcept nogil:
    """Recompute the connections of the side's sites.

    Homes end a chain whether or not they are controlled (R-3); sites under siege still extend it.
    """
    cdef Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t own = p.sites, seen = h.home, front = h.home, around = 0, more, near = 0
    cdef int i
    while front:
        i = lowest(front)
        front &= front - 1
        around |= t.joined[i]
        more = t.joined[i] & own & ~seen
        seen |= more
        front |= more
    p.usable = h.empire | (seen & own & h.locations & ~g.besieged)
    front = h.home_reinforce & ~seen
    seen |= front
    while front:
        i = lowest(front)
        front &= front - 1
        around |= t.joined[i]
        more = t.joined[i] & own & ~seen
        seen |= more
        front |= more
    p.reach = seen | around
    front = own if t.raid_from_besieged else own & ~g.besieged
    while front:
        near |= t.raids[lowest(front)]
        front &= front - 1
    p.near = near


cdef inline uint64_t raid_ring(const Game* g, const Tables* t, int s, uint64_t* seen, uint64_t ring) noexcept nogil:
    """Sites one open connection beyond `ring`, the last sites reached; forts stop raids (FAS-13.7)."""
    cdef uint64_t found = 0, front = ring & ~g.forts
    if not seen[0]:                     # the first step
        found = g.side[s].near
        seen[0] = g.side[s].sites if t.raid_from_besieged else g.side[s].sites & ~g.besieged
    while front:
        found |= t.raids[lowest(front)]
        front &= front - 1
    found &= ~seen[0]
    seen[0] |= found
    return found


cdef inline int raid_cards(const Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Number of cards of the shortest raid on a site (FAS-13.2, 13.13)."""
    cdef uint64_t seen = 0
    cdef uint64_t ring = raid_ring(g, t, s, &seen, 0)
    cdef int n = 1
    while ring and not ring & site_bit(site):
        ring = raid_ring(g, t, s, &seen, ring)
        n += 1
    return max(1, n - t.raid_bonus)


cdef inline void trace_routes(const Game* g, const Tables* t, uint64_t starts, int site, uint64_t seen, int length,
                              int most, uint32_t* lengths) noexcept nogil:
    """Record the lengths of all routes back from a site to one of `starts` without repeated sites or forts."""
    cdef uint64_t front = t.raids[site] & ~seen & ~g.forts
    length += 1
    if t.raids[site] & ~seen & starts:
        lengths[0] |= <uint32_t> 1 << length
    if length >= most:
        return
    while front:
        trace_routes(g, t, starts, lowest(front), seen | front & (0 - front), length, most, lengths)
        front &= front - 1


cdef inline uint32_t raid_further(const Game* g, const Tables* t) noexcept nogil:
    """Possible numbers of further cards of the current raid, one bit each, where it may take any route (R-7).

    Only public information is used: routes too long for the cards in hand and deck are left out.
    """
    cdef const Side* p = &g.side[g.on_turn]
    cdef const Hold* h = &t.hold[g.on_turn]
    cdef uint64_t starts = p.sites if t.raid_from_besieged else p.sites & ~g.besieged
    cdef uint32_t lengths = 0
    cdef int most = g.count + min(<int> p.n_hand, popcount((p.hand | p.deck) & (h.raid | h.raid_extra)))
    trace_routes(g, t, starts, g.site, site_bit(g.site), 0, most + t.raid_bonus, &lengths)
    if t.raid_bonus:                    # one card reaches one connection or two
        lengths = lengths >> 1 | lengths & 2
    return lengths >> g.count


cdef inline uint64_t raidable(const Game* g, const Tables* t, int s) noexcept nogil:
    """Enemy sites that raids may target at all (FAS-13.7, 13.13)."""
    cdef uint64_t sites = g.side[1 - s].sites & ~g.forts
    return sites if t.raid_besieged else sites & ~g.besieged


cdef inline int points(const Game* g, const Tables* t, int s) noexcept nogil:
    """Points of a side (FAS-16.5)."""
    cdef const Side* p = &g.side[s]
    cdef int sum = t.cube_points * p.got_cubes + t.disc_points * p.got_discs
    cdef int i, villages, towns
    for i in range(VALUE_BITS):
        villages = popcount(p.sites & ~p.towns & t.worth[i])
        towns = popcount(p.towns & t.worth[i])
        sum += (villages + t.town_factor * towns) << i
    return sum


cdef inline void settle_site(Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Place a cube and gain the location card, if available (FAS-7.3 to 7.8)."""
    cdef Side* p = &g.side[s]
    cdef uint64_t bit = site_bit(site)
    if not p.sites & bit:
        p.sites |= bit
        p.cubes -= 1
        retrace(g, t, s)
    if p.avail & t.hold[s].locations & bit:
        p.avail ^= bit
        into(p, &t.hold[s], &p.discard, bit)


cdef inline void lose_site(Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Take the side's piece off a site; its fortification returns to the supply."""
    cdef uint64_t bit = site_bit(site)
    g.side[s].sites &= ~bit
    g.side[s].towns &= ~bit
    if g.forts & bit:
        g.forts ^= bit
        g.forts_left += 1
    retrace(g, t, s)


cdef inline void overwrite_unused(Game* g, int fill) noexcept nogil:
    cdef bint choosing = RAIDERS <= g.phase <= GOVERN
    cdef bint resolving = g.phase == SIEGE_SETTLE or g.phase == SIEGE_LOSS
    cdef int i
    for i in range(2):
        if g.target[i] == NONE:
            g.lead[i] = <signed char> fill
    if g.verb == 0:
        g.verb_by = fill
        g.site = fill
    if g.reply == 0:
        g.reply_card = fill
        g.reply_zone = fill
    memset(g.trail + g.trail_n, fill, TRAIL - g.trail_n)
    if g.phase != TRANSPORT:
        g.mode = fill
    if g.phase != RAIDERS:
        g.true_raid = fill
        if g.phase != HOME:
            g.need = fill
    if not choosing:
        g.count = fill
        g.floor = fill
    if not resolving:
        g.loser = fill
        g.to_settle = fill
        g.to_lose = fill
        g.lose_first = fill
        g.at_start = fill
        if g.verb != K_WITHDRAW:        # the description of a withdrawal reads it
            g.which = fill
