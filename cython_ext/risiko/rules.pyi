"""RisiKo!: what is fixed for a game, taken from arrays."""

from collections.abc import Mapping
from typing import Any

LARGEST_STACK: int
FEATURE_NAMES: tuple[str, ...]

class RisikoRules:
    """Tables and options, immutable, shared by every state of a game."""

    colors: tuple[str, ...]
    objectives: tuple[str, ...]
    features: tuple[str, ...]

    def __init__(self, tables: Any, weights: Mapping[str, Any]) -> None: ...
    def win_chance(self, attackers: int, defenders: int, reserve: bool = False, protected: bool = False,
                   dice: int = 0) -> float:
        """The chance that an assault conquers, by all armies of origin and target; exact up to 32 each."""
    def expected_losses(self, attackers: int, defenders: int, reserve: bool = False,
                        protected: bool = False) -> tuple[float, float]:
        """The armies that an assault is expected to cost attacker and defender; exact up to 32 each."""
    def neighbours(self, i: int) -> list[int]:
        """The territories that border a territory, ascending."""
