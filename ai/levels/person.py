"""The record of a person against levels: a file in the state folder, one line a game."""

from __future__ import annotations

import datetime
import json
import math
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfida.ai.levels.following import START, Result, fitting_level
from sfida.ai.levels.ladder import LEVELS
from sfida.ai.levels.scale import Scale, scale_of
from sfida.ai.state_folder import state_folder
from sfida.ai.table import Table
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import open_to_append, read_at_most
from sfida.engines.game import Game
from sfida.engines.records import MAX_SEATS
from sfida.engines.spec import parse_spec, shown

MOST_BYTES = 1 << 24


@dataclass(frozen=True)
class PersonGame:
    """A line of the record.

    Attributes
    ----------
    date : str
        ISO 8601.
    game : str
        Canonical spec.
    players : int
    level : float
        Of the opponents.
    share : float
        The person's share of the win, 0 for a game given up.
    """

    date: str
    game: str
    players: int
    level: float
    share: float

    @property
    def name(self) -> str:
        """The name of the game."""
        return parse_spec(self.game)[0]


def record_file() -> Path:
    """Return the file of the record."""
    return state_folder() / "levels.jsonl"


def remember(game: Game, level: float, share: float) -> None:
    """Add a game that is over to the record; raises InvalidRecord if it cannot be written."""
    played = PersonGame(f"{datetime.date.today()}", game.spec(), game.players, level, share)
    path = record_file()
    line = json.dumps(asdict(played)).encode() + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_to_append(path) as file:
            size = file.seek(0, os.SEEK_END)
            if size and (file.seek(size - 1), file.read(1))[1] != b"\n":
                line = b"\n" + line     # a crash cut the last line off; only it is lost
            file.write(line)
    except OSError as error:
        raise InvalidRecord(f"{shown(path)}: cannot be written: {error.strerror or error}") from None


def remember_table(table: Table, share: float) -> None:
    """Add the game of a table that is over to the record, if one person has met nobody but levels.

    Parameters
    ----------
    table : Table
    share : float
        The person's share of the win, 0 for a game given up.

    Raises
    ------
    InvalidRecord
        If it cannot be written.
    """
    others = [seat.level for number, seat in enumerate(table.seats) if number not in table.people]
    levels = [level for level in others if level is not None]
    if len(table.people) == 1 and others and len(levels) == len(others):
        remember(table.game, sum(levels) / len(levels), share)


def remembered() -> tuple[list[PersonGame], list[int]]:
    """Return the games of the record in order, and the numbers of the lines that cannot be read.

    Raises
    ------
    InvalidRecord
        If the file is there but cannot be read at all.
    """
    path = record_file()
    try:
        lines = read_at_most(path, MOST_BYTES).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise InvalidRecord(f"{shown(path)}: cannot be read: {error.strerror or error}") from None
    games, damaged = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            games.append(_read(json.loads(line)))
        except (ValueError, TypeError, KeyError, RecursionError):
            damaged.append(number)
    return games, damaged


def person_level(game: Game, scale: Scale | None = None) -> float:
    """Return the level that a person should play against in a game, by the record.

    Games with any number of players count. A person who is new to the game starts where their other games suggest.
    Lines that cannot be read are left out.
    """
    games, _ = remembered()
    scale = scale_of(game) if scale is None else scale
    start = fitting_level(_results(games, game.name, own=False), scale) if games else START
    return fitting_level(_results(games, game.name, own=True), scale, start)


def damage(lines: list[int]) -> str:
    """Return in one line which lines of the record cannot be read."""
    named = ", ".join(map(str, lines[:3])) + (", ..." if len(lines) > 3 else "")
    return f"{shown(record_file())}: left out what cannot be read (line{'s' if len(lines) > 1 else ''} {named})"


def _results(games: list[PersonGame], name: str, *, own: bool) -> Iterator[Result]:
    return (Result(each.level, each.players, each.share) for each in games if (each.name == name) is own)


def _read(line: Any) -> PersonGame:
    """Return a line of the record; raises ValueError, TypeError or KeyError if it is not one."""
    date, game, players = line["date"], line["game"], line["players"]
    level, share = float(line["level"]), float(line["share"])
    datetime.date.fromisoformat(date)
    if not isinstance(game, str) or not game or type(players) is not int or not 2 <= players <= MAX_SEATS:
        raise ValueError
    if not (1.0 <= level <= LEVELS and 0.0 <= share <= 1.0 and math.isfinite(level)):
        raise ValueError
    parse_spec(game)
    return PersonGame(date, game, players, level, share)
