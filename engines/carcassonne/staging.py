"""Staging of Carcassonne on pictures: the tile and follower of a choice as ghosts."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.board_svg import frame_of, spot_at, stand
from sfida.engines.carcassonne.pieces_svg import INK, LEGAL, place_face
from sfida.engines.carcassonne.position import Position
from sfida.engines.carcassonne.style import spot_key
from sfida.engines.carcassonne.tables import TileType, tile_type
from sfida.engines.drawing.svg import add, ghost, hit

_SPOT = 12.0            # radius of a spot on the ghost of a tile, in hundredths of the tile


def ghosts(_state: CarcassonneState, position: Position, size: int) -> ET.Element:
    """Return the ghosts of the mover's moves: the tile in hand in each legal rotation with its followers, or followers.

    Parameters
    ----------
    _state : CarcassonneState
    position : Position
        Its position.
    size : int
        Width of the picture in pixels.
    """
    root = ET.Element("g")
    if position.phase == "place" and position.tile_in_hand is not None:
        tile = tile_type(position.tile_in_hand)
        for rotation in sorted({rotation for _x, _y, rotation in position.placements}):
            _draw_tile(root, tile, rotation, position)
    elif position.phase == "deploy":
        laid, frame = position.tiles[-1], frame_of(position, size)
        for segment in position.deploy_segments:
            stand(ghost(root, spot_key(laid, segment)), tile_type(laid.code), laid.rotation, segment,
                  position.seat_on_turn, frame.corner(laid.x, laid.y), frame.cell)
    return root


def _draw_tile(root: ET.Element, tile: TileType, rotation: int, position: Position) -> None:
    """Draw the tile in a rotation, with the spots where a follower may stand and the followers on them."""
    fitted = ghost(root, f"turn:{rotation}", data_fit=100)
    place_face(fitted, tile, rotation, 0.0, 0.0, 1.0)
    if not position.supply[position.seat_on_turn]:
        return
    for number, segment in enumerate(tile.segments):
        if segment.kind == "river":
            continue
        key = f"spot:@,{segment.id}"
        x, y = spot_at(tile, rotation, number)
        stand(ghost(fitted, key), tile, rotation, number, position.seat_on_turn, (0.0, 0.0), 100.0)
        place = add(fitted, "g", class_="spot")
        add(place, "circle", cx=100 * x, cy=100 * y, r=_SPOT / 2, fill=LEGAL, stroke=INK, stroke_width=1.5)
        hit(place, key, "circle", cx=100 * x, cy=100 * y, r=_SPOT)
