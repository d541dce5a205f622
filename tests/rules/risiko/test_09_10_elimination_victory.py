"""Elimination, objectives and victory: chapters 9 and 10, and their worked examples."""

from __future__ import annotations

import pytest

from support.playing import legal, play
from support.risiko import BASE, excluded, owner, position, seat_of, setup, start, winner, words


@pytest.mark.rule("RIS-9.1", "RIS-9.2", "RIS-9.3", "RIS-18.8", "RIS-18.22", "RIS-19.32")
def test_elimination() -> None:
    state = setup("b AFO 8 CIN | g MAD | n *", hands=["ALK ALB", "SUO GRO ONT J1"], round_=6,
                  objectives=["na_af"])
    play(state, "AFO>MAD 3", "-0-1")
    assert state.phase == "occupy"
    raw = state.snapshot()["seats"][1]
    assert (raw["alive"], raw["eliminated_by"], raw["eliminated_round"], raw["card_count"]) == (False, 0, 6, 0)
    assert len(state.hand(0)) == 6
    play(state, "x MAD 3+4")
    while state.seat_on_turn == 0 and state.phase != "draw":
        assert not legal(state, "T")
        play(state, "=")
    play(state, "c:PER")
    assert len(state.hand(0)) == 7
    assert state.seat_on_turn == 2      # yellow is out of the game
    order = []
    while len(order) < 2:
        before = state.seat_on_turn
        code = state.legal_moves()[-1] if not state.is_chance else state.legal_moves()[0]
        state.apply(code)
        if state.seat_on_turn != before:
            order.append(state.seat_on_turn)
    assert 1 not in order


@pytest.mark.rule("RIS-9.4", "RIS-9.6", "RIS-18.9", "RIS-19.30")
@pytest.mark.parametrize(("held", "dice"), [(1, set()), (2, {1}), (3, {1, 2}), (5, {1, 2, 3})])
def test_no_elimination_in_the_first_four_rounds(held: int, dice: set[int]) -> None:
    text = f"b AFO 8 CIN | g MAD {held} | n *"
    for round_ in (1, 3, 4):
        state = setup(text, round_=round_)
        assert legal(state, "AFO>MAD") == {f"AFO>MAD {k}" for k in dice}
        assert ("AFO>>MAD" in legal(state)) == bool(dice)
        assert "AFO>EGI 3" in legal(state)              # everything else is unrestricted
    late = {1, 2, 3}
    assert legal(setup(text, round_=5), "AFO>MAD") == {f"AFO>MAD {k}" for k in late}
    assert not legal(setup(text, round_=3, options="early_elimination=no_attack"), "AFO>MAD")
    assert legal(setup(text, round_=3, options="early_elimination=off"), "AFO>MAD") == {f"AFO>MAD {k}" for k in late}
    assert not legal(setup(text, round_=6, options="early_elimination=no_attack,early_elimination_rounds=6"), "AFO>MAD")
    two = setup(f"b AFO 8 CIN | g MAD {held} AFS | n *", round_=3)
    assert legal(two, "AFO>MAD") == {f"AFO>MAD {k}" for k in late}


@pytest.mark.rule("RIS-9.6", "RIS-14.6")
def test_an_early_assault_stops_at_the_last_army() -> None:
    state = play(setup("b AFO 9 CIN | g MAD 3 | n *", round_=2), "AFO>>MAD", "d3", "-0-2")
    assert (owner(state, "MAD"), state.phase) == (1, "attack")
    assert not legal(state, "AFO>MAD")


@pytest.mark.rule("RIS-9.6", "RIS-18.9", "RIS-19.31")
def test_early_attacks_in_a_tournament() -> None:
    for held, dice in ((2, set()), (3, set()), (4, {3})):
        state = setup(f"b AFO 8 CIN | g MAD {held} | n *", round_=3, options="preset=tournament")
        assert legal(state, "AFO>MAD") == {f"AFO>MAD {k}" for k in dice}


@pytest.mark.rule("RIS-9.7", "RIS-18.10")
def test_the_objective_of_who_is_out() -> None:
    text = "b CIN 9 EU | n *"
    for revealed in (False, True):
        state = setup(text, objectives=["", "as_af"], eliminated=[(1, 2, 6)],
                      options=f"reveal_objective_on_elimination={str(revealed).lower()}")
        seen = position(state, 0).seats[1].objective
        assert seen == (BASE.index("as_af") if revealed else None)
        assert state.view(0).observation()["seats"][1]["objective"] == ("as_af" if revealed else None)


