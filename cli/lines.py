"""Lines that a person types, or that come through standard input."""

from __future__ import annotations

import contextlib
import importlib
import sys

from sfida.cli.output import is_terminal, write
from sfida.engines.visible import visible


class InputEnded(Exception):
    """Standard input has no more lines."""


class Lines:
    """Reads lines; prompts only where somebody sits.

    Parameters
    ----------
    on_stderr : bool
        Prompts go to standard error, because standard output carries something else.
    """

    def __init__(self, on_stderr: bool = False) -> None:
        self._on_stderr = on_stderr
        stream = sys.stderr if on_stderr else sys.stdout
        self.terminal = is_terminal(sys.stdin) and is_terminal(stream)
        if self.terminal and not on_stderr:
            with contextlib.suppress(ImportError):
                importlib.import_module("readline")         # line editing and history in input()

    def read(self, prompt: str) -> str:
        """Return the next line; raises InputEnded."""
        prompt = visible(prompt)
        if not self.terminal or self._on_stderr:
            if self.terminal:
                write(sys.stderr, prompt)
            line = sys.stdin.readline() if sys.stdin is not None else ""
            if not line:
                raise InputEnded
            return line
        try:
            return input(prompt)
        except EOFError:
            write(sys.stdout, "\n")
            raise InputEnded from None
