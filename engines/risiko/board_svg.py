"""The picture of RisiKo!: one SVG document of the map with its armies, the seats and the viewer's holdings."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import Any
from xml.etree import ElementTree as ET

from sfida.engines.drawing.colors import GOLD, INK, OUTLINE, PAPER, PLACE, PLACE_RIM, TABLE, mixed
from sfida.engines.drawing.placing import write_names
from sfida.engines.drawing.svg import (
    FAINT, LIT, NOTES, PLAIN, BoxLook, Point, Rose, add, as_texts, bound, box, document_text, draw_rose, gradient, hit,
    keep_place, moved, new_sheet, num, path, seat_box, seat_notes, spaced, title, write, written, zone
)
from sfida.engines.language import _, counted, language, pgettext
from sfida.engines.risiko.map import HIGH, WIDE, Ring, frontiers, lakes, lands, outline, sea_line
from sfida.engines.risiko.narration import fate, sentence
from sfida.engines.risiko.pieces_svg import (
    CARD_HIGH, CARD_WIDE, LETTERS, PLATE, army, card_back, code_plate, ink_on, names_on_map, piece_symbols, plate_box,
    say, spot_of, territory_card
)
from sfida.engines.risiko.position import Position, SeatPosition
from sfida.engines.risiko.style import (
    ARMIES, ATTACKS, CARDS, INCOME, MARCHES, POINTS, TERRITORIES, Continent, card_key, continents, hand_order, heading,
    is_over, objective_victim, over_margin, seat_letter, seat_name, seat_rgb, set_name, sets_in, spelled_goal,
    territories, territory_key
)
from sfida.engines.risiko.tables import load_data

# ---- The scenery: the sea, the lands, borders and sea lines

_SHORE = "#e9dcb4"
_BORDER = "#4a3a22"
_ROSE = Rose(rings=((34, 1.2), (29, 0.7)), rays=((45, 26), (0, 40)), waist=6, light="#ffffff", dark="#1c4a66",
             ring="#ffffff", ring_opacity=0.5, hub=(3.4, GOLD, OUTLINE, 0.8), opacity=0.75, light_opacity=0.9)


@cache
def scenery() -> dict[str, str]:
    """Return the cached parts: definitions, the ground below and the borders above the colours of the owners."""
    defs, ground, borders = ET.Element("defs"), ET.Element("g"), ET.Element("g")
    _symbols(defs)
    _draw_sea(add(ground, "g", class_="sea"))
    _draw_lands(add(ground, "g", class_="lands"))
    _draw_borders(add(borders, "g", class_="borders", fill="none", stroke_linejoin="round"))
    return {"symbols": written(defs), "ground": written(ground), "borders": written(borders)}


def _symbols(defs: ET.Element) -> None:
    piece_symbols(defs)
    for number, territory in enumerate(territories()):
        add(defs, "path", id=f"ris-t{number}", d=outline(territory.id))
        add(add(defs, "clipPath", id=f"ris-c{number}"), "use", href=f"#ris-t{number}")
        add(add(defs, "g", id=f"ris-r{number}", clip_path=f"url(#ris-c{number})"), "use", href=f"#ris-t{number}")
    world = add(defs, "g", id="ris-world")
    for number in range(len(territories())):
        add(world, "use", href=f"#ris-t{number}")
    of = {territory.id: territory.continent for territory in territories()}
    borders = add(defs, "g", id="ris-borders")
    for name, between in (("within", False), ("between", True)):
        lines = (path(line) for a, b, line in frontiers() if (of[a] != of[b]) == between)
        add(borders, "path", id=f"ris-{name}", d="".join(lines))
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
    lines = "".join(path(part) for edge in load_data()["board"]["edges"] if edge["type"] == "sea"
                    for part in sea_line(edge["a"], edge["b"]))
    for colour, wide in (("#1c4a66", 4.2), ("#ffffff", 2.4)):
        add(group, "path", d=lines, fill="none", stroke=colour, stroke_width=wide, stroke_dasharray="6 5",
            opacity=0.55 if wide > 4 else None)


def _draw_lands(group: ET.Element) -> None:
    """Paint every territory in a tint of its continent, with slightly different tints for neighbours."""
    add(group, "use", href="#ris-world", fill="#0d2b3d", opacity=0.45, transform="translate(2.5 3.5)")
    add(group, "use", href="#ris-world", fill=_SHORE, stroke=_SHORE, stroke_width=3.4, stroke_linejoin="round")
    for number, territory in enumerate(territories()):
        rgb = continents()[territory.continent].rgb
        tint = mixed(rgb, PAPER, (0.34, 0.52, 0.43)[continents()[territory.continent].territories.index(number) % 3])
        add(group, "use", href=f"#ris-t{number}", fill=tint)


def _draw_borders(group: ET.Element) -> None:
    for name, colour, wide, shade in (("world", _BORDER, 1.1, None), ("borders", "#fff6dc", 2.6, None),
                                      ("borders", _BORDER, 1.1, None), ("between", "#fff6dc", 4.0, 0.9),
                                      ("between", OUTLINE, 2.0, None)):
        add(group, "use", href=f"#ris-{name}", stroke=colour, stroke_width=wide, opacity=shade)
    for lake in lakes():
        add(group, "path", d=path(lake, closed=True), fill="#5c9fc0", stroke=_BORDER, stroke_width=0.9)
    add(group, "rect", x=1.5, y=1.5, width=num(WIDE - 3), height=num(HIGH - 3), rx=13.0, stroke="#5d3413",
        stroke_width=5.0)
    add(group, "rect", x=1.5, y=1.5, width=num(WIDE - 3), height=num(HIGH - 3), rx=13.0, stroke=GOLD, stroke_width=1.6)


# ---- Shapes of the territories of RisiKo!, for pointing


@cache
def territory_hits() -> str:
    """Write the shapes of the territories: their ground, and their armies if these are outside the ground.

    Small territories cover large ones, because their armies may stand on the ground of a large one.
    """
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for number in sorted(range(len(territories())), key=lambda one: -_area(one)):
        x, y = spot_of(number)
        place = hit(group, territory_key(number), "g")
        add(place, "use", href=f"#ris-t{number}")
        add(place, "ellipse", cx=x, cy=y + 1, rx=20.0, ry=18.0)
    return written(root)


def _area(number: int) -> float:
    return sum(_inside(ring) for ring in lands()[territories()[number].id].rings)


def _inside(ring: Ring) -> float:
    """Return the area within a ring."""
    ends = zip(ring, ring[1:] + ring[:1], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in ends)) / 2


# ---- RisiKo! as a picture: one SVG document of the map with its armies, the seats and the viewer's holdings

TOP = 46.0
_LAST = "#ff2e1f"
_BEND = 0.16                            # bend of an arrow's line, as a share of its length
_ROOM = 32.0                            # sufficient distance of an arrow from other pieces
ARROW: dict[str, Any] = {"fill": "none", "stroke": "#ffffff", "stroke_width": 9, "stroke_linecap": "round"}
_ARROW = {"attack": "#d8201a", "march": "#1d7a3a"}


def board_svg(position: Position, *, seat: int | None = None, size: int = 800, labels: bool = False,
              places: Collection[tuple[str, int]] = ()) -> str:
    """Draw the map with all armies, the table of the seats, and objective and hand of the viewing seat.

    Labels are the codes of the territories on plates; the kind of a place is "territory".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    sheet = new_sheet(f"RisiKo!: {sentence(position)}", WIDE + 20, size, TABLE)
    root = sheet.root
    say(root, 14, 34, "RisiKo!", 29, bold=True, serif=True, fill="#8c1d18")
    if position.round:
        told = pgettext("risiko", "Round {round}").format(round=position.round)
        say(root, 150, 33, told, 16, bold=True, serif=True, class_="round", data_zone="when")
    say(root, WIDE + 6, 32, sentence(position), 15, anchor="end", class_="news", data_zone="news")
    bound(board := zone(root, "map", class_="board"), 7, TOP - 3, WIDE + 6, HIGH + 6)
    field = add(on_map(board), "g", clip_path="url(#ris-sheet)")
    for name in ("ground", "owners", "borders"):
        keep_place(field, name)
    _draw_plates(field, position)
    if labels:
        _draw_places(field, places)
    _draw_arrow(field, position)
    keep_place(field, "armies")
    keep_place(field, "names")
    keep_place(field, "hits")
    height = _draw_panel(root, position, seat, TOP + HIGH + 10)
    changing = {"owners": _owners(position), "armies": _armies(position, seat, labels, places),
                "names": _names(language()), "hits": territory_hits()}
    return write(sheet, height, scenery() | changing)


