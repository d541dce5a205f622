"""Attila: the rules core (see docs/rules/attila.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfida.cython_ext.attila.parameters import FEATURES as FEATURES
from sfida.cython_ext.attila.parameters import INPUT_NAMES as INPUT_NAMES
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES as COMMON_MOVE_FEATURES
from sfida.cython_ext.flat_state import FlatState
from sfida.cython_ext.rng import Random

MOVE_FEATURES: tuple[str, ...]
PHASES: tuple[str, ...]
REASONS: tuple[str, ...]
TILES: tuple[str, ...]

Six = tuple[int, int, int, int, int, int]

class AttilaRules:
    """Tables and options; immutable, shared by every state of a game."""

    features: tuple[str, ...]

    def __init__(self, tables: Mapping[str, Any], weights: Mapping[str, float]) -> None: ...
    def share(self, markers: Sequence[int], tokens: int, provinces: int) -> list[int]:
        """Return the points that one tribe pays each seat."""

class AttilaState(FlatState):
    """A position of Attila."""

    rules: AttilaRules

    def __init__(self, game: Any, rules: AttilaRules) -> None: ...
    def snapshot(self, seat: int | None = None) -> dict[str, Any]:
        """Return the position as a seat sees it, as keywords of the engine's `Position`."""
    @property
    def active(self) -> int:
        """Seat whose turn it is."""
    @property
    def gain(self) -> int:
        """Spaces of influence that a card played now brings."""
    def drawer(self) -> int | None:
        """Return the seat that receives the next drawn card; None when none is drawn."""
    def hand(self, seat: int) -> Six:
        """Return a seat's cards by tribe, without laid or given ones."""
    def laid(self, seat: int) -> Six:
        """Return the cards that a seat has laid in the current conflict, by tribe."""
    def pile(self) -> Six:
        """Return the cards of the draw pile by tribe; not for views."""
    def allowed(self, tribe: int) -> list[int]:
        """Return the provinces where a token of a tribe may be placed now."""
    def determinize_by_log(self, seat: int, rng: Random) -> bool:
        """Determinize and return whether the world was drawn from the log of hands."""
    def history(self) -> list[tuple[str, int, int]]:
        """Return the public log of hands since its last restart."""
    def history_base(self) -> Six:
        """Return the pile that the first draws of the log came from, by tribe."""
    def arrange(self, tokens: Sequence[Sequence[int]], hands: Sequence[Sequence[int]], *,
                pacified: Sequence[int] = (), peace_used: int = 0, influence: Sequence[Sequence[int]] = (),
                supply: Sequence[int] | None = None, discards: Sequence[int] | None = None, active: int = 0,
                scores: Sequence[int] = (), tiles: Sequence[Sequence[str]] | None = None, turn: int = 1) -> None:
        """Replace the position by a constructed start of a turn."""
