"""A tint over the cities, roads and fields of the board in the colours of the seats that hold them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from xml.etree import ElementTree as ET

import numpy as np

from sfida.engines.carcassonne.art import city_paths, strip_path
from sfida.engines.carcassonne.faces import turned
from sfida.engines.carcassonne.grounds import GRID, ground
from sfida.engines.carcassonne.pieces import seat_colours
from sfida.engines.carcassonne.position import Position, majority
from sfida.engines.carcassonne.tiles import TileType
from sfida.engines.drawing.elements import add, moved, num

# Hundredths of a tile. Six lines cross a side, so that those of one, two or three seats run on from tile to tile.
_APART, _LINE, _DASH = 100 / (6 * math.sqrt(2)), 3.2, 9.0


def draw_holdings(root: ET.Element, position: Position, faces: Mapping[str, TileType],
                  corner: Callable[[int, int], tuple[float, float]], cell: float) -> None:
    """Tint every feature with followers in the colours of those with the most (CAR-7.11).

    Parameters
    ----------
    root : Element
    position : Position
    faces : mapping of str to TileType
        Tile types by code.
    corner : callable
        Returns the upper left corner of a cell of the board.
    cell : float
        Length of its sides.
    """
    held = [(one, seats) for one in position.features
            if one.kind != "monastery" and (seats := majority(one.followers))]
    group = add(root, "g", class_="holdings", fill="none")
    for seats in sorted({seats for _, seats in held}):
        _pattern(group, seats)
    for feature, seats in held:
        item = add(group, "g", class_=f"holding {feature.kind}", data_seats=" ".join(map(str, seats)))
        for number, segment in feature.segments:
            tile = position.tiles[number]
            x, y = corner(tile.x, tile.y)
            part = moved(item, x, y, cell / 100)
            outline = _outline(faces[tile.code], tile.rotation, segment)
            if feature.kind == "road":
                _draw_line(part, outline, seats)
            else:
                add(part, "path", d=outline, fill=f"url(#{_named(seats)})")


def _named(seats: tuple[int, ...]) -> str:
    return "car-held-" + "-".join(map(str, seats))


def _draw_line(parent: ET.Element, outline: str, seats: tuple[int, ...]) -> None:
    """Draw a line along a road, in dashes of several colours where seats share it."""
    for i, seat in enumerate(seats):
        shared = len(seats) > 1
        add(parent, "path", d=outline, stroke=seat_colours(seat)[0], stroke_width=3.6,
            stroke_dasharray=f"{num(_DASH)} {num(_DASH * (len(seats) - 1))}" if shared else None,
            stroke_dashoffset=num(-_DASH * i) if shared else None)


def _pattern(group: ET.Element, seats: tuple[int, ...]) -> None:
    """Define the hatching of one seat or of several that share."""
    wide = _APART * len(seats)
    pattern = add(group, "pattern", id=_named(seats), width=wide, height=wide, patternUnits="userSpaceOnUse",
                  patternTransform="rotate(45)")
    for i, seat in enumerate(seats):
        rgb, _ = seat_colours(seat)
        add(pattern, "rect", x=_APART * i, width=_APART, height=wide, fill=rgb, fill_opacity=0.14)
        add(pattern, "rect", x=_APART * i, width=_LINE, height=wide, fill=rgb, fill_opacity=0.6)


@cache
def _outline(tile: TileType, rotation: int, segment: int) -> str:
    """Return the ground of a segment on a turned tile, or the middle line of a road."""
    face = turned(tile, rotation)
    one = face.segments[segment]
    if one.kind == "city":
        return city_paths(face, one)[0]
    if one.kind == "road":
        return strip_path(face, one)
    step = 100 / GRID
    parts = []
    for y, row in enumerate(np.rot90(ground(tile), -rotation) == segment):
        start = None
        for x, own in enumerate([*row.tolist(), False]):
            if own and start is None:
                start = x
            elif not own and start is not None:
                parts.append(f"M{num(step * start)},{num(step * y)}h{num(step * (x - start))}v{num(step)}"
                             f"h{num(step * (start - x))}Z")
                start = None
    return "".join(parts)
