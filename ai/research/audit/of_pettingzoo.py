"""PettingZoo's environments: they have no sampler and cannot be set up, but they can be replayed.

A game is a seed, which determines all chance events, and the actions. An agent has seen the observations at its own
turns, without the mask of legal actions, and its own actions. If the observations of an environment leave out what an
agent may know, the environment can have a method ``knowledge(agent)``, which then counts instead. Games with other
seeds, or with other actions of the others, must look the same to an agent if they give it the same knowledge.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import pickle
import sys
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from sfida.ai.research.audit.subject import (
    CHECKS, Fault, OutOfTime, Refused, Subject, behind, frozen, quietly, scribble
)
from sfida.cython_ext.errors import InvalidOption, SfidaError
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import CHANCE, TERMINAL
from sfida.engines.spec import quoted

# ---- Environments as positions: a seed and actions, replayed

MASK = "action_mask"
KNOWLEDGE = "knowledge"     # optional method of an environment: all that an agent may know
_DEAD = 1000            # most steps of dead agents


class Broken(Exception):
    """The environment has raised an exception, or reveals a secret; the text says which."""


@dataclass(frozen=True)
class Frame:
    """The data shown when an agent is to move.

    Attributes
    ----------
    actor : int
        Its seat.
    seen, observation, mask : hashable
        What it knows by now (the result of the environment's `knowledge`, else its observation); its observation
        without the mask of legal actions; that mask.
    legal : tuple of int
        Its legal actions.
    reward, infos, ends : hashable
        The other values that `last()` gives it.
    others : dict of int to hashable
        The result of `observe` for each other agent.
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
        """The data that an agent sees in the usual loop."""
        return self.actor, self.observation, self.mask, self.reward, self.infos, self.ends


@dataclass(eq=False)
class PettingZooNode:
    """A position: the one before it, the action that led to it, and what is shown. Never changed.

    Attributes
    ----------
    parent : PettingZooNode or None
        None: no seed is drawn yet.
    event : int
        The seed, or the action.
    frame : Frame or None
        None: before the start, at the end, and where the environment failed.
    """

    parent: PettingZooNode | None = None
    event: int = -1
    frame: Frame | None = None

    @property
    def actor(self) -> int:
        if self.frame is not None:
            return self.frame.actor
        return CHANCE if self.parent is None else TERMINAL

    def line(self) -> list[PettingZooNode]:
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
    """One environment, with the output and warnings of its code suppressed.

    Parameters
    ----------
    make : callable
        Makes the environment.
    whose : str
        Its name in errors.

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
        except Exception as error:      # the environment's author decides which exceptions it raises
            raise SfidaError(f"{whose} cannot be started: {said(error)}") from None

    def reset(self, seed: int) -> None:
        """Start a game; raises `Broken`."""
        with self._guard():
            self.env.reset(seed=seed)
            self._bury()

    def step(self, action: int) -> None:
        """Act for the agent to move, and for dead agents; raises `Broken`."""
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
        """Return the result of `observe`; raises `Broken`."""
        with self._guard():
            return self.env.observe(agent)

    def last(self) -> Any:
        """Return the result of `last`; raises `Broken`."""
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
        """Return what the agent to move, or every agent, is shown now; None at the end. Raises `Broken`."""
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
        except Exception as error:      # the environment's author decides which exceptions it raises
            raise Broken(f"the environment raises {said(error)}") from None


def said(error: BaseException) -> str:
    """Return the text of an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:160]}" if text else type(error).__name__


# ---- PettingZoo's environments: they have no sampler and cannot be set up, but they can be replayed

ADAPTER = "pettingzoo"
SEEDS = 2000            # most seeds that are tried
_CANDIDATES = 40        # seeds tried to find a game that looks the same
_INDEX = 0.2            # share of a position's time for indexing the seeds
_LEGAL = 4              # legal actions tried at a position
_FORBIDDEN = 1          # illegal actions tried there
_OUT_OF_TURN = "observe() out of turn"
_INK = 77               # number that overwrites observations
_WRITTEN = "an observation", "a mask of legal actions"
_RIGHT = f"right would be {ADAPTER}:env=classic/leduc_holdem_v4"


