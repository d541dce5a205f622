"""Hints and notes on placements and followers, in positions where the facts are known."""

from __future__ import annotations

import pytest

from sfida.ai.analysis import Reasons, follow, reasons_of
from support.carcassonne import Table, vector

pytestmark = pytest.mark.release_only("reasons are plain Python")

ROAD = ("0:U@1,0/1+r0", "1:W@2,0/0")            # a road of red with one gap, at (-1,0)


def at(*turns: str, hand: str = "", seat: int = 0, **options: object) -> Table:
    """Return the position after some turns, with a tile in a seat's hand or, with a place, on the table."""
    table = Table(**options)
    for turn in turns:
        table.play(turn)
    if hand:
        table.hand(seat, hand.split("@")[0])
    if "@" in hand:
        table.state.apply(table.state.parse(hand))
    return table


def terms(table: Table, seat: int = 0) -> dict[str, float]:
    """Return the terms of a seat's standing that are not zero."""
    return {term.name: term.value for term in table.game.standing(table.state, seat, 0) if term.value}


def note(table: Table, text: str) -> str:
    return str(table.game.move_note(table.state, table.state.parse(text)))


def reasons(table: Table, *moves: str) -> Reasons:
    return reasons_of(table.game, follow(table.state.view(table.state.to_move), moves, 1))


def test_what_waits_is_counted_by_kind() -> None:
    assert terms(Table()) == {"followers in hand": 7}
    table = at(*vector("ex_final_road_3_monk_5")["moves"])
    assert terms(table) == {"points waiting on roads": 3, "followers in hand": 6, "gaps to fill": 2}
    assert terms(table, 1) == {"points waiting in monasteries": 5, "followers in hand": 6, "gaps to fill": 4}


def test_who_has_fewer_followers_in_a_city_has_no_points_waiting_there() -> None:
    table = at(*vector("ex_final_cities")["moves"], players=3)
    assert [terms(table, seat).get("points waiting in cities") for seat in range(3)] == [7, 2, None]


@pytest.mark.parametrize(("rule", "points"), [("rulebook", 3), ("per_farm", 6)])
def test_farms_count_by_the_rule_in_force(rule: str, points: int) -> None:
    table = at(*vector("ex_farm_city_once")["moves"], farm_scoring=rule)
    assert terms(table)["points waiting on farms"] == points
    assert terms(table)["cities next to its farms"] == 1


def test_a_gap_that_no_tile_left_fits_holds_a_follower_for_good() -> None:
    """City to the north and west, road to the east, field to the south: the box has no such tile."""
    table = at(*ROAD, "0:E@0,-1/2", "1:E@-1,-1/2", "0:B@-2,-1/0", "1:E@-2,0/1", "0:B@0,1/0", hand="B", seat=1)
    assert "followers stuck for good" not in terms(table)
    assert note(table, "B@-1,1/0") == "Red's road: can never be completed"
    assert reasons(table, "B@-1,1/0", "-").gains == ("red +1 follower stuck for good",)


def test_a_completed_road_is_points_and_a_follower_back() -> None:
    table = at(*ROAD, hand="W")
    assert note(table, "W@-1,0/0") == "road done: 4 for Red"
    found = reasons(table, "W@-1,0/0", "-")
    assert found.gains == ("+4 points", "+1 follower in hand", "-1 gap to fill")
    assert found.costs == ("-3 points waiting on roads",)


def test_a_completed_feature_of_another_seat_is_given_away() -> None:
    table = at(*ROAD, hand="W", seat=1)
    assert reasons(table, "W@-1,0/0", "-").costs == (
        "red +4 points", "red +1 follower in hand", "red -1 gap to fill")


def test_a_follower_that_scores_at_once_costs_nothing() -> None:
    table = at(hand="E@0,-1/2")
    assert note(table, "+c0") == "2 points at once"
    found = reasons(table, "+c0")
    assert (found.gains, found.costs) == (("+2 points",), ())
    assert note(table, "-") == ""
    assert note(at(hand="E@0,-1/2", city2_scoring="full"), "+c0") == "4 points at once"


def test_the_odds_are_the_tiles_left_that_complete_what_has_one_gap() -> None:
    """The tiles left with a road that ends are A and S twice, L and W three times, T and X once."""
    table = at("0:U@1,0/1+r0", hand="W")
    assert note(table, "W@2,0/0") == "Red's road: 12 of 69 tiles left complete it"
    assert note(at(*ROAD, hand="E"), "E@0,1/1") == ""


def test_joined_features_are_told_with_who_holds_them() -> None:
    moves = vector("ex_shared_city_10")["moves"]
    assert note(at(*moves[:-1], hand="F"), "F@1,-1/0") == "city done: 10 for Red and Blue"
    moves = vector("cc_city_majority")["moves"]
    assert note(at(*moves[:6], hand="R", players=3), "R@1,-1/0").startswith("the joined city is Red's")


def test_a_farmer_is_told_the_completed_and_the_open_cities() -> None:
    assert note(at(hand="E@0,-1/2"), "+f0") == "3 points so far"
    assert note(at(hand="U@1,0/1"), "+f1") == "no points so far, 1 open city"


def test_placements_are_grouped_by_their_place() -> None:
    table = at(hand="E")
    groups = table.game.move_groups(table.state, table.state.legal_moves())
    assert [(group.name, group.words, len(group.moves)) for group in groups][:2] == [
        ("0,-1", "turned 180°", 1), ("0,1", "turned 90°, 180° and 270°", 3)]
    assert sum(len(group.moves) for group in groups) == len(table.state.legal_moves())
    table = at(hand="E@0,-1/2")
    assert table.game.move_groups(table.state, table.state.legal_moves()) == []
