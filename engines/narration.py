"""What games tell people: effects of an event, terms in which a seat stands, and lessons for a first game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sfida.cython_ext.state import GameState
from sfida.engines.language import _

# ---- What is reported of an event, in words: who did what, and what came of it


@dataclass(frozen=True)
class Effect:
    """One thing that came of an event.

    Attributes
    ----------
    text : str
        A sentence without a full stop, such as "red scores 8 for the city at (0,-1), 4 tiles; its knight comes home".
    points : tuple of (int, float)
        Seats whose score on show it changed, and by how much, as the text says.
    """

    text: str
    points: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Narration:
    """What one viewer is told of one event.

    Attributes
    ----------
    words : str
        What was done, as the viewer saw it, without who did it; "" when the viewer saw nothing of it.
    effects : tuple of Effect
        What came of it, in the order in which it came about. Together they hold every change of the scores on show.
    quiet : bool
        A step of the setup, such as a card dealt, that board and status show soon enough: a log has it, a table need
        not tell it.
    """

    words: str
    effects: tuple[Effect, ...] = ()
    quiet: bool = False

    def gains(self, players: int) -> tuple[float, ...]:
        """Return what the effects say that each seat scored or lost."""
        total = [0.0] * players
        for effect in self.effects:
            for seat, points in effect.points:
                total[seat] += points
        return tuple(total)


def score_changes(names: Sequence[str], before: Iterable[float], after: Iterable[float]) -> tuple[Effect, ...]:
    """Return one effect for each seat whose score has changed; for games that say no more of it."""
    found = []
    for seat, (old, new) in enumerate(zip(before, after, strict=True)):
        change = new - old
        if change:
            said = _("{seat} scores {points:g}") if change > 0 else _("{seat} loses {points:g}")
            found.append(Effect(said.format(seat=names[seat], points=abs(change)), ((seat, change),)))
    return tuple(found)


def knows_event(before: GameState, after: GameState, code: int, seat: int) -> bool:
    """Return whether a seat saw all of an event.

    Parameters
    ----------
    before, after : GameState
        The true states before and after it.
    code : int
        Code of the event.
    seat : int

    Notes
    -----
    The game is asked. If it does not answer (`PythonPosition.saw_event`), the alternatives are tried: the seat knows
    the event if no other possible event would have given it the same label.
    """
    saw = after.saw_event(seat)
    if saw is not None:
        return saw
    label = after.label(seat)
    if label == 0:
        return False
    for other in before.legal_moves():
        if other != code:
            sibling = before.clone()
            sibling.apply(other)
            if sibling.label(seat) == label:
                return False
    return True


# ---- How a seat stands, in the terms in which players of a game count, and what has changed in it

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


# ---- A walk-through for a person's first game: a word before it, and a lesson for each kind of decision


@dataclass(frozen=True)
class Lesson:
    """What a new player is told when a kind of decision comes for the first time.

    Attributes
    ----------
    key : str
        The kind of decision; each is explained once.
    title : str
        Such as "Deploying a follower".
    text : str
        What is decided, what it brings, what to look at, and how it is typed: plain sentences in paragraphs that are
        parted by blank lines; whoever shows it breaks the lines.
    rule : str
        The clause that has it all, such as "CAR-5"; "" for none.
    """

    key: str
    title: str
    text: str
    rule: str = ""
