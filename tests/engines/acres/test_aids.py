"""Aids of A Few Acres of Snow, compared with the legal moves of random games."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.rng import Random
from sfida.engines.acres.position import decode
from sfida.engines.acres.style import cards, site_key
from sfida.engines.registry import make
from support.playing import step

pytestmark = pytest.mark.release_only("aids are plain Python")


def test_settling_besieging_and_raiding_are_as_told() -> None:
    settled = besieged = raided = 0
    for seed in range(3):
        rng, state = Random(seed), make("a_few_acres_of_snow:max_turns=60")
        while not state.is_over:
            moves = [decode(code) for code in state.legal_moves()] if state.phase == "main" else []
            if any(move.kind in ("besiege", "raid") for move in moves) or state.turns % 10 == 0:
                position = state.game.position(state)
                told = {(aid.kind, aid.place): aid for aid in state.game.aids(state, state.to_move)}
                for code, move in zip(state.legal_moves(), moves, strict=False):
                    place = site_key(move.place) if move.kind in ("settle", "besiege", "raid") else ""
                    if move.kind == "settle" and position.owner[move.place] < 0:
                        assert site_key(cards()[move.card].site) in told["ways", place].marks
                        settled += 1
                    elif move.kind == "besiege":
                        assert f"against defence {state.defence(move.place)}" in told["sieges", place].words
                        besieged += 1
                    elif move.kind == "raid":
                        needed = re.match(r"\d+", state.game.move_note(state, code))
                        assert needed is not None
                        assert f"takes {needed[0]} card" in told["odds", place].words
                        raided += 1
            step(state, rng)
    assert min(settled, besieged, raided) > 0


def test_cards_tell_their_price_and_uses_to_their_side_alone() -> None:
    rng, state = Random(1), make("a_few_acres_of_snow")
    while state.phase != "main":
        step(state, rng)
    for seat in range(2):
        told = {aid.place: aid.words for aid in state.game.aids(state, seat) if aid.kind == "prices"}
        hand = state.game.position(state, seat).seats[seat].hand
        assert {place for place in told if place.startswith("card:")} == {f"card:{cards()[one].code}" for one in hand}
        assert "price 5 money" in told["supply:HS"]
    assert not [aid for aid in state.game.aids(state, None) if aid.kind == "prices"]
