"""What may be told of an agent's thoughts: all of it without secrets, else only what fits what the person knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.cli import show
from sfida.cli.output import percent
from sfida.cli.story import Step
from sfida.cli.text import Text, sentence
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState
from sfida.engines.game import Game
from sfida.engines.language import _

_WORLDS = 50            # worlds in which a move is looked for


def last_choice(steps: Sequence[Step], people: Iterable[int], viewer: int, seed: int) -> tuple[Step, GameState] | None:
    """Return the last decision of a seat that is no person's, and a position in which to explain it to a seat.

    Moves without an alternative, or that the seat did not see, are passed over. With secrets the position is a world
    drawn from what the seat knew, in which the move is legal: whatever is found there tells nothing about the mover's
    true hand.

    Returns
    -------
    (Step, GameState) or None
        None if there is no such decision.
    """
    seats, rng = frozenset(people), Random(seed)
    for step in reversed(steps):
        if step.seat >= 0 and step.seat not in seats:
            before = _explainable(step, viewer, rng)
            if before is not None and len(before.legal_moves()) > 1:
                return step, before
    return None


def _explainable(step: Step, viewer: int, rng: Random) -> GameState | None:
    before = step.before
    if not before.hidden:
        return before
    if step.notation((viewer,)) != step.text:
        return None
    worlds = (before.view(viewer).sample(rng) for _ in range(_WORLDS))
    return next((world for world in worlds if step.event.code in world.legal_moves()), None)


def expectations(game: Game, steps: Iterable[Step]) -> list[Text]:
    """Return for each seat that searched what it expected to win: at first, half way and at last."""
    found: dict[int, list[float]] = {}
    for step in steps:
        if step.analysis is not None and step.analysis.iterations:
            found.setdefault(step.seat, []).append(step.analysis.best.value)
    lines = []
    for seat, values in sorted(found.items()):
        said = (_("{seat} expected to win {first} at first, {half} half way, {last} at last") if len(values) > 2 else
                _("{seat} expected to win {last}"))
        lines.append(sentence(said, seat=show.seat_text(game, seat), first=percent(values[0]),
                              half=percent(values[len(values) // 2]), last=percent(values[-1])))
    return lines
