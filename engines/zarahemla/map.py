"""The board of Zarahemla: places of hexes, corners and edges for drawings, and its symmetries (ZAR-2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from sfida.engines.data_files import packaged

# ---- The board of Zarahemla for drawings: places of hexes, corners and edges (ZAR-2)

SIDES = ("NE", "E", "SE", "SW", "W", "NW")          # order of a hex's edges in the data


@dataclass(frozen=True)
class Hexagon:
    """A hex: its middle on the integer lattice and on the sheet (side 1, y down), and its corners N, NE .. NW."""

    lattice: tuple[int, int]
    xy: tuple[float, float]
    corners: tuple[int, ...]


@dataclass(frozen=True)
class Corner:
    """A corner: its place on the integer lattice and on the sheet (hex side 1, y down)."""

    lattice: tuple[int, int]
    xy: tuple[float, float]


@dataclass(frozen=True)
class Edge:
    """An edge: its two corners, smaller id first, and its side of the shore ("" inland).

    Attributes
    ----------
    side : str
        "NE", "E", "SE", "SW", "W" or "NW": direction of the jungle from the edge's only hex.
    out : tuple of float
        Unit vector from the hex to the jungle; (0, 0) inland.
    """

    corners: tuple[int, int]
    xy: tuple[float, float]
    side: str
    out: tuple[float, float]


@dataclass(frozen=True)
class Board:
    """The 19 hexes, 54 corners and 72 edges by id."""

    hexes: tuple[Hexagon, ...]
    corners: tuple[Corner, ...]
    edges: tuple[Edge, ...]


def drawing_data() -> dict[str, Any]:
    """Return the data file of the game as written."""
    return packaged("sfida.engines.zarahemla")


def _place(x: int, y: int) -> tuple[float, float]:
    return x * math.sqrt(3) / 2, y / 2


@cache
def board() -> Board:
    """Return the board of the data file."""
    data = drawing_data()["board"]
    corners = tuple(Corner((c["X"], c["Y"]), _place(c["X"], c["Y"])) for c in data["corner"])
    hexes = []
    for entry in data["hex"]:
        middle = (2 * entry["q"] + entry["r"], 3 * entry["r"])
        hexes.append(Hexagon(middle, _place(*middle), tuple(entry["corners"])))
    edges = []
    for number, entry in enumerate(data["edge"]):
        first, second = entry["corners"]
        (ax, ay), (bx, by) = corners[first].xy, corners[second].xy
        xy = ((ax + bx) / 2, (ay + by) / 2)
        side, out = "", (0.0, 0.0)
        if entry["coastal"]:
            land = entry["hexes"][0]
            side = SIDES[data["hex"][land]["edges"].index(number)]
            dx, dy = xy[0] - hexes[land].xy[0], xy[1] - hexes[land].xy[1]
            out = dx / math.hypot(dx, dy), dy / math.hypot(dx, dy)
        edges.append(Edge((first, second), xy, side, out))
    return Board(tuple(hexes), corners, tuple(edges))


@cache
def hexes_at() -> tuple[tuple[int, ...], ...]:
    """Return the hexes around each corner."""
    return tuple(tuple(number for number, one in enumerate(board().hexes) if corner in one.corners)
                 for corner in range(len(board().corners)))


@cache
def next_to() -> tuple[frozenset[int], ...]:
    """Return the corners one path away from each corner."""
    return tuple(frozenset(sum(edge.corners) - corner for edge in board().edges if corner in edge.corners)
                 for corner in range(len(board().corners)))


@cache
def stations_at() -> Mapping[int, int]:
    """Return the number of the station at each corner that has one."""
    return {corner: number for number, row in enumerate(drawing_data()["station"]) for corner in row["corners"]}


@dataclass(frozen=True)
class Symmetry:
    """A rotation or reflection of the board: the hex, corner or edge that takes the place of each."""

    hexes: tuple[int, ...]
    corners: tuple[int, ...]
    edges: tuple[int, ...]


@cache
def symmetries() -> tuple[Symmetry, ...]:
    """Return the twelve symmetries of the board, stations aside; the identity comes first."""
    hexes = {one.lattice: number for number, one in enumerate(board().hexes)}
    corners = {one.lattice: number for number, one in enumerate(board().corners)}
    edges = {frozenset(one.corners): number for number, one in enumerate(board().edges)}
    found = []
    for mirror in (1, -1):
        for sixths in range(6):
            turned = partial(_turned, mirror=mirror, sixths=sixths)
            moved = tuple(corners[turned(one.lattice)] for one in board().corners)
            found.append(Symmetry(tuple(hexes[turned(one.lattice)] for one in board().hexes), moved,
                                  tuple(edges[frozenset(moved[end] for end in one.corners)] for one in board().edges)))
    return tuple(found)


def _turned(lattice: tuple[int, int], mirror: int, sixths: int) -> tuple[int, int]:
    """Return a point of the integer lattice reflected, then rotated by some sixths about the middle of the board."""
    x, y = mirror * lattice[0], lattice[1]
    for _ in range(sixths):
        x, y = (x - y) // 2, (3 * x + y) // 2
    return x, y


# ---- The places of the board of Zarahemla on the sheet

WIDE, SIDE = 800.0, 71.5                        # width of the sheet and length of a hex side, in units
TOP, HIGH = 48.0, 700.0                         # upper end and height of the board's frame
MIDDLE = (WIDE / 2, TOP + HIGH / 2)
UNIT = SIDE / 100                               # scale of the art, which is painted for a side of 100


def at(xy: tuple[float, float], far: float = 0.0, out: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """Return the place of a board point on the sheet, moved by `far` hex sides along `out`."""
    return MIDDLE[0] + SIDE * (xy[0] + far * out[0]), MIDDLE[1] + SIDE * (xy[1] + far * out[1])


def slope(edge: Edge) -> float:
    """Return the direction of an edge in degrees, from -90 to 90."""
    (ax, ay), (bx, by) = sorted(board().corners[corner].xy for corner in edge.corners)
    return math.degrees(math.atan2(by - ay, bx - ax)) if bx - ax > 1e-9 else 90.0
