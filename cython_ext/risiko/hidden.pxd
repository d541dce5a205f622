"""RisiKo!: hidden information, overwritten in views and redrawn in worlds (RIS-16).

A hidden card of draw cycle `d` is in the deck, if `d` is the current cycle, or in one of the hand slots of that
cycle. A view has the lowest hidden cards of each cycle in the slots of the first seats, so it depends only on the
public number of slots.
"""

from libc.stdint cimport uint32_t, uint64_t

from sfida.cython_ext.bits cimport lowest, nth, popcount
from sfida.cython_ext.risiko.board cimport (
    C_ASSAULT, C_DRAW, C_OBJECTIVE, C_ROLL, GAME_OVER, IMAGINED, NOBODY, NOWHERE, TRUE_GAME, UNSEEN, Game, bit, kind_of
)
from sfida.cython_ext.risiko.moves cimport class_of_assault
from sfida.cython_ext.risiko.tables cimport MAX_OBJECTIVES, SEATS, Tables
from sfida.cython_ext.rng cimport Rng, mix64, rng_below


cdef enum:
    TRIES = 32                          # attempts to draw all objectives at random before exact counting


# ---- hidden cards ------------------------------------------------------------------------------------------


cdef inline void deal_cycle(Game* g, const Tables* t, int seat, uint64_t pool, uint64_t* hands,
                            Rng* rng) noexcept nogil:
    """Deal the hidden cards of one cycle to its slots in the other seats' hands; the rest stays in the deck.

    With `rng` NULL deal the lowest ones first.
    """
    cdef uint64_t left = pool, card
    cdef int i, k, n = popcount(pool)
    for i in range(t.players):
        if i == seat:
            continue
        k = popcount(g.hand[i] & pool)
        while k:
            card = left & (0 - left) if rng == NULL else bit(nth(left, rng_below(rng, <uint32_t> n)))
            hands[i] |= card
            left &= ~card
            n -= 1
            k -= 1
    g.deck |= left


