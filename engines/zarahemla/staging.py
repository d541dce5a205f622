"""Staging of Zarahemla on pictures: the piece of a choice as a ghost."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.drawing.svg import ghost
from sfida.engines.zarahemla.board_svg import at_corner, at_edge, at_robber
from sfida.engines.zarahemla.pieces_svg import city, road, robber, settlement
from sfida.engines.zarahemla.position import Position, decode
from sfida.engines.zarahemla.style import place_key

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState


def ghosts(state: ZarahemlaState, position: Position) -> ET.Element:
    """Return the ghosts of the mover's buildings and roads, and of the robber."""
    root = ET.Element("g")
    seat = position.seat_to_move
    for move in map(decode, state.legal_moves()):
        if move.kind in ("settle", "city", "choose_start"):
            piece = at_corner(ghost(root, place_key("corner", move.arg)), move.arg)
            (city if move.kind == "city" else settlement)(piece, seat)
        elif move.kind == "road":
            piece, turned = at_edge(ghost(root, place_key("edge", move.arg)), move.arg)
            road(piece, 62.0, seat, -turned)
        elif move.kind == "move_robber":
            robber(at_robber(ghost(root, place_key("hex", move.arg)), move.arg, position.terrain[move.arg]))
    return root
