"""Reviews a finished game: the curve, then a search of every decision, then more where a loss is in doubt."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from sfida.ai.arena.backends import in_batches
from sfida.ai.arena.portable import portable
from sfida.ai.luck.terms import Measure, Term, terms
from sfida.ai.luck.value import Value
from sfida.ai.review.curve import Floats, SampledWorth, Worth, before_event, curve_of, hidden_change, without_noise
from sfida.ai.review.depths import DEPTHS, FEWEST, NORMAL, Depth, Effort
from sfida.ai.review.judge import Judge, SearchJudge
from sfida.ai.review.model import Decision, Review, Verdict
from sfida.ai.review.positions import Event, Played, played_to_the_end
from sfida.ai.review.turning import turning_points
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import restore
from sfida.engines.game import Game
from sfida.engines.language import N_
from sfida.engines.records import GameRecord

_STREAM = 0x4EF1E2              # of the seeds of decisions
_WORTH = 0.005                  # loss below which it does not matter whether it is one
_DOUBT = 3.0                    # standard errors within which a loss is in doubt
_QUICKER = 4            # times fewer iterations of the look that comes first, so that every decision has a verdict soon
_BATCH = 8                      # decisions of one task, at most
_EVENTS = 16                    # events of one task

Progress = Callable[[str, int, int, str], object]   # what is done, how many, of how many, and what they are
Thing = TypeVar("Thing")
Place = tuple[int, bytes, int]                  # of an event: ply, position before it, move


class Sent(Generic[Thing]):
    """What a task brings along: within a process as it is, to others pickled by `portable`."""

    def __init__(self, thing: Thing) -> None:
        self.thing = thing

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (portable(self.thing),)


def _received(data: bytes) -> Sent[Any]:
    return Sent(pickle.loads(data))


@dataclass(frozen=True)
class CurveTask:
    """Some events around which positions are to be valued, by sampling where `worth` is None."""

    game: Sent[Game]
    worth: Sent[Worth] | None
    depth: Depth
    events: tuple[Place, ...]


@dataclass(frozen=True)
class JudgeTask:
    """Some decisions to be judged."""

    game: Sent[Game]
    judge: Sent[Judge]
    effort: Effort
    decisions: tuple[Place, ...]


@dataclass(frozen=True)
class Valued:
    """The values around an event (`before_event`), and what it changed by what is hidden (`hidden_change`), if so."""

    before: Floats | None
    after: Floats
    hidden: tuple[Floats, Floats] | None


def value_events(task: CurveTask) -> list[tuple[int, Valued]]:
    """Return the values around the events of a task, with their numbers."""
    game = task.game.thing
    worth: Worth = SampledWorth(game, task.depth.playouts) if task.worth is None else task.worth.thing
    rough = SampledWorth(game, task.depth.worlds, max(1, task.depth.worlds // 2)) if task.worth is None else worth
    found = []
    for ply, position, move in task.events:
        state = restore(game, position)
        veiled = state.hidden and not state.is_chance and len(state.legal_moves()) > 1
        found.append((ply, Valued(*before_event(worth, state, move, ply), hidden_change(rough, state, move, ply)
                                  if veiled else None)))
    return found


def judge_decisions(task: JudgeTask) -> list[tuple[int, Verdict]]:
    """Return the verdicts on the decisions of a task, with their numbers."""
    game, judge = task.game.thing, task.judge.thing
    found = []
    for ply, position, move in task.decisions:
        state = restore(game, position)
        verdict = judge.judge(state.view(int(state.to_move)), move, task.effort, derive(_STREAM, ply))
        words = game.describe_move(state, state.parse(verdict.best))
        found.append((ply, replace(verdict, best_words=words)))
    return found


class Reviewing:
    """A review that is under way.

    Parameters
    ----------
    record : GameRecord
        Of a finished game.
    depth : Depth
    seat : int, optional
        The seat that the review is for: only its decisions are searched again where they are in doubt, and only its
        turns are told of.
    jobs : int
        Number of worker processes.
    judge : Judge, optional
        A `SearchJudge` by default.
    value : Worth, optional
        A value function for both luck and curve; by default the arena's, for the curve with more playouts.
    game : Game, optional
        The game, if it is not registered under the name in the record.
    on_progress : callable, optional
        Called with what is done, with how many, of how many, and what they are.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules or the game is not over.
    """

    def __init__(self, record: GameRecord, depth: Depth = DEPTHS[NORMAL], *, seat: int | None = None, jobs: int = 1,
                 judge: Judge | None = None, value: Worth | None = None, game: Game | None = None,
                 on_progress: Progress | None = None) -> None:
        self.played: Played = played_to_the_end(record, game)
        self.depth = depth
        self.seat = seat
        self._jobs = jobs
        self._judge = judge if judge is not None else SearchJudge()
        self._value = value
        self._report = on_progress or (lambda what, done, of, noun: None)
        self._game = Sent(self.played.game)
        self._started = time.perf_counter()
        self._curve: tuple[tuple[float, ...], ...] = ()
        self._luck: tuple[Term, ...] = ()
        self._hidden: dict[int, tuple[float, ...]] = {}
        self._verdicts: dict[int, Verdict] = {}

    def run(self) -> Review:
        """Do all of it; after KeyboardInterrupt, `result` has what was done."""
        self.draw_curve()
        decided, limit = self.to_judge(), self.depth.seconds
        first = self.depth.first(len(decided))
        self._judge_all(N_("looked at"), decided, Effort(max(FEWEST, first.iterations // _QUICKER)))
        self._judge_all(N_("judged"), decided, first, limit)
        doubtful = self.in_doubt(decided)
        if doubtful:
            many, more = self.depth.again(len(doubtful), len(decided))
            self._judge_all(N_("judged again"), doubtful[:many], more, limit)
        return self.result()

    @property
    def begun(self) -> bool:
        """Whether `result` has anything to tell."""
        return bool(self._curve)

    def result(self) -> Review:
        """Return the review as far as it has come; only if it has `begun`."""
        played, record = self.played, self.played.record
        decisions = self._decisions()
        return Review(
            record.game, tuple(record.seats), tuple(map(played.game.seat_name, range(played.game.players))),
            played.result, len(played.events), bool(played.events[0].before.hidden), self.depth.name,
            self._curve, self._luck, decisions,
            turning_points(played, decisions, self.seat), time.perf_counter() - self._started)

    def draw_curve(self) -> None:
        """Find luck and curve."""
        played, game = self.played, self.played.game
        value: Measure = Value(game) if self._value is None else self._value
        luck = tuple(terms(played.record, value))
        given = None if self._value is None else Sent(self._value)
        found: dict[int, Valued] = {}
        places = list(map(_place, played.events))
        for part in in_batches(value_events, places, lambda some: CurveTask(
                self._game, given, self.depth, some), _EVENTS, self._jobs, on_progress=self._telling(
                N_("valued"), N_("events"))):
            found.update(part)
        worth = SampledWorth(game, self.depth.playouts) if self._value is None else self._value
        around = [found[event.ply] for event in played.events]
        veiled = {ply: valued.hidden for ply, valued in sorted(found.items()) if valued.hidden is not None}
        hidden = without_noise(list(veiled.values()), [played.events[ply].seat for ply in veiled])
        self._luck = luck
        self._hidden = {ply: tuple(map(float, vector)) for ply, vector in zip(veiled, hidden, strict=True)}
        self._curve = curve_of([(valued.before, valued.after) for valued in around],
                               worth.now(played.events[0].before, _STREAM), played.result)

    def to_judge(self) -> list[Event]:
        """Return the decisions that were not forced; those in which the position changed most come first."""
        decided = [event for event in self.played.events
                   if event.seat >= 0 and len(event.before.legal_moves()) > 1]
        return sorted(decided, key=lambda event: -abs(self._change(event)[event.seat]))

    def in_doubt(self, decided: Sequence[Event]) -> list[Event]:
        """Return the decisions of which it is not clear whether they are mistakes, those that may cost most first."""
        found = []
        for event in decided:
            verdict = self._verdicts.get(event.ply)
            if verdict is not None and self.seat in (None, event.seat) and verdict.error > 0 and (
                    _WORTH < verdict.difference < _DOUBT * verdict.error):
                found.append((verdict.difference, event))
        return [event for _, event in sorted(found, key=lambda pair: -pair[0])]

    def _judge_all(self, what: str, decided: Sequence[Event], effort: Effort, seconds: float | None = None) -> None:
        size = max(1, min(_BATCH, len(decided) // (4 * self._jobs)))
        judge = Sent(self._judge)
        found: Iterator[list[tuple[int, Verdict]]] = in_batches(
            judge_decisions, list(map(_place, decided)),
            lambda some: JudgeTask(self._game, judge, effort, some), size, self._jobs,
            on_progress=self._telling(what))
        for verdicts in found:
            self._verdicts.update(verdicts)
            if seconds is not None and time.perf_counter() - self._started > seconds:
                return

    def _telling(self, what: str, noun: str = N_("decisions")) -> Callable[[int, int], object]:
        return lambda done, of: self._report(what, done, of, noun)

    def _change(self, event: Event) -> tuple[float, ...]:
        before, after = self._curve[event.ply], self._curve[event.ply + 1]
        return tuple(b - a for a, b in zip(before, after, strict=True))

    def _decisions(self) -> tuple[Decision, ...]:
        game, found = self.played.game, []
        for event in self.played.events:
            if event.seat < 0:
                continue
            state = event.before
            lesson = game.lesson(state, event.seat)
            found.append(Decision(
                event.ply, event.seat, event.turn, state.format(event.move), game.describe_move(state, event.move),
                len(state.legal_moves()), "" if lesson is None else lesson.key, "" if lesson is None else lesson.title,
                self._change(event), self._hidden.get(event.ply, (0.0,) * game.players), self._verdicts.get(event.ply)))
        return tuple(found)


def _place(event: Event) -> Place:
    return event.ply, event.before.to_bytes(), event.move
