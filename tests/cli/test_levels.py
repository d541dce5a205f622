"""Levels on the command line: `--level`, `--no-record` and the output of `sfida agents`."""

import json

import pytest

from sfida.engines.records import read_record

MOVES = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "state" / "sfida" / "levels.jsonl"
    return lambda: [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def a_game(sfida, *more, seats=("--seat", "human")):
    """Play a game of tic-tac-toe against a level, trying the cells in order."""
    return sfida("play", "tic_tac_toe", *seats, "--seed", 3, *more, input="\n".join(MOVES * 2) + "\n")


def test_the_level_takes_the_seats_that_are_left(sfida, events):
    told = a_game(sfida, "--level", "4")
    assert told.exit_code == 0
    assert "level:4" in told.stdout
    result = events("play", "tic_tac_toe", "--level", "2.5", "--seed", 1)[-1]
    assert result["seats"] == ["level:2.5", "level:2.5"]


def test_a_game_against_levels_leaves_one_line(sfida, lines):
    a_game(sfida, "--level", "4")
    kept, = lines()
    assert (kept["game"], kept["players"], kept["level"]) == ("tic_tac_toe", 2, 4.0)
    assert kept["share"] in (0.0, 0.5, 1.0)
    assert len(kept["date"]) == 10


def test_a_game_given_up_counts_as_lost(sfida, lines):
    sfida("play", "tic_tac_toe", "--seat", "human", "--level", "4", input="resign\nresign\n")
    assert [one["share"] for one in lines()] == [0.0]


@pytest.mark.parametrize("more", [("--level", "4", "--no-record"), ()])
def test_other_games_leave_none(sfida, lines, more):
    a_game(sfida, *(more or ("--seat", "random")))
    a_game(sfida, "--no-record", seats=("--seat", "human", "--seat", "level:auto"))
    assert lines() == []


def test_a_game_in_which_moves_were_taken_back_does_not_count(sfida, lines, saves):
    """It does not count after it is left and continued either, nor if the moves are played again."""
    for typed in ("undo\n", "undo\nredo\n"):
        told = sfida("play", "tic_tac_toe", "--seat", "human", "--level", "4", "--seed", 3, input=f"a1\n{typed}")
        assert told.stderr.count("does not count for your level") == 1
        (save,) = saves()
        assert read_record(save).extra["unrated"] is True
        told = sfida("play", save, input="\n".join(MOVES * 2) + "\n")
        assert told.exit_code == 0
        assert "does not count for your level" in told.stderr
    assert lines() == []


def test_what_nothing_has_followed_may_be_taken_back(sfida, lines):
    """The tile of seed 4 may get a follower, so no other seat has moved yet."""
    told = sfida("play", "carcassonne", "--seat", "human", "--level", "1", "--seed", 4,
                 input="1\nundo\n1\nundo\nredo\nresign\nresign\n")
    assert "does not count" not in told.stderr
    assert [one["share"] for one in lines()] == [0.0]


def test_other_opponents_in_the_middle_of_a_game_do_not_count(sfida, lines, saves):
    sfida("play", "tic_tac_toe", "--seat", "human", "--level", "4", "--seed", 3, input="a1\n")
    (save,) = saves()
    told = sfida("play", save, "--seat", "human", "--seat", "level:1", input="\n".join(MOVES * 2) + "\n")
    assert told.exit_code == 0
    assert "does not count for your level" in told.stderr
    assert lines() == []


def test_two_people_leave_none(sfida, lines):
    a_game(sfida, "--level", "4", seats=("--seat", "human", "--seat", "human"))
    assert lines() == []


def test_auto_says_at_which_level_it_plays_and_follows(sfida, lines):
    first = a_game(sfida, "--level", "auto")
    assert "level:auto plays at level 4 of 10, a first guess." in first.stderr
    second = a_game(sfida, "--level", "auto")
    assert "by 1 game of yours" in second.stderr
    first, second = lines()
    assert first["level"] == 4.0
    assert second["level"] < 4.0 if first["share"] == 0 else second["level"] >= 4.0


def test_damaged_lines_are_named_in_one(sfida, tmp_path):
    path = tmp_path / "state" / "sfida" / "levels.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("no record\n")
    told = a_game(sfida, "--level", "auto").stderr
    assert sum("left out what cannot be read (line 1)" in line for line in told.splitlines()) == 1


@pytest.mark.parametrize("level", ["11", "x", ""])
def test_a_wrong_level_is_one_line(sfida, level):
    told = sfida("play", "tic_tac_toe", "--level", level)
    assert told.exit_code == 2
    assert len(told.stderr.splitlines()) == 1
    assert "a level is a number from 1 to 10, or auto" in told.stderr


def test_a_continued_game_keeps_its_agents(sfida, record):
    told = sfida("play", record, "--level", "4")
    assert told.exit_code == 2
    assert "--level is for a new game" in told.stderr


def test_agents_tell_how_levels_were_found(sfida, events):
    told = " ".join(sfida("agents", "level").stdout.split())
    assert "tic_tac_toe, 2 players" in told.partition("Not fitted")[2]
    found, = events("agents", "level")
    assert len(found["levels"]) >= 20
    for entry in found["levels"]:
        assert [row["level"] for row in entry["levels"]] == list(range(1, 11))
        for row in entry["levels"][1:] if entry["fitted"] else ():
            assert row["step"]["low"] <= row["step"]["elo"] <= row["step"]["high"]
