"""What stands below the map in the picture of RisiKo!: the seats, and objective and hand of the viewing seat."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from sfida.engines.drawing.colors import OUTLINE
from sfida.engines.drawing.svg import (
    FAINT, LIT, NOTES, PLAIN, BoxLook, add, box, hit, moved, seat_box, seat_notes, spaced, title
)
from sfida.engines.language import _
from sfida.engines.risiko.map import HIGH, WIDE
from sfida.engines.risiko.narration import fate
from sfida.engines.risiko.pieces_svg import CARD_HIGH, CARD_WIDE, card_back, ink_on, say, territory_card
from sfida.engines.risiko.position import Position, SeatPosition
from sfida.engines.risiko.style import (
    ARMIES, CARDS, CONTINENTS, INCOME, POINTS, TERRITORIES, card_key, continents, hand_order, heading, is_over,
    objective_victim, seat_letter, seat_name, seat_rgb, set_name, sets_in, spelled_goal, territories
)

_OWN = BoxLook("#fdf3d3", "#8c1d18", 2.0)
_SIDE, _ROW, _EXTRA = 396.0, 37.0, 13.0
_LINE = 88                              # letters in a line about a seat
_MOST_BACKS = 9


def draw_panel(root: ET.Element, position: Position, viewer: int | None, top: float, wide: float) -> float:
    """Draw everything below the map; return where the sheet ends."""
    panel = add(root, "g", class_="panel")
    who = position.seats[viewer] if viewer is not None else None
    beside = who is not None and (who.objective is not None or bool(who.cards))
    side = wide - 10 - _SIDE
    bottom = _draw_seats(panel, position, viewer, 10, top, side - 20)
    if beside and viewer is not None:
        bottom = max(bottom, _draw_own(panel, position, viewer, side, top))
    else:
        bottom = max(bottom, _draw_continents(panel, position, side, top))
    return _draw_key(panel, position, bottom + 4, wide)


def _draw_key(panel: ET.Element, position: Position, y: float, wide: float) -> float:
    """Explain the marks on the map."""
    parts = [_("number on a tank: armies"), _("flag: 10 or more"), _("dashed: sea lines"), _("red arrow: attack"),
             _("green arrow: march"), _("★ your objective")]
    if position.tournament:
        parts.append(_("small red number: points"))
    say(panel, wide / 2, y + 14, spaced(parts), 11, anchor="middle", fill=FAINT, class_="key")
    return y + 24


# ---- the seats ----------------------------------------------------------------------------------------


def _columns(position: Position, wide: float) -> dict[str, float]:
    """Return where the columns of the table of seats stand: middles, but starts of `cards` and `continents`."""
    names = [TERRITORIES, ARMIES, INCOME] + ([POINTS] if position.tournament else [])
    at = {name: 186.0 + 53 * i for i, name in enumerate(names)}
    after = 186.0 + 53 * len(names) - 14
    return at | {CARDS: after, CONTINENTS: after + max(98.0, 0.30 * (wide - after))}


def _draw_seats(panel: ET.Element, position: Position, viewer: int | None, x: float, top: float, wide: float) -> float:
    columns = _columns(position, wide)
    group = add(panel, "g", class_="seats")
    for name, at in columns.items():
        say(group, x + at, top + 12, heading(name), 11,
            anchor="start" if name in (CARDS, CONTINENTS) else "middle", fill=FAINT)
    counts = _("deck {deck}  ·  discards {discards}").format(deck=position.deck, discards=len(position.discards))
    say(group, x + 4, top + 12, counts, 11, fill=FAINT, class_="deck")
    y = top + 19
    for seat in range(position.players):
        y = _draw_seat(group, position, seat, viewer, x, y, wide, columns) + 5
    return y


def _draw_seat(parent: ET.Element, position: Position, seat: int, viewer: int | None, x: float, y: float, wide: float,
               columns: dict[str, float]) -> float:
    who = position.seats[seat]
    told = _broken(_told(position, seat, viewer), _LINE, 2)
    high = _ROW + (4 + _EXTRA * len(told) if told else 0)
    lit = seat in position.winners if is_over(position) else seat == position.seat_to_move
    group = add(parent, "g", class_=f"seat seat-{seat}", opacity=None if who.alive else 0.62)
    rgb = seat_rgb(position, seat)
    seat_box(group, x, y, wide, high, LIT if lit else PLAIN, rgb, OUTLINE)
    _badge(moved(group, x + 32, y + 19, 0.92), position, seat)
    notes = ", ".join(_notes(position, seat, viewer))
    say(group, x + 57, y + (18 if notes else 24), seat_name(position, seat), 15, bold=True, serif=True, class_="name")
    say(group, x + 57, y + 31, notes, 10.5, fill=NOTES, class_="notes")
    if who.alive:
        _draw_figures(group, position, who, x, y, wide, columns)
    else:
        say(group, x + 172, y + 24, fate(position, who), 13, fill="#7a1712", class_="fate")
    for row, line in enumerate(told):
        say(group, x + 57, y + _ROW + 9 + _EXTRA * row, line, 11, class_="objective")
    return y + high


def _badge(group: ET.Element, position: Position, seat: int) -> None:
    """Draw a tank in the colour of a seat, with its letter."""
    rgb = seat_rgb(position, seat)
    add(group, "use", href="#ris-tank", fill=rgb)
    say(group, 0, 4, seat_letter(position, seat), 12, anchor="middle", bold=True, fill=ink_on(rgb))


def _notes(position: Position, seat: int, viewer: int | None) -> list[str]:
    won = _("winner") if len(position.winners) == 1 else _("shares the victory")
    ending = (won if seat in position.winners else "") if is_over(position) else None
    return seat_notes(seat, viewer, position.seat_to_move, position.seat_on_turn, ending)


def _told(position: Position, seat: int, viewer: int | None) -> str:
    """Return the objective of a seat that is known but not shown beside the table."""
    who = position.seats[seat]
    if who.objective is None or seat == viewer:
        return ""
    told = _("Objective: {objective} ({progress})") if who.progress else _("Objective: {objective}")
    return told.format(objective=who.objective_name, progress=who.progress)


def _draw_figures(group: ET.Element, position: Position, who: SeatPosition, x: float, y: float, wide: float,
                  columns: dict[str, float]) -> None:
    figures = {TERRITORIES: str(who.territories), ARMIES: str(who.armies), INCOME: f"+{who.income}"}
    if position.tournament:
        figures[POINTS] = "?" if who.points is None else str(who.points)
    for name, text in figures.items():
        say(group, x + columns[name], y + 25, text, 17 if name == TERRITORIES else 14.5, anchor="middle",
            bold=name in (TERRITORIES, POINTS), class_=name)
    at = x + columns[CARDS]
    cards = add(group, "g", class_="cards", data_count=who.card_count)
    shown = min(who.card_count, _MOST_BACKS)
    step = min(9.0, 50.0 / max(1, shown - 1))
    for i in range(shown):
        card_back(moved(cards, at + i * step, y + 7), 0)
    say(cards, at + (step * (shown - 1) + 21 if shown else 0), y + 24, str(who.card_count), 14.5, bold=True)
    at = x + columns[CONTINENTS]
    step = min(30.0, (x + wide - 33 - at) / max(1, len(who.continents) - 1))
    if not who.continents:
        say(group, at, y + 24, "–", 14.5, fill=FAINT, class_="no-continent")
    for number in who.continents:
        continent = continents()[number]
        chip = moved(group, at, y + 9, class_="continent", data_continent=number)
        title(chip, _("{land}, {bonus} armies per turn").format(land=continent.name, bonus=continent.bonus))
        add(chip, "rect", width=27.0, height=20.0, rx=5.0, fill=continent.rgb, stroke=OUTLINE, stroke_width=0.9)
        say(chip, 13.5, 14.3, continent.code, 11, anchor="middle", bold=True, fill=ink_on(continent.rgb))
        at += step


# ---- the continents -----------------------------------------------------------------------------------


def _draw_continents(panel: ET.Element, position: Position, x: float, top: float) -> float:
    """Show who holds how much of every continent: one square per territory, in the colours of the seats."""
    group = add(panel, "g", class_="holdings")
    high = 34.0 + 24 * len(continents())
    box(group, x, top, _SIDE, high)
    say(group, x + 12, top + 20, _("Continents"), 12, bold=True, serif=True, fill="#8c1d18")
    most = max(len(continent.territories) for continent in continents())
    step = min(20.0, (_SIDE - 190) / most)
    for row, continent in enumerate(continents()):
        owners = sorted((position.owner[number] for number in continent.territories), key=lambda one: (one < 0, one))
        y = top + 30 + 24 * row
        line = add(group, "g", class_="holding", data_continent=continent.number)
        add(line, "rect", x=x + 10, y=y, width=34.0, height=20.0, rx=5.0, fill=continent.rgb, stroke=OUTLINE,
            stroke_width=0.9)
        say(line, x + 27, y + 14.2, f"+{continent.bonus}", 11, anchor="middle", bold=True, fill=ink_on(continent.rgb))
        say(line, x + 54, y + 14.5, continent.name, 13, bold=owners[0] == owners[-1] >= 0, serif=True)
        for i, owner in enumerate(owners):
            at, rgb = x + 180 + step * i, seat_rgb(position, owner) if owner >= 0 else "none"
            add(line, "rect", x=at, y=y + 2, width=step - 2, height=16.0, rx=2.5, fill=rgb,
                stroke=OUTLINE if owner >= 0 else FAINT, stroke_width=0.9)
            if owner >= 0:
                say(line, at + step / 2 - 1, y + 13.2, seat_letter(position, owner), 9, anchor="middle", bold=True,
                    fill=ink_on(rgb))
    return top + high


# ---- the viewing seat ---------------------------------------------------------------------------------


def _draw_own(panel: ET.Element, position: Position, viewer: int, x: float, top: float) -> float:
    who = position.seats[viewer]
    group = add(panel, "g", class_="own", data_seat=viewer)
    y = top
    if who.objective is not None:
        y = _draw_objective(group, position, who, viewer, x, y) + 8
    if who.cards:
        y = _draw_hand(group, position, who.cards, viewer, x, y)
    return y


def _draw_objective(parent: ET.Element, position: Position, who: SeatPosition, viewer: int, x: float,
                    top: float) -> float:
    assert who.objective is not None
    group = add(parent, "g", class_="objective", data_objective=who.objective)
    high = 126.0
    box(group, x, top, _SIDE, high, _OWN)
    scale = 178 / WIDE
    small = moved(group, x + _SIDE - 186, top + (high - scale * HIGH) / 2, scale, class_="small-map")
    add(small, "rect", width=WIDE, height=HIGH, rx=40.0, fill="#5c9fc0")
    add(small, "use", href="#ris-world", fill="#eadfbd", stroke="#8a7a52", stroke_width=2)
    for number, mine in _shown(position, who, viewer):
        add(small, "use", href=f"#ris-t{number}", fill="#2f8f3e" if mine else "#d8342a", stroke=OUTLINE, stroke_width=3,
            class_="owned" if mine else "wanted", data_territory=number)
    say(group, x + 12, top + 20, _("Your objective"), 12, bold=True, serif=True, fill="#8c1d18")
    room = 29
    lines = _broken(who.objective_name, 22, 3)
    y = top + 39
    for line in lines:
        say(group, x + 12, y, line, 13.5, bold=True, serif=True, class_="objective-name")
        y += 16
    for line in _broken(spelled_goal(position, who), room, 3):
        say(group, x + 12, y, line, 10.5, fill=FAINT)
        y += 12.5
    for line in _broken(who.progress, room, 2)[::-1]:
        say(group, x + 12, top + high - 10, line, 11.5, bold=True, fill="#1f6a2c", class_="progress")
        high -= 14
    return top + 126.0


def _shown(position: Position, who: SeatPosition, viewer: int) -> list[tuple[int, bool]]:
    """Return the territories of the small map and whether they are owned: those that the objective names, those of the
    seat to be destroyed, or else all own ones."""
    if who.goal:
        return [(number, position.owner[number] == viewer) for number in who.goal]
    victim = objective_victim(position, who)
    if victim >= 0:
        return [(number, False) for number, owner in enumerate(position.owner) if owner == victim]
    return [(number, True) for number, owner in enumerate(position.owner) if owner == viewer]


def _broken(text: str, width: int, most: int) -> list[str]:
    """Break a text into lines at its spaces, the last cut off if there are too many."""
    lines = [""] if text else []
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    if len(lines) > most:
        lines = [*lines[:most - 1], lines[most - 1][:width - 2] + " …"]
    return lines


def _draw_hand(parent: ET.Element, position: Position, cards: tuple[int, ...], viewer: int, x: float,
               top: float) -> float:
    group = add(parent, "g", class_="hand", data_count=len(cards))
    found = sets_in(cards)
    say(group, x + 2, top + 11, _("Your cards"), 12, bold=True, serif=True, fill="#8c1d18")
    if found:
        told = _("set: {kind}").format(kind=set_name(found[0][0]))
        say(group, x + _SIDE, top + 11, told, 11, anchor="end", bold=True, fill="#1f6a2c", class_="set")
    step = min(CARD_WIDE + 6, (_SIDE - CARD_WIDE - 4) / max(1, len(cards) - 1))
    for i, card in enumerate(sorted(cards, key=hand_order)):
        mine = card < len(territories()) and position.owner[card] == viewer
        place = moved(group, x + 2 + i * step, top + 17)
        territory_card(place, card, mine)
        hit(place, card_key(card), "rect", width=CARD_WIDE, height=CARD_HIGH, rx=5.0)
    return top + 17 + CARD_HIGH + 5
