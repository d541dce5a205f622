"""The picture of The Settlers of Zarahemla: one SVG document of the land, the table and the seats."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.colors import GOLD, INK, OUTLINE, PAPER, RED, TABLE
from sfida.engines.drawing.placing import text_wide, wrapped
from sfida.engines.drawing.svg import (
    FAINT, LIT, NOTES, PLAIN, add, bound, box, hit, keep_place, moved, new_sheet, num, seat_box, seat_notes, spaced,
    title, write, written, zone
)
from sfida.engines.language import N_, _, ngettext, pgettext
from sfida.engines.zarahemla.map import HIGH, SIDE, TOP, UNIT, WIDE, at, board, slope
from sfida.engines.zarahemla.pieces_svg import (
    HEX_PATH, TERRAINS, army_sign, card_back, city, hex_symbols, icon, jungle_symbols, price, resource_card, road,
    robber, say, seat_ink, settlement, small_piece, spread, station_sign, temple, token
)
from sfida.engines.zarahemla.position import Five, Position, SeatPosition
from sfida.engines.zarahemla.style import (
    CORNER_MOVES, DECK, DICE, EDGE_MOVES, HEX_MOVES, RESOURCES, SPECIAL, TEMPLE, bank_key, card_key, card_names, costs,
    dice_pair, elsewhere, hand_key, has_temple, leaders, place_key, ratio, resource_noun, seat_letters, seat_names,
    seat_rgb, sentence, terrain_name, total_points
)

# ---- Shapes of the hexes, edges and corners of Zarahemla, for pointing

_CORNER, _EDGE = 15.0, 26.0                     # radius of a corner, width of an edge


@cache
def land_hits() -> str:
    """Write the shapes of the hexes, then of the edges above them, then of the corners above both."""
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
    """Draw the land with all pieces, the bank, the special cards and the holdings of every seat.

    Labels are the numbers of corners and hexes; the kinds of places are "corner", "edge" and "hex".

    The other parameters are as in all drawings: see `sfida.engines.drawing`.

    Parameters
    ----------
    target : int
        Victory points needed to win; the length of the victory track.
    """
    name = _("The Settlers of Zarahemla")
    sheet = new_sheet(f"{name}: {sentence(position)}", WIDE, size, TABLE)
    root = sheet.root
    say(root, 14, 33, name, 24, bold=True, serif=True, fill="#5d3413")
    say(root, WIDE - 14, 31, sentence(position), 13, anchor="end", class_="news", data_zone="news")

    bound(land := zone(root, "map"), 7, TOP - 3, WIDE - 14, HIGH + 6)
    keep_place(land, "jungle")
    _draw_land(land, position)
    _draw_stations(land, position)
    _draw_places(land, places)
    _draw_last(land, position)
    _draw_pieces(land, position)
    if labels:
        _draw_labels(land, position, places)
    keep_place(land, "land-hits")
    _draw_table(land, position)
    height = _draw_panel(root, position, seat, target, TOP + HIGH + 10, WIDE)
    return write(sheet, height, _scenery() | {"land-hits": land_hits()})


# ---- the land -----------------------------------------------------------------------------------------


@cache
def _scenery() -> dict[str, str]:
    """Write the parts shared by all pictures, definitions and jungle; cached, because they take most of the time."""
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
        pawn = at_robber(group, position.robber, position.terrain[position.robber], class_="robber",
                         data_hex=position.robber, data_piece=place_key("hex", position.robber))
        title(pawn, _("the robber"))
        robber(pawn)
    for number, owner in position.roads:
        ends = board().edges[number].corners
        piece, turned = at_edge(group, number, class_=f"road seat-{owner}", data_edge=number,
                                data_piece=place_key("edge", number))
        title(piece, _("{name} road {a}-{b}").format(name=names[owner], a=ends[0], b=ends[1]))
        road(piece, 62.0, owner, -turned)
    for corner, owner, kind in sorted(position.buildings, key=lambda item: board().corners[item[0]].xy[1]):
        piece = at_corner(group, corner, class_=f"{kind} seat-{owner}", data_corner=corner,
                          data_piece=place_key("corner", corner))
        said = _("{name} city {corner}") if kind == "city" else _("{name} settlement {corner}")
        title(piece, said.format(name=names[owner], corner=corner))
        (city if kind == "city" else settlement)(piece, owner)


def at_corner(parent: ET.Element, corner: int, **attributes: object) -> ET.Element:
    """Append a group for the building on a corner."""
    x, y = at(board().corners[corner].xy)
    return moved(parent, x, y, UNIT * 1.06, **attributes)


def at_edge(parent: ET.Element, number: int, **attributes: object) -> tuple[ET.Element, float]:
    """Append a group for the road on an edge; return it with its turn in degrees."""
    turned = slope(board().edges[number])
    x, y = at(board().edges[number].xy)
    group = moved(parent, x, y, UNIT, **attributes)
    group.set("transform", f"{group.get('transform')} rotate({num(turned)})")
    return group, turned


def at_robber(parent: ET.Element, number: int, terrain: str, **attributes: object) -> ET.Element:
    """Append a group for the robber on a hex, beside its number."""
    x, y = at(board().hexes[number].xy)
    bare = terrain == "hideout"
    return moved(parent, x + (0 if bare else -0.47 * SIDE), y + (0.5 if bare else 0.34) * SIDE, 0.86 * UNIT,
                 **attributes)


def _halo(group: ET.Element, kind: str, number: int, colour: str, class_: str, wide: float) -> None:
    """Mark a corner, edge or hex, below the pieces."""
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
    """Write the numbers of the corners, below their pieces, and of the hexes at their lower tips."""
    group = add(root, "g", class_="labels code")
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
    """Draw the shape of a plate, above its contents."""
    wide, high = plate[0].attrib["width"], plate[0].attrib["height"]
    hit(add(plate, "g", class_="hits"), key, "rect", width=wide, height=high, rx=9.0)


def _draw_table(root: ET.Element, position: Position) -> None:
    """Draw dice, deck, temple and special cards in the corners of the frame."""
    low = TOP + HIGH
    _draw_dice(root, position)
    deck = _plate(root, WIDE - 20 - 100, TOP + 10, 100, 78, "deck")
    for i in range(min(position.deck, 4)):
        card_back(moved(deck, 12 + 2.2 * i, 28 - 1.6 * i, 1.12), "development", 0)
    say(deck, 10, 18, _("Cards"), 13, bold=True)
    say(deck, 70, 56, str(position.deck), 24, anchor="middle", bold=True, serif=True, class_="deck-count")
    say(deck, 70, 72, pgettext("zarahemla deck", "left"), 12.5, anchor="middle")
    _plate_hit(deck, DECK)
    if has_temple(position):
        _draw_temple(root, position, low)
    _draw_specials(root, position, low)


_EYES = {1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)),
         4: ((-1, -1), (1, -1), (-1, 1), (1, 1)), 5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
         6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1))}


def _draw_dice(root: ET.Element, position: Position) -> None:
    """Show the total of the turn as a pair of dice; the game itself draws only the total (ZAR-6.1)."""
    plate = _plate(root, 20, TOP + 10, 118, 78, "dice")
    say(plate, 10, 18, _("Dice") if position.dice else _("Not rolled"), 13, bold=True)
    dice = add(plate, "g", opacity=None if position.dice else 0.45)
    for x, y, eyes in zip((23.0, 53.0), (50.0, 46.0), dice_pair(position.dice or 7), strict=True):
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
    say(plate, 10, 18, _("Temple"), 13, bold=True)
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
    say(plate, 10, 18, _("2 points each"), 13, bold=True)
    for row, kind in enumerate(kinds):
        y = 24 + 27 * row
        holder = next((number for number, who in enumerate(position.seats) if getattr(who, kind)), None)
        group = add(plate, "g", class_=f"special {kind}", data_seat="" if holder is None else holder)
        add(group, "rect", x=6, y=y, width=120, height=23, rx=4.0, fill="#efe2bf" if holder is None else GOLD,
            stroke="#8a6a2c", stroke_width=1.2)
        say(group, 11, y + 16, _(_NAMES[kind]), 12.5, bold=holder is not None)
        if holder is not None:
            add(group, "circle", cx=114, cy=y + 11.5, r=9, fill=seat_rgb(holder), stroke=OUTLINE, stroke_width=1.5)
            say(group, 114, y + 15.7, seat_letters(holder + 1)[holder], 11.5, anchor="middle", bold=True,
                fill=seat_ink(holder))


# ---- below the board: the seats and their holdings ---------------------------------------------------

_COSTS = (("road", N_("Road")), ("settlement", N_("Settlement")), ("city", N_("City")), ("dev_card", N_("Card")),
          ("temple_stone", N_("Temple stone")))
_RACES = {"army": N_("army"), "road": N_("road"), "temple": N_("temple")}
_MOST_BACKS = 12
_GAP, _READ = 8.0, 0.95                         # between the parts of the panel; pixels per unit
_OWN = 1.3                                      # scale of the viewer's own resource cards


def _draw_panel(root: ET.Element, position: Position, viewer: int | None, target: int, top: float,
               wide: float) -> float:
    """Draw everything below the board; return the height of the sheet."""
    panel = add(root, "g", class_="panel")
    each = (wide - 20 - _GAP) / 2
    right = 10 + each + _GAP
    _draw_track(panel, position, target, 10, top, each)
    y = _draw_costs(panel, position, right, top, each) + _GAP
    low = max(_draw_bank(panel, position, 10, y, each), _draw_key(panel, right, y, each))
    for first in range(0, position.players, 2):
        low = _draw_row(panel, position, range(first, min(first + 2, position.players)), viewer, low + _GAP, each)
    return low + _GAP


def _zone(panel: ET.Element, kind: str, x: float, y: float, wide: float, high: float,
          class_: str | None = None) -> ET.Element:
    group = zone(panel, kind, _READ, class_=class_)
    bound(group, x - 2, y - 2, wide + 4, high + 4)
    return group


def _draw_key(panel: ET.Element, x: float, y: float, wide: float) -> float:
    """Explain the marks on the board."""
    parts = (_("dots: chances out of 36"), _("yellow ring: just rolled"), _("red outline: last move"),
             _("black pawn: the robber, no harvest there"), _("★ 2 points"))
    lines = wrapped(spaced(parts), wide - 8, 12)
    group = _zone(panel, "rest", x, y, wide, 16.0 * len(lines) + 4)
    for row, line in enumerate(lines):
        say(group, x + 4, y + 13 + 16 * row, line, 12, fill=FAINT, class_="key")
    return y + 16 * len(lines) + 8


def _disc(parent: ET.Element, x: float, y: float, r: float, seat: int) -> None:
    add(parent, "circle", cx=float(x), cy=float(y), r=float(r), fill=seat_rgb(seat), stroke=OUTLINE, stroke_width=1.6)
    say(parent, x, y + 0.36 * r * 1.1, seat_letters(seat + 1)[seat], 1.1 * r, anchor="middle", bold=True,
        fill=seat_ink(seat), class_="owner")


# ---- the table ----------------------------------------------------------------------------------------


def _draw_track(panel: ET.Element, position: Position, target: int, left: float, top: float, wide: float) -> None:
    """Draw the victory track with one marker per seat, by public points (ZAR-3.6)."""
    group = _zone(panel, "rest", left, top, wide, 62, class_="track")
    each = wide / target
    apart = next(n for n in (1, 2, 5, 10) if n * each > 19)
    for points in range(1, target + 1):
        last = points == target
        add(group, "rect", x=left + (points - 1) * each, y=top, width=each, height=62.0,
            fill=GOLD if last else ("#f4e6c3", "#ead6a4")[points % 2], stroke="#8a6a2c", stroke_width=1.0)
        if last or (points % apart == 0 and points + apart <= target):
            say(group, left + (points - 0.5) * each, top + 15, str(points), min(13.0, 0.46 * apart * each),
                anchor="middle", bold=last, fill="#4a3512" if last else "#6d5527")
    stacks: dict[int, list[int]] = {}
    over = position.phase == "game_over"
    shown = [total_points(position, seat) if over else who.points for seat, who in enumerate(position.seats)]
    for seat, points in enumerate(shown):
        if points > 0:
            stacks.setdefault(min(points, target), []).append(seat)
    for points, seats in stacks.items():
        step = min(21.0, max(9.0, (each - 1) / min(2, len(seats))))
        for i, seat in enumerate(seats):
            x = left + (points - 0.5) * each + step * (i % 2 - (min(2, len(seats)) - 1) / 2)
            marker = add(group, "g", class_=f"marker seat-{seat}", data_points=shown[seat])
            _disc(marker, x, top + (39 if len(seats) < 3 else 30 + 20 * (i // 2)), min(9.6, 0.48 * step), seat)


def _draw_bank(panel: ET.Element, position: Position, x: float, top: float, wide: float) -> float:
    table = _zone(panel, "hand", x, top, wide, 66 if position.offer is None else 132 + _GAP)
    if position.offer is not None:
        _draw_offer(table, position, position.offer, x, top + 66 + _GAP, wide)
    group = add(table, "g", class_="bank")
    box(group, x, top, wide, 66)
    name = _("Bank")
    say(group, x + 10, top + 38, name, min(14, 56 / len(name)), bold=True)
    for i, (kind, count) in enumerate(zip(RESOURCES, position.bank, strict=True)):
        at = x + 64 + 64 * i
        place = moved(group, at + 15, top + 6)
        resource_card(place, kind, count)
        _card_hit(place, bank_key(i))
        say(group, at + 30, top + 60, resource_noun(kind), 12, anchor="middle", fill=FAINT)
    return top + 66 if position.offer is None else top + 132 + _GAP


def _draw_costs(panel: ET.Element, position: Position, x: float, top: float, wide: float) -> float:
    """Draw what can be bought, with its price."""
    group = _zone(panel, "rest", x, top, wide, 62, class_="costs")
    box(group, x, top, wide, 62)
    shown = [(key, _(name)) for key, name in _COSTS if key != "temple_stone" or has_temple(position)]
    for number, (key, name) in enumerate(shown):
        row, column = divmod(number, 3)
        at = x + 10 + (0, 116, 246)[column]
        say(group, at, top + 20 + 25 * row, name, min(12.0, 86 / (0.62 * len(name))), bold=True)
        price(moved(group, at + 1.12 * text_wide(name, min(12.0, 86 / (0.62 * len(name)))) + 12, top + 16 + 25 * row),
              costs()[key], 11.5)
    return top + 62


def _draw_offer(table: ET.Element, position: Position, offer: tuple[int, Five, Five], x: float, top: float,
                wide: float) -> None:
    giver, give, want = offer
    group = add(table, "g", class_="offer", data_seat=giver)
    box(group, x, top, wide, 66, LIT._replace(stroke=1.6))
    _disc(group, x + 20, top + 19, 11, giver)
    gives = _("{name} gives").format(name=seat_names(position.players)[giver])
    say(group, x + 38, top + 24, gives, 13.5, bold=True)
    _draw_side(group, give, x + 140, top + 19)
    say(group, x + 38, top + 53, _("for"), 13.5, bold=True)
    _draw_side(group, want, x + 140, top + 48)


def _draw_side(group: ET.Element, counts: Five, x: float, y: float) -> float:
    """Draw one side of an offer, which is empty in a gift."""
    if any(counts):
        return _draw_five(group, counts, x, y)
    say(group, x, y + 5, pgettext("zarahemla", "nothing"), 13.5)
    return x + 56


def _draw_five(group: ET.Element, counts: Five, x: float, y: float) -> float:
    """Draw a few cards as signs with numbers; return the place for the next object."""
    for kind, count in zip(RESOURCES, counts, strict=True):
        if count:
            say(group, x, y + 5, str(count), 14, bold=True)
            icon(moved(group, x + 24, y), kind)
            x += 46
    return x


# ---- the seats ----------------------------------------------------------------------------------------


def _draw_row(panel: ET.Element, position: Position, seats: range, viewer: int | None, top: float,
              wide: float) -> float:
    """Draw seats side by side in boxes of equal height, with their counts at the foot; return the lower end."""
    groups = [zone(panel, "hand" if seat == viewer else "rest", _READ, class_=f"seat seat-{seat}") for seat in seats]
    places = [10 + i * (wide + 8) for i in range(len(seats))]
    boxes = [seat_box(group, x, top, wide, 10, LIT if _is_lit(position, seat) else PLAIN, seat_rgb(seat), OUTLINE,
                      class_="edge") for seat, group, x in zip(seats, groups, places, strict=True)]
    foot = max(_draw_seat(group, position, seat, viewer, x, top, wide)
               for seat, group, x in zip(seats, groups, places, strict=True))
    bottom = foot
    for seat, group, x in zip(seats, groups, places, strict=True):
        bottom = _draw_counts(group, position, position.seats[seat], seat, x + 14, foot, wide - 28)
    for group, x in zip(groups, places, strict=True):
        bound(group, x - 2, top - 2, wide + 4, bottom - top + 4)
    for back, stripe in boxes:
        back.set("height", num(bottom - top))
        stripe.set("height", num(bottom - top - 2))
    for seat, group, x in zip(seats, groups, places, strict=True):
        if seat != viewer:
            hit(add(group, "g", class_="hits"), place_key("seat", seat), "rect", x=float(x), y=float(top), width=wide,
                height=bottom - top, rx=8.0)
    return bottom


def _is_lit(position: Position, seat: int) -> bool:
    return seat in leaders(position) if position.phase == "game_over" else seat == position.seat_to_move


def _draw_seat(group: ET.Element, position: Position, seat: int, viewer: int | None, x: float, top: float,
               wide: float) -> float:
    """Draw name, points and cards of a seat; return their lower end."""
    who = position.seats[seat]
    name = seat_names(position.players)[seat]
    _disc(group, x + 26, top + 21, 13, seat)
    say(group, x + 46, top + 26, name, 15.5, bold=True, serif=True)
    ending = None if position.phase != "game_over" else _("winner") if seat == position.winner else ""
    notes = seat_notes(seat, viewer, position.seat_to_move, position.seat_on_turn, ending)
    say(group, x + 52 + 10.2 * len(name), top + 26, ", ".join(notes), 12, fill=NOTES)
    secret = f"+{who.secret_points}" if who.secret_points else ""
    end = x + wide - 12
    if secret:
        say(group, end, top + 28, secret, 16, anchor="end", bold=True, fill="#6b3f8f", class_="secret-points")
        end -= 12 * len(secret)
    say(group, end, top + 30, str(who.points), 25, anchor="end", bold=True, serif=True, class_="score")
    y = _draw_hand(group, who, x + 14, top + 40, wide - 28, seat == viewer)
    if seat == viewer:
        y = _draw_elsewhere(group, position, seat, x + 14, y)
    return _draw_cards(group, who, x + 14, y + 6, wide - 28, top + 42, seat == viewer) + 4


def _card_hit(place: ET.Element, key: str) -> None:
    """Draw the shape of a resource card."""
    hit(add(place, "g", class_="hits"), key, "rect", width=30, height=40, rx=4)


def _draw_hand(group: ET.Element, who: SeatPosition, x: float, y: float, wide: float, own: bool) -> float:
    """Draw the resource cards, or a fan of their backs if they are hidden; return the lower end."""
    hand = add(group, "g", class_="hand", data_size=who.hand_size)
    grown = _OWN if own else 1.0
    if who.hand is not None:
        for i, (kind, count) in enumerate(zip(RESOURCES, who.hand, strict=True)):
            place = moved(hand, x + 36 * grown * i, y, grown)
            resource_card(place, kind, count)
            if own:
                _card_hit(place, hand_key(i))
        right = x + 186 * grown
    else:
        right = x + _fan(hand, "resource", who.hand_size, x, y + 3, 0.54 * wide - 44) + 7
    _counted(hand, right, y + 19, who.hand_size, ngettext("card", "cards", who.hand_size))
    return y + 44 * grown


def _counted(parent: ET.Element, x: float, y: float, count: int, noun: str) -> None:
    say(parent, x, y, str(count), 15, bold=True)
    say(parent, x, y + 13, noun, 12, fill=FAINT)


def _fan(parent: ET.Element, kind: str, count: int, x: float, y: float, wide: float) -> float:
    """Fan out the backs of cards, twelve at most; return the width of the fan."""
    shown = min(count, _MOST_BACKS)
    step = min(13.0, (wide - 24) / max(1, shown - 1))
    fan = moved(parent, x, y)
    for i in range(shown):
        card_back(fan, kind, i * step)
    return 24 + step * (shown - 1) if shown else 0.0


def _draw_elsewhere(group: ET.Element, position: Position, seat: int, x: float, y: float) -> float:
    """Show the cards of the hidden hands together, which follow from the seat's information (ZAR-17.4)."""
    together = elsewhere(position, seat)
    if together is None or all(other.hand is not None for other in position.seats):
        return y
    row = add(group, "g", class_="elsewhere")
    say(row, x, y + 14, _("others hold"), 12, fill=FAINT)
    at = x + 84
    for kind, count in zip(RESOURCES, together, strict=True):
        icon(moved(row, at, y + 10, 0.62), kind)
        say(row, at + 9, y + 14.5, str(count), 12, bold=True)
        at += 29 if count < 10 else 37
    return y + 20


