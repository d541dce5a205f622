"""`sfida replay`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sfida as api
from sfida.engines.records import append_record


@pytest.fixture
def record(tmp_path):
    """Return a file with two games."""
    path = tmp_path / "games.jsonl"
    for seed in (1, 2):
        append_record(path, api.play("carcassonne", ["random", "random"], seed=seed))
    return path


def test_position_as_json(events, record):
    (position,) = events("replay", record, "--until", 2)
    state = api.make("carcassonne")
    first = json.loads(record.read_text().splitlines()[0])
    for text in first["moves"][:2]:
        state.apply(state.parse(text))
    assert position == {
        "schema": 1, "type": "position", "ply": 2, "to_move": 0, "scores": [0, 0],
        "legal_moves": [state.format(move) for move in state.legal_moves()],
        "observation": state.observation(0)}


def test_the_end_of_any_game(events, record):
    for number, line in enumerate(record.read_text().splitlines(), 1):
        (position,) = events("replay", record, "--game", number)
        data = json.loads(line)
        assert position["scores"] == data["result"]["scores"]
        assert position["ply"] == len(data["moves"])
        assert position["to_move"] == -4
        assert position["legal_moves"] == []


def test_people_see_moves_board_and_scores(sfida, record):
    text = sfida("replay", record).stdout
    assert "seed 1" in text
    assert "scored during play" in text
    middle = sfida("replay", record, "--until", 40).stdout
    assert "after move 40 of" in middle
    assert "land tiles left" in middle
    assert len(middle.splitlines()[2].split()) > 2, "the moves before are told"


def test_moves_in_words(sfida, record):
    first = json.loads(record.read_text().splitlines()[0])
    lines = sfida("replay", record, "--moves").stdout.splitlines()[2:]
    assert [line.split()[0] for line in lines] == [str(number) for number in range(1, len(first["moves"]) + 1)]
    assert lines[0].split("  ")[-1] in first["moves"][0] or "tile" in lines[0]
    scores = [line for line in lines if " scores " in line]
    assert scores
    assert all(" · " in line for line in scores), "what came of a move stands behind it"
    few = sfida("replay", record, "--moves", "--until", 3).stdout.splitlines()[2:]
    assert few == lines[:3]


def test_moves_as_json(events, record):
    for number, line in enumerate(record.read_text().splitlines(), 1):
        (position,) = events("replay", record, "--game", number)
        data = json.loads(line)
        moves = position["moves"]
        assert [move["move"] for move in moves] == data["moves"]
        assert [move["ply"] for move in moves] == list(range(len(moves)))
        assert [move["ply"] for move in moves if move["chance"]] == data["chance"]
        assert {move["seat"] for move in moves if not move["chance"]} == {0, 1}
        assert all(move["words"] for move in moves)
        assert any("scores" in effect for move in moves for effect in move["effects"])
        (early,) = events("replay", record, "--game", number, "--until", 5, "--moves")
        assert early["moves"] == moves[:5]
        assert early["ply"] == 5


def test_listed_moves_hide_what_a_seat_did_not_see(sfida, events):
    append_record("kuhn.jsonl", api.play("kuhn_poker", ["random", "random"], seed=1))
    (whole,) = events("replay", "kuhn.jsonl")
    (seen,) = events("replay", "kuhn.jsonl", "--seat", 0)
    cards = [move["move"] for move in whole["moves"][:2]]
    assert [move["move"] for move in seen["moves"][:2]] == [cards[0], "deal:?"]
    assert cards[1] not in sfida("replay", "kuhn.jsonl", "--seat", 0, "--moves").stdout
    assert cards[1] in sfida("replay", "kuhn.jsonl", "--moves").stdout


def test_svg(sfida, record, tmp_path):
    result = sfida("replay", record, "--until", 30, "--svg", "board.svg")
    assert result.exit_code == 0
    root = ElementTree.fromstring((tmp_path / "board.svg").read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    assert [path.name for path in tmp_path.glob(".board*")] == []


@pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")
def test_svg_goes_into_the_file_behind_a_link_and_into_a_pipe(sfida, record, tmp_path):
    (tmp_path / "behind.svg").write_text("old")
    (tmp_path / "link.svg").symlink_to("behind.svg")
    assert sfida("replay", record, "--svg", "link.svg").exit_code == 0
    assert (tmp_path / "link.svg").is_symlink()
    drawn = (tmp_path / "behind.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")

    os.mkfifo(tmp_path / "pipe.svg")
    with subprocess.Popen(["cp", "pipe.svg", "copy.svg"], cwd=tmp_path) as reader:
        try:
            assert sfida("replay", record, "--svg", "pipe.svg").exit_code == 0
            assert reader.wait(20) == 0
        finally:
            reader.kill()
    assert (tmp_path / "copy.svg").read_text(encoding="utf-8") == drawn
    assert (tmp_path / "pipe.svg").is_fifo()


def test_open_places_are_numbered_when_asked(sfida, record, tmp_path):
    plain = sfida("replay", record, "--until", 30, "--svg", "plain.svg").stdout
    numbered = sfida("replay", record, "--until", 30, "--svg", "labels.svg", "--labels").stdout
    assert "↻" not in plain
    assert "1↻" in numbered
    assert (tmp_path / "labels.svg").read_text() != (tmp_path / "plain.svg").read_text()


def test_svg_on_a_full_disk(sfida, record):
    if not Path("/dev/full").is_char_device():
        pytest.skip("needs /dev/full")
    result = sfida("replay", record, "--svg", "/dev/full")
    assert (result.exit_code, result.stderr) == (1, "error: /dev/full: No space left on device\n")
    assert Path("/dev/full").is_char_device()


def test_hands_stay_hidden_from_other_seats(events, tmp_path):
    append_record("kuhn.jsonl", api.play("kuhn_poker", ["random", "random"], seed=1))
    (own,) = events("replay", "kuhn.jsonl", "--until", 2, "--seat", 0)
    (other,) = events("replay", "kuhn.jsonl", "--until", 2, "--seat", 1)
    assert own["observation"] != other["observation"]
    assert own["legal_moves"]
    assert other["legal_moves"] == []


def broken(record: Path, change) -> Path:
    """Write the first game of a file with a change."""
    data = json.loads(record.read_text().splitlines()[0])
    change(data)
    path = record.with_name("broken.jsonl")
    path.write_text(json.dumps(data) + "\n")
    return path


@pytest.mark.parametrize(("change", "message"), [
    (lambda data: data["moves"].__setitem__(1, "E@9,9/0"), "move 2 'E@9,9/0'"),
    (lambda data: data["moves"].pop(), "a result is given, but the game is not over"),
    (lambda data: data["result"].update(scores=[999, 0]), "the result does not fit the moves: 'scores'"),
    (lambda data: data.update(rules_version=99), "played by rules version 99 of 'carcassonne'"),
    (lambda data: data.update(schema=2), "record format 2 is not one that this program reads"),
    (lambda data: data.update(game="carcasonne"), "did you mean 'carcassonne'?"),
    (lambda data: data.pop("moves"), "'moves'"),
])
def test_tampered_records_say_what_is_wrong(sfida, record, change, message):
    result = sfida("replay", broken(record, change))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_cut_off_record(sfida, record):
    record.write_text(record.read_text()[:300])
    result = sfida("replay", record)
    assert result.exit_code == 1
    assert "games.jsonl, line 1: the JSON ends too early, after 300 characters" in result.stderr


@pytest.mark.parametrize(("arguments", "code", "message"), [
    (["--game", 3], 1, "there is no game 3; the file holds game 1 to 2"),
    (["--game", 0], 2, "'0' is not a whole number of at least 1"),
    (["--until", 999], 1, "there is no position after move 999"),
    (["--seat", 7], 1, "there is no seat 7 in 'carcassonne': the seats are 0 to 1"),
    (["--svg", "no/such/folder.svg"], 1, "no/such/folder.svg: No such file or directory"),
])
def test_wrong_wishes(sfida, record, arguments, code, message):
    result = sfida("replay", record, *arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_picture_does_not_replace_the_record(sfida, tmp_path):
    sfida("play", "tic_tac_toe", "--seat", "random", "--seat", "random", "--seed", 1, "--record", "game.jsonl")
    before = (tmp_path / "game.jsonl").read_bytes()
    done = sfida("replay", "game.jsonl", "--svg", "./game.jsonl")
    assert done.exit_code == 1
    assert "would replace the file that is read" in done.stderr
    assert (tmp_path / "game.jsonl").read_bytes() == before


def test_the_number_of_moves_of_a_hidden_hand_is_not_told(sfida):
    sfida("play", "attila:players=2", "--seat", "random", "--seat", "random", "--seed", 3, "--record", "game.jsonl")
    told = [sfida("replay", "game.jsonl", "--until", 13, "--seat", seat).stdout for seat in (0, 1)]
    assert sorted("legal moves" in text for text in told) == [False, True]
