"""Attila: what is fixed for a game, taken from arrays.

The arrays are copied as they are; the tables of the knowledge are computed here. What C code relies on without looking
is checked: that sets of provinces are of the map, and that cards, tokens and peace tiles fit their lanes and lists.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport uint32_t
from libc.string cimport memset

from sfida.cython_ext.arrays cimport check_names, fill_rows, in_places, within
from sfida.cython_ext.attila.board cimport MOST_TILES, PROVINCES, SCORINGS, SEATS, TRIBES, Tables, bit, lanes_of
from sfida.cython_ext.attila.claims cimport race_of_two
from sfida.cython_ext.attila.features cimport (
    F_POINTS, F_SURE, F_NEXT_FIRSTS, F_NEXT_SECONDS, F_LATER_FIRSTS, F_LATER_SECONDS, F_DOUBLE_TURN, F_EXCHANGE,
    F_INFLUENCE_2, F_SHORT, F_TURN, F_WORTH, F_LEAD, F_AHEAD, F_PROSPECT, F_INFLUENCE, F_TOP, F_FIRSTS, F_TIES,
    F_SHAKY, F_SAFE, F_HELD, F_DEAD, F_PEACE, F_REST, F_ENDING, F_SUPPLY, F_WAIT,
)
from sfida.cython_ext.attila.patterns cimport (
    HALF, HALVES, MOST_TOKENS, number_patterns, pattern_of, size_of_half,
)
from sfida.cython_ext.attila.score cimport share_out
from sfida.cython_ext.attila.weights cimport (
    FATES, FIRSTS, LATER, NEXT, NOW, PEACE, ROWS, SECONDS, SPAN, Weights,
)

FEATURE_NAMES = in_places({
    "points": F_POINTS, "sure": F_SURE, "next_firsts": F_NEXT_FIRSTS, "next_seconds": F_NEXT_SECONDS,
    "later_firsts": F_LATER_FIRSTS, "later_seconds": F_LATER_SECONDS, "double_turn": F_DOUBLE_TURN,
    "exchange": F_EXCHANGE, "influence_2": F_INFLUENCE_2, "short": F_SHORT, "turn": F_TURN, "worth": F_WORTH,
    "lead": F_LEAD, "ahead": F_AHEAD, "prospect": F_PROSPECT, "influence": F_INFLUENCE, "top": F_TOP,
    "firsts": F_FIRSTS, "ties": F_TIES, "shaky": F_SHAKY, "safe": F_SAFE, "held": F_HELD, "dead": F_DEAD,
    "peace": F_PEACE, "rest": F_REST, "ending": F_ENDING, "supply": F_SUPPLY, "wait": F_WAIT,
})


cdef class AttilaRules:
    """Tables of the map, the components and the options.

    Parameters
    ----------
    tables : engines.attila.tables.Tables
    weights : mapping of str to float
        The parameters of the knowledge, by name (`engines.attila.weights.WEIGHTS`).

    Raises
    ------
    ValueError
        If an array has another size than its table, or the numbers do not fit together.
    """

    def __init__(self, tables, weights):
        memset(&self.t, 0, sizeof(Tables))
        memset(&self.w, 0, sizeof(Weights))
        self.features = FEATURE_NAMES
        self.take_land(tables)
        self.take_components(tables)
        self.take_options(tables)
        check_names(weights, <dict> self.w.k, "weights")
        self.w.k = weights
        fill_weights(&self.t, &self.w)

    cdef int take_land(self, tables) except -1:
        cdef Tables* t = &self.t
        cdef int i
        t.provinces = len(tables.adjacent)
        if not 1 <= t.provinces <= PROVINCES:
            raise ValueError(f"a map has 1 to {PROVINCES} provinces, not {t.provinces}")
        for i in range(t.provinces):
            t.all_provinces |= bit(i)
        within(tables.adjacent, 0, t.all_provinces, "borders")
        fill_rows(t.adjacent, sizeof(t.adjacent), sizeof(t.adjacent[0]), tables.adjacent, "provinces")
        t.start = tables.start
        if t.start & ~t.all_provinces:
            raise ValueError(f"the map has {t.provinces} provinces, but tribes start in others too")
        t.last_space = tables.last_space
        if not 1 <= t.last_space <= 100:
            raise ValueError(f"the influence chart has 1 to 100 spaces, not {t.last_space}")
        return 0

    cdef int take_components(self, tables) except -1:
        cdef Tables* t = &self.t
        t.all_cards = lanes_of(tables.cards, 9)
        t.all_tokens = lanes_of(tables.tokens, 20)
        t.hand_size, t.plays, t.fight_at = tables.hand_size, tables.plays, tables.fight_at
        if t.hand_size > 6 or t.fight_at > MOST_TOKENS:
            raise ValueError(f"hands have at most 6 cards, provinces at most {MOST_TOKENS} tokens")
        t.gap = tables.gap
        t.peace_tiles = len(tables.gain) - 1
        if not 1 <= t.peace_tiles < MOST_TILES or len(tables.closes) != t.peace_tiles + 1:
            raise ValueError(f"there are fewer than {MOST_TILES} peace tiles")
        within(tables.closes, 0, SCORINGS - 1, "centuries")
        fill_rows(t.gain, sizeof(t.gain), sizeof(t.gain[0]), tables.gain, "gains")
        fill_rows(t.closes, sizeof(t.closes), sizeof(t.closes[0]), tables.closes, "centuries")
        return 0

    cdef int take_options(self, tables) except -1:
        cdef Tables* t = &self.t
        t.players = tables.players
        if not 2 <= t.players <= SEATS:
            raise ValueError(f"there are 2 to {SEATS} players, not {t.players}")
        t.random_start = tables.random_start
        t.box = tables.box
        t.check_late = tables.check_late
        t.score_late = tables.score_late
        t.merge_final = tables.merge_final
        t.end_replaces = tables.end_replaces
        t.choose_order = tables.choose_order
        t.skip_dead = tables.skip_dead
        t.open_commitments = tables.open_commitments
        t.difference = tables.difference
        t.every_decision = tables.every_decision
        return 0

    def share(self, markers, int tokens, int provinces):
        """Return what one tribe pays each seat (ATT-8).

        Parameters
        ----------
        markers : sequence of int
            Influence by seat.
        tokens, provinces : int
            K and P of the tribe.
        """
        cdef int found[SEATS]
        cdef int points[SEATS]
        cdef int i
        if len(markers) != self.t.players:
            raise ValueError(f"there are {self.t.players} seats")
        for i in range(self.t.players):
            found[i] = markers[i]
        share_out(&self.t, found, tokens, provinces, points)
        return [points[i] for i in range(self.t.players)]


cdef void fill_weights(const Tables* t, Weights* w) noexcept:
    """The tables of the knowledge, by peace tiles used and scoring."""
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


cdef void fill_stays(const Tables* t, Weights* w) noexcept:
    """What is expected to be left of every pattern of tokens."""
    cdef double fight[ROWS]             # chance of a conflict before the scoring
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


cdef void keep_pattern(Weights* w, uint32_t tokens, const double* fight) noexcept:
    """The tokens and provinces of one pattern that are expected to be left, by what becomes of it."""
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
        # from the weakest alone, who needs a card not to be that, or several, who need one not to tie
        margin = n - least + 1 if n > least else weakest > 1
        for fate in range(FATES):
            stay = w.stay[fate][pattern_of(&w.patterns, tokens)]
            chance = 0.0 if n == 0 else 1.0 if fate == PEACE else 1.0 - fight[fate] * lose[margin]
            stay[FIRSTS + tribe] = chance * n
            stay[SECONDS + tribe] = chance
