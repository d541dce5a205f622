"""Input of any size and kind, by every way in: one short line, no hanging, no traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sfida as library
from sfida.ai.external import protocol
from sfida.ai.external.server import serve
from sfida.cli.lines import LONGEST
from sfida.engines.records import read_records, write_records

PROGRAM = [sys.executable, "-m", "sfida"]
RANDOMS = ["--seat", "random", "--seat", "random"]
PERSON = ["play", "tic_tac_toe", "--seat", "human", "--seat", "random", "--seed", "1"]
posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes, devices and links")

LONG = {
    "letters": "w" * 5000, "digits": "9" * 5000, "words": "wq " * 1700, "folders": "w/" * 2500,
    "quotes": "'w" * 2500, "brackets": "(w " * 1700,
}
DOORS = [
    ["{}"], ["--{}"], ["play", "{}"], ["play", "{}", *RANDOMS], ["play", "tic_tac_toe", "{}"],
    ["play", "tic_tac_toe", "--{}"], ["play", "tic_tac_toe", "--seat", "{}"],
    ["play", "tic_tac_toe", "--seat", "exec:{}"], ["play", "tic_tac_toe", "--seat", "greedy:strategy={}"],
    ["play", "tic_tac_toe", "--seat", "ismcts:iterations={}"], ["play", "tic_tac_toe", "--seed", "{}"],
    ["play", "tic_tac_toe", *RANDOMS, "--record", "{}"], ["games", "{}"], ["games", "carcassonne:{}"],
    ["games", "carcassonne:players={}"], ["games", "carcassonne:{}=1"], ["games", "attila:map={}"],
    ["games", "--color", "{}"], ["games", "tic_tac_toe", "--json={}"], ["agents", "{}"], ["bench", "{}"],
    ["bench", "--seconds", "{}"], ["profile", "tic_tac_toe", "--threads", "{}"],
    ["tournament", "{}", "random", "random"], ["tournament", "tic_tac_toe", "{}", "random"],
    ["tournament", "tic_tac_toe", "random", "random", "-n", "{}"],
    ["tournament", "tic_tac_toe", "random", "random", "--store", "{}"],
    ["tournament", "tic_tac_toe", "random", "random", "--mode", "{}"],
    ["tournament", "tic_tac_toe", "random", "random", "--sprt", "elo1={}"],
    ["ratings", "{}"], ["ratings", "new.sfida", "--import", "{}"], ["replay", "{}"],
    ["replay", "game.jsonl", "--until", "{}"], ["replay", "game.jsonl", "--game", "{}"],
    ["replay", "game.jsonl", "--seat", "{}"], ["replay", "game.jsonl", "--svg", "{}"],
    ["why", "game.jsonl", "{}", "--until", "0"], ["hint", "tic_tac_toe", "--agent", "{}"], ["analyze", "{}"],
    ["engine", "--agent", "{}"],
]


@pytest.fixture
def record(tmp_path):
    write_records(tmp_path / "game.jsonl", [library.play("tic_tac_toe", ["random"] * 2, seed=1)])
    return json.loads((tmp_path / "game.jsonl").read_text())


@pytest.mark.usefixtures("record")
@pytest.mark.parametrize("kind", LONG)
def test_a_long_word_at_every_door(sfida, kind):
    long = LONG[kind]
    for door in DOORS:
        result = sfida(*(word.replace("{}", long) for word in door))
        assert result.exit_code in (1, 2), door
        assert result.stdout == "", door
        line = result.stderr
        assert line.startswith("error: "), (door, line)
        assert line.count("\n") == 1, (door, line)
        assert len(line) < 400, (door, line)
        assert not any(long[at:at + 81] in line for at in range(4)), (door, line)


@pytest.mark.parametrize(("field", "value"), [
    ("game", "w" * 5000), ("game", "attila:map=" + "w" * 5000), ("game", "attila:map=w/w/" + "w" * 5000),
    ("type", "w" * 5000), ("schema", int("9" * 4000)), ("rules_version", int("9" * 4000)), ("moves", ["w" * 5000]),
    ("moves", ["w" * 900]), ("seats", "w" * 5000), ("seed", "w" * 5000), ("w" * 5000, None), ("chance", ["w" * 5000]),
    ("result", {"utilities": [0.5] * 5000, "scores": [1] * 5000, "ranks": [1] * 5000}),
])
def test_a_long_word_in_a_record(sfida, tmp_path, record, field, value):
    record[field] = value
    (tmp_path / "bad.jsonl").write_text(json.dumps(record) + "\n")
    result = sfida("replay", "bad.jsonl")
    if field[0] == "w":
        assert result.exit_code == 0        # fields that this version does not know
        return
    assert result.exit_code == 1
    assert result.stderr.startswith("error: bad.jsonl, line 1: ")
    assert (result.stderr.count("\n"), len(result.stderr) < 400) == (1, True)
    assert "w" * 81 not in result.stderr
    assert "9" * 81 not in result.stderr


def test_a_key_given_twice_among_very_many(sfida, tmp_path):
    keys = ",".join(f'"{number}":0' for number in range(200_000))
    (tmp_path / "bad.jsonl").write_text(f'{{{keys},"again":1,"again":2}}\n')
    assert "the key 'again' is given twice" in sfida("replay", "bad.jsonl").stderr


# ---- inputs that are no files -----------------------------------------------------------------------


NO_FILE = [
    ["games", "attila:map={}"], ["play", "attila:map={}"], ["tournament", "attila:map={}", "random", "random"],
    ["replay", "named.jsonl"], ["play", "named.jsonl"], ["replay", "{}"], ["replay", "{}.jsonl"], ["replay", "{}.toml"],
    ["ratings", "{}"], ["ratings", "new.sfida", "--import", "{}"],
    ["play", "tic_tac_toe", *RANDOMS, "--record", "pipe"],
    ["tournament", "tic_tac_toe", "random", "random", "--store", "{}"],
]
AT_ONCE = """
import json, sys
from click.testing import CliRunner
from sfida.cli.main import main
for line in sys.stdin:
    result = CliRunner().invoke(main, json.loads(line))
    print(json.dumps([result.exit_code, result.stdout, result.stderr]), flush=True)
