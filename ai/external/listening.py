"""Serve an agent at a port of this computer; each connection gets a process of its own. Only for POSIX systems."""

from __future__ import annotations

import contextlib
import os
import signal
import socketserver
import sys
import traceback
from collections.abc import Callable
from typing import Any

from sfida.ai.external.loopback import HOME, peer_user
from sfida.ai.external.server import serve
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat

_MOST = 64                      # connections at the same time; more wait
_ROOT = 0


def listen(spec: str, port: int, tell: Callable[[int], object]) -> None:
    """Serve an agent until a signal ends it.

    Parameters
    ----------
    spec : str
        Agent spec. Every game of every connection gets a new agent.
    port : int
        Port of `HOME`; 0: any that is free.
    tell : callable
        Called with the port as soon as connections are accepted.

    Raises
    ------
    UnknownAgent, InvalidOption
    OSError
        If the port cannot be used.
    """
    Seat(make_agent(spec)).close()
    with _Listener(spec, port) as listener:
        tell(listener.server_address[1])
        listener.serve_forever()


class _Listener(socketserver.ForkingTCPServer):
    allow_reuse_address = True
    max_children = _MOST

    def __init__(self, spec: str, port: int) -> None:
        self.spec = spec
        super().__init__((HOME, port), _Guest)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Take nobody else's connections, where the system tells whose they are: positions are trusted."""
        return peer_user(request) in (None, _ROOT, os.getuid())

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless the other side has gone."""
        if not isinstance(sys.exception(), OSError):
            traceback.print_exc()

    def server_close(self) -> None:
        """Close the port and end the connections."""
        for pid in self.active_children or ():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        super().server_close()


class _Guest(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    server: _Listener

    def handle(self) -> None:
        serve(self.server.spec, self.rfile, self.wfile, must_greet=True)    # type: ignore[arg-type]
