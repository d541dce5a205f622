"""Errors that Sfida raises for a user's mistake, all derived from `SfidaError`, and those of a game's own code."""

import contextlib
import sys
import traceback
from collections.abc import Iterator
from pathlib import PurePath

_MARK = "_sfida_game_fault"             # attribute of exceptions from a game's own code: where they were raised
_MOST = 400                             # characters of what such an exception says


class SfidaError(ValueError):
    """Base class: one line that says what was wrong and what would be right."""


class IllegalMove(SfidaError):
    """The move is well formed, but the rules do not allow it now."""


class InvalidNotation(SfidaError):
    """The text is not a move in this game's notation."""


class AmbiguousNotation(SfidaError):
    """The text fits more than one legal move."""


class InvalidOption(SfidaError):
    """An option or parameter is unknown, or its value is out of range."""


class InvalidRecord(SfidaError):
    """A record is malformed, tampered with, or of another version."""


class UnknownGame(SfidaError):
    """No game of that name is registered."""


class UnknownAgent(SfidaError):
    """No agent of that name is registered."""


class WorkersLost(SfidaError):
    """Processes, threads or a cluster that play games are gone or cannot be had; finished games are kept."""


class GameFault(SfidaError):
    """The code of a game has failed: its rules are at fault, and none of those who play it."""


def mark_fault(error: BaseException, method: str, game: str) -> None:
    """Note on an exception which method of which game has raised it.

    The game is not at fault where the interpreter was interrupted or has no memory, or where its caller was deep in
    recursion already.
    """
    note = f"raised by {method} of the game {game}"
    with contextlib.suppress(BaseException):        # an exception that takes no note is reported without it
        error.add_note(note)
    depth = sum(1 for _ in traceback.walk_tb(error.__traceback__))
    if isinstance(error, (KeyboardInterrupt, GeneratorExit, MemoryError)) or (
            isinstance(error, RecursionError) and 2 * depth < sys.getrecursionlimit()):
        return
    with contextlib.suppress(BaseException):
        setattr(error, _MARK, f" ({note}){_place(error)}")


def game_fault(error: BaseException | None) -> GameFault | None:
    """Return what is to be said of an exception that a game's own code has raised, None for any other.

    An exception counts, too, if it was raised `from` such a one.
    """
    while error is not None:
        if isinstance(error, GameFault):
            return error
        where = getattr(error, _MARK, None)
        if isinstance(where, str):
            return GameFault(f"the game raised {_words(error)}{where}")
        error = error.__cause__
    return None


@contextlib.contextmanager
def faults_told(where: str = "") -> Iterator[None]:
    """Raise a GameFault, which says `where`, for what a game's own code raises inside; all else passes."""
    try:
        yield
    except GameFault:
        raise
    except BaseException as error:
        fault = game_fault(error)
        if fault is None:
            raise
        raise (GameFault(f"{fault}{where}") if where else fault) from error


def unmarked_fault(error: BaseException) -> GameFault:
    """Return what is to be said of an exception that nothing but a game's own code can have raised."""
    notes = "; ".join(getattr(error, "__notes__", ()))
    return GameFault(f"the game raised {_words(error)}{f' ({notes})' if notes else ''}{_place(error)}")


def _words(error: BaseException) -> str:
    try:
        reason = (str(error).splitlines() or [""])[0][:_MOST]
    except Exception:
        reason = ""
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__


def _place(error: BaseException) -> str:
    """Return the innermost line in Python that an exception comes from."""
    found = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    found = [(file, line) for file, line in found if not file.endswith(".pyx")]
    return f" in {PurePath(found[-1][0]).name}, line {found[-1][1]}" if found else ""