def _draw_cards(group: ET.Element, who: SeatPosition, x: float, y: float, wide: float, beside: float,
                own: bool) -> float:
    """Draw the development cards, by name if known, else face down at `beside`; then the played ones."""
    cards = add(group, "g", class_="cards", data_count=who.card_count)
    if who.cards is None:
        at, line = x + (0.56 * wide if who.hand is None else 186.0 * (_OWN if own else 1.0) + 42), beside
        if at + 96 > x + wide:                     # no room beside a face-up hand
            at, line, y = x, y, y + 40
        room = min(90.0, x + wide - at - 72)
        _counted(cards, at + _fan(cards, "development", who.card_count, at, line + 3, room) + 7, line + 19,
                 who.card_count, pgettext("zarahemla cards", "development"))
    else:
        y = _draw_chips(cards, who.cards, x, y, wide, "#5d3f78", "#ffffff", own=own)
    played = [(name, count) for name, count in who.played if name != "stripling_warrior"]
    return _draw_chips(add(group, "g", class_="played"), played, x, y, wide, "#e9dfc6", FAINT,
                       pgettext("zarahemla", "played"))


def _draw_chips(group: ET.Element, cards: Sequence[tuple[str, int]], x: float, y: float, wide: float, fill: str,
                ink: str, lead: str = "", own: bool = False) -> float:
    """Write cards as labels in lines of limited width; return the lower end of the last line."""
    if not cards:
        return y
    at = x
    if lead:
        say(group, x, y + 14.5, lead, 12, fill=FAINT)
        at += 52
    for name, count in cards:
        text = card_names().get(name, name) + (f" ×{count}" if count > 1 else "")
        room = 7.1 * len(text) + 14
        if at + room > x + wide and at > x:
            at, y = x, y + 23
        add(group, "rect", x=at, y=y, width=room, height=20.0, rx=5.0, fill=fill, stroke=OUTLINE, stroke_width=0.8)
        say(group, at + room / 2, y + 14.5, text, 12, anchor="middle", fill=ink, bold=True, class_="card-name")
        if own:
            hit(add(group, "g", class_="hits"), card_key(name), "rect", x=at, y=y - 1.5, width=room, height=23.0,
                rx=5.0)
        at += room + 6
    return y + 24


