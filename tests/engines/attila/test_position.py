"""The position of Attila: one set of names, and no information that its viewer cannot have."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.attila.position import Battle, Position, SeatPosition, position_of
from support.attila import play, position, setup, start


def names(kind: type) -> set[str]:
    return {one.name for one in fields(kind)}


def test_the_core_fills_every_field_under_its_name() -> None:
    given = play(setup("GER:FHGS", ["FFHHGG"]), "F@GER+1", "nobody").snapshot(0)
    assert set(given) == names(Position) - {"land"}
    assert {frozenset(seat) for seat in given["seats"]} == {frozenset(names(SeatPosition))}
    assert set(given["battle"]) == names(Battle)


def test_a_position_cannot_be_changed() -> None:
    seen = position(start())
    with pytest.raises(FrozenInstanceError):
        seen.turn = 2  # type: ignore[misc]


@pytest.mark.rule("ATT-6.5", "ATT-16.1", "ATT-16.9")
@pytest.mark.parametrize("options", ["", "open_commitments=true", "tile_windows=every_decision"])
def test_worlds_that_a_seat_cannot_tell_apart_are_one_position(options: str) -> None:
    state, rng, other = start(options, players=3), Random(5), 0
    while not state.is_over:
        for seat in range(3):
            world = state.clone()
            world.determinize(seat, rng)
            assert position_of(world, seat) == position_of(state, seat)
            assert position_of(world) == position_of(state)
            assert state.game.secrets(world, seat).keys() == state.game.secrets(state, seat).keys()
            other += position_of(world, (seat + 1) % 3) != position_of(state, (seat + 1) % 3)
        moves = state.legal_moves() if state.to_move >= 0 else [state.sample_chance(rng)]
        state.apply(moves[rng.below(len(moves))])
    assert other > 100


@pytest.mark.rule("ATT-16.1")
def test_cards_drawn_and_laid_are_no_last_moves() -> None:
    state = play(setup("GER:FHGS", ["FFHHGG"]), "F@GER+1", ":H")
    assert [position(state, seat).last for seat in (0, 1, None)] == [None] * 3
    assert [state.snapshot(seat)["seats"][0]["laid_cards"] for seat in (0, 1)] == [(0, 1, 0, 0, 0, 0), None]
