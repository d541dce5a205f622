"""Positions that the benchmarks measure."""

from __future__ import annotations

import sfida
from sfida.ai.research.profiling import random_decisions
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

SPECS = ["carcassonne", "carcassonne:players=4,river=true", "tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel",
         "phantom_tic_tac_toe"]
REAL = SPECS[:2]


def middle(spec: str, seed: int = 1) -> GameState:
    """Return a decision with a choice, halfway through a random game."""
    seen = random_decisions(sfida.make(spec), Random(seed), least=2)
    return seen[len(seen) // 2]
