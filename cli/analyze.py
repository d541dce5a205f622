"""`sfida analyze`: a search of every move in a position."""

from __future__ import annotations

from typing import Any

import click

from sfida.cli import show, show_analysis
from sfida.cli.decision import Decision, about_a_decision, brief, find_decision, heading, thinker
from sfida.cli.errors import DONE, Interrupted
from sfida.cli.file_options import GameOrRecord
from sfida.cli.output import Number, Output, color_option, json_option, output_for
from sfida.cli.speaking import lang_option
from sfida.cli.thinking import ANSWER_NOW, Thinking
from sfida.cli.trust import Trust
from sfida.engines.language import _, ngettext
from sfida.engines.wording import counted


@click.command("analyze")
@click.argument("what", type=GameOrRecord(), metavar="GAME|RECORD")
@about_a_decision
@click.option("--top", type=Number(int, 1), default=12, metavar="N", show_default=True,
              help="How many moves the table shows; JSON output holds all of them.")
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, what: str, until: int | None, number: int, spec: str, seed: int, top: int,
            trust: Trust, as_json: bool) -> None:
    """Analyze a recorded position, or the first decision of a game.

    \b
    sfida analyze carcassonne --agent ismcts:iterations=20000
    sfida analyze game.jsonl --until 40
    sfida analyze game.jsonl --until 40 --agent ismcts:seconds=30 --json
    sfida analyze game.jsonl --agent mo-ismcts:beliefs=256

    The search sees only what the seat to move may see; with beliefs it also weighs
    what the other seats did. Ctrl-C ends it early and shows what it has found so far.
    """
    output = output_for(context, as_json)
    seat = thinker(spec, seed)
    decision = find_decision(output, what, number, until, seed, trust)
    brief(seat, decision)
    with Thinking(output, seat, _("the search"), keep=ANSWER_NOW) as thinking:
        analysis = seat.analyze(decision.view)
    if as_json:
        output.emit({**analysis.to_json(), "ply": decision.ply, "agent": seat.spec, "seed": seed})
    else:
        tell(output, decision, analysis, top)
    if thinking.interrupted:
        raise Interrupted(_("interrupted after {number} iterations; what they found is shown").format(
            number=analysis.iterations))
    context.exit(DONE)


def tell(output: Output, decision: Decision, analysis: Any, top: int) -> None:
    """Print an analysis for people."""
    state, seat = decision.state, decision.seat
    heading(output, decision)
    show.board(output, state, seat)
    show.status(output, state, seat)
    output.raw(state.game.draw_decision(state, color=output.color, width=output.width))
    show_analysis.analysis_table(output, state, analysis, top)
    count = len(analysis.moves)
    if count > top:
        left = counted(count - top, "more move", "more moves")
        said = ngettext("{moves}; --top {number} shows it", "{moves}; --top {number} shows them", count - top)
        output.line(said.format(moves=left, number=count), "dim")
    show_analysis.belief_table(output, analysis)
