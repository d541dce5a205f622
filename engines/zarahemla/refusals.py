"""Why a move of Zarahemla is not legal now, in the words of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.wording import listed
from sfida.engines.zarahemla.geometry import board
from sfida.engines.zarahemla.looks import RESOURCES, costs
from sfida.engines.zarahemla.moves import Move
from sfida.engines.zarahemla.rules import corners_of_edge

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

PRICED = {"settle": ("settlement", "a settlement"), "city": ("city", "a city"), "road": ("road", "a road"),
          "buy_dev": ("dev_card", "a development card"), "temple_stone": ("temple_stone", "a temple stone")}
PHASES = {"settle": ("init_settlement", "main"), "road": ("init_road", "free_roads", "main"), "city": ("main",),
          "buy_dev": ("main",), "temple_stone": ("main",), "bank_trade": ("main",), "move_robber": ("robber",)}


def why_not(state: ZarahemlaState, move: Move) -> str:
    """Return why the seat to move cannot play a move, "" where there is no more to say than that it cannot."""
    seat, arg = int(state.to_move), move.arg
    if seat < 0 or state.phase not in PHASES.get(move.kind, (state.phase,)):
        return ""
    raw = state.snapshot()
    if move.kind in ("settle", "city", "road"):
        reason = {"settle": _settlement, "city": _city, "road": _road}[move.kind](state, raw, seat, arg)
        if reason:
            return reason
    if move.kind == "move_robber":
        return "the robber must go to another hex" if raw["robber"] == arg else \
            f"the robber goes only to a hex with a number, and h{arg} has none"
    if move.kind == "choose_start":
        return f"corner {arg} holds none of your settlements"
    if move.kind in PRICED and state.phase == "main":
        return _price(state, seat, *PRICED[move.kind])
    if move.kind == "bank_trade":
        give, get = divmod(arg, 5)
        rate, held = state.rates(seat)[give], state.hand(seat)[give]
        if held < rate:
            return f"the bank takes {rate} {RESOURCES[give]} for one card, and you hold {held}"
        return f"the bank has no {RESOURCES[get]} left" if not raw["bank"][get] else ""
    if move.kind in ("trade_give", "discard") and state.hand(seat)[arg] == 0:
        return f"you hold no {RESOURCES[arg]}"
    if move.kind == "trade_submit":
        return "an offer is done when both sides have cards; gifts are an option" if not any(
            raw["give"][seat]) or not any(raw["want"][seat]) else ""
    return ""


def _buildings(raw: dict[str, list[Sequence[int]]]) -> dict[int, int]:
    return {int(corner): int(owner) for corner, owner, _ in raw["buildings"]}


def _settlement(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, corner: int) -> str:
    owners = _buildings(raw)
    if corner in owners:
        return f"corner {corner} is taken: {state.game.seat_name(owners[corner])} has built there"
    for edge in board().edges:
        if corner in edge.corners:
            other = sum(edge.corners) - corner
            if other in owners:
                return (f"corner {corner} is too near: {state.game.seat_name(owners[other])} has built at {other}, one "
                        "path away, and the distance rule keeps two paths between settlements")
    roads = (corners_of_edge()[edge] for edge, owner in raw["roads"] if owner == seat)
    if state.phase == "main" and not any(corner in ends for ends in roads):
        return f"none of your roads leads to corner {corner}"
    return ""


def _city(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, corner: int) -> str:
    kinds = {int(place): str(kind) for place, owner, kind in raw["buildings"] if owner == seat}
    if corner not in kinds:
        return f"a city takes the place of a settlement of yours, and corner {corner} holds none"
    return f"corner {corner} is a city already" if kinds[corner] == "city" else ""


def _road(state: ZarahemlaState, raw: dict[str, list[Sequence[int]]], seat: int, edge: int) -> str:
    taken = {int(place): int(owner) for place, owner in raw["roads"]}
    a, b = corners_of_edge()[edge]
    if edge in taken:
        return f"the path from {a} to {b} is taken: {state.game.seat_name(taken[edge])} has a road there"
    if state.phase == "init_road":
        return f"the road must start at the settlement just placed, at {raw['placed']}"
    own = [corners_of_edge()[place] for place, owner in taken.items() if owner == seat]
    if not any(end in ends for ends in own for end in (a, b)):
        return f"the path from {a} to {b} does not join your roads"
    owners = _buildings(raw)
    joined = [end for end in (a, b) if any(end in ends for ends in own)]
    if all(owners.get(end, seat) != seat for end in joined):
        return f"a road does not go on past another player's settlement, at {joined[0]}"
    return ""


def _price(state: ZarahemlaState, seat: int, key: str, name: str) -> str:
    """Say what something costs and what of it is missing."""
    cost, hand = costs()[key], state.hand(seat)
    missing = _bundle([max(0, n - held) for n, held in zip(cost, hand, strict=True)])
    if missing:
        return f"{name} costs {_bundle(cost)}; you lack {missing}"
    return f"there is no {name.split(' ', 1)[1]} left to you"


def _bundle(cards: Sequence[int]) -> str:
    return listed([f"{n} {name}" for n, name in zip(cards, RESOURCES, strict=True) if n])
