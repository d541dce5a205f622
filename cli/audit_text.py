"""Audits on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfida.cli.output import Output
from sfida.cli.text import Text
from sfida.engines.wording import counted

if TYPE_CHECKING:
    from sfida.ai.audit.result import Audit, Finding

_NAME = 15              # columns for the name of a check
_MOVES = 12             # most moves of a reproduction that are shown; JSON has all


def tell(output: Output, audit: Audit) -> None:
    """Print an audit: its checks, its findings, and where to see them again."""
    from sfida.ai.audit.result import CHECKS, FOUND, PASSED

    output.line(Text(audit.spec, "bold").append(f"  {audit.sampler}", "not bold"))
    output.wrapped(Text(f"{counted(audit.positions, 'position', 'positions')} of "
                        f"{counted(audit.games, 'random game', 'random games')}, seed {audit.seed}" + (
                        "" if not audit.tests else
                        f"; {counted(audit.tests, 'statistical test', 'statistical tests')} with {audit.samples:,d} "
                        f"worlds, {audit.alpha:g} for a false alarm in all"), "dim"))
    for check in audit.checks:
        style = "bold red" if check.status == FOUND else "green" if check.status == PASSED else "dim"
        said = {FOUND: "FOUND", PASSED: "passed"}.get(check.status, "-")
        more = f"{check.tried:,d} compared" if check.tried else ""
        line = Text(check.name.ljust(_NAME)).append(said.ljust(8), style)
        output.hanging(line.append("; ".join(part for part in (more, check.note) if part), "dim"), _NAME + 8)
    for reason, times in audit.refused.items():
        output.wrapped(Text(f"no world {counted(times, 'time', 'times')}: {reason}", "dim"))
    if audit.unchecked:
        output.wrapped(Text("out of time (--seconds): " + ", ".join(
            f"{times:,d} {what}" for what, times in audit.unchecked.items()), "yellow"))
    for finding in audit.findings:
        output.line()
        _found(output, finding, CHECKS[finding.check])
    if audit.clean and audit.positions:
        output.line("nothing found", "bold green")


def _found(output: Output, finding: Finding, promise: str) -> None:
    where = finding.reproduction
    output.wrapped(Text(f"{finding.check}: ", "bold red").append(finding.what, "not bold red"))
    output.wrapped(Text(f"  broken: {promise}", "dim"))
    often = f"at {counted(finding.times, 'position', 'positions')}" if finding.p is None else (
        f"in {counted(finding.times, 'test', 'tests')}, p = {finding.p:.1g} again with fresh worlds")
    output.wrapped(Text(f"  {often}; the shortest: seat {where.seat} after "
                        f"{counted(len(where.moves), 'event', 'events')}"))
    if where.moves:
        shown = where.moves[-_MOVES:]
        more = "... " if len(shown) < len(where.moves) else ""
        output.wrapped(Text(f"  events: {more}{', '.join(shown)}"))
    for piece in where.differing:
        output.wrapped(Text(f"  {piece}"))
