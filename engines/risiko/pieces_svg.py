"""Drawings of the pieces of RisiKo!: tanks, signs of the cards, cards; and where the names of the map stand.

Everything is drawn around the origin; the caller moves and scales it.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import Any
from xml.etree import ElementTree as ET

from sfida.engines.drawing import colors, svg
from sfida.engines.drawing.colors import GOLD, INK, OUTLINE, PAPER
from sfida.engines.drawing.placing import Areas, Name, Rect, place_names
from sfida.engines.drawing.svg import Point, add, moved, num, title
from sfida.engines.language import _, language
from sfida.engines.risiko.map import HIGH, WIDE, lands, plate
from sfida.engines.risiko.style import JOKERS, Continent, card_code, card_symbol, continents, symbol_name, territories

CARD_WIDE, CARD_HIGH = 92.0, 120.0
say = partial(svg.say, fill=INK)
ink_on = partial(colors.ink_on, dark=OUTLINE)
LETTERS: dict[str, Any] = {"text_anchor": "middle", "font_weight": "bold", "font_size": 13.5}    # letters on pieces
_SIGNS = ("infantry", "cavalry", "cannon", "joker")

_TANK = "M-18.5,6L-16.5,-5.5Q-16,-8,-13.5,-8H13Q15,-8,16,-6L18.5,0V6z"
_TURRET = "M-8.5,-8L-7.5,-14.5Q-7,-16,-5.5,-16H5Q6.5,-16,7,-14.5L8.5,-8z"
_HORSE = ("M-6.5,11 L8,11 C9,3 8,-3 4.5,-7 L5,-11 L1,-8.5 C-4,-8 -7.5,-3.5 -9.5,1.2 L-8.2,4.4 L-5,4.2 "
          "C-3.4,2.4 -1.6,2.4 0.6,1.2 C0.4,5.5 -5.4,6 -6.5,11 Z")


# ---- tanks --------------------------------------------------------------------------------------------


def piece_symbols(defs: ET.Element) -> None:
    """Define the pieces: a tank, one with a big gun for 5 armies, one with a flag for 10 (RIS-2.2); and card signs."""
    add(defs, "path", id="ris-under", d=f"{_TANK}{_TURRET}M-18,5h36v7h-36z", fill="#000000", opacity=0.3,
        transform="translate(1.6 2.4)")
    add(defs, "path", id="ris-rim", d=f"{_TANK}{_TURRET}M-18,6h36v6h-36z", stroke=PAPER, stroke_width=4.6)
    body = add(defs, "g", id="ris-body", stroke=OUTLINE, stroke_width=1.3)
    add(body, "rect", x=-18.0, y=4.5, width=36.0, height=8.4, rx=4.2, fill="#2c261f", stroke_width=1.0)
    add(body, "path", d="M-13,8.7h0m6.5,0h0m6.5,0h0m6.5,0h0m6.5,0h0", stroke="#8d8372", stroke_width=4.6,
        stroke_linecap="round")
    add(body, "path", d=_TURRET)
    add(body, "path", d=_TANK)
    add(body, "path", d="M-15,-6.4H13", stroke="#ffffff", stroke_width=1.2, opacity=0.45)
    for name, big, flag in (("tank", False, False), ("heavy", True, False), ("flag", True, True)):
        group = add(defs, "g", id=f"ris-{name}", stroke_linejoin="round", stroke=OUTLINE)
        add(group, "use", href="#ris-under", stroke="none")
        if flag:
            add(group, "path", d="M-12.5,-8V-25", stroke_width=1.8)
            add(group, "path", d="M-12.5,-25.5L2,-22L-12.5,-17.5z", stroke_width=1.2)
        gun = f"M6,-12L{21 if big else 18},-13.4"
        add(group, "path", d=gun, stroke=PAPER, stroke_width=7.0 if big else 6.0, stroke_linecap="round")
        add(group, "use", href="#ris-rim")
        add(group, "path", d=gun, stroke_width=4.0 if big else 2.8, stroke_linecap="round")
        add(group, "use", href="#ris-body")
    code_plate(defs, id="ris-code")
    back = add(defs, "g", id="ris-back")
    add(back, "rect", width=15.0, height=22.0, rx=2.4, fill="#7c2a25", stroke=OUTLINE, stroke_width=1.0)
    add(back, "rect", x=2.0, y=2.0, width=11.0, height=18.0, rx=1.4, fill="none", stroke="#e8c9a0", stroke_width=0.8)
    add(back, "path", d="M7.5,6L11,11L7.5,16L4,11z", fill="#e8c9a0", opacity=0.8)
    for kind in _SIGNS:
        _sign(add(defs, "g", id=f"ris-{kind}", fill=INK, stroke_linecap="round", stroke_linejoin="round"), kind)


def code_plate(parent: ET.Element, fill: str = "#fffdf3", **attributes: object) -> None:
    """Draw the plate under the code of a territory."""
    add(parent, "rect", **attributes, x=-14.0, y=4.4, width=28.0, height=10.4, rx=3.0, fill=fill, stroke=OUTLINE,
        stroke_width=0.9)


def army(parent: ET.Element, count: int, rgb: str, letter: str) -> None:
    """Draw a tank with the number of armies on its hull and the letter of their colour on the turret, in `LETTERS`."""
    kind = "flag" if count >= 10 else "heavy" if count >= 5 else "tank"
    add(parent, "use", href=f"#ris-{kind}", fill=rgb)
    ink = ink_on(rgb)
    add(parent, "text", class_="armies", y=3.7, fill=ink, font_size=None if count < 1000 else 11).text = str(count)
    say(parent, 0, -8.6, letter, 9, fill=ink, class_="owner")


# ---- names of the territories ---------------------------------------------------------------------------

NAME = 12.8                                     # size of a name: 11 pixels where the map is 860 wide
PLATE = 26.0                                    # height of a continent's plate
_MARGIN = 5.0                                   # free room on its left
_PIECE = -21.0, -28.0, 23.0, 15.0               # the room of a piece around its spot


def spot_of(number: int) -> Point:
    """Return the place of a territory's armies, in tenths."""
    x, y = lands()[territories()[number].id].spot
    return round(x, 1), round(y, 1)


