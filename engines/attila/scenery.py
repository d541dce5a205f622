"""What never changes on the pictures of a map of Attila: sea, ground, borders, arrows, names; written once a map."""

from __future__ import annotations

import math
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.attila.land import Land
from sfida.engines.attila.piece_art import GOLD, INK, OUTLINE, RED, head_symbols, say, tile_symbols
from sfida.engines.attila.stands import Stand, stands
from sfida.engines.attila.terrain import Ring, Terrain, terrain
from sfida.engines.drawing.elements import add, moved, title, written
from sfida.engines.drawing.ornaments import Rose, draw_rose, gradient
from sfida.engines.drawing.outlines import noise, path
from sfida.engines.language import _, language

WIDE = 1000.0                                   # of the map on the sheet
_TINTS = ("#e7d3a1", "#d8c187", "#d6cf9f", "#e3c7a0", "#cfc08f", "#dccaa9")
_ROSE = Rose(rings=((44, 1.2), (38, 0.7)), rays=((45, 30), (0, 46)), waist=7, light="#f8f3df", dark="#8c3b22",
             ring="#f8f3df", ring_opacity=0.7, hub=(4.0, GOLD, OUTLINE, 0.8), opacity=0.85)
_SHORE, _BORDER, _WILDS, _ROCK = "#fbf1d6", "#5b4322", "#8f9c6b", "#a08a68"


def scale(land: Land) -> float:
    """Return how much the map grows to fill its place on the sheet."""
    return WIDE / land.wide


def high(land: Land) -> float:
    """Return the height of the map on the sheet."""
    return land.high * scale(land)


def size(land: Land) -> float:
    """Return how large what stands on a map is drawn; 1 where neighbours are 100 units apart."""
    return min(1.35, max(0.5, terrain(land).span * scale(land) / 100))


def stand(land: Land, province: int) -> Stand:
    """Return where on the sheet what a province holds stands, and how large it is drawn."""
    one = stands(land, size(land) / scale(land), language())[province]
    return Stand(one.x * scale(land), one.y * scale(land), one.size * size(land), one.order)


@lru_cache(maxsize=16)
def scenery(land: Land, spoken: str) -> dict[str, str]:
    """Return the symbols and the ground of a map as written elements, with names in the language that is spoken."""
    ground = terrain(land)
    defs, under, peaks, rims, over = (ET.Element(tag) for tag in ("defs", "g", "g", "g", "g"))
    head_symbols(defs)
    tile_symbols(defs)
    _symbols(defs, land, ground)
    grown = f"scale({scale(land):.5g})"
    _draw_sea(add(under, "g", class_="sea"), land, ground)
    _draw_lands(add(under, "g", class_="lands", transform=grown), land, ground)
    _draw_mountains(add(peaks, "g", class_="mountains", transform=grown), ground, 1 / scale(land))
    _draw_rims(add(rims, "g", class_="rims", transform=grown), land)
    _draw_arrows(add(over, "g", class_="arrows"), land, ground)
    _draw_names(add(over, "g", class_="names"), land)
    return {"symbols": written(defs), "ground": written(under), "mountains": written(peaks),
            "rims": written(rims), "names": written(over)}


def _paths(rings: tuple[Ring, ...]) -> str:
    return " ".join(path(ring, closed=True) for ring in rings)


def _symbols(defs: ET.Element, land: Land, ground: Terrain) -> None:
    add(add(defs, "clipPath", id="att-sheet"), "rect", width=WIDE, height=high(land))
    everything = add(defs, "g", id="att-all")
    for number, (one, rings) in enumerate(zip(land.provinces, ground.provinces, strict=True)):
        add(defs, "path", id=f"att-p{number}", d=_paths(rings), stroke_linejoin="round")
        add(everything, "use", href=f"#att-p{number}")
        if one.start:
            add(add(defs, "clipPath", id=f"att-c{number}"), "use", href=f"#att-p{number}")
    add(everything, "path", d=" ".join(map(_paths, (ground.rocks, ground.wilds, *ground.islands))))
    sea = ((0.0, "#8fc0c4"), (0.6, "#6aa5b3"), (1.0, "#44809a"))
    gradient(defs, "radial", "att-sea", sea, cx=0.5, cy=0.55, r=0.75)
    waves = add(defs, "pattern", id="att-waves", width=44.0, height=26.0, patternUnits="userSpaceOnUse")
    add(waves, "path", d="M3,9 q4,-5 8,0 t8,0 M25,21 q4,-5 8,0 t8,0", fill="none", stroke="#ffffff", stroke_width=1.0,
        opacity=0.2)
    wilds = add(defs, "pattern", id="att-woods", width=30.0, height=24.0, patternUnits="userSpaceOnUse",
                patternTransform=f"scale({1 / scale(land):.5g})")
    for left, foot in ((7, 10), (22, 22)):
        add(wilds, "path", d=f"M{left},{foot - 8} l3.6,7 h-7.2 Z M{left},{foot - 1} v2", fill="#6d7d4c",
            stroke="#5a6840", stroke_width=0.8, opacity=0.75)
    grain = add(defs, "pattern", id="att-grain", width=60.0, height=60.0, patternUnits="userSpaceOnUse",
                patternTransform=f"scale({1 / scale(land):.5g})")
    for i in range(22):
        x, y = 30 + 28 * noise(f"grain {i} across"), 30 + 28 * noise(f"grain {i} down")
        add(grain, "path", d=f"M{x:.1f},{y:.1f} l2.4,-0.8", stroke="#6b5228", stroke_width=0.8, opacity=0.25)


