"""Drawings of the pieces of Attila: heads of the tribes, tiles, cards, the influence chart; places of tokens and names.

A piece is drawn around the origin; the caller moves and scales it.
"""

from __future__ import annotations

from functools import lru_cache, partial
from xml.etree import ElementTree as ET

from sfida.engines.attila.map import Island, Land
from sfida.engines.attila.position import Position
from sfida.engines.attila.style import (
    column_key, of_tribe, on_board, rank_mark, seat_letter, seat_name, seat_rgb, spread, tile_names, tribes
)
from sfida.engines.attila.terrain import ORDERS, WIDE, Stand, scale, size, stands, terrain
from sfida.engines.drawing import colors, svg
from sfida.engines.drawing.colors import mixed
from sfida.engines.drawing.placing import Areas, Name, Rect, place_names
from sfida.engines.drawing.svg import FAINT, Point, add, document_text, hit, keep_place, moved, num, title
from sfida.engines.language import _, counted, language

INK, PAPER, OUTLINE, GOLD, RED, SKIN = "#35281a", "#faf3e0", "#22170c", "#d9a931", "#a31f1a", "#eec39a"
MARBLE, STONE = "#f1eee6", "#8d8a84"
CARD_WIDE, CARD_HIGH = 66.0, 96.0
say = partial(svg.say, fill=INK)
ink_on = partial(colors.ink_on, dark=OUTLINE)


# ---- heads --------------------------------------------------------------------------------------------

_FACE = "M-5,-4.4 C-5,-9 5,-9 5,-4.4 C5,0.4 2.6,3 0,3 C-2.6,3 -5,0.4 -5,-4.4 Z"
_BUST = "M-10.6,13 C-10.8,5.6 -7,3 -3.4,2.2 L3.4,2.2 C7,3 10.8,5.6 10.6,13 Z"
_HAIR = {0: "#8a4a1c", 1: "#2b1d12", 2: "#b9802e", 3: "#d2a544", 4: "#6b4a2c", 5: "#9c3c17"}
_IRON, _DARK, _HORN, _FUR = "#c4c8cc", "#6f757c", "#efe3c2", "#6d4a2a"


def head_symbols(defs: ET.Element) -> None:
    """Define a bust per tribe, 22 wide and 27 high; every tribe has a distinct hairstyle or helmet."""
    for tribe in tribes():
        group = add(defs, "g", id=f"att-head-{tribe.number}", stroke_linejoin="round", stroke_linecap="round")
        add(group, "path", d=f"{_BUST} M-6.6,-3 C-7.4,-13.6 7.4,-13.6 6.6,-3 Z", fill=PAPER, stroke=PAPER,
            stroke_width=3.2)
        add(group, "path", d=_BUST, fill=tribe.rgb, stroke=OUTLINE, stroke_width=1.0)
        _hair_behind(group, tribe.number)
        add(group, "path", d=_FACE, fill=SKIN, stroke=OUTLINE, stroke_width=0.8)
        for x in (-2.0, 2.0):
            add(group, "circle", cx=x, cy=-3.6, r=0.65, fill=OUTLINE)
        _headgear(group, tribe.number, tribe.rgb)
        say(group, 0, 11.6, tribe.letter, 9.6, anchor="middle", bold=True, fill=ink_on(tribe.rgb))


def _hair_behind(group: ET.Element, number: int) -> None:
    """Draw the hair behind the face."""
    if number == 2:
        add(group, "path", d="M-6,-6 C-8,-1 -7,3.4 -5.6,4.4 L5.6,4.4 C7,3.4 8,-1 6,-6 Z", fill=_HAIR[2], stroke=OUTLINE,
            stroke_width=0.7)
    elif number == 5:
        for side in (-1, 1):
            add(group, "path", d=f"M{side * 5.2},-3 q{side * 2.6},4 {side * 1},8", fill="none", stroke=_HAIR[5],
                stroke_width=2.4)


