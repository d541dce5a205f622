"""Files and records as arguments and options, and the guard that keeps outputs from replacing inputs."""

from __future__ import annotations

import collections
import contextlib
import errno
import os
import re
import shlex
import stat
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from sfida.cli.errors import Failure
from sfida.cython_ext.errors import InvalidRecord
from sfida.engines.files import explained, open_to_append
from sfida.engines.language import _
from sfida.engines.records import GameRecord, read_record, read_records
from sfida.engines.registry import names_a_game, read_replay
from sfida.engines.spec import quoted, shown

# ---- file options

REPORT_FILES = ("report.html", "agents.csv", "pairs.csv", "seats.csv", "games.csv")
_BESIDE = ("", "-wal", "-shm", "-journal")      # SQLite's files next to a store hold games, too
_RECORDS = (".jsonl", ".gz", ".json")
_STREAMS = ("standard input", "standard output", "standard error")


class FilePath(click.Path):
    """The path of a file or folder; a name that no file can have is refused with a one-line error.

    Every path parameter of a command has one of the types below, which shows the guard the inputs and the outputs.
    """

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay, dir_okay=dir_okay)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; a text that cannot be a path ends the command."""
        try:
            unusable = b"\0" in os.fsencode(value)
        except UnicodeEncodeError:
            unusable = True
        if unusable:
            self.fail(f"no file can have the name {shown(value)}", param, ctx)
        return super().convert(value, param, ctx)


class InputFile(FilePath):
    """A file that is read."""


class OutputFile(FilePath):
    """A file that is written; its folder must exist.

    Parameters
    ----------
    adds : bool
        Whether the output is appended to the existing contents.
    """

    def __init__(self, *, adds: bool = False) -> None:
        super().__init__(dir_okay=False)
        self.adds = adds


class OutputFolder(FilePath):
    """A folder that is written into; it is created if missing, but its parent folder must exist.

    Parameters
    ----------
    *names : str
        The names of the files written there, with wildcards.
    """

    def __init__(self, *names: str) -> None:
        super().__init__(file_okay=False)
        self.names = names


class GameOrRecord(click.types.StringParamType):
    """The spec of a game, or the path of a file of records."""


# ---- the guard --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Output:
    """An output of a command, such as "--csv a.csv"."""

    option: str
    path: Path
    kind: OutputFile | OutputFolder

    def __str__(self) -> str:
        return f"{self.option} {shown(self.path)}"

    @property
    def files(self) -> list[Path]:
        """The files that are written, as far as their names are known in advance."""
        if isinstance(self.kind, OutputFile):
            return [_beside(self.path, ending) for ending in _BESIDE]
        return [self.path / name for name in self.kind.names if "*" not in name]

    def writes(self, path: Path) -> bool:
        """Return whether this output writes the file at a path."""
        return any(_same(file, path) for file in self.files)

    def may_write(self, path: Path) -> bool:
        """Return whether this output may write the file at the path of another output."""
        if isinstance(self.kind, OutputFile):
            return self.writes(path)
        real = path.resolve()
        return _same(self.path, path) or (any(fnmatchcase(_folded(real.name), name) for name in self.kind.names)
                                          and _same(self.path, real.parent))


def check_outputs(context: click.Context, *specs: str, **derived: Iterable[Path]) -> None:
    """Refuse outputs of a command that would overwrite something, before the command does anything.

    An output must not be the same file as an input or another output, under any name or link. Its parent folder must
    exist. Devices and pipes may be the target of several outputs.

    Parameters
    ----------
    context : click.Context
        Holds the parameters of the command.
    *specs : str
        Specs of games and agents named in a file; the specs on the command line are already known.
    **derived : iterable of Path
        For an option, given by name, the paths written instead of its value: a default, or files named after the value.

    Raises
    ------
    Failure
        If a file would be overwritten.
    OSError
        If an output cannot be written.
    """
    outputs: list[_Output] = []
    inputs: list[tuple[Path, str]] = []
    texts = list(specs)
    for parameter in context.command.params:
        name, kind = parameter.name or "", parameter.type
        value = context.params.get(name)
        given = value if isinstance(value, tuple) else () if value is None else (value,)
        if isinstance(kind, OutputFile | OutputFolder):
            outputs += [_Output(parameter.opts[0], path, kind) for path in derived.get(name, given)
                        if not _is_special(path)]
        elif isinstance(kind, InputFile):
            inputs += [(path, "") for path in given]
        elif isinstance(kind, click.types.StringParamType):
            texts += given
            if isinstance(kind, GameOrRecord):
                inputs += [(Path(text), "") for text in given if not names_a_game(text)]
    inputs += [(path, f", which {quoted(text)} names") for text in texts for path in _named(text)]
    folders = [output.path for output in outputs if isinstance(output.kind, OutputFolder)]
    for number, output in enumerate(outputs):
        _check_place(output, folders)
        _check_streams(output)
        adds = isinstance(output.kind, OutputFile) and output.kind.adds
        for path, why in inputs:
            if any(output.writes(_beside(path, ending)) for ending in _BESIDE):
                raise Failure(f"{output} would {'write into' if adds else 'replace'} the file that is read{why}; name "
                              "another one")
        for other in outputs[:number]:
            if output.may_write(other.path) or other.may_write(output.path):
                raise Failure(f"{output} would replace {other}; name another one")


def _check_place(output: _Output, made: Iterable[Path]) -> None:
    """Make sure that an output can be written; the folders in `made` will be created. Raises OSError."""
    wanted = "a folder" if isinstance(output.kind, OutputFolder) else "a file"
    with explained(output.path):
        target = output.path.resolve()
        for file in output.files:
            if file.is_dir():
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
            if file.exists() and not os.access(file, os.W_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        folder = target if target.is_dir() else target.parent
        if any(_same(folder, one) for one in made) and not folder.exists():
            return
        if not folder.exists():
            raise OSError(errno.ENOENT, f"{os.strerror(errno.ENOENT)}: {wanted} is made only in a folder that exists")
        if not folder.is_dir():
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not target.exists() and not os.access(folder, os.W_OK | os.X_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def _check_streams(output: _Output) -> None:
    """Refuse an output that is also the target of a redirected standard stream; raises Failure."""
    if output.path.is_absolute() and output.path.parts[1:2] in (("dev",), ("proc",)):
        return                          # the stream itself is meant
    for name, stream in zip(_STREAMS, (sys.stdin, sys.stdout, sys.stderr), strict=True):
        with contextlib.suppress(OSError, ValueError, AttributeError):      # closed, replaced, or no such output yet
            held, found = os.fstat(stream.fileno()), output.path.stat()
            if stat.S_ISREG(held.st_mode) and os.path.samestat(held, found):
                raise Failure(f"{output} is the file of {name}; name another one")


def _named(spec: str) -> Iterator[Path]:
    """Yield the existing files named by the spec of a game or an agent, or by the parameters to tune."""
    rest = spec.partition(":")[2]
    words = [part.rpartition("=")[2].strip() for part in re.split(r"[,|]", spec)] if "=" in spec else []
    with contextlib.suppress(ValueError):
        words += shlex.split(rest)
    for word in dict.fromkeys((rest.strip(), *words)):
        with contextlib.suppress(OSError, RuntimeError, ValueError):        # no name that a file can have
            if word and (path := Path(word).expanduser()).is_file():
                yield path


def _is_special(path: Path) -> bool:
    """Return whether a path is a device, a pipe or a socket."""
    with explained(path):
        return path.exists() and not (path.is_file() or path.is_dir())


def _beside(path: Path, ending: str) -> Path:
    """Return the path of a store with an ending added to its file name; for the ending "" the path itself."""
    real = path.resolve()
    return real.with_name(real.name + ending) if ending and real.name else path


def _same(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file or folder, even if it does not exist yet."""
    with contextlib.suppress(OSError):
        if os.path.samestat(one.stat(), other.stat()):
            return True
    one, other = one.resolve(), other.resolve()
    if one == other:
        return True
    with contextlib.suppress(OSError):
        return (_folded(one.name) == _folded(other.name) and os.path.samestat(one.parent.stat(), other.parent.stat())
                and (one.name == other.name or _ignores_case(one.parent)))
    return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _ignores_case(folder: Path) -> bool:
    """Return whether a folder treats names that differ only by case as the same name."""
    with contextlib.suppress(OSError):
        return folder.with_name(folder.name.swapcase()).samefile(folder) and folder.name != folder.name.swapcase()
    return False


