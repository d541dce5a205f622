"""Tic-tac-toe: the smallest complete game, with perfect information and no chance.

Seats 0 (X) and 1 (O) take turns to mark an empty cell of a 3 by 3 board; a seat wins with three marks in a
row, column or diagonal; a full board without such a line is a draw. A move code is the number of the cell:

    0 1 2        a3 b3 c3
    3 4 5   =    a2 b2 c2
    6 7 8        a1 b1 c1
"""

from __future__ import annotations

from typing import Any, Self

from sfida.engines.game import GameOptions
from sfida.engines.python_game import TERMINAL, PythonGame, PythonPosition, TwoPlayers

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
EMPTY = -1


class TicTacToePosition(PythonPosition):
    """A board, the seat to move and the winner.

    Attributes
    ----------
    board : list of int
        Seat of the mark in each cell, or -1.
    winner : int
        Seat that completed a line, or -1.
    """

    __slots__ = ("board", "to_move", "winner")

    def __init__(self, options: GameOptions) -> None:
        self.board = [EMPTY] * 9
        self.to_move = 0
        self.winner = EMPTY

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.board = self.board[:]
        twin.to_move = self.to_move
        twin.winner = self.winner
        return twin

    def legal_moves(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.board) if mark == EMPTY]

    def apply(self, move: int) -> None:
        board, seat = self.board, self.to_move
        board[move] = seat
        if any(board[a] == board[b] == board[c] == seat for a, b, c in LINES):
            self.winner = seat
            self.to_move = TERMINAL
        elif EMPTY not in board:
            self.to_move = TERMINAL
        else:
            self.to_move = 1 - seat

    def utilities(self) -> list[float]:
        if self.winner == EMPTY:
            return [0.5, 0.5]
        return [float(self.winner == seat) for seat in (0, 1)]

    def observation(self, seat: int) -> dict[str, Any]:
        return {"board": ["XO."[mark] for mark in self.board], "to_move": self.to_move}

    def format(self, move: int) -> str:
        return "abc"[move % 3] + "321"[move // 3]

    def text(self, seat: int | None) -> str:
        return draw(self.board)


def draw(board: list[int]) -> str:
    """Draw marks (0: X, 1: O, -1: empty) as a board with its coordinates."""
    rows = (" ".join([label, *("XO."[mark] for mark in board[start:start + 3])])
            for label, start in (("3", 0), ("2", 3), ("1", 6)))
    return "\n".join([*rows, "  a b c"])


class TicTacToe(PythonGame):
    """Tic-tac-toe, registered as `tic_tac_toe`."""

    name = "tic_tac_toe"
    title = "Tic-tac-toe"
    chance_sources = ()
    example = True
    options_class = TwoPlayers
    position_class = TicTacToePosition
    max_moves = 9
    max_codes = 9

    def seat_name(self, seat: int) -> str:
        return "XO"[seat]
