"""Sources, components and the map: chapters 0 to 2, and the checksums of chapter 25."""

from __future__ import annotations

import copy
from collections import Counter
from itertools import combinations, pairwise

import pytest

from sfida.engines.zarahemla.position import chance_codes, move_codes
from sfida.engines.zarahemla.tables import load_data, rules_from
from support.playing import play
from support.zarahemla import holders, position, setup, start

DATA = load_data()
BOARD = DATA["board"]
HEXES, CORNERS, EDGES, STATIONS = BOARD["hex"], BOARD["corner"], BOARD["edge"], DATA["station"]


@pytest.mark.rule("ZAR-0.1", "ZAR-14.1", "ZAR-1.5")
def test_numbers_of_the_rulebook() -> None:
    assert DATA["options"]["victory_points"] == DATA["scoring"]["target"] == 12
    assert DATA["costs"] == {"road": [1, 1, 0, 0, 0], "settlement": [1, 1, 1, 1, 0], "city": [0, 0, 0, 2, 3],
                             "dev_card": [0, 0, 1, 1, 1], "temple_stone": [0, 1, 0, 0, 1]}
    scoring = DATA["scoring"]
    assert [scoring[key] for key in ("settlement", "city", "vp_card", "longest_road", "largest_army",
                                     "greatest_temple_contributor")] == [1, 2, 1, 2, 2, 2]
    assert [(card["id"], card["points"], card["minimum"]) for card in DATA["special_card"]] == [
        ("longest_road", 2, 5), ("largest_army", 2, 3), ("greatest_temple_contributor", 2, 3)]


@pytest.mark.rule("ZAR-0.2", "ZAR-0.13")
def test_corrections_are_edits_of_the_data() -> None:
    """The core reads strips, stations, tokens and terrain totals; a different text makes a different game."""
    other = copy.deepcopy(DATA)
    other["strip"][0]["side_a"] = ["stone", "stone", "hideout", "stone", "stone"]
    other["tokens"]["numbers"] = [12, *other["tokens"]["numbers"][1:8], 5, *other["tokens"]["numbers"][9:]]
    other["station"][0]["kind"] = "stone"
    one = start("zarahemla", first_player="0")
    rules = rules_from(other, one.game.ruleset)
    two = type(one)(one.game, rules)
    for state in (one, two):
        play_setup(state)
    assert position(one).terrain[7:12] == ("wheat", "wood", "hideout", "water", "stone")
    assert position(two).terrain[7:12] == ("stone", "stone", "hideout", "stone", "stone")
    assert position(one).numbers[0] == 5
    assert position(two).numbers[0] == 12
    assert position(one).stations[0] == (0, "any")
    assert position(two).stations[0] == (0, "stone")


def play_setup(state: object) -> None:
    for text in ("#layout=0", "#start=0"):
        state.apply(state.parse(text))  # type: ignore[attr-defined]


@pytest.mark.rule("ZAR-0.13")
def test_data_that_contradict_the_core_are_refused() -> None:
    other = copy.deepcopy(DATA)
    other["move_codes"]["road"]["base"] = 55
    with pytest.raises(ValueError, match="move_codes"):
        rules_from(other, start().game.ruleset)


@pytest.mark.rule("ZAR-0.3", "ZAR-2.1", "ZAR-2.3")
def test_the_graph() -> None:
    assert (len(HEXES), len(CORNERS), len(EDGES)) == (19, 54, 72)
    assert len(CORNERS) - len(EDGES) + len(HEXES) == 1
    assert sum(len(row["corners"]) for row in HEXES) == sum(len(row["hexes"]) for row in CORNERS) == 114
    assert sum(len(row["edges"]) for row in HEXES) == sum(len(row["hexes"]) for row in EDGES) == 114
    assert Counter(len(row["hexes"]) for row in CORNERS) == {1: 18, 2: 12, 3: 24}
    assert Counter(len(row["corners"]) for row in CORNERS) == {3: 36, 2: 18}
    for row in CORNERS:
        assert sorted(row["corners"]) == sorted(sum(EDGES[e]["corners"]) - row["id"] for e in row["edges"])
        assert all(row["id"] in CORNERS[c]["corners"] for c in row["corners"])
        assert all(row["id"] in HEXES[h]["corners"] for h in row["hexes"])
        assert len(row["corners"]) == (2 if len(row["hexes"]) == 1 else 3)
    for row in EDGES:
        assert row["corners"][0] < row["corners"][1]
        assert row["hexes"] == [h["id"] for h in HEXES if row["id"] in h["edges"]]
    for row in HEXES:
        for k, h in enumerate(row["neighbors"]):
            assert h == -1 or HEXES[h]["neighbors"][(k + 3) % 6] == row["id"]
        assert [EDGES[e]["corners"] for e in row["edges"]] == [
            sorted((row["corners"][k], row["corners"][(k + 1) % 6])) for k in range(6)]
    colour = {0: 0}                     # bipartite
    todo = [0]
    while todo:
        corner = todo.pop()
        for other in CORNERS[corner]["corners"]:
            if other not in colour:
                colour[other] = 1 - colour[corner]
                todo.append(other)
            assert colour[other] != colour[corner]
    assert Counter(colour.values()) == {0: 27, 1: 27}


