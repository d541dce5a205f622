"""The store of a tournament: one SQLite file with one transaction per game, and its games as JSON Lines.

The write-ahead log lets workers add games while others read. A killed process loses at most the games in progress. All
data read are checked, because the file may be damaged or edited; reading changes nothing.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.arena.schedule import Setup
from sfida.ai.arena.schema import (
    COLUMNS, FORMAT, Header, columns_of, header_of, read_columns, read_game, read_header, timing_of
)
from sfida.ai.arena.sequential import SprtOptions
from sfida.ai.luck.value import GameLuck
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import open_regular
from sfida.engines.records import LONGEST_LINE, GameRecord, read_records, write_records
from sfida.engines.registry import foreign_game
from sfida.engines.spec import differences, quoted, shown
from sfida.engines.untrusted import FieldReader

# ---- The store: one SQLite file, one transaction per game

_APPLICATION = 0x53464944               # "SFID", in the file header
_MAGIC = b"SQLite format 3\0"
_PATIENCE = 60.0                        # seconds to wait for another writer
_MOMENT = 2000                          # milliseconds to wait for readers at the end
_TABLES = (
    "CREATE TABLE header (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE game (
        block INTEGER NOT NULL, rotation INTEGER NOT NULL,
        agents TEXT NOT NULL, utilities TEXT NOT NULL, ranks TEXT NOT NULL, scores TEXT NOT NULL,
        decisions TEXT NOT NULL, seconds TEXT NOT NULL, wall REAL NOT NULL,
        forfeit TEXT, record TEXT NOT NULL, finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
        PRIMARY KEY (block, rotation)
    )""",
)
_LUCK = """CREATE TABLE luck (
        value TEXT NOT NULL, block INTEGER NOT NULL, rotation INTEGER NOT NULL, seats TEXT NOT NULL,
        PRIMARY KEY (value, block, rotation)
    ) WITHOUT ROWID"""
_ADD_LUCK = "INSERT OR IGNORE INTO luck VALUES (?, ?, ?, ?)"
_INSERT = f"INSERT OR IGNORE INTO game ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM game"
_LUCKLESS = 1e-6                        # largest difference from 0 of the summed luck of all seats
_PLAIN = ("block", "rotation", "wall", "record")        # columns that are not JSON


