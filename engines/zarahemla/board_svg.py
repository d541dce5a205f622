"""The picture of The Settlers of Zarahemla: one SVG document of the land, the table and the seats."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.colors import GOLD, INK, OUTLINE, PAPER, RED, TABLE
from sfida.engines.drawing.svg import add, hit, keep_place, moved, new_sheet, num, title, write, written
from sfida.engines.language import N_, _, pgettext
from sfida.engines.zarahemla.map import HIGH, SIDE, TOP, UNIT, WIDE, at, board, slope
from sfida.engines.zarahemla.panel_svg import draw_panel
from sfida.engines.zarahemla.pieces_svg import (
    HEX_PATH, TERRAINS, card_back, city, hex_symbols, jungle_symbols, road, robber, say, seat_ink, settlement, spread,
    station_sign, temple, token
)
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.style import (
    CORNER_MOVES, DECK, DICE, EDGE_MOVES, HEX_MOVES, SPECIAL, TEMPLE, has_temple, place_key, ratio, resource_noun,
    seat_letters, seat_names, seat_rgb, sentence, terrain_name
)

# ---- Shapes of the hexes, edges and corners of Zarahemla, to be pointed at

_CORNER, _EDGE = 15.0, 26.0                     # radius of a corner, width of an edge


@cache
def land_hits() -> str:
    """Write the shapes of the hexes, over them those of the edges, over both those of the corners."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for number, place in enumerate(board().hexes):
        x, y = at(place.xy)
        hit(group, place_key("hex", number), "path", d=HEX_PATH,
            transform=f"translate({num(x)} {num(y)}) scale({num(0.9 * UNIT)})")
    long = SIDE - 2 * _CORNER
    for number, edge in enumerate(board().edges):
        x, y = at(edge.xy)
        hit(group, place_key("edge", number), "rect", x=-long / 2, y=-_EDGE / 2, width=long, height=_EDGE, rx=9.0,
            transform=f"translate({num(x)} {num(y)}) rotate({num(slope(edge))})")
    for number, corner in enumerate(board().corners):
        x, y = at(corner.xy)
        hit(group, place_key("corner", number), "circle", cx=x, cy=y, r=_CORNER)
    return written(root)


# ---- The Settlers of Zarahemla as a picture: one SVG document of the land, the table and the seats

_LAST, _PLACE = "#ff2e1f", "#ffd21f"
_NAMES = {"longest_road": N_("Longest Road"), "largest_army": N_("Largest Army"), "temple": N_("Temple")}


def board_svg(position: Position, *, seat: int | None = None, size: int = 800, labels: bool = False, target: int = 12,
              places: Collection[tuple[str, int]] = ()) -> str:
    """Draw the land with all pieces, the bank, the special cards and what every seat has.

    Labels are the numbers of corners and hexes; the kinds of places are "corner", "edge" and "hex".

    Other parameters are as in all drawings: see `sfida.engines.drawing`.

    Parameters
    ----------
    target : int
        Victory points that win, the length of the victory track.
    """
    name = _("The Settlers of Zarahemla")
    sheet = new_sheet(f"{name}: {sentence(position)}", WIDE, size, TABLE)
    root = sheet.root
    say(root, 14, 33, name, 24, bold=True, serif=True, fill="#5d3413")
    say(root, WIDE - 14, 31, sentence(position), 13, anchor="end", class_="news")

    keep_place(root, "jungle")
    _draw_land(root, position)
    _draw_stations(root, position)
    _draw_places(root, places)
    _draw_last(root, position)
    _draw_pieces(root, position)
    if labels:
        _draw_labels(root, position, places)
    keep_place(root, "land-hits")
    _draw_table(root, position)
    height = draw_panel(root, position, seat, target, TOP + HIGH + 10, WIDE)
    return write(sheet, height, _scenery() | {"land-hits": land_hits()})


# ---- the land -----------------------------------------------------------------------------------------


