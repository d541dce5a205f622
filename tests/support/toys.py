"""Tiny games with known truths, for tests of the search."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, PythonPosition, TwoPlayers


def expectimax(state: GameState, known: dict[bytes, tuple[float, ...]] | None = None) -> tuple[float, ...]:
    """Return the exact win shares of a position with perfect information when every seat maximizes its own share."""
    known = {} if known is None else known
    key = state.to_bytes()
    if key not in known:
        if state.is_over:
            known[key] = tuple(state.utilities() or ())
            return known[key]
        values = []
        for move in state.legal_moves():
            child = state.clone()
            child.apply(move)
            values.append(expectimax(child, known))
        if state.is_chance:
            weights = [weight for _, weight in state.chance_outcomes()]
            known[key] = tuple(sum(w * value[seat] for w, value in zip(weights, values, strict=True)) / sum(weights)
                               for seat in range(state.players))
        else:
            seat = state.to_move
            known[key] = max(values, key=lambda value: value[seat])
    return known[key]


class NimPosition(PythonPosition):
    """A pile of counters: a seat takes 1 or 2, then a draught blows 0 or 1 away; taking the last one wins.

    If the draught blows the last one away, the game is drawn.
    """

    __slots__ = ("drawn", "pile", "seat", "to_move")

    def __init__(self, options: Any) -> None:
        self.pile = options.pile
        self.seat = 0
        self.to_move = 0
        self.drawn = False

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.pile, twin.seat, twin.to_move, twin.drawn = self.pile, self.seat, self.to_move, self.drawn
        return twin

    def legal_moves(self) -> list[int]:
        return [1, 2][:self.pile]

    def chance_outcomes(self) -> list[tuple[int, int]]:
        return [(0, 2), (1, 1)]

    def apply(self, move: int) -> None:
        by_chance = self.to_move == CHANCE
        self.pile -= move
        if self.pile == 0:
            self.drawn = by_chance
            self.to_move = TERMINAL
        elif by_chance:
            self.seat = 1 - self.seat
            self.to_move = self.seat
        else:
            self.to_move = CHANCE

    def utilities(self) -> list[float]:
        return [0.5, 0.5] if self.drawn else [float(self.seat == seat) for seat in (0, 1)]


@dataclass(frozen=True)
class NimOptions(TwoPlayers):
    """The number of counters."""

    pile: int = field(default=7, metadata={"low": 1, "high": 50, "doc": "counters"})


class ChanceNim(PythonGame):
    """Nim with chance: the best move depends on the draught."""

    name = "chance_nim"
    title = "Nim with a draught"
    example = True
    options_class = NimOptions
    position_class = NimPosition
    max_moves = 2


DICE = (((0, 1), (3, 1)), ((2, 1),), ((0, 2), (5, 1)))     # (points, weight): means 1.5, 2 and 1.67


class DicePosition(PythonPosition):
    """Each seat chooses a die and adds the roll, twice; the win share is linear in the difference.

    So the middle die is always best, whatever the earlier rolls.
    """

    __slots__ = ("die", "points", "seat", "to_move", "turns")

    def __init__(self, options: GameOptions) -> None:
        self.points = [3, 0]
        self.turns = 0
        self.seat = 0
        self.die = 0
        self.to_move = 0

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.points = self.points[:]
        twin.turns, twin.seat, twin.die, twin.to_move = self.turns, self.seat, self.die, self.to_move
        return twin

    def legal_moves(self) -> list[int]:
        return [0, 1, 2]

    def chance_outcomes(self) -> tuple[tuple[int, int], ...]:
        return DICE[self.die]

    def apply(self, move: int) -> None:
        if self.to_move != CHANCE:
            self.die = move
            self.to_move = CHANCE
            return
        self.points[self.seat] += move
        self.turns += 1
        self.seat = 1 - self.seat
        self.to_move = self.seat if self.turns < 4 else TERMINAL

    def utilities(self) -> list[float]:
        share = 0.5 + (self.points[0] - self.points[1]) / 30
        return [share, 1 - share]


class Dice(PythonGame):
    """A race in which no decision depends on luck."""

    name = "dice"
    title = "Dice"
    example = True
    options_class = TwoPlayers
    position_class = DicePosition
    max_moves = 3


ARMS = 20


@dataclass(frozen=True)
class ArmsOptions(GameOptions):
    """The number of seats."""

    players: int = field(default=2, metadata={"low": 2, "high": 4, "doc": "number of seats"})


class ArmsPosition(PythonPosition):
    """One decision among 20 moves: move m gives seat 0 the win share m / 20 and 3 * m points.

    The other seats share the rest, and have 30 points each, except for the last, which has 40. The priors
    fall with m, so they are wrong.
    """

    __slots__ = ("chosen", "seats", "to_move")

    def __init__(self, options: GameOptions) -> None:
        self.seats = options.players
        self.chosen = -1
        self.to_move = 0

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.seats, twin.chosen, twin.to_move = self.seats, self.chosen, self.to_move
        return twin

    def legal_moves(self) -> list[int]:
        return list(range(ARMS))

    def apply(self, move: int) -> None:
        self.chosen = move
        self.to_move = TERMINAL

    def utilities(self) -> list[float]:
        share = self.chosen / ARMS
        return [share] + [(1 - share) / (self.seats - 1)] * (self.seats - 1)

    def scores(self) -> list[float]:
        return [3 * max(self.chosen, 0)] + [30] * (self.seats - 2) + [40]

    def priors(self, moves: list[int]) -> list[float]:
        return [float(ARMS - move) for move in moves]


class Arms(PythonGame):
    """A bandit of 20 arms with known rewards."""

    name = "arms"
    title = "Arms"
    example = True
    options_class = ArmsOptions
    position_class = ArmsPosition
    max_moves = ARMS


COMMON, RARE = 0, 1
WORLDS = 10


class RarePosition(PythonPosition):
    """Seat 1 holds one of ten cards that seat 0 cannot see; with card 0 it has a second move, a bad one.

    Seat 0 moves first and has one move. The moves that seat 1 is offered and takes are noted in `seen`.
    """

    __slots__ = ("card", "done", "to_move")

    seen: ClassVar[list[tuple[bool, int]]] = []

    def __init__(self, options: GameOptions) -> None:
        self.card = 0
        self.to_move = 0
        self.done = -1

    def clone(self) -> Self:
        twin = object.__new__(type(self))
        twin.card, twin.to_move, twin.done = self.card, self.to_move, self.done
        return twin

    def legal_moves(self) -> list[int]:
        return [COMMON, RARE] if self.to_move == 1 and self.card == 0 else [COMMON]

    def apply(self, move: int) -> None:
        if self.to_move == 0:
            self.to_move = 1
            return
        self.seen.append((self.card == 0, move))
        self.done = move
        self.to_move = TERMINAL

    def utilities(self) -> list[float]:
        return [1.0, 0.0] if self.done == RARE else [0.0, 1.0]

    def scores(self) -> list[float]:
        return [0.0, 0.0]

    def evaluate(self) -> list[float]:
        return [0.5, 0.5]

    def determinize(self, seat: int, rng: Random) -> None:
        if seat == 0 and self.to_move != TERMINAL:
            self.card = rng.below(WORLDS)

    def event_label(self, seat: int) -> Any:
        return ("second", self.done) if self.done >= 0 else "first"

    def observation(self, seat: int) -> dict[str, Any]:
        return {"to_move": self.to_move, "card": self.card if seat == 1 else "hidden", "done": self.done}


class Rare(PythonGame):
    """A move that is legal in a tenth of the worlds."""

    name = "rare"
    title = "A rare move"
    example = True
    options_class = TwoPlayers
    position_class = RarePosition
    max_moves = 2


def margin_reward(win: float, score: float, others: list[float], blend: float, tau: float) -> float:
    """Return the documented reward: win share blended with the squashed margin over the best other seat."""
    return (1 - blend) * win + blend / (1 + math.exp(-(score - max(others)) / tau))
