"""Options: chapter 13."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import sfida
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.registry import make
from support.attila import letters, marker, play, position, setup, start, supply, tokens, used
from support.playing import legal

GATES = "GER RAE NOR PAN DAC MOE"
END_TURN = 85


@pytest.mark.rule("ATT-13.1", "ATT-2.7")
def test_start_player() -> None:
    state = start("start_player=random", players=4)
    assert state.chance_outcomes() == [(120 + seat, 1) for seat in range(4)]
    play(state, "#first=2", "luck")
    assert (state.active, state.phase) == (2, "play")
    assert start(players=4).phase == "deal"


@pytest.mark.rule("ATT-13.2", "ATT-6.10", "ATT-11.2")
def test_removed_tokens_in_the_box() -> None:
    state = play(setup("GER:HHHH", ["HHHGGG"], options="removed_tokens=box"), "H@GER+1", "nobody")
    assert (supply(state, "H"), state.snapshot()["box"]) == (15, (0, 5, 0, 0, 0, 0))
    state = setup("GER:HHHH", ["HHHGGG"], options="removed_tokens=box", supply={"H": 1})
    play(state, "H", "@RAE")
    assert position(state).ending == ("tribe",)


@pytest.mark.rule("ATT-13.3", "ATT-11.2", "ATT-11.4")
def test_exhaustion_after_conflicts() -> None:
    board = "RAE:HHHH NOR:HHH PAN:HHHH DAC:HHH MOE:HHH GER:HFFF"
    state = setup(board, ["HHHFFG"], used=1, options="exhaustion_check=after_conflicts")
    play(state, "H@GER,NOR")
    assert (supply(state, "H"), position(state).ending) == (0, ())
    play(state, "nobody")
    assert (supply(state, "H"), position(state).ending) == (2, ())
    state = setup(board, ["HHHFFG"], used=1, options="exhaustion_check=after_conflicts")
    play(state, "H@GER,NOR", "HH", "nobody")
    assert (supply(state, "H"), position(state).ending) == (0, ("tribe",))


@pytest.mark.rule("ATT-13.3", "ATT-11.6")
@pytest.mark.parametrize("timing", ["immediate", "after_all_conflicts"])
def test_exhaustion_after_the_only_conflict_of_a_card_replaces_its_scoring(timing: str) -> None:
    """The conflict that lays a century's last tile is also the card's last one: the supply is checked first."""
    state = setup("RAE:HHHH NOR:HHHH PAN:HHHH DAC:HHHH MOE:HH GER:HFFF", ["HHHFFG"],
                  options=f"exhaustion_check=after_conflicts,scoring_timing={timing},scoring_after_trigger=replaced")
    assert supply(state, "H") == 1
    play(state, "H@GER+1", "HH", "nobody")
    assert (supply(state, "H"), position(state).ending, state.phase) == (0, ("tribe",), "end")


@pytest.mark.rule("ATT-13.4", "ATT-8.11")
def test_scoring_after_all_conflicts() -> None:
    def both(options: str) -> list[int]:
        state = setup("GER:FFHH RAE:SSTT", ["VVGGHH"], options=options, influence={"0.V": 1, "1.S": 1})
        play(state, "V@GER,RAE", "nobody")
        if state.phase == "prescore":
            play(state, "score")
        play(state, "nobody")
        if state.phase == "prescore":
            play(state, "score")
        return [int(points) for points in state.scores()]

    # in between the second Vandal still stands: one token, one province, alone
    assert both("scoring_timing=immediate") == [2, 3, 0]
    assert both("scoring_timing=after_all_conflicts") == [0, 3, 0]


@pytest.mark.rule("ATT-13.5", "ATT-11.6")
def test_final_scoring_in_addition() -> None:
    state = setup("GER:FFHH", ["GGHHSS"], used=9, influence={"0.F": 3}, options="merge_final_scoring=false")
    play(state, "G@GER+4", "nobody", "score")
    assert [int(points) for points in state.scores()] == [3, 0, 0]
    play(state, "end")
    assert [int(points) for points in state.scores()] == [6, 0, 0]


@pytest.mark.rule("ATT-13.5", "ATT-13.13", "ATT-11.6")
@pytest.mark.parametrize(("options", "used", "phase", "expected"), [
    ("", 5, "prescore", [6, 6, 0]),
    ("scoring_timing=after_all_conflicts", 5, "prescore", [6, 6, 0]),
    ("merge_final_scoring=false", 5, "prescore", [6, 6, 0]),
    ("scoring_after_trigger=replaced", 5, "end", [3, 3, 0]),
    ("merge_final_scoring=false,scoring_after_trigger=replaced", 5, "end", [3, 3, 0]),
    ("", 9, "end", [3, 3, 0]),
    ("merge_final_scoring=false", 9, "prescore", [6, 6, 0]),
    ("merge_final_scoring=false,scoring_after_trigger=replaced", 9, "end", [3, 3, 0]),
])
def test_a_century_is_over_after_the_end_was_triggered(options: str, used: int, phase: str,
                                                       expected: list[int]) -> None:
    """The marker reaches the last space, then the sixth or the tenth tile is laid in the same turn."""
    state = setup("GER:FFHH", ["GGHHSS"], used=used, influence={"0.G": 20, "0.F": 3, "1.H": 5}, options=options)
    play(state, f"G@GER+{3 if used == 5 else 4}")
    assert position(state).ending == ("influence",)
    play(state, "nobody")
    assert state.phase == phase
    play(state, *(["score"] if phase == "prescore" else []), "end")
    assert (state.is_over, [int(points) for points in state.scores()]) == (True, expected)


@pytest.mark.rule("ATT-13.13", "ATT-11.6")
def test_influence_2_before_a_century_scoring_ends_the_game() -> None:
    """The tile is used between the sixth peace tile and its scoring."""
    def points(options: str) -> list[int]:
        state = setup("GER:FFHH", ["GGHHSS"], used=5, influence={"0.S": 21, "0.F": 3, "1.H": 5}, options=options)
        play(state, "G@GER+3", "nobody", "*I(S2)", "score")
        assert (state.phase, position(state).ending) == ("end", ("influence",))
        return [int(x) for x in play(state, "end").scores()]

    assert points("") == [6, 6, 0]
    assert points("scoring_after_trigger=replaced") == [3, 3, 0]


@pytest.mark.rule("ATT-13.6", "ATT-6.13")
def test_the_active_player_orders_conflicts() -> None:
    state = setup("GER:FFHH RAE:SSTT", ["VVGGHH"], options="conflict_order=active_chooses")
    play(state, "V@GER,RAE")
    assert (state.phase, legal(state)) == ("order", {"!GER", "!RAE"})
    play(state, "!RAE")
    assert position(state).queue == (15, 2)
    play(state, "nobody")
    assert (tokens(state, "RAE"), tokens(state, "GER")) == ("SSTT", "FFHHV")


@pytest.mark.rule("ATT-13.7", "ATT-4.10")
def test_dead_hands_may_be_kept() -> None:
    state = setup("LUG:H", ["FFFFGG"], pacified=GATES, options="no_live_card=skip")
    assert legal(state) == {"--", "*X"}
    play(state, "--")
    assert (letters(state.hand(0)), letters(position(state).discards), state.phase) == ("FFFFGG", "", "end")
    assert state.history()[-1] == ("dead", 0, 0b111101)


@pytest.mark.rule("ATT-4.13", "ATT-13.7")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_game_ends_when_every_hand_is_dead(players: int) -> None:
    """Only Huns can be placed, and all of them are in the pile."""
    hands = ["FFFFGG", "FFFGGG", "GGGGSS", "SSSSTT", "SSSVVV"][:players]
    skips = ["--"] * (2 if players == 2 else 1)
    state = setup("LUG:H", hands, players=players, pacified=GATES, options="no_live_card=skip")
    for seat in range(players):
        assert (state.is_over, position(state).seat_on_turn) == (False, seat)
        play(state, *skips)
        assert ("last turn unless" in state.game.question(state, seat)) == (seat == players - 1)
        if seat < players - 1:
            play(state, "end")
    frozen = state.clone()
    play(state, "end")
    assert (state.is_over, position(state).ending) == (True, ("stalemate",))
    play(frozen, f"*X({hands[-1][0]})", "luck", "end")      # a card drawn starts the count again
    assert (frozen.is_over, position(frozen).idle) == (False, 1)


@pytest.mark.rule("ATT-4.13")
def test_no_game_freezes_when_dead_hands_may_be_kept() -> None:
    for players in (2, 3, 4, 5):
        for policy in ("greedy", "random"):
            games = sfida.batch("attila:no_live_card=skip", [policy] * players, 100, seed=1, players=players)
            for first, last in pairwise(games.starts):
                assert np.count_nonzero(games.moves[first:last] == END_TURN) <= 100


@pytest.mark.rule("ATT-13.8")
def test_open_commitments() -> None:
    state = play(setup("GER:FFHH", ["GGHHTT", "FFGGHH"], options="open_commitments=true"), "G@GER+1", "A:H")
    assert letters(position(state, 2).seats[0].laid_cards or ()) == "H"
    assert tokens(play(state, "nobody"), "GER") == "FFHH"

    def label(card: str, options: str) -> int:
        return play(setup("GER:FFHH", ["GGHHTT", "FFGGHH"], options=options), "G@GER+1", card).label(1)

    assert label(":H", "") == label(":G", "")
    assert label(":H", "open_commitments=true") != label(":G", "open_commitments=true")


@pytest.mark.rule("ATT-13.10", "ATT-9.8")
def test_tiles_at_every_decision() -> None:
    state = setup("GER:FFHH", ["GGHHTT"], options="tile_windows=every_decision")
    assert {"*X", "*I"} <= legal(state)
    play(state, "G")
    assert {"*X", "*I"} <= legal(state)
    play(state, "*I(F2)")
    assert (marker(state, "0.F"), state.phase) == (2, "place")
    play(state, "@GER")
    assert not {"*X", "*I"} & legal(state)
    state = play(setup("GER:FFHH", ["GGHHTT"], options="tile_windows=every_decision"), "G@GER+1", "nobody")
    assert (state.phase, legal(state)) == ("prescore", {"score", "*X", "*I"})
    assert used(state) == 1


@pytest.mark.rule("ATT-13.11", "ATT-11.9")
def test_no_tie_break() -> None:
    assert make("attila:final_tie=shared").game == make("attila").game
    with pytest.raises(InvalidOption, match="must be shared"):
        make("attila:final_tie=most_tiles")
