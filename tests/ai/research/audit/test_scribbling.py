"""Scribbling over unused bytes of a position has no effect; scribbling over used bytes is noticed."""

import pytest

import sfida.testing
from sfida.ai.research.audit.of_sfida import PATTERNS, scribbled, scribbling_changes
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game
from sfida.testing import check_game

GAMES = ["carcassonne", "settlers_of_zarahemla", "risiko", "a_few_acres_of_snow", "attila"]


def played(name: str, plies: int, seed: int = 1):
    state, rng = make_game(name).initial_state(), Random(seed)
    for _ in range(plies):
        moves = state.legal_moves()
        state.apply(state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))])
    return state


@pytest.mark.parametrize("name", GAMES)
def test_unused_bytes_are_zero_and_show_nowhere(name):
    for plies in (0, 40, 120):
        state = played(name, plies)
        assert scribbled(state, 0) == state
        one, other = (scribbled(state, pattern) for pattern in PATTERNS)
        assert one != other                     # every game leaves some bytes unused
        for seat in range(state.players):
            assert one.view(seat).key() == other.view(seat).key() == state.view(seat).key()
        assert scribbling_changes(state) is None


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_on_as_if_nothing_were_scribbled(name):
    state, rng = played(name, 30), Random(2)
    twin = scribbled(state, 0xAA)
    for _ in range(60):
        moves = state.legal_moves()
        assert twin.legal_moves() == moves
        move = state.sample_chance(rng) if state.is_chance else moves[rng.below(len(moves))]
        state.apply(move)
        twin.apply(move)
        assert twin == state
        twin.scribble(0x55)


@pytest.mark.parametrize("pattern", [-1, 256])
def test_a_pattern_is_a_byte(pattern):
    with pytest.raises(ValueError, match="a pattern is a byte"):
        make_game("attila").initial_state().scribble(pattern)


def over_the_supply(state, pattern):
    """Scribble over used bytes of an Attila position: the supply of tokens."""
    twin = state.clone()
    data = bytearray(twin.to_bytes())
    offset = 8 * (5 + 5 + 5 + 5 + 3)            # hands, cards laid, cards shown, influence; pile, discards, given
    data[offset] = pattern & 15
    twin.load(bytes(data))
    return twin


def test_scribbling_over_what_is_used_is_noticed(monkeypatch):
    state = played("attila", 40)
    monkeypatch.setattr("sfida.ai.research.audit.of_sfida.scribbled", over_the_supply)
    assert scribbling_changes(state) is not None
    monkeypatch.setattr(sfida.testing, "scribbling_changes", lambda *args, **more: None)
    monkeypatch.setattr(sfida.testing, "scribbled", lambda state, pattern: over_the_supply(state, pattern)
                        if pattern else state)
    with pytest.raises(AssertionError, match="reads what the position before it does not use"):
        check_game("attila", seeds=1)
