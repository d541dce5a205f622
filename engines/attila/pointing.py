"""Choosing a move of Attila by pointing: cards of the hand, provinces, columns of the influence chart, tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sfida.engines.attila.moves import OF_PROVINCES, Move, decode
from sfida.engines.attila.notation import describe_move
from sfida.engines.attila.places import card_key, column_key, province_key, tile_key
from sfida.engines.faces.drawing import Part

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState
    from sfida.engines.attila.game import Attila

_OF_HAND = ("card", "dump", "commit", "give")
_OF_CHART = ("influence", "inf_a", "inf_b")
_TILES = {"tile_double": "double_turn", "tile_exchange": "exchange", "tile_influence": "influence_2"}


def parts_of(state: AttilaState, code: int) -> tuple[Part, ...]:
    """Return what is pointed at to choose a move; nothing for what ends something, and for luck."""
    move = decode(code)
    key = ""
    if move.kind in _OF_HAND:
        key = card_key(move.what)
    elif move.kind in _TILES:
        key = tile_key(_TILES[move.kind])
    else:
        key = next(iter(touched(state, code)), "")
    return (Part(key, describe_move(state, code)),) if key else ()


def touched(state: AttilaState, code: int) -> tuple[str, ...]:
    """Return the key of the province or column that an event is about."""
    move = decode(code)
    if move.kind in OF_PROVINCES:
        return (province_key(cast("Attila", state.game).land, move.what),)
    return (column_key(_column(state, move)),) if move.kind in _OF_CHART else ()


def _column(state: AttilaState, move: Move) -> int:
    """Return the tribe whose influence grows: that of the card in play, or of a step of the tile."""
    return int(state.snapshot()["card"]) if move.kind == "influence" else move.what
