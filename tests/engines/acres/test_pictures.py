"""A Few Acres of Snow in the terminal and as a picture: complete, free of secrets, the same every time."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from sfida.engines.acres.board_svg import board_svg
from sfida.engines.acres.board_text import (
    LABEL, MAP_WIDTH, WIDEST, board_text, site_text, status_text, stock_text, text_map
)
from sfida.engines.acres.map import islands, lakes, map_data, regions, sea, sheet, ways
from sfida.engines.acres.position import Action, Position
from sfida.engines.acres.style import cards, links, links_of, offer_text, seat_rgb, sites
from sfida.engines.acres.tables import load_data
from support.acres_pictures import SITE, card, ended, pile, placed, seen, start, war
from support.pictures import SVG, inside, one, seat_of, with_class
from support.text_boxes import outside, overlapping, texts_of

panel_of = partial(seat_of, within="panel")


def drawn(position: Position, seat: int | None = None, **more: object) -> ET.Element:
    return ET.fromstring(board_svg(position, seat=seat, **more))  # type: ignore[arg-type]


def site_of(root: ET.Element, code: str) -> ET.Element:
    return next(e for e in with_class(root, "site") if e.get("data-site") == str(SITE[code]))


def chips_of(root: ET.Element, name: str) -> Counter[int]:
    return Counter({int(e.attrib["data-card"]): int(e.get("data-count", 1))
                    for row in with_class(root, name) for e in with_class(row, "chip")})


# ---- data and the map ---------------------------------------------------------------------------------


@pytest.mark.rule("FAS-3.11", "FAS-3.12")
def test_every_card_is_named_with_what_the_data_say() -> None:
    checks = load_data()["checks"]
    assert Counter((one.side, one.site >= 0) for one in cards()) == {
        (0, True): checks["location_cards_british"], (1, True): checks["location_cards_french"], (0, False): 13,
        (1, False): 16, (-1, False): 3}
    assert offer_text(cards()[card("NYK", 0)]) == "boat ALB; ship PHI NHV BOS | ship, settler, military, 3 money"
    assert offer_text(cards()[card("KEN", 1)]) == "no links | nothing"
    assert offer_text(cards()[card("SA", 1)]) == "strength 3, pay 3 in a siege, may be ambushed"
    assert offer_text(cards()[card("NAn", 0)]) == "raid, ambush (1 money each), blocks both"
    assert offer_text(cards()[card("FOn", 0)]) == "strength 1, fortify (3 money), blocks raids, defender only"
    assert offer_text(cards()[card("IN", 1)]) == "take a discard (2 money)"


@pytest.mark.rule("FAS-2.4")
def test_connections_are_those_of_the_board_and_every_one_has_a_way_between_its_sites() -> None:
    assert Counter(link.kind for link in links()) == {"river": 21, "lake": 7, "road": 2, "trail": 9}
    assert len(map_data()["way"]) <= len(links())
    for link, way in ways().items():
        for end, point in ((link.a, way[0]), (link.b, way[-1])):
            assert point == (sites()[end].x, sites()[end].y)
    assert [sites()[other].code for _, other in links_of(SITE["CUM"])] == ["STM", "FDU", "PHI", "BAL", "RIC"]


@pytest.mark.rule("R-20")
def test_fort_st_john_lists_the_links_of_the_board_where_the_option_says_so() -> None:
    for seat in (0, 1):
        number = card("FSJ", seat)
        assert offer_text(cards()[number]).startswith(("boat QUE TIC", "boat TIC QUE"))
        assert offer_text(cards(True)[number]).startswith("boat MTL TRI TIC")
    position = replace(start(0), seats=(replace(start(0).seats[0], hand=pile("FSJ", 0)), start(0).seats[1]))
    for by_board, codes, names in ((False, "QUE TIC", "Quebec, Ticonderoga"),
                                   (True, "MTL TRI TIC", "Montreal, Trois Rivieres, Ticonderoga")):
        root = drawn(replace(position, by_board=by_board), 0)
        assert " ".join(e.text or "" for e in with_class(one(root, "own"), "links")) == names
        assert f"boat {codes}" in status_text(replace(position, by_board=by_board), seat=0)


def test_sites_stand_on_land_within_the_sheet_and_harbours_by_the_sea() -> None:
    left, top, wide, high = sheet()
    water = (sea(), *lakes())
    for site in sites():
        assert left + 30 < site.x < left + wide - 30
        assert top + 30 < site.y < top + high - 30
        wet = sum(any(inside(ring, site.x + dx, site.y + dy) for ring in water) and
                  not any(inside(ring, site.x + dx, site.y + dy) for ring in islands())
                  for dx in range(-45, 46, 15) for dy in range(-45, 46, 15))
        assert wet < 40, site.code
        if site.ship:
            assert wet > 0, site.code
    assert all(inside(islands()[5], sites()[SITE["LOU"]].x + dx, sites()[SITE["LOU"]].y) for dx in (-8, 8))


def test_regions_hold_every_site_once() -> None:
    assert sorted(number for _, members in regions() for number in members) == list(range(36))


# ---- the terminal -------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", range(MAP_WIDTH, WIDEST + 1, 4))
def test_labels_never_cover_each_other(columns: int) -> None:
    shape = text_map(columns)
    busy = replace(war(), fort=(True,) * 36, owner=(1,) * 36, sieges=tuple(
        replace(war().sieges[0], site=site.number) for site in sites()))
    long = [len(site_text(busy, site.number)) for site in sites()]
    assert max(long) == LABEL
    for (a, (row, column)), (b, (other, at)) in combinations(enumerate(shape.spots), 2):
        assert row != other or column + long[a] <= at or at + long[b] <= column, (sites()[a].code, sites()[b].code)
    assert all(0 <= row < shape.rows and column + most <= columns
               for (row, column), most in zip(shape.spots, long, strict=True))


@pytest.mark.parametrize("width", [30, 60, 80, 100, 110, 120])
def test_every_site_shows_what_stands_there(width: int) -> None:
    position = war()
    text = board_text(position, width=width)
    for site in sites():
        assert text.count(site_text(position, site.number)) == 1
    said = {"ALB": "ALBB2 4*", "PEM": "PEMB1# 2*~", "GAS": "GAS. 1*~", "FBE": "FBE. 0-", "TRI": "TRIF2 3*-",
            "LOU": "LOUF1# 4*~!", "BOS": "BOSB2>2*~!", "KEN": "KENF1# 0", "FST": "FSTB1 0"}
    assert {code: site_text(position, SITE[code]) for code in said} == said


def test_map_stands_where_the_data_say_at_110_columns() -> None:
    lines = board_text(war(), width=110).splitlines()
    for site in sites():
        assert lines[site.row][site.column:].startswith(site_text(war(), site.number))


@pytest.mark.rule("FAS-2.4")
@pytest.mark.parametrize("kind", ["river", "lake", "road", "trail"])
def test_kinds_of_connections_have_their_own_signs(kind: str) -> None:
    shape = text_map(110)
    found = {char for chars, kinds in zip(shape.chars, shape.kinds, strict=True)
             for char, what in zip(chars, kinds, strict=True) if what == kind}
    assert found == {"river": set("─│╱╲"), "lake": set("≈"), "road": set("="), "trail": set("·")}[kind]


def test_list_names_the_connections() -> None:
    lines = board_text(war(), width=80).splitlines()
    assert "ALBB2 4*    ~NYK ~FST ~FWH" in lines
    assert "FHAB1 0     ~PEM =KEN ·DEE" in lines
    assert "Chesapeake" in lines
    assert "~NYK" not in board_text(war(), width=30)


def test_places_stand_out_when_labels_are_wanted() -> None:
    places = [("site", SITE["ALB"])]
    for width in (80, 110):
        assert "\x1b[1;38;5;16;48;5;226mALB" in board_text(war(), color=True, width=width, labels=True, places=places)
        assert "48;5;226m" not in board_text(war(), color=True, width=width, places=places)


def test_status_says_how_it_stands() -> None:
    position = war(0)
    lines = status_text(position, seat=0, width=110).splitlines()
    assert [" ".join(line.split()) for line in lines[:5]] == [
        "points money villages towns captured hand deck discards reserve",
        "> B British (you) 38 7 8 5 1+1=6 9 5 6 2", "F French 41 3 6 2 2+0=4 5 4 11 1",
        "B besiege Louisbourg: the British lead by 3, enough to take it when their turn begins B: RI x2 SH",
        "F: PRO RI0"]
    assert "F  discards: (GAS) PRO" in "\n".join(lines)
    assert " F  known in hand: FOn" in lines
    assert "   FHA  Fort Halifax: boat PEM; wagon KEN | nothing (not usable)" in lines
    assert lines[-1] == "Turn 37. The British have 2 actions left and 7 money."
    assert "Last: French reinforce BOS RI." in lines[-2]


@pytest.mark.rule("FAS-11.2", "FAS-11.3", "FAS-11.4")
@pytest.mark.parametrize(("lead", "words", "said"), [
    (2, "the British lead by 2, enough to take it when their turn begins", "British would win"),
    (1, "the British lead by 1, 1 short of taking it", "undecided"),
    (0, "both sides are equally strong, 2 short of taking it", "undecided"),
    (-1, "the French lead by 1, enough to keep it when their turn begins", "French would win")])
def test_sieges_say_who_would_win(lead: int, words: str, said: str) -> None:
    position = replace(war(), sieges=(replace(war().sieges[0], lead=lead),))
    assert words in status_text(position)
    assert said in (one(drawn(position), "prospect").text or "")


def test_phases_and_endings_are_put_into_words() -> None:
    assert status_text(ended(), width=200).endswith(
        "The game is over: the French have won the siege of Boston; the French win at once, whatever the points "
        "(41 to 38).")
    position = replace(war(), action=Action(1, "raid", SITE["PEM"]), under_way=True, seat_to_move=0, seat_on_turn=1)
    raid = status_text(replace(position, phase="raid_response"))
    assert raid.endswith("The French raid Pemaquid (a village) with no card yet: do the British block?")
    phases = ("pick", "deal", "draw", "order", "siege_settle", "siege_loss", "raid_response", "ambush_response",
              "ambush_loss", "give_zone", "main")
    assert len({status_text(replace(position, phase=phase)).splitlines()[-1] for phase in phases}) == len(phases)
    settling = Action(0, "settle", SITE["DEE"], pile("NHV", 0))
    staged = replace(start(0), action=settling, under_way=True, phase="transport")
    assert status_text(staged).endswith("The British settle Deerfield from New Haven: which card gives the boat?")
    assert status_text(replace(staged, phase="settler")).endswith("which card gives the settlers?")
    reasons = ("siege", "settle", "supply", "capture", "max_turns", "resign")
    endings = {status_text(replace(ended(), reason=reason), width=200).splitlines()[-1] for reason in reasons}
    assert len(endings) == len(reasons)


@pytest.mark.rule("FAS-15.5")
def test_stock_lists_supplies_with_prices_and_hands_with_decks() -> None:
    text = stock_text(war(0), width=200)
    assert "neutral:  FOn (3)  NAn x3 (0)  SEn x2 (7)" in text
    assert "British: BOS NYK PHI STM ALB BAL FHA HAL ML RI SA MI x2 NAn" in text
    assert "French: ALB CAN DET" in text


# ---- the picture --------------------------------------------------------------------------------------


def test_every_site_stands_at_its_place_with_its_piece() -> None:
    position = war()
    root = drawn(position)
    found = with_class(root, "site")
    assert [int(e.attrib["data-site"]) for e in found] == list(range(36))
    for site, group in zip(sites(), found, strict=True):
        assert group.attrib["transform"] == f"translate({site.x:g} {site.y:g})"
        owner = position.owner[site.number]
        kind = "neutral" if owner < 0 else "town" if position.town[site.number] else "village"
        piece = one(group, kind)
        assert owner < 0 or piece.get("fill") == seat_rgb(owner)
        assert (owner >= 0) == any(use.get("href") == f"#fas-side-{owner}" for use in group.iter(f"{SVG}use"))
        assert len(with_class(group, "fort")) == position.fort[site.number]
        assert [e.text for e in with_class(group, "value")] == ([str(site.value)] if site.value else [])
        assert [e.text for e in with_class(group, "defence")] == ([str(site.defence)] if site.defence else [])
        assert len(with_class(group, "settler")) == site.settler
        assert len(with_class(group, "ship")) == site.ship
        assert len(with_class(group, "harbour")) == (site.sea and not site.ship)
        assert one(one(group, "code"), "label").text == site.code
    names = with_class(one(root, "above"), "site-name")
    assert " ".join(e.text or "" for e in names) == " ".join(site.name for site in sites())


def test_legend_explains_connections_pieces_and_signs() -> None:
    legend = one(drawn(start()), "cartouche")
    said = " ".join(filter(None, (text.text for text in legend.iter(f"{SVG}text"))))
    for word in ("river", "lake", "road", "trail", "village", "town", "fort", "siege", "settler", "sea", "ships",
                 "value", "defence", "free site", "last action", "boat", "wagon", "fur", "military",
                 "strength", "money"):
        assert word in said
    assert {"#fas-fort-ring", "#fas-burst", "#fas-settler", "#fas-ship", "#fas-boat", "#fas-wagon", "#fas-fur",
            "#fas-military"} <= {
        use.get("href") for use in legend.iter(f"{SVG}use")}


@pytest.mark.rule("FAS-2.4")
def test_kinds_of_connections_are_told_apart_without_colours() -> None:
    root = drawn(start())
    kinds = ("river", "lake", "road", "trail")
    assert len({tuple((drawn.get("stroke-dasharray"), drawn.get("stroke-width")) for drawn in with_class(group, kind))
                for group in [one(root, "links")] for kind in kinds}) == 4
    for kind in kinds:
        (ways,) = (group for group in root.iter(f"{SVG}g") if group.get("id") == f"fas-way-{kind}")
        assert {tuple(map(int, way.attrib["data-sites"].split())) for way in ways} == {
            (link.a, link.b) for link in links() if link.kind == kind}
    pairs = [tuple(map(int, e.attrib["data-sites"].split())) for e in with_class(root, "link")]
    assert sorted(pairs) == sorted((link.a, link.b) for link in links())


def test_sieges_show_site_lead_and_cards() -> None:
    position = war()
    root = drawn(position)
    assert len(with_class(root, "siege")) == 2
    for code, lead, letter in (("LOU", "+3", "B"), ("BOS", "-1", "F")):
        plate = one(site_of(root, code), "siege-lead")
        assert [one(plate, "letter").text, one(plate, "lead").text] == [letter, lead]
    tracks = with_class(root, "siege-track")
    for siege, track in zip(position.sieges, tracks, strict=True):
        assert int(track.attrib["data-lead"]) == siege.lead
        for seat in (0, 1):
            held = next(e for e in with_class(track, "siege-cards") if f"seat-{seat}" in e.get("class", "").split())
            assert chips_of(held, "siege-cards") == Counter(siege.cards[seat])
    assert not with_class(drawn(start()), "siege-track")


@pytest.mark.parametrize("lead", [-12, -7, 9, 15])
def test_track_of_a_siege_is_as_long_as_it_must_be(lead: int) -> None:
    root = drawn(replace(war(), sieges=(replace(war().sieges[0], lead=lead),)))
    track = one(root, "siege-track")
    boxes = [e for e in track.iter(f"{SVG}rect") if e.get("fill-opacity") == ".3"]
    spot = float(re.findall(r"[\d.]+", one(track, "lead").attrib["transform"])[0])
    first, last = float(boxes[0].attrib["x"]), float(boxes[-1].attrib["x"]) + float(boxes[-1].attrib["width"])
    assert first < spot < last


def test_panels_tell_what_everybody_may_know() -> None:
    position = war(0)
    root = drawn(position, seat=0)
    for seat, who in enumerate(position.seats):
        panel = panel_of(root, seat)
        assert one(panel, "points").text == str(who.points)
        assert one(one(panel, "money"), "coin").text == str(who.money)
        assert one(panel, "villages").get("data-count") == str(who.villages)
        assert one(panel, "towns").get("data-count") == str(who.towns)
        counts = {name: int(e.attrib["data-count"]) for name in ("hand", "deck", "discards", "reserve")
                  for e in with_class(panel, "pile") if name in e.attrib["class"].split()}
        assert counts == {"hand": who.hand_size, "deck": who.deck_size, "discards": len(who.discards),
                          "reserve": len(who.reserve)}
        discards = next(e for e in with_class(panel, "row") if "discards" in e.attrib["class"].split())
        assert chips_of(discards, "row") == Counter(who.discards)
    assert one(panel_of(root, 0), "captured-points").text == "= 6"
    assert one(panel_of(root, 0), "notes").text == "you, to move, 2 actions left"
    assert [e.attrib["data-points"] for e in with_class(root, "marker")] == ["38", "41"]
    assert one(root, "forts").get("data-count") == "7"
    assert one(root, "turn").text == "Turn 37"
    assert one(root, "last-text").text == "French: reinforce BOS RI"


def test_supplies_are_shown_card_by_card() -> None:
    position = war()
    root = drawn(position)
    assert chips_of(root, "neutral") == Counter(position.neutral)
    for seat, who in enumerate(position.seats):
        assert chips_of(root, f"empire-{seat}") == Counter(who.empire)
        assert chips_of(root, f"locations-{seat}") == Counter(who.locations)


@pytest.mark.rule("FAS-6.1")
def test_viewing_seat_sees_its_cards_with_what_they_offer() -> None:
    for viewer in (0, 1):
        position = war(viewer)
        root = drawn(position, seat=viewer)
        who = position.seats[viewer]
        own = one(root, "own")
        for name, held in (("hand", who.hand), ("reserve", who.reserve)):
            row = one(own, name)
            assert Counter(int(e.attrib["data-card"]) for e in with_class(row, "card")) == Counter(held)
        assert not with_class(drawn(position), "own")
    new_york = next(e for e in with_class(drawn(war(0), 0), "card") if e.get("data-card") == str(card("NYK", 0)))
    assert " ".join(e.text or "" for e in with_class(new_york, "links")) == "Albany Philadelphia, New Haven, Boston"
    assert one(new_york, "coin").text == "3"
    assert [use.get("href") for use in one(new_york, "symbols").iter(f"{SVG}use")] == [
        "#fas-ship", "#fas-settler", "#fas-military", "#fas-coin"]
    dead = with_class(drawn(war(0), 0), "unusable")
    assert [e.get("data-card") for e in dead] == [str(card("FHA", 0))]


@pytest.mark.parametrize("count", [0, 1, 5, 8, 14, 30])
def test_cards_of_any_hand_stay_on_the_sheet(count: int) -> None:
    position = war(0)
    hand = tuple(sorted((card("RI", 0), card("NYK", 0), card("BOS", 0)) * 10))[:count]
    root = drawn(replace(position, seats=(replace(position.seats[0], hand=hand, hand_size=count),
                                          position.seats[1])), 0)
    wide = float(root.attrib["viewBox"].split()[2])
    own = one(root, "own")
    for name in ("hand", "reserve"):
        for holder in one(own, name):
            if holder.tag == f"{SVG}g" and holder.get("class") != "hits":
                x, _, scale = map(float, re.findall(r"[\d.]+", holder.attrib["transform"]))
                assert 0 < x < x + 124 * scale < wide
    assert len(with_class(own, "card")) == count + 2


@pytest.mark.rule("R-23")
@pytest.mark.parametrize("viewer", [0, 1])
def test_nothing_hidden_is_told(viewer: int) -> None:
    """Text and picture for a viewer are the same for any unseen cards of the other side."""
    position = war()
    other = 1 - viewer
    who = position.seats[other]
    assert who.hand is not None
    assert who.deck is not None
    swapped = replace(who, hand=tuple(sorted((*who.deck[:2], *who.hand[2:]))),
                      deck=tuple(sorted((*who.hand[:2], *who.deck[2:]))))
    seats = (swapped, position.seats[1]) if other == 0 else (position.seats[0], swapped)
    changed = replace(position, seats=seats)
    assert status_text(changed) != status_text(position)
    for draw in (board_text, status_text, board_svg):
        assert draw(seen(changed, viewer), seat=viewer) == draw(seen(position, viewer), seat=viewer)
    assert Counter(who.known) == chips_of(panel_of(drawn(seen(position, viewer), viewer), other), "in-hand")
    assert chips_of(panel_of(drawn(position, viewer), other), "hand") == Counter(who.hand)


def test_labels_places_and_the_last_site_stand_out() -> None:
    places = [("site", SITE["ALB"]), ("site", SITE["QUE"])]
    assert not with_class(drawn(war(), places=places), "place")
    root = drawn(war(), labels=True, places=places)
    marked = [e.attrib["data-site"] for e in with_class(root, "site") if with_class(e, "place")]
    assert marked == [str(number) for _, number in sorted(places)]
    assert len(with_class(site_of(root, "BOS"), "last")) == 2
    assert len(with_class(root, "last")) == 2
    assert not with_class(drawn(start()), "last")


def test_winner_is_lit_at_the_end() -> None:
    root = drawn(ended())
    assert [one(panel_of(root, seat), "notes").text for seat in range(2)] == [None, "winner"]
    assert one(root, "news").text == (
        "The game is over: the French have won the siege of Boston; the French win at once, whatever the points "
        "(41 to 38).")


def test_pieces_of_both_sides_differ_in_more_than_colour() -> None:
    shapes = set()
    for owner, is_town in ((0, False), (0, True), (1, False), (1, True)):
        group = site_of(drawn(placed(start(), owner, "ALB", town=is_town)), "ALB")
        shapes.add((tuple(e.tag for e in group.iter()), tuple(u.get("href") for u in group.iter(f"{SVG}use"))))
    assert len(shapes) == 4


@pytest.mark.parametrize("reason", ["siege", "settle", "supply", "capture", "max_turns", "resign"])
@pytest.mark.parametrize("points", [(38, 41), (41, 41)])
def test_no_ending_is_too_long_for_its_line(reason: str, points: tuple[int, int]) -> None:
    position = replace(ended(), reason=reason)
    seats = tuple(replace(who, points=n) for who, n in zip(position.seats, points, strict=True))
    texts = texts_of(board_svg(replace(position, seats=(seats[0], seats[1])), seat=0))
    assert overlapping(texts) == []
    assert outside(texts) == []
