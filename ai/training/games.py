"""The games that a training learns from, read in workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from sfida.ai.arena.backends import LOCAL
from sfida.ai.arena.batches import work_on
from sfida.ai.arena.outcome import ForfeitedGames, forfeits_of, joined, told
from sfida.ai.arena.store import Store
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.game import Game
from sfida.engines.records import GameRecord

T = TypeVar("T")
_BATCH = 16             # games of a task


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
    numbered = list(enumerate(_finished(paths)))
    found: dict[int, T] = {}
    for parts in work_on(partial(_read, read), game, numbered, _BATCH, jobs, backend, on_progress):
        found.update(parts)
    return [found[number] for number, _ in numbered]


def _read(read: Callable[[Game, GameRecord], T], game: Game,
          numbered: Sequence[tuple[int, GameRecord]]) -> list[tuple[int, T]]:
    return [(number, read(game, record)) for number, record in numbered]


def _finished(paths: Sequence[Path]) -> list[GameRecord]:
    records: list[GameRecord] = []
    forfeits: list[tuple[ForfeitedGames, ...]] = []
    for path in paths:
        with Store.read(path, trust_agents=True) as store:
            outcomes, labels = list(store.outcomes()), store.setup.labels
        records += [outcome.record for outcome in outcomes if outcome.forfeit is None]
        forfeits.append(forfeits_of(
            (number, labels[outcome.agents[outcome.forfeit.seat]], outcome.forfeit)
            for number, outcome in enumerate(outcomes, start=1) if outcome.forfeit is not None))
    if not records:
        raise InvalidRecord(f"no game was finished, so there is nothing to learn from{told(joined(forfeits))}")
    return records
