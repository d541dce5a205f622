"""The board of Attila in a terminal: provinces with their tokens, the links between them, and the influence chart.

Everything is said by letters too, so colours are never needed: a token is the letter of its tribe, a marker the letter
of its seat, and links over water are thinner than borders on land.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, lru_cache

from sfida.engines.attila.land import Land
from sfida.engines.attila.looks import (
    last_province,
    on_board,
    peaceful_limit,
    rank_mark,
    seat_letter,
    seat_name,
    seat_rgb,
    spread,
    tribes,
)
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.text_map import CELL, LOW_STEP, STEP, TextMap, text_map
from sfida.engines.drawing.cells import Cell, kept, line_text, words, wrap
from sfida.engines.drawing.colors import DIM, PLACE_PAINT, YELLOW, paint
from sfida.engines.drawing.fitting import fitted
from sfida.engines.language import _, language, pgettext

PLACES = 5                                              # of a province's cell
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

    The map of the data file takes 16 lines (11 on a low screen, where the chart may go too), the chart 7; where a map
    does not fit, the provinces are listed with their neighbours. Codes of the provinces, as moves are typed with them,
    are always there; the kind of a place is "province".

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
    """Write a province: code, mark and places, such as "GER*FFV.."; no dots where it is pacified."""
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
    """Lay the cells over the lines between them; None where they do not fit side by side."""
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
    """Write by row what stands before, between and behind the cells."""
    shape = text_map(land, width, down)
    if shape is None:
        return ()
    return tuple(tuple(kept(_dots(shape, row, start, stop), color) for start, stop in _spans(shape, row))
                 for row in range(shape.rows))


def _spans(shape: TextMap, row: int) -> list[tuple[int, int]]:
    """Return from where to where the gaps of a row reach."""
    starts = [shape.cells[number][1] for number in shape.order[row]]
    return list(zip([0, *(start + CELL for start in starts)], [*starts, shape.columns], strict=True))


def _dots(shape: TextMap, row: int, start: int, stop: int) -> list[Cell]:
    return [_dot(land, water) for land, water in zip(shape.land[row][start:stop], shape.water[row][start:stop],
                                                     strict=True)]


def _point(parts: list[str], shape: TextMap, row: int, at: int, color: bool) -> None:
    """Put the arrow of the last move beside a cell: before it, or behind the first of a line."""
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
    """List the provinces, with their neighbours where there is room; those over water stand in brackets."""
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
    """Draw the influence chart: counts of every tribe, the seats' influence, and where there is room their markers.

    `>` stands behind the sole first of a tribe, `=` behind those that share the first place. On the lying columns of
    the chart a number stands for so many markers on one space.
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
    """Write the head of the chart, with names in the language that is spoken."""
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
    """Write the row of a tribe, with names in the language that is spoken."""
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
    """Draw the column of a tribe lying: a dot a space, the letters of the markers on it, or how many there are."""
    cells: list[Cell] = []
    for space in range(1, last + 1):
        here = [seat for seat, at in enumerate(spaces) if at == space]
        if len(here) > wide:
            shown = [Cell(str(len(here)), YELLOW, None, True)]
        else:
            shown = [Cell(seat_letter(seat), *seat_paint(seat), True) for seat in here] or [Cell("·", DIM)]
        cells += [*words(" " * (wide - len(shown))), *shown]
    return cells
