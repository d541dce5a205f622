"""`sfida replay`: a recorded game, step by step, as a list of moves, or after any move."""

from __future__ import annotations

from pathlib import Path

import click

from sfida.ai.story import Step, retell
from sfida.cli import show
from sfida.cli.errors import DONE
from sfida.cli.file_options import InputFile, OutputFile, check_outputs
from sfida.cli.output import Number, Output, color_option, json_option, output_for
from sfida.cli.recorded import recorded_game
from sfida.cli.speaking import lang_option
from sfida.cli.stepping import Stepping, can_step
from sfida.cli.text import Text
from sfida.cli.trust import Trust, trust_option
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.state import GameState
from sfida.engines.files import write_whole
from sfida.engines.language import _
from sfida.engines.records import GameRecord
from sfida.engines.spec import quoted

LAST_MOVES = 8


@click.command("replay")
@click.argument("record", type=InputFile())
@click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
              help="Number of the game in the file, counted from 1.")
@click.option("--until", type=Number(int, 0), metavar="M",
              help="Show the position after M moves, chance events counted.  [default: the last]")
@click.option("--seat", type=Number(int, 0), metavar="S",
              help="Show only what seat S may see.  [default: everything that was played]")
@click.option("--svg", type=OutputFile(), metavar="FILE",
              help="Write the board to FILE as a picture.")
@click.option("--moves", "listed", is_flag=True, help="List all moves with words and what came of them, one a line.")
@click.option("--labels", is_flag=True,
              help="Number the places where the seat to move may play, on the board and in the picture.")
@trust_option
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, record: Path, number: int, until: int | None, seat: int | None,
            svg: Path | None, listed: bool, labels: bool, trust: Trust, as_json: bool) -> None:
    """Step through a recorded game, list its moves, or show a position.

    \b
    sfida replay game.jsonl                  step through it with the arrow keys
    sfida replay game.jsonl --moves          all moves in words
    sfida replay game.jsonl --until 40 --svg position.svg
    sfida replay tournament.sfida --game 12 --json

    RECORD is a file of records or the store of a tournament. The game is checked
    against the rules.

    At a terminal it is shown move by move, from its start: right and left arrow (n,
    p) go one move on or back, down and up arrow a turn, Home and End to its start and
    end; 40 and Enter to move 40, t9 to turn 9, /words to the next move that holds
    these words, / to the one after it; q leaves. Otherwise, and with --until or
    --svg, one position is shown. --json holds the moves, too, unless --until asks for
    one position and --moves does not.
    """
    output = output_for(context, as_json)
    game_record = trust.record(recorded_game(record, number))
    check_outputs(context, game_record.game, *game_record.seats)
    state = game_record.replay(until)
    if seat is not None and seat >= state.players:
        raise InvalidRecord(_("there is no seat {seat} in {game}: the seats are 0 to {last}").format(
            seat=seat, game=quoted(game_record.game), last=state.players - 1))
    if svg is not None:
        write_whole(svg, state.game.board_svg(state, seat=seat, labels=labels))
    ply = len(game_record.moves) if until is None else until
    if as_json:
        moves = {"moves": [move(step, seat) for step in retell(game_record, ply)]} if listed or until is None else {}
        output.emit({**position(state, ply, seat), **moves})
    elif listed:
        tell_moves(output, game_record, state, ply, seat)
    elif until is None and svg is None and can_step():
        Stepping(output, game_record, retell(game_record, ply), game_record.replay(0), seat, labels).run()
    else:
        tell(output, game_record, state, ply, seat, labels)
    if svg is not None and not as_json:
        output.note(_("The board is written to {path}.").format(path=svg))
    context.exit(DONE)


def position(state: GameState, ply: int, seat: int | None) -> dict[str, object]:
    """Return a position as `replay --json` writes it.

    Without a seat the observation is that of the seat to move (before a chance event or at the end: of seat 0); it
    is complete if the game hides nothing.
    """
    to_move = int(state.to_move)
    viewer = seat if seat is not None else max(to_move, 0)
    shown = not state.hidden or seat is None or seat == to_move     # a hand shows in its legal moves
    moves = [state.format(move) for move in state.legal_moves()] if shown else []
    return {"type": "position", "ply": ply, "to_move": to_move, "scores": state.scores(),
            "legal_moves": moves, "observation": state.observation(viewer)}


def tell(output: Output, record: GameRecord, state: GameState, ply: int, seat: int | None,
         labels: bool = False) -> None:
    """Print a position for people: the seats, the last moves, the board and the state of play."""
    game = state.game
    show.heading(output, game, record.seats, record.seed)
    for step in retell(record, ply)[-LAST_MOVES:]:
        show.event(output, game, step, viewers_of(seat))
    show.rule(output, Text().append(_("after move {ply} of {all}").format(
        ply=ply, all=len(record.moves)), "bold"))
    show.position(output, record, state, ply, seat, labels)


def tell_moves(output: Output, record: GameRecord, state: GameState, ply: int, seat: int | None) -> None:
    """Print all moves for people, one a line."""
    game = state.game
    show.heading(output, game, record.seats, record.seed)
    for step in retell(record, ply):
        output.line(Text().append(f"{step.ply + 1:>4}  ", "dim").append_text(
            show.in_one_line(game, step, viewers_of(seat))))


def move(step: Step, seat: int | None) -> dict[str, object]:
    """Return a move as `replay --json` writes it, as far as a seat may know it; None: all of it."""
    viewers = viewers_of(seat)
    told = step.told(viewers)
    return {"ply": step.ply, "seat": step.seat, "move": step.notation(viewers), "chance": step.event.chance,
            "words": told.words, "effects": [effect.text for effect in told.effects]}


def viewers_of(seat: int | None) -> tuple[int, ...]:
    """Return the seats whose knowledge is shown; none: everything."""
    return () if seat is None else (seat,)
