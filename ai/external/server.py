"""Serves one of Sfida's agents to other programs, over standard streams or at a port of this computer."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
import signal
import socket
import socketserver
import struct
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from sfida.ai.agent import Agent
from sfida.ai.external import protocol
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidOption, InvalidRecord, SfidaError, game_fault
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted

# ---- Addresses that only this computer can reach, and the user at the other end of a connection

HOME = "127.0.0.1"
LARGEST_PORT = 65535
NOBODY = -1
_ROOT = 0
_PLACE = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:]+\]|[0-9.]+|localhost):)?(?P<port>[0-9]{1,5})")


def place_of(text: str) -> tuple[str, int]:
    """Return the address and the port that a text names.

    Parameters
    ----------
    text : str
        `PORT` or `ADDRESS:PORT`: a port from 1 to 65535, an address from 127.0.0.0/8, `[::1]` or `localhost`.

    Raises
    ------
    InvalidOption
        If it names none, or one that other computers can reach.
    """
    found = _PLACE.fullmatch(text)
    port = int(found["port"]) if found else 0
    if found is None or not 1 <= port <= LARGEST_PORT:
        raise InvalidOption(f"{quoted(text)} is no port of this computer; right would be a number from 1 to "
                            f"{LARGEST_PORT}, such as 4000, or an address with it, such as {HOME}:4000")
    host = (found["host"] or HOME).strip("[]").replace("localhost", HOME)
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if not local:
        raise InvalidOption(f"{quoted(text)} is not a place on this computer: only 127.0.0.1 and other loopback "
                            "addresses are taken")
    return host, port


def peer_user(connection: socket.socket) -> int | None:
    """Return the user whose program is at the other end of a connection over `HOME`.

    Linux lists it in /proc/net/tcp, by the other end's own address.

    Returns
    -------
    int or None
        The number of the user; `NOBODY` if the program has closed the connection; None if the system does not list it.
    """
    here, there = (_as_listed(*name) for name in (connection.getsockname(), connection.getpeername()))
    try:
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    except OSError:
        return None
    for words in map(str.split, lines):
        if words[1:3] == [there, here]:
            return int(words[7]) if words[9] != "0" else NOBODY     # no inode: closed, and listed as root's
    return NOBODY


def is_own(connection: socket.socket) -> bool:
    """Return whether a connection is this user's, or the system does not list users: positions are trusted."""
    user = peer_user(connection)
    return user is None or user in (_ROOT, os.getuid())


def _as_listed(host: str, port: int) -> str:
    """Return an IPv4 address and a port as /proc/net/tcp writes them: the address as a number of this machine."""
    (number,) = struct.unpack("=I", socket.inet_aton(host))
    return f"{number:08X}:{port:04X}"


# ---- The other side of the protocol: serving one of Sfida's agents to another program


