"""The Settlers of Zarahemla in a terminal: the land with its pieces, and the status of the seats.

A hex is 12 columns wide (10 on a narrow screen) and six lines high. Letters convey everything, so colours are
optional: a settlement is its owner's letter and `s`, a city the letter and `C`, a road a bar of letters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sfida.engines.drawing.colors import DIM, PLACE_PAINT, paint
from sfida.engines.drawing.terminal import (
    Cell, TextColumn, badge, fitted, line_text, named_badge, paragraph, seat_line, split, table, table_lines, words,
    wrap
)
from sfida.engines.language import N_, _, language, named, pgettext
from sfida.engines.zarahemla.map import Edge, Hexagon, board, drawing_data
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.style import (
    CORNER_MOVES, EDGE_MOVES, HEX_MOVES, RESOURCES, card_names, costs, elsewhere, has_temple, leaders, pips, ratio,
    resource_letters, resource_noun, seat_letters, seat_names, seat_rgb, sentence, terrain_name
)

# ---- The board of Zarahemla in a terminal: the land, its numbers and stations, and the pieces

WIDTHS = (12, 10)
GLYPHS = {"wood": "♣", "brick": "▬", "water": "≈", "wheat": "ψ", "stone": "▲", "hideout": "∩", "": "·"}
PIECES = {"settlement": "s", "city": "C"}
ROBBER, PIP = N_("*robber*"), "•"

# Colours of the 256-colour palette for a terrain: letters, ground, small signs.
_GROUND = {"wood": (231, 28, 34), "brick": (231, 130, 173), "water": (16, 73, 30), "wheat": (16, 178, 136),
           "stone": (231, 240, 248), "hideout": (230, 94, 58), "": (250, 236, 240)}
_TOKEN, _RED, _BLUE, _BLACK = 230, 160, 20, 16
_DIM, _LAST, _LABEL, _PIER, _GENERIC = 243, 196, 250, 137, 180
_ROBBER = (231, 16)


class _Sheet:
    """Cells by row and column, both of which may be negative."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], Cell] = {}

    def put(self, row: int, column: int, text: str, fore: int | None = None, back: int | None = None,
            bold: bool = False) -> None:
        for i, char in enumerate(text):
            self.cells[row, column + i] = Cell(char, fore, back, bold)

    def columns(self) -> tuple[int, int]:
        """Return the first column and the column after the last."""
        columns = [column for _row, column in self.cells]
        return min(columns), max(columns) + 1

    def lines(self, width: int, color: bool) -> list[str]:
        """Write the sheet, its first column flush left, cut off at the width."""
        left, right = self.columns()
        rows = [row for row, _column in self.cells]
        blank = Cell()
        return [line_text([self.cells.get((row, column), blank) for column in range(left, min(right, left + width))],
                          color)
                for row in range(min(rows), max(rows) + 1)]


def _row(y: int) -> int:
    """Return the line of the corners with a lattice height: every hex side takes two lines."""
    third, rest = divmod(y + 8, 3)
    return 4 * third + 2 * rest


@cache
def seat_paint(seat: int) -> tuple[int, int]:
    """Return letter and ground colour of a seat."""
    return paint(seat_rgb(seat))


