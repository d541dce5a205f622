"""The course of a turn and the limits on location cards: chapters 5 and 6."""

from __future__ import annotations

import pytest

from sfida.cython_ext.acres.core import AcresState
from sfida.cython_ext.rng import Random
from sfida.engines.acres.tables import site_codes
from support.acres import B, F, draw, lead, part, play, position, setup, start, zone
from support.playing import legal, step


def usable(state: AcresState, seat: int) -> set[str]:
    """Return the sites whose cards the seat may use."""
    return {site_codes()[i] for i in position(state).seats[seat].usable}


@pytest.mark.rule("FAS-5.1", "FAS-5.2")
def test_checks_then_actions_then_draws() -> None:
    state = setup("BOS NYK", "QUE", decks=("NHV PEM PHI STM", "TAD GAS"))
    play(state, "money BOS", "money NYK")
    assert legal(state) == {"end"}
    play(state, "end")
    assert state.phase == "draw"
    draw(state, "PHI", "STM", "NHV", "PEM")
    assert legal(state) == {"#draw=BOS", "#draw=NYK"}
    draw(state, "NYK")
    assert (state.phase, state.seat_on_turn) == ("main", F)
    assert zone(state, B, "hand") == "NHV NYK PEM PHI STM"


@pytest.mark.rule("FAS-5.4", "FAS-5.5", "FAS-5.6")
def test_free_actions_come_at_any_time() -> None:
    state = setup("ML BOS NYK HS", sites="B.HAL", sieges=((B, "LOU", "RI", ""),), reserves=("RG", ""),
                  decks=("PHI STM PEM", ""))
    free = {"leader LOU", "retrieve", "home", "withdraw LOU"}
    assert free <= legal(state)
    play(state, "money BOS")
    assert free <= legal(state)
    play(state, "money NYK")                    # the same action twice
    assert free <= legal(state)
    assert "end" in legal(state)
    assert not {"pass", "draft BX"} & legal(state)
    before = lead(state, B)
    play(state, "leader LOU", "retrieve")
    assert lead(state, B) == before + 1
    assert position(state).actions_left == 0
    open_ = setup("NHV STM BOS MI")
    open_.apply(open_.parse("settle DEE NHV"))
    assert legal(open_) == {"+STM"}             # an action is complete before anything else


@pytest.mark.rule("FAS-5.7", "FAS-5.10")
def test_a_hand_of_five_draws_nothing() -> None:
    state = setup("BOS NYK NHV PEM PHI STM", "QUE", decks=("NFK", "TAD"), actions=0)
    play(state, "end")
    assert state.seat_on_turn == F
    assert part(state, B).hand_size == 6
    state = setup("BOS NYK NHV PEM", "QUE", decks=("NFK STM", "TAD"), actions=0)
    draw(play(state, "end"), "NFK")
    assert (state.seat_on_turn, part(state, B).hand_size) == (F, 5)


@pytest.mark.rule("FAS-5.8")
def test_when_the_deck_runs_out() -> None:
    eager = setup("BOS NYK NHV", "QUE", decks=("NFK STM", "TAD"), discards=("PEM PHI", ""), actions=0)
    draw(play(eager, "end"), "NFK", "STM")
    assert (zone(eager, B, "deck"), zone(eager, B, "discards")) == ("PEM PHI", "")
    lazy = setup("BOS NYK NHV", "QUE", decks=("NFK STM", "TAD"), discards=("PEM PHI", ""), actions=0,
                 options="reshuffle=lazy")
    draw(play(lazy, "end"), "NFK", "STM")
    assert (zone(lazy, B, "deck"), zone(lazy, B, "discards")) == ("", "PEM PHI")
    more = setup("BOS NYK", "QUE", decks=("NFK STM", "TAD"), discards=("PEM PHI", ""), actions=0,
                 options="reshuffle=lazy")
    draw(play(more, "end"), "NFK", "STM")
    assert legal(more) == {"#draw=PEM", "#draw=PHI"}


