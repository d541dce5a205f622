"""The map of RisiKo! as characters: coasts and borders in braille dots, the ground under each cell."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from sfida.engines.risiko.looks import territories
from sfida.engines.risiko.rules import load_data
from sfida.engines.risiko.world import Point, frontiers, lands, plate, sea_line

# The part of the sheet that is shown, and how many lines there are to a column: cells are twice as high as wide.
_LEFT, _RIGHT, _TOP, _BOTTOM = 18.0, 996.0, 18.0, 650.0
_LINES = 0.295
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))     # bits of a braille character, by row and column
SEA, BORDER, FRONTIER = -1, 100, 200                                 # what dots show: sea line, or added to a continent


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


class _Canvas:
    """Dots by row and column, two columns and four rows of them to a cell."""

    def __init__(self, columns: int) -> None:
        self.columns, self.rows = columns, round(_LINES * columns)
        self.bits = [[0] * columns for _ in range(self.rows)]
        self.lines = [[-2] * columns for _ in range(self.rows)]

    def place(self, point: Point) -> tuple[float, float]:
        """Return column and row, in cells, of a point of the sheet."""
        x, y = point
        return (x - _LEFT) / (_RIGHT - _LEFT) * self.columns, (y - _TOP) / (_BOTTOM - _TOP) * self.rows

    def draw(self, points: Iterable[Point], what: int, every: int = 1) -> None:
        """Draw a line as dots; with `every` above 1 only each so manieth."""
        last, count = (-1, -1), 0
        for start, stop in pairwise(points):
            (ax, ay), (bx, by) = self.place(start), self.place(stop)
            steps = max(1, math.ceil(2 * max(2 * abs(bx - ax), 4 * abs(by - ay))))
            for i in range(steps + 1):
                x, y = ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps
                dot = (math.floor(4 * y), math.floor(2 * x))
                if dot == last:
                    continue
                last, count = dot, count + 1
                row, column = dot[0] // 4, dot[1] // 2
                if count % every == 0 and 0 <= row < self.rows and 0 <= column < self.columns:
                    self.bits[row][column] |= _DOTS[dot[0] % 4][dot[1] % 2]
                    self.lines[row][column] = max(what, self.lines[row][column])


@cache
def text_map(columns: int) -> TextMap:
    """Return the map for a number of columns."""
    canvas = _Canvas(columns)
    continent = {territory.id: territory.continent for territory in territories()}
    ground = _ground(canvas)
    for edge in load_data()["board"]["edges"]:
        if edge["type"] == "sea":
            for part in sea_line(edge["a"], edge["b"]):
                canvas.draw(part, SEA, every=3)
    for row in range(canvas.rows):                   # sea lines end at the coast
        for column in range(columns):
            if ground[row][column] >= 0:
                canvas.bits[row][column], canvas.lines[row][column] = 0, -2
    inland = {point for _, _, line in frontiers() for point in line[1:-1]}
    for name, land in lands().items():
        for ring in land.rings:
            for coast in _coasts(ring, inland):
                canvas.draw(coast, continent[name])
    for a, b, line in frontiers():
        canvas.draw(line, BORDER + continent[a] if continent[a] == continent[b] else FRONTIER)
    dots = tuple("".join(chr(0x2800 + bits) if bits else " " for bits in row) for row in canvas.bits)
    return TextMap(columns, canvas.rows, dots, tuple(map(tuple, canvas.lines)), tuple(map(tuple, ground)),
                   tuple(_cell(canvas, lands()[territory.id].spot, 1.0) for territory in territories()),
                   tuple(_cell(canvas, plate(entry["id"]), 0.5) for entry in load_data()["continent"]))


def _cell(canvas: _Canvas, point: Point, above: float) -> tuple[int, int]:
    column, row = canvas.place(point)
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


def _ground(canvas: _Canvas) -> list[list[int]]:
    """Return the continent under the middle of every cell; -1 for the sea."""
    found = [[-1] * canvas.columns for _ in range(canvas.rows)]
    for territory in territories():
        for ring in lands()[territory.id].rings:
            points = [canvas.place(point) for point in (*ring, ring[0])]
            for row in range(canvas.rows):
                y = row + 0.5
                cuts = sorted(ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in pairwise(points)
                              if (ay <= y) != (by <= y))
                for left, right in zip(cuts[::2], cuts[1::2], strict=True):
                    for column in range(max(0, math.ceil(left - 0.5)), min(canvas.columns, math.ceil(right - 0.5))):
                        found[row][column] = territory.continent
    return found
