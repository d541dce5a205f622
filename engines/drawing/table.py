"""Tables in a terminal: one line per seat under dim heads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sfida.engines.drawing.cells import Cell, line_text, words
from sfida.engines.drawing.colors import DIM, YELLOW


class Column(NamedTuple):
    """A column.

    Attributes
    ----------
    head : str
    texts : sequence of str
        By row, set flush right.
    bold : bool
    gold : str
        Texts that hold this sign stand out; "" for none.
    """

    head: str
    texts: Sequence[str]
    bold: bool = False
    gold: str = ""

    @property
    def room(self) -> int:
        """Columns of the terminal that its head and its texts take."""
        return max(len(self.head), *map(len, self.texts))


def table(names: Sequence[Sequence[Cell]], columns: Iterable[Column], gap: int = 2) -> list[list[Cell]]:
    """Return the line of the heads and one line per name, as cells to add to; all names take the same room."""
    rows = [words(" " * len(names[0])), *map(list, names)]
    for column in columns:
        room = gap + column.room
        rows[0] += words(column.head.rjust(room), DIM)
        for row, text in zip(rows[1:], column.texts, strict=True):
            gold = bool(column.gold) and column.gold in text
            row += words(text.rjust(room), YELLOW if gold else None, bold=gold or column.bold)
    return rows


def table_lines(rows: Iterable[Sequence[Cell]], width: int, color: bool) -> list[str]:
    """Write the rows of a table, cut off at the width."""
    return [line_text(row[:width], color) for row in rows]
