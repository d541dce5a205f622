"""How the pieces of Zarahemla are painted: buildings, roads, robber, tokens, temple, cards and small signs.

Everything is drawn round the origin; the caller moves and scales it. Buildings and roads carry their owner's letter.
"""

from __future__ import annotations

import math
from functools import partial
from xml.etree import ElementTree as ET

from sfida.engines.drawing import colors, lettering
from sfida.engines.drawing.elements import add, moved, num
from sfida.engines.drawing.inks import INK, OUTLINE, PAPER, RED
from sfida.engines.zarahemla.looks import RESOURCES, pips, seat_letters, seat_rgb

BLUE = "#1f4fa8"
say = partial(lettering.say, fill=INK)
CARD = {"wood": "#4f8a3c", "brick": "#c06238", "water": "#3f8fca", "wheat": "#e6b93a", "stone": "#8d8b85"}

_SETTLEMENT = "M-13,12 L-13,-3 L0,-15 L13,-3 L13,12 Z"
_CITY = "M-20,14 L-20,-4 L-11,-13 L-4,-6 L-4,-15 L7,-24 L18,-15 L18,14 Z"


def seat_ink(seat: int) -> str:
    """Return the colour of letters on the colour of a seat."""
    return colors.ink_on(seat_rgb(seat), OUTLINE)


# ---- pieces -------------------------------------------------------------------------------------------


def settlement(parent: ET.Element, seat: int) -> None:
    """Draw a house about 26 units wide, with its owner's letter."""
    _body(parent, _SETTLEMENT, "M0,-15 L13,-3 L13,12 L5,12 L5,-3 Z", seat)
    say(parent, 0, 9, seat_letters(seat + 1)[seat], 14, anchor="middle", fill=seat_ink(seat), bold=True, class_="owner")


def city(parent: ET.Element, seat: int) -> None:
    """Draw a house with a tower about 40 units wide, with its owner's letter."""
    _body(parent, _CITY, "M7,-24 L18,-15 L18,14 L12,14 L12,-14 Z", seat)
    ink = seat_ink(seat)
    add(parent, "path", d="M3,-13 l0,5 m8,-5 l0,5", stroke=ink, stroke_width=2.4, fill="none", opacity=0.8)
    say(parent, -3, 11, seat_letters(seat + 1)[seat], 17, anchor="middle", fill=ink, bold=True, class_="owner")


def _body(parent: ET.Element, outline: str, shade: str, seat: int) -> None:
    add(parent, "path", d=outline, fill="#000000", opacity=0.35, transform="translate(2 3)")
    add(parent, "path", d=outline, fill="none", stroke="#ffffff", stroke_width=6.4, stroke_linejoin="round")
    add(parent, "path", d=outline, fill=seat_rgb(seat), stroke=OUTLINE, stroke_width=2.6, stroke_linejoin="round")
    add(parent, "path", d=shade, fill="#000000", opacity=0.16)


def road(parent: ET.Element, length: float, seat: int, upright: float) -> None:
    """Draw a road along the x axis, its owner's letter turned upright by `upright` degrees."""
    half = length / 2
    add(parent, "rect", x=-half - 1, y=-5.0, width=length + 4, height=14.0, rx=5.0, fill="#000000", opacity=0.3)
    add(parent, "rect", x=-half - 2.2, y=-9.2, width=length + 4.4, height=18.4, rx=6.2, fill="#ffffff")
    add(parent, "rect", x=-half, y=-7.0, width=length, height=14.0, rx=4.5, fill=seat_rgb(seat), stroke=OUTLINE,
        stroke_width=2.2)
    add(parent, "path", d=f"M{num(-half + 4)},-3.6 L{num(half - 4)},-3.6", stroke="#ffffff", stroke_width=1.8,
        opacity=0.45, stroke_linecap="round")
    letter = say(parent, 0, 4.4, seat_letters(seat + 1)[seat], 12, anchor="middle", fill=seat_ink(seat), bold=True,
                 class_="owner")
    letter.set("transform", f"rotate({num(upright)})")


def robber(parent: ET.Element) -> None:
    """Draw the robber, a black pawn about 56 units high that stands on the origin."""
    body = ("M-15,0 C-17,-7 -9,-9 -8,-14 C-7,-20 -5,-26 -4.5,-30 C-11,-33 -12,-45 -6,-50 C-2,-53.5 2,-53.5 6,-50 "
            "C12,-45 11,-33 4.5,-30 C5,-26 7,-20 8,-14 C9,-9 17,-7 15,0 Z")
    add(parent, "ellipse", cx=3, cy=0, rx=19, ry=5.5, fill="#000000", opacity=0.35)
    add(parent, "path", d=body, fill="none", stroke="#ffffff", stroke_width=5, stroke_linejoin="round", opacity=0.9)
    add(parent, "path", d=body, fill="#17130f", stroke="#000000", stroke_width=1.6, stroke_linejoin="round")
    add(parent, "path", d="M-5.5,-46 C-8,-43 -8,-38 -6,-35 M-3,-27 C-4,-20 -5,-14 -8,-8", fill="none",
        stroke="#8b8378", stroke_width=2, stroke_linecap="round")


