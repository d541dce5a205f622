"""Game records: one JSON object per line, replayed move by move, and files in which no crash loses a game.

The contents of a record, with ranges and consistency checks, are declared here for every place that reads one: files,
saves, the stores of tournaments, exported games.

File names end in ``.jsonl``, or ``.jsonl.gz`` if gzip-compressed; a file holds any number of games.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gzip
import importlib.metadata
import io
import itertools
import json
import math
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NoReturn, Self

from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.files import LineTooLong, lines_of, locked, open_regular, open_to_append, write_whole
from sfida.engines.game import Game
from sfida.engines.registry import foreign_game, make_game
from sfida.engines.spec import by_contents, changes, contents_of, quoted, shown
from sfida.engines.untrusted import LARGEST, UNNAMED, FieldReader, JsonData, bounds, json_text

# ---- Game records: one JSON object per line, which replays move by move or says why it does not

SCHEMA = 1
MAX_SEATS = 6
LARGEST_SCORE = 1e9             # largest absolute value of a score
LARGEST_VERSION = 10**9
_SAME = 1e-6                    # tolerance of shares of a win and of their sum


@functools.cache
def sfida_version() -> str:
    """Return the version of the installed program."""
    return importlib.metadata.version("sfida")


@dataclass(frozen=True)
class GameResult(JsonData):
    """The result of a game, seat by seat.

    Attributes
    ----------
    utilities : tuple of float
        Win shares, each from 0 to 1; they sum to 1.
    scores : tuple of float
        Points, from -1e9 to 1e9; whole numbers are ints.
    ranks : tuple of int
        From 1 for the first to the number of seats; equal ranks for a tie.
    """

    utilities: tuple[float, ...] = field(metadata=bounds(least=1, most=MAX_SEATS))
    scores: tuple[float, ...] = field(metadata=bounds(low=-LARGEST_SCORE, high=LARGEST_SCORE))
    ranks: tuple[int, ...] = field(metadata=bounds(low=1, high=MAX_SEATS))

    @classmethod
    def of(cls, state: GameState) -> GameResult | None:
        """Return the result of a state, or None before the end of the game."""
        utilities, ranks = state.utilities(), state.ranks()
        if utilities is None or ranks is None:
            return None
        return cls(tuple(utilities), tuple(state.scores()), tuple(ranks))

    @classmethod
    def from_json(cls, data: Mapping[str, Any], reader: FieldReader = UNNAMED) -> Self:
        """Build a result from JSON data; raises InvalidRecord."""
        found = super().from_json(data, reader)
        utilities, scores, ranks = found.utilities, found.scores, found.ranks
        if not len(utilities) == len(scores) == len(ranks):
            reader.fail("'utilities', 'scores' and 'ranks' must be equally long, with one entry per seat")
        for index, share in enumerate(utilities, start=1):
            if not -_SAME <= share <= 1 + _SAME:
                reader.fail(f"entry {index} of 'utilities' must be a number from 0 to 1, not {quoted(share)}")
        if abs(sum(utilities) - 1) > _SAME:
            reader.fail(f"'utilities' are shares of one win and must sum to 1, not to {sum(utilities):g}")
        if min(ranks) != 1 or max(ranks) > len(ranks):
            reader.fail(f"'ranks' of {len(ranks)} seats begin with 1 and end with {len(ranks)} at most, unlike "
                        f"{list(ranks)}")
        return found


@dataclass(frozen=True)
class Forfeit(JsonData):
    """Why a seat forfeited a game.

    Attributes
    ----------
    seat : int
        The seat that forfeited.
    kind : str
        "raised" (an exception), "illegal" (an illegal move), "overtime" (a decision past the time limit) or
        "died" (its process ended); empty if the record does not say.
    reason : str
        One line for people.
    """

    seat: int = field(metadata=bounds(low=0, high=MAX_SEATS - 1))
    kind: str = field(metadata=bounds(absent=""))
    reason: str


def read_contents(fields: dict[str, Any], reader: FieldReader) -> dict[str, str]:
    """Remove and return the field "contents", the digests of files by their paths; empty if it is missing."""
    found = reader.take(fields, "contents", dict, {})
    for path, digest in found.items():
        if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{16}", digest):
            reader.fail(f"'contents' must give 16 hex digits for {quoted(path)}, not {quoted(digest)}")
    return dict(found)


@dataclass(frozen=True)
class GameRecord:
    """The record of a game, finished or not.

    Attributes
    ----------
    game : str
        Game spec.
    rules_version : int
        Version of the game's rules that was played.
    moves : tuple of str
        Every move in the game's notation, chance events included.
    seats : tuple of str
        Agent specs, or any names, in seat order.
    seed : int or None
        Seed that the game was played with.
    chance : tuple of int or None
        Indices in `moves` of the chance events, ascending; None if the record does not say.
    result : GameResult or None
        None for an unfinished game.
    contents : mapping
        Digests of the files that the specs name, by their paths there; they tell whether a file is still the same.
    sfida : str
        Version of the program that wrote the record.
    extra : mapping
        Further fields, such as "forfeit"; fields unknown to this version are written back unchanged.
    where : str
        Where the record was read, for messages; not part of the record.
    trusted : bool
        Whether it may run code that is not Sfida's own; a record that was read may not unless the reader allowed it.
        Not part of the record.
    """

    game: str
    rules_version: int
    moves: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    seed: int | None = None
    chance: tuple[int, ...] | None = None
    result: GameResult | None = None
    contents: Mapping[str, str] = field(default_factory=dict)
    sfida: str = field(default_factory=sfida_version)
    extra: Mapping[str, Any] = field(default_factory=dict)
    where: str = field(default="", compare=False, repr=False)
    trusted: bool = field(default=True, compare=False, repr=False)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def forfeit(self) -> Forfeit | None:
        """The forfeit, or None; raises InvalidRecord if the field is wrong."""
        reader = FieldReader(self.where)
        data = reader.take(dict(self.extra), "forfeit", dict, None)
        return None if data is None else Forfeit.from_json(data, reader)

    # ---- JSON ---------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON-able data."""
        data: dict[str, Any] = {
            "schema": SCHEMA, "type": "game", "game": self.game, "rules_version": self.rules_version,
            "sfida": self.sfida, "seats": list(self.seats), "seed": self.seed, "moves": list(self.moves),
        }
        if self.contents:
            data["contents"] = dict(self.contents)
        if self.chance is not None:
            data["chance"] = list(self.chance)
        data["result"] = self.result.to_json() if self.result is not None else None
        return {**data, **{key: value for key, value in self.extra.items() if key not in data}}

    def to_json_line(self) -> str:
        """Return the record as one line of JSON, without the line end.

        Raises
        ------
        InvalidRecord
            If no reader would accept it, so that nothing is written that cannot be read.
        """
        self.from_json(self.to_json(), self.where)
        return json_text(self.to_json(), compact=True)

    @classmethod
    def from_json(cls, data: object, where: str = "", trust_agents: bool = False) -> GameRecord:
        """Build a record from JSON data; `where` starts the error messages.

        With `trust_agents` it may run the games and agents of other packages, and the programs, that it names.

        Raises
        ------
        InvalidRecord
            If a field is missing, has the wrong type or is out of range, or the format is a different one.
        """
        FieldReader(where).check(data)
        return cls._read(data, where, trust_agents)

    @classmethod
    def _read(cls, data: object, where: str, trust_agents: bool) -> GameRecord:
        reader = FieldReader(where)
        if not isinstance(data, dict):
            reader.fail("a record is a JSON object in braces, {...}")
        fields = dict(data)
        schema = reader.take(fields, "schema", int)
        if schema != SCHEMA:
            reader.fail(f"record format {quoted(schema)} is not one that this program reads (it reads {SCHEMA})")
        kind = reader.take(fields, "type", str)
        if kind != "game":
            reader.fail(f"'type' must be 'game', not {quoted(kind)}: this is not the record of a game")
        game = reader.take(fields, "game", str)
        version = reader.take(fields, "rules_version", int, low=0, high=LARGEST_VERSION)
        moves = reader.take_list(fields, "moves", str)
        chance = reader.take_list(fields, "chance", int, None)
        if chance is not None:
            if any(a >= b for a, b in itertools.pairwise(chance)):
                reader.fail("'chance' must list indices in ascending order, each once")
            if chance and not (chance[0] >= 0 and chance[-1] < len(moves)):
                reader.fail("'chance' must list indices of moves, from 0 to "
                            f"{len(moves) - 1}" if moves else "'chance' lists indices of moves, but there are no moves")
        result = reader.take(fields, "result", dict, None)
        record = cls(
            game=game, rules_version=version, moves=moves, chance=chance,
            seats=reader.take_list(fields, "seats", str, [], most=MAX_SEATS),
            seed=reader.take(fields, "seed", int, None, low=0, high=LARGEST),
            result=None if result is None else GameResult.from_json(result, reader),
            contents=read_contents(fields, reader), sfida=reader.take(fields, "sfida", str, ""), extra=fields,
            where=where, trusted=trust_agents)
        _ = record.forfeit
        return record

    @classmethod
    def from_json_line(cls, line: str, where: str = "", trust_agents: bool = False) -> GameRecord:
        """Build a record from its line of JSON; raises InvalidRecord."""
        return cls._read(FieldReader(where).parse(line), where, trust_agents)

    # ---- replay -------------------------------------------------------------------------------

    def replay(self, until: int | None = None, game: Game | None = None) -> GameState:
        """Play the moves again, checking each, and return the state reached.

        Parameters
        ----------
        until : int, optional
            Number of moves to play; all by default. The result is checked only after the last move.
        game : Game, optional
            The game, if it is not registered under the name in the record.

        Raises
        ------
        InvalidRecord
            If the record does not fit the rules; the message names the line, the move (from 1) and the
            reason. Also if the game belongs to another package and the record may not run it.
        """
        reader = FieldReader(self.where)
        if until is None:
            until = len(self.moves)
        elif not 0 <= until <= len(self.moves):
            reader.fail(f"there is no position after move {until}: the record has {len(self.moves)} moves")
        origin = None if game is not None or self.trusted else foreign_game(self.game)
        if origin is not None:
            reader.fail(f"'{self.game}' is {origin}: a file does not run the code of another package unless it is "
                        "read with trust_agents=True")
        try:
            engine = game if game is not None else make_game(self.game)
        except SfidaError as error:
            reader.fail(str(error))
        self.check_contents(engine.options)
        if engine.rules_version != self.rules_version:
            reader.fail(f"played by rules version {quoted(self.rules_version)} of '{engine.name}'; this program "
                        f"plays version {engine.rules_version}, so it cannot be replayed")
        if self.seats and len(self.seats) != engine.players:
            reader.fail(f"'seats' names {len(self.seats)}, but {quoted(self.game)} has {engine.players} seats")
        if self.forfeit is not None and self.forfeit.seat >= engine.players:
            reader.fail(f"there is no seat {self.forfeit.seat} to forfeit: the seats are 0 to {engine.players - 1}")
        state = engine.initial_state()
        chance = None if self.chance is None else frozenset(self.chance)
        for ply in range(until):
            self._replay_move(reader, state, ply, chance)
        if until == len(self.moves):
            self._check_result(reader, state)
        return state

    @property
    def meaning(self) -> tuple[str, tuple[str, ...]]:
        """The specs of the game and of the seats, with digests of files in place of their paths."""
        return by_contents(self.game, self.contents), tuple(by_contents(seat, self.contents) for seat in self.seats)

    def check_contents(self, *options: object) -> None:
        """Refuse options that name a file whose content is not that of the time of the game; raises InvalidRecord."""
        if changed := changes(self.contents, contents_of(*options)):
            FieldReader(self.where).fail(f"{changed[0]}: restore the file with which the game was played")

    def _replay_move(self, reader: FieldReader, state: GameState, ply: int,
                     chance: frozenset[int] | None) -> None:
        text = self.moves[ply]
        at = f"move {ply + 1} {quoted(text)}"
        if state.is_over:
            reader.fail(f"{at}: the game is over after {ply} moves")
        if chance is not None and state.is_chance != (ply in chance):
            reader.fail(f"{at}: a chance event comes here, but 'chance' does not list index {ply}"
                        if state.is_chance else
                        f"{at}: 'chance' lists index {ply}, but seat {state.to_move} is to move here")
        try:
            state.apply(state.parse(text))
        except SfidaError as error:
            reader.fail(f"{at}: {error}")

    def _check_result(self, reader: FieldReader, state: GameState) -> None:
        if self.result is None:
            return
        found = GameResult.of(state)
        if found is None:
            reader.fail(f"a result is given, but the game is not over after {len(self.moves)} moves")
        for key, value in self.result.to_json().items():
            recount = found.to_json()[key]
            if len(value) != len(recount) or not all(
                    math.isclose(one, other, rel_tol=0.0, abs_tol=1e-9)
                    for one, other in zip(value, recount, strict=True)):
                reader.fail(f"the result does not fit the moves: '{key}' is {quoted(value)} in the record, "
                            f"but the game gives {recount}")

    def trusting(self) -> GameRecord:
        """Return a copy that may run what it names."""
        return dataclasses.replace(self, trusted=True)

    def with_extra(self, **extra: Any) -> GameRecord:
        """Return a copy with further fields added by the caller."""
        return dataclasses.replace(self, extra={**self.extra, **extra})


# ---- Files of game records: reading, appending and rewriting so that a crash loses no game

LONGEST_LINE = 1 << 22          # bytes, uncompressed; a game of ten thousand moves has about 200 kB


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
    """Return whether the first line of a file may be a record: also one that is damaged, or that a crash cut off."""
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
