"""Places of Zarahemla that can be pointed at: what names them, and the shapes of those on the land."""

from __future__ import annotations

import math
from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add, num, written
from sfida.engines.drawing.pointing import hit
from sfida.engines.zarahemla.geometry import Edge, board
from sfida.engines.zarahemla.looks import RESOURCES
from sfida.engines.zarahemla.terrain_art import HEX_PATH

WIDE, SIDE = 800.0, 71.5                        # the sheet is drawn 800 units wide, a hex side is 71.5 of them
TOP, HIGH = 48.0, 700.0                         # the frame of the board
MIDDLE = (WIDE / 2, TOP + HIGH / 2)
UNIT = SIDE / 100                               # the art is painted for a side of 100
DICE, DECK, TEMPLE = "dice", "deck", "temple"   # what names the plates in the corners of the frame
_CORNER, _EDGE = 15.0, 26.0                     # radius of a corner, width of an edge

CORNER_KINDS = ("settle", "city", "choose_start")


def place_key(kind: str, number: int) -> str:
    """Return what names a "corner", an "edge", a "hex" or a "seat"."""
    return f"{kind}:{number}"


def hand_key(resource: int) -> str:
    """Return what names a resource in the mover's hand."""
    return f"hand:{RESOURCES[resource]}"


def bank_key(resource: int) -> str:
    """Return what names a resource in the bank."""
    return f"bank:{RESOURCES[resource]}"


def card_key(name: str) -> str:
    """Return what names a development card of the mover, given by its id in the data."""
    return f"card:{name}"


def at(xy: tuple[float, float], far: float = 0.0, out: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """Return where a point of the board lies on the sheet, moved `far` hex sides along `out`."""
    return MIDDLE[0] + SIDE * (xy[0] + far * out[0]), MIDDLE[1] + SIDE * (xy[1] + far * out[1])


def slope(edge: Edge) -> float:
    """Return the direction of an edge in degrees, from -90 to 90."""
    (ax, ay), (bx, by) = sorted(board().corners[corner].xy for corner in edge.corners)
    return math.degrees(math.atan2(by - ay, bx - ax)) if bx - ax > 1e-9 else 90.0


@cache
def land_hits() -> str:
    """Write the shapes of the hexes, over them those of the edges, over both those of the corners."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for number, place in enumerate(board().hexes):
        x, y = at(place.xy)
        hit(group, place_key("hex", number), "path", d=HEX_PATH,
            transform=f"translate({num(x)} {num(y)}) scale({num(0.9 * UNIT)})")
    long = SIDE - 2 * _CORNER
    for number, edge in enumerate(board().edges):
        x, y = at(edge.xy)
        hit(group, place_key("edge", number), "rect", x=-long / 2, y=-_EDGE / 2, width=long, height=_EDGE, rx=9.0,
            transform=f"translate({num(x)} {num(y)}) rotate({num(slope(edge))})")
    for number, corner in enumerate(board().corners):
        x, y = at(corner.xy)
        hit(group, place_key("corner", number), "circle", cx=x, cy=y, r=_CORNER)
    return written(root)
