"""Attila: what is fixed for a game, taken from arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfida.cython_ext.attila.parameters import FEATURES as FEATURES

class AttilaRules:
    """Tables and options, immutable, shared by every state of a game."""

    features: tuple[str, ...]

    def __init__(self, tables: Mapping[str, Any], weights: Mapping[str, float]) -> None: ...
    def share(self, markers: Sequence[int], tokens: int, provinces: int) -> list[int]:
        """What one tribe pays each seat."""
