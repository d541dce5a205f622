"""Weighted samples: effective size and low-variance resampling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]


def effective_size(weights: Weights) -> float:
    """Return the effective number of equally weighted samples, ``(sum w)**2 / sum w**2``; 0 if there are none.

    Parameters
    ----------
    weights : ndarray, shape (n,)
        0 or more; they need not sum to 1.

    References
    ----------
    A. Kong, J. S. Liu, W. H. Wong, "Sequential imputations and Bayesian missing data problems" (1994).
    """
    largest = float(weights.max(initial=0.0))
    if largest <= 0.0:
        return 0.0
    scaled = weights / largest
    return float(scaled.sum() ** 2 / np.square(scaled).sum())


def systematic(weights: Weights, count: int, start: float) -> NDArray[np.intp]:
    """Draw indices in proportion to their weights, each ``floor`` or ``ceil`` of its expected number of times.

    Parameters
    ----------
    weights : ndarray, shape (n,)
        0 or more, at least one positive; without any if no index is drawn.
    count : int
        Number of indices to draw, 0 or more.
    start : float
        Uniform random number in [0, 1).

    Returns
    -------
    ndarray of int, shape (count,)
        Ascending.

    References
    ----------
    Systematic resampling: G. Kitagawa, "Monte Carlo filter and smoother for non-Gaussian nonlinear state space
    models" (1996).
    """
    if count == 0:
        return np.empty(0, dtype=np.intp)
    edges = np.cumsum(weights)
    places = (np.arange(count) + start) * (edges[-1] / count)
    last = int(np.flatnonzero(weights)[-1])         # rounding may put the last place at the very end
    found: NDArray[np.intp] = np.searchsorted(edges, places, side="right")
    return np.minimum(found, last, out=found)


def pick(edges: Weights, place: float) -> int:
    """Return the index whose interval of the cumulative shares `edges` (the last is 1) holds a place in [0, 1)."""
    return min(int(np.searchsorted(edges, place, side="right")), len(edges) - 1)
