"""`sfida study`: how much of a game is luck."""

from __future__ import annotations

import contextlib
import functools
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfida.ai.arena.schedule import MOST_GAMES
from sfida.ai.chance import LARGEST_SEED, fresh_seed
from sfida.cli.errors import DONE, LOSSES, Interrupted, stopped
from sfida.cli.file_options import OutputFile, check_outputs
from sfida.cli.output import MOST_JOBS, Number, Output, Text, color_option, json_option, output_for, simple_table
from sfida.cli.progress import TournamentLine
from sfida.cli.tournament import keep_or_remove, remove, resume_words, tell_forfeits
from sfida.engines.files import write_whole
from sfida.engines.language import counted

if TYPE_CHECKING:
    from sfida.ai.research.study.study import Estimate, Study


# ---- Studies on the screen

_NAME = 26              # columns for the name of a row
_WIDE_SEATS = 3         # maximum number of seats whose intervals have room for both ends
_ENDS = 6               # maximum number of listed ways to end


def tell(output: Output, studies: Sequence[tuple[str, Study]], early: bool) -> None:
    """Print studies, each with the name of its variant, and the differences from the first one."""
    for number, (name, study) in enumerate(studies):
        if number:
            output.line()
        _head(output, name, study)
        _parts(output, study)
        _course(output, study)
        _seats(output, study)
    if len(studies) > 1:
        _compared(output, studies, early)


def _head(output: Output, name: str, study: Study) -> None:
    output.line(Text(name or study.game, "bold").append(
        f"  {counted(study.games, 'game', 'games')} in {counted(study.blocks, 'block', 'blocks')}, "
        f"seed {study.seed}", "not bold"))
    if study.left_out:
        output.wrapped(Text(f"{counted(study.left_out, 'game', 'games')} left out: of unfinished blocks, of blocks "
                            "with a forfeited game, or of line-ups with a single block.", "dim"))
    tell_forfeits(output, study.forfeits)
    output.line()


def _parts(output: Output, study: Study) -> None:
    from sfida.ai.research.study.study import ALL, PARTS

    table = simple_table("% of the variance", *PARTS, right=PARTS)
    table.padding = (0, 1)
    table.columns[0].max_width = _NAME
    rows = {"all games": ALL} | ({name: name for name in study.lineups} if len(study.lineups) > 1 else {})
    for title, lineup in rows.items():
        table.add_row(title, *(_share(study.figures[f"{part} of {lineup}"]) for part in PARTS))
    output.table(table)
    output.wrapped(Text(f"Luck: what value function {study.value} sees of it, at least. Rest: unseen luck, the agents' "
                        "own random choices, what suits one agent on one seat.", "dim"))


def _course(output: Output, study: Study) -> None:
    from sfida.ai.research.study.study import GRID, LEAD, SURE

    if not study.led:
        return
    found = study.figures
    output.line()
    output.line(f"Turns a game        {_plain(found['turns'])}")
    output.line(f"Lead changes a game {_plain(found['changes'])}   (leading: {100 * LEAD:.0f} % more win probability)")
    output.line(f"The winner leads to the end after {_share(found['led'])} % of the turns, and is {100 * SURE:.0f} % "
                "sure")
    output.line(f"after {_share(found['sure'])} %. Decided games, by the share of their turns played:")
    table = simple_table("after", *(f"{100 * share:.0f} %" for share in (0.25, 0.5, 0.75, 0.9)),
                         right=("25 %", "50 %", "75 %", "90 %"))
    for title, shares in (("the winner leads", study.led), (f"{100 * SURE:.0f} % sure", study.sure)):
        table.add_row(title, *(f"{100 * shares[round(GRID * share)]:.0f} %" for share in (0.25, 0.5, 0.75, 0.9)))
    output.table(table)
    if study.ends:
        games = sum(study.ends.values())
        output.wrapped("Games ended by " + ", ".join(
            f"{reason} ({'nobody' if seat < 0 else study.seats[seat]}) {100 * count / games:.0f} %"
            for (reason, seat), count in list(study.ends.items())[:_ENDS]) + ".")


