"""Attila: the rules core (see docs/rules/attila.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfida.cython_ext.attila.parameters import FEATURES as FEATURES
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES as COMMON_MOVE_FEATURES
from sfida.cython_ext.flat_state import FlatState
from sfida.cython_ext.rng import Random

MOVE_FEATURES: tuple[str, ...]
PHASES: tuple[str, ...]
REASONS: tuple[str, ...]
TILES: tuple[str, ...]

Six = tuple[int, int, int, int, int, int]

class AttilaRules:
    """Tables and options, immutable, shared by every state of a game."""

    features: tuple[str, ...]

    def __init__(self, tables: Mapping[str, Any], weights: Mapping[str, float]) -> None: ...
    def share(self, markers: Sequence[int], tokens: int, provinces: int) -> list[int]:
        """What one tribe pays each seat."""

class AttilaState(FlatState):
    """A position of Attila."""

    rules: AttilaRules

    def __init__(self, game: Any, rules: AttilaRules) -> None: ...
    def snapshot(self, seat: int | None = None) -> dict[str, Any]:
        """The position as a seat sees it, as keywords of the engine's `Position`."""
    @property
    def active(self) -> int:
        """Seat whose turn it is."""
    @property
    def gain(self) -> int:
        """Spaces of influence that a card played now brings."""
    def drawer(self) -> int | None:
        """The seat that gets the card which is drawn next; None when none is."""
    def hand(self, seat: int) -> Six:
        """A seat's cards by tribe, without those laid or given."""
    def laid(self, seat: int) -> Six:
        """The cards that a seat has laid in the present conflict."""
    def pile(self) -> Six:
        """The cards of the draw pile by tribe; not for views."""
    def allowed(self, tribe: int) -> list[int]:
        """The provinces where a token of a tribe may be placed now."""
    def determinize_by_log(self, seat: int, rng: Random) -> bool:
        """Determinize and return whether the log of hands gave the world."""
    def history(self) -> list[tuple[str, int, int]]:
        """The public log of hands since it was begun anew."""
    def history_base(self) -> Six:
        """The cards of the pile that the first draws of the log came from."""
    def arrange(self, tokens: Sequence[Sequence[int]], hands: Sequence[Sequence[int]], *,
                pacified: Sequence[int] = (), peace_used: int = 0, influence: Sequence[Sequence[int]] = (),
                supply: Sequence[int] | None = None, discards: Sequence[int] | None = None, active: int = 0,
                scores: Sequence[int] = (), tiles: Sequence[Sequence[str]] | None = None, turn: int = 1) -> None:
        """Replace the position by the start of a turn made by hand."""
