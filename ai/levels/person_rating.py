"""The strength of a person, from a record of results against levels; `level:auto` uses it.

The rating of the person is a distribution over a grid. A result multiplies it by its likelihood under the model of the
ratings (`ai.arena.first_place`): against n - 1 opponents of rating r a person of rating x wins a share of
1 / (1 + (n - 1) * 10 ** ((r - x) / 400)). Before each game the distribution spreads a little, because people learn.
"""

from __future__ import annotations

import datetime
import json
import math
import operator
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfida.ai.levels.scale import LEVELS, Scale, scale_of
from sfida.ai.table import Table
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import locked, open_to_append, read_at_most, state_folder
from sfida.engines.game import Game
from sfida.engines.language import N_
from sfida.engines.records import MAX_SEATS
from sfida.engines.spec import parse_spec, shown

# ---- The strength of a person, from results against levels, which `level:auto` uses

START = 4.0                             # level of an unknown person
_UNSURE = 350.0                         # Elo, standard deviation of that guess
_LEARNS = 12.0                          # Elo, standard deviation of the change between two games
_GRID = 10.0                            # Elo between two points of the grid
_BEYOND = 1500.0                        # most Elo of a person below level 1 or above level 10


@dataclass(frozen=True)
class Result:
    """A game of one person against levels.

    Attributes
    ----------
    level : float
        Level of the opponents.
    players : int
    share : float
        The person's win share.
    """

    level: float
    players: int
    share: float


def fitting_level(results: Iterable[Result], scale: Scale, start: float = START) -> float:
    """Return the level whose players score as much as the person, to a tenth.

    Parameters
    ----------
    results : iterable of Result
        Results in the order of play.
    scale : Scale
    start : float
        The level assumed before the first result.
    """
    lowest, highest = scale.ratings[0] - _BEYOND, scale.ratings[-1] + _BEYOND
    grid = [lowest + _GRID * i for i in range(math.ceil((highest - lowest) / _GRID) + 1)]
    belief = [math.exp(-0.5 * ((rating - scale.rating(start)) / _UNSURE) ** 2) for rating in grid]
    odds = [10 ** (-rating / 400) for rating in grid]
    for result in results:
        opponents = (result.players - 1) * 10 ** (scale.rating(result.level) / 400)
        shares = [1 / (1 + opponents * odd) for odd in odds]
        belief = [weight * likelihood for weight, likelihood in zip(
            _spread(belief), _likelihoods(shares, result.share), strict=True)]
        whole = math.fsum(belief)
        belief = [weight / whole for weight in belief]
    rating = math.fsum(map(operator.mul, belief, grid)) / math.fsum(belief)
    return min(max(round(scale.level(rating), 1), 1.0), float(LEVELS))


def _spread(belief: list[float]) -> list[float]:
    """Return a distribution over the grid after the change of a person between two games."""
    at, one, two, three, four = (math.exp(-0.5 * (step * _GRID / _LEARNS) ** 2) for step in range(5))
    wide = [0.0] * 4 + belief + [0.0] * 4
    return [at * e + one * (d + f) + two * (c + g) + three * (b + h) + four * (a + i)
            for a, b, c, d, e, f, g, h, i in zip(*(wide[step:len(belief) + step] for step in range(9)), strict=True)]


def _likelihoods(shares: list[float], share: float) -> list[float]:
    """Return the likelihood of a win share, up to a factor, for each expected share."""
    if share == 1.0:
        return shares
    if share == 0.0:
        return [1.0 - expected for expected in shares]
    return [expected ** share * (1.0 - expected) ** (1.0 - share) for expected in shares]


# ---- The record of a person against levels: a file in the state folder, one line per game

MOST_BYTES = 1 << 24
UNCOUNTED = N_("This game does not count for your level: you have seen how it continues, or a seat has changed hands.")


@dataclass(frozen=True)
class PersonGame:
    """A line of the record.

    Attributes
    ----------
    date : str
        Day in ISO 8601.
    game : str
        Canonical spec of the game.
    players : int
    level : float
        Level of the opponents.
    share : float
        The person's win share; 0 for a resigned game.
    id : str
        Id of the game; "" if it is not known.
    """

    date: str
    game: str
    players: int
    level: float
    share: float
    id: str = ""

    @property
    def name(self) -> str:
        """The name of the game."""
        return parse_spec(self.game)[0]


