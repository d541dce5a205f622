"""Shapes of the territories and cards of RisiKo! that can be pointed at."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add, written
from sfida.engines.drawing.pointing import hit
from sfida.engines.risiko.looks import territories
from sfida.engines.risiko.piece_art import CARD_HIGH, CARD_WIDE
from sfida.engines.risiko.places import card_key, territory_key
from sfida.engines.risiko.world import Ring, lands


@cache
def territory_hits() -> str:
    """Write the shapes of the territories: their ground, and their armies where these stand beyond it.

    Small ones cover large ones, on whose ground their armies may stand.
    """
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for number in sorted(range(len(territories())), key=lambda one: -_area(one)):
        x, y = lands()[territories()[number].id].spot
        place = hit(group, territory_key(number), "g")
        add(place, "use", href=f"#ris-t{number}")
        add(place, "ellipse", cx=x, cy=y + 1, rx=20.0, ry=18.0)
    return written(root)


def _area(number: int) -> float:
    return sum(_inside(ring) for ring in lands()[territories()[number].id].rings)


def _inside(ring: Ring) -> float:
    """Return the area within a ring."""
    ends = zip(ring, ring[1:] + ring[:1], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in ends)) / 2


def card_hit(parent: ET.Element, card: int) -> None:
    """Draw the shape of a card from its upper left corner."""
    hit(parent, card_key(card), "rect", width=CARD_WIDE, height=CARD_HIGH, rx=5.0)
