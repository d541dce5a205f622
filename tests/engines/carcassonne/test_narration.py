"""What is told of Carcassonne: the points told are the score, event by event, in 120 games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.cython_ext.rng import Random, derive
from sfida.engines.registry import make_game
from support.playing import step

SPECS = ("carcassonne", "carcassonne:players=5,river=true", "carcassonne:players=3,farm_scoring=first_edition",
         "carcassonne:players=4,farm_scoring=per_farm,city2_scoring=full,river=true,river_start_tile=shuffled",
         "carcassonne:farmers=false,first_player=random")
# With each options and each way to play, 120 in all: a slip in one game of 40 is met but for one time in 20.
GAMES = 12


def at_random(state: CarcassonneState, rng: Random) -> int:
    return step(state, rng)


def by_priors(state: CarcassonneState, rng: Random) -> int:
    """Play the move that the game's knowledge likes best."""
    if state.is_chance:
        return step(state, rng)
    move = max(state.move_priors(), key=lambda row: row[1])[0]
    state.apply(move)
    return int(move)


@pytest.mark.release_only("one program that tells of games")
@pytest.mark.parametrize("policy", [at_random, by_priors])
@pytest.mark.parametrize("spec", SPECS)
def test_the_points_told_are_the_score_after_every_event(
        spec: str, policy: Callable[[CarcassonneState, Random], int]) -> None:
    game = make_game(spec)
    for number in range(GAMES):
        state, rng = game.initial_state(), Random(derive(17, number))
        told = list(state.scores())
        while not state.is_over:
            before = state.clone()
            move = policy(state, rng)
            narration = game.narrate(before, move, state, None)
            told = [a + b for a, b in zip(told, narration.gains(game.players), strict=True)]
            assert told == list(state.scores()), narration
        assert max(told) > 10
