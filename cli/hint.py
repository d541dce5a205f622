"""`sfida hint`: the move to play, and its expected result."""

from __future__ import annotations

import click

from sfida.ai.lines import follow
from sfida.ai.reasons import reasons_of
from sfida.cli import show_analysis
from sfida.cli.decision import about_a_decision, brief, find_decision, heading, thinker
from sfida.cli.errors import DONE, Interrupted
from sfida.cli.file_options import GameOrRecord
from sfida.cli.output import color_option, json_option, output_for
from sfida.cli.speaking import lang_option
from sfida.cli.thinking import ANSWER_NOW, Thinking
from sfida.cli.trust import Trust
from sfida.engines.language import _


@click.command("hint")
@click.argument("what", type=GameOrRecord(), metavar="GAME|RECORD")
@about_a_decision
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, what: str, until: int | None, number: int, spec: str, seed: int,
            trust: Trust, as_json: bool) -> None:
    """Suggest the move to play in a recorded position or a new game.

    \b
    sfida hint carcassonne
    sfida hint game.jsonl --until 40
    sfida hint game.jsonl --agent ismcts:iterations=20000 --json

    Also shows the expected share of the win and the expected continuation. Use
    'analyze' for a table of all moves, and 'why' to learn what speaks against another
    one. Ctrl-C ends the search early and shows what it has found so far.
    """
    output = output_for(context, as_json)
    seat = thinker(spec, seed)
    decision = find_decision(output, what, number, until, seed, trust)
    brief(seat, decision)
    game = decision.state.game
    with Thinking(output, seat, _("the search"), keep=ANSWER_NOW) as thinking:
        analysis = seat.analyze(decision.view)
    best = analysis.best
    line = follow(decision.view, best.pv, seed)
    if as_json:
        output.emit({"type": "hint", "seat": analysis.seat, **best.to_json(),
                     "words": game.describe_move(decision.state, best.code),
                     "reasons": reasons_of(game, line).to_json(), "line": [ply.to_json() for ply in line.plies],
                     "iterations": analysis.iterations, "seconds": analysis.seconds, "stopped": analysis.stopped,
                     "ply": decision.ply, "agent": seat.spec, "seed": seed})
    else:
        heading(output, decision)
        show_analysis.hint(output, decision.state, analysis, line)
        show_analysis.expected(output, game, analysis)
        show_analysis.line_of_play(output, game, line, _("goes on:"))
    if thinking.interrupted:
        raise Interrupted(_("interrupted after {number} iterations; what they found is shown").format(
            number=analysis.iterations))
    context.exit(DONE)
