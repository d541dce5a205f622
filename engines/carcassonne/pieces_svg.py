"""Drawings of the tiles and followers of Carcassonne, as SVG elements 100 units wide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.board_text import seat_letters
from sfida.engines.carcassonne.faces import (
    BAND_DEPTH, CORNER_BULGE, EDGE_MIDDLES, GAP_DEPTH, cap_depth, cities_of, city_among, city_at, city_form, course,
    monastery_spot, strip_end, turned
)
from sfida.engines.carcassonne.tables import Segment, TileType, load_data
from sfida.engines.drawing.colors import is_light
from sfida.engines.drawing.svg import add, document_text, moved, num

# ---- Drawings of the faces of Carcassonne's tiles, as SVG elements 100 units wide

UNIT = 100.0
ROAD_WIDTH, RIVER_WIDTH = 10.0, 19.0
MEADOW, MEADOW_DARK, LEAF, LEAF_LIGHT = "#8fbf4d", "#7fae41", "#4d7f2c", "#6a9c3b"
PAVING = "#c99a5b"
WALL_EDGE, WALL, WALL_TOP = "#4c3a28", "#8d7a63", "#e4d6bb"
ROOFS = (("#b8432f", "#8f2f22"), ("#c65a36", "#9a4026"), ("#a9502e", "#813a20"))
WATER_EDGE, WATER, WATER_LIGHT = "#2b6299", "#4b95d1", "#a8d3f0"
ROAD_EDGE, ROAD = "#8f7a52", "#f4eedd"


def terrain_color(kind: str) -> str:
    """Return the colour of a kind of terrain in the data file."""
    return str(load_data()["terrains"][kind]["rgb"])


# ---- outlines -----------------------------------------------------------------------------------------


def _turn(x: float, y: float, quarters: int) -> tuple[float, float]:
    for _ in range(quarters % 4):
        x, y = UNIT - y, x
    return x, y


_Command = tuple[str, list[tuple[float, float]]]


def _path(commands: Sequence[_Command], quarters: int) -> str:
    words = []
    for letter, points in commands:
        words.append(letter + " ".join(",".join(num(c) for c in _turn(x, y, quarters)) for x, y in points))
    return " ".join(words)


def city_paths(tile: TileType, segment: Segment) -> tuple[str, list[str]]:
    """Return the outline of a city part and the parts of the wall that enclose it."""
    form, quarters = city_form(segment.edges)
    full = 200.0                            # the handle of a quadratic curve lies twice as deep as the curve
    arc: list[_Command]
    south: list[_Command]
    if form == "cap":
        arc = [("M", [(0, 0)]), ("Q", [(50, full * cap_depth(tile, segment)), (100, 0)])]
        return _path([*arc, ("Z", [])], quarters), [_path(arc, quarters)]
    if form == "corner":
        # On the cubic with these two handles the wall's distance from the diagonal is 2 · CORNER_BULGE · s(1 - s).
        off = 200 * CORNER_BULGE / 3
        third = 100 / 3
        arc = [("M", [(0, 0)]), ("C", [(third - off, third + off), (2 * third - off, 2 * third + off),
                                       (100, 100)])]
        return _path([*arc, ("L", [(100, 0)]), ("Z", [])], quarters), [_path(arc, quarters)]
    if form == "band":
        north: list[_Command] = [("M", [(0, 0)]), ("Q", [(50, full * BAND_DEPTH), (100, 0)])]
        south = [("M", [(100, 100)]), ("Q", [(50, 100 - full * BAND_DEPTH), (0, 100)])]
        outline: list[_Command] = [*north, ("L", [(100, 100)]), *south[1:], ("Z", [])]
        return _path(outline, quarters), [_path(north, quarters), _path(south, quarters)]
    if form == "three":
        south = [("M", [(100, 100)]), ("Q", [(50, 100 - full * GAP_DEPTH), (0, 100)])]
        return _path([*south, ("L", [(0, 0), (100, 0)]), ("Z", [])], quarters), [_path(south, quarters)]
    return _path([("M", [(0, 0)]), ("L", [(100, 0), (100, 100), (0, 100)]), ("Z", [])], 0), []


def strip_path(tile: TileType, segment: Segment) -> str:
    """Return the middle line of a road or river."""
    x, y = (UNIT * c for c in EDGE_MIDDLES[segment.edges[0]])
    start = f"M{num(x)},{num(y)}"
    if len(segment.edges) == 2 and (segment.edges[0] - segment.edges[1]) % 2:
        a, b = segment.edges
        end = EDGE_MIDDLES[b]
        sweep = 1 if (b - a) % 4 == 3 else 0
        return f"{start} A50,50 0 0 {sweep} {num(UNIT * end[0])},{num(UNIT * end[1])}"
    end = EDGE_MIDDLES[segment.edges[1]] if len(segment.edges) == 2 else strip_end(tile, segment)
    return f"{start} L{num(UNIT * end[0])},{num(UNIT * end[1])}"


# ---- places for small things --------------------------------------------------------------------------


def _spread(count: int, offset: float) -> Iterator[tuple[float, float]]:
    """Yield evenly scattered points, the same on every call (an additive recurrence)."""
    for i in range(1, count + 1):
        yield (offset + i * 0.7548776662) % 1.0, (offset * 1.7 + i * 0.5698402910) % 1.0


_ROUND = [(math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)) for k in range(8)]


def _ring(u: float, v: float, radius: float) -> list[tuple[float, float]]:
    """Return a point and eight around it."""
    return [(u, v), *[(u + radius * x, v + radius * y) for x, y in _ROUND]]


def _offset(tile: TileType) -> float:
    return sum(ord(char) * 0.137 * (i + 1) for i, char in enumerate(tile.code)) % 1.0


def _scatter(tile: TileType, tries: int, radius: float, in_town: bool, apart: float, most: int,
             ) -> list[tuple[float, float]]:
    """Find places for houses (in a city) or trees (in the fields), clear of everything else."""
    spots: list[tuple[float, float]] = []
    busy = any(s.ends_in in ("crossing", "source", "lake") for s in tile.segments)
    avoid = [(0.5, 0.5, 0.2)] if busy else []
    house = monastery_spot(tile)
    avoid += [(*house, 0.27)] if house else []
    avoid += [(*shield_spot(tile, s), 0.12) for s in tile.segments if s.shields]
    avoid += [(s.xy[0], s.xy[1], 0.12) for s in tile.segments if s.kind == "field" and not in_town]
    cities = cities_of(tile)
    strips = [(course(tile, s).distance, (0.05 if s.kind == "road" else 0.1) + radius) for s in tile.segments
              if s.kind in ("road", "river")]
    for u, v in _spread(tries, _offset(tile)):
        if len(spots) == most:
            break
        if any(math.hypot(u - a, v - b) < far for a, b, far in avoid):
            continue
        if any(math.hypot(u - a, v - b) <= apart for a, b in spots):
            continue
        if not 0.02 <= u - radius <= u + radius <= 0.98 or not 0.02 <= v - radius <= v + radius <= 0.98:
            continue
        if any(distance(u, v) <= room for distance, room in strips):
            continue
        held = (city_among(cities, a, b) for a, b in _ring(u, v, radius))
        first = next(held)                      # of all points of the ring, the same city or none
        if (first is not None) == in_town and all(other == first for other in held):
            spots.append((u, v))
    return spots


@cache
def shield_spot(tile: TileType, segment: Segment) -> tuple[float, float]:
    """Return the place of a shield: in the city part, beside the place of a knight."""
    u, v = segment.xy
    spots = [(far, u + far * math.cos(k * math.pi / 8), v + far * math.sin(k * math.pi / 8))
             for far in (0.34, 0.3, 0.26) for k in range(16)]
    number = tile.segments.index(segment)

    def room(spot: tuple[float, float, float]) -> tuple[float, ...]:
        inside = sum(city_at(tile, a, b) == number and 0.03 < a < 0.97 and 0.03 < b < 0.97
                     for a, b in _ring(*spot[1:], 0.1))
        return -inside, -spot[0], spot[2], spot[1]
    return min(spots, key=room)[1:]


# ---- painting -----------------------------------------------------------------------------------------


@cache
def face_svg(tile: TileType) -> str:
    """Paint a tile at rotation 0, without the parts that are always upright."""
    group = ET.Element("g")
    add(group, "rect", width=100, height=100, fill=MEADOW)
    tufts = [f"M{3 + 94 * u:.1f},{3 + 94 * v:.1f}l1.6,1.8,1.6,-1.8" for u, v in _spread(26, _offset(tile) + 0.31)]
    add(group, "path", d="".join(tufts), fill="none", stroke=MEADOW_DARK, stroke_width="0.9")
    for segment in tile.segments:
        if segment.kind == "river":
            _paint_river(group, tile, segment)
    roads = [s for s in tile.segments if s.kind == "road"]
    river = next((s for s in tile.segments if s.kind == "river"), None)
    for width, colour, role in ((ROAD_WIDTH + 3.4, ROAD_EDGE, "verge"), (ROAD_WIDTH, ROAD, "road")):
        for segment in roads:
            add(group, "path", class_=role, d=strip_path(tile, segment), fill="none", stroke=colour,
                stroke_width=width)
    for segment in roads:
        if river is not None:
            _paint_bridge(group, tile, segment, river)
    _paint_trees(group, [(100 * u, 100 * v) for u, v in _scatter(tile, 260, 0.05, False, 0.13, 5)])
    for segment in tile.segments:
        if segment.kind == "city":
            _paint_city(group, tile, segment)
    for segment in roads:
        if segment.ends_in == "city":
            _paint_gate(group, tile, segment)
    if any(s.ends_in == "crossing" for s in tile.segments):
        _paint_village(group)
    return document_text(group)


def _paint_river(group: ET.Element, tile: TileType, segment: Segment) -> None:
    path = strip_path(tile, segment)
    ponds = {"source": (9.0, 8.0), "lake": (30.0, 24.0)}
    size = ponds.get(segment.ends_in or "")
    for grow, colour in ((2.2, WATER_EDGE), (0.0, WATER)):
        add(group, "path", class_="river", d=path, fill="none", stroke=colour,
            stroke_width=RIVER_WIDTH + 2 * grow)
        if size:
            add(group, "ellipse", cx=50, cy=50, rx=size[0] + grow, ry=size[1] + grow, fill=colour)
    add(group, "path", d=path, fill="none", stroke=WATER_LIGHT, stroke_width="1.6",
        stroke_dasharray="9 13 5 11", stroke_linecap="round", opacity="0.8")
    if segment.ends_in == "source":
        for x, y, r in ((40.0, 46.0, 6.5), (49.0, 40.0, 8.0), (60.0, 45.0, 6.0)):
            add(group, "circle", cx=x, cy=y, r=r, fill="#9b9488", stroke="#655f55", stroke_width="1.4")
            add(group, "circle", cx=x - r / 4, cy=y - r / 3, r=r / 2.4, fill="#c1bbae")
    if segment.ends_in == "lake":
        for x, y in ((38.0, 44.0), (56.0, 40.0), (60.0, 57.0)):
            add(group, "path", d=f"M{num(x)},{num(y)} q4,-3 8,0", fill="none", stroke=WATER_LIGHT,
                stroke_width="1.6", stroke_linecap="round")


def _paint_bridge(group: ET.Element, tile: TileType, road: Segment, river: Segment) -> None:
    """Draw parapets where a straight road crosses the river."""
    if len(road.edges) == 2 and (road.edges[0] - road.edges[1]) % 2:
        return
    x, y = (100 * c for c in EDGE_MIDDLES[road.edges[0]])
    end_u, end_v = EDGE_MIDDLES[road.edges[1]] if len(road.edges) == 2 else strip_end(tile, road)
    steps = [(x + (100 * end_u - x) * i / 60, y + (100 * end_v - y) * i / 60) for i in range(61)]
    wet = [p for p in steps if course(tile, river).distance(p[0] / 100, p[1] / 100) < 0.135]
    if not wet:
        return
    (x0, y0), (x1, y1) = wet[0], wet[-1]
    path = f"M{num(x0)},{num(y0)} L{num(x1)},{num(y1)}"
    add(group, "path", class_="bridge", d=path, stroke="#5a4a3a", stroke_width=ROAD_WIDTH + 9)
    add(group, "path", d=path, stroke="#b5a58c", stroke_width=ROAD_WIDTH + 5.6)
    add(group, "path", d=path, stroke=ROAD, stroke_width=ROAD_WIDTH - 0.6)
    add(group, "path", d=path, stroke=ROAD_EDGE, stroke_width=ROAD_WIDTH - 0.6, stroke_dasharray="0.8 3.2",
        opacity="0.6")


def _paint_trees(group: ET.Element, spots: list[tuple[float, float]]) -> None:
    """Draw trees from above: their shadows, then their crowns, and the light on these."""
    for dx, dy, wide, colour, shade in ((1.2, 1.6, 8.0, "#000000", 0.18), (0.0, 0.0, 8.0, LEAF, None),
                                        (-1.1, -1.2, 4.6, LEAF_LIGHT, None)):
        if spots:
            add(group, "path", d="".join(f"M{x + dx:.1f},{y + dy:.1f}h0" for x, y in spots), stroke=colour,
                stroke_width=wide, stroke_linecap="round", opacity=shade)


def _paint_houses(group: ET.Element, houses: list[tuple[float, float, float, int]]) -> None:
    """Draw houses from above, as two sides of a roof, so that any rotation looks right.

    Parameters
    ----------
    group : Element
    houses : list of (x, y, size, look)
        The look chooses colour and direction of the roof.
    """
    shadows: list[str] = []
    roofs: dict[tuple[str, str], tuple[list[str], list[str]]] = {colours: ([], []) for colours in ROOFS}
    for x, y, size, look in houses:
        wide, deep = (size, size * 0.78) if look % 2 else (size * 0.78, size)
        left, top = x - wide / 2, y - deep / 2
        light, dark = roofs[ROOFS[look % len(ROOFS)]]
        shadows.append(_rectangle(left + 0.9, top + 1.1, wide, deep))
        light.append(_rectangle(left, top, wide, deep))
        dark.append(_rectangle(left, y, wide, deep / 2) if look % 2 else _rectangle(x, top, wide / 2, deep))
    add(group, "path", d="".join(shadows), opacity="0.25")
    for (light_colour, dark_colour), (light, dark) in roofs.items():
        if light:
            add(group, "path", d="".join(light), fill=light_colour, stroke="#5b2417", stroke_width="0.7")
            add(group, "path", d="".join(dark), fill=dark_colour)


def _rectangle(x: float, y: float, wide: float, high: float) -> str:
    return f"M{num(round(x, 1))},{num(round(y, 1))}h{num(wide)}v{num(high)}h{num(-wide)}z"


def _paint_city(group: ET.Element, tile: TileType, segment: Segment) -> None:
    outline, walls = city_paths(tile, segment)
    number = tile.segments.index(segment)
    add(group, "path", class_="city", d=outline, fill=PAVING)
    _paint_houses(group, [(100 * u, 100 * v, 9.0 + i % 3, i) for i, (u, v) in
                          enumerate(_scatter(tile, 420, 0.055, True, 0.125, 26)) if city_at(tile, u, v) == number])
    for wall in walls:
        add(group, "path", class_="wall", d=wall, fill="none", stroke=WALL_EDGE, stroke_width="6.4")
        add(group, "path", d=wall, fill="none", stroke=WALL, stroke_width="4.6")
        add(group, "path", d=wall, fill="none", stroke=WALL_TOP, stroke_width="3.2",
            stroke_dasharray="3.4 2.2")


def _paint_gate(group: ET.Element, tile: TileType, segment: Segment) -> None:
    u, v = strip_end(tile, segment)
    gate = add(group, "g", class_="gate",
               transform=f"translate({num(100 * u)} {num(100 * v)}) rotate({90 * (segment.edges[0] - 2)})")
    for x in (-9.0, 4.4):
        add(gate, "rect", x=x, y=-4.6, width=4.6, height=8.4, fill=WALL_TOP, stroke=WALL_EDGE,
            stroke_width="1.2")
    add(gate, "rect", x=-4.6, y=-3.4, width=9.2, height=5.6, fill="#3a2a1b")


def _paint_village(group: ET.Element) -> None:
    add(group, "circle", cx=50, cy=50, r=13.5, fill=MEADOW_DARK, stroke=LEAF, stroke_width="1")
    spots = ((44.5, 44.0), (56.5, 46.0), (44.0, 56.5), (55.5, 57.0))
    _paint_houses(group, [(x, y, 9.4, i) for i, (x, y) in enumerate(spots)])


@cache
def monastery_svg() -> str:
    """Paint an upright monastery at the origin, about 40 units high."""
    g = ET.Element("g", {"class": "monastery"})
    red, dark, stone = terrain_color("monastery"), "#6a2a20", "#efe3c8"
    add(g, "ellipse", cx=0, cy=13, rx=25, ry=7, fill="#000000", opacity="0.18")
    add(g, "path", d="M-21,14 L-21,0 L9,0 L9,14 Z", fill=stone, stroke="#4c3a28", stroke_width="1.3")
    add(g, "path", d="M-24,0.6 L-18,-10 L8,-10 L11,0.6 Z", fill=red, stroke="#4c1c14", stroke_width="1.3")
    add(g, "path", d="M-22,-3 L10,-3 M-20,-6.5 L9,-6.5", stroke=dark, stroke_width="0.9")
    add(g, "path", d="M6,14 L6,-9 L19,-9 L19,14 Z", fill="#f7eed9", stroke="#4c3a28", stroke_width="1.3")
    add(g, "path", d="M4,-8.5 L12.5,-23 L21,-8.5 Z", fill=red, stroke="#4c1c14", stroke_width="1.3")
    add(g, "path", d="M12.5,-23 L12.5,-30 M9.6,-27.4 L15.4,-27.4", stroke="#33241a", stroke_width="1.7",
        stroke_linecap="round")
    add(g, "path", d="M10,14 L10,6.5 A2.5,2.5 0 0 1 15,6.5 L15,14 Z", fill="#4a3322")
    for x in (-17, -10, -3):
        add(g, "path", d=f"M{x},10 L{x},6 A2,2 0 0 1 {x + 4},6 L{x + 4},10 Z", fill="#5b7fa3",
            stroke="#4c3a28", stroke_width="0.7")
    add(g, "circle", cx=12.5, cy=-2.5, r=2.2, fill="#5b7fa3", stroke="#4c3a28", stroke_width="0.7")
    return document_text(g)


@cache
def shield_mark_svg() -> str:
    """Paint a city's coat of arms around the origin."""
    g = ET.Element("g", {"class": "shield"})
    add(g, "path", d="M-8,-9 L8,-9 L8,0 C8,6 4,9 0,11 C-4,9 -8,6 -8,0 Z", fill=terrain_color("shield"),
        stroke="#ffffff", stroke_width="2.2")
    add(g, "path", d="M-8,-9 L8,-9 L8,0 C8,6 4,9 0,11 C-4,9 -8,6 -8,0 Z", fill="none", stroke="#1c2c55",
        stroke_width="0.8")
    add(g, "path", d="M0,-8 L0,10 M-7.4,-1 L7.4,-1", stroke="#f2f4fb", stroke_width="2.6")
    return document_text(g)