# ---- sea ----------------------------------------------------------------------------------------------


def _draw_sea(group: ET.Element, land: Land, ground: Terrain) -> None:
    add(group, "rect", width=WIDE, height=high(land), fill="url(#att-sea)")
    add(group, "rect", width=WIDE, height=high(land), fill="url(#att-waves)")
    for number, ((x, y), room) in enumerate(ground.seas):
        at = (x * scale(land), y * scale(land), min(1.0, room * scale(land) / 62))
        if number == 0:
            draw_rose(moved(group, *at, class_="rose"), _ROSE)
        else:
            _draw_ship(moved(group, *at, class_="ship"), turned=number == 2)


def _draw_ship(group: ET.Element, turned: bool) -> None:
    """Draw a galley with a square sail."""
    ship = add(group, "g", transform="scale(-1 1)" if turned else None, opacity=0.9, stroke_linejoin="round")
    for i in range(6):
        add(ship, "path", d=f"M{-20 + 7 * i},14 l-6,12", stroke="#4b3016", stroke_width=1.6)
    add(ship, "path", d="M0,10 V-34", stroke="#4b3016", stroke_width=2.4)
    add(ship, "path", d="M-20,-28 H20 C14,-18 14,-10 20,2 C8,-2 -8,-2 -20,2 C-14,-10 -14,-18 -20,-28 Z",
        fill="#f3e6c6", stroke=OUTLINE, stroke_width=1.1)
    for x in (-13.0, 0.0, 13.0):
        add(ship, "path", d=f"M{x * 0.9},-27 C{x * 0.7},-18 {x * 0.7},-10 {x * 0.9},0", stroke="#a8392b",
            stroke_width=3.6, fill="none")
    add(ship, "path", d="M-38,6 C-40,-2 -36,-8 -30,-10 C-34,-4 -33,2 -28,7 H34 C40,6 42,3 42,-2 C45,8 40,18 28,19 H-24 "
        "C-32,18 -36,13 -38,6 Z", fill="#8a5a2b", stroke=OUTLINE, stroke_width=1.2)
    add(ship, "circle", cx=31.0, cy=10.6, r=1.8, fill="#f3e6c6")
    add(ship, "path", d="M-44,21 q6,-4 12,0 t12,0 t12,0 t12,0 t12,0 t12,0 t12,0", fill="none", stroke="#ffffff",
        stroke_width=1.4, opacity=0.7)


# ---- land ---------------------------------------------------------------------------------------------


def _draw_lands(group: ET.Element, land: Land, ground: Terrain) -> None:
    one = 1 / scale(land)                       # a unit of the sheet
    for broad, shade in ((22, 0.12), (14, 0.16), (7, 0.28)):
        add(group, "use", href="#att-all", fill="none", stroke="#eef7ef", stroke_width=broad * one,
            stroke_linejoin="round", opacity=shade)
    add(group, "use", href="#att-all", fill="#12303c", opacity=0.4,
        transform=f"translate({2.6 * one:.2f} {3.6 * one:.2f})")
    add(group, "use", href="#att-all", fill=_SHORE, stroke=_BORDER, stroke_width=2.6 * one, stroke_linejoin="round")
    wilds = add(group, "g", class_="wilds")
    title(wilds, _("beyond the border"))
    for fill in (_WILDS, "url(#att-woods)"):
        add(wilds, "path", d=_paths(ground.wilds), fill=fill)
    if ground.heart is not None:
        (x, y), room = ground.heart
        name = say(wilds, x, y + 0.1 * room, "BARBARICUM", 0.19 * room, anchor="middle", serif=True, fill="#57663c",
                   class_="wilds-name")
        name.set("letter-spacing", f"{0.03 * room:.1f}")
    for number, island in enumerate(ground.islands):
        spared = add(group, "g", class_="island")
        title(spared, _("{island}: no province").format(island=land.islands[number].name))
        add(spared, "path", d=_paths(island), fill="#dfe3cd", fill_opacity=0.55, stroke=_BORDER, stroke_width=1.2 * one,
            stroke_dasharray=f"{3 * one:.2f} {2 * one:.2f}")
    for number, province in enumerate(land.provinces):
        ground_of = add(group, "g", class_="province start" if province.start else "province", data_province=number)
        title(ground_of, province.name)
        add(ground_of, "use", href=f"#att-p{number}", fill=_TINTS[ground.tints[number]])
        add(ground_of, "use", href=f"#att-p{number}", fill="url(#att-grain)")
    for number in range(len(land.provinces)):
        add(group, "use", href=f"#att-p{number}", fill="none", stroke=_BORDER, stroke_width=1.5 * one)


