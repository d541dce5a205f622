"""Exact play of small endgames: expectimax over the whole remaining game.

Every seat plays the move that maximises its own expected reward (max^n), chance uses its true weights.
The tree is searched depth first. In games for one or two, where the rewards of two seats add up to 1,
alpha-beta windows cut off irrelevant branches: Star1 bounds carry them through chance events, and Star2
first tries one reply to each outcome for better bounds. Moves that were best elsewhere come first. With
more seats only the alternatives to a certain win are cut off.

Random probes first estimate the size of a tree, so an attempt at a large one costs microseconds. There is no
transposition table: in the last turns of Carcassonne no position occurred twice.

References
----------
C. Luckhart, K. Irani, "An algorithmic solution of N-person games" (1986), for max^n.
B. Ballard, "The *-minimax search procedure for trees containing chance nodes" (1983), for Star1 and Star2.
D. Knuth, "Estimating the efficiency of backtrack programs" (1975), for the probes.
J. Schaeffer, "The history heuristic and alpha-beta search enhancements in practice" (1989).
J. Pearl, "The solution for the branching factor of the alpha-beta pruning algorithm" (1982).
"""

from dataclasses import dataclass

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, pow
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from sfida.cython_ext.measure cimport awake_ns
from sfida.cython_ext.rng cimport Rng, mix64, rng_below, rng_seed
from sfida.cython_ext.search.iteration cimport blend_reward
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, TERMINAL, GameState, View, move_t

from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.measure import awake
from sfida.cython_ext.search.parameters import DEFAULTS


cdef enum:
    # result of a visit, about seat 0's reward
    EXACT = 0
    AT_MOST = 1                         # an upper bound at or below the window
    AT_LEAST = 2                        # a lower bound at or above the window
    UNTRIED = 3                         # nothing: one reply gave no bound, or was not worth trying
    STOPPED = 4                         # nothing: `halt` has the reason
    ENOUGH = 5                          # of a root move: exact, and no other can be better
    # reason for stopping
    GOES_ON = 0
    REFUSED = 1                         # the estimate is too large
    OVER_BUDGET = 2
    TOO_DEEP = 3
    CANCELLED = 4
    RAISED = 5                          # a Python game or a signal handler raised
    OUT_OF_TIME = 6

    PLIES = 64                          # defaults of a solver
    PROBES = 32
    PROBED_REPLIES = 8                  # trying one reply first pays from this number of replies on
    CLOCK_MASK = 255                    # positions between checks of the clock, less one
    PAUSE_MASK = 16383                  # positions between checks of signals, less one

cdef double TIE = 1e-12                 # rewards closer than this differ by rounding only
cdef double NO_LIMIT = 1e9              # half-width of the window without bounds
OUTCOMES = ("solved", "estimate", "budget", "depth", "cancelled", "error", "seconds")


@dataclass(frozen=True)
class SolvedMove:
    """Value of a root move when all seats continue perfectly.

    Attributes
    ----------
    code : int
        Move code.
    exact : bool
        False when the move was only found to be no better than the best one: `reward` is then an upper
        bound, and `value` is empty.
    reward : float
        Expected reward of the seat to move, 0..1: win probability blended with the score margin.
    value : tuple of float
        Win probability of each seat.
    line : tuple of int
        Codes of the best play to the end, this move first, each chance event with its most likely
        outcome.
    """

    code: int
    exact: bool
    reward: float
    value: tuple
    line: tuple


@dataclass(frozen=True)
class Solution:
    """A solved position.

    Attributes
    ----------
    seat : int
        The seat to move.
    moves : tuple of SolvedMove
        The best move first, then by reward.
    positions : int
        Number of positions searched.
    """

    seat: int
    moves: tuple
    positions: int

    @property
    def best(self):
        """Return the move to play."""
        return self.moves[0]


def solve(where, budget, *, double blend=DEFAULTS["blend"], double tau=DEFAULTS["tau"], bint every=True,
          int plies=64, int probes=32, uint64_t seed=0, double seconds=0.0):
    """Solve a position exactly, or return None if that takes more than `budget` positions.

    Parameters and errors are those of `Solver`.

    Returns
    -------
    Solution or None
    """
    return Solver(where, budget, blend=blend, tau=tau, every=every, plies=plies, probes=probes, seed=seed,
                  seconds=seconds).run()


