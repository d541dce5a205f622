"""Aids of a table: the host switches their kinds for everybody, and for good."""

from __future__ import annotations

from typing import Any

from support.served import Seat, Served, serving


def kinds(scene: Any) -> dict[str, bool]:
    return {each["kind"]: each["on"] for each in scene["aids"]["kinds"]}


def test_the_host_switches_a_kind_off_for_everybody(served: Served) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="3")
    host, friend, watch = table["host"], table["seats"][1], table["watch"]
    host.turn()
    for seat in (host, friend, watch):
        scene = seat.scene()
        assert set(kinds(scene).values()) == {True}
        assert {"fits", "owners"} <= {aid["kind"] for aid in scene["aids"]["told"]}
    version = host.scene()["version"]
    assert host.post("aids", {"kind": "fits", "on": False}) == {"version": version}     # nobody's choice is lost
    for seat in (host, friend, watch):
        scene = seat.scene()
        assert [kind for kind, on in kinds(scene).items() if not on] == ["fits"]
        assert "fits" not in {aid["kind"] for aid in scene["aids"]["told"]}
        assert "owners" in {aid["kind"] for aid in scene["aids"]["told"]}
    host.post("aids", {"kind": "fits", "on": True})
    assert "fits" in {aid["kind"] for aid in friend.scene()["aids"]["told"]}


def test_nobody_else_switches_and_what_is_wrong_is_said(served: Served) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="3")
    for seat in (table["seats"][1], table["watch"]):
        assert "only the host" in seat.post("aids", {"kind": "fits", "on": False}, 403)["error"]
    assert "'moods'" in table["host"].post("aids", {"kind": "moods", "on": False}, 400)["error"]
    assert "'on'" in table["host"].post("aids", {"kind": "fits"}, 400)["error"]
    assert set(kinds(table["host"].scene()).values()) == {True}
    none = served.host("tic_tac_toe", "human", "random")
    assert none.scene()["aids"] == {"kinds": [], "told": []}
    assert "'fits'" in none.post("aids", {"kind": "fits", "on": False}, 400)["error"]


def test_switches_outlive_the_server() -> None:
    with serving() as served:
        host = served.host("carcassonne", "human", "greedy", seed="3")
        host.post("aids", {"kind": "owners", "on": False})
        host.post("aids", {"kind": "gaps", "on": False})
        host.post("aids", {"kind": "gaps", "on": True})
        address, port = host.address, served.server.port
    with serving(port) as served:
        assert [kind for kind, on in kinds(Seat(served.client, address).scene()).items() if not on] == ["owners"]
