"""The `socket` agent: a program that runs already and listens at a port of this computer."""

from __future__ import annotations

import contextlib
import os
import socket
import weakref
from dataclasses import dataclass, field
from typing import NoReturn

from sfida.ai.agent import AgentFailure
from sfida.ai.external.agent import LineAgent
from sfida.ai.external.loopback import place_of
from sfida.ai.external.stream import LineStream
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted, whole


@dataclass(frozen=True)
class SocketOptions:
    """The only option of `socket`."""

    port: str = field(metadata={"doc": "the port at which the program listens on this computer, or ADDRESS:PORT with a "
                                       "loopback address"})

    def __post_init__(self) -> None:
        if not isinstance(self.port, str) and whole(self.port) is None:
            raise InvalidOption(f"the port of agent 'socket' must be a number or text, not {quoted(self.port)}")
        object.__setattr__(self, "port", str(self.port).strip())
        place_of(self.port)
        if os.name != "posix":
            raise InvalidOption("agent 'socket' needs streams that can be waited for, which this system does not have; "
                                "it runs on Linux, macOS and other POSIX systems")


class SocketAgent(LineAgent):
    """Plays what a program answers that listens at a port. Every agent has a connection of its own."""

    name = "socket"
    doc = "a program that listens at a port of this computer (docs/protocol.md)"
    options_class = SocketOptions
    free_text = "port"

    def _connect(self) -> Connection:
        return Connection(place_of(self.options.port), self.called, self.start_limit)


class Connection(LineStream):
    """A connection to a program that listens.

    Parameters
    ----------
    place : (str, int)
        Address and port.
    called : str
        First words of error messages.
    limit : float
        Seconds that it may take to be accepted.

    Raises
    ------
    AgentFailure
        If nobody listens there.
    """

    def __init__(self, place: tuple[str, int], called: str, limit: float) -> None:
        try:
            self._socket = socket.create_connection(place, timeout=limit)
        except OSError as error:
            raise AgentFailure(f"{called} cannot be reached: {error.strerror or error}", "died") from None
        self._socket.setblocking(False)         # or its own time limit would hold for `running`
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        writing = self._socket.dup()            # a selector takes each descriptor once
        self._end = weakref.finalize(self, _end, self._socket, writing, os.getpid())
        super().__init__(called, self._socket.fileno(), writing.fileno())

    @property
    def running(self) -> bool:
        """Whether the program has not closed the connection."""
        try:
            return self._socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def _leave(self, closed: str) -> NoReturn:
        raise self._failure("closed the connection", "died")

    def _stop_sending(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """Close the connection at once."""
        self._selector.close()
        self._end()


def _end(reading: socket.socket, writing: socket.socket, owner: int) -> None:
    """Close a connection. Safe to repeat."""
    if os.getpid() == owner:            # otherwise a fork of the process that opened it, which goes on with it
        with contextlib.suppress(OSError):
            reading.shutdown(socket.SHUT_RDWR)
    reading.close()
    writing.close()
