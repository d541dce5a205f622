"""A person at a terminal, through a pseudo-terminal."""

from __future__ import annotations

import json
import os
import re
import sys
import termios
import time
from pathlib import Path

import pytest

import sfida as api
from sfida.ai.session import retell
from sfida.ai.table import PAUSE
from sfida.cli import show
from sfida.engines.records import append_record, read_record
from sfida.engines.untrusted import visible
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


def test_numbers_of_the_board_are_moves_in_zarahemla(begin):
    terminal = begin("play", "zarahemla", "--seat", "human", "--seat", "greedy", "--seat", "greedy", "--seed", 3)
    terminal.wait_for(r"red> $")
    terminal.type("22")
    assert "red: settlement at 22 " in terminal.wait_for(r"red> $")
    terminal.type("17")
    assert "red: road from 17 to 22 " in terminal.wait_for(r"red> $")
    terminal.type("12")                     # two paths away from 22, one from 17, where there is no settlement
    assert "red: settlement at 12 " in terminal.wait_for(r"red> $")
    terminal.type("quit")
    assert terminal.end() == 0


def test_the_robber_goes_to_the_hex_with_the_number(begin, stopped):
    state = stopped("robber.jsonl", "zarahemla", lambda state: state.phase == "robber")
    number = max(int(state.format(move).removeprefix(">h")) for move in state.legal_moves())
    terminal = begin("play", "robber.jsonl", columns=100)
    assert f"h{number} " in terminal.wait_for(r"> $")
    terminal.type(str(number))
    assert f": robber to hex {number}," in terminal.wait_for(r"> $")
    terminal.type("quit")


def test_long_lists_come_in_steps(begin, stopped):
    stopped("attack.jsonl", "risiko", lambda state: (state.phase == "attack" and state.to_move == 0
                                                     and len(state.legal_moves()) > 30))
    terminal = begin("play", "attack.jsonl", columns=100)
    first = terminal.wait_for(r"blue> $")
    assert re.search(r"  UCR +Ukraine, 3 armies; chances to conquer SCA \d+ %", first)
    assert "UCR>SCA" not in first
    assert re.search(r"\d+  =  ends the attacks", first)
    terminal.type("ucr")
    inside = terminal.wait_for(r"blue> $")
    label = re.search(r"(\d+)  UCR>SCA 2 .* % to conquer", inside)
    assert label
    terminal.type(label[1])
    assert "attacks Scandinavia from Ukraine with 2 dice" in terminal.wait_for(r"blue> $")
    terminal.type("quit")


def test_the_hand_in_acres_has_no_numbers_of_its_own(begin):
    terminal = begin("play", "acres", "--seat", "human", "--seat", "greedy", "--seed", 3, columns=120)
    first = terminal.wait_for(r"british> $")
    assert re.search(r"^ +BOS  Boston: ship NYK", first, re.MULTILINE)
    assert len(re.findall(r"^ *1 ", first, re.MULTILINE)) == 1
    assert re.search(r"draft +buy an empire card, price in brackets: .*RI \(7\)", first)
    terminal.type("draft")
    listed = terminal.wait_for(r"british> $")
    number = re.search(r"(\d+)  draft RI +drafts Regular Infantry +\(price 7; strength 2", listed)
    assert number
    terminal.type(number[1])
    assert "british: drafts Regular Infantry" in terminal.wait_for(r"british> $")
    terminal.type("quit")


def test_the_only_move_plays_itself(begin):
    terminal = begin("play", "tic_tac_toe", "--seat", "human", "--seat", "human")
    for move in ("b2", "a1", "a2", "c2", "b1", "b3", "a3"):
        terminal.wait_for(r"[XO]> $")
        terminal.type(move)
    terminal.wait_for(r"O> $")
    terminal.type("c1")
    assert "X: c3  the only move" in terminal.wait_for("the end")
    assert terminal.end() == 0


def only_trade(state) -> bool:
    return state.phase == "trade" and len(state.legal_moves()) == 1


