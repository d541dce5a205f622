"""Games of another implementation of the parent game, replayed under our rules: chapter 24."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfida.engines.zarahemla.position import decode
from sfida.engines.zarahemla.tables import load_data
from support.catanatron import CARD, HEX, SPEC, board, read_logs, replay, translate
from support.zarahemla import position, start

DATA = load_data()
TABLES = DATA["catanatron"]
LOGS = list(read_logs(Path(__file__).parents[2] / "golden" / "catanatron.jsonl.gz"))


@pytest.mark.rule("ZAR-24.1")
def test_identifiers_are_bijections() -> None:
    assert [TABLES["corner_to_node"][c] for c in TABLES["node_to_corner"]] == list(range(54))
    assert sorted(TABLES["hex_to_tile_id"]) == list(range(19))
    assert len(HEX) == 19
    for row, cube in zip(DATA["board"]["hex"], TABLES["hex_to_cube"], strict=True):
        assert (cube[0], cube[2]) == (row["q"], row["r"])
        assert sum(cube) == 0
    for row, nodes in zip(DATA["board"]["edge"], TABLES["edge_to_nodes"], strict=True):
        assert sorted(TABLES["corner_to_node"][c] for c in row["corners"]) == nodes
    assert sorted(TABLES["port_id_to_edge"]) == sorted(row["edge"] for row in DATA["station"])


@pytest.mark.rule("ZAR-24.2")
@pytest.mark.parametrize("log", LOGS, ids=lambda log: str(log["players"]))
def test_boards_are_read(log) -> None:
    where = position(start(SPEC, players=log["players"], **board(log)))
    for cube, resource, number in log["tiles"]:
        h = HEX[tuple(cube)]
        assert where.numbers[h] == (number or 0)
        names = {"WOOD": "wood", "BRICK": "brick", "SHEEP": "water", "WHEAT": "wheat", "ORE": "stone", None: "hideout"}
        assert where.terrain[h] == names[resource]
    assert sorted(kind for _, kind in where.stations) == ["any"] * 4 + ["brick", "stone", "water", "wheat", "wood"]


@pytest.mark.rule("ZAR-24.3")
@pytest.mark.parametrize(("kind", "value", "moves"), [
    ("BUILD_SETTLEMENT", 45, [("settle", 0)]), ("BUILD_ROAD", [45, 46], [("road", 1)]),
    ("BUILD_CITY", 18, [("city", 22)]),
    ("ROLL", [3, 5], [("roll", 0), ("dice", 6)]), ("DISCARD", ["ORE", "WOOD"], [("discard", 0), ("discard", 4)]),
    ("MOVE_ROBBER", [[0, 0, 0], None, None], [("move_robber", 9)]),
    ("MOVE_ROBBER", [[0, 2, -2], 2, "SHEEP"], [("move_robber", 0), ("steal_from", 2), ("stolen_card", 2)]),
    ("BUY_DEVELOPMENT_CARD", "MONOPOLY", [("buy_dev", 0), ("draw_dev", 1)]),
    ("PLAY_KNIGHT_CARD", None, [("play_warrior", 0)]), ("PLAY_MONOPOLY", "WHEAT", [("play_prosperity", 3)]),
    ("PLAY_YEAR_OF_PLENTY", ["ORE", "BRICK"], [("play_harvest", 0), ("take", 1), ("take", 4)]),
    ("PLAY_YEAR_OF_PLENTY", ["ORE"], [("play_harvest", 0), ("take", 4), ("take_stop", 0)]),
    ("PLAY_ROAD_BUILDING", None, [("play_road_building", 0)]),
    ("MARITIME_TRADE", ["WOOD", "WOOD", None, None, "ORE"], [("bank_trade", 4)]), ("END_TURN", None, [("end_turn", 0)]),
])
def test_actions_are_translated(kind: str, value: object, moves: list[tuple[str, int]]) -> None:
    assert [(move.kind, move.arg) for move in map(decode, translate(kind, value, True))] == moves
    assert CARD["KNIGHT"] == 0


@pytest.mark.rule("ZAR-24.5", "ZAR-24.6", "ZAR-24.7")
@pytest.mark.parametrize("log", LOGS, ids=lambda log: str(log["players"]))
def test_logged_games_agree(log) -> None:
    """Every action is legal, holdings agree, its lists are subsets of ours, and its longest road is as described."""
    report = replay(log, their_road=True)
    assert report.actions == len(log["actions"]) > 900
    assert report.listed > 3000
    assert report.surplus <= {"play_prosperity", "play_harvest", "play_road_building"}      # rows c and e of ZAR-24.4
