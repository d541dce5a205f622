"""What stands below the map in the picture of Attila: the seats, the centuries and piles, and the viewer's hand."""

from __future__ import annotations

import textwrap
from xml.etree import ElementTree as ET

from sfida.engines.attila.narration import happened
from sfida.engines.attila.pieces_svg import (
    CARD_HIGH, CARD_WIDE, GOLD, INK, OUTLINE, card_backs, head, ink_on, marker, say, tile, tribe_card
)
from sfida.engines.attila.position import Position, Six
from sfida.engines.attila.style import (
    card_key, centuries, is_over, letters_of, ordinal, seat_name, seat_rgb, tile_key, tile_names, tribes
)
from sfida.engines.drawing.svg import FAINT, NOTES, BoxLook, add, box, hit, moved, seat_box, spaced, title
from sfida.engines.language import NP_, _, counted, ngettext, pgettext

_PLAIN, _LIT = BoxLook("#fbf5e5", "#c9b58a", 1.2), BoxLook("#fff1ae", "#c79a1d", 2.4)
_HEADS = ((NP_("attila", "points"), 212, "middle"), (NP_("attila", "if scored now"), 282, "middle"),
          (NP_("attila", "hand"), 352, "start"), (NP_("attila", "laid"), 466, "start"),
          (NP_("attila", "tiles left"), 640, "start"))
_ROW, _SEATS, _LETTER = 46.0, 760.0, 8.0      # the last: width of a letter of what happened


def draw_panel(root: ET.Element, position: Position, viewer: int | None, top: float, wide: float) -> float:
    """Draw everything below the map; return where the sheet ends."""
    panel = add(root, "g", class_="panel")
    bottom = _draw_seats(panel, position, viewer, 10, top, _SEATS)
    left = 10 + _SEATS + 12
    low = _draw_centuries(panel, position, left, top, wide - left - 10)
    low = _draw_piles(panel, position, left, low + 8, wide - left - 10)
    if viewer is not None and position.seats[viewer].hand is not None:
        bottom = _draw_hand(panel, position, viewer, 10, max(bottom, low) + 4, wide - 20)
    return _draw_key(panel, position, max(bottom, low) + 2, wide)


def _draw_key(panel: ET.Element, position: Position, y: float, wide: float) -> float:
    """Explain the marks on the map."""
    parts = [_("red border: start province"), _("dashed arrow: adjacent over water"), _("mountains part provinces"),
             _("dove: pacified"), _("swords: conflict"), _("violet outline: the last move")]
    parts += [_("the borders are reconstructed")] if position.land.reconstructed else []
    say(panel, wide / 2, y + 14, spaced(parts), 12, anchor="middle", fill=FAINT, class_="key")
    return y + 24


# ---- the seats ----------------------------------------------------------------------------------------


def _draw_seats(panel: ET.Element, position: Position, viewer: int | None, x: float, top: float, wide: float) -> float:
    group = add(panel, "g", class_="seats")
    over, laid = is_over(position), any(one.laid for one in position.seats)
    for name, at, anchor in _HEADS:
        if (name == "if scored now" and over) or (name == "laid" and not laid):
            continue
        say(group, x + at, top + 11, pgettext("attila", name), 11, anchor=anchor, fill=FAINT)
    y = top + 17
    for seat in range(position.players):
        _draw_seat(group, position, seat, viewer, x, y, wide)
        y += _ROW + 5
    return y


