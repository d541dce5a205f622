"""One seat at one position: its record, its worlds, and other histories that it cannot tell apart."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Generic

from sfida.ai.audit.reference import MOST_TRIED, Record, Reference
from sfida.ai.audit.subject import S, Subject
from sfida.ai.audit.timing import OutOfTime
from sfida.cython_ext.rng import Random, derive

LISTING = 0.3           # of the time of a position
OTHERS = 12             # histories asked for to find one with other secrets
VARIED = 10_000         # events tried to make one from the true history


@dataclass
class Place(Generic[S]):
    """One seat at one position of a random game."""

    subject: Subject[S]
    places: list[S]
    events: list[int]
    seat: int
    seed: int
    record: Record[S] = field(init=False)
    reference: Reference[S] | None = field(init=False)

    def __post_init__(self) -> None:
        self.record = Record(self.subject, self.places, self.events, self.seat)
        self.reference = None
        if self.subject.sampled:
            with self.subject.timer.share(LISTING), contextlib.suppress(OutOfTime):
                self.reference = self.record.listed(int(self.subject.effort * MOST_TRIED))

    @property
    def truth(self) -> S:
        return self.places[-1]

    def sample(self, number: int, truth: S | None = None) -> S:
        """Return a numbered world, of the true position or of another one; raises `Refused`."""
        self.subject.timer.check()
        return self.subject.sample(self.truth if truth is None else truth, self.seat, derive(self.seed, 1, number))

    def other(self) -> S | None:
        """Return a history of the same record with other secrets, or None if none was found."""
        subject, seat, truth = self.subject, self.seat, self.subject.secret(self.truth, self.seat)
        if self.reference is not None:
            others = [place for place in self.reference.places if subject.secret(place, seat) != truth]
            return others[Random(derive(self.seed, 2)).below(len(others))] if others else None
        luck = Random(derive(self.seed, 5))
        if not subject.canonical and (subject.sampled or luck.below(2)):
            place = self.record.varied(luck, int(subject.effort * VARIED))
            if place is not None and subject.secret(place, seat) != truth:
                return place
        for number in range(OTHERS):
            place = subject.independent(self.truth, seat, derive(self.seed, 3, number))
            if place is None and subject.canonical:     # its worlds keep what the seat is shown: that was checked
                place = self.sample(1000 + number)
            if place is None:
                return None
            if subject.known(place, seat) == self.record.known and subject.secret(place, seat) != truth:
                return place
        return None

    def gives_the_truth(self, worlds: int) -> bool:
        """Return whether so many worlds all hold the true secrets."""
        secret = self.subject.secret(self.truth, self.seat)
        return all(self.subject.secret(self.sample(number), self.seat) == secret for number in range(worlds))
