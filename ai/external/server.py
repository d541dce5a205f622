"""The other side of the protocol: serving one of Sfida's agents to another program."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

from sfida.ai.external import protocol
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.cython_ext.errors import InvalidRecord, SfidaError, game_fault
from sfida.engines.game import Game
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted


class Server:
    """Answers the lines of one client.

    A line that cannot be served is answered by a line of type "error" and has no other effect.

    Parameters
    ----------
    spec : str
        Agent spec. Every game gets a new agent.

    Raises
    ------
    UnknownAgent, InvalidOption

    Attributes
    ----------
    done : bool
        Whether the client has sent "quit".
    greeted : bool
        Whether the client has sent a "hello" with a version that is spoken here.
    """

    def __init__(self, spec: str) -> None:
        self._seat = Seat(make_agent(spec))
        self._spec = self._seat.spec
        self._game: Game | None = None
        self.done: bool = False
        self.greeted: bool = False

    def answer(self, line: bytes) -> bytes | None:
        """Return the line that answers a line, or None if there is nothing to answer."""
        number = None
        try:
            message = protocol.decode(line)
            if message["type"] == "choose":
                number = protocol.whole(message, "id")
            with contextlib.redirect_stdout(sys.stderr):        # what an agent prints is not a message
                return self._serve(message, number)
        except Exception as error:              # also from an agent or a game of another package
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
        self._seat = Seat(make_agent(self._spec))
        self._seat.begin(protocol.whole({"seed": 0, **message}, "seed"))
        self._game = game

    def _playing(self) -> Game:
        """Return the game that is being played; raises BadLine if there is none."""
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
        """Release what the agent holds."""
        self._seat.close()


def serve(spec: str, source: BinaryIO, sink: BinaryIO, *, must_greet: bool = False) -> None:
    """Answer the lines of a stream until it ends or says "quit".

    Parameters
    ----------
    spec : str
        Agent spec.
    source, sink : binary streams
        Streams of the client's lines and of the answers.
    must_greet : bool
        End after the first line unless it is a good "hello": a browser that was made to talk to a port sends something
        else first.

    Raises
    ------
    UnknownAgent, InvalidOption
        If the spec is wrong, before the first line is read.
    BrokenPipeError
        If nobody reads the answers.
    """
    server = Server(spec)
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
