"""Boxes below the board of a picture, with what they say about the seats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add, num
from sfida.engines.language import _


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


def seat_box(parent: ET.Element, x: float, y: float, wide: float, high: float, look: BoxLook, rgb: str, outline: str, *,
             stripe: float = 6.0, class_: str | None = None) -> tuple[ET.Element, ET.Element]:
    """Draw the box of a seat with a stripe of its colour, `stripe` wide and of class `class_`; return both."""
    back = box(parent, x, y, wide, high, look)
    edge = add(parent, "rect", x=x + 1, y=y + 1, width=stripe, height=high - 2, rx=3.0, fill=rgb, stroke=outline,
               stroke_width=0.8, class_=class_)
    return back, edge


def seat_notes(seat: int, viewer: int | None, mover: int, on_turn: int, ending: str | None = None) -> list[str]:
    """Return what is said of a seat.

    Parameters
    ----------
    seat : int
    viewer : int, optional
        Is told that it is "you".
    mover, on_turn : int
        Seats; who moves is "to move", else who is on turn is "on turn".
    ending : str, optional
        What the end of the game makes of the seat, in place of these; None while the game runs.
    """
    turn = _("to move") if seat == mover else _("on turn") if seat == on_turn else ""
    return [note for note in (_("you") if seat == viewer else "", turn if ending is None else ending) if note]
