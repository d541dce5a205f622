"""Parameters of the agents that search; those of the search itself come from its own table."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from sfida.ai.clock import read_clock
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.search.parameters import (
    MemoryParameters,
    PlayoutParameters,
    SeatTreeParameters,
    TreeParameters,
    WorldParameters,
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
    """Budget of a decision, whichever ends first; without any, 1000 iterations."""

    iterations: int | None = knob(None, "iterations per decision", unset="no limit", low=1, high=1_000_000_000)
    seconds: float | None = knob(None, "seconds per decision", unset="no limit", unit="s", low=0.001,
                                 high=86400.0)

    @property
    def budget(self) -> tuple[int | None, float | None]:
        """Iterations and seconds of a decision without a clock; at least one is set."""
        if self.iterations is None and self.seconds is None:
            return DEFAULT_ITERATIONS, None
        return self.iterations, self.seconds


@dataclass(frozen=True)
class FlatOptions(PlayoutParameters, BudgetOptions):
    """Parameters of `flat`."""

    c: float = knob(0.7, "exploration constant of UCB1 (time budgets)", low=0.0, high=100.0)


@dataclass(frozen=True)
class ThreadOptions:
    """Who works on a decision, and until when."""

    clock: str | None = knob(None, "seconds for a whole game and those each decision adds, such as 300+5",
                             unset="no clock")
    threads: int = knob(1, "threads that share the tree; with an iteration budget the result is the same on any "
                        "number", low=1, high=64)

    def __post_init__(self) -> None:
        if self.clock is not None:
            read_clock(self.clock)


@dataclass(frozen=True)
class FinalOptions:
    """Which move is played in the end."""

    endgame: int | None = game_knob(0, "positions an exact endgame may have (nothing hidden); 0: never", low=0,
                                    high=100_000_000)
    final: str = knob("lcb", "the move played: the best lower bound among the well visited, most visits, or drawn "
                      "by visits", values=("lcb", "visits", "sample"))
    temperature: float = knob(1.0, "of final=sample: shares ** (1 / temperature), those below 5 % of the best left "
                              "out", low=0.01, high=100.0)


@dataclass(frozen=True)
class TreeOptions(MemoryParameters, FinalOptions, TreeParameters, ThreadOptions, PlayoutParameters, BudgetOptions):
    """What all agents that search a tree have in common."""


@dataclass(frozen=True)
class HiddenOptions(WorldParameters, TreeOptions):
    """What searches over information sets have besides."""

    beliefs: int = knob(0, "worlds weighed by what the others' moves tell of their secrets (docs/beliefs.md); 0: the "
                        "game's own determinizer", low=0, high=1_000_000)
    belief_explore: float = knob(0.5, "share of random moves in the model of the others", low=0.0, high=1.0)
    belief_tau: float = knob(0.7, "how much one observed move says", low=0.0, high=1.0)
    early_stop: bool = knob(True, "when choosing a move, stop once no other can catch up", values=(True, False))
    extend: float = knob(0.5, "further share of the seconds while the two best moves disagree", low=0.0, high=10.0)
    reuse: bool = knob(True, "keep the tree between the steps of one turn", values=(True, False))
    follow: float = knob(0.3, "share of the seconds spent on a later step of the same turn", low=0.0, high=1.0)


@dataclass(frozen=True)
class IsmctsOptions(HiddenOptions):
    """Parameters of `ismcts`."""


@dataclass(frozen=True)
class MoIsmctsOptions(SeatTreeParameters, HiddenOptions):
    """Parameters of `mo-ismcts`."""


@dataclass(frozen=True)
class PimcOptions(TreeOptions):
    """Parameters of `pimc`."""

    worlds: int = knob(20, "sampled worlds that share the budget, each searched as if all saw it", low=1, high=10_000)


def generic_values(cls: type[DataclassInstance]) -> dict[str, Any]:
    """Return what stands for the parameters of a class that neither a person nor a game sets."""
    return {field.name: generic(field) for field in fields(cls) if "generic" in field.metadata}


def resolve(options: PlayoutParameters, view: View) -> dict[str, Any]:
    """Return the parameters that a game may set, with its values (or the generic ones) where none is given.

    Raises
    ------
    InvalidOption
        If a parameter asks for knowledge that the game does not have.
    """
    values = {name: view.game.search_defaults.get(name, value) if getattr(options, name) is None
              else getattr(options, name) for name, value in generic_values(type(options)).items()}
    if values["cutoff"] >= 0 and not view.has_evaluation:
        raise InvalidOption(f"the game '{view.game.name}' has no evaluation, so playouts cannot be cut off: "
                            "leave 'cutoff' out or set it to -1")
    if values.get("minimax") and not view.has_evaluation:
        raise InvalidOption(f"the game '{view.game.name}' has no evaluation to back up: leave 'minimax' out or set "
                            "it to 0")
    if values.get("priors") and not view.has_priors:
        raise InvalidOption(f"the game '{view.game.name}' has no priors: leave 'priors' out or set it to false")
    return values
