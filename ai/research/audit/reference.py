"""The reference for a seat's worlds: all histories of its record with their weights, or histories drawn by rejection.

A record is the seat's own moves and what it learned from other events, in order. A history belongs to it if it would
have given the seat the same record and ends at the same decision. The weight of a history is the product of the
probabilities of its chance events. The right weight of opponents' hidden moves is a matter of opinion, so there are
three priors (`PRIORS`); a sampler may follow any of them.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic

from sfida.ai.research.audit.subject import OutOfTime, S, Subject
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import CHANCE, TERMINAL

# ---- The histories of a seat's record: enumerated with their weights, or drawn by rejection

MOST_TRIED = 20_000     # most events tried in an enumeration
MOST_AHEAD = 4_000      # most unfinished histories in an enumeration
LEAST_DRAWN = 100       # accepted histories below which a sample says nothing
PRIORS = ("every hidden move counts once", "hidden moves are random", "every world counts once")

OWN = "own"
_HOPELESS = 20          # multiple of MOST_AHEAD; with more histories by estimate, enumeration is not tried
_WALKS = 3
_CHANGES = 4            # hidden events changed in the true history to make another one
_PROBED = 10            # fraction (one in N) of the effort after which rejection ends if it gave too little
Item = Hashable


@dataclass(frozen=True)
class Reference(Generic[S]):
    """Histories of one record.

    Attributes
    ----------
    places : list
        The positions at which they end.
    weights : dict of str to list of float
        Their weights by each prior.
    exact : bool
        Whether all are enumerated. Otherwise they were drawn, and the weights are those of the draws.
    """

    places: list[S]
    weights: dict[str, list[float]]
    exact: bool


def item(subject: Subject[S], before: S, event: int, after: S, seat: int) -> Item | None:
    """Return what an event adds to the record of a seat, or None."""
    news = subject.news(before, event, after, seat)
    return (OWN, event, news) if subject.actor(before) == seat else news


Step = tuple[int, int]  # items of the record accounted for, and events since then that the seat did not notice
Ahead = list[tuple[S, Step, float]]     # possible continuations: the position, the step, and the weight of the event
ALL, SOME = "all", "some"       # how many events of a step agree with the record; a number: only that event


class Record(Generic[S]):
    """The record of a seat in a line of play.

    Parameters
    ----------
    subject : Subject
    places : list
        The positions of the line, from the start; the last one is the seat's present position.
    events : list of int
        The events between them.
    seat : int
    """

    def __init__(self, subject: Subject[S], places: list[S], events: list[int], seat: int) -> None:
        self.subject = subject
        self.seat = seat
        self.actor = subject.actor(places[-1])
        self.known = subject.known(places[-1], seat)
        self.items: list[Item] = []
        self._places = places
        self._events = events
        self._steps: list[Step] = [(0, 0)]
        self._line: dict[Step, S] = {}
        self._fitting: dict[Step, int | str] = {}
        unseen = 0
        for before, event, after in zip(places, events, places[1:], strict=False):
            self._line[len(self.items), unseen] = before
            new = item(subject, before, event, after, seat)
            unseen += 1
            if new is not None:
                self.items.append(new)
                unseen = 0
            self._steps.append((len(self.items), unseen))

    # ---- one step ------------------------------------------------------------------------------

    def _tells(self, step: Step) -> int | str:
        """Return which events agree with the record at a step of the line; other histories try these first."""
        if step not in self._line:
            return SOME
        found = self._fitting.get(step)
        if found is None:
            place = self._line[step]
            events = self.subject.events(place)
            fitting = [event for event, _ in events if self._fits(place, step, event) is not None]
            found = fitting[0] if len(fitting) == 1 else ALL if len(fitting) == len(events) else SOME
            self._fitting[step] = found
        return found

    def _fits(self, place: S, step: Step, event: int) -> tuple[S, Step] | None:
        """Return the state after an event if it agrees with the record, otherwise None."""
        self.subject.timer.check()
        child = self.subject.after(place, event)
        if self.subject.actor(child) == TERMINAL:
            return None
        at, unseen = step
        new = item(self.subject, place, event, child, self.seat)
        if new is None:
            return child, (at, unseen + 1)
        return (child, (at + 1, 0)) if at < len(self.items) and new == self.items[at] else None

    def _next(self, place: S, step: Step, events: list[tuple[int, int]]) -> Ahead[S]:
        """Return the possible continuations."""
        if self.subject.actor(place) == self.seat:
            wanted = self.items[step[0]] if step[0] < len(self.items) else None
            only: int | str = wanted[1] if isinstance(wanted, tuple) and wanted[:1] == (OWN,) else SOME
            if only == SOME:
                return []
        else:
            only = self._tells(step)
        if isinstance(only, int):
            found = self._following(place, step, [pair for pair in events if pair[0] == only])
            if found or self.subject.actor(place) == self.seat:
                return found
        return self._following(place, step, events)

    def _following(self, place: S, step: Step, events: list[tuple[int, int]]) -> Ahead[S]:
        found = []
        for event, weight in events:
            reached = self._fits(place, step, event)
            if reached is not None:
                found.append((*reached, float(weight)))
        return found

    def _ends(self, place: S, step: Step) -> bool:
        """Return whether a history may end here; the checks find out whether it looks the same to the seat."""
        return step[0] == len(self.items) and self.subject.actor(place) == self.actor

    # ---- all histories -------------------------------------------------------------------------

    def listed(self, most: int = MOST_TRIED) -> Reference[S] | None:
        """Return every history, with equal positions merged; None if there are too many."""
        subject = self.subject
        if not subject.merges and self._estimate() > _HOPELESS * MOST_AHEAD:
            return None
        begin = subject.start()
        ahead: dict[tuple[Hashable, Step], tuple[S, float, float]] = {(subject.key(begin), (0, 0)): (begin, 1.0, 1.0)}
        ends: dict[Hashable, tuple[S, float, float]] = {}
        tried = 0
        while ahead:
            further: dict[tuple[Hashable, Step], tuple[S, float, float]] = {}
            for (key, step), (place, once, random) in ahead.items():
                if self._ends(place, step):
                    _, a, b = ends.get(key, (place, 0.0, 0.0))
                    ends[key] = (place, a + once, b + random)
                events = subject.events(place)
                total = sum(weight for _, weight in events)
                luck, own = subject.actor(place) == CHANCE, subject.actor(place) == self.seat
                following = self._next(place, step, events)
                tried += 1 + len(following)
                for child, now, weight in following:
                    share = weight / total
                    _, a, b = further.get((subject.key(child), now), (child, 0.0, 0.0))
                    further[subject.key(child), now] = (child, a + once * (share if luck else 1.0),
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

    def _estimate(self) -> float:
        """Estimate the number of histories from the branching along a few random walks (Knuth 1975)."""
        rng, counts = Random(len(self.items)), []
        for _ in range(_WALKS):
            place, step, ways = self.subject.start(), (0, 0), 1.0
            while not self._ends(place, step):
                events = self.subject.events(place)
                ahead = self._next(place, step, events)
                if not ahead:
                    break
                ways *= len(ahead)
                if ways > _HOPELESS * MOST_AHEAD:
                    break
                place, step, _ = ahead[rng.below(len(ahead))]
            counts.append(ways)
        return min(counts)

    # ---- other histories -----------------------------------------------------------------------

    def varied(self, rng: Random, most: int) -> S | None:
        """Return the end of another history of the record, made from the true one by changing hidden events.

        Parameters
        ----------
        rng : Random
        most : int
            Most events to try.

        Returns
        -------
        position or None
            None if no event could be changed.
        """
        places, events, made, tried = self._places, self._events, 0, 0
        while tried < most and made < _CHANGES and events:
            tried += 1
            slot = rng.below(len(events))
            if self.subject.actor(places[slot]) == self.seat:
                continue
            others = [event for event, _ in self.subject.events(places[slot]) if event != events[slot]]
            if not others:
                continue
            line, tests = self._changed(places, events, slot, others[rng.below(len(others))])
            tried += tests
            if line is not None:
                places, events = line
                made += 1
        return places[-1] if made else None

    def _changed(self, places: list[S], events: list[int], slot: int,
                 change: int) -> tuple[tuple[list[S], list[int]] | None, int]:
        """Return a line with another event at one index, or None if it cannot be followed; and the number of tries.

        If a later event draws what the change has used up, it draws what the change has freed instead.
        """
        old = events[slot]
        fresh, done = places[:slot + 1], events[:slot]
        for i in range(slot, len(events)):
            event = change if i == slot else events[i]
            if i > slot and event == change:
                possible = {each for each, _ in self.subject.events(fresh[-1])}
                event = event if event in possible or old not in possible else old
            if i > slot and event not in {each for each, _ in self.subject.events(fresh[-1])}:
                return None, i - slot
            reached = self._fits(fresh[-1], self._steps[i], event)
            if reached is None or reached[1] != self._steps[i + 1]:
                return None, i - slot + 1
            fresh.append(reached[0])
            done.append(event)
        same = self._ends(fresh[-1], self._steps[-1]) and self.subject.known(fresh[-1], self.seat) == self.known
        return ((fresh, done) if same else None), len(events) - slot

    # ---- some histories ------------------------------------------------------------------------

    def drawn(self, count: int, rng: Random, most: int) -> Reference[S] | None:
        """Return histories drawn by chance and random moves from the start; histories of other records are rejected.

        Parameters
        ----------
        count : int
            Number of histories wanted.
        rng : Random
        most : int
            Most events to try in all.

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
            if most - left > most // _PROBED and len(found) < LEAST_DRAWN // _PROBED:
                break                       # the rest of the effort would not find enough
        if len(found) < LEAST_DRAWN:
            return None
        kept = {PRIORS[0]: _accepted([once for _, once, _ in found], rng),
                PRIORS[1]: _accepted([random for _, _, random in found], rng)}
        return Reference([place for place, _, _ in found], kept, False)

    def _draw(self, rng: Random) -> tuple[tuple[S, float, float] | None, int]:
        """Walk once; return the end with its weight by the first two priors, and the number of events tried."""
        subject = self.subject
        place, step, tried, once, random = subject.start(), (0, 0), 0, 1.0, 1.0
        while True:
            events = subject.events(place)
            ahead, mass = self._ahead(place, step, events, rng)
            tried += max(1, len(ahead))
            if self._ends(place, step):
                if not ahead:
                    return (place, once, random), tried
                once, random = 2 * once, 2 * random
                if rng.below(2):
                    return (place, once, random), tried
            if not ahead:
                return None, tried
            total = sum(weight for _, weight in events)
            if subject.actor(place) == CHANCE:
                once *= mass / total
            elif subject.actor(place) != self.seat:
                once *= mass
            if subject.actor(place) != self.seat:
                random *= mass / total
            place, step, _ = ahead[pick([weight for _, _, weight in ahead], rng)]

    def _ahead(self, place: S, step: Step, events: list[tuple[int, int]], rng: Random) -> tuple[Ahead[S], float]:
        """Return the continuations and their weight; if all events agree with the record, one drawn from all."""
        if events and self.subject.actor(place) != self.seat and self._tells(step) == ALL:
            drawn = self._following(place, step, [events[pick([float(weight) for _, weight in events], rng)]])
            if drawn:
                return drawn, float(sum(weight for _, weight in events))
        ahead = self._next(place, step, events)
        return ahead, sum(weight for _, _, weight in ahead)


