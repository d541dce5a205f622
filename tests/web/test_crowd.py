"""Many tables at once, and one table too many."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from sfida.engines.files import state_folder
from support.served import Seat, Served, serving


def listen(seat: Seat) -> object:
    """Open the stream of a page and keep it open."""
    stream = seat.client.stream("GET", f"{seat.base}/stream")
    next(stream.__enter__().iter_lines())
    return stream


def test_twenty_tables_are_played_at_once_and_one_more_waits() -> None:
    with serving(workers=2) as served:
        hosts = [served.host("tic_tac_toe", "human", "ismcts:iterations=200", seed=str(n)) for n in range(20)]
        for host in hosts:                          # a page is open at each table
            served.lobby.enter(host.address.rsplit("/", 1)[1])[1]._listeners[host] = lambda: None
        answer = served.post_table(game="tic_tac_toe", seats=["human", "random"])
        assert answer.status_code == 503
        assert "wait" in answer.json()["error"]
        with ThreadPoolExecutor(10) as people:
            ends = list(people.map(lambda host: host.play_on(), hosts))
        assert all(end["over"] for end in ends)
        assert not any(end["trouble"] for end in ends)
        assert served.post_table(game="tic_tac_toe", seats=["human", "random"]).status_code == 200


def test_a_table_that_thinks_long_does_not_hold_up_the_others() -> None:
    with serving(workers=1) as served:
        slow = [served.host("tic_tac_toe", "human", "ismcts:seconds=0.3,endgame=0", seed=str(n)) for n in range(3)]
        for host in slow:
            host.play("b2")
        quick = served.host("tic_tac_toe", "human", "greedy")
        started = time.monotonic()
        quick.play("b2")
        quick.turn()
        assert time.monotonic() - started < 6       # at most one decision of each of the others
        for host in slow:
            assert len(host.turn()["events"]) == 2


def test_tables_that_nobody_looks_at_sleep_and_wake(served: Served) -> None:
    served.lobby.most = 3
    hosts = [served.host("tic_tac_toe", "human", "human") for _ in range(3)]
    for number, host in enumerate(hosts):
        host.play(("a1", "b2", "c3")[number])
    more = [served.host("tic_tac_toe", "human", "human") for _ in range(3)]
    home = served.client.get("/api/home").json()
    assert len(home["tables"]) == 6
    assert home["kept"] == []
    for number, host in enumerate(hosts):
        (event,) = host.scene()["events"]
        assert event["text"] == ("a1", "b2", "c3")[number]
        host.play("a2")
    assert more[0].scene()["events"] == []


def test_more_than_the_kept_saves_of_a_game_are_in_play(served: Served) -> None:
    served.lobby.most = 30
    hosts = [served.host("tic_tac_toe", "human", "human") for _ in range(25)]
    for host in hosts:
        host.play("b2")
    assert len(list((state_folder() / "saves").glob("*.jsonl"))) == 25
    for host in hosts:
        assert len(host.scene()["events"]) == 1
