"""Raids, ambushes and conversions: chapters 13 and 14."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import SfidaError
from support.acres import B, F, lead, money, owner, part, play, position, setup, targets, zone
from support.playing import legal


@pytest.mark.rule("FAS-13.1", "FAS-13.3")
def test_true_raid_cards_are_needed() -> None:
    for cards, found in (("RG", True), ("NAn", True), ("IL", False), ("RI", False), ("IL NAn", True)):
        state = setup(cards, sites="F.FHA", money=(5, 5))
        assert ("FHA" in targets(state, "raid")) is found, cards
    two = setup("IL NAn", sites="F.KEN")
    assert targets(two, "raid") == {"KEN"}
    play(two, "raid KEN IL NAn")
    assert two.phase == "raid_response"


@pytest.mark.rule("FAS-13.2", "FAS-13.13")
def test_as_many_cards_as_connections() -> None:
    state = setup("RG NAn NAn", sites="F.KEN F.FHA", money=(5, 5))
    assert targets(state, "raid") == {"FHA", "KEN", "QUE"}
    state.apply(state.parse("raid KEN"))
    assert legal(state) == {"+RG", "+NAn"}
    state.apply(state.parse("+RG"))
    assert legal(state) == {"+NAn"}             # exactly two
    state.apply(state.parse("+NAn"))
    assert state.phase == "raid_response"
    with pytest.raises(SfidaError):
        play(setup("RG NAn", sites="F.KEN F.FHA"), "raid FHA RG NAn")


@pytest.mark.rule("FAS-13.4")
def test_natives_are_paid() -> None:
    state = setup("RG NAn NAn", sites="F.KEN F.FHA", money=(1, 5))
    play(state, "raid KEN RG NAn")
    assert money(state)[B] == 0
    assert not targets(setup("NAn", sites="F.FHA", money=(0, 5)), "raid")
    assert targets(setup("NAn NAn RG", sites="F.KEN", money=(1, 5)), "raid") == {"KEN"}
    assert "QUE" not in targets(setup("NAn NAn RG", sites="F.KEN", money=(1, 5)), "raid")
    assert "QUE" in targets(setup("NAn NAn RG", sites="F.KEN", money=(2, 5)), "raid")


@pytest.mark.rule("FAS-13.5")
def test_ways_of_raids() -> None:
    assert targets(setup("RG", sites="F.CUM F.FDU"), "raid") == {"CUM"}             # trail and river
    assert targets(setup("RG NAn", sites="F.CUM F.FDU"), "raid") == {"CUM", "FDU"}  # then the road
    assert "OSW" in targets(setup("", "CB", sites="F.FNI B.OSW", on_turn=F), "raid")    # a lake
    assert not targets(setup("", "CB", on_turn=F), "raid")                          # never the sea
    assert not targets(setup("", "CB", sites="B.RIC B.CUM F.BAL -STM F.STM", on_turn=F), "raid") & {"RIC"}


@pytest.mark.rule("FAS-13.6")
def test_raids_pass_other_sites() -> None:
    through = setup("RG NAn", sites="F.FHA F.KEN")
    assert "KEN" in targets(through, "raid")            # past a French site
    assert "KEN" in targets(setup("RG NAn", sites="F.KEN"), "raid")     # past a neutral one


@pytest.mark.rule("FAS-13.7")
def test_forts_stop_raids() -> None:
    assert not targets(setup("RG NAn", sites="F.FHA F.KEN", forts="FHA"), "raid")
    own = setup("RG", sites="B.FHA F.KEN", forts="FHA")
    assert targets(own, "raid") == {"KEN"}              # a raid may start from an own fort


@pytest.mark.rule("FAS-13.8")
def test_blocks() -> None:
    hand = "CB MI NA NAn FO FOn PR RI GAS FHA"
    state = play(setup("RG", hand, sites="F.FHA F.KEN", money=(5, 0)), "raid FHA RG")
    assert (state.to_move, legal(state)) == (F, {"allow"} | {
        f"x {card}" for card in ("CB", "MI", "NA", "NAn", "FO", "FOn", "FHA")})
    play(state, "x NAn")
    assert (money(state)[F], owner(state, "FHA"), zone(state, F, "discards")) == (0, "F", "NAn")
    assert (state.to_move, state.phase) == (B, "main")
    english = play(setup("MI RG NAn FO IL", "CB", sites="B.FHA F.KEN", on_turn=F), "raid FHA CB")
    assert legal(english) == {"allow", "x RG", "x NAn", "x FO"}     # British Militia blocks nothing
    reserve = play(setup("RG", "", sites="F.FHA", reserves=("", "CB")), "raid FHA RG")
    assert legal(reserve) == {"allow"}


@pytest.mark.rule("FAS-13.9")
def test_what_a_raid_takes() -> None:
    village = play(setup("RG", sites="F.FHA"), "raid FHA RG", "allow")
    assert (owner(village, "FHA"), part(village, B).captured_villages) == (".", 1)
    town = setup("", "CB", sites="B.ALB2 F.FST", on_turn=F)
    cubes = part(town, B).villages
    play(town, "raid ALB CB", "allow")
    assert (owner(town, "ALB"), part(town, F).captured_towns, part(town, B).villages) == ("B", 1, cubes - 1)


@pytest.mark.rule("FAS-13.10")
def test_a_town_without_cubes() -> None:
    town = setup("", "CB", sites="B.ALB2 F.FST", on_turn=F, supplies=((0, 3), None))
    play(town, "raid ALB CB", "allow")
    assert owner(town, "ALB") == "."


@pytest.mark.rule("FAS-13.11")
def test_blocked_raids_cost_all_the_same() -> None:
    state = play(setup("NAn", "CB", sites="F.FHA", money=(3, 5)), "raid FHA NAn", "x CB")
    assert (money(state)[B], zone(state, B, "discards"), position(state).actions_left) == (2, "NAn", 1)
    free = setup("NAn", "CB", sites="F.FHA", money=(3, 5), options="blocked_raid_costs_no_action=true")
    assert position(play(free, "raid FHA NAn", "x CB")).actions_left == 2


@pytest.mark.rule("FAS-13.12")
def test_raiding_a_home_wins_nothing() -> None:
    state = play(setup("RG", sites="B.KEN"), "raid QUE RG", "allow")
    assert not state.is_over
    assert owner(state, "QUE") == "F"
    assert owner(play(state, "pass"), "QUE") == "F"


@pytest.mark.rule("FAS-13.13")
def test_besieged_sites() -> None:
    siege = {"sites": "F.FHA", "sieges": ((B, "FHA", "RI", ""),)}
    assert not targets(setup("RG", **siege), "raid")
    raided = setup("RG", options="raid_may_target_besieged_site=true", **siege)
    assert targets(raided, "raid") == {"FHA"}
    play(raided, "raid FHA RG", "allow")
    assert (owner(raided, "FHA"), raided.target(B), zone(raided, B, "discards")) == (".", -1, "RI RG")
    own = {"sites": "B.FHA F.KEN", "sieges": ((F, "FHA", "RI", ""),)}
    assert targets(setup("RG", **own), "raid") == {"KEN"}
    assert not targets(setup("RG", options="raid_may_start_from_besieged_site=false", **own), "raid")


@pytest.mark.rule("FAS-13.2")
def test_the_second_edition_s_range() -> None:
    """One card reaches one or two connections, n cards n + 1."""
    state = setup("RG", sites="F.FHA F.KEN", options="preset=second")
    assert targets(state, "raid") == {"FHA", "KEN"}
    play(state, "raid KEN RG")
    assert state.phase == "raid_response"


# ---- ambush -----------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-14.1")
def test_ambush_cards() -> None:
    assert legal(setup("RG NAn IL MI", money=(1, 0)), "ambush") == {"ambush RG", "ambush NAn"}
    assert legal(setup("RG NAn", money=(0, 0)), "ambush") == {"ambush RG"}
    assert legal(setup("", "CB NA NAn PR", on_turn=F), "ambush") == {"ambush CB", "ambush NA", "ambush NAn"}
    state = play(setup("NAn", "RI", money=(1, 0)), "ambush NAn")
    assert (money(state)[B], zone(state, B, "discards"), state.to_move) == (0, "NAn", F)


@pytest.mark.rule("FAS-14.2")
def test_ambushes_are_blocked_from_hand() -> None:
    state = play(setup("RG", "CB MI NA NAn FO PR RI", reserves=("", "MI"), money=(5, 0)), "ambush RG")
    assert legal(state) == {"allow", "x CB", "x MI", "x NA", "x NAn"}
    play(state, "x NA")
    assert (money(state)[F], zone(state, F, "discards"), state.to_move) == (0, "NA", B)
    free = setup("RG", "CB RI", options="blocked_ambush_costs_no_action=true")
    assert position(play(free, "ambush RG", "x CB")).actions_left == 2


@pytest.mark.rule("FAS-14.3")
def test_the_victim_chooses() -> None:
    state = play(setup("RG", "RI0 SA MI", decks=("", "QUE"), reserves=("", "RI")), "ambush RG", "allow")
    assert (state.to_move, legal(state)) == (F, {"hit RI0 hand", "hit SA hand", "hit RI reserve"})
    play(state, "hit SA hand")
    assert "SA" in zone(state, F, "empire").split()
    assert "SA" not in zone(state, F, "unseen").split()
    assert position(state, B).seats[F].known == ()


@pytest.mark.rule("FAS-14.4")
def test_vulnerable_cards() -> None:
    state = play(setup("RI SA MI RG NYK ML", "CB", on_turn=F, decks=("BOS", "")), "ambush CB", "allow")
    assert legal(state) == {"hit RI hand", "hit SA hand", "hit MI hand"}
    french = play(setup("RG", "RI SA MI ML RI0", decks=("", "QUE")), "ambush RG", "allow")
    assert legal(french) == {"hit RI hand", "hit SA hand", "hit RI0 hand"}


@pytest.mark.rule("FAS-14.5")
def test_a_hand_without_victims_is_shown() -> None:
    state = play(setup("RG", "MI TAD", decks=("", "QUE")), "ambush RG", "allow")
    assert legal(state) == {"none"}
    play(state, "none")
    assert position(state, B).seats[F].hand == part(state, F).hand
    assert position(state).actions_left == 1


@pytest.mark.rule("FAS-14.5", "FAS-14.8")
@pytest.mark.parametrize("first", [("RG", "ambush RG", "allow"), ("IL", "convert IL")])
def test_the_label_of_a_shown_hand_tells_the_hand(first: tuple[str, ...]) -> None:
    """Two hands that looked alike differ when they are shown, and so do the two events."""
    mine, *clauses = first
    worlds = [play(setup(mine, french, decks=("", deck)), *clauses)
              for french, deck in (("ML TAD", "QUE GAS"), ("ML QUE", "TAD GAS"), ("ML TAD", "QUE GAS"))]
    assert len({state.view(B).key() for state in worlds}) == 1
    one, other, same = (play(state, "none") for state in worlds)
    assert one.label(B) != other.label(B)
    assert one.label(B) == same.label(B)
    assert one.view(B).key() == same.view(B).key() != other.view(B).key()


@pytest.mark.rule("FAS-14.6")
def test_siege_cards_are_safe() -> None:
    state = setup("RG", "TAD", sites="B.HAL", sieges=((B, "LOU", "MI", "RI0"),), decks=("", "QUE"))
    assert legal(play(state, "ambush RG", "allow")) == {"none"}
    assert lead(state, B) == -3


# ---- conversion -------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-14.7", "FAS-14.9")
def test_natives_change_sides() -> None:
    state = play(setup("NAn*2 BOS", "PR", on_turn=F, decks=("PHI", "")), "convert PR")
    assert (state.to_move, legal(state)) == (B, {"hit hand"})
    play(state, "hit hand")
    assert zone(state, F, "discards") == "PR NAn"
    assert zone(state, B, "hand") == "BOS NAn"
    assert len(position(state).neutral) == 9 - 2
    blue = play(setup("IL", "NA TAD", decks=("", "QUE")), "convert IL")
    assert legal(blue) == {"none"}


@pytest.mark.rule("FAS-14.8")
def test_conversions_cannot_be_blocked() -> None:
    state = play(setup("RG BOS FO", "PR", on_turn=F, decks=("PHI", "")), "convert PR")
    assert legal(state) == {"none"}
    play(state, "none")
    assert zone(state, B, "known") == "BOS RG FO"
