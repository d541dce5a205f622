"""The picture of Attila: one SVG document of the map, its score track, the influence chart, and the seats."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.attila.map import Land
from sfida.engines.attila.narration import happened, headline
from sfida.engines.attila.pieces_svg import (
    CARD_HIGH, CARD_WIDE, CHART_WIDE, GOLD, INK, OUTLINE, RED, card_backs, chart_space, draw_chart, empty_chart, head,
    head_symbols, ink_on, marker, say, tile, tile_symbols, tribe_card
)
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.style import (
    card_key, centuries, fought, is_over, last_province, letters_of, ordinal, peaceful_limit, province_key, seat_name,
    seat_rgb, tile_key, tile_names, track_spaces, tribes
)
from sfida.engines.attila.terrain import WIDE, Ring, Stand, Terrain, scale, size, stands, terrain
from sfida.engines.drawing.colors import PLACE, PLACE_RIM
from sfida.engines.drawing.svg import (
    FAINT, NOTES, BoxLook, Rose, add, box, draw_rose, gradient, hit, keep_place, moved, new_sheet, noise, path,
    seat_box, spaced, title, write, written
)
from sfida.engines.language import NP_, _, counted, language, ngettext, pgettext

# ---- The scenery of a map: sea, ground, borders, arrows, names; written once per map

_TINTS = ("#e7d3a1", "#d8c187", "#d6cf9f", "#e3c7a0", "#cfc08f", "#dccaa9")
_ROSE = Rose(rings=((44, 1.2), (38, 0.7)), rays=((45, 30), (0, 46)), waist=7, light="#f8f3df", dark="#8c3b22",
             ring="#f8f3df", ring_opacity=0.7, hub=(4.0, GOLD, OUTLINE, 0.8), opacity=0.85)
_SHORE, _BORDER, _WILDS, _ROCK = "#fbf1d6", "#5b4322", "#8f9c6b", "#a08a68"


def high(land: Land) -> float:
    """Return the height of the map on the sheet."""
    return land.high * scale(land)


def stand(land: Land, province: int) -> Stand:
    """Return place and scale of a province's tokens and tile on the sheet."""
    one = stands(land, language())[province]
    return Stand(one.x * scale(land), one.y * scale(land), one.size * size(land), one.order)


@lru_cache(maxsize=16)
def scenery(land: Land, spoken: str) -> dict[str, str]:
    """Return the symbols and the ground of a map as written elements, with names in the current language."""
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


# ---- Shapes of the provinces of Attila, for pointing


@lru_cache(maxsize=16)
def province_hits(land: Land) -> str:
    """Write the shapes of the provinces."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits", transform=f"scale({scale(land):.5g})")
    for number in range(len(land.provinces)):
        hit(group, province_key(land, number), "use", href=f"#att-p{number}")
    return written(root)


# ---- The picture: the map, its score track, the chart, the seats

TRACK, TOP, GAP = 32.0, 50.0, 10.0
SHEET = WIDE + 2 * TRACK + CHART_WIDE + 3 * GAP
_DIGITS, _MARKER = 14.0, 9.0             # room for the number of a space; radius of a marker
_SWORDS = 0.72                           # scale that gives the swords the size of a peace tile
_TABLE, _LAST = "#e9dcbd", "#7b1fd0"


def board_svg(position: Position, *, seat: int | None = None, size: int = 800, labels: bool = False,
              places: Collection[tuple[str, int]] = ()) -> str:
    """Draw the map with all tokens and tiles, the influence chart, the seats, and the hand of the viewing seat.

    The codes of the provinces are always shown; the kind of a place is "province".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    land = position.land
    sheet = new_sheet(f"Attila: {headline(position)}", SHEET, size, _TABLE)
    root = sheet.root
    say(root, 14, 36, "ATTILA", 32, bold=True, serif=True, fill="#7d1f1a")
    now = _("{ordinal} century  ·  turn {turn}").format(ordinal=ordinal(position.century), turn=position.turn)
    say(root, 166, 35, now, 16, bold=True, serif=True, class_="century")
    say(root, SHEET - 14, 34, headline(position), 17, anchor="end", class_="news")
    tall = high(land) + 2 * TRACK
    board = moved(root, GAP, TOP, class_="board")
    keep_place(board, "track")
    field = moved(board, TRACK, TRACK, clip_path="url(#att-sheet)")
    keep_place(field, "ground")
    if labels:
        _draw_places(field, land, places)
    keep_place(field, "peace")
    keep_place(field, "mountains")
    keep_place(field, "rims")
    _draw_last(field, position)
    keep_place(field, "names")
    keep_place(field, "tokens")
    _draw_fights(field, position)
    keep_place(field, "hits")
    _draw_scores(board, position)
    draw_chart(root, position, GAP + WIDE + 2 * TRACK + GAP, TOP, tall)
    height = _draw_panel(root, position, seat, TOP + tall + GAP, SHEET)
    spoken = language()
    parts = scenery(land, spoken) | {"track": _track(land), "chart": empty_chart(land.last_space, tall, spoken),
                             "peace": _peace(position), "tokens": _tokens(position), "hits": province_hits(land)}
    return write(sheet, height, parts)


