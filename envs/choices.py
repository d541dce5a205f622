"""What the numbers of actions stand for at a decision: a fixed space, or a list of candidates."""

from __future__ import annotations

import abc

import numpy as np
from numpy.typing import NDArray

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.observing import fill_moves, play_luck
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.actions import Actions
from sfida.engines.game import Game
from sfida.engines.spec import quoted, whole

FIXED, CANDIDATES = "fixed", "candidates"
MOST_WIDTH = 1 << 20


class Choices(abc.ABC):
    """Which moves a seat may choose from, as actions 0 to `size` - 1.

    Attributes
    ----------
    size : int
        Number of actions.
    move_features : int
        Numbers that describe each action; 0: none do.
    """

    size: int
    move_features: int = 0

    @abc.abstractmethod
    def at(self, state: GameState) -> dict[int, int]:
        """Return the code of each action that may be chosen at a decision, ascending by code."""

    def mask(self, offered: dict[int, int]) -> NDArray[np.int8]:
        """Return 1 for each action that may be chosen, else 0."""
        mask = np.zeros(self.size, dtype=np.int8)
        mask[list(offered)] = 1
        return mask


class FixedChoices(Choices):
    """A number means the same at every decision.

    Parameters
    ----------
    actions : Actions
        Of the game.
    """

    def __init__(self, actions: Actions) -> None:
        self.size = actions.count
        self._actions = actions

    def at(self, state: GameState) -> dict[int, int]:
        moves = state.legal_moves() if self._actions.complete else state.candidate_moves()
        return dict(zip(self._actions.numbers(moves), moves, strict=True))


class CandidateChoices(Choices):
    """Action i is the i-th of the moves worth searching, ascending by code.

    Parameters
    ----------
    game : Game
    width : int, optional
        Number of actions; of a longer list the moves with the highest priors are offered. By default no list is longer.
    """

    def __init__(self, game: Game, width: int | None = None) -> None:
        start = game.initial_state()
        play_luck(start, Random(0))                     # the luck of a setup may have a long list of its own
        longest = int(start.clone().max_legal)
        if width is None:
            width = longest
        elif not 1 <= (whole(width) or 0) <= MOST_WIDTH:
            raise InvalidOption(f"width must be a whole number from 1 to {MOST_WIDTH}, not {quoted(width)}")
        self.size = width
        self.move_features = len(start.move_feature_names)

    def at(self, state: GameState) -> dict[int, int]:
        moves = state.candidate_moves()
        if len(moves) > self.size:
            likely = sorted(state.move_priors(), key=lambda pair: (-pair[1], pair[0]))
            moves = sorted(move for move, _ in likely[:self.size])
        return dict(enumerate(moves))

    def features(self, state: GameState, offered: dict[int, int]) -> NDArray[np.float32]:
        """Return the features of the moves offered, then rows of zeros; shape (size, move_features)."""
        table = np.zeros((self.size, self.move_features), dtype=np.float32)
        if offered:
            fill_moves(state, np.fromiter(offered.values(), dtype=np.uint64, count=len(offered)), table)
        return table


def choices_of(game: Game, actions: str, width: int | None) -> Choices:
    """Return the choices that a name stands for.

    Raises
    ------
    InvalidOption
        If there are none of that name, or the game numbers no moves.
    """
    if actions == CANDIDATES:
        return CandidateChoices(game, width)
    if actions != FIXED:
        raise InvalidOption(f"actions must be '{FIXED}' or '{CANDIDATES}', not {quoted(actions)}")
    if width is not None:
        raise InvalidOption(f"width goes with actions='{CANDIDATES}'; a fixed space has the size of the game's own")
    if game.actions is None:
        raise InvalidOption(f"{quoted(game.spec())} has no fixed numbers of actions; right would be "
                            f"actions='{CANDIDATES}'")
    return FixedChoices(game.actions)
