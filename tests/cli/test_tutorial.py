"""`sfida play --tutorial`: the lessons of a new player, and their times."""

from __future__ import annotations

import pytest

from sfida.engines.registry import make_game
from support.newcomer import THE_END, Newcomer
from support.terminal import Terminal

GAMES = ("carcassonne", "zarahemla", "risiko", "acres", "attila")


@pytest.mark.parametrize("game", GAMES)
def test_each_kind_of_decision_is_explained_once_and_fits_a_small_screen(game, tmp_path):
    engine = make_game(game)
    terminal = Terminal("play", game, "--tutorial", "--seed", 1, "--seat", "human",
                        *["--seat", "greedy"] * (engine.players - 1), rows=24, columns=80, XDG_STATE_HOME=str(tmp_path))
    pages = []
    try:
        for number, screen in enumerate(Newcomer(terminal, 1).play()):
            if screen.text.endswith("Enter continues: "):
                page = screen.text[screen.text.rindex("── "):]
                assert len(page.split("\n")) <= 24
                pages.append(page.split("\n")[0])
            if number == 60 or THE_END in screen.text:
                break
    finally:
        terminal.close()
    assert pages[0].startswith(f"── {engine.title} ")
    assert len(pages) >= 3
    assert len(set(pages)) == len(pages), "each lesson comes once"


def test_lessons_come_on_standard_output_without_a_terminal(sfida):
    text = sfida("play", "carcassonne", "--tutorial", "--seat", "human", "--seat", "greedy", input="quit\n").stdout
    assert "── Carcassonne" in text
    assert "Enter continues" not in text


def test_a_game_without_a_tutorial_says_so(sfida):
    failed = sfida("play", "tic_tac_toe", "--tutorial", "--seat", "human", "--seat", "greedy")
    assert failed.exit_code == 2
    assert failed.stderr == "error: no tutorial comes with tic_tac_toe; its rules: sfida games tic_tac_toe\n"
