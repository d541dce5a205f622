"""Parameters of a belief."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral, Real

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.search.parameters import knob
from sfida.engines.spec import quoted


@dataclass(frozen=True)
class BeliefOptions:
    """Parameters of a `ParticleFilter`.

    The defaults trust the model of the other seats only partly: a belief that trusts it fully wins more against the
    players that it describes, and loses much more to those who know that (bench/beliefs.py).

    Raises
    ------
    InvalidOption
        If a value is out of range.
    """

    particles: int = knob(256, "number of worlds kept", low=1, high=1_000_000)
    explore: float = knob(0.5, "share of uniformly random moves in the model of the other seats", low=0.0, high=1.0)
    tau: float = knob(0.7, "weight of each observed move: the exponent of its probability", low=0.0, high=1.0)
    fresh: float = knob(0.1, "share of the returned worlds that come from the game's determinizer", low=0.0,
                        high=1.0)
    temperature: float = knob(0.1, "temperature of the model if the game has no priors", unit="win share",
                              low=1e-3, high=100.0)
    samples: int = knob(4, "worlds that this model averages over", low=1, high=10_000)

    def __post_init__(self) -> None:
        for option in fields(self):
            value, low, high = getattr(self, option.name), option.metadata["low"], option.metadata["high"]
            number = Real if isinstance(option.default, float) else Integral
            if isinstance(value, bool) or not isinstance(value, number) or not low <= value <= high:
                raise InvalidOption(f"option '{option.name}' of a belief must be {low} to {high}, "
                                    f"not {quoted(value)}")
