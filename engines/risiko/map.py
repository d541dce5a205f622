"""The map of the world behind the board of RisiKo!: outlines of the territories, borders and sea lines on the sheet.

The sheet is 1000 units wide and 652 high, y down. The projection, too, is drawn by hand: it gives Europe enough room
for its seven territories.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from sfida.engines.data_files import packaged
from sfida.engines.drawing.svg import Point, path, rough

Ring = tuple[Point, ...]

WIDE, HIGH = 1000.0, 652.0

# Longitude to x north of 45 degrees and near the equator, latitude to y; linear between the knots.
_NORTH = ((-175, 26), (-141, 106), (-109, 196), (-95, 238), (-75, 292), (-55, 338), (-25, 392), (-10, 416), (8, 482),
          (25, 556), (40, 606), (60, 668), (85, 748), (110, 818), (135, 884), (160, 936), (192, 990))
_SOUTH = ((-120, 138), (-80, 246), (-70, 272), (-50, 328), (-35, 378), (-17, 424), (10, 512), (40, 600), (52, 638),
          (70, 688), (95, 760), (120, 842), (140, 908), (155, 968), (180, 998))
_DOWN = ((-56, 640), (-46, 620), (-40, 604), (-30, 576), (-20, 544), (-10, 510), (0, 474), (10, 434), (20, 393),
         (30, 350), (36, 321), (42, 282), (48, 240), (54, 196), (60, 154), (66, 114), (72, 76), (78, 42), (84, 10))


def _between(knots: tuple[tuple[int, int], ...], value: float) -> float:
    (a, u), (b, v) = next((pair for pair in pairwise(knots) if value <= pair[1][0]), knots[-2:])
    return u + (v - u) * (value - a) / (b - a)


def project(longitude: float, latitude: float) -> Point:
    """Return the point on the sheet of a place on the globe."""
    north = min(1.0, max(0.0, (latitude - 5) / 40))
    x = north * _between(_NORTH, longitude) + (1 - north) * _between(_SOUTH, longitude)
    return x, _between(_DOWN, latitude)


@dataclass(frozen=True)
class Land:
    """A territory on the sheet.

    Attributes
    ----------
    rings : tuple of Ring
        Closed outlines: the mainland first, then islands.
    spot : Point
        Place of the armies.
    """

    rings: tuple[Ring, ...]
    spot: Point


def world_data() -> dict[str, Any]:
    """Return the file of the map as tables; do not change them."""
    return packaged("sfida.engines.risiko", "world.toml")


# ---- lines ------------------------------------------------------------------------------------------


@cache
def _lines() -> dict[str, list[Point]]:
    """Return the lines of the map on the sheet: coasts rough, borders smoother."""
    uses = Counter(name for names in world_data()["outline"].values() for name in names)
    return {name: rough([project(*point) for point in points], name, 0.13 if uses[name] == 1 else 0.07)
            for name, points in world_data()["line"].items()}


def _joined(names: list[str]) -> Ring:
    """Return the ring of some lines, each reversed if necessary so that it begins at the end of the previous one."""
    lines = [_lines()[name] for name in names]
    first = lines[0] if lines[0][-1] in (lines[1][0], lines[1][-1]) else lines[0][::-1]
    ring = first[:-1]
    end = first[-1]
    for name, line in zip(names[1:], lines[1:], strict=True):
        turned = line if line[0] == end else line[::-1]
        if turned[0] != end:
            raise ValueError(f"world.toml: line {name} does not begin where the one before it ends")
        ring += turned[:-1]
        end = turned[-1]
    if end != ring[0]:
        raise ValueError(f"world.toml: the outline that begins with {names[0]} is not closed")
    return tuple(ring)


def _island(island: dict[str, Any], number: int) -> Ring:
    points = [project(*point) for point in island["points"]]
    grow = float(island.get("grow", 1.0))
    mx, my = (sum(values) / len(points) for values in zip(*points, strict=True))
    points = [(mx + grow * (x - mx), my + grow * (y - my)) for x, y in points]
    return tuple(rough([*points, points[0]], f"island {number}", 0.1)[:-1])


# ---- data for the pictures ----------------------------------------------------------------------------


@cache
def lands() -> dict[str, Land]:
    """Return the territories on the sheet, by their ids in the data."""
    rings: dict[str, list[Ring]] = {name: [_joined(lines)] for name, lines in world_data()["outline"].items()}
    for number, island in enumerate(world_data()["island"]):
        rings.setdefault(island["of"], []).append(_island(island, number))
    spots = world_data()["spot"]
    return {name: Land(tuple(found), project(*spots[name])) for name, found in rings.items()}


def outline(name: str) -> str:
    """Return the outline of a territory as path data."""
    return "".join(path(ring, closed=True) for ring in lands()[name].rings)


@cache
def lakes() -> tuple[Ring, ...]:
    """Return the lakes on the sheet."""
    return tuple(tuple(rough([project(*p) for p in (*lake["points"], lake["points"][0])], f"lake {number}", 0.1)[:-1])
                 for number, lake in enumerate(world_data()["lake"]))


@cache
def frontiers() -> tuple[tuple[str, str, tuple[Point, ...]], ...]:
    """Return the borders on land: two territories and the line between them."""
    sides: dict[str, list[str]] = {}
    for name, lines in world_data()["outline"].items():
        for line in lines:
            sides.setdefault(line, []).append(name)
    return tuple((names[0], names[1], tuple(_lines()[line])) for line, names in sides.items() if len(names) == 2)


def sea_line(a: str, b: str) -> tuple[tuple[Point, ...], ...]:
    """Return the parts of the sea line between two territories, from a to b; land is drawn over the line."""
    own = world_data()["sea"]
    if f"{a}_{b}" in own:
        return tuple(tuple(project(*point) for point in part) for part in own[f"{a}_{b}"])
    if f"{b}_{a}" in own:
        return tuple(tuple(project(*point) for point in reversed(part)) for part in reversed(own[f"{b}_{a}"]))
    return ((lands()[a].spot, lands()[b].spot),)


def plate(continent: str) -> Point:
    """Return the middle of the plate of a continent."""
    x, y = world_data()["plate"][continent]
    return float(x), float(y)
