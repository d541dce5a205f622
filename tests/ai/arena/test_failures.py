"""An agent's fault costs it the game, with the reason on record, but never stops the tournament."""

import functools
import inspect
import operator
import os
import pickle
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import sfida
from sfida.ai.arena import playing
from sfida.ai.arena.player import Mirror, Tampered
from sfida.ai.arena.playing import Stopped
from sfida.ai.arena.tournament import tournament
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import View
from sfida.engines.examples.tic_tac_toe import TicTacToe


class Culprit:
    """Plays the first legal move, but commits a fault at its third decision."""

    def __init__(self, deed: str) -> None:
        self.deed = deed
        self.asked = 0

    @property
    def spec(self) -> str:
        return f"culprit-{self.deed}"

    def choose(self, view: View) -> object:
        self.asked += 1
        if self.asked == 2 and self.deed == "raises early":
            raise RuntimeError
        if self.asked == 3:
            if self.deed == "raises":
                raise RuntimeError("lost\nmy way")
            if self.deed == "hangs":
                while True:
                    pass
            if self.deed == "sleeps":
                time.sleep(1000)
            if self.deed == "dies":
                os._exit(7)
            if self.deed == "leaves":
                sys.exit(3)
            if self.deed == "is killed":
                os.kill(os.getpid(), 9)
            if self.deed == "answers nonsense":
                return "a sensible move"
            if self.deed == "answers nothing":
                return None
            if self.deed == "dawdles":
                time.sleep(0.6)
        return view.legal_moves()[0]


