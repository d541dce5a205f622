"""`sfida serve`: its output and its refusals; `tests/web` plays at its tables."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

pytest.importorskip("uvicorn", reason="the server needs the extra 'web'")

from sfida.web.serving import Server


@pytest.fixture
def ends_at_once(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Server, str]]:
    """Let servers end as soon as they run; return the list of them, each with its address."""
    ran: list[tuple[Server, str]] = []

    def run(server: Server) -> None:
        ran.append((server, server.listening.getsockname()[0]))
        server.lobby.close()
        server.listening.close()

    monkeypatch.setattr(Server, "run", run)
    return ran


def test_the_address_of_the_host_is_printed(sfida, ends_at_once) -> None:
    result = sfida("serve", "--port", 0, "--no-browser")
    assert result.exit_code == 0
    ((server, bound),) = ends_at_once
    assert f"http://127.0.0.1:{server.port}/?key=" in result.stdout
    assert bound == "127.0.0.1"


def test_a_browser_is_opened_where_there_is_a_screen(sfida, ends_at_once, monkeypatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    sfida("serve", "--port", 0)
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    sfida("serve", "--port", 0, "--no-browser")
    assert opened == []
    sfida("serve", "--port", 0)
    assert opened == [ends_at_once[-1][0].addresses[0]]


def test_sharing_names_the_addresses_of_the_network(sfida, ends_at_once, monkeypatch) -> None:
    monkeypatch.setattr("sfida.web.serving.own_addresses", lambda: ["192.0.2.7"])
    result = sfida("serve", "--port", 0, "--share", "--no-browser")
    ((server, bound),) = ends_at_once
    assert f"http://192.0.2.7:{server.port}/?key=" in result.stdout
    assert bound == "0.0.0.0"


def test_a_port_that_is_taken_is_refused(sfida) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        result = sfida("serve", "--port", other.getsockname()[1], "--no-browser")
    assert result.exit_code == 1
    assert "--port" in result.stderr


def test_missing_packages_are_named() -> None:
    code = "import sys; sys.modules['uvicorn'] = None; from sfida.cli.main import main; main(['serve', '--no-browser'])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "pip install 'sfida[web]'" in result.stderr
