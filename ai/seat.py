"""A seat of a table: the agent on it, with a default for everything that an agent may leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sfida.ai.agent import Agent
from sfida.ai.observation import Observation
from sfida.ai.simple import HumanAgent
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.state import View
from sfida.engines.game import Game
from sfida.engines.spec import quoted


class Seat:
    """What tables, arenas, engines and commands see of an agent.

    `Agent` says what an agent may have. This is the one place that looks whether it has it.

    Parameters
    ----------
    agent : Agent
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._optional: Any = agent

    # ---- what it is ---------------------------------------------------------------------------

    @property
    def spec(self) -> str:
        """Spec that builds the agent again."""
        return self.agent.spec

    @property
    def is_person(self) -> bool:
        """A person sits here whom the agent itself has no way to ask."""
        return isinstance(self.agent, HumanAgent) and self.agent.ask is None

    @property
    def is_reusable(self) -> bool:
        """The agent may go on to another game."""
        return bool(getattr(self._optional, "reusable", False))

    @property
    def listens(self) -> bool:
        """The agent wants to be told what its seat sees."""
        return getattr(self._optional, "observe", None) is not None

    @property
    def analyzes(self) -> bool:
        """The agent can say what it thinks of a position."""
        return hasattr(self._optional, "analyze")

    @property
    def can_be_hurried(self) -> bool:
        """A search of the agent can be ended with what it has found."""
        return hasattr(self._optional, "cancel")

    @property
    def last_analysis(self) -> Any:
        """What the agent found out while it chose last, or None."""
        return getattr(self._optional, "last_analysis", None)

    # ---- what it does -------------------------------------------------------------------------

    def check(self, game: Game) -> None:
        """Refuse what is no agent, and let an agent refuse a game that lacks what it asks for; raises InvalidOption."""
        if not isinstance(self.agent, Agent):
            raise InvalidOption(f"an agent needs 'spec' and 'choose', which {quoted(self.agent)} has not")
        check = getattr(self._optional, "check_game", None)
        if check is not None:
            check(game)

    def begin(self, seed: int | None = None) -> None:
        """Tell the agent that a game begins; `seed` is that of what it keeps through the game, such as a belief."""
        if seed is not None and hasattr(self._optional, "seed"):
            self._optional.seed = seed
        begin = getattr(self._optional, "new_game", None)
        if begin is not None:
            begin()

    def choose(self, view: View, seed: int) -> Any:
        """Return the agent's move, not checked; `seed` is that of all its random choices in this decision."""
        if hasattr(self._optional, "seed"):
            self._optional.seed = seed
        return self.agent.choose(view)

    def observe(self, seen: Observation) -> None:
        """Tell the agent what a seat of its own saw; nothing happens where it does not listen."""
        if self.listens:
            self._optional.observe(seen)

    def analyze(self, view: View) -> Any:
        """Return what the agent thinks of a position; only where it `analyzes`."""
        return self._optional.analyze(view)

    def hurry(self) -> None:
        """End the agent's search with what it has found; only where it `can_be_hurried`."""
        self._optional.cancel()

    def follow(self, report: Callable[[Any], object] | None) -> None:
        """Have the progress of long decisions reported, or with None no longer."""
        self._optional.on_progress = report

    def limit(self, seconds: float | None) -> None:
        """Say how long a decision may take to an agent that waits for somebody else."""
        if hasattr(self._optional, "limit"):
            self._optional.limit = seconds

    def close(self) -> None:
        """Let go of what the agent holds, such as a program that it started."""
        close = getattr(self._optional, "close", None)
        if close is not None:
            close()
