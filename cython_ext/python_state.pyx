"""Adapter for games written in plain Python: their positions under the contract of a game.

Every nogil method takes the GIL and calls the position's method of the same name. An exception is
stored and sets `failed`; from then on the state reports the end of the game, so that every loop over
it ends, and `raise_failure` raises the stored exception where Python can see it.
"""

import dataclasses
import enum
import hashlib
import io
import pickle

from libc.math cimport log
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from sfida.cython_ext.learned cimport MOST_FEATURES, MOST_MOVE_FEATURES, Learned
from sfida.cython_ext.rng cimport Random, Rng, mix64, rng_below
from sfida.cython_ext.state cimport CHANCE, MAX_SEATS, ONLOOKER, TERMINAL, GameState, PlayoutParams, move_t

from sfida.cython_ext.errors import InvalidRecord, SfidaError, mark_fault


cdef extern from "Python.h" nogil:
    ctypedef int PyGILState_STATE
    PyGILState_STATE PyGILState_Ensure()
    void PyGILState_Release(PyGILState_STATE)

cdef Py_ssize_t LABELS_KEPT = 1 << 16   # size of the cache of label hashes
cdef enum:
    UNASKED = -9                        # value of PythonState.next_actor: the position must be asked
cdef uint64_t LABEL_SALT = <uint64_t> 0x5FDA1ABE15EEDEED


# ---- positions as bytes --------------------------------------------------------------------------------------

class _CanonicalPickler(pickle._Pickler):
    """Pickler whose bytes depend on the value alone.

    The C pickler writes equal values differently when objects are shared in one and equal copies in
    the other, or when sets and dicts were filled in another order. Views are compared by their
    bytes, so here nothing is shared and sets and dicts are sorted. (The C pickler offers no way to
    change how a dict is written, so this is the Python pickler.)
    """

    dispatch = dict(pickle._Pickler.dispatch)

    def __init__(self, file, position_class):
        super().__init__(file, protocol=4)
        self.fast = True
        self.position_class = position_class

    def persistent_id(self, obj):
        return "position" if obj is self.position_class else None

    def encode(self, obj):
        return canonical_bytes(obj, self.position_class)

    def save_dict(self, obj):
        self.write(pickle.EMPTY_DICT)
        for key in sorted(obj, key=self.encode):
            self.save(key)
            self.save(obj[key])
            self.write(pickle.SETITEM)

    def save_set(self, obj):
        self.save_reduce(type(obj), (sorted(obj, key=self.encode),))

    dispatch[dict] = save_dict
    dispatch[set] = save_set
    dispatch[frozenset] = save_set


class _PositionUnpickler(pickle.Unpickler):
    def __init__(self, file, position_class):
        super().__init__(file)
        self.position_class = position_class

    def persistent_load(self, pid):
        return self.position_class


def canonical_bytes(obj, position_class=None):
    """Return bytes that are equal exactly for equal values, and that `_PositionUnpickler` reads back."""
    stream = io.BytesIO()
    try:
        _CanonicalPickler(stream, position_class).dump(obj)
    except RecursionError:
        raise SfidaError(f"{type(obj).__name__} refers to itself: a position must be a tree of plain "
                         "values") from None
    return stream.getvalue()


# ---- labels -------------------------------------------------------------------------------------

