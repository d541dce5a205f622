"""Output of a session: events for programs, moves and decisions for people, lessons in a first game."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from contextlib import suppress

from rich.cells import cell_len

from sfida.ai.session import Session, Step, Teacher
from sfida.ai.table import Table
from sfida.cli import show
from sfida.cli.lines import Lines
from sfida.cli.output import Draft, Output, Text
from sfida.cython_ext.errors import InvalidNotation
from sfida.cython_ext.state import CHANCE, GameState
from sfida.engines.game import Game
from sfida.engines.language import _
from sfida.engines.moves import Choices
from sfida.engines.narration import Lesson

# ---- The walk-through of a first game: an introduction, then a lesson at the first decision of each kind

_WIDEST = 78            # maximum width of a paragraph in columns, for easy reading


class Tutorial:
    """Teaches one game at the screen as it is played.

    Parameters
    ----------
    game : Game
    screen : Output
    lines : Lines
        Reads Enter after each page; without a terminal the pages follow without a pause.

    Raises
    ------
    InvalidOption
        If no walk-through comes with the game.
    """

    def __init__(self, game: Game, screen: Output, lines: Lines) -> None:
        self._screen, self._lines = screen, lines
        self._teacher = Teacher(game)

    def introduce(self) -> None:
        """Show the introduction of the game."""
        self._show(self._teacher.introduction())

    def teach(self, state: GameState, seat: int) -> bool:
        """Show the lesson for a seat's decision if it is the first of its kind; return whether a lesson was shown."""
        return self._show(self._teacher.lesson(state, seat))

    def _show(self, lesson: Lesson | None) -> bool:
        if lesson is None:
            return False
        more = " " + _("The rule: type 'rule {rule}'.").format(rule=lesson.rule) if lesson.rule else ""
        self._page(lesson.title, lesson.text + more)
        return True

    def _page(self, title: str, text: str) -> None:
        show.rule(self._screen, Text().append(title, "bold"))
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self._screen.line()
            for line in textwrap.wrap(paragraph, min(_WIDEST, self._screen.width)):
                self._screen.line(line)
        if self._lines.terminal:
            with suppress(InvalidNotation):         # any line will do
                self._lines.read(_("Enter continues:") + " ")
        else:
            self._screen.line()


# ---- A person's decision on one screen: the most important parts stay, commands show the rest

PROMPT = 1              # lines of the prompt
TOLD = 8                # one line in this many is reserved for the latest events
LISTED = 4              # one line in this many is reserved for the list of moves
DRAWN = 12              # minimum lines of the board while the status is shown
_LOWEST = 3             # minimum lines of a board
_BESIDE, _GAP = 30, 3   # columns for a list beside the board, and between both
_COLOUR = re.compile("\x1b\\[[0-9;:]*m")


