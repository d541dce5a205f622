"""What stands below the board in the picture of Carcassonne: the scoring track, the seats and the tiles left."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from sfida.engines.carcassonne.board_text import seat_names
from sfida.engines.carcassonne.pieces_svg import FAINT, LEGAL, meeple, place_face, words
from sfida.engines.carcassonne.position import Position
from sfida.engines.carcassonne.style import tiles_left
from sfida.engines.carcassonne.tables import TileType
from sfida.engines.drawing.svg import NOTES, add, num, title
from sfida.engines.language import _

PANEL = "#fbf6e9"
_TRACK, _ROWS = 50, 2                   # spaces of the scoring track
# How so many followers stand on one space, clear of its number and of each other: columns, size, left and top end.
_STANDING = {1: (1, 0.42, 0.28, 0.1), 2: (2, 0.295, 0.04, 0.34), 3: (3, 0.195, 0.04, 0.34), 4: (2, 0.17, 0.04, 0.36),
             5: (3, 0.17, 0.04, 0.36)}


def draw_panel(root: ET.Element, position: Position, tiles: Sequence[TileType], seat: int | None, size: int,
               top: float) -> float:
    """Draw scores, followers in hand and the tiles left; return where the sheet ends."""
    unit = size / 800
    panel = add(root, "g", class_="panel")
    back = add(panel, "rect", x=10, y=top, width=size - 20, height=10, rx=8.0, fill=PANEL, stroke="#cdbd97")
    y = _draw_track(panel, position, size, top + 8 * unit, unit)
    y = _draw_seats(panel, position, seat, size, y, unit)
    y = _draw_stacks(panel, position, tiles, size, y, unit)
    if position.followers:
        key = _("hatched ground and lines on roads: in the colours of the most followers")
        words(panel, size / 2, y + 8 * unit, key, 9.5 * unit, anchor="middle", fill=FAINT, class_="key")
        y += 14 * unit
    back.set("height", num(y - top))
    return y + 10


def _draw_track(panel: ET.Element, position: Position, size: int, top: float, unit: float) -> float:
    """Draw the scoring track with a follower for each seat; who has passed its end goes round again."""
    group = add(panel, "g", class_="track")
    wide, high = (size - 36) / (_TRACK // _ROWS), 26 * unit
    standing: dict[int, list[int]] = {}
    for seat, score in enumerate(position.scores):
        standing.setdefault(score % _TRACK, []).append(seat)
    for space in range(_TRACK):
        row, column = divmod(space, _TRACK // _ROWS)
        x, y = 18 + wide * column, top + high * row
        add(group, "rect", x=x, y=y, width=wide, height=high, fill="#e4cf9c" if space % 5 == 0 else "#f6ecd2",
            stroke="#cdbd97", stroke_width=0.8)
        words(group, x + 2 * unit, y + 8 * unit, str(space), 7 * unit, fill=FAINT, bold=space % 5 == 0)
        seats = standing.get(space, [])
        columns, scale, left, upper = _STANDING[max(1, len(seats))]
        rows = -(-len(seats) // columns)
        for i, seat in enumerate(seats):
            piece = meeple(group, x + wide * (left + (0.98 - left) * (i % columns + 0.5) / columns),
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
        group = add(panel, "g", class_=f"seat seat-{i}")
        add(group, "rect", x=left + 3, y=top + 8 * unit, width=wide - 6, height=62 * unit, rx=6.0,
            fill=LEGAL if turn or won else "#f2ead5", stroke="#c79a1d" if turn or won else "#d9cba8",
            stroke_width=2.0 if turn or won else 1.0)
        meeple(group, left + 26 * unit, top + 32 * unit, 0.8 * unit, i)
        notes = [_("you")] if i == seat else []
        notes += [_("winner")] if won else [_("to move")] if turn else []
        words(group, left + 48 * unit, top + 28 * unit, name, 13 * unit, bold=turn or won)
        words(group, left + 48 * unit, top + 43 * unit, ", ".join(notes), 10.5 * unit, fill=NOTES)
        words(group, left + wide - 12 * unit, top + 40 * unit, str(position.scores[i]), figure * unit,
              anchor="end", bold=True, class_="score")
        if position.scores[i] >= _TRACK:
            laps = position.scores[i] // _TRACK * _TRACK
            words(group, left + wide - 12 * unit, top + 54 * unit, f"{laps} + {position.scores[i] - laps}", 9 * unit,
                  anchor="end", fill=FAINT, class_="laps")
        step = min(13 * unit, (wide - 24 * unit) / 8)
        for k in range(position.supply[i]):
            meeple(group, left + 16 * unit + k * step, top + 60 * unit, step / 50, i, letter=False)
    return top + 78 * unit


def _draw_stacks(panel: ET.Element, position: Position, tiles: Sequence[TileType], size: int, top: float,
                 unit: float) -> float:
    faces = {tile.code: tile for tile in tiles}
    y = top
    x = 22.0
    hand = position.tile_in_hand if position.phase == "place" else None
    if hand:
        group = add(panel, "g", class_="in-hand")
        words(group, x, y + 12 * unit, _("in hand: {code}").format(code=hand), 12 * unit, bold=True)
        place_face(group, faces[hand], 0, x, y + 18 * unit, 0.66 * unit)
        x += 96 * unit
    left, lowest = x, y + (92 * unit if hand else 0)
    for name, stack in (("river", position.river_remaining), ("land", position.remaining)):
        kinds = [(tile, stack[tile.code]) for tile in tiles if stack.get(tile.code, 0)]
        if not kinds and (name == "river" or position.phase == "over"):
            continue
        count = sum(stack.values())
        group = add(panel, "g", class_=f"stack {name}-stack")
        words(group, left, y + 12 * unit, tiles_left(name, count), 12 * unit, bold=True)
        y += 18 * unit
        step = 52 * unit
        per_row = max(1, int((size - 20 - left) / step))
        for i, (tile, copies) in enumerate(kinds):
            px, py = left + (i % per_row) * step, y + (i // per_row) * 47 * unit
            place_face(group, tile, 0, px, py, 0.32 * unit)
            words(group, px + 34 * unit, py + 12 * unit, tile.code, 10 * unit, fill=FAINT)
            words(group, px + 34 * unit, py + 27 * unit, f"×{copies}", 10.5 * unit, bold=True)
        y += -(-len(kinds) // per_row) * 47 * unit - 3 * unit if kinds else 4 * unit
    if position.discarded:
        words(panel, left, y + 13 * unit, " ".join([_("out of the game:"), *position.discarded]), 11 * unit,
               class_="discarded")
        y += 20 * unit
    return max(y, lowest) + 4 * unit
