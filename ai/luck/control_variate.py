"""Luck-adjusted results: the share of the measured luck to subtract.

Subtracting any multiple of the luck leaves the mean unchanged, if the factor was known before the chance events. The
best factor depends on the players: it is nearly 0 if the better agent always wins, and smaller than 1 if the value
function claims more than it knows. So it is estimated from other games: those of other blocks, or of earlier ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 10              # groups of blocks; the factor of each is estimated from the others
_GUESSED = 20           # weight, in blocks, of the first guess, a factor of 1
_LARGEST = 1.5          # largest factor
_NOTHING = 1e-12        # sum of squares that rounding leaves if no luck was measured


def block_sums(agent: Ints, share: Floats, luck: Floats, block: Ints, agents: int) -> Floats:
    """Return the data for the estimate of a factor: sums over the games of each block.

    Parameters
    ----------
    agent, share, luck : arrays of shape (games, seats)
    block : int array of shape (games,)
        Row of each game's block, from 0.
    agents : int

    Returns
    -------
    float array of shape (3, blocks, agents)
        Seats, win shares, and luck.
    """
    blocks = int(block.max(initial=-1)) + 1
    place = (block[:, None] * agents + agent).ravel()
    return np.array([np.bincount(place, values.ravel(), blocks * agents).reshape(blocks, agents)
                     for values in (np.ones(share.shape), share, luck)])


class Factor:
    """The factor of the luck that removes most of the variance between the blocks that were added.

    Games of a block share their luck, part of which the rotation of the seats already removes; so blocks count, not
    games.

    Parameters
    ----------
    agents : int
        Number of agents.
    """

    def __init__(self, agents: int) -> None:
        self._blocks = 0
        self._sums = np.zeros((5, agents))      # seats, shares, seats times luck, shares times luck, luck squared

    def add(self, sums: Floats, sign: int = 1) -> None:
        """Add the `block_sums` of some blocks, or remove them with a sign of -1."""
        seats, share, luck = sums
        self._blocks += sign * sums.shape[1]
        self._sums += sign * np.array([seats, share, seats * luck, share * luck, luck * luck]).sum(axis=1)

    @property
    def value(self) -> float:
        """The factor, 0 to 1.5; 1 before the first block."""
        seats, share, weighted, products, squares = self._sums
        if squares.sum() <= _NOTHING or self._blocks <= 0:
            return 1.0
        together = (products - share / np.maximum(seats, 1) * weighted).sum()
        guess = squares.sum() * _GUESSED / self._blocks
        return float(np.clip((together + guess) / (squares.sum() + guess), 0.0, _LARGEST))


def without_luck(agent: Ints, share: Floats, luck: Floats, block: Ints, blocks: int) -> Floats:
    """Return the luck-adjusted win shares of all games; each block's factor comes from the other folds.

    Parameters
    ----------
    agent, share, luck : arrays of shape (games, seats)
    block : int array of shape (games,)
        Ascending, from 0.
    blocks : int

    Returns
    -------
    float array of shape (games, seats)
        Adjusted shares; their mean over the luck is that of `share`.
    """
    agents = int(agent.max(initial=-1)) + 1
    sums, fold = block_sums(agent, share, luck, block, agents), np.arange(blocks) % FOLDS
    factor, taken = Factor(agents), np.zeros(blocks)
    factor.add(sums)
    for number in range(min(FOLDS, blocks)):
        own = sums[:, fold == number]
        factor.add(own, -1)
        taken[fold == number] = factor.value
        factor.add(own)
    fair: Floats = share - taken[block][:, None] * luck
    return fair


def in_order(agent: Ints, share: Floats, luck: Floats, block: Ints, agents: int) -> Floats:
    """Return the luck-adjusted win shares of all games; each block's factor comes from the blocks before it.

    Parameters
    ----------
    agent, share, luck, block : arrays
        As for `without_luck`; a sequential test needs factors that later games do not change.
    agents : int
    """
    sums = block_sums(agent, share, luck, block, agents)
    factor, taken = Factor(agents), np.zeros(sums.shape[1])
    for number in range(len(taken)):
        taken[number] = factor.value
        factor.add(sums[:, number:number + 1])
    fair: Floats = share - taken[block][:, None] * luck
    return fair
