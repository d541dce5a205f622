"""The events of a table as each viewer knows them, and the table at one moment."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.session import Step
from sfida.cython_ext.state import GameState
from sfida.engines.language import N_, _, language, names_codes
from sfida.engines.narration import Cue
from sfida.engines.untrusted import JsonData

# ---- The events of a table as each viewer knows them; nothing else of the past leaves a session

_HIDDEN = N_("something hidden")


@dataclass(frozen=True)
class SeenEvent(JsonData):
    """The part of an event that a viewer may know.

    Attributes
    ----------
    ply, seat : int
        Index in the record; seat that moved, -1 for chance.
    text, words : str
        The event in notation, "" if the viewer saw nothing of it; the event in words.
    effects : tuple of str
        Consequences in words.
    parts : tuple of str
        Keys of the places on the board that it touched.
    quiet : bool
        Whether it is a step of the setup that only the log shows.
    turn : int
        Public number of the turn; -1 if the game does not count turns.
    cues : tuple of Cue
        What the page shows of it in motion.
    points : tuple of float
        Change of each seat's displayed score; empty for no change.
    """

    ply: int
    seat: int
    text: str
    words: str
    effects: tuple[str, ...]
    parts: tuple[str, ...]
    quiet: bool
    turn: int
    cues: tuple[Cue, ...] = ()
    points: tuple[float, ...] = ()


def told_of(step: Step, viewer: int | None) -> SeenEvent:
    """Return a step as a viewer (None: a spectator) may know it."""
    game, code = step.before.game, step.event.code
    narration = game.narrate(step.before, code, step.after, viewer)
    text = step.seen[-1 if viewer is None else viewer] if narration.words else ""
    parts = game.event_parts(step.before, code, viewer) if narration.words else ()
    shows = narration.words and not narration.quiet
    cues = game.cues(step.before, code, step.after, viewer) if shows else ()
    points = narration.gains(game.players)
    return SeenEvent(step.ply, step.seat, text, narration.words or _(_HIDDEN),
                     tuple(effect.text for effect in narration.effects), tuple(parts), narration.quiet,
                     int(step.before.turn_number), cues, points if any(points) else ())


class EventLog:
    """The events in words; each event is described once per viewer and language."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: dict[tuple[int | None, str, bool], list[tuple[Step, SeenEvent]]] = {}

    def told(self, steps: Sequence[Step], viewer: int | None) -> list[SeenEvent]:
        """Return the steps of the game as a viewer may know them."""
        with self._lock:
            known = self._told.setdefault((viewer, language(), names_codes()), [])
            pairs = enumerate(zip(known, steps, strict=False))
            same = next((ply for ply, ((step, _told), now) in pairs if step is not now), min(len(known), len(steps)))
            del known[same:]
            known += [(step, told_of(step, viewer)) for step in steps[same:]]
            return [told for _step, told in known]


# ---- A table at one moment as one viewer knows it, and the progress of a search


@dataclass(frozen=True)
class Thought:
    """The progress of an agent's search.

    Attributes
    ----------
    seat : int
    seconds : float
    iterations : int
    share : float or None
        Expected win share; None if it would reveal a secret or is not known yet.
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
        The position; everything that the viewer cannot know is overwritten.
    to_move : int or None
        -1: luck; None: the game is over.
    asked : GameState or None
        The position of the viewer's current decision; the whole position if people type in the luck.
    told : list of SeenEvent
        The events as the viewer knows them.
    forced : frozenset of int
        Plies of forced moves.
    shares : tuple of float or None
        Expected win shares of the last search; None if the game hides something.
    thought : Thought or None
    can_undo, can_redo : bool
    resigned : int or None
    luck : list of str
    trouble : str
    uncounted : bool
        Whether the game no longer counts for the person's level.
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