@pytest.mark.rule("RIS-10.2", "RIS-10.3", "RIS-18.13")
def test_setup_is_nobodys_turn() -> None:
    state = play(start(players=3), "#first=0", "#objective=na_oc", "#objective=o24", "#objective=as_af")
    mine = [i for i, one in enumerate(BASE) if one == "na_oc"]
    assert state.objective(0) == mine[0]
    lands = words("ALK TNO GRO ALB ONT QUE SUO SUE AMC IDN NGU AUO AUR CIN")
    others = words("VEN PER BRA ARG ISL GBR SCA EUS EUO EUM UCR AFN EGI AFO CON AFS MAD URA SIB JAC CIT KAM GIA "
                   "MON AFG MOR IND SIA")
    for k in range(42):
        play(state, f"#deal={lands[k // 3] if k % 3 == 2 else others.pop()}")
    assert not state.is_over
    assert state.fulfils(0, mine[0])
    while state.snapshot()["round"] == 0 and not state.is_over:
        state.apply(state.legal_moves()[-1])
    assert state.is_over                # at the start of the seat's first turn, before any army is placed
    assert winner(state) == 0


@pytest.mark.rule("RIS-10.3", "RIS-19.33", "RIS-18.14")
@pytest.mark.parametrize(("kept", "wins"), [(24, True), (23, False)])
def test_a_target_eliminated_by_another(kept: int, wins: bool) -> None:
    territories = words("ISL GBR SCA EUS EUO EUM UCR URA SIB JAC CIT KAM GIA MON CIN AFG MOR IND SIA IDN NGU "
                        "AUO AUR ARG")[:kept]
    state = setup(f"b {' '.join(territories)} | r MAD | v AFS 5 *", players=5, on_turn=4, objectives=["kill_rosso"],
                  eliminated=[(1, 4, 5), (2, 4, 5)], round_=6)
    play(state, "AFS>MAD 3", "-0-1")
    assert not state.is_over            # green's turn
    play(state, "x 0", "=")
    while not state.is_over and state.seat_on_turn == 4:
        play(state, "=" if state.phase != "draw" else "c:PER")
    assert state.is_over == wins
    if wins:
        assert winner(state) == 0
        assert state.snapshot()["left"] == 0
    else:
        assert seat_of(state, 0).progress == "23 of 24 territories instead"
        assert "kill_rosso" not in excluded(state, 0)


@pytest.mark.rule("RIS-10.5", "RIS-10.6", "RIS-18.15", "RIS-19.34")
def test_destroying_wins_at_once() -> None:
    state = setup("b AFO 8 CIN | g EU | n NA SA * | r MAD", players=4, objectives=["kill_rosso"], round_=6)
    play(state, "AFO>MAD 3", "-0-1")
    assert state.is_over
    assert winner(state) == 0
    assert seat_of(state, 0).progress == "destroyed"
    assert seat_of(setup("b AFO 8 CIN | g EU | n NA SA * | r MAD", players=4, objectives=["kill_rosso"]),
                   0).progress == "1 territory left to destroy"


MANY = ("ISL GBR SCA EUS EUO EUM UCR URA SIB JAC CIT KAM GIA MON CIN 5 AFG IND SIA IDN NGU AUO AUR ARG")


@pytest.mark.rule("RIS-10.5", "RIS-16.6", "RIS-19.35")
@pytest.mark.parametrize(("objective", "seat"), [("kill_viola", 0), ("kill_blu", 0), ("o24", 0)])
def test_what_counts_as_24_territories(objective: str, seat: int) -> None:
    state = setup(f"b {MANY} | g MOR | n *", objectives=[objective])
    assert not state.is_over
    assert seat_of(state, seat).progress.startswith("23 of 24 territories")
    play(state, "CIN>MOR 3", "-0-1")    # before any further move
    assert winner(state) == 0
    fallbacks = [one for i, one in enumerate(BASE) if state.fulfils(0, i)]
    # three colours are not in play, one is the holder's own; yellow is out by blue's own hand
    assert set(fallbacks) - {"eu_oc_x"} == {"o24", "kill_rosso", "kill_verde", "kill_viola", "kill_blu", "kill_giallo"}


