"""Attila: what is fixed for a game, taken from arrays.

The arrays are copied as they are; the tables of the knowledge are computed here. What C code relies on without looking
is checked: that sets of provinces are of the map, and that cards, tokens and peace tiles fit their lanes and lists.
"""

from libc.math cimport exp, sqrt
from libc.string cimport memset

from sfida.cython_ext.arrays cimport fill, fill_rows, within
from sfida.cython_ext.attila.board cimport MOST_TILES, PROVINCES, SCORINGS, SEATS, TRIBES, Tables, bit, lanes_of
from sfida.cython_ext.attila.claims cimport race_of_two
from sfida.cython_ext.attila.features cimport FEATURES
from sfida.cython_ext.attila.score cimport share_out
from sfida.cython_ext.attila.weights cimport LATER, MARGINS, NEXT, NOW, ROWS, SPAN, Weights


cdef class AttilaRules:
    """Tables of the map, the components and the options.

    Parameters
    ----------
    tables : engines.attila.tables.Tables
    weights : float64 array
        The parameters of the knowledge, in the order of `Weights`.
    features : sequence of str
        Names of the features of a position.

    Raises
    ------
    ValueError
        If an array has another size than its table, or the numbers do not fit together.
    """

    def __init__(self, tables, weights, features):
        memset(&self.t, 0, sizeof(Tables))
        memset(&self.w, 0, sizeof(Weights))
        self.features = tuple(features)
        if len(self.features) != FEATURES:
            raise ValueError(f"there are {FEATURES} features, not {len(self.features)}")
        self.take_land(tables)
        self.take_components(tables)
        self.take_options(tables)
        fill(&self.w.later, <char*> self.w.scale_at - <char*> &self.w.later, weights, "weights")
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
        if t.hand_size > 6 or t.fight_at > 5:
            raise ValueError("hands have at most 6 cards, provinces at most 5 tokens")
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
    cdef double lose[MARGINS]           # chance to leave a province that is fought over
    cdef double rate = w.plays / (TRIBES * t.players), far, sum, share
    cdef int used, i, row, d, n
    for used in range(t.peace_tiles + 1):
        w.scale_at[used] = w.scale + w.scale_tile * sqrt(used)
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
            w.enter[used][row] = 1.0 - exp(-w.plays * conflicts[row] / (TRIBES * t.players))
            far = 0.55 * w.wander * sqrt(walk[row])
            far = far if far > 0.2 else 0.2
            for d in range(-SPAN, SPAN + 1):
                w.ahead[used][row][SPAN + d] = 1.0 / (1.0 + exp(-(d - 0.5) / far))
            for d in range(-SPAN, SPAN + 1 if t.players == 2 else -SPAN):
                w.race[used][row][SPAN + d] = race_of_two(t, w, used, row, d)
    for n in range(8):
        share = 0.0 if n == 0 else w.fight_few if n < t.fight_at - 2 else w.fight_three if n < t.fight_at - 1 else (
            w.fight_four if n < t.fight_at else 1.0)
        w.fight[NOW][n] = 1.0 if n >= t.fight_at else 0.0
        w.fight[NEXT][n] = share
        w.fight[LATER][n] = share + (1.0 - share) * w.fight_later
    w.fight[LATER][0] = 0.0
    lose[0] = 0.85
    lose[1] = w.lose_tied
    lose[2] = w.lose_near
    lose[3] = w.lose_far
    lose[4] = lose[5] = 0.3 * w.lose_far
    for row in range(ROWS):
        for n in range(8):
            for d in range(MARGINS):
                w.stays[row][n][d] = 1.0 - w.fight[row][n] * lose[d]
