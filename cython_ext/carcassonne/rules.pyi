"""Carcassonne: what is fixed for a game, taken from arrays."""

from typing import Any

class CarcassonneRules:
    """Tables and options, immutable, shared by every state of a game."""

    codes: tuple[str, ...]
    features: tuple[str, ...]

    def __init__(self, tables: Any, weights: Any, features: Any) -> None: ...
