"""Reading the pictures and the terminal views of games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[\d;]*m")


def bare(text: str) -> str:
    """Return a text without its colours."""
    return ANSI.sub("", text)


def with_class(root: ET.Element, name: str) -> list[ET.Element]:
    """Return the elements of a class, in the order of the document."""
    return [element for element in root.iter() if name in element.get("class", "").split()]


def one(root: ET.Element, name: str) -> ET.Element:
    """Return the only element of a class."""
    found = with_class(root, name)
    assert len(found) == 1
    return found[0]


def seat_of(root: ET.Element, seat: int, within: str) -> ET.Element:
    """Return the element of a seat in the only element of a class."""
    return next(e for e in with_class(one(root, within), "seat") if f"seat-{seat}" in e.get("class", "").split())


def texts(root: ET.Element) -> list[str]:
    """Return the visible lines of text."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def told(root: ET.Element) -> list[str]:
    """Return the visible lines of text and the tooltips."""
    return [element.text or "" for element in root.iter() if element.tag in (f"{SVG}text", f"{SVG}title")]


def inside(ring: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    """Return whether a point lies within a closed outline."""
    cuts = [ax + (bx - ax) * (y - ay) / (by - ay) for (ax, ay), (bx, by) in pairwise((*ring, ring[0]))
            if (ay <= y) != (by <= y)]
    return sum(cut < x for cut in cuts) % 2 == 1
