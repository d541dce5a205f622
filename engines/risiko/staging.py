"""Staging of RisiKo! on pictures: new armies, attacks and marches of a choice as ghosts."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.drawing.svg import ghost, moved
from sfida.engines.risiko.board_svg import arrow, on_map, spot_of
from sfida.engines.risiko.pieces_svg import new_armies
from sfida.engines.risiko.position import PAIRS, Position, decode
from sfida.engines.risiko.style import seat_rgb, territory_key

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


def ghosts(state: RisikoState, position: Position) -> ET.Element:
    """Return the ghosts of the mover's new armies, and the arrows of its attacks and marches."""
    root = ET.Element("g")
    board = on_map(root)
    rgb = seat_rgb(position, position.seat_to_move)
    moves = [decode(code) for code in state.candidate_moves()]
    for target in sorted({move.target for move in moves if move.kind == "place"}):
        new_armies(moved(ghost(board, territory_key(target)), *spot_of(target), 1.1), rgb)
    for kind, origin, target in sorted({("march" if move.kind == "fortify" else "attack", move.origin, move.target)
                                        for move in moves if move.kind in PAIRS}):
        arrow(ghost(board, territory_key(origin), territory_key(target)), origin, target, kind)
    return root if len(board) else ET.Element("g")
