"""The Settlers of Zarahemla: production, the robber, development cards (ZAR-6, 7, 10, 11)."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from sfida.cython_ext.bits cimport ONES, count_of, covers, from_sixes, lane, popcount, rarely
from sfida.cython_ext.seats cimport seat_after
from sfida.cython_ext.zarahemla.board cimport (
    DISCARD, MAIN, NOBODY, PRE_ROLL, RESOURCES, ROBBER, SEATS, SHORTAGE_NOBODY, SHORTAGE_TURN_ORDER, WARRIOR, Game,
    Seat, Tables, buildings, card, dev_card, test_victory, total,
)
from sfida.cython_ext.zarahemla.thefts cimport note_loss, note_proof, receive, record_theft


# ---- production -------------------------------------------------------------------------------------


cdef inline void share_shortage(Game* g, const Tables* t, uint64_t* due) noexcept nogil:
    """Cut what a roll owes where the bank has too little (ZAR-6.5, 6.6)."""
    cdef int r, i, _i, k, owed, have, got, left, seat
    for r in range(RESOURCES):
        owed = 0
        k = 0
        for i in range(t.players):
            got = count_of(due[i], r)
            owed += got
            k += got != 0
        have = count_of(g.bank, r)
        if owed <= have:
            continue
        left = have
        seat = g.on_turn
        for _i in range(t.players):
            got = count_of(due[seat], r)
            due[seat] -= card(r) * <uint64_t> got
            if t.shortage == SHORTAGE_TURN_ORDER:
                got = got if got < left else left
                left -= got
            elif k == 1 and t.shortage != SHORTAGE_NOBODY:
                got = got if got < have else have
            else:
                got = 0
            due[seat] += card(r) * <uint64_t> got
            seat = seat_after(seat, t.players)


cdef inline void produce(Game* g, const Tables* t, int dice) noexcept nogil:
    """Every hex with the number yields, but not under the robber (ZAR-6.1)."""
    cdef const uint32_t* row = g.prod[t.roll_slot[dice]]
    cdef uint64_t due[SEATS]
    cdef uint64_t sum = 0, corners
    cdef int i, h = g.hex[g.robber]
    for i in range(t.players):
        due[i] = from_sixes(row[i])
        due[i] |= ((due[i] * ONES) & (<uint64_t> 0xFF << 32)) << 16
    if rarely((h >> 3) == dice):
        corners = t.hex_corners[g.robber]
        for i in range(t.players):
            due[i] -= card(h & 7) * <uint64_t> (popcount(g.seat[i].settlements & corners)
                                                + 2 * popcount(g.seat[i].cities & corners))
    for i in range(t.players):
        sum += due[i]
    if rarely(not covers(g.bank, sum)):
        share_shortage(g, t, due)
        sum = 0
        for i in range(t.players):
            sum += due[i]
    for i in range(t.players):
        g.seat[i].hand += due[i]
    g.bank -= sum


cdef inline void take_start(Game* g, const Tables* t, int seat, int c) noexcept nogil:
    """One card for every resource hex at a first settlement (ZAR-4.7)."""
    cdef int i, h
    for i in range(t.n_hexes_at[c]):
        h = g.hex[t.hex_at[c][i]]
        if (h & 7) < RESOURCES and count_of(g.bank, h & 7):
            receive(g, seat, card(h & 7))


cdef inline void next_discard(Game* g, const Tables* t, int seat) noexcept nogil:
    """From `seat` on clockwise, who has too many cards? Then the robber (ZAR-7.2, 7.3, 7.5).

    `seat` NOBODY: from the seat on turn.
    """
    cdef bint begin = seat == NOBODY
    if begin:
        seat = g.on_turn
    while begin or seat != g.on_turn:
        begin = False
        if total(g.seat[seat].hand) > t.discard_limit:
            g.phase = DISCARD
            g.mover = seat
            g.left = total(g.seat[seat].hand) >> 1
            g.floor = 0
            return
        seat = seat_after(seat, t.players)
    g.phase = ROBBER
    g.mover = g.on_turn


cdef inline void roll_is(Game* g, const Tables* t, int dice) noexcept nogil:
    """The dice, rolled or named, show a total."""
    g.dice = dice
    if dice == 7:
        next_discard(g, t, NOBODY)
    else:
        produce(g, t, dice)
        g.phase = MAIN


cdef inline void resume(Game* g) noexcept nogil:
    g.mover = g.on_turn
    g.phase = MAIN if g.dice else PRE_ROLL


# ---- robber -----------------------------------------------------------------------------------------


cdef inline int victims(const Game* g, const Tables* t) noexcept nogil:
    """Seats that can be robbed at the robber's hex, a bit each (ZAR-7.7)."""
    cdef uint64_t corners = t.hex_corners[g.robber]
    cdef int i, mask = 0
    for i in range(t.players):
        if i != g.on_turn and (buildings(&g.seat[i]) & corners) and total(g.seat[i].hand):
            mask |= 1 << i
    return mask


