"""Narration of Zarahemla: offers, sevens and thefts."""

from __future__ import annotations

from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game
from support.playing import step
from support.zarahemla import cards, setup


def test_an_offer_is_told_once_when_it_is_made() -> None:
    state = setup("S 0 8; S 1 44; H 0 0 0 0 0 1; H 1 1 0 0 0 0")
    told = []
    for code in state.game.parse_turn(state, "?1s/1w"):
        before = state.clone()
        state.apply(code)
        narration = state.game.narrate(before, code, state, 1)
        if not narration.quiet:
            told.append(narration.words)
    assert told == ["offers 1 stone for 1 wood"]


def test_a_seven_named_with_the_liahona_tells_who_gives_up_cards() -> None:
    state = setup("S 0 8; S 1 44; H 1 4 4 0 0 0", phase="pre_roll", cards=[cards(liahona=1)])
    before, code = state.clone(), state.parse("L7")
    state.apply(code)
    effects = state.game.narrate(before, code, state, 0).effects
    assert [effect.text for effect in effects] == ["Blue has too many cards and must give up half of them"]


def test_a_stolen_card_is_told_to_thief_and_victim_alone() -> None:
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
