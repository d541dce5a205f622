"""How often the intervals of a tournament contain the truth, and how often its tests err, in simulated tournaments.

Agents of known strength take places by the Plackett-Luce model; each seat of a block has its own luck, the same
in all games of the block, which multiplies strength by a lognormal factor.

    python bench/error_rates.py [--tournaments 1000] [--seed 1] [coverage] [sequential] [seats]
"""

from __future__ import annotations

import argparse
import itertools
import math

import numpy as np

from sfida.ai.arena.bootstrap import Terms, ratios, seat_effect
from sfida.ai.arena.ratings import ELO, rate
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.sequential import SprtOptions, cap_blocks, decided_after, expected_blocks, expected_share, llr_path


def setup_of(players: int, agents: int, blocks: int, mode: str = "round-robin") -> Setup:
    names = tuple(f"agent{i}" for i in range(agents))
    return Setup("simulated", 1, players, names, blocks * players, 1, mode)


def rankings(agent: np.ndarray, block: np.ndarray, strengths: np.ndarray, luck: float,
             rng: np.random.Generator) -> np.ndarray:
    """Draw the rank on each seat of each game; log strengths, luck with this standard deviation of its logarithm."""
    common = rng.normal(size=(block[-1] + 1, agent.shape[1])) * luck
    speed = strengths[agent] + common[block] + rng.gumbel(size=agent.shape)
    return (-speed).argsort(axis=1).argsort(axis=1) + 1.0


def truth(schedule: Schedule, strengths: np.ndarray, luck: float, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return the win shares and the ratings of an infinite tournament."""
    lineups = np.array(schedule.lineups)
    many = np.repeat(lineups, max(1, 40_000 // len(lineups)), axis=0)
    many = rng.permuted(many, axis=1)
    rank = rankings(many, np.arange(len(many)), strengths, luck, rng)
    count = len(strengths)
    shares = np.bincount(many.ravel(), (rank == 1).ravel(), count) / np.bincount(many.ravel(), minlength=count)
    elo = rate(many, rank, np.arange(len(many)), count, prior=0, resamples=0, seat_strengths=False).agents
    return shares, elo


def coverage(tournaments: int, seed: int) -> None:
    print("| players | agents | blocks | luck | win share | Elo |\n|---|---|---|---|---|---|")
    for (players, agents), blocks, luck in itertools.product(((2, 2), (4, 4), (4, 5)), (10, 25, 50, 200), (0.0, 1.0)):
        rng = np.random.default_rng([seed, players, agents, blocks, int(luck)])
        schedule = Schedule(setup_of(players, agents, blocks))
        strengths = np.linspace(0.4, -0.4, agents)
        agent = np.array([block.seating(turn) for block in schedule for turn in range(players)])
        number = np.repeat(np.arange(blocks), players)
        shares, elo = truth(schedule, strengths, luck, rng)
        held = np.zeros(2)
        for nth in range(tournaments):
            rank = rankings(agent, number, strengths, luck, rng)
            terms = Terms.of(agents, blocks, agent.ravel(), np.repeat(number, players), (rank == 1.0).ravel())
            found = ratios(terms, nth, 1000)
            held[0] += ((found.low <= shares) & (shares <= found.high)).mean()
            low, high = rate(agent, rank, number, agents, seed=nth, resamples=1000).intervals.T
            held[1] += ((low <= elo) & (elo <= high)).mean()
        held *= 100 / tournaments
        print(f"| {players} | {agents} | {blocks} | {luck:g} | {held[0]:.1f} % | {held[1]:.1f} % |", flush=True)


def block_shares(share: float, players: int, tests: int, blocks: int, luck: float, draws: float,
                 rng: np.random.Generator) -> np.ndarray:
    """Draw the first agent's block shares, of shape (tests, blocks), with this mean."""
    if players == 2 and draws:
        games = rng.random((tests, blocks, 2))
        return np.where(games < share - draws / 2, 1.0, np.where(games < share + draws / 2, 0.5, 0.0)).mean(axis=2)
    factor = np.exp(luck * rng.normal(size=(200_000, players)))
    low, high = -5.0, 5.0
    for _ in range(40):                         # find the strength with this mean share under such luck
        middle = (low + high) / 2
        own = math.exp(middle) * factor[:, 0]
        low, high = (middle, high) if (own / (own + factor[:, 1:].sum(axis=1))).mean() < share else (low, middle)
    total = np.zeros((tests, blocks))
    factor = np.exp(luck * rng.normal(size=(tests, blocks, players)))
    field = factor.sum(axis=2)
    for seat in range(players):
        own = math.exp(middle) * factor[:, :, seat]
        total += rng.random((tests, blocks)) < own / (own + field - factor[:, :, seat])
    return total / players


def sequential(tournaments: int, seed: int) -> None:
    options = SprtOptions()
    print(f"\n{options}\n\n| players | luck | draws | lead | H1 | H0 | undecided | blocks on average (expected) |\n"
          "|---|---|---|---|---|---|---|---|")
    for players, luck, draws in ((2, 0.0, 0.0), (2, 0.0, 0.6), (3, 1.0, 0.0), (4, 0.0, 0.0), (4, 1.0, 0.0),
                                 (4, 2.0, 0.0), (6, 1.0, 0.0)):
        setup = setup_of(players, 2, 1, "gauntlet")
        blocks = cap_blocks(setup, options)
        for lead in (options.elo0, (options.elo0 + options.elo1) / 2, options.elo1):
            rng = np.random.default_rng([seed, players, int(luck), int(10 * draws), int(lead)])
            ends, verdicts = [], {1: 0, 0: 0, -1: 0}
            for first in range(0, tournaments, 500):
                tests = min(500, tournaments - first)
                shares = block_shares(expected_share(lead, 1, players), players, tests, blocks, luck, draws, rng)
                for path in llr_path(shares, np.ones(blocks, int), players, options):
                    end = decided_after(path, options)
                    ends.append(blocks if end is None else end)
                    verdicts[-1 if end is None else int(path[end - 1] > 0)] += 1
            h1, h0, none = (100 * verdicts[key] / tournaments for key in (1, 0, -1))
            print(f"| {players} | {luck:g} | {draws:g} | {lead:g} | {h1:.1f} % | {h0:.1f} % | {none:.1f} % | "
                  f"{np.mean(ends):.0f} ({expected_blocks(setup, options)}) |", flush=True)


def seats(tournaments: int, seed: int) -> None:
    print("\n| players | blocks | luck | advantage of seat 0 | p < 0.05 |\n|---|---|---|---|---|")
    for players, blocks, luck, lead in itertools.product((2, 4), (25, 100), (0.0, 2.0), (0, 100)):
        rng = np.random.default_rng([seed, players, blocks, int(luck), lead])
        found = 0
        speed = np.zeros(players)
        speed[0] = lead / ELO
        for nth in range(tournaments):
            common = luck * rng.normal(size=(blocks, 1, players))
            won = (speed + common + rng.gumbel(size=(blocks, players, players))).argmax(axis=2).ravel()
            utility = np.eye(players)[won]
            found += seat_effect(utility, np.repeat(np.arange(blocks), players), nth, shifts=999, resamples=2).p < 0.05
        print(f"| {players} | {blocks} | {luck:g} | {lead} Elo | {100 * found / tournaments:.1f} % |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["coverage", "sequential", "seats"])
    parser.add_argument("--tournaments", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name, run in (("coverage", coverage), ("sequential", sequential), ("seats", seats)):
        if not given.what or name in given.what:
            run(given.tournaments, given.seed)


if __name__ == "__main__":
    main()
