"""Attila: what is fixed for a game.

Tables and weights are filled by name (parameters.py); the tables of the knowledge are computed here.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport uint32_t
from libc.string cimport memset

from sfida.cython_ext.arrays cimport all_of
from sfida.cython_ext.attila.board cimport lanes_of
from sfida.cython_ext.attila.claims cimport race_of_two
from sfida.cython_ext.attila.patterns cimport HALF, HALVES, number_patterns, pattern_of, size_of_half
from sfida.cython_ext.attila.score cimport share_out
from sfida.cython_ext.attila.tables cimport MOST_TOKENS, SEATS, TRIBES, Tables, fill_coefficients, fill_tables
from sfida.cython_ext.attila.weights cimport FATES, FIRSTS, LATER, NEXT, NOW, PEACE, ROWS, SECONDS, SPAN, Weights

from sfida.cython_ext.attila.parameters import FEATURES


cdef class AttilaRules:
    """Tables of the map, the components and the options.

    Parameters
    ----------
    tables : mapping of str to object
        Numbers and sequences of numbers by the names of `parameters.TABLES`.
    weights : mapping of str to float
        Those of `parameters.WEIGHTS`.

    Raises
    ------
    ValueError
        If a name is missing or unknown, or a number is out of its bounds.
    """

    def __init__(self, tables, weights):
        cdef Tables* t = &self.t
        memset(&self.w, 0, sizeof(Weights))
        self.features = tuple(FEATURES)
        fill_tables(t, tables)
        t.all_provinces = <uint32_t> all_of(t.provinces)
        if t.start & ~t.all_provinces:
            raise ValueError(f"the map has {t.provinces} provinces, but tribes start in others too")
        t.all_cards = lanes_of(tables["cards"], 9)
        t.all_tokens = lanes_of(tables["tokens"], 20)
        fill_coefficients(&self.w.k, weights)
        fill_weights(t, &self.w)

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