@pytest.mark.rule("ZAR-2.3", "ZAR-2.4")
def test_the_shore_is_one_ring_of_ordinary_places() -> None:
    shore_edges = [row["id"] for row in EDGES if row["coastal"]]
    assert len(shore_edges) == 30
    assert sum(row["coastal"] for row in CORNERS) == 30
    assert all(row["coastal"] == (len(row["hexes"]) < 3) for row in CORNERS)
    ring = BOARD["coast_corners_cw"]
    assert sorted(ring) == [row["id"] for row in CORNERS if row["coastal"]]
    for a, b, e in zip(ring, ring[1:] + ring[:1], BOARD["coast_edges_cw"], strict=True):
        assert EDGES[e]["corners"] == sorted((a, b))
    state = setup("S 0 0; R 0 0-3-7; H 0 3 3 1 1 0")
    play(state, "R0-4", "R7-11", "S7")
    assert position(state).seats[0].roads_left == 11


@pytest.mark.rule("ZAR-2.2", "ZAR-2.5", "ZAR-3.1")
def test_three_orientations_are_turns_of_one_another() -> None:
    """Each covers all hexes in straight lines of 3, 4, 5, 4 and 3."""
    directions = []
    for o in range(3):
        lines = DATA["strip_lines"][f"orientation_{o}"]
        assert [len(line) for line in lines] == [3, 4, 5, 4, 3]
        assert sorted(h for line in lines for h in line) == list(range(19))
        steps = {HEXES[a]["neighbors"].index(b) for line in lines for a, b in pairwise(line)}
        assert len(steps) == 1
        directions.append(steps.pop())
    assert directions == [1, 2, 3]      # east, south-east, south-west: 60 degrees each
    for row in HEXES:                   # numbered row by row; corner lattice of the picture
        assert row["x"] == pytest.approx((2 * row["q"] + row["r"]) * 0.866025, abs=1e-3)
        assert row["y"] == pytest.approx(1.5 * row["r"], abs=1e-3)
    assert [(row["r"], row["q"]) for row in HEXES] == sorted((row["r"], row["q"]) for row in HEXES)
    assert [(row["Y"], row["X"]) for row in CORNERS] == sorted((row["Y"], row["X"]) for row in CORNERS)


@pytest.mark.rule("ZAR-1.1", "ZAR-0.5", "ZAR-0.10")
def test_resources() -> None:
    assert [row["id"] for row in DATA["resource"]] == ["wood", "brick", "water", "wheat", "stone"]
    assert sum(row["cards"] for row in DATA["resource"]) == DATA["components"]["resource_cards"] == 90
    assert [row["hexes"] for row in DATA["resource"]] == [4, 3, 4, 4, 3]
    assert position(start()).bank == (18, 18, 18, 18, 18)


@pytest.mark.rule("ZAR-1.2")
def test_the_hideout_never_produces() -> None:
    assert {row["id"]: row["hex_color"] for row in DATA["resource"]} == {
        "wood": "green", "brick": "red", "water": "blue", "wheat": "yellow", "stone": "grey"}
    assert DATA["terrain"]["hideout"]["hex_color"] == "brown"
    state = setup("S 0 18; S 0 30; S 0 29", robber=0, phase="pre_roll")    # all touch the hideout, hex 9
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        after = play(state.clone(), "roll", f"#dice={number}")              # type: ignore[arg-type]
        expected = [h for c in (18, 30, 29) for h in CORNERS[c]["hexes"] if position(state).numbers[h] == number]
        assert sum(after.hand(0)) == len(expected)


@pytest.mark.rule("ZAR-1.3", "ZAR-0.11")
def test_pieces_of_a_player() -> None:
    pieces = DATA["pieces_per_player"]
    assert [pieces[key] for key in ("settlements", "cities", "roads", "temple_stones")] == [5, 4, 15, 10]
    for key in ("settlements", "cities", "roads", "temple_stones"):
        assert DATA["components"][key] == 4 * pieces[key]
    assert DATA["player_colors"]["ids"][:2] == ["red", "blue"]
    seat = position(start()).seats[0]
    assert (seat.settlements_left, seat.cities_left, seat.roads_left, seat.stones_left) == (5, 4, 15, 10)


