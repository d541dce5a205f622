"""Aids of Carcassonne, compared with the plain rules in random games."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.carcassonne.style import cell_key, stack_key
from sfida.engines.registry import make
from support.playing import step
from support.recounts.carcassonne import find_features, legal_placements

pytestmark = pytest.mark.release_only("aids are plain Python")


def test_the_tiles_that_fit_a_cell_are_those_with_a_legal_placement_there() -> None:
    rng, state, gaps = Random(5), make("carcassonne:players=2"), 0
    while not state.is_over:
        position = state.game.position(state)
        if position.phase == "draw" and len(position.tiles) % 9 == 0:
            told = {aid.place: aid for aid in state.game.aids(state, None) if aid.kind in ("fits", "gaps")}
            assert set(told) == {*(cell_key(x, y) for x, y in position.open_places),
                                 *map(stack_key, position.remaining)}
            fitting = {code: {(x, y) for x, y, _turn in legal_placements(position.tiles, code, state.game.options)}
                       for code in position.remaining}
            for code, cells in fitting.items():
                assert set(told[stack_key(code)].marks) == {cell_key(x, y) for x, y in cells}
            for cell in position.open_places:
                aid = told[cell_key(*cell)]
                codes = [code for code in position.remaining if cell in fitting[code]]
                assert set(aid.marks) == set(map(stack_key, codes))
                assert aid.kind == ("fits" if codes else "gaps")
                if codes:
                    count = sum(position.remaining[code] for code in codes)
                    assert aid.words.startswith(f"{count} tile")
                    assert all(f"{position.remaining[code]} {code}" in aid.words for code in codes)
                gaps += aid.kind == "gaps"
        step(state, rng)
    assert gaps


def test_features_are_told_whole_with_their_owners_and_points() -> None:
    rng, state, held = Random(6), make("carcassonne:players=3"), 0
    for number in range(170):
        step(state, rng)
        if number % 34:
            continue
        position = state.game.position(state)
        told = [aid for aid in state.game.aids(state, 0) if aid.kind == "owners" and aid.place.startswith("feature:")]
        features = find_features(position.tiles, position.followers, position.players)
        assert len(told) == len(features)
        by_segments = {frozenset(one.segments): one for one in features}
        for number_of, aid in enumerate(told):
            feature = by_segments[frozenset(position.features[number_of].segments)]
            owners = [seat for seat, name in enumerate(("Red", "Blue", "Yellow"))
                      if re.search(rf"(held|shared) by [^;]*{name}", aid.words)]
            most = max(feature.followers)
            assert owners == [seat for seat, count in enumerate(feature.followers) if count == most > 0]
            held += bool(owners)
            if feature.kind != "field":
                assert re.search(rf"\b{position.features[number_of].points} points?\b", aid.words)
    assert held > 10


def test_only_the_tile_in_hand_keeps_a_cell_from_being_a_gap() -> None:
    found = 0
    for seed in range(12):
        rng, state = Random(seed), make("carcassonne:players=2")
        while not state.is_over:
            for aid in state.game.aids(state, None) if state.phase == "place" else ():
                if aid.words == "only the tile in hand fits here":
                    position = state.game.position(state)
                    assert aid.place in {cell_key(x, y) for x, y, _turn in position.placements}
                    found += 1
            step(state, rng)
        if found:
            return
    assert found
