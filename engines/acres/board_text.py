"""A Few Acres of Snow in a terminal: the map, or a list of sites, and the status of both sides.

Letters convey everything, so colours are optional: `ALBB2# 4*` is Albany with a British town and a fort, worth 4, a
site that takes settlers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from sfida.engines.acres.map import islands, lakes, regions, sea
from sfida.engines.acres.narration import sentence, siege_stands
from sfida.engines.acres.position import Cards, Position, Siege
from sfida.engines.acres.style import (
    LETTERS, captured_points, cards, codes_text, dead_cards, links, links_of, offer_text, seat_rgb, side_name, sites
)
from sfida.engines.acres.tables import load_data
from sfida.engines.drawing.colors import DIM, GREEN, PLACE_PAINT, paint
from sfida.engines.drawing.svg import Point
from sfida.engines.drawing.terminal import Cell, DotCanvas, Label, TextColumn, badge, fitted, kept, line_text
from sfida.engines.drawing.terminal import named_badge as badge_named
from sfida.engines.drawing.terminal import overlaid, paragraph, seat_line, table, table_lines, words, wrap
from sfida.engines.language import N_, _, named, pgettext

# ---- text map

LABEL = 11                                                      # columns of the longest label
ROADS = {"lake": "≈", "road": "=", "trail": "·"}                # rivers are drawn as ─ │ ╱ ╲
COAST = "coast"


@dataclass(frozen=True)
class TextMap:
    """The empty map, for a number of columns.

    Attributes
    ----------
    columns, rows : int
    chars : tuple of str
        Characters by row.
    kinds : tuple of rows of str
        Meaning of each character: a kind of connection, "coast", or "" for nothing.
    water : tuple of rows of bool
        Whether the middle of a cell lies in the sea or a lake.
    spots : tuple of (row, column)
        Start of each site's label.
    """

    columns: int
    rows: int
    chars: tuple[str, ...]
    kinds: tuple[tuple[str, ...], ...]
    water: tuple[tuple[bool, ...], ...]
    spots: tuple[tuple[int, int], ...]


@cache
def text_map(columns: int, low: bool = False) -> TextMap:
    """Return the map for a number of columns; the low map omits the lines without sites."""
    data = load_data()["board"]["text_map"]
    lines = sorted({site.row for site in sites()}) if low else range(int(data["rows"]))
    rows, row_of = len(lines), {line: row for row, line in enumerate(lines)}
    grow = (columns - LABEL) / (int(data["columns"]) - LABEL)
    spots = tuple((row_of[site.row], round(site.column * grow)) for site in sites())
    middles = [(column + 4.0, row + 0.5) for row, column in spots]
    canvas = DotCanvas(columns, rows)
    rings = [[_bent(point, middles) for point in (*ring, ring[0])] for ring in (sea(), *islands(), *lakes())]
    for ring in rings:
        canvas.draw(ring)
    chars = [list(line) for line in canvas.lines()]
    kinds = [[COAST if char != " " else "" for char in line] for line in chars]
    coast, *others = [canvas.covered(ring[:-1]) for ring in rings]
    island, lake = others[:len(islands())], others[len(islands()):]
    water = tuple(tuple((coast[row][column] and not any(one[row][column] for one in island))
                        or any(one[row][column] for one in lake) for column in range(columns)) for row in range(rows))
    for link in sorted(links(), key=lambda one: one.kind == "river"):
        _draw_link(chars, kinds, middles[link.a], middles[link.b], link.kind)
    return TextMap(columns, rows, tuple("".join(line) for line in chars), tuple(map(tuple, kinds)), water, spots)


def _bent(point: Point, middles: Sequence[Point]) -> Point:
    """Return column and row, in cells, of a point of the canvas.

    A site is at the middle of its label, and points near it move with it.
    """
    x, y = point
    (across, left), (down, top) = _scale(tuple(middles))
    column, row, total = 0.0, 0.0, 1e-12
    for site, (at, line) in zip(sites(), middles, strict=True):
        weight = 1 / ((x - site.x) ** 2 + (y - site.y) ** 2 + 60.0)**1.5
        column += weight * (at - across * site.x - left)
        row += weight * (line - down * site.y - top)
        total += weight
    return across * x + left + column / total, down * y + top + row / total


@cache
def _scale(middles: tuple[Point, ...]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the straight lines fitted to the places of the sites: columns by x, rows by y."""
    return (_fitted([site.x for site in sites()], [at for at, _ in middles]),
            _fitted([site.y for site in sites()], [line for _, line in middles]))


def _fitted(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs)
    return slope, my - slope * mx


