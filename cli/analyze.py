"""`sfida analyze`: what a search thinks of every move in a position."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.cli import show
from sfida.cli.errors import DONE, Failure, Interrupted
from sfida.cli.output import Number, Output, color_option, json_option, output_for
from sfida.cli.recorded import names_a_record
from sfida.cli.thinking import Thinking
from sfida.cython_ext.errors import InvalidOption, InvalidRecord
from sfida.cython_ext.state import GameState
from sfida.engines.record_files import read_record
from sfida.engines.registry import make

DEFAULT_AGENT = "ismcts:seconds=5"


@click.command("analyze")
@click.argument("what", metavar="GAME|RECORD")
@click.option("--until", type=Number(int, 0), metavar="M",
              help="The position after M moves, luck counted.  [default: the last decision]")
@click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
              help="Which game of a file, counted from 1.")
@click.option("--agent", "spec", default=DEFAULT_AGENT, metavar="AGENT", show_default=True,
              help="Who thinks, and for how long.")
@click.option("--seed", type=Number(int, 0), default=0, metavar="N", show_default=True,
              help="Seed of the search, and of luck before the first decision of a GAME.")
@click.option("--top", type=Number(int, 1), default=12, metavar="N", show_default=True,
              help="How many moves the table shows; JSON holds them all.")
@json_option
@color_option
@click.pass_context
def command(context: click.Context, what: str, until: int | None, number: int, spec: str, seed: int, top: int,
            as_json: bool) -> None:
    """Analyze a position of a record, or the first decision of a game.

    \b
    sfida analyze carcassonne --agent ismcts:iterations=20000
    sfida analyze game.jsonl --until 40
    sfida analyze game.jsonl --until 40 --agent ismcts:seconds=30 --json

    The search sees what the seat to move may see, and nothing else. Ctrl-C ends
    it early and shows what it has found so far.
    """
    output = output_for(context, as_json)
    agent: Any = make_agent(spec, seed)
    if not hasattr(agent, "analyze"):
        raise InvalidOption(f"agent '{spec}' chooses without an analysis; take one that searches, such as "
                            f"{DEFAULT_AGENT}")
    if names_a_record(what):
        state, ply = recorded_decision(output, what, number, until)
    else:
        state, ply = first_decision(what, seed, until)
    seat = int(state.to_move)
    with Thinking(output, agent, "the search", keep=True) as thinking:
        analysis = agent.analyze(state.view(seat))
    if as_json:
        output.emit({**finite(analysis.to_json()), "ply": ply, "agent": agent.spec, "seed": seed})
    else:
        tell(output, state, ply, analysis, top)
    if thinking.interrupted:
        raise Interrupted(f"interrupted after {analysis.iterations} iterations; what they found is shown")
    context.exit(DONE)


def finite(data: dict[str, Any]) -> dict[str, Any]:
    """Return an analysis as JSON allows it: a move without visits has the trivial lower bound 0."""
    moves = [{**move, "lcb": move["lcb"] if math.isfinite(move["lcb"]) else 0.0} for move in data["moves"]]
    return {**data, "moves": moves}


def recorded_decision(output: Output, what: str, number: int, until: int | None) -> tuple[GameState, int]:
    """Return the decision that is meant, and how many moves come before it."""
    record = read_record(Path(what), number)
    state = record.replay(until)
    ply = len(record.moves) if until is None else until
    if until is None and state.to_move < 0:
        # Without a wish, the last position in which anybody decides.
        while ply and state.to_move < 0:
            ply -= 1
            state = record.replay(ply)
        if state.to_move >= 0:
            output.note(f"The last decision of the record is analyzed, after move {ply}.")
    while state.is_chance and ply < len(record.moves):
        ply += 1
        state = record.replay(ply)
        output.note(f"Luck decides after move {ply - 1}; the decision after move {ply} is analyzed.")
    if state.is_over:
        raise InvalidRecord(f"{record.where}: the game is over after move {ply}: there is nothing to decide")
    if state.is_chance:
        raise InvalidRecord(f"{record.where}: luck decides after move {ply}, and the record ends there")
    return state, ply


def first_decision(what: str, seed: int, until: int | None) -> tuple[GameState, int]:
    """Return a game at its first decision."""
    state = make(what)
    if until is not None:
        raise click.UsageError("--until counts the moves of a record; a game by its name is analyzed at its "
                               "first decision")
    luck, ply = SeededChance(seed), 0
    while state.is_chance:
        state.apply(luck.draw(state))
        ply += 1
    if state.is_over:
        raise Failure(f"in '{what}' there is nothing to decide")
    return state, ply


def tell(output: Output, state: GameState, ply: int, analysis: Any, top: int) -> None:
    """Print an analysis for people."""
    seat = int(state.to_move)
    show.rule(output, show.seat_text(state.game, seat).append(f" to move after move {ply}"))
    show.board(output, state, seat)
    show.status(output, state, seat)
    output.raw(state.game.draw_decision(state, color=output.color, width=output.width))
    show.analysis_table(output, state, analysis, top)
    count = len(analysis.moves)
    if count > top:
        output.line(Text().append(f"{count - top} more moves; --top {count} shows them", "dim"))
