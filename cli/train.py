"""`sfida train`: learns an evaluation and priors from games that an agent plays against itself."""

from __future__ import annotations

import math
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfida.ai.chance import LARGEST_SEED, fresh_seed
from sfida.cli.errors import DONE, LOSSES, stopped
from sfida.cli.file_options import OutputFile, OutputFolder, check_outputs
from sfida.cli.output import MOST_JOBS, Number, Output, color_option, json_option, output_for
from sfida.cli.progress import TournamentLine
from sfida.cli.tournament import option_words, tell_forfeits
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.files import state_folder
from sfida.engines.language import counted
from sfida.engines.spec import shown

if TYPE_CHECKING:
    from sfida.ai.research.training.training import Round
    from sfida.engines.game import Game


# Names of files that a training keeps in its folder (`ai.research.training.training`)
FOLDER_FILES = ("training.json", "self-play-*.npz", "games-*.sfida*", "network-*.json", "match-*.sfida*")


@click.command("train")
@click.argument("game")
@click.option("--recipe", type=click.Choice(["self-play", "search"]),
              help="Learn from games without search, a million of them, or from games of a searching agent.  "
                   "[default: self-play where the game lists sparse inputs]")
@click.option("-n", "--games", type=Number(int, 1, 10**9), metavar="GAMES",
              help="Games of each round, those of a searching agent rounded up to whole blocks.  "
                   "[default: 1000000 without search, 1000 with it]")
@click.option("--rounds", type=Number(int, 1, 1000), metavar="ROUNDS",
              help="Rounds of games, fit and match; each plays with the network of the round before.  "
                   "[default: 1]")
@click.option("--iterations", type=Number(int, 1, 10**9), metavar="N",
              help="Iterations of a decision, of the agent ismcts.  [default: 200]")
@click.option("--agent", metavar="AGENT", help="Agent that plays the games, instead of ismcts; after games "
              "without search, the agent that plays the match.")
@click.option("--against", metavar="AGENT",
              help="Opponent of the first network in its match.  [default: the agent that played]")
@click.option("--candidate", metavar="AGENT",
              help="Agent that plays with a network.  [default: the same agent, with a cutoff if it has none]")
@click.option("--hidden", type=Number(int, 0, 1024), metavar="UNITS",
              help="Hidden units of the network; 0, with search: it is linear.  "
                   "[default: 64 without search, 32 with it]")
@click.option("--mix", type=Number(float, 0, 1), metavar="SHARE",
              help="Share of the game result in the target; the rest is what the search expected.  "
                   "[default: 0.5]")
@click.option("--evaluation/--no-evaluation", default=None,
              help="Learn an evaluation; without it the existing one stays.  [default: evaluation]")
@click.option("--priors/--no-priors", default=None,
              help="Learn which moves are promising, from how searches shared their visits.  "
                   "[default: no priors]")
@click.option("--sprt", metavar="elo0=0,elo1=35",
              help="The sequential test that a network must pass against what was known before.")
@click.option("--no-match", is_flag=True, help="Play no matches; take every network as it is.")
@click.option("--seed", type=Number(int, 0, LARGEST_SEED), metavar="N",
              help="Seed of everything.  [default: a random one, which is kept]")
@click.option("-j", "--jobs", type=Number(int, 1, MOST_JOBS), default=1, show_default=True, metavar="JOBS",
              help="Number of blocks played at the same time; it does not change the result.")
@click.option("--folder", type=OutputFolder(*FOLDER_FILES), metavar="DIR",
              help="Where games, networks and matches are kept.  [default: one for the game among Sfida's own files]")
@click.option("--resume", is_flag=True,
              help="Continue with the training in the folder, with its options: do only what is missing.")
@click.option("--out", type=OutputFile(), metavar="FILE",
              help="Write a network that passed to FILE.  [default: learned.json in the folder]")
