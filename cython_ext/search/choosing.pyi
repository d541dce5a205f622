"""The move to play after a search, from the statistics of the root's moves."""

from collections.abc import Mapping, Sequence
from typing import Any

FINALS: tuple[str, ...]

def lower_bound(visits: int, reward: float, deviation: float) -> float:
    """Return the lower confidence bound of a move's mean reward; -inf without visits."""
def index_of_choice(rows: Sequence[Mapping[str, Any]], final: str, temperature: float, seed: int) -> int:
    """Return the index of the move to play among rows in the order of `ai.search.final_order`."""
