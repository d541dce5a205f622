"""Games that cannot be kept, and links of games that were finished long ago."""

from __future__ import annotations

import pytest

from sfida.cython_ext.errors import InvalidRecord
from support.served import Served


def test_a_game_that_cannot_be_kept_goes_on_and_says_so(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise InvalidRecord("saves: cannot be written: the disk is full")

    host = served.host("tic_tac_toe", "human", "greedy")
    with monkeypatch.context() as full:
        full.setattr("sfida.ai.archive.write_records", fail)
        host.play("b2")
        assert "the disk is full" in host.turn()["trouble"]
    host.play_on(1)
    assert host.turn()["trouble"] == ""


def test_links_of_the_oldest_finished_tables_are_given_up(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = [served.host("tic_tac_toe", "random", "random", seed=str(n)) for n in range(4)]
    for host in hosts:
        host.until(lambda scene: scene["over"])
    monkeypatch.setattr("sfida.web.lobby._LOOKED_BACK_AT", 2)
    served.host("tic_tac_toe", "human", "random")
    assert [host.client.get(f"{host.base}/scene").status_code for host in hosts] == [404, 404, 200, 200]


def test_a_finished_table_is_woken_by_its_link(served: Served) -> None:
    host = served.host("tic_tac_toe", "human", "random", seed="2")
    end = host.play_on()
    with served.lobby._lock:
        served.lobby._sleep(next(iter(served.lobby._sessions)))
    again = host.scene()
    for key in ("over", "board"):
        assert again[key] == end[key]
    assert again["result"]["utilities"] == end["result"]["utilities"]
    assert again["seats"][0]["agent"] == "human"
    assert len(host.get("log")["events"]) >= len(end["events"])
