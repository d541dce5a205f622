"""Speed of single calls and whole searches, from Python (`make bench`); `sfida bench` has the figures by game."""

from __future__ import annotations

from typing import Any

import pytest

import sfida
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search import Search
from sfida.cython_ext.state import GameState

SPECS = ["carcassonne", "carcassonne:river=true,players=4", "kuhn_poker"]


def middle(spec: str) -> GameState:
    """A position some way into the game, with a player to move."""
    rng = Random(1)
    state = sfida.make(spec)
    last = state.clone()
    for _ in range(150):
        if state.is_over:
            break
        if not state.is_chance:
            last = state.clone()
        state.apply(state.sample_chance(rng) if state.is_chance else state.legal_moves()[0])
    return last


@pytest.mark.parametrize("spec", SPECS)
def test_random_playout(benchmark: Any, spec: str) -> None:
    start, rng = sfida.make(spec), Random(1)
    benchmark(lambda: start.clone().random_playout(rng))


@pytest.mark.parametrize("spec", SPECS)
def test_clone(benchmark: Any, spec: str) -> None:
    benchmark(middle(spec).clone)


@pytest.mark.parametrize("spec", SPECS)
def test_legal_moves(benchmark: Any, spec: str) -> None:
    benchmark(middle(spec).legal_moves)


@pytest.mark.parametrize("spec", SPECS)
def test_determinize(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    benchmark(state.determinize, state.to_move, Random(1))


@pytest.mark.parametrize("spec", SPECS)
def test_search_1000_iterations(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    view = state.view(state.to_move)
    benchmark(lambda: Search(view, 1).run(iterations=1000))
