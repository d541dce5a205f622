"""`sfida audit`: checks whether a sampler of worlds, or an observation, leaks what a seat cannot know."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import click

from sfida.ai.chance import LARGEST_SEED
from sfida.ai.research.audit.auditing import ALPHA, POSITIONS, SAMPLES, SECONDS
from sfida.ai.seat import MOST_SECONDS
from sfida.cli.errors import DONE, FAILED, Interrupted
from sfida.cli.output import Number, Output, Text, color_option, json_option, output_for
from sfida.cli.progress import TournamentLine
from sfida.engines.language import counted

if TYPE_CHECKING:
    from sfida.ai.research.audit.subject import Audit, Finding


# ---- Audits on the screen

_NAME = 15              # columns for the name of a check
_MOVES = 12             # maximum number of moves shown of a reproduction; JSON has all


def tell(output: Output, audit: Audit) -> None:
    """Print an audit: its checks, its findings, and how to reproduce them."""
    from sfida.ai.research.audit.subject import CHECKS, FOUND, PASSED

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


# ---- `sfida audit`: checks whether a sampler of worlds, or an observation, leaks what a seat cannot know


@click.command("audit")
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--seed", type=Number(int, 0, LARGEST_SEED), default=1, show_default=True, metavar="N",
              help="Root of all random choices: the same seed audits the same positions.")
@click.option("--positions", type=Number(int, 1), default=POSITIONS, show_default=True, metavar="N",
              help="Decisions of random games to look at: of each game any one, and the last.")
@click.option("--samples", type=Number(int, 100), default=SAMPLES, show_default=True, metavar="N",
              help="Worlds drawn for each statistical test.")
@click.option("--alpha", type=Number(float, 0), default=ALPHA, show_default=True, metavar="P",
              help="Most probable that the statistics find anything where nothing is wrong, all tests of a game "
                   "together; the other checks raise no false alarm.")
@click.option("--seconds", type=Number(float, 0, MOST_SECONDS), default=SECONDS, show_default=True, metavar="S",
              help="Time for each game, shared out among the positions; what is left unchecked is said.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, games: tuple[str, ...], seed: int, positions: int, samples: int, alpha: float,
            seconds: float, quiet: bool, as_json: bool) -> None:
    """Check whether a game's sampler of worlds leaks.

    A fair opponent draws what it cannot see. The audit looks for what would let it know:
    worlds to which no history leads, worlds drawn too often, worlds that depend on the
    truth, and whatever a seat is shown that it cannot know. Exit code 0: nothing found,
    1: something found.

    \b
    sfida audit attila
    sfida audit openspiel:game=leduc_poker   Sfida's own sampler for it
    sfida audit pyspiel:game=gin_rummy       OpenSpiel's resample_from_infostate
    sfida audit pyspiel                      every game of OpenSpiel that has it
    sfida audit pettingzoo:env=classic/leduc_holdem_v4   what an environment shows
    sfida audit risiko:players=3 --positions 200 --json

    A statistical finding is confirmed with fresh samples before it counts.
    """
    from sfida.ai.research.audit.auditing import Auditor, subjects_of

    output = output_for(context, as_json)
    if not alpha < 1:
        raise click.UsageError("--alpha is a probability: more than 0 and less than 1", context)
    clean, interrupted = True, False
    try:
        for number, subject in enumerate(subject for game in games for subject in subjects_of(game)):
            with TournamentLine(output, quiet) as line:
                auditor = Auditor(subject, seed=seed, positions=positions, samples=samples, alpha=alpha,
                                  seconds=seconds)
                try:
                    audit = auditor.run(functools.partial(line.count, subject.spec, noun="positions"))
                except KeyboardInterrupt:
                    audit, interrupted = auditor.result(), True
            clean = clean and audit.clean
            if as_json:
                output.emit({"type": "audit", **audit.to_json()})
            else:
                if number:
                    output.line()
                tell(output, audit)
            if interrupted:
                raise Interrupted(f"interrupted; {audit.spec} is audited in part, and no statistical test was judged")
    except KeyboardInterrupt:
        raise Interrupted from None
    context.exit(DONE if clean else FAILED)
