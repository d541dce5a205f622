"""Why a move of A Few Acres of Snow is not legal now, in the words of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.cython_ext.acres.core import SIDES
from sfida.engines.acres.looks import cards, sites
from sfida.engines.acres.moves import decode
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.cython_ext.acres.core import AcresState

OWN = ("develop", "fortify")            # what is done to a site of one's own


def why_not(state: AcresState, code: int) -> str:
    """Return why the seat to move cannot play a move, "" where there is no more to say than that it cannot."""
    seat = int(state.to_move)
    if seat < 0 or state.phase != "main":
        return ""
    move, raw = decode(code), state.snapshot()
    if move.kind in ("settle", "besiege", "raid", *OWN):
        held = [(*side["sites"], *side["towns"]) for side in raw["seats"]]
        owner = next((side for side, places in enumerate(held) if move.place in places), -1)
        name = sites()[move.place].name
        if move.kind == "settle" and owner >= 0:
            return f"{name} is {SIDES[owner].capitalize()} already"
        if move.kind in OWN and owner != seat:
            return f"{name} is not yours"
        if move.kind in ("besiege", "raid") and owner != 1 - seat:
            return f"{name} is not the enemy's"
    money = raw["seats"][seat]["money"]
    if move.kind == "draft" and cards()[move.card].cost > money:
        return f"{cards()[move.card].name} costs {cards()[move.card].cost}, and you have {counted(money, 'coin')}"
    return ""
