"""Learning from games without search: games whose seats look one move ahead, and gradients of a network."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.learned import Learned
from sfida.cython_ext.state import GameState

def numbers(start: GameState, hidden: int, second: int) -> int:
    """Return how many numbers a network has."""

class SelfPlay:
    """Plays games whose seats look one move ahead, and keeps positions with what they turned out to be worth."""

    def __init__(self, start: GameState, hidden: int, second: int, mean: NDArray[np.float64],
                 gain: NDArray[np.float64]) -> None: ...
    def play(self, network: NDArray[np.float32], seeds: NDArray[np.uint64], tried: int, heat: float,
             trace: float, keep: float) -> dict[str, bytes]: ...
    def largest_error(self, network: NDArray[np.float32], learned: Learned, states: Iterable[GameState]) -> float: ...

class Gradient:
    """The gradient of a network over positions."""

    def __init__(self, start: GameState, hidden: int, second: int) -> None: ...
    def add(self, network: NDArray[np.float32], inputs: NDArray[np.uint16], ends: NDArray[np.int32],
            dense: NDArray[np.float32], targets: NDArray[np.float32], rows: NDArray[np.int32],
            gradient: NDArray[np.float32]) -> float: ...
