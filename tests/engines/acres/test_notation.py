"""Moves and whole actions of A Few Acres of Snow as text."""

from __future__ import annotations

import re

import pytest

from sfida.cython_ext.errors import AmbiguousNotation, IllegalMove, InvalidNotation, SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.engines.acres.position import Move, decode, encode
from support.acres import B, F, money, owner, play, position, setup, start
from support.playing import legal, step

pytestmark = pytest.mark.release_only("reading and writing of text")


@pytest.mark.parametrize("spec", ["acres:max_turns=60", "acres:preset=online,max_turns=60,refill_may_be_skipped=true"])
def test_texts_are_unique_and_read_back(spec: str) -> None:
    kinds = set()
    for seed in range(4):
        state, rng = start(spec), Random(derive(71, seed))
        while not state.is_over:
            texts: dict[str, int] = {}
            for move in state.legal_moves():
                text = state.format(move)
                assert texts.setdefault(text.lower(), move) == move
                assert state.parse(text) == move
                assert state.parse(f"  {text.upper()} ") == move
                assert state.game.describe_move(state, move)
                kinds.add(decode(move).kind)
            step(state, rng)
    assert len(kinds) >= 30


def test_codes() -> None:
    assert decode(encode("settle", 3, 11)) == Move("settle", 3, 11)
    with pytest.raises(ValueError, match="no kind"):
        encode("fly")
    with pytest.raises(ValueError, match="no move"):
        decode(1 << 40)


@pytest.mark.parametrize("text", [
    "settle DEE NHV STM BOS", "Settle Deerfield NHV STM Boston", "settle dee, nhv, stm, bos",
    "colonize DEE NHV STM BOS"])
def test_ways_to_write_an_action(text: str) -> None:
    state = setup("NHV STM BOS MI")
    for code in state.game.parse_turn(state, text):
        state.apply(code)
    assert owner(state, "DEE") == "B"


def test_cards_by_name() -> None:
    state = setup("RG", "", sites="F.FHA", money=(9, 0))
    assert state.parse("draft Militia") == state.parse("draft MI")
    assert state.parse("ambush rangers") == state.parse("ambush RG")
    assert state.parse("buy mi") == state.parse("draft MI")


def test_actions_stop_where_they_may() -> None:
    state = setup("", "TR0 GAS MTL TAD TRI", money=(0, 0), on_turn=F)
    assert len(state.game.parse_turn(state, "trader TR0 TRI GAS")) == 4        # with "done"
    assert len(state.game.parse_turn(state, "trader TR0")) == 1                # its cards follow one by one
    rich = setup("", "TR0 GAS MTL TAD TRI", money=(0, 5), on_turn=F)
    assert len(rich.game.parse_turn(rich, "discard TAD")) == 2                 # a whole action, with "done"
    play(state, "trader TR0 TRI GAS")
    assert (money(state)[F], position(state).actions_left) == (4, 1)


@pytest.mark.parametrize(("text", "error", "words"), [
    ("", InvalidNotation, "no move was given"),
    ("setle DEE NHV", InvalidNotation, "did you mean 'settle'"),
    ("settle DEX NHV", InvalidNotation, "no site"),
    ("settle DEE QQQ", InvalidNotation, "no card of this side"),
    ("settle DEE", InvalidNotation, "right would be like settle DEE NHV"),
    ("settle HAL NHV", IllegalMove, "not legal here"),
    ("reinforce LOU RI", IllegalMove, "not under siege"),
    ("draft CB", InvalidNotation, "no card of this side"),
    ("hit RI", InvalidNotation, "right would be like hit RI hand"),
    ("end now", InvalidNotation, "right would be end"),
    ("discard NHV STM RI", SfidaError, "RI"),
    ("money NHV BOS", InvalidNotation, "right would be like money RI"),
])
def test_mistakes_are_one_clear_line(text: str, error: type[Exception], words: str) -> None:
    state = setup("NHV STM BOS MI")
    before = state.to_bytes()
    with pytest.raises(error) as raised:
        state.game.parse_turn(state, text)
    message = str(raised.value)
    assert words in message
    assert "\n" not in message
    assert state.to_bytes() == before


