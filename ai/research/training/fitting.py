"""Fits a network to positions and priors to decisions, and converts both to whole numbers.

References
----------
D. P. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization" (ICLR 2015).
I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization" (ICLR 2019).

It is the network of `cython_ext.learned` before its weights become whole numbers. Inputs are the features as the
compiled network rounds them, so that only the weights differ.

The loss of priors is convex, so a few steps of Newton's method minimise it. They begin at the hand-written priors,
towards which the weights are drawn a little, and end when held-out games show no further progress.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.research.training.positions import Decisions, PositionSet
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.learned import Learned
from sfida.engines.untrusted import JsonData

# ---- The optimiser Adam, with decoupled weight decay

Floats = NDArray[np.float32]


class Adam:
    """Turns gradients into steps.

    Parameters
    ----------
    decay : float
        Share of a weight that every step takes off, times the rate.
    first, second : float
        Share of the running means of the gradient and of its square that every step keeps.
    """

    def __init__(self, decay: float = 0.0, first: float = 0.9, second: float = 0.999) -> None:
        self.decay = decay
        self.first = first
        self.second = second
        self._steps = 0
        self._means: list[Floats] = []
        self._squares: list[Floats] = []

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what it remembers by name, for `restore`."""
        return {"steps": np.array(self._steps),
                **{f"adam_mean{i}": mean for i, mean in enumerate(self._means)},
                **{f"adam_square{i}": square for i, square in enumerate(self._squares)}}

    def restore(self, held: Mapping[str, NDArray[Any]]) -> None:
        """Remember what `arrays` returned."""
        self._steps = int(held["steps"])
        self._means, self._squares = ([held[name] for name in sorted(held) if name.startswith(first)]
                                      for first in ("adam_mean", "adam_square"))

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


# ---- The fitted network in floating point: win shares from the features of all seats

STEPS = 256                     # whole steps of an input per standard deviation
LIMIT = 2047                    # most steps of an input
_DIGITS = 6                     # digits of means and gains, to keep files short


@dataclass(frozen=True)
class FeatureScale:
    """The conversion of features to inputs.

    Attributes
    ----------
    mean, gain : float64 array of shape (features,)
        An input has `gain` steps for each unit of the feature beyond `mean`; 0 for a constant feature.
    """

    mean: NDArray[np.float64]
    gain: NDArray[np.float64]

    @classmethod
    def of(cls, features: Floats) -> FeatureScale:
        """Return the scale on which the features of some positions have mean 0 and `STEPS` per standard deviation."""
        flat = features.reshape(-1, features.shape[-1]).astype(np.float64)
        deviation = flat.std(axis=0)
        varied = deviation > 1e-9 * (1.0 + np.abs(flat).max(axis=0))
        gain = np.where(varied, STEPS / np.where(varied, deviation, 1.0), 0.0)
        return cls(_short(flat.mean(axis=0)), _short(gain))

    def own(self, features: Floats) -> NDArray[np.float64]:
        """Return features of any shape as the compiled network rounds them, in standard deviations."""
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
            The seat's own inputs, then their sums over the other seats.
        """
        own = self.own(features)
        return np.concatenate([own, own.sum(axis=1, keepdims=True) - own], axis=2).astype(np.float32)


@dataclass(frozen=True)
class Network:
    """The weights of a network; `hidden` may be 0.

    Attributes
    ----------
    first : float array of shape (hidden, inputs)
    bias : float array of shape (hidden,)
    second : float array of shape (hidden,)
        From a hidden unit, whose value is within 0..1, to the output.
    direct : float array of shape (inputs,)
        From the inputs directly to the output.
    """

    first: Floats
    bias: Floats
    second: Floats
    direct: Floats

    @classmethod
    def fresh(cls, inputs: int, hidden: int, rng: np.random.Generator) -> Network:
        """Return a network that gives all seats equal shares, with different hidden units."""
        first = rng.normal(0.0, 0.5 / np.sqrt(max(inputs, 1)), (hidden, inputs))
        return cls(first.astype(np.float32), rng.uniform(0.2, 0.8, hidden).astype(np.float32),
                   np.zeros(hidden, np.float32), np.zeros(inputs, np.float32))

    def shares(self, inputs: Floats) -> Floats:
        """Return the win shares.

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
    """Return the mean cross entropy in nats, the measure of predictions; less is better."""
    return float(-(target * np.log(np.maximum(shares, 1e-6))).sum(axis=1).mean())


