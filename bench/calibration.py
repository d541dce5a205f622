"""Reliability of a game's evaluation: predicted win shares against actual results.

    python bench/calibration.py carcassonne --agent greedy --games 300

Plays games between equal agents, notes the evaluation after every turn and compares it with the results of the
games. For Carcassonne `--fit` also finds the scale of the win estimate that fits best.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.table import decide
from sfida.engines.registry import make_game

Row = tuple[int, list[float], list[float], list[float], list[float]]


def collect(game_spec: str, agent_spec: str, games: int, seed: int) -> list[Row]:
    """Return (tiles left, predicted shares, predicted scores, final shares, final scores) before every draw."""
    game = make_game(game_spec)
    rows = []
    for number in range(games):
        agents = [make_agent(agent_spec, seed=seat) for seat in range(game.players)]
        luck = SeededChance(seed + number)
        state = game.initial_state()
        seen, ply = [], 0
        while not state.is_over:
            if state.is_chance:
                wins, scores = state.evaluation()
                seen.append((getattr(state, "tiles_left", 0), wins, scores))
                state.apply(luck.draw(state))
            else:
                state.apply(decide(Seat(agents[state.to_move]), state, seed + number, ply))
            ply += 1
        final = state.utilities()
        rows += [(left, wins, scores, final, state.scores()) for left, wins, scores in seen]
    return rows


def loss(rows: list[Row], spread: float, floor: float) -> float:
    """Return the mean log loss of a softmax of the predicted scores with scale floor + spread * sqrt(left)."""
    total = 0.0
    for left, _, scores, final, _ in rows:
        z = np.asarray(scores) / (floor + spread * math.sqrt(left))
        z -= z.max()
        logp = z - math.log(np.exp(z).sum())
        total -= float(np.dot(final, logp))
    return total / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="carcassonne")
    parser.add_argument("--agent", default="greedy")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    rows = collect(args.game, args.agent, args.games, args.seed)
    predicted = np.array([p for row in rows for p in row[1]])
    happened = np.array([f for row in rows for f in row[3]])
    print(f"{args.games} games of {args.agent}, {len(rows)} positions")
    print("predicted   mean predicted   mean result      positions")
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (predicted >= low) & (predicted < low + 0.1 + 1e-9)
        if inside.any():
            print(f"{low:.1f}-{low + 0.1:.1f}     {predicted[inside].mean():14.3f} {happened[inside].mean():13.3f} "
                  f"{inside.sum():14d}")
    print(f"Brier score {np.mean((predicted - happened) ** 2):.4f}")
    bias = np.array([np.subtract(row[2], row[4]) for row in rows])
    lefts = np.array([row[0] for row in rows])
    for low in range(0, 80, 10):
        inside = (lefts >= low) & (lefts < low + 10)
        if inside.any():
            margin = bias[inside][:, 0] - bias[inside][:, 1]
            print(f"tiles left {low:2d}-{low + 9:2d}: score bias {bias[inside].mean():+6.2f}, "
                  f"margin error sd {margin.std():5.2f}")
    if args.fit:
        best = min((loss(rows, s, f), s, f) for s in np.arange(0.4, 3.01, 0.2) for f in (0.5, 1.0, 2.0, 3.0))
        print(f"best fit: spread {best[1]:.2f} floor {best[2]:.2f} log loss {best[0]:.4f}")


if __name__ == "__main__":
    main()
