"""Reviews of finished games, and practice: what they are sent, to whom, and what stays hidden."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sfida.ai.archive import keep_game
from sfida.ai.review.practice import SOLVED, Deck, deck_file
from sfida.ai.review.reviewing import Reviewing, kept_review, review_cache
from sfida.cython_ext.errors import InvalidRecord
from sfida.web import lookback
from support.practising import FORKED, LOST
from support.served import Seat, Served, plays


def until(ask: Callable[[], Any], ready: Callable[[Any], object]) -> Any:
    """Ask until an answer is ready, and return it."""
    end = time.monotonic() + 60
    while not ready(answer := ask()):
        assert time.monotonic() < end, answer
        time.sleep(0.05)
    return answer


def reviewed(seat: Seat, query: str = "") -> Any:
    return until(lambda: seat.get(f"lookback{query}"), lambda answer: answer["ready"])


def lost(served: Served) -> dict[str, Any]:
    """Return the table of a game of tic-tac-toe with a known mistake, played by two people at one screen."""
    table = served.table("tic_tac_toe", "human", "human", seed="1")
    table["host"].play_on(choose=plays(LOST.moves))
    return table


def examined(served: Served) -> Any:
    """Let the host's games be examined, and return what practice then offers."""
    served.client.post("/api/practice", json={}).raise_for_status()
    return until(lambda: served.client.get("/api/practice").json(),
                 lambda found: not found["examining"] and not found["unexamined"])


