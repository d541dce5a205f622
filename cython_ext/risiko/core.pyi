"""RisiKo!: the rules core (see docs/rules/risiko.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfida.cython_ext.flat_state import COMMON_MOVE_FEATURES as COMMON_MOVE_FEATURES
from sfida.cython_ext.flat_state import FlatState
from sfida.cython_ext.risiko.parameters import FEATURES as FEATURES
from sfida.cython_ext.risiko.parameters import INPUT_NAMES as INPUT_NAMES
from sfida.cython_ext.rng import Random

MOVE_FEATURES: tuple[str, ...]
PHASES: tuple[str, ...]
KINDS: dict[int, str]
HIDDEN: int
LARGEST_STACK: int
IDS: tuple[str, ...]

class RisikoRules:
    """Tables and options; immutable, shared by every state of a game."""

    colors: tuple[str, ...]
    objectives: tuple[str, ...]
    features: tuple[str, ...]

    def __init__(self, tables: Mapping[str, Any], weights: Mapping[str, float]) -> None: ...
    def win_chance(self, attackers: int, defenders: int, reserve: bool = False, protected: bool = False,
                   dice: int = 0) -> float:
        """Return the probability that an assault conquers, by all armies of origin and target; exact up to 32 each."""
    def expected_losses(self, attackers: int, defenders: int, reserve: bool = False,
                        protected: bool = False) -> tuple[float, float]:
        """Return the expected losses of attacker and defender in an assault; exact up to 32 armies each."""
    def neighbours(self, i: int) -> list[int]:
        """Return the neighbours of a territory, ascending."""

class RisikoState(FlatState):
    """A position of RisiKo!"""

    rules: RisikoRules

    def __init__(self, game: Any, rules: RisikoRules) -> None: ...
    def snapshot(self, seat: int | None = None) -> dict[str, Any]:
        """Return the position as a seat sees it, as keywords of the engine's `Position`."""
    @property
    def seat_on_turn(self) -> int:
        """Seat whose turn it is."""
    @property
    def just_dealt(self) -> int:
        """Seat that receives the next objective dealt."""
    def is_protected(self, target: int, seat: int) -> bool:
        """Return whether no throw of a seat may conquer a territory in its next attacks, as things are now."""
    def conquest_earns_card(self, more: int = 0) -> bool:
        """Return whether the seat on turn draws a card after a turn with a conquest."""
    def hand(self, seat: int) -> list[int]:
        """Return the cards in a seat's hand, ascending."""
    def deck_cards(self) -> list[int]:
        """Return the cards in the deck, ascending."""
    def objective(self, seat: int) -> int | None:
        """Return the number of a seat's objective in the deck."""
    def knows_objective(self, viewer: int, seat: int) -> bool:
        """Return whether a seat knows another's objective, or it is not dealt yet."""
    def fulfils(self, seat: int, which: int) -> bool:
        """Return whether a seat would have fulfilled an objective if it held it."""
    def standings(self) -> list[int]:
        """Return each seat's rank at the end."""
    def reference_playout(self, rng: Random, greedy: bool = False) -> dict[str, int]:
        """Play to the end by a policy of the reference statistics and count."""
    def arrange(self, owner: Sequence[int], armies: Sequence[int], *, phase: str = "attack", on_turn: int = 0,
                first: int = 0, round_: int = 5, left: int | None = None, hands: Sequence[Sequence[int]] = (),
                discards: Sequence[int] = (), cycles: Mapping[int, int] | None = None,
                objectives: Sequence[int] | None = None, possible: Sequence[Sequence[int]] | None = None,
                conquests: int = 0, eliminated: Sequence[tuple[int, int, int]] = (),
                battle: tuple[int, int] | None = None) -> None:
        """Replace the position by a constructed one."""
