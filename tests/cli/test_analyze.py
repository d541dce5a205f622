"""`sfida analyze`."""

from __future__ import annotations

import pytest

import sfida as api
from sfida.engines.record_files import append_record

FAST = ("--agent", "ismcts:iterations=200")


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.jsonl"
    append_record(path, api.play("carcassonne", ["random", "random"], seed=1))
    return path


def test_json_of_a_game(events):
    (analysis,) = events("analyze", "carcassonne", *FAST)
    assert analysis["type"] == "analysis"
    assert analysis["seat"] == 0
    assert sum(analysis["value"]) == pytest.approx(1)
    visits = [move["visits"] for move in analysis["moves"]]
    assert 0 < sum(visits) <= analysis["iterations"] + 1
    for move in analysis["moves"]:
        assert {"move", "visits", "share", "value", "lcb", "prior", "pv"} <= set(move)
        assert move["pv"][0] == move["move"]
    assert events("analyze", "carcassonne", *FAST)[0]["moves"] == analysis["moves"], "the same again"


def test_a_position_of_a_record_is_that_of_replay(events, record):
    (position,) = events("replay", record, "--until", 40)
    until = 40 if position["to_move"] >= 0 else 41
    (position,) = events("replay", record, "--until", until)
    (analysis,) = events("analyze", record, "--until", until, *FAST)
    assert analysis["seat"] == position["to_move"]
    assert {move["move"] for move in analysis["moves"]} <= set(position["legal_moves"])


def test_people_see_a_table(sfida):
    result = sfida("analyze", "tic_tac_toe", *FAST, "--top", 3)
    assert "expected share of the win" in result.stdout
    assert "6 more moves; --top 9 shows them" in result.stdout


def test_luck_is_stepped_over_and_said(sfida, record):
    result = sfida("analyze", record, "--until", 0, *FAST)
    assert result.exit_code == 0
    assert "Luck decides after move 0; the decision after move 1 is analyzed." in result.stderr


def test_a_finished_game_gives_its_last_decision(sfida, record):
    result = sfida("analyze", record, *FAST)
    assert result.exit_code == 0
    assert "The last decision of the record is analyzed" in result.stderr


@pytest.mark.parametrize(("arguments", "code", "message"), [
    (["carcassonne", "--agent", "greedy"], 2, "agent 'greedy' chooses without an analysis"),
    (["carcassonne", "--agent", "ismcts:itertions=5"], 2, "did you mean 'iterations'?"),
    (["carcassonne", "--until", "4"], 2, "--until counts the moves of a record"),
    (["carcasonne"], 2, "did you mean 'carcassonne'?"),
    (["none.jsonl"], 1, "none.jsonl: cannot be read: No such file or directory"),
])
def test_wrong_wishes(sfida, arguments, code, message):
    result = sfida("analyze", *arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_end_has_nothing_to_analyze(sfida, record):
    moves = len(api.play("carcassonne", ["random", "random"], seed=1).moves)
    result = sfida("analyze", record, "--until", moves, *FAST)
    assert result.exit_code == 1
    assert "the game is over" in result.stderr
