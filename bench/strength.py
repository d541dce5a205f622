"""Measured strength: the tournaments behind the tables of docs/strength.md.

    python bench/strength.py                      every cell
    python bench/strength.py --cells greedy,fast  some of them
    python bench/strength.py --list               the cells, each as its `sfida tournament` command

The win share is that of the first agent on one seat among copies of the second; a fair share is 1 / players. Time
budgets need idle cores: never run more jobs than there are cores.
"""

from __future__ import annotations

import argparse
import shlex
import time
from dataclasses import dataclass

from sfida.ai.arena.tournament import tournament


@dataclass(frozen=True)
class Cell:
    """One gauntlet: the first agent against copies of the second."""

    name: str
    game: str
    first: str
    second: str
    games: int
    target: float | None = None

    def command(self, games: int, seed: int, jobs: int) -> str:
        """Return the command that plays it."""
        return shlex.join(["sfida", "tournament", self.game, self.first, self.second, "--mode", "gauntlet",
                           "-n", str(games or self.games), "--seed", str(seed), "-j", str(jobs)])


CELLS = (
    Cell("greedy", "carcassonne", "greedy", "random", 400, 0.98),
    Cell("fast", "carcassonne", "ismcts:seconds=0.1", "greedy", 200, 0.75),
    Cell("flat", "carcassonne", "ismcts:iterations=2000", "flat:iterations=2000", 200, 0.65),
    Cell("four", "carcassonne:players=4", "ismcts:seconds=0.1", "greedy", 200, 0.45),
    Cell("normal", "carcassonne", "ismcts:seconds=1", "greedy", 100, 0.85),
    Cell("zarahemla-random", "zarahemla:players=4", "ismcts:seconds=0.1", "random", 200, 0.9),
    Cell("zarahemla-fast", "zarahemla:players=4", "ismcts:seconds=0.1", "greedy", 200, 0.35),
    Cell("zarahemla-normal", "zarahemla:players=4", "ismcts:seconds=1", "greedy", 200, 0.45),
    Cell("zarahemla-two", "zarahemla:players=2", "ismcts:seconds=1", "greedy", 200, 0.72),
    Cell("risiko-three", "risiko:players=3", "ismcts:seconds=1", "greedy", 60, 0.6),
    Cell("risiko-four", "risiko:players=4", "ismcts:seconds=1", "greedy", 60, 0.45),
    Cell("risiko-six", "risiko:players=6", "ismcts:seconds=0.1", "random", 60, 0.85),
    Cell("risiko-points", "risiko:players=4,preset=tournament", "ismcts:seconds=1", "greedy", 60),
    Cell("risiko-trees", "risiko:players=3", "mo-ismcts:iterations=300,keyed=true", "ismcts:iterations=300", 120),
    Cell("acres-random", "acres", "ismcts:seconds=0.1", "random", 100, 0.99),
    Cell("acres-greedy", "acres", "ismcts:seconds=1", "greedy", 30, 0.82),
    Cell("acres-hammer", "acres", "ismcts:seconds=1", "greedy:strategy=hammer", 30, 0.82),
    Cell("acres-raider", "acres", "ismcts:seconds=1", "greedy:strategy=raider", 30, 0.82),
    Cell("acres-flat", "acres", "ismcts:seconds=0.3", "flat:seconds=0.3", 40, 0.68),
    Cell("attila-two", "attila:players=2", "ismcts:seconds=1", "greedy", 40, 0.85),
    Cell("attila-four", "attila:players=4", "ismcts:seconds=1", "greedy", 40, 0.55),
    Cell("attila-five", "attila:players=5", "ismcts:seconds=0.1", "random", 40, 0.9),
    Cell("attila-flat", "attila:players=2", "ismcts:seconds=0.3", "flat:seconds=0.3", 40, 0.65),
    Cell("attila-trees", "attila:players=2", "mo-ismcts:iterations=300", "ismcts:iterations=300", 200),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", default="", help="names, separated by commas")
    parser.add_argument("--games", type=int, default=0, help="games per cell instead of the default number")
    parser.add_argument("--seed", type=int, default=20261)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    wanted = [name for name in args.cells.split(",") if name]
    unknown = set(wanted) - {cell.name for cell in CELLS}
    if unknown:
        parser.error(f"unknown cells: {', '.join(sorted(unknown))}; --list shows them")
    for cell in CELLS:
        if wanted and cell.name not in wanted:
            continue
        if args.list:
            print(f"{cell.name:16} {cell.command(args.games, args.seed, args.jobs)}")
            continue
        started = time.monotonic()
        table = tournament(cell.game, [cell.first, cell.second], args.games or cell.games, args.seed, args.jobs,
                           mode="gauntlet").standings
        first, second = table.agents
        sides = "".join(f"  as {seat.name} {one.win_share:.1%} [{one.ci95[0]:.1%}, {one.ci95[1]:.1%}]"
                        for seat, one in zip(table.seats, first.by_seat, strict=True)) if table.sides else ""
        target = "" if cell.target is None else f"target {cell.target:.0%}  "
        print(f"{cell.name:16} {cell.first} : {cell.second}  {table.games} games  {first.win_share:.1%} "
              f"[{first.ci95[0]:.1%}, {first.ci95[1]:.1%}]  {target}points {first.mean_score:.1f} : "
              f"{second.mean_score:.1f}{sides}  {(time.monotonic() - started) / 60:.1f} min", flush=True)


if __name__ == "__main__":
    main()
