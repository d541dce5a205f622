"""Moves of RisiKo! as numbers of a fixed action space.

Armies have no bound, so only the moves worth searching have numbers (RIS-14.9). Of armies these are the fewest, about
half and the most, and so are the numbers: "move half of what may be spared from Alaska to Kamchatka" is one of them,
however many armies that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from sfida.engines.actions import Actions
from sfida.engines.risiko.moves import Move, decode

TERRITORIES, CARDS, COLORS, DICE = 42, 44, 6, 3
AMOUNTS = 3                     # the fewest, half, the most
PAIRS = TERRITORIES * TERRITORIES
# kind -> how many numbers, in this order
EXTENTS = {
    "color": COLORS, "end_trade": 1, "end_attack": 1, "end_turn": 1, "defend": DICE, "occupy": AMOUNTS,
    "place": TERRITORIES * AMOUNTS, "attack": PAIRS * DICE, "assault": PAIRS, "safe_assault": PAIRS,
    "fortify": PAIRS * AMOUNTS, "trade": comb(CARDS, 3),
}
FIRST = dict(zip(EXTENTS, (sum(list(EXTENTS.values())[:i]) for i in range(len(EXTENTS))), strict=True))
OF_ARMIES = ("place", "occupy", "fortify")


class RisikoActions(Actions):
    """Numbers of the moves worth searching."""

    count = sum(EXTENTS.values())
    complete = False

    def numbers(self, moves: Sequence[int]) -> list[int]:
        decoded = [decode(move) for move in moves]
        amounts: dict[tuple[int, int], list[int]] = {}
        for move in decoded:
            if move.kind in OF_ARMIES:
                amounts.setdefault((move.origin, move.target), []).append(move.amount)
        return [FIRST[move.kind] + _within(move, amounts.get((move.origin, move.target), [])) for move in decoded]


def _within(move: Move, amounts: list[int]) -> int:
    """Return the number of a move among those of its kind; `amounts` are those of its choice of armies."""
    pair = move.origin * TERRITORIES + move.target
    match move.kind:
        case "color":
            return move.amount
        case "defend":
            return move.amount - 1
        case "attack":
            return pair * DICE + move.amount - 1
        case "assault" | "safe_assault":
            return pair
        case "trade":
            return sum(comb(card, place + 1) for place, card in enumerate(move.cards))
        case "place" | "occupy" | "fortify":
            return pair * AMOUNTS + _rank(move, amounts)
        case _:
            return 0


def _rank(move: Move, amounts: list[int]) -> int:
    """Return 0 for the fewest armies, 1 for half, 2 for the most; one choice alone is the most."""
    if move.amount == max(amounts):
        return 2
    return 0 if move.kind != "fortify" and move.amount == min(amounts) else 1


ACTIONS: Actions = RisikoActions()
