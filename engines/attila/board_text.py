"""Attila in a terminal: provinces and their links, the influence chart, and the status of the seats.

Letters convey everything, so colours are optional: a token is the letter of its tribe, a marker the letter of its
seat, and links over water are thinner than borders on land.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from sfida.engines.attila.map import Land
from sfida.engines.attila.narration import happened, sentence, two_players
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.style import (
    centuries, is_over, last_province, on_board, ordinal, peaceful_limit, rank_mark, seat_letter, seat_name, seat_rgb,
    spread, tile_letters, tile_names, tribes
)
from sfida.engines.drawing.colors import DIM, PLACE_PAINT, YELLOW, paint
from sfida.engines.drawing.svg import Point
from sfida.engines.drawing.terminal import (
    Cell, DotCanvas, TextColumn, badge, fitted, kept, line_text, named_badge, paragraph, seat_line, table, table_lines,
    words, wrap
)
from sfida.engines.language import N_, _, language, listed, pgettext

# ---- text map

CELL = 9                        # columns of a cell: code, mark, five places
STEP, LOW_STEP = 3, 2           # lines per row of the map, usually and on a low screen


@dataclass(frozen=True)
class TextMap:
    """The lines of an empty text map.

    Attributes
    ----------
    columns, rows : int
        Size in characters.
    cells : tuple of (row, column)
        Start of each province's cell.
    order : tuple of tuple of int
        By row, the provinces with cells in it, from left to right.
    land, water : tuple of str
        By row, the dots of borders on land and of links over water, as characters; spaces elsewhere and beside cells.
    """

    columns: int
    rows: int
    cells: tuple[tuple[int, int], ...]
    order: tuple[tuple[int, ...], ...]
    land: tuple[str, ...]
    water: tuple[str, ...]


@lru_cache(maxsize=64)
def text_map(land: Land, width: int, down: int = STEP) -> TextMap | None:
    """Return the map for a number of columns, with rows `down` lines apart; None if the cells do not fit.
    """
    at = [(one.row, one.column) for one in land.provinces]
    if len(set(at)) < len(at):
        return None
    step = min(15, (width - CELL) // max(1, land.columns - 1))
    if step <= CELL and land.columns > 1:
        return None
    cells = tuple((down * row, step * column) for row, column in at)
    columns, rows = step * (land.columns - 1) + CELL, down * (land.rows - 1) + 1
    dots = []
    for water in (False, True):
        canvas = DotCanvas(columns, rows)
        for link in land.links:
            if link.water == water:
                canvas.draw(_route(at[link.a], at[link.b], frozenset(at), step, down), every=3 if water else 1)
        dots.append(_cleared(canvas.lines(), cells) if step - CELL > 2 else canvas.lines())
    order = tuple(tuple(sorted((number for number in range(len(at)) if cells[number][0] == row),
                               key=lambda number: at[number][1])) for row in range(rows))
    return TextMap(columns, rows, cells, order, dots[0], dots[1])


def _cleared(lines: tuple[str, ...], cells: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Blank the columns beside the cells."""
    found = [list(line) for line in lines]
    for row, column in cells:
        for beside in (column - 1, column + CELL):
            if 0 <= beside < len(found[row]):
                found[row][beside] = " "
    return tuple("".join(line) for line in found)


def _route(a: tuple[int, int], b: tuple[int, int], taken: frozenset[tuple[int, int]], step: int,
           lines: int) -> list[Point]:
    """Return a line from one cell of the grid (row, column) to another: straight, or around cells in between."""
    (ax, ay), (bx, by) = ((step * column + CELL / 2, lines * row + 0.5) for row, column in (a, b))
    aside = lines / 2
    if a[0] == b[0] and any((a[0], column) in taken for column in range(min(a[1], b[1]) + 1, max(a[1], b[1]))):
        along, off = (step if bx > ax else -step) / 2, aside if a[0] == 0 else -aside
        return [(ax, ay), (ax + along, ay + off), (bx - along, by + off), (bx, by)]
    if a[1] == b[1] and any((row, a[1]) in taken for row in range(min(a[0], b[0]) + 1, max(a[0], b[0]))):
        down, off = aside if by > ay else -aside, step / 2 if a[1] == 0 else -step / 2
        return [(ax, ay), (ax + off, ay + down), (bx + off, by - down), (bx, by)]
    return [(ax, ay), (bx, by)]


# ---- The board: provinces with their tokens, links, and the influence chart

PLACES = 5                                              # columns of a province's cell
START, CALM = "*", "#"