def test_answers_and_sieges_as_text() -> None:
    state = play(setup("RG", "CB RI", decks=("", "TAD"), reserves=("", "SA")), "ambush RG")
    assert state.parse("block CB") == state.parse("x CB")
    play(state, "allow")
    assert legal(state) == {"hit RI hand", "hit SA reserve"}
    siege = setup("", "", sites="B.HAL", sieges=((B, "LOU", "RI MI", ""),))
    assert siege.parse("withdraw Louisbourg") == siege.parse("withdraw LOU")
    other = setup("", "", sites="B.HAL", sieges=((B, "LOU", "RI MI", ""),), on_turn=F)
    assert legal(other, "surrender") == {"surrender LOU"}


def test_a_card_alone_answers_where_one_is_asked_for() -> None:
    state = setup("NHV STM BOS MI")
    state.apply(state.parse("settle DEE NHV"))
    assert state.game.parse_turn(state, "St. Mary's") == [state.parse("+STM")]
    with pytest.raises(IllegalMove, match="Boston gives no boat"):
        state.game.parse_turn(state, "BOS")
    raid = setup("PEM RI FO", "CB PR", sites="F.KEN B.FHA", on_turn=F)
    for code in raid.game.parse_turn(raid, "raid PEM CB PR"):
        raid.apply(code)
    assert raid.game.parse_turn(raid, "fortification") == [raid.parse("x FO")]
    with pytest.raises(IllegalMove, match="no move with 'RI' here"):
        raid.game.parse_turn(raid, "RI")
    with pytest.raises(IllegalMove, match="Regular Infantry blocks no raid"):
        raid.parse("x RI")


@pytest.mark.rule("FAS-17.4", "FAS-5.7")
def test_cards_are_drawn_from_the_deck_by_code_or_name() -> None:
    state = setup("NHV", "LOU", decks=("STM BOS", "TAD"))
    for clause in ("pass", "pass", "end"):
        play(state, clause)
    assert state.is_chance
    assert state.parse("STM") == state.parse("st. mary's") == state.parse("#draw=STM")
    for wrong, why in (("NHV", "New Haven is not in the deck"), ("#draw=TAD", "no card of this side|not in the deck"),
                       ("?", "has a name"), ("#draw=?", "has a name"), ("pass", "the hand is filled first")):
        with pytest.raises(SfidaError, match=why):
            state.game.parse_turn(state, wrong)


def test_a_card_or_site_alone_is_no_action() -> None:
    state = setup("NHV STM BOS MI")
    with pytest.raises(AmbiguousNotation, match="say what to do with 'MI': draft MI, discard MI, reserve MI"):
        state.game.parse_turn(state, "MI")


@pytest.mark.parametrize(("text", "why"), [
    ("settle HAL PHI", "Philadelphia is not in your hand"), ("money STM", "St. Mary's has no money"),
    ("settle HAL NHV", "the card New Haven does not reach Halifax"), ("develop BOS", "Boston is a town already"),
    ("merchant STM", "St. Mary's gives no ship"), ("end", "you have 2 actions left"),
    ("retrieve", "the reserve is empty"),
    ("money ALB", "its site is not yours, cut off or besieged"), ("x FO", "there is nothing to block"),
    ("besiege PRO PEM", "you besiege Louisbourg already"), ("besiege", "no move with 'besiege' is legal here"),
    ("fortify PEM FO", "that costs 3 money, and you have 1"), ("draft RI", "costs 7, and you have 1 coin"),
    ("draft ALB", "location cards are never drafted: Albany comes with its site); legal are"),
    ("draft ALB", "rule FAS-15.5"), ("home", "you do not hold Home Support"),
    ("govern MI", "you do not hold the Governor"),
    ("raid GAS", "no card in your hand raids"), ("reinforce LOU FO", "Fortification serves the defender only"),
    ("leader LOU", "you do not hold the Military Leader"), ("allow", "there is nothing to block"),
    ("done", "no action has been begun that takes more cards"), ("lost RI", "no siege has been lost"),
    ("piracy NHV", "only the French send pirates"), ("#draw=RI", "cards are drawn when the turn ends"),
    ("RI", "Regular Infantry is not in your hand (FAS-15.6)"), ("withdraw GAS", "not under siege (FAS-12.1)"),
    ("settle DEE STM", "does not reach Deerfield"), ("merchant MI", "Militia gives no ship"),
    ("convert MI", "Militia converts nobody"), ("intendant RI", "only the French have an Intendant")])
def test_refusals_say_which_rule_forbids_it(text: str, why: str) -> None:
    state = setup("NHV STM BOS MI PEM ALB FO", money=(1, 3), sieges=((B, "LOU", "RI", ""),))
    with pytest.raises(IllegalMove, match=re.escape(why)):
        state.game.parse_turn(state, text)
