"""What a tournament costs besides the playing, and what a second job brings.

    python bench/arena_overhead.py                         two rounds of 200 games, some 8 minutes on two idle cores
    python bench/arena_overhead.py --games 20 --rounds 1   a quick look

A round plays the same games three times, from the same seeds with the same luck:

- bare: a loop around `sfida.ai.table.play` with agents that are built once, half of the games before the other two
  and half after them, so that a machine that slows down or speeds up favours nobody;
- tournament(jobs=1) and tournament(jobs=2), start-up, store and table included.

The overhead is (seconds with jobs=1) / (bare seconds) - 1. Start-up is the time of a tournament of one block of random
agents less that of its games in a bare loop; it is paid once, so long tournaments feel less of it. The moves of all
three must be the same; if they are not, or if the overhead is above --most, the program fails. Needs idle cores.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

from sfida.ai.arena.run import TournamentResult, tournament
from sfida.ai.arena.schedule import Schedule, Setup
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
    """Return the seconds (median) that a tournament takes besides its games."""
    engine = make_game(game)
    setup = Setup(engine.spec(), engine.rules_version, engine.players, ("random",) * 2, engine.players, seed)
    bare(setup, [0])                                    # imports
    return statistics.median(arena(setup, 1)[0] - bare(setup, [0])[0] for _ in range(times))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="carcassonne")
    parser.add_argument("--agent", default=AGENT, help="plays against itself")
    parser.add_argument("--games", type=int, default=200, help="games a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=600.0, help="begin no round that would end later")
    parser.add_argument("--seed", type=int, default=20263)
    parser.add_argument("--most", type=float, default=100.0, help="overhead in per cent that still passes")
    args = parser.parse_args()
    engine, spec = make_game(args.game), make_agent(args.agent).spec
    started = time.perf_counter()
    begin = startup(args.game, args.seed)
    print(f"{engine.spec()}, {spec} against itself; start-up {begin:.2f} s", flush=True)
    print("round  games   bare s  jobs=1 s  jobs=2 s  overhead  without start-up  games/s: 1 job  2 jobs  ratio",
          flush=True)
    sums, played, same = [0.0, 0.0, 0.0], 0, True
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
        row = [before + after, one, two]
        sums = [total + seconds for total, seconds in zip(sums, row, strict=True)]
        played += schedule.games
        _print(str(number + 1), schedule.games, row, begin)
    rounds = played // schedule.games
    if rounds > 1:
        _print("all", played, sums, rounds * begin)
    overhead = 100 * (sums[1] / sums[0] - 1)
    print(f"overhead {overhead:.1f} % with start-up; "
          + ("the moves of all games were the same in all three" if same else "the moves were NOT the same"))
    return 0 if same and overhead <= args.most else 1


def _print(name: str, games: int, seconds: Sequence[float], begin: float) -> None:
    loop, one, two = seconds
    print(f"{name:>5}  {games:5d}  {loop:7.2f}  {one:8.2f}  {two:8.2f}  {100 * (one / loop - 1):6.1f} %  "
          f"{100 * ((one - begin) / loop - 1):14.1f} %  {games / one:14.2f}  {games / two:6.2f}  {one / two:5.2f}",
          flush=True)


if __name__ == "__main__":
    sys.exit(main())
