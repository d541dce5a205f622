"""What is audited, behind one interface: rules, what seats are shown, a sampler of worlds; time and results."""

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

# ---- What an audit says, as plain data

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
    """Where to see a finding again.

    Attributes
    ----------
    spec : str
    seed : int
        Seed of the audit.
    seat : int
    moves : tuple of str
        All events from the start, in the game's notation.
    codes : tuple of int
        The same as codes: Sfida's moves, or OpenSpiel's action ids.
    differing : tuple of str
        What differs between the two worlds, or the two histories, piece by piece.
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
        Positions at which it was met.
    p : float or None
        p-value of a statistical test, for fresh samples; None: the fault needs no statistics.
    reproduction : Reproduction
        The shortest history at which it was met.
    """

    check: str
    what: str
    times: int
    p: float | None
    reproduction: Reproduction


@dataclass(frozen=True)
class Check:
    """What one check has done.

    Attributes
    ----------
    name : str
    status : str
        `FOUND`, `PASSED` or `NOT_APPLICABLE`.
    tried : int
        Comparisons, or statistical tests.
    note : str
        Why it is not applicable, or what it could not look at.
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
        Bound on the probability that the statistical tests find anything where nothing is wrong.
    tests : int
        Statistical tests, over which `alpha` is divided.
    refused : dict of str to int
        What the sampler said where it gave no world, and how often.
    unchecked : dict of str to int
        What there was no time for, and how often.
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


# ---- The time of an audit, and how its steps share it


class OutOfTime(Exception):
    """The time of the step under way is over."""


class Timer:
    """The time that is left, for everything and for the step under way.

    Parameters
    ----------
    seconds : float, optional
        From now on; None: without end.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> bool:
        """Whether the step under way has time left."""
        return self._end == math.inf or time.monotonic() <= self._end

    def check(self) -> None:
        """Raise `OutOfTime` if the time of the step under way is over."""
        if not self.left:
            raise OutOfTime

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """Limit a step to a part of the time that is left to the step around it; that one continues afterwards."""
        whole, now = self._end, time.monotonic()
        self._end = now + part * max(0.0, whole - now)
        try:
            yield
        finally:
            self._end = whole


