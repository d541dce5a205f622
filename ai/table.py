"""A table: one game from start to end, played by agents that see only their seat's view."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sfida.ai.agent import Agent
from sfida.ai.chance import ChanceSource, SeededChance
from sfida.ai.observation import observation_of
from sfida.ai.registry import agent as make_agent
from sfida.ai.seeds import check_seed, decision_seed, fresh_seed
from sfida.cython_ext.errors import IllegalMove, InvalidOption
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game
from sfida.engines.records import GameRecord, GameResult
from sfida.engines.registry import make_game
from sfida.engines.spec import quoted


@dataclass(frozen=True)
class MoveEvent:
    """A move that was just played.

    Attributes
    ----------
    ply : int
        Index of the move in the record, from 0.
    seat : int
        Who moved; -1 for chance.
    code, move : int, str
        Code and notation.
    chance : bool
        True when nobody chose it.
    seconds : float
        Wall time that the decision took.
    analysis : object or None
        What the agent found out while choosing, if it tells.
    state : GameState
        The table's own state after the move, to look at and not to touch.
    """

    ply: int
    seat: int
    code: int
    move: str
    chance: bool
    seconds: float
    analysis: Any = None
    state: GameState | None = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return the event as a line of ``sfida play --json``."""
        return {"schema": 1, "type": "move", "ply": self.ply, "seat": self.seat, "move": self.move,
                "chance": self.chance}


def seat_agents(game: Game, agents: Sequence[str | Agent]) -> list[Agent]:
    """Build the agents of a game, in seat order.

    Parameters
    ----------
    game : Game
    agents : sequence of str or Agent
        One a seat.

    Raises
    ------
    InvalidOption
        If their number is not the number of seats, or one of them asks for what the game does not have.
    UnknownAgent
    """
    if isinstance(agents, str) or len(agents) != game.players:
        given = quoted(agents) if isinstance(agents, str) else f"{len(agents)}"
        raise InvalidOption(f"{quoted(game.spec())} needs a list of {game.players} agents, one a seat, "
                            f"not {given}; the option 'players' sets the number of seats")
    seated = [make_agent(agent) if isinstance(agent, str) else agent for agent in agents]
    for agent in seated:
        check_agent(agent, game)
    return seated


def check_agent(agent: Agent, game: Game) -> None:
    """Refuse what is no agent, and let an agent refuse a game that lacks what it asks for; raises InvalidOption."""
    if not isinstance(agent, Agent):
        raise InvalidOption(f"an agent needs 'spec' and 'choose', which {quoted(agent)} has not")
    check = getattr(agent, "check_game", None)
    if check is not None:
        check(game)


def decide(agent: Agent, state: GameState, seed: int, ply: int, view: View | None = None) -> int:
    """Ask an agent for the move of the seat to move; it sees that seat's view and nothing else.

    Parameters
    ----------
    agent : Agent
    state : GameState
    seed : int
        Seed of the game, which the agent never sees; the decision's own seed is derived from it, the seat and `ply`.
    ply : int
        Number of moves played before.
    view : View, optional
        What it is given instead of the state's own view.

    Raises
    ------
    IllegalMove
        If the agent's answer is not legal.
    """
    seat = state.to_move
    if hasattr(agent, "seed"):
        agent.seed = decision_seed(seed, seat, ply)
    move = agent.choose(state.view(seat) if view is None else view)
    try:
        code = operator.index(move)         # an int and nothing else: a subclass may say that it equals anything
    except TypeError:
        code = -1
    if code not in state.legal_moves():
        raise IllegalMove(f"agent {quoted(agent.spec)} on seat {seat} chose {quoted(move)} as move {ply + 1}, "
                          "which is not legal there")
    return code


