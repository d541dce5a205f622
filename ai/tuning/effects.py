"""What each value of a parameter does on its own: its mean over all that the other parameters may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfida.ai.tuning.model import Model
from sfida.ai.tuning.space import Space

_OTHERS = 64            # settings of the other parameters over which an effect is the mean


@dataclass(frozen=True)
class Effect:
    """The effect of a value: the share of the win beyond the mean over the values told of its parameter.

    Attributes
    ----------
    name : str
        Of the parameter.
    value : object
    share : float
    ci95 : tuple of float
    """

    name: str
    value: Any
    share: float
    ci95: tuple[float, float]


def effects(space: Space, model: Model, seed: int) -> tuple[Effect, ...]:
    """Return the effects of the values of all parameters; `seed` draws the settings of the others."""
    others = [space.draw(np.random.default_rng([seed, number])) for number in range(_OTHERS)]
    found: list[Effect] = []
    for parameter in space.parameters:
        values = parameter.shown()
        points = [{**other, parameter.name: value} for value in values for other in others]
        own = np.kron(np.eye(len(values)), np.full((1, _OTHERS), 1 / _OTHERS))
        sums = model.sums(space.places(points), own - own.mean(axis=0))
        found += [Effect(parameter.name, value, float(sums.mean[row]), (float(sums.low[row]), float(sums.high[row])))
                  for row, value in enumerate(values)]
    return tuple(found)
