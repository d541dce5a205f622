"""`sfida tournament`: agents play each other, with error bars."""

from __future__ import annotations

import contextlib
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import rich.text

from sfida.ai.arena.outcome import ForfeitedGames
from sfida.ai.arena.schedule import MOST_GAMES
from sfida.ai.arena.standings import PairStanding, Standings
from sfida.ai.chance import LARGEST_SEED
from sfida.ai.seat import MOST_SECONDS
from sfida.cli.errors import DONE, LOSSES, stopped
from sfida.cli.file_options import REPORT_FILES, OutputFile, OutputFolder
from sfida.cli.output import (
    MOST_JOBS, Number, Output, Text, color_option, json_option, number, output_for, simple_table
)
from sfida.cli.progress import TournamentLine, duration
from sfida.cython_ext.errors import SfidaError
from sfida.engines.language import counted

# ---- The table of a tournament on the screen

WIDE = 90                   # columns of the whole table
NAME = 18                   # minimum columns for the name of an agent
BETWEEN = 2                 # blanks between two columns
SURPRISING = 3.0            # standard errors from which a residual is marked
CERTAIN = 0.05              # p value below which the effect of the seats is shown


def tell(output: Output, standings: Standings) -> None:
    """Print the standings for people: ratings, pairs, seats, and the verdict of a sequential test."""
    output.line(Text(standings.game, "bold").append(
        f"  {standings.mode}, {counted(standings.games, 'game', 'games')} in "
        f"{counted(standings.blocks, 'block', 'blocks')}, seed {standings.seed}", "not bold"))
    if standings.loose:
        output.line(f"{counted(standings.loose, 'game', 'games')} of blocks that are not complete yet "
                    f"{'is' if standings.loose == 1 else 'are'} not counted.", "dim")
    output.line()
    ranking(output, standings)
    without_luck(output, standings)
    pairs(output, standings)
    seats(output, standings)
    if standings.sprt is not None:
        output.line()
        output.wrapped(Text(standings.sprt.text, "bold" if standings.sprt.verdict != "undecided" else ""))
    if standings.forfeits:
        output.line()
    tell_forfeits(output, standings.forfeits)


def tell_forfeits(output: Output, forfeits: Sequence[ForfeitedGames]) -> None:
    """Print why games were forfeited, each reason once."""
    for one in forfeits:
        output.line(Text().append(str(one).removesuffix(one.details), "bold").append(one.details))


def ranking(output: Output, standings: Standings) -> None:
    """Print one line per agent, best rating first; a narrow screen gets fewer columns."""
    columns = ["Elo", "95 %", "games", "win %", "95 % ", "rank", "score", "ms/move"]
    if output.width < WIDE:
        columns = [name for name in columns if name not in ("rank", "ms/move")]
    if any(agent.forfeits for agent in standings.agents):
        columns.append("forfeits")
    table = simple_table("#", "agent", *columns, right=("#", *columns))
    table.padding = (0, 1)
    table.columns[1].min_width = NAME
    for place, index in enumerate(standings.ranking, start=1):
        agent = standings.agents[index]
        low, high = agent.elo_ci95
        cells = {
            "Elo": f"{agent.elo:+.0f}", "95 %": f"{low:+.0f} {high:+.0f}", "games": str(agent.games),
            "win %": f"{100 * agent.win_share:.1f}", "95 % ": f"{100 * agent.ci95[0]:.1f} {100 * agent.ci95[1]:.1f}",
            "rank": f"{agent.mean_rank:.2f}", "score": "-" if agent.mean_score is None else f"{agent.mean_score:.1f}",
            "ms/move": f"{agent.ms_per_move:.3g}" if agent.ms_per_move < 1000 else f"{agent.ms_per_move:.0f}",
            "forfeits": str(agent.forfeits)}
        table.add_row(str(place), agent.label, *(cells[name] for name in columns))
    output.table(table)
    output.line(f"A fair win share is {100 / standings.players:.1f} %. Rank and score are means. Intervals by "
                "bootstrap over blocks; mean Elo 0.", "dim")


