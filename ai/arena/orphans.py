"""Workers end with the tournament they work for, even when it is killed."""

from __future__ import annotations

import os
import threading
import time

_LOOK = 1.0                         # seconds between two looks whether the tournament is still there


def end_with(home: int) -> None:
    """End this process as soon as its parent is no longer `home`; where a parent's death shows (POSIX).

    Parameters
    ----------
    home : int
        Process of the tournament.
    """
    if os.name == "posix":
        threading.Thread(target=_watch, args=(home,), daemon=True).start()


def _watch(home: int) -> None:
    while os.getppid() == home:
        time.sleep(_LOOK)
    os._exit(1)                     # its playing process sees the pipe end, and ends too
