"""What an agent in a playing process must not change, and how changes are undone.

This protects the other agents and the tournament against accidents and simple tricks. It is not a sandbox: an agent
in Python shares the process with the table, and can find and change everything in it.
"""

from __future__ import annotations

import functools
import os
import pickle
import signal
import sys
from collections.abc import Mapping

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import FACES, Game
from sfida.engines.spec import quoted

CUT_OFF = 90                    # exit code of a process whose agent has closed files that the process needs


class Tampered(SfidaError):
    """An agent has changed the game that its views show."""


class Mirror:
    """A copy of the game for one agent: its views are made from it, so changes to them affect nobody else.

    Parameters
    ----------
    game : bytes
        The pickled game.
    """

    def __init__(self, game: bytes) -> None:
        self._game: Game = pickle.loads(game)
        self._classes = [(each, dict(vars(each))) for each in type(self._game).__mro__ if issubclass(each, FACES)]
        self._held = dict(vars(self._game))
        options = pickle.loads(game).options
        self._options = options if options == self._game.options else None      # None: they cannot be compared
        self._state: GameState = self._game.initial_state()

    def view(self, state: GameState, seat: int) -> View:
        """Return the view that a seat has of the true state."""
        self._state.load(state.to_bytes())
        return self._state.view(seat)

    def check(self) -> None:
        """Make sure that the game is unchanged, except for private attributes in which it keeps its own notes.

        Raises
        ------
        Tampered
        """
        kind, now = self._classes[0][0], vars(self._game)
        changed = [] if type(self._game) is kind else ["class"]
        for each, held in self._classes:
            if vars(each) != held:
                changed += _put_back(each, held)
        if now != self._held:
            changed += [name for name in _changed(self._held, now)
                        if not isinstance(getattr(kind, name, None), functools.cached_property)]
            changed += [name for name in now if name not in self._held and callable(getattr(kind, name, None))]
        if not changed and self._options is not None and self._game.options != self._options:
            changed = ["options"]
        if changed:
            raise Tampered(f"changed the game that its views show: its {quoted(changed[0])}")


def _changed(held: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """Return the names whose values have changed; a private one may be new, or replace None."""
    def changed(name: str) -> bool:
        if name not in now:
            return True
        if name.startswith("_") and not name.startswith("__") and held.get(name) is None:
            return False
        return name not in held or now[name] is not held[name]

    return [name for name in {*held, *now} if changed(name)]


def _put_back(kind: type, held: Mapping[str, object]) -> list[str]:
    """Restore the attributes of a class; return the names of those that had changed."""
    changed = _changed(held, vars(kind))
    for name in changed:
        if name in held:
            setattr(kind, name, held[name])
        else:
            delattr(kind, name)
    return changed


class Surroundings:
    """What the agents share besides the game: the streams of their process and settings of the interpreter.

    Parameters
    ----------
    *lifelines : int
        File descriptors through which the process communicates with the tournament.
    """

    def __init__(self, *lifelines: int) -> None:
        self._lifelines = {number: _file(number) for number in lifelines}
        self._depth = sys.getrecursionlimit()
        self._process = os.getpid()

    def restore(self) -> None:
        """Restore what an agent has changed. Without its descriptors the process can only end."""
        sys.setrecursionlimit(self._depth)              # first: what follows needs it
        if os.getpid() != self._process:                # a fork, which would otherwise play on beside this process
            os._exit(0)
        if (any(_file(number) != file for number, file in self._lifelines.items())
                or any(_file(number) is None for number in range(3))):
            os._exit(CUT_OFF)
        for name, number in (("stdout", 1), ("stderr", 2)):
            stream = getattr(sys, f"__{name}__")
            if stream is None or stream.closed:
                stream = os.fdopen(number, "w", buffering=1, errors="backslashreplace", closefd=False)
                setattr(sys, f"__{name}__", stream)
            setattr(sys, name, stream)
        sys.settrace(None)
        sys.setprofile(None)
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)


def _file(number: int) -> tuple[int, int] | None:
    """Return what identifies an open file; None: the descriptor is closed."""
    try:
        found = os.fstat(number)
    except OSError:
        return None
    return found.st_dev, found.st_ino
