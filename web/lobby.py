"""All tables of the application: opening, saving, unloading and reloading them; and the links to their seats."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sfida.ai.agent import PERSON
from sfida.ai.archive import Autosave, InUse, keep_game, unfinished
from sfida.ai.chance import TYPED, check_seed, fresh_seed
from sfida.ai.levels.person_rating import remember_table
from sfida.ai.luck.commitment import FIELD, PROMISES, Commitment, commitment_of
from sfida.ai.registry import agent as make_agent
from sfida.ai.registry import foreign_code
from sfida.ai.seat import Seat
from sfida.ai.session import Session
from sfida.ai.table import RESIGN, Table, cut, take_seats
from sfida.cython_ext.errors import InvalidOption, InvalidRecord, SfidaError
from sfida.cython_ext.state import GameState
from sfida.engines.files import read_at_most, state_folder, write_whole
from sfida.engines.language import _
from sfida.engines.records import GameRecord, read_record, write_records
from sfida.engines.registry import game_names, make_game
from sfida.engines.spec import parse_spec, quoted
from sfida.web.lookback import Lookback, Practice
from sfida.web.requests import Forbidden, Full, NotHere, Stale
from sfida.web.runner import Runner
from sfida.web.session import GameSession

# ---- Links: unguessable addresses of a table and some of its seats

_SCHEMA = 1
_MOST_BYTES = 1 << 22
_TOKEN = 16             # bytes of chance in a token


@dataclass(frozen=True)
class Link:
    """An address.

    Attributes
    ----------
    token : str
    table : str
        Id of the table.
    seats : tuple of int
        Seats that its holder sees and decides for; empty for spectators.
    host : bool
        Whether it belongs to the person who opened the table.
    """

    token: str
    table: str
    seats: tuple[int, ...]
    host: bool = False


@dataclass
class Entry:
    """A table that has links, in memory or only in its file.

    Attributes
    ----------
    id : str
    files : list of str
        Possible files of its record; the first existing one is right.
    invited : tuple of int
        Seats of invited people, each with a separate link.
    links : list of Link
        The host's link first, the spectators' link last.
    title : str
    over : bool
        Whether the game is over.
    without : list of str
        Kinds of aids that are switched off for everybody at the table.
    """

    id: str
    files: list[str]
    invited: tuple[int, ...]
    links: list[Link]
    title: str = ""
    over: bool = False
    without: list[str] = field(default_factory=list)

    @property
    def file(self) -> Path | None:
        """The file with its record; None if no file exists any more."""
        return next((path for path in map(Path, self.files) if path.is_file()), None)


def new_token() -> str:
    """Return an unguessable text."""
    return secrets.token_urlsafe(_TOKEN)


def new_links(table: str, people: Iterable[int], invited: Iterable[int]) -> list[Link]:
    """Return the links of a table: the host's for all uninvited people, one for each person, and the spectators'."""
    people, guests = tuple(people), frozenset(invited)
    own = tuple(seat for seat in people if seat not in guests)
    return [Link(new_token(), table, own, host=True), *(Link(new_token(), table, (seat,)) for seat in people),
            Link(new_token(), table, ())]


@dataclass
class Links:
    """All links of a server.

    Attributes
    ----------
    path : Path
        File of the links, readable by its owner alone.
    key : str
        The host's.
    entries : dict of str to Entry
        By id.
    """

    path: Path
    key: str = field(default_factory=new_token)
    entries: dict[str, Entry] = field(default_factory=dict)

    @classmethod
    def read(cls, port: int) -> Links:
        """Return the links of the server at a port; new links if their file is missing or unreadable."""
        links = cls(state_folder() / "web" / f"links-{port}.json")
        try:
            data = json.loads(read_at_most(links.path, _MOST_BYTES))
            entries = {entry.id: entry for entry in map(_entry, data["tables"])} if data["schema"] == _SCHEMA else {}
            key = data["key"] if isinstance(data["key"], str) and data["key"] else links.key
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return links
        return cls(links.path, key, {name: entry for name, entry in entries.items() if entry.file is not None})

    def write(self) -> None:
        """Write them to their file; raises OSError."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        self.path.chmod(0o600)
        tables = [asdict(entry) for entry in self.entries.values()]
        write_whole(self.path, json.dumps({"schema": _SCHEMA, "key": self.key, "tables": tables}) + "\n")

    def find(self, token: str) -> Link | None:
        """Return the link with a token."""
        found = None
        for entry in self.entries.values():
            for link in entry.links:
                if secrets.compare_digest(link.token.encode(), token.encode()):
                    found = link
        return found


