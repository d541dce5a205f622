"""The picture of A Few Acres of Snow: one SVG document of the map, the pieces, both sides and the viewer's cards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache, partial
from xml.etree import ElementTree as ET

from sfida.engines.acres.map import LEGEND, names_on_map, scenery, sheet
from sfida.engines.acres.narration import sentence
from sfida.engines.acres.pieces_svg import (
    CARD_HIGH, CARD_WIDE, CHIP_HIGH, INK, LETTERS_ON, OUTLINE, PURPLE, card_back, chips, code_plate, coin, draw_card,
    emblem, fort_ring, last_ring, letter_badge, say, siege_burst, site_signs, star, town, village, wilderness,
    with_cards
)
from sfida.engines.acres.position import Cards, Position, Siege
from sfida.engines.acres.style import (
    DISCARDS, HAND, RESERVE, SUPPLY, Site, captured_points, card_key, dead_cards, links_of, seat_rgb, side_name,
    siege_pile, siege_prospect, site_key, sites
)
from sfida.engines.acres.tables import load_data
from sfida.engines.drawing.colors import PLACE, PLACE_RIM, TABLE
from sfida.engines.drawing.svg import (
    FAINT, LIT, NOTES, PLAIN, add, as_texts, bound, box, document_text, hit, keep_place, moved, new_sheet, num,
    seat_notes, symbol, title, write, written, zone
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
        say(root, 420, 42, _("Turn {number}").format(number=position.turn), 21, bold=True, serif=True, class_="turn",
            data_zone="when")
    news = sentence(position)
    say(root, wide - 14, 30, news, min(20.0, _NEWS / len(news)), anchor="end", class_="news", data_zone="news")
    last = position.action
    if last is not None:
        say(root, wide - 14, 53, f"{side_name(last.seat)}: {last.text}", 17, anchor="end", fill=seat_rgb(last.seat),
            class_="last-text")
    bound(board := zone(root, "map", class_="board"), 10, TOP, broad, high)
    field = add(on_map(board), "g", clip_path="url(#fas-sheet)")
    keep_place(field, "ground")
    keep_place(field, "sites")
    keep_place(field, "names")
    keep_place(field, "hits")
    height = _draw_panel(root, position, seat, TOP + high + 10, wide)
    chosen = frozenset(number for _, number in places) if labels else frozenset()
    drawn = "".join(_site(site, position.owner[site.number], position.town[site.number],
                          position.fort[site.number], position.siege_at(site.number), labels, site.number in chosen,
                          position.last_site == site.number, language()) for site in sites(position.every_ship))
    look = {"font_size": 16, "fill": INK, **LETTERS_ON}
    shared = document_text(ET.Element("g", {"class": "sites", **as_texts(look)})).removesuffix("/>")
    return with_cards(write(table, height, scenery() | {"sites": f"{shared}>{drawn}</g>",
                                                        "hits": site_hits(position.every_ship)}))


def on_map(parent: ET.Element) -> ET.Element:
    """Append a group in the units of the map."""
    left, top, _broad, _high = sheet()
    return moved(parent, 10 - left, TOP - top)


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
    piece = add(group, "g", data_piece=site_key(site.number) if owner >= 0 else None)
    if fort:
        fort_ring(piece, class_="fort")
    if owner < 0:
        wilderness(piece)
    else:
        (town if is_town else village)(piece, owner)
    site_signs(group, site.value, is_town, site.defence)
    _draw_signs(group, site)
    _draw_code(group, site, chosen)
    title(group, _told(site))
    if siege is not None:
        below = names_on_map()[site.number].box[1] > site.y        # then the plate is above
        _board_svg_draw_siege(moved(group, -16, -48 if below else 48, class_="siege-lead"), siege)
    return written(root)


def _draw_signs(group: ET.Element, site: Site) -> None:
    """Draw what a site needs and where it lies: a settler, a ship or an anchor."""
    signs = {"settler": site.settler, "ship": site.ship, "harbour": site.sea and not site.ship}
    for name in filter(signs.get, signs):
        symbol(group, f"fas-needs-{name}", class_=f"sign {name}")


def _draw_code(group: ET.Element, site: Site, chosen: bool) -> None:
    """Draw the plate with the code of a site, over its piece."""
    plate = add(group, "g", class_="code")
    if chosen:
        code_plate(plate, PLACE)
    else:
        symbol(plate, "fas-code")
    add(plate, "text", class_="label", y=6).text = site.code


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
_GAP, _MOST_BACKS = 10.0, 14
_WIDE = 392.0                                       # width of a block, in its own units
_GROWN, _READ = 1.34, 0.92                          # size of a block on the sheet, and pixels per unit of its own
_LARGEST, _SMALLEST = 1.42, 0.9                     # scales of the cards in the hand
_CARDS, _CARD_READ = 790.0, (0.85, 1.02)            # pixels: room for the hand; least and most per unit of a card
_EMPIRE = N_("British empire"), N_("French empire")
_LOCATIONS = N_("British locations"), N_("French locations")
_LEADS = (-6, 8)                                    # ends of a siege track
_Draw = Callable[[ET.Element], float]               # draws a block from its upper left corner, returns its height


def _block(parent: ET.Element, kind: str, x: float, y: float, draw: _Draw) -> float:
    """Draw a block as a zone of its own; return its lower end."""
    group = zone(parent, kind, _READ / _GROWN)
    high = draw(moved(group, x, y, _GROWN))
    bound(group, x - 2, y - 2, _WIDE * _GROWN + 4, high * _GROWN + 4)
    return y + high * _GROWN


def _draw_panel(root: ET.Element, position: Position, viewer: int | None, top: float, wide: float) -> float:
    """Draw everything below the map, in columns; return the height of the sheet."""
    panel = add(root, "g", class_="panel")
    seats = [add(panel, "g", class_=f"seat seat-{seat}") for seat in range(2)]
    step = _WIDE * _GROWN + _GAP
    for seat, group in enumerate(seats):
        y = _block(group, "hand", 10 + step * seat, top, partial(_draw_purse, position=position, seat=seat,
                                                                 viewer=viewer))
    top = y + _GAP
    if viewer is not None and position.seats[viewer].hand is not None:
        top = _draw_hand(panel, position, viewer, 10, top, wide - 20) + _GAP
    lows = [top] * 3
    blocks: list[tuple[ET.Element, _Draw]] = [
        (panel, partial(_draw_siege, siege=siege, viewer=viewer)) for siege in position.sieges]
    blocks += [(group, partial(_draw_seat, position=position, seat=seat, viewer=viewer))
               for seat, group in enumerate(seats)]
    supplies = add(panel, "g", class_="supplies")
    blocks += [(supplies, partial(_draw_supply, position=position, viewer=viewer, pile=pile))
               for pile in ("neutral", "empire-0", "empire-1", "locations-0", "locations-1")]
    blocks += [(panel, partial(_draw_points, position=position)), (panel, _draw_legend)]
    for parent, draw in blocks:
        column = min(range(3), key=lambda one: (round(lows[one]), one))
        lows[column] = _block(parent, "rest", 10 + step * column, lows[column], draw) + _GAP
    return max(lows)


def _draw_legend(group: ET.Element) -> float:
    keep_place(add(group, "g", class_="cartouche"), "legend")
    return LEGEND[1]


# ---- points -------------------------------------------------------------------------------------------


def _draw_points(parent: ET.Element, position: Position) -> float:
    """Draw the track of points with a marker of each side."""
    group = add(parent, "g", class_="points-track")
    _box(group, 0, 0, _WIDE, 84)
    say(group, 12, 19, _("Points"), 14, bold=True, serif=True)
    most = max(60, *(10 * (who.points // 10 + 1) for who in position.seats))
    start, step = 20.0, (_WIDE - 40) / most
    ticks = []
    for value in range(most + 1):
        tall = 10 if value % 10 == 0 else 6 if value % 5 == 0 else 3
        ticks.append(f"M{num(start + step * value)},{num(53 - tall / 2)} v{tall}")
        if value % 10 == 0 and value < most:
            say(group, start + step * value + 3, 57, str(value), 11.6, fill=FAINT)
    add(group, "path", d=" ".join(ticks), stroke=FAINT, stroke_width=1.2)
    for seat, who in enumerate(position.seats):
        marker = moved(group, start + step * who.points, 35 if seat == 0 else 71, class_=f"marker seat-{seat}",
                       data_points=who.points)
        title(marker, f"{side_name(seat)}: {counted(who.points, 'point', 'points')}")
        add(marker, "rect", x=-14.0, y=-9.0, width=28.0, height=18.0, rx=5.0, fill=seat_rgb(seat), stroke=OUTLINE,
            stroke_width=1.4)
        say(marker, 0, 4.8, str(who.points), 13, anchor="middle", bold=True, fill="#ffffff")
    return 84.0


# ---- the sides ----------------------------------------------------------------------------------------


def _notes(position: Position, seat: int, viewer: int | None) -> str:
    ending = (pgettext("acres", "winner") if seat == position.winner else "") if position.is_over else None
    notes = seat_notes(seat, viewer, position.seat_to_move, position.seat_on_turn, ending)
    if seat == position.seat_on_turn and not position.is_over and position.actions_left:
        notes.append(_("{actions} left").format(actions=counted(position.actions_left, "action", "actions")))
    return ", ".join(notes)


def _draw_purse(group: ET.Element, position: Position, seat: int, viewer: int | None) -> float:
    """Draw name, points and money of a side; lit if it is to move, or has won."""
    who, rgb = position.seats[seat], seat_rgb(seat)
    lit = seat == (position.winner if position.is_over else position.seat_to_move)
    box(group, 0, 0, _WIDE, 46, LIT._replace(stroke=2.4) if lit else PLAIN._replace(stroke=1.4))
    add(group, "rect", x=5.0, y=5.0, width=36.0, height=36.0, rx=5.0, fill=rgb, stroke=OUTLINE, stroke_width=1.2)
    emblem(group, seat, 23, 23, 1.2)
    say(group, 50, 22, side_name(seat), 18, bold=True, serif=True, fill=rgb, class_="name")
    say(group, 50, 38, _notes(position, seat, viewer), 12, fill=NOTES, class_="notes")
    say(group, _WIDE - 98, 26, str(who.points), 22, anchor="middle", bold=True, fill=PURPLE, class_="points")
    say(group, _WIDE - 98, 40, _("points"), 12, anchor="middle", fill=FAINT)
    coin(moved(group, _WIDE - 30, 16, class_="money", **LETTERS_ON), str(who.money), 13.5)
    say(group, _WIDE - 30, 41, _("money"), 12, anchor="middle", fill=FAINT)
    return 46.0


def _draw_seat(group: ET.Element, position: Position, seat: int, viewer: int | None) -> float:
    """Draw what a side has left and has captured, and its piles of cards."""
    who, rgb = position.seats[seat], seat_rgb(seat)
    back = _box(group, 0, 0, _WIDE, 10)
    say(group, 12, 21, side_name(seat), 15, bold=True, serif=True, fill=rgb)
    for i, (name, count) in enumerate((("villages", who.villages), ("towns", who.towns))):
        piece = moved(group, 24 + 92 * i, 44, class_=name, data_count=count)
        _small_piece(piece, name == "towns", seat)
        say(piece, 18, 6, str(count), 17, bold=True)
        say(piece, -12, 29, _("towns left") if i else _("villages left"), 12, fill=FAINT)
    taken = moved(group, 214, 44, class_="captured")
    limit = load_data()["scoring"]["capture_points_to_end"]
    for i, count in enumerate((who.captured_villages, who.captured_towns)):
        _small_piece(moved(taken, 52 * i, 0), i == 1, 1 - seat)
        say(taken, 52 * i + 16, 6, str(count), 17, bold=True)
    say(taken, 92, 6, f"= {captured_points(position, seat)}", 17, bold=True, class_="captured-points")
    say(taken, -12, 29, _("captured, {limit} end the game").format(limit=limit), 12, fill=FAINT)
    high = _draw_piles(group, position, seat, viewer, 84)
    back.set("height", num(high))
    return high


def _small_piece(parent: ET.Element, town: bool, seat: int) -> None:
    if town:
        add(parent, "circle", r=12.5, fill=seat_rgb(seat), stroke=OUTLINE, stroke_width=1.4)
    else:
        add(parent, "rect", x=-11.0, y=-11.0, width=22.0, height=22.0, rx=2.5, fill=seat_rgb(seat), stroke=OUTLINE,
            stroke_width=1.4)
    emblem(parent, seat, 0, 0, 0.6)


def _draw_piles(group: ET.Element, position: Position, seat: int, viewer: int | None, y: float) -> float:
    """Draw the counts of the card piles, then reserve, discards and the known cards of a hidden hand."""
    who = position.seats[seat]
    at = 12.0
    for name, count in (("hand", who.hand_size), ("deck", who.deck_size), ("discards", len(who.discards)),
                        ("reserve", len(who.reserve))):
        pile = add(group, "g", class_=f"pile {name}", data_count=count)
        shown = min(count, _MOST_BACKS if name == "hand" else 3)
        step = min(9.0, 40.0 / max(1, shown - 1)) if name == "hand" else 3.0
        for i in range(shown):
            card_back(pile, at + step * i, y, seat)
        over = step * max(0, shown - 1) + (28 if shown else 0)
        say(pile, at + over, y + 20, str(count), 17, bold=True)
        say(pile, at, y + 46, _piles()[name], 12, fill=FAINT)
        at += 118 if name == "hand" else 90
    y += 56
    rows: list[tuple[str, Cards]] = [("reserve", who.reserve)] if who.reserve else []
    rows += [("discards", who.discards)]
    if seat != viewer:
        if who.hand is not None:
            rows.append(("hand", who.hand))
        elif who.known:
            rows.append(("in hand", who.known))
    for name, held in rows:
        row = add(group, "g", class_=f"row {name.replace(' ', '-')}")
        say(row, 12, y + 17, _piles()[name], 12.5, fill=FAINT)
        dead = dead_cards(position, seat, held)
        y = chips(row, held, 84, y, _WIDE - 8, dead=dead,
                  pile_name=DISCARDS if name == "discards" and seat == viewer else "") + CHIP_HIGH + 6
    return y + 2


def _piles() -> dict[str, str]:
    """Return the names of a side's piles."""
    return {"hand": pgettext("acres", "hand"), "in hand": _("in hand"), "deck": _("deck"), "discards": _("discards"),
            "reserve": _("reserve")}


