"""Value of a position: the best turn by the game's evaluation, then short playouts."""

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.state import GameState

class BestTurn:
    def __init__(self, origin: GameState) -> None: ...
    def add_worths(self, world: GameState, moves: NDArray[np.uint64], steps: int,
                   totals: NDArray[np.float64]) -> None: ...

class Lookahead:
    def __init__(self, origin: GameState, steps: int, playouts: int, cutoff: int, informed: int) -> None: ...
    def values(self, state: GameState, events: NDArray[np.uint64], seed: int, out: NDArray[np.float64]) -> None: ...
