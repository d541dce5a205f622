"""Flat Monte Carlo: playouts after each legal move, no tree."""

from collections.abc import Callable
from typing import Any

from sfida.cython_ext.state import View

class FlatSearch:
    """Playouts after each legal move of one seat's view."""

    seat: int
    view: View
    n_arms: int

    def __init__(self, view: View, seed: int = 0, *, only: int | None = None, cutoff: int = ...,
                 informed: int = ..., blend: float = ..., tau: float = ...) -> None: ...
    @property
    def iterations(self) -> int:
        """Number of playouts so far."""
    def halve(self, iterations: int, callback: Callable[[FlatSearch], object] | None = None) -> str:
        """Spend a number of playouts by sequential halving; returns the reason for stopping."""
    def bandit(self, seconds: float | None, iterations: int | None, c: float,
               callback: Callable[[FlatSearch], object] | None = None) -> str:
        """Pull arms by UCB1 until the budget ends; returns the reason for stopping."""
    def cancel(self) -> None:
        """Stop after the current playout; may be called from another thread."""
    def rows(self) -> list[dict[str, Any]]:
        """Return one dict per arm: move, visits, mean reward, deviation, value per seat."""
