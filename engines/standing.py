"""How a seat stands, in the terms in which players of a game count, and what has changed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

_LEAST = 0.05           # difference below which nothing is told; numbers have one decimal at most


@dataclass(frozen=True)
class Term:
    """One thing by which a seat's standing is counted, such as points, income or cards in hand.

    Attributes
    ----------
    name : str
        With its unit, as it follows a number other than 1: "points", "cards a round".
    value : float
        How many; or, in what `changes` returns, how many more.
    one : str
        As it follows the number 1; "" for the same as `name`.
    good : bool
        Whether more of it is better for the seat.
    """

    name: str
    value: float
    one: str = ""
    good: bool = True

    @property
    def better(self) -> bool:
        """Whether a change of this kind is for the better."""
        return (self.value > 0) == self.good

    @property
    def text(self) -> str:
        """The change in words, such as "+3 points"."""
        value = round(self.value, 1)
        return f"{value:+g} {self.one if abs(value) == 1 and self.one else self.name}"


def changes(before: Sequence[Term], after: Sequence[Term]) -> tuple[Term, ...]:
    """Return the terms that have changed, with how much was added to them; terms on one side alone count from 0."""
    old = {term.name: term for term in before}
    new = {term.name: term for term in after}
    found = []
    for name in [*old, *(name for name in new if name not in old)]:
        term = new.get(name) or old[name]
        change = (new[name].value if name in new else 0.0) - (old[name].value if name in old else 0.0)
        if abs(change) >= _LEAST:
            found.append(replace(term, value=change))
    return tuple(found)
