"""Turns a fitted network into the whole numbers of `cython_ext.learned`, and checks what that changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.training.fitting import Fit
from sfida.ai.training.network import LIMIT, STEPS, Floats
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.learned import Learned

MOST_ERROR = 0.02               # largest difference of a share of the win that is accepted
_ONE = 1024                     # of a hidden unit
_LARGEST_S1, _LARGEST_S2 = 16, 24
_CHECKED = 4096                 # positions


def quantised(found: Fit, players: int) -> dict[str, Any]:
    """Return the network as a table for `Learned`, with the finest steps whose sums fit.

    Raises
    ------
    InvalidRecord
        If a weight is too large for whole numbers.
    """
    network = found.network
    for s1 in range(_LARGEST_S1, -1, -1):
        first = _whole(network.first, 2.0 ** s1 * _ONE / STEPS)
        bias = _whole(network.bias, 2.0 ** s1 * _ONE) + (1 << s1 >> 1)      # the shift rounds down
        sums = np.abs(first).sum(axis=1) * (LIMIT * max(1, players - 1)) + np.abs(bias)
        if np.abs(first).max(initial=0) < 1 << 15 and sums.max(initial=0) < 1 << 31:
            break
    else:
        raise InvalidRecord("the weights of the network became too large: learn from more games")
    (second, direct), s2 = whole_weights([network.second, network.direct], [1.0 / _ONE, 1.0 / STEPS])
    return {"mean": found.scale.mean.tolist(), "gain": found.scale.gain.tolist(), "W1": first.tolist(),
            "b1": bias.tolist(), "s1": s1, "W2": second.tolist(), "L": direct.tolist(), "s2": s2}


def whole_weights(weights: Sequence[NDArray[Any]], factors: Sequence[float]) -> tuple[list[NDArray[np.int64]], int]:
    """Return arrays of weights, each times its factor and the same power of 2, as whole numbers; and that power's log.

    Raises
    ------
    InvalidRecord
        If a weight is too large for whole numbers.
    """
    for shift in range(_LARGEST_S2, -1, -1):
        found = [_whole(row, 2.0 ** shift * factor) for row, factor in zip(weights, factors, strict=True)]
        if max(np.abs(row).max(initial=0) for row in found) < 1 << 31:
            return found, shift
    raise InvalidRecord("the weights became too large: learn from more games")


def largest_error(learned: Learned, found: Fit, features: Floats) -> float:
    """Return the largest difference between the quantised and the fitted network.

    Parameters
    ----------
    learned : Learned
    found : Fit
    features : float array of shape (n, players, features)
        Positions to compare at; of many, some are taken evenly.
    """
    some = features[::-(-len(features) // _CHECKED)].astype(np.float64)
    out = np.zeros(some.shape[:2])
    learned.shares(np.ascontiguousarray(some), out)
    return float(np.abs(out - found.network.shares(found.scale.inputs(some.astype(np.float32)))).max(initial=0.0))


def _whole(weights: NDArray[Any], factor: float) -> NDArray[np.int64]:
    return np.rint(weights.astype(np.float64) * factor).astype(np.int64)
