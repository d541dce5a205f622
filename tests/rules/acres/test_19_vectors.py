"""The worked examples of chapter 19, by their numbers."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.cython_ext.rng import Random
from support.acres import B, F, draw, end, lead, money, owner, part, play, played, position, setup, start, targets, zone
from support.playing import legal, step


@pytest.mark.rule("FAS-4.3", "FAS-4.4", "FAS-4.5", "FAS-4.6")
def test_01_start() -> None:
    state, rng = start(), Random(1)
    while state.is_chance:
        step(state, rng)
    where = position(state)
    assert [one.points for one in where.seats] == [17, 29]
    assert [(one.villages, one.towns) for one in where.seats] == [(13, 10), (12, 8)]
    assert [one.money for one in where.seats] == [12, 5]
    assert where.forts_left == 12
    assert [(one.hand_size, one.deck_size) for one in where.seats] == [(5, 2), (5, 5)]


@pytest.mark.rule("FAS-7.1", "FAS-7.2", "FAS-7.3", "FAS-7.4", "FAS-2.7")
def test_02_settle_deerfield() -> None:
    state = setup("NHV STM BOS MI MI")
    play(state, "settle DEE NHV STM BOS")
    assert owner(state, "DEE") == "B"
    assert (part(state, B).villages, part(state, B).towns) == (12, 10)
    assert sorted(zone(state, B, "discards").split()) == ["BOS", "DEE", "NHV", "STM"]
    assert zone(state, B, "hand") == "MI MI"
    assert not legal(setup("NHV STM MI MI"), "settle DEE")      # one card is not boat and settler at once
    assert legal(setup("NHV STM NYK"), "settle DEE")


@pytest.mark.rule("FAS-7.2", "FAS-2.7")
def test_03_settle_niagara_needs_no_settler() -> None:
    state = setup("", "FFR BX", sites="F.FFR", on_turn=F)
    play(state, "settle FNI FFR BX")
    assert owner(state, "FNI") == "F"
    assert "FNI" in zone(state, F, "discards")


@pytest.mark.rule("FAS-8.1", "FAS-8.3", "FAS-16.5")
def test_04_develop_albany() -> None:
    state = setup("ALB STM", sites="B.ALB")
    before = part(state, B)
    play(state, "develop ALB STM")
    after = part(state, B)
    assert owner(state, "ALB") == "B2"
    assert after.villages == before.villages + 1
    assert after.towns == before.towns - 1
    assert after.points == before.points + 4


@pytest.mark.rule("FAS-8.2")
def test_05_only_sites_with_a_value_develop() -> None:
    state = setup("OSW FST ALB SE", sites="B.ALB B.FST B.OSW")
    assert targets(state, "develop") == {"OSW", "ALB"}


def besieged_louisbourg():
    """Vector 6."""
    return play(setup("HAL NFK SA RI ML", "RI0 PRO LOU", sites="B.HAL", money=(5, 5)), "besiege LOU HAL NFK SA")


@pytest.mark.rule("FAS-10.1", "FAS-10.2", "FAS-10.5", "FAS-10.7", "FAS-10.9")
def test_06_besiege_louisbourg() -> None:
    state = besieged_louisbourg()
    assert money(state) == (2, 5)
    assert zone(state, B, "discards") == "NFK HAL"
    assert position(state).sieges[0].cards[B] == played(state, B, B)
    assert lead(state, B) == -2 + 3


@pytest.mark.rule("FAS-12.1", "FAS-12.6", "FAS-5.6")
def test_07_reinforce_and_leader() -> None:
    state = play(besieged_louisbourg(), "reinforce LOU RI", "leader LOU")
    assert lead(state, B) == 4
    assert position(state).actions_left == 0


@pytest.mark.rule("FAS-12.5", "FAS-12.8", "FAS-11.4")
def test_08_the_defence() -> None:
    state = setup("", "RI0 PRO LOU", sites="B.HAL", sieges=((B, "LOU", "SA RI ML", ""),), on_turn=F,
                  decks=("BOS NYK PHI STM NHV", "QUE TAD TRI GAS MTL"))
    assert lead(state, B) == 4
    assert "reinforce LOU LOU" not in legal(state)
    play(state, "reinforce LOU RI0", "reinforce LOU PRO")
    assert lead(state, B) == 1
    end(state)
    assert state.seat_on_turn == B
    assert state.phase == "main"
    end(state)
    assert state.seat_on_turn == F
    assert state.phase == "main"
    assert position(state).sieges


@pytest.mark.rule("FAS-11.2", "FAS-11.5", "FAS-11.6", "FAS-11.8", "FAS-11.10", "FAS-11.12", "FAS-11.13", "FAS-11.14")
def test_09_louisbourg_falls() -> None:
    state = setup("NYK", "LOU", sites="B.HAL", sieges=((B, "LOU", "SA RI RI ML", "RI0 PRO MI"),), phase="start")
    assert state.phase == "siege_settle"
    assert state.to_move == B
    assert legal(state) == {"settle NYK", "leave"}
    declined = play(state.clone(), "leave")  # type: ignore[arg-type]
    play(state, "settle NYK")
    assert state.to_move == F
    assert legal(state) == {"lost RI0", "lost MI"}
    play(state, "lost RI0")
    assert owner(state, "LOU") == "B"
    assert part(state, B).captured_villages == 1
    assert set(zone(state, B, "discards").split()) == {"NYK", "LOU", "SA", "RI", "ML"}
    assert set(zone(state, F, "discards").split()) == {"PRO", "MI"}
    assert "RI0" in zone(state, F, "empire")
    assert zone(state, F, "hand") == "LOU"
    assert not position(state).sieges
    assert position(state).actions_left == 2
    assert owner(play(declined, "lost MI"), "LOU") == "."
    assert "LOU" in zone(declined, B, "locations")


@pytest.mark.rule("FAS-13.2", "FAS-13.5", "FAS-13.6")
def test_10_raids_from_kennebec() -> None:
    sites = "F.KEN B.FHA B.DEE"
    for cards, found in (("CB", {"FHA"}), ("CB NAn", {"FHA", "PEM", "DEE"}),
                         ("CB NAn PR", {"FHA", "PEM", "DEE", "BOS", "NHV"})):
        assert targets(setup("", cards, sites=sites, on_turn=F), "raid") == found, cards
    state = setup("", "CB NAn PR", sites=sites, on_turn=F)
    play(state, "raid BOS CB NAn PR")
    assert state.phase == "raid_response"
    second = setup("", "CB NAn PR", sites=sites, on_turn=F, options="raid_range_bonus=1")
    play(second, "raid BOS CB NAn")
    assert second.phase == "raid_response"


@pytest.mark.rule("FAS-13.7", "FAS-13.5", "FAS-9.3")
def test_11_a_fort_stops_raids() -> None:
    state = setup("", "CB NAn PR PR", sites="F.KEN B.FHA B.DEE", forts="DEE", on_turn=F)
    assert targets(state, "raid") & {"FHA", "PEM", "DEE", "BOS", "NHV"} == {"FHA", "PEM"}


@pytest.mark.rule("FAS-3.8", "FAS-3.7", "FAS-2.6")
def test_12_one_symbol_counts() -> None:
    state = setup("NYK NHV", sites="B.HAL", sieges=((B, "LOU", "RI", ""),))
    before = lead(state, B)
    play(state, "reinforce LOU NYK", "reinforce LOU NHV")
    assert lead(state, B) == before + 2
    inland = setup("NYK NHV", sites="B.ALB F.DEE", sieges=((B, "DEE", "RI", ""),))
    assert legal(inland, "reinforce") == {"reinforce DEE NYK"}


@pytest.mark.rule("FAS-10.7", "FAS-11.2")
def test_13_first_leads() -> None:
    for forts, found in (("", 0), ("QUE", -2)):
        state = setup("LOU NHV SA", sites="B.LOU", forts=forts)
        assert lead(play(state, "besiege QUE LOU NHV SA"), B) == found
    state = setup("", "FWH BX SA", sites="F.FWH F.TIC F.FSJ B.ALB", on_turn=F, money=(5, 5), actions=1,
                  decks=("BOS STM", "QUE TAD TRI GAS"))
    play(state, "besiege ALB FWH BX SA")
    assert lead(state, F) == 2
    end(end(state))
    assert state.phase == "siege_settle"
    assert owner(state, "ALB") == "."


@pytest.mark.rule("FAS-9.4", "FAS-10.4", "FAS-12.4")
def test_14_fortifications_defend() -> None:
    state = setup("FO RI", "FO RI", sites="B.HAL", sieges=((B, "LOU", "MI", ""),), on_turn=F)
    before = lead(state, B)
    assert legal(state, "reinforce") == {"reinforce LOU FO", "reinforce LOU RI"}
    assert lead(play(state, "reinforce LOU FO"), B) == before - 1
    state = setup("FO RI", sites="B.HAL", sieges=((B, "LOU", "MI", ""),))
    assert legal(state, "reinforce") == {"reinforce LOU RI"}
    assert not legal(setup("HAL NFK FO", sites="B.HAL"), "besiege")


@pytest.mark.rule("FAS-15.4")
def test_15_piracy() -> None:
    state = play(setup("", "LOU PRO", money=(1, 5), on_turn=F), "piracy PRO")
    assert money(state) == (0, 7)


@pytest.mark.rule("FAS-15.1", "FAS-15.2")
def test_16_money() -> None:
    for clause, gain in (("merchant NHV BOS NYK", 6), ("merchant BOS NYK", 3), ("money BOS", 3)):
        assert money(play(setup("NHV BOS NYK", money=(0, 5)), clause))[B] == gain


@pytest.mark.rule("FAS-15.3", "FAS-6.3")
def test_17_trader() -> None:
    state = setup("", "TR0 GAS MTL TAD TRI", money=(0, 0), on_turn=F)
    assert money(play(state, "trader TR0 GAS MTL TAD TRI"))[F] == 8
    state = setup("", "TR0 GAS MTL TAD TRI", money=(0, 0), on_turn=F, sites="B.FFR", sieges=((B, "MTL", "RI", ""),))
    with pytest.raises(IllegalMove):
        play(state.clone(), "trader TR0 GAS MTL TAD TRI")  # type: ignore[arg-type]
    assert money(play(state, "trader TR0 GAS TAD TRI"))[F] == 6


@pytest.mark.rule("FAS-15.6")
def test_18_discards_cost() -> None:
    state = setup("STM PEM NFK", money=(1, 5))
    with pytest.raises(SfidaError):
        play(state.clone(), "discard STM PEM NFK")  # type: ignore[arg-type]
    assert money(play(state, "discard STM PEM"))[B] == 0


@pytest.mark.rule("FAS-15.8")
def test_19_retrieve() -> None:
    poor = setup("", reserves=("RI SA ML", ""), money=(2, 5))
    assert "retrieve" not in legal(poor)
    state = play(setup("", reserves=("RI SA ML", ""), money=(3, 5)), "retrieve")
    assert zone(state, B, "hand") == "ML RI SA"
    assert money(state)[B] == 0


@pytest.mark.rule("FAS-15.12", "FAS-5.8")
def test_20_home_support() -> None:
    state = setup("HS", decks=("BOS", ""), discards=("NYK PHI STM NFK", ""))
    draw(play(state, "home"), "BOS", "NYK", "PHI")
    assert zone(state, B, "discards") == "HS"
    assert part(state, B).deck_size == 2
    assert state.phase == "main"
    state = setup("HS", decks=("BOS", ""), discards=("NYK PHI STM NFK", ""), options="preset=second")
    draw(play(state, "home"), "BOS")
    assert state.phase == "main"
    assert part(state, B).hand_size == 1
    assert (part(state, B).deck_size, zone(state, B, "discards")) == (4, "HS")


@pytest.mark.rule("FAS-5.8", "FAS-5.7")
def test_21_eager_reshuffle() -> None:
    state = setup("BOS NYK PHI", decks=("STM NFK", ""), discards=("PEM NHV RI MI MI RG", ""), actions=0)
    draw(play(state, "end"), "STM", "NFK")
    assert (part(state, B).deck_size, zone(state, B, "discards")) == (6, "")
    assert position(state, F).seats[B].hand == part(state, B).hand


@pytest.mark.rule("FAS-14.3", "FAS-14.5")
def test_22_ambush_on_the_reserve() -> None:
    state = setup("RG", "PRO TAD", decks=("", "QUE"), reserves=("", "RI"))
    play(state, "ambush RG", "allow")
    assert legal(state) == {"hit RI reserve"}
    play(state, "hit RI reserve")
    assert zone(state, F, "known") == ""
    assert "RI" in zone(state, F, "empire").split()


@pytest.mark.rule("FAS-14.2")
def test_23_the_reserve_blocks_nothing() -> None:
    state = play(setup("RG", "PRO", decks=("", "QUE"), reserves=("", "CB")), "ambush RG")
    assert legal(state) == {"allow"}


@pytest.mark.rule("FAS-14.7", "FAS-14.8", "FAS-14.9")
def test_24_conversion() -> None:
    state = play(setup("IL", "NAn PRO", decks=("", "QUE"), reserves=("", "NAn")), "convert IL")
    assert legal(state) == {"hit hand", "hit reserve"}
    play(state, "hit reserve")
    assert zone(state, B, "discards") == "IL NAn"
    assert zone(state, F, "reserve") == ""
    state = play(setup("IL", "NA PRO", decks=("", "QUE")), "convert IL")
    assert legal(state) == {"none"}
    play(state, "none")
    assert zone(state, F, "known").split() == zone(state, F, "hand").split()
    assert zone(state, B, "discards") == "IL"


@pytest.mark.rule("FAS-13.10")
def test_25_raid_on_a_town_without_cubes() -> None:
    state = setup("NAn", sites="B.ALB F.FWH2", supplies=(None, (0, 3)))
    play(state, "raid FWH NAn", "allow")
    assert owner(state, "FWH") == "."
    assert part(state, B).captured_towns == 1


@pytest.mark.rule("FAS-7.7", "FAS-15.9", "FAS-15.10")
def test_26_the_governor_and_baltimore() -> None:
    state = setup("GV BAL NFK NHV PHI", sites="B.BAL")
    points, cubes = part(state, B).points, part(state, B).villages
    play(state, "govern BAL")
    assert "BAL" in zone(state, B, "locations")
    assert part(state, B).points == points
    play(state, "settle BAL NFK NHV PHI")
    assert "BAL" in zone(state, B, "discards")
    assert part(state, B).villages == cubes


@pytest.mark.rule("FAS-7.6", "FAS-6.1")
def test_27_a_lost_site_settled_again() -> None:
    state = setup("PEM BOS NFK NYK TR", sites="-PEM")
    assert not legal(state, "trader")           # its fur cannot be used
    cubes = part(state, B).villages
    play(state, "settle PEM BOS NFK NYK")
    assert part(state, B).villages == cubes - 1
    assert zone(state, B, "hand") == "PEM TR"
    assert zone(state, B, "discards") == "BOS NYK NFK"


@pytest.mark.rule("FAS-6.2", "FAS-12.3")
def test_28_the_western_chain() -> None:
    cut = setup("", "FFR FNI TR0 RI", sites="F.FFR F.FNI B.OSW -MTL", on_turn=F, sieges=((B, "FNI", "RI", ""),))
    assert not legal(cut, "trader")
    assert not legal(cut, "reinforce")
    held = setup("", "FFR FNI TR0 RI", sites="F.FFR F.FNI B.OSW", on_turn=F, sieges=((B, "FNI", "RI", ""),))
    assert legal(held, "trader")
    assert legal(held, "reinforce") == {"reinforce FNI RI"}


@pytest.mark.rule("FAS-6.2", "FAS-12.3")
def test_29_albany_without_new_york() -> None:
    state = setup("ALB RI TR", "", sites="B.ALB F.FWH -NYK", sieges=((F, "ALB", "RI", ""),))
    assert not legal(state, "trader")
    assert legal(state, "reinforce") == {"reinforce ALB RI"}


@pytest.mark.rule("FAS-16.2", "FAS-16.4")
def test_30_no_discs_left() -> None:
    siege = ((B, "LOU", "MI", ""),)
    state = setup(sites="B.HAL", supplies=(None, (9, 0)), sieges=siege, on_turn=F, phase="start")
    assert (state.is_over, position(state).reason) == (True, "supply")
    state = setup(sites="B.HAL", supplies=(None, (9, 0)), sieges=((B, "LOU", "RI MI", ""),), on_turn=F, phase="start",
                  options="preset=second")
    assert not state.is_over
    assert not setup(supplies=((9, 0), None), on_turn=F, phase="start").is_over


@pytest.mark.rule("FAS-16.3")
def test_31_captured_points() -> None:
    siege = ((B, "LOU", "RI MI", ""),)
    state = setup(sites="B.HAL", captured=((0, 0), (2, 2)), sieges=siege, on_turn=F, phase="start")
    assert not state.is_over
    state = setup(captured=((0, 0), (2, 2)), on_turn=F, phase="start")
    assert (state.is_over, position(state).reason) == (True, "capture")


@pytest.mark.rule("FAS-16.6")
def test_32_a_tie_is_french() -> None:
    state = setup(sites="B.ALB2 B.DET -GAS -MTL F.OSW", supplies=((9, 0), None), phase="start")
    assert state.scores() == [29, 26]
    state = setup(sites="B.ALB2 B.DET -GAS -MTL F.OSW F.FVE F.FPI F.BAL", supplies=((9, 0), None), phase="start")
    assert state.scores() == [29, 29]
    assert state.utilities() == [0.0, 1.0]
    assert state.ranks() == [2, 1]


@pytest.mark.rule("FAS-16.1", "FAS-11.15")
def test_33_quebec_before_the_supply() -> None:
    state = setup("", sites="B.LOU", supplies=((9, 0), None), sieges=((B, "QUE", "SA RI", ""),), phase="start")
    assert (state.is_over, position(state).reason, state.utilities()) == (True, "siege", [1.0, 0.0])


@pytest.mark.rule("FAS-11.1", "FAS-11.3")
def test_34_both_sieges() -> None:
    state = setup("BOS", "", sites="B.HAL", sieges=((B, "LOU", "SA MI", ""), (F, "BOS", "MI", "")), phase="start")
    assert (lead(state, B), lead(state, F)) == (2, -1)
    assert legal(state) == {"resolve LOU", "resolve BOS"}
    first = play(state.clone(), "resolve LOU")  # type: ignore[arg-type]
    assert legal(first) == {"leave"}
    play(state, "resolve BOS")
    assert legal(state) == {"settle BOS", "leave"}
    assert owner(play(state, "settle BOS"), "LOU") == "B"
    assert state.phase == "main"


@pytest.mark.rule("FAS-15.14", "FAS-15.15")
def test_35_port_royal_surrenders() -> None:
    state = setup("STM", "", sites="B.HAL", sieges=((B, "PRO", "RI", "RI MI LOU"),), on_turn=F,
                  decks=("BOS", "QUE TAD"))
    play(state, "surrender PRO")
    assert (state.to_move, legal(state)) == (F, {"lost RI", "lost MI"})
    play(state, "lost MI")
    assert (state.to_move, legal(state)) == (B, {"settle STM", "leave"})
    play(state, "settle STM")
    assert owner(state, "PRO") == "B"
    assert part(state, B).captured_villages == 1
    assert (state.to_move, position(state).actions_left) == (F, 2)
    assert "PRO" in zone(state, B, "discards")
