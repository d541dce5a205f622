"""Gaps and the tiles that fill them, compared with the plain rules in random games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sfida.cython_ext.carcassonne.core import CarcassonneState
from sfida.cython_ext.rng import Random
from sfida.engines.carcassonne.advice import Stack, gaps_of
from sfida.engines.carcassonne.options import CarcassonneOptions
from sfida.engines.carcassonne.position import Follower, LaidFeature, PlacedTile, Position
from sfida.engines.registry import make_game
from support.playing import step
from support.recounts.carcassonne import find_features, legal_placements

pytestmark = pytest.mark.release_only("gaps are plain Python")

SPECS = ("carcassonne:players=3", "carcassonne:players=2,river=true")


def positions(spec: str, seed: int, every: int) -> Iterator[tuple[CarcassonneState, Position, CarcassonneOptions]]:
    """Yield some states of a random game in which land tiles are drawn, and the last one."""
    game = make_game(spec)
    state, rng = game.initial_state(), Random(seed)
    while not state.is_over:
        position = game.position(state)
        if position.phase == "draw" and not position.river_remaining and len(position.tiles) % every == 0:
            yield state, position, game.options
        step(state, rng)
    yield state, game.position(state), game.options


def claimed(position: Position) -> list[LaidFeature]:
    features = find_features(position.tiles, position.followers, position.players)
    return [one for one in features if one.kind != "field" and not one.complete and any(one.followers)]


def completes(position: Position, feature: LaidFeature, tile: PlacedTile) -> bool:
    after = find_features((*position.tiles, tile), position.followers, position.players)
    return any(one.complete and set(feature.segments) <= set(one.segments) for one in after)


@pytest.mark.parametrize("spec", SPECS)
def test_the_tiles_that_complete_a_feature_are_those_with_a_legal_placement_that_does(spec: str) -> None:
    compared = 0
    for state, position, options in positions(spec, 4, 12):
        stack = Stack(state)
        for feature in claimed(position):
            gaps = gaps_of(position, feature, stack.grid)
            if len(gaps) == 1:
                (cell,) = gaps
                expected = sum(copies for code, copies in position.remaining.items()
                               if any((x, y) == cell and completes(position, feature, PlacedTile(code, x, y, k))
                                      for x, y, k in legal_placements(position.tiles, code, options)))
                assert stack.completing(feature, cell) == expected
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("spec", SPECS)
def test_a_follower_at_a_gap_that_no_tile_fits_stays_to_the_end(spec: str) -> None:
    stuck: set[Follower] = set()
    for seed in range(4):
        stuck.clear()
        for state, position, _ in positions(spec, seed, 3):
            assert stuck <= set(position.followers)
            stack = Stack(state)
            for feature in claimed(position):
                if not all(map(stack.fitting, gaps_of(position, feature, stack.grid))):
                    stuck |= {one for one in position.followers if (one.tile, one.segment) in feature.segments}
    assert stuck
