"""How it stands in A Few Acres of Snow, for a terminal: both sides, sieges, piles, the viewer's hand, the phase."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import (
    LETTERS,
    captured_points,
    cards,
    codes_text,
    dead_cards,
    offer_text,
    side_name,
    sites,
)
from sfida.engines.acres.position import Cards, Position, Siege
from sfida.engines.acres.sentences import sentence, siege_stands
from sfida.engines.acres.text import seat_paint
from sfida.engines.drawing.badges import badge, seat_line
from sfida.engines.drawing.cells import Cell, line_text, paragraph, words, wrap
from sfida.engines.drawing.colors import DIM, GREEN
from sfida.engines.drawing.table import Column, table, table_lines
from sfida.engines.language import N_, _, pgettext

_NEUTRAL = (231, 28)


def status_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100) -> str:
    """Show money, points, supplies and piles of both sides, sieges, the viewer's hand card by card, the phase.

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    lines = _table(position, seat, color, width)
    for siege in position.sieges:
        lines += _siege(siege, color, width)
    for number in range(2):
        lines += _piles(position, number, seat, color, width)
    if seat is not None:
        lines += _hand(position, seat, color, width)
    turn = _("Turn {number}.").format(number=position.turn) if not position.is_over else ""
    last = "" if position.action is None else _("Last: {side} {move}.").format(
        side=side_name(position.action.seat), move=position.action.text)
    forts = _("{forts} forts left.").format(forts=position.forts_left)
    lines += paragraph(f"{forts} {last}", width, color, indent=2, fore=DIM)
    return "\n".join([*lines, *paragraph(f"{turn} {sentence(position)}".strip(), width, color, bold=True)])


def _letter(seat: int) -> list[Cell]:
    return badge(LETTERS[seat], seat_paint(seat))


# ---- both sides ---------------------------------------------------------------------------------------


def _table(position: Position, viewer: int | None, color: bool, width: int) -> list[str]:
    """Write one line per side; short heads where the table is too wide."""
    seats = position.seats
    taken = [f"{who.captured_villages}+{who.captured_towns}={captured_points(position, seat)}"
             for seat, who in enumerate(seats)]
    figures = [(_("points"), pgettext("acres", "pts"), [str(who.points) for who in seats], True),
               (_("money"), pgettext("acres", "mon"), [str(who.money) for who in seats], True),
               (_("villages"), pgettext("acres", "vil"), [str(who.villages) for who in seats], False),
               (_("towns"), pgettext("acres", "tow"), [str(who.towns) for who in seats], False),
               (_("captured"), pgettext("acres", "cap"), taken, False),
               (pgettext("acres", "hand"), pgettext("acres", "hnd"), [str(who.hand_size) for who in seats], False),
               (_("deck"), pgettext("acres", "dck"), [str(who.deck_size) for who in seats], False),
               (_("discards"), pgettext("acres", "dis"), [str(len(who.discards)) for who in seats], False),
               (_("reserve"), pgettext("acres", "res"), [str(len(who.reserve)) for who in seats], False)]
    names = [_name(position, seat, viewer) for seat in range(2)]
    room = max(map(len, names))
    names = [[*name, *words(" " * (room - len(name)))] for name in names]
    columns = [Column(head, texts, bold) for head, _short, texts, bold in figures]
    if room + sum(column.room + 2 for column in columns) <= width:
        return table_lines(table(names, columns), width, color)
    columns = [column._replace(head=short) for column, (_head, short, *_figures) in zip(columns, figures, strict=True)]
    return table_lines(table(names, columns, gap=1), width, color)


def _name(position: Position, seat: int, viewer: int | None) -> list[Cell]:
    lit = seat == (position.winner if position.is_over else position.seat_to_move)
    name = _("{side} (you)").format(side=side_name(seat)) if seat == viewer else side_name(seat)
    return seat_line(">" if lit else " ", LETTERS[seat], seat_paint(seat), name, lit=lit, arrow=GREEN)


def _siege(siege: Siege, color: bool, width: int) -> list[str]:
    """Say who besieges what, by how much he leads, and with which cards."""
    parts = [_letter(siege.attacker), words(_("besiege {site}:").format(site=sites()[siege.site].name), bold=True),
             words(siege_stands(siege), bold=True)]
    for seat in (siege.attacker, 1 - siege.attacker):
        parts.append(words(f"{LETTERS[seat]}: {codes_text(siege.cards[seat]) or pgettext('acres', 'none')}"))
    return wrap(parts, width, color, indent=4, gap=2)


def _pile(seat: int, name: str, pile: Cards, dead: Sequence[int], color: bool, width: int) -> list[str]:
    """Name the cards of a pile; those that cannot be used stand in brackets."""
    shown = [words(f"({codes_text(pile.count(card) * (card,))})" if card in dead
                   else codes_text(pile.count(card) * (card,))) for card in dict.fromkeys(pile)]
    head = [*_letter(seat), *words(f" {name}:", DIM)]
    first = [*head, *words(" "), *shown[0]] if shown else [*head, *words(f" {pgettext('acres', 'none')}", DIM)]
    return wrap([first, *shown[1:]], width, color, indent=4, gap=1)


