"""A person at a terminal, through a pseudo-terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

import sfida as api
from sfida.engines.record_files import read_record
from sfida.engines.visible import visible
from support.distributions import install
from support.terminal import Terminal
from support.visible import ALL_NASTY, unseen

BOT = Path(__file__).parents[2] / "docs" / "example_bot.py"


@pytest.fixture
def begin():
    """Start a program at a terminal."""
    started: list[Terminal] = []

    def start(*arguments: object, **more) -> Terminal:
        started.append(Terminal(*arguments, **more))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


def test_a_whole_game(begin):
    terminal = begin("play", "tic_tac_toe", "--seat", "human", "--seat", "human", "--record", "game.jsonl")
    first = terminal.wait_for(r"X> $")
    assert "  1  a3" in first
    terminal.type("5")
    assert "X: b2" in terminal.wait_for(r"O> $")
    terminal.type("z9")
    assert "error: 'z9' is not a legal move here" in terminal.wait_for(r"O> $")
    terminal.type("?")
    assert "back to your last decision" in terminal.wait_for(r"O> $")
    terminal.type("a1")
    terminal.wait_for(r"X> $")
    terminal.type("undo")
    assert "1 move taken back" in terminal.wait_for(r"O> $")
    for move, who in (("a3", "X"), ("b1", "O"), ("c3", "X"), ("b3", "")):
        terminal.type(move)
        if who:
            terminal.wait_for(rf"{who}> $")
    assert terminal.end() == 0
    assert "100 %" in terminal.text
    assert read_record("game.jsonl").moves == ("b2", "a3", "b1", "c3", "b3")


def test_quit_is_offered_again_at_the_next_start(begin, saves):
    terminal = begin("play", "carcassonne", "--seat", "human", "--seat", "greedy", "--seed", 4)
    screen = terminal.wait_for(r"red> $")
    assert "red to move" in screen
    assert "(0,-1) 3↻2 4↻3" in screen
    assert "70 land tiles left" in screen
    assert "/2  180°" in screen, "the drawn tile is shown in its rotations"
    terminal.type("3+c0")
    told = terminal.wait_for(r"red> $")
    assert "red: knight in the city to the south-east" in told
    assert "blue: " in told
    terminal.type("quit")
    assert terminal.end() == 0
    assert len(saves()) == 1

    terminal = begin("play", "carcassonne")
    assert "You left a game of carcassonne on " in terminal.wait_for(r"elete it: $")
    terminal.type("what")
    assert "answer y, n or d" in terminal.wait_for(r"elete it: $")
    terminal.type("y")
    assert "red: knight in the city to the south-east" in terminal.wait_for(r"red> $")
    terminal.type("log")
    assert "P@0,-1/2" in terminal.wait_for(r"red> $")
    os.write(terminal.handle, b"\x04")
    assert terminal.end() == 0, "the end of input at a terminal means quit"
    assert len(saves()) == 1, "it is the same game"

    terminal = begin("play", "carcassonne", "--seat", "human", "--seat", "greedy")
    terminal.wait_for(r"elete it: $")
    terminal.type("d")
    assert "chance: tile" in terminal.wait_for(r"red> $")
    assert [path for path in saves() if str(terminal.process.pid) not in path.name] == []
    os.write(terminal.handle, b"\x03")
    assert terminal.end() == 130


def test_ctrl_c_while_the_computer_thinks(begin, saves):
    terminal = begin("play", "carcassonne", "--seat", "ismcts:seconds=60,early_stop=false", "--seed", 4)
    assert "red thinks" in terminal.wait_for(r"thinks \.\.\. \d+\.\d s, [\d,]+ iterations, \S+ \d+ %")
    os.kill(terminal.process.pid, signal.SIGINT)
    assert terminal.end() == 130
    assert "error: interrupted after 1 move; it is kept" in terminal.text
    assert len(saves()) == 1


def test_manual_chance_asks_for_the_tile(begin):
    terminal = begin("play", "carcassonne", "--manual-chance", "--seat", "greedy", "--seat", "human")
    terminal.wait_for(r"what was drawn\? $")
    terminal.type("Q9")
    assert "error: 'q9' is no tile" in terminal.wait_for(r"what was drawn\? $")
    terminal.type("E")
    assert "red: E at " in terminal.wait_for(r"what was drawn\? $")
    terminal.type("undo")
    assert "taken back" in terminal.wait_for(r"what was drawn\? $")
    terminal.type("quit")
    assert terminal.end() == 0


def test_two_people_do_not_see_each_others_cards(begin):
    terminal = begin("play", "kuhn_poker", "--seat", "human", "--seat", "human", "--seed", 1)
    terminal.wait_for("press Enter when nobody else looks $")
    terminal.type("")
    first = terminal.wait_for(r"seat 0> $")
    assert "chance: deal:Q" in first
    assert "chance: deal:?" in first
    assert "deal:K" not in first
    terminal.type("bet")
    assert "deal:K" not in terminal.wait_for("seat 1 is next: press Enter when nobody else looks $")
    terminal.type("")
    second = terminal.wait_for(r"seat 1> $")
    assert "chance: deal:K" in second
    assert "deal:Q" not in second
    assert "seat 0: bet" in second


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_screens_fit(begin, columns):
    seats = ("--seat", "human", "--seat", "greedy")
    terminal = begin("play", "carcassonne", *seats, "--seed", 3, columns=columns)
    lines = terminal.wait_for(r"red> $")
    for answer in ("1", "2", "1", "1", "hint", "?"):
        terminal.type(answer)
        lines += terminal.wait_for(r"red> $", 30)
    terminal.type("quit")
    terminal.end()
    boards = [line for line in re.split(r"[\r\n]+", lines) if "thinks" not in line]
    assert max(map(len, boards)) <= columns + 60, "only lines of words may be broken by the terminal"
    drawn = [line for line in boards if re.search(r"[#.═║]{5}", line)]
    assert max(map(len, drawn)) <= columns


def test_colour_on_a_terminal_and_none_without(begin):
    terminal = begin("play", "tic_tac_toe", "--seat", "human", "--seat", "random")
    terminal.wait_for(r"X> $")
    assert "\x1b[1m" in terminal.text or "\x1b[1;" in terminal.text
    terminal.type("quit")
    terminal.end()
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        plain = begin("play", "tic_tac_toe", "--seat", "human", "--seat", "random", **environment)
        assert "You left a game" not in plain.wait_for(r"X> $"), "nothing was played in the first"
        assert not re.search(r"\x1b\[[0-9;]*m", plain.text)
        plain.type("quit")
        plain.end()


def test_a_program_in_a_record_is_asked_about(begin, tmp_path):
    command = f"sh -c 'echo sprung > sprung.txt; exec {sys.executable} {BOT}' # {'long ' * 60}end"
    record = {**api.play("tic_tac_toe", ["random", "random"], seed=3).to_json(), "moves": [], "chance": [],
              "result": None, "seats": [f"exec:{command}", "random"]}
    (tmp_path / "game.jsonl").write_text(json.dumps(record) + "\n")
    for answer in ("n", ""):
        terminal = begin("play", "game.jsonl")
        asked = terminal.wait_for(r"Run it\? \[y/N\] $")
        assert "game.jsonl, line 1 names code that is not Sfida's own:" in asked
        assert f"  exec:{command}  (a program)" in "".join(asked.splitlines()), "all of it"
        terminal.type(answer)
        assert terminal.end() == 1
        assert "error: nothing was run" in terminal.text
        assert not (tmp_path / "sprung.txt").exists()
    terminal = begin("play", "game.jsonl")
    terminal.wait_for(r"Run it\? \[y/N\] $")
    terminal.type("y")
    assert terminal.end() == 0
    assert (tmp_path / "sprung.txt").exists()


def test_a_program_in_a_kept_game_is_asked_about_unless_it_is_typed_again(begin):
    seats = ("--seat", "human", "--seat", f"exec:{sys.executable} {BOT}")
    terminal = begin("play", "tic_tac_toe", *seats)
    terminal.wait_for(r"X> $")
    terminal.type("b2")
    terminal.wait_for(r"X> $")
    terminal.type("quit")
    assert terminal.end() == 0

    terminal = begin("play", "tic_tac_toe")
    terminal.wait_for(r"elete it: $")
    terminal.type("y")
    assert f"  exec:{sys.executable} {BOT}  (a program)" in "".join(
        terminal.wait_for(r"Run it\? \[y/N\] $").splitlines())
    terminal.type("n")
    assert terminal.end() == 1

    terminal = begin("play", "tic_tac_toe", *seats)
    terminal.wait_for(r"elete it: $")
    terminal.type("y")
    assert "Run it" not in terminal.wait_for(r"X> $")
    terminal.type("quit")
    assert terminal.end() == 0


GAME = """
from sfida.engines.examples.tic_tac_toe import TicTacToe

class Game(TicTacToe):
    name = "strange"

    def seat_name(self, seat):
        return {0!a} + str(seat)
"""


def test_names_do_not_steer_the_terminal(begin, tmp_path):
    install(tmp_path / "site", "strange-things", "[sfida.games]\nstrange = strangers:Game\n",
            strangers=GAME.format(ALL_NASTY))
    path = os.pathsep.join([str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])])
    terminal = begin("play", "strange", "--seat", "human", "--seat", "ismcts:seconds=0.3,early_stop=false",
                     columns=200, PYTHONPATH=path)
    assert f"{visible(ALL_NASTY)}0> " in terminal.wait_for(r">0> $")
    terminal.type("b2")
    assert f"{visible(ALL_NASTY)}1 thinks ..." in terminal.wait_for(r">0> $")
    terminal.type("quit")
    assert terminal.end() == 0
    ours = r"\x1b\[(\d+(;\d+)*)?m|\r\x1b\[K|\x1b\[\?2004[hl]\r?|\r(?=\n)"       # colour, progress, readline, lines
    assert unseen(re.sub(ours, "", terminal.text)) == []
