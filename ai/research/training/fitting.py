"""Fits a network to positions and priors to decisions, and turns them into whole numbers.

The loss is convex, so a few steps of Newton's method find its least. They begin at the priors by hand, towards which
the weights are drawn a little, and end when games that are held out bring no progress any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.research.training.network import LIMIT, STEPS, Adam, Floats, Network, Scale, cross_entropy
from sfida.ai.research.training.positions import Decisions, Positions
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.learned import Learned

# ---- Fits a network to positions; games that are held out decide when to stop

HELD_OUT = 0.1                  # share of the games
FEWEST_GAMES = 4                # to learn from
_FEWEST_RATES = 6               # how often the rate is halved before the fit ends
_PATIENCE = 2                   # epochs without progress after which it is halved


@dataclass(frozen=True)
class FitOptions:
    """How a network is fitted.

    Attributes
    ----------
    hidden : int
        Hidden units; 0: the logits are linear.
    mix : float
        Share of the result in what is learnt; the rest is what the search expected.
    rate, decay : float
        Of `Adam`; the rate at the start.
    batch : int
        Positions of a step.
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
    """What a worker needs to fit a network: the parameters of `fit`."""

    positions: Positions
    options: FitOptions
    seed: int


@dataclass(frozen=True)
class Fit:
    """A fitted network.

    Attributes
    ----------
    network : Network
    scale : Scale
    positions, held_out : int
        Numbers of positions learnt from and held out.
    epochs : int
    loss : float
        Mean cross entropy of what was to be learnt in the games held out, in nats.
    result_loss, present_loss : float
        The same of the results of those games, by this network and by the evaluation that the game had; NaN if it had
        none.
    """

    network: Network
    scale: Scale
    positions: int
    held_out: int
    epochs: int
    loss: float
    result_loss: float
    present_loss: float

    def to_json(self) -> dict[str, Any]:
        """Return what ``sfida train --json`` tells of it."""
        return {"positions": self.positions, "held_out": self.held_out, "epochs": self.epochs, "loss": self.loss,
                "result_loss": self.result_loss,
                "present_loss": None if self.present_loss != self.present_loss else self.present_loss}


