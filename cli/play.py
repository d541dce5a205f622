"""`sfida play`: a game at the terminal, between agents, or fed from standard input."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import click

from sfida.ai.agent import PERSON
from sfida.ai.archive import Autosave, InUse, is_save, unfinished
from sfida.ai.chance import LARGEST_SEED, fresh_seed
from sfida.ai.session import Session
from sfida.ai.table import Table, cut, game_for, take_seats
from sfida.cli.errors import DONE
from sfida.cli.file_options import GameOrRecord, OutputFile, check_outputs, check_writable, last_record, names_a_record
from sfida.cli.games import tell_level
from sfida.cli.lines import YES, InputEnded, Lines, Trust, trust_option
from sfida.cli.output import Number, Output, color_option, json_option, lang_option, output_for
from sfida.cli.session import TerminalSession
from sfida.cython_ext.errors import InvalidNotation, InvalidOption
from sfida.engines.game import Game, Rules
from sfida.engines.language import NP_, _, counted, spellings
from sfida.engines.records import GameRecord
from sfida.engines.registry import describe_game, make_game
from sfida.engines.spec import parse_spec, quoted

DEFAULT_AGENT = "ismcts:seconds=1"


@click.command("play")
@click.argument("game", type=GameOrRecord(), metavar="GAME|RECORD")
@click.option("--seat", "seats", metavar="AGENT", multiple=True,
              help="Agent of the next seat, starting with seat 0; 'human' for a person. May be given once per seat.")
@click.option("--seed", type=Number(int, 0, LARGEST_SEED), metavar="N",
              help="Seed of the chance events and of the agents.  [default: a random one; where people play, its hash "
                   "is shown before the game and the seed after it]")
@click.option("--until", type=Number(int, 0), metavar="M",
              help="Play on from the position after M moves of a record, finished or not, as a game of its own. Its "
                   "luck is that of the record, or with --seed another one; seats without a --seat keep their agents.")
@click.option("--record", type=OutputFile(adds=True), metavar="FILE",
              help="Append the record of the game to this file (.jsonl or .jsonl.gz).")
@click.option("--no-record", is_flag=True,
              help="Leave nothing of the game in the state folder when it is over: 'sfida review --all', 'sfida "
                   "practice' and level auto will not know of it.")
@click.option("--manual-chance", is_flag=True,
              help="Type in what is drawn or rolled, so that the computer can play at a real table.")
@click.option("--ask-forced", is_flag=True,
              help="Ask people also where they have one legal move; otherwise it plays itself.")
@click.option("--tutorial", is_flag=True,
              help="For a first game: explains the game, and each kind of decision when it first comes.")
@click.option("--level", metavar="LEVEL",
              help="Seats without a --seat are taken by this level: 1 to 10, or auto, which follows you.")
@trust_option
@json_option
@lang_option
@color_option
@click.pass_context
def command(context: click.Context, game: str, seats: tuple[str, ...], seed: int | None, until: int | None,
            record: Path | None, no_record: bool, manual_chance: bool, ask_forced: bool, tutorial: bool,
            level: str | None, trust: Trust, as_json: bool) -> None:
    """Play a game, or continue an unfinished one.

    \b
    sfida play carcassonne                              you against the computer
    sfida play carcassonne --tutorial                   your first game, explained
    sfida play carcassonne --level 4                    against level 4 of 10
    sfida play carcassonne --level auto                 against your own strength
    sfida play carcassonne:river=true --seat human --seat greedy
    sfida play carcassonne --seat greedy --seat ismcts:iterations=2000 --seed 7
    sfida play carcassonne --manual-chance              real tiles on a real table
    sfida play saved.jsonl                              continue a saved game
    sfida play game.jsonl --until 40 --seat human --seat level:5

    Seats without a --seat are taken by ismcts:seconds=1, or by level:LEVEL. If no
    --seat is given, you take seat 0 at a terminal; without a terminal, or with --json, agents take all
    seats. Without a terminal nothing is prompted for: the moves of people and manual
    chance events are read from standard input, one per line. A line that cannot be
    played is answered by an error line, and the next line is read.

    While an agent thinks at a terminal, Ctrl-C makes it move at once, and a second
    Ctrl-C leaves. A game that you leave is kept and offered at the next start. Code
    that is not Sfida's own but named by a record, such as exec:PROGRAM, is run only
    after you have agreed.
    """
    output = output_for(context, as_json)
    lines = Lines(on_stderr=as_json)
    if record is not None:
        check_writable(record)
    save: Autosave | None = None
    try:
        if names_a_record(game):
            if seed is not None and until is None:
                raise click.UsageError(_("--seed is for a new game; a continued game keeps the seed of its record"))
            if level is not None:
                raise click.UsageError(_("--level is for a new game; to change the agents of a continued one, give "
                                         "--seat"))
            path = Path(game)
            left_there = last_record(path)
            kept = not seats or (until is not None and len(seats) < len(left_there.seats))     # agents of the record
            record_left = trust.record(left_there, seats=kept)
            check_outputs(context, record_left.game, *record_left.seats)
            if until is not None:
                record_left = cut(record_left, until, seed)
                seats = (*seats, *record_left.seats[len(seats):]) if seats else ()
            people = PERSON in map(str.strip, seats or record_left.seats)
            if until is not None:
                save = Autosave.branch(parse_spec(record_left.game)[0]) if manual_chance or people else None
            elif manual_chance or people or is_save(path):
                save = Autosave.resume(record_left, path)
            session = Session.resumed(record_left, seats, typed_luck=manual_chance)
        else:
            if until is not None:
                raise click.UsageError(_("--until counts the moves of a record; {game} is the name of a game").format(
                    game=quoted(game)))
            if not seats and lines.terminal and not as_json:
                seats = (PERSON,)
            engine, agents = who_plays(game, seats, DEFAULT_AGENT if level is None else f"level:{level}")
            table = Table(engine, take_seats(engine, agents), fresh_seed() if seed is None else seed,
                          typed_luck=manual_chance)
            if seed is None:
                table.seal()
            trust.grant(None, seats)
            left = offer(output, lines, engine.name, trust) if table.people and lines.terminal else None
            if left is None:
                save = Autosave.begin(engine.name) if table.people or manual_chance else None
                table.begin()
                session = Session(table)
            else:
                save, record_left = left
                session = Session.resumed(record_left)
        table = session.table
        if save is None:
            save = Autosave(table.game.name)        # no person plays, so no save can be in use elsewhere
        save.adopt(table)
        if save.trouble:
            output.complain(save.trouble)
        tell_level(table, output)
        try:
            context.exit(TerminalSession(session, output, lines, save, record, ask_forced=ask_forced, tutorial=tutorial,
                                         remembers=not no_record).run())
        finally:
            for seat in table.seats:
                seat.close()
    finally:
        if save is not None:
            save.close()


def who_plays(spec: str, seats: Sequence[str], rest: str) -> tuple[Game, list[str]]:
    """Return the game and an agent for each seat, `rest` where none is given; surplus agents add players."""
    game = make_game(spec)
    if len(seats) > game.players:
        game = game_for(spec, seats, {})
        if len(seats) > game.players:
            raise InvalidOption(_("{game} has {players} seats, but --seat is given {number} times").format(
                game=quoted(game.spec()), players=game.players, number=len(seats)) + takes(game))
    return game, [*seats, *[rest] * (game.players - len(seats))]


def takes(game: Rules) -> str:
    """Return "; 'name' takes 2 to 5 players" for a game with several numbers of players, else ""."""
    counts = describe_game(game.name)["players"]
    return "" if len(counts) < 2 else _("; {game} takes {least} to {most} players").format(
        game=quoted(game.name), least=counts[0], most=counts[-1])


def offer(output: Output, lines: Lines, name: str, trust: Trust) -> tuple[Autosave, GameRecord] | None:
    """Ask whether to continue the last unfinished game, and open it; None: start a new game."""
    screen = output.to_stderr() if output.json else output
    found = next(unfinished(name), None)
    if found is None:
        return None
    path, record = found
    left = datetime.fromtimestamp(path.stat().st_mtime)
    screen.line(_("You left a game of {game} on {day} at {time} after {moves} ({seats}).").format(
        game=record.game, day=f"{left:%Y-%m-%d}", time=f"{left:%H:%M}",
        moves=counted(len(record.moves), "move", "moves"), seats=", ".join(record.seats)))
    while True:
        try:
            answer = lines.read(_("Continue it? [Y]es, [n]o but keep it, [d]elete it:") + " ").strip().lower()
        except InputEnded:
            raise click.exceptions.Exit(DONE) from None
        except InvalidNotation as error:
            output.complain(str(error))
            continue
        try:
            if answer in ("", *spellings(YES, "answer")):
                trust.grant(record.game)        # the person typed its name
                record = trust.record(record, seats=True)
                return Autosave.resume(record, path), record
            if answer in spellings(NP_("answer", "d|delete"), "answer"):
                Autosave.resume(record, path).discard()
                return None
        except InUse as error:
            output.complain(str(error))
            return offer(output, lines, name, trust)
        if answer in spellings(NP_("answer", "n|no"), "answer"):
            return None
        output.complain(_("{text} is not understood: answer y, n or d").format(text=quoted(answer)))
