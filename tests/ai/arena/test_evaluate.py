"""The table of a tournament: every figure recomputed from the games."""

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest

import sfida
from sfida.ai.arena.bootstrap import Tally
from sfida.ai.arena.evaluate import evaluate
from sfida.ai.arena.outcome import Forfeit, GameOutcome, forfeited
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.standings import PairStanding
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game


def outcomes_of(setup, ranks_of, score_of=lambda agent: 10.0 * agent, forfeit=lambda block, agents: None):
    """Return invented games of a setup; `ranks_of(rng, agents)` gives the ranks."""
    rng = np.random.default_rng(setup.seed)
    schedule, made = Schedule(setup), []
    record = GameRecord(game=setup.game, rules_version=1, moves=("x",))
    for block, rotation in itertools.product(schedule, range(setup.players)):
        agents = block.seating(rotation)
        lost = forfeit(block.index, agents)
        if lost is None:
            ranks = tuple(map(int, ranks_of(rng, np.array(agents))))
            utilities = tuple((rank == min(ranks)) / ranks.count(min(ranks)) for rank in ranks)
        else:
            utilities, ranks = forfeited(setup.players, lost)
        made.append(GameOutcome(
            block=block.index, rotation=rotation, agents=agents, record=record, utilities=utilities, ranks=ranks,
            scores=tuple(map(score_of, agents)), decisions=tuple(2 + agent for agent in agents),
            seconds=tuple(0.5 * (1 + agent) for agent in agents), wall=1.0,
            forfeit=None if lost is None else Forfeit(lost, "raised", "it broke")))
    return made


def by_strength(*strengths):
    def ranks(rng, agents):
        return (-(np.array(strengths)[agents] + rng.gumbel(size=len(agents)))).argsort().argsort() + 1
    return ranks


def setup_of(players=3, agents=4, games=60, mode="round-robin", game="carcassonne", **more):
    names = ("random", "greedy", "ismcts", "flat", "random:x=1", "greedy:x=1")[:agents]
    return Setup(f"{game}:players={players}" if players > 2 else game, 1, players, names, games, 5, mode, **more)


def table_of(setup, outcomes, **options):
    return evaluate(Tally.of(outcomes, setup.players), setup, **options)


# ---- agents -------------------------------------------------------------------------------------------


def test_figures_of_agents_are_those_of_the_games():
    setup = setup_of()
    outcomes = outcomes_of(setup, by_strength(0.5, 0.2, 0, -0.5),
                           forfeit=lambda block, agents: agents.index(3) if block == 3 and 3 in agents else None)
    table = table_of(setup, outcomes)
    assert (table.games, table.blocks, table.loose, table.players) == (60, 20, 0, 3)
    assert sum(game.forfeit is not None for game in outcomes) == 3
    for index, standing in enumerate(table.agents):
        seats = [(game, seat) for game in outcomes for seat, agent in enumerate(game.agents) if agent == index]
        assert standing.games == len(seats)
        assert standing.win_share == pytest.approx(np.mean([game.utilities[seat] for game, seat in seats]))
        assert standing.mean_rank == pytest.approx(np.mean([game.ranks[seat] for game, seat in seats]))
        assert standing.mean_score == pytest.approx(10 * index)
        assert standing.ms_per_move == pytest.approx(1000 * 0.5 * (1 + index) / (2 + index))
        assert standing.forfeits == (3 if index == 3 else 0)
        assert standing.ci95[0] < standing.win_share < standing.ci95[1]
        assert standing.elo_ci95[0] < standing.elo < standing.elo_ci95[1]
    assert sum(standing.elo for standing in table.agents) == pytest.approx(0, abs=1e-6)
    assert sum(standing.games * standing.win_share for standing in table.agents) == pytest.approx(60)


def test_ratings_follow_strength():
    setup = setup_of(games=1500)
    table = table_of(setup, outcomes_of(setup, by_strength(-0.6, 0.2, 0.6, -0.2)))
    assert table.ranking == (2, 1, 3, 0)
    for standing, strength in zip(table.agents, (-0.6, 0.2, 0.6, -0.2), strict=True):
        assert standing.elo == pytest.approx(strength * 400 / math.log(10), abs=20)     # standard error about 6


def test_an_agent_whose_games_are_all_forfeited_has_no_score():
    setup = setup_of(2, 2, 20)
    table = table_of(setup, outcomes_of(setup, None, forfeit=lambda block, agents: agents.index(1)))
    assert [standing.mean_score for standing in table.agents] == [None, None]
    assert [standing.win_share for standing in table.agents] == [1, 0]
    assert [standing.forfeits for standing in table.agents] == [0, 20]
    assert table.agents[0].ci95 == (pytest.approx(0.025 ** 0.1), 1)


