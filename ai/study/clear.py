"""When is the difference between two games clear: an interval that holds at whatever moment one looks.

A confidence sequence for a mean by Robbins' normal mixture, with the observed variance (Waudby-Smith and others, 2021,
arXiv 2103.06476): the true mean lies within all intervals, of any length of the series, in 95 % of all cases. So the
study may look as often as it likes, and stop at the first that leaves out 0.
"""

from __future__ import annotations

import math

import numpy as np

from sfida.ai.arena.bootstrap import Floats
from sfida.ai.arena.tally import Tally

FEWEST = 30             # blocks before which nothing is clear: the observed variance says little
ALPHA = 0.05
_TIGHTEST = 100         # blocks at which the interval is narrowest for what it promises


def first_shares(tally: Tally) -> Floats:
    """Return what the first seat won in each block beyond an even share, luck-adjusted if luck was measured.

    Blocks with forfeits are NaN: they do not count in a comparison.
    """
    fair = tally.adjusted() if tally.luck is not None else tally
    shares = fair.utility.reshape(tally.blocks, -1, tally.agent.shape[1])[:, :, 0]
    return np.where(tally.forfeited, np.nan, shares.mean(axis=1) - 1 / tally.agent.shape[1])


def is_clear(differences: Floats, comparisons: int = 1) -> bool:
    """Return whether the mean of differences, one for each block, is certainly not 0.

    Parameters
    ----------
    differences : float array of shape (blocks,)
        NaN: the block does not count.
    comparisons : int
        How many such questions are asked at once (Bonferroni).
    """
    differences = differences[~np.isnan(differences)]
    count = len(differences)
    if count < FEWEST:
        return False
    return abs(float(differences.mean())) > half_width(count, float(differences.std(ddof=1)), ALPHA / comparisons)


def half_width(count: int, deviation: float, alpha: float = ALPHA) -> float:
    """Return half the width of the interval after `count` blocks of the given standard deviation."""
    wanted = math.log(1 / alpha ** 2)
    mixing = (wanted + math.log(wanted) + 1) / _TIGHTEST
    spread = count * mixing + 1
    return deviation * math.sqrt(2 * spread / (count ** 2 * mixing) * math.log(math.sqrt(spread) / alpha))
