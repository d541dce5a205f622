"""The picture of Attila: one SVG document of the map, its score track, the influence chart, and the seats."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import lru_cache, partial
from xml.etree import ElementTree as ET

from sfida.engines.attila.map import Land
from sfida.engines.attila.narration import happened, headline
from sfida.engines.attila.pieces_svg import (
    CARD_HIGH, CARD_WIDE, CHART_WIDE, CODE, GOLD, INK, ISLAND, NAME, OUTLINE, RED, card_backs, chart_space, draw_chart,
    empty_chart, head, head_symbols, high, ink_on, marker, names_on_map, say, stand, tile, tile_symbols, tribe_card
)
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.style import (
    card_key, centuries, fought, is_over, last_province, letters_of, ordinal, peaceful_limit, province_key, seat_name,
    seat_rgb, tile_key, tile_names, track_spaces, tribes
)
from sfida.engines.attila.terrain import WIDE, Ring, Stand, Terrain, scale, size, terrain
from sfida.engines.drawing.colors import PLACE, PLACE_RIM
from sfida.engines.drawing.placing import wrapped
from sfida.engines.drawing.svg import (
    FAINT, NOTES, BoxLook, Rose, add, bound, box, document_text, draw_rose, gradient, hit, keep_place, moved, new_sheet,
    noise, num, path, seat_box, title, write, written, zone
)
from sfida.engines.language import _, counted, language, ngettext, pgettext

# ---- The scenery of a map: sea, ground, borders, arrows, names; written once per map

_TINTS = ("#e7d3a1", "#d8c187", "#d6cf9f", "#e3c7a0", "#cfc08f", "#dccaa9")
_ROSE = Rose(rings=((44, 1.2), (38, 0.7)), rays=((45, 30), (0, 46)), waist=7, light="#f8f3df", dark="#8c3b22",
             ring="#f8f3df", ring_opacity=0.7, hub=(4.0, GOLD, OUTLINE, 0.8), opacity=0.85)
_SHORE, _BORDER, _WILDS, _ROCK = "#fbf1d6", "#5b4322", "#8f9c6b", "#a08a68"


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
    """Write the name of every province beside its tokens, and below it the code."""
    for number, (one, name) in enumerate(zip(land.provinces, names_on_map(land, language()), strict=True)):
        label = add(group, "g", class_="name", data_province=number)
        left, _top, right, bottom = name.box
        say(label, (left + right) / 2, bottom - 1, one.code, CODE * name.size / NAME, anchor="middle", bold=True,
            fill=RED if one.start else INK, halo="#fff8e6", class_="code")
        for line, x, y in name.rows:
            say(label, x, y, line, name.size, anchor="middle", fill=RED if one.start else INK, halo="#fff8e6",
                class_="province-name above")
    for island, rings in zip(land.islands, terrain(land).islands, strict=True):
        if rings:
            say(group, island.x * scale(land), island.y * scale(land) + 3, island.name, ISLAND * min(1.0, size(land)),
                anchor="middle", fill="#3c4a3c", halo="#eef3e6", class_="island-name")


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

TRACK, TOP, GAP = 34.0, 50.0, 10.0
SHEET = WIDE + 2 * TRACK + CHART_WIDE + 3 * GAP
_DIGITS, _MARKER = 13.0, 10.0            # height of the number of a space; radius of a marker
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
    say(root, 166, 35, now, 16, bold=True, serif=True, class_="century", data_zone="when")
    say(root, SHEET - 14, 34, headline(position), 17, anchor="end", class_="news", data_zone="news")
    tall = high(land) + 2 * TRACK
    bound(table := zone(root, "map"), GAP - 4, TOP - 4, SHEET - 2 * GAP + 8, tall + 8)
    board = moved(table, GAP, TOP, class_="board")
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
    draw_chart(table, position, GAP + WIDE + 2 * TRACK + GAP, TOP, tall)
    height = _draw_panel(root, position, seat, TOP + tall + GAP)
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
        say(root, x + 3, y + 12.4, str(space), 13, bold=five, fill="#ffffff" if ten else "#6a5128")
    return document_text(root)


def _draw_scores(board: ET.Element, position: Position) -> None:
    """Set the markers of the seats beside the numbers of the score track; it wraps round (ATT-8.10)."""
    where: dict[int, list[int]] = {}
    for seat, one in enumerate(position.seats):
        where.setdefault(one.score % (2 * (track_spaces() // 2)), []).append(seat)
    group = add(board, "g", class_="scores")
    for space, seats in where.items():
        x, y, wide, tall = track_box(position.land, space)
        left, top = 0.0, _DIGITS
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
    group = moved(root, at.x, at.y, at.size, class_="tokens", data_province=number, data_tokens=letters_of(row),
                  data_piece=province_key(land, number))
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
_WIDE, _ROW, _LAID = 372.0, 86.0, 30.0        # width of a block; height of that of a seat, and of its laid cards
_GROWN, _READ = 1.25, 0.98                    # size of a block on the sheet, and pixels per unit of its own
_Draw = Callable[[ET.Element], float]         # draws a block from its upper left corner, returns its height


def _draw_panel(root: ET.Element, position: Position, viewer: int | None, top: float) -> float:
    """Draw everything below the map, in columns; return the height of the sheet."""
    panel = add(root, "g", class_="panel")
    if viewer is not None and position.seats[viewer].hand is not None:
        group = zone(panel, "hand", _READ / _GROWN, class_="hand")
        wide, tall = _draw_hand(moved(group, GAP, top, _GROWN), position, viewer)
        bound(group, GAP - 2, top - 2, wide * _GROWN + 4, tall * _GROWN + 4)
        top += tall * _GROWN + GAP
    lows = [top] * 3
    rows = add(panel, "g", class_="seats")
    order = sorted(range(position.players), key=lambda seat: seat != viewer)
    blocks: list[tuple[ET.Element, str, _Draw]] = [
        (rows, "hand" if seat == viewer else "rest", partial(_draw_seat, position=position, seat=seat, viewer=viewer))
        for seat in order]
    blocks += [(panel, "rest", partial(draw, position=position)) for draw in (_draw_centuries, _draw_piles, _draw_key)]
    for parent, kind, draw in blocks:
        column = min(range(3), key=lambda one: (round(lows[one]), one))
        x, y = GAP + (_WIDE * _GROWN + GAP) * column, lows[column]
        group = zone(parent, kind, _READ / _GROWN)
        tall = draw(moved(group, x, y, _GROWN))
        bound(group, x - 2, y - 2, _WIDE * _GROWN + 4, tall * _GROWN + 4)
        lows[column] += tall * _GROWN + GAP
    return max(lows)


def _draw_key(panel: ET.Element, position: Position) -> float:
    """Explain the marks on the map."""
    parts = [_("red border: start province"), _("dashed arrow: adjacent over water"), _("mountains part provinces"),
             _("dove: pacified"), _("swords: conflict"), _("violet outline: the last move")]
    parts += [_("the borders are reconstructed")] if position.land.reconstructed else []
    for number, part in enumerate(parts):
        say(panel, 6, 14 + 16 * number, part, 12, fill=FAINT, class_="key")
    return 16.0 * len(parts) + 4


# ---- the seats ----------------------------------------------------------------------------------------


def _draw_seat(parent: ET.Element, position: Position, seat: int, viewer: int | None) -> float:
    who, wide = position.seats[seat], _WIDE
    lit = seat in position.winners if is_over(position) else seat == position.seat_to_move
    group = add(parent, "g", class_=f"seat seat-{seat}")
    tall = _ROW + (_LAID if who.laid else 0.0)
    seat_box(group, 0, 0, wide, tall, _LIT if lit else _PLAIN, seat_rgb(seat), OUTLINE, stripe=7.0)
    marker(group, seat, 30, 24, 15.0)
    say(group, 54, 22, seat_name(seat), 16, bold=True, serif=True, class_="name")
    say(group, 54, 39, ", ".join(_notes(position, seat, viewer)), 12, fill=NOTES, class_="notes")
    say(group, wide - 142, 25, str(who.score), 22, anchor="middle", bold=True, serif=True, class_="score")
    say(group, wide - 142, 41, pgettext("attila", "points"), 12, anchor="middle", fill=FAINT)
    if not is_over(position):
        say(group, wide - 54, 25, f"+{who.prospect}", 15, anchor="middle", fill=FAINT, class_="prospect")
        say(group, wide - 54, 41, pgettext("attila", "if scored now"), 12, anchor="middle", fill=FAINT)
    say(group, 16, 70, pgettext("attila", "hand"), 12, fill=FAINT)
    step = min(9.0, 96 / max(1, who.hand_size))
    if who.hand is not None:
        _draw_known(group, who.hand, 60, 55, step, "known-hand")
    else:
        card_backs(group, 60, 55, who.hand_size, step)
    if who.hand_size:
        say(group, 60 + step * who.hand_size + 12, 71, str(who.hand_size), 13.5, bold=True, class_="hand-size")
    say(group, wide - 118, 70, pgettext("attila", "tiles left"), 12, anchor="end", fill=FAINT)
    for number, name in enumerate(tile_names()):
        tile(group, name, wide - 94 + 34 * number, 65, name not in who.tiles, 1.3)
        if seat == viewer:
            hit(add(group, "g", class_="hits"), tile_key(name), "rect", x=wide - 111 + 34 * number, y=46.0,
                width=34.0, height=38.0, rx=5.0)
    if who.laid:
        _draw_laid(group, who.laid, who.laid_cards, 60, _ROW - 8)
    return tall


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
        say(group, x + step * i + (7.5 if step > 14 else step / 2), y + 15.5, letter, min(11.0, 1.24 * step),
            anchor="middle", bold=True, fill=ink_on(tribe.rgb))


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


def _draw_centuries(panel: ET.Element, position: Position) -> float:
    """Draw the century spaces with the peace tiles left (ATT-2.2)."""
    group = add(panel, "g", class_="centuries")
    room = (_WIDE - 18) / len(centuries())
    for number, (century, left) in enumerate(zip(centuries(), position.peace, strict=True)):
        at = (room + 6) * number
        now = century.number == position.century and not is_over(position)
        item = add(group, "g", class_="century now" if now else "century", data_century=century.number, data_left=left)
        title(item, _("{ordinal} century: {left} of {tiles} peace tiles left; a card brings {gain} influence").format(
            ordinal=ordinal(century.number), left=left, tiles=century.tiles, gain=century.gain))
        box(item, at, 0, room, 88, _LIT if now else _PLAIN)
        name = _("{ordinal} century").format(ordinal=ordinal(century.number))
        say(item, at + room / 2, 18, name, min(12.0, 128 / len(name)), anchor="middle", bold=True)
        step = min(31.0, (room - 36) / max(1, century.tiles - 1)) if century.tiles > 1 else 0.0
        for i in range(century.tiles):
            cx, cy = at + room / 2 + step * (i - (century.tiles - 1) / 2), 42
            if i < left:
                add(item, "use", href="#att-peace", transform=f"translate({cx:.1f} {cy}) scale(0.92)")
            else:
                add(item, "circle", cx=cx, cy=cy, r=13.4, fill="none", stroke="#bfae86", stroke_width=1.1,
                    stroke_dasharray="3 3")
        gain = _("+{gain} influence").format(gain=century.gain)
        say(item, at + room / 2, 79, gain, min(12.0, 134 / len(gain)), anchor="middle", bold=now,
            fill=INK if now else FAINT)
    return 88.0


def _draw_piles(panel: ET.Element, position: Position) -> float:
    """Draw the draw pile, the discards by tribe, the cards put aside for an exchange, and the last events."""
    group = add(panel, "g", class_="piles")
    lines = [(line, number == 0 and position.battle is not None) for number, text in enumerate(happened(position))
             for line in wrapped(text, _WIDE - 30, 12.5)]
    given = sum(position.given)
    tall = 76.0 + 18 * len(lines) + (30 if given else 0)
    box(group, 0, 0, _WIDE, tall, _PLAIN)
    for i in range(min(3, position.pile)):
        add(group, "use", href="#att-back", x=12 + 2.0 * i, y=11 - 1.5 * i)
    say(group, 40, 27, _("pile {cards}").format(cards=position.pile), 13, bold=True, class_="pile")
    say(group, 12, 59, _("discards"), 12, fill=FAINT)
    for tribe in tribes():
        at = 92 + 47 * tribe.number
        head(group, tribe.number, at, 54, 0.92)
        say(group, at + 14, 59, str(position.discards[tribe.number]), 13, bold=True,
            class_=f"discard tribe-{tribe.number}")
    y = 70.0
    if given:
        say(group, 12, y + 17, _("put aside for an exchange"), 12, fill=FAINT)
        _draw_known(group, position.given, 200, y + 2, 18.0, "given")
        y += 30
    for number, (line, bold) in enumerate(lines):
        say(group, 12, y + 13 + 18 * number, line, 12.5, bold=bold, class_="told")
    return tall


# ---- the hand -----------------------------------------------------------------------------------------


def _draw_hand(panel: ET.Element, position: Position, viewer: int) -> tuple[float, float]:
    """Draw the hand of the viewer as piles by tribe, then the cards it has laid; return width and height."""
    who = position.seats[viewer]
    assert who.hand is not None
    back = box(panel, 0, 0, 10, CARD_HIGH + 42, _PLAIN)
    say(panel, 12, 20, pgettext("attila", "Your hand"), 14, bold=True, serif=True)
    say(panel, 112, 20, counted(who.hand_size, "card", "cards"), 12, fill=FAINT)
    at, step = 12.0, CARD_WIDE + 16
    for tribe in tribes():
        if who.hand[tribe.number]:
            tribe_card(panel, tribe.number, at, 36, who.hand[tribe.number])
            hit(add(panel, "g", class_="hits"), card_key(tribe.number), "rect", x=at, y=36.0, width=CARD_WIDE,
                height=CARD_HIGH, rx=5.0)
            at += step
    if who.laid_cards is not None and who.laid:
        own = add(panel, "g", class_="own-laid")
        at = max(at, 190.0) + 10
        start = at
        say(own, at + 6, 20, _("face down"), 12, bold=True, fill=FAINT)
        at += 8
        for tribe in tribes():
            if who.laid_cards[tribe.number]:
                tribe_card(own, tribe.number, at, 36, who.laid_cards[tribe.number], _("face down"))
                at += step
        at = max(at, start + 86)
        add(own, "rect", x=start, y=6.0, width=at - start - 2, height=CARD_HIGH + 32, rx=6.0, fill="none",
            stroke=GOLD, stroke_width=2.0, stroke_dasharray="6 4")
    wide = max(at + 6, 200.0)
    back.set("width", num(wide))
    return wide, CARD_HIGH + 42
