"""Parameters of a search, each declared once.

From these classes follow the C struct and the stub (`generate_params.py`, run by every build), the keywords
and defaults of `Search`, and the agents' options with their help (`ai/search_options.py` inherits them). A new
parameter is one line here, and its use in the search.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_args, get_type_hints


def knob(default: Any, doc: str, *, unit: str = "", unset: str = "", **more: Any) -> Any:
    """Declare a parameter of an agent as a field of a frozen dataclass.

    Parameters
    ----------
    default : object
        Of type int, float, bool or str, or None.
    doc : str
        What it means, in a line.
    unit : str
        What the value counts.
    unset : str
        What None stands for, where it is the default.
    **more
        Bounds `low` and `high`, both allowed themselves, or the tuple `values` of what is allowed; of a parameter
        of the search `keyword`, its name in the compiled core where that is another one, and `bare`, its default
        there where that is another one.
    """
    unset_text = {"unset": unset} if default is None else {}
    return field(default=default, metadata={"doc": doc, "unit": unit, **unset_text, **more})


def game_knob(generic: Any, doc: str, **more: Any) -> Any:
    """Declare a parameter whose default None stands for the value measured for the game, else for `generic`."""
    return knob(None, doc, unset="game's", generic=generic, **more)


@dataclass(frozen=True)
class PlayoutParameters:
    """What a playout and its reward are."""

    cutoff: int | None = game_knob(-1, "turns a playout lasts, that of its first decision included, before the "
                                   "position is evaluated at the first decision of the next one; 0: at once; -1: to "
                                   "the end", low=-1, high=10_000)
    informed: int | None = game_knob(0, "share of playout moves by the game's own policy", unit="%", low=0, high=100)
    blend: float | None = game_knob(0.0, "weight of the score margin in the reward", low=0.0, high=1.0)
    tau: float | None = game_knob(10.0, "score margin that counts as large", unit="points", low=0.01, high=1e6)


@dataclass(frozen=True)
class TreeParameters:
    """How a tree grows and what is backed up in it."""

    # agents have threads to keep busy; a search called bare is the serial algorithm
    batch: int = knob(8, "iterations in flight at most, reached step by step; part of what a result depends on",
                      low=1, high=64, keyword="window", bare=1)
    # ---- selection
    c: float | None = game_knob(0.7, "exploration constant of UCB1 (moves without priors)", low=0.0, high=100.0)
    priors: bool | None = game_knob(False, "let the game's priors guide the tree (PUCT)", values=(True, False))
    c_prior: float | None = game_knob(1.0, "exploration constant of PUCT", low=0.0, high=100.0)
    fpu: float | None = game_knob(0.1, "an unvisited move counts as its node's mean less this", low=-1.0, high=1.0)
    widen: float | None = game_knob(1e9, "moves a node opens at first, in order of prior", low=1.0, high=1e9,
                                    keyword="widen_base")
    widen_factor: float | None = game_knob(0.0, "further moves it opens: factor * sqrt(visits)", low=0.0, high=1e3)
    expand_at: int | None = game_knob(0, "visits a node waits before it grows", low=0, high=1000)
    history: float | None = game_knob(0.0, "weight of progressive history: what a move was worth elsewhere; 0: off",
                                      low=0.0, high=100.0)
    minimax: float | None = game_knob(0.0, "share of the evaluation backed up by best reply (implicit minimax); "
                                      "0: off", low=0.0, high=1.0)
    decisive: bool | None = game_knob(True, "where a move wins for certain, look at no other", values=(True, False))
    # ---- chance
    chance_depth: int | None = game_knob(-1, "chance events on a path kept apart by outcome, deeper ones are "
                                         "averaged; -1: all", low=-1, high=1000)
    chance_widen: float | None = game_knob(0.0, "outcomes kept apart after a move: this * sqrt(visits); 0: all",
                                           low=0.0, high=1e6)
    # ---- playouts and rewards
    playout: str | None = game_knob("game", "other playout moves: random, by what a move was worth elsewhere (mast), "
                                    "or after the move before (nst)", values=("game", "mast", "nst"))
    noise: float | None = game_knob(0.2, "share of random moves in playouts by mast or nst", low=0.0, high=1.0)
    backup: str | None = game_knob("maxn", "others strive for their own reward (maxn), our loss (paranoid), or also "
                                   "to hold a clear leader back", values=("maxn", "paranoid", "leader"))
    leader_weight: float | None = game_knob(0.2, "weight of the leader's loss", low=0.0, high=1.0)


@dataclass(frozen=True)
class MemoryParameters:
    """What a tree may take."""

    memory: int = knob(64, "megabytes the tree may take", unit="MB", low=1, high=65536)


@dataclass(frozen=True)
class WorldParameters:
    """What opponents of a search over information sets know."""

    redeterminize: str | None = game_knob("off", "opponents decide in a world drawn anew from their own view: off, "
                                          "restore (ours goes on then), or stay in it",
                                          values=("off", "restore", "stay"))


@dataclass(frozen=True)
class SeatTreeParameters:
    """What a search with one tree per seat has besides; without, it has neither keys nor learned bids."""

    keyed: bool | None = game_knob(True, "tell opponents' trees apart by what the game says of their secret",
                                   values=(True, False))
    bids: str | None = game_knob("exp3", "hidden simultaneous choices: ucb, or learned by regret matching or exp3 and "
                                 "played by their average", values=("ucb", "regret", "exp3"))
    bid_explore: float | None = game_knob(0.2, "their share of uniform exploration", low=0.001, high=1.0)
    bid_from: int | None = game_knob(0, "visits below which later ones go by UCB1", low=0, high=1_000_000_000)


@dataclass(frozen=True)
class SearchParameters(SeatTreeParameters, WorldParameters, MemoryParameters, TreeParameters, PlayoutParameters):
    """All parameters of a search."""


@dataclass(frozen=True)
class Declared:
    """A parameter as the compiled core takes it."""

    keyword: str                        # of `Search`
    kind: type                          # bool, int, float or str
    default: Any
    doc: str
    values: tuple[str, ...]             # words allowed; numbers in the struct
    high: Any                           # the largest number that an agent takes

    def stored(self, value: Any) -> Any:
        """Return a value as the struct holds it; raises ValueError for a word that is not allowed."""
        if self.kind is not str:
            return value
        if value not in self.values:
            raise ValueError(f"{self.keyword} must be one of {', '.join(self.values)}, not {value!r}")
        return self.values.index(value)

    def shown(self, stored: Any) -> Any:
        """Return the value that the struct holds as `stored`."""
        return self.values[stored] if self.kind is str else self.kind(stored)


def generic(declared: dataclasses.Field[Any]) -> Any:
    """Return what a field stands for where neither a person nor a game says anything."""
    return declared.metadata.get("generic", declared.default)


def _declared() -> dict[str, Declared]:
    hints = get_type_hints(SearchParameters)
    table = {}
    for each in fields(SearchParameters):
        kinds = [kind for kind in get_args(hints[each.name]) or (hints[each.name],) if kind is not type(None)]
        keyword = each.metadata.get("keyword", each.name)
        table[keyword] = Declared(keyword, kinds[0], each.metadata.get("bare", generic(each)), each.metadata["doc"],
                                  each.metadata["values"] if kinds[0] is str else (), each.metadata.get("high"))
    return table


DECLARED: Mapping[str, Declared] = _declared()
DEFAULTS: Mapping[str, Any] = {keyword: each.default for keyword, each in DECLARED.items()}
