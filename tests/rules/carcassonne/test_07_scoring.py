"""Scoring of completed features and the return of followers (chapters 7 and 8 of the rules)."""

from __future__ import annotations

import dataclasses

import pytest

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.engines.carcassonne.game import Carcassonne
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import LaidFeature
from sfida.engines.carcassonne.tables import load_data, load_tiles, rules_from
from support.carcassonne import CODES, Table, figures, vector
from support.recounts.carcassonne import completed_points


def example(name: str) -> tuple[Table, list[int]]:
    wanted = vector(name)
    table = Table(players=wanted["players"], river=wanted["river"])
    turn = table.run(*wanted["moves"])
    return table, turn.gains


@pytest.mark.rule("CAR-7.1")
def test_a_feature_is_scored_once_right_after_the_deployment() -> None:
    table = Table()
    assert table.run("0:U@1,0/1+r0", "1:W@2,0/0").gains == [0, 0]
    assert table.run("0:W@-1,0/0").gains == [4, 0]
    for text in ("1:E@0,-1/2", "0:U@3,0/1", "1:B@0,1/0"):
        assert table.run(text).gains == [0, 0]


@pytest.mark.rule("CAR-7.2", "CAR-7.5", "CAR-7.16")
@pytest.mark.parametrize(("name", "points"), [("ex_road_4", [4, 0]), ("ex_road_same_turn", [0, 3])])
def test_a_road_gives_a_point_per_tile(name: str, points: list[int]) -> None:
    table, gains = example(name)
    assert gains == points
    assert table.if_over()["scores"] == points


@pytest.mark.rule("CAR-7.3")
@pytest.mark.parametrize(("end", "closed"), [
    ("W@2,0/0", True), ("X@2,0/0", True), ("A@2,0/1", True), ("S@2,0/1", True), ("L@2,0/0", True),
    ("U@2,0/1", False), ("V@2,0/0", False), ("D@2,0/0", False)])
def test_roads_end_in_crossings_cities_and_monasteries(end: str, closed: bool) -> None:
    table = Table()
    gains = table.run("0:U@1,0/1+r0", "1:W@-1,0/0", f"1:{end}").gains
    assert gains == ([4, 0] if closed else [0, 0])


@pytest.mark.rule("CAR-7.4")
@pytest.mark.parametrize("between", [0, 1, 5, 9])
def test_any_number_of_stretches_between_the_ends(between: int) -> None:
    table = Table()
    table.run("0:W@-1,0/0+r0", *[f"1:U@{x},0/1" for x in range(1, between + 1)])
    assert table.run(f"1:W@{between + 1},0/0").gains == [between + 3, 0]


@pytest.mark.rule("CAR-7.6", "CAR-12.9")
def test_a_hole_inside_keeps_a_city_open() -> None:
    """A ring of city around an empty cell is complete only when the cell is filled."""
    table = Table()
    turn = table.run("0:C@0,-1/0+c0", "1:N@1,-1/3", "1:N@-1,-1/0", "1:R@1,-2/3", "1:R@-1,-2/1",
                     "1:N@-1,-3/1", "1:N@1,-3/2", "1:R@0,-3/2")
    assert turn.gains == [0, 0]
    ring = [f for f in figures(table.state) if f[0] == "city"]
    assert ring == [("city", 9, 4, 1, (1, 0))]      # the four open sides all face the hole
    assert table.placements("E")
    assert (0, -2) not in [place[:2] for place in table.placements("E")]
    assert table.run("1:C@0,-2/0").gains == [2 * 10 + 2 * 2, 0]


@pytest.mark.rule("CAR-7.7", "CAR-7.8")
def test_a_city_gives_two_points_per_tile_and_shield() -> None:
    table, gains = example("ex_city_8")
    assert gains == [8, 0]                          # three tiles and one shield
    assert table.supply() == [7, 7]


@pytest.mark.rule("CAR-7.9")
def test_a_city_of_two_tiles_gives_two_points() -> None:
    assert example("ex_two_tile_city")[1] == [2, 0]
    assert example("ex_only_farmer")[1] == [6, 0]   # three tiles: no exception


