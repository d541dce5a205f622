"""The picture of Carcassonne: one SVG document of the board, the scores and what is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.board_text import placement_labels, seat_names
from sfida.engines.carcassonne.faces import GRID, footing, turned, turned_ground
from sfida.engines.carcassonne.pieces_svg import (
    FAINT, INK, LEGAL, city_paths, face_svg, meeple, monastery_svg, place_face, place_uprights, seat_colours,
    shield_mark_svg, strip_path, upright, words
)
from sfida.engines.carcassonne.position import LaidFeature, Position, majority
from sfida.engines.carcassonne.style import cell_key, feature_key, spot_key, stack_key, tiles_left
from sfida.engines.carcassonne.tables import TileType, load_data, load_tiles
from sfida.engines.drawing.colors import TABLE
from sfida.engines.drawing.placing import wrapped
from sfida.engines.drawing.svg import NOTES, add, bound, document_text, hit, keep_place, moved, num, title, zone
from sfida.engines.language import _, named, pgettext

# ---- Shapes of the cells of Carcassonne and of the spots of followers, to be pointed at

_SPOT, _FINGER = 0.12, 13.0             # radius of a spot: in tiles, and what a finger needs, of a sheet of 800


def draw_hits(root: ET.Element, position: Position, faces: Mapping[str, TileType],
              corner: Callable[[int, int], tuple[float, float]], cell: float, unit: float) -> None:
    """Draw the shapes of the cells, of the followers, and of the spots where one may be deployed.

    Parameters
    ----------
    root : Element
    position : Position
    faces : mapping of str to TileType
        Tile types by code.
    corner : callable
        Returns the upper left corner of a cell of the board.
    cell : float
        Length of its sides.
    unit : float
        The sheet's width in parts of 800.
    """
    group = add(root, "g", class_="hits")
    open_places = () if position.phase == "over" else position.open_places
    for cell_at in (*((tile.x, tile.y) for tile in position.tiles), *open_places):
        x, y = corner(*cell_at)
        hit(group, cell_key(*cell_at), "rect", x=x, y=y, width=cell, height=cell)
    for number, feature in enumerate(position.features):
        _feature_hit(group, feature_key(number), position, feature, faces, corner, cell)
    for follower in position.followers:
        tile = position.tiles[follower.tile]
        x, y = corner(tile.x, tile.y)
        stand = footing(faces[tile.code], tile.rotation, follower.segment)
        hit(group, spot_key(tile, follower.segment), "circle", cx=x + stand.u * cell, cy=y + stand.v * cell,
            r=0.2 * cell * stand.scale)
    if not position.deploy_segments:
        return
    tile = position.tiles[-1]
    x, y = corner(tile.x, tile.y)
    spots = {segment: spot_at(faces[tile.code], tile.rotation, segment) for segment in position.deploy_segments}
    for segment, at in spots.items():
        room = min((math.dist(at, other) / 2 for one, other in spots.items() if one != segment), default=0.5)
        hit(group, spot_key(tile, segment), "circle", cx=x + at[0] * cell, cy=y + at[1] * cell,
            r=max(_SPOT * cell, min(_FINGER * unit, room * cell)))


def _feature_hit(group: ET.Element, key: str, position: Position, feature: LaidFeature, faces: Mapping[str, TileType],
                 corner: Callable[[int, int], tuple[float, float]], cell: float) -> None:
    """Draw the shape of a whole feature, tile by tile."""
    whole = hit(group, key, "g", class_="whole")
    for number, segment in feature.segments:
        tile = position.tiles[number]
        part = moved(whole, *corner(tile.x, tile.y), cell / 100)
        if feature.kind == "monastery":
            u, v = spot_at(faces[tile.code], tile.rotation, segment)
            add(part, "circle", cx=100 * u, cy=100 * v, r=26.0)
        elif feature.kind == "road":
            add(part, "path", class_="line", d=_outline(faces[tile.code], tile.rotation, segment), stroke_width=16.0)
        else:
            add(part, "path", d=_outline(faces[tile.code], tile.rotation, segment))


def spot_at(tile: TileType, rotation: int, segment: int) -> tuple[float, float]:
    """Return where the sign of a segment stands on a tile, in parts of the tile."""
    u, v = turned(tile, rotation).segments[segment].xy
    return min(0.86, max(0.14, u)), min(0.86, max(0.14, v))


# ---- A tint over the cities, roads and fields of the board in the colours of the seats that hold them

# Hundredths of a tile. Six lines cross a side, so that those of one, two or three seats run on from tile to tile.
_APART, _LINE, _DASH = 100 / (6 * math.sqrt(2)), 3.2, 9.0


def draw_holdings(root: ET.Element, position: Position, faces: Mapping[str, TileType],
                  corner: Callable[[int, int], tuple[float, float]], cell: float) -> None:
    """Tint every feature with followers in the colours of those with the most (CAR-7.11).

    Parameters
    ----------
    root : Element
    position : Position
    faces : mapping of str to TileType
        Tile types by code.
    corner : callable
        Returns the upper left corner of a cell of the board.
    cell : float
        Length of its sides.
    """
    held = [(one, seats) for one in position.features
            if one.kind != "monastery" and (seats := majority(one.followers))]
    group = add(root, "g", class_="holdings", fill="none")
    for seats in sorted({seats for _one, seats in held}):
        _pattern(group, seats)
    for feature, seats in held:
        item = add(group, "g", class_=f"holding {feature.kind}", data_seats=" ".join(map(str, seats)))
        for number, segment in feature.segments:
            tile = position.tiles[number]
            x, y = corner(tile.x, tile.y)
            part = moved(item, x, y, cell / 100)
            outline = _outline(faces[tile.code], tile.rotation, segment)
            if feature.kind == "road":
                _draw_line(part, outline, seats)
            else:
                add(part, "path", d=outline, fill=f"url(#{_named(seats)})")


def _named(seats: tuple[int, ...]) -> str:
    return "car-held-" + "-".join(map(str, seats))


def _draw_line(parent: ET.Element, outline: str, seats: tuple[int, ...]) -> None:
    """Draw a line along a road, in dashes of several colours where seats share it."""
    for i, seat in enumerate(seats):
        shared = len(seats) > 1
        add(parent, "path", d=outline, stroke=seat_colours(seat)[0], stroke_width=3.6,
            stroke_dasharray=f"{num(_DASH)} {num(_DASH * (len(seats) - 1))}" if shared else None,
            stroke_dashoffset=num(-_DASH * i) if shared else None)


def _pattern(group: ET.Element, seats: tuple[int, ...]) -> None:
    """Define the hatching of one seat or of several that share."""
    wide = _APART * len(seats)
    pattern = add(group, "pattern", id=_named(seats), width=wide, height=wide, patternUnits="userSpaceOnUse",
                  patternTransform="rotate(45)")
    for i, seat in enumerate(seats):
        rgb, _ = seat_colours(seat)
        add(pattern, "rect", x=_APART * i, width=_APART, height=wide, fill=rgb, fill_opacity=0.14)
        add(pattern, "rect", x=_APART * i, width=_LINE, height=wide, fill=rgb, fill_opacity=0.6)


@cache
def _outline(tile: TileType, rotation: int, segment: int) -> str:
    """Return the ground of a segment on a turned tile, or the middle line of a road."""
    face = turned(tile, rotation)
    one = face.segments[segment]
    if one.kind == "city":
        return city_paths(face, one)[0]
    if one.kind == "road":
        return strip_path(face, one)
    bits = {(x, y) for y, row in enumerate(turned_ground(tile, rotation)) for x, number in enumerate(row)
            if number == segment}
    rings = ([(round(1000 / GRID * x) / 10, round(1000 / GRID * y) / 10) for x, y in ring] for ring in _rings(bits))
    return "".join(f"M{num(ring[0][0])},{num(ring[0][1])}" + "".join(
        f"h{num(bx - ax)}" if ay == by else f"v{num(by - ay)}" for (ax, ay), (bx, by) in pairwise(ring[:-1])) + "z"
        for ring in rings)


def _rings(bits: Collection[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield the outlines of a set of squares of a grid, corner by corner, with the squares on their right."""
    sides: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for x, y in bits:
        for beyond, start, end in (((x, y - 1), (x, y), (x + 1, y)), ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
                                   ((x, y + 1), (x + 1, y + 1), (x, y + 1)), ((x - 1, y), (x, y + 1), (x, y))):
            if beyond not in bits:
                sides.setdefault(start, []).append(end)
    while sides:
        ring = [min(sides)]
        while len(ring) == 1 or ring[-1] != ring[0]:
            ends = sides[ring[-1]]
            end = ends.pop()
            if not ends:
                del sides[ring[-1]]
            straight = len(ring) > 1 and (ring[-2][0] == ring[-1][0] == end[0] or ring[-2][1] == ring[-1][1] == end[1])
            ring[-1:] = [end] if straight else [ring[-1], end]
        yield ring


