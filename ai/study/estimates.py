"""Figures with 95 % intervals by resampling whole blocks; differences keep what the resamples have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sfida.ai.arena.bootstrap import Floats, resamples_for, tail, weights

RESAMPLES = 2_000
_DIGITS = 9             # digits kept, as in the table of a tournament

Figures = dict[str, Floats]


@dataclass(frozen=True)
class Estimate:
    """A figure.

    Attributes
    ----------
    value : float
        NaN where it is not defined.
    low, high : float
        Ends of the 95 % interval.
    blocks : int
    sample : float array of shape (resamples,)
    """

    value: float
    low: float
    high: float
    blocks: int
    sample: Floats = field(repr=False, compare=False)

    def __sub__(self, other: Estimate) -> Estimate:
        """Return the difference. Resamples of as many blocks take the same blocks, so common luck cancels out."""
        count = min(len(self.sample), len(other.sample))
        return estimate(self.value - other.value, self.sample[:count] - other.sample[:count],
                        min(self.blocks, other.blocks))

    @property
    def clear(self) -> bool:
        """Whether 0 lies outside the interval."""
        return self.low > 0 or self.high < 0

    def to_json(self) -> dict[str, Any] | None:
        """Return a JSON-able dict; None if the figure is not defined."""
        if not np.isfinite(self.value):
            return None
        return {"value": round(self.value, _DIGITS), "ci95": [round(self.low, _DIGITS), round(self.high, _DIGITS)]}


def estimate(value: float, sample: Floats, blocks: int) -> Estimate:
    """Return a figure whose interval lies between percentiles of its resamples; see `bootstrap.tail`."""
    found = sample[np.isfinite(sample)]
    if not np.isfinite(value) or not len(found) or blocks < 2:
        return Estimate(float(value), float("-inf"), float("inf"), blocks, sample)
    beyond = tail(blocks)
    low, high = np.quantile(found, [beyond, 1 - beyond])
    return Estimate(float(value), float(min(low, value)), float(max(high, value)), blocks, sample)


def estimates(figures: Callable[[Floats, bool], Figures], blocks: int, seed: int,
              resamples: int = RESAMPLES) -> dict[str, Estimate]:
    """Return figures with their intervals.

    Parameters
    ----------
    figures : callable
        Takes how often each block counts, of shape (blocks, R), and whether that is a resample; returns arrays of
        shape (R,) by name.
    blocks : int
    seed : int
    resamples : int
        Largest number of resamples.
    """
    values = figures(np.ones((blocks, 1)), False)
    found = [figures(drawn, True) for drawn in weights(blocks, seed, resamples_for(blocks, resamples))]
    return {name: estimate(float(value[0]), np.concatenate([one[name] for one in found]), blocks)
            for name, value in values.items()}
