"""Reasons for and against a move of RisiKo!: its effect on the standings, and its odds."""

from __future__ import annotations

import pytest

from sfida.cython_ext.risiko.core import RisikoState
from sfida.engines.narration import changes
from sfida.engines.registry import make_game
from support.playing import play
from support.risiko import BLUE, YELLOW, setup, start


def gains(state: RisikoState, *moves: str, seat: int = BLUE, viewer: int = BLUE) -> list[str]:
    """Return the changes of a seat's standing by some moves, as shown to a viewer."""
    after = play(state.clone(), *moves)
    return [term.text for term in changes(state.game.standing(state, seat, viewer),
                                          state.game.standing(after, seat, viewer))]


def note(state: RisikoState, text: str) -> str:
    """Return the note on the costs and gains of a move."""
    return state.game.move_note(state, state.parse(text))


# ---- standings --------------------------------------------------------------------------------------


def test_seats_stand_somehow_while_territories_are_dealt() -> None:
    state = make_game("risiko:players=3").initial_state()
    territories = []
    for _ in range(20):
        territories.append(state.game.standing(state, 0, 0)[-7].value)
        state.apply(state.legal_moves()[0])
    assert territories[0] == 0 < territories[-1]


def test_an_objective_counts_for_its_holder_alone() -> None:
    state = setup("b EU SCA 4 | g EUS AF | n *", objectives=["eu_sa_x"])
    conquest = ("SCA>EUS 3", "-0-1")
    told = ["+1 territory", "+1 continent", "+5 armies per turn"]
    assert gains(state, *conquest) == ["+1 territory of the objective", *told, "-5 armies at the front"]
    assert gains(state, *conquest, viewer=YELLOW) == told
    assert gains(state, *conquest, seat=YELLOW, viewer=YELLOW)[-3:] == [
        "-1 territory at risk", "-1 army at the front", "-1 army"]


@pytest.mark.parametrize(("objective", "first"), [
    ("kill_giallo", "-1 territory left to destroy"), ("o18x2", "+1 territory with 2 armies"), ("o24", "+1 territory")])
def test_objectives_are_counted_in_their_own_terms(objective: str, first: str) -> None:
    state = setup("b CIN 4 EGI 2 | g SIA IND | n *", objectives=[objective])
    assert gains(state, "CIN>SIA 2", "-0-1")[0] == first


def test_points_are_the_own_ones() -> None:
    state = setup("b CIN 4 | g SIA 1 | n *", options="preset=tournament", objectives=["guerra_fredda"])
    assert gains(state, "CIN>SIA 3", "-0-1")[:2] == ["+1 territory of the objective", "+3 points"]
    assert not {"point", "points"} & {term.name for term in state.game.standing(state, BLUE, YELLOW)}


def test_armies_to_be_placed_are_armies_already() -> None:
    state = setup("b CIN EGI | g SIA 4 IND 2 | n *", hands=["CIN EGI QUE"], phase="turn_start")
    assert gains(state, "T CIN EGI QUE") == ["+14 armies", "-3 cards"]
    placing = setup("b CIN MOR | g SIA 4 | n *", phase="place", left=5)
    assert gains(placing, "+CIN 5") == ["-1 territory at risk", "+5 armies at the front"]
    assert gains(placing, "+MOR 5", viewer=YELLOW) == []


def test_armies_count_more_where_the_enemy_is() -> None:
    inland = setup("b EU EUS 1 | g * | n OC", phase="place", left=5)
    assert gains(inland, "+EUS 5") == []
    assert gains(inland, "+UCR 5")[-1] == "+5 armies at the front"
    idle = setup("b EU EUS 5 | g * | n OC", phase="fortify")
    assert "+4 armies at the front" in gains(idle, "~EUS>UCR 4")


def test_who_may_be_conquered_is_at_risk() -> None:
    """A territory is at risk at more than even odds: 4 armies take 2, 3 do not."""
    strong, weak = (setup(f"b CIN 2 | g SIA {armies} IND | n *") for armies in (4, 3))
    assert changes(weak.game.standing(weak, BLUE, BLUE), strong.game.standing(strong, BLUE, BLUE))[0].text == (
        "+1 territory at risk")
    risk = next(term for term in strong.game.standing(strong, BLUE, BLUE) if term.name == "territories at risk")
    assert not risk.good


def test_a_new_game_has_standings() -> None:
    state = start(players=6)
    assert {term.value for term in state.game.standing(state, 5, 5)} == {0}


# ---- odds -------------------------------------------------------------------------------------------