def test_two_copies_of_an_agent_are_told_apart():
    setup = dataclasses.replace(setup_of(2, 2), agents=("random", "random"))
    table = table_of(setup, outcomes_of(setup, by_strength(0, 0)))
    assert [standing.label for standing in table.agents] == ["random", "random (2)"]


# ---- pairs --------------------------------------------------------------------------------------------


def test_pairs_are_counted_seat_against_seat():
    setup = setup_of(5, 2, 50)
    outcomes = outcomes_of(setup, lambda rng, agents: rng.integers(1, 4, 5))
    pair, = table_of(setup, outcomes).pairs
    meetings = [(game.ranks[s], game.ranks[t]) for game in outcomes for s in range(5) for t in range(5)
                if (game.agents[s], game.agents[t]) == (0, 1)]
    assert (pair.a, pair.b, pair.games) == (0, 1, len(meetings))
    assert pair.score == pytest.approx(np.mean([(a < b) + 0.5 * (a == b) for a, b in meetings]))
    assert pair.ci95[0] < pair.score < pair.ci95[1]


def test_agents_as_the_ratings_see_them_have_small_residuals():
    setup = setup_of(games=3000)
    pairs = table_of(setup, outcomes_of(setup, by_strength(0.5, 0.2, 0, -0.5))).pairs
    assert [(pair.a, pair.b) for pair in pairs] == list(itertools.combinations(range(4), 2))
    for pair in pairs:
        assert pair.residual == pytest.approx(pair.score - pair.expected, abs=1e-8)
        assert abs(pair.z) < 3
        assert abs(pair.residual) < 0.05
    assert pairs[2].expected == pytest.approx(1 / (1 + math.exp(-1)), abs=0.02)


def test_rock_paper_scissors_shows_in_the_residuals():
    setup = setup_of(2, 3, 300, game="tic_tac_toe")
    beats = {(0, 1), (1, 2), (2, 0)}

    def ranks(rng, agents):
        wins = tuple(agents) in beats
        return (1, 2) if wins == (rng.random() < 0.8) else (2, 1)

    table = table_of(setup, outcomes_of(setup, ranks))
    assert all(abs(standing.elo) < 60 for standing in table.agents)
    assert [round(math.copysign(1, pair.residual)) for pair in table.pairs] == [1, -1, 1]
    assert all(abs(pair.z) > 4 for pair in table.pairs)


def test_pairs_of_a_gauntlet_that_never_meet_have_no_games():
    setup = setup_of(3, 3, 30, "gauntlet")
    pairs = table_of(setup, outcomes_of(setup, by_strength(0.5, 0, 0))).pairs
    assert [pair.games for pair in pairs] == [30, 30, 0]      # 15 games each, against two copies
    assert pairs[2] == pairs[2].turned.turned == PairStanding(1, 2, 0, None, None, None, None, None)


def test_a_pair_can_be_read_from_either_side():
    setup = setup_of(2, 2, 20)
    pair, = table_of(setup, outcomes_of(setup, by_strength(0.5, 0))).pairs
    other = pair.turned
    assert (other.a, other.b, other.games) == (1, 0, pair.games)
    assert (other.score, other.expected) == (1 - pair.score, 1 - pair.expected)
    assert other.ci95 == (1 - pair.ci95[1], 1 - pair.ci95[0])
    assert (other.residual, other.z) == (-pair.residual, -pair.z)


# ---- seats --------------------------------------------------------------------------------------------


def test_seats_have_names_shares_and_strengths():
    setup = setup_of(4, 4, 400)
    bonus = np.array([0.8, 0, 0, 0])
    outcomes = outcomes_of(setup, lambda rng, agents: (-(bonus + rng.gumbel(size=4))).argsort().argsort() + 1)
    table = table_of(setup, outcomes)
    assert [seat.seat for seat in table.seats] == [0, 1, 2, 3]
    assert [seat.name for seat in table.seats] == [make_game(setup.game).seat_name(seat) for seat in range(4)]
    for seat in table.seats:
        assert seat.win_share == pytest.approx(np.mean([game.utilities[seat.seat] for game in outcomes]))
        assert seat.ci95[0] < seat.win_share < seat.ci95[1]
    assert table.seats[0].elo == pytest.approx(0.75 * 0.8 * 400 / math.log(10), abs=30)
    assert sum(seat.elo for seat in table.seats) == pytest.approx(0, abs=1e-6)
    assert table.seat_p < 0.001
    assert max(abs(agent.elo) for agent in table.agents) < 40


def test_seats_of_a_game_that_is_not_registered_are_numbered():
    setup = dataclasses.replace(setup_of(2, 2), game="my_own_game")
    assert [seat.name for seat in table_of(setup, []).seats] == ["seat 0", "seat 1"]


