"""What is told of a game: the points told add up to the score, and no seat is told what it cannot know."""

from __future__ import annotations

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.narration import Effect, Narration, score_changes
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec
from support.playing import step

SPECS = ("carcassonne:players=2", "carcassonne:players=4,river=false,farm_scoring=first_edition", "attila:players=3",
         "attila:players=2,two_player_difference_scoring=true,merge_final_scoring=false", "zarahemla:players=3",
         "zarahemla:players=4,preset=catan", "risiko:players=3", "risiko:players=5,preset=tournament", "acres",
         "acres:preset=online", "tic_tac_toe")
MOST = 1200         # events of a game that are followed


@pytest.mark.parametrize("spec", SPECS)
def test_the_points_told_add_up_to_the_score_at_every_moment(spec):
    game, rng = make_game(spec), Random(5)
    for _ in range(2):
        state = game.initial_state()
        told = list(state.scores())
        for _ in range(MOST):
            if state.is_over:
                break
            before, viewer = state.clone(), rng.below(game.players + 1)
            move = step(state, rng, candidates=True)
            narration = game.narrate(before, move, state, viewer if viewer < game.players else None)
            told = [a + b for a, b in zip(told, narration.gains(game.players), strict=True)]
            assert told == list(state.scores()), narration


@pytest.mark.parametrize("spec", SPECS)
def test_every_decision_has_a_question_and_every_event_has_words(spec):
    game, rng = make_game(spec), Random(6)
    state = game.initial_state()
    for _ in range(300):
        if state.is_over:
            break
        if not state.is_chance and parse_spec(spec)[0] != "tic_tac_toe":
            asked = game.question(state, state.to_move)
            assert asked
            assert "\n" not in asked
        before = state.clone()
        move = step(state, rng, candidates=True)
        for viewer in (None, *range(game.players)):
            narration = game.narrate(before, move, state, viewer)
            assert narration.words
            for text in (narration.words, *(effect.text for effect in narration.effects)):
                assert text.strip() == text
                assert "=?" not in text
                assert "_" not in text
        everything = game.narrate(before, move, state, None, everything=True)
        assert everything.words == game.describe_move(before, move)


def test_a_drawn_card_is_told_to_its_owner_alone():
    game = make_game("acres")
    state, rng = game.initial_state(), Random(1)
    while state.phase != "draw":
        step(state, rng)
    before, owner = state.clone(), state.mover
    move = step(state, rng)
    assert game.narrate(before, move, state, owner).words == game.describe_move(before, move)
    seen = f"the {('British', 'French')[owner]} draw a card"
    assert game.narrate(before, move, state, 1 - owner).words == seen
    assert game.narrate(before, move, state, None).words == seen


def test_a_stolen_card_is_told_to_thief_and_victim_alone():
    game = make_game("zarahemla:players=3")
    state, rng = game.initial_state(), Random(2)
    while state.phase != "stolen":
        step(state, rng, candidates=True)
    before, thief, victim = state.clone(), state.seat_on_turn, state.victim
    move = step(state, rng)
    named = game.describe_move(before, move).split()[0]
    for seat in range(3):
        effects = " ".join(effect.text for effect in game.narrate(before, move, state, seat).effects)
        assert (named in effects) == (seat in (thief, victim))


def test_gains_are_summed_by_seat():
    effects = score_changes(["a", "b", "c"], (1, 2, 3), (4, 2, 1))
    assert effects == (Effect("a scores 3", ((0, 3),)), Effect("c loses 2", ((2, -2),)))
    assert Narration("moves", effects).gains(3) == (3, 0, -2)
