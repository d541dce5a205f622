"""Resampling whole blocks: right weights, honest intervals, bounded size."""

import numpy as np
import pytest
from scipy.stats import norm, t

from sfida.ai.arena.bootstrap import MOST_UNITS, RESAMPLES, Terms, ratios, resamples_for, tail, units, weights


def shares_of(blocks: np.ndarray, seed: int = 1, resamples: int = RESAMPLES):
    """Return one ratio over equally weighted blocks."""
    count = len(blocks)
    terms = Terms.of(1, count, np.zeros(count, int), np.arange(count), blocks, np.ones(count))
    return ratios(terms, seed, resamples)


def test_every_resample_draws_as_many_blocks_as_there_are():
    chunks = list(weights(7, 5, 1000, held=5000))
    assert len(chunks) > 1
    drawn = np.concatenate(chunks, axis=1)
    assert drawn.shape == (7, 1000)
    assert (drawn.sum(axis=0) == 7).all()
    # Binomial(7, 1/7): mean 1, variance 6/7; 7000 draws leave standard errors of 0.011 and about 0.02.
    assert drawn.mean(axis=1) == pytest.approx(np.ones(7), abs=0.12)
    assert drawn.var() == pytest.approx(6 / 7, abs=0.08)
    again = np.concatenate(list(weights(7, 5, 1000, held=5000)), axis=1)
    assert (drawn == again).all()
    assert (drawn != np.concatenate(list(weights(7, 6, 1000)), axis=1)).any()


def test_intervals_are_those_of_the_textbook_in_large_samples():
    blocks = np.random.default_rng(3).random(400)
    found = shares_of(blocks)
    error = blocks.std() / 20
    assert found.value[0] == pytest.approx(blocks.mean())
    assert found.error[0] == pytest.approx(error, rel=0.05)
    assert found.low[0] == pytest.approx(blocks.mean() - 1.96 * error, abs=0.15 * error)
    assert found.high[0] == pytest.approx(blocks.mean() + 1.96 * error, abs=0.15 * error)


def test_a_ratio_weighs_its_blocks_by_what_they_hold():
    terms = Terms.of(2, 3, np.array([0, 0, 0, 1]), np.array([2, 0, 0, 1]), np.array([1.0, 0, 1, 2]),
                     np.array([1.0, 1, 2, 4]))
    assert terms.ratio.tolist() == [0, 0, 1]
    assert terms.unit.tolist() == [0, 2, 1]
    found = ratios(terms, 1)
    assert found.value.tolist() == [0.5, 0.5]
    # The first ratio is 1/3 in one block and 1 in another, so every resample that draws one of them lies between.
    assert found.low[0] == pytest.approx(1 / 3)
    assert found.high[0] == 1


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_where_all_blocks_agree_the_width_is_that_of_an_unseen_surprise(share):
    found = shares_of(np.full(20, share))
    margin = 1 - 0.025 ** (1 / 20)
    assert found.low[0] == pytest.approx(max(0, share - margin))
    assert found.high[0] == pytest.approx(min(1, share + margin))


def test_what_never_happened_has_the_widest_interval():
    found = ratios(Terms.of(2, 0, *np.zeros((2, 0), int), *np.zeros((2, 0))), 1)
    assert (found.value.tolist(), found.low.tolist(), found.high.tolist()) == ([0, 0], [0, 0], [1, 1])


def test_very_many_blocks_are_taken_with_their_neighbours():
    block = np.arange(12_345)
    unit, count = units(block, len(block))
    assert count == MOST_UNITS
    assert (np.diff(unit) >= 0).all()
    sizes = np.bincount(unit)
    assert len(sizes) == MOST_UNITS
    assert set(sizes.tolist()) == {2, 3}
    assert resamples_for(count) < RESAMPLES
    blocks = np.random.default_rng(3).random(len(block))
    found = shares_of(blocks)
    assert found.error[0] == pytest.approx(blocks.std() / len(block) ** 0.5, rel=0.06)


def test_few_blocks_are_their_own_units():
    assert units(np.arange(4), 4)[0].tolist() == [0, 1, 2, 3]
    assert resamples_for(4) == RESAMPLES
    assert resamples_for(4, 10) == 10


def test_few_blocks_widen_the_interval_as_students_t_does():
    assert tail(1) == 0.025
    assert tail(10) == pytest.approx(norm.cdf(-np.sqrt(10 / 9) * t.ppf(0.975, 9)), rel=0.01)
    assert tail(100) == pytest.approx(norm.cdf(-np.sqrt(100 / 99) * t.ppf(0.975, 99)), rel=0.001)
    assert tail(1_000_000) == pytest.approx(0.025, rel=1e-4)


@pytest.mark.parametrize(("blocks", "least"), [(12, 0.91), (100, 0.925)])
def test_intervals_hold_the_truth_as_often_as_they_say(blocks, least):
    """95 % in theory, somewhat less for few blocks; 400 tournaments leave a standard error of 1.2 %."""
    rng = np.random.default_rng(blocks)
    held = 0
    for nth in range(400):
        wins = rng.binomial(4, rng.beta(0.5, 1.5, blocks)) / 4         # mean 0.25, games of a block alike
        found = shares_of(wins, nth, 500)
        held += found.low[0] <= 0.25 <= found.high[0]
    assert least <= held / 400 <= 0.98
