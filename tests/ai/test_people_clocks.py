"""The clocks of people: what runs when, what a turn brings, and what records hold."""

from __future__ import annotations

from typing import Any

import pytest

from sfida import InvalidOption
from sfida.ai.seat import PeopleClocks


class Time:
    """A clock on the wall that a test moves on."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def time() -> Time:
    return Time()


def test_only_the_clock_of_who_is_asked_runs(time: Time) -> None:
    clocks = PeopleClocks("60", [0, 1], time)
    time.seconds += 5
    clocks.run(0, 0)
    time.seconds += 7
    assert (clocks.left(0), clocks.left(1), clocks.left(2)) == (53.0, 60.0, None)
    clocks.run(1, 1)
    time.seconds += 2
    assert (clocks.left(0), clocks.left(1)) == (53.0, 58.0)
    clocks.run(None, None)
    time.seconds += 9
    assert (clocks.left(0), clocks.left(1)) == (53.0, 58.0)


def test_a_turn_brings_its_seconds_once_however_many_decisions_it_has(time: Time) -> None:
    clocks = PeopleClocks("60+10", [0], time)
    for _ in range(3):
        clocks.run(0, 0)
        time.seconds += 4
        clocks.run(None, -1)            # dice
    assert clocks.left(0) == 48.0
    clocks.run(None, 1)                 # an agent comes to move
    clocks.run(None, 1)
    assert clocks.left(0) == 58.0


def test_nothing_that_was_taken_back_gives_time(time: Time) -> None:
    clocks = PeopleClocks("60+10", [0, 1], time)
    clocks.run(0, 0)
    time.seconds += 20
    clocks.forgo()
    clocks.run(1, 1)
    assert clocks.left(0) == 40.0


def test_a_clock_that_ran_out_stays_so(time: Time) -> None:
    clocks = PeopleClocks("60+10", [0, 1], time)
    clocks.run(0, 0)
    time.seconds += 60
    assert clocks.is_out(0)
    assert not clocks.is_out(1)
    clocks.run(1, 1)
    assert clocks.is_out(0)
    assert not clocks.is_out(2)


def test_a_record_keeps_them_and_time_stands_still_meanwhile(time: Time) -> None:
    clocks = PeopleClocks("60+10", [0, 2], time)
    clocks.run(2, 2)
    time.seconds += 12.5
    kept = clocks.to_json()
    time.seconds += 500
    found = PeopleClocks.from_json(kept, time)
    assert (found.form, found.left(0), found.left(2), found.running) == ("60+10", 60.0, 47.5, None)


@pytest.mark.parametrize("wrong", [None, 5, {}, {"form": "x", "left": {}}, {"form": "60+1", "left": [3]},
                                   {"form": "60+1", "left": {"a": 3}}, {"form": "60+1", "left": {"0": "nan"}}])
def test_what_is_no_clock_in_a_record_is_refused_in_one_line(wrong: Any) -> None:
    with pytest.raises(InvalidOption) as caught:
        PeopleClocks.from_json(wrong)
    assert "\n" not in str(caught.value)