# Colours of the 256-colour palette.
_GROUND, _CALM, _RED, _LAST, _LINE, _WATER = 236, 252, 124, 201, 179, 74


@cache
def tribe_paint(tribe: int) -> tuple[int, int]:
    """Return letter and ground colour of a tribe."""
    return paint(tribes()[tribe].rgb)


@cache
def seat_paint(seat: int) -> tuple[int, int]:
    """Return letter and ground colour of a seat."""
    return paint(seat_rgb(seat))


def board_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100,
               labels: bool = False, places: Collection[tuple[str, int]] = (), height: int | None = None) -> str:
    """Draw the provinces with their tokens, a line that explains the signs, and the influence chart.

    The map of the data file takes 16 lines and the chart 7; on a low screen the map takes 11 lines, and the chart may
    be omitted. If a map does not fit, the provinces are listed with their neighbours. The codes of the provinces, used
    in the notation of moves, are always shown; the kind of a place is "province".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    chosen = frozenset(number for _, number in places) if labels else frozenset()
    chart = chart_text(position, color=color, width=width)

    def drawings() -> Iterator[list[str]]:
        whole = _map(position, width, chosen, color)
        low = whole and _map(position, width, chosen, color, LOW_STEP)
        lines, lower = (whole, low) if whole and low else 2 * (_list(position, chosen, color, width),)
        yield [*lines, *key_text(color=color, width=width), *chart]
        yield [*lines, *chart]
        yield [*lower, *chart]
        yield lines
        yield lower

    return "\n".join(fitted(height, drawings()))


def key_text(*, color: bool = False, width: int = 100) -> list[str]:
    """Explain the signs beside the codes and the lines."""
    signs = (f"{START} {pgettext('attila', 'start')}", f"{CALM} {_('pacified')}", _("! conflict"), _("> last token"),
             _("lines: land borders"), _("dots: over water"))
    return wrap([words(sign, DIM) for sign in signs], width, color, gap=3)


# ---- provinces ----------------------------------------------------------------------------------------


def _mark(position: Position, number: int) -> str:
    """Return the sign behind a code: pacified, too many tokens for peace, or start province."""
    one = position.land.provinces[number]
    if position.pacified[number]:
        return CALM
    if sum(position.tokens[number]) > peaceful_limit():
        return "!"
    return START if one.start else " "


@lru_cache(maxsize=8192)
def _cell(code: str, mark: str, start: bool, tokens: Six, chosen: bool, color: bool) -> str:
    """Write a province: code, mark and places, such as "GER*FFV.."; without dots if it is pacified."""
    calm = mark == CALM
    fore, back = PLACE_PAINT if chosen else (16, _CALM) if calm else (231, _RED if start else _GROUND)
    cells = words(f"{code:3.3}{mark}", fore, back, bold=True)
    for tribe, count in enumerate(tokens):
        cells += words(tribes()[tribe].letter * count, *tribe_paint(tribe), bold=True)
    ground = _CALM if calm else _GROUND
    cells += words(("" if calm else "." * PLACES)[len(cells) - 4:], DIM, ground)
    return kept([*cells, *words(" " * (CELL - len(cells)), None, ground)], color)


def _cells(position: Position, chosen: frozenset[int], color: bool) -> list[str]:
    """Write the cells of all provinces."""
    return [_cell(one.code, _mark(position, number), one.start, position.tokens[number], number in chosen, color)
            for number, one in enumerate(position.land.provinces)]


def _map(position: Position, width: int, chosen: frozenset[int], color: bool,
         down: int = STEP) -> list[str] | None:
    """Lay the cells over the lines between them; None if they do not fit side by side."""
    shape = text_map(position.land, width, down)
    gaps = _gaps(position.land, width, down, color)
    if shape is None:
        return None
    cells, last = _cells(position, chosen, color), last_province(position)
    rows = []
    for row, (order, between) in enumerate(zip(shape.order, gaps, strict=True)):
        parts = list(between[:1])
        for number, gap in zip(order, between[1:], strict=True):
            parts += [cells[number], gap]
        if last in order:
            _point(parts, shape, row, order.index(last), color)
        rows.append("".join(parts).rstrip())
    return rows


@lru_cache(maxsize=64)
def _gaps(land: Land, width: int, down: int, color: bool) -> tuple[tuple[str, ...], ...]:
    """Write, by row, the gaps before, between and behind the cells."""
    shape = text_map(land, width, down)
    if shape is None:
        return ()
    return tuple(tuple(kept(_dots(shape, row, start, stop), color) for start, stop in _spans(shape, row))
                 for row in range(shape.rows))


def _spans(shape: TextMap, row: int) -> list[tuple[int, int]]:
    """Return start and end of each gap in a row."""
    starts = [shape.cells[number][1] for number in shape.order[row]]
    return list(zip([0, *(start + CELL for start in starts)], [*starts, shape.columns], strict=True))


def _dots(shape: TextMap, row: int, start: int, stop: int) -> list[Cell]:
    return [_dot(land, water) for land, water in zip(shape.land[row][start:stop], shape.water[row][start:stop],
                                                     strict=True)]


def _point(parts: list[str], shape: TextMap, row: int, at: int, color: bool) -> None:
    """Put the arrow of the last move before a cell, or behind it if the cell is at the start of the line."""
    spans = _spans(shape, row)
    before = spans[at][1] > spans[at][0]
    gap = at if before else at + 1
    cells = _dots(shape, row, *spans[gap])
    if not cells:
        return
    cells[-1 if before else 0] = Cell(">" if before else "<", _LAST, None, True)
    parts[2 * gap] = kept(cells, color)


@cache
def _dot(land: str, water: str) -> Cell:
    if land != " " and water != " ":
        return Cell(chr(ord(land) | ord(water)), _LINE)
    return Cell(land, _LINE) if land != " " else Cell(water, _WATER) if water != " " else Cell()


def _list(position: Position, chosen: frozenset[int], color: bool, width: int) -> list[str]:
    """List the provinces, with their neighbours if there is room; neighbours over water are in brackets."""
    near: list[list[str]] = [[] for _ in position.land.provinces]
    codes = [one.code for one in position.land.provinces]
    for link in position.land.links:
        for a, b in ((link.a, link.b), (link.b, link.a)):
            near[a].append(f"({codes[b]})" if link.water else codes[b])
    last = last_province(position)
    wide = CELL + 1 + max((sum(map(len, names)) + len(names) for names in near), default=0)
    if wide > width:
        near, wide = [[] for _ in near], CELL + 1
    each = max(1, (width + 2) // (wide + 2))
    entries = []
    for number, (cell, names) in enumerate(zip(_cells(position, chosen, color), near, strict=True)):
        arrow = kept([Cell(">" if number == last else " ", _LAST, None, True)], color)
        beside = "".join(f" {name}" for name in names)
        entries.append(f"{arrow}{cell}{beside}{' ' * (wide - CELL - 1 - len(beside))}")
    return ["  ".join(entries[at:at + each]).rstrip() for at in range(0, len(entries), each)]


# ---- the influence chart ------------------------------------------------------------------------------


def chart_text(position: Position, *, color: bool = False, width: int = 100) -> list[str]:
    """Draw the influence chart: counts of every tribe, the seats' influence, and if there is room their markers.

    `>` marks the sole first of a tribe, `=` the seats that share the first place. In the columns of the chart, which
    are drawn horizontally, a digit is the number of markers on one space.
    """
    players, last = position.players, position.land.last_space
    brief = width < 60
    column = 4 if brief or players * 7 + 30 > width else 7
    used = (7 if brief else 30) + column * players
    wide = 0 if brief else 2 if used + 4 + 2 * last <= width else 1 if used + 4 + last <= width else 0
    counts = list(zip(on_board(position), spread(position), position.supply, strict=True))
    spoken = language()
    return [_chart_head(players, last, column, wide, brief, color, width, spoken),
            *(_chart_row(tribe.number, counts[tribe.number],
                         tuple(one.influence[tribe.number] for one in position.seats), last, column, wide, brief, color,
                         width, spoken) for tribe in tribes())]


@lru_cache(maxsize=64)
def _chart_head(players: int, last: int, column: int, wide: int, brief: bool, color: bool, width: int,
                spoken: str) -> str:
    """Write the head of the chart, with names in the current language."""
    cells = words("       " if brief else f"{_('tribe      tokens prov. supply'):30}", DIM)
    for seat in range(players):
        name = seat_letter(seat) if column == 4 else seat_name(seat)[:column - 1]
        cells += [*words(" " * (column - 1 - len(name))), *words(name, *seat_paint(seat), bold=True), Cell()]
    if wide:
        cells += words("  |" + "".join(f"{space:>{5 * wide}}" for space in range(5, last + 1, 5)), DIM)
    return line_text(cells[:width], color)


@lru_cache(maxsize=4096)
def _chart_row(tribe: int, counts: tuple[int, int, int], spaces: tuple[int, ...], last: int, column: int, wide: int,
               brief: bool, color: bool, width: int, spoken: str) -> str:
    """Write the row of a tribe, with names in the current language."""
    what = tribes()[tribe]
    cells = [*words(f" {what.letter} ", *tribe_paint(tribe), bold=True),
             *words("" if brief else f" {what.name:<8}", bold=True),
             *words(f"{counts[0]:>4}" if brief else f"{counts[0]:>5}{counts[1]:>6}{counts[2]:>7}")]
    for space in spaces:
        mark = rank_mark(spaces, space)
        cells += [*words(f"{space:>{column - 1}}", bold=bool(mark)), *words(f"{mark:1}", YELLOW, bold=True)]
    if wide:
        cells += [*words("  |", DIM), *_track(spaces, last, wide), *words("|", DIM)]
    return line_text(cells[:width], color)


def _track(spaces: tuple[int, ...], last: int, wide: int) -> list[Cell]:
    """Draw the column of a tribe horizontally: per space a dot, the letters of its markers, or their number."""
    cells: list[Cell] = []
    for space in range(1, last + 1):
        here = [seat for seat, at in enumerate(spaces) if at == space]
        if len(here) > wide:
            shown = [Cell(str(len(here)), YELLOW, None, True)]
        else:
            shown = [Cell(seat_letter(seat), *seat_paint(seat), True) for seat in here] or [Cell("·", DIM)]
        cells += [*words(" " * (wide - len(shown))), *shown]
    return cells


# ---- The status: seats, centuries, piles, the viewer's hand, the current decision

TILE = "■"
_SIGNS = (N_("GER{start} start province"), N_("GER{calm} pacified"), N_("! too many for peace: a conflict"),
          N_(". free place"), N_(">GER last token"), N_("lines: land borders"), N_("dots: over water"),
          N_("9> sole first of a tribe"), N_("9= shared first"),
          N_("{seat} on a track: a seat's marker, 3: three of them"), N_("> before a seat: to move"),
          N_("* before a seat: its turn"),
          N_(">5th {tile}- +2: now the 5th century, one of two peace tiles left, a card brings 2"),
          N_("- X -: X is left, - tile used or laid"), N_("+4 if scored now"))


def status_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
    """Show points, cards and tiles of the seats, the centuries, the piles, the viewer's holdings, and the phase.

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    lines = _table(position, seat, color, width)
    for number in range(position.players):
        lines += _cards(position, number, color, width)
    lines += _centuries(position, color, width)
    piles = [words(_("pile:"), DIM), words(str(position.pile)), words(_("· discards:"), DIM),
             *_counted(position.discards, zeros=True)]
    lines += wrap(piles, width, color, indent=2, gap=1)
    if sum(position.given):
        lines += wrap([words(_("put aside for an exchange:"), DIM), *_counted(position.given)], width, color, indent=2,
                      gap=1)
    lines += paragraph(" ".join(f"{text}." for text in happened(position)), width, color, indent=2, fore=DIM)
    return "\n".join([*lines, *paragraph(sentence(position), width, color, indent=2, bold=True)])


