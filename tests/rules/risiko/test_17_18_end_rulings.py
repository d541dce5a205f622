"""The end of the game and rulings: chapters 17 and 18."""

from __future__ import annotations

import pytest

from support.playing import legal, play
from support.risiko import TOURNAMENT, position, seat_of, setup


@pytest.mark.rule("RIS-17.3", "RIS-11.9")
def test_a_draw_when_the_rounds_are_over() -> None:
    state = setup("b CIN 3 | g EU | n *", on_turn=2, round_=100, phase="turn_end")
    assert state.is_over
    assert state.utilities() == [1 / 3] * 3
    assert state.ranks() == [1, 1, 1]
    assert position(state).winners == (0, 1, 2)
    gone = setup("b CIN 3 | g EU *", on_turn=1, round_=7, phase="turn_end", options="round_limit=7",
                 eliminated=[(2, 0, 5)])
    assert gone.utilities() == [0.5, 0.5, 0.0]
    assert gone.ranks() == [1, 1, 3]


@pytest.mark.rule("RIS-17.3", "RIS-20.3")
def test_no_round_limit() -> None:
    text, options = "b CIN 3 | g EU | n *", "round_limit=0"
    assert not setup(text, on_turn=2, round_=5000, phase="turn_end", options=options).is_over
    assert setup(text, on_turn=2, round_=10000, phase="turn_end", options=options).is_over


@pytest.mark.rule("RIS-20.3", "RIS-12.2")
def test_armies_beyond_what_a_seat_can_have_are_lost() -> None:
    """Fourteen territories give four armies, but there is room for only one."""
    state = setup("b CIN 59986 URA SIB JAC CIT KAM GIA MON AFG EGI AFO CON AFS MAD | g EU | n *", phase="turn_start")
    assert seat_of(state, 0).armies == 59_999
    assert state.snapshot()["left"] == 1


@pytest.mark.rule("RIS-17.1", "RIS-18.26")
def test_all_losers_share_the_second_rank() -> None:
    state = setup("b NA AF | g EU | n *", players=4, phase="turn_start", objectives=["na_af"], eliminated=[(3, 0, 5)])
    assert state.ranks() == [1, 2, 2, 2]
    assert state.utilities() == [1, 0, 0, 0]
    assert state.scores() == [15, 7, 20, 0]


@pytest.mark.rule("RIS-17.7", "RIS-16.9")
def test_what_the_end_shows() -> None:
    state = setup("b NA AF | g EU | n *", players=4, phase="turn_start", objectives=["na_af"], eliminated=[(3, 0, 6)],
                  hands=["", "ALK GRO"])
    for seat in (None, 0, 1):
        seen = position(state, seat).seats
        assert all(one.objective is not None for one in seen)
        assert seen[1].cards == (0, 2)
    gone = seat_of(state, 3)
    assert (gone.eliminated_round, gone.eliminated_by, gone.alive) == (6, 0, False)
    lines = state.game.explain_scores(state)
    assert len(lines) == 4
    assert lines[0].startswith("blue: wins")
    assert "out in round 6" in lines[3]
    assert position(state).winners == (0,)


@pytest.mark.rule("RIS-17.4", "RIS-17.5")
def test_points_decide_after_the_closing_dice() -> None:
    state = setup("b CIN MOR | g EU | n *", options="preset=rtu", objectives=["guerra_fredda", "letto", "elefante"],
                  on_turn=2, round_=35, phase="turn_end")
    assert state.phase == "sdadata"
    play(state, "#dice=3")
    assert state.is_over
    assert state.scores()[:2] == [13, 0]
    assert state.scores().index(max(state.scores())) == state.ranks().index(1)


@pytest.mark.rule("RIS-17.5")
def test_the_best_score_short_of_the_objective() -> None:
    row = TOURNAMENT.index("guerra_fredda")
    state = setup("b NA AS | g EU GIA | n *", options="preset=tournament",
                  objectives=["guerra_fredda"], on_turn=2, round_=35, phase="turn_end")
    assert state.objective(0) == row
    assert state.scores()[0] == 84


@pytest.mark.rule("RIS-18.11", "RIS-18.21", "RIS-18.24")
def test_supply_ownership_and_losses() -> None:
    """Pieces never run out; the +2 depends on the current owner; a garrison does not limit losses."""
    state = setup("b CIN 9000 SIA | g EU | n *", phase="place", left=500)
    play(state, "+SIA 500")
    assert seat_of(state, 0).armies == 9501
    attack = play(setup("b CIN 3 EU | g MOR 2 SIA OC | n *", options="preset=tournament"), "CIN>MOR 2", "-2-0")
    assert position(attack).armies[33] == 1


@pytest.mark.rule("RIS-18.15", "RIS-18.16")
def test_two_things_at_once() -> None:
    """Blue eliminates red and thereby gets the 24th territory: one test and one end."""
    many = "ISL GBR SCA EUS EUO EUM UCR URA SIB JAC CIT KAM GIA MON CIN AFG IND SIA IDN NGU AUO AUR AFO 5"
    state = setup(f"b {many} | g NA SA | n MOR * | r MAD", players=4, objectives=["kill_rosso", "o24"])
    play(state, "AFO>MAD 3", "-0-1")
    assert state.is_over
    assert state.ranks() == [1, 2, 2, 2]


@pytest.mark.rule("RIS-18.17")
def test_a_turn_without_any_choice_passes() -> None:
    state = setup("b ALK TNO | g EU | n *", phase="turn_start")
    assert state.seat_on_turn == 1
    assert legal(state, "+")