def _headgear(group: ET.Element, number: int, rgb: str) -> None:
    """Draw beard and helmet of a tribe."""
    hair = _HAIR[number]
    line = {"stroke": OUTLINE, "stroke_width": 0.8}
    if number == 0:         # a knot of hair and a broad moustache
        add(group, "path", d="M-5.4,-4.6 C-6.4,-11.4 6.4,-11.4 5.4,-4.6 C3.6,-7.4 -3.6,-7.4 -5.4,-4.6 Z", fill=hair,
            **line)
        add(group, "path", d="M-1.6,-9.6 C-3,-13.6 4,-14.4 4.6,-9.8 C3,-11 1,-10.6 0.6,-9.4 Z", fill=hair, **line)
        add(group, "path", d="M0,-1 C-2.4,-1.6 -4,0 -5,2 C-2.6,1.8 -1,1.2 0,0.2 C1,1.2 2.6,1.8 5,2 C4,0 2.4,-1.6 0,-1 "
            "Z", fill=hair, stroke=OUTLINE, stroke_width=0.5)
    elif number == 1:       # a pointed cap with a fur brim, and a thin drooping moustache
        add(group, "path", d="M-5.6,-6 C-4.6,-10.4 -1.6,-12.2 0.4,-15.6 C1.8,-12.2 4.8,-10.4 5.6,-6 Z", fill=RED,
            **line)
        add(group, "path", d="M-6.4,-6.8 h12.8 v2.8 h-12.8 Z", fill=_FUR, **line)
        add(group, "path", d="M-0.4,-0.6 C-2.4,-0.8 -3.2,1 -3.4,3.2 M0.4,-0.6 C2.4,-0.8 3.2,1 3.4,3.2", fill="none",
            stroke=hair, stroke_width=1.1)
    elif number == 2:       # an iron cap with a rib over long hair
        add(group, "path", d="M-5.8,-5 C-5.8,-13.6 5.8,-13.6 5.8,-5 Z", fill=_IRON, **line)
        add(group, "path", d="M0,-11.4 V-5 M-5.6,-5.6 H5.6", stroke=GOLD, stroke_width=1.7, fill="none")
        add(group, "path", d="M-1.8,0.8 q1.8,1 3.6,0", fill="none", stroke=OUTLINE, stroke_width=0.8)
    elif number == 3:       # a full beard, a round helmet with a nose guard
        add(group, "path", d="M-5,-2.6 C-5.2,5 -2.2,7 0,7 C2.2,7 5.2,5 5,-2.6 C3,-0.6 -3,-0.6 -5,-2.6 Z", fill=hair,
            **line)
        add(group, "path", d="M-5.8,-4.8 C-6,-12.8 6,-12.8 5.8,-4.8 Z", fill=_DARK, **line)
        add(group, "path", d="M-0.9,-5.6 h1.8 v4 h-1.8 Z", fill=_DARK, stroke=OUTLINE, stroke_width=0.6)
    elif number == 4:       # wings at the helmet
        for side in (-1, 1):
            add(group, "path", d=f"M{side * 4.8},-6 C{side * 10},-7 {side * 10.4},-12 {side * 9.2},-15.4 "
                f"C{side * 7.6},-12.6 {side * 5.2},-12 {side * 4},-9.6 Z", fill="#ffffff", **line)
        add(group, "path", d="M-5.6,-5 C-5.6,-12.6 5.6,-12.6 5.6,-5 Z", fill=mixed(rgb, "#ffffff", 0.2), **line)
        add(group, "path", d="M-2.8,0.4 C-1.4,-0.6 1.4,-0.6 2.8,0.4 L1.6,4.4 C0.6,5.2 -0.6,5.2 -1.6,4.4 Z", fill=hair,
            stroke=OUTLINE, stroke_width=0.5)
    else:                   # horns at the helmet
        for side in (-1, 1):
            add(group, "path", d=f"M{side * 4.6},-7.6 C{side * 8.4},-7 {side * 9.8},-10 {side * 9},-14.6 "
                f"C{side * 7.4},-12 {side * 5.6},-11.4 {side * 3.6},-10.8 Z", fill=_HORN, **line)
        add(group, "path", d="M-5.6,-5 C-5.6,-13 5.6,-13 5.6,-5 Z", fill="#b07a35", **line)
        add(group, "path", d="M-5.6,-5.6 H5.6", stroke="#7a4f1d", stroke_width=1.6)
        add(group, "path", d="M-1.8,1 q1.8,-1 3.6,0", fill="none", stroke=OUTLINE, stroke_width=0.8)


def head(parent: ET.Element, tribe: int, x: float, y: float, scale: float = 1.0, **attributes: object) -> None:
    """Place the bust of a tribe."""
    add(parent, "use", href=f"#att-head-{tribe}", transform=f"translate({num(x)} {num(y)}) scale({scale:.4g})",
        **attributes)


# ---- tiles --------------------------------------------------------------------------------------------