def token(parent: ET.Element, number: int, rolled: bool) -> None:
    """Draw a number token of radius 30 with its pips: 6 and 8 red, 2 and 12 blue (ZAR-1.6)."""
    colour = RED if number in (6, 8) else BLUE if number in (2, 12) else INK
    add(parent, "circle", cx=1.6, cy=2.6, r=31.0, fill="#000000", opacity=0.35)
    if rolled:
        add(parent, "circle", class_="rolled", r=35.5, fill="none", stroke="#ffe45c", stroke_width=6)
    add(parent, "circle", r=30.5, fill=PAPER, stroke="#6c5630", stroke_width=2)
    add(parent, "circle", r=26.5, fill="none", stroke="#cdb784", stroke_width=1)
    size = 31.0 if number in (6, 8) else 27.0
    say(parent, 0, 7.5, str(number), size, anchor="middle", fill=colour, bold=True, serif=True, class_="number")
    count = pips(number)
    for i in range(count):
        add(parent, "circle", class_="pip", cx=6.6 * (i - (count - 1) / 2), cy=16.5, r=2.5, fill=colour)


def station_sign(parent: ET.Element, kind: str, takes: int) -> None:
    """Draw the sign of a trading station, radius 27: what it takes, and how many for one."""
    add(parent, "circle", cx=1.5, cy=2.5, r=27.5, fill="#000000", opacity=0.35)
    add(parent, "circle", r=27, fill="#8a5a2c", stroke="#3f2610", stroke_width=2)
    fill = PAPER if kind == "any" else _pale(CARD[kind])
    add(parent, "circle", r=22.5, fill=fill, stroke="#3f2610", stroke_width=1.2)
    if kind == "any":
        say(parent, 0, 3.5, "?", 24, anchor="middle", fill="#7a4a1c", bold=True, serif=True)
    else:
        icon(moved(parent, 0, -6.5, 0.95), kind)
    say(parent, 0, 18, f"{takes}:1", 14.5, anchor="middle", bold=True)


def _pale(rgb: str) -> str:
    return "#" + "".join(f"{(int(rgb[i:i + 2], 16) + 3 * 255) // 4:02x}" for i in (1, 3, 5))


def temple(parent: ET.Element) -> None:
    """Draw the temple, a stepped pyramid about 100 units wide and 70 high that stands on the origin."""
    add(parent, "ellipse", cx=2, cy=0, rx=58, ry=6, fill="#000000", opacity=0.35)
    for i in range(4):
        half, top = 52 - 11 * i, -13.0 * (i + 1)
        add(parent, "path", d=f"M{-half},{num(top + 13)} L{-half + 5},{num(top)} L{half - 5},{num(top)} "
            f"L{half},{num(top + 13)} Z", fill=("#d9c79c", "#e2d2ab", "#eadcb9", "#f1e6c8")[i], stroke="#6a5430",
            stroke_width=1.6, stroke_linejoin="round")
        add(parent, "path", d=f"M{half - 5},{num(top)} L{half},{num(top + 13)} L{half - 13},{num(top + 13)} "
            f"L{half - 13},{num(top)} Z", fill="#6a5430", opacity=0.22)
    add(parent, "path", d="M-9,0 L-6,-52 L6,-52 L9,0 Z", fill="#b99f69", stroke="#6a5430", stroke_width=1.2)
    steps = " ".join(f"M{num(-9 + 0.23 * i)},{-4 * i} L{num(9 - 0.23 * i)},{-4 * i}" for i in range(1, 13))
    add(parent, "path", d=steps, stroke="#6a5430", stroke_width=0.9)
    add(parent, "path", d="M-13,-52 L-13,-66 L13,-66 L13,-52 Z", fill="#f1e6c8", stroke="#6a5430", stroke_width=1.6)
    add(parent, "path", d="M-17,-66 L17,-66 L12,-73 L-12,-73 Z", fill="#c9a24a", stroke="#6a5430", stroke_width=1.4)
    add(parent, "path", d="M-4.5,-52 L-4.5,-61 L4.5,-61 L4.5,-52 Z", fill="#3f2f18")


# ---- small signs, about 22 units ------------------------------------------------------------------------


