"""What is a position worth: the best reply by the game's evaluation, then short playouts."""

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.state import GameState

class Lookahead:
    def __init__(self, origin: GameState, steps: int, playouts: int, cutoff: int, informed: int) -> None: ...
    def values(self, state: GameState, events: NDArray[np.uint64], seed: int, out: NDArray[np.float64]) -> None: ...
