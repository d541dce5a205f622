"""Aids of Zarahemla: yields by rolling, prices and lacking cards where one can build, rates, odds."""

from __future__ import annotations

import re
from itertools import product

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.registry import make
from sfida.engines.zarahemla.map import hexes_at
from sfida.engines.zarahemla.position import decode
from sfida.engines.zarahemla.style import RESOURCES, costs
from support.playing import step

pytestmark = pytest.mark.release_only("aids are plain Python")
PLACED = {"settle": "corner", "city": "corner", "road": "edge"}


def test_corners_tell_the_rolls_that_bring_something() -> None:
    rng, state = Random(2), make("settlers_of_zarahemla:players=3")
    for _ in range(150):
        step(state, rng, candidates=True)
    position = state.game.position(state)
    told = {aid.place: aid.words for aid in state.game.aids(state, None) if aid.kind == "yields"}
    for corner, around in enumerate(hexes_at()):
        tokens = {position.numbers[number] for number in around if number != position.robber}
        rolls = sum(a + b in tokens for a, b in product(range(1, 7), repeat=2))
        assert (f": {rolls} of 36" in told[f"corner:{corner}"]) == (rolls > 0)


def test_prices_stand_where_the_viewer_can_build_with_what_it_lacks() -> None:
    rng, state, built = Random(3), make("settlers_of_zarahemla:players=3"), 0
    for _ in range(900):
        step(state, rng, candidates=True)
        if state.is_over or state.phase != "main" or built > 40:
            continue
        seat = state.to_move
        told = {aid.place: aid.words for aid in state.game.aids(state, seat) if aid.kind == "prices"}
        for move in map(decode, state.legal_moves()):
            if move.kind in PLACED:
                assert "you can pay it" in told[f"{PLACED[move.kind]}:{move.arg}"]
                built += 1
        lacking = [max(0, cost - held) for cost, held in zip(costs()["dev_card"], state.hand(seat), strict=True)]
        assert ("you lack" in told["deck"]) == any(lacking)
        for name, number in zip(RESOURCES, lacking, strict=True):
            assert (f"{number} {name}" in told["deck"].partition("you lack")[2]) == (number > 0)
        for number, name in enumerate(RESOURCES):
            assert told[f"hand:{name}"].startswith(f"{state.rates(seat)[number]} {name} ")
    assert built


def test_a_road_marks_all_roads_of_its_owner_and_hexes_tell_harvests() -> None:
    rng, state = Random(4), make("settlers_of_zarahemla:players=3")
    for _ in range(300):
        step(state, rng, candidates=True)
    position = state.game.position(state)
    aids = state.game.aids(state, 1)
    roads = {aid.place: aid.marks for aid in aids if aid.kind == "owners" and aid.place.startswith("edge")}
    assert roads == {f"edge:{edge}": tuple(f"edge:{other}" for other, seat in position.roads if seat == owner)
                     for edge, owner in position.roads}
    income = [0] * 3
    names = [state.game.seat_name(seat).capitalize() for seat in range(3)]
    for aid in aids:
        if aid.kind == "yields" and aid.place.startswith("hex") and "robber" not in aid.words:
            for name, cards in re.findall(r"(\w+) (\d+)(?=,|$)", aid.words.partition("rolls: ")[2]):
                income[names.index(name)] += int(cards)
    assert income == [sum(state.income(seat)) for seat in range(3)]