@pytest.mark.parametrize(("players", "agents"), [(2, 2), (3, 4)])
def test_what_an_agent_reached_on_each_seat(players, agents):
    setup = setup_of(players, agents)
    outcomes = outcomes_of(setup, by_strength(0.5, 0, 1, 0))
    for index, standing in enumerate(table_of(setup, outcomes).agents):
        assert len(standing.by_seat) == players
        for seat, one in enumerate(standing.by_seat):
            shares = [game.utilities[seat] for game in outcomes if game.agents[seat] == index]
            assert one.games == len(shares)
            assert one.win_share == pytest.approx(sum(shares) / len(shares))
            assert one.ci95[0] <= one.win_share <= one.ci95[1]
        assert sum(one.games for one in standing.by_seat) == standing.games


@pytest.mark.parametrize(("game", "sides"), [("a_few_acres_of_snow", True), ("carcassonne", False),
                                             ("my_own_game", False)])
def test_games_say_whether_seats_are_sides(game, sides):
    assert table_of(setup_of(2, 2, game=game), []).sides is sides


# ---- the whole table ----------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [0, 1])
@pytest.mark.parametrize("setup", [setup_of(3, 4), setup_of(2, 2), setup_of(4, 2, mode="gauntlet", mirror=True)],
                         ids=["round-robin", "pair", "mirrored"])
def test_a_tournament_that_has_hardly_begun_has_a_table(setup, games):
    outcomes = outcomes_of(dataclasses.replace(setup, games=1), by_strength(1, 0, 0, 0))[:games * setup.players]
    table = table_of(setup, outcomes)
    data = json.loads(json.dumps(table.to_json(), allow_nan=False))
    assert data["blocks"] == games
    for standing in table.agents:
        assert 0 <= standing.ci95[0] <= standing.win_share <= standing.ci95[1] <= 1
        assert standing.ci95[1] - standing.ci95[0] > 0.3
        assert standing.elo_ci95[1] - standing.elo_ci95[0] > 150
        if not standing.games:
            assert (standing.win_share, standing.ci95, standing.mean_score) == (0, (0, 1), None)
    assert 0 < table.seat_p <= 1


def test_unfinished_blocks_are_left_out():
    setup = setup_of()
    outcomes = outcomes_of(setup, by_strength(0.5, 0.2, 0, -0.5))
    table = table_of(setup, outcomes[:-1])
    assert (table.games, table.loose) == (57, 2)
    assert table.agents == table_of(setup, outcomes[:-3]).agents


def test_the_same_games_give_the_same_table():
    setup = setup_of()
    outcomes = outcomes_of(setup, by_strength(0.5, 0.2, 0, -0.5))
    table = table_of(setup, outcomes)
    assert table == table_of(setup, outcomes[::-1])
    other = evaluate(Tally.of(outcomes, 3), dataclasses.replace(setup, seed=6))
    assert [agent.elo for agent in other.agents] == [agent.elo for agent in table.agents]
    assert [agent.elo_ci95 for agent in other.agents] != [agent.elo_ci95 for agent in table.agents]
    assert [agent.ci95 for agent in other.agents] != [agent.ci95 for agent in table.agents]


def test_the_sequential_test_is_reported():
    setup = setup_of(2, 2, 200, game="kuhn_poker")
    outcomes = outcomes_of(setup, by_strength(2.0, 0.0))
    table = table_of(setup, outcomes, sprt=SprtOptions())
    assert table.sprt.verdict == "H1"
    assert table.sprt.blocks < 100
    assert table.sprt.text.startswith("random is stronger than greedy")
    assert table_of(setup, outcomes).sprt is None
    with pytest.raises(InvalidOption):
        table_of(setup_of(), [], sprt=SprtOptions())


def test_a_real_game_from_the_table_to_the_table():
    """The game is Kuhn poker, random against random."""
    setup = Setup("kuhn_poker", 1, 2, ("random", "random"), 40, 3)
    schedule, outcomes = Schedule(setup), []
    for block, rotation in itertools.product(schedule, range(2)):
        record = sfida.play(setup.game, list(setup.agents), schedule.game_seed(block.index, rotation))
        result = record.result
        outcomes.append(GameOutcome(block.index, rotation, block.seating(rotation), record, result.utilities,
                                    result.ranks, result.scores, (2, 2), (0.1, 0.1), 0.2))
    table = table_of(setup, outcomes)
    wins = sum(game.utilities[game.agents.index(0)] for game in outcomes)
    assert table.agents[0].win_share == pytest.approx(wins / 40)
    ahead = [0.5 + 0.5 * np.sign(game.ranks[game.agents.index(1)] - game.ranks[game.agents.index(0)])
             for game in outcomes]
    assert table.pairs[0].score == pytest.approx(np.mean(ahead))
    assert table.pairs[0].expected == pytest.approx(np.mean(ahead), abs=0.02)
    assert table.agents[0].mean_score == pytest.approx(-table.agents[1].mean_score)