cdef class Solver:
    """One attempt at the exact solution of a position without hidden information.

    Only `cancel` may be called while it runs.

    The moves searched are the game's candidates (`candidate_moves`). Among moves with equal rewards (to 1e-12)
    the root prefers one that wins at once, then the higher prior, then the lower code. Further down the lower code
    is preferred; with one or two seats, where the choice changes no reward, any of them may be chosen.

    Parameters
    ----------
    where : View or GameState
        The position. A view must belong to the seat to move.
    budget : int
        Largest number of positions to search, at least 1.
    blend, tau : float
        Weight of the score margin in the reward, 0..1, and its scale in points (see `Search`).
    every : bool
        Find the exact value of every move. False finds only the best move, which is faster with two seats.
    plies : int
        Longest line in moves and chance events, 1..1000; a longer game ends the attempt.
    probes : int
        Random lines that estimate the size of the tree before the search; 0: search at once.
    seed : int
        64-bit seed of the probes. It decides whether a tree about as large as the budget is tried, never
        the result.
    seconds : float
        Wall time limit of the attempt, including probes; 0: no limit.

    Attributes
    ----------
    seat : int
        The seat to move.
    budget, positions : int
        Largest number of positions to search, and the number searched.

    Raises
    ------
    SfidaError
        If the game hides information or nobody is to move. It is a ValueError.
    InvalidOption
        If a parameter is out of range.
    """

    def __init__(self, where, budget, *, double blend=DEFAULTS["blend"], double tau=DEFAULTS["tau"],
                 bint every=True, int plies=64, int probes=32, uint64_t seed=0, double seconds=0.0):
        cdef GameState state = (<View> where).state if isinstance(where, View) else <GameState?> where
        for name, value, least, most in (("budget", budget, 1, 1 << 62), ("blend", blend, 0, 1),
                                         ("tau", tau, 1e-9, 1e300), ("plies", plies, 1, 1000),
                                         ("probes", probes, 0, 1_000_000), ("seconds", seconds, 0, 1e9)):
            if not least <= value <= most:
                raise InvalidOption(f"'{name}' must be {least} to {most}, not {value}")
        if state.hidden:
            raise SfidaError(f"'{state.game.name}' hides information: only games without can be solved")
        self.seat = state.who()
        if self.seat < 0 or (isinstance(where, View) and self.seat != where.seat):
            raise SfidaError("a solution starts where a seat is to move, with that seat's own view")
        self.origin = state
        self.budget = budget
        self.plies = plies
        self.width = state.max_legal
        self.windows = state.players <= 2
        self.every = every
        self.probes = probes
        self.seed = seed
        self.blend = blend
        self.tau = tau
        self.seconds = seconds
        self.states = []

    @staticmethod
    cdef Solver after(GameState origin, double tau):
        """Return a solver of positions to come in `origin`, for `attempt`."""
        cdef Solver one = Solver.__new__(Solver)
        one.origin, one.tau, one.states = origin, tau, []
        one.plies, one.width, one.windows, one.probes = PLIES, origin.max_legal, origin.players <= 2, PROBES
        one.reserve(PLIES)
        return one

    def __dealloc__(self):
        self.release()

    cdef void release(self):
        free(self.at)
        free(self.moves)
        free(self.weights)
        free(self.least)
        free(self.most)
        free(self.key)
        free(self.line)
        free(self.length)
        free(self.replies)
        free(self.root)
        free(self.prior)
        free(self.gain)
        free(self.share)
        self.root = NULL
        self.prior = NULL
        self.gain = self.share = NULL
        self.at = NULL
        self.moves = self.line = NULL
        self.weights = self.key = NULL
        self.least = self.most = NULL
        self.length = self.replies = NULL

    cdef int reserve(self, int plies) except -1:
        """Allocate scratch memory for lines of that many plies."""
        cdef size_t rows = plies + 1
        cdef size_t cells = rows * self.width
        cdef GameState s
        self.release()
        self.at = <void**> malloc(rows * sizeof(void*))
        self.moves = <move_t*> malloc(cells * sizeof(move_t))
        self.weights = <uint32_t*> malloc(cells * sizeof(uint32_t))
        self.least = <double*> malloc(cells * sizeof(double))
        self.most = <double*> malloc(cells * sizeof(double))
        self.key = <uint32_t*> malloc(self.width * sizeof(uint32_t))
        self.line = <move_t*> malloc((rows + 1) * rows * sizeof(move_t))
        self.length = <int*> calloc(rows + 1, sizeof(int))
        self.replies = <int*> calloc(rows + 1, sizeof(int))
        self.root = <move_t*> malloc(self.width * sizeof(move_t))
        self.prior = <float*> malloc(self.width * sizeof(float))
        self.gain = <double*> malloc(self.width * sizeof(double))
        self.share = <double*> malloc(self.width * sizeof(double))
        if (self.at == NULL or self.moves == NULL or self.weights == NULL or self.least == NULL or self.most == NULL
                or self.key == NULL or self.line == NULL or self.length == NULL or self.replies == NULL
                or self.root == NULL or self.prior == NULL or self.gain == NULL or self.share == NULL):
            raise MemoryError()
        self.states = self.states[:rows]
        while len(self.states) < <Py_ssize_t> rows:
            self.states.append(self.origin.blank())
        for i, s in enumerate(self.states):
            self.at[i] = <void*> s
        return 0

    # ---- size of the tree ----------------------------------------------------------------------

    def estimate(self):
        """Return the approximate number of positions in the whole tree, without cut-offs.

        Returns
        -------
        float
            Mean of the probes, 0 without probes; infinity as soon as they show more than a run within the budget
            can search, or a line longer than `plies`.
        """
        cdef double found
        self.reserve(0)
        with nogil:
            found = self.estimated()
        self.raise_failures()
        return found

    cdef double estimated(self) noexcept nogil:
        """`estimate` in memory that `reserve` has given."""
        cdef double limit = 1.25 * <double> self.budget         # the probes vary
        cdef double total = 0.0
        cdef uint64_t i
        if self.windows:
            # alpha-beta searches about the power 3/4 of a tree in random order (Pearl 1982); in endgames of
            # Carcassonne that was half of what an exact value of every move took, and twice what the best move took
            limit = max(limit, pow(self.budget * (0.5 if self.every else 2.0), 4.0 / 3.0))
            if self.blend == 0.0:       # few different rewards: there it was about the power 2/3
                limit = max(limit, pow(self.budget * (0.4 if self.every else 1.5), 1.5))
        limit *= self.probes
        for i in range(<uint64_t> self.probes):
            total += self.probe(i, limit - total)
            if total > limit or (<GameState> self.at[0]).failed or (
                    self.until > 0.0 and 1e-9 * awake_ns() >= self.until):
                return INFINITY
        return total / max(1, self.probes)

    cdef double probe(self, uint64_t number, double limit) noexcept nogil:
        """Estimate the size of the tree from one random line: each ply multiplies the width by its number of moves."""
        cdef Rng rng
        cdef int actor, n, _ply
        cdef double wide = 1.0, total = 0.0
        rng_seed(&rng, mix64(self.seed, number))
        (<GameState> self.at[0]).copy_from(self.origin)
        for _ply in range(self.plies + 1):
            actor = (<GameState> self.at[0]).actor()
            if actor == TERMINAL or (<GameState> self.at[0]).failed:
                return total
            if actor == CHANCE:
                n = (<GameState> self.at[0]).outcomes(self.moves, self.weights)
            else:
                n = (<GameState> self.at[0]).candidates(self.moves)
            wide *= n
            total += wide
            if total > limit:
                return total
            (<GameState> self.at[0]).play(self.moves[rng_below(&rng, <uint32_t> n)])
        return limit + 1.0

    cdef int raise_failures(self) except -1:
        """Raise an exception of a Python game or a signal handler."""
        for state in self.states:
            state.raise_failure()
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return 0

    # ---- search -------------------------------------------------------------------------------

    def run(self):
        """Solve the position; return the `Solution`, or None (see `outcome`).

        Exceptions of a Python game or a signal handler are raised here.
        """
        cdef int i, p, n, found = EXACT
        cdef RootValue row
        self.positions = 0
        self.halt = GOES_ON
        self.until = awake() + self.seconds if self.seconds > 0.0 else 0.0
        if self.probes and self.estimate() == float("inf"):
            self.halt = REFUSED
            return None
        self.reserve(self.plies)
        with nogil:
            n = self.begin()
        self.raise_failures()
        rows = []
        for i in range(n):
            with nogil:
                found = self.try_move(i, n, &row)
            if found == STOPPED:
                self.raise_failures()
                return None
            value = tuple([row.win[p] for p in range(self.origin.players)]) if row.exact else ()
            line = [self.line[self.plies + 1 + p] for p in range(self.length[1])] if row.exact else []
            rows.append(SolvedMove(row.code, bool(row.exact), row.reward, value, (row.code, *line)))
            if found == ENOUGH:
                rows += [SolvedMove(self.root[p], False, 1.0, (), (self.root[p],)) for p in range(i + 1, n)]
                break
        top = max(row.reward for row in rows if row.exact)
        best = next(row for row in rows if row.exact and row.reward >= top - TIE)
        rows.remove(best)
        rows.sort(key=lambda row: -row.reward)
        return Solution(self.seat, (best, *rows), self.positions)

    cdef int attempt(self, int seat, uint64_t budget, double blend, uint64_t seed, move_t* best,
                     double* won) noexcept nogil:
        """`run` for the best move alone, in memory that `reserve` has given for `plies`.

        Parameters
        ----------
        seat : int
            The seat to move in `origin`.
        budget, blend, seed
            As in the constructor.
        best : move_t*
            Receives the best move.
        won : double*
            Receives the seat's win probability after it.

        Returns
        -------
        int
            Whether the position was solved.
        """
        cdef RootValue row
        cdef double top = -NO_LIMIT
        cdef int i, n, found
        self.seat, self.budget, self.blend, self.seed = seat, budget, blend, seed
        self.positions = 0
        self.halt = GOES_ON
        self.until = 0.0
        if self.probes and self.estimated() == INFINITY:
            self.halt = REFUSED
            return False
        n = self.begin()
        for i in range(n):
            found = self.try_move(i, n, &row)
            if found == STOPPED:
                return False
            self.gain[i] = row.reward if row.exact else -NO_LIMIT
            self.share[i] = row.win[seat] if row.exact else 0.0
            top = self.gain[i] if self.gain[i] > top else top
            if found == ENOUGH:
                n = i + 1
                break
        for i in range(n):
            if self.gain[i] >= top - TIE:
                best[0] = self.root[i]
                won[0] = self.share[i]
                return True
        return False

    cdef int begin(self) noexcept nogil:
        """Begin at `origin`: list its moves in `root`, the most promising first; returns their number."""
        memset(self.history, 0, sizeof(self.history))
        (<GameState> self.at[0]).copy_from(self.origin)
        self.low, self.high = -NO_LIMIT, NO_LIMIT
        return self.order_root(<GameState> self.at[0], <GameState> self.at[1])

    cdef int try_move(self, int i, int n, RootValue* row) noexcept nogil:
        """Find the value of move `i` of the root's `n`; returns STOPPED, EXACT, or ENOUGH if no other can be better."""
        cdef Value v
        cdef int place, found
        row.code = self.root[i]
        place = self.step(0, row.code, i == n - 1)
        found = self.visit(1, place, <GameState> self.at[place], self.low, self.high, False, &v)
        if found == STOPPED:
            return STOPPED
        row.exact = found == EXACT
        if not row.exact:
            row.reward = v.reward[0] if self.seat == 0 else 1.0 - v.reward[0]
            return EXACT
        row.reward = v.reward[self.seat]
        memcpy(row.win, v.win, sizeof(v.win))
        if self.every:
            return EXACT
        if row.reward >= 1.0:
            return ENOUGH
        if self.windows and self.seat == 0:
            self.low = row.reward if row.reward > self.low else self.low
        elif self.windows:
            self.high = v.reward[0] if v.reward[0] < self.high else self.high
        return EXACT

    cdef int order_root(self, GameState s, GameState after) noexcept nogil:
        """List the moves of a position in `root`: those that win at once, then by prior, then by code."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef int i, j, n = s.candidates(self.root)
        cdef double wins
        cdef float prior
        cdef move_t code
        for i in range(n):
            self.prior[i] = 0.0
        if s.has_priors:
            s.priors(self.root, n, self.prior)
        for i in range(n):
            self.gain[i] = 0.0
            after.copy_from(s)
            after.play(self.root[i])
            if after.actor() == TERMINAL:
                after.result(win, score)
                self.gain[i] = win[self.seat] >= 1.0
        for i in range(1, n):
            code, prior, wins = self.root[i], self.prior[i], self.gain[i]
            j = i
            while j > 0 and (self.gain[j - 1] < wins or (self.gain[j - 1] == wins and (
                    self.prior[j - 1] < prior or (self.prior[j - 1] == prior and self.root[j - 1] > code)))):
                self.root[j], self.prior[j], self.gain[j] = self.root[j - 1], self.prior[j - 1], self.gain[j - 1]
                j -= 1
            self.root[j], self.prior[j], self.gain[j] = code, prior, wins
        return n

    def cancel(self):
        """End the run without a solution; may be called from a signal handler or a thread."""
        self.cancelled = 1

    @property
    def outcome(self):
        """How the last run ended: "solved", or the limit that stopped it.

        "estimate" (the probes showed a tree too large), "budget", "depth" (`plies`), "cancelled", "error" or
        "seconds".
        """
        return OUTCOMES[self.halt]

    cdef void pause(self) noexcept nogil:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                self.error = error
                self.halt = RAISED

    cdef int step(self, int place, move_t move, bint last) noexcept nogil:
        """Play a move in a copy, the last one in place; return the place of the position."""
        if not last:
            (<GameState> self.at[place + 1]).copy_from(<GameState> self.at[place])
            place += 1
        (<GameState> self.at[place]).play(move)
        return place

    cdef int visit(self, int ply, int place, GameState s, double low, double high, bint first_only,
                   Value* out) noexcept nogil:
        """Compute the value of the position at `place`.

        `low` and `high` are the window of relevant rewards of seat 0. With `first_only`, search one reply, for a
        bound.
        """
        cdef double score[MAX_SEATS]
        cdef move_t* moves = self.moves + ply * self.width
        cdef int actor, n
        if self.positions >= self.budget:
            self.halt = OVER_BUDGET
        if self.cancelled:
            self.halt = CANCELLED
        if self.positions & CLOCK_MASK == CLOCK_MASK and self.until > 0.0 and 1e-9 * awake_ns() >= self.until:
            self.halt = OUT_OF_TIME
        if self.positions & PAUSE_MASK == PAUSE_MASK:
            self.pause()
        if self.halt:
            return STOPPED
        self.positions += 1
        actor = s.actor()
        if actor == TERMINAL:
            s.result(out.win, score)
            blend_reward(out.win, score, s.players, self.blend, self.tau, out.reward)
            self.length[ply] = 0
        elif ply >= self.plies:
            self.halt = TOO_DEEP
            return STOPPED
        elif actor == CHANCE:
            n = s.outcomes(moves, self.weights + ply * self.width)
        else:
            n = s.candidates(moves)
        if s.failed:
            self.halt = RAISED
            return STOPPED
        if actor == TERMINAL:
            return EXACT
        if not self.windows:
            if actor == CHANCE:
                return self.mean(ply, place, n, out)
            self.sort(moves, n, actor)
            return self.best_for_mover(ply, place, n, actor, out)
        if actor == CHANCE:
            if first_only:
                return UNTRIED
            return self.mean_in_window(ply, place, n, low, high, out)
        self.replies[ply] = n
        if first_only and 1 < n < PROBED_REPLIES:
            return UNTRIED
        self.sort(moves, n, actor)
        if first_only and n > 1:
            return self.first_reply(ply, place, actor, low, high, out)
        return self.best_in_window(ply, place, n, actor, low, high, out)

    # ---- decision nodes -----------------------------------------------------------------------------

    cdef int best_for_mover(self, int ply, int place, int n, int actor, Value* out) noexcept nogil:
        """Max^n: the best move for the mover, regardless of the other seats."""
        cdef const move_t* moves = self.moves + ply * self.width
        cdef Value v
        cdef int i, to
        for i in range(n):
            to = self.step(place, moves[i], i == n - 1)
            if self.visit(ply + 1, to, <GameState> self.at[to], -NO_LIMIT, NO_LIMIT, False, &v) == STOPPED:
                return STOPPED
            if i and v.reward[actor] <= out.reward[actor] + TIE:
                continue
            out[0] = v
            self.keep_line(ply, moves[i])
            if v.reward[actor] >= 1.0:
                break
        return EXACT

    cdef int best_in_window(self, int ply, int place, int n, int actor, double low, double high,
                            Value* out) noexcept nogil:
        """Alpha-beta for two seats: `floor` and `ceiling` are the window as the mover sees it."""
        cdef const move_t* moves = self.moves + ply * self.width
        cdef double side = 1.0 if actor == 0 else -1.0
        cdef double floor = low if actor == 0 else -high
        cdef double ceiling = high if actor == 0 else -low
        cdef int enough = AT_LEAST if actor == 0 else AT_MOST
        cdef int short = AT_MOST if actor == 0 else AT_LEAST
        cdef double gain, bound = -NO_LIMIT
        cdef int i, to, found, best = -1
        cdef Value v
        for i in range(n):
            to = self.step(place, moves[i], i == n - 1)
            found = self.visit(ply + 1, to, <GameState> self.at[to], floor if actor == 0 else -ceiling,
                               ceiling if actor == 0 else -floor, False, &v)
            if found == STOPPED:
                return STOPPED
            gain = side * v.reward[0]
            if found == short or gain <= floor:
                bound = gain if gain > bound else bound
                continue
            best = i
            out[0] = v
            self.keep_line(ply, moves[i])
            if found == enough or gain >= ceiling:
                self.credit(actor, moves[i])
                return enough
            floor = gain
            if v.reward[actor] >= 1.0:
                break
        if best < 0:
            out.reward[0] = side * bound
            return short
        self.credit(actor, moves[best])
        return EXACT

    cdef int first_reply(self, int ply, int place, int actor, double low, double high, Value* out) noexcept nogil:
        """Bound a decision by its first move: the mover gets at least that much."""
        cdef int to = self.step(place, self.moves[ply * self.width], True)
        cdef int found = self.visit(ply + 1, to, <GameState> self.at[to], low, high, False, out)
        if found == STOPPED:
            return STOPPED
        if found == (AT_MOST if actor == 0 else AT_LEAST):
            return UNTRIED
        return AT_LEAST if actor == 0 else AT_MOST

    cdef void credit(self, int actor, move_t move) noexcept nogil:
        self.history[history_slot(actor, move)] += 1

    cdef void sort(self, move_t* moves, int n, int actor) noexcept nogil:
        """Order moves by how often they were best, then by code (Shell's sort)."""
        cdef uint32_t* key = self.key
        cdef int gap = 1
        cdef int i, j
        cdef move_t move
        cdef uint32_t k
        for i in range(n):
            key[i] = self.history[history_slot(actor, moves[i])]
        while gap < n // 3:
            gap = 3 * gap + 1
        while gap:
            for i in range(gap, n):
                move = moves[i]
                k = key[i]
                j = i
                while j >= gap and (key[j - gap] < k or (key[j - gap] == k and moves[j - gap] > move)):
                    moves[j] = moves[j - gap]
                    key[j] = key[j - gap]
                    j -= gap
                moves[j] = move
                key[j] = k
            gap //= 3

    # ---- chance nodes --------------------------------------------------------------------------------

    cdef int mean(self, int ply, int place, int n, Value* out) noexcept nogil:
        cdef const move_t* moves = self.moves + ply * self.width
        cdef const uint32_t* weights = self.weights + ply * self.width
        cdef uint32_t heaviest = 0
        cdef double total = 0.0
        cdef int i, to
        cdef Value v
        memset(out, 0, sizeof(Value))
        for i in range(n):
            to = self.step(place, moves[i], i == n - 1)
            if self.visit(ply + 1, to, <GameState> self.at[to], -NO_LIMIT, NO_LIMIT, False, &v) == STOPPED:
                return STOPPED
            total += weights[i]
            add(out, &v, weights[i], self.origin.players)
            if weights[i] > heaviest:
                heaviest = weights[i]
                self.keep_line(ply, moves[i])
        divide(out, total, self.origin.players)
        return EXACT

    cdef int mean_in_window(self, int ply, int place, int n, double low, double high, Value* out) noexcept nogil:
        """Star2: stop as soon as the bounds of the outcomes put the mean outside the window.

        `lows` and `highs` are the weighted sums of the bounds, `low` and `high` the window on their scale.
        """
        cdef const move_t* moves = self.moves + ply * self.width
        cdef const uint32_t* weights = self.weights + ply * self.width
        cdef double* least = self.least + ply * self.width
        cdef double* most = self.most + ply * self.width
        cdef double total = 0.0, lows = 0.0, highs
        cdef uint32_t heaviest = 0
        cdef int i, to, found, turn
        cdef Value v
        memset(out, 0, sizeof(Value))
        for i in range(n):
            total += weights[i]
            least[i] = 0.0
            most[i] = 1.0
        highs = total
        low *= total
        high *= total
        # first one reply to each outcome, if that can help and the last decision here had many replies, then all
        for turn in range(0 if n > 1 and self.replies[ply + 1] >= PROBED_REPLIES and (low > 0.0 or high < total)
                          else 1, 2):
            for i in range(n):
                to = self.step(place, moves[i], turn == 1 and i == n - 1)
                found = self.visit(ply + 1, to, <GameState> self.at[to], (low - highs) / weights[i] + most[i],
                                   (high - lows) / weights[i] + least[i], turn == 0, &v)
                if found == STOPPED:
                    return STOPPED
                if found == UNTRIED:
                    continue
                if found != AT_LEAST and v.reward[0] < most[i]:
                    highs -= weights[i] * (most[i] - v.reward[0])
                    most[i] = v.reward[0]
                if found != AT_MOST and v.reward[0] > least[i]:
                    lows += weights[i] * (v.reward[0] - least[i])
                    least[i] = v.reward[0]
                if highs <= low or (turn and found == AT_MOST):
                    out.reward[0] = highs / total
                    return AT_MOST
                if lows >= high or (turn and found == AT_LEAST):
                    out.reward[0] = lows / total
                    return AT_LEAST
                if turn:
                    add(out, &v, weights[i], self.origin.players)
                    if weights[i] > heaviest:
                        heaviest = weights[i]
                        self.keep_line(ply, moves[i])
        divide(out, total, self.origin.players)
        return EXACT

    cdef void keep_line(self, int ply, move_t move) noexcept nogil:
        """Set the best play from `ply` on to `move` followed by the best play behind it."""
        cdef move_t* mine = self.line + ply * (self.plies + 1)
        mine[0] = move
        memcpy(mine + 1, mine + self.plies + 1, self.length[ply + 1] * sizeof(move_t))
        self.length[ply] = self.length[ply + 1] + 1


cdef inline int history_slot(int actor, move_t move) noexcept nogil:
    return <int> (mix64(move, <uint64_t> actor) & (HISTORY_SLOTS - 1))


cdef inline void add(Value* total, const Value* v, double weight, int players) noexcept nogil:
    cdef int p
    for p in range(players):
        total.reward[p] += weight * v.reward[p]
        total.win[p] += weight * v.win[p]


cdef inline void divide(Value* total, double by, int players) noexcept nogil:
    cdef int p
    for p in range(players):
        total.reward[p] /= by
        total.win[p] /= by
