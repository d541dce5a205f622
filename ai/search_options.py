"""Parameters of the searching agents; each knob is declared here, once."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from sfida.ai.clock import read_clock
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

    @property
    def budget(self) -> tuple[int | None, float | None]:
        """Iterations and seconds of a decision without a clock; at least one is set."""
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

    threads: int = knob(1, "flat Monte Carlo runs on one thread", low=1, high=1)
    c: float = knob(0.7, "exploration constant of UCB1 (time budgets)", low=0.0, high=100.0)


@dataclass(frozen=True)
class TreeOptions(PlayoutOptions):
    """What all agents that search a tree have in common."""

    clock: str | None = knob(None, "seconds for a whole game and those each decision adds, such as 300+5",
                             unset="no clock")
    threads: int = knob(1, "threads that share the tree; with an iteration budget the result is the same on any "
                        "number", low=1, high=64)
    batch: int = knob(8, "iterations in flight at most, reached step by step; part of what a result depends on",
                      low=1, high=64)
    # ---- selection
    c: float | None = knob(None, "exploration constant of UCB1 (moves without priors)", low=0.0, high=100.0)
    priors: bool | None = knob(None, "let the game's priors guide the tree (PUCT)", values=(True, False))
    c_prior: float | None = knob(None, "exploration constant of PUCT", low=0.0, high=100.0)
    fpu: float | None = knob(None, "an unvisited move counts as its node's mean less this", low=-1.0, high=1.0)
    widen: float | None = knob(None, "moves a node opens at first, in order of prior", low=1.0, high=1e9)
    widen_factor: float | None = knob(None, "further moves it opens: factor * visits ** 0.5", low=0.0, high=1e3)
    expand_at: int | None = knob(None, "visits a node waits before it grows", low=0, high=1000)
    history: float | None = knob(None, "weight of progressive history: what a move was worth elsewhere; 0: off",
                                 low=0.0, high=100.0)
    minimax: float | None = knob(None, "share of the evaluation backed up by best reply (implicit minimax); 0: off",
                                 low=0.0, high=1.0)
    decisive: bool | None = knob(None, "where a move wins for certain, look at no other", values=(True, False))
    # ---- chance
    chance_depth: int | None = knob(None, "chance events on a path kept apart by outcome, deeper ones are "
                                    "averaged; -1: all", low=-1, high=1000)
    chance_widen: float | None = knob(None, "outcomes kept apart after a move: this * visits ** 0.5; 0: all",
                                      low=0.0, high=1e6)
    # ---- playouts and rewards
    playout: str | None = knob(None, "other playout moves: random, by what a move was worth elsewhere (mast), or "
                               "after the move before (nst)", values=("game", "mast", "nst"))
    noise: float | None = knob(None, "share of random moves in playouts by mast or nst", low=0.0, high=1.0)
    backup: str | None = knob(None, "others strive for their own reward (maxn), our loss (paranoid), or also to "
                              "hold a clear leader back", values=("maxn", "paranoid", "leader"))
    leader_weight: float | None = knob(None, "weight of the leader's loss", low=0.0, high=1.0)
    # ---- the decision
    endgame: int | None = knob(None, "positions an exact endgame may have (nothing hidden); 0: never", low=0,
                               high=100_000_000)
    final: str = knob("lcb", "the move played: the best lower bound among the well visited, most visits, or drawn "
                      "by visits", values=("lcb", "visits", "sample"))
    temperature: float = knob(1.0, "of final=sample: shares ** (1 / temperature), those below 5 % of the best left "
                              "out", low=0.01, high=100.0)
    memory: int = knob(64, "megabytes the tree may take", unit="MB", low=1, high=65536)

    def __post_init__(self) -> None:
        if self.clock is not None:
            read_clock(self.clock)


@dataclass(frozen=True)
class HiddenOptions(TreeOptions):
    """What searches over information sets have besides."""

    redeterminize: str | None = knob(None, "opponents decide in a world drawn anew from their own view: off, restore "
                                     "(ours goes on then), or stay in it", values=("off", "restore", "stay"))
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
class MoIsmctsOptions(HiddenOptions):
    """Parameters of `mo-ismcts`."""

    keyed: bool | None = knob(None, "tell opponents' trees apart by what the game says of their secret",
                              values=(True, False))
    bids: str | None = knob(None, "hidden simultaneous choices: ucb, or learned by regret matching or exp3 and "
                            "played by their average", values=("ucb", "regret", "exp3"))
    bid_explore: float | None = knob(None, "their share of uniform exploration", low=0.001, high=1.0)
    bid_from: int | None = knob(None, "visits below which later ones go by UCB1", low=0, high=1_000_000_000)


@dataclass(frozen=True)
class PimcOptions(TreeOptions):
    """Parameters of `pimc`."""

    worlds: int = knob(20, "sampled worlds that share the budget, each searched as if all saw it", low=1, high=10_000)


GENERIC: dict[str, Any] = {
    "cutoff": -1, "informed": 0, "blend": 0.0, "tau": 10.0, "c": 0.7, "priors": False, "c_prior": 1.0,
    "fpu": 0.1, "widen": 1e9, "widen_factor": 0.0, "expand_at": 0, "chance_depth": -1, "chance_widen": 0.0,
    "history": 0.0, "minimax": 0.0, "decisive": True, "playout": "game", "noise": 0.2, "backup": "maxn",
    "leader_weight": 0.2, "endgame": 0, "bids": "exp3", "bid_explore": 0.2, "bid_from": 0,
    "redeterminize": "off", "keyed": True,
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
    if values.get("cutoff", -1) >= 0 and not view.has_evaluation:
        raise InvalidOption(f"the game '{view.game.name}' has no evaluation, so playouts cannot be cut off: "
                            "leave 'cutoff' out or set it to -1")
    if values.get("minimax") and not view.has_evaluation:
        raise InvalidOption(f"the game '{view.game.name}' has no evaluation to back up: leave 'minimax' out or set "
                            "it to 0")
    if values.get("priors") and not view.has_priors:
        raise InvalidOption(f"the game '{view.game.name}' has no priors: leave 'priors' out or set it to false")
    return values
