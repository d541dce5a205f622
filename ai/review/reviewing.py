"""Reviews of finished games: a quick one, a full one with the turns that decided the game, and a cache of reviews."""

from __future__ import annotations

import gzip
import hashlib
import math
import pickle
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from sfida.ai.analysis import Reasons, follow, reasons_of
from sfida.ai.arena.backends import in_batches, portable
from sfida.ai.luck.value import LuckTerm, Measure, Shares, Value, terms
from sfida.ai.review.judge import (
    Event, Judge, Played, SampledWorth, SearchJudge, Worth, before_event, curve_of, hidden_change, played_to_the_end,
    without_noise
)
from sfida.ai.review.model import DEPTHS, FEWEST, NORMAL, SCHEMA, Decision, Depth, Effort, Review, TurningPoint, Verdict
from sfida.cython_ext.errors import InvalidRecord
from sfida.cython_ext.rng import derive
from sfida.cython_ext.state import restore
from sfida.engines.files import read_at_most, state_folder, write_whole
from sfida.engines.game import Game
from sfida.engines.language import ENGLISH, N_, speaking
from sfida.engines.records import GameRecord, sfida_version
from sfida.engines.spec import shown
from sfida.engines.untrusted import FieldReader, json_text

# ---- A cache of reviews in a folder, so that a second call need not search again

_MOST_BYTES = 1 << 26           # largest stored review, compressed


class ReviewCache:
    """The reviews in a folder, one file each.

    The key of a review consists of the game that was played, the seat, the depth, and the version of the program:
    another version may judge differently.

    Parameters
    ----------
    folder : Path
        Folder, created with the first review.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def key(self, record: GameRecord, seat: int | None, depth: Depth) -> str:
        """Return the name under which a review is kept."""
        played = [record.game, record.rules_version, list(record.moves), list(record.seats),
                  record.extra.get("ended"), record.extra.get("forfeit")]
        told = json_text([SCHEMA, sfida_version(), depth.name, seat, played], compact=True)
        return hashlib.blake2b(told.encode(), digest_size=16).hexdigest()

    def find(self, record: GameRecord, seat: int | None, depth: Depth) -> Review | None:
        """Return a review; None if there is none that can be read, so that it is made again."""
        path = self._path(record, seat, depth)
        try:
            text = gzip.decompress(read_at_most(path, _MOST_BYTES)).decode()
            reader = FieldReader(shown(path))
            return Review.from_json(reader.parse(text, "the review"), reader)
        except (OSError, EOFError, zlib.error, UnicodeDecodeError, InvalidRecord):
            return None

    def keep(self, record: GameRecord, seat: int | None, depth: Depth, review: Review) -> None:
        """Keep a review; raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json_text(review.to_json(), compact=True)
        write_whole(self._path(record, seat, depth), gzip.compress(text.encode(), mtime=0))

    def _path(self, record: GameRecord, seat: int | None, depth: Depth) -> Path:
        return self.folder / f"{self.key(record, seat, depth)}.json.gz"


def review_cache() -> ReviewCache:
    """Return the cache of reviews in the state folder."""
    return ReviewCache(state_folder() / "reviews")


# ---- The turns that decided a game

TOLD = 5


def turning_points(played: Played, decisions: Sequence[Decision], seat: int | None = None,
                   most: int = TOLD) -> tuple[TurningPoint, ...]:
    """Return the turns that decided a game, in their order.

    Turns with mistakes come first, by the loss of the mistakes; if there are too few, the turns with the largest change
    in the value of the position follow.

    Parameters
    ----------
    played : Played
    decisions : sequence of Decision
        Decisions, judged as far as the review has come.
    seat : int, optional
        Only turns of this seat.
    most : int
    """
    turns: dict[int, list[Decision]] = defaultdict(list)
    for decision in decisions:
        if seat is None or decision.seat == seat:
            turns[decision.turn].append(decision)
    judged = [turn for turn in turns.values() if any(not one.forced and one.verdict is not None for one in turn)]
    chosen = sorted(judged, key=weight, reverse=True)[:most]
    return tuple(turning_point(played, turn) for turn in sorted(chosen, key=lambda turn: turn[0].ply))


def weight(turn: Sequence[Decision]) -> tuple[float, float]:
    """Return the weight by which turns are compared: the loss of their mistakes, then the change of the position."""
    lost = math.fsum(one.verdict.loss for one in turn if one.verdict is not None and one.verdict.mistake)
    return lost, abs(_swing(turn))


def _swing(turn: Sequence[Decision]) -> float:
    return math.fsum(one.change[one.seat] for one in turn)


