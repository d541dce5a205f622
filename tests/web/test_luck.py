"""The luck of a table over HTTP: guests' parts in its seed, what stays sealed, and charts of what was drawn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sfida.ai.luck.commitment import promise_of
from support.served import Seat, Served

ONE, TWO = "1" * 64, "2" * 64


def shared(served: Served, game: str = "leduc_poker") -> tuple[Seat, Seat, Seat]:
    """Open a table of the host and an invited guest; return their seats and a spectator's."""
    table = served.table(game, "human", "human", invited=[1])
    return table["host"], table["seats"][1], table["watch"]


def drawn(seat: Seat) -> dict[str, float]:
    """Return the number of draws in each chart that a seat is shown."""
    return {chart["title"]: sum(bar["seen"] for bar in chart["bars"]) for chart in seat.get("luck")["charts"]}


def finished(*seats: Seat) -> Any:
    """Play a game to its end with the last of the legal moves; a move without a choice plays itself."""
    while not (scene := seats[0].scene())["over"]:
        seat, version = seats[max(0, scene["to_move"])], scene["version"]
        turn = seat.until(lambda now, version=version: now["decision"] or now["version"] != version)
        if turn["decision"]:
            seat.play(turn["decision"]["moves"][-1]["text"])
    return scene


def test_a_guest_is_asked_for_a_promise_and_then_for_its_bytes(served: Served) -> None:
    host, guest, watch = shared(served)
    assert (host.scene()["luck"]["stage"], host.scene()["luck"]["awaited"]) == ("promises", [1])
    assert host.scene()["luck"]["mine"] is None
    assert guest.scene()["luck"]["mine"] == 1
    for stranger in (host, watch):
        stranger.post("contribute", {"promise": promise_of(ONE)}, 403)
    assert "64 hex digits" in guest.post("contribute", {"promise": "abc"}, 400)["error"]
    guest.post("contribute", {"given": ONE}, 400)                       # before the promises are closed
    guest.post("contribute", {"promise": promise_of(ONE)})
    assert host.scene()["luck"]["stage"] == "bytes"
    assert "another browser" in guest.post("contribute", {"promise": promise_of(TWO)}, 400)["error"]
    assert "not the bytes" in guest.post("contribute", {"given": TWO}, 400)["error"]
    assert host.scene()["events"] == []
    host.play("call", 409)                                              # the game has not begun
    guest.post("contribute", {"given": ONE})
    scene = host.scene()
    assert (scene["luck"]["stage"], scene["luck"]["awaited"]) == ("", [])
    assert scene["decision"]
    guest.post("contribute", {"given": ONE}, 409)


def test_only_the_host_begins_without_a_guest(served: Served) -> None:
    host, guest, watch = shared(served)
    for stranger in (guest, watch):
        stranger.post("begin", {}, 403)
    host.post("begin")
    assert host.scene()["decision"]
    assert host.scene()["luck"]["contributions"] == []
    host.post("begin", {}, 409)
    guest.post("contribute", {"promise": promise_of(ONE)}, 409)


def test_seed_and_salt_stay_sealed_until_the_end(served: Served) -> None:
    host, guest, watch = shared(served)
    guest.post("contribute", {"promise": promise_of(ONE)})
    guest.post("contribute", {"given": ONE})
    _link, session = served.lobby.enter(host.address.rsplit("/", 1)[1])
    commitment, seed = session.table.commitment, session.table.seed
    assert commitment is not None
    secrets = [str(commitment.seed), str(seed), commitment.salt]
    for seat in (host, guest, watch):
        for path in ("scene", "log", "luck", "stock"):
            assert not any(secret in json.dumps(seat.get(path)) for secret in secrets), path
    assert finished(host, guest)["luck"]["seed"] == secrets[0]
    for seat in (host, guest, watch):
        luck = seat.scene()["luck"]
        assert [luck["seed"], luck["game_seed"], luck["salt"]] == secrets
        assert luck["contributions"][0]["given"] == ONE


@pytest.mark.parametrize("game", ["leduc_poker", "a_few_acres_of_snow:max_turns=4"])
def test_everybody_is_charted_what_they_saw_and_everything_after_the_end(served: Served, game: str) -> None:
    host, guest, watch = shared(served, game)
    host.post("begin")
    host.until(lambda scene: scene["to_move"] >= 0)
    own = [sum(drawn(seat).values()) for seat in (host, guest)]
    assert min(own) > 0
    assert drawn(watch) == {}
    finished(host, guest)
    everything = drawn(host)
    record = json.loads(host.get("record"))
    assert sum(everything.values()) >= len(record["chance"]) - 1        # the draw of the first seat is not charted
    assert drawn(guest) == drawn(watch) == everything
