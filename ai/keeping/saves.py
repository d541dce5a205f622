"""Games that people have not finished: saved before every decision of theirs, offered at the next start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from sfida.ai.state_folder import state_folder
from sfida.ai.story import PERSON
from sfida.ai.table import Table
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.engines.record_files import read_record, write_records
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec

KEEP = 20       # most saves of a game that are kept
_held: set[Path] = set()


def folder() -> Path:
    """Return the folder of the saves."""
    return state_folder() / "saves"


class Autosave:
    """The save of one sitting.

    Parameters
    ----------
    game : str
        Name of the game.
    path : Path, optional
        The save that is resumed; it continues under a new name.
    """

    def __init__(self, game: str, path: Path | None = None) -> None:
        stamp = f"{datetime.now():%Y%m%d-%H%M%S}"
        self.path: Path = folder() / f"{game}-{stamp}-{os.getpid()}.jsonl"
        number = 1
        while self.path in _held:
            number += 1
            self.path = folder() / f"{game}-{stamp}-{number}-{os.getpid()}.jsonl"
        self._game = game
        self._old = path

    def hold(self) -> None:
        """Hold the save until it is discarded; see `hold`."""
        hold(self.path)

    def write(self, table: Table) -> None:
        """Save the game as it stands; raises InvalidRecord if that is impossible."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidRecord(f"{self.path.parent}: cannot be created: {error.strerror}") from error
        new = not self.path.exists()
        write_records(self.path, [table.record()])
        if new:
            _tidy(self._game)
        if self._old is not None:
            self._old.unlink(missing_ok=True)
            self._old = None

    def finish(self, table: Table) -> Path:
        """Keep the finished game as the last one of its kind, delete the save, and return the path."""
        last = state_folder() / f"last-{self._game}.jsonl"
        last.parent.mkdir(parents=True, exist_ok=True)
        write_records(last, [table.record()])
        self.discard()
        return last

    def discard(self) -> None:
        """Delete the save of a game that is over."""
        _held.discard(self.path)
        for path in (self.path, self._old):
            if path is not None:
                path.unlink(missing_ok=True)


def hold(path: Path) -> None:
    """Let no other game of this program offer a save, delete it or take its name."""
    _held.add(path)


def unfinished(game: str) -> Iterator[tuple[Path, GameRecord]]:
    """Yield the unfinished games that people play, newest first; damaged saves are left out."""
    try:
        paths = _newest_first(game)
    except OSError:
        return
    for path in paths:
        if _in_use(path):
            continue
        try:
            record = read_record(path)
            if parse_spec(record.game)[0] != game:
                continue                # it would run the code of another game
            record.replay(game=make_game(record.game))
        except SfidaError:
            continue
        if _begun(record) and record.result is None and PERSON in record.seats:
            yield path, record


def _newest_first(game: str) -> list[Path]:
    return sorted(folder().glob(f"{game}-*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)


def _tidy(game: str) -> None:
    """Delete the oldest saves beyond `KEEP`, starting with those in which nothing was decided."""
    begun, empty = list[Path](), list[Path]()
    for path in _newest_first(game):
        try:
            (begun if _begun(read_record(path)) else empty).append(path)
        except InvalidRecord:
            empty.append(path)
    for forgotten in (*begun[KEEP:], *empty[max(0, KEEP - len(begun)):]):
        if not _in_use(forgotten):
            forgotten.unlink(missing_ok=True)


def _begun(record: GameRecord) -> bool:
    """Tell whether any seat has decided something."""
    return len(record.moves) > len(record.chance or ())


def _in_use(path: Path) -> bool:
    """Tell whether the program that writes a save is still running."""
    if path in _held:
        return True
    number = path.stem.rsplit("-", 1)[-1]
    if os.name != "posix" or not number.isdecimal() or len(number) > 9 or int(number) == os.getpid():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return False        # another user's process has got this number since
    return True
