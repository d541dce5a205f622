"""The subject of an audit behind one interface: rules, sights, a sampler of worlds; also time and results."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import math
import os
import re
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

# ---- The results of an audit as plain data

FOUND, PASSED, NOT_APPLICABLE = "found", "passed", "not applicable"

CHECKS = {
    "reachability": "each world is a position to which the rules lead, with the seat having seen the same",
    "distribution": "worlds come up as often as their weights say",
    "permuted": "other secrets in the place of the true ones change nothing",
    "poisoned": "overwriting the secrets changes nothing",
    "legal lists": "the moves of the seat do not depend on what it cannot know",
    "labels": "what a seat is told of events is what it sees of them",
    "shown": "nothing that the seat is shown depends on what it cannot know",
    "serialisation": "views and worlds that are written down hold no more than they should",
    "replayed": "the same seed and moves give the same game, whoever looks at it",
    "handed out": "what a seat is handed is its own: writing into it changes nothing, and nothing changes it",
}
SAMPLED = tuple(CHECKS)[:8]     # checks of a game with a sampler
SAMPLING = "reachability", "distribution", "permuted", "poisoned"


@dataclass(frozen=True)
class Reproduction:
    """The place at which a finding can be seen again.

    Attributes
    ----------
    spec : str
    seed : int
        Seed of the audit.
    seat : int
    moves : tuple of str
        All events from the start, in the game's notation.
    codes : tuple of int
        The same events as codes: Sfida's moves, or OpenSpiel's action ids.
    differing : tuple of str
        The differences between the two worlds, or the two histories, piece by piece.
    """

    spec: str
    seed: int
    seat: int
    moves: tuple[str, ...]
    codes: tuple[int, ...]
    differing: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """One fault.

    Attributes
    ----------
    check : str
        Name of the check, a key of `CHECKS`.
    what : str
        The fault in words.
    times : int
        Number of positions at which it occurred.
    p : float or None
        p-value of a statistical test, from fresh samples; None: the fault needs no statistics.
    reproduction : Reproduction
        The shortest history that leads to it.
    """

    check: str
    what: str
    times: int
    p: float | None
    reproduction: Reproduction


@dataclass(frozen=True)
class Check:
    """The result of one check.

    Attributes
    ----------
    name : str
    status : str
        `FOUND`, `PASSED` or `NOT_APPLICABLE`.
    tried : int
        Number of comparisons or statistical tests.
    note : str
        Why it is not applicable, or what it could not check.
    """

    name: str
    status: str
    tried: int
    note: str = ""


@dataclass(frozen=True)
class Audit:
    """The result of an audit.

    Attributes
    ----------
    spec, sampler : str
    seed, games, positions, samples : int
    alpha : float
        Bound on the probability that the statistical tests find anything if nothing is wrong.
    tests : int
        Number of statistical tests, which share `alpha` equally.
    refused : dict of str to int
        The sampler's messages when it gave no world, and their numbers.
    unchecked : dict of str to int
        What was not checked for lack of time, and how often.
    checks : tuple of Check
    findings : tuple of Finding
    """

    spec: str
    sampler: str
    seed: int
    games: int
    positions: int
    samples: int
    alpha: float
    tests: int
    refused: dict[str, int] = field(default_factory=dict)
    unchecked: dict[str, int] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        """Return a JSON-able dict."""
        return dataclasses.asdict(self) | {"clean": self.clean}


# ---- The time of an audit, and its division among the steps


class OutOfTime(Exception):
    """The time of the current step is over."""


class Timer:
    """The time that is left for the whole audit and for the current step.

    Parameters
    ----------
    seconds : float, optional
        Time limit from now on; None: no limit.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> bool:
        """Whether the current step has time left."""
        return self._end == math.inf or time.monotonic() <= self._end

    def check(self) -> None:
        """Raise `OutOfTime` if the time of the current step is over."""
        if not self.left:
            raise OutOfTime

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """Limit a step to a part of the time left for the step around it, which continues afterwards."""
        whole, now = self._end, time.monotonic()
        self._end = now + part * max(0.0, whole - now)
        try:
            yield
        finally:
            self._end = whole


