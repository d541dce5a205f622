"""Tournaments: whole blocks, the same table however they are played, and no finished game lost."""

import dataclasses
import re

import pytest

import sfida
from sfida.ai.arena.schedule import Schedule
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.arena.store import Store
from sfida.ai.arena.tournament import Tournament, table_of
from sfida.ai.seat import Seat
from sfida.cython_ext.state import View

AGENTS = ("greedy", "random", "ismcts:iterations=20")
PLAIN = {"adjusted": False}         # other files test luck, and measuring it takes longer than the games


class Folder:
    """Passes whenever it may: loses Kuhn poker slowly."""

    spec = "folder"

    def choose(self, view: View) -> int:
        return view.legal_moves()[0]


@pytest.fixture(scope="module")
def three():
    return sfida.tournament("carcassonne:players=3", AGENTS, 12, seed=4, **PLAIN)


def test_blocks_turn_the_seats_and_keep_the_luck(three):
    assert [(game.block, game.rotation) for game in three.outcomes] == [(b, r) for b in range(4) for r in range(3)]
    for block in range(4):
        games = three.outcomes[3 * block:3 * block + 3]
        for agent in range(3):
            assert sorted(game.agents.index(agent) for game in games) == [0, 1, 2]
        tiles = {tuple(game.record.moves[i].lstrip("!") for i in game.record.chance) for game in games}
        assert len(tiles) == 1
        assert len({game.record.moves for game in games}) == 3
    assert len({game.record.extra["chance_seed"] for game in three.outcomes}) == 4


def test_every_game_is_recorded_and_replays(three):
    for game in three.outcomes:
        record = sfida.GameRecord.from_json_line(game.record.to_json_line())
        assert record.replay().is_over
        assert record.seats == tuple(AGENTS[agent] for agent in game.agents)
        assert record.result.utilities == game.utilities
        assert sum(game.decisions) == len(record.moves) - len(record.chance)


def test_figures_are_those_of_the_games(three):
    for index, agent in enumerate(three.standings.agents):
        seats = [(game, game.agents.index(index)) for game in three.outcomes]
        assert agent.agent == AGENTS[index]
        assert agent.games == 12
        assert agent.win_share == pytest.approx(sum(game.utilities[seat] for game, seat in seats) / 12)
        assert agent.mean_rank == pytest.approx(sum(game.ranks[seat] for game, seat in seats) / 12)
        assert agent.mean_score == pytest.approx(sum(game.scores[seat] for game, seat in seats) / 12)
        assert agent.ci95[0] <= agent.win_share <= agent.ci95[1]
        assert agent.elo_ci95[0] < agent.elo < agent.elo_ci95[1]
        assert agent.ms_per_move > 0


@pytest.mark.parametrize("how", [{"jobs": 2}, {"jobs": 2, "backend": "threading"}])
def test_the_table_and_the_games_are_the_same_however_many_play(three, how):
    other = sfida.tournament("carcassonne:players=3", AGENTS, 12, seed=4, **how, **PLAIN)
    assert other == three
    assert [game.record for game in other.outcomes] == [game.record for game in three.outcomes]


def test_a_dask_cluster_of_two_workers_gives_the_same_table(three):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  silence_logs=50) as cluster:
        other = sfida.tournament("carcassonne:players=3", AGENTS, 12, seed=4, backend="dask",
                                 cluster=cluster.scheduler_address, **PLAIN)
    assert other == three


def test_another_seed_is_another_tournament(three):
    assert sfida.tournament("carcassonne:players=3", AGENTS, 3, seed=5, **PLAIN).outcomes[0] != three.outcomes[0]


def test_seeds_are_drawn_and_told_where_none_is_given():
    first, second = (sfida.tournament("tic_tac_toe", ["random", "random"], 2) for _ in range(2))
    assert first.standings.seed != second.standings.seed
    assert sfida.tournament("tic_tac_toe", ["random", "random"], 2, first.standings.seed) == first


