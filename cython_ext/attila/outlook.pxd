"""Attila knowledge: the scorings to come, the tokens that will be there, and what they promise each seat.

All of it is public: no hand is read but for the number of its cards.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from sfida.cython_ext.attila.board cimport (
    ALL_TILES, DOUBLE_TURN, EXCHANGE, GAME_OVER, INFLUENCE_2, SEATS, TRIBES, Game, Tables, cards_of
)
from sfida.cython_ext.attila.claims cimport Claims, against, find_claims, find_race
from sfida.cython_ext.attila.patterns cimport pattern_of
from sfida.cython_ext.attila.score cimport is_scored
from sfida.cython_ext.attila.weights cimport FIRSTS, LATER, NEXT, NOW, PAID, PEACE, SECONDS, Race, Races, Weights
from sfida.cython_ext.bits cimport count_of, lowest
from sfida.cython_ext.fours cimport add, dot


cdef enum:
    VIEWS = 2                           # the coming scoring, and all later ones


cdef struct Outlook:
    int used                            # peace tiles that will be used before anybody plays again
    int row[VIEWS]
    double weight[VIEWS]
    double pace                         # share of a full game's rest that is left to use tiles and cards in
    double expected[VIEWS][PAID]
    double claims[VIEWS][SEATS][PAID]   # points that one of them promises


cdef inline void read_markers(const Game* g, const Tables* t, int tribe, int* markers) noexcept nogil:
    cdef int i
    for i in range(t.players):
        markers[i] = count_of(g.influence[i], tribe)


cdef inline double end_by_influence(const Game* g, const Tables* t, const Weights* w, int used) noexcept nogil:
    """Share of the scorings after the next one that are held before some marker ends the game."""
    cdef int i, tribe, n, top = 0
    cdef double rest
    for i in range(t.players):
        for tribe in range(TRIBES):
            n = count_of(g.influence[i], tribe)
            top = n if n > top else top
    rest = 3.0 * t.players * (t.last_space - top) / (t.gain[used] * (w.k.plays * (t.peace_tiles - used) + 1.0))
    return rest if rest < 1.0 else 1.0


cdef inline void set_scorings(const Game* g, const Tables* t, const Weights* w, Outlook* o) noexcept nogil:
    """Which scorings come, how sure the coming one is, and what they weigh."""
    cdef bint last = g.end_reasons != 0
    cdef int closed = g.scoring_due
    if closed == 0 and g.queued and g.peace_used < t.peace_tiles:
        closed = t.closes[g.peace_used + 1]
    o.used = g.peace_used
    o.row[0] = NEXT
    o.row[1] = LATER
    if last or closed:
        o.row[0] = NOW
    if not last and closed and not g.scoring_due:
        o.used = g.peace_used + 1
        last = o.used == t.peace_tiles
    o.weight[0] = 1.0 + (last and is_scored(g, t, closed))
    o.weight[1] = 0.0
    o.pace = 0.0
    if last:
        return
    o.weight[1] = w.k.later * (w.left[o.used] - (o.row[0] == NEXT)) * end_by_influence(g, t, w, o.used)
    o.pace = (t.peace_tiles - o.used) / 3.0
    if o.pace > 1.0:
        o.pace = 1.0


cdef inline void expect_tokens(const Game* g, const Tables* t, const Weights* w, Outlook* o) noexcept nogil:
    """Tokens and provinces that each tribe will have."""
    cdef double sum[VIEWS][PAID]
    cdef const double* early
    cdef const double* late
    cdef uint32_t mask = 0
    cdef double more, room
    cdef int p, tribe, k, pattern
    for tribe in range(TRIBES):
        mask |= g.where[tribe]
        room = 0.5 * count_of(g.supply, tribe)
        for k in range(VIEWS):
            more = w.k.growth * w.grown[o.used][o.row[k]]
            more = more if more < room else room
            sum[k][FIRSTS + tribe] = more
            sum[k][SECONDS + tribe] = more * w.k.breadth
    while mask:
        p = lowest(mask)
        pattern = pattern_of(&w.patterns, g.tokens[p])
        if (g.pacified >> p) & 1:
            early = w.stay[PEACE][pattern]
            late = early
        else:
            early = w.stay[o.row[0]][pattern]
            late = w.stay[o.row[1]][pattern]
        mask &= mask - 1
        add(sum[0], early, PAID)
        add(sum[1], late, PAID)
    memcpy(o.expected, sum, sizeof(sum))


cdef inline void expect_claims_of_two(const Game* g, const Weights* w, int used, int row,
                                      double (*claims)[PAID]) noexcept nogil:
    cdef const Races* races = &w.races[used][row]
    cdef const Race* r
    cdef int tribe
    for tribe in range(TRIBES):
        r = find_race(races, count_of(g.influence[0], tribe), count_of(g.influence[1], tribe))
        claims[0][FIRSTS + tribe] = r.tokens[0]
        claims[1][FIRSTS + tribe] = r.tokens[1]
        claims[0][SECONDS + tribe] = r.provinces[0]
        claims[1][SECONDS + tribe] = r.provinces[1]


cdef inline void expect_claims(const Game* g, const Tables* t, const Weights* w, int used, int row,
                               double (*claims)[PAID]) noexcept nogil:
    """What the places on the influence chart will be."""
    cdef int markers[SEATS]
    cdef Claims c
    cdef int tribe, i
    if t.players == 2:
        expect_claims_of_two(g, w, used, row, claims)
        return
    for tribe in range(TRIBES):
        read_markers(g, t, tribe, markers)
        find_claims(t, w, used, row, markers, &c)
        for i in range(t.players):
            claims[i][FIRSTS + tribe] = c.tokens[i]
            claims[i][SECONDS + tribe] = c.provinces[i]


cdef inline void fill_outlook(const Game* g, const Tables* t, const Weights* w, Outlook* o) noexcept nogil:
    cdef int k
    set_scorings(g, t, w, o)
    expect_tokens(g, t, w, o)
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            expect_claims(g, t, w, o.used, o.row[k], o.claims[k])


cdef inline double tiles_worth(const Game* g, const Weights* w, const Outlook* o, int seat, int among) noexcept nogil:
    """Unused tiles among these; less the fewer turns there are to use them in."""
    cdef int tiles = g.tiles[seat] & among
    return o.pace * (w.k.double_turn * (tiles & DOUBLE_TURN != 0) + w.k.exchange * (tiles & EXCHANGE != 0)
                     + w.k.influence_2 * (tiles & INFLUENCE_2 != 0))


cdef inline int turns_until(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Turns of others before the seat's own one, or the rest of it."""
    cdef int turns = seat - g.active
    return turns + t.players if turns < 0 else turns


