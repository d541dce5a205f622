"""The picture of A Few Acres of Snow: one SVG document of the map, the pieces, both sides and the viewer's cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache, partial
from xml.etree import ElementTree as ET

from sfida.engines.acres.map import map_data, scenery, sheet
from sfida.engines.acres.narration import sentence
from sfida.engines.acres.pieces_svg import (
    CARD_HIGH, CARD_WIDE, CHIP_HIGH, HALO, INK, LAND, OUTLINE, PURPLE, SEA, card_back, chips, coin, draw_card, emblem,
    fort_ring, harbour, last_ring, letter_badge, say, shield, siege_burst, sign, star, town, value_sign, village,
    wilderness, with_cards
)
from sfida.engines.acres.position import Cards, Position, Siege
from sfida.engines.acres.style import (
    DISCARDS, HAND, RESERVE, SUPPLY, Site, captured_points, card_key, dead_cards, links_of, seat_rgb, side_name,
    siege_pile, siege_prospect, site_key, sites
)
from sfida.engines.acres.tables import load_data
from sfida.engines.drawing.colors import PLACE, PLACE_RIM, TABLE
from sfida.engines.drawing.svg import (
    FAINT, LIT, NOTES, PLAIN, add, box, hit, keep_place, moved, new_sheet, num, repaint, seat_notes, title, write,
    written
)
from sfida.engines.language import N_, _, counted, language, pgettext

# ---- Shapes of the sites of A Few Acres of Snow, for pointing

_SITE = 33.0                            # radius of the shape of a site


@lru_cache(maxsize=2)
def site_hits(every_ship: bool) -> str:
    """Write the shapes of the sites."""
    root = ET.Element("g")
    group = add(root, "g", class_="hits")
    for site in sites(every_ship):
        hit(group, site_key(site.number), "circle", cx=site.x, cy=site.y, r=_SITE)
    return written(root)


# ---- The picture: the map with its pieces, and the sentence on the current decision

TOP = 62.0
_NEWS = 1950.0                                      # room for the sentence: number of letters times their size


def board_svg(position: Position, *, seat: int | None = None, size: int = 800, labels: bool = False,
              places: Collection[tuple[str, int]] = ()) -> str:
    """Draw the map with all pieces and sieges, the two sides, and hand and reserve of the viewing seat as cards.

    Labels are the codes of the sites on plates; the kind of a place is "site".

    Parameters are as in all drawings: see `sfida.engines.drawing`.
    """
    _left, _top, broad, high = sheet()
    wide = broad + 20
    table = new_sheet(f"{_('A Few Acres of Snow')}: {sentence(position)}", wide, size, TABLE)
    root = table.root
    say(root, 16, 43, _("A Few Acres of Snow"), 34, bold=True, serif=True, fill="#6f1d18")
    if not position.is_over:
        say(root, 420, 42, _("Turn {number}").format(number=position.turn), 21, bold=True, serif=True, class_="turn")
    news = sentence(position)
    say(root, wide - 14, 30, news, min(20.0, _NEWS / len(news)), anchor="end", class_="news")
    last = position.action
    if last is not None:
        say(root, wide - 14, 53, f"{side_name(last.seat)}: {last.text}", 17, anchor="end", fill=seat_rgb(last.seat),
            class_="last-text")
    field = add(on_map(root, class_="board"), "g", clip_path="url(#fas-sheet)")
    keep_place(field, "ground")
    keep_place(field, "sites")
    keep_place(field, "hits")
    height = _draw_panel(root, position, seat, TOP + high + 10, wide)
    chosen = frozenset(number for _, number in places) if labels else frozenset()
    drawn = "".join(_site(site, position.owner[site.number], position.town[site.number],
                          position.fort[site.number], position.siege_at(site.number), labels, site.number in chosen,
                          position.last_site == site.number, language()) for site in sites(position.every_ship))
    return with_cards(write(table, height, scenery() | {"sites": f'<g class="sites">{drawn}</g>',
                                                             "hits": site_hits(position.every_ship)}))


def on_map(root: ET.Element, **attributes: object) -> ET.Element:
    """Append a group in the units of the map."""
    left, top, _broad, _high = sheet()
    return moved(root, 10 - left, TOP - top, **attributes)


@lru_cache(maxsize=4096)
def _site(site: Site, owner: int, is_town: bool, fort: bool, siege: Siege | None, labels: bool, chosen: bool,
          last: bool, _language: str) -> str:
    """Write a site with its pieces; cached, as most sites do not change in a move."""
    root = ET.Element("g")
    group = moved(root, site.x, site.y, class_=f"site seat-{owner}" if owner >= 0 else "site",
                  data_site=site.number)
    if chosen:
        add(group, "circle", class_="place", r=31.0, fill=PLACE, fill_opacity=0.75, stroke=PLACE_RIM, stroke_width=2.0)
    if siege is not None:
        siege_burst(group, class_="siege")
    if last:
        last_ring(group, "last")
    if fort:
        fort_ring(group, class_="fort")
    if owner < 0:
        wilderness(group)
    else:
        (town if is_town else village)(group, owner)
    if site.value:
        value_sign(moved(group, 20, -17), site.value, is_town)
    if site.defence:
        shield(moved(group, -20, -17), site.defence)
    _draw_label(group, site, labels, chosen)
    if siege is not None:
        below = map_data()["label"][site.id][1] > 20                # then the plate is above
        _board_svg_draw_siege(moved(group, -16, -44 if below else 36, class_="siege-lead"), siege)
    return written(root)


def _draw_label(group: ET.Element, site: Site, labels: bool, chosen: bool) -> None:
    """Write the code with the signs of the site beside it, and the name below."""
    dx, dy, anchor = map_data()["label"][site.id]
    signs = [name for name, has in (("settler", site.settler), ("ship", site.ship), ("harbour", site.sea)) if has]
    signs = [name for name in signs if name != "harbour" or "ship" not in signs]
    wide = (48.0 if signs else 44.0) + 19 * len(signs)
    start = dx - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    if labels:
        add(group, "rect", x=start - 4, y=dy - 14.5, width=50.0, height=18.5, rx=4.0,
            fill=PLACE if chosen else "#fffdf3", stroke=OUTLINE, stroke_width=1.0)
    code, side = (start + 21, "middle") if labels else (start, "start") if signs else (dx, anchor)
    say(group, code, dy, site.code, 16, anchor=side, bold=True, fill=INK, halo=None if labels else HALO, class_="code")
    for i, name in enumerate(signs):
        spot = add(group, "g", class_=f"sign {name}", fill=LAND if name == "settler" else SEA)
        spot.set("color", spot.attrib["fill"])
        place = moved(spot, start + 57 + 19 * i, dy - 6.5)
        add(place, "circle", r=9.4, fill=HALO, opacity=0.85)
        if name == "harbour":
            harbour(place)
        else:
            sign(place, name, 0, 0, 0.62)
    say(group, dx, dy + 14.5, site.name, 13, anchor=anchor, serif=True, italic=True, halo=HALO, class_="site-name")
    title(group, _told(site))


_WAYS_TO = {"river": N_("river to {site}"), "lake": N_("lake to {site}"), "road": N_("road to {site}"),
            "trail": N_("trail to {site}")}


def _told(site: Site) -> str:
    """Describe a site in one line."""
    parts = [f"{site.name} ({site.code})", _("value {value}").format(value=site.value)]
    parts += [_("defence {defence}").format(defence=site.defence)] if site.defence else []
    parts += [_("needs a settler")] if site.settler else []
    parts += [_("sea, ships count in sieges") if site.ship else _("sea")] if site.sea else []
    parts += [_(_WAYS_TO[kind]).format(site=sites()[other].name) for kind, other in links_of(site.number)]
    return "; ".join(parts)


def _board_svg_draw_siege(group: ET.Element, siege: Siege) -> None:
    """Draw the besieger of a site and the attacker's lead."""
    add(group, "rect", x=-13.0, y=-12.0, width=58.0, height=24.0, rx=6.0, fill="#2a1a10", stroke="#ffd23d",
        stroke_width=1.8)
    letter_badge(moved(group, 0, 0, 0.9), siege.attacker)
    say(group, 28, 6, f"{siege.lead:+d}" if siege.lead else "0", 17, anchor="middle", bold=True, fill="#ffd23d",
        class_="lead")


