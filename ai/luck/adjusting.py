"""Results without luck: how much of the measured luck to take off.

Taking off any multiple of the luck leaves the mean as it is, if the factor was known before the luck fell. The best
factor depends on who plays: it is nearly 0 where the better agent always wins, and smaller than 1 where the value
function says more than it knows. So it is estimated from other games: those of other blocks, or of earlier ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 10              # groups of blocks; the factor of each comes from the others
_GUESSED = 20           # blocks that the first guess, a factor of 1, counts as much as
_LARGEST = 1.5          # factor


class Factor:
    """The factor of the luck that takes away most variance, by the games that were added.

    Parameters
    ----------
    agents : int
        Number of agents.
    """

    def __init__(self, agents: int) -> None:
        self._agents = agents
        self._blocks = 0.0
        self._sums = np.zeros((5, agents))          # seats, shares, luck, share times luck, luck squared

    def add(self, agent: Ints, share: Floats, luck: Floats, blocks: int, sign: int = 1) -> None:
        """Add the games of some blocks, or with a sign of -1 take them out again.

        Parameters
        ----------
        agent, share, luck : arrays of shape (games, seats)
        blocks : int
            How many blocks they are.
        sign : int
        """
        own = agent.ravel()
        for row, values in enumerate((np.ones(share.shape), share, luck, share * luck, luck * luck)):
            self._sums[row] += sign * np.bincount(own, values.ravel(), self._agents)
        self._blocks += sign * blocks

    @property
    def value(self) -> float:
        """The factor, 0 to 1.5; 1 before the first block."""
        seats, shares, luck, products, squares = self._sums
        if squares.sum() <= 0 or self._blocks <= 0:
            return 1.0
        together = products.sum() - (shares * luck / np.maximum(seats, 1)).sum()
        guess = squares.sum() * _GUESSED / self._blocks
        return float(np.clip((together + guess) / (squares.sum() + guess), 0.0, _LARGEST))


def without_luck(agent: Ints, share: Floats, luck: Floats, block: Ints, blocks: int) -> Floats:
    """Return the shares of the win of all games without luck; each block's factor comes from the other folds.

    Parameters
    ----------
    agent, share, luck : arrays of shape (games, seats)
    block : int array of shape (games,)
        Ascending.
    blocks : int

    Returns
    -------
    float array of shape (games, seats)
        Its mean over the luck is that of `share`.
    """
    agents = int(agent.max(initial=-1)) + 1
    fold = block % min(FOLDS, max(blocks, 1))
    factor = Factor(agents)
    factor.add(agent, share, luck, blocks)
    fair = share.copy()
    for number in range(int(fold.max(initial=-1)) + 1):
        own = fold == number
        count = len(np.unique(block[own]))
        factor.add(agent[own], share[own], luck[own], count, -1)
        fair[own] -= factor.value * luck[own]
        factor.add(agent[own], share[own], luck[own], count)
    return fair


def in_order(agent: Ints, share: Floats, luck: Floats, block: Ints, agents: int) -> Floats:
    """Return the shares of the win of all games without luck; each block's factor comes from the blocks before it.

    Parameters
    ----------
    agent, share, luck, block : arrays
        As of `without_luck`; a sequential test needs factors that later games do not change.
    agents : int
    """
    factor, fair = Factor(agents), share.copy()
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    for first, last in zip(starts, [*starts[1:], len(block)], strict=True):
        own = slice(first, last)
        fair[own] -= factor.value * luck[own]
        factor.add(agent[own], share[own], luck[own], 1)
    return fair
