"""Whole games without Python: played by policies or players, or replayed from moves, and recorded in columns."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.players import Seating
from sfida.cython_ext.state import GameState

COLUMNS: tuple[str, ...]
POLICIES: tuple[str, ...]

class Batch:
    def __init__(self, start: GameState, policies: Sequence[str], features: bool, views: bool, steps: int,
                 worlds: int, seating: Seating | None = None) -> None: ...
    def play(self, seeds: NDArray[np.uint64]) -> None: ...
    def replay(self, moves: NDArray[np.uint64]) -> None: ...
    def play_on(self, position: GameState, move: int, seeds: NDArray[np.uint64],
                shares: NDArray[np.float64]) -> None: ...
    def columns_taken(self) -> dict[str, bytes]: ...
