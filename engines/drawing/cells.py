"""Coloured characters and the lines made of them, shared by the terminal views of the games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple


class Cell(NamedTuple):
    """One character and its colours; `fore` and `back` are numbers of the 256-colour palette."""

    char: str = " "
    fore: int | None = None
    back: int | None = None
    bold: bool = False


def words(text: str, fore: int | None = None, back: int | None = None, bold: bool = False) -> list[Cell]:
    """Return a text as cells of the same style."""
    return [Cell(char, fore, back, bold) for char in text]


def _style(cell: Cell) -> str:
    return _codes(cell.fore, cell.back, cell.bold)


@cache
def _codes(fore: int | None, back: int | None, bold: bool) -> str:
    codes = ["1"] if bold else []
    codes += [f"38;5;{fore}"] if fore is not None else []
    codes += [f"48;5;{back}"] if back is not None else []
    return f"\x1b[{';'.join(codes)}m" if codes else ""


def line_text(cells: Sequence[Cell], color: bool) -> str:
    """Write cells as one line of text, with ANSI colours if `color`, without trailing spaces."""
    if not color:
        return "".join(cell.char for cell in cells).rstrip()
    parts = []
    for style, group in groupby(cells, _style):
        text = "".join(cell.char for cell in group)
        parts.append(f"{style}{text}\x1b[0m" if style else text)
    return "".join(parts).rstrip()


def kept(cells: Sequence[Cell], color: bool) -> str:
    """Write cells with the spaces at their end: a part of a line."""
    return line_text([*cells, Cell("|")], color).removesuffix("|")


def split(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Cut cells at their spaces."""
    return [list(run) for is_space, run in groupby(cells, lambda cell: cell.char == " ") if not is_space]


def wrap(parts: Iterable[Sequence[Cell]], width: int, color: bool, indent: int = 0, gap: int = 2) -> list[str]:
    """Lay out runs of cells `gap` spaces apart; start a new line when the next one does not fit."""
    lines: list[str] = []
    current: list[Cell] = []
    for part in parts:
        lead = gap if current else 0
        if current and len(current) + lead + len(part) > width:
            lines.append(line_text(current, color))
            current, lead = [], indent
        current += [*words(" " * lead), *part][:width - len(current)]
    if current:
        lines.append(line_text(current, color))
    return lines


def paragraph(text: str, width: int, color: bool, *, indent: int = 0, fore: int | None = None,
              bold: bool = False) -> list[str]:
    """Break a text into lines at its spaces; `indent` columns before all but the first."""
    return wrap([words(word, fore, bold=bold) for word in text.split()], width, color, indent=indent, gap=1)


def flowed(text: str, width: int) -> list[str]:
    """Fit phrases, on lines of their own or three blanks or more apart, into a width; only one too long is broken."""
    lines: list[str] = []
    phrases = [words(phrase) for phrase in re.split(" {3,}|\n", text)]
    for long, run in groupby(phrases, lambda phrase: len(phrase) > width):
        if long:
            lines += [line for phrase in run
                      for line in paragraph("".join(cell.char for cell in phrase), width, False, indent=2)]
        else:
            lines += wrap(run, width, False, gap=3)
    return lines
