"""Runs the server: socket, house and application together, until Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import socket

import uvicorn

from sfida.web.guard import LOOPBACK, Limits
from sfida.web.http import make_app
from sfida.web.lobby import MOST_TABLES, Links, Lobby
from sfida.web.runner import Threads

_CONNECTIONS = 1000     # most at once
_FAREWELL = 1           # seconds that streams get when the server ends


class Server:
    """A server on a socket.

    Parameters
    ----------
    listening : socket
        Bound to its address.
    share : bool
        Whether other computers reach it.
    workers : int, optional
        Most decisions that are searched at the same time; by default one for each core.
    tables : int
        Most tables in play at once.
    lang : str
        Language of the pages, "" for that of the browser.
    trusts : bool
        Whether pages may name code that is not Sfida's own.
    limits : Limits, optional
        What a client may ask.
    """

    def __init__(self, listening: socket.socket, *, share: bool = False, workers: int | None = None,
                 tables: int = MOST_TABLES, lang: str = "", trusts: bool = False,
                 limits: Limits | None = None) -> None:
        self.listening = listening
        self.port: int = int(listening.getsockname()[1])
        self._links = Links.read(self.port)
        self.lobby: Lobby = Lobby(self._links, Threads(workers or os.cpu_count() or 1), tables, trusts=trusts)
        own = own_addresses() if share else []
        self.addresses: list[str] = [f"http://{_in_url(host)}:{self.port}/?key={self._links.key}"
                                     for host in ("127.0.0.1", *own)]
        app = make_app(self.lobby, self.port, hosts=(*LOOPBACK, *own, *([socket.gethostname()] if share else [])),
                       limits=limits, lang=lang, ends=lambda: self._server.should_exit)
        self._server = uvicorn.Server(uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="off", limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_FAREWELL, server_header=False, h11_max_incomplete_event_size=1 << 14))

    @property
    def started(self) -> bool:
        """Whether it answers."""
        return bool(self._server.started)

    def stop(self) -> None:
        """Have `run` end; may be called from another thread."""
        self._server.should_exit = True

    def run(self) -> None:
        """Serve until Ctrl-C or SIGTERM; all games are kept."""
        try:
            with contextlib.suppress(KeyboardInterrupt):
                self._server.run([self.listening])
        finally:
            self.lobby.close()


def own_addresses() -> list[str]:
    """Return the addresses of this machine in its network, without the loopback."""
    found: dict[str, None] = {}
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))             # sends nothing: asks which address would be used
        found[probe.getsockname()[0]] = None
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found[str(address[0])] = None
    return [address for address in found if not address.startswith("127.")]


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
