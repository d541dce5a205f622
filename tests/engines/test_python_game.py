"""Games in plain Python: the promises of the adapter to their authors."""

import os
import pickle
import subprocess
import sys
from dataclasses import dataclass, field
from enum import Enum

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidRecord, SfidaError
from sfida.cython_ext.python_state import PythonState, canonical_bytes, encode_label, stable_label
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.search import Search
from sfida.engines.examples.kuhn_poker import KuhnPoker, KuhnPosition
from sfida.engines.examples.leduc_poker import LeducPoker, LeducPosition
from sfida.engines.examples.tic_tac_toe import TicTacToe, TicTacToePosition
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, PythonPosition
from sfida.testing import check_game


def game_of(position, base=TicTacToe, **attributes):
    return type("Test", (base,), {"position_class": position, **attributes})()


def played(state, count):
    """Play the first legal move a number of times."""
    for _ in range(count):
        state.apply(state.legal_moves()[0])
    return state


# ---- failures ------------------------------------------------------------------------------------


BOOM = ValueError("boom")


def failing(base, method, error=BOOM, calls=0):
    """Return a position class whose method raises after a number of good calls."""
    count = [0]

    def fail(self, *args):
        count[0] += 1
        if count[0] > calls:
            raise error
        return getattr(base, method)(self, *args)

    return type("Failing", (base,), {"__slots__": (), method: fail})


@pytest.mark.parametrize(("method", "use"), [
    ("legal_moves", lambda s: s.legal_moves()),
    ("legal_moves", lambda s: s.view(0).legal_moves()),
    ("legal_moves", lambda s: s.random_playout(Random(1))),
    ("legal_moves", lambda s: s.apply(0)),
    ("apply", lambda s: s.apply(0)),
    ("apply", lambda s: s.random_playout(Random(1))),
    ("clone", lambda s: s.clone()),
    ("clone", lambda s: s.view(1)),
    ("clone", lambda s: s.apply(0)),
    ("candidate_moves", lambda s: s.candidate_moves()),
    ("event_label", lambda s: s.label(0)),
    ("evaluate", lambda s: s.evaluation()),
    ("priors", lambda s: s.move_priors()),
    ("playout_move", lambda s: s.random_playout(Random(1), -1, 100)),
    ("utilities", lambda s: s.random_playout(Random(1))),
    ("scores", lambda s: s.scores()),
    ("observation", lambda s: s.observation(0)),
    ("format", lambda s: s.format(0)),
    ("text", str),
])
def test_what_a_game_raises_reaches_the_caller(method, use):
    state = game_of(failing(TicTacToePosition, method)).initial_state()
    for _ in range(2):
        with pytest.raises(ValueError, match="boom"):
            use(state)
    state.raise_failure()               # no failure remains


@pytest.mark.parametrize(("method", "use"), [
    ("chance_outcomes", lambda s: s.legal_moves()),
    ("chance_outcomes", lambda s: s.chance_outcomes()),
    ("chance_outcomes", lambda s: s.sample_chance(Random(1))),
    ("chance_outcomes", lambda s: s.random_playout(Random(1))),
    ("determinize", lambda s: s.determinize(0, Random(1))),
    ("determinize", lambda s: s.view(0).sample(Random(1))),
    ("redact", lambda s: s.view(0)),
])
def test_what_a_card_game_raises_reaches_the_caller(method, use):
    state = game_of(failing(KuhnPosition, method), KuhnPoker).initial_state()
    with pytest.raises(ValueError, match="boom"):
        use(state)


def test_a_failing_to_move_reaches_the_caller():
    class Position(TicTacToePosition):
        __slots__ = ("moves",)

        @property
        def to_move(self):
            raise ValueError("boom")

        @to_move.setter
        def to_move(self, seat):
            pass

    state = game_of(Position).initial_state()
    for use in (lambda: state.to_move, lambda: state.is_over, lambda: state.is_chance, state.legal_moves,
                state.candidate_moves, state.utilities, state.chance_outcomes, lambda: state.apply(0),
                lambda: state.random_playout(Random(1))):
        with pytest.raises(ValueError, match="boom"):
            use()


@pytest.mark.parametrize("method", ["legal_moves", "apply", "clone", "chance_outcomes", "determinize",
                                    "event_label", "utilities"])
