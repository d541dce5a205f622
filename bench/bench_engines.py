"""Speed of the engines called from Python (`make bench`): a clone, a list of legal moves, a move, a whole playout.

`sfida bench` measures the same operations inside the compiled code, without the cost of Python calls.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import sfida
from bench.speed import SPECS, middle
from sfida.cython_ext.rng import Random


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