"""


@posix
@pytest.mark.parametrize(("what", "said"), [("zero", "a device"), ("pipe", "a pipe")])
def test_what_is_no_file_is_neither_read_nor_waited_for(tmp_path, record, what, said):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for end in (".jsonl", ".toml"):
        (tmp_path / f"{what}{end}").symlink_to(what)
    record["game"] = f"attila:map={what}"
    (tmp_path / "named.jsonl").write_text(json.dumps(record) + "\n")
    lines = "".join(json.dumps([word.replace("{}", what) for word in door]) + "\n" for door in NO_FILE)
    done = subprocess.run([sys.executable, "-c", AT_ONCE], input=lines, capture_output=True, text=True, timeout=60)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    for door, (code, told, error) in zip(NO_FILE, results, strict=True):
        assert (code in (1, 2), told) == (True, ""), door
        assert error.startswith("error: "), door
        assert error.count("\n") == 1, door
        reason = f"it is {'a pipe' if '--record' in door else said}, not a regular file"
        if door == ["ratings", "{}"]:
            reason = "there is no such store"
        elif "--store" in door:
            reason = "no regular file"
        assert reason in error, door


@posix
def test_the_map_of_a_game_that_a_partner_begins(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    lines = "".join(json.dumps({"type": "new_game", "game": f"attila:map={where}"}) + "\n"
                    for where in ("/dev/zero", "pipe", "w" * 5000))
    done = subprocess.run([*PROGRAM, "engine"], input=lines, capture_output=True, text=True, timeout=30)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == ["error"] * 3
    for answer, reason in zip(answers, ("it is a device", "it is a pipe", "File name too long"), strict=True):
        assert reason in answer["message"]
        assert "w" * 81 not in answer["message"]


# ---- numbers and names ------------------------------------------------------------------------------


@pytest.mark.usefixtures("record")
@pytest.mark.parametrize("door", [["replay", "game.jsonl", "--game"], ["replay", "game.jsonl", "--until"],
                                  ["play", "tic_tac_toe", "--seed"], ["bench", "--seconds"],
                                  ["tournament", "tic_tac_toe", "random", "random", "-n"]])
def test_numbers_have_a_greatest_value(sfida, door):
    for digits in (19, 400, 4301):
        result = sfida(*door, "9" * digits + ("9" * 20 if door[-1] == "--seed" else ""))
        assert result.exit_code == 2
        assert "is not a" in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("door", [
    ["replay", "{}"], ["replay", "game.jsonl", "--svg", "{}"], ["play", "{}"], ["analyze", "{}.jsonl"],
    ["play", "tic_tac_toe", *RANDOMS, "--record", "{}"], ["ratings", "{}"], ["ratings", "game.jsonl", "--import", "{}"],
    ["ratings", "game.jsonl", "--export", "{}"], ["ratings", "game.jsonl", "--report", "{}"],
    ["tournament", "tic_tac_toe", "random", "random", "--store", "{}"],
    ["tournament", "tic_tac_toe", "random", "random", "--report", "{}"], ["games", "attila:map={}"],
])
@pytest.mark.usefixtures("record")
def test_file_names_with_a_null_character(sfida, door):
    result = sfida(*(word.replace("{}", "a\0b") for word in door))
    assert result.exit_code in (1, 2)
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


# ---- the prompt -------------------------------------------------------------------------------------


def test_typed_lines_of_any_kind(sfida, tmp_path):
    (tmp_path / "folder").mkdir()
    lines = {
        "save a\0b": "no file can have this name", "save ~nobody-has-this-name/x": "home directory",
        "save " + "w" * 5000: "File name too long", "save folder": "Is a directory",
        "9" * 4301: "a text of 4301 characters is no move", "why " + "9" * 4301: "a text of 4301 characters",
        "9" * 900: "there is no move 999", "why " + "9" * 900: "there is no move 999",
        "w" * 5000: "a text of 5000 characters", "moves " + "w" * 5000: "behind it has no meaning",
        "w" * (LONGEST + 1): f"the line is too long: {LONGEST} characters are read at most",
        "w" * 300_000: f"the line is too long: {LONGEST} characters are read at most",
        "(" * 900: "is not a legal move here",
    }
    result = sfida(*PERSON, input="".join(f"{line}\n" for line in [*lines, "a1", "quit"]))
    assert result.exit_code == 0, result.stderr
    complaints = result.stderr.splitlines()[:-1]
    for complaint, reason in zip(complaints, lines.values(), strict=True):
        assert complaint.startswith("error: ")
        assert reason in complaint
        assert len(complaint) < 300
        assert not any(sign * 81 in complaint for sign in "w9(")
    assert "  1  X: a1" in result.stdout


@posix
def test_input_without_end():
    with Path("/dev/zero").open("rb") as zeros:
        done = subprocess.run([*PROGRAM, *PERSON], stdin=zeros, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1
        assert "error: standard input ended before the game did" in done.stderr


def test_input_that_is_no_text():
    done = subprocess.run([*PROGRAM, *PERSON], input=b"\xff\xfe\na1\n", capture_output=True, timeout=60,
                          env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    assert b"Traceback" not in done.stderr
    assert b"is not a legal move here" in done.stderr
    assert b"  1  X: a1" in done.stdout


def test_lines_of_a_partner_have_a_longest(monkeypatch):
    monkeypatch.setattr(protocol, "MAX_REQUEST", 100)
    monkeypatch.setattr(protocol, "MAX_ANSWER", 30)
    hello = json.dumps({"type": "hello", "protocol": 1}).encode()

    def answers(text: bytes) -> list[str]:
        sink = io.BytesIO()
        serve("random", io.BytesIO(text), sink)
        return [json.loads(line).get("message", "ready") for line in sink.getvalue().splitlines()]

    too_long = "a line has more than 100 bytes"
    assert answers(b"x" * 101 + b"\n" + hello + b"\n") == [too_long, "ready"]
    assert answers(b"x" * 190 + b"\n" + hello + b"\n") == [too_long, "ready"]
    assert answers(b"x" * 1000 + b"\n" + hello + b"\n") == [too_long]      # a line may have no end at all
    assert answers(hello + b" " * (99 - len(hello)) + b"\n") == ["ready"]


# ---- outputs ----------------------------------------------------------------------------------------


@posix
def test_a_picture_follows_no_link_that_is_planted(sfida, tmp_path, record):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / f".board.svg.{os.getpid()}").symlink_to(victim)
    assert sfida("replay", "game.jsonl", "--svg", "board.svg").exit_code == 0
    assert victim.read_text() == "precious"
    assert not (tmp_path / "board.svg").is_symlink()
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


@posix
def test_an_export_goes_where_a_picture_goes(sfida, tmp_path):
    assert sfida("tournament", "tic_tac_toe", "random", "random", "-n", "2", "--store", "t.sfida").exit_code == 0
    (tmp_path / "link.jsonl").symlink_to("behind.jsonl")
    assert sfida("ratings", "t.sfida", "--export", "link.jsonl").exit_code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert len(list(read_records(tmp_path / "behind.jsonl"))) == 2
    done = subprocess.run([*PROGRAM, "ratings", "t.sfida", "--export", "/dev/null"], capture_output=True, timeout=60)
    assert done.returncode == 0
    assert Path("/dev/null").is_char_device()


def test_the_root_of_all_folders_is_no_store(sfida):
    result = sfida("ratings", "/")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "there is no such store" in result.stderr
