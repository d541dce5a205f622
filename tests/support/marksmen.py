"""A quick game and an agent whose best parameter is known.

Every seat aims at 14 on a scale from 0 to 20, and luck favours the seat that aims closer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sfida.ai.agent import NamedAgent
from sfida.engines.game import GameOptions
from sfida.engines.python_game import CHANCE, TERMINAL, PythonGame, PythonPosition

BEST = 14
_HIT = 100              # chance outcome HIT + seat


@dataclass(frozen=True)
class MarksmenOptions(GameOptions):
    players: int = field(default=2, metadata={"low": 2, "high": 4, "doc": "number of seats"})


class MarksmenPosition(PythonPosition):
    def __init__(self, options):
        self.players = options.players
        self.shots = []
        self.winner = -1
        self.to_move = 0

    def legal_moves(self):
        return list(range(21))

    def chance_outcomes(self):
        return [(_HIT + seat, max(1, round(10_000 * 10 ** (-abs(shot - BEST) / 10))))
                for seat, shot in enumerate(self.shots)]

    def apply(self, move):
        if self.to_move == CHANCE:
            self.winner, self.to_move = move - _HIT, TERMINAL
            return
        self.shots.append(move)
        self.to_move = len(self.shots) if len(self.shots) < self.players else CHANCE

    def utilities(self):
        return [float(seat == self.winner) for seat in range(self.players)]

    def scores(self):
        return self.utilities() if self.to_move == TERMINAL else [0.0] * self.players

    def format(self, move):
        return f"hit:{move - _HIT}" if self.to_move == CHANCE else str(move)

    def text(self, seat):
        return " ".join(map(str, self.shots))


class Marksmen(PythonGame):
    name = "marksmen"
    title = "Marksmen"
    options_class = MarksmenOptions
    position_class = MarksmenPosition
    chance_sources = ("wind",)
    max_moves = 21


@dataclass(frozen=True)
class MarksmanOptions:
    aim: float = field(default=4.0, metadata={"low": 0.0, "high": 20.0, "doc": "where to"})
    hat: bool = field(default=False, metadata={"values": (True, False), "doc": "changes nothing"})
    stance: str = field(default="firm", metadata={"values": ("firm", "loose"), "doc": "loose: three too low"})
    breath: int | None = field(default=None, metadata={"low": 1, "high": 1000, "unset": "held", "doc": "nothing"})


class Marksman(NamedAgent):
    name = "marksman"
    doc = "aims"
    options_class = MarksmanOptions
    reusable = True

    def choose(self, view):
        aim = round(self.options.aim) - (3 if self.options.stance == "loose" else 0)
        return min(max(aim, 0), 20)
