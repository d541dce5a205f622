"""Information set Monte Carlo tree search on the state contract: one tree, or one tree per seat."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sfida.cython_ext.state import GameState, View

class Search:
    """One search for one seat."""

    seat: int
    view: View

    def __init__(
        self,
        view: View,
        seed: int = 0,
        *,
        # <keywords: generate.py>
        cutoff: int = -1,
        informed: int = 0,
        blend: float = 0.0,
        tau: float = 10.0,
        batch: int = 1,
        c: float = 0.7,
        priors: bool = False,
        c_prior: float = 1.0,
        fpu: float = 0.1,
        foresight: float = 0.0,
        foresee_at: int = -1,
        expand_at: int = 0,
        decisive: bool = True,
        chance_depth: int = -1,
        memory: int = 64,
        keyed: bool = True,
        bids: str = "exp3",
        bid_explore: float = 0.2,
        # </keywords>
        multiple: bool = False,
        world: GameState | None = None,
        worlds: Sequence[GameState] | None = None,
        cheat: bool = False,
        profiling: bool = False,
    ) -> None: ...
    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters in force, by keyword."""
    @property
    def visits(self) -> int:
        """Visits of the root, inherited ones included."""
    @property
    def iterations(self) -> int:
        """Iterations that this object has run in total."""
    @property
    def arena_full(self) -> bool:
        """Whether the memory limit stopped the tree from growing."""
    def run(self, iterations: int | None = None, seconds: float | None = None,
            callback: Callable[[Search], object] | None = None, early_stop: bool = False) -> str:
        """Search until a budget is spent; returns the reason for stopping."""
    def cancel(self) -> None:
        """Stop a running search; may be called from another thread."""
    def lead(self) -> int:
        """Return by how many visits the most visited root move leads the second."""
    def root_edges(self) -> list[dict[str, Any]]:
        """Return the root's edges, most visited first."""
    def root(self) -> list[tuple[int, int, int, float]]:
        """Return (move, visits, availability, mean reward) of the root's edges."""
    def line(self, move: int, length: int = 8) -> list[tuple[GameState, int]]:
        """Return the moves that the tree expects after a root move, with the state before each."""
    def advance(self, move: int, view: View) -> bool:
        """Make the position after one of the root's moves the new root; False when the tree lacks it."""
    def fits(self, view: View) -> bool:
        """Return whether the memory can be reused for this view."""
    def admit_helpers(self, threads: int = 1, ordered: bool = True) -> None:
        """Prepare for `help` from other threads in the next run."""
    def help(self) -> None:
        """Work on the running search until it ends."""
    def restart(self, view: View, seed: int, world: GameState | None = None, worlds: Sequence[GameState] | None = None,
                only: int | Mapping[int, float] | None = None) -> None:
        """Empty the tree and start at another view of the same game."""
    def statistics(self) -> dict[str, Any]:
        """Return figures on the tree and the time spent."""
    def check_tree(self) -> None:
        """Check the invariants of the tree; raises AssertionError."""
