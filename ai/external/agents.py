"""Agents that ask another program for their moves: `exec` starts it, `socket` connects to a port of this computer."""

from __future__ import annotations

import abc
import contextlib
import os
import re
import shlex
import shutil
import socket
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from sfida.ai.agent import AgentFailure, NamedAgent
from sfida.ai.external import protocol
from sfida.ai.external.server import place_of
from sfida.ai.external.stream import LineStream, ProgramProcess
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Observation, Seat, usual_limit
from sfida.cython_ext.errors import IllegalMove, InvalidOption, SfidaError
from sfida.cython_ext.measure import awake
from sfida.cython_ext.state import View
from sfida.engines.game import Game
from sfida.engines.spec import digests, quoted, shortened, shown, whole

# ---- Agents that ask another program for their moves, line by line

START_SECONDS = 10.0
GRACE_SECONDS = 1.0


class GivesUp(AgentFailure):
    """The program says that it cannot continue."""


def deliver(stream: LineStream, line: bytes) -> None:
    """Send a line unchanged."""
    stream.send(line)


class LineAgent(NamedAgent):
    """Plays the answers of another program; `docs/measure/protocol.md` describes the protocol.

    The program is started or connected when it is first needed and may play several games. If it misbehaves, the agent
    kills or leaves it and `choose` raises an error; the next game starts or connects it again.

    Attributes
    ----------
    limit : float or None
        Seconds that a decision may take; None: no limit. By default 60, or five times `longest`.
    longest : float or None
        Seconds that a decision may take by the budget of the agent that the program serves, if it is known.
    start_limit : float
        Seconds that a program may take to start and report that it is ready.
    deliver : callable
        Sends a line over the stream.
    """

    runs_programs = True
    reusable: ClassVar[bool] = True

    def __init__(self, options: Any, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.longest: float | None = self._served()
        self.limit: float | None = usual_limit([self.longest])
        self._usual = self.limit
        self.start_limit = START_SECONDS
        self.deliver: Callable[[LineStream, bytes], None] = deliver
        self._program: LineStream | None = None
        self._game: Game | None = None          # the latest game that the program was told of
        self._number = 0                        # number of the last request
        self._opening = seed                    # seed of the program's memory in a game
        self.observe: Callable[[Observation], None] | None = None       # if the program wants to be told events

    def new_game(self) -> None:
        """Begin a game: make sure that the program is ready; the first request tells it of the game.

        Raises
        ------
        AgentFailure
            If the program does not start, or does not report in time that it is ready.
        """
        self._game = None
        self._opening = self.seed
        if self._program is None or not self._program.running:
            self._start()

    def choose(self, view: View) -> int:
        """Return the program's answer.

        Raises
        ------
        IllegalMove
            If the move is not legal.
        AgentFailure
            If the program does anything but answer in time.
        """
        codes = view.legal_moves()
        if not codes:
            raise IllegalMove(f"seat {view.seat} is not to move")
        if not view.redacted:
            raise SfidaError(f"agent '{self.name}' only takes views that hide what the seat cannot know")
        if self._program is None:
            self.new_game()
        assert self._program is not None
        program, moves = self._program, [view.format(code) for code in codes]
        self._number += 1
        try:
            self._tell_game(program, view.game)
            self.deliver(program, protocol.choose(self._number, view, moves, self.seed, self.limit))
            answer = self._wait_for("move", self.limit)
        except BaseException:                   # includes Ctrl-C: a late answer would meet the next request
            self._kill()
            raise
        if answer not in moves:
            raise IllegalMove(f"{self.called} on seat {view.seat} answered {quoted(answer)}, which is none of the "
                              f"{len(moves)} legal moves")
        return int(codes[moves.index(answer)])

    def _observe(self, seen: Observation) -> None:
        """Tell the program what its seat saw."""
        if self._program is None:
            return                              # the next game starts it again
        try:
            self._tell_game(self._program, seen.view.game)
            self.deliver(self._program, protocol.observe(seen))
        except BaseException:
            self._kill()
            raise

    def _tell_game(self, program: LineStream, game: Game) -> None:
        if self._game != game:
            self.deliver(program, protocol.new_game(game, self._opening))
            self._game = game

    def close(self) -> None:
        """Ask the program to end, and kill it if it does not."""
        program = self.release()
        if program is not None:
            program.quit(protocol.encode("quit"), GRACE_SECONDS)

    @property
    def stream(self) -> LineStream | None:
        """The lines to and from the program; None if there is none."""
        return self._program

    def release(self) -> LineStream | None:
        """Hand over the lines to and from the program, which the caller ends; the next game starts it again."""
        program, self._program = self._program, None
        return program

    @property
    def called(self) -> str:
        """First words of error messages."""
        return f"agent '{self.name}:{shown(getattr(self.options, self.free_text))}'"

    # ---- the exchange -------------------------------------------------------------------------

    def _served(self) -> float | None:
        """Return `longest` if the spec determines it."""
        return None

    def _may_take(self, longest: float) -> None:
        """Note the program's own limit of a decision; raises AgentFailure if the agent's limit is shorter."""
        if self.limit is not None and longest >= self.limit:
            if self.limit != self._usual:
                raise AgentFailure(f"{self.called} says that a decision may take {longest:g} s, but the limit is "
                                   f"{self.limit:g} s: allow more, or give it a smaller budget")
            self.limit = self._usual = usual_limit([longest])
        self.longest = longest

    @abc.abstractmethod
    def _connect(self) -> LineStream:
        """Start or reach the program; raises AgentFailure."""

    def _start(self) -> None:
        self._kill()
        try:
            self._program = self._connect()
            self.deliver(self._program, protocol.hello())
            self._wait_for("ready", self.start_limit)
        except BaseException:
            self._kill()
            raise

    def _wait_for(self, kind: str, limit: float | None) -> str:
        """Return the program's answer of a kind, such as its move; lines of unknown types are ignored."""
        assert self._program is not None
        deadline = awake() + (float("inf") if limit is None else limit)
        while True:
            line = self._program.receive(deadline, kind, limit)
            try:
                message = protocol.decode(line)
                if message["type"] == "error":
                    raise GivesUp(f"{self.called} gives up: "
                                  f"{protocol.in_short(str(message.get('message', 'no reason given')))}")
                if message["type"] != kind:
                    continue
                if kind == "ready":
                    if protocol.agree(message) is None:
                        raise AgentFailure(f"{self.called} speaks {protocol.naming(protocol.spoken(message))} of the "
                                           f"protocol, this Sfida {protocol.naming(protocol.VERSIONS)}")
                    self.observe = self._observe if message.get("observes") is True else None
                    longest = protocol.seconds(message, "longest")
                    if longest is not None:
                        self._may_take(longest)
                    return ""
                number = protocol.whole(message, "id")
                if number > self._number:
                    raise protocol.BadLine(f"it answers request {number}, but the last one is {self._number}")
                if number == self._number:
                    return protocol.text(message, "move")
            except protocol.BadLine as error:
                raise AgentFailure(f"{self.called} broke the protocol: {error}") from None

    def _kill(self) -> None:
        program = self.release()
        if program is not None:
            program.kill()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_program": None, "_game": None, "observe": None}


# ---- Converting the text of an `exec` spec into a program and its arguments


def command_line(command: str) -> list[str]:
    """Return the program, as a path, and its arguments.

    Parameters
    ----------
    command : str
        An existing file, whose name may contain blanks; or words as a shell would split them. The first word is a path
        (relative to the current directory) or a program on the PATH or in the environment of this Python, such as
        `sfida` itself.

    Raises
    ------
    InvalidOption
        If there is no such program, or it cannot be run here.
    """
    if os.name != "posix":
        raise InvalidOption("agent 'exec' needs pipes that can be waited for, which this system does not have; it "
                            "runs on Linux, macOS and other POSIX systems")
    if not command.strip() or not command.isprintable():
        raise InvalidOption("agent 'exec' needs a program, in one line of printable text: exec:./bot, or "
                            "exec:python3 bot.py --fast")
    if _is_file(command):
        return [_runnable(command)]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidOption(f"the command {quoted(command)} cannot be split into words: {error}") from None
    if not words or not words[0]:
        raise InvalidOption(f"the command {quoted(command)} names no program")
    program, *arguments = words
    found = None if os.sep in program else shutil.which(program) or shutil.which(program, path=_beside_python())
    if found is None and not _is_file(program):
        where = "is no file" if os.sep in program else "is neither a program on the PATH nor a file here"
        raise InvalidOption(f"{quoted(program)} {where}, so agent {quoted(f'exec:{command}')} cannot be started")
    return [found or _runnable(program), *arguments]


def program_files(command: str) -> tuple[str, ...]:
    """Return the path of the program in a command: its first word, or the script that an installed program runs."""
    if _is_file(command):
        return (command,)
    with contextlib.suppress(ValueError):
        program, *arguments = shlex.split(command)
        if os.sep in program or not (shutil.which(program) or shutil.which(program, path=_beside_python())):
            return (program,)
        return next(((word,) for word in arguments if _is_file(word)), ())
    return ()


def _beside_python() -> str:
    return str(Path(sys.executable).parent)


def _is_file(name: str) -> bool:
    try:
        return Path(name).expanduser().is_file()
    except (OSError, RuntimeError, ValueError):     # too long for a file name, no home directory, a null byte
        return False


def _runnable(name: str) -> str:
    path = Path(name).expanduser().absolute()
    if not os.access(path, os.X_OK):
        raise InvalidOption(f"{quoted(name)} is not executable: chmod +x it, or name what runs it, such as "
                            f"'exec:python3 {shortened(shlex.quote(name))}'")
    return str(path)


# ---- The `exec` agent: a program that is started

_AGENT = re.compile(r"--agent[= ]['\"]?([^\s'\"]+)")


@dataclass(frozen=True)
class ExecOptions:
    """The only option of `exec`."""

    command: str = field(metadata={"doc": "the program and its arguments: everything after the first colon",
                                   "contents": lambda command: digests(*program_files(command))})

    def __post_init__(self) -> None:
        if not isinstance(self.command, str):
            raise InvalidOption(f"the command of agent 'exec' must be text, not {quoted(self.command)}")
        object.__setattr__(self, "command", self.command.strip())
        self.words()

    def words(self) -> list[str]:
        """Return the program and its arguments; raises InvalidOption if it cannot be run here."""
        return command_line(self.command)


class ExecAgent(LineAgent):
    """Plays the answers of a program over its standard streams."""

    name = "exec"
    doc = "your own program, asked line by line"
    options_class = ExecOptions
    free_text = "command"

    def _served(self) -> float | None:
        """Return the time limit of the agent that the command serves, if it runs `sfida engine`."""
        words = [part for word in self.options.words() for part in word.split()]     # includes sh -c "..."
        found = _AGENT.search(" ".join(words[words.index("engine"):])) if "engine" in words else None
        try:
            return None if found is None else Seat(make_agent(found[1])).longest
        except SfidaError:                      # the program may interpret its words in another way
            return None

    def _connect(self) -> ProgramProcess:
        return ProgramProcess(self.options.words(), self.called)


# ---- The `socket` agent: a running program that listens at a port of this computer


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
    """Plays the answers of a program that listens at a port. Every agent has its own connection."""

    name = "socket"
    doc = "a program that listens at a port of this computer"
    options_class = SocketOptions
    free_text = "port"

    def _connect(self) -> Connection:
        return Connection(place_of(self.options.port), self.called, self.start_limit)


class Connection(LineStream):
    """A connection to a listening program.

    Parameters
    ----------
    place : (str, int)
        Address and port.
    called : str
        First words of error messages.
    limit : float
        Seconds within which the program must accept the connection.

    Raises
    ------
    AgentFailure
        If no program listens there.
    """

    def __init__(self, place: tuple[str, int], called: str, limit: float) -> None:
        try:
            self._socket = socket.create_connection(place, timeout=limit)
        except OSError as error:
            raise AgentFailure(f"{called} cannot be reached: {error.strerror or error}", "died") from None
        self._socket.setblocking(False)         # a time limit of the socket would also apply to `running`
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
    if os.getpid() == owner:            # otherwise this is a fork of the process that uses the connection
        with contextlib.suppress(OSError):
            reading.shutdown(socket.SHUT_RDWR)
    reading.close()
    writing.close()
