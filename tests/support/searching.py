"""Short functions that make positions and searches for tests."""

from __future__ import annotations

from typing import Any

import sfida
from sfida.ai.analysis import Analysis
from sfida.ai.search import run_search
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game


def view_of(state: GameState) -> View:
    """Return the view of the seat to move."""
    return state.view(state.to_move)


def started(game: Game, *moves: int) -> GameState:
    """Return a state of a game after some moves from its start."""
    state = game.initial_state()
    for move in moves:
        state.apply(move)
    return state


def after(state: GameState, move: int) -> GameState:
    """Return a copy of a state after one more move."""
    twin = state.clone()
    twin.apply(move)
    return twin


def decision(spec: str, plies: int, seed: int = 1, choices: int = 2) -> GameState:
    """Return a decision with at least `choices` moves, after some random moves."""
    rng = Random(seed)
    state = sfida.make(spec)
    while state.is_chance or plies > 0 or len(state.legal_moves()) < choices:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
        else:
            moves = state.legal_moves()
            state.apply(moves[rng.below(len(moves))])
            plies -= 1
    return state


def searched(view: View, iterations: int = 300, seed: int = 1, threads: int = 1, **parameters: Any) -> Search:
    """Search from a view with an iteration budget."""
    search = Search(view, seed, **parameters)
    assert run_search(search, threads, iterations=iterations) == "iterations"
    return search


def content(analysis: Analysis) -> tuple[Any, ...]:
    """Return the contents of an analysis, except for its time."""
    return analysis.iterations, analysis.value, analysis.moves, analysis.stopped


def mean_value(search: Search, seat: int = 0) -> float:
    """Return the mean win share of a seat over all iterations."""
    rows = search.root_edges()
    return sum(row["visits"] * row["value"][seat] for row in rows) / sum(row["visits"] for row in rows)
