"""Games a second of `sfida.batch`, by agents and threads, beside games played one by one in Python.

    python bench/batch.py                               the five games
    python bench/batch.py --games tic_tac_toe --threads 1 2 4

Each figure is the best of three batches that take about a second each; "one by one" is `sfida.play`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from specs import FIVE

import sfida
from sfida.engines.registry import make_game

SECONDS, REPEATS = 1.0, 3
FIRST = 4               # games, to find out how many take a second


def rate(play: Callable[[int], object]) -> float:
    """Return the games a second of a function that plays so many."""
    games, best = FIRST, 0.0
    for _ in range(REPEATS + 1):
        started = time.perf_counter()
        play(games)
        found = games / (time.perf_counter() - started)
        best = max(best, found)
        games = max(FIRST, int(found * SECONDS))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=FIVE, metavar="GAME")
    parser.add_argument("--agents", nargs="*", default=["random", "greedy", "ismcts:iterations=100"], metavar="AGENT")
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    given = parser.parse_args()
    heads = ["game", "agents", "one by one", *(f"{many} thread{'s' if many > 1 else ''}" for many in given.threads),
             "with features and observations"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}", flush=True)
    for spec in given.games:
        game = make_game(spec)
        for agent in given.agents:
            agents = [agent] * game.players

            def alone(games: int, spec: str = spec, agents: list[str] = agents) -> None:
                for seed in range(games):
                    sfida.play(spec, agents, seed=seed)

            def many(games: int, threads: int = 1, all_kept: bool = False, spec: str = spec,
                     agents: list[str] = agents) -> None:
                sfida.batch(spec, agents, games, seed=1, threads=threads, features=all_kept, observations=all_kept)

            speeds = [rate(alone), *(rate(lambda games, n=n: many(games, n)) for n in given.threads),
                      rate(lambda games: many(games, given.threads[-1], True))]
            print(f"| {game.title}, {game.players} | `{agent}` | {' | '.join(f'{speed:,.0f}' for speed in speeds)} |",
                  flush=True)


if __name__ == "__main__":
    main()