def _letter(seat: int) -> list[Cell]:
    return badge(seat_letter(seat), seat_paint(seat))


def _counted(cards: Six, zeros: bool = False) -> list[list[Cell]]:
    """Return cards by tribe as runs such as "F2"."""
    return [[*words(tribe.letter, *tribe_paint(tribe.number), bold=True), *words(str(count))]
            for tribe, count in zip(tribes(), cards, strict=True) if count or zeros]


# ---- the seats ----------------------------------------------------------------------------------------


def _table(position: Position, viewer: int | None, color: bool, width: int) -> list[str]:
    seats = position.seats
    columns = [TextColumn(pgettext("attila", "points"), [str(one.score) for one in seats], bold=True)]
    if not is_over(position):
        columns.append(TextColumn(
            pgettext("attila", "now") if width < 60 else pgettext("attila", "if scored now"),
            [f"+{one.prospect}" for one in seats]))
    columns.append(TextColumn(pgettext("attila", "hand"), [str(one.hand_size) for one in seats]))
    if any(one.laid for one in seats):
        columns.append(TextColumn(pgettext("attila", "laid"), [str(one.laid) for one in seats]))
    tiles = [" ".join(letter if name in one.tiles else "-" for name, letter in tile_letters().items()) for one in seats]
    columns.append(TextColumn(pgettext("attila", "tiles"), tiles))
    called = [_("{seat} (you)").format(seat=seat_name(seat)) if seat == viewer else seat_name(seat)
              for seat in range(position.players)]
    room = max(map(len, called))
    names = []
    for seat, name in enumerate(called):
        marked = seat in position.winners if is_over(position) else seat == position.seat_to_move
        active = seat == position.seat_on_turn and not is_over(position)
        names.append(seat_line("> " if marked else "* " if active else "  ", seat_letter(seat), seat_paint(seat),
                               name.ljust(room), lit=marked))
    return table_lines(table(names, columns), width, color)