def board_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100,
               labels: bool = False, places: Collection[tuple[str, int]] = (), height: int | None = None) -> str:
    """Draw the land with its pieces in at most 27 lines, and a line or two that explain the letters.

    If the board is too wide, hexes and station labels shrink, then the board is cut off. If it is too high, the
    explanation is omitted, then the parts far from the places and the last move. Labels are the numbers of corners
    and hexes; the kinds of places are "corner", "edge" and "hex".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    for wide, brief in [(wide, brief) for brief in (False, True) for wide in WIDTHS]:
        sheet = _draw(position, wide, brief, labels, frozenset(places))
        left, right = sheet.columns()
        if right - left <= width:
            break
    key = _standing(position, color, width) if labels else piece_key(position.players, color=color, width=width)
    if right - left > width:
        cut = _("cut off: {columns} columns would show all").format(columns=right - left)
        key = [*paragraph(cut, width, color), *key]
    lines = sheet.lines(width, color)
    first = min(row for row, _column in sheet.cells)
    return "\n".join(fitted(height, ([*lines, *key], lines), [row - first for row in _rows(position, places, seat)]))


def _rows(position: Position, places: Collection[tuple[str, int]], seat: int | None) -> list[int]:
    """Return the rows on the sheet of the places, or else of the viewer's buildings, and of the last move."""
    marked = list(places) or [("corner", corner) for corner, owner, _kind in position.buildings if owner == seat]
    if position.last is not None:
        kinds = (("corner", CORNER_MOVES), ("edge", EDGE_MOVES), ("hex", HEX_MOVES))
        marked += [(kind, position.last[1]) for kind, moves in kinds if position.last[0] in moves]
    found = []
    for kind, number in marked:
        if kind == "hex":
            middle = board().hexes[number].lattice[1]
            found += [_row(middle - 2), _row(middle + 2)]
        else:
            corners = (number,) if kind == "corner" else board().edges[number].corners
            found += [_row(board().corners[corner].lattice[1]) for corner in corners]
    return found


def piece_key(players: int, *, color: bool = False, width: int = 100) -> list[str]:
    """Explain the letters of the seats and the signs of their pieces."""
    parts = [named_badge(letter, seat_paint(seat), name)
             for seat, (letter, name) in enumerate(zip(seat_letters(players), seat_names(players), strict=True))]
    first = seat_letters(1)[0]
    parts += [words(text) for text in (f"{first}s {_('settlement')}", f"{first}C {_('city')}",
                                       f"{3 * first} {_('road')}")]
    return wrap(parts, width, color, gap=3)


def _standing(position: Position, color: bool, width: int) -> list[str]:
    """List the corners of settlements and cities, because the board has no room for their numbers."""
    parts = []
    for seat, letter in enumerate(seat_letters(position.players)):
        own = [f"{PIECES[kind]}{corner:02}" for corner, owner, kind in position.buildings if owner == seat]
        if own:
            parts.append(named_badge(letter, seat_paint(seat), " ".join(own)))
    return wrap(parts, width, color, gap=3)


def _draw(position: Position, wide: int, brief: bool, labels: bool, places: frozenset[tuple[str, int]]) -> _Sheet:
    sheet = _Sheet()
    for number in range(len(board().hexes)):
        _draw_hex(sheet, position, number, wide, labels, ("hex", number) in places)
    roads = dict(position.roads)
    for number, edge in enumerate(board().edges):
        last = position.last is not None and position.last[0] in EDGE_MOVES and position.last[1] == number
        _draw_edge(sheet, edge, wide, roads.get(number), last, ("edge", number) in places, position.players)
    for number, kind in position.stations:
        _draw_station(sheet, board().edges[number], kind, wide, brief)
    _draw_corners(sheet, position, wide, labels, places)
    return sheet


def _at(lattice: tuple[int, int], wide: int) -> tuple[int, int]:
    """Return line and column of the first character of a corner, which has two."""
    return _row(lattice[1]), (lattice[0] + 5) * wide // 2


# ---- hexes --------------------------------------------------------------------------------------------


def _draw_hex(sheet: _Sheet, position: Position, number: int, wide: int, labels: bool, place: bool) -> None:
    place_of: Hexagon = board().hexes[number]
    terrain = position.terrain[number] if number < len(position.terrain) else ""
    token = position.numbers[number] if number < len(position.numbers) else 0
    ink, ground, faint = _GROUND[terrain]
    top = _row(place_of.lattice[1] - 2)
    middle = (place_of.lattice[0] + 5) * wide // 2          # the left of the two middle columns
    half = wide // 2
    slant, full = half // 2, half - 2                       # columns on either side of the two middle columns
    for row, reach in ((1, slant - 1), (2, full), (3, half - 1), (4, full), (5, slant - 1)):
        sheet.put(top + row, middle - reach, " " * (2 * reach + 2), faint, ground)
        if row in (1, 5):
            sheet.put(top + row, middle, 2 * GLYPHS[terrain], faint, ground)
    name = _("HIDEOUT") if terrain == "hideout" else terrain and terrain_name(terrain)
    _centre(sheet, top + 2, middle, name[:2 * full + 2], ink, ground, True)
    if token:
        _draw_token(sheet, top + 3, middle, token, ink, ground, position.dice == token and position.robber != number)
    if position.robber == number:
        moved = position.last is not None and position.last[0] in HEX_MOVES
        _centre(sheet, top + 4, middle, _(ROBBER)[:2 * full + 2], _ROBBER[0], _LAST if moved else _ROBBER[1], True)
    if labels:
        fore, back = PLACE_PAINT if place else (ink, ground)
        _centre(sheet, top + 1, middle, f"h{number}", fore, back, place)


