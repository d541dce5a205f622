"""The empty places that an unfinished feature needs, and the tiles left that go there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import PlacedTile, Position
from sfida.engines.carcassonne.recount import (
    AROUND,
    Cell,
    Feature,
    beside,
    grid_of,
    is_closed,
    makes_u_turn,
    river_end,
    terrain,
    tile_type,
)

Sides = tuple[str | None, ...]              # what the neighbours N, E, S, W demand; None: there is none


def gaps_of(position: Position, feature: Feature, grid: Mapping[Cell, int]) -> set[Cell]:
    """Return the empty cells that must be filled before a road, city or monastery is complete.

    Parameters
    ----------
    position : Position
    feature : Feature
    grid : mapping
        `grid_of` the tiles.
    """
    found: set[Cell] = set()
    for i, s in feature.segments:
        tile = position.tiles[i]
        if feature.kind == "monastery":
            found.update((tile.x + dx, tile.y + dy) for dx, dy in AROUND)
        found.update(beside((tile.x, tile.y), (edge + tile.rotation) % 4)
                     for edge in tile_type(tile.code).segments[s].edges)
    return found - set(grid)


@cache
def _turns(code: str, sides: Sides) -> tuple[int, ...]:
    """Return the rotations of a tile that match what its neighbours demand."""
    face = tile_type(code)
    return tuple(k for k in range(face.rotations)
                 if all(want in (None, face.edges[(side - k) % 4]) for side, want in enumerate(sides)))


class Stack:
    """The tiles not yet laid, as to where they go.

    Parameters
    ----------
    position : Position
    options : CarcassonneOptions
    """

    def __init__(self, position: Position, options: CarcassonneOptions) -> None:
        self._tiles, self._options = position.tiles, options
        self._land, self._river = position.remaining, position.river_remaining
        self.grid: dict[Cell, int] = grid_of(position.tiles)
        end = river_end(position.tiles) if options.river else None
        self._end = end.cell if end is not None else None

    @property
    def count(self) -> int:
        """Number of the tiles."""
        return sum(self._land.values()) + sum(self._river.values())

    def fitting(self, cell: Cell, more: str = "") -> list[tuple[PlacedTile, int]]:
        """Return the ways to fill a cell, each with the copies of its tile; `more` is the code of one tile more."""
        sides = tuple(None if j is None else terrain(self._tiles[j], (side + 2) % 4)
                      for side in range(4) for j in (self.grid.get(beside(cell, side)),))
        codes = dict(self._river if cell == self._end else self._land)
        if more and (tile_type(more).set == "river") == (cell == self._end):
            codes[more] = codes.get(more, 0) + 1
        ways = [(PlacedTile(code, *cell, k), copies) for code, copies in codes.items() for k in _turns(code, sides)]
        return [(tile, copies) for tile, copies in ways
                if cell != self._end or not makes_u_turn(self._tiles, tile, self._options)]

    def completing(self, feature: Feature, cell: Cell) -> int:
        """Return how many of the tiles complete a feature whose only gap is a cell."""
        copies = {tile.code: copies for tile, copies in self.fitting(cell)
                  if feature.kind == "monastery"
                  or is_closed((*self._tiles, tile), {**self.grid, cell: len(self._tiles)}, feature.segments[0])}
        return sum(copies.values())