@click.option("--ship", is_flag=True, help="Also put it beside the rules of the game, so that it is used by default.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, recipe: str | None, games: int | None, rounds: int | None,
            iterations: int | None, agent: str | None, against: str | None, candidate: str | None,
            hidden: int | None, mix: float | None, evaluation: bool | None, priors: bool | None, sprt: str | None,
            no_match: bool, seed: int | None, jobs: int, folder: Path | None, resume: bool, out: Path | None,
            ship: bool, quiet: bool, as_json: bool) -> None:
    """Learn an evaluation and priors of a game from self-play.

    A network learns what a position is worth, from a million games in which every
    seat looks one move ahead, or from a thousand games of a searching agent, which
    also teach priors of moves. The network plays a match against the evaluation used
    so far and is kept if it passes a sequential test.

    \b
    sfida train zarahemla:players=3 -j 2
    sfida train carcassonne:players=2 --games 2000 --rounds 3 --iterations 100
    sfida train zarahemla:players=3 --resume --games 3000
    sfida play zarahemla --seat human --seat ismcts:knowledge=learned.json

    Ctrl-C keeps everything, and --resume continues. Any game can be trained that lists
    features (docs/measure/training.md), also one written in Python.
    """
    from sfida.ai.registry import agent as make_agent
    from sfida.ai.research.training.training import (
        SEARCH, USUAL, TrainingPlan, cautions, kept_choices, train, with_knowledge
    )
    from sfida.engines.learned import FILE_NAME, write_learned
    from sfida.engines.registry import make_game

    output = output_for(context, as_json)
    if agent is not None and iterations is not None:
        raise click.UsageError("--iterations is for the agent ismcts; with --agent, say it there", context)
    if no_match and (sprt is not None or ship):
        raise click.UsageError(f"{'--ship' if ship else '--sprt'} needs a match: leave --no-match out", context)
    engine = make_game(game)
    kept = default_folder(engine.spec()) if folder is None else folder
    player = agent if agent is not None else None if iterations is None else f"ismcts:iterations={iterations}"
    asked = {"recipe": recipe, "games": games, "rounds": rounds, "hidden": hidden, "mix": mix, "sprt": sprt,
             "seed": seed, "evaluation": evaluation, "priors": priors,
             **{name: make_agent(spec).spec for name, spec in (
                 ("agent", player), ("against", against), ("candidate", candidate)) if spec is not None}}
    choices = {**USUAL, **(kept_choices(kept, engine) if resume else {}),
               **{name: value for name, value in asked.items() if value is not None}}
    for name in ("against", "candidate"):
        choices.setdefault(name, choices["agent"])
    if choices["seed"] is None:
        choices["seed"] = fresh_seed()
    plan = TrainingPlan.of(engine, {**choices, "sprt": None} if no_match else choices)
    if mix is not None and plan.recipe != SEARCH:
        raise click.UsageError(f"--mix is for games of a searching agent: --recipe {SEARCH}", context)
    for caution in cautions(plan, jobs):
        output.note(f"note: {caution}")
    beside = shipped_file(engine) if ship else None
    target = kept / FILE_NAME if out is None else out
    check_outputs(context, plan.agent, plan.against, plan.candidate,
                  **({"folder": (kept,), "out": (target,)} if kept.exists() else {}))
    try:
        with TournamentLine(output, quiet) as line:
            outcome = train(plan, kept, jobs=jobs, resume=resume,
                            on_progress=None if quiet else lambda title, progress: line.show(progress, title),
                            on_count=line.count,
                            on_round=None if as_json else lambda found: tell(output, found))
    except (KeyboardInterrupt, *LOSSES) as error:
        raise stopped(error, f"everything is kept, continue with: {resume_words(context, kept)}") from None
    if outcome.learned is not None:
        for path in (target, beside):
            if path is not None:
                write_learned(path, outcome.learned)
    if as_json:
        output.emit({"type": "training", "game": engine.spec(), "command": plan.command, "folder": str(kept),
                     "file": None if outcome.learned is None else str(target),
                     "rounds": [found.to_json() for found in outcome.rounds]})
    elif outcome.learned is None:
        output.line(f"No network passed, so none is written; all of them are in {kept}.")
    else:
        output.line(f"Written to {target}" + ("." if beside is None else f" and to {beside}: it is used from now on."))
        output.line(f"To play against it: sfida play {engine.spec()} --seat human --seat "
                    f"{shlex.quote(with_knowledge(plan.candidate, target, engine).spec)}")
    context.exit(DONE)