def test_a_forced_answer_that_could_tell_something_comes_after_a_pause(begin, stopped):
    state = stopped("trade.jsonl", "risiko", only_trade)
    who = state.game.seat_name(state.to_move)
    watched = ["human" if seat == state.to_move else f"exec:{sys.executable} {BOT}" for seat in range(state.players)]
    times = []
    for seats in ([], [word for spec in watched for word in ("--seat", spec)]):
        begun = time.monotonic()
        terminal = begin("play", "trade.jsonl", *seats)
        screen = terminal.wait_for(rf"{who}> $")
        times.append(time.monotonic() - begun)
        assert f"{who}: trades no more sets  =  the only move" in screen
        assert f"{who.capitalize()} places" in screen
        terminal.type("quit")
    assert times[1] > PAUSE, "a program could tell from the time that there was no choice"
    asked = begin("play", "trade.jsonl", "--ask-forced")
    assert "trades no more sets  =" not in asked.wait_for(rf"{who}> $").split("1  =")[0]
    asked.type("quit")


def test_resign_is_typed_twice(begin):
    terminal = begin("play", "tic_tac_toe", "--seat", "human", "--seat", "random", "--record", "game.jsonl")
    terminal.wait_for(r"X> $")
    terminal.type("b2")
    terminal.wait_for(r"X> $")
    terminal.type("resign")
    assert "once more" in terminal.wait_for(r"X> $")
    terminal.type("log")
    terminal.wait_for(r"X> $")
    terminal.type("resign")
    assert "once more" in terminal.wait_for(r"X> $"), "something else came between"
    terminal.type("resign")
    assert terminal.end() == 0
    assert "resigns: " in re.sub(r"\x1b\[[0-9;]*m", "", terminal.text)
    record = read_record("game.jsonl")
    assert record.result is None
    assert record.extra["ended"] == "resign"
    assert record.extra["forfeit"]["seat"] == 0


THINKS = r"thinks \.\.\. \d+\.\d s, [\d,]+ iterations, \S+ \d+ %"
MOVED = r"expects to win[^)]*iterations\)\s*\n[\s\S]*"
SLOW = "ismcts:seconds=60,early_stop=false,extend=0"
CTRL_C = b"\x03"


def test_ctrl_c_while_the_computer_thinks(begin, saves):
    """The first Ctrl-C makes the computer play the best move found, a second one leaves."""
    terminal = begin("play", "carcassonne", "--seat", SLOW, "--seat", "human", "--seed", 4, columns=100)
    assert "(Ctrl-C: move now)" in terminal.wait_for(THINKS + r"  \(Ctrl-C: move now\)")
    os.write(terminal.handle, CTRL_C)
    assert re.search(r"red: \w+ at ", terminal.wait_for(MOVED + THINKS))
    time.sleep(1.1)                         # another decision of the same turn: it may be hurried as well
    os.write(terminal.handle, CTRL_C)
    assert "blue to move" in terminal.wait_for(r"blue> $")
    terminal.type("1")
    terminal.wait_for(r"blue> $")
    terminal.type("1")
    terminal.wait_for(THINKS)
    time.sleep(1.1)
    os.write(terminal.handle, CTRL_C)
    terminal.wait_for(MOVED + THINKS)
    os.write(terminal.handle, CTRL_C)
    assert terminal.end() == 130
    assert re.search(r"error: interrupted after \d+ moves; it is kept", terminal.text)
    assert len(saves()) == 1


def test_the_board_is_shown_while_others_decide_before_a_person(begin):
    terminal = begin("play", "risiko", "--seat", SLOW, "--seat", "human", "--seed", 7, rows=24)
    shown = terminal.wait_for(r"thinks \.\.\. \d")
    assert "blue to move" in shown
    assert "North America +5" in shown
    assert len(shown.split("blue to move")[1].splitlines()) < 24
    assert shown.count("North America +5") == 1


def test_ctrl_c_right_after_the_first_leaves_in_the_next_decision(begin, saves):
    terminal = begin("play", "carcassonne", "--seat", SLOW, "--seat", SLOW, "--seed", 4)
    for before in ("", MOVED):
        terminal.wait_for(before + THINKS)
        os.write(terminal.handle, CTRL_C)
    assert terminal.end() == 130
    assert "error: interrupted after 2 moves; it is kept" in terminal.text
    assert len(saves()) == 1


def test_ctrl_c_leaves_at_once_where_a_program_plays(begin):
    """The program receives the signal, too."""
    terminal = begin("play", "carcassonne", "--seat", SLOW, "--seat", f"exec:{sys.executable} {BOT}", "--seed", 4)
    assert "Ctrl-C" not in terminal.wait_for(THINKS)
    os.write(terminal.handle, CTRL_C)
    assert terminal.end() == 130


