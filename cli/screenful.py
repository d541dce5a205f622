"""A person's decision on one screen: what is needed most stays, commands show the rest."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.cells import cell_len

from sfida.cli import show
from sfida.cli.choices import Choices
from sfida.cli.output import Draft, Output
from sfida.cython_ext.state import GameState

PROMPT = 1              # lines of the prompt
TOLD = 8                # one line in so many stays for what was told just before
LISTED = 4              # likewise at least for the list of moves,
DRAWN = 2               # and for the board, before the status goes
_LOWEST = 3             # lines of the lowest board
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
        self.height = output.height - PROMPT - min(told, output.height // TOLD)

    def ask(self) -> None:
        """Show the question and the moves."""
        question = self._question()
        self._print(question)
        self._list(self.height - self._rows(question))

    def show(self) -> None:
        """Show board, status, question and moves.

        Where there is no room for all of them, the board gets lower, then the status goes; the heading names the
        commands that show them.
        """
        rows, height = self._rows, self.height - 1
        listed = show.board_lists_moves(self.state, self.seat)
        moves = [] if listed else self._drawn(lambda draft: show.choice_list(draft, self.choices))
        board, status, question = self._board(), self._status(), self._question()
        left_out = []
        if self._said(question):
            question = []
        if rows(board) + rows(status) + rows(question) + rows(moves) > height:
            least = rows(question) + min(rows(moves), height // LISTED)
            if height - least - rows(status) < min(rows(board), height // DRAWN):
                status, question = [], self._question()
                least = rows(question) + min(rows(moves), height // LISTED)
                left_out.append("'status'")
            lower = self._board(max(_LOWEST, height - least - rows(status)))
            if lower != board:
                board = lower
                left_out.insert(0, "'board'")
        show.rule(self.output, show.turn_text(self.state.game, self.seat, left_out))
        for part in (board, status, question):
            self._print(part)
        if not listed:
            self._list(height - rows(board) - rows(status) - rows(question))

    # ---- parts --------------------------------------------------------------------------------

    def _board(self, height: int | None = None) -> list[str]:
        game, output = self.state.game, self.output
        text = (game.board_text(self.state, seat=self.seat, color=output.color, width=output.width, labels=True)
                if height is None else
                game.low_board_text(self.state, height, seat=self.seat, color=output.color, width=output.width,
                                    labels=True))
        return text.splitlines()

    def _status(self) -> list[str]:
        return self._drawn(lambda draft: show.status(draft, self.state, self.seat))

    def _question(self) -> list[str]:
        """Return what the board does not show of the decision, and the question."""
        game, output = self.state.game, self.output
        lines = game.draw_decision(self.state, color=output.color, width=output.width).splitlines()
        if asked := game.question(self.state, self.seat):
            lines += self._drawn(lambda draft: draft.line(asked, "bold"))
        return lines

    def _said(self, question: list[str]) -> bool:
        """Tell whether the status ends with the question."""
        asked = self.state.game.question(self.state, self.seat)
        said = self.state.game.status_text(self.state, seat=self.seat)
        return bool(asked) and len(question) == 1 and " ".join(said.split()).endswith(asked)

    def _list(self, rows: int) -> None:
        show.choice_list(self.output, self.choices, rows=max(1, rows))

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
        return sum(max(1, -(-cell_len(_COLOUR.sub("", line)) // self.output.width)) for line in lines)
