"""Sieges: chapters 10 to 12."""

from __future__ import annotations

import pytest

from sfida.cython_ext.rng import Random
from support.acres import B, F, end, lead, money, owner, part, play, played, position, setup, targets, zone
from support.playing import legal


@pytest.mark.rule("FAS-10.1", "FAS-10.2")
def test_targets_and_cards() -> None:
    state = setup("PEM BOS NFK RI", sites="F.HAL")
    assert targets(state, "besiege") == {"PRO", "HAL"}
    state.apply(state.parse("besiege PRO PEM"))
    assert legal(state) == {"+BOS", "+NFK"}
    state.apply(state.parse("+NFK"))
    assert legal(state) == {"+BOS", "+RI"}
    state.apply(state.parse("+RI"))
    assert zone(state, B, "discards") == "NFK PEM"
    assert played(state, B, B)
    assert position(state).actions_left == 1


@pytest.mark.rule("FAS-10.3")
def test_the_third_card() -> None:
    """A ship counts as strength at a ship site; one card cannot be transport and strength at once (R-4)."""
    assert targets(setup("PEM NFK SH"), "besiege") == {"PRO"}
    assert not targets(setup("PEM BOS"), "besiege")
    assert not targets(setup("LOU NFK SH", sites="B.LOU"), "besiege") & {"TRI"}
    assert "TRI" in targets(setup("LOU NFK RI", sites="B.LOU"), "besiege")


@pytest.mark.rule("FAS-10.4")
def test_leaders_may_open_forts_may_not() -> None:
    assert not targets(setup("PEM NFK FO"), "besiege")
    state = play(setup("PEM NFK ML"), "besiege PRO PEM NFK ML")
    assert (lead(state, B), position(state).actions_left) == (0, 1)


@pytest.mark.rule("FAS-10.5")
def test_artillery_costs_money_in_every_siege() -> None:
    assert not targets(setup("PEM NFK SA", money=(2, 0)), "besiege")
    state = play(setup("PEM NFK SA", money=(3, 0)), "besiege PRO PEM NFK SA")
    assert money(state)[B] == 0
    assert not legal(setup("SA", sites="B.HAL", sieges=((B, "LOU", "RI", ""),), money=(2, 0)), "reinforce")
    state = play(setup("SA", sites="B.HAL", sieges=((B, "LOU", "RI", ""),), money=(5, 0)), "reinforce LOU SA")
    assert money(state)[B] == 2


@pytest.mark.rule("FAS-10.6")
def test_one_siege_each() -> None:
    state = setup("PEM NFK RI", sites="F.FBE", sieges=((B, "LOU", "RI", ""),))
    assert not legal(state, "besiege")
    state = setup("PEM NFK RI", sieges=((F, "BOS", "RI", ""),))
    play(state, "besiege PRO PEM NFK RI")
    assert len(position(state).sieges) == 2


@pytest.mark.rule("FAS-10.7", "FAS-10.9")
@pytest.mark.parametrize(("sites", "forts", "target", "expected"), [
    ("B.LOU", "", "QUE", -3 + 2), ("B.LOU", "QUE", "QUE", -5 + 2), ("B.HAL", "", "LOU", -2 + 2),
    ("B.HAL", "", "PRO", -1 + 2), ("B.FSJ B.FFR", "", "MTL", -2 + 2)])
def test_where_the_marker_starts(sites: str, forts: str, target: str, expected: int) -> None:
    state = setup(sites=sites, forts=forts, sieges=((B, target, "RI", ""),))
    assert lead(state, B) == expected


@pytest.mark.rule("FAS-10.8")
def test_sieges_last() -> None:
    state = setup("BOS", "QUE", sites="B.HAL", sieges=((B, "LOU", "SA", ""),), decks=("NFK PEM PHI STM", "GAS TAD"))
    assert lead(state, B) == 1
    rng = Random(2)
    for _ in range(12):
        end(state, rng)
        assert lead(state, B) == 1
        assert position(state).sieges[0].site == 26


# ---- winning ----------------------------------------------------------------------------------------


def at_start(attack: str, defence: str, *, besieger: int = B, target: str = "PRO", on_turn: int = B, **more):
    """Return a siege at the start of a turn."""
    return setup(more.pop("british", "BOS"), more.pop("french", "QUE"), sites=more.pop("sites", "B.HAL"),
                 sieges=((besieger, target, attack, defence),), on_turn=on_turn, phase="start", **more)


