"""How it stands in Zarahemla, for a terminal: the seats, the bank, the trade on the table, costs and signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sfida.engines.drawing.badges import badge, seat_line
from sfida.engines.drawing.cells import Cell, line_text, paragraph, split, words, wrap
from sfida.engines.drawing.colors import DIM
from sfida.engines.drawing.table import Column, table, table_lines
from sfida.engines.language import N_, _, language, named, pgettext
from sfida.engines.zarahemla.geometry import drawing_data
from sfida.engines.zarahemla.looks import (
    RESOURCES,
    card_names,
    costs,
    elsewhere,
    has_temple,
    leaders,
    resource_letters,
    resource_noun,
    seat_letters,
    seat_names,
    sentence,
    terrain_name,
)
from sfida.engines.zarahemla.position import Position
from sfida.engines.zarahemla.text import GLYPHS, PIP, ROBBER, piece_key, seat_paint

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

    The viewing seat is told what the others hold together (ZAR-17.4).

    Parameters are as in all drawings: see `sfida.engines.drawing`. `asked` is the question to the viewing seat, in
    place of the sentence that says what is going on.
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
    if not asked:                           # the question tells the offer
        lines += _offer(position, color, width)
    said = [_("Dice: {total}.").format(total=position.dice)] if position.dice else []
    said.append(asked or sentence(position))
    return "\n".join([*lines, *paragraph(" ".join(said), width, color, bold=True)])


# ---- the seats ----------------------------------------------------------------------------------------


def _letter(position: Position, seat: int) -> list[Cell]:
    return badge(seat_letters(position.players)[seat], seat_paint(seat))


def _name(position: Position, seat: int, viewer: int | None) -> list[Cell]:
    """Return the first column of the table: an arrow before the mover, or the winner, letter and name."""
    over = position.phase == "game_over"
    marked = seat in leaders(position) if over else seat == position.seat_to_move
    names = [_("{name} (you)").format(name=name) if number == viewer else name
             for number, name in enumerate(seat_names(position.players))]
    return seat_line("> " if marked else "  ", seat_letters(position.players)[seat], seat_paint(seat),
                     names[seat].ljust(max(map(len, names))), lit=marked)


def _starred(value: int, holds: bool) -> str:
    return f"{value}{STAR if holds else ' '}"


def _columns(position: Position) -> tuple[list[Column], list[Column]]:
    """Return heads and what stands under them, seat by seat: what a seat has, and its supply of pieces."""
    seats = position.seats
    points = [str(s.points) + (f"+{s.secret_points}" if s.secret_points else "") for s in seats]
    has = [Column(_("points"), points, bold=True), Column(_("hand"), [str(s.hand_size) for s in seats]),
           Column(_("cards"), [str(s.card_count) for s in seats]),
           Column(_("army"), [_starred(s.warriors, s.largest_army) for s in seats], gold=STAR),
           Column(_("road"), [_starred(s.road_length, s.longest_road) for s in seats], gold=STAR)]
    left = [Column(_("left: roads"), [str(s.roads_left) for s in seats]),
            Column(_("settl."), [str(s.settlements_left) for s in seats]),
            Column(_("cities"), [str(s.cities_left) for s in seats])]
    if has_temple(position):
        has.append(Column(_("temple"), [_starred(s.stones, s.temple) for s in seats], gold=STAR))
        left.append(Column(pgettext("zarahemla", "stones"), [str(s.stones_left) for s in seats]))
    return has, left


def _table(position: Position, viewer: int | None, color: bool, width: int) -> list[str]:
    has, left = _columns(position)
    names = [_name(position, seat, viewer) for seat in range(position.players)]
    for gap in (2, 1):
        if len(names[0]) + sum(gap + column.room for column in has + left) <= width:
            return table_lines(table(names, has + left, gap), width, color)
    return table_lines([*table(names, has, 1), *table(names, left, 1)], width, color)


def _holdings(position: Position, number: int, color: bool, width: int) -> list[str]:
    """Say what a seat has in hand and has played, as far as it is known and the table does not say it."""
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
    """Explain the signs on the board and what things cost, by the letters of the resources."""
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
    """Say what each development card of a deck does, and what things cost.

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