def on_map(parent: ET.Element, **attributes: object) -> ET.Element:
    """Append a group in the units of the map."""
    return moved(parent, 10, TOP, 1.0, **attributes)


# ---- the lands ----------------------------------------------------------------------------------------


def _owners(position: Position) -> str:
    """Colour the inside of every territory's border, as in old atlases, and separate it with a thin line."""
    group = ET.Element("g", {"class": "owners", "fill": "none", "stroke-linejoin": "round"})
    owned = [(number, owner, seat_rgb(position, owner)) for number, owner in enumerate(position.owner) if owner >= 0]
    for ink in sorted({ink_on(rgb) for _number, _owner, rgb in owned}):
        lines = add(group, "g", stroke=ink, stroke_width=11.5, opacity=0.8)
        for number, _owner, rgb in owned:
            if ink_on(rgb) == ink:
                add(lines, "use", href=f"#ris-r{number}")
    rims = add(group, "g", stroke_width=9.5)
    for number, owner, rgb in owned:
        add(rims, "use", class_=f"rim seat-{owner}", data_territory=number, href=f"#ris-r{number}", stroke=rgb)
    return document_text(group)


def _draw_plates(root: ET.Element, position: Position) -> None:
    """Draw plates with the names and armies of the continents, in the colour of the owner of the whole continent."""
    group = add(root, "g", class_="plates")
    for continent in continents():
        owners = {position.owner[number] for number in continent.territories}
        owner = owners.pop() if len(owners) == 1 else -1
        _draw_plate(group, position, continent, owner)