def _draw_seat(parent: ET.Element, position: Position, seat: int, viewer: int | None, x: float, y: float,
               wide: float) -> None:
    who = position.seats[seat]
    lit = seat in position.winners if is_over(position) else seat == position.seat_to_move
    group = add(parent, "g", class_=f"seat seat-{seat}")
    seat_box(group, x, y, wide, _ROW, _LIT if lit else _PLAIN, seat_rgb(seat), OUTLINE, stripe=7.0)
    marker(group, seat, x + 32, y + _ROW / 2, 15.0)
    say(group, x + 56, y + 22, seat_name(seat), 17, bold=True, serif=True, class_="name")
    say(group, x + 56, y + 37, ", ".join(_notes(position, seat, viewer)), 11, fill=NOTES, class_="notes")
    say(group, x + 212, y + 31, str(who.score), 23, anchor="middle", bold=True, serif=True, class_="score")
    if not is_over(position):
        say(group, x + 282, y + 29, f"+{who.prospect}", 14, anchor="middle", fill=FAINT, class_="prospect")
    if who.hand is not None:
        _draw_known(group, who.hand, x + 352, y + 12, 9.0, "known-hand")
    else:
        card_backs(group, x + 352, y + 12, who.hand_size)
    if who.hand_size:
        say(group, x + 352 + 9 * who.hand_size + 12, y + 29, str(who.hand_size), 13, bold=True, class_="hand-size")
    if who.laid:
        _draw_laid(group, who.laid, who.laid_cards, x + 466, y)
    for number, name in enumerate(tile_names()):
        tile(group, name, x + 656 + 34 * number, y + _ROW / 2, name not in who.tiles, 1.3)
        if seat == viewer:
            hit(add(group, "g", class_="hits"), tile_key(name), "rect", x=x + 656 + 34 * number - 17, y=y + 2,
                width=34.0, height=_ROW - 4, rx=5.0)


def _draw_laid(group: ET.Element, count: int, cards: Six | None, x: float, y: float) -> None:
    """Draw what a seat has laid in the conflict, open where the viewer may know it (ATT-6.5)."""
    laid = add(group, "g", class_="laid", data_count=count, data_known="" if cards is None else letters_of(cards))
    if cards is None:
        card_backs(laid, x, y + 12, count, 17.0)
    else:
        _draw_known(laid, cards, x, y + 12, 17.0, "known-laid")
    said = ngettext("{count} laid", "{count} laid", count).format(count=count)
    say(laid, x + 17 * count + 8, y + 29, said, 12, bold=True)


def _draw_known(parent: ET.Element, cards: Six, x: float, y: float, step: float, name: str) -> None:
    """Draw known cards small, side by side, each with the letter of its tribe."""
    group = add(parent, "g", class_=name)
    for i, letter in enumerate(letters_of(cards)):
        tribe = next(one for one in tribes() if one.letter == letter)
        add(group, "rect", x=x + step * i, y=y, width=15.0, height=22.0, rx=2.4, fill=tribe.rgb, stroke=OUTLINE,
            stroke_width=1.0)
        say(group, x + step * i + (7.5 if step > 14 else 4.6), y + 15, letter, 9.5, anchor="middle", bold=True,
            fill=ink_on(tribe.rgb))


def _notes(position: Position, seat: int, viewer: int | None) -> list[str]:
    notes = [_("you")] if seat == viewer else []
    if is_over(position):
        return [*notes, pgettext("attila", "winner")] if seat in position.winners else notes
    if seat == position.seat_on_turn:
        notes.append(pgettext("attila", "active"))
    if seat == position.seat_to_move and seat != position.seat_on_turn:
        notes.append(pgettext("attila", "to move"))
    return notes


# ---- centuries and piles ------------------------------------------------------------------------------


def _draw_centuries(panel: ET.Element, position: Position, x: float, top: float, wide: float) -> float:
    """Draw the century spaces with the peace tiles left (ATT-2.2)."""
    group = add(panel, "g", class_="centuries")
    room = (wide - 18) / len(centuries())
    for number, (century, left) in enumerate(zip(centuries(), position.peace, strict=True)):
        at = x + (room + 6) * number
        now = century.number == position.century and not is_over(position)
        item = add(group, "g", class_="century now" if now else "century", data_century=century.number, data_left=left)
        title(item, _("{ordinal} century: {left} of {tiles} peace tiles left; a card brings {gain} influence").format(
            ordinal=ordinal(century.number), left=left, tiles=century.tiles, gain=century.gain))
        box(item, at, top, room, 88, _LIT if now else _PLAIN)
        say(item, at + room / 2, top + 18, _("{ordinal} century").format(ordinal=ordinal(century.number)), 13,
            anchor="middle", bold=True, serif=True)
        step = min(31.0, (room - 36) / max(1, century.tiles - 1)) if century.tiles > 1 else 0.0
        for i in range(century.tiles):
            cx, cy = at + room / 2 + step * (i - (century.tiles - 1) / 2), top + 42
            if i < left:
                add(item, "use", href="#att-peace", transform=f"translate({cx:.1f} {cy}) scale(0.92)")
            else:
                add(item, "circle", cx=cx, cy=cy, r=13.4, fill="none", stroke="#bfae86", stroke_width=1.1,
                    stroke_dasharray="3 3")
        say(item, at + room / 2, top + 79, _("+{gain} influence").format(gain=century.gain), 12, anchor="middle",
            bold=now, fill=INK if now else FAINT)
    return top + 88


