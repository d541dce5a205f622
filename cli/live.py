"""A game under way, with what is needed to take moves back and to write it down. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfida.ai.agent import Agent
from sfida.ai.chance import SeededChance
from sfida.ai.seeds import fresh_seed
from sfida.ai.table import decide, seat_agents
from sfida.ai.trust import foreign_code
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import make_game

CHANCE = -1
PERSON = "human"
TYPED = "manual_chance"     # field of our own in records: the luck was typed in


@dataclass(frozen=True)
class Step:
    """One event of a game.

    Attributes
    ----------
    ply : int
        Its index in the record.
    seat : int
        Who moved; -1: luck.
    move, text, words : int, str, str
        Code, notation, and what to tell people.
    seen : tuple of str
        The text as each seat saw it, "" for nothing; last, as a spectator did.
    gains : tuple of float
        Points that each seat scored by it; empty where the game hides something.
    by_person : bool
        Typed in by a person.
    analysis : object or None
        What the agent found out while choosing.
    """

    ply: int
    seat: int
    move: int
    text: str
    words: str
    seen: tuple[str, ...]
    gains: tuple[float, ...]
    by_person: bool = False
    analysis: Any = None

    @property
    def chance(self) -> bool:
        """True for luck."""
        return self.seat == CHANCE

    def to_json(self) -> dict[str, Any]:
        """Return the step as an event of ``sfida play --json``."""
        return {"type": "move", "ply": self.ply, "seat": self.seat, "move": self.text, "chance": self.chance}


class LiveGame:
    """State, history, luck and agents of one game at one table.

    Parameters
    ----------
    game : Game
    seats : sequence of str
        Agent specs in seat order; "human" for a person.
    seed : int
        Of the luck and of the agents.
    typed_luck : bool
        The outcomes of chance events are typed in.
    """

    def __init__(self, game: Game, seats: Sequence[str], seed: int, typed_luck: bool = False) -> None:
        agents = seat_agents(game, seats)
        self.game = game
        self.seed = seed
        self.typed_luck = typed_luck
        self.seats = tuple(agent.spec for agent in agents)
        self.agents: dict[int, Agent] = {i: agent for i, agent in enumerate(agents) if agent.spec != PERSON}
        self.steps: list[Step] = []
        self.state: GameState = game.initial_state()
        self.luck = SeededChance(seed)

    @classmethod
    def resumed(cls, record: GameRecord, seats: Sequence[str] = (), typed_luck: bool = False) -> LiveGame:
        """Return the game of an unfinished record, ready to go on; raises InvalidRecord."""
        record.replay()                 # checks everything, with the line and the move in its messages
        if not (seats or record.trusted) and (found := foreign_code(None, record.seats)):
            raise InvalidRecord(f"{record.where}: a file does not run code that is not Sfida's own: {found[0][0]}")
        if record.result is not None:
            raise InvalidRecord(f"{record.where}: this game is over; 'sfida replay' shows it")
        if not (seats or record.seats):
            raise InvalidRecord(f"{record.where}: the record does not say who sits where; give --seat")
        live = cls(make_game(record.game), seats or record.seats,
                   fresh_seed() if record.seed is None else record.seed,
                   typed_luck or bool(record.extra.get(TYPED)))
        for text in record.moves:
            if live.state.is_chance and not live.typed_luck:
                live.draw()             # moves the source on as the game did
            live.play(live.state.parse(text))
        return live

    def is_person(self, seat: int) -> bool:
        """Say whether a person decides for `seat` (CHANCE: types in what was drawn)."""
        return self.typed_luck if seat == CHANCE else seat not in self.agents

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people sit on."""
        return tuple(seat for seat in range(len(self.seats)) if seat not in self.agents)

    def play(self, move: int, analysis: Any = None) -> Step:
        """Apply a legal move or chance outcome and return the step."""
        by_person = self.is_person(self.state.to_move)
        step = take_step(self.state, len(self.steps), move, by_person, analysis)
        self.steps.append(step)
        return step

    def draw(self) -> int:
        """Return the outcome of the coming chance event."""
        return self.luck.draw(self.state)

    def decide(self) -> tuple[int, Any]:
        """Let the agent to move choose; return its move and what it found out."""
        agent = self.agents[self.state.to_move]
        move = decide(agent, self.state, self.seed, len(self.steps))
        return move, getattr(agent, "last_analysis", None)

    @property
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
        self.state = self.game.initial_state()
        self.luck = SeededChance(self.seed)
        for step in kept:
            if step.chance and not self.typed_luck:
                self.draw()
            self.state.apply(step.move)
        self.steps = kept
        return gone

    def record(self) -> GameRecord:
        """Return the record of the game as far as it went."""
        record = GameRecord(
            game=self.game.spec(), rules_version=self.game.rules_version,
            moves=tuple(step.text for step in self.steps), seats=self.seats, seed=self.seed,
            chance=tuple(step.ply for step in self.steps if step.chance), result=GameResult.of(self.state))
        return record.with_extra(**{TYPED: True}) if self.typed_luck else record


def take_step(state: GameState, ply: int, move: int, by_person: bool = False, analysis: Any = None) -> Step:
    """Play a move in a state and return the step."""
    game: Game = state.game
    seat, text, words = int(state.to_move), state.format(move), game.describe_move(state, move)
    seen = _seen(state, move, text)
    before = state.scores()
    state.apply(move)
    gains = tuple(after - points for after, points in zip(state.scores(), before, strict=True))
    if state.hidden:
        gains = ()              # points on hand may be as secret as the hand
    return Step(ply, seat, move, text, words, seen, gains, by_person, analysis)


def _seen(state: GameState, move: int, text: str) -> tuple[str, ...]:
    """Return a move as each seat saw it, and last as a spectator did."""
    viewers = (*range(state.players), None)
    if not state.hidden:
        return (text,) * len(viewers)
    told = [str(state.game.seen_move(state, move, viewer)) for viewer in viewers]
    # Where a game says something special, that is it, also for a forced move. Where it says no more than the
    # notation, the labels that its search uses decide: a seat knows the move when no other would have looked the same.
    labels = state.labels_after()
    mine = labels.pop(move)
    known = [seat == state.to_move or (mine[seat] != 0 and all(label[seat] != mine[seat]
                                                               for label in labels.values()))
             for seat in range(state.players)]
    known.append(all(known))
    return tuple(said if said != text or sure else "" for said, sure in zip(told, known, strict=True))


def retell(record: GameRecord, until: int) -> list[Step]:
    """Return the first steps of a record that replays."""
    state = make_game(record.game).initial_state()
    return [take_step(state, ply, state.parse(text)) for ply, text in enumerate(record.moves[:until])]

