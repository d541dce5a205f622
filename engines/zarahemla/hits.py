"""Shapes of the hexes, edges and corners of Zarahemla, to be pointed at."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add, num, written
from sfida.engines.drawing.pointing import hit
from sfida.engines.zarahemla.geometry import board
from sfida.engines.zarahemla.layout import SIDE, UNIT, at, slope
from sfida.engines.zarahemla.places import place_key
from sfida.engines.zarahemla.terrain_art import HEX_PATH

_CORNER, _EDGE = 15.0, 26.0                     # radius of a corner, width of an edge


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
