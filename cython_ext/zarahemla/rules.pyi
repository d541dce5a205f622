"""The Settlers of Zarahemla: what is fixed for a game, taken from arrays."""

from collections.abc import Sequence
from typing import Any

MOVE_BASES: tuple[int, ...]
CHANCE_BASES: tuple[int, ...]

class ZarahemlaRules:
    """Tables and options, immutable, shared by every state of a game."""

    resources: tuple[str, ...]
    cards: tuple[str, ...]
    features: tuple[str, ...]

    def __init__(self, tables: Any, weights: Any, features: Sequence[str]) -> None: ...
