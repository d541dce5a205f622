"""The features of seats that games give to a learned evaluation, checked in whole games."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from sfida.ai.chance import SeededChance
from sfida.ai.research.audit.of_sfida import PATTERNS, scribbled
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

NOBODY, EVERYBODY = -1, -2


def features_of(state: GameState, viewer: int = NOBODY) -> list[dict[str, float]]:
    """Return the features of all seats."""
    told: Any = state
    return [told.features(seat, viewer) for seat in range(state.players)]


def decisions(state: GameState, player: Any, every: int) -> Iterator[GameState]:
    """Let an agent play for all seats, and yield every `every`-th position in which a seat decides."""
    luck, number = SeededChance(3), 0
    while not state.is_over:
        if state.is_chance:
            state.apply(luck.draw(state))
            continue
        number += 1
        if number % every == 0:
            yield state
        state.apply(player.choose(state.view(state.to_move)))


def check_features(state: GameState, player: Any, every: int = 4) -> list[list[dict[str, float]]]:
    """Check the features in a whole game, and return those without secrets, by position and seat.

    Features are finite numbers and read no unused byte of the position; those of a seat's view are the same in all its
    worlds, and those without secrets are the same in the worlds of all seats.
    """
    rng, found = Random(5), []
    for position in decisions(state, player, every):
        plain = features_of(position)
        assert all(isfinite(x) for row in plain for x in row.values())
        for viewer in range(position.players):
            own = features_of(position, viewer)
            view = position.view(viewer)
            assert features_of(view.sample(rng), viewer) == own
            assert features_of(view.sample(rng)) == plain
        for pattern in PATTERNS:
            assert features_of(scribbled(position, pattern), EVERYBODY) == features_of(position, EVERYBODY)
        found.append(plain)
    return found
