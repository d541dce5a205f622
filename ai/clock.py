"""A clock for a whole game, the share of it that a decision gets, and how long an agent is waited for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from sfida.cython_ext.errors import InvalidOption
from sfida.engines.spec import quoted

_FORM = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")
LIMIT = 60.0                            # seconds that a decision may take, unless agents need more
MOST_SECONDS = 1e9                      # the largest limit, and the largest time that is stored
_AMPLE = 5.0                            # limit, as a multiple of the longest decision
_CHARACTERS = 40                        # most of a clock
_MOST_CLOCK = 1e8                       # seconds of a clock, so that its agent can be waited for
_MOST = 0.25                            # largest share of the time left for one decision
_KEEP = 0.02                            # share of the clock held back for delays outside the search
LEAST = 0.002                           # seconds that a decision gets even if the clock has run out


def read_clock(text: str) -> tuple[float, float]:
    """Read a clock such as ``300+5``: return the seconds for a game and the seconds added by each decision.

    Raises
    ------
    InvalidOption
        If the text is not a clock.
    """
    match = _FORM.fullmatch(text.strip())
    if match is None or len(text) > _CHARACTERS or float(match[1]) == 0.0:
        raise InvalidOption(f"a clock is the seconds of a whole game, then a plus and the seconds that each decision "
                            f"adds, such as 300+5, not {quoted(text)}")
    start, increment = float(match[1]), float(match[2] or 0.0)
    if start + increment > _MOST_CLOCK:
        raise InvalidOption(f"a clock has at most {_MOST_CLOCK:.0f} seconds, not {quoted(text)}")
    return start, increment


def usual_limit(longest: Iterable[float | None]) -> float:
    """Return the seconds after which a decision counts as hung, unless the user says otherwise.

    Parameters
    ----------
    longest : iterable of float or None
        How long decisions of the agents may take (`Seat.longest`).
    """
    return max([LIMIT, *(_AMPLE * each for each in longest if each is not None)])


class Clock:
    """The remaining time of one seat.

    Parameters
    ----------
    seconds : float
        Time at the start of the game.
    increment : float
        Seconds added after every decision.

    Attributes
    ----------
    left : float
        Remaining seconds; below 0 if the clock has run out.
    """

    def __init__(self, seconds: float, increment: float = 0.0) -> None:
        self._start = seconds
        self._increment = increment
        self.left: float = seconds

    @property
    def longest(self) -> float:
        """Most seconds that any one decision gets, however much time has been saved up."""
        return self._start + self._increment

    def allot(self, decisions: float, weight: float = 1.0) -> float:
        """Return the seconds for the coming decision.

        Parameters
        ----------
        decisions : float
            Expected number of own decisions until the end, including this one.
        weight : float
            Time that this decision deserves, relative to an average one.
        """
        free = max(0.0, self.left - _KEEP * self._start)
        share = weight * (free / max(1.0, decisions) + self._increment)
        return max(LEAST, min(share, max(_MOST * free, free / max(1.0, decisions)), self.longest))

    def spare(self, spent: float) -> float:
        """Return how many more seconds a decision that has taken `spent` seconds may take."""
        return max(0.0, min(_MOST * (self.left - spent - _KEEP * self._start), self.longest - spent))

    def spend(self, seconds: float) -> None:
        """Subtract the time of a decision and add the increment."""
        if math.isfinite(seconds):
            self.left += self._increment - seconds