# ---- Records on the command line: the arguments that name a record, and the chosen game of a file


def names_a_record(text: str) -> bool:
    """Return whether an argument means a file of records rather than a game."""
    if names_a_game(text):
        return False
    path = Path(text)
    separators = [separator for separator in (os.sep, os.altsep) if separator]
    if path.suffix in (*_RECORDS, ".toml") or any(s in text for s in separators):
        return True
    try:
        return path.is_file()
    except OSError:                     # too long for a file name
        return False


def recorded_game(path: Path, number: int) -> GameRecord:
    """Return a game from a file of records, a tournament's store, or a file of games recorded turn by turn."""
    from sfida.ai.arena.store import Store, is_store

    if path.suffix not in _RECORDS and (replay := read_replay(path, number)):
        return replay
    if not is_store(path):
        return read_record(path, number)
    with Store.read(path) as store:
        return store.record(number)


def last_record(path: Path) -> GameRecord:
    """Return the last game of a file; raises InvalidRecord."""
    records = collections.deque(read_records(path), maxlen=1)
    if not records:
        raise InvalidRecord(_("{path}: the file holds no game").format(path=shown(path)))
    return records[0]


def check_writable(path: Path) -> None:
    """Make sure that a game can be added to a file before it is played; raises InvalidRecord or OSError."""
    new = not path.exists()
    open_to_append(path).close()
    if new:
        path.unlink()
    elif path.stat().st_size:
        next(read_records(path), None)
