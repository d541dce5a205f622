"""What a game has learned: an evaluation, from features of the seats to shares of the win, and priors of moves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PY_MOST_FEATURES: int
PY_MOST_MOVE_FEATURES: int
TABLE_KEYS: tuple[str, ...]
PRIOR_KEYS: tuple[str, ...]
MOVES: str
"""Key of the priors in a table."""

def plain_priors(table: Mapping[str, Any], features: int) -> dict[str, Any]:
    """The priors of moves for a number of players as plain numbers; raises ValueError."""

def plain_table(table: Mapping[str, Any], features: int, players: int, move_features: int = 0) -> dict[str, Any]:
    """What was learned for a number of players as plain numbers; raises ValueError."""

class Learned:
    """What one game has learned: networks and priors of moves for some numbers of players."""

    game: str
    rules: int
    features: tuple[str, ...]
    move_features: tuple[str, ...]
    """What the priors read of a move; empty: there are none."""
    tables: dict[int, dict[str, Any]]
    made: dict[str, Any]
    digest: str
    """Of all of it but `made`."""

    def __init__(self, game: str, rules: int, features: Sequence[str], tables: Mapping[int, Mapping[str, Any]],
                 made: Mapping[str, Any] | None = None, move_features: Sequence[str] = ()) -> None: ...
    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players that it has a network for."""
    @property
    def prior_players(self) -> tuple[int, ...]:
        """Numbers of players that it has priors of moves for."""
    def outputs(self, x: NDArray[np.float64]) -> list[int]:
        """What the network says of each seat before the softmax, times 2**s2."""
    def shares(self, x: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Write the shares of the win of many positions."""
    def priors(self, players: int, x: NDArray[np.float64]) -> list[float]:
        """The priors of the moves of a position."""
    def check_width(self, n: int) -> None:
        """Raise ValueError unless there are so many features."""
    def check(self, game: object, name: str, features: tuple[str, ...], move_features: tuple[str, ...] = ()) -> None:
        """Raise InvalidOption unless it is for a game with these features."""
    def __hash__(self) -> int: ...
