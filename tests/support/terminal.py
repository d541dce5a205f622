"""A program at a pseudo-terminal."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import time

import pytest

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

from support.starting import start_at_terminal  # noqa: E402   (it needs them)


class Terminal:
    """A running program and the screen that it writes to.

    Parameters
    ----------
    first_look : float, optional
        Seconds for the program's first look at a finished game.
    """

    def __init__(self, *arguments: object, columns: int = 80, rows: int = 50, first_look: float | None = None,
                 **environment: str) -> None:
        main, side = pty.openpty()
        termios.tcsetwinsize(side, (rows, columns))
        self.handle = main
        inherited = {key: value for key, value in os.environ.items() if key not in ("LINES", "COLUMNS")}
        self.process = start_at_terminal([str(one) for one in arguments], side,
                                         {**inherited, "TERM": "xterm-256color", **environment}, first_look)
        os.close(side)
        self.text = ""
        self.typed = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")     # a character may arrive in two pieces

    def wait_for(self, pattern: str, seconds: float = 60) -> str:
        """Read until the new text matches; return it without colours."""
        text, end = "", time.monotonic() + seconds
        while not re.search(pattern, text):
            ready, _, _ = select.select([self.handle], [], [], max(0.0, end - time.monotonic()))
            try:
                data = os.read(self.handle, 65536) if ready else b""
            except OSError:             # Linux says so when the other side is closed
                data = b""
            if not data:
                raise AssertionError(f"{pattern!r} did not come; the screen shows:\n{self.text}")
            new = self._decoder.decode(data)
            self.text += new
            text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text + new)
        return text

    def type(self, line: str) -> None:
        self.typed = line
        os.write(self.handle, f"{line}\n".encode())

    def close(self) -> None:
        """Kill the program if it still runs, and close the terminal."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(20)
        with contextlib.suppress(OSError):
            os.close(self.handle)

    def end(self) -> int:
        """Wait for the end of the program and return its exit code."""
        silences = 0
        while silences < 4:
            ready, _, _ = select.select([self.handle], [], [], 5)
            if not ready:               # a line typed while the terminal changes its mode can get lost
                silences += 1
                self.type(self.typed)
                continue
            try:
                data = os.read(self.handle, 65536)
            except OSError:             # Linux says so when the other side is closed
                data = b""
            if not data:
                return self.process.wait(20)
            self.text += self._decoder.decode(data)
        raise AssertionError(f"the program does not end; the screen shows:\n{self.text}")
