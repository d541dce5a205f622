"""RisiKo! in a terminal: a map of the world, or a list by continents, and the status of the seats.

Letters convey everything, so colours are optional: `12b` are twelve armies of the colour with letter b.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from sfida.engines.drawing.colors import DIM, GREEN, PLACE_PAINT, YELLOW, mixed, paint, palette
from sfida.engines.drawing.svg import Point
from sfida.engines.drawing.terminal import (
    Cell, DotCanvas, Label, TextColumn, badge, fitted, kept, line_text, named_badge, overlaid, paragraph, seat_line,
    table, table_lines, words, wrap
)
from sfida.engines.language import _, named, pgettext
from sfida.engines.risiko.map import frontiers, lands, plate, sea_line
from sfida.engines.risiko.narration import fate, last_text, sentence
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.style import (
    ARMIES, CARDS, CONTINENTS, INCOME, POINTS, TERRITORIES, Continent, card_code, card_symbol, color_letter, continents,
    heading, is_over, neighbours, seat_letter, seat_name, seat_rgb, set_name, sets_in, spelled_goal, symbol_name,
    territories
)
from sfida.engines.risiko.tables import load_data

# ---- The map of RisiKo! as characters: coasts and borders in braille dots, the ground under each cell

# The visible part of the sheet, and the number of lines per column: cells are twice as high as wide.
_LEFT, _RIGHT, _TOP, _BOTTOM = 18.0, 996.0, 18.0, 650.0
_LINES = 0.295
LABEL, _BONUS = 5, 7            # columns of a territory's label; columns of a continent's armies and owner
_LOWEST = 20                    # lines of the lowest map
SEA, BORDER, FRONTIER = -1, 100, 200                    # kinds of dots; BORDER is added to the continent's number


@dataclass(frozen=True)
class TextMap:
    """The empty map, for a number of columns.

    Attributes
    ----------
    columns, rows : int
    dots : tuple of rows of str
        Braille characters, or spaces.
    lines : tuple of rows of int
        Kind of the dots in a cell: SEA, a continent (its coast), BORDER + continent, FRONTIER, or -2 for none.
    ground : tuple of rows of int
        Continent of the land in the middle of a cell; -1 for the sea.
    spots : tuple of (row, column)
        Middle of the upper line of each territory's label.
    plates : tuple of (row, column)
        Middle of each continent's name.
    """

    columns: int
    rows: int
    dots: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]
    ground: tuple[tuple[int, ...], ...]
    spots: tuple[tuple[int, int], ...]
    plates: tuple[tuple[int, int], ...]


def _place(columns: int, rows: int, points: Iterable[Point]) -> list[Point]:
    """Convert points of the sheet to columns and rows, in cells."""
    return [((x - _LEFT) / (_RIGHT - _LEFT) * columns, (y - _TOP) / (_BOTTOM - _TOP) * rows) for x, y in points]


@cache
def text_map(columns: int, rows: int = 0) -> TextMap:
    """Return the map for a number of columns; without a number of rows it keeps its proportions."""
    rows = rows or round(_LINES * columns)
    canvas = DotCanvas(columns, rows)
    shown = [[-2] * columns for _ in range(rows)]

    def draw(points: Iterable[Point], what: int, every: int = 1) -> None:
        for row, column in canvas.draw(_place(columns, rows, points), every):
            shown[row][column] = max(what, shown[row][column])

    continent = {territory.id: territory.continent for territory in territories()}
    ground = _ground(canvas)
    for edge in load_data()["board"]["edges"]:
        if edge["type"] == "sea":
            for part in sea_line(edge["a"], edge["b"]):
                draw(part, SEA, every=3)
    for row in range(rows):                          # no sea lines on land
        for column in range(columns):
            if ground[row][column] >= 0:
                canvas.clear(row, column)
                shown[row][column] = -2
    inland = {point for _, _, line in frontiers() for point in line[1:-1]}
    for name, land in lands().items():
        for ring in land.rings:
            for coast in _coasts(ring, inland):
                draw(coast, continent[name])
    for a, b, line in frontiers():
        draw(line, BORDER + continent[a] if continent[a] == continent[b] else FRONTIER)
    return TextMap(columns, rows, canvas.lines(), tuple(map(tuple, shown)), tuple(map(tuple, ground)),
                   tuple(_cell(canvas, lands()[territory.id].spot, 1.0) for territory in territories()),
                   tuple(_cell(canvas, plate(entry["id"]), 0.5) for entry in load_data()["continent"]))


def low_map(columns: int, height: int) -> TextMap | None:
    """Return the highest map of at most `height` lines on which no label covers another, if there is one."""
    return _low_map(columns, height, tuple(len(one.name) + _BONUS for one in continents()))


@cache
def _low_map(columns: int, height: int, plates: tuple[int, ...]) -> TextMap | None:
    lower = range(min(height, round(_LINES * columns)), _LOWEST - 1, -1)
    return next((shape for shape in (text_map(columns, rows) for rows in lower) if _clear(shape, plates)), None)


def _clear(shape: TextMap, plates: tuple[int, ...]) -> bool:
    """Return whether no labels of a map overlap; `plates` are the widths of the continents' labels, in columns."""
    taken: set[tuple[int, int]] = set()
    labels = [(row + line, middle, LABEL) for row, middle in shape.spots for line in (0, 1)]
    labels += [(row, middle, wide) for wide, (row, middle) in zip(plates, shape.plates, strict=True)]
    for row, middle, wide in labels:
        start = max(0, min(shape.columns - wide, middle - wide // 2))
        cells = {(row, column) for column in range(start, start + wide)}
        if row >= shape.rows or taken & cells:
            return False
        taken |= cells
    return True


def _cell(canvas: DotCanvas, point: Point, above: float) -> tuple[int, int]:
    [(column, row)] = _place(canvas.columns, canvas.rows, [point])
    return round(row - above), math.floor(column)


def _coasts(ring: tuple[Point, ...], inland: set[Point]) -> Iterable[list[Point]]:
    """Return the parts of a ring that are coast, not border."""
    run: list[Point] = []
    for point in (*ring, ring[0]):
        if point in inland:
            yield run
            run = []
        else:
            run.append(point)
    yield run


def _ground(canvas: DotCanvas) -> list[list[int]]:
    """Return the continent under the middle of every cell; -1 for the sea."""
    found = [[-1] * canvas.columns for _ in range(canvas.rows)]
    for territory in territories():
        for ring in lands()[territory.id].rings:
            covered = canvas.covered(_place(canvas.columns, canvas.rows, ring))
            for row, cells in enumerate(covered):
                for column in (column for column, is_land in enumerate(cells) if is_land):
                    found[row][column] = territory.continent
    return found


# ---- The board of RisiKo! in a terminal: a map of the world, or on a narrow screen a list by continents

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
    """Draw the map and its armies, with a line or two that explain the signs.

    With 100 columns or more the board is a map, of 29 lines at 100 columns and 35 at 120, or fewer on a low screen.
    Otherwise it is a list of the territories by continents with their neighbours, or without them on a narrow or low
    screen. Territories of the objective of `seat` are starred. The codes of the territories, used in the notation of
    moves, are always shown; the kind of a place is "territory".

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
    return named_badge(seat_letter(position, seat), seat_paint(position, seat), seat_name(position, seat))


def army_text(position: Position, number: int) -> str:
    """Return armies and owner of a territory, such as "12b"; "-" while it is not dealt."""
    owner = position.owner[number]
    return f"{position.armies[number]}{seat_letter(position, owner)}" if owner >= 0 else "-"


def _signs(position: Position, number: int, goal: frozenset[int]) -> tuple[str, str]:
    """Return the signs before and behind a code: marks of the last move, and a star for the objective."""
    origin, target = position.last[1:3] if position.last is not None else (-1, -1)
    return ">" if number == target else " ", ">" if number == origin else "*" if number in goal else " "


def whole_owner(position: Position, continent: Continent) -> int:
    """Return the seat that owns a continent completely; -1 for none."""
    owners = {position.owner[number] for number in continent.territories}
    return owners.pop() if len(owners) == 1 else -1


def _bonus(position: Position, continent: Continent, name: str) -> list[Cell]:
    """Write the name of a continent with its armies, and the owner of all of it."""
    cells = words(f"{name} +{continent.bonus}", _land_paint(continent.number)[1], bold=True)
    owner = whole_owner(position, continent)
    if owner >= 0:
        cells += [Cell(), *badge(seat_letter(position, owner), seat_paint(position, owner))]
    return cells


# ---- the map ------------------------------------------------------------------------------------------


def _draw_map(position: Position, goal: frozenset[int], chosen: frozenset[int], color: bool,
              shape: TextMap) -> list[str]:
    """Lay the labels over the map; the parts between them are cached."""
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
    """Write a part of a line of the empty map."""
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
    """List the territories by continents in two columns, or without neighbours if that is too wide."""
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
    """List the territories without their neighbours, filling each line."""
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
    """Write a continent and one line per territory with its neighbours, each with its width in columns."""
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
    """Return the paint of a neighbour: its owner's colours if the owner is another seat."""
    if position.owner[number] == position.owner[other]:
        return DIM, None
    return seat_paint(position, position.owner[other])


# ---- The status: the seats, the viewer's objective and hand, decks, the current decision


def status_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
    """Show territories, armies, income, cards and continents of the seats, the viewer's holdings, and the phase.

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    lines = _table(position, seat, color, width)
    for number in range(position.players):
        lines += _objective(position, number, number == seat, color, width)
        lines += _hand(position, number, number == seat, color, width)
    said = [_("{deck} cards in the deck, {discards} discarded.").format(
        deck=position.deck, discards=len(position.discards))]
    last = last_text(position)
    if last:
        said.append(_("Last: {move}.").format(move=last))
    news = [pgettext("risiko", "Round {round}.").format(round=position.round)] if position.round else []
    news.append(sentence(position))
    lines += paragraph(" ".join(said), width, color, indent=2, fore=DIM)
    return "\n".join([*lines, *paragraph(" ".join(news), width, color, bold=True)])


# ---- the seats ----------------------------------------------------------------------------------------


def _letter(position: Position, seat: int) -> list[Cell]:
    return badge(seat_letter(position, seat), seat_paint(position, seat))


def _name(position: Position, seat: int, viewer: int | None, room: int) -> list[Cell]:
    """Return the first column of the table: letter and name, after an arrow for the mover or a winner."""
    marked = seat in position.winners if is_over(position) else seat == position.seat_to_move
    return seat_line("> " if marked else "  ", seat_letter(position, seat), seat_paint(position, seat),
                     _called(position, seat, viewer).ljust(room), lit=marked,
                     fore=None if position.seats[seat].alive else DIM)


def _called(position: Position, seat: int, viewer: int | None) -> str:
    name = seat_name(position, seat)
    return _("{name} (you)").format(name=name) if seat == viewer else name


def _table(position: Position, viewer: int | None, color: bool, width: int) -> list[str]:
    """Write one line per seat under heads; short heads if the long ones do not fit."""
    seats = position.seats
    room = max(len(_called(position, seat, viewer)) for seat in range(position.players))
    columns = [TextColumn(heading(TERRITORIES), [str(who.territories) for who in seats], bold=True),
               TextColumn(heading(ARMIES), [str(who.armies) for who in seats]),
               TextColumn(heading(INCOME), [f"+{who.income}" for who in seats]),
               TextColumn(heading(CARDS), [str(who.card_count) for who in seats])]
    if position.tournament:
        points = ["?" if who.points is None else str(who.points) for who in seats]
        columns.append(TextColumn(heading(POINTS), points, bold=True))
    names = [_name(position, seat, viewer, room) for seat in range(position.players)]
    longest = max(len(", ".join(continents()[number].name for number in who.continents)) for who in seats)
    brief = len(names[0]) + sum(len(column.head) + 2 for column in columns) + max(longest, 10) + 2 > width
    if brief:
        columns[0] = columns[0]._replace(head=pgettext("risiko", "lands"))
    rows = table(names, columns, gap=1 if brief else 2)
    rows[0] += words(f"  {heading(CONTINENTS)}", DIM)
    for row, who in zip(rows[1:], seats, strict=True):
        if who.alive:
            held = [continents()[number] for number in who.continents]
            row += words("  " + ", ".join(one.code if brief else one.name for one in held))
        else:
            del row[len(names[0]):]
            row += words("  " + fate(position, who), DIM)
    return table_lines(rows, width, color)


def _objective(position: Position, seat: int, own: bool, color: bool, width: int) -> list[str]:
    """Show the objective of a seat, if it is known, and its progress."""
    who = position.seats[seat]
    if who.objective is None:
        return []
    has = _("objective:") if own else _("had the objective:") if is_over(position) else _("has the objective:")
    runs = [_letter(position, seat), words(has, DIM)]
    runs += [words(word, bold=True) for word in who.objective_name.split()]
    if spelled_goal(position, who):
        runs += [words(word) for word in f"({spelled_goal(position, who)})".split()]
    if who.progress:
        runs += [words("·", DIM), *(words(word, GREEN) for word in who.progress.split())]
    lacking = [territories()[number].code for number in who.goal if position.owner[number] != seat]
    if lacking and who.goal and not is_over(position):
        runs += [words("·", DIM), words(_("lacking:"), DIM), *map(words, lacking)]
    return wrap(runs, width, color, indent=4, gap=1)


def _hand(position: Position, seat: int, own: bool, color: bool, width: int) -> list[str]:
    """List the cards of a seat, if they are known, with their signs; +2 for each territory that the seat owns."""
    cards = position.seats[seat].cards
    if not cards:
        return []
    parts = [[*_letter(position, seat), *words(f" {_('cards:')}", DIM)]]
    for card in cards:
        mine = card < len(territories()) and position.owner[card] == seat
        parts.append([*words(card_code(card), bold=True), *words(f" {symbol_name(card_symbol(card))}"),
                      *words(" +2" if mine else "", GREEN)])
    found = sets_in(cards) if own else []
    if found:
        parts.append(words(_("set: {kind}").format(kind=set_name(found[0][0])), YELLOW, bold=True))
    return wrap(parts, width, color, indent=4, gap=2)


# ---- decks and signs ----------------------------------------------------------------------------------


def stock_text(position: Position, *, color: bool = False, width: int = 100) -> str:
    """Show the number of cards in the deck, and the discarded cards by sign."""
    held = sum(who.card_count for who in position.seats)
    head = _("{deck} cards in the deck, {held} in hands, discarded:").format(deck=position.deck, held=held)
    lines = paragraph(head, width, color, bold=True)
    for kind in ("infantry", "cavalry", "cannon", "joker"):
        cards = [card for card in position.discards if card_symbol(card) == kind]
        if cards:
            shown = [words(f"{symbol_name(kind)}:"), *(words(card_code(card)) for card in sorted(cards))]
            lines += wrap(shown, width, color, indent=4, gap=1)
    return "\n".join(lines if position.discards else [*lines, pgettext("risiko", "none")])


def sets_text(table: str = "base") -> list[str]:
    """Return the armies for each set of cards (RIS-6.3); `table` is a column of the data: "base" or "rtu"."""
    return [f"{set_name(entry['id'])} {entry[table]}" for entry in load_data()["trade"]]


def _letters() -> list[str]:
    """Return the letter of each colour with its name."""
    return [f"{color_letter(row['id'])} {named(row)}".lower() for row in load_data()["color"]]


def legend_text(*, tournament: bool = False, table: str = "base", color: bool = False, width: int = 100) -> str:
    """Explain the signs on the map, the armies of continents and the armies for sets."""
    signs: Sequence[str] = (_("12b: twelve armies of blue"), *_letters()[1:], _(">CIN: target of the last move"),
                            _("CIN>: where it came from"), _("CIN*: belongs to your objective"),
                            _("dotted: sea lines"), _("Europe +5: armies per turn for all of it"))
    if tournament:
        signs = (*signs, _("points of territories: cards"))
    return "\n".join([*wrap(map(words, signs), width, color, gap=3), *_worth(table, width, color)])


def cards_text(*, tournament: bool = False, table: str = "base", color: bool = False, width: int = 100) -> str:
    """Show the armies for sets of cards and, under tournament rules, the points of each territory."""
    lines = _worth(table, width, color)
    if tournament:
        values = [words(_("points:"), bold=True), *(words(f"{one.code} {one.value}") for one in territories())]
        lines += wrap(values, width, color, indent=2, gap=2)
    return "\n".join(lines)


def _worth(table: str, width: int, color: bool) -> list[str]:
    own = _("and {armies} for each card whose territory you own").format(
        armies=load_data()["cards"]["owned_territory_bonus"])
    worth = [words(_("sets of cards:"), bold=True), *map(words, sets_text(table)), words(own)]
    return wrap(worth, width, color, indent=2, gap=3)
