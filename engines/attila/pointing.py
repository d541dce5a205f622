"""Choosing a move of Attila by pointing, or in two steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from sfida.engines.attila.notation import describe_move
from sfida.engines.attila.position import OF_PROVINCES, Move, Position, decode, position_of
from sfida.engines.attila.style import card_key, column_key, peaceful_limit, province_key, tile_key
from sfida.engines.game import Part
from sfida.engines.language import NP_, _, pgettext
from sfida.engines.moves import MoveGroup

if TYPE_CHECKING:
    from sfida.cython_ext.attila.core import AttilaState
    from sfida.engines.attila.game import Attila


# ---- The place for a token, chosen in two steps: its effect, then a province

FIGHTS, FILLS, OPENS, ADDS = (NP_("attila", "fights"), NP_("attila", "fills"), NP_("attila", "opens"),
                              NP_("attila", "adds"))


def move_groups(position: Position, moves: Sequence[int]) -> list[MoveGroup]:
    """Group the legal provinces for a token by its effect there; influence is a separate group."""
    if position.phase not in ("place", "follow"):
        return []
    found: dict[str, list[int]] = {FIGHTS: [], FILLS: [], OPENS: [], ADDS: []}
    alone = []
    for code in moves:
        move = decode(code)
        if move.kind in ("at", "second"):
            found[_group(position, move.what)].append(code)
        else:
            alone.append(MoveGroup("", "", (code,)))
    said = {FIGHTS: _("a conflict"), FILLS: _("the next token there starts a conflict"),
            OPENS: _("a new province of the tribe"), ADDS: _("beside its own")}
    codes = [one.code for one in position.land.provinces]
    return [MoveGroup(pgettext("attila", name),
                      f"{said[name]}: {' '.join(codes[decode(code).what] for code in inside)}", tuple(inside))
            for name, inside in found.items() if inside] + alone


def _group(position: Position, province: int) -> str:
    there = position.tokens[province]
    if sum(there) == peaceful_limit():
        return FIGHTS
    if sum(there) == peaceful_limit() - 1:
        return FILLS
    return ADDS if there[position.card] else OPENS


# ---- Pointing: cards of the hand, provinces, columns of the chart, tiles

_OF_HAND = ("card", "dump", "commit", "give")
_OF_CHART = ("influence", "inf_a", "inf_b")
_TILES = {"tile_double": "double_turn", "tile_exchange": "exchange", "tile_influence": "influence_2"}


def parts_of(state: AttilaState, code: int) -> tuple[Part, ...]:
    """Return the parts to point at to choose a move; empty for moves that end something, and for chance."""
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
    """Return the key of the province or column that an event touched."""
    move = decode(code)
    if move.kind in OF_PROVINCES:
        return (province_key(cast("Attila", state.game).land, move.what),)
    return (column_key(_column(state, move)),) if move.kind in _OF_CHART else ()


def _column(state: AttilaState, move: Move) -> int:
    """Return the tribe whose influence grows: the tribe of the card in play, or of a step of the tile."""
    return position_of(state).card if move.kind == "influence" else move.what
