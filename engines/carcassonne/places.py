"""What names the places of Carcassonne that can be pointed at: cells, and the spots of followers."""

from __future__ import annotations

from sfida.engines.carcassonne.position import PlacedTile
from sfida.engines.carcassonne.tiles import load_tiles


def cell_key(x: int, y: int) -> str:
    """Return what names a cell, empty or not."""
    return f"cell:{x},{y}"


def spot_key(tile: PlacedTile, segment: int) -> str:
    """Return what names the spot of a follower."""
    names = next(one for one in load_tiles() if one.code == tile.code).segments
    return f"spot:{tile.x},{tile.y},{names[segment].id}"