def _draw_plate(group: ET.Element, position: Position, continent: Continent, owner: int) -> None:
    left, top, wide = plate_box(continent)
    item = moved(group, left, top, class_="plate", data_continent=continent.number, data_owner=owner)
    told = (_("{land}: {bonus} armies per turn, owned by {seat}") if owner >= 0
            else _("{land}: {bonus} armies per turn"))
    title(item, told.format(land=continent.name, bonus=continent.bonus,
                            seat=seat_name(position, owner) if owner >= 0 else ""))
    rgb = seat_rgb(position, owner) if owner >= 0 else PAPER
    add(item, "rect", width=wide, height=PLATE, rx=6.0, fill=rgb, fill_opacity=0.94, stroke=continent.rgb,
        stroke_width=3)
    add(item, "rect", width=wide, height=PLATE, rx=6.0, fill="none", stroke=OUTLINE, stroke_width=0.8)
    say(item, 10, 17.6, continent.name, 12.8, bold=True, serif=True, fill=ink_on(rgb))
    add(item, "circle", cx=wide - 15, cy=13.0, r=11.5, fill=continent.rgb, stroke=OUTLINE, stroke_width=1.2)
    say(item, wide - 15, 17.6, f"+{continent.bonus}", 12.8, anchor="middle", bold=True, fill=ink_on(continent.rgb))


def _draw_places(root: ET.Element, places: Collection[tuple[str, int]]) -> None:
    group = add(root, "g", class_="places")
    for _kind, number in sorted(set(places)):
        x, y = spot_of(number)
        add(group, "ellipse", class_="place", cx=x, cy=y + 1, rx=27.0, ry=21.0, fill=PLACE, fill_opacity=0.7,
            stroke=PLACE_RIM, stroke_width=1.6)


# ---- armies -------------------------------------------------------------------------------------------


def _armies(position: Position, viewer: int | None, labels: bool, places: Collection[tuple[str, int]]) -> str:
    """Draw the armies and the codes of all territories."""
    goal = frozenset(position.seats[viewer].goal) if viewer is not None else frozenset()
    chosen = frozenset(number for _kind, number in places) if labels else frozenset()
    names = [seat_name(position, seat) for seat in range(position.players)]
    pieces = []
    for number, (owner, count) in enumerate(zip(position.owner, position.armies, strict=True)):
        pieces.append(_piece(number, owner, count, names[owner] if owner >= 0 else "", seat_rgb(position, owner),
                             seat_letter(position, owner), position.tournament, number in goal, labels,
                             number in chosen, language()))
    group = ET.Element("g", {"class": "armies-on-map", **as_texts(LETTERS)})
    keep_place(group, "pieces")
    return document_text(group).replace("<!--pieces-->", "".join(pieces))


