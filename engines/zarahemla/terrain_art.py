"""How the hexes of Zarahemla are painted, as SVG elements in a hex of side 100 round the origin.

The middle is left calm for the number token, and nothing here is meant to be told apart by colour alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from xml.etree import ElementTree as ET

from sfida.engines.drawing.elements import add, num
from sfida.engines.drawing.ornaments import gradient

_HALF = 50 * math.sqrt(3)
HEX_POINTS = ((0.0, -100.0), (_HALF, -50.0), (_HALF, 50.0), (0.0, 100.0), (-_HALF, 50.0), (-_HALF, -50.0))
HEX_PATH = "M" + " L".join(f"{num(x)},{num(y)}" for x, y in HEX_POINTS) + " Z"
# Light in the middle, dark at the rim.
GROUND = {"wood": ("#8cb85a", "#4c7f38"), "brick": ("#d98a5c", "#a8502f"), "water": ("#a9c46f", "#6f9a4c"),
          "wheat": ("#f6d767", "#d9a334"), "stone": ("#b9b7ad", "#85837c"), "hideout": ("#cfa873", "#8f6a42"),
          "": ("#e9dcba", "#d5c49a")}
TERRAINS = tuple(GROUND)


def hex_symbols(defs: ET.Element) -> None:
    """Define the painted hexes as `zar-wood` and so on, the bare one as `zar-blank`."""
    add(add(defs, "clipPath", id="zar-hex"), "path", d=HEX_PATH)
    gradient(defs, "linear", "zar-lake", ((0, "#7cc3e6"), (1, "#2f7db8")), x1=0, y1=0, x2=0, y2=1)
    for terrain, (light, dark) in GROUND.items():
        name = terrain or "blank"
        gradient(defs, "radial", f"zar-{name}-ground", ((0.25, light), (1, dark)), cx=0.5, cy=0.45, r=0.62)
        group = add(defs, "g", id=f"zar-{name}", clip_path="url(#zar-hex)")
        add(group, "path", d=HEX_PATH, fill=f"url(#zar-{name}-ground)")
        _PAINTERS[terrain](group)


# ---- where things may stand ---------------------------------------------------------------------------


def spread(count: int, offset: float) -> Iterator[tuple[float, float]]:
    """Yield evenly scattered points of the unit square, the same every time (an additive recurrence)."""
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
    for x, y in _scatter(160, 0.2, 13, 6, 30):
        add(group, "path", d=f"M{num(x)},{num(y)} q2,-5 4,0 m-2,0 q-1,-6 -4,-4", fill="none", stroke="#3f6d2e",
            stroke_width=1.1, opacity=0.6)
    for i, (x, y) in enumerate(_scatter(520, 0.37, 17.0, 4, 43)):
        if i % 3 == 1:
            _broadleaf(group, x, y, i)
        else:
            _conifer(group, x, y, 1.0 + 0.12 * (i % 4))


def _conifer(group: ET.Element, x: float, y: float, size: float) -> None:
    tree = add(group, "g", transform=f"translate({num(x)} {num(y)}) scale({num(size)})")
    add(tree, "ellipse", cx=3, cy=9.5, rx=10, ry=3.4, fill="#1c3312", opacity=0.35)
    add(tree, "rect", x=-1.6, y=5, width=3.2, height=5.5, fill="#5d3d20")
    outline = "M0,-19 L7,-8 L4,-8 L9.5,0 L6,0 L11.5,7.5 L-11.5,7.5 L-6,0 L-9.5,0 L-4,-8 L-7,-8 Z"
    add(tree, "path", d=outline, fill="#2f6a35", stroke="#1a3d1f", stroke_width=1, stroke_linejoin="round")
    add(tree, "path", d="M0,-19 L-7,-8 L-4,-8 L-9.5,0 L-6,0 L-11.5,7.5 L-2,7.5 L-1,-2 Z", fill="#4c8f46")


def _broadleaf(group: ET.Element, x: float, y: float, look: int) -> None:
    tree = add(group, "g", transform=f"translate({num(x)} {num(y)})")
    add(tree, "ellipse", cx=3, cy=9, rx=10, ry=3.4, fill="#1c3312", opacity=0.35)
    add(tree, "path", d="M-1.8,9 L-1,-2 L1.4,-2 L2.2,9 Z", fill="#5d3d20")
    dark, light = (("#3c7a35", "#5fa04a"), ("#4f8a35", "#7cb24f"))[look % 2]
    add(tree, "path", d="M-10,1 C-14,-6 -8,-13 -3,-12 C0,-18 9,-16 9,-10 C14,-8 13,1 8,2 C4,6 -6,6 -10,1 Z", fill=dark,
        stroke="#1f4420", stroke_width=1)
    add(tree, "path", d="M-9,-2 C-11,-7 -6,-11 -2,-10 C1,-14 6,-13 6,-9 C2,-9 -3,-7 -4,-3 Z", fill=light)


def _brick(group: ET.Element) -> None:
    """Clay hills in rows, with stacks of bricks before them."""
    for row, (y, shift) in enumerate(((-72, 6), (-44, -22), (-14, 10), (16, -16), (46, 12), (76, -20))):
        for x in range(-120, 121, 56):
            _mound(group, x + shift, y, row)
    for x, y in ((-52, 12), (50, -30), (24, 60), (-22, -62), (55, 28), (-30, 52)):
        _brick_stack(group, x, y)


def _mound(group: ET.Element, x: float, y: float, row: int) -> None:
    light = ("#dd9364", "#d58a5b", "#d08050", "#cb7848", "#c46f41", "#bd683b")[row]
    hill = add(group, "g", transform=f"translate({num(x)} {num(y)})")
    add(hill, "path", d="M-36,22 C-30,-4 -14,-14 0,-14 C14,-14 30,-4 36,22 Z", fill=light, stroke="#8c4426",
        stroke_width=1.3)
    add(hill, "path", d="M6,-13.6 C18,-11 31,-2 36,22 L14,22 C20,8 16,-6 6,-13.6 Z", fill="#8c4426", opacity=0.22)
    add(hill, "path", d="M-22,4 C-12,-3 -4,-4 4,-3 M-27,14 C-14,5 0,4 12,6", fill="none", stroke="#8c4426",
        stroke_width=1.1, opacity=0.55)


def _brick_stack(group: ET.Element, x: float, y: float) -> None:
    stack = add(group, "g", transform=f"translate({num(x)} {num(y)})")
    add(stack, "ellipse", cx=2, cy=8, rx=16, ry=4, fill="#4f2413", opacity=0.35)
    for line, start, count in ((0, -13.5, 3), (1, -9, 2), (2, -4.5, 1)):
        for i in range(count):
            add(stack, "rect", x=start + 9.0 * i, y=2 - 5.4 * line, width=8.4, height=5, rx=0.7,
                fill=("#b5432a", "#c4502f", "#a83b25")[(i + line) % 3], stroke="#5d1f12", stroke_width=0.9)


def _water(group: ET.Element) -> None:
    """A lake with a green shore, ripples, reeds and a boat."""
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
    """A field in three strips, ploughed and standing in ears, with sheaves."""
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
        if (7 * i) % 16 < 4:
            _sheaf(group, x, y)
        else:
            _ear(group, x, y)


def _ear(group: ET.Element, x: float, y: float) -> None:
    ear = add(group, "g", transform=f"translate({num(x)} {num(y)})")
    add(ear, "path", d="M0,8 C0,2 -0.4,-2 0,-6 M5,8 C5,3 6,0 7,-3 M-5,8 C-5,3 -6,0 -7,-3", fill="none",
        stroke="#a9781c", stroke_width=1.3)
    for dx, dy in ((0, -8.5), (7.4, -5), (-7.4, -5)):
        add(ear, "ellipse", cx=dx, cy=dy, rx=1.9, ry=4.2, fill="#fbe58d", stroke="#a06a12", stroke_width=0.9)


def _sheaf(group: ET.Element, x: float, y: float) -> None:
    sheaf = add(group, "g", transform=f"translate({num(x)} {num(y)})")
    add(sheaf, "ellipse", cx=2, cy=9, rx=11, ry=3.2, fill="#6b4a10", opacity=0.35)
    add(sheaf, "path", d="M-8,10 L-2.5,0 L-10,-11 L-3,-9 L0,-14 L3,-9 L10,-11 L2.5,0 L8,10 Z", fill="#f3c43f",
        stroke="#8a5d10", stroke_width=1.2, stroke_linejoin="round")
    add(sheaf, "path", d="M0,-10 L0,9 M-5,-8 L-0.8,0 L-4,9 M5,-8 L0.8,0 L4,9", fill="none", stroke="#a9781c",
        stroke_width=0.9)
    add(sheaf, "path", d="M-3.4,0 L3.4,0", stroke="#7a3d12", stroke_width=2.4)


def _stone(group: ET.Element) -> None:
    for x, y in _scatter(90, 0.15, 15, 6, 30):
        add(group, "path", d=f"M{num(x - 4)},{num(y + 2)} l2,-4.5 l4,-0.6 l2.6,5 Z", fill="#77756d", opacity=0.7)
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
    """Dry land with a cave between rocks, dead trees and a fire."""
    for x, y in _scatter(110, 0.43, 15, 8, 0):
        add(group, "path", d=f"M{num(x - 5)},{num(y)} q5,-3 10,0", fill="none", stroke="#7a5733", stroke_width=1.2,
            opacity=0.6)
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
