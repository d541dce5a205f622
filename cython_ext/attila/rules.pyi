"""Attila: what is fixed for a game, taken from arrays."""

from collections.abc import Sequence
from typing import Any

class AttilaRules:
    """Tables and options, immutable, shared by every state of a game."""

    def __init__(self, tables: Any, weights: Any) -> None: ...
    def share(self, markers: Sequence[int], tokens: int, provinces: int) -> list[int]:
        """What one tribe pays each seat."""
