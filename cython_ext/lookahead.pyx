"""Value of a position: the best turn by the game's evaluation, then short playouts."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.rng cimport Rng, mix64, rng_seed
from sfida.cython_ext.state cimport MAX_SEATS, TERMINAL, GameState, PlayoutParams, move_t, playout_params


cdef double _MARGIN = 1e-4              # decides between positions with nearly equal win probabilities


cdef class BestTurn:
    """Finds the turn after which the game's evaluation is best for the seat to move.

    Parameters
    ----------
    origin : GameState
        Any position of the game; the searched positions must have the same rules.
    """

    def __cinit__(self, GameState origin not None):
        self.one, self.two, self.three, self.four = [origin.blank() for _ in range(MOST_STEPS)]
        self.stride = origin.max_legal
        self.moves = <move_t*> malloc(MOST_STEPS * self.stride * sizeof(move_t))
        if self.moves == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.moves)

    def add_worths(self, GameState world not None, const uint64_t[::1] moves, int steps, double[::1] totals):
        """Add to `totals` the worth of each move to the seat to move.

        Parameters
        ----------
        world : GameState
        moves : uint64 array of shape (n,)
            Legal moves.
        steps : int
            Own decisions of the turn that are searched, 1 to 4.
        totals : float array of shape (n,)
        """
        cdef int i, seat = world.actor()
        if not 1 <= steps <= MOST_STEPS or seat < 0 or totals.shape[0] != moves.shape[0]:
            raise ValueError(f"steps must be 1..{MOST_STEPS}, a seat to move, and totals as long as moves")
        for i in range(moves.shape[0]):
            totals[i] += self.worth(world, moves[i], seat, steps - 1)
        world.raise_failure()
        self.raise_failure()

    cdef bint failed(self) noexcept nogil:
        return self.one.failed or self.two.failed or self.three.failed or self.four.failed

    cdef int raise_failure(self) except -1:
        for state in self.positions():
            (<GameState> state).raise_failure()
        return 0

    cdef tuple positions(self):
        """Scratch positions."""
        return (self.one, self.two, self.three, self.four)

    cdef double best(self, GameState state, int seat, int further, move_t* chosen) noexcept nogil:
        if further <= 0:
            return self.scan(state, self.one, seat, 0, chosen)
        if further == 1:
            return self.scan(state, self.two, seat, 1, chosen)
        if further == 2:
            return self.scan(state, self.three, seat, 2, chosen)
        return self.scan(state, self.four, seat, 3, chosen)

    cdef double worth(self, GameState state, move_t move, int seat, int further) noexcept nogil:
        self.four.copy_from(state)
        self.four.play(move)
        return self.after(self.four, seat, further)

    cdef double scan(self, GameState state, GameState twin, int seat, int further, move_t* chosen) noexcept nogil:
        cdef move_t* moves = self.moves + further * self.stride
        cdef int n = state.candidates(moves), i
        cdef double worth, top = -1e300
        for i in range(n):
            twin.copy_from(state)
            twin.play(moves[i])
            worth = self.after(twin, seat, further)
            if worth > top:
                top = worth
                chosen[0] = moves[i]
        return top

    cdef double after(self, GameState twin, int seat, int further) noexcept nogil:
        """Return the worth of a position to a seat that has just decided."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef double rival = -1e300
        cdef move_t unused
        cdef int s
        if further and twin.actor() == seat:
            return self.best(twin, seat, further - 1, &unused)
        if twin.actor() == TERMINAL:
            twin.result(win, score)
        else:
            twin.evaluate(win, score)
        if not twin.has_evaluation or twin.players == 1:
            return win[seat]
        for s in range(twin.players):
            if s != seat and score[s] > rival:
                rival = score[s]
        return win[seat] + _MARGIN * (score[seat] - rival)


cdef class Lookahead:
    """Values of positions, estimated with full knowledge of the world.

    Parameters
    ----------
    origin : GameState
        Any position of the game; the valued positions must have the same rules.
    steps : int
        Own decisions searched, 0 to 4: the seat to move takes the turn after which the game's evaluation is best
        for it. 0: playouts begin at once.
    playouts : int
        Number of playouts from there, whose mean is the value; 0: the position is evaluated.
    cutoff, informed : int
        As in `GameState.random_playout`.
    """

    cdef int steps, playouts
    cdef PlayoutParams params
    cdef BestTurn turns
    cdef GameState after, work
    cdef move_t* moves

    def __cinit__(self, GameState origin not None, int steps, int playouts, int cutoff, int informed):
        if not 0 <= steps <= MOST_STEPS or playouts < 0:
            raise ValueError(f"steps must be 0..{MOST_STEPS} and playouts at least 0, not {steps} and {playouts}")
        self.steps = steps
        self.playouts = playouts
        self.params = playout_params(cutoff, informed)
        self.turns = BestTurn(origin)
        self.after = origin.blank()
        self.work = origin.blank()
        self.moves = <move_t*> malloc(origin.max_legal * sizeof(move_t))
        if self.moves == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.moves)

    def values(self, GameState state not None, const uint64_t[::1] events, uint64_t seed, double[:, ::1] out):
        """Write the value of the position after each of some events.

        The playouts after all events use the same random numbers, so that they differ only by the event.

        Parameters
        ----------
        state : GameState
            The position before the events.
        events : uint64 array of shape (n,)
            Legal moves or chance outcomes.
        seed : int
            Seed of the playouts, 0 to 2**64 - 1.
        out : float array of shape (n, players)
            Receives the win probabilities of all seats.
        """
        cdef int i
        if out.shape[0] != events.shape[0] or out.shape[1] != state.players:
            raise ValueError("out must have a row for each event and a column for each seat")
        with nogil:
            for i in range(events.shape[0]):
                self.after.copy_from(state)
                self.after.play(events[i])
                self.value(self.after, self.work, seed, &out[i, 0])
        for state in (self.after, self.work):
            state.raise_failure()
        self.turns.raise_failure()

    cdef void value(self, GameState after, GameState work, uint64_t seed, double* out) noexcept nogil:
        """Write the value of a position, in which the turn is then played; `work` is scratch."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef int k, s
        cdef Rng rng
        self.reply(after)
        if after.actor() == TERMINAL:
            after.result(out, score)
            return
        if not self.playouts:
            after.evaluate_world(out, score)
            return
        for s in range(after.players):
            out[s] = 0.0
        for k in range(self.playouts):
            rng_seed(&rng, mix64(seed, k))
            work.copy_from(after)
            work.playout(&rng, &self.params, self.moves, win, score)
            for s in range(after.players):
                out[s] += win[s] / self.playouts

    cdef void reply(self, GameState state) noexcept nogil:
        """Play, in place, the turn of the seat to move."""
        cdef int seat = state.actor(), step
        cdef move_t chosen = 0
        for step in range(self.steps):
            if seat < 0 or state.actor() != seat:
                return
            self.turns.best(state, seat, self.steps - 1 - step, &chosen)
            state.play(chosen)
