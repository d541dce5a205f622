"""`sfida why`: what speaks against a move."""

from __future__ import annotations

import click

from sfida.ai.why import compare, holdable
from sfida.cli import show_analysis
from sfida.cli.decision import about_a_decision, brief, find_decision, heading, thinker
from sfida.cli.errors import DONE, Interrupted
from sfida.cli.file_options import GameOrRecord
from sfida.cli.output import color_option, json_option, output_for
from sfida.cli.speaking import lang_option
from sfida.cli.thinking import ANSWER_NOW, Thinking
from sfida.cli.trust import Trust
from sfida.engines.choices import Choices
from sfida.engines.language import _


@click.command("why")
@click.argument("what", type=GameOrRecord(), metavar="RECORD|GAME")
@click.argument("move", metavar="MOVE")
@about_a_decision
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, what: str, move: str, until: int | None, number: int, spec: str, seed: int,
            trust: Trust, as_json: bool) -> None:
    """Say why not MOVE: show a better move and the refuting reply.

    \b
    sfida why game.jsonl U@0,-2/0 --until 40
    sfida why game.jsonl 3 --until 40 --agent ismcts:iterations=20000
    sfida why tic_tac_toe a2 --json

    MOVE is in the game's notation, or the number that 'analyze' shows for it. Two
    searches are run, one free and one restricted to MOVE, each with the whole budget.
    Ctrl-C ends them early and shows what they have found so far.
    """
    output = output_for(context, as_json)
    seat = thinker(spec, seed)
    holdable(seat.agent)
    decision = find_decision(output, what, number, until, seed, trust)
    code = Choices(decision.state).find_one(move)
    brief(seat, decision)
    with Thinking(output, seat, _("the search"), keep=ANSWER_NOW) as thinking:
        found = compare(seat.agent, decision.view, code)
    if as_json:
        output.emit({**found.to_json(decision.state.game), "ply": decision.ply, "agent": seat.spec, "seed": seed})
    else:
        heading(output, decision)
        show_analysis.comparison(output, decision.state, found)
    if thinking.interrupted:
        raise Interrupted(_("interrupted after {number} iterations; what they found is shown").format(
            number=sum(found.iterations)))
    context.exit(DONE)
