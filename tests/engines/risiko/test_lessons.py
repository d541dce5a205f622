"""The walk-through of a first game of RisiKo!: typed examples and the numbers of the options are true."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.risiko.core import RisikoState
from sfida.cython_ext.rng import Random
from sfida.engines.narration import Lesson
from support.lessons import lines
from support.playing import play
from support.risiko import setup, start, step

pytestmark = pytest.mark.release_only("texts are plain Python")

SPECS = ("risiko:players=3", "risiko:players=4,preset=tournament", "risiko:preset=rtu,players=6",
         "risiko:choose_colors=true,players=5", "risiko:extra_reinforcement=1,min_reinforcement=3,round_limit=0")
ROUNDS = 15             # rounds of a game that are checked


def lesson(state: RisikoState) -> Lesson:
    """Return the lesson of the mover."""
    found = state.game.lesson(state, state.to_move)
    assert found is not None
    return found


def test_the_examples_of_lessons_can_be_typed() -> None:
    for number in range(10):
        state, rng = start(SPECS[number % len(SPECS)]), Random(number)
        while not state.is_over and state.snapshot()["round"] < ROUNDS:
            told = None if state.is_chance else lesson(state)
            if told is not None and told.key in ("setup", "place", "fortify"):
                for typed in re.findall(r"'([^']+)'", told.text):
                    if not re.fullmatch("[A-Z]{3}", typed):
                        assert state.parse(typed) in state.legal_moves(), typed
            step(state, rng)


@pytest.mark.parametrize("spec", SPECS)
def test_the_introduction_fits_a_screen(spec: str) -> None:
    told = start(spec).game.introduction()
    assert lines(told) <= 15
    assert "Whoever has fulfilled" in told


def test_numbers_are_those_of_the_options() -> None:
    def introduction(options: str) -> str:
        return start(f"risiko:{options}").game.introduction()

    assert "After round 20 it is a draw" in introduction("round_limit=20")
    assert "After round 35 the most points win." in introduction("preset=tournament")
    assert "low throw of two dice" in introduction("preset=rtu")
    assert "round" not in introduction("round_limit=0,early_elimination=off")
    assert "first 2 rounds" in introduction("early_elimination_rounds=2")
    board, hand = "b CIN 9 EU | g MOR 5 | n *", ["BRA VEN SIA"]
    assert "three cannons bring 4 armies" in lesson(setup(board, hands=hand, phase="turn_start")).text
    assert "three cannons bring 8 armies" in lesson(
        setup(board, options="preset=rtu", hands=hand, phase="turn_start")).text
    assert "130 armies" in lesson(setup(board, options="preset=rtu", phase="place", left=3)).text
    assert "fewer dice" in lesson(setup(board, options="preset=tournament")).text
    assert "2 armies must stay" in lesson(
        play(setup(board, options="preset=tournament"), "CIN>MOR 3", "-0-3", "CIN>MOR 3", "-0-2")).text


def test_who_holds_no_set_is_told_so() -> None:
    board = "b CIN 9 EU | g MOR | n *"
    none, some = (setup(board, hands=[hand], phase="turn_start") for hand in ("ALK ALB GRO ONT", "ALK ALB SUO ONT"))
    assert [lesson(none).key, lesson(some).key] == ["no_set", "trade"]
