"""The interval of a mean over blocks, the only independent parts of a match."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RESAMPLES = 10_000


def interval(blocks: Sequence[float], seed: int) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the mean."""
    values = np.asarray(blocks)
    picks = np.random.default_rng(seed).integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.percentile(values[picks].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)
