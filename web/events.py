"""What was played at a table, as each viewer was told it, and a table at one moment."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.session import Step
from sfida.cython_ext.state import GameState
from sfida.engines.language import N_, _, language
from sfida.engines.untrusted import JsonData

# ---- What was played at a table, as each viewer was told it; nothing else of the past leaves a room

_HIDDEN = N_("something hidden")


@dataclass(frozen=True)
class SeenEvent(JsonData):
    """An event, as far as a viewer may know it.

    Attributes
    ----------
    ply, seat : int
        Index in the record; who moved, -1: luck.
    text, words : str
        In notation, "" if the viewer saw nothing of it; in words.
    effects : tuple of str
        What came of it.
    parts : tuple of str
        Keys of the places that it touched.
    quiet : bool
        A step of the setup that only a log has.
    turn : int
        Public number of the turn, -1 where the game counts none.
    """

    ply: int
    seat: int
    text: str
    words: str
    effects: tuple[str, ...]
    parts: tuple[str, ...]
    quiet: bool
    turn: int


def told_of(step: Step, viewer: int | None) -> SeenEvent:
    """Return what a viewer (None: a spectator) is told of a step."""
    game, code = step.before.game, step.event.code
    narration = game.narrate(step.before, code, step.after, viewer)
    text = step.seen[-1 if viewer is None else viewer] if narration.words else ""
    parts = game.event_parts(step.before, code, viewer) if narration.words else ()
    return SeenEvent(step.ply, step.seat, text, narration.words or _(_HIDDEN),
                     tuple(effect.text for effect in narration.effects), tuple(parts), narration.quiet,
                     int(step.before.turn_number))


class EventLog:
    """Tells viewers what was played; each event is put in words once for each of them and each language."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: dict[tuple[int | None, str], list[tuple[Step, SeenEvent]]] = {}

    def told(self, steps: Sequence[Step], viewer: int | None) -> list[SeenEvent]:
        """Return what a viewer is told of the steps of the game."""
        with self._lock:
            known = self._told.setdefault((viewer, language()), [])
            pairs = enumerate(zip(known, steps, strict=False))
            same = next((ply for ply, ((step, _told), now) in pairs if step is not now), min(len(known), len(steps)))
            del known[same:]
            known += [(step, told_of(step, viewer)) for step in steps[same:]]
            return [told for _step, told in known]


# ---- A table at one moment, as one viewer knows it, and what an agent thinks


@dataclass(frozen=True)
class Thought:
    """How far the search of an agent has come.

    Attributes
    ----------
    seat : int
    seconds : float
    iterations : int
    share : float or None
        Win share that it expects; None where that would tell a secret, or nothing is known yet.
    """

    seat: int
    seconds: float = 0.0
    iterations: int = 0
    share: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the thought as JSON-able data."""
        told = {"seat": self.seat, "seconds": round(self.seconds, 1), "iterations": self.iterations}
        return told if self.share is None else {**told, "share": self.share}


@dataclass(frozen=True)
class Moment:
    """A table at one moment, as one viewer knows it.

    Attributes
    ----------
    version : int
    viewer : int or None
        A seat; None: a spectator.
    seen : GameState
        The position, without what the viewer cannot know.
    to_move : int or None
        -1: luck; None: the game is over.
    asked : GameState or None
        The position of the decision that the viewer is to take now; the whole one where luck is typed in.
    told : list of SeenEvent
        What was played, as the viewer was told it.
    forced : frozenset of int
        Plies that were played because there was no choice.
    shares : tuple of float or None
        What the last search expects for each seat, where nothing is hidden.
    thought : Thought or None
    can_undo, can_redo : bool
    resigned : int or None
    luck : list of str
    trouble : str
    uncounted : bool
        The game would count for the level of a person if it had not lost that.
    """

    version: int
    viewer: int | None
    seen: GameState
    to_move: int | None
    asked: GameState | None
    told: list[SeenEvent]
    forced: frozenset[int]
    shares: tuple[float, ...] | None
    thought: Thought | None
    can_undo: bool
    can_redo: bool
    resigned: int | None
    luck: list[str]
    trouble: str
    uncounted: bool