def _draw_piles(panel: ET.Element, position: Position, x: float, top: float, wide: float) -> float:
    """Draw the draw pile, the discards by tribe, what is put aside for an exchange, and what happened last."""
    group = add(panel, "g", class_="piles")
    lines = [(line, number == 0 and position.battle is not None) for number, text in enumerate(happened(position))
             for line in textwrap.wrap(text, int((wide - 24) / _LETTER))]
    given = sum(position.given)
    tall = 42.0 + 18 * len(lines) + (30 if given else 0)
    box(group, x, top, wide, tall, _PLAIN)
    for i in range(min(3, position.pile)):
        add(group, "use", href="#att-back", x=x + 12 + 2.0 * i, y=top + 11 - 1.5 * i)
    say(group, x + 40, top + 27, _("pile {cards}").format(cards=position.pile), 13, bold=True, class_="pile")
    say(group, x + 112, top + 27, _("discards"), 12, fill=FAINT)
    for tribe in tribes():
        at = x + 184 + 66 * tribe.number
        head(group, tribe.number, at, top + 22, 0.92)
        say(group, at + 14, top + 27, str(position.discards[tribe.number]), 13, bold=True,
            class_=f"discard tribe-{tribe.number}")
    y = top + 38
    if given:
        say(group, x + 12, y + 17, _("put aside for an exchange"), 12, fill=FAINT)
        _draw_known(group, position.given, x + 184, y + 2, 18.0, "given")
        y += 30
    for number, (line, bold) in enumerate(lines):
        say(group, x + 12, y + 13 + 18 * number, line, 12.5, bold=bold, class_="told")
    return top + tall


# ---- the hand -----------------------------------------------------------------------------------------


def _draw_hand(panel: ET.Element, position: Position, viewer: int, x: float, top: float, wide: float) -> float:
    """Draw the hand of the viewer as piles by tribe, then the cards it has laid."""
    who = position.seats[viewer]
    assert who.hand is not None
    group = add(panel, "g", class_="hand")
    box(group, x, top, wide, CARD_HIGH + 34, _PLAIN)
    say(group, x + 14, top + 24, pgettext("attila", "Your hand"), 15, bold=True, serif=True)
    say(group, x + 14, top + 42, counted(who.hand_size, "card", "cards"), 12, fill=FAINT)
    at = x + 118
    for tribe in tribes():
        if who.hand[tribe.number]:
            tribe_card(group, tribe.number, at, top + 20, who.hand[tribe.number])
            hit(add(group, "g", class_="hits"), card_key(tribe.number), "rect", x=at, y=top + 20, width=CARD_WIDE,
                height=CARD_HIGH, rx=5.0)
            at += CARD_WIDE + 32
    if who.laid_cards is not None and who.laid:
        at = max(at + 30, x + 700)
        own = moved(group, 0, 0, class_="own-laid")
        add(own, "rect", x=at - 16, y=top + 8, width=x + wide - at + 8, height=CARD_HIGH + 18, rx=6.0, fill="none",
            stroke=GOLD, stroke_width=2.0, stroke_dasharray="6 4")
        say(own, at - 4, top + 26, _("face down"), 11, bold=True, fill=FAINT)
        at += 74
        for tribe in tribes():
            if who.laid_cards[tribe.number]:
                tribe_card(own, tribe.number, at, top + 20, who.laid_cards[tribe.number], _("face down"))
                at += CARD_WIDE + 32
    return top + CARD_HIGH + 34
