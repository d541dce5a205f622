"""Lines that a person types or that standard input delivers, and the question before foreign code runs."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

from sfida.ai.registry import foreign_code
from sfida.cli.errors import Failure
from sfida.cli.output import Output, is_terminal, write
from sfida.cython_ext.errors import InvalidNotation
from sfida.engines.language import NP_, _, counted, ngettext, spellings
from sfida.engines.records import GameRecord
from sfida.engines.untrusted import visible

# ---- Lines that a person types or that standard input delivers

LONGEST = 10_000                # maximum number of characters in a line
YES = NP_("answer", "y|yes")
_MOST_LOST = 1000               # maximum number of pieces of that length skipped to find the end of a line


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
            If the line is longer than any valid input.
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
    """Read a line in pieces; give up on a line that does not end."""
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


# ---- Asking before code named by a file runs: programs, and games and agents of other packages

Command = TypeVar("Command", bound=Callable[..., Any])


class Trust:
    """The code that a person allows files to run.

    Parameters
    ----------
    everything : bool
        Allow everything without asking.
    """

    def __init__(self, everything: bool = False) -> None:
        self._everything = everything
        self._granted: set[tuple[str, str]] = set()

    @property
    def everything(self) -> bool:
        """Whether everything is allowed without asking."""
        return self._everything

    def grant(self, game: str | None, agents: Iterable[str] = ()) -> None:
        """Allow specs that the person has typed."""
        self._granted.update(foreign_code(game, agents))

    def record(self, record: GameRecord, *, seats: bool = False) -> GameRecord:
        """Return a record that may run the code it names.

        Parameters
        ----------
        record : GameRecord
        seats : bool
            Whether its agents will play, too.

        Raises
        ------
        Failure
            If the record names code that is not Sfida's own, and the person refuses to run it or cannot be asked.
        """
        self._ask(record.where, foreign_code(record.game, record.seats if seats else ()))
        return record.trusting()

    def game(self, spec: str, where: str) -> None:
        """Make sure that the game of a store may run; raises Failure."""
        self._ask(where, foreign_code(spec))

    def _ask(self, where: str, found: Sequence[tuple[str, str]]) -> None:
        named = [pair for pair in found if pair not in self._granted]
        if not named or self._everything:
            return
        told = [f"{spec}  ({_(what)})" for spec, what in named]
        lines = Lines(on_stderr=True)
        if not lines.terminal:
            raise Failure(_("{where} names code that is not Sfida's own: {code}; --trust-agents lets it run").format(
                where=where, code=visible("; ".join(told))))
        screen = Output().to_stderr()
        screen.line(_("{where} names code that is not Sfida's own:").format(where=where))
        for line in told:
            screen.line(f"  {line}")
        try:
            answer = lines.read(ngettext("Run it? [y/N]", "Run them? [y/N]", len(told)) + " ")
        except InputEnded:
            answer = ""
            screen.line()
        if answer.strip().lower() not in spellings(YES, "answer"):
            raise Failure(ngettext("nothing was run: {where} names {pieces} of code that is not Sfida's own",
                                   "nothing was run: {where} names {pieces} of code that are not Sfida's own",
                                   len(told)).format(where=where, pieces=counted(len(told), "piece", "pieces")))
        self._granted.update(named)


def trust_option(command: Command) -> Command:
    """Add `--trust-agents`; the command is given a `Trust`."""
    return click.option("--trust-agents", "trust", is_flag=True, callback=lambda _context, _option, on: Trust(on),
                        help="Run the programs, and the games and agents of other packages, that the file names. "
                             "Otherwise you are asked at a terminal, and without a terminal they are refused.")(command)
