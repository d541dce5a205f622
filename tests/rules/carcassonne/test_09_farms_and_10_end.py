"""Farms, the end of the game and the final count (chapters 9 and 10 of the rules)."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.carcassonne.position import Place, PlacedTile, decode
from sfida.engines.carcassonne.style import color
from sfida.engines.carcassonne.tables import load_tiles
from support.carcassonne import CODES, Table, figures, golden, random_moves, vector
from support.recounts.carcassonne import legal_placements


def example(name: str) -> Table:
    wanted = vector(name)
    table = Table(players=wanted["players"], river=wanted["river"])
    table.run(*wanted["moves"])
    return table


@pytest.mark.rule("CAR-9.1", "CAR-9.5", "CAR-9.6")
def test_three_farms_become_one() -> None:
    wanted = vector("ex_three_farms_joined")
    table = Table(players=3)
    table.run(*wanted["moves"][:-1])
    farms = [f for f in figures(table.state) if f[0] == "field" and any(f[4])]
    assert sorted(f[4] for f in farms) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    assert table.run(wanted["moves"][-1]).free == ["m", "r0"]       # no farmer may be added
    farms = [f for f in figures(table.state) if f[0] == "field" and any(f[4])]
    assert [f[4] for f in farms] == [(1, 1, 1)]
    assert table.if_over()["farms"] == [3, 3, 3]


@pytest.mark.rule("CAR-9.2", "CAR-9.3", "CAR-12.13")
def test_farms_score_nothing_during_the_game_and_keep_their_farmers() -> None:
    table = Table()
    # The farmer's field lies in a ring of road that is closed at once: enclosed, and still claimable.
    turn = table.run("1:V@0,1/3", "1:V@1,1/0", "1:V@1,2/1", "0:V@0,2/2+f1")
    assert "f1" in turn.free
    assert turn.gains == [0, 0]
    for text in ("1:E@0,-1/2+f0", "0:E@0,-2/0", "1:E@0,-3/2"):
        assert table.run(text).gains == [0, 0]
    assert table.supply() == [6, 6]
    assert table.if_over()["scores"] == [0, 0]
    assert table.if_over()["farms"] == [0, 6]


@pytest.mark.rule("CAR-9.4")
def test_roads_and_cities_bound_farms() -> None:
    table = Table()
    turn = table.run("0:U@1,0/1+f0", "1:U@-1,0/1")
    assert turn.free == ["r0", "f1"]                # the road parts the two sides
    table = Table()
    turn = table.run("0:E@0,-1/2+f0", "1:U@1,0/1")
    assert turn.free == ["r0", "f0", "f1"]          # the city parts the fields above and below it


@pytest.mark.rule("CAR-10.1", "CAR-10.2", "CAR-12.17")
def test_the_last_turn_is_played_out_and_then_nobody_moves() -> None:
    game = golden("g1_two_players")
    table = Table()
    table.run(*game["moves"][:-1])
    assert not table.state.is_over
    table.draw(game["moves"][-1].split("@")[0])
    table.state.apply(table.state.parse(game["moves"][-1]))
    assert table.state.is_over or table.position.phase == "deploy"
    while not table.state.is_over:
        table.state.apply(table.state.parse("-"))
    assert table.state.legal_moves() == []
    assert table.state.chance_outcomes() == []
    assert table.state.scores() == game["final"]


@pytest.mark.rule("CAR-10.3", "CAR-10.15")
def test_the_final_count_is_incomplete_features_and_farms() -> None:
    game = golden("g3_five_players")
    table = Table(players=5)
    table.run(*game["moves"])
    result = table.if_over()
    parts = zip(result["scores"], result["incomplete"], result["farms"], strict=True)
    assert table.state.scores() == [sum(points) for points in parts] == game["final"]
    lines = table.game.explain_scores(table.state)
    for seat, total in enumerate(game["final"]):
        start = lines.index(f"{color(seat)}: {total} point{'s' * (total != 1)}")
        points = []
        for line in lines[start + 1:]:
            if not line.startswith("  "):
                break
            points.append(int(line.split()[0]))
        assert sum(points) == total
        assert points[0] == game["before_final"][seat]
    assert lines[-1] == "Black wins with 65 points"


@pytest.mark.rule("CAR-10.4", "CAR-10.8")
def test_incomplete_road_and_monastery() -> None:
    assert example("ex_final_road_3_monk_5").if_over()["incomplete"] == [3, 5]


@pytest.mark.rule("CAR-10.5", "CAR-10.6", "CAR-10.7")
def test_incomplete_cities() -> None:
    assert example("ex_final_cities").if_over()["incomplete"] == [7, 2, 0]


@pytest.mark.rule("CAR-10.7")
def test_a_tie_in_an_incomplete_feature_gives_both_everything() -> None:
    table = Table()
    table.run("0:N@0,-1/1+c0", "1:U@1,0/1", "0:U@2,0/1", "1:N@2,-1/3+c0", "0:F@1,-1/0")
    assert table.if_over()["incomplete"] == [5, 5]  # start tile, N, F with a shield, N


@pytest.mark.rule("CAR-10.9", "CAR-10.10", "CAR-10.11", "CAR-10.12", "CAR-10.13")
@pytest.mark.parametrize(("name", "farms"), [
    ("ex_farm_6", [6, 0]), ("ex_farm_majority", [6, 3, 0]), ("ex_farm_tie", [6, 3, 6]),
    ("ex_farm_incomplete_city", [3, 0])])
def test_farm_owners_get_three_points_a_completed_city(name: str, farms: list[int]) -> None:
    assert example(name).if_over()["farms"] == farms


@pytest.mark.rule("CAR-10.14")
def test_a_city_counts_once_for_a_player() -> None:
    result = example("ex_farm_city_once").if_over()
    assert result["farms"] == [3, 0]
    assert result["farms_per_farm"] == [6, 0]


@pytest.mark.rule("CAR-10.15")
def test_counting_changes_nothing_on_the_board() -> None:
    table = example("ex_farm_tie")
    before = table.state.to_bytes()
    assert table.if_over() == table.if_over()
    assert table.state.to_bytes() == before


def finished_with(players: int, wanted: list[int]) -> Table:
    """Play random games until one ends with the wanted ranks."""
    for seed in range(3000):
        table = Table(players=players)
        table.state.random_playout(Random(seed))
        if table.state.ranks() == wanted:
            return table
    raise AssertionError(f"no game ended with ranks {wanted}")


@pytest.mark.rule("CAR-10.16", "CAR-10.18")
def test_the_highest_total_wins() -> None:
    table = finished_with(3, [2, 1, 3])
    scores = table.state.scores()
    assert scores[1] > scores[0] > scores[2]
    assert table.state.utilities() == [0, 1, 0]


@pytest.mark.rule("CAR-10.17", "CAR-10.18")
@pytest.mark.parametrize(("ranks", "utilities"), [
    ([1, 1], [0.5, 0.5]), ([1, 1, 3], [0.5, 0.5, 0]), ([1, 3, 1], [0.5, 0, 0.5]), ([1, 2, 2], [1, 0, 0])])
def test_ties(ranks: list[int], utilities: list[float]) -> None:
    """T9 and T10."""
    table = finished_with(len(ranks), ranks)
    scores = table.state.scores()
    assert table.state.utilities() == utilities
    assert [1 + sum(other > score for other in scores) for score in scores] == ranks
    assert re.search("share the victory" if utilities[0] < 1 else "wins with",
                     table.game.explain_scores(table.state)[-1])


def city_sides(code: str) -> int:
    return load_tiles()[CODES.index(code)].edges.count("city")


def places_for_c(table: Table, move: int) -> int:
    """Return the number of cells that would take the tile with four city sides after a move."""
    place = decode(move)
    assert isinstance(place, Place)
    position = table.position
    tile = PlacedTile(CODES[place.tile], place.x, place.y, place.rotation)
    return len(legal_placements((*position.tiles, tile), "C", table.options))


@pytest.mark.rule("CAR-10.1", "CAR-12.6")
def test_the_game_ends_when_the_last_tiles_fit_nowhere() -> None:
    """T11: only C is left and no cell takes it: it is discarded and the game is over without a turn."""
    table = Table()
    while set(table.position.remaining) != {"C"} or not table.state.is_chance:
        if table.state.is_chance:
            others = sorted(set(table.position.remaining) - {"C"})
            table.draw(max(others, key=city_sides))             # cities first, so that the rest closes them
        elif table.position.phase == "deploy":
            table.state.apply(table.state.legal_moves()[-1])
        else:
            table.state.apply(min(table.state.legal_moves(), key=lambda m: places_for_c(table, m)))
    assert not table.state.can_place(CODES.index("C"))
    before = table.position
    would_be = table.if_over()["final"]
    assert [table.state.format(move) for move in table.state.legal_moves()] == ["!C"]
    table.state.apply(table.state.legal_moves()[0])
    assert table.state.is_over
    assert table.position.tiles == before.tiles
    assert table.position.followers == before.followers
    assert table.position.supply == before.supply
    assert "C" in table.position.discarded
    assert table.state.scores() == would_be


@pytest.mark.rule("CAR-10.1")
def test_every_game_ends_with_empty_stacks() -> None:
    for seed in range(3):
        table = Table(players=2 + seed)
        random_moves(table, seed)
        assert table.position.remaining == {}
        assert len(table.position.tiles) + len(table.position.discarded) == 72