def _entry(data: Any) -> Entry:
    """Return an entry of the file; raises TypeError, ValueError or KeyError if the data are no entry."""
    links = [Link(str(each["token"]), str(data["id"]), _seats(each["seats"]), each["host"] is True)
             for each in data["links"]]
    if len(links) < 2 or any(len(link.token) < _TOKEN for link in links):
        raise ValueError
    return Entry(str(data["id"]), [str(name) for name in data["files"]], _seats(data["invited"]), links,
                 str(data["title"]), data["over"] is True, [str(kind) for kind in data.get("without", ())])


def _seats(data: Any) -> tuple[int, ...]:
    seats = tuple(data)
    if any(type(seat) is not int or not 0 <= seat < 6 for seat in seats):
        raise ValueError
    return seats


@dataclass(frozen=True)
class Glimpse:
    """A game as it stands.

    Attributes
    ----------
    state : GameState
        The whole position.
    specs : tuple of str
        Agents in seat order.
    own : tuple of int
        Seats of the host.
    moved : float or None
        Time of the last move in seconds since 1970; None if it is not known.
    """

    state: GameState
    specs: tuple[str, ...]
    own: tuple[int, ...]
    moved: float | None


# ---- All tables: opening, saving, unloading and reloading; a limited number is in memory

MOST_TABLES = 20
_LOOKED_BACK_AT = 50    # most finished tables with valid links
_GUEST = "guest"        # spec of invited people in the host's records


