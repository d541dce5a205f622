"""Win probabilities of searches, calibrated to agree with results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfida
from sfida.ai.search import calibrated
from sfida.cython_ext.rng import Random

SHARES = st.lists(st.floats(0.001, 1.0), min_size=2, max_size=6).map(lambda xs: [x / sum(xs) for x in xs])


@given(SHARES, st.floats(0.1, 10.0))
def test_shares_keep_their_sum_and_their_order(shares, power):
    told = calibrated(shares, power)
    assert sum(told) == pytest.approx(1.0)
    for a, x in zip(shares, told, strict=True):
        for b, y in zip(shares, told, strict=True):
            assert (a - b) * (x - y) >= -1e-15


@given(st.integers(2, 6), st.floats(0.1, 10.0))
def test_even_stays_even_and_what_is_certain_stays_certain(players, power):
    assert calibrated([1 / players] * players, power) == pytest.approx([1 / players] * players)
    assert calibrated([1.0] + [0.0] * (players - 1), power) == (1.0, *[0.0] * (players - 1))


def test_a_power_below_one_says_less():
    assert calibrated([0.9, 0.1], 0.5) == pytest.approx([0.75, 0.25])


def analysis(spec):
    state = sfida.make("carcassonne:players=2")
    rng = Random(3)
    for _ in range(60):
        state.apply(state.sample_chance(rng) if state.is_chance else state.legal_moves()[0])
    while state.is_chance or len(state.legal_moves()) == 1:
        state.apply(state.sample_chance(rng) if state.is_chance else state.legal_moves()[0])
    return sfida.agent(spec, seed=5).analyze(state.view(state.to_move))


def test_the_game_says_how_sure_its_searches_are_and_an_agent_may_say_otherwise():
    raw = analysis("ismcts:iterations=200,calibration=1")
    game = sfida.make("carcassonne:players=2").game
    own = game.search_settings(game.knowledge)["calibration"]
    assert own != 1.0
    for spec, power in (("ismcts:iterations=200", own), ("ismcts:iterations=200,calibration=2", 2.0)):
        told = analysis(spec)
        assert [move.move for move in told.moves] == [move.move for move in raw.moves]
        assert told.value == pytest.approx(calibrated(raw.value, power))
        assert told.best.values == pytest.approx(calibrated(raw.best.values, power))
        assert told.best.value == told.best.values[told.seat]
        assert told.best.lcb == raw.best.lcb


def test_progress_says_what_the_end_says():
    state = sfida.make("leduc_poker")
    while state.is_chance:
        state.apply(state.sample_chance(Random(3)))
    heard = []
    agent = sfida.agent("ismcts:iterations=300000,calibration=3,early_stop=false", seed=5)
    agent.on_progress = heard.append
    found = agent.analyze(state.view(state.to_move))
    last = next(move for move in found.moves if move.move == heard[-1].best)
    assert heard[-1].win == pytest.approx(last.value, abs=0.02)
    assert last.value != pytest.approx(calibrated(last.values, 1 / 3)[found.seat], abs=0.04)    # the raw value