def test_now_at_a_prompt_says_when_it_can_be_used(begin):
    terminal = begin("play", "tic_tac_toe", "--seat", "human", "--seat", "greedy")
    terminal.wait_for(r"X> $")
    terminal.type("now")
    said = terminal.wait_for(r"X> $")
    assert "While the computer thinks, Ctrl-C makes it play" in said
    assert len(said.strip().splitlines()) == 3, "what was typed, one line, the prompt"


def test_manual_chance_asks_for_the_tile(begin):
    terminal = begin("play", "carcassonne", "--manual-chance", "--seat", "greedy", "--seat", "human")
    terminal.wait_for(r"what was drawn\? $")
    terminal.type("Q9")
    assert "error: 'Q9' is no tile" in terminal.wait_for(r"what was drawn\? $")
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


def test_stepping_through_a_game(begin):
    record = api.play("carcassonne", ["random", "random"], seed=1)
    append_record("game.jsonl", record)
    count = len(record.moves)
    words = [show.in_one_line(step.before.game, step).plain for step in retell(record, count)]
    terminal = begin("replay", "game.jsonl")

    def press(keys: str) -> str:
        os.write(terminal.handle, keys.encode())
        return terminal.wait_for(r"q leaves\s+$")

    first = terminal.wait_for(r"q leaves\s+$")
    assert f"after move 0 of {count}, turn 1" in first
    assert "71 land tiles left" in first
    on = press("\x1b[C")
    assert f"after move 1 of {count}" in on
    assert words[0] in on
    assert f"after move 2 of {count}" in press("n")
    assert f"after move 1 of {count}" in press("\x1b[D")
    assert f"after move 0 of {count}" in press("p")
    assert f"after move 40 of {count}" in press("40\n")
    turn = press("t9\n")
    assert ", turn 9 ─" in turn
    assert ", turn 10 ─" in press("\x1b[B")
    assert ", turn 9 ─" in press("\x1b[A")
    found = next(ply for ply, told in enumerate(words, 1) if "scores" in told)
    press("\x1b[H")
    assert f"after move {found} of {count}" in press("/scores\n")
    assert "no move after this one holds 'nonsense'" in press("/nonsense\n")
    end = press("\x1b[F")
    assert f"after move {count} of {count}" in end
    assert "scored during play" in end
    assert f"after move {count} of {count}" in press("\x1b[C")
    os.write(terminal.handle, b"q")
    assert terminal.end() == 0


def test_keys_typed_while_a_board_is_drawn_are_not_lost(begin):
    append_record("game.jsonl", api.play("carcassonne", ["random", "random"], seed=1))
    terminal = begin("replay", "game.jsonl")
    terminal.wait_for(r"q leaves\s+$")
    for _ in range(30):
        os.write(terminal.handle, b"\x1b[C")
        time.sleep(0.003)
    terminal.wait_for("after move 30 of ")
    assert "^[[C" not in terminal.text, "they are not shown either"
    os.write(terminal.handle, b"q")
    assert terminal.end() == 0


def test_a_terminal_is_left_as_it_was(begin):
    append_record("game.jsonl", api.play("tic_tac_toe", ["random", "random"], seed=1))
    for leave, code in ((b"q", 0), (b"\x04", 0), (b"\x03", 130)):
        terminal = begin("replay", "game.jsonl")
        before = termios.tcgetattr(terminal.handle)
        terminal.wait_for(r"q leaves\s+$")
        assert termios.tcgetattr(terminal.handle) != before, "keys act at once"
        os.write(terminal.handle, leave)
        assert terminal.process.wait(60) == code
        assert termios.tcgetattr(terminal.handle) == before


@pytest.mark.parametrize("wish", [["--until", "2"], ["--svg", "board.svg"], ["--moves"], ["--json"]])
def test_no_stepping_where_something_else_is_asked(begin, wish):
    append_record("game.jsonl", api.play("tic_tac_toe", ["random", "random"], seed=1))
    terminal = begin("replay", "game.jsonl", *wish)
    assert terminal.process.wait(60) == 0


def test_no_stepping_on_a_screen_that_cannot_be_cleared(begin):
    append_record("game.jsonl", api.play("tic_tac_toe", ["random", "random"], seed=1))
    assert begin("replay", "game.jsonl", TERM="dumb").process.wait(60) == 0


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
