"""Attila evaluation: the coming scorings, and the worth of tokens, provinces and influence in them.

The outlook is public: of hands only the number of cards is read. A scoring pays by places on the influence chart,
so small steps matter little until one changes a place (ATT-8, 12.4). Before the scoring a lead is worth the
probability that it lasts; leads are measured in cards, not in spaces.

Stakes are those of one seat, in points relative to the other seats. A token is worth what its tribe pays, so the
worth of a province is linear in the tokens that will survive there; a step of influence is worth the change of the
claims to the expected tokens and provinces of its tribe.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from sfida.cython_ext.attila.board cimport (
    ALL_TILES, DOUBLE_TURN, EXCHANGE, GAME_OVER, INFLUENCE_2, Game, bit, cards_of, token
)
from sfida.cython_ext.attila.tables cimport MOST_TILES, MOST_TOKENS, PROVINCES, SEATS, TRIBES, Coefficients, Tables
from sfida.cython_ext.attila.turn cimport is_scored
from sfida.cython_ext.bits cimport count_of, lowest
from sfida.cython_ext.fours cimport add, beyond, dot, dots

# ---- weights and derived tables (part 11) --------------------------------------------------


cdef enum:                              # certainty of the influence at a coming scoring
    NOW = 0                             # held before any further card is played
    NEXT = 1                            # the next scoring
    LATER = 2                           # later scorings
    ROWS = 3
    PEACE = 3                           # row of a province's tokens at peace: nothing happens to them any more
    FATES = 4
    SPAN = 48                           # larger leads in spaces count as this


cdef enum:                              # what a tribe pays for, by tribe; one array has both
    FIRSTS = 0                          # first places pay by its tokens
    SECONDS = 6                         # second places pay by its provinces
    PAID = 12


# ---- patterns: numbers for the multisets of tokens in a province, as indices of tables --------
#
# A half, the tokens of three tribes, has twelve bits. Halves are ordered by size: the second halves that fit with a
# first half are then a prefix of that order, and patterns are numbered without gaps.


cdef enum:
    HALF = 12                           # bits
    HALVES = 4096
    PATTERNS = 462                      # number of multisets of at most MOST_TOKENS tokens of six tribes


cdef struct Patterns:
    uint16_t first[HALVES]              # by the tokens of the first three tribes: the pattern without other tokens
    uint16_t then[HALVES]               # by those of the last three: the increment


cdef inline int pattern_of(const Patterns* n, uint32_t tokens) noexcept nogil:
    """The pattern of the tokens of a province, at most MOST_TOKENS."""
    return n.first[tokens & (HALVES - 1)] + n.then[tokens >> HALF]


cdef inline int size_of_half(int half) noexcept nogil:
    """Number of tokens of three tribes."""
    return (half & 15) + (half >> 4 & 15) + (half >> 8)


cdef inline void number_patterns(Patterns* n) noexcept nogil:
    """Number the multisets of at most MOST_TOKENS tokens, from 0, the empty one, to PATTERNS - 1."""
    cdef int fits[MOST_TOKENS + 1]      # number of halves of at most that many tokens
    cdef int size, half, next = 0
    for size in range(MOST_TOKENS + 1):
        for half in range(HALVES):
            if size_of_half(half) == size:
                n.then[half] = next
                next += 1
        fits[size] = next
    next = 0
    for half in range(HALVES):
        size = size_of_half(half)
        if size <= MOST_TOKENS:
            n.first[half] = next
            next += fits[MOST_TOKENS - size]


# ---- claims: expected payments of a tribe to each seat --------------------------------------


cdef struct Race:                       # claims of two players: points of each
    double tokens[2]                    # per token on the board
    double provinces[2]                 # per province with a token


cdef struct Races:                      # by the lead of the first: both markers are in the column, or not both
    Race both[2 * SPAN + 1]
    Race other[2 * SPAN + 1]


cdef struct Weights:
    Coefficients k
    # derived, by peace tiles used
    double scale_at[MOST_TILES + 1]     # scale of the softmax, by peace tiles left
    double left[MOST_TILES + 1]         # number of scorings to come
    double ahead[MOST_TILES + 1][ROWS][2 * SPAN + 1]        # probability to be ahead then, by the lead now
    double level[MOST_TILES + 1][ROWS][2 * SPAN + 1]        # probability not to be behind then; ties count half
    double enter[MOST_TILES + 1][ROWS]  # probability to enter a column
    double grown[MOST_TILES + 1][ROWS]  # number of conflicts until then
    Races races[MOST_TILES + 1][ROWS]   # with two players
    Patterns patterns
    double stay[FATES][PATTERNS][PAID]  # expected remains of a province's tokens at the scoring


cdef struct Claims:
    double tokens[SEATS]                # points per token on the board
    double provinces[SEATS]             # points per province with a token


cdef enum:
    MEMORY_BITS = 7
    MEMORIES = 128                      # claims that are kept: 2 ** MEMORY_BITS


cdef struct Memory:                     # claims found lately by a thread: most places on the chart stay as they are
    uint64_t key[MEMORIES]              # the position that the entry was found from; 0: empty
    Claims claims[MEMORIES]


cdef inline int within_span(int lead) noexcept nogil:
    return SPAN if lead > SPAN else -SPAN if lead < -SPAN else lead


cdef inline double ahead(const Weights* w, int used, int row, int lead) noexcept nogil:
    """Probability that a lead of that many spaces is still one at the scoring."""
    return w.ahead[used][row][SPAN + within_span(lead)]


cdef inline void sure_claims(const Tables* t, const int* markers, Claims* c) noexcept nogil:
    """Claims by the current places, without rounding up."""
    cdef int i, n = t.players, k = 0, m = 0, first = 0, second = 0
    for i in range(n):
        c.tokens[i] = 0.0
        c.provinces[i] = 0.0
        if markers[i] > first:
            first = markers[i]
    if first == 0:
        return
    for i in range(n):
        k += markers[i] == first
        if markers[i] < first and markers[i] > second:
            second = markers[i]
    for i in range(n):
        m += markers[i] == second
    for i in range(n):
        if markers[i] == first:
            c.tokens[i] = 1.0 / k
            if k > 1 or second == 0:
                c.provinces[i] = 1.0 / k
        elif k == 1 and second and markers[i] == second and not (n == 2 and first - second > t.gap):
            c.provinces[i] = 1.0 / m


cdef inline Race race_of_two(const Tables* t, const Weights* w, int used, int row, bint both_in,
                             int lead) noexcept nogil:
    """Compute a table entry: both markers in the column, or else the trailing marker at the bottom."""
    cdef Race r
    cdef Claims c
    cdef int markers[2]
    cdef int low = both_in
    cdef double front, back, half, here, there, both
    markers[0] = low + (lead if lead > 0 else 0)
    markers[1] = low - (lead if lead < 0 else 0)
    if row == NOW:
        sure_claims(t, markers, &c)
        for low in range(2):
            r.tokens[low] = c.tokens[low]
            r.provinces[low] = c.provinces[low]
        return r
    front = ahead(w, used, row, lead)
    back = ahead(w, used, row, -lead)
    half = 0.5 * (1.0 - front - back)
    here = 1.0 if markers[0] else w.enter[used][row]
    there = 1.0 if markers[1] else w.enter[used][row]
    both = here * there
    r.tokens[0] = both * (front + half) + here - both
    r.tokens[1] = both * (back + half) + there - both
    r.provinces[0] = both * (back - ahead(w, used, row, -lead - t.gap) + half) + here - both
    r.provinces[1] = both * (front - ahead(w, used, row, lead - t.gap) + half) + there - both
    return r


cdef inline const Race* find_race(const Races* races, int here, int there) noexcept nogil:
    """Look up the claims of two players by their markers."""
    cdef int lead = SPAN + within_span(here - there)
    return &races.both[lead] if here and there else &races.other[lead]


cdef inline void claims_of_many(const Weights* w, int used, int row, const int* markers, int n,
                                Claims* c) noexcept nogil:
    """Claims by independent races between pairs; ties count half. The compiler specialises it for each `n`."""
    cdef double stays[SEATS][SEATS]     # probability that i is not behind j
    cdef double there[SEATS]
    cdef double second[SEATS]
    cdef const double* level = &w.level[used][row][SPAN]
    cdef double x, sum, nobody
    cdef int i, j, k
    for i in range(n):
        there[i] = 1.0 if markers[i] else w.enter[used][row]
    nobody = 1.0
    sum = 1e-12
    for i in range(n):
        nobody *= 1.0 - there[i]
        for j in range(i):
            x = level[within_span(markers[i] - markers[j])]
            stays[i][j] = 1.0 - there[j] * (1.0 - x)
            stays[j][i] = 1.0 - there[i] * x
    for i in range(n):
        x = there[i]
        for j in range(n):
            if j != i:
                x *= stays[i][j]
        c.tokens[i] = x
        c.provinces[i] = 0.0
        sum += x
    sum = (1.0 - nobody) / sum
    for i in range(n):
        c.tokens[i] *= sum
    for j in range(n):                  # the second seat when j is first
        nobody = 1.0
        sum = 1e-12
        for i in range(n):
            if i == j:
                continue
            nobody *= 1.0 - there[i]
            x = there[i]
            for k in range(n):
                if k != i and k != j:
                    x *= stays[i][k]
            second[i] = x
            sum += x
        c.provinces[j] += c.tokens[j] * nobody
        sum = (1.0 - nobody) / sum * c.tokens[j]
        for i in range(n):
            if i != j:
                c.provinces[i] += second[i] * sum


cdef inline void find_claims(const Tables* t, const Weights* w, int used, int row, const int* markers,
                             Claims* c) noexcept nogil:
    """Claims of all seats to a tribe at a scoring of the row, with that many peace tiles used."""
    cdef const Race* r
    cdef int i
    if t.players == 2:
        r = find_race(&w.races[used][row], markers[0], markers[1])
        for i in range(2):
            c.tokens[i] = r.tokens[i]
            c.provinces[i] = r.provinces[i]
    elif row == NOW:
        sure_claims(t, markers, c)
    elif t.players == 3:
        claims_of_many(w, used, row, markers, 3, c)
    elif t.players == 4:
        claims_of_many(w, used, row, markers, 4, c)
    else:
        claims_of_many(w, used, row, markers, 5, c)


cdef inline const Claims* recall_claims(Memory* memory, const Game* g, const Tables* t, const Weights* w, int used,
                                        int row, int tribe, int seat, int steps, Claims* room) noexcept nogil:
    """Claims of all seats to a tribe if `seat` advances by these steps; `memory` may be NULL."""
    cdef int markers[SEATS]
    cdef uint64_t key
    cdef int i
    for i in range(t.players):
        markers[i] = count_of(g.influence[i], tribe)
    markers[seat] = min(markers[seat] + steps, t.last_space)
    if memory != NULL:
        key = <uint64_t> 1 << 63 | <uint64_t> used << 48 | <uint64_t> row << 40
        for i in range(t.players):
            key |= <uint64_t> markers[i] << (8 * i)
        i = <int> (key * <uint64_t> 0x9E3779B97F4A7C15 >> (64 - MEMORY_BITS))
        room = &memory.claims[i]
        if memory.key[i] == key:
            return room
        memory.key[i] = key
    find_claims(t, w, used, row, markers, room)
    return room


cdef inline double against(const Tables* t, const Weights* w, const double* x, int seat) noexcept nogil:
    """Value of a seat beyond the mean of the other seats."""
    cdef double sum = 0.0
    cdef int i
    if t.players == 2:                  # frequent case: no division
        return x[seat] - w.k.rival * (x[0] + x[1] - x[seat])
    for i in range(t.players):
        sum += x[i]
    return x[seat] - w.k.rival * (sum - x[seat]) / (t.players - 1)


# ---- derived tables -----------------------------------------------------------------


cdef inline void keep_pattern(Weights* w, uint32_t tokens, const double* fight) noexcept nogil:
    """Fill the expected remaining tokens and provinces of one pattern, by fate."""
    cdef double[6] lose = [0.85, w.k.lose_tied, w.k.lose_near, w.k.lose_far, 0.3 * w.k.lose_far, 0.3 * w.k.lose_far]
    cdef double* stay
    cdef double chance
    cdef int tribe, n, fate, margin, least = MOST_TOKENS, weakest = 0
    for tribe in range(TRIBES):
        n = tokens >> (4 * tribe) & 15
        if n and n < least:
            least = n
    for tribe in range(TRIBES):
        weakest += (tokens >> (4 * tribe) & 15) == <uint32_t> least
    for tribe in range(TRIBES):
        n = tokens >> (4 * tribe) & 15
        # 0: the only weakest tribe, 1: tied for it, more: 1 + the distance from it
        margin = n - least + 1 if n > least else weakest > 1
        for fate in range(FATES):
            stay = w.stay[fate][pattern_of(&w.patterns, tokens)]
            chance = 0.0 if n == 0 else 1.0 if fate == PEACE else 1.0 - fight[fate] * lose[margin]
            stay[FIRSTS + tribe] = chance * n
            stay[SECONDS + tribe] = chance


cdef inline void fill_stays(const Tables* t, Weights* w) noexcept nogil:
    """Fill the expected remains of every pattern of tokens."""
    cdef double fight[ROWS]             # probability of a conflict before the scoring
    cdef uint32_t tokens
    cdef int front, back, n
    number_patterns(&w.patterns)
    for front in range(HALVES):
        if size_of_half(front) > MOST_TOKENS:
            continue
        for back in range(HALVES):
            n = size_of_half(front) + size_of_half(back)
            if n > MOST_TOKENS:
                continue
            tokens = <uint32_t> (front | back << HALF)
            fight[NOW] = 1.0 if n >= t.fight_at else 0.0
            fight[NEXT] = 0.0 if n == 0 else w.k.fight_few if n < t.fight_at - 2 else (
                w.k.fight_three if n < t.fight_at - 1 else w.k.fight_four if n < t.fight_at else 1.0)
            fight[LATER] = fight[NEXT] + (1.0 - fight[NEXT]) * w.k.fight_later
            keep_pattern(w, tokens, fight)


cdef inline void fill_weights(const Tables* t, Weights* w) noexcept nogil:
    """Fill the derived tables by peace tiles used and scoring."""
    cdef double walk[ROWS]
    cdef double conflicts[ROWS]
    cdef double rate = w.k.plays / (TRIBES * t.players), far, sum, share
    cdef int used, i, row, d, n
    fill_stays(t, w)
    for used in range(t.peace_tiles + 1):
        w.scale_at[used] = w.k.scale + w.k.scale_tile * sqrt(used)
        w.left[used] = 0.0
        for i in range(ROWS):
            walk[i] = 0.0
            conflicts[i] = 0.0
        far = 0.0
        sum = 0.0
        n = 0
        for i in range(used, t.peace_tiles):
            share = 0.5 if i == used else 1.0
            far += share
            sum += share * t.gain[i] * t.gain[i] * 2.0 * rate
            if t.closes[i + 1]:
                if w.left[used] == 0.0:
                    walk[NEXT] = sum
                    conflicts[NEXT] = far
                else:
                    walk[LATER] += sum
                    conflicts[LATER] += far
                    n += 1
                w.left[used] += 1.0
        if n:
            walk[LATER] /= n
            conflicts[LATER] /= n
        for row in range(NEXT, ROWS):
            w.grown[used][row] = conflicts[row]
            w.enter[used][row] = 1.0 - exp(-w.k.plays * conflicts[row] / (TRIBES * t.players))
            far = 0.55 * w.k.wander * sqrt(walk[row])
            far = far if far > 0.2 else 0.2
            for d in range(-SPAN, SPAN + 1):
                w.ahead[used][row][SPAN + d] = 1.0 / (1.0 + exp(-(d - 0.5) / far))
            for d in range(-SPAN, SPAN + 1):
                w.level[used][row][SPAN + d] = 0.5 * (1.0 + w.ahead[used][row][SPAN + d] - w.ahead[used][row][SPAN - d])
        for row in range(ROWS if t.players == 2 else 0):
            for d in range(-SPAN, SPAN + 1):
                w.races[used][row].both[SPAN + d] = race_of_two(t, w, used, row, True, d)
                w.races[used][row].other[SPAN + d] = race_of_two(t, w, used, row, False, d)


# ---- outlook: the scorings to come ---------------------------------------------------------------------------


cdef enum:
    VIEWS = 2                           # the next scoring, and all later ones


cdef struct Outlook:
    Memory* memory                      # the thread's cache, or NULL
    int used                            # peace tiles that will be used before the next card is played
    int row[VIEWS]
    double weight[VIEWS]
    double pace                         # remaining fraction of the game in which to use tiles and cards
    double expected[VIEWS][PAID]
    double claims[VIEWS][SEATS][PAID]   # points promised by one scoring


cdef inline void read_markers(const Game* g, const Tables* t, int tribe, int* markers) noexcept nogil:
    cdef int i
    for i in range(t.players):
        markers[i] = count_of(g.influence[i], tribe)


cdef inline double end_by_influence(const Game* g, const Tables* t, const Weights* w, int used) noexcept nogil:
    """Fraction of the scorings after the next one that are held before a marker ends the game."""
    cdef int i, tribe, n, top = 0
    cdef double rest
    for i in range(t.players):
        for tribe in range(TRIBES):
            n = count_of(g.influence[i], tribe)
            top = n if n > top else top
    rest = 3.0 * t.players * (t.last_space - top) / (t.gain[used] * (w.k.plays * (t.peace_tiles - used) + 1.0))
    return rest if rest < 1.0 else 1.0


cdef inline void set_scorings(const Game* g, const Tables* t, const Weights* w, Outlook* o) noexcept nogil:
    """Set which scorings come, how certain the next one is, and their weights."""
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
    """Compute the expected tokens and provinces of each tribe."""
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


cdef inline void expect_claims(Memory* memory, const Game* g, const Tables* t, const Weights* w, int used, int row,
                               double (*claims)[PAID]) noexcept nogil:
    """Compute the claims from the expected places on the influence chart."""
    cdef Claims room
    cdef const Claims* c
    cdef int tribe, i
    if t.players == 2:
        expect_claims_of_two(g, w, used, row, claims)
        return
    for tribe in range(TRIBES):
        c = recall_claims(memory, g, t, w, used, row, tribe, 0, 0, &room)
        for i in range(t.players):
            claims[i][FIRSTS + tribe] = c.tokens[i]
            claims[i][SECONDS + tribe] = c.provinces[i]


cdef inline void fill_outlook(const Game* g, const Tables* t, const Weights* w, Memory* memory,
                              Outlook* o) noexcept nogil:
    cdef int k
    o.memory = memory
    set_scorings(g, t, w, o)
    expect_tokens(g, t, w, o)
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            expect_claims(memory, g, t, w, o.used, o.row[k], o.claims[k])


cdef inline double tiles_worth(const Game* g, const Weights* w, const Outlook* o, int seat, int among) noexcept nogil:
    """Worth of the unused tiles in this set; it falls with the remaining turns."""
    cdef int tiles = g.tiles[seat] & among
    return o.pace * (w.k.double_turn * (tiles & DOUBLE_TURN != 0) + w.k.exchange * (tiles & EXCHANGE != 0)
                     + w.k.influence_2 * (tiles & INFLUENCE_2 != 0))


cdef inline int turns_until(const Game* g, const Tables* t, int seat) noexcept nogil:
    """Number of turns before the seat's next own turn; 0 during its turn."""
    cdef int turns = seat - g.active
    return turns + t.players if turns < 0 else turns


