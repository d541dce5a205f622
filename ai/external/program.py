"""A program that was started, and lines to and from it that never block for longer than they may."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from pathlib import Path

from sfida.ai.agent import AgentFailure
from sfida.ai.external.protocol import MAX_ANSWER, in_short

_CHUNK = 1 << 16
_KEPT = 4096                    # bytes of standard error that are kept
_POLL = 0.2                     # seconds between two looks at whether the program still runs
_LEAVING = 0.5                  # seconds for a program that has closed a stream to be gone altogether


class Program:
    """A running program.

    It stays in the process group of whoever started it, so that ending that group ends the program too.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    called : str
        Begins the sentences of failures: "agent 'exec:./bot'".

    Raises
    ------
    AgentFailure
        If it cannot be started.
    """

    def __init__(self, command: Sequence[str], called: str) -> None:
        self._called = called
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise AgentFailure(f"{called} cannot be started: {error.strerror or error}", "died") from None
        self._end = weakref.finalize(self, _end, self._process, os.getpid())
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._in, self._out, self._err = (stream.fileno() for stream in (
            self._process.stdin, self._process.stdout, self._process.stderr))
        self._selector = selectors.DefaultSelector()
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._searched = 0              # of `incoming`, in which there is no newline
        self._said = b""                # the end of its standard error

    @property
    def running(self) -> bool:
        """Whether the program has not ended."""
        return self._process.poll() is None

    # ---- lines --------------------------------------------------------------------------------

    def send(self, line: bytes) -> None:
        """Have a line sent while the next one is waited for."""
        if not self._outgoing:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        self._outgoing += line

    def receive(self, deadline: float, wanted: str, limit: float | None) -> bytes:
        """Return the next line.

        Parameters
        ----------
        deadline : float
            By `time.monotonic`.
        wanted, limit : str, float or None
            For the message of a failure: what the line is waited for, and the seconds it was given.

        Raises
        ------
        AgentFailure
            At the deadline, or when the program has ended, closed a stream, or sends a line without end.
        """
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                deaf = "did not read what it was sent" if self._outgoing else f"sent no {wanted}"
                raise self._failure(f"{deaf} within {limit:g} s", "overtime")
            line = self._next_line()
            if line is not None:
                return line
            if not self._work(min(left, _POLL)) and not self.running:
                self._leave("")         # a child of it may hold its streams open

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
        """Read and write what can be read and written now, or within some seconds; False: nothing."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fd == self._in:
                self._write()
            elif key.fd == self._err:
                self._listen()
            else:
                data = _read(self._out)
                if data == b"":
                    self._leave("closed its standard output")
                self._incoming += data or b""
        return bool(ready)

    def _write(self) -> None:
        try:
            sent = os.write(self._in, self._outgoing[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:
            self._leave("closed its standard input")
        del self._outgoing[:sent]
        if not self._outgoing:
            self._selector.unregister(self._in)

    def _listen(self) -> bool:
        """Read standard error; False when there is no more now."""
        data = _read(self._err)
        if data == b"":
            self._selector.unregister(self._err)
        self._said = (self._said + (data or b""))[-_KEPT:]
        return bool(data)

    # ---- the end ------------------------------------------------------------------------------

    def _leave(self, closed: str) -> None:
        """Raise what is to be said about a program that has ended, or at least closed a stream."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVING)
        code = self._process.returncode
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
        """Return the failure, with the last line of standard error."""
        if self._err in self._selector.get_map():
            end = time.monotonic() + _LEAVING
            while self._listen() and time.monotonic() < end:
                pass
        lines = self._said.decode(errors="replace").split("\n")
        words = next((line for line in reversed(lines) if line.strip()), "")
        last_words = f"; its last words: {in_short(words)}" if words else ""
        return AgentFailure(f"{self._called} {what}{last_words}", kind)

    def quit(self, farewell: bytes, grace: float) -> None:
        """Ask the program to end, and end it when it has not within `grace` seconds."""
        self.send(farewell)
        end = time.monotonic() + grace
        with contextlib.suppress(AgentFailure):         # what it does now matters to nobody
            while self.running and (left := end - time.monotonic()) > 0:
                if not self._outgoing and self._process.stdin is not None:
                    self._process.stdin.close()
                self._work(min(left, 0.02))
                self._incoming.clear()
                self._searched = 0
        self.kill()

    def kill(self) -> None:
        """End the program, and those that it started, now."""
        self._selector.close()
        self._end()


def _read(number: int) -> bytes | None:
    """Return what a pipe holds; b"" when it is closed, None when there is nothing now."""
    try:
        return os.read(number, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End a program and what it started, and let go of its streams. Safe to repeat."""
    if os.getpid() != owner:            # a fork of the process that started it
        return
    if process.poll() is None:
        with contextlib.suppress(OSError):
            process.send_signal(signal.SIGSTOP)     # it starts nothing more
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
    """Return the children of a process, their children, and so on, as far as the system tells."""
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
    if not folders:                     # not Linux
        with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
            listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, timeout=5, check=True)
            pairs = [(int(words[0]), int(words[1])) for words in map(bytes.split, listed.stdout.splitlines())]
    return pairs
