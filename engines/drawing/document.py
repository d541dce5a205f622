"""The frame of a picture: a sheet that grows with what stands on it, and places for parts that are written once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add, document_text, num, title
from sfida.engines.drawing.lettering import SANS


@dataclass(frozen=True)
class Sheet:
    """A picture that is being drawn.

    Attributes
    ----------
    root : Element
        Everything is drawn into it.
    ground : Element
        The rectangle behind everything.
    wide : float
        Width in units of the drawing.
    size : int
        Width in pixels.
    """

    root: ET.Element
    ground: ET.Element
    wide: float
    size: int


def new_sheet(name: str, wide: float, size: int, fill: str) -> Sheet:
    """Return an empty sheet with a place for "symbols", what the picture uses more than once.

    Parameters
    ----------
    name : str
        What the picture shows, for who cannot see it.
    wide, size
        As in `Sheet`.
    fill : str
        Colour of the ground.
    """
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": str(size), "font-family": SANS,
                              "role": "img"})
    title(root, name)
    keep_place(add(root, "defs"), "symbols")
    return Sheet(root, add(root, "rect", width=wide, height=1.0, fill=fill), wide, size)


def keep_place(parent: ET.Element, name: str) -> None:
    """Keep a place for a part that `write` puts in: parts that many pictures share are written once."""
    parent.append(ET.Comment(name))


def write(sheet: Sheet, height: float, parts: Mapping[str, str]) -> str:
    """Return the document.

    Parameters
    ----------
    sheet : Sheet
    height : float
        Where the drawing ends, in its units.
    parts : mapping of str to str
        Written elements by the names of their places.

    Returns
    -------
    str
        A well-formed document without outside resources, as long as the parts are.
    """
    sheet.ground.set("height", num(height))
    sheet.root.set("height", num(height * sheet.size / sheet.wide))
    sheet.root.set("viewBox", f"0 0 {num(sheet.wide)} {num(height)}")
    document = document_text(sheet.root)
    for name, drawn in parts.items():
        document = document.replace(f"<!--{name}-->", drawn)
    return document
