"""`sfida review --all`, and the games that it reviews."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path

import pytest

from sfida.ai import archive
from sfida.ai.archive import keep_game, kept_folder
from sfida.ai.review import model
from sfida.ai.review.reviewing import Reviewing
from sfida.engines.records import append_record, read_records
from support.practising import LOST

ANSWERS = "b2\na1\nc3\nb1\na2\n" * 3           # legal moves are played, the rest are refused


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Search so little that a review takes no time."""
    monkeypatch.setitem(model.DEPTHS, "fast", model.Depth("fast", 4000, 4, 2))
    monkeypatch.setattr(archive, "today", lambda: date(2026, 3, 1))


@pytest.fixture
def reviewed(monkeypatch):
    """Record the reviewed games."""
    ran: list[str] = []
    run = Reviewing.run

    def counted(self):
        ran.append(self.played.record.game)
        return run(self)
    monkeypatch.setattr(Reviewing, "run", counted)
    return ran


def kept(games: int, name: str = "human") -> None:
    for number in range(games):
        keep_game(dataclasses.replace(LOST, seed=number, seats=(f"ismcts:seed={number}", name)))


# ---- kept games -------------------------------------------------------------------------------------


def play(sfida, *more: str) -> None:
    sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "random", "--seed", 3, *more, input=ANSWERS)


def test_finished_games_are_kept_with_their_day(sfida):
    play(sfida)
    play(sfida)
    first, second = read_records(kept_folder() / "tic_tac_toe.jsonl")
    assert first == second
    assert first.result is not None
    assert first.extra["date"] == "2026-03-01"
    assert first.seats == ("human", "random")


def test_no_record_leaves_nothing(sfida, tmp_path):
    play(sfida, "--no-record")
    assert not [path for path in (tmp_path / "state").rglob("*") if path.is_file()]


def test_games_of_programs_are_not_kept(sfida, tmp_path):
    sfida("play", "tic_tac_toe", "--seat", "random", "--seat", "random")
    assert not kept_folder().exists()


def test_a_file_that_cannot_be_added_to_is_told_and_the_last_game_is_kept(sfida):
    kept_folder().mkdir(parents=True)
    (kept_folder() / "tic_tac_toe.jsonl").write_text("these are no games\n")
    result = sfida("play", "tic_tac_toe", "--seat", "human", "--seat", "random", "--seed", 3, input=ANSWERS)
    assert result.exit_code == 0
    assert "will not know of this game" in result.stderr
    assert (kept_folder() / "tic_tac_toe.jsonl").read_text() == "these are no games\n"
    assert (kept_folder().parent / "last-tic_tac_toe.jsonl").exists()


# ---- the review -------------------------------------------------------------------------------------


