"""`sfida analyze`, `hint` and `why`: a search of every move, the move to play, and the reasons against a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from sfida.ai.advice import compare, holdable
from sfida.ai.analysis import follow, reasons_of
from sfida.ai.chance import LARGEST_AGENT_SEED, SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat, observations
from sfida.cli import show, show_analysis
from sfida.cli.errors import DONE, Failure, Interrupted
from sfida.cli.file_options import GameOrRecord, names_a_record, recorded_game
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import Number, Output, color_option, json_option, lang_option, output_for, sentence
from sfida.cli.progress import ANSWER_NOW, Thinking
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.state import GameState, View
from sfida.engines.language import _, counted, ngettext
from sfida.engines.moves import Choices
from sfida.engines.records import GameRecord
from sfida.engines.registry import make
from sfida.engines.spec import quoted

# ---- The decision that all three commands analyze: options, position, agent

DEFAULT_AGENT = "ismcts:seconds=5"
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class NextDecision:
    """A position in which a seat has to decide.

    Attributes
    ----------
    state : GameState
        The true state; agents are given `view`.
    moves : tuple of str
        All earlier moves in notation, chance events included.
    """

    state: GameState
    moves: tuple[str, ...]

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(self.state.to_move)

    @property
    def view(self) -> View:
        """The view of that seat."""
        return self.state.view(self.seat)

    @property
    def ply(self) -> int:
        """The number of moves before the decision."""
        return len(self.moves)


def about_a_decision(command: Command) -> Command:
    """Add the options that choose a decision and the agent that analyzes it."""
    for option in (
        click.option("--seed", type=Number(int, 0, LARGEST_AGENT_SEED), default=0, metavar="N", show_default=True,
                     help="Seed of the search, and of the chance events before the first decision of a GAME."),
        click.option("--agent", "spec", default=DEFAULT_AGENT, metavar="AGENT", show_default=True,
                     help="Agent that analyzes the position, with its budget."),
        click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
                     help="Number of the game in the file, counted from 1."),
        click.option("--until", type=Number(int, 0), metavar="M",
                     help="Take the position after M moves, chance events counted.  [default: the last decision]"),
        trust_option,
    ):
        command = option(command)
    return command


def find_decision(output: Output, what: str, number: int, until: int | None, seed: int, trust: Trust) -> NextDecision:
    """Return the decision that the arguments name.

    Parameters
    ----------
    output : Output
        Receives a note if a position other than the requested one is taken.
    what : str
        Path of a record, or name of a game.
    number : int
        Number of the game in the file, from 1.
    until : int or None
        Moves before the decision; None: the last decision of a record.
    seed : int
        Seed of the chance events before the first decision of a game given by name.
    trust : Trust
        The code that a record may run.
    """
    if names_a_record(what):
        return _recorded(output, trust.record(recorded_game(Path(what), number)), until)
    return _first(what, number, until, seed)


def thinker(spec: str, seed: int) -> Seat:
    """Return the seat that analyzes; raises InvalidOption if its agent cannot analyze a position."""
    seat = Seat(make_agent(spec, seed))
    if not seat.analyzes:
        raise InvalidOption(_("agent {agent} chooses without an analysis; name one that searches, such as {other}")
                            .format(agent=quoted(spec), other=DEFAULT_AGENT))
    return seat


def brief(seat: Seat, decision: NextDecision) -> None:
    """Give an agent that keeps beliefs the observations of its seat so far."""
    seat.begin()
    if seat.listens:
        for event in observations(decision.state.game, decision.moves, decision.seat):
            seat.observe(event)


def heading(output: Output, decision: NextDecision) -> None:
    """Print the seat that decides and the number of moves before the decision."""
    show.rule(output, sentence(_("{seat} to move after move {ply}"), ply=decision.ply,
                               seat=show.seat_text(decision.state.game, decision.seat)))


def _recorded(output: Output, record: GameRecord, until: int | None) -> NextDecision:
    state = record.replay(until)
    ply = len(record.moves) if until is None else until
    if until is None and state.to_move < 0:
        # No position was requested: take the last one in which a seat decides.
        while ply and state.to_move < 0:
            ply -= 1
            state = record.replay(ply)
        if state.to_move >= 0:
            output.note(_("The last decision of the record is analyzed, after move {ply}.").format(ply=ply))
    while state.is_chance and ply < len(record.moves):
        ply += 1
        state = record.replay(ply)
        output.note(_("Luck decides after move {before}; the decision after move {ply} is analyzed.").format(
            before=ply - 1, ply=ply))
    if state.is_over:
        raise InvalidRecord(_("{where}: the game is over after move {ply}; there is nothing to decide").format(
            where=record.where, ply=ply))
    if state.is_chance:
        raise InvalidRecord(_("{where}: luck decides after move {ply}, and the record ends there").format(
            where=record.where, ply=ply))
    return NextDecision(state, record.moves[:ply])


def _first(what: str, number: int, until: int | None, seed: int) -> NextDecision:
    state = make(what)
    if number != 1:
        raise click.UsageError(_("--game counts the games of a file; a game given by name is analyzed at its first "
                                 "decision"))
    if until is not None:
        raise click.UsageError(_("--until counts the moves of a record; a game given by name is analyzed at its first "
                                 "decision"))
    luck, moves = SeededChance(seed), []
    while state.is_chance:
        outcome = luck.draw(state)
        moves.append(state.format(outcome))
        state.apply(outcome)
    if state.is_over:
        raise Failure(_("in {game} there is nothing to decide").format(game=quoted(what)))
    return NextDecision(state, tuple(moves))


# ---- `sfida analyze`: a search of every move in a position


@click.command("analyze")
@click.argument("what", type=GameOrRecord(), metavar="GAME|RECORD")
@about_a_decision
@click.option("--top", type=Number(int, 1), default=12, metavar="N", show_default=True,
              help="How many moves the table shows; JSON output holds all of them.")
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, what: str, until: int | None, number: int, spec: str, seed: int, top: int,
            trust: Trust, as_json: bool) -> None:
    """Analyze a recorded position, or the first decision of a game.

    \b
    sfida analyze carcassonne --agent ismcts:iterations=20000
    sfida analyze game.jsonl --until 40
    sfida analyze game.jsonl --until 40 --agent ismcts:seconds=30 --json
    sfida analyze game.jsonl --agent mo-ismcts:beliefs=256

    The search sees only what the seat to move may see; with beliefs it also weighs
    what the other seats did. Ctrl-C ends it early and shows what it has found so far.
    """
    output = output_for(context, as_json)
    seat = thinker(spec, seed)
    decision = find_decision(output, what, number, until, seed, trust)
    brief(seat, decision)
    with Thinking(output, seat, _("the search"), keep=ANSWER_NOW) as thinking:
        analysis = seat.analyze(decision.view)
    if as_json:
        output.emit({**analysis.to_json(), "ply": decision.ply, "agent": seat.spec, "seed": seed})
    else:
        tell(output, decision, analysis, top)
    if thinking.interrupted:
        raise Interrupted(_("interrupted after {number} iterations; what they found is shown").format(
            number=analysis.iterations))
    context.exit(DONE)


def tell(output: Output, decision: NextDecision, analysis: Any, top: int) -> None:
    """Print an analysis for people."""
    state, seat = decision.state, decision.seat
    heading(output, decision)
    show.board(output, state, seat)
    show.status(output, state, seat)
    output.raw(state.game.draw_decision(state, color=output.color, width=output.width))
    show_analysis.analysis_table(output, state, analysis, top)
    count = len(analysis.moves)
    if count > top:
        left = counted(count - top, "more move", "more moves")
        said = ngettext("{moves}; --top {number} shows it", "{moves}; --top {number} shows them", count - top)
        output.line(said.format(moves=left, number=count), "dim")
    show_analysis.belief_table(output, analysis)


# ---- `sfida hint`: the move to play, and its expected result


@click.command("hint")
@click.argument("what", type=GameOrRecord(), metavar="GAME|RECORD")
@about_a_decision
@json_option
@lang_option
@color_option
@click.pass_context
def hint_command(context: click.Context, what: str, until: int | None, number: int, spec: str, seed: int,
            trust: Trust, as_json: bool) -> None:
    """Suggest the move to play in a recorded position or a new game.

    \b
    sfida hint carcassonne
    sfida hint game.jsonl --until 40
    sfida hint game.jsonl --agent ismcts:iterations=20000 --json

    Also shows the win probability and the expected continuation. Use
    'analyze' for a table of all moves, and 'why' to learn what speaks against another
    one. Ctrl-C ends the search early and shows what it has found so far.
    """
    output = output_for(context, as_json)
    seat = thinker(spec, seed)
    decision = find_decision(output, what, number, until, seed, trust)
    brief(seat, decision)
    game = decision.state.game
    with Thinking(output, seat, _("the search"), keep=ANSWER_NOW) as thinking:
        analysis = seat.analyze(decision.view)
    best = analysis.best
    line = follow(decision.view, best.pv, seed)
    if as_json:
        output.emit({"type": "hint", "seat": analysis.seat, **best.to_json(),
                     "words": game.describe_move(decision.state, best.code),
                     "reasons": reasons_of(game, line).to_json(), "line": [ply.to_json() for ply in line.plies],
                     "iterations": analysis.iterations, "seconds": analysis.seconds, "stopped": analysis.stopped,
                     "ply": decision.ply, "agent": seat.spec, "seed": seed})
    else:
        heading(output, decision)
        show_analysis.hint(output, decision.state, analysis, line)
        show_analysis.expected(output, game, analysis)
        show_analysis.line_of_play(output, game, line, _("continues:"))
    if thinking.interrupted:
        raise Interrupted(_("interrupted after {number} iterations; what they found is shown").format(
            number=analysis.iterations))
    context.exit(DONE)


# ---- `sfida why`: the reasons against a move


@click.command("why")
@click.argument("what", type=GameOrRecord(), metavar="RECORD|GAME")
@click.argument("move", metavar="MOVE")
@about_a_decision
@json_option
@lang_option
@color_option
@click.pass_context
def why_command(context: click.Context, what: str, move: str, until: int | None, number: int, spec: str, seed: int,
            trust: Trust, as_json: bool) -> None:
    """Say why not MOVE: show a better move and the refuting reply.

    \b
    sfida why game.jsonl U@0,-2/0 --until 40
    sfida why game.jsonl 3 --until 40 --agent ismcts:iterations=20000
    sfida why tic_tac_toe a2 --json

    MOVE is in the game's notation, or the number that 'analyze' shows for it. Two
    searches are run, one free and one restricted to MOVE, each with the whole budget.
    Ctrl-C ends them early and shows what they have found so far.
    """
    output = output_for(context, as_json)
    seat = thinker(spec, seed)
    holdable(seat.agent)
    decision = find_decision(output, what, number, until, seed, trust)
    code = Choices(decision.state).find_one(move)
    brief(seat, decision)
    with Thinking(output, seat, _("the search"), keep=ANSWER_NOW) as thinking:
        found = compare(seat.agent, decision.view, code)
    if as_json:
        output.emit({**found.to_json(decision.state.game), "ply": decision.ply, "agent": seat.spec, "seed": seed})
    else:
        heading(output, decision)
        show_analysis.comparison(output, decision.state, found)
    if thinking.interrupted:
        raise Interrupted(_("interrupted after {number} iterations; what they found is shown").format(
            number=sum(found.iterations)))
    context.exit(DONE)