cdef inline void deal_hidden(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Deal all cards that the seat does not see (RIS-16.3)."""
    cdef uint64_t hidden = t.all_cards & ~g.hand[seat] & ~g.discard
    cdef uint64_t older = hidden & ~g.current, pool, rest
    cdef uint64_t hands[SEATS]
    cdef int i, cycle
    for i in range(SEATS):
        hands[i] = 0
    g.deck = 0
    deal_cycle(g, t, seat, hidden & g.current, hands, rng)
    while older:
        cycle = g.cycle[lowest(older)]
        pool = 0
        rest = older
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            if g.cycle[i] == cycle:
                pool |= bit(i)
        older &= ~pool
        deal_cycle(g, t, seat, pool, hands, rng)
    for i in range(t.players):
        if i != seat:
            g.hand[i] = hands[i]


# ---- hidden objectives -------------------------------------------------------------------------------------


cdef inline bint knows_objective(const Game* g, const Tables* t, int seat, int i) noexcept nogil:
    """Whether the seat knows the objective of seat `i`: its own, a revealed one, or one not dealt yet."""
    return i == seat or g.objective[i] == NOBODY or (t.reveal and g.eliminated_by[i] != NOBODY)


cdef inline uint32_t cards_of(const Tables* t, uint32_t objectives) noexcept nogil:
    """The objective cards of a set of objectives."""
    cdef uint32_t cards = 0
    while objectives:
        cards |= t.objective[lowest(objectives)].cards
        objectives &= objectives - 1
    return cards


cdef inline double ways_to_deal(const uint32_t* may, int n) noexcept nogil:
    """Number of ways in which `n` seats hold different cards, each from its own set.

    The first seat takes any of its cards; ways in which another seat holds the same card are subtracted.
    """
    cdef uint32_t rest[SEATS]
    cdef double sum
    cdef int i, k
    if n == 0:
        return 1.0
    sum = popcount(may[0]) * ways_to_deal(may + 1, n - 1)
    for i in range(1, n):
        for k in range(1, n):
            rest[k - 1] = may[k] & may[0] if k == i else may[k]
        sum -= ways_to_deal(rest, n - 1)
    return sum


cdef inline bint try_objectives(const uint32_t* may, int n, uint32_t free, int* found, Rng* rng) noexcept nogil:
    """Deal different cards at random; return whether every seat may have its card."""
    cdef int i, card, left = popcount(free)
    for i in range(n):
        card = nth(free, rng_below(rng, <uint32_t> left))
        if not (may[i] >> card) & 1:
            return False
        found[i] = card
        free &= ~(<uint32_t> 1 << card)
        left -= 1
    return True


cdef inline void choose_objectives(uint32_t* may, int n, int* found, Rng* rng) noexcept nogil:
    """Deal different cards seat by seat, each card weighted by the number of completions."""
    cdef double weight[MAX_OBJECTIVES]
    cdef uint32_t rest[SEATS]
    cdef uint32_t cards
    cdef double whole, x
    cdef int i, k, card
    for i in range(n):
        cards = may[i]
        whole = 0.0
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            for k in range(i + 1, n):
                rest[k] = may[k] & ~(<uint32_t> 1 << card)
            weight[card] = ways_to_deal(rest + i + 1, n - i - 1)
            whole += weight[card]
        x = rng_below(rng, <uint32_t> whole)
        cards = may[i]
        card = 0
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            x -= weight[card]
            if x < 0.0:
                break
        found[i] = card
        for k in range(i + 1, n):
            may[k] &= ~(<uint32_t> 1 << card)


cdef inline void redraw_objectives(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Deal the objectives that the seat does not know, uniformly over all that are not excluded (RIS-16.5)."""
    cdef uint32_t may[SEATS]
    cdef uint32_t free = 0xFFFFFFFF if t.n_cards == 32 else (<uint32_t> 1 << t.n_cards) - 1
    cdef uint32_t copies
    cdef int who[SEATS]
    cdef int found[SEATS]
    cdef int i, n = 0, _k
    for i in range(t.players):
        if knows_objective(g, t, seat, i) and g.objective[i] != NOBODY:
            copies = t.objective[g.objective[i]].cards & free
            free &= ~(copies & (0 - copies))
    for i in range(t.players):
        if not knows_objective(g, t, seat, i):
            who[n] = i
            may[n] = cards_of(t, g.possible[i]) & free
            n += 1
    if n == 0:
        return
    for _k in range(TRIES):
        if try_objectives(may, n, free, found, rng):
            break
    else:
        choose_objectives(may, n, found, rng)
    for i in range(n):
        g.objective[who[i]] = t.objective_of[found[i]]


# ---- views and worlds -------------------------------------------------------------------------------


cdef inline int objective_just_dealt(const Game* g, const Tables* t) noexcept nogil:
    """The seat whose objective was dealt last."""
    cdef int seat = g.first + (g.step if g.step else t.players) - 1
    return seat - t.players if seat >= t.players else seat


cdef inline bint sees_last(const Game* g, const Tables* t, int seat, int drawer) noexcept nogil:
    """Whether the seat saw all of the last event (RIS-15)."""
    cdef int kind = kind_of(g.last)
    if kind == C_OBJECTIVE:
        return seat == objective_just_dealt(g, t)
    return kind != C_DRAW or seat == drawer


cdef inline uint64_t label_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Label of the event: of a hidden one only its kind, of a whole assault a coarse outcome.

    A throw that eliminates a player shows the player's cards to the conqueror (RIS-9.2), and perhaps the objective to
    all.
    """
    cdef uint64_t label = g.last
    cdef int kind = kind_of(label), i
    if kind == C_ASSAULT:
        label = (label & ~<uint64_t> 0xFFFF) | <uint64_t> class_of_assault(label)
    elif g.phase != GAME_OVER and not sees_last(g, t, seat, g.drawer):
        return label | NOWHERE
    if kind != C_ASSAULT and kind != C_ROLL:
        return label
    for i in range(t.players):
        if g.eliminated_by[i] == g.on_turn and g.eliminated_round[i] == g.round:
            if seat == g.on_turn:
                label = mix64(label, g.hand[seat])
            if t.reveal:
                label = mix64(label, g.objective[i])
    return label


cdef inline void redact_position(Game* g, const Tables* t, int seat) noexcept nogil:
    """Overwrite what the seat cannot know."""
    cdef int i
    g.world = TRUE_GAME
    if g.phase == GAME_OVER:
        return
    g.viewer = seat + 1
    deal_hidden(g, t, seat, NULL)
    for i in range(t.players):
        if not knows_objective(g, t, seat, i):
            g.objective[i] = UNSEEN
    if not sees_last(g, t, seat, g.drawer):
        g.last |= NOWHERE


cdef inline void determinize_position(Game* g, const Tables* t, int seat, Rng* rng) noexcept nogil:
    """Replace the position by a world of the seat, from the true position or from a view."""
    if g.phase == GAME_OVER:
        return
    deal_hidden(g, t, seat, rng)
    redraw_objectives(g, t, seat, rng)
    if not sees_last(g, t, seat, g.drawer):
        g.last |= NOWHERE
    g.viewer = 0
    g.world = IMAGINED
