"""Move codes of Carcassonne and what they mean.

A code is a 64-bit number with its kind in the high byte:

- draw: `DRAW << 56 | tile type`, types numbered in the order of the data file;
- place: `PLACE << 56 | tile type << 24 | (x + 128) << 16 | (y + 128) << 8 | rotation`;
- deploy: `DEPLOY << 56 | segment number + 1`, or `DEPLOY << 56` for nobody;
- who starts: `FIRST << 56 | seat`.
"""

from __future__ import annotations

from dataclasses import dataclass

DRAW, PLACE, DEPLOY, FIRST = 1, 2, 3, 4
SHIFT = 56
ORIGIN = 128


@dataclass(frozen=True)
class Draw:
    """A tile is drawn; `tile` is the number of its type."""

    tile: int


@dataclass(frozen=True)
class Place:
    """The tile in hand is laid at (x, y), turned `rotation` quarter turns clockwise."""

    tile: int
    x: int
    y: int
    rotation: int


@dataclass(frozen=True)
class Deploy:
    """A follower goes on a segment of the tile just laid; None: nobody does."""

    segment: int | None


@dataclass(frozen=True)
class First:
    """Who starts."""

    seat: int


Move = Draw | Place | Deploy | First


def encode(move: Move) -> int:
    """Return the code of a move."""
    match move:
        case Draw(tile):
            return DRAW << SHIFT | tile
        case Place(tile, x, y, rotation):
            return PLACE << SHIFT | tile << 24 | (x + ORIGIN) << 16 | (y + ORIGIN) << 8 | rotation
        case Deploy(segment):
            return DEPLOY << SHIFT | (0 if segment is None else segment + 1)
        case First(seat):
            return FIRST << SHIFT | seat


def decode(code: int) -> Move:
    """Return the move of a code.

    Raises
    ------
    ValueError
        If the code is no move of Carcassonne.
    """
    code = int(code)            # NumPy's unsigned numbers would not go below 0
    low = code & ((1 << SHIFT) - 1)
    match code >> SHIFT:
        case 1:
            return Draw(low)
        case 2:
            return Place(low >> 24, (low >> 16 & 255) - ORIGIN, (low >> 8 & 255) - ORIGIN, low & 255)
        case 3:
            return Deploy(low - 1 if low else None)
        case 4:
            return First(low)
    raise ValueError(f"{code} is no move of Carcassonne")
