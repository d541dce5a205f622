"""A Few Acres of Snow: the rules core (see docs/rules/a_few_acres_of_snow.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfida.cython_ext.acres.parameters import CARD_SETS as CARD_SETS
from sfida.cython_ext.acres.parameters import FEATURES as FEATURES
from sfida.cython_ext.acres.parameters import INPUT_NAMES as INPUT_NAMES
from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES as COMMON_MOVE_FEATURES
from sfida.cython_ext.flat_state import FlatState

PHASES: tuple[str, ...]
KINDS: tuple[str, ...]
REASONS: tuple[str, ...]
SIDES: tuple[str, ...]
MOVE_FEATURES: tuple[str, ...]

class AcresRules:
    """Tables, options and weights; immutable."""

    features: tuple[str, ...]

    def __init__(self, tables: Mapping[str, Any], weights: Mapping[str, float]) -> None: ...

class AcresState(FlatState):
    """A position of A Few Acres of Snow."""

    rules: AcresRules

    def __init__(self, game: Any, rules: AcresRules) -> None: ...
    def snapshot(self, seat: int | None = None) -> dict[str, Any]:
        """Return the position as a seat sees it, as keywords of `engines.acres.position.Position`."""
    def move_worth(self, strategy: int = 0) -> list[tuple[int, float]]:
        """Return the worth of the mover's legal moves under a strategy."""
    @property
    def seat_on_turn(self) -> int:
        """Seat whose turn it is."""
    @property
    def mover(self) -> int:
        """Seat that decides, or draws."""
    @property
    def turns(self) -> int:
        """Number of completed turns of both sides."""
    def hidden_hand(self, seat: int) -> tuple[int, ...] | None:
        """Return the cards of a side's hand by type while the other side cannot deduce them, otherwise None."""
    def target(self, besieger: int) -> int:
        """Return the site that a side besieges, or -1."""
    def defence(self, site: int) -> int:
        """Return the strength of a site itself, including its fort."""
    def arrange(self, *, sites: Sequence[tuple[int, int, bool]] | None = None, forts: Sequence[int] = (),
                hands: Sequence[Sequence[int]] = ((), ()), decks: Sequence[Sequence[int]] = ((), ()),
                discards: Sequence[Sequence[int]] = ((), ()), reserves: Sequence[Sequence[int]] = ((), ()),
                known: Sequence[Sequence[int]] = ((), ()),
                sieges: Sequence[tuple[int, int, Sequence[int], Sequence[int]]] = (),
                captured: Sequence[tuple[int, int]] = ((0, 0), (0, 0)),
                supplies: Sequence[tuple[int, int] | None] = (None, None), money: tuple[int, int] | None = None,
                on_turn: int = 0, actions: int = 2, turns: int = 2, phase: str = "main") -> None:
        """Replace the position by a constructed one."""
