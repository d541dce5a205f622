"""Notation of moves and display of positions: chapter 22."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from sfida.cython_ext.errors import IllegalMove, InvalidNotation
from sfida.cython_ext.rng import Random, derive
from sfida.engines.moves import Choices
from sfida.engines.zarahemla.notation import read
from sfida.engines.zarahemla.position import Move, chance_codes, decode, encode, move_codes
from support.playing import play, step
from support.zarahemla import cards, position, setup, start


@pytest.mark.rule("ZAR-22.1")
def test_the_text_tells_everything_public() -> None:
    state = setup("S 0 26; C 1 8; R 0 26-20; H 0 0 2 0 0 0; H 1 1 0 0 0 0", cards=[cards(warrior=2)])
    for seat in (None, 0, 1):
        text = state.game.board_text(state, seat=seat, width=100)
        for word in ("red", "blue", "wheat", "stone", "2", "12"):
            assert word in text.lower()
    assert "warrior" in str(state.game.observation(state, 0))
    assert "warrior" not in str(state.game.observation(state, 1)["seats"][0]["cards"])


@pytest.mark.rule("ZAR-22.2")
def test_the_picture_is_well_formed_and_hides_what_is_hidden() -> None:
    state = setup("S 0 26; C 1 8", cards=[cards(liahona=1)])
    other = setup("S 0 26; C 1 8", cards=[cards(roads=1)])
    for seat in (None, 1, 2):
        picture = state.game.board_svg(state, seat=seat)
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert picture == other.game.board_svg(other, seat=seat)
    assert state.game.board_svg(state, seat=0) != other.game.board_svg(other, seat=0)


@pytest.mark.rule("ZAR-22.3", "ZAR-22.4")
@pytest.mark.parametrize(("text", "move"), [
    ("S23", Move("settle", 23)), ("R23-29", Move("road", 35)), ("r29-23", Move("road", 35)), ("C23", Move("city", 23)),
    ("G23", Move("choose_start", 23)), ("D", Move("buy_dev")), ("T", Move("temple_stone")), ("roll", Move("roll")),
    ("END", Move("end_turn")), ("B3w>s", Move("bank_trade", 4)), ("b w > s", Move("bank_trade", 4)),
    ("W", Move("play_warrior")), (">h13", Move("move_robber", 13)), ("x1", Move("steal_from", 1)),
    ("P:g", Move("play_prosperity", 3)), ("RB", Move("play_road_building")), ("TB", Move("play_temple_building")),
    ("L8", Move("play_liahona", 6)), ("yes", Move("trade_accept")), ("no", Move("trade_reject")),
    ("deal1", Move("trade_pick", 1)), ("nodeal", Move("trade_no_deal")), ("no deal", Move("trade_no_deal")),
    ("#layout=4711", Move("layout", 4711)), ("#start=7", Move("token_start", 7)), ("#first=0", Move("first_player", 0)),
    ("#dice=8", Move("dice", 6)), ("#draw=liahona", Move("draw_dev", 5)), ("#stolen=g", Move("stolen_card", 3)),
    ("#terrain=h", Move("terrain", 5)), ("#number=12", Move("number", 10)), ("#station=3", Move("station", 5)),
])
def test_texts(text: str, move: Move) -> None:
    assert read(text) == move


@pytest.mark.rule("ZAR-22.3")
@pytest.mark.parametrize("text", ["", "hello", "S99", "R23-30", "L13", "B3w>w", "#dice=13", "#draw=ace", "P:x", "x9"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        read(text)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.rule("ZAR-22.3")
def test_an_illegal_move_is_told_apart() -> None:
    with pytest.raises(IllegalMove, match="legal are"):
        setup(phase="pre_roll").parse("end")


@pytest.mark.rule("ZAR-22.3", "ZAR-12.1", "ZAR-12.3")
def test_the_cards_that_the_bank_takes_are_counted() -> None:
    state = setup("H 0 4 0 0 0 0")
    assert state.parse("B4w>s") == state.parse("bw>s")
    for text in ("B3w>s", "B2w>s"):
        with pytest.raises(IllegalMove, match=r"the bank takes 4 wood for one card \(ZAR-12.1\)"):
            state.parse(text)


@pytest.mark.rule("ZAR-22.4", "ZAR-16.1")
def test_luck_is_typed_as_it_is_seen() -> None:
    state = play(setup(phase="pre_roll"), "roll")
    for text in ("8", "5 3", "3+5", "#dice=8", "#dice=5+3"):
        assert Choices(state).find(text) == [state.parse("#dice=8")]
    for text in ("1", "13", "7 1", "0 8", "#dice=13", "#dice=1", "#dice=7+1", "6 6 6", "roll"):
        with pytest.raises((IllegalMove, InvalidNotation)):
            Choices(state).find(text)
    first = play(start("zarahemla:board=figures", players=2))
    assert Choices(first).find("1") == Choices(first).find("blue") == [first.parse("#first=1")]
    with pytest.raises(IllegalMove, match="the seats are 0 to 1"):
        first.parse("#first=3")


@pytest.mark.rule("ZAR-22.4", "ZAR-7.9", "ZAR-10.1")
def test_a_card_that_nobody_can_draw_is_refused() -> None:
    state = play(setup("H 0 0 0 1 1 1", cards=[cards(liahona=2)]), "D")
    assert state.parse("stripling warrior") == state.parse("#draw=stripling_warrior")
    with pytest.raises(IllegalMove, match=r"no Liahona is left in the deck.*rule ZAR-10\.1"):
        state.parse("liahona")


@pytest.mark.rule("ZAR-22.3", "ZAR-22.4")
def test_every_move_of_random_games_reads_back() -> None:
    for number, spec in enumerate(("zarahemla:players=3", "zarahemla:preset=catan,trade_mode=none,players=4")):
        state, rng = start(spec), Random(derive(12, number))
        for _ in range(900):
            if state.is_over:
                break
            moves = state.legal_moves()
            if len(moves) < 100:
                texts = [state.format(code) for code in moves]
                assert len(set(texts)) == len(texts)
                assert [state.parse(text) for text in texts] == moves
                assert all(state.game.describe_move(state, code) for code in moves)
            step(state, rng)


@pytest.mark.rule("ZAR-22.3")
def test_codes() -> None:
    for name, base, count in (*move_codes(), *chance_codes()):
        for code in {base, base + count - 1}:
            assert encode(decode(code).kind, decode(code).arg) == code
            assert decode(code) == Move(name, code - base)
    for wrong in (-1, 338, 999, 13350):
        with pytest.raises(ValueError, match="no move"):
            decode(wrong)
    with pytest.raises(ValueError, match="argument"):
        encode("road", 72)
    with pytest.raises(ValueError, match="no kind"):
        encode("castle")


@pytest.mark.rule("ZAR-22.3")
def test_lines_of_several_moves() -> None:
    state = play(setup(cards=[cards(harvest=1)]), "H:bw")
    assert state.hand(0) == (1, 1, 0, 0, 0)
    assert position(state).last == ("take", 1)


@pytest.mark.rule("ZAR-22.4", "ZAR-16.1")
def test_what_a_player_may_not_see() -> None:
    state = play(setup("H 0 0 0 1 1 1"), "D")
    drawn = state.parse("#draw=liahona")
    seen = [state.game.seen_move(state, drawn, seat) for seat in (0, 1, None)]
    assert seen == ["#draw=liahona", "#draw=?", "#draw=?"]
