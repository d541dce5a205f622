"""The picture of RisiKo!: one SVG document of the map, the armies on it, the seats and what the viewer holds."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache, lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.colors import GOLD, INK, OUTLINE, PAPER, PLACE, PLACE_RIM, TABLE, mixed
from sfida.engines.drawing.svg import (
    Point, Rose, add, draw_rose, gradient, hit, keep_place, moved, new_sheet, num, path, title, write, written
)
from sfida.engines.language import _, counted, language, pgettext
from sfida.engines.risiko.map import HIGH, WIDE, Ring, frontiers, lakes, lands, plate, sea_line
from sfida.engines.risiko.narration import sentence
from sfida.engines.risiko.panel_svg import draw_panel
from sfida.engines.risiko.pieces_svg import army, ink_on, name_lines, piece_symbols, say
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.style import (
    ATTACKS, MARCHES, Continent, continents, over_margin, seat_letter, seat_name, seat_rgb, territories, territory_key
)
from sfida.engines.risiko.tables import load_data

# ---- The scenery: the sea, the lands, borders and sea lines

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


# ---- Shapes of the territories of RisiKo! that can be pointed at


@cache
def territory_hits() -> str:
    """Write the shapes of the territories: their ground, and their armies where these stand beyond it.

    Small ones cover large ones, on whose ground their armies may stand.
    """
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for number in sorted(range(len(territories())), key=lambda one: -_area(one)):
        x, y = lands()[territories()[number].id].spot
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


# ---- RisiKo! as a picture: one SVG document of the map, the armies on it, the seats and what the viewer holds

TOP = 46.0
_LAST = "#ff2e1f"
_MARGIN = 5.0                           # free room between the left side of the map and a plate
_BELOW = 22.0                           # how much lower than the rest of a piece its name reaches
_BEND = 0.16                            # how far the line of an arrow is bent, in parts of its length
_ROOM = 32.0                            # distance of an arrow from other pieces that is enough
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
        say(root, 150, 33, told, 16, bold=True, serif=True, class_="round")
    say(root, WIDE + 6, 32, sentence(position), 15, anchor="end", class_="news")
    board = add(root, "g", class_="board", transform=f"translate(10 {num(TOP)})")
    field = add(board, "g", clip_path="url(#ris-sheet)")
    for name in ("ground", "owners", "borders"):
        keep_place(field, name)
    _draw_plates(field, position)
    if labels:
        _draw_places(field, places)
    _draw_arrow(field, position)
    keep_place(field, "armies")
    keep_place(field, "hits")
    height = draw_panel(root, position, seat, TOP + HIGH + 10, WIDE + 20)
    changing = {"owners": _owners(position), "armies": _armies(position, seat, labels, places),
                "hits": territory_hits()}
    return write(sheet, height, scenery() | changing)


def _spot(number: int) -> Point:
    return lands()[territories()[number].id].spot


# ---- the lands ----------------------------------------------------------------------------------------


def _owners(position: Position) -> str:
    """Colour the inside of every territory's border, as old atlases do, with a thin line that sets it off."""
    rims = [_rim(number, owner, seat_rgb(position, owner)) for number, owner in enumerate(position.owner) if owner >= 0]
    return f'<g class="owners" fill="none" stroke-linejoin="round">{"".join(rims)}</g>'


@lru_cache(maxsize=1024)
def _rim(number: int, owner: int, rgb: str) -> str:
    holder = ET.Element("g", {"clip-path": f"url(#ris-c{number})"})
    add(holder, "use", href=f"#ris-t{number}", stroke=ink_on(rgb), stroke_width=11.5, opacity=0.8)
    rim = add(holder, "g", class_=f"rim seat-{owner}", data_territory=number)
    add(rim, "use", href=f"#ris-t{number}", stroke=rgb, stroke_width=9.5)
    return ET.tostring(holder, encoding="unicode")


def _draw_plates(root: ET.Element, position: Position) -> None:
    """Name the continents and what they bring; a plate takes the colour of the seat that owns its continent whole."""
    group = add(root, "g", class_="plates")
    for continent in continents():
        owners = {position.owner[number] for number in continent.territories}
        owner = owners.pop() if len(owners) == 1 else -1
        _draw_plate(group, position, continent, owner)


