"""The faces of Carcassonne's tiles: shapes, characters for a terminal, and the ground of every segment.

Everything is in the unit square of the tile as it lies on the table: u grows east, v grows south.

A tile is a block of characters, 5 x 3 on the board: `#` city, double lines road, `.` field, `~` river, a
house for a monastery, a square for the village where roads end, `*` shield.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import NamedTuple

from sfida.engines.carcassonne.tables import Segment, TileType

# ---- Shapes on the tile faces, shared by the text and the picture: layout only, no rule depends on them

CAP_DEPTH = 0.27       # how far a city with one edge reaches into the tile
TIGHT_DEPTH = 0.21     # the depth where another city part lies at the next edge: they must not touch
GAP_DEPTH = 0.30       # field left at the open edge of a city with three edges
BAND_DEPTH = 0.21      # field left on either side of a city that runs straight through
CORNER_BULGE = 0.05    # how far the wall of a corner city bends over the diagonal

EDGE_MIDDLES = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))


def turn_point(u: float, v: float, quarters: int) -> tuple[float, float]:
    """Return a point of the unit square after `quarters` quarter turns clockwise."""
    for _ in range(quarters % 4):
        u, v = 1.0 - v, u
    return u, v


@cache
def turned(tile: TileType, rotation: int) -> TileType:
    """Return the tile as it lies after `rotation` quarter turns clockwise."""
    def turn_segment(segment: Segment) -> Segment:
        return replace(segment, edges=tuple((e + rotation) % 4 for e in segment.edges),
                       half_edges=tuple((h + 2 * rotation) % 8 for h in segment.half_edges),
                       xy=turn_point(*segment.xy, rotation))
    edges = tile.edges
    return replace(tile, edges=(edges[-rotation % 4], edges[(1 - rotation) % 4],
                                edges[(2 - rotation) % 4], edges[(3 - rotation) % 4]),
                   segments=tuple(turn_segment(segment) for segment in tile.segments))


@cache
def city_form(edges: tuple[int, ...]) -> tuple[str, int]:
    """Return the form of a city part and the quarter turns that bring the model form to it.

    The models are "cap" (north), "corner" (north and east), "band" (east and west), "three" (all but
    south) and "full".
    """
    found = frozenset(edges)
    if len(found) == 1:
        return "cap", next(iter(found))
    if len(found) == 4:
        return "full", 0
    if len(found) == 3:
        missing = next(e for e in range(4) if e not in found)
        return "three", (missing - 2) % 4
    low, high = sorted(found)
    if high - low == 2:
        return "band", 0 if low == 1 else 1
    return "corner", 3 if (low, high) == (0, 3) else low


def cap_depth(tile: TileType, segment: Segment, depth: float = CAP_DEPTH) -> float:
    """Return how far a city part with one edge reaches into its tile."""
    neighbours = {(e + d) % 4 for e in segment.edges for d in (1, 3)}
    tight = any(s.kind == "city" and s is not segment and neighbours & set(s.edges) for s in tile.segments)
    return TIGHT_DEPTH if tight else depth


def _under_arc(u: float, v: float, depth: float) -> bool:
    return v < depth * 4.0 * u * (1.0 - u)


def in_city(edges: tuple[int, ...], u: float, v: float, depth: float = CAP_DEPTH) -> bool:
    """Return whether a point lies within the city part that has these edges."""
    form, quarters = city_form(edges)
    u, v = turn_point(u, v, -quarters)
    if form == "cap":
        return _under_arc(u, v, depth)
    if form == "corner":
        along, across = (u + v) / 2, (v - u) / 2
        return across < 2 * CORNER_BULGE * along * (1 - along) - 1e-9
    if form == "band":
        return not (_under_arc(u, v, BAND_DEPTH) or _under_arc(u, 1 - v, BAND_DEPTH))
    if form == "three":
        return not _under_arc(u, 1 - v, GAP_DEPTH)
    return True


def city_at(tile: TileType, u: float, v: float, depth: float = CAP_DEPTH) -> int | None:
    """Return the number of the city segment at a point, None outside the cities."""
    return city_among(cities_of(tile, depth), u, v)


Cities = list[tuple[int, tuple[int, ...], float]]        # number, edges and depth of each city part of a tile


def city_among(cities: Cities, u: float, v: float) -> int | None:
    """Return the number of the city segment at a point, None outside the cities."""
    for number, edges, depth in cities:
        if in_city(edges, u, v, depth):
            return number
    return None


def cities_of(tile: TileType, depth: float = CAP_DEPTH) -> Cities:
    """Return the city parts of a tile, to ask `city_among` about many points."""
    return [(number, segment.edges, cap_depth(tile, segment, depth)) for number, segment in enumerate(tile.segments)
            if segment.kind == "city"]


def monastery_spot(tile: TileType) -> tuple[float, float] | None:
    """Return where the monastery stands, None if the tile has none."""
    return next((s.xy for s in tile.segments if s.kind == "monastery"), None)


def strip_end(tile: TileType, segment: Segment) -> tuple[float, float]:
    """Return where a road or river with one edge ends: village, pond, monastery or city wall."""
    u, v = EDGE_MIDDLES[segment.edges[0]]
    du, dv = (0.5 - u) / 25, (0.5 - v) / 25
    spot = monastery_spot(tile)
    for _ in range(50):
        if segment.ends_in == "monastery" and spot and math.hypot(u - spot[0], v - spot[1]) < 0.06:
            break
        if segment.ends_in == "city" and city_at(tile, u, v) is not None:
            break
        if segment.ends_in not in ("monastery", "city") and math.hypot(u - 0.5, v - 0.5) < 1e-6:
            break
        u, v = u + du, v + dv
    return round(u, 6), round(v, 6)


class Course(NamedTuple):
    """The middle line of a road or river: a quarter of a circle around a corner, or straight.

    Attributes
    ----------
    bends : bool
    at : tuple of float
        Centre of the circle, or start of the straight line.
    far : tuple of float
        From the start to the end of the straight line.
    """

    bends: bool
    at: tuple[float, float]
    far: tuple[float, float]

    def distance(self, u: float, v: float) -> float:
        """Return the distance of a point."""
        across, down = u - self.at[0], v - self.at[1]
        if self.bends:
            return abs(math.hypot(across, down) - 0.5)
        du, dv = self.far
        share = min(1.0, max(0.0, (across * du + down * dv) / max(du * du + dv * dv, 1e-12)))
        return math.hypot(across - share * du, down - share * dv)


def course(tile: TileType, segment: Segment) -> Course:
    """Return the middle line of a road or river."""
    if len(segment.edges) == 2 and (segment.edges[0] - segment.edges[1]) % 2:
        first, second = (EDGE_MIDDLES[e] for e in segment.edges)
        return Course(True, (first[0] + second[0] - 0.5, first[1] + second[1] - 0.5), (0.0, 0.0))
    start = EDGE_MIDDLES[segment.edges[0]]
    end = EDGE_MIDDLES[segment.edges[1]] if len(segment.edges) == 2 else strip_end(tile, segment)
    return Course(False, start, (end[0] - start[0], end[1] - start[1]))


# ---- The faces of Carcassonne's tiles in characters: which character stands where, for which segment

FIELD, CITY, ROAD, RIVER, VILLAGE, MONASTERY, SHIELD = ".", "#", "═", "~", "■", "⌂", "*"
_TEXT_CAP = 0.34       # deeper than on the picture, so that a city edge shows in three rows

# Directions of a road through a character: bit 0 north, 1 east, 2 south, 3 west.
_LINES = {0b0101: "║", 0b1010: "═", 0b0011: "╚", 0b0110: "╔", 0b1100: "╗", 0b1001: "╝",
          0b0001: "║", 0b0100: "║", 0b0010: "═", 0b1000: "═"}
_GLYPHS_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


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
    touched = [e for e, (dx, dy) in enumerate(_GLYPHS_STEPS) if (dx and dx == column - 1) or (dy and dy == row - 1)]
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
    dx, dy = _GLYPHS_STEPS[across][0], _GLYPHS_STEPS[down][1]
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
    return 1 << _GLYPHS_STEPS.index(step) if step in _GLYPHS_STEPS else 0


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
    touching = {(x, y) for (x, y), number in city.items() for dx, dy in _GLYPHS_STEPS
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
        queue += [((x + dx, y + dy), number) for dx, dy in _GLYPHS_STEPS]
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


# ---- The ground of each segment, and where a follower stands best on it

GRID = 32                               # bits along a side of a tile
NOTHING = -1                            # a village, and what no field reaches
_ROAD, _RIVER, _VILLAGE, _POND = 0.055, 0.12, 0.14, 0.31
_SEEDS = ((0.25, 0.01), (0.75, 0.01), (0.99, 0.25), (0.99, 0.75), (0.75, 0.99), (0.25, 0.99), (0.01, 0.75),
          (0.01, 0.25))                 # where half edges lie
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
# Half the width and height of a follower; a monastery round its place, as (left, top, right, bottom).
_BROAD, _HIGH = 0.2, 0.19
_HOUSE = (-0.22, -0.26, 0.2, 0.15)
_BODY = tuple((x / 3, y / 3) for x, y in product(range(-3, 4), repeat=2) if x * x + y * y <= 10)
_RIM = 8                                # bits beyond a tile that a follower may reach
_SCALES = (1.0, 0.88, 0.76)

Cell = tuple[int, int]
Ground = tuple[tuple[int, ...], ...]     # number of the segment at every bit, by row and column


class Footing(NamedTuple):
    """Where a follower stands on a tile, and how large it is drawn."""

    u: float
    v: float
    scale: float


@cache
def ground(tile: TileType) -> Ground:
    """Return the number of the segment at every bit of a tile that lies unturned, by row and column."""
    cities, strips = cities_of(tile), [(course(tile, segment).distance, broad, number)
                                       for kind, broad in (("road", _ROAD), ("river", _RIVER))  # roads lead over rivers
                                       for number, segment in enumerate(tile.segments) if segment.kind == kind]
    round_ = [(_VILLAGE, NOTHING) if segment.kind == "road" else (_POND, number)
              for number, segment in enumerate(tile.segments)
              if (segment.kind, segment.ends_in) in (("road", "crossing"), ("river", "lake"))]

    def at(u: float, v: float) -> int | None:
        """Return the city, road or river at a point, `NOTHING` in a village; None on a field."""
        found = city_among(cities, u, v)
        if found is None and round_:
            middle = math.hypot(u - 0.5, v - 0.5)
            found = next((number for reach, number in round_ if middle < reach), None)
        if found is None:
            found = next((number for distance, broad, number in strips if distance(u, v) < broad), None)
        return found

    bits = {(x, y): at((x + 0.5) / GRID, (y + 0.5) / GRID) for x, y in product(range(GRID), repeat=2)}
    queue = [((int(u * GRID), int(v * GRID)), number) for number, segment in enumerate(tile.segments)
             for u, v in (_SEEDS[half] for half in segment.half_edges)]
    for cell, number in queue:                          # grows while it is walked
        if cell in bits and bits[cell] is None:
            bits[cell] = number
            queue += [((cell[0] + dx, cell[1] + dy), number) for dx, dy in _STEPS]
    found = {cell: NOTHING if own is None else own for cell, own in bits.items()}
    return tuple(tuple(found[x, y] for x in range(GRID)) for y in range(GRID))


@cache
def turned_ground(tile: TileType, rotation: int) -> Ground:
    """Return the `ground` of a tile after `rotation` quarter turns clockwise."""
    found = ground(tile)
    for _ in range(rotation % 4):
        found = tuple(zip(*found[::-1], strict=True))
    return found


@cache
def footing(tile: TileType, rotation: int, segment: int) -> Footing:
    """Return where the follower of a segment stands on a tile after `rotation` quarter turns clockwise.

    The largest follower is taken that leaves rivers, walls and houses free, near the place that the data give.
    """
    face = turned(tile, rotation)
    home, house = face.segments[segment].xy, monastery_spot(face)
    prices = _prices(face, turned_ground(tile, rotation), segment, house)
    places = sorted((1.2 * math.hypot(u - home[0], v - home[1]), v, u) for u, v in
                    _footholds(face, turned_ground(tile, rotation), segment))
    found: list[tuple[float, Footing]] = []
    for scale in _SCALES:
        body = [(_BROAD * scale * x * GRID + _RIM, _HIGH * scale * y * GRID + _RIM) for x, y in _BODY]
        best = (math.inf, 0.0, 0.0)
        for away, v, u in places:
            if away > best[0]:
                break
            best = min(best, (away + math.fsum(prices[int(v * GRID + y)][int(u * GRID + x)] for x, y in body), v, u))
        found.append((best[0], Footing(best[2], best[1], scale)))
    least = min(cost for cost, _ in found)
    return next(at for cost, at in found if cost <= least + 0.25)


def _footholds(face: TileType, bits: Ground, segment: int) -> list[tuple[float, float]]:
    """Return the points on a turned tile where the follower of a segment may stand, in rows."""
    points = [(column / 24, row / 24) for row in range(2, 23) for column in range(2, 23)]
    home = face.segments[segment].xy
    if face.segments[segment].kind == "monastery":      # in front of the house
        return [(u, v) for u, v in points if 0.2 <= math.hypot(u - home[0], v - home[1]) <= 0.4 and v >= home[1]]
    return [(u, v) for u, v in points if bits[int(v * GRID)][int(u * GRID)] == segment] or points


def _prices(face: TileType, bits: Ground, segment: int, house: tuple[float, float] | None) -> list[list[float]]:
    """Return the price of each bit that a follower may cover on a turned tile or up to `_RIM` bits beyond it."""
    kind = face.segments[segment].kind
    of = {"river": 0.3, "city": 0.3, "road": 0.1, "field": {"monastery": 0.02, "road": 0.02}.get(kind, 0.12)}
    price = [of.get(one.kind, 0.0) for one in face.segments]
    price[segment] = 0.0
    price.append(0.15)                                  # the last is for `NOTHING`
    found = []
    for row in range(-_RIM, GRID + _RIM):
        line = []
        for column in range(-_RIM, GRID + _RIM):
            y, x = min(max(row, 0), GRID - 1), min(max(column, 0), GRID - 1)
            if (y, x) != (row, column):
                line.append(0.06 if kind == "city" and bits[y][x] == segment else 0.3)
                continue
            cost = price[bits[y][x]]
            if house is not None:
                left, top, right, bottom = _HOUSE
                if top < (y + 0.5) / GRID - house[1] < bottom and left < (x + 0.5) / GRID - house[0] < right:
                    cost += 0.1 if kind == "monastery" else 0.3
            line.append(cost)
        found.append(line)
    return found
