"""Measure the table of the games in docs/strength.md: speed, size and strength.

    python bench/games_table.py                                   every row
    python bench/games_table.py zarahemla:players=3 attila        these
    python bench/games_table.py --agents greedy,ismcts:seconds=0.1 --games 200 carcassonne

A row is a game with a number of players. Speed is that of uniformly random play on one core, size that of a state.
Strength is the win share, with its 95 % interval, of one agent on every seat in turn: among random players and, for
agents other than `greedy`, among copies of `greedy`. A fair share is 1/n for n seats. Iteration budgets give the same
shares on any machine.
"""

from __future__ import annotations

import argparse

from specs import EVERY

from sfida.ai.arena.tournament import tournament
from sfida.ai.research.profiling import bench
from sfida.engines.registry import make_game


def share(game: str, agent: str, other: str, games: int, seed: int, jobs: int) -> str:
    """Return the win share of an agent among others, as 62 % [55, 70]."""
    first = tournament(game, [agent, other], games, seed, jobs, mode="gauntlet").standings.agents[0]
    return f"{100 * first.win_share:.0f} % [{100 * first.ci95[0]:.0f}, {100 * first.ci95[1]:.0f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", default=EVERY, metavar="GAME")
    parser.add_argument("--agents", default="greedy,ismcts:iterations=500", help="separated by commas")
    parser.add_argument("--games", type=int, default=60, help="games per cell (60)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of random play (2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    agents = args.agents.split(",")
    pairs = [(agent, other) for agent in agents for other in ("random", "greedy") if (agent, other) != ("greedy",) * 2]
    heads = ["game", "players", "ns a move", "games a second", "bytes", *(f"`{a}` : `{b}`" for a, b in pairs)]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}", flush=True)
    for spec in args.rows:
        game = make_game(spec)
        speed = bench(game, args.seconds)
        cells = [share(spec, *pair, args.games, args.seed, args.jobs) for pair in pairs]
        print(f"| {game.title} | {game.players} | {speed['ns_per_move']:.0f} | {speed['playouts_per_s']:,.0f} | "
              f"{speed['state_bytes']:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
