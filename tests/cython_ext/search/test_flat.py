"""Flat Monte Carlo: sequential halving spends exactly its budget, UCB1 follows the rewards."""

import math
import signal
import time
from collections import Counter

import pytest

import sfida
from sfida.cython_ext.search.flat import FlatSearch
from support.stopping import soon_after
from support.toys import ARMS, Arms, ArmsOptions, margin_reward


def arms(players=2, **parameters):
    return FlatSearch(Arms(ArmsOptions(players=players)).initial_state().view(0), 1, **parameters)


def carcassonne():
    state = sfida.make("carcassonne")
    state.apply(state.legal_moves()[0])
    return state


@pytest.mark.parametrize("iterations", [1, 7, 19, 100, 101, 999, 2000])
def test_halving_spends_exactly_its_budget(iterations):
    search = arms()
    assert search.halve(iterations) == "iterations"
    assert search.iterations == iterations
    assert sum(row["visits"] for row in search.rows()) == iterations


def test_halving_keeps_the_better_half_each_round():
    """20 moves go through 5 rounds of 400 playouts: 20, 10, 5, 3 and 2 moves take part, and 1 remains."""
    search = arms()
    search.halve(2000)
    rows = search.rows()
    assert Counter(row["survived"] for row in rows) == {0: 10, 1: 5, 2: 2, 3: 1, 4: 1, 5: 1}
    best_first = sorted(rows, key=lambda row: -row["survived"])
    assert best_first[0]["move"] == ARMS - 1
    assert {row["move"] for row in rows if row["survived"]} == set(range(10, 20))
    for row in rows:
        spent = sum(400 // alive for alive in (20, 10, 5, 3, 2)[:row["survived"] + 1])
        assert row["visits"] == pytest.approx(spent, abs=2)


def test_every_move_is_tried_when_the_budget_allows():
    search = arms()
    search.halve(ARMS * 5)                              # one playout per move in the first of five rounds
    assert min(row["visits"] for row in search.rows()) == 1


def test_one_move_takes_the_whole_budget():
    state = sfida.make("tic_tac_toe")
    for text in ("a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3"):
        state.apply(state.parse(text))
    search = FlatSearch(state.view(state.to_move), 1)
    search.halve(10)
    assert [row["visits"] for row in search.rows()] == [10]


def test_ucb_tries_every_move_and_follows_the_rewards():
    search = arms()
    assert search.bandit(60.0, 3000, 0.2) == "iterations"
    assert search.iterations == 3000
    rows = search.rows()
    assert min(row["visits"] for row in rows) >= 1
    assert max(rows, key=lambda row: row["visits"])["move"] == ARMS - 1
    assert max(row["visits"] for row in rows) > 1500
    wide = arms()
    wide.bandit(60.0, 3000, 5.0)
    assert max(row["visits"] for row in wide.rows()) < 500              # more exploration spreads them


def test_ucb_keeps_a_time_budget():
    state = carcassonne()
    search = FlatSearch(state.view(state.to_move), 1)
    started = time.perf_counter()
    assert search.bandit(0.2, None, 0.7) == "seconds"
    assert 0.2 <= time.perf_counter() - started < 10
    assert search.iterations > 10


def test_rewards_are_blended_and_shares_are_not():
    search = arms(players=3, blend=0.4, tau=15.0)
    search.halve(200)
    for row in search.rows():
        share = row["move"] / ARMS
        if row["visits"]:
            assert row["mean"] == pytest.approx(margin_reward(share, 3 * row["move"], [30, 40], 0.4, 15.0))
            assert row["value"] == pytest.approx([share, (1 - share) / 2, (1 - share) / 2])
            assert row["deviation"] == pytest.approx(0, abs=1e-6)


def test_the_seed_decides_everything():
    view = carcassonne().view(0)

    def rows(seed):
        search = FlatSearch(view, seed)
        search.halve(500)
        return search.rows()

    assert rows(1) == rows(1) != rows(2)


def test_deviation_is_that_of_the_rewards():
    """A win with probability p, otherwise a loss, has the standard deviation sqrt(p (1 - p)), ignoring draws."""
    state = sfida.make("phantom_tic_tac_toe")
    search = FlatSearch(state.view(0), 1)
    search.halve(900)
    for row in search.rows():
        bound = math.sqrt(row["mean"] * (1 - row["mean"]))
        assert 0.5 * bound <= row["deviation"] <= bound + 1e-9


@pytest.mark.parametrize("spec", ["flat:iterations=1000000000", "flat:seconds=60"])
def test_a_flat_search_can_be_cancelled_and_interrupted(spec):
    agent, view = sfida.agent(spec, seed=1), carcassonne().view(0)
    for stop, interrupted in ((agent.cancel, False), (lambda: signal.raise_signal(signal.SIGINT), True)):
        stopper = soon_after(lambda: agent.latest and agent.latest.iterations, stop)
        if interrupted:
            with pytest.raises(KeyboardInterrupt):
                agent.analyze(view)
        else:
            found = agent.analyze(view)
            assert found.stopped == "cancelled"
            assert found.iterations > 0
            assert found.best.code in view.legal_moves()
        stopper.join()


def test_flat_finds_a_win():
    state = sfida.make("tic_tac_toe")
    for text in ("a1", "b3", "b1", "c3"):
        state.apply(state.parse(text))
    for spec in ("flat:iterations=200", "flat:seconds=0.05"):
        assert state.format(sfida.agent(spec, seed=1).choose(state.view(0))) == "c1"
