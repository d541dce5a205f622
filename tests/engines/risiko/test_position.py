"""The position of RisiKo!: one set of names, and no information that its viewer cannot have."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.risiko.position import Position, SeatPosition, position_of
from support.risiko import position, setup, start

TOLD = {"objective_name", "goal", "progress"}           # fields in words, for which the position has no language


def names(kind: type) -> set[str]:
    return {one.name for one in fields(kind)}


def test_the_core_fills_every_field_under_its_name() -> None:
    given = start().snapshot(0)
    assert set(given) == names(Position) - {"hunted"}
    assert {frozenset(seat) for seat in given["seats"]} == {frozenset(names(SeatPosition) - TOLD)}


def test_a_position_cannot_be_changed() -> None:
    seen = position(start())
    with pytest.raises(FrozenInstanceError):
        seen.round = 2  # type: ignore[misc]


@pytest.mark.rule("RIS-16.4", "RIS-16.5")
@pytest.mark.parametrize("options", ["preset=base", "preset=rtu", "reveal_objective_on_elimination=true"])
def test_worlds_that_a_seat_cannot_tell_apart_are_one_position(options: str) -> None:
    state, rng, other = start(f"risiko:{options}", players=3), Random(5), 0
    for _ in range(600):
        if state.is_over:
            break
        for seat in range(3):
            world = state.clone()
            world.determinize(seat, rng)
            assert position_of(world, seat) == position_of(state, seat)
            assert position_of(world) == position_of(state)
            assert state.game.secrets(world, seat).keys() == state.game.secrets(state, seat).keys()
            other += position_of(world, (seat + 1) % 3) != position_of(state, (seat + 1) % 3)
        moves = state.candidate_moves() if state.to_move >= 0 else [state.sample_chance(rng)]
        state.apply(moves[rng.below(len(moves))])
    assert other > 100


@pytest.mark.rule("RIS-15.4", "RIS-16.3")
def test_who_draws_a_card_sees_it_alone() -> None:
    state = setup("b CIN 5 | g NA | n *", phase="turn_end", conquests=1)
    assert state.phase == "draw"
    card = state.deck_cards()[7]
    state.apply(next(code for code in (code for code, _ in state.chance_outcomes()) if code & 63 == card))
    assert [state.snapshot(seat)["last"] & 63 for seat in (0, 1, None)] == [card, 63, 63]
    assert [state.snapshot(seat)["seats"][0]["cards"] for seat in (0, 1)] == [(card,), None]