# ---- Suppressing the output of other people's programs


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Discard what a C++ library writes to standard error about an exception that is handled here."""
    try:
        kept = os.dup(2)
    except OSError:                     # the caller has closed it
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Discard warnings and all output."""
    with silence(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), \
            contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


# ---- Values of other people's programs in frozen form, to compare, hash and print values of any type

_DEEP = 8               # depth of nesting below which the text of a value represents it
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True)
class Array:
    """The values of an array."""

    kind: str
    shape: tuple[int, ...]
    data: bytes
    text: str = ""          # text of an array of objects

    def __str__(self) -> str:
        import numpy as np

        return self.text or str(np.frombuffer(self.data, self.kind).tolist())

    __repr__ = __str__


def frozen(value: Any, depth: int = 0) -> Hashable:
    """Return a hashable that is equal for equal values, and does not change with the value."""
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return value
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        if value.dtype.hasobject:
            return Array(str(value.dtype), tuple(value.shape), b"", repr(frozen(value.tolist(), depth + 1)))
        return Array(value.dtype.str, tuple(value.shape), (value + 0.0 if value.dtype.kind == "f" else value).tobytes())
    if depth > _DEEP:
        return _ADDRESS.sub("", repr(value))
    if isinstance(value, Mapping):
        return tuple(sorted(((key if isinstance(key, str) else _ADDRESS.sub("", repr(key)), frozen(item, depth + 1))
                             for key, item in value.items()), key=lambda pair: pair[0]))
    if isinstance(value, (list, tuple)):
        return tuple(frozen(item, depth + 1) for item in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((frozen(item, depth + 1) for item in value), key=repr))
    if hasattr(value, "__dict__") and not isinstance(value, type):
        return type(value).__name__, frozen(vars(value), depth + 1)
    return _ADDRESS.sub("", repr(value))


def scribble(value: Any, ink: int) -> None:
    """Overwrite everything inside a value that can be overwritten with a number."""
    if hasattr(value, "dtype") and hasattr(value, "flags"):
        if value.flags.writeable and value.dtype.kind in "biuf":
            value[...] = ink
    elif isinstance(value, (dict, list)):
        for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
            if isinstance(item, (bool, int, float, str)):
                value[key] = ink
            else:
                scribble(item, ink)
    elif isinstance(value, tuple):
        for item in value:
            scribble(item, ink)


def behind(value: Any) -> Hashable:
    """Return the memory that underlies array views inside a value, in frozen form."""
    if hasattr(value, "dtype"):
        base = getattr(value, "base", None)
        return frozen(base) if hasattr(base, "dtype") else None
    if isinstance(value, Mapping):
        return tuple(behind(value[key]) for key in sorted(value, key=repr))
    return tuple(behind(item) for item in value) if isinstance(value, (list, tuple)) else None


# ---- The subject of an audit behind one interface: the rules of a game, the sights of its seats, a sampler of worlds

S = TypeVar("S")

Fault = tuple[str, str | None, tuple[str, ...]]     # a check, the fault (None: none), and its details


class Refused(Exception):
    """The sampler gave no world; the text is its reason."""


@dataclass(frozen=True)
class Twin:
    """A history that a seat cannot tell apart from that of a game, but whose views differ.

    Attributes
    ----------
    label : bool
        Whether a label should have shown the difference; otherwise the view contains too much.
    what : str
    seat : int
    history, twin : tuple of str
        The events from the first difference on.
    """

    label: bool
    what: str
    seat: int
    history: tuple[str, ...]
    twin: tuple[str, ...]


