"""Seeds and chance outcomes by key."""

from collections.abc import Sequence

from sfida.cython_ext.state import GameState

class SeededDraws:
    """The chance outcomes of one game after the other."""

    def __init__(self, start: GameState) -> None: ...

def first_to_arrive(key: int, outcomes: Sequence[tuple[int, int]]) -> int:
    """Return the code that a draw selects among (code, weight) pairs."""
