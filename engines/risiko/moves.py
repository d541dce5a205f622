"""Move codes of RisiKo! and what they mean (RIS-14.11).

A code is ``kind << 28 | origin << 22 | target << 16 | amount``; a traded set is ``kind << 28 | a << 12 | b << 6 | c``.
Kinds below 16 are what players decide, from 16 on what luck decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfida.cython_ext.risiko.core import KINDS

_NUMBER = {name: number for number, name in KINDS.items()}
PAIRS = ("attack", "assault", "safe_assault", "fortify")
PLACED = ("place", "deal")
HIDDEN = 63                             # card or objective that a viewer did not see


@dataclass(frozen=True)
class Move:
    """A move or chance outcome.

    Attributes
    ----------
    kind : str
        A name of `KINDS`.
    origin, target : int
        Territories of a pair; the territory of "place" and "deal" is `target`; else 0.
    amount : int
        Armies ("place", "occupy", "fortify"), dice ("attack", "defend"), a colour, a seat ("start"), an objective, a
        card ("draw"), a sum ("close"); of "roll" the losses, ``attacker << 2 | defender``, and of "assault_end" the
        armies left, ``origin << 8 | target``; else 0.
    cards : tuple of int
        The three cards of "trade", ascending.
    """

    kind: str
    origin: int = 0
    target: int = 0
    amount: int = 0
    cards: tuple[int, ...] = ()


def encode(move: Move) -> int:
    """Return the code of a move.

    Raises
    ------
    ValueError
        If there is no such kind, territory or amount.
    """
    if move.kind not in _NUMBER:
        raise ValueError(f"'{move.kind}' is no kind of move")
    if not (0 <= move.origin < 64 and 0 <= move.target < 64 and 0 <= move.amount < 1 << 16):
        raise ValueError(f"{move} is out of range")
    code = _NUMBER[move.kind] << 28
    if move.kind == "trade":
        a, b, c = sorted(move.cards)
        return code | a << 12 | b << 6 | c
    return code | move.origin << 22 | move.target << 16 | move.amount


def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is none."""
    kind = KINDS.get(code >> 28)
    if kind is None:
        raise ValueError(f"{code} is no move of RisiKo!")
    if kind == "trade":
        return Move(kind, cards=(code >> 12 & 63, code >> 6 & 63, code & 63))
    return Move(kind, code >> 22 & 63, code >> 16 & 63, code & 0xFFFF)
