"""The games that people play: unfinished ones, saved around every decision, and finished ones.

A game has an id, and is open in one place at a time, whatever file it was opened from. Each program with open games
lists them in a file in the folder of the saves, which it keeps locked: the system releases the lock when the program
ends, which frees its games again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
import re
import secrets
import threading
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

from sfida.ai.agent import PERSON
from sfida.ai.table import ID, RESIGN, UNRATED, Table
from sfida.cython_ext.errors import InvalidRecord, SfidaError
from sfida.engines.files import locked, open_to_append, read_at_most, state_folder, try_lock
from sfida.engines.language import _
from sfida.engines.records import LONGEST_LINE, GameRecord, append_record, read_each, read_record, write_records
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec, shown
from sfida.engines.untrusted import json_text

# ---- Games that people have not finished: saved around every decision of theirs, offered at the next start

KEEP = 20       # most saves of a game that are kept
_ID = re.compile(r"[0-9a-f]{32}")
_NAME = 8       # characters of the id in the name of a save
_MOST_LISTED = 1 << 20
DATE = "date"   # extra field of kept games: the day of their end, in ISO 8601


def today() -> date:
    """Return the day by the machine's clock; all code that needs the day calls this function."""
    return date.today()


def folder() -> Path:
    """Return the folder of the saves."""
    return state_folder() / "saves"


class InUse(SfidaError):
    """A game is open elsewhere, or was continued there since it was read."""