def without_luck(output: Output, standings: Standings) -> None:
    """Print the luck-adjusted results beside the win shares with luck, if luck was measured."""
    found = standings.adjusted
    if found is None:
        return
    columns = ["Elo", "95 %", "win %", "95 % ", "luck", "win % with luck"]
    table = simple_table("luck-adjusted", *columns, right=tuple(columns))
    table.padding = (0, 1)
    table.columns[0].min_width = NAME
    for index in standings.ranking:
        agent, fair = standings.agents[index], found.agents[index]
        table.add_row(agent.label, f"{fair.elo:+.0f}", f"{fair.elo_ci95[0]:+.0f} {fair.elo_ci95[1]:+.0f}",
                      f"{100 * fair.win_share:.1f}", f"{100 * fair.ci95[0]:.1f} {100 * fair.ci95[1]:.1f}",
                      f"{100 * fair.luck:+.1f}", f"{100 * agent.win_share:.1f}")
    output.line()
    output.table(table)
    less = "" if found.reach is None else f"Luck-adjusted results vary {found.reach:.2f} times as much. "
    output.line(f"{less}Elo by wins alone. Luck by value function {found.value}.", "dim")


def pairs(output: Output, standings: Standings) -> None:
    """Print for each pair of agents how often the agent of the row finished ahead, and their number of meetings.

    A tie counts half. Columns are numbered like the rows."""
    if len(standings.agents) < 3:
        return
    order = standings.ranking
    cells = {(side.a, side.b): meeting(side) for pair in standings.pairs for side in (pair, pair.turned)}
    cells.update({(a, a): Text("·") for a in order})
    wide = max(len(line) for cell in cells.values() for line in cell.plain.splitlines())
    room = output.width - len(str(len(order))) - BETWEEN - NAME
    across = max(1, room // (wide + BETWEEN))
    for first in range(0, len(order), across):          # further columns follow below
        heads = [str(place) for place in range(first + 1, len(order) + 1)][:across]
        table = simple_table("#", "ahead of", *heads, right=("#", *heads))
        for place, a in enumerate(order, start=1):
            table.add_row(str(place), standings.agents[a].label, *(cells[a, b] for b in order[first:][:across]))
        output.line()
        output.table(table)
    notes = ["below each score: meetings"]
    if not all(pair.games for pair in standings.pairs):
        notes.append("-: they never met")
    if any(pair.surprises(SURPRISING) for pair in standings.pairs):
        notes.append(f"*: more than {number(SURPRISING)} standard errors from what the ratings predict")
    output.wrapped(Text("; ".join(notes).capitalize(), "dim"))


def meeting(pair: PairStanding) -> Text:
    """Return the share of meetings in which the first of a pair finished ahead, and their number; a dash for none."""
    if pair.score is None:
        return Text("-")
    told = Text(f"{100 * pair.score:.0f} %" + ("*" if pair.surprises(SURPRISING) else ""))
    return told.append_text(rich.text.Text(f"\n{pair.games}", "dim"))


def seats(output: Output, standings: Standings) -> None:
    """Print the win share of each seat, and whether the differences may be chance."""
    if not standings.blocks:
        return
    shares = "  ".join(f"{seat.name} {100 * seat.win_share:.1f} %" for seat in standings.seats)
    verdict = "seats matter" if standings.seat_p < CERTAIN else "no seat effect shown"
    output.line()
    output.line(f"Seats: {shares}   ({verdict}, p = {standings.seat_p:.2g})")
    if standings.seat_p < CERTAIN or standings.sides:
        by_seat(output, standings)


def by_seat(output: Output, standings: Standings) -> None:
    """Print the win share of each agent on each seat."""
    names = [seat.name for seat in standings.seats]
    table = simple_table("win % as", *names, right=tuple(names))
    for index in standings.ranking:
        agent = standings.agents[index]
        table.add_row(agent.label, *(
            f"{100 * one.win_share:.1f} ({100 * one.ci95[0]:.1f} {100 * one.ci95[1]:.1f})" if one.games else "-"
            for one in agent.by_seat))
    output.line()
    output.table(table)


# ---- `sfida tournament`: agents play each other, with error bars

MOST_LINEUPS = 20       # maximum number of line-ups that a dry run prints


@click.command("tournament")
@click.argument("game")
@click.argument("agents", nargs=-1, required=True, metavar="AGENT AGENT [AGENT]...")
@click.option("-n", "--games", type=Number(int, 1, MOST_GAMES), metavar="GAMES",
              help="Games to play, rounded up to whole blocks.  [default: 200; with --sprt what the test may need]")
@click.option("--seed", type=Number(int, 0, LARGEST_SEED), metavar="N",
              help="Seed of the chance events and of the agents.  [default: a random one, which is shown]")
@click.option("-j", "--jobs", type=Number(int, 1, MOST_JOBS), default=1, show_default=True, metavar="JOBS",
              help="Number of blocks played at the same time; it does not change the table.")
@click.option("--mode", type=click.Choice(["round-robin", "gauntlet"]), default="round-robin", show_default=True,
              help="Every agent against every other, or the first agent against copies of each of the others.")
@click.option("--mirror", is_flag=True,
              help="In a gauntlet with three or more seats, also play each other agent against copies of the first.")
@click.option("--store", type=OutputFile(), metavar="FILE",
              help="Save every game in this file as soon as it is over.")
@click.option("--resume", is_flag=True, help="Continue the tournament in --store: play only the missing games.")
@click.option("--sprt", metavar="elo0=0,elo1=20",
              help="Stop as soon as a sequential test has decided whether the first agent leads the others by elo0 or "
                   "by elo1 (alpha= and beta= may be given, too).")
@click.option("--adjusted/--no-luck", default=None,
              help="Let --sprt test the luck-adjusted results, also in a game that has no value function of its own; "
                   "or do not measure luck at all.  [default: measured where the game has a value function]")
@click.option("--limit", type=Number(float, 0, MOST_SECONDS), metavar="SECONDS",
              help="Time limit of a decision; an agent that takes longer forfeits the game.  [default: 60, or five "
                   "times the longest decision that an agent's own budget allows]")
@click.option("--strict", is_flag=True, help="Stop at the first forfeit instead of continuing.")
@click.option("--backend", type=click.Choice(["loky", "threading", "dask", "ray"]), default="loky", show_default=True,
              help="The joblib backend that runs the games.")
@click.option("--cluster", metavar="ADDRESS", help="Address of a running dask or ray cluster.")
@click.option("--report", type=OutputFolder(*REPORT_FILES), metavar="DIR",
              help="Write a page with figures and CSV files into this folder.")
@click.option("--dry-run", is_flag=True, help="Play nothing; show the schedule and the time and precision to expect.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, agents: tuple[str, ...], games: int | None, seed: int | None,
            jobs: int, mode: str, mirror: bool, store: Path | None, resume: bool, sprt: str | None,
            adjusted: bool | None, limit: float | None, strict: bool, backend: str, cluster: str | None,
            report: Path | None, dry_run: bool, quiet: bool, as_json: bool) -> None:
    """Play a tournament of agents.

    Every deal is played from every seat, with the same luck for all.

    \b
    sfida tournament carcassonne ismcts greedy random -n 600 -j 2
    sfida tournament carcassonne:players=3 ismcts greedy --store a.sfida
    sfida tournament carcassonne:players=3 ismcts greedy --store a.sfida --resume
    sfida tournament carcassonne ismcts:c=0.9 ismcts --sprt elo0=0,elo1=35
    sfida tournament carcassonne:players=4 ismcts greedy --mode gauntlet
    sfida tournament carcassonne greedy "exec:python3 my_bot.py"

    The game sets the number of seats. Every game goes into the store as soon as it is
    over: Ctrl-C, SIGTERM or a crash loses only unfinished games, and --resume plays
    only the missing ones. An agent that raises, hangs, dies or returns an illegal
    move forfeits the game.
    """
    from sfida.ai.arena.sequential import SprtOptions
    from sfida.ai.arena.store import Store, is_vacant
    from sfida.ai.arena.tournament import Tournament

    output = output_for(context, as_json)
    if resume and store is None:
        raise click.UsageError("--resume needs the store to continue with: --store FILE", context)
    if resume and store is not None and not is_vacant(store):
        with Store.read(store) as held:
            seed = held.setup.seed if seed is None else seed
            games = held.setup.games if games is None else games
    planned = Tournament(game, agents, games, seed, mode=mode, mirror=mirror,
                         sprt=None if sprt is None else SprtOptions.parse(sprt), limit=limit, adjusted=adjusted)
    for caution in planned.cautions(jobs, backend):
        output.note(f"note: {caution}")
    if dry_run:
        tell_forecast(output, planned, jobs)
        context.exit(DONE)
    if report is not None:
        report.mkdir(exist_ok=True)
    if store is not None:
        path, folder = store, None
    else:
        folder = Path(tempfile.mkdtemp(prefix="sfida-"))
        path = folder / "games.sfida"
    try:
        with TournamentLine(output, quiet) as line:
            standings = planned.run(path, jobs=jobs, backend=backend, cluster=cluster, resume=resume, strict=strict,
                                    on_progress=None if quiet else line.show)
    except (KeyboardInterrupt, *LOSSES) as error:
        words = resume_words(context, planned.setup.seed, planned.setup.games, path)
        raise stopped(error, tell_partial(output, path, words)) from None
    except Exception:
        if folder is not None:
            keep_or_remove(output, path)
        raise
    show(output, standings.to_json(), standings, path, report, kept=folder is None)
    if folder is not None:
        remove(path)
    context.exit(DONE)


def show(output: Output, data: dict[str, Any], standings: Any, path: Path, report: Path | None, *,
         kept: bool = True) -> None:
    """Write the result: the table or its JSON, and the report, which names the store if it is kept."""
    from sfida.ai.arena.store import Store
    from sfida.ai.arena.tournament import counted as counted_games

    with Store.read(path, trust_agents=True) as opened:     # the person typed the game, or trusted it when asked
        held = opened.header
        if output.json:
            output.emit({**data, **{key: held[key] for key in ("sfida", "rules_version", "schedule")}})
        else:
            tell(output, standings)
            output.line(f"sfida {held['sfida']}, rules version {held['rules_version']}, schedule {held['schedule']}",
                        "dim")
        if report is not None:
            from sfida.ai.report.page import why_none, write_report

            page = write_report(report, opened.setup, standings, tuple(counted_games(opened)),
                                store=path if kept else None)
            output.note(f"The report is in {page}.")
            if why_none():
                output.note(why_none())


# ---- interrupted ----------------------------------------------------------------------------------------


def resume_words(context: click.Context, seed: int, games: int, path: Path) -> str:
    """Return the command that continues an interrupted tournament or study."""
    given = context.params
    words = ["sfida", str(context.command.name), given["game"], *given["agents"], "-n", str(games), "--seed", str(seed),
             *option_words(given, {"jobs": 1, "mode": "round-robin", "mirror": False, "sprt": None, "adjusted": None,
                                   "limit": None, "vary": None, "until_clear": False, "csv": None, "svg": None,
                                   "strict": False, "backend": "loky", "cluster": None, "report": None},
                          {"adjusted": "--no-luck"})]
    return shlex.join([*words, "--store", str(path), "--resume"])


def option_words(given: Mapping[str, Any], usual: Mapping[str, Any], opposite: Mapping[str, str]) -> list[str]:
    """Return the options of a command line that differ from their defaults.

    Parameters
    ----------
    given : mapping
        The parameters of the command.
    usual : mapping
        The options to return and their defaults.
    opposite : mapping
        The words for flags that are switched off.
    """
    words = []
    for name, default in usual.items():
        value = given.get(name, default)
        if isinstance(value, bool) and value != default:
            words.append(f"--{name.replace('_', '-')}" if value else opposite[name])
        elif value != default:
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    return words


def tell_partial(output: Output, path: Path, words: str) -> str:
    """Print the table so far and return the final message."""
    from sfida.ai.arena.store import Store
    from sfida.ai.arena.tournament import table_of

    if not (path.exists() and path.stat().st_size):
        return "nothing was played yet"
    with Store.read(path, trust_agents=True) as store:
        held = len(store)
        standings = table_of(store)
    if held == 0:
        return f"no game was over yet, start again with: {words}"
    if output.json:
        output.emit({**standings.to_json(), "interrupted": True})
    else:
        tell(output, standings)
    return f"{counted(held, 'game', 'games')} kept, continue with: {words}"


def keep_or_remove(output: Output, path: Path) -> None:
    """After a failure, keep a temporary store if it holds games, and print its path; otherwise delete it."""
    from sfida.ai.arena.store import Store

    try:
        with Store.read(path) as store:
            held = counted(len(store), "game", "games") if len(store) else ""
    except (SfidaError, OSError):
        held = "the games played" if path.exists() else ""
    if held:
        output.note(f"{held} kept in {path}")
    else:
        remove(path)


def remove(path: Path) -> None:
    """Delete a temporary store and its folder."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        path.parent.rmdir()


# ---- dry run --------------------------------------------------------------------------------------------


def tell_forecast(output: Output, planned: Any, jobs: int) -> None:
    """Print the plan of a tournament."""
    from sfida.ai.arena.forecast import forecast

    found = forecast(replace(planned.setup), jobs, game=planned.game)
    if output.json:
        output.emit(found.to_json())
        return
    setup = found.setup
    output.line(Text(setup.game, "bold").append(
        f"  {setup.mode}, {counted(found.games, 'game', 'games')} in {counted(found.blocks, 'block', 'blocks')} of "
        f"{setup.players} (one deal from every seat), seed {setup.seed}, schedule {found.digest}", "not bold"))
    lineups = counted(len(found.lineups), "line-up", "line-ups")
    whole = float(found.rounds).is_integer()
    output.line(f"{lineups} per round, {found.rounds:.4g} rounds{'' if whole else ' (the last one is incomplete)'}:")
    for lineup in found.lineups[:MOST_LINEUPS]:
        output.line("  " + "  |  ".join(lineup))
    if len(found.lineups) > MOST_LINEUPS:
        output.line(f"  ... and {len(found.lineups) - MOST_LINEUPS} more")
    output.line()
    table = simple_table("agent", "games", "win share ±", "Elo ±", "ms/move", right=("games", "win share ±", "Elo ±",
                                                                                     "ms/move"))
    for label, count, width, elo, ms in zip(setup.labels, found.games_per_agent, found.half_width,
                                            found.half_width_elo, found.ms_per_decision, strict=True):
        table.add_row(label, str(count), "-" if width is None else f"{100 * width:.1f} %",
                      "-" if elo is None else f"{elo:.0f}", "unknown" if ms is None else f"{ms:.3g}")
    output.table(table)
    output.line("±: half the 95 % interval at equal strength, as if games were independent; blocks usually do better.",
                "dim")
    if found.expected_seconds is None:
        output.line("The time it takes is unknown.")
    else:
        moves = f", {found.decisions_per_game:.0f} decisions per game" if found.decisions_per_game else ""
        output.line(f"Takes about {duration(found.expected_seconds)} with {counted(jobs, 'job', 'jobs')}{moves}.")