class Liar(int):
    """A move that claims to equal everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0

    def __int__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0


class Riddle(RuntimeError):
    """An error without a readable text, and with a meaningless `kind`."""

    kind = object()

    def __str__(self) -> str:
        raise KeyboardInterrupt


class Meddler:
    """Plays the first legal move, and at its second decision tampers with objects that it shares with others."""

    def __init__(self, deed: str) -> None:
        self.deed = deed
        self.asked = 0

    @property
    def spec(self) -> str:
        return f"meddler-{self.deed}"

    def choose(self, view: View) -> object:
        self.asked += 1
        game: Any = view.game
        move = view.legal_moves()[0]
        if self.asked == 2:
            if self.deed == "lies":
                return Liar(10**6)
            if self.deed == "riddles":
                raise Riddle
            if self.deed == "clears":
                game.__dict__.clear()
            if self.deed == "shadows":
                game.__dict__["format_move"] = None
            if self.deed == "adds":
                game.__dict__["more"] = 1
            if self.deed == "options":
                game.options.__dict__["players"] = 99
            if self.deed == "sampled":
                view.sample(Random(1)).game.__dict__["options"] = None
            if self.deed == "class":
                type(game).format_move = None
            if self.deed == "default":
                next(each for each in type(game).__mro__ if "describe_move" in vars(each)).describe_move = None
            if self.deed == "class and raises":
                type(game).format_move = None
                raise RuntimeError("oh")
            if self.deed == "pipes":
                os.closerange(3, 100)
            if self.deed == "everything":
                os.closerange(0, 100)
            if self.deed == "pipes and raises":
                os.closerange(3, 100)
                raise RuntimeError
        return move


class Watching(sfida.Observer):
    """Counts moves."""

    def __init__(self) -> None:
        self.moves = 0

    def on_move(self, outcome: Any, event: Any) -> None:
        self.moves += 1


class Careless(Meddler):
    """Leaves changes behind that must not affect others."""

    def choose(self, view: View) -> object:
        move = view.legal_moves()[0]
        if self.deed == "closes":
            sys.stdout.close()
        if self.deed == "replaces":
            sys.stdout = None
        if self.deed == "depth":
            sys.setrecursionlimit(len(inspect.stack()) + 5)
        if self.deed == "forks":
            os.fork()
        if self.deed == "alarm":
            signal.setitimer(signal.ITIMER_REAL, 0.05)
        return move


class Talker:
    """Prints before every move, and takes its time."""

    spec = "talker"

    def choose(self, view: View) -> int:
        print("my move", flush=True)
        time.sleep(0.03)
        return view.legal_moves()[-1]


class Witness(Culprit):
    """Fails at the third event that it observes."""

    def __init__(self, deed: str) -> None:
        super().__init__(deed)
        self.told = 0

    def choose(self, view: View) -> object:
        return view.legal_moves()[0]

    def observe(self, event: object) -> None:
        self.told += 1
        if self.told == 3:
            if self.deed == "raises":
                raise RuntimeError("saw a ghost")
            time.sleep(1000)


@pytest.mark.parametrize(("deed", "kind", "reason"), [
    ("raises", "raised", "RuntimeError: lost my way"),
    ("leaves", "raised", "SystemExit: 3"),
    ("answers nonsense", "illegal", "chose 'a sensible move' as move"),
    ("answers nothing", "illegal", "chose None as move"),
    ("hangs", "overtime", "no move within the limit of 0.5 s a decision"),
    ("sleeps", "overtime", "no move within the limit of 0.5 s a decision"),
    ("dawdles", "overtime", "no move within the limit of 0.5 s a decision"),
    ("dies", "died", "its process ended: exit code 7"),
    ("is killed", "died", "its process ended: signal SIGKILL"),
])
def test_a_fault_forfeits_the_game_and_the_tournament_goes_on(deed, kind, reason):
    result = tournament("tic_tac_toe", ["random", Culprit(deed)], 2, seed=2, limit=0.5)
    good, bad = result.standings.agents
    faults = [game for game in result.outcomes if game.forfeit is not None]
    assert faults                   # a game may end after two of its own moves, before the third
    assert bad.forfeits == len(faults)
    assert good.forfeits == 0
    assert result.standings.games == 2
    for game in faults:
        seat = game.agents.index(1)
        assert (game.forfeit.seat, game.forfeit.kind) == (seat, kind)
        assert reason in game.forfeit.reason
        assert "\n" not in game.forfeit.reason
        assert game.utilities[seat] == 0
        assert game.utilities[1 - seat] == 1
        assert game.ranks[seat] == 2
        assert game.decisions[seat] == 3
        assert game.record.result is None
        assert not game.record.replay().is_over
        assert len(game.record.moves) == 4 + seat
        assert game.record.extra["forfeit"]["reason"] == game.forfeit.reason


@pytest.mark.parametrize(("deed", "kind", "reason"), [
    ("lies", "illegal", "as move"),
    ("riddles", "raised", "Riddle"),
    ("clears", "raised", "changed the game that its views show: its "),
    ("shadows", "raised", "changed the game that its views show: its 'format_move'"),
    ("adds", "raised", "changed the game that its views show: its 'more'"),
    ("options", "raised", "changed the game that its views show: its 'options'"),
    ("sampled", "raised", "changed the game that its views show: its 'options'"),
    ("class", "raised", "changed the game that its views show: its 'format_move'"),
    ("default", "raised", "changed the game that its views show: its 'describe_move'"),
    ("class and raises", "raised", "RuntimeError: oh"),
    ("pipes", "died", "its process ended: an agent had closed files that it needs"),
    ("everything", "died", "its process ended: an agent had closed files that it needs"),
    ("pipes and raises", "died", "its process ended: an agent had closed files that it needs"),
])
def test_a_meddler_forfeits_and_nobody_else_is_touched(deed, kind, reason):
    game = "attila:players=2" if deed in ("lies", "shadows", "pipes") else "tic_tac_toe"
    result = tournament(game, ["random", Meddler(deed)], 2, seed=2, limit=5)
    assert [each.forfeits for each in result.standings.agents] == [0, 2]
    for each in result.outcomes:
        assert each.forfeit is not None
        assert (each.agents[each.forfeit.seat], each.forfeit.kind) == (1, kind)
        assert reason in each.forfeit.reason
        assert each.decisions[each.forfeit.seat] == 2
    assert [each.record.moves for each in result.outcomes] == moves_before_the_second_decision(game)


@functools.cache
def moves_before_the_second_decision(game: str) -> list[tuple[str, ...]]:
    """Return the moves of games without meddling, up to the second decision."""
    result = tournament(game, ["random", Culprit("raises early")], 2, seed=2)
    return [each.record.moves for each in result.outcomes]


@pytest.mark.parametrize("deed", ["closes", "replaces", "depth", "alarm", "forks"])
def test_what_an_agent_leaves_behind_is_put_back(deed):
    result = tournament("tic_tac_toe", [Talker(), Careless(deed)], 2, seed=2, limit=5)
    assert [each.forfeits for each in result.standings.agents] == [0, 0]
    assert [each.record.moves for each in result.outcomes] == moves_where_nothing_is_left()


@functools.cache
def moves_where_nothing_is_left() -> list[tuple[str, ...]]:
    result = tournament("tic_tac_toe", [Talker(), Careless("nothing")], 2, seed=2, limit=5)
    return [each.record.moves for each in result.outcomes]


class Noted(TicTacToe):
    """A game that sets attributes of its own during calls."""

    name = "noted"
    _count: Any = None

    def __init__(self, options: Any = None) -> None:
        super().__init__(options)
        self._last: str | None = None

    @functools.cached_property
    def marks(self) -> str:
        return "XO"

    def observation(self, state: Any, seat: int) -> dict[str, Any]:
        self._last = self.marks[seat]
        self._found = True
        Noted._count = 1
        return super().observation(state, seat)


def test_a_game_may_keep_private_notes():
    state, mirror = Noted().initial_state(), Mirror(pickle.dumps(Noted()))
    view = mirror.view(state, 0)
    view.observation()
    assert {"marks", "_last", "_found"} <= vars(view.game).keys()
    mirror.check()
    view.game.__dict__["_hooks"] = None
    with pytest.raises(Tampered, match="its '_hooks'"):
        mirror.check()


@pytest.mark.parametrize(("where", "reason"), [("close", "ZeroDivisionError: division by zero"),
                                               ("last_analysis", "ZeroDivisionError: division by zero"),
                                               ("observe", "ZeroDivisionError: division by zero")])
def test_whatever_is_asked_of_an_agent_is_its_own_fault(where, reason):
    class Sore:
        spec = "sore"

        def choose(self, view: View) -> int:
            return view.legal_moves()[0]

        def __getattr__(self, name: str) -> Any:
            if name == where:
                raise ZeroDivisionError("division by zero")
            raise AttributeError(name)

    watching = [Watching()] if where == "last_analysis" else []
    result = tournament("tic_tac_toe", ["random", Sore()], 2, seed=1, observers=watching)
    assert [each.forfeits for each in result.standings.agents] == [0, 2]
    assert all(each.forfeit.reason == reason for each in result.outcomes)
    assert all(each.record.result is None for each in result.outcomes)


def test_what_an_agent_found_out_is_unpacked_with_care():
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return operator.truediv, (1, 0)

    class Trapper:
        spec = "trapper"

        def choose(self, view: View) -> int:
            self.last_analysis = Trap()
            return view.legal_moves()[0]

    watching = Watching()
    result = tournament("tic_tac_toe", ["random", Trapper()], 2, seed=1, observers=[watching])
    assert [each.forfeits for each in result.standings.agents] == [0, 0]
    assert watching.moves > 0


def test_the_other_seats_share_a_forfeited_game():
    result = tournament("goofspiel:players=2", ["random", Culprit("raises")], 2, seed=1)
    assert [game.utilities[game.agents.index(0)] for game in result.outcomes] == [1, 1]
    result = tournament("carcassonne:players=3", ["random", "random", Culprit("raises")], 3, seed=1, adjusted=False)
    for game in result.outcomes:
        assert sorted(game.utilities) == [0, 0.5, 0.5]
        assert sorted(game.ranks) == [1, 1, 3]
    assert result.standings.agents[2].mean_score is None


def test_strict_stops_at_the_first_forfeit(tmp_path):
    with pytest.raises(Stopped, match="stopped at the first forfeit: 'culprit-raises' on seat 1 in block 0, "
                                      "game 0: RuntimeError: lost my way"):
        tournament("tic_tac_toe", ["random", Culprit("raises")], 4, seed=2, strict=True)


def test_an_agent_that_cannot_even_begin_forfeits():
    class Unborn:
        spec = "unborn"

        def choose(self, view: View) -> int:
            return view.legal_moves()[0]

        def __setstate__(self, state: object) -> None:
            raise OSError("no book found")

        def __getstate__(self) -> dict:
            return {"some": "state"}

    result = tournament("tic_tac_toe", [Unborn(), "random"], 2, seed=1)
    assert [game.forfeit.reason for game in result.outcomes] == ["OSError: no book found"] * 2
    assert [game.forfeit.seat for game in result.outcomes] == [0, 1]


def test_faults_and_the_table_are_the_same_with_two_workers(tmp_path):
    one, two = (tournament("tic_tac_toe", ["random", Culprit("dies"), Culprit("raises")], 6, seed=4, jobs=jobs)
                for jobs in (1, 2))
    assert one == two


def test_what_agents_print_goes_to_standard_error(capfd):
    class Chatty:
        spec = "chatty"

        def choose(self, view: View) -> int:
            print("thinking aloud")
            return view.legal_moves()[0]

    assert tournament("tic_tac_toe", [Chatty(), "random"], 2, seed=1).standings.agents[0].forfeits == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "thinking aloud" in err


def test_the_limit_must_leave_room_for_the_budget():
    with pytest.raises(sfida.InvalidOption, match=r"the limit of 1 s a decision must be more than the budget of 2 s"):
        tournament("tic_tac_toe", ["random", "ismcts:seconds=2"], 2, limit=1)


@pytest.mark.parametrize(("deed", "kind", "reason"), [
    ("raises", "raised", "RuntimeError: saw a ghost"),
    ("sleeps", "overtime", "no move within the limit of 0.5 s a decision"),
])
def test_an_agent_that_fails_while_it_looks_on_forfeits(deed, kind, reason):
    result = tournament("tic_tac_toe", ["random", Witness(deed)], 2, seed=2, limit=0.5)
    for game in result.outcomes:
        assert game.forfeit is not None
        assert (game.agents[game.forfeit.seat], game.forfeit.kind) == (1, kind)
        assert reason in game.forfeit.reason
        assert len(game.record.moves) == 3


def test_a_source_tree_called_sfida_is_not_taken_for_the_package():
    """A playing process looks for the package only in folders that contain it."""
    assert all((Path(home) / "sfida" / "__init__.py").exists() for home in playing._HOME)
