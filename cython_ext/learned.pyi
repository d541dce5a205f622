"""Learned knowledge of a game: an evaluation from features of the seats to win probabilities, and priors of moves."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PY_MOST_FEATURES: int
PY_MOST_ACTIVE: int
PY_MOST_MOVE_FEATURES: int
TABLE_KEYS: tuple[str, ...]
WIDE_KEYS: tuple[str, ...]
PACKED: tuple[str, ...]
"""Keys of a network with sparse inputs whose numbers are packed in text."""
PRIOR_KEYS: tuple[str, ...]
MOVES: str
"""Key of the priors in a table."""

def pack(numbers: Iterable[int], kind: str) -> str:
    """Return whole numbers of 16 (kind "h") or 32 bits (kind "i") as text: small ones take little space."""

def unpack(text: str, kind: str, count: int) -> array[int]:
    """Return the numbers that `pack` has packed; raises ValueError for other text or another count."""

def plain_priors(table: Mapping[str, Any], features: int) -> dict[str, Any]:
    """Return the priors of moves for a number of players as plain numbers; raises ValueError."""

def plain_wide(table: Mapping[str, Any], features: int, players: int) -> dict[str, Any]:
    """Return a network with sparse inputs as plain data; raises ValueError."""

def plain_table(table: Mapping[str, Any], features: int, players: int, move_features: int = 0) -> dict[str, Any]:
    """Return the network and priors for a number of players as plain numbers; raises ValueError."""

class Learned:
    """Learned knowledge of one game: networks and priors of moves for some numbers of players."""

    game: str
    rules: int
    features: tuple[str, ...]
    move_features: tuple[str, ...]
    """Names of the move features; empty: there are no priors."""
    inputs: tuple[str, ...]
    """Names of the groups of sparse inputs; empty: no network has any."""
    tables: dict[int, dict[str, Any]]
    made: dict[str, Any]
    digest: str
    """Digest of everything except `made`."""

    def __init__(self, game: str, rules: int, features: Sequence[str], tables: Mapping[int, Mapping[str, Any]],
                 made: Mapping[str, Any] | None = None, move_features: Sequence[str] = (),
                 inputs: Sequence[str] = ()) -> None: ...
    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players for which there is a network."""
    @property
    def prior_players(self) -> tuple[int, ...]:
        """Numbers of players for which there are priors of moves."""
    def outputs(self, x: NDArray[np.float64]) -> list[int]:
        """Return the network's output for each seat before the softmax, times 2**s2."""
    def shares(self, x: NDArray[np.float64], out: NDArray[np.float64]) -> None:
        """Write the win probabilities of many positions."""
    def position_shares(self, x: NDArray[np.float64], inputs: Sequence[int], front: int = 0) -> list[float]:
        """Return the win probabilities of a position by a network with sparse inputs."""
    def priors(self, players: int, x: NDArray[np.float64]) -> list[float]:
        """Return the priors of the moves of a position."""
    def check_width(self, n: int) -> None:
        """Raise ValueError unless n is the number of features."""
    def check(self, game: object, name: str, features: tuple[str, ...], move_features: tuple[str, ...] = (),
              inputs: tuple[str, ...] = ()) -> None:
        """Raise InvalidOption unless the knowledge is for a game with these features."""
    def __hash__(self) -> int: ...
