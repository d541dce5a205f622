"""Speed of engines and searches called from Python (`make bench`).

Engines: a clone, a list of legal moves, a move, a whole playout. `sfida bench` measures the same operations inside the
compiled code, without the cost of Python calls. Searches: 1,000 iterations, compared with 1,000 bare playouts from the
same position, so the ratio of their times is the cost of the tree; `python -m bench against-reference` prints it.
"""

from __future__ import annotations

from typing import Any

import pytest

import sfida
from sfida.ai.ismcts import search_for
from sfida.ai.research.searches import random_decisions
from sfida.ai.search import IsmctsOptions
from sfida.cython_ext.rng import Random
from sfida.cython_ext.search.flat import FlatSearch
from sfida.cython_ext.search.search import Search
from sfida.cython_ext.state import GameState

SPECS = ["carcassonne", "carcassonne:players=4,river=true", "tic_tac_toe", "kuhn_poker", "leduc_poker", "goofspiel",
         "phantom_tic_tac_toe"]
REAL = SPECS[:2]


def middle(spec: str, seed: int = 1) -> GameState:
    """Return a decision with a choice, halfway through a random game."""
    seen = random_decisions(sfida.make(spec), Random(seed), least=2)
    return seen[len(seen) // 2]


# ---- engines --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_clone(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    assert benchmark(state.clone).to_bytes() == state.to_bytes()


@pytest.mark.parametrize("spec", SPECS)
def test_legal_moves(benchmark: Any, spec: str) -> None:
    assert len(benchmark(middle(spec).legal_moves)) > 1


@pytest.mark.parametrize("spec", SPECS)
def test_apply(benchmark: Any, spec: str) -> None:
    """Time one checked move on a fresh copy; the copy is not counted."""
    state = middle(spec)
    move = state.legal_moves()[0]
    benchmark.pedantic(lambda twin: twin.apply(move), setup=lambda: ((state.clone(),), {}), rounds=500)


@pytest.mark.parametrize("spec", SPECS)
def test_view(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    benchmark(state.view, state.to_move)


@pytest.mark.parametrize("spec", SPECS)
def test_determinize(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    benchmark(state.determinize, state.to_move, Random(1))


@pytest.mark.parametrize("spec", SPECS)
def test_playout(benchmark: Any, spec: str) -> None:
    start, rng = sfida.make(spec), Random(1)
    shares, _ = benchmark(lambda: start.clone().random_playout(rng))
    assert sum(shares) == pytest.approx(1)


# ---- searches -------------------------------------------------------------------------------------------


ITERATIONS = 1000


def playouts(state: GameState) -> None:
    """Play 1,000 copies of a position to the end at random."""
    rng = Random(1)
    for _ in range(ITERATIONS):
        state.clone().random_playout(rng)


@pytest.mark.parametrize("spec", SPECS)
def test_bare_playouts(benchmark: Any, spec: str) -> None:
    benchmark(playouts, middle(spec))


def time_searches(benchmark: Any, search: Search) -> None:
    """Time searches of the same position, each from an empty tree."""
    def run() -> int:
        search.restart(search.view, 1)
        search.run(iterations=ITERATIONS)
        return search.visits

    assert benchmark(run) == ITERATIONS


@pytest.mark.parametrize("spec", SPECS)
def test_ismcts_full_playouts(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    search = Search(state.view(state.to_move), 1, decisive=False)
    time_searches(benchmark, search)


@pytest.mark.parametrize("spec", REAL)
def test_ismcts_as_it_plays(benchmark: Any, spec: str) -> None:
    """Search with the game's own defaults: priors, informed playouts, cutoff."""
    state = middle(spec)
    search = search_for(state.view(state.to_move), IsmctsOptions(), 1)
    time_searches(benchmark, search)


@pytest.mark.parametrize("spec", SPECS)
def test_flat(benchmark: Any, spec: str) -> None:
    state = middle(spec)
    view = state.view(state.to_move)

    def run() -> int:
        search = FlatSearch(view, 1)
        search.halve(ITERATIONS)
        return search.iterations

    assert benchmark(run) == ITERATIONS
