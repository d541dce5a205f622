"""What is told of an event, in words: who did what, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sfida.cython_ext.state import GameState
from sfida.engines.language import _


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
