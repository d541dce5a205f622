"""What is audited: the rules of a game, what its seats are shown, and a sampler of worlds, behind one face."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from sfida.ai.audit.result import SAMPLED
from sfida.ai.audit.timing import Timer

CHANCE, TERMINAL = -1, -4

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
        Asked at every step whether to go on.
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
        """Say of which event a label tells the seat more or less than it is shown; None also where there are none."""
        return None

    def twins(self, seed: int) -> tuple[int, list[Twin]]:
        """Play a game, and compare it with others that a seat cannot tell from it: how many positions, what differs."""
        return 0, []
