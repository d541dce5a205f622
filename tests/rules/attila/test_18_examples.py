"""The examples of chapter 18, by number."""

from __future__ import annotations

import pytest

from sfida.engines.attila.narration import share as recount
from support.attila import (
    STARTS, at_peace, hand, letters, marker, places, play, position, setup, sizes, start, supply, tokens, used
)
from support.playing import legal

WAR = "RAE:HHHH NOR:HHH PAN:HHHH DAC:HHH MOE:HHH GER:HFFF"
GATES = "GER RAE NOR PAN DAC MOE"


def scores(state) -> list[int]:
    return [int(points) for points in state.scores()]


@pytest.mark.rule("ATT-18.1", "ATT-6.2", "ATT-6.6", "ATT-6.8", "ATT-6.11", "ATT-7.1", "ATT-10.2")
def test_maria_anna_franco() -> None:
    state = setup("GER:VVSS", ["FVVGHT", "FSGHTG", "FGHTGH"], used=1)
    play(state, "F@GER+2", "VV", "B:FS", "C:F")
    battle = position(state).battle
    assert battle is not None
    assert (letters(battle.strength), letters(battle.removed)) == ("FFFSSSVVVV", "FSS")
    assert tokens(state, "GER") == "VV"
    assert at_peace(state) == {"GER"}
    assert used(state) == 2
    assert [supply(state, letter) for letter in "FHGSTV"] == [20, 20, 20, 20, 20, 18]
    assert marker(state, "0.F") == 2
    assert letters(position(state).discards) == "FFFSVV"
    assert sizes(state) == [3, 4, 5]
    assert (state.phase, scores(state)) == ("end", [0, 0, 0])


@pytest.mark.rule("ATT-18.2", "ATT-18.3", "ATT-18.4", "ATT-18.5", "ATT-18.6", "ATT-18.7", "ATT-18.8", "ATT-18.9",
                  "ATT-18.10", "ATT-8.3", "ATT-8.4", "ATT-8.5", "ATT-8.6", "ATT-8.7", "ATT-8.8", "ATT-8.9",
                  "ATT-12.4", "ATT-12.5", "ATT-12.6")
@pytest.mark.parametrize(("markers", "pieces", "provinces", "points"), [
    ((5, 3, 0), 5, 3, [5, 3, 0]), ((5, 2, 5), 5, 3, [4, 0, 4]), ((5, 2, 2), 5, 3, [5, 2, 2]),
    ((5, 0, 0), 5, 3, [8, 0, 0]),
    ((10, 8), 7, 5, [7, 5]), ((10, 7), 7, 5, [7, 0]), ((10, 10), 7, 5, [6, 6]), ((10, 0), 7, 5, [12, 0]),
    ((2, 0), 7, 5, [12, 0]), ((10, 1, 0), 7, 5, [7, 5, 0]), ((4, 4, 4, 2), 7, 4, [4, 4, 4, 0]),
    ((6, 4, 4, 4), 7, 4, [7, 2, 2, 2]), ((9, 5, 3, 1, 0), 6, 2, [6, 2, 0, 0, 0])])
def test_what_a_tribe_pays(markers: tuple[int, ...], pieces: int, provinces: int, points: list[int]) -> None:
    assert start(players=len(markers)).rules.share(markers, pieces, provinces) == points
    assert recount(markers, pieces, provinces) == points


@pytest.mark.rule("ATT-18.11", "ATT-5.1", "ATT-5.2", "ATT-5.9")
@pytest.mark.parametrize(("tiles", "gain"), [(0, 1), (1, 2), (2, 2), (3, 3), (5, 3), (6, 4), (9, 4), (10, 4)])
def test_gain_by_century(tiles: int, gain: int) -> None:
    state = play(setup(hands=["FFFFFF"], used=tiles), f"F@GER+{gain}")
    assert marker(state, "0.F") == gain


@pytest.mark.rule("ATT-18.12", "ATT-18.13", "ATT-5.3", "ATT-5.5", "ATT-5.7")
def test_green_and_the_vandals() -> None:
    assert marker(play(setup(hands=["VVVVVV"]), "V@GER+1"), "0.V") == 1
    assert marker(play(setup(hands=["VVVVVV"], influence={"0.V": 3}), "V@GER+1"), "0.V") == 4
    state = play(setup(hands=["VVVVVV"], influence={"0.V": 3}), "V@GER,RAE")
    assert (marker(state, "0.V"), supply(state, "V")) == (3, 18)
    assert (tokens(state, "GER"), tokens(state, "RAE"), state.phase) == ("V", "V", "end")


