"""When positions come back."""

from __future__ import annotations

from datetime import date, timedelta

from sfida.ai.review.practice import SOLVED, BoxPlace, Outcome

TODAY = date(2026, 3, 1)


def test_right_answers_wait_twice_as_long_each_time_until_it_is_solved():
    place, today, waits = BoxPlace(0, TODAY), TODAY, []
    while not place.solved:
        assert place.is_due(today)
        place = place.after(Outcome.RIGHT, today)
        waits.append((place.due - today).days)
        today = place.due
    assert waits == [1, 2, 4, 8, 0]
    assert len(waits) == SOLVED
    assert not place.is_due(today + timedelta(days=1000))


def test_a_wrong_answer_goes_back_to_the_first_box_and_is_due_at_once():
    place = BoxPlace(3, TODAY).after(Outcome.WRONG, TODAY)
    assert place == BoxPlace(0, TODAY)
    assert place.is_due(TODAY)


def test_with_help_a_position_stays_in_its_box():
    assert BoxPlace(2, TODAY).after(Outcome.HELPED, TODAY) == BoxPlace(2, TODAY + timedelta(days=2))


def test_nothing_is_due_before_its_day():
    place = BoxPlace(1, TODAY + timedelta(days=1))
    assert not place.is_due(TODAY)
    assert place.is_due(TODAY + timedelta(days=1))
