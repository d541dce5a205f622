"""`sfida replay`: a recorded game, at its end or after any move."""

from __future__ import annotations

from pathlib import Path

import click

from sfida.ai.table import RESIGN
from sfida.cli import show
from sfida.cli.errors import DONE
from sfida.cli.file_options import FilePath
from sfida.cli.output import Number, Output, color_option, json_option, output_for, refuse_same
from sfida.cli.recorded import recorded_game
from sfida.cli.story import CHANCE, retell
from sfida.cli.text import Text
from sfida.cli.trust import Trust, trust_option
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.state import GameState
from sfida.engines.files import write_whole
from sfida.engines.game import Game
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.spec import quoted

LAST_MOVES = 8


@click.command("replay")
@click.argument("record", type=FilePath())
@click.option("--game", "number", type=Number(int, 1), default=1, metavar="K", show_default=True,
              help="Number of the game in the file, counted from 1.")
@click.option("--until", type=Number(int, 0), metavar="M",
              help="Show the position after M moves, chance events counted.  [default: the last]")
@click.option("--seat", type=Number(int, 0), metavar="S",
              help="Show only what seat S may see.  [default: everything that was played]")
@click.option("--svg", type=FilePath(dir_okay=False), metavar="FILE",
              help="Write the board to FILE as a picture.")
@click.option("--labels", is_flag=True,
              help="Number the places where the seat to move may play, on the board and in the picture.")
@trust_option
@json_option
@color_option
@click.pass_context
def command(context: click.Context, record: Path, number: int, until: int | None, seat: int | None,
            svg: Path | None, labels: bool, trust: Trust, as_json: bool) -> None:
    """Replay and check a recorded game, and show a position.

    \b
    sfida replay game.jsonl
    sfida replay game.jsonl --until 40 --svg position.svg
    sfida replay tournament.sfida --game 12 --json

    RECORD is a file of records or the store of a tournament. The game is checked
    against the rules.
    """
    output = output_for(context, as_json)
    game_record = trust.record(recorded_game(record, number))
    state = game_record.replay(until)
    if seat is not None and seat >= state.players:
        raise InvalidRecord(f"there is no seat {seat} in {quoted(game_record.game)}: the seats are 0 to "
                            f"{state.players - 1}")
    if svg is not None:
        refuse_same(svg, record, "--svg")
        write_whole(svg, state.game.board_svg(state, seat=seat, labels=labels))
    ply = len(game_record.moves) if until is None else until
    if as_json:
        output.emit(position(state, ply, seat))
    else:
        tell(output, game_record, state, ply, seat, labels)
        if svg is not None:
            output.note(f"The board is written to {svg}.")
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
    viewers = () if seat is None else (seat,)
    for step in retell(record, ply)[-LAST_MOVES:]:
        output.line(show.numbered(game, step, viewers))
        for effect in show.effects(game, step, viewers):
            output.line(effect)
    where = Text().append(f"after move {ply} of {len(record.moves)}", "bold")
    show.rule(output, where)
    if ply == len(record.moves):
        tell_breaking_off(output, record, game)
    result = GameResult.of(state)
    if result is not None:
        show.ending(output, state, record.seats, result)
        return
    show.board(output, state, seat, labels)
    show.status(output, state, seat)
    to_move = int(state.to_move)
    if to_move == CHANCE:
        output.line("Luck decides next.")
    else:
        # the number of legal moves may reveal a hand that the seat does not see
        legal = "" if state.hidden and seat not in (None, to_move) else f", {len(state.legal_moves())} legal moves"
        output.line(show.seat_text(game, to_move).append(f" to move{legal}"))


def tell_breaking_off(output: Output, record: GameRecord, game: Game) -> None:
    """Print why a game ended other than by its rules."""
    forfeit = record.extra.get("forfeit")
    if isinstance(forfeit, dict):
        seat = forfeit.get("seat")
        if forfeit.get("kind") == RESIGN and type(seat) is int and 0 <= seat < game.players:
            output.line(show.resigned(game, seat, game.players), "bold")
        else:
            output.line(f"seat {seat} forfeits here: {forfeit.get('reason')}", "bold")
    elif record.extra.get("ended") == RESIGN:
        output.line("one side resigns here; which one is not recorded", "bold")