class Autosave:
    """The save of one sitting.

    Parameters
    ----------
    game : str
        Name of the game.
    path : Path, optional
        The save to continue; by default one with a new name.
    id : str
        Id of the game; "" for a game without one, which belongs to nobody.

    Attributes
    ----------
    path : Path
    id : str
    unrated : bool
        Whether the person has seen the game continue, so that its result does not count.
    """

    def __init__(self, game: str, path: Path | None = None, id: str = "") -> None:
        # The name is for people who look into the folder: the game, its start, its id, and its first process.
        name = f"{game}-{datetime.now():%Y%m%d-%H%M%S}-{(id or _new_id())[:_NAME]}-{os.getpid()}.jsonl"
        self.path: Path = folder() / name if path is None else path
        self.id: str = id
        self.unrated: bool = False
        self._unlocked: str = ""            # reason why the game cannot be locked
        self._game = game
        self._older: list[Path] = []        # other saves of the game, which contain no more than this one

    @classmethod
    def begin(cls, game: str) -> Autosave:
        """Return the save of a new game with this name, and open it here."""
        save = cls(game, id=_new_id())
        save._open()
        return save

    @classmethod
    def resume(cls, record: GameRecord, path: Path | None = None) -> Autosave:
        """Return the save of a game that continues, and open it here.

        If another save of the game contains moves that this record does not, this one continues as a separate game that
        does not count: its person has seen how the other continued.

        Parameters
        ----------
        record : GameRecord
            The game as it continues.
        path : Path, optional
            The file that the record was read from, if it may be a save.

        Raises
        ------
        InUse
        """
        game = parse_spec(record.game)[0]
        save = cls(game, id=game_id(record))
        save._open()
        saves = _saves_of(game, save.id)
        own = next((each for each in saves if path is not None and _same_file(each, path)), None)
        if own is not None and saves[own].moves != record.moves:
            save.close()
            raise InUse(_("this game has gone on elsewhere meanwhile; open it again"))
        if all(other.moves == record.moves[:len(other.moves)] for other in saves.values()):
            save.path = own or next(iter(saves), save.path)
            save.unrated = any(other.extra.get(UNRATED) for other in saves.values())
            save._older = [each for each in saves if each != save.path]
            return save
        save.close()
        return cls.branch(game, own)

    @classmethod
    def branch(cls, game: str, path: Path | None = None) -> Autosave:
        """Return the save of a game that leaves another one and continues separately; it does not count."""
        save = cls(game, path, _new_id())
        save._open()
        save.unrated = True
        return save

    def adopt(self, table: Table) -> None:
        """Write this game's id into the records of a table."""
        table.id = self.id
        table.unrated = table.unrated or self.unrated

    def _open(self) -> None:
        try:
            _open_game(self.id)
        except OSError as error:
            self._unlocked = error.strerror or str(error)

    @property
    def trouble(self) -> str:
        """The reason why another program could open the game, too, in the current language; "" if none could."""
        return self._unlocked and _("{path}: cannot be locked: {reason}; nothing stops another program from opening "
                                    "this game, too").format(path=shown(folder()), reason=self._unlocked)

    def close(self) -> None:
        """Let others open the game."""
        _close_game(self.id)

    def write(self, table: Table) -> None:
        """Save the game in its current state; raises InvalidRecord if that is impossible."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidRecord(f"{self.path.parent}: cannot be created: {error.strerror}") from error
        new = not self.path.exists()
        write_records(self.path, [table.record()])
        if new:
            _tidy(self._game)
        while self._older:
            self._older.pop().unlink(missing_ok=True)

    def finish(self, table: Table) -> Path:
        """Keep the finished game as the last one with its name, delete its saves, and return the path."""
        last = state_folder() / f"last-{self._game}.jsonl"
        last.parent.mkdir(parents=True, exist_ok=True)
        write_records(last, [table.record()])
        self.discard()
        return last

    def discard(self) -> None:
        """Delete the saves of a game that is over, copies included, and close it."""
        for path in (self.path, *(_saves_of(self._game, self.id) if self.id else ())):
            path.unlink(missing_ok=True)
        self.close()


def unfinished(game: str) -> Iterator[tuple[Path, GameRecord]]:
    """Yield the unfinished games that people play, newest first, except open games and damaged saves."""
    taken = _open_games()
    for path in _newest_first(game):
        try:
            record = read_record(path)
            if parse_spec(record.game)[0] != game or game_id(record) in taken:
                continue                # the record of another game would run that game's code
            record.replay(game=make_game(record.game))
        except SfidaError:
            continue
        if _begun(record) and record.result is None and PERSON in record.seats:
            yield path, record


def is_save(path: Path) -> bool:
    """Return whether a file is one of the saves, whatever path names it."""
    with contextlib.suppress(OSError, RuntimeError):        # no such file, or a loop of links
        return any(_same_file(each, path) for each in folder().glob("*.jsonl"))
    return False


def game_id(record: GameRecord) -> str:
    """Return the id of a game; if its record has none, the game, the seats and the seed (or moves) determine it."""
    known = record.extra.get(ID)
    if isinstance(known, str) and _ID.fullmatch(known):
        return known
    told = [record.game, list(record.seats), *(record.moves if record.seed is None else [record.seed])]
    return hashlib.blake2b(json_text(told, compact=True).encode(), digest_size=16).hexdigest()


def _new_id() -> str:
    return secrets.token_hex(16)


def _same_file(one: Path, other: Path) -> bool:
    with contextlib.suppress(OSError):
        return one.samefile(other)
    return False


def _saves_of(game: str, id: str) -> dict[Path, GameRecord]:
    """Return the saves of a game by its id, newest first."""
    found = {}
    for path in _newest_first(game):
        with contextlib.suppress(OSError, SfidaError):
            text = read_at_most(path, LONGEST_LINE)
            if f'"{ID}"'.encode() in text and id.encode() not in text:
                continue                # much faster than reading it as a record
            record = read_record(path)
            if parse_spec(record.game)[0] == game and game_id(record) == id:
                found[path] = record
    return found


def _newest_first(game: str) -> list[Path]:
    dated = []
    with contextlib.suppress(OSError):                  # the folder is not readable
        for path in folder().glob(f"{game}-*.jsonl"):
            with contextlib.suppress(OSError):          # another program has deleted it
                dated.append((path.stat().st_mtime, path))
    return [path for _when, path in sorted(dated, reverse=True)]


def _tidy(game: str) -> None:
    """Delete the oldest saves beyond `KEEP`, starting with those without a decision."""
    paths = _newest_first(game)
    if len(paths) <= KEEP:
        return
    begun, empty, taken = list[Path](), list[Path](), _open_games()
    opened = set()
    for path in paths:
        try:
            record = read_record(path)
            (begun if _begun(record) else empty).append(path)
            if game_id(record) in taken:
                opened.add(path)
        except InvalidRecord:
            empty.append(path)
    for forgotten in (*begun[KEEP:], *empty[max(0, KEEP - len(begun)):]):
        if forgotten not in opened:
            forgotten.unlink(missing_ok=True)


def _begun(record: GameRecord) -> bool:
    """Return whether any seat has decided something."""
    return len(record.moves) > len(record.chance or ())


# ---- which games are open ------------------------------------------------------------------------


class _Opened:
    """The games that this program has open, in a file that it keeps locked; raises OSError if that is impossible."""

    def __init__(self, place: Path) -> None:
        self.path: Path = place / f"open-{secrets.token_hex(8)}.lock"
        self.games: set[str] = set()
        self.file = open_to_append(self.path)
        try:
            try_lock(self.file.fileno())
        except OSError:
            self.close()
            raise

    def write(self) -> None:
        """List the games."""
        self.file.truncate(0)
        self.file.write("\n".join(sorted(self.games)).encode())

    def close(self) -> None:
        """Remove the list."""
        self.file.close()
        with contextlib.suppress(OSError):
            self.path.unlink()


_held: dict[Path, _Opened] = {}         # by the folder of the saves
_guard = threading.RLock()


@contextlib.contextmanager
def _listing(place: Path) -> Iterator[None]:
    """Lock the lists of open games in a folder against other readers and writers; raises OSError.

    The lock file is removed with the last list.
    """
    place.mkdir(parents=True, exist_ok=True)
    path, done = place / "open.lock", False
    while not done:
        with _guard, open_to_append(path) as file, locked(file.fileno()):
            with contextlib.suppress(FileNotFoundError):
                done = os.path.samestat(os.fstat(file.fileno()), path.stat())
            if not done:
                continue                # its previous owner has removed it
            try:
                yield
            finally:
                if not any(place.glob("open-*.lock")):
                    with contextlib.suppress(OSError):
                        path.unlink()


def _open_game(id: str) -> None:
    """Open a game; raises InUse, or OSError if it cannot be listed: then others can open it, too."""
    place = folder()
    with _listing(place):
        own = _held.get(place)
        if id in _open_elsewhere(place) or (own is not None and id in own.games):
            raise InUse(_("this game is open in another terminal, or in the browser; leave it there first"))
        if own is None:
            own = _held[place] = _Opened(place)
        own.games.add(id)
        own.write()


def _close_game(id: str) -> None:
    """Close a game that this program has open; does nothing for other games."""
    with _guard, contextlib.ExitStack() as held:
        place = next((place for place, own in _held.items() if id in own.games), None)
        if place is None:
            return
        with contextlib.suppress(OSError):
            held.enter_context(_listing(place))
        own = _held[place]
        own.games.discard(id)
        if own.games:
            own.write()
        else:
            del _held[place]
            own.close()


def _open_games() -> set[str]:
    """Return the ids of all open games, here or elsewhere."""
    place = folder()
    own = _held.get(place)
    found = set() if own is None else set(own.games)
    with contextlib.suppress(OSError):
        if place.is_dir():
            with _listing(place):
                found |= _open_elsewhere(place)
    return found


def _open_elsewhere(place: Path) -> set[str]:
    """Return the games that other programs have open, and remove the lists of programs that have ended."""
    found, own = set[str](), _held.get(place)
    for path in place.glob("open-*.lock"):
        if own is not None and path == own.path:
            continue
        with contextlib.suppress(OSError):
            with open_to_append(path) as file:
                if not try_lock(file.fileno()):
                    file.seek(0)
                    found.update((file.read(_MOST_LISTED) or b"").decode("ascii", "replace").split())
                    continue
            path.unlink()
    return found


def _leave_to_parent() -> None:
    """Leave the open games to the parent of a forked process, which lists and closes them."""
    global _guard
    _guard = threading.RLock()
    for own in _held.values():
        own.file.close()
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


# ---- Games that people have finished: kept in the state folder, one file of records for each game


def kept_folder() -> Path:
    """Return the folder of the games."""
    return state_folder() / "games"


def keep_game(record: GameRecord) -> None:
    """Add a finished game with the day of its end; raises InvalidRecord or OSError.

    A game is kept once: a file next to the records lists the ids of the kept games.
    """
    path = kept_folder() / f"{parse_spec(record.game)[0]}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    extra = dict(record.extra)
    line = f"{extra.pop(ID, '')}\n".encode()
    record = dataclasses.replace(record, extra=extra).with_extra(**{DATE: f"{today()}"})
    with open_to_append(path.with_suffix(".ids")) as ids, locked(ids.fileno()):
        ids.seek(0)
        if line.strip() and line in ids.readlines():
            return
        append_record(path, record)
        ids.write(line)


def kept_games(name: str | None = None) -> Iterator[GameRecord | InvalidRecord]:
    """Yield the games with a name, or all of them; those of each name in the order of play.

    A damaged line, or a file that cannot be read any further, yields its error.
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
    """Return the seat of a person in a record: the one given, or the only one with a name; None if there is none."""
    if seat is not None:
        return seat if seat < len(record.seats) else None
    named = [number for number, who in enumerate(record.seats) if who == name]
    return named[0] if len(named) == 1 else None
