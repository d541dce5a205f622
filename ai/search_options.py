"""Parameters of the searching agents; each knob is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.state import View

DEFAULT_ITERATIONS = 1000


def knob(default: Any, doc: str, *, unit: str = "", unset: str = "game's", **bounds: Any) -> Any:
    """Declare a parameter: default, meaning, and `low`, `high` or `values`; `unset` says what None stands for."""
    more = {"unset": unset} if default is None else {}
    return field(default=default, metadata={"doc": doc, "unit": unit, **more, **bounds})


@dataclass(frozen=True)
class BudgetOptions:
    """Budget of a decision, whichever ends first; without any, 1000 iterations."""

    iterations: int | None = knob(None, "iterations per decision", unset="no limit", low=1, high=1_000_000_000)
    seconds: float | None = knob(None, "seconds per decision", unset="no limit", unit="s", low=0.001,
                                 high=86400.0)
    threads: int = knob(1, "threads of one search; more than 1 comes with a later version", low=1, high=1)

    @property
    def budget(self) -> tuple[int | None, float | None]:
        """Iterations and seconds; at least one is set."""
        if self.iterations is None and self.seconds is None:
            return DEFAULT_ITERATIONS, None
        return self.iterations, self.seconds


@dataclass(frozen=True)
class PlayoutOptions(BudgetOptions):
    """What a playout and its reward are. None takes the game's measured default."""

    cutoff: int | None = knob(None, "turns a playout lasts before the position is evaluated; -1: to the end",
                              low=-1, high=10_000)
    informed: int | None = knob(None, "share of playout moves by the game's own policy", unit="%",
                                low=0, high=100)
    blend: float | None = knob(None, "weight of the score margin in the reward", low=0.0, high=1.0)
    tau: float | None = knob(None, "score margin that counts as large", unit="points", low=0.01, high=1e6)


@dataclass(frozen=True)
class FlatOptions(PlayoutOptions):
    """Parameters of `flat`."""

    c: float = knob(0.7, "exploration constant of UCB1 (time budgets)", low=0.0, high=100.0)


@dataclass(frozen=True)
class IsmctsOptions(PlayoutOptions):
    """Parameters of `ismcts`."""

    c: float | None = knob(None, "exploration constant of UCB1 (moves without priors)", low=0.0, high=100.0)
    priors: bool | None = knob(None, "let the game's priors guide the tree (PUCT)", values=(True, False))
    c_prior: float | None = knob(None, "exploration constant of PUCT", low=0.0, high=100.0)
    fpu: float | None = knob(None, "an unvisited move counts as its node's mean less this", low=-1.0, high=1.0)
    widen: float | None = knob(None, "moves a node opens at first, in order of prior", low=1.0, high=1e9)
    widen_factor: float | None = knob(None, "further moves it opens: factor * visits ** 0.5", low=0.0, high=1e3)
    expand_at: int | None = knob(None, "visits a node waits before it grows", low=0, high=1000)
    chance_depth: int | None = knob(None, "chance events on a path kept apart by outcome, deeper ones are "
                                    "averaged; -1: all", low=-1, high=1000)
    final: str = knob("lcb", "the move played: the best lower bound among the well visited, or most visits",
                      values=("lcb", "visits"))
    early_stop: bool = knob(True, "when choosing a move, stop once no other can catch up", values=(True, False))
    reuse: bool = knob(True, "keep the tree between the steps of one turn", values=(True, False))
    follow: float = knob(0.3, "share of the seconds spent on a later step of the same turn", low=0.0, high=1.0)
    memory: int = knob(64, "megabytes the tree may take", unit="MB", low=1, high=65536)


GENERIC: dict[str, Any] = {
    "cutoff": -1, "informed": 0, "blend": 0.0, "tau": 10.0, "c": 0.7, "priors": False, "c_prior": 1.0,
    "fpu": 0.1, "widen": 1e9, "widen_factor": 0.0, "expand_at": 0, "chance_depth": -1,
}


def resolve(options: PlayoutOptions, view: View, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return the parameters with the game's defaults (or the generic ones) where none is set.

    Raises
    ------
    InvalidOption
        If a parameter asks for knowledge that the game does not have.
    """
    known = {f.name for f in fields(options)}
    values = {}
    for key in keys:
        value = getattr(options, key) if key in known else None
        values[key] = view.game.search_defaults.get(key, GENERIC[key]) if value is None else value
    if values["cutoff"] >= 0 and not view.has_evaluation:
        raise InvalidOption(f"the game '{view.game.name}' has no evaluation, so playouts cannot be cut off: "
                            "leave 'cutoff' out or set it to -1")
    if values.get("priors") and not view.has_priors:
        raise InvalidOption(f"the game '{view.game.name}' has no priors: leave 'priors' out or set it to false")
    return values
