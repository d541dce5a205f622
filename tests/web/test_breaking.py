"""Accidents at a table: wrong options, a restart during a search, seats that change hands."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

import sfida
from sfida.engines.registry import describe_game
from sfida.web import scenes
from sfida.web.lobby import Link
from sfida.web.session import GameSession
from support.served import Served, bound, serving

GAMES = ["carcassonne", "settlers_of_zarahemla", "risiko", "attila", "a_few_acres_of_snow"]


def wrong(option: dict[str, Any]) -> list[str]:
    """Return invalid values of an option."""
    if option["type"] == "int":
        return ["many", "1.5", "-1", "9" * 30]
    return ["nonsense", "ja,nein", "a:b"]


@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_value_of_an_option_is_told_in_a_line(served: Served, game: str) -> None:
    entry = describe_game(game)
    for option in entry["options"]:
        for value in wrong(option):
            spec = f"{game}:{option['key']}={value}"
            answer = served.post_table(game=spec, seats=["human"] * entry["players"][0])
            assert answer.status_code == 400, spec
            error = answer.json()["error"]
            assert 0 < len(error) < 400
            assert "\n" not in error
            assert option["key"] in error or "a:b" in value or "," in value, (spec, error)
    assert served.client.get("/api/home").json()["tables"] == []


def test_a_search_that_a_restart_has_cut_off_begins_again() -> None:
    with bound() as free:
        port = free.getsockname()[1]
    with serving(port) as first:
        host = first.host("tic_tac_toe", "human", "ismcts:seconds=60,endgame=0", seed="5")
        host.play("b2")
        host.until(lambda scene: scene["thinking"] is not None)
    with serving(port) as again:
        host.client = again.client
        scene = host.until(lambda scene: scene["thinking"] is not None and scene["thinking"]["iterations"])
        assert [event["text"] for event in scene["events"]] == ["b2"]
        host.post("hurry")
        assert len(host.turn()["events"]) == 2


@pytest.mark.parametrize("spec", ["level:auto", "level:3"])
def test_a_level_takes_a_seat_and_gives_it_back(served: Served, spec: str) -> None:
    table = served.table("tic_tac_toe", "human", "human", invited=[1])
    host, friend = table["host"], table["seats"][1]
    host.post("seat", {"seat": 1, "agent": spec})
    assert host.scene()["seats"][1]["agent"].startswith("level:")
    host.play("b2")
    assert len(host.turn()["events"]) == 2
    friend.post("seat", {"seat": 1, "agent": "human"})
    host.play_on(1)
    assert friend.turn()["to_move"] == 1
    host.post("seat", {"seat": 0, "agent": spec})
    friend.play_on(1)
    assert friend.turn()["to_move"] in (1, None)


def test_where_luck_is_typed_it_goes_on_with_a_level_in_the_seat(served: Served) -> None:
    host = served.host("kuhn_poker", "human", "random", typed_luck=True)
    host.play(host.scene()["decision"]["moves"][0]["text"])
    while host.scene()["to_move"] == -1:
        host.play(host.scene()["decision"]["moves"][0]["text"])
    host.post("seat", {"seat": 0, "agent": "greedy"})
    assert host.until(lambda scene: scene["over"])["trouble"] == ""


def test_two_pages_of_one_link_cannot_play_twice(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "human")
    seen = host.scene()["version"]
    host.post("play", {"version": seen, "move": "b2"})
    assert "moved on" in host.post("play", {"version": seen, "move": "b2"}, 409)["error"]
    assert len(host.scene()["events"]) == 1


def test_a_move_while_a_scene_is_made_does_not_part_the_viewer_from_the_turn(
        served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    host = served.host("kuhn_poker", "human", "human", seed="1")
    plain = scenes.viewer_of

    def amid_a_move(session: GameSession, link: Link) -> int | None:
        viewer = plain(session, link)
        monkeypatch.setattr(scenes, "viewer_of", plain)
        mover = threading.Thread(target=session.play, args=((0, 1), session.version, "1"))
        mover.start()
        mover.join(0.3)
        return viewer

    monkeypatch.setattr(scenes, "viewer_of", amid_a_move)
    scene = host.scene()
    assert scene["viewer"] == scene["to_move"]
    assert scene["decision"] is not None
    host.until(lambda scene: scene["to_move"] == 1)


def damaged() -> list[str]:
    """Return damaged records."""
    whole = sfida.play("tic_tac_toe", ["random", "random"], seed=3).to_json()
    found = []
    for key in whole:
        for value in (None, 2**70, "x" * 300, [[None]], {"a": {}}):
            found.append(json.dumps({**whole, key: value}))
        found.append(json.dumps({name: value for name, value in whole.items() if name != key}))
    text = json.dumps(whole)
    return [*found, *(text[:length] for length in range(1, len(text), 80)), "[" * 5000, "\ud800", "\0"]


def test_a_damaged_record_is_a_table_or_a_line(served: Served) -> None:
    served.lobby.most = 1000
    refused = 0
    for text in damaged():
        answer = served.client.post("/api/tables", content=json.dumps({"record": text}),
                                    headers={"content-type": "application/json"})
        assert answer.status_code in (200, 400), (answer.text, text)
        if answer.status_code == 400:
            refused += 1
            error = answer.json()["error"]
            assert 0 < len(error) < 500
            assert "\n" not in error
    assert refused > 30