@cache
def _scenery() -> dict[str, str]:
    """Write what every picture shares, its definitions and the jungle, once: most of a picture's work."""
    defs, ground = ET.Element("defs"), ET.Element("g")
    hex_symbols(defs)
    jungle_symbols(defs)
    _draw_jungle(ground)
    return {"symbols": written(defs), "jungle": written(ground)}


def _draw_jungle(root: ET.Element) -> None:
    group = add(root, "g", class_="jungle")
    clip = add(add(group, "clipPath", id="zar-frame"), "rect", x=10.0, y=TOP, width=WIDE - 20, height=HIGH, rx=16.0)
    add(group, "rect", **clip.attrib, fill="url(#zar-jungle)")
    plants = add(group, "g", clip_path="url(#zar-frame)", opacity=0.62)
    spots = sorted(((10 + u * (WIDE - 20), TOP + v * HIGH) for u, v in spread(520, 0.13)), key=lambda spot: spot[1])
    for i, (x, y) in enumerate(spots):
        if _in_land(x, y):
            continue
        grown = (0.85 + 0.11 * (i % 5)) * (1.25 if i % 3 == 0 else 1.0)
        turned = -1 if i % 2 else 1
        add(plants, "use", href=f"#zar-{('palm', 'bush', 'fern')[(7 * i) % 3]}",
            transform=f"translate({num(x)} {num(y)}) scale({num(turned * grown)} {num(grown)})")
    add(group, "rect", **clip.attrib, fill="none", stroke="#5d3413", stroke_width=5)
    add(group, "rect", **clip.attrib, fill="none", stroke=GOLD, stroke_width=1.6)


def _in_land(x: float, y: float) -> bool:
    return any(math.hypot(x - at(place.xy)[0], y - at(place.xy)[1]) < 0.98 * SIDE for place in board().hexes)


def _draw_land(root: ET.Element, position: Position) -> None:
    group = add(root, "g", class_="land")
    shore = " ".join(f"M{' L'.join(','.join(map(num, at(board().corners[c].xy))) for c in place.corners)} Z"
                     for place in board().hexes)
    for colour, wide in (("#16331d", 34), ("#8f7440", 27), ("#ecd9a2", 22)):
        add(group, "path", d=shore, fill=colour, stroke=colour, stroke_width=wide, stroke_linejoin="round")
    for number, place in enumerate(board().hexes):
        terrain = position.terrain[number] if position.terrain[number] in TERRAINS else ""
        hexagon = moved(group, *at(place.xy), UNIT, class_="hex", data_hex=number, data_terrain=terrain or None)
        add(hexagon, "use", href=f"#zar-{terrain or 'blank'}")
        add(hexagon, "path", d=HEX_PATH, fill="none", stroke="#ecd9a2", stroke_width=7, stroke_linejoin="round")
        add(hexagon, "path", d=HEX_PATH, fill="none", stroke="#6d5527", stroke_width=1.4, opacity=0.75)
        value = position.numbers[number]
        what = terrain_name(terrain) if terrain else _("not laid yet")
        title(hexagon, _("hex {number}: {what}").format(number=number, what=what) + (f" {value}" if value else ""))
        if value:
            disc = moved(hexagon, 0, 0, class_="token", data_hex=number, data_number=value)
            token(disc, value, position.dice == value and position.robber != number)


def _draw_stations(root: ET.Element, position: Position) -> None:
    group = add(root, "g", class_="stations")
    for number, kind in position.stations:
        edge = board().edges[number]
        place = add(group, "g", class_="station", data_edge=number, data_kind=kind)
        said = _("{ratio}:1 for any resource, corners {a} and {b}") if kind == "any" else \
            _("{ratio}:1 {resource}, corners {a} and {b}")
        title(place, said.format(ratio=ratio(kind), resource="" if kind == "any" else resource_noun(kind),
                                 a=edge.corners[0], b=edge.corners[1]))
        x, y = at(edge.xy, 0.66, edge.out)
        for corner in edge.corners:
            _draw_pier(place, x, y, *at(board().corners[corner].xy, 0.05, edge.out), corner)
        station_sign(moved(place, x, y, 0.92), kind, ratio(kind))


