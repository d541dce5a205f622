"""The text map of Attila: where the cells of the provinces stand and the lines between neighbours, as braille dots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sfida.engines.attila.land import Land
from sfida.engines.drawing.braille import DotCanvas
from sfida.engines.drawing.outlines import Point

CELL = 9                        # columns of a cell: code, mark, five places
STEP, LOW_STEP = 3, 2           # lines from one row of the map to the next, and on a low screen


@dataclass(frozen=True)
class TextMap:
    """The lines of a text map, without what stands on them.

    Attributes
    ----------
    columns, rows : int
        Size in characters.
    cells : tuple of (row, column)
        Where each province's cell begins.
    order : tuple of tuple of int
        By row, the provinces whose cells stand in it, from left to right.
    land, water : tuple of str
        By row, the dots of borders on land, and those of links over water; spaces where there are none and beside
        cells.
    """

    columns: int
    rows: int
    cells: tuple[tuple[int, int], ...]
    order: tuple[tuple[int, ...], ...]
    land: tuple[str, ...]
    water: tuple[str, ...]


@lru_cache(maxsize=64)
def text_map(land: Land, width: int, down: int = STEP) -> TextMap | None:
    """Return the map laid out in a number of columns, its rows `down` lines apart; None where its cells do not fit
    side by side.
    """
    at = [(one.row, one.column) for one in land.provinces]
    if len(set(at)) < len(at):
        return None
    step = min(15, (width - CELL) // max(1, land.columns - 1))
    if step <= CELL and land.columns > 1:
        return None
    cells = tuple((down * row, step * column) for row, column in at)
    columns, rows = step * (land.columns - 1) + CELL, down * (land.rows - 1) + 1
    dots = []
    for water in (False, True):
        canvas = DotCanvas(columns, rows)
        for link in land.links:
            if link.water == water:
                canvas.draw(_route(at[link.a], at[link.b], frozenset(at), step, down), every=3 if water else 1)
        dots.append(_cleared(canvas.lines(), cells) if step - CELL > 2 else canvas.lines())
    order = tuple(tuple(sorted((number for number in range(len(at)) if cells[number][0] == row),
                               key=lambda number: at[number][1])) for row in range(rows))
    return TextMap(columns, rows, cells, order, dots[0], dots[1])


def _cleared(lines: tuple[str, ...], cells: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Blank the columns beside the cells."""
    found = [list(line) for line in lines]
    for row, column in cells:
        for beside in (column - 1, column + CELL):
            if 0 <= beside < len(found[row]):
                found[row][beside] = " "
    return tuple("".join(line) for line in found)


def _route(a: tuple[int, int], b: tuple[int, int], taken: frozenset[tuple[int, int]], step: int,
           lines: int) -> list[Point]:
    """Return a line from one cell of the grid (row, column) to another: straight, or round cells in between."""
    (ax, ay), (bx, by) = ((step * column + CELL / 2, lines * row + 0.5) for row, column in (a, b))
    aside = lines / 2
    if a[0] == b[0] and any((a[0], column) in taken for column in range(min(a[1], b[1]) + 1, max(a[1], b[1]))):
        along, off = (step if bx > ax else -step) / 2, aside if a[0] == 0 else -aside
        return [(ax, ay), (ax + along, ay + off), (bx - along, by + off), (bx, by)]
    if a[1] == b[1] and any((row, a[1]) in taken for row in range(min(a[0], b[0]) + 1, max(a[0], b[0]))):
        down, off = aside if by > ay else -aside, step / 2 if a[1] == 0 else -step / 2
        return [(ax, ay), (ax + off, ay + down), (bx + off, by - down), (bx, by)]
    return [(ax, ay), (bx, by)]