def test_trend_phases_and_kinds_are_told_in_eighty_columns(sfida, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    kept(4)
    text = sfida("review", "--all", "-j", 1).stdout
    for said in ("Tic-tac-toe, 4 games", "2026-03-01", "accuracy from game to game", "first 2", "last 2", "phase",
                 "opening", "kind of move", "a2", "sfida practice"):
        assert said in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_review_is_done_once(sfida, reviewed):
    kept(2)
    first = sfida("review", "--all", "-j", 1).stdout
    assert len(reviewed) == 2
    assert sfida("review", "--all", "-j", 1).stdout == first
    assert len(reviewed) == 2
    kept(1, name="other")
    keep_game(dataclasses.replace(LOST, seed=9, seats=("greedy", "human")))
    sfida("review", "--all", "-j", 1)
    assert len(reviewed) == 3, "only the new game of the person"


def test_json_has_an_object_for_each_game(events):
    kept(2)
    (career,) = events("review", "--all", "-j", 1)
    assert career["type"] == "career"
    assert (career["game"], career["depth"], len(career["games"])) == ("tic_tac_toe", "fast", 2)
    assert {phase["key"] for phase in career["phases"]} <= {"opening", "middle", "end"}
    assert sum(kind["loss"] for kind in career["kinds"]) == pytest.approx(sum(
        phase["loss"] for phase in career["phases"]))


def test_the_last_games_of_one_name(events):
    kept(3)
    (career,) = events("review", "--all", "tic_tac_toe", "--last", 2, "-j", 1)
    assert len(career["games"]) == 2
    assert events("review", "--all", "carcassonne", code=1) == []


def test_a_file_of_ones_own(sfida, events, tmp_path):
    path = tmp_path / "mine.jsonl"
    append_record(path, dataclasses.replace(LOST, seats=("Anna", "Bert")))
    assert len(events("review", "--all", path, "--name", "Bert", "-j", 1)[0]["games"]) == 1
    assert events("review", "--all", path, "--seat", 0, "-j", 1)[0]["games"][0]["seat"] == 0
    result = sfida("review", "--all", path)
    assert result.exit_code == 1
    assert "one seat named 'human'" in result.stderr


def test_several_people_must_say_who_they_are(sfida, events):
    keep_game(dataclasses.replace(LOST, seats=("human", "human")))
    kept(1)
    result = sfida("review", "--all", "-j", 1, "-q")
    assert "1 game" in result.stdout
    assert "1 game with several people left out: --seat says which seat is yours" in result.stderr
    assert len(events("review", "--all", "--seat", 1, "-j", 1)[0]["games"]) == 2


def test_damaged_and_foreign_records_are_left_out_in_one_line_each(sfida):
    kept(1)
    path = kept_folder() / "tic_tac_toe.jsonl"
    with path.open("a") as file:
        file.write('{"schema": 1, "type": "game"\n')
        file.write(json.dumps({**LOST.to_json(), "moves": ["a1", "a1"]}) + "\n")
    result = sfida("review", "--all", "-j", 1, "-q")
    assert result.exit_code == 0
    assert "Tic-tac-toe, 1 game" in result.stdout
    assert [line.partition("line ")[2][:1] for line in result.stderr.splitlines()] == ["2", "3"]
    assert all(line.startswith("Left out: ") for line in result.stderr.splitlines())


def test_a_file_that_cannot_be_read_is_left_out(sfida):
    kept(1)
    (kept_folder() / "carcassonne.jsonl").write_bytes(b"\xff\xfe\n")
    result = sfida("review", "--all", "-j", 1, "-q")
    assert result.exit_code == 0
    assert "Tic-tac-toe, 1 game" in result.stdout
    (line,) = result.stderr.splitlines()
    assert "not UTF-8 text" in line


def test_nothing_kept_is_said_in_one_line(sfida):
    result = sfida("review", "--all")
    assert result.exit_code == 1
    assert result.stderr == ("error: no finished game of yours is kept: play one first, such as: sfida play "
                             "carcassonne\n")


def test_ctrl_c_keeps_what_is_done(sfida, reviewed, monkeypatch):
    kept(3)
    run = Reviewing.run
    monkeypatch.setattr(Reviewing, "run", lambda self: run(self) if len(reviewed) < 2 else interrupt())
    result = sfida("review", "--all", "-j", 1, "-q")
    assert result.exit_code == 130
    assert "Tic-tac-toe, 2 games" in result.stdout
    assert "interrupted after 2 of 3 games" in result.stderr
    monkeypatch.setattr(Reviewing, "run", run)
    assert "Tic-tac-toe, 3 games" in sfida("review", "--all", "-j", 1).stdout
    assert len(reviewed) == 3


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize(("arguments", "said"), [
    (("--all", "--html", "x.html"), "--html does not go with --all"),
    (("--all", "--game", "2"), "--game does not go with --all"),
    (("--all", "--moves"), "--moves does not go with --all"),
    (("game.jsonl", "--last", "2"), "--last does not go with a single RECORD"),
    ((), "missing argument 'RECORD'; --all takes"),
    (("--all", "carcasone"), "carcassonne"),
])
def test_what_does_not_go_together(sfida, arguments, said):
    result = sfida("review", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_state_is_below_the_state_folder(sfida, tmp_path):
    kept(1)
    sfida("review", "--all", "-j", 1)
    found = {path.relative_to(tmp_path / "state").parts[1] for path in Path(tmp_path / "state").rglob("*.*")}
    assert found == {"games", "reviews"}
