"""Moves of A Few Acres of Snow as numbers of a fixed action space.

Each kind has a block of numbers, in the order of `KINDS`: one number for each card type and place that such a move can
name. Card types and places count as in the codes (see `moves`).
"""

from __future__ import annotations

from sfida.cython_ext.acres.core import KINDS
from sfida.cython_ext.acres.parameters import SITES, TYPES
from sfida.engines.acres.moves import NO_CARD
from sfida.engines.actions import Actions, NumberedCodes

CARD = TYPES + 1                # the last one for no card
# card types and places that a kind names; of "draw", which is luck, none
EXTENTS = {
    "settle": (CARD, SITES), "besiege": (CARD, SITES), "fortify": (CARD, SITES),
    "develop": (1, SITES), "raid": (1, SITES),
    "reinforce": (CARD, 2), "lose": (CARD, 2), "give": (CARD, 2),
    "end": (1, 2), "leader": (1, 2), "withdraw": (1, 2), "resolve": (1, 2),
    **dict.fromkeys(("pass", "retrieve", "home", "stop", "allow", "show", "leave"), (1, 1)),
}


def _blocks() -> tuple[dict[int, tuple[int, int]], int]:
    """Return the first number and the places of each kind, and how many numbers there are."""
    blocks, count = {}, 0
    for kind, name in enumerate(KINDS):
        if name not in ("", "draw"):
            cards, places = EXTENTS.get(name, (CARD, 1))
            blocks[kind] = count, places
            count += cards * places
    return blocks, count


_BLOCKS, _COUNT = _blocks()


def _number(code: int) -> int:
    first, places = _BLOCKS[code >> 16]
    card = code >> 8 & 255
    return first + (TYPES if card == NO_CARD else card) * places + (code & 255)


ACTIONS: Actions = NumberedCodes(_COUNT, _number)