@pytest.mark.rule("CAR-7.10")
def test_shields_in_a_city_of_two_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tile of the box can show this, so the test uses a tile with an added shield."""
    for tile in load_tiles():
        assert all(len(s.edges) > 1 for s in tile.segments if s.shields)
    tiles = list(load_tiles())
    plain = tiles[CODES.index("E")]
    city = dataclasses.replace(plain.segments[0], shields=1)
    tiles[CODES.index("E")] = dataclasses.replace(plain, shields=1, segments=(city, *plain.segments[1:]))
    # The debug build's recount reads the tiles of the box and would object to the added shield.
    monkeypatch.setattr(Carcassonne, "verify", lambda *_: None)
    monkeypatch.setattr(Carcassonne, "verify_step", lambda *_: None)
    for rule, points in (("half", 3), ("full", 6)):
        table = Table(city2_scoring=rule)
        table.state = CarcassonneState(table.game, rules_from(load_data(), tiles, table.options))
        assert table.run("0:E@0,-1/2+c0").gains == [points, 0]
        feature = LaidFeature("city", ((0, 0), (1, 0)), 0, 1, (1, 0), True)
        assert completed_points(feature, CarcassonneOptions(city2_scoring=rule)) == points


@pytest.mark.rule("CAR-7.11", "CAR-8.1")
def test_the_majority_takes_all_and_everybody_takes_back() -> None:
    table, gains = example("cc_city_majority")
    assert gains == [16, 0, 0]
    assert table.supply() == [7, 7, 7]
    assert table.position.followers == ()


@pytest.mark.rule("CAR-7.12", "CAR-7.13")
def test_a_tie_gives_everybody_the_full_points() -> None:
    wanted = vector("ex_shared_city_10")
    table = Table()
    table.run(*wanted["moves"][:-1])
    claimed = [f for f in figures(table.state) if f[0] == "city" and any(f[4])]
    assert sorted(f[4] for f in claimed) == [(0, 1), (1, 0)]    # claimed apart, joined by the last tile
    assert table.run(wanted["moves"][-1]).gains == [10, 10]


@pytest.mark.rule("CAR-7.14")
def test_a_monastery_surrounded_by_eight_tiles_gives_nine() -> None:
    wanted = vector("ex_monastery_9")
    table = Table()
    table.run(*wanted["moves"][:-1])
    assert table.if_over()["scores"] == [0, 0]
    assert table.if_over()["incomplete"] == [8, 0]
    assert table.run(wanted["moves"][-1]).gains == [9, 0]       # laid by the other player
    assert table.supply() == [7, 7]


@pytest.mark.rule("CAR-7.15", "CAR-12.8")
def test_what_is_completed_unoccupied_is_lost() -> None:
    table = Table()
    assert table.run("0:E@0,-1/2").gains == [0, 0]
    assert table.run("1:W@1,0/0", "0:W@-1,0/0").gains == [0, 0]
    for text in ("1:U@2,0/1", "0:B@0,1/0"):
        table.run(text)
    assert table.if_over()["final"] == [0, 0]


@pytest.mark.rule("CAR-8.2")
def test_a_returned_follower_serves_again_in_any_role() -> None:
    table = Table()
    table.run("0:E@0,-1/2+c0")
    table.run(*[f"0:B@0,{y}/0+m" for y in range(1, 8)])
    assert table.supply() == [0, 7]                 # the knight of the first turn is now a monk
    assert table.if_over()["scores"] == [2, 0]


@pytest.mark.rule("CAR-8.3")
def test_deploy_score_and_return_in_one_turn() -> None:
    table, gains = example("ex_no_farmer_take_road")
    assert gains == [3, 0]
    assert table.supply() == [7, 6]


@pytest.mark.rule("CAR-8.4")
def test_a_follower_returned_this_turn_cannot_be_deployed_this_turn() -> None:
    table = Table()
    table.run("0:U@1,0/1+r0", *[f"0:B@0,{y}/0+m" for y in range(1, 7)], "1:W@2,0/0")
    assert table.supply() == [0, 7]
    turn = table.run("0:W@-1,0/0")                  # completes the own road: four points, one follower back
    assert not turn.asked
    assert turn.gains == [4, 0]
    assert table.supply() == [1, 7]
    assert table.run("0:E@0,-1/2").asked
