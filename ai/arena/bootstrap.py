"""Intervals by resampling whole blocks, the only independent parts of a tournament.

A resample draws as many blocks as there are, with replacement (Efron, 1979). Every figure here is a ratio of two sums
over blocks, since an agent need not sit in every block; both sums are resampled.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RESAMPLES = 5_000
TAIL = 0.025                    # probability beyond each end of an interval
_Z = 1.959964                   # the corresponding quantile of the normal distribution
MOST_UNITS = 5_000
_DRAWS = 10_000_000             # approximate number of units drawn in all resamples
_HELD = 1_000_000               # numbers of a chunk in one array: 8 MB


def units(block: Ints, blocks: int) -> tuple[Ints, int]:
    """Return what to resample instead of blocks: the unit of each entry of `block`, and how many units there are.

    Up to 5,000 blocks these are the blocks. More blocks are grouped with their neighbours in the schedule, about
    equally many per unit: the units are as independent as blocks, and there are still plenty.
    """
    if blocks <= MOST_UNITS:
        return block, blocks
    return block * MOST_UNITS // blocks, MOST_UNITS


def resamples_for(count: int, wanted: int = RESAMPLES) -> int:
    """Return how many resamples of `count` units to take: from 2,000 units on fewer, but never below 2,000."""
    return min(wanted, _DRAWS // max(count, 1))


def tail(count: int) -> float:
    """Return the share of the resamples beyond each end of a 95 % interval over `count` units.

    It is below 2.5 %, because resamples of few units vary too little: they lack a factor of
    `sqrt(count / (count - 1))`, and a normal quantile stands in for one of Student's t (the expanded percentile
    interval of Hesterberg, 2015).
    """
    if count < 2:
        return TAIL
    free = count - 1
    student = (_Z + (_Z ** 3 + _Z) / (4 * free) + (5 * _Z ** 5 + 16 * _Z ** 3 + 3 * _Z) / (96 * free ** 2)
               + (3 * _Z ** 7 + 19 * _Z ** 5 + 17 * _Z ** 3 - 15 * _Z) / (384 * free ** 3))
    return 0.5 * math.erfc(math.sqrt(count / free) * student / math.sqrt(2))


def weights(count: int, seed: int, resamples: int, held: int = 0) -> Iterator[Floats]:
    """Draw resamples of `count` units, chunk by chunk.

    Parameters
    ----------
    count : int
        At least 1.
    seed : int
    resamples : int
        Total number of resamples.
    held : int
        Numbers that the caller keeps for each resample; chunks shrink accordingly.

    Yields
    ------
    array of shape (count, chunk)
        Number of times that each unit was drawn; every column sums to `count`.
    """
    rng = np.random.default_rng(seed)
    chunk = max(1, min(resamples, _HELD // max(count, held)))
    for start in range(0, resamples, chunk):
        size = min(chunk, resamples - start)
        drawn = rng.integers(count, size=(size, count))
        drawn *= size
        drawn += np.arange(size)[:, None]
        yield np.bincount(drawn.ravel(), minlength=count * size).reshape(count, size).astype(float)


@dataclass(frozen=True)
class Terms:
    """The terms that each unit adds to the numerator and denominator of each ratio.

    Attributes
    ----------
    count, units : int
        Number of ratios, and of units.
    ratio, unit : int arrays of shape (E,)
        Ratio and unit of each entry, sorted; each pair occurs at most once, and only if the unit adds to the ratio.
    above, below : float arrays of shape (E,)
    """

    count: int
    units: int
    ratio: Ints
    unit: Ints
    above: Floats
    below: Floats

    @classmethod
    def of(cls, count: int, blocks: int, ratio: Ints, block: Ints, above: Floats, below: Floats | None = None) -> Terms:
        """Sum entries given in any order, such as one per seat of each game.

        Parameters
        ----------
        count, blocks : int
        ratio, block : int arrays of shape (N,)
        above : float array of shape (N,)
        below : float array of shape (N,), optional
            Ones by default.
        """
        unit, number = units(block, blocks)
        seen, place = np.unique(ratio * max(number, 1) + unit, return_inverse=True)
        sums = [np.bincount(place, each, len(seen)).astype(float) for each in (above, below)]
        return cls(count, number, seen // max(number, 1), seen % max(number, 1), *sums)


@dataclass(frozen=True)
class Ratios:
    """Ratios with their resampling intervals; arrays of shape (count,).

    Attributes
    ----------
    value : float array
        Sum of numerators divided by sum of denominators; 0 where there are no blocks.
    low, high : float array
        Ends of the 95 % interval, within 0 and 1.
    error : float array
        Standard error, at least that of a single deviating block.
    agreed : bool array
        Whether all blocks agree, so that the interval does not come from resamples.
    """

    value: Floats
    low: Floats
    high: Floats
    error: Floats
    agreed: NDArray[np.bool_]


def ratios(terms: Terms, seed: int, resamples: int = RESAMPLES, bounds: tuple[float, float] = (0, 1)) -> Ratios:
    """Estimate shares with 95 % intervals: percentiles over resamples, see `tail`.

    If all blocks of a ratio agree, resampling is not informative. The interval then reaches to both sides as far as
    `1 - 0.025 ** (1 / blocks)`, the largest share of deviating blocks that such a sample would miss in one case out
    of 40.

    Parameters
    ----------
    terms : Terms
    seed : int
    resamples : int
        Largest number of resamples; see `resamples_for`.
    bounds : (float, float)
        Between which intervals stay.
    """
    count = terms.count
    value, low, high, error = np.zeros(count), np.zeros(count), np.ones(count), np.full(count, 0.5)
    ends = np.searchsorted(terms.ratio, np.arange(count + 1)).tolist()
    rows = [slice(*each) for each in itertools.pairwise(ends)]
    drawn: dict[int, list[Floats]] = {}
    for i, row in enumerate(rows):
        above, below = terms.above[row], terms.below[row]
        seen = len(below)
        if not seen:
            continue
        value[i] = above.sum() / below.sum()
        margin = 1 - TAIL ** (1 / seen)
        low[i], high[i], error[i] = value[i] - margin, value[i] + margin, 0.5 / seen
        if np.ptp(above / below) > 1e-12:
            drawn[i] = []
    if drawn:
        for weight in weights(terms.units, seed, resamples_for(terms.units, resamples)):
            for i, found in drawn.items():
                taken = weight[terms.unit[rows[i]]]
                # einsum: no threads, and the same sums on every machine
                above, below = (np.einsum("u,ur->r", each[rows[i]], taken) for each in (terms.above, terms.below))
                kept = below > 0                # otherwise none of its blocks was drawn: no ratio
                found.append(above[kept] / below[kept])
    for i, found in drawn.items():
        sample = np.concatenate(found)
        beyond = tail(ends[i + 1] - ends[i])
        low[i], high[i] = np.quantile(sample, [beyond, 1 - beyond])
        error[i] = max(float(sample.std()), error[i])
    agreed = np.array([i not in drawn for i in range(count)])
    return Ratios(value, np.clip(low, *bounds), np.clip(high, *bounds), error, agreed)


def fair_shares(terms: Terms, won: Ratios, seed: int, resamples: int = RESAMPLES) -> Ratios:
    """Estimate shares without luck, which may lie beyond 0 and 1.

    Where all blocks agree on the shares with luck, those without vary by luck alone, and resamples do not know of the
    other result that could have been: the interval then contains that of the shares with luck.

    Parameters
    ----------
    terms : Terms
        Of the shares without luck.
    won : Ratios
        The shares with luck.
    seed, resamples : int
        As of `ratios`.
    """
    fair = ratios(terms, seed, resamples, (-np.inf, np.inf))
    return replace(fair, low=np.where(won.agreed, np.minimum(fair.low, won.low), fair.low),
                   high=np.where(won.agreed, np.maximum(fair.high, won.high), fair.high))
