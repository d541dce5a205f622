"""The map of A Few Acres of Snow: coasts, lakes, rivers, ways, and the scenery of every picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any
from xml.etree import ElementTree as ET

from sfida.engines.acres.pieces_svg import (
    GOLD, HALO, INK, LAND, LETTERS_ON, OUTLINE, PAPER, SEA, card_symbols, coin, last_ring, say, shield, sign,
    strength_badge, symbols, town, value_sign, village, wilderness
)
from sfida.engines.acres.style import SiteLink, links, site_numbers, sites
from sfida.engines.data_files import packaged
from sfida.engines.drawing.placing import Areas, Name, Rect, place_names, text_wide, write_names
from sfida.engines.drawing.svg import (
    SERIF, Point, Rose, add, draw_rose, gradient, moved, noise, num, path, rough, smooth, symbol, written
)
from sfida.engines.language import _, language, named

# ---- The map behind the board of A Few Acres of Snow: coast, lakes, rivers and the ways of the connections

Line = tuple[Point, ...]


def map_data() -> dict[str, Any]:
    """Return the file of the map as tables; do not change them."""
    return packaged("sfida.engines.acres", "map.toml")


@cache
def sheet() -> tuple[float, float, float, float]:
    """Return left, top, width and height of the sheet on the data's canvas."""
    box = map_data()["sheet"]
    return float(box["left"]), float(box["top"]), float(box["right"] - box["left"]), float(box["bottom"] - box["top"])


def _ring(points: list[list[float]], key: str, much: float) -> Line:
    corners = [(float(x), float(y)) for x, y in points]
    return tuple(rough([*corners, corners[0]], key, much)[:-1])


@cache
def sea() -> Line:
    """Return the outline of the sea: the coast, then around along the margins."""
    coast = map_data()["coast"]
    beyond = [(float(x), float(y)) for x, y in coast["round"]]
    return (*rough([(float(x), float(y)) for x, y in coast["points"]], "coast", 0.13), *beyond)


@cache
def islands() -> tuple[Line, ...]:
    """Return the outlines of the islands."""
    return tuple(_ring(row["points"], row["name"], 0.12) for row in map_data()["island"])


@cache
def lakes() -> tuple[Line, ...]:
    """Return the outlines of the lakes."""
    return tuple(_ring(row["points"], row["name"], 0.12) for row in map_data()["lake"])


@cache
def streams() -> tuple[Line, ...]:
    """Return the rivers that are not connections."""
    return tuple(tuple(rough(smooth([(float(x), float(y)) for x, y in row["points"]], 4), row["name"], 0.1, levels=2))
                 for row in map_data()["stream"])


@cache
def ways() -> Mapping[SiteLink, Line]:
    """Return the way of each connection of the board, from its lower site to its higher one."""
    given: dict[tuple[int, int], list[Point]] = {}
    for name, points in map_data()["way"].items():
        first, last = _ends(name)
        between = [(float(x), float(y)) for x, y in points]
        given[min(first, last), max(first, last)] = between if first < last else between[::-1]
    return {link: tuple(smooth([(sites()[link.a].x, sites()[link.a].y), *given.get((link.a, link.b), ()),
                                (sites()[link.b].x, sites()[link.b].y)], 8))
            for link in links()}


def _ends(name: str) -> tuple[int, int]:
    """Return the two sites in the name of a way."""
    for first, number in site_numbers().items():
        second = name.removeprefix(f"{first}_")
        if second != name and second in site_numbers():
            return number, site_numbers()[second]
    raise ValueError(f"map.toml: '{name}' does not name two sites")


@cache
def regions() -> tuple[tuple[Mapping[str, str], tuple[int, ...]], ...]:
    """Return the names and the sites of each region."""
    return tuple((row, tuple(site_numbers()[name] for name in row["sites"])) for row in map_data()["region"])


# ---- The scenery: sea, snowy land, lakes, woods, hills, names and connections

_COAST, _WATER = "#4b4433", "#8fb6c2"
_ROSE = Rose(rings=((46, 1.6), (40, 0.8)), rays=((45, 34), (0, 54)), waist=8, light=PAPER, dark="#234a59", ring=PAPER,
             ring_opacity=0.7, hub=(4.4, GOLD, OUTLINE, 1.0))
