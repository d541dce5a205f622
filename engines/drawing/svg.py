"""Pictures as SVG: elements, text, sheets, outlines of maps, ornaments, boxes of seats, and shapes to point at."""

from __future__ import annotations

import html
import math
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sfida.engines.language import _

# ---- Elements of SVG documents; equal positions give equal documents

_SPECIAL = re.compile(r'[&<>"\r\n\t]')
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_IN_VALUES = _IN_TEXT | str.maketrans({'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"})


def num(value: float) -> str:
    """Write a coordinate with at most two decimals and no needless zeros, so that documents are reproducible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text.startswith(("0.", "-0.")):
        return text.replace("0.", ".", 1)
    return "0" if text in ("-0", "") else text


def as_texts(attributes: Mapping[str, object]) -> dict[str, str]:
    """Return attributes as text; see `add`."""
    return {_hyphened(name): num(value) if isinstance(value, float) else str(value)
            for name, value in attributes.items() if value is not None}


@cache
def _hyphened(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def add(parent: ET.Element, tag: str, **attributes: object) -> ET.Element:
    """Append an element; underscores in names become hyphens, numbers are rounded, None is omitted."""
    return ET.SubElement(parent, tag, as_texts(attributes))


def moved(parent: ET.Element, x: float, y: float, scale: float = 1.0, **attributes: object) -> ET.Element:
    """Append a group whose origin lies at (x, y)."""
    return add(parent, "g", **attributes, transform=_transform(x, y, scale))


def symbol(parent: ET.Element, name: str, x: float = 0.0, y: float = 0.0, scale: float = 1.0,
           **attributes: object) -> ET.Element:
    """Append a symbol, the drawing with this id, whose origin lies at (x, y)."""
    there = _transform(x, y, scale).removeprefix("translate(0 0)").lstrip()
    return add(parent, "use", **attributes, href=f"#{name}", transform=there or None)


def _transform(x: float, y: float, scale: float) -> str:
    """Write the transform of what is moved and scaled."""
    grown = "" if scale == 1.0 else f" scale({scale:.4g})"
    return f"translate({num(x)} {num(y)}){grown}"


def title(parent: ET.Element, text: str) -> None:
    """Give an element the text that appears when a pointer rests on it."""
    ET.SubElement(parent, "title").text = text


def written(parent: ET.Element) -> str:
    """Return the children of an element as text, for caches that are inserted into documents."""
    return "".join(map(document_text, parent))


def document_text(root: ET.Element) -> str:
    """Write an element like `ElementTree.tostring`, in less than half its time, since no name has a namespace."""
    pieces: list[str] = []
    _write(root, pieces.append)
    return "".join(pieces)


def _write(element: ET.Element, put: Callable[[str], object]) -> None:
    tag, text = element.tag, element.text
    if isinstance(tag, str):
        start = tag + "".join([f' {name}="{value.translate(_IN_VALUES) if _SPECIAL.search(value) else value}"'
                               for name, value in element.items()])
        if text or len(element):
            put(f"<{start}>{(text or '').translate(_IN_TEXT)}")
            for child in element:
                _write(child, put)
            put(f"</{tag}>")
        else:
            put(f"<{start}/>")
    else:                                               # a comment
        put(f"<!--{text}-->")
    if element.tail:
        put(element.tail.translate(_IN_TEXT))


# ---- Lines of text in pictures

SERIF = "Georgia,'DejaVu Serif',serif"
SANS = "'DejaVu Sans',Verdana,Arial,sans-serif"


def say(parent: ET.Element, x: float, y: float, text: str, size: float, *, fill: str, anchor: str = "start",
        bold: bool = False, serif: bool = False, italic: bool = False, halo: str | None = None,
        class_: str | None = None, **more: object) -> ET.Element:
    """Write a line of text; a game binds `fill` to the colour of its ink.

    Parameters
    ----------
    parent : Element
    x, y : float
        Start, middle or end of the line, by `anchor`; y is the base line.
    text : str
    size : float
        Size of the letters.
    fill : str
        Colour of the letters.
    anchor : str
        "start", "middle" or "end".
    bold, serif, italic : bool
    halo : str, optional
        Colour of a rim around the letters.
    class_ : str, optional
    **more
        Further attributes, as in `add`.
    """
    look = {} if class_ is None else {"class": class_}
    look |= {name: text for name, text in (("x", num(x)), ("y", num(y))) if text != "0"}
    look |= {"font-size": num(size), "fill": fill}
    if anchor != "start":
        look["text-anchor"] = anchor
    if bold:
        look["font-weight"] = "bold"
    if italic:
        look["font-style"] = "italic"
    if serif:
        look["font-family"] = SERIF
    if more:
        look |= as_texts(more)
    if halo is not None:
        look |= {"stroke": halo, "stroke-width": num(0.27 * size), "stroke-linejoin": "round", "paint-order": "stroke"}
    element = ET.SubElement(parent, "text", look)
    element.text = text
    return element


# ---- The sheet, whose height depends on the drawing, and cached parts


@dataclass(frozen=True)
class Sheet:
    """A picture in progress.

    Attributes
    ----------
    root : Element
        Parent of the whole drawing.
    ground : Element
        The rectangle behind everything.
    wide : float
        Width in units of the drawing.
    size : int
        Width in pixels.
    """

    root: ET.Element
    ground: ET.Element
    wide: float
    size: int


def new_sheet(name: str, wide: float, size: int, fill: str) -> Sheet:
    """Return an empty sheet with a place for "symbols", the parts that the picture uses more than once.

    Parameters
    ----------
    name : str
        Description of the picture for people who cannot see it.
    wide, size
        As in `Sheet`.
    fill : str
        Colour of the ground.
    """
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": str(size), "font-family": SANS,
                              "role": "img"})
    title(root, name)
    keep_place(add(root, "defs"), "symbols")
    return Sheet(root, add(root, "rect", width=wide, height=1.0, fill=fill), wide, size)


def little(box: tuple[float, float, float, float], draw: Callable[[ET.Element], object],
           symbols: Callable[[ET.Element], object] | None = None) -> str:
    """Return a small picture that stands alone.

    Parameters
    ----------
    box : (x, y, width, height)
        The part that is shown of what is drawn around the origin.
    draw : callable
        Draws into the element that it is called with.
    symbols : callable, optional
        Defines the symbols that it may use; only the used ones are kept.
    """
    root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": " ".join(map(num, box)),
                              "width": num(box[2]), "height": num(box[3]), "font-family": SANS})
    drawn = ET.Element("g")
    draw(drawn)
    if symbols is not None:
        defs, text = add(root, "defs"), document_text(drawn)
        symbols(defs)
        held = {each.get("id"): each for each in defs}
        used = _used(text, held)
        for name, each in held.items():
            if name not in used:
                defs.remove(each)
    root.append(drawn)
    return document_text(root)


def _used(text: str, held: Mapping[str | None, ET.Element]) -> set[str]:
    """Return the symbols among those held that a text refers to, directly or through others."""
    found: set[str] = set()
    new = set(re.findall(r"#([\w-]+)", text)) & held.keys()
    while new:
        found |= new
        text = "".join(document_text(held[name]) for name in new)
        new = set(re.findall(r"#([\w-]+)", text)) & held.keys() - found
    return found


def keep_place(parent: ET.Element, name: str) -> None:
    """Reserve a place for a part that `write` inserts: parts shared by many pictures are written only once."""
    parent.append(ET.Comment(name))


def write(sheet: Sheet, height: float, parts: Mapping[str, str]) -> str:
    """Return the document.

    Parameters
    ----------
    sheet : Sheet
    height : float
        Height of the drawing, in its units.
    parts : mapping of str to str
        Written elements by the names of their places.

    Returns
    -------
    str
        A document that is well-formed and without outside resources if the parts are.
    """
    sheet.ground.set("height", num(height))
    sheet.root.set("height", num(height * sheet.size / sheet.wide))
    sheet.root.set("viewBox", f"0 0 {num(sheet.wide)} {num(height)}")
    document = document_text(sheet.root)
    for name, drawn in parts.items():
        document = document.replace(f"<!--{name}-->", drawn)
    return document


# ---- Outlines of drawn maps: rugged coasts, smooth rivers and their path data; deterministic

Point = tuple[float, float]


def noise(key: str) -> float:
    """Return a number from -1 to 1 that depends only on the key."""
    return zlib.crc32(key.encode()) / 2**31 - 1


def rough(line: Sequence[Point], key: str, much: float, *, levels: int = 4, shortest: float = 5.0) -> list[Point]:
    """Make the straight parts of a line rugged; the points of the line are kept.

    Parameters
    ----------
    line : sequence of Point
    key : str
        Chooses the shape; equal keys give equal lines.
    much : float
        Largest displacement of the middle of a part, as a share of its length.
    levels : int
        Number of times that each part is halved.
    shortest : float
        Parts up to this length stay straight.
    """
    points = list(line)
    for level in range(levels):
        finer = points[:1]
        for i, ((ax, ay), (bx, by)) in enumerate(pairwise(points)):
            long = math.hypot(bx - ax, by - ay)
            if long > shortest:
                off = much * long * noise(f"{key} {level} {i}")
                finer.append(((ax + bx) / 2 - off * (by - ay) / long, (ay + by) / 2 + off * (bx - ax) / long))
            finer.append((bx, by))
        points = finer
    return points


def smooth(line: Sequence[Point], steps: int = 6) -> list[Point]:
    """Return a Catmull-Rom curve through the points of a line, with `steps` parts between two of them."""
    found = [line[0]]
    for i in range(len(line) - 1):
        p, q = line[i], line[i + 1]
        before, after = line[max(0, i - 1)], line[min(len(line) - 1, i + 2)]
        for step in range(1, steps + 1):
            t = step / steps
            found.append((_spline(before[0], p[0], q[0], after[0], t), _spline(before[1], p[1], q[1], after[1], t)))
    return found


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


def path(points: Sequence[Point], closed: bool = False, seen: float = 0.3) -> str:
    """Return points as the path data of an SVG picture, written as short as it looks the same.

    Points that bend the line by less than `seen` are left out. The others are written in halves, as steps from one to
    the next, which are the differences of rounded places, so that errors do not add up. The defaults suit drawings that
    are 1000 and more units wide.
    """
    halves = [(round(2 * x), round(2 * y)) for x, y in _bends(_bends(points, closed, seen), closed, seen)]
    x, y = halves[0]
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(halves)]
    line = "".join([_half(step) for pair in steps if pair != (0, 0) for step in pair])
    # a sign, or a point after a number with one, separates two numbers as well
    return f"M{num(x / 2)} {num(y / 2)}l{_PACKED.sub('', line).lstrip()}{'z' * closed}" if line else ""


def _bends(points: Sequence[Point], closed: bool, seen: float) -> list[Point]:
    """Leave out the points nearest to the line between their neighbours: the same ones in either direction."""
    around = zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True)
    bends = [_height(*three) for three in around]
    if not closed:
        bends[0] = bends[-1] = math.inf
    return [point for point, before, bend, after in zip(points, (bends[-1], *bends[:-1]), bends,
                                                        (*bends[1:], bends[0]), strict=True)
            if bend >= seen or bend >= before or bend > after]


def _height(a: Point, b: Point, c: Point) -> float:
    """Return the distance of a point from the line between its neighbours."""
    dx, dy = c[0] - a[0], c[1] - a[1]
    return abs(dx * (b[1] - a[1]) - dy * (b[0] - a[0])) / (math.hypot(dx, dy) or 1.0)


_PACKED = re.compile(r" (?=-)|(?<=\.\d) (?=\.)")


@cache
def _half(count: int) -> str:
    return f" {num(count / 2)}"


# ---- Ornaments of maps, and gradients


def gradient(defs: ET.Element, kind: str, name: str, stops: Iterable[tuple[float, str]], **shape: object) -> None:
    """Define a gradient.

    Parameters
    ----------
    defs : Element
    kind : str
        "linear" or "radial".
    name : str
        Id of the gradient.
    stops : iterable of (offset, colour)
        Offsets from 0 to 1.
    **shape
        Course of the gradient, as its attributes.
    """
    element = add(defs, f"{kind}Gradient", id=name, **shape)
    for offset, colour in stops:
        add(element, "stop", offset=offset, stop_color=colour)


@dataclass(frozen=True)
class Rose:
    """The look of a compass.

    Attributes
    ----------
    rings : tuple of (radius, stroke)
    rays : tuple of (turn in degrees, length)
        Each ray is drawn four times, a quarter turn apart; later rays cover earlier ones.
    waist : float
        Half the width of a ray near the middle.
    light, dark, ring : str
        Colours of a ray's two halves, and of the rings.
    ring_opacity : float
    opacity, light_opacity : float, optional
        Opacity of a ray, and of its light half.
    hub : tuple of (radius, fill, line, stroke)
        The disc in the middle.
    """

    rings: tuple[tuple[float, float], ...]
    rays: tuple[tuple[int, int], ...]
    waist: int
    light: str
    dark: str
    ring: str
    ring_opacity: float
    hub: tuple[float, str, str, float]
    opacity: float | None = None
    light_opacity: float | None = None


def draw_rose(group: ET.Element, rose: Rose) -> None:
    """Draw a compass around the origin."""
    for radius, stroke in rose.rings:
        add(group, "circle", r=float(radius), fill="none", stroke=rose.ring, stroke_width=stroke,
            opacity=rose.ring_opacity)
    side = rose.waist
    for turn, long in rose.rays:
        for quarter in range(4):
            ray = add(group, "g", transform=f"rotate({turn + 90 * quarter})", opacity=rose.opacity)
            add(ray, "path", d=f"M0,{-long} L{side},{-side} L0,0 Z", fill=rose.light, opacity=rose.light_opacity)
            add(ray, "path", d=f"M0,{-long} L{-side},{-side} L0,0 Z", fill=rose.dark)
    radius, fill, line, stroke = rose.hub
    add(group, "circle", r=radius, fill=fill, stroke=line, stroke_width=stroke)


# ---- Boxes below the board of a picture, with notes about the seats


class BoxLook(NamedTuple):
    """The look of a box: fill, line, and thickness of the line."""

    fill: str
    line: str
    stroke: float


FAINT, NOTES = "#84755a", "#8a6508"                     # letters of heads, and of notes about a seat
PLAIN = BoxLook("#fbf6e9", "#cdbd97", 1.2)
LIT = BoxLook("#fff3b8", "#c79a1d", 2.4)                # box of the seat to move, or of the winner


def box(parent: ET.Element, x: float, y: float, wide: float, high: float, look: BoxLook = PLAIN, *,
        round_: float = 7.0) -> ET.Element:
    """Draw a box with round corners from its upper left corner."""
    return add(parent, "rect", x=float(x) or None, y=float(y) or None, width=float(wide), height=float(high), rx=round_,
               fill=look.fill, stroke=look.line, stroke_width=look.stroke)


def repaint(element: ET.Element, look: BoxLook) -> None:
    """Repaint a box."""
    for name, value in (("fill", look.fill), ("stroke", look.line), ("stroke-width", num(look.stroke))):
        element.set(name, value)


def spaced(parts: Iterable[str]) -> str:
    """Join the explanations of a picture's marks into one line."""
    return "  ·  ".join(parts)


def seat_box(parent: ET.Element, x: float, y: float, wide: float, high: float, look: BoxLook, rgb: str, outline: str, *,
             stripe: float = 6.0, class_: str | None = None) -> tuple[ET.Element, ET.Element]:
    """Draw the box of a seat with a stripe of its colour, `stripe` wide and of class `class_`; return both."""
    back = box(parent, x, y, wide, high, look)
    edge = add(parent, "rect", x=x + 1, y=y + 1, width=stripe, height=high - 2, rx=3.0, fill=rgb, stroke=outline,
               stroke_width=0.8, class_=class_)
    return back, edge


def seat_notes(seat: int, viewer: int | None, mover: int, on_turn: int, ending: str | None = None) -> list[str]:
    """Return the notes about a seat.

    Parameters
    ----------
    seat : int
    viewer : int, optional
        The seat marked as "you".
    mover, on_turn : int
        Seats marked as "to move" or, if another seat moves, as "on turn".
    ending : str, optional
        Note about the seat's result, in place of these marks; None while the game runs.
    """
    turn = _("to move") if seat == mover else _("on turn") if seat == on_turn else ""
    return [note for note in (_("you") if seat == viewer else "", turn if ending is None else ending) if note]


# ---- Zones: what a page shows apart, each at a size at which it can be read


def zone(parent: ET.Element, kind: str, scale: float = 1.0, **attributes: object) -> ET.Element:
    """Append the group of a zone; `bound` sets its box once it is drawn.

    Parameters
    ----------
    parent : Element
        The root, or a group that is not moved.
    kind : str
        "map"; "hand" for what the viewer holds; "rest".
    scale : float
        Pixels per unit at which the zone can be read; a map is as large as the page has room.
    **attributes
        As in `add`.
    """
    return add(parent, "g", **attributes, data_zone=kind, data_scale=None if kind == "map" else scale)


def bound(group: ET.Element, x: float, y: float, wide: float, high: float) -> None:
    """Set the box of a zone: upper left corner, width and height in units of the document."""
    group.set("data-box", " ".join(map(num, (x, y, wide, high))))


# ---- Places for pointing: invisible shapes, and buttons

_PLACE = re.compile(r'pointer-events="none" data-place="([^"]*)"')


def hit(parent: ET.Element, key: str, tag: str, **shape: object) -> ET.Element:
    """Append the invisible shape of a place, such as a wide one around a thin line, for marks and pointing on a page.

    Parameters
    ----------
    parent : Element
        Parent of the shape; elements appended later cover it.
    key : str
        Key of the place; only one shape in a picture has it.
    tag : str
    **shape
        Attributes as in `add`.
    """
    return add(parent, tag, **shape, fill="none", pointer_events="none", data_place=key)


def with_choices(document: str, choices: Mapping[str, str]) -> str:
    """Return a document in which the places among the choices are buttons.

    Parameters
    ----------
    document : str
        Document from `write`.
    choices : mapping of str to str
        Words for the buttons, by the keys of places.
    """
    def button(found: re.Match[str]) -> str:
        words = choices.get(found[1])
        if words is None:
            return found[0]
        return (f'pointer-events="all" data-place="{found[1]}" data-part="{found[1]}" role="button" tabindex="0" '
                f'aria-label="{html.escape(words)}"')

    # screen readers ignore the children of an image
    return _PLACE.sub(button, document.replace('role="img"', 'role="group"', 1))


# ---- Ghosts: what a choice would put on the board, hidden until a page shows it beside the pointer


def ghost(parent: ET.Element, *keys: str, **attributes: object) -> ET.Element:
    """Append the group of a ghost: what lies on the board once all these parts of a move are chosen.

    Parameters
    ----------
    parent : Element
        Ghosts on another ghost, such as a follower on a tile, are its children.
    *keys : str
        Keys of parts (`engines.game.Part`).
    **attributes
        As in `add`. With ``data_fit``, a size in the ghost's units, a page fits the ghost into the place that was
        chosen before; then "@" in keys within the ghost stands for that place, such as "3,-1" for "cell:3,-1".
    """
    return add(parent, "g", class_="ghost", data_ghost=" ".join(keys), **attributes)


def with_ghosts(document: str, ghosts: ET.Element) -> str:
    """Return a document from `write` with hidden ghosts, the children of an element, above all else."""
    drawn = written(ghosts)
    if not drawn:
        return document
    return document.removesuffix("</svg>") + f'<g class="ghosts" display="none">{drawn}</g></svg>'
