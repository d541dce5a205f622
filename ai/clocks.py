"""The clocks of people: time for the whole game, and seconds for each turn. At zero the computer plays on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from sfida.ai.seat import Clock, read_clock
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.measure import awake

STAND_IN = "level:5"                    # who plays for a person whose time is up


class PeopleClocks:
    """One clock for each person; at most one of them runs.

    A clock runs while its person is asked for a decision. It gets the seconds of a turn when another player comes to
    move after it has run. Nothing gives time back, no undoing either.

    Parameters
    ----------
    form : str
        Seconds for the game and those of each turn, such as "600+10".
    seats : iterable of int
        The seats of people.
    now : callable, optional
        Returns the time in seconds; by default time stands still while the process sleeps.

    Attributes
    ----------
    form : str
    running : int or None
        The seat whose clock runs.
    now : callable
    """

    def __init__(self, form: str, seats: Iterable[int], now: Callable[[], float] | None = None) -> None:
        start, increment = read_clock(form)
        self.form: str = f"{start:g}+{increment:g}"
        self.running: int | None = None
        self.now: Callable[[], float] = now or awake
        self._since = 0.0
        self._moved: int | None = None      # the seat that gets the seconds of its turn when another comes to move
        self._clocks = {seat: Clock(start, increment) for seat in seats}

    def run(self, asked: int | None, to_move: int | None) -> None:
        """Let the clock of the person run who is asked, or none.

        Parameters
        ----------
        asked : int or None
        to_move : int or None
            The seat to move; -1 for chance, None after the end.
        """
        self._charge()
        if self._moved is not None and to_move is not None and to_move >= 0 and to_move != self._moved:
            if not self.is_out(self._moved):
                self._clocks[self._moved].spend(0.0)
            self._moved = None
        self.running = asked if asked in self._clocks else None
        if self.running is not None:
            self._moved = self.running

    def forgo(self) -> None:
        """Let no clock get the seconds of a turn for what has happened so far: it was taken back."""
        self._charge()
        self._moved = None

    def left(self, seat: int) -> float | None:
        """Return the seconds that a seat has left; None if it has no clock."""
        clock = self._clocks.get(seat)
        if clock is None:
            return None
        return max(0.0, clock.left - (self.now() - self._since if seat == self.running else 0.0))

    def is_out(self, seat: int) -> bool:
        """Whether the time of a seat is up."""
        return self.left(seat) == 0.0

    def _charge(self) -> None:
        now = self.now()
        if self.running is not None:
            self._clocks[self.running].left -= now - self._since
        self._since = now

    # ---- in records ---------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the clocks as they stand, for the record of a game."""
        return {"form": self.form, "left": {str(seat): round(self.left(seat) or 0.0, 1) for seat in self._clocks}}

    @classmethod
    def from_json(cls, data: Any, now: Callable[[], float] | None = None) -> PeopleClocks:
        """Return the clocks of a record, none of which runs; raises InvalidOption if they are not clocks."""
        try:
            left = {int(seat): float(seconds) for seat, seconds in data["left"].items()}
            clocks = cls(str(data["form"]), left, now)
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
            raise InvalidOption("the clocks of people are a form such as 600+10 and the seconds that each seat has "
                                "left") from None
        for seat, seconds in left.items():
            if not math.isfinite(seconds):
                raise InvalidOption("the seconds that a clock has left are a number")
            clocks._clocks[seat].left = seconds
        return clocks
