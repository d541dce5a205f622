"""A Few Acres of Snow: applying moves, resolving sieges, and the course of a turn (FAS-5 to 17).

The sieges are FAS-10 to 12, 15.14 and 15.15.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.acres.board cimport (
    AMBUSH_LOSS, AMBUSH_RESPONSE, BRITISH, BY_CAPTURE, BY_SETTLING, BY_SIEGE, BY_SUPPLY, BY_TURNS, COINS, DEAL,
    DISCARDS, DRAW, FIRST_TURNS, FRENCH, FROM_RESERVE, FURS, GAME_OVER, GIVE_ZONE, GOVERN, GOVERNED, HOME, K_ALLOW,
    K_ALSO, K_AMBUSH, K_BESIEGE, K_BLOCK, K_CONVERT, K_DEVELOP, K_DISCARD, K_DRAFT, K_DRAW, K_END, K_FORTIFY, K_GIVE,
    K_GOVERN, K_HOME, K_INTENDANT, K_LEADER, K_LEAVE, K_LOSE, K_MERCHANT, K_MONEY, K_PASS, K_PICK, K_PIRACY, K_PLACE,
    K_RAID, K_REINFORCE, K_RESERVE, K_RESOLVE, K_RETRIEVE, K_RETURN, K_SETTLE, K_SETTLER, K_SHOW, K_STOP, K_STRENGTH,
    K_TRADER, K_TRANSPORT, K_WITHDRAW, MAIN, ORDER, PICK, RAID_RESPONSE, RAIDERS, SETTLER, SHIP, SIEGE_LOSS,
    SIEGE_SETTLE, SKIP_REFILL, STRENGTH, TRAIL, TRANSPORT, Game, Side, card_of, discard_from_hand, draw_bit, from_hand,
    gain_neutral, into, into_hand, kind_of, lose_site, one_each, out_of, place_of, points, raid_cards, raid_further,
    reshuffle, retrace, send_home, settle_site, site_bit, tidy, tidy_all
)
from sfida.cython_ext.acres.tables cimport MODES, NEUTRALS, NO_LIMIT, NONE, QUIET_TURNS, SLOTS, Hold, Tables
from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.rng cimport Rng, rng_below
from sfida.cython_ext.state cimport move_t

# ---- sieges ----------------------------------------------------------------------------------------


cdef inline uint64_t fighters(const Game* g, const Tables* t, int s, int site, bint defends) noexcept nogil:
    """Cards with strength at a site that the side can pay for; of the location cards only the usable ones."""
    cdef const Hold* h = &t.hold[s]
    cdef const Side* p = &g.side[s]
    cdef uint64_t cards = h.military
    cdef uint64_t paid = p.hand & h.paid
    if t.ship_siege & site_bit(site):
        cards |= h.symbol[SHIP]
    if defends:
        cards |= h.fort
    if paid and p.money < h.siege_pay[lowest(paid)]:
        cards &= ~h.paid
    return cards & p.usable


cdef inline int strength_at(const Tables* t, int s, int slot, int site) noexcept nogil:
    """Strength of a card in a siege: the better one of its symbols (FAS-3.8)."""
    cdef const Hold* h = &t.hold[s]
    cdef int force = h.strength[slot]
    if t.ship_siege & site_bit(site) and (h.symbol[SHIP] >> slot) & 1:
        force = max(force, t.ship_strength)
    return force


cdef inline int defence_at(const Game* g, const Tables* t, int site) noexcept nogil:
    """Strength of a site itself, including its fort (FAS-10.7)."""
    return t.intrinsic + t.defence[site] + (t.fort_defence if g.forts & site_bit(site) else 0)


cdef inline void open_siege(Game* g, const Tables* t, int s, int site) noexcept nogil:
    """Place the siege marker; the lead starts at the site's defence (FAS-10.7)."""
    g.target[s] = site
    g.lead[s] = -defence_at(g, t, site)
    g.besieged |= site_bit(site)
    g.french_siege |= t.siege_waits and s == FRENCH
    retrace(g, t, 1 - s)


