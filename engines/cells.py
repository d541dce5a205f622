"""Coloured characters and the lines made of them, shared by the terminal views of the games."""

from __future__ import annotations

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


def palette(rgb: str) -> int:
    """Return the colour of the 256-colour palette's cube that is nearest to one such as "#c8312b"."""
    levels = (0, 95, 135, 175, 215, 255)
    red, green, blue = (min(range(6), key=lambda i: abs(levels[i] - int(rgb[at:at + 2], 16))) for at in (1, 3, 5))
    return 16 + 36 * red + 6 * green + blue


def is_light(rgb: str) -> bool:
    """Return whether dark letters are easier to read than white ones on a colour such as "#c8312b"."""
    red, green, blue = (int(rgb[at:at + 2], 16) for at in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue > 140
