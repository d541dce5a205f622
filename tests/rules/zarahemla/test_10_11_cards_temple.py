"""Development cards and the temple: chapters 10 and 11."""

from __future__ import annotations

import pytest

import sfida
from sfida.cython_ext.rng import Random
from support.playing import legal, play, step
from support.zarahemla import cards, hands, holders, points, position, setup, start

BEFORE = {"phase": "pre_roll"}


@pytest.mark.rule("ZAR-10.1", "ZAR-18.2")
def test_buying() -> None:
    state = setup("H 0 0 0 2 2 2", played=[cards(warrior=14, harvest=2)],
                  cards=[cards(), cards(prosperity=1, roads=2, temple=2, liahona=2, point=5)])
    play(state, "D")
    assert [(state.format(code), weight) for code, weight in state.chance_outcomes()] == [("#draw=prosperity", 1)]
    assert [state.game.seen_move(state, state.parse("#draw=prosperity"), seat) for seat in (0, 1, 2, None)] == [
        "#draw=prosperity", "#draw=?", "#draw=?", "#draw=?"]


@pytest.mark.rule("ZAR-10.1", "ZAR-18.2", "ZAR-10.12")
def test_an_empty_deck() -> None:
    everything = cards(warrior=14, prosperity=2, harvest=2, roads=2, temple=2, liahona=2, point=5)
    state = setup("H 0 0 0 2 2 2", cards=[cards(), everything])
    assert position(state).deck == 0
    assert "D" not in legal(state)
    play(state, "end", "P:w")           # played cards never return to the deck
    assert position(state).deck == 0
    assert position(state).seats[1].card_count == 28
    assert position(state).seats[1].played == (("prosperity", 1),)


@pytest.mark.rule("ZAR-10.2", "ZAR-18.14")
def test_not_in_the_turn_of_the_purchase() -> None:
    state = setup("H 0 0 0 1 1 1")
    play(state, "D", "#draw=stripling_warrior")
    assert "W" not in legal(state)
    older = setup("H 0 0 0 1 1 1", cards=[cards(warrior=1)])
    play(older, "D", "#draw=stripling_warrior")
    assert "W" in legal(older)
    play(older, "W", ">h0")
    assert "W" not in legal(older)
    play(state, "end", "roll", "#dice=2", "end", "roll", "#dice=2", "end")
    assert "W" in legal(state)
    same = setup("H 0 0 0 1 1 1", options="dev_same_turn=true")
    play(same, "D", "#draw=stripling_warrior")
    assert "W" in legal(same)


@pytest.mark.rule("ZAR-10.3")
def test_never_inside_a_sub_phase_or_another_turn() -> None:
    state = setup("S 1 13; H 1 1 1 0 0 0", **BEFORE, cards=[cards(warrior=2, temple=1), cards(warrior=2, temple=1)])
    play(state, "roll", "#dice=7")
    assert all(text.startswith(">h") for text in legal(state))
    play(state, ">h4")
    assert legal(state) == {"x1"}
    play(state, "x1", "#stolen=w", "offer", "give:w")
    assert legal(state) <= {"give:w", *(f"want:{r}" for r in "wbags"), "done"}


@pytest.mark.rule("ZAR-10.4", "ZAR-10.5")
def test_points_stay_hidden_and_count_at_once() -> None:
    state = setup("C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; H 0 0 0 2 2 2", cards=[cards(point=1, warrior=1)])
    play(state, "W", ">h0", "D", "#draw=victory_point")       # after another card, and bought this turn
    assert not state.is_over
    assert position(state).seats[0].points == 9
    assert position(state).seats[0].secret_points is None
    assert position(state, 0).seats[0].secret_points == 2
    assert position(state, 1).seats[0].secret_points is None
    assert not any("point" in text for text in legal(state))
    play(state, "D", "#draw=victory_point")
    assert state.is_over
    assert position(state).seats[0].secret_points == 3


