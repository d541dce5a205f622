"""Tiny games that each tell one variant or parameter of the search from another."""

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
    """Twelve moves in turn, four to choose from, and a hook on each of them.

    Everybody wants high moves, so that there is something to find.
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
    """A game that tells a test when it is played, and may sleep or raise then."""

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
    """A move with very many outcomes."""

    name = "wheel"
    title = "Wheel"
    example = True
    options_class = TwoPlayers
    position_class = WheelPosition
    max_moves = OUTCOMES


# ---- what others strive for --------------------------------------------------------------------------

LOTS = (                                # what seat 1 may choose from after each move of seat 0
    ((0.70, 0.20, 0.10), (0.10, 0.10, 0.80)),
    ((0.40, 0.30, 0.30), (0.40, 0.30, 0.30)),
    ((0.55, 0.35, 0.10), (0.00, 0.05, 0.95)),
)


@dataclass(frozen=True)
class KingmakerOptions(GameOptions):
    """Who leads."""

    players: int = option(3, "number of seats", low=3, high=3)
    lead: bool = option(True, "seat 0 is far ahead", values=(True, False))


class KingmakerPosition(SmallPosition):
    """Seat 0 chooses a lot and seat 1 one of its two divisions of the win.

    Seat 1 may give something up to harm seat 0: a little after the first move, much after the third, nothing after
    the second.
    """

    __slots__ = ("lead", "lot", "share", "to_move")

    def __init__(self, options: Any) -> None:
        self.lead, self.lot, self.share, self.to_move = options.lead, -1, -1, 0

    def legal_moves(self) -> list[int]:
        return [0, 1, 2] if self.to_move == 0 else [0, 1]

    def apply(self, move: int) -> None:
        if self.to_move == 0:
            self.lot, self.to_move = move, 1
        else:
            self.share, self.to_move = move, TERMINAL

    def utilities(self) -> tuple[float, ...]:
        return LOTS[self.lot][self.share]

    def evaluate(self) -> list[float]:
        return [0.5, 0.3, 0.2] if self.lead else [0.36, 0.32, 0.32]


class Kingmaker(PythonGame):
    """Three seats, one of which may make another king."""

    name = "kingmaker"
    title = "Kingmaker"
    example = True
    options_class = KingmakerOptions
    position_class = KingmakerPosition
    max_moves = 3


# ---- playouts and tables -----------------------------------------------------------------------------

ROUNDS, KINDS = 6, 6


@dataclass(frozen=True)
class RowOptions(TwoPlayers):
    """Which move is good."""

    rule: str = option("same", "the good move: always 0, or the one after the last", values=("same", "next"))


class RowPosition(SmallPosition):
    """Seat 0 chooses six times one of six moves; its share of the win is that of good ones."""

    __slots__ = ("good", "last", "rounds", "same", "to_move")

    def __init__(self, options: Any) -> None:
        self.same = options.rule == "same"
        self.good, self.last, self.rounds, self.to_move = 0, 0, 0, 0

    def legal_moves(self) -> list[int]:
        return list(range(KINDS))

    def apply(self, move: int) -> None:
        self.good += move == (0 if self.same else (self.last + 1) % KINDS)
        self.last = move
        self.rounds += 1
        if self.rounds == ROUNDS:
            self.to_move = TERMINAL

    def utilities(self) -> list[float]:
        share = self.good / ROUNDS
        return [share, 1 - share]


class Row(PythonGame):
    """A row of choices in which the same move, or the same sequence, is good everywhere."""

    name = "row"
    title = "Row"
    example = True
    options_class = RowOptions
    position_class = RowPosition
    max_moves = KINDS


BOOTHS, WARES = 40, 5


class BoothPosition(SmallPosition):
    """Luck leads seat 0 to one of forty booths, where it takes one of five wares.

    Ware 0 wins four times out of five, the others once, at every booth.
    """

    __slots__ = ("booth", "to_move", "ware", "won")

    def __init__(self, options: GameOptions) -> None:
        self.booth, self.ware, self.won, self.to_move = -2, -1, False, 0

    def legal_moves(self) -> list[int]:
        return [100, 101] if self.booth == -2 else list(range(WARES))

    def chance_outcomes(self) -> list[tuple[int, int]]:
        if self.booth < 0:
            return [(booth, 1) for booth in range(BOOTHS)]
        return [(0, 1), (1, 4)] if self.ware == 0 else [(0, 4), (1, 1)]

    def apply(self, move: int) -> None:
        if self.to_move == CHANCE and self.booth < 0:
            self.booth, self.to_move = move, 0
        elif self.to_move == CHANCE:
            self.won, self.to_move = bool(move), TERMINAL
        else:
            if self.booth == -2:
                self.booth = -1
            else:
                self.ware = move
            self.to_move = CHANCE

    def utilities(self) -> list[float]:
        return [float(self.won), 1.0 - self.won]


class Booths(PythonGame):
    """The same decision in many places, each seldom visited."""

    name = "booths"
    title = "Booths"
    example = True
    options_class = TwoPlayers
    position_class = BoothPosition
    max_moves = BOOTHS


REPLIES = 10


@dataclass(frozen=True)
class TrapOptions(TwoPlayers):
    """How bad the trap is."""

    percent: int = option(5, "share of the win left in the trap, in per cent", low=0, high=100)


class TrapPosition(SmallPosition):
    """Move 1 loses to one of ten replies and wins against the others; move 0 is worth 0.6 whatever follows.

    The evaluation is exact.
    """

    __slots__ = ("move", "percent", "reply", "to_move")

    def __init__(self, options: Any) -> None:
        self.percent, self.move, self.reply, self.to_move = options.percent, -1, -1, 0

    def legal_moves(self) -> list[int]:
        return [0, 1] if self.to_move == 0 else list(range(REPLIES))

    def apply(self, move: int) -> None:
        if self.to_move == 0:
            self.move, self.to_move = move, 1
        else:
            self.reply, self.to_move = move, TERMINAL

    def utilities(self) -> list[float]:
        share = 0.6 if self.move == 0 else self.percent / 100 if self.reply == 0 else 1.0
        return [share, 1 - share]

    def evaluate(self) -> list[float]:
        if self.to_move == TERMINAL:
            return self.utilities()
        share = 0.6 if self.move != 1 else self.percent / 100
        return [share, 1 - share]


class Trap(PythonGame):
    """A move that most replies, and so most playouts, do not punish."""

    name = "trap"
    title = "Trap"
    example = True
    options_class = TrapOptions
    position_class = TrapPosition
    max_moves = REPLIES