# ---- below the map: the seats and their holdings -----------------------------------------------------

_box = partial(box, look=PLAIN._replace(stroke=1.4), round_=9.0)
_GAP, _MOST_BACKS = 8.0, 14
_LARGEST, _SMALLEST = 1.42, 0.9                       # scales of the cards in the hand
_EMPIRE = N_("British empire"), N_("French empire")
_LOCATIONS = N_("British locations"), N_("French locations")
_LEADS = (-6, 8)                                    # ends of a siege track


def _draw_panel(root: ET.Element, position: Position, viewer: int | None, top: float, wide: float) -> float:
    """Draw everything below the map; return the height of the sheet."""
    panel = add(root, "g", class_="panel")
    left, right = 10.0, wide - 10
    y = _draw_points(panel, position, left, top, right - left) + _GAP
    half = (right - left - _GAP) / 2
    bottoms = []
    boxes = []
    for seat in range(2):
        x = left + seat * (half + _GAP)
        group = add(panel, "g", class_=f"seat seat-{seat}")
        boxes.append(_box(group, x, y, half, 10))
        bottoms.append(_draw_seat(group, position, seat, viewer, x, y, half))
        _light(boxes[seat], position, seat)
    for back in boxes:
        back.set("height", num(max(bottoms) - y))
    y = max(bottoms) + _GAP
    for siege in position.sieges:
        y = _draw_siege(panel, siege, viewer, left, y, right - left) + _GAP
    if viewer is not None and position.seats[viewer].hand is not None:
        y = _draw_hand(panel, position, viewer, left, y, right - left) + _GAP
    return _draw_supplies(panel, position, viewer, left, y, right - left) + _GAP


