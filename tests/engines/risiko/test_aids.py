"""Aids of RisiKo!: the odds of attacks against plain arithmetic, continents, sets of cards."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.registry import make
from sfida.engines.risiko.style import continents, neighbours, territory_key, territory_name
from support.playing import step
from support.risiko import setup

pytestmark = pytest.mark.release_only("aids are plain Python")


@cache
def throws(attack: int, defence: int) -> dict[int, float]:
    """Return the chance of each number of armies that the defender loses in one throw, by listing all throws."""
    found: dict[int, float] = {}
    for dice in product(range(6), repeat=attack + defence):
        mine, theirs = sorted(dice[:attack])[::-1], sorted(dice[attack:])[::-1]
        lost = sum(a > b for a, b in zip(mine, theirs, strict=False))
        found[lost] = found.get(lost, 0.0) + 6.0 ** -(attack + defence)
    return found


@cache
def conquest(attackers: int, defenders: int) -> float:
    """Return the chance that an attack to the end conquers a territory."""
    if defenders == 0:
        return 1.0
    if attackers < 2:
        return 0.0
    attack, defence = min(3, attackers - 1), min(3, defenders)
    return sum(chance * conquest(attackers - (min(attack, defence) - lost), defenders - lost)
               for lost, chance in throws(attack, defence).items())


def test_odds_are_those_of_all_throws_for_every_neighbour_that_can_attack() -> None:
    rng, state, compared = Random(8), make("risiko:players=3"), 0
    for event in range(500):
        step(state, rng, candidates=True)
        if event % 60 or event < 100 or state.is_over:
            continue
        position = state.game.position(state)
        told = {aid.place: aid for aid in state.game.aids(state, 0) if aid.kind == "odds"}
        for here, owner in enumerate(position.owner):
            attackers = {other for other in neighbours()[here]
                         if position.owner[other] != owner and position.armies[other] > 1}
            aid = told.get(territory_key(here))
            assert set(aid.marks if aid else ()) == set(map(territory_key, attackers))
            for other in attackers:
                assert aid is not None
                armies = position.armies[other], position.armies[here]
                shown = re.search(rf"{re.escape(territory_name(other))} \(\w+, \d+\) (\d+) %", aid.words)
                assert shown is not None
                if max(armies) < 12:
                    assert abs(float(shown[1]) - 100 * conquest(*armies)) <= 0.51
                    compared += 1
    assert compared > 100


def test_continents_are_counted() -> None:
    rng, state = Random(8), make("risiko:players=3")
    for _ in range(200):
        step(state, rng, candidates=True)
    position = state.game.position(state)
    for aid in state.game.aids(state, None):
        if aid.kind == "continents":
            (land,) = (one for one in continents() if one.name in aid.words)
            for seat in range(3):
                name = state.game.seat_name(seat).capitalize()
                held = sum(position.owner[place] == seat for place in land.territories)
                assert (f"{name} {held}" in aid.words) == (0 < held < len(land.territories))
            assert f"{land.bonus} armies" in aid.words


def test_cards_of_the_viewer_alone_are_told_with_their_best_set() -> None:
    state = setup("b ALK 5 TNO 3 | g EU | n rest", hands=["ALK GRO J1 TNO", "EGI", ""])
    cards = [aid for aid in state.game.aids(state, 0) if aid.place.startswith("card:")]
    assert {aid.place for aid in cards} == {"card:ALK", "card:GRO", "card:J1", "card:TNO"}
    assert {aid.place for aid in state.game.aids(state, 1) if aid.kind == "prices"} == {"card:EGI"}
    assert not [aid for aid in state.game.aids(state, None) if aid.kind == "prices"]
    assert {aid.marks for aid in cards if "you hold its territory" in aid.words} == {
        ("territory:ALK",), ("territory:TNO",)}
    best = {aid.place: aid for aid in cards if "best set" in aid.words}
    assert set(best) == {"card:ALK", "card:GRO", "card:TNO"}        # one of each; the joker finds no pair
    for place, aid in best.items():
        assert aid.words.endswith("brings 14 armies")
        assert set(aid.marks) == set(best) - {place}
    assert [aid.words for aid in cards if aid.place == "card:J1"] == ["no set with it yet"]