class DecisionScreen:
    """One decision of the seat to move, and the room that it has on the screen.

    Parameters
    ----------
    output : Output
    state : GameState
    seat : int
        The seat to move, which looks at the screen.
    choices : Choices
    told : int
        Lines printed since the last decision.
    """

    def __init__(self, output: Output, state: GameState, seat: int, choices: Choices, told: int = 0) -> None:
        self.output = output
        self.state = state
        self.seat = seat
        self.choices = choices
        self.height: int = output.height - PROMPT - min(told, output.height // TOLD)
        self.in_steps: bool = bool(show.steps_of(choices))    # whether a long list is offered in groups
        self._brief = False

    def ask(self) -> None:
        """Show the question and the moves."""
        question = self._question()
        self._print(question)
        rows = self.height - self._rows(question)
        self._brief = self.in_steps and self._rows(self._moves()) > rows
        self._list(rows)

    def show(self) -> None:
        """Show board, status, question and moves.

        If they do not all fit, the list is printed beside a narrow board; then a lower board is drawn, then the status
        is left out. The heading names the commands that show the missing parts.
        """
        rows, height = self._rows, self.height - 1
        listed = show.board_lists_moves(self.state, self.seat)
        moves = [] if listed else self._moves()
        board, status, question = self._board(), self._status(), self._question()
        left_out, beside = [], False
        if self._said(question):
            question = []
        if self.in_steps and not listed and rows(self._question()) + rows(moves) > height - DRAWN:
            self._brief = True                  # there is no room to describe the groups in words
            moves = self._moves()
        if moves and not self.in_steps and rows(board) + rows(status) + rows(question) + rows(moves) > height:
            narrow = self._board(beside=True)
            beside = listed = len(narrow) == len(board)         # a wider board is drawn differently
            board, moves = (narrow, []) if beside else (board, moves)
        if rows(board) + rows(status) + rows(question) + rows(moves) > height:
            least = rows(question) + self._least(rows(moves), height)
            if height - least - rows(status) < min(rows(board), DRAWN):
                status, question = [], self._question()
                least = rows(question) + self._least(rows(moves), height)
                left_out.append(_("'status'"))
            lower = self._board(max(_LOWEST, height - least - rows(status)), beside)
            if lower != board:
                board = lower
                left_out.insert(0, _("'board'"))
        show.rule(self.output, show.turn_text(self.state.game, self.seat, left_out))
        for part in (board, status, question):
            self._print(part)
        if not listed:
            self._list(height - rows(board) - rows(status) - rows(question))

    # ---- parts --------------------------------------------------------------------------------

    def _board(self, height: int | None = None, beside: bool = False) -> list[str]:
        """Return the board, fitted to a height if one is given, optionally with the list of moves on its right."""
        game, color = self.state.game, self.output.color
        width = self.output.width - (_BESIDE if beside else 0)
        text = (game.board_text(self.state, seat=self.seat, color=color, width=width, labels=True)
                if height is None else
                game.low_board_text(self.state, height, seat=self.seat, color=color, width=width, labels=True))
        return self._with_list(text.splitlines()) if beside else text.splitlines()

    def _with_list(self, board: list[str]) -> list[str]:
        """Return the lines of a board with the list of moves on its right."""
        taken = max(map(_columns, board)) + _GAP
        draft = Draft(target=self.output, room=self.output.width - taken)
        show.choice_list(draft, self.choices, rows=len(board))
        listed = [*draft.lines, *[""] * len(board)][:len(board)]
        return [f"{line}{' ' * (taken - _columns(line))}{moves}".rstrip()
                for line, moves in zip(board, listed, strict=True)]

    def _least(self, moves: int, height: int) -> int:
        """Return the least number of lines for the moves; a list in groups cannot be cut."""
        return moves if self.in_steps else min(moves, height // LISTED)

    def _status(self) -> list[str]:
        return self._drawn(lambda draft: show.status(draft, self.state, self.seat))

    def _question(self) -> list[str]:
        """Return the part of the decision that the board does not show, and the question."""
        game, output = self.state.game, self.output
        lines = game.draw_decision(self.state, color=output.color, width=output.width).splitlines()
        if asked := game.question(self.state, self.seat):
            lines += self._drawn(lambda draft: draft.wrapped(Text().append(asked, "bold")))
        return lines

    def _said(self, question: list[str]) -> bool:
        """Return whether the status ends with the question."""
        asked = self.state.game.question(self.state, self.seat)
        said = self.state.game.status_text(self.state, seat=self.seat)
        alone = " ".join(" ".join(_COLOUR.sub("", line) for line in question).split()) == asked
        return bool(asked) and alone and " ".join(said.split()).endswith(asked)

    def _list(self, rows: int) -> None:
        if self.in_steps:
            show.move_steps(self.output, self.choices, self._brief)
        else:
            show.choice_list(self.output, self.choices, rows=max(1, rows))

    def _moves(self) -> list[str]:
        """Return the list of moves, or its groups, as printed with unlimited room."""
        if self.in_steps:
            return self._drawn(lambda draft: show.move_steps(draft, self.choices, self._brief))
        return self._drawn(lambda draft: show.choice_list(draft, self.choices))

    # ---- lines --------------------------------------------------------------------------------

    def _drawn(self, draw: Callable[[Output], None]) -> list[str]:
        """Return the lines that a function would print."""
        draft = Draft(target=self.output)
        draw(draft)
        return draft.lines

    def _print(self, lines: list[str]) -> None:
        self.output.raw("".join(f"{line}\n" for line in lines))

    def _rows(self, lines: list[str]) -> int:
        """Return the number of screen lines that lines of text occupy."""
        return sum(max(1, -(-_columns(line) // self.output.width)) for line in lines)


def _columns(line: str) -> int:
    """Return the width of a line in columns."""
    return cell_len(_COLOUR.sub("", line))


# ---- Output of a session: events for programs, moves in words and decisions for people

WAITING = 6         # lines below the first board for moves of others before a person decides
RECALLED = 6        # moves that are shown again when a game continues


class Narrator:
    """Reports the events at a table.

    Parameters
    ----------
    session : Session
    output : Output
        Output for people; if its `json` is set, events go to standard output and text for people to standard error.
    lines : Lines
        Source of what people type.
    tutorial : bool
        Explain the game, and each kind of decision when a person first meets it.

    Raises
    ------
    InvalidOption
        If a tutorial is wanted and none comes with the game.

    Attributes
    ----------
    events : Output or None
        Where events go as JSON.
    screen : Output
        Where texts for people go.
    talks : bool
        Whether moves are shown in words.
    redraw : bool
        Whether the next decision begins with the board, even in mid-turn.
    """

    def __init__(self, session: Session, output: Output, lines: Lines, *, tutorial: bool = False) -> None:
        self.session = session
        self.table: Table = session.table
        self.events: Output | None = output if output.json else None
        self.screen: Output = output.to_stderr() if output.json else output
        self.talks: bool = lines.terminal or not output.json
        self.redraw: bool = True
        self._idle = True                       # no board has been shown yet
        self._lines = lines
        self._tutorial = Tutorial(session.game, self.screen, lines) if tutorial else None
        self._announced = max(0, len(session.steps) - RECALLED)
        self._watcher = CHANCE                  # the seat that last looked at the screen, if hands are secret
        self._told = 0                          # lines printed since the last decision was shown

    # ---- events -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Print the heading, and the earlier events of a game that continues."""
        if self.talks:
            commitment = self.table.commitment
            seed = self.table.seed if commitment is None else None
            show.heading(self.screen, self.table.game, self.table.specs, seed)
            if commitment is not None:
                show.sealed(self.screen, commitment)
            if self._tutorial is not None:
                self._tutorial.introduce()
        if self.events is not None and self.table.commitment is not None:
            self.events.emit({"type": "commitment", "sha256": self.table.commitment.sha256})
        self.emit(0)

    def fall_silent(self) -> None:
        """Print nothing from now on, because nobody reads the output."""
        self.events, self.talks = None, False

    def played(self) -> None:
        """Report the move that was just played."""
        self.emit(len(self.session.steps) - 1)
        if self.talks:
            self.announce()

    def emit(self, first: int) -> None:
        """Write the steps from a ply on as events."""
        if self.events is not None:
            for step in self.session.steps[first:]:
                self.events.emit(step.to_json())

    def taken_back(self) -> None:
        """Report that moves were taken back."""
        ply = len(self.table.events)
        self.redraw = True
        self._announced = min(self._announced, len(self.session.steps))
        if self.events is not None:
            self.events.emit({"type": "undo", "ply": ply})

    # ---- moves in words -----------------------------------------------------------------------

    def announce(self) -> None:
        """Print the steps that have not been shown yet."""
        steps = self.session.steps[self._announced:]
        self._announced = len(self.session.steps)
        for step in steps:
            self.tell(step)

    def tell(self, step: Step, whole: bool = False) -> None:
        """Print a step and its effects; steps of the setup are printed only in the whole log."""
        viewers = self.table.people if self._watcher == CHANCE else (self._watcher,)
        if step.told(viewers).quiet and not whole:
            return
        line = show.numbered(self.table.game, step, viewers)
        if not self.table.state.hidden:          # even a rounded value would reveal secrets; it is printed at the end
            expects = show.expectation(step)
            line.append(f"  {expects}" if expects else "", "dim italic")
        if self.session.was_forced(step) and (not step.before.hidden or self._watcher == step.seat
                                      or tuple(viewers) == (step.seat,)):
            line.append("  " + _("the only move"), "dim italic")
        self._told += self.screen.hanging(line, show.NUMBER)
        for effect in show.effects(self.table.game, step, viewers):
            self._told += self.screen.hanging(effect, show.EFFECT)

    # ---- the screen of a decision -------------------------------------------------------------

    def present(self, seat: int) -> None:
        """Show what a person needs to decide."""
        state, steps = self.table.state, self.session.steps
        self.pass_on(seat)
        self.announce()
        if seat == CHANCE:
            return
        if self._tutorial is not None and self._tutorial.teach(state, seat):
            self.redraw, self._told = True, 0
        decision_screen = DecisionScreen(self.screen, state, seat, Choices(state), self._told)
        last = next((step for step in reversed(steps) if not self.session.was_forced(step) or step.seat != seat), None)
        # A turn begins, or it began with moves that nobody typed, or the person asked for the board again.
        if self.redraw or last is None or last.seat != seat:
            decision_screen.show()
        else:
            decision_screen.ask()
        self.redraw, self._told, self._idle = False, 0, False

    def await_turn(self) -> None:
        """Show the board to a person who has to wait for others before the first decision."""
        state, people = self.table.state, self.table.people
        if not self._idle or not self._lines.terminal or len(people) != 1:
            return
        self._idle = False
        self.announce()
        seat, room = people[0], self.screen.height - WAITING
        show.rule(self.screen, show.turn_text(state.game, int(state.to_move)))
        self.screen.raw(state.game.low_board_text(state, room, seat=seat, color=self.screen.color,
                                                  width=self.screen.width))

    def pass_on(self, seat: int) -> None:
        """Clear the screen when people with secrets share it and the next one takes over."""
        if seat >= 0 and self.table.state.hidden and len(self.table.people) > 1 and seat != self._watcher:
            self.screen.clear()
            with suppress(InvalidNotation):         # any line will do
                self._lines.read(_("{seat} is next: press Enter when nobody else looks").format(
                    seat=self.table.game.seat_name(seat)) + " ")
            self._watcher = seat
            self._announced = max(0, len(self.table.events) - RECALLED)