class Lobby:
    """The tables of the application.

    Parameters
    ----------
    links : Links
    runner : Runner
    most : int
        Largest number of tables in play; a further request to open one is refused.
    trusts : bool
        Whether requests and records may name code that is not Sfida's own.
    alone : bool
        Whether only the host can reach the application, so that nobody can be invited.
    """

    def __init__(self, links: Links, runner: Runner, most: int = MOST_TABLES, *, trusts: bool = False,
                 alone: bool = False) -> None:
        self.links = links
        self.runner = runner
        self.lookback: Lookback = Lookback(runner)
        self.practice: Practice = Practice(runner, trusts=trusts)
        self.most = most
        self.alone = alone
        self._trusts = trusts
        self._lock = threading.RLock()
        self._writing = threading.Lock()
        self._waking: dict[str, threading.Lock] = {}
        self._sessions: dict[str, GameSession] = {}
        self._saves: dict[str, Autosave] = {}
        self._offered: dict[str, Path] = {}     # saves by id, as offered last
        for entry in links.entries.values():
            if not entry.over and entry.file is not None:
                with contextlib.suppress(SfidaError):       # entering the table reports an error
                    self._saves[entry.id] = Autosave.resume(read_record(entry.file), entry.file)

    def close(self) -> None:
        """End all running work; all games are saved."""
        self.runner.close()
        with self._lock:
            for session in self._sessions.values():
                session.close()
            for save in self._saves.values():
                save.close()

    # ---- opening ------------------------------------------------------------------------------

    def open(self, game: str, seats: Sequence[str], *, seed: int | None = None, typed_luck: bool = False,
             invited: Sequence[int] = ()) -> Entry:
        """Open a table for a new game.

        Parameters
        ----------
        game : str
            Spec.
        seats : sequence of str
            Agent specs in seat order; "human" for a person.
        seed : int, optional
            By default a fresh one.
        typed_luck : bool
            Whether people type in chance events.
        invited : sequence of int
            Seats of people who get separate links.

        Raises
        ------
        Full, Forbidden
        UnknownGame, UnknownAgent, InvalidOption
        """
        self._check_code(game, seats)
        engine = make_game(game)
        people = [number for number, spec in enumerate(seats) if spec.strip() == PERSON]
        if invited and self.alone:
            raise Forbidden(_("nobody can be invited here: no other device reaches this browser"))
        if not set(invited) <= set(people):
            raise InvalidOption(_("only the seat of a person can be left to somebody who is invited"))
        if typed_luck and (invited or not people):
            raise InvalidOption(_("who types in what is drawn sees everything: all people must share one screen"))
        table = Table(engine, take_seats(engine, seats), fresh_seed() if seed is None else check_seed(seed),
                      typed_luck=typed_luck)
        if seed is None:
            table.seal()
        if invited and table.commitment is not None:
            table.commitment = replace(table.commitment, stage=PROMISES)
        session = Session(table)
        table.begin()
        with _open_if_all_is_well(Autosave.begin(engine.name)) as save:
            return self._admit(session, save, invited)

    def resume(self, record: GameRecord, path: Path | None = None) -> Entry:
        """Open a table for a recorded game, which may be over; raises as `open`, InvalidRecord, and Stale.

        `path` names the save to continue.
        """
        with _open_if_all_is_well(_opened(record, path)) as save:
            return self._admit(self._resumed(record), save, ())

    def resume_text(self, text: str) -> Entry:
        """Open a table for the first game in the text of a file of records; raises as `resume`."""
        line = next((line for line in text.splitlines() if line.strip()), "")
        return self.resume(GameRecord.from_json_line(line, where=_("the record")))

    def branch(self, record: GameRecord, plies: int, *, fresh: bool) -> Entry:
        """Open a table that continues a game from an earlier position, as a game of its own.

        Parameters
        ----------
        record : GameRecord
        plies : int
            Number of events to keep.
        fresh : bool
            Whether the luck from there on is another one.

        Raises
        ------
        Full, Forbidden, InvalidRecord
        """
        seed = fresh_seed() if fresh else None
        start = cut(record, plies, seed)
        if seed is not None and not start.extra.get(TYPED):
            start = start.with_extra(**{FIELD: Commitment.to(seed).to_json()})
        if PERSON not in start.seats:                   # nobody has played: the mover becomes a person
            mover = max(0, int(start.replay().to_move))
            start = replace(start, seats=tuple(PERSON if seat == mover else spec
                                               for seat, spec in enumerate(start.seats)))
        with _open_if_all_is_well(Autosave.branch(parse_spec(start.game)[0])) as save:
            return self._admit(self._resumed(start), save, ())

    def kept(self) -> list[dict[str, Any]]:
        """Return the unfinished games that the host may continue, newest first."""
        found, offered = [], {}
        here = {name for entry in self.links.entries.values() for name in entry.files}
        for name in game_names():
            for path, record in unfinished(name):
                if str(path) in here or (not self._trusts and foreign_code(record.game, record.seats)):
                    continue
                offered[path.stem] = path
                when = datetime.fromtimestamp(path.stat().st_mtime)
                found.append({"id": path.stem, "game": record.game, "title": _(make_game(record.game).title),
                              "date": f"{when:%Y-%m-%d %H:%M}", "moves": len(record.moves),
                              "seats": list(record.seats)})
        self._offered = offered
        return sorted(found, key=lambda each: str(each["date"]), reverse=True)

    def resume_kept(self, name: str) -> Entry:
        """Open a table for an unfinished game; raises as `resume`."""
        if name not in self._offered:
            self.kept()
        path = self._offered.get(name)
        if path is None:
            raise NotHere(_("this game is not kept any more, or continues elsewhere"))
        return self.resume(read_record(path), path)

    def consent(self, *agents: str, game: str | None = None) -> None:
        """Raise Forbidden if the code of an agent or of the game is not Sfida's own."""
        self._check_code(game, agents)

    def _check_code(self, game: str | None, seats: Sequence[str]) -> None:
        """Raise Forbidden if a spec names code that is not Sfida's own."""
        found = [] if self._trusts else foreign_code(game, seats)
        if found:
            spec, what = found[0]
            raise Forbidden(_("{spec} is {what}, and only 'sfida serve --trust-agents' lets a page run code that is "
                              "not Sfida's own").format(spec=quoted(spec), what=_(what)))

    def _resumed(self, record: GameRecord) -> Session:
        """Return the session of a record; raises Forbidden, InvalidRecord."""
        over = _is_over(record)
        self._check_code(record.game, () if over else record.seats)
        record = record.trusting()
        if not over:
            return Session.resumed(record)
        record.replay()
        session = Session.replayed(record, seats=[
            Seat(_Name(spec)) for spec in record.seats or ["?"] * make_game(record.game).players])
        if record.forfeit is not None:
            session.table.resign(record.forfeit.seat)
        elif record.result is None:
            raise InvalidRecord(_("{where}: one side has resigned, but which one is not recorded").format(
                where=record.where))
        return session

    def _admit(self, session: Session, save: Autosave, invited: Sequence[int]) -> Entry:
        """Give a session a table and links; raises Full."""
        table = session.table
        save.adopt(table)
        with self._lock:
            self._make_place()
            name = new_token()
            entry = Entry(name, [str(save.path)], tuple(invited), new_links(name, table.people, invited),
                          table.game.title)
            self.links.entries[name] = entry
            self._forget()
            self._settle(entry, session, save)
        return entry

    def _settle(self, entry: Entry, played: Session, save: Autosave) -> GameSession:
        session = GameSession(played, self.runner, lambda session: self._keep(entry, session), entry.without,
                              entry.invited)
        self._sessions[entry.id], self._saves[entry.id] = session, save
        self._write_links()
        session.start()
        return session

    def _make_place(self) -> None:
        """Unload an idle table if the limit is reached; raises Full if none is idle."""
        while sum(not session.is_over for session in self._sessions.values()) >= self.most:
            idle = [(session.touched, name) for name, session in self._sessions.items()
                    if session.deserted and not session.thinks and not session.is_over]
            if not idle:
                raise Full(_("{number} tables are in play, and no more at once; wait until one is free").format(
                    number=self.most))
            self._sleep(min(idle)[1])
        over = sorted((session.touched, name) for name, session in self._sessions.items()
                      if session.is_over and session.deserted)
        for _touched, name in over[:-self.most]:
            self._sleep(name)

    def _sleep(self, name: str) -> None:
        """Unload a table from memory; its record is saved, and its links load it again."""
        self._sessions.pop(name).close()

    def _forget(self) -> None:
        """Drop the links of the oldest finished tables; their games stay in the archive."""
        over = [entry for entry in self.links.entries.values() if entry.over]
        for entry in over[:-_LOOKED_BACK_AT]:
            if entry.id in self._sessions:
                self._sleep(entry.id)
            del self.links.entries[entry.id]
            self._saves.pop(entry.id, None)
            for name in entry.files:
                Path(name).unlink(missing_ok=True)

    # ---- finding ------------------------------------------------------------------------------

    def enter(self, token: str) -> tuple[Link, GameSession]:
        """Return a link and the session of its table, loading it if necessary; raises NotHere or Full."""
        with self._lock:
            link = self.links.find(token)
            if link is None:
                raise NotHere(_("this link leads nowhere; ask for a new one"))
            session, entry = self._sessions.get(link.table), self.links.entries[link.table]
            waking = self._waking.setdefault(link.table, threading.Lock())
        if session is None:
            with waking:
                session = self._sessions.get(link.table) or self._wake(entry)
        return link, session

    def entry(self, name: str) -> Entry:
        """Return the entry of a table."""
        return self.links.entries[name]

    def tables(self) -> Iterator[tuple[Entry, GameSession | None]]:
        """Yield the tables, newest first; the session of an unloaded table is None."""
        with self._lock:
            for entry in reversed(list(self.links.entries.values())):
                yield entry, self._sessions.get(entry.id)

    def glimpse(self, table: str = "", kept: str = "") -> Glimpse:
        """Return a table, or an unfinished game that is kept, without loading it.

        Parameters
        ----------
        table, kept : str
            Id of a table, or of a game that `kept` offers.

        Raises
        ------
        NotHere, Forbidden, InvalidRecord
        """
        entry, session = self.links.entries.get(table), self._sessions.get(table)
        path = self._offered.get(kept) if entry is None else entry.file
        when = None if path is None or not path.is_file() else path.stat().st_mtime
        if session is not None and entry is not None:
            with session.lock:
                return Glimpse(session.table.state.clone(), session.table.specs, entry.links[0].seats, when)
        if path is None or when is None:
            raise NotHere(_("this game is not kept any more, or continues elsewhere"))
        record = read_record(path)
        self._check_code(record.game, ())
        people = [seat for seat, spec in enumerate(record.seats) if spec == PERSON]
        return Glimpse(record.trusting().replay(), tuple(record.seats),
                       tuple(people) if entry is None else entry.links[0].seats, when)

    def _wake(self, entry: Entry) -> GameSession:
        path = entry.file
        if path is None:
            raise NotHere(_("this table is gone: its game is not kept any more"))
        record = read_record(path)
        if entry.id not in self._saves:
            self._saves[entry.id] = _opened(record, path)
        save = self._saves[entry.id]
        played = self._resumed(record)
        save.adopt(played.table)
        commitment = commitment_of(record)
        if commitment is not None and commitment.stage and not record.moves:
            played.table.commit(commitment)             # the guests are still waited for
        with self._lock:
            self._make_place()
            if not _is_over(record) and str(save.path) not in entry.files:
                entry.files = [str(save.path), *entry.files]
            return self._settle(entry, played, save)

    def switch_aid(self, link: Link, session: GameSession, kind: str, *, on: bool) -> None:
        """Switch a kind of aids on or off for everybody at a table; raises Forbidden unless the link is the host's."""
        if not link.host:
            raise Forbidden(_("only the host can switch aids"))
        session.switch_aid(kind, on=on)
        self.entry(link.table).without = sorted(session.without)
        self._write_links()

    # ---- keeping ------------------------------------------------------------------------------

    def _keep(self, entry: Entry, session: GameSession) -> None:
        """Save the game of a table; at its end, add it to the archive and to the record of the person.

        This does not take the lock of the lobby, since the caller holds the session's lock.
        """
        save = self._saves[entry.id]
        try:
            if session.is_over:
                self._finish(entry, session, save)
                self.lookback.tell_luck(session)
            else:
                save.write(session.table)
                session.unkept = (lambda: save.trouble) if save.trouble else None
        except (InvalidRecord, OSError) as error:
            session.unkept = _unkept(error)

    def _finish(self, entry: Entry, session: GameSession, save: Autosave) -> None:
        last = self.links.path.parent / f"{entry.id}.jsonl"
        if str(last) in entry.files:
            return                                      # it was finished before
        last.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        table = session.table
        write_records(last, [table.record()])
        people = [seat for seat in table.people if seat not in entry.invited]
        if people:                                      # a repetition after a crash changes nothing
            keep_game(self.kept_record(entry, session))
            if table.resigned in (None, people[0]):
                remember_table(table, session.share(people[0]))
        entry.files, entry.over = [str(last)], True
        self._write_links()
        if people:
            save.finish(table)
        else:
            save.discard()

    def kept_record(self, entry: Entry, session: GameSession) -> GameRecord:
        """Return the record of a game as the archive keeps it: invited people are guests."""
        with session.lock:
            return session.table.record([_GUEST if seat in entry.invited else spec
                                         for seat, spec in enumerate(session.table.specs)])

    def _write_links(self) -> None:
        with self._writing, contextlib.suppress(OSError):       # unsaved links work until the server ends
            self.links.write()


