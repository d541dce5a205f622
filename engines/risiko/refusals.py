"""Why a move of RisiKo! is not legal now, in the words of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.language import _
from sfida.engines.risiko import names
from sfida.engines.risiko.looks import neighbours
from sfida.engines.risiko.moves import Move
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.cython_ext.risiko.core import RisikoState

PHASES: dict[str, tuple[str, ...]] = {"place": ("setup_place", "place"), "attack": ("attack",), "assault": ("attack",),
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
            return _held_by(state, move.target, owner)
        most = counted(raw["left"], "army", "armies")
        return _("you may place {armies} at most").format(armies=most) if move.amount > raw["left"] else ""
    if owner[move.origin] != seat:
        return _held_by(state, move.origin, owner)
    if move.kind == "fortify":
        if owner[move.target] != seat:
            return _("{place} is not yours").format(place=target)
    elif owner[move.target] == seat:
        return _("{place} is yours already").format(place=target)
    if move.target not in neighbours()[move.origin]:
        return _("{origin} and {target} are not neighbours").format(origin=origin, target=target)
    if armies[move.origin] < 2:
        return _("{place} has one army, and it must stay").format(place=origin)
    if move.kind in ("attack", "fortify") and move.amount >= armies[move.origin]:
        return _("{place} has {armies}, of which one must stay: {most} at most").format(
            place=origin, armies=counted(armies[move.origin], "army", "armies"), most=armies[move.origin] - 1)
    return ""


def _held_by(state: RisikoState, place: int, owner: Sequence[int]) -> str:
    return _("{place} is not yours: {seat} holds it").format(
        place=names.territory_name(place), seat=state.game.seat_name(owner[place]))


def nothing_from(state: RisikoState, place: int) -> str:
    """Return why nothing can be done from a territory that was named alone, in the phases that name an origin."""
    seat, raw = int(state.to_move), state.snapshot()
    owner, armies, name = raw["owner"], raw["armies"], names.territory_name(place)
    if owner[place] != seat:
        return _held_by(state, place, owner)
    if armies[place] < 2:
        return _("{place} has one army, and it must stay").format(place=name)
    if state.phase == "attack" and all(owner[other] == seat for other in neighbours()[place]):
        return _("no enemy borders {place}").format(place=name)
    if state.phase == "fortify" and all(owner[other] != seat for other in neighbours()[place]):
        return _("no territory of yours borders {place}").format(place=name)
    return _("say where to from {place}").format(place=name)
