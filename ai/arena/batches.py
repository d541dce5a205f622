"""Works on recorded games in workers, so many at a time."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sfida.ai.arena.backends import LOCAL, in_batches
from sfida.ai.arena.portable import portable
from sfida.cython_ext.errors import faults_told
from sfida.engines.game import Game

Item = TypeVar("Item")
Done = TypeVar("Done")


@dataclass(frozen=True)
class _Task(Generic[Item, Done]):
    """Some items to work on; their game is pickled by `portable`."""

    work: Callable[[Game, tuple[Item, ...]], Done]
    game: bytes
    items: tuple[Item, ...]


def work_on(work: Callable[[Game, tuple[Item, ...]], Done], game: Game, items: Sequence[Item], size: int, jobs: int = 1,
            backend: str = LOCAL[0], on_progress: Callable[[int, int], object] | None = None) -> Iterator[Done]:
    """Yield what a function says of items that belong to a game, so many at a time, as its results come.

    Parameters
    ----------
    work : callable
        Called in the workers with the game and some items; a function of a module, or a `functools.partial` of one.
    game : Game
    items : sequence
    size, jobs, backend, on_progress
        As of `in_batches`.

    Raises
    ------
    InvalidOption
        If the game cannot be sent to workers.
    """
    packed = portable(game)
    return in_batches(_done, items, lambda some: _Task(work, packed, some), size, jobs, backend, on_progress)


def _done(task: _Task[Item, Done]) -> Done:
    with faults_told():
        return task.work(pickle.loads(task.game), task.items)
