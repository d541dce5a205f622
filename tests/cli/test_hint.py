"""`sfida hint`."""

from __future__ import annotations

import signal

import pytest

import sfida as api
from sfida.cli.progress import Thinking
from sfida.engines.records import append_record

FAST = ("--agent", "ismcts:iterations=300")


@pytest.fixture
def carcassonne(tmp_path):
    path = tmp_path / "carcassonne.jsonl"
    append_record(path, api.play("carcassonne:players=5", ["greedy"] * 5, seed=4))
    return path


def test_the_winning_move(sfida, record):
    result = sfida("hint", record, *FAST)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("── X to move after move 4 ──")
    assert lines[1] == "hint: 1  a3"
    assert lines[2].startswith("win probability: X 100 %  O 0 %   (300 iterations in ")
    assert lines[3:5] == ["continues:", "  X: a3"]
    assert lines[-1] == "  the game is over"
    assert result.stderr == ""


def test_until(events, record):
    (found,) = events("hint", record, "--until", 3, "--agent", "ismcts:iterations=2000")
    assert (found["ply"], found["seat"]) == (3, 1)
    assert found["move"] in ("a2", "b1", "b3", "c2"), "with X in two corners a further corner loses"


def test_json(events, record):
    (found,) = events("hint", record, *FAST, "--seed", 5)
    assert (found["type"], found["seat"], found["ply"], found["seed"]) == ("hint", 0, 4, 5)
    assert (found["move"], found["words"], found["agent"]) == ("a3", "a3", "ismcts:iterations=300")
    assert found["value"] == pytest.approx(1, abs=0.05)
    assert sum(found["values"]) == pytest.approx(1)
    assert [ply["move"] for ply in found["line"]] == found["pv"]
    assert [ply["seat"] for ply in found["line"]] == [0, 1, 0]
    assert found["iterations"] == 300
    (analysis,) = events("analyze", record, *FAST, "--seed", 5)
    assert {key: found[key] for key in analysis["moves"][0]} == analysis["moves"][0], "as analyze says"


def test_words_and_luck_at_80_columns(sfida, carcassonne, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = sfida("hint", carcassonne, "--until", 40, *FAST).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "green to move after move 40" in text
    hint = text.split("hint: ")[1].splitlines()[0].split(maxsplit=2)
    assert f"continues:\n  green: {hint[2]}  {hint[1]}\n" in text
    assert "  chance: tile " in text
    assert "\x1b" not in text
    assert "\x1b[" in sfida("--color", "always", "hint", carcassonne, "--until", 40, *FAST).stdout


def test_a_game_by_its_name(sfida, events):
    assert "hint: " in sfida("hint", "carcassonne", *FAST).stdout
    (found,) = events("hint", "leduc_poker", *FAST, "--seed", 2)
    assert (found["ply"], found["seat"]) == (2, 0)


def test_a_hidden_choice_is_drawn(sfida, events):
    spec = ("--agent", "mo-ismcts:iterations=1500")
    text = sfida("hint", "goofspiel", *spec).stdout
    assert "drawn from: " in text
    (found,) = events("hint", "goofspiel", *spec)
    assert f"hint: {found['move']} " in text
    assert 0 < found["strategy"] < 1


def test_ctrl_c_takes_what_was_found(sfida, record, monkeypatch):
    monkeypatch.setattr(Thinking, "show", lambda self, progress: signal.raise_signal(signal.SIGINT))
    result = sfida("hint", record, "--agent", "ismcts:seconds=60", "--json")
    assert result.exit_code == 130
    assert '"move": "a3"' in result.stdout
    assert '"stopped": "cancelled"' in result.stdout
    assert result.stderr.startswith("error: interrupted after ")
    assert result.stderr.endswith(" iterations; what they found is shown\n")


@pytest.mark.parametrize(("arguments", "code", "message"), [
    ([], 2, "missing argument 'GAME|RECORD'"),
    (["carcasonne"], 2, "did you mean 'carcassonne'?"),
    (["none.jsonl"], 1, "none.jsonl: cannot be read: No such file or directory"),
    (["carcassonne", "--agent", "greedy"], 2, "agent 'greedy' chooses without an analysis"),
    (["carcassonne", "--until", "4"], 2, "--until counts the moves of a record"),
    (["{record}", "--until", "5"], 1, "there is no position after move 5: the record has 4 moves"),
    (["{record}", "--game", "2"], 1, "there is no game 2; the file holds one game"),
])
def test_wrong_wishes(sfida, record, arguments, code, message):
    result = sfida("hint", *(argument.format(record=record) for argument in arguments))
    assert result.exit_code == code
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
