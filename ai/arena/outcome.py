"""The outcome of one game of a tournament."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from sfida.ai.luck.terms import GameLuck
from sfida.engines.records import Forfeit, GameRecord

__all__ = ["KINDS", "Forfeit", "GameOutcome", "forfeited"]

KINDS = ("raised", "illegal", "overtime", "died")       # kinds of forfeits


@dataclass(frozen=True)
class GameOutcome:
    """One finished game; tuples have one entry per seat.

    Attributes
    ----------
    block, rotation : int
        Place in the schedule.
    agents : tuple of int
        Index of the agent on each seat.
    record : GameRecord
        A valid record; it has no result if the game was forfeited.
    utilities : tuple of float
        Shares of the win; the forfeiter has 0 and the others share equally.
    ranks : tuple of int
        From 1; tied seats share a rank; the forfeiter is last and the others are tied.
    scores : tuple of float
        Points when the game ended.
    decisions : tuple of int
        Number of decisions.
    seconds : tuple of float
        Wall-clock time of all decisions; not compared.
    wall : float
        Wall-clock time of the game in seconds; not compared.
    forfeit : Forfeit or None
    move_seconds : tuple of float
        Wall-clock time of every move; empty for a game that comes from a store.
    analyses : tuple
        The agent's analysis of every move, or None; empty unless an observer wants it.
    luck : GameLuck or None
        None if it was not measured.
    """

    block: int
    rotation: int
    agents: tuple[int, ...]
    record: GameRecord
    utilities: tuple[float, ...]
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...] = field(compare=False)
    wall: float = field(compare=False)
    forfeit: Forfeit | None = None
    move_seconds: tuple[float, ...] = field(default=(), compare=False, repr=False)
    analyses: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    luck: GameLuck | None = field(default=None, compare=False, repr=False)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]


def forfeited(players: int, seat: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the (utilities, ranks) of a game that `seat` forfeits."""
    share = 1.0 / (players - 1) if players > 1 else 0.0
    return (tuple(0.0 if each == seat else share for each in range(players)),
            tuple(players if each == seat else 1 for each in range(players)))
