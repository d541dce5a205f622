"""Compare a game with a C++ reference of a similar game in one run: the time per decision.

    python bench/against_decisions.py PATH/risk.cpp --game risiko:players=4 --line turn_cap=200
    python bench/against_decisions.py PATH/deckbuilder.cpp --game a_few_acres_of_snow

The reference plays uniformly random games with legal lists and prints JSON lines. The line that is used is that of
plain random playouts with the same number of players as the game and with the values that `--line` names. The games
differ, so the time per decision is compared, chance events included; `bench/against_reference.py` compares games with
the same rules. Rounds of the two alternate; figures are medians over the rounds, ratios are medians of the rounds'
ratios. Everything runs on one thread and counts its processor time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from against_reference import build

from sfida.cython_ext.measure import count_playout_moves, time_playouts
from sfida.cython_ext.rng import Random, derive
from sfida.engines.registry import make

SAMPLE = 2000                           # games over which the decisions per game are counted


def reference_ns(program: Path, games: int, wanted: dict[str, str]) -> float:
    """Return nanoseconds per decision of the reference, from its line with the wanted values and without copies."""
    done = subprocess.run([str(program), str(games)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found = [line for line in lines if str(line.get("what", "")).endswith("random playout")
             and all(str(line.get(key)) == value for key, value in wanted.items())]
    if len(found) != 1:
        sys.exit(f"error: {len(found)} lines of the reference are random playouts with "
                 f"{', '.join(f'{key}={value}' for key, value in wanted.items())}; --line must name one")
    return float(found[0]["ns_decision"] if "ns_decision" in found[0] else found[0]["ns_move"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python bench/against_decisions.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the C++ reference")
    parser.add_argument("--game", required=True, help="game spec")
    parser.add_argument("--line", action="append", default=[], metavar="KEY=VALUE",
                        help="values of the line")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds of our playouts per round")
    parser.add_argument("--games", type=int, default=100, help="games of the reference per repeat")
    parser.add_argument("--compiler", default="g++")
    args = parser.parse_args()
    start, rng = make(args.game), Random(derive(1, 4))
    wanted = {"players": str(start.players), **dict(item.split("=", 1) for item in args.line if "=" in item)}
    moves = count_playout_moves(start, Random(derive(2, 4)), SAMPLE)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = build(args.source, Path(folder), args.compiler)
        time_playouts(start, rng, 0.2)  # warm up
        for _ in range(args.rounds):
            theirs = reference_ns(program, args.games, wanted)
            games, spent = time_playouts(start, rng, args.seconds)
            rows.append((theirs, 1e9 * spent / games / moves))
    ratios = [ours / theirs for theirs, ours in rows]
    print(f"reference {statistics.median(theirs for theirs, _ in rows):.1f} ns a decision")
    print(f"ours      {statistics.median(ours for _, ours in rows):.1f} ns a decision, {moves:.0f} decisions a game, "
          f"{start.state_bytes} bytes")
    print(f"ratio     {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
