"""Exit codes, and one line on stderr for everything that goes wrong."""

from __future__ import annotations

import errno
import os
import re
import sys

import click

from sfida.cython_ext.errors import InvalidOption, SfidaError, UnknownAgent, UnknownGame
from sfida.engines.spec import QUOTED, shortened, shown

DONE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 130
_MORE = f"{{{QUOTED + 1},}}"
_LONG = re.compile(rf"'[^']{_MORE}'|\([^()]{_MORE}\)|\S{_MORE}")      # words in quotes or brackets, and single ones


class Failure(click.ClickException):
    """The command could not do what was asked: exit code 1."""

    exit_code = FAILED


class Interrupted(Exception):
    """Ctrl-C came; `message` says what was kept."""

    def __init__(self, message: str = "interrupted") -> None:
        super().__init__(message)
        self.message = message


class OutputClosed(Exception):
    """Whoever read standard output has gone: nothing more can be said there."""


def one_line(text: str) -> str:
    """Return a message as one line without a final full stop, first letter small unless it is a name."""
    line = " ".join(text.split()).removesuffix(".")
    first = line.split(" ", 1)[0]
    return line[:1].lower() + line[1:] if first.isalpha() and first[1:].islower() else line


def _bounded(message: str) -> str:
    """Shorten what click repeats of the command line, which it does in full."""
    message = _LONG.sub(lambda found: shortened(found[0]), message)
    return message if len(message) <= 5 * QUOTED else shortened(message, 2 * QUOTED)


def explain_os_error(error: OSError) -> str:
    """Return what the system refused, with the file it was about."""
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is not None:
        return f"{shown(os.fsdecode(error.filename))}: {reason}"
    return f"cannot write the output: {reason}" if error.errno == errno.ENOSPC else reason


def report(error: BaseException) -> int:
    """Print one line for an error and return the exit code; re-raise what is a fault of the program."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, SystemExit) and "_SFIDA_COMPLETE" not in os.environ:
        return DONE                     # so click itself gives up on a closed pipe
    if isinstance(error, (BrokenPipeError, OutputClosed)):
        return DONE                     # the reader has seen all it wanted
    if isinstance(error, Interrupted):
        say(error.message)
        return INTERRUPTED
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        say("interrupted")
        return INTERRUPTED
    if isinstance(error, click.UsageError):
        hint = f" (see: {error.ctx.command_path} --help)" if error.ctx is not None else ""
        say(_bounded(one_line(error.format_message())) + hint)
        return USAGE
    if isinstance(error, click.ClickException):
        say(one_line(error.format_message()))
        return error.exit_code
    if isinstance(error, SfidaError):
        say(one_line(str(error)))
        return USAGE if isinstance(error, (InvalidOption, UnknownAgent, UnknownGame)) else FAILED
    if isinstance(error, OSError):
        say(one_line(explain_os_error(error)))
        return FAILED
    if isinstance(error, MemoryError):
        say("not enough memory")
        return FAILED
    raise error


def say(message: str) -> None:
    """Print one error line; a closed stderr is nobody's trouble."""
    try:
        click.echo(f"error: {message}", err=True)
    except OSError:
        quieten(sys.stderr)


def quieten(stream: object) -> None:
    """Send what is still buffered in a broken stream nowhere, so that the exit of Python stays silent."""
    try:
        number = stream.fileno()        # type: ignore[attr-defined]
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, number)
        os.close(sink)
    except (OSError, ValueError, AttributeError):
        pass
