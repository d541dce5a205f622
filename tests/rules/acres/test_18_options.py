"""Options and presets: chapter 18."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random
from sfida.engines.acres.data import load_data
from sfida.engines.acres.game import Acres
from sfida.engines.acres.options import COLUMNS, PRESETS
from sfida.engines.registry import make_game
from support.acres import B, F, end, legal, owner, play, position, row, setup, start, step, targets, zone


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_columns_of_the_data(preset: str) -> None:
    game = make_game(f"acres:preset={preset}")
    assert isinstance(game, Acres)
    for name, values in load_data()["options"].items():
        assert getattr(game.ruleset, name) == values[COLUMNS[preset]], name


def test_single_options_override_a_preset() -> None:
    game = make_game("acres:preset=second,raid_range_bonus=0")
    assert isinstance(game, Acres)
    assert (game.ruleset.raid_range_bonus, game.ruleset.location_cards_in_reserve) == (0, False)
    assert make_game(game.spec()) == game
    with pytest.raises(InvalidOption):
        make_game("acres:preset=third")
    with pytest.raises(InvalidOption):
        make_game("acres:players=3")


def test_bateaux() -> None:
    assert "BX" in zone(start(), F, "unseen").split()
    second = start("acres:preset=second")
    assert "BX" not in zone(second, F, "unseen").split()
    assert "BX" not in zone(second, F, "empire").split()
    british = start("acres:british_bateaux_in_initial_deck=true")
    assert "BX" in zone(british, B, "unseen").split()
    assert "BX" not in zone(british, B, "empire").split()


def test_fewer_cards() -> None:
    assert zone(start("acres:british_regular_infantry_removed=3"), B, "empire").split().count("RI") == 3
    none = start("acres:no_governor=true")
    assert "GV" not in zone(none, B, "empire").split() + zone(none, F, "empire").split()


def test_forts_at_the_start() -> None:
    state = start("acres:start_fortification_louisbourg=true,start_fortification_quebec=true")
    assert (owner(state, "LOU"), owner(state, "QUE"), state.snapshot()["forts_left"]) == ("F#", "F2#", 10)
    state.verify()


def test_an_extra_card_for_the_french() -> None:
    state = start("acres:french_picks_extra_initial_empire_card=true")
    assert (state.to_move, state.phase) == (F, "pick")
    assert {"pick CB", "pick RI", "pick SH"} <= legal(state)
    play(state, "pick CB")
    assert row(state, F)["deck_size"] == 11
    assert "CB" in zone(state, F, "unseen").split()
    rng = Random(1)
    while state.is_chance:
        step(state, rng)
    assert state.to_move == B


def test_british_sieges_that_wait() -> None:
    option = "british_siege_needs_french_siege_or_25_points=true"
    hand = "PEM NFK RI"
    assert not legal(setup(hand, options=option), "besiege")
    assert legal(setup(hand, options=option, sieges=((F, "STM", "RI", ""),)), "besiege")
    assert legal(setup(hand, options=option, sites="B.ALB2"), "besiege")
    assert legal(setup("", "PRO LOU RI", options=option, on_turn=F), "besiege")
    state = setup("HAL NFK SA RI BOS", "LOU QUE RI0 PRO TAD", options=option, sites="B.HAL", on_turn=F, money=(12, 12),
                  decks=("NYK NHV", "GAS MTL"))
    play(state, "besiege HAL LOU QUE RI0", "pass", "withdraw HAL")
    end(state)
    assert (state.target(F), state.seat_on_turn) == (-1, B)
    assert legal(state, "besiege")                      # a siege that is over has been one


def test_fort_st_john_by_the_board() -> None:
    hand = "FSJ BX SE"
    sites = "B.ALB B.FWH B.TIC B.FSJ"
    assert targets(setup(hand + " RI", sites=sites), "besiege") == {"QUE"}
    board = setup(hand + " RI", sites=sites, options="fort_st_john_cards=by_board")
    assert targets(board, "besiege") == {"MTL", "TRI"}
    assert position(board).by_board


def test_the_end_waits_for_sieges() -> None:
    siege = ((B, "LOU", "RI MI", ""),)
    for option, ends in (("supply_end_needs_no_siege=true", False), ("supply_end_needs_no_siege=false", True)):
        state = setup(sites="B.HAL", supplies=(None, (5, 0)), sieges=siege, on_turn=F, phase="start", options=option)
        assert state.is_over is ends
    for option, ends in (("capture_end_needs_no_siege=true", False), ("capture_end_needs_no_siege=false", True)):
        state = setup(sites="B.HAL", captured=((0, 0), (0, 3)), sieges=siege, on_turn=F, phase="start",
                      options=option)
        assert state.is_over is ends


def test_end_check_after_sieges() -> None:
    """The piece that a siege takes completes the 12 points in the same turn."""
    where = {"sites": "B.HAL F.FBE", "sieges": ((B, "FBE", "RI MI", ""),), "captured": ((5, 0), (0, 0)),
             "phase": "start"}
    assert not setup(**where).is_over
    late = setup(options="end_check=after_sieges", **where)
    assert (late.is_over, late.snapshot()["reason"]) == (True, "capture")


def test_a_refill_may_be_skipped() -> None:
    state = setup("BOS", "QUE", decks=("NYK", "TAD"), actions=0, options="refill_may_be_skipped=true")
    assert legal(state) == {"end", "end unfilled"}
    play(state, "end unfilled")
    assert (state.seat_on_turn, row(state, B)["hand_size"]) == (F, 1)
    assert legal(setup("BOS", actions=0)) == {"end"}


def test_max_turns() -> None:
    state, rng = start("acres:max_turns=3"), Random(2)
    while state.is_chance:
        step(state, rng)
    for _ in range(3):
        assert not state.is_over
        end(state, rng)
    assert (state.is_over, state.snapshot()["reason"], state.scores()) == (True, "max_turns", [17, 29])
