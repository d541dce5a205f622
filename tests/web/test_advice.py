"""Advice, reference pages, and looking back."""

from __future__ import annotations

import time

import pytest

from support.served import Served


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfida.ai.advice.HINT_AGENT", "ismcts:iterations=200")


def test_a_hint_names_moves_of_the_list(served: Served) -> None:
    table = served.table("carcassonne", "human", "human", invited=[1], seed="3")
    host = table["host"]
    if host.scene()["decision"] is None:
        host = table["seats"][1]
    scene = host.turn()
    moves = {move["label"]: move for move in scene["decision"]["moves"]}
    advice = host.post("hint")
    for said in (advice["best"], *advice["others"]):
        assert (said["text"], said["words"]) == (moves[said["label"]]["text"], moves[said["label"]]["words"])
        assert said["parts"] == moves[said["label"]]["path"]
    assert 0.0 <= advice["win"] <= 1.0
    assert advice["line"][0]["move"] == advice["best"]["text"]
    other = next(seat for seat in (table["host"], table["seats"][1]) if seat is not host)
    other.post("hint", status=403)
    table["watch"].post("hint", status=403)


def test_a_hint_says_nothing_of_a_move_that_was_not_tried(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfida.ai.advice.HINT_AGENT", "ismcts:iterations=1")
    advice = served.host("carcassonne", "human", "random", seed="3").post("hint")
    assert 0.0 <= advice["best"]["win"] <= 1.0
    assert advice["others"]
    assert all((said["win"], said["visits"]) == (None, 0) for said in advice["others"])


def test_why_speaks_against_a_move(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "greedy", seed="1")
    lines = host.post("why", {"move": "a2"})["lines"]
    assert any("a2" in line for line in lines)
    host.post("why", {"move": "z9"}, 400)
    host.post("why", {}, 400)                       # nobody has moved yet
    host.play("b2")
    host.turn()
    assert host.post("why", {"move": ""})["lines"]


def test_why_of_an_agent_keeps_its_secret(served: Served) -> None:
    host = served.host("leduc_poker", "human", "greedy", seed="2")
    host.play_on(1)
    if not host.turn()["over"]:
        lines = host.post("why")["lines"]
        assert "not with the true ones" in lines[0]


def test_things_are_looked_up(served: Served) -> None:
    host = served.host("risiko:players=3,round_limit=1", "human", "random", "random", seed="3")
    host.turn()
    log = host.get("log")["events"]
    assert len(log) > 40                            # the deal, too
    assert host.get("cards")["text"]
    assert host.get("stock")["text"]
    assert host.get("help")["text"]
    chapters = host.get("rule")["lines"]
    assert len(chapters) > 5
    assert host.get("rule?find=army")["lines"]
    host.get("rule?find=99.99", 400)


def test_a_finished_game_is_reviewed_and_its_luck_told(served: Served) -> None:
    host = served.host("kuhn_poker", "human", "random", seed="3")
    host.get("board?ply=1", 400)
    host.play_on()
    end = time.monotonic() + 60
    while not (found := host.get("lookback"))["ready"]:
        assert 0 <= found["share"] <= 1
        assert time.monotonic() < end
        time.sleep(0.05)
    page = host.get("review")
    assert "<html" in page
    assert "Accuracy" in page
    policy = host.client.get(f"{host.base}/review").headers["content-security-policy"]
    assert "sandbox" in policy
    assert "script-src" not in policy
    told = host.until(lambda scene: scene["result"]["luck"])["result"]["luck"]
    assert told[0].startswith("seat 0, luck: ")
    assert told[1].startswith("seat 0, worst turn: ")
