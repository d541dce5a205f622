"""Ratings by win shares alone: closed forms, and agents of known strength."""

import math

import numpy as np
import pytest

from sfida.ai.arena.bootstrap import Tally
from sfida.ai.arena.ratings import rate_wins


def tally_of(agent, share, block):
    agent, share = np.asarray(agent), np.asarray(share, float)
    nothing, games = np.zeros(agent.shape), len(agent)
    return Tally(blocks=int(max(block, default=-1)) + 1, loose=0, block=np.asarray(block, int), number=np.unique(block),
                 agent=agent, utility=share, rank=nothing, score=nothing, decisions=nothing, seconds=nothing,
                 wall=np.zeros(games), plies=np.ones(games, int), forfeit=np.full(games, -1))


def match(wins, games=100):
    """Return agent 0's games against agent 1, two per block, with this sum of win shares."""
    agent = np.tile([[0, 1], [1, 0]], (games // 2, 1))
    share = np.where(agent == 0, wins / games, 1 - wins / games)
    return tally_of(agent, share, np.repeat(np.arange(games // 2), 2))


@pytest.mark.parametrize("wins", [0, 3.5, 50, 61.25, 99, 100])
def test_two_agents_have_elos_formula(wins):
    """The prior is one block of two half-won games per agent, against the average of the field."""
    found = rate_wins(match(wins), 2, seed=1, resamples=10).agents
    low, high = 0.0, 1.0
    for _ in range(60):                 # d: half the lead in logs; wins + 1 = 100 s(2 d) + 2 s(d)
        d = (low + high) / 2 * 40 - 20
        expected = 100 / (1 + math.exp(-2 * d)) + 2 / (1 + math.exp(-d))
        low, high = ((low + high) / 2, high) if expected < wins + 1 else (low, (low + high) / 2)
    assert found[0] == pytest.approx(d * 400 / math.log(10), abs=0.01)
    assert found.sum() == pytest.approx(0, abs=1e-9)


def test_long_matches_are_what_the_share_says():
    found = rate_wins(match(7500, 10_000), 2, seed=1, resamples=10).agents
    assert found[0] - found[1] == pytest.approx(400 * math.log10(3), abs=0.2)


def test_four_players_of_known_strength_are_found():
    """6,000 simulated games; the standard error of a rating is about 4 Elo."""
    rng, strengths = np.random.default_rng(4), np.array([0.6, 0.2, -0.2, -0.6])
    agent = np.concatenate([np.array([np.roll(rng.permutation(4), turn) for turn in range(4)]) for _ in range(1500)])
    speed = strengths[agent] + rng.gumbel(size=agent.shape)
    share = (speed == speed.max(axis=1, keepdims=True)).astype(float)
    found = rate_wins(tally_of(agent, share, np.repeat(np.arange(1500), 4)), 4, seed=1, resamples=400)
    truth = strengths * 400 / math.log(10)
    assert found.agents == pytest.approx(truth, abs=16)
    low, high = found.intervals.T
    assert (low < truth).all()
    assert (truth < high).all()
    assert ((high - low) / (2 * 1.96) < 8).all()


def test_an_agent_in_several_seats_counts_in_each():
    """One against three copies: with equal strengths it wins one game in four."""
    agent = np.array([np.roll([0, 1, 1, 1], turn) for turn in range(4)] * 100)
    found = rate_wins(tally_of(agent, np.full(agent.shape, 0.25), np.repeat(np.arange(100), 4)), 2, seed=1,
                      resamples=20)
    assert found.agents == pytest.approx([0, 0], abs=1e-6)


def test_shares_beyond_the_games_played_are_cut():
    """A luck-adjusted share may exceed 1; no rating is infinite."""
    tally = match(104)
    found = rate_wins(tally, 2, seed=1, resamples=200)
    assert found.agents == pytest.approx(rate_wins(match(100), 2, seed=1, resamples=200).agents)
    assert np.isfinite(found.intervals).all()


def test_a_share_below_nothing_does_not_blur_the_ratings():
    """Its luck-adjusted share is below 0, and more is won than was played."""
    pairs = np.repeat([[0, 1], [0, 2], [1, 2]], 40, axis=0)
    agent = np.stack([pairs, pairs[:, ::-1]], axis=1).reshape(-1, 2)
    of_first = np.repeat([1.1, 1.1, 0.75], 80)
    share = np.where(agent == np.repeat(pairs[:, :1], 2, axis=0), of_first[:, None], 1 - of_first[:, None])
    found = rate_wins(tally_of(agent, share, np.repeat(np.arange(120), 2)), 3, seed=1)
    first, _, third = found.intervals
    assert third[1] < -200
    assert first[0] > 200


def test_who_wins_everything_gets_an_honest_interval():
    """After 20 won games of 20 the true share may well be 90 % or 99.9 %."""
    found = rate_wins(match(20, 20), 2, seed=1)
    low, high = (2 * end for end in found.intervals[0])
    assert low < 400 * math.log10(9) < found.agents[0] * 2 < 400 * math.log10(999) < high


def test_no_games_say_nothing():
    found = rate_wins(tally_of(np.zeros((0, 2), int), np.zeros((0, 2)), []), 2, seed=1)
    assert found.agents.tolist() == [0, 0]
    assert np.isinf(found.intervals).all()


def test_equal_seeds_give_equal_intervals():
    one, same, other = (rate_wins(match(61), 2, seed=seed, resamples=100).intervals.tolist() for seed in (1, 1, 2))
    assert one == same
    assert one != other
