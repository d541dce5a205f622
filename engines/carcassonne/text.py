"""Carcassonne in a terminal: the board, the drawn tile in its rotations, scores and what is left.

A tile is a block of characters, 5 x 3 on the board (3 x 3 where that is too wide): `#` city, double lines
road, `.` field, `~` river, a house for a monastery, a square for the village where roads end, `*` shield.
A follower is its role (K T F M) and the letter of its owner, so colours are never needed to read a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from sfida.engines.carcassonne.faces import city_at, in_city, turned
from sfida.engines.carcassonne.position import Follower, PlacedTile, Position
from sfida.engines.carcassonne.tiles import TileType, load_data

FIELD, CITY, ROAD, RIVER, VILLAGE, MONASTERY, SHIELD = ".", "#", "═", "~", "■", "⌂", "*"
ROLE_LETTERS = {"city": "K", "road": "T", "field": "F", "monastery": "M"}
_TEXT_CAP = 0.34       # deeper than on the picture, so that a city edge shows in three rows

# Directions of a road through a character: bit 0 north, 1 east, 2 south, 3 west.
_LINES = {0b0101: "║", 0b1010: "═", 0b0011: "╚", 0b0110: "╔", 0b1100: "╗", 0b1001: "╝",
          0b0001: "║", 0b0100: "║", 0b0010: "═", 0b1000: "═"}
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))

# Colours of the 256-colour palette: letters, then the ground of even and odd cells.
_GROUND = {"field": (65, 107, 71), "city": (137, 180, 179), "river": (153, 68, 67)}
_INK = {"road": 231, "village": 88, "monastery": 52, "shield": 231}
_LAST = 196
_LABEL = (231, 238)
_DIM, _BRIGHT = 245, 231


@dataclass(frozen=True)
class Cell:
    """One character and how it is coloured; `fore` and `back` are numbers of the 256-colour palette."""

    char: str = " "
    fore: int | None = None
    back: int | None = None
    bold: bool = False


@dataclass(frozen=True)
class Glyph:
    """One character of a drawn tile.

    Attributes
    ----------
    char : str
        What is printed without colour.
    kind : str
        "field", "city", "road", "river", "village" or "monastery".
    segment : int or None
        Segment of the tile that the character shows.
    upper, lower : str
        Ground of the two halves of the character, for colour: "field", "city" or "river".
    """

    char: str
    kind: str
    segment: int | None
    upper: str
    lower: str


# ---- drawing one tile ---------------------------------------------------------------------------------


def _ground(tile: TileType, u: float, v: float) -> str:
    return "field" if city_at(tile, u, v, _TEXT_CAP) is None else "city"


def _small_city(tile: TileType, column: int, row: int) -> int | None:
    """City segment at a cell of the 3 x 3 drawing: edges exactly, corners and centre by their edges."""
    touched = [e for e, (dx, dy) in enumerate(_STEPS) if (dx and dx == column - 1) or (dy and dy == row - 1)]
    for number, segment in enumerate(tile.segments):
        if segment.kind != "city":
            continue
        if touched and all(e in segment.edges for e in touched):
            return number
        if not touched and len(segment.edges) > 1 and in_city(segment.edges, 0.5, 0.5):
            return number
    return None


def _bend_at_corner(a: int, b: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """Cells of a bend that keeps clear of the centre, for two bends on one tile."""
    across, down = (a, b) if a % 2 else (b, a)
    x0, y0 = columns // 2, rows // 2
    xm = columns // 4 if across == 3 else columns - 1 - columns // 4
    ym = rows // 4 if down == 0 else rows - 1 - rows // 4
    dx, dy = _STEPS[across][0], _STEPS[down][1]
    y_end, x_end = (0 if dy < 0 else rows - 1), (0 if dx < 0 else columns - 1)
    cells = [(x0, y) for y in range(y_end, ym, -dy)] + [(x, ym) for x in range(x0, xm, dx)]
    cells += [(xm, y) for y in range(ym, y0, -dy)] + [(x, y0) for x in range(xm, x_end + dx, dx)]
    return cells if down == a else cells[::-1]


def _edge_run(edge: int, columns: int, rows: int) -> list[tuple[int, int]]:
    """Cells from an edge straight through the centre to the opposite edge."""
    x0, y0 = columns // 2, rows // 2
    if edge % 2:
        cells = [(x, y0) for x in range(columns)]
        return cells if edge == 3 else cells[::-1]
    cells = [(x0, y) for y in range(rows)]
    return cells if edge == 0 else cells[::-1]


def _strip_cells(tile: TileType, number: int, columns: int, rows: int,
                 city: Mapping[tuple[int, int], int | None],
                 monastery: tuple[int, int] | None) -> list[tuple[int, int]]:
    """Return the cells of a road or river, from its first edge on."""
    segment = tile.segments[number]
    halves = rows // 2, columns // 2
    half = halves[segment.edges[0] % 2]
    run = _edge_run(segment.edges[0], columns, rows)
    if len(segment.edges) == 2:
        a, b = segment.edges
        bends = [s for s in tile.segments if s.kind in ("road", "river") and len(s.edges) == 2
                 and (s.edges[0] - s.edges[1]) % 2]
        if len(bends) == 2:
            if columns > 3:
                return _bend_at_corner(a, b, columns, rows)
            if segment.kind == "river":     # the road takes the only centre
                return [run[0], _edge_run(b, columns, rows)[0]]
        return [*run[:half + 1], *_edge_run(b, columns, rows)[halves[b % 2] - 1::-1]]
    if segment.ends_in == "monastery":
        return run[:run.index(monastery)] if monastery in run else run[:half]
    if segment.ends_in == "city":
        stop = next((i for i, cell in enumerate(run) if city[cell] is not None), half)
        return run[:stop]
    return run[:half] if segment.ends_in == "crossing" else run[:half + 1]


def _direction(here: tuple[int, int], there: tuple[int, int]) -> int:
    step = there[0] - here[0], there[1] - here[1]
    return 1 << _STEPS.index(step) if step in _STEPS else 0


@cache
def draw_tile(tile: TileType, rotation: int, columns: int = 5, rows: int = 3,
              ) -> tuple[tuple[Glyph, ...], ...]:
    """Return the rows of glyphs of a tile; `columns` and `rows` are odd and at least 3."""
    tile = turned(tile, rotation)
    city: dict[tuple[int, int], int | None] = {}
    for x in range(columns):
        for y in range(rows):
            city[x, y] = (_small_city(tile, x, y) if columns == 3 else
                          city_at(tile, (x + 0.5) / columns, (y + 0.5) / rows, _TEXT_CAP))
    for edge in range(4):                   # two city parts may not seem to meet at a corner
        parts = [i for e in (edge, (edge + 1) % 4) for i, s in enumerate(tile.segments)
                 if s.kind == "city" and e in s.edges]
        if len(set(parts)) == 2:
            city[columns - 1 if edge < 2 else 0, rows - 1 if edge in (1, 2) else 0] = None
    glyphs: dict[tuple[int, int], Glyph] = {}
    for (x, y), number in city.items():
        if columns == 3:
            upper = lower = "field" if number is None else "city"
        else:
            upper = _ground(tile, (x + 0.5) / columns, (y + 0.25) / rows)
            lower = _ground(tile, (x + 0.5) / columns, (y + 0.75) / rows)
        glyphs[x, y] = (Glyph(FIELD, "field", None, upper, lower) if number is None else
                        Glyph(CITY, "city", number, upper, lower))
    spot = None
    for number, segment in enumerate(tile.segments):
        if segment.kind == "monastery":
            spot = min(columns - 1, int(segment.xy[0] * columns)), min(rows - 1, int(segment.xy[1] * rows))
            glyphs[spot] = Glyph(MONASTERY, "monastery", number, "field", "field")
    for kind in ("river", "road"):          # roads cross the river on bridges
        for number, segment in enumerate(tile.segments):
            if segment.kind != kind:
                continue
            cells = _strip_cells(tile, number, columns, rows, city, spot)
            for i, cell in enumerate(cells):
                old = glyphs[cell]
                if kind == "river":
                    glyphs[cell] = Glyph(RIVER, "river", number, "river", "river")
                    continue
                ways = (_direction(cell, cells[i - 1]) if i else 1 << segment.edges[0])
                ways |= _direction(cell, cells[i + 1]) if i + 1 < len(cells) else (
                    1 << segment.edges[-1] if len(segment.edges) == 2 else 0)
                glyphs[cell] = Glyph(_LINES[ways], "road", number, old.upper, old.lower)
            if segment.ends_in == "lake":
                x0, y0 = columns // 2, rows // 2
                for cell in ((x0 - 1, y0), (x0 + 1, y0)):
                    glyphs[cell] = Glyph(RIVER, "river", number, "river", "river")
    if any(s.ends_in == "crossing" for s in tile.segments):
        glyphs[columns // 2, rows // 2] = Glyph(VILLAGE, "village", None, "field", "field")
    _name_fields(tile, glyphs, columns, rows)
    return tuple(tuple(glyphs[x, y] for x in range(columns)) for y in range(rows))


def _name_fields(tile: TileType, glyphs: dict[tuple[int, int], Glyph], columns: int, rows: int) -> None:
    """Find the field segment of every field character by spreading from the half-edges inwards."""
    left, right, top, bottom = columns // 4, columns - 1 - columns // 4, rows // 4, rows - 1 - rows // 4
    seeds = ((left, 0), (right, 0), (columns - 1, top), (columns - 1, bottom),
             (right, rows - 1), (left, rows - 1), (0, bottom), (0, top))
    queue = []
    for number, segment in enumerate(tile.segments):
        for half in segment.half_edges:
            if glyphs[seeds[half]].kind == "field":
                queue.append((seeds[half], number))
    while queue:
        (x, y), number = queue.pop(0)
        glyph = glyphs.get((x, y))
        if glyph is None or glyph.kind != "field" or glyph.segment is not None:
            continue
        glyphs[x, y] = Glyph(glyph.char, "field", number, glyph.upper, glyph.lower)
        queue += [((x + dx, y + dy), number) for dx, dy in _STEPS]


def follower_cell(tile: TileType, rotation: int, segment: int, columns: int = 5, rows: int = 3,
                  ) -> tuple[int, int]:
    """Return column and row of the role letter of a follower; its owner's letter stands to the right.

    The letters stand on the segment itself where there is room for them; a monk stands beside the house.
    """
    glyphs = draw_tile(tile, rotation, columns, rows)
    u, v = turned(tile, rotation).segments[segment].xy
    if tile.segments[segment].kind == "monastery":
        x0, y0 = next((x, y) for x in range(columns) for y in range(rows) if glyphs[y][x].segment == segment)
        for x in (x0 + 1, x0 - 2):
            if 0 <= x < columns - 1 and all(glyphs[y0][x + i].kind == "field" for i in (0, 1)):
                return x, y0

    def cost(cell: tuple[int, int]) -> tuple[float, ...]:
        x, y = cell
        foreign = sum(2 - i for i in (0, 1) if glyphs[y][x + i].segment != segment)
        fixed = sum(glyphs[y][x + i].kind in ("village", "monastery") for i in (0, 1)
                    if glyphs[y][x + i].segment != segment)
        return (foreign + 3 * fixed, abs((x + 1) / columns - u) + abs((y + 0.5) / rows - v), y, x)
    return min(((x, y) for x in range(columns - 1) for y in range(rows)), key=cost)


def _shield_cells(tile: TileType, rotation: int, columns: int, rows: int,
                  taken: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cells for the shields of a tile, near the middle of its city part and clear of a follower."""
    glyphs = draw_tile(tile, rotation, columns, rows)
    found: list[tuple[int, int]] = []
    for number, segment in enumerate(turned(tile, rotation).segments):
        free = [(x, y) for y in range(rows) for x in range(columns)
                if glyphs[y][x].segment == number and (x, y) not in taken and (x, y) not in found]
        free.sort(key=lambda c, s=segment: (abs((c[0] + 0.5) / columns - s.xy[0])    # type: ignore[misc]
                                            + abs((c[1] + 0.5) / rows - s.xy[1]), c))
        found += free[:segment.shields]
    return found


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
    for x, y in _shield_cells(tile, rotation, columns, rows, taken):
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
    if color and glyph.upper != glyph.lower:        # half a character of each, for a rounder wall
        return Cell("▀", _GROUND[glyph.upper][1 + odd], _GROUND[glyph.lower][1 + odd])
    return Cell(glyph.char, _GROUND[glyph.upper][0], _GROUND[glyph.upper][1 + odd])


