"""Long lists of RisiKo! in two steps: from where, then what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.faces.notation import MoveGroup
from sfida.engines.language import _
from sfida.engines.risiko import names
from sfida.engines.risiko.looks import neighbours
from sfida.engines.risiko.moves import decode
from sfida.engines.risiko.notes import chance_text
from sfida.engines.risiko.position import Position, position_of
from sfida.engines.risiko.rules import codes
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

_SHOWN = 3              # neighbours that could be conquered, in the words of a group of placements


def move_groups(state: RisikoState, moves: Sequence[int]) -> list[MoveGroup]:
    """Group placements by territory, attacks and strategic moves by origin; what ends the phase stands alone.

    None for other decisions.
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
    """Say what stands on a territory and what its moves lead to, attacks with the chance to conquer."""
    position = position_of(state)
    first = decode(moves[0])
    name = f"{names.territory_name(place)}, {counted(position.armies[place], 'army', 'armies')}"
    if first.kind == "place":
        return f"{name}; {_after_placing(state, position, place, max(decode(code).amount for code in moves))}"
    targets = dict.fromkeys(decode(code).target for code in moves)
    if first.kind == "fortify":
        places = ", ".join(codes()[target] for target in targets)
        return f"{name}; {_('may move to {places}').format(places=places)}"
    odds = ", ".join(f"{codes()[target]} {chance_text(state, position, place, target)[1]}" for target in targets)
    return f"{name}; {_('chances to conquer {odds}').format(odds=odds)}"


def _after_placing(state: RisikoState, position: Position, place: int, most: int) -> str:
    """Say what all armies together could conquer from a territory, the likeliest first."""
    owner = position.owner
    chances = sorted(((*chance_text(state, position, place, other, more=most), codes()[other])
                      for other in neighbours()[place] if owner[other] != owner[place]), key=lambda one: -one[0])
    if not chances:
        return _("up to {most} more; no enemy borders it").format(most=most)
    odds = ", ".join(f"{code} {told}" for _chance, told, code in chances[:_SHOWN])
    return _("with {most} more: {odds}").format(most=most, odds=odds)
