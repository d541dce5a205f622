"""`sfida verify`: whether the luck of a recorded game followed from its seed."""

from __future__ import annotations

from pathlib import Path

import click

from sfida.ai.chance import draws_of
from sfida.cli.errors import DONE, FAILED
from sfida.cli.file_options import InputFile, recorded_game
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import Number, color_option, json_option, lang_option, output_for
from sfida.engines.language import _, ngettext

SHOWN = 10              # most differences in words


@click.command("verify")
@click.argument("record", type=InputFile())
@click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
              help="Number of the game in the file, counted from 1.")
@trust_option
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, record: Path, number: int, trust: Trust, as_json: bool) -> None:
    """Check that every draw and roll of a game followed from its seed.

    \b
    sfida verify game.jsonl
    sfida verify tournament.sfida --game 12

    RECORD is a file of records or the store of a tournament. Nobody can choose the
    luck of a game whose seed was drawn before it, so luck that follows from the seed
    was not tampered with. The exit code is 0 only if all of it does. Luck that was
    typed in from a real table has no seed.
    """
    output = output_for(context, as_json)
    found = list(draws_of(trust.record(recorded_game(record, number))))
    wrong = [draw for draw in found if draw.drawn != draw.due]
    if as_json:
        output.emit({"type": "verified", "draws": len(found), "follow": len(found) - len(wrong),
                     "differences": [{"ply": draw.ply, "drawn": draw.drawn, "due": draw.due} for draw in wrong]})
    else:
        output.line(ngettext("{follow} of {number} draw follows from the seed",
                             "{follow} of {number} draws follow from the seed", len(found)).format(
            follow=len(found) - len(wrong), number=len(found)))
        for draw in wrong[:SHOWN]:
            output.line(_("move {ply}: {drawn} was drawn, and {due} follows from the seed").format(
                ply=draw.ply + 1, drawn=draw.drawn, due=draw.due))
    context.exit(FAILED if wrong else DONE)