# The strokes of connections: rivers solid, lakes long dashes, roads like ladders, trails dots.
STROKES: Mapping[str, tuple[dict[str, Any], ...]] = {
    "lake": ({"stroke": "#ffffff", "stroke_width": 5.6, "stroke_dasharray": "15 11", "opacity": 0.9},
             {"stroke": "#1b5a80", "stroke_width": 3.4, "stroke_dasharray": "15 11"}),
    "river": ({"stroke": "#ffffff", "stroke_width": 10.0, "opacity": 0.75}, {"stroke": "#235f86", "stroke_width": 7.0},
              {"stroke": "#7fc0de", "stroke_width": 3.0}),
    "road": ({"stroke": "#4c2f14", "stroke_width": 12.0, "stroke_linecap": "butt", "stroke_dasharray": "3.4 6"},
             {"stroke": "#4c2f14", "stroke_width": 7.6}, {"stroke": "#d9a866", "stroke_width": 4.0}),
    "trail": ({"stroke": "#fff3dd", "stroke_width": 7.0, "stroke_dasharray": "0.1 12", "opacity": 0.9},
              {"stroke": "#a3321b", "stroke_width": 4.8, "stroke_dasharray": "0.1 12"})}
_SEEN = 0.8                                          # bends that are seen on this wide sheet
_SNOWY = 250.0                                       # height on the canvas north of which trees are snowy firs
_SIZES = {"tree": range(8, 13), "fir": range(8, 13), "hill": range(8, 15)}      # tenths


def scenery() -> dict[str, str]:
    """Return the definitions and the ground with all connections, cached per language."""
    return _scenery(language())


@cache
def _scenery(_language: str) -> dict[str, str]:
    defs, ground = ET.Element("defs"), ET.Element("g")
    _definitions(defs)
    _draw_ground(add(ground, "g", class_="land"))
    _draw_links(add(ground, "g", class_="links", fill="none", stroke_linecap="round", stroke_linejoin="round"))
    _draw_frame(add(ground, "g", class_="frame", fill="none"))
    _draw_legend(legend := ET.Element("g"))
    write_names(names := ET.Element("g"), names_on_map(), INK, HALO, "site-name")
    return {"symbols": written(defs), "ground": written(ground), "legend": written(legend), "names": written(names)}


def _definitions(defs: ET.Element) -> None:
    symbols(defs)
    card_symbols(defs)
    left, top, wide, high = sheet()
    add(add(defs, "clipPath", id="fas-sheet"), "rect", x=left, y=top, width=wide, height=high, rx=14.0)
    for name, rings in (("coast", (sea(),)), ("islands", islands()), ("lakes", lakes())):
        add(defs, "path", id=f"fas-{name}", d="".join(path(ring, True, _SEEN) for ring in rings))
    for name in ("coast", "lakes"):
        add(add(defs, "clipPath", id=f"fas-in-{name}"), "use", href=f"#fas-{name}")
    snow = ((0.0, "#fbfcfa"), (0.26, "#f0f1e8"), (0.5, "#e4dfc3"), (0.72, "#d3cf9f"), (1.0, "#bcc082"))
    gradient(defs, "linear", "fas-snow", snow, x1=0.45, y1=0, x2=0.35, y2=1)
    deep = ((0.0, "#8db5bf"), (0.55, "#5f93a4"), (1.0, "#2f6076"))
    gradient(defs, "linear", "fas-deep", deep, x1=0, y1=0, x2=1, y2=1)
    waves = add(defs, "pattern", id="fas-waves", width=54.0, height=32.0, patternUnits="userSpaceOnUse")
    add(waves, "path", d="M4,9 q5,-5 10,0 t10,0 M32,25 q5,-5 10,0 t10,0", fill="none", stroke="#ffffff",
        stroke_width=1.1, opacity=0.2)
    _tree(add(defs, "g", id="fas-tree"), "#4f6a46", False)
    _tree(add(defs, "g", id="fas-fir"), "#6d8577", True)
    hill = add(defs, "g", id="fas-hill")
    add(hill, "path", d="M-18,8 L-6,-11 Q-3,-14 0,-9 L4,-3 L8,-7 L19,8 Z", fill="#a99c7c", stroke="#5f5440",
        stroke_width=1.2, stroke_linejoin="round")
    add(hill, "path", d="M-5,-12 L-1,-10 L-3,-5 L-6,-3 L-10,-4 Z", fill="#ffffff", opacity=0.85)
    add(hill, "path", d="M0,-8 L2,0 L-1,7 M8,-6 L9,1 L6,7", fill="none", stroke="#5f5440", stroke_width=0.9)
    for name, sizes in _SIZES.items():
        for tenths in sizes:
            symbol(add(defs, "g", id=f"fas-{name}{tenths}", opacity=0.8), f"fas-{name}", scale=tenths / 10)
    for kind in STROKES:
        same = add(defs, "g", id=f"fas-way-{kind}")
        for link in (one for one in links() if one.kind == kind):
            add(same, "path", class_=f"link {kind}", data_sites=f"{link.a} {link.b}", d=path(ways()[link], seen=_SEEN))