# ---- Carcassonne as a picture: one SVG document of the board, the scores and what is left

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
LAST, OPEN = "#d6211c", "#b7a680"


@dataclass(frozen=True)
class BoardGrid:
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
    frame = frame_of(position, size)
    root = _root(size, size)
    title(root, _("Carcassonne, {number} tiles laid").format(number=len(position.tiles)))
    shown = {tile.code for tile in position.tiles} | set(position.remaining) | set(position.river_remaining)
    if position.tile_in_hand:
        shown.add(position.tile_in_hand)
    used = [tile for tile in tiles if tile.code in shown]
    _definitions(root)
    sheet = add(root, "rect", width=size, height=size, fill=TABLE)

    land = zone(root, "map")
    _draw_numbers(land, frame)
    _draw_open_places(land, position, frame, labels)
    _draw_tiles(land, position, faces, frame)
    draw_holdings(land, position, faces, frame.corner, frame.cell)
    _draw_uprights(land, position, faces, frame)
    _draw_last(land, position, frame)
    _draw_followers(land, position, faces, frame)
    if labels and position.phase == "deploy":
        _draw_segments(land, position, faces, frame)
    draw_hits(land, position, faces, frame.corner, frame.cell, size / 800)
    below = frame.y0 + (frame.bottom - frame.top + 1) * frame.cell + 12
    bound(land, 0, 0, size, below)
    height = _draw_panel(root, position, tiles, seat, size, below)
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
        stand(root, tile, rotation, segment, seat, (0.0, 0.0), 100.0)
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
    return document_text(face)


