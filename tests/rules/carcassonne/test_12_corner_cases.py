"""Corner cases and rulings (chapter 12 of the rules)."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove
from sfida.engines.carcassonne.tables import load_tiles
from support.carcassonne import CODES, Table, figures, random_moves, vector


def example(name: str) -> tuple[Table, list[int]]:
    wanted = vector(name)
    table = Table(players=wanted["players"], river=wanted["river"])
    return table, table.run(*wanted["moves"]).gains


@pytest.mark.rule("CAR-12.1")
def test_a_ring_of_road_is_complete() -> None:
    table, gains = example("cc_road_loop")
    assert gains == [4, 0]
    assert ("road", 4, 0, 0, (0, 0)) in figures(table.state)


@pytest.mark.rule("CAR-12.2", "CAR-7.16")
@pytest.mark.parametrize(("name", "points"), [
    ("cc_road_loop_crossing", [4, 0]), ("cc_city_tile_twice", [8, 8])])
def test_a_tile_counts_once_in_a_feature(name: str, points: list[int]) -> None:
    assert example(name)[1] == points


@pytest.mark.rule("CAR-12.3")
def test_one_tile_completes_several_features() -> None:
    """A crossing with a city side closes a city and a road of different players."""
    table = Table(players=3)
    turn = table.run("2:E@0,1/1+c0", "1:W@1,0/0+r1", "0:L@1,1/3")
    assert turn.gains == [0, 2, 2]
    assert table.supply() == [7, 7, 7]


@pytest.mark.rule("CAR-12.4")
def test_one_tile_completes_several_monasteries() -> None:
    assert example("cc_two_monasteries")[1] == [9, 9]


@pytest.mark.rule("CAR-12.5")
def test_occupancy_reaches_through_other_tiles() -> None:
    wanted = vector("cc_transitive_field")
    assert Table().run(*wanted["moves"]).free == ["r0"]


@pytest.mark.rule("CAR-12.7", "CAR-6.8")
def test_an_empty_supply_cannot_score_at_once() -> None:
    table = Table()
    table.run(*[f"0:B@0,{y}/0+m" for y in range(1, 8)])
    turn = table.run("0:E@0,-1/2")                  # completes an unoccupied city
    assert not turn.asked
    assert turn.gains == [0, 0]
    assert table.position.seat_on_turn == 1


@pytest.mark.rule("CAR-12.8")
def test_a_completed_feature_is_closed_for_ever() -> None:
    table = Table()
    table.run("0:E@0,-1/2")
    cities = [f for f in figures(table.state) if f[0] == "city"]
    assert cities == [("city", 2, 0, 0, (0, 0))]
    random_moves(table, 9)
    assert ("city", 2, 0, 0, (0, 0)) in figures(table.state)


@pytest.mark.rule("CAR-12.9")
def test_a_hole_keeps_a_city_incomplete_at_the_end() -> None:
    table = Table()
    table.run("0:C@0,-1/0+c0", "1:N@1,-1/3", "1:N@-1,-1/0", "1:R@1,-2/3", "1:R@-1,-2/1", "1:N@-1,-3/1",
              "1:N@1,-3/2", "1:R@0,-3/2")
    assert table.if_over()["incomplete"] == [10, 0]     # nine tiles and a shield, a point each


@pytest.mark.rule("CAR-12.10")
def test_a_farm_at_several_sides_of_a_city_counts_it_once() -> None:
    """The 2x2 city is bordered by one farm on every side."""
    table = Table()
    table.run("0:I@0,1/2", "1:N@1,1/2", "0:N@0,2/0", "1:N@1,2/3")
    table.run("0:B@-1,1/0+f0")
    farms = [f for f in figures(table.state) if f[0] == "field" and any(f[4])]
    assert [farm[4] for farm in farms] == [(1, 0)]
    assert table.if_over()["farms"] == [3, 0]
    assert table.if_over()["farms_per_farm"] == [3, 0]
    assert table.if_over()["farms_first_edition"] == [4, 0]


@pytest.mark.rule("CAR-12.11", "CAR-10.11")
def test_small_and_unowned_cities_supply_farms() -> None:
    table = Table()
    table.run("0:E@0,-1/2+f0")                      # a city of two tiles without an owner
    assert table.if_over()["scores"] == [0, 0]
    assert table.if_over()["farms"] == [3, 0]


@pytest.mark.rule("CAR-12.12")
def test_farms_without_cities_or_farmers_give_nothing() -> None:
    table = Table()
    table.run("0:B@0,1/0+f0", "1:E@0,-1/2")
    result = table.if_over()
    assert result["farms"] == result["farms_per_farm"] == result["farms_first_edition"] == [0, 0]


@pytest.mark.rule("CAR-12.13")
def test_a_farmer_on_an_enclosed_farm() -> None:
    turn = Table().run("1:V@0,1/3", "1:V@1,1/0", "1:V@1,2/1", "0:V@0,2/2+f1")
    assert "f1" in turn.free


@pytest.mark.rule("CAR-12.14")
def test_a_field_beyond_the_road_does_not_border_the_city() -> None:
    table = Table()
    table.run("0:B@0,1/0+f0", "1:E@0,-1/2")         # south of the start tile's road: not at its city
    assert table.if_over()["farms"] == [0, 0]
    table = Table()
    table.run("0:W@1,0/0+f0", "1:E@0,-1/2")         # north of the road: at the city
    assert table.if_over()["farms"] == [3, 0]
    for code in ("D", "J", "K", "L", "O", "P", "RB", "RC", "RE"):
        fields = [s for s in load_tiles()[CODES.index(code)].segments if s.kind == "field"]
        assert len({bool(field.cities) for field in fields}) == 2 or code == "RC"


@pytest.mark.rule("CAR-12.15")
def test_at_most_one_shield_a_tile_on_its_only_city() -> None:
    for tile in load_tiles():
        cities = [s for s in tile.segments if s.kind == "city"]
        assert tile.shields in (0, 1)
        if tile.shields:
            assert [city.shields for city in cities] == [1]


@pytest.mark.rule("CAR-12.16")
def test_nobody_is_asked_to_agree_to_a_discard() -> None:
    table = Table()
    table.play("E@0,-1/2")
    table.state.apply(table.state.parse("!C"))
    assert table.state.is_chance


@pytest.mark.rule("CAR-12.17")
def test_there_is_no_extra_round() -> None:
    table = Table()
    random_moves(table, 2)
    while table.position.discarded:
        table = Table()
        random_moves(table, 3)
    assert len(table.position.tiles) - 1 == 71      # an odd number: the first player had one turn more
    assert table.state.is_over


@pytest.mark.rule("CAR-12.18")
def test_a_discarded_tile_is_public_and_no_longer_counted() -> None:
    table = Table()
    table.play("E@0,-1/2")
    before = sum(n for _, n in table.state.chance_outcomes())
    table.state.apply(table.state.parse("!C"))
    assert table.state.view(0).observation()["discarded"] == ["C"]
    assert table.state.view(1).observation()["discarded"] == ["C"]
    assert sum(n for _, n in table.state.chance_outcomes()) == before - 1
    with pytest.raises(IllegalMove, match="no tile C can be drawn"):
        table.state.parse("C")


@pytest.mark.rule("CAR-12.6")
def test_an_empty_stack_ends_the_game_before_a_turn_begins() -> None:
    table = Table()
    random_moves(table, 4)
    assert table.state.is_over
    assert table.state.to_move == -4
    with pytest.raises(IllegalMove, match="the game is over"):
        table.state.parse("E@0,0/0")
