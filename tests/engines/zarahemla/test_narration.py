"""What is told of Zarahemla: the points told are the score, event by event, in 120 games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game
from support.playing import step
from support.zarahemla import cards, setup

SPECS = ("zarahemla", "zarahemla:players=3", "zarahemla:players=4", "zarahemla:players=2,preset=zarahemla_10",
         "zarahemla:players=4,preset=catan")
# With each options and each way to play, 120 in all: a slip in one game of 40 is met but for one time in 20.
GAMES = 12


def at_random(state: GameState, rng: Random) -> int:
    return step(state, rng, candidates=True)


def by_priors(state: GameState, rng: Random) -> int:
    """Play the move that the game's knowledge likes best."""
    if state.is_chance:
        return step(state, rng)
    move = max(state.move_priors(), key=lambda row: row[1])[0]
    state.apply(move)
    return int(move)


@pytest.mark.release_only("one program that tells of games")
@pytest.mark.parametrize("policy", [at_random, by_priors])
@pytest.mark.parametrize("spec", SPECS)
def test_the_points_told_are_the_score_after_every_event(spec: str, policy: Callable[[GameState, Random], int]) -> None:
    game = make_game(spec)
    for number in range(GAMES):
        state, rng = game.initial_state(), Random(derive(11, number))
        told = list(state.scores())
        while not state.is_over:
            before, viewer = state.clone(), rng.below(game.players + 1)
            move = policy(state, rng)
            narration = game.narrate(before, move, state, viewer if viewer < game.players else None)
            told = [a + b for a, b in zip(told, narration.gains(game.players), strict=True)]
            assert told == list(state.scores()), narration
        assert max(told) > 2


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