@pytest.mark.rule("ATT-18.14", "ATT-4.6", "ATT-5.6", "ATT-1.14")
def test_no_sixth_token() -> None:
    state = play(setup("GER:FHGS", ["VVVVVV"]), "V", "@GER")
    assert legal(state) == {"+1"} | {f",{code}" for code in ["BEL", "LUG", "RAE", "NOR", "PAN", "DAC", "MOE"]}
    assert ",GER" in legal(play(setup("GER:FHG", ["VVVVVV"]), "V", "@GER"))


@pytest.mark.rule("ATT-18.15", "ATT-18.16", "ATT-18.17", "ATT-18.18", "ATT-11.2", "ATT-11.4", "ATT-4.8", "ATT-14.4")
def test_the_last_token() -> None:
    quiet = play(setup("GER:H", ["HHFFGG"], supply={"H": 1}, options="removed_tokens=box"), "H", "@GER")
    assert position(quiet).ending == ("tribe",)
    assert legal(quiet) == {"+1"}
    state = setup(WAR.replace("NOR:HHH ", "NOR:HHHH "), ["HHHFFG"], used=1)
    assert supply(state, "H") == 1
    play(state, "H", "@GER")
    assert legal(state) == {"+2"}
    play(state, "+2")
    gone = play(state.clone(), "nobody")
    assert (tokens(gone, "GER"), supply(gone, "H"), position(gone).ending) == ("FFF", 2, ())
    stays = play(state.clone(), "HH", "nobody")
    assert (tokens(stays, "GER"), supply(stays, "H"), position(stays).ending) == ("HH", 0, ("tribe",))
    two = play(setup(WAR, ["HHHFFG"], used=1), "H", "@GER")
    assert position(two).ending == ()
    play(two, ",NOR")
    assert position(two).ending == ("tribe",)
    play(two, "nobody")
    assert (tokens(two, "GER"), supply(two, "H"), position(two).ending) == ("FFF", 2, ("tribe",))


@pytest.mark.rule("ATT-18.19", "ATT-18.20", "ATT-5.8", "ATT-9.6", "ATT-9.7", "ATT-9.9", "ATT-11.3", "ATT-11.5")
def test_the_end_of_the_chart() -> None:
    state = play(setup(hands=["FFGGHH"], used=6, influence={"0.F": 20}), "F@GER+4")
    assert (marker(state, "0.F"), position(state).ending) == (22, ("influence",))
    assert legal(state) == {"end", "*I", "*D"}
    play(state, "end")
    assert (state.is_over, scores(state)) == (True, [2, 0, 0])
    state = play(setup(hands=["FFGGHH"], used=6, influence={"0.F": 21}), "F@GER,RAE", "*I(F2)")
    assert (marker(state, "0.F"), position(state).ending) == (22, ("influence",))
    assert scores(play(state, "end")) == [4, 0, 0]


@pytest.mark.rule("ATT-18.21", "ATT-8.1", "ATT-8.10", "ATT-7.2", "ATT-5.4")
def test_the_first_tile_scores() -> None:
    state = setup("GER:FFHH RAE:FF", ["GGHHSS"], influence={"0.F": 1, "1.H": 1, "2.F": 2})
    play(state, "G@GER+1", "nobody")
    assert (tokens(state, "GER"), state.phase, used(state)) == ("FFHH", "prescore", 1)
    assert position(state).gain == 2
    play(state, "score")
    assert (scores(state), state.phase, sizes(state)) == ([2, 3, 4], "end", [5, 6, 6])


@pytest.mark.rule("ATT-18.22", "ATT-11.1", "ATT-11.6", "ATT-11.9")
def test_the_tenth_tile_scores_once() -> None:
    state = setup("GER:FFHH", ["GGHHSS", "HFFGGS"], used=9, influence={"0.F": 3, "1.H": 5, "2.F": 2})
    play(state, "G@GER+4", "done", "B:H", "done")
    assert (tokens(state, "GER"), position(state).ending, state.phase) == ("FFHH", ("peace",), "end")
    assert scores(state) == [0, 0, 0]
    play(state, "*I(H2)")
    assert marker(state, "0.H") == 2
    play(state, "end")
    assert (scores(state), state.ranks(), state.utilities()) == ([3, 2, 1], [1, 2, 3], [1.0, 0.0, 0.0])