@lru_cache(maxsize=4)
def _names(_spoken: str) -> str:
    """Write the names of the territories in the current language."""
    root = ET.Element("g")
    write_names(root, names_on_map(), INK, "#fff8e4", "territory-name")
    return written(root)


@lru_cache(maxsize=4096)
def _piece(number: int, owner: int, count: int, name: str, rgb: str, letter: str, tournament: bool, goal: bool,
           labels: bool, chosen: bool, spoken: str) -> str:
    """Write the contents of a territory in the current language; cached, as most territories do not change in a move.
    """
    root = ET.Element("g")
    territory = territories()[number]
    held = add(root, "g", class_=f"army seat-{owner}" if owner >= 0 else "army nobody", data_territory=number)
    title(held, f"{territory.name}: {_owned(name, count)}")
    piece = moved(held, *spot_of(number), 1.1, data_piece=territory_key(number) if owner >= 0 else None)
    if owner >= 0:
        army(piece, count, rgb, letter)
    _draw_marks(piece, territory.code, territory.value if tournament else 0, goal, labels, chosen)
    return document_text(held)


def _owned(name: str, count: int) -> str:
    return f"{name}, {counted(count, 'army', 'armies')}" if name else _("not dealt yet")


def _draw_marks(piece: ET.Element, code: str, value: int, goal: bool, labels: bool, chosen: bool) -> None:
    """Write the code over the tracks, the value in tournaments, and a star for the viewer's objective."""
    plate = add(piece, "g", class_="code")
    if chosen:
        code_plate(plate, PLACE)
    else:
        add(plate, "use", href="#ris-code", opacity=None if labels else 0.85)
    say(plate, 0, 13.0, code, 9.6, class_="label")
    if value:
        say(piece, 15.6, 2.6, str(value), 9.6, text_anchor="start", fill="#7a1712", halo="#fff8e4", class_="value")
    if goal:
        say(piece, -16, -7, "★", 12, fill=GOLD, halo=OUTLINE, class_="goal")


# ---- the last move ------------------------------------------------------------------------------------


def _draw_arrow(root: ET.Element, position: Position) -> None:
    """Draw an arrow for the current attack, or else for the last move on the map."""
    if position.attack is not None:
        origin, target = position.attack[:2]
        arrow(add(root, "g", class_="arrow attack pending", **ARROW), origin, target, "attack")
        return
    if position.last is None:
        return
    kind, origin, target, attacker, defender = position.last
    if not 0 <= target < len(territories()):
        return
    if not 0 <= origin < len(territories()) or kind not in ATTACKS | MARCHES:
        x, y = spot_of(target)
        for colour, wide in (("#ffffff", 7.5), (_LAST, 3.6)):
            add(add(root, "g", class_="last"), "ellipse", cx=x, cy=y + 1, rx=28.0, ry=22.0, fill="none", stroke=colour,
                stroke_width=wide)
        return
    look = "attack" if kind in ATTACKS else "march"
    group = add(root, "g", class_=f"arrow {look}", data_from=origin, data_to=target)
    arrow(add(group, "g", **ARROW), origin, target, look)
    for number, loss, who in ((origin, attacker, "attacker"), (target, defender, "defender")):
        if loss:
            flag = moved(group, *beside(number, origin + target - number), class_=f"loss {who}")
            add(flag, "rect", x=-13.0, y=-9.0, width=26.0, height=17.0, rx=8.0, fill="#ffffff", stroke=_LAST,
                stroke_width=1.8)
            say(flag, 0, 4.2, f"−{loss}", 12.5, anchor="middle", bold=True, fill="#a0120d")


def beside(number: int, other: int) -> Point:
    """Return a free place beside the piece on a territory, away from neighbouring pieces and from the arrow."""
    (x, y), (to_x, to_y) = spot_of(number), spot_of(other)
    taken = [spot_of(one) for one in range(len(territories())) if one != number]
    taken += [point for name in names_on_map() for point in name.points]
    taken += [(x + (to_x - x) * i / 6, y + (to_y - y) * i / 6) for i in range(1, 6)]
    places = [(x + dx, y + dy) for dx, dy in ((0, -30), (-30, -22), (36, -22), (-36, 4), (36, 4))]
    return max(places, key=lambda place: min(math.dist(place, one) for one in taken))