class Store:
    """An open store; use `create`, `open` or `read`, and `with`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, trust_agents: bool = False) -> None:
        self.path = path
        self._connection = connection
        self._seen: tuple[int, int] | None = None       # stamp of the file if no lock protects it
        self._known: tuple[dict[str, Any], Header] | None = None
        self._trust_agents = trust_agents

    @classmethod
    def create(cls, path: Path, setup: Setup, outcomes: Iterable[GameOutcome] = ()) -> Store:
        """Create a store with these games in one step: after a crash it is complete or does not exist.

        Raises
        ------
        InvalidRecord
            If the file already exists or cannot be created.
        """
        if path.exists() and not path.is_file():
            raise InvalidRecord(f"{shown(path)}: no regular file, so no store can be made there")
        if not is_vacant(path):
            raise InvalidRecord(f"{shown(path)}: the file exists already; give another name, or continue with the "
                                "tournament in it by --resume")
        header = header_of(setup)
        read_header(header, FieldReader(shown(path)))         # checks that the header can be read again
        new = not path.exists()
        with _explained(path):
            connection = _connect(path, "mode=rwc")
            try:
                connection.execute("BEGIN IMMEDIATE")
                for statement in (*_TABLES, _LUCK, f"PRAGMA application_id = {_APPLICATION}",
                                  f"PRAGMA user_version = {FORMAT}"):
                    connection.execute(statement)
                connection.executemany("INSERT INTO header VALUES (?, ?)",
                                       [(key, json.dumps(value)) for key, value in header.items()])
                connection.executemany(_INSERT, map(_row, outcomes))
                connection.commit()
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
            except BaseException:
                connection.close()
                if new and path.exists() and not path.stat().st_size:
                    path.unlink()
                raise
        return cls(path, connection, trust_agents=True)     # the caller has named the game

    @classmethod
    def open(cls, path: Path, trust_agents: bool = False) -> Store:
        """Open a store to add games to it; with `trust_agents` its game may be run even if another package provides it.

        Raises
        ------
        InvalidRecord
            If the file does not exist or is not a store.
        """
        return cls._opened(path, "mode=rw", trust_agents)

    @classmethod
    def read(cls, path: Path, trust_agents: bool = False) -> Store:
        """Open a store to read it: it is checked as by `verify` and never changed.

        With `trust_agents` its game may be run even if another package provides it. The store may be on a read-only
        file system, and a running tournament may be adding games to it.

        Raises
        ------
        InvalidRecord
            If the file does not exist, is damaged or is not a store.
        """
        left = _left_beside(path)
        if left is None:        # SQLite would create further files next to it, or fail if it cannot
            seen = _stamp(path)
            store = cls._opened(path, "mode=ro&immutable=1", trust_agents)
            store._seen = seen
        elif os.access(left.parent, os.W_OK) or _beside(path, "-shm").exists():
            try:
                store = cls._opened(path, "mode=ro", trust_agents)
            except InvalidRecord as error:
                if "readonly" not in str(error):
                    raise
                raise InvalidRecord(f"{shown(path)}: a process that was killed while it wrote has left '{left.name}'; "
                                    "what it began is taken back when the store is written to again, by --resume or "
                                    "--import") from None
        else:
            raise InvalidRecord(f"{shown(path)}: its latest games are still in '{left.name}', which cannot be taken in "
                                "where nothing can be written: copy both files to another folder")
        try:
            store.verify()
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def _opened(cls, path: Path, how: str, trust_agents: bool) -> Store:
        if not path.is_file():
            raise InvalidRecord(f"{shown(path)}: there is no such store")
        with _explained(path):
            connection = _connect(path, how)
            try:
                if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
                    raise InvalidRecord(f"{shown(path)}: not a store of a tournament")
                found = connection.execute("PRAGMA user_version").fetchone()[0]
                if found != FORMAT:
                    raise InvalidRecord(f"{shown(path)}: a store of format {found}; this program reads format {FORMAT}")
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA cell_size_check = ON")
                _check_tables(path, connection)
                connection.execute("PRAGMA synchronous = NORMAL")
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, trust_agents)

    def verify(self) -> None:
        """Check the whole file and its header; reading checks the games.

        Raises
        ------
        InvalidRecord
            If anything is damaged.
        """
        with self._reading():
            found = self._connection.execute("PRAGMA integrity_check(1)").fetchall()
            if found != [("ok",)]:
                raise sqlite3.DatabaseError(str(found[0][0]) if found else "it cannot be checked")
        self._read_header()

    # ---- header -------------------------------------------------------------------------------

    @property
    def header(self) -> dict[str, Any]:
        """Versions, specs, seed, schedule hash and number of games."""
        return dict(self._read_header()[0])

    @property
    def setup(self) -> Setup:
        """The setup that determines the games of the tournament."""
        return self._read_header()[1].setup

    @property
    def sprt(self) -> SprtOptions | None:
        """The sequential test of the latest run."""
        return self._read_header()[1].sprt

    def _read_header(self) -> tuple[dict[str, Any], Header]:
        with self._reading():
            rows = self._connection.execute("SELECT key, value FROM header ORDER BY key").fetchall()
        reader = FieldReader(f"{shown(self.path)}, header")
        if not all(isinstance(text, str) for row in rows for text in row):
            reader.fail("it must hold texts and nothing else")
        data = {key: reader.parse(value, f"'{key}'") for key, value in rows}
        if self._known is None or self._known[0] != data:
            self._known = data, read_header(data, reader)
        return self._known

    @functools.cached_property
    def trusted_game(self) -> str | None:
        """Spec of the game if it may be run, and its records replayed; None if another package provides it."""
        spec = self.setup.game
        return spec if self._trust_agents or foreign_game(spec) is None else None

    def check(self, setup: Setup) -> None:
        """Check that the store holds games of this tournament, and note a larger number of games.

        Raises
        ------
        InvalidRecord
            If anything that determines its games differs; the message lists every difference.
        """
        self.merge(setup, ())
        moved = {"game": setup.game, "agents": list(setup.agents), "contents": dict(setup.contents)}
        if (setup.game, setup.agents) != (self.setup.game, self.setup.agents):
            with self._writing() as connection:         # the same files may be at new paths
                connection.executemany("INSERT OR REPLACE INTO header VALUES (?, ?)",
                                       [(key, json.dumps(value)) for key, value in moved.items()])

    def note(self, key: str, value: Any) -> None:
        """Note a fact about this run that does not affect the games: "sprt", "limit" or "value"."""
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO header VALUES (?, ?)", (key, json.dumps(value)))

    # ---- games --------------------------------------------------------------------------------

    def add(self, outcome: GameOutcome) -> None:
        """Add a game in one transaction; an existing game stays unchanged."""
        with self._writing() as connection:
            connection.execute(_INSERT, _row(outcome))
            if outcome.luck is not None:
                connection.execute(_ADD_LUCK, _luck_row((outcome.block, outcome.rotation), outcome.luck))

    def merge(self, setup: Setup, outcomes: Iterable[GameOutcome]) -> int:
        """Add games of a tournament in one transaction, and return how many are new.

        Parameters
        ----------
        setup : Setup
            Setup of the tournament; a larger number of games is noted.
        outcomes : iterable of GameOutcome

        Raises
        ------
        InvalidRecord
            If the store holds another tournament (the message lists every difference) or a damaged game. In that case
            nothing is added.
        """
        with self._writing() as connection:
            self._refuse_another(setup)
            for _ in self.outcomes():               # raises an error for a damaged store, before anything is added
                pass
            before = len(self)
            connection.execute("UPDATE header SET value = ? WHERE key = 'games'", (json.dumps(setup.games),))
            connection.executemany(_INSERT, map(_row, outcomes))
            return len(self) - before

    def _refuse_another(self, setup: Setup) -> None:
        held, asked = self.header, header_of(setup)
        found = differences(held, asked, ("games", "schedule"))
        if not found and held.get("schedule") != asked["schedule"]:
            found = [f"the schedule is {held.get('schedule')} there and {asked['schedule']} here, so its games "
                           "have the seeds of another version of this program; it can be read, not gone on with"]
        if not found and asked["games"] < held["games"]:
            found = [f"it is a tournament of {held['games']} games there and of {asked['games']} here"]
        if found:
            raise InvalidRecord(f"{shown(self.path)}: holds another tournament: {'; '.join(found)}")

    @property
    def value(self) -> str | None:
        """Key of the value function that measured the luck of these games; None if it is not measured yet."""
        return self._read_header()[1].value

    def add_luck(self, luck: Mapping[tuple[int, int], GameLuck]) -> None:
        """Add the luck of games in the store, by (block, rotation), in one transaction."""
        with self._writing() as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'luck'").fetchone():
                connection.execute(_LUCK)           # the store is older than the measurement of luck
            connection.executemany(_ADD_LUCK, [_luck_row(game, one) for game, one in luck.items()])

    def luck(self) -> dict[tuple[int, int], GameLuck]:
        """Return the luck of each game by (block, rotation), if the noted value function has measured it.

        Raises
        ------
        InvalidRecord
            If the luck is damaged.
        """
        key = self.value
        if key is None:
            return {}
        with self._reading():
            if not self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'luck'").fetchone():
                return {}
            rows = self._connection.execute("SELECT block, rotation, seats FROM luck WHERE value = ?",
                                            (key,)).fetchall()
        players, found = self.setup.players, {}
        for block, rotation, text in rows:
            reader = FieldReader(f"{shown(self.path)}, luck of block {quoted(block)}, rotation {quoted(rotation)}")
            seats = reader.take_list({"seats": reader.parse(text, "'seats'") if isinstance(text, str) else None},
                                     "seats", float, least=players, most=players)
            if abs(sum(seats)) > _LUCKLESS:
                reader.fail("the luck of all seats must sum to 0")
            found[block, rotation] = GameLuck(key, tuple(seats))
        return found

    def held(self) -> set[tuple[int, int]]:
        """Return (block, rotation) of every game."""
        with self._reading():
            return set(self._connection.execute("SELECT block, rotation FROM game"))

    def __len__(self) -> int:
        with self._reading():
            return int(self._connection.execute("SELECT count(*) FROM game").fetchone()[0])

    def outcomes(self, until: int | None = None) -> Iterator[GameOutcome]:
        """Yield the games in the order of the schedule, up to the block `until`.

        Raises
        ------
        InvalidRecord
            At the first damaged game.
        """
        last = -1 if until is None else until
        header, luck = self._read_header()[1], self.luck()
        with self._reading():
            rows = self._connection.execute(f"{_SELECT} WHERE block < ? OR ? < 0 ORDER BY block, rotation",
                                            (last, last))
            for number, row in enumerate(rows, start=1):
                outcome = self._outcome(number, row, header)
                yield dataclasses.replace(outcome, luck=luck.get((outcome.block, outcome.rotation)))

    def record(self, number: int) -> GameRecord:
        """Return the record of a game, counted from 1 in the order of the schedule.

        Raises
        ------
        InvalidRecord
            If there is no such game or it is damaged.
        """
        count = len(self)
        if not 1 <= number <= count:
            raise InvalidRecord(f"{shown(self.path)}: there is no game {number}; the store holds "
                                + (f"game 1 to {count}" if count > 1 else "one game" if count else "no game"))
        with self._reading():
            row = self._connection.execute(f"{_SELECT} ORDER BY block, rotation LIMIT 1 OFFSET ?",
                                           (number - 1,)).fetchone()
        return self._outcome(number, row, self._read_header()[1]).record

    def _outcome(self, number: int, row: tuple[Any, ...], header: Header) -> GameOutcome:
        reader = FieldReader(f"{shown(self.path)}, game {number}")
        columns = dict(zip(COLUMNS, row, strict=True))
        for key in COLUMNS:
            if key not in _PLAIN:
                text = reader.take(dict(columns), key, str, None)
                columns[key] = None if text is None else reader.parse(text, f"'{key}'")
        outcome = read_columns(columns, header, reader)
        if outcome.record.game == self.trusted_game:
            outcome = dataclasses.replace(outcome, record=outcome.record.trusting())
        return outcome

    # ---- end ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction: all or nothing of it takes effect."""
        with _explained(self.path), self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            with _explained(self.path):
                yield
        finally:
            if self._seen is not None and _stamp(self.path) != self._seen:
                raise InvalidRecord(f"{shown(self.path)}: somebody began to write to it while it was read; try again")

    def settle(self) -> None:
        """Merge the log into the file, so that the file alone is complete even if others are reading it."""
        with contextlib.suppress(sqlite3.Error):        # if readers take longer, the next call does it
            self._connection.execute(f"PRAGMA busy_timeout = {_MOMENT}")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def is_store(path: Path) -> bool:
    """Return whether a file is a store, from its first bytes."""
    head = _head(path)
    return head.startswith(_MAGIC) and head[68:72] == _APPLICATION.to_bytes(4, "big")