def tile_symbols(defs: ET.Element) -> None:
    """Define the peace tile (ATT-1.6), the swords of a conflict, the action tiles and the back of a card."""
    peace = add(defs, "g", id="att-peace", stroke_linejoin="round")
    add(peace, "circle", cx=1.2, cy=1.8, r=15.0, fill="#000000", opacity=0.3)
    add(peace, "circle", r=15.0, fill=MARBLE, stroke=STONE, stroke_width=1.6)
    add(peace, "circle", r=12.4, fill="none", stroke=STONE, stroke_width=0.7)
    _dove(peace)
    swords = add(defs, "g", id="att-swords", stroke_linecap="round")
    add(swords, "path", d="M0,-14 L3.4,-8.4 L9.4,-10.8 L8.4,-4.4 L14.6,-2.4 L9.8,2 L12.4,8 L6,7.6 L3.6,13.6 L-0.6,8.8 "
        "L-6.4,12 L-6.6,5.8 L-13,4 L-8.8,-0.6 L-12.4,-6 L-6,-6.4 Z", fill="#ffd23f", stroke=RED, stroke_width=1.4,
        stroke_linejoin="round")
    for side in (-1, 1):
        blade = f"M{-5.4 * side},5.4 L{5.4 * side},-6"
        add(swords, "path", d=blade, stroke=OUTLINE, stroke_width=3.2)
        add(swords, "path", d=blade, stroke="#e9edf0", stroke_width=1.6)
        add(swords, "path", d=f"M{-6 * side},1.6 L{-1.6 * side},5.8", stroke=OUTLINE, stroke_width=2.0)
    back = add(defs, "g", id="att-back")
    add(back, "rect", width=15.0, height=22.0, rx=2.4, fill="#7d1f1a", stroke=OUTLINE, stroke_width=1.0)
    add(back, "rect", x=2.0, y=2.0, width=11.0, height=18.0, rx=1.2, fill="none", stroke="#e8c48a", stroke_width=0.8)
    add(back, "path", d="M7.5,5 V17 M5,7.4 L10,14.6 M10,7.4 L5,14.6", stroke="#e8c48a", stroke_width=1.3)
    for number, name in enumerate(tile_names()):
        group = add(defs, "g", id=f"att-tile-{name}", stroke_linecap="round", stroke_linejoin="round")
        add(group, "rect", x=-11.0, y=-11.0, width=22.0, height=22.0, rx=4.0, fill="#efdcb0", stroke=OUTLINE,
            stroke_width=1.1)
        _action(group, number)


def _dove(group: ET.Element) -> None:
    add(group, "path", d="M-9,1.6 C-5.4,1.8 -4.6,-1 -2.6,-2.2 C-3.6,-5.4 -2,-8 0.6,-9.4 C0.4,-6.4 1.6,-4.4 3.4,-3.2 "
        "C4.6,-4.8 7,-4.8 7.8,-3 L10,-2.2 L7.9,-1.3 C7.6,2.6 4.4,5.4 0.4,5.4 C-3.6,5.4 -6,4.4 -9,1.6 Z", fill="#ffffff",
        stroke="#5d6670", stroke_width=1.0)
    add(group, "circle", cx=6.4, cy=-2.7, r=0.6, fill="#5d6670")
    add(group, "path", d="M9.4,-2 C10,0.4 9.4,2.4 8,4.4 M9.7,0 l1.8,-0.4 M9.4,2 l1.6,0.9 M9.4,1 l-1.8,0.2", fill="none",
        stroke="#4c7a34", stroke_width=1.1, stroke_linecap="round")


def _action(group: ET.Element, number: int) -> None:
    """Draw two cards (Double turn), two arrows (Exchange), or a marker going up by two (Influence 2)."""
    if number == 0:
        for x, turn in ((-3.0, -12), (3.0, 12)):
            add(group, "rect", x=-4.2, y=-6.2, width=8.4, height=12.4, rx=1.4, fill=PAPER, stroke=OUTLINE,
                stroke_width=1.1, transform=f"translate({x} 0) rotate({turn})")
        say(group, 3.0, 3.6, "2", 9.4, anchor="middle", bold=True)
    elif number == 1:
        for turn in (0, 180):
            add(group, "path", d="M-6.4,-1.6 C-5.6,-6.4 2,-7.6 5.4,-3.6 M6,-7.2 L5.8,-3 L1.6,-3.2", fill="none",
                stroke="#24527a", stroke_width=1.9, transform=f"rotate({turn})")
    else:
        add(group, "path", d="M-4.6,7.4 V-2.6 M-7.4,0.4 L-4.6,-2.8 L-1.8,0.4 M-7.4,-3.6 L-4.6,-6.8 L-1.8,-3.6",
            fill="none", stroke="#2c6b2f", stroke_width=1.9)
        say(group, 4.4, 4.4, "+2", 8.6, anchor="middle", bold=True)


