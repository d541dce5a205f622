"""Elements of SVG documents, appended and written so that equal positions give equal documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

_SPECIAL = re.compile(r'[&<>"\r\n\t]')
_IN_VALUES = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}


def num(value: float) -> str:
    """Write a coordinate: two decimals at most, no trailing zeros, so that documents never differ."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def as_texts(attributes: Mapping[str, object]) -> dict[str, str]:
    """Return attributes as they are written; see `add`."""
    return {_hyphened(name): num(value) if isinstance(value, float) else str(value)
            for name, value in attributes.items() if value is not None}


@cache
def _hyphened(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def add(parent: ET.Element, tag: str, **attributes: object) -> ET.Element:
    """Append an element; underscores in names become hyphens, numbers are rounded, None is left out."""
    return ET.SubElement(parent, tag, as_texts(attributes))


def moved(parent: ET.Element, x: float, y: float, scale: float = 1.0, **attributes: object) -> ET.Element:
    """Append a group whose origin lies at (x, y)."""
    grown = "" if scale == 1.0 else f" scale({scale:.4g})"
    return add(parent, "g", **attributes, transform=f"translate({num(x)} {num(y)}){grown}")


def title(parent: ET.Element, text: str) -> None:
    """Give an element the text that is shown when a pointer rests on it."""
    ET.SubElement(parent, "title").text = text


def written(parent: ET.Element) -> str:
    """Return what an element holds as text, without the element itself: to be kept, and put into documents."""
    return "".join(map(document_text, parent))


def document_text(root: ET.Element) -> str:
    """Write an element as `ElementTree.tostring` does, in less than half its time: no name here has a namespace."""
    pieces: list[str] = []
    _write(root, pieces.append)
    return "".join(pieces)


def _write(element: ET.Element, put: Callable[[str], object]) -> None:
    tag, text = element.tag, element.text
    if isinstance(tag, str):
        start = tag + "".join([f' {name}="{escape(value, _IN_VALUES) if _SPECIAL.search(value) else value}"'
                               for name, value in element.items()])
        if text or len(element):
            put(f"<{start}>{escape(text or '')}")
            for child in element:
                _write(child, put)
            put(f"</{tag}>")
        else:
            put(f"<{start} />")
    else:                                               # a comment
        put(f"<!--{text}-->")
    if element.tail:
        put(escape(element.tail))
