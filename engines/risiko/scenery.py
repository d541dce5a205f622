"""What every picture of RisiKo! shares: the sea, the lands in the colours of their continents, borders, sea lines."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.colors import mixed
from sfida.engines.drawing.elements import add, num, written
from sfida.engines.drawing.inks import GOLD, OUTLINE, PAPER
from sfida.engines.drawing.ornaments import Rose, draw_rose, gradient
from sfida.engines.drawing.outlines import path
from sfida.engines.risiko.looks import continents, territories
from sfida.engines.risiko.piece_art import piece_symbols
from sfida.engines.risiko.rules import load_data
from sfida.engines.risiko.world import HIGH, WIDE, frontiers, lakes, lands, sea_line

_SHORE = "#e9dcb4"
_BORDER = "#4a3a22"
_ROSE = Rose(rings=((34, 1.2), (29, 0.7)), rays=((45, 26), (0, 40)), waist=6, light="#ffffff", dark="#1c4a66",
             ring="#ffffff", ring_opacity=0.5, hub=(3.4, GOLD, OUTLINE, 0.8), opacity=0.75, light_opacity=0.9)


@cache
def scenery() -> dict[str, str]:
    """Return the definitions, the ground under and the borders over the colours of the owners, as written once."""
    defs, ground, borders = ET.Element("defs"), ET.Element("g"), ET.Element("g")
    _symbols(defs)
    _draw_sea(add(ground, "g", class_="sea"))
    _draw_lands(add(ground, "g", class_="lands"))
    _draw_borders(add(borders, "g", class_="borders", fill="none", stroke_linejoin="round"))
    return {"symbols": written(defs), "ground": written(ground), "borders": written(borders)}


def _symbols(defs: ET.Element) -> None:
    piece_symbols(defs)
    for number, territory in enumerate(territories()):
        outline = " ".join(path(ring, closed=True) for ring in lands()[territory.id].rings)
        add(defs, "path", id=f"ris-t{number}", d=outline)
        add(add(defs, "clipPath", id=f"ris-c{number}"), "use", href=f"#ris-t{number}")
    world = add(defs, "g", id="ris-world")
    for number in range(len(territories())):
        add(world, "use", href=f"#ris-t{number}")
    add(add(defs, "clipPath", id="ris-sheet"), "rect", width=WIDE, height=HIGH, rx=14.0)
    sea = ((0.0, "#6fb0cc"), (0.6, "#4f92b6"), (1.0, "#2f6a92"))
    gradient(defs, "radial", "ris-sea", sea, cx=0.46, cy=0.45, r=0.75)
    waves = add(defs, "pattern", id="ris-waves", width=46.0, height=26.0, patternUnits="userSpaceOnUse")
    add(waves, "path", d="M4,8 q4,-4 8,0 t8,0 M27,21 q4,-4 8,0 t8,0", fill="none", stroke="#ffffff", stroke_width=0.9,
        opacity=0.16)
    for name, colour in (("attack", "#d8201a"), ("march", "#1d7a3a")):
        head = add(defs, "marker", id=f"ris-head-{name}", viewBox="0 0 10 10", refX=6.0, refY=5.0, markerWidth=3.2,
                   markerHeight=3.2, orient="auto-start-reverse")
        add(head, "path", d="M0,0 L10,5 L0,10 Z", fill=colour, stroke="#ffffff", stroke_width=0.9)


def _draw_sea(group: ET.Element) -> None:
    add(group, "rect", width=WIDE, height=HIGH, fill="url(#ris-sea)")
    add(group, "rect", width=WIDE, height=HIGH, fill="url(#ris-waves)")
    draw_rose(add(group, "g", class_="rose", transform="translate(70 470)"), _ROSE)
    for broad, shade in ((20, 0.10), (13, 0.14), (7, 0.24)):
        add(group, "use", href="#ris-world", fill="none", stroke="#eaf6f4", stroke_width=broad, stroke_linejoin="round",
            opacity=shade)
    for edge in load_data()["board"]["edges"]:
        if edge["type"] == "sea":
            for part in sea_line(edge["a"], edge["b"]):
                for colour, wide in (("#1c4a66", 4.2), ("#ffffff", 2.4)):
                    add(group, "path", d=path(part), fill="none", stroke=colour, stroke_width=wide,
                        stroke_dasharray="6 5", opacity=0.55 if wide > 4 else None)


def _draw_lands(group: ET.Element) -> None:
    """Paint every territory in a tint of its continent, neighbours a little apart."""
    add(group, "use", href="#ris-world", fill="#0d2b3d", opacity=0.45, transform="translate(2.5 3.5)")
    add(group, "use", href="#ris-world", fill=_SHORE, stroke=_SHORE, stroke_width=3.4, stroke_linejoin="round")
    for number, territory in enumerate(territories()):
        rgb = continents()[territory.continent].rgb
        tint = mixed(rgb, PAPER, (0.34, 0.52, 0.43)[continents()[territory.continent].territories.index(number) % 3])
        add(group, "use", href=f"#ris-t{number}", fill=tint, class_="territory", data_territory=number)


def _draw_borders(group: ET.Element) -> None:
    inner = " ".join(path(line) for _, _, line in frontiers())
    add(group, "use", href="#ris-world", stroke=_BORDER, stroke_width=1.1)
    add(group, "path", d=inner, stroke="#fff6dc", stroke_width=2.6)
    add(group, "path", d=inner, stroke=_BORDER, stroke_width=1.1)
    of = {territory.id: territory.continent for territory in territories()}
    apart = " ".join(path(line) for a, b, line in frontiers() if of[a] != of[b])
    add(group, "path", d=apart, stroke="#fff6dc", stroke_width=4.0, opacity=0.9)
    add(group, "path", d=apart, stroke=OUTLINE, stroke_width=2.0)
    for lake in lakes():
        add(group, "path", d=path(lake, closed=True), fill="#5c9fc0", stroke=_BORDER, stroke_width=0.9)
    add(group, "rect", x=1.5, y=1.5, width=num(WIDE - 3), height=num(HIGH - 3), rx=13.0, stroke="#5d3413",
        stroke_width=5.0)
    add(group, "rect", x=1.5, y=1.5, width=num(WIDE - 3), height=num(HIGH - 3), rx=13.0, stroke=GOLD, stroke_width=1.6)
