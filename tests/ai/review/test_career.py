"""Many reviews together."""

from __future__ import annotations

import pytest

from sfida.ai.review.career import Reviewed, career_of, kind_of
from support.practising import decision, review


def game(loss: float, date: str = ""):
    """Return a game in which O's first decision has this loss and the others none."""
    return Reviewed(date, 1, review(decision(0, 0.9), decision(1, loss), decision(2, 0.9), decision(3, 0.0),
                                    decision(4, 0.9), decision(5, 0.0)))


def test_each_game_has_a_line_of_the_persons_seat():
    (line,) = career_of("tic_tac_toe", [game(0.3, "2026-03-01")]).games
    assert (line.date, line.seats, line.seat, line.result, line.decisions, line.mistakes) == (
        "2026-03-01", 2, 1, 0.0, 3, 1)
    assert line.loss == pytest.approx(0.1)


def test_phases_are_thirds_of_the_games_decisions_and_hold_all_losses():
    career = career_of("tic_tac_toe", [game(0.3), game(0.1)])
    assert [(cost.key, cost.decisions, cost.mistakes) for cost in career.phases] == [
        ("opening", 2, 2), ("middle", 2, 0), ("end", 2, 0)]
    assert [cost.loss for cost in career.phases] == pytest.approx([0.4, 0.0, 0.0])
    assert career.loss == pytest.approx(0.4)
    assert sum(cost.loss for cost in career.kinds) == pytest.approx(career.loss)


def test_forced_and_unjudged_decisions_do_not_count():
    one = Reviewed("", 1, review(decision(1, None), decision(3, 0.2)))
    assert [(cost.key, cost.decisions) for cost in career_of("tic_tac_toe", [one]).phases] == [("opening", 1)]


def test_kinds_are_the_games_or_the_first_word_of_the_move_dearest_first():
    assert kind_of(decision(1, 0.1, kind="place")) == ("place", "about place")
    assert kind_of(decision(1, 0.1, move="trade 2 wood")) == ("trade", "trade")
    one = Reviewed("", 1, review(decision(1, 0.1, kind="place"), decision(3, 0.4, kind="deploy"),
                                 decision(5, 0.2, kind="place")))
    assert [(cost.title, round(cost.loss, 3), cost.decisions) for cost in career_of("x", [one]).kinds] == [
        ("about deploy", 0.4, 1), ("about place", 0.3, 2)]


def test_a_trend_is_clear_only_beyond_its_uncertainty():
    better = career_of("tic_tac_toe", [game(loss) for loss in (0.5, 0.52, 0.48, 0.1, 0.12, 0.08)])
    changes = {change.what: change for change in better.changes}
    assert changes["loss"].earlier == pytest.approx(0.5 / 3)
    assert changes["loss"].later == pytest.approx(0.1 / 3)
    assert changes["loss"].clear
    assert changes["accuracy"].clear
    assert changes["accuracy"].later > changes["accuracy"].earlier
    assert not changes["luck"].clear
    noisy = career_of("tic_tac_toe", [game(loss) for loss in (0.5, 0.0, 0.5, 0.0, 0.4, 0.1)])
    assert not any(change.clear for change in noisy.changes)


def test_few_games_have_no_trend():
    assert not career_of("tic_tac_toe", [game(0.5)] * 3).changes