def test_agents_of_ones_own_may_sit():
    result = sfida.tournament("leduc_poker", ["random", Folder()], 10, seed=4)
    assert [agent.agent for agent in result.standings.agents] == ["random", "folder"]
    assert result.standings.games == 10


def test_the_same_agent_twice_is_two_agents():
    result = sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1)
    assert [agent.label for agent in result.standings.agents] == ["random", "random (2)"]
    assert sum(agent.win_share for agent in result.standings.agents) == pytest.approx(1)


def test_a_gauntlet_of_four_seats_has_one_against_three():
    result = sfida.tournament("carcassonne:players=4", ["greedy", "random"], 8, seed=1, mode="gauntlet", **PLAIN)
    assert all(game.agents.count(0) == 1 for game in result.outcomes)
    assert [agent.games for agent in result.standings.agents] == [8, 24]
    mirrored = sfida.tournament("carcassonne:players=4", ["greedy", "random"], 8, seed=1, mode="gauntlet", mirror=True,
                                **PLAIN)
    assert sorted(game.agents.count(0) for game in mirrored.outcomes) == [1] * 4 + [3] * 4


# ---- stores ----------------------------------------------------------------------------------------------


def test_a_tournament_goes_on_where_it_was(tmp_path, three):
    """Games are removed at random, as if several runs had been killed; each run plays only the missing games."""
    whole, torn = tmp_path / "whole.sfida", tmp_path / "torn.sfida"
    planned = Tournament("carcassonne:players=3", AGENTS, 12, 4, **PLAIN)
    assert planned.run(whole) == three.standings
    for kept in ([0, 1, 5, 11], [4], []):
        torn.unlink(missing_ok=True)
        with Store.open(whole) as source, Store.create(torn, planned.setup) as target:
            for number, game in enumerate(source.outcomes()):
                if number in kept:
                    target.add(game)
        told = []
        assert planned.run(torn, resume=True, on_progress=told.append) == three.standings
        assert told[-1].games == told[-1].of == 12
        with Store.open(torn) as store:
            assert [game.record for game in store.outcomes()] == [game.record for game in three.outcomes]


def test_a_whole_store_is_not_played_again(tmp_path, monkeypatch):
    path = tmp_path / "games.sfida"
    first = sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1, store=path)
    monkeypatch.setattr("sfida.ai.arena.tournament.play_block", None)
    assert sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1, store=path, resume=True) == first


def test_more_games_go_on_from_fewer(tmp_path):
    path = tmp_path / "games.sfida"
    sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1, store=path)
    longer = sfida.tournament("tic_tac_toe", ["random", "random"], 20, seed=1, store=path, resume=True)
    assert longer == sfida.tournament("tic_tac_toe", ["random", "random"], 20, seed=1)


@pytest.mark.parametrize(("change", "message"), [
    ({"seed": 2}, "seed is 1 there and 2 here"),
    ({"agents": ["random", "greedy"]}, r'agents is \["random", "random"\] there and \["random", "greedy"\] here'),
    ({"game": "kuhn_poker"}, 'game is "tic_tac_toe" there and "kuhn_poker" here'),
    ({"mode": "gauntlet"}, 'mode is "round-robin" there and "gauntlet" here'),
    ({"games": 4}, "a tournament of 6 games there and of 4 here"),
    ({"seed": 2, "mode": "gauntlet"}, 'seed is 1 there and 2 here; mode is "round-robin" there'),
])
def test_a_store_of_another_tournament_is_refused_and_kept(tmp_path, change, message):
    path = tmp_path / "games.sfida"
    usual = {"game": "tic_tac_toe", "agents": ["random", "random"], "games": 6, "seed": 1}
    sfida.tournament(**usual, store=path)
    with pytest.raises(sfida.InvalidRecord, match=message):
        sfida.tournament(**{**usual, **change}, store=path, resume=True)
    with Store.open(path) as store:
        assert len(store) == 6
        assert store.header["games"] == 6


