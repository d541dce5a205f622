"""RisiKo! in the terminal and as a picture: complete, free of secrets, within its width and the same every time."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from sfida.engines.language import speaking
from sfida.engines.risiko.board_svg import TOP, board_svg
from sfida.engines.risiko.board_text import (
    LABEL, MAP_WIDTH, WIDEST, army_text, board_text, cards_text, legend_text, status_text, stock_text, text_map
)
from sfida.engines.risiko.map import HIGH, WIDE, frontiers, lands, plate, sea_line, world_data
from sfida.engines.risiko.position import Position
from sfida.engines.risiko.style import color_letter, continents, neighbours, over_margin, seat_rgb, territories
from sfida.engines.risiko.tables import load_data
from support.pictures import SVG, inside, one, seat_of, told, with_class
from support.risiko_pictures import CODE, OVER, fallen, game, undealt
from support.text_boxes import Box, overlapping, texts_of

CODE_OF = {territory.id: territory.number for territory in territories()}
row_of = partial(seat_of, within="seats")


def drawn(position: Position, seat: int | None = None, **more: object) -> ET.Element:
    return ET.fromstring(board_svg(position, seat=seat, **more))  # type: ignore[arg-type]


# ---- the map of the world -----------------------------------------------------------------------------


@pytest.mark.rule("RIS-2.1", "RIS-7.3")
def test_lands_touch_where_the_board_has_a_border_on_land_and_nowhere_else() -> None:
    edges = load_data()["board"]["edges"]
    assert {frozenset(names[:2]) for names in frontiers()} == {
        frozenset((edge["a"], edge["b"])) for edge in edges if edge["type"] == "land"}
    assert len(frontiers()) == sum(edge["type"] == "land" for edge in edges)


def test_every_territory_lies_on_the_sheet_with_its_armies_on_its_own_land() -> None:
    assert set(lands()) == {territory.id for territory in territories()}
    for name, land in lands().items():
        assert all(0 <= x <= WIDE and 0 <= y <= HIGH for ring in land.rings for x, y in ring)
        assert any(inside(ring, *land.spot) for ring in land.rings), name
        for other, one_more in lands().items():
            assert other == name or not any(inside(ring, *land.spot) for ring in one_more.rings)


@pytest.mark.rule("RIS-7.3")
def test_sea_lines_run_from_one_land_to_the_other_and_only_alaska_kamchatka_over_the_margin() -> None:
    for edge in load_data()["board"]["edges"]:
        a, b = CODE_OF[edge["a"]], CODE_OF[edge["b"]]
        assert over_margin(a, b) == over_margin(b, a) == ({edge["a"], edge["b"]} == {"alaska", "kamchatka"})
        if edge["type"] == "sea" and not over_margin(a, b):
            for first, last in ((edge["a"], edge["b"]), (edge["b"], edge["a"])):
                (line,) = sea_line(first, last)
                for name, point in ((first, line[0]), (last, line[-1])):
                    assert any(inside(ring, *point) for ring in lands()[name].rings), (name, first, last)
    names = {f"{edge[x]}_{edge[y]}" for edge in load_data()["board"]["edges"] for x, y in ("ab", "ba")
             if edge["type"] == "sea"}
    assert set(world_data()["sea"]) <= names
    west, east = sea_line("alaska", "kamchatka")
    assert west[-1][0] <= 22
    assert east[-1][0] >= WIDE


@pytest.mark.rule("RIS-2.1")
def test_neighbours_are_those_of_the_board() -> None:
    assert [len(found) for found in neighbours()] == [territory.value for territory in territories()]
    assert CODE["CIN"] in neighbours()[CODE["MOR"]]
    assert CODE["IND"] not in neighbours()[CODE["AFG"]]


# ---- the terminal -------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", range(MAP_WIDTH, WIDEST + 1, 4))
def test_labels_never_cover_each_other_nor_the_names_of_continents(columns: int) -> None:
    shape = text_map(columns)
    for (row, column), (other_row, other_column) in combinations(shape.spots, 2):
        assert abs(row - other_row) >= 2 or abs(column - other_column) >= LABEL
    assert all(row >= 0 and row + 2 <= shape.rows for row, _ in shape.spots)
    lines = board_text(game(), width=columns).splitlines()
    for continent in continents():
        assert sum(f"{continent.name} +{continent.bonus}" in line for line in lines) == 1


@pytest.mark.parametrize("width", [80, 100, 120])
def test_every_territory_shows_its_code_armies_and_owner(width: int) -> None:
    position = game()
    lines = board_text(position, width=width).splitlines()
    for territory in territories():
        label = army_text(position, territory.number)
        if width < MAP_WIDTH:
            assert any(line.split(territory.code, 1)[1].lstrip("> *").startswith(label) for line in lines
                       if re.search(rf"(^|  )[ >]{territory.code}[ >*] *\d", line))
        else:
            row, column = next((row, line.index(territory.code)) for row, line in enumerate(lines)
                               if territory.code in line)
            assert lines[row + 1][column - 1:column + 4].strip() == label


@pytest.mark.parametrize("width", [24, 40, 60])
def test_narrow_list_shows_every_territory(width: int) -> None:
    position = game()
    found = dict(re.findall(r"([A-Z]{3})[ >*] *(\d+[a-z])", board_text(position, width=width)))
    assert found == {territory.code: army_text(position, territory.number) for territory in territories()}


def test_list_names_the_neighbours() -> None:
    lines = board_text(game(), width=80).splitlines()
    assert any(line.endswith("URA SIB MON AFG MOR IND SIA") and "CIN" in line for line in lines)
    assert any(re.search(r"ALK[ >*] *\w+  TNO ALB KAM\b", line) for line in lines)


def test_seats_are_painted_in_the_colours_of_the_data() -> None:
    position = game()
    assert [seat_rgb(position, seat) for seat in range(4)] == [entry["hex"] for entry in load_data()["color"][:4]]
    assert [army_text(position, next(n for n in range(42) if position.owner[n] == seat))[-1] for seat in range(4)] == [
        color_letter(entry["id"]) for entry in load_data()["color"][:4]]


def test_last_move_objective_and_places_are_marked() -> None:
    text = board_text(replace(game(0), seats=game().seats), width=120)
    assert ">GRO" in text
    assert "QUE>" in text
    assert board_text(replace(game(0), last=None), width=120).count(">") == 0
    stars = {code[:3] for code in re.findall(r"[A-Z]{3}\*", board_text(replace(game(0), last=None), seat=0, width=120))}
    assert stars == {territories()[number].code for number in game(0).seats[0].goal}
    assert "*" not in board_text(replace(game(0), last=None), width=120)
    marked = board_text(game(0), color=True, labels=True, places=[("territory", CODE["CIN"])])
    assert "\x1b[1;38;5;16;48;5;226mCIN" in marked
    assert "48;5;226mCIN" not in board_text(game(0), color=True, places=[("territory", CODE["CIN"])])


def test_continents_owned_whole_carry_the_owners_letter() -> None:
    text = board_text(game(), width=120)
    assert "North America +5  b" in text
    assert "Oceania +2  y" in text
    assert not re.search(r"Asia \+7  [bgnr]\b", text)


def test_status_says_how_it_stands() -> None:
    position = game(0)
    lines = status_text(position, seat=0).splitlines()
    for who, line in zip(position.seats, lines[1:5], strict=True):
        assert re.search(rf"\b{who.territories} +{who.armies} +\+{who.income} +{who.card_count}\b", line)
    assert lines[1].startswith(">  b  Blue (you)")
    assert lines[1].endswith("North America")
    text = " ".join(" ".join(lines).split())
    assert f"objective: North America and Africa · {position.seats[0].progress} · lacking: " in text
    assert "ALK infantry +2" in text
    assert "set: joker plus pair" in text
    assert "Last: Quebec attacked Greenland, the attacker lost 1, the defender 2." in text
    assert text.endswith("Round 6. Blue attacks, or ends the attacks with '='; 1 conquest so far, so a card is due.")


@pytest.mark.rule("RIS-9.1")
def test_eliminated_seats_are_said_to_be_out() -> None:
    position = fallen(game(None, 6))
    assert "eliminated in round 5 by Yellow" in status_text(position)
    row = row_of(drawn(position), 2)
    assert one(row, "fate").text == "eliminated in round 5 by Yellow"
    assert not with_class(row, "territories")
    assert len(with_class(drawn(position), "fate")) == 1


def test_phases_and_endings_are_put_into_words() -> None:
    position = game()
    attack = replace(position, phase="defend", seat_to_move=2, origin=CODE["ALK"], target=CODE["KAM"], attack_dice=3)
    assert status_text(attack).endswith(
        "Blue attacks Kamchatka from Alaska with 3 dice: Black chooses the dice of the defence.")
    thrown = replace(position, phase="chance_roll", seat_to_move=-1, origin=CODE["ALK"], target=CODE["KAM"],
                     attack_dice=1, defence_dice=2)
    assert status_text(thrown).endswith("Blue attacks Kamchatka from Alaska with 1 die, 2 against it.")
    placing = replace(position, phase="place", left=1)
    assert status_text(placing).endswith("Blue places 1 army, then attacks.")
    assert status_text(OVER).endswith("The game is over: Yellow and Red share the victory.")
    won = replace(OVER, winners=(1,))
    assert status_text(won).endswith("The game is over: Yellow wins, with the objective: Own 24 territories.")
    phases = ("chance_start", "colors", "chance_objectives", "chance_deal", "setup_place", "trade", "attack", "occupy",
              "fortify", "draw", "sdadata")
    said = {status_text(replace(position, phase=phase)).splitlines()[-1] for phase in phases}
    assert len(said) == len(phases)
    assert not any(phase in line for phase in phases if "_" in phase for line in said)


def test_stock_counts_cards_and_lists_the_discards() -> None:
    text = stock_text(game())
    assert "22 cards in the deck, 10 in hands" in text
    assert "VEN" in text
    assert stock_text(replace(game(), discards=())).endswith("none")


@pytest.mark.rule("RIS-6.3", "RIS-13.1")
def test_legend_says_what_sets_are_worth_in_the_table_in_use() -> None:
    assert "three cannons 4   three infantry 6   three cavalry 8" in legend_text(width=200)
    assert "three cannons 8   three infantry 8   three cavalry 8" in legend_text(table="rtu", width=200)
    assert "CIN 7" not in legend_text()
    assert "CIN 7" in cards_text(tournament=True)


# ---- the picture --------------------------------------------------------------------------------------


def test_every_territory_carries_its_armies_in_its_owners_colour_and_letter() -> None:
    position = game()
    root = drawn(position)
    pieces = with_class(root, "army")
    assert [int(e.attrib["data-territory"]) for e in pieces] == list(range(42))
    rims = {int(e.attrib["data-territory"]): e for e in with_class(root, "rim")}
    for number, piece in enumerate(pieces):
        owner = position.owner[number]
        assert f"seat-{owner}" in piece.attrib["class"]
        assert one(piece, "armies").text == str(position.armies[number])
        assert one(piece, "owner").text == color_letter(load_data()["color"][owner]["id"])
        assert one(one(piece, "code"), "label").text == territories()[number].code
        tank = next(piece.iter(f"{SVG}use"))
        assert tank.get("fill") == seat_rgb(position, owner)
        kind = "flag" if position.armies[number] >= 10 else "heavy" if position.armies[number] >= 5 else "tank"
        assert tank.get("href") == f"#ris-{kind}"
        assert {use.get("stroke") for use in rims[number].iter(f"{SVG}use")} == {seat_rgb(position, owner)}
    bare = drawn(undealt())
    assert len(with_class(bare, "nobody")) == 42
    assert not with_class(bare, "rim")


def test_plates_tell_bonus_and_owner_of_the_continents() -> None:
    plates = with_class(drawn(game()), "plate")
    assert [int(e.attrib["data-owner"]) for e in plates] == [0, -1, -1, -1, -1, 1]
    for continent, element in zip(continents(), plates, strict=True):
        assert {continent.name, f"+{continent.bonus}"} <= set(told(element))


@pytest.mark.parametrize(("origin", "target"), [("GRO", "ISL"), ("MON", "CIN"), ("EUS", "SCA"), ("IDN", "AUO")])
def test_losses_cover_no_text(origin: str, target: str) -> None:
    for last in ((CODE[origin], CODE[target]), (CODE[target], CODE[origin])):
        document = board_svg(replace(game(), last=("attack", *last, 1, 2)))
        assert len(with_class(ET.fromstring(document), "loss")) == 2
        assert overlapping(texts_of(document)) == []


def test_plates_stand_beside_their_own_continents() -> None:
    spots = [lands()[territory.id].spot for territory in territories()]
    for continent in continents():
        place = plate(continent.id)
        nearest = min(range(42), key=lambda number: math.dist(spots[number], place))
        assert nearest in continent.territories


def test_territories_are_named_and_continents_show_who_holds_them() -> None:
    position = game()
    root = drawn(position)
    assert " ".join(e.text or "" for e in with_class(one(root, "above"), "territory-name")) == " ".join(
        territory.name for territory in territories())
    rows = with_class(one(root, "holdings"), "holding")
    letters = [color_letter(entry["id"]) for entry in load_data()["color"]]
    for continent, row in zip(continents(), rows, strict=True):
        owners = Counter(letters[position.owner[number]] for number in continent.territories)
        assert Counter(text for text in told(row) if text in letters) == owners
    assert not with_class(drawn(position, 0), "holdings")
    assert len(with_class(drawn(undealt()), "holding")) == 6


@pytest.mark.parametrize(("last", "arrows", "rings"), [
    (("attack", CODE["QUE"], CODE["GRO"], 1, 2), ["arrow attack"], 0),
    (("fortify", CODE["UCR"], CODE["EUM"], 0, 0), ["arrow march"], 0),
    (("place", -1, CODE["CIN"], 0, 0), [], 1), (("end_turn", -1, -1, 0, 0), [], 0), (None, [], 0)])
def test_last_move_is_drawn(last: tuple[str, int, int, int, int] | None, arrows: list[str], rings: int) -> None:
    root = drawn(replace(game(), last=last))
    assert [e.get("class") for e in with_class(root, "arrow")] == arrows
    assert len(with_class(root, "last")) == 2 * rings
    losses = [text for e in with_class(root, "loss") for text in told(e)]
    assert losses == (["−1", "−2"] if last is not None and last[0] == "attack" else [])


@pytest.mark.rule("RIS-7.3")
@pytest.mark.parametrize("pair", [("ALK", "KAM"), ("KAM", "ALK")])
def test_attack_over_the_margin_leaves_on_one_side_and_comes_in_on_the_other(pair: tuple[str, str]) -> None:
    root = drawn(replace(game(), phase="defend", last=None, origin=CODE[pair[0]], target=CODE[pair[1]], attack_dice=3))
    paths = [e.attrib["d"] for e in one(root, "arrow").iter(f"{SVG}path")]
    ends = [re.findall(r"-?[\d.]+(?=,)", path) for path in dict.fromkeys(paths)]
    assert len(ends) == 2
    starts, stops = (float(ends[0][-1]), float(ends[1][0]))
    assert (starts < 0) == (pair[0] == "ALK")
    assert (stops > WIDE) == (pair[0] == "ALK")
    assert sum("marker-end" in e.attrib for e in one(root, "arrow").iter(f"{SVG}path")) == 1


@pytest.mark.parametrize("pair", [("KAM", "MON"), ("MON", "KAM"), ("SUO", "ALB"), ("UCR", "SCA")])
def test_an_arrow_bends_away_from_other_pieces(pair: tuple[str, str]) -> None:
    """A straight arrow from Kamchatka to Mongolia would run through Chita."""
    origin, target = (CODE[code] for code in pair)
    root = drawn(replace(game(), phase="defend", last=None, origin=origin, target=target, attack_dice=3))
    path = next(one(root, "arrow").iter(f"{SVG}path")).attrib["d"]
    (ax, ay), (cx, cy), (bx, by) = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
    for part in range(1, 10):
        t = part / 10
        point = ((1 - t) ** 2 * ax + 2 * t * (1 - t) * cx + t * t * bx,
                 (1 - t) ** 2 * ay + 2 * t * (1 - t) * cy + t * t * by)
        for number in set(range(42)) - {origin, target}:
            assert math.dist(point, lands()[territories()[number].id].spot) > 25


def test_labels_and_places_stand_out() -> None:
    places = [("territory", CODE["ALK"]), ("territory", CODE["CIN"])]
    assert not with_class(drawn(game(), places=places), "place")
    root = drawn(game(), labels=True, places=places)
    assert len(with_class(root, "place")) == 2
    plates = [number for number, piece in enumerate(with_class(root, "army"))
              for e in piece.iter(f"{SVG}rect") if e.get("fill") == "#ffe14d"]
    assert plates == sorted(number for _, number in places)


@pytest.mark.rule("RIS-11.13")
def test_tournament_shows_values_and_known_points() -> None:
    root = drawn(game(4, 5, True), seat=4)
    assert [one(piece, "value").text for piece in with_class(root, "army")] == [
        str(territory.value) for territory in territories()]
    assert [one(row_of(root, seat), "points").text for seat in range(5)] == ["?", "?", "?", "?", "44"]
    assert not with_class(drawn(game()), "value")
    assert not with_class(one(drawn(game()), "seats"), "points")
    assert " 44" in status_text(game(4, 5, True))


def test_table_tells_what_everybody_may_know() -> None:
    position = game(0)
    root = drawn(position, seat=0)
    for seat, who in enumerate(position.seats):
        row = row_of(root, seat)
        assert one(row, "territories").text == str(who.territories)
        assert one(row, "armies").text == str(who.armies)
        assert one(row, "income").text == f"+{who.income}"
        assert one(row, "cards").get("data-count") == str(who.card_count)
        assert len(with_class(row, "back")) == min(9, who.card_count)
        assert [int(e.attrib["data-continent"]) for e in with_class(row, "continent")] == list(who.continents)
    assert one(row_of(root, 0), "notes").text == "you, to move"
    assert one(root, "deck").text == "deck 22  ·  discards 3"
    assert one(root, "round").text == "Round 6"


@pytest.mark.parametrize("seat", [0, None])
def test_a_row_has_room_for_everything_that_a_seat_can_have(seat: int | None) -> None:
    position = game(0, 5, True)
    rich = replace(position.seats[0], continents=tuple(range(5)), card_count=30)
    row = row_of(drawn(replace(position, seats=(rich, *position.seats[1:])), seat), 0)
    box = next(row.iter(f"{SVG}rect"))
    right = float(box.attrib["x"]) + float(box.attrib["width"])
    chips, backs = ([tuple(map(float, re.findall(r"[\d.]+", e.attrib["transform"]))) for e in with_class(row, name)]
                    for name in ("continent", "back"))
    assert len(chips) == 5
    assert chips == sorted(chips)
    assert chips[-1][0] + 27 < right
    assert max(x for x, _y in backs) + 15 < right
    assert min(y for _x, y in backs) > max(y for _x, y in chips) + 20


def test_viewing_seat_sees_its_objective_and_hand() -> None:
    position = game(0)
    root = drawn(position, seat=0)
    own = one(root, "own")
    assert " ".join(e.text or "" for e in with_class(own, "objective-name")) == position.seats[0].objective_name
    assert one(own, "progress").text == position.seats[0].progress
    shown = {e.attrib["data-territory"]: e.get("class") for name in ("owned", "wanted") for e in with_class(own, name)}
    assert {int(number): class_ for number, class_ in shown.items()} == {
        number: "owned" if position.owner[number] == 0 else "wanted" for number in position.seats[0].goal}
    assert Counter(int(e.attrib["data-card"]) for e in with_class(own, "card")) == Counter(position.seats[0].cards)
    assert len(with_class(root, "goal")) == len(position.seats[0].goal)
    assert not with_class(drawn(position), "own")
    assert not with_class(drawn(position), "goal")


@pytest.mark.rule("RIS-10.5")
def test_objective_to_destroy_a_colour_shows_where_it_stands() -> None:
    position = game(0)
    assert load_data()["objective"][9]["color"] == "giallo"
    hunter = replace(position.seats[0], objective=9, objective_name="Destroy the yellow armies", goal=())
    hunt = replace(position, seats=(hunter, *position.seats[1:]))
    wanted = {int(e.attrib["data-territory"]) for e in with_class(drawn(hunt, 0), "wanted")}
    assert wanted == {number for number in range(42) if position.owner[number] == 1}
    gone = fallen(hunt, 1, 2)                       # another seat eliminated it: 24 territories instead
    assert not with_class(drawn(gone, 0), "wanted")
    assert len(with_class(drawn(gone, 0), "owned")) == gone.seats[0].territories


@pytest.mark.parametrize("players", [3, 6])
def test_nothing_hidden_is_told(players: int) -> None:
    """Text and picture for a viewer do not depend on the secrets of others."""
    for viewer in range(players):
        position = game(viewer, players)
        everything = " ".join([status_text(position, seat=viewer), board_text(position, seat=viewer),
                               *told(drawn(position, viewer))])
        assert everything.count("objective:") == 1
        for seat, who in enumerate(game(None, players).seats):
            assert seat == viewer or who.objective_name not in everything
        assert len(with_class(drawn(position, viewer), "card")) == len(position.seats[viewer].cards or ())
        assert not with_class(one(drawn(position, viewer), "seats"), "objective")
    open_position = game(None, players)
    said = " ".join(told(one(drawn(open_position, 0), "seats")))
    assert all(who.objective_name in said for who in open_position.seats[1:])


def test_winners_are_lit_at_the_end() -> None:
    root = drawn(OVER)
    assert [one(row_of(root, seat), "notes").text for seat in range(5)] == [
        None, "shares the victory", None, "shares the victory", None]
    assert all(who.objective_name in " ".join(told(one(root, "seats"))) for who in OVER.seats)


@pytest.mark.parametrize("code", ["en", "it"])
def test_no_name_is_covered_by_a_tank_or_another_name(code: str) -> None:
    with speaking(code):
        document = board_svg(replace(game(), last=None), labels=True)
        names = {territory.name for territory in territories()}
    texts = texts_of(document)
    lines = [one for one in texts if len(one.text) > 2 and any(one.text in name for name in names)]
    assert len(lines) >= 42
    for line in lines:
        assert line.size >= 12.5
        for territory in territories():
            x, y = lands()[territory.id].spot
            tank = Box(x + 10 - 20.0, y + TOP - 17.0, x + 10 + 20.0, y + TOP + 14.0)
            assert line.box.shared(tank) <= 0, (line.text, territory.name)
    assert overlapping(lines) == []
