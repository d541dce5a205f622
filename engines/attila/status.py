"""How it stands in Attila, for a terminal: seats, centuries, piles, the hand of the viewer, and what happens."""

from __future__ import annotations

from sfida.engines.attila.looks import (
    centuries,
    is_over,
    ordinal,
    seat_letter,
    seat_name,
    tile_letters,
    tile_names,
    tribes,
)
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.sentences import happened, sentence
from sfida.engines.attila.text import CALM, START, seat_paint, tribe_paint
from sfida.engines.drawing.badges import badge, named, seat_line
from sfida.engines.drawing.cells import Cell, line_text, paragraph, words, wrap
from sfida.engines.drawing.colors import DIM, YELLOW
from sfida.engines.drawing.table import Column, table, table_lines
from sfida.engines.wording import listed

TILE = "■"


def status_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
    """Show points, cards and tiles of the seats, the centuries, the piles, what the viewer holds, and the phase.

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    lines = _table(position, seat, color, width)
    for number in range(position.players):
        lines += _cards(position, number, color, width)
    lines += _centuries(position, color, width)
    piles = [words("pile:", DIM), words(str(position.pile)), words("· discards:", DIM),
             *_counted(position.discards, zeros=True)]
    lines += wrap(piles, width, color, indent=2, gap=1)
    if sum(position.given):
        lines += wrap([words("put aside for an exchange:", DIM), *_counted(position.given)], width, color, indent=2,
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
    columns = [Column("points", [str(one.score) for one in seats], bold=True)]
    if not is_over(position):
        columns.append(Column("now" if width < 60 else "if scored now", [f"+{one.prospect}" for one in seats]))
    columns.append(Column("hand", [str(one.hand_size) for one in seats]))
    if any(one.laid for one in seats):
        columns.append(Column("laid", [str(one.laid) for one in seats]))
    columns.append(Column("tiles", [" ".join(letter if name in one.tiles else "-"
                                             for name, letter in tile_letters().items()) for one in seats]))
    called = [seat_name(seat) + (" (you)" if seat == viewer else "") for seat in range(position.players)]
    room = max(map(len, called))
    names = []
    for seat, name in enumerate(called):
        marked = seat in position.winners if is_over(position) else seat == position.seat_to_move
        active = seat == position.seat_on_turn and not is_over(position)
        names.append(seat_line("> " if marked else "* " if active else "  ", seat_letter(seat), seat_paint(seat),
                               name.ljust(room), lit=marked))
    return table_lines(table(names, columns), width, color)


def _cards(position: Position, seat: int, color: bool, width: int) -> list[str]:
    """Name the cards of a seat in hand and laid down, where they are known."""
    who = position.seats[seat]
    runs: list[list[Cell]] = []
    if who.hand is not None and who.hand_size:
        runs += [words("hand:", DIM), *_counted(who.hand)]
    if who.laid_cards is not None and who.laid:
        runs += [words("laid down:", DIM), *_counted(who.laid_cards)]
    return wrap([_letter(seat), *runs], width, color, indent=4, gap=1) if runs else []


# ---- centuries and signs ------------------------------------------------------------------------------


def _centuries(position: Position, color: bool, width: int) -> list[str]:
    """Show the peace tiles left on every century space and what a card brings there."""
    parts = [words("centuries:", DIM)]
    for century, left in zip(centuries(), position.peace, strict=True):
        now = century.number == position.century and not is_over(position)
        tiles = TILE * left + "-" * (century.tiles - left)
        parts.append(words(f"{'>' if now else ''}{century.number}th {tiles} +{century.gain}", YELLOW if now else None,
                           bold=now))
    return wrap(parts, width, color, indent=2, gap=2)


def stock_text(position: Position, *, color: bool = False, width: int = 100) -> str:
    """Show which cards lie neither among the discards nor open: those that may still be drawn or are in hands."""
    open_cards = [position.discards, position.given]
    for one in position.seats:
        open_cards += [cards for cards in (one.hand, one.laid_cards) if cards is not None]
    unseen = [tribe.cards - sum(cards[tribe.number] for cards in open_cards) for tribe in tribes()]
    left = (unseen[0], unseen[1], unseen[2], unseen[3], unseen[4], unseen[5])
    held = sum(one.hand_size if one.hand is None else 0 for one in position.seats)
    held += sum(one.laid if one.laid_cards is None else 0 for one in position.seats)
    head = words(f"Not seen yet ({position.pile} in the pile, {held} in hands):", bold=True)
    parts = [named(tribe.letter, tribe_paint(tribe.number), f"{left[tribe.number]} {tribe.name}") for tribe in tribes()]
    return "\n".join([line_text(head[:width], color), *wrap(parts, width, color, gap=3)])


def cards_text(*, color: bool = False, width: int = 100) -> str:
    """Say what a card and each action tile do, and what a scoring pays."""
    gains = listed([f"{one.gain} in the {ordinal(one.number)}" for one in centuries()])
    tiles = {"double_turn": "at the end of the turn play another card", "exchange": "put cards aside, draw as many",
             "influence_2": "two steps of influence, in one tribe or one in each of two"}
    rows = [("card", f"a token of its tribe onto the map; then influence ({gains} century) or a second token"),
            ("in a conflict", "strength 1 for its tribe, as a token has; the weakest tribes leave"),
            ("tiles", "one a turn, each once in the game"),
            *((f"*{letter} {tile_names()[name]}", tiles[name])
              for name, letter in tile_letters().items()),
            ("scoring", "in each tribe the first gets its tokens, the second its provinces; alone both; ties share")]
    return "\n".join(line for name, text in rows
                     for line in wrap([words(f"{name}:", bold=True), *map(words, text.split())], width, color, indent=2,
                                      gap=1))


def legend_text(*, reconstructed: bool = False, color: bool = False, width: int = 100) -> str:
    """Explain the signs on the board and the chart; `reconstructed` says that the map is not the printed one."""
    signs = (f"GER{START} start province", f"GER{CALM} pacified",
             "! too many for peace: a conflict", ". free place", ">GER last token", "lines: land borders",
             "dots: over water", "9> sole first of a tribe", "9= shared first",
             "W on a track: a seat's marker, 3: three of them", "> before a seat: to move", "* before a seat: its turn",
             f">5th {TILE}- +2: now the 5th century, one of two peace tiles left, a card brings 2",
             "- X -: X is left, - tile used or laid", "+4 if scored now")
    kinds = [named(tribe.letter, tribe_paint(tribe.number), tribe.name) for tribe in tribes()]
    note = "The borders are reconstructed; how to enter the printed ones: docs/attila.md."
    notes = paragraph(note, width, color) if reconstructed else []
    return "\n".join([*wrap(kinds, width, color, gap=3), *wrap(map(words, signs), width, color, gap=3),
                      *notes])
