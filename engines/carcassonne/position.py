"""Positions and moves of Carcassonne as plain data.

A code is a 64-bit number with its kind in the high byte:

- draw: `DRAW << 56 | tile type`, types numbered in the order of the data file;
- place: `PLACE << 56 | tile type << 24 | (x + 128) << 16 | (y + 128) << 8 | rotation`;
- deploy: `DEPLOY << 56 | segment number + 1`, or `DEPLOY << 56` for nobody;
- first seat: `FIRST << 56 | seat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfida.engines.carcassonne.tables import tile_type

if TYPE_CHECKING:
    from sfida.cython_ext.carcassonne.core import CarcassonneState


# ---- Move codes of Carcassonne and their meaning

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
    """A follower is deployed on a segment of the tile just laid; None: nobody is."""

    segment: int | None


@dataclass(frozen=True)
class First:
    """The draw of the first seat."""

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
    code = int(code)            # NumPy's unsigned numbers cannot become negative
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


# ---- A position of Carcassonne, without hidden information, for narration, drawings and checks

Cell = tuple[int, int]

STEP: tuple[Cell, ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))      # north, east, south, west
AROUND: tuple[Cell, ...] = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the board. x grows east, y grows south; `rotation` counts quarter turns clockwise."""

    code: str
    x: int
    y: int
    rotation: int


@dataclass(frozen=True)
class Follower:
    """A follower on the board: index of its tile in `Position.tiles`, segment number and owner."""

    tile: int
    segment: int
    seat: int


@dataclass(frozen=True)
class LaidFeature:
    """A road, city, monastery or farm (`kind` "field") on the table.

    Attributes
    ----------
    segments : tuple of (tile, segment)
        Tiles by their number in laying order.
    open_edges : int
        Sides that face an empty cell; for a monastery the empty cells around it.
    followers : tuple of int
        Number of followers in the feature, per seat.
    complete : bool
        Always False for farms.
    cities : tuple of int
        Numbers, in the list of features, of the cities that a farm borders (CAR-10.11, CAR-12.14).
    points : int
        Points of a completed feature (CAR-7); points of another feature if the game ends now (CAR-10); 0 for a farm.
    """

    kind: str
    segments: tuple[tuple[int, int], ...]
    open_edges: int
    shields: int
    followers: tuple[int, ...]
    complete: bool
    cities: tuple[int, ...] = ()
    points: int = 0

    @property
    def tiles(self) -> frozenset[int]:
        """Return the tiles of the feature; a tile with two of its segments counts once (CAR-7.16, CAR-12.2)."""
        return frozenset(tile for tile, _ in self.segments)


@dataclass(frozen=True)
class Position:
    """Everything public about a state; the game hides only the order of the stacks.

    Attributes
    ----------
    phase : str
        "first" (the draw of the first seat), "draw", "place", "deploy" or "over".
    seat_on_turn : int
        Seat whose turn it is, also while the draw is pending.
    tiles : tuple of PlacedTile
        Laid tiles, in order of play.
    supply : tuple of int
        Followers in hand per seat.
    tile_in_hand : str or None
        Code of the drawn tile (phase "place"), or of the tile just laid (phase "deploy").
    open_places : tuple of (x, y)
        Empty cells next to the board.
    placements : tuple of (x, y, rotation)
        Legal placements of the tile in hand, sorted; only in phase "place".
    deploy_segments : tuple of int
        Segment numbers of the last tile that may take a follower; only in phase "deploy".
    remaining : dict of str to int
        Copies left in the land stack by tile code; codes with none left are absent.
    river_remaining : dict of str to int
        Copies left in the river stack, the lake included until it is drawn.
    discarded : tuple of str
        Tiles that could not be placed and left the game.
    river_end : (x, y), optional
        The cell into which the open river flows.
    features : tuple of LaidFeature
        Every road, city, monastery and farm on the table, in the order of their first tiles and segments.
    """

    players: int
    phase: str
    seat_on_turn: int
    tiles: tuple[PlacedTile, ...]
    followers: tuple[Follower, ...]
    scores: tuple[int, ...]
    supply: tuple[int, ...]
    tile_in_hand: str | None = None
    open_places: tuple[tuple[int, int], ...] = ()
    placements: tuple[tuple[int, int, int], ...] = ()
    deploy_segments: tuple[int, ...] = ()
    remaining: dict[str, int] = field(default_factory=dict)
    river_remaining: dict[str, int] = field(default_factory=dict)
    discarded: tuple[str, ...] = ()
    river_end: Cell | None = None
    features: tuple[LaidFeature, ...] = ()


def beside(cell: Cell, side: int) -> Cell:
    """Return the cell next to `cell` on a side."""
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def terrain(tile: PlacedTile, side: int) -> str:
    """Return the terrain at a side of a laid tile (N, E, S, W of the table = 0..3)."""
    return tile_type(tile.code).edges[(side - tile.rotation) % 4]


def grid_of(tiles: Sequence[PlacedTile]) -> dict[Cell, int]:
    """Return the number of the tile on each occupied cell."""
    return {(tile.x, tile.y): i for i, tile in enumerate(tiles)}


def by_cell(tiles: Iterable[PlacedTile]) -> dict[Cell, PlacedTile]:
    """Return the tile on each occupied cell."""
    return {(tile.x, tile.y): tile for tile in tiles}


def mismatches(table: Mapping[Cell, PlacedTile], tile: PlacedTile) -> list[tuple[int, PlacedTile]]:
    """Return the sides on which a tile would not continue its neighbour, with that neighbour (CAR-5.5).

    `table` is the result of `by_cell` for the tiles on the table.
    """
    found = []
    for side in range(4):
        other = table.get(beside((tile.x, tile.y), side))
        if other is not None and terrain(tile, side) != terrain(other, (side + 2) % 4):
            found.append((side, other))
    return found


def majority(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the most followers, including ties (CAR-7.11, CAR-7.12, CAR-10.10)."""
    most = max(counts)
    return tuple(seat for seat, n in enumerate(counts) if n == most) if most else ()


def completed_by(position: Position, tile: int) -> list[LaidFeature]:
    """Return the features completed by a tile (CAR-7.1, CAR-12.3, CAR-12.4)."""
    tiles = position.tiles

    def near(feature: LaidFeature) -> bool:
        (i,) = feature.tiles
        return max(abs(tiles[i].x - tiles[tile].x), abs(tiles[i].y - tiles[tile].y)) <= 1
    return [f for f in position.features if f.complete and (near(f) if f.kind == "monastery" else tile in f.tiles)]


# ---- The position of a state as plain data, without hidden information


def position_of(state: CarcassonneState, *, features: bool = True) -> Position:
    """Return a state as plain data; `features`, which take most of the time, may be omitted."""
    fields = state.snapshot(features)
    return Position(**{
        **fields, "tiles": tuple(PlacedTile(*one) for one in fields["tiles"]),
        "followers": tuple(Follower(*one) for one in fields["followers"]),
        "features": tuple(LaidFeature(*one) for one in fields["features"])})
