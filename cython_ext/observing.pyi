"""Features of positions written into arrays for learners, and chance events played through."""

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

def play_luck(state: GameState, rng: Random) -> None:
    """Play, in place, every chance event up to the next decision or the end."""

def fill_seats(state: GameState, scratch: GameState, viewer: int, out: NDArray[np.float32]) -> None:
    """Write the features of all seats as a seat knows them, its own first."""

def fill_moves(state: GameState, moves: NDArray[np.uint64], out: NDArray[np.float32]) -> None:
    """Write the features of moves of the seat to move, as that seat knows them."""