def _tree(group: ET.Element, rgb: str, snow: bool) -> None:
    add(group, "path", d="M0,-13 L5.5,-3 L3.4,-3 L7,4 L-7,4 L-3.4,-3 L-5.5,-3 Z", fill=rgb, stroke="#2f4030",
        stroke_width=0.7)
    add(group, "path", d="M0,4 V8", stroke="#5b4630", stroke_width=1.8)
    if snow:
        add(group, "path", d="M0,-13 L2.6,-8 L-0.6,-6.6 L-3,-7.6 Z M3.4,-3 L5,0.6 L0.6,1.4 L-1,-1.6 Z", fill="#ffffff")


# ---- land and water -----------------------------------------------------------------------------------


def _draw_ground(group: ET.Element) -> None:
    left, top, wide, high = sheet()
    add(group, "rect", x=left, y=top, width=wide, height=high, fill="url(#fas-snow)")
    _draw_wild(add(group, "g", class_="wild"))
    for line in streams():
        add(group, "path", d=path(line, seen=_SEEN), fill="none", stroke=_WATER, stroke_width=2.6,
            stroke_linecap="round")
    water = add(group, "g", class_="sea")
    add(water, "use", href="#fas-coast", fill="url(#fas-deep)")
    shore = add(water, "g", clip_path="url(#fas-in-coast)", fill="none", stroke_linejoin="round")
    add(shore, "use", href="#fas-coast", fill="url(#fas-waves)")
    for broad, shade in ((44, 0.14), (28, 0.18), (14, 0.34)):
        for name in ("coast", "islands"):
            add(shore, "use", href=f"#fas-{name}", stroke="#dcebe4", stroke_width=broad, opacity=shade)
    add(water, "use", href="#fas-islands", fill="url(#fas-snow)")
    for name in ("coast", "islands"):
        add(water, "use", href=f"#fas-{name}", fill="none", stroke=_COAST, stroke_width=1.8, stroke_linejoin="round")
    lake = add(group, "g", class_="lakes")
    add(lake, "use", href="#fas-lakes", fill="#83aebd")
    rim = add(lake, "g", clip_path="url(#fas-in-lakes)", fill="none")
    for broad, shade in ((22, 0.2), (11, 0.36)):
        add(rim, "use", href="#fas-lakes", stroke="#e8f3ee", stroke_width=broad, opacity=shade)
    add(lake, "use", href="#fas-lakes", fill="none", stroke=_COAST, stroke_width=1.5)
    _draw_names(add(group, "g", class_="names"))
    rose = add(group, "g", class_="rose", transform="translate(905 880)")
    draw_rose(rose, _ROSE)
    say(rose, 0, -58, "N", 16, anchor="middle", fill=PAPER, serif=True, bold=True)
    _draw_frigate(add(group, "g", class_="frigate", transform="translate(690 912) scale(1.4)"))


def _draw_wild(group: ET.Element) -> None:
    """Strew hills along the ranges and trees over the woods, the northern ones white."""
    spots = []
    for number, row in enumerate(map_data()["range"]):
        for i, (x, y) in enumerate(row["points"]):
            spots.append((y + 6 * noise(f"hill y {number} {i}"), x + 10 * noise(f"hill x {number} {i}"), "hill",
                          1.1 + 0.3 * noise(f"hill size {number} {i}")))
    for number, row in enumerate(map_data()["wood"]):
        (x, y), (across, down) = row["at"], row["reach"]
        for i in range(max(4, int(across * down / 190))):
            spots.append((y + down * noise(f"tree y {number} {i}"), x + across * noise(f"tree x {number} {i}"), "tree",
                          1.0 + 0.25 * noise(f"tree size {number} {i}")))
    waters, kept = Areas([(sea(), *lakes())]), _kept_free()
    for y, x, name, size in sorted(spots):
        free = not any(left < x < right and top < y < bottom for left, top, right, bottom in kept)
        if free and not any(waters.at(x + dx, y) for dx in (-14, 14)):
            kind = "fir" if name == "tree" and y < _SNOWY else name
            tenths = min(max(round(10 * size), _SIZES[kind][0]), _SIZES[kind][-1])
            add(group, "use", href=f"#fas-{kind}{tenths}", x=round(x), y=round(y))


