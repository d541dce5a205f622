"""The Settlers of Zarahemla: what a seat sees, and the worlds sampled for it (ZAR-17).

A view keeps what its seat knows: of a hand that it cannot tell the public balance stays, in the place of the hand's
drift. Of the development cards that it does not see, only their numbers stay.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from sfida.cython_ext.bits cimport LANES, MIDS, ONES, count_of, lane, lowest
from sfida.cython_ext.rng cimport Rng, mix64, rng_below, rng_uniform
from sfida.cython_ext.zarahemla.board cimport (
    ACCEPTED, C_DRAW_DEV, C_STOLEN_CARD, CARD_TYPES, DISCARD, GAME_OVER, MAX_THEFTS, M_PLAY_PROSPERITY, RESOURCES,
    SEATS, TRADE_COMPOSE, UNSEEN, VICTORY_POINT, Game, Tables, answer_of, bundle, cards_in, total,
)
from sfida.cython_ext.zarahemla.worlds cimport (
    MAX_WORLDS, World, Worlds, balance, fill_worlds, find_world, involved, phase_allows, take_from, tracked,
)


cdef enum:
    TRIES = 400


# ---- what a seat sees -------------------------------------------------------------------------------


cdef inline bint sees_last(const Game* g, int seat) noexcept nogil:
    """The last event was not a card that only others saw (ZAR-16)."""
    cdef int code = g.last - 1
    if code >= C_STOLEN_CARD and code < C_STOLEN_CARD + RESOURCES:
        return seat == g.on_turn or seat == g.corner
    if code >= C_DRAW_DEV and code < C_DRAW_DEV + CARD_TYPES:
        return seat == g.on_turn
    return True


cdef inline uint64_t label_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """The event itself, and what Prosperity took from whom: the sizes of the hands tell it."""
    cdef uint64_t label = g.last
    cdef int i
    if g.phase != GAME_OVER and not sees_last(g, seat):
        return 0x10000 + (C_STOLEN_CARD if g.last > C_STOLEN_CARD else C_DRAW_DEV)
    if M_PLAY_PROSPERITY < g.last <= M_PLAY_PROSPERITY + RESOURCES:
        for i in range(t.players):
            label = mix64(label, <uint64_t> total(g.seat[i].hand))
    return label


cdef inline void redact_position(Game* g, const Tables* t, int seat) noexcept nogil:
    """Wipe what `seat` cannot know."""
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


# ---- a world of the seat ----------------------------------------------------------------------------


cdef inline int draw_card(uint64_t lanes, int n, Rng* rng) noexcept nogil:
    """Lane of one of the `n` cards, each equally likely."""
    cdef int k = <int> rng_below(rng, <uint32_t> n)
    cdef int r = 0
    while k >= count_of(lanes, r):
        k -= count_of(lanes, r)
        r += 1
    return r


cdef inline void redraw_thefts(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """A world drawn by its weight: the hands, then backwards what each theft took."""
    cdef Worlds w
    cdef World before, after
    cdef double u, sum = 0.0
    cdef int i, j, k, r, at
    fill_worlds(g, t, seat, MAX_WORLDS, &w)         # never cut: the record is given up before
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
    """Hands of the right sizes from all that is out (ZAR-17.6)."""
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
    """How many cards each other seat holds, and how many victory points of them at most (ZAR-17.8).

    False: nothing limits them. `points`: of the cards that `seat` does not see; `size` and `cap` have room for SEATS.
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
    """Go through the ways to deal hidden victory points, each with its weight, until these add up to more than `until`.

    Parameters
    ----------
    size, cap : array of int
        Cards of each other seat, and how many victory points of them at most.
    deck, points : int
        Cards in the deck; victory points in all of these cards.
    until : double
    found : array of int
        Gets the points of each seat in the last way gone through.
    in_deck : double pointer
        Gets the sum of the weights times the points in the deck.

    Returns
    -------
    double
        The sum of the weights.
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
                    # the other cards must fill the rest
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
    """How many victory point cards each other seat holds (ZAR-17.8); False: nothing limits them.

    Every assignment of the unseen cards is equally likely that leaves nobody with a won game.
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
    """The development cards that a seat has not seen, by type (ZAR-17.7); without their number."""
    cdef uint64_t unseen = t.deck & ~(<uint64_t> 0xFF << 56)
    cdef int i, d
    for i in range(t.players):
        for d in range(CARD_TYPES):
            unseen -= lane(d) * <uint64_t> ((g.seat[i].played >> (4 * d)) & 15)
    return unseen - (g.seat[seat].dev & ~(<uint64_t> 0xFF << 56))


cdef inline void odds_of_draw(const Game* g, const Tables* t, int seat, double* odds) noexcept nogil:
    """How likely each type is as the next card of the deck, for a seat (ZAR-17.7, 17.8); 0 for all of an empty deck."""
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
    """Binomial coefficient; 0 where there is none."""
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
        unseen -= mine                  # victory points dealt already do not take part again
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
        n = min(cards_in(g.fresh), left)        # where cards may be played at once, some are gone
        dealt = 0
        for _k in range(n):
            d = draw_card(unseen, left, rng)
            dealt += lane(d)
            unseen -= lane(d)
            left -= 1
        g.fresh = dealt | (<uint64_t> cards_in(g.fresh) << 56)


cdef inline void determinize_position(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Put one world of `seat` in place of the true one, or in place of a view's blanks (ZAR-17.9)."""
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