# ---- sieges -------------------------------------------------------------------------------------------


def _signed(lead: int) -> str:
    return f"{lead:+d}" if lead else "0"


def _draw_siege(parent: ET.Element, siege: Siege, viewer: int | None) -> float:
    """Draw the track of a siege: the defender wins on the left, the attacker on the right."""
    group = add(parent, "g", class_="siege-track", data_site=siege.site, data_lead=siege.lead)
    back = _box(group, 0, 0, _WIDE, 10)
    attacker, defender, rules = siege.attacker, 1 - siege.attacker, load_data()["siege"]
    add(moved(group, 27, 27, 0.6), "use", href="#fas-burst", fill="#e8701c", stroke="#7a1d0c", stroke_width=2)
    add(moved(group, 27, 27, 0.9, fill="#ffffff", color="#ffffff"), "use", href="#fas-cannon")
    say(group, 56, 23, _("Siege of {site}").format(site=sites()[siege.site].name), 16, bold=True, serif=True,
        class_="siege-name")
    say(group, 56, 41, _("{side} lead {lead:+d}: {prospect}").format(
        side=side_name(attacker), lead=siege.lead, prospect=siege_prospect(siege)), 12.5, fill=FAINT, class_="prospect")
    low, high = min(_LEADS[0], siege.lead), max(_LEADS[1], siege.lead)
    cell = (_WIDE - 72) / (high - low + 1)
    start = 36.0
    letter_badge(moved(group, 18, 69), defender)
    for lead in range(low, high + 1):
        fill = (seat_rgb(defender) if -lead >= rules["defender_wins_at"] else
                seat_rgb(attacker) if lead >= rules["attacker_wins_at"] else "#e9dfc6")
        at = start + cell * (lead - low)
        add(group, "rect", x=at, y=54.0, width=cell, height=30.0, fill=fill, fill_opacity=0.3, stroke=PLAIN.line,
            stroke_width=1.2)
        if abs(lead - siege.lead) > 17 / cell - 1 and lead != siege.lead:
            say(group, at + cell / 2, 73, _signed(lead), min(12.0, 0.56 * cell), anchor="middle", fill=INK)
    letter_badge(moved(group, _WIDE - 18, 69), attacker)
    marker = moved(group, start + cell * (siege.lead - low + 0.5), 69, class_="lead")
    add(marker, "circle", r=14.0, fill=OUTLINE, stroke="#ffd23d", stroke_width=2.6)
    say(marker, 0, 4.8, _signed(siege.lead), 13, anchor="middle", bold=True, fill="#ffffff")
    y = 92.0
    for seat in (attacker, defender):
        letter_badge(moved(group, 18, y + 12, 0.8), seat)
        line = add(group, "g", class_=f"siege-cards seat-{seat}")
        y = chips(line, siege.cards[seat], 34, y, _WIDE - 8,
                  pile_name=siege_pile(siege.site) if seat == viewer else "") + CHIP_HIGH + 6
    back.set("height", num(y + 2))
    return y + 2


