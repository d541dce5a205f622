"""Positions that the benchmarks measure."""

from __future__ import annotations

import sfida
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

SPECS = ["carcassonne", "carcassonne:players=4,river=true", "tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel",
         "phantom_tic_tac_toe"]
REAL = SPECS[:2]


def middle(spec: str, seed: int = 1) -> GameState:
    """Return a decision with a choice, halfway through a random game."""
    rng = Random(seed)
    state = sfida.make(spec)
    seen: list[GameState] = []
    while not state.is_over:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        moves = state.legal_moves()
        if len(moves) > 1:
            seen.append(state.clone())
        state.apply(moves[rng.below(len(moves))])
    return seen[len(seen) // 2]
