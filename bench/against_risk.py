"""RisiKo! beside a C++ reference of a Risk-like random playout, in one run.

    python bench/against_risk.py PATH/risk.cpp [--rounds 5] [--seconds 1]

The reference plays uniformly random four-player games of 200 turns: one army at a time, one throw at a time, two
defence dice, no objectives. Games differ, so what is compared is the time of a decision, luck included. Rounds of the
two alternate; figures are medians over the rounds, ratios are medians of the rounds' ratios. Everything runs on one
thread and counts its processor time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

from against_reference import build

from sfida.cython_ext.measure import count_playout_moves, time_playouts
from sfida.cython_ext.rng import Random, derive
from sfida.engines.registry import make


def reference_ns(program: Path, games: int) -> float:
    """Nanoseconds a decision of the reference: four players, 200 turns, without copies."""
    done = subprocess.run([str(program), str(games)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return float(next(line["ns_decision"] for line in lines if line["players"] == 4 and line["turn_cap"] == 200))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python bench/against_risk.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the C++ reference")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of ours, each round")
    parser.add_argument("--games", type=int, default=100, help="of the reference, each of its own repeats")
    parser.add_argument("--compiler", default="g++")
    found = parser.parse_args()
    start, rng = make("risiko", players=4), Random(derive(1, 4))
    moves = count_playout_moves(start, Random(derive(2, 4)), 2000)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(found.source, Path(folder), found.compiler)
        time_playouts(start, rng, 0.2)  # warm up
        for _ in range(found.rounds):
            theirs = reference_ns(program, found.games)
            games, spent = time_playouts(start, rng, found.seconds)
            rows.append((theirs, 1e9 * spent / games / moves))
    ratios = [ours / theirs for theirs, ours in rows]
    print(f"reference {statistics.median(theirs for theirs, _ in rows):.1f} ns a decision")
    print(f"ours      {statistics.median(ours for _, ours in rows):.1f} ns a decision, {moves:.0f} decisions a game, "
          f"{start.state_bytes} bytes")
    print(f"ratio     {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
