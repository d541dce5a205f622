"""The network in floating point, and Adam, the optimiser that fits it.

References
----------
D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (ICLR 2015).
I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization" (ICLR 2019).

It is the network of `cython_ext.learned` before its weights become whole numbers. Inputs are the features as the
compiled network rounds them, so that nothing but the weights differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

# ---- The optimiser Adam, with decoupled weight decay

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


# ---- The network in floating point, as it is fitted: shares of the win from the features of all seats

STEPS = 256                     # whole steps of an input per standard deviation
LIMIT = 2047                    # most steps
_DIGITS = 6                     # of means and gains, so that files are short


@dataclass(frozen=True)
class Scale:
    """How features become inputs.

    Attributes
    ----------
    mean, gain : float64 array of shape (features,)
        An input has `gain` steps for each unit of the feature beyond `mean`; 0 for a feature that is always the same.
    """

    mean: NDArray[np.float64]
    gain: NDArray[np.float64]

    @classmethod
    def of(cls, features: Floats) -> Scale:
        """Return the scale by which the features of some positions have mean 0 and `STEPS` per standard deviation."""
        flat = features.reshape(-1, features.shape[-1]).astype(np.float64)
        deviation = flat.std(axis=0)
        varied = deviation > 1e-9 * (1.0 + np.abs(flat).max(axis=0))
        gain = np.where(varied, STEPS / np.where(varied, deviation, 1.0), 0.0)
        return cls(_short(flat.mean(axis=0)), _short(gain))

    def own(self, features: Floats) -> NDArray[np.float64]:
        """Return the features as the compiled network rounds them, in standard deviations; of any shape."""
        own = np.floor((features.astype(np.float64) - self.mean) * self.gain + 0.5)
        return np.clip(own, -LIMIT, LIMIT) / STEPS

    def inputs(self, features: Floats) -> Floats:
        """Return the inputs of the network, in standard deviations.

        Parameters
        ----------
        features : float array of shape (n, players, features)

        Returns
        -------
        float array of shape (n, players, 2 * features)
            Of the seat itself, then summed over the other seats.
        """
        own = self.own(features)
        return np.concatenate([own, own.sum(axis=1, keepdims=True) - own], axis=2).astype(np.float32)


@dataclass(frozen=True)
class Network:
    """Weights; `hidden` units may be none.

    Attributes
    ----------
    first : float array of shape (hidden, inputs)
    bias : float array of shape (hidden,)
    second : float array of shape (hidden,)
        From a hidden unit, which is within 0..1, to the output.
    direct : float array of shape (inputs,)
        From the inputs to the output.
    """

    first: Floats
    bias: Floats
    second: Floats
    direct: Floats

    @classmethod
    def fresh(cls, inputs: int, hidden: int, rng: np.random.Generator) -> Network:
        """Return a network that calls all seats equal, with different hidden units."""
        first = rng.normal(0.0, 0.5 / np.sqrt(max(inputs, 1)), (hidden, inputs))
        return cls(first.astype(np.float32), rng.uniform(0.2, 0.8, hidden).astype(np.float32),
                   np.zeros(hidden, np.float32), np.zeros(inputs, np.float32))

    def shares(self, inputs: Floats) -> Floats:
        """Return the shares of the win.

        Parameters
        ----------
        inputs : float array of shape (n, players, inputs)

        Returns
        -------
        float array of shape (n, players)
        """
        return _softmax(self._forward(inputs)[1])

    def gradient(self, inputs: Floats, target: Floats) -> Network:
        """Return the gradient of the mean cross entropy between the target and the shares."""
        hidden, logits = self._forward(inputs)
        error = (_softmax(logits) - target) / np.float32(len(inputs))
        back = error[..., None] * self.second * ((hidden > 0) & (hidden < 1))
        seats = inputs.reshape(-1, inputs.shape[-1])
        flat: Floats = back.reshape(len(seats), len(self.bias))
        return Network(flat.T @ seats, flat.sum(axis=0), hidden.reshape(flat.shape).T @ error.ravel(),
                       seats.T @ error.ravel())

    def _forward(self, inputs: Floats) -> tuple[Floats, Floats]:
        hidden = np.clip(inputs @ self.first.T + self.bias, 0.0, 1.0)
        return hidden, hidden @ self.second + inputs @ self.direct

    def arrays(self) -> list[Floats]:
        """Return all weights."""
        return [getattr(self, field.name) for field in fields(self)]

    def moved(self, steps: list[Floats]) -> Network:
        """Return the network after a step of all weights."""
        return replace(self, **{field.name: getattr(self, field.name) + step
                                for field, step in zip(fields(self), steps, strict=True)})


def cross_entropy(shares: Floats, target: Floats) -> float:
    """Return the mean cross entropy in nats: what predictions are judged by, less is better."""
    return float(-(target * np.log(np.maximum(shares, 1e-6))).sum(axis=1).mean())


def _softmax(logits: Floats) -> Floats:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _short(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([float(f"{value:.{_DIGITS}g}") for value in values])