@pytest.mark.rule("ZAR-10.6", "ZAR-7.12")
def test_warrior() -> None:
    state = setup("S 1 34; S 2 35; H 0 9 0 0 0 0; H 1 1 0 0 0 0; H 2 0 0 0 1 0", players=4, **BEFORE,
                  cards=[cards(warrior=1)])
    play(state, "W")
    assert position(state).seats[0].warriors == 1
    assert legal(state) == {f">h{h}" for h in range(19) if h != 9}      # nobody discards
    play(state, ">h13")
    assert legal(state) == {"x1", "x2"}
    play(state, "x1")
    assert [state.format(code) for code in state.legal_moves()] == ["#stolen=w"]
    play(state, "#stolen=w")
    assert hands(state)[:3] == [(10, 0, 0, 0, 0), (0,) * 5, (0, 0, 0, 1, 0)]
    assert position(state).phase == "pre_roll"
    play(state, "roll", "#dice=6")
    assert hands(state)[1:3] == [(0,) * 5, (0, 0, 0, 1, 0)]        # hex 13, stone 6, lies under the robber


@pytest.mark.rule("ZAR-10.7")
def test_prosperity() -> None:
    state = setup("H 0 0 0 0 1 0; H 1 1 0 0 2 0; H 2 0 0 0 1 3", **BEFORE, cards=[cards(prosperity=2)])
    play(state.clone(), "P:b")          # type: ignore[arg-type]
    play(state, "P:g")
    assert hands(state) == [(0, 0, 0, 4, 0), (1, 0, 0, 0, 0), (0, 0, 0, 0, 3)]
    assert position(state).phase == "pre_roll"


@pytest.mark.rule("ZAR-10.7", "ZAR-17.5")
def test_the_label_of_prosperity_tells_who_gave_how_much() -> None:
    """Seat 2 does not know the stolen card until Prosperity takes all wood."""
    after = []
    for stolen in "wg":
        state = setup("S 1 34; H 1 1 0 0 1 0; H 2 1 0 0 0 0", **BEFORE, cards=[cards(warrior=1), cards(prosperity=1)])
        play(state, "W", ">h13", "x1", f"#stolen={stolen}", "roll", "#dice=6", "end")
        after.append((state.view(2).key(), play(state, "P:w")))
    (before, wood), (other, grain) = after
    assert before == other
    assert wood.label(2) != grain.label(2)
    assert wood.view(2).key() != grain.view(2).key()
    assert wood.label(2) == wood.label(0) == wood.label(1)


@pytest.mark.rule("ZAR-10.8")
def test_harvest() -> None:
    state = setup(cards=[cards(harvest=1)])
    play(state, "H")
    assert legal(state) == {"+w", "+b", "+a", "+g", "+s"}
    play(state, "+a")
    assert legal(state) == {"+a", "+g", "+s"}
    play(state, "+a")
    assert state.hand(0) == (0, 0, 2, 0, 0)
    assert position(state).phase == "main"


@pytest.mark.rule("ZAR-10.8", "ZAR-18.3")
def test_harvest_from_a_poor_bank() -> None:
    def bank(*left: int):
        rest = " ".join(str(18 - n) for n in left)
        return setup(f"H 1 {rest}", cards=[cards(harvest=1)])

    one = play(bank(0, 1, 0, 0, 0), "H")
    assert legal(one) == {"+b"}
    assert position(play(one, "+b")).phase == "main"
    assert "H" not in legal(bank(0, 0, 0, 0, 0))
    two = play(bank(1, 1, 0, 0, 0), "H")
    assert legal(two) == {"+w"}         # brick first would leave no second card in order
    assert legal(play(two, "+w")) == {"+b"}
    pair = play(bank(1, 0, 0, 2, 0), "H")
    assert legal(pair) == {"+w", "+g"}


@pytest.mark.rule("ZAR-19.1", "ZAR-24.4")
def test_harvest_may_stop_early_as_an_option() -> None:
    state = setup(cards=[cards(harvest=1)], options="harvest_partial=true")
    play(state, "H")
    assert "stop" not in legal(state)
    play(state, "+s")
    assert legal(state) == {"+s", "stop"}
    play(state, "stop")
    assert (state.hand(0), position(state).phase) == ((0, 0, 0, 0, 1), "main")