def icon(parent: ET.Element, kind: str) -> None:
    """Draw the sign of a resource within 22 units."""
    if kind == "wood":
        for x, y in ((-4.5, 5), (4.5, 5), (0, -2.6)):
            add(parent, "circle", cx=x, cy=y, r=4.6, fill="#d9a866", stroke="#5b3516", stroke_width=1.6)
            add(parent, "circle", cx=x, cy=y, r=1.9, fill="none", stroke="#8a5a2c", stroke_width=0.9)
    elif kind == "brick":
        for x, y in ((-9.6, 3), (0.4, 3), (-4.6, -3.4)):
            add(parent, "rect", x=x, y=y, width=9.2, height=5.6, rx=0.8, fill="#c14a2b", stroke="#5d1f12",
                stroke_width=1.2)
    elif kind == "water":
        add(parent, "path", d="M0,-11 C5,-4 7.5,-0.5 7.5,3.4 A7.5,7.5 0 0 1 -7.5,3.4 C-7.5,-0.5 -5,-4 0,-11 Z",
            fill="#3d96d6", stroke="#174c78", stroke_width=1.5)
        add(parent, "path", d="M-4,3 A4,4 0 0 0 -0.6,7", fill="none", stroke="#ffffff", stroke_width=1.8,
            stroke_linecap="round")
    elif kind == "wheat":
        add(parent, "path", d="M0,11 L0,-4", stroke="#8a5d10", stroke_width=1.6)
        for y in (-1.5, 3.5):
            for turn in (-34, 34):
                add(parent, "ellipse", rx=2.3, ry=4.6, fill="#f6cf4a", stroke="#8a5d10", stroke_width=1,
                    transform=f"translate({num(math.copysign(3.9, turn))} {num(y)}) rotate({turn})")
        add(parent, "ellipse", cx=0, cy=-7, rx=2.4, ry=4.6, fill="#f6cf4a", stroke="#8a5d10", stroke_width=1)
    elif kind == "stone":
        add(parent, "path", d="M-10,8 L-8,-2 L-2,-8 L5,-6 L10,2 L9,8 Z", fill="#9c9a94", stroke="#3f3d39",
            stroke_width=1.5, stroke_linejoin="round")
        add(parent, "path", d="M-2,-8 L5,-6 L10,2 L9,8 L3,8 L1,0 Z", fill="#6f6d68")
    else:
        raise ValueError(f"no sign for '{kind}'")


def small_piece(parent: ET.Element, kind: str, seat: int | None) -> None:
    """Draw a small settlement, city, road or temple stone; None: in no seat's colour."""
    fill = "#b9a06c" if seat is None else seat_rgb(seat)
    shapes = {"settlement": _SETTLEMENT, "city": _CITY, "road": "M-15,4.5 L11,-9 L15,-4.5 L-11,9 Z",
              "stone": "M-10,8 L-8,-4 L8,-4 L10,8 Z M-8,-4 L-4,-8 L10,-8 L8,-4 M10,8 L12,3 L10,-8"}
    add(parent, "path", d=shapes[kind], fill=fill, stroke=OUTLINE, stroke_width=2, stroke_linejoin="round")


def army_sign(parent: ET.Element) -> None:
    """Draw crossed spears over a shield within 22 units."""
    add(parent, "path", d="M-9,10 L9,-10 M9,10 L-9,-10", stroke="#6b4a22", stroke_width=2, stroke_linecap="round")
    add(parent, "path", d="M7,-8 L11,-12 L10,-6 Z M-7,-8 L-11,-12 L-10,-6 Z", fill="#55534e", stroke="#2b2925",
        stroke_width=0.8)
    add(parent, "circle", r=6.2, fill="#c9a24a", stroke="#4a3512", stroke_width=1.6)
    add(parent, "circle", r=2, fill="#4a3512")


def resource_card(parent: ET.Element, kind: str, count: int) -> None:
    """Draw a resource card 30 x 40 with how many there are; faded where there are none."""
    card = add(parent, "g", class_=f"card {kind}", data_count=count, opacity=None if count else 0.38)
    if count > 1:
        add(card, "rect", x=3, y=-2.4, width=30, height=40, rx=4, fill=CARD[kind], stroke=OUTLINE, stroke_width=1)
    add(card, "rect", x=0, y=0, width=30, height=40, rx=4, fill=CARD[kind], stroke=OUTLINE, stroke_width=1.3)
    add(card, "rect", x=2.6, y=2.6, width=24.8, height=20.6, rx=2.6, fill=PAPER)
    icon(moved(card, 15, 13, 0.82), kind)
    say(card, 15, 36, str(count), 13, anchor="middle", fill="#ffffff" if kind != "wheat" else OUTLINE, bold=True)


def card_back(parent: ET.Element, kind: str, x: float) -> None:
    """Draw the back of a card 24 x 34: kind "resource" or "development"."""
    fill, line = {"resource": ("#8a6a3d", "#e6cf9a"), "development": ("#5d3f78", "#d9c3ee")}[kind]
    card = moved(parent, x, 0, class_=f"back {kind}")
    add(card, "rect", width=24, height=34, rx=3.4, fill=fill, stroke=OUTLINE, stroke_width=1.2)
    add(card, "rect", x=3, y=3, width=18, height=28, rx=2, fill="none", stroke=line, stroke_width=1)
    add(card, "path", d="M12,9 L17,17 L12,25 L7,17 Z", fill="none", stroke=line, stroke_width=1.2)


def price(parent: ET.Element, cost: tuple[int, ...], step: float) -> None:
    """Draw a cost as a row of signs, `step` units apart."""
    place = 0.0
    for kind, count in zip(RESOURCES, cost, strict=True):
        for _ in range(count):
            icon(moved(parent, place, 0, 0.62), kind)
            place += step
