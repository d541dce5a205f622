"""How it stands in A Few Acres of Snow, for a terminal: both sides, sieges, piles, the viewer's hand, the phase."""

from __future__ import annotations

from collections.abc import Sequence

from sfida.engines.acres.data import load_data
from sfida.engines.acres.looks import (
    LETTERS,
    NAMES,
    captured_points,
    cards,
    codes_text,
    dead_cards,
    is_over,
    offer_text,
    sites,
)
from sfida.engines.acres.position import Cards, Position, Siege
from sfida.engines.acres.sentences import sentence, siege_stands
from sfida.engines.acres.text import seat_paint
from sfida.engines.drawing.badges import badge, seat_line
from sfida.engines.drawing.cells import Cell, line_text, paragraph, words, wrap
from sfida.engines.drawing.colors import DIM, GREEN
from sfida.engines.drawing.table import Column, table, table_lines

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
    news = (f"Turn {position.turn}. " if position.turn and not is_over(position) else "") + sentence(position)
    last = "" if position.last is None else f"Last: {NAMES[position.last[0]]} {position.last[1]}."
    lines += paragraph(f"{position.forts_left} forts left. {last}", width, color, indent=2, fore=DIM)
    return "\n".join([*lines, *paragraph(news, width, color, bold=True)])


def _letter(seat: int) -> list[Cell]:
    return badge(LETTERS[seat], seat_paint(seat))


# ---- both sides ---------------------------------------------------------------------------------------


def _table(position: Position, viewer: int | None, color: bool, width: int) -> list[str]:
    """Write one line per side; short heads where the table is too wide."""
    seats = position.seats
    taken = [f"{who.captured_villages}+{who.captured_towns}={captured_points(position, seat)}"
             for seat, who in enumerate(seats)]
    figures = [("points", "pts", [str(who.points) for who in seats]),
               ("money", "mon", [str(who.money) for who in seats]),
               ("villages", "vil", [str(who.villages) for who in seats]),
               ("towns", "tow", [str(who.towns) for who in seats]),
               ("captured", "cap", taken),
               ("hand", "hnd", [str(who.hand_size) for who in seats]),
               ("deck", "dck", [str(who.deck_size) for who in seats]),
               ("discards", "dis", [str(len(who.discards)) for who in seats]),
               ("reserve", "res", [str(len(who.reserve)) for who in seats])]
    names = [_name(position, seat, viewer) for seat in range(2)]
    room = max(map(len, names))
    names = [[*name, *words(" " * (room - len(name)))] for name in names]
    columns = [Column(head, texts, head in ("points", "money")) for head, _, texts in figures]
    if room + sum(column.room + 2 for column in columns) <= width:
        return table_lines(table(names, columns), width, color)
    columns = [column._replace(head=short) for column, (_, short, _) in zip(columns, figures, strict=True)]
    return table_lines(table(names, columns, gap=1), width, color)


def _name(position: Position, seat: int, viewer: int | None) -> list[Cell]:
    lit = seat == (position.winner if is_over(position) else position.seat_to_move)
    return seat_line(">" if lit else " ", LETTERS[seat], seat_paint(seat),
                     NAMES[seat] + (" (you)" if seat == viewer else ""), lit=lit, arrow=GREEN)


def _siege(siege: Siege, color: bool, width: int) -> list[str]:
    """Say who besieges what, by how much he leads, and with which cards."""
    parts = [_letter(siege.attacker), words(f"besiege {sites()[siege.site].name}:", bold=True),
             words(siege_stands(siege), bold=True)]
    for seat in (siege.attacker, 1 - siege.attacker):
        parts.append(words(f"{LETTERS[seat]}: {codes_text(siege.cards[seat]) or 'none'}"))
    return wrap(parts, width, color, indent=4, gap=2)


def _pile(seat: int, name: str, pile: Cards, dead: Sequence[int], color: bool, width: int) -> list[str]:
    """Name the cards of a pile; those that cannot be used stand in brackets."""
    shown = [words(f"({codes_text(pile.count(card) * (card,))})" if card in dead
                   else codes_text(pile.count(card) * (card,))) for card in dict.fromkeys(pile)]
    head = [*_letter(seat), *words(f" {name}:", DIM)]
    first = [*head, *words(" "), *shown[0]] if shown else [*head, *words(" none", DIM)]
    return wrap([first, *shown[1:]], width, color, indent=4, gap=1)


def _piles(position: Position, seat: int, viewer: int | None, color: bool, width: int) -> list[str]:
    who = position.seats[seat]
    rows = [("reserve", who.reserve), ("discards", who.discards)]
    if seat != viewer:
        rows.insert(0, ("hand", who.hand) if who.hand is not None else ("known in hand", who.known))
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
        runs += [words("(not usable)", DIM)] if one in dead else []
        lines += wrap(runs, width, color, indent=8, gap=1)
    return lines


# ---- supplies and signs -------------------------------------------------------------------------------


def stock_text(position: Position, *, color: bool = False, width: int = 100) -> str:
    """Show what can still be gained, with prices, and what hands and decks hold together, which everybody can tell."""
    lines = [line_text(words("empire cards, price in brackets:"[:width], bold=True), color)]
    for name, pile in (("neutral", position.neutral), *((NAMES[seat], who.empire)
                                                         for seat, who in enumerate(position.seats))):
        shown = [words(f"{codes_text(pile.count(card) * (card,))} ({cards()[card].cost})")
                 for card in dict.fromkeys(pile)]
        lines += wrap([words(f"{name}:", DIM), *shown], width, color, indent=4, gap=2)
    for head, piles in (("location cards to be gained:", [who.locations for who in position.seats]),
                        ("hand and deck together:", [who.unseen for who in position.seats])):
        lines.append(line_text(words(head[:width], bold=True), color))
        for seat, pile in enumerate(piles):
            lines += wrap([words(f"{NAMES[seat]}:", DIM), *map(words, (codes_text(pile) or "none").split())], width,
                          color, indent=4, gap=1)
    return "\n".join(lines)


def cards_text(*, color: bool = False, width: int = 100) -> str:
    """Say what each empire card costs and offers, and name the sites."""
    rows = dict.fromkeys((card.code, f"{card.code} {card.name}, price {card.cost}: {offer_text(card)}")
                         for card in cards() if card.site < 0)
    named = [words("sites:", bold=True), *(words(f"{site.code} {site.name}") for site in sites())]
    lines = [line for _, text in rows for line in paragraph(text, width, color, indent=4)]
    return "\n".join([*lines, *wrap(named, width, color, indent=2, gap=2)])


def legend_text(*, color: bool = False, width: int = 100) -> str:
    """Explain the signs on the map."""
    signs = [words("signs:", bold=True), *map(words, _signs())]
    return "\n".join(wrap(signs, width, color, gap=3))


def _signs() -> list[str]:
    siege = load_data()["siege"]
    return ["ALBB2# 4*: Albany, British (F French, . nobody) town (1 village), fort, value 4",
            "* takes settlers", "~ ships, also in sieges", "- ships", "! siege", "> last action",
            "─╱ river, ≈ lake: boat", "= road: wagon", "· Indian trail: raids", "TR (2): price 2",
            "captured 1+2=10: villages, towns, points",
            "boat ALB | fur: reaches by boat | offers", "(BOS) unusable", "n neutral, 0 first",
            f"siege won when a turn begins: attacker leads by {siege['attacker_wins_at']}, defender by "
            f"{siege['defender_wins_at']}"]
