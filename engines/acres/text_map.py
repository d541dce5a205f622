"""The map of A Few Acres of Snow as characters: coasts in braille dots, connections as lines of their own signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import links, sites
from sfida.engines.acres.terrain import islands, lakes, sea
from sfida.engines.drawing.braille import DotCanvas
from sfida.engines.drawing.outlines import Point

LABEL = 11                                                      # columns of the longest label
ROADS = {"lake": "≈", "road": "=", "trail": "·"}                # rivers are drawn as ─ │ ╱ ╲
COAST = "coast"


@dataclass(frozen=True)
class TextMap:
    """The map without what stands on it, for a number of columns.

    Attributes
    ----------
    columns, rows : int
    chars : tuple of str
        By row.
    kinds : tuple of rows of str
        What a character shows: a kind of connection, "coast", or "" for nothing.
    water : tuple of rows of bool
        Whether the middle of a cell lies in the sea or a lake.
    spots : tuple of (row, column)
        Where the label of each site begins.
    """

    columns: int
    rows: int
    chars: tuple[str, ...]
    kinds: tuple[tuple[str, ...], ...]
    water: tuple[tuple[bool, ...], ...]
    spots: tuple[tuple[int, int], ...]


@cache
def text_map(columns: int, low: bool = False) -> TextMap:
    """Return the map for a number of columns; a low one without the lines that hold no site."""
    data = load_data()["board"]["text_map"]
    lines = sorted({site.row for site in sites()}) if low else range(int(data["rows"]))
    rows, row_of = len(lines), {line: row for row, line in enumerate(lines)}
    grow = (columns - LABEL) / (int(data["columns"]) - LABEL)
    spots = tuple((row_of[site.row], round(site.column * grow)) for site in sites())
    middles = [(column + 4.0, row + 0.5) for row, column in spots]
    canvas = DotCanvas(columns, rows)
    rings = [[_bent(point, middles) for point in (*ring, ring[0])] for ring in (sea(), *islands(), *lakes())]
    for ring in rings:
        canvas.draw(ring)
    chars = [list(line) for line in canvas.lines()]
    kinds = [[COAST if char != " " else "" for char in line] for line in chars]
    coast, *others = [canvas.covered(ring[:-1]) for ring in rings]
    island, lake = others[:len(islands())], others[len(islands()):]
    water = tuple(tuple((coast[row][column] and not any(one[row][column] for one in island))
                        or any(one[row][column] for one in lake) for column in range(columns)) for row in range(rows))
    for link in sorted(links(), key=lambda one: one.kind == "river"):
        _draw_link(chars, kinds, middles[link.a], middles[link.b], link.kind)
    return TextMap(columns, rows, tuple("".join(line) for line in chars), tuple(map(tuple, kinds)), water, spots)


def _bent(point: Point, middles: Sequence[Point]) -> Point:
    """Return column and row, in cells, of a point of the canvas: the sites lie where their labels have their middles,
    and what is near a site moves with it."""
    x, y = point
    (across, left), (down, top) = _scale(tuple(middles))
    column, row, total = 0.0, 0.0, 1e-12
    for site, (at, line) in zip(sites(), middles, strict=True):
        weight = 1 / ((x - site.x) ** 2 + (y - site.y) ** 2 + 60.0)**1.5
        column += weight * (at - across * site.x - left)
        row += weight * (line - down * site.y - top)
        total += weight
    return across * x + left + column / total, down * y + top + row / total


@cache
def _scale(middles: tuple[Point, ...]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the straight lines that come nearest to the places of the sites: columns by x, rows by y."""
    return (_fitted([site.x for site in sites()], [at for at, _ in middles]),
            _fitted([site.y for site in sites()], [line for _, line in middles]))


def _fitted(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs)
    return slope, my - slope * mx


def _draw_link(chars: list[list[str]], kinds: list[list[str]], start: Point, stop: Point, kind: str) -> None:
    """Draw a straight line of signs between the middles of two labels."""
    (ax, ay), (bx, by) = start, stop
    long = max(abs(bx - ax), abs(by - ay))
    sign = ROADS.get(kind) or _stroke(bx - ax, by - ay)
    for i in range(1, int(long)):
        column, row = int(ax + (bx - ax) * i / long), int(ay + (by - ay) * i / long)
        if kind == "trail" and abs(bx - ax) > abs(by - ay) and column % 2:
            continue
        chars[row][column], kinds[row][column] = sign, kind


def _stroke(across: float, down: float) -> str:
    if abs(across) > 5 * abs(down):
        return "─"
    if 2.2 * abs(across) < abs(down):
        return "│"
    return "╲" if (across > 0) == (down > 0) else "╱"
