"""Carcassonne as a picture: one SVG document of the board, the scores and what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.art import face_svg, monastery_svg, shield_mark_svg, upright
from sfida.engines.carcassonne.faces import turned
from sfida.engines.carcassonne.grounds import footing
from sfida.engines.carcassonne.position import Position
from sfida.engines.carcassonne.text import placement_labels, seat_letters, seat_names
from sfida.engines.carcassonne.tiles import TileType, load_data, load_tiles
from sfida.engines.drawing.colors import is_light
from sfida.engines.drawing.elements import add, num, title
from sfida.engines.drawing.inks import TABLE
from sfida.engines.drawing.panel import NOTES

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
PANEL, INK, FAINT = "#fbf6e9", "#33291c", "#8d7f66"
LAST, OPEN, LEGAL = "#d6211c", "#b7a680", "#fff3b8"
_MEEPLE = ("M0,-20 C6.5,-20 8.5,-14.5 6.6,-9.6 C13,-8.4 21.5,-4 21.5,1 C21.5,5 14,4.6 9.6,4.2 "
           "C11.5,9.5 16.5,14.5 16.5,18.3 C16.5,20 15.4,20 13.5,20 L5.4,20 C3.6,20 2.8,17 0,13 "
           "C-2.8,17 -3.6,20 -5.4,20 L-13.5,20 C-15.4,20 -16.5,20 -16.5,18.3 C-16.5,14.5 -11.5,9.5 -9.6,4.2 "
           "C-14,4.6 -21.5,5 -21.5,1 C-21.5,-4 -13,-8.4 -6.6,-9.6 C-8.5,-14.5 -6.5,-20 0,-20 Z")


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
    title(root, f"Carcassonne, {len(position.tiles)} tiles laid")
    shown = {tile.code for tile in position.tiles} | set(position.remaining) | set(position.river_remaining)
    if position.tile_in_hand:
        shown.add(position.tile_in_hand)
    _definitions(root, [tile for tile in tiles if tile.code in shown])
    sheet = add(root, "rect", width=size, height=size, fill=TABLE)

    _draw_numbers(root, frame)
    _draw_open_places(root, position, frame, labels)
    _draw_tiles(root, position, faces, frame)
    _draw_last(root, position, frame)
    _draw_followers(root, position, faces, frame)
    if labels and position.phase == "deploy":
        _draw_segments(root, position, faces, frame)
    below = frame.y0 + (frame.bottom - frame.top + 1) * frame.cell + 12
    height = _draw_panel(root, position, tiles, seat, size, below)
    for element in (root, sheet):
        element.set("height", num(height))
    root.set("viewBox", f"0 0 {size} {num(height)}")
    return ET.tostring(root, encoding="unicode")


def tile_svg(code: str, rotation: int = 0, size: int = 100, *,
             tiles: Sequence[TileType] | None = None) -> str:
    """Draw one tile after `rotation` quarter turns clockwise, `size` pixels wide."""
    tile = next(t for t in (load_tiles() if tiles is None else tiles) if t.code == code)
    root = _root(size, size)
    root.set("viewBox", "0 0 100 100")
    title(root, tile.name_en)
    _definitions(root, [tile])
    _place_face(root, tile, rotation, 0.0, 0.0, 1.0)
    return ET.tostring(root, encoding="unicode")


# ---- the sheet ----------------------------------------------------------------------------------------


def _root(width: int, height: int) -> ET.Element:
    return ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": str(width),
                              "height": str(height), "viewBox": f"0 0 {width} {height}",
                              "font-family": FONT, "role": "img"})


def _words(parent: ET.Element, x: float, y: float, text: str, size: float, *, anchor: str = "start",
           fill: str = INK, bold: bool = False, class_: str | None = None) -> None:
    add(parent, "text", class_=class_, x=x, y=y, font_size=size, text_anchor=anchor, fill=fill,
        font_weight="bold" if bold else None).text = text


def _definitions(root: ET.Element, tiles: Sequence[TileType]) -> None:
    """Paint every face once; the board uses it as often as it lies there."""
    defs = add(root, "defs")
    add(add(defs, "clipPath", id="car-square"), "rect", width=100, height=100)
    for tile in tiles:
        face = ET.fromstring(face_svg(tile))
        face.set("id", f"car-{tile.code}")
        face.set("clip-path", "url(#car-square)")
        defs.append(face)
    for name, picture in (("monastery", monastery_svg()), ("shield", shield_mark_svg())):
        element = ET.fromstring(picture)
        element.set("id", f"car-{name}")
        defs.append(element)


def _place_face(parent: ET.Element, tile: TileType, rotation: int, x: float, y: float, scale: float,
                **data: object) -> ET.Element:
    group = add(parent, "g", class_="tile", data_code=tile.code, data_rotation=rotation, **data,
                transform=f"translate({num(x)} {num(y)}) scale({scale:.4f})")
    add(group, "use", href=f"#car-{tile.code}",
        transform=f"rotate({90 * rotation} 50 50)" if rotation else None)
    for name, u, v in upright(tile, rotation):
        scale_here = "scale(0.9)" if name == "monastery" else ""
        add(group, "use", href=f"#car-{name}", transform=f"translate({num(u)} {num(v)}) {scale_here}".strip())
    add(group, "rect", width=100, height=100, fill="none", stroke="#3c3222", stroke_width="1.4",
        stroke_opacity="0.55")
    return group


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
        _words(group, frame.corner(x, frame.top)[0] + frame.cell / 2, frame.y0 - 7, str(x), text,
               anchor="middle", fill=FAINT)
    for y in range(frame.top, frame.bottom + 1):
        _words(group, frame.x0 - 6, frame.corner(0, y)[1] + frame.cell / 2 + text / 3, str(y), text,
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
            _words(group, left + frame.cell / 2, top + frame.cell * 0.6, text,
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
        _place_face(group, faces[tile.code], tile.rotation, x, y, frame.cell / 100, data_x=tile.x,
                    data_y=tile.y)


def _draw_last(root: ET.Element, position: Position, frame: _Frame) -> None:
    """Mark the last tile with a red border, as the rulebook's examples do."""
    if not position.tiles:
        return
    x, y = frame.corner(position.tiles[-1].x, position.tiles[-1].y)
    wide = max(3.0, frame.cell * 0.055)
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
        role = str(roles[segment.kind]["name_en"])
        x, y = frame.corner(tile.x, tile.y)
        lying = segment.kind == "field"
        at = footing(faces[tile.code], tile.rotation, follower.segment)
        piece = _meeple(group, x + at.u * frame.cell, y + at.v * frame.cell,
                        frame.cell * at.scale * (0.0082 if lying else 0.0092), follower.seat, lying)
        piece.set("class", f"follower {role} seat-{follower.seat}")
        piece.set("data-seat", str(follower.seat))
        piece.set("data-segment", segment.id)
        title(piece, f"{names[follower.seat]} {role} at ({tile.x},{tile.y})")