def names_on_map() -> tuple[Name, ...]:
    """Return where the names of the territories stand, in the current language."""
    return _names(language())


@lru_cache(maxsize=4)
def _names(_language: str) -> tuple[Name, ...]:
    plates: list[Rect] = []
    for continent in continents():
        left, y, wide = plate_box(continent)
        plates.append((left, y, left + wide, y + PLATE))
    areas = Areas(lands()[territory.id].rings for territory in territories())

    def toll(number: int, point: Point) -> float:
        owners = areas.at(*point)
        return 0.0 if number in owners or not owners else 6.0

    return place_names([(territory.name, spot_of(territory.number), _PIECE) for territory in territories()], NAME,
                       (8.0, 8.0, WIDE - 8, HIGH - 8), taken=plates, toll=toll)


@cache
def _extent(number: int) -> Rect:
    points = [point for ring in lands()[territories()[number].id].rings for point in ring]
    return (min(x for x, _y in points), min(y for _x, y in points), max(x for x, _y in points),
            max(y for _x, y in points))


def plate_box(continent: Continent) -> tuple[float, float, float]:
    """Return left end, top and width of a continent's plate."""
    x, y = plate(continent.id)
    wide = 8.2 * len(continent.name) + 44
    return max(_MARGIN, x - wide / 2), y - PLATE / 2, wide


def new_armies(parent: ET.Element, rgb: str) -> None:
    """Draw armies about to be placed beside a tank; a page writes their number."""
    add(parent, "use", href="#ris-tank", fill=rgb, transform="translate(27 -17) scale(.85)")
    say(parent, 27, -13.5, "+1", 11.5, anchor="middle", bold=True, fill=ink_on(rgb), data_say="amount")


# ---- cards --------------------------------------------------------------------------------------------


