"""The rest of chapters 18 and 19: contradictions of the text, presets."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec
from sfida.engines.zarahemla.options import PRESETS
from sfida.engines.zarahemla.tables import load_data
from support.playing import legal, play, step
from support.zarahemla import setup, start

DATA = load_data()


@pytest.mark.rule("ZAR-18.16", "ZAR-7.8")
def test_must_take() -> None:
    state = play(setup("S 1 17; H 1 1 0 0 0 0", phase="pre_roll"), "roll", "#dice=7", ">h4")
    assert legal(state) == {"x1"}


@pytest.mark.rule("ZAR-18.19")
def test_figures_have_no_rules() -> None:
    """The wrong figure numbers are cosmetic: all facts of the figures hold on the board made from them."""
    board = DATA["test_board"][0]
    assert [board["terrain"][h] for h in (0, 1, 4, 13)] == ["wheat", "wood", "stone", "stone"]
    assert [board["numbers"][h] for h in (0, 1, 4, 13)] == [12, 10, 8, 6]


@pytest.mark.rule("ZAR-19.1")
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_change_what_the_data_say(preset: str) -> None:
    options = {"board": "figures"} if preset == "catan_replay" else {}
    rules = start(f"zarahemla:preset={preset}", **options).game.ruleset
    changes = dict(DATA["presets"][preset])
    below = changes.pop("extends", None)
    expected = {**DATA["options"], **(DATA["presets"][below] if below else {}), **changes}
    for key, value in expected.items():
        found = getattr(rules, key)
        if key == "initial_settlements":
            assert found == value["2"]
        elif options and key.endswith("_mode") and value == "explicit":
            assert found in ("explicit", "printed")
        else:
            assert str(found) == str(value), key


@pytest.mark.rule("ZAR-19.1")
def test_options_override_the_preset_and_read_back() -> None:
    game = make_game("zarahemla:preset=catan,victory_points=8,trade_mode=none,players=3")
    assert (game.ruleset.victory_points, game.ruleset.trade_mode, game.ruleset.temple_enabled) == (8, "none", False)
    name, params = parse_spec(game.spec())
    assert name == "settlers_of_zarahemla"
    assert type(game).from_params(params) == game
    with pytest.raises(InvalidOption, match="did you mean 'catan'"):
        make_game("zarahemla:preset=katan")


@pytest.mark.rule("ZAR-19.2")
def test_the_parent_game() -> None:
    rules = start("zarahemla:preset=catan").game.ruleset
    assert (rules.victory_points, rules.resource_cards_per_type, rules.dev_deck) == (10, 19, "catan")
    state = setup("H 0 0 1 0 0 1", options="preset=catan")
    assert "T" not in legal(state)
    assert state.deck_cards() == [14, 2, 2, 2, 0, 0, 5]


@pytest.mark.rule("ZAR-19.3")
def test_the_preset_for_logs() -> None:
    rules = start("zarahemla:preset=catan_replay,board=figures").game.ruleset
    assert (rules.victory_points, rules.bank_shortage, rules.dev_same_turn, rules.harvest_partial) == (
        99, "nobody", True, True)
    assert (rules.trade_mode, rules.first_player, rules.terrain_mode) == ("none", "0", "explicit")


@pytest.mark.rule("ZAR-19.5", "ZAR-14.1")
@pytest.mark.parametrize(("options", "said"), [
    ("victory_points=25", "victory_points=25: no player can have more than 24 with these options, so nobody could win"),
    ("preset=catan,victory_points=23", "victory_points=23: no player can have more than 22 with these options"),
    ("preset=catan,temple_before_roll=false", "temple_before_roll=false means nothing with temple_enabled=false: give "
     "temple_enabled=true too, or leave temple_before_roll out"),
    ("trade_mode=none,trade_gifts=true", "trade_gifts=true means nothing with trade_mode=none: give trade_mode=full or "
     "simple too, or leave trade_gifts out"),
    ("trade_mode=none,trade_max_offers_per_turn=9", "trade_max_offers_per_turn=9 means nothing with trade_mode=none"),
    ("trade_max_offers_per_turn=0,trade_max_cards_per_side=9", "trade_max_cards_per_side=9 means nothing with "
     "trade_max_offers_per_turn=0: give trade_max_offers_per_turn=1 or more too"),
    ("board=figures,token_mode=shuffle", "token_mode=shuffle and board=figures exclude each other"),
])
def test_options_that_mean_nothing_are_refused(options: str, said: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        make_game(f"zarahemla:{options}")
    assert str(caught.value).startswith(said)


@pytest.mark.rule("ZAR-19.5", "ZAR-14.3")
def test_a_target_that_the_start_reaches_is_won_at_once() -> None:
    state, rng = start("zarahemla:victory_points=3"), Random(1)
    while not state.is_over:
        assert state.phase.startswith(("setup", "init"))
        step(state, rng)
    assert state.utilities() == [float(seat == state.seat_on_turn) for seat in range(2)]


@pytest.mark.rule("ZAR-19.5", "ZAR-19.3")
def test_what_repeats_the_preset_or_can_be_reached_is_accepted() -> None:
    for options in ("victory_points=24", "preset=catan,victory_points=22", "preset=catan,temple_before_roll=true",
                    "trade_mode=none,trade_gifts=false", "preset=catan,temple_enabled=true,temple_before_roll=false"):
        make_game(f"zarahemla:{options}")
    replayed = start("zarahemla:preset=catan_replay,board=figures").game.ruleset
    assert replayed.victory_points == 99
