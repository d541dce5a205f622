"""Seeds and chance outcomes by key."""

from collections.abc import Sequence

def first_to_arrive(key: int, outcomes: Sequence[tuple[int, int]]) -> int:
    """Return the code that a draw selects among (code, weight) pairs."""
