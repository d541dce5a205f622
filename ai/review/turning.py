"""The turns that decided a game."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from sfida.ai.lines import follow
from sfida.ai.reasons import Reasons, reasons_of
from sfida.ai.review.model import Decision, TurningPoint
from sfida.ai.review.positions import Event, Played

TOLD = 5


def turning_points(played: Played, decisions: Sequence[Decision], seat: int | None = None,
                   most: int = TOLD) -> tuple[TurningPoint, ...]:
    """Return the turns that decided a game, in their order.

    Those with mistakes come first, by what the mistakes lost; if they are too few, those in which the value of the
    position changed the most follow.

    Parameters
    ----------
    played : Played
    decisions : sequence of Decision
        Judged as far as the review has come.
    seat : int, optional
        Only turns of this seat.
    most : int
    """
    turns: dict[int, list[Decision]] = defaultdict(list)
    for decision in decisions:
        if seat is None or decision.seat == seat:
            turns[decision.turn].append(decision)
    judged = [turn for turn in turns.values() if any(not one.forced and one.verdict is not None for one in turn)]
    chosen = sorted(judged, key=_weight, reverse=True)[:most]
    events = {event.ply: event for event in played.events}
    return tuple(_told(played, events, turn) for turn in sorted(chosen, key=lambda turn: turn[0].ply))


def _weight(turn: Sequence[Decision]) -> tuple[float, float]:
    """Return what makes one turn weigh more than another."""
    lost = math.fsum(one.verdict.loss for one in turn if one.verdict is not None and one.verdict.mistake)
    return lost, abs(_swing(turn))


def _swing(turn: Sequence[Decision]) -> float:
    return math.fsum(one.change[one.seat] for one in turn)


def _told(played: Played, events: Mapping[int, Event], turn: Sequence[Decision]) -> TurningPoint:
    found = [(one, one.verdict) for one in turn if one.verdict is not None and not one.forced]
    decision, verdict = max(found, key=lambda pair: (pair[1].mistake, pair[1].loss, abs(pair[0].change[pair[0].seat])))
    view = events[decision.ply].before.view(decision.seat)
    line = follow(view, verdict.line, verdict.seed)
    better = follow(view, verdict.best_line, verdict.seed) if verdict.loss else None
    return TurningPoint(
        decision.seat, decision.ply, tuple(one.ply for one in turn), math.fsum(one.loss for _, one in found),
        math.sqrt(math.fsum(one.error ** 2 for _, one in found if one.loss)), _swing(turn), line.plies,
        () if better is None else better.plies, line.answer if line.plies else None, reasons_of(played.game, line),
        Reasons() if better is None else reasons_of(played.game, better))
