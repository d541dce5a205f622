"""PettingZoo's environments as positions: a seed and actions, replayed, with what each agent is shown on the way."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sfida.ai.audit.frozen import frozen
from sfida.ai.audit.silence import quietly
from sfida.ai.audit.subject import CHANCE, TERMINAL
from sfida.cython_ext.errors import SfidaError
from sfida.engines.spec import quoted

MASK = "action_mask"
KNOWLEDGE = "knowledge"     # a method of an environment: what an agent may know, whatever its observations leave out
_DEAD = 1000            # steps of agents that are out


class Broken(Exception):
    """The environment has raised something, or shows what it must not; the text says what."""


@dataclass(frozen=True)
class Frame:
    """What is shown when an agent is to move.

    Attributes
    ----------
    actor : int
        Its seat.
    seen, observation, mask : hashable
        What it knows by now: what the environment's `knowledge` says, else its observation; its observation without
        the mask of legal actions that it may hold; that mask.
    legal : tuple of int
        What it may do.
    reward, infos, ends : hashable
        What `last()` tells it besides.
    others : dict of int to hashable
        What `observe` gives for each other agent.
    """

    actor: int
    seen: Hashable
    observation: Hashable
    mask: Hashable
    legal: tuple[int, ...]
    reward: Hashable
    infos: Hashable
    ends: Hashable
    others: dict[int, Hashable] = field(default_factory=dict)

    @property
    def told(self) -> tuple[Hashable, ...]:
        """What an agent is shown in the usual loop."""
        return self.actor, self.observation, self.mask, self.reward, self.infos, self.ends


@dataclass(eq=False)
class Moment:
    """A position: the one before it, what was done, and what is shown. Never changed.

    Attributes
    ----------
    parent : Moment or None
        None: before the seed was drawn.
    event : int
        The seed, or the action.
    frame : Frame or None
        None: before the start, at the end, and where the environment broke down.
    """

    parent: Moment | None = None
    event: int = -1
    frame: Frame | None = None

    @property
    def actor(self) -> int:
        if self.frame is not None:
            return self.frame.actor
        return CHANCE if self.parent is None else TERMINAL

    def line(self) -> list[Moment]:
        """Return all positions from the first with a seed to this one."""
        found, node = [], self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def events(self) -> list[int]:
        """Return the seed and the actions."""
        return [node.event for node in self.line()]


class Stage:
    """One environment, made and played with whatever it writes or warns of held back.

    Parameters
    ----------
    make : callable
        Makes the environment.
    whose : str
        What it is called in errors.

    Raises
    ------
    SfidaError
        If it cannot be made, or its actions are not numbers.
    """

    def __init__(self, make: Callable[[], Any], whose: str) -> None:
        self.whose = whose
        try:
            with quietly():
                self.env = make()
                missing = [name for name in ("reset", "step", "observe", "last") if not hasattr(self.env, name)]
                if missing:
                    raise SfidaError(f"{whose} is no environment of PettingZoo's AEC kind: it has no {missing[0]}(); "
                                     "one that acts in parallel becomes one by pettingzoo.utils.parallel_to_aec")
                self.env.reset(seed=0)
                self.agents = list(getattr(self.env, "possible_agents", None) or self.env.agents)
                self._knowledge = getattr(getattr(self.env, "unwrapped", self.env), KNOWLEDGE, None)
                self._first = {}
                for agent in self.agents:
                    space = self.env.action_space(agent)
                    if not hasattr(space, "n"):
                        raise SfidaError(f"the actions of {whose} are not numbers but {quoted(str(space))}; an audit "
                                         "needs spaces of the kind Discrete")
                    self._first[agent] = int(getattr(space, "start", 0)), int(space.n)
        except SfidaError:
            raise
        except Exception as error:      # of the author of the environment
            raise SfidaError(f"{whose} cannot be started: {said(error)}") from None

    def reset(self, seed: int) -> None:
        """Start a game; raises `Broken`."""
        with self._guard():
            self.env.reset(seed=seed)
            self._bury()

    def step(self, action: int) -> None:
        """Act for the agent to move, and for those that are out; raises `Broken`."""
        with self._guard():
            self.env.step(action)
            self._bury()

    def _bury(self) -> None:
        for _ in range(_DEAD):
            if not self.over and self._out(self.env.agent_selection):
                self.env.step(None)
            else:
                return
        raise Broken("the environment asks agents that are out without end")

    def _out(self, agent: Any) -> bool:
        return bool(self.env.terminations[agent] or self.env.truncations[agent])

    @property
    def over(self) -> bool:
        """Whether no agent is left."""
        return not self.env.agents

    @property
    def punished(self) -> bool:
        """Whether a wrapper has ended the game because of an illegal action."""
        env = self.env
        while env is not None:
            if vars(env).get("_terminated") is True:
                return True
            env = vars(env).get("env")
        return False

    def observed(self, agent: Any) -> Any:
        """Return what `observe` gives; raises `Broken`."""
        with self._guard():
            return self.env.observe(agent)

    def last(self) -> Any:
        """Return what `last` gives; raises `Broken`."""
        with self._guard():
            return self.env.last()

    def mover(self) -> Any:
        """Return the agent to move."""
        return self.env.agent_selection

    def actions(self, seat: int) -> range:
        """Return all actions of an agent, legal or not."""
        first, size = self._first[self.agents[seat]]
        return range(first, first + size)

    def frame(self, everybody: bool) -> Frame | None:
        """Return what is shown now, to the agent to move or to everybody; None at the end. Raises `Broken`."""
        if self.over:
            return None
        with self._guard():
            agent = self.env.agent_selection
            if agent not in self.agents:
                raise Broken(f"the environment lets {quoted(agent)} move, who is none of possible_agents")
            others = {seat: frozen(self.env.observe(other)) for seat, other in enumerate(self.agents)
                      if everybody and other != agent}
            seen, reward, ended, cut, infos = self.env.last()
            return self._framed(agent, seen, reward, (bool(ended), bool(cut)), infos, others)

    def _framed(self, agent: Any, seen: Any, reward: Any, ends: Hashable, infos: Any,
                others: dict[int, Hashable]) -> Frame:
        mask, plain = None, seen
        if isinstance(seen, dict) and MASK in seen:
            mask = seen[MASK]
            plain = {key: value for key, value in seen.items() if key != MASK}
        elif isinstance(infos, dict) and MASK in infos:
            mask = infos[MASK]
        seat = self.agents.index(agent)
        every = self.actions(seat)
        legal = tuple(every if mask is None else (
            action for action, allowed in zip(every, mask, strict=False) if allowed))
        if not legal:
            raise Broken("the environment shows a mask to the agent to move that allows nothing")
        observation = frozen(plain)
        known = observation if self._knowledge is None else frozen(self._knowledge(agent))
        return Frame(seat, known, observation, frozen(mask), legal, frozen(reward), frozen(infos), ends,
                     others)

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            with quietly():
                yield
        except Broken:
            raise
        except Exception as error:      # of the author of the environment
            raise Broken(f"the environment raises {said(error)}") from None


def said(error: BaseException) -> str:
    """Return an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:160]}" if text else type(error).__name__
