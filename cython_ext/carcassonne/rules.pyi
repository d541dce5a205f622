"""Carcassonne: what is fixed for a game, taken from arrays."""

from collections.abc import Mapping
from typing import Any

FEATURE_NAMES: tuple[str, ...]

class CarcassonneRules:
    """Tables and options, immutable, shared by every state of a game."""

    codes: tuple[str, ...]
    features: tuple[str, ...]

    def __init__(self, tables: Any, weights: Mapping[str, Any]) -> None: ...
