"""Shapes of the sites and cards of A Few Acres of Snow that can be pointed at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.acres.looks import sites
from sfida.engines.acres.places import card_key, site_key
from sfida.engines.drawing.elements import add, num, written
from sfida.engines.drawing.pointing import hit

_SITE = 33.0                            # radius of the shape of a site


@lru_cache(maxsize=2)
def site_hits(every_ship: bool) -> str:
    """Write the shapes of the sites."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for site in sites(every_ship):
        hit(group, site_key(site.number), "circle", cx=site.x, cy=site.y, r=_SITE)
    return written(root)


def hand_hits(parent: ET.Element, pile: str, held: Sequence[tuple[int, float]], y: float, wide: float,
              high: float) -> None:
    """Draw the shapes of cards that lie side by side: one for all copies of a type.

    Parameters
    ----------
    parent : Element
    pile : str
    held : sequence of (type, x)
        The cards with their left ends, copies one after the other.
    y, wide, high : float
        Upper end and size of a card.
    """
    group = add(parent, "g", class_="hits")
    for card in dict.fromkeys(card for card, _ in held):
        place = hit(group, card_key(pile, card), "g")
        for _, x in (one for one in held if one[0] == card):
            add(place, "rect", x=x, y=y, width=wide, height=high, rx=num(0.065 * wide))
