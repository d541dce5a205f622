"""What is told of the events of RisiKo!: over 120 games it adds up to the score, and a battle is told as it went."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sfida.cython_ext.risiko.core import RisikoState
from sfida.cython_ext.rng import Random
from sfida.engines.narration import Narration
from sfida.engines.risiko.position import decode
from support.playing import play
from support.risiko import setup, start, step

Policy = Callable[[RisikoState, Random], int]

# Whole games by the quick policy; those by random moves would be long, so their round limit is low.
GREEDY = ("risiko:players=3", "risiko:players=4", "risiko:players=6", "risiko:players=3,preset=tournament",
          "risiko:players=5,preset=rtu")
RANDOM = ("risiko:players=3,round_limit=8", "risiko:players=5,round_limit=8,reveal_objective_on_elimination=true",
          "risiko:players=4,preset=tournament,round_limit=8", "risiko:players=6,preset=rtu,round_limit=8",
          "risiko:players=3,round_limit=8,choose_colors=true")
GAMES = 12              # of each, 120 in all: a slip in one game of 40 is met but for one time in 20


def greedy_step(state: RisikoState, rng: Random) -> int:
    """Play the likeliest move by the priors, or draw luck, and return its code."""
    code = state.sample_chance(rng) if state.is_chance else max(state.move_priors(), key=lambda pair: pair[1])[0]
    state.apply(code)
    return int(code)


@pytest.mark.release_only("one program that tells of games")
@pytest.mark.parametrize(("policy", "spec"), [*((greedy_step, spec) for spec in GREEDY),
                                              *((step, spec) for spec in RANDOM)])
def test_the_points_told_add_up_to_the_score_at_every_moment(policy: Policy, spec: str) -> None:
    rng = Random(17)
    for _ in range(GAMES):
        state = start(spec)
        told = list(state.scores())
        while not state.is_over:
            before = state.clone()
            narration = state.game.narrate(before, policy(state, rng), state, None)
            told = [a + b for a, b in zip(told, narration.gains(state.players), strict=True)]
            assert told == list(state.scores()), narration


def told(state: RisikoState, *moves: str) -> Narration:
    """Return what everybody is told of the last of some moves."""
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