# ---- seats --------------------------------------------------------------------------------------------


def seat_names(players: int) -> list[str]:
    """Return the colour names of the seats."""
    return [color["name_en"] for color in load_data()["players"]["colors"][:players]]


def seat_letters(players: int) -> list[str]:
    """Return one small letter a seat: the first of its colour, the last where the first is taken."""
    letters: list[str] = []
    for name in seat_names(players):
        letters.append(next(c for c in (name[0], name[-1], *name) if c not in letters))
    return letters


@cache
def _seat_paint(seat: int) -> tuple[int, int]:
    """Return letter and ground colour of a seat."""
    rgb = load_data()["players"]["colors"][seat]["rgb"]
    channels = [int(rgb[i:i + 2], 16) for i in (1, 3, 5)]
    light = 0.3 * channels[0] + 0.59 * channels[1] + 0.11 * channels[2]
    levels = (0, 95, 135, 175, 215, 255)
    cube = [min(range(6), key=lambda i, c=c: abs(levels[i] - c)) for c in channels]    # type: ignore[misc]
    return (16 if light > 140 else 231), 16 + 36 * cube[0] + 6 * cube[1] + cube[2]


# ---- lines --------------------------------------------------------------------------------------------


def _style(cell: Cell) -> str:
    codes = ["1"] if cell.bold else []
    codes += [f"38;5;{cell.fore}"] if cell.fore is not None else []
    codes += [f"48;5;{cell.back}"] if cell.back is not None else []
    return f"\x1b[{';'.join(codes)}m" if codes else ""


