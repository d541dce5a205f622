"""One game at a table: agents get views only, seeds by key, and every event."""

from typing import Any

import numpy as np
import pytest

import sfida
from sfida.cython_ext.state import View


class Watcher:
    """Plays the first legal move and keeps its inputs."""

    spec = "watcher"

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def choose(self, view: View) -> int:
        self.seen.append(view)
        return view.legal_moves()[0]


class Seeded(Watcher):
    seed = 0

    def choose(self, view: View) -> int:
        self.seen.append(self.seed)
        return view.legal_moves()[-1]


class Cheat(Watcher):
    spec = "cheat"

    def choose(self, view: View) -> int:
        return 10**6


def test_same_seed_same_game_and_another_seed_another():
    games = [sfida.play("leduc_poker", ["random", "random"], seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert games[0] == games[1]
    assert len({game.moves for game in games}) > 2


def test_without_a_seed_the_fresh_one_is_recorded():
    record = sfida.play("leduc_poker", ["random", "random"])
    assert sfida.play("leduc_poker", ["random", "random"], seed=record.seed) == record
    assert sfida.play("leduc_poker", ["random", "random"]).seed != record.seed


def test_agents_get_redacted_views_of_their_own_seat():
    agents = [Watcher(), Watcher()]
    sfida.play("kuhn_poker", agents, seed=5)
    for seat, agent in enumerate(agents):
        assert agent.seen
        for view in agent.seen:
            assert type(view) is View
            assert view.redacted
            assert view.seat == seat == view.to_move
            assert view.observation()["other"] == "hidden"


def test_seeds_belong_to_seat_and_move_not_to_the_order_of_execution():
    def seeds(other: Any) -> list[int]:
        agent = Seeded()
        sfida.play("goofspiel", [other, agent], seed=8)
        return agent.seen

    assert seeds("random") == seeds(Watcher())
    assert len(set(seeds("random"))) == 4
    first, second = Seeded(), Seeded()
    sfida.play("goofspiel", [first, second], seed=8)
    assert not set(first.seen) & set(second.seen)


def test_every_move_is_told_as_it_is_played():
    events = []
    record = sfida.play("leduc_poker", ["random", "random"], seed=2, on_event=events.append)
    assert [event.move for event in events] == list(record.moves)
    assert [event.ply for event in events] == list(range(len(events)))
    assert [event.ply for event in events if event.chance] == list(record.chance)
    assert all((event.seat == -1) == event.chance for event in events)
    assert all(event.seconds >= 0 for event in events)
    assert events[-1].state.is_over
    assert events[0].to_json() == {"schema": 1, "type": "move", "ply": 0, "seat": -1, "move": record.moves[0],
                                   "chance": True}


def test_the_record_names_who_played():
    record = sfida.play("tic_tac_toe", [Watcher(), "random"], seed=1)
    assert record.seats == ("watcher", "random")
    assert record.seed == 1
    assert record.sfida == sfida.__version__
    assert record.replay().is_over


def test_the_number_of_agents_sets_the_number_of_players_where_nobody_said():
    assert sfida.play("carcassonne", ["random"] * 3, seed=1).game == "carcassonne:players=3"
    assert sfida.play("carcassonne:river=true", ["random"] * 2, seed=1).game == "carcassonne:river=true"
    with pytest.raises(sfida.InvalidOption, match="needs a list of 2 agents, one per seat, not 7"):
        sfida.play("carcassonne", ["random"] * 7, seed=1)


@pytest.mark.parametrize(("game", "agents", "message"), [
    ("carcassonne:players=3", ["random"] * 2, "'carcassonne:players=3' needs a list of 3 agents, one per seat"),
    ("tic_tac_toe", ["random"] * 3, "needs a list of 2 agents, one per seat, not 3"),
    ("tic_tac_toe", [], "needs a list of 2 agents, one per seat, not 0"),
    ("tic_tac_toe", "random", "needs a list of 2 agents, one per seat, not 'random'"),
    ("tic_tac_toe", ["random", "randum"], "unknown agent 'randum'; did you mean 'random'"),
    ("tic_tac_too", ["random", "random"], "unknown game 'tic_tac_too'; did you mean 'tic_tac_toe'"),
])
def test_wrong_tables(game, agents, message):
    with pytest.raises(sfida.SfidaError) as caught:
        sfida.play(game, agents, seed=1)
    assert message in str(caught.value)


def test_an_agent_that_breaks_the_rules_is_named():
    with pytest.raises(sfida.IllegalMove, match="agent 'cheat' on seat 1 chose 1000000 as move 2, which"):
        sfida.play("tic_tac_toe", ["random", Cheat()], seed=1)


class Pretender(int):
    """A whole number that claims to equal every other number."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__

    def __int__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0


@pytest.mark.parametrize("answer", [Pretender(10**6), 0.0, "0", None])
def test_only_a_legal_whole_number_is_a_move(answer):
    class Agent(Watcher):
        def choose(self, view):
            return answer

    with pytest.raises(sfida.IllegalMove, match="which is not legal there"):
        sfida.play("tic_tac_toe", [Agent(), "random"], seed=1)


def test_a_whole_number_of_another_library_is_a_move():
    class Agent(Watcher):
        def choose(self, view):
            return np.uint64(view.legal_moves()[0])

    record = sfida.play("tic_tac_toe", [Agent(), "random"], seed=1)
    assert record.replay().is_over


@pytest.mark.parametrize("seed", [-1, 0.5, "x"])
def test_wrong_seed(seed):
    with pytest.raises(sfida.InvalidOption, match="a seed must be a whole number"):
        sfida.play("tic_tac_toe", ["random", "random"], seed=seed)