def arrow(group: ET.Element, origin: int, target: int, look: str) -> None:
    """Draw an arrow between two territories, into a group with the look `ARROW`; `look` is "attack" or "march"."""
    (ax, ay), (bx, by) = spot_of(origin), spot_of(target)
    if over_margin(origin, target):
        side = 1 if ax > bx else -1
        parts = [_bent(ax, ay, ax + side * 90, ay - 12, 20, 0), _bent(bx - side * 110, by - 12, bx, by, 0, 24)]
    else:
        parts = [_bent(ax, ay, bx, by, 16, 24, _free_side(origin, target))]
    for number, part in enumerate(parts):
        tipped = number == len(parts) - 1
        add(group, "path", d=part)
        add(group, "path", d=part, stroke=_ARROW[look], stroke_width=5.4,
            stroke_dasharray="11 8" if look == "march" else None,
            marker_end=f"url(#ris-head-{look})" if tipped else None)


def _free_side(origin: int, target: int) -> int:
    """Return the side, 1 or -1, to which an arrow bends away from the pieces on other territories."""
    (ax, ay), (bx, by) = spot_of(origin), spot_of(target)
    names = names_on_map()
    others = [point for one in range(len(territories())) if one not in (origin, target)
              for point in (spot_of(one), *names[one].points)]

    def room(side: int) -> float:
        bend = side * _BEND * (1 if bx >= ax else -1)
        line = [(ax + t * (bx - ax) + 2 * t * (1 - t) * bend * (by - ay),
                 ay + t * (by - ay) - 2 * t * (1 - t) * bend * (bx - ax)) for t in (0.3, 0.5, 0.7, 0.8)]
        return min(min(math.dist(point, one) for point in line for one in others), _ROOM)

    return max((1, -1), key=room)


def _bent(ax: float, ay: float, bx: float, by: float, start: float, stop: float, side: int = 1) -> str:
    """Write a bent line that begins and ends at a distance from the two points."""
    long = max(1.0, math.hypot(bx - ax, by - ay))
    ux, uy = (bx - ax) / long, (by - ay) / long
    start, stop = min(start, 0.4 * long), min(stop, 0.45 * long)
    ax, ay, bx, by = ax + start * ux, ay + start * uy, bx - stop * ux, by - stop * uy
    bend = _BEND * long * side * (1 if ux >= 0 else -1)
    mx, my = (ax + bx) / 2 + bend * uy, (ay + by) / 2 - bend * ux
    return f"M{ax:.0f},{ay:.0f}Q{mx:.0f},{my:.0f} {bx:.0f},{by:.0f}"


# ---- below the map: the seats and their holdings -----------------------------------------------------

_OWN = BoxLook("#fdf3d3", "#8c1d18", 2.0)
_SIDE, _HIGH, _EXTRA, _GAP = 360.0, 144.0, 14.0, 8.0
_HAND = 490.0                           # room for the hand
_SEAT, _ROW, _COLUMNS = 284.0, 78.0, 3  # size of the box of a seat, and how many stand side by side
_LINE, _KEY = 38, 54                    # letters in a line about a seat, and of the key
_MOST_BACKS = 9


def _draw_panel(root: ET.Element, position: Position, viewer: int | None, top: float) -> float:
    """Draw everything below the map; return the height of the sheet."""
    panel = add(root, "g", class_="panel")
    who = position.seats[viewer] if viewer is not None else None
    if viewer is not None and who is not None and (who.objective is not None or who.cards):
        _draw_own(panel, position, viewer, 10, top)
        top = _draw_seats(panel, position, viewer, 10, top + _HIGH + _GAP)
    else:
        top = _draw_continents(panel, position, 10, _draw_seats(panel, position, viewer, 10, top)) + _GAP
    return _draw_key(panel, position, 10, top)


