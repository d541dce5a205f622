"""The event streams of pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx

from support.served import Seat, Served


def told(stream: httpx.Response) -> Iterator[tuple[str, Any]]:
    """Yield the events of a stream."""
    name = ""
    for line in stream.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def listening(seat: Seat) -> Any:
    return seat.client.stream("GET", f"{seat.base}/stream")


def test_everybody_is_told_of_a_move(served: Served) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1])
    host, friend, watch = table["host"], table["seats"][1], table["watch"]
    with listening(friend) as one, listening(watch) as other:
        assert one.headers["content-type"].startswith("text/event-stream")
        events, others = told(one), told(other)
        assert next(events)[0] == next(others)[0] == "changed"
        host.play("b2")
        version = host.scene()["version"]
        for each in (events, others):
            while (found := next(each)) != ("changed", {"version": version}):
                assert found[0] == "changed"


def test_everybody_is_told_that_aids_were_switched(served: Served) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="3")
    table["host"].turn()
    with listening(table["seats"][1]) as stream:
        events = told(stream)
        while (now := next(events)) != ("changed", {"version": table["host"].scene()["version"]}):
            pass
        table["host"].post("aids", {"kind": "gaps", "on": False})
        assert next(events) == now          # again, for the same version


def test_thoughts_are_told_and_their_share_where_nothing_is_hidden(served: Served) -> None:
    for game, shows in (("tic_tac_toe", True), ("phantom_tic_tac_toe", False)):
        host = served.host(game, "human", "ismcts:seconds=1.2,endgame=0", seed="1")
        with listening(host) as stream:
            host.play("b2")
            thoughts = (data for name, data in told(stream) if name == "thinking")
            while not (thought := next(thoughts))["iterations"]:
                pass
        assert thought["seat"] == 1
        assert ("share" in thought) is shows
        scene = host.until(lambda scene: scene["thinking"] is None)
        assert (scene["shares"] is not None) is shows


def test_presence_is_told(served: Served) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1])
    host, friend = table["host"], table["seats"][1]
    with listening(host) as stream:
        events = told(stream)
        next(events)
        with listening(friend) as other:
            mine = told(other)
            next(mine)
            assert next(events)[0] == "changed"
            assert host.scene()["seats"][1]["present"]
        host.until(lambda scene: not scene["seats"][1]["present"])
    host.until(lambda scene: not scene["seats"][0]["present"])


def test_pages_that_leave_are_forgotten(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    for _ in range(20):
        with listening(host) as stream:
            lines = stream.iter_lines()
            next(lines)
    host.until(lambda scene: not scene["seats"][0]["present"])
    host.play("b2")
