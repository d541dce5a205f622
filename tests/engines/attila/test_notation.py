"""Typed text in Attila: names and bare codes everywhere, and refusals in the words of a player."""

from __future__ import annotations

import re
from contextlib import nullcontext

import pytest

from sfida.cython_ext.attila.core import AttilaState
from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.engines.moves import Choices
from support.attila import play, setup, start

STEPS = {"opening": (), "card": ("G",), "fight": ("G", "GER", "+1"), "laid": ("G", "GER", "+1", ":H"),
         "end": ("G", "GER", "+1", "nobody", "score")}


def board(*lines: str, **more: object) -> AttilaState:
    """Return a turn with one province at peace and one that is almost full, after some lines."""
    return play(setup("GER:FFHH RAE:FFG", ["GGHHFF", "FFHHGG"], pacified="RAE", **more), *lines)  # type: ignore[arg-type]


@pytest.mark.parametrize(("step", "line", "same"), [
    ("opening", "F GER", "F@GER"), ("opening", "Franks Germania + 1", "F@GER+1"),
    ("opening", "goths upper italy, noricum", "G@ITS,NOR"), ("opening", "*X(Huns, Goths)", "*X(HG)"),
    ("card", "Upper Italy", "@ITS"), ("fight", "Franks, Huns", "FH"), ("fight", "h f", "FH"),
    ("fight", "Huns", ":H"), ("end", "*I(Franks2)", "*I(F2)"), ("end", "*I(Vandals, Franks)", "*I(F,V)"),
])
def test_names_stand_for_letters_and_codes(step: str, line: str, same: str) -> None:
    state = board(*STEPS[step])
    assert state.game.parse_turn(state, line) == state.game.parse_turn(state, same)


@pytest.mark.parametrize(("step", "line", "why"), [
    ("opening", "S", "you hold no card of the Saxons"),
    ("opening", "F@RAE", "Raetia is at peace"),
    ("opening", "F@BRI", "the Franks are neither in Britannia nor next to it, and it is no start province"),
    ("opening", "G GER,GER", "Germania is full"),
    ("opening", "GER", "a card comes first, then its token"),
    ("opening", "end", "a card must be played first"),
    ("opening", "~F", "you hold a card that can be played"),
    ("opening", "*D", "Double turn is used at the end of a turn"),
    ("opening", "*X(VV)", "you hold no card of the Vandals"),
    ("opening", "done", "cards are laid in a conflict"),
    ("fight", "V", "there are no Vandals in Germania"),
    ("fight", "FFF", "you hold no more card of the Franks"),
    ("laid", "F", "cards laid one by one go in the order F H G S T V"),
    ("end", "GER", "a card comes first, then its token"),
])
def test_refusals_say_why_and_quote_only_what_was_typed(step: str, line: str, why: str) -> None:
    state = board(*STEPS[step])
    with pytest.raises(IllegalMove, match=re.escape(f"'{line}' is not legal here ({why}); legal are")):
        state.game.parse_turn(state, line)


@pytest.mark.parametrize("word", ["pass", "PASS", "=", "no", "ok", "stop", "none", "0", ".", "passo", "basta"])
def test_nothing_is_passed_on_where_something_must_be_done(word: str) -> None:
    for step, why in (("opening", "a card must be played: nobody may decline); legal are F, H, G, *X; rule ATT-3.4"),
                      ("card", "the token of the card is placed first); legal are")):
        with pytest.raises(IllegalMove, match=re.escape(f"'{word}' is not legal here ({why}")):
            board(*STEPS[step]).parse(word)
    fight = board(*STEPS["fight"])
    assert fight.parse(word) == fight.parse("done")
    drawing = start("start_player=random")
    with pytest.raises((IllegalMove, InvalidNotation)) if word != "0" else nullcontext():
        drawing.parse(word)


def test_luck_is_typed_by_letters_names_and_numbers() -> None:
    state = start("start_player=random")
    assert Choices(state).find("1") == Choices(state).find("red") == [state.parse("#first=1")]
    for wrong in ("#first=3", "3", "pink"):
        with pytest.raises((IllegalMove, InvalidNotation)):
            Choices(state).find(wrong)
    play(state, "#first=1")
    assert state.parse("Franks") == state.parse("franchi") == state.parse("c:F")
    for _ in range(9):
        play(state, "F")
    with pytest.raises(IllegalMove, match=r"no card of the Franks is left in the draw pile.*rule ATT-15\.1"):
        state.parse("F")


def test_a_tribe_is_no_province_and_an_influence_has_its_time() -> None:
    with pytest.raises(IllegalMove, match="the token of the card is placed first"):
        board(*STEPS["card"]).parse("V")
    with pytest.raises(IllegalMove, match="a card comes first, then its token and its influence"):
        board().parse("+2")
    with pytest.raises(IllegalMove, match="the first token comes first"):
        board(*STEPS["card"]).parse(",GER")


def test_tribes_that_cannot_move_are_named() -> None:
    state = setup(hands=["FFHHGG"], supply={"F": 0})
    with pytest.raises(IllegalMove, match="no token of the Franks is left"):
        state.parse("F")
    state = play(setup(hands=["FFHHGG"]), "F")
    with pytest.raises(IllegalMove, match="no Franks are on the map, so they begin in a start province, and"):
        state.parse("BRI")


@pytest.mark.rule("ATT-9.1")
def test_tiles_that_cannot_be_used_are_explained() -> None:
    state = board(*STEPS["end"], tiles=["DX", "DXI", "DXI"])
    with pytest.raises(IllegalMove, match="your tile Influence 2 is gone"):
        state.parse("*I")
    play(state, "*X(H)", "luck")
    with pytest.raises(IllegalMove, match="one tile a turn, and you have used one"):
        state.parse("*D")
    fight = board(*STEPS["fight"], "done")
    with pytest.raises(IllegalMove, match="only the player whose turn it is uses tiles"):
        fight.parse("*X")


def test_what_is_no_tribe_and_no_province_is_no_move() -> None:
    state = board()
    for line in ("xyz", "F GER GER", "Franks Sardinia", "G@GER+2", "*I(F)"):
        with pytest.raises(InvalidNotation):
            state.game.parse_turn(state, line)
