"""The time of an audit, and how its steps share it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTime(Exception):
    """The time of the step under way is over."""


class Timer:
    """The time that is left, for everything and for the step under way.

    Parameters
    ----------
    seconds : float, optional
        From now on; None: without end.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> bool:
        """Whether the step under way has time left."""
        return self._end == math.inf or time.monotonic() <= self._end

    def check(self) -> None:
        """Raise `OutOfTime` if the time of the step under way is over."""
        if not self.left:
            raise OutOfTime

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """Limit a step to a part of the time that is left to the step around it; that one goes on afterwards."""
        whole, now = self._end, time.monotonic()
        self._end = now + part * max(0.0, whole - now)
        try:
            yield
        finally:
            self._end = whole
