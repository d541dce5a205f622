"""The positions that a network learns from: taken from the records of a tournament by replaying them, in parallel.

One position is taken per turn, at its first decision: there playouts are cut off and evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.backends import LOCAL
from sfida.ai.arena.player import VALUES
from sfida.ai.training.games import read_games
from sfida.cython_ext.state import EVERYBODY, GameState
from sfida.engines.game import Game
from sfida.engines.record_fields import FieldReader
from sfida.engines.records import GameRecord

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Positions:
    """Positions of finished games, in the order of play.

    Attributes
    ----------
    features : float array of shape (n, players, features)
        What `GameState.features` says of every seat, all secrets known.
    value : float array of shape (n, players)
        Win shares that the next search expected; of the result where none followed.
    present : float array of shape (n, players)
        Win shares by the evaluation that the game has now, as the seat to move knows it; NaN where it has none.
    result : float array of shape (n, players)
        Shares of the win at the end of the game.
    game : int array of shape (n,)
        Number of the game, ascending from 0.
    """

    features: Floats
    value: Floats
    present: Floats
    result: Floats
    game: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.game)

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.game[-1]) + 1 if len(self) else 0

    def target(self, mix: float) -> Floats:
        """Return what is to be learnt: the share `mix` of the result, and the rest of the value."""
        return np.float32(mix) * self.result + np.float32(1.0 - mix) * self.value

    def take(self, rows: NDArray[np.bool_]) -> Positions:
        """Return some of the positions, with their games' numbers as they are."""
        return Positions(self.features[rows], self.value[rows], self.present[rows], self.result[rows], self.game[rows])

    @classmethod
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        """Return the positions of several lists of games, whose games are numbered on."""
        numbers, before = [], 0
        for part in parts:
            numbers.append(part.game + before)
            before += part.games
        arrays = {name: np.concatenate([getattr(part, name) for part in parts])
                  for name in ("features", "value", "present", "result")}
        return cls(**arrays, game=np.concatenate(numbers))


def positions_of(game: Game, record: GameRecord) -> Positions:
    """Return the positions of a finished game; raises InvalidRecord if it does not fit the rules."""
    reader = FieldReader(record.where)
    if record.result is None:
        reader.fail("an unfinished game has nothing to learn from")
    given = reader.take_list(dict(record.extra), VALUES, object, (None,) * len(record.moves))
    values = _filled(given, record.result.utilities)
    state = game.initial_state()
    names = state.feature_names
    features, value, present, turn = [], [], [], None
    for text, expected in zip(record.moves, values, strict=True):
        now = _turn(state)
        if now is not None and now != turn:
            turn = now
            features.append([list(state.features(seat, EVERYBODY).values()) for seat in range(game.players)])
            value.append(expected)
            known = state.evaluation()
            present.append([np.nan] * game.players if known is None else known[0])
        state.apply(state.parse(text))
    n = len(features)
    return Positions(
        np.array(features, np.float32).reshape(n, game.players, len(names)),
        np.array(value, np.float32).reshape(n, game.players), np.array(present, np.float32).reshape(n, game.players),
        np.tile(np.array(record.result.utilities, np.float32), (n, 1)), np.zeros(n, np.int64))


def all_positions(game: Game, paths: Sequence[Path], jobs: int = 1, backend: str = LOCAL[0],
                  on_progress: Callable[[int, int], object] | None = None) -> Positions:
    """Return the positions of all finished games of some stores, in their order and that of their schedules.

    The game lists features; the rest, and what is raised, is as of `games.read_games`.
    """
    return Positions.joined(read_games(positions_of, game, paths, jobs, backend, on_progress))


def _turn(state: GameState) -> tuple[int, int] | None:
    """Return what tells the turn of a decision from the turns beside it; None if luck decides."""
    if state.is_chance:
        return None
    return (int(state.turn_number), 0) if state.turn_number >= 0 else (-1, int(state.to_move))


def _filled(values: Sequence[Sequence[float] | None], result: Sequence[float]) -> list[Sequence[float]]:
    """Return the values with every gap filled by the next one: expectations do not change on average.

    At the end of the game stands its result.
    """
    found: list[Sequence[float]] = []
    last = result
    for value in reversed(values):
        last = last if value is None else value
        found.append(last)
    return found[::-1]