def _sign(group: ET.Element, kind: str) -> None:
    """Draw the sign of a card, about 24 units high."""
    if kind == "infantry":
        add(group, "path", d="M-4.4,-8 C-4.4,-13 4.4,-13 4.4,-8 L5.6,-7 L-5.6,-7 Z")
        add(group, "path", d="M-3.2,-6.6 C-3,-2.4 3,-2.4 3.2,-6.6 Z")
        add(group, "path", d="M-5.5,-2 L5,-2 L6,4 L4,12 L1,12 L0,5.5 L-1,12 L-4,12 L-5,4 Z")
        add(group, "path", d="M-9,7 L9,-9", stroke=INK, stroke_width=2.2, fill="none")
        add(group, "path", d="M-9,7 L-11,10", stroke=INK, stroke_width=4, fill="none")
    elif kind == "cavalry":
        add(group, "path", d=_HORSE)
        add(group, "circle", cx=-1.8, cy=-3.4, r=1.1, fill=PAPER)
        add(group, "path", d="M6.5,-4 C9.5,0 10,5 9.6,10.5", stroke=INK, stroke_width=2, fill="none")
    elif kind == "cannon":
        add(group, "path", d="M-9.5,-1 L9.5,-9.5 L11.5,-5 L-6.5,4.5 C-10,5 -12,1 -9.5,-1 Z")
        add(group, "path", d="M-2,4 L-12,11.5", stroke=INK, stroke_width=2.8, fill="none")
        add(group, "circle", cx=1.0, cy=5.6, r=5.8, fill=PAPER, stroke=INK, stroke_width=2.2)
        add(group, "path", d="M-4.6,5.6 h11.2 M1,0 v11.2", stroke=INK, stroke_width=1.4)
        add(group, "circle", cx=1.0, cy=5.6, r=1.8)
    else:
        points = "M0,-12 L3.4,-4 L12,-3.4 L5.4,2.2 L7.6,10.6 L0,6 L-7.6,10.6 L-5.4,2.2 L-12,-3.4 L-3.4,-4 Z"
        add(group, "path", d=points, fill=GOLD, stroke=INK, stroke_width=1.4)


def card_back(parent: ET.Element, x: float, y: float) -> None:
    """Draw the back of a territory card 15 x 22."""
    add(parent, "use", class_="back", href="#ris-back", transform=f"translate({num(x)} {num(y)})")


def territory_card(parent: ET.Element, card: int, mine: bool) -> None:
    """Draw a card from its upper left corner: name, outline, sign and code; gold if its territory is owned."""
    joker = card in JOKERS
    rgb = "#7d6a9c" if joker else continents()[territories()[card].continent].rgb
    group = add(parent, "g", class_="card", data_card=card, data_symbol=card_symbol(card))
    told = _("{card}, {symbol}: +2 armies in a set") if mine else _("{card}, {symbol}")
    name = symbol_name("joker") if joker else territories()[card].name
    title(group, told.format(card=name, symbol=symbol_name(card_symbol(card))))
    add(group, "rect", x=2.0, y=3.0, width=CARD_WIDE, height=CARD_HIGH, rx=6.0, fill="#000000", opacity=0.25)
    add(group, "rect", width=CARD_WIDE, height=CARD_HIGH, rx=6.0, fill=PAPER, stroke=GOLD if mine else OUTLINE,
        stroke_width=3.2 if mine else 1.4)
    add(group, "rect", x=4.0, y=4.0, width=CARD_WIDE - 8, height=31.0, rx=3.0, fill=rgb)
    lines = name_lines(_("Joker") if joker else name)
    for row, line in enumerate(lines):
        say(group, CARD_WIDE / 2, (24 if len(lines) == 1 else 17) + 13 * row, line, min(12.5, 148 / len(line)),
            anchor="middle", bold=joker, fill=ink_on(rgb), class_="card-name")
    if joker:
        for x, kind in ((21, "infantry"), (46, "cavalry"), (71, "cannon")):
            add(moved(group, x, 55, 0.9), "use", href=f"#ris-{kind}")
    else:
        silhouette(group, card, (10.0, 39.0, CARD_WIDE - 20, 36.0), rgb)
    add(moved(group, CARD_WIDE / 2, 96, 1.2), "use", href=f"#ris-{card_symbol(card)}")
    say(group, 6, CARD_HIGH - 6, card_code(card), 10, bold=True, fill=INK, class_="card-code code")
    if mine:
        say(group, CARD_WIDE - 5, CARD_HIGH - 6, "+2", 13, anchor="end", bold=True, fill="#8a6508")


def name_lines(name: str) -> list[str]:
    """Return the name of a territory in one line, or in two if it is long."""
    cuts = [i for i, char in enumerate(name) if char == " "]
    if len(name) <= 11 or not cuts:
        return [name]
    cut = min(cuts, key=lambda i: max(i, len(name) - i))
    return [name[:cut], name[cut + 1:]]


def silhouette(parent: ET.Element, number: int, box: tuple[float, float, float, float], fill: str) -> None:
    """Draw the outline of a territory within a box (x, y, width, height)."""
    x, y, wide, high = box
    left, top, right, bottom = _extent(number)
    scale = min(wide / (right - left), high / (bottom - top))
    at = (x + wide / 2 - scale * (left + right) / 2, y + high / 2 - scale * (top + bottom) / 2)
    add(parent, "use", href=f"#ris-t{number}", fill=fill, stroke=OUTLINE, stroke_width=0.9 / scale,
        transform=f"translate({num(at[0])} {num(at[1])}) scale({scale:.4g})")
