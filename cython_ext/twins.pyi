"""Twins of a game: histories that differ in what one seat did not see."""

from collections.abc import Callable
from typing import Any

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

class Tape:
    """A game, played to its end or for a number of events."""

    moves: list[int]
    actors: list[int]
    states: list[GameState]
    labels: list[list[int]]
    line: list[int]

    def __init__(self, start: GameState, rng: Random, plies: int, informed: int = 0) -> None: ...
    def count_closed(self, seat: int) -> int:
        """Return the number of positions at which the seat's view is not the whole position."""
    def hidden_events(self, seat: int) -> list[list[int]]:
        """Return the plies of other seats' events that may be hidden from the seat, grouped by what the seat saw."""
    def twin(self, seat: int, at: int, swapped: int, rng: Random, every: int = 0,
             audit: Callable[[int, GameState], Any] | None = None) -> tuple[int, tuple[int, Any, GameState] | None]:
        """Follow one twin and compare views; return the number of positions compared, and the difference."""