def tile(parent: ET.Element, name: str, x: float, y: float, used: bool, scale: float = 1.0) -> None:
    """Place an action tile; a used tile is only an empty place."""
    if used:
        add(parent, "rect", class_="tile used", x=x - 11 * scale, y=y - 11 * scale, width=22 * scale,
            height=22 * scale, rx=4 * scale, fill="none", stroke="#bfae86", stroke_width=1.0, stroke_dasharray="3 3")
        return
    group = moved(parent, x, y, scale, class_=f"tile {name}")
    title(group, tile_names()[name])
    add(group, "use", href=f"#att-tile-{name}")


def marker(parent: ET.Element, seat: int, x: float, y: float, radius: float) -> None:
    """Draw the marker of a seat: a disc of its colour with its letter."""
    group = add(parent, "g", class_=f"marker seat-{seat}")
    title(group, seat_name(seat))
    add(group, "circle", cx=x + 0.5, cy=y + 0.9, r=radius, fill="#000000", opacity=0.3)
    add(group, "circle", cx=x, cy=y, r=radius, fill=seat_rgb(seat), stroke=OUTLINE, stroke_width=1.1)
    say(group, x, y + 0.37 * 1.18 * radius, seat_letter(seat), 1.18 * radius, anchor="middle", bold=True,
        fill=ink_on(seat_rgb(seat)))


# ---- where the names of the map stand -----------------------------------------------------------------

def high(land: Land) -> float:
    """Return the height of the map on the sheet."""
    return land.high * scale(land)


def stand(land: Land, province: int) -> Stand:
    """Return place and scale of a province's tokens and tile on the sheet."""
    one = stands(land, language())[province]
    return Stand(one.x * scale(land), one.y * scale(land), one.size * size(land), one.order)


NAME = 17.6                                # size of a name: 11 pixels where map and chart are 890 wide
_TOKENS = (-35.0, -15.0, 35.0, 42.0), (-24.0, -15.0, 24.0, 68.0)     # room for tokens; the second in a narrow province
CODE = 12.0                                # size of a code, below the name


@lru_cache(maxsize=16)
def names_on_map(land: Land, _spoken: str) -> tuple[Name, ...]:
    """Return where the names of the provinces stand, in the current language."""
    small = min(NAME, NAME * size(land))
    names, ground, taken = [], terrain(land), []
    for number, one in enumerate(land.provinces):
        at = stand(land, number)
        left, top, right, bottom = (at.size * end for end in _tokens_box(at))
        names.append((one.name, (at.x, at.y), (left, top, right, bottom)))
        x, y, half = at.x + at.size * at.order.mark[0], at.y + at.size * at.order.mark[1], 11 * at.size
        taken.append((x - half, y - half, x + half, y + half))
    taken += [_island_box(land, island) for island, rings in zip(land.islands, ground.islands, strict=True) if rings]
    if ground.heart is not None:
        (x, y), room = (tuple(scale(land) * value for value in ground.heart[0]), scale(land) * ground.heart[1])
        taken.append((x - 1.1 * room, y - 0.2 * room, x + 1.1 * room, y + 0.2 * room))
    for ends in ground.crossings:
        for x, y in ends:
            taken.append((x * scale(land) - 9, y * scale(land) - 9, x * scale(land) + 9, y * scale(land) + 9))

    provinces = Areas(ground.provinces)

    def toll(number: int, point: Point) -> float:
        owners = provinces.at(point[0] / scale(land), point[1] / scale(land))
        return 0.0 if number in owners else 9.0 if owners else 6.0

    return place_names(names, small, (6.0, 6.0, WIDE - 6, high(land) - 6), taken=taken, toll=toll, more=CODE)


def _tokens_box(at: Stand) -> Rect:
    return _TOKENS[at.order is ORDERS[-1]]


def _island_box(land: Land, island: Island) -> Rect:
    x, y, half = island.x * scale(land), island.y * scale(land), 0.3 * ISLAND * len(island.name) + 2
    return x - half, y - 0.8 * ISLAND, x + half, y + 0.4 * ISLAND


ISLAND = 15.0                              # size of the name of an island


# ---- cards --------------------------------------------------------------------------------------------


