"""How the cards of A Few Acres of Snow are painted: whole cards with what they offer, and small chips for piles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from xml.etree import ElementTree as ET

from sfida.engines.acres.looks import Card, cards, offered, seat_rgb, sites
from sfida.engines.acres.piece_art import HALO, INK, OUTLINE, PAPER, coin, emblem, say, sign, strength_badge
from sfida.engines.acres.places import card_key
from sfida.engines.drawing.document import keep_place
from sfida.engines.drawing.elements import add, moved, title, written
from sfida.engines.drawing.pointing import hit
from sfida.engines.language import N_, _, language, pgettext

CARD_WIDE, CARD_HIGH, CHIP_HIGH = 124.0, 172.0, 24.0
_PARCHMENT, _LINE = "#ead9ae", "#b3965a"
_PICTURES = {"military_leader": "leader", "regular_infantry": "military", "convert": "cross", "home_support": "crown",
             "trader": "fur", "siege_artillery": "cannon", "militia": "military", "settlers": "settler",
             "irregulars": "ambush", "fortification": "fort", "governor": "scroll", "intendant": "quill",
             "natives": "feather"}
_PER_LINE = 3                                       # codes of linked sites in a line


_CARD_OF = {0: N_("British card {card} ({code})"), 1: N_("French card {card} ({code})"),
            -1: N_("neutral card {card} ({code})")}
_REACHES = {"boat": N_("by boat to {sites}"), "wagon": N_("by wagon to {sites}"), "ship": N_("by ship to {sites}")}


def card_title(card: Card) -> str:
    """Say all of a card in one line."""
    parts = [_(_CARD_OF[card.side]).format(card=card.name, code=card.code)]
    parts += [_(_REACHES[way]).format(sites=", ".join(sites()[place].name for place in places))
              for way, places in card.links]
    parts += [_("offers {offers}").format(offers=", ".join(card.offers))] if card.offers else []
    parts += [_("strength {force}").format(force=card.strength)] if card.strength else []
    return "; ".join([*parts, *card.abilities])


# Cards and chips are the same in most pictures, so that they are written once; a comment keeps their places.


def draw_card(parent: ET.Element, number: int, usable: bool = True, by_board: bool = False) -> None:
    """Draw a card 124 x 172 from its upper left corner; pale with a note where its limits forbid all use."""
    keep_place(parent, f"card {number} {int(usable)} {int(by_board)}")


def with_cards(document: str) -> str:
    """Return a written document with cards and chips in the places kept for them."""
    return re.sub(r"<!--(card|chip) ([0-9 ]+)-->", lambda found: _written(found[1], found[2], language()), document)


@lru_cache(maxsize=4096)
def _written(what: str, numbers: str, _language: str) -> str:
    holder = ET.Element("g")
    number, *more = map(int, numbers.split())
    if what == "card":
        _draw_card(holder, cards(bool(more[1]))[number], bool(more[0]))
    else:
        _draw_chip(holder, cards()[number], more[0], bool(more[1]))
    return written(holder)


def _draw_card(parent: ET.Element, card: Card, usable: bool) -> None:
    group = add(parent, "g", class_="card" if usable else "card unusable", data_card=card.number)
    title(group, card_title(card) + ("" if usable else f"; {_('not usable now')}"))
    rgb = seat_rgb(card.side)
    add(group, "rect", x=2.5, y=3.5, width=CARD_WIDE, height=CARD_HIGH, rx=8.0, fill="#000000", opacity=0.28)
    add(group, "rect", width=CARD_WIDE, height=CARD_HIGH, rx=8.0, fill=PAPER, stroke=OUTLINE, stroke_width=1.6)
    right = CARD_WIDE - 4
    add(group, "path", d=f"M4,27 V10 Q4,4 10,4 H{right - 6:.0f} Q{right:.0f},4 {right:.0f},10 V27 Z", fill=rgb)
    say(group, 10, 22, card.code, 17, bold=True, fill="#ffffff", class_="card-code")
    if card.side >= 0:
        emblem(group, card.side, CARD_WIDE - 18, 15.5, 0.8)
    size = min(12 if len(card.name) < 17 else 11, 198 / len(card.name))
    say(group, CARD_WIDE / 2, 41, card.name, size, anchor="middle", serif=True, bold=True)
    if card.site >= 0:
        _draw_location(group, card)
    else:
        _draw_empire(group, card, rgb)
    if not usable:
        add(group, "rect", width=CARD_WIDE, height=CARD_HIGH, rx=8.0, fill="#e9e2d0", opacity=0.5)
        band = moved(group, CARD_WIDE / 2, 120.5)
        add(band, "rect", x=-44.0, y=-12.0, width=88.0, height=19.0, rx=5.0, fill="#5b5347", opacity=0.92)
        say(band, 0, 2, "not usable", 12.5, anchor="middle", bold=True, fill="#ffffff", class_="unusable-note")


def _draw_location(group: ET.Element, card: Card) -> None:
    y = 56.0
    for way, places in card.links:
        sign(add(group, "g", fill=INK, color=INK), way, 17, y, 0.72)
        codes = [sites()[place].code for place in places]
        for start in range(0, len(codes), _PER_LINE):
            say(group, 31, y + 4.6, " ".join(codes[start:start + _PER_LINE]), 11, bold=True, class_=f"links {way}")
            y += 14.5
        y += 4
    if not card.links:
        say(group, CARD_WIDE / 2, 86, _("no links"), 11, anchor="middle", italic=True, fill=_LINE)
    add(group, "rect", x=7.0, y=128.0, width=CARD_WIDE - 14, height=37.0, rx=5.0, fill=_PARCHMENT, stroke=_LINE,
        stroke_width=1.2)
    count = len(card.symbols) + bool(card.coins)
    step = min(32.0, 104.0 / max(1, count))
    x = CARD_WIDE / 2 - step * (count - 1) / 2
    signs = add(group, "g", class_="symbols", fill=INK, color=INK)
    for name in card.symbols:
        sign(signs, name, x, 146.5, 1.0 if count < 4 else 0.82)
        x += step
    if card.coins:
        coin(moved(signs, x, 146.5), str(card.coins), 13.0 if count < 4 else 11.5)


def _draw_empire(group: ET.Element, card: Card, rgb: str) -> None:
    picture = _PICTURES.get(card.kind) or next(iter(card.symbols), "fort")
    if card.kind == "convert" and card.side == 0:
        picture = "feather"
    add(group, "circle", cx=CARD_WIDE / 2, cy=73.0, r=25.0, fill=_PARCHMENT, stroke=_LINE, stroke_width=1.2)
    sign(add(group, "g", fill=rgb, color=rgb), picture, CARD_WIDE / 2, 73, 1.55)
    if card.strength:
        strength_badge(moved(group, CARD_WIDE - 22, 62, class_="strength"), card.strength)
    if card.cost:
        coin(moved(group, 21, 62, class_="price"), str(card.cost), 11.5)
    add(group, "rect", x=7.0, y=104.0, width=CARD_WIDE - 14, height=61.0, rx=5.0, fill=_PARCHMENT, stroke=_LINE,
        stroke_width=1.2)
    lines = [*([" ".join(map(offered, card.symbols))] if card.strength == 0 and card.symbols else []), *card.abilities]
    y = 137.5 - 6.6 * (len(lines) - 1)
    for line in lines:
        say(group, CARD_WIDE / 2, y, line, min(10.5, 196 / len(line)), anchor="middle", class_="ability")
        y += 13.2


def card_back(parent: ET.Element, x: float, y: float, seat: int) -> None:
    """Draw the back of a card of a side, 22 x 31."""
    add(parent, "use", class_="back", href=f"#fas-back-{seat}", x=float(x), y=float(y))


def card_symbols(defs: ET.Element) -> None:
    """Define the backs of the cards."""
    for seat in range(2):
        back = add(defs, "g", id=f"fas-back-{seat}")
        add(back, "rect", width=22.0, height=31.0, rx=3.0, fill=seat_rgb(seat), stroke=HALO, stroke_width=1.2)
        add(back, "rect", x=2.6, y=2.6, width=16.8, height=25.8, rx=2.0, fill="none", stroke="#ffffff",
            stroke_width=0.8, opacity=0.7)
        emblem(back, seat, 11, 15.5, 0.56)


def _chip_text(card: Card, count: int) -> str:
    return card.code + (f"×{count}" if count > 1 else "")


def _chip_wide(card: Card, count: int, price: bool) -> float:
    return 11.6 * len(_chip_text(card, count)) + 12 + (18 if price else 0)


def _draw_chip(parent: ET.Element, card: Card, count: int, price: bool) -> None:
    title(parent, card_title(card))
    rgb, place, wide = seat_rgb(card.side), card.site >= 0, _chip_wide(card, count, price)
    add(parent, "rect", width=wide, height=CHIP_HIGH, rx=5.0, fill=PAPER if place else rgb, stroke=rgb,
        stroke_width=1.8)
    say(parent, (wide - (18 if price else 0)) / 2, 17.4, _chip_text(card, count), 14, anchor="middle", bold=True,
        fill=rgb if place else "#ffffff", class_="chip-code")
    if price:
        coin(moved(parent, wide - 12, 12), str(card.cost), 8.6)


def chips(parent: ET.Element, pile: Sequence[int], x: float, y: float, right: float, *, left: float | None = None,
          prices: bool = False, dead: Sequence[int] = (), pile_name: str = "") -> float:
    """Draw a pile as chips with codes, copies counted; a new line from `left` where the next chip would not fit.

    Those of a pile with a name of `places` can be pointed at.

    Returns
    -------
    float
        Where the last line begins.
    """
    at = x
    start = x if left is None else left
    for number in sorted(set(pile), key=lambda n: (n >= 59, n)):
        card, count = cards()[number], list(pile).count(number)
        price = prices and card.site < 0
        wide = _chip_wide(card, count, price)
        if at + wide > right and at > start:
            at, y = start, y + CHIP_HIGH + 4
        item = moved(parent, at, y, class_="chip", data_card=number, data_count=count,
                     opacity=0.5 if number in dead else None)
        keep_place(item, f"chip {number} {count} {int(price)}")
        if pile_name:
            hit(add(item, "g", class_="hits"), card_key(pile_name, number), "rect", y=-2.0, width=wide,
                height=CHIP_HIGH + 4, rx=5.0)
        at += wide + 5
    if not pile:
        say(parent, at, y + 17, pgettext("acres", "none"), 13, italic=True, fill="#84755a", class_="none")
    return y