cdef inline double short_cost(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                              int seat) noexcept nogil:
    """Points that cards short of a full hand cost a seat that is not on turn."""
    return o.pace * w.k.card * (t.hand_size - cards_of(g, seat))


cdef inline double wait_cost(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                             int seat) noexcept nogil:
    """Points that it costs to wait for the own turn."""
    return o.pace * w.k.turn * turns_until(g, t, seat) / t.players


cdef inline double seat_points(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                               int seat) noexcept nogil:
    """Points that a seat is expected to have in the end, but for what all have in common."""
    cdef double sum = g.score[seat]
    cdef int k
    if g.phase == GAME_OVER:
        return sum
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            sum += o.weight[k] * dot(o.expected[k], o.claims[k][seat], PAID)
    if seat != g.active:
        sum -= short_cost(g, t, w, o, seat)
        sum -= wait_cost(g, t, w, o, seat)
    return sum + tiles_worth(g, w, o, seat, ALL_TILES)


cdef inline double scale_of(const Game* g, const Tables* t, const Weights* w, const Outlook* o) noexcept nogil:
    """Points of the softmax that makes win shares of them."""
    return w.scale_at[0 if g.end_reasons else t.peace_tiles - o.used]


cdef inline double relative_points(const Game* g, const Tables* t, const Weights* w, int seat) noexcept nogil:
    """Expected points of a seat beyond the mean of the others."""
    cdef Outlook o
    cdef double x[SEATS]
    cdef int i
    fill_outlook(g, t, w, &o)
    for i in range(t.players):
        x[i] = seat_points(g, t, w, &o, i)
    return against(t, w, x, seat)
