"""The Settlers of Zarahemla: the seats' knowledge of each other's cards, and the worlds consistent with it (ZAR-17).

The only hidden resource cards are stolen ones. `Game.theft` keeps every theft that is not public, with all public
evidence about it from later events. A *world* of a seat assigns a card to each of these thefts, with the true card
for the seat's own thefts; its weight is the product of the probabilities that each theft took that card. The hands
follow from the world. One record thus serves every seat, and a world sampled for one seat contains the knowledge of
every other seat in that world.

The public balance of a hand is its content without these thefts; every seat can follow it. A hand is its balance
plus its share of the thefts, and no count in a hand is ever below 0, so the lowest balance since each theft is all
the evidence from the past. Every payment, proof and theft is recorded here. The evidence of a payment or proof is
evaluated for one hand and resource at a time. This resolves nearly all thefts eventually; only a full record needs
a comparison of all worlds.

A view keeps the knowledge of its seat: for a hand that the seat cannot deduce, the public balance stays, stored in
the hand's drift. Of the development cards that the seat does not see, only the numbers stay.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport LANES, MIDS, ONES, count_of, lane, lower, lowest, rarely
from sfida.cython_ext.rng cimport Rng, mix64, rng_below, rng_uniform
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, C_DRAW_DEV, C_STOLEN_CARD, DISCARD, FORGOTTEN, GAME_OVER, M_PLAY_PROSPERITY, MAX_THEFTS, NOBODY,
    TRADE_COMPOSE, UNSEEN, UNWATCHED, VICTORY_POINT, Game, Theft, answer_of, bundle, cards_in, side_of, total
)
from sfida.cython_ext.zarahemla.tables cimport CARD_TYPES, RESOURCES, SEATS, Tables


cdef enum:
    MAX_WORLDS = 1024                   # total over all steps; a record with more worlds is discarded


cdef struct World:
    int64_t share[SEATS]                # cards that the thefts so far added to each hand, in signed lanes
    double weight


cdef struct Worlds:
    int n                               # number of thefts
    bint cut                            # the list was cut: there are too many worlds
    int begin[MAX_THEFTS + 2]           # worlds after `j` thefts: pool[begin[j]] .. pool[begin[j + 1] - 1]
    uint64_t low[MAX_THEFTS][SEATS]     # 64 is added to each lane
    uint64_t held[MAX_THEFTS]
    uint8_t thief[MAX_THEFTS]
    uint8_t victim[MAX_THEFTS]
    uint8_t may[MAX_THEFTS]             # possible cards, one bit each
    uint64_t base[SEATS]                # current public balance of each hand; 64 is added to each lane
    World pool[MAX_WORLDS]


cdef inline uint32_t squeeze(uint64_t lanes) noexcept nogil:
    """Pack balances, with 64 added, into six bits each; a balance lies between -MAX_THEFTS and 24 + MAX_THEFTS."""
    cdef uint32_t packed = 0
    cdef int r
    for r in range(RESOURCES):
        packed |= <uint32_t> (count_of(lanes, r) - 44) << (6 * r)
    return packed


cdef inline uint64_t spread(uint32_t packed) noexcept nogil:
    cdef uint64_t lanes = 0
    cdef int r
    for r in range(RESOURCES):
        lanes |= <uint64_t> (((packed >> (6 * r)) & 63) + 44) << (8 * r)
    return lanes


cdef inline bint tracked(const Game* g) noexcept nogil:
    """Whether some thefts are open and recorded."""
    return g.n_thefts != 0 and g.n_thefts <= MAX_THEFTS


cdef inline uint64_t balance(const Game* g, int seat) noexcept nogil:
    """Public balance of a hand; 64 is added to each lane."""
    return ((g.seat[seat].hand & LANES) - <uint64_t> g.seat[seat].drift + MIDS) & LANES


cdef inline bint involved(const Game* g, int seat) noexcept nogil:
    """Whether some unresolved theft changed this hand."""
    cdef int j
    if not tracked(g):
        return False
    for j in range(g.n_thefts):
        if g.theft[j].thief == seat or g.theft[j].victim == seat:
            return True
    return False


cdef inline bint is_veiled(const Game* g, int seat) noexcept nogil:
    """Whether this copy is a view that hides the hand."""
    return g.viewer and seat != g.viewer - 1 and (g.n_thefts > MAX_THEFTS or involved(g, seat))


cdef inline uint64_t base_of(const Game* g, int seat) noexcept nogil:
    """Public balance of a hand, with 64 added; works in a view as well."""
    return <uint64_t> g.seat[seat].drift if is_veiled(g, seat) else balance(g, seat)


cdef inline void load_worlds(const Game* g, const Tables* t, int seat, Worlds* w) noexcept nogil:
    """Load the thefts as `seat` knows them; NOBODY: as the public knows them."""
    cdef int i, j
    cdef const Theft* theft
    w.n = g.n_thefts
    w.cut = False
    for i in range(SEATS):
        w.base[i] = base_of(g, i) if i < t.players else MIDS
    for j in range(w.n):
        theft = &g.theft[j]
        for i in range(SEATS):
            w.low[j][i] = g.low[i] if j == w.n - 1 else spread(theft.low[i])
        w.held[j] = spread(theft.held)
        w.thief[j] = theft.thief
        w.victim[j] = theft.victim
        w.may[j] = 1 << theft.card if seat == theft.thief or seat == theft.victim else theft.may


cdef inline bint could_be(const Worlds* w, int j, const int64_t* share) noexcept nogil:
    """Whether no hand fell below 0 between theft `j` and the next."""
    cdef int i
    for i in range(SEATS):
        if ((w.low[j][i] + <uint64_t> share[i]) & MIDS) != MIDS:
            return False
    return True


cdef inline bint phase_allows(const Game* g, const Tables* t, const Worlds* w, int seat,
                              const int64_t* share) noexcept nogil:
    """Whether the deciding seat holds the cards to finish its current choice."""
    cdef int j = g.mover, r, s, n = 0
    cdef uint64_t hand
    cdef bint any_out
    if j == seat:
        return True
    if g.phase != DISCARD and not (g.phase == TRADE_COMPOSE and g.want[j] == 0 and not t.gifts):
        return True
    hand = w.base[j] + <uint64_t> share[j]
    if g.phase == DISCARD:
        for r in range(g.floor, RESOURCES):
            n += count_of(hand, r) - 64
        return n >= g.left
    for r in range(RESOURCES):
        if side_of(g.give[j], r) or (g.give[j] == 0 and count_of(hand, r) > 64):
            any_out = False
            for s in range(RESOURCES):
                if side_of(g.give[j], s) == 0 and s != r and (
                        t.cards_each - count_of(g.bank, s) - (count_of(hand, s) - 64) > 0):
                    any_out = True
            if any_out:
                return True
    return False


cdef inline bint take_from(const Worlds* w, int j, int r, const World* before, World* after) noexcept nogil:
    """Let theft `j` take card `r` in a world; return whether that is possible."""
    cdef int i, n
    if not (w.may[j] >> r) & 1:
        return False
    n = count_of(w.held[j] + <uint64_t> before.share[w.victim[j]], r) - 64
    if n <= 0:
        return False
    for i in range(SEATS):
        after.share[i] = before.share[i]
    after.share[w.victim[j]] -= <int64_t> lane(r)
    after.share[w.thief[j]] += <int64_t> lane(r)
    after.weight = before.weight * n
    return could_be(w, j, after.share)


cdef inline int find_world(const Worlds* w, int j, const World* one) noexcept nogil:
    """Index of the world with the same hands after `j` thefts, or -1."""
    cdef int k
    for k in range(w.begin[j], w.begin[j + 1]):
        if (w.pool[k].share[0] == one.share[0] and w.pool[k].share[1] == one.share[1]
                and w.pool[k].share[2] == one.share[2] and w.pool[k].share[3] == one.share[3]):
            return k
    return -1


cdef inline void fill_worlds(const Game* g, const Tables* t, int seat, int limit, Worlds* w) noexcept nogil:
    """List all worlds of `seat`, or of the public (NOBODY), step by step; equal hands are one world.

    The list stops at `limit` worlds in all steps together.
    """
    cdef World* now
    cdef World after
    cdef int j, k, r, same
    load_worlds(g, t, seat, w)
    memset(w.pool[0].share, 0, sizeof(w.pool[0].share))
    w.pool[0].weight = 1.0
    w.begin[0] = 0
    w.begin[1] = 1
    for j in range(w.n):
        w.begin[j + 2] = w.begin[j + 1]
        for k in range(w.begin[j], w.begin[j + 1]):
            now = &w.pool[k]
            for r in range(RESOURCES):
                if not take_from(w, j, r, now, &after):
                    continue
                if j == w.n - 1 and seat != NOBODY and not phase_allows(g, t, w, seat, after.share):
                    continue
                same = find_world(w, j + 1, &after)
                if same >= 0:
                    w.pool[same].weight += after.weight
                elif w.begin[j + 2] >= limit:
                    w.cut = True
                    return
                else:
                    w.pool[w.begin[j + 2]] = after
                    w.begin[j + 2] += 1


cdef enum:
    FEW_WORLDS = 512
    MANY_THEFTS = 6                     # more thefts are recorded only while none of them is public


cdef inline void forget_thefts(Game* g, int n) noexcept nogil:
    """Discard the thefts: all are public (n = 0), or there are too many (n = FORGOTTEN)."""
    cdef int i
    memset(g.theft, 0, sizeof(g.theft))
    memset(g.low, 0, sizeof(g.low))
    for i in range(SEATS):
        g.seat[i].drift = 0
    g.n_thefts = n


cdef inline void drop_theft(Game* g, int j) noexcept nogil:
    """Move theft `j`, which is now public, into the public balance."""
    cdef int r = lowest(g.theft[j].may)
    cdef int a = g.theft[j].thief, b = g.theft[j].victim
    cdef int i, k, n = g.n_thefts
    if n == 1:
        forget_thefts(g, 0)
        return
    for k in range(j, n):
        if k == n - 1:
            g.low[a] += lane(r)
            g.low[b] -= lane(r)
        else:
            g.theft[k].low[a] += 1 << (6 * r)
            g.theft[k].low[b] -= 1 << (6 * r)
        if k > j:
            if g.theft[k].victim == a:
                g.theft[k].held += 1 << (6 * r)
            elif g.theft[k].victim == b:
                g.theft[k].held -= 1 << (6 * r)
    g.seat[a].drift -= <int64_t> lane(r)
    g.seat[b].drift += <int64_t> lane(r)
    if j > 0:                           # bounds after theft `j` also hold after the theft before it
        for i in range(SEATS):
            if j == n - 1:
                g.low[i] = lower(g.low[i], spread(g.theft[j - 1].low[i]))
            else:
                g.theft[j - 1].low[i] = squeeze(lower(spread(g.theft[j - 1].low[i]), spread(g.theft[j].low[i])))
    for k in range(j, n - 1):
        g.theft[k] = g.theft[k + 1]
    memset(&g.theft[n - 1], 0, sizeof(Theft))
    memset(g.theft[n - 2].low, 0, sizeof(g.theft[n - 2].low))       # the bounds of the last theft are in g.low
    g.n_thefts = n - 1


cdef inline bint tells_more(const Game* g, int j) noexcept nogil:
    """Whether the public card of theft `j` is evidence about earlier thefts from or by its victim.

    The probability of this card depends on the earlier cards, so the theft must stay in the record.
    """
    cdef int k
    for k in range(j):
        if (g.theft[k].may & g.theft[j].may and g.theft[k].may != g.theft[j].may
                and (g.theft[k].thief == g.theft[j].victim or g.theft[k].victim == g.theft[j].victim)):
            return True
    return False


cdef inline void drop_known(Game* g) noexcept nogil:
    """Drop the public thefts that are no evidence about other thefts."""
    cdef int j = 0
    while j < g.n_thefts:
        if (g.theft[j].may & (g.theft[j].may - 1)) == 0 and not tells_more(g, j):
            drop_theft(g, j)
            j = 0
        else:
            j += 1


cdef inline bint make_room(Game* g) noexcept nogil:
    """Drop every public theft, which loses a little evidence; return whether any was dropped."""
    cdef int j, n = g.n_thefts
    for j in range(n - 1, -1, -1):
        if (g.theft[j].may & (g.theft[j].may - 1)) == 0:
            drop_theft(g, j)
    return g.n_thefts < n


cdef inline int deduce(Game* g, int seat) noexcept nogil:
    """Apply the evidence of the lowest balance of one hand for each resource; return whether a theft was resolved.

    A hand whose balance needs every card that thefts may have brought has received them all, and no card that may
    still be elsewhere was taken from it.
    """
    cdef int r, j, bit, slack, found = 0
    cdef Theft* theft
    for r in range(RESOURCES):
        slack = count_of(g.low[seat], r) - 64
        if slack > g.n_thefts:
            continue
        bit = 1 << r
        for j in range(g.n_thefts):
            theft = &g.theft[j]
            if theft.may & bit:
                if theft.thief == seat:
                    slack += 1
                elif theft.victim == seat and theft.may == bit:
                    slack -= 1
        if slack:
            continue
        for j in range(g.n_thefts):
            theft = &g.theft[j]
            if theft.may & bit and theft.may != bit:
                if theft.thief == seat:
                    theft.may = bit
                    found = 1
                elif theft.victim == seat:
                    theft.may &= ~bit
                    found |= (theft.may & (theft.may - 1)) == 0
    return found


cdef inline void deduce_all(Game* g, int seat) noexcept nogil:
    """Apply the evidence of the lowest balance of a hand until nothing more is resolved."""
    cdef int i
    cdef bint again = deduce(g, seat)
    while again and g.n_thefts:
        drop_known(g)
        again = False
        for i in range(SEATS):
            if g.n_thefts and deduce(g, i):
                again = True


cdef inline void note_low(Game* g, int seat, uint64_t lanes) noexcept nogil:
    """Record a balance (64 added) at which the hand, with its share of the thefts, was not below 0."""
    cdef uint64_t low = lower(g.low[seat], lanes)
    if low != g.low[seat]:
        g.low[seat] = low
        deduce_all(g, seat)


cdef inline void note_proof(Game* g, int seat, uint64_t shown) noexcept nogil:
    """Record that a seat has shown at least these cards (ZAR-13.7)."""
    if tracked(g):
        note_low(g, seat, balance(g, seat) - (shown & LANES))


cdef inline void note_loss(Game* g, int seat) noexcept nogil:
    """Record that a seat gave cards away, which it must have held."""
    if tracked(g):
        note_low(g, seat, balance(g, seat))


cdef inline void pay(Game* g, int seat, uint64_t cost) noexcept nogil:
    """Pay cards, with their total, to the bank."""
    g.seat[seat].hand -= cost
    g.bank += cost
    note_loss(g, seat)


cdef inline void receive(Game* g, int seat, uint64_t cards) noexcept nogil:
    """Take cards, with their total, from the bank."""
    g.seat[seat].hand += cards
    g.bank -= cards


cdef inline void compare_worlds(Game* g, const Tables* t) noexcept nogil:
    """Resolve all thefts that the public can deduce from its worlds; discard the record if a seat has too many."""
    cdef Worlds w
    cdef World after
    cdef uint8_t seen[MAX_THEFTS]
    cdef int j, k, r, at
    fill_worlds(g, t, NOBODY, FEW_WORLDS, &w)
    if w.cut and make_room(g):
        fill_worlds(g, t, NOBODY, FEW_WORLDS, &w)
    if w.cut:                           # too many to compare, but every seat must be able to list its own worlds
        for j in range(t.players):
            fill_worlds(g, t, j, MAX_WORLDS, &w)
            if w.cut:
                forget_thefts(g, FORGOTTEN)
                return
        return
    if w.begin[w.n + 1] - w.begin[w.n] == 1:
        forget_thefts(g, 0)             # only one set of hands is possible
        return
    for j in range(w.n - 1, -1, -1):    # backwards from the last step; a weight below 0 marks a world with successors
        seen[j] = 0
        for k in range(w.begin[j], w.begin[j + 1]):
            for r in range(RESOURCES):
                if take_from(&w, j, r, &w.pool[k], &after):
                    at = find_world(&w, j + 1, &after)
                    if at >= 0 and (j == w.n - 1 or w.pool[at].weight < 0):
                        seen[j] |= 1 << r
                        w.pool[k].weight = -1.0
    for j in range(w.n - 1, -1, -1):
        g.theft[j].may = seen[j]
    drop_known(g)


cdef inline int may_hold(const Game* g, int seat) noexcept nogil:
    """Resources that a hand may hold now, by public information, one bit each."""
    cdef uint64_t lanes = balance(g, seat)
    cdef int r, j, n, may = 0
    for r in range(RESOURCES):
        n = count_of(lanes, r) - 64
        for j in range(g.n_thefts):
            if (g.theft[j].may >> r) & 1:
                if g.theft[j].thief == seat:
                    n += 1
                elif g.theft[j].victim == seat and g.theft[j].may == 1 << r:
                    n -= 1
        may |= (n > 0) << r
    return may


cdef inline void record_theft(Game* g, const Tables* t, int thief, int victim, int r) noexcept nogil:
    """Record a theft that is about to happen, unless its card is public."""
    cdef int i, may, holders = 0
    cdef Theft* theft
    if t.players == 2 or g.n_thefts == UNWATCHED:                   # both seats see it, or the record is off
        return
    if rarely(g.n_thefts == FORGOTTEN):
        for i in range(t.players):
            holders += total(g.seat[i].hand) != 0
        if holders > 1:
            return
        forget_thefts(g, 0)             # one hand holds all cards that are not in the bank
    if rarely(g.n_thefts >= MANY_THEFTS):
        make_room(g)
        if g.n_thefts == MAX_THEFTS:
            forget_thefts(g, FORGOTTEN)
            return
    may = may_hold(g, victim)
    if (may & (may - 1)) == 0:          # only one kind is possible: the card joins the balance at once
        return
    if g.n_thefts:
        theft = &g.theft[g.n_thefts - 1]
        for i in range(SEATS):
            theft.low[i] = squeeze(g.low[i])
    theft = &g.theft[g.n_thefts]
    theft.held = squeeze(balance(g, victim))
    theft.thief = thief
    theft.victim = victim
    theft.card = r
    theft.may = may
    for i in range(SEATS):              # the stolen card is not part of the balance
        g.low[i] = balance(g, i)
    g.seat[thief].drift += <int64_t> lane(r)
    g.seat[victim].drift -= <int64_t> lane(r)
    g.n_thefts += 1
    if g.n_thefts > 1:
        compare_worlds(g, t)


cdef enum:
    TRIES = 400


cdef inline bint sees_last(const Game* g, int seat) noexcept nogil:
    """Whether the seat saw the last event; cards drawn or stolen by other seats are hidden (ZAR-16)."""
    cdef int code = g.last - 1
    if code >= C_STOLEN_CARD and code < C_STOLEN_CARD + RESOURCES:
        return seat == g.on_turn or seat == g.corner
    if code >= C_DRAW_DEV and code < C_DRAW_DEV + CARD_TYPES:
        return seat == g.on_turn
    return True


cdef inline uint64_t label_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Label of the event; for Prosperity it includes the cards taken from each seat, which the hand sizes show."""
    cdef uint64_t label = g.last
    cdef int i
    if g.phase != GAME_OVER and not sees_last(g, seat):
        return 0x10000 + (C_STOLEN_CARD if g.last > C_STOLEN_CARD else C_DRAW_DEV)
    if M_PLAY_PROSPERITY < g.last <= M_PLAY_PROSPERITY + RESOURCES:
        for i in range(t.players):
            label = mix64(label, <uint64_t> total(g.seat[i].hand))
    return label