def _draw_counts(group: ET.Element, position: Position, who: SeatPosition, seat: int, x: float, y: float,
                 wide: float) -> float:
    """Draw army, road and temple, with a star for the holder of the special card, and the pieces left."""
    temple = has_temple(position)
    add(group, "path", d=f"M{x:.2f},{y:.2f} l{wide:.2f},0", stroke=PLAIN.line, stroke_width=1)
    races = [("army", who.warriors, who.largest_army), ("road", who.road_length, who.longest_road)]
    left = [("road", who.roads_left), ("settlement", who.settlements_left), ("city", who.cities_left)]
    if temple:
        races.append(("temple", who.stones, who.temple))
        left.append(("stone", who.stones_left))
    row = add(group, "g", class_="races")
    at = x
    for (name, value, holds), share in zip(races, (0.31, 0.31, 0.38), strict=False):
        item = add(row, "g", class_=f"race {name}", data_value=value)
        if holds:
            add(item, "rect", x=at - 3, y=y + 5, width=share * wide - 1, height=20.0, rx=5.0, fill=GOLD,
                stroke="#8a6a2c", stroke_width=1.0)
        if name == "army":
            army_sign(moved(item, at + 9, y + 15, 0.7))
        else:
            small_piece(moved(item, at + 9, y + 15, 0.58 if name == "road" else 0.62),
                        "stone" if name == "temple" else name, seat)
        text = f"{_(_RACES[name])} {value}" + (" ★" if holds else "")
        say(item, at + 20, y + 19.5, text, 12, bold=holds, fill=INK)
        at += share * wide
    row = add(group, "g", class_="supply")
    say(row, x, y + 43.5, pgettext("zarahemla pieces", "left"), 12, fill=FAINT)
    at = x + 54
    step = (wide - 54) / len(left)
    for name, value in left:
        small_piece(moved(row, at + 6, y + 39, {"road": 0.6, "settlement": 0.62, "city": 0.52, "stone": 0.72}[name]),
                    name, seat)
        say(row, at + 20, y + 43.5, str(value), 12.5, bold=True, class_=f"left-{name}")
        at += step
    return y + 54
