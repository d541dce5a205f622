"""Carcassonne as a picture: one SVG document of the board, the scores and what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.art import face_svg, monastery_svg, shield_mark_svg, upright
from sfida.engines.carcassonne.faces import turned
from sfida.engines.carcassonne.grounds import footing
from sfida.engines.carcassonne.hits import draw_hits, spot_at
from sfida.engines.carcassonne.holdings import draw_holdings
from sfida.engines.carcassonne.panel import draw_panel
from sfida.engines.carcassonne.pieces import FAINT, INK, LEGAL, meeple, place_face, place_uprights, words
from sfida.engines.carcassonne.position import Position
from sfida.engines.carcassonne.text import placement_labels, seat_names
from sfida.engines.carcassonne.tiles import TileType, load_data, load_tiles
from sfida.engines.drawing.document import keep_place
from sfida.engines.drawing.elements import add, document_text, moved, num, title
from sfida.engines.drawing.inks import TABLE
from sfida.engines.language import _, named

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
LAST, OPEN = "#d6211c", "#b7a680"


@dataclass(frozen=True)
class _Frame:
    """Where the board lies on the sheet: `cell` pixels a tile, (left, top) the first cell drawn."""

    left: int
    top: int
    right: int
    bottom: int
    cell: float
    x0: float
    y0: float

    def corner(self, x: int, y: int) -> tuple[float, float]:
        return self.x0 + (x - self.left) * self.cell, self.y0 + (y - self.top) * self.cell


def board_svg(position: Position, *, tiles: Sequence[TileType], seat: int | None = None, size: int = 800,
              labels: bool = False) -> str:
    """Draw the board, the scores and the tiles that are left.

    Labels number the places where the tile in hand may be laid, or name the segments of the last tile that may take a
    follower.

    Other parameters are as in all drawings: see `sfida.engines.drawing`.

    Parameters
    ----------
    tiles : sequence of TileType
        The tile types, in any order.
    """
    faces = {tile.code: tile for tile in tiles}
    frame = _frame(position, size)
    root = _root(size, size)
    title(root, _("Carcassonne, {number} tiles laid").format(number=len(position.tiles)))
    shown = {tile.code for tile in position.tiles} | set(position.remaining) | set(position.river_remaining)
    if position.tile_in_hand:
        shown.add(position.tile_in_hand)
    used = [tile for tile in tiles if tile.code in shown]
    _definitions(root)
    sheet = add(root, "rect", width=size, height=size, fill=TABLE)

    _draw_numbers(root, frame)
    _draw_open_places(root, position, frame, labels)
    _draw_tiles(root, position, faces, frame)
    draw_holdings(root, position, faces, frame.corner, frame.cell)
    _draw_uprights(root, position, faces, frame)
    _draw_last(root, position, frame)
    _draw_followers(root, position, faces, frame)
    if labels and position.phase == "deploy":
        _draw_segments(root, position, faces, frame)
    draw_hits(root, position, faces, frame.corner, frame.cell, size / 800)
    below = frame.y0 + (frame.bottom - frame.top + 1) * frame.cell + 12
    height = draw_panel(root, position, tiles, seat, size, below)
    for element in (root, sheet):
        element.set("height", num(height))
    root.set("viewBox", f"0 0 {size} {num(height)}")
    return _written(root, used)


def tile_svg(code: str, rotation: int = 0, size: int = 100, *, tiles: Sequence[TileType] | None = None,
             follower: tuple[int, int] | None = None) -> str:
    """Draw one tile after `rotation` quarter turns clockwise, `size` pixels wide.

    Parameters
    ----------
    code, rotation, size
    tiles : sequence of TileType, optional
        The tile types, in any order.
    follower : (segment, seat), optional
        Stands on it.
    """
    tile = next(t for t in (load_tiles() if tiles is None else tiles) if t.code == code)
    root = _root(size, size)
    root.set("viewBox", "0 0 100 100")
    title(root, tile.name)
    _definitions(root)
    place_face(root, tile, rotation, 0.0, 0.0, 1.0)
    if follower is not None:
        segment, seat = follower
        _stand(root, tile, rotation, segment, seat, (0.0, 0.0), 100.0)
    return _written(root, [tile])


# ---- the sheet ----------------------------------------------------------------------------------------


def _root(width: int, height: int) -> ET.Element:
    return ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": str(width),
                              "height": str(height), "viewBox": f"0 0 {width} {height}",
                              "font-family": FONT, "role": "img"})


def _definitions(root: ET.Element) -> None:
    """Keep a place for the faces, each of which is painted once and used as often as it lies there."""
    defs = add(root, "defs")
    add(add(defs, "clipPath", id="car-square"), "rect", width=100, height=100)
    keep_place(defs, "faces")
    for name, picture in (("monastery", monastery_svg()), ("shield", shield_mark_svg())):
        element = ET.fromstring(picture)
        element.set("id", f"car-{name}")
        defs.append(element)


@cache
def _face(tile: TileType) -> str:
    """Return the face of a tile as it is written in the definitions."""
    face = ET.fromstring(face_svg(tile))
    face.set("id", f"car-{tile.code}")
    face.set("clip-path", "url(#car-square)")
    return ET.tostring(face, encoding="unicode")


def _written(root: ET.Element, tiles: Sequence[TileType]) -> str:
    """Return the document, with the faces of the tiles put in their place."""
    return document_text(root).replace("<!--faces-->", "".join(map(_face, tiles)))


def _frame(position: Position, size: int) -> _Frame:
    xs = [tile.x for tile in position.tiles] or [0]
    ys = [tile.y for tile in position.tiles] or [0]
    edge = 0 if position.phase == "over" else 1
    left, right, top, bottom = min(xs) - edge, max(xs) + edge, min(ys) - edge, max(ys) + edge
    columns, rows = right - left + 1, bottom - top + 1
    margin = 30.0
    cell = min((size - margin - 14) / max(columns, 7), size * 1.15 / max(rows, 5))
    return _Frame(left, top, right, bottom, cell, margin + (size - margin - 14 - columns * cell) / 2, 30.0)


def _draw_numbers(root: ET.Element, frame: _Frame) -> None:
    group = add(root, "g", class_="coordinates")
    text = min(13.0, max(7.0, frame.cell * 0.3))
    for x in range(frame.left, frame.right + 1):
        words(group, frame.corner(x, frame.top)[0] + frame.cell / 2, frame.y0 - 7, str(x), text,
               anchor="middle", fill=FAINT)
    for y in range(frame.top, frame.bottom + 1):
        words(group, frame.x0 - 6, frame.corner(0, y)[1] + frame.cell / 2 + text / 3, str(y), text,
               anchor="end", fill=FAINT)


# ---- what lies on the board ---------------------------------------------------------------------------


def _draw_open_places(root: ET.Element, position: Position, frame: _Frame, labels: bool) -> None:
    if position.phase == "over":
        return
    numbers = placement_labels(position) if labels else {}
    legal = {(x, y) for x, y, _ in position.placements}
    group = add(root, "g", class_="open-places")
    inset = frame.cell * 0.06
    for x, y in position.open_places:
        left, top = frame.corner(x, y)
        here = (x, y) in legal and labels
        add(group, "rect", class_="open-place", data_x=x, data_y=y, x=left + inset, y=top + inset,
            width=frame.cell - 2 * inset, height=frame.cell - 2 * inset, rx=frame.cell * 0.08,
            fill=LEGAL if here else "none", stroke="#c79a1d" if here else OPEN,
            stroke_width=1.6 if here else 1.0, stroke_dasharray=None if here else "4 4")
        if (x, y) in numbers:
            first, last = numbers[x, y][0], numbers[x, y][-1]
            text = str(first) if first == last else f"{first}–{last}"
            words(group, left + frame.cell / 2, top + frame.cell * 0.6, text,
                   frame.cell * min(0.32, 1.25 / max(len(text), 2)), anchor="middle", bold=True,
                  class_="label")


def _draw_tiles(root: ET.Element, position: Position, faces: Mapping[str, TileType], frame: _Frame) -> None:
    group = add(root, "g", class_="board")
    shadow = add(group, "g", class_="shadow", fill="#000000", opacity="0.16")
    for tile in position.tiles:
        x, y = frame.corner(tile.x, tile.y)
        add(shadow, "rect", x=x + frame.cell * 0.04, y=y + frame.cell * 0.05, width=frame.cell,
            height=frame.cell)
    for tile in position.tiles:
        x, y = frame.corner(tile.x, tile.y)
        place_face(group, faces[tile.code], tile.rotation, x, y, frame.cell / 100, bare=True, data_x=tile.x,
                    data_y=tile.y)


def _draw_uprights(root: ET.Element, position: Position, faces: Mapping[str, TileType], frame: _Frame) -> None:
    """Draw monasteries and shields over the tint."""
    group = add(root, "g", class_="uprights")
    for tile in position.tiles:
        if upright(faces[tile.code], tile.rotation):
            place_uprights(moved(group, *frame.corner(tile.x, tile.y), frame.cell / 100), faces[tile.code],
                           tile.rotation)


def _draw_last(root: ET.Element, position: Position, frame: _Frame) -> None:
    """Mark the last tile with a red border, as the rulebook's examples do."""
    if not position.tiles:
        return
    x, y = frame.corner(position.tiles[-1].x, position.tiles[-1].y)
    wide = min(6.0, max(3.0, frame.cell * 0.055))
    for colour, stroke, name in (("#ffffff", wide + 2.4, None), (LAST, wide, "last-tile")):
        add(root, "rect", class_=name, x=x, y=y, width=frame.cell, height=frame.cell, rx=frame.cell * 0.03,
            fill="none", stroke=colour, stroke_width=stroke)


