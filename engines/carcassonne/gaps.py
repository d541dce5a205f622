"""The empty places that an unfinished feature needs, and the tiles left that go there."""

from __future__ import annotations

from collections.abc import Mapping

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.position import AROUND, Cell, Feature, PlacedTile, Position, beside, grid_of
from sfida.engines.carcassonne.seen import position_of
from sfida.engines.carcassonne.tiles import tile_type, type_number


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


class Stack:
    """The tiles not yet laid, as to where they go."""

    def __init__(self, state: CarcassonneState) -> None:
        self._state, position = state, position_of(state)
        self._land, self._river = position.remaining, position.river_remaining
        self._open, self._end = set(position.open_places), position.river_end
        self._places: dict[str, tuple[tuple[int, int, int], ...]] = {}
        self.grid: dict[Cell, int] = grid_of(position.tiles)

    @property
    def count(self) -> int:
        """Number of the tiles."""
        return sum(self._land.values()) + sum(self._river.values())

    def fitting(self, cell: Cell, more: str = "") -> list[tuple[PlacedTile, int]]:
        """Return the ways to fill a cell, each with the copies of its tile; `more` is the code of one tile more."""
        codes = dict(self._river if cell == self._end else self._land)
        if more and (tile_type(more).set == "river") == (cell == self._end):
            codes[more] = codes.get(more, 0) + 1
        return [(PlacedTile(code, *cell, turn), copies) for code, copies in codes.items()
                for turn in self._turns(code, cell)]

    def _turns(self, code: str, cell: Cell) -> list[int]:
        """Return the rotations in which a tile fits a cell; where nothing touches it, all."""
        if cell not in self._open:
            return list(range(tile_type(code).rotations))
        if code not in self._places:
            self._places[code] = self._state.places_for(type_number(code))
        return [turn for x, y, turn in self._places[code] if (x, y) == cell]

    def completing(self, feature: Feature, cell: Cell) -> int:
        """Return how many of the tiles complete a feature whose only gap is a cell."""
        copies = {tile.code: copies for tile, copies in self.fitting(cell) if feature.kind == "monastery"
                  or self._state.closes(type_number(tile.code), *cell, tile.rotation, *feature.segments[0])}
        return sum(copies.values())
