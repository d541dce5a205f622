"""What the results of all trials say about a point together: a Gaussian process over the parameters.

A single trial has few games, and the best of many trials was mostly lucky. Neighbours in the space play alike, so
each estimate borrows from them (Rasmussen and Williams, 2006, chapters 2 and 5). How far, and how much the parameters
matter at all, is not known: the estimates are means over several answers, weighted by how well they foretell the
results.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfida.ai.arena.bootstrap import Floats

_LENGTHS = (0.2, 0.4, 0.8, 1.6)         # distance over which results differ; a range has length 1
_SPREADS = (0.005, 0.02, 0.05, 0.1, 0.2)    # how much results differ, in shares of the win
_LEVEL = 0.3                            # how far the mean of all may lie from an even share
_Z = 1.959964


@dataclass(frozen=True)
class Estimates:
    """Estimates with their standard errors and 95 % intervals; arrays of shape (n,), in shares of the win."""

    mean: Floats
    error: Floats

    @property
    def low(self) -> Floats:
        """Lower ends of the intervals."""
        return np.asarray(self.mean - _Z * self.error, float)

    @property
    def high(self) -> Floats:
        """Upper ends of the intervals."""
        return np.asarray(self.mean + _Z * self.error, float)


class Model:
    """The results of trials.

    Parameters
    ----------
    places : float array of shape (trials, coordinates)
    shares : float array of shape (trials,)
        Share of the win.
    errors : float array of shape (trials,)
        Its standard error.
    even : float
        Share of an average agent.
    """

    def __init__(self, places: Floats, shares: Floats, errors: Floats, even: float) -> None:
        self._places, self._even = places, even
        found, weights = [], []
        for length in _LENGTHS:
            for spread in _SPREADS:
                within = _kernel(places, places, length, spread) + np.diag(errors ** 2)
                root = np.linalg.cholesky(within)
                half = np.linalg.solve(root, shares - even)
                found.append((length, spread, root, half))
                weights.append(-0.5 * float(half @ half) - float(np.log(np.diag(root)).sum()))
        likely = np.exp(np.array(weights) - max(weights))
        self._answers = [(weight, *answer) for weight, answer in zip(likely / likely.sum(), found, strict=True)]

    def at(self, places: Floats) -> Estimates:
        """Return the share of the win at each place."""
        return self._mixed(places, None)

    def sums(self, places: Floats, factors: Floats) -> Estimates:
        """Return weighted sums of shares beyond an even one; `factors` has one row for each sum."""
        return self._mixed(places, factors)

    def _mixed(self, places: Floats, factors: Floats | None) -> Estimates:
        means, variances, weights = [], [], []
        for weight, length, spread, root, half in self._answers:
            across = np.linalg.solve(root, _kernel(self._places, places, length, spread))
            mean = across.T @ half
            if factors is None:
                means.append(self._even + mean)
                variances.append(spread ** 2 + _LEVEL ** 2 - (across ** 2).sum(axis=0))
            else:
                left = _kernel(places, places, length, spread) - across.T @ across
                means.append(factors @ mean)
                variances.append(np.einsum("qa,ab,qb->q", factors, left, factors))
            weights.append(weight)
        each, share = np.array(means), np.array(weights)
        mean = share @ each
        variance = share @ (np.maximum(variances, 0.0) + (each - mean) ** 2)
        return Estimates(mean, np.sqrt(variance))


def _kernel(a: Floats, b: Floats, length: float, spread: float) -> Floats:
    apart = ((a[:, None] - b[None]) ** 2).sum(axis=2)
    return np.asarray(spread ** 2 * np.exp(-0.5 * apart / length ** 2) + _LEVEL ** 2, float)
