"""Notation: chapter 21, and the codes of chapter 15."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.rng import Random
from sfida.engines.attila.position import ROWS, Move, decode, encode
from support.attila import play, position, setup, start
from support.playing import step


@pytest.mark.rule("ATT-21.1", "ATT-14.3")
@pytest.mark.parametrize("spec", ["", "tile_windows=every_decision,conflict_order=active_chooses,players=5"])
def test_texts_read_back(spec: str) -> None:
    state, rng = start(spec), Random(4)
    for _ in range(500):
        if state.is_over:
            break
        moves = state.legal_moves()
        texts = [state.format(code) for code in moves]
        assert len(set(texts)) == len(texts)
        for code, text in zip(moves, texts, strict=True):
            assert state.parse(text) == code
            assert state.parse(f" {text} ") == code
            assert state.game.describe_move(state, code)
        step(state, rng)


@pytest.mark.rule("ATT-21.1")
def test_codes() -> None:
    assert sum(count for _, _, count in ROWS) == 154
    for kind, first, count in ROWS:
        for i in range(count):
            assert encode(decode(first + i)) == first + i
            assert decode(first + i) == Move(kind, i if count > 1 else -1)
    for wrong in (117, 125, 160, -1, 1 << 40):
        with pytest.raises(ValueError, match="no move"):
            decode(wrong)
    with pytest.raises(ValueError, match="no kind"):
        encode(Move("castle"))
    with pytest.raises(ValueError, match="range"):
        encode(Move("card", 6))


@pytest.mark.rule("ATT-21.2", "ATT-15.1")
@pytest.mark.parametrize("line", ["F@GER+1", "F @ GER + 1", "f@germania +", "Franks@Germania+1", "franchi@ger+1"])
def test_a_card_on_one_line(line: str) -> None:
    state = play(setup(hands=["FFHHGG"]), line)
    assert (state.phase, position(state).seats[0].influence[0]) == ("end", 1)


@pytest.mark.rule("ATT-21.2")
def test_lines() -> None:
    state = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"]), "G@GER+1", "FH", "B:HF", "done")
    battle = position(state).battle
    assert battle is not None
    assert battle.strength == (4, 4, 1, 0, 0, 0)
    assert play(setup(hands=["FFHHGG"]), "F@GER+1", "*I(F,V)").snapshot()["seats"][0]["influence"] == (2, 0, 0, 0, 0, 1)
    assert play(setup(hands=["FFHHGG"]), "F@GER+1", "*i(FF)").snapshot()["seats"][0]["influence"] == (3, 0, 0, 0, 0, 0)
    assert play(setup(hands=["FFHHGG"]), "*X(GHH)").is_chance
    for wrong, error in (("F@GER,RAE+1", InvalidNotation), ("F@GER+1+1", InvalidNotation),
                         ("*I(F)", InvalidNotation), ("V@GER+1", IllegalMove),
                         ("F@SIC+1", IllegalMove), ("F@Sardinia+1", InvalidNotation), ("F@GER+2", InvalidNotation),
                         ("*X(VV)", IllegalMove), ("", InvalidNotation), ("?", InvalidNotation)):
        with pytest.raises(error):
            play(setup(hands=["FFHHGG"]), wrong)


@pytest.mark.rule("ATT-21.2")
def test_a_seat_lays_its_own_cards() -> None:
    state = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"], players=5), "G@GER+1")
    with pytest.raises(IllegalMove, match="it is white, seat A, that lays cards now"):
        state.game.parse_turn(state, "E:FH")
    assert len(state.game.parse_turn(state, "a:FH")) == 3


def test_neighbours_are_named() -> None:
    state = setup()
    assert state.game.answer(state, "adj ger") == "GER Germania: by land BEL LUG RAE"
    assert state.game.answer(state, "adj Britannia") == "BRI Britannia: over water BEL"
    assert state.game.answer(state, "adj") is None
    assert state.game.answer(state, "F@GER+1") is None
    with pytest.raises(InvalidNotation, match="'xyz' is no province"):
        state.game.answer(state, "adj xyz")


@pytest.mark.parametrize("text", ["~,", ":,", "-,", "~!", "I:,"])
def test_signs_are_no_tribe(text: str) -> None:
    state = setup()
    with pytest.raises(InvalidNotation, match=r"is no (tribe|province)"):
        state.game.parse_turn(state, text)


@pytest.mark.parametrize("name", ["Rezia", "raetia", "RAE"])
def test_provinces_by_their_italian_name(name: str) -> None:
    assert play(setup(hands=["FFHHGG"]), f"F@{name}+1").snapshot()["tokens"]


@pytest.mark.rule("ATT-21.3")
def test_tribes_and_provinces_by_many_names() -> None:
    state = setup(hands=["HHFFGG"])
    for text in ("H", "h", "U", "Huns", "Unni", "hun"):
        assert state.parse(text) == 1
    play(state, "H")
    for text in ("@GER", "GER", "Germania", "germ", "@ germania"):
        assert state.parse(text) == 12 + 2
    play(state, "GER")
    for text in ("+1", "+", "influence", "pass"):
        assert state.parse(text) == 76
    for text in (",RAE", "RAE", "@Raetia", "raet"):
        assert state.parse(text) == 44 + 15
    with pytest.raises(InvalidNotation, match="did you mean"):
        state.parse("@GERR")
    with pytest.raises(IllegalMove, match="legal are for example"):
        state.parse("@BRI")


@pytest.mark.rule("ATT-21.1", "ATT-16.1")
def test_hidden_moves_are_shown_hidden() -> None:
    state = play(setup("GER:FFHH", ["GGHHFF", "FFHHGG"]), "G@GER+1")
    assert state.game.seen_move(state, 77, 0) == ":F"
    assert [state.game.seen_move(state, 77, seat) for seat in (1, 2, None)] == [":?"] * 3
    play(state, "nobody", "score", "end")
    assert state.game.seen_move(state, 108, 0) == "c:F"
    assert [state.game.seen_move(state, 108, seat) for seat in (1, 2, None)] == ["c"] * 3
