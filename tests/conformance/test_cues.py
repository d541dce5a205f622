"""What a page shows of an event in motion: well-formed pictures, places that are drawn, and no secret."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.narration import Cue
from sfida.engines.registry import make
from support.alike import HIDING, twins_of

pytestmark = pytest.mark.release_only("drawing takes most of it, and is not compiled")

BOARDS = {"carcassonne": {"lay", "card", "change"}, "settlers_of_zarahemla:players=3": {"lay", "card", "dice"},
          "risiko:players=3": {"lay", "card", "clash"}, "attila:players=3": {"lay", "card", "change", "clash"},
          "a_few_acres_of_snow": {"lay", "card", "change"}}
LONGEST = 800           # events of random games
LOOKED_AT = 12          # every so many events the places are compared with the drawing


def seen(game: Game, before: GameState, move: int, after: GameState, viewer: int | None) -> tuple[Cue, ...]:
    cues: tuple[Cue, ...] = game.cues(before, move, after, viewer)
    return cues


@pytest.mark.parametrize("spec", BOARDS)
def test_cues_have_pictures_places_and_faces(spec: str) -> None:
    rng, state = Random(derive(8, 31)), make(spec)
    game, kinds = state.game, Counter[str]()
    for number in range(LONGEST):
        if state.is_over:
            state = make(spec)
        codes = state.legal_moves()
        move = codes[rng.below(len(codes))]
        after = state.clone()
        after.apply(move)
        found = seen(game, state, move, after, None)
        kinds.update(cue.kind for cue in found)
        drawn = game.board_svg(state) + game.board_svg(after) if number % LOOKED_AT == 0 else ""
        for cue in found:
            assert cue.places
            assert cue.picture or cue.kind in ("card", "dice"), cue
            assert all(1 <= face <= 6 for side in cue.faces for face in side)
            if cue.picture:
                picture = ET.fromstring(cue.picture)
                assert picture.get("viewBox")
                assert {use.attrib["href"][1:] for use in picture.iter() if "href" in use.attrib} <= {
                    each.get("id") for each in picture.iter()}
            for place in cue.places if drawn else ():
                assert not place or place.startswith("seat:") or f'data-place="{place}"' in drawn, cue
        state = after
    assert BOARDS[spec] <= kinds.keys()


@pytest.mark.parametrize("spec", [spec for spec in BOARDS if make(spec).hidden])
def test_unseen_events_have_the_same_cues(spec: str) -> None:
    """Whatever other event could have been seen in the same way, a viewer is shown the same."""
    rng, state = Random(derive(9, 31)), make(spec)
    game, compared, face_down = state.game, 0, 0
    for _ in range(LONGEST):
        if state.is_over:
            break
        codes = state.legal_moves()
        move = codes[rng.below(len(codes))]
        after = state.clone()
        after.apply(move)
        for viewer in (None, *range(state.players)):
            told = game.told_notation(state, move, after, viewer)
            if told == game.format_move(state, move):
                continue                                    # the viewer saw all of it
            shown = seen(game, state, move, after, viewer)
            assert all(not cue.picture for cue in shown if cue.kind == "card")
            face_down += any(cue.kind == "card" for cue in shown)
            for other in codes[:8]:
                instead = state.clone()
                instead.apply(other)
                if game.told_notation(state, other, instead, viewer) == told:
                    assert seen(game, state, other, instead, viewer) == shown
                    compared += other != move
        state = after
    assert face_down
    assert compared


@pytest.mark.parametrize("game", HIDING)
def test_histories_that_look_alike_have_the_same_cues(game: str) -> None:
    engine, compared = make(game).game, 0
    for seat in range(engine.players):
        for one, other in twins_of(game, seat, 6, 7):
            shown = []
            for moves in (one, other):
                state, cues = engine.initial_state(), []
                for move in moves:
                    before = state.clone()
                    state.apply(move)
                    cues.append(seen(engine, before, move, state, seat))
                shown.append(cues)
            assert shown[0] == shown[1]
            compared += 1
    assert compared
