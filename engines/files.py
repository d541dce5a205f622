"""User-supplied files: only regular files are read, in bounded pieces; a file is written completely or not at all."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib
import io
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs

# ---- User-supplied files


def _of_the_system(name: str) -> Any:
    """Return a module that exists only on some systems; None on others."""
    with contextlib.suppress(ImportError):
        return importlib.import_module(name)
    return None


fcntl, msvcrt = map(_of_the_system, ("fcntl", "msvcrt"))       # without both modules nothing is locked
# Opening must not wait for the other end of a pipe, nor take over a terminal. Windows has neither flag.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_SPECIAL = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"),
            (stat.S_ISBLK, "a device"))
_FAR = 1 << 30          # position of the locked byte on Windows, beyond all contents, as locked bytes are unreadable


class LineTooLong(ValueError):
    """A line is longer than allowed; `number` counts from 1."""

    def __init__(self, number: int, most: int) -> None:
        super().__init__(f"line {number} is longer than {most} bytes")
        self.number = number


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn every error about a file's name into an OSError with the path."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    except RuntimeError as error:                   # no home directory, or links in a loop
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    except ValueError as error:                     # a null character, or a character that the system cannot encode
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error


def expanded(path: str | Path) -> Path:
    """Return a path with ``~`` or ``~user`` expanded; raises OSError if there is no such user."""
    with explained(Path(path)):
        return Path(path).expanduser()


# ---- reading ----------------------------------------------------------------------------------------


def digest_of(path: Path) -> str:
    """Return a digest of the content of a regular file, 16 hex digits; raises OSError if it cannot be read."""
    with open_regular(path) as file, explained(path):
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8)).hexdigest()


def open_regular(path: Path) -> io.BufferedReader:
    """Open a regular file, or a link to one, for reading.

    Raises
    ------
    OSError
        If the file cannot be opened, or is a directory, a device, a pipe or a socket: reading these may never end.
    """
    with explained(path):
        _refuse_special(path.stat())                # merely opening a device can have effects
        number = os.open(path, os.O_RDONLY | _AT_ONCE)
        try:
            _refuse_special(os.fstat(number))       # the path may lead to another file by now
        except OSError:
            os.close(number)
            raise
        return os.fdopen(number, "rb")


def open_to_append(path: Path) -> io.FileIO:
    """Open a file for reading and for appending; it is created if missing.

    Raises
    ------
    OSError
        If the file cannot be opened, or is a directory, a pipe or a socket. Devices are allowed.
    """
    with explained(path):
        number = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _AT_ONCE, 0o666)
        try:
            found = os.fstat(number)
            if not stat.S_ISCHR(found.st_mode):
                _refuse_special(found)
        except OSError:
            os.close(number)
            raise
        return os.fdopen(number, "a+b", buffering=0)


def read_at_most(path: Path, most: int) -> bytes:
    """Return the content of a regular file.

    Parameters
    ----------
    path : Path
    most : int
        Largest allowed size in bytes.

    Raises
    ------
    OSError
        If the file cannot be read, is not a regular file, or is larger.
    """
    with open_regular(path) as file, explained(path):
        data = file.read(most + 1) or b""
        if len(data) > most:
            raise OSError(errno.EFBIG, f"it is larger than {most} bytes")
        return data


def lines_of(file: io.BufferedIOBase, most: int) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, line with its line end) of a stream, with one line in memory at a time.

    Raises
    ------
    LineTooLong
        If a line has more than `most` bytes.
    """
    number = 0
    while line := file.readline(most + 1):
        number += 1
        if len(line) > most:
            raise LineTooLong(number, most)
        yield number, line


def _refuse_special(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    for is_one, what in _SPECIAL:
        if is_one(found.st_mode):
            raise OSError(errno.EINVAL, f"it is {what}, not a regular file")


# ---- writing ----------------------------------------------------------------------------------------


def write_whole(path: Path, content: str | bytes) -> Path:
    """Write a file completely or not at all, and return its path: a crash leaves the old file or the new one.

    Devices and pipes are written to, never replaced; for a link, its target is replaced. The temporary file in the same
    folder is newly created under an unpredictable name, so no planted link is followed.

    Parameters
    ----------
    path : Path
    content : str or bytes
        Text is written in UTF-8 with its line ends unchanged; question marks replace characters that cannot be encoded.

    Raises
    ------
    OSError
        If writing fails; an existing file is then unchanged.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with explained(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as special:
                special.write(data)
            return path
        target = path.resolve()
        if target.is_symlink():                     # links in a loop; before Python 3.13 `resolve` finds them itself
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        handle, draft = tempfile.mkstemp(dir=target.parent, prefix=".sfida-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
            Path(draft).chmod(mode & 0o777)
            Path(draft).replace(target)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        return path


@contextlib.contextmanager
def locked(handle: int) -> Iterator[None]:
    """Lock an open file, given by its number, after waiting until no other program locks it; raises OSError."""
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX)
    elif msvcrt is not None:
        while not _lock_far(handle, msvcrt.LK_LOCK):        # an attempt fails after ten seconds
            pass
    try:
        yield
    finally:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_UN)
        elif msvcrt is not None:
            _lock_far(handle, msvcrt.LK_UNLCK)


def try_lock(handle: int) -> bool:
    """Lock an open file, given by its number, until it is closed; return False if another program locks it.

    The system releases the lock when the program ends, in whatever way.

    Raises
    ------
    OSError
        If the file system has no locks, as on some network drives.
    """
    if fcntl is None:
        return msvcrt is None or _lock_far(handle, msvcrt.LK_NBLCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _lock_far(handle: int, mode: int) -> bool:
    """Lock or unlock a byte of a file on Windows; return False if another program locks it."""
    os.lseek(handle, _FAR, os.SEEK_SET)
    try:
        msvcrt.locking(handle, mode, 1)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


@contextlib.contextmanager
def rewriting(path: Path) -> Iterator[None]:
    """Keep out other programs that read a file and rewrite it, so that no change is lost.

    The lock is on a permanent file in the same folder, with ``.lock`` added to the name, because the file itself is
    replaced.

    Raises
    ------
    OSError
        If the folder or the lock file cannot be created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_to_append(path.with_name(f"{path.name}.lock")) as lock, locked(lock.fileno()):
        yield


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# ---- The folder for a person's data: saves, finished games, reviews, practice


def state_folder() -> Path:
    """Return the folder; it need not exist."""
    return platformdirs.user_state_path("sfida", appauthor=False)
