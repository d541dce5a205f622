"""A turn of Zarahemla in two steps: what kind of thing to do, then which; and what building at a corner brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.faces.notation import MoveGroup
from sfida.engines.wording import counted, listed
from sfida.engines.zarahemla.geometry import board
from sfida.engines.zarahemla.looks import RESOURCES, costs, pips, resource_letters
from sfida.engines.zarahemla.moves import decode

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

BUILT = {"settle": "settlement", "city": "city", "road": "road", "buy_dev": "dev_card", "temple_stone": "temple_stone"}
GROUPS = (("build", ("settle", "city", "road")), ("trades", ("bank_trade",)),
          ("plays", ("play_warrior", "play_harvest", "play_road_building", "play_temple_building", "play_prosperity",
                     "play_liahona")))


def move_groups(state: ZarahemlaState, moves: Sequence[int]) -> list[MoveGroup]:
    """Group what a turn offers: building, trades with the bank, cards to play; the rest stands alone."""
    if state.phase not in ("main", "pre_roll"):
        return []
    kinds = {code: decode(code).kind for code in moves}
    groups = []
    for name, members in GROUPS:
        inside = tuple(code for code in moves if kinds[code] in members)
        if inside:
            groups.append(MoveGroup(name, _words(state, name, inside), inside))
    grouped = {code for group in groups for code in group.moves}
    return groups + [MoveGroup("", "", (code,)) for code in moves if code not in grouped]


def _words(state: ZarahemlaState, name: str, moves: Sequence[int]) -> str:
    decoded = [decode(code) for code in moves]
    if name == "build":
        parts = []
        for kind in ("settle", "city", "road"):
            count = sum(move.kind == kind for move in decoded)
            if count:
                parts.append(f"{BUILT[kind]} at {counted(count, 'place')} ({cost_text(kind)})")
        return ", ".join(parts)
    if name == "trades":
        letters = list(resource_letters().values())
        rates = state.rates(state.seat_on_turn)
        gives = dict.fromkeys(move.arg // 5 for move in decoded)
        return "with the bank: " + ", ".join(f"{rates[give]} {RESOURCES[give]} ({letters[give]}) for 1 card"
                                             for give in gives)
    return f"play a card: {counted(len(moves), 'way')}"


def cost_text(kind: str) -> str:
    """Return what a kind of move costs, such as "1 wood and 1 brick"."""
    return listed([f"{n} {resource}" for n, resource in zip(costs()[BUILT[kind]], RESOURCES, strict=True) if n])


def move_note(state: ZarahemlaState, code: int) -> str:
    """Say what a corner yields and what something costs."""
    move = decode(code)
    notes = []
    if move.kind in ("settle", "city", "choose_start"):
        raw = state.snapshot()
        fields = [(raw["terrain"][number], raw["numbers"][number])
                  for number, one in enumerate(board().hexes) if move.arg in one.corners]
        yields = [f"{RESOURCES[terrain]} on {token}" for terrain, token in fields if token]
        chances = sum(pips(token) for _, token in fields)
        notes.append(f"{', '.join(yields) or 'yields nothing'}" + (f": {chances} of 36" if chances else ""))
    if move.kind in BUILT and state.phase == "main":
        notes.append(f"costs {cost_text(move.kind)}")
    return "; ".join(notes)
