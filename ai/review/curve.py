"""What a game was worth to each seat before its first event and after each one, everything hidden known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfida.ai.luck.terms import Measure
from sfida.ai.luck.value import Value
from sfida.cython_ext.rng import Random, derive
from sfida.cython_ext.state import GameState, View
from sfida.engines.game import Game

Floats = NDArray[np.float64]
_STREAM, _WORLDS = 0x4EF1EA, 0x30E1D    # of the numbers of events; of worlds
_PAIRS = 2.0                    # as so many pairs the usual error counts beside that of the pair itself


def certain(difference: float, error: float) -> float:
    """Return which part of a difference of two values counts.

    A search that errs finds a better move where there is none, and never the other way round, so that differences as
    they are would add up to far too much. What is left is shrunk by the positive-part rule of James and Stein
    (W. James, C. Stein, "Estimation with quadratic loss", 1961): 1 - (error / difference)², 0 for a difference within
    the error, 1 where it is exact.
    """
    return 1.0 - (error / difference) ** 2 if difference > error else 0.0


class Worth(Measure, Protocol):
    """What positions are worth, everything hidden known; a test may bring one that is exact."""

    def now(self, state: GameState, number: int) -> Floats:
        """As of `Value`."""

    def after(self, state: GameState, events: Sequence[int], number: int) -> Floats:
        """As of `Value`."""

    def foreseen(self, view: View, move: int, number: int) -> Floats:
        """Return what a seat must expect a move of its own to change in the value of the position.

        The mean, over the worlds that are possible for the seat, of the value after the move less that before it.
        """


class SampledWorth(Value):
    """The game's value function as one that says what it believes (trust 1).

    Parameters
    ----------
    game : Game
    playouts : int
        From each position, unless positions are evaluated alone.
    worlds : int, optional
        Worlds that stand for all that are possible for a seat: the function is to compare these. Then playouts end
        after a turn where positions can be evaluated, because what differs shows soon and what follows is noise.
    """

    def __init__(self, game: Game, playouts: int, worlds: int = 0) -> None:
        usual, evaluates = Value(game).options, bool(game.initial_state().has_evaluation)
        many = playouts if usual.playouts or not evaluates else 0
        super().__init__(game, replace(usual, playouts=many, cutoff=1 if worlds and evaluates else usual.cutoff,
                                       trust=1.0))
        self._worlds = worlds

    def foreseen(self, view: View, move: int, number: int) -> Floats:
        """Return what a seat must expect a move of its own to change; see `Worth`."""
        worlds = [view.sample(Random(derive(number, _WORLDS, k))) for k in range(self._worlds)]
        found: Floats = np.mean([self.after(world, [move], number)[0] - self.now(world, number) for world in worlds],
                                axis=0)
        return found


def before_event(worth: Worth, state: GameState, move: int, ply: int) -> tuple[Floats | None, Floats]:
    """Return the values around an event: before it, where it is a chance event that could go otherwise, and after.

    Before a chance event a position is worth the mean over its outcomes, before a decision what it is worth after the
    event before.

    Parameters
    ----------
    worth : Worth
    state : GameState
        The position before it.
    move : int
        What happened.
    ply : int
        Number of the event.
    """
    number = derive(_STREAM, ply)
    after = worth.after(state, [move], number)[0]
    if state.is_chance:
        weighted = state.chance_outcomes()
        if len(weighted) > 1:
            return after - worth.luck(state, move, weighted, number), after
    return None, after


def hidden_change(worth: Worth, state: GameState, move: int, ply: int) -> tuple[Floats, Floats]:
    """Return what a decision changed for each seat because of what the mover could not know, estimated twice.

    What the move changed in the value of the true position, less what its seat had to expect; both by the same
    random numbers.
    """
    seat = int(state.to_move)
    view = state.view(seat)

    def once(number: int) -> Floats:
        changed = worth.after(state, [move], number)[0] - worth.now(state, number)
        found: Floats = changed - worth.foreseen(view, move, number)
        return found

    return once(derive(_STREAM, ply, 1)), once(derive(_STREAM, ply, 2))


def without_noise(twice: Sequence[tuple[Floats, Floats]], seats: Sequence[int]) -> list[Floats]:
    """Return the means of vectors that were estimated twice, shrunk by what their errors may have added (`certain`).

    Parameters
    ----------
    twice : sequence of (float array, float array)
        Each of shape (players,).
    seats : sequence of int
        The seat whose entry says how large each vector is.

    Notes
    -----
    Two estimates tell little of their error, but all pairs together tell the usual one.
    """
    own = np.array([(first[seat] - second[seat]) ** 2 / 4.0
                    for (first, second), seat in zip(twice, seats, strict=True)])
    told = own[own > 0.0]
    usual = float(told.mean()) if len(told) else 0.0
    found = []
    for (first, second), seat, variance in zip(twice, seats, own, strict=True):
        mean = (first + second) / 2.0
        error = float(np.sqrt((_PAIRS * usual + variance) / (_PAIRS + 1.0)))
        found.append(mean * certain(abs(float(mean[seat])), error))
    return found


def curve_of(around: Sequence[tuple[Floats | None, Floats]], start: Floats,
             result: Sequence[float]) -> tuple[tuple[float, ...], ...]:
    """Return the values before the first event and after each one.

    Parameters
    ----------
    around : sequence
        What `before_event` returns of every event, in order.
    start : float array of shape (seats,)
        Value of the first position; it counts only where a decision comes first.
    result : sequence of float
        Shares of the win.

    Returns
    -------
    tuple of tuple of float
        One row more than events, or two where the result is not the value of the last position: somebody resigned.
    """
    rows = [start, *(after for _, after in around)]
    for ply, (before, _) in enumerate(around):
        if before is not None:
            rows[ply] = before
    ended = np.array(result, float)
    if not np.allclose(rows[-1], ended, atol=1e-6):
        rows.append(ended)
    rows[-1] = ended
    return tuple(tuple(map(float, row)) for row in rows)
