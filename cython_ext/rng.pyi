"""Random streams: xoshiro256++ seeded by SplitMix64, keyed through numpy `SeedSequence`."""

from collections.abc import Sequence
from typing import Any

def splitmix64(seed: int, count: int) -> list[int]:
    """First `count` outputs of SplitMix64 started at `seed`."""

def derive(root: int, *key: int) -> int:
    """64-bit seed of the stream named by `key` under `root`."""

class Random:
    """One stream of random numbers."""

    def __init__(self, seed: int = 0) -> None: ...
    @staticmethod
    def from_state(words: Sequence[int]) -> Random:
        """Stream with these four 64-bit state words (not all zero)."""
    @property
    def state(self) -> tuple[int, int, int, int]:
        """The four state words."""
    def next(self) -> int:
        """Next 64 random bits."""
    def below(self, n: int) -> int:
        """Exactly uniform int in [0, n)."""
    def uniform(self) -> float:
        """Uniform float in [0, 1)."""
    def shuffle(self, items: list[Any]) -> None:
        """Shuffle in place, uniformly over permutations."""
    def weighted(self, weights: Sequence[int]) -> int:
        """Index drawn with probability proportional to the integer `weights`."""
