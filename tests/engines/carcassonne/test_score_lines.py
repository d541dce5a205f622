"""The final score of Carcassonne, explained line by line."""

from __future__ import annotations

import pytest

from sfida.engines.carcassonne.style import color
from sfida.engines.language import counted
from support.carcassonne import Table, golden, random_moves, vector

pytestmark = pytest.mark.release_only("explanations are plain Python")


def parts(lines: list[str]) -> dict[str, list[int]]:
    """Points listed below each seat's line."""
    found: dict[str, list[int]] = {}
    seat = ""
    for line in lines[:-1]:
        if line.startswith("  "):
            found[seat].append(int(line.split()[0]))
        else:
            seat = line
            found[seat] = []
    return found


@pytest.mark.parametrize("rule", ["rulebook", "per_farm", "first_edition"])
@pytest.mark.parametrize(("players", "river"), [(2, False), (5, True)])
def test_the_lines_add_up_to_the_result(players: int, river: bool, rule: str) -> None:
    for seed in range(5):
        table = Table(players=players, river=river, farm_scoring=rule)
        random_moves(table, seed)
        lines = parts(table.game.explain_scores(table.state))
        assert list(lines) == [f"{color(seat)}: {counted(score, 'point', 'points')}"
                               for seat, score in enumerate(table.state.scores())]
        assert [sum(points) for points in lines.values()] == table.state.scores()
        assert [points[0] for points in lines.values()] == table.if_over()["scores"]


def test_a_finished_game() -> None:
    table = Table(players=2)
    table.run(*golden("g1_two_players")["moves"])
    lines = table.game.explain_scores(table.state)
    assert lines[0] == "Red: 107 points"
    assert lines[1] == "    58  scored during play"
    assert "Blue: 136 points" in lines
    assert lines[-1] == "Blue wins with 136 points"


def test_what_each_line_says() -> None:
    table = Table(players=3)
    table.run(*vector("ex_final_cities")["moves"])
    lines = table.game.explain_scores(table.state)
    assert "     7  incomplete city, knight at (0,-1) (1,-2): 5 tiles, 2 shields" in lines
    assert "     0  incomplete city, knight at (2,-1): 5 tiles, 2 shields, but Red has the majority" in lines
    assert "     2  incomplete city, knight at (1,1): 2 tiles" in lines


def test_monasteries_and_shared_farms() -> None:
    table = Table()
    table.run(*vector("ex_final_road_3_monk_5")["moves"])
    lines = table.game.explain_scores(table.state)
    assert "     5  incomplete monastery, monk at (1,1): the tile and 4 tiles around it" in lines
    assert "     3  incomplete road, thief at (1,0): 3 tiles" in lines
    table = Table(players=3)
    table.run(*vector("ex_farm_tie")["moves"])
    lines = table.game.explain_scores(table.state)
    assert sum("shared with Yellow" in line for line in lines) == 1
    assert sum("2 completed cities at" in line for line in lines) == 2
    assert lines[-1] == "Red and Yellow share the victory with 6 points each"


def test_two_cities_on_one_tile_are_told_apart() -> None:
    table = Table()
    table.run("0:H@0,-1/0+f0", "1:E@0,-2/2")
    lines = table.game.explain_scores(table.state)
    assert "     6  farm, farmer at (0,-1): 2 completed cities at (0,0) and (0,-1) north" in lines


def test_a_city_counted_already_is_named() -> None:
    table = Table()
    table.run(*vector("ex_farm_city_once")["moves"])
    lines = table.game.explain_scores(table.state)
    assert lines[2:4] == ["     3  farm, farmer at (-1,0): 1 completed city at (0,0)",
                          "     0  farm, farmer at (0,-1): no other completed city, counted already: (0,0)"]
