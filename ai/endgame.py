"""An attempt to play the rest of a game exactly, within what a decision allows."""

from __future__ import annotations

from dataclasses import replace

from sfida.cython_ext.measure import awake
from sfida.cython_ext.search.solve import Solution, Solver
from sfida.cython_ext.state import View

_EQUAL = 1e-9                           # win shares that differ by rounding only


class Endgame:
    """One attempt; `cancel` may be called from a signal handler or a thread.

    Between two seats it is first solved for the win alone: most results are won, drawn or lost, which cuts off three
    quarters of the positions. With what is left of the limits it is solved once more for win and margin together, so
    that of moves that win equally often the one with the most points is played.

    Parameters
    ----------
    view : View
        Of the seat to move in a game that hides nothing.
    positions : int
        How many it may look at.
    seconds : float
        How long it may take; 0: no limit.
    blend, tau : float
        The margin's weight and scale (see `Solver`).
    every : bool
        Find the exact value of every move, not only of the best.
    seed : int
    """

    def __init__(self, view: View, positions: int, seconds: float, *, blend: float, tau: float, every: bool,
                 seed: int) -> None:
        self._view = view
        self._positions = positions
        self._seconds = seconds
        self._blend = blend
        self._tau = tau
        self._every = every
        self._seed = seed
        self._solver: Solver | None = None
        self._cancelled = False

    def run(self) -> Solution | None:
        """Return the solution, or None if it takes more than the limits allow."""
        if self._view.players != 2 or not self._blend:
            return self._solve(self._blend, self._positions, self._seconds)
        started = awake()
        won = self._solve(0.0, self._positions, self._seconds)
        if won is None:
            return None
        positions = self._positions - won.positions
        seconds = self._seconds - (awake() - started) if self._seconds else 0.0
        if positions < 1 or seconds < 0.0 or (self._seconds and not seconds):
            return won
        both = self._solve(self._blend, positions, seconds)
        seat = won.seat
        if both is None or both.best.value[seat] < won.best.value[seat] - _EQUAL:
            return won
        return replace(both, positions=won.positions + both.positions)

    def _solve(self, blend: float, positions: int, seconds: float) -> Solution | None:
        if self._cancelled:
            return None
        self._solver = Solver(self._view, positions, blend=blend, tau=self._tau, every=self._every, seed=self._seed,
                              seconds=seconds)
        if self._cancelled:
            return None
        return self._solver.run()

    def cancel(self) -> None:
        """End the attempt; what was solved before stays solved."""
        self._cancelled = True
        if self._solver is not None:
            self._solver.cancel()
