"""What is a position worth: the best reply by the game's evaluation, then short playouts."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.rng cimport Rng, mix64, rng_seed
from sfida.cython_ext.state cimport MAX_SEATS, TERMINAL, GameState, move_t, playout_params

cdef double _MARGIN = 1e-4              # far ahead or behind, all shares are nearly equal; the margin still tells


cdef class Lookahead:
    """Values of positions, as one who knows everything would estimate them.

    Parameters
    ----------
    origin : GameState
        Any position of the game; those that are valued must have the same rules.
    steps : int
        The seat to move takes the turn after which the game's evaluation is best for it, looking through so many
        decisions, 0 to 4; 0: playouts begin at once.
    playouts : int
        Playouts from there, whose mean is the value; 0: the position is evaluated.
    cutoff, informed : int
        As of `GameState.random_playout`.
    """

    def __cinit__(self, GameState origin not None, int steps, int playouts, int cutoff, int informed):
        if not 0 <= steps <= MOST_STEPS or playouts < 0:
            raise ValueError(f"steps must be 0..{MOST_STEPS} and playouts at least 0, not {steps} and {playouts}")
        self.steps = steps
        self.playouts = playouts
        self.params = playout_params(cutoff, informed)
        self.twins = [origin.blank() for _ in range(MOST_STEPS + 2)]
        self.moves = <move_t*> malloc((MOST_STEPS + 1) * origin.max_legal * sizeof(move_t))
        if self.moves == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.moves)

    def values(self, GameState state not None, const uint64_t[::1] events, uint64_t seed, double[:, ::1] out):
        """Value what follows on each of some events.

        Playouts after all of them use the same random numbers, so that they differ by what the event does.

        Parameters
        ----------
        state : GameState
            The position before them.
        events : uint64 array of shape (n,)
            Legal moves or chance outcomes.
        seed : int
            Of the playouts, 0 to 2**64 - 1.
        out : float array of shape (n, players)
            Takes the expected win shares of all seats.
        """
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef GameState after = self.twins[MOST_STEPS], work = self.twins[MOST_STEPS + 1]
        cdef int i, k, s, players = state.players
        cdef Rng rng
        if out.shape[0] != events.shape[0] or out.shape[1] != players:
            raise ValueError("out must have a row for each event and a column for each seat")
        for i in range(events.shape[0]):
            after.copy_from(state)
            after.play(events[i])
            self.reply(after)
            for s in range(players):
                out[i, s] = 0.0
            if after.actor() == TERMINAL or not self.playouts:
                if after.actor() == TERMINAL:
                    after.result(win, score)
                else:
                    after.evaluate_world(win, score)
                for s in range(players):
                    out[i, s] = win[s]
                continue
            for k in range(self.playouts):
                rng_seed(&rng, mix64(seed, k))
                work.copy_from(after)
                work.playout(&rng, &self.params, self.moves, win, score)
                for s in range(players):
                    out[i, s] += win[s] / self.playouts
        for state in (after, work):
            state.raise_failure()

    cdef int reply(self, GameState state) except -1:
        """Play, in place, the turn of the seat to move."""
        cdef int seat = state.actor(), step
        cdef move_t chosen = 0
        for step in range(self.steps):
            if seat < 0 or state.actor() != seat:
                return 0
            self.best(state, seat, self.steps - 1 - step, &chosen)
            state.play(chosen)
        return 0

    cdef double best(self, GameState state, int seat, int depth, move_t* chosen) except? -1e308:
        """Return what the best turn is worth to a seat, and its first move; `depth` further decisions are looked at."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef double worth, top = -1e300, rival
        cdef move_t* moves = self.moves + depth * state.max_legal
        cdef move_t unused
        cdef int n = state.candidates(moves), i, s
        cdef GameState twin = self.twins[depth]
        for i in range(n):
            twin.copy_from(state)
            twin.play(moves[i])
            if depth and twin.actor() == seat:
                worth = self.best(twin, seat, depth - 1, &unused)
            else:
                if twin.actor() == TERMINAL:
                    twin.result(win, score)
                else:
                    twin.evaluate(win, score)
                rival = -1e300
                for s in range(state.players):
                    if s != seat and score[s] > rival:
                        rival = score[s]
                worth = win[seat] + _MARGIN * (score[seat] - rival)
            if worth > top:
                top = worth
                chosen[0] = moves[i]
        return top