cdef inline void redact_position(Game* g, const Tables* t, int seat) noexcept nogil:
    """Overwrite what `seat` cannot know."""
    cdef int i, j
    cdef uint64_t dark = <uint64_t> 0xDDDDDDDDDDDDDD
    cdef uint64_t base[SEATS]
    cdef bint hide[SEATS]
    if g.phase == GAME_OVER:
        return
    if not sees_last(g, seat):
        g.last = (C_STOLEN_CARD if g.last > C_STOLEN_CARD else C_DRAW_DEV) + 1
    for i in range(t.players):
        hide[i] = i != seat and (g.n_thefts > MAX_THEFTS or involved(g, i))
        base[i] = balance(g, i)
    for i in range(t.players):
        if hide[i]:
            g.seat[i].drift = 0 if g.n_thefts > MAX_THEFTS else <int64_t> base[i]
            g.seat[i].hand = (g.seat[i].hand & ~LANES) | (dark & LANES)
        if i != seat and cards_in(g.seat[i].dev):
            g.seat[i].dev = (g.seat[i].dev & ~(<uint64_t> 0xFFFFFFFFFFFFFF)) | dark
    if tracked(g):
        for j in range(g.n_thefts):
            if g.theft[j].thief != seat and g.theft[j].victim != seat:
                g.theft[j].card = UNSEEN
    if cards_in(g.deck):
        g.deck = (g.deck & ~(<uint64_t> 0xFFFFFFFFFFFFFF)) | dark
    if g.on_turn != seat and cards_in(g.fresh):
        g.fresh = (g.fresh & ~(<uint64_t> 0xFFFFFFFFFFFFFF)) | dark
    g.viewer = seat + 1


