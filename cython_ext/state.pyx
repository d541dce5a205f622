"""The contract of a game: common code of every rules core, and its Python names."""

import operator

cimport cython
from libc.stdint cimport uint16_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from sfida.cython_ext.learned cimport MOST_ACTIVE, MOST_FEATURES, Learned, net_priors, net_shares
from sfida.cython_ext.rng cimport Random, rng_below

from sfida.cython_ext.errors import IllegalMove, InvalidRecord

DEBUG = bool(SFIDA_DEBUG_BUILD)


def restore(game, bytes data, *knowledge):
    """Rebuild a state from its game, its byte form (see `GameState.to_bytes`) and its knowledge.

    Without `knowledge` the state has the default knowledge of the game.
    """
    state = game.initial_state()
    (<GameState?> state).load(data)
    for learned in knowledge:
        state.set_knowledge(learned)
    return state


cdef class GameState:
    """A position of a game.

    Subclasses hold the rules. A state is built by `sfida.make` and changed only by `apply`, which is
    deterministic: dice, draws and deals are moves too, listed by `chance_outcomes`.

    Attributes
    ----------
    game : engines.game.Game
        The engine that made the state: its name, options, notation and drawing.
    players : int
        Number of seats.
    hidden : bool
        True when some seat cannot see the whole state.
    max_legal : int
        Upper bound on the length of the lists that a search reads: moves worth searching, outcomes.
    max_listed : int
        Upper bound on the length of `legal_moves`, where that is larger; else 0.
    has_evaluation : bool
        True when the game can evaluate a position before the end; see `evaluation`.
    has_priors : bool
        True when the game has priors of moves; see `move_priors`.
    has_sure_win : bool
        True when the game looks for moves that win for certain; see `winning_move`.
    feature_names : tuple of str
        Names of the features of a seat that a learned evaluation can read; empty: none.
    move_feature_names : tuple of str
        Names of the features of a move that learned priors can read; empty: none.
    input_names : tuple of str
        Groups of the sparse inputs of learned evaluations, each with its number, such as "hand:25"; empty: none.
    sparse_inputs : int
        Number of sparse inputs, of all seats and the table.
    knowledge : Learned or None
        Learned evaluation and priors; None: the hand-written ones. See `set_knowledge`.

    Examples
    --------
    >>> state = sfida.make("tic_tac_toe")
    >>> state.apply(4)
    >>> state.to_move, state.legal_moves()
    (1, [0, 1, 2, 3, 5, 6, 7, 8])
    """

    def __cinit__(self, *args, **kwargs):
        self.feature_names = ()
        self.move_feature_names = ()
        self.input_names = ()
        self.knowledge = None
        self.net = NULL
        self.prior_net = NULL
        self.move_room = NULL
        self.data = NULL
        self.raw = NULL
        self.size = 0
        self.failed = 0
        self.max_listed = 0
        self.has_evaluation = False
        self.has_priors = False
        self.has_sure_win = False
        self.hidden = False

    def __dealloc__(self):
        free(self.raw)
        free(self.move_room)

    cdef int judge_like(self, GameState other) except -1:
        """Use the knowledge of another state of the same game."""
        self.knowledge = other.knowledge
        self.net = other.net
        self.prior_net = other.prior_net
        self.has_evaluation = other.has_evaluation
        self.has_priors = other.has_priors
        return self.make_room()

    cdef int make_room(self) except -1:
        """Allocate memory for the features of moves where priors are learned."""
        if self.prior_net != NULL and self.move_room == NULL:
            self.move_room = <double*> calloc(self.max_legal * len(self.move_feature_names), sizeof(double))
            if self.move_room == NULL:
                raise MemoryError()
        return 0

    cdef int allocate(self, size_t size) except -1:
        """Give the state a zeroed, 64-byte aligned block of `size` bytes."""
        self.raw = calloc(1, size + 64)
        if self.raw == NULL:
            raise MemoryError()
        self.data = <void*> ((<uintptr_t> self.raw + 63) & ~(<uintptr_t> 63))
        self.size = size
        return 0

    # ---- defaults of the nogil methods -------------------------------------------------------------

    cdef int actor(self) noexcept nogil:
        return TERMINAL

    cdef int turn(self) noexcept nogil:
        return -1

    cdef int legal(self, move_t* out) noexcept nogil:
        return 0

    cdef int candidates(self, move_t* out) noexcept nogil:
        return self.legal(out)

    cdef void play(self, move_t move) noexcept nogil:
        pass

    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil:
        return 0

    cdef move_t sample(self, Rng* rng) noexcept nogil:
        return 0

    cdef int source(self) noexcept nogil:
        return 0

    cdef uint64_t event_label(self, int seat) noexcept nogil:
        return 0

    cdef bint sees_event(self, int seat) noexcept nogil:
        return True

    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil:
        pass

    cdef void redact(self, int seat) noexcept nogil:
        pass

    cdef void wipe(self, int fill) noexcept nogil:
        pass

    cdef int private_bucket(self, int seat) noexcept nogil:
        return 0

    cdef bint is_bid(self) noexcept nogil:
        return False

    cdef void retract_bids(self, int seat) noexcept nogil:
        pass

    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil:
        return -1

    @cython.final
    cdef int find_win(self, GameState twin, const move_t* moves, int n) noexcept nogil:
        """Return the index of a move that wins for certain, or -1; without a test of the game's own try each in `twin`.

        The result of a trial is certain only where nothing is hidden, or the world is known.
        """
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef int i, seat = self.actor()
        if self.has_sure_win:
            return self.sure_win(moves, n)
        for i in range(n):
            twin.copy_from(self)
            twin.play(moves[i])
            if twin.failed:
                return -1
            if twin.actor() == TERMINAL:
                twin.result(win, score)
                if win[seat] > 0.999:
                    return i
        return -1

    cdef void result(self, double* win, double* score) noexcept nogil:
        cdef int i
        for i in range(self.players):
            win[i] = 1.0 / self.players
            score[i] = 0.0

    cdef GameState blank(self):
        raise NotImplementedError("a rules core must define blank()")

    cdef void copy_from(self, GameState other) noexcept nogil:
        memcpy(self.data, other.data, self.size)

    cdef bint same_position(self, GameState other) noexcept nogil:
        return memcmp(self.data, other.data, self.size) == 0

    cdef void evaluate(self, double* win, double* score) noexcept nogil:
        cdef int i
        for i in range(self.players):
            win[i] = 1.0 / self.players
            score[i] = 0.0

    cdef int list_inputs(self, int viewer, uint16_t* out) noexcept nogil:
        return 0

    cdef int front(self) noexcept nogil:
        return 0

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        pass

    cdef void learned_shares(self, int viewer, double* win) noexcept nogil:
        cdef double x[MAX_SEATS * MOST_FEATURES]
        self.fill_features(viewer, x)
        net_shares(self.net, x, ~(<uint32_t> 0), win)

    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil:
        cdef int i
        for i in range(n):
            out[i] = <float> 1.0 / n

    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil:
        pass

    @cython.final
    cdef void priors(self, const move_t* moves, int n, float* out) noexcept nogil:
        if self.prior_net == NULL:
            self.hand_priors(moves, n, out)
        elif n == 1:
            out[0] = 1.0
        else:
            self.fill_move_features(moves, n, self.move_room)
            net_priors(self.prior_net, self.move_room, n, out)

    cdef move_t playout_move(self, const move_t* moves, int n, Rng* rng) noexcept nogil:
        return moves[rng_below(rng, <uint32_t> n)]

    @cython.final
    cdef int playout(self, Rng* rng, const PlayoutParams* params, move_t* scratch,
                     double* win, double* score) noexcept nogil:
        cdef int turns = 0, moves = 0, last = -9, seat, mark
        cdef bint limited = params.cutoff >= 0 and self.has_evaluation
        self.begin_playout(rng)
        while True:
            seat = self.actor()
            if seat == CHANCE:
                self.play_luck(rng)
                continue
            if seat == TERMINAL:
                self.result(win, score)
                break
            if limited:
                mark = self.turn()
                if mark < 0:
                    mark = seat
                if mark != last:
                    if turns >= params.cutoff and (params.cutoff == 0 or self.comparable()):
                        self.evaluate_world(win, score)
                        break
                    turns += 1
                    last = mark
            moves += self.play_step(rng, params, scratch)
        self.end_playout()
        return moves

    cdef void begin_playout(self, Rng* rng) noexcept nogil:
        pass

    cdef void end_playout(self) noexcept nogil:
        pass

    cdef void play_luck(self, Rng* rng) noexcept nogil:
        self.play(self.sample(rng))

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        cdef int n = self.candidates(scratch)
        if params.informed and rng_below(rng, 100) < <uint32_t> params.informed:
            self.play(self.playout_move(scratch, n, rng))
        else:
            self.play(scratch[rng_below(rng, <uint32_t> n)])
        return 1

    cdef bint comparable(self) noexcept nogil:
        return True

    cdef void evaluate_world(self, double* win, double* score) noexcept nogil:
        self.evaluate(win, score)

    cdef int check(self) except -1:
        return 0

    # ---- Python interface ----------------------------------------------------------------------

    @property
    def to_move(self):
        """Seat to move (0-based), or -1 (a chance event) or -4 (the game is over)."""
        return self.who()

    @property
    def is_chance(self):
        """Whether the next event is random."""
        return self.who() == CHANCE

    @property
    def is_over(self):
        """Whether the game is over."""
        return self.who() == TERMINAL

    def legal_moves(self):
        """Return every legal move code, ascending, without duplicates.

        Returns
        -------
        list of int
            At a chance event the possible outcomes; at the end of the game an empty list.
        """
        return sorted(self.moves_list(False))

    def candidate_moves(self):
        """Return the moves worth searching, ascending: a non-empty subset of `legal_moves`."""
        return sorted(self.moves_list(True))

    cdef int who(self) except -9:
        """Return the actor to Python code; raises what a Python game raised."""
        cdef int seat = self.actor()
        if self.failed:
            self.raise_failure()
        return seat

    cdef list moves_list(self, bint candidates):
        cdef int n, i, who = self.who()
        cdef uint32_t* weights = NULL
        if who == TERMINAL:
            return []
        cdef move_t* out = <move_t*> malloc(max(self.max_legal, self.max_listed) * sizeof(move_t))
        if out == NULL:
            raise MemoryError()
        try:
            if who == CHANCE:
                weights = <uint32_t*> malloc(self.max_legal * sizeof(uint32_t))
                if weights == NULL:
                    raise MemoryError()
                n = self.outcomes(out, weights)
            elif candidates:
                n = self.candidates(out)
            else:
                n = self.legal(out)
            self.raise_failure()
            return [out[i] for i in range(n)]
        finally:
            free(out)
            free(weights)

    def chance_outcomes(self):
        """Return the outcomes of the chance event that comes next.

        Returns
        -------
        list of (int, int)
            Move code and exact integer weight (at least 1), ascending by code. Empty when the next
            event is not random.
        """
        cdef int n, i
        if self.actor() != CHANCE:
            return []
        cdef move_t* out = <move_t*> malloc(self.max_legal * sizeof(move_t))
        cdef uint32_t* weights = <uint32_t*> malloc(self.max_legal * sizeof(uint32_t))
        try:
            if out == NULL or weights == NULL:
                raise MemoryError()
            n = self.outcomes(out, weights)
            self.raise_failure()
            return sorted([(out[i], weights[i]) for i in range(n)])
        finally:
            free(out)
            free(weights)

    def sample_chance(self, Random rng not None):
        """Return one outcome code of the coming chance event, drawn with its true probability."""
        if self.actor() != CHANCE:
            raise IllegalMove("no chance event comes next")
        move = self.sample(&rng.rng)
        self.raise_failure()
        return move

    @property
    def source_number(self):
        """Number of the source of the coming chance event among the game's `chance_sources`."""
        return self.source()

    def apply(self, move):
        """Play a legal move, or a possible outcome of a chance event.

        Parameters
        ----------
        move : int
            A code of `legal_moves()`.

        Raises
        ------
        IllegalMove
            If the code is not legal now; the state is unchanged.
        """
        try:
            move = operator.index(move)         # a plain int: a subclass could claim to equal anything
        except TypeError:
            raise IllegalMove(f"a move is a whole number, not {type(move).__name__}") from None
        if move not in self.moves_list(False):
            if self.actor() == TERMINAL:
                raise IllegalMove("the game is over: no move is legal")
            raise IllegalMove(f"move code {move} is not legal here; legal_moves() lists the legal ones")
        before = self.clone() if SFIDA_DEBUG_BUILD else None
        self.play(<move_t> move)
        self.wipe(0)
        self.raise_failure()
        if SFIDA_DEBUG_BUILD:
            self.verify()
            verify_step = getattr(self.game, "verify_step", None)
            if verify_step is not None:
                verify_step(before, move, self)

    def verify(self):
        """Recompute every incremental structure and compare; raise AssertionError on a difference.

        The debug build calls this after every `apply`.
        """
        self.check()
        verify = getattr(self.game, "verify", None)
        if verify is not None:
            verify(self)

    def clone(self):
        """Return an independent copy."""
        cdef GameState twin = self.blank()
        twin.copy_from(self)
        return twin

    def scribble(self, int pattern):
        """Overwrite, in place, what the position does not use: the core must not read it, and views must not show it.

        For tests: nothing that a seat receives may depend on the pattern. `apply`, `determinize` and `view` leave
        zeros there.

        Parameters
        ----------
        pattern : int
            The byte to write, 0..255.

        Raises
        ------
        ValueError
            If the pattern is no byte.
        """
        if not 0 <= pattern <= 255:
            raise ValueError(f"a pattern is a byte, 0..255, not {pattern}")
        self.wipe(pattern)

    def check_seat(self, int seat):
        """Raise ValueError unless the seat exists."""
        if not 0 <= seat < self.players:
            raise ValueError(f"seat must be 0..{self.players - 1}, not {seat}")

    def view(self, int seat):
        """Return what `seat` may see: a `View`, the only thing that an agent receives."""
        self.check_seat(seat)
        cdef View view = View.__new__(View)
        view.state = self.clone()
        view.state.redact(seat)
        view.state.wipe(0)
        view.state.raise_failure()
        view.seat = seat
        view.redacted = True
        return view

    def determinize(self, int seat, Random rng not None):
        """Redraw, in place, everything that `seat` cannot know, uniformly over the consistent worlds."""
        self.check_seat(seat)
        self.determinize_for(seat, &rng.rng)
        self.wipe(0)
        self.raise_failure()

    def label(self, int seat):
        """Return what `seat` saw of the last event as a 64-bit int; 0 when it saw nothing."""
        return self.event_label(seat)

    @property
    def turn_number(self):
        """Public number of the turn, including answers of other seats; -1: a turn is a change of the seat to move."""
        number = self.turn()
        self.raise_failure()
        return number

    @property
    def is_bidding(self):
        """Whether the choice stays hidden from other seats that choose before it is revealed."""
        bidding = bool(self.is_bid())
        self.raise_failure()
        return bidding

    def take_back_bids(self, int seat):
        """Take back, in place, the unrevealed choices of the seats other than `seat`; they choose again.

        What `seat` saw of them still constrains the choices. A search does so in worlds of the seat to move.
        """
        self.retract_bids(seat)
        self.raise_failure()

    def bucket(self, int seat):
        """Return a coarse summary of the secrets of `seat`, 0 to 19."""
        found = self.private_bucket(seat)
        self.raise_failure()
        return found

    def winning_move(self):
        """Return a move that wins for certain as far as the seat to move knows, or None.

        Uses the game's own test (`has_sure_win`); without one, finds a move that ends the game if nothing is hidden.
        """
        cdef list moves = self.moves_list(True)
        cdef int i, n = len(moves)
        if self.actor() < 0 or (self.hidden and not self.has_sure_win):
            return None
        cdef GameState twin = self.blank()
        cdef move_t* codes = <move_t*> malloc(n * sizeof(move_t))
        if codes == NULL:
            raise MemoryError()
        try:
            for i in range(n):
                codes[i] = moves[i]
            i = self.find_win(twin, codes, n)
        finally:
            free(codes)
        self.raise_failure()
        twin.raise_failure()
        return None if i < 0 else moves[i]

    def saw_event(self, int seat):
        """Return whether `seat` saw all of the last event; None where the game does not say.

        A seat that saw less, such as a card face down, knows only its label of the event.
        """
        return bool(self.sees_event(seat))

    def observation(self, int seat):
        """Return what `seat` may see as a JSON-able dict."""
        return self.game.observation(self, seat)

    def utilities(self):
        """Return each seat's win share, in [0, 1], summing to 1; None before the end."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        if self.actor() != TERMINAL:
            return None
        self.result(win, score)
        self.raise_failure()
        return [win[i] for i in range(self.players)]

    def scores(self):
        """Return each seat's points (before the end: the public points so far)."""
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        self.result(win, score)
        self.raise_failure()
        return [int(score[i]) if score[i] == int(score[i]) else score[i] for i in range(self.players)]

    def ranks(self):
        """Return each seat's rank, 1 for the first, ties sharing a rank; None before the end."""
        wins = self.utilities()
        if wins is None:
            return None
        ranks = getattr(self.game, "ranks", None)
        if ranks is not None:           # games whose rules rank the losers by more than points
            return list(ranks(self))
        keys = list(zip(wins, self.scores()))
        return [1 + sum(other > key for other in keys) for key in keys]

    def evaluation(self):
        """Return (win probabilities, expected scores) by the game's evaluation.

        Returns None when the game has no evaluation.
        """
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        if not self.has_evaluation:
            return None
        self.evaluate(win, score)
        self.raise_failure()
        return [win[i] for i in range(self.players)], [score[i] for i in range(self.players)]

    def features(self, int seat, int viewer=ONLOOKER):
        """Return the features of a seat for a learned evaluation.

        Parameters
        ----------
        seat : int
        viewer : int
            Seat whose secrets are known; -1: public information only; -2: all secrets of this world.

        Returns
        -------
        dict of str to float
            Empty where the game does not list them.

        Raises
        ------
        ValueError
            If a seat does not exist.
        """
        cdef double x[MAX_SEATS * MOST_FEATURES]
        cdef int n = len(self.feature_names), i
        self.check_seat(seat)
        if viewer != ONLOOKER and viewer != EVERYBODY:
            self.check_seat(viewer)
        if n:
            self.fill_features(viewer, x)
            self.raise_failure()
        return {name: x[seat * n + i] for i, name in enumerate(self.feature_names)}

    def inputs(self, int viewer=ONLOOKER):
        """Return the sparse inputs of learned evaluations that are 1.

        Parameters
        ----------
        viewer : int
            Seat whose secrets are known; -1: public information only; -2: all secrets of this world.

        Returns
        -------
        list of int
            Each from 0 to `sparse_inputs` - 1; seats are counted from `front_seat`. Empty where the game lists none.
        """
        cdef uint16_t active[MOST_ACTIVE]
        cdef int n, i
        if viewer != ONLOOKER and viewer != EVERYBODY:
            self.check_seat(viewer)
        n = self.list_inputs(viewer, active)
        return [active[i] for i in range(n)]

    @property
    def front_seat(self):
        """The seat from which sparse inputs count the seats."""
        return self.front()

    def set_knowledge(self, Learned knowledge):
        """Use learned knowledge from now on, here and in copies, views and worlds of this state.

        Parameters
        ----------
        knowledge : Learned or None
            None: the hand-written evaluation and policy. They are also used where the knowledge has no network, or
            no priors, for this number of players.

        Raises
        ------
        InvalidOption
            If the knowledge is for another game, other rules or other features.
        """
        if knowledge is not None:
            knowledge.check(self.game, self.game.name, self.feature_names, self.move_feature_names, self.input_names)
        self.knowledge = knowledge
        self.net = NULL if knowledge is None else knowledge.net(self.players)
        self.prior_net = NULL if knowledge is None else knowledge.prior_net(self.players)
        self.make_room()

    def move_features(self):
        """Return (move, features) for the moves worth searching, as learned priors read them.

        Returns
        -------
        list of (int, list of float)
            Features in the order of `move_feature_names`, as far as the seat to move knows them. Empty at chance
            events and at the end.
        """
        cdef list moves = self.moves_list(True)
        cdef int i, j, n = len(moves), width = len(self.move_feature_names)
        if self.actor() < 0:
            return []
        cdef move_t* codes = <move_t*> malloc(n * sizeof(move_t))
        cdef double* x = <double*> calloc(n * width + 1, sizeof(double))
        try:
            if codes == NULL or x == NULL:
                raise MemoryError()
            for i in range(n):
                codes[i] = moves[i]
            if width:
                self.fill_move_features(codes, n, x)
                self.raise_failure()
            return [(moves[i], [x[i * width + j] for j in range(width)]) for i in range(n)]
        finally:
            free(codes)
            free(x)

    def move_priors(self):
        """Return (move, prior) for the moves worth searching, by learned priors or by the game's own policy."""
        cdef list moves = self.moves_list(True)
        cdef int i, n = len(moves)
        if self.actor() < 0:
            return []
        cdef move_t* codes = <move_t*> malloc(n * sizeof(move_t))
        cdef float* prior = <float*> malloc(n * sizeof(float))
        try:
            if codes == NULL or prior == NULL:
                raise MemoryError()
            for i in range(n):
                codes[i] = moves[i]
            with cython.critical_section(self):     # the features go to the state's single `move_room`
                self.priors(codes, n, prior)
            self.raise_failure()
            return [(moves[i], prior[i]) for i in range(n)]
        finally:
            free(codes)
            free(prior)

    def random_playout(self, Random rng not None, int cutoff=-1, int informed=0):
        """Play on in place and return (win probabilities, scores) of the final position.

        Parameters
        ----------
        rng : Random
        cutoff : int
            Turns to play before the position is evaluated, including that of the first decision; -1: to the end.
        informed : int
            Percentage of moves, 0..100, chosen by the game's own rollout policy; the rest are uniform.
        """
        cdef double win[MAX_SEATS]
        cdef double score[MAX_SEATS]
        cdef PlayoutParams params = playout_params(cutoff, informed)
        cdef move_t* scratch = <move_t*> malloc(self.max_legal * sizeof(move_t))
        if scratch == NULL:
            raise MemoryError()
        with nogil:
            self.playout(&rng.rng, &params, scratch, win, score)
            self.wipe(0)
        free(scratch)
        self.raise_failure()
        return [win[i] for i in range(self.players)], [score[i] for i in range(self.players)]

    def format(self, move):
        """Return the move in the game's notation, unique within the legal list."""
        return self.game.format_move(self, move)

    def parse(self, str text):
        """Return the code of the move that `text` names.

        Raises
        ------
        InvalidNotation, IllegalMove, AmbiguousNotation
        """
        return self.game.parse_move(self, text)

    # ---- bytes --------------------------------------------------------------------------------

    def to_bytes(self):
        """Return the position as bytes; equal bytes mean equal positions (within one build)."""
        return (<char*> self.data)[:self.size]

    def load(self, bytes data not None):
        """Overwrite the position with bytes that `to_bytes` of the same game and options returned."""
        if len(data) != <Py_ssize_t> self.size:
            raise InvalidRecord(f"a position of this game has {self.size} bytes, not {len(data)}")
        memcpy(self.data, <const char*> data, self.size)

    @property
    def state_bytes(self):
        """Size of the flat state in bytes."""
        return self.size

    def __reduce__(self):
        if self.knowledge == getattr(self.game, "knowledge", None):
            return restore, (self.game, self.to_bytes())
        return restore, (self.game, self.to_bytes(), self.knowledge)

    def __eq__(self, other):
        if not isinstance(other, GameState):
            return NotImplemented
        return (self.game == (<GameState> other).game
                and self.to_bytes() == (<GameState> other).to_bytes())

    __hash__ = None

    def __str__(self):
        return self.game.board_text(self)

    def __repr__(self):
        return f"<{self.game.spec()} state, to move {self.to_move}>"

    def _repr_svg_(self):
        return self.game.board_svg(self)

    def raise_failure(self):
        """Re-raise an exception that a Python game raised in a nogil method."""