def _kept_free() -> list[tuple[float, float, float, float]]:
    """Return boxes (left, top, right, bottom) of sites, labels and names, which the scenery keeps free."""
    boxes = []
    for site, name in zip(sites(), names_on_map(), strict=True):
        left, top, right, bottom = name.box
        boxes.append((left - 12, top - 10, right + 12, bottom + 14))
        boxes.append((site.x - 42, site.y - 42, site.x + 42, site.y + 42))
    for row in map_data()["name"]:
        (x, y), half = row["at"], 6.0 * len(named(row)) + 24
        across, up, down = (24.0, half, half) if abs(row["turn"]) > 45 else (half, 56.0, 30.0)
        boxes.append((x - across, y - up, x + across, y + down))
    return boxes


# ---- names ------------------------------------------------------------------------------------------------

NAME = 22.4                                          # size of a site's name: 11 pixels where the map is 800 wide
_PIECE = -36.0, -34.0, 40.0, 34.0                    # the room of a piece and its signs around its site
_CELL = 11.0                                         # names keep off the connections by this much, roughly
_LOOKS = {"country": (20.0, "#7a5c33", 3.0), "people": (19.0, "#8a3b1c", 1.5), "water": (16.0, "#2d5a6c", 1.5),
          "ocean": (34.0, "#d8e8e6", 9.0)}           # size, colour and spacing of the names of lands and waters


def names_on_map() -> tuple[Name, ...]:
    """Return where the names of the sites stand, in the current language."""
    return _names(language())


