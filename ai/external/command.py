"""Turns the text of an `exec` spec into a program and its arguments."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from pathlib import Path

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted, shortened


def command_line(command: str) -> list[str]:
    """Return the program, as a path, and its arguments.

    Parameters
    ----------
    command : str
        An existing file, whose name may hold blanks; or words as a shell would split them, the first one being a path
        (relative to the current directory) or a program on the PATH or in the environment of this Python, such as
        `sfida` itself.

    Raises
    ------
    InvalidOption
        If there is no such program, or it cannot be run here.
    """
    if os.name != "posix":
        raise InvalidOption("agent 'exec' needs pipes that can be waited for, which this system does not have; it "
                            "runs on Linux, macOS and other POSIX systems")
    if not command.strip() or not command.isprintable():
        raise InvalidOption("agent 'exec' needs a program, in one line of printable text: exec:./bot, or "
                            "exec:python3 bot.py --fast")
    if _is_file(command):
        return [_runnable(command)]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidOption(f"the command {quoted(command)} cannot be split into words: {error}") from None
    if not words or not words[0]:
        raise InvalidOption(f"the command {quoted(command)} names no program")
    program, *arguments = words
    found = None if os.sep in program else shutil.which(program) or shutil.which(program, path=_beside_python())
    if found is None and not _is_file(program):
        where = "is no file" if os.sep in program else "is neither a program on the PATH nor a file here"
        raise InvalidOption(f"{quoted(program)} {where}, so agent {quoted(f'exec:{command}')} cannot be started")
    return [found or _runnable(program), *arguments]


def program_files(command: str) -> tuple[str, ...]:
    """Return the path of the program in a command: its first word, or the script that an installed program runs."""
    if _is_file(command):
        return (command,)
    with contextlib.suppress(ValueError):
        program, *arguments = shlex.split(command)
        if os.sep in program or not (shutil.which(program) or shutil.which(program, path=_beside_python())):
            return (program,)
        return next(((word,) for word in arguments if _is_file(word)), ())
    return ()


def _beside_python() -> str:
    return str(Path(sys.executable).parent)


def _is_file(name: str) -> bool:
    try:
        return Path(name).expanduser().is_file()
    except (OSError, RuntimeError, ValueError):     # too long for a file name, no home directory, a null byte
        return False


def _runnable(name: str) -> str:
    path = Path(name).expanduser().absolute()
    if not os.access(path, os.X_OK):
        raise InvalidOption(f"{quoted(name)} is not executable: chmod +x it, or name what runs it, such as "
                            f"'exec:python3 {shortened(shlex.quote(name))}'")
    return str(path)
