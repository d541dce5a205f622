"""Clocks at a table: the time of people counts on the server, outlives it, and at zero the computer plays on."""

from __future__ import annotations

from typing import Any

import pytest

from sfida.ai.seat import STAND_IN
from sfida.web.session import GameSession
from support.served import Served, serving


class Time:
    """A clock on the wall that a test moves on."""

    def __init__(self) -> None:
        self.seconds = 50.0

    def __call__(self) -> float:
        return self.seconds


def session_of(served: Served) -> GameSession:
    (_, session), = served.lobby.tables()
    assert session is not None
    assert session.table.clocks is not None
    return session


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """Replace the time of the clocks; their alarms are rung by the test."""
    found = Time()
    monkeypatch.setattr("sfida.ai.seat.awake", found)
    monkeypatch.setattr("sfida.web.runner.Threads.later", lambda *_: None)
    return found


def left(scene: Any) -> list[float | None]:
    return [seat["left"] for seat in scene["seats"]]


def test_at_zero_the_computer_plays_on_for_good(served: Served, time: Time) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1], clock="60+5")
    host, guest = table["host"], table["seats"][1]
    assert left(host.scene()) == [60.0, 60.0]
    assert host.scene()["clock"] == 0
    time.seconds += 10
    assert left(guest.scene()) == [50.0, 60.0]
    host.play("a1")
    assert left(host.scene()) == [55.0, 60.0]
    assert host.scene()["clock"] == 1
    time.seconds += 59
    session_of(served)._ring()
    assert guest.scene()["to_move"] == 1
    time.seconds += 1
    session_of(served)._ring()
    scene = host.turn()
    assert scene["seats"][1]["agent"] == STAND_IN
    assert scene["seats"][1]["left"] == 0.0
    refused = guest.post("seat", {"seat": 1, "agent": "human"}, 403)
    assert "time of this seat is up" in refused["error"]


def test_taking_back_gives_no_time_back(served: Served, time: Time) -> None:
    seat = served.host("tic_tac_toe", "human", "random", clock="60+5", seed="3")
    time.seconds += 20
    seat.play("a1")
    scene = seat.turn()
    assert left(scene) == [45.0, None]
    seat.post("undo", {"version": scene["version"]})
    assert left(seat.scene()) == [45.0, None]


def test_clocks_outlive_the_server_and_stand_still_meanwhile(time: Time) -> None:
    with serving() as first:
        seat = first.host("tic_tac_toe", "human", "random", clock="60")
        time.seconds += 25
        port = first.server.port
    time.seconds += 500
    with serving(port) as second:
        seat.client = second.client
        assert left(seat.scene()) == [35.0, None]
        time.seconds += 5
        assert left(seat.scene()) == [30.0, None]


def test_a_wrong_clock_is_told_in_one_line(served: Served) -> None:
    answer = served.post_table(game="tic_tac_toe", seats=["human", "random"], clock="soon")
    assert answer.status_code == 400
    assert "300+5" in answer.json()["error"]


def test_the_alarm_rings_by_itself(served: Served) -> None:
    seat = served.host("tic_tac_toe", "human", "random", clock="0.05")
    scene = seat.until(lambda scene: scene["over"])
    assert scene["seats"][0]["agent"] == STAND_IN