def _cards(position: Position, seat: int, color: bool, width: int) -> list[str]:
    """List the known cards of a seat, in hand and laid down."""
    who = position.seats[seat]
    runs: list[list[Cell]] = []
    if who.hand is not None and who.hand_size:
        runs += [words(_("hand:"), DIM), *_counted(who.hand)]
    if who.laid_cards is not None and who.laid:
        runs += [words(_("laid down:"), DIM), *_counted(who.laid_cards)]
    return wrap([_letter(seat), *runs], width, color, indent=4, gap=1) if runs else []


# ---- centuries and signs ------------------------------------------------------------------------------


def _centuries(position: Position, color: bool, width: int) -> list[str]:
    """Show the peace tiles left on every century space, and the influence for a card there."""
    parts = [words(_("centuries:"), DIM)]
    for century, left in zip(centuries(), position.peace, strict=True):
        now = century.number == position.century and not is_over(position)
        tiles = TILE * left + "-" * (century.tiles - left)
        parts.append(words(f"{'>' if now else ''}{ordinal(century.number)} {tiles} +{century.gain}",
                           YELLOW if now else None, bold=now))
    return wrap(parts, width, color, indent=2, gap=2)


def stock_text(position: Position, *, color: bool = False, width: int = 100) -> str:
    """Show the cards that are neither discarded nor open: they may still be drawn or are in hands."""
    open_cards = [position.discards, position.given]
    for one in position.seats:
        open_cards += [cards for cards in (one.hand, one.laid_cards) if cards is not None]
    unseen = [tribe.cards - sum(cards[tribe.number] for cards in open_cards) for tribe in tribes()]
    left = (unseen[0], unseen[1], unseen[2], unseen[3], unseen[4], unseen[5])
    held = sum(one.hand_size if one.hand is None else 0 for one in position.seats)
    held += sum(one.laid if one.laid_cards is None else 0 for one in position.seats)
    head = words(_("Not seen yet ({pile} in the pile, {held} in hands):").format(pile=position.pile, held=held),
                 bold=True)
    parts = [named_badge(tribe.letter, tribe_paint(tribe.number), f"{left[tribe.number]} {tribe.name}")
             for tribe in tribes()]
    return "\n".join([line_text(head[:width], color), *wrap(parts, width, color, gap=3)])


