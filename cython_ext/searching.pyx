"""The agents that search, without Python: each decides exactly as its agent in `ai/` does."""

from libc.math cimport log, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.keyed cimport blake2b
from sfida.cython_ext.measure cimport awake_ns
from sfida.cython_ext.players cimport Player
from sfida.cython_ext.search.choosing cimport Final, RootMove, choice, final_named
from sfida.cython_ext.search.search cimport SLICE, Search
from sfida.cython_ext.search.solve cimport Solver
from sfida.cython_ext.state cimport GameState, View, move_t


cdef double EQUAL = 1e-9                # largest difference of win shares that is rounding only


cdef class SearchPlayer(Player):
    """`ai.ismcts.IsmctsAgent` with a budget of iterations and one thread, without beliefs.

    Parameters
    ----------
    start : GameState
        Any position of the game, with the knowledge that the agent uses.
    make : callable
        Returns the agent's search from a view of the seat to move.
    iterations : int
    early_stop, reuse : bool
        As in `ai.search.HiddenOptions`.
    look_for_win : bool
        Whether to look for a certain win before the search, which does not (`TreeAgent.overlooked_win`).
    final, temperature
        As in `ai.search.FinalOptions`.
    endgame : int
        Most positions of an endgame that is solved exactly; 0: never.
    blend, tau : float
        Weight of the score margin, and its scale.
    """

    cdef object make
    cdef Search search                  # from the first decision on
    cdef Solver solver                  # None: endgames are not solved
    cdef GameState coming               # the seat's view now; `seen`: its view at the root of the search
    cdef RootMove* rows
    cdef int iterations
    cdef bint early_stop
    cdef bint reuse
    cdef bint look_for_win
    cdef Final final
    cdef double temperature
    cdef uint64_t endgame
    cdef double blend
    cdef bint has_played                # the latest decision was a search, which chose `played`
    cdef move_t played

    def __cinit__(self, GameState start not None, make, int iterations, bint early_stop, bint reuse,
                  bint look_for_win, str final, double temperature, uint64_t endgame, double blend, double tau):
        self.make, self.iterations, self.early_stop, self.reuse = make, iterations, early_stop, reuse
        self.look_for_win, self.final, self.temperature = look_for_win, final_named(final), temperature
        self.endgame, self.blend = endgame, blend
        self.coming = start.clone()
        self.rows = <RootMove*> malloc(start.max_legal * sizeof(RootMove))
        if self.rows == NULL:
            raise MemoryError()
        if endgame and not start.hidden:
            self.solver = Solver.after(self.coming, tau)

    def __dealloc__(self):
        free(self.rows)

    cdef void begin(self) noexcept nogil:
        self.has_played = False

    cdef move_t choose(self, GameState state, int seat, move_t* legal, int n, uint64_t seed) noexcept nogil:
        cdef move_t move
        cdef bint followable = self.has_played and self.reuse
        cdef int win = -1
        self.has_played = False
        if n == 1:
            return legal[0]
        self.look(self.coming, state, seat)
        if self.solver is not None and self.solve(seat, seed, &move):
            return move
        if not self.is_ready(seat):
            return legal[0]
        if self.look_for_win:
            win = self.list_certain(self.coming, seat, False)
        if win < 0 and followable and self.search.follow(self.played, self.coming, self.twin):
            self.seen.copy_from(self.coming)
        elif not self.plant(seat, seed, self.moves + win, NULL, win >= 0):
            return legal[0]
        return self.run(self.search, seed)

    cdef bint is_ready(self, int seat) noexcept nogil:
        """Whether there is a search; the first decision, in `coming`, builds it."""
        if self.search is not None:
            return True
        with gil:
            try:
                self.build(seat)
                return True
            except BaseException as error:
                self.interrupts.end_with(error)
                return False

    cdef int build(self, int seat) except -1:
        cdef View view = View.__new__(View)
        view.state, view.seat, view.redacted = self.coming.clone(), seat, True
        cdef Search search = self.make(view)
        search.expect_helpers(1, True)
        search.origin = self.seen
        self.search = search
        return 0

    cdef bint plant(self, int seat, uint64_t seed, const move_t* moves, const double* errors, int n) noexcept nogil:
        """Begin a search at `coming`, held to some moves unless n is 0; returns whether there is memory for that."""
        if self.search.hold(moves, errors, n) != 0:
            with gil:
                self.interrupts.end_with(MemoryError("there is not enough memory for a search"))
            return False
        self.seen.copy_from(self.coming)
        self.search.replant(seat, seed)
        return True

    cdef move_t run(self, Search search, uint64_t seed) noexcept nogil:
        """Spend the budget and return the move to play."""
        cdef int n
        search.expect(1, True)
        search.open_run(self.iterations, self.early_stop)
        while search.backed_up < search.goal and not search.decided and not self.interrupts.ended():
            search.work(awake_ns() + SLICE)
        search.finish()
        n = search.list_root(self.rows)
        self.played = self.rows[choice(self.rows, n, self.final, self.temperature, seed)].code
        self.has_played = True
        return self.played

    cdef bint solve(self, int seat, uint64_t seed, move_t* best) noexcept nogil:
        """Whether the rest of the game is small enough to be solved; then `best` is the move: `ai.search.Endgame`."""
        cdef bint twice = self.solver.origin.players == 2 and self.blend != 0.0
        cdef double won, both
        cdef move_t move
        if not self.solver.attempt(seat, self.endgame, 0.0 if twice else self.blend, seed, best, &won):
            return False
        if twice and self.solver.positions < self.endgame and self.solver.attempt(
                seat, self.endgame - self.solver.positions, self.blend, seed, &move, &both) and both >= won - EQUAL:
            best[0] = move
        return True


