"""The walk-through of a first game: a lesson for every kind of decision, true for the options, short enough to read."""

from __future__ import annotations

import textwrap

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.engines.acres.lessons import _LESSONS
from sfida.engines.clauses import rules_of
from sfida.engines.registry import make_game
from support.acres import B, F, setup
from support.playing import step

SPECS = ("acres", "acres:preset=second", "acres:preset=online,max_turns=120",
         "acres:french_picks_extra_initial_empire_card=true,max_turns=200",
         "acres:placement_after_siege_optional=true,max_turns=none")
RARE = {"order"}            # two sieges decided at once hardly come about by chance; see below


def lines(text: str) -> int:
    """Return how many lines of 76 columns a text takes, those between its paragraphs counted."""
    return sum(len(textwrap.wrap(part, 76)) + 1 for part in text.split("\n\n")) - 1


def test_every_decision_has_a_lesson_and_every_lesson_comes_up() -> None:
    rules, seen = rules_of("a_few_acres_of_snow"), set()
    assert rules is not None
    for number in range(30):
        game, rng = make_game(SPECS[number % len(SPECS)]), Random(derive(44, number))
        state = game.initial_state()
        for _ in range(2500):
            if state.is_over:
                break
            if not state.is_chance:
                lesson = game.lesson(state, state.to_move)
                assert lesson is not None, state.phase
                assert 3 <= lines(lesson.text) <= 8
                assert rules.find(lesson.rule)
                assert "{" not in lesson.text
                seen.add(lesson.key)
            step(state, rng, candidates=number % 2 == 0)
    assert seen | RARE == set(_LESSONS)


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
