"""The features of a learned evaluation of Carcassonne: names, meaning, symmetry over seats."""

from __future__ import annotations

import math

import pytest

import sfida
from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.cython_ext.carcassonne.parameters import FEATURES
from sfida.cython_ext.rng import Random
from support.recounts.carcassonne import check_features

SPECS = ["carcassonne:players=2", "carcassonne:players=3", "carcassonne:players=5", "carcassonne:river=false,players=4"]


def played(spec: str, seed: int) -> list[int]:
    """Return the moves of a random game."""
    state, rng = sfida.make(spec), Random(seed)
    moves = []
    while not state.is_over:
        move = state.sample_chance(rng) if state.is_chance else state.legal_moves()[rng.below(len(state.legal_moves()))]
        moves.append(move)
        state.apply(move)
    return moves


@pytest.mark.parametrize("spec", SPECS)
def test_features_do_not_depend_on_the_numbers_of_seats(spec: str) -> None:
    here, there = (sfida.make(f"{spec},first_player={seat}") for seat in range(2))
    for move in played(f"{spec},first_player=0", 3):
        here.apply(move)
        there.apply(move)
        for seat in range(here.players):
            mine = here.features(seat)
            assert tuple(mine) == tuple(FEATURES)
            assert mine == pytest.approx(there.features((seat + 1) % here.players), abs=1e-9)


@pytest.mark.rule("CAR-7.11", "CAR-10.11")
@pytest.mark.parametrize("spec", SPECS)
def test_features_agree_with_the_recount(spec: str) -> None:
    state = sfida.make(spec)
    assert isinstance(state, CarcassonneState)
    for number, move in enumerate(played(spec, 4)):
        state.apply(move)
        if number % 4 == 0 and not state.is_over:
            check_features(state.game.position(state), [state.features(seat) for seat in range(state.players)],
                           state.game.options)


@pytest.mark.parametrize("spec", SPECS)
def test_ranges(spec: str) -> None:
    state = sfida.make(spec)
    for move in played(spec, 5):
        state.apply(move)
        rows = [state.features(seat) for seat in range(state.players)]
        assert all(math.isfinite(value) for row in rows for value in row.values())
        assert all(row[name] >= 0.0 for row in rows for name in FEATURES if name not in ("ahead", "lead", "turns"))
        assert sum(row["ahead"] for row in rows) == pytest.approx(0.0, abs=1e-9)
        assert sum(row["turns"] for row in rows) == pytest.approx(0.0, abs=1e-9)
        assert len({row["left"] for row in rows}) == 1