cdef inline void send_to_siege(Game* g, const Tables* t, int s, int which, uint64_t bit) noexcept nogil:
    """Move a card from the hand into a siege (FAS-12.1, 10.5)."""
    cdef Side* p = &g.side[s]
    cdef int slot = lowest(bit)
    cdef int force = strength_at(t, s, slot, g.target[which])
    g.lead[which] += force if s == which else -force
    p.money -= t.hold[s].siege_pay[slot]
    into(p, &t.hold[s], &p.siege[which], bit)


cdef inline uint64_t loss_choices(const Game* g, const Tables* t) noexcept nogil:
    """Empire cards of the loser in the siege being resolved, one per type."""
    cdef const Hold* h = &t.hold[g.loser]
    return one_each(h, g.side[g.loser].siege[g.which] & h.empire)


cdef inline void lose_card(Game* g, const Tables* t, int card) noexcept nogil:
    """Return one of the loser's cards from the siege (FAS-11.12)."""
    cdef Side* p = &g.side[g.loser]
    send_home(g, t, g.loser, out_of(&t.hold[g.loser], &p.siege[g.which], card))


cdef inline void close_siege(Game* g, const Tables* t, int which) noexcept nogil:
    """Move all cards to their owners' discard piles and remove the marker (FAS-11.12, 11.14)."""
    cdef uint64_t bit = site_bit(g.target[which]), moved
    cdef int s
    for s in range(2):
        moved = g.side[s].siege[which]
        if moved:
            g.side[s].discard |= moved
            g.side[s].siege[which] = 0
            tidy_all(&g.side[s], &t.hold[s], moved)
    g.target[which] = NONE
    g.lead[which] = 0
    g.besieged &= ~bit
    retrace(g, t, 1 - which)


cdef inline void take_site(Game* g, const Tables* t, int s) noexcept nogil:
    """The besieger captures the piece (FAS-11.5)."""
    cdef int site = g.target[s]
    cdef uint64_t bit = site_bit(site)
    if g.side[1 - s].towns & bit:
        g.side[s].got_discs += 1
    else:
        g.side[s].got_cubes += 1
    g.besieged &= ~bit
    lose_site(g, t, 1 - s, site)


cdef inline bint end_siege(Game* g, const Tables* t, int which, int loser, bint lose_first,
                           bint at_start) noexcept nogil:
    """Begin to resolve a siege; returns True if that is completed at once (see `go_on_ending`)."""
    g.which = which
    g.loser = loser
    g.to_lose = 1
    g.to_settle = loser != which
    g.lose_first = lose_first
    g.at_start = at_start
    if loser != which:
        if t.hold[which].victory & site_bit(g.target[which]):   # at once, whatever happens to the site (FAS-11.15)
            g.phase = GAME_OVER
            g.winner = which
            g.reason = BY_SIEGE
            return False
        take_site(g, t, which)
    return go_on_ending(g, t)


cdef inline bint go_on_ending(Game* g, const Tables* t) noexcept nogil:
    """Continue to the next decision at the end of a siege; returns True if none is left and the siege is closed."""
    cdef uint64_t choices
    cdef int site = g.target[g.which]
    while g.to_settle or g.to_lose:
        if g.to_settle and not (g.lose_first and g.to_lose):
            g.to_settle = 0
            if g.side[g.which].cubes == 0:
                continue                # FAS-11.9
            if t.optional_place or t.settler_sites & site_bit(site):
                g.phase = SIEGE_SETTLE
                g.mover = g.which
                return False
            settle_site(g, t, g.which, site)
            continue
        g.to_lose = 0
        choices = loss_choices(g, t)
        if choices & (choices - 1):
            g.phase = SIEGE_LOSS
            g.mover = g.loser
            return False
        if choices:
            lose_card(g, t, t.hold[g.loser].type_of[lowest(choices)])
    close_siege(g, t, g.which)
    return True


# ---- the course of a turn ---------------------------------------------------------------------------


cdef inline void finish(Game* g, int winner, int reason) noexcept nogil:
    g.phase = GAME_OVER
    g.winner = winner
    g.reason = reason


cdef inline void finish_on_points(Game* g, const Tables* t, int reason) noexcept nogil:
    """End the game: the higher score wins, a tie as the data say (FAS-16.6)."""
    cdef int british = points(g, t, BRITISH), french = points(g, t, FRENCH)
    finish(g, t.tie_winner if british == french else BRITISH if british > french else FRENCH, reason)


