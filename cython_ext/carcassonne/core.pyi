"""Carcassonne with the River: the rules core (see docs/rules/carcassonne.md)."""

from collections.abc import Mapping
from typing import Any

from sfida.cython_ext.carcassonne.parameters import FEATURES as FEATURES
from sfida.cython_ext.carcassonne.parameters import INPUT_NAMES as INPUT_NAMES
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES as COMMON_MOVE_FEATURES
from sfida.cython_ext.flat_state import FlatState

PHASES: tuple[str, ...]
KINDS: tuple[str, ...]
MOVE_FEATURES: tuple[str, ...]

class CarcassonneRules:
    """Tables and options; immutable, shared by every state of a game."""

    codes: tuple[str, ...]
    features: tuple[str, ...]

    def __init__(self, tables: Mapping[str, Any], weights: Mapping[str, float]) -> None: ...

class CarcassonneState(FlatState):
    """A position of Carcassonne."""

    rules: CarcassonneRules

    def __init__(self, game: Any, rules: CarcassonneRules) -> None: ...
    @property
    def last_tile_type(self) -> int:
        """Type (index in the data file) of the tile laid last."""
    @property
    def tiles_left(self) -> int:
        """Number of tiles still to be drawn, all stacks together."""
    def snapshot(self, features: bool = True) -> dict[str, Any]:
        """Return the fields of the engine's position by name, with the features on the table if requested."""
    def places_for(self, tile_type: int) -> tuple[tuple[int, int, int], ...]:
        """Return every legal (x, y, rotation) of a tile type now, sorted."""
    def unscored(self, move: int) -> CarcassonneState:
        """Return a copy after a tile or follower is placed but before the turn is scored."""
    def closes(self, tile_type: int, x: int, y: int, rotation: int, tile: int, segment: int) -> bool:
        """Return whether the road or city of a segment is complete once a tile is laid somewhere."""
    def can_place(self, tile_type: int) -> bool:
        """Return whether a tile type (index in the data file) has a legal placement now."""
    def final_scores_now(self) -> dict[str, list[int]]:
        """Return the score of each seat if the game ended here, by part."""
    def setup_turn(self, seat: int, tile_type: int) -> None:
        """Put a seat on turn with a tile in hand (for set-up positions)."""

def perft(state: CarcassonneState, turns: int, deploys: bool) -> int:
    """Count the move sequences of the next turns."""