def held_out_games(games: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which games are held out, as a bool array of shape (games,).

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


def fit(positions: Positions, options: FitOptions, seed: int) -> Fit:
    """Fit a network; the same positions, options and seed give the same one.

    Raises
    ------
    InvalidRecord
        If there are too few games.
    """
    rng = np.random.default_rng(seed)
    apart = held_out_games(positions.games, rng)[positions.game]
    learnt, held = positions.take(~apart), positions.take(apart)
    scale = Scale.of(learnt.features)
    inputs, target = scale.inputs(learnt.features), learnt.target(options.mix)
    held_inputs, held_target = scale.inputs(held.features), held.target(options.mix)
    network, loss, epochs = _descend(inputs, target, held_inputs, held_target, options, rng)
    known = not np.isnan(held.present).any()
    return Fit(network, scale, len(learnt), len(held), epochs, loss,
               cross_entropy(network.shares(held_inputs), held.result),
               cross_entropy(held.present, held.result) if known else float("nan"))


def fit_task(task: FitTask) -> Fit:
    """Return the fit of a task."""
    return fit(task.positions, task.options, task.seed)


def _descend(inputs: Floats, target: Floats, held_inputs: Floats, held_target: Floats, options: FitOptions,
             rng: np.random.Generator) -> tuple[Network, float, int]:
    """Return the best network for the positions held out, its loss, and the number of epochs.

    Whenever some epochs bring no progress, the best one so far is taken up again with half the rate.
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


# ---- Turns a fitted network into the whole numbers of `cython_ext.learned`, and checks what that changes

MOST_ERROR = 0.02               # largest difference of a share of the win that is accepted
_ONE = 1024                     # of a hidden unit
_LARGEST_S1, _LARGEST_S2 = 16, 24
_QUANTISING_CHECKED = 4096                 # positions


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
    some = features[::-(-len(features) // _QUANTISING_CHECKED)].astype(np.float64)
    out = np.zeros(some.shape[:2])
    learned.shares(np.ascontiguousarray(some), out)
    return float(np.abs(out - found.network.shares(found.scale.inputs(some.astype(np.float32)))).max(initial=0.0))


def _whole(weights: NDArray[Any], factor: float) -> NDArray[np.int64]:
    return np.rint(weights.astype(np.float64) * factor).astype(np.int64)


# ---- Fits priors of moves: a linear softmax over the moves of a decision, to the shares of a search's visits

Reals = NDArray[np.float64]

_PULL = 1e-3            # towards the priors by hand: of half the squared distance of the weights, in nats
_MOST_STEPS = 30
_LEAST_GAIN = 1e-6      # of a step, in nats, below which the fit ends
_CHUNK = 4096           # decisions whose products are formed at a time
_CHECKED = 500          # decisions


@dataclass(frozen=True)
class PriorTask:
    """What a worker needs to fit priors: the parameters of `fit_priors`."""

    decisions: Decisions
    seed: int


@dataclass(frozen=True)
class PriorFit:
    """Fitted priors.

    Attributes
    ----------
    weight : float array of shape (features of a move,)
        In the exponent, for each standard deviation of a feature.
    scale : Scale
        Of the features.
    decisions, held_out : int
        Numbers of decisions learnt from and held out.
    steps : int
    loss, hand_loss : float
        Mean cross entropy of the shares of visits in the games held out, in nats: by these priors, and by those made by
        hand.
    """

    weight: Reals
    scale: Scale
    decisions: int
    held_out: int
    steps: int
    loss: float
    hand_loss: float

    def to_json(self) -> dict[str, Any]:
        """Return what ``sfida train --json`` tells of it."""
        return {"decisions": self.decisions, "held_out": self.held_out, "steps": self.steps, "loss": self.loss,
                "hand_loss": self.hand_loss}


def fit_priors(decisions: Decisions, seed: int) -> PriorFit:
    """Fit priors; the same decisions and seed give the same ones.

    Raises
    ------
    InvalidRecord
        If there are too few games.
    """
    apart = held_out_games(decisions.games, np.random.default_rng(seed))[decisions.game]
    learnt, held = decisions.take(~apart), decisions.take(apart)
    if not len(learnt) or not len(held):
        raise InvalidRecord("too few games have decisions to learn priors from: play more games")
    scale = Scale.of(learnt.features)
    inputs, held_inputs = scale.own(learnt.features), scale.own(held.features)
    hand = by_hand(scale)
    best = weight = hand
    least, before, steps = _loss(held, held_inputs @ weight), np.inf, 0
    while steps < _MOST_STEPS:
        loss, gradient, hessian = _slopes(learnt, inputs, weight, hand)
        if not loss < before - _LEAST_GAIN:
            break
        before, steps = loss, steps + 1
        step: Reals = np.linalg.solve(hessian, gradient).astype(np.float64)
        weight = _descended(learnt, inputs, weight, hand, loss, step)
        found = _loss(held, held_inputs @ weight)
        if found >= least:
            break
        best, least = weight, found
    hand_loss = _loss(held, held.features[:, 0].astype(np.float64))
    return PriorFit(best, scale, len(learnt), len(held), steps, least, hand_loss)


def fit_prior_task(task: PriorTask) -> PriorFit:
    """Return the fit of a task."""
    return fit_priors(task.decisions, task.seed)


def by_hand(scale: Scale) -> Reals:
    """Return the weights of the priors by hand: 1 for their logarithm, the first feature."""
    weight = np.zeros(len(scale.gain))
    if scale.gain[0]:
        weight[0] = STEPS / scale.gain[0]
    return weight


def quantised_priors(found: PriorFit) -> dict[str, Any]:
    """Return the priors as the part `moves` of a table for `Learned`; raises InvalidRecord if a weight is too large."""
    (weight,), shift = whole_weights([found.weight], [1.0 / STEPS])
    return {"mean": found.scale.mean.tolist(), "gain": found.scale.gain.tolist(), "W": weight.tolist(), "s": shift}


def largest_prior_error(learned: Learned, players: int, found: PriorFit, decisions: Decisions) -> float:
    """Return the largest difference of a prior between the quantised and the fitted ones, at some of the decisions."""
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
    """Return the loss with the pull, its gradient and its second derivatives."""
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