def _written(root: ET.Element, tiles: Sequence[TileType]) -> str:
    """Return the document, with the faces of the tiles put in their place."""
    return document_text(root).replace("<!--faces-->", "".join(map(_face, tiles)))


def frame_of(position: Position, size: int) -> BoardGrid:
    """Return where the board lies on a sheet `size` pixels wide."""
    xs = [tile.x for tile in position.tiles] or [0]
    ys = [tile.y for tile in position.tiles] or [0]
    edge = 0 if position.phase == "over" else 1
    left, right, top, bottom = min(xs) - edge, max(xs) + edge, min(ys) - edge, max(ys) + edge
    columns, rows = right - left + 1, bottom - top + 1
    margin = 30.0
    cell = min((size - margin - 14) / max(columns, 7), size * 1.15 / max(rows, 5))
    return BoardGrid(left, top, right, bottom, cell, margin + (size - margin - 14 - columns * cell) / 2, 30.0)


def _draw_numbers(root: ET.Element, frame: BoardGrid) -> None:
    group = add(root, "g", class_="coordinates code")
    text = min(13.0, max(9.0, frame.cell * 0.3))
    for x in range(frame.left, frame.right + 1):
        words(group, frame.corner(x, frame.top)[0] + frame.cell / 2, frame.y0 - 7, str(x), text,
              anchor="middle", fill=FAINT)
    for y in range(frame.top, frame.bottom + 1):
        words(group, frame.x0 - 6, frame.corner(0, y)[1] + frame.cell / 2 + text / 3, str(y), text,
              anchor="end", fill=FAINT)


# ---- what lies on the board ---------------------------------------------------------------------------


def _draw_open_places(root: ET.Element, position: Position, frame: BoardGrid, labels: bool) -> None:
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
                  class_="label code")


