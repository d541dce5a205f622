"""Programs that listen on a port: seated, misbehaving, and an engine that serves them."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sfida
from sfida.ai.agent import AgentFailure
from sfida.ai.external import checking, protocol, server
from sfida.ai.external.agents import SocketAgent
from sfida.ai.external.server import NOBODY, peer_user, place_of
from sfida.ai.registry import foreign_code
from sfida.engines.registry import make

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs streams that can be waited for")

START = make("tic_tac_toe").view(0)
LIMIT = 20.0


@contextmanager
def engine(agent: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """An engine that listens, and its port."""
    process = subprocess.Popen([sys.executable, "-m", "sfida", "engine", "--agent", agent, "--listen", "0", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        told = json.loads(process.stdout.readline())
        assert (told["type"], told["agent"]) == ("listening", agent)
        yield process, told["port"]
    finally:
        process.send_signal(signal.SIGINT)
        said, complaints = process.communicate(timeout=LIMIT)
    assert (said, complaints, process.returncode) == ("", "", 0)


@contextmanager
def guest(talk: Callable[[socket.socket], object]) -> Iterator[SocketAgent]:
    """Yield an agent of a listener in this process, which calls `talk` on each connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    talk(connection)

        threading.Thread(target=serve, daemon=True).start()
        agent = sfida.agent(f"socket:{listener.getsockname()[1]}")
        assert isinstance(agent, SocketAgent)
        agent.limit = agent.start_limit = LIMIT
        try:
            yield agent
        finally:
            agent.close()
            listener.shutdown(socket.SHUT_RDWR)


def test_an_engine_at_a_port_plays_as_the_same_agent_does_here() -> None:
    with engine("ismcts:iterations=30") as (_, port):
        seat = f"socket:{port}"
        record = sfida.play("leduc_poker", [seat, seat], seed=3)
        assert record.seats == (seat, seat)
        assert record.moves == sfida.play("leduc_poker", ["ismcts:iterations=30"] * 2, seed=3).moves
        agent = sfida.agent(seat)
        agent.new_game()
        twin = pickle.loads(pickle.dumps(agent))
        assert twin.choose(START) == agent.choose(START)
        twin.close()
        agent.close()


def test_an_engine_at_a_port_passes_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "CHECKS", tuple(one for one in checking.CHECKS if one.name not in checking.BOARDS))
    with engine("random") as (_, port):
        found = list(checking.check_program(f"socket:{port}", LIMIT))
    assert [(one.check.name, one.note) for one in found if not one.passed] == []
    assert len(found) == len(checking.CHECKS) > 10


def test_the_port_ends_what_does_not_begin_with_hello() -> None:
    """A page in a browser, which first sends the head of its request, is therefore disconnected."""
    with engine("random") as (_, port):
        for first in ("POST / HTTP/1.1\r\n", '{"type":"new_game","game":"tic_tac_toe"}\n',
                      '{"type":"hello","protocol":2}\n'):
            with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as connection:
                connection.sendall(first.encode() + protocol.hello() * 2)
                stream = connection.makefile("rb")
                assert json.loads(stream.readline())["type"] == "error"
                with contextlib.suppress(ConnectionResetError):     # unread data are discarded
                    assert stream.read() == b""


def test_the_end_of_an_engine_ends_its_connections() -> None:
    with engine("random") as (process, port):
        agent = sfida.agent(f"socket:{port}")
        agent.choose(START)
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT)
        with pytest.raises(AgentFailure, match=f"agent 'socket:{port}' closed the connection"):
            agent.choose(START)
        with pytest.raises(AgentFailure, match="cannot be reached: Connection refused") as caught:
            agent.new_game()
        assert caught.value.kind == "died"


def test_the_end_of_a_connection_is_a_death_and_the_next_game_connects_anew() -> None:
    talks = []

    def once(connection: socket.socket) -> None:
        talks.append(connection.recv(1 << 16))
        connection.sendall(b'{"type":"ready"}\n')
        if len(talks) > 1:
            connection.recv(1 << 16)
            connection.sendall(b'{"type":"move","id":2,"move":"a1"}\n')

    with guest(once) as agent:
        with pytest.raises(AgentFailure, match="closed the connection") as caught:
            agent.choose(START)
        assert caught.value.kind == "died"
        agent.new_game()
        assert START.format(agent.choose(START)) == "a1"
    assert len(talks) == 2


