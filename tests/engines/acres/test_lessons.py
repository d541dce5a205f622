"""The walk-through of a first game: lessons and the introduction are true for the options in force."""

from __future__ import annotations

import pytest

from sfida.engines.registry import make_game
from support.acres import B, F, setup
from support.lessons import lines

pytestmark = pytest.mark.release_only("texts are plain Python")

SPECS = ("acres", "acres:preset=second", "acres:preset=online,max_turns=120",
         "acres:french_picks_extra_initial_empire_card=true,max_turns=200",
         "acres:placement_after_siege_optional=true,max_turns=none")


def test_two_sieges_won_are_a_decision_with_a_lesson() -> None:
    state = setup("", "", sieges=((B, "LOU", "RI RI", ""), (F, "BOS", "RI0", "RI RI RI")), phase="start")
    assert state.phase == "order"
    lesson = state.game.lesson(state, B)
    assert lesson is not None
    assert lesson.key == "order"


@pytest.mark.parametrize("spec", SPECS)
def test_the_introduction_fits_the_options(spec: str) -> None:
    game = make_game(spec)
    said = game.introduction()
    assert lines(said) <= 15
    assert ("or settle it" in said) == ("second" in spec or "online" in spec)
    assert ("400 turns" in said) == ("max_turns" not in spec)


def test_a_lesson_takes_its_numbers_from_the_options() -> None:
    state = setup("SA", sieges=((F, "BOS", "RI0", ""),))
    lesson = state.game.lesson(state, B)
    assert lesson is not None
    assert lesson.key == "defending"
    assert "surrender" in lesson.text
    fixed = setup("SA", sieges=((F, "BOS", "RI0", ""),), options="defender_may_surrender=false")
    other = fixed.game.lesson(fixed, B)
    assert other is not None
    assert "surrender" not in other.text
