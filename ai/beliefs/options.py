"""Parameters of a belief."""

from __future__ import annotations

from dataclasses import dataclass, fields

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.search.parameters import knob
from sfida.engines.spec import quoted


@dataclass(frozen=True)
class BeliefOptions:
    """Parameters of a `ParticleFilter`.

    The defaults trust the model of the others half-heartedly: a belief that takes it at its word wins more from the
    players it describes and loses much more to those who know that (bench/beliefs.py).

    Raises
    ------
    InvalidOption
        If a value is out of its range.
    """

    particles: int = knob(256, "worlds kept", low=1, high=1_000_000)
    explore: float = knob(0.5, "share of uniformly random moves in the model of the others", low=0.0, high=1.0)
    tau: float = knob(0.7, "exponent of a move's probability: how much one observed move says", low=0.0, high=1.0)
    fresh: float = knob(0.1, "share of the worlds handed out that come from the game's determinizer", low=0.0,
                        high=1.0)
    temperature: float = knob(0.1, "of the model of the others where the game has no priors", unit="win share",
                              low=1e-3, high=100.0)
    samples: int = knob(4, "worlds that model averages over", low=1, high=10_000)

    def __post_init__(self) -> None:
        for option in fields(self):
            value, low, high = getattr(self, option.name), option.metadata["low"], option.metadata["high"]
            number = isinstance(value, int | (float if isinstance(option.default, float) else int))
            if isinstance(value, bool) or not number or not low <= value <= high:
                raise InvalidOption(f"option '{option.name}' of a belief must be {low} to {high}, "
                                    f"not {quoted(value)}")