def _draw_link(chars: list[list[str]], kinds: list[list[str]], start: Point, stop: Point, kind: str) -> None:
    """Draw a straight line of signs between the middles of two labels."""
    (ax, ay), (bx, by) = start, stop
    long = max(abs(bx - ax), abs(by - ay))
    sign = ROADS.get(kind) or _stroke(bx - ax, by - ay)
    for i in range(1, int(long)):
        column, row = int(ax + (bx - ax) * i / long), int(ay + (by - ay) * i / long)
        if kind == "trail" and abs(bx - ax) > abs(by - ay) and column % 2:
            continue
        chars[row][column], kinds[row][column] = sign, kind


def _stroke(across: float, down: float) -> str:
    if abs(across) > 5 * abs(down):
        return "─"
    if 2.2 * abs(across) < abs(down):
        return "│"
    return "╲" if (across > 0) == (down > 0) else "╱"


# ---- The board: the map, or a list of the sites by regions

MAP_WIDTH, WIDEST = 100, 132

# Colours of the 256-colour palette.
_WATER, _LAST, _SIEGE = 24, 202, 208
_INKS = {COAST: 109, "river": 39, "lake": 117, "road": 179, "trail": 203}
_NOBODY = (252, 238)
_PIECE_SIGNS = (N_("1 village"), N_("2 town"), N_("# fort"), N_("* settler"), N_("~ ship"), N_("- sea only"),
                N_("! siege"), N_(">last"))
_WAYS = {"river": N_("river"), "lake": N_("lake"), "road": N_("road"), "trail": N_("trail")}
_TEXT_SIGNS = {"river": "~", "lake": "≈", "road": "=", "trail": "·"}


@cache
def seat_paint(seat: int) -> tuple[int, int]:
    """Return letter and ground colour of a side, or of nobody."""
    if seat < 0:
        return _NOBODY
    return paint(seat_rgb(seat))


def board_text(position: Position, *, seat: int | None = None, color: bool = False, width: int = 100,
               labels: bool = False, places: Collection[tuple[str, int]] = (), height: int | None = None) -> str:
    """Draw the map with its pieces, and a line or two that explain the signs.

    With 100 columns or more the board is a map of 28 lines (21 on a low screen), best with at least 110. Otherwise it
    is a list of the sites by regions with their connections, or without them on a narrow or low screen. The codes of
    the sites, used in the notation of moves, are always shown; the kind of a place is "site".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    chosen = frozenset(number for _, number in places) if labels else frozenset()

    def drawings() -> Iterator[list[str]]:
        key = piece_key(color=color, width=width)
        if width >= MAP_WIDTH:
            whole = _draw_map(position, chosen, color, width)
            yield [*whole, *key]
            yield whole
            yield _draw_map(position, chosen, color, width, low=True)
        listed = _draw_list(position, chosen, color, width)
        yield [*listed, *key]
        yield listed
        yield _draw_list(position, chosen, color, width, linked=False)

    return "\n".join(fitted(height, drawings()))


def piece_key(*, color: bool = False, width: int = 100) -> list[str]:
    """Explain the letters of the sides and the signs of the map."""
    parts = [badge_named(LETTERS[seat], seat_paint(seat), side_name(seat)) for seat in (0, 1)]
    parts += [words(_(sign)) for sign in _PIECE_SIGNS]
    strokes = "─╱" if width >= MAP_WIDTH else _TEXT_SIGNS["river"]
    parts += [words(f"{sign} {_(_WAYS[kind])}", _INKS[kind]) for kind, sign in (("river", strokes), *ROADS.items())]
    return wrap(parts, width, color, gap=2)


def site_text(position: Position, number: int) -> str:
    """Return the label of a site, such as "ALBB2# 4*"; the site of the last action has ">" in place of the space."""
    site, owner = sites(position.every_ship)[number], position.owner[number]
    stands = "." if owner < 0 else f"{LETTERS[owner]}{2 if position.town[number] else 1}"
    return (f"{site.code}{stands}{'#' if position.fort[number] else ''}"
            f"{'>' if position.last_site == number else ' '}{site.value}{'*' if site.settler else ''}"
            f"{'~' if site.ship else '-' if site.sea else ''}{'!' if position.siege_at(number) else ''}")


# ---- the map ------------------------------------------------------------------------------------------


def _draw_map(position: Position, chosen: frozenset[int], color: bool, width: int, low: bool = False) -> list[str]:
    """Lay the labels over the map; the parts between them are cached."""
    columns = min(width, WIDEST)
    shape = text_map(columns, low)
    laid: list[list[Label]] = [[] for _ in range(shape.rows)]
    for number, (row, start) in enumerate(shape.spots):
        text = site_text(position, number)
        written = _label(text, position.owner[number], number in chosen, color)
        laid[row].append(Label(start, len(text), written))
    return [overlaid(columns, labels, partial(_between, columns, low, color, row)) for row, labels in enumerate(laid)]


@lru_cache(maxsize=8192)
def _between(columns: int, low: bool, color: bool, row: int, start: int, stop: int) -> str:
    """Write a part of a line of the empty map."""
    shape = text_map(columns, low)
    cells = [Cell(char, _INKS.get(kind), _WATER if water else None, kind not in ("", COAST))
             for char, kind, water in zip(shape.chars[row][start:stop], shape.kinds[row][start:stop],
                                          shape.water[row][start:stop], strict=True)]
    return kept(cells, color)


@lru_cache(maxsize=4096)
def _label(text: str, owner: int, chosen: bool, color: bool) -> str:
    return kept(_entry(text, owner, chosen), color)


def _entry(text: str, owner: int, chosen: bool) -> list[Cell]:
    """Colour the label of a site: the owner's ground, the code of a place, the last action and a siege."""
    ground = seat_paint(owner)
    cells = words(text[:3], *(PLACE_PAINT if chosen else ground), bold=True)
    for char in text[3:]:
        cells.append(Cell(char, _LAST if char == ">" else _SIEGE if char == "!" else ground[0], ground[1], True))
    return cells