def tribe_card(parent: ET.Element, tribe: int, x: float, y: float, count: int = 1, note: str = "") -> None:
    """Draw a card of a tribe, 66 x 96, from its upper left corner; several cards form a pile."""
    what = tribes()[tribe]
    group = moved(parent, x, y, class_="card", data_tribe=tribe, data_count=count)
    title(group, f"{counted(count, 'card', 'cards')} {of_tribe(tribe)}" + (f", {note}" if note else ""))
    for depth in range(min(count, 4) - 1, -1, -1):
        add(group, "rect", x=3.4 * depth, y=-3.0 * depth, width=CARD_WIDE, height=CARD_HIGH, rx=5.0, fill=PAPER,
            stroke=OUTLINE, stroke_width=1.1)
    add(group, "rect", x=4.0, y=4.0, width=CARD_WIDE - 8, height=CARD_HIGH - 8, rx=3.0,
        fill=mixed(what.rgb, PAPER, 0.72), stroke=what.rgb, stroke_width=2.0)
    head(group, tribe, CARD_WIDE / 2, 44, 1.75)
    add(group, "rect", x=4.0, y=CARD_HIGH - 24, width=CARD_WIDE - 8, height=20.0, rx=3.0, fill=what.rgb)
    say(group, CARD_WIDE / 2, CARD_HIGH - 10, what.name, 12, anchor="middle", bold=True,
        fill=ink_on(what.rgb))
    say(group, 9, 17, what.letter, 13, bold=True, serif=True)
    if count > 1:
        add(group, "circle", cx=CARD_WIDE - 12, cy=13.0, r=10.5, fill=GOLD, stroke=OUTLINE, stroke_width=1.1)
        say(group, CARD_WIDE - 12, 17, f"×{count}", 11.2, anchor="middle", bold=True, class_="count")


def card_backs(parent: ET.Element, x: float, y: float, count: int, step: float = 9.0) -> None:
    """Lay cards face down in a row."""
    group = add(parent, "g", class_="backs", data_count=count)
    for i in range(count):
        add(group, "use", href="#att-back", x=x + step * i, y=float(y))


# ---- The influence chart: a column per tribe, and all markers

CHART_WIDE = 330.0
_LEFT, _TOP, _BELOW = 34.0, 102.0, 132.0       # room for numbers, heads, and the counts below the columns
_PANEL, _LINE = "#fbf5e5", "#c9b58a"


def draw_chart(root: ET.Element, position: Position, x: float, y: float, tall: float) -> None:
    """Draw the chart and below it tokens, provinces and supply of the tribes."""
    group = moved(root, x, y, class_="chart")
    keep_place(group, "chart")
    row = _row(position.land.last_space, tall)
    wide = (CHART_WIDE - _LEFT - 6) / len(tribes())
    markers = add(group, "g", class_="markers")
    for tribe in tribes():
        where: dict[int, list[int]] = {}
        for seat, one in enumerate(position.seats):
            where.setdefault(one.influence[tribe.number], []).append(seat)
        middle = _LEFT + wide * (tribe.number + 0.5)
        for space, seats in where.items():
            _draw_markers(markers, seats, middle, _bottom(tall) - row * (space + 0.5), wide, row, space)
    _draw_counts(group, position, wide, _bottom(tall))
    if position.last is not None and position.last[0] in ("influence", "inf_a", "inf_b"):
        number = position.card if position.last[0] == "influence" else position.last[1]
        if number >= 0:
            add(group, "rect", class_="last", x=_LEFT + wide * number, y=8.0, width=wide, height=_TOP - 12, rx=6.0,
                fill="none", stroke="#ff2e1f", stroke_width=3.0)
    hits = add(group, "g", class_="hits")
    for tribe in tribes():
        hit(hits, column_key(tribe.number), "rect", x=_LEFT + wide * tribe.number, y=28.0, width=wide,
            height=_bottom(tall) - 28, rx=6.0)


def chart_space(last: int, tall: float, tribe: int, space: int) -> tuple[float, float, float]:
    """Return middle and radius of a lone marker on a space of the chart, relative to the chart's corner."""
    row, wide = _row(last, tall), (CHART_WIDE - _LEFT - 6) / len(tribes())
    return _LEFT + wide * (tribe + 0.5), _bottom(tall) - row * (space + 0.5), _radius(row, wide, 1, 1)


def _radius(row: float, wide: float, rows: int, columns: int) -> float:
    return max(4.0, min(10.0, (row - 3) / 2 / rows, (wide - 5) / 2 / columns))


def _bottom(tall: float) -> float:
    """Return the lower end of the spaces, below space 0."""
    return tall - _BELOW