def is_vacant(path: Path) -> bool:
    """Return whether a store can be created here: no file, an empty one, or the unfinished file of a killed process."""
    if _beside(path, "-journal").exists() and _head(path)[:len(_MAGIC)] in (_MAGIC, bytes(len(_MAGIC))):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_connect(path, "mode=rw")) as left:
            left.execute("SELECT count(*) FROM sqlite_master").fetchone()       # SQLite rolls back unfinished changes
    return not (path.exists() and path.stat().st_size)


def _head(path: Path) -> bytes:
    """Return the first bytes of a file; empty if there is no readable file."""
    try:
        with open_regular(path) as file:
            return file.read(100)
    except OSError:
        return b""


def _connect(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=_PATIENCE)
    connection.text_factory = _text
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_LINE)
    return connection


def _text(data: bytes) -> str:
    """Decode a text; invalid bytes become characters that no field accepts, so that the error names the field."""
    return data.decode(errors="surrogateescape")


def _beside(path: Path, ending: str) -> Path:
    """Return the path of a file that SQLite keeps next to a store."""
    try:
        real = path.resolve()
    except (OSError, RuntimeError):     # a link to itself
        real = path
    return real.parent / (real.name + ending)       # works for a folder without a name too


def _left_beside(path: Path) -> Path | None:
    """Return the log or journal of a store that is open for writing, or that a killed process left behind."""
    log, journal = _beside(path, "-wal"), _beside(path, "-journal")
    if log.exists() and (log.stat().st_size or _beside(path, "-shm").exists()):
        return log
    return journal if journal.exists() else None


