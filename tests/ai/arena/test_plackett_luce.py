"""Plackett-Luce ratings: against another library, against brute force, against known strengths."""

import itertools
import math

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from sfida.ai.arena.ratings import ELO, expected_scores, rate, stages_of, wins_of


def played(lineups, strengths, seats, rng):
    """Play each line-up once per rotation; return agents, ranks and blocks."""
    players = len(lineups[0])
    agent = np.array([np.roll(lineup, turn) for lineup in lineups for turn in range(players)])
    speed = strengths[agent] + seats + rng.gumbel(size=agent.shape)
    return agent, (-speed).argsort(axis=1).argsort(axis=1) + 1.0, np.repeat(np.arange(len(lineups)), players)


def centred(values):
    return values - np.mean(values)


@pytest.mark.parametrize(("agents", "players", "games"), [(2, 2, 30), (6, 4, 60), (5, 5, 40), (9, 3, 90)])
def test_plain_ratings_are_those_of_choix(agents, players, games):
    rng = np.random.default_rng(agents)
    strengths = rng.normal(size=agents)
    agent = np.array([rng.choice(agents, players, replace=False) for _ in range(games)])
    rank = (-(strengths[agent] + rng.gumbel(size=agent.shape))).argsort(axis=1).argsort(axis=1) + 1.0
    rankings = [tuple(row[np.argsort(place)].tolist()) for row, place in zip(agent, rank, strict=True)]
    found = rate(agent, rank, np.arange(games), agents, prior=0, resamples=0, seat_strengths=False)
    assert found.converged
    assert found.seats.tolist() == [0] * players
    assert found.agents / ELO == pytest.approx(centred(choix.opt_rankings(agents, rankings, alpha=0)), abs=1e-6)
    assert found.agents / ELO == pytest.approx(centred(choix.mm_rankings(agents, rankings)), abs=1e-5)


def mean_over_orders(ranking, log_strengths):
    """The log likelihood of a ranking, averaged over all orders of the tied seats."""
    seats = range(len(ranking))
    orders = [order for order in itertools.permutations(seats)
              if all(ranking[a] <= ranking[b] for a, b in itertools.pairwise(order))]
    return sum(log_strengths[order[i]] - math.log(sum(math.exp(log_strengths[s]) for s in order[i:]))
               for order in orders for i in seats) / len(orders)


@pytest.mark.parametrize("ranking", [(1, 2, 3), (1, 1), (1, 2, 2, 2, 2, 2), (2, 1, 1, 2), (3, 1, 1, 1), (2, 2, 1, 4),
                                     (1, 1, 1, 1)])
def test_stages_count_ties_as_the_mean_over_all_orders(ranking):
    log_strengths = np.random.default_rng(5).normal(size=len(ranking))
    short = sum(won * own for won, own in zip(wins_of(ranking), log_strengths, strict=True)) - sum(
        weight * math.log(sum(math.exp(log_strengths[seat]) for seat in left)) for left, weight in stages_of(ranking))
    assert short == pytest.approx(mean_over_orders(ranking, log_strengths))


def test_a_winner_and_five_tied_losers_are_cheap():
    assert len(stages_of((1, 2, 2, 2, 2, 2))) == 1 + sum(math.comb(5, size) for size in range(2, 6))


def test_ties_and_several_seats_of_one_agent_against_brute_force():
    rng = np.random.default_rng(7)
    agent = np.array([rng.choice(3, 3) for _ in range(40)])
    rank = np.array([rng.integers(1, 4, size=3) for _ in range(40)], float)

    def cost(x):
        agents, seats = x[:3], np.append(x[3:], 0.0)
        return -sum(mean_over_orders(place, agents[row] + seats) for row, place in zip(agent, rank, strict=True))

    best = minimize(cost, np.zeros(5), tol=1e-10).x
    found = rate(agent, rank, np.arange(40), 3, prior=0, resamples=0)
    assert found.agents == pytest.approx(ELO * centred(best[:3]), abs=0.02)
    assert found.seats == pytest.approx(ELO * centred(np.append(best[3:], 0.0)), abs=0.02)


def test_strengths_of_agents_and_seats_come_back():
    rng = np.random.default_rng(11)
    strengths, seats = np.array([0.9, 0.3, 0.0, -0.4, -0.8]), np.array([0.4, 0.1, -0.1, -0.4])
    lineups = [rng.permutation(lineup) for lineup in itertools.combinations(range(5), 4) for _ in range(200)]
    found = rate(*played(lineups, strengths, seats, rng), 5, seed=1, resamples=1000)
    # 4000 games leave standard errors of about 4 Elo.
    assert found.agents == pytest.approx(ELO * strengths, abs=15)
    assert found.seats == pytest.approx(ELO * seats, abs=15)
    assert found.agents.mean() == pytest.approx(0)
    assert found.seats.mean() == pytest.approx(0)
    widths = found.intervals[:, 1] - found.intervals[:, 0]
    assert ((widths > 8) & (widths < 25)).all()
    assert (found.intervals[:, 0] < found.agents).all()
    assert (found.agents < found.intervals[:, 1]).all()