def record_file() -> Path:
    """Return the file of the record."""
    return state_folder() / "levels.jsonl"


def remember(game: Game, level: float, share: float, id: str = "") -> bool:
    """Add a finished game to the record, unless it contains the game's id; return whether the game was added.

    Raises
    ------
    InvalidRecord
        If the record cannot be read or written.
    """
    played = PersonGame(f"{datetime.date.today()}", game.spec(), game.players, level, share, id)
    path = record_file()
    line = json.dumps({field: value for field, value in asdict(played).items() if value != ""}).encode() + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_to_append(path) as file, locked(file.fileno()):
            file.seek(0)
            if id and any(known.id == id for known in _read_all(file.readall())[0]):
                return False
            size = file.seek(0, os.SEEK_END)
            if size and (file.seek(size - 1), file.read(1))[1] != b"\n":
                line = b"\n" + line     # a crash truncated the last line; only that one is lost
            file.write(line)
    except OSError as error:
        raise InvalidRecord(f"{shown(path)}: cannot be written: {error.strerror or error}") from None
    return True


def rated_level(table: Table) -> float | None:
    """Return the mean level of the opponents at a table with one person and levels only; otherwise None."""
    others = [seat.level for number, seat in enumerate(table.seats) if number not in table.people]
    levels = [level for level in others if level is not None]
    if len(table.people) == 1 and others and len(levels) == len(others):
        return sum(levels) / len(levels)
    return None


def remember_table(table: Table, share: float) -> bool:
    """Add the finished game of a table to the record, if it counts; return whether it was added.

    Parameters
    ----------
    table : Table
    share : float
        The person's win share; 0 for a resigned game.

    Raises
    ------
    InvalidRecord
        If the record cannot be written.
    """
    level = rated_level(table)
    return level is not None and not table.unrated and remember(table.game, level, share, table.id)


def remembered() -> tuple[list[PersonGame], list[int]]:
    """Return the games of the record in order, and the numbers of the lines that cannot be read.

    Raises
    ------
    InvalidRecord
        If the file exists but cannot be read at all.
    """
    path = record_file()
    try:
        return _read_all(read_at_most(path, MOST_BYTES))
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise InvalidRecord(f"{shown(path)}: cannot be read: {error.strerror or error}") from None


def _read_all(data: bytes) -> tuple[list[PersonGame], list[int]]:
    games, damaged = [], []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            games.append(_read(json.loads(line)))
        except (ValueError, TypeError, KeyError, RecursionError):
            damaged.append(number)
    return games, damaged


def person_level(game: Game, scale: Scale | None = None) -> float:
    """Return the level of a person's opponents in a game, from the record.

    Games with any number of players count. A person who is new to the game starts at the level that their other games
    suggest. Unreadable lines are left out.
    """
    games, _ = remembered()
    scale = scale_of(game) if scale is None else scale
    start = fitting_level(_results(games, game.name, own=False), scale) if games else START
    return fitting_level(_results(games, game.name, own=True), scale, start)


def damage(lines: list[int]) -> str:
    """Return a line about the unreadable lines of the record."""
    named = ", ".join(map(str, lines[:3])) + (", ..." if len(lines) > 3 else "")
    return f"{shown(record_file())}: left out what cannot be read (line{'s' if len(lines) > 1 else ''} {named})"


def _results(games: list[PersonGame], name: str, *, own: bool) -> Iterator[Result]:
    return (Result(each.level, each.players, each.share) for each in games if (each.name == name) is own)


def _read(line: Any) -> PersonGame:
    """Return a line of the record; raises ValueError, TypeError or KeyError if it is damaged."""
    date, game, players = line["date"], line["game"], line["players"]
    level, share, id = float(line["level"]), float(line["share"]), line.get("id", "")
    datetime.date.fromisoformat(date)
    if not (isinstance(game, str) and game and isinstance(id, str)):
        raise ValueError
    if type(players) is not int or not 2 <= players <= MAX_SEATS:
        raise ValueError
    if not (1.0 <= level <= LEVELS and 0.0 <= share <= 1.0 and math.isfinite(level)):
        raise ValueError
    parse_spec(game)
    return PersonGame(date, game, players, level, share, id)
