"""Speed of the searches (`make bench`): 1,000 iterations each, compared with 1,000 bare playouts.

The search and the bare playouts start from the same position, so the ratio of their times is the cost of the tree;
`python -m bench against-reference` prints this ratio.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.speed import REAL, SPECS, middle
from sfida.ai.ismcts import search_for
from sfida.ai.search import IsmctsOptions
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.flat import FlatSearch
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState

ITERATIONS = 1000


def playouts(state: GameState) -> None:
    """Play 1,000 copies of a position to the end at random."""
    rng = Random(1)
    for _ in range(ITERATIONS):
        state.clone().random_playout(rng)


@pytest.mark.parametrize("spec", SPECS)
def test_bare_playouts(benchmark: Any, spec: str) -> None:
    benchmark(playouts, middle(spec))


@pytest.mark.parametrize("spec", SPECS)
def test_ismcts_full_playouts(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    search = Search(state.view(state.to_move), 1, decisive=False)

    def run() -> int:
        search.restart(search.view, 1)
        search.run(iterations=ITERATIONS)
        return search.visits

    assert benchmark(run) == ITERATIONS


@pytest.mark.parametrize("spec", REAL)
def test_ismcts_as_it_plays(benchmark: Any, spec: str) -> None:
    """Search with the game's own defaults: priors, informed playouts, cutoff."""
    state = middle(spec)
    search = search_for(state.view(state.to_move), IsmctsOptions(), 1)

    def run() -> int:
        search.restart(search.view, 1)
        search.run(iterations=ITERATIONS)
        return search.visits

    assert benchmark(run) == ITERATIONS


@pytest.mark.parametrize("spec", SPECS)
def test_flat(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    view = state.view(state.to_move)

    def run() -> int:
        search = FlatSearch(view, 1)
        search.halve(ITERATIONS)
        return search.iterations

    assert benchmark(run) == ITERATIONS
