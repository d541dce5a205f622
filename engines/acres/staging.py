"""Staging of A Few Acres of Snow on pictures: the piece or siege of a choice as a ghost."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.acres.board_svg import on_map
from sfida.engines.acres.pieces_svg import fort_ring, siege_burst, town, village
from sfida.engines.acres.position import Position, decode
from sfida.engines.acres.style import site_key, sites
from sfida.engines.drawing.svg import ghost, moved

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState


def ghosts(state: AcresState, position: Position) -> ET.Element:
    """Return the ghosts of what the mover may do at sites."""
    root = ET.Element("g")
    board = on_map(root)
    seat = position.seat_to_move
    for kind, number in sorted({(move.kind, move.place) for move in map(decode, state.legal_moves())
                                if move.kind in ("settle", "develop", "fortify", "besiege", "raid")}):
        site = sites()[number]
        piece = moved(ghost(board, site_key(number), f"do:{kind}"), site.x, site.y)
        if kind == "settle":
            village(piece, seat)
        elif kind == "develop":
            town(piece, seat)
        elif kind == "fortify":
            fort_ring(piece)
        else:
            siege_burst(piece)
    return root if len(board) else ET.Element("g")
