"""Exploitability and phantom tic-tac-toe yardsticks of the search, with more seeds than the tests take.

Run it from the repository root: ``python bench/yardsticks.py [--seeds 4] [--games 1000]`` (minutes).
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from sfida.cython_ext.rng import derive
from sfida.cython_ext.search import Search
from sfida.cython_ext.state import GameState, View
from sfida.engines.registry import make
from support.exploitability import GameTree


def exploitability(name: str, iterations: int, c: float, seeds: int) -> None:
    """Search at every information set; print the exploitability of visit shares and of the best move."""
    tree = GameTree(make(name))
    start = time.perf_counter()
    mixed_values, argmax_values = [], []
    for seed in range(seeds):
        mixed: dict[bytes, list[float]] = {}
        argmax: dict[bytes, list[float]] = {}
        for number, (key, info) in enumerate(tree.sets.items()):
            search = Search(info.view, seed=derive(seed, number), c=c)
            search.run(iterations=iterations)
            visits = {move: n for move, n, *_ in search.root()}
            counts = [visits.get(move, 0) for move in info.moves]
            mixed[key] = [n / iterations for n in counts]
            argmax[key] = [float(i == counts.index(max(counts))) for i in range(len(counts))]
        mixed_values.append(tree.exploitability(mixed))
        argmax_values.append(tree.exploitability(argmax))
    print(f"{name:20} {iterations:6} iterations: mixed {statistics.mean(mixed_values):.4f} "
          f"({min(mixed_values):.3f}-{max(mixed_values):.3f}), argmax {statistics.mean(argmax_values):.4f}; "
          f"{seeds} seeds, {time.perf_counter() - start:.0f} s", flush=True)


def best(state: GameState, kind: str, iterations: int, seed: int) -> int:
    """Return the move of one kind of player."""
    seat = state.to_move
    if kind == "random":
        moves = state.legal_moves()
        return moves[seed % len(moves)]
    cheat = kind == "cheat"
    view = View.unredacted(state, seat) if cheat else state.view(seat)
    search = Search(view, seed=seed, c=0.7, cheat=cheat)
    search.run(iterations=iterations)
    return int(search.root()[0][0])


def phantom(first: str, second: str, iterations: int, games: int) -> None:
    """Play phantom tic-tac-toe with seats swapped; print the score of the first name."""
    total = 0.0
    for game in range(games):
        state = make("phantom_tic_tac_toe")
        ply = 0
        while not state.is_over:
            kind = first if state.to_move == game % 2 else second
            state.apply(best(state, kind, iterations, derive(1, game, ply)))
            ply += 1
        shares = state.utilities()
        assert shares is not None
        total += shares[game % 2]
    score = total / games
    error = 1.96 * math.sqrt(score * (1 - score) / games)
    print(f"phantom tic-tac-toe  {iterations:6} iterations: {first} - {second} {score:.3f} +- {error:.3f}",
          flush=True)


def main() -> None:
    """Print every yardstick."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    exploitability("kuhn_poker", 10_000, 0.7, options.seeds)
    exploitability("leduc_poker", 1_000, 0.4, options.seeds)
    exploitability("leduc_poker", 10_000, 0.4, options.seeds)
    for iterations in (200, 1000):
        phantom("so", "random", iterations, options.games)
        phantom("cheat", "so", iterations, options.games)


if __name__ == "__main__":
    main()