def _seats(output: Output, study: Study) -> None:
    output.line()
    elo, low, high = (_elo(value) for value in study.first_elo)
    first = study.figures["seat 0"]
    output.wrapped(f"Moving first ({study.seats[0]}): {100 * first.value:+.1f} % [{100 * first.low:+.1f} "
                   f"{100 * first.high:+.1f}] beyond an even share, {elo} [{low} {high}] Elo")
    output.line()
    table = simple_table("luck-adjusted win %", *study.seats, right=study.seats)
    table.padding = (0, 1)
    table.columns[0].max_width = _NAME
    held = {(cell.lineup, cell.agent, cell.seat): cell for cell in study.cells}
    even = 100 / len(study.seats)
    win = _win if len(study.seats) <= _WIDE_SEATS else _short_win
    table.add_row("all games", *(win(even + 100 * one.value, even + 100 * one.low, even + 100 * one.high)
                                 for one in (study.figures[f"seat {seat}"] for seat in range(len(study.seats)))))
    told = ""
    for lineup, agent in dict.fromkeys((cell.lineup, cell.agent) for cell in study.cells):
        row = [held[lineup, agent, seat] for seat in range(len(study.seats))]
        alone = lineup == agent
        if not alone and lineup != told:
            table.add_row(lineup, *("" for _ in row))
        told = lineup
        table.add_row(agent if alone else f"  {agent}",
                      *(win(100 * cell.share, 100 * cell.ci95[0], 100 * cell.ci95[1]) for cell in row))
    output.table(table)


def _compared(output: Output, studies: Sequence[tuple[str, Study]], early: bool) -> None:
    from sfida.ai.research.study.running import differences

    reference, first = studies[0]
    names = [name for name, _ in studies[1:]]
    found = [differences(study, first) for _, study in studies[1:]]
    output.line()
    table = simple_table(f"minus {reference}", *names, right=tuple(names))
    table.padding = (0, 1)
    for title, key, scale in (("first seat, %", "first", 100), ("luck, %", "luck", 100), ("seat, %", "seat", 100),
                              ("skill, %", "skill", 100), ("rest, %", "rest", 100), ("turns", "turns", 1),
                              ("lead changes", "changes", 1), ("the winner leads, % of turns", "led", 100),
                              ("the winner is sure, % of turns", "sure", 100)):
        table.add_row(title, *(_signed(one[key], scale) for one in found))
    output.table(table)
    output.wrapped(Text("* where 0 lies outside the 95 % interval, which is that of each one alone."
                        + (" Stopped: the differences of the first seat are clear." if early else ""), "dim"))


def _share(found: Estimate) -> str:
    if not math.isfinite(found.value):
        return "-"
    return f"{_whole(found.value)} [{_whole(found.low)} {_whole(found.high)}]"


def _whole(value: float) -> str:
    return f"{round(100 * value) + 0:d}" if math.isfinite(value) else "?"


def _plain(found: Estimate) -> str:
    return f"{found.value:.1f} [{found.low:.1f} {found.high:.1f}]"


def _signed(found: Estimate, scale: int) -> str:
    if not math.isfinite(found.value):
        return "-"
    value, low, high = (scale * each for each in (found.value, found.low, found.high))
    if not math.isfinite(low):
        return f"{value:+.1f} "
    return f"{value:+.1f} [{low:+.1f} {high:+.1f}]{'*' if found.clear else ' '}"


def _win(share: float, low: float, high: float) -> str:
    """Format a win share in %; a luck-adjusted estimate, which may lie outside 0 to 100 %, is clipped."""
    share, low, high = (min(max(value, 0.0), 100.0) for value in (share, low, high))
    return f"{share:.1f} [{low:.1f} {high:.1f}]"


def _short_win(share: float, low: float, high: float) -> str:
    """Format an estimate with half the width of its interval."""
    return f"{min(max(share, 0.0), 100.0):.0f} ±{(high - low) / 2:.0f}"


def _elo(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else ("+inf" if value > 0 else "-inf")


# ---- `sfida study`: how much of a game is luck


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
    """Show how much of a game is luck.

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
    from sfida.ai.research.study.running import AGENTS, GAMES, StudyPlan, csv_of, play, study_all, variants_of
    from sfida.ai.research.study.study import check_luck

    output = output_for(context, as_json)
    if resume and store is None:
        raise click.UsageError("--resume needs the store to continue with: --store FILE", context)
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
            plan = StudyPlan(variants, specs or AGENTS, games or GAMES, fresh_seed() if seed is None else seed,
                             until_clear)
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
        from sfida.ai.research.study.running import picture_of

        write_whole(svg, picture_of(named))
        output.note(f"The picture is in {svg}.")
    context.exit(DONE)


def _differences(study: Any, first: Any) -> dict[str, Any]:
    from sfida.ai.research.study.running import differences

    return {name: found.to_json() for name, found in differences(study, first).items()}


def _temporary() -> tuple[Path, Path]:
    folder = Path(tempfile.mkdtemp(prefix="sfida-"))
    return folder / "games.sfida", folder


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