@pytest.mark.rule("ZAR-10.9", "ZAR-18.11")
def test_road_building() -> None:
    state = setup("S 0 19", **BEFORE, cards=[cards(roads=1)])
    play(state, "RB")
    assert legal(state) == {"R14-19", "R19-24", "R19-25"}
    play(state, "R19-24")
    assert "R24-30" in legal(state)
    assert not legal(state) & {"roll", "stop"}      # both must be placed
    play(state, "R24-30")
    assert position(state).phase == "pre_roll"
    assert hands(state)[0] == (0,) * 5


@pytest.mark.rule("ZAR-10.9")
def test_road_building_with_one_piece_or_place() -> None:
    fourteen = "R 0 0-4-1-5-2-6-10-15-20-26-32-37-42-46-50"
    state = setup(f"S 0 0; {fourteen}", cards=[cards(roads=1)])
    assert position(play(state, "RB", "R50-53")).phase == "main"
    none = setup(f"S 0 0; {fourteen}-53", cards=[cards(roads=1)])
    assert "RB" not in legal(none)
    shut = setup("S 0 0; R 0 0-3-7; R 0 0-4-8; R 0 4-1; S 1 7; S 1 8; S 1 1", cards=[cards(roads=1)])
    assert "RB" not in legal(shut)


@pytest.mark.rule("ZAR-10.9", "ZAR-18.11")
def test_the_first_free_road_may_win() -> None:
    state = setup("C 0 0; C 0 2; C 0 11; C 0 26; S 0 47; S 0 49; R 0 0-3-7-12-17", cards=[cards(roads=1)])
    play(state, "RB", "R17-22")
    assert state.is_over
    assert state.scores()[0] == 12


@pytest.mark.rule("ZAR-10.10", "ZAR-11.2", "ZAR-11.3")
def test_temple_building() -> None:
    state = setup("H 0 0 1 0 0 1", cards=[cards(temple=2)], stones=[9], **BEFORE)
    play(state, "TB")
    assert position(state).seats[0].stones == 10
    play(state, "roll", "#dice=2")
    assert not legal(state) & {"T", "TB"}
    play(state, "end", "roll", "#dice=2", "end", "roll", "#dice=2", "end")
    assert "TB" not in legal(state)
    fresh = setup(cards=[cards(temple=1)], stones=[1])
    play(fresh, "TB")
    assert (position(fresh).seats[0].stones, holders(fresh)[2], points(fresh)) == (3, 0, [2, 0, 0])


@pytest.mark.rule("ZAR-10.11", "ZAR-18.13", "ZAR-7.1")
def test_liahona() -> None:
    state = setup("S 0 8; H 1 8 0 0 0 0", **BEFORE, cards=[cards(liahona=2, warrior=1)])
    assert legal(state, "L") == {f"L{n}" for n in range(2, 13)}
    seven = play(state.clone(), "L7")   # type: ignore[arg-type]
    assert (seven.to_move, position(seven).phase) == (1, "discard")
    play(seven, "-wwww", ">h0")
    assert not legal(seven) & {"W", "L2", "roll"}
    play(state, "L8")
    assert state.hand(0) == (0, 0, 0, 0, 1)
    assert position(state).dice == 8
    assert position(state).phase == "main"
    late = play(setup(**BEFORE, cards=[cards(liahona=1)]), "roll", "#dice=3")
    assert not legal(late, "L")


@pytest.mark.rule("ZAR-10.12")
def test_played_cards_leave_the_game() -> None:
    state = setup(cards=[cards(prosperity=1)], phase="pre_roll")
    before = state.deck_cards()
    play(state, "P:w")
    assert state.deck_cards() == before
    assert state.dev_cards(0)[0] == [0] * 7


@pytest.mark.rule("ZAR-10.13")
def test_largest_army() -> None:
    state = setup(phase="pre_roll", cards=[cards(warrior=2)], played=[cards(warrior=2), cards(warrior=3)])
    assert (holders(state)[1], points(state)) == (1, [0, 2, 0])
    play(state, "W", ">h0")
    assert holders(state)[1] == 1       # three to three
    play(state, "roll", "#dice=2", "end", "roll", "#dice=2", "end", "roll", "#dice=2", "end", "W")
    assert (holders(state)[1], points(state)) == (0, [2, 0, 0])
    first = setup(phase="pre_roll", cards=[cards(warrior=1)], played=[cards(warrior=2)])
    play(first, "W")
    assert (holders(first)[1], points(first)[0]) == (0, 2)


