"""What the rules cores share: a position in one flat block, and Python names for its parts."""

from typing import Any

from sfida.cython_ext.state import GameState

COMMON_MOVE_FEATURES: tuple[str, ...]

class FlatState(GameState):
    """A position in one flat block of bytes, with tables that all states of a game share."""

    rules: Any

    def __init__(self, game: Any, rules: Any) -> None: ...
    @property
    def phase(self) -> str:
        """Name of the phase."""
    @property
    def viewer(self) -> int:
        """Seat whose view this copy is, or -1."""