@pytest.mark.parametrize("calls", [0, 1, 7, 100])
def test_a_search_stops_at_what_a_game_raises(method, calls):
    start = played(LeducPoker().initial_state(), 2)
    state = game_of(failing(LeducPosition, method, calls=calls), LeducPoker).initial_state()
    state.position.cards, state.position.to_move = start.position.cards[:], 0
    with pytest.raises(ValueError, match="boom"):
        Search(state.view(0), seed=1).run(iterations=1000)


def test_interrupts_pass_through():
    state = game_of(failing(TicTacToePosition, "apply", KeyboardInterrupt(), calls=50)).initial_state()
    search = Search(state.view(0), seed=1)
    with pytest.raises(KeyboardInterrupt):
        search.run(iterations=100)


def test_a_failed_move_leaves_the_state_as_it_was():
    class Position(TicTacToePosition):
        __slots__ = ()

        def apply(self, move):
            super().apply(move)
            if move == 4:
                raise ArithmeticError("half done")

    state = game_of(Position).initial_state()
    before = state.to_bytes()
    with pytest.raises(ArithmeticError) as caught:
        state.apply(4)
    assert caught.value.__notes__ == ["raised by apply() of the game tic_tac_toe"]
    assert state.to_bytes() == before
    state.apply(3)
    assert state.legal_moves() == [0, 1, 2, 4, 5, 6, 7, 8]


def test_the_first_failure_is_the_one_reported():
    state = game_of(failing(TicTacToePosition, "apply", LookupError("first"), calls=3)).initial_state()
    with pytest.raises(LookupError, match="first"):
        state.random_playout(Random(1))


# ---- return values of rules ----------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "message"), [
    ([], r"legal_moves\(\) is empty although the game is not over"),
    ([0, 1, 1], r"legal_moves\(\) lists move 1 twice"),
    ([0, -1], r"legal_moves\(\) lists -1; a move is an int in \[0, 2\*\*64\)"),
    ([2**64], r"lists 18446744073709551616; a move is an int"),
    (["a"], r"lists 'a'; a move is an int"),
    ([1.0], r"lists 1.0; a move is an int"),
    (range(10), r"lists 10 moves, more than max_moves = 9 of the game"),
])
def test_bad_lists_of_moves(moves, message):
    position = type("Bad", (TicTacToePosition,), {"__slots__": (), "legal_moves": lambda self: moves})
    state = game_of(position).initial_state()
    for use in (state.legal_moves, lambda: state.random_playout(Random(1))):
        with pytest.raises(SfidaError, match=message) as caught:
            use()
        assert str(caught.value).startswith("tic_tac_toe: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("outcomes", "message"), [
    ([], "is empty at a chance event"),
    ([(10, 0)], "gives outcome 10 the weight 0"),
    ([(10, 0.5)], "gives outcome 10 the weight 0.5; a weight is an int"),
    ([(10, 1), (10, 1)], "lists outcome 10 twice"),
    ([(10, 2**31), (11, 2**31)], "they must stay below"),
    ([(-5, 1)], "lists -5"),
    ([(k, 1) for k in range(4)], "lists 4 outcomes, more than max_moves = 3"),
])
def test_bad_outcomes(outcomes, message):
    position = type("Bad", (KuhnPosition,), {"__slots__": (), "chance_outcomes": lambda self: outcomes})
    state = game_of(position, KuhnPoker).initial_state()
    for use in (state.legal_moves, state.chance_outcomes, lambda: state.sample_chance(Random(1))):
        with pytest.raises(SfidaError, match=message):
            use()


@pytest.mark.parametrize(("method", "value", "use", "message"), [
    ("utilities", [1.0], lambda s: s.random_playout(Random(1)), "must give one number per seat"),
    ("utilities", None, lambda s: s.random_playout(Random(1)), "must give one number per seat"),
    ("evaluate", [0.1, 0.2, 0.7], lambda s: s.evaluation(), "must give one number per seat"),
    ("priors", [1.0], lambda s: s.move_priors(), "gave 1 weights for 9 moves"),
    ("priors", [0.0] * 9, lambda s: s.move_priors(), "weights must be positive"),
    ("playout_move", 77, lambda s: s.random_playout(Random(1), -1, 100), "not in the list"),
    ("to_move", 2, lambda s: s.legal_moves(), r"to_move is 2; it must be a seat 0\.\.1, -1 \(chance\)"),
])
def test_bad_answers(method, value, use, message):
    answer = value if method == "to_move" else lambda self, *args: value
    body = {"__slots__": (), method: answer}
    if method == "to_move":
        body["__init__"] = lambda self, options: setattr(self, "board", [-1] * 9)
        body["clone"] = lambda self: type(self)(None)
    state = game_of(type("Bad", (TicTacToePosition,), body)).initial_state()
    with pytest.raises(SfidaError, match=message):
        use(state)


