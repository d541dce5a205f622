"""Staging of Attila on pictures: the token or the influence of a choice as a ghost."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from sfida.engines.attila.board_svg import on_chart, on_province
from sfida.engines.attila.pieces_svg import head, marker
from sfida.engines.attila.pointing import parts_of
from sfida.engines.attila.position import Position, decode, position_of
from sfida.engines.attila.style import card_key, peaceful_limit, province_key
from sfida.engines.drawing.svg import ghost

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState

_PLACING, _OF_CHART = ("at", "second"), ("influence", "inf_a", "inf_b")


def ghosts(state: AttilaState, position: Position) -> ET.Element:
    """Return the ghosts of the mover's tokens, also of those that the cards in hand allow, and of its influence."""
    root = ET.Element("g")
    for code in state.legal_moves():
        move = decode(code)
        if move.kind in _PLACING:
            _draw_token(root, position, position.card, move.what, ())
        elif move.kind == "card":
            after = _after(state, code)
            for what in (decode(other).what for other in after.legal_moves() if decode(other).kind in _PLACING):
                _draw_token(root, position, move.what, what, (card_key(move.what),))
        elif move.kind in _OF_CHART:
            seat, grown = position.seat_to_move, position_of(_after(state, code))
            for part in parts_of(state, code):
                _draw_influence(root, position, grown, seat, part.key)
    return root


def _after(state: AttilaState, code: int) -> AttilaState:
    after = state.clone()
    after.apply(code)
    return after


def _draw_token(root: ET.Element, position: Position, tribe: int, province: int, first: tuple[str, ...]) -> None:
    """Draw a token on the next free place of a province."""
    land = position.land
    place, at = on_province(ghost(root, *first, province_key(land, province)), land, province)
    count = min(sum(position.tokens[province]), peaceful_limit())
    head(place, tribe, *at.order.places[count][count])


def _draw_influence(root: ET.Element, before: Position, after: Position, seat: int, key: str) -> None:
    """Draw the marker of a seat on the chart where it comes to stand."""
    was, becomes = before.seats[seat].influence, after.seats[seat].influence
    for tribe, (old, new) in enumerate(zip(was, becomes, strict=True)):
        if new != old:
            x, y, radius = on_chart(before.land, tribe, new)
            marker(ghost(root, key), seat, x, y, radius)