def encode_label(label):
    """Return bytes that are equal exactly for equal labels, the same in every process.

    Raises
    ------
    SfidaError
        If the label is not made of None, numbers, text, bytes, enum members, tuples, frozensets and
        frozen dataclasses.
    """
    if label is None:
        return b"n"
    if isinstance(label, int) or (isinstance(label, float) and label == label // 1):
        return b"i%d;" % int(label)               # 1 == True == 1.0
    if isinstance(label, float):
        return b"f" + float(label).hex().encode() + b";"
    if isinstance(label, str):
        text = str(label).encode("utf-8", "surrogatepass")
        return b"s%d:" % len(text) + text
    if isinstance(label, bytes):
        return b"b%d:" % len(label) + label
    if isinstance(label, tuple):
        return b"(" + b"".join([encode_label(item) for item in label]) + b")"
    if isinstance(label, frozenset):
        return b"{" + b"".join(sorted([encode_label(item) for item in label])) + b"}"
    if isinstance(label, enum.Enum):
        return b"e" + encode_label(type(label).__qualname__) + encode_label(label.name)
    if dataclasses.is_dataclass(label) and not isinstance(label, type):
        parts = [encode_label(getattr(label, field.name)) for field in dataclasses.fields(label)]
        return b"d" + encode_label(type(label).__qualname__) + b"".join(parts) + b";"
    raise SfidaError(f"event_label() returned a {type(label).__name__}: it must be None, a number, text, "
                     "or a tuple of those")


def stable_label(label):
    """Return the 64-bit hash of an `event_label`: 0 for 0 and None, otherwise not 0."""
    if label is None:
        return 0
    if isinstance(label, (int, float)) and 0 <= label < 18446744073709551616 and label == label // 1:
        return small_label(int(label)) if label else 0
    digest = hashlib.blake2b(encode_label(label), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


cdef inline uint64_t small_label(uint64_t value) noexcept nogil:
    cdef uint64_t hashed = mix64(LABEL_SALT, value)
    return hashed if hashed else 1


# ---- the adapter --------------------------------------------------------------------------------

cdef class Hooks:
    """Which methods a position class defines, and its bounds; one object shared by all states of a game.

    Parameters
    ----------
    name : str
        Name of the game, for messages.
    max_moves : int
        Longest list of moves or of chance outcomes.
    max_plies : int
        Longest playout; a longer one is an error, so a game that never ends does not hang.
    hidden, labels, candidates, priors, playout, evaluate, bucket, scores, bids, retract, sure_win : bool
        Whether the position class defines its own determinize(), event_label(), candidate_moves(),
        priors(), playout_move(), evaluate(), private_bucket(), scores(), is_bid(), retract_bids(), sure_win().
    features : tuple of str
        Names of the numbers that features() returns; empty: the method is not defined.
    move_features : tuple of str
        Names of the numbers that move_features() returns per move; empty: the method is not defined.
    """

    cdef readonly str name              # name of the game, for messages
    cdef readonly int max_moves         # longest list of moves or outcomes
    cdef readonly int max_plies         # longest playout
    cdef readonly bint hidden           # determinize() and redact() must be called
    cdef readonly bint labels           # event_label() is defined; otherwise every seat sees every move
    cdef readonly bint candidates       # candidate_moves() is defined
    cdef readonly bint priors           # priors() is defined
    cdef readonly bint playout          # playout_move() is defined
    cdef readonly bint evaluate         # evaluate() is defined
    cdef readonly bint bucket           # private_bucket() is defined
    cdef readonly bint bids             # is_bid() is defined
    cdef readonly bint retract          # retract_bids() is defined
    cdef readonly bint sure_win         # sure_win() is defined
    cdef readonly tuple features        # names of the features() numbers; empty: not defined
    cdef readonly tuple move_features   # names of the move_features() numbers, after the prior; empty: not defined
    cdef readonly bint scores           # scores() is defined; otherwise the win shares are the scores
    cdef dict known                     # label -> its 64-bit hash

    def __init__(self, str name, int max_moves, int max_plies, *, bint hidden=False, bint labels=False,
                 bint candidates=False, bint priors=False, bint playout=False, bint evaluate=False,
                 bint bucket=False, bint scores=False, bint bids=False,
                 bint retract=False, bint sure_win=False, tuple features=(), tuple move_features=()):
        if max_moves < 1:
            raise SfidaError(f"{name}: max_moves must be at least 1, not {max_moves}")
        self.name = name
        self.max_moves = max_moves
        self.max_plies = max_plies
        self.hidden = hidden
        self.labels = labels
        self.candidates = candidates
        self.priors = priors
        self.bids = bids
        self.retract = retract
        self.sure_win = sure_win
        if len(features) > MOST_FEATURES:
            raise SfidaError(f"{name}: there are {len(features)} features; at most {MOST_FEATURES} can be read")
        self.features = features
        if len(move_features) >= MOST_MOVE_FEATURES:
            raise SfidaError(f"{name}: there are {len(move_features)} features of a move; "
                             f"at most {MOST_MOVE_FEATURES - 1} can be read")
        self.move_features = ("prior", *move_features) if move_features else ()
        self.playout = playout
        self.evaluate = evaluate
        self.bucket = bucket
        self.scores = scores
        self.known = {}


cdef class PythonState(GameState):
    """State of a game whose position is a Python object.

    Parameters
    ----------
    game : engines.game.Game
        The engine that makes the state.
    position : object
        The author's position (see `sfida.engines.python_game.PythonPosition`).
    players : int
        Number of seats.
    hooks : Hooks
        Which optional methods the position has.

    Attributes
    ----------
    position : object
        The author's position. Change it only through `apply`.
    """

    cdef readonly object position       # the author's object
    cdef Hooks hooks
    cdef Random random                  # lent to the position's methods
    cdef move_t last                    # last move, for games without event_label()
    cdef bint moved                     # whether there is a last move
    cdef object error                   # exception raised in a nogil method
    cdef int plies                      # plies of the current playout
    cdef int next_actor                 # next result of actor(), or UNASKED
    cdef int held                       # GIL state before the playout

    def __cinit__(self, *args, **kwargs):
        self.next_actor = UNASKED

    def __init__(self, game, position, int players, Hooks hooks not None):
        if not 1 <= players <= MAX_SEATS:
            raise SfidaError(f"{hooks.name}: a game has 1 to {MAX_SEATS} players, not {players}")
        self.game = game
        self.players = players
        self.hooks = hooks
        self.max_legal = hooks.max_moves
        self.hidden = hooks.hidden
        self.has_evaluation = hooks.evaluate
        self.has_priors = hooks.priors
        self.has_sure_win = hooks.sure_win
        self.feature_names = hooks.features
        self.move_feature_names = hooks.move_features
        self.position = position
        self.random = Random()
        self.set_knowledge(getattr(game, "knowledge", None))

    def set_knowledge(self, Learned knowledge):
        """Use learned knowledge, or None for the hand-written evaluation (see `GameState.set_knowledge`)."""
        super().set_knowledge(knowledge)
        self.has_evaluation = self.hooks.evaluate or self.net != NULL
        self.has_priors = self.hooks.priors or self.prior_net != NULL

    # ---- stored exceptions -----------------------------------------------------------------------------

    cdef void fail(self, object error, str where) noexcept:
        """Store the first exception; `failed` stops every loop over this state."""
        if not self.failed:
            self.failed = 1
            self.error = error
            mark_fault(error, where, self.hooks.name)

    def raise_failure(self):
        """Re-raise and clear the exception that the game raised in a nogil method, if any."""
        if self.failed:
            error = self.error
            self.error = None
            self.failed = 0
            raise error

    # ---- checked calls with the GIL ----------------------------------------------------------

    cdef int write_moves(self, object moves, str method, move_t* out) except -1:
        """Write a list of codes, ascending; raises if it is empty, too long or has duplicates."""
        cdef Py_ssize_t n = len(moves)
        cdef Py_ssize_t i = 0
        cdef bint ascending = True
        cdef move_t code
        if n == 0:
            raise SfidaError(f"{self.hooks.name}: {method}() is empty although the game is not over")
        if n > self.max_legal:
            raise SfidaError(f"{self.hooks.name}: {method}() lists {n} moves, more than max_moves = "
                             f"{self.max_legal} of the game")
        for item in moves:
            if not isinstance(item, int) or not 0 <= item < 18446744073709551616:
                raise SfidaError(f"{self.hooks.name}: {method}() lists {item!r}; a move is an int in "
                                 "[0, 2**64)")
            code = item
            if i >= n:
                raise SfidaError(f"{self.hooks.name}: {method}() yields more moves than its len()")
            out[i] = code
            if i and out[i - 1] >= code:
                ascending = False
            i += 1
        if not ascending:
            codes = sorted(moves)
            for i in range(n):
                out[i] = codes[i]
                if i and out[i - 1] == out[i]:
                    raise SfidaError(f"{self.hooks.name}: {method}() lists move {out[i]} twice")
        return <int> n

    cdef list checked_outcomes(self):
        """Outcomes of the position as (code, weight), ascending."""
        cdef list outcomes = list(self.position.chance_outcomes())
        cdef Py_ssize_t n = len(outcomes)
        cdef Py_ssize_t i
        cdef uint64_t total = 0
        cdef bint ascending = True
        if n == 0:
            raise SfidaError(f"{self.hooks.name}: chance_outcomes() is empty at a chance event")
        if n > self.max_legal:
            raise SfidaError(f"{self.hooks.name}: chance_outcomes() lists {n} outcomes, more than max_moves "
                             f"= {self.max_legal} of the game")
        previous = -1
        for code, weight in outcomes:
            if not isinstance(code, int) or not 0 <= code < 18446744073709551616:
                raise SfidaError(f"{self.hooks.name}: chance_outcomes() lists {code!r}; an outcome is an int in "
                                 "[0, 2**64)")
            if not isinstance(weight, int) or not 1 <= weight < 4294967296:
                raise SfidaError(f"{self.hooks.name}: chance_outcomes() gives outcome {code} the weight "
                                 f"{weight!r}; a weight is an int in [1, 2**32)")
            total += <uint64_t> weight
            if code <= previous:
                ascending = False
            previous = code
        if total > 4294967295:
            raise SfidaError(f"{self.hooks.name}: the weights of chance_outcomes() add up to {total}; "
                             "they must stay below 2**32")
        if not ascending:
            outcomes.sort()
            for i in range(1, n):
                if outcomes[i - 1][0] == outcomes[i][0]:
                    raise SfidaError(f"{self.hooks.name}: chance_outcomes() lists outcome {outcomes[i][0]} twice")
        return outcomes

    cdef int fill(self, object values, str method, double* out) except -1:
        """Copy one number per seat."""
        cdef int i
        if values is None or len(values) != self.players:
            raise SfidaError(f"{self.hooks.name}: {method}() must give one number per seat, not {values!r}")
        for i in range(self.players):
            out[i] = values[i]
        return 0

    cdef int actor_gil(self) except -9:
        who = self.position.to_move
        cdef int seat
        if isinstance(who, int) and -4 <= who < self.players:
            seat = who
            if seat >= 0 or seat == CHANCE or seat == TERMINAL:
                return seat
        raise SfidaError(f"{self.hooks.name}: to_move is {who!r}; it must be a seat 0..{self.players - 1}, "
                         "-1 (chance) or -4 (over)")

    cdef int moves_gil(self, move_t* out, bint candidates) except -1:
        if candidates and self.hooks.candidates:
            return self.write_moves(self.position.candidate_moves(), "candidate_moves", out)
        return self.write_moves(self.position.legal_moves(), "legal_moves", out)

    cdef int play_gil(self, move_t move) except -1:
        self.position.apply(move)
        self.last = move
        self.moved = True
        return 0

    cdef move_t sample_gil(self, Rng* rng) except? 0:
        cdef list outcomes = self.checked_outcomes()
        cdef uint32_t total = 0
        cdef uint32_t k, weight
        for item in outcomes:
            weight = item[1]
            total += weight
        k = rng_below(rng, total)
        for item in outcomes:
            weight = item[1]
            if k < weight:
                return item[0]
            k -= weight
        raise AssertionError("unreachable")

    cdef int result_gil(self, double* win, double* score) except -1:
        cdef int i
        cdef bint over = self.actor_gil() == TERMINAL
        if over:
            self.fill(self.position.utilities(), "utilities", win)
        else:
            for i in range(self.players):
                win[i] = 1.0 / self.players
        if self.hooks.scores:
            self.fill(self.position.scores(), "scores", score)
        else:
            for i in range(self.players):
                score[i] = win[i] if over else 0.0
        return 0

    cdef int features_gil(self, double* out) except -1:
        cdef int seat, i, n = len(self.hooks.features)
        for seat in range(self.players):
            row = self.position.features(seat)
            if len(row) != n:
                raise SfidaError(f"{self.hooks.name}: features() must give {n} numbers, as many as feature_names, "
                                 f"not {len(row)}")
            for i in range(n):
                out[seat * n + i] = row[i]
        return 0

    cdef int evaluate_gil(self, double* win, double* score) except -1:
        cdef int i
        if self.net != NULL:
            self.result_gil(win, score)
            if self.actor_gil() != TERMINAL:
                self.learned_shares(ONLOOKER, win)
                if not self.hooks.scores:
                    for i in range(self.players):
                        score[i] = win[i]
            return 0
        if not self.hooks.evaluate:
            for i in range(self.players):
                win[i] = 1.0 / self.players
                score[i] = 0.0
            return 0
        self.fill(self.position.evaluate(), "evaluate", win)
        if self.hooks.scores:
            self.fill(self.position.scores(), "scores", score)
        else:
            for i in range(self.players):
                score[i] = win[i]
        return 0

    cdef int move_features_gil(self, const move_t* moves, int n, double* out) except -1:
        cdef int i, j, width = len(self.hooks.move_features)
        cdef list rows = list(self.position.move_features([moves[i] for i in range(n)]))
        if len(rows) != n:
            raise SfidaError(f"{self.hooks.name}: move_features() gave {len(rows)} rows for {n} moves")
        for i in range(n):
            row = rows[i]
            if len(row) != width - 1:
                raise SfidaError(f"{self.hooks.name}: move_features() must give {width - 1} numbers for each move, as "
                                 f"many as move_feature_names, not {len(row)}")
            for j in range(width - 1):
                out[i * width + 1 + j] = row[j]
        return 0

    cdef int priors_gil(self, const move_t* moves, int n, float* out) except -1:
        cdef int i
        cdef double total = 0.0
        cdef list weights = [float(w) for w in self.position.priors([moves[i] for i in range(n)])]
        if len(weights) != n:
            raise SfidaError(f"{self.hooks.name}: priors() gave {len(weights)} weights for {n} moves")
        for weight in weights:
            if not 0.0 < weight < 1e30:
                raise SfidaError(f"{self.hooks.name}: priors() gave the weight {weight}; weights must be positive")
            total += weight
        for i in range(n):
            out[i] = <float> (<double> weights[i] / total)
        return 0

    cdef move_t playout_move_gil(self, const move_t* moves, int n, Rng* rng) except? 0:
        cdef int i
        cdef move_t choice
        if not self.hooks.playout:
            return moves[rng_below(rng, <uint32_t> n)]
        self.random.rng = rng[0]
        choice = self.position.playout_move([moves[i] for i in range(n)], self.random)
        rng[0] = self.random.rng
        for i in range(n):
            if moves[i] == choice:
                return choice
        raise SfidaError(f"{self.hooks.name}: playout_move() chose {choice}, which is not in the list it was given")

    # ---- nogil methods -----------------------------------------------------------------------

    cdef int actor(self) noexcept nogil:
        cdef int seat = self.next_actor
        if self.failed:
            return TERMINAL
        if seat != UNASKED:             # the last step of a playout has already asked
            self.next_actor = UNASKED
            return seat
        with gil:
            try:
                return self.actor_gil()
            except BaseException as error:
                self.fail(error, "to_move")
                return TERMINAL

    cdef int legal(self, move_t* out) noexcept nogil:
        out[0] = 0                      # after a failure one move that play() ignores keeps callers safe
        if self.failed:
            return 1
        with gil:
            try:
                return self.moves_gil(out, False)
            except BaseException as error:
                self.fail(error, "legal_moves()")
                return 1

    cdef int candidates(self, move_t* out) noexcept nogil:
        out[0] = 0
        if self.failed:
            return 1
        with gil:
            try:
                return self.moves_gil(out, True)
            except BaseException as error:
                self.fail(error, "candidate_moves()" if self.hooks.candidates else "legal_moves()")
                return 1

    cdef void play(self, move_t move) noexcept nogil:
        if self.failed:
            return
        with gil:
            try:
                self.play_gil(move)
            except BaseException as error:
                self.fail(error, "apply()")

    cdef int outcomes(self, move_t* out, uint32_t* weights) noexcept nogil:
        cdef int n = 0
        out[0] = 0
        weights[0] = 1
        if self.failed:
            return 1
        with gil:
            try:
                for code, weight in self.checked_outcomes():
                    out[n] = code
                    weights[n] = weight
                    n += 1
                return n
            except BaseException as error:
                self.fail(error, "chance_outcomes()")
                return 1

    cdef move_t sample(self, Rng* rng) noexcept nogil:
        if self.failed:
            return 0
        with gil:
            try:
                return self.sample_gil(rng)
            except BaseException as error:
                self.fail(error, "chance_outcomes()")
                return 0

    cdef uint64_t event_label(self, int seat) noexcept nogil:
        if self.failed:
            return 0
        if not self.hooks.labels:
            return small_label(self.last) if self.moved else 0
        with gil:
            try:
                label = self.position.event_label(seat)
                if label is None:
                    return 0
                if type(label) is int and 0 <= label < 18446744073709551616:
                    return small_label(<uint64_t> label) if label else 0
                known = self.hooks.known.get(label)
                if known is None:
                    known = stable_label(label)
                    if len(self.hooks.known) >= LABELS_KEPT:
                        self.hooks.known.clear()
                    self.hooks.known[label] = known
                return known
            except BaseException as error:
                self.fail(error, "event_label()")
                return 0

    cdef void determinize_for(self, int seat, Rng* rng) noexcept nogil:
        if self.failed or not self.hooks.hidden:
            return
        with gil:
            try:
                self.random.rng = rng[0]
                self.position.determinize(seat, self.random)
                rng[0] = self.random.rng
            except BaseException as error:
                self.fail(error, "determinize()")

    cdef void redact(self, int seat) noexcept nogil:
        if self.failed or not self.hooks.hidden:
            return
        with gil:
            try:
                self.position.redact(seat)
            except BaseException as error:
                self.fail(error, "redact()")

    cdef void wipe(self, int fill) noexcept nogil:
        if self.hooks.labels:           # the game itself says what was seen of the last move
            self.last = <move_t> fill * <move_t> 0x0101010101010101

    cdef int private_bucket(self, int seat) noexcept nogil:
        cdef int bucket
        if self.failed or not self.hooks.bucket:
            return 0
        with gil:
            try:
                bucket = self.position.private_bucket(seat)
                if not 0 <= bucket < 20:
                    raise SfidaError(f"{self.hooks.name}: private_bucket() gave {bucket}; it must be 0..19")
                return bucket
            except BaseException as error:
                self.fail(error, "private_bucket()")
                return 0

    cdef bint is_bid(self) noexcept nogil:
        if self.failed or not self.hooks.bids:
            return False
        with gil:
            try:
                return bool(self.position.is_bid())
            except BaseException as error:
                self.fail(error, "is_bid()")
                return False

    cdef void retract_bids(self, int seat) noexcept nogil:
        if self.failed or not self.hooks.retract:
            return
        with gil:
            try:
                self.position.retract_bids(seat)
            except BaseException as error:
                self.fail(error, "retract_bids()")

    cdef int sure_win(self, const move_t* moves, int n) noexcept nogil:
        cdef int i
        if self.failed or not self.hooks.sure_win:
            return -1
        with gil:
            try:
                listed = [moves[i] for i in range(n)]
                choice = self.position.sure_win(list(listed))
                if choice is None:
                    return -1
                if choice not in listed:
                    raise SfidaError(f"{self.hooks.name}: sure_win() chose {choice}, which is not in the list it "
                                     "was given")
                return listed.index(choice)
            except BaseException as error:
                self.fail(error, "sure_win()")
                return -1

    cdef void result(self, double* win, double* score) noexcept nogil:
        cdef int i
        for i in range(self.players):
            win[i] = 1.0 / self.players
            score[i] = 0.0
        if self.failed:
            return
        with gil:
            try:
                self.result_gil(win, score)
            except BaseException as error:
                self.fail(error, "utilities() or scores()")

    cdef GameState blank(self):
        cdef PythonState twin = PythonState.__new__(PythonState)
        twin.game = self.game
        twin.players = self.players
        twin.hooks = self.hooks
        twin.max_legal = self.max_legal
        twin.hidden = self.hidden
        twin.feature_names = self.feature_names
        twin.move_feature_names = self.move_feature_names
        twin.judge_like(self)
        twin.has_sure_win = self.has_sure_win
        twin.random = Random.__new__(Random)
        return twin

    cdef bint same_position(self, GameState other) noexcept nogil:
        with gil:
            try:
                return self.to_bytes() == other.to_bytes()
            except BaseException:
                return False            # a search starts afresh

    cdef void copy_from(self, GameState other) noexcept nogil:
        with gil:
            try:
                if other.failed:
                    raise (<PythonState> other).error
                self.position = (<PythonState> other).position.clone()
                self.last = (<PythonState> other).last
                self.moved = (<PythonState> other).moved
            except BaseException as error:
                self.fail(error, "clone()")

    cdef void evaluate(self, double* win, double* score) noexcept nogil:
        cdef int i
        for i in range(self.players):
            win[i] = 1.0 / self.players
            score[i] = 0.0
        if self.failed:
            return
        with gil:
            try:
                self.evaluate_gil(win, score)
            except BaseException as error:
                self.fail(error, "evaluate() or scores()")

    cdef void fill_features(self, int viewer, double* out) noexcept nogil:
        cdef int i
        for i in range(MAX_SEATS * MOST_FEATURES):
            out[i] = 0.0
        if self.failed:
            return
        with gil:
            try:
                self.features_gil(out)
            except BaseException as error:
                self.fail(error, "features()")

    cdef void fill_move_features(self, const move_t* moves, int n, double* out) noexcept nogil:
        cdef int i, width = 0
        cdef float* prior = <float*> malloc(n * sizeof(float))
        with gil:
            width = len(self.hooks.move_features)
            if prior == NULL:
                self.fail(MemoryError(), "move_features()")
        for i in range(n * width):
            out[i] = 0.0
        if prior == NULL:
            return
        self.hand_priors(moves, n, prior)
        for i in range(n):
            out[i * width] = log(prior[i]) if prior[i] > 1e-30 else log(1e-30)
        free(prior)
        if self.failed:
            return
        with gil:
            try:
                self.move_features_gil(moves, n, out)
            except BaseException as error:
                self.fail(error, "move_features()")

    cdef void hand_priors(self, const move_t* moves, int n, float* out) noexcept nogil:
        cdef int i
        for i in range(n):
            out[i] = <float> (1.0 / n)
        if self.failed or not self.hooks.priors:
            return
        with gil:
            try:
                self.priors_gil(moves, n, out)
            except BaseException as error:
                self.fail(error, "priors()")

    cdef move_t playout_move(self, const move_t* moves, int n, Rng* rng) noexcept nogil:
        if self.failed or not self.hooks.playout:
            return moves[rng_below(rng, <uint32_t> n)]
        with gil:
            try:
                return self.playout_move_gil(moves, n, rng)
            except BaseException as error:
                self.fail(error, "playout_move()")
                return moves[0]

    # A playout takes the GIL once at its start; its parts hold it already.

    cdef void begin_playout(self, Rng* rng) noexcept nogil:
        self.held = PyGILState_Ensure()
        self.next_actor = UNASKED
        self.plies = 0

    cdef void end_playout(self) noexcept nogil:
        PyGILState_Release(self.held)

    cdef void play_luck(self, Rng* rng) noexcept nogil:
        with gil:
            try:
                self.play_gil(self.sample_gil(rng))
                self.count_ply()
            except BaseException as error:
                self.fail(error, "a playout")

    cdef int play_step(self, Rng* rng, const PlayoutParams* params, move_t* scratch) noexcept nogil:
        """Play the rest of the turn; without a cutoff, the rest of the game."""
        cdef bint limited = params.cutoff >= 0 and self.has_evaluation
        cdef int n, mine, seat, moves = 0
        with gil:
            try:
                mine = seat = self.actor_gil()
                while seat == mine or seat == CHANCE or not limited:
                    if seat == TERMINAL:
                        break
                    if seat == CHANCE:
                        self.play_gil(self.sample_gil(rng))
                    else:
                        moves += 1
                        n = self.moves_gil(scratch, True)
                        if params.informed and rng_below(rng, 100) < <uint32_t> params.informed:
                            self.play_gil(self.playout_move_gil(scratch, n, rng))
                        else:
                            self.play_gil(scratch[rng_below(rng, <uint32_t> n)])
                    self.count_ply()
                    seat = self.actor_gil()
                self.next_actor = seat
            except BaseException as error:
                self.fail(error, "a playout")
        return moves

    cdef int count_ply(self) except -1:
        """Count an event of the current playout."""
        self.plies += 1
        if self.plies > self.hooks.max_plies:
            raise SfidaError(f"{self.hooks.name}: a playout has not ended after {self.hooks.max_plies} "
                             "moves (max_plies of the game)")
        return 0

    # ---- Python interface: exceptions are raised at once -----------------------------------------------

    cdef int who(self) except -9:
        try:
            return self.actor_gil()
        except BaseException as error:
            mark_fault(error, "to_move", self.hooks.name)
            raise

    def chance_outcomes(self):
        """Return the outcomes of the coming chance event as (code, weight), ascending by code."""
        if self.who() != CHANCE:
            return []
        try:
            return self.checked_outcomes()
        except BaseException as error:
            mark_fault(error, "chance_outcomes()", self.hooks.name)
            raise

    def legal_moves(self):
        """Return every legal move code (or chance outcome), ascending; empty when the game is over."""
        return self.moves_list(False) if self.who() != TERMINAL else []

    def candidate_moves(self):
        """Return the moves worth searching, ascending: a non-empty subset of `legal_moves`."""
        return self.moves_list(True) if self.who() != TERMINAL else []

    def apply(self, move):
        """Play a legal move or a possible outcome; if it raises, the state is unchanged."""
        self.who()                      # raises when the position itself is broken
        try:
            before = self.position.clone()
        except BaseException as error:
            mark_fault(error, "clone()", self.hooks.name)
            raise
        try:
            super().apply(move)
        except BaseException:
            self.position = before
            raise

    def clone(self):
        """Return an independent copy."""
        cdef GameState twin = self.blank()
        twin.copy_from(self)
        twin.raise_failure()
        return twin

    def label(self, int seat):
        """Return what `seat` saw of the last event as a 64-bit int; 0 when it saw nothing."""
        label = self.event_label(seat)
        self.raise_failure()
        return label

    def saw_event(self, int seat):
        """Return whether `seat` saw all of the last event; None where the position class does not say."""
        if not self.hooks.labels:
            return True
        try:
            return self.position.saw_event(seat)
        except BaseException as error:
            mark_fault(error, "saw_event()", self.hooks.name)
            raise

    # ---- byte form --------------------------------------------------------------------------------

    def to_bytes(self):
        """Return the position as bytes; equal bytes mean equal positions."""
        try:
            return canonical_bytes(self.position, type(self.position))
        except BaseException as error:
            mark_fault(error, "pickling the position", self.hooks.name)
            raise

    def load(self, bytes data not None):
        """Replace the position by one from `to_bytes` of the same game."""
        kind = type(self.position)
        try:
            position = _PositionUnpickler(io.BytesIO(data), kind).load()
        except Exception as error:
            raise InvalidRecord(f"these bytes are not a position of {self.hooks.name}: {error}") from None
        if type(position) is not kind:
            raise InvalidRecord(f"these bytes are not a position of {self.hooks.name} but a "
                                f"{type(position).__name__}")
        self.position = position
        self.moved = False

    @property
    def state_bytes(self):
        """Size of the position as bytes."""
        return len(self.to_bytes())
