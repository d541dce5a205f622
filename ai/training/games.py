"""The games that a training learns from, read in workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from sfida.ai.arena.backends import LOCAL, in_batches
from sfida.ai.arena.portable import portable
from sfida.ai.arena.store import Store
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.game import Game
from sfida.engines.records import GameRecord

T = TypeVar("T")
_BATCH = 16             # games of a task


@dataclass(frozen=True)
class _Task(Generic[T]):
    """Some games to read, by a function; the game is pickled by `portable`."""

    read: Callable[[Game, GameRecord], T]
    game: bytes
    first: int
    records: tuple[GameRecord, ...]


def read_games(read: Callable[[Game, GameRecord], T], game: Game, paths: Sequence[Path], jobs: int = 1,
               backend: str = LOCAL[0], on_progress: Callable[[int, int], object] | None = None) -> list[T]:
    """Return what a function of a module reads of every finished game of some stores, in their order.

    Parameters
    ----------
    read : callable
        Takes the game and a record.
    game : Game
    paths : sequence of Path
        Stores of tournaments of this game.
    jobs : int
    backend : str
        One that runs on this machine.
    on_progress : callable, optional
        Called with the number of games read so far and of all.

    Raises
    ------
    InvalidRecord
        If a store is damaged or holds no finished game.
    """
    packed = portable(game)
    found = dict(in_batches(_read, _finished(paths), lambda first, some: _Task(read, packed, first, some), _BATCH, jobs,
                            backend, on_progress))
    return [part for first in sorted(found) for part in found[first]]


def _read(task: _Task[T]) -> tuple[int, list[T]]:
    game = pickle.loads(task.game)
    return task.first, [task.read(game, record) for record in task.records]


def _finished(paths: Sequence[Path]) -> list[GameRecord]:
    records: list[GameRecord] = []
    for path in paths:
        with Store.read(path, trust_agents=True) as store:
            records += [outcome.record for outcome in store.outcomes() if outcome.forfeit is None]
    if not records:
        raise InvalidRecord("no game was finished, so there is nothing to learn from")
    return records
