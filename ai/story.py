"""The story of a game: each event in words, and as each seat saw it. Prints nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sfida.ai.agent import RandomAgent
from sfida.ai.seat import Seat
from sfida.ai.table import MoveEvent, Table
from sfida.cython_ext.state import GameState
from sfida.engines.narration import Narration
from sfida.engines.records import GameRecord
from sfida.engines.registry import make_game

PERSON = "human"


@dataclass(frozen=True)
class Step:
    """One event of a game, as it is shown.

    Attributes
    ----------
    event : MoveEvent
    before, after : GameState
        The whole states around it.
    """

    event: MoveEvent
    before: GameState = field(repr=False)
    after: GameState = field(repr=False)

    def told(self, viewers: Iterable[int] = ()) -> Narration:
        """Return what people are told who sit at the seats of `viewers` and read the same screen.

        Of several it is what each of them knows; without any, everything.
        """
        seats = tuple(viewers)
        game, code = self.before.game, self.event.code
        if not seats:
            return game.narrate(self.before, code, self.after, None, everything=True)
        first, *others = (game.narrate(self.before, code, self.after, seat) for seat in seats)
        if all(other == first for other in others):
            return first
        return game.narrate(self.before, code, self.after, None)

    def notation(self, viewers: Iterable[int] = ()) -> str:
        """Return the event in notation, likewise; "" for nothing."""
        seen = {self.seen[viewer] for viewer in viewers} or {self.text}
        return seen.pop() if len(seen) == 1 else self.seen[-1]

    @cached_property
    def seen(self) -> tuple[str, ...]:
        """The notation as each seat saw it, "" for nothing; last, as a spectator did."""
        game, code = self.before.game, self.event.code
        return tuple(game.told_notation(self.before, code, self.after, viewer)
                     for viewer in (*range(self.before.players), None))

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
    assert event.state is not None
    return Step(event, before, event.state.clone())


def retell(record: GameRecord, until: int) -> list[Step]:
    """Return the first `until` steps of a valid record."""
    story, game = Story(), make_game(record.game)
    table = Table(game, [Seat(RandomAgent())] * game.players, 0, typed_luck=True)
    table.watchers.append(story.watch)
    for text in record.moves[:until]:
        table.play(table.state.parse(text))
    return story.steps
