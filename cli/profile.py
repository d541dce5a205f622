"""`sfida profile`: how fast a search is and where its time goes."""

from __future__ import annotations

import click

from sfida.ai.clock import MOST_SECONDS
from sfida.cli.output import Number, color_option, json_option, output_for
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted

_MOST_THREADS = 64


@click.command("profile")
@click.argument("game")
@click.option("--agent", "spec", default="ismcts", metavar="AGENT", show_default=True,
              help="Agent whose search is measured.")
@click.option("--players", type=Number(int, 1), metavar="N",
              help="Number of players.  [default: the game's]")
@click.option("--seconds", type=Number(float, 0, MOST_SECONDS), default=2.0, metavar="X",
              show_default=True, help="Time to spend on each number of threads.")
@click.option("--threads", metavar="1,2",
              help="Numbers of threads to compare.  [default: 1 and the agent's number of threads]")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, spec: str, players: int | None, seconds: float,
            threads: str | None, as_json: bool) -> None:
    """Measure how fast a search is and where its time goes.

    Shows iterations per second, what further threads gain, the time spent in each step
    and the growth of the tree.

    \b
    sfida profile carcassonne
    sfida profile carcassonne --threads 1,2,4
    sfida profile carcassonne --agent ismcts:iterations=2000 --players 4
    """
    from sfida.ai.profiling import profile
    from sfida.cli.profile_tables import show

    output = output_for(context, as_json)
    counts = None if threads is None else thread_counts(threads)
    found = profile(make_game(game, **({} if players is None else {"players": players})), spec, seconds, counts)
    if not as_json:
        show(output, found)
        return
    for row in found:
        output.emit(row)


def thread_counts(text: str) -> list[int]:
    """Read a list such as "1,2"; raises UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 9 and 1 <= int(part) <= _MOST_THREADS for part in parts):
        raise click.UsageError(f"--threads is a list of whole numbers from 1 to {_MOST_THREADS} such as 1,2, "
                               f"not {quoted(text)}")
    return [int(part) for part in parts]
