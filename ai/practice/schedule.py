"""When a position comes back: the boxes of Leitner.

S. Leitner, "So lernt man lernen" (1972): cards wait in a row of boxes. A right answer moves a card one box on, a wrong
one back into the first; each box waits longer than the one before. What is right in the last box is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum

WAITS = (0, 1, 2, 4, 8)         # days that a card waits in each box before it is asked
SOLVED = len(WAITS)             # the place of cards that have left the last box


def today() -> date:
    """Return the day by the clock of the machine; everything that asks for it asks here."""
    return date.today()


class Outcome(Enum):
    """How a position was answered."""

    RIGHT = "right"
    HELPED = "helped"           # right, but with advice
    WRONG = "wrong"


@dataclass(frozen=True)
class Place:
    """Where a card is.

    Attributes
    ----------
    box : int
        From 0; `SOLVED` after the last one.
    due : date
        From when on it is asked.
    """

    box: int
    due: date

    @property
    def solved(self) -> bool:
        """Whether it has left the last box."""
        return self.box == SOLVED

    def is_due(self, today: date) -> bool:
        """Return whether it is to be asked."""
        return not self.solved and self.due <= today

    def after(self, outcome: Outcome, today: date) -> Place:
        """Return where the card goes after an answer: with advice it stays in its box."""
        box = {Outcome.RIGHT: self.box + 1, Outcome.HELPED: self.box, Outcome.WRONG: 0}[outcome]
        return replace(self, box=box, due=today + timedelta(days=WAITS[box] if box < SOLVED else 0))
