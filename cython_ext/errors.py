"""Errors that Sfida raises: user mistakes, all derived from `SfidaError`, and failures of a game's own code."""

import contextlib
import sys
import traceback
from collections.abc import Iterator
from pathlib import PurePath

_MARK = "_sfida_game_fault"             # attribute of exceptions from a game's own code: where they were raised
_MOST = 400                             # longest quoted message of such an exception


class SfidaError(ValueError):
    """Base class; the message says in one line what is wrong and what would be right."""


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
    """Processes, threads or a cluster that play games are gone or unavailable; finished games are kept."""


class GameFault(SfidaError):
    """The code of a game failed: the fault is in its rules, not in the agents that play it."""


def mark_fault(error: BaseException, method: str, game: str) -> None:
    """Record on an exception which method of which game raised it.

    The game is not at fault if the interpreter was interrupted, memory ran out, or the caller was already deep in
    recursion.
    """
    note = f"raised by {method} of the game {game}"
    with contextlib.suppress(BaseException):        # some exceptions accept no note
        error.add_note(note)
    depth = sum(1 for _ in traceback.walk_tb(error.__traceback__))
    if isinstance(error, (KeyboardInterrupt, GeneratorExit, MemoryError)) or (
            isinstance(error, RecursionError) and 2 * depth < sys.getrecursionlimit()):
        return
    with contextlib.suppress(BaseException):
        setattr(error, _MARK, f" ({note}){_place(error)}")


def game_fault(error: BaseException | None) -> GameFault | None:
    """Return a GameFault for an exception raised by a game's own code, None for any other.

    An exception raised `from` one of these counts too.
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
    """Turn exceptions from a game's own code into a GameFault that names `where`; all others pass unchanged."""
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
    """Return a GameFault for an exception that only a game's own code can have raised."""
    notes = "; ".join(getattr(error, "__notes__", ()))
    return GameFault(f"the game raised {_words(error)}{f' ({notes})' if notes else ''}{_place(error)}")


def _words(error: BaseException) -> str:
    try:
        reason = (str(error).splitlines() or [""])[0][:_MOST]
    except Exception:
        reason = ""
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__


def _place(error: BaseException) -> str:
    """Return the innermost Python line in the exception's traceback, as text."""
    found = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    found = [(file, line) for file, line in found if not file.endswith(".pyx")]
    return f" in {PurePath(found[-1][0]).name}, line {found[-1][1]}" if found else ""
