"""Luck-adjusted shares: the mean stays and the width shrinks, for any value function."""

import numpy as np
import pytest

from sfida.ai.luck.control_variate import FOLDS, Factor, block_sums, in_order, without_luck


def games(blocks, rng, *, lead=0.5, players=2, trust=1.0, known=None, noise=0.0):
    """Return blocks of one game per seat: agent 0 leads, and the luck of each game is known up to noise.

    `known` is a function of the position before the event; it may multiply the luck, but does not know the outcome.
    """
    agent = (np.arange(players)[None, :] + np.tile(np.arange(players), blocks)[:, None]) % players
    block = np.repeat(np.arange(blocks), players)
    position, event = rng.normal(size=agent.shape[0]), rng.normal(size=agent.shape)

    def value(event):
        power = np.exp(1.5 * event)
        return power / power.sum(axis=1, keepdims=True)

    won = (1.5 * event + lead * (agent == 0) + rng.gumbel(size=agent.shape))
    share = (won == won.max(axis=1, keepdims=True)).astype(float)
    luck = trust * (value(event) - value(-event)) / 2           # the opposite luck was equally likely
    if known is not None:
        luck = luck * known(position)[:, None]
    if noise:
        more = noise * rng.normal(size=agent.shape)
        luck = luck + more - more.mean(axis=1, keepdims=True)
    return agent, share, luck, block


def mean_of_first(agent, share):
    return float(share[agent == 0].mean())


VALUES = {
    "as it is": {},
    "far too large": {"trust": 4.0},
    "far too small": {"trust": 0.1},
    "with noise of its own": {"noise": 0.3},
    "nonsense that depends on the position": {"known": lambda position: 3 * position},
    "the wrong sign": {"trust": -1.0},
}


@pytest.mark.parametrize("method", ["folds", "in order"])
@pytest.mark.parametrize("value", VALUES)
def test_the_mean_stays_whatever_the_value_function_says(value, method):
    """400 tournaments of 40 blocks: the difference of the means stays within 4 standard errors.

    Each of the twelve cases would fail by chance in one of 16,000 runs, were the seeds not fixed.
    """
    rng, differences = np.random.default_rng(7), []
    for _ in range(400):
        agent, share, luck, block = games(40, rng, **VALUES[value])
        fair = without_luck(agent, share, luck, block, 40) if method == "folds" else in_order(
            agent, share, luck, block, 2)
        differences.append(mean_of_first(agent, fair) - mean_of_first(agent, share))
    error = np.std(differences) / np.sqrt(len(differences))
    assert abs(np.mean(differences)) < 4 * error
    assert error < 0.005


@pytest.mark.parametrize("method", ["folds", "in order"])
@pytest.mark.parametrize(("value", "low", "high"), [
    ("as it is", 0.5, 0.75), ("far too large", 0.5, 0.8), ("with noise of its own", 0.7, 0.95),
    ("nonsense that depends on the position", 0.97, 1.1), ("the wrong sign", 0.97, 1.03)])
def test_the_better_the_value_function_the_less_results_vary(value, low, high, method):
    agent, share, luck, block = games(2000, np.random.default_rng(3), **VALUES[value])
    fair = without_luck(agent, share, luck, block, 2000) if method == "folds" else in_order(
        agent, share, luck, block, 2)
    assert low < fair[agent == 0].var() / share[agent == 0].var() < high


@pytest.mark.parametrize("players", [2, 4])
def test_shares_of_a_game_still_sum_to_one(players):
    agent, share, luck, block = games(30, np.random.default_rng(5), players=players)
    for fair in (without_luck(agent, share, luck, block, 30), in_order(agent, share, luck, block, players)):
        assert fair.sum(axis=1) == pytest.approx(np.ones(len(fair)))


def test_a_one_sided_match_takes_little_luck_off():
    """An agent that always wins was never lucky, so the factor goes to 0."""
    agent, share, luck, block = games(500, np.random.default_rng(1), lead=50)
    assert share[agent == 0].min() == 1
    fair = without_luck(agent, share, luck, block, 500)
    assert fair[agent == 0].std() < 0.1 * luck.std()


def test_a_factor_comes_from_other_folds():
    """The results of a block do not change its own factor."""
    agent, share, luck, block = games(40, np.random.default_rng(2))
    fair = without_luck(agent, share, luck, block, 40)
    own = block == 7
    changed = share.copy()
    changed[own] += np.where(agent[own] == 0, 0.5, -0.5)
    again = without_luck(agent, changed, luck, block, 40)
    assert (share - fair)[own] == pytest.approx((changed - again)[own])
    others = block % FOLDS != 7 % FOLDS
    assert np.abs((share - fair)[others] - (changed - again)[others]).max() > 1e-9


def test_in_order_later_blocks_change_nothing():
    agent, share, luck, block = games(40, np.random.default_rng(2))
    fair = in_order(agent, share, luck, block, 2)
    for until in (2, 20, 50):
        early = slice(until)
        assert in_order(agent[early], share[early], luck[early], block[early], 2) == pytest.approx(fair[early])
    assert (share - fair)[:2] == pytest.approx(luck[:2])               # nothing is known yet: a factor of 1


def test_a_factor_forgets_what_is_taken_out():
    sums = block_sums(*games(40, np.random.default_rng(2)), 2)
    factor = Factor(2)
    factor.add(sums[:, :20])
    before = factor.value
    factor.add(sums[:, 20:])
    assert factor.value != pytest.approx(before, abs=1e-9)
    factor.add(sums[:, 20:], -1)
    assert factor.value == pytest.approx(before)
    assert Factor(2).value == 1


def test_luck_that_the_rotation_takes_off_is_not_put_back():
    """The games of a block have the same luck by seats: block means must not vary more than before."""
    rng = np.random.default_rng(8)
    agent, _, luck, block = games(400, rng)
    luck = np.repeat(luck[::2], 2, axis=0)
    share = (0.5 + luck + 0.3 * rng.normal(size=luck.shape).round(1)[:, :1] * [1, -1])
    luck = luck + 0.02 * rng.normal(size=luck.shape)[:, :1] * [1, -1]         # the values are slightly wrong
    fair = without_luck(agent, share, luck, block, 400)
    means = [np.bincount(block, (each * (agent == 0)).sum(axis=1)) / 2 for each in (share, fair)]
    assert means[1].var() < 1.03 * means[0].var()


def test_no_games_and_no_luck_are_left_as_they_are():
    nothing = np.zeros((0, 2))
    assert without_luck(nothing.astype(int), nothing, nothing, np.zeros(0, int), 0).shape == (0, 2)
    agent, share, luck, block = games(10, np.random.default_rng(2))
    assert (without_luck(agent, share, 0 * luck, block, 10) == share).all()
