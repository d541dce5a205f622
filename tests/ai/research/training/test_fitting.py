"""The fit of a network: known weights, held-out games, and the effect of whole numbers."""

import dataclasses

import numpy as np
import pytest

from sfida.ai.research.training.fitting import (
    MOST_ERROR, FeatureScale, FitOptions, Network, cross_entropy, fit, held_out_games, largest_error, quantised
)
from sfida.ai.research.training.positions import PositionSet
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.learned import Learned

GAMES, LENGTH, SEATS = 300, 20, 3
SPREAD = np.array([1.0, 30.0, 0.01, 5.0])       # each feature has its own unit
WEIGHTS = np.array([1.5, -0.7, 0.0, 0.4]) / SPREAD


def drawn(shares_of, seed=1, games=GAMES):
    """Return positions with random features and results drawn from the given shares."""
    rng = np.random.default_rng(seed)
    n = games * LENGTH
    x = 10 + rng.normal(size=(n, SEATS, len(SPREAD))) * SPREAD
    shares = shares_of(x)
    result = np.eye(SEATS)[(shares.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)]
    return PositionSet(*(array.astype(np.float32) for array in (x, shares, np.full((n, SEATS), np.nan), result)),
                       game=np.arange(n) // LENGTH)


def linear(x):
    logits = x @ WEIGHTS
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def bent(x):
    """Return shares beyond a linear network: they depend on the distance of the first feature from its mean."""
    weights = np.exp(2 * np.abs((x - 10) / SPREAD)[..., 0])
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.fixture(scope="module")
def positions():
    return drawn(linear)


def tabled(found):
    return Learned("toy", 1, [f"f{i}" for i in range(len(SPREAD))], {SEATS: quantised(found, SEATS)})


def test_known_weights_are_found_again(positions):
    found = fit(positions, FitOptions(hidden=0, mix=1.0), 1)
    own, other = np.split(found.network.direct.astype(float) * np.tile(found.scale.gain / 256, 2), 2)
    assert (own - other) * SPREAD == pytest.approx(WEIGHTS * SPREAD, abs=0.1)


def test_the_gradient_is_that_of_the_loss():
    rng = np.random.default_rng(3)
    network = Network(*(rng.normal(size=shape).astype(np.float64) for shape in ((5, 8), 5, 5, 8)))
    inputs, target = rng.normal(size=(7, SEATS, 8)), rng.dirichlet(np.ones(SEATS), 7)
    step = 1e-6
    for name, gradient in vars(network.gradient(inputs, target)).items():
        for place in np.ndindex(gradient.shape):
            ends = []
            for sign in (1, -1):
                moved = getattr(network, name).copy()
                moved[place] += sign * step
                ends.append(cross_entropy(dataclasses.replace(network, **{name: moved}).shares(inputs), target))
            assert gradient[place] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-6)


def test_hidden_units_learn_what_a_line_cannot():
    curved = drawn(bent)
    least = cross_entropy(curved.value, curved.result)
    line, network = (fit(curved, FitOptions(hidden=hidden, mix=1.0), 1).result_loss for hidden in (0, 8))
    assert line > least + 0.2
    assert network < least + 0.06


def test_a_fit_does_better_than_equal_shares_and_repeats(positions):
    once, again = (fit(positions, FitOptions(hidden=4), 5) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(once.network.arrays(), again.network.arrays(), strict=True))
    assert once.result_loss < np.log(SEATS) - 0.2
    other = fit(positions, FitOptions(hidden=4), 6)
    assert not np.array_equal(other.network.direct, once.network.direct)


def test_games_are_held_out_whole():
    chosen = held_out_games(50, np.random.default_rng(1))
    assert chosen.sum() == 5
    # The features of a game determine its results, so a fit that saw part of a game would know the rest.
    rng = np.random.default_rng(2)
    x = np.repeat(rng.normal(size=(60, 2, 40)), 30, axis=0)
    result = np.repeat(np.eye(2)[rng.integers(2, size=60)], 30, axis=0)
    told = PositionSet(*(array.astype(np.float32) for array in (x, result, np.full((1800, 2), np.nan), result)),
                       game=np.arange(1800) // 30)
    found = fit(told, FitOptions(hidden=0), 1)
    assert found.held_out == 180
    assert found.loss > 0.6, "nothing can be learned about a game from other games"


@pytest.mark.parametrize("hidden", [0, 24])
def test_whole_numbers_change_little(positions, hidden):
    found = fit(positions, FitOptions(hidden=hidden), 1)
    assert largest_error(tabled(found), found, positions.features) < 0.003


def test_large_weights_still_fit_into_whole_numbers(positions):
    found = fit(positions, FitOptions(hidden=3, epochs=1), 1)
    large = dataclasses.replace(found, network=dataclasses.replace(
        found.network, first=found.network.first * 200, direct=found.network.direct + np.float32(300)))
    learned = tabled(large)
    assert max(map(abs, learned.tables[SEATS]["W1"][0])) > 100
    assert largest_error(learned, large, positions.features) < MOST_ERROR


def test_a_feature_that_never_changes_counts_nothing(positions):
    x = positions.features.copy()
    x[..., 1] = 7.0
    scale = FeatureScale.of(x)
    assert scale.gain[1] == 0.0
    assert not scale.inputs(x)[..., [1, 5]].any()


def test_too_few_games_are_refused(positions):
    few = positions.take(positions.game < 3)
    with pytest.raises(InvalidRecord, match="3 finished games are too few"):
        fit(few, FitOptions(), 1)


def test_the_target_is_mixed(positions):
    assert positions.target(1.0) == pytest.approx(positions.result)
    assert positions.target(0.25) == pytest.approx(0.25 * positions.result + 0.75 * positions.value)