def _row(last: int, tall: float) -> float:
    return (_bottom(tall) - _TOP) / (last + 1)


@lru_cache(maxsize=16)
def empty_chart(last: int, tall: float, spoken: str) -> str:
    """Write the chart without markers, with names in the current language."""
    root = ET.Element("g")
    add(root, "rect", width=CHART_WIDE, height=tall, rx=9.0, fill=_PANEL, stroke="#7a5a2a", stroke_width=2.2)
    say(root, CHART_WIDE / 2, 21, _("INFLUENCE"), 16, anchor="middle", bold=True, serif=True, fill="#7d1f1a")
    row, wide = _row(last, tall), (CHART_WIDE - _LEFT - 6) / len(tribes())
    for tribe in tribes():
        left = _LEFT + wide * tribe.number
        title(column := add(root, "g", class_="column", data_tribe=tribe.number), tribe.name)
        head(column, tribe.number, left + wide / 2, 47, 1.3)
        low, last_one = 80 + 15 * (tribe.number % 2), tribe.number == len(tribes()) - 1
        say(column, CHART_WIDE - 8 if last_one else left + wide / 2, low, tribe.name, 15,
            anchor="end" if last_one else "middle", bold=True)
        for space in range(last + 1):
            top = _bottom(tall) - row * (space + 1)
            fill = "#f0e8d2" if space == 0 else mixed(tribe.rgb, PAPER, 0.62 if space % 2 else 0.74)
            add(column, "rect", x=left + 1.5, y=top + 0.04 * row, width=wide - 3, height=0.92 * row,
                rx=min(3.0, 0.2 * row),
                fill=GOLD if space == last else fill, stroke=OUTLINE if space == last else _LINE,
                stroke_width=1.3 if space == last else 0.8)
    every = 1 if row > 16 else 5 if row > 4 else 10
    for space in range(last + 1):
        if space % every and space != last:
            continue
        y = _bottom(tall) - row * (space + 0.5)
        say(root, _LEFT - 4, y + 5.4, str(space), 15, anchor="end", bold=space in (0, last), fill=FAINT)
    return document_text(root)


def _draw_markers(parent: ET.Element, seats: list[int], x: float, y: float, wide: float, row: float,
                  space: int) -> None:
    """Set the markers of a space side by side, four or more in two rows."""
    group = add(parent, "g", data_space=space if space >= 0 else None)
    rows = [seats] if len(seats) < 4 else [seats[:(len(seats) + 1) // 2], seats[(len(seats) + 1) // 2:]]
    radius = _radius(row, wide, len(rows), len(rows[0]))
    for number, some in enumerate(rows):
        for i, seat in enumerate(some):
            marker(group, seat, x + 2 * radius * (i - (len(some) - 1) / 2),
                   y + 2 * radius * (number - (len(rows) - 1) / 2), radius)


def _draw_counts(group: ET.Element, position: Position, wide: float, top: float) -> None:
    """Write tokens on the board, provinces, supply and leading seats of every tribe."""
    rows = (("tokens", _("tokens"), on_board(position), True),
            ("provinces", _("provinces"), spread(position), True), ("supply", _("supply"), position.supply, False))
    counts = add(group, "g", class_="counts")
    for number, (key, name, values, strong) in enumerate(rows):
        y = top + 33 + 32 * number
        add(counts, "rect", x=6.0, y=y - 28.5, width=CHART_WIDE - 12, height=31.0, rx=4.0,
            fill="#f2e7c8" if strong else "#ece6d8")
        say(counts, 10, y - 15.5, name, 13.5, fill=FAINT)
        for tribe, value in zip(tribes(), values, strict=True):
            empty = key == "supply" and value == 0
            say(counts, _LEFT + wide * (tribe.number + 0.5), y, str(value), 15, anchor="middle", bold=strong,
                fill=RED if empty else INK, class_=f"{key} tribe-{tribe.number}")
    say(counts, 10, top + 114, _("leads"), 13.5, fill=FAINT)
    for tribe in tribes():
        spaces = [one.influence[tribe.number] for one in position.seats]
        first = [seat for seat, space in enumerate(spaces) if rank_mark(spaces, space)]
        if first:
            _draw_markers(counts, first, _LEFT + wide * (tribe.number + 0.5), top + 121, wide,
                          20.0, -1)
    names = ", ".join(seat_name(seat) for seat in range(position.players))
    title(counts, _("tokens on the board, provinces that hold some, tokens left; markers of {names}").format(
        names=names))
