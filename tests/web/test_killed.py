"""A killed server continues when it is started again: tables, links, host."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sfida.engines.files import state_folder
from support.served import Seat, bound, serving


@contextmanager
def program(port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `sfida serve`; yield it and the address that it prints."""
    run = subprocess.Popen([sys.executable, "-m", "sfida", "serve", "--port", str(port), "--no-browser"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ))
    try:
        assert run.stdout is not None
        line = run.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + run.stdout.read()
        yield run, found[0]
    finally:
        run.kill()
        run.wait()
        assert run.stdout is not None
        run.stdout.close()


def test_a_killed_server_goes_on() -> None:
    with bound() as free:
        port = free.getsockname()[1]
    with program(port) as (run, address), httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False,
                                                       timeout=60, transport=httpx.HTTPTransport(retries=8)) as client:
        assert client.get(address).status_code == 303
        links = client.post("/api/tables", json={"game": "carcassonne:players=3", "seats": ["human", "human", "greedy"],
                                                 "invited": [1], "seed": "3"}).json()
        over = client.post("/api/tables", json={"game": "tic_tac_toe", "seats": ["human", "random"]}).json()
        Seat(client, over["play"]).play_on()
        host, friend = Seat(client, links["play"]), Seat(client, links["seats"][1]["link"])
        for _ in range(4):
            for seat in (host, friend):
                while seat.scene()["decision"] is not None:
                    seat.play_on(1)
        before = [seat.until(lambda scene: scene["thinking"] is None) for seat in (host, friend)]
        run.send_signal(signal.SIGKILL)
        run.wait()
    with program(port) as (_, again), httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False,
                                                   cookies=client.cookies, timeout=60,
                                                   transport=httpx.HTTPTransport(retries=8)) as client:
        assert again == address
        assert client.get("/api/home").status_code == 200
        host, friend = Seat(client, links["play"]), Seat(client, links["seats"][1]["link"])
        for seat, scene in zip((host, friend), before, strict=True):
            now = seat.scene()
            assert now["version"] != scene["version"]
            for key in ("events", "board", "to_move", "decision", "mine", "viewer", "result"):
                assert now[key] == scene[key], key
            seat.post("play", {"version": scene["version"], "move": "1"}, 409)
        assert Seat(client, over["play"]).scene()["over"]
        mover = host if host.scene()["decision"] else friend
        mover.play_on(1)


@pytest.mark.skipif(os.name != "posix", reason="only these systems have modes of files")
def test_links_are_kept_where_only_their_owner_reads_them() -> None:
    with serving() as served:
        served.host("tic_tac_toe", "human", "human")
        (file,) = (state_folder() / "web").glob("links-*.json")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        served.host("tic_tac_toe", "human", "human")
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"schema":1}', '{"schema":1,"key":"","tables":[]}',
                                  '{"schema":1,"key":"k","tables":[{}]}', '{"schema":2,"key":"k","tables":[]}',
                                  '{"schema":1,"key":"k","tables":[{"id":"a","files":[],"invited":[],"links":[]}]}'])
def test_damaged_links_are_replaced(text: str) -> None:
    with bound() as free:
        port = free.getsockname()[1]
    folder = state_folder() / "web"
    folder.mkdir(parents=True)
    (folder / f"links-{port}.json").write_text(text)
    with serving(port) as served:
        assert served.client.get("/api/home").json()["tables"] == []
        served.host("tic_tac_toe", "human", "human")


def test_a_table_whose_game_went_on_elsewhere_is_gone() -> None:
    with serving() as served:
        host = served.host("tic_tac_toe", "human", "human")
        host.play("b2")
        port = served.server.port
    for save in (state_folder() / "saves").glob("*.jsonl"):
        save.unlink()
    with serving(port) as served:
        assert served.client.get("/api/home").json()["tables"] == []
        assert served.client.get(f"{host.base}/scene").status_code == 404


def test_what_played_itself_is_no_decision_after_a_restart_either() -> None:
    """The first tile of seed 3 fits in one place."""
    with serving() as served:
        port, host = served.server.port, served.host("carcassonne", "human", "random", seed="3")
        assert [event.get("forced") for event in host.turn()["events"]] == [None, True]
    with serving(port) as served:
        host = Seat(served.client, host.address)
        scene = host.turn()
        assert [event.get("forced") for event in scene["events"]] == [None, True]
        assert not scene["can"]["undo"]
        host.play_on(1)
        host.turn()
    with serving(port) as served:
        host = Seat(served.client, host.address)
        host.post("undo", {"version": host.turn()["version"]})
        assert len(host.scene()["events"]) == 2


def test_the_terminal_offers_what_the_browser_left(tmp_path: Path) -> None:
    from sfida.ai import archive

    with serving() as served:
        host = served.host("tic_tac_toe", "human", "greedy")
        host.play("b2")
        host.turn()
        assert list(archive.unfinished("tic_tac_toe")) == []          # it is in play here
    archive._held.clear()                                             # as in another process
    ((_, record),) = archive.unfinished("tic_tac_toe")
    assert record.seats == ("human", "greedy")
    assert len(record.moves) == 2


def test_a_game_is_at_a_table_or_at_a_terminal_but_not_at_both() -> None:
    from click.testing import CliRunner

    from sfida.ai.archive import Autosave, InUse
    from sfida.cli.main import main
    from sfida.engines.records import read_record

    refused = "this game is open in another terminal, or in the browser; leave it there first"
    with serving(tables=1) as served:
        port, host = served.server.port, served.host("tic_tac_toe", "human", "human")
        host.play("b2")
        (save,) = (state_folder() / "saves").glob("*.jsonl")
        kept = save.read_text()
        for _ in range(2):
            told = CliRunner().invoke(main, ["play", str(save)], input="a1\nquit\n")
            assert (told.exit_code, told.stderr) == (1, f"error: {refused}\n")
            assert save.read_text() == kept
            served.host("tic_tac_toe", "human", "human")        # the first table sleeps
        host.play("a1")
        other = served.host("", record=kept)
        assert len(other.turn()["events"]) == 1, "what was sent in continues by itself"
        other.post("resign", {"version": other.scene()["version"]})
    at_terminal = Autosave.resume(read_record(save), save)
    with serving(port) as served:
        host = Seat(served.client, host.address)
        assert host.get("scene", 409)["error"] == refused
        with pytest.raises(InUse):
            Autosave.resume(read_record(save), save)
        at_terminal.close()
        assert len(host.scene()["events"]) == 2
    told = CliRunner().invoke(main, ["play", str(save)], input="b1\nb3\na2\nc2\na3\nc1\nc3\n")
    assert told.exit_code == 0, told.output
    with serving(port) as served:
        assert served.client.get(f"{host.base}/scene").status_code == 404