def _piles(position: Position, seat: int, viewer: int | None, color: bool, width: int) -> list[str]:
    who = position.seats[seat]
    rows = [(_("reserve"), who.reserve), (_("discards"), who.discards)]
    if seat != viewer:
        rows.insert(0, (pgettext("acres", "hand"), who.hand) if who.hand is not None else
                    (_("known in hand"), who.known))
    return [line for name, pile in rows if pile
            for line in _pile(seat, name, pile, dead_cards(position, seat, pile), color, width)]


def _hand(position: Position, seat: int, color: bool, width: int) -> list[str]:
    """List the cards of the viewer's hand, with what each offers: without numbers, for these are moves."""
    hand = position.seats[seat].hand
    if hand is None:
        return []
    lines, table = [], cards(position.by_board)
    dead = dead_cards(position, seat, hand)
    for one in sorted(hand):
        card = table[one]
        paint = seat_paint(card.side) if card.side >= 0 else _NEUTRAL
        head = [*words("   "), *words(f"{card.code:<4}", *paint, bold=True)]
        runs = [[*head, *words(f" {card.name}:")], *map(words, offer_text(card).split())]
        runs += [words(_("(not usable)"), DIM)] if one in dead else []
        lines += wrap(runs, width, color, indent=8, gap=1)
    return lines


# ---- supplies and signs -------------------------------------------------------------------------------


def stock_text(position: Position, *, color: bool = False, width: int = 100) -> str:
    """Show what can still be gained, with prices, and what hands and decks hold together, which everybody can tell."""
    lines = [line_text(words(_("empire cards, price in brackets:")[:width], bold=True), color)]
    for name, pile in ((_("neutral"), position.neutral), *((side_name(seat), who.empire)
                                                            for seat, who in enumerate(position.seats))):
        shown = [words(f"{codes_text(pile.count(card) * (card,))} ({cards()[card].cost})")
                 for card in dict.fromkeys(pile)]
        lines += wrap([words(f"{name}:", DIM), *shown], width, color, indent=4, gap=2)
    for head, piles in ((_("location cards to be gained:"), [who.locations for who in position.seats]),
                        (_("hand and deck together:"), [who.unseen for who in position.seats])):
        lines.append(line_text(words(head[:width], bold=True), color))
        for seat, pile in enumerate(piles):
            codes = map(words, (codes_text(pile) or pgettext("acres", "none")).split())
            lines += wrap([words(f"{side_name(seat)}:", DIM), *codes], width, color, indent=4, gap=1)
    return "\n".join(lines)


def cards_text(start: Position, *, color: bool = False, width: int = 100) -> str:
    """Say what each empire card costs and offers, and name the sites.

    Parameters
    ----------
    start : Position
        The first one of the game: no card is listed that the options leave out.
    color : bool
    width : int
    """
    there = {*start.neutral, *(card for who in start.seats for card in (*who.unseen, *who.empire))}
    rows = dict.fromkeys((card.code, _("{code} {card}, price {price}: {offers}").format(
        code=card.code, card=card.name, price=card.cost, offers=offer_text(card)))
        for card in cards() if card.site < 0 and card.number in there)
    named = [words(_("sites:"), bold=True), *(words(f"{site.code} {site.name}") for site in sites())]
    lines = [line for _code, text in rows for line in paragraph(text, width, color, indent=4)]
    return "\n".join([*lines, *wrap(named, width, color, indent=2, gap=2)])


def legend_text(*, color: bool = False, width: int = 100) -> str:
    """Explain the signs on the map."""
    signs = [words(_("signs:"), bold=True), *map(words, _signs())]
    return "\n".join(wrap(signs, width, color, gap=3))


_SIGNS = (N_("ALBB2# 4*: Albany, British (F French, . nobody) town (1 village), fort, value 4"), N_("* takes settlers"),
          N_("~ ships, also in sieges"), N_("- ships"), N_("! siege"), N_("> last action"),
          N_("─╱ river, ≈ lake: boat"), N_("= road: wagon"), N_("· Indian trail: raids"), N_("TR (2): price 2"),
          N_("captured 1+2=10: villages, towns, points"), N_("boat ALB | fur: reaches by boat | offers"),
          N_("(BOS) unusable"), N_("n neutral, 0 first"))


def _signs() -> list[str]:
    siege = load_data()["siege"]
    won = _("siege won when a turn begins: attacker leads by {attacker}, defender by {defender}")
    return [*map(_, _SIGNS), won.format(attacker=siege["attacker_wins_at"], defender=siege["defender_wins_at"])]
