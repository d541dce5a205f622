"""What the parts of a picture of Carcassonne share: words, followers and faces of tiles."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.art import upright
from sfida.engines.carcassonne.text import seat_letters
from sfida.engines.carcassonne.tiles import TileType, load_data
from sfida.engines.drawing.colors import is_light
from sfida.engines.drawing.elements import add, moved, num

INK, FAINT, LEGAL = "#33291c", "#8d7f66", "#fff3b8"
_MEEPLE = ("M0,-20 C6.5,-20 8.5,-14.5 6.6,-9.6 C13,-8.4 21.5,-4 21.5,1 C21.5,5 14,4.6 9.6,4.2 "
           "C11.5,9.5 16.5,14.5 16.5,18.3 C16.5,20 15.4,20 13.5,20 L5.4,20 C3.6,20 2.8,17 0,13 "
           "C-2.8,17 -3.6,20 -5.4,20 L-13.5,20 C-15.4,20 -16.5,20 -16.5,18.3 C-16.5,14.5 -11.5,9.5 -9.6,4.2 "
           "C-14,4.6 -21.5,5 -21.5,1 C-21.5,-4 -13,-8.4 -6.6,-9.6 C-8.5,-14.5 -6.5,-20 0,-20 Z")



def words(parent: ET.Element, x: float, y: float, text: str, size: float, *, anchor: str = "start",
           fill: str = INK, bold: bool = False, class_: str | None = None) -> None:
    add(parent, "text", class_=class_, x=x, y=y, font_size=size, text_anchor=anchor, fill=fill,
        font_weight="bold" if bold else None).text = text


def place_face(parent: ET.Element, tile: TileType, rotation: int, x: float, y: float, scale: float, *,
               bare: bool = False, **data: object) -> ET.Element:
    """Draw a tile from its upper left corner; a `bare` one without what stands upright on it."""
    group = moved(parent, x, y, scale, class_="tile", data_code=tile.code, data_rotation=rotation, **data)
    add(group, "use", href=f"#car-{tile.code}",
        transform=f"rotate({90 * rotation} 50 50)" if rotation else None)
    if not bare:
        place_uprights(group, tile, rotation)
    add(group, "rect", width=100, height=100, fill="none", stroke="#3c3222", stroke_width="1.4",
        stroke_opacity="0.55")
    return group


def place_uprights(group: ET.Element, tile: TileType, rotation: int) -> None:
    """Draw the monastery and the shields of a tile 100 units wide."""
    for name, u, v in upright(tile, rotation):
        scale_here = "scale(0.9)" if name == "monastery" else ""
        add(group, "use", href=f"#car-{name}", transform=f"translate({num(u)} {num(v)}) {scale_here}".strip())


@cache
def seat_colours(seat: int) -> tuple[str, str]:
    """Return the colour of a seat and of letters on it."""
    rgb = str(load_data()["players"]["colors"][seat]["rgb"])
    return rgb, "#1d1a14" if is_light(rgb) else "#ffffff"


def meeple(parent: ET.Element, x: float, y: float, scale: float, seat: int, lying: bool = False,
            letter: bool = True) -> ET.Element:
    """Draw a follower with its owner's letter on it; farmers lie on their side."""
    fill, ink = seat_colours(seat)
    group = add(parent, "g", transform=f"translate({num(x)} {num(y)}) scale({scale:.4f})")
    turn = "rotate(90)" if lying else None
    add(group, "path", d=_MEEPLE, fill="none", stroke="#ffffff", stroke_width="5.5", stroke_linejoin="round",
        transform=turn, opacity="0.92")
    add(group, "path", d=_MEEPLE, fill=fill, stroke="#17130d", stroke_width="1.8", stroke_linejoin="round",
        transform=turn)
    if letter:
        words(group, -1.0 if lying else 0.0, 5.6 if lying else 6.6, seat_letters(seat + 1)[seat].upper(),
               16.0, anchor="middle", fill=ink, bold=True, class_="owner")
    return group
