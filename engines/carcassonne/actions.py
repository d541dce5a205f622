"""Moves of Carcassonne as numbers of a fixed action space.

First who starts, then followers by segment (nobody first), then placements by cell, row by row from the north-west, and
rotation. The tile is not in the number: everybody sees which one is in hand.
"""

from __future__ import annotations

from functools import cache, partial

from sfida.engines.actions import Actions, NumberedCodes
from sfida.engines.carcassonne.moves import Deploy, First, Place, decode

SEATS = 5
SEGMENTS = 16                   # more than any tile has, and nobody


@cache
def actions(tiles: int) -> Actions:
    """Return the numbers of the moves of a game.

    Parameters
    ----------
    tiles : int
        How many there are. They hang together, so the last of n lies at most n - 1 steps along the grid from the first.
    """
    return NumberedCodes(SEATS + SEGMENTS + 4 * _cells(tiles - 1), partial(_number, tiles - 1))


def _cells(reach: int) -> int:
    return 2 * reach * (reach + 1) + 1


def _number(reach: int, code: int) -> int:
    """Return the number of a move; tiles lie at most `reach` steps from the first."""
    match decode(code):
        case First(seat):
            return seat
        case Deploy(segment):
            return SEATS + (0 if segment is None else segment + 1)
        case Place(_tile, x, y, rotation):
            before = (y + reach) ** 2 if y <= 0 else _cells(reach) - (reach - y + 1) ** 2   # cells of the rows before
            return SEATS + SEGMENTS + 4 * (before + x + reach - abs(y)) + rotation
        case move:
            raise ValueError(f"{move} is luck")
