"""`python -m bench`: the framework of its commands."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bench import MODULES, BenchFailure, ResultLines, command, keep_state, main, program, state_in

ROOT = Path(__file__).parents[2]
NAMES = [name for names in MODULES.values() for name in names]
TIME = re.compile(r"\b(seconds|minutes?|hours?|days)\b")
UNIT = re.compile(r"%|Elo|second|\bms\b|\bns\b|chips|return|share|points|ratio|figures|bytes|[Cc]ount|JSON|of a game")


@pytest.mark.parametrize("name", NAMES)
def test_help_says_what_is_measured_in_which_unit_and_how_long_it_takes(name, capsys):
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out.split("Options:")[0]
    assert TIME.search(text)
    assert UNIT.search(text.partition("\n\n")[2].partition("\n\n")[0])
    assert name in text.split("\n\n", 2)[2]                  # an example


def test_without_a_name_all_commands_are_listed(capsys):
    assert main([]) == 0
    told = capsys.readouterr().out
    assert all(f"  {name}  " in told for name in NAMES)


@pytest.mark.parametrize(("words", "code", "told"), [
    (["chess"], 2, "No such command 'chess'."),
    (["versions", "--bass", "HEAD"], 2, "--bass"),
    (["luck"], 2, "Missing argument '{reach|cost|agree|coverage}'."),
    (["fairness", "kuhn_poker", "--blocks", "1"], 2, "1 is not in the range x>=2"),
    (["games-table", "chess"], 1, "unknown game 'chess'"),
    (["against-reference", "nowhere.cpp"], 1, "there is no file 'nowhere.cpp'"),
    (["doubling", "--held"], 2, "--held needs --store"),
    (["strength", "--cells", "slow"], 2, "unknown cells: slow"),
    (["twins", "--games", "chess"], 2, "the games are carcassonne"),
    (["fuzz", "--case", "nowhere"], 2, "--case takes DOOR:NUMBER"),
    (["yardsticks", "--games", "7"], 2, "at least 8 games are needed"),
    (["tuning", "luck"], 2, "'luck' is not one of 'even', 'tpe', 'ntbea'"),
    (["catanatron-match", "--catanatron-repo", "nowhere"], 1, "'nowhere' is no checkout of catanatron"),
    (["error-rates", "--tournaments", "0"], 2, "0 is not in the range x>=1"),
])
def test_what_is_wrong_takes_one_line(words, code, told, capsys):
    assert main(words) == code
    line, = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ")
    assert told in line


def test_a_sequence_takes_all_words_up_to_the_next_option(monkeypatch, capsys):
    def sums(first: str, *more: int, weights: "Sequence[int]" = (), times: int = 1) -> None:  # noqa: F821
        print(first, more, weights, times)

    sums.__globals__.setdefault("Sequence", __import__("collections.abc").abc.Sequence)
    monkeypatch.setattr(program, "get_command", lambda *_: command(sums))
    assert main(["sums", "a", "2", "3", "--weights", "4", "5", "--times", "6"]) == 0
    assert main(["sums", "a", "--weights", "4", "--weights", "5"]) == 0
    assert capsys.readouterr().out.splitlines() == ["a (2, 3) (4, 5) 6", "a () (4, 5) 1"]


def test_lines_go_on_after_a_crash_and_belong_to_one_subject(tmp_path):
    path = tmp_path / "lines.jsonl"
    ResultLines(path, {"of": 1}).add([2])
    with path.open("a") as file:
        file.write("[3")
    assert ResultLines(path, {"of": 1}).held == [[2]]
    with pytest.raises(BenchFailure, match="other results"):
        ResultLines(path, {"of": 2})
    path.write_text("no lines\n")
    with pytest.raises(BenchFailure, match="holds no results"):
        ResultLines(path)


def test_a_state_is_of_one_seed(tmp_path):
    path = tmp_path / "state.json"
    assert state_in(path, 1) is None
    keep_state(path, {"seed": 1, "rows": [2]})
    assert state_in(path, 1)["rows"] == [2]
    with click.Context(program), pytest.raises(click.UsageError, match="is of seed 1, not 2"):
        state_in(path, 2)


def test_it_runs_as_a_program():
    done = subprocess.run([sys.executable, "-m", "bench", "strength", "--list"], cwd=ROOT, capture_output=True,
                          text=True, check=True)
    assert "sfida tournament carcassonne greedy random --mode gauntlet -n 400" in done.stdout