cdef inline int end_test(const Game* g, const Tables* t) noexcept nogil:
    """Reason for the game to end at the start of this turn, or 0 (FAS-16.2, 16.3)."""
    cdef const Side* p = &g.side[g.on_turn]
    cdef bint quiet = g.target[0] == NONE and g.target[1] == NONE
    if (p.cubes == 0 or p.discs == 0) and (quiet or not t.supply_waits):
        return BY_SUPPLY
    if t.cube_points * p.got_cubes + t.disc_points * p.got_discs >= t.capture_end and (quiet or not t.capture_waits):
        return BY_CAPTURE
    return 0


cdef inline bint is_won(const Game* g, const Tables* t, int s, int which) noexcept nogil:
    """Whether the side has won a siege, as besieger or as defender (FAS-11.2, 11.3)."""
    if g.target[which] == NONE:
        return False
    return g.lead[which] >= t.attacker_wins if s == which else -g.lead[which] >= t.defender_wins


cdef inline void go_on_starting(Game* g, const Tables* t) noexcept nogil:
    """Resolve the sieges that the side on turn has won, then begin its actions."""
    cdef int s = g.on_turn, which
    g.mover = s
    while g.besieged and (is_won(g, t, s, s) or is_won(g, t, s, 1 - s)):
        if is_won(g, t, s, s) and is_won(g, t, s, 1 - s):
            g.phase = ORDER
            return
        which = s if is_won(g, t, s, s) else 1 - s
        if not end_siege(g, t, which, 1 - s, False, True):
            return
    g.mover = s
    if t.check_after_sieges and end_test(g, t):
        finish_on_points(g, t, end_test(g, t))
        return
    g.phase = MAIN
    g.actions = t.first_actions if g.turns < FIRST_TURNS else t.turn_actions


cdef inline void start_turn(Game* g, const Tables* t) noexcept nogil:
    """Make the start checks (FAS-5.2, R-1)."""
    cdef int s = g.on_turn
    g.mover = s
    if g.turns >= t.max_turns or g.quiet >= QUIET_TURNS:
        finish_on_points(g, t, BY_TURNS)
        return
    if is_won(g, t, s, s) and t.hold[s].victory & site_bit(g.target[s]):
        finish(g, s, BY_SIEGE)
        return
    if not t.check_after_sieges and end_test(g, t):
        finish_on_points(g, t, end_test(g, t))
        return
    go_on_starting(g, t)


cdef inline uint64_t pieces_of(const Game* g) noexcept nogil:
    """Numbers of villages and towns in the supplies and captured; they change with every placed or lost piece."""
    cdef uint64_t found = 0
    cdef int s
    for s in range(2):
        found = found << 8 | g.side[s].cubes
        found = found << 8 | g.side[s].discs
        found = found << 8 | g.side[s].got_cubes
        found = found << 8 | g.side[s].got_discs
    return found


cdef inline void note_quiet(Game* g, const Tables* t) noexcept nogil:
    """Count the consecutive turns without a placed or lost piece, where turns have no limit (R-31)."""
    cdef uint64_t pieces
    if t.max_turns == NO_LIMIT:
        pieces = pieces_of(g)
        g.quiet = g.quiet + 1 if pieces == g.pieces else 0
        g.pieces = pieces


cdef inline void next_turn(Game* g, const Tables* t) noexcept nogil:
    note_quiet(g, t)
    g.turns += 1
    g.on_turn = 1 - g.on_turn
    start_turn(g, t)


cdef inline bint can_draw(Side* p, const Hold* h) noexcept nogil:
    """Whether a card can be drawn, after a reshuffle if necessary (FAS-5.8, 5.9)."""
    if p.n_deck == 0 and p.discard:
        reshuffle(p, h)
    return p.n_deck > 0


cdef inline void refill(Game* g, const Tables* t) noexcept nogil:
    """Continue to draw at the end of a turn, or pass the turn on (FAS-5.7)."""
    cdef Side* p = &g.side[g.on_turn]
    g.mover = g.on_turn
    if p.n_hand < t.hand_size and can_draw(p, &t.hold[g.on_turn]):
        g.phase = DRAW
    else:
        next_turn(g, t)


