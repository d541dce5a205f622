"""A reviewed game as plain data: depth, every decision and its loss, and a summary of each seat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from sfida.ai.analysis import Ply, Reasons
from sfida.ai.luck.value import LuckTerm
from sfida.cython_ext.errors import InvalidOption
from sfida.engines.records import MAX_SEATS
from sfida.engines.untrusted import UNNAMED, FieldReader, JsonData, bounds

# ---- The depth of a review, and the distribution of its playouts

FAST, NORMAL, DEEP = "fast", "normal", "deep"
_FIRST = 0.4            # share of the iterations for a first search of every decision
_USUAL = 2.0            # mean number of searches of a first look: one without limits, and often two held to a move
_AGAIN = 4              # independent searches of each kind if the loss is in doubt
FEWEST, _MOST = 50, 20  # least iterations of a search; most: a share 1 / _MOST of all


@dataclass(frozen=True)
class Effort:
    """The effort for one decision.

    Attributes
    ----------
    iterations : int
        Iterations of each search.
    searches : int
        Independent searches of each kind.
    """

    iterations: int
    searches: int = 1


@dataclass(frozen=True)
class Depth:
    """The depth of a review.

    Attributes
    ----------
    name : str
    iterations : int
        Approximate number of iterations of all searches.
    playouts : int
        Playouts from each position of the curve.
    worlds : int
        Worlds that represent all that a seat considers possible, in games with secrets, and playouts from each.
    seconds : float or None
        Time after which no decision is searched again; None: no limit. Every decision gets a first look.
    """

    name: str
    iterations: int
    playouts: int
    worlds: int
    seconds: float | None = None

    def first(self, decisions: int) -> Effort:
        """Return the effort for each of some decisions in the first look."""
        return Effort(self._each(_FIRST * self.iterations / (_USUAL * max(1, decisions))))

    def again(self, doubtful: int, decisions: int) -> tuple[int, Effort]:
        """Return how many of the doubtful decisions are searched again, and the effort for each of them."""
        one = _AGAIN * (_USUAL + 1.0)           # searches
        left = (1.0 - _FIRST) * self.iterations / one
        least = self.first(decisions).iterations
        many = min(doubtful, max(1, int(left / least)))
        return many, Effort(max(least, self._each(left / max(1, many))), _AGAIN)

    def _each(self, iterations: float) -> int:
        return int(max(FEWEST, min(iterations, self.iterations / _MOST)))


# On two cores the slowest of the five games, RisiKo with four players, takes about 8, 40 and 300 s.
DEPTHS = {depth.name: depth for depth in (Depth(FAST, 400_000, 32, 8, 15.0),
                                          Depth(NORMAL, 2_500_000, 128, 16, 50.0), Depth(DEEP, 20_000_000, 512, 64))}


def depth_named(name: str) -> Depth:
    """Return a depth; raises InvalidOption."""
    if name not in DEPTHS:
        raise InvalidOption(f"the depth must be {', '.join(DEPTHS)}, not '{name}'")
    return DEPTHS[name]


# ---- A reviewed game as plain data: every decision, its loss, and how the win passed from seat to seat

SCHEMA = 1
SURE = 2.0              # a mistake costs more than this many standard errors
_NOTHING = 1e-9         # largest loss that is rounding only


def accuracy(loss: float) -> float:
    """Return the accuracy of a move, 0 to 100, from the win share that it lost.

    Notes
    -----
    103.1668 exp(-0.04354 x) - 3.1669 with the loss x in percentage points, within 0 and 100: the formula of Lichess
    (https://lichess.org/page/accuracy), fitted to the judgement of chess moves. There it applies to the chances of
    two players; here to the win share among any number.
    """
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * 100.0 * loss) - 3.1669))


@dataclass(frozen=True)
class Verdict(JsonData):
    """A judge's verdict on a move, based on the knowledge of its seat.

    Attributes
    ----------
    best, best_words : str
        The best move in notation and in words; the move played if none is better.
    loss : float
        Win share that the move played gave away, 0 to 1.
    error : float
        Standard error of the loss; 0 if it is exact.
    given : tuple of float
        Win share that each seat gained by the loss: minus the loss for the mover; they sum to 0.
    value : float
        Expected win share of the mover after the best move, 0 to 1.
    difference : float
        Expected win share after the best move less that after the move played, as searched: the loss and a possible
        error of the searches (`ai.review.curve.certain`).
    line, best_line : tuple of str
        Expected lines of the move played and of the best one, in notation, including these moves.
    seed : int
        Seed of the search that found the lines, for `ai.analysis.follow`.
    iterations, searches : int
        Iterations of all searches, and independent searches whose mean is the loss; 0 if it was computed otherwise.
    """

    best: str
    best_words: str
    loss: float = field(metadata=bounds(low=0, high=1))
    error: float = field(metadata=bounds(low=0))
    given: tuple[float, ...] = field(metadata=bounds(most=MAX_SEATS))
    value: float
    difference: float
    line: tuple[str, ...] = ()
    best_line: tuple[str, ...] = ()
    seed: int = field(default=0, metadata=bounds(low=0))
    iterations: int = field(default=0, metadata=bounds(low=0))
    searches: int = field(default=0, metadata=bounds(low=0))

    written = ("best", "best_words", "loss", "error", "interval", "mistake", "given", "value", "difference", "line",
               "best_line", "seed", "iterations", "searches")

    @property
    def mistake(self) -> bool:
        """Whether the loss is larger than twice its uncertainty."""
        return self.loss > max(SURE * self.error, _NOTHING)

    @property
    def interval(self) -> tuple[float, float]:
        """The loss less and plus twice its uncertainty, within 0 and 1."""
        return max(0.0, self.loss - SURE * self.error), min(1.0, self.loss + SURE * self.error)


@dataclass(frozen=True)
class Decision(JsonData):
    """A decision of a game.

    Attributes
    ----------
    ply : int
        Number of the event in the record, from 0.
    seat : int
    turn : int
        Number of the turn, from 0: the decisions of a seat in one turn of the game's count (`turn_number`), or else
        until another seat decides.
    move, words : str
        The move played, in notation and in words.
    choices : int
        Number of legal moves; a decision with one is forced.
    kind, about : str
        The kind of decision as a short key and in a few words (`Lesson.key`, `.title`); "" if the game names none.
    change : tuple of float
        Change of the whole position's value for each seat by the move, with all secrets known; sums to 0.
    hidden : tuple of float
        The part of the change that the mover could not expect because of what it could not know; sums to 0.
    verdict : Verdict or None
        None if it was not judged: it was forced, or the review was cut short.
    """

    ply: int = field(metadata=bounds(low=0))
    seat: int = field(metadata=bounds(low=0, high=MAX_SEATS - 1))
    turn: int = field(metadata=bounds(low=0))
    move: str
    words: str
    choices: int = field(metadata=bounds(low=0))
    kind: str = field(metadata=bounds(absent=""))
    about: str = field(metadata=bounds(absent=""))
    change: tuple[float, ...] = field(metadata=bounds(most=MAX_SEATS))
    hidden: tuple[float, ...] = field(metadata=bounds(most=MAX_SEATS))
    verdict: Verdict | None = None

    @property
    def forced(self) -> bool:
        """Whether there was only one legal move."""
        return self.choices <= 1


@dataclass(frozen=True)
class TurningPoint(JsonData):
    """One of the turns that decided the game.

    Attributes
    ----------
    seat : int
    at : int
        Ply of the decision to describe: the one of the turn that cost the most.
    plies : tuple of int
        All decisions of the turn.
    loss, error : float
        Loss of the turn, and its standard error.
    swing : float
        Change of the position's value for its seat over the whole turn.
    played, better : tuple of Ply
        The expected lines of the move played and of the best one; `better` is empty if none is better.
    answer : int or None
        Index in `played` of the first move of another seat, which refutes it; None if there is none.
    against, reasons : Reasons
        Reasons for and against the move played, and for and against the best one.
    """

    seat: int = field(metadata=bounds(low=0, high=MAX_SEATS - 1))
    at: int = field(metadata=bounds(low=0))
    plies: tuple[int, ...] = field(metadata=bounds(low=0))
    loss: float
    error: float = field(metadata=bounds(low=0))
    swing: float
    played: tuple[Ply, ...] = ()
    better: tuple[Ply, ...] = ()
    answer: int | None = field(default=None, metadata=bounds(low=0))
    against: Reasons = field(default_factory=Reasons)
    reasons: Reasons = field(default_factory=Reasons)


@dataclass(frozen=True)
class Review(JsonData):
    """The review of a finished game.

    Attributes
    ----------
    game : str
        Spec of the game.
    agents, names : tuple of str
        Agent of each seat, as the record says, and the game's name of the seat.
    result : tuple of float
        Win shares at the end, by seat.
    plies : int
        Number of events.
    hidden : bool
        Whether the game hides anything from a seat.
    depth : str
    curve : tuple of tuple of float
        Value of the position for each seat before the first event and after each: win shares that sum to 1, from a
        value function that knows all secrets. The last row is the result; after a resignation it follows the row of
        the last event.
    luck : tuple of LuckTerm
        The arena's luck (`ai.luck.terms`).
    decisions : tuple of Decision
        All decisions in order.
    turns : tuple of TurningPoint
        The turns that decided the game, in order.
    seconds : float
        Time that the review took.
    """

    game: str
    agents: tuple[str, ...]
    names: tuple[str, ...]
    result: tuple[float, ...]
    plies: int
    hidden: bool
    depth: str
    curve: tuple[tuple[float, ...], ...]
    luck: tuple[LuckTerm, ...]
    decisions: tuple[Decision, ...]
    turns: tuple[TurningPoint, ...] = ()
    seconds: float = 0.0

    schema: ClassVar[int] = SCHEMA
    type: ClassVar[str] = "review"
    written = ("schema", "type", "game", "agents", "names", "result", "plies", "hidden", "depth", "complete", "curve",
               "luck", "decisions", "turns", "iterations", "seconds")

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.result)

    @property
    def complete(self) -> bool:
        """Whether every decision with a choice is judged."""
        judged, of_all = self.judged
        return judged == of_all

    @property
    def judged(self) -> tuple[int, int]:
        """Number of judged decisions, and of all with a choice."""
        free = [decision for decision in self.decisions if not decision.forced]
        return sum(decision.verdict is not None for decision in free), len(free)

    @property
    def iterations(self) -> int:
        """Iterations of all searches."""
        return sum(decision.verdict.iterations for decision in self.decisions if decision.verdict is not None)

    @classmethod
    def from_json(cls, data: Mapping[str, Any], reader: FieldReader = UNNAMED) -> Self:
        """Build a review from JSON data; raises InvalidRecord."""
        fields = dict(data)
        if reader.take(fields, "type", str) != "review":
            reader.fail("this is not a review")
        if reader.take(fields, "schema", int) != SCHEMA:
            reader.fail(f"this program reads reviews of format {SCHEMA}")
        result = reader.take_list(fields, "result", float, least=1, most=MAX_SEATS)
        seats = len(result)
        names = reader.take_list(fields, "names", str, least=seats, most=seats)
        curve = reader.take_list(fields, "curve", list, least=1)
        return cls(
            reader.take(fields, "game", str), reader.take_list(fields, "agents", str, [], most=MAX_SEATS), names,
            result, reader.take(fields, "plies", int, low=1), reader.take(fields, "hidden", bool),
            reader.take(fields, "depth", str),
            tuple(reader.take_list({"curve": row}, "curve", float, least=seats, most=seats) for row in curve),
            tuple(_term(entry, reader, seats) for entry in reader.take_list(fields, "luck", dict, [])),
            tuple(Decision.from_json(entry, reader) for entry in reader.take_list(fields, "decisions", dict, [])),
            tuple(TurningPoint.from_json(entry, reader) for entry in reader.take_list(fields, "turns", dict, [])),
            reader.take(fields, "seconds", float, 0.0))


def _term(data: Mapping[str, Any], reader: FieldReader, seats: int) -> LuckTerm:
    fields = dict(data)
    return LuckTerm(reader.take(fields, "ply", int, low=0), reader.take(fields, "source", str),
                    reader.take_list(fields, "luck", float, least=seats, most=seats))


# ---- The review of each seat: losses, accuracy, and the parts of its result, which add up


@dataclass(frozen=True)
class Parts(JsonData):
    """The parts of a seat's result less its share at the start; in win shares.

    Attributes
    ----------
    luck : float
        The arena's luck.
    own : float
        Minus the losses of the seat's own moves, judged by what it knew.
    gifts : float
        What the seat gained by the losses of the others; negative if they helped a third seat.
    hidden : float
        Changes by the moves of all seats that the movers could not expect. 0 in games without secrets.
    judgement : float
        The rest that the estimates leave: luck that the arena does not count because its value function may be wrong,
        and the differences between that function and the search. 0 if both are exact.
    unjudged : float
        Changes by decisions that are not judged because the review was cut short.
    """

    luck: float = 0.0
    own: float = 0.0
    gifts: float = 0.0
    hidden: float = 0.0
    judgement: float = 0.0
    unjudged: float = 0.0

    @property
    def total(self) -> float:
        """The sum of all parts: the result less the share at the start."""
        return math.fsum(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True)
class SeatSummary(JsonData):
    """The review of one seat.

    Attributes
    ----------
    seat : int
    agent, name : str
    decisions, judged, mistakes : int
        Decisions with a choice; the judged ones among them; mistakes.
    loss, error : float or None
        Mean loss of a judged decision in win shares, and its standard error; None if there is none.
    accuracy : float or None
        Mean accuracy of the judged decisions, 0 to 100 (`accuracy`).
    start, result : float
        Expected win share of the seat at the start, and its share at the end.
    parts : Parts
        Parts of the result; they sum to `result - start`.
    """

    seat: int
    agent: str
    name: str
    decisions: int
    judged: int
    mistakes: int
    loss: float | None
    error: float | None
    accuracy: float | None
    start: float
    result: float
    parts: Parts


def summaries(review: Review) -> tuple[SeatSummary, ...]:
    """Return the review of each seat."""
    return tuple(_summary(review, seat) for seat in range(review.players))


def verdicts(decisions: Iterable[Decision], seat: int | None = None) -> list[Verdict]:
    """Return the verdicts on decisions that were not forced, of one seat or of all."""
    return [decision.verdict for decision in decisions
            if decision.verdict is not None and not decision.forced and seat in (None, decision.seat)]


def mean_accuracy(found: Sequence[Verdict]) -> float | None:
    """Return the mean accuracy of some moves; None if there are none."""
    return math.fsum(accuracy(verdict.loss) for verdict in found) / len(found) if found else None


def _summary(review: Review, seat: int) -> SeatSummary:
    found = verdicts(review.decisions, seat)
    many = len(found)
    return SeatSummary(
        seat, review.agents[seat] if review.agents else "", review.names[seat],
        sum(not decision.forced for decision in review.decisions if decision.seat == seat), many,
        sum(verdict.mistake for verdict in found),
        math.fsum(verdict.loss for verdict in found) / many if many else None,
        math.sqrt(math.fsum(verdict.error ** 2 for verdict in found)) / many if many else None,
        mean_accuracy(found), review.curve[0][seat], review.result[seat], parts_of(review, seat))


def parts_of(review: Review, seat: int) -> Parts:
    """Return the parts of a seat's result."""
    luck = {term.ply: term.luck[seat] for term in review.luck}
    decided = {decision.ply: decision for decision in review.decisions}
    own, gifts, hidden, judgement, unjudged = ([0.0] for _ in range(5))
    for ply in range(len(review.curve) - 1):
        change = review.curve[ply + 1][seat] - review.curve[ply][seat] - luck.get(ply, 0.0)
        decision = decided.get(ply)
        if decision is None or decision.forced:
            judgement.append(change)
        elif decision.verdict is None:
            unjudged.append(change)
        else:
            given, unknown = decision.verdict.given[seat], decision.hidden[seat]
            (own if decision.seat == seat else gifts).append(given)
            hidden.append(unknown)
            judgement.append(change - given - unknown)
    return Parts(math.fsum(luck.values()), math.fsum(own), math.fsum(gifts), math.fsum(hidden), math.fsum(judgement),
                 math.fsum(unjudged))
