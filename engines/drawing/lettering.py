"""Lines of text in pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from sfida.engines.drawing.svg import add

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
    slant = {"font_style": "italic"} if italic else {}
    rim: dict[str, object] = {} if halo is None else {"stroke": halo, "stroke_width": 0.27 * size,
                                                      "stroke_linejoin": "round", "paint_order": "stroke"}
    element = add(parent, "text", class_=class_, x=float(x), y=float(y), font_size=float(size), fill=fill,
                  text_anchor=None if anchor == "start" else anchor, font_weight="bold" if bold else None,
                  **slant, font_family=SERIF if serif else None, **more, **rim)
    element.text = text
    return element