@pytest.mark.rule("ZAR-11.1", "ZAR-11.2", "ZAR-11.4")
def test_temple_stones() -> None:
    """Figure 31."""
    state = setup("H 0 0 2 0 0 2", stones=[2, 3, 0])
    assert (holders(state)[2], points(state)) == (1, [0, 2, 0])
    play(state, "T")
    assert (holders(state)[2], points(state)) == (1, [0, 2, 0])
    play(state, "T")
    assert (holders(state)[2], points(state)) == (0, [2, 0, 0])
    assert state.hand(0) == (0,) * 5
    lone = setup("H 0 0 2 0 0 2")
    assert points(play(lone, "T", "T")) == [0, 0, 0]


@pytest.mark.rule("ZAR-11.5", "ZAR-5.2")
@pytest.mark.parametrize(("options", "allowed"), [
    ("", True), ("preset=zarahemla_10", True), ("preset=zarahemla_11", True), ("temple_before_roll=true", True),
    ("temple_before_roll=false", False), ("temple_enabled=false", False),
    ("preset=catan,terrain_mode=explicit", False)])
def test_stones_before_the_dice(options: str, allowed: bool) -> None:
    """Stones may be laid at any time in the own turn (p12, p21, p26); before the dice only stones, in any number."""
    state = setup("S 0 19; H 0 5 2 5 5 2; H 1 1 1 0 0 1", phase="pre_roll", options=options)
    assert legal(state) == ({"roll", "T"} if allowed else {"roll"})
    if allowed:
        play(state, "T")
        assert (state.hand(0), state.phase, state.to_move) == ((5, 1, 5, 5, 1), "pre_roll", 0)
        play(state, "T")
        assert legal(state) == {"roll"}
        assert state.snapshot()["seats"][0]["stones"] == 2
    play(state, "roll", "#dice=2")
    assert position(state).seat_on_turn == 0


@pytest.mark.rule("ZAR-11.5", "ZAR-14.4")
def test_stones_before_the_dice_take_the_card_and_win() -> None:
    state = setup("C 0 8; H 0 0 1 0 0 1", stones=[2, 0, 0], phase="pre_roll", options="victory_points=4")
    play(state, "T")
    assert (state.is_over, state.utilities()[0]) == (True, 1.0)


@pytest.mark.rule("ZAR-11.5")
def test_stones_before_the_dice_and_a_card() -> None:
    """A development card and stones may both come before the dice, in any order; only own stones count."""
    state = setup("H 0 0 2 0 0 2; H 1 0 1 0 0 1", phase="pre_roll", cards=[cards(temple=1)])
    assert legal(state) == {"roll", "T", "TB"}
    play(state, "T", "TB", "T")
    assert (state.snapshot()["seats"][0]["stones"], holders(state)[2]) == (4, 0)
    none_left = setup("H 0 0 2 0 0 2", phase="pre_roll", stones=[10, 0, 0])
    assert legal(none_left) == {"roll"}


@pytest.mark.rule("ZAR-11.5")
@pytest.mark.parametrize("agent", ["greedy", "ismcts:iterations=300"])
def test_agents_place_stones_before_the_dice_to_win(agent: str) -> None:
    state = setup("C 0 8; H 0 0 2 0 0 2", stones=[1, 0, 0], phase="pre_roll", options="victory_points=4")
    while not state.is_over:
        move = sfida.agent(agent).choose(state.view(0))
        assert state.format(move) == "T"
        state.apply(move)



@pytest.mark.rule("ZAR-11.3")
def test_stones_are_never_removed() -> None:
    state, rng = start("zarahemla:players=2,trade_mode=none"), Random(4)
    before = [0, 0]
    while not state.is_over:
        step(state, rng)
        now = [seat["stones"] for seat in state.snapshot()["seats"]]
        assert all(a <= b <= 10 for a, b in zip(before, now, strict=True))
        before = now
    assert max(before) > 0


@pytest.mark.rule("ZAR-11.1")
def test_without_a_temple() -> None:
    state = setup("H 0 0 2 0 0 2", cards=[cards(temple=1)], options="temple_enabled=false")
    assert not legal(state) & {"T", "TB"}
