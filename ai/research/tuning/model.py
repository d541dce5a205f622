"""Estimates from the results of all trials: the share of a point, the effect of each value, and the next values to try.

A single trial has few games, and the best of many trials was mostly lucky. Neighbours in the space play alike, so each
estimate borrows from them (Rasmussen and Williams, 2006, chapters 2 and 5). The distance over which they are alike, and
the size of the parameters' effects, are not known: the estimates are means over several assumptions, weighted by how
well they predict the results.

The next values depend only on the seed and those trials, so an interrupted tuning continues as if nothing had
happened.

References
----------
J. Bergstra, R. Bardenet, Y. Bengio, B. Kégl (2011). Algorithms for hyper-parameter optimization. NeurIPS.
T. Akiba and others (2019). Optuna: a next-generation hyperparameter optimization framework. KDD.
"""

from __future__ import annotations

import importlib.metadata
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfida.ai.arena.bootstrap import Floats
from sfida.ai.research.tuning.space import Parameter, Space, Values
from sfida.cython_ext.errors import SfidaError

# ---- The estimate of a point from the results of all trials: a Gaussian process over the parameters

_LENGTHS = (0.2, 0.4, 0.8, 1.6)         # distance over which results differ; a range has length 1
_SPREADS = (0.005, 0.02, 0.05, 0.1, 0.2)    # size of the differences between results, in win shares
_LEVEL = 0.3                            # standard deviation of the mean of all around an even share
_Z = 1.959964


@dataclass(frozen=True)
class Estimates:
    """Estimates with their standard errors and 95 % intervals; arrays of shape (n,), in win shares."""

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
        Win share.
    errors : float array of shape (trials,)
        Standard error of the share.
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
        """Return the win share at each place."""
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


# ---- The effect of each value of a parameter: its mean over settings of the other parameters

_OTHERS = 64            # settings of the other parameters over which an effect is averaged


@dataclass(frozen=True)
class OptionEffect:
    """The effect of a value: its win share beyond the mean over the listed values of its parameter.

    Attributes
    ----------
    name : str
        Name of the parameter.
    value : object
    share : float
    ci95 : tuple of float
    """

    name: str
    value: Any
    share: float
    ci95: tuple[float, float]


def effects(space: Space, model: Model, seed: int) -> tuple[OptionEffect, ...]:
    """Return the effects of the values of all parameters; `seed` draws the settings of the others."""
    others = [space.draw(np.random.default_rng([seed, number])) for number in range(_OTHERS)]
    found: list[OptionEffect] = []
    for parameter in space.parameters:
        values = parameter.shown()
        points = [{**other, parameter.name: value} for value in values for other in others]
        own = np.kron(np.eye(len(values)), np.full((1, _OTHERS), 1 / _OTHERS))
        sums = model.sums(space.places(points), own - own.mean(axis=0))
        found += [OptionEffect(parameter.name, value, float(sums.mean[row]),
                               (float(sums.low[row]), float(sums.high[row])))
                  for row, value in enumerate(values)]
    return tuple(found)


# ---- The next values to try: Optuna's tree-structured Parzen estimator, which receives all trials so far

STARTS = 10             # trials drawn evenly before results count


def version() -> str:
    """Return the version of Optuna; raises SfidaError if it is not installed."""
    try:
        return importlib.metadata.version("optuna")
    except importlib.metadata.PackageNotFoundError as error:
        raise SfidaError("tuning needs the package optuna: pip install 'sfida[tune]'") from error


def ask(space: Space, told: Sequence[tuple[Values, float]], seed: int) -> dict[str, Any]:
    """Return the values to try next.

    Parameters
    ----------
    space : Space
    told : sequence of (Values, float)
        The trials so far: values, and win share.
    seed : int
        A different one for every trial.

    Raises
    ------
    SfidaError
        If Optuna is not installed.
    """
    version()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")         # Optuna warns of experimental features
        import optuna  # type: ignore[import-not-found,unused-ignore]

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        among = {parameter.name: _distribution(optuna, parameter) for parameter in space.parameters}
        sampler = optuna.samplers.TPESampler(seed=seed % 2**32, multivariate=True, n_startup_trials=STARTS)
        study = optuna.create_study(direction="maximize", sampler=sampler)
        study.add_trials([optuna.trial.create_trial(
            params={parameter.name: _asked(parameter, values[parameter.name]) for parameter in space.parameters},
            distributions=among, value=share) for values, share in told])
        found = study.ask(among).params
    return {parameter.name: _meant(parameter, found[parameter.name]) for parameter in space.parameters}


def _distribution(optuna: Any, parameter: Parameter) -> Any:
    if not parameter.ranges:
        return optuna.distributions.CategoricalDistribution(tuple(range(len(parameter.values))))
    kind = optuna.distributions.IntDistribution if parameter.kind == "int" else optuna.distributions.FloatDistribution
    return kind(*parameter.values, log=parameter.log)


def _asked(parameter: Parameter, value: Any) -> Any:
    """Return a value in Optuna's form: the index of a listed one."""
    return value if parameter.ranges else parameter.values.index(value)


def _meant(parameter: Parameter, found: Any) -> Any:
    return parameter.rounded(found) if parameter.ranges else parameter.values[found]
