"""Attila: what is fixed for a game, taken from arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

FEATURE_NAMES: tuple[str, ...]

class AttilaRules:
    """Tables and options, immutable, shared by every state of a game."""

    features: tuple[str, ...]

    def __init__(self, tables: Any, weights: Mapping[str, Any]) -> None: ...
    def share(self, markers: Sequence[int], tokens: int, provinces: int) -> list[int]:
        """What one tribe pays each seat."""
