"""Attila hidden information: views, bids and worlds (part 6), overwritten or drawn from the log of hands.

A card that another seat drew is a slot: it came from a pile with known cards (D1, D4). Slots of one hand from one
pile with the same constraints form a group. A card that leaves a hand removes one of its slots, any of them
equally likely, and so narrows the possible rest. A world is drawn by going through the log: each card that left
chooses its slot by the probability that this slot held it, and the remaining slots are dealt from the rest of their
piles. Where slots of several piles or masks are mixed, this proposal is weighted by the probability that it gave to
the observations, and one of PARTICLES proposals is picked by its weight.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from sfida.cython_ext.attila.board cimport (
    ALL_TRIBES, COMMIT, GAME_OVER, LOG, LOG_DEAD, LOG_DRAW, LOG_LEAVE, M_COMMIT, M_COMMIT_HIDDEN, M_DONE, M_DRAW,
    M_DRAW_HIDDEN, NONE, PLAY, TRUE_GAME, UNSEEN, Game
)
from sfida.cython_ext.attila.tables cimport SEATS, TRIBES, Tables
from sfida.cython_ext.bits cimport count_of, lane, popcount
from sfida.cython_ext.lanes cimport any_kind, kind_at, kinds_of, masked, size_of, some_of, top_kind
from sfida.cython_ext.rng cimport Rng, mix64, rng_uniform
from sfida.cython_ext.seats cimport seat_after

# ---- labels of the last event ---------------------------------------------------------------------------------


cdef inline int seen_code(const Game* g, int seat) noexcept nogil:
    """Code of the last event as the seat saw it."""
    if g.doer == NONE or g.doer == seat or g.phase == GAME_OVER:
        return g.last
    if M_DRAW <= g.last < M_DRAW_HIDDEN:
        return M_DRAW_HIDDEN
    if M_COMMIT <= g.last < M_DONE:
        return M_COMMIT_HIDDEN
    return g.last


cdef inline uint64_t label_of(const Game* g, int seat) noexcept nogil:
    """Label of the event, including the cards that it revealed."""
    cdef uint64_t label = seen_code(g, seat) + 1
    cdef int i
    if g.revealed:
        for i in range(SEATS):
            label = mix64(label, g.shown[i])
    return label


# ---- views of a seat ------------------------------------------------------------------------------------------


cdef inline uint64_t unseen_by(const Game* g, const Tables* t, int seat) noexcept nogil:
    """All cards that the seat does not see (D1)."""
    cdef uint64_t seen = g.hand[seat] + g.laid[seat] + g.discard + g.given
    cdef int i
    if t.open_commitments:
        for i in range(t.players):
            if i != seat:
                seen += g.laid[i]
    return t.all_cards - seen


cdef inline void blank_log(Game* g, int seat) noexcept nogil:
    """Overwrite the tribes of other seats' draws in the log."""
    cdef int k = 0
    while k < g.log_n:
        if g.log[k] >> 6 == LOG_DEAD:
            k += 1
        elif g.log[k] >> 6 == LOG_DRAW and (g.log[k] >> 3 & 7) != seat:
            g.log[k] |= UNSEEN
        k += 1