def on_province(root: ET.Element, land: Land, province: int) -> tuple[ET.Element, Stand]:
    """Append a group in the units of a province's tokens; return it with the arrangement of the tokens."""
    at = stand(land, province)
    return moved(root, GAP + TRACK + at.x, TOP + TRACK + at.y, at.size), at


def on_chart(land: Land, tribe: int, space: int) -> tuple[float, float, float]:
    """Return middle and radius of a marker on a space of the influence chart."""
    x, y, radius = chart_space(land.last_space, high(land) + 2 * TRACK, tribe, space)
    return GAP + WIDE + 2 * TRACK + GAP + x, TOP + y, radius


# ---- the score track ----------------------------------------------------------------------------------


def track_box(land: Land, space: int) -> tuple[float, float, float, float]:
    """Return x, y, width and height of a space of the score track, relative to the board's corner.

    The track runs clockwise around the map from its upper left corner (ATT-1.8).
    """
    wide, tall = WIDE + 2 * TRACK, high(land)
    half = track_spaces() // 2
    along = min(half - 1, max(1, round(half * wide / (wide + tall))))
    down = half - along
    if space < along:
        return wide / along * space, 0.0, wide / along, TRACK
    if space < along + down:
        return wide - TRACK, TRACK + tall / down * (space - along), TRACK, tall / down
    if space < 2 * along + down:
        return wide - wide / along * (space - along - down + 1), TRACK + tall, wide / along, TRACK
    return 0.0, TRACK + tall - tall / down * (space - 2 * along - down + 1), TRACK, tall / down


