"""The value function: its values, and its key, which changes with everything that the values depend on."""

import re
import subprocess
import sys

import numpy as np
import pytest

import sfida
from sfida.ai.luck.value import Value, ValueOptions
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.lookahead import Lookahead
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game

QUICK = ValueOptions(playouts=2, cutoff=2)


def test_every_board_game_says_how_it_is_valued():
    for game in ("carcassonne", "zarahemla", "risiko", "attila", "a_few_acres_of_snow"):
        value = Value(make_game(game))
        assert value.options != ValueOptions(), game
        assert 0 < value.options.trust <= 1


@pytest.mark.parametrize("game", ["carcassonne", "zarahemla", "risiko", "attila", "a_few_acres_of_snow", "leduc_poker",
                                  "tic_tac_toe"])
def test_values_are_shares_of_the_win(game):
    state, rng = sfida.make(game), Random(3)
    value = Value(state.game, QUICK)
    for number in range(30):
        if state.is_over:
            break
        codes = ([code for code, _ in state.chance_outcomes()] if state.is_chance else state.legal_moves())[:5]
        found = np.array(value.after(state, codes, number))
        assert found.shape == (len(codes), state.players)
        assert found.sum(axis=1) == pytest.approx(np.ones(len(codes)))
        assert (found >= 0).all()
        assert (found == value.after(state, codes, number)).all()
        state.apply(state.sample_chance(rng) if state.is_chance else codes[0])


def test_a_won_game_is_worth_what_was_won():
    game = make_game("tic_tac_toe")
    state = game.initial_state()
    for text in ("a1", "b1", "a2", "b2"):
        state.apply(state.parse(text))
    assert Value(game, QUICK).after(state, [state.parse("a3")], 0) == [(1.0, 0.0)]


def test_trust_is_a_factor():
    state = sfida.make("leduc_poker")
    codes = [code for code, _ in state.chance_outcomes()]
    whole, half = (np.array(Value(state.game, ValueOptions(playouts=4, trust=trust)).after(state, codes, 1))
                   for trust in (1.0, 0.5))
    assert whole * 0.5 == pytest.approx(half)


def test_playouts_of_outcomes_share_their_random_numbers():
    """Equivalent outcomes, such as the suits in Leduc poker, have the same value."""
    state = sfida.make("leduc_poker")
    codes = [code for code, _ in state.chance_outcomes()][:2]
    found = Value(state.game, QUICK).after(state, [codes[0], codes[0]], 7)
    assert found[0] == found[1]


# ---- the key ----------------------------------------------------------------------------------------


def test_the_key_is_the_same_in_every_run():
    code = ("from sfida.ai.luck.value import Value, ValueOptions; from sfida.engines.registry import make_game\n"
            "print(Value(make_game('carcassonne'), ValueOptions(playouts=2, cutoff=2)).key)")
    told = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
            for _ in range(2)}
    assert told == {Value(make_game("carcassonne"), QUICK).key}
    assert re.fullmatch("[0-9a-f]{16}", *told)


def test_the_key_changes_with_options_and_rules():
    keys = {Value(make_game(game), options).key
            for game in ("carcassonne", "carcassonne:players=3", "carcassonne:river=true")
            for options in (QUICK, ValueOptions(playouts=2, cutoff=3), ValueOptions(playouts=3, cutoff=2),
                            ValueOptions(playouts=2, cutoff=2, trust=0.5), ValueOptions(1, 2, 2),
                            ValueOptions(playouts=2, cutoff=2, informed=50))}
    assert len(keys) == 18


def test_the_key_changes_with_what_the_game_knows(monkeypatch):
    """A different evaluation gives different values, and the key is computed from values."""
    before = Value(make_game("carcassonne"), QUICK).key

    class Other:
        def __init__(self, *arguments):
            self.real = Lookahead(*arguments)

        def values(self, state, events, seed, out):
            self.real.values(state, events, seed, out)
            out[0, 0] += 1e-3

    monkeypatch.setattr("sfida.ai.luck.value.Lookahead", Other)
    assert Value(make_game("carcassonne"), QUICK).key != before


def test_a_game_without_options_of_its_own_has_the_usual_ones():
    assert Value(make_game("leduc_poker")).options == ValueOptions()


# ---- refusals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "playouts"), [(5, 1), (-1, 1), (0, -1)])
def test_a_lookahead_refuses_what_it_cannot_do(steps, playouts):
    with pytest.raises(ValueError, match=r"steps must be 0\.\.4 and playouts at least 0"):
        Lookahead(sfida.make("carcassonne"), steps, playouts, 2, 100)


def test_options_of_a_game_are_checked(monkeypatch):
    game = make_game("carcassonne")
    monkeypatch.setattr(type(game), "luck_defaults", {"playoffs": 3})
    with pytest.raises(InvalidOption, match="playoffs"):
        Value(game)


def test_room_for_the_values_is_checked():
    state = sfida.make("leduc_poker")
    events = np.array([code for code, _ in state.chance_outcomes()], np.uint64)
    with pytest.raises(ValueError, match="out must have a row for each event"):
        Lookahead(state, 0, 1, 2, 100).values(state, events, 1, np.zeros((1, 4)))
