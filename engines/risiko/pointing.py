"""Choosing a move of RisiKo! by pointing, or in two steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.game import Part
from sfida.engines.language import _, counted
from sfida.engines.moves import MoveGroup
from sfida.engines.risiko import style
from sfida.engines.risiko.advice import chance_text
from sfida.engines.risiko.position import PLACED, Move, Position, decode, position_of
from sfida.engines.risiko.style import card_key, hand_order, neighbours, territory_key, territory_name
from sfida.engines.risiko.tables import card_name, codes, joker_names

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState


# ---- Long lists of RisiKo! in two steps: the origin, then the move

_SHOWN = 3              # conquerable neighbours in the words of a group of placements


def move_groups(state: RisikoState, moves: Sequence[int]) -> list[MoveGroup]:
    """Group placements by territory, attacks and strategic moves by origin; a move that ends the phase is separate.

    No groups for other decisions.
    """
    found: dict[int, list[int]] = {}
    ends: list[MoveGroup] = []
    for code in moves:
        move = decode(code)
        if move.kind == "place":
            found.setdefault(move.target, []).append(code)
        elif move.kind in ("attack", "assault", "safe_assault", "fortify"):
            found.setdefault(move.origin, []).append(code)
        else:
            ends.append(MoveGroup("", "", (code,)))
    if not found:
        return []
    return [MoveGroup(codes()[place], _words(state, place, found[place]), tuple(found[place]))
            for place in found] + ends


def _words(state: RisikoState, place: int, moves: Sequence[int]) -> str:
    """Describe a territory's armies and the targets of its moves, for attacks with the chance to conquer."""
    position = position_of(state)
    first = decode(moves[0])
    name = f"{style.territory_name(place)}, {counted(position.armies[place], 'army', 'armies')}"
    if first.kind == "place":
        return f"{name}; {_after_placing(state, position, place, max(decode(code).amount for code in moves))}"
    targets = dict.fromkeys(decode(code).target for code in moves)
    if first.kind == "fortify":
        places = ", ".join(codes()[target] for target in targets)
        return f"{name}; {_('may move to {places}').format(places=places)}"
    odds = ", ".join(f"{codes()[target]} {chance_text(state, position, place, target)[1]}" for target in targets)
    return f"{name}; {_('chances to conquer {odds}').format(odds=odds)}"


def _after_placing(state: RisikoState, position: Position, place: int, most: int) -> str:
    """Describe the conquests that all armies together could make from a territory, the likeliest first."""
    owner = position.owner
    chances = sorted(((*chance_text(state, position, place, other, more=most), codes()[other])
                      for other in neighbours()[place] if owner[other] != owner[place]), key=lambda one: -one[0])
    if not chances:
        return _("up to {most} more; no enemy borders it").format(most=most)
    odds = ", ".join(f"{code} {told}" for _chance, told, code in chances[:_SHOWN])
    return _("with {most} more: {odds}").format(most=most, odds=odds)


# ---- Choosing a move of RisiKo! by pointing: territories, then an amount; the cards of a set from left to right


def parts_of(state: RisikoState, code: int) -> tuple[Part, ...]:
    """Return the parts to point at to choose a move; empty for moves that end a phase, and for chance."""
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
            return (Part(f"amount:{move.amount}", counted(move.amount, "more army", "more armies"), dial=-move.amount),)
        case "defend":
            return (_dice(move.amount),)
        case "trade":
            return tuple(map(_card, sorted(move.cards, key=hand_order)))
    return ()


def touched(state: RisikoState, code: int) -> tuple[str, ...]:
    """Return the keys of the territories that an event touched."""
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
    return Part(f"amount:{amount}", counted(amount, "army", "armies"), dial=-amount)


def _dice(amount: int) -> Part:
    return Part(f"dice:{amount}", counted(amount, "die", "dice"), dial=-amount)


def _card(card: int) -> Part:
    if card in joker_names():
        return Part(card_key(card), _("joker {card}").format(card=card_name(card)))
    return Part(card_key(card), _("card {card}").format(card=territory_name(card)))
