"""The dry run: the numbers of a tournament before its first game."""

import json
import math
import time
from dataclasses import dataclass, field

import pytest

from sfida.ai.arena.forecast import forecast
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.cython_ext.errors import SfidaError
from sfida.engines.game import GameOptions
from sfida.engines.python_game import TERMINAL, PythonGame, PythonPosition


@dataclass(frozen=True)
class VotesOptions(GameOptions):
    players: int = field(default=6, metadata={"low": 2, "high": 6})
    endless: bool = False


class VotesPosition(PythonPosition):
    """Every seat in turn names one of two numbers, `rounds` times; all share the win."""

    __slots__ = ("endless", "said", "seats", "to_move")

    def __init__(self, options):
        self.seats, self.endless = options.players, options.endless
        self.said = self.to_move = 0

    def legal_moves(self):
        return [0, 1]

    def apply(self, move):
        self.said += 1
        self.to_move = TERMINAL if self.said == 3 * self.seats and not self.endless else self.said % self.seats

    def utilities(self):
        return [1 / self.seats] * self.seats


class Votes(PythonGame):
    name = "votes"
    title = "Votes"
    options_class = VotesOptions
    position_class = VotesPosition
    max_moves = 2


def votes(players, agents, games, **more):
    game = Votes(VotesOptions(players=players))
    return forecast(Setup(game.spec(), 1, players, agents, games, 1, **more), game=game)


def elo(share, players):
    return 400 * math.log10(share * (players - 1) / (1 - share))


def test_a_round_robin_is_counted_out():
    setup = Setup("carcassonne:players=3", 1, 3, ("greedy", "random", "random", "greedy:worlds=9"), 100, 5)
    found = forecast(setup, jobs=2)
    assert (found.games, found.blocks, found.rounds) == (102, 34, 8.5)
    assert sorted(found.lineups) == [
        ("greedy", "random", "greedy:worlds=9"), ("greedy", "random", "random (2)"),
        ("greedy", "random (2)", "greedy:worlds=9"), ("random", "random (2)", "greedy:worlds=9")]
    assert sum(found.games_per_agent) == 3 * 102
    assert max(found.games_per_agent) - min(found.games_per_agent) <= 3 * 2
    assert found.digest == Schedule(setup).digest


def test_the_numbers_of_games_are_those_of_the_schedule():
    for agents, players, mode, mirror in ((5, 3, "round-robin", False), (2, 5, "round-robin", False),
                                          (4, 4, "gauntlet", False), (3, 6, "gauntlet", True)):
        setup = Setup("votes", 1, players, ("random",) * agents, 50, 3, mode, mirror)
        found = forecast(setup, game=Votes(VotesOptions(players=players)))
        counts = [0] * agents
        for block in Schedule(setup):
            for rotation in range(players):
                for agent in block.seating(rotation):
                    counts[agent] += 1
        assert found.games_per_agent == tuple(counts)


@pytest.mark.parametrize("players", range(2, 7))
def test_a_gauntlet_is_counted_out(players):
    found = votes(players, ("random", "greedy", "greedy:worlds=2"), 40 * players, mode="gauntlet")
    assert (found.games, found.blocks, found.rounds) == (40 * players, 40, 20.0)
    assert found.games_per_agent == (40 * players, 20 * players * (players - 1), 20 * players * (players - 1))
    assert found.lineups == (("random", *["greedy"] * (players - 1)),
                             ("random", *["greedy:worlds=2"] * (players - 1)))


@pytest.mark.parametrize("players", range(2, 7))
def test_half_widths_are_the_closed_form(players):
    found = votes(players, ("random", "greedy"), 400, mode="gauntlet")
    even = 1 / players
    for games, width, width_elo in zip(found.games_per_agent, found.half_width, found.half_width_elo, strict=True):
        assert width == pytest.approx(1.96 * math.sqrt(even * (1 - even) / games), rel=1e-4)
        assert width_elo == pytest.approx((elo(even + width, players) - elo(even - width, players)) / 2)


def test_a_known_half_width():
    found = votes(2, ("random", "greedy"), 400)
    assert found.half_width == pytest.approx((0.049, 0.049), abs=1e-4)
    assert found.half_width_elo == pytest.approx((34.2, 34.2), abs=0.1)


def test_too_few_games_have_no_width_in_elo():
    found = votes(6, ("random", "greedy"), 6, mode="gauntlet")
    assert found.half_width[0] > 1 / 6
    assert found.half_width_elo[0] is None
    assert found.half_width_elo[1] is not None


def test_an_agent_without_a_game_has_no_width():
    found = votes(2, ("random", "greedy", "greedy:worlds=2"), 2)
    assert sorted(found.games_per_agent) == [0, 2, 2]
    idle = found.games_per_agent.index(0)
    assert found.half_width[idle] is None
    assert found.half_width_elo[idle] is None
    assert '"half_width": null' in json.dumps(found.to_json(), allow_nan=False)


