"""The optimiser Adam, with decoupled weight decay.

References
----------
D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (ICLR 2015).
I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization" (ICLR 2019).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Adam:
    """Turns gradients into steps.

    Parameters
    ----------
    decay : float
        Share of a weight that is taken off at every step, times the rate.
    first, second : float
        How much of the running means of the gradient and of its square is kept at every step.
    """

    def __init__(self, decay: float = 0.0, first: float = 0.9, second: float = 0.999) -> None:
        self.decay = decay
        self.first = first
        self.second = second
        self._steps = 0
        self._means: list[Floats] = []
        self._squares: list[Floats] = []

    def steps(self, weights: Sequence[Floats], gradients: Sequence[Floats], rate: float) -> list[Floats]:
        """Return the step of each array of weights.

        Parameters
        ----------
        weights, gradients : sequence of float array
            The same number and shapes at every call.
        rate : float
        """
        if not self._means:
            self._means = [np.zeros_like(weight) for weight in weights]
            self._squares = [np.zeros_like(weight) for weight in weights]
        self._steps += 1
        unbiased = np.float32(rate * np.sqrt(1 - self.second ** self._steps) / (1 - self.first ** self._steps))
        found = []
        for weight, gradient, mean, square in zip(weights, gradients, self._means, self._squares, strict=True):
            mean += np.float32(1 - self.first) * (gradient - mean)
            square += np.float32(1 - self.second) * (gradient * gradient - square)
            found.append(-unbiased * mean / (np.sqrt(square) + np.float32(1e-8))
                         - np.float32(rate * self.decay) * weight)
        return found
