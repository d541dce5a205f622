"""Chapters 3 to 12, as far as the examples do not cover them."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import IllegalMove
from support.attila import at_peace, hand, letters, marker, places, play, position, setup, sizes, supply, tokens, used
from support.playing import legal

GATES = "GER RAE NOR PAN DAC MOE"


def scores(state) -> list[int]:
    return [int(points) for points in state.scores()]


@pytest.mark.rule("ATT-3.1", "ATT-3.2", "ATT-3.3", "ATT-3.4", "ATT-4.1")
def test_the_steps_of_a_turn() -> None:
    state = setup(hands=["FFHHGG", "SSTTVV"])
    phases = []
    for move in ("H", "@PAN", "+1", "end"):
        phases.append(state.phase)
        assert not {"end", "done"} & legal(state) or state.phase == "end"
        play(state, move)
    assert phases == ["play", "place", "follow", "end"]
    assert (tokens(state, "PAN"), supply(state, "H"), marker(state, "0.H")) == ("H", 19, 1)
    play(state, "luck")
    assert (state.active, sizes(state)) == (1, [6, 6, 6])


@pytest.mark.rule("ATT-6.1", "ATT-6.14", "ATT-4.5")
def test_the_fifth_token_fights() -> None:
    state = play(setup("GER:FFH", ["GGGGGG"]), "G", "@GER")
    assert position(state).queue == ()
    play(state, ",GER")
    assert (position(state).queue, state.phase, tokens(state, "GER")) == ((2,), "commit", "FFHGG")
    play(state, "nobody")
    assert at_peace(state) == {"GER"}
    for tribe in "FHGSTV":
        assert "GER" not in places(state, tribe)


@pytest.mark.rule("ATT-6.2", "ATT-6.4", "ATT-6.5", "ATT-14.1", "ATT-14.3")
def test_laying_cards() -> None:
    state = play(setup("GER:FFHH", ["GFHHTT", "FFHHTT", "SSSSSS"]), "G@GER+1")
    order = []
    assert legal(state) == {"done", ":F", ":H", "*X", "*I"}
    play(state, ":H")
    assert legal(state) == {"done", ":H"}
    with pytest.raises(IllegalMove):
        state.parse(":F")
    while state.phase == "commit":
        order.append(state.to_move)
        if state.to_move == 2:
            assert legal(state) == {"done"}
        play(state, "done")
        for seat in range(3):
            seen = position(state, (seat + 1) % 3).seats[seat]
            if state.phase == "commit" and seen.laid:
                assert seen.laid_cards is None
    assert order == [0, 1, 2]
    battle = position(state).battle
    assert battle is not None
    assert letters(battle.strength) == "FFHHHG"
    assert letters(position(state).discards) == "HG"


@pytest.mark.rule("ATT-7.4", "ATT-8.10")
def test_peace_lasts() -> None:
    state = setup("GER:FFFF RAE:HHFF", ["GGHHSS"], used=5, pacified="GER", influence={"0.F": 1, "1.H": 2},
                  scores=[95, 0, 0])
    play(state, "H@RAE+3", "nobody", "score")
    assert (tokens(state, "GER"), tokens(state, "RAE")) == ("FFFF", "HHH")
    assert scores(state) == [95 + 4 + 1 + 3, 1, 0]


@pytest.mark.rule("ATT-7.5", "ATT-5.9", "ATT-11.7")
def test_a_conflict_after_the_tenth_tile() -> None:
    state = setup("GER:FFHH RAE:FFHH", ["GGHHSS"], players=2, used=9)
    play(state, "G@GER+4", "nobody")
    assert (used(state), position(state).ending, state.phase) == (10, ("peace",), "play")
    play(state, "G@RAE+4", "nobody")
    assert (used(state), at_peace(state), tokens(state, "RAE")) == (10, {"GER", "RAE"}, "FFHH")
    assert marker(state, "0.G") == 8
    play(state, "end")
    assert state.is_over


@pytest.mark.rule("ATT-8.2")
def test_the_order_of_tribes_does_not_matter() -> None:
    state = setup("GER:FFHH RAE:SSTT", ["VVVVVV"], influence={"0.F": 1, "1.S": 1, "2.T": 4, "0.T": 2})
    assert [one.prospect for one in position(state).seats] == [3 + 1, 3, 2]
    play(state, "V@GER+1", "nobody", "score")
    assert scores(state) == [4, 3, 2]
    assert state.snapshot()["seats"][0]["gained"] == (4, 0, 0, 0, 0)
    assert state.game.explain_scores(state)[0] == "white: 4 points = 4 from the 4th century + 0 from the final scoring"


@pytest.mark.rule("ATT-9.1", "ATT-9.3", "ATT-9.4", "ATT-9.5", "ATT-14.2")
def test_tiles() -> None:
    state = play(setup("LUG:H", ["HGGGGG"], pacified=GATES), "H", "@LUG", "+1")
    assert legal(state) == {"end", "*X", "*I"}
    state = play(setup(hands=["FFHHGG"]), "*X")
    assert legal(state) == {"-F", "-H", "-G"}
    play(state, "-H")
    assert legal(state) == {"-H", "-G", "draw"}
    play(state, "-G", "draw")
    assert letters(position(state).discards) == "HG"
    assert [code for code, _ in state.chance_outcomes()] == [108 + i for i in range(6)]
    play(state, "c:V", "c:V")
    assert (hand(state, 0), state.phase) == ("FFHGVV", "play")
    play(state, "F@GER+1")
    assert legal(state) == {"end"}
    assert position(state).seats[0].tiles == ("double_turn", "influence_2")
    state = play(setup(hands=["FFHHGG"], influence={"0.V": 22}, tiles=["I", "", ""]), "F@GER+1", "*I")
    assert legal(state) == {"I:F", "I:H", "I:G", "I:S", "I:T"}
    play(state, "I:G")
    assert legal(state) == {"I:G", "I:S", "I:T"}
    play(state, "I:S")
    assert (marker(state, "0.G"), marker(state, "0.S")) == (1, 1)


@pytest.mark.rule("ATT-9.1", "ATT-9.8")
def test_exchange_right_before_the_own_commitment() -> None:
    state = play(setup("GER:FFHH", ["GGTTTT", "FFGGHH"]), "G@GER+1", "*X(TT)")
    play(state, "c:F", "c:H")
    assert (state.phase, legal(state)) == ("commit", {"done", ":F", ":H", ":G"})
    play(state, "F", "done")
    assert legal(state) == {"done", ":F", ":H", ":G"}


@pytest.mark.rule("ATT-10.6", "ATT-11.7")
def test_nobody_draws_at_the_end() -> None:
    state = play(setup(hands=["FFGGHH"], used=6, influence={"0.F": 20}), "F@GER+4", "end")
    assert (state.is_over, sizes(state)) == (True, [5, 6, 6])


@pytest.mark.rule("ATT-12.7", "ATT-4.10")
def test_fewer_cards_than_to_play() -> None:
    state = setup(hands=["F"], players=2)
    play(state, "F@GER+1")
    assert (state.phase, sizes(state)[0]) == ("end", 0)
    state = play(setup("LUG:H", ["HG"], players=2, pacified=GATES), "H@LUG+1")
    assert legal(state) == {"~G", "*X"}


@pytest.mark.rule("ATT-12.8", "ATT-13.9")
def test_scoring_the_difference() -> None:
    state = setup(players=2, options="two_player_difference_scoring=true")
    assert state.rules.share((10, 8), 7, 5) == [2, 0]
    assert state.rules.share((10, 7), 7, 5) == [7, 0]
    assert state.rules.share((4, 4), 7, 5) == [0, 0]
    assert setup(options="two_player_difference_scoring=true").rules.share((10, 8, 0), 7, 5) == [7, 5, 0]


@pytest.mark.rule("ATT-11.5", "ATT-11.9")
def test_equal_points_share_the_win() -> None:
    state = setup(hands=["FFGGHH"], used=6, scores=[10, 12, 3], influence={"0.F": 20})
    play(state, "F@GER+4", "end")
    assert (scores(state), state.utilities(), state.ranks()) == ([12, 12, 3], [0.5, 0.5, 0.0], [1, 1, 3])


@pytest.mark.rule("ATT-11.5")
def test_a_game_ends_after_six_hundred_turns() -> None:
    state = play(setup(hands=["FFGGHH"], turn=600), "F@GER+1", "end")
    assert (state.is_over, position(state).ending) == (True, ("cap",))
