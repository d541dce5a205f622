"""Move codes of A Few Acres of Snow and what they mean: kind << 16 | card type << 8 | place."""

from __future__ import annotations

from dataclasses import dataclass

from sfida.cython_ext.acres.core import KINDS

NO_CARD = 255


@dataclass(frozen=True)
class Move:
    """A move or a draw.

    Attributes
    ----------
    kind : str
        A name of `KINDS`.
    card : int
        Card type; 0 where the kind needs none. Of "place" and "draw" 255 stands for no card and an unseen one.
    place : int
        A site; of "reinforce", "leader", "withdraw" and "resolve" the seat of the besieger; of "lose" and "give"
        0 for the hand and 1 for the reserve; of "draw" the seat; of "end" 1 for a turn without refill.
    """

    kind: str
    card: int = 0
    place: int = 0


def encode(kind: str, card: int = 0, place: int = 0) -> int:
    """Return the code of a move; raises ValueError if there is no such kind."""
    if kind not in KINDS or not kind:
        raise ValueError(f"'{kind}' is no kind of move")
    return KINDS.index(kind) << 16 | card << 8 | place


def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is none."""
    kind = code >> 16
    if not 0 < kind < len(KINDS):
        raise ValueError(f"{code} is no move of A Few Acres of Snow")
    return Move(KINDS[kind], code >> 8 & 255, code & 255)