def test_a_store_whose_games_have_other_seeds_is_read_and_not_gone_on_with(tmp_path):
    path = tmp_path / "games.sfida"
    result = sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1, store=path)
    with Store.open(path) as store:
        store.note("schedule", Schedule(store.setup).older_digests[0])      # as an earlier version would have written
    with pytest.raises(sfida.InvalidRecord, match=r"the seeds of another version .* can be read, not gone on with$"):
        sfida.tournament("tic_tac_toe", ["random", "random"], 10, seed=1, store=path, resume=True)
    with Store.open(path) as store:
        assert table_of(store) == result.standings


def test_a_store_is_never_overwritten(tmp_path):
    path = tmp_path / "games.sfida"
    sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1, store=path)
    with pytest.raises(sfida.InvalidRecord, match="the file exists already"):
        sfida.tournament("tic_tac_toe", ["random", "random"], 6, seed=1, store=path)


# ---- sequential tests ------------------------------------------------------------------------------------


def test_a_sequential_test_ends_the_tournament_at_the_same_block_for_any_number_of_jobs(tmp_path):
    tables = [sfida.tournament("carcassonne", ["greedy", "random"], 200, seed=3, sprt="elo0=0,elo1=50", jobs=jobs,
                               **PLAIN)
              for jobs in (1, 2)]
    assert tables[0] == tables[1]
    table = tables[0].standings
    assert table.blocks == 30                       # the least number of blocks for a decision
    assert table.sprt.verdict == "H1"
    assert "greedy is stronger than random" in table.sprt.text


def test_games_beyond_the_decision_do_not_count(tmp_path):
    path = tmp_path / "games.sfida"
    free = Tournament("carcassonne", ["greedy", "random"], 80, 3, **PLAIN)
    free.run(path)
    tested = dataclasses.replace(free.setup, games=80)
    with Store.open(path) as store:
        store.note("sprt", "elo0=0,elo1=50")
        assert store.setup == tested
        assert table_of(store).blocks == 30
        assert len(store) == 80


def test_without_a_number_of_games_the_test_may_take_four_times_what_it_should():
    planned = Tournament("tic_tac_toe", ["random", "random"], sprt=SprtOptions.parse("elo0=0,elo1=50"))
    assert planned.setup.games > 400
    assert Tournament("tic_tac_toe", ["random", "random"]).setup.games == 200


def test_a_sequential_test_needs_a_comparison():
    with pytest.raises(sfida.InvalidOption, match="needs two agents or mode=gauntlet"):
        sfida.tournament("tic_tac_toe", ["random"] * 3, 6, sprt="elo0=0,elo1=50")


# ---- arguments -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("arguments", "message"), [
    ({"games": 0}, "the number of games must be a whole number of at least 1, not 0"),
    ({"jobs": 0}, "the number of jobs must be a whole number of at least 1, not 0"),
    ({"seed": -1}, "a seed must be a whole number"),
    ({"agents": ["random"]}, "a tournament needs at least two agents, not 1"),
    ({"agents": "random"}, "a tournament needs a list of agents, not 'random'"),
    ({"agents": ["random", "human"]}, "'human' cannot sit in a tournament"),
    ({"agents": ["random", "ismcts:cutoff=2"]}, "the game 'tic_tac_toe' has no evaluation"),
    ({"mode": "swiss"}, "the mode must be round-robin or gauntlet, not 'swiss'"),
    ({"mirror": True}, "mirrored line-ups belong to a gauntlet"),
    ({"backend": "slurm"}, "the backend must be loky, threading, dask or ray, not 'slurm'"),
    ({"backend": "dask"}, "the backend dask needs a running cluster"),
    ({"observers": [object()]}, "an observer needs a method on_move or on_game_end; object has neither"),
    ({"resume": True}, "to resume, say which store"),
])
def test_wrong_arguments(arguments, message, monkeypatch):
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    usual = {"game": "tic_tac_toe", "agents": ["random", "random"], "games": 2}
    with pytest.raises(sfida.InvalidOption, match=message):
        sfida.tournament(**{**usual, **arguments})


