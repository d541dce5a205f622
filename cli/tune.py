"""`sfida tune`: better parameters for an agent, by playing."""

from __future__ import annotations

import contextlib
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfida.ai.arena.schedule import MOST_GAMES
from sfida.ai.chance import LARGEST_SEED, fresh_seed
from sfida.cli.errors import DONE, LOSSES, stopped
from sfida.cli.file_options import OutputFolder
from sfida.cli.games import value_text
from sfida.cli.output import MOST_JOBS, Number, Output, Text, color_option, json_option, output_for, simple_table
from sfida.cli.progress import TournamentLine
from sfida.cli.tournament import tell_forfeits
from sfida.engines.language import counted

if TYPE_CHECKING:
    from sfida.ai.research.tuning.tuning import Tuning, TuningMatch


# ---- The result of a tuning on the screen

_SHOWN = 12             # maximum number of candidates shown
_NAME = 34              # columns for the name of a row


def tell(output: Output, found: Tuning) -> None:
    """Print the candidates, the effects of the parameters, the match, and the spec to use."""
    plan = found.plan
    output.line(Text(str(plan["game"]), "bold").append(
        f"  tuning {plan['agent']}, {counted(found.games, 'game', 'games')}, seed {plan['seed']}", "not bold"))
    if plan["against"] != [plan["agent"]]:
        output.line(f"against {', '.join(plan['against'])}")
    output.line()
    _candidates(output, found)
    _effects(output, found)
    _match(output, found)
    if found.forfeits:
        output.line()
    tell_forfeits(output, found.forfeits)


def _candidates(output: Output, found: Tuning) -> None:
    heads = ("games", "win %", "final %", "estimate", "95 %")
    table = simple_table("candidate", *heads, right=heads)
    table.padding = (0, 1)
    table.columns[0].max_width = _NAME
    for one in found.candidates[:_SHOWN]:
        table.add_row(one.setting, str(one.games), _percent(one.share),
                      "-" if one.fresh is None else _percent(one.fresh), _percent(one.estimate), _ends(one.ci95))
    output.table(table)
    more = len(found.candidates) - _SHOWN
    luck = "Luck-adjusted. " if found.plan["adjusted"] else ""
    output.wrapped(Text(f"{luck}An even share is {_percent(found.even)} %. Estimates learn from the games of all "
                        f"{counted(len(found.candidates), 'candidate', 'candidates')} in "
                        f"{counted(len(found.trials), 'trial', 'trials')}"
                        + (f"; {more} more are not shown" if more > 0 else "") + ".", "dim"))


def _effects(output: Output, found: Tuning) -> None:
    table = simple_table("parameter", "effect, win %", "95 %", right=("effect, win %", "95 %"))
    table.padding = (0, 1)
    for one in found.effects:
        table.add_row(f"{one.name}={value_text(one.value)}", f"{100 * one.share:+.1f}",
                      f"{100 * one.ci95[0]:+.1f} {100 * one.ci95[1]:+.1f}")
    output.line()
    output.table(table)
    output.wrapped(Text("The effect of a value: beyond the mean of those listed of its parameter, over all that the "
                        "others may be.", "dim"))


def _match(output: Output, found: Tuning) -> None:
    output.line()
    if found.match is None:
        output.wrapped("No match: the best found is the agent as given.")
        output.line(Text("Use: ").append(found.use, "bold"))
        return
    match = found.match
    output.wrapped(f"Match of {found.best.spec} against {found.plan['agent']}, "
                   f"{counted(match.games, 'game', 'games')}: {_percent(match.share)} % [{_ends(match.ci95)}], "
                   f"a lead of {match.elo:+.0f} Elo [{match.elo_ci95[0]:+.0f} {match.elo_ci95[1]:+.0f}].")
    output.wrapped(Text(f"{match.text}."))
    output.line()
    output.line(Text("Use: ").append(found.use, "bold"))
    output.wrapped(_reason(match))


def _reason(match: TuningMatch) -> str:
    if match.verdict == "H1":
        return "The match has confirmed it."
    if match.verdict == "H0":
        return "That is the agent as given: the match found no gain."
    if match.forfeited:
        return "That is the agent as given: the match did not decide, and some of its games were forfeited."
    return "That is the agent as given: the match did not decide; with a larger budget it may."


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _ends(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.1f} {100 * interval[1]:.1f}"


# ---- `sfida tune`: better parameters for an agent, by playing


