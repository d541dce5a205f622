"""The advice to a person at a table: who gives it, and which decision of an agent may be explained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfida.ai.registry import agent as make_agent
from sfida.ai.seat import Seat
from sfida.ai.seeds import advice_seed
from sfida.ai.story import Step
from sfida.ai.table import Table
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState

HINT_AGENT = "ismcts:seconds=1"
_WORLDS = 50            # worlds in which a move is looked for


def seed_of_advice(table: Table) -> int:
    """Return the seed of advice on the current decision of a table."""
    return advice_seed(table.seed, int(table.state.to_move), len(table.events))


def adviser(seed: int) -> Seat:
    """Return the agent that gives advice."""
    return Seat(make_agent(HINT_AGENT, seed))


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
