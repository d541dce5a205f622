"""Narration for people: effects and cues of an event, aids at the board, a seat's standing, lessons of a first game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sfida.cython_ext.state import GameState
from sfida.engines.language import _
from sfida.engines.untrusted import JsonData

# ---- The report of an event in words: the action and its effects


@dataclass(frozen=True)
class Effect:
    """One effect of an event.

    Attributes
    ----------
    text : str
        A sentence without a full stop, such as "red scores 8 for the city at (0,-1), 4 tiles; its knight comes home".
    points : tuple of (int, float)
        Seats whose displayed score changed, and the changes, as the text says.
    """

    text: str
    points: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Narration:
    """The report of one event for one viewer.

    Attributes
    ----------
    words : str
        The action as the viewer saw it, without the actor; "" if the viewer saw nothing of it.
    effects : tuple of Effect
        The effects in the order in which they happened. Together they contain every change of the displayed scores.
    quiet : bool
        A step of the setup, such as a card dealt, that board and status show anyway: a log contains it, a table may
        omit it.
    """

    words: str
    effects: tuple[Effect, ...] = ()
    quiet: bool = False

    def gains(self, players: int) -> tuple[float, ...]:
        """Return the points that each seat gained or lost according to the effects."""
        total = [0.0] * players
        for effect in self.effects:
            for seat, points in effect.points:
                total[seat] += points
        return tuple(total)


@dataclass(frozen=True)
class LuckCount:
    """What an outcome of a chance event adds to a chart of the luck: which chart, which bar, and how much."""

    chart: str
    what: str
    amount: float = 1.0


def score_changes(names: Sequence[str], before: Iterable[float], after: Iterable[float]) -> tuple[Effect, ...]:
    """Return one effect for each seat whose score has changed, for games without more detailed effects."""
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
        The true states before and after the event.
    code : int
        Code of the event.
    seat : int

    Notes
    -----
    The game answers first. If it has no answer (`PythonPosition.saw_event`), the alternatives are tried: the seat knows
    the event if no other possible event would have given the same label.
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


# ---- What a page shows of an event before it draws the new board


@dataclass(frozen=True)
class Cue(JsonData):
    """One thing that a page briefly shows of an event, such as a tile that is laid or dice that are rolled.

    It contains only what its viewer knows.

    Attributes
    ----------
    kind : str
        "lay": a piece comes to a place and stays. "change": something at a place changes or leaves. "dice": dice are
        rolled. "card": a card is moved. "clash": the armies of two places fight.
    places : tuple of str
        Where it begins and where it ends, or the one place where it happens. A place is a key of the drawing
        (`Part.key`), "seat:2" for the belongings of a seat, or "" for the middle of the board.
    picture : str
        An SVG document of the piece or card; "" for a card that lies face down, or for no picture.
    words : tuple of str
        Signs that appear at the last place, such as "+3"; in a clash, one for each place.
    faces : tuple of tuple of int
        The dice of each side.
    size : float
        Width of the picture on the board, in the units of the drawing; 0: as wide as the place.
    """

    kind: str
    places: tuple[str, ...]
    picture: str = ""
    words: tuple[str, ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    size: float = 0.0


def seat_place(seat: int) -> str:
    """Return the place of a seat's belongings in a cue."""
    return f"seat:{seat}"


# ---- Aids: what there is to know about a place of the board


@dataclass(frozen=True)
class Aid:
    """A fact about one place of the board.

    Attributes
    ----------
    kind : str
        One of the game's `aid_kinds`.
    place : str
        Key of the place, as in ``data-place`` of the drawing.
    title : str
        What the place is called; the same in all aids at the place.
    words : str
        The fact, without a full stop.
    marks : tuple of str
        Keys of the places that the fact is about, besides `place` itself.
    """

    kind: str
    place: str
    title: str
    words: str
    marks: tuple[str, ...] = ()


# ---- The standing of a seat, in the terms in which players of a game count, and its changes

_LEAST = 0.05           # smallest reported difference; numbers have at most one decimal


@dataclass(frozen=True)
class Term:
    """One quantity of a seat's standing, such as points, income or cards in hand.

    Attributes
    ----------
    name : str
        Name with its unit, as it follows a number other than 1: "points", "cards a round".
    value : float
        The amount; in the result of `changes`, the change of the amount.
    one : str
        Name as it follows the number 1; "" for the same as `name`.
    good : bool
        Whether a larger amount is better for the seat.
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
    """Return the terms that have changed, with their changes; a term that is missing on one side counts as 0 there."""
    old = {term.name: term for term in before}
    new = {term.name: term for term in after}
    found = []
    for name in [*old, *(name for name in new if name not in old)]:
        term = new.get(name) or old[name]
        change = (new[name].value if name in new else 0.0) - (old[name].value if name in old else 0.0)
        if abs(change) >= _LEAST:
            found.append(replace(term, value=change))
    return tuple(found)


# ---- A walk-through for a person's first game: an introduction, and a lesson for each kind of decision


@dataclass(frozen=True)
class Lesson:
    """The explanation for a new player when a kind of decision comes for the first time.

    Attributes
    ----------
    key : str
        The kind of decision; each is explained once.
    title : str
        Title, such as "Deploying a follower".
    text : str
        The decision, its gains, what to look at, and the notation: plain sentences in paragraphs, separated by blank
        lines; the caller breaks the lines.
    rule : str
        The clause with the complete rule, such as "CAR-5"; "" for none.
    """

    key: str
    title: str
    text: str
    rule: str = ""
