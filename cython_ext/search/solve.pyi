"""Exact play of small endgames: expectimax over the whole remaining game."""

from dataclasses import dataclass

from sfida.cython_ext.state import GameState, View

OUTCOMES: tuple[str, ...]

@dataclass(frozen=True)
class SolvedMove:
    """Value of a root move when all seats continue perfectly."""

    code: int
    exact: bool
    reward: float
    value: tuple[float, ...]
    line: tuple[int, ...]

@dataclass(frozen=True)
class Solution:
    """A solved position; the best move comes first."""

    seat: int
    moves: tuple[SolvedMove, ...]
    positions: int

    @property
    def best(self) -> SolvedMove:
        """The move to play."""

def solve(where: View | GameState, budget: int, *, blend: float = ..., tau: float = ..., every: bool = True,
          plies: int = 64, probes: int = 32, seed: int = 0,
          seconds: float = 0.0) -> Solution | None:
    """Solve a position exactly, or return None if that takes more than `budget` positions."""

class Solver:
    """One attempt at the exact solution of a position without hidden information."""

    seat: int
    budget: int
    positions: int

    def __init__(self, where: View | GameState, budget: int, *, blend: float = ..., tau: float = ...,
                 every: bool = True, plies: int = 64, probes: int = 32, seed: int = 0,
                 seconds: float = 0.0) -> None: ...
    @property
    def outcome(self) -> str:
        """"solved", "estimate", "budget", "depth", "cancelled", "error" or "seconds"."""
    def estimate(self) -> float:
        """Return the approximate number of positions in the whole tree; infinity when far too many."""
    def run(self) -> Solution | None:
        """Search the whole tree."""
    def cancel(self) -> None:
        """End the run without a solution."""
