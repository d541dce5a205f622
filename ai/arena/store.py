"""The store of a tournament: one SQLite file, one transaction a game, so that no finished game is ever lost.

The write-ahead log lets workers add games while others read. A killed process loses at most the games that it was
playing.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from sfida.ai.arena.outcome import Forfeit, GameOutcome
from sfida.ai.arena.schedule import Schedule, Setup
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import open_regular
from sfida.engines.record_files import LONGEST_LINE
from sfida.engines.records import GameRecord, sfida_version
from sfida.engines.spec import shown

FORMAT = 1
_APPLICATION = 0x53464944               # "SFID", in the header of the file
_PATIENCE = 60.0                        # seconds to wait for another writer
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
_NOTES = ("sprt", "limit")
_COLUMNS = "block, rotation, agents, utilities, ranks, scores, decisions, seconds, wall, forfeit, record"


def header_of(setup: Setup) -> dict[str, Any]:
    """Return what identifies a tournament: versions, specs, seed and schedule; JSON-able."""
    return {
        "format": FORMAT, "sfida": sfida_version(), "game": setup.game, "rules_version": setup.rules_version,
        "players": setup.players, "agents": list(setup.agents), "seed": setup.seed, "mode": setup.mode,
        "mirror": setup.mirror, "luck": setup.luck, "schedule": Schedule(setup).digest, "games": setup.games,
    }


def setup_of(header: Mapping[str, Any]) -> Setup:
    """Return the setup that a header tells of."""
    return Setup(game=header["game"], rules_version=header["rules_version"], players=header["players"],
                 agents=tuple(header["agents"]), games=header["games"], seed=header["seed"], mode=header["mode"],
                 mirror=header["mirror"], luck=header["luck"])


class Store:
    """An open store; use `create` or `open`, and `with`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def create(cls, path: Path, setup: Setup) -> Store:
        """Make a new store.

        Raises
        ------
        InvalidRecord
            If the file is there already, or cannot be made.
        """
        if path.exists() and not path.is_file():
            raise InvalidRecord(f"{shown(path)}: no regular file, so no store can be made there")
        if path.exists() and path.stat().st_size:
            raise InvalidRecord(f"{shown(path)}: the file exists already; give another name, or go on with the "
                                "tournament in it by --resume")
        with _explained(path):
            connection = _connect(path, "rwc")
            connection.execute("BEGIN IMMEDIATE")       # all of it or nothing
            for statement in (*_TABLES, f"PRAGMA application_id = {_APPLICATION}", f"PRAGMA user_version = {FORMAT}"):
                connection.execute(statement)
            connection.executemany("INSERT INTO header VALUES (?, ?)",
                                   [(key, json.dumps(value)) for key, value in header_of(setup).items()])
            connection.commit()
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        return cls(path, connection)

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open a store.

        Raises
        ------
        InvalidRecord
            If there is none, or the file is something else.
        """
        if not path.is_file():
            raise InvalidRecord(f"{shown(path)}: there is no such store")
        with _explained(path):
            connection = _connect(path, "rw")
            if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
                connection.close()
                raise InvalidRecord(f"{shown(path)}: not a store of a tournament")
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found != FORMAT:
                connection.close()
                raise InvalidRecord(f"{shown(path)}: a store of format {found}; this program reads format {FORMAT}")
            connection.execute("PRAGMA synchronous = NORMAL")
        return cls(path, connection)

    # ---- header -------------------------------------------------------------------------------

    @property
    def header(self) -> dict[str, Any]:
        """Versions, specs, seed, schedule hash and number of games."""
        with _explained(self.path):
            return {key: json.loads(value) for key, value in
                    self._connection.execute("SELECT key, value FROM header ORDER BY key")}

    @property
    def setup(self) -> Setup:
        """What decides the games of the tournament."""
        return setup_of(self.header)

    def check(self, setup: Setup) -> None:
        """Make sure that the store holds games of this tournament, and note a larger number of games.

        Raises
        ------
        InvalidRecord
            If anything that decides its games differs; every difference is told.
        """
        held, asked = self.header, header_of(setup)
        differences = [f"{key} is {_shown(held.get(key))} there and {_shown(value)} here"
                       for key, value in asked.items() if key not in ("games", "schedule") and held.get(key) != value]
        if not differences and held.get("schedule") != asked["schedule"]:
            differences = [f"the schedule is {held.get('schedule')} there and {asked['schedule']} here"]
        if not differences and asked["games"] < held["games"]:
            differences = [f"it is a tournament of {held['games']} games there and of {asked['games']} here"]
        if differences:
            raise InvalidRecord(f"{shown(self.path)}: holds another tournament: {'; '.join(differences)}")
        with _explained(self.path), self._connection as connection:
            connection.execute("UPDATE header SET value = ? WHERE key = 'games'", (json.dumps(setup.games),))

    @property
    def notes(self) -> dict[str, Any]:
        """What was noted about the latest run: "sprt" and "limit"."""
        return {key: value for key, value in self.header.items() if key in _NOTES}

    def note(self, key: str, value: Any) -> None:
        """Note something about this run that does not decide any game."""
        with _explained(self.path), self._connection as connection:
            connection.execute("INSERT OR REPLACE INTO header VALUES (?, ?)", (key, json.dumps(value)))

    # ---- games --------------------------------------------------------------------------------

    def add(self, outcome: GameOutcome) -> None:
        """Add a game, in a transaction of its own; one that is there already stays as it is."""
        forfeit = outcome.forfeit
        row = (outcome.block, outcome.rotation, *map(json.dumps, (
                   outcome.agents, outcome.utilities, outcome.ranks, outcome.scores, outcome.decisions,
                   outcome.seconds)),
               outcome.wall,
               None if forfeit is None else json.dumps([forfeit.seat, forfeit.kind, forfeit.reason]),
               outcome.record.to_json_line())
        with _explained(self.path), self._connection as connection:
            connection.execute(f"INSERT OR IGNORE INTO game ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)

    def held(self) -> set[tuple[int, int]]:
        """Return (block, rotation) of every game."""
        with _explained(self.path):
            return set(self._connection.execute("SELECT block, rotation FROM game"))

    def __len__(self) -> int:
        with _explained(self.path):
            return int(self._connection.execute("SELECT count(*) FROM game").fetchone()[0])

    def outcomes(self, until: int | None = None) -> Iterator[GameOutcome]:
        """Yield the games in the order of the schedule, up to the block `until`."""
        last = -1 if until is None else until
        with _explained(self.path):
            for row in self._connection.execute(
                    f"SELECT {_COLUMNS} FROM game WHERE block < ? OR ? < 0 ORDER BY block, rotation", (last, last)):
                yield self._outcome(row)

    def record(self, number: int) -> GameRecord:
        """Return a record; games are counted from 1 in the order of the schedule.

        Raises
        ------
        InvalidRecord
            If there is no such game.
        """
        with _explained(self.path):
            row = self._connection.execute("SELECT record FROM game ORDER BY block, rotation LIMIT 1 OFFSET ?",
                                           (number - 1,)).fetchone()
        if row is None:
            count = len(self)
            raise InvalidRecord(f"{shown(self.path)}: there is no game {number}; the store holds "
                                + (f"game 1 to {count}" if count > 1 else "one game" if count else "no game"))
        return GameRecord.from_json_line(row[0], where=f"{shown(self.path)}, game {number}")

    def _outcome(self, row: tuple[Any, ...]) -> GameOutcome:
        block, rotation, *texts, wall, forfeit, record = row
        agents, utilities, ranks, scores, decisions, seconds = (tuple(json.loads(text)) for text in texts)
        where = f"{shown(self.path)}, block {block}, game {rotation}"
        return GameOutcome(
            block, rotation, agents, GameRecord.from_json_line(record, where),
            utilities, ranks, scores, decisions, seconds, wall,
            None if forfeit is None else Forfeit(*json.loads(forfeit)))

    # ---- end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def is_store(path: Path) -> bool:
    """Say whether a file is a store, by its first bytes."""
    try:
        with open_regular(path) as file:
            head = file.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == _APPLICATION.to_bytes(4, "big")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_LINE)
    return connection


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say in one line what SQLite has against a file."""
    try:
        yield
    except sqlite3.Error as error:
        reason = str(error)
        if isinstance(error, sqlite3.DatabaseError) and "not a database" in reason:
            reason = "not a store of a tournament"
        raise InvalidRecord(f"{shown(path)}: {reason}") from error
