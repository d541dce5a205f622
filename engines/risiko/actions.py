"""Moves of RisiKo! as numbers of a fixed action space.

Armies have no bound, so only the moves worth searching have numbers (RIS-14.9). Of armies these are the fewest, about
half and the most, and so are the numbers: "move half of what may be spared from Alaska to Kamchatka" is one of them,
however many armies that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from sfida.engines.actions import Actions
from sfida.engines.risiko.moves import decode

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


class RisikoActions(Actions):
    """Numbers of the moves worth searching."""

    count = sum(EXTENTS.values())
    complete = False

    def numbers(self, moves: Sequence[int]) -> list[int]:
        read = [_read(move) for move in moves]
        most: dict[int, int] = {}
        least: dict[int, int] = {}
        for first, amount in read:
            if amount >= 0:
                most[first] = max(amount, most.get(first, amount))
                least[first] = min(amount, least.get(first, amount))
        return [first if amount < 0 else first + _rank(amount, first, least[first], most[first])
                for first, amount in read]


@lru_cache(maxsize=1 << 16)
def _read(code: int) -> tuple[int, int]:
    """Return the number of a move and -1, or the first number of its choice of armies and the armies."""
    move = decode(code)
    pair = move.origin * TERRITORIES + move.target
    first = FIRST[move.kind]
    match move.kind:
        case "color":
            return first + move.amount, -1
        case "defend":
            return first + move.amount - 1, -1
        case "attack":
            return first + pair * DICE + move.amount - 1, -1
        case "assault" | "safe_assault":
            return first + pair, -1
        case "trade":
            return first + sum(comb(card, place + 1) for place, card in enumerate(move.cards)), -1
        case "place" | "occupy" | "fortify":
            return first + pair * AMOUNTS, move.amount
        case _:
            return first, -1


def _rank(amount: int, first: int, least: int, most: int) -> int:
    """Return 0 for the fewest armies, 1 for half, 2 for the most; one choice alone is the most.

    A strategic move of the fewest is not worth searching: where there are two, the first is half.
    """
    if amount == most:
        return 2
    return 0 if amount == least and not FIRST["fortify"] <= first < FIRST["trade"] else 1


ACTIONS: Actions = RisikoActions()
