"""How well a level plays: a few parameters, each of which may lie between those of two levels."""

from __future__ import annotations

from dataclasses import dataclass

from sfida.cython_ext.search.parameters import knob

_MANY = 64                              # moves looked at that count as all of them, between a number and all


@dataclass(frozen=True)
class Strength:
    """What a player sees of a decision, and how well it is judged.

    The defaults are those of a search that errs only because it ends.
    """

    iterations: int = knob(1000, "iterations per decision", low=1, high=1_000_000_000)
    sight: int | None = knob(None, "moves of a decision that are looked at, drawn by the game's priors; the likeliest "
                             "one is always among them", unset="all", low=1, high=100_000)
    misjudge: float = knob(0.0, "standard deviation of the error in the value of each of them", unit="log odds",
                           low=0.0, high=20.0)
    depth: int | None = knob(None, "turns that a playout looks ahead, if the game can evaluate positions",
                             unset="game's", low=0, high=10_000)

    @property
    def is_whole(self) -> bool:
        """Whether every move is looked at and judged as the search finds it."""
        return self.sight is None and self.misjudge == 0.0


def between(low: Strength, high: Strength, share: float) -> Strength:
    """Return the strength that lies at `share`, 0 to 1, of the way from one to the next.

    Numbers that multiply the work or the moves are interpolated on a logarithmic scale, errors on a linear one.
    """
    if share <= 0.0 or low == high:
        return low
    if share >= 1.0:
        return high
    sight = None
    if low.sight is not None or high.sight is not None:
        sight = round(_geometric(low.sight or _MANY, high.sight or _MANY, share))
    if low.depth is not None and high.depth is not None:
        depth: int | None = round((1 - share) * low.depth + share * high.depth)
    else:
        depth = low.depth if share < 0.5 else high.depth
    return Strength(iterations=round(_geometric(low.iterations, high.iterations, share)), sight=sight,
                    misjudge=round((1 - share) * low.misjudge + share * high.misjudge, 3), depth=depth)


def _geometric(low: float, high: float, share: float) -> float:
    return float(low ** (1 - share) * high ** share)
