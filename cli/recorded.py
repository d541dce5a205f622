"""Records on the command line: which argument names one, and which game of a file is taken."""

from __future__ import annotations

import collections
import os
from pathlib import Path

from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.acres.replay_files import is_replay_file
from sfida.engines.acres.replays import read_replay
from sfida.engines.files import open_to_append
from sfida.engines.language import _
from sfida.engines.record_files import read_record, read_records
from sfida.engines.records import GameRecord
from sfida.engines.registry import names_a_game
from sfida.engines.spec import shown


def names_a_record(text: str) -> bool:
    """Tell whether an argument means a file of records rather than a game."""
    if names_a_game(text):
        return False
    path = Path(text)
    separators = [separator for separator in (os.sep, os.altsep) if separator]
    if path.suffix in (".jsonl", ".gz", ".json", ".toml") or any(s in text for s in separators):
        return True
    try:
        return path.is_file()
    except OSError:                     # too long for a file name
        return False


def recorded_game(path: Path, number: int) -> GameRecord:
    """Return a game from a file of records, a tournament's store, or a file of games recorded turn by turn."""
    from sfida.ai.arena.store import Store, is_store

    if is_replay_file(path):
        return read_replay(path, number)
    if not is_store(path):
        return read_record(path, number)
    with Store.read(path) as store:
        return store.record(number)


def last_record(path: Path) -> GameRecord:
    """Return the last game of a file; raises InvalidRecord."""
    records = collections.deque(read_records(path), maxlen=1)
    if not records:
        raise InvalidRecord(_("{path}: the file holds no game").format(path=shown(path)))
    return records[0]


def check_writable(path: Path) -> None:
    """Make sure that a game can be added to a file before it is played; raises InvalidRecord or OSError."""
    new = not path.exists()
    open_to_append(path).close()
    if new:
        path.unlink()
    elif path.stat().st_size:
        next(read_records(path), None)
