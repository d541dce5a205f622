"""`bench defaults`: one row of a table for each value of a parameter."""

import re

import pytest

from bench import EVERY, main, strength

ROW = re.compile(r"\| Tic-tac-toe \| 2 \| `ismcts:iterations=(\d+),([^`]+)` \| `ismcts:iterations=20` \| 4 \| "
                 r"[+-]\d+ \[[+-]\d+, [+-]\d+\](?: \(with luck\))? \| (?:H0|H1|undecided) \(0 or 35\) \|")


def call(*words):
    return main(["defaults", *words])


def test_each_candidate_has_a_row(capsys):
    assert call("tic_tac_toe", "c=2.0", "c=0.1,decisive=false", "--iterations", "20", "-n", "4") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.count("|") for line in lines] == [8] * 4
    rows = [ROW.fullmatch(line) for line in lines[2:]]
    assert [(row[1], row[2]) for row in rows if row] == [("20", "c=2.0"), ("20", "c=0.1,decisive=false")]


def test_at_equal_time_a_dear_parameter_gets_fewer_iterations(capsys, monkeypatch):
    costs = {"ismcts:iterations=20,c=2.0": 4.0, "ismcts:iterations=20": 1.0}
    monkeypatch.setattr(strength, "seconds_for", lambda game, spec, seed: costs[spec])
    call("tic_tac_toe", "c=2.0", "--iterations", "20", "-n", "4", "--equal", "time", "--no-head")
    row = ROW.fullmatch(capsys.readouterr().out.strip())
    assert row
    assert row[1] == "5"


def test_iterations_are_timed():
    """Twenty times the iterations take longer on any machine."""
    few, many = (strength.seconds_for("tic_tac_toe", f"ismcts:iterations={n},early_stop=false", 1) for n in (20, 400))
    assert 0 < few < many


def test_a_store_keeps_rows(capsys, monkeypatch, tmp_path):
    words = ["tic_tac_toe", "c=2.0", "--iterations", "20", "-n", "4", "--store", str(tmp_path / "rows.jsonl")]
    call(*words)
    first = capsys.readouterr().out
    monkeypatch.setattr(strength, "played_row", lambda *given: pytest.fail("it was played again"))
    call(*words)
    assert capsys.readouterr().out == first
    with pytest.raises(pytest.fail.Exception):
        call(*words, "--seed", "2")


def test_a_budget_in_milliseconds_is_as_many_iterations(capsys, monkeypatch):
    monkeypatch.setattr(strength, "seconds_for", lambda game, spec, seed: 2.0)      # 50 ms for 1,000
    call("tic_tac_toe", "c=2.0", "--ms", "1", "-n", "4", "--no-head")
    row = ROW.fullmatch(capsys.readouterr().out.strip())
    assert row
    assert row[1] == "20"


def test_every_game_is_asked_for_other_lengths_of_playouts(capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(strength, "played_row", lambda game, candidate, args: asked.append((game, candidate)) or "")
    call("--every")
    assert {game for game, _ in asked} == set(EVERY)
    assert [each for game, each in asked if game == "attila:players=2"] == ["cutoff=2", "cutoff=8", "cutoff=-1"]


def test_a_call_without_a_game_is_refused(capsys):
    assert call("attila") == 2
    assert "give a game and candidates" in capsys.readouterr().err


def test_a_parameter_that_does_not_exist_is_refused_before_any_game(capsys):
    assert call("tic_tac_toe", "c=2.0", "patience=1") == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "patience" in told.err
