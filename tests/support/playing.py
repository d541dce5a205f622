"""Random play, one event at a time, for tests of any game."""

from __future__ import annotations

from typing import TypeVar

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

State = TypeVar("State", bound=GameState)


def step(state: GameState, rng: Random) -> int:
    """Play one random move or chance event and return its code."""
    if state.is_chance:
        code = state.sample_chance(rng)
    else:
        moves = state.legal_moves()
        code = moves[rng.below(len(moves))]
    state.apply(code)
    return code


def deal(state: State, rng: Random) -> State:
    """Play the luck that comes before a decision; return the state."""
    while state.is_chance:
        state.apply(state.sample_chance(rng))
    return state
