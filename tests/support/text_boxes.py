"""The positions of a picture's texts: measured in the letters of DejaVu, with all transforms applied.

A picture names DejaVu first, or second after a narrower font. `matplotlib` contains the metrics of its letters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import matplotlib
from matplotlib.ft2font import FT2Font, LoadFlags

from support.pictures import SVG

Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_FOLDER = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
_STYLES = ("font-family", "font-size", "font-weight", "font-style", "text-anchor", "letter-spacing")


class Box(NamedTuple):
    """A rectangle on the sheet."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Box, slack: float = 0.0) -> bool:
        """Return whether another box lies within this one, or exceeds it by no more than `slack`."""
        return (self.left - slack <= other.left and other.right <= self.right + slack
                and self.top - slack <= other.top and other.bottom <= self.bottom + slack)

    def shared(self, other: Box) -> float:
        """Return the depth by which two boxes overlap; negative if they are apart."""
        return min(min(self.right, other.right) - max(self.left, other.left),
                   min(self.bottom, other.bottom) - max(self.top, other.top))


class Written(NamedTuple):
    """A text and its position.

    Attributes
    ----------
    text : str
    box : Box
        Box of the ink of its letters.
    size : float
        Size of the letters on the sheet.
    frame : Box
        The rectangle around the text: the smallest one drawn before it that contains its middle, the last of equal
        ones; or the sheet. Rectangles of parts that `set_knowledge` repeats are ornaments and do not count.
    """

    text: str
    box: Box
    size: float
    frame: Box


# ---- letters ------------------------------------------------------------------------------------------


@cache
def _font(serif: bool, bold: bool, italic: bool) -> FT2Font:
    slanted = ("Italic" if serif else "Oblique") if italic else ""
    look = ("Bold" if bold else "") + slanted
    return FT2Font(str(_FOLDER / f"DejaVu{'Serif' if serif else 'Sans'}{'-' + look if look else ''}.ttf"))


@cache
def _letter(char: str, serif: bool, bold: bool, italic: bool) -> tuple[float, Box]:
    """Return a letter's advance, and its ink around the pen, y down, as shares of the font size."""
    font = _font(serif, bold, italic)
    glyph = font.load_char(ord(char), flags=LoadFlags.NO_SCALE)
    left, low, right, high = (value / font.units_per_EM for value in glyph.bbox)
    return glyph.horiAdvance / font.units_per_EM, Box(left, -high, right, -low)


def ink(text: str, style: dict[str, str]) -> Box:
    """Return the box of a text's ink relative to the point at which the text is written."""
    size = float(style.get("font-size", "16"))
    look = ("Serif" in style.get("font-family", ""), style.get("font-weight") == "bold",
            style.get("font-style") in ("italic", "oblique"))
    space = float(style.get("letter-spacing", "0")) / size
    pen, boxes = 0.0, []
    for char in " ".join(text.split()):
        step, (left, top, right, bottom) = _letter(char, *look)
        if char != " ":
            boxes.append(Box(pen + left, top, pen + right, bottom))
        pen += step + space
    start = {"middle": -pen / 2, "end": -pen}.get(style.get("text-anchor", "start"), 0.0)
    return Box(size * (start + min(box.left for box in boxes)), size * min(box.top for box in boxes),
               size * (start + max(box.right for box in boxes)), size * max(box.bottom for box in boxes))


# ---- places -------------------------------------------------------------------------------------------


