"""Builds a search of the compiled core from an agent's parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from sfida.ai.memory import memory_of
from sfida.ai.search_options import TreeOptions, resolve
from sfida.cython_ext.search.parameters import SearchParameters, SeatTreeParameters
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState, View


def search_for(view: View, options: TreeOptions, seed: int, *, profiling: bool = False,
               world: GameState | None = None, worlds: Sequence[GameState] | None = None) -> Search:
    """Build the search of one decision with the game's defaults filled in.

    Parameters
    ----------
    view : View
    options : TreeOptions
        With those of `mo-ismcts` the search has one tree per seat, otherwise one tree.
    seed : int
    profiling : bool
        Measure the time of each step.
    world : GameState, optional
        Search this world, which all seats see.
    worlds : sequence of GameState, optional
        Draw worlds from these.

    Raises
    ------
    InvalidOption
        If the options require knowledge that the game does not have.
    """
    known = {field.name for field in fields(SearchParameters)}
    values = {**vars(options), **resolve(options, view), "memory": memory_of(options)}
    return Search(view, seed, **{name: value for name, value in values.items() if name in known},
                  multiple=isinstance(options, SeatTreeParameters), profiling=profiling, world=world,
                  worlds=list(worlds) if worlds else None)