# ---- hand and supplies --------------------------------------------------------------------------------


def _draw_hand(panel: ET.Element, position: Position, viewer: int, x: float, y: float, wide: float) -> float:
    """Draw hand and reserve of the viewing seat as cards, side by side, overlapping if there are many."""
    who = position.seats[viewer]
    assert who.hand is not None
    gap = 36.0 if who.reserve else 0.0
    shown = len(who.hand) + len(who.reserve)
    scale = max(_SMALLEST, min(_LARGEST, (wide - gap - 4) / ((CARD_WIDE + 7) * max(1, shown))))
    read = min(_CARD_READ[1], max(_CARD_READ[0], _CARDS / ((CARD_WIDE + 7) * max(1, shown) + gap)))
    group = zone(panel, "hand", read / scale, class_="own", data_seat=viewer)
    step = min((CARD_WIDE + 7) * scale, (wide - gap - CARD_WIDE * scale - 4) / max(1, shown - 1))
    at = end = x + 2
    for name, heading, held in (("hand", _("Your hand"), who.hand),
                                ("reserve", _("Your reserve"), who.reserve)):
        if name == "reserve" and not held:
            continue
        row = add(group, "g", class_=name, data_count=len(held))
        say(row, at, y + 13 * scale, heading, 13 * scale, bold=True, serif=True, fill=seat_rgb(viewer))
        dead = dead_cards(position, viewer, held)
        drawn = []
        for number in sorted(held):
            draw_card(moved(row, at, y + 19 * scale, scale), number, number not in dead, position.by_board)
            drawn.append((number, at))
            at, end = at + step, at + CARD_WIDE * scale + 4
        _hand_hits(row, HAND if name == "hand" else RESERVE, drawn, y + 19 * scale, CARD_WIDE * scale,
                   CARD_HIGH * scale)
        at += gap
    low = y + (19 + CARD_HIGH + 5) * scale
    bound(group, x, y, max(end, x + 160 * scale) - x, low - y)
    return low


