"""Tiny games with hidden information, which show whose knowledge a search uses to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.rng import Random
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, TwoPlayers
from support.search_toys import SmallPosition, option

SAFE, GO = 0, 1
CARDS = 4
FIRST = 10                              # code of the first guess or answer


class GuessPosition(SmallPosition):
    """A card is hidden from seat 0, which may take half the win for sure or continue and guess the card.

    A guess is right one time in four; a search that assumes that seat 0 will know the card continues.
    """

    __slots__ = ("card", "done", "to_move")

    def __init__(self, options: GameOptions) -> None:
        self.card, self.done, self.to_move = -1, -1, CHANCE

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(FIRST + card, 1) for card in range(CARDS)]

    def legal_moves(self) -> list[int]:
        return [SAFE, GO] if self.done < 0 else [FIRST + card for card in range(CARDS)]

    def apply(self, move: int) -> None:
        if self.to_move == CHANCE:
            self.card, self.to_move = move - FIRST, 0
            return
        self.to_move = 0 if move == GO else TERMINAL
        self.done = move

    def utilities(self) -> list[float]:
        if self.done == SAFE:
            return [0.5, 0.5]
        return [1.0, 0.0] if self.done == FIRST + self.card else [0.0, 1.0]

    def event_label(self, seat: int) -> Any:
        if self.done < 0:
            return ("card", self.card) if seat == 1 else 0
        return ("played", self.done)

    def determinize(self, seat: int, rng: Random) -> None:
        if seat == 0 and self.card >= 0 and self.to_move != TERMINAL:
            self.card = rng.below(CARDS)

    def observation(self, seat: int) -> dict[str, Any]:
        return {"to_move": self.to_move, "done": self.done, "card": "hidden" if seat == 0 else self.card}


class Guess(PythonGame):
    """Strategy fusion: continuing is worth 1 to a seat that will know the card, guessing 1/4, not guessing 1/2."""

    name = "guess"
    title = "Guess"
    example = True
    options_class = TwoPlayers
    position_class = GuessPosition
    max_moves = CARDS


class AnswerPosition(GuessPosition):
    """Seat 1 holds the card; when asked, seat 1 gives one of two answers and wins by naming its own card.

    So asking loses. A search that assumes that seat 1 does not know its own card values asking at a half.
    """

    __slots__ = ()

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(FIRST, 1), (FIRST + 1, 1)]

    def legal_moves(self) -> list[int]:
        return [SAFE, GO] if self.done < 0 else [FIRST, FIRST + 1]

    def apply(self, move: int) -> None:
        super().apply(move)
        if move == GO:
            self.to_move = 1

    def utilities(self) -> list[float]:
        if self.done == SAFE:
            return [0.3, 0.7]
        return [0.0, 1.0] if self.done == FIRST + self.card else [1.0, 0.0]

    def determinize(self, seat: int, rng: Random) -> None:
        if seat == 0 and self.card >= 0 and self.to_move != TERMINAL:
            self.card = rng.below(2)

    def private_bucket(self, seat: int) -> int:
        return self.card + 1 if seat == 1 else 0


class Answer(PythonGame):
    """An opponent whose right decision depends on its secret."""

    name = "answer"
    title = "Answer"
    example = True
    options_class = TwoPlayers
    position_class = AnswerPosition
    max_moves = 2


class HidePosition(SmallPosition):
    """Seat 0 may take 0.7 for sure; otherwise seat 1 hides an object in one of two places and seat 0 looks for it.

    Looking is worth a half. A search in one tree sees the hiding place, and values looking at 1.
    """

    __slots__ = ("place", "to_move", "turn", "won")

    def __init__(self, options: GameOptions) -> None:
        self.place, self.to_move, self.turn, self.won = -1, 0, 0, 0.7

    def legal_moves(self) -> list[int]:
        return [SAFE, GO] if self.turn == 0 else [FIRST, FIRST + 1]

    def apply(self, move: int) -> None:
        self.turn += 1
        if self.turn == 1:
            self.to_move = 1 if move == GO else TERMINAL
        elif self.turn == 2:
            self.place, self.to_move = move, 0
        else:
            self.won, self.to_move = float(move == self.place), TERMINAL

    def utilities(self) -> list[float]:
        return [self.won, 1 - self.won]

    def event_label(self, seat: int) -> Any:
        if self.turn == 2:
            return ("hidden", self.place) if seat == 1 else "hidden"
        return ("turn", self.turn, self.won)

    def determinize(self, seat: int, rng: Random) -> None:
        if seat == 0 and self.turn == 2:
            self.place = FIRST + rng.below(2)

    def observation(self, seat: int) -> dict[str, Any]:
        return {"to_move": self.to_move, "turn": self.turn, "won": self.won,
                "place": self.place if seat == 1 or self.to_move == TERMINAL else "hidden"}


class Hide(PythonGame):
    """A hidden move of the opponent."""

    name = "hide"
    title = "Hide"
    example = True
    options_class = TwoPlayers
    position_class = HidePosition
    max_moves = 2


class LeakyPosition(SmallPosition):
    """Seat 0 holds a card that decides nothing, but the priors of seat 1 read it, which no game may do.

    Seat 0 chooses among eight equivalent moves, then seat 1 gives seat 0 a win share of 0.9 or 0.1.
    """

    __slots__ = ("card", "taken", "to_move")

    def __init__(self, options: GameOptions) -> None:
        self.card, self.taken, self.to_move = -1, -1, CHANCE

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(FIRST, 1), (FIRST + 1, 1)]

    def legal_moves(self) -> list[int]:
        return list(range(8)) if self.to_move == 0 else [0, 1]

    def apply(self, move: int) -> None:
        if self.to_move == CHANCE:
            self.card, self.to_move = move - FIRST, 0
        elif self.to_move == 0:
            self.to_move = 1
        else:
            self.taken, self.to_move = move, TERMINAL
        if self.to_move == 1:
            self.taken = -2 - move

    def utilities(self) -> list[float]:
        share = 0.9 if self.taken == 0 else 0.1
        return [share, 1 - share]

    def event_label(self, seat: int) -> Any:
        if self.taken == -1:
            return ("card", self.card) if seat == 0 else 0
        return ("taken", self.taken)

    def determinize(self, seat: int, rng: Random) -> None:
        if seat == 1 and self.card >= 0 and self.to_move != TERMINAL:
            self.card = rng.below(2)

    def priors(self, moves: list[int]) -> list[float]:
        return [9.0 if self.to_move == 1 and move == self.card else 1.0 for move in moves]

    def observation(self, seat: int) -> dict[str, Any]:
        return {"to_move": self.to_move, "taken": self.taken, "card": self.card if seat == 0 else "hidden"}


class Leaky(PythonGame):
    """A game whose knowledge cheats."""

    name = "leaky"
    title = "Leaky"
    example = True
    options_class = TwoPlayers
    position_class = LeakyPosition
    max_moves = 8


# ---- worlds with different legal moves --------------------------------------------------------------

CORRIDOR, DOORS = 40, 17               # number of steps, and the step after which doors exist


class CorridorPosition(SmallPosition):
    """Seats take turns in a corridor with one move; in half of the worlds seat 1 may leave by a door near its end.

    All iterations follow the same path, so concurrent iterations meet at the end of its explored part.
    """

    __slots__ = ("door", "left", "steps", "to_move")

    def __init__(self, options: GameOptions) -> None:
        self.door, self.left, self.steps, self.to_move = 0, False, 0, 0

    def legal_moves(self) -> list[int]:
        return [1, 2] if self.to_move == 1 and self.door and self.steps >= DOORS else [1]

    def apply(self, move: int) -> None:
        self.steps += 1
        self.left = move == 2
        self.to_move = TERMINAL if self.left or self.steps == CORRIDOR else 1 - self.to_move

    def utilities(self) -> list[float]:
        return [1.0, 0.0] if self.left else [0.5, 0.5]

    def event_label(self, seat: int) -> Any:
        return ("step", self.steps, self.left)

    def determinize(self, seat: int, rng: Random) -> None:
        if seat == 0 and self.to_move != TERMINAL:
            self.door = rng.below(2)

    def priors(self, moves: list[int]) -> list[float]:
        return [1.0] * len(moves)

    def observation(self, seat: int) -> dict[str, Any]:
        return {"steps": self.steps, "to_move": self.to_move, "left": self.left,
                "door": self.door if seat == 1 else "hidden"}


class Corridor(PythonGame):
    """A long path along which the legal moves depend on the world."""

    name = "corridor"
    title = "Corridor"
    example = True
    options_class = TwoPlayers
    position_class = CorridorPosition
    max_moves = 2


# ---- hidden choices ----------------------------------------------------------------------------------

PENNIES = ((1.0, 0.0), (0.0, 2 / 3))    # payoffs (2, -1; -1, 1), moved into [0, 1]
DOMINATED = ((0.6, 0.6), (0.2, 1.0))    # the second move of seat 1 is dominated


@dataclass(frozen=True)
class MatrixOptions(TwoPlayers):
    """The choice of the matrix."""

    matrix: str = option("pennies", "win shares of seat 0", values=("pennies", "dominated"))


class MatrixPosition(SmallPosition):
    """Both seats choose at the same time, a row and a column; seat 1 does not see the move of seat 0."""

    __slots__ = ("chosen", "matrix", "to_move")

    def __init__(self, options: Any) -> None:
        self.matrix = PENNIES if options.matrix == "pennies" else DOMINATED
        self.chosen: tuple[int, ...] = ()
        self.to_move = 0

    def legal_moves(self) -> list[int]:
        return [0, 1]

    def apply(self, move: int) -> None:
        self.chosen = (*self.chosen, move)
        self.to_move = 1 if len(self.chosen) == 1 else TERMINAL

    def utilities(self) -> list[float]:
        first, second = self.chosen
        return [self.matrix[first][second], 1 - self.matrix[first][second]]

    def event_label(self, seat: int) -> Any:
        if self.to_move == TERMINAL:
            return ("shown", *self.chosen)
        return ("laid", self.chosen[0]) if seat == 0 else "laid"

    def determinize(self, seat: int, rng: Random) -> None:
        if seat == 1 and len(self.chosen) == 1:
            self.chosen = (rng.below(2),)

    def is_bid(self) -> bool:
        return True

    def retract_bids(self, seat: int) -> None:
        if seat == 1 and len(self.chosen) == 1:
            self.chosen, self.to_move = (), 0

    def observation(self, seat: int) -> dict[str, Any]:
        hidden = seat == 1 and len(self.chosen) == 1
        return {"to_move": self.to_move, "chosen": "hidden" if hidden else list(self.chosen)}


class Matrix(PythonGame):
    """A matrix game."""

    name = "matrix"
    title = "Matrix"
    example = True
    options_class = MatrixOptions
    position_class = MatrixPosition
    max_moves = 2
