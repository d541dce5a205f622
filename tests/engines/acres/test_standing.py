"""The shown gains, losses and costs of moves, in positions where they are known."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sfida.ai.analysis import Reasons, follow, reasons_of
from sfida.cython_ext.acres.core import AcresState
from sfida.engines.acres import advice
from support.acres import B, F, lead, part, play, setup, site


def reasons(state: AcresState, *texts: str) -> Reasons:
    """Return the reasons in a line for and against its first move, for the seat to move."""
    return reasons_of(state.game, follow(state.view(int(state.to_move)), texts, 1))


def note(state: AcresState, text: str) -> str:
    """Return the note on the costs and gains of a move."""
    return str(state.game.move_note(state, state.parse(text)))


def test_a_site_settled_brings_points_and_a_card() -> None:
    state = setup("NHV STM BOS MI", decks=("RI NYK", "QUE"))
    assert reasons(state, "settle DEE NHV", "+STM", "+BOS").gains == ("+4 points", "+1 card owned", "+3 cards to draw")
    assert note(state, "settle DEE NHV") == "worth 4; boat, settlers"
    assert note(state, "develop STM") == "+1 point; takes settlers"


def test_a_card_drafted_costs_its_price() -> None:
    found = reasons(setup("NHV STM", decks=("BOS NYK PHI", ""), money=(9, 0)), "draft RI")
    assert found.gains == ("+2 siege strength owned", "+1 card owned")
    assert found.costs == ("-7 money",)


def test_a_siege_is_told_by_strength_and_by_what_is_about_to_fall() -> None:
    state = setup("SA RI", decks=("BOS NYK PHI STM", ""), sieges=((B, "LOU", "RI", "FO"),), money=(9, 0))
    assert note(state, "reinforce LOU RI") == "strength 2; then the British lead by 1, 1 short of taking it"
    assert note(state, "reinforce LOU SA") == ("costs 3 money; strength 3; then the British lead by 2, enough to take "
                                               "it when their turn begins")
    found = reasons(state, "reinforce LOU SA")
    assert found.gains == ("+3 strength at Louisbourg", "+1 card to draw", "french +1 site about to fall")
    assert found.costs == ("-3 money",)
    assert reasons(state, "withdraw LOU").costs == ("-2 strength at Louisbourg", "-2 siege strength owned",
                                                    "-1 card owned")


def test_a_home_site_about_to_fall_is_named_as_such() -> None:
    state = setup("SA", sieges=((B, "QUE", "RI RI RI", ""),), sites="B.LOU", money=(9, 0))
    assert lead(state, B) >= 2
    terms = {term.name: term.value for term in state.game.standing(state, F, B)}
    assert (terms["home sites about to fall"], terms["sites about to fall"]) == (1, 0)


def test_a_siege_begun_says_what_it_takes_and_what_it_is_worth() -> None:
    state = setup("HAL NFK RI", sites="B.HAL")
    assert note(state, "besiege LOU HAL") == "defence 2: strength 4 takes it; worth 4 to them"
    home = setup("LOU NFK RI", sites="B.LOU")
    assert note(home, "besiege QUE LOU") == "defence 3: strength 5 takes it; wins the game"


def test_a_capture_is_told_by_the_answer() -> None:
    state = setup("", "CB", sites="B.FHA F.KEN", decks=("NYK NHV", ""), on_turn=F)
    assert note(state, "raid FHA") == "1 card; +2 points; 100 % unblocked"
    found = reasons(state, "raid FHA", "+CB", "allow")
    assert found.answer == ("french +2 points",)


def test_the_odds_of_raids_and_ambushes_count_the_hands_that_are_possible() -> None:
    """The British hold two of NAn, RI, NHV and MI, unknown which."""
    state = setup("NAn RI", "CB", sites="B.FHA F.KEN", decks=("NHV MI", ""), on_turn=F)
    victim = part(state, B)
    assert advice.raid_succeeds(victim, site("FHA")) == pytest.approx(Fraction(3, 6))      # without NAn
    assert advice.ambush_hits(victim) == pytest.approx(Fraction(3, 6))         # each of these holds RI or MI
    assert advice.conversion_finds(victim) == pytest.approx(Fraction(3, 6))
    assert "50 % unblocked" in note(state, "raid FHA")
    assert note(state, "ambush CB") == "50 % that it costs them Regular Infantry or Militia"
    shown = setup("NAn RI", "CB", decks=("NHV MI", ""), known=("NAn", ""), on_turn=F)
    assert advice.ambush_hits(part(shown, B)) == 0


def test_the_card_of_the_raided_site_blocks_while_it_can_be_used() -> None:
    state = setup("PEM RI", "CB PR", sites="F.KEN B.FHA", decks=("NHV MI", ""), on_turn=F)
    assert "50 % unblocked" in note(state, "raid PEM")
    assert "100 % unblocked" in note(state, "raid FHA")


@pytest.mark.parametrize(("hand", "move", "said"), [
    ("GV NFK BOS", "govern NFK", "leaves your deck for good; a second card may follow"),
    ("HS", "home", "free action; draws 3 cards"),
    ("BOS", "money BOS", "+3 money"),
    ("NHV BOS NYK", "merchant NHV", "up to +6 money"),
    ("TR PEM ALB", "trader TR", "up to +2 money for 1 fur card"),
    ("RI", "reserve RI", "1 money to take it back"),
])
def test_what_a_move_costs_and_brings(hand: str, move: str, said: str) -> None:
    assert note(setup(hand, decks=("PHI STM DEE", "")), move) == said


# ---- notes that could promise too much ------------------------------------------------------------------


@pytest.mark.rule("FAS-16.1")
def test_only_the_enemys_home_site_ends_the_game() -> None:
    """New York was lost and settled by the French: a British siege wins a site back, not the game."""
    lost = "F.NYK"
    state = setup("PHI SH RI NHV", sites=lost)
    assert note(state, "besiege NYK PHI").endswith("worth 2 to them")
    state = setup("PHI", "TRI RI0", sites=lost, sieges=((B, "NYK", "RI RI RI", ""),), on_turn=F)
    assert note(state, "withdraw NYK") == "free action; New York is lost"
    terms = {term.name: term.value for term in state.game.standing(state, F, F)}
    assert (terms["home sites about to fall"], terms["sites about to fall"]) == (0, 1)
    state = setup("PHI", "TRI", sieges=((F, "NYK", "RI RI0 SA", ""),))
    assert note(state, "withdraw NYK") == "free action; loses the game"


@pytest.mark.rule("FAS-15.9")
def test_a_second_card_follows_the_governor_only_where_one_is_left() -> None:
    assert note(setup("GV NFK"), "govern NFK") == "leaves your deck for good"
    assert note(setup("GV NFK PHI"), "govern NFK") == "leaves your deck for good; a second card may follow"


@pytest.mark.rule("FAS-5.9", "FAS-15.12")
def test_no_more_cards_are_drawn_than_there_are() -> None:
    state = setup("HS BOS", decks=("NYK", ""), discards=("PHI", ""))
    assert note(state, "home") == "free action; draws 2 cards"
    state = setup("BOS", decks=("NYK", ""), discards=("PHI", ""), actions=0)
    assert note(state, "end") == "draws 2 cards"
    assert note(setup("BOS", actions=0), "end") == ""
    assert "+1 card to draw" in reasons(setup("BOS", money=(9, 0)), "draft RI").gains


@pytest.mark.rule("FAS-7.9", "FAS-16.7")
def test_settling_the_enemys_home_wins_where_the_option_says_so() -> None:
    for options, said in (("", "worth 6; boat, settlers"),
                          ("settling_victory_target_wins=true", "wins the game; boat, settlers")):
        state = setup("TRI ALB BOS", options=options, sites="-QUE B.TRI B.ALB B.GAS B.TAD -MTL F.DET")
        assert note(state, "settle QUE TRI") == said
        play(state, "settle QUE TRI ALB BOS")
        assert state.is_over == bool(options)


@pytest.mark.rule("FAS-13.2")
def test_the_lesson_of_a_raid_counts_the_range_of_the_edition() -> None:
    for bonus, said in ((0, "one site for each card, along"), (1, "one site for each card and one more, along")):
        state = setup("", "CB PR", sites="F.KEN B.FHA B.DEE", on_turn=F, options=f"raid_range_bonus={bonus}")
        state.apply(state.parse("raid DEE"))
        assert said in state.game.lesson(state, F).text
