"""Ghosts of what a choice would put on the board, and moves that are chosen together."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from sfida.cython_ext.state import GameState
from sfida.engines.registry import make_game

GAMES = ("carcassonne:players=2,river=true", "settlers_of_zarahemla:players=3", "risiko:players=3", "attila:players=3",
         "a_few_acres_of_snow")


def decisions(spec: str, seed: int = 3, most: int = 400) -> Iterator[GameState]:
    """Yield the positions of a random game at which a seat decides."""
    state, rng = make_game(spec).initial_state(), random.Random(seed)
    for _ in range(most):
        if state.is_over:
            return
        if state.to_move >= 0:
            yield state.clone()
        state.apply(rng.choice(state.legal_moves()))


def ghosts(drawn: str) -> list[list[str]]:
    """Return the keys of each ghost in a picture."""
    return [keys.split() for keys in re.findall(r'data-ghost="([^"]*)"', drawn)]


@pytest.mark.parametrize("game", GAMES)
def test_a_ghost_belongs_to_parts_of_legal_moves(game: str) -> None:
    shown = 0
    for state in list(decisions(game))[::5]:
        seat = int(state.to_move)
        known = {part.key for parts in state.game.move_parts(state, state.legal_moves()).values() for part in parts}
        for move in state.legal_moves():
            if state.game.goes_on(state, move):
                after = state.clone()
                after.apply(move)
                if not after.is_over and after.to_move == seat:
                    found = state.game.move_parts(after, after.legal_moves())
                    known |= {part.key for parts in found.values() for part in parts}
        for keys in ghosts(state.game.board_svg(state, seat=seat, labels=True)):
            shown += 1
            assert {key for key in keys if "@" not in key} <= known, keys
    assert shown


@pytest.mark.parametrize("game", GAMES)
def test_others_are_drawn_no_ghosts(game: str) -> None:
    for state in list(decisions(game))[::40]:
        others = [seat for seat in range(state.players) if seat != state.to_move]
        for seat in (others[0], None):
            assert not ghosts(state.game.board_svg(state, seat=seat, labels=True))
        assert not ghosts(state.game.board_svg(state, seat=int(state.to_move), labels=False))


def test_the_tile_in_hand_is_a_ghost_in_each_legal_rotation() -> None:
    for state in list(decisions(GAMES[0]))[::7]:
        turns = {part.key for parts in state.game.move_parts(state, state.legal_moves()).values() for part in parts
                 if part.key.startswith("turn:")}
        drawn = ghosts(state.game.board_svg(state, seat=int(state.to_move), labels=True))
        assert {key for keys in drawn for key in keys if key.startswith("turn:")} == turns


@pytest.mark.parametrize("game", GAMES)
def test_settings_have_one_usual_value(game: str) -> None:
    """At each step of a choice, the ranks of the settings differ, so that one of them is the usual one."""
    for state in list(decisions(game))[::5]:
        ranks: dict[tuple[str, ...], set[tuple[str, int]]] = {}
        for parts in state.game.move_parts(state, state.legal_moves()).values():
            for place, part in enumerate(parts):
                if part.dial is not None:
                    ranks.setdefault(tuple(one.key for one in parts[:place]), set()).add((part.key, part.dial))
        for found in ranks.values():
            assert len({dial for _key, dial in found}) == len(found)