class Table:
    """A game under way between agents.

    Parameters
    ----------
    game : Game
    agents : sequence of Agent
        In seat order.
    seed : int
        Of the luck and of every agent's random choices.
    chance : ChanceSource, optional
        Where the luck comes from instead.

    Attributes
    ----------
    state : GameState
        To look at and not to touch.
    moves : list of int
        Codes of all moves played, chance included.
    """

    def __init__(self, game: Game, agents: Sequence[Agent], seed: int, chance: ChanceSource | None = None) -> None:
        self.game = game
        self.agents = tuple(agents)
        self.seed = seed
        self.state = game.initial_state()
        self.moves: list[int] = []
        self._luck = chance if chance is not None else SeededChance(seed)
        self._texts: list[str] = []
        self._chances: list[int] = []
        self._observed = [0] * game.players
        self._last = (0, 0)             # actor and code

    @property
    def is_over(self) -> bool:
        """The game is over."""
        return bool(self.state.is_over)

    def next_move(self) -> int:
        """Return what the agent to move, or luck, decides; nothing is played yet.

        Raises
        ------
        IllegalMove
            If the agent's answer is not legal.
        Exception
            Whatever the agent raises.
        """
        if self.state.is_chance:
            return self._luck.draw(self.state)
        seat = self.state.to_move
        return decide(self.agents[seat], self.state, self.seed, len(self.moves), self.view(seat))

    def view(self, seat: int) -> View:
        """Return what an agent is given to see."""
        return self.state.view(seat)

    def play(self, code: int, seconds: float = 0.0, *, tell: bool = True) -> MoveEvent:
        """Play a legal move and return what happened; without `tell`, the caller tells the listeners."""
        ply, seat, by_chance = len(self.moves), int(self.state.to_move), bool(self.state.is_chance)
        text = self.state.format(code)
        self.state.apply(code)
        self.moves.append(code)
        self._texts.append(text)
        if by_chance:
            self._chances.append(ply)
        self._last = seat, code
        if tell:
            for listener in self.listeners():
                self.tell(listener)
        analysis = None if by_chance else self.analysis(seat)
        return MoveEvent(ply, seat, code, text, by_chance, seconds, analysis, self.state)

    def analysis(self, seat: int) -> Any:
        """Return what an agent found out while it chose, None when it does not tell."""
        return getattr(self.agents[seat], "last_analysis", None)

    def listeners(self) -> list[int]:
        """Return the seats whose agents want to be told what they see."""
        return [seat for seat, agent in enumerate(self.agents) if getattr(agent, "observe", None) is not None]

    def tell(self, seat: int) -> None:
        """Tell a listener what its seat saw of the last event; raises whatever the agent raises."""
        seen = observation_of(self.state, seat, *self._last, self._observed[seat], self.view)
        if seen is not None:
            self._observed[seat] += 1
            self.agents[seat].observe(seen)  # type: ignore[attr-defined]

    def record(self, seats: Sequence[str] | None = None) -> GameRecord:
        """Return the record of the game as far as it went; the seats are named by their agents' specs, or as given."""
        names = [agent.spec for agent in self.agents] if seats is None else seats
        return GameRecord(game=self.game.spec(), rules_version=self.game.rules_version, moves=tuple(self._texts),
                          seats=tuple(names), seed=self.seed,
                          chance=tuple(self._chances), result=GameResult.of(self.state))


def play(game: str | Game, agents: Sequence[str | Agent], seed: int | None = None, *,
         chance: ChanceSource | None = None, on_event: Callable[[MoveEvent], object] | None = None,
         **options: object) -> GameRecord:
    """Play one game and return its record.

    The same game, agents and seed give the same record on any machine, as long as the agents' budgets are
    iterations and not seconds.

    Parameters
    ----------
    game : str or Game
        Game spec.
    agents : sequence of str or Agent
        Agent specs or agents, in seat order, one a seat. Where the game's number of players is not given,
        it is the number of agents.
    seed : int, optional
        Of the luck and of every agent's random choices, 0 to 2**128 - 1. Without one a fresh seed is taken, which the
        record holds; only such a one cannot be guessed (docs/common_luck.md).
    chance : ChanceSource, optional
        Where the luck comes from instead.
    on_event : callable, optional
        Is given a `MoveEvent` after every move.
    **options
        More game options.

    Raises
    ------
    UnknownGame, UnknownAgent, InvalidOption
    """
    engine = game_for(game, agents, options)
    seated = seat_agents(engine, agents)
    table = Table(engine, seated, fresh_seed() if seed is None else check_seed(seed), chance)
    try:
        for agent in seated:
            begin_game(agent)
        while not table.is_over:
            started = time.perf_counter()
            code = table.next_move()
            event = table.play(code, time.perf_counter() - started)
            if on_event is not None:
                on_event(event)
    finally:
        for given, agent in zip(agents, seated, strict=True):
            if isinstance(given, str):
                close_agent(agent)
    return table.record()


def begin_game(agent: Agent) -> None:
    """Tell an agent that a game begins, when it wants to know."""
    begin = getattr(agent, "new_game", None)
    if begin is not None:
        begin()


def close_agent(agent: Agent) -> None:
    """Let go of what an agent holds, such as a program that it started."""
    close = getattr(agent, "close", None)
    if close is not None:
        close()


def game_for(game: str | Game, agents: Sequence[str | Agent], options: dict[str, object]) -> Game:
    """Build the game; the number of agents is the number of players where nobody said another."""
    engine = make_game(game, **options)
    said = isinstance(game, Game) or "players" in options or "players=" in game.replace(" ", "")
    if said or isinstance(agents, str) or len(agents) == engine.players:
        return engine
    try:
        return make_game(game, **{**options, "players": len(agents)})
    except InvalidOption:
        return engine                   # not a number of players of this game: seat_agents says so
