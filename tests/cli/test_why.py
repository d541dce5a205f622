"""`sfida why`, and `why` in a game at the terminal."""

from __future__ import annotations

import re
import signal

import pytest

import sfida as api
from sfida.cli.progress import Thinking
from sfida.engines.records import append_record

FAST = ("--agent", "ismcts:iterations=600")


@pytest.fixture
def carcassonne(tmp_path):
    path = tmp_path / "carcassonne.jsonl"
    append_record(path, api.play("carcassonne:players=5", ["greedy"] * 5, seed=19))
    return path


def test_the_reply_that_refutes_a_blunder(sfida, record):
    result = sfida("why", record, "a2", *FAST)
    assert result.exit_code == 0
    text = result.stdout
    assert text.startswith("── X to move after move 4 ──")
    assert re.search(r"\na2 costs (9\d|100)\.\d % of win probability\n", text)
    assert "after a2, O answers a3\n" in text
    best = next(line for line in text.splitlines() if line.startswith("best"))
    asked = next(line for line in text.splitlines() if line.startswith("asked"))
    assert best.split()[1:6] == ["a3", "100", "%", "0", "%"]
    assert asked.split()[1:] == ["a2", "0", "%", "100", "%", "600"]
    assert "expected with a3:\n  X: a3\n" in text
    assert "expected with a2:\n  X: a2\n  O: a3\n      O scores 1\n  the game is over\n" in text
    assert "(1,200 iterations in " in text


def test_the_best_move_itself(sfida, record):
    text = sfida("why", record, "a3", *FAST).stdout
    assert "a3 is the best move; " in text
    assert " would cost " in text
    assert "\nnext " in text
    assert "asked" not in text
    assert text.count("expected with ") == 1


def test_a_move_by_its_number(events, record):
    (by_number,) = events("why", record, "1", *FAST)
    (by_text,) = events("why", record, "A3", *FAST)
    assert by_number["asked"] == by_text["asked"]
    assert by_number["same"]


def test_json(events, record):
    (found,) = events("why", record, "c2", *FAST, "--seed", 5)
    assert (found["type"], found["seat"], found["ply"], found["seed"]) == ("comparison", 0, 4, 5)
    assert found["agent"] == "ismcts:iterations=600"
    assert (found["best"]["move"], found["asked"]["move"], found["same"]) == ("a3", "c2", False)
    assert found["reply"] == {"seat": 1, "move": "a3", "words": "a3", "after": ["c2"]}
    assert found["loss"] > 0.9
    assert found["iterations"] == [600, 600]
    (again,) = events("why", record, "c2", *FAST, "--seed", 5)
    assert {**again, "seconds": 0} == {**found, "seconds": 0}


def test_words_and_luck_at_80_columns(sfida, carcassonne, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = sfida("why", carcassonne, "+c0", "--until", 40, *FAST).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "green to move after move 40" in text
    assert "\nafter +c0 " in text
    assert " answers " in text
    assert re.search(r"\n  green: knight in the city[a-z -]*  \+c0\n", text)
    assert "\x1b" not in text
    assert "\x1b[" in sfida("--color", "always", "why", carcassonne, "+c0", "--until", 40, *FAST).stdout


def test_a_move_that_is_a_dash(sfida, carcassonne):
    assert "after - " in sfida("why", carcassonne, "-", "--until", 40, *FAST).stdout


def test_a_whole_turn_is_more_than_one_decision(sfida, carcassonne):
    moves = api.play("carcassonne:players=5", ["greedy"] * 5, seed=19).moves
    ply = next(i for i, move in enumerate(moves) if "@" in move and moves[i + 1].startswith("+"))
    result = sfida("why", carcassonne, moves[ply] + moves[ply + 1], "--until", ply, *FAST)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert f"is 2 decisions, one after the other; name one, such as the first: {moves[ply]}" in result.stderr


def test_a_solved_endgame_is_exact(sfida, record):
    text = sfida("why", record, "b1", "--agent", "ismcts:endgame=100000").stdout
    assert "b1 costs 100.0 % of win probability" in text
    assert "(exact: " in text
    assert "visits" not in text


def test_ctrl_c_shows_what_was_found(sfida, record, monkeypatch):
    monkeypatch.setattr(Thinking, "show", lambda self, progress: signal.raise_signal(signal.SIGINT))
    result = sfida("why", record, "a2", "--agent", "ismcts:seconds=60")
    assert result.exit_code == 130
    assert "after a2, O answers a3" in result.stdout
    assert result.stderr.startswith("error: interrupted after ")
    assert result.stderr.endswith(" iterations; what they found is shown\n")


@pytest.mark.parametrize(("arguments", "code", "message"), [
    ([], 2, "missing argument 'RECORD|GAME'"),
    (["{record}"], 2, "missing argument 'MOVE'"),
    (["{record}", "b2"], 1, "'b2' is not a legal move here; legal are for example: a3"),
    (["{record}", "9"], 1, "there is no move 9 in the list; it holds 1 to 5"),
    (["{record}", "a2", "--until", "7"], 1, "there is no position after move 7"),
    (["{record}", "a2", "--agent", "greedy"], 2, "agent 'greedy' chooses without an analysis"),
    (["{record}", "a2", "--agent", "flat"], 2, "agent 'flat' cannot be held to a move"),
    (["carcasonne", "a2"], 2, "did you mean 'carcassonne'?"),
    (["none.jsonl", "a2"], 1, "none.jsonl: cannot be read: No such file or directory"),
])
def test_wrong_wishes(sfida, record, arguments, code, message):
    result = sfida("why", *(argument.format(record=record) for argument in arguments))
    assert result.exit_code == code
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


# ---- in a game --------------------------------------------------------------------------------------


def test_why_in_a_game(sfida, monkeypatch):
    monkeypatch.setattr("sfida.ai.advice.HINT_AGENT", "ismcts:iterations=600")
    result = sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "human", "--seed", 1,
                   input="a1\nb2\nc3\nc1\nwhy a2\nwhy\nwhy 9\nwhy b2\n?\nquit\n")
    assert result.exit_code == 0
    assert re.search(r"\na2 costs (9\d|100)\.\d % of win probability\nafter a2, O answers a3\n", result.stdout)
    assert "  why MOVE  " in result.stdout, "the help names it"
    assert result.stderr.splitlines()[:3] == [
        "error: name the move to ask about, such as: why 1",
        "error: there is no move 9 in the list; it holds 1 to 5",
        "error: 'b2' is not a legal move here; legal are for example: a3, b3, a2"]


def test_why_in_a_game_changes_nothing(sfida, events, monkeypatch):
    monkeypatch.setattr("sfida.ai.advice.HINT_AGENT", "ismcts:iterations=100")
    lines = ["1\n", "2\n", "1\n"]
    asked = "why 1\n".join(["", *lines])
    plain, other = (sfida("play", "carcassonne", "--seat", "human", "--seat", "greedy", "--seed", 3, "--json",
                          input=text).stdout for text in ("".join(lines), asked))
    assert plain == other


def test_luck_has_no_reasons(sfida):
    result = sfida("play", "carcassonne", "--manual-chance", "--seat", "human", "--seat", "greedy",
                   input="why E\nquit\n")
    assert "error: luck has no reasons" in result.stderr
