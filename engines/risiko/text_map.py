"""The map of RisiKo! as characters: coasts and borders in braille dots, the ground under each cell."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from sfida.engines.drawing.braille import DotCanvas
from sfida.engines.drawing.outlines import Point
from sfida.engines.risiko.looks import continents, territories
from sfida.engines.risiko.rules import load_data
from sfida.engines.risiko.world import frontiers, lands, plate, sea_line

# The part of the sheet that is shown, and how many lines there are to a column: cells are twice as high as wide.
_LEFT, _RIGHT, _TOP, _BOTTOM = 18.0, 996.0, 18.0, 650.0
_LINES = 0.295
LABEL, _BONUS = 5, 7            # columns of a territory's label; those that a continent's armies and owner take
_LOWEST = 20                    # lines of the lowest map
SEA, BORDER, FRONTIER = -1, 100, 200                    # what dots show: sea line, or added to a continent


@dataclass(frozen=True)
class TextMap:
    """The map without what stands on it, for a number of columns.

    Attributes
    ----------
    columns, rows : int
    dots : tuple of rows of str
        Braille characters, or spaces.
    lines : tuple of rows of int
        What the dots of a cell show: SEA, a continent (its coast), BORDER + continent, FRONTIER, or -2 for none.
    ground : tuple of rows of int
        Continent of the land in the middle of a cell; -1 for the sea.
    spots : tuple of (row, column)
        Where the upper line of each territory's label has its middle.
    plates : tuple of (row, column)
        The same for the names of the continents.
    """

    columns: int
    rows: int
    dots: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]
    ground: tuple[tuple[int, ...], ...]
    spots: tuple[tuple[int, int], ...]
    plates: tuple[tuple[int, int], ...]


def _place(columns: int, rows: int, points: Iterable[Point]) -> list[Point]:
    """Return column and row, in cells, of points of the sheet."""
    return [((x - _LEFT) / (_RIGHT - _LEFT) * columns, (y - _TOP) / (_BOTTOM - _TOP) * rows) for x, y in points]


@cache
def text_map(columns: int, rows: int = 0) -> TextMap:
    """Return the map for a number of columns, in as many rows as its shape asks for unless they are given."""
    rows = rows or round(_LINES * columns)
    canvas = DotCanvas(columns, rows)
    shown = [[-2] * columns for _ in range(rows)]

    def draw(points: Iterable[Point], what: int, every: int = 1) -> None:
        for row, column in canvas.draw(_place(columns, rows, points), every):
            shown[row][column] = max(what, shown[row][column])

    continent = {territory.id: territory.continent for territory in territories()}
    ground = _ground(canvas)
    for edge in load_data()["board"]["edges"]:
        if edge["type"] == "sea":
            for part in sea_line(edge["a"], edge["b"]):
                draw(part, SEA, every=3)
    for row in range(rows):                          # sea lines end at the coast
        for column in range(columns):
            if ground[row][column] >= 0:
                canvas.clear(row, column)
                shown[row][column] = -2
    inland = {point for _, _, line in frontiers() for point in line[1:-1]}
    for name, land in lands().items():
        for ring in land.rings:
            for coast in _coasts(ring, inland):
                draw(coast, continent[name])
    for a, b, line in frontiers():
        draw(line, BORDER + continent[a] if continent[a] == continent[b] else FRONTIER)
    return TextMap(columns, rows, canvas.lines(), tuple(map(tuple, shown)), tuple(map(tuple, ground)),
                   tuple(_cell(canvas, lands()[territory.id].spot, 1.0) for territory in territories()),
                   tuple(_cell(canvas, plate(entry["id"]), 0.5) for entry in load_data()["continent"]))


def low_map(columns: int, height: int) -> TextMap | None:
    """Return the highest map of at most `height` lines on which no label covers another, if there is one."""
    return _low_map(columns, height, tuple(len(one.name) + _BONUS for one in continents()))


@cache
def _low_map(columns: int, height: int, plates: tuple[int, ...]) -> TextMap | None:
    lower = range(min(height, round(_LINES * columns)), _LOWEST - 1, -1)
    return next((shape for shape in (text_map(columns, rows) for rows in lower) if _clear(shape, plates)), None)


def _clear(shape: TextMap, plates: tuple[int, ...]) -> bool:
    """Tell whether the labels of a map keep clear of each other; `plates`: columns of the names of continents."""
    taken: set[tuple[int, int]] = set()
    labels = [(row + line, middle, LABEL) for row, middle in shape.spots for line in (0, 1)]
    labels += [(row, middle, wide) for wide, (row, middle) in zip(plates, shape.plates, strict=True)]
    for row, middle, wide in labels:
        start = max(0, min(shape.columns - wide, middle - wide // 2))
        cells = {(row, column) for column in range(start, start + wide)}
        if row >= shape.rows or taken & cells:
            return False
        taken |= cells
    return True


def _cell(canvas: DotCanvas, point: Point, above: float) -> tuple[int, int]:
    [(column, row)] = _place(canvas.columns, canvas.rows, [point])
    return round(row - above), math.floor(column)


def _coasts(ring: tuple[Point, ...], inland: set[Point]) -> Iterable[list[Point]]:
    """Return the runs of a ring that are no border."""
    run: list[Point] = []
    for point in (*ring, ring[0]):
        if point in inland:
            yield run
            run = []
        else:
            run.append(point)
    yield run


def _ground(canvas: DotCanvas) -> list[list[int]]:
    """Return the continent under the middle of every cell; -1 for the sea."""
    found = [[-1] * canvas.columns for _ in range(canvas.rows)]
    for territory in territories():
        for ring in lands()[territory.id].rings:
            covered = canvas.covered(_place(canvas.columns, canvas.rows, ring))
            for row, cells in enumerate(covered):
                for column in (column for column, is_land in enumerate(cells) if is_land):
                    found[row][column] = territory.continent
    return found
