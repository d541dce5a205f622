"""Shapes of the cells of Carcassonne and of the spots of followers, to be pointed at."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.faces import turned
from sfida.engines.carcassonne.grounds import footing
from sfida.engines.carcassonne.places import cell_key, spot_key
from sfida.engines.carcassonne.position import Position
from sfida.engines.carcassonne.tiles import TileType
from sfida.engines.drawing.elements import add
from sfida.engines.drawing.pointing import hit

_SPOT, _FINGER = 0.12, 13.0             # radius of a spot: in tiles, and what a finger needs, of a sheet of 800


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
    for cell_at in (*((tile.x, tile.y) for tile in position.tiles), *open_places):
        x, y = corner(*cell_at)
        hit(group, cell_key(*cell_at), "rect", x=x, y=y, width=cell, height=cell)
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