def cards_text(options: AttilaOptions, *, color: bool = False, width: int = 100) -> str:
    """Explain a card, each action tile, and the points of a scoring."""
    gains = listed([_("{gain} in the {ordinal}").format(gain=one.gain, ordinal=ordinal(one.number))
                    for one in centuries()])
    tiles = {"double_turn": _("at the end of the turn play another card"),
             "exchange": _("put cards aside, draw as many"),
             "influence_2": _("two steps of influence, in one tribe or one in each of two")}
    card = _("a token of its tribe onto the map; then influence ({gains} century) or a second token")
    rows = [(pgettext("attila", "card"), card.format(gains=gains)),
            (_("in a conflict"), _("strength 1 for its tribe, as a token has; the weakest tribes leave")),
            (pgettext("attila", "tiles"), _("one a turn, each once in the game")),
            *((f"*{letter} {tile_names()[name]}", tiles[name])
              for name, letter in tile_letters().items()),
            (_("scoring"),
             _("in each tribe the first gets its tokens, the second its provinces; alone both; ties share")
             + (f".{two_players(options)}" if two_players(options) else ""))]
    return "\n".join(line for name, text in rows
                     for line in wrap([words(f"{name}:", bold=True), *map(words, text.split())], width, color, indent=2,
                                      gap=1))


def legend_text(*, reconstructed: bool = False, color: bool = False, width: int = 100) -> str:
    """Explain the signs on the board and the chart; `reconstructed` adds that the map is not the printed one."""
    signs = [said.format(start=START, calm=CALM, tile=TILE, seat=seat_letter(0)) for said in map(_, _SIGNS)]
    kinds = [named_badge(tribe.letter, tribe_paint(tribe.number), tribe.name) for tribe in tribes()]
    note = _("The borders are reconstructed; to enter the printed ones: docs/play/attila.md.")
    notes = paragraph(note, width, color) if reconstructed else []
    return "\n".join([*wrap(kinds, width, color, gap=3), *wrap(map(words, signs), width, color, gap=3),
                      *notes])
