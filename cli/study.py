"""`sfida study`: how much of a game is luck."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from pathlib import Path
from typing import Any

import click

from sfida.ai.arena.schedule import MOST_GAMES
from sfida.ai.seeds import LARGEST_SEED, fresh_seed
from sfida.cli.errors import DONE, LOSSES, Interrupted, stopped
from sfida.cli.file_options import OutputFile, check_outputs
from sfida.cli.output import MOST_JOBS, Number, color_option, json_option, output_for
from sfida.cli.study_tables import tell
from sfida.cli.tournament import keep_or_remove, remove, resume_words
from sfida.cli.tournament_line import TournamentLine
from sfida.engines.files import write_whole
from sfida.engines.wording import counted


@click.command("study")
@click.argument("game")
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("-n", "--games", type=Number(int, 1, MOST_GAMES), metavar="GAMES",
              help="Games to play, rounded up to whole blocks; with --vary of each value.  [default: 120]")
@click.option("--seed", type=Number(int, 0, LARGEST_SEED), metavar="N",
              help="Seed of the chance events and of the agents.  [default: a random one, which is shown]")
@click.option("-j", "--jobs", type=Number(int, 1, MOST_JOBS), default=1, show_default=True, metavar="JOBS",
              help="Number of blocks played at the same time; it does not change the study.")
@click.option("--vary", metavar="OPTION=A,B",
              help="Study the game with each value of an option, on the same luck, and compare them with the first.")
@click.option("--until-clear", is_flag=True,
              help="With --vary, stop as soon as it is clear that each value changes the first seat's share, at the "
                   "latest after -n games.")
@click.option("--store", type=OutputFile(), metavar="FILE",
              help="Save every game in this file, or study those that it holds; with --vary one file for each value, "
                   "such as games.players-3.sfida.")
@click.option("--resume", is_flag=True, help="Play the games that --store lacks.")
@click.option("--csv", type=OutputFile(), metavar="FILE", help="Write all figures to FILE as a table.")
@click.option("--svg", type=OutputFile(), metavar="FILE", help="Draw the study into FILE.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, agents: tuple[str, ...], games: int | None, seed: int | None,
            jobs: int, vary: str | None, until_clear: bool, store: Path | None, resume: bool, csv: Path | None,
            svg: Path | None, quiet: bool, as_json: bool) -> None:
    """Tell how much of a game is luck.

    Agents play a tournament on common luck; what luck was worth is measured by a
    value function. The results then fall into luck, seat, skill and a rest.

    \b
    sfida study carcassonne
    sfida study carcassonne --vary players=2,3,4 --svg players.svg
    sfida study acres greedy greedy:strategy=hammer --vary preset=first,second
    sfida study attila ismcts:iterations=1000 greedy -n 400 --store a.sfida
    sfida study attila --store a.sfida --csv a.csv

    Without agents two of each play, ismcts:iterations=200 and greedy, so that equals
    meet, too: half a minute to some minutes, by the game. A tournament's store can be
    studied, too, if luck was measured in it.
    """
    from sfida.ai.arena.store import Store, is_vacant
    from sfida.ai.registry import agent as make_agent
    from sfida.ai.study.running import AGENTS, GAMES, Plan, play, study_all
    from sfida.ai.study.study import check_luck
    from sfida.ai.study.tables import csv_of
    from sfida.ai.study.variants import variants_of

    output = output_for(context, as_json)
    if resume and store is None:
        raise click.UsageError("--resume needs the store to go on with: --store FILE", context)
    if until_clear and vary is None:
        raise click.UsageError("--until-clear needs something to compare: --vary OPTION=A,B", context)
    variants = variants_of(game, vary)
    for variant in variants:
        check_luck(variant.game)
    path, folder = (store, None) if store is not None else _temporary()
    specs = tuple(make_agent(spec).spec for spec in agents)
    early = False
    paths = [variant.store(path) for variant in variants]
    if store is not None:
        held_specs: list[str] = []
        for one in paths:
            if not is_vacant(one):
                with Store.read(one, trust_agents=True) as held:
                    held_specs += held.setup.agents
        check_outputs(context, *held_specs, store=paths)
    try:
        if resume or all(map(is_vacant, paths)):
            if resume and not is_vacant(paths[0]):
                with Store.read(paths[0], trust_agents=True) as held:
                    seed = held.setup.seed if seed is None else seed
                    games = held.setup.games if games is None else games
                    specs = specs or held.setup.agents
            plan = Plan(variants, specs or AGENTS, games or GAMES, fresh_seed() if seed is None else seed, until_clear)
            for caution in plan.tournament(variants[0], plan.games).cautions(jobs):
                output.note(f"note: {caution}")
            try:
                with TournamentLine(output, quiet) as line:
                    early = play(plan, path, jobs=jobs, resume=resume, on_progress=None if quiet else line.show)
            except (KeyboardInterrupt, *LOSSES) as error:
                words = resume_words(context, plan.seed, plan.games, path)
                raise stopped(error, f"continue with: {words}") from None
        elif games is not None or seed is not None:
            raise click.UsageError(f"{paths[0].name} holds games, which are studied as they are; to play more, add "
                                   "--resume", context)
        with TournamentLine(output, quiet) as line:
            studies = study_all(variants, path, specs, jobs, functools.partial(line.count, "turns looked at"))
    except Interrupted:
        raise
    except BaseException:
        if folder is not None:
            for one in paths:
                keep_or_remove(output, one)
            _remove(folder)
        raise
    if folder is not None:
        for one in paths:
            remove(one)
    named = [(variant.name, study) for variant, study in zip(variants, studies, strict=True)]
    if as_json:
        for name, study in named:
            output.emit({"type": "study", "variant": name or None, **study.to_json(), "difference": (
                None if not name or study is studies[0] else _differences(study, studies[0]))})
    else:
        tell(output, named, early)
    if csv is not None:
        write_whole(csv, csv_of(named))
        output.note(f"{counted(len(named), 'study', 'studies')} written to {csv}.")
    if svg is not None:
        from sfida.ai.study.picture import picture_of

        write_whole(svg, picture_of(named))
        output.note(f"The picture is in {svg}.")
    context.exit(DONE)


def _differences(study: Any, first: Any) -> dict[str, Any]:
    from sfida.ai.study.comparing import differences

    return {name: found.to_json() for name, found in differences(study, first).items()}


def _temporary() -> tuple[Path, Path]:
    folder = Path(tempfile.mkdtemp(prefix="sfida-"))
    return folder / "games.sfida", folder


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
