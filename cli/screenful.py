"""A person's decision on one screen: what is needed most stays, commands show the rest."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.cells import cell_len

from sfida.cli import show
from sfida.cli.output import Draft, Output
from sfida.cli.text import Text
from sfida.cython_ext.state import GameState
from sfida.engines.choices import Choices
from sfida.engines.language import _

PROMPT = 1              # lines of the prompt
TOLD = 8                # one line in so many stays for what was told just before
LISTED = 4              # likewise at least for the list of moves
DRAWN = 12              # lines of the board before the status goes
_LOWEST = 3             # lines of the lowest board
_BESIDE, _GAP = 30, 3   # columns for a list beside the board, and between both
_COLOUR = re.compile("\x1b\\[[0-9;:]*m")


class Screenful:
    """One decision of the seat to move, and how much room it has.

    Parameters
    ----------
    output : Output
    state : GameState
    seat : int
        The seat to move, which looks at the screen.
    choices : Choices
    told : int
        Lines told since the last decision.
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

        Where there is no room for all of them, the list goes beside the board if that is narrow; then the board gets
        lower, then the status goes; the heading names the commands that show them.
        """
        rows, height = self._rows, self.height - 1
        listed = show.board_lists_moves(self.state, self.seat)
        moves = [] if listed else self._moves()
        board, status, question = self._board(), self._status(), self._question()
        left_out, beside = [], False
        if self._said(question):
            question = []
        if self.in_steps and not listed and rows(self._question()) + rows(moves) > height - DRAWN:
            self._brief = True                  # there is no room for the words of groups
            moves = self._moves()
        if moves and not self.in_steps and rows(board) + rows(status) + rows(question) + rows(moves) > height:
            narrow = self._board(beside=True)
            beside = listed = len(narrow) == len(board)         # else it is drawn in another way
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
        """Return the board, in so many lines if they are given, perhaps with the list of moves on its right."""
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
        """Return how many lines the moves must have: groups cannot be cut."""
        return moves if self.in_steps else min(moves, height // LISTED)

    def _status(self) -> list[str]:
        return self._drawn(lambda draft: show.status(draft, self.state, self.seat))

    def _question(self) -> list[str]:
        """Return what the board does not show of the decision, and the question."""
        game, output = self.state.game, self.output
        lines = game.draw_decision(self.state, color=output.color, width=output.width).splitlines()
        if asked := game.question(self.state, self.seat):
            lines += self._drawn(lambda draft: draft.wrapped(Text().append(asked, "bold")))
        return lines

    def _said(self, question: list[str]) -> bool:
        """Tell whether the status ends with the question."""
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
        """Return the list of moves, or its groups, as they would be printed with all the room in the world."""
        if self.in_steps:
            return self._drawn(lambda draft: show.move_steps(draft, self.choices, self._brief))
        return self._drawn(lambda draft: show.choice_list(draft, self.choices))

    # ---- lines --------------------------------------------------------------------------------

    def _drawn(self, draw: Callable[[Output], None]) -> list[str]:
        """Return what would be printed."""
        draft = Draft(target=self.output)
        draw(draft)
        return draft.lines

    def _print(self, lines: list[str]) -> None:
        self.output.raw("".join(f"{line}\n" for line in lines))

    def _rows(self, lines: list[str]) -> int:
        """Return how many lines of the screen some lines take."""
        return sum(max(1, -(-_columns(line) // self.output.width)) for line in lines)


def _columns(line: str) -> int:
    """Return how many columns a line takes."""
    return cell_len(_COLOUR.sub("", line))
