"""Tournaments as JSON Lines: each game is one record that also describes its tournament and its place in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schema import Header, read_game, read_header, timing_of
from sfida.ai.arena.store import Store, is_vacant
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.record_fields import FieldReader
from sfida.engines.record_files import read_records, write_records
from sfida.engines.records import GameRecord
from sfida.engines.spec import shown

_HEADER, _GAME = "tournament", "tournament_game"        # extra fields of the records


def export_games(store: Store, path: Path) -> int:
    """Write all games of a store to a file of records, replacing it; return how many.

    Raises
    ------
    InvalidRecord
        If the store is damaged or the file cannot be written.
    """
    header = store.header
    records = [game.record.with_extra(**{_HEADER: header, _GAME: timing_of(game)}) for game in store.outcomes()]
    write_records(path, records)
    return len(records)


def import_games(path: Path, store_path: Path, trust: Callable[[GameRecord], GameRecord] | None = None) -> int:
    """Add the games of a file to a store, which is created if missing; return how many are new.

    Every game is first replayed and compared with the schedule of its tournament. Then all are added in one
    transaction, which also creates a new store.

    Parameters
    ----------
    path, store_path : Path
    trust : callable, optional
        Called with every record; returns it (`GameRecord.trusting`) if its game may be run even if it is another
        package's. By default none may.

    Raises
    ------
    InvalidRecord
        If a record is not a game of a tournament, does not replay, or belongs to another tournament than the store, or
        if the store is damaged. Then nothing is added.
    """
    outcomes: dict[tuple[int, int], GameOutcome] = {}
    data: dict[str, Any] | None = None
    header: Header | None = None
    longest: Header | None = None
    for read in read_records(path):
        record = read if trust is None else trust(read)
        reader = FieldReader(record.where)
        found = reader.take(dict(record.extra), _HEADER, dict)
        if header is None or longest is None or found != data:
            data, header = found, _header(found, record)
            if longest is not None and header.schedule.digest != longest.schedule.digest:
                reader.fail("a game of another tournament than the games before it")
            if longest is None or header.setup.games > longest.setup.games:
                longest = header
        outcome = _outcome(record, reader, header)
        before = outcomes.setdefault((outcome.block, outcome.rotation), outcome)
        if before != outcome:
            reader.fail(f"block {outcome.block}, rotation {outcome.rotation} is given twice, as two different games")
    if longest is None:
        raise InvalidRecord(f"{shown(path)}: the file holds no game")
    if is_vacant(store_path):
        Store.create(store_path, longest.setup, outcomes.values()).close()
        return len(outcomes)
    with Store.open(store_path) as store:
        store.verify()
        added = store.merge(longest.setup, outcomes.values())
        store.settle()
    return added


def _header(data: dict[str, Any], record: GameRecord) -> Header:
    reader = FieldReader(f"{record.where}: '{_HEADER}' does not describe a tournament")
    header = read_header(data, reader)
    if not header.current:
        reader.fail("its schedule is made by rules of an earlier version of this program")
    return header


def _outcome(record: GameRecord, reader: FieldReader, header: Header) -> GameOutcome:
    extra = dict(record.extra)
    extra.pop(_HEADER)
    timing = reader.take(extra, _GAME, dict)
    state = record.replay()
    return read_game(replace(record, extra=extra), timing, header, reader, scores=tuple(state.scores()))
