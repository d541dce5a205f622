"""Agents without Python: each decides exactly as its agent in `ai/` does.

So whole games are played without the interpreter's lock. A player receives the true state, but looks only at the
redacted copy that an agent's view is.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.keyed cimport Root, SeededDraws, blake2b, decision_seed
from sfida.cython_ext.lookahead cimport MOST_STEPS, BestTurn
from sfida.cython_ext.measure cimport awake_ns
from sfida.cython_ext.rng cimport Rng, derive_one, rng_below, rng_seed
from sfida.cython_ext.state cimport GameState, move_t

from sfida.cython_ext.measure import awake


cdef int64_t LOOK_EVERY = 50_000_000    # nanoseconds between checks of signals
cdef const char* NOBODY = b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
cdef enum:
    DIGITS = 24                         # of a move in a list, with its separators


cdef class Interrupts:
    """Ctrl-C, and errors of players, while no Python runs."""

    def __cinit__(self):
        awake()                         # `awake_ns` needs one call before
        self.looked = awake_ns()

    cdef bint ended(self) noexcept nogil:
        """Whether to end; now and then this checks for signals."""
        cdef int64_t now
        if self.halt:
            return True
        now = awake_ns()
        if now - self.looked >= LOOK_EVERY:
            self.looked = now
            with gil:
                try:
                    PyErr_CheckSignals()
                except BaseException as error:
                    self.end_with(error)
        return self.halt

    cdef void end_with(self, object error):
        self.error = error
        self.halt = 1


cdef class Player:
    """An agent that needs no Python.

    Parameters
    ----------
    start : GameState
        Any position of the game, with the knowledge that the agent uses.
    """

    def __cinit__(self, GameState start not None, *args):
        cdef int room = max(start.max_legal, start.max_listed)
        self.interrupts = Interrupts()
        self.seen, self.world, self.twin = start.clone(), start.clone(), start.clone()
        self.moves = <move_t*> malloc(room * sizeof(move_t))
        self.prior = <float*> malloc(room * sizeof(float))
        if self.moves == NULL or self.prior == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.moves)
        free(self.prior)

    cdef void begin(self) noexcept nogil:
        pass

    cdef move_t choose(self, GameState state, int seat, move_t* legal, int n, uint64_t seed) noexcept nogil:
        return legal[0]

    cdef void look(self, GameState to, GameState state, int seat) noexcept nogil:
        """Copy what a seat may see: `GameState.view`."""
        to.copy_from(state)
        to.redact(seat)
        to.wipe(0)

    cdef int list_certain(self, GameState seen, int seat, bint own_test) noexcept nogil:
        """List the candidates in `moves`; return the index of one that wins for certain, or -1.

        See `ai.search.certain_win`.
        """
        cdef Rng rng
        cdef int n
        if not seen.has_sure_win and (own_test or seen.hidden):
            return -1
        rng_seed(&rng, 0)
        self.world.copy_from(seen)
        self.world.determinize_for(seat, &rng)
        self.world.wipe(0)
        n = self.world.candidates(self.moves)
        return self.world.find_win(self.twin, self.moves, n)

    cdef move_t any_best(self, const double* worth, int n, void* rng) noexcept nogil:
        """Return one of the best of `moves`, drawn at random."""
        cdef double best = worth[0]
        cdef int i, ties = 0, chosen
        for i in range(n):
            best = worth[i] if worth[i] > best else best
        for i in range(n):
            ties += worth[i] == best
        chosen = rng_below(<Rng*> rng, ties)
        for i in range(n):
            if worth[i] == best:
                if chosen == 0:
                    return self.moves[i]
                chosen -= 1
        return self.moves[0]


cdef void sort_moves(move_t* moves, int n) noexcept nogil:
    """Sort moves in ascending order (Shell's sort)."""
    cdef int i, j, gap = 1
    cdef move_t move
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, n):
            move = moves[i]
            j = i
            while j >= gap and moves[j - gap] > move:
                moves[j] = moves[j - gap]
                j -= gap
            moves[j] = move
        gap //= 3


cdef class RandomPlayer(Player):
    """`ai.agent.RandomAgent`."""

    cdef uint8_t* text

    def __cinit__(self, *args, **kwargs):
        self.text = <uint8_t*> malloc(max(self.seen.max_legal, self.seen.max_listed) * DIGITS + 2)
        if self.text == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.text)

    cdef move_t choose(self, GameState state, int seat, move_t* legal, int n, uint64_t seed) noexcept nogil:
        cdef Rng rng
        cdef uint64_t key
        cdef int i, length = 0
        if n == 1:
            return legal[0]
        sort_moves(legal, n)
        for i in range(n):              # as Python writes a list
            self.text[length] = c"," if i else c"["
            length += 1
            if i:
                self.text[length] = c" "
                length += 1
            length += digits(self.text + length, legal[i])
        self.text[length] = c"]"
        blake2b(&key, sizeof(key), NULL, 0, NOBODY, self.text, length + 1)
        rng_seed(&rng, derive_one(seed, key))
        return legal[rng_below(&rng, n)]


