"""Aids of Attila: where tribes may go, what they pay, and conflicts, compared with the core in random games."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.attila.position import decode
from sfida.engines.attila.style import card_key, column_key, province_key, seat_name, tribes
from sfida.engines.registry import make
from support.playing import step

pytestmark = pytest.mark.release_only("aids are plain Python")


def test_provinces_open_to_a_tribe_are_those_where_its_token_may_go() -> None:
    rng, state, compared = Random(3), make("attila:players=3"), 0
    while not state.is_over:
        if state.phase == "place" and state.turn_number % 3 == 0:
            position = state.game.position(state)
            tribe = tribes()[position.card]
            open_to = {aid.place for aid in state.game.aids(state, None) if aid.kind == "fits"
                       and re.search(rf"every tribe|\b{tribe.name}\b", aid.words)}
            places = {decode(code).what for code in state.legal_moves() if decode(code).kind == "at"}
            assert open_to == {province_key(position.land, place) for place in places}
            compared += 1
        step(state, rng)
    assert compared > 5


def test_tribes_pay_what_a_scoring_brings_and_mark_their_provinces() -> None:
    rng, state, paid = Random(5), make("attila:players=4"), 0
    while not state.is_over:
        position = state.game.position(state)
        if state.phase == "play" and not position.queue and state.turn_number % 4 == 0:
            aids = {aid.place: aid for aid in state.game.aids(state, None) if aid.kind == "pays"}
            total = [0] * 4
            for tribe in tribes():
                aid = aids[column_key(tribe.number)]
                assert aid.marks == tuple(province_key(position.land, number)
                                          for number, here in enumerate(position.tokens) if here[tribe.number])
                for seat in range(4):
                    total[seat] += sum(map(int, re.findall(rf"\b{seat_name(seat)} (\d+)", aid.words)))
            assert total == [one.prospect for one in position.seats]
            paid += sum(total)
        step(state, rng)
    assert paid


def test_cards_are_told_to_their_holder_and_mark_where_they_lead() -> None:
    rng, state = Random(7), make("attila:players=3")
    for _ in range(60):
        step(state, rng)
    for viewer in range(3):
        hand = state.game.position(state, viewer).seats[viewer].hand
        told = {aid.place: aid.marks for aid in state.game.aids(state, viewer) if aid.place.startswith("card:")}
        assert set(told) == {card_key(tribe) for tribe, count in enumerate(hand) if count}
        for tribe in range(6):
            if hand[tribe]:
                assert len(told[card_key(tribe)]) == len(state.allowed(tribe))
    assert not [aid for aid in state.game.aids(state, None) if aid.place.startswith("card:")]
