"""Narration of Attila: conflicts in sentences, influence, scorings."""

from __future__ import annotations

import pytest

from sfida.cython_ext.attila.core import AttilaState
from support.attila import play, setup


def told(state: AttilaState, line: str, viewer: int | None = None) -> list[str]:
    """Play a line and return the narrated effects of its last event."""
    *first, last = state.game.parse_turn(state, line)
    for move in first:
        state.apply(move)
    before = state.clone()
    state.apply(last)
    return [effect.text for effect in state.game.narrate(before, last, state, viewer).effects]


@pytest.mark.rule("ATT-6.7", "ATT-7.1")
def test_a_conflict_is_told_in_sentences() -> None:
    state = setup("GER:FFHH", ["GGHHFF", "FFHHGG"], used=1)
    assert told(state, "G@GER") == ["Germania is too crowded: there will be a conflict"]
    play(state, "+2", "FH", "done")
    assert told(state, "done") == [
        "White had laid 1 Frank and 1 Hun", "conflict in Germania: Franks 3, Huns 3, Goths 1", "Goths left, 1 token",
        "Germania gets a peace tile of the 5th century; 8 tiles left in all"]


@pytest.mark.rule("ATT-5.1")
def test_influence_is_told_from_where_to_where() -> None:
    state = play(setup(hands=["FFHHGG"], used=3, influence={"0.F": 4}), "F@GER")
    assert told(state, "+3") == ["White's marker of the Franks goes from 4 to 7"]
    assert told(play(state, "*I"), "I:V") == ["White's marker of the Vandals goes from 0 to 1"]


@pytest.mark.rule("ATT-8.1", "ATT-8.4")
def test_a_scoring_tells_the_sums_and_each_tribe_that_pays() -> None:
    state = play(setup("GER:FFHH RAE:S", ["GGHHFF", "FFHHGG"], influence={"0.F": 1, "1.H": 2}), "G@GER+1", "nobody")
    assert told(state, "score") == [
        "scoring of the 4th century: White 3, Red 3, Green 0", "the Franks, 2 tokens in 1 province, pay White 3",
        "the Huns, 2 tokens in 1 province, pay Red 3", "the Goths, the Saxons, the Teutons and the Vandals pay nobody"]


@pytest.mark.rule("ATT-6.13")
def test_the_order_of_two_conflicts_is_told_as_the_last_move() -> None:
    state = play(setup("GER:FFHH RAE:SSTT", ["VGGHHF"], options="conflict_order=active_chooses"), "V@GER,RAE", "RAE")
    assert "Last move: the order of the conflicts." in state.game.status_text(state)
