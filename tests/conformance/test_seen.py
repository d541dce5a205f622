"""A seat's observation of an event, as the game states it, against trying alternative events."""

from __future__ import annotations

import pytest

from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState
from sfida.engines.registry import make
from support.short_games import short

SPECS = ["carcassonne:players=3", "settlers_of_zarahemla:players=3", "settlers_of_zarahemla:preset=catan,players=4",
         "risiko:players=3", "risiko:preset=tournament,players=4", "a_few_acres_of_snow", "attila:players=3",
         "attila:players=2,open_commitments=true", "kuhn_poker", "leduc_poker", "goofspiel", "phantom_tic_tac_toe",
         "tic_tac_toe"]
TRIED = 12          # alternative events that are tried for each event


def by_trying(before: GameState, codes: list[int]) -> list[GameState]:
    """Return the positions after each of some events."""
    positions = [before.clone() for _ in codes]
    for after, code in zip(positions, codes, strict=True):
        after.apply(code)
    return positions


@pytest.mark.release_only("thousands of moves, each recounted; test_games.py reads labels in both builds")
@pytest.mark.parametrize("spec", SPECS)
def test_a_seat_has_seen_what_nothing_else_would_have_looked_like(spec: str) -> None:
    found = set()
    for seed in range(6):
        rng, state = Random(derive(seed, 77)), make(short(spec))
        for _ in range(150):
            if state.is_over:
                break
            codes = state.legal_moves()
            tried = codes if len(codes) <= TRIED else sorted({codes[rng.below(len(codes))] for _ in range(TRIED)})
            positions = by_trying(state, tried)
            for seat in range(state.players):
                if seat == state.to_move:           # the mover knows its own move
                    continue
                rows = [(after.label(seat), after.saw_event(seat)) for after in positions]
                labels = [label for label, _ in rows]
                for (label, saw), code in zip(rows, tried, strict=True):
                    at = (spec, seed, state.format(code), seat)
                    if saw:
                        assert labels.count(label) == 1, at
                    elif saw is False and label:    # one card that could be the only one looks like any other
                        assert {one for one, seen in rows if not seen} == {label}, at
                    if len(tried) > 1:
                        found.add(saw)
            state.apply(codes[rng.below(len(codes))])
    if None not in found:                           # the game states all these observations
        assert found == ({True, False} if make(short(spec)).hidden else {True})