def test_moves_in_any_order_come_out_ascending():
    class Position(TicTacToePosition):
        __slots__ = ()

        def legal_moves(self):
            return super().legal_moves()[::-1]

    state = game_of(Position).initial_state()
    assert state.legal_moves() == list(range(9))
    twin = TicTacToe().initial_state()
    assert state.random_playout(Random(5)) == twin.random_playout(Random(5))


def test_wide_codes_and_limits():
    class Position(PythonPosition):
        def __init__(self, options):
            self.to_move = 0
            self.choice = 0

        def legal_moves(self):
            return [2**64 - 1, 1 << 56, 7]

        def apply(self, move):
            self.choice = move
            self.to_move = TERMINAL

        def utilities(self):
            return [1.0, 0.0]

    class Wide(PythonGame):
        name = "wide"
        title = "Wide"
        position_class = Position

    state = Wide().initial_state()
    assert state.legal_moves() == [7, 1 << 56, 2**64 - 1]
    state.apply(2**64 - 1)
    assert state.position.choice == 2**64 - 1
    with pytest.raises(IllegalMove, match="the game is over"):
        state.apply(7)
    with pytest.raises(SfidaError, match="max_moves must be at least 1"):
        type("None", (Wide,), {"max_moves": 0})()


def test_a_playout_that_does_not_end_is_an_error():
    class Position(TicTacToePosition):
        __slots__ = ()

        def apply(self, move):
            pass

    with pytest.raises(SfidaError, match="a playout has not ended after 500 moves"):
        game_of(Position, max_plies=500).initial_state().random_playout(Random(1))


def test_illegal_moves_are_refused():
    state = TicTacToe().initial_state()
    state.apply(4)
    for move in (4, 9, -1, 2**70):
        with pytest.raises(IllegalMove, match="not legal here"):
            state.apply(move)
    with pytest.raises(IllegalMove, match="'b2' is not a legal move here; legal are for example: a3"):
        state.parse("b2")


# ---- labels --------------------------------------------------------------------------------------


class Suit(Enum):
    HEARTS = 1
    SPADES = 2


@dataclass(frozen=True)
class Seen:
    card: int
    suit: Suit


LABELS = [1, 2, -1, 2**64, 2**70, "a", "ab", "è", "", b"a", 0.5, (), (1,), ("a",), ("a", "b"), (("a",), "b"),
          (("a", "b"),), ("ab",), (None,), (0,), frozenset({"x", "y"}), frozenset({"x"}), Suit.HEARTS,
          Suit.SPADES, Seen(1, Suit.HEARTS), Seen(2, Suit.HEARTS)]


def test_labels_are_distinct_and_not_zero():
    hashes = [stable_label(label) for label in LABELS]
    assert len(set(hashes)) == len(LABELS)
    assert all(0 < value < 2**64 for value in hashes)
    assert stable_label(None) == stable_label(0) == stable_label(False) == 0


def test_equal_labels_are_equal():
    assert stable_label(1) == stable_label(True) == stable_label(1.0)
    assert stable_label((2,)) == stable_label((2.0,))
    assert stable_label(frozenset("abc")) == stable_label(frozenset("cba"))


def test_labels_are_the_same_in_every_process():
    code = ("from sfida.cython_ext.python_state import stable_label as f;"
            "print(f('jack'), f(('a', frozenset('xyz'))), f(5))")
    out = {subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed},
                          capture_output=True, text=True, check=True).stdout for seed in ("1", "2", "3")}
    assert out == {f"{stable_label('jack')} {stable_label(('a', frozenset('xyz')))} {stable_label(5)}\n"}


