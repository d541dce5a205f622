"""Money, card management, the end and the score: chapters 15 and 16."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import SfidaError
from sfida.engines.acres.tables import card_codes
from support.acres import B, F, draw, money, owner, part, play, position, setup, start, types, zone
from support.playing import legal


@pytest.mark.rule("FAS-15.1")
def test_take_money() -> None:
    state = setup("BOS NHV PEM", money=(0, 0))
    assert legal(state, "money") == {"money BOS", "money NHV"}
    assert money(play(state, "money NHV"))[B] == 2


@pytest.mark.rule("FAS-15.2")
def test_merchant() -> None:
    state = setup("BOS NHV SH PEM", money=(0, 0))
    assert legal(state, "merchant") == {"merchant BOS", "merchant NHV", "merchant SH"}
    state.apply(state.parse("merchant BOS"))
    assert legal(state) == {"+NHV"}             # its own coin does not count
    state.apply(state.parse("+NHV"))
    assert legal(state) == {"done"}
    play(state, "done")
    assert (money(state)[B], zone(state, B, "discards"), position(state).actions_left) == (2, "BOS NHV", 1)
    assert legal(setup("BOS RI"), "merchant") == set()
    assert legal(setup("BOS SH"), "merchant") == {"merchant SH"}
    assert money(play(setup("SH BOS NYK PHI", money=(0, 0)), "merchant SH NYK PHI"))[B] == 6


@pytest.mark.rule("FAS-15.3")
def test_trader() -> None:
    state = setup("", "TR TR0 GAS MTL QUE", money=(0, 0), on_turn=F)
    assert legal(state, "trader") == {"trader TR", "trader TR0"}
    play(state, "trader TR MTL GAS")            # in any order
    assert (money(state)[F], sorted(zone(state, F, "discards").split())) == (4, ["GAS", "MTL", "TR"])
    assert not legal(setup("", "TR QUE", on_turn=F), "trader")


@pytest.mark.rule("FAS-15.4")
def test_piracy() -> None:
    state = setup("", "LOU PRO QUE SH", money=(9, 0), on_turn=F)
    assert legal(state, "piracy") == {"piracy PRO", "piracy QUE", "piracy SH"}
    assert money(play(state, "piracy SH")) == (7, 2)
    assert money(play(setup("", "LOU PRO", money=(0, 0), on_turn=F), "piracy PRO")) == (0, 2)
    assert not legal(setup("LOU HAL SH", sites="B.LOU B.HAL"), "piracy")


@pytest.mark.rule("FAS-15.5")
def test_draft() -> None:
    state = setup(money=(5, 5))
    found = {text.split()[1] for text in legal(state, "draft")}
    assert found == {"ML", "IL", "HS", "TR", "BX", "MI", "SE", "RG", "FO", "GV", "FOn", "NAn"}
    play(state, "draft RG")
    assert (money(state)[B], zone(state, B, "discards")) == (0, "RG")
    play(state, "draft NAn")
    assert zone(state, B, "discards") == "RG NAn"
    assert [card_codes()[card] for card in position(state).neutral].count("NAn") == 4
    again = setup("RG", money=(5, 5))
    assert "draft RG" not in legal(again)       # the only one is in hand


@pytest.mark.rule("FAS-15.6")
def test_discard() -> None:
    state = setup("RI RI STM PEM", money=(2, 0))
    play(state, "discard RI STM RI")
    assert (money(state)[B], zone(state, B, "hand")) == (0, "PEM")
    assert position(state).actions_left == 1
    one = setup("RI STM", money=(0, 0))
    play(one, "discard STM")
    assert (one.phase, money(one)[B], position(one).actions_left) == ("main", 0, 1)
    with pytest.raises(SfidaError):
        play(setup("RI STM", money=(0, 0)), "discard STM RI")


@pytest.mark.rule("FAS-15.7", "FAS-15.17")
def test_reserve() -> None:
    state = setup("RI BOS", reserves=("RI MI*3", ""))
    play(state, "reserve BOS")
    assert zone(state, B, "reserve") == "BOS RI MI MI MI"
    assert not legal(state, "reserve")          # five at most
    second = setup("RI BOS", options="location_cards_in_reserve=false")
    assert legal(second, "reserve") == {"reserve RI"}
    lost = setup("RI BOS PEM", sites="-PEM",
                 options="location_cards_in_reserve=false,lost_location_cards_in_reserve=true")
    assert legal(lost, "reserve") == {"reserve RI", "reserve PEM"}


@pytest.mark.rule("FAS-15.8")
def test_retrieve_is_known() -> None:
    state = setup("BOS", decks=("NYK", ""), reserves=("RI MI", ""), money=(5, 0))
    play(state, "retrieve")
    assert (zone(state, B, "known"), money(state)[B], zone(state, B, "reserve")) == ("RI MI", 3, "")
    assert position(state).actions_left == 2
    assert "retrieve" not in legal(state)


@pytest.mark.rule("FAS-15.9")
def test_governor() -> None:
    state = setup("GV PEM RI NAn", sites="-PEM")
    assert legal(state, "govern") == {"govern PEM", "govern RI", "govern NAn"}
    play(state, "govern NAn PEM")
    assert len(position(state).neutral) == 9
    assert "PEM" in zone(state, B, "locations").split()
    assert (zone(state, B, "hand"), zone(state, B, "discards"), position(state).actions_left) == ("RI", "GV", 1)
    one = play(setup("GV RI BOS"), "govern RI")
    assert zone(one, B, "hand") == "BOS"
    assert not legal(setup("GV"), "govern")
    spared = setup("GV PEM BOS RI", sites="-PEM", options="governor_not_on_start_locations=true")
    assert legal(spared, "govern") == {"govern PEM", "govern RI"}


@pytest.mark.rule("FAS-15.10")
def test_removed_cards_come_again() -> None:
    state = play(setup("GV RI BOS", money=(9, 0)), "govern RI")
    play(state, "draft RI")
    assert "RI" in zone(state, B, "discards").split()


@pytest.mark.rule("FAS-15.11")
def test_intendant() -> None:
    state = setup("", "IN TAD", decks=("", "QUE"), discards=("", "HS RI MI"), money=(0, 2), on_turn=F)
    assert legal(state, "intendant") == {"intendant HS", "intendant RI", "intendant MI"}
    play(state, "intendant HS")
    assert (zone(state, F, "hand"), zone(state, F, "known"), money(state)[F]) == ("TAD HS", "HS", 0)
    assert "IN" in zone(state, F, "discards").split()
    assert not legal(setup("", "IN", discards=("", "HS"), money=(0, 1), on_turn=F), "intendant")


@pytest.mark.rule("FAS-15.12", "FAS-15.13")
def test_home_support_twice() -> None:
    state = setup("", "HS IN", decks=("", "QUE TAD TRI GAS"), discards=("", "PRO"), money=(0, 2), on_turn=F)
    draw(play(state, "home"), "TAD", "TRI", "QUE")
    assert (zone(state, F, "discards"), position(state).actions_left) == ("PRO HS", 2)
    play(state, "intendant HS")
    assert "home" in legal(state)
    draw(play(state, "home"), "GAS")
    assert state.phase == "home"
    assert legal(state) == {"#draw=PRO", "#draw=IN"}        # the drawing card itself is not in the pile
    empty = setup("HS", discards=("BOS", ""))
    assert "home" in legal(empty)
    assert "home" not in legal(setup("HS"))
    assert "home" not in legal(setup("HS", discards=("BOS", ""), options="home_support_reshuffles=false"))


@pytest.mark.rule("FAS-15.14", "FAS-15.15")
def test_withdraw() -> None:
    state = setup("BOS", "", sites="B.HAL", sieges=((B, "LOU", "RI MI NYK", "RI0"),), actions=0)
    play(state, "withdraw LOU")
    assert legal(state) == {"lost RI", "lost MI"}
    play(state, "lost MI")
    assert (owner(state, "LOU"), state.target(B), zone(state, B, "discards")) == ("F", -1, "NYK RI")
    assert zone(state, F, "discards") == "RI0"
    assert (state.to_move, state.phase) == (B, "main")


@pytest.mark.rule("FAS-15.15", "FAS-11.15")
def test_surrender() -> None:
    home = setup("", "", sieges=((F, "BOS", "RI", "MI"),), sites="-PEM F.PEM")
    play(home, "surrender BOS")
    assert (home.is_over, home.utilities()) == (True, [0.0, 1.0])
    fbe = setup("", "", sites="B.HAL F.FBE", sieges=((B, "FBE", "RI", ""),), on_turn=F)
    play(fbe, "surrender FBE")
    assert (owner(fbe, "FBE"), part(fbe, B).captured_villages, fbe.to_move) == ("B", 1, F)
    never = setup("", "", sieges=((F, "BOS", "RI", "MI"),), options="defender_may_surrender=false")
    assert not legal(never, "surrender")
    assert legal(setup(sites="B.HAL", sieges=((B, "LOU", "RI", ""),), options="defender_may_surrender=false"),
                 "withdraw") == {"withdraw LOU"}


@pytest.mark.rule("FAS-15.16")
def test_pass() -> None:
    state = setup("BOS", "QUE", decks=("NYK NHV PEM PHI", "GAS TAD"))
    play(state, "pass", "pass")
    assert legal(state) == {"end"}
    assert "pass" in legal(setup("BOS NHV STM SE"))


# ---- the end ----------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-16.1")
def test_a_siege_wins_before_anything_is_counted() -> None:
    state = setup(sites="-LOU B.LOU", captured=((0, 0), (2, 2)), sieges=((B, "QUE", "SA RI", ""),), phase="start")
    assert (position(state).reason, position(state).winner) == ("siege", B)


@pytest.mark.rule("FAS-16.2")
@pytest.mark.parametrize("supplies", [(0, 4), (4, 0)])
def test_an_empty_supply(supplies: tuple[int, int]) -> None:
    state = setup(supplies=(supplies, None), phase="start")
    assert (state.is_over, position(state).reason) == (True, "supply")
    assert state.utilities() == [0.0, 1.0]      # 17 to 29


@pytest.mark.rule("FAS-16.3")
def test_captured_points() -> None:
    assert position(setup(captured=((0, 3), (0, 0)), phase="start")).reason == "capture"
    assert position(setup(captured=((6, 0), (0, 0)), phase="start")).reason == "capture"
    assert not setup(captured=((5, 0), (0, 0)), phase="start").is_over


@pytest.mark.rule("FAS-16.4")
def test_only_the_side_on_turn_is_tested() -> None:
    assert not setup(supplies=((4, 0), None), captured=((6, 0), (0, 0)), on_turn=F, phase="start").is_over


@pytest.mark.rule("FAS-16.5")
def test_score() -> None:
    state = setup(sites="B.ALB2 B.DET F.OSW", captured=((2, 1), (0, 3)), money=(99, 0), supplies=((4, 0), None),
                  phase="start")
    assert state.scores() == [17 + 8 + 4 + 4 + 4, 29 + 2 + 12]
    lines = state.game.explain_scores(state)
    assert lines[0] == ("british: 37 points = 13 from 6 villages + 16 from 3 towns + 4 from 2 captured villages + "
                        "4 from 1 captured town")
    assert lines[-1] == "the British have no towns left to place: the French win by 43 points to 37"


@pytest.mark.rule("FAS-16.6", "FAS-16.7")
def test_ranks() -> None:
    state = setup(sites="B.ALB2 B.DET2 B.DEE", supplies=((4, 0), None), phase="start")
    assert state.scores() == [17 + 20, 29]
    assert (state.ranks(), state.utilities()) == ([1, 2], [1.0, 0.0])
    short = setup(options="max_turns=8", turns=8, phase="start")
    assert (position(short).reason, short.ranks()) == ("max_turns", [2, 1])
    assert start().ranks() is None
    assert types("RI*2", B) == types("RI RI", B)
