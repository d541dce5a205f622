"""What was played at a table, as each viewer was told it; nothing else of the past leaves a room."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.story import Step
from sfida.engines.language import N_, _, language

_HIDDEN = N_("something hidden")


@dataclass(frozen=True)
class Told:
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

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON-able data."""
        return dict(vars(self))


def told_of(step: Step, viewer: int | None) -> Told:
    """Return what a viewer (None: a spectator) is told of a step."""
    game, code = step.before.game, step.event.code
    narration = game.narrate(step.before, code, step.after, viewer)
    text = step.seen[-1 if viewer is None else viewer] if narration.words else ""
    parts = game.event_parts(step.before, code, viewer) if narration.words else ()
    return Told(step.ply, step.seat, text, narration.words or _(_HIDDEN),
                tuple(effect.text for effect in narration.effects), tuple(parts), narration.quiet,
                int(step.before.turn_number))


class Chronicle:
    """Tells viewers what was played; each event is put in words once for each of them and each language."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: dict[tuple[int | None, str], list[tuple[Step, Told]]] = {}

    def told(self, steps: Sequence[Step], viewer: int | None) -> list[Told]:
        """Return what a viewer is told of the steps of the game."""
        with self._lock:
            known = self._told.setdefault((viewer, language()), [])
            pairs = enumerate(zip(known, steps, strict=False))
            same = next((ply for ply, ((step, _told), now) in pairs if step is not now), min(len(known), len(steps)))
            del known[same:]
            known += [(step, told_of(step, viewer)) for step in steps[same:]]
            return [told for _step, told in known]