def _draw_plate(group: ET.Element, position: Position, continent: Continent, owner: int) -> None:
    x, y = plate(continent.id)
    wide = 8.2 * len(continent.name) + 44
    item = moved(group, max(_MARGIN, x - wide / 2), y - 13, class_="plate", data_continent=continent.number,
                 data_owner=owner)
    told = (_("{land}: {bonus} armies per turn, owned by {seat}") if owner >= 0
            else _("{land}: {bonus} armies per turn"))
    title(item, told.format(land=continent.name, bonus=continent.bonus,
                            seat=seat_name(position, owner) if owner >= 0 else ""))
    rgb = seat_rgb(position, owner) if owner >= 0 else PAPER
    add(item, "rect", width=wide, height=26.0, rx=6.0, fill=rgb, fill_opacity=0.94, stroke=continent.rgb,
        stroke_width=3)
    add(item, "rect", width=wide, height=26.0, rx=6.0, fill="none", stroke=OUTLINE, stroke_width=0.8)
    say(item, 10, 17.6, continent.name, 12.5, bold=True, serif=True, fill=ink_on(rgb))
    add(item, "circle", cx=wide - 15, cy=13.0, r=11.5, fill=continent.rgb, stroke=OUTLINE, stroke_width=1.2)
    say(item, wide - 15, 17.4, f"+{continent.bonus}", 12, anchor="middle", bold=True, fill=ink_on(continent.rgb))


def _draw_places(root: ET.Element, places: Collection[tuple[str, int]]) -> None:
    group = add(root, "g", class_="places")
    for _kind, number in sorted(set(places)):
        x, y = _spot(number)
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
    return f'<g class="armies-on-map">{"".join(pieces)}</g>'


@lru_cache(maxsize=4096)
def _piece(number: int, owner: int, count: int, name: str, rgb: str, letter: str, tournament: bool, goal: bool,
           labels: bool, chosen: bool, spoken: str) -> str:
    """Write what stands on a territory in the language that is spoken; most positions share most of it with the one
    before."""
    root = ET.Element("g")
    territory = territories()[number]
    piece = moved(root, *_spot(number), 1.1, class_=f"army seat-{owner}" if owner >= 0 else "army nobody",
                  data_territory=number, data_armies=count)
    title(piece, f"{territory.name}: {_owned(name, count)}")
    if owner >= 0:
        army(piece, count, rgb, letter)
    _draw_code(piece, territory.code, territory.value if tournament else 0, goal, labels, chosen)
    for row, line in enumerate(name_lines(territory.name)):
        say(piece, 0, 30.6 + 7.2 * row, line, 7 if len(line) < 14 else 5.8, anchor="middle", halo="#fff8e4",
            class_="territory-name")
    return ET.tostring(piece, encoding="unicode")


def _owned(name: str, count: int) -> str:
    return f"{name}, {counted(count, 'army', 'armies')}" if name else _("not dealt yet")


def _draw_code(piece: ET.Element, code: str, value: int, goal: bool, labels: bool, chosen: bool) -> None:
    """Write the code below the tank, with the value in tournaments and a star where the viewer's objective lies."""
    if labels:
        add(piece, "rect", x=-16.0, y=12.6, width=32.0, height=13.0, rx=4.0, fill=PLACE if chosen else "#fffdf3",
            stroke=OUTLINE, stroke_width=0.9)
    say(piece, 0, 23.2, code, 11, anchor="middle", bold=True, fill=INK, halo=None if labels else "#fff8e4",
        class_="label code")
    if value:
        say(piece, 17 if labels else 14, 18, str(value), 8, bold=True, fill="#7a1712", halo="#fff8e4", class_="value")
    if goal:
        say(piece, -17 if labels else -15, 23.5, "★", 10, anchor="end", fill=GOLD, halo=OUTLINE, class_="goal")


# ---- the last move ------------------------------------------------------------------------------------