# ---- Other people's programs kept from writing on the screen


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Discard what a library in C++ writes to standard error about an exception that is dealt with here."""
    try:
        kept = os.dup(2)
    except OSError:                     # closed by the caller
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
    """Discard warnings and all that is printed."""
    with silence(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), \
            contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


# ---- Values of other people's programs, frozen: compared, hashed and printed whatever they are made of

_DEEP = 8               # nested values below which a value is taken by its text
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True)
class Array:
    """The values of an array."""

    kind: str
    shape: tuple[int, ...]
    data: bytes
    text: str = ""          # text of values that are objects

    def __str__(self) -> str:
        import numpy as np

        return self.text or str(np.frombuffer(self.data, self.kind).tolist())

    __repr__ = __str__


def frozen(value: Any, depth: int = 0) -> Hashable:
    """Return something that is equal for equal values, and stays as it is when the value is changed."""
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
    """Write a number over everything inside a value that can be written over."""
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
    """Return the memory that arrays inside a value are windows on, frozen."""
    if hasattr(value, "dtype"):
        base = getattr(value, "base", None)
        return frozen(base) if hasattr(base, "dtype") else None
    if isinstance(value, Mapping):
        return tuple(behind(value[key]) for key in sorted(value, key=repr))
    return tuple(behind(item) for item in value) if isinstance(value, (list, tuple)) else None


# ---- What is audited: the rules of a game, what its seats are shown, and a sampler of worlds, behind one face

S = TypeVar("S")

Fault = tuple[str, str | None, tuple[str, ...]]     # a check, what is wrong (None: nothing), and with what


class Refused(Exception):
    """The sampler gave no world, and said why."""


@dataclass(frozen=True)
class Twin:
    """A history that a seat cannot tell from that of a game, and what of its views differs all the same.

    Attributes
    ----------
    label : bool
        It is for the label to tell; otherwise the view holds too much.
    what : str
    seat : int
    history, twin : tuple of str
        The events from the first different one on.
    """

    label: bool
    what: str
    seat: int
    history: tuple[str, ...]
    twin: tuple[str, ...]


class Subject(ABC, Generic[S]):
    """A game with its sampler. Positions are never changed: every step gives a new one.

    Attributes
    ----------
    spec : str
        What `sfida audit` is called with.
    sampler : str
        Name of the function that draws worlds, or of the one that shows positions where none does.
    sampled : bool
        There is a sampler.
    checks : tuple of str
        The checks that are meant for it.
    seats : int
        Most seats audited at one position, the one to move first.
    leaking : str
        What to say of a sight that differs between positions that the seat cannot tell apart.
    twinned : bool
        It has `twins`.
    players : int
    hidden : bool
        Some seat cannot see everything.
    canonical : bool
        The sampler promises the same world for the same knowledge and seed; otherwise only the same distribution.
    merges : bool
        Different histories often lead to one position, by `key`.
    effort : float
        Part of the usual number of events to try when histories are looked for, where events are slow.
    timer : Timer
        Asked at every step whether to continue.
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
        """Return the legal moves, each with weight 1, or the outcomes of chance with their weights."""

    @abstractmethod
    def after(self, place: S, event: int) -> S:
        """Return where an event leads."""

    @abstractmethod
    def text(self, place: S, event: int) -> str:
        """Return the event in the game's notation."""

    @abstractmethod
    def key(self, place: S) -> Hashable:
        """Return the same for two positions only if nothing that follows tells them apart."""

    # ---- who knows what -----------------------------------------------------------------------

    @abstractmethod
    def news(self, before: S, event: int, after: S, seat: int) -> Hashable | None:
        """Return what a seat has learnt from an event; None: nothing, not even that there was one."""

    @abstractmethod
    def known(self, place: S, seat: int) -> Hashable:
        """Return what the seat is shown, by the channel that its worlds must keep."""

    @abstractmethod
    def sights(self, place: S, seat: int) -> dict[str, Any]:
        """Return everything that the seat is shown, by the name of its source."""

    def compared(self, place: S, other: S, seat: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return those sights of two positions that must be alike if the seat cannot tell them apart."""
        return self.sights(place, seat), self.sights(other, seat)

    @abstractmethod
    def secret(self, place: S, seat: int) -> Hashable:
        """Return what tells worlds of the seat apart: all that the other seats are shown."""

    @abstractmethod
    def parts(self, place: S, seat: int) -> dict[str, Hashable]:
        """Return the secrets of the others piece by piece, each under its name."""

    def whole(self, place: S, seat: int) -> Hashable:
        """Return the secret by which worlds are counted: without what has no consequences, such as orders of draws."""
        return self.secret(place, seat)

    # ---- the sampler --------------------------------------------------------------------------

    @abstractmethod
    def sample(self, place: S, seat: int, seed: int) -> S:
        """Return a world of the seat, drawn by the sampler under audit; raises `Refused`."""

    def blind(self, place: S, seat: int, seed: int) -> S | None:
        """Return the world that the sampler draws when the secrets have been overwritten; None: they cannot be."""
        return None

    def independent(self, place: S, seat: int, seed: int) -> S | None:
        """Return a history of the same record from elsewhere than the sampler under audit; None: there is none."""
        return None

    # ---- faults that one look shows --------------------------------------------------------------

    def faults(self, place: S, seat: int, seed: int) -> Iterator[Fault]:
        """Yield what was looked at in a position alone, without worlds, and what is wrong there."""
        return iter(())

    def impossible(self, world: S, seat: int) -> str | None:
        """Say why no history leads to a world, if that can be told from the world itself."""
        return None

    def unfaithful(self, place: S, world: S, seat: int) -> str | None:
        """Say what differs in a world that was written down and read again."""
        return None

    def mislabelled(self, place: S, worlds: list[S], seat: int, seed: int) -> str | None:
        """Say of which event a label shows the seat more or less than it is shown; None also where there are none."""
        return None

    def twins(self, seed: int) -> tuple[int, list[Twin]]:
        """Play a game, and compare it with others that a seat cannot tell from it: how many positions, what differs."""
        return 0, []
