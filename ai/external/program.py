"""A program of ours, and the lines to and from it over its standard streams."""

from __future__ import annotations

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
from sfida.ai.external.protocol import in_short
from sfida.ai.external.stream import LineStream, read
from sfida.cython_ext.measure import awake

_KEPT = 4096                    # bytes of standard error that are kept
_LEAVING = 0.5                  # seconds that a program that has closed a stream gets to end


class Program(LineStream):
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
    """

    def __init__(self, command: Sequence[str], called: str) -> None:
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise AgentFailure(f"{called} cannot be started: {error.strerror or error}", "died") from None
        self._end = weakref.finalize(self, _end, self._process, os.getpid())
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        super().__init__(called, self._process.stdout.fileno(), self._process.stdin.fileno())
        self._err = self._process.stderr.fileno()
        os.set_blocking(self._err, False)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._said = b""                # the end of its standard error

    @property
    def running(self) -> bool:
        """Whether the program has not ended."""
        return self._process.poll() is None

    def _overhear(self) -> bool:
        """Read standard error; return False if there is nothing more now."""
        data = read(self._err)
        if data == b"":
            self._selector.unregister(self._err)
        self._said = (self._said + (data or b""))[-_KEPT:]
        return bool(data)

    # ---- the end ------------------------------------------------------------------------------

    def _leave(self, closed: str) -> NoReturn:
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
        if self._process.stdin is not None:
            self._process.stdin.close()

    def kill(self) -> None:
        """End the program and those that it started at once."""
        self._selector.close()
        self._end()


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """End a program and what it started, and close its streams. Safe to repeat."""
    if os.getpid() != owner:            # a fork of the process that started it
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
    """Return the children of a process, their children, and so on, as far as the system shows them."""
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
