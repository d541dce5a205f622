"""The picture of Zarahemla: well-formed, complete, free of secrets and the same every time."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree as ET

import pytest

from sfida.engines.zarahemla.board_svg import board_svg
from sfida.engines.zarahemla.map import MIDDLE, SIDE, board
from sfida.engines.zarahemla.pieces_svg import TERRAINS
from sfida.engines.zarahemla.style import RESOURCES, pips, seat_letters, seat_rgb
from support.pictures import SVG, one, seat_of, texts, told, with_class
from support.zarahemla_pictures import EDGE, game, hidden, unlaid

panel_seat = partial(seat_of, within="panel")


def spot(element: ET.Element) -> tuple[float, float]:
    """Return the position of a piece, in hex sides from the middle of the land."""
    found = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    assert found
    return (float(found[1]) - MIDDLE[0]) / SIDE, (float(found[2]) - MIDDLE[1]) / SIDE


def test_every_hex_token_and_pip_is_drawn() -> None:
    position = game()
    root = ET.fromstring(board_svg(position))
    hexes = with_class(root, "hex")
    assert [e.get("data-terrain") for e in hexes] == list(position.terrain)
    for number, element in enumerate(hexes):
        assert spot(element) == pytest.approx(board().hexes[number].xy, abs=1e-3)
        assert [use.get("href") for use in element.iter(f"{SVG}use")] == [f"#zar-{position.terrain[number]}"]
        tokens = with_class(element, "token")
        assert len(tokens) == (position.numbers[number] > 0)
        for token in tokens:
            assert one(token, "number").text == str(position.numbers[number])
            assert len(with_class(token, "pip")) == pips(position.numbers[number])
            red = one(token, "number").get("fill") == "#c0241d"
            assert red == (position.numbers[number] in (6, 8))


def test_rolled_tokens_glow_except_under_the_robber() -> None:
    assert len(with_class(ET.fromstring(board_svg(game())), "rolled")) == 2
    assert len(with_class(ET.fromstring(board_svg(replace(game(), dice=6))), "rolled")) == 1
    assert not with_class(ET.fromstring(board_svg(replace(game(), dice=0))), "rolled")


def test_every_piece_stands_once_at_its_place_with_its_owners_letter() -> None:
    position = game()
    root = ET.fromstring(board_svg(position))
    pieces = one(root, "pieces")
    for kind in ("settlement", "city"):
        found = {int(e.attrib["data-corner"]): e for e in with_class(pieces, kind)}
        assert len(found) == len(with_class(pieces, kind))
        assert {(c, e.get("class")) for c, e in found.items()} == {
            (corner, f"{kind} seat-{seat}") for corner, seat, what in position.buildings if what == kind}
        for corner, element in found.items():
            assert spot(element) == pytest.approx(board().corners[corner].xy, abs=1e-3)
    roads = with_class(pieces, "road")
    assert [(int(e.attrib["data-edge"]), e.get("class")) for e in roads] == [
        (edge, f"road seat-{seat}") for edge, seat in position.roads]
    for element in roads:
        assert spot(element) == pytest.approx(board().edges[int(element.attrib["data-edge"])].xy, abs=1e-3)
        turn = re.search(r"rotate\((\S+)\)", element.attrib["transform"])
        (ax, ay), (bx, by) = (board().corners[c].xy for c in board().edges[int(element.attrib["data-edge"])].corners)
        assert turn
        assert math.sin(math.atan2(by - ay, bx - ax) - math.radians(float(turn[1]))) == pytest.approx(0, abs=1e-3)
    for element in (*roads, *with_class(pieces, "settlement"), *with_class(pieces, "city")):
        seat = int(element.attrib["class"][-1])
        assert one(element, "owner").text == seat_letters(4)[seat]
        assert seat_rgb(seat) in {e.get("fill") for e in element.iter()}
    robber = one(pieces, "robber")
    assert robber.get("data-hex") == str(position.robber)
    assert math.dist(spot(robber), board().hexes[position.robber].xy) < 0.8


def test_stations_have_a_pier_to_each_of_their_corners() -> None:
    position = game()
    stations = with_class(ET.fromstring(board_svg(position)), "station")
    assert [(int(e.attrib["data-edge"]), e.get("data-kind")) for e in stations] == list(position.stations)
    for element, (edge, kind) in zip(stations, position.stations, strict=True):
        piers = [int(e.attrib["data-corner"]) for e in with_class(element, "pier")]
        assert tuple(piers) == board().edges[edge].corners
        assert ("3:1" if kind == "any" else "2:1") in texts(element)
        assert ("?" in texts(element)) == (kind == "any")


@pytest.mark.parametrize(("last", "marks"), [(("road", EDGE[39, 44]), 1), (("city", 44), 1), (("settle", 8), 1),
                                             (("move_robber", 13), 1), (("end_turn", 0), 0), (None, 0)])
def test_last_move_is_outlined(last: tuple[str, int] | None, marks: int) -> None:
    root = ET.fromstring(board_svg(replace(game(), last=last)))
    assert len(with_class(root, "last")) == marks


def test_labels_number_corners_and_hexes() -> None:
    assert not with_class(ET.fromstring(board_svg(game())), "label")
    root = ET.fromstring(board_svg(game(), labels=True))
    assert [e.text for e in with_class(root, "corner-label")] == [f"{n:02}" for n in range(54)]
    assert [e.text for e in with_class(root, "hex-label")] == [f"h{n}" for n in range(19)]
    for number, element in enumerate(with_class(root, "corner-label")):
        x, y = (float(element.attrib[name]) for name in "xy")
        corner = board().corners[number].xy
        assert math.dist(((x - MIDDLE[0]) / SIDE, (y - MIDDLE[1]) / SIDE), corner) < 0.4
    places = [(float(e.attrib["x"]), float(e.attrib["y"])) for e in with_class(root, "label")]
    apart = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    assert apart > 14                                   # no label covers another


def test_places_where_the_mover_may_play_are_marked() -> None:
    places = {("corner", 0), ("edge", EDGE[0, 4]), ("hex", 3), ("hex", 4)}
    assert len(with_class(ET.fromstring(board_svg(game(), places=places)), "place")) == 4
    assert not with_class(ET.fromstring(board_svg(game())), "place")


@pytest.mark.parametrize("viewer", range(4))
def test_panel_shows_own_cards_and_others_from_behind(viewer: int) -> None:
    root = ET.fromstring(board_svg(game(viewer), seat=viewer))
    for number, seat in enumerate(game().seats):
        box = panel_seat(root, number)
        assert one(box, "score").text == str(seat.points)
        assert one(box, "hand").get("data-size") == str(seat.hand_size)
        faces = [int(e.attrib["data-count"]) for e in with_class(one(box, "hand"), "card")]
        backs = with_class(box, "resource"), with_class(box, "development")
        names = [e.text for e in with_class(one(box, "cards"), "card-name")]
        if number == viewer:
            assert faces == list(seat.hand or ())
            assert backs == ([], [])
            assert len(names) == len(seat.cards or ())
            assert bool(with_class(box, "secret-points")) == bool(seat.secret_points)
            assert "you" in " ".join(texts(box))
        else:
            assert faces == names == with_class(box, "secret-points") == []
            assert (len(backs[0]), len(backs[1])) == (seat.hand_size, seat.card_count)
            assert "you" not in " ".join(texts(box))


@pytest.mark.parametrize("viewer", range(4))
def test_picture_depends_on_nothing_that_is_hidden(viewer: int) -> None:
    """The picture does not depend on the information of other seats that the position leaves out."""
    seen = ET.fromstring(board_svg(game(viewer), seat=viewer))
    everything = " ".join(told(seen))
    own = {name for name, _ in game().seats[viewer].cards or ()}
    for name, word in (("liahona", "Liahona"), ("temple_building", "Temple Building"),
                       ("road_building", "Road Building"), ("victory_point", "Victory Point")):
        assert (word in everything) == (name in own)


def test_panel_shows_supplies_races_and_special_cards() -> None:
    position = game(0)
    root = ET.fromstring(board_svg(position, seat=0))
    for number, seat in enumerate(position.seats):
        box = panel_seat(root, number)
        left = [one(box, f"left-{kind}").text for kind in ("road", "settlement", "city", "stone")]
        assert left == [str(n) for n in (seat.roads_left, seat.settlements_left, seat.cities_left, seat.stones_left)]
        races = {e.attrib["class"].split()[1]: (e.get("data-value"), "★" in " ".join(texts(e)))
                 for e in with_class(box, "race")}
        assert races == {"army": (str(seat.warriors), seat.largest_army),
                         "road": (str(seat.road_length), seat.longest_road), "temple": (str(seat.stones), seat.temple)}
    holders = {e.attrib["class"].split()[1]: e.get("data-seat") for e in with_class(root, "special")}
    assert holders == {"longest_road": "0", "largest_army": "0", "temple": "2"}
    stones = [e.get("data-count") for e in with_class(root, "stones")]
    assert stones == [str(seat.stones) for seat in position.seats]


def test_bank_deck_dice_offer_and_track_are_shown() -> None:
    position = game(0)
    root = ET.fromstring(board_svg(position, seat=0, target=10))
    assert [int(e.attrib["data-count"]) for e in with_class(one(root, "bank"), "card")] == list(position.bank)
    assert one(root, "deck-count").text == str(position.deck)
    assert one(root, "rolled-total").text == "8"
    offer = one(root, "offer")
    assert texts(offer)[:2] == ["R", "Red gives"]
    assert texts(offer)[2:] == ["2", "for", "1"]
    track = one(root, "track")
    assert [text for text in texts(track) if text.isdigit()] == [str(n) for n in range(1, 11)]
    assert sorted(e.attrib["data-points"] for e in with_class(track, "marker")) == ["4", "4", "5", "7"]
    assert not with_class(ET.fromstring(board_svg(replace(position, offer=None))), "offer")


def test_at_the_end_the_markers_count_the_cards_that_were_secret() -> None:
    root = ET.fromstring(board_svg(replace(game(), phase="game_over", winner=0), target=8))
    assert sorted(e.attrib["data-points"] for e in with_class(one(root, "track"), "marker")) == ["4", "5", "6", "8"]


@pytest.mark.parametrize("total", range(2, 13))
def test_dice_show_what_was_rolled(total: int) -> None:
    dice = one(ET.fromstring(board_svg(replace(game(), dice=total))), "dice")
    assert one(dice, "rolled-total").text == str(total)
    eyes = [int(die.attrib["data-eyes"]) for die in with_class(dice, "die")]
    assert sum(eyes) == total
    assert [len(list(die.iter(f"{SVG}circle"))) for die in with_class(dice, "die")] == eyes


def test_no_total_stands_beside_dice_that_were_not_rolled() -> None:
    dice = one(ET.fromstring(board_svg(replace(game(), dice=0))), "dice")
    assert texts(dice) == ["Not rolled"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_boxes_of_a_row_are_equally_high(players: int) -> None:
    root = ET.fromstring(board_svg(game(1, players), seat=1))
    rows: dict[str, set[str]] = {}
    for seat in range(players):
        back = next(panel_seat(root, seat).iter(f"{SVG}rect"))
        rows.setdefault(back.attrib["y"], set()).add(back.attrib["height"])
    assert len(rows) == (1 if players == 2 else 2)
    assert all(len(heights) == 1 for heights in rows.values())


@pytest.mark.parametrize("winner", [2, None])
def test_winner_is_named_at_the_end(winner: int | None) -> None:
    over = replace(game(), phase="game_over", seat_to_move=-4, offer=None, winner=winner)
    root = ET.fromstring(board_svg(over))
    named = [seat for seat in range(4) if "winner" in texts(panel_seat(root, seat))]
    assert named == ([] if winner is None else [winner])


def test_others_together_are_told_to_the_viewing_seat_only() -> None:
    row = one(panel_seat(ET.fromstring(board_svg(game(0), seat=0)), 0), "elsewhere")
    assert texts(row)[1:] == ["7", "1", "7", "3", "7"]
    assert not with_class(ET.fromstring(board_svg(game(0))), "elsewhere")
    blind = replace(game(), seats=tuple(hidden(seat) for seat in game().seats))
    assert not with_class(ET.fromstring(board_svg(blind, seat=0)), "elsewhere")


def test_without_a_temple_none_is_drawn() -> None:
    seats = tuple(replace(seat, stones=0, stones_left=0, temple=False) for seat in game(0).seats)
    root = ET.fromstring(board_svg(replace(game(0), seats=seats)))
    assert not with_class(root, "temple")
    assert not any("emple" in text for text in texts(root))
    assert with_class(ET.fromstring(board_svg(game())), "temple")


def test_robber_in_the_hideout_and_no_robber() -> None:
    home = game().terrain.index("hideout")
    assert one(ET.fromstring(board_svg(replace(game(), robber=home))), "robber").get("data-hex") == str(home)
    assert not with_class(ET.fromstring(board_svg(unlaid())), "robber")


def test_resources_have_signs_of_their_own() -> None:
    """No two resource cards differ only in colour."""
    root = ET.fromstring(board_svg(game()))
    shapes = set()
    for card in with_class(one(root, "bank"), "card"):
        shapes.add(tuple((e.tag, e.get("d"), e.get("cx"), e.get("x")) for e in card.iter() if e.tag != f"{SVG}text"))
    assert len(shapes) == len(RESOURCES)


def test_every_terrain_is_painted() -> None:
    ids = {element.get("id") for element in ET.fromstring(board_svg(game())).iter()}
    assert {f"zar-{terrain or 'blank'}" for terrain in TERRAINS} <= ids
