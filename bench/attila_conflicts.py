"""Measure how well an agent hides its commitments in a conflict of Attila: the gain of a best response against it.

    python bench/attila_conflicts.py                    (about two minutes)
    python bench/attila_conflicts.py --iterations 2000 --seeds 4

In the last conflict of a game for two, the active player must not be predictable: the other sees how many cards it has
laid, but not which. Each agent analyses every decision; the exploitability of the strategy from which it draws and of
its most likely move is exact. It is a mean over seats and seeds, where a won game counts 1 and a lost one -1.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.attila_conflicts import CONFLICTS, learned

AGENTS = ("mo-ismcts:bids=exp3", "mo-ismcts:bids=ucb", "ismcts")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--iterations", type=int, default=1000, help="iterations per decision")
    parser.add_argument("--seeds", type=int, default=2)
    args = parser.parse_args()
    start = time.perf_counter()
    print("| conflict | agent | drawn | likeliest move |\n|---|---|---|---|")
    for name, conflict in CONFLICTS.items():
        tree = conflict.tree()
        for agent in AGENTS:
            spec = agent + ("," if ":" in agent else ":") + f"iterations={args.iterations}"
            drawn, likeliest = [], []
            for seed in range(args.seeds):
                mixed, pure = learned(tree, spec, seed)
                drawn.append(tree.exploitability(mixed))
                likeliest.append(tree.exploitability(pure))
            print(f"| {name} | `{agent}` | {statistics.fmean(drawn):.2f} | {statistics.fmean(likeliest):.2f} |",
                  flush=True)
    print(f"\n{args.iterations} iterations, {args.seeds} seeds; {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
