"""Move codes of The Settlers of Zarahemla and what they mean (ZAR-15).

A code is the base of its kind in the data file plus an argument: below 338 what players decide, from 1000 on what
luck decides.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache

from sfida.engines.language import _
from sfida.engines.zarahemla.rules import load_data


def _codes(table: str) -> tuple[tuple[str, int, int], ...]:
    """Return kind, first code and number of codes of each row; the rules core compares them with its own."""
    return tuple((name, row["base"], row["count"]) for name, row in load_data()[table].items())


MOVES, CHANCES = _codes("move_codes"), _codes("chance_codes")
_ROWS = (*MOVES, *CHANCES)
_BASES = [base for _name, base, _count in _ROWS]
_BY_KIND = {name: (base, count) for name, base, count in _ROWS}


@dataclass(frozen=True)
class Move:
    """A move or chance outcome: its kind, named as in the data file, and its argument (0 without one).

    The argument is a corner, an edge, a hex, a seat, a resource or a card by number; of "bank_trade" it is
    ``5 * give + get``; of "dice", "play_liahona" and "number" it is the total less 2.
    """

    kind: str
    arg: int = 0


def encode(kind: str, arg: int = 0) -> int:
    """Return the code of a move.

    Raises
    ------
    ValueError
        If there is no such kind or argument.
    """
    if kind not in _BY_KIND:
        raise ValueError(f"'{kind}' is no kind of move")
    base, count = _BY_KIND[kind]
    if not 0 <= arg < count:
        raise ValueError(_("the argument of {kind} is 0..{last}, not {given}").format(
            kind=kind, last=count - 1, given=arg))
    return base + arg


@cache
def decode(code: int) -> Move:
    """Return the move of a code; raises ValueError for a number that is none."""
    row = bisect_right(_BASES, code) - 1
    if row >= 0:
        name, base, count = _ROWS[row]
        if code < base + count:
            return Move(name, code - base)
    raise ValueError(f"{code} is no move of Zarahemla")
