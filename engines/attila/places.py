"""Places of Attila that can be pointed at: what names them, and the shapes of the provinces."""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.attila.land import Land
from sfida.engines.attila.moves import LETTERS
from sfida.engines.attila.scenery import scale
from sfida.engines.drawing.elements import add, written
from sfida.engines.drawing.pointing import hit


def province_key(land: Land, number: int) -> str:
    """Return what names a province."""
    return f"province:{land.provinces[number].code}"


def card_key(tribe: int) -> str:
    """Return what names the cards of a tribe in the mover's hand."""
    return f"card:{LETTERS[tribe]}"


def column_key(tribe: int) -> str:
    """Return what names a column of the influence chart."""
    return f"column:{LETTERS[tribe]}"


def tile_key(name: str) -> str:
    """Return what names an action tile of the mover, given by its id in the data."""
    return f"tile:{name}"


@lru_cache(maxsize=16)
def province_hits(land: Land) -> str:
    """Write the shapes of the provinces."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits", transform=f"scale({scale(land):.5g})")
    for number in range(len(land.provinces)):
        hit(group, province_key(land, number), "use", href=f"#att-p{number}")
    return written(root)
