"""Fits a network to positions; games that are held out decide when to stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfida.ai.training.adam import Adam
from sfida.ai.training.network import Floats, Network, Scale, cross_entropy
from sfida.ai.training.positions import Positions
from sfida.cython_ext.errors import InvalidRecord

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
