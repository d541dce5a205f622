"""Attila: the sparse inputs of learned evaluations (`parameters.py` says what each is)."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from sfida.cython_ext.attila.board cimport (
    COMMIT, DRAW, FOLLOW, GIVE, NONE, PLACE, Game, allowed, cards_of, gain, on_board, spread, stage, tokens_at
)
from sfida.cython_ext.attila.tables cimport (
    GAINS, HEAPS, I_ARMS, I_BACK, I_CALM, I_CARD, I_CARDS, I_DEAD, I_DRAWS, I_ENDING, I_ERAS, I_FIGHT, I_FIGHTS,
    I_FOUGHT, I_HAND, I_HOT, I_IDLE, I_LAID, I_LAST, I_LEAD, I_LOSERS, I_MARKERS, I_MOVER, I_OUT, I_PEACE, I_PHASE,
    I_PILE, I_PLACES, I_PLAYS, I_POINTS, I_PROMISES, I_RACES, I_REIGNS, I_ROOM, I_STAKE, I_SUPPLY, I_TILES, I_TOKENS,
    I_TURNS, I_USED, I_USED_TILE, MOST_TILES, RANKS, SEAT_INPUTS, SEATS, TRIBES, Tables
)
from sfida.cython_ext.attila.turn cimport weakest
from sfida.cython_ext.bits cimport count_of, lowest, popcount
from sfida.cython_ext.inputs cimport members, put, step_of
from sfida.cython_ext.lanes cimport masked, size_of
from sfida.cython_ext.state cimport EVERYBODY


cdef struct Realm:                      # facts that the inputs of all seats share; arrays by tribe
    int tokens[TRIBES]                  # heap of those on the board
    int provinces[TRIBES]               # heap
    int calm[TRIBES]                    # heap of tokens at peace
    int hot[TRIBES]                     # heap of tokens before a conflict
    uint64_t contested                  # tokens in the contested province while cards are laid
    uint64_t weak                       # those of the weakest tribes by tokens
    uint64_t losing                     # those of the tribes that would lose by all cards laid
    int dead                            # tribes without an allowed province, one bit each
    int step                            # gain of a card


cdef inline int heap_of(int n) noexcept nogil:
    return (n >= 1) + (n >= 2) + (n >= 3) + (n >= 5) + (n >= 7) + (n >= 10) + (n >= 13)


cdef inline int rank_of(const Tables* t, const int* markers, int seat) noexcept nogil:
    """Rank of a seat's marker; with two players, a second place too far behind is none (ATT-12.4)."""
    cdef int mine = markers[seat], above = 0, top = 0, shared = 0, between = 0, i
    if mine == 0:
        return 0
    for i in range(t.players):
        above += markers[i] > mine
        shared += markers[i] == mine
        top = markers[i] if markers[i] > top else top
    if above == 0:
        return 1 if shared == 1 else 2
    for i in range(t.players):
        between += mine < markers[i] < top
    if between or (t.players == 2 and top - mine > t.gap):
        return 5
    return 3 if shared == 1 else 4


cdef inline int lead_of(const Tables* t, const int* markers, int seat) noexcept nogil:
    """Lead of a seat's marker against the best other one."""
    cdef int best = 0, i, n
    if markers[seat] == 0:
        return 0
    for i in range(t.players):
        if i != seat and markers[i] > best:
            best = markers[i]
    n = markers[seat] - best
    if n > 0:
        return 2 + (n >= 2) + (n >= 3) + (n >= 5) + (n >= 8)
    return 7 + (n <= -2) + (n <= -3) + (n <= -5) + (n <= -8) if n else 1