def turning_point(played: Played, turn: Sequence[Decision]) -> TurningPoint:
    """Return a turn as it is described: by its decision that cost the most. One decision at least must be judged."""
    found = [(one, one.verdict) for one in turn if one.verdict is not None and not one.forced]
    decision, verdict = max(found, key=lambda pair: (pair[1].mistake, pair[1].loss, abs(pair[0].change[pair[0].seat])))
    view = played.events[decision.ply].before.view(decision.seat)
    line = follow(view, verdict.line, verdict.seed)
    better = follow(view, verdict.best_line, verdict.seed) if verdict.loss else None
    return TurningPoint(
        decision.seat, decision.ply, tuple(one.ply for one in turn), math.fsum(one.loss for _, one in found),
        math.sqrt(math.fsum(one.error ** 2 for _, one in found if one.loss)), _swing(turn), line.plies,
        () if better is None else better.plies, line.answer if line.plies else None, reasons_of(played.game, line),
        Reasons() if better is None else reasons_of(played.game, better))


# ---- A first look at a game that has just ended: luck, and the worst decision of a seat, in about two seconds

SECONDS = 1.9
_LUCK, _ONCE = 0.7, 0.85        # shares of the time at which luck is abandoned, and at which first looks end
_LOOK, _AGAIN = Effort(60), Effort(200, 4)
_SUSPECTS = 4                   # decisions that are searched again
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_GLANCE_STREAM = 0x61A7CE


@dataclass(frozen=True)
class Glance:
    """The result of a first look.

    Attributes
    ----------
    luck : tuple of float or None
        Luck of each seat in win shares (`ai.luck.terms`); None if there was not enough time.
    worst : dict of int to (Event, Verdict)
        The mistake of each seat that cost the most; seats without mistakes are left out.
    """

    luck: tuple[float, ...] | None
    worst: dict[int, tuple[Event, Verdict]]


def quick_review(record: GameRecord, seats: Sequence[int], game: Game | None = None, seconds: float = SECONDS,
                 clock: Callable[[], float] = time.perf_counter) -> Glance:
    """Take a first look at a game that is over.

    Parameters
    ----------
    record : GameRecord
    seats : sequence of int
        Seats whose worst decisions are wanted.
    game : Game, optional
        The game, if it is not registered under the name in the record.
    seconds : float
        Approximate time limit.
    clock : callable

    Raises
    ------
    InvalidRecord
        As for `played_to_the_end`.
    """
    started = clock()

    def late(share: float) -> bool:
        return clock() - started > share * seconds

    played = played_to_the_end(record, game)
    luck: list[float] | None = [0.0] * played.game.players
    for term in terms(record, Value(played.game)):
        luck = [total + more for total, more in zip(luck or (), term.luck, strict=True)]
        if late(_LUCK):
            luck = None
            break
    decided = [event for event in played.events if event.seat in seats and len(event.before.legal_moves()) > 1]
    judge, found = SearchJudge(), list[tuple[Event, Verdict]]()
    for event in sorted(decided, key=lambda event: (event.ply * _GOLDEN) % 1.0):    # if time is short, from all parts
        if late(_ONCE):
            break
        found.append((event, _judged(judge, event, _LOOK)))
    suspects = sorted(found, key=lambda pair: -pair[1].difference)[:_SUSPECTS * len(seats)]
    worst: dict[int, tuple[Event, Verdict]] = {}
    for event, _ in suspects:
        if late(1.0):
            break
        verdict = _judged(judge, event, _AGAIN)
        if verdict.mistake and (event.seat not in worst or worst[event.seat][1].loss < verdict.loss):
            worst[event.seat] = event, verdict
    return Glance(None if luck is None else tuple(luck), worst)


def _judged(judge: Judge, event: Event, effort: Effort) -> Verdict:
    state = event.before
    verdict = judge.judge(state.view(event.seat), event.move, effort, derive(_GLANCE_STREAM, event.ply))
    return replace(verdict, best_words=state.game.describe_move(state, state.parse(verdict.best)))


# ---- Reviewing a finished game: the curve, then a search of every decision, then more searches for losses in doubt

_STREAM = 0x4EF1E2              # stream of the seeds of decisions
_WORTH = 0.005                  # loss too small to be searched again
_DOUBT = 3.0                    # standard errors within which a loss is in doubt
_QUICKER = 4            # a first look has 1 / _QUICKER of the iterations, so that every decision soon has a verdict
_BATCH = 8                      # most decisions of one task
_EVENTS = 16                    # events of one task

Progress = Callable[[str, int, int, str], object]   # the activity, the number done, the number of all, and their name
Thing = TypeVar("Thing")
Place = tuple[int, bytes, int]                  # an event: ply, position before it, move


class Sent(Generic[Thing]):
    """An object that travels with a task: unchanged within a process, pickled by `portable` to others."""

    def __init__(self, thing: Thing) -> None:
        self.thing = thing

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (portable(self.thing),)


def _received(data: bytes) -> Sent[Any]:
    return Sent(pickle.loads(data))


