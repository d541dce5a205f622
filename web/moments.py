"""A table at one moment, as one viewer knows it, and what an agent thinks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfida.cython_ext.state import GameState
from sfida.web.chronicle import Told


@dataclass(frozen=True)
class Thought:
    """How far the search of an agent has come.

    Attributes
    ----------
    seat : int
    seconds : float
    iterations : int
    share : float or None
        Share of the win that it expects; None where that would tell a secret, or nothing is known yet.
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
    told : list of Told
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
    told: list[Told]
    forced: frozenset[int]
    shares: tuple[float, ...] | None
    thought: Thought | None
    can_undo: bool
    can_redo: bool
    resigned: int | None
    luck: list[str]
    trouble: str
    uncounted: bool