@pytest.mark.rule("FAS-11.1", "FAS-11.2", "FAS-11.4")
@pytest.mark.parametrize(("attack", "defence", "on_turn", "ends"), [
    ("RI MI", "", B, True), ("RI", "", B, False), ("RI", "MI", B, False), ("RI MI", "", F, False),
    ("MI", "MI", F, True), ("MI", "", F, False), ("MI", "MI", B, False)])
def test_who_has_won(attack: str, defence: str, on_turn: int, ends: bool) -> None:
    state = at_start(attack, defence, on_turn=on_turn)
    assert (state.phase != "main" or not position(state).sieges) is ends


@pytest.mark.rule("FAS-11.3", "FAS-11.11", "FAS-11.12", "FAS-11.14")
def test_the_defender_wins() -> None:
    state = at_start("MI", "RI MI", on_turn=F, forts="PRO")
    assert owner(state, "PRO") == "F#"
    assert "MI" in zone(state, B, "empire").split()
    assert zone(state, B, "discards") == ""
    assert sorted(zone(state, F, "discards").split()) == ["MI", "RI"]
    assert (state.phase, state.target(B)) == ("main", -1)
    assert part(state, F).captured_villages == 0


@pytest.mark.rule("FAS-11.5", "FAS-11.9")
def test_the_piece_is_taken() -> None:
    state = at_start("RI*3 SA", "", sites="B.HAL F.PRO2", forts="PRO", supplies=((0, 5), None), turns=4)
    assert state.phase == "game_over"           # an empty supply ends the game before sieges that would not decide it
    state = at_start("RI*3 SA", "", sites="B.HAL F.PRO2", forts="PRO")
    assert (part(state, B).captured_towns, part(state, B).captured_villages) == (1, 0)
    assert (owner(state, "PRO"), position(state).forts_left) == (".", 12)
    late = at_start("RI*3 SA", "", sites="B.HAL F.PRO2", supplies=((0, 5), None),
                    options="end_check=after_sieges,preset=second")
    assert (owner(late, "PRO"), late.is_over) == (".", True)


@pytest.mark.rule("FAS-11.6")
def test_a_settler_card_from_hand() -> None:
    state = at_start("RI MI", "", british="BOS STM NFK SE", sites="B.HAL -STM F.STM")
    assert legal(state) == {"settle BOS", "settle SE", "leave"}     # Saint Mary's is lost, its card useless
    play(state, "settle SE")
    assert owner(state, "PRO") == "B"
    assert "SE" in zone(state, B, "discards").split()
    assert position(state).actions_left == 2
    assert legal(at_start("RI MI", "", british="NFK RG")) == {"leave"}


@pytest.mark.rule("FAS-11.7", "FAS-11.8")
def test_no_settler_symbol() -> None:
    where = {"target": "FBE", "sites": "B.HAL F.FBE"}
    state = at_start("RI MI", "", **where)
    assert (owner(state, "FBE"), state.phase) == ("B", "main")
    assert "FBE" in zone(state, B, "discards").split()
    optional = at_start("RI MI", "", options="placement_after_siege_optional=true", **where)
    assert legal(optional) == {"settle", "leave"}
    assert owner(play(optional.clone(), "settle"), "FBE") == "B"
    assert owner(play(optional, "leave"), "FBE") == "."


@pytest.mark.rule("FAS-11.8")
def test_a_card_owned_already_is_not_gained() -> None:
    state = at_start("RI MI", "", target="FBE", sites="B.HAL F.FBE", discards=("FBE", ""))
    assert zone(state, B, "discards").split().count("FBE") == 1


@pytest.mark.rule("FAS-11.10", "FAS-6.1")
def test_the_loser_keeps_a_useless_card() -> None:
    state = at_start("RI MI", "", target="FBE", sites="B.HAL F.FBE", french="FBE TR0")
    assert "FBE" in zone(state, F, "hand").split()
    end(state)
    assert not legal(state, "trader")


@pytest.mark.rule("FAS-11.13")
def test_what_the_loser_returns() -> None:
    where = {"target": "FBE", "sites": "B.HAL F.FBE"}
    state = at_start("SA RI RI RI", "PRO RI0 MI FOn", **where)
    assert (state.to_move, legal(state)) == (F, {"lost RI0", "lost MI", "lost FOn"})
    play(state, "lost FOn")
    neutral = position(state).neutral
    assert len(neutral) == 9
    only = at_start("RI RI", "PRO", **where)
    assert only.phase == "main"
    assert zone(only, F, "discards") == "PRO"
    forced = at_start("RI RI", "MI PRO", british="", **where)
    assert forced.phase == "main"
    assert "MI" in zone(forced, F, "empire").split()


