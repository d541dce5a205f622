"""Drawings of the pieces, signs and cards of A Few Acres of Snow.

Everything is drawn around the origin, signs about 24 units wide; the caller moves and scales it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any
from xml.etree import ElementTree as ET

from sfida.engines.acres.style import LETTERS, Card, card_key, cards, offered, seat_rgb, sites
from sfida.engines.drawing import svg
from sfida.engines.drawing.placing import text_wide, wrapped
from sfida.engines.drawing.svg import add, hit, keep_place, moved, num, symbol, title, written
from sfida.engines.language import N_, _, language, pgettext

# ---- Drawings of the pieces and signs of A Few Acres of Snow

INK, PAPER, OUTLINE, GOLD, HALO, PURPLE = "#33261a", "#f6ecd2", "#21170d", "#e0b040", "#fbf5e2", "#6a3d86"
CARD_WIDE, CARD_HIGH, CHIP_HIGH = 124.0, 172.0, 24.0
_PARCHMENT, _LINE = "#ead9ae", "#b3965a"
SEA, LAND = "#1d4557", "#5a3413"                     # colours of signs on the map: ship and anchor, settler
LETTERS_ON: dict[str, Any] = {"text_anchor": "middle", "font_weight": "bold"}      # letters on signs and pieces
say = partial(svg.say, fill=INK)

_FLEUR = ("M0,-11 C3.6,-7 3.6,-3 1.6,0.6 L2.6,0.6 C3,-4.4 10,-6.6 10.6,-0.6 C10.8,2.6 7.6,4 6,2.2 C6.4,0.4 3.6,0.6 "
          "2.4,3 L6,3 L6,5.4 L1.8,5.4 C2,8 3,10 4,11 L-4,11 C-3,10 -2,8 -1.8,5.4 L-6,5.4 L-6,3 L-2.4,3 "
          "C-3.6,0.6 -6.4,0.4 -6,2.2 C-7.6,4 -10.8,2.6 -10.6,-0.6 C-10,-6.6 -3,-4.4 -2.6,0.6 L-1.6,0.6 "
          "C-3.6,-3 -3.6,-7 0,-11 Z")
_CROSS = "M-3,-11 H3 V-3 H11 V3 H3 V11 H-3 V3 H-11 V-3 H-3 Z"


def star(points: int, outer: float, inner: float, turn: float = 0.0) -> str:
    """Write a star with a given number of tips as the points of a polygon."""
    spots = []
    for i in range(2 * points):
        reach, angle = (outer, inner)[i % 2], math.pi * i / points + turn
        spots.append(f"{num(reach * math.sin(angle))},{num(-reach * math.cos(angle))}")
    return " ".join(spots)


def sign(parent: ET.Element, name: str, x: float, y: float, scale: float = 1.0) -> None:
    """Place a sign, such as "boat", or a picture of an empire card, in the colour of its parent."""
    symbol(parent, f"fas-{name}", x, y, scale)


def symbols(defs: ET.Element) -> None:
    """Define the emblems of the sides, the signs of cards and board, and the pictures of the empire cards."""
    add(defs, "path", id="fas-side-0", d=_CROSS)
    add(defs, "path", id="fas-side-1", d=_FLEUR)
    add(defs, "polygon", id="fas-fort-ring", points=star(8, 32, 24.5, math.pi / 8))
    add(defs, "polygon", id="fas-burst", points=star(14, 38, 25))
    add(defs, "polygon", id="fas-hexagon", points=star(3, 11.5, 11.5), fill=PURPLE, stroke="#ffffff", stroke_width=1.2)
    add(defs, "path", id="fas-shield", d="M-9,-10H9V-1C9,6,4,9.6,0,11.5C-4,9.6,-9,6,-9,-1z", fill="#7d8489",
        stroke="#ffffff", stroke_width=1.2)
    symbol(defs, "fas-shield", -21, -18, 1.25, id="fas-guard")
    symbol(defs, "fas-hexagon", 21, -18, 1.25, id="fas-worth-1")
    double = moved(defs, 21, -18, 1.25, id="fas-worth-2")
    for x in (6.5, 0.0):
        symbol(double, "fas-hexagon", x)
    metal = add(defs, "g", id="fas-coin", fill="none")
    add(metal, "circle", r=11.0, fill=GOLD, stroke="#7a5712", stroke_width=1.4)
    add(metal, "circle", r=8.6, stroke="#fff1bd", stroke_width=0.9)
    _village(add(defs, "g", id="fas-village"))
    _town(add(defs, "g", id="fas-town"))
    _wilderness(add(defs, "g", id="fas-free"))
    code_plate(defs, id="fas-code")
    for name, draw in (("boat", _boat), ("ship", _ship), ("wagon", _wagon), ("settler", _settler), ("fur", _fur),
                       ("military", _military), ("ambush", _tomahawk), ("cannon", _cannon), ("leader", _hat),
                       ("crown", _crown), ("scroll", _scroll), ("quill", _quill), ("feather", _feather),
                       ("cross", _latin), ("fort", _fort), ("harbour", _harbour)):
        draw(add(defs, "g", id=f"fas-{name}", stroke_linejoin="round", stroke_linecap="round"))
    for name, colour, x, scale in (("settler", LAND, -21, 0.62), ("ship", SEA, 21, 0.62), ("harbour", SEA, 21, 1.0)):
        spot = moved(defs, x, 20, 1.2, id=f"fas-needs-{name}", fill=colour, color=colour)
        add(spot, "circle", r=9.4, fill=HALO, opacity=0.9)
        sign(spot, name, 0, 0, scale)
    _card_face(defs)


def _card_face(defs: ET.Element) -> None:
    face = add(defs, "g", id="fas-card")
    add(face, "rect", x=2.5, y=3.5, width=CARD_WIDE, height=CARD_HIGH, rx=8.0, fill="#000000", opacity=0.28)
    add(face, "rect", width=CARD_WIDE, height=CARD_HIGH, rx=8.0, fill=PAPER, stroke=OUTLINE, stroke_width=1.6)
    right = CARD_WIDE - 4
    add(face, "path", d=f"M4,38V10Q4,4,10,4H{right - 6:.0f}Q{right:.0f},4,{right:.0f},10V38z")
    for name, top, high in (("offers", 128.0, 37.0), ("abilities", 104.0, 61.0)):
        add(defs, "rect", id=f"fas-{name}", x=7.0, y=top, width=CARD_WIDE - 14, height=high, rx=5.0, fill=_PARCHMENT,
            stroke=_LINE, stroke_width=1.2)
    add(defs, "circle", id="fas-medal", cx=CARD_WIDE / 2, cy=71.0, r=25.0, fill=_PARCHMENT, stroke=_LINE,
        stroke_width=1.2)


# ---- signs --------------------------------------------------------------------------------------------


def _boat(group: ET.Element) -> None:
    add(group, "path", d="M-12,-3 C-9,8 9,8 12,-3 C8,1 -8,1 -12,-3 Z")
    add(group, "path", d="M-5,-9 L4,9", stroke="currentColor", stroke_width=1.6, fill="none")
    add(group, "path", d="M3,6.4 L6.4,8.2 L6,12 L3.4,10.6 Z")


def _ship(group: ET.Element) -> None:
    add(group, "path", d="M-11.5,4.5 L11.5,4.5 L8,11 L-8,11 Z")
    add(group, "path", d="M-1.2,-12 L-1.2,3 L-10,3 C-6,-2 -4,-7 -1.2,-12 Z")
    add(group, "path", d="M0.8,-9 C7,-6 9.4,-1.5 9,3 L0.8,3 Z")


def _wagon(group: ET.Element) -> None:
    add(group, "path", d="M-9.5,0.5 C-13,-11 13,-11 9.5,0.5 Z")
    add(group, "rect", x=-10.5, y=1.4, width=21.0, height=3.4)
    for x in (-6.0, 6.0):
        add(group, "circle", cx=x, cy=7.0, r=4.4)
        add(group, "circle", cx=x, cy=7.0, r=2.0, fill=PAPER)


def _settler(group: ET.Element) -> None:
    add(group, "path", d="M-8,-6.4 H8 V-4.8 H-8 Z M-4.4,-7 L-3.6,-11.6 H3.6 L4.4,-7 Z")
    add(group, "path", d="M-3.4,-4 H3.4 C3.4,0.6 -3.4,0.6 -3.4,-4 Z")
    add(group, "path", d="M-7.6,11.6 L-6,2.4 C-3,0.4 3,0.4 6,2.4 L7.6,11.6 Z")
    add(group, "path", d="M9.6,11.6 V-3", stroke="currentColor", stroke_width=1.8, fill="none")
    add(group, "path", d="M8.4,-4 H13 C13,-0.6 11,0 8.4,-0.4 Z")


def _fur(group: ET.Element) -> None:
    add(group, "path", d="M0,-11.6 C2,-11.6 2.8,-9.6 3,-8 C5.6,-7.8 8,-9.6 10,-8.6 C10.4,-6.4 8,-5 6.6,-3.8 C7.4,-1 "
        "7.4,1 6.4,3.2 C8.2,4 10.4,5.6 9.8,7.8 "
        "C7.4,8.4 5.6,6.8 3.6,6 L1.8,12 H-1.8 L-3.6,6 C-5.6,6.8 -7.4,8.4 -9.8,7.8 "
        "C-10.4,5.6 -8.2,4 -6.4,3.2 C-7.4,1 -7.4,-1 -6.6,-3.8 C-8,-5 -10.4,-6.4 -10,-8.6 C-8,-9.6 -5.6,-7.8 -3,-8 "
        "C-2.8,-9.6 -2,-11.6 0,-11.6 Z")


def _military(group: ET.Element) -> None:
    for side in (1, -1):
        half = add(group, "g", transform=f"scale({side} 1)")
        add(half, "path", d="M-9,-11 L7,6.4", stroke="currentColor", stroke_width=2.2, fill="none")
        add(half, "path", d="M4.4,3.2 L6.6,1.4 L12,8.4 C12,11 9.4,12 8,10.4 Z")


def _tomahawk(group: ET.Element) -> None:
    add(group, "path", d="M-6,12 L4,-10", stroke="currentColor", stroke_width=2.6, fill="none")
    add(group, "path", d="M1.4,-9.4 C5,-12 10,-10 12,-4.6 C8.6,-4.4 5.4,-4.8 -0.4,-4.4 Z")


def _cannon(group: ET.Element) -> None:
    add(group, "path", d="M-9.5,-1 L9.5,-9.5 L11.5,-5 L-6.5,4.5 C-10,5 -12,1 -9.5,-1 Z")
    add(group, "path", d="M-2,4 L-12,11.5", stroke="currentColor", stroke_width=2.8, fill="none")
    add(group, "circle", cx=1.0, cy=5.6, r=5.8, fill=PAPER, stroke="currentColor", stroke_width=2.2)
    add(group, "path", d="M-4.6,5.6 h11.2 M1,0 v11.2", stroke="currentColor", stroke_width=1.4)


def _hat(group: ET.Element) -> None:
    add(group, "path", d="M-12,3 C-9,-2 -6,-9 0,-9 C6,-9 9,-2 12,3 C6,0 -6,0 -12,3 Z")
    add(group, "path", d="M-11,5.4 C-5,2.4 5,2.4 11,5.4 C6,8.4 -6,8.4 -11,5.4 Z")


def _crown(group: ET.Element) -> None:
    add(group, "path", d="M-10,9 L-12,-6 L-5.4,0 L0,-9.6 L5.4,0 L12,-6 L10,9 Z")
    for x, y in ((-12.0, -7.4), (0.0, -11.0), (12.0, -7.4)):
        add(group, "circle", cx=x, cy=y, r=1.9)


def _scroll(group: ET.Element) -> None:
    add(group, "path", d="M-8,-11 H9 C5.6,-9 6.6,-6 6.6,-4 V9 C6.6,11 4,12 2,11 H-10 C-7,10 -6.6,7 -6.6,5 V-7 "
        "C-6.6,-9 -7,-10 -8,-11 Z")
    add(group, "path", d="M-3.4,-5.4 H3.6 M-3.4,-1.6 H3.6 M-3.4,2.2 H3.6", stroke=PAPER, stroke_width=1.5)


def _quill(group: ET.Element) -> None:
    add(group, "path", d="M11,-12 C0,-10 -6,-2 -7.6,7 L-11,12 L-6,8.6 C3,8 10,0 11,-12 Z")
    add(group, "path", d="M7,-8 C1,-3 -3,2 -7,8", stroke=PAPER, stroke_width=1.0, fill="none")


def _feather(group: ET.Element) -> None:
    for turn in (-28, 0, 28):
        plume = add(group, "g", transform=f"rotate({turn} 0 9)")
        add(plume, "path", d="M0,-12 C4,-7 3.4,0 0.8,4 H-0.8 C-3.4,0 -4,-7 0,-12 Z")
    add(group, "rect", x=-6.0, y=5.0, width=12.0, height=5.0, rx=1.5)


def _latin(group: ET.Element) -> None:
    add(group, "path", d="M-2.2,-12 H2.2 V-5.6 H8.4 V-1.2 H2.2 V12 H-2.2 V-1.2 H-8.4 V-5.6 H-2.2 Z")


def _fort(group: ET.Element) -> None:
    add(group, "polygon", points=star(5, 12.4, 6.4), fill="none", stroke="currentColor", stroke_width=2.4)
    add(group, "polygon", points=star(5, 5.4, 2.8))


# ---- pieces -------------------------------------------------------------------------------------------


def emblem(parent: ET.Element, seat: int, x: float, y: float, scale: float, fill: str = "#ffffff") -> None:
    """Place the emblem of a side: a cross for the British, a lily for the French."""
    symbol(parent, f"fas-side-{seat}", x, y, scale, fill=fill)


def _village(group: ET.Element) -> None:
    add(group, "rect", x=-15.5, y=-14.0, width=34.0, height=34.0, rx=3.0, fill="#000000", opacity=0.32)
    add(group, "rect", x=-17.0, y=-17.0, width=34.0, height=34.0, rx=3.0, stroke=OUTLINE, stroke_width=1.8)
    add(group, "path", d="M-15,-13V-15H13", fill="none", stroke="#ffffff", stroke_width=1.6, opacity=0.5)


def village(parent: ET.Element, seat: int) -> None:
    """Draw a cube."""
    symbol(parent, "fas-village", class_="village", fill=seat_rgb(seat))
    emblem(parent, seat, 0, 0, 1.0)


def _town(group: ET.Element) -> None:
    add(group, "circle", cx=1.6, cy=3.0, r=20.5, fill="#000000", opacity=0.32)
    add(group, "circle", r=20.5, stroke=OUTLINE, stroke_width=1.8)
    add(group, "circle", r=17.2, fill="none", stroke="#ffffff", stroke_width=1.3)


def town(parent: ET.Element, seat: int) -> None:
    """Draw a disc."""
    symbol(parent, "fas-town", class_="town", fill=seat_rgb(seat))
    emblem(parent, seat, 0, 0, 1.0)


def fort_ring(parent: ET.Element, **attributes: object) -> None:
    """Draw the walls around a fortified site."""
    add(parent, "use", href="#fas-fort-ring", fill="#26221d", stroke="#ffffff", stroke_width=1.6, **attributes)


def siege_burst(parent: ET.Element, **attributes: object) -> None:
    """Draw the fire around a besieged site."""
    add(parent, "use", href="#fas-burst", fill="#f08a2a", stroke="#7a1d0c", stroke_width=2.2, **attributes)


def _wilderness(group: ET.Element) -> None:
    add(group, "circle", r=13.5, fill=PAPER, stroke=OUTLINE, stroke_width=1.6)
    add(group, "circle", r=9.0, fill="none", stroke="#9b8457", stroke_width=1.4, stroke_dasharray="3 3")


def wilderness(parent: ET.Element, scale: float = 1.0) -> None:
    """Draw a site that nobody controls."""
    symbol(parent, "fas-free", scale=scale, class_="neutral")


def site_signs(group: ET.Element, value: int, doubled: bool, defence: int) -> None:
    """Draw the value of a site at its upper right, and its defence at its upper left, in `LETTERS_ON`."""
    if value:
        symbol(group, f"fas-worth-{1 + doubled}")
        add(group, "text", class_="value", x=21, y=-11.5, font_size=17.5, fill="#ffffff").text = str(value)
    if defence:
        symbol(group, "fas-guard")
        add(group, "text", class_="defence", x=-21, y=-12.3, font_size=15.6, fill="#ffffff").text = str(defence)


def value_sign(parent: ET.Element, value: int) -> None:
    """Draw a purple hexagon with a value in `LETTERS_ON`."""
    symbol(parent, "fas-hexagon")
    say(parent, 0, 5.2, str(value), 14, fill="#ffffff", class_="value")


def shield(parent: ET.Element, defence: int) -> None:
    """Draw a shield with a defence modifier in `LETTERS_ON`."""
    symbol(parent, "fas-shield")
    say(parent, 0, 4.6, str(defence), 12.5, fill="#ffffff", class_="defence")


def _harbour(group: ET.Element) -> None:
    """Draw an anchor in the colour of the sea."""
    add(group, "path", d="M0,-6V6M-5.5,1.5C-4.5,7.5,4.5,7.5,5.5,1.5M-3,-3H3", fill="none", stroke=SEA, stroke_width=1.7)


def code_plate(parent: ET.Element, fill: str = "#fffdf3", **attributes: object) -> None:
    """Draw the plate under the code of a site."""
    add(parent, "rect", **attributes, x=-25.0, y=-9.5, width=50.0, height=19.0, rx=4.0, fill=fill, stroke=OUTLINE,
        stroke_width=1.0, opacity=0.92)


def coin(parent: ET.Element, text: str, radius: float = 11.0) -> None:
    """Draw a gold coin with a number in `LETTERS_ON`."""
    symbol(parent, "fas-coin", scale=radius / 11)
    if text:
        say(parent, 0, 0.42 * radius, text, 1.2 * radius, fill=OUTLINE, class_="coin")


def strength_badge(parent: ET.Element, strength: int) -> None:
    """Draw a dark disc with the strength of a card."""
    add(parent, "circle", r=12.0, fill=INK, stroke=GOLD, stroke_width=1.8)
    say(parent, 0, 5.4, str(strength), 15, anchor="middle", bold=True, fill="#ffffff")


def last_ring(parent: ET.Element, class_: str | None = None) -> None:
    """Draw the ring around the site of the last action; `class_` is the class of its two circles."""
    for colour, wide in (("#ffffff", 7.0), ("#ff4a1f", 3.6)):
        add(parent, "circle", class_=class_, r=31.0, fill="none", stroke=colour, stroke_width=wide)


def letter_badge(parent: ET.Element, seat: int) -> None:
    """Draw the letter of a side in its colour, 20 units wide."""
    add(parent, "rect", x=-10.0, y=-10.0, width=20.0, height=20.0, rx=4.0, fill=seat_rgb(seat), stroke="#ffffff",
        stroke_width=1.2)
    say(parent, 0, 5.2, LETTERS[seat], 14, anchor="middle", bold=True, fill="#ffffff", class_="letter")


# ---- card art

_PICTURES = {"military_leader": "leader", "regular_infantry": "military", "convert": "cross", "home_support": "crown",
             "trader": "fur", "siege_artillery": "cannon", "militia": "military", "settlers": "settler",
             "irregulars": "ambush", "fortification": "fort", "governor": "scroll", "intendant": "quill",
             "natives": "feather"}


_CARD_OF = {0: N_("British card {card} ({code})"), 1: N_("French card {card} ({code})"),
            -1: N_("neutral card {card} ({code})")}
_REACHES = {"boat": N_("by boat to {sites}"), "wagon": N_("by wagon to {sites}"), "ship": N_("by ship to {sites}")}


def card_title(card: Card) -> str:
    """Describe a card in one line."""
    parts = [_(_CARD_OF[card.side]).format(card=card.name, code=card.code)]
    parts += [_(_REACHES[way]).format(sites=", ".join(sites()[place].name for place in places))
              for way, places in card.links]
    parts += [_("offers {offers}").format(offers=", ".join(card.offers))] if card.offers else []
    parts += [_("strength {force}").format(force=card.strength)] if card.strength else []
    return "; ".join([*parts, *card.abilities])


# Cards and chips are the same in most pictures, so they are cached; a comment reserves their places.


def draw_card(parent: ET.Element, number: int, usable: bool = True, by_board: bool = False) -> None:
    """Draw a card, 124 x 172, from its upper left corner; an unusable card is pale and has a note."""
    keep_place(parent, f"card {number} {int(usable)} {int(by_board)}")


def with_cards(document: str) -> str:
    """Return a written document with cards and chips in their reserved places."""
    return re.sub(r"<!--(card|chip) ([0-9 ]+)-->", lambda found: _written(found[1], found[2], language()), document)


@lru_cache(maxsize=4096)
def _written(what: str, numbers: str, _language: str) -> str:
    holder = ET.Element("g")
    number, *more = map(int, numbers.split())
    if what == "card":
        _draw_card(holder, cards(bool(more[1]))[number], bool(more[0]))
    else:
        _draw_chip(holder, cards()[number], more[0], bool(more[1]))
    return written(holder)


def _draw_card(parent: ET.Element, card: Card, usable: bool) -> None:
    group = add(parent, "g", class_="card" if usable else "card unusable", data_card=card.number, fill=INK, color=INK)
    title(group, card_title(card) + ("" if usable else f"; {_('not usable now')}"))
    rgb = seat_rgb(card.side)
    symbol(group, "fas-card", fill=rgb)
    lines = wrapped(card.name, 100, 13)
    for row, line in enumerate(lines):
        say(group, CARD_WIDE / 2, (26 if len(lines) == 1 else 18.5) + 14 * row, line, min(13.5, 158 / len(line)),
            anchor="middle", bold=True, fill="#ffffff", class_="card-name")
    say(group, 8, 51, card.code, 11, bold=True, fill=rgb, class_="card-code code")
    if card.side >= 0:
        emblem(group, card.side, CARD_WIDE - 13, 47.5, 0.55, rgb)
    if card.site >= 0:
        _draw_location(group, card)
    else:
        _draw_empire(group, card, rgb)
    if not usable:
        add(group, "rect", width=CARD_WIDE, height=CARD_HIGH, rx=8.0, fill="#e9e2d0", opacity=0.5)
        band = moved(group, CARD_WIDE / 2, 120.5)
        add(band, "rect", x=-44.0, y=-12.0, width=88.0, height=19.0, rx=5.0, fill="#5b5347", opacity=0.92)
        say(band, 0, 2, "not usable", 12.5, anchor="middle", bold=True, fill="#ffffff", class_="unusable-note")


def _draw_location(group: ET.Element, card: Card) -> None:
    """Draw the sites that a card leads to, and its symbols."""
    ways = [(way, wrapped(", ".join(sites()[place].name for place in places), 93, 11)) for way, places in card.links]
    step = min(12.6, 72 / max(1.0, sum(len(lines) + 0.25 for _way, lines in ways) - 0.25))
    y = 62.0
    for way, lines in ways:
        sign(group, way, 14, y + 1, 0.6)
        for line in lines:
            add(group, "text", class_=f"links {way}", x=25, y=y + 4.6, font_size=min(11.0, step, 162 / len(line))
                ).text = line
            y += step
        y += 0.25 * step
    if not card.links:
        say(group, CARD_WIDE / 2, 86, _("no links"), 11, anchor="middle", italic=True, fill=_LINE)
    symbol(group, "fas-offers")
    count = len(card.symbols) + bool(card.coins)
    step = min(32.0, 104.0 / max(1, count))
    x = CARD_WIDE / 2 - step * (count - 1) / 2
    signs = add(group, "g", class_="symbols")
    for name in card.symbols:
        sign(signs, name, x, 146.5, 1.0 if count < 4 else 0.82)
        x += step
    if card.coins:
        coin(moved(signs, x, 146.5, **LETTERS_ON), str(card.coins), 13.0 if count < 4 else 11.5)


def _draw_empire(group: ET.Element, card: Card, rgb: str) -> None:
    picture = _PICTURES.get(card.kind) or next(iter(card.symbols), "fort")
    if card.kind == "convert" and card.side == 0:
        picture = "feather"
    symbol(group, "fas-medal")
    sign(add(group, "g", fill=rgb, color=rgb), picture, CARD_WIDE / 2, 71, 1.55)
    if card.strength:
        strength_badge(moved(group, CARD_WIDE - 20, 72, class_="strength"), card.strength)
    if card.cost:
        coin(moved(group, 19, 72, class_="price", **LETTERS_ON), str(card.cost), 11.5)
    symbol(group, "fas-abilities")
    lines = [*([" ".join(map(offered, card.symbols))] if card.strength == 0 and card.symbols else []), *card.abilities]
    broken = [part for line in lines for part in wrapped(line, 114, 11)]
    step = min(13.2, 58 / len(broken)) if broken else 0.0
    y = 138.5 - step / 2 * (len(broken) - 1)
    for line in broken:
        add(group, "text", class_="ability", x=CARD_WIDE / 2, y=y, text_anchor="middle",
            font_size=min(11.0, 0.95 * step, 178 / len(line))).text = line
        y += step


def card_back(parent: ET.Element, x: float, y: float, seat: int) -> None:
    """Draw the back of a card of a side, 22 x 31."""
    add(parent, "use", class_="back", href=f"#fas-back-{seat}", x=float(x), y=float(y))


def card_symbols(defs: ET.Element) -> None:
    """Define the backs of the cards."""
    for seat in range(2):
        back = add(defs, "g", id=f"fas-back-{seat}")
        add(back, "rect", width=22.0, height=31.0, rx=3.0, fill=seat_rgb(seat), stroke=HALO, stroke_width=1.2)
        add(back, "rect", x=2.6, y=2.6, width=16.8, height=25.8, rx=2.0, fill="none", stroke="#ffffff",
            stroke_width=0.8, opacity=0.7)
        emblem(back, seat, 11, 15.5, 0.56)


_CHIPS: dict[str, Any] = {"font_size": 12.5, "stroke_width": 1.8, **LETTERS_ON}     # what the chips of a pile share


def _chip_text(card: Card, count: int) -> str:
    return card.name + (f" ×{count}" if count > 1 else "")


def _chip_wide(card: Card, count: int, price: bool) -> float:
    return round(1.1 * text_wide(_chip_text(card, count), 12.5) + 12 + (20 if price else 0))


def _draw_chip(parent: ET.Element, card: Card, count: int, price: bool) -> None:
    title(parent, card_title(card))
    rgb, place, wide = seat_rgb(card.side), card.site >= 0, _chip_wide(card, count, price)
    add(parent, "rect", width=wide, height=CHIP_HIGH, rx=5.0, fill=PAPER if place else None, stroke=rgb)
    add(parent, "text", x=(wide - (20 if price else 0)) / 2, y=16.6,
        fill=None if place else "#ffffff").text = _chip_text(card, count)
    if price:
        coin(moved(parent, wide - 13, 12), str(card.cost), 9.8)


def chips(parent: ET.Element, pile: Sequence[int], x: float, y: float, right: float, *, prices: bool = False,
          dead: Sequence[int] = (), pile_name: str = "") -> float:
    """Draw a pile as chips with names and numbers of copies, in lines from `x` to `right`.

    Chips of a pile with a name of `places` are places for pointing.

    Returns
    -------
    float
        Start of the last line.
    """
    at, groups = x, {side: add(parent, "g", fill=seat_rgb(side), **_CHIPS)
                     for side in sorted({cards()[number].side for number in pile})}
    for number in sorted(set(pile), key=lambda n: (n >= 59, n)):
        card, count = cards()[number], list(pile).count(number)
        price = prices and card.site < 0
        wide = _chip_wide(card, count, price)
        if at + wide > right and at > x:
            at, y = x, y + CHIP_HIGH + 4
        item = moved(groups[card.side], at, y, class_="chip", data_card=number, data_count=count if count > 1 else None,
                     opacity=0.5 if number in dead else None)
        keep_place(item, f"chip {number} {count} {int(price)}")
        if pile_name:
            hit(item, card_key(pile_name, number), "rect", y=-2.0, width=wide, height=CHIP_HIGH + 4, rx=5.0)
        at += wide + 5
    if not pile:
        say(parent, at, y + 17, pgettext("acres", "none"), 13, italic=True, fill="#84755a", class_="none")
    return y
