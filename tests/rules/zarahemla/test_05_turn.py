"""Turn and phases: chapter 5 and the move catalogue of chapter 15."""

from __future__ import annotations

import pytest

from sfida.engines.zarahemla.position import move_codes
from support.playing import legal, play
from support.zarahemla import cards, position, setup


@pytest.mark.rule("ZAR-5.1", "ZAR-5.2")
def test_before_the_dice() -> None:
    state = setup("S 0 19; R 0 19-24; H 0 5 5 5 5 5; H 1 1 0 0 0 0", phase="pre_roll",
                  cards=[cards(warrior=1, prosperity=1, harvest=1, roads=1, temple=1, liahona=1, point=1)])
    assert legal(state) == {"roll", "T", "W", "H", "RB", "TB", *(f"P:{r}" for r in "wbags"),
                            *(f"L{n}" for n in range(2, 13))}
    play(state, "roll")
    assert state.to_move == -1
    play(state, "#dice=2")
    assert {"end", "D", "T", "S24", "R24-30", "C19", "B4w>b", "offer", "W", "H", "RB", "TB"} - legal(state) == {"S24"}
    assert not legal(state, "L")
    assert not legal(state, "roll")


@pytest.mark.rule("ZAR-5.3", "ZAR-5.4", "ZAR-12.6")
def test_building_and_trading_alternate() -> None:
    """A station built this turn can be used at once (p29)."""
    state = setup("S 0 19; R 0 19-25-20-26; H 0 1 1 4 1 0")
    assert legal(state, "B") == {"B4a>w", "B4a>b", "B4a>g", "B4a>s"}
    play(state, "S26")
    assert legal(state, "B") == {"B3a>w", "B3a>b", "B3a>g", "B3a>s"}
    play(state, "B3a>w")
    assert legal(state) == {"end", *legal(state, "offer")}
    play(state, "end")
    assert state.to_move == 1


@pytest.mark.rule("ZAR-5.4")
def test_the_turn_cannot_end_before_the_roll() -> None:
    state = setup(phase="pre_roll")
    assert legal(state) == {"roll"}


@pytest.mark.rule("ZAR-5.5")
def test_phases_follow_the_table() -> None:
    state = setup("S 0 19; S 1 13; H 0 1 0 0 0 0; H 1 0 8 0 0 0", phase="pre_roll", cards=[cards(warrior=1)])
    seen = [position(state).phase]
    for text in ("W", ">h4", "x1", "#stolen=b", "roll", "#dice=7", ">h5", "x1", "#stolen=b", "offer", "give:w",
                 "want:b", "done", "no", "end"):
        play(state, text)
        seen.append(position(state).phase)
    assert seen == ["pre_roll", "robber", "steal", "stolen", "pre_roll", "dice", "robber", "steal", "stolen", "main",
                    "trade_compose", "trade_compose", "trade_compose", "trade_respond", "main", "pre_roll"]


@pytest.mark.rule("ZAR-5.6", "ZAR-14.4", "ZAR-18.12")
def test_the_victory_test_comes_before_the_phase() -> None:
    """A Warrior that brings the army and the twelfth point ends the game before the robber moves."""
    state = setup("C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; S 0 49", phase="pre_roll",
                  cards=[cards(warrior=1)], played=[cards(warrior=2)])
    assert position(state).seats[0].points == 10
    play(state, "W")
    assert state.is_over
    assert state.utilities() == [1.0, 0.0, 0.0]
    assert state.scores() == [12, 0, 0]


@pytest.mark.rule("ZAR-5.7", "ZAR-10.3")
def test_one_development_card_a_turn() -> None:
    state = setup("S 0 19; R 0 19-24; H 0 0 0 1 1 1", phase="pre_roll", cards=[cards(warrior=1, temple=1, roads=1)])
    play(state, "TB")
    assert legal(state) == {"roll"}
    play(state, "roll", "#dice=2")
    assert not legal(state) & {"W", "RB", "TB"}
    play(state, "end", "roll", "#dice=2", "end", "roll", "#dice=2", "end")
    assert {"W", "RB", "roll"} == legal(state)


@pytest.mark.rule("ZAR-5.8", "ZAR-13.14")
def test_forced_moves_are_asked_for() -> None:
    """One victim, one place or one answer is still a decision, because the fact that it is forced may be secret."""
    state = setup("S 0 19; S 1 13; H 1 1 0 0 0 0", phase="pre_roll", cards=[cards(warrior=1)])
    play(state, "W", ">h4")
    assert legal(state) == {"x1"}
    assert state.to_move == 0
    state = setup("H 0 1 0 0 0 0; H 1 0 1 0 0 0; H 2 0 0 1 0 0", options="trade_mode=simple")
    play(state, "offer", "give:w", "want:b", "done")
    assert state.to_move == 1
    play(state, "no")
    assert (state.to_move, legal(state)) == (2, {"no"})


@pytest.mark.rule("ZAR-5.9")
def test_what_the_end_of_a_turn_clears() -> None:
    state = setup("H 0 3 0 1 1 1; H 1 1 0 0 0 0", cards=[cards(warrior=1)])
    play(state, "D", "#draw=stripling_warrior", "W", ">h0")
    raw = state.snapshot()
    assert (raw["card_played"], raw["cards_bought"], raw["dice"]) == (True, 1, 8)
    play(state, "end")
    raw = state.snapshot()
    assert (raw["card_played"], raw["cards_bought"], raw["dice"], raw["offers_made"]) == (False, 0, 0, 0)
    assert raw["seat_on_turn"] == 1
    play(state, "roll", "#dice=2", "end", "roll", "#dice=2", "end")
    assert state.seat_on_turn == 0
    assert "W" in legal(state)          # the one bought last turn


def test_every_kind_of_move_has_a_phase() -> None:
    """Random games with every option have moves of all kinds."""
    from sfida.cython_ext.rng import Random
    from sfida.engines.zarahemla.position import decode
    from support.playing import step
    from support.zarahemla import random_game, start

    missing = {name for name, _, _ in move_codes()}
    for seed in range(4):
        state = start("zarahemla:players=3,steal=may,harvest_partial=true")
        rng = Random(100 + seed)
        for _ in range(9000):
            if state.is_over:
                break
            missing.discard(decode(step(state, rng)).kind)
        if not missing:
            break
    assert not missing
    assert random_game("zarahemla:trade_mode=none", 1).is_over
