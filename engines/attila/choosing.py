"""Where to put a token, in two steps: what it does there, then which province."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.engines.attila.looks import peaceful_limit
from sfida.engines.attila.moves import decode
from sfida.engines.attila.position import Position
from sfida.engines.faces.notation import MoveGroup
from sfida.engines.language import NP_, _, pgettext

FIGHTS, FILLS, OPENS, ADDS = (NP_("attila", "fights"), NP_("attila", "fills"), NP_("attila", "opens"),
                              NP_("attila", "adds"))


def move_groups(position: Position, moves: Sequence[int]) -> list[MoveGroup]:
    """Group the provinces where a token may go by what it does there; influence stands alone."""
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