def _draw_rims(group: ET.Element, land: Land) -> None:
    """Draw the red borders of the start provinces (ATT-1.15)."""
    one = 1 / scale(land)
    for number, province in enumerate(land.provinces):
        if province.start:
            rim = add(group, "g", class_="rim", clip_path=f"url(#att-c{number})", fill="none", data_province=number)
            for colour, broad in (("#ffffff", 11.0), ("#cf1d16", 8.0), (OUTLINE, 1.6)):
                add(rim, "use", href=f"#att-p{number}", stroke=colour, stroke_width=broad * one)


def _draw_mountains(group: ET.Element, ground: Terrain, one: float) -> None:
    add(group, "path", d=_paths(ground.rocks), fill=_ROCK, stroke=_BORDER, stroke_width=1.0 * one)
    for number, (x, y) in enumerate(ground.peaks):
        tall = ground.span * (0.12 + 0.03 * noise(f"tall {number}"))
        wide = 0.85 * tall
        add(group, "path", d=f"M{x - wide:.1f},{y + 0.5 * tall:.1f} L{x:.1f},{y - tall:.1f} L{x + wide:.1f},"
            f"{y + 0.5 * tall:.1f} Z", fill="#b7a588", stroke=OUTLINE, stroke_width=1.0 * one, stroke_linejoin="round")
        add(group, "path", d=f"M{x:.1f},{y - tall:.1f} L{x + wide:.1f},{y + 0.5 * tall:.1f} L{x + 0.1 * wide:.1f},"
            f"{y + 0.5 * tall:.1f} Z", fill="#7f6c50")
        add(group, "path", d=f"M{x - 0.3 * wide:.1f},{y - 0.55 * tall:.1f} L{x:.1f},{y - tall:.1f} "
            f"L{x + 0.3 * wide:.1f},{y - 0.55 * tall:.1f} L{x:.1f},{y - 0.4 * tall:.1f} Z", fill="#ffffff")


# ---- arrows and names ---------------------------------------------------------------------------------


def _draw_arrows(group: ET.Element, land: Land, ground: Terrain) -> None:
    """Draw the links over water as bent arrows with two heads (ATT-1.14)."""
    water = [link for link in land.links if link.water]
    for link, ((ax, ay), (bx, by)) in zip(water, ground.crossings, strict=True):
        ax, ay, bx, by = (value * scale(land) for value in (ax, ay, bx, by))
        long = max(1.0, math.hypot(bx - ax, by - ay))
        ux, uy = (bx - ax) / long, (by - ay) / long
        more = 6.0 * size(land)                 # on land at both ends
        ax, ay, bx, by, long = ax - more * ux, ay - more * uy, bx + more * ux, by + more * uy, long + 2 * more
        bend = 0.16 * long
        mx, my = (ax + bx) / 2 + bend * uy, (ay + by) / 2 - bend * ux
        arrow = add(group, "g", class_="arrow", data_a=link.a, data_b=link.b, fill="none", stroke_linecap="round")
        title(arrow, _("{one} and {other}: adjacent over water").format(one=land.provinces[link.a].name,
                                                                        other=land.provinces[link.b].name))
        line = f"M{ax:.1f},{ay:.1f} Q{mx:.1f},{my:.1f} {bx:.1f},{by:.1f}"
        add(arrow, "path", d=line, stroke="#ffffff", stroke_width=5.4)
        add(arrow, "path", d=line, stroke="#17456b", stroke_width=2.8, stroke_dasharray="5 4")
        for x, y in ((ax, ay), (bx, by)):
            turn = math.degrees(math.atan2(y - my, x - mx))
            add(arrow, "path", d="M5,0 L-6,-5.6 L-3.6,0 L-6,5.6 Z", fill="#17456b", stroke="#ffffff", stroke_width=1.2,
                transform=f"translate({x:.1f} {y:.1f}) rotate({turn:.1f})")


def _draw_names(group: ET.Element, land: Land) -> None:
    """Write code and name of every province over its tokens."""
    for number, one in enumerate(land.provinces):
        at = stand(land, number)
        label = moved(group, at.x, at.y, at.size, class_="name", data_province=number)
        say(label, 0, -26, one.code, 13.5, anchor="middle", bold=True, serif=True, fill=RED if one.start else INK,
            halo="#fff8e6", class_="code")
        say(label, 0, -16.4, one.name, 9.4, anchor="middle", serif=True, font_style="italic", halo="#fff8e6")
    for island, rings in zip(land.islands, terrain(land).islands, strict=True):
        if not rings:
            continue
        say(group, island.x * scale(land), island.y * scale(land) + 3, island.name, 8.4 * size(land), anchor="middle",
            serif=True, font_style="italic", fill="#3c4a3c", halo="#eef3e6", class_="island-name")
