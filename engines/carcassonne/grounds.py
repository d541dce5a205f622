"""Which segment every bit of a tile's face belongs to in the picture, and where a follower stands best on it."""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfida.engines.carcassonne.faces import city_at, monastery_spot, strip_distance, turned
from sfida.engines.carcassonne.tiles import TileType

GRID = 32                               # bits along a side of a tile
NOTHING = -1                            # a village, and what no field reaches
_ROAD, _RIVER, _VILLAGE, _POND = 0.055, 0.12, 0.14, 0.31
_SEEDS = ((0.25, 0.01), (0.75, 0.01), (0.99, 0.25), (0.99, 0.75), (0.75, 0.99), (0.25, 0.99), (0.01, 0.75),
          (0.01, 0.25))                 # where half edges lie
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
# Half the width and height of a follower; a monastery round its place, as (left, top, right, bottom).
_BROAD, _HIGH = 0.2, 0.19
_HOUSE = (-0.22, -0.26, 0.2, 0.15)
_BODY = np.array([(x / 3, y / 3) for x, y in product(range(-3, 4), repeat=2) if x * x + y * y <= 10])
_RIM = 8                                # bits beyond a tile that a follower may reach
_SCALES = (1.0, 0.88, 0.76)

Cell = tuple[int, int]
Ground = NDArray[np.int64]


class Footing(NamedTuple):
    """Where a follower stands on a tile, and how large it is drawn."""

    u: float
    v: float
    scale: float


@cache
def ground(tile: TileType) -> Ground:
    """Return the number of the segment at every bit of a tile that lies unturned, by row and column."""
    bits = {(x, y): _at(tile, (x + 0.5) / GRID, (y + 0.5) / GRID) for x, y in product(range(GRID), repeat=2)}
    queue = [((int(u * GRID), int(v * GRID)), number) for number, segment in enumerate(tile.segments)
             for u, v in (_SEEDS[half] for half in segment.half_edges)]
    for cell, number in queue:                          # grows while it is walked
        if cell in bits and bits[cell] is None:
            bits[cell] = number
            queue += [((cell[0] + dx, cell[1] + dy), number) for dx, dy in _STEPS]
    found = np.full((GRID, GRID), NOTHING)
    for (x, y), own in bits.items():
        found[y, x] = NOTHING if own is None else own
    return found


def _at(tile: TileType, u: float, v: float) -> int | None:
    """Return the city, road or river at a point, `NOTHING` in a village; None on a field."""
    city = city_at(tile, u, v)
    if city is not None:
        return city
    middle = math.hypot(u - 0.5, v - 0.5)
    for number, segment in enumerate(tile.segments):
        if segment.kind == "road" and segment.ends_in == "crossing" and middle < _VILLAGE:
            return NOTHING
        if segment.kind == "river" and segment.ends_in == "lake" and middle < _POND:
            return number
    for kind, broad in (("road", _ROAD), ("river", _RIVER)):        # roads lead over rivers
        for number, segment in enumerate(tile.segments):
            if segment.kind == kind and strip_distance(tile, segment, u, v) < broad:
                return number
    return None


@cache
def footing(tile: TileType, rotation: int, segment: int) -> Footing:
    """Return where the follower of a segment stands on a tile after `rotation` quarter turns clockwise.

    The largest follower is taken that leaves rivers, walls and houses free, near the place that the data give.
    """
    bits = np.rot90(ground(tile), -rotation)
    face = turned(tile, rotation)
    home, house = face.segments[segment].xy, monastery_spot(face)
    u, v = (grid.ravel() for grid in np.meshgrid(np.arange(2, 23) / 24, np.arange(2, 23) / 24))
    if face.segments[segment].kind == "monastery":      # in front of the house
        far = np.hypot(u - home[0], v - home[1])
        barred = (far < 0.2) | (far > 0.4) | (v < home[1])
    else:
        barred = bits[(v * GRID).astype(int), (u * GRID).astype(int)] != segment
    away = 1.2 * np.hypot(u - home[0], v - home[1]) + 99.0 * barred
    prices = _prices(face, bits, segment, house)
    found: list[tuple[float, Footing]] = []
    for scale in _SCALES:
        columns = np.floor((u[:, None] + _BROAD * scale * _BODY[:, 0]) * GRID).astype(int) + _RIM
        rows = np.floor((v[:, None] + _HIGH * scale * _BODY[:, 1]) * GRID).astype(int) + _RIM
        costs = prices[rows, columns].sum(axis=1) + away
        best = int(np.argmin(costs))
        found.append((float(costs[best]), Footing(float(u[best]), float(v[best]), scale)))
    least = min(cost for cost, _ in found)
    return next(at for cost, at in found if cost <= least + 0.25)


def _prices(face: TileType, bits: Ground, segment: int, house: tuple[float, float] | None) -> NDArray[np.float64]:
    """Return what it costs to cover a bit of a turned tile, or one of `_RIM` bits beyond its sides."""
    kind = face.segments[segment].kind
    of = {"river": 0.3, "city": 0.3, "road": 0.1, "field": {"monastery": 0.02, "road": 0.02}.get(kind, 0.12)}
    price = [of.get(one.kind, 0.0) for one in face.segments]
    price[segment] = 0.0
    inner = np.array([*price, 0.15])[bits]              # the last is for `NOTHING`
    if house is not None:
        x, y = ((np.arange(GRID) + 0.5) / GRID - at for at in house)
        left, top, right, bottom = _HOUSE
        built = np.outer((top < y) & (y < bottom), (left < x) & (x < right))
        inner = inner + (0.1 if kind == "monastery" else 0.3) * built
    beyond = np.where(np.pad(bits, _RIM, mode="edge") == segment, 0.06 if kind == "city" else 0.3, 0.3)
    beyond[_RIM:-_RIM, _RIM:-_RIM] = inner
    return beyond
