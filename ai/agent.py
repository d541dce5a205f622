"""The interface of an agent, and agents without search: uniformly random moves, and a person."""

from __future__ import annotations

import abc
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

from sfida.cython_ext.errors import IllegalMove, SfidaError
from sfida.cython_ext.players import Player, RandomPlayer, Seating
from sfida.cython_ext.python_state import PythonState
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import View
from sfida.engines.game import Game
from sfida.engines.spec import canonical

# ---- The interface of an agent, which receives its seat's view and chooses a move


class AgentFailure(SfidaError):
    """An agent cannot continue: a program that plays does not answer, sends nonsense or has ended.

    Parameters
    ----------
    message : str
        One line that names the agent.
    kind : str
        See `Forfeit`: "raised", "overtime" (no answer in time) or "died" (a process has ended).
    """

    def __init__(self, message: str, kind: str = "raised") -> None:
        super().__init__(message)
        self.kind = kind


@runtime_checkable
class Agent(Protocol):
    """The minimum that an agent needs to play.

    An agent may have further members, which are used if present:

    - ``seed``: set before every decision, so that its random choices do not depend on earlier decisions;
    - ``analyze(view)``: the content of ``sfida analyze --json`` as a frozen dataclass;
    - ``last_analysis``: the analysis behind the last call of `choose`, of the same type, or None;
    - ``rest()``: releases memory that the next decision can do without; called after the agent's turn;
    - ``on_progress``: None, or a callable that is given the progress of a long decision;
    - ``cancel()``: ends the running search with its present result; called from signal handlers and other threads;
    - ``new_game()``: called before every game;
    - ``observe(event)``: called with an `ai.observation.Observation` right after every event that one of its seats
      saw, once per seat if it plays several; it holds nothing that the seat cannot know;
    - ``close()``: called when the agent is no longer needed;
    - ``level``: the level at which it plays, 1 to 10; ``follows_person``: whether a person's record has chosen it;
    - ``longest``: seconds that a decision may take by the agent's own budget; None if the agent has no time budget.
      Without it, ``options.longest`` or ``options.seconds`` counts;
    - ``limit``: seconds that a decision may take, or None; for an agent that waits for another program;
    - ``reusable``: whether it may play another game after `new_game`.
    """

    @property
    def spec(self) -> str:
        """Spec that builds the agent again."""

    def choose(self, view: View) -> int:
        """Return one of ``view.legal_moves()``."""


@dataclass(frozen=True)
class NoOptions:
    """The options class of an agent without options."""


class NamedAgent(abc.ABC):
    """Base class of the agents that specs can name.

    Parameters
    ----------
    options : dataclass, optional
        An instance of `options_class`.
    seed : int
        Seed of every random choice: the same view and seed give the same move.

    Attributes
    ----------
    name : str
        First word of its specs.
    doc : str
        One line for ``sfida agents``.
    options_class : type
        Frozen dataclass; each field's metadata may hold `values`, `low`, `high`, `unit` and `doc`.
    free_text : str
        Name of the single option that takes all text after the first colon of a spec, whatever its content; "" for
        specs of the usual form. The class of such options checks them itself.
    runs_programs : bool
        Whether its specs name a program. A file may contain such a spec, but it is run only if the user agrees.
    reusable : bool
        Whether one agent may play game after game, each begun by `new_game`.
    """

    name: ClassVar[str]
    doc: ClassVar[str]
    options_class: ClassVar[type[Any]] = NoOptions
    free_text: ClassVar[str] = ""
    runs_programs: ClassVar[bool] = False
    reusable: ClassVar[bool] = False

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        self.options: Any = options if options is not None else self.options_class()
        self.seed = seed
        self.last_analysis: Any = None
        self.on_progress: Callable[[Any], object] | None = None

    @property
    def spec(self) -> str:
        """Canonical spec: options that differ from their defaults, in field order."""
        if self.free_text:
            return f"{self.name}:{getattr(self.options, self.free_text)}"
        return canonical(self.name, self.options)

    @abc.abstractmethod
    def choose(self, view: View) -> int:
        """Return one of ``view.legal_moves()``."""

    def player(self, game: Game) -> Player | None:
        """Return what decides in a compiled game exactly as this agent does, without Python; None: nothing does."""
        return None

    def new_game(self) -> None:
        """Forget the previous game; allocated memory may be kept."""
        self.last_analysis = None

    def __repr__(self) -> str:
        return f"<agent {self.spec}>"


# ---- Games that need no Python


def seating_of(game: Game, agents: Iterable[Agent]) -> Seating | None:
    """Return players that decide exactly as the agents of a game do, in seat order, without Python.

    None: the game is in Python, or an agent's decisions need it, such as those by the clock.
    """
    start = game.initial_state()
    if isinstance(start, PythonState):
        return None
    players = []
    for agent in agents:
        player = agent.player(game) if isinstance(agent, NamedAgent) else None
        if player is None:
            return None
        players.append(player)
    return Seating(start, players)


# ---- Agents without search: uniformly random moves, and a person


class RandomAgent(NamedAgent):
    """Chooses uniformly among the legal moves."""

    name = "random"
    doc = "uniformly random legal moves"
    reusable = True

    def choose(self, view: View) -> int:
        """Return a legal move; seed and legal moves determine it."""
        moves = view.legal_moves()
        if not moves:
            raise IllegalMove(f"seat {view.seat} is not to move")
        # The legal moves are part of the key, so that one seed does not always take, say, the middle move.
        digest = hashlib.blake2b(repr(moves).encode(), digest_size=8).digest()
        stream = Random(derive(self.seed, int.from_bytes(digest, "little")))
        return int(moves[stream.below(len(moves))])

    def player(self, game: Game) -> Player | None:
        return RandomPlayer(game.initial_state()) if type(self) is RandomAgent else None


PERSON = "human"        # the name of a person instead of an agent


class HumanAgent(NamedAgent):
    """A person who is asked for each move.

    Attributes
    ----------
    ask : callable or None
        Takes the view and returns the move, in the game's notation or as a code.
    """

    name = PERSON
    doc = "a person: moves are typed in"

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.ask: Callable[[View], int | str] | None = None

    def choose(self, view: View) -> int:
        """Return the move that the person enters."""
        if self.ask is None:
            raise SfidaError("agent 'human' has nobody to ask: set its 'ask' to a function that takes the "
                             "view and returns the move, or play with 'sfida play'")
        answer = self.ask(view)
        return int(view.parse(answer)) if isinstance(answer, str) else answer
