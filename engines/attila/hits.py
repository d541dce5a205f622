"""Shapes of the provinces of Attila, to be pointed at."""

from __future__ import annotations

from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.attila.land import Land
from sfida.engines.attila.places import province_key
from sfida.engines.attila.scenery import scale
from sfida.engines.drawing.elements import add, written
from sfida.engines.drawing.pointing import hit


@lru_cache(maxsize=16)
def province_hits(land: Land) -> str:
    """Write the shapes of the provinces."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits", transform=f"scale({scale(land):.5g})")
    for number in range(len(land.provinces)):
        hit(group, province_key(land, number), "use", href=f"#att-p{number}")
    return written(root)
