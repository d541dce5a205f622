"""A clock for a whole game, and how much of it a decision gets."""

from __future__ import annotations

import math
import re

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted

_FORM = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")
_LONGEST = 40                           # characters: seconds of a float, not infinity
_MOST = 0.25                            # of what is left, for one decision
_KEEP = 0.02                            # of the clock, held back for delays outside the search
LEAST = 0.002                           # seconds a decision gets even when the clock has run out


def read_clock(text: str) -> tuple[float, float]:
    """Return the seconds of a game and the seconds added by each decision of a clock such as ``300+5``.

    Raises
    ------
    InvalidOption
        If the text is no clock.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None or len(text) > _LONGEST or float(match[1]) == 0.0:
        raise InvalidOption(f"a clock is the seconds of a whole game, and after a plus what each decision adds, such "
                            f"as 300+5, not {quoted(text)}")
    return float(match[1]), float(match[2] or 0.0)


class Clock:
    """What one seat has left of its time.

    Parameters
    ----------
    seconds : float
        At the start of the game.
    increment : float
        Added after every decision.

    Attributes
    ----------
    left : float
        Seconds; below 0 when the clock has run out.
    """

    def __init__(self, seconds: float, increment: float = 0.0) -> None:
        self._start = seconds
        self._increment = increment
        self.left = seconds

    def allot(self, decisions: float, weight: float = 1.0) -> float:
        """Return the seconds for the coming decision.

        Parameters
        ----------
        decisions : float
            Own decisions expected until the end, this one included.
        weight : float
            How much more than an average one this decision deserves.
        """
        free = max(0.0, self.left - _KEEP * self._start)
        share = weight * (free / max(1.0, decisions) + self._increment)
        return max(LEAST, min(share, max(_MOST * free, free / max(1.0, decisions))))

    def spare(self, spent: float) -> float:
        """Return how long a decision that has taken `spent` seconds may go on."""
        return max(0.0, _MOST * (self.left - spent - _KEEP * self._start))

    def spend(self, seconds: float) -> None:
        """Take the time of a decision off, and add the increment."""
        if math.isfinite(seconds):
            self.left += self._increment - seconds
