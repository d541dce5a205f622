"""Profiles of searches: their counts, on any number of threads."""

from __future__ import annotations

import pytest

from sfida.ai.research.profiling import profile
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.measure import count_moves
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.search import Search
from sfida.engines.registry import make_game
from support.stopping import timed
from support.toys import ChanceNim, Dice, NimOptions

STEPS = {"determinize", "select", "expand", "playout", "backup"}
AGENTS = ["ismcts:iterations=150", "mo-ismcts:iterations=150", "pimc:iterations=150,worlds=3", "ismcts",
          "ismcts:iterations=150,batch=1"]


def measured(game="kuhn_poker", agent="ismcts:iterations=150", seconds=0.02, threads=None, seed=0):
    return profile(make_game(game), agent, seconds, threads, seed)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", ["leduc_poker", "carcassonne"])
def test_counts_agree_with_each_other(game, agent):
    (row,) = measured(game, agent)
    assert set(row["share"]) == STEPS
    assert sum(row["share"].values()) == pytest.approx(1.0)
    assert all(share > 0.0 for share in row["share"].values())
    assert 0.0 < row["busy"] <= 1.0
    assert sum(row["depths"].values()) == row["iterations"]
    assert sum(int(depth.rstrip("+")) * count for depth, count in row["depths"].items()) == pytest.approx(
        row["depth_mean"] * row["iterations"])
    assert str(row["depth_max"]) == list(row["depths"])[-1]
    assert sum(row["branchings"].values()) <= row["depth_mean"] * row["iterations"] * (1 + 1e-9)
    rounding = 0.5 / row["nodes"] + 0.5 / row["tree_bytes"]         # both are means, shown as whole numbers
    assert row["bytes_per_node"] == pytest.approx(row["tree_bytes"] / row["nodes"], rel=1.1 * rounding)
    assert 0.0 < row["arena_load"] < 1.0
    assert 0.0 <= row["map_load"] < 1.0
    assert row["playout_us"] > 0.0
    assert row["iterations_per_s"] > 0.0


@timed
def test_an_iteration_budget_is_that_of_every_search():
    (row,) = measured("leduc_poker", "ismcts:iterations=70", 0.2)
    assert row["searches"] >= 1           # a busy machine has time for one
    assert row["iterations"] == 70 * row["searches"]


@timed
def test_pimc_searches_the_worlds_of_every_position():
    (row,) = measured("leduc_poker", "pimc:iterations=60,worlds=5", 0.5)
    assert row["searches"] >= 20
    assert row["iterations"] == 12 * row["searches"]
    (row,) = measured("tic_tac_toe", "pimc:iterations=60,worlds=5", 0.02)      # nothing hidden: one world
    assert row["iterations"] == 60 * row["searches"]


def test_branchings_are_numbers_of_moves():
    (row,) = measured("tic_tac_toe", "ismcts:iterations=400")
    assert list(row["branchings"]) == ["1", "2", "3-4", "5-8", "9-16"][:len(row["branchings"])]
    assert row["branchings"]["5-8"] > 0
    (row,) = measured("kuhn_poker", "mo-ismcts:iterations=100")
    assert row["branchings"]["2"] > 0
    assert set(row["branchings"]) <= {"1", "2"}                 # no seat ever has more than two moves


# ---- playouts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [{}, {"batch": 8}])
def test_moves_in_the_tree_and_of_playouts_make_the_game(parameters):
    state = Dice().initial_state()                              # four decisions, and a roll after each
    search = Search(state.view(0), 1, **parameters)
    search.run(iterations=60)
    found = search.statistics()
    assert 0.0 < found["playout_moves"] < 4.0
    assert found["depth_mean"] + found["playout_moves"] == pytest.approx(4.0)


def test_moves_of_whole_playouts_are_those_of_random_games():
    state = make_game("carcassonne").initial_state()
    while state.is_chance:
        state.apply(state.sample_chance(Random(1)))
    decisions, _, _ = count_moves(state, Random(2), 300)
    search = Search(state.view(state.to_move), 1)
    search.run(iterations=300)
    found = search.statistics()
    # a game's decisions have a standard deviation of 3.5, so means of 300 games differ by 2 never
    assert found["depth_mean"] + found["playout_moves"] == pytest.approx(decisions / 300, abs=2.0)


def test_a_cutoff_ends_playouts():
    (row,) = measured("carcassonne", "ismcts:iterations=150,cutoff=2")
    assert 2.0 <= row["playout_moves"] <= 5.0                   # a turn has a tile and most often a follower; at most
    (longer,) = measured("carcassonne", "ismcts:iterations=150,cutoff=6")           # one begun in the tree is finished
    assert longer["playout_moves"] > row["playout_moves"] + 4.0