def test_decisions_of_a_game_of_known_length():
    assert votes(4, ("random",) * 4, 4).decisions_per_game == 12
    assert 60 < forecast(Setup("carcassonne", 1, 2, ("random", "random"), 2, 1)).decisions_per_game < 160


def test_time_is_that_of_the_games_of_both_agents():
    setup = Setup("votes:players=2", 1, 2, ("ismcts:seconds=20", "ismcts:seconds=60"), 60, 1)
    one, four, many = (forecast(setup, jobs, game=Votes(VotesOptions(players=2))) for jobs in (1, 4, 1000))
    # Six decisions per game, each with a choice and each a separate turn, so there are no follow-ups.
    assert one.ms_per_decision == (20_000, 60_000)
    assert one.expected_seconds == pytest.approx(60 * 3 * (20 + 60), rel=0.001)
    assert four.expected_seconds == pytest.approx(16 * 3 * (20 + 60), rel=0.001)      # 30 blocks: 8 waves of 2 games
    assert many.expected_seconds == pytest.approx(2 * 3 * (20 + 60), rel=0.001)


def test_a_follower_after_the_tile_gets_its_share_of_the_seconds():
    setup = Setup("carcassonne", 1, 2, ("ismcts:seconds=10", "ismcts:seconds=10,follow=1"), 2, 1)
    shorter, longer = forecast(setup).ms_per_decision
    assert 5_000 < shorter < 0.85 * longer <= 8_500     # forced decisions cost nothing


def test_measured_times_follow_the_iterations():
    agents = ("random", "ismcts:iterations=100,early_stop=false", "ismcts:iterations=2000,early_stop=false",
              "ismcts:iterations=100000000,early_stop=false")
    quick, short, long, huge = forecast(Setup("carcassonne", 1, 2, agents, 2, 1)).ms_per_decision
    assert quick < long
    assert short < long
    # An iteration takes between a microsecond and a millisecond on any reasonable machine.
    assert 2 < long < 2_000
    assert 1e5 < huge < 1e8


def test_measuring_is_bounded_in_time():
    agents = ("ismcts:iterations=1000000000", "flat:iterations=1000000000", "ismcts:iterations=1000000000,seconds=50",
              "ismcts:seconds=86400")
    started = time.perf_counter()
    found = forecast(Setup("carcassonne:players=4", 1, 4, agents, 4, 1))
    assert time.perf_counter() - started < 20
    assert found.expected_seconds > 3600
    assert found.ms_per_decision[2] <= 50_000


def test_a_program_is_not_started_and_its_time_not_known():
    found = votes(2, ("random", "exec:command=no-such-program"), 10)
    assert found.ms_per_decision[0] > 0
    assert found.ms_per_decision[1] is None
    assert found.expected_seconds is None
    assert found.games == 10


def test_a_game_that_random_moves_do_not_end(monkeypatch):
    monkeypatch.setattr("sfida.ai.arena.forecast._ENDLESS", 0.1)
    game = Votes(VotesOptions(players=2, endless=True))
    found = forecast(Setup(game.spec(), 1, 2, ("random", "greedy"), 10, 1), game=game)
    assert (found.decisions_per_game, found.ms_per_decision, found.expected_seconds) == (None, (None, None), None)
    assert found.half_width[0] == pytest.approx(0.30990, abs=1e-4)


def test_an_unknown_agent_is_refused():
    with pytest.raises(SfidaError, match="unknown agent 'gredy'; did you mean 'greedy'"):
        votes(2, ("gredy", "random"), 10)


def test_json_is_plain_and_in_the_order_given():
    setup = Setup("carcassonne", 1, 2, ("random", "greedy"), 9, 5)
    data = json.loads(json.dumps(forecast(setup).to_json(), allow_nan=False))
    assert (data["schema"], data["type"], data["game"], data["seed"]) == (1, "dry-run", "carcassonne", 5)
    assert (data["games"], data["blocks"], data["rounds"]) == (10, 5, 5.0)
    assert [agent["label"] for agent in data["agents"]] == ["random", "greedy"]
    assert data["agents"][0]["half_width"] == pytest.approx(1.96 * 0.5 / math.sqrt(10), rel=1e-4)
    assert data["lineups"] == [["random", "greedy"]]


def test_forecasts_of_one_setup_are_equal_whatever_was_measured():
    setup = Setup("kuhn_poker", 1, 2, ("random", "greedy"), 100, 5)
    assert forecast(setup) == forecast(setup, jobs=2)
    assert forecast(setup) != forecast(Setup("kuhn_poker", 1, 2, ("random", "greedy"), 100, 6))
