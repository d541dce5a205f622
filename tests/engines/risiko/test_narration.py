"""Narration of RisiKo!: the course of a battle."""

from __future__ import annotations

import pytest

from sfida.cython_ext.risiko.core import RisikoState
from sfida.engines.narration import Narration
from sfida.engines.risiko.position import decode
from support.playing import play
from support.risiko import setup


def told(state: RisikoState, *moves: str) -> Narration:
    """Return the public narration of the last of some moves."""
    before = play(state.clone(), *moves[:-1])
    after = play(before.clone(), moves[-1])
    return before.game.narrate(before, before.parse(moves[-1]), after, None)


def texts(narration: Narration) -> list[str]:
    return [effect.text for effect in narration.effects]


@pytest.mark.rule("RIS-7.10")
def test_a_conquest_is_told_with_losses_armies_and_continents() -> None:
    state = setup("b EU SCA 4 | g EUS AF | n *")
    assert texts(told(state, "SCA>EUS 3", "-0-1")) == [
        "Blue loses no army in Scandinavia (4 left); Yellow loses 1 army in Northern Europe (none left)",
        "Blue conquers Northern Europe from Yellow and moves 3 armies in",
        "Blue holds all of Europe: +5 armies per turn"]
    state = setup("b EUM 3 | g EGI 1 AF | n *")
    assert texts(told(state, "EUM>EGI 2", "-0-1"))[-1] == "Yellow no longer holds all of Africa: -3 armies per turn"


def test_moves_that_change_neither_owners_nor_turns_tell_nothing_more() -> None:
    state = setup("b CIN 9 MOR 3 | g SIA 3 | n *")
    assert texts(told(state, "CIN>SIA 3")) == []
    assert texts(told(state, "CIN>SIA 3", "d2")) == []
    assert texts(told(state, "CIN>SIA 3", "d3", "-1-2")) == [
        "Blue loses 1 army in China (8 left); Yellow loses 2 armies in Siam (1 left)"]


def test_a_placement_that_wins_tells_the_end() -> None:
    board = "b NA 2 SA 2 EGI 2 AFN 2 CON 2 AFO 2 AFS 1 | g MAD | n *"
    state = setup(board, phase="place", left=3, objectives=["o18x2"])
    found = told(state, "+AFS 1")
    assert decode(state.parse("+AFS 1")).kind == "place"
    assert any("wins" in text for text in texts(found))
