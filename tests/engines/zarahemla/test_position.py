"""The typed position: the core fills every field, for a viewer as far as its seat knows."""

from __future__ import annotations

from dataclasses import fields

import pytest

from sfida.cython_ext.rng import Random
from sfida.cython_ext.zarahemla.parameters import RESOURCE_NAMES
from sfida.engines.zarahemla.map import hexes_at
from sfida.engines.zarahemla.position import Position, SeatPosition, decode
from support.playing import step
from support.zarahemla import start


def test_the_core_fills_the_fields_by_their_names() -> None:
    raw = start("zarahemla:players=3").snapshot()
    assert set(raw) == {field.name for field in fields(Position)}
    assert all(set(one) == {field.name for field in fields(SeatPosition)} for one in raw["seats"])


@pytest.mark.rule("ZAR-17.1")
def test_a_viewer_sees_the_own_cards_and_what_follows_of_the_others() -> None:
    state, rng = start("zarahemla:players=3"), Random(6)
    hidden = 0
    for _ in range(2500):
        if state.is_over:
            break
        for viewer in range(3):
            seats = state.game.position(state, viewer).seats
            assert (seats[viewer].hand, seats[viewer].hand_size) == (state.hand(viewer), sum(state.hand(viewer)))
            assert [one.hand for one in seats] == state.known_hands(viewer)
            assert sum(n for _, n in seats[viewer].cards or ()) == seats[viewer].card_count
            assert all(one.cards is None for i, one in enumerate(seats) if i != viewer and one.card_count)
            hidden += sum(one.hand is None for one in seats)
        step(state, rng)
    assert hidden > 0


def test_the_last_move_is_named_as_it_is_decoded() -> None:
    state, rng = start("zarahemla:players=4"), Random(2)
    for _ in range(600):
        legal = [code for code, _ in state.chance_outcomes()] if state.is_chance else state.legal_moves()
        move = legal[rng.below(len(legal))]
        state.apply(move)
        made = decode(move)
        seen = None if made.kind in ("draw_dev", "stolen_card") else (made.kind, made.arg)
        assert state.game.position(state).last == seen


def test_holders_are_those_whose_seats_say_so() -> None:
    state = start("zarahemla:players=3")
    while state.is_chance:
        state.apply(state.chance_outcomes()[0][0])
    state.arrange(stones=[0, 3, 0], holders=(2, -1, 1))
    position = state.game.position(state)
    assert position.holders == (2, -1, 1)
    assert [one.temple for one in position.seats] == [False, True, False]


@pytest.mark.rule("ZAR-6.2", "ZAR-7.12", "ZAR-13.8")
def test_income_and_cards_elsewhere_are_those_counted_by_hand() -> None:
    state, rng = start("zarahemla:players=3"), Random(11)
    chances = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    for _ in range(1500):
        position = state.game.position(state)
        for seat in range(3):
            found = dict.fromkeys(RESOURCE_NAMES, 0)
            for corner, owner, kind in position.buildings:
                for number in hexes_at()[corner] if owner == seat else ():
                    if number != position.robber and position.numbers[number]:
                        found[position.terrain[number]] += (1 + (kind == "city")) * chances[position.numbers[number]]
            assert state.income(seat) == list(found.values())
            others = [sum(state.hand(other)[kind] for other in range(3) if other != seat) for kind in range(5)]
            assert state.others_hold(seat) == others
        if state.is_over:
            break
        step(state, rng)