cdef inline double short_cost(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                              int seat) noexcept nogil:
    """Cost in points of the cards missing from a full hand of a seat that is not on turn."""
    return o.pace * w.k.card * (t.hand_size - cards_of(g, seat))


cdef inline double wait_cost(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                             int seat) noexcept nogil:
    """Cost in points of waiting for the own turn."""
    return o.pace * w.k.turn * turns_until(g, t, seat) / t.players


cdef inline double seat_points(const Game* g, const Tables* t, const Weights* w, const Outlook* o,
                               int seat) noexcept nogil:
    """Expected final points of a seat, without those that all seats have in common."""
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
    """Scale in points of the softmax for win probabilities."""
    return w.scale_at[0 if g.end_reasons else t.peace_tiles - o.used]


cdef inline double relative_points(const Game* g, const Tables* t, const Weights* w, Memory* memory,
                                   int seat) noexcept nogil:
    """Expected points of a seat beyond the mean of the other seats."""
    cdef Outlook o
    cdef double x[SEATS]
    cdef int i
    fill_outlook(g, t, w, memory, &o)
    for i in range(t.players):
        x[i] = seat_points(g, t, w, &o, i)
    return against(t, w, x, seat)


# ---- win probabilities -------------------------------------------------------------------------------------


cdef inline void share_wins(const double* points, int n, double scale, double* win) noexcept nogil:
    cdef double top = -1e300, sum = 0.0
    cdef int i
    for i in range(n):
        top = points[i] if points[i] > top else top
    for i in range(n):
        win[i] = exp((points[i] - top) / scale)
        sum += win[i]
    for i in range(n):
        win[i] /= sum