def test_an_attack_tells_its_price_and_what_a_conquest_brings() -> None:
    board = "b EU SCA 4 | g EUS AF | n NA SA AS OC"
    state = setup(board, objectives=["eu_sa_x"])
    assert note(state, "SCA>EUS 3") == ("one throw costs 0.3 armies on average, yellow 0.7; a conquest counts for the "
                                        "objective, completes Europe (+5 armies per turn) and earns a card")
    broken = setup("b EUM 4 | g EGI AF | n *", conquests=1)
    assert note(broken, "EUM>EGI 3").endswith("and breaks Africa (-3 for yellow)")


def test_an_attack_tells_of_the_end_of_a_seat_and_of_the_game() -> None:
    state = setup("b CIN 4 MOR 3 | g SIA 2 | n *", objectives=["kill_giallo"], hands=["", "ALK QUE PER"])
    assert note(state, "CIN>SIA 3").endswith("a conquest wins the game, eliminates yellow (3 cards) and earns a card")
    assert "wins" not in note(setup("b CIN 4 MOR 3 | g SIA 2 | n *", objectives=["kill_nero"]), "CIN>SIA 3")
    last = setup("b NA AFN 4 AFO CON AFS MAD | g EGI AS EU | n *", objectives=["na_af"])
    assert "a conquest wins the game, completes Africa" in note(last, "AFN>>EGI")


def test_losses_of_an_assault_agree_with_the_odds() -> None:
    """3 against 1: one throw of two dice and, after a loss, one throw of one die."""
    rules = start().rules
    win, (lost, slain) = rules.win_chance(3, 1), rules.expected_losses(3, 1)
    assert slain == pytest.approx(win)
    assert lost == pytest.approx(91 / 216 * (1 + 21 / 36))
    assert rules.expected_losses(1, 5) == (0.0, 0.0)
    assert rules.expected_losses(64, 32) == pytest.approx([2 * x for x in rules.expected_losses(32, 16)])
    with pytest.raises(ValueError, match="at least 1 army"):
        rules.expected_losses(0, 1)


def test_other_moves_tell_what_comes_of_them() -> None:
    board = "b CIN 5 EGI | g SIA 2 IND | n *"
    assert note(setup(board), "=") == "no conquest this turn, so no card"
    assert note(setup(board, conquests=2), "=") == "a card at the end of the turn"
    assert note(setup(board, hands=["CIN EGI QUE"], phase="turn_start"), "T CIN EGI QUE") == (
        "brings 14 armies, 4 of them for cards of own territories")
    assert note(setup(board, hands=["BRA VEN SIA"], phase="turn_start"), "T BRA VEN SIA") == "brings 4 armies"
    assert note(setup(board, options="preset=rtu", hands=["BRA VEN SIA"], phase="turn_start"), "T BRA VEN SIA") == (
        "brings 8 armies")
    assert note(play(setup(board), "CIN>SIA 3"), "d2") == "costs 1.1 armies on average, blue 0.9"
    moved = note(setup("b EU UCR 5 | g * | n OC", phase="fortify"), "~UCR>EUM 4")
    assert moved == "1 in Ukraine, 5 in Southern Europe then"
    placing = setup("b EU | g * | n OC", phase="place", left=5)
    assert note(placing, "+EUS 5") == "no enemy borders it"
    assert note(placing, "+UCR 5") == "then Middle East falls with 99 %, Ukraine with 0 %"


# ---- lists in steps -----------------------------------------------------------------------------------


def groups(state: RisikoState) -> dict[str, str]:
    """Return the words of the groups in which the mover's list is offered, by their names."""
    return {group.name: group.words for group in state.game.move_groups(state, state.legal_moves())}


def test_long_lists_are_offered_by_territory_with_odds() -> None:
    placing = setup("b EU | g * | n OC", phase="place", left=5)
    assert groups(placing)["EUS"] == "Northern Europe, 1 army; up to 5 more; no enemy borders it"
    assert groups(placing)["ISL"] == "Iceland, 1 army; with 5 more: GRO 99 %"
    assert groups(setup("b CIN 9 EU | g MOR 3 SIA 2 | n *"))["CIN"].startswith("China, 9 armies; chances to conquer")


def test_an_occupation_is_no_list_in_steps() -> None:
    """The number of armies that move in is typed, however many may move."""
    state = play(setup("b CIN 40 | g SIA 1 IND | n *"), "CIN>SIA 3", "-0-1")
    assert state.phase == "occupy"
    assert len(state.legal_moves()) > 30
    assert not groups(state)


def test_a_belief_names_objectives_in_words() -> None:
    state = setup("b CIN | g SIA | n *", objectives=["kill_giallo", "eu_sa_x", "o18x2"])
    found = state.game.secrets(state, BLUE)
    assert found["objective of yellow"] == "Europe + South America + another"
    assert found["objective of black"] == "18 territories of 2 armies"
    assert state.game.secrets(state, YELLOW)["objective of blue"] == "end of yellow"