class PettingZooSubject(Subject[PettingZooNode]):
    """An environment of PettingZoo.

    Parameters
    ----------
    name : str
        ``classic/leduc_holdem_v4``, a module that has ``env()``, or a function that makes an environment.
    options : dict of str to str
        Its keyword arguments.

    Raises
    ------
    SfidaError
        If there is no such environment, or it cannot be started.
    """

    sampler: ClassVar[str] = "observe"
    sampled: ClassVar[bool] = False
    canonical: ClassVar[bool] = False
    effort: ClassVar[float] = 0.02
    leaking: ClassVar[str] = "reveals what the agent has not been shown"
    checks: ClassVar[tuple[str, ...]] = tuple(CHECKS)
    seats: ClassVar[int] = 1            # the observations of an agent out of turn are compared at its next turn

    def __init__(self, name: str, options: dict[str, str]) -> None:
        self.spec = ",".join([f"{ADAPTER}:env={name}", *(f"{key}={value}" for key, value in options.items())])
        self._make: Callable[[], Any] = functools.partial(
            _maker(name), **{key: _plain(value) for key, value in options.items()})
        self._live, self._second = (Stage(self._make, quoted(name)) for _ in range(2))
        self._at: PettingZooNode | None = None          # position of the live environment
        self._raising: dict[PettingZooNode, int] = {}   # actions that broke the environment
        self._alike: dict[tuple[int, Hashable], list[int]] = {}     # seeds by what a seat sees at the start
        self._indexed = 0
        self._steady = True                     # seeds and actions determine everything
        self.players = len(self._live.agents)
        self.hidden = True                      # environments do not say; without secrets no two games look the same
        self.merges = False

    # ---- rules --------------------------------------------------------------------------------

    def start(self) -> PettingZooNode:
        return PettingZooNode()

    def actor(self, place: PettingZooNode) -> int:
        return place.actor

    def events(self, place: PettingZooNode) -> list[tuple[int, int]]:
        if place.parent is None:
            return [(seed, 1) for seed in range(SEEDS)]
        return [(action, 1) for action in place.frame.legal] if place.frame is not None else []

    def after(self, place: PettingZooNode, event: int) -> PettingZooNode:
        try:
            if place.parent is None:
                self._live.reset(event)
            else:
                self._go(place)
                self._live.step(event)
            self._at = after = PettingZooNode(place, event, self._live.frame(everybody=True))
        except Broken:
            self._at = None
            if place.parent is not None:
                self._raising[place] = event
            return PettingZooNode(place, event)
        return after

    def _go(self, place: PettingZooNode) -> None:
        """Bring the live environment to a position; raises `Broken`."""
        if self._at is not place:
            self._at = None
            for _ in self._walk(self._live, place.events(), everybody=True):
                pass
            self._at = place

    def text(self, place: PettingZooNode, event: int) -> str:
        return f"seed {event}" if place.actor == CHANCE else f"{self._live.agents[place.actor]}: {event}"

    def key(self, place: PettingZooNode) -> Hashable:
        return tuple(place.events())

    # ---- who knows what -----------------------------------------------------------------------

    def news(self, before: PettingZooNode, event: int, after: PettingZooNode, seat: int) -> Hashable | None:
        return after.frame.seen if after.frame is not None and after.actor == seat else None

    def known(self, place: PettingZooNode, seat: int) -> Hashable:
        return place.frame.seen if place.frame is not None and place.actor == seat else None

    def sights(self, place: PettingZooNode, seat: int) -> dict[str, Any]:
        if place.frame is None or place.actor != seat:
            return {}
        frame = place.frame
        self._go(place)
        return {"observation": frame.observation, "action_mask": frame.mask, "reward": frame.reward,
                "infos": frame.infos, "terminations": frame.ends,
                _OUT_OF_TURN: [shown for _, shown in self._meanwhile(place, seat)],
                "memory behind the observation": behind(self._live.observed(self._live.mover()))}

    def compared(self, place: PettingZooNode, other: PettingZooNode,
                 seat: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the sights of both; out of turn only if everybody did the same, as actions may be visible at once."""
        ours, theirs = self.sights(place, seat), self.sights(other, seat)
        if place.events()[1:] != other.events()[1:]:
            ours.pop(_OUT_OF_TURN, None)
            theirs.pop(_OUT_OF_TURN, None)
        return ours, theirs

    def _meanwhile(self, place: PettingZooNode, seat: int) -> list[tuple[int, Hashable]]:
        """Return the actions and the seat's possible observations since its last turn."""
        found = []
        node = place.parent
        while node is not None and node.frame is not None and node.actor != seat:
            found.append((node.event, node.frame.others[seat]))
            node = node.parent
        return found[::-1]

    def secret(self, place: PettingZooNode, seat: int) -> Hashable:
        return self.key(place)

    def parts(self, place: PettingZooNode, seat: int) -> dict[str, Hashable]:
        return {}

    # ---- other games --------------------------------------------------------------------------

    def sample(self, place: PettingZooNode, seat: int, seed: int) -> PettingZooNode:
        raise Refused("a PettingZoo environment has no sampler")

    def independent(self, place: PettingZooNode, seat: int, seed: int) -> PettingZooNode | None:
        """Return a game with another seed and the same actions that looks the same to the seat."""
        if not self._steady:
            return None
        line = place.line()
        first = self._at_once(line[0], seat)
        with self.timer.share(_INDEX):
            self._index()
        alike = [each for each in self._alike.get((seat, first), ()) if each != line[0].event]
        Random(seed).shuffle(alike)
        for number in alike[:_CANDIDATES]:
            self.timer.check()
            node = self.start()
            for event, old in zip([number, *place.events()[1:]], line, strict=True):
                if node.frame is not None and event not in node.frame.legal:
                    break
                node = self.after(node, event)
                if node.actor != old.actor or (node.actor == seat and self.known(node, seat) != self.known(old, seat)):
                    break
            else:
                return node
        return None

    def _at_once(self, node: PettingZooNode, seat: int) -> Hashable:
        """Return the seat's possible observations when the game starts."""
        if node.frame is None:
            return None
        return node.actor, node.frame.seen if node.actor == seat else node.frame.others[seat]

    def _index(self) -> None:
        """Index seeds by what the seats see at the start, as many as time allows."""
        try:
            while self._indexed < SEEDS:
                self.timer.check()
                node = self.after(self.start(), self._indexed)
                for seat in range(self.players):
                    self._alike.setdefault((seat, self._at_once(node, seat)), []).append(self._indexed)
                self._indexed += 1
        except OutOfTime:
            return

    # ---- faults that a single position shows ------------------------------------------------------

    def faults(self, place: PettingZooNode, seat: int, seed: int) -> Iterator[Fault]:
        events = place.events()
        try:
            yield from self._replays(events)
        except Broken as broken:
            yield "replayed", f"played again, {broken}", ()
            return
        yield from self._acts(place, Random(derive(seed, 6)))
        yield from self._looks(place)

    def _replays(self, events: list[int]) -> Iterator[Fault]:
        """Replay the game: on a new environment, with all agents observed, and with what it hands out overwritten."""
        kept: list[tuple[Any, Hashable]] = []
        plain = list(self._walk(Stage(self._make, self._live.whose), events))
        again = list(self._walk(self._second, events, kept=kept))
        yield "replayed", self._apart(plain, again, "the same seed and actions give another game"), ()
        if not self._same(plain, again):
            self._steady = False
            return
        looked = list(self._walk(self._second, events, everybody=True))
        yield "replayed", self._apart(again, looked, "observe() for other agents changes the game"), ()
        yield "handed out", ("an observation changes as the game continues" if any(
            frozen(value) != before for value, before in kept) else None), ()
        for what in _WRITTEN:
            fault = f"writing into {what} changes the game"
            try:
                written = list(self._walk(self._second, events, writing=what))
            except Broken as broken:
                yield "handed out", fault, (str(broken),)
            else:
                yield "handed out", self._apart(again, written, fault), ()

    def _same(self, one: list[Frame | None], other: list[Frame | None]) -> bool:
        return [each and each.told for each in one] == [each and each.told for each in other]

    def _apart(self, one: list[Frame | None], other: list[Frame | None], fault: str) -> str | None:
        return None if self._same(one, other) else fault

    def _walk(self, stage: Stage, events: list[int], *, everybody: bool = False, writing: str = "",
              kept: list[tuple[Any, Hashable]] | None = None) -> Iterator[Frame | None]:
        """Play a game; yield what each step shows. Raises `Broken`.

        Parameters
        ----------
        stage : Stage
        events : list of int
        everybody : bool
            Whether all agents are observed, not only the one to move.
        writing : str
            What to overwrite before each action in everything handed out: one of `_WRITTEN`, or nothing.
        kept : list, optional
            Receives the observations as handed out, each with its value then.
        """
        for number, event in enumerate(events):
            self.timer.check()
            if number:
                stage.step(event)
            else:
                stage.reset(event)
            yield stage.frame(everybody)
            if stage.over:
                return
            if kept is not None:
                value = stage.observed(stage.mover())
                kept.append((value, frozen(value)))
            if writing:
                for value in [*(stage.observed(agent) for agent in stage.agents), stage.last()[0]]:
                    parts = value if isinstance(value, dict) else {"": value}
                    for key, part in parts.items():
                        if (key == MASK) == (writing == _WRITTEN[1]):
                            scribble(part, 0 if key == MASK else _INK)

    def _acts(self, place: PettingZooNode, rng: Random) -> Iterator[Fault]:
        """Check that the actions that the mask allows can be played, and others cannot."""
        if place.frame is None:
            return
        legal, events = list(place.frame.legal), place.events()
        rng.shuffle(legal)
        broken = [self._raising[place]] if place in self._raising else []
        for action in [*broken, *legal[:_LEGAL]]:
            self.timer.check()
            try:
                punished = self._tried(events, action)[0]
            except Broken as error:
                yield "legal lists", f"an action that the mask allows cannot be played: {error}", (f"action {action}",)
            else:
                yield "legal lists", "an action that the mask allows ends the game as illegal" if punished else None, (
                    f"action {action}",)
        forbidden = [each for each in self._live.actions(place.actor) if each not in place.frame.legal]
        rng.shuffle(forbidden)
        for action in forbidden[:_FORBIDDEN]:
            try:
                punished, frame = self._tried(events, action)
            except Broken:
                continue                # correct: the environment refuses it
            goes_on = not punished and frame is not None and frame.told != place.frame.told
            yield "legal lists", "an action that the mask does not allow is played" if goes_on else None, (
                f"action {action}",)

    def _tried(self, events: list[int], action: int) -> tuple[bool, Frame | None]:
        """Act after a game; return whether that was punished, and what is shown afterwards. Raises `Broken`."""
        for _ in self._walk(self._second, events):
            pass
        self._second.step(action)
        return self._second.punished, self._second.frame(everybody=False)

    def _looks(self, place: PettingZooNode) -> Iterator[Fault]:
        """Check that one moment looks the same in every way of observing it, and can be pickled."""
        try:
            self._go(place)
            stage = self._live
            agent = stage.mover()
            value = stage.observed(agent)
            same = frozen(value) == frozen(stage.last()[0]) == frozen(stage.observed(agent))
        except Broken as broken:
            yield "shown", str(broken), ()
            return
        yield "shown", None if same else "last() and observe() show different things", ()
        try:
            with quietly():
                again = frozen(pickle.loads(pickle.dumps(value)))
        except Exception as error:      # observations may be any objects
            yield "serialisation", f"an observation cannot be pickled: {said(error)}", ()
        else:
            yield "serialisation", None if again == frozen(value) else "pickling an observation changes it", ()


def _maker(name: str) -> Callable[..., Any]:
    """Return the function that makes an environment; raises SfidaError if there is none."""
    path = f"{ADAPTER}.{name.replace('/', '.')}" if "/" in name else name
    if not all(part.isidentifier() for part in path.split(".")):
        raise InvalidOption(f"{quoted(name)} is not the name of a module; {_RIGHT}")
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    try:
        with quietly():
            found = _imported(path)
    except Exception as error:          # importing the module runs code of its author
        if isinstance(error, ModuleNotFoundError) and error.name == ADAPTER:
            raise SfidaError("this needs the package pettingzoo: pip install 'sfida[envs]'") from None
        if isinstance(error, ModuleNotFoundError) and not f"{path}.".startswith(f"{error.name}."):
            family = path.split(".")[1] if path.startswith(f"{ADAPTER}.") else ""
            raise SfidaError(f"{quoted(name)} needs the module {error.name}, which is not installed"
                             + (f": pip install 'pettingzoo[{family}]'" if family else "")) from None
        raise InvalidOption(f"{quoted(name)} cannot be imported: {said(error)}; {_RIGHT}") from None
    make = found if callable(found) else getattr(found, "env", None)
    if not callable(make):
        raise InvalidOption(f"{quoted(name)} has no function env(); {_RIGHT}")
    return make     # type: ignore[no-any-return]


def _imported(path: str) -> Any:
    """Return a module, or the member of a module that the last part of the path names."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        module, _, last = path.rpartition(".")
        if not module or error.name != path:
            raise
        found = getattr(importlib.import_module(module), last, None)
        if found is None:
            raise
        return found


def _plain(value: str) -> Any:
    """Return the number, truth value or word that an option's text stands for."""
    words = {"true": True, "false": False, "none": None}
    if value.lower() in words:
        return words[value.lower()]
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