cdef inline void evaluate_position(const Game* g, const Tables* t, const Weights* w, Memory* memory, double* win,
                                   double* score) noexcept nogil:
    """Compute win probabilities and final points, without a network."""
    cdef Outlook o
    cdef int i
    fill_outlook(g, t, w, memory, &o)
    for i in range(t.players):
        score[i] = seat_points(g, t, w, &o, i)
    share_wins(score, t.players, scale_of(g, t, w, &o), win)


# ---- worth of tokens and steps for one seat ----------------------------------------------------


cdef struct Stakes:
    int seat
    double worth[VIEWS][PAID]           # weighted worth of a safe token, and of the first one in a province, by view
    double both[PAID]                   # sum over the views
    uint32_t known                      # provinces in `held`; remove those whose tokens change
    double held[PROVINCES]              # worth of each province as it is


cdef inline void find_stakes(const Tables* t, const Weights* w, const Outlook* o, int seat, Stakes* s) noexcept nogil:
    cdef double all[PAID]
    cdef int k, i
    s.seat = seat
    s.known = 0
    memset(s.worth, 0, sizeof(s.worth))
    memset(s.both, 0, sizeof(s.both))
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            memset(all, 0, sizeof(all))
            for i in range(t.players):
                add(all, o.claims[k][i], PAID)
            beyond(s.worth[k], o.weight[k], o.claims[k][seat], w.k.rival, all, t.players - 1, PAID)
            add(s.both, s.worth[k], PAID)


