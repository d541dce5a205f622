"""Uniformly random games, for measuring."""

from __future__ import annotations

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState


def random_decisions(state: GameState, rng: Random, least: int = 1) -> list[GameState]:
    """Play a state to the end by random moves; return copies of it where there were at least `least` moves."""
    found: list[GameState] = []
    while not state.is_over:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        moves = state.legal_moves()
        if len(moves) >= least:
            found.append(state.clone())
        state.apply(moves[rng.below(len(moves))])
    return found
