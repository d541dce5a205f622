"""The Settlers of Zarahemla: what is fixed for a game, taken from arrays."""

from collections.abc import Mapping
from typing import Any

FEATURE_NAMES: tuple[str, ...]

MOVE_BASES: tuple[int, ...]
CHANCE_BASES: tuple[int, ...]

class ZarahemlaRules:
    """Tables and options, immutable, shared by every state of a game."""

    resources: tuple[str, ...]
    cards: tuple[str, ...]
    features: tuple[str, ...]

    def __init__(self, tables: Any, weights: Mapping[str, Any]) -> None: ...
