"""Playing in any game: one random event, the luck at the start, and the legal moves in notation."""

from __future__ import annotations

from typing import TypeVar

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

S = TypeVar("S", bound=GameState)


def step(state: GameState, rng: Random, *, candidates: bool = False) -> int:
    """Play one random chance event or move and return its code; `candidates`: only moves worth searching."""
    if state.is_chance:
        code = state.sample_chance(rng)
    else:
        moves = state.candidate_moves() if candidates else state.legal_moves()
        code = moves[rng.below(len(moves))]
    state.apply(code)
    return int(code)


def deal(state: S, rng: Random) -> S:
    """Play the luck at the start of a game."""
    while state.is_chance:
        state.apply(state.sample_chance(rng))
    return state


def legal(state: GameState, prefix: str = "") -> set[str]:
    """Return the texts of the legal moves that begin with `prefix`."""
    return {text for text in map(state.format, state.legal_moves()) if text.startswith(prefix)}


def play(state: S, *lines: str) -> S:
    """Play lines of notation, whole turns and luck included, and check the position after each move."""
    for line in lines:
        for code in state.game.parse_turn(state, line):
            state.apply(code)
            state.verify()
    return state
