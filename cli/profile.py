"""`sfida profile`: where the time of a search goes."""

from __future__ import annotations

import click

from sfida.cli.output import Number, color_option, json_option, output_for, percent, simple_table
from sfida.engines.registry import make_game

PARTS = ("determinize", "select", "expand", "playout", "backup")


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
    columns = ("threads", "iterations/s", *PARTS, "playout µs", "depth", "deepest", "nodes", "bytes/node")
    table = simple_table(*columns, right=columns)
    for count in counts:
        found = profile(engine, spec, seconds, count)
        if as_json:
            output.emit(found)
            continue
        table.add_row(str(count), f"{found['iterations_per_s']:,.0f}",
                      *(percent(found["share"][part]) for part in PARTS), f"{found['playout_us']:.1f}",
                      f"{found['depth_mean']:.1f}", str(found["depth_max"]), f"{found['nodes']:,}",
                      f"{found['bytes_per_node']:.1f}")
    if not as_json:
        output.table(table)


def thread_counts(text: str) -> list[int]:
    """Read a list such as "1,2"; raises UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= 1024 for part in parts):
        raise click.UsageError(f"--threads is a list of whole numbers from 1 such as 1,2, not '{text}'")
    return [int(part) for part in parts]