def _light(back: ET.Element, position: Position, seat: int) -> None:
    """Highlight the panel of the side to move, or of the winner."""
    if seat == (position.winner if position.is_over else position.seat_to_move):
        repaint(back, LIT._replace(stroke=3.0))


# ---- points -------------------------------------------------------------------------------------------


def _draw_points(panel: ET.Element, position: Position, x: float, y: float, wide: float) -> float:
    """Draw the track of points with a marker of each side."""
    group = add(panel, "g", class_="points-track")
    _box(group, x, y, wide, 62)
    say(group, x + 12, y + 37, _("Points"), 16, bold=True, serif=True)
    most = max(60, *(10 * (who.points // 10 + 1) for who in position.seats))
    start, step = x + 96, (wide - 126) / most
    ticks = []
    for value in range(most + 1):
        tall = 12 if value % 10 == 0 else 8 if value % 5 == 0 else 4
        ticks.append(f"M{num(start + step * value)},{num(y + 31 - tall / 2)} v{tall}")
        if value % 10 == 0:
            say(group, start + step * value + 4, y + 35, str(value), 11, fill=FAINT)
    add(group, "path", d=" ".join(ticks), stroke=FAINT, stroke_width=1.4)
    for seat, who in enumerate(position.seats):
        marker = moved(group, start + step * who.points, y + (13 if seat == 0 else 49), class_=f"marker seat-{seat}",
                       data_points=who.points)
        title(marker, f"{side_name(seat)}: {counted(who.points, 'point', 'points')}")
        add(marker, "rect", x=-15.0, y=-10.0, width=30.0, height=20.0, rx=5.0, fill=seat_rgb(seat), stroke=OUTLINE,
            stroke_width=1.4)
        say(marker, 0, 5.4, str(who.points), 14.5, anchor="middle", bold=True, fill="#ffffff")
    return y + 62


# ---- the sides ----------------------------------------------------------------------------------------


def _notes(position: Position, seat: int, viewer: int | None) -> str:
    ending = (pgettext("acres", "winner") if seat == position.winner else "") if position.is_over else None
    notes = seat_notes(seat, viewer, position.seat_to_move, position.seat_on_turn, ending)
    if seat == position.seat_on_turn and not position.is_over and position.actions_left:
        notes.append(_("{actions} left").format(actions=counted(position.actions_left, "action", "actions")))
    return ", ".join(notes)


def _draw_seat(group: ET.Element, position: Position, seat: int, viewer: int | None, x: float, y: float,
               wide: float) -> float:
    who, rgb = position.seats[seat], seat_rgb(seat)
    add(group, "rect", x=x + 8, y=y + 8, width=52.0, height=52.0, rx=6.0, fill=rgb, stroke=OUTLINE, stroke_width=1.4)
    emblem(group, seat, x + 34, y + 34, 1.7)
    say(group, x + 70, y + 34, side_name(seat), 26, bold=True, serif=True, fill=rgb, class_="name")
    say(group, x + 70, y + 54, _notes(position, seat, viewer), 13.5, fill=NOTES, class_="notes")
    at = x + 308
    say(group, at, y + 46, str(who.points), 38, anchor="middle", bold=True, fill=PURPLE, class_="points")
    say(group, at, y + 63, _("points"), 12.5, anchor="middle", fill=FAINT)
    coin(moved(group, at + 78, y + 29, class_="money"), str(who.money), 23.0)
    say(group, at + 78, y + 67, _("money"), 12.5, anchor="middle", fill=FAINT)
    for i, (name, count) in enumerate((("villages", who.villages), ("towns", who.towns))):
        piece = moved(group, at + 146 + 82 * i, y + 30, class_=name, data_count=count)
        _small_piece(piece, name == "towns", seat)
        say(piece, 18, 8, str(count), 22, bold=True)
        say(piece, 12, 37, _("towns left") if i else _("villages left"), 12.5, anchor="middle", fill=FAINT)
    taken = moved(group, at + 318, y + 30, class_="captured")
    limit = load_data()["scoring"]["capture_points_to_end"]
    for i, count in enumerate((who.captured_villages, who.captured_towns)):
        _small_piece(moved(taken, 54 * i, 0), i == 1, 1 - seat)
        say(taken, 54 * i + 16, 8, str(count), 20, bold=True)
    say(taken, 92, 8, f"= {captured_points(position, seat)}", 20, bold=True, class_="captured-points")
    say(taken, 56, 37, _("captured, {limit} end the game").format(limit=limit), 12.5, anchor="middle", fill=FAINT)
    return _draw_piles(group, position, seat, viewer, x, y + 76, wide)


def _small_piece(parent: ET.Element, town: bool, seat: int) -> None:
    if town:
        add(parent, "circle", r=12.5, fill=seat_rgb(seat), stroke=OUTLINE, stroke_width=1.4)
    else:
        add(parent, "rect", x=-11.0, y=-11.0, width=22.0, height=22.0, rx=2.5, fill=seat_rgb(seat), stroke=OUTLINE,
            stroke_width=1.4)
    emblem(parent, seat, 0, 0, 0.6)


def _draw_piles(group: ET.Element, position: Position, seat: int, viewer: int | None, x: float, y: float,
                wide: float) -> float:
    """Draw the counts of the card piles, then reserve, discards and the known cards of a hidden hand."""
    who = position.seats[seat]
    at = x + 14
    for name, count in (("hand", who.hand_size), ("deck", who.deck_size), ("discards", len(who.discards)),
                        ("reserve", len(who.reserve))):
        pile = add(group, "g", class_=f"pile {name}", data_count=count)
        shown = min(count, _MOST_BACKS if name == "hand" else 3)
        step = (9.0 if count <= 6 else 5.0) if name == "hand" else 3.0
        for i in range(shown):
            card_back(pile, at + step * i, y, seat)
        at += step * max(0, shown - 1) + (29 if shown else 4)
        say(pile, at, y + 17, str(count), 18, bold=True)
        say(pile, at, y + 31, _piles()[name], 12.5, fill=FAINT)
        at += 62 if name == "discards" else 54
    y += 40
    rows: list[tuple[str, Cards]] = [("reserve", who.reserve)] if who.reserve else []
    rows += [("discards", who.discards)]
    if seat != viewer:
        if who.hand is not None:
            rows.append(("hand", who.hand))
        elif who.known:
            rows.append(("in hand", who.known))
    for name, held in rows:
        row = add(group, "g", class_=f"row {name.replace(' ', '-')}")
        say(row, x + 14, y + 17, _piles()[name], 13, fill=FAINT)
        dead = dead_cards(position, seat, held)
        y = chips(row, held, x + 84, y, x + wide - 10, dead=dead,
                  pile_name=DISCARDS if name == "discards" and seat == viewer else "") + CHIP_HIGH + 6
    return y + 2


def _piles() -> dict[str, str]:
    """Return the names of a side's piles."""
    return {"hand": pgettext("acres", "hand"), "in hand": _("in hand"), "deck": _("deck"), "discards": _("discards"),
            "reserve": _("reserve")}


# ---- sieges -------------------------------------------------------------------------------------------


def _signed(lead: int) -> str:
    return f"{lead:+d}" if lead else "0"


def _draw_siege(panel: ET.Element, siege: Siege, viewer: int | None, x: float, y: float, wide: float) -> float:
    """Draw the track of a siege: the defender wins on the left, the attacker on the right."""
    group = add(panel, "g", class_="siege-track", data_site=siege.site, data_lead=siege.lead)
    back = _box(group, x, y, wide, 10)
    attacker, defender, rules = siege.attacker, 1 - siege.attacker, load_data()["siege"]
    add(moved(group, x + 30, y + 31, 0.6), "use", href="#fas-burst", fill="#e8701c", stroke="#7a1d0c", stroke_width=2)
    add(moved(group, x + 30, y + 31, 0.9, fill="#ffffff", color="#ffffff"), "use", href="#fas-cannon")
    say(group, x + 64, y + 27, _("Siege of {site}").format(site=sites()[siege.site].name), 19, bold=True, serif=True,
        class_="siege-name")
    say(group, x + 64, y + 47, _("{side} lead {lead:+d}: {prospect}").format(
        side=side_name(attacker), lead=siege.lead, prospect=siege_prospect(siege)), 13.5, fill=FAINT, class_="prospect")
    low, high = min(_LEADS[0], siege.lead), max(_LEADS[1], siege.lead)
    cell = min(44.0, 640 / (high - low + 1))
    start = x + 372
    letter_badge(moved(group, start - 18, y + 32), defender)
    for lead in range(low, high + 1):
        fill = (seat_rgb(defender) if -lead >= rules["defender_wins_at"] else
                seat_rgb(attacker) if lead >= rules["attacker_wins_at"] else "#e9dfc6")
        at = start + cell * (lead - low)
        add(group, "rect", x=at, y=y + 16, width=cell, height=32.0, fill=fill, fill_opacity=0.3, stroke=PLAIN.line,
            stroke_width=1.2)
        if lead != siege.lead:
            say(group, at + cell / 2, y + 37, _signed(lead), 13.5, anchor="middle", fill=INK)
    letter_badge(moved(group, start + cell * (high - low + 1) + 18, y + 32), attacker)
    marker = moved(group, start + cell * (siege.lead - low + 0.5), y + 32, class_="lead")
    add(marker, "circle", r=17.0, fill=OUTLINE, stroke="#ffd23d", stroke_width=3.0)
    say(marker, 0, 5.6, _signed(siege.lead), 15, anchor="middle", bold=True, fill="#ffffff")
    right = start + cell * (high - low + 1) + 44
    bottom = y + 58
    for row, seat in enumerate((attacker, defender)):
        letter_badge(moved(group, right + 4, y + 19 + 29 * row, 0.8), seat)
        line = add(group, "g", class_=f"siege-cards seat-{seat}")
        low_end = chips(line, siege.cards[seat], right + 18, y + 7 + 29 * row, x + wide - 6,
                        pile_name=siege_pile(siege.site) if seat == viewer else "")
        bottom = max(bottom, low_end + CHIP_HIGH + 4)
    back.set("height", num(bottom + 4 - y))
    return bottom + 4


# ---- hand and supplies --------------------------------------------------------------------------------


def _draw_hand(panel: ET.Element, position: Position, viewer: int, x: float, y: float, wide: float) -> float:
    """Draw hand and reserve of the viewing seat as cards, side by side, overlapping if there are many."""
    who = position.seats[viewer]
    assert who.hand is not None
    group = add(panel, "g", class_="own", data_seat=viewer)
    gap = 36.0 if who.reserve else 0.0
    shown = len(who.hand) + len(who.reserve)
    scale = max(_SMALLEST, min(_LARGEST, (wide - gap - 4) / ((CARD_WIDE + 7) * max(1, shown))))
    step = min((CARD_WIDE + 7) * scale, (wide - gap - CARD_WIDE * scale - 4) / max(1, shown - 1))
    at = x + 2
    for name, heading, held in (("hand", _("Your hand"), who.hand),
                                ("reserve", _("Your reserve"), who.reserve)):
        if name == "reserve" and not held:
            continue
        row = add(group, "g", class_=name, data_count=len(held))
        say(row, at, y + 16, heading, 16, bold=True, serif=True, fill=seat_rgb(viewer))
        dead = dead_cards(position, viewer, held)
        drawn = []
        for number in sorted(held):
            draw_card(moved(row, at, y + 24, scale), number, number not in dead, position.by_board)
            drawn.append((number, at))
            at += step
        _hand_hits(row, HAND if name == "hand" else RESERVE, drawn, y + 24, CARD_WIDE * scale, CARD_HIGH * scale)
        at += gap
    return y + 24 + CARD_HIGH * scale + 6


def _draw_supplies(panel: ET.Element, position: Position, viewer: int | None, x: float, y: float,
                   wide: float) -> float:
    """Draw the cards that can still be gained: neutral, empire cards with prices, location cards; and the forts."""
    group = add(panel, "g", class_="supplies")
    back = _box(group, x, y, wide, 10)
    top, y = y, y + 9
    rows = [("neutral", _("Neutral cards"), position.neutral, -1)]
    for seat, who in enumerate(position.seats):
        rows.append((f"empire-{seat}", _(_EMPIRE[seat]), who.empire, seat))
    for seat, who in enumerate(position.seats):
        rows.append((f"locations-{seat}", _(_LOCATIONS[seat]), who.locations, seat))
    for name, heading, held, seat in rows:
        row = add(group, "g", class_=f"supply {name}")
        say(row, x + 12, y + 17.5, heading, 14, bold=True, fill=seat_rgb(seat))
        right = x + wide - (190 if name == "neutral" else 10)
        gained = viewer is not None and seat in (viewer, -1)
        y = chips(row, held, x + 164, y, right, prices=True, pile_name=SUPPLY if gained else "") + CHIP_HIGH + 6
    forts = moved(group, x + wide - 150, top + 24, class_="forts", data_count=position.forts_left)
    add(forts, "polygon", points=star(8, 13, 9.5, 0.3927), fill="none", stroke=OUTLINE, stroke_width=4)
    say(forts, 22, 6, _("{forts} forts left").format(forts=position.forts_left), 15, bold=True)
    back.set("height", num(y + 3 - top))
    return y + 3


def _hand_hits(parent: ET.Element, pile: str, held: Sequence[tuple[int, float]], y: float, wide: float,
               high: float) -> None:
    """Draw the shapes of cards side by side: one for all copies of a type.

    Parameters
    ----------
    parent : Element
    pile : str
    held : sequence of (type, x)
        The cards with their left ends, copies in sequence.
    y, wide, high : float
        Upper end and size of a card.
    """
    group = add(parent, "g", class_="hits")
    for card in dict.fromkeys(card for card, _x in held):
        place = hit(group, card_key(pile, card), "g")
        for _card, x in (one for one in held if one[0] == card):
            add(place, "rect", x=x, y=y, width=wide, height=high, rx=num(0.065 * wide))
