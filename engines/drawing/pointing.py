"""Places of a picture that can be pointed at: shapes that nobody sees, and buttons where the mover may choose them."""

from __future__ import annotations

import re
from collections.abc import Mapping
import html
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add

_PLACE = re.compile(r'pointer-events="none" data-place="([^"]*)"')


def hit(parent: ET.Element, key: str, tag: str, **shape: object) -> ET.Element:
    """Append the shape of a place, such as the wide one around a thin line; a page marks and points at it.

    Parameters
    ----------
    parent : Element
        What is appended later covers it.
    key : str
        Names the place; one of a picture has it.
    tag : str
    **shape
        Attributes as of `add`.
    """
    return add(parent, tag, **shape, fill="none", pointer_events="none", data_place=key)


def with_choices(document: str, choices: Mapping[str, str]) -> str:
    """Return a document in which the places among the choices are buttons.

    Parameters
    ----------
    document : str
        As `write` returns it.
    choices : mapping of str to str
        Words by the keys of places.
    """
    def button(found: re.Match[str]) -> str:
        words = choices.get(found[1])
        if words is None:
            return found[0]
        return (f'pointer-events="all" data-place="{found[1]}" data-part="{found[1]}" role="button" tabindex="0" '
                f'aria-label="{html.escape(words)}"')

    # what is inside an image is nothing to anybody who cannot see it
    return _PLACE.sub(button, document.replace('role="img"', 'role="group"', 1))
