"""Moves as numbers that mean the same in every position: the fixed action spaces of learning environments."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence

MOST_KNOWN = 1 << 17            # codes whose numbers are remembered, of one game


class Actions(abc.ABC):
    """The moves of seats as numbers 0 to `count` - 1.

    Attributes
    ----------
    count : int
        Numbers in use, from 0; some may stand for no move.
    complete : bool
        Every legal move has a number of its own. Otherwise only the moves worth searching have
        (`GameState.candidate_moves`), because a game knows no bound of its legal ones.
    """

    count: int
    complete: bool = True

    @abc.abstractmethod
    def numbers(self, moves: Sequence[int]) -> list[int]:
        """Return the number of each move of one decision, all different.

        Parameters
        ----------
        moves : sequence of int
            Codes of all its legal moves, or of all those worth searching where the numbers are not complete.
        """


class SmallCodes(Actions):
    """For a game whose codes of moves are small: they are the numbers.

    Parameters
    ----------
    count : int
        A bound: codes are below it.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def numbers(self, moves: Sequence[int]) -> list[int]:
        return list(moves)


class NumberedCodes(Actions):
    """For a game in which a function of the code alone numbers the moves; what it returned is remembered.

    Parameters
    ----------
    count : int
    number : callable
        Number of a code.
    """

    def __init__(self, count: int, number: Callable[[int], int]) -> None:
        self.count = count
        self._known = _Known(number)

    def numbers(self, moves: Sequence[int]) -> list[int]:
        known = self._known
        return [known[move] for move in moves]


class _Known(dict[int, int]):
    """What a function returned, by its argument."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self._function = function

    def __missing__(self, key: int) -> int:
        if len(self) >= MOST_KNOWN:
            self.clear()
        value = self[key] = self._function(key)
        return value
