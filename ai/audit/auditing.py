"""The audit of one game: positions of random games, what is checked at each, and what is found."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic

from sfida.ai.audit.features import Features, Row
from sfida.ai.audit.reference import MOST_TRIED, Record, Reference, pick
from sfida.ai.audit.result import CHECKS, FOUND, NOT_APPLICABLE, PASSED, Audit, Check, Finding, Reproduction
from sfida.ai.audit.subject import TERMINAL, Refused, S, Subject
from sfida.cython_ext.rng import Random, derive

POSITIONS, SAMPLES, ALPHA = 60, 400, 0.001
WORLDS = 4              # worlds drawn at every position
SCREENED = 8            # worlds that are compared with the truth at every position
SEATS = 3               # most seats audited at one position
TESTED = 12             # positions with statistical tests, those besides that look odd
SUSPECTS = 12           # most positions tested because all their worlds are the truth
TWINS = 5               # games that are compared with their twins
LEAST_GAMES = 60        # games in which rare kinds of decisions are looked for,
MOST_SEEN = 5_000       # unless they have had so many decisions
WORDED = 12             # moves of a decision whose words are read
PLIES = 2000            # events after which a random game is abandoned
CONFIRMED = 2           # as many times the samples are drawn afresh to confirm a statistical finding
DRAWN_EVENTS = 60_000  # events tried to draw a reference by rejection
OTHERS = 12             # histories asked for to find one with other secrets
_SHOWN = 6              # pieces that a reproduction names
_WORD = re.compile("[A-Za-z]{4,}")
_QUOTED = re.compile(r"'[^']*'")
_LONG = 60              # characters of a piece that it shows

MOVES = ("legal_moves", "legal_actions", "candidate_moves", "texts of the moves", "descriptions of the moves",
         "parts of the moves", "move_priors", "move_features", "legal_moves of the view")
WRITTEN = ("view.key()", "pickle of the view", "line to a program")


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
        self.reference = self.record.listed(int(self.subject.effort * MOST_TRIED))

    @property
    def truth(self) -> S:
        return self.places[-1]

    def sample(self, number: int, truth: S | None = None) -> S:
        """Return a numbered world, of the true position or of another one; raises `Refused`."""
        return self.subject.sample(self.truth if truth is None else truth, self.seat, derive(self.seed, 1, number))

    def other(self) -> S | None:
        """Return a history of the same record with other secrets, or None if none was found."""
        subject, seat, truth = self.subject, self.seat, self.subject.secret(self.truth, self.seat)
        if self.reference is not None:
            others = [place for place in self.reference.places if subject.secret(place, seat) != truth]
            return others[Random(derive(self.seed, 2)).below(len(others))] if others else None
        for number in range(OTHERS):
            place = subject.independent(self.truth, seat, derive(self.seed, 3, number))
            if place is None and subject.canonical:     # its worlds keep what the seat is shown: that was checked
                place = self.sample(1000 + number)
            if place is None:
                return None
            if subject.known(place, seat) == self.record.known and subject.secret(place, seat) != truth:
                return place
        return None


class Auditor(Generic[S]):
    """Audits a game.

    Parameters
    ----------
    subject : Subject
    seed : int
        Root of all random choices.
    positions : int
        Decisions looked at.
    samples : int
        Worlds drawn for each statistical test.
    alpha : float
        Bound on the probability of a statistical finding where nothing is wrong.
    """

    def __init__(self, subject: Subject[S], *, seed: int = 1, positions: int = POSITIONS, samples: int = SAMPLES,
                 alpha: float = ALPHA) -> None:
        self.subject = subject
        self.seed = seed
        self.positions = positions
        self.samples = samples
        self.alpha = alpha
        self._tried = dict.fromkeys(CHECKS, 0)
        self._found: dict[tuple[str, str], Finding] = {}
        self._refused: dict[str, int] = {}
        self._tests: list[tuple[float, str, str, Callable[[], float], Place[S], S | None]] = []
        self._without_reference = 0
        self._lines: list[list[int]] = []       # events of the games
        self._games = self._looked = self._tested = self._suspects = 0

    def run(self, on_progress: Callable[[int, int], None] | None = None) -> Audit:
        """Audit; `on_progress` is told the positions looked at, and of how many."""
        for number, ply in self._stops():
            places, events = self._replayed(number, ply)
            self._look(places, events)
            self._looked += 1
            if on_progress is not None:
                on_progress(self._looked, self.positions)
        self._follow_twins()
        self._judge()
        findings = tuple(sorted(self._found.values(), key=lambda each: (list(CHECKS).index(each.check), each.what)))
        checks = tuple(self._check(name) for name in CHECKS)
        return Audit(self.subject.spec, self.subject.sampler, self.seed, self._games, self._looked, self.samples,
                     self.alpha, len(self._tests), self._refused, checks, findings)

    def _check(self, name: str) -> Check:
        tried = self._tried[name]
        if any(check == name for check, _ in self._found):
            return Check(name, FOUND, tried)
        note = ""
        if not tried:
            note = "nothing is hidden" if not self.subject.hidden else "there is nothing to compare with" if name in (
                "distribution", "permuted", "shown", "legal lists") else f"{self.subject.sampler} has none"
        elif name == "distribution" and self._without_reference:
            note = f"{self._without_reference} positions are too large to compare with"
        return Check(name, PASSED if tried else NOT_APPLICABLE, tried, note)

    # ---- positions ------------------------------------------------------------------------------

    def _stops(self) -> list[tuple[int, int]]:
        """Play random games; return where to look at them, by game and event.

        Half of the positions are one of each game, drawn at random, and its last decision. The others are of the kinds
        of decisions that are rarest: two are of one kind if the same words stand in their moves.
        """
        usual: list[tuple[int, int]] = []
        kinds: dict[frozenset[str], list[tuple[int, int]]] = {}
        seen = 0
        for number in range(max(self.positions, LEAST_GAMES)):
            rng = Random(derive(self.seed, 10, number))
            decisions = []
            for ply, kind in self._game(rng):
                decisions.append((number, ply))
                kinds.setdefault(kind, []).append((number, ply))
            self._games += 1
            if decisions:
                usual += dict.fromkeys([decisions[rng.below(len(decisions))], decisions[-1]])
            seen += len(decisions)
            if seen > MOST_SEEN and len(usual) >= self.positions:
                break
        rng = Random(derive(self.seed, 13))
        rare = sorted(kinds.values(), key=len)
        for found in rare:
            rng.shuffle(found)
        turns = [each for turn in itertools.zip_longest(*rare[:self.positions]) for each in turn if each is not None]
        chosen = dict.fromkeys(one for pair in itertools.zip_longest(usual, turns) for one in pair if one is not None)
        return list(chosen)[:self.positions]

    def _game(self, rng: Random) -> Iterator[tuple[int, frozenset[str]]]:
        """Play at random, and keep the events; yield the decisions with their kinds."""
        subject, place = self.subject, self.subject.start()
        events: list[int] = []
        self._lines.append(events)
        while subject.actor(place) != TERMINAL and len(events) < PLIES:
            found = subject.events(place)
            if subject.actor(place) >= 0:
                texts = " ".join(subject.text(place, event) for event, _ in found[:WORDED])
                yield len(events), frozenset(_WORD.findall(texts))
            events.append(found[pick([float(weight) for _, weight in found], rng)][0])
            place = subject.after(place, events[-1])

    def _replayed(self, number: int, ply: int) -> tuple[list[S], list[int]]:
        """Return the positions and events of a game up to one of its events."""
        events = self._lines[number][:ply]
        places = [self.subject.start()]
        for event in events:
            places.append(self.subject.after(places[-1], event))
        return places, events

    def _look(self, places: list[S], events: list[int]) -> None:
        """Check one position, for the seat to move and the next ones."""
        first = self.subject.actor(places[-1])
        tested = self._tested < TESTED
        for k in range(min(SEATS, self.subject.players)):
            seat = (first + k) % self.subject.players
            place = Place(self.subject, places, events, seat, derive(self.seed, 11, self._looked, seat))
            try:
                worlds = [place.sample(number) for number in range(WORLDS)]
                self._tested += tested and k == 0
                self._check_worlds(place, worlds)
                self._check_sampler(place)
                if self.subject.hidden:
                    other = place.other()
                    self._check_shown(place, other)
                    self._plan_tests(place, other, tested)
            except Refused as refusal:
                self._refused[str(refusal)] = self._refused.get(str(refusal), 0) + 1

    def _follow_twins(self) -> None:
        """Compare whole games with their twins: what a view keeps of the past shows in no world."""
        for number in range(min(TWINS, self.positions) if self.subject.hidden else 0):
            seed = derive(self.seed, 12, number) % 2**32
            compared, found = self.subject.twins(seed)
            self._tried["serialisation"] += compared
            self._tried["labels"] += compared
            for twin in found:
                self._keep("labels" if twin.label else "serialisation", twin.what, None, Reproduction(
                    self.subject.spec, self.seed, twin.seat, twin.history, (), ("its twin: " + ", ".join(twin.twin),)))

    # ---- one position -----------------------------------------------------------------------------

    def _check_worlds(self, place: Place[S], worlds: list[S]) -> None:
        """Reachability and serialisation, and labels."""
        subject, seat = self.subject, place.seat
        support = place.reference and {subject.secret(each, seat) for each in place.reference.places}
        for world in worlds:
            self._tried["reachability"] += 1
            if subject.known(world, seat) != place.record.known:
                self._note("reachability", "a world shows the seat something else than the true position", place, world)
            elif subject.actor(world) != place.record.actor:
                self._note("reachability", "another seat is to move in a world", place, world)
            elif support and subject.secret(world, seat) not in support:
                self._note("reachability", "no history of what the seat has seen leads to a world", place, world)
            fault = subject.impossible(world, seat)
            if fault:
                self._note("reachability", fault, place, world)
            self._tried["serialisation"] += 1
            fault = subject.unfaithful(place.truth, world, seat)
            if fault:
                self._note("serialisation", fault, place, world)
        fault = subject.mislabelled(place.truth, worlds, seat, place.seed) if subject.hidden else None
        self._tried["labels"] += subject.canonical and subject.hidden
        if fault:
            self._note("labels", _general(fault), place, None)

    def _check_sampler(self, place: Place[S]) -> None:
        """Poisoned: with the secrets overwritten the same seed gives the same world."""
        subject = self.subject
        for number in range(WORLDS if subject.hidden else 0):
            blind = subject.blind(place.truth, place.seat, derive(place.seed, 1, number))
            if blind is None:
                return
            self._tried["poisoned"] += 1
            world = place.sample(number)
            if subject.key(blind) != subject.key(world):
                self._note("poisoned", "a world drawn from the view differs from that of the true position", place,
                           blind, world)

    def _check_shown(self, place: Place[S], other: S | None) -> None:
        """Sights of histories that the seat cannot tell apart, and, where seeds decide, worlds of both."""
        subject, seat = self.subject, place.seat
        if other is None:
            return
        ours, theirs = subject.sights(place.truth, seat), subject.sights(other, seat)
        self._tried["shown"] += 1
        self._tried["serialisation"] += 1
        self._tried["legal lists"] += place.record.actor == seat
        for name in sorted(ours.keys() | theirs.keys()):
            if ours.get(name) != theirs.get(name):
                check = "legal lists" if name in MOVES else "serialisation" if name in WRITTEN else (
                    "labels" if name == "label" else "shown")
                self._note(check, f"{name} depends on what the seat cannot know", place, other,
                           pieces=(f"{name}: {_shortened(ours.get(name), theirs.get(name))}",))
        if subject.canonical:
            for number in range(WORLDS):
                self._tried["permuted"] += 1
                if subject.key(place.sample(number)) != subject.key(place.sample(number, other)):
                    self._note("permuted", "the same seed gives another world if the secrets are others", place, other)

    # ---- statistics -------------------------------------------------------------------------------

    def _plan_tests(self, place: Place[S], other: S | None, tested: bool) -> None:
        """Make the statistical tests of a position; they are judged together at the end."""
        subject, seat = self.subject, place.seat
        suspect = False
        if other is not None and not subject.canonical and self._suspects < SUSPECTS:
            truth = subject.secret(place.truth, seat)
            suspect = all(subject.secret(place.sample(number), seat) == truth for number in range(SCREENED))
            self._suspects += suspect
        if not tested and not suspect:
            return
        features = Features(subject, seat)

        def rows(truth: S | None, first: int, count: int) -> list[Row]:
            return features.rows([place.sample(number, truth) for number in range(first, first + count)])

        fresh = 10 * self.samples
        mine = rows(None, 0, self.samples)
        reference = place.reference or (
            place.record.drawn(self.samples, Random(derive(place.seed, 4)), int(subject.effort * DRAWN_EVENTS))
            if tested else None)
        if reference is None:
            self._without_reference += tested
        elif not self._strays(place, reference):
            for name, p in features.against(mine, reference):
                def again(name: str = name, reference: Reference[S] = reference) -> float:
                    return dict(features.against(rows(None, fresh, CONFIRMED * self.samples), reference)).get(name, 1.0)
                self._tests.append((p, "distribution", _piece(name), again, place, None))
                self._tried["distribution"] += 1
        if other is not None and not subject.canonical:
            for name, p in features.between(mine, rows(other, self.samples, self.samples)):
                def afresh(name: str = name) -> float:
                    return dict(features.between(rows(None, fresh, CONFIRMED * self.samples),
                                                 rows(other, 2 * fresh, CONFIRMED * self.samples))).get(name, 1.0)
                self._tests.append((p, "permuted", _piece(name), afresh, place, other))
                self._tried["permuted"] += 1

    def _strays(self, place: Place[S], reference: Reference[S]) -> bool:
        """Return whether a world is not in an exact reference at all, which is said as such."""
        return reference.exact and any(check == "reachability" for check, _ in self._found)

    def _judge(self) -> None:
        """Find what is too unlikely among all tests (Bonferroni), and is so again with fresh samples."""
        bound = self.alpha / max(1, len(self._tests))
        for p, check, what, again, place, other in sorted(self._tests, key=lambda test: test[0]):
            if p >= bound:
                break
            try:
                confirmed = again()
            except Refused:
                continue
            if confirmed < bound:
                words = (f"{what} is not drawn by the weights of the histories" if check == "distribution" else
                         f"{what} is drawn otherwise if the true secrets are others")
                self._note(check, words, place, other, p=confirmed)

    # ---- findings ---------------------------------------------------------------------------------

    def _note(self, check: str, what: str, place: Place[S], world: S | None, truth: S | None = None,
              p: float | None = None, pieces: tuple[str, ...] = ()) -> None:
        """Count a finding at a place."""
        subject = self.subject
        moves = tuple(subject.text(one, event) for one, event in zip(place.places, place.events, strict=False))
        differing = pieces or (() if world is None else
                               self._differing(place.truth if truth is None else truth, world, place.seat))
        self._keep(check, what, p, Reproduction(
            subject.spec, self.seed, place.seat, moves, tuple(place.events), differing))

    def _keep(self, check: str, what: str, p: float | None, where: Reproduction) -> None:
        """Count a finding, and keep its shortest history."""
        before = self._found.get((check, what))
        if before is not None and len(before.reproduction.moves) <= len(where.moves):
            p, where = before.p, before.reproduction
        self._found[check, what] = Finding(check, what, 1 if before is None else before.times + 1, p, where)

    def _differing(self, one: S, other: S, seat: int) -> tuple[str, ...]:
        """Return the pieces of the secrets that differ, true first."""
        ours, theirs = self.subject.parts(one, seat), self.subject.parts(other, seat)
        names = [name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)]
        more = [f"and {len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
        return (*(f"{name}: {_shortened(ours.get(name), theirs.get(name))}" for name in names[:_SHOWN]), *more)


def _piece(name: str) -> str:
    """Return the kind of a piece, without the numbers that tell pieces of one kind apart."""
    return name.partition("[")[0].partition(".")[0]


def _general(fault: str) -> str:
    """Return a fault without the moves at which it was met, so that equal ones count as one."""
    return _QUOTED.sub("...", fault)


def _shortened(one: object, other: object) -> str:
    """Return two values from a little before the first difference on."""
    ours, theirs = str(one), str(other)
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
    start = max(0, at - 10)
    return " / ".join(repr(("..." if start else "") + text[start:start + _LONG]
                           + ("..." if len(text) > start + _LONG else "")) for text in (ours, theirs))
