"""Ctrl-C while an agent thinks."""

from __future__ import annotations

import signal

import pytest

from sfida.ai.registry import agent
from sfida.ai.seat import Seat
from sfida.cli.output import Output
from sfida.cli.progress import MOVE_NOW, Thinking


class Stubborn:
    """An agent that is slow to end its search."""

    spec = "stubborn"

    def __init__(self) -> None:
        self.hurried = 0

    def cancel(self) -> None:
        self.hurried += 1


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_second_one_in_the_same_search_leaves():
    slow = Stubborn()
    with Thinking(Output(), Seat(slow), "red", MOVE_NOW) as thinking:
        press()
        assert thinking.interrupted
        with pytest.raises(KeyboardInterrupt):
            press()
    assert slow.hurried == 1


def test_the_second_one_right_after_the_first_leaves():
    with Thinking(Output(), Seat(Stubborn()), "red", MOVE_NOW) as first:
        press()
    with pytest.raises(KeyboardInterrupt), Thinking(Output(), Seat(Stubborn()), "blue", MOVE_NOW, first):
        press()


def test_one_that_came_before_the_search_is_not_lost():
    slow = Stubborn()
    with Thinking(Output(), Seat(slow), "red", MOVE_NOW) as thinking:
        press()
        thinking.show(type("Progress", (), {"seconds": 1.0, "iterations": 5, "best": "a1", "win": 0.5}))
    assert slow.hurried == 2


@pytest.mark.parametrize("keep", ["", MOVE_NOW])
def test_an_agent_that_cannot_be_hurried_is_left_at_once(keep):
    with pytest.raises(KeyboardInterrupt), Thinking(Output(), Seat(agent("greedy")), "red", keep):
        press()


def test_nothing_is_kept_unless_asked_for():
    slow = Stubborn()
    with pytest.raises(KeyboardInterrupt), Thinking(Output(), Seat(slow), "red"):
        press()
    assert slow.hurried == 0


def test_the_note_on_ctrl_c_always_fits(monkeypatch):
    drawn = []
    monkeypatch.setattr(Output, "progress", lambda self, text: drawn.append(text))
    monkeypatch.setenv("COLUMNS", "70")
    progress = type("Progress", (), {"seconds": 1.0, "iterations": 123456, "best": "merchant NFK", "win": 0.5})
    with Thinking(Output(), Seat(Stubborn()), "british", MOVE_NOW) as thinking:
        thinking.show(progress)
        monkeypatch.setenv("COLUMNS", "100")
        thinking.show(progress)
    assert drawn == ["british thinks ...  (Ctrl-C: move now)",
                     "british thinks ... 1.0 s, merchant NFK 50 %  (Ctrl-C: move now)",
                     "british thinks ... 1.0 s, 123,456 iterations, merchant NFK 50 %  (Ctrl-C: move now)", ""]
