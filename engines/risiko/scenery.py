"""What every picture of RisiKo! shares: the sea, the lands in the colours of their continents, borders, sea lines."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing import add, num
from sfida.engines.risiko.looks import continents, territories
from sfida.engines.risiko.piece_art import GOLD, OUTLINE, PAPER, mixed, piece_symbols
from sfida.engines.risiko.rules import load_data
from sfida.engines.risiko.world import HIGH, WIDE, Point, frontiers, lakes, lands, sea_line

_SHORE = "#e9dcb4"
_BORDER = "#4a3a22"


@cache
def scenery() -> dict[str, str]:
    """Return the definitions, the ground under and the borders over the colours of the owners, as written once."""
    defs, ground, borders = ET.Element("defs"), ET.Element("g"), ET.Element("g")
    _symbols(defs)
    _draw_sea(add(ground, "g", class_="sea"))
    _draw_lands(add(ground, "g", class_="lands"))
    _draw_borders(add(borders, "g", class_="borders", fill="none", stroke_linejoin="round"))
    return {name: "".join(ET.tostring(element, encoding="unicode") for element in parent)
            for name, parent in (("symbols", defs), ("ground", ground), ("borders", borders))}


def path(points: tuple[Point, ...], closed: bool = True) -> str:
    """Write points as a path."""
    return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + ("Z" if closed else "")


def _symbols(defs: ET.Element) -> None:
    piece_symbols(defs)
    for number, territory in enumerate(territories()):
        outline = " ".join(path(ring) for ring in lands()[territory.id].rings)
        add(defs, "path", id=f"ris-t{number}", d=outline)
        add(add(defs, "clipPath", id=f"ris-c{number}"), "use", href=f"#ris-t{number}")
    world = add(defs, "g", id="ris-world")
    for number in range(len(territories())):
        add(world, "use", href=f"#ris-t{number}")
    add(add(defs, "clipPath", id="ris-sheet"), "rect", width=WIDE, height=HIGH, rx=14.0)
    sea = add(defs, "radialGradient", id="ris-sea", cx=0.46, cy=0.45, r=0.75)
    for offset, colour in ((0.0, "#6fb0cc"), (0.6, "#4f92b6"), (1.0, "#2f6a92")):
        add(sea, "stop", offset=offset, stop_color=colour)
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
    _draw_rose(add(group, "g", class_="rose", transform="translate(70 470)"))
    for broad, shade in ((20, 0.10), (13, 0.14), (7, 0.24)):
        add(group, "use", href="#ris-world", fill="none", stroke="#eaf6f4", stroke_width=broad, stroke_linejoin="round",
            opacity=shade)
    for edge in load_data()["board"]["edges"]:
        if edge["type"] == "sea":
            for part in sea_line(edge["a"], edge["b"]):
                for colour, wide in (("#1c4a66", 4.2), ("#ffffff", 2.4)):
                    add(group, "path", d=path(part, closed=False), fill="none", stroke=colour, stroke_width=wide,
                        stroke_dasharray="6 5", opacity=0.55 if wide > 4 else None)


def _draw_rose(group: ET.Element) -> None:
    """Draw a compass."""
    add(group, "circle", r=34.0, fill="none", stroke="#ffffff", stroke_width=1.2, opacity=0.5)
    add(group, "circle", r=29.0, fill="none", stroke="#ffffff", stroke_width=0.7, opacity=0.5)
    for turn, long in ((45, 26), (0, 40)):
        for quarter in range(4):
            spike = add(group, "g", transform=f"rotate({turn + 90 * quarter})", opacity=0.75)
            add(spike, "path", d=f"M0,{-long} L6,-6 L0,0 Z", fill="#ffffff", opacity=0.9)
            add(spike, "path", d=f"M0,{-long} L-6,-6 L0,0 Z", fill="#1c4a66")
    add(group, "circle", r=3.4, fill=GOLD, stroke=OUTLINE, stroke_width=0.8)


def _draw_lands(group: ET.Element) -> None:
    """Paint every territory in a tint of its continent, neighbours a little apart."""
    add(group, "use", href="#ris-world", fill="#0d2b3d", opacity=0.45, transform="translate(2.5 3.5)")
    add(group, "use", href="#ris-world", fill=_SHORE, stroke=_SHORE, stroke_width=3.4, stroke_linejoin="round")
    for number, territory in enumerate(territories()):
        rgb = continents()[territory.continent].rgb
        tint = mixed(rgb, PAPER, (0.34, 0.52, 0.43)[continents()[territory.continent].territories.index(number) % 3])
        add(group, "use", href=f"#ris-t{number}", fill=tint, class_="territory", data_territory=number)


def _draw_borders(group: ET.Element) -> None:
    add(group, "use", href="#ris-world", stroke=_BORDER, stroke_width=1.1)
    of = {territory.id: territory.continent for territory in territories()}
    apart = " ".join(path(line, closed=False) for a, b, line in frontiers() if of[a] != of[b])
    add(group, "path", d=apart, stroke="#fff6dc", stroke_width=4.0, opacity=0.9)
    add(group, "path", d=apart, stroke=OUTLINE, stroke_width=2.0)
    for lake in lakes():
        add(group, "path", d=path(lake), fill="#5c9fc0", stroke=_BORDER, stroke_width=0.9)
    add(group, "rect", x=1.5, y=1.5, width=num(WIDE - 3), height=num(HIGH - 3), rx=13.0, stroke="#5d3413",
        stroke_width=5.0)
    add(group, "rect", x=1.5, y=1.5, width=num(WIDE - 3), height=num(HIGH - 3), rx=13.0, stroke=GOLD, stroke_width=1.6)
