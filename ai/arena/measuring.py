"""Measures the luck of games that are in a store already, in parallel."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass

from sfida.ai.arena.backends import in_batches
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
    for found in in_batches(measure_games, missing, lambda _, records: MeasureTask(game, records), _BATCH, jobs,
                            backend, on_progress):
        store.add_luck(found)
    return len(missing)