@cache
def _seat_colours(seat: int) -> tuple[str, str]:
    """Return the colour of a seat and of letters on it."""
    rgb = str(load_data()["players"]["colors"][seat]["rgb"])
    return rgb, "#1d1a14" if is_light(rgb) else "#ffffff"


def _meeple(parent: ET.Element, x: float, y: float, scale: float, seat: int, lying: bool = False,
            letter: bool = True) -> ET.Element:
    """Draw a follower with its owner's letter on it; farmers lie on their side."""
    fill, ink = _seat_colours(seat)
    group = add(parent, "g", transform=f"translate({num(x)} {num(y)}) scale({scale:.4f})")
    turn = "rotate(90)" if lying else None
    add(group, "path", d=_MEEPLE, fill="none", stroke="#ffffff", stroke_width="5.5", stroke_linejoin="round",
        transform=turn, opacity="0.92")
    add(group, "path", d=_MEEPLE, fill=fill, stroke="#17130d", stroke_width="1.8", stroke_linejoin="round",
        transform=turn)
    if letter:
        _words(group, -1.0 if lying else 0.0, 5.6 if lying else 6.6, seat_letters(seat + 1)[seat].upper(),
               16.0, anchor="middle", fill=ink, bold=True, class_="owner")
    return group


def _draw_segments(root: ET.Element, position: Position, faces: Mapping[str, TileType],
                   frame: _Frame) -> None:
    """Name the segments of the last tile that may take a follower, as typed after "+"."""
    tile = position.tiles[-1]
    segments = turned(faces[tile.code], tile.rotation).segments
    x, y = frame.corner(tile.x, tile.y)
    group = add(root, "g", class_="segments")
    for number in position.deploy_segments:
        u, v = (min(0.86, max(0.14, c)) for c in segments[number].xy)
        add(group, "circle", cx=x + u * frame.cell, cy=y + v * frame.cell, r=frame.cell * 0.13, fill=LEGAL,
            stroke=INK, stroke_width=1.2)
        _words(group, x + u * frame.cell, y + v * frame.cell + frame.cell * 0.05, segments[number].id,
               frame.cell * 0.15, anchor="middle", bold=True, class_="label")