def _draw_followers(root: ET.Element, position: Position, faces: Mapping[str, TileType],
                    frame: _Frame) -> None:
    roles = load_data()["roles"]
    names = seat_names(position.players)
    group = add(root, "g", class_="followers")
    for follower in position.followers:
        tile = position.tiles[follower.tile]
        segment = turned(faces[tile.code], tile.rotation).segments[follower.segment]
        row = roles[segment.kind]
        piece = _stand(group, faces[tile.code], tile.rotation, follower.segment, follower.seat,
                       frame.corner(tile.x, tile.y), frame.cell)
        piece.set("class", f"follower {row['name_en']} seat-{follower.seat}")
        piece.set("data-seat", str(follower.seat))
        piece.set("data-segment", segment.id)
        title(piece, _("{seat} {role} at ({x},{y})").format(
            seat=names[follower.seat], role=named(row), x=tile.x, y=tile.y))


def _stand(parent: ET.Element, tile: TileType, rotation: int, segment: int, seat: int, corner: tuple[float, float],
           cell: float) -> ET.Element:
    """Draw a follower on a segment of a tile whose upper left corner is given; farmers lie."""
    lying = tile.segments[segment].kind == "field"
    at = footing(tile, rotation, segment)
    return meeple(parent, corner[0] + at.u * cell, corner[1] + at.v * cell,
                  cell * at.scale * (0.0082 if lying else 0.0092), seat, lying)


def _draw_segments(root: ET.Element, position: Position, faces: Mapping[str, TileType],
                   frame: _Frame) -> None:
    """Name the segments of the last tile that may take a follower, as typed after "+"."""
    tile = position.tiles[-1]
    segments = turned(faces[tile.code], tile.rotation).segments
    x, y = frame.corner(tile.x, tile.y)
    group = add(root, "g", class_="segments")
    for number in position.deploy_segments:
        u, v = spot_at(faces[tile.code], tile.rotation, number)
        add(group, "circle", cx=x + u * frame.cell, cy=y + v * frame.cell, r=frame.cell * 0.12, fill=LEGAL,
            stroke=INK, stroke_width=1.2)
        words(group, x + u * frame.cell, y + v * frame.cell + frame.cell * 0.05, segments[number].id,
               frame.cell * 0.15, anchor="middle", bold=True, class_="label")
