"""Parameters of a belief, and the distribution of each hidden item over a set of worlds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.search.parameters import option
from sfida.cython_ext.state import GameState
from sfida.engines.spec import quoted

# ---- Parameters of a belief


@dataclass(frozen=True)
class BeliefOptions:
    """Parameters of a `ParticleFilter`.

    The defaults trust the model of the other seats only partly: a belief that trusts it fully wins more against the
    players that it describes, but loses much more to players who know that (`python -m bench beliefs`).

    Raises
    ------
    InvalidOption
        If a value is out of range.
    """

    particles: int = option(256, "number of worlds kept", low=1, high=1_000_000)
    explore: float = option(0.5, "share of uniformly random moves in the model of the other seats", low=0.0, high=1.0)
    tau: float = option(0.7, "weight of each observed move: the exponent of its probability", low=0.0, high=1.0)
    fresh: float = option(0.1, "share of the returned worlds that come from the game's determinizer", low=0.0,
                          high=1.0)
    temperature: float = option(0.1, "temperature of the model if the game has no priors", unit="win share",
                                low=1e-3, high=100.0)
    samples: int = option(4, "worlds that this model averages over", low=1, high=10_000)

    def __post_init__(self) -> None:
        for field in fields(self):
            value, low, high = getattr(self, field.name), field.metadata["low"], field.metadata["high"]
            number = Real if isinstance(field.default, float) else Integral
            if isinstance(value, bool) or not isinstance(value, number) or not low <= value <= high:
                raise InvalidOption(f"option '{field.name}' of a belief must be {low} to {high}, "
                                    f"not {quoted(value)}")


# ---- The distribution of each hidden item over a set of worlds


@dataclass(frozen=True)
class Marginal:
    """The distribution of one hidden item.

    Attributes
    ----------
    item : str
        The item, in the game's words.
    values : tuple of (str, float)
        Possible values with their probabilities, the likeliest first; the probabilities sum to 1.
    """

    item: str
    values: tuple[tuple[str, float], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the marginal as JSON-able data."""
        return {"item": self.item,
                "values": [{"value": value, "probability": chance} for value, chance in self.values]}


def marginals(worlds: Sequence[GameState], seat: int, weights: Sequence[float] | None = None) -> tuple[Marginal, ...]:
    """Return the probability of each value of each item that a seat cannot see: the share of the worlds with it.

    Parameters
    ----------
    worlds : sequence of GameState
        Worlds as returned by `ParticleFilter.worlds` or `View.sample`.
    seat : int
        The seat that cannot see the items.
    weights : sequence of float, optional
        Weights of the worlds, 0 or more; equal by default.

    Returns
    -------
    tuple of Marginal
        Sorted by item. For an item that only some worlds name (see `Game.secrets`) only those worlds count.

    Raises
    ------
    ValueError
        If there are not as many weights as worlds.
    """
    if weights is None:
        weights = [1.0] * len(worlds)
    if len(weights) != len(worlds):
        raise ValueError(f"{len(worlds)} worlds need as many weights, not {len(weights)}")
    totals: dict[str, dict[str, float]] = {}
    for world, weight in zip(worlds, weights, strict=True):
        if weight <= 0.0:
            continue
        for item, value in world.game.secrets(world, seat).items():
            found = totals.setdefault(item, {})
            found[value] = found.get(value, 0.0) + weight
    return tuple(_marginal(item, totals[item]) for item in sorted(totals))


def _marginal(item: str, values: dict[str, float]) -> Marginal:
    whole = sum(values.values())
    ranked = sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
    return Marginal(item, tuple((value, total / whole) for value, total in ranked))