def _centre(sheet: _Sheet, row: int, middle: int, text: str, fore: int | None, back: int | None, bold: bool) -> None:
    sheet.put(row, middle + 1 - (len(text) + 1) // 2, text, fore, back, bold)


def _draw_token(sheet: _Sheet, row: int, middle: int, number: int, ink: int, ground: int, rolled: bool) -> None:
    """Write a number and its pips; the number just rolled is between arrows."""
    fore = _RED if number in (6, 8) else _BLUE if number in (2, 12) else _BLACK
    dots = PIP * pips(number)
    text = f">{number}<" if rolled else f" {number} "
    start = middle + 1 - (len(text) + len(dots) + 1) // 2
    sheet.put(row, start, text, fore, PLACE_PAINT[1] if rolled else _TOKEN, True)
    sheet.put(row, start + len(text), dots, ink, ground, True)


# ---- edges and corners --------------------------------------------------------------------------------


def _ends(edge: Edge, wide: int) -> tuple[int, int, int, int]:
    """Return line and column of the upper corner, then of the lower corner."""
    upper, lower = sorted((board().corners[corner].lattice for corner in edge.corners), key=lambda xy: xy[1])
    return *_at(upper, wide), *_at(lower, wide)


def _draw_edge(sheet: _Sheet, edge: Edge, wide: int, owner: int | None, last: bool, place: bool,
               players: int) -> None:
    row, column, _low, below = _ends(edge, wide)
    sign = "|" if below == column else "/" if below < column else "\\"
    if below == column:
        start, length = column, 2
    else:
        middle = (column + below) // 2 + (0 if below < column else 1)
        start, length = middle - 1, 3
    if owner is not None:
        letter = seat_letters(players)[owner]
        fore, back = seat_paint(owner)
        sheet.put(row + 1, start, letter * length, fore, back, True)
        if last:
            sheet.put(row + 1, start, "!" + letter * (length - 1), fore, back, True)
        return
    at = start if length == 2 else start + 1
    fore, ground = PLACE_PAINT if place else (_DIM, None)
    sheet.put(row + 1, at, sign, fore, ground, place)
    if length == 2:
        sheet.put(row + 1, at + 1, " ")


def _draw_corners(sheet: _Sheet, position: Position, wide: int, labels: bool,
                  places: frozenset[tuple[str, int]]) -> None:
    letters = seat_letters(position.players)
    buildings = {corner: (owner, kind) for corner, owner, kind in position.buildings}
    for number, corner in enumerate(board().corners):
        row, column = _at(corner.lattice, wide)
        last = position.last is not None and position.last[0] in CORNER_MOVES and position.last[1] == number
        place = ("corner", number) in places
        if number in buildings:
            owner, kind = buildings[number]
            fore, back = seat_paint(owner)
            sheet.put(row, column, letters[owner] + PIECES[kind], fore, back, True)
            beside = sheet.cells.get((row, column + 2), Cell())
            if last and beside.char == " ":
                sheet.put(row, column + 2, "!", _LAST, beside.back, True)
        elif labels or place:
            ink, ground = PLACE_PAINT if place else (_LABEL, None)
            sheet.put(row, column, f"{number:02}", ink, ground, place)
        else:
            sheet.put(row, column, "··", _DIM)


# ---- stations -----------------------------------------------------------------------------------------


def station_text(kind: str, brief: bool = False) -> str:
    """Return the label of a station, such as "2:1 water", or "2:1a" if there is little room."""
    if kind == "any":
        return f"{ratio(kind)}:1"
    return f"{ratio(kind)}:1" + (resource_letters()[kind] if brief else f" {resource_noun(kind)}")


def _draw_station(sheet: _Sheet, edge: Edge, kind: str, wide: int, brief: bool) -> None:
    """Draw the label of a station in the jungle and a pier to each of its corners."""
    row, column, low, below = _ends(edge, wide)
    text = station_text(kind, brief)
    fore, ground, _faint = _GROUND[kind] if kind in RESOURCES else (16, _GENERIC, 0)
    if edge.side in ("W", "E"):
        west = edge.side == "W"
        at = column - 1 if west else column + 2
        for line, sign in ((row, "╭" if west else "╮"), (row + 1, "┤" if west else "├"), (low, "╰" if west else "╯")):
            sheet.put(line, at, sign, _PIER, bold=True)
        sheet.put(row + 1, at - 1 - len(text) if west else at + 2, text, fore, ground, True)
        return
    west, north = edge.side in ("SW", "NW"), edge.side in ("NW", "NE")
    far = min(column, below) if west else max(column, below) + 1        # column where the pier turns
    line = row if north else low
    tip = column if north else below                                    # column of the corner on that line
    first, last = (far + 1, tip - 1) if west else (tip + 2, far - 1)
    sheet.put(line, first, "─" * (last - first + 1), _PIER, bold=True)
    sheet.put(row + 1, far, "│", _PIER, bold=True)
    tip_at = board().corners[edge.corners[0 if north else 1]].lattice
    outermost = abs(tip_at[1]) < 8 or tip_at[0] == (-2 if west else 2)      # inner rows have hexes beside them
    if outermost:
        sheet.put(line, far, "┬" if north else "┴", _PIER, bold=True)
        sheet.put(line, far - 1 - len(text) if west else far + 2, text, fore, ground, True)
    else:
        turn = ("╭" if west else "╮") if north else ("╰" if west else "╯")
        sheet.put(line, far, turn, _PIER, bold=True)
        sheet.put(line - 1 if north else line + 1, (first + last + 1 - len(text)) // 2, text, fore, ground, True)


# ---- The status of Zarahemla in a terminal: the seats, the bank, the trade on the table, costs and signs

_INK = {"wood": 71, "brick": 173, "water": 74, "wheat": 220, "stone": 250}
STAR = "★"
_COSTS = (("road", N_("road")), ("settlement", N_("settlement")), ("city", N_("city")), ("dev_card", N_("card")),
          ("temple_stone", N_("temple stone")))


def five_text(counts: Sequence[int], zeros: bool = False) -> list[Cell]:
    """Write cards by resource, such as "2 wood 1 stone"; "nothing" for none."""
    cells: list[Cell] = []
    for resource, count in zip(RESOURCES, counts, strict=True):
        if count or zeros:
            cells += [*words(" " if cells else ""), *words(str(count), bold=True),
                      *words(f" {resource_noun(resource, count)}", _INK[resource])]
    return cells or words(pgettext("zarahemla", "nothing"), DIM)


def status_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100,
                asked: str = "") -> str:
    """Show points, hands, cards, armies, roads, the temple and supplies of the seats, then bank, dice and offer.

    The viewing seat sees the cards of the others together (ZAR-17.4).

    Parameters are as in all drawings: see `sfida.engines.drawing`. `asked` is the question to the viewing seat, which
    replaces the sentence on the current decision.
    """
    lines = _table(position, seat, color, width)
    for number in range(position.players):
        lines += _holdings(position, number, color, width)
    if seat is not None and any(other.hand is None for other in position.seats):
        together = elsewhere(position, seat)
        if together is not None:
            cells = [*words(_("the others hold together ")), *five_text(together)]
            lines += wrap(split(cells), width, color, indent=2, gap=1)
    news = [words(_("bank:"), bold=True), *split(five_text(position.bank, zeros=True)),
            words(_("· development cards: {count} left").format(count=position.deck))]
    lines += wrap(news, width, color, indent=2, gap=1)
    if not asked:                           # the question shows the offer
        lines += _offer(position, color, width)
    said = [_("Dice: {total}.").format(total=position.dice)] if position.dice else []
    said.append(asked or sentence(position))
    return "\n".join([*lines, *paragraph(" ".join(said), width, color, bold=True)])


# ---- the seats ----------------------------------------------------------------------------------------


def _letter(position: Position, seat: int) -> list[Cell]:
    return badge(seat_letters(position.players)[seat], seat_paint(seat))


def _name(position: Position, seat: int, viewer: int | None) -> list[Cell]:
    """Return the first column of the table: letter and name, after an arrow for the mover or the winner."""
    over = position.phase == "game_over"
    marked = seat in leaders(position) if over else seat == position.seat_to_move
    names = [_("{name} (you)").format(name=name) if number == viewer else name
             for number, name in enumerate(seat_names(position.players))]
    return seat_line("> " if marked else "  ", seat_letters(position.players)[seat], seat_paint(seat),
                     names[seat].ljust(max(map(len, names))), lit=marked)


def _starred(value: int, holds: bool) -> str:
    return f"{value}{STAR if holds else ' '}"


def _columns(position: Position) -> tuple[list[TextColumn], list[TextColumn]]:
    """Return the columns of the table: the possessions of the seats, and their supplies of pieces."""
    seats = position.seats
    points = [str(s.points) + (f"+{s.secret_points}" if s.secret_points else "") for s in seats]
    has = [TextColumn(_("points"), points, bold=True), TextColumn(_("hand"), [str(s.hand_size) for s in seats]),
           TextColumn(_("cards"), [str(s.card_count) for s in seats]),
           TextColumn(_("army"), [_starred(s.warriors, s.largest_army) for s in seats], gold=STAR),
           TextColumn(_("road"), [_starred(s.road_length, s.longest_road) for s in seats], gold=STAR)]
    left = [TextColumn(_("left: roads"), [str(s.roads_left) for s in seats]),
            TextColumn(_("settl."), [str(s.settlements_left) for s in seats]),
            TextColumn(_("cities"), [str(s.cities_left) for s in seats])]
    if has_temple(position):
        has.append(TextColumn(_("temple"), [_starred(s.stones, s.temple) for s in seats], gold=STAR))
        left.append(TextColumn(pgettext("zarahemla", "stones"), [str(s.stones_left) for s in seats]))
    return has, left


def _table(position: Position, viewer: int | None, color: bool, width: int) -> list[str]:
    has, left = _columns(position)
    names = [_name(position, seat, viewer) for seat in range(position.players)]
    for gap in (2, 1):
        if len(names[0]) + sum(gap + column.room for column in has + left) <= width:
            return table_lines(table(names, has + left, gap), width, color)
    return table_lines([*table(names, has, 1), *table(names, left, 1)], width, color)


def _holdings(position: Position, number: int, color: bool, width: int) -> list[str]:
    """Show the known cards of a seat, in hand and played, that are not in the table."""
    seat = position.seats[number]
    parts: list[list[Cell]] = []
    if seat.hand is not None and seat.hand_size:
        parts.append([*words(_("hand: ")), *five_text(seat.hand)])
    if seat.cards:
        parts.append(words(_("cards: {cards}").format(cards=_cards(seat.cards))))
    played = [(name, count) for name, count in seat.played if name != "stripling_warrior"]
    if played:
        parts.append(words(_("played: {cards}").format(cards=_cards(played)), DIM))
    if not parts:
        return []
    for part in parts[1:]:
        part[:0] = words("· ", DIM)
    words_of = [run for part in parts for run in split(part)]
    return wrap([_letter(position, number), *words_of], width, color, indent=4, gap=1)


def _cards(cards: Sequence[tuple[str, int]]) -> str:
    names = card_names()
    return ", ".join(names.get(name, name) + (f" ×{count}" if count > 1 else "") for name, count in cards)


# ---- the table ----------------------------------------------------------------------------------------


def _offer(position: Position, color: bool, width: int) -> list[str]:
    if position.offer is None:
        return []
    giver, give, want = position.offer
    gives = _("{name} gives").format(name=seat_names(position.players)[giver])
    cells = [*words(_("offer: "), bold=True), *words(f"{gives} "), *five_text(give), *words(f" {_('for')} "),
             *five_text(want)]
    return wrap(split(cells), width, color, indent=2, gap=1)


def stock_text(position: Position, deck: Sequence[tuple[str, int]], *, color: bool = False, width: int = 100) -> str:
    """Show the development cards that nobody has played yet, by kind, and the bank.

    Parameters
    ----------
    position : Position
    deck : sequence of (name, count)
        The whole deck at the start, by ids of the data.
    """
    played: dict[str, int] = {}
    for seat in position.seats:
        for name, count in seat.played:
            played[name] = played.get(name, 0) + count
    names = card_names()
    kinds = [words(f"{count - played.get(name, 0)} {names[name]}") for name, count in deck if count]
    held = sum(seat.card_count for seat in position.seats)
    head = words(_("Not played yet ({deck} in the deck, {held} in hands):").format(deck=position.deck, held=held),
                 bold=True)
    bank = [words(_("In the bank:"), bold=True), *split(five_text(position.bank, zeros=True))]
    return "\n".join([line_text(head[:width], color), *wrap(kinds, width, color, gap=3),
                      *wrap(bank, width, color, indent=2, gap=1)])


def legend_text(players: int, *, temple: bool = True, color: bool = False, width: int = 100) -> str:
    """Explain the signs on the board, and the prices by the letters of the resources."""
    signs = [words(f"{GLYPHS[resource]} {resource_noun(resource)} ({resource_letters()[resource]})", _INK[resource])
             for resource in RESOURCES]
    signs += [words(f"{GLYPHS['hideout']} {terrain_name('hideout')}"), words(_("07 corner 7")), words(_("h3 hex 3")),
              words(_("10 {dots} harvest at 10, three chances of 36").format(dots=3 * PIP)),
              words(_("{robber} no harvest here").format(robber=_(ROBBER))), words(_(">8< just rolled")),
              words(_("! the last move")), words(_("{star} holds the special card").format(star=STAR)),
              words(_("╭┤╰ piers of a station")), words(_("2:1 wheat what it trades"))]
    return "\n".join([*wrap(signs, width, color, gap=3), *piece_key(players, color=color, width=width),
                      *_short_prices(temple, color, width)])


def _short_prices(temple: bool, color: bool, width: int) -> list[str]:
    """Write the prices with a letter for each card."""
    letters = resource_letters()
    prices = [words(_("costs:"), bold=True)]
    for key, name in _COSTS:
        if temple or key != "temple_stone":
            spelt = "".join(count * letters[resource] for resource, count in zip(RESOURCES, costs()[key], strict=True))
            prices.append(words(f"{_(name)} {spelt}"))
    return wrap(prices, width, color, indent=7, gap=3)


def _prices(temple: bool, color: bool, width: int) -> list[str]:
    prices = [words(_("costs:"), bold=True)]
    for key, name in _COSTS:
        if temple or key != "temple_stone":
            prices.append([*words(f"{_(name)} = "), *five_text(costs()[key]),
                           *words(";" if key != _COSTS[-1][0] else "")])
    return wrap(prices, width, color, indent=7, gap=1)


def card_lines(deck: Sequence[tuple[str, int]], *, temple: bool = True, color: bool = False,
               width: int = 100) -> list[str]:
    """Explain the development cards of a deck, and the prices.

    Parameters
    ----------
    deck : sequence of (name, count)
        The whole deck at the start, by ids of the data.
    temple : bool
        Whether temple stones can be bought.
    color : bool
    width : int
    """
    lines = _prices(temple, color, width)
    cards = {card["id"]: card for card in drawing_data()["dev_card"]}
    for name, count in deck:
        if count:
            lines += paragraph(f"{named(cards[name])} ({count}): {_effect(cards[name])}", width, color, indent=4)
    return lines


def _effect(card: Mapping[str, Any]) -> str:
    return str(card.get(f"effect_{language()}", card["effect"]))