cdef inline uint64_t random_card(const Side* p, Rng* rng) noexcept nogil:
    """Bit of a random card of the deck, each equally likely."""
    return site_bit(nth(p.deck, <int> rng_below(rng, <unsigned int> popcount(p.deck))))


cdef inline void fill_hand(Game* g, const Tables* t, Rng* rng) noexcept nogil:
    """Draw at random all cards that are still to be drawn at the end of a turn, and pass the turn on."""
    cdef Side* p = &g.side[g.on_turn]
    cdef const Hold* h = &t.hold[g.on_turn]
    while True:
        draw_bit(p, h, random_card(p, rng), t.eager)
        if p.n_hand >= t.hand_size or not can_draw(p, h):
            break
    next_turn(g, t)


cdef inline void deal(Game* g, const Tables* t) noexcept nogil:
    """Continue to deal, the first player first (FAS-4.6)."""
    cdef int i, s
    for i in range(2):
        s = t.first_player if i == 0 else 1 - t.first_player
        if g.side[s].n_hand < t.hand_size and g.side[s].n_deck:
            g.phase = DEAL
            g.mover = s
            return
    start_turn(g, t)


cdef inline void begin_game(Game* g, const Tables* t) noexcept nogil:
    """Set the position before the deal."""
    cdef int s
    memset(g, 0, sizeof(Game))
    for s in range(2):
        g.side[s].sites = t.start[s].sites
        g.side[s].towns = t.start[s].towns
        g.side[s].deck = t.start[s].deck
        g.side[s].n_deck = popcount(t.start[s].deck)
        g.side[s].avail = t.start[s].avail
        g.side[s].money = t.start[s].money
        g.side[s].cubes = t.start[s].cubes
        g.side[s].discs = t.start[s].discs
    memcpy(g.display, t.start_display, NEUTRALS)
    g.forts = t.start_forts
    g.forts_left = t.forts - popcount(t.start_forts)
    g.target[0] = NONE
    g.target[1] = NONE
    g.on_turn = t.first_player
    g.winner = NONE
    retrace(g, t, 0)
    retrace(g, t, 1)
    if t.pick_extra:
        g.phase = PICK
        g.mover = FRENCH
    else:
        deal(g, t)


cdef inline void back_to_main(Game* g) noexcept nogil:
    g.phase = MAIN
    g.mover = g.on_turn


# ---- Home Support -----------------------------------------------------------------------------------


cdef inline void draw_on(Game* g, const Tables* t) noexcept nogil:
    """Begin the next draw of Home Support, or end it (FAS-15.12)."""
    cdef Side* p = &g.side[g.on_turn]
    cdef const Hold* h = &t.hold[g.on_turn]
    cdef uint64_t card = p.limbo
    if g.need and (can_draw(p, h) if t.home_reshuffles else p.n_deck > 0):
        g.phase = HOME
        g.mover = g.on_turn
        return
    p.limbo = 0
    into(p, h, &p.discard, card)
    back_to_main(g)


# ---- raids and their course ------------------------------------------------------------------------------------------


cdef inline void ask_to_block(Game* g) noexcept nogil:
    """Ask for a response once all cards of a raid are played."""
    g.phase = RAID_RESPONSE
    g.mover = 1 - g.on_turn


cdef inline void go_on_raiding(Game* g, const Tables* t) noexcept nogil:
    """Ask for the cards that are still required and, where routes may be longer, for more, unless there are
    evidently none."""
    cdef uint32_t further
    g.need -= g.need > 0
    if t.any_route:
        further = raid_further(g, t)
        if not g.true_raid:
            further &= ~<uint32_t> 1
        g.need = lowest(further)
        if further > 1:
            return
    if g.need == 0:
        ask_to_block(g)