def _draw_pier(parent: ET.Element, x: float, y: float, to_x: float, to_y: float, corner: int) -> None:
    path = f"M{num(x)},{num(y)} L{num(to_x)},{num(to_y)}"
    pier = add(parent, "g", class_="pier", data_corner=corner)
    for colour, wide, dashes in (("#2e1b0a", 10.5, None), ("#b07a41", 7.5, None), ("#6b4219", 7.5, "1.3 4.2")):
        add(pier, "path", d=path, stroke=colour, stroke_width=wide, stroke_dasharray=dashes)
    add(pier, "circle", cx=to_x, cy=to_y, r=7.0, fill="#b07a41", stroke="#2e1b0a", stroke_width=1.8)


# ---- pieces -------------------------------------------------------------------------------------------


def _draw_pieces(root: ET.Element, position: Position) -> None:
    group = add(root, "g", class_="pieces")
    names = seat_names(position.players)
    if position.robber >= 0:
        x, y = at(board().hexes[position.robber].xy)
        right = position.terrain[position.robber] == "hideout"
        pawn = moved(group, x + (0 if right else -0.47 * SIDE), y + (0.5 if right else 0.34) * SIDE, 0.86 * UNIT,
                     class_="robber", data_hex=position.robber)
        title(pawn, _("the robber"))
        robber(pawn)
    for number, owner in position.roads:
        edge = board().edges[number]
        turned = slope(edge)
        x, y = at(edge.xy)
        piece = moved(group, x, y, UNIT, class_=f"road seat-{owner}", data_edge=number)
        title(piece, _("{name} road {a}-{b}").format(name=names[owner], a=edge.corners[0], b=edge.corners[1]))
        piece.set("transform", f"{piece.get('transform')} rotate({num(turned)})")
        road(piece, 62.0, owner, -turned)
    for corner, owner, kind in sorted(position.buildings, key=lambda item: board().corners[item[0]].xy[1]):
        x, y = at(board().corners[corner].xy)
        piece = moved(group, x, y, UNIT * 1.06, class_=f"{kind} seat-{owner}", data_corner=corner)
        said = _("{name} city {corner}") if kind == "city" else _("{name} settlement {corner}")
        title(piece, said.format(name=names[owner], corner=corner))
        (city if kind == "city" else settlement)(piece, owner)


def _halo(group: ET.Element, kind: str, number: int, colour: str, class_: str, wide: float) -> None:
    """Mark a corner, edge or hex; under the pieces."""
    for stroke, grown, name in (("#ffffff", wide + 3.5, None), (colour, wide, class_)):
        look = {"class_": name, "fill": "none", "stroke": stroke, "stroke_width": grown}
        if kind == "corner":
            x, y = at(board().corners[number].xy)
            add(group, "circle", cx=x, cy=y - 1.5, r=20.5, **look)
        elif kind == "edge":
            x, y = at(board().edges[number].xy)
            add(group, "rect", x=-31.0, y=-11.5, width=62.0, height=23.0, rx=9.0, **look,
                transform=f"translate({num(x)} {num(y)}) rotate({num(slope(board().edges[number]))})")
        else:
            x, y = at(board().hexes[number].xy)
            add(group, "path", d=HEX_PATH, **{**look, "stroke_width": grown / UNIT}, stroke_linejoin="round",
                transform=f"translate({num(x)} {num(y)}) scale({num(0.9 * UNIT)})")


def _draw_last(root: ET.Element, position: Position) -> None:
    if position.last is None:
        return
    move, place = position.last
    for kind, moves, count in (("corner", CORNER_MOVES, 54), ("edge", EDGE_MOVES, 72), ("hex", HEX_MOVES, 19)):
        if move in moves and 0 <= place < count:
            _halo(add(root, "g", class_="last-move"), kind, place, _LAST, "last", 4.0)