@pytest.mark.rule("ATT-18.23", "ATT-18.24", "ATT-11.6", "ATT-11.8")
def test_a_century_is_scored_besides_the_end() -> None:
    state = setup("GER:FFHH", ["GGHHSS"], used=5, influence={"0.G": 20, "0.F": 3, "1.H": 5})
    play(state, "G@GER+3", "nobody")
    assert (marker(state, "0.G"), used(state), state.phase) == (22, 6, "prescore")
    assert scores(play(state, "score")) == [3, 3, 0]
    assert scores(play(state, "end")) == [6, 6, 0]
    state = setup("GER:FFHH", ["GGHHSS"], used=5, influence={"0.S": 21, "0.F": 3, "1.H": 5})
    play(state, "G@GER+3", "nobody")
    early = play(state.clone(), "*I(S2)", "score")
    assert (scores(early), early.phase) == ([3, 3, 0], "end")
    assert scores(play(early, "end")) == [6, 6, 0]
    late = play(state, "score", "*I(S2)")
    assert scores(late) == [3, 3, 0]
    assert scores(play(late, "end")) == [6, 6, 0]


@pytest.mark.rule("ATT-18.25", "ATT-6.13", "ATT-8.11", "ATT-6.12")
def test_two_conflicts_of_one_card() -> None:
    state = setup("GER:FFHH RAE:SSTT", ["VVGGHH", "FHGGSS"], used=1, influence={"0.F": 1})
    play(state, "V@GER,RAE", "done", "FH", "done")
    assert (tokens(state, "GER"), used(state), position(state).queue) == ("FFHH", 2, (15,))
    play(state, "nobody")
    assert (tokens(state, "RAE"), used(state), state.phase) == ("SSTT", 3, "prescore")
    play(state, "score")
    assert (scores(state), position(state).gain) == ([3, 0, 0], 3)


@pytest.mark.rule("ATT-18.26", "ATT-18.27", "ATT-18.28", "ATT-6.7", "ATT-6.9", "ATT-6.10", "ATT-7.3")
def test_who_leaves() -> None:
    state = setup("GER:HHHH", ["HHHGGG", "FFGGSS", "FFGGSS"])
    play(state, "H@GER+1", "HH", "nobody")
    assert (tokens(state, "GER"), at_peace(state), supply(state, "H"), used(state)) == ("", {"GER"}, 20, 1)
    assert letters(position(state).discards) == "HHH"
    state = play(setup("GER:FHGS", ["TTTTTT"]), "T@GER+1", "nobody")
    assert (tokens(state, "GER"), at_peace(state)) == ("", {"GER"})
    state = setup("DAC:HHGG", ["TTTFFF", "HSSFFF"], players=4, used=1)
    play(state, "T@DAC+2", "TT", "H", "nobody")
    assert (tokens(state, "DAC"), supply(state, "G")) == ("HHT", 20)


@pytest.mark.rule("ATT-18.29", "ATT-6.3", "ATT-9.1", "ATT-9.8", "ATT-14.2")
def test_what_may_be_laid() -> None:
    state = play(setup("GER:VVSS", ["VVGHTF", "FSGHTG"]), "F@GER+1")
    assert legal(state) == {"done", ":V", "*X", "*I"}
    play(state, "done")
    assert legal(state) == {"done", ":F", ":S"}


@pytest.mark.rule("ATT-18.30", "ATT-10.1", "ATT-10.3", "ATT-3.2")
def test_only_the_active_player_refills() -> None:
    state = setup("GER:FFSS", ["GGHHTT", "FFSHHT", "GGGHTV"], used=1)
    play(state, "G@GER+2", "done", "FFS", "done", "end", "luck")
    assert (sizes(state), state.active, state.phase) == ([6, 3, 6], 1, "play")


@pytest.mark.rule("ATT-18.31", "ATT-4.11")
def test_an_empty_hand() -> None:
    state = setup(hands=["", "FFGGHH", "SSTTVV"])
    assert (state.phase, legal(state)) == ("end", {"end", "*I"})
    assert sizes(play(state, "end", "luck")) == [6, 6, 6]