cdef inline void carry_off(Game* g, const Tables* t) noexcept nogil:
    """Take the piece after an unblocked raid (FAS-13.9, 13.10)."""
    cdef int s = g.on_turn, d = 1 - s, site = g.site
    cdef Side* p = &g.side[d]
    cdef uint64_t bit = site_bit(site)
    if p.towns & bit:
        g.side[s].got_discs += 1
        p.towns ^= bit
        if p.cubes:
            p.cubes -= 1
            return
    else:
        g.side[s].got_cubes += 1
    lose_site(g, t, d, site)
    if g.target[s] == site:             # only with the option of raids on besieged sites
        close_siege(g, t, s)


# ---- moves applied ------------------------------------------------------------------------------------------


cdef inline void note_card(Game* g, int card) noexcept nogil:
    """Record a card of the current action for its description."""
    if g.trail_n < TRAIL:
        g.trail[g.trail_n] = card
        g.trail_n += 1


cdef inline void begin_action(Game* g, int kind, int card, int place) noexcept nogil:
    g.verb = kind
    g.verb_by = g.on_turn
    g.reply = 0
    g.site = place
    if kind == K_REINFORCE or kind == K_LEADER or kind == K_WITHDRAW:
        g.site = g.target[place]
    g.count = 0
    g.need = 0
    g.trail_n = 0
    if card != NONE:
        note_card(g, card)


cdef inline void choose_more(Game* g, const Tables* t, int phase) noexcept nogil:
    """Ask for one more card of an action, unless public information rules it out."""
    cdef Side* p = &g.side[g.on_turn]
    g.phase = phase
    if ((phase == COINS and g.count >= t.merchant_coins) or (phase == GOVERN and g.count >= GOVERNED)
            or (g.count and p.n_hand == 0) or (phase == DISCARDS and p.money < t.discard_next)):
        g.phase = MAIN


cdef inline void set_floor(Game* g, const Hold* h, int card) noexcept nogil:
    g.floor = lowest(h.of_type[card])


cdef inline void settled(Game* g, const Tables* t) noexcept nogil:
    """Complete a settle action once its cards are played."""
    settle_site(g, t, g.on_turn, g.site)
    back_to_main(g)
    if t.settling_wins and t.hold[g.on_turn].victory & site_bit(g.site):
        finish(g, g.on_turn, BY_SETTLING)


cdef inline void start_verb(Game* g, const Tables* t, int kind, int card, int place) noexcept nogil:
    """Begin an action of FAS-17.3."""
    cdef int s = g.on_turn, mode
    cdef Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t bit
    g.actions -= 1
    begin_action(g, kind, NONE if kind == K_RAID or kind == K_PASS or kind == K_DEVELOP else card, place)
    if kind == K_SETTLE or kind == K_BESIEGE:
        for mode in range(MODES):
            if h.link[lowest(h.of_type[card])][mode] & site_bit(place):
                g.mode = mode
        discard_from_hand(p, h, card)
        g.phase = TRANSPORT
    elif kind == K_DEVELOP:
        note_card(g, h.type_of[place])
        discard_from_hand(p, h, h.type_of[place])
        g.phase = SETTLER
    elif kind == K_FORTIFY:
        note_card(g, h.type_of[place])
        discard_from_hand(p, h, card)
        discard_from_hand(p, h, h.type_of[place])
        p.money -= t.fortify_cost
        g.forts |= site_bit(place)
        g.forts_left -= 1
    elif kind == K_REINFORCE:
        send_to_siege(g, t, s, place, from_hand(p, h, card))
    elif kind == K_RAID:
        g.need = raid_cards(g, t, s, place)
        g.floor = SLOTS
        g.true_raid = 0
        g.phase = RAIDERS
    elif kind == K_AMBUSH:
        p.money -= h.use_pay[lowest(h.of_type[card])]
        discard_from_hand(p, h, card)
        g.phase = AMBUSH_RESPONSE
        g.mover = 1 - s
    elif kind == K_CONVERT:
        discard_from_hand(p, h, card)
        g.phase = GIVE_ZONE
        g.mover = 1 - s
    elif kind == K_MONEY:
        p.money += h.coins[lowest(h.of_type[card])]
        discard_from_hand(p, h, card)
    elif kind == K_MERCHANT:
        discard_from_hand(p, h, card)
        g.floor = SLOTS
        g.phase = COINS
    elif kind == K_TRADER:
        discard_from_hand(p, h, card)
        g.floor = SLOTS
        g.phase = FURS
    elif kind == K_PIRACY:
        discard_from_hand(p, h, h.type_of[lowest(h.piracy)])
        discard_from_hand(p, h, card)
        g.side[1 - s].money -= min(t.piracy_money, <int> g.side[1 - s].money)
        p.money += t.piracy_money
    elif kind == K_DRAFT:
        if t.neutral_of[card]:
            p.money -= h.neutral_cost[t.neutral_of[card] - 1]
            g.display[t.neutral_of[card] - 1] -= 1
            gain_neutral(g, t, s, t.neutral_of[card] - 1)
        else:
            bit = p.avail & h.of_type[card]
            bit &= ~(bit >> 1)          # the copy that keeps them in order
            p.avail ^= bit
            p.discard |= bit
            p.money -= h.cost[lowest(bit)]
    elif kind == K_DISCARD:
        p.money -= t.discard_first
        discard_from_hand(p, h, card)
        set_floor(g, h, card)
        g.count = 1
        choose_more(g, t, DISCARDS)
    elif kind == K_RESERVE:
        into(p, h, &p.reserve, from_hand(p, h, card))
    elif kind == K_GOVERN:
        discard_from_hand(p, h, h.type_of[lowest(p.hand & h.governor)])
        send_home(g, t, s, from_hand(p, h, card))
        set_floor(g, h, card)
        g.count = 1
        choose_more(g, t, GOVERN)
    elif kind == K_INTENDANT:
        p.money -= t.intendant_cost
        bit = out_of(h, &p.discard, card)
        into_hand(p, h, bit)
        discard_from_hand(p, h, h.type_of[lowest(p.hand & h.intendant)])