def _draw_supply(parent: ET.Element, position: Position, viewer: int | None, pile: str) -> float:
    """Draw cards that can still be gained: neutral ones with the forts, a side's empire cards, or its locations."""
    kind, _dash, side = pile.partition("-")
    seat = int(side) if side else -1
    heading, held = ((_("Neutral cards"), position.neutral) if seat < 0 else
                     (_(_EMPIRE[seat]), position.seats[seat].empire) if kind == "empire" else
                     (_(_LOCATIONS[seat]), position.seats[seat].locations))
    back = _box(parent, 0, 0, _WIDE, 10)
    row = add(parent, "g", class_=f"supply {pile}")
    say(row, 12, 20, heading, 14, bold=True, fill=seat_rgb(seat))
    gained = viewer is not None and seat in (viewer, -1)
    y = chips(row, held, 12, 29, _WIDE - 8, prices=True, pile_name=SUPPLY if gained else "") + CHIP_HIGH + 8
    if seat < 0:
        forts = moved(parent, _WIDE - 130, 16, class_="forts", data_count=position.forts_left)
        add(forts, "polygon", points=star(8, 11, 8, 0.3927), fill="none", stroke=OUTLINE, stroke_width=3.4)
        say(forts, 18, 5, _("{forts} forts left").format(forts=position.forts_left), 13, bold=True)
    back.set("height", num(y))
    return y


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
