"""Lines that a person types or that standard input delivers."""

from __future__ import annotations

import contextlib
import importlib
import sys

from sfida.cli.output import is_terminal, write
from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.language import _
from sfida.engines.visible import visible

LONGEST = 10_000                # most characters of a line
_MOST_LOST = 1000               # most pieces of that size that are skipped to find the end of a line


class InputEnded(Exception):
    """Standard input has no more lines."""


class Lines:
    """Reads lines; prompts only at a terminal.

    Parameters
    ----------
    on_stderr : bool
        Write prompts to standard error, because standard output carries something else.
    """

    def __init__(self, on_stderr: bool = False) -> None:
        self._on_stderr = on_stderr
        stream = sys.stderr if on_stderr else sys.stdout
        self.terminal: bool = is_terminal(sys.stdin) and is_terminal(stream)
        if self.terminal and not on_stderr:
            with contextlib.suppress(ImportError):
                importlib.import_module("readline")         # line editing and history in input()

    def read(self, prompt: str) -> str:
        """Return the next line.

        Raises
        ------
        InputEnded
        InvalidNotation
            If the line is too long to have a meaning.
        """
        prompt = visible(prompt)
        if not self.terminal or self._on_stderr:
            if self.terminal:
                write(sys.stderr, prompt)
            return _next_line()
        try:
            return _bounded(input(prompt))
        except EOFError:
            write(sys.stdout, "\n")
            raise InputEnded from None


def _next_line() -> str:
    """Read a line in pieces; give up on a line without an end."""
    line = sys.stdin.readline(LONGEST + 1) if sys.stdin is not None else ""
    if not line:
        raise InputEnded
    if len(line) > LONGEST:
        piece = line
        for _ in range(_MOST_LOST):
            if not piece or piece.endswith("\n"):
                break
            piece = sys.stdin.readline(LONGEST)
        else:
            raise InputEnded
    return _bounded(line)


def _bounded(line: str) -> str:
    if len(line) > LONGEST:
        raise InvalidNotation(_("the line is too long: {most} characters are read at most").format(most=LONGEST))
    return line
