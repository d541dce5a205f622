"""Compare a game with a C++ reference of the same workload in one run.

    python bench/against_reference.py PATH/carcassonne.cpp [--rounds 5] [--seconds 1] [--json]
    python bench/against_reference.py PATH/catan.cpp --game zarahemla:preset=catan,trade_mode=none,players=4

The reference plays uniformly random games with legal lists at every decision. It is compiled with
`g++ -O3 -march=native -std=c++17` and prints JSON lines; the line that is used is that of random playouts by legal
lists with the same number of players as the game.
Rounds of the two alternate, so that a change of the machine's speed affects both; figures are medians over the
rounds, ratios are medians of the rounds' ratios. Everything runs on one thread and counts its processor time.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from sfida.ai.research.profiling import sample_decisions
from sfida.cython_ext.measure import count_moves, time_calls, time_playouts
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game

FLAGS = ["-O3", "-march=native", "-std=c++17"]
DECISIONS = 64                          # positions on which single calls and searches are measured


def build(source: Path, folder: Path, compiler: str) -> Path:
    """Compile the reference; exit with a message and status 1 if that fails."""
    program = folder / "reference"
    if not source.is_file():
        sys.exit(f"error: there is no file '{source}'; give the path of the C++ reference")
    try:
        done = subprocess.run([compiler, *FLAGS, str(source), "-o", str(program)], capture_output=True, text=True,
                              check=False)
    except FileNotFoundError:
        sys.exit(f"error: no compiler '{compiler}'; --compiler names another")
    if done.returncode:
        sys.exit(f"error: {compiler} cannot compile '{source}':\n{done.stderr.strip()}")
    return program


def run_reference(program: Path, games: int, players: int) -> dict[str, float]:
    """Run the reference once: games per second (median of its repeats), decisions per game, bytes, time of a clone.

    The time of a clone is NaN if the reference does not measure it.
    """
    done = subprocess.run([str(program), str(games)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    lines = [line for line in lines if line.get("players", players) == players]
    playouts = next((line for line in lines if line["what"].endswith("random playout")
                     and line.get("mode", "legal list") == "legal list"), None)
    if playouts is None:
        sys.exit(f"error: the reference has no random playouts with {players} players; --game names another game")
    clone = next((line.get("clone_ns", line.get("ns")) for line in lines
                  if "clone_ns" in line or line["what"].endswith("clone")), None)
    what = "decision" if "ns_decision" in playouts else "move"
    return {"games_per_s": playouts["games_s"][1], "decisions": playouts[f"{what}s_per_game"],
            "ns_per_decision": playouts[f"ns_{what}"], "state_bytes": playouts["state_bytes"],
            "clone_ns": clone[1] if clone else math.nan}


def run_playouts(start: GameState, rng: Random, seconds: float) -> float:
    """Return games per second of our random playouts."""
    games, spent = time_playouts(start, rng, seconds)
    return games / spent


def run_search(states: list[GameState], rng: Random, seconds: float) -> tuple[float, float, float]:
    """Return iterations per second of the search with full playouts, bare playouts per second, and bytes per node."""
    each = seconds / len(states)
    iterations, games = 0, 0
    search_s, playout_s = 0.0, 0.0
    sizes = []
    search: Search | None = None
    for number, state in enumerate(states):
        view = state.view(state.to_move)
        if search is None:
            search = Search(view, number, decisive=False)
        else:
            search.restart(view, number)
        started = time.thread_time()
        search.run(seconds=each)
        search_s += time.thread_time() - started
        iterations += search.visits
        sizes.append(search.statistics()["bytes_per_node"])
        count, spent = time_playouts(state, rng, each)
        # Positions late in the game are faster: weight them equally on both sides.
        games += search.visits
        playout_s += spent / count * search.visits
    return iterations / search_s, games / playout_s, statistics.mean(sizes)


def measure(program: Path, spec: str, rounds: int, seconds: float, games: int) -> dict[str, Any]:
    """Alternate the reference and ours; return every figure."""
    game = make_game(spec)
    start = game.initial_state()
    rng = Random(derive(1, 1))
    states = sample_decisions(game, DECISIONS, 1)
    run_playouts(start, rng, 0.2)       # warm up
    time_calls(states, rng, 20)
    rows = []
    for number in range(rounds):
        reference = run_reference(program, games, game.players)
        ours = run_playouts(start, rng, seconds)
        calls = time_calls(states, rng, max(20, int(2000 * seconds)))
        iterations, playouts, node = run_search(states, rng, seconds)
        rows.append({"reference": reference, "games_per_s": ours, "ratio": ours / reference["games_per_s"],
                     "clone_ns": calls["copy"], "memcpy_ns": calls["memcpy"],
                     "clone_ratio": calls["copy"] / calls["memcpy"], "iterations_per_s": iterations,
                     "playouts_per_s": playouts, "search_ratio": iterations / playouts, "bytes_per_node": node})
        print(f"round {number + 1} of {rounds}: reference {reference['games_per_s']:,.0f}, ours {ours:,.0f} games/s "
              f"({ours / reference['games_per_s']:.3f})", file=sys.stderr, flush=True)

    def median(key: str) -> float:
        return statistics.median(float(row[key]) for row in rows)

    def reference_median(key: str) -> float:
        return statistics.median(row["reference"][key] for row in rows)

    sample = 500
    decisions, chances, _ = (count / sample for count in count_moves(start, rng, sample))
    return {
        "schema": 1, "type": "against_reference", "game": game.spec(), "rounds": rounds,
        "reference": {key: reference_median(key) for key in rows[0]["reference"]},
        "games_per_s": median("games_per_s"), "decisions": decisions, "chance_events": chances,
        "ns_per_decision": 1e9 / (median("games_per_s") * decisions),
        "ratio": median("ratio"), "ratio_range": [min(r["ratio"] for r in rows), max(r["ratio"] for r in rows)],
        "state_bytes": start.state_bytes, "clone_ns": median("clone_ns"), "memcpy_ns": median("memcpy_ns"),
        "clone_ratio": median("clone_ratio"), "iterations_per_s": median("iterations_per_s"),
        "playouts_per_s": median("playouts_per_s"), "search_ratio": median("search_ratio"),
        "bytes_per_node": median("bytes_per_node"),
    }


def table(found: dict[str, Any]) -> str:
    """Format the figures as a table."""
    reference = found["reference"]
    low, high = found["ratio_range"]
    rows = [
        ("", "reference", "sfida", "sfida / reference"),
        ("random games a second", f"{reference['games_per_s']:,.0f}", f"{found['games_per_s']:,.0f}",
         f"{found['ratio']:.3f} ({low:.3f} to {high:.3f})"),
        ("decisions a game", f"{reference['decisions']:.1f}", f"{found['decisions']:.1f}",
         f"(and {found['chance_events']:.1f} chance events)"),
        ("a decision", f"{reference['ns_per_decision']:.1f} ns", f"{found['ns_per_decision']:.1f} ns", ""),
        ("a state", f"{reference['state_bytes']:,.0f} bytes", f"{found['state_bytes']:,d} bytes", ""),
        ("a copy of a state", f"{reference['clone_ns']:.1f} ns", f"{found['clone_ns']:.1f} ns", ""),
        ("", "", "", ""),
        ("", "bare", "sfida", "ratio"),
        ("copy against memcpy", f"{found['memcpy_ns']:.1f} ns", f"{found['clone_ns']:.1f} ns",
         f"{found['clone_ratio']:.2f}"),
        ("iterations against playouts, a second", f"{found['playouts_per_s']:,.0f}",
         f"{found['iterations_per_s']:,.0f}", f"{found['search_ratio']:.3f}"),
        ("tree, a node and edge pair", "", f"{found['bytes_per_node']:.1f} bytes", ""),
    ]
    return "\n".join(f"{a:38} {b:>14} {c:>14}   {d}".rstrip() for a, b, c, d in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the C++ reference")
    parser.add_argument("--game", default="carcassonne", help="game spec; the reference needs a line for its players")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds of each of our measurements")
    parser.add_argument("--games", type=int, default=5000, help="games of the reference in each of its repeats")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    args = parser.parse_args()
    if args.rounds < 1 or args.seconds <= 0 or args.games < 1:
        parser.error("--rounds, --seconds and --games must be positive")
    with tempfile.TemporaryDirectory() as folder:
        program = build(args.source, Path(folder), args.compiler)
        found = measure(program, args.game, args.rounds, args.seconds, args.games)
    print(json.dumps(found) if args.json else table(found))


if __name__ == "__main__":
    main()
