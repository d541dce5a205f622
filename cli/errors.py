"""Exit codes, and one line on standard error for every error."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
import traceback
from collections.abc import Mapping
from types import TracebackType

import click
from click.core import ParameterSource

from sfida.cython_ext.errors import (
    GameFault, InvalidOption, SfidaError, UnknownAgent, UnknownGame, WorkersLost, game_fault
)
from sfida.engines.language import ENGLISH, _, speaking
from sfida.engines.spec import QUOTED, shortened, shown
from sfida.engines.untrusted import visible

DONE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 130
_MORE = f"{{{QUOTED + 1},}}"
_LONG = re.compile(rf"'[^']{_MORE}'|\([^()]{_MORE}\)|\S{_MORE}")      # in quotes, in brackets, and single words
_BLANKS = re.compile("[ \t\n]+")


class Failure(click.ClickException):
    """The command failed: exit code 1."""

    exit_code = FAILED


class Interrupted(Exception):
    """Ctrl-C or SIGTERM was received; `message` says which results were kept."""

    def __init__(self, message: str = "interrupted") -> None:
        super().__init__(message)
        self.message = message


LOSSES = (MemoryError, WorkersLost, GameFault)      # failures after which the same command can continue


def stopped(error: BaseException, kept: str) -> Exception:
    """Return the exception that ends a stopped command; `kept` says which results are kept, and how to continue."""
    if isinstance(error, KeyboardInterrupt):
        return Interrupted(f"interrupted; {kept}")
    return Failure(f"{'not enough memory' if isinstance(error, MemoryError) else error}; {kept}")


class OutputClosed(Exception):
    """The reader of standard output is gone: nothing more can be written there."""


def refuse_given(context: click.Context, reason: str, options: Mapping[str, str]) -> None:
    """Refuse given parameters that have no meaning here; `options` maps them to their spelling. Raises UsageError."""
    for name, typed in options.items():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{typed} does not go with {reason}", context)


def on_one_line(text: str) -> str:
    """Return a text with its lines joined into one."""
    return _BLANKS.sub(" ", text).strip(" ")


def one_line(text: str) -> str:
    """Return a message as one line without a final full stop; it starts in lower case unless a name comes first."""
    line = on_one_line(text).removesuffix(".")
    first = line.split(" ", 1)[0]
    return line[:1].lower() + line[1:] if first.isalpha() and first[1:].islower() else line


def _bounded(message: str) -> str:
    """Shorten the words that click quotes in full from the command line."""
    message = _LONG.sub(lambda found: shortened(found[0]), message)
    return message if len(message) <= 5 * QUOTED else shortened(message, 2 * QUOTED)


def explain_os_error(error: OSError) -> str:
    """Return the reason given by the system, with the file concerned."""
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is not None:
        return f"{shown(os.fsdecode(error.filename))}: {reason}"
    return f"cannot write the output: {reason}" if error.errno == errno.ENOSPC else reason


def report(error: BaseException) -> int:
    """Print one line for an error and return the exit code; re-raise errors of the program itself.

    The line is in the language of the command, which the error's `spoken` holds; click's own errors are in English.
    """
    foreign = isinstance(error, click.UsageError) and type(error) is not click.UsageError
    with speaking(ENGLISH if foreign else getattr(error, "spoken", ENGLISH)):
        return _report(error)


def _report(error: BaseException) -> int:
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, SystemExit) and "_SFIDA_COMPLETE" not in os.environ:
        return DONE                     # click itself exits this way on a closed pipe
    if isinstance(error, (BrokenPipeError, OutputClosed)):
        return DONE                     # the reader has closed its end on purpose
    if isinstance(error, Interrupted):
        say(error.message)
        return INTERRUPTED
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        say(_("interrupted"))
        return INTERRUPTED
    if isinstance(error, click.UsageError):
        hint = "" if error.ctx is None else " " + _("(see: {command} --help)").format(command=error.ctx.command_path)
        say(_bounded(one_line(error.format_message())) + hint)
        return USAGE
    if isinstance(error, click.ClickException):
        say(one_line(error.format_message()))
        return error.exit_code
    fault = game_fault(error)
    if fault is not None:
        say(one_line(str(fault)))
        return FAILED
    if isinstance(error, SfidaError):
        say(one_line(str(error)))
        return USAGE if isinstance(error, (InvalidOption, UnknownAgent, UnknownGame)) else FAILED
    if isinstance(error, OSError):
        say(one_line(explain_os_error(error)))
        return FAILED
    if isinstance(error, MemoryError):
        say(one_line(str(error)) or _("not enough memory"))
        return FAILED
    raise error


def say(message: str) -> None:
    """Print one error line; ignore a closed standard error."""
    try:
        click.echo(visible(f"{_('error:')} {message}"), err=True)
    except OSError:
        quieten(sys.stderr)


def show_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print the traceback of an error in the program or in a package that it runs, with every character visible."""
    with contextlib.suppress(OSError):
        click.echo(visible("".join(traceback.format_exception(kind, error, trace)), keep="\n"), nl=False, err=True)


def quieten(stream: object) -> None:
    """Discard the buffered text of a broken stream, so that Python exits silently."""
    try:
        number = stream.fileno()        # type: ignore[attr-defined]
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, number)
        os.close(sink)
    except (OSError, ValueError, AttributeError):
        pass