cdef inline double province_worth(const Weights* w, const Outlook* o, const Stakes* s, uint32_t tokens) noexcept nogil:
    """Worth of the tokens of a province without peace."""
    cdef int pattern = pattern_of(&w.patterns, tokens)
    return dots(w.stay[o.row[0]][pattern], s.worth[0], w.stay[o.row[1]][pattern], s.worth[1], PAID)


cdef inline double token_worth(const Game* g, const Weights* w, const Outlook* o, Stakes* s, int tribe,
                               int p) noexcept nogil:
    """Change by one more token in a province; where it starts a conflict, no cards are assumed."""
    if not (s.known >> p) & 1:
        s.held[p] = province_worth(w, o, s, g.tokens[p])
        s.known |= bit(p)
    return province_worth(w, o, s, g.tokens[p] + token(tribe)) - s.held[p]


cdef inline double promise(const Stakes* s, int tribe) noexcept nogil:
    """Worth of a token of a tribe that survives for certain."""
    cdef double second = s.both[SECONDS + tribe]
    return s.both[FIRSTS + tribe] + (second if second > 0.0 else 0.0)


cdef inline double pays(const Outlook* o, const Stakes* s, int view, int tribe, double first,
                        double second) noexcept nogil:
    """Change if a token and a province of a tribe were worth these amounts."""
    return (o.expected[view][FIRSTS + tribe] * (o.weight[view] * first - s.worth[view][FIRSTS + tribe])
            + o.expected[view][SECONDS + tribe] * (o.weight[view] * second - s.worth[view][SECONDS + tribe]))