def _draw_places(root: ET.Element, places: Collection[tuple[str, int]]) -> None:
    group = add(root, "g", class_="places")
    for kind, number in sorted(set(places)):
        if kind == "corner":
            x, y = at(board().corners[number].xy)
            add(group, "circle", class_="place", cx=x, cy=y, r=11.5, fill=_PLACE, fill_opacity=0.85, stroke=OUTLINE,
                stroke_width=1.6)
        elif kind == "edge":
            x, y = at(board().edges[number].xy)
            add(group, "rect", class_="place", x=-19.0, y=-4.5, width=38.0, height=9.0, rx=4.5, fill=_PLACE,
                fill_opacity=0.85, stroke=OUTLINE, stroke_width=1.4,
                transform=f"translate({num(x)} {num(y)}) rotate({num(slope(board().edges[number]))})")
        else:
            x, y = at(board().hexes[number].xy)
            add(group, "path", class_="place", d=HEX_PATH, fill="none", stroke=_PLACE, stroke_width=6,
                transform=f"translate({num(x)} {num(y)}) scale({num(0.9 * UNIT)})")


def _draw_labels(root: ET.Element, position: Position, places: Collection[tuple[str, int]]) -> None:
    """Write the numbers of the corners, below what stands there, and of the hexes at their lower tips."""
    group = add(root, "g", class_="labels")
    kinds = {corner: kind for corner, _owner, kind in position.buildings}
    for number, corner in enumerate(board().corners):
        x, y = at(corner.xy)
        y += {"settlement": 19.5, "city": 21.0}.get(kinds.get(number, ""), 0.0)
        add(group, "rect", x=x - 10, y=y - 8, width=20.0, height=16.0, rx=8.0, stroke=OUTLINE,
            stroke_width=1.0, fill=_PLACE if ("corner", number) in places else "#fffdf3", opacity=0.95)
        say(group, x, y + 4.3, f"{number:02}", 12, anchor="middle", bold=True, class_="label corner-label")
    for number, place in enumerate(board().hexes):
        x, y = at(place.xy)
        add(group, "rect", x=x - 14, y=y + 0.52 * SIDE, width=28.0, height=16.0, rx=4.0, fill=INK, opacity=0.82)
        say(group, x, y + 0.52 * SIDE + 12.2, f"h{number}", 12, anchor="middle", bold=True, fill="#fff6d8",
            class_="label hex-label")


# ---- the corners of the frame -------------------------------------------------------------------------


def _plate(root: ET.Element, x: float, y: float, wide: float, high: float, class_: str) -> ET.Element:
    group = moved(root, x, y, class_=class_)
    add(group, "rect", width=wide, height=high, rx=9.0, fill=PAPER, fill_opacity=0.95, stroke="#5d3413",
        stroke_width=2.2)
    return group


def _plate_hit(plate: ET.Element, key: str) -> None:
    """Draw the shape of a plate, over all that is on it."""
    wide, high = plate[0].attrib["width"], plate[0].attrib["height"]
    hit(add(plate, "g", class_="hits"), key, "rect", width=wide, height=high, rx=9.0)


def _draw_table(root: ET.Element, position: Position) -> None:
    """Draw dice, deck, temple and special cards where the frame leaves room."""
    low = TOP + HIGH
    _draw_dice(root, position)
    deck = _plate(root, WIDE - 20 - 100, TOP + 10, 100, 78, "deck")
    for i in range(min(position.deck, 4)):
        card_back(moved(deck, 12 + 2.2 * i, 28 - 1.6 * i, 1.12), "development", 0)
    say(deck, 10, 17, _("Cards"), 12, bold=True)
    say(deck, 70, 56, str(position.deck), 24, anchor="middle", bold=True, serif=True, class_="deck-count")
    say(deck, 70, 70, pgettext("zarahemla deck", "left"), 10.5, anchor="middle")
    _plate_hit(deck, DECK)
    if has_temple(position):
        _draw_temple(root, position, low)
    _draw_specials(root, position, low)


