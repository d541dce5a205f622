"""What an agent does wrong costs it the game, with the reason on record, and never the tournament."""

import os
import sys
import time

import pytest

import sfida
from sfida.ai.arena.block import Stopped
from sfida.ai.arena.run import tournament
from sfida.cython_ext.state import View


class Culprit:
    """Plays the first legal move, but does something wrong at its third decision."""

    def __init__(self, deed: str) -> None:
        self.deed = deed
        self.asked = 0

    @property
    def spec(self) -> str:
        return f"culprit-{self.deed}"

    def choose(self, view: View) -> object:
        self.asked += 1
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


class Witness(Culprit):
    """Fails at the third event that it is told of."""

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
    assert faults                   # a game of two moves of its own may end before the third
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


def test_the_other_seats_share_a_forfeited_game():
    result = tournament("goofspiel:players=2", ["random", Culprit("raises")], 2, seed=1)
    assert [game.utilities[game.agents.index(0)] for game in result.outcomes] == [1, 1]
    result = tournament("carcassonne:players=3", ["random", "random", Culprit("raises")], 3, seed=1)
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