cdef inline double step_worth(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                              int tribe, int steps) noexcept nogil:
    """Change by steps of a marker; the end of the game at the last space is left out."""
    cdef Claims room
    cdef const Claims* c
    cdef const Race* r
    cdef double sum = 0.0
    cdef int k, rival, mine, seat = s.seat
    if t.players == 2:
        mine = min(count_of(g.influence[seat], tribe) + steps, t.last_space)
        rival = count_of(g.influence[1 - seat], tribe)
        for k in range(VIEWS):
            r = find_race(&w.races[o.used][o.row[k]], rival if seat else mine, mine if seat else rival)
            sum += pays(o, s, k, tribe, against(t, w, r.tokens, seat), against(t, w, r.provinces, seat))
        return sum
    for k in range(VIEWS):
        if o.weight[k] > 0.0:
            c = recall_claims(o.memory, g, t, w, o.used, o.row[k], tribe, seat, steps, &room)
            sum += pays(o, s, k, tribe, against(t, w, c.tokens, seat), against(t, w, c.provinces, seat))
    return sum


cdef inline double best_steps(const Game* g, const Tables* t, const Weights* w, const Outlook* o, const Stakes* s,
                              double* each) noexcept nogil:
    """Worth of the best use of Influence 2; fills `each` by tribe of the first step."""
    cdef double one[TRIBES]
    cdef double x, best = -1e9
    cdef int a, b
    for a in range(TRIBES):
        one[a] = step_worth(g, t, w, o, s, a, 1) if count_of(g.influence[s.seat], a) < t.last_space else -1e9
    for a in range(TRIBES):
        each[a] = -1e9
        if one[a] < -1e8:
            continue
        each[a] = step_worth(g, t, w, o, s, a, 2)
        for b in range(a + 1, TRIBES):
            x = one[a] + one[b]
            if x > each[a]:
                each[a] = x
        if each[a] > best:
            best = each[a]
    return best
