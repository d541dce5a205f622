"""`sfida profile`: where the time of a search goes."""

from __future__ import annotations

import click
from rich.text import Text

from sfida.cli.output import Number, color_option, json_option, measures, output_for
from sfida.engines.registry import make_game

ROWS = (
    ("iterations a second", "iterations_per_s", "{:,.0f}"),
    ("time in determinize", "determinize", "{:.1%}"),
    ("time in select", "select", "{:.1%}"),
    ("time in expand", "expand", "{:.1%}"),
    ("time in playout", "playout", "{:.1%}"),
    ("time in backup", "backup", "{:.1%}"),
    ("a playout", "playout_us", "{:.1f} µs"),
    ("depth, mean", "depth_mean", "{:.1f}"),
    ("depth, most", "depth_max", "{:d}"),
    ("nodes", "nodes", "{:,d}"),
    ("tree", "tree_bytes", "{:,d} bytes"),
    ("a node", "bytes_per_node", "{:.1f} bytes"),
)


@click.command("profile")
@click.argument("game")
@click.option("--agent", "spec", default="ismcts", metavar="AGENT", show_default=True, help="Whose search.")
@click.option("--players", type=Number(int, 1), metavar="N",
              help="Number of players.  [default: the game's]")
@click.option("--seconds", type=Number(float, 0), default=2.0, metavar="X",
              show_default=True, help="Time for each number of threads.")
@click.option("--threads", default="1", metavar="1,2", show_default=True,
              help="Numbers of threads to compare.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, spec: str, players: int | None, seconds: float, threads: str,
            as_json: bool) -> None:
    """Measure a search: iterations a second, where the time goes, how the tree grows.

    \b
    sfida profile carcassonne
    sfida profile carcassonne --agent ismcts:c=1 --players 4 --seconds 5
    """
    from sfida.ai.profiling import profile

    output = output_for(context, as_json)
    counts = thread_counts(threads)
    engine = make_game(game, **({} if players is None else {"players": players}))
    measured = []
    for count in counts:
        found = profile(engine, spec, seconds, count)
        measured.append({**found, **found["share"]})
        if as_json:
            output.emit(found)
    if not as_json:
        output.line(Text().append(engine.spec(), "bold").append(f"  {measured[0]['agent']}"))
        heads = [f"{count} thread{'s' if count > 1 else ''}" for count in counts]
        output.table(measures(ROWS, heads, measured))


def thread_counts(text: str) -> list[int]:
    """Read a list such as "1,2"; raises UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= 1024 for part in parts):
        raise click.UsageError(f"--threads is a list of whole numbers from 1 such as 1,2, not '{text}'")
    return [int(part) for part in parts]
