"""Fits priors of moves: a linear softmax over the moves of a decision, to the shares of a search's visits.

The loss is convex, so a few steps of Newton's method find its least. They begin at the priors by hand, towards which
the weights are drawn a little, and end when games that are held out bring no progress any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.training.decisions import Decisions
from sfida.ai.training.fitting import held_out_games
from sfida.ai.training.network import STEPS, Scale
from sfida.ai.training.quantising import whole_weights
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.learned import Learned

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
