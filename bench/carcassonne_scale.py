"""Fit the scale of Carcassonne's win estimate, and show how far its expected points are off.

    python bench/carcassonne_scale.py --games 120

The estimate is a softmax of the expected points whose scale is `floor + spread * sqrt(tiles left)`. Positions are those
after every turn in games of equal agents; the best scale has the least log loss of their results. Whether the estimate
means what it says is shown by `python bench/calibration.py carcassonne --evaluation`.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

import numpy as np
from forecasts import after_turns

from sfida.ai.table import Table, take_seats
from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game

SPREADS = np.arange(0.4, 3.01, 0.2)
FLOORS = (0.5, 1.0, 2.0, 3.0)
BAND = 10                               # tiles in a row of the table


@dataclass(frozen=True)
class Row:
    """A position: tiles left, points expected then, and points and shares of the win in the end."""

    left: int
    expected: tuple[float, ...]
    scores: tuple[float, ...]
    shares: tuple[float, ...]


def rows_of(spec: str, agent: str, seed: int) -> list[Row]:
    """Play a game and return its positions after every turn."""
    game, seen = make_game(spec), list[tuple[int, tuple[float, ...]]]()
    table = Table(game, take_seats(game, [agent] * game.players), seed)

    def note(state: GameState) -> None:
        assert isinstance(state, CarcassonneState)
        seen.append((state.tiles_left, tuple(state.evaluation()[1])))

    table.watchers.append(after_turns(note))
    table.begin()
    while not table.is_over:
        table.play(table.next_move())
    shares = table.state.utilities()
    assert shares is not None
    return [Row(left, expected, tuple(table.state.scores()), tuple(shares)) for left, expected in seen]


def loss(rows: list[Row], spread: float, floor: float) -> float:
    """Return the mean log loss with this scale."""
    total = 0.0
    for row in rows:
        z = np.asarray(row.expected) / (floor + spread * math.sqrt(row.left))
        z -= z.max()
        total -= float(np.dot(row.shares, z - math.log(np.exp(z).sum())))
    return total / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="carcassonne", help="its spec (carcassonne)")
    parser.add_argument("--agent", default="greedy")
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = [row for number in range(given.games)
            for row in rows_of(given.game, given.agent, derive(given.seed, number))]
    bias = np.array([np.subtract(row.expected, row.scores) for row in rows])
    left = np.array([row.left for row in rows])
    print(f"{given.games} games of {given.agent}, {len(rows)} positions")
    for low in range(0, int(left.max()) + 1, BAND):
        inside = bias[(left >= low) & (left < low + BAND)]
        if len(inside):
            print(f"tiles left {low:2d}-{low + BAND - 1:2d}: score bias {inside.mean():+6.2f}, "
                  f"margin error sd {(inside[:, 0] - inside[:, 1]).std():5.2f}")
    best = min((loss(rows, spread, floor), spread, floor) for spread in SPREADS for floor in FLOORS)
    print(f"best fit: spread {best[1]:.2f} floor {best[2]:.2f} log loss {best[0]:.4f}")


if __name__ == "__main__":
    main()
