"""Lines of text in pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import as_texts, num

SERIF = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"
SANS = "'DejaVu Sans', Verdana, Arial, sans-serif"


def say(parent: ET.Element, x: float, y: float, text: str, size: float, *, fill: str, anchor: str = "start",
        bold: bool = False, serif: bool = False, italic: bool = False, halo: str | None = None,
        class_: str | None = None, **more: object) -> ET.Element:
    """Write a line of text; a game binds `fill` to the colour of its ink.

    Parameters
    ----------
    parent : Element
    x, y : float
        Where the line begins, has its middle or ends; y is its base line.
    text : str
    size : float
        Of the letters.
    fill : str
        Colour of the letters.
    anchor : str
        "start", "middle" or "end".
    bold, serif, italic : bool
    halo : str, optional
        Colour of a rim round the letters.
    class_ : str, optional
    **more
        Further attributes, as of `add`.
    """
    look = {} if class_ is None else {"class": class_}
    look |= {"x": num(x), "y": num(y), "font-size": num(size), "fill": fill}
    if anchor != "start":
        look["text-anchor"] = anchor
    if bold:
        look["font-weight"] = "bold"
    if italic:
        look["font-style"] = "italic"
    if serif:
        look["font-family"] = SERIF
    if more:
        look |= as_texts(more)
    if halo is not None:
        look |= {"stroke": halo, "stroke-width": num(0.27 * size), "stroke-linejoin": "round", "paint-order": "stroke"}
    element = ET.SubElement(parent, "text", look)
    element.text = text
    return element