def _draw_key(panel: ET.Element, position: Position, x: float, top: float) -> float:
    """Count the cards, and explain the marks on the map."""
    group = zone(panel, "rest")
    counts = _("deck {deck}  ·  discards {discards}").format(deck=position.deck, discards=len(position.discards))
    say(group, x + 4, top + 14, counts, 12, bold=True, class_="deck")
    parts = [_("number on a tank: armies"), _("flag: 10 or more"), _("dashed: sea lines"), _("red arrow: attack"),
             _("green arrow: march"), _("★ your objective")]
    if position.tournament:
        parts.append(_("small red number: points"))
    y = top + 16
    for line in _broken(spaced(parts), _KEY, 5):
        y += 15
        say(group, x + 4, y, line, 11, fill=FAINT, class_="key")
    bound(group, x, top, _SIDE, y + 6 - top)
    return y + 8


# ---- the seats ----------------------------------------------------------------------------------------


def _columns(position: Position) -> dict[str, float]:
    """Return the middles of a seat's figures."""
    names = [TERRITORIES, ARMIES, INCOME, *([POINTS] if position.tournament else []), CARDS]
    rooms = (70.0, 50.0, 52.0, 40.0, 56.0) if position.tournament else (82.0, 58.0, 62.0, 66.0)
    ends = list(accumulate(rooms, initial=8.0))
    return {name: (left + right) / 2 for name, (left, right) in zip(names, pairwise(ends), strict=True)}


def _draw_seats(panel: ET.Element, position: Position, viewer: int | None, x: float, top: float) -> float:
    """Draw the boxes of the seats in rows; return their lower end."""
    group = add(panel, "g", class_="seats")
    for first in range(0, position.players, _COLUMNS):
        seats = range(first, min(first + _COLUMNS, position.players))
        told = [_broken(_told(position, seat, viewer), _LINE, 3) for seat in seats]
        high = _ROW + max(4 + _EXTRA * len(lines) if lines else 0.0 for lines in told)
        for seat, lines in zip(seats, told, strict=True):
            _draw_seat(group, position, seat, viewer, x + (_SEAT + _GAP) * (seat - first), top, high, lines)
        top += high + _GAP
    return top


def _draw_seat(parent: ET.Element, position: Position, seat: int, viewer: int | None, x: float, y: float, high: float,
               told: list[str]) -> None:
    who = position.seats[seat]
    lit = seat in position.winners if is_over(position) else seat == position.seat_to_move
    group = zone(parent, "rest", class_=f"seat seat-{seat}", opacity=None if who.alive else 0.62)
    bound(group, x - 1, y - 1, _SEAT + 2, high + 2)
    rgb = seat_rgb(position, seat)
    seat_box(group, x, y, _SEAT, high, LIT if lit else PLAIN, rgb, OUTLINE)
    _badge(moved(group, x + 32, y + 21, 0.92), position, seat)
    notes = ", ".join(_notes(position, seat, viewer))
    say(group, x + 57, y + (18 if notes else 25), seat_name(position, seat), 15, bold=True, serif=True, class_="name")
    say(group, x + 57, y + 33, notes, 11, fill=NOTES, class_="notes")
    if who.alive:
        _draw_figures(group, position, who, x, y)
        _draw_chips(group, who, x, y)
    else:
        say(group, x + 14, y + 60, fate(position, who), 13, fill="#7a1712", class_="fate")
    for row, line in enumerate(told):
        say(group, x + 14, y + _ROW + 9 + _EXTRA * row, line, 11, class_="objective")


def _badge(group: ET.Element, position: Position, seat: int) -> None:
    """Draw a tank in the colour of a seat, with its letter."""
    rgb = seat_rgb(position, seat)
    add(group, "use", href="#ris-tank", fill=rgb)
    say(group, 0, 4, seat_letter(position, seat), 12, anchor="middle", bold=True, fill=ink_on(rgb))


def _notes(position: Position, seat: int, viewer: int | None) -> list[str]:
    won = _("winner") if len(position.winners) == 1 else _("shares the victory")
    ending = (won if seat in position.winners else "") if is_over(position) else None
    return seat_notes(seat, viewer, position.seat_to_move, position.seat_on_turn, ending)


def _told(position: Position, seat: int, viewer: int | None) -> str:
    """Return the objective of a seat that is known but not shown beside the table."""
    who = position.seats[seat]
    if who.objective is None or seat == viewer:
        return ""
    told = _("Objective: {objective} ({progress})") if who.progress else _("Objective: {objective}")
    return told.format(objective=who.objective_name, progress=who.progress)


