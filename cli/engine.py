"""`sfida engine`: one of our agents for other programs, over the line protocol."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from sfida.ai.external.server import serve
from sfida.cli.errors import INTERRUPTED, Failure

DEFAULT_AGENT = "ismcts:iterations=1000"


@click.command("engine")
@click.option("--agent", metavar="AGENT", default=DEFAULT_AGENT, show_default=True, help="Who chooses the moves.")
@click.pass_context
def command(context: click.Context, agent: str) -> None:
    """Let another program ask an agent for moves.

    \b
    sfida engine --agent ismcts:seconds=1
    sfida play carcassonne --seat greedy --seat "exec:sfida engine"

    Requests come in on standard input and answers go out on standard output,
    one JSON object a line; docs/protocol.md describes them. What cannot be
    answered is told by a line of type "error". The program ends with its
    input, or when it is told to quit.

    Positions are trusted: let nobody talk to it whom you would not let run
    programs.
    """
    if sys.stdin is None:
        raise Failure("standard input is closed: no requests can come")
    try:
        with private_stdout() as sink:
            serve(agent, sys.stdin.buffer, sink)
    except KeyboardInterrupt:
        context.exit(INTERRUPTED)


@contextlib.contextmanager
def private_stdout() -> Iterator[BinaryIO]:
    """Give standard output to the block alone: what anybody else writes there goes to standard error."""
    try:
        number = sys.stdout.fileno()
    except (io.UnsupportedOperation, AttributeError):       # a stream of Python, which only `sys.stdout` leads to
        yield sys.stdout.buffer
        return
    sys.stdout.flush()
    kept = os.dup(number)
    try:
        try:
            os.dup2(sys.stderr.fileno(), number)
        except (OSError, ValueError):
            with Path(os.devnull).open("wb") as nothing:
                os.dup2(nothing.fileno(), number)
        with os.fdopen(os.dup(kept), "wb") as sink:
            yield sink
    finally:
        sys.stdout.flush()              # while it still leads elsewhere
        os.dup2(kept, number)
        os.close(kept)