@lru_cache(maxsize=16)
def _track(land: Land) -> str:
    root = ET.Element("g", {"class": "track"})
    add(root, "rect", x=-3.0, y=-3.0, width=WIDE + 2 * TRACK + 6, height=high(land) + 2 * TRACK + 6, rx=5.0,
        fill="#5d3413")
    for space in range(2 * (track_spaces() // 2)):
        x, y, wide, tall = track_box(land, space)
        ten, five = space % 10 == 0, space % 5 == 0
        add(root, "rect", x=x + 0.8, y=y + 0.8, width=wide - 1.6, height=tall - 1.6, rx=2.0,
            fill="#b8502f" if ten else "#e4c98f" if five else "#f3e6c4")
        say(root, x + 3, y + 11, str(space), 9.5 if five else 8.5, bold=five, fill="#ffffff" if ten else "#6a5128")
    return ET.tostring(root, encoding="unicode")


def _draw_scores(board: ET.Element, position: Position) -> None:
    """Set the markers of the seats beside the numbers of the score track; it wraps round (ATT-8.10)."""
    where: dict[int, list[int]] = {}
    for seat, one in enumerate(position.seats):
        where.setdefault(one.score % (2 * (track_spaces() // 2)), []).append(seat)
    group = add(board, "g", class_="scores")
    for space, seats in where.items():
        x, y, wide, tall = track_box(position.land, space)
        left, top = (_DIGITS, 0.0) if wide > tall else (0.0, _DIGITS - 3)
        columns, radius = _packed(len(seats), wide - left, tall - top)
        rows = -(-len(seats) // columns)
        for i, seat in enumerate(seats):
            marker(group, seat, x + (left + wide) / 2 + 2 * radius * (i % columns - (columns - 1) / 2),
                   y + (top + tall) / 2 + 2 * radius * (i // columns - (rows - 1) / 2) - 0.5, radius)


def _packed(count: int, wide: float, tall: float) -> tuple[int, float]:
    """Return the number of columns in which discs fill a space best, and their radius."""
    def radius(columns: int) -> float:
        return min(wide / columns, tall / -(-count // columns), 2 * _MARKER) / 2

    best = max(range(1, count + 1), key=radius)
    return best, radius(best) - 0.3


# ---- provinces ----------------------------------------------------------------------------------------


def _peace(position: Position) -> str:
    """Lay the peace tiles (ATT-7.1)."""
    tiles = [_peace_tile(position.land, number, language()) for number, calm in enumerate(position.pacified) if calm]
    return f'<g class="peace-tiles">{"".join(tiles)}</g>'


@lru_cache(maxsize=512)
def _peace_tile(land: Land, number: int, spoken: str) -> str:
    """Write the tile of a province, with its title in the current language."""
    root = ET.Element("g")
    at = stand(land, number)
    add(root, "use", href=f"#att-p{number}", fill="#ffffff", opacity=0.5, transform=f"scale({scale(land):.5g})")
    group = moved(root, at.x, at.y, at.size, class_="pacified", data_province=number)
    title(group, _("{province}: pacified").format(province=land.provinces[number].name))
    add(moved(group, *at.order.mark, 0.68), "use", href="#att-peace")
    return written(root)


def _tokens(position: Position) -> str:
    spoken = language()
    return "".join(_stand(position.land, number, row, spoken) for number, row in enumerate(position.tokens) if any(row))


@lru_cache(maxsize=4096)
def _stand(land: Land, number: int, row: Six, spoken: str) -> str:
    """Write the tokens of a province, named in the current language; cached, as most provinces do not change in a move.
    """
    tribes_there = [tribe for tribe, count in enumerate(row) for _token in range(count)]
    root = ET.Element("g")
    at = stand(land, number)
    group = moved(root, at.x, at.y, at.size, class_="tokens", data_province=number, data_tokens=letters_of(row))
    title(group, f"{land.provinces[number].name}: {letters_of(row)}")
    for tribe, (x, y) in zip(tribes_there, at.order.places[min(5, len(tribes_there)) - 1], strict=False):
        head(group, tribe, x, y, data_tribe=tribe)
    return written(root)


def _draw_places(field: ET.Element, land: Land, places: Collection[tuple[str, int]]) -> None:
    group = add(field, "g", class_="places", transform=f"scale({scale(land):.5g})")
    for number in sorted({number for _kind, number in places}):
        add(group, "use", href=f"#att-p{number}", class_="place", data_province=number, fill=PLACE, fill_opacity=0.62,
            stroke=PLACE_RIM, stroke_width=2.4 / scale(land))


def _draw_last(field: ET.Element, position: Position) -> None:
    """Outline the provinces of the last token and the last conflict."""
    land = position.land
    numbers = {last_province(position), position.battle.province if position.battle is not None else -1} - {-1}
    for number in sorted(numbers):
        group = add(field, "g", class_="last", data_province=number, transform=f"scale({scale(land):.5g})")
        for colour, wide in (("#ffffff", 7.0), (_LAST, 3.4)):
            add(group, "use", href=f"#att-p{number}", fill="none", stroke=colour, stroke_width=wide / scale(land))


def _draw_fights(field: ET.Element, position: Position) -> None:
    """Mark the provinces that hold too many tokens for peace (ATT-6.1)."""
    now = fought(position)
    for number, row in enumerate(position.tokens):
        if sum(row) > peaceful_limit() and not position.pacified[number]:
            at = stand(position.land, number)
            x, y = at.order.mark
            group = moved(field, at.x + x * at.size, at.y + y * at.size, _SWORDS * at.size,
                          class_="fight now" if number == now else "fight", data_province=number,
                          opacity=None if number == now else 0.6)
            title(group, _("conflict in {province}").format(province=position.land.provinces[number].name))
            add(group, "use", href="#att-swords")


# ---- below the map: the seats and their holdings -----------------------------------------------------

_PLAIN, _LIT = BoxLook("#fbf5e5", "#c9b58a", 1.2), BoxLook("#fff1ae", "#c79a1d", 2.4)
_HEADS = ((NP_("attila", "points"), 212, "middle"), (NP_("attila", "if scored now"), 282, "middle"),
          (NP_("attila", "hand"), 352, "start"), (NP_("attila", "laid"), 466, "start"),
          (NP_("attila", "tiles left"), 640, "start"))
_ROW, _SEATS, _LETTER = 46.0, 760.0, 8.0      # height of a row; width for the seats; width of a letter of the events


def _draw_panel(root: ET.Element, position: Position, viewer: int | None, top: float, wide: float) -> float:
    """Draw everything below the map; return the height of the sheet."""
    panel = add(root, "g", class_="panel")
    bottom = _draw_seats(panel, position, viewer, 10, top, _SEATS)
    left = 10 + _SEATS + 12
    low = _draw_centuries(panel, position, left, top, wide - left - 10)
    low = _draw_piles(panel, position, left, low + 8, wide - left - 10)
    if viewer is not None and position.seats[viewer].hand is not None:
        bottom = _draw_hand(panel, position, viewer, 10, max(bottom, low) + 4, wide - 20)
    return _draw_key(panel, position, max(bottom, low) + 2, wide)


def _draw_key(panel: ET.Element, position: Position, y: float, wide: float) -> float:
    """Explain the marks on the map."""
    parts = [_("red border: start province"), _("dashed arrow: adjacent over water"), _("mountains part provinces"),
             _("dove: pacified"), _("swords: conflict"), _("violet outline: the last move")]
    parts += [_("the borders are reconstructed")] if position.land.reconstructed else []
    say(panel, wide / 2, y + 14, spaced(parts), 12, anchor="middle", fill=FAINT, class_="key")
    return y + 24


# ---- the seats ----------------------------------------------------------------------------------------


def _draw_seats(panel: ET.Element, position: Position, viewer: int | None, x: float, top: float, wide: float) -> float:
    group = add(panel, "g", class_="seats")
    over, laid = is_over(position), any(one.laid for one in position.seats)
    for name, at, anchor in _HEADS:
        if (name == "if scored now" and over) or (name == "laid" and not laid):
            continue
        say(group, x + at, top + 11, pgettext("attila", name), 11, anchor=anchor, fill=FAINT)
    y = top + 17
    for seat in range(position.players):
        _draw_seat(group, position, seat, viewer, x, y, wide)
        y += _ROW + 5
    return y


def _draw_seat(parent: ET.Element, position: Position, seat: int, viewer: int | None, x: float, y: float,
               wide: float) -> None:
    who = position.seats[seat]
    lit = seat in position.winners if is_over(position) else seat == position.seat_to_move
    group = add(parent, "g", class_=f"seat seat-{seat}")
    seat_box(group, x, y, wide, _ROW, _LIT if lit else _PLAIN, seat_rgb(seat), OUTLINE, stripe=7.0)
    marker(group, seat, x + 32, y + _ROW / 2, 15.0)
    say(group, x + 56, y + 22, seat_name(seat), 17, bold=True, serif=True, class_="name")
    say(group, x + 56, y + 37, ", ".join(_notes(position, seat, viewer)), 11, fill=NOTES, class_="notes")
    say(group, x + 212, y + 31, str(who.score), 23, anchor="middle", bold=True, serif=True, class_="score")
    if not is_over(position):
        say(group, x + 282, y + 29, f"+{who.prospect}", 14, anchor="middle", fill=FAINT, class_="prospect")
    if who.hand is not None:
        _draw_known(group, who.hand, x + 352, y + 12, 9.0, "known-hand")
    else:
        card_backs(group, x + 352, y + 12, who.hand_size)
    if who.hand_size:
        say(group, x + 352 + 9 * who.hand_size + 12, y + 29, str(who.hand_size), 13, bold=True, class_="hand-size")
    if who.laid:
        _draw_laid(group, who.laid, who.laid_cards, x + 466, y)
    for number, name in enumerate(tile_names()):
        tile(group, name, x + 656 + 34 * number, y + _ROW / 2, name not in who.tiles, 1.3)
        if seat == viewer:
            hit(add(group, "g", class_="hits"), tile_key(name), "rect", x=x + 656 + 34 * number - 17, y=y + 2,
                width=34.0, height=_ROW - 4, rx=5.0)


def _draw_laid(group: ET.Element, count: int, cards: Six | None, x: float, y: float) -> None:
    """Draw the cards of a seat in the conflict, face up if the viewer may know them (ATT-6.5)."""
    laid = add(group, "g", class_="laid", data_count=count, data_known="" if cards is None else letters_of(cards))
    if cards is None:
        card_backs(laid, x, y + 12, count, 17.0)
    else:
        _draw_known(laid, cards, x, y + 12, 17.0, "known-laid")
    said = ngettext("{count} laid", "{count} laid", count).format(count=count)
    say(laid, x + 17 * count + 8, y + 29, said, 12, bold=True)


def _draw_known(parent: ET.Element, cards: Six, x: float, y: float, step: float, name: str) -> None:
    """Draw known cards small, side by side, each with the letter of its tribe."""
    group = add(parent, "g", class_=name)
    for i, letter in enumerate(letters_of(cards)):
        tribe = next(one for one in tribes() if one.letter == letter)
        add(group, "rect", x=x + step * i, y=y, width=15.0, height=22.0, rx=2.4, fill=tribe.rgb, stroke=OUTLINE,
            stroke_width=1.0)
        say(group, x + step * i + (7.5 if step > 14 else 4.6), y + 15, letter, 9.5, anchor="middle", bold=True,
            fill=ink_on(tribe.rgb))


def _notes(position: Position, seat: int, viewer: int | None) -> list[str]:
    notes = [_("you")] if seat == viewer else []
    if is_over(position):
        return [*notes, pgettext("attila", "winner")] if seat in position.winners else notes
    if seat == position.seat_on_turn:
        notes.append(pgettext("attila", "active"))
    if seat == position.seat_to_move and seat != position.seat_on_turn:
        notes.append(pgettext("attila", "to move"))
    return notes


# ---- centuries and piles ------------------------------------------------------------------------------


def _draw_centuries(panel: ET.Element, position: Position, x: float, top: float, wide: float) -> float:
    """Draw the century spaces with the peace tiles left (ATT-2.2)."""
    group = add(panel, "g", class_="centuries")
    room = (wide - 18) / len(centuries())
    for number, (century, left) in enumerate(zip(centuries(), position.peace, strict=True)):
        at = x + (room + 6) * number
        now = century.number == position.century and not is_over(position)
        item = add(group, "g", class_="century now" if now else "century", data_century=century.number, data_left=left)
        title(item, _("{ordinal} century: {left} of {tiles} peace tiles left; a card brings {gain} influence").format(
            ordinal=ordinal(century.number), left=left, tiles=century.tiles, gain=century.gain))
        box(item, at, top, room, 88, _LIT if now else _PLAIN)
        say(item, at + room / 2, top + 18, _("{ordinal} century").format(ordinal=ordinal(century.number)), 13,
            anchor="middle", bold=True, serif=True)
        step = min(31.0, (room - 36) / max(1, century.tiles - 1)) if century.tiles > 1 else 0.0
        for i in range(century.tiles):
            cx, cy = at + room / 2 + step * (i - (century.tiles - 1) / 2), top + 42
            if i < left:
                add(item, "use", href="#att-peace", transform=f"translate({cx:.1f} {cy}) scale(0.92)")
            else:
                add(item, "circle", cx=cx, cy=cy, r=13.4, fill="none", stroke="#bfae86", stroke_width=1.1,
                    stroke_dasharray="3 3")
        say(item, at + room / 2, top + 79, _("+{gain} influence").format(gain=century.gain), 12, anchor="middle",
            bold=now, fill=INK if now else FAINT)
    return top + 88


def _draw_piles(panel: ET.Element, position: Position, x: float, top: float, wide: float) -> float:
    """Draw the draw pile, the discards by tribe, the cards put aside for an exchange, and the last events."""
    group = add(panel, "g", class_="piles")
    lines = [(line, number == 0 and position.battle is not None) for number, text in enumerate(happened(position))
             for line in textwrap.wrap(text, int((wide - 24) / _LETTER))]
    given = sum(position.given)
    tall = 42.0 + 18 * len(lines) + (30 if given else 0)
    box(group, x, top, wide, tall, _PLAIN)
    for i in range(min(3, position.pile)):
        add(group, "use", href="#att-back", x=x + 12 + 2.0 * i, y=top + 11 - 1.5 * i)
    say(group, x + 40, top + 27, _("pile {cards}").format(cards=position.pile), 13, bold=True, class_="pile")
    say(group, x + 112, top + 27, _("discards"), 12, fill=FAINT)
    for tribe in tribes():
        at = x + 184 + 66 * tribe.number
        head(group, tribe.number, at, top + 22, 0.92)
        say(group, at + 14, top + 27, str(position.discards[tribe.number]), 13, bold=True,
            class_=f"discard tribe-{tribe.number}")
    y = top + 38
    if given:
        say(group, x + 12, y + 17, _("put aside for an exchange"), 12, fill=FAINT)
        _draw_known(group, position.given, x + 184, y + 2, 18.0, "given")
        y += 30
    for number, (line, bold) in enumerate(lines):
        say(group, x + 12, y + 13 + 18 * number, line, 12.5, bold=bold, class_="told")
    return top + tall


# ---- the hand -----------------------------------------------------------------------------------------


def _draw_hand(panel: ET.Element, position: Position, viewer: int, x: float, top: float, wide: float) -> float:
    """Draw the hand of the viewer as piles by tribe, then the cards it has laid."""
    who = position.seats[viewer]
    assert who.hand is not None
    group = add(panel, "g", class_="hand")
    box(group, x, top, wide, CARD_HIGH + 34, _PLAIN)
    say(group, x + 14, top + 24, pgettext("attila", "Your hand"), 15, bold=True, serif=True)
    say(group, x + 14, top + 42, counted(who.hand_size, "card", "cards"), 12, fill=FAINT)
    at = x + 118
    for tribe in tribes():
        if who.hand[tribe.number]:
            tribe_card(group, tribe.number, at, top + 20, who.hand[tribe.number])
            hit(add(group, "g", class_="hits"), card_key(tribe.number), "rect", x=at, y=top + 20, width=CARD_WIDE,
                height=CARD_HIGH, rx=5.0)
            at += CARD_WIDE + 32
    if who.laid_cards is not None and who.laid:
        at = max(at + 30, x + 700)
        own = moved(group, 0, 0, class_="own-laid")
        add(own, "rect", x=at - 16, y=top + 8, width=x + wide - at + 8, height=CARD_HIGH + 18, rx=6.0, fill="none",
            stroke=GOLD, stroke_width=2.0, stroke_dasharray="6 4")
        say(own, at - 4, top + 26, _("face down"), 11, bold=True, fill=FAINT)
        at += 74
        for tribe in tribes():
            if who.laid_cards[tribe.number]:
                tribe_card(own, tribe.number, at, top + 20, who.laid_cards[tribe.number], _("face down"))
                at += CARD_WIDE + 32
    return top + CARD_HIGH + 34