@lru_cache(maxsize=4)
def _names(_language: str) -> tuple[Name, ...]:
    left, top, wide, high = sheet()
    taken = [_around(row) for row in map_data()["name"]]
    taken.append((855.0, 810.0, 955.0, 940.0))       # the compass
    busy = {(x // _CELL + dx, y // _CELL + dy) for line in ways().values() for x, y in line
            for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return place_names([(site.name, (site.x, site.y), _PIECE) for site in sites()], NAME,
                       (left + 12, top + 12, left + wide - 12, top + high - 12), taken=taken,
                       toll=lambda _number, at: 6.0 * ((at[0] // _CELL, at[1] // _CELL) in busy))


def _around(row: Mapping[str, Any]) -> Rect:
    """Return the box around the name of a land or a water, which may be turned."""
    (x, y), (size, _fill, spread), name = row["at"], _LOOKS[row["kind"]], named(row)
    angle, half = math.radians(row["turn"]), (text_wide(name, size) + spread * len(name)) / 2
    ends = [(x + far * math.cos(angle) - up * math.sin(angle), y + far * math.sin(angle) + up * math.cos(angle))
            for far in (-half, half) for up in (-0.8 * size, 0.25 * size)]
    return (min(x for x, _y in ends), min(y for _x, y in ends), max(x for x, _y in ends), max(y for _x, y in ends))


def _draw_names(group: ET.Element) -> None:
    for kind, (size, fill, spread) in _LOOKS.items():
        same = add(group, "g", class_=kind, font_size=size, fill=fill, letter_spacing=spread, text_anchor="middle",
                   font_family=SERIF, font_style="italic" if kind != "country" else None)
        for row in map_data()["name"]:
            if row["kind"] == kind:
                x, y = row["at"]
                add(same, "text", x=x, y=y, opacity=0.5 if kind == "ocean" else 0.72,
                    transform=f"rotate({row['turn']} {x} {y})" if row["turn"] else None).text = named(row)
                if kind == "people":
                    add(same, "path", d="M-9,8L0,-9L9,8zM0,-9L-3,-13M0,-9L3,-13M-2.5,8L0,2L2.5,8", fill="none",
                        stroke=fill, stroke_width=1.3, opacity=0.7, transform=f"translate({x} {y - 26})")


def _draw_frigate(group: ET.Element) -> None:
    """Draw a ship at sea."""
    add(group, "path", d="M-30,8 C-28,18 -24,20 -20,20 H20 C25,20 28,14 31,5 L24,8 Z", fill="#6b4526", stroke=OUTLINE,
        stroke_width=1.2)
    add(group, "path", d="M-27,13 H26", stroke=GOLD, stroke_width=1.6)
    add(group, "path", d="M-14,8 V-30 M3,8 V-38 M18,8 V-26 M26,6 L42,-4", stroke=OUTLINE, stroke_width=1.4)
    for x, top, low, wide in ((-14, -27, -10, 9), (-14, -8, 5, 11), (3, -34, -14, 9), (3, -12, 5, 12), (18, -23, -8, 7),
                              (18, -6, 5, 9)):
        middle = (top + low) / 2
        add(group, "path", d=f"M{x - wide},{low} Q{x - wide + 5},{middle} {x - wide + 2},{top} H{x + wide - 2} "
            f"Q{x + wide + 5},{middle} {x + wide},{low} Z", fill=PAPER, stroke=OUTLINE, stroke_width=0.9)
    add(group, "path", d="M3,-38 l10,2.5 l-10,3 Z", fill="#b3261e")
    add(group, "path", d="M-40,22 q6,-4 12,0 t12,0 t12,0 t12,0 t12,0 t12,0", fill="none", stroke="#e8f3ee",
        stroke_width=1.6)


LEGEND = 392.0, 322.0


def _draw_legend(group: ET.Element) -> None:
    """Draw the key of connections, pieces and signs, in two columns."""
    wide, high = LEGEND
    add(group, "rect", width=wide, height=high, rx=8.0, fill="#f7efd9", stroke="#b08a4a", stroke_width=1.6)
    rows = [22.0 + 28 * i for i in range(11)]
    words = add(group, "g", fill=INK, font_size=12.5)
    for y, (kind, text) in zip(rows, (("river", _("river (boat)")), ("lake", _("lake (boat)")),
                                      ("road", _("road (wagon)")), ("trail", _("Indian trail (raids)"))), strict=False):
        way = add(group, "g", fill="none", stroke_linecap="round")
        for stroke in STROKES[kind]:
            add(way, "path", d=f"M10,{num(y)}q10,-7,20,0t20,0", **stroke)
        add(words, "text", x=58, y=y + 5).text = text
    columns = ((58, rows[4:], (_("last action"), _("village"), _("town: value twice"), _("fort"), _("siege"),
                               _("free site"), _("strength in a siege"))),
               (222, rows, (_("needs a settler"), _("sea: all linked"), _("sea, ships in sieges"), _("value, defence"),
                            _("money, price"), _("boat"), _("wagon"), _("fur"), _("military: strength 1"))))
    for x, downward, texts in columns:
        for y, text in zip(downward, texts, strict=False):
            add(words, "text", x=x, y=y + 5).text = text
    last_ring(moved(group, 30, rows[4], 0.34))
    village(moved(group, 30, rows[5], 0.56), 0)
    town(moved(group, 30, rows[6], 0.52), 1)
    add(moved(group, 30, rows[7], 0.38), "use", href="#fas-fort-ring", fill="#26221d", stroke="#ffffff")
    add(moved(group, 30, rows[8], 0.34), "use", href="#fas-burst", fill="#f08a2a", stroke="#7a1d0c", stroke_width=2.2)
    wilderness(moved(group, 30, rows[9]), 0.7)
    strength_badge(moved(group, 30, rows[10], 0.86), 3)
    sign(add(group, "g", fill=LAND, color=LAND), "settler", 200, rows[0], 0.7)
    sign(group, "harbour", 200, rows[1])
    sign(add(group, "g", fill=SEA, color=SEA), "ship", 200, rows[2], 0.7)
    value_sign(moved(group, 206, rows[3], 0.86, **LETTERS_ON), 4)
    shield(moved(group, 186, rows[3], 0.94, **LETTERS_ON), 1)
    coin(moved(group, 200, rows[4], 0.92, **LETTERS_ON), "2")
    offers = add(group, "g", fill=INK, color=INK)
    for y, name in zip(rows[5:], ("boat", "wagon", "fur", "military"), strict=False):
        sign(offers, name, 200, y, 0.7)


# ---- connections and frame ----------------------------------------------------------------------------


def _draw_links(group: ET.Element) -> None:
    for kind, strokes in STROKES.items():
        for stroke in strokes:
            symbol(group, f"fas-way-{kind}", class_=kind, **stroke)


def _draw_frame(group: ET.Element) -> None:
    left, top, wide, high = sheet()
    for colour, broad in ((OUTLINE, 7.0), ("#8a5a2a", 4.6), (GOLD, 1.2)):
        add(group, "rect", x=left + 2, y=top + 2, width=wide - 4, height=high - 4, rx=13.0, stroke=colour,
            stroke_width=broad)
