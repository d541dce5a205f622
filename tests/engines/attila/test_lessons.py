"""The walk-through of Attila: lessons and the introduction are true for its options."""

from __future__ import annotations

import pytest

from sfida.engines.registry import make_game
from support.attila import play, setup
from support.lessons import lines

pytestmark = pytest.mark.release_only("texts are plain Python")

SPECS = ("players=2", "players=3", "players=5,conflict_order=active_chooses",
         "players=4,no_live_card=skip,open_commitments=true", "players=3,tile_windows=every_decision",
         "players=2,two_player_difference_scoring=true")


@pytest.mark.rule("ATT-6.13", "ATT-13.6")
def test_the_order_of_two_conflicts_has_a_lesson() -> None:
    state = play(setup("GER:FFHH RAE:SSTT", ["VGGHHF"], options="conflict_order=active_chooses"), "V@GER,RAE")
    lesson = state.game.lesson(state, 0)
    assert (lesson.key, lesson.rule) == ("order", "ATT-6.13")
    assert "here GER." in lesson.text


@pytest.mark.parametrize("spec", SPECS)
def test_the_introduction_fits_a_screen_and_holds_the_numbers_of_the_game(spec: str) -> None:
    text = make_game(f"attila:{spec}").introduction()
    assert lines(text) <= 14
    assert "peace tiles 1, 3, 6 and 10" in text
    assert "space 22" in text
    assert ("two cards" in text) == ("players=2" in spec)


def test_the_examples_of_a_lesson_can_be_typed() -> None:
    state = setup("GER:FFHH", ["HHGGFF"], used=1)
    text = state.game.lesson(state, 0).text
    for line in ("F@BEL+2", "F@BEL,BEL"):
        assert line in text
        assert state.game.parse_turn(state, line)


def test_lessons_mind_the_options() -> None:
    hidden = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"]), "G@GER+1")
    shown = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"], options="open_commitments=true"), "G@GER+1")
    assert "not which, until all are done" in hidden.game.lesson(hidden, 0).text
    assert "how many cards you lay and which." in shown.game.lesson(shown, 0).text
    two = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"], players=2), "G@GER+1", "nobody")
    assert "at most 2 spaces behind" in two.game.lesson(two, 0).text
    assert "behind" not in play(hidden, "nobody").game.lesson(hidden, 0).text


@pytest.mark.rule("ATT-8.11", "ATT-13.4")
def test_the_order_of_two_conflicts_says_when_the_century_is_scored() -> None:
    for timing, said in (("immediate", "the second is fought after a scoring"),
                         ("after_all_conflicts", "is scored after the second")):
        options = f"conflict_order=active_chooses,scoring_timing={timing}"
        state = play(setup("GER:FFHH RAE:SSTT", ["VGGHHF"], options=options), "V@GER,RAE")
        assert said in state.game.lesson(state, 0).text