def _draw_arrow(root: ET.Element, position: Position) -> None:
    """Draw the attack going on, or else what the last move did on the map."""
    if position.attack is not None:
        origin, target = position.attack[:2]
        _arrow(add(root, "g", class_="arrow attack pending"), origin, target, "attack")
        return
    if position.last is None:
        return
    kind, origin, target, attacker, defender = position.last
    if not 0 <= target < len(territories()):
        return
    if not 0 <= origin < len(territories()) or kind not in ATTACKS | MARCHES:
        x, y = _spot(target)
        for colour, wide in (("#ffffff", 7.5), (_LAST, 3.6)):
            add(add(root, "g", class_="last"), "ellipse", cx=x, cy=y + 1, rx=28.0, ry=22.0, fill="none", stroke=colour,
                stroke_width=wide)
        return
    look = "attack" if kind in ATTACKS else "march"
    group = add(root, "g", class_=f"arrow {look}", data_from=origin, data_to=target)
    _arrow(group, origin, target, look)
    for number, loss, who in ((origin, attacker, "attacker"), (target, defender, "defender")):
        if loss:
            flag = moved(group, *_beside(number, origin + target - number), class_=f"loss {who}")
            add(flag, "rect", x=-13.0, y=-9.0, width=26.0, height=17.0, rx=8.0, fill="#ffffff", stroke=_LAST,
                stroke_width=1.8)
            say(flag, 0, 4.2, f"−{loss}", 12.5, anchor="middle", bold=True, fill="#a0120d")


def _beside(number: int, other: int) -> Point:
    """Return a free place beside the piece on a territory, away from its neighbours' and from the arrow to another."""
    (x, y), (to_x, to_y) = _spot(number), _spot(other)
    taken = [_spot(one) for one in range(len(territories())) if one != number]
    taken = [(px, py + part) for px, py in taken for part in (0.0, 24.0)]
    taken += [(x + (to_x - x) * i / 6, y + (to_y - y) * i / 6) for i in range(1, 6)]
    places = [(x + dx, y + dy) for dx, dy in ((0, -30), (-30, -22), (36, -22), (-36, 4), (36, 4))]
    return max(places, key=lambda place: min(math.dist(place, one) for one in taken))


def _arrow(group: ET.Element, origin: int, target: int, look: str) -> None:
    (ax, ay), (bx, by) = _spot(origin), _spot(target)
    if over_margin(origin, target):
        side = 1 if ax > bx else -1
        parts = [_bent(ax, ay, ax + side * 90, ay - 12, 20, 0), _bent(bx - side * 110, by - 12, bx, by, 0, 24)]
    else:
        parts = [_bent(ax, ay, bx, by, 16, 24, _free_side(origin, target))]
    for number, part in enumerate(parts):
        tipped = number == len(parts) - 1
        for colour, wide in (("#ffffff", 9.0), (_ARROW[look], 5.4)):
            add(group, "path", d=part, fill="none", stroke=colour, stroke_width=wide, stroke_linecap="round",
                stroke_dasharray="11 8" if look == "march" and colour != "#ffffff" else None,
                marker_end=f"url(#ris-head-{look})" if tipped and colour != "#ffffff" else None)


def _free_side(origin: int, target: int) -> int:
    """Return the side, 1 or -1, to which an arrow bends away from the pieces on other territories."""
    (ax, ay), (bx, by) = _spot(origin), _spot(target)
    others = [(x, y + below) for x, y in map(_spot, range(len(territories()))) for below in (0.0, 24.0)
              if (x, y) not in (_spot(origin), _spot(target))]

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
    start, stop = start + _BELOW * max(0.0, uy), stop + _BELOW * max(0.0, -uy)      # names stand below the pieces
    start, stop = min(start, 0.4 * long), min(stop, 0.45 * long)
    ax, ay, bx, by = ax + start * ux, ay + start * uy, bx - stop * ux, by - stop * uy
    bend = _BEND * long * side * (1 if ux >= 0 else -1)
    mx, my = (ax + bx) / 2 + bend * uy, (ay + by) / 2 - bend * ux
    return f"M{num(ax)},{num(ay)} Q{num(mx)},{num(my)} {num(bx)},{num(by)}"
