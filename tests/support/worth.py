"""The evaluation, priors and candidates that games give to the search, checked in whole games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sfida.ai.chance import SeededChance
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState


def check_worth(state: GameState, player: Any, *, every: int = 5, most: int = 10**9,
                same: Callable[[Any, Any], None] | None = None) -> int:
    """Let an agent play for all seats, and check evaluation, priors and candidates during the game.

    Shares add up to 1; they, the priors and the candidates are the same in every world of the seat to move.

    Parameters
    ----------
    state : GameState
        The start of a game; it is changed in place.
    player : agent
    every : int
        Check every `every`-th decision.
    most : int
        Stop after this number of decisions.
    same : callable, optional
        Further check of the state, given first, against a world.

    Returns
    -------
    int
        Number of decisions.
    """
    luck, rng, decisions = SeededChance(3), Random(3), 0
    while not state.is_over and decisions < most:
        if state.is_chance:
            assert sum(state.evaluation()[0]) == pytest.approx(1.0)
            state.apply(luck.draw(state))
            continue
        decisions += 1
        if decisions % every == 0:
            shares, scores = state.evaluation()
            assert sum(shares) == pytest.approx(1.0)
            assert all(x >= 0.0 for x in [*shares, *scores])
            priors = state.move_priors()
            assert sum(x for _, x in priors) == pytest.approx(1.0, abs=1e-4)
            assert all(x > 0.0 for _, x in priors)
            for world in (state.view(state.to_move).sample(rng), state.view(state.to_move).sample(rng)):
                assert world.evaluation() == (shares, scores)
                assert world.move_priors() == priors
                assert world.candidate_moves() == state.candidate_moves()
                if same is not None:
                    same(state, world)
        state.apply(player.choose(state.view(state.to_move)))
    return decisions