@pytest.mark.rule("FAS-5.9")
def test_nothing_left_to_draw() -> None:
    state = setup("BOS", "QUE", decks=("NFK", "TAD"), actions=0)
    draw(play(state, "end"), "NFK")
    assert (state.seat_on_turn, part(state, B).hand_size, part(state, B).deck_size) == (F, 2, 0)
    assert setup("BOS", "QUE", actions=0).legal_moves()
    assert play(setup("BOS", "QUE", actions=0), "end").seat_on_turn == F


@pytest.mark.rule("FAS-5.10", "FAS-15.8")
def test_there_is_no_hand_limit() -> None:
    state = setup("BOS NYK NHV PEM PHI", reserves=("RI*3 SA ML", ""))
    play(state, "retrieve")
    assert part(state, B).hand_size == 10


# ---- limits on location cards -----------------------------------------------------------------------


@pytest.mark.rule("FAS-6.1")
def test_a_lost_site_s_card_is_useless() -> None:
    state = setup("PHI BOS STM", sites="-PHI")
    assert "money PHI" not in legal(state)
    assert "money BOS" in legal(state)
    assert "PHI" not in usable(state, B)


@pytest.mark.rule("FAS-6.2", "FAS-6.4")
def test_cards_need_a_chain() -> None:
    inland = "B.ALB B.FST B.OSW"
    assert legal(setup("OSW FFR TR", sites=inland + " B.FFR"), "trader")
    cut = setup("OSW TR", sites="B.ALB B.OSW")
    assert not legal(cut, "trader")
    trail = setup(sites="B.CUM -STM")     # a trail from Philadelphia is no connection
    assert "CUM" not in usable(trail, B)
    assert "CUM" in usable(setup(sites="B.CUM"), B)
    deerfield = setup("DEE", sites="B.DEE -NHV")
    assert not legal(deerfield, "money DEE")


@pytest.mark.rule("FAS-6.3")
def test_a_besieged_site_s_card_is_useless() -> None:
    state = setup("PEM BOS NFK TR", sieges=((F, "PEM", "RI", ""),))
    assert not legal(state, "trader")
    assert "PEM" not in {text.split()[-1] for text in legal(state, "settle")}


@pytest.mark.rule("FAS-6.4", "FAS-6.5")
def test_homes_end_a_chain_even_when_lost() -> None:
    state = setup("NHV BOS", sites="-BOS")
    assert "money NHV" in legal(state)
    assert "money BOS" not in legal(state)


@pytest.mark.rule("FAS-6.6")
def test_what_useless_cards_are_good_for() -> None:
    state = setup("PEM GV", sites="-PEM")
    assert {"discard PEM", "reserve PEM", "govern PEM"} <= legal(state)
    assert "discard PEM" in legal(setup("PEM GV", sieges=((F, "PEM", "RI", ""),)))


@pytest.mark.rule("FAS-6.7", "FAS-13.8")
def test_limits_hold_for_every_use() -> None:
    lost = "-BOS -NYK -PHI -STM -LOU -MTL"
    state = setup("BOS NYK PHI STM HAL FO NAn", sites=lost + " B.HAL F.PEM", sieges=((F, "HAL", "RI", ""),))
    for verb in ("settle", "develop", "besiege", "fortify", "money", "merchant", "trader"):
        assert not legal(state, verb), verb
    assert legal(state, "reinforce") == {"reinforce HAL FO"}
    assert not legal(setup("", "LOU PRO", sites="-LOU", on_turn=F), "piracy")
    chained = play(setup("RG", "FHA", sites="F.FHA F.KEN"), "raid FHA RG")
    assert legal(chained) == {"allow", "x FHA"}
    alone = play(setup("RG", "FHA", sites="F.FHA"), "raid FHA RG")
    assert legal(alone) == {"allow"}


@pytest.mark.rule("FAS-5.2", "FAS-5.7")
def test_random_turns_follow_the_order() -> None:
    state, rng = start(), Random(11)
    seen = set()
    for _ in range(3000):
        if state.is_over:
            break
        before = (state.phase, state.seat_on_turn)
        step(state, rng)
        if state.seat_on_turn != before[1]:
            assert before[0] in ("main", "draw")
        seen.add(state.phase)
    assert {"main", "draw", "raid_response", "furs", "coins", "discards"} <= seen
