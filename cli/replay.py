"""`sfida replay`: a recorded game, step by step, as a list of moves, or after any move."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from sfida.ai.session import Step, retell
from sfida.cli import show
from sfida.cli.errors import DONE
from sfida.cli.file_options import InputFile, OutputFile, check_outputs, recorded_game
from sfida.cli.lines import Trust, trust_option
from sfida.cli.output import (
    Number, Output, Text, color_option, is_terminal, json_option, lang_option, output_for, write
)
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.state import GameState
from sfida.engines.files import write_whole
from sfida.engines.language import N_, _
from sfida.engines.records import GameRecord
from sfida.engines.spec import quoted
from sfida.engines.untrusted import visible

# ---- Stepping through a recorded game at a terminal, key by key

EARLIER = 2             # events shown before the last one
KEYS = N_("→ ← move   ↓ ↑ turn   Home End   40: move 40   t9: turn 9   /words   q leaves")
_SEQUENCE = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|[\x00\xe0][A-Z]|.", re.DOTALL)
_ACTIONS = {
    "next": ("\x1b[C", "\x1bOC", "\xe0M", "\x00M", "n", " ", "\r", "\n"),
    "back": ("\x1b[D", "\x1bOD", "\xe0K", "\x00K", "p", "\x7f", "\b"),
    "next_turn": ("\x1b[B", "\x1bOB", "\xe0P", "\x00P"),
    "turn_back": ("\x1b[A", "\x1bOA", "\xe0H", "\x00H"),
    "first": ("\x1b[H", "\x1bOH", "\x1b[1~", "\xe0G", "\x00G", "g"),
    "last": ("\x1b[F", "\x1bOF", "\x1b[4~", "\xe0O", "\x00O", "G"),
    "quit": ("q", "Q", "\x04"),
}
_ACTION_OF = {key: action for action, keys in _ACTIONS.items() for key in keys}


class Walk:
    """A position in a recorded game, and the ways to move to another one.

    Parameters
    ----------
    steps : sequence of Step
        All events of the game.
    text_of : callable
        Returns the text of an event, in which a search looks for words.

    Attributes
    ----------
    ply : int
        Number of events before the position, from 0 to the number of all events.
    """

    def __init__(self, steps: Sequence[Step], text_of: Callable[[Step], str]) -> None:
        self.steps = steps
        self.ply: int = 0
        self.turns: list[int] = turn_numbers(steps)
        self._text_of = text_of
        self._sought = ""

    @property
    def turn(self) -> int | None:
        """The turn of the next event, or of the last event at the end; None in a game without events."""
        return self.turns[min(self.ply, len(self.turns) - 1)] if self.turns else None

    def next(self) -> None:
        """Go one event forward."""
        self.ply = min(self.ply + 1, len(self.steps))

    def back(self) -> None:
        """Go one event back."""
        self.ply = max(self.ply - 1, 0)

    def first(self) -> None:
        """Go to the start."""
        self.ply = 0

    def last(self) -> None:
        """Go to the end."""
        self.ply = len(self.steps)

    def next_turn(self) -> None:
        """Go to the beginning of the next turn, or to the end."""
        self.ply = next((ply for ply in self._begins() if ply > self.ply), len(self.steps))

    def turn_back(self) -> None:
        """Go back to the nearest beginning of a turn."""
        self.ply = max((ply for ply in self._begins() if ply < self.ply), default=0)

    def go(self, text: str) -> str:
        """Go to the position named by a typed line; return an error message, "" if there is none.

        Parameters
        ----------
        text : str
            The number of an event ("40": after event 40), a turn ("t9": the beginning of turn 9), or words to look for
            in later events ("/castle"; "/" looks for the same words again).
        """
        if text.startswith("/"):
            return self._find(text[1:].strip())
        number = text.removeprefix("t").strip()
        if not number.isdecimal():
            return _("{text} is neither a number nor a turn such as t9").format(text=text)
        if text.startswith("t"):
            return self._to_turn(int(number[:9]))
        if int(number[:9]) > len(self.steps):
            return _("there is no move {number}: the last is {last}").format(number=number, last=len(self.steps))
        self.ply = int(number[:9])
        return ""

    def _begins(self) -> Iterator[int]:
        return (ply for ply, turn in enumerate(self.turns) if ply == 0 or turn != self.turns[ply - 1])

    def _to_turn(self, number: int) -> str:
        if number not in self.turns:
            said = _("there is no turn {number}: the last is {last}") if self.turns else _("there is no turn {number}")
            return said.format(number=number, last=self.turns[-1] if self.turns else 0)
        self.ply = self.turns.index(number)
        return ""

    def _find(self, words: str) -> str:
        self._sought = words or self._sought
        if not self._sought:
            return _("type the words to look for behind the /")
        for step in self.steps[self.ply:]:
            if self._sought.lower() in self._text_of(step).lower():
                self.ply = step.ply + 1
                return ""
        return _("no move after this one holds {text!r}").format(text=self._sought)


def turn_numbers(steps: Sequence[Step]) -> list[int]:
    """Return the turn, from 1, of each event; a turn without a decision is merged with the next one.

    Turns are those that the game counts; if it counts none, a turn lasts until another seat moves.
    """
    counts = bool(steps) and steps[0].before.turn_number >= 0
    of = [int(step.before.turn_number) if counts else step.seat for step in steps]
    for ply in reversed(range(len(of) - 1)):
        if of[ply] < 0:
            of[ply] = of[ply + 1]
    turns, turn, decided = [], 1, False
    for ply, step in enumerate(steps):
        if decided and 0 <= of[ply] != of[ply - 1]:
            turn, decided = turn + 1, False
        decided = decided or step.seat >= 0
        turns.append(turn)
    return turns


class Stepping:
    """A recorded game on the screen, and the keys that move through it.

    Parameters
    ----------
    output : Output
    record : GameRecord
        A valid record.
    steps : list of Step
        All its events.
    start : GameState
        The state before the events.
    seat : int or None
        The seat whose knowledge is shown; None: every event is shown in full.
    labels : bool
        Number the places where the seat to move may play.
    """

    def __init__(self, output: Output, record: GameRecord, steps: Sequence[Step], start: GameState, seat: int | None,
                 labels: bool) -> None:
        self._output = output
        self._record = record
        self._start = start
        self._seat = seat
        self._labels = labels
        self._viewers = () if seat is None else (seat,)
        self.walk: Walk = Walk(steps, lambda step: show.in_one_line(start.game, step, self._viewers).plain)
        self._trouble = ""

    def run(self) -> None:
        """Show the game until the person leaves."""
        with _keys() as read:
            line = None                     # the line being typed; None while keys act at once
            self._show()
            for key in _one_by_one(read):
                if line is None and _ACTION_OF.get(key) == "quit":
                    break
                line = self._type(line, key) if line is not None else self._act(key)
                write(sys.stdout, f"\r\x1b[K{visible(line or '')}")
        write(sys.stdout, "\r\x1b[K")

    def _act(self, key: str) -> str | None:
        """Perform the action of a key; return the line that the key begins, if any."""
        if key.isdecimal() or key in ("/", "t"):
            return key
        action = _ACTION_OF.get(key)
        if action is not None:
            getattr(self.walk, action)()
            self._show()
        return None

    def _type(self, line: str, key: str) -> str | None:
        """Return a line with a key added; None when the line is finished or abandoned."""
        if key in ("\r", "\n"):
            self._trouble = self.walk.go(line)
            self._show()
            return None
        if key == "\x1b":
            return None
        if key in ("\x7f", "\b"):
            return line[:-1] or None
        return line + key if key.isprintable() else line

    def _show(self) -> None:
        """Draw the screen: the board, the number of the move, and the last events."""
        output, walk, game = self._output, self.walk, self._start.game
        steps, ply = walk.steps, walk.ply
        output.clear(past=False)
        show.heading(output, game, self._record.seats, self._record.seed)
        show.position(output, self._record, steps[ply - 1].after if ply else self._start, ply, self._seat, self._labels)
        said = (_("after move {ply} of {all}") if walk.turn is None else _("after move {ply} of {all}, turn {turn}"))
        show.rule(output, Text().append(said.format(ply=ply, all=len(steps), turn=walk.turn), "bold"))
        for step in steps[max(0, ply - 1 - EARLIER):max(0, ply - 1)]:
            output.line(show.numbered(game, step, self._viewers), "dim")
        for step in steps[max(0, ply - 1):ply]:
            show.event(output, game, step, self._viewers)
        if self._trouble:
            output.line(self._trouble, "bold")
        self._trouble = ""
        output.line(_(KEYS), "dim")


def can_step() -> bool:
    """Whether a person sits at a terminal on which single keys and a cleared screen work."""
    return is_terminal(sys.stdin) and is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"


def _one_by_one(read: Callable[[], str]) -> Iterator[str]:
    """Yield single keys, with the whole sequence for a special key, until the input ends."""
    while typed := read():
        for key in _SEQUENCE.findall(typed):
            if key == "\x03":
                raise KeyboardInterrupt
            yield key


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """Deliver keys as they are pressed; yield a function that waits for keys, and returns "" at the end of the input.

    The terminal stays in this mode between two reads. `click.getchar` switches the mode back after each key, so keys
    typed while a board is drawn would be lost and echoed.
    """
    try:
        import termios
        import tty
    except ImportError:                     # Windows
        yield click.getchar
        return
    keyboard = sys.stdin.fileno()
    usual = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard, termios.TCSADRAIN)
    try:
        yield lambda: os.read(keyboard, 256).decode(errors="replace")
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, usual)


# ---- `sfida replay`: a recorded game, step by step, as a list of moves, or after any move

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

    Without a seat, the position holds the observation of the seat to move (of seat 0 before a chance event and at the
    end). The observation is complete if the game hides nothing.
    """
    to_move = int(state.to_move)
    viewer = seat if seat is not None else max(to_move, 0)
    shown = not state.hidden or seat is None or seat == to_move     # the legal moves reveal a hand
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
    """Print all moves for people, one per line."""
    game = state.game
    show.heading(output, game, record.seats, record.seed)
    for step in retell(record, ply):
        output.line(Text().append(f"{step.ply + 1:>4}  ", "dim").append_text(
            show.in_one_line(game, step, viewers_of(seat))))


def move(step: Step, seat: int | None) -> dict[str, object]:
    """Return a move as `replay --json` writes it, as far as a seat may know it; without a seat, in full."""
    viewers = viewers_of(seat)
    told = step.told(viewers)
    return {"ply": step.ply, "seat": step.seat, "move": step.notation(viewers), "chance": step.event.chance,
            "words": told.words, "effects": [effect.text for effect in told.effects]}


def viewers_of(seat: int | None) -> tuple[int, ...]:
    """Return the seats whose knowledge is shown; an empty tuple shows everything."""
    return () if seat is None else (seat,)
