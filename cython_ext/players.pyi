"""Agents without Python: each decides exactly as its agent in `ai/` does."""

from collections.abc import Sequence
from typing import Any

from sfida.cython_ext.state import GameState

class Interrupts:
    """Ctrl-C, and errors of players, while no Python runs."""

class Player:
    """An agent that needs no Python."""

    def __init__(self, start: GameState, *args: Any) -> None: ...

class RandomPlayer(Player):
    """`ai.agent.RandomAgent`."""

class GreedyPlayer(Player):
    """`ai.greedy.GreedyAgent` without a strategy."""

    def __init__(self, start: GameState, judged: GameState, by_rules: bool, steps: int, worlds: int) -> None: ...

class Seating:
    """The players of a game and its luck, both from seeds as at a table."""

    players: list[Player]

    def __init__(self, start: GameState, players: Sequence[Player]) -> None: ...
    def end(self) -> None:
        """End the games that are being played."""
