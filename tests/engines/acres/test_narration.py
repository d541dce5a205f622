"""Narration of A Few Acres of Snow: winners of sieges, and drawn cards."""

from __future__ import annotations

from sfida.cython_ext.acres.core import AcresState
from sfida.cython_ext.rng import Random
from sfida.engines.acres.notation import parse_turn
from sfida.engines.registry import make_game
from support.acres import B, F, setup
from support.playing import step


def told(state: AcresState, text: str) -> list[str]:
    """Play an action and the luck after it, and return all narrated effects."""
    found = []
    for code in parse_turn(state, text):
        before = state.clone()
        state.apply(code)
        found += [effect.text for effect in state.game.narrate(before, code, state, None).effects]
    while state.is_chance:
        code, before = state.sample_chance(Random(1)), state.clone()
        state.apply(code)
        found += [effect.text for effect in state.game.narrate(before, code, state, None).effects]
    return found


def test_a_siege_that_is_won_says_who_won_and_what_it_changes() -> None:
    state = setup("NYK RI", "QUE MTL GAS TAD TRI", sieges=((B, "LOU", "RI SA", "FO"),), on_turn=F, actions=0)
    assert told(state, "end") == [
        "the British win the siege of Louisbourg",
        "the French lose the village in Louisbourg, which is neutral now: French -4 points",
        "the British capture 1 village: British +2 points"]
    assert state.game.question(state, B) == (
        "The British have won the siege of Louisbourg: do they place a village there?")
    assert told(state, "settle NYK") == [
        "the British have a village in Louisbourg: British +4 points", "the British gain Louisbourg (LOU)",
        "the French lose Fortification (FO)"]


def test_a_siege_that_is_lost_says_so_too() -> None:
    state = setup("NYK BOS NHV PHI STM", "QUE", sieges=((B, "LOU", "RI", "RI RI"),), actions=0)
    assert told(state, "end") == ["the French win the siege of Louisbourg and keep the site",
                                  "the British lose Regular Infantry (RI)"]


def test_a_siege_given_up_is_won_by_the_other_side() -> None:
    state = setup("NYK", sieges=((B, "LOU", "RI", ""),))
    assert told(state, "withdraw LOU")[0] == ("the British give up the siege of Louisbourg: the French win it and keep "
                                              "the site")
    home = setup("", "QUE", sieges=((B, "QUE", "RI", ""),), sites="B.LOU", on_turn=F)
    assert told(home, "surrender QUE") == [
        "the British win the siege of Quebec: the French surrender",
        "the British have won the siege of Quebec: the British win at once, whatever the points (21 to 25)"]


def test_a_siege_that_goes_on_says_what_is_missing() -> None:
    state = setup("RI", sieges=((B, "LOU", "RI", ""),))
    assert told(state, "reinforce LOU RI") == [
        "siege of Louisbourg: the British lead by 2, enough to take it when their turn begins"]


def test_a_conversion_tells_who_gains_and_who_loses() -> None:
    state = setup("NAn", "PR", reserves=("", ""), on_turn=F)
    told(state, "convert PR")
    move = next(text for text in map(state.format, state.legal_moves()))
    assert told(state, move) == ["the British lose Native Americans (NAn)", "the French gain Native Americans (NAn)"]


def test_the_end_on_points_says_why() -> None:
    state = setup("", "QUE MTL GAS TAD TRI", supplies=((4, 0), None), on_turn=F, actions=0)
    assert told(state, "end") == ["the British have no towns left to place: the French win by 29 points to 17"]


def test_a_drawn_card_is_told_to_its_owner_alone() -> None:
    game = make_game("acres")
    state, rng = game.initial_state(), Random(1)
    while state.phase != "draw":
        step(state, rng)
    before, owner = state.clone(), state.mover
    move = step(state, rng)
    assert game.narrate(before, move, state, owner).words == game.describe_move(before, move)
    seen = f"the {('British', 'French')[owner]} draw a card"
    assert game.narrate(before, move, state, 1 - owner).words == seen
    assert game.narrate(before, move, state, None).words == seen
