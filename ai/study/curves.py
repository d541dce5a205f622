"""How the win slips from seat to seat in a recorded game: what the position is worth at the end of every turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfida.ai.arena.batches import work_on
from sfida.ai.arena.outcome import GameOutcome
from sfida.ai.luck.value import Value
from sfida.engines.game import Game

Floats = NDArray[np.float64]

_PLAYOUTS = 64          # least number from each position that is not evaluated alone: a leader is to be told from noise
_BATCH = 8              # games of one task
_BY_ACTOR = -1          # `turn_number` of games whose turns are changes of the actor


@dataclass(frozen=True)
class Curve:
    """The values of one game.

    Attributes
    ----------
    block, rotation : int
        Place of the game in the schedule.
    values : float array of shape (turns, seats)
        Expected share of the win of each seat after each turn, rows sum to 1; the last row is the result.
    reason : str or None
        Why the game ended, where games can end in several ways (`Rules.end_reason`).
    """

    block: int
    rotation: int
    values: Floats
    reason: str | None = None


def value_for_curves(game: Game) -> Value:
    """Return a value function that says what it believes: of mean 1, and with enough playouts to tell who leads."""
    usual = Value(game).options
    playouts = max(usual.playouts, _PLAYOUTS) if usual.playouts or not game.initial_state().has_evaluation else 0
    return Value(game, replace(usual, playouts=playouts, trust=1.0))


def curve_of(outcome: GameOutcome, value: Value) -> Curve:
    """Return the values along a game that was played to its end; raises InvalidRecord if it does not fit the rules."""
    state = value.game.initial_state()
    rows: list[Floats] = []
    mover = None                            # the latest seat to move
    for ply, text in enumerate(outcome.record.moves):
        move = state.parse(text)
        before, turn = state.clone(), state.turn_number
        if not state.is_chance:
            mover = int(state.to_move)
        state.apply(move)
        changed = (turn != state.turn_number if turn != _BY_ACTOR else
                   not state.is_chance and mover is not None and int(state.to_move) != mover)
        if changed and not state.is_over:
            rows.append(value.after(before, [move], ply)[0])
    return Curve(outcome.block, outcome.rotation, np.array([*rows, outcome.utilities]), value.game.end_reason(state))


def curves_of(game: Game, outcomes: Sequence[GameOutcome]) -> list[Curve]:
    """Return the curves of some games."""
    value = value_for_curves(game)
    return [curve_of(outcome, value) for outcome in outcomes]


def all_curves(game: Game, outcomes: Sequence[GameOutcome], jobs: int = 1,
               on_progress: Callable[[int, int], object] | None = None) -> list[Curve]:
    """Return the curves of all games that were not forfeited, in the order of the schedule.

    `on_progress` is called with the number of games done and of all.
    """
    whole = [outcome for outcome in outcomes if outcome.forfeit is None]
    found: list[Curve] = []
    for curves in work_on(curves_of, game, whole, _BATCH, jobs, on_progress=on_progress):
        found += curves
    return sorted(found, key=lambda curve: (curve.block, curve.rotation))