cdef class View:
    """What one seat may see of a state: a redacted copy with a read-only interface.

    Attributes
    ----------
    seat : int
        The seat whose view it is.
    redacted : bool
        True; False only for test controls that cheat on purpose.

    Examples
    --------
    Each seat of Kuhn poker sees its own card:

    >>> state = sfida.make("kuhn_poker")
    >>> for dealt in ("deal:K", "deal:J"):
    ...     state.apply(state.parse(dealt))
    >>> state.view(0).observation()
    {'card': 'K', 'other': 'hidden', 'history': '', 'to_move': 0}
    """

    def __init__(self):
        raise TypeError("a View comes from state.view(seat)")

    @staticmethod
    def unredacted(GameState state not None, int seat):
        """Build a view that cheats: it holds the whole state. For positive controls and measurements."""
        cdef View view = View.__new__(View)
        view.state = state.clone()
        view.seat = seat
        view.redacted = False
        return view

    @property
    def game(self):
        """The engine object of the game."""
        return self.state.game

    @property
    def players(self):
        """Number of seats."""
        return self.state.players

    @property
    def to_move(self):
        """Seat to move, -1 (chance) or -4 (over)."""
        return self.state.who()

    @property
    def hidden(self):
        """Whether the game hides something from some seat."""
        return self.state.hidden

    @property
    def has_evaluation(self):
        """Whether the game can evaluate a position before the end."""
        return self.state.has_evaluation

    @property
    def has_priors(self):
        """Whether the game has priors of moves."""
        return self.state.has_priors

    def clone(self):
        """Return an independent copy of the view."""
        cdef View twin = View.__new__(View)
        twin.state = self.state.clone()
        twin.seat = self.seat
        twin.redacted = self.redacted
        return twin

    @property
    def knowledge(self):
        """Learned evaluation and priors; None: the hand-written ones."""
        return self.state.knowledge

    def set_knowledge(self, Learned knowledge):
        """Use learned knowledge, or None for the hand-written evaluation (see `GameState.set_knowledge`)."""
        self.state.set_knowledge(knowledge)

    def legal_moves(self):
        """Return the legal moves of the viewing seat, ascending; empty when another seat is to move."""
        return self.state.legal_moves() if self.state.actor() == self.seat else []

    def candidate_moves(self):
        """Return the moves worth searching, ascending; empty when another seat is to move."""
        return self.state.candidate_moves() if self.state.actor() == self.seat else []

    def move_priors(self):
        """Return (move, prior) of the moves worth searching; empty when another seat is to move."""
        return self.state.move_priors() if self.state.actor() == self.seat else []

    def format(self, move):
        """Return the move in the game's notation."""
        return self.state.format(move)

    def parse(self, str text):
        """Return the code of the move that `text` names."""
        return self.state.parse(text)

    def observation(self):
        """Return what the seat may see, as a JSON-able dict."""
        return self.state.observation(self.seat)

    def scores(self):
        """Return the public points so far."""
        return self.state.scores()

    def key(self):
        """Return the bytes of everything that the seat knows; equal keys mean equal information."""
        return self.state.to_bytes()

    def sample(self, Random rng not None):
        """Return a whole state drawn uniformly from those that the seat cannot distinguish."""
        cdef GameState world = self.state.clone()
        world.determinize_for(self.seat, &rng.rng)
        world.wipe(0)
        world.raise_failure()
        return world
