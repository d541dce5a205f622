"""Answers are judged by their loss."""

from __future__ import annotations

import sfida as api
from sfida.ai.review.judge import SearchJudge
from sfida.ai.review.model import FAST, Effort
from sfida.ai.review.practice import EFFORTS, Outcome, judge_move
from support.practising import MOVES


def position(*moves: str):
    state = api.make("tic_tac_toe")
    for move in moves:
        state.apply(state.parse(move))
    return state


def judged(state, move: str, effort: Effort = EFFORTS[FAST]):
    view = state.view(int(state.to_move))
    return judge_move(SearchJudge(), view, state.parse(move), 0, effort, 1)


def test_every_move_as_good_as_the_best_is_right():
    """Against a corner only the middle draws; against the middle every corner does."""
    after_middle = position("b2")
    for corner in ("a1", "a3", "c1", "c3"):
        assert judged(after_middle, corner).outcome(again=False, helped=False) is Outcome.RIGHT
    assert judged(position("a1"), "b2").outcome(again=False, helped=False) is Outcome.RIGHT


def test_a_losing_move_is_wrong_and_the_better_one_is_told():
    found = judged(position("a1"), "a2")
    assert not found.good
    assert found.outcome(again=False, helped=True) is Outcome.WRONG
    assert found.verdict.best == found.verdict.best_words == "b2"
    assert found.point.better[0].move == "b2"
    assert found.point.played[0].move == "a2"


def test_help_counts_and_the_move_of_the_game_stays_a_mistake():
    found = judged(position("a1"), "b2")
    assert found.outcome(again=False, helped=True) is Outcome.HELPED
    assert found.outcome(again=True, helped=False) is Outcome.WRONG


def test_the_same_seed_judges_alike():
    state = position(*MOVES[:3])
    assert judged(state, "c3").verdict == judged(state, "c3").verdict
