"""The typed position: the core fills every field, and its features equal those found by flood fill."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

import sfida
from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.cython_ext.rng import Random
from sfida.engines.carcassonne.position import LaidFeature, Position
from support.playing import step
from support.recounts.carcassonne import completed_points, find_features, incomplete_points

SPECS = ("carcassonne:players=3", "carcassonne:players=2,river=true,city2_scoring=full")


def counted(position: Position, state: CarcassonneState) -> tuple[LaidFeature, ...]:
    """Return the features by flood fill, with their points."""
    def points(one: LaidFeature) -> int:
        if one.kind == "field":
            return 0
        return completed_points(one, state.game.options) if one.complete else incomplete_points(one)
    return tuple(replace(one, points=points(one))
                 for one in find_features(position.tiles, position.followers, position.players))


def test_the_core_fills_the_fields_by_their_names() -> None:
    state = sfida.make("carcassonne")
    assert isinstance(state, CarcassonneState)
    assert set(state.snapshot()) == {field.name for field in fields(Position)}


@pytest.mark.rule("CAR-7.16", "CAR-10.11", "CAR-12.2")
@pytest.mark.parametrize("spec", SPECS)
def test_features_are_those_of_flood_fill(spec: str) -> None:
    for seed in range(3):
        state, rng = sfida.make(spec), Random(seed)
        assert isinstance(state, CarcassonneState)
        while not state.is_over:
            position = state.game.position(state)
            assert position.features == counted(position, state)
            step(state, rng)


@pytest.mark.parametrize("spec", SPECS)
def test_the_scoring_of_a_turn_is_that_of_the_features_before_it(spec: str) -> None:
    """A follower's state before scoring has the deployed follower, the laid tile and nothing scored."""
    state, rng = sfida.make(spec), Random(4)
    assert isinstance(state, CarcassonneState)
    while not state.is_over:
        if state.phase in ("place", "deploy"):
            for move in state.legal_moves()[:3]:
                before = state.to_bytes()
                twin = state.unscored(move)
                position = state.game.position(twin)
                assert position.features == counted(position, state)
                assert (position.scores, twin.to_move) == (state.game.position(state).scores, state.to_move)
                assert state.to_bytes() == before
        step(state, rng)
