"""Which values to try next: Optuna's tree-structured Parzen estimator, which is told all trials so far.

What is asked depends on the seed and those trials alone, so a tuning that was interrupted goes on as if it had not
been.

References
----------
J. Bergstra, R. Bardenet, Y. Bengio, B. Kégl (2011). Algorithms for hyper-parameter optimization. NeurIPS.
T. Akiba and others (2019). Optuna: a next-generation hyperparameter optimization framework. KDD.
"""

from __future__ import annotations

import importlib.metadata
import warnings
from collections.abc import Sequence
from typing import Any

from sfida.ai.tuning.space import Parameter, Space, Values
from sfida.cython_ext.errors import SfidaError

STARTS = 10             # trials that are drawn evenly before results count


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
        The trials so far: values, and share of the win.
    seed : int
        Another one for every trial.

    Raises
    ------
    SfidaError
        If Optuna is not installed.
    """
    version()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")         # of features that Optuna calls experimental
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
    """Return a value as Optuna knows it: the place of a listed one."""
    return value if parameter.ranges else parameter.values.index(value)


def _meant(parameter: Parameter, found: Any) -> Any:
    return parameter.rounded(found) if parameter.ranges else parameter.values[found]