class Subject(ABC, Generic[S]):
    """A game with its sampler. Positions never change: every step gives a new one.

    Attributes
    ----------
    spec : str
        The argument of `sfida audit`.
    sampler : str
        Name of the function that draws worlds or, without a sampler, of the one that shows positions.
    sampled : bool
        Whether there is a sampler.
    checks : tuple of str
        The checks for this kind of subject.
    seats : int
        Most seats audited at one position, the one to move first.
    leaking : str
        The message about a sight that differs between positions that the seat cannot tell apart.
    twinned : bool
        Whether it has `twins`.
    players : int
    hidden : bool
        Whether some seat cannot see everything.
    canonical : bool
        Whether the sampler promises the same world for the same knowledge and seed, not only the same distribution.
    merges : bool
        Whether different histories often lead to one position, by `key`.
    effort : float
        Share of the usual number of events to try in the search for histories; below 1 if events are slow.
    timer : Timer
        Timer that every step asks whether to continue.
    """

    sampler: ClassVar[str]
    sampled: ClassVar[bool] = True
    checks: ClassVar[tuple[str, ...]] = SAMPLED
    seats: ClassVar[int] = 3
    twinned: ClassVar[bool] = False
    leaking: ClassVar[str] = "depends on what the seat cannot know"
    effort: ClassVar[float] = 1.0
    canonical: ClassVar[bool]
    spec: str
    players: int
    hidden: bool
    merges: bool
    timer: Timer = Timer()

    # ---- rules --------------------------------------------------------------------------------

    @abstractmethod
    def start(self) -> S:
        """Return the start of the game."""

    @abstractmethod
    def actor(self, place: S) -> int:
        """Return who acts: a seat, `CHANCE` or `TERMINAL`."""

    @abstractmethod
    def events(self, place: S) -> list[tuple[int, int]]:
        """Return the legal moves, each with weight 1, or the chance outcomes with their weights."""

    @abstractmethod
    def after(self, place: S, event: int) -> S:
        """Return the position after an event."""

    @abstractmethod
    def text(self, place: S, event: int) -> str:
        """Return the event in the game's notation."""

    @abstractmethod
    def key(self, place: S) -> Hashable:
        """Return a key; it is equal for two positions only if nothing that follows distinguishes them."""

    # ---- who knows what -----------------------------------------------------------------------

    @abstractmethod
    def news(self, before: S, event: int, after: S, seat: int) -> Hashable | None:
        """Return what a seat learned from an event; None: nothing, not even that there was one."""

    @abstractmethod
    def known(self, place: S, seat: int) -> Hashable:
        """Return the seat's knowledge, in the form that its worlds must preserve."""

    @abstractmethod
    def sights(self, place: S, seat: int) -> dict[str, Any]:
        """Return everything that the seat can see, by the name of its source."""

    def compared(self, place: S, other: S, seat: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return those sights of two positions that must be equal if the seat cannot tell them apart."""
        return self.sights(place, seat), self.sights(other, seat)

    @abstractmethod
    def secret(self, place: S, seat: int) -> Hashable:
        """Return what distinguishes worlds of the seat: everything that the other seats can see."""

    @abstractmethod
    def parts(self, place: S, seat: int) -> dict[str, Hashable]:
        """Return the secrets of the others in pieces, each under its name."""

    def whole(self, place: S, seat: int) -> Hashable:
        """Return the secret that identifies a world in counts, without irrelevant details such as draw orders."""
        return self.secret(place, seat)

    # ---- the sampler --------------------------------------------------------------------------

    @abstractmethod
    def sample(self, place: S, seat: int, seed: int) -> S:
        """Return a world of the seat, drawn by the sampler under audit; raises `Refused`."""

    def blind(self, place: S, seat: int, seed: int) -> S | None:
        """Return the world that the sampler draws with the secrets overwritten; None: they cannot be overwritten."""
        return None

    def independent(self, place: S, seat: int, seed: int) -> S | None:
        """Return a history of the same record from a source other than the audited sampler; None: there is none."""
        return None

    # ---- faults that a single position shows ------------------------------------------------------

    def faults(self, place: S, seat: int, seed: int) -> Iterator[Fault]:
        """Yield the checks of a position alone, without worlds, and the faults."""
        return iter(())

    def impossible(self, world: S, seat: int) -> str | None:
        """Return why no history leads to a world, if the world itself shows it."""
        return None

    def unfaithful(self, place: S, world: S, seat: int) -> str | None:
        """Return what differs in a world that was serialised and read again."""
        return None

    def mislabelled(self, place: S, worlds: list[S], seat: int, seed: int) -> str | None:
        """Return the event whose label shows the seat more or less than it may see; None also without labels."""
        return None

    def twins(self, seed: int) -> tuple[int, list[Twin]]:
        """Play a game, and compare it with others that a seat cannot tell apart from it: positions, and differences."""
        return 0, []