def upright(tile: TileType, rotation: int) -> list[tuple[str, float, float]]:
    """Return the upright parts of a turned tile, "monastery" or "shield", with their places."""
    found = []
    for segment, unturned in zip(turned(tile, rotation).segments, tile.segments, strict=True):
        if segment.kind == "monastery":
            found.append(("monastery", 100 * segment.xy[0], 100 * segment.xy[1] + 2))
        if segment.shields:
            u, v = shield_spot(tile, unturned)
            x, y = _turn(100 * u, 100 * v, rotation)
            found.append(("shield", x, y))
    return found


# ---- Shared parts of the pictures of Carcassonne: followers and faces of tiles

INK, FAINT, LEGAL = "#33291c", "#8d7f66", "#fff3b8"
_MEEPLE = ("M0,-20 C6.5,-20 8.5,-14.5 6.6,-9.6 C13,-8.4 21.5,-4 21.5,1 C21.5,5 14,4.6 9.6,4.2 "
           "C11.5,9.5 16.5,14.5 16.5,18.3 C16.5,20 15.4,20 13.5,20 L5.4,20 C3.6,20 2.8,17 0,13 "
           "C-2.8,17 -3.6,20 -5.4,20 L-13.5,20 C-15.4,20 -16.5,20 -16.5,18.3 C-16.5,14.5 -11.5,9.5 -9.6,4.2 "
           "C-14,4.6 -21.5,5 -21.5,1 C-21.5,-4 -13,-8.4 -6.6,-9.6 C-8.5,-14.5 -6.5,-20 0,-20 Z")