cdef inline void free_verb(Game* g, const Tables* t, int kind, int place) noexcept nogil:
    """Play a free action, or end the turn."""
    cdef int s = g.on_turn
    cdef Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t cards
    if kind == K_END:
        if place == SKIP_REFILL:
            next_turn(g, t)
        else:
            refill(g, t)
        return
    begin_action(g, kind, NONE, place)
    if kind == K_RETRIEVE:
        cards = p.reserve
        p.money -= t.retrieve_cost * popcount(cards)
        p.reserve = 0
        into_hand(p, h, cards)
    elif kind == K_LEADER:
        send_to_siege(g, t, s, place, from_hand(p, h, h.type_of[lowest(p.hand & h.leader)]))
    elif kind == K_HOME:
        p.limbo = from_hand(p, h, h.type_of[lowest(p.hand & h.home_support)])
        g.need = t.home_draws if t.home_reshuffles else min(t.home_draws, <int> p.n_deck)
        draw_on(g, t)
    else:                               # K_WITHDRAW
        if end_siege(g, t, place, s, True, False):
            back_to_main(g)


cdef inline void next_card(Game* g, const Tables* t, int kind, int card) noexcept nogil:
    """Play one more card of the current action."""
    cdef int s = g.mover, slot
    cdef Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    note_card(g, card)
    if kind == K_TRANSPORT:
        discard_from_hand(p, h, card)
        if g.verb == K_BESIEGE:
            g.phase = STRENGTH
        elif t.settler_sites & site_bit(g.site):
            g.phase = SETTLER
        else:
            settled(g, t)
    elif kind == K_SETTLER:
        discard_from_hand(p, h, card)
        if g.verb == K_SETTLE:
            settled(g, t)
        else:
            p.towns |= site_bit(g.site)
            p.cubes += 1
            p.discs -= 1
            back_to_main(g)
    elif kind == K_STRENGTH:
        open_siege(g, t, s, g.site)
        send_to_siege(g, t, s, s, from_hand(p, h, card))
        back_to_main(g)
    else:                               # K_ALSO
        slot = lowest(h.of_type[card])
        g.count += 1
        set_floor(g, h, card)
        if g.phase == GOVERN:
            send_home(g, t, s, from_hand(p, h, card))
        else:
            discard_from_hand(p, h, card)
        if g.phase == RAIDERS:
            p.money -= h.use_pay[slot]
            g.true_raid |= (h.raid & site_bit(slot)) != 0
            go_on_raiding(g, t)
            return
        if g.phase == COINS:
            p.money += h.coins[slot]
        elif g.phase == FURS:
            p.money += t.fur_money
        elif g.phase == DISCARDS:
            p.money -= t.discard_next
        choose_more(g, t, g.phase)