cdef inline int digits(uint8_t* out, uint64_t number) noexcept nogil:
    """Write a number; returns how many digits it has."""
    cdef uint8_t back[DIGITS]
    cdef int n = 0, i
    while True:
        back[n] = <uint8_t> (c"0" + number % 10)
        n += 1
        number //= 10
        if number == 0:
            break
    for i in range(n):
        out[i] = back[n - 1 - i]
    return n


cdef class GreedyPlayer(Player):
    """`ai.greedy.GreedyAgent` without a strategy.

    Parameters
    ----------
    start : GameState
        Position with the game's usual knowledge, by which a certain win is found.
    judged : GameState
        Position with the knowledge that the agent uses.
    by_rules : bool
        Whether it chooses the likeliest move by the priors, otherwise the best turn by the evaluation.
    steps, worlds : int
        Own decisions of a turn that it searches, and worlds over which it averages.
    """

    cdef GameState judged
    cdef BestTurn turns
    cdef bint by_rules
    cdef int steps
    cdef int worlds
    cdef double* worth

    def __cinit__(self, GameState start not None, GameState judged not None, bint by_rules, int steps, int worlds):
        if not 1 <= steps <= MOST_STEPS or worlds < 1:
            raise ValueError("there must be a step or more, and at least one world")
        self.judged, self.by_rules, self.steps, self.worlds = judged.clone(), by_rules, steps, worlds
        self.turns = BestTurn(judged)
        self.worth = <double*> malloc(max(start.max_legal, start.max_listed) * sizeof(double))
        if self.worth == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.worth)

    cdef move_t choose(self, GameState state, int seat, move_t* legal, int n, uint64_t seed) noexcept nogil:
        cdef Rng rng
        cdef int i, _w
        if n == 1:
            return legal[0]
        self.look(self.seen, state, seat)
        i = self.list_certain(self.seen, seat, not self.by_rules)
        if i >= 0:
            return self.moves[i]
        rng_seed(&rng, seed)
        self.judged.copy_from(self.seen)
        n = self.judged.candidates(self.moves)
        if self.by_rules:
            self.judged.priors(self.moves, n, self.prior)
            for i in range(n):
                self.worth[i] = self.prior[i]
            return self.any_best(self.worth, n, &rng)
        sort_moves(self.moves, n)
        for i in range(n):
            self.worth[i] = 0.0
        for _w in range(self.worlds if state.hidden else 1):
            self.judged.copy_from(self.seen)
            self.judged.determinize_for(seat, &rng)
            self.judged.wipe(0)
            for i in range(n):
                self.worth[i] += self.turns.worth(self.judged, self.moves[i], seat, self.steps - 1)
        return self.any_best(self.worth, n, &rng)


cdef class Seating:
    """The players of a game and its luck, both from seeds as at a table (`ai.table.Table`).

    Parameters
    ----------
    start : GameState
        Any position of the game.
    players : sequence of Player
        One for each seat; no two seats share one.
    """

    def __cinit__(self, GameState start not None, players):
        cdef int i
        self.players = list(players)
        self.n_players = start.players
        if len(self.players) != start.players:
            raise ValueError("there must be a player for each seat")
        self.interrupts = Interrupts()
        self.luck = SeededDraws(start)
        for i, player in enumerate(self.players):
            (<Player?> player).interrupts = self.interrupts
            self.at[i] = <void*> player

    def end(self):
        """End the games that are being played; may be called from another thread."""
        self.interrupts.halt = 1

    cdef void begin(self, Root root, Root luck) noexcept nogil:
        """Begin a game with the seed of the decisions and that of the luck."""
        cdef int i
        self.root = root
        self.luck.begin(luck)
        for i in range(self.n_players):
            (<Player> self.at[i]).begin()

    cdef move_t decide(self, GameState state, int seat, move_t* legal, int n, int ply) noexcept nogil:
        """Return the move of the seat to move, one of the n legal ones, as move `ply` of the game."""
        return (<Player> self.at[seat]).choose(state, seat, legal, n, decision_seed(&self.root, seat, ply))

    cdef int check(self) except -1:
        """Raise what ended the games, if anything did."""
        if self.interrupts.error is not None:
            error, self.interrupts.error = self.interrupts.error, None
            raise error
        return 0


cdef Root root_of(object seed) except *:
    """Return a seed of up to 128 bits as a struct."""
    cdef Root root
    root.low = seed & 0xFFFFFFFFFFFFFFFF
    root.high = seed >> 64
    return root
