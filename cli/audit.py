"""`sfida audit`: whether a sampler of worlds, or what seats are shown, leaks what a seat cannot know."""

from __future__ import annotations

import functools

import click

from sfida.ai.audit.auditing import ALPHA, POSITIONS, SAMPLES, SECONDS
from sfida.ai.clock import MOST_SECONDS
from sfida.ai.seeds import LARGEST_SEED
from sfida.cli.audit_text import tell
from sfida.cli.errors import DONE, FAILED, Interrupted
from sfida.cli.output import Number, color_option, json_option, output_for
from sfida.cli.tournament_line import TournamentLine


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
    """Tell whether a game's sampler of worlds leaks.

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
    from sfida.ai.audit.auditing import Auditor
    from sfida.ai.audit.subjects import subjects_of

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