def _times(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f


def _matrix(text: str) -> Matrix:
    """Read the value of a `transform`."""
    found = SAME
    for name, values in re.findall(r"(\w+)\(([^)]*)\)", text):
        numbers = [float(value) for value in re.split(r"[\s,]+", values.strip())]
        if name == "translate":
            found = _times(found, (1, 0, 0, 1, numbers[0], numbers[1] if len(numbers) > 1 else 0.0))
        elif name == "scale":
            found = _times(found, (numbers[0], 0, 0, numbers[-1], 0, 0))
        elif name == "rotate":
            cos, sin = math.cos(math.radians(numbers[0])), math.sin(math.radians(numbers[0]))
            x, y = numbers[1:] or (0.0, 0.0)
            for part in ((1, 0, 0, 1, x, y), (cos, sin, -sin, cos, 0, 0), (1, 0, 0, 1, -x, -y)):
                found = _times(found, part)
        else:
            raise ValueError(f"unknown transform {name}")
    return found


def _moved(box: Box, by: Matrix) -> Box:
    a, b, c, d, e, f = by
    places = [(a * x + c * y + e, b * x + d * y + f) for x in (box.left, box.right) for y in (box.top, box.bottom)]
    return Box(min(x for x, _ in places), min(y for _, y in places),
               max(x for x, _ in places), max(y for _, y in places))


def _number(element: ET.Element, name: str) -> float:
    return float(element.get(name, "0"))


def _drawn(element: ET.Element, named: dict[str, ET.Element], at: Matrix, style: dict[str, str], kinds: tuple[str, ...],
           ) -> Iterator[tuple[ET.Element, Matrix, dict[str, str]]]:
    """Yield elements of some kinds as they are painted, and the texts that `set_knowledge` repeats."""
    tag = element.tag.removeprefix(SVG)
    if tag == "defs":
        return
    at = _times(at, _matrix(element.get("transform", "")))
    style = style | {name: element.attrib[name] for name in _STYLES if name in element.attrib}
    if tag in kinds:
        yield element, at, style
    elif tag == "use":
        at = _times(at, (1, 0, 0, 1, _number(element, "x"), _number(element, "y")))
        yield from _drawn(named[element.attrib["href"].removeprefix("#")], named, at, style, ("text",))
    else:
        for child in element:
            yield from _drawn(child, named, at, style, kinds)


def texts_of(document: str) -> list[Written]:
    """Return the texts of a picture in the order in which they are painted.

    Parameters
    ----------
    document : str
        A picture as `board_svg` draws it: plain lines of text, moved, scaled or turned by groups.
    """
    root = ET.fromstring(document)
    named = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    frames = [Box(left, top, left + wide, top + high)]
    found = []
    for element, at, style in _drawn(root, named, SAME, {}, ("text", "rect")):
        x, y = _number(element, "x"), _number(element, "y")
        if element.tag == f"{SVG}rect":
            box = Box(x, y, x + _number(element, "width"), y + _number(element, "height"))
            frames.append(_moved(box, at))
        elif element.text and element.text.strip():
            box = _moved(ink(element.text, style), _times(at, (1, 0, 0, 1, x, y)))
            size = float(style["font-size"]) * math.hypot(at[0], at[1])
            found.append(Written(element.text, box, size, _frame_of(box, frames)))
    return found


def _frame_of(text: Box, frames: list[Box]) -> Box:
    """Return the frame of a text; the first of the frames is the sheet."""
    x, y = (text.left + text.right) / 2, (text.top + text.bottom) / 2
    around = [one for one in frames[::-1] if one[0] <= x <= one[2] and one[1] <= y <= one[3]]
    return min(around, key=lambda one: round((one.right - one.left) * (one.bottom - one.top)), default=frames[0])


# ---- faults of texts ----------------------------------------------------------------------------------


def overlapping(texts: list[Written], slack: float = 0.08) -> list[tuple[str, str]]:
    """Return the pairs of texts whose ink overlaps by more than a share of the smaller letters."""
    found = []
    ordered = sorted(texts, key=lambda one: one.box.left)
    for number, a in enumerate(ordered):
        right = a.box.right
        for b in islice(ordered, number + 1, None):
            if b.box.left >= right:                     # no later text overlaps either
                break
            if a.box.shared(b.box) > slack * min(a.size, b.size):
                found.append((a.text, b.text))
    return found


def outside(texts: list[Written], slack: float = 0.08) -> list[str]:
    """Return the texts that exceed their frame by more than a share of their letters."""
    return [one.text for one in texts if not one.frame.holds(one.box, slack * one.size)]
