"""A game under way with everything that is needed to take moves back and to write it down. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.chance import SeededChance
from sfida.ai.registry import agent as make_agent
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.records import GameRecord

CHANCE = -1
PERSON = "human"


@dataclass(frozen=True)
class Step:
    """One event of a game: who, what, in notation and in words."""

    ply: int
    seat: int
    move: int
    text: str
    words: str
    by_person: bool
    expects: str = ""

    @property
    def chance(self) -> bool:
        """True for luck."""
        return self.seat == CHANCE


class Match:
    """State, history, luck and agents of one game at one table.

    Parameters
    ----------
    game : Game
    seats : sequence of str
        Agent specs in seat order; "human" for a person.
    seed : int
        Of the luck and of the agents.
    person_draws : bool
        The outcomes of chance events are typed in.
    """

    def __init__(self, game: Game, seats: Sequence[str], seed: int, person_draws: bool = False) -> None:
        self.game = game
        self.seats = tuple(seats)
        self.seed = seed
        self.person_draws = person_draws
        self.steps: list[Step] = []
        self.state: GameState = game.initial_state()
        self.luck = SeededChance(seed)
        self.agents: dict[int, Any] = {}
        for seat, spec in enumerate(self.seats):
            if not self.is_person(seat):
                self.agents[seat] = make_agent(spec, seed=seed)

    def is_person(self, seat: int) -> bool:
        """Say whether a person decides for `seat` (CHANCE: types in what was drawn)."""
        return self.person_draws if seat == CHANCE else self.seats[seat] == PERSON

    @property
    def has_person(self) -> bool:
        """Say whether anybody sits at this table."""
        return PERSON in self.seats

    def play(self, move: int, expects: str = "") -> Step:
        """Apply a legal move or chance outcome and return the step."""
        seat = self.state.to_move
        step = Step(len(self.steps), seat, move, self.state.format(move),
                    self.game.describe_move(self.state, move), self.is_person(seat), expects)
        self.state.apply(move)
        self.steps.append(step)
        return step

    def draw(self) -> int:
        """Return the outcome of the coming chance event."""
        return int(self.luck.draw(self.state))

    def can_undo(self) -> bool:
        """Say whether a person has decided anything yet."""
        return any(step.by_person for step in self.steps)

    def undo(self) -> list[Step]:
        """Go back to the person's previous decision; the luck after it will be the same again.

        Returns
        -------
        list of Step
            What was taken back, in the order of play.
        """
        last = max(index for index, step in enumerate(self.steps) if step.by_person)
        kept, gone = self.steps[:last], self.steps[last:]
        self.rewind(kept)
        return gone

    def rewind(self, kept: Sequence[Step]) -> None:
        """Set up the game again and play `kept`."""
        self.state = self.game.initial_state()
        self.luck = SeededChance(self.seed)
        self.steps = []
        for step in kept:
            if step.chance and not self.person_draws:
                self.draw()             # moves the source on as the game did
            self.state.apply(step.move)
            self.steps.append(step)
