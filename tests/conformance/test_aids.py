"""Aids stand at places of the drawing, and tell a viewer nothing that it cannot know."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, restore
from sfida.engines.registry import game_class, game_names, make
from support.playing import step

pytestmark = pytest.mark.release_only("aids are plain Python")

BOARDS = ["carcassonne:players=3", "carcassonne:players=2,river=true,farmers=false",
          "settlers_of_zarahemla:players=3", "settlers_of_zarahemla:preset=catan,players=4", "risiko:players=3",
          "risiko:preset=tournament,players=4", "attila:players=3", "attila:players=2,open_commitments=true",
          "a_few_acres_of_snow"]
SPECS = [*(name for name in game_names() if game_class(name).example), *BOARDS]
HIDING = [spec for spec in BOARDS if make(spec).hidden]
EVERY = 37              # events between two positions that are looked at
LONGEST = 1500


def positions(spec: str, seed: int) -> Iterator[GameState]:
    """Yield positions throughout a random game, the last one among them."""
    rng, state = Random(derive(seed, 12)), make(spec)
    for number in range(LONGEST):
        if state.is_over:
            break
        if number % EVERY == 0:
            yield state
        step(state, rng, candidates=number % 2 == 0)
    yield state


def redacted(state: GameState, viewer: int | None) -> GameState:
    """Return the position without what a viewer cannot know, as pages are made from it."""
    seen = state.clone()
    for seat in range(state.players) if viewer is None else (viewer,):
        seen = restore(state.game, seen.view(seat).key())
    return seen


@pytest.mark.parametrize("spec", SPECS)
def test_aids_stand_at_places_of_the_drawing(spec: str) -> None:
    kinds = set()
    for state in positions(spec, 1):
        game = state.game
        for viewer in (None, 0, state.players - 1):
            aids = game.aids(state, viewer)
            drawn = set(re.findall(r'data-place="([^"]+)"', game.board_svg(state, seat=viewer)))
            assert {key for aid in aids for key in (aid.place, *aid.marks)} <= drawn
            assert len({(aid.place, aid.title) for aid in aids}) == len({aid.place for aid in aids})
            for aid in aids:
                assert aid.title.strip()
                assert aid.words.strip()
                assert not re.search(r"[{}]|\bNone\b|\.$", aid.words), aid
                kinds.add(aid.kind)
    assert kinds == set(make(spec).game.aid_kinds)


@pytest.mark.parametrize("spec", HIDING)
def test_aids_tell_nothing_hidden(spec: str) -> None:
    """The whole position, the redacted one, and worlds with other secrets all give a viewer the same aids."""
    rng, told = Random(4), 0
    for state in positions(spec, 2):
        for viewer in (None, *range(state.players)):
            aids = state.game.aids(state, viewer)
            assert state.game.aids(redacted(state, viewer), viewer) == aids
            for seat in range(state.players) if viewer is None else (viewer,):
                world = state.clone()
                world.determinize(seat, rng)
                assert state.game.aids(world, viewer) == aids
            told += len(aids)
    assert told > 500
