"""RisiKo! as a picture: one SVG document of the map, the armies on it, the seats and what the viewer holds."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.drawing.document import keep_place, new_sheet, write
from sfida.engines.drawing.elements import add, moved, num, title
from sfida.engines.drawing.inks import GOLD, INK, OUTLINE, PAPER, PLACE, PLACE_RIM, TABLE
from sfida.engines.drawing.outlines import Point
from sfida.engines.risiko.hits import territory_hits
from sfida.engines.risiko.looks import (
    ATTACKS,
    MARCHES,
    Continent,
    continents,
    over_margin,
    seat_letter,
    seat_name,
    seat_rgb,
    territories,
)
from sfida.engines.risiko.panel import draw_panel
from sfida.engines.risiko.piece_art import army, ink_on, name_lines, say
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.scenery import scenery
from sfida.engines.risiko.sentences import sentence
from sfida.engines.risiko.world import HIGH, WIDE, lands, plate
from sfida.engines.wording import counted

TOP = 46.0
_LAST = "#ff2e1f"
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
        say(root, 150, 33, f"Round {position.round}", 16, bold=True, serif=True, class_="round")
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
    item = moved(group, x - wide / 2, y - 13, class_="plate", data_continent=continent.number, data_owner=owner)
    title(item, f"{continent.name}: {continent.bonus} armies per turn"
          + (f", owned by {seat_name(position, owner)}" if owner >= 0 else ""))
    rgb = seat_rgb(position, owner) if owner >= 0 else PAPER
    add(item, "rect", width=wide, height=26.0, rx=6.0, fill=rgb, fill_opacity=0.94, stroke=continent.rgb,
        stroke_width=3)
    add(item, "rect", width=wide, height=26.0, rx=6.0, fill="none", stroke=OUTLINE, stroke_width=0.8)
    say(item, 10, 17.6, continent.name, 12.5, bold=True, serif=True, fill=ink_on(rgb))
    add(item, "circle", cx=wide - 15, cy=13.0, r=11.5, fill=continent.rgb, stroke=OUTLINE, stroke_width=1.2)
    say(item, wide - 15, 17.4, f"+{continent.bonus}", 12, anchor="middle", bold=True, fill=ink_on(continent.rgb))


def _draw_places(root: ET.Element, places: Collection[tuple[str, int]]) -> None:
    group = add(root, "g", class_="places")
    for _, number in sorted(set(places)):
        x, y = _spot(number)
        add(group, "ellipse", class_="place", cx=x, cy=y + 1, rx=27.0, ry=21.0, fill=PLACE, fill_opacity=0.7,
            stroke=PLACE_RIM, stroke_width=1.6)


# ---- armies -------------------------------------------------------------------------------------------


def _armies(position: Position, viewer: int | None, labels: bool, places: Collection[tuple[str, int]]) -> str:
    """Draw the armies and the codes of all territories."""
    goal = frozenset(position.seats[viewer].goal) if viewer is not None else frozenset()
    chosen = frozenset(number for _, number in places) if labels else frozenset()
    names = [seat_name(position, seat) for seat in range(position.players)]
    pieces = []
    for number, (owner, count) in enumerate(zip(position.owner, position.armies, strict=True)):
        pieces.append(_piece(number, owner, count, names[owner] if owner >= 0 else "", seat_rgb(position, owner),
                             seat_letter(position, owner), position.tournament, number in goal, labels,
                             number in chosen))
    return f'<g class="armies-on-map">{"".join(pieces)}</g>'


@lru_cache(maxsize=4096)
def _piece(number: int, owner: int, count: int, name: str, rgb: str, letter: str, tournament: bool, goal: bool,
           labels: bool, chosen: bool) -> str:
    """Write what stands on a territory; most positions share most of it with the one before."""
    root = ET.Element("g")
    territory = territories()[number]
    piece = moved(root, *_spot(number), 1.1, class_=f"army seat-{owner}" if owner >= 0 else "army nobody",
                  data_territory=number, data_armies=count)
    title(piece, f"{territory.name}: {_owned(name, count)}")
    if owner >= 0:
        army(piece, count, rgb, letter)
    _draw_code(piece, territory.code, territory.value if tournament else 0, goal, labels, chosen)
    for row, line in enumerate(name_lines(territory.name)):
        say(piece, 0, 30.6 + 7.2 * row, line, 7, anchor="middle", halo="#fff8e4", class_="territory-name")
    return ET.tostring(piece, encoding="unicode")


def _owned(name: str, count: int) -> str:
    return f"{name}, {counted(count, 'army', 'armies')}" if name else "not dealt yet"


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
        origin, target, _, _ = position.attack
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