@pytest.mark.parametrize("label", [[1], {"a": 1}, object()])
def test_bad_labels(label):
    position = type("Bad", (KuhnPosition,), {"__slots__": (), "event_label": lambda self, seat: label})
    state = game_of(position, KuhnPoker).initial_state()
    with pytest.raises((SfidaError, TypeError)):
        state.label(0)
    with pytest.raises(SfidaError, match=r"event_label\(\) returned a \w+: it must be None, a number, text"):
        encode_label(label)


def test_labels_of_a_state():
    kuhn = played(KuhnPoker().initial_state(), 1)
    assert kuhn.label(0) == stable_label("card 0")
    assert kuhn.label(1) == 0
    ttt = TicTacToe().initial_state()
    assert ttt.label(0) == 0
    seen = set()
    for move in range(9):
        twin = ttt.clone()
        twin.apply(move)
        assert twin.label(0) == twin.label(1) == twin.clone().label(1) != 0
        seen.add(twin.label(0))
    assert len(seen) == 9


# ---- bytes ---------------------------------------------------------------------------------------


def test_bytes_depend_on_the_value_alone():
    part = ["x" * 3, "y"]
    shared, equal = [part, part], [["xxx", "y"], ["".join("xxx"), "y"]]
    assert canonical_bytes(shared) == canonical_bytes(equal)
    assert canonical_bytes({1: "a", 2: "b"}) == canonical_bytes({2: "b", 1: "a"})
    many = [f"item {k}" for k in range(50)]
    assert canonical_bytes(set(many)) == canonical_bytes({*many[25:], *many[:25]})
    assert canonical_bytes(frozenset(many)) != canonical_bytes(set(many))
    assert canonical_bytes([1, 2]) != canonical_bytes([2, 1])


def test_a_position_that_refers_to_itself_is_an_error():
    state = TicTacToe().initial_state()
    state.position.board.append(state.position.board)
    with pytest.raises(SfidaError, match="refers to itself"):
        state.to_bytes()


def test_round_trips():
    state = played(KuhnPoker().initial_state(), 3)
    twin = KuhnPoker().initial_state()
    assert twin != state
    twin.load(state.to_bytes())
    assert twin == state
    assert pickle.loads(pickle.dumps(state)) == state
    assert state.state_bytes == len(state.to_bytes()) > 20
    assert twin.position.history == "p"


@pytest.mark.parametrize("data", [b"", b"abc", pickle.dumps(5), TicTacToe().initial_state().to_bytes()[:-3]])
def test_bytes_of_something_else(data):
    state = TicTacToe().initial_state()
    with pytest.raises(InvalidRecord, match="not a position of tic_tac_toe"):
        state.load(data)
    assert state == TicTacToe().initial_state()


def test_position_classes_need_not_be_importable():
    class Local(TicTacToePosition):
        __slots__ = ("note",)

    state = played(game_of(Local).initial_state(), 2)
    twin = state.game.initial_state()
    twin.load(state.to_bytes())
    assert twin == state


# ---- defaults of the base classes ----------------------------------------------------------------


@dataclass(frozen=True)
class PigOptions(GameOptions):
    players: int = field(default=2, metadata={"low": 2, "high": 4, "doc": "number of seats"})
    goal: int = field(default=8, metadata={"low": 3, "high": 100, "doc": "points that win"})


class PigPosition(PythonPosition):
    """Pig with a three-sided die, on the defaults: luck, several players, sets and dicts, no clone()."""

    def __init__(self, options):
        self.points = dict.fromkeys(range(options.players), 0)
        self.stopped = set()
        self.pot = 0
        self.goal = options.goal
        self.seat = 0
        self.to_move = 0

    def legal_moves(self):
        return [1, 0] if self.pot else [0]                  # bank, roll

    def chance_outcomes(self):
        return [(11, 1), (13, 1), (12, 1)]

    def apply(self, move):
        if move == 0:
            self.to_move = CHANCE
            return
        if move > 11:
            self.pot += move - 10
            self.to_move = self.seat
            return
        if move == 1:
            self.points[self.seat] += self.pot
            self.stopped.add(self.seat)
        self.pot = 0
        if self.points[self.seat] >= self.goal:
            self.to_move = TERMINAL
        else:
            self.seat = self.to_move = (self.seat + 1) % len(self.points)

    def scores(self):
        return list(self.points.values())

    def utilities(self):
        return [float(seat == self.seat) for seat in self.points]

    def evaluate(self):
        total = sum(self.points.values()) + len(self.points)
        return [(points + 1) / total for points in self.points.values()]

    def priors(self, moves):
        return [1.0 + self.pot * move for move in moves]

    def playout_move(self, moves, rng):
        return moves[-1]

    def candidate_moves(self):
        return [1] if self.points[self.seat] + self.pot >= self.goal else self.legal_moves()


