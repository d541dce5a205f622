"""Why a move of RisiKo! is not legal now, in the words of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.engines.risiko import names
from sfida.engines.risiko.looks import neighbours
from sfida.engines.risiko.moves import Move
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

PHASES = {"place": ("setup_place", "place"), "attack": ("attack",), "assault": ("attack",),
          "safe_assault": ("attack",), "fortify": ("fortify",)}


def why_not(state: RisikoState, move: Move) -> str:
    """Return why the seat to move cannot play a move, "" where there is no more to say than that it cannot."""
    seat = int(state.to_move)
    if seat < 0 or state.phase not in PHASES.get(move.kind, ()):
        return ""
    raw = state.snapshot()
    owner, armies = raw["owner"], raw["armies"]
    origin, target = names.territory_name(move.origin), names.territory_name(move.target)
    if move.kind == "place":
        if owner[move.target] != seat:
            return f"{target} is not yours: {state.game.seat_name(owner[move.target])} holds it"
        return f"you may place {counted(raw['left'], 'army', 'armies')} at most" if move.amount > raw["left"] else ""
    if owner[move.origin] != seat:
        return f"{origin} is not yours: {state.game.seat_name(owner[move.origin])} holds it"
    if move.kind == "fortify":
        if owner[move.target] != seat:
            return f"{target} is not yours"
    elif owner[move.target] == seat:
        return f"{target} is yours already"
    if move.target not in neighbours()[move.origin]:
        return f"{origin} and {target} are not neighbours"
    if armies[move.origin] < 2:
        return f"{origin} has one army, and it must stay"
    if move.kind in ("attack", "fortify") and move.amount >= armies[move.origin]:
        return (f"{origin} has {counted(armies[move.origin], 'army', 'armies')}, of which one must stay: "
                f"{armies[move.origin] - 1} at most")
    return ""


def nothing_from(state: RisikoState, place: int) -> str:
    """Return why nothing can be done from a territory that was named alone, in the phases that name an origin."""
    seat, raw = int(state.to_move), state.snapshot()
    owner, armies, name = raw["owner"], raw["armies"], names.territory_name(place)
    if owner[place] != seat:
        return f"{name} is not yours: {state.game.seat_name(owner[place])} holds it"
    if armies[place] < 2:
        return f"{name} has one army, and it must stay"
    if state.phase == "attack" and all(owner[other] == seat for other in neighbours()[place]):
        return f"no enemy borders {name}"
    if state.phase == "fortify" and all(owner[other] != seat for other in neighbours()[place]):
        return f"no territory of yours borders {name}"
    return f"say where to from {name}"