def _stamp(path: Path) -> tuple[int, int]:
    """Return a stamp that changes with the file; (0, 0) if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _check_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse missing or different tables, and anything that would act on them."""
    right = {statement.split()[2]: statement for statement in (*_TABLES, _LUCK)}
    found = set()
    for kind, name, table, sql in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
        if kind == "table" and name in right:
            if " ".join(str(sql).split()) != " ".join(right[name].split()):
                raise InvalidRecord(f"{shown(path)}: its table '{name}' is not as this program makes it")
            found.add(name)
        elif kind in ("view", "trigger") or (table in right and sql is not None):
            raise InvalidRecord(f"{shown(path)}: holds the {kind} {quoted(name)}, which this program does not make")
    missing = [name for name in right if name not in found and right[name] is not _LUCK]
    if missing:
        raise InvalidRecord(f"{shown(path)}: its table '{missing[0]}' is missing")


def _row(outcome: GameOutcome) -> tuple[Any, ...]:
    columns = columns_of(outcome)
    FieldReader().check(columns)                    # checks that the row can be read again
    return (*(value if key in _PLAIN or value is None else json.dumps(value) for key, value in columns.items()),
            outcome.record.to_json_line())


def _luck_row(game: tuple[int, int], luck: GameLuck) -> tuple[Any, ...]:
    return (luck.key, *game, json.dumps(luck.seats))


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about a file into an InvalidRecord of one line."""
    try:
        yield
    except (sqlite3.Error, UnicodeError) as error:          # SQLite's own message may contain damaged text
        reason = " ".join(str(error).encode(errors="backslashreplace").decode().split())
        if "not a database" in reason:
            reason = "not a store of a tournament"
        elif not isinstance(error, sqlite3.OperationalError):
            reason = f"damaged: {reason}"
        raise InvalidRecord(f"{shown(path)}: {reason}") from error


# ---- Tournaments as JSON Lines: each game is one record that also describes its tournament and its place in it

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
        Called with every record; it returns the record (`GameRecord.trusting`) if its game may be run even if another
        package provides it. By default none may.

    Raises
    ------
    InvalidRecord
        If a record is not a game of a tournament, does not replay, or belongs to another tournament than the store, or
        if the store is damaged. In that case nothing is added.
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
