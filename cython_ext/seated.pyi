"""One game of players without Python, noted on a page that another process watches."""

from collections.abc import Mapping

from sfida.cython_ext.players import Seating
from sfida.cython_ext.state import GameState

PAGE: Mapping[str, int]

class SeatedGame:
    """A game that players play without the interpreter's lock."""

    def __init__(self, start: GameState) -> None: ...
    def play(self, seating: Seating, seed: int, luck: int, page: memoryview,
             limit: float) -> tuple[list[int], list[float], int]:
        """Play a game; returns its moves, the seconds of each, and the seat that decided for too long, or -1."""