@dataclass(frozen=True)
class CurveTask:
    """Some events around which positions are to be valued; `worth` None: by sampling."""

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
    """The values around an event (`before_event`), and the hidden part of its change (`hidden_change`), if any."""

    before: Shares | None
    after: Shares
    hidden: tuple[Shares, Shares] | None


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
    """A review in progress.

    Parameters
    ----------
    record : GameRecord
        Record of a finished game.
    depth : Depth
    seat : int, optional
        The seat of the reader: only its doubtful decisions are searched again, and only its turns are described.
    jobs : int
        Number of worker processes.
    judge : Judge, optional
        A `SearchJudge` by default.
    value : Worth, optional
        A value function for both luck and curve; by default the arena's, with more playouts for the curve.
    game : Game, optional
        The game, if it is not registered under the name in the record.
    on_progress : callable, optional
        Called with the activity, the number done, the number of all, and their name.

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
        self._luck: tuple[LuckTerm, ...] = ()
        self._hidden: dict[int, tuple[float, ...]] = {}
        self._verdicts: dict[int, Verdict] = {}

    def run(self) -> Review:
        """Make the whole review; after KeyboardInterrupt, `result` returns the part that was done."""
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
        """Whether `result` has any content."""
        return bool(self._curve)

    def result(self) -> Review:
        """Return the review as far as it has come; it must have `begun`."""
        played, record = self.played, self.played.record
        decisions = self._decisions()
        return Review(
            record.game, tuple(record.seats), tuple(map(played.game.seat_name, range(played.game.players))),
            played.result, len(played.events), bool(played.events[0].before.hidden), self.depth.name,
            self._curve, self._luck, decisions,
            turning_points(played, decisions, self.seat), time.perf_counter() - self._started)

    def draw_curve(self) -> None:
        """Compute luck and curve."""
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
        self._hidden = dict(zip(veiled, hidden, strict=True))
        self._curve = curve_of([(valued.before, valued.after) for valued in around],
                               worth.now(played.events[0].before, _STREAM), played.result)

    def to_judge(self) -> list[Event]:
        """Return the decisions that were not forced, those with the largest change of the position first."""
        decided = [event for event in self.played.events
                   if event.seat >= 0 and len(event.before.legal_moves()) > 1]
        return sorted(decided, key=lambda event: -abs(self._change(event)[event.seat]))

    def in_doubt(self, decided: Sequence[Event]) -> list[Event]:
        """Return the decisions that may or may not be mistakes, those with the largest possible loss first."""
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
        none = (0.0,) * self.played.game.players
        return tuple(_decided(event, self._change(event), self._hidden.get(event.ply, none),
                              self._verdicts.get(event.ply)) for event in self.played.events if event.seat >= 0)


def _decided(event: Event, change: tuple[float, ...], hidden: tuple[float, ...], verdict: Verdict | None) -> Decision:
    state, game = event.before, event.before.game
    lesson = game.lesson(state, event.seat)
    return Decision(event.ply, event.seat, event.turn, state.format(event.move), game.describe_move(state, event.move),
                    len(state.legal_moves()), "" if lesson is None else lesson.key,
                    "" if lesson is None else lesson.title, change, hidden, verdict)


def _place(event: Event) -> Place:
    return event.ply, event.before.to_bytes(), event.move


# ---- Reviews that are kept, and told in any language


def kept_review(record: GameRecord, depth: Depth, *, seat: int | None = None, jobs: int = 1,
                on_progress: Progress | None = None,
                unkept: Callable[[OSError], object] = lambda error: None) -> Review:
    """Return the kept review of a game, or make one and keep it.

    It has no limit in seconds, so that it does not depend on the load of the machine, and is in English, because a
    later call may want another language (`retold`).

    Parameters
    ----------
    record : GameRecord
    depth : Depth
    seat, jobs, on_progress
        As for `Reviewing`.
    unkept : callable
        Called with the error if a new review cannot be kept.

    Raises
    ------
    InvalidRecord
        If the record does not fit the rules or the game is not over.
    """
    cache = review_cache()
    found = cache.find(record, seat, depth)
    if found is None:
        with speaking(ENGLISH):
            found = Reviewing(record, replace(depth, seconds=None), seat=seat, jobs=jobs, on_progress=on_progress).run()
        try:
            cache.keep(record, seat, depth, found)
        except OSError as error:
            unkept(error)
    return found


def retold(played: Played, review: Review) -> Review:
    """Return a review of all seats of a game with its words in the current language."""
    def words(one: Decision) -> Decision:
        event, verdict = played.events[one.ply], one.verdict
        if verdict is not None:
            state = event.before
            verdict = replace(verdict, best_words=state.game.describe_move(state, state.parse(verdict.best)))
        return _decided(event, one.change, one.hidden, verdict)

    decisions = tuple(map(words, review.decisions))
    return replace(review, names=tuple(map(played.game.seat_name, range(played.game.players))), decisions=decisions,
                   turns=turning_points(played, decisions))