class EngineServer:
    """Answers the lines of one client.

    It answers a line that cannot be served with a line of type "error"; such a line has no other effect.

    Parameters
    ----------
    spec : str
        Agent spec. Every game gets a new agent.
    make : callable, optional
        Makes the agent of a spec.

    Raises
    ------
    UnknownAgent, InvalidOption

    Attributes
    ----------
    done : bool
        Whether the client has sent "quit".
    greeted : bool
        Whether the client has sent a "hello" with a version that this side speaks.
    """

    def __init__(self, spec: str, make: Callable[[str], Agent] = make_agent) -> None:
        self._make = make
        self._seat = Seat(make(spec))
        self._spec = self._seat.spec
        self._game: Game | None = None
        self.done: bool = False
        self.greeted: bool = False

    def answer(self, line: bytes) -> bytes | None:
        """Return the line that answers a line; None if there is nothing to answer."""
        number = None
        try:
            message = protocol.decode(line)
            if message["type"] == "choose":
                number = protocol.whole(message, "id")
            with contextlib.redirect_stdout(sys.stderr):        # agents' output must not look like a message
                return self._serve(message, number)
        except Exception as error:              # agents and games of other packages may raise any exception
            reason = str(error) if isinstance(error, SfidaError) else f"{type(error).__name__}: {error}"
            reason = str(game_fault(error) or reason)
        return protocol.encode("error", id=number, message=protocol.in_short(reason))

    def refuse(self, line: bytes, source: BinaryIO) -> bytes:
        """Skip the rest of a line that is too long, and return the answer to it; an endless line is the last one."""
        left = protocol.MAX_REQUEST
        while line and not line.endswith(b"\n") and left > 0:
            line = source.readline(protocol.MAX_ANSWER)
            left -= len(line)
        self.done = left <= 0
        return protocol.encode("error", id=None, message=f"a line has more than {protocol.MAX_REQUEST} bytes")

    def _serve(self, message: Mapping[str, Any], number: int | None) -> bytes | None:
        match message["type"]:
            case "hello":
                if protocol.agree(message) is None:
                    theirs = protocol.spoken(message)
                    raise protocol.BadLine(f"{protocol.naming(theirs)} of the protocol {'are' if theirs[1:] else 'is'} "
                                           f"not spoken here, but {protocol.naming(protocol.VERSIONS)}")
                self.greeted = True
                return protocol.ready(self._spec, self._seat.listens, self._seat.longest)
            case "new_game":
                self._new_game(message)
            case "choose":
                return self._choose(message, number)
            case "observe":
                self._seat.observe(protocol.read_observation(self._playing(), message))
            case "quit":
                self.done = True
        return None

    def _new_game(self, message: Mapping[str, Any]) -> None:
        self._game = None
        game = make_game(protocol.text(message, "game"))
        version = message.get("rules_version", game.rules_version)
        if version != game.rules_version:
            raise InvalidRecord(f"the rules of {quoted(game.spec())} are version {game.rules_version} here, not "
                                f"{quoted(version)}")
        if message.get("layout") != protocol.layout(game):
            raise InvalidRecord(f"positions of {quoted(game.spec())} are written in another layout than that of this "
                                f"Sfida {protocol.sfida_version()}: both sides must be the same version of Sfida")
        self._seat.close()
        self._seat = Seat(self._make(self._spec))
        self._seat.begin(protocol.whole({"seed": 0, **message}, "seed"))
        self._game = game

    def _playing(self) -> Game:
        """Return the game in progress; raises BadLine if there is none."""
        if self._game is None:
            raise protocol.BadLine("no game is being played: 'new_game' must come first")
        return self._game

    def _choose(self, message: Mapping[str, Any], number: int | None) -> bytes:
        view = protocol.read_view(self._playing(), message)
        if isinstance(message.get("limit"), (int, float)):
            self._seat.limit(message["limit"])
        move = self._seat.choose(view, protocol.whole({"seed": 0, **message}, "seed"))
        if move not in view.legal_moves():
            raise SfidaError(f"agent {quoted(self._spec)} chose {quoted(move)}, which is not legal")
        return protocol.encode("move", id=number, move=view.format(move))

    def close(self) -> None:
        """Release the agent's resources."""
        self._seat.close()


def serve(spec: str, source: BinaryIO, sink: BinaryIO, *, must_greet: bool = False,
          make: Callable[[str], Agent] = make_agent) -> None:
    """Answer the lines of a stream until it ends or says "quit".

    Parameters
    ----------
    spec : str
        Agent spec.
    source, sink : binary streams
        Streams of the client's lines and of the answers.
    must_greet : bool
        Whether to end after the first line unless it is a good "hello": a browser that was made to talk to a port sends
        something else first.
    make : callable, optional
        Makes the agent of a spec.

    Raises
    ------
    UnknownAgent, InvalidOption
        If the spec is wrong, before the first line is read.
    BrokenPipeError
        If the client does not read the answers.
    """
    server = EngineServer(spec, make)
    try:
        while not server.done and (line := source.readline(protocol.MAX_REQUEST + 1)):
            if not line.strip():
                continue
            reply = server.answer(line) if len(line) <= protocol.MAX_REQUEST else server.refuse(line, source)
            if reply is not None:
                sink.write(reply)
                sink.flush()
            if must_greet and not server.greeted:
                break
    finally:
        server.close()


# ---- Serving at a port: one process for each connection

_MOST = 64                      # most connections at the same time; others wait


def listen(spec: str, port: int, tell: Callable[[int], object]) -> None:
    """Serve an agent until a signal ends it.

    Parameters
    ----------
    spec : str
        Agent spec. Every game of every connection gets a new agent.
    port : int
        Port of `HOME`; 0: any free port.
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
        """Accept only this user's connections."""
        return is_own(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback of an error, unless the other side has closed the connection."""
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
