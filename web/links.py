"""Links: unguessable addresses that stand for a table and some of its seats; kept in a file, so that they stay good."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sfida.ai.state_folder import state_folder
from sfida.engines.files import read_at_most, write_whole

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
        Seats whose hands it shows and for which it decides; none: it is for spectators.
    host : bool
        It is the link of whoever opened the table.
    """

    token: str
    table: str
    seats: tuple[int, ...]
    host: bool = False


@dataclass
class Entry:
    """A table of which links are known, whether it is in memory or only in its file.

    Attributes
    ----------
    id : str
    files : list of str
        Where its record may be: the first that exists holds it.
    invited : tuple of int
        Seats of people who have a link of their own.
    links : list of Link
        That of the host first, that of spectators last.
    title : str
    over : bool
        The game is over.
    """

    id: str
    files: list[str]
    invited: tuple[int, ...]
    links: list[Link]
    title: str = ""
    over: bool = False

    @property
    def file(self) -> Path | None:
        """The file that holds its record; None: it is gone."""
        return next((path for path in map(Path, self.files) if path.is_file()), None)


def new_token() -> str:
    """Return a text that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN)


def new_links(table: str, people: Iterable[int], invited: Iterable[int]) -> list[Link]:
    """Return the links of a table: the host's, for people who are not invited; one for each person; a spectator's."""
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
        The file, which only its owner can read.
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
        """Return the links of the server at a port; fresh ones if there is no file, or it cannot be read."""
        links = cls(state_folder() / "web" / f"links-{port}.json")
        try:
            data = json.loads(read_at_most(links.path, _MOST_BYTES))
            entries = {entry.id: entry for entry in map(_entry, data["tables"])} if data["schema"] == _SCHEMA else {}
            key = data["key"] if isinstance(data["key"], str) and data["key"] else links.key
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return links
        return cls(links.path, key, {name: entry for name, entry in entries.items() if entry.file is not None})

    def write(self) -> None:
        """Keep them; raises OSError."""
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
    """Return an entry of the file; raises TypeError, ValueError or KeyError if it is none."""
    links = [Link(str(each["token"]), str(data["id"]), _seats(each["seats"]), each["host"] is True)
             for each in data["links"]]
    if len(links) < 2 or any(len(link.token) < _TOKEN for link in links):
        raise ValueError
    return Entry(str(data["id"]), [str(name) for name in data["files"]], _seats(data["invited"]), links,
                 str(data["title"]), data["over"] is True)


def _seats(data: Any) -> tuple[int, ...]:
    seats = tuple(data)
    if any(type(seat) is not int or not 0 <= seat < 6 for seat in seats):
        raise ValueError
    return seats