cdef inline int stand_of(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Points of a seat against the best rival's, in steps."""
    cdef int best = 0, i, n, far
    for i in range(t.players):
        if i != seat and g.score[i] > best:
            best = g.score[i]
    n = g.score[seat] - best
    far = n if n > 0 else -n
    far = (far >= 1) + (far >= 3) + (far >= 6) + (far >= 10) + (far >= 15) + (far >= 21)
    return 6 + far if n > 0 else 6 - far


cdef inline uint16_t* counts(uint16_t* out, int first, uint64_t lanes) noexcept nogil:
    """List the count of each tribe: 1, 2, more."""
    cdef int tribe
    for tribe in range(TRIBES):
        out = step_of(out, first + 3 * tribe, count_of(lanes, tribe), 3)
    return out


cdef inline void survey(const Game* g, const Tables* t, Realm* r) noexcept nogil:
    cdef uint64_t calm = 0, hot = 0, strength
    cdef int i, tribe
    for i in range(t.provinces):
        if (g.pacified >> i) & 1:
            calm += spread(g.tokens[i])
        elif tokens_at(g, i) >= t.fight_at - 1:
            hot += spread(g.tokens[i])
    r.dead = 0
    r.step = min(gain(g, t), GAINS - 1)
    for tribe in range(TRIBES):
        r.tokens[tribe] = heap_of(on_board(g, t, tribe))
        r.provinces[tribe] = heap_of(popcount(g.where[tribe]))
        r.calm[tribe] = heap_of(count_of(calm, tribe))
        r.hot[tribe] = heap_of(count_of(hot, tribe))
        r.dead |= <int> (allowed(g, tribe) == 0) << tribe
    r.contested = r.weak = r.losing = 0
    if stage(g) == COMMIT:
        strength = r.contested = spread(g.tokens[g.queue[0]])
        r.weak = weakest(r.contested, strength)
        for i in range(t.players):
            strength += g.laid[i]
        r.losing = weakest(r.contested, strength)


cdef inline uint16_t* list_chart(const Game* g, const Realm* r, int seat, int tribe, int base, int rank, int lead,
                                 uint16_t* out) noexcept nogil:
    """List what a seat's marker in the column of a tribe stands for."""
    cdef int tokens = r.tokens[tribe]
    out = step_of(out, base + I_MARKERS + 24 * tribe, count_of(g.influence[seat], tribe), 24)
    out = put(out, base + I_PLACES + (tribe * RANKS + rank) * HEAPS + tokens)
    out = put(out, base + I_RACES + (lead * GAINS + r.step) * HEAPS + tokens)
    if rank == 0:
        return out
    out = put(out, base + I_REIGNS + (rank * HEAPS + tokens) * HEAPS + r.provinces[tribe])
    out = put(out, base + I_ERAS + rank * (MOST_TILES + 1) + g.peace_used)
    out = step_of(out, base + I_CALM + rank * HEAPS, r.calm[tribe], HEAPS)
    return step_of(out, base + I_HOT + rank * HEAPS, r.hot[tribe], HEAPS)


cdef inline uint16_t* list_hand(const Game* g, const Realm* r, int seat, const int* rank, int base,
                                uint16_t* out) noexcept nogil:
    """List the cards in a seat's hand, and what its tribes stand for."""
    cdef int tribe, n
    for tribe in range(TRIBES):
        n = count_of(g.hand[seat], tribe)
        if n == 0:
            continue
        n = n - 1 if n < 3 else 2
        out = put(out, base + I_HAND + 3 * tribe + n)
        out = put(out, base + I_PROMISES + (n * RANKS + rank[tribe]) * HEAPS + r.tokens[tribe])
        if count_of(r.contested, tribe):
            out = put(out, base + I_ARMS + (2 * n + (count_of(r.weak, tribe) != 0)) * RANKS + rank[tribe])
    return step_of(out, base + I_DEAD, size_of(masked(g.hand[seat], r.dead)), 3)


cdef inline uint16_t* list_seat(const Game* g, const Tables* t, const Realm* r, const int (*markers)[SEATS], int seat,
                                int viewer, int base, uint16_t* out) noexcept nogil:
    """List the inputs of a seat, and those of its secrets if `viewer` knows them."""
    cdef int rank[TRIBES]
    cdef int tribe
    cdef bint known = viewer == EVERYBODY or viewer == seat
    for tribe in range(TRIBES):
        rank[tribe] = rank_of(t, markers[tribe], seat)
        out = list_chart(g, r, seat, tribe, base, rank[tribe], lead_of(t, markers[tribe], seat), out)
        if viewer == EVERYBODY:
            out = step_of(out, base + I_LOSERS + 3 * rank[tribe], count_of(r.losing, tribe), 3)
    if known:
        out = list_hand(g, r, seat, rank, base, out)
    if known or t.open_commitments:
        out = counts(out, base + I_LAID, g.laid[seat])
    out = step_of(out, base + I_STAKE, size_of(g.laid[seat]), 6)
    out = step_of(out, base + I_CARDS, cards_of(g, seat), 6)
    out = members(out, base + I_TILES, g.tiles[seat])
    out = step_of(out, base + I_POINTS, g.score[seat] // 3, 30)
    return put(out, base + I_LEAD + stand_of(g, t, seat) * GAINS + r.step)


cdef inline uint16_t* list_board(const Game* g, const Tables* t, int base, uint16_t* out) noexcept nogil:
    """List tokens, supplies and discards."""
    cdef uint32_t tokens
    cdef int i, tribe
    for i in range(t.provinces):
        tokens = g.tokens[i]
        if tokens:
            out = counts(out, base + I_TOKENS + 3 * TRIBES * i, spread(tokens))
    out = members(out, base + I_PEACE, g.pacified)
    if g.queued:
        out = put(out, base + I_FIGHT + g.queue[0])
        out = counts(out, base + I_FOUGHT, spread(g.tokens[g.queue[0]]))
        out = step_of(out, base + I_FIGHTS, g.queued, 2)
    for tribe in range(TRIBES):
        out = put(out, base + I_SUPPLY + HEAPS * tribe + heap_of(count_of(g.supply, tribe)))
        out = put(out, base + I_ROOM + HEAPS * tribe + heap_of(popcount(allowed(g, tribe))))
        out = step_of(out, base + I_OUT + 9 * tribe, count_of(g.discard, tribe), 9)
    return out


cdef inline uint16_t* list_turn(const Game* g, int base, uint16_t* out) noexcept nogil:
    """List the state of the turn and of the game."""
    cdef int here = stage(g)
    out = put(out, base + I_USED + g.peace_used)
    out = members(out, base + I_ENDING, g.end_reasons)
    out = step_of(out, base + I_LAST, g.last_tribe != NONE, 1)
    out = put(out, base + I_PHASE + g.phase)
    if GIVE <= g.phase <= DRAW and g.back != NONE:
        out = put(out, base + I_BACK + g.back)
    if here == PLACE or here == FOLLOW or g.queued:
        out = put(out, base + I_CARD + g.card_tribe)
    out = step_of(out, base + I_PLAYS, g.plays_left, 6)
    out = step_of(out, base + I_DRAWS, g.to_draw, 6)
    out = step_of(out, base + I_USED_TILE, g.tile_used, 1)
    out = step_of(out, base + I_PILE, (size_of(g.pile) + 3) // 4, 14)
    out = step_of(out, base + I_IDLE, g.idle, 6)
    return step_of(out, base + I_TURNS, g.turns // 5, 12)


cdef inline int fill_inputs(const Game* g, const Tables* t, int mover, int viewer, uint16_t* out) noexcept nogil:
    """List the inputs that are 1, as far as `viewer` knows, and return their number.

    `mover` is the seat that decides, or below 0.
    """
    cdef Realm r
    cdef int markers[TRIBES][SEATS]
    cdef uint16_t* at = out
    cdef int i, seat, tribe
    survey(g, t, &r)
    for tribe in range(TRIBES):
        for i in range(t.players):
            markers[tribe][i] = count_of(g.influence[i], tribe)
    for i in range(t.players):
        seat = g.active + i
        seat = seat - t.players if seat >= t.players else seat
        at = list_seat(g, t, &r, markers, seat, viewer, i * SEAT_INPUTS, at)
        if seat == mover:
            at = put(at, i * SEAT_INPUTS + I_MOVER)
    at = list_board(g, t, t.players * SEAT_INPUTS, at)
    at = list_turn(g, t.players * SEAT_INPUTS, at)
    return <int> (at - out)