_EYES = {1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)),
         4: ((-1, -1), (1, -1), (-1, 1), (1, 1)), 5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
         6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1))}


def _pair(total: int) -> tuple[int, int]:
    """Return two different dice that make a total, or the only two."""
    low = (total - 1) // 2 if total not in (2, 12) else total // 2
    return low, total - low


def _draw_dice(root: ET.Element, position: Position) -> None:
    """Show the total of the turn with dice that make it: the game rolls the total at once (ZAR-6.1)."""
    plate = _plate(root, 20, TOP + 10, 118, 78, "dice")
    say(plate, 10, 17, _("Dice") if position.dice else _("Not rolled"), 12, bold=True)
    dice = add(plate, "g", opacity=None if position.dice else 0.45)
    for x, y, eyes in zip((23.0, 53.0), (50.0, 46.0), _pair(position.dice or 7), strict=True):
        die = moved(dice, x if position.dice else x + 21, y, 0.95, class_="die", data_eyes=eyes)
        add(die, "rect", x=-13, y=-13, width=26, height=26, rx=5, fill="#ffffff", stroke=OUTLINE, stroke_width=1.5)
        for dx, dy in _EYES[eyes]:
            add(die, "circle", cx=6.5 * dx, cy=6.5 * dy, r=2.5, fill=OUTLINE)
    if position.dice:
        say(plate, 92, 59, str(position.dice), 30, anchor="middle", bold=True, serif=True, class_="rolled-total",
            fill=RED if position.dice == 7 else INK)
    _plate_hit(plate, DICE)


def _draw_temple(root: ET.Element, position: Position, low: float) -> None:
    rows = (position.players + 1) // 2
    high = 99.0 + 27 * rows
    plate = _plate(root, 20, low - 10 - high, 128, high, "temple")
    say(plate, 10, 17, _("Temple"), 12, bold=True)
    temple(moved(plate, 64, 92, 0.9))
    for number, who in enumerate(position.seats):
        x, y = 8.0 + 58 * (number % 2), 99.0 + 27 * (number // 2)
        stone = add(plate, "g", class_=f"stones seat-{number}", data_count=who.stones)
        add(stone, "rect", x=x, y=y, width=54, height=22, rx=3.0, fill=seat_rgb(number),
            stroke=GOLD if who.temple else OUTLINE, stroke_width=3 if who.temple else 1.3)
        say(stone, x + 27, y + 16, f"{seat_letters(number + 1)[number]} {who.stones}", 12.5, anchor="middle", bold=True,
            fill=seat_ink(number))
    _plate_hit(plate, TEMPLE)


def _draw_specials(root: ET.Element, position: Position, low: float) -> None:
    """Draw the special cards with their holders."""
    kinds = [kind for kind in SPECIAL if kind != "temple" or has_temple(position)]
    plate = _plate(root, WIDE - 20 - 132, low - 10 - 23 - 27 * len(kinds), 132, 23 + 27.0 * len(kinds), "specials")
    say(plate, 10, 17, _("2 points each"), 12, bold=True)
    for row, kind in enumerate(kinds):
        y = 24 + 27 * row
        holder = next((number for number, who in enumerate(position.seats) if getattr(who, kind)), None)
        group = add(plate, "g", class_=f"special {kind}", data_seat="" if holder is None else holder)
        add(group, "rect", x=6, y=y, width=120, height=23, rx=4.0, fill="#efe2bf" if holder is None else GOLD,
            stroke="#8a6a2c", stroke_width=1.2)
        say(group, 12, y + 15.5, _(_NAMES[kind]), 11.5, bold=holder is not None)
        if holder is not None:
            add(group, "circle", cx=114, cy=y + 11.5, r=9, fill=seat_rgb(holder), stroke=OUTLINE, stroke_width=1.5)
            say(group, 114, y + 15.7, seat_letters(holder + 1)[holder], 11.5, anchor="middle", bold=True,
                fill=seat_ink(holder))