def _line(cells: Sequence[Cell], color: bool) -> str:
    if not color:
        return "".join(cell.char for cell in cells).rstrip()
    parts = []
    for style, group in groupby(cells, _style):
        text = "".join(cell.char for cell in group)
        parts.append(f"{style}{text}\x1b[0m" if style else text)
    return "".join(parts).rstrip()


def _words(text: str, fore: int | None = None, back: int | None = None, bold: bool = False) -> list[Cell]:
    return [Cell(char, fore, back, bold) for char in text]


def _wrap(parts: Iterable[Sequence[Cell]], width: int, color: bool, indent: int = 0,
          gap: int = 2) -> list[str]:
    """Set cell runs one after another, a new line where the next would not fit."""
    lines: list[str] = []
    line: list[Cell] = []
    for part in parts:
        lead = gap if line else 0
        if line and len(line) + lead + len(part) > width:
            lines.append(_line(line, color))
            line, lead = [], indent
        line += [*_words(" " * lead), *part][:width - len(line)]
    if line:
        lines.append(_line(line, color))
    return lines


# ---- the board ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Window:
    """Which cells of the plane are drawn, and with how many columns each."""

    left: int
    right: int
    top: int
    bottom: int
    columns: int
    hidden: str = ""


def _window(position: Position, width: int) -> _Window:
    xs = [tile.x for tile in position.tiles] or [0]
    ys = [tile.y for tile in position.tiles] or [0]
    edge = 1 if position.phase != "over" else 0
    left, right, top, bottom = min(xs) - edge, max(xs) + edge, min(ys) - edge, max(ys) + edge
    room = max(3, width - _margin(top, bottom))
    count = right - left + 1
    for columns in (5, 3):
        if count * columns <= room:
            return _Window(left, right, top, bottom, columns)
    shown = max(1, room // 3)
    middle = position.tiles[-1].x
    start = min(max(left, middle - shown // 2), right - shown + 1)
    end = start + shown - 1
    parts = [_span("x", a, b) for a, b in ((left, start - 1), (end + 1, right)) if a <= b]
    return _Window(start, end, top, bottom, 3,
                   f"not shown: {' and '.join(parts)}; {count * 3 + _margin(top, bottom)} columns would "
                   "show all")


def _span(name: str, first: int, last: int) -> str:
    return f"{name} {first}" if first == last else f"{name} {first} to {last}"


def _margin(top: int, bottom: int) -> int:
    return max(len(str(top)), len(str(bottom))) + 1


def placement_labels(position: Position) -> dict[tuple[int, int], list[int]]:
    """Return the numbers, from 1, of the legal placements at each open place."""
    labels: dict[tuple[int, int], list[int]] = {}
    for number, (x, y, _) in enumerate(position.placements, start=1):
        labels.setdefault((x, y), []).append(number)
    return labels


def _open_cells(numbers: Sequence[int], columns: int, is_open: bool) -> list[list[Cell]]:
    """Draw an empty place: its numbers, a dot where a tile may lie next, or nothing."""
    lines = [[Cell()] * columns for _ in range(3)]
    if not numbers:
        if is_open:
            lines[1][columns // 2] = Cell("·", _DIM)
        return lines
    first, last = str(numbers[0]), str(numbers[-1])
    texts = ["", first if first == last else f"{first}-{last}", ""]
    if len(texts[1]) > columns:
        texts = [first, "-", last]
    for row, text in enumerate(texts):
        lines[row] = _words(text[:columns].center(columns), *_LABEL, bold=True)
    return lines


def board_text(position: Position, *, tiles: Sequence[TileType], seat: int | None = None, color: bool = False,
               width: int = 100, labels: bool = False, last: bool = True) -> str:
    """Draw the board.

    Parameters
    ----------
    position : Position
        What lies on the table.
    tiles : sequence of TileType
        The tile types, in any order.
    seat : int, optional
        Whose view it is; nothing on the table is hidden from anybody, so it changes nothing.
    color : bool
        Use 256 terminal colours; the characters are the same without.
    width : int
        Columns that no line exceeds: tiles shrink, then the board is cropped around the last tile.
    labels : bool
        Number the places where the tile in hand may be laid, and list the numbers below the board.
    last : bool
        Mark the last tile with corners.
    """
    faces = {tile.code: tile for tile in tiles}
    window = _window(position, width)
    columns, margin = window.columns, _margin(window.top, window.bottom)
    placed = {(tile.x, tile.y): i for i, tile in enumerate(position.tiles)}
    followers = {follower.tile: follower for follower in position.followers}
    letters = seat_letters(position.players)
    numbers = placement_labels(position) if labels else {}
    opened = set(position.open_places)

    lines = [_line(_x_numbers(window, margin), color)]
    for y in range(window.top, window.bottom + 1):
        rows = [_words(" " * margin), _words(f"{y:>{margin - 1}} ", _DIM), _words(" " * margin)]
        for x in range(window.left, window.right + 1):
            index = placed.get((x, y))
            if index is None:
                block = _open_cells(numbers.get((x, y), ()), columns, (x, y) in opened)
            else:
                tile = position.tiles[index]
                block = _tile_cells(faces[tile.code], tile.rotation, columns, 3, (x + y) % 2, color,
                                    _follower_marks(followers.get(index), tile, faces, letters),
                                    last and index == len(position.tiles) - 1)
            for row, cells in zip(rows, block, strict=True):
                row += cells
        lines += [_line(row[:width], color) for row in rows]
    lines += _wrap([_words(word) for word in window.hidden.split()], width, color, gap=1)
    if position.followers:
        lines += follower_key(position.players, color=color, width=width)
    if labels and position.placements:
        lines += placement_list(position, color=color, width=width)
    return "\n".join(lines)


def _follower_marks(follower: Follower | None, tile: PlacedTile, faces: Mapping[str, TileType],
                    letters: Sequence[str]) -> dict[int, tuple[str, int, int]]:
    if follower is None:
        return {}
    role = ROLE_LETTERS[faces[tile.code].segments[follower.segment].kind]
    return {follower.segment: (role + letters[follower.seat], *_seat_paint(follower.seat))}


def _x_numbers(window: _Window, margin: int) -> list[Cell]:
    texts = [str(x) for x in range(window.left, window.right + 1)]
    sparse = any(len(text) >= window.columns for text in texts)
    cells = _words(" " * margin)
    for x, text in zip(range(window.left, window.right + 1), texts, strict=True):
        shown = text if not sparse or x % 2 == 0 else ""
        cells += _words(shown.center(window.columns)[:window.columns], _DIM)
    return cells


def placement_list(position: Position, *, color: bool = False, width: int = 100) -> list[str]:
    """Name the numbered placements: one entry a place, with the rotation behind every number."""
    parts = []
    for (x, y), numbers in placement_labels(position).items():
        entry = _words(f"({x},{y})", _DIM)
        for number in numbers:
            rotation = position.placements[number - 1][2]
            entry += [*_words(f" {number}", bold=True), *_words(f"↻{rotation}", _DIM)]
        parts.append(entry)
    return _wrap(parts, width, color, indent=2, gap=3)


def follower_key(players: int, *, color: bool = False, width: int = 100) -> list[str]:
    """Explain the two letters of a follower: role and owner."""
    data = load_data()
    parts = [_words(f"{role['letter']} {role['name_en']}") for role in data["roles"].values()]
    for seat, (letter, name) in enumerate(zip(seat_letters(players), seat_names(players), strict=True)):
        owner = [*_words(letter, *_seat_paint(seat), bold=True), *_words(f" {name}")]
        if seat == 0:
            parts[-1] += [*_words(" of "), *owner]
        else:
            parts.append(owner)
    return _wrap(parts, width, color)


def legend_text(players: int, *, color: bool = False, width: int = 100) -> str:
    """Explain the characters of the board and the letters of the seats."""
    signs = ((CITY, "city"), (ROAD, "road"), (FIELD, "field"), (RIVER, "river"), (MONASTERY, "monastery"),
             (VILLAGE, "village"), (SHIELD, "shield"), ("┌┐", "last tile"), ("·", "open place"))
    lines = _wrap([_words(f"{sign} {name}") for sign, name in signs], width, color)
    return "\n".join([*lines, *follower_key(players, color=color, width=width)])


# ---- tiles on their own -------------------------------------------------------------------------------


def tile_rotations_text(code: str, rotations: Iterable[int] | None = None, *, tiles: Sequence[TileType],
                        color: bool = False, width: int = 100, segments: Iterable[int] = ()) -> str:
    """Draw a tile in its rotations side by side, 9 x 5 characters each.

    Parameters
    ----------
    code : str
        Tile code.
    rotations : iterable of int, optional
        Which rotations; all that can be told apart when not given.
    segments : iterable of int
        Segments to mark with their names, as typed after "+".
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
        heads = [_words((f"/{k}  {90 * k}°" if k else "/0").ljust(each), _DIM) for k in group]
        for cells in (heads, *([block[row] for block in blocks] for row in range(5))):
            line: list[Cell] = []
            for cell_run in cells:
                line += [*_words(" " * gap if line else ""), *cell_run]
            lines.append(_line(line[:width], color))
    return "\n".join(lines)


def deploy_text(position: Position, *, tiles: Sequence[TileType], color: bool = False,
                width: int = 100) -> str:
    """Draw the tile just laid, as it lies, with the names of the segments that may take a follower."""
    tile = position.tiles[-1]
    return tile_rotations_text(tile.code, [tile.rotation], tiles=tiles, color=color, width=width,
                               segments=position.deploy_segments)


def remaining_text(position: Position, *, tiles: Sequence[TileType], color: bool = False,
                   width: int = 100) -> str:
    """Draw every kind of tile that is left, with how often."""
    left = [(tile, stack[tile.code]) for stack in (position.river_remaining, position.remaining)
            for tile in tiles if stack.get(tile.code, 0)]
    per_row = max(1, (width + 2) // 7)
    lines: list[str] = []
    for start in range(0, len(left), per_row):
        group = left[start:start + per_row]
        rows: list[list[Cell]] = [[], [], [], []]
        for tile, count in group:
            block = [_words(f"{tile.code} ×{count}"[:5].ljust(5)), *_tile_cells(tile, 0, 5, 3, 0, color, {})]
            for row, cells in zip(rows, block, strict=True):
                row += [*_words("  " if row else ""), *cells]
        lines += [_line(row[:width], color) for row in rows]
    return "\n".join(lines)


# ---- scores and supplies ------------------------------------------------------------------------------


def status_text(position: Position, *, tiles: Sequence[TileType], seat: int | None = None,
                color: bool = False, width: int = 100) -> str:
    """Show scores, followers in hand, whose turn it is, the tile in hand and the tiles left by type."""
    names, letters = seat_names(position.players), seat_letters(position.players)
    data = load_data()
    total = data["players"]["followers_usable_per_player"]
    wide = max(map(len, names))
    lines = []
    for i, name in enumerate(names):
        points, supply = position.scores[i], position.supply[i]
        turn = i == position.seat_on_turn and position.phase not in ("over", "first")
        note = " ".join(word for word in ("<- to move" if turn else "", "(you)" if i == seat else "") if word)
        cells = [*_words(f" {letters[i]} ", *_seat_paint(i), bold=True),
                 *_words(f" {name:<{wide}}", bold=turn),
                 *_words(f"{points:>4} point" + ("s  " if points != 1 else "   "), bold=True),
                 *_words("●" * supply, _BRIGHT), *_words("○" * (total - supply), _DIM),
                 *_words(f" {supply} in hand  {note}")]
        lines.append(_line(cells[:width], color))
    lines += _wrap([_words(word) for word in _news(position, tiles, names).split()], width, color, gap=1)
    for title, stack in (("river", position.river_remaining), ("land", position.remaining)):
        count = sum(stack.values())
        if not count and (title == "river" or position.phase == "over"):
            continue
        parts = [_words(f"{count} {title} tile{'s' if count != 1 else ''} left" + (":" if count else "."))]
        parts += [_words(f"{t.code}{stack[t.code]}") for t in tiles if stack.get(t.code, 0)]
        lines += _wrap(parts, width, color, indent=2, gap=1)
    if position.discarded:
        lines += _wrap([_words(w) for w in ("out of the game:", *position.discarded)], width, color, gap=1)
    return "\n".join(lines)


def _news(position: Position, tiles: Sequence[TileType], names: Sequence[str]) -> str:
    """One sentence on what is going on."""
    who = names[position.seat_on_turn]
    title = {tile.code: f"{tile.code} ({tile.name_en})" for tile in tiles}
    if position.phase == "over":
        best = max(position.scores)
        winners = [name for name, points in zip(names, position.scores, strict=True) if points == best]
        verb = "wins" if len(winners) == 1 else "share the victory"
        return f"The game is over: {' and '.join(winners)} {verb} with {best}."
    if position.phase == "first":
        return "It is drawn who goes first."
    if position.phase == "place" and position.tile_in_hand:
        return f"{who} places {title[position.tile_in_hand]}."
    if position.phase == "deploy" and position.tile_in_hand:
        return f"{who} has laid {title[position.tile_in_hand]} and may deploy a follower."
    return f"{who} draws a tile."
