"""Measured strength: matches on the same tiles with the seats turned, printed as a table.

    python bench/strength.py                      every cell
    python bench/strength.py --cells greedy,fast  some of them
    python bench/strength.py --list               what the cells are

The win share is that of the first agent; one seat is fair at 1 / players. Intervals are 95 % by bootstrap
over blocks. Time budgets need idle cores: never run more jobs than there are.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from sfida.ai.match import match


@dataclass(frozen=True)
class Cell:
    """One match: the first agent against copies of the second."""

    name: str
    game: str
    first: str
    second: str
    players: int
    games: int
    target: float | None = None


DOUBLINGS = tuple(
    Cell(f"double{n}", "carcassonne", f"ismcts:iterations={2 * n}", f"ismcts:iterations={n}", 2, 200)
    for n in (250, 500, 1000, 2000, 4000))

CELLS = (
    Cell("greedy", "carcassonne", "greedy", "random", 2, 400, 0.98),
    Cell("fast", "carcassonne", "ismcts:seconds=0.1", "greedy", 2, 200, 0.75),
    Cell("flat", "carcassonne", "ismcts:iterations=2000", "flat:iterations=2000", 2, 200, 0.65),
    Cell("four", "carcassonne:players=4", "ismcts:seconds=0.1", "greedy", 4, 200, 0.45),
    Cell("normal", "carcassonne", "ismcts:seconds=1", "greedy", 2, 100, 0.85),
    *DOUBLINGS,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", default="", help="names, separated by commas")
    parser.add_argument("--games", type=int, default=0, help="games a cell instead of its own number")
    parser.add_argument("--seed", type=int, default=20261)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    wanted = [name for name in args.cells.split(",") if name]
    unknown = set(wanted) - {cell.name for cell in CELLS}
    if unknown:
        parser.error(f"unknown cells: {', '.join(sorted(unknown))}; --list shows them")
    print(f"{'cell':11} {'first agent':24} {'others':24} {'seats':>5} {'games':>5}  win share [95 %]       target  "
          f"score        minutes", flush=True)
    for cell in CELLS:
        if wanted and cell.name not in wanted:
            continue
        if args.list:
            print(f"{cell.name:11} {cell.first:24} {cell.second:24} {cell.players:5d} {cell.games:5d}")
            continue
        started = time.monotonic()
        result = match(cell.game, [cell.first] + [cell.second] * (cell.players - 1),
                       args.games or cell.games, seed=args.seed, jobs=args.jobs)
        first, second = result.agents[0], result.agents[1]
        target = f"{cell.target:.0%}" if cell.target is not None else ""
        print(f"{cell.name:11} {cell.first:24} {cell.second:24} {cell.players:5d} {first.games:5d}  "
              f"{first.win_share:6.1%} [{first.ci95[0]:.1%}, {first.ci95[1]:.1%}]  {target:>6}  "
              f"{first.mean_score:.1f} : {second.mean_score:.1f}  {(time.monotonic() - started) / 60:5.1f}", flush=True)


if __name__ == "__main__":
    main()
