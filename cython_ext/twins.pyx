"""Twins of a game: histories that differ in what one seat did not see, to test what its views reveal.

A `Tape` records a game event by event, with the labels and the views of every seat. A twin repeats the game up to one
event, replaces that event by another that the seat cannot distinguish from it, and then repeats the game as far as
possible. As long as every label to the seat is the same, its views must be the same, byte for byte.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

from sfida.cython_ext.rng cimport Random, rng_below, rng_uniform
from sfida.cython_ext.state cimport CHANCE, TERMINAL, GameState, move_t


cdef enum:
    SIBLINGS = 12                       # replacements tried where the tape's event is not possible
    TOLD_APART = 0                      # results of an event in a twin
    SAME_LABEL = 1
    ILLEGAL = 2


cdef bint same_bytes(GameState one, GameState other):
    if one.data == NULL:
        return one.to_bytes() == other.to_bytes()
    return memcmp(one.data, other.data, one.size) == 0


cdef class Tape:
    """A game, played to its end or for a number of events.

    Parameters
    ----------
    start : GameState
    rng : Random
        Decides chance events and moves.
    plies : int
        Most events.
    informed : int
        Percentage of moves, 0..100, drawn by the game's priors; the others are uniform.

    Attributes
    ----------
    moves, actors : list of int
        For each event its code, and who decided: a seat, or -1 for chance.
    states : list of GameState
        Before each event, and at the end.
    labels : list of list of int
        By seat, what it saw of each event.
    line : list of int
        Events of the last twin, from the first difference on.
    """

    cdef readonly list moves
    cdef readonly list actors
    cdef readonly list states
    cdef readonly list labels
    cdef readonly list line
    cdef list views                     # by seat, after each event
    cdef GameState work
    cdef GameState seen
    cdef GameState before
    cdef move_t* codes
    cdef uint32_t* weights
    cdef float* prior

    def __cinit__(self, GameState start not None, Random rng not None, int plies, int informed=0):
        cdef size_t most = max(start.max_legal, start.max_listed)
        self.codes = <move_t*> malloc(most * sizeof(move_t))
        self.weights = <uint32_t*> malloc(most * sizeof(uint32_t))
        self.prior = <float*> malloc(most * sizeof(float))
        if self.codes == NULL or self.weights == NULL or self.prior == NULL:
            raise MemoryError()
        self.moves, self.actors, self.states, self.line = [], [], [start.clone()], []
        self.labels = [[] for _ in range(start.players)]
        self.views = [[] for _ in range(start.players)]
        self.work, self.seen, self.before = start.clone(), start.clone(), start.clone()
        while len(self.moves) < plies and self.work.actor() != TERMINAL:
            self.record(self.next_event(rng, informed))

    def __dealloc__(self):
        free(self.codes)
        free(self.weights)
        free(self.prior)

    # ---- recording ----------------------------------------------------------------------------

    cdef int list_events(self) except -1:
        """Write the possible next events into `codes`; return their number."""
        cdef int n
        if self.work.actor() == CHANCE:
            n = self.work.outcomes(self.codes, self.weights)
        else:
            n = self.work.legal(self.codes)
        self.work.raise_failure()
        return n

    cdef move_t next_event(self, Random rng, int informed) except? 0:
        cdef int n, i
        cdef double x
        if self.work.actor() == CHANCE:
            return self.work.sample(&rng.rng)
        if rng_below(&rng.rng, 100) >= <uint32_t> informed:
            return self.codes[rng_below(&rng.rng, <uint32_t> self.list_events())]
        n = self.work.candidates(self.codes)
        self.work.priors(self.codes, n, self.prior)
        x = rng_uniform(&rng.rng)
        for i in range(n - 1):
            x -= self.prior[i]
            if x < 0.0:
                return self.codes[i]
        return self.codes[n - 1]

    cdef int record(self, move_t code) except -1:
        cdef int seat
        self.moves.append(code)
        self.actors.append(self.work.actor())
        self.work.play(code)
        self.work.wipe(0)
        self.work.raise_failure()
        self.states.append(self.work.clone())
        for seat in range(self.work.players):
            self.labels[seat].append(self.work.event_label(seat))
            self.look(seat)
            self.views[seat].append(self.seen.clone())
        return 0

    cdef int look(self, int seat) except -1:
        """Write the view of a seat into `seen`."""
        self.seen.copy_from(self.work)
        self.seen.redact(seat)
        self.seen.wipe(0)
        self.seen.raise_failure()
        return 0

    # ---- twins --------------------------------------------------------------------------------

    def count_closed(self, int seat):
        """Return the number of positions at which the view of a seat is not the whole position."""
        cdef int k
        return sum([not same_bytes(self.views[seat][k], self.states[k + 1]) for k in range(len(self.moves))])

    def hidden_events(self, int seat):
        """Return the events of other seats that may be hidden from a seat, grouped by what the seat saw.

        Returns
        -------
        list of list of int
            Plies of events that look alike to the seat, which saw nothing of them, or at least two of them differ.
        """
        cdef dict alike = {}
        cdef int k
        labels = self.labels[seat]
        for k in range(len(self.moves)):
            if self.actors[k] != seat:
                alike.setdefault(labels[k], []).append(k)
        return [plies for label, plies in alike.items() if label == 0 or len({self.moves[k] for k in plies}) > 1]

    cdef int happens(self, int ply, int seat, move_t code, int n) except -1:
        """Play an event instead of the tape's, if it is among the `n` listed ones."""
        cdef int i
        for i in range(n):
            if self.codes[i] == code:
                self.work.play(code)
                self.work.raise_failure()
                return SAME_LABEL if self.work.event_label(seat) == <uint64_t> self.labels[seat][ply] else TOLD_APART
        return ILLEGAL

    cdef int another(self, int ply, int seat, move_t besides, int n, Random rng) except -1:
        """Play any other event that looks to the seat like the tape's event."""
        cdef int first = rng_below(&rng.rng, <uint32_t> n), i
        cdef move_t code
        for i in range(min(n, SIBLINGS)):
            code = self.codes[(first + i) % n]
            if code == besides:
                continue
            self.work.copy_from(self.before)
            if self.happens(ply, seat, code, n) == SAME_LABEL:
                self.line.append(code)
                return SAME_LABEL
        return TOLD_APART

    def twin(self, int seat, int at, int swapped, Random rng not None, int every=0, audit=None):
        """Follow one twin as long as the seat cannot distinguish it from the game, and compare its views.

        Parameters
        ----------
        seat : int
        at : int
            Ply of the first event that differs.
        swapped : int
            A later ply whose event is exchanged with this one; -1: play any other event.
        rng : Random
        every : int
            Mean number of positions between calls of `audit`; 0: never.
        audit : callable, optional
            Called with the ply and the twin's position after it; any result other than None is a difference.

        Returns
        -------
        (int, object)
            Positions compared, and None or the difference: the ply, the kind of difference (None: the view's bytes),
            and the twin's position after that event.
        """
        cdef int k, n, result, positions = 0
        cdef move_t code
        self.line = []
        self.work.copy_from(self.states[at])
        for k in range(at, len(self.moves)):
            code = self.moves[k]
            if swapped >= 0 and k == at:
                code = self.moves[swapped]
            elif k == swapped:
                code = self.moves[at]
            n = self.list_events()
            self.before.copy_from(self.work)
            if swapped < 0 and k == at:
                result = self.another(k, seat, code, n, rng)
            else:
                result = self.happens(k, seat, code, n)
                if result == SAME_LABEL:
                    self.line.append(code)
                elif self.actors[k] != seat and k != at and k != swapped:
                    result = self.another(k, seat, code, n, rng)
                elif result == ILLEGAL and self.actors[k] == seat:
                    return positions, (k, "the seat's own move is not legal", self.before.clone())
            if result != SAME_LABEL:
                return positions, None
            if self.work.actor() == TERMINAL or (<GameState> self.states[k + 1]).actor() == TERMINAL:
                return positions, None          # everything is open
            self.work.wipe(0)
            if k >= swapped and same_bytes(self.work, self.states[k + 1]):
                return positions, None          # from here on the twin is the game itself
            self.look(seat)
            positions += 1
            if not same_bytes(self.seen, self.views[seat][k]):
                return positions, (k, None, self.work.clone())
            if every and rng_below(&rng.rng, <uint32_t> every) == 0:
                found = audit(k, self.work.clone())
                if found is not None:
                    return positions, (k, found, self.work.clone())
        return positions, None
