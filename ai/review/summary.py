"""What a review says of each seat: losses, accuracy, and the parts of its result, which add up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sfida.ai.review.model import Decision, Review, Verdict, accuracy


@dataclass(frozen=True)
class Parts:
    """The result of a seat less its share at the start, split; in shares of the win.

    Attributes
    ----------
    luck : float
        The arena's luck.
    own : float
        Minus all that the seat's own moves lost, judged by what it knew.
    gifts : float
        What the losses of the others brought it; less than 0 where their losses helped a third.
    hidden : float
        What the moves of all seats changed because of what the movers could not know. 0 in games without secrets.
    judgement : float
        What the estimates leave: the luck that the arena does not count because its value function may be wrong, and
        the differences between that function and the search. 0 where both are exact.
    unjudged : float
        What decisions changed that are not judged, because the review was cut short.
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

    def to_json(self) -> dict[str, float]:
        """Return the parts as JSON-able data."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True)
class SeatSummary:
    """The review of one seat.

    Attributes
    ----------
    seat : int
    agent, name : str
    decisions, judged, mistakes : int
        Decisions that were not forced; those of them that are judged; mistakes.
    loss, error : float or None
        Mean loss of a judged decision in shares of the win, and its standard error; None without any.
    accuracy : float or None
        Mean accuracy of the judged decisions, 0 to 100 (`accuracy`).
    start, result : float
        Share of the win that the seat could expect at the start, and its share at the end.
    parts : Parts
        They sum to `result - start`.
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

    def to_json(self) -> dict[str, Any]:
        """Return the summary as JSON-able data."""
        return {"seat": self.seat, "agent": self.agent, "name": self.name, "decisions": self.decisions,
                "judged": self.judged, "mistakes": self.mistakes, "loss": self.loss, "error": self.error,
                "accuracy": self.accuracy, "start": self.start, "result": self.result, "parts": self.parts.to_json()}


def summaries(review: Review) -> tuple[SeatSummary, ...]:
    """Return the review of each seat."""
    return tuple(_summary(review, seat) for seat in range(review.players))


def verdicts(decisions: Iterable[Decision], seat: int | None = None) -> list[Verdict]:
    """Return the verdicts on decisions that were not forced, of a seat or of all."""
    return [decision.verdict for decision in decisions
            if decision.verdict is not None and not decision.forced and seat in (None, decision.seat)]


def mean_accuracy(found: Sequence[Verdict]) -> float | None:
    """Return the mean accuracy of some moves; None without any."""
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