def _is_over(record: GameRecord) -> bool:
    return record.result is not None or record.extra.get("ended") == RESIGN


@contextlib.contextmanager
def _open_if_all_is_well(save: Autosave) -> Iterator[Autosave]:
    """Release the game of a save if the block fails."""
    try:
        yield save
    except BaseException:
        save.close()
        raise


def _opened(record: GameRecord, path: Path | None) -> Autosave:
    """Open the game of a record and return its save.

    Raises Stale if the game is open elsewhere; an uploaded record then continues as a copy.
    """
    name = parse_spec(record.game)[0]
    if _is_over(record):
        return Autosave(name)
    try:
        return Autosave.resume(record, path)
    except InUse as error:
        if path is not None:
            raise Stale(str(error)) from None
        return Autosave.branch(name)


def _unkept(error: Exception) -> Callable[[], str]:
    """Return the message about a game that cannot be saved."""
    reason = str(error)
    return lambda: _("{error}; for now the game is not kept").format(error=reason)


class _Name:
    """A placeholder for an agent of a finished game: only its name is known."""

    def __init__(self, spec: str) -> None:
        self.spec = spec

    def choose(self, _view: object) -> int:
        """Refuse to play; raises SfidaError."""
        raise SfidaError(_("the game is over"))


def agent_for(spec: str) -> Seat:
    """Return the seat of an agent; raises UnknownAgent or InvalidOption."""
    return Seat(make_agent(spec))
