"""Settling, developing and fortifying: chapters 7 to 9."""

from __future__ import annotations

import pytest

from support.acres import B, F, lead, money, owner, part, play, position, setup, targets, zone
from support.playing import legal


@pytest.mark.rule("FAS-7.1", "FAS-2.2")
def test_targets_are_neutral_and_linked() -> None:
    state = setup("NHV BOS STM PEM NFK SE", sites="F.FBE")
    neutral = {code for code in targets(state, "settle") if owner(state, code) == "."}
    assert neutral == {"HAL", "DEE", "RIC", "BAL", "FHA"}
    assert "FBE" not in targets(state, "settle")
    assert "PRO" not in targets(state, "settle")


@pytest.mark.rule("FAS-7.2")
def test_every_symbol_is_a_card_of_its_own() -> None:
    state = setup("PEM NFK BOS STM SE")
    state.apply(state.parse("settle HAL PEM"))
    assert legal(state) == {"+NFK", "+BOS"}
    state.apply(state.parse("+BOS"))
    assert legal(state) == {"+STM", "+SE"}
    two = setup("PEM BOS")
    assert "HAL" not in targets(two, "settle")
    assert "HAL" not in targets(setup("PEM BOS RI"), "settle")
    assert "HAL" in targets(setup("PEM BOS SE"), "settle")
    assert "HAL" in targets(setup("PEM BOS NYK"), "settle")
    forced = setup("PEM BOS NFK")
    forced.apply(forced.parse("settle HAL PEM"))
    assert legal(forced) == {"+NFK"}            # Boston is the only settler


@pytest.mark.rule("FAS-7.3", "FAS-7.4")
def test_the_new_card_is_discarded_too() -> None:
    state = setup("PEM NFK BOS")
    cubes = part(state, B).villages
    play(state, "settle HAL PEM NFK BOS")
    assert zone(state, B, "discards") == "BOS NFK PEM HAL"
    assert "HAL" not in zone(state, B, "locations")
    assert (owner(state, "HAL"), part(state, B).villages, position(state).actions_left) == ("B", cubes - 1, 1)


@pytest.mark.rule("FAS-7.5")
def test_without_cubes() -> None:
    state = setup("PEM NFK BOS", supplies=((0, 5), None))
    assert "HAL" not in targets(state, "settle")


@pytest.mark.rule("FAS-7.6")
def test_a_site_lost_earlier() -> None:
    state = setup("PEM NFK BOS", discards=("HAL", ""))
    play(state, "settle HAL PEM NFK BOS")
    assert zone(state, B, "discards").split().count("HAL") == 1
    assert owner(state, "HAL") == "B"


@pytest.mark.rule("FAS-7.7")
def test_own_sites_only_to_regain_their_cards() -> None:
    state = setup("PEM NFK BOS", sites="B.HAL", discards=("HAL", ""))
    assert "HAL" not in targets(state, "settle")
    state = setup("PEM NFK BOS", sites="B.HAL", supplies=((0, 5), None))
    assert "HAL" in targets(state, "settle")
    play(state, "settle HAL PEM NFK BOS")
    assert part(state, B).villages == 0
    assert "HAL" in zone(state, B, "discards")


@pytest.mark.rule("FAS-7.8")
def test_a_site_without_a_card() -> None:
    state = setup("", "PEM PRO QUE", sites="-BOS -PEM F.PEM", on_turn=F)
    before = part(state, F).points
    play(state, "settle BOS PEM PRO QUE")
    assert owner(state, "BOS") == "F"
    assert part(state, F).points == before + 2
    assert zone(state, F, "discards").split() == ["QUE", "PRO", "PEM"]


@pytest.mark.rule("FAS-7.9")
def test_settling_a_home_wins_in_the_second_edition_only() -> None:
    for preset, over in (("first", False), ("second", True)):
        state = setup("", "PEM PRO QUE", sites="-BOS -PEM F.PEM", on_turn=F, options=f"preset={preset}")
        play(state, "settle BOS PEM PRO QUE")
        assert state.is_over is over
        assert position(state).reason == ("settle" if over else "")
        assert state.utilities() == ([0.0, 1.0] if over else None)


@pytest.mark.rule("FAS-8.1", "FAS-8.2")
def test_what_can_be_developed() -> None:
    state = setup("STM PHI BOS NFK SE", sites="-PHI F.PHI")
    assert targets(state, "develop") == {"STM", "NFK"}      # Boston is a town, Philadelphia is not ours
    assert targets(setup("STM NFK"), "develop") == {"NFK"}  # Saint Mary's is no settler for itself
    assert targets(setup("STM", decks=("SE", "")), "develop") == set()


@pytest.mark.rule("FAS-8.3")
def test_discs_are_needed() -> None:
    assert not targets(setup("STM SE", supplies=((5, 0), None)), "develop")
    state = setup("STM SE", supplies=((5, 1), None))
    play(state, "develop STM SE")
    assert (part(state, B).villages, part(state, B).towns, owner(state, "STM")) == (6, 0, "B2")


@pytest.mark.rule("FAS-8.4")
def test_a_fort_stays() -> None:
    state = play(setup("STM SE", forts="STM"), "develop STM SE")
    assert owner(state, "STM") == "B2#"


@pytest.mark.rule("FAS-9.1", "FAS-9.2")
def test_fortify() -> None:
    state = setup("FO FOn PEM BOS", money=(6, 0))
    assert legal(state, "fortify") == {"fortify PEM FO", "fortify PEM FOn", "fortify BOS FO", "fortify BOS FOn"}
    play(state, "fortify PEM FOn")
    assert (owner(state, "PEM"), money(state)[B], position(state).forts_left) == ("B#", 3, 11)
    assert sorted(zone(state, B, "discards").split()) == ["FOn", "PEM"]
    assert not legal(setup("FO PEM", money=(2, 0)), "fortify")
    assert not legal(setup("FO PEM", forts="PEM"), "fortify")


@pytest.mark.rule("FAS-9.3", "FAS-10.7")
def test_what_a_fort_does() -> None:
    plain, fort = (setup("", "PRO LOU RI", forts=forts, on_turn=F) for forts in ("", "PEM"))
    for state, expected in ((plain, 1), (fort, -1)):
        assert lead(play(state, "besiege PEM PRO LOU RI"), F) == expected
    assert "FHA" not in targets(setup("RG", sites="F.FHA", forts="FHA"), "raid")


@pytest.mark.rule("FAS-9.4")
def test_no_fort_under_siege() -> None:
    state = setup("FO PEM BOS", sieges=((F, "PEM", "RI", ""),))
    assert legal(state, "fortify") == {"fortify BOS FO"}