cdef inline void answer(Game* g, const Tables* t, int kind, int card, int place) noexcept nogil:
    """Play the answer to a raid, an ambush or a conversion."""
    cdef int s = g.mover
    cdef Side* p = &g.side[s]
    cdef const Hold* h = &t.hold[s]
    cdef uint64_t bit
    g.reply = kind
    g.reply_card = card
    g.reply_zone = place
    if kind == K_BLOCK:
        discard_from_hand(p, h, card)
        if t.free_blocked_raid if g.phase == RAID_RESPONSE else t.free_blocked_ambush:
            g.actions += 1
    elif kind == K_ALLOW:
        if g.phase == AMBUSH_RESPONSE:
            g.phase = AMBUSH_LOSS
            return
        carry_off(g, t)
    elif kind == K_SHOW:
        p.known = p.hand
    else:
        bit = out_of(h, &p.reserve, card) if place == FROM_RESERVE else from_hand(p, h, card)
        if kind == K_LOSE:
            send_home(g, t, s, bit)
        else:
            tidy(p, h.of_type[card])
            gain_neutral(g, t, 1 - s, t.neutral_of[card] - 1)
    back_to_main(g)


cdef inline void siege_move(Game* g, const Tables* t, int kind, int card, int place) noexcept nogil:
    """Play a decision at the end of a siege."""
    cdef int s = g.mover
    cdef bint done
    if kind == K_RESOLVE:
        done = end_siege(g, t, place, 1 - s, False, True)
    else:
        if kind == K_RETURN:
            lose_card(g, t, card)
        elif kind == K_PLACE:
            if card != NONE:
                discard_from_hand(&g.side[s], &t.hold[s], card)
            settle_site(g, t, s, g.target[g.which])
        done = go_on_ending(g, t)
    if done:
        if g.at_start:
            go_on_starting(g, t)
        else:
            back_to_main(g)


cdef inline void drawn(Game* g, const Tables* t, uint64_t bit) noexcept nogil:
    """Draw the card of a slot for the mover."""
    cdef int phase = g.phase
    draw_bit(&g.side[g.mover], &t.hold[g.mover], bit, t.eager)
    if phase == DRAW:
        refill(g, t)
    elif phase == HOME:
        g.need -= 1
        draw_on(g, t)
    else:
        deal(g, t)


cdef inline void apply_move(Game* g, const Tables* t, move_t move) noexcept nogil:
    """Play a legal move or a possible draw."""
    cdef int kind = kind_of(move), card = card_of(move), place = place_of(move)
    cdef uint64_t bit
    g.last = <unsigned int> move + 1
    if kind == K_DRAW:
        bit = g.side[g.mover].deck & t.hold[g.mover].of_type[card]
        drawn(g, t, bit & (0 - bit))
    elif kind == K_PASS or (kind >= K_SETTLE and kind <= K_INTENDANT and kind != K_LEADER):
        g.phase = MAIN
        start_verb(g, t, kind, card, place)
    elif kind == K_STOP:
        if g.phase == RAIDERS:
            ask_to_block(g)
        else:
            g.phase = MAIN
    elif kind >= K_TRANSPORT and kind <= K_ALSO:
        next_card(g, t, kind, card)
    elif kind >= K_BLOCK and kind <= K_GIVE:
        answer(g, t, kind, card, place)
    elif kind >= K_RETURN and kind <= K_LEAVE:
        siege_move(g, t, kind, card, place)
    elif kind == K_PICK:
        bit = out_of(&t.hold[FRENCH], &g.side[FRENCH].avail, card)
        into(&g.side[FRENCH], &t.hold[FRENCH], &g.side[FRENCH].deck, bit)
        g.side[FRENCH].n_deck += 1
        deal(g, t)
    else:
        free_verb(g, t, kind, place)


cdef inline uint64_t random_draw(const Game* g, Rng* rng) noexcept nogil:
    """Bit of a random card of the mover's deck."""
    return random_card(&g.side[g.mover], rng)
