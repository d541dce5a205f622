"""Production, the seven and the robber: chapters 6 and 7."""

from __future__ import annotations

import pytest

from sfida.engines.zarahemla.tables import load_data
from support.playing import legal, play
from support.zarahemla import WARRIOR, cards, hands, position, setup

CORNERS = load_data()["board"]["corner"]


def roll(state, number: int):
    return play(state, "roll", f"#dice={number}")


@pytest.mark.rule("ZAR-6.1", "ZAR-6.2", "ZAR-7.12")
def test_every_number_and_building() -> None:
    state = setup("S 0 8; C 0 19; S 1 22; C 1 40; S 2 46", phase="pre_roll", on_turn=1, robber=4)
    where = position(state)
    names = ("wood", "brick", "water", "wheat", "stone")
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        after = roll(state.clone(), number)
        expected = [[0] * 5 for _ in range(3)]
        for corner, seat, kind in where.buildings:
            for h in CORNERS[corner]["hexes"]:
                if where.numbers[h] == number and h != 4 and where.terrain[h] in names:
                    expected[seat][names.index(where.terrain[h])] += 2 if kind == "city" else 1
        assert hands(after) == [tuple(hand) for hand in expected]


@pytest.mark.rule("ZAR-6.3")
def test_two_hexes_with_one_number() -> None:
    """Figure 26: water 4 and wood 4 side by side."""
    assert roll(setup("S 0 24", phase="pre_roll"), 4).hand(0) == (1, 0, 1, 0, 0)
    assert roll(setup("C 0 24", phase="pre_roll"), 4).hand(0) == (2, 0, 2, 0, 0)


@pytest.mark.rule("ZAR-6.4", "ZAR-7.1")
def test_a_seven_produces_nothing() -> None:
    state = roll(setup("S 0 8; S 1 19; S 2 30", phase="pre_roll"), 7)
    assert hands(state) == [(0,) * 5] * 3
    assert position(state).phase == "robber"


@pytest.mark.rule("ZAR-6.5", "ZAR-18.3")
def test_an_empty_pile() -> None:
    state = setup("S 0 39; H 0 0 4 0 0 0; H 1 0 0 0 0 18; H 2 1 0 0 0 0", phase="pre_roll", cards=[cards(harvest=1)])
    assert position(state).bank[4] == 0
    play(state, "roll", "#dice=6")
    assert state.hand(0) == (0, 4, 0, 0, 0)
    assert legal(state, "B") == {"B4b>w", "B4b>a", "B4b>g"}
    play(state, "H")
    assert legal(state) == {"+w", "+b", "+a", "+g"}
    play(state, "+w", "+w", "?1b/1s", "yes", "no", "deal1")       # trade between players continues
    assert state.hand(0) == (2, 3, 0, 0, 1)
    assert state.hand(1)[4] == 17


@pytest.mark.rule("ZAR-6.6")
@pytest.mark.parametrize(("option", "alone"), [("single_rest", 2), ("nobody", 0), ("turn_order", 2)])
def test_a_pile_too_small_for_one(option: str, alone: int) -> None:
    state = setup("S 0 39; C 0 29; H 2 0 0 0 0 16", phase="pre_roll", options=f"bank_shortage={option}")
    roll(state, 6)
    assert state.hand(0) == (0, 0, 0, 0, alone)


@pytest.mark.rule("ZAR-6.6")
@pytest.mark.parametrize(("option", "stones"), [
    ("single_rest", [0, 0]), ("nobody", [0, 0]), ("turn_order", [2, 0])])
def test_a_pile_too_small_for_several(option: str, stones: list[int]) -> None:
    """Wood is due, too, and is not affected."""
    state = setup("S 0 39; C 0 29; S 1 40; H 2 0 0 0 0 16", phase="pre_roll", options=f"bank_shortage={option}")
    roll(state, 6)
    assert state.hand(1)[0] == 1
    assert [state.hand(0)[4], state.hand(1)[4]] == stones


@pytest.mark.rule("ZAR-6.6")
def test_turn_order_begins_with_the_active_player() -> None:
    state = setup("S 0 39; C 0 29; S 1 40; H 2 0 0 0 0 16", phase="pre_roll", on_turn=1,
                  options="bank_shortage=turn_order")
    roll(state, 6)
    assert [state.hand(0)[4], state.hand(1)[4]] == [1, 1]


@pytest.mark.rule("ZAR-6.7")
def test_receiving_is_not_optional() -> None:
    state = roll(setup("S 0 8; H 0 7 0 0 0 0", phase="pre_roll"), 8)
    assert position(state).phase == "main"
    assert sum(state.hand(0)) == 8


@pytest.mark.rule("ZAR-7.2", "ZAR-7.3", "ZAR-18.7", "ZAR-18.24")
def test_who_discards_and_how_many() -> None:
    state = setup("H 0 9 0 0 0 0; H 1 0 7 0 0 0; H 2 0 0 5 10 0", phase="pre_roll", on_turn=1,
                  cards=[cards(), cards(warrior=3)])
    roll(state, 7)
    assert (state.to_move, position(state).phase) == (2, "discard")
    play(state, "-aaaaagg")
    assert state.hand(2) == (0, 0, 0, 8, 0)     # eight are left, and are not asked for again
    assert state.to_move == 0
    play(state, "-wwww")
    assert state.hand(0) == (5, 0, 0, 0, 0)
    assert (state.to_move, position(state).phase) == (1, "robber")
    assert position(state).bank == (13, 11, 18, 10, 18)


