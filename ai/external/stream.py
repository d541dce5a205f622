"""Lines to and from another program that never block beyond their time limit, and programs of ours."""

from __future__ import annotations

import abc
import contextlib
import os
import selectors
import signal
import subprocess
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from sfida.ai.agent import AgentFailure
from sfida.ai.external.protocol import MAX_ANSWER, in_short
from sfida.cython_ext.measure import awake

# ---- Lines to and from another program that never block beyond their time limit

CHUNK = 1 << 16
_POLL = 0.2                     # seconds between two checks whether the program is still running


class LineStream(abc.ABC):
    """Lines to a program and from it, over two descriptors that this object does not close.

    Parameters
    ----------
    called : str
        First words of error messages: "agent 'exec:./bot'".
    reading, writing : int
        Descriptors of the program's output and of its input. They must differ.
    """

    def __init__(self, called: str, reading: int, writing: int) -> None:
        self._called = called
        self._out, self._in = reading, writing
        self._selector = selectors.DefaultSelector()
        for number in (reading, writing):
            os.set_blocking(number, False)
        self._selector.register(reading, selectors.EVENT_READ)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._searched = 0              # bytes of `incoming` without a newline
        self._overdue: float | None = None      # deadline after which the stream was read once more

    @property
    @abc.abstractmethod
    def running(self) -> bool:
        """Whether the program is still there."""

    @property
    def unfinished(self) -> bool:
        """Whether the last data received are an incomplete line."""
        return bool(self._incoming) and not self._incoming.endswith(b"\n")

    # ---- lines --------------------------------------------------------------------------------

    def send(self, line: bytes) -> None:
        """Queue a line, which is sent during the wait for the next one."""
        if not self._outgoing:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        self._outgoing += line

    def receive(self, deadline: float, wanted: str, limit: float | None) -> bytes:
        """Return the next line.

        Parameters
        ----------
        deadline : float
            Deadline by `awake`, a clock that stops while this process sleeps.
        wanted, limit : str, float or None
            For the error message: the expected content of the line, and the seconds allowed.

        Raises
        ------
        AgentFailure
            At the deadline, or if the program has ended, has closed a stream, or sends an endless line.
        """
        while True:
            line = self._next_line()
            if line is not None:
                return line
            left = deadline - awake()
            if left <= 0:
                if self._overdue == deadline:
                    deaf = "did not read what it was sent" if self._outgoing else f"sent no {wanted}"
                    raise self._failure(f"{deaf} within {limit:g} s", "overtime")
                self._overdue = deadline
                self._work(0.0)         # an answer that has already arrived counts
            elif not self._work(min(left, _POLL)) and not self.running:
                self._leave("")         # one of its children may hold its streams open

    def _next_line(self) -> bytes | None:
        end = self._incoming.find(b"\n", self._searched)
        if end > MAX_ANSWER or (end < 0 and len(self._incoming) > MAX_ANSWER):
            raise self._failure(f"sent a line of more than {MAX_ANSWER} bytes")
        if end < 0:
            self._searched = len(self._incoming)
            return None
        line = bytes(self._incoming[:end])
        del self._incoming[:end + 1]
        self._searched = 0
        return line

    def _work(self, seconds: float) -> bool:
        """Read and write what is possible now or within some seconds; return False if nothing was possible."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fd == self._in:
                self._write()
            elif key.fd == self._out:
                data = read(self._out)
                if data == b"":
                    self._leave("closed its standard output")
                self._incoming += data or b""
            else:
                self._overhear()
        return bool(ready)

    def _write(self) -> None:
        try:
            sent = os.write(self._in, self._outgoing[:CHUNK])
        except BlockingIOError:
            return
        except OSError:
            self._leave("closed its standard input")
        del self._outgoing[:sent]
        if not self._outgoing:
            self._selector.unregister(self._in)

    def _overhear(self) -> bool:
        """Read other output of the program; return False if there is no more now."""
        return False

    # ---- the end ------------------------------------------------------------------------------

    @abc.abstractmethod
    def _leave(self, closed: str) -> NoReturn:
        """Raise the failure of a program that has ended, or has closed a stream."""

    @abc.abstractmethod
    def _stop_sending(self) -> None:
        """Close the input of the program. Safe to repeat."""

    @abc.abstractmethod
    def kill(self) -> None:
        """Close the stream at once, and end the program if it is ours. Safe to repeat."""

    def _failure(self, what: str, kind: str = "raised") -> AgentFailure:
        return AgentFailure(f"{self._called} {what}", kind)

    def quit(self, farewell: bytes, grace: float) -> bool:
        """Send a last line, if any, and close the input; kill a program that has not ended within `grace` seconds.

        Returns
        -------
        bool
            Whether it ended by itself.
        """
        if farewell:
            self.send(farewell)
        end = awake() + grace
        with contextlib.suppress(AgentFailure):         # its failures do not matter any more
            while self.running and (left := end - awake()) > 0:
                if not self._outgoing:
                    self._stop_sending()
                self._work(min(left, 0.02))
                self._forget()
            while self._work(0.0) and awake() < end:
                self._forget()
        gone = not self.running
        self.kill()
        return gone

    def _forget(self) -> None:
        """Drop the data received except the last byte, which shows whether a line is unfinished."""
        del self._incoming[:-1]
        self._searched = 0


def read(number: int) -> bytes | None:
    """Return the data in a descriptor; b"" if it is closed, None if there are none now."""
    try:
        return os.read(number, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


# ---- A program of ours, and the lines to and from it over its standard streams

_KEPT = 4096                    # bytes of standard error that are kept
_LEAVING = 0.5                  # seconds that a program has to end after it has closed a stream


class ProgramProcess(LineStream):
    """A running program.

    It stays in the process group of the process that started it, so that ending that group ends the program, too.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    called : str
        First words of error messages: "agent 'exec:./bot'".

    Raises
    ------
    AgentFailure
        If it cannot be started.

    Attributes
    ----------
    process : subprocess.Popen
    """

    def __init__(self, command: Sequence[str], called: str) -> None:
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise AgentFailure(f"{called} cannot be started: {error.strerror or error}", "died") from None
        self._end = weakref.finalize(self, _end, self.process, os.getpid())
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        super().__init__(called, self.process.stdout.fileno(), self.process.stdin.fileno())
        self._err = self.process.stderr.fileno()
        os.set_blocking(self._err, False)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._said = b""                # the end of the program's standard error

    @property
    def running(self) -> bool:
        """Whether the program has not ended."""
        return self.process.poll() is None

    def _overhear(self) -> bool:
        """Read standard error; return False if there is no more now."""
        data = read(self._err)
        if data == b"":
            self._selector.unregister(self._err)
        self._said = (self._said + (data or b""))[-_KEPT:]
        return bool(data)

    # ---- the end ------------------------------------------------------------------------------

    def _leave(self, closed: str) -> NoReturn:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_LEAVING)
        code = self.process.returncode
        if code is None:
            raise self._failure(closed)
        if code < 0:
            try:
                how = f"was ended by {signal.Signals(-code).name}"
            except ValueError:
                how = f"was ended by signal {-code}"
        else:
            how = f"ended with exit code {code}"
        raise self._failure(how, "died")

    def _failure(self, what: str, kind: str = "raised") -> AgentFailure:
        """Return the failure with the last line of standard error."""
        if self._err in self._selector.get_map():
            end = awake() + _LEAVING
            while self._overhear() and awake() < end:
                pass
        lines = self._said.decode(errors="replace").split("\n")
        words = next((line for line in reversed(lines) if line.strip()), "")
        last_words = f"; its last words: {in_short(words)}" if words else ""
        return super()._failure(f"{what}{last_words}", kind)

    def _stop_sending(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()

    def kill(self) -> None:
        """Kill the program and those that it started."""
        self._selector.close()
        self._end()


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """Kill a program and those that it started, and close its streams. Safe to repeat."""
    if os.getpid() != owner:            # this is a fork of the process that started it
        return
    if process.poll() is None:
        with contextlib.suppress(OSError):
            process.send_signal(signal.SIGSTOP)     # so that it starts nothing more
        family = descendants(process.pid)
        with contextlib.suppress(OSError):
            process.kill()
        for pid in family:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def descendants(pid: int) -> list[int]:
    """Return the children of a process, their children, and so on, if the system lists them."""
    children: dict[int, list[int]] = {}
    for child, parent in _parents():
        children.setdefault(parent, []).append(child)
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found[1:]


def _parents() -> list[tuple[int, int]]:
    """Return (process, parent) for every process."""
    folders = [folder for folder in Path("/proc").glob("[0-9]*") if folder.name.isdigit()]
    pairs = []
    for folder in folders:
        with contextlib.suppress(OSError, ValueError, IndexError):
            stat = (folder / "stat").read_bytes()
            pairs.append((int(folder.name), int(stat.rpartition(b")")[2].split()[1])))
    if not folders:                     # systems other than Linux
        with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
            listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, timeout=5, check=True)
            pairs = [(int(words[0]), int(words[1])) for words in map(bytes.split, listed.stdout.splitlines())]
    return pairs
