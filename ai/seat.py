"""A seat of a table: its agent, with a default for everything that an agent may leave out."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from sfida.ai.agent import Agent, NamedAgent
from sfida.ai.observation import Observation
from sfida.ai.simple import HumanAgent
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.state import View
from sfida.engines.game import Game
from sfida.engines.spec import quoted


class Seat:
    """The interface through which tables, arenas, engines and commands use an agent.

    `Agent` lists what an agent may have. Only this class checks whether it does.

    Parameters
    ----------
    agent : Agent
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._optional: Any = agent

    # ---- properties ---------------------------------------------------------------------------

    @property
    def spec(self) -> str:
        """Spec that builds the agent again."""
        return self.agent.spec

    @property
    def options(self) -> object:
        """The agent's options; None if it has none."""
        return self.agent.options if isinstance(self.agent, NamedAgent) else None

    @property
    def is_person(self) -> bool:
        """Whether a person plays whom the agent itself cannot ask."""
        return isinstance(self.agent, HumanAgent) and self.agent.ask is None

    @property
    def is_reusable(self) -> bool:
        """Whether the agent may play another game."""
        return bool(getattr(self._optional, "reusable", False))

    @property
    def listens(self) -> bool:
        """Whether the agent wants to be told what its seat sees."""
        return getattr(self._optional, "observe", None) is not None

    @property
    def analyzes(self) -> bool:
        """Whether the agent can analyze a position."""
        return hasattr(self._optional, "analyze")

    @property
    def can_be_hurried(self) -> bool:
        """Whether a search of the agent can be ended early with what it has found."""
        return hasattr(self._optional, "cancel")

    @property
    def runs_program(self) -> bool:
        """Whether the agent is another program, which gets the signals of this one."""
        return bool(getattr(self._optional, "runs_programs", False))

    @property
    def longest(self) -> float | None:
        """Seconds that a decision may take by the agent's own budget of time; None: it does not think by the clock.

        The play of an agent that does depends on how fast the machine is, and on what else the machine does.
        """
        options = getattr(self._optional, "options", None)
        for holder, name in ((self._optional, "longest"), (options, "longest"), (options, "seconds")):
            found = getattr(holder, name, None)
            if isinstance(found, numbers.Real) and float(found) > 0:
                return float(found)
        return None

    @property
    def budget(self) -> float | None:
        """The seconds of a decision as its budget names them; where things are unclear `longest` may be more."""
        named = getattr(getattr(self._optional, "options", None), "seconds", None)
        return float(named) if isinstance(named, numbers.Real) and float(named) > 0 else self.longest

    @property
    def level(self) -> float | None:
        """The level at which the agent plays, 1 to 10, or None."""
        return getattr(self._optional, "level", None)

    @property
    def follows_person(self) -> bool:
        """Whether the agent has chosen its level by the record of the person."""
        return bool(getattr(self._optional, "follows_person", False))

    @property
    def last_analysis(self) -> Any:
        """The analysis behind the agent's last choice, or None."""
        return getattr(self._optional, "last_analysis", None)

    # ---- actions ------------------------------------------------------------------------------

    def check(self, game: Game) -> None:
        """Refuse an object that is not an agent, or a game that lacks what the agent requires; raises InvalidOption."""
        if not isinstance(self.agent, Agent):
            raise InvalidOption(f"an agent needs 'spec' and 'choose', which {quoted(self.agent)} does not have")
        check = getattr(self._optional, "check_game", None)
        if check is not None:
            check(game)

    def begin(self, seed: int | None = None) -> None:
        """Tell the agent that a game begins; `seed` is for what it keeps during the game, such as a belief."""
        if seed is not None and hasattr(self._optional, "seed"):
            self._optional.seed = seed
        begin = getattr(self._optional, "new_game", None)
        if begin is not None:
            begin()

    def choose(self, view: View, seed: int) -> Any:
        """Return the agent's move, unchecked; `seed` is for all its random choices in this decision."""
        if hasattr(self._optional, "seed"):
            self._optional.seed = seed
        return self.agent.choose(view)

    def observe(self, seen: Observation) -> None:
        """Tell the agent what one of its seats saw; does nothing if the agent does not listen."""
        if self.listens:
            self._optional.observe(seen)

    def analyze(self, view: View) -> Any:
        """Return the agent's analysis of a position; only if it `analyzes`."""
        return self._optional.analyze(view)

    def hurry(self) -> None:
        """End the agent's search early with what it has found; only if it `can_be_hurried`."""
        self._optional.cancel()

    def follow(self, report: Callable[[Any], object] | None) -> None:
        """Report the progress of long decisions to a function; None stops the reports."""
        self._optional.on_progress = report

    def limit(self, seconds: float | None) -> None:
        """Set the time limit of a decision for an agent that waits for a program."""
        if hasattr(self._optional, "limit"):
            self._optional.limit = seconds

    def close(self) -> None:
        """Release what the agent holds, such as a program that it started."""
        close = getattr(self._optional, "close", None)
        if close is not None:
            close()
