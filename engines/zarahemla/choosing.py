"""A turn of Zarahemla in two steps: what kind of thing to do, then which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfida.engines.faces.notation import MoveGroup
from sfida.engines.language import N_, _
from sfida.engines.wording import counted
from sfida.engines.zarahemla.looks import RESOURCES, resource_cards, resource_letters
from sfida.engines.zarahemla.moves import decode
from sfida.engines.zarahemla.notes import cost_text

if TYPE_CHECKING:
    from sfida.cython_ext.zarahemla.core import ZarahemlaState

GROUPS = (("build", ("settle", "city", "road")), ("trades", ("bank_trade",)),
          ("plays", ("play_warrior", "play_harvest", "play_road_building", "play_temple_building", "play_prosperity",
                     "play_liahona")))
_BUILDING = {"settle": N_("settlement at {places} ({cost})"), "city": N_("city at {places} ({cost})"),
             "road": N_("road at {places} ({cost})")}


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
        for kind, said in _BUILDING.items():
            count = sum(move.kind == kind for move in decoded)
            if count:
                parts.append(_(said).format(places=counted(count, "place", "places"), cost=cost_text(kind)))
        return ", ".join(parts)
    if name == "trades":
        letters = list(resource_letters().values())
        rates = state.rates(state.seat_on_turn)
        gives = dict.fromkeys(move.arg // 5 for move in decoded)
        trades = [_("{cards} ({letter}) for 1 card").format(cards=resource_cards(RESOURCES[give], rates[give]),
                                                            letter=letters[give]) for give in gives]
        return _("with the bank: {trades}").format(trades=", ".join(trades))
    return _("play a card: {ways}").format(ways=counted(len(moves), "way", "ways"))
