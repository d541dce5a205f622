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
from sfida.engines.attila.options import AttilaOptions
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.sentences import happened, sentence, two_players
from sfida.engines.attila.text import CALM, START, seat_paint, tribe_paint
from sfida.engines.drawing.badges import badge, named, seat_line
from sfida.engines.drawing.cells import Cell, line_text, paragraph, words, wrap
from sfida.engines.drawing.colors import DIM, YELLOW
from sfida.engines.drawing.table import Column, table, table_lines
from sfida.engines.language import N_, _, pgettext
from sfida.engines.wording import listed

TILE = "■"
_SIGNS = (N_("GER{start} start province"), N_("GER{calm} pacified"), N_("! too many for peace: a conflict"),
          N_(". free place"), N_(">GER last token"), N_("lines: land borders"), N_("dots: over water"),
          N_("9> sole first of a tribe"), N_("9= shared first"),
          N_("{seat} on a track: a seat's marker, 3: three of them"), N_("> before a seat: to move"),
          N_("* before a seat: its turn"),
          N_(">5th {tile}- +2: now the 5th century, one of two peace tiles left, a card brings 2"),
          N_("- X -: X is left, - tile used or laid"), N_("+4 if scored now"))


def status_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
    """Show points, cards and tiles of the seats, the centuries, the piles, what the viewer holds, and the phase.

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
    columns = [Column(pgettext("attila", "points"), [str(one.score) for one in seats], bold=True)]
    if not is_over(position):
        columns.append(Column(
            pgettext("attila", "now") if width < 60 else pgettext("attila", "if scored now"),
            [f"+{one.prospect}" for one in seats]))
    columns.append(Column(pgettext("attila", "hand"), [str(one.hand_size) for one in seats]))
    if any(one.laid for one in seats):
        columns.append(Column(pgettext("attila", "laid"), [str(one.laid) for one in seats]))
    columns.append(Column(pgettext("attila", "tiles"), [" ".join(letter if name in one.tiles else "-"
                                             for name, letter in tile_letters().items()) for one in seats]))
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
    """Name the cards of a seat in hand and laid down, where they are known."""
    who = position.seats[seat]
    runs: list[list[Cell]] = []
    if who.hand is not None and who.hand_size:
        runs += [words(_("hand:"), DIM), *_counted(who.hand)]
    if who.laid_cards is not None and who.laid:
        runs += [words(_("laid down:"), DIM), *_counted(who.laid_cards)]
    return wrap([_letter(seat), *runs], width, color, indent=4, gap=1) if runs else []


# ---- centuries and signs ------------------------------------------------------------------------------


def _centuries(position: Position, color: bool, width: int) -> list[str]:
    """Show the peace tiles left on every century space and what a card brings there."""
    parts = [words(_("centuries:"), DIM)]
    for century, left in zip(centuries(), position.peace, strict=True):
        now = century.number == position.century and not is_over(position)
        tiles = TILE * left + "-" * (century.tiles - left)
        parts.append(words(f"{'>' if now else ''}{ordinal(century.number)} {tiles} +{century.gain}",
                           YELLOW if now else None, bold=now))
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
    head = words(_("Not seen yet ({pile} in the pile, {held} in hands):").format(pile=position.pile, held=held),
                 bold=True)
    parts = [named(tribe.letter, tribe_paint(tribe.number), f"{left[tribe.number]} {tribe.name}") for tribe in tribes()]
    return "\n".join([line_text(head[:width], color), *wrap(parts, width, color, gap=3)])


def cards_text(options: AttilaOptions, *, color: bool = False, width: int = 100) -> str:
    """Say what a card and each action tile do, and what a scoring pays."""
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
    """Explain the signs on the board and the chart; `reconstructed` says that the map is not the printed one."""
    signs = [said.format(start=START, calm=CALM, tile=TILE, seat=seat_letter(0)) for said in map(_, _SIGNS)]
    kinds = [named(tribe.letter, tribe_paint(tribe.number), tribe.name) for tribe in tribes()]
    note = _("The borders are reconstructed; how to enter the printed ones: docs/attila.md.")
    notes = paragraph(note, width, color) if reconstructed else []
    return "\n".join([*wrap(kinds, width, color, gap=3), *wrap(map(words, signs), width, color, gap=3),
                      *notes])
