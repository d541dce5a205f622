"""Measures the luck of games that are in a store already, in parallel."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sfida.ai.arena.backends import workers
from sfida.ai.arena.portable import portable
from sfida.ai.arena.store import Store
from sfida.ai.luck.terms import GameLuck, luck_of
from sfida.ai.luck.value import Value
from sfida.engines.records import GameRecord

_BATCH = 8              # games of one task


@dataclass(frozen=True)
class MeasureTask:
    """Some games whose luck is to be measured.

    Attributes
    ----------
    game : bytes
        The game, pickled by `portable`.
    records : tuple of ((int, int), GameRecord)
        Block and rotation, and the record.
    """

    game: bytes
    records: tuple[tuple[tuple[int, int], GameRecord], ...]


def measure_games(task: MeasureTask) -> dict[tuple[int, int], GameLuck]:
    """Return the luck of the games of a task."""
    value = Value(pickle.loads(task.game))
    return {place: luck_of(record, value) for place, record in task.records}


def measure(store: Store, value: Value, jobs: int = 1, backend: str = "loky",
            on_progress: Callable[[int, int], object] | None = None) -> int:
    """Measure the luck of all games of a store that lack it, and add it; return how many they were.

    Parameters
    ----------
    store : Store
        Open for writing; the key of the value function must be noted in it.
    value : Value
    jobs : int
    backend : str
        One that runs on this machine.
    on_progress : callable, optional
        Called with the number of games measured so far and of all that lacked it.
    """
    measured, game = store.luck(), portable(value.game)
    missing = [((outcome.block, outcome.rotation), outcome.record) for outcome in store.outcomes()
               if (outcome.block, outcome.rotation) not in measured]
    if not missing:
        return 0

    def tasks() -> Iterator[MeasureTask]:
        for first in range(0, len(missing), _BATCH):
            yield MeasureTask(game, tuple(missing[first:first + _BATCH]))

    done = 0
    with workers(backend, min(jobs, -(-len(missing) // _BATCH)), None) as run:
        for found in run(measure_games, tasks()):
            store.add_luck(found)
            done += len(found)
            if on_progress is not None:
                on_progress(done, len(missing))
    return len(missing)
