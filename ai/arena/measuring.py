"""Measures the luck of games that are in a store already, in parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sfida.ai.arena.batches import work_on
from sfida.ai.arena.store import Store
from sfida.ai.luck.terms import GameLuck, luck_of
from sfida.ai.luck.value import Value
from sfida.engines.game import Game
from sfida.engines.records import GameRecord

_BATCH = 8              # games of one task


Place = tuple[int, int]         # of a game: block and rotation


def measure_games(game: Game, records: Sequence[tuple[Place, GameRecord]]) -> dict[Place, GameLuck]:
    """Return the luck of some games, each with its place."""
    value = Value(game)
    return {place: luck_of(record, value) for place, record in records}


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
    measured = store.luck()
    missing = [((outcome.block, outcome.rotation), outcome.record) for outcome in store.outcomes()
               if (outcome.block, outcome.rotation) not in measured]
    for found in work_on(measure_games, value.game, missing, _BATCH, jobs, backend, on_progress):
        store.add_luck(found)
    return len(missing)
