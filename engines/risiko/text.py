"""The board of RisiKo! in a terminal: a map of the world, or where that is too wide a list by continents.

Everything is said by letters too, so colours are never needed: `12b` are twelve armies of the colour with letter b.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, lru_cache, partial

from sfida.engines.drawing.badges import badge, named
from sfida.engines.drawing.cells import Cell, kept, line_text, words, wrap
from sfida.engines.drawing.colors import DIM, PLACE_PAINT, mixed, paint, palette
from sfida.engines.drawing.fitting import fitted
from sfida.engines.drawing.overlay import Label, overlaid
from sfida.engines.language import _
from sfida.engines.risiko.looks import (
    Continent,
    continents,
    neighbours,
    seat_letter,
    seat_name,
    seat_rgb,
    territories,
)
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.text_map import BORDER, FRONTIER, LABEL, SEA, TextMap, low_map, text_map

MAP_WIDTH, WIDEST = 100, 132

# Colours of the 256-colour palette.
_SEA, _FRONTIER, _LAST = 67, 231, 196
_NOBODY = (252, 240)


def seat_paint(position: Position, seat: int) -> tuple[int, int]:
    """Return letter and ground colour of a seat, or of nobody."""
    return paint(seat_rgb(position, seat)) if seat >= 0 else _NOBODY


@cache
def _land_paint(continent: int) -> tuple[int, int, int]:
    """Return the colours of a continent's coast, borders and ground."""
    rgb = continents()[continent].rgb
    return palette(mixed(rgb, "#ffffff", 0.35)), palette(rgb), palette(mixed(rgb, "#000000", 0.62))


