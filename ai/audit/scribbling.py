"""Scribble over the bytes that a position does not use: no seat may see them, and nothing later may read them."""

from __future__ import annotations

from sfida.ai.audit.sights import differing, sights_of
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

PATTERNS = (0x55, 0xAA)
_SEED = 1


def scribbled(state: GameState, pattern: int) -> GameState:
    """Return a copy in which every byte that the position does not use holds the pattern."""
    twin = state.clone()
    twin.scribble(pattern)
    return twin


def scribbling_changes(state: GameState, *, texts: bool = True, pictures: bool = False) -> str | None:
    """Return what depends on bytes that the position does not use, or None if nothing does.

    For each pattern, everything that each seat is shown, the worlds of each seat, and playouts to the end and to an
    evaluation are compared with those of the position.

    Parameters
    ----------
    state : GameState
        The true state, not a view.
    texts, pictures : bool
        Whether to compare the board drawn as text and as SVG.
    """
    seats = range(state.players)
    twins = [twin for twin in (scribbled(state, pattern) for pattern in PATTERNS) if twin != state]
    seen = [sights_of(state, seat, texts=texts, pictures=pictures) for seat in seats] if twins else []
    for twin in twins:
        for seat in seats:
            names = differing(seen[seat], sights_of(twin, seat, texts=texts, pictures=pictures))
            if names:
                return f"'{min(names)}' of seat {seat}"
            if _world(state, seat) != _world(twin, seat):
                return f"determinize({seat})"
        for cutoff, informed in ((-1, 0), (2, 100)):
            if _played_out(state, cutoff, informed) != _played_out(twin, cutoff, informed):
                return "a playout"
    return None


def _world(state: GameState, seat: int) -> GameState:
    world = state.clone()
    world.determinize(seat, Random(_SEED))
    return world


def _played_out(state: GameState, cutoff: int, informed: int) -> tuple[object, bytes]:
    end = state.clone()
    return end.random_playout(Random(_SEED), cutoff, informed), end.to_bytes()
