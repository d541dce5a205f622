"""Tiny games that each distinguish one variant or parameter of the search from others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, PythonPosition, TwoPlayers


class SmallPosition(PythonPosition):
    """A position whose attributes are numbers and tuples."""

    __slots__ = ()

    _names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._names = (*cls._names, *cls.__dict__.get("__slots__", ()))

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        for name in self._names:
            setattr(twin, name, getattr(self, name))
        return twin


def option(default: Any, doc: str, **bounds: Any) -> Any:
    """Declare an option of a toy."""
    return field(default=default, metadata={"doc": doc, **bounds})


# ---- watched from outside --------------------------------------------------------------------------


class WatchedPosition(SmallPosition):
    """Twelve turns with four legal moves each, and a hook that is called at each move.

    Every seat prefers high moves, so that the search has something to find.
    """

    __slots__ = ("count", "points", "to_move")

    on_apply: ClassVar[Callable[[int], object]] = staticmethod(lambda _move: None)

    def __init__(self, options: GameOptions) -> None:
        self.count, self.points, self.to_move = 0, 0, 0

    def legal_moves(self) -> list[int]:
        return [0, 1, 2, 3]

    def apply(self, move: int) -> None:
        type(self).on_apply(move)
        self.points += move if self.to_move == 0 else -move
        self.count += 1
        self.to_move = TERMINAL if self.count == 12 else 1 - self.to_move

    def utilities(self) -> list[float]:
        share = 0.5 + self.points / 36
        return [share, 1 - share]

    def priors(self, moves: list[int]) -> list[float]:
        return [1.0 + move for move in moves]


class Watched(PythonGame):
    """A game that notifies a test at each move, and may then sleep or raise."""

    name = "watched"
    title = "Watched"
    example = True
    options_class = TwoPlayers
    position_class = WatchedPosition
    max_moves = 4


# ---- luck --------------------------------------------------------------------------------------------

OUTCOMES = 200


class WheelPosition(SmallPosition):
    """Seat 0 spins one of two wheels, then stops it or lets it run, which makes no difference.

    Wheel 0 is worth 0.4. Wheel 1 has 200 outcomes: outcome i of weight 1 + i is worth i / 199.
    """

    __slots__ = ("result", "to_move", "wheel")

    def __init__(self, options: GameOptions) -> None:
        self.result, self.to_move, self.wheel = -1, 0, -1

    def legal_moves(self) -> list[int]:
        return [0, 1]

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(i, 1 + i) for i in range(OUTCOMES)] if self.wheel else [(0, 1)]

    def apply(self, move: int) -> None:
        if self.to_move == CHANCE:
            self.result, self.to_move = move, 0
        elif self.wheel < 0:
            self.wheel, self.to_move = move, CHANCE
        else:
            self.to_move = TERMINAL

    def utilities(self) -> list[float]:
        share = self.result / (OUTCOMES - 1) if self.wheel else 0.4
        return [share, 1 - share]


class Wheel(PythonGame):
    """A game with a move of very many outcomes."""

    name = "wheel"
    title = "Wheel"
    example = True
    options_class = TwoPlayers
    position_class = WheelPosition
    max_moves = OUTCOMES


# ---- the rewards of other seats ----------------------------------------------------------------------

LOTS = (                                # divisions from which seat 1 chooses after each move of seat 0
    ((0.70, 0.20, 0.10), (0.10, 0.10, 0.80)),
    ((0.40, 0.30, 0.30), (0.40, 0.30, 0.30)),
    ((0.55, 0.35, 0.10), (0.00, 0.05, 0.95)),
)


@dataclass(frozen=True)
class KingmakerOptions(GameOptions):
    """Options for three seats."""

    players: int = option(3, "number of seats", low=3, high=3)


class KingmakerPosition(SmallPosition):
    """Seat 0 chooses a lot and seat 1 chooses one of its two divisions of the win.

    Seat 1 may give up win share to harm seat 0: a little after the first move, much after the third, none after the
    second.
    """

    __slots__ = ("lot", "share", "to_move")

    def __init__(self, options: Any) -> None:
        self.lot, self.share, self.to_move = -1, -1, 0

    def legal_moves(self) -> list[int]:
        return [0, 1, 2] if self.to_move == 0 else [0, 1]

    def apply(self, move: int) -> None:
        if self.to_move == 0:
            self.lot, self.to_move = move, 1
        else:
            self.share, self.to_move = move, TERMINAL

    def utilities(self) -> tuple[float, ...]:
        return LOTS[self.lot][self.share]


class Kingmaker(PythonGame):
    """A game of three seats, one of which may decide which other seat wins."""

    name = "kingmaker"
    title = "Kingmaker"
    example = True
    options_class = KingmakerOptions
    position_class = KingmakerPosition
    max_moves = 3
