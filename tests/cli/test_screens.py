"""Decisions on screens of three sizes, and on terminals that take only ASCII."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sfida.ai.agent import RandomAgent
from sfida.ai.seat import Seat
from sfida.ai.session import Session, last_choice
from sfida.ai.table import Table
from sfida.cli.narrator import DecisionScreen
from sfida.cli.output import Output
from sfida.cython_ext.rng import Random
from sfida.engines.drawing.terminal import cropped, plain
from sfida.engines.moves import Choices
from sfida.engines.registry import make_game
from support.terminal import Terminal

GAMES = {"carcassonne": "red", "settlers_of_zarahemla": "red", "risiko": "blue", "attila": "white",
         "a_few_acres_of_snow": "british"}
# A text of the board, and one of the status.
PARTS = {"carcassonne": ("0   ", "land tiles left"), "settlers_of_zarahemla": (" h9 ", "development cards:"),
         "risiko": ("GBR", "cards in the deck"), "attila": ("RAE", "discards:"),
         "a_few_acres_of_snow": ("BOS", "forts left")}
SIZES = [(24, 80), (40, 100), (45, 120)]


@pytest.fixture
def begin(monkeypatch):
    """Start a game at a terminal and wait for the first question; return the terminal and its last screen."""
    monkeypatch.setenv("NO_COLOR", "1")
    started: list[Terminal] = []

    def start(name: str, rows: int, columns: int, **environment: str) -> tuple[Terminal, list[str]]:
        terminal = Terminal("play", name, "--seat", "human", "--seat", "greedy", "--seed", 7, rows=rows,
                            columns=columns, **environment)
        started.append(terminal)
        return terminal, screen(terminal.wait_for(rf"{GAMES[name]}> $"))

    yield start
    for terminal in started:
        terminal.close()


def screen(text: str) -> list[str]:
    """Return the lines from the heading of the turn to the prompt."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[max(number for number, line in enumerate(lines) if re.match(r"(──|--) \w+ to move", line)):]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_first_decision_fits(begin, name: str, rows: int, columns: int) -> None:
    _, shown = begin(name, rows, columns)
    board, status = PARTS[name]
    assert len(shown) <= rows
    assert max(map(len, shown)) <= columns
    assert any(board in line for line in shown)
    assert any(status in line for line in shown) or (rows == 24 and "'status'" in shown[0])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_later_decisions_fit(name: str, rows: int, columns: int, monkeypatch, capsys) -> None:
    monkeypatch.setenv("LINES", str(rows))
    monkeypatch.setenv("COLUMNS", str(columns))
    state, chance = make_game(name).initial_state(), random.Random(f"{name} on {rows} lines")
    decisions = 0
    while not state.is_over and decisions < 400:
        if state.to_move >= 0:
            decisions += 1
        if state.to_move >= 0 and decisions % 20 == 0:
            seat, choices = int(state.to_move), Choices(state)
            part = DecisionScreen(Output("never"), state, seat, choices, told=chance.randrange(9))
            for show in (part.show, part.ask):
                show()
                shown = capsys.readouterr().out.splitlines()
                taken = sum(max(1, -(-len(line) // columns)) for line in shown)
                assert taken < rows, "one line is the prompt's"
                asked = state.game.question(state, seat)
                assert asked in " ".join(" ".join(shown).split())
        moves = state.legal_moves() if state.to_move >= 0 else [code for code, _ in state.chance_outcomes()]
        state.apply(chance.choice(list(moves)))
    assert decisions > 40


def test_a_list_without_room_says_what_it_leaves_out(begin) -> None:
    terminal, shown = begin("settlers_of_zarahemla", 24, 80)
    cut = next(line for line in shown if line.startswith("…"))
    left_out = int(re.match(r"… (\d+) more moves: 'moves' lists all", cut)[1])
    listed = [int(number) for line in shown for number in re.findall(r"(\d+)  S\d+\b", line)]
    assert sorted(listed) == list(range(54 - left_out))
    terminal.type("moves")
    assert " 53  S53" in terminal.wait_for(r"red> $")
    terminal.type("status")
    assert "bank: 18 wood" in terminal.wait_for(r"red> $")
    terminal.type("board")
    whole = terminal.wait_for(r"red> $")
    assert "2:1 wheat" in whole
    assert "2:1 water" in whole


def test_a_game_left_in_mid_turn_shows_its_board_again(begin) -> None:
    terminal, _ = begin("settlers_of_zarahemla", 50, 100)
    terminal.type("S20")
    terminal.wait_for(r"red> $")
    terminal.type("quit")
    assert terminal.end() == 0
    again = Terminal("play", "settlers_of_zarahemla", rows=50, columns=100, NO_COLOR="1")
    try:
        again.wait_for(r"elete it: $")
        again.type("y")
        shown = screen(again.wait_for(r"red> $"))
        assert any("Rs" in line for line in shown), "the settlement stands on the board"
        roads = [road[1] for line in shown if (road := re.search(r"(\d+)  R\d+-\d+ ", line))]
        assert roads, "the road is asked for"
        again.type(roads[0])
        again.wait_for(r"red> $")
        again.type("undo")
        assert any("Rs" in line for line in screen(again.wait_for(r"red> $"))), "undo shows the board again"
    finally:
        again.close()


@pytest.mark.parametrize("name", GAMES)
def test_ascii_terminals(begin, name: str) -> None:
    _, shown = begin(name, 40, 100, LC_ALL="C")
    text = "\n".join(shown)
    assert text.isascii()
    assert "?" not in text


def test_signs_of_a_board_stay_apart_in_ascii() -> None:
    signs = ".#═~⌂■·"           # field, city, road, river, monastery, village, open place
    assert plain(signs) == ".#=~^x:"
    assert plain("⠤⠤⠤ ⢸ ⠄⠠ RisiKo! è") == "___ | .. RisiKo! e"
    drawn = "─│╱╲═║╔╗╚╝┌┐└┘├┤┬┴╭╮╰╯♣▬≈ψ▲∩•●○★×↻°"
    assert len(plain(drawn)) == len(drawn), "columns stay in line"


def test_files_keep_all_characters(sfida, monkeypatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    done = sfida("play", "carcassonne", "--seat", "greedy", "--seat", "greedy", "--seed", 7)
    assert "═" in done.stdout


@pytest.mark.parametrize(("focus", "held"), [((), "cdef"), ((0,), "abcd"), ((8,), "ghij"), ((1, 2, 9), "bcde")])
def test_cropping_keeps_what_matters(focus: tuple[int, ...], held: str) -> None:
    found = "".join(cropped("abcdefghij", 4, focus))
    assert len(found) == 4
    assert {"abcdefghij"[row] for row in focus[:2]} <= set(found)
    assert found in "abcdefghij"
    if not focus:
        assert found in ("cdef", "defg")
    else:
        assert sum(char in found for char in held) >= 2


def test_why_alone_asks_about_the_last_move(begin) -> None:
    terminal, _ = begin("carcassonne", 50, 100)
    terminal.type("why")
    assert "error: name the move to ask about, such as: why 1" in terminal.wait_for(r"red> $")
    terminal.type("1 -")
    told = terminal.wait_for(r"red> $")
    last = re.findall(r"\d+  (blue: .*)", told)[-1]
    terminal.type("why")
    found = terminal.wait_for(r"iterations in [\d.]+ s\)[^>]*red> $", 60)
    assert last.split("  ")[0] in found
    assert re.search(r"(is the best move|costs|no fault was found)", found)


def test_reasons_do_not_tell_secrets(begin) -> None:
    terminal, _ = begin("a_few_acres_of_snow", 50, 120)
    for line in ("1", "1"):
        terminal.type(line)
        terminal.wait_for(r"british> $")
    terminal.type("why")
    found = terminal.wait_for(r"iterations in [\d.]+ s\)[^>]*british> $", 60)
    assert "fit what you have seen, not with the true ones" in found


@pytest.mark.parametrize("name", ["attila:players=2", "a_few_acres_of_snow", "risiko:players=3"])
def test_reasons_are_the_same_in_all_worlds_that_look_alike(name: str) -> None:
    game = make_game(name)
    table = Table(game, [Seat(RandomAgent()) for _ in range(game.players)], 11)
    session = Session(table)
    while not table.state.is_over and len(table.events) < 150:
        table.play(table.next_move())
    compared = 0
    for step in session.steps:
        twin = step.before.view(0).sample(Random(99))
        found = last_choice([step], [0], 0, seed=5)
        if found is None or step.event.code not in twin.legal_moves():
            continue
        other = last_choice([replace(step, before=twin)], [0], 0, seed=5)
        assert other is not None
        assert found[1].to_bytes() == other[1].to_bytes()
        compared += twin.to_bytes() != step.before.to_bytes()
    assert compared > 5


def test_expectations_are_told_when_secrets_are_open(sfida, tmp_path: Path) -> None:
    done = sfida("play", "attila:players=2", "--seat", "ismcts:iterations=20", "--seat", "greedy", "--seed", 3)
    told, end = done.stdout.split("── the end")
    assert "expect" not in told
    assert re.search(r"white expected to win \d+ % at first, \d+ % half way, \d+ % at last", end)
    assert "red expected" not in end


HALFWAY = {"settlers_of_zarahemla": lambda state: state.phase == "main",
           "risiko": lambda state: state.phase == "attack", "a_few_acres_of_snow": lambda state: True}


@pytest.mark.parametrize("name", HALFWAY)
def test_a_game_saved_in_the_middle_of_a_turn_shows_its_board_first(stopped, monkeypatch, name: str) -> None:
    """The game continues until a seat decides a second time in its turn."""
    seen: list[tuple[int, int]] = []

    def in_mid_turn(state) -> bool:
        now = (int(state.to_move), int(state.turn_number))
        fits = bool(seen) and seen[-1] == now and len(state.legal_moves()) > 1 and HALFWAY[name](state)
        seen.append(now)
        return fits

    state = stopped("middle.jsonl", name, in_mid_turn)
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal("play", "middle.jsonl", rows=45, columns=120)
    try:
        shown = screen(terminal.wait_for(rf"{state.game.seat_name(int(state.to_move))}> $"))
        board, status = PARTS[name]
        assert any(board in line for line in shown)
        assert any(status in line for line in shown)
        asked = state.game.question(state, int(state.to_move))
        assert asked in " ".join(" ".join(shown).split())
    finally:
        terminal.close()