def test_the_prior_hardly_moves_a_played_out_tournament():
    rng = np.random.default_rng(12)
    games = played([rng.permutation(4) for _ in range(100)], np.array([0.5, 0.2, -0.2, -0.5]), np.zeros(4), rng)
    plain, held = (rate(*games, 4, prior=prior, resamples=0) for prior in (0.0, 1.0))
    assert held.agents == pytest.approx(plain.agents, abs=2)
    assert np.abs(held.agents).sum() < np.abs(plain.agents).sum()


def test_the_fit_is_a_point_where_expected_wins_are_won():
    rng = np.random.default_rng(13)
    agent, rank, block = played([rng.permutation(3) for _ in range(50)], np.array([0.5, 0, -0.5]), np.zeros(3), rng)
    found = rate(agent, rank, block, 3, prior=0, resamples=0)
    strength = np.exp((found.agents[agent] + found.seats) / ELO)
    expected, won = np.zeros(3), np.zeros(3)
    for row, place, own in zip(agent, rank, strength, strict=True):
        for stage in (1, 2):
            left = place >= stage
            np.add.at(expected, row[left], own[left] / own[left].sum())
            won[row[place == stage]] += 1
    assert expected == pytest.approx(won, abs=1e-4)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("blocks", [1, 10, 200])
def test_a_constant_winner_has_a_finite_rating_and_an_honest_interval(players, blocks):
    rng = np.random.default_rng(blocks)
    strengths = np.array([50.0, *[0.0] * (players - 1)])
    found = rate(*played([np.arange(players)] * blocks, strengths, np.zeros(players), rng), players, seed=1,
                 resamples=2000)
    assert found.converged
    low, high = found.intervals[0]
    assert -100 < low < found.agents[0] < high < 2500
    # If all blocks are won, the share of lost ones is below the 97.5 % point of Beta(1, blocks), or less.
    share = 0.025 ** (1 / blocks)
    surely, hardly = (400 * math.log10(each / (1 - each) * (players - 1)) * (players - 1) / players
                      for each in (share, 1 - 0.5 / blocks))
    if blocks > 1:
        assert surely < low < hardly
    assert rate(*played([np.arange(players)] * 10 * blocks, strengths, np.zeros(players), rng), players,
                resamples=0).agents[0] > found.agents[0]


def test_without_a_prior_a_constant_winner_runs_away_and_says_so():
    agent = np.array([[0, 1], [1, 0]] * 10)
    found = rate(agent, np.where(agent == 0, 1.0, 2.0), np.repeat(np.arange(10), 2), 2, prior=0, resamples=0)
    assert not found.converged
    assert np.isfinite(found.agents).all()
    assert found.agents[0] > 1500


def test_groups_that_never_met_and_agents_that_never_played_are_rated():
    rng = np.random.default_rng(2)
    agent = np.array([[0, 1], [1, 0], [2, 3], [3, 2]] * 20)
    rank = np.where(agent % 2 == 0, 1.0, 2.0)
    flip = rng.random(80) < 0.3
    rank[flip] = 3 - rank[flip]
    block = np.repeat(np.arange(40), 2)
    found = rate(agent, rank, block, 5, resamples=1000)
    assert found.converged
    assert found.agents[0] > found.agents[1]
    assert found.agents[2] > found.agents[3]
    # The games say nothing about the fifth, and almost nothing about the first two against the others.
    widths = np.diff(found.intervals, axis=1)[:, 0]
    assert widths[4] > 1000
    assert (widths[:4] > 400).all()
    plain = rate(agent, rank, block, 5, prior=0, resamples=0)
    assert plain.agents[0] - plain.agents[1] == pytest.approx(found.agents[0] - found.agents[1], abs=40)
    assert np.isfinite(plain.agents).all()


def test_without_any_game_the_prior_alone_speaks():
    found = rate(np.zeros((0, 3), int), np.zeros((0, 3)), np.zeros(0, int), 2)
    assert found.agents.tolist() == [0, 0]
    assert found.intervals[:, 1] == pytest.approx([1124.6, 1124.6], abs=0.1)
    assert (found.intervals[:, 0] == -found.intervals[:, 1]).all()
    assert found.seats.tolist() == [0, 0, 0]


