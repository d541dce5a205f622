"""The worked examples of chapter 20, by number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.playing import legal, play
from support.zarahemla import cards, hands, holders, lengths, points, position, roads_of, setup, sites_of, start

FIGURE_23 = ("S 0 8; S 0 44; R 0 8-12-17-22-28-34-39-44; R 0 17-23; R 0 34-29; S 1 38; R 1 22-16-21-27-33-38; "
             "H 1 1 1 1 1 0")
VECTORS: dict[int, Callable[[], None]] = {}


def vector(*numbers: int) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def keep(check: Callable[[], None]) -> Callable[[], None]:
        for number in numbers:
            VECTORS[number] = check
        return check
    return keep


def rolled(text: str, number: int, **more):
    return play(setup(text, phase="pre_roll", **more), "roll", f"#dice={number}")


@vector(1)
def _figures_6_and_9() -> None:
    assert rolled("S 0 8", 12).hand(0) == (0, 0, 0, 1, 0)
    assert rolled("S 0 8", 10).hand(0) == (1, 0, 0, 0, 0)
    assert rolled("S 0 8", 8).hand(0) == (0, 0, 0, 0, 1)


@vector(2, 3)
def _figures_7_and_8() -> None:
    for corner, expected in ((19, (1, 1, 1, 0, 0)), (46, (0, 0, 1, 1, 0)), (6, (0, 0, 0, 0, 1)), (24, (1, 0, 1, 0, 0))):
        state = start("zarahemla:board=figures,first_player=0", players=3)
        free = {0, 10, 26, 33, 38, 43, 47, 53} - {corner}
        play(state, f"S{corner}")
        while position(state).phase != "init_choose":
            if position(state).phase == "init_settlement":
                spot = next(f"S{c}" for c in sorted(free) if f"S{c}" in legal(state))
                play(state, spot)
            else:
                play(state, min(legal(state)))
        play(state, f"G{corner}")
        assert state.hand(0) == expected


@vector(4)
def _figure_17() -> None:
    state = rolled("S 0 39; C 0 29; C 1 49", 6)
    assert hands(state)[:2] == [(0, 0, 0, 0, 3), (2, 0, 0, 0, 0)]


@vector(5)
def _figure_26() -> None:
    assert rolled("S 0 24", 4).hand(0) == (1, 0, 1, 0, 0)
    assert rolled("C 0 24", 4).hand(0) == (2, 0, 2, 0, 0)


@vector(6)
def _figures_19_and_28() -> None:
    text = "S 0 8; S 1 24; R 0 8-13-9-5; R 1 24-30-35; H 0 1 1 1 1 0; H 1 1 1 1 1 0"
    assert sites_of(setup(text)) == {5, 9}
    assert sites_of(setup(text, on_turn=1)) == {35}


@vector(7)
def _figure_27() -> None:
    assert roads_of(setup("S 0 19; R 0 19-24; H 0 1 1 0 0 0")) == {(14, 19), (18, 24), (19, 25), (24, 30)}


@vector(8)
def _figure_30() -> None:
    state = setup("S 1 34; S 2 35; H 1 1 0 0 0 0; H 2 0 0 0 1 0", players=4, phase="pre_roll", cards=[cards(warrior=1)])
    play(state, "W")
    assert len(legal(state)) == 18
    assert ">h9" not in legal(state)
    assert legal(play(state, ">h13")) == {"x1", "x2"}
    assert [state.format(code) for code in play(state, "x1").legal_moves()] == ["#stolen=w"]
    play(state, "#stolen=w")
    assert position(state).phase == "pre_roll"
    play(state, "roll", "#dice=6")
    assert [hand[4] for hand in hands(state)] == [0, 0, 0, 0]


@vector(9)
def _figure_32() -> None:
    text = "S 0 26; H 0 0 0 0 3 0; S 1 42; H 1 3 0 4 0 0"
    assert legal(setup(text), "B") == {f"B3g>{r}" for r in "wbas"}
    state = setup(text, on_turn=1)
    assert legal(state, "B") == {f"B2a>{r}" for r in "wbgs"}
    assert play(state, "B2a>b", "B2a>g").hand(1) == (3, 1, 0, 1, 0)


@vector(10)
def _gavin() -> None:
    assert play(setup("H 0 0 0 0 0 4"), "B4s>w").hand(0) == (1, 0, 0, 0, 0)


@vector(11)
def _neblis() -> None:
    state = play(setup("H 0 2 0 0 0 3; H 1 0 2 0 0 0; H 2 0 1 0 0 0"), "?1s/1b", "!2b/3s", "!1b/1w1s")
    assert legal(state) == {"deal1", "deal2", "nodeal"}
    assert hands(play(state, "deal2")) == [(1, 1, 0, 0, 2), (0, 2, 0, 0, 0), (1, 0, 0, 0, 1)]


@vector(12)
def _figure_23() -> None:
    state = setup(FIGURE_23, on_turn=1)
    assert (lengths(state)[:2], holders(state)[0]) == ([7, 5], 0)
    play(state, "S22")
    assert (lengths(state)[:2], holders(state)[0], points(state)[:2]) == ([4, 5], 1, [2, 4])


@vector(13)
def _figure_33() -> None:
    state = setup("S 0 28; R 0 28-34-29-35-30-24-18; S 1 53; R 1 35-40-45-49-53-50; H 0 1 1 0 0 0; H 1 1 1 1 1 0",
                  on_turn=1)
    assert (lengths(state)[:2], holders(state)[0]) == ([6, 5], 0)
    play(state, "S35")
    assert (lengths(state)[:2], holders(state)[0]) == ([3, 5], 1)
    play(state, "end", "roll", "#dice=2", "end", "roll", "#dice=2")
    assert {(13, 18), (18, 23), (30, 36)} <= roads_of(state)
    assert not {(35, 40), (40, 44), (40, 45)} & roads_of(state)


@vector(14)
def _figure_34() -> None:
    text = "S 0 24; S 1 13; R 1 13-18-24; H 0 1 1 0 0 0; H 1 1 1 0 0 0"
    assert roads_of(setup(text, on_turn=1)) == {(8, 13), (9, 13), (18, 23)}
    assert {(19, 24), (24, 30)} <= roads_of(setup(text))


@vector(15)
def _molly() -> None:
    state = setup("C 0 0; C 0 2; C 0 11; S 0 26; S 0 47; R 0 0-3-7-12-17-22; H 0 0 0 1 1 1", cards=[cards(point=1)])
    play(state, "D", "#draw=victory_point")
    assert (state.is_over, state.scores()[0]) == (True, 12)


@vector(16)
def _jeremy() -> None:
    state = rolled("H 0 6 0 0 0 0; H 1 0 7 0 0 0; H 2 5 0 3 3 0", 7)
    assert state.to_move == 2
    play(state, "-w", "-w", "-w", "-a", "-a")
    assert state.hand(2) == (2, 0, 1, 3, 0)
    assert (state.to_move, position(state).phase) == (0, "robber")


@vector(17)
def _eight_segments() -> None:
    state = play(setup(f"{FIGURE_23}; R 0 44-48", on_turn=1), "S22")
    assert (lengths(state)[:2], holders(state)[0]) == ([5, 5], 0)


@vector(18)
def _a_tie_of_others() -> None:
    for option, holder in (("holder_keeps", 0), ("set_aside", -1)):
        state = setup(f"{FIGURE_23}; S 2 9; R 2 9-14-19-25-31-37; H 2 1 1 0 0 0", on_turn=1,
                      options=f"longest_road_tie={option}")
        play(state, "S22")
        assert (lengths(state), holders(state)[0]) == ([4, 5, 5], holder)
        play(state, "end", "roll", "#dice=2", "R37-42")
        assert (lengths(state)[2], holders(state)[0]) == (6, 2)


@vector(19)
def _nobody_has_five() -> None:
    state = setup("S 0 39; R 0 12-17-22-28-34-39; S 1 27; R 1 22-16-21-27; H 1 1 1 1 1 0", on_turn=1)
    before = points(state)[0]
    play(state, "S22")
    assert (lengths(state)[:2], holders(state)[0], points(state)[0]) == ([3, 3], -1, before - 2)


@vector(20)
def _won_in_the_own_turn() -> None:
    text = f"{FIGURE_23}; S 2 9; R 2 9-14-19-25-31-37-42; C 2 53; C 2 2; C 2 24; C 2 46; S 2 26"
    state = setup(text, on_turn=1, holders=[0, -1, -1])
    assert (lengths(state), points(state)[2]) == ([7, 5, 6], 10)
    play(state, "S22")
    assert (points(state)[2], state.is_over) == (12, False)
    play(state, "end")
    assert (state.is_over, state.utilities()) == (True, [0.0, 0.0, 1.0])


@vector(21, 22)
def _a_small_pile() -> None:
    text = "S 0 39; C 0 29; H 2 0 0 0 0 16"
    assert rolled(text, 6).hand(0)[4] == 2
    assert rolled(text, 6, options="bank_shortage=nobody").hand(0)[4] == 0
    both = rolled(f"{text}; S 1 40", 6)
    assert [hand[4] for hand in hands(both)] == [0, 0, 16]
    assert both.hand(1)[0] == 1


@vector(23)
def _figure_31() -> None:
    state = setup("H 0 0 2 0 0 2", stones=[2, 3, 0])
    assert holders(play(state, "T"))[2] == 1
    assert (holders(play(state, "T"))[2], points(state)) == (0, [2, 0, 0])


@vector(24)
def _ten_stones() -> None:
    state = setup("H 0 0 1 0 0 1", stones=[9], cards=[cards(temple=2)], phase="pre_roll")
    play(state, "TB")
    assert position(state).seats[0].stones == 10
    play(state, "roll", "#dice=2")
    assert not legal(state) & {"T", "TB"}


@vector(25)
def _army() -> None:
    state = setup(phase="pre_roll", cards=[cards(warrior=2)], played=[cards(warrior=2), cards(warrior=3)])
    assert holders(play(state, "W", ">h0"))[1] == 1
    play(state, "roll", "#dice=2", "end", "roll", "#dice=2", "end", "roll", "#dice=2", "end", "W")
    assert holders(state)[1] == 0


@vector(26)
def _liahona_seven() -> None:
    state = setup("H 1 8 0 0 0 0", phase="pre_roll", cards=[cards(liahona=1, warrior=1)])
    play(state, "L7")
    assert state.to_move == 1
    play(state, "-wwww")
    assert (state.to_move, position(state).phase) == (0, "robber")
    assert "W" not in legal(play(state, ">h0"))


@vector(27)
def _one_road_left() -> None:
    state = setup("S 0 0; R 0 0-4-1-5-2-6-10-15-20-26-32-37-42-46-50", cards=[cards(roads=1)])
    assert position(state).seats[0].roads_left == 1
    assert position(play(state, "RB", "R50-53")).phase == "main"


@vector(28)
def _bought_this_turn() -> None:
    state = play(setup("H 0 0 0 1 1 1"), "D", "#draw=stripling_warrior")
    assert "W" not in legal(state)
    play(state, "end", "roll", "#dice=2", "end", "roll", "#dice=2", "end")
    assert "W" in legal(state)


@vector(29)
def _order() -> None:
    for players, first, order in ((2, 1, [1, 0, 0, 1, 1, 0]), (4, 2, [2, 3, 0, 1, 1, 0, 3, 2])):
        state = play(start(players=players), "#layout=0", "#start=0", f"#first={first}")
        found = []
        while position(state).phase.startswith("init_") and position(state).phase != "init_choose":
            if position(state).phase == "init_settlement":
                found.append(state.to_move)
            play(state, state.format(state.legal_moves()[0]))
        assert found == order


@vector(30)
def _decoding() -> None:
    """The examples of the data: see test_03_04_setup."""
    state = play(start(), "#layout=4711", "#start=7")
    assert position(state).terrain[:3] == ("stone", "brick", "water")
    assert position(state).numbers[11] == 2 - 2 * (position(state).terrain[11] == "hideout")


@vector(31)
def _five_settlements() -> None:
    state = setup("S 0 0; S 0 2; S 0 11; S 0 47; S 0 49; R 0 0-3-7-12; H 0 1 1 1 3 3")
    assert not legal(state, "S")
    assert len(legal(state, "C")) == 5
    assert sites_of(play(state, "C0")) == {12}


@vector(32)
def _poor_bank() -> None:
    state = setup("H 1 18 17 18 18 18", cards=[cards(harvest=1)])
    assert legal(play(state, "H")) == {"+b"}
    assert position(play(state, "+b")).phase == "main"
    assert "H" not in legal(setup("H 1 18 18 18 18 18", cards=[cards(harvest=1)]))


@vector(33)
def _belief() -> None:
    state = setup("S 1 17; H 1 2 0 0 1 0", phase="pre_roll", on_turn=2)
    play(state, "roll", "#dice=7", ">h4", "x1", "#stolen=g")
    assert [(round(weight, 6), world[2]) for weight, world in state.hand_worlds(0)] == [
        (0.666667, (1, 0, 0, 0, 0)), (0.333333, (0, 0, 0, 1, 0))]
    play(state, "offer", "give:g")
    assert [world for _, world in state.hand_worlds(0)] == [((0,) * 5, (2, 0, 0, 0, 0), (0, 0, 0, 1, 0))]


@vector(34)
def _prosperity() -> None:
    state = setup("H 1 0 0 0 2 0; H 2 1 0 0 1 0", phase="pre_roll", cards=[cards(prosperity=1)])
    play(state, "P:g")
    assert state.hand(0) == (0, 0, 0, 3, 0)
    assert [hand[3] for hand in state.known_hands()] == [3, 0, 0]


@pytest.mark.parametrize("number", range(1, 35))
def test_vector(number: int) -> None:
    VECTORS[number]()