@pytest.mark.rule("ZAR-1.4", "ZAR-1.8", "ZAR-0.12", "ZAR-0.14")
def test_development_deck() -> None:
    assert [(row["id"], row["count"]) for row in DATA["dev_card"]] == [
        ("stripling_warrior", 14), ("prosperity", 2), ("bountiful_harvest", 2), ("road_building", 2),
        ("temple_building", 2), ("liahona", 2), ("victory_point", 5)]
    assert DATA["dev_decks"] == {"zarahemla": [14, 2, 2, 2, 2, 2, 5], "catan": [14, 2, 2, 2, 0, 0, 5]}
    assert start().deck_cards() == [14, 2, 2, 2, 2, 2, 5]
    assert position(start()).deck == 29
    assert position(start("zarahemla:preset=catan")).deck == 25
    assert len(DATA["vp_card_names"]["names"]) == 5
    assert not any(card["enabled"] for card in DATA["promo_card"])


@pytest.mark.rule("ZAR-1.5")
def test_special_cards_start_beside_the_board() -> None:
    assert holders(start()) == [-1, -1, -1]


@pytest.mark.rule("ZAR-1.6", "ZAR-0.4", "ZAR-0.9")
def test_number_tokens() -> None:
    numbers = DATA["tokens"]["numbers"]
    assert Counter(numbers) == {2: 1, 12: 1, **dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 2)}
    assert "".join(DATA["tokens"]["letters"]) == "ABCDEFGHIJKLMNOPQR"
    weights = dict(zip(DATA["dice"]["totals"], DATA["dice"]["weights_of_36"], strict=True))
    assert {int(n): dots for n, dots in DATA["dice"]["pips"].items()} == {
        n: weight for n, weight in weights.items() if n != 7}


@pytest.mark.rule("ZAR-1.7", "ZAR-0.6")
def test_strips() -> None:
    assert sorted(strip["length"] for strip in DATA["strip"]) == [3, 3, 4, 4, 5]
    total: Counter[str] = Counter()
    for strip in DATA["strip"]:
        assert len(strip["side_a"]) == len(strip["side_b"]) == strip["length"]
        assert Counter(strip["side_a"]) == Counter(strip["side_b"])
        total += Counter(strip["side_a"])
    assert total == {"wood": 4, "brick": 3, "water": 4, "wheat": 4, "stone": 3, "hideout": 1}
    assert (DATA["score_track"]["min"], DATA["score_track"]["max"]) == (1, 12)
    assert DATA["dice"]["count"] == 2


@pytest.mark.rule("ZAR-0.7", "ZAR-0.8")
def test_stations() -> None:
    assert Counter(row["kind"] for row in STATIONS) == {
        "generic": 4, "wood": 1, "brick": 1, "water": 1, "wheat": 1, "stone": 1}
    served = [c for row in STATIONS for c in row["corners"]]
    assert len(set(served)) == len(served) == 18
    for row in STATIONS:
        assert EDGES[row["edge"]]["corners"] == sorted(row["corners"])
        assert EDGES[row["edge"]]["station"] == row["id"]
        assert all(CORNERS[c]["station"] == row["id"] and CORNERS[c]["coastal"] for c in row["corners"])
        assert row["ratio"] == (3 if row["kind"] == "generic" else 2)
    places = sorted(BOARD["coast_edges_cw"].index(row["edge"]) for row in STATIONS)
    gaps = [(b - a) % 30 for a, b in zip(places, places[1:] + places[:1], strict=True)]
    assert sorted(gaps) == [3] * 6 + [4] * 3
    start_at = gaps.index(4)
    assert gaps[start_at:] + gaps[:start_at] == [4, 3, 3, 4, 3, 3, 4, 3, 3]
    assert not any(a["id"] != b["id"] and a["edge"] == b["edge"] for a, b in combinations(STATIONS, 2))


def test_move_codes_have_no_gaps() -> None:
    assert [code for _, base, count in move_codes() for code in range(base, base + count)] == list(range(338))
    codes = [code for _, base, count in chance_codes() for code in range(base, base + count)]
    assert codes == list(range(1000, 1000 + len(codes)))


def test_component_sums() -> None:
    parts = DATA["components"]
    assert parts["dev_cards"] == 29
    assert parts["number_tokens"] == 18
    assert parts["hex_strips"] == len(DATA["strip"])
    assert (parts["settlements"], parts["cities"], parts["roads"], parts["temple_stones"]) == (20, 16, 60, 40)
    assert play(setup("H 0 1 1 0 0 0; S 0 19"), "R19-24").hand(0) == (0,) * 5
