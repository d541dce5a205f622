"""`sfida ratings`: the table of a tournament's store, and its games as JSON Lines."""

from __future__ import annotations

import functools
import shlex
from pathlib import Path

import click

from sfida.cli.errors import DONE
from sfida.cli.file_options import REPORT_FILES, InputFile, OutputFile, OutputFolder, check_outputs
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import MOST_JOBS, Number, Output, color_option, json_option, output_for, simple_table
from sfida.cli.progress import TournamentLine
from sfida.cli.tournament import show
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.language import counted


@click.command("ratings")
@click.argument("store", type=InputFile())
@click.option("--import", "source", type=InputFile(dir_okay=False), metavar="FILE",
              help="First add the games of FILE, written by --export, to the store, which is created if missing.")
@click.option("--export", "target", type=OutputFile(), metavar="FILE",
              help="Write all games to FILE (.jsonl or .jsonl.gz), one record per line; an existing file is replaced.")
@click.option("--ladder", is_flag=True, help="Also rate the games one by one on a running ladder (OpenSkill).")
@click.option("--adjusted", is_flag=True,
              help="First measure the luck of all games by this program's value function, and keep it in the store.")
@click.option("-j", "--jobs", type=Number(int, 1, MOST_JOBS), default=1, show_default=True, metavar="JOBS",
              help="Number of processes that measure luck.")
@click.option("--report", type=OutputFolder(*REPORT_FILES), metavar="DIR",
              help="Write a page with figures and CSV files into this folder.")
@trust_option
@json_option
@color_option
@click.pass_context
def command(context: click.Context, store: Path, source: Path | None, target: Path | None, ladder: bool,
            adjusted: bool, jobs: int, report: Path | None, trust: Trust, as_json: bool) -> None:
    """Show the table of a tournament, finished or still running.

    \b
    sfida ratings games.sfida
    sfida ratings games.sfida --report report
    sfida ratings games.sfida --adjusted     measure luck in an older store
    sfida ratings games.sfida --export games.jsonl.gz
    sfida ratings other.sfida --import games.jsonl.gz
    """
    from sfida.ai.arena.store import Store, export_games, import_games
    from sfida.ai.arena.tournament import table_of

    output = output_for(context, as_json)
    if source is not None:
        output.note(f"{counted(import_games(source, store, trust.record), 'game', 'games')} added from {source}.")
    with Store.read(store) as opened:
        trust.game(opened.setup.game, str(store))
        check_outputs(context, opened.setup.game, *opened.setup.agents)
    if adjusted:
        measure_luck(output, store, jobs)
    with Store.read(store, trust_agents=True) as opened:
        standings = table_of(opened)
        if target is not None:
            output.note(f"{counted(export_games(opened, target), 'game', 'games')} written to {target}.")
        data = standings.to_json()
        if ladder:
            data["ladder"] = places(opened)
    show(output, data, standings, store, report)
    if standings.adjusted is None and standings.games:
        output.note("Luck was not measured in these games; to do so: "
                    f"sfida ratings {shlex.quote(str(store))} --adjusted")
    if ladder and not as_json:
        tell_ladder(output, data["ladder"])
    context.exit(DONE)


def measure_luck(output: Output, path: Path, jobs: int) -> None:
    """Measure the luck of all games of a store by the value function of this program."""
    from sfida.ai.arena.store import Store
    from sfida.ai.arena.tournament import measure
    from sfida.ai.luck.value import Value
    from sfida.engines.registry import make_game

    with Store.open(path, trust_agents=True) as opened:
        game = make_game(opened.setup.game)
        if not game.chance_sources:
            raise InvalidOption(f"there is no luck in {game.title} to measure")
        value = Value(game)
        opened.note("value", value.key)
        with TournamentLine(output, quiet=False) as line:
            found = measure(opened, value, jobs, on_progress=functools.partial(line.count, "luck measured"))
        opened.settle()
    output.note(f"Luck measured in {counted(found, 'game', 'games')} by value function {value.key}.")


def places(store: object) -> list[dict[str, object]]:
    """Return the place of each agent on a running ladder, best first."""
    from sfida.ai.arena.ratings import ladder
    from sfida.ai.arena.store import Store
    from sfida.ai.arena.tournament import counted as counted_games

    assert isinstance(store, Store)
    labels = store.setup.labels
    found = zip(labels, ladder(counted_games(store), len(labels)), strict=True)
    return [{"agent": label, "mu": place.mu, "sigma": place.sigma, "ordinal": place.ordinal, "games": place.games}
            for label, place in sorted(found, key=lambda pair: -pair[1].ordinal)]


def tell_ladder(output: Output, ladder: list[dict[str, object]]) -> None:
    """Print a running ladder."""
    right = ("mu", "sigma", "mu - 3 sigma")
    table = simple_table("ladder", *right, right=right)
    for place in ladder:
        table.add_row(str(place["agent"]), *(f"{place[key]:.2f}" for key in ("mu", "sigma", "ordinal")))
    output.line()
    output.table(table)
    output.line("A running ladder depends on the order of the games, and sigma is not a sampling error.", "dim")
