"""`sfida engine`: offer an agent to other programs over the line protocol."""

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
@click.option("--agent", metavar="AGENT", default=DEFAULT_AGENT, show_default=True,
              help="Agent that chooses the moves.")
@click.pass_context
def command(context: click.Context, agent: str) -> None:
    """Let another program ask an agent for moves.

    \b
    sfida engine --agent ismcts:seconds=1
    sfida play carcassonne --seat greedy --seat "exec:sfida engine"

    Requests are read from standard input and answers written to standard output,
    one JSON object per line; docs/protocol.md describes them. A request that
    cannot be answered gets a line of type "error". The program ends when its
    input ends or when it is told to quit.

    Positions are trusted: give access only to those whom you would let run
    programs on this machine.
    """
    if sys.stdin is None:
        raise Failure("standard input is closed: no requests can be read")
    try:
        with private_stdout() as sink:
            serve(agent, sys.stdin.buffer, sink)
    except KeyboardInterrupt:
        context.exit(INTERRUPTED)


@contextlib.contextmanager
def private_stdout() -> Iterator[BinaryIO]:
    """Reserve standard output for the block: anything else written there goes to standard error."""
    try:
        number = sys.stdout.fileno()
    except (io.UnsupportedOperation, AttributeError):       # a Python stream that only `sys.stdout` writes to
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
        sys.stdout.flush()              # while it is still redirected
        os.dup2(kept, number)
        os.close(kept)
