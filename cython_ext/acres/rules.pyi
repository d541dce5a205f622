"""A Few Acres of Snow: the tables that all states of a game share, copied from arrays."""

from typing import Any

SITES: int
SLOTS: int
TYPES: int
LOCATIONS: int
NEUTRALS: int
MODES: int
PURSES: int
NONE: int
NO_LIMIT: int
QUIET_TURNS: int
FEATURE_NAMES: tuple[str, ...]
STRATEGY_NAMES: tuple[str, ...]

class AcresRules:
    """Tables, options and weights, immutable."""

    def __init__(self, tables: Any, knowledge: Any) -> None: ...