# ---- threads ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["ismcts:iterations=400", "mo-ismcts:iterations=400",
                                   "pimc:iterations=400,worlds=2"])
def test_threads_search_the_same_trees(agent):
    one, three = measured("carcassonne", agent, 0.01, (1, 3))
    assert (one["threads"], three["threads"]) == (1, 3)
    for key in ("searches", "iterations", "depths", "branchings", "nodes", "decision_nodes", "tree_bytes",
                "depth_mean", "depth_max"):
        assert one[key] == three[key], key
    assert sum(three["share"].values()) == pytest.approx(1.0)
    assert 0.0 < three["busy"] <= 1.0


def test_speed_is_told_against_one_thread():
    one, two = measured(threads=(1, 2))
    assert one["speedup"] == 1.0
    assert (one["at_will_per_s"], one["at_will_speedup"], one["side_by_side_speedup"]) == (None, None, None)
    assert two["side_by_side_speedup"] > 0.0
    assert two["speedup"] == pytest.approx(two["iterations_per_s"] / one["iterations_per_s"])
    assert two["at_will_speedup"] == pytest.approx(two["at_will_per_s"] / one["iterations_per_s"])
    assert [row["recommended"] for row in (one, two)].count(True) == 1


def test_one_thread_need_not_be_asked_for():
    (two,) = measured(threads=(2,))
    assert two["threads"] == 2
    assert two["speedup"] > 0.0
    assert two["speedup"] != 1.0
    assert two["recommended"]


def test_the_threads_of_the_agent_are_measured_unless_others_are_asked_for():
    assert [row["threads"] for row in measured(agent="ismcts:threads=2")] == [1, 2]
    assert [row["threads"] for row in measured(agent="ismcts:threads=2", threads=(3, 3))] == [3]
    assert [row["threads"] for row in measured(agent="ismcts")] == [1]


# ---- the cost of calls and the gain of speed ----------------------------------------------------------


def test_calls_of_the_game():
    always = {"clone", "legal", "candidates", "apply", "determinize", "label", "playout"}
    (row,) = measured("carcassonne")
    assert set(row["calls_ns"]) == always | {"evaluate", "priors"}
    assert all(cost >= 0.0 for cost in row["calls_ns"].values())
    assert row["calls_ns"]["playout"] == pytest.approx(1000 * row["playout_us"])
    (row,) = measured("tic_tac_toe")
    assert set(row["calls_ns"]) == always


def test_speed_in_elo_where_doublings_were_measured():
    one, two = measured("carcassonne", "ismcts:iterations=250", threads=(1, 2))
    assert (one["elo"], one["elo_ci95"]) == (0.0, [0.0, 0.0])
    assert two["elo_from"] == one["elo_from"] == 250
    assert two["elo_missing"] is None
    assert (two["elo"] > 0.0) == (two["speedup"] > 1.0)
    assert two["elo_ci95"][0] <= two["elo"] <= two["elo_ci95"][1]
    assert two["elo_per_doubling"][0]["iterations"] == 250
    (by_time,) = measured("carcassonne", "ismcts:seconds=0.5")
    assert by_time["elo_from"] == pytest.approx(0.5 * by_time["iterations_per_s"], rel=1e-3)
    (unlimited,) = measured("carcassonne", "ismcts")
    assert unlimited["elo_from"] == pytest.approx(unlimited["iterations_per_s"], rel=1e-3)


def test_no_elo_without_a_measured_table():
    (row,) = measured("kuhn_poker")
    assert row["elo"] is row["elo_ci95"] is row["elo_per_doubling"] is None
    assert "has not been measured" in row["elo_missing"]


# ---- memory and errors --------------------------------------------------------------------------------


def test_a_full_memory_is_told():
    (row,) = measured("carcassonne", "ismcts:iterations=9000,memory=1", 0.01)
    assert row["memory_full"]
    (row,) = measured("carcassonne", "ismcts:iterations=100", 0.01)
    assert not row["memory_full"]


@pytest.mark.parametrize(("agent", "threads", "why"), [
    ("greedy", None, "only agents that search a tree"),
    ("flat", None, "only agents that search a tree"),
    ("ismcts:cutoff=3", None, "no evaluation"),
    ("ismcts", (), "numbers from 1 to 64"),
    ("ismcts", (1, 0), "numbers from 1 to 64"),
    ("ismcts", (65,), "numbers from 1 to 64"),
])
def test_mistakes_are_one_line(agent, threads, why):
    with pytest.raises(InvalidOption, match=why) as caught:
        measured(agent=agent, threads=threads)
    assert "\n" not in str(caught.value)


def test_a_game_without_a_choice_cannot_be_profiled():
    with pytest.raises(InvalidOption, match="nothing to search"):
        profile(ChanceNim(NimOptions(pile=1)), "ismcts", 0.02)
