"""Games that people have finished: kept in the state folder, a file of records for each game."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from sfida.ai.practice import schedule
from sfida.ai.practice.deck import DATE
from sfida.ai.state_folder import state_folder
from sfida.ai.story import PERSON
from sfida.ai.table import ID, RESIGN
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import locked, open_to_append
from sfida.engines.record_files import append_record, read_each
from sfida.engines.records import GameRecord
from sfida.engines.spec import parse_spec


def kept_folder() -> Path:
    """Return the folder of the games."""
    return state_folder() / "games"


def keep_game(record: GameRecord) -> None:
    """Add a finished game with the day of its end; raises InvalidRecord or OSError.

    A game is kept once: the ids of those that are stand beside them.
    """
    path = kept_folder() / f"{parse_spec(record.game)[0]}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    extra = dict(record.extra)
    line = f"{extra.pop(ID, '')}\n".encode()
    record = dataclasses.replace(record, extra=extra).with_extra(**{DATE: f"{schedule.today()}"})
    with open_to_append(path.with_suffix(".ids")) as ids, locked(ids.fileno()):
        ids.seek(0)
        if line.strip() and line in ids.readlines():
            return
        append_record(path, record)
        ids.write(line)


def kept_games(name: str | None = None) -> Iterator[GameRecord | InvalidRecord]:
    """Yield the games of a name, or all of them, each name in the order of play.

    For a line that is damaged, and for a file that cannot be read on, its error.
    """
    for path in sorted(kept_folder().glob("*.jsonl")):
        if name in (None, path.stem):
            try:
                yield from read_each(path)
            except InvalidRecord as error:
                yield error


def reviewable(record: GameRecord) -> bool:
    """Return whether a game has come to a result: it was played to its end, or one of two resigned."""
    return record.result is not None or (record.extra.get("ended") == RESIGN and len(record.seats) == 2)


def seat_of(record: GameRecord, seat: int | None = None, name: str = PERSON) -> int | None:
    """Return the seat of a person in a record: as given, or the only one with a name; None if there is none."""
    if seat is not None:
        return seat if seat < len(record.seats) else None
    named = [number for number, who in enumerate(record.seats) if who == name]
    return named[0] if len(named) == 1 else None