@pytest.mark.rule("ATT-18.32", "ATT-12.1", "ATT-12.2", "ATT-12.3", "ATT-9.2", "ATT-9.3")
def test_three_cards_of_two_players() -> None:
    state = setup(hands=["FFHHGG"], players=2)
    play(state, "F@GER+1")
    assert state.phase == "play"
    play(state, "H@RAE+1")
    assert (state.phase, sizes(state)[0]) == ("end", 4)
    play(state, "*D", "G@NOR+1")
    assert (sizes(state)[0], legal(state)) == (3, {"end"})
    play(state, "end", "luck")
    assert sizes(state) == [6, 6]
    assert position(state).seats[0].tiles == ("exchange", "influence_2")


@pytest.mark.rule("ATT-18.33", "ATT-12.2", "ATT-12.6")
def test_the_second_card_gains_by_the_new_century() -> None:
    state = setup("GER:FFHH", ["GGHHSS"], players=2, influence={"0.F": 1})
    play(state, "G@GER+1", "nobody", "score", "G@RAE+2")
    assert (marker(state, "0.G"), scores(state)) == (3, [3, 0])


@pytest.mark.rule("ATT-18.34", "ATT-9.5", "ATT-10.4", "ATT-10.5", "ATT-15.1", "ATT-15.2")
def test_an_exchange_across_a_reshuffle() -> None:
    out = "F" * 5 + "H" * 6 + "G" * 6 + "S" * 6 + "T" * 6 + "V" * 5
    state = setup(hands=["HHGGFF", "HGSSTV", "STTVVV"], discards=out)
    assert (len(out), letters(state.pile())) == (34, "FF")
    play(state, "*X(HHGG)")
    assert state.chance_outcomes() == [(108, 2)]
    play(state, "F", "F")
    assert (position(state).pile, position(state).reshuffles) == (38, 1)
    play(state, "luck")
    assert (position(state).pile, sum(position(state).discards), state.phase) == (36, 0, "play")


@pytest.mark.rule("ATT-18.35", "ATT-18.36", "ATT-18.37", "ATT-4.10", "ATT-4.12")
def test_dead_cards() -> None:
    state = setup("LUG:H", ["FFFFGG"], pacified=GATES)
    assert legal(state) == {"~F", "~G", "*X"}
    play(state, "~F")
    assert (letters(position(state).discards), state.phase, hand(state, 0)) == ("F", "end", "FFFGG")
    assert "*D" not in legal(state)
    assert legal(setup("LUG:H", ["FFFFHG"], pacified=GATES)) == {"H", "*X"}
    state = setup(hands=["FFFFHG"], pacified=GATES)
    assert (state.phase, position(state).ending) == ("end", ("stalemate",))


@pytest.mark.rule("ATT-18.38", "ATT-18.39", "ATT-18.40", "ATT-4.2", "ATT-4.3", "ATT-4.4", "ATT-4.5", "ATT-1.14",
                  "ATT-1.15")
def test_where_tokens_go() -> None:
    assert places(setup(hands=["FFFFHG"]), "F") == STARTS
    assert places(setup("BRI:FF", ["FFFFHG"], pacified="BRI"), "F") == STARTS | {"BEL"}
    assert places(setup("BAE:V SIC:V", ["FFFFHG"]), "V") == STARTS | {"BAE", "SIC", "TAR", "LUS", "MAU", "AFR", "ITI"}


@pytest.mark.rule("ATT-18.41", "ATT-4.7", "ATT-8.12")
def test_a_tribe_that_is_gone() -> None:
    state = setup("GER:HHHH", ["HHHGGG"], used=9, influence={"0.H": 7, "1.H": 3})
    play(state, "H@GER+4", "nobody")
    assert (marker(state, "0.H"), marker(state, "1.H")) == (11, 3)
    assert places(state, "H") == STARTS - {"GER"}
    assert scores(play(state, "end")) == [0, 0, 0]


@pytest.mark.rule("ATT-18.42", "ATT-14.1")
def test_the_first_turn() -> None:
    state = play(setup(hands=["FFHGST"]), "F", "@GER", "+1")
    assert marker(state, "0.F") == 1
    assert legal(state) == {"end", "*D", "*X", "*I"}
    play(state, "end")
    assert state.is_chance
    play(state, "luck")
    assert (state.active, state.phase) == (1, "play")
