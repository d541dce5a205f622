"""Attila knowledge: the scorings to come, the tokens that will be there, and what they promise each seat.

All of it is public: no hand is read but for the number of its cards.
"""

from libc.stdint cimport uint32_t

from sfida.cython_ext.attila.board cimport (
    ALL_TILES, DOUBLE_TURN, EXCHANGE, GAME_OVER, INFLUENCE_2, NIBBLES, SEATS, TRIBES, Game, Tables, cards_of, present,
    tokens_at,
)
from sfida.cython_ext.attila.claims cimport Claims, against, find_claims
from sfida.cython_ext.attila.score cimport is_scored
from sfida.cython_ext.attila.weights cimport LATER, MARGINS, NEXT, NOW, Weights
from sfida.cython_ext.bits cimport count_of, lowest


cdef enum:
    VIEWS = 2                           # the coming scoring, and all later ones


cdef struct Outlook:
    int used                            # peace tiles that will be used before anybody plays again
    int row[VIEWS]
    double weight[VIEWS]
    double pace                         # share of a full game's rest that is left to use tiles and cards in
    double tokens[VIEWS][TRIBES]
    double provinces[VIEWS][TRIBES]
    Claims claims[VIEWS][TRIBES]


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
    rest = 3.0 * t.players * (t.last_space - top) / (t.gain[used] * (w.plays * (t.peace_tiles - used) + 1.0))
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
    o.weight[1] = w.later * (w.left[o.used] - (o.row[0] == NEXT)) * end_by_influence(g, t, w, o.used)
    o.pace = (t.peace_tiles - o.used) / 3.0
    if o.pace > 1.0:
        o.pace = 1.0


cdef inline int weakest_of(uint32_t tokens, bint* tied) noexcept nogil:
    """The fewest tokens of a tribe in a province that is not empty, and whether several tribes have so few."""
    cdef uint32_t apart, few
    cdef int least = 0
    while True:
        least += 1
        apart = tokens ^ (least * NIBBLES)
        few = ~(((apart & 7 * NIBBLES) + 7 * NIBBLES) | apart) & 8 * NIBBLES
        if few:
            tied[0] = few & (few - 1) != 0
            return least


cdef inline int margin_of(int n, int least, bint tied) noexcept nogil:
    """How far a tribe with `n` tokens is from leaving, should its province be fought over: index of `Weights.stays`."""
    cdef int k = n - least + 1 if n > least else tied       # alone the weakest; with one more card it might tie
    return k if k < MARGINS else MARGINS - 1


cdef inline void expect_tokens(const Game* g, const Tables* t, const Weights* w, Outlook* o) noexcept nogil:
    """Tokens and provinces that each tribe will have."""
    cdef uint32_t mask, tokens, here
    cdef double stays, room
    cdef int p, tribe, n, k, count, least, margin
    cdef bint tied
    for k in range(VIEWS):
        for tribe in range(TRIBES):
            room = 0.5 * count_of(g.supply, tribe)
            stays = w.growth * w.grown[o.used][o.row[k]]
            stays = stays if stays < room else room
            o.tokens[k][tribe] = stays
            o.provinces[k][tribe] = stays * w.breadth
    mask = 0
    for tribe in range(TRIBES):
        mask |= g.where[tribe]
    while mask:
        p = lowest(mask)
        mask &= mask - 1
        tokens = g.tokens[p]
        here = present(tokens)
        if (g.pacified >> p) & 1:
            while here:
                tribe = lowest(here) >> 2
                here &= here - 1
                n = (tokens >> (4 * tribe)) & 15
                for k in range(VIEWS):
                    o.tokens[k][tribe] += n
                    o.provinces[k][tribe] += 1.0
            continue
        count = tokens_at(g, p)
        least = weakest_of(tokens, &tied)
        while here:
            tribe = lowest(here) >> 2
            here &= here - 1
            n = (tokens >> (4 * tribe)) & 15
            margin = margin_of(n, least, tied)
            for k in range(VIEWS):
                stays = w.stays[o.row[k]][count][margin]
                o.tokens[k][tribe] += stays * n
                o.provinces[k][tribe] += stays


cdef inline void fill_outlook(const Game* g, const Tables* t, const Weights* w, Outlook* o) noexcept nogil:
    cdef int markers[SEATS]
    cdef int tribe, k
    set_scorings(g, t, w, o)
    expect_tokens(g, t, w, o)
    for tribe in range(TRIBES):
        read_markers(g, t, tribe, markers)
        for k in range(VIEWS):
            if o.weight[k] > 0.0:
                find_claims(t, w, o.used, o.row[k], markers, &o.claims[k][tribe])


cdef inline double tiles_worth(const Game* g, const Weights* w, const Outlook* o, int seat, int among) noexcept nogil:
    """Unused tiles among these; less the fewer turns there are to use them in."""
    cdef int tiles = g.tiles[seat] & among
    return o.pace * (w.double_turn * (tiles & DOUBLE_TURN != 0) + w.exchange * (tiles & EXCHANGE != 0)
                     + w.influence_2 * (tiles & INFLUENCE_2 != 0))


cdef inline double firsts_worth(const Outlook* o, int view, int tribe, int seat) noexcept nogil:
    """Points that the tokens of a tribe promise, for the first places on the influence chart."""
    return o.tokens[view][tribe] * o.claims[view][tribe].tokens[seat]


cdef inline double seconds_worth(const Outlook* o, int view, int tribe, int seat) noexcept nogil:
    """Points that its provinces promise, for the second places and for those who are alone."""
    return o.provinces[view][tribe] * o.claims[view][tribe].provinces[seat]


cdef inline int turns_until(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Turns of others before the seat's own one, or the rest of it."""
    cdef int turns = seat - g.active
    return turns + t.players if turns < 0 else turns


cdef inline double short_cost(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                              int seat) noexcept nogil:
    """Points that cards short of a full hand cost a seat that is not on turn."""
    return o.pace * w.card * (t.hand_size - cards_of(g, seat))


cdef inline double wait_cost(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                             int seat) noexcept nogil:
    """Points that it costs to wait for the own turn."""
    return o.pace * w.turn * turns_until(g, t, seat) / t.players


cdef inline double seat_points(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                               int seat) noexcept nogil:
    """Points that a seat is expected to have in the end, but for what all have in common."""
    cdef double sum = g.score[seat]
    cdef int tribe, k
    if g.phase == GAME_OVER:
        return sum
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            for tribe in range(TRIBES):
                sum += o.weight[k] * (firsts_worth(o, k, tribe, seat) + seconds_worth(o, k, tribe, seat))
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
