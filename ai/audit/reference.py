"""What a seat's worlds should be: all histories of its record, listed with their weights, or drawn by rejection.

A record is the seat's own moves and what it learnt from other events, in order. A history belongs to it if it would
have given the seat the same record and ends where the same is to be decided. The weight of a history is the product of
the probabilities of its chance events. How much hidden moves of opponents weigh is a matter of opinion, so there are
three weights (`PRIORS`); a sampler may follow any of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic

from sfida.ai.audit.subject import CHANCE, TERMINAL, S, Subject
from sfida.cython_ext.rng import Random

MOST_TRIED = 20_000     # events tried before listing is given up
MOST_AHEAD = 4_000      # histories under way before listing is given up
LEAST_DRAWN = 100       # fewer accepted histories say nothing
PRIORS = ("every hidden move counts once", "hidden moves are random", "every world counts once")

Item = tuple[str, int, Hashable | None] | Hashable


@dataclass(frozen=True)
class Reference(Generic[S]):
    """Histories of one record.

    Attributes
    ----------
    places : list
        Where they end.
    weights : dict of str to list of float
        Their weights by each prior.
    exact : bool
        All are listed. Otherwise they were drawn, and the weights are how much each draw counts.
    """

    places: list[S]
    weights: dict[str, list[float]]
    exact: bool


def item(subject: Subject[S], before: S, event: int, after: S, seat: int) -> Item | None:
    """Return what an event adds to the record of a seat, or None."""
    news = subject.news(before, event, after, seat)
    return ("own", event, news) if subject.actor(before) == seat else news


class Record(Generic[S]):
    """The record of a seat in a line of play.

    Parameters
    ----------
    subject : Subject
    places : list
        The positions of the line, from the start; the last one is where the seat stands.
    events : list of int
        The events between them.
    seat : int
    """

    def __init__(self, subject: Subject[S], places: list[S], events: list[int], seat: int) -> None:
        self.subject = subject
        self.seat = seat
        self.actor = subject.actor(places[-1])
        self.known = subject.known(places[-1], seat)
        items = [item(subject, before, event, after, seat)
                 for before, event, after in zip(places, events, places[1:], strict=False)]
        self.items: list[Item] = [each for each in items if each is not None]

    def _next(self, place: S, at: int) -> list[tuple[S, int, float, int]]:
        """Return what may follow: the position, the items accounted for, the weight, and of how much."""
        subject, seat = self.subject, self.seat
        wanted = self.items[at] if at < len(self.items) else None
        events = subject.events(place)
        total = sum(weight for _, weight in events)
        if subject.actor(place) == seat:
            own = wanted[1] if isinstance(wanted, tuple) and wanted[:1] == ("own",) else None
            events = [(event, weight) for event, weight in events if event == own]
        found = []
        for event, weight in events:
            child = subject.after(place, event)
            if subject.actor(child) == TERMINAL:
                continue
            new = item(subject, place, event, child, seat)
            if new is None or new == wanted:
                found.append((child, at + (new is not None), float(weight), total))
        return found

    def _ends(self, place: S, at: int) -> bool:
        return (at == len(self.items) and self.subject.actor(place) == self.actor
                and self.subject.known(place, self.seat) == self.known)

    def listed(self, most: int = MOST_TRIED) -> Reference[S] | None:
        """Return every history, equal positions as one; None if there are too many."""
        subject = self.subject
        begin = subject.start()
        ahead: dict[tuple[Hashable, int], tuple[S, int, float, float]] = {
            (subject.key(begin), 0): (begin, 0, 1.0, 1.0)}
        ends: dict[Hashable, tuple[S, float, float]] = {}
        tried = 0
        while ahead:
            further: dict[tuple[Hashable, int], tuple[S, int, float, float]] = {}
            for place, at, once, random in ahead.values():
                if self._ends(place, at):
                    key = subject.key(place)
                    _, a, b = ends.get(key, (place, 0.0, 0.0))
                    ends[key] = (place, a + once, b + random)
                tried += len(subject.events(place))
                luck, own = subject.actor(place) == CHANCE, subject.actor(place) == self.seat
                for child, now, weight, total in self._next(place, at):
                    share = weight / total
                    same = (subject.key(child), now)
                    _, _, a, b = further.get(same, (child, now, 0.0, 0.0))
                    further[same] = (child, now, a + once * (share if luck else 1.0),
                                     b + random * (1.0 if own else share))
                if tried > most or len(further) > MOST_AHEAD:
                    return None
            ahead = further
        found = list(ends.values())
        secrets = [subject.secret(place, self.seat) for place, _, _ in found]
        alike = Counter(secrets)
        return Reference([place for place, _, _ in found], dict(zip(PRIORS, (
            [a for _, a, _ in found], [b for _, _, b in found], [1.0 / alike[each] for each in secrets]),
            strict=True)), True)

    def drawn(self, count: int, rng: Random, most: int) -> Reference[S] | None:
        """Return histories drawn from the start by chance and by random moves, those of other records rejected.

        Parameters
        ----------
        count : int
            Histories wanted.
        rng : Random
        most : int
            Events tried, in all.

        Returns
        -------
        Reference or None
            None if fewer than `LEAST_DRAWN` were found.
        """
        found: list[tuple[S, float, float]] = []
        left = most
        while len(found) < count and left > 0:
            one, tried = self._draw(rng)
            left -= max(tried, 1)
            if one is not None:
                found.append(one)
        if len(found) < LEAST_DRAWN:
            return None
        kept = {PRIORS[k]: _accepted([each[k + 1] for each in found], rng) for k in (0, 1)}
        return Reference([place for place, _, _ in found], kept, False)

    def _draw(self, rng: Random) -> tuple[tuple[S, float, float] | None, int]:
        """Walk once; return where it ended with how much that counts by the first two priors, and the events tried."""
        subject = self.subject
        place, at, tried, once, random = subject.start(), 0, 0, 1.0, 1.0
        while True:
            ahead = self._next(place, at)
            tried += len(subject.events(place))
            if self._ends(place, at):
                if not ahead:
                    return (place, once, random), tried
                once, random = 2 * once, 2 * random
                if rng.below(2):
                    return (place, once, random), tried
            if not ahead:
                return None, tried
            mass = sum(weight for _, _, weight, _ in ahead)
            if subject.actor(place) == CHANCE:
                once, random = once * mass / ahead[0][3], random * mass / ahead[0][3]
            elif subject.actor(place) != self.seat:
                once, random = once * mass, random * mass / ahead[0][3]
            pick = rng.uniform() * mass
            for place, at, weight, _total in ahead:
                pick -= weight
                if pick < 0:
                    break


def _accepted(factors: list[float], rng: Random) -> list[float]:
    """Return 1 for each draw that is kept, with a probability in proportion to its factor, and 0 for the others."""
    most = max(factors)
    return [float(rng.uniform() * most < factor) for factor in factors]