def _draw_tiles(root: ET.Element, position: Position, faces: Mapping[str, TileType], frame: BoardGrid) -> None:
    group = add(root, "g", class_="board")
    shadow = add(group, "g", class_="shadow", fill="#000000", opacity="0.16")
    for tile in position.tiles:
        x, y = frame.corner(tile.x, tile.y)
        add(shadow, "rect", x=x + frame.cell * 0.04, y=y + frame.cell * 0.05, width=frame.cell,
            height=frame.cell)
    for tile in position.tiles:
        x, y = frame.corner(tile.x, tile.y)
        place_face(group, faces[tile.code], tile.rotation, x, y, frame.cell / 100, bare=True, data_x=tile.x,
                   data_y=tile.y, data_piece=cell_key(tile.x, tile.y))


def _draw_uprights(root: ET.Element, position: Position, faces: Mapping[str, TileType], frame: BoardGrid) -> None:
    """Draw monasteries and shields over the tint."""
    group = add(root, "g", class_="uprights")
    for tile in position.tiles:
        if upright(faces[tile.code], tile.rotation):
            place_uprights(moved(group, *frame.corner(tile.x, tile.y), frame.cell / 100), faces[tile.code],
                           tile.rotation)


def _draw_last(root: ET.Element, position: Position, frame: BoardGrid) -> None:
    """Mark the last tile with a red border, as the rulebook's examples do."""
    if not position.tiles:
        return
    x, y = frame.corner(position.tiles[-1].x, position.tiles[-1].y)
    wide = min(6.0, max(3.0, frame.cell * 0.055))
    for colour, stroke, name in (("#ffffff", wide + 2.4, None), (LAST, wide, "last-tile")):
        add(root, "rect", class_=name, x=x, y=y, width=frame.cell, height=frame.cell, rx=frame.cell * 0.03,
            fill="none", stroke=colour, stroke_width=stroke)


def _draw_followers(root: ET.Element, position: Position, faces: Mapping[str, TileType],
                    frame: BoardGrid) -> None:
    roles = load_data()["roles"]
    names = seat_names(position.players)
    group = add(root, "g", class_="followers")
    for follower in position.followers:
        tile = position.tiles[follower.tile]
        segment = turned(faces[tile.code], tile.rotation).segments[follower.segment]
        row = roles[segment.kind]
        piece = stand(group, faces[tile.code], tile.rotation, follower.segment, follower.seat,
                       frame.corner(tile.x, tile.y), frame.cell)
        piece.set("class", f"follower {row['name_en']} seat-{follower.seat}")
        piece.set("data-seat", str(follower.seat))
        piece.set("data-segment", segment.id)
        piece.set("data-piece", spot_key(tile, follower.segment))
        title(piece, _("{seat} {role} at ({x},{y})").format(
            seat=names[follower.seat], role=named(row), x=tile.x, y=tile.y))


def stand(parent: ET.Element, tile: TileType, rotation: int, segment: int, seat: int, corner: tuple[float, float],
           cell: float) -> ET.Element:
    """Draw a follower on a segment of a tile whose upper left corner is given; farmers lie."""
    lying = tile.segments[segment].kind == "field"
    at = footing(tile, rotation, segment)
    return meeple(parent, corner[0] + at.u * cell, corner[1] + at.v * cell,
                  cell * at.scale * (0.0082 if lying else 0.0092), seat, lying)


def _draw_segments(root: ET.Element, position: Position, faces: Mapping[str, TileType],
                   frame: BoardGrid) -> None:
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
              frame.cell * 0.15, anchor="middle", bold=True, class_="label code")


# ---- below the board: the seats and what they hold ---------------------------------------------------

PANEL = "#fbf6e9"
_TRACK, _ROWS = 50, 5                   # spaces of the scoring track
_HALF, _READ = 382.0, 0.95              # width of half the panel, in parts of a sheet of 800; pixels per such part
# How a number of followers stand on one space, clear of its number and of each other: columns, size, left and top end.
_STANDING = {1: (1, 0.5, 0.36, 0.1), 2: (2, 0.36, 0.1, 0.36), 3: (3, 0.25, 0.1, 0.38), 4: (2, 0.2, 0.1, 0.4),
             5: (3, 0.2, 0.1, 0.4)}