class Pig(PythonGame):
    name = "pig"
    title = "Pig"
    options_class = PigOptions
    position_class = PigPosition
    chance_sources = ("die",)


def test_a_game_on_the_defaults_conforms():
    report = check_game(Pig(), seeds=4)
    assert report.players == (2, 3, 4)
    assert report.chance_events > 50


def test_defaults():
    state = Pig(PigOptions(players=3)).initial_state()
    assert isinstance(state, PythonState)
    assert not state.hidden
    assert state.has_evaluation
    assert state.has_priors
    state.apply(0)
    assert state.is_chance
    assert state.chance_outcomes() == [(11, 1), (12, 1), (13, 1)]
    state.apply(13)
    assert state.observation(2) == {"points": {"0": 0, "1": 0, "2": 0}, "stopped": [], "pot": 3, "goal": 8,
                                    "seat": 0, "to_move": 0}
    assert "pot: 3" in str(state)
    assert state.move_priors() == [(0, pytest.approx(0.2)), (1, pytest.approx(0.8))]
    assert state.evaluation() == ([pytest.approx(1 / 3)] * 3, [0, 0, 0])
    assert state.scores() == [0, 0, 0]
    assert state.parse(" 1 ") == 1
    twin = state.clone()
    twin.apply(1)
    assert (twin.scores(), twin.to_move, state.scores()) == ([3, 0, 0], 1, [0, 0, 0])
    assert state.game.spec() == "pig:players=3"


def test_knowledge_is_used():
    """Informed playouts bank whenever they can; a playout that is cut returns the evaluation."""
    state = Pig().initial_state()
    informed = [played_turns(state, 100, seed) for seed in range(5)]
    assert len({tuple(scores) for scores in informed}) > 1
    shares, scores = state.clone().random_playout(Random(3), 0, 0)
    assert shares == [0.5, 0.5]
    assert scores == [0, 0]
    search = Search(state.view(0), seed=1, priors=True, cutoff=2, informed=50)
    search.run(iterations=300)
    assert search.root()[0][1] == 300


def played_turns(state, informed, seed):
    return state.clone().random_playout(Random(seed), -1, informed)[1]


class PlainKuhn(KuhnPosition):
    """Kuhn poker without its own redaction: the default replaces the truth by a fixed sample."""

    __slots__ = ()
    redact = PythonPosition.redact


class PlainKuhnPoker(KuhnPoker):
    position_class = PlainKuhn


def test_default_redaction_conforms():
    check_game(PlainKuhnPoker(), seeds=10)


@pytest.mark.parametrize(("body", "message"), [
    ({"determinize": lambda self, seat, rng: None}, r"it must define event_label\(\) too"),
    ({"determinize": lambda self, seat, rng: None, "event_label": lambda self, seat: 0},
     r"it must define observation\(\) too"),
    ({"redact": lambda self, seat: None}, r"it must define determinize\(\) too"),
])
def test_half_hidden_games_are_refused(body, message):
    with pytest.raises(SfidaError, match=message):
        game_of(type("Half", (PigPosition,), body), Pig)


def test_missing_methods_are_named():
    class Empty(PythonPosition):
        to_move = 0

    state = game_of(Empty, Pig).initial_state()
    with pytest.raises(NotImplementedError, match=r"Empty must define legal_moves\(\)"):
        state.legal_moves()


def test_rng_is_lent_to_the_game():
    """Equal seeds give equal samples, and the caller's stream advances."""
    state = played(KuhnPoker().initial_state(), 2)
    rng = Random(7)
    before = rng.state
    samples = [state.view(0).sample(rng).position.cards[1] for _ in range(20)]
    assert rng.state != before
    assert set(samples) == {1, 2}
    again = Random(7)
    assert samples == [state.view(0).sample(again).position.cards[1] for _ in range(20)]