@click.command("tune")
@click.argument("game")
@click.option("--agent", required=True, metavar="SPEC", help="The agent to tune.")
@click.option("--over", required=True, metavar="NAME=LOW..HIGH,NAME=A|B|C",
              help="Its parameters to tune: a range, a list of values, or the name alone for all values it declares.")
@click.option("--against", multiple=True, metavar="SPEC",
              help="Tune against this agent; may be given several times.  [default: the agent as given]")
@click.option("--budget", type=Number(int, 1, MOST_GAMES), default=1000, show_default=True, metavar="GAMES",
              help="Games to play in all, at most.")
@click.option("--games-per-trial", type=Number(int, 1, MOST_GAMES), metavar="GAMES",
              help="Games of a candidate in the search, rounded up to whole blocks.  [default: about 10, more with a "
                   "large budget]")
@click.option("--seed", type=Number(int, 0, LARGEST_SEED), metavar="N",
              help="Seed of everything.  [default: that in --out, otherwise a random one, which is shown]")
@click.option("-j", "--jobs", type=Number(int, 1, MOST_JOBS), default=1, show_default=True, metavar="JOBS",
              help="Number of blocks played at the same time; it does not change the result.")
@click.option("--out", type=OutputFolder("tune.json", "*.sfida*"), metavar="DIR",
              help="Keep all games in this folder, or continue with the tuning that it holds.")
@click.option("--sprt", metavar="elo0=0,elo1=35",
              help="The question of the match that ends the tuning: does the best candidate lead the agent as given by "
                   "elo0 or by elo1?")
@click.option("--adjusted/--no-luck", default=None,
              help="Use luck-adjusted results also in a game that has no value function of its own; or do not "
                   "measure luck at all.  [default: measured where the game has a value function]")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, agent: str, over: str, against: tuple[str, ...], budget: int,
            games_per_trial: int | None, seed: int | None, jobs: int, out: Path | None, sprt: str | None,
            adjusted: bool | None, quiet: bool, as_json: bool) -> None:
    """Tune the parameters of an agent for a game.

    Candidates play against the agent as given, one seat against copies of it, on
    every deal from every seat. The best few play again on fresh luck, and the best
    of these plays a match against the agent as given, which says what it gains.

    \b
    sfida tune attila --agent ismcts --over c_prior=0.3..3,blend=0..1
    sfida tune acres --agent greedy --over "worlds=1|4|16" --against random
    sfida tune my_game --agent my_agent --over depth=1..6,bold -j 2 --out t

    Half of the games are for the search, a fifth for the best few, the rest for the
    match. The same command with the same --out continues after an interruption. Needs
    optuna: pip install 'sfida[tune]'.
    """
    from sfida.ai.arena.sequential import SprtOptions
    from sfida.ai.research.tuning.tuning import held_seed, plan_of, tune

    output = output_for(context, as_json)
    if seed is None and out is not None:
        seed = held_seed(out)
    seed = fresh_seed() if seed is None else seed
    plan = plan_of(game, agent, over, seed=seed, against=against, budget=budget, games_per_trial=games_per_trial,
                   adjusted=adjusted, sprt=None if sprt is None else SprtOptions.parse(sprt))
    for caution in plan.cautions(jobs):
        output.note(f"note: {caution}")
    with tempfile.TemporaryDirectory(prefix="sfida-") if out is None else contextlib.nullcontext(out) as folder:
        try:
            with TournamentLine(output, quiet) as line:
                found = tune(plan, Path(folder), jobs=jobs, on_progress=None if quiet else line.show)
        except (KeyboardInterrupt, *LOSSES) as error:
            raise stopped(error, "nothing is kept without --out DIR" if out is None else
                          f"continue with: {_again(context, seed)}") from None
    if as_json:
        output.emit({"type": "tuning", **found.to_json()})
    else:
        tell(output, found)
    context.exit(DONE)


def _again(context: click.Context, seed: int) -> str:
    """Return the command that continues with a tuning."""
    given = {**context.params, "seed": seed}
    words = ["sfida", "tune", given["game"], "--agent", given["agent"], "--over", given["over"]]
    for spec in given["against"]:
        words += ["--against", spec]
    for name in ("budget", "games_per_trial", "seed", "jobs", "out", "sprt"):
        if given[name] is not None:
            words += [f"--{name.replace('_', '-')}", str(given[name])]
    if given["adjusted"] is not None:
        words.append("--adjusted" if given["adjusted"] else "--no-luck")
    return shlex.join(words)