def test_time_budgets_are_warned_about_when_jobs_exceed_cores():
    planned = Tournament("tic_tac_toe", ["random", "ismcts:seconds=0.01"], 2)
    (caution,) = planned.cautions(1000)
    assert re.match(r"1000 jobs share \d+ cores: agents with a time budget \(ismcts:seconds=0.01\)", caution)
    assert Tournament("tic_tac_toe", ["random", "ismcts:iterations=10"], 2).cautions(1000) == []
    assert planned.cautions(1) == []


THINKS = [                      # agents, and their most seconds per decision; None: no limit by the clock
    ("random", None), ("greedy", None), ("level:7", None), ("flat", None), ("ismcts:iterations=10,beliefs=8", None),
    ("flat:seconds=20", 20), ("pimc:seconds=20", 20), ("pimc:seconds=20,worlds=10000", 20),
    ("ismcts:seconds=20", 30), ("ismcts:seconds=20,extend=0", 20), ("ismcts:seconds=20,extend=10", 220),
    ("ismcts:seconds=20,iterations=5", 30), ("mo-ismcts:seconds=20,beliefs=8", 30),
    ("ismcts:clock=9000", 9000), ("pimc:clock=9000+5", 9005), ("mo-ismcts:clock=1+70", 71),
    ("ismcts:clock=300,seconds=20", 30), ("ismcts:clock=25,seconds=20", 25), ("ismcts:clock=300,iterations=10", 300),
    ("exec:sfida engine --agent ismcts:seconds=20", 30), ("exec:sfida engine --agent=ismcts:clock=300", 300),
    ("exec:sh -c 'exec sfida engine --agent pimc:seconds=20'", 20), ("exec:sfida engine", None),
    ("exec:sfida engine --agent random", None), ("exec:sh -c 'other engine --agent fast'", None), ("socket:4000", None)]


@pytest.mark.parametrize(("spec", "longest"), THINKS)
def test_how_long_an_agent_may_think_is_known_in_one_place(spec, longest):
    assert Seat(sfida.agent(spec)).longest == longest
    planned = Tournament("tic_tac_toe", ["random", spec], 2)
    assert planned.limit == max(60.0, 5 * (longest or 0.0))
    assert bool(planned.cautions(1000)) == (longest is not None)
    if longest is None:
        assert Tournament("tic_tac_toe", [spec, "random"], 2, limit=0.1).limit == 0.1
        return
    assert Tournament("tic_tac_toe", [spec, "random"], 2, limit=longest + 0.5).limit == longest + 0.5
    for limit in (1, longest):
        with pytest.raises(sfida.InvalidOption, match=rf"the limit of {limit} s a decision must be more than "):
            Tournament("tic_tac_toe", [spec, "random"], 2, limit=limit)


def test_agents_of_other_packages_say_how_long_they_may_think():
    class Thinker:
        spec = "thinker"
        longest = 100

        def choose(self, view):
            return view.legal_moves()[0]

    assert Tournament("tic_tac_toe", [Thinker(), "random"], 2).limit == 500


def test_limits_that_cannot_be_kept_are_refused():
    with pytest.raises(sfida.InvalidOption, match="at most 1000000000, not 1e"):
        Tournament("tic_tac_toe", ["random", "random"], 2, limit=1e10)
    with pytest.raises(sfida.InvalidOption, match="a clock has at most 100000000 seconds"):
        sfida.agent("ismcts:clock=1000000000")


def test_blocks_of_the_schedule_are_those_played(three):
    schedule = Schedule(three.setup)
    for game in three.outcomes:
        assert game.agents == schedule.block(game.block).seating(game.rotation)
        assert game.record.seed == schedule.game_seed(game.block, game.rotation)
