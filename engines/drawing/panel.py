"""Boxes below the board of a picture, with what they say about the seats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sfida.engines.drawing.svg import add, num


class BoxLook(NamedTuple):
    """How a box is painted: inside, line, and how thick the line is."""

    fill: str
    line: str
    stroke: float


FAINT, NOTES = "#84755a", "#8a6508"                     # letters of heads, and of what is said of a seat
PLAIN = BoxLook("#fbf6e9", "#cdbd97", 1.2)
LIT = BoxLook("#fff3b8", "#c79a1d", 2.4)                # of the seat to move, or of the winner


def box(parent: ET.Element, x: float, y: float, wide: float, high: float, look: BoxLook = PLAIN, *,
        round_: float = 7.0) -> ET.Element:
    """Draw a box with round corners from its upper left one."""
    return add(parent, "rect", x=float(x), y=float(y), width=float(wide), height=float(high), rx=round_, fill=look.fill,
               stroke=look.line, stroke_width=look.stroke)


def repaint(element: ET.Element, look: BoxLook) -> None:
    """Paint a box anew."""
    for name, value in (("fill", look.fill), ("stroke", look.line), ("stroke-width", num(look.stroke))):
        element.set(name, value)


def spaced(parts: Iterable[str]) -> str:
    """Return what explains the marks of a picture as one line."""
    return "  ·  ".join(parts)