@pytest.mark.rule("ZAR-7.2")
def test_the_limit_is_an_option() -> None:
    state = roll(setup("H 0 5 0 0 0 0", phase="pre_roll", options="discard_limit=4"), 7)
    assert position(state).phase == "discard"


@pytest.mark.rule("ZAR-7.4")
def test_each_discard_has_one_sequence() -> None:
    state = roll(setup("H 0 2 3 0 2 1", phase="pre_roll"), 7)       # four of eight
    ends = {}

    def walk(one, path):
        if one.to_move != 0 or position(one).phase != "discard":
            assert one.hand(0) not in ends, "two sequences for one discard"
            ends[one.hand(0)] = path
            return
        moves = one.legal_moves()
        assert moves, "a dead end"
        for code in moves:
            after = one.clone()
            after.apply(code)
            walk(after, [*path, code])

    walk(state, [])
    assert all(path == sorted(path) for path in ends.values())
    subsets = {(2 - a, 3 - b, 0, 2 - c, 1 - d) for a in range(3) for b in range(4) for c in range(3) for d in range(2)
               if a + b + c + d == 4}
    assert set(ends) == subsets


@pytest.mark.rule("ZAR-7.5", "ZAR-18.5", "ZAR-18.6")
def test_where_the_robber_may_go() -> None:
    state = roll(setup(phase="pre_roll", cards=[cards(), cards(warrior=1)]), 7)
    assert legal(state) == {f">h{h}" for h in range(19) if h != 9}
    play(state, ">h4", "end", "W")
    assert legal(state) == {f">h{h}" for h in range(19) if h not in (4, 9)}
    play(state, ">h5", "roll", "#dice=7")       # and again in the same turn
    assert legal(state) == {f">h{h}" for h in range(19) if h not in (5, 9)}
    home = roll(setup(phase="pre_roll", robber=4, options="robber_home_allowed=true"), 7)
    assert legal(home) == {f">h{h}" for h in range(19) if h != 4}


@pytest.mark.rule("ZAR-7.6")
def test_own_and_empty_hexes_are_allowed_and_it_stays() -> None:
    state = roll(setup("S 0 8; S 1 40", phase="pre_roll"), 7)
    play(state, ">h0")                  # own settlement there, nobody else
    assert position(state).phase == "main"
    play(state, "end", "roll", "#dice=12", "end", "roll", "#dice=12")
    assert position(state).robber == 0
    assert state.hand(0) == (0,) * 5


@pytest.mark.rule("ZAR-7.7", "ZAR-18.4", "ZAR-7.8")
def test_whom_one_may_rob() -> None:
    text = "S 1 17; S 2 8; S 3 18; H 1 1 0 0 0 0; H 3 0 0 0 0 2"
    state = roll(setup("S 0 8; S 1 17; H 1 1 0 0 0 0; C 2 43; H 2 3 0 0 0 0", phase="pre_roll"), 7)
    play(state, ">h4")
    assert legal(state) == {"x1"}
    state = roll(setup(text, players=4, phase="pre_roll"), 7)
    play(state, ">h4")                  # 2 has nothing in hand
    assert legal(state) == {"x1", "x3"}
    empty = roll(setup("S 0 8; S 1 17", phase="pre_roll"), 7)
    assert position(play(empty, ">h4")).phase == "main"
    may = roll(setup("S 0 8; S 1 17; H 1 1 0 0 0 0", phase="pre_roll", options="steal=may"), 7)
    assert legal(play(may, ">h4")) == {"x1", "x-"}
    assert hands(play(may, "x-"))[1] == (1, 0, 0, 0, 0)
    assert position(may).phase == "main"


@pytest.mark.rule("ZAR-7.9", "ZAR-7.10")
def test_the_stolen_card() -> None:
    state = roll(setup("S 1 17; H 1 3 0 1 0 2", phase="pre_roll", cards=[cards(), cards(warrior=2)]), 7)
    play(state, ">h4", "x1")
    assert [(state.format(code), weight) for code, weight in state.chance_outcomes()] == [
        ("#stolen=w", 3), ("#stolen=a", 1), ("#stolen=s", 2)]
    game = state.game
    stolen = state.parse("#stolen=a")
    assert [game.seen_move(state, stolen, seat) for seat in (0, 1, 2, None)] == [
        "#stolen=a", "#stolen=a", "#stolen=?", "#stolen=?"]
    state.apply(stolen)
    assert hands(state)[:2] == [(0, 0, 1, 0, 0), (3, 0, 0, 0, 2)]
    assert state.label(0) == state.label(1) != state.label(2)
    other = play(state.clone(), "end")  # type: ignore[arg-type]
    assert other.dev_cards(1)[0][WARRIOR] == 2


@pytest.mark.rule("ZAR-7.11")
def test_where_the_turn_goes_on() -> None:
    state = roll(setup(phase="pre_roll"), 7)
    assert position(play(state, ">h3")).phase == "main"
    state = setup(phase="pre_roll", cards=[cards(warrior=1)])
    assert position(play(state, "W", ">h3")).phase == "pre_roll"