cdef inline void deal_blindly(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Deal the unseen cards by hand sizes alone; with `rng` NULL the first tribes first."""
    cdef uint64_t rest = unseen_by(g, t, seat)
    cdef int i
    for i in range(t.players):
        if i == seat:
            continue
        if not t.open_commitments:
            g.laid[i] = some_of(rest, size_of(g.laid[i]), rng)
            rest -= g.laid[i]
        g.hand[i] = some_of(rest, size_of(g.hand[i]), rng)
        rest -= g.hand[i]
    g.pile = rest


cdef inline void forget_order(Game* g, const Tables* t, int seat) noexcept nogil:
    """Reset the order of laying: the next card that may be laid depends on the cards laid in this world."""
    if g.phase == COMMIT and g.mover != seat and not t.open_commitments:
        g.least = top_kind(g.laid[g.mover])


cdef inline void redact_position(Game* g, const Tables* t, int seat) noexcept nogil:
    """Overwrite what the seat cannot know."""
    g.world = TRUE_GAME
    if g.phase == GAME_OVER:
        return
    g.viewer = seat + 1
    g.last = seen_code(g, seat)
    if g.last == M_DRAW_HIDDEN or g.last == M_COMMIT_HIDDEN:
        g.doer = NONE
    deal_blindly(g, t, seat, NULL)
    forget_order(g, t, seat)
    blank_log(g, seat)


# ---- bids taken back -------------------------------------------------------------------------------------------


cdef inline void take_back(Game* g, const Tables* t, int seat) noexcept nogil:
    """Let the other seats that have finished lay the same number of cards again (ATT-6.5)."""
    cdef int i = g.active, stop = g.mover
    cdef bint begun = False
    if g.phase != COMMIT or t.open_commitments:
        return
    while i != stop:
        g.bound[i] = 1 + size_of(g.laid[i])
        if i != seat:
            g.hand[i] += g.laid[i]
            g.laid[i] = 0
            if not begun:
                g.mover = i
                g.least = 0
                begun = True
        i = seat_after(i, t.players)


# ---- the log as one seat reads it --------------------------------------------------------------------


cdef enum:
    PILES = 24                          # most piles of a log: each has at least 24 cards, and each card is an entry
    GROUPS = 8                          # most groups of a hand


cdef struct Event:
    uint16_t entry                      # in the log
    uint8_t kind
    uint8_t seat
    uint8_t what                        # tribe that left, pile drawn from, or mask


cdef struct Story:
    uint64_t need[PILES]                # cards of a pile that the seat has not drawn itself
    Event event[LOG]                    # events of other seats
    int events
    int piles                           # number of the last one
    bint plain                          # one pile, no masks: every arrangement of the cards is equally likely
    bint sound                          # False in a world of another world, whose log has too few entries


cdef struct Group:
    uint64_t cards                      # final cards of its slots
    uint8_t pile
    uint8_t mask                        # tribes that its slots can be
    uint8_t n


cdef struct Hand:
    Group group[GROUPS]
    int n


cdef inline void read_log(const Game* g, const Tables* t, int me, Story* s) noexcept nogil:
    """Find the pile of each draw, and the cards of each pile that other seats drew."""
    cdef uint64_t discard = t.all_cards - g.base
    cdef int k = 0, pile = size_of(g.base), kind, seat, tribe
    cdef Event* e
    s.events = 0
    s.piles = 0
    s.plain = g.log_dumps == 0
    s.sound = True
    s.need[0] = g.base
    while k < g.log_n:
        kind = g.log[k] >> 6
        seat = g.log[k] >> 3 & 7
        tribe = g.log[k] & 7
        if kind == LOG_DRAW and pile == 0:
            s.piles += 1
            s.need[s.piles] = discard
            pile = size_of(discard)
            discard = 0
        e = &s.event[s.events]
        e.entry = k
        e.kind = kind
        e.seat = seat
        e.what = tribe
        if kind == LOG_DRAW:
            pile -= 1
            e.what = s.piles
            if seat == me and (tribe == UNSEEN or count_of(s.need[s.piles], tribe) == 0):
                s.sound = False
            elif seat == me:
                s.need[s.piles] -= lane(tribe)
        elif kind == LOG_LEAVE:
            discard += lane(tribe)
        else:
            k += 1
            e.what = g.log[k]
        s.events += seat != me
        k += 1
    if pile == 0 and g.pile:            # reshuffled, and not drawn from yet
        s.piles += 1
        s.need[s.piles] = discard
    if s.piles:
        s.plain = False


cdef inline void add_slot(Hand* h, int pile) noexcept nogil:
    """Add a slot for a drawn card."""
    cdef Group* last
    if h.n:
        last = &h.group[h.n - 1]
        if last.pile == pile and last.mask == ALL_TRIBES:
            last.n += 1
            return
    if h.n < GROUPS:
        last = &h.group[h.n]
        last.pile = pile
        last.mask = ALL_TRIBES
        last.n = 1
        last.cards = 0
        h.n += 1


cdef inline bint narrow(Hand* h, int mask) noexcept nogil:
    """Restrict all cards in hand to these tribes (D5); False if one cannot be."""
    cdef int k
    for k in range(h.n):
        h.group[k].mask &= mask
        if h.group[k].mask == 0:
            return False
    return True


cdef inline void drop_slot(Hand* h, int k) noexcept nogil:
    """Remove a slot of a group; groups stay in the order of their draws."""
    h.group[k].n -= 1
    if h.group[k].n:
        return
    h.n -= 1
    while k < h.n:
        h.group[k] = h.group[k + 1]
        k += 1


# ---- possible worlds of a seat -------------------------------------------------------------


cdef enum:
    PARTICLES = 4
    TRIES = 4000
    SLOTS = 10                          # most slots of a hand


cdef struct Choice:                     # group that a card which left came from
    uint8_t pile
    uint8_t mask
    uint8_t tribe


cdef struct Place:                      # a slot in the hand of the true log
    uint16_t entry
    uint8_t pile
    uint8_t mask


cdef struct World:
    double weight
    uint64_t need[PILES]
    uint64_t laid[SEATS]
    int left[PILES]                     # sum of need
    Hand hand[SEATS]
    Choice lies[SEATS][SLOTS]           # slots of cards laid face down
    int n_lies[SEATS]
    int choices
    Choice choice[LOG]


# ---- single cards ---------------------------------------------------------------------------------------


cdef inline int may_be(const World* w, const Group* group, int tribes) noexcept nogil:
    """Number of cards of these tribes in the rest of its pile that a slot of the group can be."""
    return size_of(masked(w.need[group.pile], group.mask & tribes))


cdef inline int choose_group(World* w, const Hand* h, int tribes, Rng* rng) noexcept nogil:
    """Draw the group that a card of these tribes came from, by its probability; -1 if there is none."""
    cdef double share[GROUPS]
    cdef double sum = 0.0, x
    cdef const Group* group
    cdef int k, n, left, last = -1
    for k in range(h.n):
        group = &h.group[k]
        n = may_be(w, group, tribes)
        share[k] = 0.0
        if n:
            left = w.left[group.pile] if group.mask == ALL_TRIBES else may_be(w, group, ALL_TRIBES)
            share[k] = <double> (n * group.n) / left
            sum += share[k]
            last = k
    if last < 0:
        return -1
    if h.n > 1:
        x = rng_uniform(rng) * sum
        for k in range(last):
            x -= share[k]
            if x < 0.0:
                last = k
                break
    w.weight *= sum
    group = &h.group[last]
    if group.mask != ALL_TRIBES:
        w.weight *= <double> may_be(w, group, ALL_TRIBES) / w.left[group.pile]
    return last


cdef inline void settle(World* w, Hand* h, int k, int tribe, Choice* choice) noexcept nogil:
    """Let a card of the tribe leave from group `k`."""
    choice.pile = h.group[k].pile
    choice.mask = h.group[k].mask
    choice.tribe = tribe
    w.need[choice.pile] -= lane(tribe)
    w.left[choice.pile] -= 1
    drop_slot(h, k)


cdef inline bint leaves(World* w, int seat, int tribe, Rng* rng) noexcept nogil:
    cdef int k = choose_group(w, &w.hand[seat], 1 << tribe, rng)
    if k < 0:
        return False
    settle(w, &w.hand[seat], k, tribe, &w.choice[w.choices])
    w.choices += 1
    return True


cdef inline bint lies(World* w, int seat, int tribes, Rng* rng) noexcept nogil:
    """Lay one card of these tribes face down (D3)."""
    cdef Hand* h = &w.hand[seat]
    cdef int k = choose_group(w, h, tribes, rng), tribe
    if k < 0 or w.n_lies[seat] == SLOTS:
        return False
    tribe = any_kind(masked(w.need[h.group[k].pile], h.group[k].mask & tribes), rng)
    settle(w, h, k, tribe, &w.lies[seat][w.n_lies[seat]])
    w.n_lies[seat] += 1
    w.laid[seat] += lane(tribe)
    return True


# ---- a proposal -----------------------------------------------------------------------------------


cdef inline bint deal_narrow(World* w, int players, Rng* rng) noexcept nogil:
    """Deal the constrained groups, those with the fewest tribes first."""
    cdef Group* group
    cdef int size, seat, k, n, tribe, _i
    for size in range(1, TRIBES):
        for seat in range(players):
            for k in range(w.hand[seat].n):
                group = &w.hand[seat].group[k]
                if popcount(group.mask) != size:
                    continue
                for _i in range(group.n):
                    n = may_be(w, group, ALL_TRIBES)
                    if n == 0:
                        return False
                    w.weight *= <double> n / w.left[group.pile]
                    tribe = any_kind(masked(w.need[group.pile], group.mask), rng)
                    w.need[group.pile] -= lane(tribe)
                    w.left[group.pile] -= 1
                    group.cards += lane(tribe)
    return True


cdef inline bint propose(const Game* g, const Tables* t, int me, const Story* s, World* w, Rng* rng) noexcept nogil:
    """Go through the log once; False if it reached a contradiction."""
    cdef const Event* e
    cdef int i, seat, _i
    w.weight = 1.0
    w.choices = 0
    for i in range(s.piles + 1):
        w.need[i] = s.need[i]
        w.left[i] = size_of(s.need[i])
    for i in range(SEATS):
        w.hand[i].n = 0
        w.n_lies[i] = 0
        w.laid[i] = 0
    for i in range(s.events):
        e = &s.event[i]
        if e.kind == LOG_DRAW:
            add_slot(&w.hand[e.seat], e.what)
        elif e.kind == LOG_LEAVE:
            if not leaves(w, e.seat, e.what, rng):
                return False
        elif not narrow(&w.hand[e.seat], e.what):
            return False
    for seat in range(t.players):
        if seat == me:
            continue
        if t.open_commitments:
            w.laid[seat] = g.laid[seat]
            continue
        for _i in range(size_of(g.laid[seat])):
            if not lies(w, seat, g.present, rng):
                return False
    return g.log_dumps == 0 or deal_narrow(w, t.players, rng)


cdef inline bint deal_rest(const Game* g, int players, int me, World* w, Rng* rng) noexcept nogil:
    """Deal the unconstrained groups; False if the player on turn lacks a required card (ATT-9.4)."""
    cdef Group* group
    cdef int seat, k, held = 0
    for seat in range(players):
        for k in range(w.hand[seat].n):
            group = &w.hand[seat].group[k]
            if group.mask == ALL_TRIBES:
                group.cards = some_of(w.need[group.pile], group.n, rng)
                w.need[group.pile] -= group.cards
            if seat == g.active:
                held |= kinds_of(group.cards)
    return g.phase != PLAY or not g.doubled or g.active == me or (held & g.live) != 0


cdef inline bint draw_world(const Game* g, const Tables* t, int me, const Story* s, World* best,
                            Rng* rng) noexcept nogil:
    """Draw one world into `best`; False if none was found."""
    cdef World w
    cdef double sum = 0.0
    cdef int found = 0, wanted = 1 if s.plain else PARTICLES, _i
    if not s.sound:
        return False
    for _i in range(TRIES):
        if not propose(g, t, me, s, &w, rng):
            continue
        found += 1
        sum += w.weight
        if found == 1 or rng_uniform(rng) * sum < w.weight:
            memcpy(best, &w, sizeof(World) - sizeof(Choice) * (LOG - w.choices))
        if found >= wanted:
            if deal_rest(g, t.players, me, best, rng):
                return True
            found = 0
            sum = 0.0
    return False


# ---- writing the world into the position ----------------------------------------------------------------


cdef inline void write_slot(Game* g, Place* places, int* n, const Choice* choice) noexcept nogil:
    """Find the slot of a choice in a hand, write its tribe into the log, and remove it."""
    cdef int k
    for k in range(n[0]):
        if places[k].pile == choice.pile and places[k].mask == choice.mask:
            g.log[places[k].entry] = (g.log[places[k].entry] & ~7) | choice.tribe
            n[0] -= 1
            while k < n[0]:
                places[k] = places[k + 1]
                k += 1
            return


cdef inline void write_rest(Game* g, int seat, Hand* h, Place* places, int* n) noexcept nogil:
    """Write the slots that are still in a hand."""
    cdef Choice choice
    cdef Group* group
    cdef uint64_t cards
    cdef int k
    for k in range(h.n):
        group = &h.group[k]
        choice.pile = group.pile
        choice.mask = group.mask
        cards = group.cards
        while cards:
            choice.tribe = kind_at(cards, 0)
            cards -= lane(choice.tribe)
            write_slot(g, places, n, &choice)


cdef inline void write_log(Game* g, const Tables* t, int me, const Story* s, World* w) noexcept nogil:
    """Write the tribes that the other seats drew in this world."""
    cdef Place places[SEATS][SLOTS + 1]
    cdef int n[SEATS]
    cdef const Event* e
    cdef int i, k, choices = 0
    for i in range(SEATS):
        n[i] = 0
    for i in range(s.events):
        e = &s.event[i]
        if e.kind == LOG_DRAW and n[e.seat] < SLOTS:
            places[e.seat][n[e.seat]].entry = e.entry
            places[e.seat][n[e.seat]].pile = e.what
            places[e.seat][n[e.seat]].mask = ALL_TRIBES
            n[e.seat] += 1
        elif e.kind == LOG_LEAVE:
            write_slot(g, places[e.seat], &n[e.seat], &w.choice[choices])
            choices += 1
        elif e.kind == LOG_DEAD:
            for k in range(n[e.seat]):
                places[e.seat][k].mask &= e.what
    for i in range(t.players):
        if i == me:
            continue
        for k in range(w.n_lies[i]):
            write_slot(g, places[i], &n[i], &w.lies[i][k])
        write_rest(g, i, &w.hand[i], places[i], &n[i])


cdef inline void put_world(Game* g, const Tables* t, int me, World* w) noexcept nogil:
    cdef int i, k
    for i in range(t.players):
        if i == me:
            continue
        g.laid[i] = w.laid[i]
        g.hand[i] = 0
        for k in range(w.hand[i].n):
            g.hand[i] += w.hand[i].group[k].cards


cdef inline void deal_anyhow(Game* g, const Tables* t, int me, Rng* rng) noexcept nogil:
    """Deal all unseen cards by hand sizes and the tribes allowed face down; the log stays overwritten."""
    cdef uint64_t rest = unseen_by(g, t, me)
    cdef int i, n
    blank_log(g, me)
    for i in range(t.players):
        if i == me or t.open_commitments:
            continue
        n = size_of(g.laid[i])
        g.laid[i] = some_of(masked(rest, g.present), n, rng) if n else 0
        rest -= g.laid[i]
    for i in range(t.players):
        if i != me:
            g.hand[i] = some_of(rest, size_of(g.hand[i]), rng)
            rest -= g.hand[i]


cdef inline bint determinize_position(Game* g, const Tables* t, int me, Rng* rng) noexcept nogil:
    """Replace the position by a world of the seat, from a true position or a view; return whether the log gave it."""
    cdef Story s
    cdef World w
    cdef uint64_t rest
    cdef bint found
    cdef int i
    if g.phase == GAME_OVER:
        return True
    read_log(g, t, me, &s)
    found = draw_world(g, t, me, &s, &w, rng)
    if found:
        put_world(g, t, me, &w)
        write_log(g, t, me, &s, &w)
    else:
        deal_anyhow(g, t, me, rng)
    rest = unseen_by(g, t, me)
    for i in range(t.players):
        if i != me:
            rest -= g.hand[i]
            if not t.open_commitments:
                rest -= g.laid[i]
    g.pile = rest
    forget_order(g, t, me)
    g.last = seen_code(g, me)
    if g.last == M_DRAW_HIDDEN or g.last == M_COMMIT_HIDDEN:
        g.doer = NONE
    g.viewer = 0
    g.world = TRUE_GAME
    return found
