"""The ground of a map of Attila as the picture draws it: outlines of provinces, and where things stand on them.

`outlines` computes both with numpy. The drawing of the built-in map is kept beside this file, so that pages with it
need no numpy.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from sfida.engines.attila.map import Land
from sfida.engines.drawing.svg import Point

Ring = tuple[Point, ...]
Part = tuple[float, float, float, float]


@dataclass(frozen=True)
class Terrain:
    """Outlines on the map, closed; the same points on both sides of a border.

    Attributes
    ----------
    provinces : tuple of tuple of Ring
        By province, largest first.
    islands : tuple of tuple of Ring
        By island of the map (ATT-1.12).
    wilds : tuple of Ring
        Where the tribes come from: ground beyond the start provinces.
    rocks : tuple of Ring
        Mountains between provinces that are not adjacent.
    peaks : tuple of Point
        Where summits stand in them.
    tints : tuple of int
        A number from 0 to 5 a province; neighbours differ.
    span : float
        Length of a usual step between neighbours: what sizes on the map follow.
    seas : tuple of (Point, float)
        Middle and radius of the widest stretches of open sea, widest first, three at most.
    heart : (Point, float), or None
        Middle and radius of the widest stretch of the wilds.
    crossings : tuple of (Point, Point)
        By water link of the map, in order: where its arrow leaves one land and reaches the other.
    """

    provinces: tuple[tuple[Ring, ...], ...]
    islands: tuple[tuple[Ring, ...], ...]
    wilds: tuple[Ring, ...]
    rocks: tuple[Ring, ...]
    peaks: tuple[Point, ...]
    tints: tuple[int, ...]
    span: float
    seas: tuple[tuple[Point, float], ...]
    heart: tuple[Point, float] | None
    crossings: tuple[tuple[Point, Point], ...]


class Order(NamedTuple):
    """How name, tokens and tile are arranged, in units round the middle.

    Attributes
    ----------
    places : tuple of tuple of Point
        By number of tokens less one: where they stand.
    mark : Point
        Where the tile of peace or the swords of a conflict lie.
    parts : tuple of Part
        The ground they take, as (left, top, right, bottom), without the name.
    """

    places: tuple[tuple[Point, ...], ...]
    mark: Point
    parts: tuple[Part, ...]


class Stand(NamedTuple):
    """Where the middle of what is on a province lies on the map, how large it is, and how it is arranged."""

    x: float
    y: float
    size: float
    order: Order


_FEW = (((0, 6),), ((-12, 6), (12, 6)), ((-12, 2), (12, 2), (0, 28)), ((-12, 2), (12, 2), (-12, 28), (12, 28)))
_ROWS = (*_FEW, ((-23, 2), (0, 2), (23, 2), (-12, 28), (12, 28)))
_BLOCK = ((-35, -15, 35, 16), (-24, 16, 24, 42))
ORDERS = (
    Order(_ROWS, (-31.5, -34), ((-41, -45, 19, -25), *_BLOCK)),
    Order(_ROWS, (31.5, -34), ((-19, -45, 41, -25), *_BLOCK)),
    Order((*_FEW[:2], ((-12, 2), (12, 2), (-12, 28)), ((-23, 2), (0, 2), (23, 2), (-12, 28)),
           ((-23, 2), (0, 2), (23, 2), (-23, 28), (0, 28))), (23, 30), ((-19, -38, 19, -25), (-35, -15, 35, 42))),
    Order((*_FEW[:2], ((-12, 2), (12, 2), (12, 28)), ((-12, 2), (12, 2), (12, 28), (12, 54)),
           ((-12, 2), (12, 2), (12, 28), (-12, 54), (12, 54))), (-12, 29), ((-19, -38, 19, -25), (-24, -15, 24, 68))))


WIDE = 1000.0                           # width of the map on the sheet


def scale(land: Land) -> float:
    """Return how much the map grows to fill its place on the sheet."""
    return WIDE / land.wide


def size(land: Land, ground: Terrain | None = None) -> float:
    """Return the size in which pieces and names on a map are drawn; 1 where neighbours are 100 units apart."""
    return min(1.35, max(0.5, (ground or terrain(land)).span * scale(land) / 100))


@lru_cache(maxsize=16)
def terrain(land: Land) -> Terrain:
    """Return the outlines of a map."""
    if digest(land) == _prepared()["land"]:
        return Terrain(**{name: _tuples(value) for name, value in _prepared()["terrain"].items()})
    from sfida.engines.attila.outlines import outlines  # with numpy

    return outlines(land)


@lru_cache(maxsize=16)
def stands(land: Land, spoken: str) -> tuple[Stand, ...]:
    """Return where the provinces of a map have room.

    Parameters
    ----------
    land : Land
    spoken : str
        The language that is spoken: the length of the names depends on it.

    Returns
    -------
    tuple of Stand
        By province: the largest size that fits within its borders, in the middle of the places where it does; the
        middle of the province, small, where nothing fits.
    """
    if digest(land) == _prepared()["land"]:
        return tuple(Stand(x, y, drawn, ORDERS[order]) for x, y, drawn, order in _prepared()["stands"][spoken])
    from sfida.engines.attila.outlines import places

    return places(land, terrain(land))


def digest(land: Land) -> str:
    """Return 16 hex digits that name a map."""
    return hashlib.blake2b(repr(land).encode(), digest_size=8).hexdigest()


@cache
def _prepared() -> dict[str, Any]:
    """Return the drawing of the built-in map."""
    found: dict[str, Any] = json.loads(resources.files(__package__).joinpath("terrain.json").read_text("utf-8"))
    return found


def _tuples(value: Any) -> Any:
    """Return nested lists as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
