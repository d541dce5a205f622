"""Cheap models of how the other seats choose their moves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sfida.cython_ext.errors import SfidaError
from sfida.cython_ext.rng import Random
from sfida.cython_ext.state import GameState, View


class PolicyModel(Protocol):
    """The probability that a player chooses each move, given what that player sees."""

    def __call__(self, view: View, rng: Random) -> Mapping[int, float]:
        """Return a weight of 0 or more for legal moves of ``view.seat``; moves that are left out have weight 0.

        Parameters
        ----------
        view : View
            The player's view in the given world. It gives no access to other seats' secrets.
        rng : Random
            Random stream; the same for equal views.
        """


@dataclass(frozen=True)
class HeuristicPolicy:
    """The game's priors; without priors a softmax of the value of each move one ply ahead.

    The value one ply ahead is that of the agent `greedy`: the game's evaluation; or, without one, the result if
    the move ends the game, and equal shares otherwise. If all values are equal, all moves are equally likely.

    Parameters
    ----------
    temperature : float
        Difference in win share that makes a move e times as likely; greater than 0.
    samples : int
        Worlds to average over if the player cannot see everything, at least 1.
    """

    temperature: float = 0.1
    samples: int = 4

    def __call__(self, view: View, rng: Random) -> dict[int, float]:
        """Return the probability of each candidate move; other legal moves are left out."""
        moves = view.legal_moves()
        if len(moves) == 1:
            return {moves[0]: 1.0}
        if view.has_priors:
            return dict(view.sample(rng).move_priors())
        totals = dict.fromkeys(moves, 0.0)
        count = self.samples if view.hidden else 1
        for _ in range(count):
            world = view.sample(rng)
            for move in moves:
                totals[move] += _worth(world, move, view.seat)
        best = max(totals.values())
        weights = {move: math.exp((total - best) / (count * self.temperature)) for move, total in totals.items()}
        whole = sum(weights.values())
        return {move: weight / whole for move, weight in weights.items()}


def softened(model: Mapping[int, float], moves: Sequence[int], explore: float) -> list[float]:
    """Mix a model with uniformly random moves: ``(1 - explore) * pi + explore / k``.

    Parameters
    ----------
    model : mapping of int to float
        Weights by move code; scaled to sum to 1 over `moves`.
    moves : sequence of int
        The k legal moves.
    explore : float
        Share of random moves, 0 to 1.

    Returns
    -------
    list of float
        Probabilities in the order of `moves`, summing to 1.

    Raises
    ------
    SfidaError
        If a weight is negative or not a number, or no legal move has a positive one.
    """
    weights = [float(model.get(move, 0.0)) for move in moves]
    whole = sum(weights)
    if not 0.0 < whole < math.inf or min(weights) < 0.0:
        raise SfidaError("a model of the others must give finite weights of 0 or more, and a positive one to some "
                         f"legal move; it gave {weights[:8]}")
    return [(1.0 - explore) * weight / whole + explore / len(moves) for weight in weights]


def _worth(world: GameState, move: int, seat: int) -> float:
    """Return the win share of `seat` one ply ahead."""
    twin = world.clone()
    twin.apply(move)
    shares = twin.utilities()
    if shares is None:
        judged = twin.evaluation()
        shares = judged[0] if judged is not None else None
    return float(shares[seat]) if shares is not None else 1.0 / twin.players
