"""Seat effect: the test finds a real effect, and is not fooled by luck that is common to a block."""

import numpy as np
import pytest

from sfida.ai.arena.bootstrap import seat_effect


def games(blocks, players, advantage, luck, rng):
    """Return games of equal agents; the first seat is stronger, and each seat of a block has its own lognormal luck."""
    speed = np.zeros(players)
    speed[0] = advantage
    common = luck * rng.normal(size=(blocks, 1, players))
    won = (speed + common + rng.gumbel(size=(blocks, players, players))).argmax(axis=2).ravel()
    return np.eye(players)[won], np.repeat(np.arange(blocks), players)


def test_shares_are_means_with_intervals():
    utility = np.array([[1, 0], [0.5, 0.5], [0, 1], [1, 0]])
    found = seat_effect(utility, np.array([0, 0, 1, 1]), 1)
    assert found.shares.value == pytest.approx([0.625, 0.375])
    assert (found.shares.low <= found.shares.value).all()
    assert (found.shares.value <= found.shares.high).all()


def test_a_small_case_counted_by_hand():
    """Blocks (1, 0) and (1, 0): random rotations are equally uneven in 2 cases out of 4."""
    utility = np.array([[1.0, 0.0]] * 4)
    assert seat_effect(utility, np.array([0, 0, 1, 1]), 1).p == pytest.approx(0.5, abs=0.02)
    # Five such blocks: both seats, 2 cases out of 32.
    assert seat_effect(np.array([[1.0, 0.0]] * 10), np.repeat(np.arange(5), 2), 1).p == pytest.approx(1 / 16, abs=0.01)


def test_even_seats_are_as_even_as_can_be():
    assert seat_effect(np.full((30, 3), 1 / 3), np.repeat(np.arange(10), 3), 1).p == 1


def test_no_games_say_nothing():
    found = seat_effect(np.zeros((0, 3)), np.zeros(0, int), 1)
    assert found.p == 1
    assert (found.shares.low.tolist(), found.shares.high.tolist()) == ([0, 0, 0], [1, 1, 1])


def test_the_same_seed_gives_the_same_probability():
    utility, block = games(30, 4, 0.3, 1.0, np.random.default_rng(2))
    first, second, third = (seat_effect(utility, block, seed).p for seed in (7, 7, 8))
    assert first == second != third
    assert first == pytest.approx(third, abs=0.03)


@pytest.mark.parametrize("players", [2, 4])
def test_strong_common_luck_is_no_seat_effect(players):
    """5 % of 600 null tournaments in theory, less where few outcomes are possible; standard error 0.9 %."""
    rng = np.random.default_rng(players)
    alarms = sum(seat_effect(*games(20, players, 0.0, 2.0, rng), nth, shifts=400, resamples=2).p <= 0.05
                 for nth in range(600))
    assert 0.01 <= alarms / 600 <= 0.075


def test_a_real_effect_is_found():
    rng = np.random.default_rng(9)
    found = sum(seat_effect(*games(100, 4, 0.8, 1.0, rng), nth, shifts=400, resamples=2).p <= 0.05
                for nth in range(40))
    assert found >= 36
    utility, block = games(300, 4, 0.8, 1.0, rng)
    effect = seat_effect(utility, block, 1)
    assert effect.p == pytest.approx(1 / 10_001)
    assert effect.shares.low[0] > 0.25
    assert (effect.shares.high[1:] < 0.29).all()
