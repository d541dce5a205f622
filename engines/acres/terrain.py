"""The map behind the board of A Few Acres of Snow: coast, lakes, rivers and the ways of the connections."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sfida.engines.acres.looks import Link, links, site_numbers, sites
from sfida.engines.data_files import packaged
from sfida.engines.drawing.outlines import Point, rough, smooth

Line = tuple[Point, ...]


def map_data() -> dict[str, Any]:
    """Return the file of the map as tables; not to be changed."""
    return packaged("sfida.engines.acres", "map.toml")


@cache
def sheet() -> tuple[float, float, float, float]:
    """Return left, top, width and height of the sheet on the data's canvas."""
    box = map_data()["sheet"]
    return float(box["left"]), float(box["top"]), float(box["right"] - box["left"]), float(box["bottom"] - box["top"])


def _ring(points: list[list[float]], key: str, much: float) -> Line:
    corners = [(float(x), float(y)) for x, y in points]
    return tuple(rough([*corners, corners[0]], key, much)[:-1])


@cache
def sea() -> Line:
    """Return the outline of the sea: the coast, and round by the margins."""
    coast = map_data()["coast"]
    beyond = [(float(x), float(y)) for x, y in coast["round"]]
    return (*rough([(float(x), float(y)) for x, y in coast["points"]], "coast", 0.13), *beyond)


@cache
def islands() -> tuple[Line, ...]:
    """Return the outlines of the islands."""
    return tuple(_ring(row["points"], row["name"], 0.12) for row in map_data()["island"])


@cache
def lakes() -> tuple[Line, ...]:
    """Return the outlines of the lakes."""
    return tuple(_ring(row["points"], row["name"], 0.12) for row in map_data()["lake"])


@cache
def streams() -> tuple[Line, ...]:
    """Return the rivers that are no connections."""
    return tuple(tuple(rough(smooth([(float(x), float(y)) for x, y in row["points"]], 4), row["name"], 0.1, levels=2))
                 for row in map_data()["stream"])


@cache
def ways() -> Mapping[Link, Line]:
    """Return the way of each connection of the board, from its lower site to its higher one."""
    given: dict[tuple[int, int], list[Point]] = {}
    for name, points in map_data()["way"].items():
        first, last = _ends(name)
        between = [(float(x), float(y)) for x, y in points]
        given[min(first, last), max(first, last)] = between if first < last else between[::-1]
    return {link: tuple(smooth([(sites()[link.a].x, sites()[link.a].y), *given.get((link.a, link.b), ()),
                                (sites()[link.b].x, sites()[link.b].y)], 8))
            for link in links()}


def _ends(name: str) -> tuple[int, int]:
    """Return the two sites that the name of a way consists of."""
    for first, number in site_numbers().items():
        second = name.removeprefix(f"{first}_")
        if second != name and second in site_numbers():
            return number, site_numbers()[second]
    raise ValueError(f"map.toml: '{name}' does not name two sites")


@cache
def regions() -> tuple[tuple[Mapping[str, str], tuple[int, ...]], ...]:
    """Return the regions, each one's names with its sites."""
    return tuple((row, tuple(site_numbers()[name] for name in row["sites"])) for row in map_data()["region"])
