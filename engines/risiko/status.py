"""How it stands in RisiKo!, for a terminal: the seats, objective and hand of the viewer, decks, and what happens."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.engines.drawing.badges import badge, seat_line
from sfida.engines.drawing.cells import Cell, paragraph, words, wrap
from sfida.engines.drawing.colors import DIM, GREEN, YELLOW
from sfida.engines.drawing.table import Column, table, table_lines
from sfida.engines.language import _, named, pgettext
from sfida.engines.risiko.looks import (
    ARMIES,
    CARDS,
    CONTINENTS,
    INCOME,
    POINTS,
    TERRITORIES,
    card_code,
    card_symbol,
    continents,
    heading,
    is_over,
    seat_letter,
    seat_name,
    set_name,
    sets_in,
    spelled_goal,
    symbol_name,
    territories,
)
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.rules import load_data
from sfida.engines.risiko.sentences import fate, last_text, sentence
from sfida.engines.risiko.text import seat_paint


def status_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
    """Show territories, armies, income, cards and continents of the seats, what the viewer holds, and the phase.

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
    """Return the first column of the table: an arrow before the mover, or the winner, letter and name."""
    marked = seat in position.winners if is_over(position) else seat == position.seat_to_move
    return seat_line("> " if marked else "  ", seat_letter(position, seat), seat_paint(position, seat),
                     _called(position, seat, viewer).ljust(room), lit=marked,
                     fore=None if position.seats[seat].alive else DIM)


def _called(position: Position, seat: int, viewer: int | None) -> str:
    name = seat_name(position, seat)
    return _("{name} (you)").format(name=name) if seat == viewer else name


def _table(position: Position, viewer: int | None, color: bool, width: int) -> list[str]:
    """Write one line per seat under heads; short heads where the long ones do not fit."""
    seats = position.seats
    room = max(len(_called(position, seat, viewer)) for seat in range(position.players))
    columns = [Column(heading(TERRITORIES), [str(who.territories) for who in seats], bold=True),
               Column(heading(ARMIES), [str(who.armies) for who in seats]),
               Column(heading(INCOME), [f"+{who.income}" for who in seats]),
               Column(heading(CARDS), [str(who.card_count) for who in seats])]
    if position.tournament:
        points = ["?" if who.points is None else str(who.points) for who in seats]
        columns.append(Column(heading(POINTS), points, bold=True))
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
    """Say which objective a seat has, where it is known, and how far it is."""
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
    """Name the cards of a seat, where they are known, with their signs; +2 for each territory that it owns."""
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
    """Show how many cards the deck holds and which are discarded, by sign."""
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
    """Say what each set of cards is worth (RIS-6.3); `table` is a column of the data: "base" or "rtu"."""
    return [f"{set_name(entry['id'])} {entry[table]}" for entry in load_data()["trade"]]


def _letters() -> list[str]:
    """Return the letter of each colour with its name."""
    return [f"{row['letter']} {named(row)}".lower() for row in load_data()["color"]]


def legend_text(*, tournament: bool = False, table: str = "base", color: bool = False, width: int = 100) -> str:
    """Explain the signs on the map, what continents bring and what sets are worth."""
    signs: Sequence[str] = (_("12b: twelve armies of blue"), *_letters()[1:], _(">CIN: target of the last move"),
                            _("CIN>: where it came from"), _("CIN*: belongs to your objective"),
                            _("dotted: sea lines"), _("Europe +5: armies per turn for all of it"))
    if tournament:
        signs = (*signs, _("points of territories: cards"))
    return "\n".join([*wrap(map(words, signs), width, color, gap=3), *_worth(table, width, color)])


def cards_text(*, tournament: bool = False, table: str = "base", color: bool = False, width: int = 100) -> str:
    """Say what sets of cards are worth and, under tournament rules, how many points each territory brings."""
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