@pytest.mark.rule("RIS-10.4", "RIS-10.6", "RIS-18.18", "RIS-19.36")
def test_eighteen_with_two() -> None:
    codes = MANY.replace("CIN 5", "CIN").split()[:20]
    text = "b " + " ".join(f"{code} 2" for code in codes[:17]) + " " + " ".join(codes[17:])
    state = setup(f"{text} | g NA | n *", objectives=["o18x2"], phase="place", left=3)
    assert not state.is_over
    assert seat_of(state, 0).progress == "17 of 18 territories with 2 armies"
    twin = play(state.clone(), f"+{codes[0]} 1")
    assert not twin.is_over
    play(state, f"+{codes[17]} 1")
    assert winner(state) == 0


@pytest.mark.rule("RIS-10.4", "RIS-10.6", "RIS-19.37")
def test_eighteen_with_two_by_the_strategic_move() -> None:
    codes = words("ISL GBR SCA EUS EUO EUM URA SIB JAC CIT KAM GIA MON AFG IND SIA")
    short = "b UCR MOR 3 " + " ".join(f"{code} 2" for code in codes)
    state = setup(f"{short} | g NA | n *", objectives=["o18x2"], phase="fortify")
    assert seat_of(state, 0).progress == "17 of 18 territories with 2 armies"
    play(state, "~MOR>UCR 1")
    assert winner(state) == 0


@pytest.mark.rule("RIS-10.4", "RIS-10.6")
def test_eighteen_with_two_by_occupying() -> None:
    codes = words("ISL GBR SCA EUS EUO EUM URA SIB JAC CIT KAM GIA UCR AFG IND SIA")
    text = "b CIN 4 " + " ".join(f"{code} 2" for code in codes)
    state = setup(f"{text} | g MON | n *", objectives=["o18x2"])
    play(state, "CIN>MON 1", "-0-1")
    assert not state.is_over
    play(state, "x MON 1+1")
    assert winner(state) == 0


@pytest.mark.rule("RIS-10.4", "RIS-19.38")
def test_a_third_continent() -> None:
    state = setup("b EU SA SIA 5 NGU AUO AUR | g IDN | n *", objectives=["eu_sa_x"])
    assert seat_of(state, 0).progress == "11 of 11 territories, 0 of 1 other continent"
    play(state, "SIA>IDN 3", "-0-1")
    assert winner(state) == 0


@pytest.mark.rule("RIS-10.4", "RIS-19.39")
def test_the_last_territory_with_one_army() -> None:
    one = MANY.replace("CIN 5", "CIN 2")
    state = play(setup(f"b {one} | g MOR | n *", objectives=["o24"]), "CIN>MOR 1", "-0-1")
    assert winner(state) == 0


@pytest.mark.rule("RIS-10.2", "RIS-10.3", "RIS-18.16", "RIS-19.40")
def test_others_turns_do_not_win() -> None:
    """Green takes from black: blue's fall-back is fulfilled in green's turn; losing a territory again cancels it."""
    text = ("b ISL GBR SCA EUS EUO EUM UCR URA SIB JAC CIT KAM GIA MON CIN AFG MOR IND SIA IDN NGU AUO AUR ARG | r MAD "
            "| v AFO 9 BRA 9 | n *")
    state = setup(text, players=5, on_turn=4, objectives=["kill_rosso"], eliminated=[(1, 2, 5)], round_=6)
    play(state, "AFO>MAD 3", "-0-1", "x 0")
    assert state.fulfils(0, BASE.index("kill_rosso"))
    assert not state.is_over
    play(state, "BRA>ARG 3", "-0-1")
    assert not state.fulfils(0, BASE.index("kill_rosso"))
    play(state, "x 0", "=", "=", "c:PER")
    assert not state.is_over
    assert state.seat_on_turn == 0


@pytest.mark.rule("RIS-17.2", "RIS-18.12")
def test_the_sole_survivor() -> None:
    state = setup("b AFO 8 * | g MAD", objectives=["o18x2", "o24", "na_af"], eliminated=[(2, 0, 5)])
    play(state, "AFO>MAD 3", "-0-1")
    assert winner(state) == 0
    assert state.ranks() == [1, 2, 2]


@pytest.mark.rule("RIS-18.16")
def test_only_the_player_on_turn_is_tested() -> None:
    state = setup("b CIN 9 | g NA AF | n *", objectives=["", "na_af"])
    assert not state.is_over
    play(state, "CIN>MOR 3", "-0-1", "x 0", "=", "=", "c:PER")
    assert winner(state) == 1
