"""What stands below the board in the picture of Zarahemla: victory track, bank, costs, offer and the seats."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from sfida.engines.drawing.colors import GOLD, INK, OUTLINE
from sfida.engines.drawing.svg import FAINT, LIT, NOTES, PLAIN, add, box, hit, moved, num, seat_box, seat_notes, spaced
from sfida.engines.language import N_, _, ngettext, pgettext
from sfida.engines.zarahemla.pieces_svg import (
    army_sign, card_back, icon, price, resource_card, say, seat_ink, small_piece
)
from sfida.engines.zarahemla.position import Five, Position, SeatPosition
from sfida.engines.zarahemla.style import (
    RESOURCES, bank_key, card_key, card_names, costs, elsewhere, hand_key, has_temple, leaders, place_key,
    resource_noun, seat_letters, seat_names, seat_rgb, total_points
)

_COSTS = (("road", N_("Road")), ("settlement", N_("Settlement")), ("city", N_("City")), ("dev_card", N_("Card")),
          ("temple_stone", N_("Temple stone")))
_RACES = {"army": N_("army"), "road": N_("road"), "temple": N_("temple")}
_MOST_BACKS = 12


def draw_panel(root: ET.Element, position: Position, viewer: int | None, target: int, top: float,
               wide: float) -> float:
    """Draw everything below the board; return where the sheet ends."""
    panel = add(root, "g", class_="panel")
    y = _draw_track(panel, position, target, top, wide)
    y = _draw_bank(panel, position, y + 8, wide)
    if position.offer is not None:
        y = _draw_offer(panel, position, position.offer, y + 6, wide)
    columns = 3 if position.players == 3 else 2
    each = (wide - 20 - 8 * (columns - 1)) / columns
    for first in range(0, position.players, columns):
        y = _draw_row(panel, position, range(first, min(first + columns, position.players)), viewer, y + 8, each)
    return _draw_key(panel, y + 6, wide)


def _draw_key(panel: ET.Element, y: float, wide: float) -> float:
    """Explain the marks on the board."""
    parts = (_("dots: chances out of 36"), _("yellow ring: just rolled"), _("red outline: last move"),
             _("black pawn: the robber, no harvest there"), _("★ 2 points"))
    say(panel, wide / 2, y + 12, spaced(parts), 10.5, anchor="middle", fill=FAINT, class_="key")
    return y + 22


def _disc(parent: ET.Element, x: float, y: float, r: float, seat: int) -> None:
    add(parent, "circle", cx=float(x), cy=float(y), r=float(r), fill=seat_rgb(seat), stroke=OUTLINE, stroke_width=1.6)
    say(parent, x, y + 0.36 * r * 1.1, seat_letters(seat + 1)[seat], 1.1 * r, anchor="middle", bold=True,
        fill=seat_ink(seat))


# ---- the table ----------------------------------------------------------------------------------------


def _draw_track(panel: ET.Element, position: Position, target: int, top: float, wide: float) -> float:
    """Draw the victory track with one marker per seat, by the points that everybody sees (ZAR-3.6)."""
    group = add(panel, "g", class_="track")
    each = (wide - 20) / target
    apart = next(n for n in (1, 2, 5, 10) if n * each > 19)
    for points in range(1, target + 1):
        last = points == target
        add(group, "rect", x=10 + (points - 1) * each, y=top, width=each, height=36.0,
            fill=GOLD if last else ("#f4e6c3", "#ead6a4")[points % 2], stroke="#8a6a2c", stroke_width=1.0)
        if last or (points % apart == 0 and points + apart <= target):
            say(group, 10 + (points - 0.5) * each, top + 11, str(points), min(10.5, 0.42 * apart * each),
                anchor="middle", bold=last, fill="#4a3512" if last else "#6d5527")
    stacks: dict[int, list[int]] = {}
    over = position.phase == "game_over"
    shown = [total_points(position, seat) if over else who.points for seat, who in enumerate(position.seats)]
    for seat, points in enumerate(shown):
        if points > 0:
            stacks.setdefault(min(points, target), []).append(seat)
    for points, seats in stacks.items():
        step = min(21.0, max(9.0, (each - 1) / len(seats)))
        for i, seat in enumerate(seats):
            x = 10 + (points - 0.5) * each + step * (i - (len(seats) - 1) / 2)
            marker = add(group, "g", class_=f"marker seat-{seat}", data_points=shown[seat])
            _disc(marker, x, top + 24, min(10.0, 0.48 * step), seat)
    return top + 36


def _draw_bank(panel: ET.Element, position: Position, top: float, wide: float) -> float:
    group = add(panel, "g", class_="bank")
    box(group, 10, top, wide - 20, 62)
    name = _("Bank")
    say(group, 20, top + 36, name, min(14, 56 / len(name)), bold=True)
    for i, (kind, count) in enumerate(zip(RESOURCES, position.bank, strict=True)):
        place = moved(group, 66 + 38 * i, top + 6)
        resource_card(place, kind, count)
        _card_hit(place, bank_key(i))
        say(group, 81 + 38 * i, top + 57, resource_noun(kind), 10, anchor="middle", fill=FAINT)
    prices = add(panel, "g", class_="costs")
    x = 272.0
    for key, name in _COSTS:
        if key == "temple_stone" and not has_temple(position):
            continue
        cost = costs()[key]
        step = 15.5
        room = max(sum(cost) * step, 7.1 * len(_(name))) + 22
        say(prices, x, top + 22, _(name), 12, bold=True)
        price(moved(prices, x + 7, top + 41), cost, step)
        x += room
    return top + 62


def _draw_offer(panel: ET.Element, position: Position, offer: tuple[int, Five, Five], top: float,
                wide: float) -> float:
    giver, give, want = offer
    group = add(panel, "g", class_="offer", data_seat=giver)
    box(group, 10, top, wide - 20, 34, LIT._replace(stroke=1.6))
    _disc(group, 30, top + 17, 11, giver)
    gives = _("{name} gives").format(name=seat_names(position.players)[giver])
    say(group, 48, top + 22, gives, 13.5, bold=True)
    x = _draw_side(group, give, 54.4 + 8.6 * len(gives), top + 17)
    say(group, x + 6, top + 22, _("for"), 13.5, bold=True)
    _draw_side(group, want, x + 44, top + 17)
    return top + 34


def _draw_side(group: ET.Element, counts: Five, x: float, y: float) -> float:
    """Draw one side of an offer, which of a gift is empty."""
    if any(counts):
        return _draw_five(group, counts, x, y)
    say(group, x, y + 5, pgettext("zarahemla", "nothing"), 13.5)
    return x + 56


def _draw_five(group: ET.Element, counts: Five, x: float, y: float) -> float:
    """Draw a few cards as signs with numbers; return where the next thing may stand."""
    for kind, count in zip(RESOURCES, counts, strict=True):
        if count:
            say(group, x, y + 5, str(count), 14, bold=True)
            icon(moved(group, x + 24, y), kind)
            x += 46
    return x


# ---- the seats ----------------------------------------------------------------------------------------


def _draw_row(panel: ET.Element, position: Position, seats: range, viewer: int | None, top: float,
              wide: float) -> float:
    """Draw seats side by side in boxes of one height, what they count at the foot; return where they end."""
    groups = [add(panel, "g", class_=f"seat seat-{seat}") for seat in seats]
    places = [10 + i * (wide + 8) for i in range(len(seats))]
    boxes = [seat_box(group, x, top, wide, 10, LIT if _is_lit(position, seat) else PLAIN, seat_rgb(seat), OUTLINE,
                      class_="edge") for seat, group, x in zip(seats, groups, places, strict=True)]
    foot = max(_draw_seat(group, position, seat, viewer, x, top, wide)
               for seat, group, x in zip(seats, groups, places, strict=True))
    bottom = foot
    for seat, group, x in zip(seats, groups, places, strict=True):
        bottom = _draw_counts(group, position, position.seats[seat], seat, x + 14, foot, wide - 28)
    for back, stripe in boxes:
        back.set("height", num(bottom - top))
        stripe.set("height", num(bottom - top - 2))
    for seat, group, x in zip(seats, groups, places, strict=True):
        if seat != viewer:
            hit(add(group, "g", class_="hits"), place_key("seat", seat), "rect", x=float(x), y=float(top), width=wide,
                height=bottom - top, rx=8.0)
    return bottom


def _is_lit(position: Position, seat: int) -> bool:
    return seat in leaders(position) if position.phase == "game_over" else seat == position.seat_to_move


def _draw_seat(group: ET.Element, position: Position, seat: int, viewer: int | None, x: float, top: float,
               wide: float) -> float:
    """Draw name, points and cards of a seat; return where they end."""
    who = position.seats[seat]
    name = seat_names(position.players)[seat]
    _disc(group, x + 26, top + 21, 13, seat)
    say(group, x + 46, top + 26, name, 15.5, bold=True, serif=True)
    ending = None if position.phase != "game_over" else _("winner") if seat == position.winner else ""
    notes = seat_notes(seat, viewer, position.seat_to_move, position.seat_on_turn, ending)
    say(group, x + 52 + 10.2 * len(name), top + 26, ", ".join(notes), 11.5, fill=NOTES)
    secret = f"+{who.secret_points}" if who.secret_points else ""
    end = x + wide - 12
    if secret:
        say(group, end, top + 28, secret, 16, anchor="end", bold=True, fill="#6b3f8f", class_="secret-points")
        end -= 12 * len(secret)
    say(group, end, top + 30, str(who.points), 25, anchor="end", bold=True, serif=True, class_="score")
    y = _draw_hand(group, who, x + 14, top + 42, wide - 28, seat == viewer)
    if seat == viewer:
        y = _draw_elsewhere(group, position, seat, x + 14, y)
    return _draw_cards(group, who, x + 14, y + 6, wide - 28, top + 42, seat == viewer) + 4


def _card_hit(place: ET.Element, key: str) -> None:
    """Draw the shape of a resource card."""
    hit(add(place, "g", class_="hits"), key, "rect", width=30, height=40, rx=4)


def _draw_hand(group: ET.Element, who: SeatPosition, x: float, y: float, wide: float, own: bool) -> float:
    """Draw the resource cards, and beside hidden ones the development cards, hidden too."""
    hand = add(group, "g", class_="hand", data_size=who.hand_size)
    if who.hand is not None:
        for i, (kind, count) in enumerate(zip(RESOURCES, who.hand, strict=True)):
            place = moved(hand, x + 36 * i, y)
            resource_card(place, kind, count)
            if own:
                _card_hit(place, hand_key(i))
        right = x + 186
    else:
        right = x + _fan(hand, "resource", who.hand_size, x, y + 3, 0.54 * wide - 44) + 7
    _counted(hand, right, y + 19, who.hand_size, ngettext("card", "cards", who.hand_size))
    return y + 44


def _counted(parent: ET.Element, x: float, y: float, count: int, noun: str) -> None:
    say(parent, x, y, str(count), 15, bold=True)
    say(parent, x, y + 12, noun, 10, fill=FAINT)


def _fan(parent: ET.Element, kind: str, count: int, x: float, y: float, wide: float) -> float:
    """Fan out the backs of cards, twelve at most; return how wide the fan is."""
    shown = min(count, _MOST_BACKS)
    step = min(13.0, (wide - 24) / max(1, shown - 1))
    fan = moved(parent, x, y)
    for i in range(shown):
        card_back(fan, kind, i * step)
    return 24 + step * (shown - 1) if shown else 0.0


def _draw_elsewhere(group: ET.Element, position: Position, seat: int, x: float, y: float) -> float:
    """Say what the hidden hands hold together, for it follows from what the seat sees (ZAR-17.4)."""
    together = elsewhere(position, seat)
    if together is None or all(other.hand is not None for other in position.seats):
        return y
    row = add(group, "g", class_="elsewhere")
    say(row, x, y + 14, _("others hold"), 11, fill=FAINT)
    at = x + 76
    for kind, count in zip(RESOURCES, together, strict=True):
        icon(moved(row, at, y + 10, 0.62), kind)
        say(row, at + 9, y + 14.5, str(count), 12, bold=True)
        at += 29 if count < 10 else 37
    return y + 20


def _draw_cards(group: ET.Element, who: SeatPosition, x: float, y: float, wide: float, beside: float,
                own: bool) -> float:
    """Draw the development cards: by name where they are known, else from behind at `beside`; then those played."""
    cards = add(group, "g", class_="cards", data_count=who.card_count)
    if who.cards is None:
        at, line = x + (0.56 * wide if who.hand is None else 228.0), beside
        if at + 96 > x + wide:                     # no room beside an open hand
            at, line, y = x, y, y + 40
        room = min(90.0, x + wide - at - 72)
        _counted(cards, at + _fan(cards, "development", who.card_count, at, line + 3, room) + 7, line + 19,
                 who.card_count, pgettext("zarahemla cards", "development"))
    else:
        y = _draw_chips(cards, who.cards, x, y, wide, "#5d3f78", "#ffffff", own=own)
    played = [(name, count) for name, count in who.played if name != "stripling_warrior"]
    return _draw_chips(add(group, "g", class_="played"), played, x, y, wide, "#e9dfc6", FAINT,
                       pgettext("zarahemla", "played"))


def _draw_chips(group: ET.Element, cards: Sequence[tuple[str, int]], x: float, y: float, wide: float, fill: str,
                ink: str, lead: str = "", own: bool = False) -> float:
    """Write cards as labels, a new line where the next would not fit; return where the last line ends."""
    if not cards:
        return y
    at = x
    if lead:
        say(group, x, y + 14, lead, 11, fill=FAINT)
        at += 44
    for name, count in cards:
        text = card_names().get(name, name) + (f" ×{count}" if count > 1 else "")
        room = 6.5 * len(text) + 14
        if at + room > x + wide and at > x:
            at, y = x, y + 23
        add(group, "rect", x=at, y=y, width=room, height=20.0, rx=5.0, fill=fill, stroke=OUTLINE, stroke_width=0.8)
        say(group, at + room / 2, y + 14, text, 11, anchor="middle", fill=ink, bold=True, class_="card-name")
        if own:
            hit(add(group, "g", class_="hits"), card_key(name), "rect", x=at, y=y - 1.5, width=room, height=23.0,
                rx=5.0)
        at += room + 6
    return y + 24


def _draw_counts(group: ET.Element, position: Position, who: SeatPosition, seat: int, x: float, y: float,
                 wide: float) -> float:
    """Draw army, road and temple with a star for the holder of the card, and the pieces left."""
    temple = has_temple(position)
    add(group, "path", d=f"M{x:.2f},{y:.2f} l{wide:.2f},0", stroke=PLAIN.line, stroke_width=1)
    races = [("army", who.warriors, who.largest_army), ("road", who.road_length, who.longest_road)]
    left = [("road", who.roads_left), ("settlement", who.settlements_left), ("city", who.cities_left)]
    if temple:
        races.append(("temple", who.stones, who.temple))
        left.append(("stone", who.stones_left))
    row = add(group, "g", class_="races")
    at = x
    narrow = wide < 300
    middle, grown = (6.5, 0.82) if narrow else (9.0, 1.0)
    for (name, value, holds), share in zip(races, (0.31, 0.31, 0.38), strict=False):
        item = add(row, "g", class_=f"race {name}", data_value=value)
        if holds:
            add(item, "rect", x=at - 3, y=y + 5, width=share * wide - 1, height=20.0, rx=5.0, fill=GOLD,
                stroke="#8a6a2c", stroke_width=1.0)
        if name == "army":
            army_sign(moved(item, at + middle, y + 15, 0.7 * grown))
        else:
            small_piece(moved(item, at + middle, y + 15, (0.58 if name == "road" else 0.62) * grown),
                        "stone" if name == "temple" else name, seat)
        text = f"{_(_RACES[name])} {value}" + (("" if narrow else " ") + "★" if holds else "")
        say(item, at + (15.5 if narrow else 20), y + 19.5, text,
            min(9.3, 245 * share / len(text)) if narrow else 12, bold=holds, fill=INK)
        at += share * wide
    row = add(group, "g", class_="supply")
    say(row, x, y + 43, pgettext("zarahemla pieces", "left"), 11, fill=FAINT)
    at = x + 38
    step = (wide - 38) / len(left)
    for name, value in left:
        small_piece(moved(row, at + 6, y + 39, {"road": 0.6, "settlement": 0.62, "city": 0.52, "stone": 0.72}[name]),
                    name, seat)
        say(row, at + 20, y + 43.5, str(value), 12.5, bold=True, class_=f"left-{name}")
        at += step
    return y + 54
