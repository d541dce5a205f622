"""Places of Carcassonne that can be pointed at: cells, and the spots of followers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.faces import turned
from sfida.engines.carcassonne.grounds import footing
from sfida.engines.carcassonne.position import PlacedTile, Position
from sfida.engines.carcassonne.tiles import TileType, load_tiles
from sfida.engines.drawing.elements import add
from sfida.engines.drawing.pointing import hit

_SPOT, _FINGER = 0.12, 13.0             # radius of a spot: in tiles, and what a finger needs, of a sheet of 800


def cell_key(x: int, y: int) -> str:
    """Return what names a cell, empty or not."""
    return f"cell:{x},{y}"


def spot_key(tile: PlacedTile, segment: int) -> str:
    """Return what names the spot of a follower."""
    names = next(one for one in load_tiles() if one.code == tile.code).segments
    return f"spot:{tile.x},{tile.y},{names[segment].id}"


def draw_hits(root: ET.Element, position: Position, faces: Mapping[str, TileType],
              corner: Callable[[int, int], tuple[float, float]], cell: float, unit: float) -> None:
    """Draw the shapes of the cells, of the followers, and of the spots where one may be deployed.

    Parameters
    ----------
    root : Element
    position : Position
    faces : mapping of str to TileType
        Tile types by code.
    corner : callable
        Returns the upper left corner of a cell of the board.
    cell : float
        Length of its sides.
    unit : float
        The sheet's width in parts of 800.
    """
    group = add(root, "g", class_="hits")
    open_places = () if position.phase == "over" else position.open_places
    for at in (*((tile.x, tile.y) for tile in position.tiles), *open_places):
        x, y = corner(*at)
        hit(group, cell_key(*at), "rect", x=x, y=y, width=cell, height=cell)
    for follower in position.followers:
        tile = position.tiles[follower.tile]
        x, y = corner(tile.x, tile.y)
        stand = footing(faces[tile.code], tile.rotation, follower.segment)
        hit(group, spot_key(tile, follower.segment), "circle", cx=x + stand.u * cell, cy=y + stand.v * cell,
            r=0.2 * cell * stand.scale)
    if not position.deploy_segments:
        return
    tile = position.tiles[-1]
    x, y = corner(tile.x, tile.y)
    spots = {segment: spot_at(faces[tile.code], tile.rotation, segment) for segment in position.deploy_segments}
    for segment, at in spots.items():
        room = min((math.dist(at, other) / 2 for one, other in spots.items() if one != segment), default=0.5)
        hit(group, spot_key(tile, segment), "circle", cx=x + at[0] * cell, cy=y + at[1] * cell,
            r=max(_SPOT * cell, min(_FINGER * unit, room * cell)))


def spot_at(tile: TileType, rotation: int, segment: int) -> tuple[float, float]:
    """Return where the sign of a segment stands on a tile, in parts of the tile."""
    u, v = turned(tile, rotation).segments[segment].xy
    return min(0.86, max(0.14, u)), min(0.86, max(0.14, v))