def _draw_panel(root: ET.Element, position: Position, tiles: Sequence[TileType], seat: int | None, size: int,
                top: float) -> float:
    """Draw scores, followers in hand and the tiles left; return where the sheet ends."""
    unit = size / 800
    panel = add(root, "g", class_="panel")
    back = add(panel, "rect", x=10, y=top, width=size - 20, height=10, rx=8.0, fill=PANEL, stroke="#cdbd97")
    y = _draw_seats(panel, position, seat, size, top, unit)
    left, right = 14 * unit, size / 2 + 4 * unit
    low = _draw_track(panel, position, left, y, unit)
    low = _draw_hand(panel, position, tiles, left, low + 8 * unit, unit)
    low = max(low, _draw_stacks(panel, position, tiles, right, y, unit))
    back.set("height", num(low - top))
    return low + 10


def _zone(panel: ET.Element, kind: str, unit: float, class_: str | None = None) -> ET.Element:
    return zone(panel, kind, _READ / unit, class_=class_)


def _draw_track(panel: ET.Element, position: Position, left: float, top: float, unit: float) -> float:
    """Draw the scoring track with a follower for each seat; who has passed its end goes round again."""
    group = _zone(panel, "rest", unit, "track")
    wide, high = _HALF * unit / (_TRACK // _ROWS), 30 * unit
    bound(group, left - 2, top - 2, _HALF * unit + 4, _ROWS * high + 4)
    standing: dict[int, list[int]] = {}
    for seat, score in enumerate(position.scores):
        standing.setdefault(score % _TRACK, []).append(seat)
    for space in range(_TRACK):
        row, column = divmod(space, _TRACK // _ROWS)
        x, y = left + wide * column, top + high * row
        add(group, "rect", x=x, y=y, width=wide, height=high, fill="#e4cf9c" if space % 5 == 0 else "#f6ecd2",
            stroke="#cdbd97", stroke_width=0.8)
        words(group, x + 2 * unit, y + 11 * unit, str(space), 11.6 * unit, fill=FAINT, bold=space % 5 == 0)
        seats = standing.get(space, [])
        columns, scale, start, upper = _STANDING[max(1, len(seats))]
        rows = -(-len(seats) // columns)
        for i, seat in enumerate(seats):
            piece = meeple(group, x + wide * (start + (0.98 - start) * (i % columns + 0.5) / columns),
                           y + high * (upper + (0.98 - upper) * (i // columns + 0.5) / rows),
                           scale * unit, seat, letter=False)
            piece.set("class", "counter")
            piece.set("data-seat", str(seat))
            piece.set("data-score", str(position.scores[seat]))
            title(piece, f"{seat_names(position.players)[seat]}: {position.scores[seat]}")
    return top + _ROWS * high


def _draw_seats(panel: ET.Element, position: Position, seat: int | None, size: int, top: float,
                unit: float) -> float:
    names = seat_names(position.players)
    wide = (size - 20 - 10 * unit) / position.players
    best = max(position.scores)
    figure = min(27.0, 0.145 * wide / unit)
    for i, name in enumerate(names):
        left = 15 + i * wide
        turn = i == position.seat_on_turn and position.phase not in ("over", "first")
        won = position.phase == "over" and position.scores[i] == best
        group = _zone(panel, "hand", unit, f"seat seat-{i}")
        bound(group, left + 1, top + 6 * unit, wide - 2, 66 * unit)
        add(group, "rect", x=left + 3, y=top + 8 * unit, width=wide - 6, height=62 * unit, rx=6.0,
            fill=LEGAL if turn or won else "#f2ead5", stroke="#c79a1d" if turn or won else "#d9cba8",
            stroke_width=2.0 if turn or won else 1.0)
        meeple(group, left + 26 * unit, top + 32 * unit, 0.8 * unit, i)
        notes = [_("you")] if i == seat else []
        notes += [_("winner")] if won else [_("to move")] if turn else []
        words(group, left + 48 * unit, top + 27 * unit, name, 14 * unit, bold=turn or won)
        words(group, left + 48 * unit, top + 43 * unit, ", ".join(notes), 11.6 * unit, fill=NOTES)
        words(group, left + wide - 12 * unit, top + (34 if wide < 180 * unit else 40) * unit, str(position.scores[i]),
              figure * unit, anchor="end", bold=True, class_="score")
        if position.scores[i] >= _TRACK:
            laps = position.scores[i] // _TRACK * _TRACK
            words(group, left + wide - 10 * unit, top + 64 * unit, f"{laps} + {position.scores[i] - laps}", 11.6 * unit,
                  anchor="end", fill=FAINT, class_="laps")
        step = min(13 * unit, (wide - 80 * unit) / 8)
        for k in range(position.supply[i]):
            meeple(group, left + 16 * unit + k * step, top + 60 * unit, step / 50, i, letter=False)
    return top + 78 * unit


def _draw_hand(panel: ET.Element, position: Position, tiles: Sequence[TileType], left: float, top: float,
               unit: float) -> float:
    """Draw the tile in hand, as high as the box of a seat, and explain the tint of the board."""
    hand = position.tile_in_hand if position.phase == "place" else None
    low, right = top, left
    if hand:
        group = _zone(panel, "hand", unit)
        bound(group, left - 2, top, 96 * unit, 66 * unit)
        held = add(group, "g", class_="in-hand", data_drag="tile")
        words(held, left, top + 13 * unit, pgettext("carcassonne", "in hand"), 12.5 * unit, bold=True)
        words(held, left + 52 * unit, top + 45 * unit, hand, 12.5 * unit, bold=True, class_="code")
        place_face(held, next(tile for tile in tiles if tile.code == hand), 0, left, top + 18 * unit, 0.47 * unit)
        low, right = top + 70 * unit, left + 110 * unit
    if position.followers:
        group = _zone(panel, "rest", unit)
        key = _("hatched ground and lines on roads: in the colours of the most followers")
        lines = wrapped(key, _HALF * unit - right + left, 12 * unit)
        for row, line in enumerate(lines):
            words(group, right, top + (13 + 16 * row) * unit, line, 12 * unit, fill=FAINT, class_="key")
        bound(group, right - 2, top, _HALF * unit - right + left + 4, (16 * len(lines) + 4) * unit)
        low = max(low, top + (16 * len(lines) + 6) * unit)
    return low


def _draw_stacks(panel: ET.Element, position: Position, tiles: Sequence[TileType], left: float, top: float,
                 unit: float) -> float:
    """Draw the tiles that are left, and name those out of the game."""
    group = _zone(panel, "rest", unit)
    y = top
    for name, stack in (("river", position.river_remaining), ("land", position.remaining)):
        kinds = [(tile, stack[tile.code]) for tile in tiles if stack.get(tile.code, 0)]
        if not kinds and (name == "river" or position.phase == "over"):
            continue
        count = sum(stack.values())
        part = add(group, "g", class_=f"stack {name}-stack")
        words(part, left, y + 13 * unit, tiles_left(name, count), 12.5 * unit, bold=True)
        y += 20 * unit
        step, per_row, tall = 63 * unit, 6, 46 * unit
        for i, (tile, copies) in enumerate(kinds):
            px, py = left + (i % per_row) * step, y + (i // per_row) * tall
            place_face(part, tile, 0, px, py, 0.38 * unit)
            words(part, px + 41 * unit, py + 14 * unit, tile.code, 11.6 * unit, fill=FAINT, class_="code")
            words(part, px + 40 * unit, py + 31 * unit, f"×{copies}", 12 * unit, bold=True)
            hit(part, stack_key(tile.code), "rect", x=px - 2 * unit, y=py - 2 * unit, width=61 * unit,
                height=42 * unit, rx=3.0 * unit)
        y += -(-len(kinds) // per_row) * tall if kinds else 4 * unit
    if position.discarded:
        for line in wrapped(" ".join([_("out of the game:"), *position.discarded]), _HALF * unit, 12 * unit):
            words(group, left, y + 13 * unit, line, 12 * unit, class_="discarded")
            y += 16 * unit
    bound(group, left - 2, top - 2, _HALF * unit + 4, y - top + 8 * unit)
    return y + 8 * unit