cdef inline int draw_card(uint64_t lanes, int n, Rng* rng) noexcept nogil:
    """Lane of one of the `n` cards, each equally likely."""
    cdef int k = <int> rng_below(rng, <uint32_t> n)
    cdef int r = 0
    while k >= count_of(lanes, r):
        k -= count_of(lanes, r)
        r += 1
    return r


cdef inline void redraw_thefts(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Draw a world by its weight: the hands, then backwards the card of each theft."""
    cdef Worlds w
    cdef World before, after
    cdef double u, sum = 0.0
    cdef int i, j, k, r, at
    fill_worlds(g, t, seat, MAX_WORLDS, &w)         # never cut: the record would have been discarded before
    for k in range(w.begin[w.n], w.begin[w.n + 1]):
        sum += w.pool[k].weight
    u = rng_uniform(rng) * sum
    at = w.begin[w.n]
    while at < w.begin[w.n + 1] - 1 and u >= w.pool[at].weight:
        u -= w.pool[at].weight
        at += 1
    after = w.pool[at]
    for i in range(t.players):
        g.seat[i].hand = (g.seat[i].hand & ~LANES) | ((w.base[i] + <uint64_t> after.share[i] - MIDS) & LANES)
        g.seat[i].drift = after.share[i]
    for j in range(w.n - 1, -1, -1):
        u = rng_uniform(rng) * w.pool[at].weight
        k = -1
        for r in range(RESOURCES):
            for i in range(SEATS):
                before.share[i] = w.pool[at].share[i]
            before.share[w.victim[j]] += <int64_t> lane(r)
            before.share[w.thief[j]] -= <int64_t> lane(r)
            i = find_world(&w, j, &before)
            if i >= 0 and take_from(&w, j, r, &w.pool[i], &after):
                k = i
                g.theft[j].card = r
                u -= after.weight
                if u < 0:
                    break
        at = k


cdef inline void redraw_forgotten(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Draw hands of the right sizes from all cards that are not in the bank (ZAR-17.6)."""
    cdef Worlds w
    cdef int64_t share[SEATS]
    cdef uint64_t proof[SEATS]
    cdef uint64_t pool, rest, part
    cdef int i, j, r, k, n, _i, _try
    memset(share, 0, sizeof(share))
    pool = ONES * <uint64_t> t.cards_each - (g.bank & LANES) - (g.seat[seat].hand & LANES)
    for _try in range(TRIES):
        rest = pool
        for i in range(t.players):
            proof[i] = 0
            if i != seat and g.phase >= TRADE_COMPOSE:
                part = bundle(g.give[i]) & LANES
                if answer_of(g, i) == ACCEPTED:
                    part = bundle(g.want[g.on_turn]) & LANES
                proof[i] = part
                rest -= part
        for j in range(t.players):
            if j == seat:
                continue
            k = total(g.seat[j].hand)
            part = proof[j]
            for r in range(RESOURCES):
                k -= count_of(part, r)
            if g.phase == DISCARD and g.mover == j:
                for _i in range(g.left):
                    n = 0
                    for r in range(g.floor, RESOURCES):
                        n += count_of(rest, r)
                    if n == 0:
                        break
                    r = g.floor + draw_card(rest >> (8 * g.floor), n, rng)
                    part += lane(r)
                    rest -= lane(r)
                    k -= 1
            while k > 0:
                n = 0
                for r in range(RESOURCES):
                    n += count_of(rest, r)
                if n == 0:
                    break
                r = draw_card(rest, n, rng)
                part += lane(r)
                rest -= lane(r)
                k -= 1
            g.seat[j].hand = (g.seat[j].hand & ~LANES) | part
        for i in range(t.players):
            w.base[i] = (g.seat[i].hand & LANES) + MIDS
        if phase_allows(g, t, &w, seat, share):
            return


cdef inline bint limit_points(const Game* g, const Tables* t, int seat, int points, int* size, int* cap) noexcept nogil:
    """Write each other seat's number of cards and its largest possible number of victory points (ZAR-17.8).

    Returns False if nothing limits the points. `points` is the number of victory points among the cards that `seat`
    does not see; `size` and `cap` have SEATS entries.
    """
    cdef int i
    cdef bint bound = False
    for i in range(SEATS):
        cap[i] = 0
        size[i] = 0
        if i < t.players and i != seat:
            size[i] = cards_in(g.seat[i].dev)
            cap[i] = (t.target - 1 - (g.seat[i].points if i == g.on_turn else g.seat[i].shown)) // t.card_points
            if cap[i] < size[i] and cap[i] < points:
                bound = True
            cap[i] = max(0, min(cap[i], min(size[i], points)))
    return bound


cdef inline double deal_points(const int* size, const int* cap, int deck, int points, double until, int* found,
                               double* in_deck) noexcept nogil:
    """List the ways to deal hidden victory points, with weights, until their sum exceeds `until`.

    Parameters
    ----------
    Number of cards of each other seat, and its largest number of victory points.
        Cards of each other seat, and its largest number of victory points.
    Number of cards in the deck; number of victory points among all of these cards.
        Cards in the deck; victory points in all of these cards.
    until : double
    found : array of int
        Receives the points of each seat in the last way listed.
    in_deck : double pointer
        Receives the sum of the weights times the points in the deck.

    Returns
    -------
    double
        Sum of the weights.
    """
    cdef int a, b, c, d, n
    cdef double weight, sum = 0.0
    in_deck[0] = 0.0
    for a in range(cap[0] + 1):
        for b in range(cap[1] + 1):
            for c in range(cap[2] + 1):
                for d in range(cap[3] + 1):
                    n = points - a - b - c - d
                    if n < 0 or n > deck:
                        continue
                    # the remaining points are in the deck
                    weight = (choose(size[0], a) * choose(size[1], b) * choose(size[2], c) * choose(size[3], d)
                              * choose(deck, n))
                    found[0] = a
                    found[1] = b
                    found[2] = c
                    found[3] = d
                    sum += weight
                    in_deck[0] += weight * n
                    if sum > until:
                        return sum
    return sum


cdef inline bint redraw_hidden_points(Game* g, const Tables* t, int seat, int points, int* found,
                                      Rng* rng) noexcept nogil:
    """Draw the number of victory point cards of each other seat (ZAR-17.8); False: nothing limits the points.

    Every assignment of the unseen cards that gives no seat a won game is equally likely.
    """
    cdef int size[SEATS]
    cdef int cap[SEATS]
    cdef int deck = cards_in(g.deck)
    cdef double sum, in_deck
    memset(found, 0, SEATS * sizeof(int))
    if not limit_points(g, t, seat, points, size, cap):
        return False
    sum = deal_points(size, cap, deck, points, INFINITY, found, &in_deck)
    deal_points(size, cap, deck, points, rng_uniform(rng) * sum, found, &in_deck)
    return True


cdef inline uint64_t unseen_cards(const Game* g, const Tables* t, int seat) noexcept nogil:
    """The development cards that a seat has not seen, by type, without their total (ZAR-17.7)."""
    cdef uint64_t unseen = t.deck & ~(<uint64_t> 0xFF << 56)
    cdef int i, d
    for i in range(t.players):
        for d in range(CARD_TYPES):
            unseen -= lane(d) * <uint64_t> ((g.seat[i].played >> (4 * d)) & 15)
    return unseen - (g.seat[seat].dev & ~(<uint64_t> 0xFF << 56))


cdef inline void odds_of_draw(const Game* g, const Tables* t, int seat, double* odds) noexcept nogil:
    """Probability of each type as the next card of the deck, for a seat (ZAR-17.7, 17.8); all 0 for an empty deck."""
    cdef uint64_t unseen = unseen_cards(g, t, seat)
    cdef int size[SEATS]
    cdef int cap[SEATS]
    cdef int found[SEATS]
    cdef int d, deck = cards_in(g.deck), points = count_of(unseen, VICTORY_POINT), others = 0
    cdef double sum, in_deck
    for d in range(CARD_TYPES):
        odds[d] = 0.0
        if d != VICTORY_POINT:
            others += count_of(unseen, d)
    if deck == 0:
        return
    odds[VICTORY_POINT] = <double> points / (points + others)
    if limit_points(g, t, seat, points, size, cap):
        sum = deal_points(size, cap, deck, points, INFINITY, found, &in_deck)
        if sum > 0.0:
            odds[VICTORY_POINT] = in_deck / sum / deck
    for d in range(CARD_TYPES):
        if d != VICTORY_POINT and others:
            odds[d] = (1.0 - odds[VICTORY_POINT]) * count_of(unseen, d) / others


cdef inline double choose(int n, int k) noexcept nogil:
    """Binomial coefficient; 0 where it is not defined."""
    cdef double x = 1.0
    cdef int i
    if k > n:
        return 0.0
    for i in range(k):
        x = x * (n - i) / (i + 1)
    return x


cdef inline void redraw_cards(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Deal the unseen development cards to the deck and the other seats (ZAR-17.7, 17.8)."""
    cdef uint64_t unseen = unseen_cards(g, t, seat)
    cdef uint64_t mine, dealt
    cdef int found[SEATS]
    cdef int i, _k, d, n, left = 0, held = 0
    cdef bint bound
    for i in range(t.players):
        if i != seat:
            held += cards_in(g.seat[i].dev)
    if held:
        bound = redraw_hidden_points(g, t, seat, count_of(unseen, VICTORY_POINT), found, rng)
        mine = lane(VICTORY_POINT) * <uint64_t> count_of(unseen, VICTORY_POINT) if bound else 0
        unseen -= mine                  # the victory points are already dealt
        for d in range(CARD_TYPES):
            left += count_of(unseen, d)
        for i in range(t.players):
            n = cards_in(g.seat[i].dev)
            if i == seat or n == 0:
                continue
            dealt = 0
            if bound:
                dealt = lane(VICTORY_POINT) * <uint64_t> found[i]
                mine -= dealt
                n -= found[i]
            for _k in range(n):
                d = draw_card(unseen, left, rng)
                dealt += lane(d)
                unseen -= lane(d)
                left -= 1
            g.seat[i].dev = dealt | (<uint64_t> cards_in(g.seat[i].dev) << 56)
        unseen += mine
    g.deck = unseen | (<uint64_t> cards_in(g.deck) << 56)
    if cards_in(g.fresh) and g.on_turn != seat:
        unseen = g.seat[g.on_turn].dev
        left = cards_in(unseen)
        n = min(cards_in(g.fresh), left)        # where new cards may be played at once, some may already be played
        dealt = 0
        for _k in range(n):
            d = draw_card(unseen, left, rng)
            dealt += lane(d)
            unseen -= lane(d)
            left -= 1
        g.fresh = dealt | (<uint64_t> cards_in(g.fresh) << 56)


cdef inline void determinize_position(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Replace the position by a world of `seat`, from the true position or from a view (ZAR-17.9)."""
    cdef int n
    if g.phase == GAME_OVER:
        return
    redraw_cards(g, t, seat, rng)
    if g.n_thefts > MAX_THEFTS:
        redraw_forgotten(g, t, seat, rng)
    elif g.n_thefts:
        redraw_thefts(g, t, seat, rng)
    if not sees_last(g, seat):
        if g.last <= C_STOLEN_CARD:
            n = min(cards_in(g.fresh), cards_in(g.seat[g.on_turn].dev))
            g.last = C_DRAW_DEV + 1 + draw_card(g.fresh, n, rng)
        else:
            g.last = C_STOLEN_CARD + 1 + (g.theft[g.n_thefts - 1].card if tracked(g) else 0)
    g.viewer = 0