@pytest.mark.rule("FAS-11.12")
def test_one_of_several_copies() -> None:
    state = at_start("SA RI RI RI", "MI MI", target="FBE", sites="B.HAL F.FBE")
    assert zone(state, F, "discards") == "MI"
    assert zone(state, F, "empire").split().count("MI") == 2


@pytest.mark.rule("FAS-11.15", "FAS-16.1")
@pytest.mark.parametrize(("besieger", "target", "sites"), [
    (B, "QUE", "B.LOU"), (F, "BOS", "F.PEM"), (F, "NYK", "F.ALB")])
def test_homes_decide(besieger: int, target: str, sites: str) -> None:
    state = at_start("RI RI SA", "", besieger=besieger, target=target, sites=f"-PEM -LOU {sites}", on_turn=besieger)
    assert state.is_over
    assert position(state).reason == "siege"
    assert state.utilities()[besieger] == 1.0


# ---- reinforcing ------------------------------------------------------------------------------------


@pytest.mark.rule("FAS-12.1")
def test_cards_move_the_marker() -> None:
    siege = {"sites": "B.HAL", "sieges": ((B, "LOU", "RI", ""),), "money": (9, 9)}
    for hand, clause, step in (("RI", "RI", 2), ("SA", "SA", 3), ("MI", "MI", 1), ("NYK", "NYK", 1), ("SH", "SH", 1)):
        state = setup(hand, **siege)
        before = lead(state, B)
        assert lead(play(state, f"reinforce LOU {clause}"), B) == before + step
    state = setup("", "RI0 MI", on_turn=F, **siege)
    before = lead(state, B)
    assert lead(play(state, "reinforce LOU RI0", "reinforce LOU MI"), B) == before - 3


@pytest.mark.rule("FAS-12.2", "FAS-10.6")
def test_the_player_chooses_the_siege() -> None:
    state = setup("RI", sites="B.HAL", sieges=((B, "LOU", "RI", ""), (F, "PEM", "RI", "")))
    assert legal(state, "reinforce") == {"reinforce LOU RI", "reinforce PEM RI"}


@pytest.mark.rule("FAS-12.3")
def test_reinforcements_need_a_way() -> None:
    cut = setup("RI", sites="B.ALB F.FWH F.TIC -NYK -BOS F.NYK", sieges=((F, "ALB", "RI", ""),))
    assert legal(cut, "reinforce")              # New York ends a chain even when it is lost
    far = setup("RI", sites="B.DET F.FPI", sieges=((F, "DET", "RI", ""),))
    assert not legal(far, "reinforce")
    trail = setup("RI", sites="B.DEE F.FWH -NHV", sieges=((F, "DEE", "RI", ""),))
    assert not legal(trail, "reinforce")        # from Boston leads only a trail
    besieged = setup("", "RI", sites="F.FFR F.FNI B.OSW", on_turn=F,
                     sieges=((B, "MTL", "RI", ""), ))
    assert legal(besieged, "reinforce") == {"reinforce MTL RI"}


@pytest.mark.rule("FAS-12.4")
def test_fortification_cards_defend() -> None:
    siege = {"sites": "B.HAL", "sieges": ((B, "LOU", "RI", ""),)}
    assert not legal(setup("FO FOn", **siege), "reinforce")
    assert legal(setup("", "FO FOn", on_turn=F, **siege), "reinforce") == {"reinforce LOU FO", "reinforce LOU FOn"}


@pytest.mark.rule("FAS-12.6")
def test_leaders_need_a_way_too() -> None:
    far = setup("ML", sites="B.DET F.FPI", sieges=((F, "DET", "RI", ""),))
    assert not legal(far, "leader")
    near = setup("ML", sites="B.HAL", sieges=((B, "LOU", "RI", ""),), actions=0)
    before = lead(near, B)
    assert lead(play(near, "leader LOU"), B) == before + 1
    assert "reinforce LOU ML" not in legal(setup("ML", sites="B.HAL", sieges=((B, "LOU", "RI", ""),)))


@pytest.mark.rule("FAS-12.7")
def test_location_cards_lie_in_the_siege() -> None:
    state = play(setup("NYK", sites="B.HAL", sieges=((B, "LOU", "RI", ""),)), "reinforce LOU NYK")
    assert zone(state, B, "discards") == ""
    assert len(played(state, B, B)) == 2


@pytest.mark.rule("FAS-12.8")
def test_the_besieged_site_s_own_card() -> None:
    state = setup("PEM BOS", "", sieges=((F, "BOS", "RI", ""),))
    assert not legal(state, "reinforce")
    state = setup("NYK BOS", "", sieges=((F, "BOS", "RI", ""),))
    assert legal(state, "reinforce") == {"reinforce BOS NYK"}
