"""The story of a game: each event in words, and as each seat saw it. Prints nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfida.ai.observation import knows_event
from sfida.ai.seat import Seat
from sfida.ai.simple import RandomAgent
from sfida.ai.table import MoveEvent, Table
from sfida.cython_ext.state import GameState
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game

CHANCE = -1
PERSON = "human"


@dataclass(frozen=True)
class Step:
    """One event of a game, as it is shown.

    Attributes
    ----------
    event : MoveEvent
    words : str
        The event in words.
    seen : tuple of str
        The notation as each seat saw it, "" for nothing; the last entry is that of a spectator.
    gains : tuple of float
        Points that each seat scored by it; empty if the game hides something.
    """

    event: MoveEvent
    words: str
    seen: tuple[str, ...]
    gains: tuple[float, ...]

    @property
    def ply(self) -> int:
        """Index of the event in the record."""
        return self.event.ply

    @property
    def seat(self) -> int:
        """The seat that moved; -1: chance."""
        return self.event.seat

    @property
    def text(self) -> str:
        """The event in notation."""
        return self.event.move

    @property
    def analysis(self) -> Any:
        """The analysis of the agent that chose the move, or None."""
        return self.event.analysis

    def to_json(self) -> dict[str, Any]:
        """Return the step as an event of ``sfida play --json``."""
        return {key: value for key, value in self.event.to_json().items() if key != "schema"}


class Story:
    """The steps of a game at a table, kept by watching it.

    Attributes
    ----------
    steps : list of Step
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def watch(self, before: GameState, event: MoveEvent) -> None:
        """Add an event; to be called as a watcher of a `Table`."""
        self.steps.append(step_of(before, event))

    def forget(self, ply: int) -> None:
        """Remove the events from a ply on, which were taken back."""
        del self.steps[ply:]


def step_of(before: GameState, event: MoveEvent) -> Step:
    """Return the step of an event.

    Parameters
    ----------
    before : GameState
        The position before it.
    event : MoveEvent
        The event, with the state after it.
    """
    after, game = event.state, before.game
    assert after is not None
    seen = _seen(before, after, event)
    gains = tuple(now - points for now, points in zip(after.scores(), before.scores(), strict=True))
    if before.hidden:
        gains = ()              # points held in hand may be as secret as the hand
    return Step(event, game.describe_move(before, event.code), seen, gains)


def _seen(before: GameState, after: GameState, event: MoveEvent) -> tuple[str, ...]:
    """Return a move as each seat saw it, and last as a spectator did."""
    viewers = (*range(before.players), None)
    if not before.hidden:
        return (event.move,) * len(viewers)
    told = [before.game.seen_move(before, event.code, viewer) for viewer in viewers]
    # If the game describes an event in its own words for a viewer, that is all the viewer may know.
    known = [seat == event.seat or told[seat] != event.move or knows_event(before, after, event.code, seat)
             for seat in range(before.players)]
    known.append(told[-1] != event.move or all(known))
    return tuple(said if sure else "" for said, sure in zip(told, known, strict=True))


def retell(record: GameRecord, until: int) -> list[Step]:
    """Return the first `until` steps of a valid record."""
    story, game = Story(), make_game(record.game)
    table = Table(game, [Seat(RandomAgent())] * game.players, 0, typed_luck=True)
    table.watchers.append(story.watch)
    for text in record.moves[:until]:
        table.play(table.state.parse(text))
    return story.steps
