"""`sfida engine`: offer an agent to other programs over the line protocol, and check programs that offer one."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from sfida.ai.external.server import LARGEST_PORT, serve
from sfida.ai.seat import MOST_SECONDS
from sfida.cli.errors import DONE, FAILED, INTERRUPTED, Failure, refuse_given
from sfida.cli.output import Number, Output, Text, color_option, json_option, output_for, simple_table
from sfida.engines.language import counted

if TYPE_CHECKING:
    from sfida.ai.external.checking import CheckOutcome

DEFAULT_AGENT = "ismcts:iterations=1000"
LIMIT = 10.0                    # seconds per decision in the checks
_RESULTS = {True: ("pass", "green"), False: ("fail", "bold red"), None: ("-", "dim")}


@click.command("engine")
@click.option("--agent", metavar="AGENT", default=DEFAULT_AGENT, show_default=True,
              help="Agent that chooses the moves.")
@click.option("--listen", "port", type=Number(int, 0, LARGEST_PORT), metavar="PORT",
              help="Serve programs that connect to a port of this computer, instead of standard input; 0: any that is "
                   "free. Seat the agent as socket:PORT. Ctrl-C ends it.")
@click.option("--check", "program", metavar="PROGRAM",
              help="Check that a program keeps to the protocol, instead of serving an agent: a command, or "
                   "socket:PORT. The exit code is 0 only if all checks pass.")
@click.option("--limit", type=Number(float, 0, MOST_SECONDS), default=LIMIT, show_default=True, metavar="SECONDS",
              help="Time limit of a decision in the checks.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, agent: str, port: int | None, program: str | None, limit: float,
            as_json: bool) -> None:
    """Let another program ask an agent for moves, or check such a program.

    \b
    sfida engine --agent ismcts:seconds=1
    sfida play carcassonne --seat greedy --seat "exec:sfida engine"
    sfida engine --listen 4000
    sfida play carcassonne --seat greedy --seat socket:4000
    sfida engine --check "python3 my_bot.py"

    Requests are read from standard input and answers written to standard output,
    one JSON object per line; docs/measure/protocol.md describes them. A request that
    cannot be answered gets a line of type "error". The program ends when its
    input ends or when it is told to quit.

    Positions are trusted: give access only to those whom you would let run
    programs on this machine.
    """
    output = output_for(context, as_json)
    if program is not None:
        refuse_given(context, "--check", {"agent": "--agent", "port": "--listen"})
        passed = check(output, program, limit)
        context.exit(DONE if passed else FAILED)
    refuse_given(context, "serving an agent; it belongs to --check", {"limit": "--limit"})
    if port is not None:
        listen(output, agent, port)
        context.exit(DONE)
    refuse_given(context, "standard input; it belongs to --check and --listen", {"as_json": "--json"})
    if sys.stdin is None:
        raise Failure("standard input is closed: no requests can be read")
    try:
        with private_stdout() as sink:
            serve(agent, sys.stdin.buffer, sink)
    except KeyboardInterrupt:
        context.exit(INTERRUPTED)


def check(output: Output, program: str, limit: float) -> bool:
    """Check a program, print a table, and return whether all checks passed."""
    from sfida.ai.external.checking import CHECKS, check_program

    table = simple_table("check", "result", "what a program must do, and what was found")
    outcomes = []
    for outcome in check_program(program, limit):
        outcomes.append(outcome)
        if output.json:
            output.emit({"type": "check", "check": outcome.check.name, "doc": outcome.check.doc,
                         "passed": outcome.passed, "note": outcome.note, "seconds": round(outcome.seconds, 3)})
            continue
        output.progress(f"{len(outcomes)} of {len(CHECKS)} checks: {outcome.check.name}")
        table.add_row(*_row(outcome))
    passed = sum(outcome.passed is True for outcome in outcomes)
    if output.json:
        output.emit({"type": "checked", "program": program, "checks": len(outcomes), "passed": passed})
    else:
        output.progress("")
        output.table(table)
        output.line()
        output.line(f"{passed} of {counted(len(outcomes), 'check', 'checks')} passed")
    return passed == len(outcomes)


def _row(outcome: CheckOutcome) -> tuple[str, Text, Text]:
    word, style = _RESULTS[outcome.passed]
    found = Text(outcome.check.doc)
    if outcome.passed is False:
        found.append(": ").append(outcome.note, "red")
    elif outcome.note:
        found.append(f" ({outcome.note})")
    return outcome.check.name, Text(word, style), found


def listen(output: Output, agent: str, port: int) -> None:
    """Serve an agent on a port until Ctrl-C."""
    if os.name != "posix":
        raise Failure("--listen needs processes that can be split, which this system does not have; it runs on Linux, "
                      "macOS and other POSIX systems")
    from sfida.ai.external.server import listen as listen_at

    def tell(number: int) -> None:
        if output.json:
            output.emit({"type": "listening", "port": number, "agent": agent})
            return
        output.line(f"{agent} is served as socket:{number}")
        output.note("Programs of yours on this computer can reach it, and are trusted. Ctrl-C ends it.")

    try:
        with contextlib.suppress(KeyboardInterrupt):
            listen_at(agent, port, tell)
    except OSError as error:
        raise Failure(f"port {port} cannot be used: {error.strerror}; name another one") from None


@contextlib.contextmanager
def private_stdout() -> Iterator[BinaryIO]:
    """Reserve standard output for the block; all other output to it goes to standard error."""
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