def test_copies_of_one_agent_tell_of_seats_only():
    agent = np.zeros((40, 2), int)
    rank = np.tile([1.0, 2.0], (40, 1))
    rank[:10] = [2.0, 1.0]
    found = rate(agent, rank, np.repeat(np.arange(20), 2), 1, prior=0, resamples=0)
    assert found.agents.tolist() == [0]
    assert found.seats[0] - found.seats[1] == pytest.approx(400 * math.log10(3), abs=0.01)


def test_the_same_seed_gives_the_same_intervals():
    rng = np.random.default_rng(21)
    games = played([rng.permutation(3) for _ in range(20)], np.array([0.3, 0, -0.3]), np.zeros(3), rng)
    first, second, third = (rate(*games, 3, seed=seed, resamples=500) for seed in (4, 4, 5))
    assert (first.intervals == second.intervals).all()
    assert (first.intervals != third.intervals).any()
    assert (first.agents == third.agents).all()


def test_resamples_are_fitted_as_well_as_the_whole():
    """With two blocks a resample is one of three tournaments, each of which can be rated separately."""
    agent = np.array([[0, 1], [1, 0]] * 2)
    rank = np.array([[1.0, 2], [2, 1], [2, 1], [1, 2]])         # the first agent wins block 0 and loses block 1
    low, high = rate(agent, rank, np.array([0, 0, 1, 1]), 2, seed=1, resamples=5000).intervals[0]
    # Weights of (won, lost) blocks (2, 0), (1, 1), (0, 2): the prior's small part is lost, as for a constant winner.
    alone = rate(agent[[0, 1, 0, 1]], rank[[0, 1, 0, 1]], np.array([0, 0, 1, 1]), 2, seed=1, resamples=5000)
    assert high <= alone.intervals[0, 1]
    assert high == pytest.approx(-low, rel=0.15)
    assert high > 300


@pytest.mark.parametrize("luck", [0.0, 1.0])
def test_intervals_hold_the_truth_as_often_as_they_say(luck):
    """95 % in theory; 120 tournaments of 40 blocks, with luck common to a block, leave a standard error of 1.3 %."""
    rng = np.random.default_rng(31)
    strengths = np.array([0.4, 0.0, -0.4])
    agent = np.array([np.roll([0, 1, 2], turn) for _ in range(40) for turn in range(3)])
    block = np.repeat(np.arange(40), 3)

    def ranks(agents, blocks):
        common = luck * rng.normal(size=(blocks[-1] + 1, 3))[blocks]
        return (-(strengths[agents] + common + rng.gumbel(size=agents.shape))).argsort(axis=1).argsort(axis=1) + 1.0

    many = np.tile(agent, (1000, 1))
    truth = rate(many, ranks(many, np.arange(len(many))), np.arange(len(many)), 3, prior=0, resamples=0).agents
    held = 0
    for nth in range(120):
        low, high = rate(agent, ranks(agent, block), block, 3, seed=nth, resamples=400).intervals.T
        held += ((low <= truth) & (truth <= high)).mean()
    assert 0.91 <= held / 120 <= 0.985


def test_expected_scores_are_those_of_the_seats_where_they_met():
    agent = np.array([[0, 1], [0, 1], [1, 0]])
    rank = np.array([[1.0, 2], [2, 1], [2, 1]])
    found = rate(agent, rank, np.array([0, 1, 2]), 3, resamples=0)
    lead, seat = found.agents[0] - found.agents[1], found.seats[0] - found.seats[1]

    def chance(elo):
        return 1 / (1 + 10 ** (-elo / 400))

    expected = expected_scores(agent, found)
    assert expected(0, 1) == pytest.approx((2 * chance(lead + seat) + chance(lead - seat)) / 3)
    assert expected(0, 1) + expected(1, 0) == pytest.approx(1)
    assert expected(0, 2) == 0.5


def test_a_large_tournament_takes_fewer_resamples_and_still_agrees():
    """6,000 blocks are resampled in groups; their intervals equal those of the textbook."""
    rng = np.random.default_rng(41)
    agent = np.array([[0, 1], [1, 0]] * 6000)
    won = rng.random(12_000) < 0.6
    rank = np.where((agent == 0) == won[:, None], 1.0, 2.0)
    found = rate(agent, rank, np.repeat(np.arange(6000), 2), 2, seed=1)
    error = ELO / 2 / math.sqrt(12_000 * 0.6 * 0.4)         # of half the lead
    assert found.agents[0] == pytest.approx(200 * math.log10(1.5), abs=4 * error)
    assert np.diff(found.intervals[0])[0] == pytest.approx(2 * 1.96 * error, rel=0.15)
