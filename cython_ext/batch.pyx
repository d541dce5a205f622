"""Whole games without Python: played by policies or players, or replayed from moves, and recorded in columns."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from sfida.cython_ext.errors import IllegalMove

from sfida.cython_ext.columns cimport Column, append
from sfida.cython_ext.keyed cimport Root
from sfida.cython_ext.learned cimport MOST_FEATURES
from sfida.cython_ext.lookahead cimport MOST_STEPS, BestTurn
from sfida.cython_ext.players cimport Seating
from sfida.cython_ext.rng cimport Rng, mix64, rng_below, rng_seed
from sfida.cython_ext.seats cimport MAX_SEATS
from sfida.cython_ext.state cimport CHANCE, TERMINAL, GameState, move_t


cdef enum:
    MOVES = 0
    SEATS = 1
    CHOICES = 2
    PLIES = 3                           # plies of each finished game
    SHARES = 4
    SCORES = 5
    FEATURES = 6
    VIEWS = 7
    LUCK = 0x6C75636B                   # random stream of a game's chance events; a seat's stream is its number
    WORLD = 0x776F726C                  # random stream of a game's sampled world
    # policies
    UNIFORM = 0                         # any legal move
    PRIORS = 1                          # the likeliest move by the game's priors
    EVALUATION = 2                      # the best turn by the game's evaluation

COLUMNS = ("moves", "seats", "choices", "plies", "shares", "scores", "features", "views")
POLICIES = ("uniform", "priors", "evaluation")


cdef class Batch:
    """Plays or replays games and records them in columns.

    Parameters
    ----------
    start : GameState
        Initial position; it is not changed.
    policies : sequence of str
        One of `POLICIES` for each seat.
    features, views : bool
        For every decision with at least two moves, record the learned evaluation's features of all seats, as far as
        the mover knows them, and the bytes of the mover's view.
    steps : int
        Own decisions of a turn that the policy "evaluation" searches, 1 to 4.
    worlds : int
        Sampled worlds over which the policy "evaluation" averages in games with hidden information, at least 1.
    seating : Seating, optional
        Players of all seats instead of the policies; their games are those of tables with the same seeds.
    """

    cdef GameState start
    cdef GameState state
    cdef GameState seen                 # redacted copy or sampled world
    cdef BestTurn turns
    cdef Seating seating                # None: the policies play
    cdef int policy[MAX_SEATS]
    cdef int steps                      # decisions of a turn that are searched
    cdef int worlds                     # worlds per decision of the policy "evaluation"
    cdef bint with_features
    cdef bint with_views
    cdef bint full                      # memory has run out
    cdef move_t* moves                  # legal moves or candidates
    cdef double* worth                  # worth or prior of each move
    cdef float* prior
    cdef double* features               # features of one position
    cdef size_t feature_room            # their size in bytes
    cdef int64_t plies                  # plies of the current game
    cdef Column[8] columns

    def __cinit__(self, GameState start not None, policies, bint features, bint views, int steps, int worlds,
                  Seating seating=None):
        cdef int room = max(start.max_legal, start.max_listed)
        if len(policies) != start.players or worlds < 1 or not 1 <= steps <= MOST_STEPS:
            raise ValueError("there must be a policy for each seat, a step or more, and at least one world")
        for seat, name in enumerate(policies):
            self.policy[seat] = POLICIES.index(name)
        self.start, self.steps, self.worlds, self.seating = start, steps, worlds, seating
        self.state, self.seen = start.clone(), start.clone()
        self.turns = BestTurn(start)
        self.feature_room = start.players * len(start.feature_names) * sizeof(double)
        self.with_features, self.with_views = features and bool(start.feature_names), views
        self.moves = <move_t*> malloc(room * sizeof(move_t))
        self.worth = <double*> malloc(room * sizeof(double))
        self.prior = <float*> malloc(room * sizeof(float))
        self.features = <double*> calloc(MAX_SEATS * MOST_FEATURES, sizeof(double))
        if self.moves == NULL or self.worth == NULL or self.prior == NULL or self.features == NULL:
            raise MemoryError()

    def __dealloc__(self):
        cdef int i
        for i in range(8):
            free(self.columns[i].data)
        free(self.moves)
        free(self.worth)
        free(self.prior)
        free(self.features)

    def play(self, const uint64_t[::1] seeds):
        """Play a game for each seed, without the interpreter's lock.

        Raises
        ------
        Exception
            Any exception that a Python game raised.
        KeyboardInterrupt
            At Ctrl-C, in the middle of a game of players.
        MemoryError
        """
        cdef int i
        with nogil:
            for i in range(seeds.shape[0]):
                if self.seating is None:
                    self.game(seeds[i])
                else:
                    self.seated_game(self.seating, seeds[i])
        self.check()

    def replay(self, const uint64_t[::1] moves):
        """Play a whole game by its moves, chance outcomes included.

        Raises
        ------
        IllegalMove
            If the moves are not a whole game.
        """
        cdef int i, seat
        self.begin()
        for move in moves:
            self.state.apply(move)
        if self.state.actor() != TERMINAL:
            raise IllegalMove("the game given is not over")
        self.begin()
        for i in range(moves.shape[0]):
            seat = self.state.actor()
            self.step(seat, self.state.legal(self.moves) if seat >= 0 else 0, moves[i])
        self.end()
        self.check()

    def play_on(self, GameState position not None, move_t move, const uint64_t[::1] seeds,
                double[:, ::1] shares not None):
        """Play a move in a sampled world of a position, and on to the end, for each seed; nothing is recorded.

        A seed decides the world, the luck and the players' random choices. So the moves of a position compare on common
        luck.

        Parameters
        ----------
        position : GameState
            A position of the game in which a seat is to move. Its secrets do not count: the mover's view does.
        move : int
            A legal move.
        seeds : array of uint64
        shares : array of float64, shape (seeds, players)
            Filled with the win shares of the seats.

        Raises
        ------
        ValueError
            If there are no players, if a shape does not fit, or if no seat is to move.
        IllegalMove
        KeyboardInterrupt
        MemoryError
        """
        cdef int i, seat = position.actor()
        if self.seating is None or seat < 0:
            raise ValueError("a game goes on with players, from a position in which a seat is to move")
        if shares.shape[0] != seeds.shape[0] or shares.shape[1] != self.start.players:
            raise ValueError("there must be a row of shares for each seed, and a column for each seat")
        position.clone().apply(move)            # a legal move is legal in every world
        with nogil:
            for i in range(seeds.shape[0]):
                self.go_on(position, seat, move, seeds[i], &shares[i, 0])
        self.check()

    def columns_taken(self):
        """Return the bytes of each column by name and empty the columns."""
        found = {}
        for i, name in enumerate(COLUMNS):
            found[name] = PyBytes_FromStringAndSize(self.columns[i].data, self.columns[i].used)
            self.columns[i].used = 0
        return found

    cdef int check(self) except -1:
        """Raise the errors recorded while the lock was released."""
        for state in (self.state, self.seen):
            state.raise_failure()
        self.turns.raise_failure()
        if self.full:
            raise MemoryError("there is not enough memory for these games")
        if self.seating is not None:
            self.seating.check()
        return 0

    cdef void game(self, uint64_t seed) noexcept nogil:
        cdef Rng luck
        cdef Rng own[MAX_SEATS]
        cdef int seat, n
        rng_seed(&luck, mix64(seed, LUCK))
        for seat in range(self.start.players):
            rng_seed(&own[seat], mix64(seed, seat))
        self.begin()
        while not self.full and not self.state.failed:
            seat = self.state.actor()
            if seat == TERMINAL:
                break
            if seat == CHANCE:
                self.step(seat, 0, self.state.sample(&luck))
                continue
            n = self.state.legal(self.moves)
            self.step(seat, n, self.moves[0] if n == 1 else self.choose(seat, n, &own[seat]))
        self.end()

    cdef void seated_game(self, Seating seating, uint64_t seed) noexcept nogil:
        cdef Root root
        cdef int seat, n
        root.low, root.high = seed, 0
        seating.begin(root, root)
        self.begin()
        while not self.full and not seating.interrupts.ended():
            seat = self.state.actor()
            if seat == TERMINAL:
                self.end()
                return
            if seat == CHANCE:
                self.step(seat, 0, seating.luck.draw(self.state))
                continue
            n = self.state.legal(self.moves)
            self.step(seat, n, seating.decide(self.state, seat, self.moves, n, <int> self.plies))

    cdef void go_on(self, GameState position, int seat, move_t move, uint64_t seed, double* shares) noexcept nogil:
        cdef Rng world
        cdef Root root
        cdef int ply = 0
        cdef double score[MAX_SEATS]
        root.low, root.high = seed, 0
        self.seating.begin(root, root)
        rng_seed(&world, mix64(seed, WORLD))
        self.state.copy_from(position)
        self.state.determinize_for(seat, &world)
        self.state.wipe(0)
        while not self.seating.interrupts.ended():
            self.state.play(move)
            ply += 1
            seat = self.state.actor()
            if seat == TERMINAL:
                self.state.result(shares, score)
                return
            if seat == CHANCE:
                move = self.seating.luck.draw(self.state)
            else:
                move = self.seating.decide(self.state, seat, self.moves, self.state.legal(self.moves), ply)

    cdef void begin(self) noexcept nogil:
        self.state.copy_from(self.start)
        self.plies = 0

    cdef void step(self, int seat, int choices, move_t move) noexcept nogil:
        cdef int8_t actor = seat
        cdef int32_t number = choices
        if choices > 1 and self.with_features:
            self.state.fill_features(seat, self.features)
            self.put(FEATURES, self.features, self.feature_room)
        if choices > 1 and self.with_views:
            self.seen.copy_from(self.state)
            self.seen.redact(seat)
            self.seen.wipe(0)
            self.put(VIEWS, self.seen.data, self.seen.size)
        self.put(MOVES, &move, sizeof(move_t))
        self.put(SEATS, &actor, 1)
        self.put(CHOICES, &number, sizeof(int32_t))
        self.state.play(move)
        self.plies += 1

    cdef void end(self) noexcept nogil:
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        self.put(PLIES, &self.plies, sizeof(int64_t))
        self.state.result(win, score)
        self.put(SHARES, win, self.start.players * sizeof(double))
        self.put(SCORES, score, self.start.players * sizeof(double))

    cdef move_t choose(self, int seat, int legal, Rng* rng) noexcept nogil:
        """Return one of the legal moves, which are in `moves`; ties are broken at random."""
        cdef int n, i, _w, best = 0, ties = 0
        if self.policy[seat] == UNIFORM:
            return self.moves[rng_below(rng, legal)]
        n = self.state.candidates(self.moves)
        if self.state.has_sure_win:
            best = self.state.sure_win(self.moves, n)
            if best >= 0:
                return self.moves[best]
            best = 0
        if self.policy[seat] == PRIORS:
            self.state.hand_priors(self.moves, n, self.prior)
            for i in range(n):
                self.worth[i] = self.prior[i]
        else:
            for i in range(n):
                self.worth[i] = 0.0
            for _w in range(self.worlds if self.state.hidden else 1):
                self.seen.copy_from(self.state)
                self.seen.determinize_for(seat, rng)
                for i in range(n):
                    self.worth[i] += self.turns.worth(self.seen, self.moves[i], seat, self.steps - 1)
        for i in range(n):
            if self.worth[i] > self.worth[best] or not ties:
                best, ties = i, 1
            elif self.worth[i] == self.worth[best]:
                ties += 1
                if rng_below(rng, ties) == 0:
                    best = i
        return self.moves[best]

    cdef void put(self, int column, const void* data, size_t size) noexcept nogil:
        """Append bytes to a column."""
        if not append(&self.columns[column], data, size):
            self.full = True
