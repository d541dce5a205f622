"""Drawings of the pieces and hexes of Zarahemla.

Everything is drawn around the origin; the caller moves and scales it. Buildings and roads have their owner's letter.

The middle of a hex is free for the number token, and no two things differ only by colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from xml.etree import ElementTree as ET

from sfida.engines.drawing import colors, svg
from sfida.engines.drawing.colors import INK, OUTLINE, PAPER, RED
from sfida.engines.drawing.svg import add, gradient, moved, num, symbol
from sfida.engines.zarahemla.style import RESOURCES, pips, seat_letters, seat_rgb

# ---- Drawings of the pieces of Zarahemla: buildings, roads, robber, tokens, temple, cards and small signs

BLUE = "#1f4fa8"
say = partial(svg.say, fill=INK)
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
    """Draw the robber, a black pawn about 56 units high, standing on the origin."""
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
    """Draw the sign of a trading station, radius 27: its resource and its rate."""
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
    """Draw the temple, a stepped pyramid about 100 units wide and 70 high, standing on the origin."""
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
    """Draw a small settlement, city, road or temple stone in the colour of a seat; None: in a neutral colour."""
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
    """Draw a resource card, 30 x 40, with the number of such cards; faded for none."""
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


# ---- Drawings of the hexes of Zarahemla, as SVG elements in a hex of side 100 around the origin

_HALF = 50 * math.sqrt(3)
HEX_POINTS = ((0.0, -100.0), (_HALF, -50.0), (_HALF, 50.0), (0.0, 100.0), (-_HALF, 50.0), (-_HALF, -50.0))
HEX_PATH = "M" + " L".join(f"{num(x)},{num(y)}" for x, y in HEX_POINTS) + " Z"
# Light in the middle, dark at the rim.
GROUND = {"wood": ("#8cb85a", "#4c7f38"), "brick": ("#d98a5c", "#a8502f"), "water": ("#a9c46f", "#6f9a4c"),
          "wheat": ("#f6d767", "#d9a334"), "stone": ("#b9b7ad", "#85837c"), "hideout": ("#cfa873", "#8f6a42"),
          "": ("#e9dcba", "#d5c49a")}
TERRAINS = tuple(GROUND)


def hex_symbols(defs: ET.Element) -> None:
    """Define the painted hexes as `zar-wood` and so on, the empty hex as `zar-blank`."""
    _growth(defs)
    add(add(defs, "clipPath", id="zar-hex"), "path", d=HEX_PATH)
    gradient(defs, "linear", "zar-lake", ((0, "#7cc3e6"), (1, "#2f7db8")), x1=0, y1=0, x2=0, y2=1)
    for terrain, (light, dark) in GROUND.items():
        name = terrain or "blank"
        gradient(defs, "radial", f"zar-{name}-ground", ((0.25, light), (1, dark)), cx=0.5, cy=0.45, r=0.62)
        group = add(defs, "g", id=f"zar-{name}", clip_path="url(#zar-hex)")
        add(group, "path", d=HEX_PATH, fill=f"url(#zar-{name}-ground)")
        _PAINTERS[terrain](group)


# ---- places for things --------------------------------------------------------------------------------


def spread(count: int, offset: float) -> Iterator[tuple[float, float]]:
    """Yield evenly scattered points of the unit square, the same on every call (an additive recurrence)."""
    for i in range(1, count + 1):
        yield (offset + i * 0.7548776662) % 1.0, (offset * 1.7 + i * 0.5698402910) % 1.0


def inside(x: float, y: float, inset: float = 0.0) -> bool:
    """Return whether a point lies in the hex, at least `inset` from its sides."""
    limit = _HALF - inset
    return abs(x) <= limit and abs(x * 0.5 + y * _HALF / 100) <= limit and abs(x * 0.5 - y * _HALF / 100) <= limit


def _scatter(tries: int, offset: float, apart: float, inset: float, calm: float = 37.0) -> list[tuple[float, float]]:
    """Find places in the hex, clear of its middle, from the back to the front."""
    spots: list[tuple[float, float]] = []
    for u, v in spread(tries, offset):
        x, y = (2 * u - 1) * _HALF, (2 * v - 1) * 100
        if inside(x, y, inset) and math.hypot(x, y) > calm and all(math.hypot(x - a, y - b) > apart for a, b in spots):
            spots.append((x, y))
    return sorted(spots, key=lambda spot: spot[1])


# ---- terrains -----------------------------------------------------------------------------------------


def _wood(group: ET.Element) -> None:
    tufts = [f"M{x:.1f},{y:.1f}q2,-5,4,0m-2,0q-1,-6,-4,-4" for x, y in _scatter(160, 0.2, 13, 6, 30)]
    add(group, "path", d="".join(tufts), fill="none", stroke="#3f6d2e", stroke_width=1.1, opacity=0.6)
    for i, (x, y) in enumerate(_scatter(520, 0.37, 17.0, 4, 43)):
        if i % 3 == 1:
            symbol(group, f"zar-broadleaf-{i % 2}", round(x, 1), round(y, 1))
        else:
            symbol(group, "zar-conifer", round(x, 1), round(y, 1), 1.0 + 0.12 * (i % 4))


def _growth(defs: ET.Element) -> None:
    """Define what stands on a hex more than once."""
    _conifer(add(defs, "g", id="zar-conifer"))
    for look, (dark, light) in enumerate((("#3c7a35", "#5fa04a"), ("#4f8a35", "#7cb24f"))):
        _broadleaf(add(defs, "g", id=f"zar-broadleaf-{look}"), dark, light)
    _mound(add(defs, "g", id="zar-mound", stroke="#8c4426"))
    _brick_stack(add(defs, "g", id="zar-bricks"))
    _ear(add(defs, "g", id="zar-ear"))
    _sheaf(add(defs, "g", id="zar-sheaf"))


def _conifer(tree: ET.Element) -> None:
    add(tree, "ellipse", cx=3, cy=9.5, rx=10, ry=3.4, fill="#1c3312", opacity=0.35)
    add(tree, "rect", x=-1.6, y=5, width=3.2, height=5.5, fill="#5d3d20")
    outline = "M0,-19 L7,-8 L4,-8 L9.5,0 L6,0 L11.5,7.5 L-11.5,7.5 L-6,0 L-9.5,0 L-4,-8 L-7,-8 Z"
    add(tree, "path", d=outline, fill="#2f6a35", stroke="#1a3d1f", stroke_width=1, stroke_linejoin="round")
    add(tree, "path", d="M0,-19 L-7,-8 L-4,-8 L-9.5,0 L-6,0 L-11.5,7.5 L-2,7.5 L-1,-2 Z", fill="#4c8f46")


def _broadleaf(tree: ET.Element, dark: str, light: str) -> None:
    add(tree, "ellipse", cx=3, cy=9, rx=10, ry=3.4, fill="#1c3312", opacity=0.35)
    add(tree, "path", d="M-1.8,9 L-1,-2 L1.4,-2 L2.2,9 Z", fill="#5d3d20")
    add(tree, "path", d="M-10,1 C-14,-6 -8,-13 -3,-12 C0,-18 9,-16 9,-10 C14,-8 13,1 8,2 C4,6 -6,6 -10,1 Z", fill=dark,
        stroke="#1f4420", stroke_width=1)
    add(tree, "path", d="M-9,-2 C-11,-7 -6,-11 -2,-10 C1,-14 6,-13 6,-9 C2,-9 -3,-7 -4,-3 Z", fill=light)


def _brick(group: ET.Element) -> None:
    """Draw clay hills in rows, with stacks of bricks before them."""
    rows = ((-72, 6, "#dd9364"), (-44, -22, "#d58a5b"), (-14, 10, "#d08050"), (16, -16, "#cb7848"),
            (46, 12, "#c46f41"), (76, -20, "#bd683b"))
    for y, shift, light in rows:
        for x in range(-120, 121, 56):
            symbol(group, "zar-mound", x + shift, y, fill=light)
    for x, y in ((-52, 12), (50, -30), (24, 60), (-22, -62), (55, 28), (-30, 52)):
        symbol(group, "zar-bricks", x, y)


def _mound(hill: ET.Element) -> None:
    add(hill, "path", d="M-36,22 C-30,-4 -14,-14 0,-14 C14,-14 30,-4 36,22 Z", stroke_width=1.3)
    add(hill, "path", d="M6,-13.6 C18,-11 31,-2 36,22 L14,22 C20,8 16,-6 6,-13.6 Z", fill="#8c4426", stroke="none",
        opacity=0.22)
    add(hill, "path", d="M-22,4 C-12,-3 -4,-4 4,-3 M-27,14 C-14,5 0,4 12,6", fill="none", stroke_width=1.1,
        opacity=0.55)


def _brick_stack(stack: ET.Element) -> None:
    add(stack, "ellipse", cx=2, cy=8, rx=16, ry=4, fill="#4f2413", opacity=0.35)
    for line, start, count in ((0, -13.5, 3), (1, -9, 2), (2, -4.5, 1)):
        for i in range(count):
            add(stack, "rect", x=start + 9.0 * i, y=2 - 5.4 * line, width=8.4, height=5, rx=0.7,
                fill=("#b5432a", "#c4502f", "#a83b25")[(i + line) % 3], stroke="#5d1f12", stroke_width=0.9)


def _water(group: ET.Element) -> None:
    """Draw a lake with a green shore, ripples, reeds and a boat."""
    shore = ("M-58,-52 C-34,-76 22,-78 48,-58 C76,-38 80,-6 72,22 C64,54 36,76 2,80 C-34,82 -66,58 -74,26 "
             "C-80,-2 -78,-34 -58,-52 Z")
    add(group, "path", d=shore, fill="#e9d9a0", stroke="#e9d9a0", stroke_width=9)
    add(group, "path", d=shore, fill="url(#zar-lake)", stroke="#2a6fa5", stroke_width=1.6)
    for x, y in _scatter(120, 0.55, 19, 22, 34):
        add(group, "path", d=f"M{num(x - 9)},{num(y)} q4.5,-4.4 9,0 q4.5,4.4 9,0", fill="none", stroke="#e2f3fb",
            stroke_width=1.7, stroke_linecap="round", opacity=0.85)
    for x, y in ((-66, 40), (62, -42), (-50, -58), (58, 50), (8, 80)):
        _reeds(group, x, y)
    boat = add(group, "g", transform="translate(38 -44)")
    add(boat, "path", d="M-15,0 C-10,8 10,8 15,0 C8,2.4 -8,2.4 -15,0 Z", fill="#8a5a2c", stroke="#4b2d12",
        stroke_width=1.2)
    add(boat, "path", d="M0,1 L0,-20 L12,-3 Z", fill="#fbf3dd", stroke="#7c6748", stroke_width=1)


def _reeds(group: ET.Element, x: float, y: float) -> None:
    reeds = add(group, "g", transform=f"translate({num(x)} {num(y)})", fill="none", stroke_linecap="round")
    add(reeds, "path", d="M0,6 C0,-4 -1,-8 -2,-13 M4,6 C4,-2 6,-6 8,-10 M-4,6 C-5,0 -8,-4 -10,-7", stroke="#3f6b26",
        stroke_width=1.7)
    add(reeds, "path", d="M-2,-10 l0,-5 M8,-8 l1,-4", stroke="#6b4220", stroke_width=3.2)


def _wheat(group: ET.Element) -> None:
    """Draw a field in three strips, ploughed or with ripe wheat, and sheaves."""
    strips = (("M-90,-104 L20,-104 C4,-50 -34,-14 -92,8 Z", "#efc748", 28), ("M20,-104 L92,-104 L92,34 C44,20 "
              "-2,-30 -8,-46 C6,-66 14,-84 20,-104 Z", "#f7dc74", -36), ("M-92,8 C-46,-10 -22,-32 -8,-46 C6,-16 44,22 "
              "92,34 L92,104 L-92,104 Z", "#e7b53c", 4))
    for path, fill, _ in strips:
        add(group, "path", d=path, fill=fill, opacity=0.75)
    furrows = ("M-92,-62 C-50,-70 -14,-86 6,-104 M-92,-40 C-40,-50 -4,-70 14,-96 M-92,-18 C-44,-28 -8,-48 4,-70 "
               "M30,-104 C36,-70 60,-40 92,-22 M54,-104 C60,-84 76,-62 92,-52 M10,-70 C24,-34 56,-6 92,8 "
               "M-92,30 C-40,14 40,40 92,54 M-92,52 C-40,36 40,62 92,76 M-92,74 C-40,58 40,82 92,96")
    add(group, "path", d=furrows, fill="none", stroke="#a9781c", stroke_width=1.5, opacity=0.55)
    add(group, "path", d="M20,-104 C4,-50 -34,-14 -92,8 M-8,-46 C6,-16 44,22 92,34", fill="none", stroke="#7d8f35",
        stroke_width=3.6, stroke_linecap="round", stroke_dasharray="5 4", opacity=0.9)
    for i, (x, y) in enumerate(_scatter(300, 0.71, 16, 10, 43)):
        symbol(group, "zar-sheaf" if (7 * i) % 16 < 4 else "zar-ear", round(x, 1), round(y, 1))


def _ear(ear: ET.Element) -> None:
    add(ear, "path", d="M0,8 C0,2 -0.4,-2 0,-6 M5,8 C5,3 6,0 7,-3 M-5,8 C-5,3 -6,0 -7,-3", fill="none",
        stroke="#a9781c", stroke_width=1.3)
    for dx, dy in ((0, -8.5), (7.4, -5), (-7.4, -5)):
        add(ear, "ellipse", cx=dx, cy=dy, rx=1.9, ry=4.2, fill="#fbe58d", stroke="#a06a12", stroke_width=0.9)


def _sheaf(sheaf: ET.Element) -> None:
    add(sheaf, "ellipse", cx=2, cy=9, rx=11, ry=3.2, fill="#6b4a10", opacity=0.35)
    add(sheaf, "path", d="M-8,10 L-2.5,0 L-10,-11 L-3,-9 L0,-14 L3,-9 L10,-11 L2.5,0 L8,10 Z", fill="#f3c43f",
        stroke="#8a5d10", stroke_width=1.2, stroke_linejoin="round")
    add(sheaf, "path", d="M0,-10 L0,9 M-5,-8 L-0.8,0 L-4,9 M5,-8 L0.8,0 L4,9", fill="none", stroke="#a9781c",
        stroke_width=0.9)
    add(sheaf, "path", d="M-3.4,0 L3.4,0", stroke="#7a3d12", stroke_width=2.4)


def _stone(group: ET.Element) -> None:
    stones = [f"M{x - 4:.1f},{y + 2:.1f}l2,-4.5,4,-.6,2.6,5z" for x, y in _scatter(90, 0.15, 15, 6, 30)]
    add(group, "path", d="".join(stones), fill="#77756d", opacity=0.7)
    peaks = ((-34, -50, 30), (30, -56, 27), (0, -62, 20), (-62, -8, 27), (62, -10, 28), (-57, 38, 24), (58, 40, 25),
             (-24, 62, 27), (27, 66, 24))
    for i, (x, y, size) in enumerate(sorted(peaks, key=lambda peak: peak[1])):
        _peak(group, x, y, size, i)


def _peak(group: ET.Element, x: float, y: float, size: float, look: int) -> None:
    lean = (-3, 2, 4, -1)[look % 4]
    peak = add(group, "g", transform=f"translate({num(x)} {num(y)}) scale({num(size / 28)})")
    add(peak, "path", d=f"M-27,20 L-15,2 L-9,3 L{lean},-25 L8,-8 L13,-9 L28,20 Z", fill="#8e8c86", stroke="#4a4843",
        stroke_width=1.5, stroke_linejoin="round")
    add(peak, "path", d=f"M{lean},-25 L8,-8 L13,-9 L28,20 L4,20 L8,4 L2,-4 Z", fill="#63615c")
    add(peak, "path", d=f"M{lean},-25 L8,-8 L4,-9 L1,-4 L-2,-9 L-5.6,-8 Z", fill="#fbfbf8", stroke="#a8a6a0",
        stroke_width=0.6)
    add(peak, "path", d="M-18,14 L-12,5 M-9,16 L-4,2", stroke="#c9c7bf", stroke_width=1.4, fill="none")


def _hideout(group: ET.Element) -> None:
    """Draw dry land with a cave between rocks, dead trees and a fire."""
    ridges = [f"M{x - 5:.1f},{y:.1f}q5,-3,10,0" for x, y in _scatter(110, 0.43, 15, 8, 0)]
    add(group, "path", d="".join(ridges), fill="none", stroke="#7a5733", stroke_width=1.2, opacity=0.6)
    rock = ("M-62,26 C-66,-2 -50,-18 -36,-22 C-30,-48 -8,-56 8,-50 C24,-58 44,-40 46,-22 C62,-14 66,8 60,26 "
            "C30,34 -30,34 -62,26 Z")
    add(group, "ellipse", cx=4, cy=28, rx=68, ry=10, fill="#3b2713", opacity=0.4)
    add(group, "path", d=rock, fill="#94714a", stroke="#4a3118", stroke_width=2)
    add(group, "path", d="M8,-50 C24,-58 44,-40 46,-22 C62,-14 66,8 60,26 C48,30 36,31 26,31 C40,10 34,-24 8,-50 Z",
        fill="#6d4f30")
    add(group, "path", d="M-36,-22 C-26,-30 -12,-30 -4,-24 M-52,4 C-46,-4 -40,-6 -32,-4", fill="none",
        stroke="#c79f6f", stroke_width=2.2, stroke_linecap="round")
    add(group, "path", d="M-24,31 C-27,6 -14,-10 0,-10 C14,-10 26,6 22,31 Z", fill="#1d130b", stroke="#3c2814",
        stroke_width=2)
    add(group, "path", d="M-12,31 C-13,14 -7,4 0,4 C7,4 13,14 11,31 Z", fill="#000000")
    for x, y, turn in ((-58, -30, 1), (60, -34, -1), (-40, 66, -1), (50, 56, 1)):
        tree = add(group, "g", transform=f"translate({num(x)} {num(y)}) scale({turn} 1)")
        add(tree, "path", d="M0,12 L0,-6 L-7,-15 M0,-4 L7,-13 M7,-13 L12,-13 M0,2 L-7,-3", fill="none",
            stroke="#4a3118", stroke_width=2.4, stroke_linecap="round")
    fire = add(group, "g", transform="translate(4 56)")
    add(fire, "path", d="M-9,6 L9,1 M-9,1 L9,6", stroke="#4a2c12", stroke_width=3, stroke_linecap="round")
    add(fire, "path", d="M0,-14 C7,-6 7,1 0,3 C-7,1 -6,-4 -3,-6 C-2,-9 -1,-11 0,-14 Z", fill="#f08a1c",
        stroke="#b4400f", stroke_width=1)
    add(fire, "path", d="M0,-7 C3,-3 3,1 0,2 C-3,1 -2,-3 0,-7 Z", fill="#ffe27a")


def _blank(group: ET.Element) -> None:
    add(group, "path", d=HEX_PATH, fill="none", stroke="#b9a678", stroke_width=3, stroke_dasharray="9 7")


_PAINTERS: dict[str, Callable[[ET.Element], None]] = {
    "wood": _wood, "brick": _brick, "water": _water, "wheat": _wheat, "stone": _stone, "hideout": _hideout, "": _blank}


# ---- the jungle ---------------------------------------------------------------------------------------


def jungle_symbols(defs: ET.Element) -> None:
    """Define the plants of the frame, `zar-palm`, `zar-fern` and `zar-bush`, and its ground."""
    ground = add(defs, "radialGradient", id="zar-jungle", cx=0.5, cy=0.5, r=0.75)
    add(ground, "stop", offset=0.3, stop_color="#2f6b3a")
    add(ground, "stop", offset=1, stop_color="#173f25")
    palm = add(defs, "g", id="zar-palm")
    add(palm, "path", d="M-1.6,16 C-1,6 -2,0 0,-6 L2,-6 C2,2 3,8 4,16 Z", fill="#6b4b28")
    for turn, fill in ((-95, "#2f7a3c"), (-50, "#3d9148"), (-10, "#4aa352"), (30, "#3d9148"), (75, "#2f7a3c"),
                       (110, "#28693a")):
        add(palm, "path", d="M0,0 C6,-8 10,-12 20,-13 C15,-8 10,-3 0,0 Z", fill=fill, stroke="#164023",
            stroke_width=0.8, transform=f"translate(1 -6) rotate({turn - 30})")
    fern = add(defs, "g", id="zar-fern")
    for turn in (-70, -35, 0, 35, 70):
        add(fern, "path", d="M0,4 C-3,-4 -3,-10 0,-17 C3,-10 3,-4 0,4 Z", fill="#3f9a4b" if turn % 2 else "#57ad55",
            stroke="#1a4a28", stroke_width=0.7, transform=f"rotate({turn})")
    bush = add(defs, "g", id="zar-bush")
    add(bush, "path", d="M-15,6 C-19,-3 -11,-9 -6,-7 C-4,-15 7,-14 7,-7 C14,-9 18,0 14,6 Z", fill="#2a6c38",
        stroke="#143d20", stroke_width=1)
    add(bush, "path", d="M-11,0 C-10,-5 -5,-5 -3,-3 C-2,-9 4,-9 5,-5 C1,-5 -2,-1 -3,2 Z", fill="#4a9450")