# ---- the list -----------------------------------------------------------------------------------------


def _draw_list(position: Position, chosen: frozenset[int], color: bool, width: int,
               linked: bool = True) -> list[str]:
    """List the sites by regions with their connections, or without connections if these do not fit."""
    longest = max(sum(4 + len(_TEXT_SIGNS[kind]) for kind, _ in links_of(site.number)) for site in sites())
    linked = linked and LABEL + 1 + longest <= width
    lines = []
    for region, members in regions():
        lines.append(line_text(words(named(region), bold=True)[:width], color))
        if not linked:
            lines += wrap([_entry(site_text(position, number), position.owner[number], number in chosen)
                           for number in members], width, color, gap=2)
            continue
        for number in members:
            text = site_text(position, number)
            cells = [*_entry(text, position.owner[number], number in chosen), *words(" " * (LABEL - len(text)))]
            for kind, other in links_of(number):
                cells += words(f" {_TEXT_SIGNS[kind]}", _INKS[kind])
                cells += words(sites()[other].code, *_faint(position, other))
            lines.append(line_text(cells, color))
    return lines


def _faint(position: Position, other: int) -> tuple[int | None, int | None]:
    """Return the paint of a neighbour: its owner's colours, or dim ones."""
    return seat_paint(position.owner[other]) if position.owner[other] >= 0 else (DIM, None)


# ---- The status: both sides, sieges, piles, the viewer's hand, the phase

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
    """Write one line per side; short heads if the table is too wide."""
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
    columns = [TextColumn(head, texts, bold) for head, _short, texts, bold in figures]
    if room + sum(column.room + 2 for column in columns) <= width:
        return table_lines(table(names, columns), width, color)
    columns = [column._replace(head=short) for column, (_head, short, *_figures) in zip(columns, figures, strict=True)]
    return table_lines(table(names, columns, gap=1), width, color)


def _name(position: Position, seat: int, viewer: int | None) -> list[Cell]:
    lit = seat == (position.winner if position.is_over else position.seat_to_move)
    name = _("{side} (you)").format(side=side_name(seat)) if seat == viewer else side_name(seat)
    return seat_line(">" if lit else " ", LETTERS[seat], seat_paint(seat), name, lit=lit, arrow=GREEN)


def _siege(siege: Siege, color: bool, width: int) -> list[str]:
    """Describe a siege: besieger, site, lead and cards."""
    parts = [_letter(siege.attacker), words(_("besiege {site}:").format(site=sites()[siege.site].name), bold=True),
             words(siege_stands(siege), bold=True)]
    for seat in (siege.attacker, 1 - siege.attacker):
        parts.append(words(f"{LETTERS[seat]}: {codes_text(siege.cards[seat]) or pgettext('acres', 'none')}"))
    return wrap(parts, width, color, indent=4, gap=2)


def _pile(seat: int, name: str, pile: Cards, dead: Sequence[int], color: bool, width: int) -> list[str]:
    """List the cards of a pile; unusable cards are in brackets."""
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
    """List the cards of the viewer's hand with their uses; without numbers, because numbers are moves."""
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
    """Show the cards that can still be gained, with prices, and the public contents of hand and deck together."""
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
    """Explain the price and uses of each empire card, and name the sites.

    Parameters
    ----------
    start : Position
        First position of the game, without the cards that the options exclude.
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