def _draw_figures(group: ET.Element, position: Position, who: SeatPosition, x: float, y: float) -> None:
    """Draw the figures of a seat with their names below them."""
    columns = _columns(position)
    figures = {TERRITORIES: str(who.territories), ARMIES: str(who.armies), INCOME: f"+{who.income}"}
    if position.tournament:
        figures[POINTS] = "?" if who.points is None else str(who.points)
    for name, text in figures.items():
        say(group, x + columns[name], y + 56, text, 16 if name == TERRITORIES else 14.5, anchor="middle",
            bold=name in (TERRITORIES, POINTS), class_=name)
    for name, at in columns.items():
        say(group, x + at, y + 71, heading(name), 11, anchor="middle", fill=FAINT)
    cards = add(group, "g", class_="cards", data_count=who.card_count)
    shown = min(who.card_count, _MOST_BACKS)
    step = min(9.0, 22.0 / max(1, shown - 1))
    wide = step * (shown - 1) + 19 if shown else 0.0
    at = x + columns[CARDS] - (wide + 9 * len(str(who.card_count))) / 2
    for i in range(shown):
        card_back(cards, at + i * step, y + 38)
    say(cards, at + wide, y + 56, str(who.card_count), 14.5, bold=True)


def _draw_chips(group: ET.Element, who: SeatPosition, x: float, y: float) -> None:
    """Draw the continents of a seat in the upper right corner of its box."""
    step = min(40.0, 150.0 / max(1, len(who.continents)))
    at = x + _SEAT - 8 - step * len(who.continents)
    for number in who.continents:
        continent = continents()[number]
        chip = moved(group, at, y + 9, class_="continent", data_continent=number)
        title(chip, _("{land}, {bonus} armies per turn").format(land=continent.name, bonus=continent.bonus))
        add(chip, "rect", width=step - 3, height=20.0, rx=5.0, fill=continent.rgb, stroke=OUTLINE, stroke_width=0.9)
        say(chip, (step - 3) / 2, 14.3, continent.code, 11, anchor="middle", bold=True, fill=ink_on(continent.rgb))
        at += step


# ---- the continents -----------------------------------------------------------------------------------


def _draw_continents(panel: ET.Element, position: Position, x: float, top: float) -> float:
    """Show the owners within every continent: one square per territory, in the colours of the seats."""
    group = zone(panel, "rest", class_="holdings")
    high = 34.0 + 24 * len(continents())
    bound(group, x - 1, top - 1, _SIDE + 2, high + 2)
    box(group, x, top, _SIDE, high)
    say(group, x + 12, top + 20, _("Continents"), 12, bold=True, serif=True, fill="#8c1d18")
    most = max(len(continent.territories) for continent in continents())
    step = min(20.0, (_SIDE - 190) / most)
    for row, continent in enumerate(continents()):
        owners = sorted((position.owner[number] for number in continent.territories), key=lambda one: (one < 0, one))
        y = top + 30 + 24 * row
        line = add(group, "g", class_="holding", data_continent=continent.number)
        add(line, "rect", x=x + 10, y=y, width=34.0, height=20.0, rx=5.0, fill=continent.rgb, stroke=OUTLINE,
            stroke_width=0.9)
        say(line, x + 27, y + 14.2, f"+{continent.bonus}", 11, anchor="middle", bold=True, fill=ink_on(continent.rgb))
        say(line, x + 54, y + 14.5, continent.name, 13, bold=owners[0] == owners[-1] >= 0, serif=True)
        for i, owner in enumerate(owners):
            at, rgb = x + 180 + step * i, seat_rgb(position, owner) if owner >= 0 else "none"
            add(line, "rect", x=at, y=y + 2, width=step - 2, height=16.0, rx=2.5, fill=rgb,
                stroke=OUTLINE if owner >= 0 else FAINT, stroke_width=0.9)
            if owner >= 0:
                say(line, at + step / 2 - 1, y + 13.2, seat_letter(position, owner), 9, anchor="middle", bold=True,
                    fill=ink_on(rgb))
    return top + high


# ---- the viewing seat ---------------------------------------------------------------------------------


