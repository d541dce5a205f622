"""Ends workers together with the tournament that they work for, even if it is killed."""

from __future__ import annotations

import contextlib
import os
import threading
import time

_LOOK = 1.0                         # seconds between two checks whether the tournament is still running


def end_with(home: int) -> None:
    """End this process as soon as its parent is no longer `home` (only on POSIX, where a parent's death can be seen).

    Parameters
    ----------
    home : int
        Process id of the tournament.
    """
    if os.name == "posix":
        with contextlib.suppress(RuntimeError):         # no more threads can be started
            threading.Thread(target=_watch, args=(home,), daemon=True).start()


def _watch(home: int) -> None:
    while os.getppid() == home:
        time.sleep(_LOOK)
    os._exit(1)                     # its playing process sees the end of the pipe and ends, too
