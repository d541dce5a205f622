"""Carcassonne in a terminal: the board, the drawn tile in its rotations, scores and remaining tiles.

A tile is a block of characters, 5 x 3 on the board (3 x 3 on a narrow screen): `#` city, double lines
road, `.` field, `~` river, a house for a monastery, a square for the village where roads end, `*` shield.
A follower is its role (K T F M) and the letter of its owner, so colours are optional.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sfida.engines.carcassonne.faces import (
    CITY, FIELD, MONASTERY, RIVER, ROAD, SHIELD, VILLAGE, Glyph, draw_tile, follower_cell, shield_cells
)
from sfida.engines.carcassonne.position import Follower, PlacedTile, Position
from sfida.engines.carcassonne.style import color as color_name
from sfida.engines.carcassonne.style import tiles_left
from sfida.engines.carcassonne.tables import TileType, load_data
from sfida.engines.drawing.colors import DIM, WHITE, paint
from sfida.engines.drawing.terminal import Cell, badge, fitted, line_text, paragraph, window_start, words, wrap
from sfida.engines.language import N_, NP_, _, listed, named, ngettext, pgettext

_ROLE_LETTERS = {"city": NP_("letter of a follower", "K"), "road": NP_("letter of a follower", "T"),
                 "field": NP_("letter of a follower", "F"), "monastery": NP_("letter of a follower", "M")}
# Meaning of the signs of the board.
_SIGNS = ((CITY, N_("city")), (ROAD, N_("road")), (FIELD, N_("field")), (RIVER, N_("river")),
          (MONASTERY, N_("monastery")), (VILLAGE, N_("village")), (SHIELD, N_("shield")), ("┌┐", N_("last tile")),
          ("·", N_("open place")), ("2-4", N_("numbers of the moves there")),
          ("1↻2", N_("move 1, after 2 quarter turns")), ("/1 ↻1", N_("turned 90° clockwise")))

# Colours of the 256-colour palette: letters, then the ground of even and odd cells.
_GROUND = {"field": (65, 107, 71), "city": (137, 180, 179), "river": (153, 68, 67)}
_INK = {"road": 231, "village": 88, "monastery": 52, "shield": 231}
_LAST = 196
_LABEL = (231, 238)
_BRIGHT = WHITE
_LISTED = 4             # on a low screen, at most one of this many lines may list placements


def _tile_cells(tile: TileType, rotation: int, columns: int, rows: int, odd: int, color: bool,
                marks: Mapping[int, tuple[str, int, int]], last: bool = False) -> list[list[Cell]]:
    """Colour a tile. `marks` puts two letters with their colours on segments."""
    glyphs = draw_tile(tile, rotation, columns, rows)
    cells = [[_glyph_cell(glyph, odd, color) for glyph in line] for line in glyphs]
    taken: list[tuple[int, int]] = []
    for segment, (text, fore, back) in marks.items():
        x, y = follower_cell(tile, rotation, segment, columns, rows)
        for i, char in enumerate(text):
            cells[y][x + i] = Cell(char, fore, back, True)
            taken.append((x + i, y))
    for x, y in shield_cells(tile, rotation, columns, rows, taken):
        cells[y][x] = Cell(SHIELD, _INK["shield"], 25, True)
    if last:
        corners = ((0, 0, "┌"), (columns - 1, 0, "┐"), (0, rows - 1, "└"), (columns - 1, rows - 1, "┘"))
        for x, y, char in corners:
            if (x, y) not in taken:
                cells[y][x] = Cell(char, _BRIGHT, _LAST, True)
    return cells


def _glyph_cell(glyph: Glyph, odd: int, color: bool) -> Cell:
    if glyph.kind in _INK:
        return Cell(glyph.char, _INK[glyph.kind], _GROUND[glyph.upper][1 + odd], True)
    if color and glyph.upper != glyph.lower:        # two half characters, for a rounder wall
        return Cell("▀", _GROUND[glyph.upper][1 + odd], _GROUND[glyph.lower][1 + odd])
    return Cell(glyph.char, _GROUND[glyph.upper][0], _GROUND[glyph.upper][1 + odd])


# ---- seats --------------------------------------------------------------------------------------------


def seat_names(players: int) -> list[str]:
    """Return the colour names of the seats."""
    return [color_name(seat) for seat in range(players)]


def role_letter(kind: str) -> str:
    """Return the letter of a follower in a kind of feature."""
    return pgettext("letter of a follower", _ROLE_LETTERS[kind])


def seat_letters(players: int) -> list[str]:
    """Return one small letter per seat: the first of its colour, or the last if the first is taken."""
    letters: list[str] = []
    for name in map(str.lower, seat_names(players)):
        letters.append(next(c for c in (name[0], name[-1], *name) if c not in letters))
    return letters


@cache
def _seat_paint(seat: int) -> tuple[int, int]:
    """Return letter and ground colour of a seat."""
    return paint(load_data()["players"]["colors"][seat]["rgb"])


# ---- the board ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Window:
    """The visible cells of the plane, and the number of columns per cell."""

    left: int
    right: int
    top: int
    bottom: int
    columns: int
    hidden: tuple[str, ...] = ()        # parts of the plane that are not drawn
    needs: int = 0                      # columns that would show all


def _window(position: Position, width: int, height: int | None = None) -> _Window:
    """Return the window that fits a width and height; the height includes the line about hidden parts, if any."""
    xs = [tile.x for tile in position.tiles] or [0]
    ys = [tile.y for tile in position.tiles] or [0]
    edge = 1 if position.phase != "over" else 0
    left, right, top, bottom = min(xs) - edge, max(xs) + edge, min(ys) - edge, max(ys) + edge
    if height is not None and 3 * (bottom - top + 1) + 1 > height:
        rows = max(1, (height - 2) // 3)
        at = position.tiles[-1].y if position.tiles else 0
        first = top + window_start(bottom - top + 1, rows, [at - top, *(y - top for _, y, _ in position.placements)])
        whole = _window(position, width)
        parts = [_span("y", a, b) for a, b in ((top, first - 1), (first + rows, bottom)) if a <= b]
        return replace(whole, top=first, bottom=first + rows - 1, hidden=(*parts, *whole.hidden))
    room = max(3, width - _margin(top, bottom))
    count = right - left + 1
    for columns in (5, 3):
        if count * columns <= room:
            return _Window(left, right, top, bottom, columns)
    shown = max(1, room // 3)
    middle = position.tiles[-1].x if position.tiles else 0
    start = min(max(left, middle - shown // 2), right - shown + 1)
    end = start + shown - 1
    parts = [_span("x", a, b) for a, b in ((left, start - 1), (end + 1, right)) if a <= b]
    return _Window(start, end, top, bottom, 3, tuple(parts), count * 3 + _margin(top, bottom))


def _span(name: str, first: int, last: int) -> str:
    if first == last:
        return f"{name} {first}"
    return _("{axis} {first} to {last}").format(axis=name, first=first, last=last)


def _left_out(window: _Window) -> str:
    """Describe the parts of the plane that are not drawn."""
    if not window.hidden:
        return ""
    said = (_("not shown: {parts}; {columns} columns would show all") if window.needs else _("not shown: {parts}"))
    return said.format(parts=listed(window.hidden), columns=window.needs)


def _margin(top: int, bottom: int) -> int:
    return max(len(str(top)), len(str(bottom))) + 1


def placement_labels(position: Position) -> dict[tuple[int, int], list[int]]:
    """Return the numbers, from 1, of the legal placements at each open place."""
    labels: dict[tuple[int, int], list[int]] = {}
    for number, (x, y, _rotation) in enumerate(position.placements, start=1):
        labels.setdefault((x, y), []).append(number)
    return labels


def _open_cells(numbers: Sequence[int], columns: int, is_open: bool, crowded: bool) -> list[list[Cell]]:
    """Draw an empty place: its numbers, a dot where a tile may lie next, or nothing.

    If a cell beside it has numbers (`crowded`), its own numbers do not fill the line, so that they stay separate.
    """
    lines = [[Cell()] * columns for _ in range(3)]
    if not numbers:
        if is_open:
            lines[1][columns // 2] = Cell("·", DIM)
        return lines
    first, last = str(numbers[0]), str(numbers[-1])
    texts = ["", first if first == last else f"{first}-{last}", ""]
    if first != last and len(texts[1]) > columns - crowded:
        texts = [first, "-", last]
    for row, text in enumerate(texts):
        lines[row] = words(text[:columns].center(columns), *_LABEL, bold=True)
    return lines


def board_text(position: Position, *, tiles: Sequence[TileType], seat: int | None = None, color: bool = False,
               width: int = 100, labels: bool = False, last: bool = True, height: int | None = None) -> str:
    """Draw the board.

    If the board is too wide, tiles shrink, then the board is cropped around the last tile. If it is too high, the
    explanations are omitted, then it is cropped around the last tile and the placements. Labels number the places
    where the tile in hand may be laid, and list the numbers below the board. A cropped board omits a long list,
    because each place can list its own moves.

    The other parameters are as in all drawings: see `sfida.engines.drawing`.

    Parameters
    ----------
    tiles : sequence of TileType
        The tile types, in any order.
    last : bool
        Mark the last tile with corners.
    """
    key = follower_key(position.players, color=color, width=width) if position.followers else []
    listed = placement_list(position, color=color, width=width) if labels and position.placements else []

    def drawings() -> Iterator[list[str]]:
        whole = _tiles_text(position, _window(position, width), tiles, color, width, labels, last)
        yield [*whole, *key, *listed]
        yield [*whole, *listed]
        room = height or 0
        below = listed if len(listed) <= room // _LISTED else _place_hint(position, color, width)
        low = _window(position, width, max(5, room - len(below)))
        yield [*_tiles_text(position, low, tiles, color, width, labels, last), *below]

    return "\n".join(fitted(height, drawings()))


def _tiles_text(position: Position, window: _Window, tiles: Sequence[TileType], color: bool, width: int, labels: bool,
                last: bool) -> list[str]:
    """Draw the tiles and open places of a part of the plane, with its row and column numbers."""
    faces = {tile.code: tile for tile in tiles}
    columns, margin = window.columns, _margin(window.top, window.bottom)
    placed = {(tile.x, tile.y): i for i, tile in enumerate(position.tiles)}
    followers = {follower.tile: follower for follower in position.followers}
    letters = seat_letters(position.players)
    numbers = placement_labels(position) if labels else {}
    opened = set(position.open_places)

    lines = [line_text(_x_numbers(window, margin), color)]
    for y in range(window.top, window.bottom + 1):
        rows = [words(" " * margin), words(f"{y:>{margin - 1}} ", DIM), words(" " * margin)]
        for x in range(window.left, window.right + 1):
            index = placed.get((x, y))
            if index is None:
                crowded = (x - 1, y) in numbers or (x + 1, y) in numbers
                block = _open_cells(numbers.get((x, y), ()), columns, (x, y) in opened, crowded)
            else:
                tile = position.tiles[index]
                block = _tile_cells(faces[tile.code], tile.rotation, columns, 3, (x + y) % 2, color,
                                    _follower_marks(followers.get(index), tile, faces, letters),
                                    last and index == len(position.tiles) - 1)
            for row, cells in zip(rows, block, strict=True):
                row += cells
        lines += [line_text(row[:width], color) for row in rows]
    return [*lines, *paragraph(_left_out(window), width, color)]


def _follower_marks(follower: Follower | None, tile: PlacedTile, faces: Mapping[str, TileType],
                    letters: Sequence[str]) -> dict[int, tuple[str, int, int]]:
    if follower is None:
        return {}
    role = role_letter(faces[tile.code].segments[follower.segment].kind)
    return {follower.segment: (role + letters[follower.seat], *_seat_paint(follower.seat))}


def _x_numbers(window: _Window, margin: int) -> list[Cell]:
    texts = [str(x) for x in range(window.left, window.right + 1)]
    sparse = any(len(text) >= window.columns for text in texts)
    cells = words(" " * margin)
    for x, text in zip(range(window.left, window.right + 1), texts, strict=True):
        shown = text if not sparse or x % 2 == 0 else ""
        cells += words(shown.center(window.columns)[:window.columns], DIM)
    return cells


def placement_list(position: Position, *, color: bool = False, width: int = 100) -> list[str]:
    """List the numbered placements: one entry per place, with the rotation behind every number."""
    parts = []
    for (x, y), numbers in placement_labels(position).items():
        entry = words(f"({x},{y})", DIM)
        for number in numbers:
            rotation = position.placements[number - 1][2]
            entry += [*words(f" {number}", bold=True), *words(f"↻{rotation}", DIM)]
        parts.append(entry)
    return wrap(parts, width, color, indent=2, gap=3)


def _place_hint(position: Position, color: bool, width: int) -> list[str]:
    """Explain how to list the placements at one place."""
    x, y = max(placement_labels(position).items(), key=lambda item: len(item[1]))[0]
    hint = _("Type a number, or a place, such as {place}, to list its moves.").format(place=f"{x},{y}")
    return paragraph(hint, width, color)


def follower_key(players: int, *, color: bool = False, width: int = 100) -> list[str]:
    """Explain the two letters of a follower: role and owner."""
    parts = [words(f"{role_letter(kind)} {named(role)}") for kind, role in load_data()["roles"].items()]
    for seat, (letter, name) in enumerate(zip(seat_letters(players), seat_names(players), strict=True)):
        owner = [*words(letter, *_seat_paint(seat), bold=True), *words(f" {name}")]
        if seat == 0:
            parts[-1] += [*words(f" {pgettext('in front of an owner', 'of')} "), *owner]
        else:
            parts.append(owner)
    return wrap(parts, width, color)


def legend_text(players: int, *, color: bool = False, width: int = 100) -> str:
    """Explain the characters of the board and the letters of the seats."""
    signs = (*((sign, _(name)) for sign, name in _SIGNS), (_("unfit"), _("nowhere")), ("●", _("in hand")),
             ("○", _("on the board")), ("B2", _("two tiles of kind B are left: 'tiles' draws them")),
             ("<-", _("to move")))
    lines = wrap([words(f"{sign} {name}") for sign, name in signs], width, color)
    return "\n".join([*lines, *follower_key(players, color=color, width=width)])


# ---- single tiles -------------------------------------------------------------------------------------


def tile_rotations_text(code: str, rotations: Iterable[int] | None = None, *, tiles: Sequence[TileType],
                        color: bool = False, width: int = 100, segments: Iterable[int] = (),
                        fitting: Collection[int] | None = None) -> str:
    """Draw a tile in its rotations side by side, 9 x 5 characters each.

    Parameters
    ----------
    code : str
        Tile code.
    rotations : iterable of int, optional
        The rotations; by default all distinct ones.
    segments : iterable of int
        Segments to mark with their names, as typed after "+".
    fitting : collection of int, optional
        The rotations with a legal place; the others are marked as unfit.
    """
    tile = next(t for t in tiles if t.code == code)
    turns = list(range(tile.rotations)) if rotations is None else list(rotations)
    marks = {number: (tile.segments[number].id.ljust(2), *_LABEL) for number in segments}
    each, gap = 9, 3
    per_row = max(1, (width + gap) // (each + gap))
    lines: list[str] = []
    for start in range(0, len(turns), per_row):
        group = turns[start:start + per_row]
        blocks = [_tile_cells(tile, k, each, 5, 0, color, marks) for k in group]
        heads = [words(_rotation_head(k, fitting is None or k in fitting).ljust(each), DIM) for k in group]
        for cells in (heads, *([block[row] for block in blocks] for row in range(5))):
            line: list[Cell] = []
            for cell_run in cells:
                line += [*words(" " * gap if line else ""), *cell_run]
            lines.append(line_text(line[:width], color))
    return "\n".join(lines)


def _rotation_head(rotation: int, fits: bool) -> str:
    if not fits:
        return f"/{rotation} {_('unfit')}"
    return f"/{rotation}  {90 * rotation}°" if rotation else "/0"


def deploy_text(position: Position, *, tiles: Sequence[TileType], color: bool = False,
                width: int = 100) -> str:
    """Draw the tile just laid in its rotation, with the names of the segments that may take a follower."""
    tile = position.tiles[-1]
    return tile_rotations_text(tile.code, [tile.rotation], tiles=tiles, color=color, width=width,
                               segments=position.deploy_segments)


def remaining_text(position: Position, *, tiles: Sequence[TileType], color: bool = False,
                   width: int = 100) -> str:
    """Draw every kind of remaining tile, with its number of copies."""
    left = [(tile, stack[tile.code]) for stack in (position.river_remaining, position.remaining)
            for tile in tiles if stack.get(tile.code, 0)]
    per_row = max(1, (width + 2) // 7)
    lines: list[str] = []
    for start in range(0, len(left), per_row):
        group = left[start:start + per_row]
        rows: list[list[Cell]] = [[], [], [], []]
        for tile, count in group:
            block = [words(f"{tile.code} ×{count}"[:5].ljust(5)), *_tile_cells(tile, 0, 5, 3, 0, color, {})]
            for row, cells in zip(rows, block, strict=True):
                row += [*words("  " if row else ""), *cells]
        lines += [line_text(row[:width], color) for row in rows]
    return "\n".join(lines)


# ---- scores and supplies ------------------------------------------------------------------------------


def status_text(position: Position, *, tiles: Sequence[TileType], seat: int | None = None,
                color: bool = False, width: int = 100) -> str:
    """Show scores, followers in hand, the seat on turn, the tile in hand and the tiles left by type."""
    names, letters = seat_names(position.players), seat_letters(position.players)
    data = load_data()
    total = data["players"]["followers_usable_per_player"]
    wide, unit = max(map(len, names)), max(len(ngettext("point", "points", n)) for n in (1, 2))
    lines = []
    for i, name in enumerate(names):
        points, supply = position.scores[i], position.supply[i]
        turn = i == position.seat_on_turn and position.phase not in ("over", "first")
        note = " ".join(filter(None, (f"<- {_('to move')}" if turn else "", _("(you)") if i == seat else "")))
        cells = [*badge(letters[i], _seat_paint(i)),
                 *words(f" {name:<{wide}}", bold=turn),
                 *words(f"{points:>4} {ngettext('point', 'points', points):<{unit}}  ", bold=True),
                 *words("●" * supply, _BRIGHT), *words("○" * (total - supply), DIM),
                 *words(f" {supply} {_('in hand')}  {note}")]
        lines.append(line_text(cells[:width], color))
    lines += paragraph(_news(position, tiles, names), width, color)
    for title, stack in (("river", position.river_remaining), ("land", position.remaining)):
        count = sum(stack.values())
        if not count and (title == "river" or position.phase == "over"):
            continue
        parts = [words(tiles_left(title, count) + (":" if count else "."))]
        parts += [words(f"{t.code}{stack[t.code]}") for t in tiles if stack.get(t.code, 0)]
        lines += wrap(parts, width, color, indent=2, gap=1)
    if position.discarded:
        lines += wrap(map(words, (_("out of the game:"), *position.discarded)), width, color, gap=1)
    return "\n".join(lines)


def _news(position: Position, tiles: Sequence[TileType], names: Sequence[str]) -> str:
    """Return one sentence on the current decision or the result."""
    who = names[position.seat_on_turn]
    title = {tile.code: f"{tile.code}, {tile.name}" for tile in tiles}
    if position.phase == "over":
        best = max(position.scores)
        winners = [name for name, points in zip(names, position.scores, strict=True) if points == best]
        return ngettext("The game is over: {seats} wins with {points}.",
                        "The game is over: {seats} share the victory with {points}.", len(winners)).format(
            seats=listed(winners), points=best)
    if position.phase == "first":
        return _("It is drawn who goes first.")
    if position.phase == "place" and position.tile_in_hand:
        return _("{seat} places {tile}.").format(seat=who, tile=title[position.tile_in_hand])
    if position.phase == "deploy" and position.tile_in_hand:
        return _("{seat} has laid {tile}, and may deploy a follower.").format(
            seat=who, tile=title[position.tile_in_hand])
    return _("{seat} draws a tile.").format(seat=who)
