"""Replay random games of catanatron in our engine and count the differences by cause (ZAR-24.7).

    python bench/catanatron_replay.py                               1000 games for 2, 3 and 4 players
    python bench/catanatron_replay.py --games 300 --players 4 --jobs 2
    python bench/catanatron_replay.py --catanatron-repo ~/catanatron      a checkout instead of the package

After every action the positions are compared (hands, bank, cards, pieces, robber, army, points, the seat to decide, and
the Longest Road as catanatron counts it), and before every decision the legal moves. The exit status is 1 if anything
differs that section 24.4 of the rules does not explain.

catanatron's games are not reproducible from their seed: they depend on Python's hashes of strings and of None. To get
the same games again, set PYTHONHASHSEED and turn off address randomisation (`setarch -R`).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import joblib

from sfida.engines.zarahemla.catanatron.library import library, use_checkout
from sfida.engines.zarahemla.catanatron.replay import EXPECTED, ROAD_HOLDER, Replay


@dataclass
class Part:
    """The result of some games."""

    games: int = 0
    actions: int = 0
    comparisons: int = 0
    broken: int = 0
    seconds: float = 0.0
    found: Counter[str] = field(default_factory=Counter)
    games_with: Counter[str] = field(default_factory=Counter)

    def add(self, other: Part) -> None:
        """Add another result."""
        for name in ("games", "actions", "comparisons", "broken", "seconds", "found", "games_with"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def replay_games(players: int, seeds: list[int], checkout: Path | None) -> Part:
    """Replay one game per seed."""
    if checkout is not None:
        use_checkout(checkout)
    catanatron = library()
    part = Part()
    started = time.process_time()
    for seed in seeds:
        colors = list(catanatron.Color)[:players]
        replay = Replay(catanatron.Game([catanatron.RandomPlayer(color) for color in colors], seed=seed))
        found = replay.run()
        part.add(Part(1, replay.actions, replay.comparisons, int(replay.broken), 0.0, found, Counter(list(found))))
    part.seconds = time.process_time() - started
    return part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="games for each number of players (1000)")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--catanatron-repo", type=Path, metavar="PATH", help="checkout of catanatron's repository")
    args = parser.parse_args()

    if args.catanatron_repo is not None:
        use_checkout(args.catanatron_repo)
    print(f"catanatron from {Path(library().__file__ or '').parent}, "
          f"PYTHONHASHSEED={os.environ.get('PYTHONHASHSEED', 'random')}")
    unexplained = 0
    for players in args.players:
        seeds = list(range(args.seed, args.seed + args.games))
        whole = Part()
        for part in joblib.Parallel(n_jobs=args.jobs)(
                joblib.delayed(replay_games)(players, seeds[job::4 * args.jobs], args.catanatron_repo)
                for job in range(min(4 * args.jobs, args.games))):
            whole.add(part)
        print(f"\n{players} players: {whole.games} games, {whole.actions} actions, {whole.comparisons} lists of legal "
              f"moves compared, {whole.seconds:.0f} s of processor time; {whole.broken} could not be followed to "
              "the end", flush=True)
        for what, count in sorted(whole.found.items(), key=lambda item: (item[0] not in EXPECTED, item[0])):
            known = what in EXPECTED
            unexplained += not known
            unit = "games" if what == ROAD_HOLDER else f"times in {whole.games_with[what]} games"
            print(f"  {'rule difference' if known else 'UNEXPLAINED'}  {what}: {count} {unit}", flush=True)
    print("\nno difference without an explanation" if not unexplained else f"\n{unexplained} kinds UNEXPLAINED")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
