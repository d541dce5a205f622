"""Files of game records: reading, appending and rewriting so that a crash loses no game."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import LineTooLong, lines_of, locked, open_regular, open_to_append, write_whole
from sfida.engines.records import GameRecord
from sfida.engines.spec import shown

LONGEST_LINE = 1 << 23          # bytes, uncompressed; a game of ten thousand moves has about 200 kB


def read_records(path: str | Path, trust_agents: bool = False) -> Iterator[GameRecord]:
    """Yield the records of a file in order, as they are read; blank lines are skipped.

    Parameters
    ----------
    path : str or Path
        A ``.jsonl`` file, or a gzip-compressed ``.jsonl.gz``.
    trust_agents : bool
        Whether games of other packages that the records name may be run to replay them.

    Raises
    ------
    InvalidRecord
        If the file cannot be read; or at the first bad line, after the games before it were yielded.
    """
    path = Path(path)
    for number, line in _lines(path):
        yield GameRecord.from_json_line(line, where=f"{shown(path)}, line {number}",
                                           trust_agents=trust_agents)


def read_each(path: str | Path) -> Iterator[GameRecord | InvalidRecord]:
    """Yield the record of each line of a file, or the error of a line that holds none; blank lines are skipped.

    Raises
    ------
    InvalidRecord
        If the file cannot be read.
    """
    path = Path(path)
    for number, line in _lines(path):
        try:
            yield GameRecord.from_json_line(line, where=f"{shown(path)}, line {number}")
        except InvalidRecord as error:
            yield error


def read_record(path: str | Path, number: int = 1, trust_agents: bool = False) -> GameRecord:
    """Return one game of a file; bad lines elsewhere in the file are ignored.

    Parameters
    ----------
    path : str or Path
    number : int
        Number of the game, from 1.
    trust_agents : bool
        Whether a game of another package that the record names may be run to replay it.

    Raises
    ------
    InvalidRecord
    """
    path = Path(path)
    count = 0
    for line_number, line in _lines(path):
        count += 1
        if count == number:
            return GameRecord.from_json_line(line, where=f"{shown(path)}, line {line_number}",
                                             trust_agents=trust_agents)
    if count == 0:
        raise InvalidRecord(f"{shown(path)}: the file holds no game")
    held = f"the file holds game 1 to {count}" if count > 1 else "the file holds one game"
    raise InvalidRecord(f"{shown(path)}: there is no game {number}; {held}")


def append_record(path: str | Path, record: GameRecord) -> None:
    """Append a game to a file, which is created if missing.

    The line is written in one call and synced to the disk; if that fails, the file stays as it was. Several
    programs may append to one file. A last line that a crash cut off is terminated and kept, so that only it
    is unreadable.

    Raises
    ------
    InvalidRecord
        If the file cannot be written, or holds anything other than records.
    """
    path = Path(path)
    packed = _is_packed(path)
    line = (record.to_json_line() + "\n").encode()
    try:
        with open_to_append(path) as file, locked(file.fileno()):
            size = file.seek(0, os.SEEK_END)
            _check_head(path, file, size, packed)
            if packed:
                if size:
                    for _ in _lines(path):          # after a cut-off end nothing that is appended could be read
                        pass
                line = gzip.compress(line, mtime=0)
            elif size and (file.seek(size - 1), file.read(1))[1] != b"\n":
                line = b"\n" + line
            try:
                if file.write(line) != len(line):
                    raise OSError("the disk is full")
                os.fsync(file.fileno())
            except BaseException:
                with contextlib.suppress(OSError):      # the caller gets the first error
                    file.truncate(size)
                raise
    except OSError as error:
        _fail(path, "written", error)


def write_records(path: str | Path, records: Iterable[GameRecord]) -> None:
    """Replace the contents of a file by these games, all at once: a crash leaves the old file or the new one.

    Raises
    ------
    InvalidRecord
        If the file cannot be written.

    Examples
    --------
    >>> games = [sfida.play("tic_tac_toe", ["random", "random"], seed=seed) for seed in (1, 2)]
    >>> sfida.write_records("games.jsonl", games)
    >>> sfida.append_record("games.jsonl", sfida.play("kuhn_poker", ["random", "random"], seed=3))
    >>> [record.game for record in sfida.read_records("games.jsonl")]
    ['tic_tac_toe', 'tic_tac_toe', 'kuhn_poker']
    >>> sfida.read_record("games.jsonl", 2) == games[1]
    True
    """
    path = Path(path)
    data = "".join(record.to_json_line() + "\n" for record in records).encode()
    if _is_packed(path):
        data = gzip.compress(data, mtime=0)
    try:
        write_whole(path, data)
    except OSError as error:
        _fail(path, "written", error)


def _is_packed(path: Path) -> bool:
    return path.suffix == ".gz"


def _unpacked(path: Path, file: io.BufferedReader) -> io.BufferedIOBase:
    return gzip.GzipFile(fileobj=file) if _is_packed(path) else file


def _fail(path: Path, what: str, error: OSError) -> NoReturn:
    raise InvalidRecord(f"{shown(path)}: cannot be {what}: {error.strerror or error}") from error


def _check_head(path: Path, file: io.FileIO, size: int, packed: bool) -> None:
    """Refuse to append to something that is not a record file: its first line must hold a record, whole or cut off."""
    if not size:
        return
    file.seek(0)
    head = file.read(2) if packed else _first_line(file)
    if not (head == b"\x1f\x8b" if packed else _begins_a_record(head)):
        raise InvalidRecord(f"{shown(path)}: not a {'gzip-compressed ' if packed else ''}file of records; "
                            "nothing was written")


def _first_line(file: io.FileIO) -> bytes:
    line = b""
    while b"\n" not in line and len(line) <= LONGEST_LINE and (piece := file.read(1 << 16)):
        line += piece
    return line.partition(b"\n")[0]


def _begins_a_record(line: bytes) -> bool:
    """Tell whether the first line of a file may be a record: also one that is damaged, or that a crash cut off."""
    if not line.startswith(b"{") or line.strip() == b"{":
        return False
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return True
    return isinstance(found, dict) and "moves" in found


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line number, text) of the lines that are not blank."""
    number = blank = 0
    try:
        with open_regular(path) as file, _unpacked(path, file) as stream:
            for number, raw in lines_of(stream, LONGEST_LINE):
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise InvalidRecord(f"{shown(path)}, line {number}: not UTF-8 text") from None
                if text.strip():
                    yield number, text
                    continue
                blank += len(raw)
                if blank > LONGEST_LINE:        # a small compressed file could yield nothing else for an hour
                    raise InvalidRecord(f"{shown(path)}, line {number}: more than {LONGEST_LINE} bytes of blank lines")
    except LineTooLong as error:
        raise InvalidRecord(f"{shown(path)}, line {error.number}: longer than {LONGEST_LINE} bytes, which no record "
                            "is") from None
    except (gzip.BadGzipFile, zlib.error):
        raise InvalidRecord(f"{shown(path)}: not gzip-compressed, or damaged after line {number}") from None
    except EOFError:
        raise InvalidRecord(f"{shown(path)}: the compressed data end too early, after line {number}: "
                            "the file was cut off") from None
    except OSError as error:
        _fail(path, "read", error)