# ---- Levels that err: the moves that a player considers, and the misjudgement of each

cdef const char* LEVELS = b"sfida.levels\0\0\0"
cdef const char* NO_PERSON = b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
cdef double FLATTEN = 2.0               # a move comes to mind with weight prior ** (1 / FLATTEN)
cdef double LEAST = 1e-6                # prior of a move without a prior of the game
cdef double WIDTH = sqrt(6.0)           # half width of the triangular distribution, in standard deviations


cdef struct Considered:
    move_t code
    double rank
    double error


cdef int consider(const void* key, size_t size, const move_t* moves, const float* prior, int n, int sight,
                  double misjudge, uint64_t seed, Considered* out) noexcept nogil:
    """List the moves that a player considers, the likeliest first; returns their number.

    Others are drawn without replacement, likelier ones sooner. Errors have a triangular distribution.
    """
    cdef unsigned char root[32]
    cdef uint64_t words[3]
    cdef double x[3]
    cdef double first = 0.0, likely
    cdef Considered one
    cdef int i, j, k, best = 0
    blake2b(root, sizeof(root), &seed, sizeof(seed), LEVELS, key, size)
    for i in range(n):
        blake2b(words, sizeof(words), root, sizeof(root), NO_PERSON, &moves[i], sizeof(move_t))
        for k in range(3):
            x[k] = (<double> words[k] + 0.5) / 18446744073709551616.0
        if i == 0 or prior[i] > prior[best] or (prior[i] == prior[best] and x[0] > first):
            best = i
            first = x[0]
        likely = prior[i] if prior[i] > LEAST else LEAST
        out[i].code = moves[i]
        # the largest sums of log weight and Gumbel noise are a draw by weight without replacement
        out[i].rank = log(likely) / FLATTEN - log(-log(x[0]))
        out[i].error = misjudge * WIDTH * (x[1] + x[2] - 1.0)
    out[best].rank = 1e300
    for i in range(1, n):
        one = out[i]
        j = i
        while j > 0 and out[j - 1].rank < one.rank:
            out[j] = out[j - 1]
            j -= 1
        out[j] = one
    return min(n, sight)


def considered(bytes key, priors, int sight, double misjudge, uint64_t seed):
    """Return the moves that a player considers, each with the error of its evaluation in log odds.

    Parameters
    ----------
    key : bytes
        What the player knows (`View.key`).
    priors : sequence of (int, float)
        Moves with their priors.
    sight : int
        Most moves.
    misjudge : float
        Standard deviation of the errors.
    seed : int
        Seed of the decision.
    """
    cdef int i, n = len(priors)
    cdef move_t* moves = <move_t*> malloc((n + 1) * sizeof(move_t))
    cdef float* prior = <float*> malloc((n + 1) * sizeof(float))
    cdef Considered* out = <Considered*> malloc((n + 1) * sizeof(Considered))
    try:
        if moves == NULL or prior == NULL or out == NULL:
            raise MemoryError()
        for i in range(n):
            moves[i], prior[i] = priors[i]
        n = consider(<const char*> key, len(key), moves, prior, n, sight, misjudge, seed, out)
        return [(out[i].code, out[i].error) for i in range(n)]
    finally:
        free(moves)
        free(prior)
        free(out)


cdef class LevelPlayer(SearchPlayer):
    """`ai.levels.agent.LevelAgent` of a level that errs."""

    cdef int sight
    cdef double misjudge
    cdef Considered* noted
    cdef double* errors

    def __cinit__(self, *args, **kwargs):
        self.noted = <Considered*> malloc(self.seen.max_legal * sizeof(Considered))
        self.errors = <double*> malloc(self.seen.max_legal * sizeof(double))
        if self.noted == NULL or self.errors == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.noted)
        free(self.errors)

    def err(self, int sight, double misjudge):
        """Return this player, which looks at so many moves and misjudges each."""
        self.sight, self.misjudge = sight, misjudge
        return self

    cdef move_t choose(self, GameState state, int seat, move_t* legal, int n, uint64_t seed) noexcept nogil:
        cdef int i, j, k
        cdef Considered one
        if n == 1:
            return legal[0]
        self.look(self.coming, state, seat)
        k = self.coming.candidates(self.moves)
        if k == 1:
            return self.moves[0]
        i = self.list_certain(self.coming, seat, False)
        if i >= 0:
            return self.moves[i]
        if not self.is_ready(seat):
            return legal[0]
        k = self.coming.candidates(self.moves)
        self.coming.priors(self.moves, k, self.prior)
        k = consider(self.coming.data, self.coming.size, self.moves, self.prior, k, self.sight, self.misjudge, seed,
                     self.noted)
        for i in range(k):              # by code, as a search is held to them
            one = self.noted[i]
            j = i
            while j > 0 and self.moves[j - 1] > one.code:
                self.moves[j], self.errors[j] = self.moves[j - 1], self.errors[j - 1]
                j -= 1
            self.moves[j], self.errors[j] = one.code, one.error
        if not self.plant(seat, seed, self.moves, self.errors, k):
            return legal[0]
        return self.run(self.search, seed)