def _draw_own(panel: ET.Element, position: Position, viewer: int, x: float, top: float) -> None:
    who = position.seats[viewer]
    group = add(panel, "g", class_="own", data_seat=viewer)
    if who.objective is not None:
        _draw_objective(group, position, who, viewer, x, top)
    if who.cards:
        _draw_hand(group, position, who.cards, viewer, x + _SIDE + _GAP, top)


def _draw_objective(parent: ET.Element, position: Position, who: SeatPosition, viewer: int, x: float,
                    top: float) -> None:
    assert who.objective is not None
    group = zone(parent, "hand", class_="objective", data_objective=who.objective)
    high = _HIGH
    bound(group, x - 1, top - 1, _SIDE + 2, high + 2)
    box(group, x, top, _SIDE, high, _OWN)
    scale = 158 / WIDE
    small = moved(group, x + _SIDE - 164, top + (high - scale * HIGH) / 2, scale, class_="small-map")
    add(small, "rect", width=WIDE, height=HIGH, rx=40.0, fill="#5c9fc0")
    add(small, "use", href="#ris-world", fill="#eadfbd", stroke="#8a7a52", stroke_width=2)
    shown = add(small, "g", stroke=OUTLINE, stroke_width=3)
    for number, mine in _shown(position, who, viewer):
        add(shown, "use", href=f"#ris-t{number}", fill="#2f8f3e" if mine else "#d8342a",
            class_="owned" if mine else "wanted", data_territory=number)
    say(group, x + 12, top + 20, _("Your objective"), 12.5, bold=True, serif=True, fill="#8c1d18")
    room = 28
    lines = _broken(who.objective_name, 22, 3)
    y = top + 40
    for line in lines:
        say(group, x + 12, y, line, 13.5, bold=True, serif=True, class_="objective-name")
        y += 16
    for line in _broken(spelled_goal(position, who), room, 3):
        say(group, x + 12, y, line, 11, fill=FAINT)
        y += 13
    for line in _broken(who.progress, room, 2)[::-1]:
        say(group, x + 12, top + high - 10, line, 11.5, bold=True, fill="#1f6a2c", class_="progress")
        high -= 14


def _shown(position: Position, who: SeatPosition, viewer: int) -> list[tuple[int, bool]]:
    """Return the territories of the small map, and whether the viewer owns them.

    They are the territories of the objective, or of the seat to be destroyed, or else of the viewer.
    """
    if who.goal:
        return [(number, position.owner[number] == viewer) for number in who.goal]
    victim = objective_victim(position, who)
    if victim >= 0:
        return [(number, False) for number, owner in enumerate(position.owner) if owner == victim]
    return [(number, True) for number, owner in enumerate(position.owner) if owner == viewer]


def _broken(text: str, width: int, most: int) -> list[str]:
    """Break a text into lines at its spaces, the last cut off if there are too many."""
    lines = [""] if text else []
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    if len(lines) > most:
        lines = [*lines[:most - 1], lines[most - 1][:width - 2] + " …"]
    return lines


def _draw_hand(parent: ET.Element, position: Position, cards: tuple[int, ...], viewer: int, x: float,
               top: float) -> None:
    group = zone(parent, "hand", class_="hand", data_count=len(cards))
    found = sets_in(cards)
    say(group, x + 2, top + 12, _("Your cards"), 12.5, bold=True, serif=True, fill="#8c1d18")
    wide = 190.0
    step = min(CARD_WIDE + 6, (_HAND - CARD_WIDE - 4) / max(1, len(cards) - 1))
    for i, card in enumerate(sorted(cards, key=hand_order)):
        mine = card < len(territories()) and position.owner[card] == viewer
        place = moved(group, x + 2 + i * step, top + 18)
        territory_card(place, card, mine)
        hit(place, card_key(card), "rect", width=CARD_WIDE, height=CARD_HIGH, rx=5.0)
        wide = max(wide, 2 + i * step + CARD_WIDE + 4)
    if found:
        wide = max(wide, 290.0)
        told = _("set: {kind}").format(kind=set_name(found[0][0]))
        say(group, x + wide - 4, top + 12, told, 11, anchor="end", bold=True, fill="#1f6a2c", class_="set")
    bound(group, x - 1, top - 1, wide + 1, _HIGH + 2)
