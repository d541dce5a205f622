"""Parameters of a search, each declared in one place.

These classes determine the C struct and the stub (`generate.py`, run by every build), the keywords and
defaults of `Search`, and the agents' options with their help (`ai/search.py` inherits them). A new
parameter needs one line here, and the code in the search that uses it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_args, get_type_hints


def option(default: Any, doc: str, *, unit: str = "", unset: str = "", **more: Any) -> Any:
    """Declare a parameter of an agent as a field of a frozen dataclass.

    Parameters
    ----------
    default : object
        An int, float, bool or str, or None.
    doc : str
        Meaning of the parameter, in one line.
    unit : str
        Unit of the value.
    unset : str
        Meaning of None, if that is the default.
    **more
        Inclusive bounds `low` and `high`, or the tuple `values` of the allowed values. A parameter of the search may
        have `bare`, its default in the compiled core if that is different.
    """
    unset_text = {"unset": unset} if default is None else {}
    return field(default=default, metadata={"doc": doc, "unit": unit, **unset_text, **more})


def game_option(generic: Any, doc: str, **more: Any) -> Any:
    """Declare a parameter whose default None means the value measured for the game, or without one `generic`."""
    return option(None, doc, unset="game's", generic=generic, **more)


@dataclass(frozen=True)
class PlayoutParameters:
    """Parameters of a playout and its reward."""

    cutoff: int | None = game_option(-1, "turns of a playout, that of its first decision included, before the position "
                                     "is evaluated, at the first decision of the next; 0: at once; -1: play to the end",
                                     low=-1, high=10_000)
    informed: int | None = game_option(0, "share of playout moves chosen by the game's rollout policy", unit="%", low=0,
                                       high=100)
    blend: float | None = game_option(0.0, "weight of the score margin in the reward", low=0.0, high=1.0)
    tau: float | None = game_option(10.0, "score margin that counts as large", unit="points", low=0.01, high=1e6)


@dataclass(frozen=True)
class TreeParameters:
    """Growth of a tree and its backups."""

    # agents have threads to keep busy; a bare search is the serial algorithm
    batch: int = option(8, "most iterations in flight, reached gradually; the result depends on it",
                        low=1, high=64, bare=1)
    # ---- selection in the tree
    c: float | None = game_option(0.7, "exploration constant of UCB1 (for moves without priors)", low=0.0, high=100.0)
    priors: bool | None = game_option(False, "guide the tree by the game's priors (PUCT)", values=(True, False))
    c_prior: float | None = game_option(1.0, "exploration constant of PUCT", low=0.0, high=100.0)
    fpu: float | None = game_option(0.1, "an unvisited move counts as the mean of its node minus this", low=-1.0,
                                    high=1.0)
    foresight: float | None = game_option(0.0, "how much more the best turn that begins with a move must be worth for "
                                          "e times the prior at the root; only where nothing is hidden; 0: priors "
                                          "stay as they are", unit="win share", low=0.0, high=10.0)
    foresee_at: int | None = game_option(-1, "visits of a decision below the root from which its priors are weighed "
                                         "like those of the root; -1: they are not", low=-1, high=1_000_000)
    expand_at: int | None = game_option(0, "visits that a node needs before it is expanded", low=0, high=1000)
    decisive: bool | None = game_option(True, "if a move wins for certain, consider no other", values=(True, False))
    # ---- chance events
    chance_depth: int | None = game_option(-1, "chance events on a path that are kept apart by outcome; deeper ones "
                                           "are averaged; -1: all", low=-1, high=1000)


@dataclass(frozen=True)
class MemoryParameters:
    """The memory of a tree."""

    # an agent derives its limit from its budget (`ai/search.py`); a bare search does not know its budget yet
    memory: int | None = option(None, "memory limit of the tree", unset="as the budget needs, at most 1024", unit="MB",
                                low=1, high=65536, bare=64)


@dataclass(frozen=True)
class SeatTreeParameters:
    """Further parameters of a search with one tree per seat; other searches have no keys and no learned bids."""

    keyed: bool | None = game_option(True, "keep opponents' trees apart by the game's summary of their secrets",
                                     values=(True, False))
    bids: str | None = game_option("exp3", "how hidden simultaneous choices are made: by ucb, or by the average "
                                   "strategy that exp3 learns", values=("ucb", "exp3"))
    bid_explore: float | None = game_option(0.2, "share of uniform exploration in learned choices", low=0.001, high=1.0)


@dataclass(frozen=True)
class SearchParameters(SeatTreeParameters, MemoryParameters, TreeParameters, PlayoutParameters):
    """All parameters of a search."""


@dataclass(frozen=True)
class Declared:
    """A parameter in the form that the compiled core uses."""

    name: str                           # the keyword of `Search`
    kind: type                          # bool, int, float or str
    default: Any
    doc: str
    values: tuple[str, ...]             # allowed words, stored as numbers in the struct
    high: Any                           # largest number that an agent accepts

    def stored(self, value: Any) -> Any:
        """Return a value as the struct stores it; raises ValueError for a word that is not allowed."""
        if self.kind is not str:
            return value
        if value not in self.values:
            raise ValueError(f"{self.name} must be one of {', '.join(self.values)}, not {value!r}")
        return self.values.index(value)

    def shown(self, stored: Any) -> Any:
        """Return the value that the struct stores as `stored`."""
        return self.values[stored] if self.kind is str else self.kind(stored)


def generic(declared: dataclasses.Field[Any]) -> Any:
    """Return the value of a field that neither the user nor the game sets."""
    return declared.metadata.get("generic", declared.default)


def _declared() -> dict[str, Declared]:
    hints = get_type_hints(SearchParameters)
    table = {}
    for each in fields(SearchParameters):
        kinds = [kind for kind in get_args(hints[each.name]) or (hints[each.name],) if kind is not type(None)]
        table[each.name] = Declared(each.name, kinds[0], each.metadata.get("bare", generic(each)), each.metadata["doc"],
                                    each.metadata["values"] if kinds[0] is str else (), each.metadata.get("high"))
    return table


DECLARED: Mapping[str, Declared] = _declared()
DEFAULTS: Mapping[str, Any] = {name: each.default for name, each in DECLARED.items()}
