"""The faces of Carcassonne's tiles in characters: which character stands where, for which segment.

A tile is a block of characters, 5 x 3 on the board: `#` city, double lines road, `.` field, `~` river, a
house for a monastery, a square for the village where roads end, `*` shield.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from sfida.engines.carcassonne.faces import city_at, in_city, turned
from sfida.engines.carcassonne.tiles import TileType

FIELD, CITY, ROAD, RIVER, VILLAGE, MONASTERY, SHIELD = ".", "#", "═", "~", "■", "⌂", "*"
_TEXT_CAP = 0.34       # deeper than on the picture, so that a city edge shows in three rows

# Directions of a road through a character: bit 0 north, 1 east, 2 south, 3 west.
_LINES = {0b0101: "║", 0b1010: "═", 0b0011: "╚", 0b0110: "╔", 0b1100: "╗", 0b1001: "╝",
          0b0001: "║", 0b0100: "║", 0b0010: "═", 0b1000: "═"}
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True)
class Glyph:
    """One character of a drawn tile.

    Attributes
    ----------
    char : str
        What is printed without colour.
    kind : str
        "field", "city", "road", "river", "village" or "monastery".
    segment : int or None
        Segment of the tile that the character shows.
    upper, lower : str
        Ground of the two halves of the character, for colour: "field", "city" or "river".
    """

    char: str
    kind: str
    segment: int | None
    upper: str
    lower: str


def _ground(tile: TileType, u: float, v: float) -> str:
    return "field" if city_at(tile, u, v, _TEXT_CAP) is None else "city"


def _small_city(tile: TileType, column: int, row: int) -> int | None:
    """City segment at a cell of the 3 x 3 drawing: edges exactly, corners and centre by their edges."""
    touched = [e for e, (dx, dy) in enumerate(_STEPS) if (dx and dx == column - 1) or (dy and dy == row - 1)]
    for number, segment in enumerate(tile.segments):
        if segment.kind != "city":
            continue
        if touched and all(e in segment.edges for e in touched):
            return number
        if not touched and len(segment.edges) > 1 and in_city(segment.edges, 0.5, 0.5):
            return number
    return None


def _bend_at_corner(a: int, b: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """Cells of a bend that keeps clear of the centre, for two bends on one tile."""
    across, down = (a, b) if a % 2 else (b, a)
    x0, y0 = columns // 2, rows // 2
    xm = columns // 4 if across == 3 else columns - 1 - columns // 4
    ym = rows // 4 if down == 0 else rows - 1 - rows // 4
    dx, dy = _STEPS[across][0], _STEPS[down][1]
    y_end, x_end = (0 if dy < 0 else rows - 1), (0 if dx < 0 else columns - 1)
    cells = [(x0, y) for y in range(y_end, ym, -dy)] + [(x, ym) for x in range(x0, xm, dx)]
    cells += [(xm, y) for y in range(ym, y0, -dy)] + [(x, y0) for x in range(xm, x_end + dx, dx)]
    return cells if down == a else cells[::-1]


def _edge_run(edge: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """Cells from an edge straight through the centre to the opposite edge."""
    x0, y0 = columns // 2, rows // 2
    if edge % 2:
        cells = [(x, y0) for x in range(columns)]
        return cells if edge == 3 else cells[::-1]
    cells = [(x0, y) for y in range(rows)]
    return cells if edge == 0 else cells[::-1]


def _strip_cells(tile: TileType, number: int, columns: int, rows: int,
                 city: Mapping[tuple[int, int], int | None],
                 monastery: tuple[int, int] | None) -> list[tuple[int, int]]:
    """Return the cells of a road or river, from its first edge on."""
    segment = tile.segments[number]
    halves = rows // 2, columns // 2
    half = halves[segment.edges[0] % 2]
    run = _edge_run(segment.edges[0], columns, rows)
    if len(segment.edges) == 2:
        a, b = segment.edges
        bends = [s for s in tile.segments if s.kind in ("road", "river") and len(s.edges) == 2
                 and (s.edges[0] - s.edges[1]) % 2]
        if len(bends) == 2:
            if columns > 3:
                return _bend_at_corner(a, b, columns, rows)
            if segment.kind == "river":     # the road takes the only centre
                return [run[0], _edge_run(b, columns, rows)[0]]
        return [*run[:half + 1], *_edge_run(b, columns, rows)[halves[b % 2] - 1::-1]]
    if segment.ends_in == "monastery":
        return run[:run.index(monastery)] if monastery in run else run[:half]
    if segment.ends_in == "city":
        stop = next((i for i, cell in enumerate(run) if city[cell] is not None), half)
        return run[:stop]
    return run[:half] if segment.ends_in == "crossing" else run[:half + 1]


def _direction(here: tuple[int, int], there: tuple[int, int]) -> int:
    step = there[0] - here[0], there[1] - here[1]
    return 1 << _STEPS.index(step) if step in _STEPS else 0


def _part_cities(tile: TileType, city: dict[tuple[int, int], int | None], columns: int, rows: int,
                 ) -> set[tuple[int, int]]:
    """Clear the cells where two city parts of a tile would seem to be one; return them."""
    parted = set()
    for edge in range(4):
        parts = {i for e in (edge, (edge + 1) % 4) for i, s in enumerate(tile.segments)
                 if s.kind == "city" and e in s.edges}
        if len(parts) == 2:
            parted.add((columns - 1 if edge < 2 else 0, rows - 1 if edge in (1, 2) else 0))
    for cell in parted:
        city[cell] = None
    touching = {(x, y) for (x, y), number in city.items() for dx, dy in _STEPS
                if number is not None and city.get((x + dx, y + dy)) not in (None, number)}
    for cell in touching:
        city[cell] = None
    return parted | touching


@cache
def draw_tile(tile: TileType, rotation: int, columns: int = 5, rows: int = 3,
              ) -> tuple[tuple[Glyph, ...], ...]:
    """Return the rows of glyphs of a tile; `columns` and `rows` are odd and at least 3."""
    tile = turned(tile, rotation)
    city: dict[tuple[int, int], int | None] = {}
    for x in range(columns):
        for y in range(rows):
            city[x, y] = (_small_city(tile, x, y) if columns == 3 else
                          city_at(tile, (x + 0.5) / columns, (y + 0.5) / rows, _TEXT_CAP))
    parted = _part_cities(tile, city, columns, rows)
    glyphs: dict[tuple[int, int], Glyph] = {}
    for (x, y), number in city.items():
        if columns == 3 or (number is None and (x, y) in parted):
            upper = lower = "field" if number is None else "city"
        else:
            upper = _ground(tile, (x + 0.5) / columns, (y + 0.25) / rows)
            lower = _ground(tile, (x + 0.5) / columns, (y + 0.75) / rows)
        glyphs[x, y] = (Glyph(FIELD, "field", None, upper, lower) if number is None else
                        Glyph(CITY, "city", number, upper, lower))
    spot = None
    for number, segment in enumerate(tile.segments):
        if segment.kind == "monastery":
            spot = min(columns - 1, int(segment.xy[0] * columns)), min(rows - 1, int(segment.xy[1] * rows))
            glyphs[spot] = Glyph(MONASTERY, "monastery", number, "field", "field")
    for kind in ("river", "road"):          # roads cross the river on bridges
        for number, segment in enumerate(tile.segments):
            if segment.kind != kind:
                continue
            cells = _strip_cells(tile, number, columns, rows, city, spot)
            for i, cell in enumerate(cells):
                old = glyphs[cell]
                if kind == "river":
                    glyphs[cell] = Glyph(RIVER, "river", number, "river", "river")
                    continue
                ways = (_direction(cell, cells[i - 1]) if i else 1 << segment.edges[0])
                ways |= _direction(cell, cells[i + 1]) if i + 1 < len(cells) else (
                    1 << segment.edges[-1] if len(segment.edges) == 2 else 0)
                glyphs[cell] = Glyph(_LINES[ways], "road", number, old.upper, old.lower)
            if segment.ends_in == "lake" and columns > 3:
                x0, y0 = columns // 2, rows // 2
                for cell in ((x0 - 1, y0), (x0 + 1, y0)):
                    glyphs[cell] = Glyph(RIVER, "river", number, "river", "river")
    if any(s.ends_in == "crossing" for s in tile.segments):
        glyphs[columns // 2, rows // 2] = Glyph(VILLAGE, "village", None, "field", "field")
    _name_fields(tile, glyphs, columns, rows)
    return tuple(tuple(glyphs[x, y] for x in range(columns)) for y in range(rows))


def _name_fields(tile: TileType, glyphs: dict[tuple[int, int], Glyph], columns: int, rows: int) -> None:
    """Find the field segment of every field character by spreading from the half-edges inwards."""
    left, right, top, bottom = columns // 4, columns - 1 - columns // 4, rows // 4, rows - 1 - rows // 4
    seeds = ((left, 0), (right, 0), (columns - 1, top), (columns - 1, bottom),
             (right, rows - 1), (left, rows - 1), (0, bottom), (0, top))
    queue = []
    for number, segment in enumerate(tile.segments):
        for half in segment.half_edges:
            if glyphs[seeds[half]].kind == "field":
                queue.append((seeds[half], number))
    while queue:
        (x, y), number = queue.pop(0)
        glyph = glyphs.get((x, y))
        if glyph is None or glyph.kind != "field" or glyph.segment is not None:
            continue
        glyphs[x, y] = replace(glyph, segment=number)
        queue += [((x + dx, y + dy), number) for dx, dy in _STEPS]
    named = [(cell, glyph) for cell, glyph in glyphs.items() if glyph.segment is not None
             and glyph.kind == "field"]
    for cell, glyph in glyphs.items():      # a corner that is cut off belongs to the nearest field
        if glyph.kind == "field" and glyph.segment is None:
            distances = [(abs(cell[0] - x) + abs(cell[1] - y), near.segment) for (x, y), near in named]
            glyphs[cell] = replace(glyph, segment=min(distances, key=lambda pair: pair[0])[1])


def follower_cell(tile: TileType, rotation: int, segment: int, columns: int = 5, rows: int = 3,
                  ) -> tuple[int, int]:
    """Return column and row of the role letter of a follower; its owner's letter stands to the right.

    The letters stand on the segment itself where there is room for them; a monk stands beside the house.
    """
    glyphs = draw_tile(tile, rotation, columns, rows)
    u, v = turned(tile, rotation).segments[segment].xy
    if tile.segments[segment].kind == "monastery":
        x0, y0 = next((x, y) for x in range(columns) for y in range(rows) if glyphs[y][x].segment == segment)
        for x in (x0 + 1, x0 - 2):
            if 0 <= x < columns - 1 and all(glyphs[y0][x + i].kind == "field" for i in (0, 1)):
                return x, y0

    def cost(cell: tuple[int, int]) -> tuple[float, ...]:
        x, y = cell
        foreign = sum(2 - i for i in (0, 1) if glyphs[y][x + i].segment != segment)
        fixed = sum(glyphs[y][x + i].kind in ("village", "monastery") for i in (0, 1)
                    if glyphs[y][x + i].segment != segment)
        return (foreign + 3 * fixed, abs((x + 1) / columns - u) + abs((y + 0.5) / rows - v), y, x)
    return min(((x, y) for x in range(columns - 1) for y in range(rows)), key=cost)


def shield_cells(tile: TileType, rotation: int, columns: int, rows: int,
                  taken: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cells for the shields of a tile, near the middle of its city part and clear of a follower."""
    glyphs = draw_tile(tile, rotation, columns, rows)
    found: list[tuple[int, int]] = []
    for number, segment in enumerate(turned(tile, rotation).segments):
        free = [(x, y) for y in range(rows) for x in range(columns)
                if glyphs[y][x].segment == number and (x, y) not in taken and (x, y) not in found]
        free.sort(key=lambda c, s=segment: (abs((c[0] + 0.5) / columns - s.xy[0])    # type: ignore[misc]
                                            + abs((c[1] + 0.5) / rows - s.xy[1]), c))
        found += free[:segment.shields]
    return found
