"""Drawings in a terminal: coloured characters, badges, tables, braille lines, labels, low screens, plain ASCII."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from sfida.engines.drawing.colors import DIM, YELLOW

if TYPE_CHECKING:
    from sfida.engines.drawing.svg import Point

# ---- Coloured characters and the lines made of them, shared by the terminal views of the games


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
    """Write cells as a part of a line, with the spaces at their end."""
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
    """Break a text into lines at its spaces; lines after the first begin with `indent` spaces."""
    return wrap([words(word, fore, bold=bold) for word in text.split()], width, color, indent=indent, gap=1)


def flowed(text: str, width: int) -> list[str]:
    """Fit phrases, separated by line ends or at least three blanks, into a width; only overlong phrases are broken."""
    lines: list[str] = []
    phrases = [words(phrase) for phrase in re.split(" {3,}|\n", text)]
    for long, run in groupby(phrases, lambda phrase: len(phrase) > width):
        if long:
            lines += [line for phrase in run
                      for line in paragraph("".join(cell.char for cell in phrase), width, False, indent=2)]
        else:
            lines += wrap(run, width, False, gap=3)
    return lines


# ---- Seats and pieces in a terminal: a letter on a ground in their colour, with a name

Paint = tuple[int, int]                                 # letters and ground


def badge(letter: str, paint: Paint) -> list[Cell]:
    """Return a letter between spaces."""
    return words(f" {letter} ", *paint, bold=True)


def named_badge(letter: str, paint: Paint, name: str) -> list[Cell]:
    """Return a badge with a name after it."""
    return [*badge(letter, paint), *words(f" {name}")]


def seat_line(sign: str, letter: str, paint: Paint, name: str, *, lit: bool, fore: int | None = None,
              arrow: int = YELLOW) -> list[Cell]:
    """Return the head of a seat's line: a sign such as "> " before its badge and its name.

    Parameters
    ----------
    sign : str
    letter, paint
        As of `badge`.
    name : str
        Name, padded with spaces to the width of its column.
    lit : bool
        The name is bold.
    fore : int, optional
        Colour of the name.
    arrow : int
        Colour of the sign.
    """
    return [*words(sign, arrow, bold=True), *badge(letter, paint), *words(f" {name}", fore, bold=lit)]


# ---- Tables in a terminal: one line per seat under dim heads


class TextColumn(NamedTuple):
    """A column.

    Attributes
    ----------
    head : str
    texts : sequence of str
        Texts by row, flush right.
    bold : bool
    gold : str
        Texts with this sign are highlighted; "" for none.
    """

    head: str
    texts: Sequence[str]
    bold: bool = False
    gold: str = ""

    @property
    def room(self) -> int:
        """Width of the head and the texts, in columns of the terminal."""
        return max(len(self.head), *map(len, self.texts))


def table(names: Sequence[Sequence[Cell]], columns: Iterable[TextColumn], gap: int = 2) -> list[list[Cell]]:
    """Return the line of the heads and one line per name, as lists of cells; all names have the same width."""
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


# ---- Lines drawn as braille dots: maps behind the boards in a terminal

_BRAILLE_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))     # bits of a character, by row and column


class DotCanvas:
    """Dots in the cells of a terminal, two columns and four rows per cell; points are (column, row) in cells.

    Parameters
    ----------
    columns, rows : int
        Size in cells.
    """

    def __init__(self, columns: int, rows: int) -> None:
        self.columns: int = columns
        self.rows: int = rows
        self.bits: list[list[int]] = [[0] * columns for _ in range(rows)]

    def draw(self, points: Iterable[Point], every: int = 1) -> set[tuple[int, int]]:
        """Draw a line, or only every `every`-th dot of it. Dots beyond the canvas are omitted.

        Returns
        -------
        set of (row, column)
            The cells with a dot of the line.
        """
        last, count = (-1, -1), 0
        cells = set()
        for (ax, ay), (bx, by) in pairwise(points):
            steps = max(1, math.ceil(2 * max(2 * abs(bx - ax), 4 * abs(by - ay))))
            for i in range(steps + 1):
                x, y = ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps
                dot = (math.floor(4 * y), math.floor(2 * x))
                if dot == last:
                    continue
                last, count = dot, count + 1
                row, column = dot[0] // 4, dot[1] // 2
                if count % every == 0 and 0 <= row < self.rows and 0 <= column < self.columns:
                    self.bits[row][column] |= _BRAILLE_DOTS[dot[0] % 4][dot[1] % 2]
                    cells.add((row, column))
        return cells

    def clear(self, row: int, column: int) -> None:
        """Remove the dots of a cell."""
        self.bits[row][column] = 0

    def lines(self) -> tuple[str, ...]:
        """Return the rows as characters; cells without dots are spaces."""
        return tuple("".join(chr(0x2800 + bits) if bits else " " for bits in row) for row in self.bits)

    def covered(self, ring: Sequence[Point]) -> list[list[bool]]:
        """Return for each row and column whether the middle of the cell lies within a closed outline."""
        found = [[False] * self.columns for _ in range(self.rows)]
        edges = list(pairwise((*ring, ring[0])))
        for row in range(self.rows):
            y = row + 0.5
            cuts = sorted(ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in edges
                          if (ay <= y) != (by <= y))
            for left, right in zip(cuts[::2], cuts[1::2], strict=True):
                for column in range(max(0, math.ceil(left - 0.5)), min(self.columns, math.ceil(right - 0.5))):
                    found[row][column] = True
        return found


# ---- Lines of a map in a terminal with labels laid over them


class Label(NamedTuple):
    """A text laid over a line: its first column, its width in columns, and the text as written."""

    start: int
    columns: int
    text: str


def overlaid(columns: int, labels: Iterable[Label], between: Callable[[int, int], str]) -> str:
    """Write a line of a map with labels over it.

    Parameters
    ----------
    columns : int
        Columns of the line.
    labels : iterable of Label
        Labels in any order, without overlaps.
    between : callable
        Writes the bare map from one column up to another, exclusive.
    """
    parts, at = [], 0
    for start, long, text in sorted(labels):
        parts += [between(at, start), text]
        at = start + long
    return "".join([*parts, between(at, columns)]).rstrip()


# ---- Boards on low screens: the first drawing that is low enough, or a part of the last one


def fitted(height: int | None, drawings: Iterable[Sequence[str]], focus: Collection[int] = ()) -> list[str]:
    """Return the first drawing of at most `height` lines, or else the last one, cropped.

    Parameters
    ----------
    height : int or None
        None: any height.
    drawings : iterable of sequence of str
        At least one drawing, the most detailed first; later ones are drawn only if they are needed.
    focus : collection of int
        Rows of the last drawing that should be kept.
    """
    found: list[str] = []
    for drawing in drawings:
        found = list(drawing)
        if height is None or len(found) <= height:
            return found
    return found if height is None else cropped(found, height, focus)


def cropped(lines: Sequence[str], height: int, focus: Collection[int] = ()) -> list[str]:
    """Return the `height` lines with most of the rows of `focus`, centred on these rows or else on the drawing."""
    start = window_start(len(lines), height, focus)
    return list(lines[start:start + height])


def window_start(size: int, shown: int, focus: Collection[int] = ()) -> int:
    """Return the first row of the window of `shown` rows out of `size` with most of the rows of `focus`."""
    middle = (min(focus) + max(focus)) / 2 if focus else (size - 1) / 2
    starts = range(max(1, size - shown + 1))
    return max(starts, key=lambda start: (sum(start <= row < start + shown for row in focus),
                                          -abs(start + (shown - 1) / 2 - middle)))


# ---- Drawings and texts for terminals that accept only ASCII

# Signs of drawings become one character each, so columns stay aligned; signs side by side stay different.
_SIGNS = str.maketrans({
    # frames, piers, rivers; the corners of Carcassonne's last tile
    "─": "-", "│": "|", "╱": "/", "╲": "\\", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+",
    "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┌": "[", "└": "[", "┐": "]", "┘": "]",
    # roads, villages, monasteries, open places, walls in two colours, rotations
    "═": "=", "║": "|", "╔": "+", "╗": "+", "╚": "+", "╝": "+", "■": "x", "⌂": "^", "·": ":", "▀": " ",
    "↻": "/", "°": "o",
    # terrain, pips, markers of supplies
    "♣": "&", "▬": "=", "≈": "~", "ψ": "Y", "▲": "^", "∩": "n", "•": "*", "●": "*", "○": "o", "★": "*", "█": "#",
    # text
    "×": "x", "−": "-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "→": ">", "←": "<", "…": "...",
    "≥": ">=", "≤": "<=", "±": "+-", "µ": "u",
})
_DOTS, _LAST_DOTS = 0x2800, 0x28FF                      # braille characters
_LEFT, _RIGHT = 0b01000111, 0b10111000                  # bits of the left and right columns of dots
_UPPER, _LOWER = 0b00011011, 0b11100100                 # upper and lower halves of the dots


def plain(text: str) -> str:
    """Return a text in ASCII: signs by the table, lines of dots by their slope, letters without their accents."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else _letter(sign) for sign in text.translate(_SIGNS))


@cache
def _letter(sign: str) -> str:
    if _DOTS <= ord(sign) <= _LAST_DOTS:
        return _stroke(ord(sign) - _DOTS)
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"


def _stroke(dots: int) -> str:
    """Return the sign most like the dots of a character: a point for a few dots, else a line."""
    if dots.bit_count() <= 1:
        return "." if dots else " "
    left, right = dots & _LEFT, dots & _RIGHT
    if not left or not right:
        return "|"
    if not dots & _UPPER:
        return "_"
    if not dots & _LOWER:
        return "-"
    left_low, right_low = bool(left & _LOWER) - bool(left & _UPPER), bool(right & _LOWER) - bool(right & _UPPER)
    return "/" if left_low > right_low else "\\" if left_low < right_low else "-"
