"""Many reviews of one person's games together: their trend, and the decisions that cost the most."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sfida.ai.review.model import Decision, Review, Verdict, summaries

PHASES = ("opening", "middle", "end")       # thirds of a game's decisions
_FEWEST = 4                                 # fewest games that show a trend


@dataclass(frozen=True)
class Reviewed:
    """A reviewed game of the person.

    Attributes
    ----------
    date : str
        Day of its end, in ISO 8601; "" if it is not known.
    seat : int
        The person's seat.
    review : Review
    """

    date: str
    seat: int
    review: Review


@dataclass(frozen=True)
class GameLine:
    """The figures of a person's seat in one game.

    Attributes
    ----------
    date, game : str
        As for `Reviewed`; spec of the game.
    seats, seat : int
        Number of seats, and the person's seat.
    result, luck : float
        Win share at the end, and the luck in it.
    decisions, mistakes : int
        Judged decisions, and mistakes among them.
    loss, accuracy : float or None
        Mean loss of a decision in win shares, and mean accuracy (`model.accuracy`); None without decisions.
    """

    date: str
    game: str
    seats: int
    seat: int
    result: float
    luck: float
    decisions: int
    mistakes: int
    loss: float | None
    accuracy: float | None


@dataclass(frozen=True)
class Change:
    """The change of a figure from the earlier half of the games to the later one.

    Attributes
    ----------
    what : str
        "accuracy", "loss" or "luck".
    earlier, later : float
        Means over the games.
    error : float
        Standard error of the difference, from the spread of the games within each half.
    """

    what: str
    earlier: float
    later: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether the difference is larger than twice its standard error."""
        return abs(self.later - self.earlier) > 2.0 * self.error


@dataclass(frozen=True)
class Cost:
    """The total cost of decisions of one sort.

    Attributes
    ----------
    key, title : str
        The sort: a phase, or a kind of decision.
    decisions, mistakes : int
    loss, error : float
        Sum of the losses in win shares, and its standard error.
    """

    key: str
    title: str
    decisions: int
    mistakes: int
    loss: float
    error: float

    @property
    def each(self) -> float:
        """Mean loss of a decision."""
        return self.loss / self.decisions


@dataclass(frozen=True)
class Career:
    """A person's reviewed games of one name.

    Attributes
    ----------
    name : str
        Name of the game.
    games : tuple of GameLine
        In the order of play.
    changes : tuple of Change
        Changes of the figures; empty with too few games.
    phases : tuple of Cost
        Costs of the phases in order.
    kinds : tuple of Cost
        Costs of the kinds of decisions, the highest first.
    """

    name: str
    games: tuple[GameLine, ...]
    changes: tuple[Change, ...]
    phases: tuple[Cost, ...]
    kinds: tuple[Cost, ...]

    @property
    def loss(self) -> float:
        """Loss of all decisions, in win shares."""
        return math.fsum(cost.loss for cost in self.phases)

    def to_json(self) -> dict[str, Any]:
        """Return the career as JSON-able data."""
        def costs(found: Sequence[Cost]) -> list[dict[str, Any]]:
            return [{**asdict(cost), "each": cost.each} for cost in found]

        return {"type": "career", "game": self.name, "games": [asdict(game) for game in self.games],
                "changes": [{**asdict(change), "clear": change.clear} for change in self.changes],
                "phases": costs(self.phases), "kinds": costs(self.kinds)}


def career_of(name: str, reviewed: Sequence[Reviewed]) -> Career:
    """Return the combined figures of some games of one name, in the order of play."""
    games = tuple(map(_line, reviewed))
    judged = [found for one in reviewed for found in _judged(one)]
    phases = _costs(judged, lambda decision, share: (phase := PHASES[min(2, int(3 * share))], phase))
    kinds = _costs(judged, lambda decision, share: kind_of(decision))
    return Career(name, games, _changes(games), tuple(sorted(phases, key=lambda cost: PHASES.index(cost.key))),
                  tuple(sorted(kinds, key=lambda cost: -cost.loss)))


def kind_of(decision: Decision) -> tuple[str, str]:
    """Return the kind of a decision and its name: the game's, or else the first word of the move."""
    if decision.kind:
        return decision.kind, decision.about
    word = decision.move.split(maxsplit=1)[0]
    return word, word


def _line(one: Reviewed) -> GameLine:
    summary = summaries(one.review)[one.seat]
    return GameLine(one.date, one.review.game, one.review.players, one.seat, summary.result, summary.parts.luck,
                    summary.judged, summary.mistakes, summary.loss, summary.accuracy)


def _judged(one: Reviewed) -> Iterable[tuple[Decision, Verdict, float]]:
    """Yield the judged decisions of the person, each with the share of the game's decisions before it."""
    free = [decision for decision in one.review.decisions if not decision.forced]
    for number, decision in enumerate(free):
        if decision.seat == one.seat and decision.verdict is not None:
            yield decision, decision.verdict, number / len(free)


def _costs(judged: Iterable[tuple[Decision, Verdict, float]],
           sort: Callable[[Decision, float], tuple[str, str]]) -> list[Cost]:
    found: dict[tuple[str, str], list[Verdict]] = {}
    for decision, verdict, share in judged:
        found.setdefault(sort(decision, share), []).append(verdict)
    return [Cost(key, title, len(verdicts), sum(verdict.mistake for verdict in verdicts),
                 math.fsum(verdict.loss for verdict in verdicts),
                 math.sqrt(math.fsum(verdict.error ** 2 for verdict in verdicts)))
            for (key, title), verdicts in found.items()]


def _changes(games: Sequence[GameLine]) -> tuple[Change, ...]:
    judged = [game for game in games if game.accuracy is not None and game.loss is not None]
    if len(judged) < _FEWEST:
        return ()
    half = len(judged) // 2
    return tuple(_change(what, [getattr(game, what) for game in judged[:half]],
                         [getattr(game, what) for game in judged[half:]]) for what in ("accuracy", "loss", "luck"))


def _change(what: str, earlier: Sequence[float], later: Sequence[float]) -> Change:
    means = [math.fsum(part) / len(part) for part in (earlier, later)]
    variance = math.fsum(math.fsum((value - mean) ** 2 for value in part) / (len(part) - 1) / len(part)
                         for part, mean in zip((earlier, later), means, strict=True))
    return Change(what, means[0], means[1], math.sqrt(variance))
