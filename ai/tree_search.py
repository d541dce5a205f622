"""From an agent's parameters to a search of the compiled core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfida.ai.search_options import MoIsmctsOptions, TreeOptions, resolve
from sfida.cython_ext.search import Search
from sfida.cython_ext.state import GameState, View

KEYS = ("cutoff", "informed", "blend", "tau", "c", "priors", "c_prior", "fpu", "widen", "widen_factor", "expand_at",
        "chance_depth", "chance_widen", "history", "minimax", "decisive", "playout", "noise", "backup",
        "leader_weight", "endgame", "bids", "bid_explore", "bid_from", "redeterminize", "keyed")
_RENAMED = {"widen": "widen_base"}
_OURS = ("endgame",)                    # of the agent, not of the core


def search_for(view: View, options: TreeOptions, seed: int, *, profiling: bool = False,
               world: GameState | None = None, worlds: Sequence[GameState] | None = None) -> Search:
    """Build the search of one decision with the game's defaults filled in.

    Parameters
    ----------
    view : View
    options : TreeOptions
        A tree a seat for those of `mo-ismcts`, one tree for others.
    seed : int
    profiling : bool
        Measure the time of each step.
    world : GameState, optional
        Search this world, seen by all.
    worlds : sequence of GameState, optional
        Draw worlds from these.

    Raises
    ------
    InvalidOption
        If the options ask for knowledge that the game does not have.
    """
    values: dict[str, Any] = {_RENAMED.get(key, key): value for key, value in resolve(options, view, KEYS).items()
                              if key not in _OURS}
    multiple = isinstance(options, MoIsmctsOptions)
    if not multiple:
        values["bids"] = "ucb"          # in one tree, others would see the hidden choice
    return Search(view, seed, **values, multiple=multiple, window=options.batch,
                  memory=options.memory, profiling=profiling, world=world, worlds=list(worlds) if worlds else None)