# ---- the panel ----------------------------------------------------------------------------------------


def _draw_panel(root: ET.Element, position: Position, tiles: Sequence[TileType], seat: int | None, size: int,
                top: float) -> float:
    """Draw scores, followers in hand and the tiles left; return where the sheet ends."""
    unit = size / 800
    panel = add(root, "g", class_="panel")
    back = add(panel, "rect", x=10, y=top, width=size - 20, height=10, rx=8.0, fill=PANEL, stroke="#cdbd97")
    y = _draw_seats(panel, position, seat, size, top, unit)
    y = _draw_stacks(panel, position, tiles, size, y, unit)
    back.set("height", num(y - top))
    return y + 10


def _draw_seats(panel: ET.Element, position: Position, seat: int | None, size: int, top: float,
                unit: float) -> float:
    names = seat_names(position.players)
    wide = (size - 20 - 10 * unit) / position.players
    best = max(position.scores)
    for i, name in enumerate(names):
        left = 15 + i * wide
        turn = i == position.seat_on_turn and position.phase not in ("over", "first")
        won = position.phase == "over" and position.scores[i] == best
        group = add(panel, "g", class_=f"seat seat-{i}")
        add(group, "rect", x=left + 3, y=top + 8 * unit, width=wide - 6, height=62 * unit, rx=6.0,
            fill=LEGAL if turn or won else "#f2ead5", stroke="#c79a1d" if turn or won else "#d9cba8",
            stroke_width=2.0 if turn or won else 1.0)
        _meeple(group, left + 26 * unit, top + 32 * unit, 0.8 * unit, i)
        notes = ["you"] if i == seat else []
        notes += ["winner"] if won else ["to move"] if turn else []
        _words(group, left + 48 * unit, top + 28 * unit, name, 13 * unit, bold=turn or won)
        _words(group, left + 48 * unit, top + 43 * unit, ", ".join(notes), 10.5 * unit, fill=NOTES)
        _words(group, left + wide - 12 * unit, top + 40 * unit, str(position.scores[i]), 27 * unit,
               anchor="end", bold=True, class_="score")
        step = min(13 * unit, (wide - 24 * unit) / 8)
        for k in range(position.supply[i]):
            _meeple(group, left + 16 * unit + k * step, top + 60 * unit, step / 50, i, letter=False)
    return top + 78 * unit


def _draw_stacks(panel: ET.Element, position: Position, tiles: Sequence[TileType], size: int, top: float,
                 unit: float) -> float:
    faces = {tile.code: tile for tile in tiles}
    y = top
    x = 22.0
    hand = position.tile_in_hand if position.phase == "place" else None
    if hand:
        group = add(panel, "g", class_="in-hand")
        _words(group, x, y + 12 * unit, f"in hand: {hand}", 12 * unit, bold=True)
        _place_face(group, faces[hand], 0, x, y + 18 * unit, 0.66 * unit)
        x += 96 * unit
    left, lowest = x, y + (92 * unit if hand else 0)
    for name, stack in (("river", position.river_remaining), ("land", position.remaining)):
        kinds = [(tile, stack[tile.code]) for tile in tiles if stack.get(tile.code, 0)]
        if not kinds and (name == "river" or position.phase == "over"):
            continue
        count = sum(stack.values())
        group = add(panel, "g", class_=f"stack {name}-stack")
        _words(group, left, y + 12 * unit, f"{count} {name} tile{'s' if count != 1 else ''} left", 12 * unit,
               bold=True)
        y += 18 * unit
        step = 52 * unit
        per_row = max(1, int((size - 20 - left) / step))
        for i, (tile, copies) in enumerate(kinds):
            px, py = left + (i % per_row) * step, y + (i // per_row) * 47 * unit
            _place_face(group, tile, 0, px, py, 0.32 * unit)
            _words(group, px + 34 * unit, py + 12 * unit, tile.code, 10 * unit, fill=FAINT)
            _words(group, px + 34 * unit, py + 27 * unit, f"×{copies}", 10.5 * unit, bold=True)
        y += -(-len(kinds) // per_row) * 47 * unit - 3 * unit if kinds else 4 * unit
    if position.discarded:
        _words(panel, left, y + 13 * unit, "out of the game: " + " ".join(position.discarded), 11 * unit,
               class_="discarded")
        y += 20 * unit
    return max(y, lowest) + 4 * unit