def asked(served: Served, path: str, **body: Any) -> Any:
    answer = served.client.post(f"/api/practice/{path}", json={"counts": True, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_review_names_the_mistake_with_both_boards(served: Served) -> None:
    table = lost(served)
    host = table["host"]
    found = reviewed(host)
    assert found["mine"] == [0, 1]
    assert len(found["curve"]) == len(found["events"]) + 1 == len(LOST.moves) + 1
    assert found["curve"][-1] == [1.0, 0.0]
    assert [ply for ply, event in enumerate(found["events"]) if event.get("mistake")] == [1]
    assert found["most"] == 1
    assert found["events"][1]["better"] == "b2"
    assert [seat["mistakes"] for seat in found["seats"]] == [0, 1]
    turn = host.get("turn?ply=1")
    assert turn["played"]["words"] == "a2"
    assert turn["better"]["words"] == "b2"
    assert turn["played"]["board"] != turn["better"]["board"]
    assert "50.0 %" in turn["loss"]
    host.get("turn?ply=99", 404)
    host.get("turn", 400)
    assert reviewed(table["watch"])["events"] == found["events"]       # a game that is over has no secrets


def test_a_game_is_examined_once_and_told_in_every_language(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    host, runs, run = lost(served)["host"], [], Reviewing.run
    monkeypatch.setattr(Reviewing, "run", lambda self: runs.append(self) or run(self))
    english, italian = reviewed(host), reviewed(host, "?lang=it")
    assert english["turns"][0]["when"] == "move 2 of 7"
    assert italian["turns"][0]["when"] == "mossa 2 di 7"
    assert italian["curve"] == english["curve"]
    assert 'lang="it"' in host.get("review?lang=it")
    assert len(runs) == 1
    assert list(review_cache().folder.iterdir())


def test_the_review_waits_until_the_game_is_examined(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def slowly(*args: Any, on_progress: Callable[[str, int, int, str], object], **more: Any) -> Any:
        on_progress("judged", 1, 2, "decisions")
        assert go_on.wait(60)
        return kept_review(*args, on_progress=on_progress, **more)

    monkeypatch.setattr(lookback, "kept_review", slowly)
    host = lost(served)["host"]
    found = until(lambda: host.get("lookback"), lambda found: found["share"])
    assert (found["ready"], found["share"]) == (False, 0.625)
    host.get("review", 409)
    host.get("turn?ply=1", 409)
    go_on.set()
    assert reviewed(host)["most"] == 1


def test_a_review_that_fails_says_so_in_one_line(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_args: Any, **_more: Any) -> None:
        raise InvalidRecord("the record is torn")

    monkeypatch.setattr(lookback, "kept_review", failing)
    host = lost(served)["host"]
    until(lambda: host.client.get(f"{host.base}/lookback"), lambda answer: answer.status_code == 400)
    assert host.get("review", 400)["error"] == "the review failed: the record is torn"


def test_a_resigned_game_ends_with_its_result(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "greedy", seed="1")
    host.play("a1")
    version = host.turn()["version"]
    host.post("resign", {"version": version})
    found = reviewed(host)
    assert len(found["curve"]) == len(found["events"]) + 2
    assert found["curve"][-1] == [0.0, 1.0]


def test_no_review_before_the_end(served: Served) -> None:
    host = served.host("kuhn_poker", "human", "random", seed="3")
    for name in ("review", "lookback", "turn?ply=1"):
        host.get(name, 400)


def test_practice_is_for_the_host_alone(served: Served) -> None:
    guest = served.guest()
    for path in ("", "/position?key=x"):
        assert guest.get(f"/api/practice{path}").status_code == 403
    for path in ("", "/judge", "/solution"):
        assert guest.post(f"/api/practice{path}", json={"key": "x", "counts": True}).status_code == 403
    assert guest.get("/practice").status_code == 403
    assert served.client.get("/practice").status_code == 200


def test_mistakes_of_examined_games_are_asked_until_they_are_solved(served: Served) -> None:
    keep_game(LOST)
    assert served.client.get("/api/practice").json()["unexamined"] == 1
    found = examined(served)
    assert [(group["game"], len(group["due"])) for group in found["groups"]] == [("Tic-tac-toe", 1)]
    [key] = found["groups"][0]["due"]
    text = served.client.get(f"/api/practice/position?key={key}").text
    position = served.client.get(f"/api/practice/position?key={key}").json()
    assert position["viewer"] == 1
    assert [move["text"] for move in position["decision"]["moves"]].count("b2") == 1
    assert '"best"' not in text
    assert '"loss"' not in text

    wrong = asked(served, "judge", key=key, move="a2")
    assert not wrong["right"]
    assert "b2" not in str(wrong)                       # the solution stays hidden
    assert asked(served, "judge", key=key, move="b2", counts=False) == {
        "right": True, "head": "Right:", "words": "no better move than b2 was found.", "move": "b2", "back": ""}
    assert [card.place.box for card in Deck.read(deck_file()).cards.values()] == [0]
    right = asked(served, "judge", key=key, move="b2")
    assert right["back"] == "It comes back tomorrow (box 2 of 5)."
    after = served.client.get("/api/practice").json()
    assert (after["groups"][0]["due"], after["groups"][0]["waiting"], after["next"]) == ([], 1, "tomorrow")


def test_the_solution_is_marked_and_counts_as_a_wrong_answer(served: Served) -> None:
    keep_game(FORKED)
    [key] = examined(served)["groups"][0]["due"]
    with Deck.changing(deck_file()) as deck:
        card = deck.cards[key]
        deck.cards[key] = replace(card, place=replace(card.place, box=2))
    told = asked(served, "solution", key=key)
    assert told["lines"][0][1].startswith("a3; it cost")
    assert told["lines"][1][0] == "better"
    moves = served.client.get(f"/api/practice/position?key={key}").json()["decision"]["moves"]
    assert told["parts"] == next(move["path"] for move in moves if move["text"] == told["lines"][1][1])
    assert Deck.read(deck_file()).cards[key].place.box == 0
    assert asked(served, "solution", key=key, counts=False)["back"] == ""


@pytest.mark.parametrize(("path", "body", "status"), [
    ("judge", {"key": "none", "move": "a1"}, 404), ("solution", {"key": "none"}, 404), ("judge", {"move": "a1"}, 400)])
def test_bad_questions_are_refused_in_one_line(served: Served, path: str, body: dict[str, Any], status: int) -> None:
    answer = served.client.post(f"/api/practice/{path}", json={"counts": True, **body})
    assert answer.status_code == status
    assert "\n" not in answer.json()["error"]


def test_illegal_answer_is_refused_and_counts_not(served: Served) -> None:
    keep_game(LOST)
    [key] = examined(served)["groups"][0]["due"]
    before = deck_file().read_bytes()
    assert served.client.post("/api/practice/judge", json={"key": key, "move": "a1", "counts": True}).status_code == 400
    assert deck_file().read_bytes() == before


def test_solved_positions_are_not_asked(served: Served) -> None:
    keep_game(LOST)
    [key] = examined(served)["groups"][0]["due"]
    with Deck.changing(deck_file()) as deck:
        deck.cards[key] = replace(deck.cards[key], place=replace(deck.cards[key].place, box=SOLVED))
    [group] = served.client.get("/api/practice").json()["groups"]
    assert (group["due"], group["solved"]) == ([], 1)


def test_a_game_reviewed_at_its_table_is_not_examined_again(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "random", seed="1")
    host.play_on()
    assert served.client.get("/api/practice").json()["unexamined"] == 1
    reviewed(host)
    assert served.client.get("/api/practice").json()["unexamined"] == 0