def default_folder(spec: str) -> Path:
    """Return the folder in which the training of a game is kept."""
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", spec)
    return state_folder() / "training" / name


def shipped_file(game: Game) -> Path:
    """Return the file beside the rules of a game from which its learned evaluation and priors are loaded.

    Raises
    ------
    InvalidOption
        If nothing can be written there, or another game has its file there.
    """
    from sfida.engines.learned import path_beside, read_learned

    path = path_beside(type(game))
    if path is None or not os.access(path.parent, os.W_OK):
        raise InvalidOption(f"nothing can be written beside the rules of {game.title}: leave --ship out")
    if path.exists() and (other := read_learned(path).game) != game.name:
        raise InvalidOption(f"{shown(path)} is what '{other}' has learned: leave --ship out, or give {game.title} a "
                            "folder of its own")
    return path


def resume_words(context: click.Context, folder: Path) -> str:
    """Return the command that continues with an interrupted training."""
    usual = {"jobs": 1, "no_match": False, "out": None, "ship": False}
    return shlex.join(["sfida", "train", context.params["game"], *option_words(context.params, usual, {}),
                       "--folder", str(folder), "--resume"])


def tell(output: Output, found: Round) -> None:
    """Print the result of a round."""
    from sfida.ai.arena.standings import lead_of
    from sfida.ai.research.training.self_play import SelfPlayFit

    fit, priors = found.fit, found.priors
    if isinstance(fit, SelfPlayFit):
        output.line(f"Round {found.number}: {counted(fit.positions, 'position', 'positions')} of "
                    f"{counted(found.games, 'game', 'games')} without search learned in {fit.hours:.1f} hours", "bold")
        output.line(f"  Log loss of what followed: {fit.curve[0][1]:.4f} at the start, {fit.curve[-1][1]:.4f} at the "
                    f"end. In whole numbers a win share differs by {found.error:.4f} at most.")
    elif fit is not None:
        output.line(f"Round {found.number}: {counted(fit.positions, 'position', 'positions')} of "
                    f"{counted(found.games, 'game', 'games')} learned in "
                    f"{counted(fit.epochs, 'epoch', 'epochs')}, {fit.held_out} held out", "bold")
        known = "" if math.isnan(fit.present_loss) else f"; the evaluation used so far {fit.present_loss:.4f}"
        output.line(f"  Log loss of the results held out: {fit.result_loss:.4f}{known}. In whole numbers a win share "
                    f"differs by {found.error:.4f} at most.")
    if priors is not None:
        words = (f"{counted(priors.decisions, 'decision', 'decisions')} of "
                 f"{counted(found.games, 'game', 'games')} learned, {priors.held_out} held out")
        output.line(*((f"Round {found.number}: {words}", "bold") if fit is None else (f"  Priors: {words}.",)))
        output.line(f"  Log loss of visits held out: {priors.loss:.4f}; hand-written priors {priors.hand_loss:.4f}.")
    if found.match is not None and found.match.sprt is not None:
        new, old = found.match.agents if found.match.adjusted is None else found.match.adjusted.agents
        lead = lead_of(found.match)
        output.line(f"  Match: {counted(found.match.games, 'game', 'games')}, "
                    f"{'luck-adjusted ' if lead.fair else ''}win share {100 * new.win_share:.1f} % against "
                    f"{100 * old.win_share:.1f} %, {lead} Elo.")
        words = {"H1": "passed", "H0": "not passed"}.get(found.match.sprt.verdict, "undecided, so not passed")
        output.line(f"  Test: {words} (LLR {found.match.sprt.llr:.2f} between {found.match.sprt.lower:.2f} and "
                    f"{found.match.sprt.upper:.2f}).")
    tell_forfeits(output, (*found.forfeits, *(() if found.match is None else found.match.forfeits)))
    output.line(f"  Network: {found.path}")
