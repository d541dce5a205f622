"""A first look at a game that has just ended: luck, and the worst decision of a seat, in about two seconds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sfida.ai.luck.terms import terms
from sfida.ai.luck.value import Value
from sfida.ai.review.depths import Effort
from sfida.ai.review.judge import Judge, SearchJudge
from sfida.ai.review.model import Verdict
from sfida.ai.review.positions import Event, played_to_the_end
from sfida.cython_ext.rng import derive
from sfida.engines.game import Game
from sfida.engines.records import GameRecord

SECONDS = 1.9
_LUCK, _ONCE = 0.7, 0.85        # shares of the time after which luck is given up, and every decision has been seen
_LOOK, _AGAIN = Effort(60), Effort(200, 4)
_SUSPECTS = 4                   # decisions that are searched again
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_STREAM = 0x61A7CE


@dataclass(frozen=True)
class Glance:
    """What a first look found.

    Attributes
    ----------
    luck : tuple of float or None
        Luck of each seat in shares of the win (`ai.luck.terms`); None if there was no time for it.
    worst : dict of int to (Event, Verdict)
        The mistake of each seat that cost the most; seats without any are left out.
    """

    luck: tuple[float, ...] | None
    worst: dict[int, tuple[Event, Verdict]]


def glance(record: GameRecord, seats: Sequence[int], game: Game | None = None, seconds: float = SECONDS,
           clock: Callable[[], float] = time.perf_counter) -> Glance:
    """Look at a game that is over.

    Parameters
    ----------
    record : GameRecord
    seats : sequence of int
        Seats whose worst decisions are looked for.
    game : Game, optional
        The game, if it is not registered under the name in the record.
    seconds : float
        Time that it takes at most, about.
    clock : callable

    Raises
    ------
    InvalidRecord
        As of `played_to_the_end`.
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
    verdict = judge.judge(state.view(event.seat), event.move, effort, derive(_STREAM, event.ply))
    return replace(verdict, best_words=state.game.describe_move(state, state.parse(verdict.best)))