def board_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100,
               labels: bool = False, places: Collection[tuple[str, int]] = (), height: int | None = None) -> str:
    """Draw the map and the armies on it, with a line or two that explain the signs.

    From 100 columns on it is a map, of 29 lines at 100 and 35 at 120, or fewer on a low screen; else the territories
    by continents with their neighbours, or without where that is too wide or too high. Those of the objective of
    `seat` are starred. Codes of the territories, as moves are typed with them, are always there; the kind of a place
    is "territory".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    goal = frozenset(position.seats[seat].goal) if seat is not None else frozenset()
    chosen = frozenset(number for _, number in places) if labels else frozenset()

    def drawings() -> Iterator[list[str]]:
        key = piece_key(position, bool(goal), color=color, width=width)
        if width >= MAP_WIDTH:
            shape = text_map(min(width, WIDEST))
            whole = _draw_map(position, goal, chosen, color, shape)
            yield [*whole, *key]
            yield whole
            if height is not None and (low := low_map(shape.columns, height)) is not None:
                yield _draw_map(position, goal, chosen, color, low)
        listed = _draw_list(position, goal, chosen, color, width)
        yield [*listed, *key]
        yield listed
        yield _narrow(position, goal, chosen, color, width)

    return "\n".join(fitted(height, drawings()))


def piece_key(position: Position, goal: bool = False, *, color: bool = False, width: int = 100) -> list[str]:
    """Explain the letters of the seats and the signs beside the codes."""
    parts = [_named(position, seat) for seat in range(position.players)]
    parts.append(words(_("12{letter}: twelve armies of {seat}").format(
        letter=seat_letter(position, 0), seat=seat_name(position, 0))))
    if position.last is not None:
        parts.append(words(_("> last move")))
    if goal:
        parts.append(words(_("* your objective")))
    return wrap(parts, width, color, gap=3)


def _named(position: Position, seat: int) -> list[Cell]:
    return named(seat_letter(position, seat), seat_paint(position, seat), seat_name(position, seat))


def army_text(position: Position, number: int) -> str:
    """Return armies and owner of a territory, such as "12b"; "-" while it is not dealt."""
    owner = position.owner[number]
    return f"{position.armies[number]}{seat_letter(position, owner)}" if owner >= 0 else "-"


def _signs(position: Position, number: int, goal: frozenset[int]) -> tuple[str, str]:
    """Return what stands before and behind a code: the last move, and a star for the objective."""
    origin, target = position.last[1:3] if position.last is not None else (-1, -1)
    return ">" if number == target else " ", ">" if number == origin else "*" if number in goal else " "


def whole_owner(position: Position, continent: Continent) -> int:
    """Return the seat that owns a continent completely; -1 for none."""
    owners = {position.owner[number] for number in continent.territories}
    return owners.pop() if len(owners) == 1 else -1


def _bonus(position: Position, continent: Continent, name: str) -> list[Cell]:
    """Write the name of a continent with its armies, and who owns it whole."""
    cells = words(f"{name} +{continent.bonus}", _land_paint(continent.number)[1], bold=True)
    owner = whole_owner(position, continent)
    if owner >= 0:
        cells += [Cell(), *badge(seat_letter(position, owner), seat_paint(position, owner))]
    return cells


# ---- the map ------------------------------------------------------------------------------------------


def _draw_map(position: Position, goal: frozenset[int], chosen: frozenset[int], color: bool,
              shape: TextMap) -> list[str]:
    """Lay the labels over the map; what lies between them is written once."""
    columns = shape.columns
    laid: list[list[Label]] = [[] for _ in range(shape.rows)]
    for continent, (row, middle) in zip(continents(), shape.plates, strict=True):
        cells = _bonus(position, continent, continent.name)
        start = max(0, min(columns - len(cells), middle - len(cells) // 2))
        laid[row].append(Label(start, len(cells), kept(cells, color)))
    for number, (row, middle) in enumerate(shape.spots):
        start = max(0, min(columns - LABEL, middle - LABEL // 2))
        ground = seat_paint(position, position.owner[number])
        top = _code_text(number, *_signs(position, number, goal), ground, number in chosen, color)
        laid[row].append(Label(start, LABEL, top))
        laid[row + 1].append(Label(start, LABEL, _army_label(army_text(position, number), ground, color)))
    return [overlaid(columns, labels, partial(_between, columns, shape.rows, color, row))
            for row, labels in enumerate(laid)]


@lru_cache(maxsize=8192)
def _between(columns: int, rows: int, color: bool, row: int, start: int, stop: int) -> str:
    """Write a part of a line of the map with nothing on it."""
    shape = text_map(columns, rows)
    cells = [Cell(char, _line_paint(line), _land_paint(land)[2] if land >= 0 else None)
             for char, line, land in zip(shape.dots[row][start:stop], shape.lines[row][start:stop],
                                         shape.ground[row][start:stop], strict=True)]
    return kept(cells, color)


def _line_paint(line: int) -> int | None:
    if line == SEA:
        return _SEA
    if line == FRONTIER:
        return _FRONTIER
    return None if line < 0 else _land_paint(line - BORDER)[1] if line >= BORDER else _land_paint(line)[0]


@lru_cache(maxsize=4096)
def _code_text(number: int, before: str, behind: str, ground: tuple[int, int], chosen: bool, color: bool) -> str:
    """Write the upper line of a label: the code between its signs."""
    cells = [*words(before, _LAST, ground[1], bold=True),
             *words(territories()[number].code, *(PLACE_PAINT if chosen else ground), bold=True),
             *words(behind, _LAST if behind == ">" else ground[0], ground[1], bold=True)]
    return kept(cells, color)


@lru_cache(maxsize=4096)
def _army_label(text: str, ground: tuple[int, int], color: bool) -> str:
    """Write the lower line of a label: armies and owner."""
    return kept(words(text.center(LABEL), *ground, bold=True), color)


# ---- the list -----------------------------------------------------------------------------------------


def _draw_list(position: Position, goal: frozenset[int], chosen: frozenset[int], color: bool, width: int) -> list[str]:
    """List the territories by continents in two columns, in one where even that is too wide."""
    halves = (("america_del_nord", "america_del_sud", "africa"), ("europa", "asia", "oceania"))
    parts = [[line for continent in continents() if continent.id in half
              for line in _block(position, continent, goal, chosen, color)] for half in halves]
    spread = [max(long for long, _line in part) for part in parts]
    if sum(spread) + 2 > width:
        return _narrow(position, goal, chosen, color, width)
    rows = []
    for i in range(max(map(len, parts))):
        long, left = parts[0][i] if i < len(parts[0]) else (0, "")
        right = parts[1][i][1] if i < len(parts[1]) else ""
        rows.append(f"{left}{' ' * (spread[0] + 2 - long)}{right}".rstrip())
    return rows


def _narrow(position: Position, goal: frozenset[int], chosen: frozenset[int], color: bool, width: int) -> list[str]:
    """List the territories without their neighbours, as many in a line as fit."""
    lines = []
    for continent in continents():
        lines.append(line_text(_bonus(position, continent, continent.name)[:width], color))
        lines += wrap([_entry(position, number, goal, number in chosen) for number in continent.territories], width,
                      color, gap=2)
    return lines


def _entry(position: Position, number: int, goal: frozenset[int], chosen: bool) -> list[Cell]:
    """Write a territory in the list: its code between its signs, armies and owner."""
    ground = seat_paint(position, position.owner[number])
    before, behind = _signs(position, number, goal)
    return [*words(before, _LAST, bold=True),
            *words(territories()[number].code, *(PLACE_PAINT if chosen else ground), bold=True),
            *words(behind, _LAST if behind == ">" else None, bold=True),
            *words(f"{army_text(position, number):>4}", *ground, bold=True)]


def _block(position: Position, continent: Continent, goal: frozenset[int], chosen: frozenset[int],
           color: bool) -> list[tuple[int, str]]:
    """Write a continent and one line per territory with its neighbours, each with how many columns it takes."""
    head = _bonus(position, continent, continent.name)
    lines = [(len(head), kept(head, color))]
    for number in continent.territories:
        entry = _entry(position, number, goal, number in chosen)
        parts = [kept([*entry, Cell()], color)]
        for other in neighbours()[number]:
            parts.append(_neighbour(other, *_faint(position, number, other), color))
        lines.append((len(entry) + 1 + 4 * len(neighbours()[number]), "".join(parts)))
    return lines


@lru_cache(maxsize=4096)
def _neighbour(number: int, fore: int | None, back: int | None, color: bool) -> str:
    return kept([Cell(), *words(territories()[number].code, fore, back)], color)


def _faint(position: Position, number: int, other: int) -> tuple[int | None, int | None]:
    """Return the paint of a neighbour: its owner's where that is another seat."""
    if position.owner[number] == position.owner[other]:
        return DIM, None
    return seat_paint(position, position.owner[other])
