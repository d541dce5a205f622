"""Choosing a move of RisiKo! by pointing: territories, then how many; the cards of a set from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.faces.drawing import Part
from sfida.engines.language import _
from sfida.engines.risiko.looks import hand_order
from sfida.engines.risiko.moves import PLACED, Move, decode
from sfida.engines.risiko.names import territory_name
from sfida.engines.risiko.places import card_key, territory_key
from sfida.engines.risiko.position import position_of
from sfida.engines.risiko.rules import card_name, joker_names
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


def parts_of(state: RisikoState, code: int) -> tuple[Part, ...]:
    """Return what is pointed at to choose a move; nothing for what ends a phase, and for luck."""
    move = decode(code)
    match move.kind:
        case "place":
            return _territory(move.target), _armies(move.amount)
        case "attack":
            return *_pair(move), _dice(move.amount)
        case "assault":
            return *_pair(move), Part("assault", _("assault to the end"))
        case "safe_assault":
            return *_pair(move), Part("assault:reserve", _("assault, keeping a reserve"))
        case "fortify":
            return *_pair(move), _armies(move.amount)
        case "occupy":
            return (Part(f"amount:{move.amount}", counted(move.amount, "more army", "more armies")),)
        case "defend":
            return (_dice(move.amount),)
        case "trade":
            return tuple(map(_card, sorted(move.cards, key=hand_order)))
    return ()


def touched(state: RisikoState, code: int) -> tuple[str, ...]:
    """Return the keys of the territories that an event is about."""
    move = decode(code)
    if move.kind in PLACED:
        return (territory_key(move.target),)
    if move.kind in ("attack", "assault", "safe_assault", "fortify"):
        return territory_key(move.origin), territory_key(move.target)
    if move.kind in ("occupy", "defend", "roll", "assault_end"):
        position = position_of(state)
        return territory_key(position.origin), territory_key(position.target)
    return ()


def _territory(number: int) -> Part:
    return Part(territory_key(number), territory_name(number))


def _pair(move: Move) -> tuple[Part, Part]:
    return _territory(move.origin), _territory(move.target)


def _armies(amount: int) -> Part:
    return Part(f"amount:{amount}", counted(amount, "army", "armies"))


def _dice(amount: int) -> Part:
    return Part(f"dice:{amount}", counted(amount, "die", "dice"))


def _card(card: int) -> Part:
    if card in joker_names():
        return Part(card_key(card), _("joker {card}").format(card=card_name(card)))
    return Part(card_key(card), _("card {card}").format(card=territory_name(card)))
