"""A learned evaluation: from features of the seats, by a small network of whole numbers, to shares of the win."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PY_MOST_FEATURES: int
TABLE_KEYS: tuple[str, ...]

def plain_table(table: Mapping[str, Any], features: int, players: int) -> dict[str, Any]:
    """The network for a number of players as plain numbers; raises ValueError."""

class Learned:
    """A learned evaluation of one game: networks for some numbers of players."""

    game: str
    rules: int
    features: tuple[str, ...]
    tables: dict[int, dict[str, Any]]
    made: dict[str, Any]
    digest: str
    """Of all of it but `made`."""

    def __init__(self, game: str, rules: int, features: Sequence[str], tables: Mapping[int, Mapping[str, Any]],
                 made: Mapping[str, Any] | None = None) -> None: ...
    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players that it has a network for."""
    def outputs(self, x: NDArray[np.float64]) -> list[int]:
        """What the network says of each seat before the softmax, times 2**s2."""
    def shares(self, x: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Write the shares of the win of many positions."""
    def check_width(self, n: int) -> None:
        """Raise ValueError unless there are so many features."""
    def check(self, game: object, name: str, features: tuple[str, ...]) -> None:
        """Raise InvalidOption unless it is for a game with these features."""
    def __hash__(self) -> int: ...