cdef inline void steal(Game* g, const Tables* t, int r) noexcept nogil:
    """A card moves that only two see (ZAR-7.9)."""
    cdef int thief = g.on_turn, victim = g.corner
    record_theft(g, t, thief, victim, r)
    g.seat[victim].hand -= card(r)
    g.seat[thief].hand += card(r)
    resume(g)


# ---- cards ------------------------------------------------------------------------------------------


cdef inline void spend(Game* g, int kind) noexcept nogil:
    """A development card is played (ZAR-10.12)."""
    cdef Seat* s = &g.seat[g.on_turn]
    s.dev -= dev_card(kind)
    s.played += <uint32_t> 1 << (4 * kind)
    g.carded = 1


cdef inline int warriors(const Seat* s) noexcept nogil:
    return <int> (s.played & 15)


cdef inline void lead(Game* g, uint8_t* holder, int mine, int theirs, int minimum, int points) noexcept nogil:
    """A special card that only a strictly higher count takes (ZAR-10.13, 11.2)."""
    cdef int seat = g.on_turn
    if mine < minimum or holder[0] == seat or (holder[0] != NOBODY and mine <= theirs):
        return
    if holder[0] != NOBODY:
        g.seat[holder[0]].points -= points
    g.seat[seat].points += points
    holder[0] = seat


cdef inline void place_stones(Game* g, const Tables* t, int n) noexcept nogil:
    """Temple stones of the seat on turn (ZAR-11)."""
    cdef Seat* s = &g.seat[g.on_turn]
    if n > t.n_stones - s.stones:
        n = t.n_stones - s.stones
    s.stones += n
    lead(g, &g.temple_holder, s.stones, 0 if g.temple_holder == NOBODY else g.seat[g.temple_holder].stones,
         t.temple_minimum, t.temple_points)


cdef inline void play_warrior(Game* g, const Tables* t) noexcept nogil:
    cdef Seat* s = &g.seat[g.on_turn]
    spend(g, WARRIOR)
    lead(g, &g.army_holder, warriors(s), 0 if g.army_holder == NOBODY else warriors(&g.seat[g.army_holder]),
         t.army_minimum, t.army_points)
    if not test_victory(g, t):
        g.phase = ROBBER


cdef inline void collect(Game* g, const Tables* t, int r) noexcept nogil:
    """All cards of a resource to the seat on turn, openly (ZAR-10.7)."""
    cdef Seat* s = &g.seat[g.on_turn]
    cdef int i
    cdef uint64_t n
    for i in range(t.players):
        n = count_of(g.seat[i].hand, r)
        if i != g.on_turn and n:
            g.seat[i].hand -= card(r) * n
            s.hand += card(r) * n
            note_loss(g, i)
    # it holds every card that is out, so nobody else has one
    note_proof(g, g.on_turn, lane(r) * <uint64_t> count_of(s.hand, r))
