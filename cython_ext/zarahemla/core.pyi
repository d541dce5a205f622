"""The Settlers of Zarahemla: the rules core (see docs/rules/settlers_of_zarahemla.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES as COMMON_MOVE_FEATURES
from sfida.cython_ext.flat_state import FlatState
from sfida.cython_ext.zarahemla.parameters import ANSWER_NAMES as ANSWER_NAMES
from sfida.cython_ext.zarahemla.parameters import CARD_NAMES as CARD_NAMES
from sfida.cython_ext.zarahemla.parameters import CHANCE_NAMES as CHANCE_NAMES
from sfida.cython_ext.zarahemla.parameters import FEATURES as FEATURES
from sfida.cython_ext.zarahemla.parameters import INPUT_NAMES as INPUT_NAMES
from sfida.cython_ext.zarahemla.parameters import MOVE_NAMES as MOVE_NAMES
from sfida.cython_ext.zarahemla.parameters import RESOURCE_NAMES as RESOURCE_NAMES
from sfida.cython_ext.zarahemla.parameters import STATION_NAMES as STATION_NAMES
from sfida.cython_ext.zarahemla.parameters import TERRAIN_NAMES as TERRAIN_NAMES

PHASES: tuple[str, ...]
MOVE_FEATURES: tuple[str, ...]
MOVE_BASES: tuple[int, ...]
CHANCE_BASES: tuple[int, ...]

class ZarahemlaRules:
    """Tables and options; immutable, shared by every state of a game."""

    features: tuple[str, ...]

    def __init__(self, tables: Mapping[str, Any], weights: Mapping[str, float]) -> None: ...

class ZarahemlaState(FlatState):
    """A position of The Settlers of Zarahemla."""

    rules: ZarahemlaRules

    def __init__(self, game: Any, rules: ZarahemlaRules) -> None: ...
    def snapshot(self, viewer: int = -1) -> dict[str, Any]:
        """Return the fields of the engine's position by name, as far as a seat knows them; -1: the public part."""
    @property
    def seat_on_turn(self) -> int:
        """Seat whose turn it is."""
    @property
    def victim(self) -> int:
        """Seat that is being robbed; only in the phase "stolen"."""
    def rates(self, seat: int) -> list[int]:
        """Return the number of cards of each resource that the seat gives the bank for one."""
    def income(self, seat: int) -> list[int]:
        """Return the cards of each resource that the seat receives in the 36 rolls, given the robber."""
    def others_hold(self, seat: int) -> list[int]:
        """Return the total cards of each resource in the other hands, as the seat can deduce them."""
    def dev_cards(self, seat: int) -> tuple[list[int], list[int]]:
        """Return the seat's unplayed development cards by type: all held, and the part bought this turn."""
    def deck_cards(self) -> list[int]:
        """Return the development cards left in the deck by type."""
    def draw_odds(self, seat: int) -> list[float]:
        """Return the probability of each type as the next card of the deck, for a seat."""
    def hand(self, seat: int) -> tuple[int, int, int, int, int]:
        """Return the seat's resource cards."""
    def hand_worlds(self, seat: int = -1) -> list[tuple[float, tuple[tuple[int, ...], ...]]] | None:
        """Return probability and all hands of every world that is possible for a seat (-1: the public)."""
    def known_hands(self, seat: int = -1) -> list[tuple[int, int, int, int, int] | None]:
        """Return each seat's resource cards as far as a seat (-1: the public) can deduce them."""
    def features(self, seat: int, viewer: int = -1) -> dict[str, float]:
        """Return the features of a seat."""
    @property
    def open_thefts(self) -> int:
        """Number of thefts that are not public; -1 when there were too many to keep."""
    def forget(self) -> None:
        """Discard the record of thefts, as when there are too many."""
    def lay_road(self, edge: int, free: bool = False) -> None:
        """Lay an unconnected road of the seat on turn, as other programs may; raises IllegalMove."""
    def arrange(self, *, phase: str = "main", on_turn: int = 0, dice: int | None = None,
                buildings: Sequence[tuple[int, int, str]] = (), roads: Sequence[tuple[int, int]] = (),
                hands: Sequence[Sequence[int]] = (), cards: Sequence[Sequence[int]] = (), fresh: Sequence[int] = (),
                played: Sequence[Sequence[int]] = (), stones: Sequence[int] = (), robber: int | None = None,
                holders: Sequence[int] | None = None, shown: Sequence[int] = (), turns: int = 0) -> None:
        """Replace the position by a constructed one."""
    def set_holders(self, holders: Sequence[int] | None = None) -> None:
        """Give the special cards to these holders, or by the counts."""