@pytest.mark.parametrize(("said", "reason"), [
    (b"garbage\n", "broke the protocol: the line is not JSON: 'garbage'"),
    (b'{"type":"ready","protocol":4}\n', "speaks version 4 of the protocol, this Sfida version 1"),
    (b"x" * (protocol.MAX_ANSWER + 10), "sent a line of more than 1048576 bytes"),
    (b'{"type":"rea', "sent no ready within 0.3 s"),
])
def test_misbehaviour_ends_in_one_line(said: bytes, reason: str) -> None:
    def talk(connection: socket.socket) -> None:
        try:
            connection.sendall(said)
            while connection.recv(1 << 16):
                pass
        except OSError:
            pass

    with guest(talk) as agent:
        agent.start_limit = 0.3 if "within" in reason else LIMIT
        with pytest.raises(AgentFailure, match=reason):
            agent.new_game()
        assert agent.stream is None


def test_who_listens_sees_when_we_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfida.ai.external.agents.GRACE_SECONDS", 30.0)
    heard: list[bytes] = []

    def talk(connection: socket.socket) -> None:
        connection.sendall(b'{"type":"ready"}\n')
        while data := connection.recv(1 << 16):
            heard.append(data)
        heard.append(b"")

    with guest(talk) as agent:
        agent.new_game()
        started = time.monotonic()
        agent.close()
        assert time.monotonic() - started < 20, "it went by itself"
    assert b"".join(heard).endswith(b'{"schema":1,"type":"quit"}\n')
    assert heard[-1] == b""


@pytest.mark.parametrize(("text", "place"), [
    ("4000", ("127.0.0.1", 4000)), ("127.0.0.9:1", ("127.0.0.9", 1)), ("[::1]:65535", ("::1", 65535)),
    ("localhost:80", ("127.0.0.1", 80)),
])
def test_places_on_this_computer(text: str, place: tuple[str, int]) -> None:
    assert place_of(text) == place
    assert sfida.agent(f"socket: {text} ").spec == f"socket:{text}"


@pytest.mark.parametrize(("spec", "reason"), [
    ("socket", "takes its port and nothing else; right would be socket:PORT"),
    ("socket:", "'' is no port of this computer"),
    ("socket:0", "'0' is no port of this computer"),
    ("socket:65536", "'65536' is no port of this computer; right would be a number from 1 to 65535, such as 4000"),
    ("socket:192.168.0.1:4000", "'192.168.0.1:4000' is not a place on this computer"),
    ("socket:0.0.0.0:4000", "'0.0.0.0:4000' is not a place on this computer"),
    ("socket:[2001:db8::1]:4000", "is not a place on this computer"),
    ("socket:127.1:4000", "'127.1:4000' is not a place on this computer"),
    ("socket:example.org:4000", "'example.org:4000' is no port of this computer"),
    ("socket:\u0664\u0660", "is no port of this computer"),
])
def test_other_places_are_refused_at_once(spec: str, reason: str) -> None:
    with pytest.raises(sfida.InvalidOption) as refused:
        sfida.agent(spec)
    assert reason in str(refused.value)


def test_a_file_that_names_a_port_is_asked_about() -> None:
    assert foreign_code("tic_tac_toe", ["random", "socket:4000"]) == [("socket:4000", "a program")]


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system does not tell")
def test_only_connections_of_this_user_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        there = socket.create_connection(listener.getsockname())
        here, _ = listener.accept()
        with here:
            assert peer_user(here) == os.getuid()
            there.close()
            assert peer_user(here) == NOBODY, "it may have been anybody's"
    for user, taken in ((None, True), (0, True), (os.getuid(), True), (os.getuid() + 1, False), (NOBODY, False)):
        monkeypatch.setattr(server, "peer_user", lambda _connection, user=user: user)
        assert server._Listener.verify_request(None, None, None) is taken    # type: ignore[arg-type]
