"""Parameters of the agents that search; those of the search itself come from the table of the compiled core."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from sfida.ai.clock import Clock, read_clock
from sfida.ai.judging import KnowledgeOptions
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.search.parameters import (
    MemoryParameters,
    PlayoutParameters,
    SeatTreeParameters,
    TreeParameters,
    game_knob,
    generic,
    knob,
)
from sfida.cython_ext.state import View

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

DEFAULT_ITERATIONS = 1000


@dataclass(frozen=True)
class BudgetOptions:
    """Budget of a decision; the limit that is reached first ends it. Without any it has 1000 iterations."""

    iterations: int | None = knob(None, "iterations per decision", unset="no limit", low=1, high=1_000_000_000)
    seconds: float | None = knob(None, "seconds per decision", unset="no limit", unit="s", low=0.001,
                                 high=86400.0)

    @property
    def budget(self) -> tuple[int | None, float | None]:
        """Return iterations and seconds of a decision without a clock; at least one is set."""
        if self.iterations is None and self.seconds is None:
            return DEFAULT_ITERATIONS, None
        return self.iterations, self.seconds

    @property
    def longest(self) -> float | None:
        """Seconds that a decision may take, None if no clock ends it."""
        return self.seconds


@dataclass(frozen=True)
class FlatOptions(KnowledgeOptions, PlayoutParameters, BudgetOptions):
    """Parameters of `flat`."""

    c: float = knob(0.7, "exploration constant of UCB1 (time budgets)", low=0.0, high=100.0)


@dataclass(frozen=True)
class ThreadOptions:
    """The threads that work on a decision, and the clock that limits it."""

    clock: str | None = knob(None, "seconds for a whole game plus seconds added by each decision, such as 300+5",
                             unset="no clock")
    threads: int = knob(1, "threads that share the tree; with an iteration budget they do not change the result",
                        low=1, high=64)

    def __post_init__(self) -> None:
        if self.clock is not None:
            read_clock(self.clock)


@dataclass(frozen=True)
class FinalOptions:
    """How the move to play is chosen in the end."""

    endgame: int | None = game_knob(0, "most positions of an endgame that is solved exactly (if nothing is hidden); "
                                    "0: never", low=0, high=100_000_000)
    endgame_pace: int | None = game_knob(0, "most of them for each iteration of the budget, or 3,000,000 for each "
                                         "second of it; 0: no such limit", low=0, high=100_000_000)
    calibration: float | None = game_knob(1.0, "power to which expected shares of the win are raised before they are "
                                          "told, which makes them less sure if below 1; moves stay the same",
                                          low=0.1, high=10.0)
    final: str = knob("lcb", "the move to play: best lower bound among the well visited (lcb), most visits, or drawn "
                      "by visits (sample)", values=("lcb", "visits", "sample"))
    temperature: float = knob(1.0, "for final=sample: draw by visit shares ** (1 / temperature), without those below "
                              "5 % of the best", low=0.01, high=100.0)


@dataclass(frozen=True)
class TreeOptions(MemoryParameters, KnowledgeOptions, FinalOptions, TreeParameters, ThreadOptions, PlayoutParameters,
                  BudgetOptions):
    """The common parameters of agents that search a tree."""

    @property
    def longest(self) -> float | None:
        """Seconds that a decision may take by its own seconds and by the clock, None if neither ends it."""
        found = [] if self.seconds is None else [self._extended(self.seconds)]
        if self.clock is not None:
            found.append(Clock(*read_clock(self.clock)).longest)
        return min(found, default=None)

    def _extended(self, seconds: float) -> float:
        """Return what the seconds of a decision may become."""
        return seconds


@dataclass(frozen=True)
class HiddenOptions(TreeOptions):
    """Further parameters of searches over information sets."""

    beliefs: int = knob(0, "number of worlds, weighted by what the other seats' moves reveal (docs/beliefs.md); 0: "
                        "the game's own determinizer", low=0, high=1_000_000)
    belief_explore: float = knob(0.5, "share of random moves in the model of the other seats", low=0.0, high=1.0)
    belief_tau: float = knob(0.7, "weight of each observed move", low=0.0, high=1.0)
    early_stop: bool = knob(True, "when choosing a move, stop as soon as no other can catch up", values=(True, False))
    extend: float = knob(0.5, "extra share of the seconds while the most visited move does not have the best mean",
                         low=0.0, high=10.0)
    reuse: bool = knob(True, "keep the tree between the steps of a turn", values=(True, False))
    follow: float = knob(0.3, "share of the seconds that a later step of the same turn gets", low=0.0, high=1.0)

    def _extended(self, seconds: float) -> float:
        return seconds * (1.0 + self.extend)


@dataclass(frozen=True)
class IsmctsOptions(HiddenOptions):
    """Parameters of `ismcts`."""


@dataclass(frozen=True)
class MoIsmctsOptions(SeatTreeParameters, HiddenOptions):
    """Parameters of `mo-ismcts`."""


@dataclass(frozen=True)
class PimcOptions(TreeOptions):
    """Parameters of `pimc`."""

    worlds: int = knob(20, "sampled worlds that share the budget, each searched as if all seats saw it", low=1,
                      high=10_000)


def generic_values(cls: type[DataclassInstance]) -> dict[str, Any]:
    """Return the values of those parameters of a class that neither the user nor the game sets."""
    return {field.name: generic(field) for field in fields(cls) if "generic" in field.metadata}


def resolve(options: PlayoutParameters, view: View) -> dict[str, Any]:
    """Return the parameters that a game may set, with its values (or the generic ones) for those that are not given.

    Raises
    ------
    InvalidOption
        If a parameter requires knowledge that the game does not have.
    """
    settings = view.game.search_settings(view.knowledge)
    values = {name: settings.get(name, value) if getattr(options, name) is None else getattr(options, name)
              for name, value in generic_values(type(options)).items()}
    if values["cutoff"] >= 0 and not view.has_evaluation:
        raise InvalidOption(f"the game '{view.game.name}' has no evaluation, so playouts cannot be cut off: "
                            "leave 'cutoff' out or set it to -1")
    if values.get("priors") and not view.has_priors:
        raise InvalidOption(f"the game '{view.game.name}' has no priors: leave 'priors' out or set it to false")
    return values