def _softmax(logits: Floats) -> Floats:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _short(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([float(f"{value:.{_DIGITS}g}") for value in values])


# ---- Fitting a network to positions; held-out games decide when to stop

HELD_OUT = 0.1                  # share of the games that is held out
FEWEST_GAMES = 4                # fewest games to learn from
_FEWEST_RATES = 6               # halvings of the rate before the fit ends
_PATIENCE = 2                   # epochs without progress before a halving


@dataclass(frozen=True)
class FitOptions:
    """Options of a fit.

    Attributes
    ----------
    hidden : int
        Hidden units; 0: the logits are linear.
    mix : float
        Share of the result in the target; the rest is the expectation of the search.
    rate, decay : float
        Rate of `Adam` at the start, and its decay.
    batch : int
        Positions per step.
    epochs : int
        Most passes through all positions.
    """

    hidden: int = 32
    mix: float = 0.5
    rate: float = 0.004
    decay: float = 0.001
    batch: int = 512
    epochs: int = 200


@dataclass(frozen=True)
class FitTask:
    """The input of a worker that fits a network: the parameters of `fit`."""

    positions: PositionSet
    options: FitOptions
    seed: int


@dataclass(frozen=True)
class Fit:
    """A fitted network.

    Attributes
    ----------
    network : Network
    scale : FeatureScale
    positions, held_out : int
        Numbers of positions learned from and held out.
    epochs : int
    loss : float
        Mean cross entropy of the target in the held-out games, in nats.
    result_loss, present_loss : float
        Mean cross entropy of the results of those games, by this network and by the game's previous evaluation; NaN if
        there was none.
    """

    network: Network
    scale: FeatureScale
    positions: int
    held_out: int
    epochs: int
    loss: float
    result_loss: float
    present_loss: float

    def to_json(self) -> dict[str, Any]:
        """Return the part of the output of ``sfida train --json`` that describes the fit."""
        return {"positions": self.positions, "held_out": self.held_out, "epochs": self.epochs, "loss": self.loss,
                "result_loss": self.result_loss,
                "present_loss": None if self.present_loss != self.present_loss else self.present_loss}


def held_out_games(games: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return a bool array of shape (games,): whether each game is held out.

    Raises
    ------
    InvalidRecord
        If there are fewer than `FEWEST_GAMES`.
    """
    if games < FEWEST_GAMES:
        raise InvalidRecord(f"{games} finished games are too few to learn from: at least {FEWEST_GAMES} are needed")
    chosen = np.zeros(games, bool)
    chosen[rng.permutation(games)[:max(1, round(HELD_OUT * games))]] = True
    return chosen


def fit(positions: PositionSet, options: FitOptions, seed: int) -> Fit:
    """Fit a network; the same positions, options and seed give the same one.

    Raises
    ------
    InvalidRecord
        If there are too few games.
    """
    rng = np.random.default_rng(seed)
    apart = held_out_games(positions.games, rng)[positions.game]
    learned, held = positions.take(~apart), positions.take(apart)
    scale = FeatureScale.of(learned.features)
    inputs, target = scale.inputs(learned.features), learned.target(options.mix)
    held_inputs, held_target = scale.inputs(held.features), held.target(options.mix)
    network, loss, epochs = _descend(inputs, target, held_inputs, held_target, options, rng)
    known = not np.isnan(held.present).any()
    return Fit(network, scale, len(learned), len(held), epochs, loss,
               cross_entropy(network.shares(held_inputs), held.result),
               cross_entropy(held.present, held.result) if known else float("nan"))


def fit_task(task: FitTask) -> Fit:
    """Return the fit of a task."""
    return fit(task.positions, task.options, task.seed)


def _descend(inputs: Floats, target: Floats, held_inputs: Floats, held_target: Floats, options: FitOptions,
             rng: np.random.Generator) -> tuple[Network, float, int]:
    """Return the best network for the held-out positions, its loss, and the number of epochs.

    Whenever some epochs bring no progress, the fit returns to the best network so far and halves the rate.
    """
    best = network = Network.fresh(inputs.shape[2], options.hidden, rng)
    least, rate, waited, halved, epoch = cross_entropy(best.shares(held_inputs), held_target), options.rate, 0, 0, 0
    adam = Adam(options.decay)
    while epoch < options.epochs and halved <= _FEWEST_RATES:
        epoch += 1
        order = rng.permutation(len(inputs))
        for first in range(0, len(order), options.batch):
            rows = order[first:first + options.batch]
            gradient = network.gradient(inputs[rows], target[rows])
            network = network.moved(adam.steps(network.arrays(), gradient.arrays(), rate))
        loss = cross_entropy(network.shares(held_inputs), held_target)
        if loss < least:
            best, least, waited = network, loss, 0
            continue
        waited += 1
        if waited == _PATIENCE:
            network, rate, waited, halved, adam = best, rate / 2, 0, halved + 1, Adam(options.decay)
    return best, least, epoch


# ---- Converting a fitted network to the whole numbers of `cython_ext.learned`, and checking the difference

MOST_ERROR = 0.02               # largest accepted difference of a win share
_ONE = 1024                     # scale of a hidden unit
_LARGEST_S1, _LARGEST_S2 = 16, 24
_QUANTISING_CHECKED = 4096                 # positions to compare at


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
    """Return arrays of weights as whole numbers, each times its factor and one power of 2; and the log of that power.

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
        Positions to compare at; a large number is thinned out evenly.
    """
    some = features[::-(-len(features) // _QUANTISING_CHECKED)].astype(np.float64)
    out = np.zeros(some.shape[:2])
    learned.shares(np.ascontiguousarray(some), out)
    return float(np.abs(out - found.network.shares(found.scale.inputs(some.astype(np.float32)))).max(initial=0.0))


def _whole(weights: NDArray[Any], factor: float) -> NDArray[np.int64]:
    return np.rint(weights.astype(np.float64) * factor).astype(np.int64)


# ---- Fitting priors of moves: a linear softmax over the moves of a decision, to the visit shares of a search

Reals = NDArray[np.float64]

_PULL = 1e-3            # pull towards the hand-written priors: nats per half the squared distance of the weights
_MOST_STEPS = 30
_LEAST_GAIN = 1e-6      # smallest gain of a step, in nats
_CHUNK = 4096           # decisions whose products are formed at once
_CHECKED = 500          # decisions to compare at


@dataclass(frozen=True)
class PriorTask:
    """The input of a worker that fits priors: the parameters of `fit_priors`."""

    decisions: Decisions
    seed: int


@dataclass(frozen=True)
class PriorFit(JsonData):
    """Fitted priors.

    Attributes
    ----------
    weight : float array of shape (features of a move,)
        Weight in the exponent, per standard deviation of a feature.
    scale : FeatureScale
        Scale of the features.
    decisions, held_out : int
        Numbers of decisions learned from and held out.
    steps : int
    loss, hand_loss : float
        Mean cross entropy of the visit shares in the held-out games, in nats: by these priors, and by the hand-written
        ones.
    """

    weight: Reals
    scale: FeatureScale
    decisions: int
    held_out: int
    steps: int
    loss: float
    hand_loss: float

    written = ("decisions", "held_out", "steps", "loss", "hand_loss")


def fit_priors(decisions: Decisions, seed: int) -> PriorFit:
    """Fit priors; the same decisions and seed give the same ones.

    Raises
    ------
    InvalidRecord
        If there are too few games.
    """
    apart = held_out_games(decisions.games, np.random.default_rng(seed))[decisions.game]
    learned, held = decisions.take(~apart), decisions.take(apart)
    if not len(learned) or not len(held):
        raise InvalidRecord("too few games have decisions to learn priors from: play more games")
    scale = FeatureScale.of(learned.features)
    inputs, held_inputs = scale.own(learned.features), scale.own(held.features)
    hand = by_hand(scale)
    best = weight = hand
    least, before, steps = _loss(held, held_inputs @ weight), np.inf, 0
    while steps < _MOST_STEPS:
        loss, gradient, hessian = _slopes(learned, inputs, weight, hand)
        if not loss < before - _LEAST_GAIN:
            break
        before, steps = loss, steps + 1
        step: Reals = np.linalg.solve(hessian, gradient).astype(np.float64)
        weight = _descended(learned, inputs, weight, hand, loss, step)
        found = _loss(held, held_inputs @ weight)
        if found >= least:
            break
        best, least = weight, found
    hand_loss = _loss(held, held.features[:, 0].astype(np.float64))
    return PriorFit(best, scale, len(learned), len(held), steps, least, hand_loss)


def fit_prior_task(task: PriorTask) -> PriorFit:
    """Return the fit of a task."""
    return fit_priors(task.decisions, task.seed)


def by_hand(scale: FeatureScale) -> Reals:
    """Return the weights of the hand-written priors: 1 for their logarithm, the first feature."""
    weight = np.zeros(len(scale.gain))
    if scale.gain[0]:
        weight[0] = STEPS / scale.gain[0]
    return weight


def quantised_priors(found: PriorFit) -> dict[str, Any]:
    """Return the priors as the part `moves` of a table for `Learned`; raises InvalidRecord if a weight is too large."""
    (weight,), shift = whole_weights([found.weight], [1.0 / STEPS])
    return {"mean": found.scale.mean.tolist(), "gain": found.scale.gain.tolist(), "W": weight.tolist(), "s": shift}


def largest_prior_error(learned: Learned, players: int, found: PriorFit, decisions: Decisions) -> float:
    """Return the largest difference between the quantised and the fitted priors, at some of the decisions."""
    worst = 0.0
    for i in range(0, len(decisions), -(-len(decisions) // _CHECKED)):
        x = decisions.features[decisions.first[i]:decisions.first[i + 1]]
        logits = found.scale.own(x) @ found.weight
        share = np.exp(logits - logits.max())
        whole = np.array(learned.priors(players, np.ascontiguousarray(x, np.float64)))
        worst = max(worst, float(np.abs(whole - share / share.sum()).max()))
    return worst


def _log_priors(first: NDArray[np.int64], logits: Reals) -> Reals:
    """Return the logarithms of the softmax over the moves of each decision."""
    counts = np.diff(first)
    logits = logits - np.repeat(np.maximum.reduceat(logits, first[:-1]), counts)
    found: Reals = logits - np.repeat(np.log(np.add.reduceat(np.exp(logits), first[:-1])), counts)
    return found


def _loss(decisions: Decisions, logits: Reals) -> float:
    """Return the mean cross entropy between the shares of visits and the softmax of `logits`, one per move."""
    logs = _log_priors(decisions.first, logits)
    return float(-(decisions.share * np.maximum(logs, -30.0)).sum() / len(decisions))


def _pulled(weight: Reals, hand: Reals) -> float:
    return float(_PULL / 2 * ((weight - hand) ** 2).sum())


def _slopes(decisions: Decisions, inputs: Reals, weight: Reals, hand: Reals) -> tuple[float, Reals, Reals]:
    """Return the loss including the pull, its gradient and its second derivatives."""
    logits = inputs @ weight
    gradient = _PULL * (weight - hand)
    hessian = _PULL * np.eye(len(weight))
    for start in range(0, len(decisions), _CHUNK):
        first = decisions.first[start:start + _CHUNK + 1]
        rows = slice(int(first[0]), int(first[-1]))
        first = first - first[0]
        x = inputs[rows]
        prior = np.exp(_log_priors(first, logits[rows]))
        weighed = x * prior[:, None]
        means = np.add.reduceat(weighed, first[:-1])
        gradient += (prior - decisions.share[rows]) @ x / len(decisions)
        hessian += (weighed.T @ x - means.T @ means) / len(decisions)
    return _loss(decisions, logits) + _pulled(weight, hand), gradient, hessian


def _descended(decisions: Decisions, inputs: Reals, weight: Reals, hand: Reals, loss: float, step: Reals) -> Reals:
    """Return the weights after a step, halved until the loss falls."""
    for _ in range(20):
        moved = weight - step
        if _loss(decisions, inputs @ moved) + _pulled(moved, hand) < loss:
            return moved
        step = step / 2
    return weight