def pick(weights: list[float], rng: Random) -> int:
    """Return an index, drawn in proportion to the weights."""
    left = rng.uniform() * sum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    return len(weights) - 1


def _accepted(factors: list[float], rng: Random) -> list[float]:
    """Return 1 for each draw that is kept, with a probability in proportion to its factor, and 0 for the others."""
    most = max(factors)
    return [float(rng.uniform() * most < factor) for factor in factors]


# ---- One seat at one position: its record, its worlds, and other histories that it cannot tell apart

LISTING = 0.3           # share of a position's time for the enumeration
OTHERS = 12             # histories requested to find one with other secrets
VARIED = 10_000         # most events tried to make one from the true history


@dataclass
class SeatPlace(Generic[S]):
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
        """Return the world with this number, of the true position or of another one; raises `Refused`."""
        self.subject.timer.check()
        return self.subject.sample(self.truth if truth is None else truth, self.seat, derive(self.seed, 1, number))

    def other(self) -> S | None:
        """Return a history of the same record with other secrets; None if none was found."""
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
            if place is None and subject.canonical:     # by an earlier check, its worlds look the same to the seat
                place = self.sample(1000 + number)
            if place is None:
                return None
            if subject.known(place, seat) == self.record.known and subject.secret(place, seat) != truth:
                return place
        return None

    def gives_the_truth(self, worlds: int) -> bool:
        """Return whether this number of worlds all have the true secrets."""
        secret = self.subject.secret(self.truth, self.seat)
        return all(self.subject.secret(self.sample(number), self.seat) == secret for number in range(worlds))
