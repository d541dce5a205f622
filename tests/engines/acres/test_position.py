"""The position of A Few Acres of Snow: one set of names, and no information that its viewer cannot have."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.acres.position import Action, Position, SeatPosition, Siege, position_of
from support.acres import B, F, draw, play, position, setup, start

ADDED = {"by_board", "every_ship"}      # options, which the position has from the game


def names(kind: type) -> set[str]:
    return {one.name for one in fields(kind)}


def test_the_core_fills_every_field_under_its_name() -> None:
    state = play(setup("NYK RI SA", "QUE", sites="B.HAL", sieges=((F, "PEM", "RI", "MI"),)), "pass")
    given = state.snapshot(B)
    assert set(given) == names(Position) - ADDED
    assert {frozenset(side) for side in given["seats"]} == {frozenset(names(SeatPosition))}
    assert {frozenset(siege) for siege in given["sieges"]} == {frozenset(names(Siege))}
    assert set(given["action"]) == names(Action)


def test_a_position_cannot_be_changed() -> None:
    seen = position(start())
    with pytest.raises(FrozenInstanceError):
        seen.turn = 2  # type: ignore[misc]


@pytest.mark.rule("FAS-17.4", "FAS-17.5")
def test_worlds_that_a_seat_cannot_tell_apart_are_one_position() -> None:
    state, rng, other = start("acres:max_turns=60"), Random(5), 0
    while not state.is_over:
        for seat in range(2):
            world = state.clone()
            world.determinize(seat, rng)
            assert position_of(world, seat) == position_of(state, seat)
            assert position_of(world) == position_of(state)
            other += position_of(world, 1 - seat) != position_of(state, 1 - seat)
        moves = state.legal_moves()
        state.apply(state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))])
    assert other > 20


def test_an_action_is_told_after_it_is_done() -> None:
    state = play(setup("ALB STM", "QUE", sites="B.ALB"), "develop ALB STM")
    seen = position(state)
    assert (seen.verb, seen.site, seen.chosen) == ("", -1, ())
    assert seen.action is not None
    assert (seen.action.seat, seen.action.text, seen.last_site) == (B, "develop ALB STM", seen.action.site)
    drawn = draw(play(setup("BOS", "QUE", decks=("NYK PHI", "")), "pass", "pass", "end"), "NYK")
    assert position(drawn).stage == "draw"