def words(parent: ET.Element, x: float, y: float, text: str, size: float, *, anchor: str = "start",
          fill: str = INK, bold: bool = False, class_: str | None = None) -> None:
    add(parent, "text", class_=class_, x=x, y=y, font_size=size, text_anchor=anchor, fill=fill,
        font_weight="bold" if bold else None).text = text


def place_face(parent: ET.Element, tile: TileType, rotation: int, x: float, y: float, scale: float, *,
               bare: bool = False, **data: object) -> ET.Element:
    """Draw a tile from its upper left corner; a `bare` tile has no upright parts."""
    group = moved(parent, x, y, scale, class_="tile", data_code=tile.code, data_rotation=rotation, **data)
    add(group, "use", href=f"#car-{tile.code}",
        transform=f"rotate({90 * rotation} 50 50)" if rotation else None)
    if not bare:
        place_uprights(group, tile, rotation)
    add(group, "rect", width=100, height=100, fill="none", stroke="#3c3222", stroke_width="1.4",
        stroke_opacity="0.55")
    return group


def place_uprights(group: ET.Element, tile: TileType, rotation: int) -> None:
    """Draw the monastery and the shields of a tile 100 units wide."""
    for name, u, v in upright(tile, rotation):
        scale_here = "scale(0.9)" if name == "monastery" else ""
        add(group, "use", href=f"#car-{name}", transform=f"translate({num(u)} {num(v)}) {scale_here}".strip())


@cache
def seat_colours(seat: int) -> tuple[str, str]:
    """Return the colour of a seat, and the colour of letters on it."""
    rgb = str(load_data()["players"]["colors"][seat]["rgb"])
    return rgb, "#1d1a14" if is_light(rgb) else "#ffffff"


def meeple(parent: ET.Element, x: float, y: float, scale: float, seat: int, lying: bool = False,
           letter: bool = True) -> ET.Element:
    """Draw a follower with its owner's letter on it; farmers lie on their side."""
    fill, ink = seat_colours(seat)
    group = add(parent, "g", transform=f"translate({num(x)} {num(y)}) scale({scale:.4f})")
    turn = "rotate(90)" if lying else None
    add(group, "path", d=_MEEPLE, fill="none", stroke="#ffffff", stroke_width="5.5", stroke_linejoin="round",
        transform=turn, opacity="0.92")
    add(group, "path", d=_MEEPLE, fill=fill, stroke="#17130d", stroke_width="1.8", stroke_linejoin="round",
        transform=turn)
    if letter:
        words(group, -1.0 if lying else 0.0, 5.6 if lying else 6.6, seat_letters(seat + 1)[seat].upper(),
              16.0, anchor="middle", fill=ink, bold=True, class_="owner")
    return group
