"""Measure what a tournament costs besides playing, and what a second job gains.

    python bench/arena_overhead.py                         16 rounds of 20 games, about 8 minutes on two idle cores
    python bench/arena_overhead.py --games 10 --rounds 2   a quick look

A round plays the same games three times, from the same seeds with the same luck:

- bare: a loop around `sfida.ai.table.play` with agents that are built once, half of the games before the other two
  and half after them, so that a machine that slows down or speeds up favours none of them;
- tournament(jobs=1) and tournament(jobs=2), including start-up, store and table.

Start-up is the time of a tournament of one block of random agents minus that of its games in a bare loop; it is paid
once per tournament. The overhead of a round is (seconds with jobs=1, minus start-up) / (bare seconds) - 1. The figure
is its median over the rounds, with an interval by bootstrap, since the speed of a machine drifts by more than that
from minute to minute; the share that start-up adds to a tournament of 200 games is printed next to it. The moves of all
three must be the same; if they are not, or if the figure is above --most, the program fails. Needs idle cores.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

import numpy as np

from sfida.ai.arena.schedule import Schedule, Setup
from sfida.ai.arena.tournament import TournamentResult, tournament
from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.ai.table import play
from sfida.engines.registry import make_game

AGENT = "ismcts:iterations=500"
Moves = dict[tuple[int, int], tuple[str, ...]]


def bare(setup: Setup, blocks: Sequence[int]) -> tuple[float, Moves]:
    """Play blocks of a tournament in a plain loop; return the seconds and the moves of every game."""
    schedule = Schedule(setup)
    engine = make_game(setup.game)
    agents = [make_agent(spec) for spec in setup.agents]
    moves: Moves = {}
    started = time.perf_counter()
    for index in blocks:
        block = schedule.block(index)
        for rotation in range(setup.players):
            record = play(engine, [agents[agent] for agent in block.seating(rotation)],
                          schedule.game_seed(index, rotation), chance=SeededChance(schedule.luck_seed(index, rotation)))
            moves[index, rotation] = record.moves
    return time.perf_counter() - started, moves


def arena(setup: Setup, jobs: int) -> tuple[float, Moves]:
    """Play a tournament; return the seconds and the moves of every game."""
    started = time.perf_counter()
    result: TournamentResult = tournament(setup.game, setup.agents, setup.games, setup.seed, jobs)
    seconds = time.perf_counter() - started
    assert result.setup == setup
    return seconds, {(game.block, game.rotation): game.record.moves for game in result.outcomes}


def startup(game: str, seed: int, times: int = 3) -> float:
    """Return the median seconds that a tournament takes besides its games."""
    engine = make_game(game)
    setup = Setup(engine.spec(), engine.rules_version, engine.players, ("random",) * 2, engine.players, seed)
    bare(setup, [0])                                    # imports
    return statistics.median(arena(setup, 1)[0] - bare(setup, [0])[0] for _ in range(times))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="carcassonne")
    parser.add_argument("--agent", default=AGENT, help="agent that plays against itself")
    parser.add_argument("--games", type=int, default=20, help="games per round")
    parser.add_argument("--rounds", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=600.0, help="start no round that would end later")
    parser.add_argument("--seed", type=int, default=20263)
    parser.add_argument("--most", type=float, default=100.0, help="overhead in per cent that still passes")
    args = parser.parse_args()
    engine, spec = make_game(args.game), make_agent(args.agent).spec
    started = time.perf_counter()
    begin = startup(args.game, args.seed)
    print(f"{engine.spec()}, {spec} against itself; start-up {begin:.2f} s", flush=True)
    print("round   bare s  jobs=1 s  jobs=2 s  overhead  ratio of 2 jobs to 1", flush=True)
    rows: list[tuple[float, float, float]] = []
    same = True
    for number in range(args.rounds):
        elapsed = time.perf_counter() - started
        if number and elapsed * (number + 1) / number > args.seconds:
            print(f"round {number + 1} left out: it would end after {args.seconds:.0f} s")
            break
        setup = Setup(engine.spec(), engine.rules_version, engine.players, (spec, spec), args.games,
                      args.seed + number)
        schedule = Schedule(setup)
        half = schedule.blocks // 2
        before, expected = bare(setup, range(half))
        one, one_moves = arena(setup, 1)
        two, two_moves = arena(setup, 2)
        after, rest = bare(setup, range(half, schedule.blocks))
        same = same and expected | rest == one_moves == two_moves
        rows.append((before + after, one - begin, two - begin))
        print(f"{number + 1:>5}  {before + after:7.2f}  {one:8.2f}  {two:8.2f}  {100 * _overhead(rows[-1:]):6.1f} %  "
              f"{_ratio(rows[-1:]):5.2f}", flush=True)
    overhead = 100 * _overhead(rows)
    spread = np.random.default_rng(args.seed)
    draws = [[rows[i] for i in spread.integers(len(rows), size=len(rows))] for _ in range(2000)]
    low, high = np.percentile([100 * _overhead(draw) for draw in draws], [2.5, 97.5])
    slow, fast = np.percentile([_ratio(draw) for draw in draws], [2.5, 97.5])
    long = statistics.mean(row[0] for row in rows) / args.games * 200
    print(f"overhead {overhead:.1f} % [{low:.1f}, {high:.1f}]; start-up adds {100 * begin / long:.1f} % to 200 games; "
          f"2 jobs {_ratio(rows):.2f} [{slow:.2f}, {fast:.2f}] times 1; "
          + ("the moves of all games were the same in all three" if same else "the moves were NOT the same"))
    return 0 if same and overhead <= args.most else 1


def _overhead(rows: Sequence[tuple[float, float, float]]) -> float:
    return statistics.median(one / loop - 1 for loop, one, _ in rows)


def _ratio(rows: Sequence[tuple[float, float, float]]) -> float:
    return statistics.median(one / two for _, one, two in rows)


if __name__ == "__main__":
    sys.exit(main())
