"""The audit of one game: positions of random games, the statistical tests at each, and the findings."""

from __future__ import annotations

import contextlib
import itertools
import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, Generic

from sfida.ai.research.audit import of_pettingzoo
from sfida.ai.research.audit.of_openspiel import ADAPTER, OpenSpielSubject, resampling_games
from sfida.ai.research.audit.of_sfida import StateSubject
from sfida.ai.research.audit.reference import PRIORS, Reference, SeatPlace, pick
from sfida.ai.research.audit.subject import (
    CHECKS, FOUND, NOT_APPLICABLE, PASSED, SAMPLING, Audit, Check, Finding, OutOfTime, Refused, Reproduction, S,
    Subject, Timer
)
from sfida.cython_ext.errors import InvalidOption
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import TERMINAL
from sfida.engines.registry import make_game
from sfida.engines.spec import parse_spec

# ---- Chi-square tests of counts against probabilities, and of two samples against each other

_LEAST = 8.0            # smallest expected count of a cell; smaller cells are merged
_STEPS = 10_000
_TINY = 1e-300


def tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square variable of a given number of degrees of freedom is at least `value`.

    The upper incomplete gamma function, by its series or its continued fraction (Abramowitz and Stegun 6.5.29, 6.5.31).
    """
    if value <= 0 or freedom < 1:
        return 1.0
    a, x = freedom / 2, value / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, _STEPS):
            term *= x / (a + n)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1.0 - front * total)
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    fraction = d
    for n in range(1, _STEPS):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def fit(counts: Mapping[Hashable, int], shares: Mapping[Hashable, float]) -> float:
    """Return the p-value of counts that should follow probabilities; 0 if a cell of probability 0 has a count.

    Parameters
    ----------
    counts : mapping
    shares : mapping
        Weights of the cells, not necessarily adding up to 1.
    """
    number, total = sum(counts.values()), sum(shares.values())
    if any(count and not shares.get(cell) for cell, count in counts.items()):
        return 0.0
    cells = sorted(((number * share / total, _order(cell), cell) for cell, share in shares.items()),
                   key=lambda each: each[:2])
    value, used, rest = 0.0, 0, (0.0, 0)
    for mean, _, cell in cells:
        rest = (rest[0] + mean, rest[1] + counts.get(cell, 0))
        if rest[0] >= _LEAST:
            value, used, rest = value + (rest[1] - rest[0]) ** 2 / rest[0], used + 1, (0.0, 0)
    return tail(value, used - 1)


def same(one: Mapping[Hashable, int], other: Mapping[Hashable, int]) -> float:
    """Return the p-value of two samples that should come from one distribution."""
    n, m = sum(one.values()), sum(other.values())
    if not n or not m:
        return 1.0
    cells = sorted(((one.get(cell, 0) + other.get(cell, 0), _order(cell), cell) for cell in {*one, *other}),
                   key=lambda each: each[:2])
    value, used, rest = 0.0, 0, (0, 0)
    for both, _, cell in cells:
        rest = (rest[0] + both, rest[1] + one.get(cell, 0))
        if rest[0] * min(n, m) / (n + m) >= _LEAST:
            mean_one, mean_other = rest[0] * n / (n + m), rest[0] * m / (n + m)
            value += (rest[1] - mean_one) ** 2 / mean_one + (rest[0] - rest[1] - mean_other) ** 2 / mean_other
            used, rest = used + 1, (0, 0)
    return tail(value, used - 1)


def _order(cell: Hashable) -> int:
    """Return a number that orders cells of equal size for merging; it must not depend on their counts."""
    return zlib.crc32(repr(cell).encode())


# ---- Features that distinguish worlds in statistical tests: the whole secret, and its pieces

WHOLE = "the whole secret"
MOST = 40               # pieces that are tested at one position
_BINS = 16              # bins for a piece with too many values to count each one
_PER_CELL = 10          # samples that a value should have on average

Row = dict[str, Hashable]


class Features(Generic[S]):
    """The pieces of the secrets at one position that its seat does not know.

    Parameters
    ----------
    subject : Subject
    seat : int
    """

    def __init__(self, subject: Subject[S], seat: int) -> None:
        self._subject = subject
        self._seat = seat

    def rows(self, places: Sequence[S]) -> list[Row]:
        """Return the pieces of each world."""
        return [{WHOLE: self._subject.whole(place, self._seat), **self._subject.parts(place, self._seat)}
                for place in places]

    def against(self, rows: list[Row], reference: Reference[S]) -> list[tuple[str, float]]:
        """Return the p-value of each piece against a reference: the largest over the priors."""
        expected = self.rows(reference.places)
        found = []
        for name in _chosen(rows + expected):
            bins = _bins([row.get(name) for row in rows + expected], len(rows))
            counts = Counter(bins(row.get(name)) for row in rows)
            values = [bins(row.get(name)) for row in expected]
            found.append((name, max(_fits(counts, values, weights, reference.exact)
                                    for prior, weights in reference.weights.items() if prior in PRIORS)))
        return found

    def between(self, one: list[Row], other: list[Row]) -> list[tuple[str, float]]:
        """Return the p-value of each piece of two samples that should be alike."""
        found = []
        for name in _chosen(one + other):
            bins = _bins([row.get(name) for row in one + other], len(one))
            found.append((name, same(Counter(bins(row.get(name)) for row in one),
                                     Counter(bins(row.get(name)) for row in other))))
        return found


def _fits(counts: Counter[Hashable], values: list[Hashable], weights: list[float], exact: bool) -> float:
    shares: dict[Hashable, float] = {}
    for value, weight in zip(values, weights, strict=True):
        shares[value] = shares.get(value, 0.0) + weight
    if exact:
        return fit(counts, shares)
    return same(counts, {value: round(share) for value, share in shares.items()})


def _chosen(rows: list[Row]) -> list[str]:
    """Return the names of the pieces that vary, evenly chosen where there are many."""
    names = sorted({name for row in rows for name in row} - {WHOLE})
    varied = [name for name in names if len({row.get(name) for row in rows}) > 1]
    step = -(-len(varied) // MOST) if varied else 1
    return [WHOLE, *varied[::step]]


def _bins(values: list[Hashable], samples: int) -> Callable[[Hashable], Hashable]:
    """Return a function that assigns a value to its cell: the value itself, or a bin if there are too many values."""
    many = len(set(values)) > max(2, samples // _PER_CELL)
    return (lambda value: zlib.crc32(repr(value).encode()) % _BINS) if many else (lambda value: value)


# ---- Statistical tests at one position: worlds against a reference, or against those of other secrets

CONFIRMED = 2           # factor of fresh samples that confirm an unlikely result
_FRESH = 10             # numbers of fresh worlds begin at this many times the samples


class WorldComparison(Generic[S]):
    """The worlds that the sampler draws at a position, and the distribution that they should have.

    Parameters
    ----------
    check : str
        "distribution" or "permuted".
    place : SeatPlace
    against : Reference or position
        Histories with their weights, or a history with other secrets, whose worlds should be alike.
    samples : int

    Attributes
    ----------
    check, place
    other : position or None
        The history with other secrets.
    fault : str
        The fault if a test fails.
    """

    def __init__(self, check: str, place: SeatPlace[S], against: Reference[S] | S, samples: int) -> None:
        self.check = check
        self.place = place
        self._against = against
        self.other: S | None = None if isinstance(against, Reference) else against
        self.fault = ("not drawn by the weights of the histories" if self.other is None else
                      "drawn otherwise if the true secrets are others")
        self._samples = samples
        self._features = Features(place.subject, place.seat)
        self._first: dict[str, float] | None = None
        self._again: dict[str, float] | None = None

    def first(self) -> dict[str, float]:
        """Return the p-value of each piece of the secrets; raises `Refused` if there are no worlds."""
        if self._first is None:
            self._first = self._p_values(0, self._samples)
        return self._first

    def again(self) -> dict[str, float]:
        """Return the p-values of fresh and more worlds; an empty dict if there are no worlds."""
        if self._again is None:
            try:
                self._again = self._p_values(_FRESH * self._samples, CONFIRMED * self._samples)
            except Refused:
                self._again = {}
        return self._again

    def _p_values(self, start: int, count: int) -> dict[str, float]:
        mine = self._rows(None, start, count)
        if isinstance(self._against, Reference):
            return dict(self._features.against(mine, self._against))
        return dict(self._features.between(mine, self._rows(self.other, start + count, count)))

    def _rows(self, truth: S | None, start: int, count: int) -> list[Row]:
        return self._features.rows([self.place.sample(number, truth) for number in range(start, start + count)])


# ---- The subjects of an audit, by the text that names them


def subjects_of(text: str) -> Iterator[Subject[Any]]:
    """Yield the subjects that a text names.

    Parameters
    ----------
    text : str
        Game spec; ``pyspiel:game=NAME`` for OpenSpiel's own sampler of a game, ``pyspiel`` for all games that have one;
        ``pettingzoo:env=NAME`` for an environment, with its options.

    Raises
    ------
    SfidaError
        If the text names nothing that can be audited.
    """
    name = text.partition(":")[0].strip()
    if name == of_pettingzoo.ADAPTER:
        _, params = parse_spec(text)
        if "env" not in params:
            raise InvalidOption(f"{name} needs the option 'env': {name}:env=classic/leduc_holdem_v4")
        yield of_pettingzoo.PettingZooSubject(params.pop("env"), params)
        return
    if name != ADAPTER:
        yield StateSubject(make_game(text))
        return
    _, params = parse_spec(text)
    wrong = sorted(params.keys() - {"game"})
    if wrong:
        raise InvalidOption(f"{ADAPTER} has the option 'game' only, not '{wrong[0]}': {ADAPTER}:game=leduc_poker")
    for name in [params["game"]] if "game" in params else resampling_games():
        yield OpenSpielSubject(name)


# ---- The audit of one game: positions of random games, the checks at each, and the findings

POSITIONS, SAMPLES, ALPHA = 60, 400, 0.001
SECONDS = 600.0         # time limit of a game on the command line
WORLDS = 4              # worlds drawn at every position
SCREENED = 8            # worlds per position that are compared with the truth
EARLY = 6               # number of early decisions of a game
TESTED = 24             # seats at positions with statistical tests against a reference
ATTEMPTS = 30           # positions at which the audit looks for a reference
SUSPECTS = 12           # most positions tested because all their worlds are the truth
TWINS = 5               # games that are compared with their twins
LEAST_GAMES = 60        # games in which the audit looks for rare kinds of decisions,
MOST_SEEN = 5_000       # unless it has seen this many decisions before
WORDED = 12             # moves of a decision whose words are read
PLIES = 2000            # events after which a random game is abandoned
PLAYING, LOOKING, ONE_SEAT = 0.2, 0.9, 0.1     # shares of the remaining time for games, positions, one seat
DRAWING = 0.5           # share of a seat's time for drawing histories of a reference
LATE = "positions not looked at"
SHORT = "seats at positions looked at in part"
UNFOLLOWED = "games not compared with twins"
UNCONFIRMED = "suspicions of a test not confirmed"
DRAWN_EVENTS = 60_000  # most events of rejection sampling for a reference
_SHOWN = 6              # pieces that a reproduction names
_WORD = re.compile("[A-Za-z]{4,}")
_QUOTED = re.compile(r"'[^']*'")
_LONG = 60              # most characters of a piece in a reproduction

MOVES = ("legal_moves", "legal_actions", "candidate_moves", "texts of the moves", "descriptions of the moves",
         "parts of the moves", "move_priors", "move_features", "legal_moves of the view", "action_mask")
TOLD = ("label", "reward", "infos", "terminations")
WRITTEN = ("view.key()", "pickle of the view", "line to a program", "memory behind the observation")


class Auditor(Generic[S]):
    """Audits a game.

    Parameters
    ----------
    subject : Subject
    seed : int
        Root of all random choices.
    positions : int
        Number of decisions to check.
    samples : int
        Worlds drawn for each statistical test.
    alpha : float
        Bound on the probability of a statistical finding where nothing is wrong.
    seconds : float, optional
        Time limit of the audit; the result counts what was not checked by then. None: no limit.
    """

    def __init__(self, subject: Subject[S], *, seed: int = 1, positions: int = POSITIONS, samples: int = SAMPLES,
                 alpha: float = ALPHA, seconds: float | None = None) -> None:
        self.subject = subject
        self.seed = seed
        self.positions = positions
        self.samples = samples
        self.alpha = alpha
        self._tried = dict.fromkeys(CHECKS, 0)
        self._found: dict[tuple[str, str], Finding] = {}
        self._refused: dict[str, int] = {}
        self._unchecked: dict[str, int] = {}
        self._seconds = seconds
        self._comparisons: list[WorldComparison[S]] = []
        self._without_reference = 0
        self._lines: list[list[int]] = []       # events of the games
        self._games = self._tests = self._looked = self._tested = self._attempts = self._suspects = 0

    def run(self, on_progress: Callable[[int, int], None] | None = None) -> Audit:
        """Run the audit; `on_progress` receives the number of positions checked, and of all."""
        self.subject.timer = timer = Timer(self._seconds)
        with timer.share(PLAYING):
            stops = self._stops()
        with timer.share(LOOKING):
            for at, (number, ply) in enumerate(stops):
                try:
                    timer.check()
                    self.look(*self._replayed(number, ply))
                except OutOfTime:
                    self._skip(LATE, len(stops) - at)
                    break
                self._looked += 1
                if on_progress is not None:
                    on_progress(self._looked, self.positions)
            self._follow_twins()
        self.judge()
        return self.result()

    def result(self) -> Audit:
        """Return the findings so far; statistical findings are included only when `run` has ended."""
        findings = tuple(sorted(self._found.values(), key=lambda each: (list(CHECKS).index(each.check), each.what)))
        checks = tuple(self._check(name) for name in self.subject.checks)
        return Audit(self.subject.spec, self.subject.sampler, self.seed, self._games, self._looked, self.samples,
                     self.alpha, self._tests, self._refused, self._unchecked, checks, findings)

    def _check(self, name: str) -> Check:
        tried = self._tried[name]
        if any(check == name for check, _ in self._found):
            return Check(name, FOUND, tried)
        note = ""
        if not tried and name in SAMPLING and not self.subject.sampled:
            note = "there is no sampler"
        elif not tried:
            note = "nothing is hidden" if not self.subject.hidden else "there is nothing to compare with" if name in (
                "distribution", "permuted", "shown", "legal lists") or not self.subject.sampled else (
                f"{self.subject.sampler} has none")
        elif name == "distribution" and self._without_reference:
            note = f"{self._without_reference} positions are too large to compare with"
        return Check(name, PASSED if tried else NOT_APPLICABLE, tried, note)

    # ---- positions ------------------------------------------------------------------------------

    def _stops(self) -> list[tuple[int, int]]:
        """Play random games; return the positions to check, by game and event.

        Half of them are three decisions per game: a random one, the last one, and an early one, where the hidden
        information can still be enumerated. The others are of the rarest kinds of decisions; two decisions are of one
        kind if the texts of their moves have the same words.
        """
        usual: list[tuple[int, int]] = []
        kinds: dict[frozenset[str], list[tuple[int, int]]] = {}
        seen = 0
        for number in range(max(self.positions, LEAST_GAMES)):
            if number and not self.subject.timer.left:
                break
            rng = Random(derive(self.seed, 10, number))
            decisions = []
            for ply, kind in self._game(rng):
                decisions.append((number, ply))
                kinds.setdefault(kind, []).append((number, ply))
            self._games += 1
            if decisions:
                early = decisions[rng.below(min(EARLY, len(decisions)))]
                usual += dict.fromkeys([decisions[rng.below(len(decisions))], decisions[-1], early])
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
        """Play a random game, and keep its events; yield the decisions with their kinds."""
        subject, place = self.subject, self.subject.start()
        events: list[int] = []
        self._lines.append(events)
        while subject.actor(place) != TERMINAL and len(events) < PLIES:
            if not subject.timer.left and len(events) >= EARLY:
                break
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

    def look(self, places: list[S], events: list[int]) -> None:
        """Check one position for the seat to move and the next ones."""
        first = self.subject.actor(places[-1])
        tested = self._tested < TESTED and self._attempts < ATTEMPTS
        self._attempts += tested
        for k in range(min(self.subject.seats, self.subject.players)):
            seat = (first + k) % self.subject.players
            self.subject.timer.check()
            try:
                with self.subject.timer.share(ONE_SEAT):
                    self.look_as(SeatPlace(
                        self.subject, places, events, seat, derive(self.seed, 11, self._looked, seat)), tested)
            except Refused as refusal:
                self._refused[str(refusal)] = self._refused.get(str(refusal), 0) + 1
            except OutOfTime:
                self._skip(SHORT)

    def look_as(self, place: SeatPlace[S], tested: bool, other: S | None = None) -> None:
        """Check one position for one seat, the quick and exact checks first.

        Parameters
        ----------
        place : SeatPlace
        tested : bool
            Whether its worlds are compared with a reference.
        other : position, optional
            Another history that the seat cannot tell apart from it; None: the audit looks for one.
        """
        for check, fault, pieces in self.subject.faults(place.truth, place.seat, place.seed):
            self._tried[check] += 1
            if fault:
                self._note(check, fault, place, None, pieces=pieces)
        if self.subject.sampled:
            self._check_worlds(place, [place.sample(number) for number in range(WORLDS)])
            self._check_sampler(place)
        if self.subject.hidden:
            other = place.other() if other is None else other
            self._check_shown(place, other)
            if self.subject.sampled:
                self._plan_tests(place, other, tested)

    def _skip(self, what: str, times: int = 1) -> None:
        """Count a check for which there was no time."""
        self._unchecked[what] = self._unchecked.get(what, 0) + times

    def _follow_twins(self) -> None:
        """Compare whole games with their twins: no world reveals what a view remembers of the past."""
        for number in range(min(TWINS, self.positions) if self.subject.hidden and self.subject.twinned else 0):
            if not self.subject.timer.left:
                self._skip(UNFOLLOWED)
                continue
            seed = derive(self.seed, 12, number) % 2**32
            compared, found = self.subject.twins(seed)
            self._tried["serialisation"] += compared
            self._tried["labels"] += compared
            for twin in found:
                self._keep("labels" if twin.label else "serialisation", twin.what, None, Reproduction(
                    self.subject.spec, self.seed, twin.seat, twin.history, (), ("its twin: " + ", ".join(twin.twin),)))

    # ---- one position -----------------------------------------------------------------------------

    def _check_worlds(self, place: SeatPlace[S], worlds: list[S]) -> None:
        """Check reachability, serialisation and labels of worlds."""
        subject, seat = self.subject, place.seat
        support = place.reference and {subject.whole(each, seat) for each in place.reference.places}
        for world in worlds:
            self._tried["reachability"] += 1
            if subject.known(world, seat) != place.record.known:
                self._note("reachability", "a world shows the seat something else than the true position", place, world)
            elif subject.actor(world) != place.record.actor:
                self._note("reachability", "another seat is to move in a world", place, world)
            elif support and subject.whole(world, seat) not in support:
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

    def _check_sampler(self, place: SeatPlace[S]) -> None:
        """Check that the same seed gives the same world when the secrets are overwritten."""
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

    def _check_shown(self, place: SeatPlace[S], other: S | None) -> None:
        """Compare two histories that the seat cannot tell apart: their sights and, where seeds decide, their worlds."""
        subject, seat = self.subject, place.seat
        if other is None:
            return
        ours, theirs = subject.compared(place.truth, other, seat)
        self._tried["shown"] += 1
        self._tried["serialisation"] += 1
        self._tried["legal lists"] += place.record.actor == seat
        self._tried["labels"] += "reward" in ours
        for name in sorted(ours.keys() | theirs.keys()):
            if ours.get(name) != theirs.get(name):
                check = "legal lists" if name in MOVES else "serialisation" if name in WRITTEN else (
                    "labels" if name in TOLD else "shown")
                self._note(check, f"{name} {subject.leaking}", place, other,
                           pieces=(f"{name}: {_shortened(ours.get(name), theirs.get(name))}",))
        if subject.canonical:
            for number in range(WORLDS):
                self._tried["permuted"] += 1
                if subject.key(place.sample(number)) != subject.key(place.sample(number, other)):
                    self._note("permuted", "the same seed gives another world if the secrets are others", place, other)

    # ---- statistics -------------------------------------------------------------------------------

    def _plan_tests(self, place: SeatPlace[S], other: S | None, tested: bool) -> None:
        """Prepare the statistical tests of a position; `judge` evaluates them all at the end."""
        subject = self.subject
        suspect = (other is not None and not subject.canonical and self._suspects < SUSPECTS
                   and place.gives_the_truth(SCREENED))
        self._suspects += suspect
        if not tested and not suspect:
            return
        reference = place.reference
        if reference is None and tested:
            with subject.timer.share(DRAWING), contextlib.suppress(OutOfTime):
                reference = place.record.drawn(self.samples, Random(derive(place.seed, 4)),
                                               int(subject.effort * DRAWN_EVENTS))
        if reference is None:
            self._without_reference += tested
        elif not (reference.exact and any(check == "reachability" for check, _ in self._found)):
            self._tested += 1       # the reachability check finds worlds outside an exact reference
            self._compare(WorldComparison("distribution", place, reference, self.samples))
        if other is not None and not subject.canonical:
            self._compare(WorldComparison("permuted", place, other, self.samples))

    def _compare(self, comparison: WorldComparison[S]) -> None:
        comparison.first()          # raises `Refused` where there are no worlds
        self._comparisons.append(comparison)

    def judge(self) -> None:
        """Find the pieces that are too unlikely among all tests (Bonferroni), and again with fresh samples."""
        self._tests = sum(len(each.first()) for each in self._comparisons)
        bound = self.alpha / max(1, self._tests)
        for comparison in self._comparisons:
            self._tried[comparison.check] += len(comparison.first())
            for name in [name for name, p in comparison.first().items() if p < bound]:
                try:
                    again = comparison.again().get(name, 1.0)
                except OutOfTime:
                    self._skip(UNCONFIRMED)
                    continue
                if again < bound:
                    self._note(comparison.check, f"{_piece(name)} is {comparison.fault}", comparison.place,
                               comparison.other, p=again)

    # ---- findings ---------------------------------------------------------------------------------

    def _note(self, check: str, what: str, place: SeatPlace[S], world: S | None, truth: S | None = None,
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
        """Return the differing pieces of the secrets, each with the true value first."""
        ours, theirs = self.subject.parts(one, seat), self.subject.parts(other, seat)
        names = [name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)]
        more = [f"and {len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
        return (*(f"{name}: {_shortened(ours.get(name), theirs.get(name))}" for name in names[:_SHOWN]), *more)


def _piece(name: str) -> str:
    """Return the kind of a piece, without the numbers that distinguish pieces of one kind."""
    return name.partition("[")[0].partition(".")[0]


def _general(fault: str) -> str:
    """Return a fault without the moves at which it occurred, so that equal faults count as one."""
    return _QUOTED.sub("...", fault)


def _shortened(one: object, other: object) -> str:
    """Return the text of two values, each from shortly before the first difference."""
    ours, theirs = str(one), str(other)
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
    start = max(0, at - 10)
    return " / ".join(repr(("..." if start else "") + text[start:start + _LONG]
                           + ("..." if len(text) > start + _LONG else "")) for text in (ours, theirs))
