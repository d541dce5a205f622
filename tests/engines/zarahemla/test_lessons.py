"""The walk-through of a first game: lessons and the introduction are true for the options in force."""

from __future__ import annotations

import pytest

from sfida.engines.registry import make_game
from support.lessons import lines
from support.playing import play
from support.zarahemla import cards, setup

pytestmark = pytest.mark.release_only("texts are plain Python")

SPECS = ("zarahemla", "zarahemla:players=3,trade_gifts=true", "zarahemla:players=4,trade_mode=simple",
         "zarahemla:players=4,preset=catan", "zarahemla:players=3,preset=zarahemla_10,steal=may")


@pytest.mark.parametrize("spec", SPECS)
def test_the_introduction_fits_a_screen_and_names_the_points_that_win(spec: str) -> None:
    game = make_game(spec)
    said = game.introduction()
    assert lines(said) <= 14
    assert f"{10 if '10' in spec or 'catan' in spec else 12} points" in said
    assert ("temple" in said) == ("catan" not in spec)


@pytest.mark.parametrize(("options", "said"), [("", "up to 4 cards"), ("trade_max_cards_per_side=1", "up to 1 card "),
                                               ("trade_gifts=true", "may stay empty"),
                                               ("trade_max_offers_per_turn=1", "1 offer in a turn"),
                                               ("trade_mode=simple", "accept or refuse,")])
def test_the_lesson_of_an_offer_keeps_to_the_options(options: str, said: str) -> None:
    state = setup("S 0 8; R 0 8-12; S 1 44; H 0 1 1 1 1 1; H 1 1 1 1 1 1", options=options, turns=6)
    assert said in state.game.lesson(play(state, "offer"), 0).text


def test_a_turn_is_explained_as_a_whole_and_then_by_what_is_possible() -> None:
    hand = "S 0 8; R 0 8-12; S 1 44; H 0 0 0 1 1 1"
    assert setup(hand, turns=0).game.lesson(setup(hand, turns=0), 0).key == "main"
    state = setup(hand, turns=6)
    assert state.game.lesson(state, 0).key == "buying"
    state = setup(hand, turns=6, cards=[cards(harvest=1)])
    assert state.game.lesson(state, 0).key == "card"
    assert state.game.lesson(play(state, "H"), 0).key == "take"
    state = setup(hand, turns=6, phase="pre_roll", cards=[cards(liahona=1)])
    assert state.game.lesson(state, 0).key == "liahona"
